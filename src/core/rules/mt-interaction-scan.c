/* Finds conjunctions of literals and negations that explain what the fitted head leaves over. See mt-
 * interaction-scan.h. */
#include "config.h"
#include "mt-interaction-scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mt-planes.h"
#include "base/mt-gram.h"
#include "base/mt-math.h"
#include "base/mt-target-clones.h"

/* Rows spread out to floats at a time. */
#define BLOCK_ROWS 1024
/* Curvature below which a row counts as decided. */
#define MIN_CURVATURE 1e-4
/* Fits before a scan: steps, and the improvement in nats that they may leave on the table. */
#define FIT_STEPS     30
#define FIT_TOLERANCE 1e-3
/* Oversampling factor before refitted gains are tested … */
#define ASKED_FOR_ONE 4
/* … and the approximate budget of those tests in rows × columns; beyond it, fewer are tested. */
#define ASKED_CELLS 2e9
/* Number of columns above which the ridge grows: by one ridge for each further MANY_COLUMNS. What
 * all columns explain together stays about the same, so each weight gets less room. Of the
 * thresholds of one column at most USUAL_BITS are counted. */
#define MANY_COLUMNS 120
#define USUAL_BITS 9
/* … and how much faster it grows with the ratio of columns to rows. */
#define CROWDED 7
/* Rows below which two classes want more shrinkage. */
#define SMALL_ROWS 2500

typedef struct {
  /* Element a × n + b, with a ≤ b, is about the rows where the literals a and b are both true; the
   * diagonal is about one literal alone. With the four arrays of scores, a scan keeps 6 n² floats:
   * 96 MB for 2,000 literals. */
  float *g;     /* n × n: Σ r over the rows where both literals are true */
  float *h;     /* n × n: Σ curvature */
  double g_all, h_all;
} PairSums;

typedef struct {
  float score;
  guint a, b;          /* literals, a < b, of different groups */
  guint signs;         /* bit 0: a negated; bit 1: b negated */
} Pair;

typedef struct {
  const MtEncoded     *encoded;
  MtLinearFit              *head;
  guint                n_outputs;
  const MtInteractionScanOptions *options;
  guint                n_literals;
  gsize                n_rows;
  guint                n_used;
  guint               *used;      /* ascending: literals that may be in a conjunction … */
  guint               *place;     /* … and, by literal, their place among these; G_MAXUINT: not used */
  float               *scores;    /* 4 × n_used × n_used: by signs; upper triangle */
  double              *curvature; /* of all rows, by output */
} Scan;

static gboolean
is_used (const MtInteractionScanOptions *options,
         guint                literal)
{
  return (options->banned == NULL || !options->banned[literal]) && (options->fine == NULL || !options->fine[literal]);
}

/* How many literals conjunctions are made of: what luck chooses from. */
static guint
count_used (const MtInteractionScanOptions *options,
            guint                n_literals)
{
  guint n = 0;

  for (guint l = 0; l < n_literals; l++)
    n += is_used (options, l);
  return n;
}

/* One literal of a block of rows as floats: x where it is true, 0 elsewhere. Rows past the end are 0, so products
 * may run over the whole block.
 *
 * One literal of BLOCK_ROWS rows is 4 kB; with 300 literals x and y take 2.4 MB together. */
static void
spread_plane (const guint64 *plane,
              gsize          first,
              gsize          n_rows,
              const float   *x,
              float         *out)
{
  mt_plane_spread_floats (plane + first / 64, x, n_rows, out);
  memset (out + n_rows, 0, (BLOCK_ROWS - n_rows) * sizeof *out);
}

/* FALSE: there is no other place, or it cannot do it now; then the CPU does. */
static gboolean
sum_pairs_elsewhere (const Scan   *self,
                     const double *r,
                     const double *h,
                     PairSums     *sums)
{
  g_autofree double *weight = NULL;

  if (self->options->sum_pairs == NULL || self->n_used < self->n_literals)
    return FALSE;
  weight = g_new (double, MAX (self->n_rows, 1));
  sums->g_all = sums->h_all = 0;
  for (gsize i = 0; i < self->n_rows; i++)
    {
      weight[i] = MAX (h[i], MIN_CURVATURE);
      sums->g_all += r[i];
      sums->h_all += weight[i];
    }
  return self->options->sum_pairs (self->encoded, r, weight, sums->g, sums->h, self->options->sum_pairs_data);
}

/* For all pairs of used literals at once: Σ r and Σ curvature over the rows where both are true. With the literals
 * of a block of rows as a matrix X (literals × rows) these are the products X (X r)ᵀ and X (X h)ᵀ, which
 * mt_product_add() does at the speed of the machine's multiplications: n² × rows in all. n × BLOCK_ROWS floats of
 * scratch, twice. The curvature is at least MIN_CURVATURE, so rows that are decided already cannot make a gain
 * look large by a tiny divisor.
 *
 * The sums are floats: they only choose candidates, which are then tested in doubles. g_all
 * and h_all, the totals, are doubles. */
static gboolean
sum_pairs (const Scan    *self,
           guint          output,
           PairSums      *sums,
           GCancellable  *cancellable,
           GError       **error)
{
  guint n = self->n_used;
  const double *r = mt_linear_fit_get_residual (self->head, output);
  const double *h = mt_linear_fit_get_curvature (self->head, output);
  float one[BLOCK_ROWS], residual[BLOCK_ROWS], weight[BLOCK_ROWS];
  g_autofree float *x = g_new (float, (gsize) n * BLOCK_ROWS);
  g_autofree float *y = g_new (float, (gsize) n * BLOCK_ROWS);

  if (sum_pairs_elsewhere (self, r, h, sums))
    return !g_cancellable_set_error_if_cancelled (cancellable, error);
  memset (sums->g, 0, (gsize) n * n * sizeof (float));
  memset (sums->h, 0, (gsize) n * n * sizeof (float));
  sums->g_all = sums->h_all = 0;
  for (gsize i = 0; i < self->n_rows; i++)
    {
      double curvature = MAX (h[i], MIN_CURVATURE);

      sums->g_all += r[i];
      sums->h_all += curvature;
    }
  for (gsize first = 0; first < self->n_rows; first += BLOCK_ROWS)
    {
      gsize k = MIN (BLOCK_ROWS, self->n_rows - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (gsize i = 0; i < k; i++)
        {
          one[i] = 1;
          residual[i] = (float) r[first + i];
          weight[i] = (float) MAX (h[first + i], MIN_CURVATURE);
        }
      for (guint l = 0; l < n; l++)
        {
          const guint64 *plane = mt_encoded_get_plane (self->encoded, self->used[l]);

          spread_plane (plane, first, k, one, x + (gsize) l * BLOCK_ROWS);
          spread_plane (plane, first, k, residual, y + (gsize) l * BLOCK_ROWS);
        }
      mt_product_add (x, y, BLOCK_ROWS, n, BLOCK_ROWS, sums->g, n);
      for (guint l = 0; l < n; l++)
        spread_plane (mt_encoded_get_plane (self->encoded, self->used[l]), first, k, weight, y + (gsize) l * BLOCK_ROWS);
      mt_product_add (x, y, BLOCK_ROWS, n, BLOCK_ROWS, sums->h, n);
    }
  return TRUE;
}

/* May a literal, or its negation, be in a conjunction whose weight would have the sign of @g? The
 * weight of a conjunction takes the sign of its residual sum. With a rising column, a positive
 * weight allows x ≥ t and a negative one its negation: either way the score rises with the column. */
static gboolean
is_allowed (const Scan *self,
            guint       literal,
            gboolean    negated,
            double      g)
{
  int direction = self->options->directions != NULL ? self->options->directions[literal] : 0;

  if (negated && self->options->no_negation)
    return FALSE;
  return direction == 0 || (negated ? -g : g) * direction > 0;
}

/* What a conjunction of two literals would gain, approximately: g² / (h + ridge), twice the improvement of the
 * loss by one Newton step on its weight. From the sums where both are true and the sums of each literal alone the
 * other three combinations follow: a ∧ ¬b has g_a − g_ab, ¬a ∧ b has g_b − g_ab, ¬a ∧ ¬b what is left of the
 * total. The scores of the outputs are added up. */
static void
add_scores (const Scan     *self,
            const PairSums *sums)
{
  guint n = self->n_used;
  gsize plane = (gsize) n * n;
  float each = (float) self->options->ridge.each, spread = 4 * (float) self->options->ridge.spread;

  for (guint a = 0; a < n; a++)
    {
      float ga = sums->g[(gsize) a * n + a], ha = sums->h[(gsize) a * n + a];

      for (guint b = a + 1; b < n; b++)
        {
          gsize at = (gsize) a * n + b;
          float gb = sums->g[(gsize) b * n + b], hb = sums->h[(gsize) b * n + b];
          float g[4] = { sums->g[at], gb - sums->g[at], ga - sums->g[at],
                         (float) sums->g_all - ga - gb + sums->g[at] };
          float h[4] = { sums->h[at], hb - sums->h[at], ha - sums->h[at],
                         (float) sums->h_all - ha - hb + sums->h[at] };

          for (guint s = 0; s < 4; s++)
            if (is_allowed (self, self->used[a], s & 1, g[s]) && is_allowed (self, self->used[b], s >> 1, g[s]))
              {
                float p = CLAMP (h[s] / (float) sums->h_all, 0, 1);

                self->scores[s * plane + at] += g[s] * g[s] / (MAX (h[s], 0) + each + spread * p * (1 - p));
              }
        }
    }
}

/* Best first; equal scores by literals and signs, so that the order is the same everywhere. */
static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  const Pair *p = a, *q = b;

  if (p->score != q->score)
    return p->score > q->score ? -1 : 1;
  if (p->a != q->a)
    return p->a < q->a ? -1 : 1;
  if (p->b != q->b)
    return p->b < q->b ? -1 : 1;
  return (int) p->signs - (int) q->signs;
}

/* The best pair for each pair of groups and signs, best first. Only one for each: a pair of
 * thresholds and its neighbors score nearly the same, and they would fill the whole list. With G
 * groups these are at most 2 G (G − 1) pairs. Two groups of the same column of the table make none.
 * Equal scores are ordered by the literals' numbers, so the list does not depend on the sort. */
static GArray *
best_pairs (const Scan *self)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  const MtGroup *groups = mt_encoded_get_groups (self->encoded);
  guint n_groups = mt_encoded_get_n_groups (self->encoded), n = self->n_used;
  const guint *place = self->place;

  for (guint p = 0; p < n_groups; p++)
    for (guint q = p + 1; q < n_groups; q++)
      for (guint s = 0; s < 4; s++)
        {
          Pair best = { 0, 0, 0, s };

          if (groups[p].column == groups[q].column)
            continue;
          for (guint a = groups[p].first_literal; a < groups[p].first_literal + groups[p].n_literals; a++)
            for (guint b = groups[q].first_literal; b < groups[q].first_literal + groups[q].n_literals; b++)
              {
                float score = place[a] < n && place[b] < n ? self->scores[((gsize) s * n + place[a]) * n + place[b]] : 0;

                if (score > best.score)
                  best = (Pair) { score, a, b, s };
              }
          if (best.score > 0)
            g_array_append_val (pairs, best);
        }
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

/* Σ over codes to Σ over the rows of each literal of the group. Each sum goes from its first code to its last: where two
 * conjunctions are worth the same, its last bits decide.
 *
 * With thresholds t₀ < t₁ < t₂, code 2 (two thresholds reached) counts for the literals 0
 * and 1. */
MT_CLONES static void
sum_codes (guint        n_thresholds,
           guint        n_literals,
           const double by_code[256][2],
           double      *g,
           double      *h)
{
  for (guint l = 0; l < n_thresholds; l++)
    g[l] = h[l] = 0;
  /* A threshold is true of all codes above its place but missing. */
  for (guint code = 1; code <= n_thresholds; code++)
    {
      double own_g = by_code[code][0], own_h = by_code[code][1];

      for (guint l = 0; l < code; l++)
        g[l] += own_g;
      for (guint l = 0; l < code; l++)
        h[l] += own_h;
    }
  for (guint l = n_thresholds; l < n_literals; l++)
    {
      g[l] = by_code[l + 1][0];
      h[l] = by_code[l + 1][1];
    }
}

/* Σ of r and curvature over the given rows by literal: a histogram by code a group. @own: room for both of each row.
 *
 * Cost: one read of the code of each row for each group, whatever the number of literals in it. */
static void
sum_literals (const Scan    *self,
              guint          output,
              const guint32 *rows,
              gsize          n_rows,
              double       (*own)[2],
              double        *g,
              double        *h,
              double        *g_all,
              double        *h_all)
{
  const double *r = mt_linear_fit_get_residual (self->head, output);
  const double *curvature = mt_linear_fit_get_curvature (self->head, output);
  const MtGroup *groups = mt_encoded_get_groups (self->encoded);

  *g_all = *h_all = 0;
  for (gsize i = 0; i < n_rows; i++)
    {
      own[i][0] = r[rows[i]];
      own[i][1] = MAX (curvature[rows[i]], MIN_CURVATURE);
      *g_all += own[i][0];
      *h_all += own[i][1];
    }
  for (guint p = 0; p < mt_encoded_get_n_groups (self->encoded); p++)
    {
      const guint8 *codes = mt_encoded_get_codes (self->encoded, p);
      double by_code[256][2];

      memset (by_code, 0, mt_group_get_n_codes (&groups[p]) * sizeof *by_code);
      for (gsize i = 0; i < n_rows; i++)
        {
          guint8 code = codes[rows[i]];

          by_code[code][0] += own[i][0];
          by_code[code][1] += own[i][1];
        }
      sum_codes (groups[p].kind == MT_GROUP_THERMOMETER ? groups[p].n_literals - (groups[p].has_missing ? 1 : 0) : 0,
                 groups[p].n_literals, by_code, g + groups[p].first_literal, h + groups[p].first_literal);
    }
}

/* The same for a conjunction with one literal more. */
static gboolean
is_allowed_with (const Scan          *self,
                 const MtConjunction *x,
                 guint                literal,
                 gboolean             negated,
                 double               g)
{
  for (guint i = 0; i < x->n_inputs; i++)
    if (!is_allowed (self, x->inputs[i], !(x->value >> i & 1), g))
      return FALSE;
  return is_allowed (self, literal, negated, g);
}

/* About what a conjunction gains, twice: its share of the rows is taken to be its share of the curvature. */
static double
score_of (const Scan *self,
          double      g,
          double      h,
          double      h_all)
{
  return g * g / (h + mt_ridge_at (self->options->ridge, CLAMP (h / h_all, 0, 1)));
}

/* Adds the literal that helps most; FALSE when none helps enough.
 *
 * @rows are the rows where @x is true. With each literal or its negation added, the rows are split
 * in two, so one pass over them gives the sums g and h of all 2 n candidates: a literal has its
 * own, its negation what is left of the total. The scores of the outputs are added up; one that is
 * not allowed counts 0. The best one must reach the present score times options->growth, or the
 * conjunction stays as it is.
 *
 * The literals stay in ascending order, and the bits of x->value move with them. From the inputs 3,
 * 9 with the value 01 (3 true, 9 false), adding literal 5 as true at place 1 gives 3, 5, 9 with the
 * value 011. */
static gboolean
lengthen (const Scan    *self,
          MtConjunction *x,
          const guint32 *rows,
          gsize          n_rows,
          double       (*own)[2])
{
  guint n = self->n_literals, best = 0;
  g_autofree double *g = g_new (double, n);
  g_autofree double *h = g_new (double, n);
  g_autofree double *scores = g_new0 (double, 2 * n);
  double top = x->score * self->options->growth;
  gboolean found = FALSE;

  for (guint c = 0; c < self->n_outputs; c++)
    {
      double g_all, h_all;

      sum_literals (self, c, rows, n_rows, own, g, h, &g_all, &h_all);
      for (guint l = 0; l < n; l++)
        {
          scores[l] += score_of (self, g[l], h[l], self->curvature[c]);
          scores[n + l] += score_of (self, g_all - g[l], h_all - h[l], self->curvature[c]);
          if (!is_allowed_with (self, x, l, FALSE, g[l]))
            scores[l] = 0;
          if (!is_allowed_with (self, x, l, TRUE, g_all - g[l]))
            scores[n + l] = 0;
        }
    }
  for (guint i = 0; i < x->n_inputs; i++)
    scores[x->inputs[i]] = scores[n + x->inputs[i]] = 0;
  for (guint l = 0; l < 2 * n; l++)
    if (scores[l] > top && self->place[l % n] < n)
      {
        top = scores[l];
        best = l;
        found = TRUE;
      }
  if (!found)
    return FALSE;

  {
    guint literal = best % n, at = x->n_inputs;
    guint32 low;

    while (at > 0 && x->inputs[at - 1] > literal)
      {
        x->inputs[at] = x->inputs[at - 1];
        at--;
      }
    x->inputs[at] = literal;
    x->n_inputs++;
    low = x->value & ((1u << at) - 1);
    x->value = (x->value >> at << (at + 1)) | low | (best < n ? 1u << at : 0);
    x->score = top;
  }
  return TRUE;
}

/* 64 rows from row 64 w on: where @x is true. */
static guint64
word_of (const Scan          *self,
         const MtConjunction *x,
         gsize                w)
{
  guint64 word = G_MAXUINT64;

  for (guint i = 0; i < x->n_inputs; i++)
    {
      guint64 plane = mt_encoded_get_plane (self->encoded, x->inputs[i])[w];

      word &= x->value >> i & 1 ? plane : ~plane;
    }
  if (self->n_rows - 64 * w < 64)
    word &= ((guint64) 1 << (self->n_rows - 64 * w)) - 1;
  return word;
}

/* The rows where the conjunction is true, ascending, into @rows; returns how many. */
static gsize
rows_of (const Scan          *self,
         const MtConjunction *x,
         guint32             *rows)
{
  gsize n = 0;

  for (gsize r = 0; r < self->n_rows; r += 64)
    for (guint64 word = word_of (self, x, r / 64); word != 0; word &= word - 1)
      rows[n++] = (guint32) (r + (gsize) __builtin_ctzll (word));
  return n;
}

/* How much the residuals scatter compared with what the model says they should: Σ r² / Σ h, divided
 * by the share of the rows that is left after each weight has used up one (at least a half). About
 * 1 for classes; for numbers h is 1, and it is their residual variance. Gains are measured in this
 * unit. */
double
mt_interaction_scan_get_dispersion (const MtEncoded *encoded,
                                    MtLinearFit          *head,
                                    guint            n_outputs)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  double squares = 0, curvatures = 0, spent = (mt_linear_fit_get_n_columns (head) + 1.) / n_rows;

  for (guint c = 0; c < n_outputs; c++)
    {
      const double *r = mt_linear_fit_get_residual (head, c), *h = mt_linear_fit_get_curvature (head, c);

      for (gsize i = 0; i < n_rows; i++)
        {
          squares += r[i] * r[i];
          curvatures += h[i];
        }
    }
  return squares / curvatures / MAX (1 - spent, .5);
}

/* n literals, each plain or negated, are counted as M = n^k · 2^(k−1) conjunctions of k inputs. A
 * conjunction that means nothing has a gain of ½ z² with z from a normal distribution, and the
 * largest of M such gains is about log M. Each output beyond the first adds ½, the mean gain of one
 * more weight.
 *
 * With 200 literals and 2 inputs: 2 log 200 + log 2 = 11.3 nats. */
double
mt_interaction_scan_luck_of_best (guint n_literals,
                                  guint n_inputs,
                                  guint n_outputs)
{
  return mt_log (n_literals) * n_inputs + mt_log (2) * (n_inputs - 1) + .5 * (n_outputs - 1);
}

static int
compare_scores (gconstpointer a,
                gconstpointer b)
{
  const MtConjunction *p = a, *q = b;

  if (p->score != q->score)
    return p->score > q->score ? -1 : 1;
  for (guint i = 0; i < MIN (p->n_inputs, q->n_inputs); i++)
    if (p->inputs[i] != q->inputs[i])
      return p->inputs[i] < q->inputs[i] ? -1 : 1;
  return p->n_inputs != q->n_inputs ? (int) p->n_inputs - (int) q->n_inputs : (p->value > q->value) - (p->value < q->value);
}

/* Keeps the conjunctions from @first on that beat luck, those of the largest gain. Their scores become
 * that gain.
 *
 * The gain is mt_linear_fit_get_add_gain(): with all other weights refitted, to second order. It
 * costs one pass over the rows and the columns for each conjunction, which is why n_to_find()
 * limits how many there are. */
static gboolean
keep_significant (const Scan    *self,
                  GArray        *found,
                  guint          first,
                  GCancellable  *cancellable,
                  GError       **error)
{
  gsize n_words = (self->n_rows + 63) / 64;
  g_autofree guint64 *plane = g_new (guint64, MAX (n_words, 1));
  double luck = mt_interaction_scan_get_dispersion (self->encoded, self->head, self->n_outputs);
  guint n = first;

  for (guint i = first; i < found->len; i++)
    {
      MtConjunction x = g_array_index (found, MtConjunction, i);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (gsize w = 0; w < n_words; w++)
        plane[w] = word_of (self, &x, w);
      x.score = mt_linear_fit_get_add_gain (self->head, (MtLinearFitColumn) { plane, NULL });
      if (x.score >= self->options->chance * luck * mt_interaction_scan_luck_of_best (self->n_used, x.n_inputs, self->n_outputs))
        g_array_index (found, MtConjunction, n++) = x;
    }
  g_array_set_size (found, n);
  if (n > first)     /* an empty array may have no memory to point at */
    qsort (&g_array_index (found, MtConjunction, first), n - first, sizeof (MtConjunction), compare_scores);
  g_array_set_size (found, MIN (n, first + self->options->max_found));
  return TRUE;
}

/* Conjunctions to find before any is asked for its gain. Four times as many as are wanted, if the
 * tests cost at most ASKED_CELLS; on large data fewer, but never less than wanted. With 100,000
 * rows, 300 columns and 60 wanted, testing that many is 1.8·10⁹ cells, and 66 are looked for. */
static guint
n_to_find (const Scan *self)
{
  double cells = (double) self->n_rows * mt_linear_fit_get_n_columns (self->head) * self->options->max_found;

  if (self->options->chance == 0)
    return self->options->max_found;
  return (guint) (self->options->max_found * CLAMP (ASKED_CELLS / MAX (cells, 1), 1, ASKED_FOR_ONE));
}

/* The order of work: sums over pairs and scores, output after output; the best pairs; each of them
 * lengthened; then the test of what is found. The sums over pairs take n² × rows steps, on the CPU
 * or wherever options->sum_pairs makes them; all else is small next to it on many literals.
 * Scratch: 6 n² floats and three arrays of rows. */
gboolean
mt_interaction_scan (const MtEncoded      *encoded,
                     MtLinearFit               *head,
                     guint                 n_outputs,
                     const MtInteractionScanOptions  *options,
                     GArray               *found,
                     GCancellable         *cancellable,
                     GError              **error)
{
  guint n_literals = mt_encoded_get_n_literals (encoded);
  Scan self = {
    encoded, head, n_outputs, options, n_literals, mt_encoded_get_n_rows (encoded), count_used (options, n_literals),
  };
  g_autofree guint *used = g_new (guint, MAX (self.n_used, 1));
  g_autofree guint *place = g_new (guint, MAX (n_literals, 1));
  gsize n_pairs = (gsize) self.n_used * self.n_used;
  g_autofree float *g = g_new (float, MAX (n_pairs, 1));
  g_autofree float *h = g_new (float, MAX (n_pairs, 1));
  g_autofree float *scores = g_new0 (float, MAX (4 * n_pairs, 1));
  g_autofree double *curvature = g_new0 (double, n_outputs);
  g_autofree guint32 *rows = g_new (guint32, MAX (self.n_rows, 1));
  g_autofree double (*own)[2] = g_malloc_n (MAX (self.n_rows, 1), sizeof *own);
  g_autoptr (GArray) pairs = NULL;
  PairSums sums = { g, h, 0, 0 };
  guint first = found->len;

  g_return_val_if_fail (options->max_length >= 2 && options->max_length <= MT_INTERACTION_SCAN_MAX_LENGTH, FALSE);
  self.scores = scores;
  self.curvature = curvature;
  self.used = used;
  self.place = place;
  for (guint l = 0, n = 0; l < n_literals; l++)
    {
      place[l] = is_used (options, l) ? n : G_MAXUINT;
      if (place[l] < G_MAXUINT)
        used[n++] = l;
    }
  for (guint c = 0; c < n_outputs; c++)
    {
      if (!sum_pairs (&self, c, &sums, cancellable, error))
        return FALSE;
      add_scores (&self, &sums);
      curvature[c] = sums.h_all;
    }
  pairs = best_pairs (&self);
  for (guint i = 0; i < MIN (pairs->len, n_to_find (&self)); i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);
      MtConjunction x = { 2, { pair->a, pair->b }, ~pair->signs & 3, pair->score };

      do
        if (g_cancellable_set_error_if_cancelled (cancellable, error))
          return FALSE;
      while (x.n_inputs < options->max_length && lengthen (&self, &x, rows, rows_of (&self, &x, rows), own));
      g_array_append_val (found, x);
    }
  return options->chance == 0 || keep_significant (&self, found, first, cancellable, error);
}

/* A round sees the residual that is left over by what the rounds before added, so it looks for
 * something else. It ends early when a round finds nothing. The fits in between need not be exact
 * (FIT_TOLERANCE): only the order of the scores matters here. */
gboolean
mt_interaction_scan_rounds (const MtEncoded      *encoded,
                            MtLinearFit               *head,
                            guint                 n_outputs,
                            const MtInteractionScanOptions  *options,
                            guint                 n_rounds,
                            MtInteractionScanFitFunc         fit,
                            MtInteractionScanFunc            add,
                            gpointer              user_data,
                            GCancellable         *cancellable,
                            GError              **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (MtConjunction));

  for (guint round = 0; round < n_rounds; round++)
    {
      g_array_set_size (found, 0);
      if (!(fit != NULL ? fit (FIT_STEPS, FIT_TOLERANCE, user_data, cancellable, error)
                        : mt_linear_fit_fit (head, FIT_STEPS, FIT_TOLERANCE, cancellable, error)) ||
          !mt_interaction_scan (encoded, head, n_outputs, options, found, cancellable, error))
        return FALSE;
      for (guint i = 0; i < found->len; i++)
        add (&g_array_index (found, MtConjunction, i), user_data);
      if (found->len == 0)
        break;
    }
  return TRUE;
}

/* The columns that compete for the same rows. Thresholds of one column beyond the usual number say
 * little more than their neighbors do, and the shapes of one number count once. */
static double
count_columns (const MtEncoded *encoded)
{
  double n = 0;

  for (guint u = 0; u < mt_encoded_get_n_numeric (encoded); u++)
    n += mt_encoded_is_plain (encoded, u);
  for (guint g = 0; g < mt_encoded_get_n_groups (encoded); g++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[g];
      guint n_missing = group->has_missing ? 1 : 0;

      n += group->kind == MT_GROUP_THERMOMETER ? MIN (group->n_literals - n_missing, USUAL_BITS) + n_missing
                                               : group->n_literals;
    }
  return n;
}

/* The part that is the same for every column is 5, or 8 for two classes and few rows. The part that
 * grows with the spread of a column is ridge × (columns / MANY_COLUMNS − 1) × (1 + CROWDED ×
 * columns / rows), and 0 below MANY_COLUMNS. With 240 columns and 2,000 rows of a regression: 5 × 1
 * × 1.84 = 9.2. */
MtRidge
mt_interaction_scan_get_ridge (MtTask           task,
                               const MtEncoded *encoded)
{
  double n_rows = MAX (mt_encoded_get_n_rows (encoded), 1), n_columns = count_columns (encoded);
  double ridge = task == MT_TASK_BINARY && n_rows < SMALL_ROWS ? 8 : 5;

  return (MtRidge) { ridge, ridge * MAX (n_columns / MANY_COLUMNS - 1, 0) * (1 + CROWDED * n_columns / n_rows) };
}
