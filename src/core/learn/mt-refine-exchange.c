/* Exchange: another literal in the place of one, at equal complexity.
 *
 * Elimination is short-sighted: which literals are left in a model of twenty depends on what the model of two
 * hundred could do without. So a model on the path is improved at the complexity it has: every literal of every
 * rule may become any other literal of the data, fine thresholds and levels and negations included, as long as the
 * loss falls; a numeric column that stands by itself may become another or a literal, and a literal a column. Then
 * one literal more is put where it helps most (and to a rule, or to it, or by itself), the cheapest ones go, and
 * this is kept if the model is then better at the complexity there was.
 *
 * A place is open in a rule when its answer is written as f₀ where the literal to come is false and f₁ where it is
 * true, two tables over the other inputs:
 *
 *   input i of f replaced    f₀, f₁  the cofactors of f in i
 *   f and x                  f₀ = 0, f₁ = f
 *   f or x                   f₀ = f, f₁ = 1
 *   x by itself              f₀ = 0, f₁ = 1, no other inputs
 *
 * The rule is then true of f₀'s rows, plus those where x is true and only f₁ is, less those where x is true and only
 * f₀ is. So for the residual r and the curvature h (mt-linear-fit-without.h: without the term that is to change) a
 * histogram by code over the rows where f₀ ≠ f₁, one per column, gives
 *
 *   g_x = Σ_{f₀} r + Σ_{f₀≠f₁, x} ± r          h_x likewise
 *
 * of every literal and its negation by a running sum, and their scores Σ_c ½ g² / (h - h²/h_all + λ). The score
 * knows the bias but not the other terms, so the few best, of different columns, are asked for their gain with all
 * weights refitted, and the best of these takes the place. It is kept if the refitted loss is lower.
 *
 * Sizes: rows × columns × places; above SCORED_ROWS rows every second, third … row is scored, and all rows decide.
 * Where the literal to come is alone (f₀ = 0, f₁ = 1, most places of most models), every row is open, so the sums of
 * the basis by code are the same for all such places: they are kept until the columns of the model change. */
#include "config.h"
#include "mt-refine-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-target-clones.h"
#include "rules/mt-linear-fit-without.h"
#include "base/mt-planes.h"
#include "rules/mt-interaction-scan.h"

#define SCORED_ROWS  20000
/* Terms that a model may have to be looked at, and the bias. */
#define MAX_STRIDE   128
/* Literals of different columns that are asked for their gain, a place. */
#define N_SHORT      3
/* Share of the loss that a change must gain; what luck gives the best of as many literals is asked for as well. */
#define LEAST_SHARE  1e-4

typedef struct {
  guint      n_others;
  guint      others[MT_REFINE_MAX_INPUTS];    /* ascending */
  MtBits256 off, on;                         /* f₀ and f₁ */
} Place;

typedef struct {
  gboolean is_numeric;
  guint    literal;       /* or the numeric column */
  gboolean negated;
  double   score;
} Choice;

/* What a place's rows say, with room for all of them. */
typedef struct {
  MtRefine *refine;
  gsize     step;          /* every so many rows are scored */
  gsize     n_scored;
  guint32  *rows;          /* those where f₀ ≠ f₁ … */
  double   *g, *h;         /* … with the sign of f₁ - f₀: n_outputs × n_scored */
  gsize     n_open;
  gint8    *signs;         /* of f₁ - f₀ there */
  guint8   *zeros;         /* a code for all rows */
  MtLinearFitBasis **bases;     /* per output */
  float    *without;       /* per output: mt_linear_fit_basis_fill_without() */
  float    *q_base, *q_open;   /* per output, as a row of the basis: sums of f₀'s rows and of the open ones */
  float    *by_code;       /* 256 rows of the basis */
  float   **alone;         /* per output and column: by_code with every row open; NULL: not known yet */
  float    *q_alone;       /* q_open with every row open, once that is known */
  gboolean  is_alone;      /* the place has no other inputs */
  double   *g_base, *h_base, *g_open, *h_open, *h_all;     /* per output: of f₀'s rows, of the open ones, of all */
} Scorer;

static gboolean
scorer_init (Scorer   *self,
             MtRefine *refine)
{
  guint n = refine->n_outputs;
  gsize stride = 0;

  self->refine = refine;
  self->step = (refine->n_rows + SCORED_ROWS - 1) / SCORED_ROWS;
  self->n_scored = (refine->n_rows + self->step - 1) / self->step;
  self->rows = g_new (guint32, self->n_scored);
  self->signs = g_new (gint8, self->n_scored);
  self->zeros = g_new0 (guint8, refine->n_rows);
  self->g = g_new (double, n * self->n_scored);
  self->h = g_new (double, n * self->n_scored);
  self->g_base = g_new (double, 5 * (gsize) n);
  self->h_base = self->g_base + n;
  self->g_open = self->h_base + n;
  self->h_open = self->g_open + n;
  self->h_all = self->h_open + n;
  self->bases = g_new0 (MtLinearFitBasis *, n);
  for (guint c = 0; c < n; c++)
    {
      self->bases[c] = mt_linear_fit_basis_new (refine->head, c, self->step);
      if (self->bases[c] == NULL)
        return FALSE;
      stride = self->bases[c]->stride;
    }
  self->without = g_new0 (float, n * stride);
  self->q_base = g_new0 (float, n * stride);
  self->q_open = g_new0 (float, n * stride);
  self->by_code = g_new0 (float, 256 * stride);
  self->alone = g_new0 (float *, n * (gsize) mt_encoded_get_n_groups (refine->encoded));
  return TRUE;
}

static void
scorer_clear (Scorer *self)
{
  for (guint c = 0; self->bases != NULL && c < self->refine->n_outputs; c++)
    mt_linear_fit_basis_free (self->bases[c]);
  g_free (self->bases);
  g_free (self->without);
  g_free (self->q_base);
  g_free (self->q_open);
  g_free (self->by_code);
  for (gsize i = 0; self->alone != NULL && i < self->refine->n_outputs * (gsize) mt_encoded_get_n_groups (self->refine->encoded); i++)
    g_free (self->alone[i]);
  g_free (self->alone);
  g_free (self->q_alone);
  g_free (self->rows);
  g_free (self->signs);
  g_free (self->zeros);
  g_free (self->g);
  g_free (self->h);
  g_free (self->g_base);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scorer, scorer_clear)

/* Rows of a basis come in whole vectors. */
typedef float Vector __attribute__ ((vector_size (64)));

MT_CLONES static void
add_row (float       *to,
         const float *from,
         gsize        n)
{
  for (gsize k = 0; k < n; k += 16)
    {
      Vector a, b;

      memcpy (&a, to + k, sizeof a);
      memcpy (&b, from + k, sizeof b);
      a += b;
      memcpy (to + k, &a, sizeof a);
    }
}

/* Σ over rows of ± a row of the basis, by code. */
MT_CLONES static void
add_rows_by_code (const guint32 *rows,
                  const gint8   *signs,
                  gsize          n_rows,
                  gsize          step,
                  const guint8  *codes,
                  const float   *basis,
                  gsize          stride,
                  float         *by_code)
{
  for (gsize i = 0; i < n_rows; i++)
    {
      const float *from = basis + rows[i] / step * stride;
      float *to = by_code + codes[rows[i]] * stride;

      for (gsize k = 0; k < stride; k += 16)
        {
          Vector a, b;

          memcpy (&a, to + k, sizeof a);
          memcpy (&b, from + k, sizeof b);
          a = signs[i] > 0 ? a + b : a - b;
          memcpy (to + k, &a, sizeof a);
        }
    }
}

/* The sums by code over the open rows, for one output and one column. */
static const float *
sum_basis (Scorer       *self,
           guint         output,
           guint         group,
           const guint8 *codes,
           guint         n_codes)
{
  gsize stride = self->bases[output]->stride;
  float **kept = &self->alone[output * (gsize) mt_encoded_get_n_groups (self->refine->encoded) + group];
  float *sums = self->by_code;

  if (self->is_alone && *kept != NULL)
    return *kept;
  if (self->is_alone)
    sums = *kept = g_new (float, n_codes * stride);
  memset (sums, 0, n_codes * stride * sizeof (float));
  add_rows_by_code (self->rows, self->signs, self->n_open, self->step, codes, self->bases[output]->rows, stride, sums);
  return sums;
}

/* --- places --- */

static MtBits256
table_of (const MtRule *rule)
{
  MtBits256 table = { { 0 } };

  memcpy (table.words, mt_rule_get_table (rule),
          mt_rule_table_words (mt_rule_get_n_inputs (rule)) * sizeof (guint64));
  return table;
}

static void
open_input (Place        *self,
            const MtRule *rule,
            guint         input)
{
  MtBits256 table = table_of (rule);
  guint n = mt_rule_get_n_inputs (rule);

  memset (self, 0, sizeof *self);
  for (guint i = 0; i < n; i++)
    if (i != input)
      self->others[self->n_others++] = mt_rule_get_inputs (rule)[i];
  for (guint v = 0; v < 1u << n; v++)
    if (mt_bits256_get (&table, v))
      mt_bits256_set (v >> input & 1 ? &self->on : &self->off, mt_without_bit (v, input));
}

static void
fill_table (MtBits256 *table,
            guint       n_inputs)
{
  for (guint v = 0; v < 1u << n_inputs; v++)
    mt_bits256_set (table, v);
}

/* @is_or: the literal to come is enough by itself; otherwise it is asked for as well. @rule NULL: it is alone. */
static void
open_beside (Place        *self,
             const MtRule *rule,
             gboolean      is_or)
{
  memset (self, 0, sizeof *self);
  if (rule != NULL)
    {
      self->n_others = mt_rule_get_n_inputs (rule);
      memcpy (self->others, mt_rule_get_inputs (rule), self->n_others * sizeof *self->others);
    }
  if (rule == NULL || is_or)
    fill_table (&self->on, self->n_others);
  else
    self->on = table_of (rule);
  if (rule != NULL && is_or)
    self->off = table_of (rule);
}

/* The rule with @literal in the place; NULL: it would be a constant, or breaks a constraint. */
static MtRefineTerm *
fill_place (MtRefine    *refine,
            const Place *self,
            guint        literal,
            gboolean     negated,
            int          sign)
{
  guint inputs[MT_REFINE_MAX_INPUTS], at = 0;
  MtBits256 table = { { 0 } };

  while (at < self->n_others && self->others[at] < literal)
    at++;
  memcpy (inputs, self->others, at * sizeof *inputs);
  inputs[at] = literal;
  memcpy (inputs + at + 1, self->others + at, (self->n_others - at) * sizeof *inputs);
  for (guint v = 0; v < 2u << self->n_others; v++)
    if (mt_bits256_get ((v >> at & 1) != (guint) negated ? &self->on : &self->off, mt_without_bit (v, at)))
      mt_bits256_set (&table, v);
  return mt_refine_term_new_rule (refine, inputs, self->n_others + 1, &table, sign);
}

static gboolean
is_other (const Place *self,
          guint        literal)
{
  for (guint i = 0; i < self->n_others; i++)
    if (self->others[i] == literal)
      return TRUE;
  return FALSE;
}

/* --- scores --- */

enum { CLOSED_OFF, CLOSED_ON, RISES, FALLS };

/* Sums over the scored rows; @patterns: of the other inputs with bit @dropped among them (G_MAXUINT: without), NULL
 * if there are none. Returns +1, -1 or 0: how the rule goes with the literal to come, 0 both ways. */
static int
sum_place (Scorer              *self,
           const MtLinearFitWithout *without,
           const Place         *place,
           const guint16       *patterns,
           guint                dropped)
{
  const MtRefine *refine = self->refine;
  guint8 kinds[2 * MT_MAX_PATTERNS];
  guint n_patterns = 1u << (place->n_others + (dropped != G_MAXUINT));
  gboolean any[4] = { FALSE };

  for (guint v = 0; v < n_patterns; v++)
    {
      guint w = dropped != G_MAXUINT ? mt_without_bit (v, dropped) : v;
      gboolean off = mt_bits256_get (&place->off, w), on = mt_bits256_get (&place->on, w);

      kinds[v] = off ? (on ? CLOSED_ON : FALLS) : (on ? RISES : CLOSED_OFF);
      any[kinds[v]] = TRUE;
    }
  self->n_open = 0;
  self->is_alone = place->n_others == 0 && any[RISES];
  for (guint c = 0; c < refine->n_outputs; c++)
    {
      const double *r = mt_linear_fit_without_get_residual (without, c), *h = mt_linear_fit_without_get_curvature (without, c);
      double *g_open = self->g + c * self->n_scored, *h_open = self->h + c * self->n_scored;
      double g[4] = { 0 }, s[4] = { 0 };
      gsize n = 0, stride = self->bases[c]->stride;
      float *q_base = self->q_base + c * stride, *q_open = self->q_open + c * stride;

      memset (q_base, 0, stride * sizeof *q_base);
      memset (q_open, 0, stride * sizeof *q_open);

      for (gsize row = 0; row < refine->n_rows; row += self->step)
        {
          guint kind = patterns != NULL ? kinds[patterns[row]] : kinds[0];

          const float *q = self->bases[c]->rows + row / self->step * stride;

          g[kind] += r[row];
          s[kind] += h[row];
          if (kind == CLOSED_ON || kind == FALLS)
            add_row (q_base, q, stride);
          if (kind < RISES)
            continue;
          self->rows[n] = (guint32) row;
          self->signs[n] = kind == RISES ? 1 : -1;
          g_open[n] = kind == RISES ? r[row] : -r[row];
          h_open[n++] = kind == RISES ? h[row] : -h[row];
        }
      self->n_open = n;
      if (self->is_alone && self->q_alone != NULL)
        memcpy (q_open, self->q_alone + c * stride, stride * sizeof *q_open);
      else
        add_rows_by_code (self->rows, self->signs, n, self->step, self->zeros, self->bases[c]->rows, stride, q_open);
      self->g_base[c] = g[CLOSED_ON] + g[FALLS];
      self->h_base[c] = s[CLOSED_ON] + s[FALLS];
      self->g_open[c] = g[RISES] - g[FALLS];
      self->h_open[c] = s[RISES] - s[FALLS];
      self->h_all[c] = s[0] + s[1] + s[2] + s[3];
    }
  if (self->is_alone && self->q_alone == NULL)
    self->q_alone = g_memdup2 (self->q_open, refine->n_outputs * self->bases[0]->stride * sizeof *self->q_alone);
  return any[RISES] ? (any[FALLS] ? 0 : 1) : -1;
}

/* May the rule have this literal, with a weight of the sign of @g? @way: as of sum_place(). */
static gboolean
is_allowed (const MtRefine *self,
            guint           literal,
            int             way,
            double          g)
{
  int direction = self->options->directions != NULL ? self->options->directions[literal] : 0;

  if (self->options->no_negation && way <= 0)
    return FALSE;
  return direction == 0 || (way != 0 && g * way * direction >= 0);
}

static void
keep_choice (Choice       *best,
             const Choice *choice)
{
  guint at = N_SHORT;

  while (at > 0 && choice->score > best[at - 1].score)
    at--;
  if (at == N_SHORT)
    return;
  memmove (best + at + 1, best + at, (N_SHORT - 1 - at) * sizeof *best);
  best[at] = *choice;
}

/* q = base + sum, or base + open - sum; gives q·q and q·without, in sixteen lanes. */
MT_CLONES static void
square_sums (const float *base,
             const float *open,
             const float *sum,
             const float *without,
             gsize        stride,
             gboolean     negated,
             float       *square,
             float       *along)
{
  Vector squares = { 0 }, alongs = { 0 };

  for (gsize k = 0; k < stride; k += 16)
    {
      Vector q, x, w;

      memcpy (&q, base + k, sizeof q);
      memcpy (&x, sum + k, sizeof x);
      memcpy (&w, without + k, sizeof w);
      if (negated)
        {
          Vector o;

          memcpy (&o, open + k, sizeof o);
          q = q + o - x;
        }
      else
        q = q + x;
      squares += q * q;
      alongs += q * w;
    }
  *square = *along = 0;
  for (guint i = 0; i < 16; i++)
    {
      *square += squares[i];
      *along += alongs[i];
    }
}

/* ½ g² / pivot of a column with these sums over the scored rows. */
static double
score_sums (const Scorer *self,
            guint         output,
            double        g,
            double        h,
            double        square,
            double        along)
{
  double ridge = mt_ridge_at (self->refine->ridge, CLAMP (h / self->h_all[output], 0, 1)) / self->step, pivot;

  /* A sample of the rows has that much less of everything: q·q goes with its square. */
  pivot = h + ridge - (square - along * along) * self->step;
  return .5 * self->step * g * g / MAX (pivot, .5 * ridge + .02 * MAX (h, 0));
}

/* The best literal of one column for the place. */
static void
score_group (Scorer      *self,
             const Place *place,
             guint        group_index,
             guint        old,
             int          way,
             Choice      *best)
{
  const MtRefine *refine = self->refine;
  const MtRefineOptions *options = refine->options;
  const MtGroup *group = &mt_encoded_get_groups (refine->encoded)[group_index];
  const guint8 *codes = mt_encoded_get_codes (refine->encoded, group_index);
  guint n_codes = mt_group_get_n_codes (group), n_outputs = refine->n_outputs;
  guint n_thresholds = group->kind == MT_GROUP_THERMOMETER ? group->n_literals - (group->has_missing ? 1 : 0) : 0;
  double by_code[256][2];
  g_autofree double *scores = g_new0 (double, 2 * group->n_literals);
  g_autofree double *first_g = g_new0 (double, 2 * group->n_literals);
  Choice choice = { 0 };

  for (guint c = 0; c < n_outputs; c++)
    {
      const double *g = self->g + c * self->n_scored, *h = self->h + c * self->n_scored;
      double above_g = 0, above_h = 0;
      gsize stride = self->bases[c]->stride;
      float above_q[MAX_STRIDE] = { 0 };
      const float *q_base = self->q_base + c * stride, *q_open = self->q_open + c * stride;

      const float *q_by_code = sum_basis (self, c, group_index, codes, n_codes);

      memset (by_code, 0, n_codes * sizeof *by_code);
      for (gsize i = 0; i < self->n_open; i++)
        {
          guint code = codes[self->rows[i]];

          by_code[code][0] += g[i];
          by_code[code][1] += h[i];
        }
      for (guint l = group->n_literals; l-- > 0;)
        {
          double sum_g, sum_h;
          const float *sum_q = q_by_code + (l + 1) * stride;

          if (l < n_thresholds)
            {
              add_row (above_q, sum_q, stride);
              sum_q = above_q;
              sum_g = above_g += by_code[l + 1][0];
              sum_h = above_h += by_code[l + 1][1];
            }
          else
            {
              sum_g = by_code[l + 1][0];
              sum_h = by_code[l + 1][1];
            }
          for (guint negated = 0; negated < 2; negated++)
            {
              double x_g = self->g_base[c] + (negated ? self->g_open[c] - sum_g : sum_g);
              double x_h = self->h_base[c] + (negated ? self->h_open[c] - sum_h : sum_h);
              float square, along;

              square_sums (q_base, q_open, sum_q, self->without + c * stride, stride, negated, &square, &along);
              scores[2 * l + negated] += score_sums (self, c, x_g, x_h, square, along);
              if (c == 0)
                first_g[2 * l + negated] = x_g;
            }
        }
    }
  for (guint i = 0; i < 2 * group->n_literals; i++)
    {
      guint literal = group->first_literal + i / 2;
      gboolean negated = i % 2;

      if (scores[i] <= choice.score || (literal == old && !negated) || is_other (place, literal) ||
          (options->banned != NULL && options->banned[literal]) ||
          !is_allowed (refine, literal, negated ? -way : way, first_g[i]))
        continue;
      /* By itself a literal and its negation are one: the weight says which. */
      if (negated && place->n_others == 0 && options->directions == NULL)
        continue;
      choice = (Choice) { FALSE, literal, negated, scores[i] };
    }
  if (choice.score > 0)
    keep_choice (best, &choice);
}

/* Does a model have the number in some shape, other than as @except? A model has a number in one shape only. */
static gboolean
has_number (const MtRefine     *self,
            guint               numeric,
            const MtRefineTerm *except)
{
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = mt_refine_get_term (self, t);

      if (term != except && term->is_numeric && mt_encoded_is_same_number (self->encoded, term->numeric, numeric))
        return TRUE;
    }
  return FALSE;
}

/* Columns that stand for themselves. */
static void
score_numeric (const MtRefine      *self,
               const MtLinearFitWithout *without,
               const MtRefineTerm  *term,
               gsize                step,
               Choice              *best)
{
  const MtRefineOptions *options = self->options;
  guint n = options->numeric_terms ? mt_encoded_get_n_numeric (self->encoded) : 0;

  for (guint u = 0; u < n && !mt_refine_is_cancelled (self); u++)
    {
      const double *x = mt_encoded_get_numeric (self->encoded, u);
      Choice choice = { TRUE, u, FALSE, 0 };

      if ((options->banned_numeric != NULL && options->banned_numeric[u]) || has_number (self, u, term) ||
          (term != NULL && term->is_numeric && term->numeric == u))
        continue;
      for (guint c = 0; c < self->n_outputs; c++)
        {
          const double *r = mt_linear_fit_without_get_residual (without, c), *h = mt_linear_fit_without_get_curvature (without, c);
          double g = 0, square = 0, mean = 0, all = 0;

          for (gsize row = 0; row < self->n_rows; row += step)
            {
              g += x[row] * r[row];
              square += x[row] * x[row] * h[row];
              mean += x[row] * h[row];
              all += h[row];
            }
          if (options->numeric_directions != NULL && g * options->numeric_directions[u] < 0)
            continue;
          choice.score += .5 * step * g * g / (MAX (square - mean * mean / all, 0) + mt_ridge_at (self->ridge, .5) / step);
        }
      if (choice.score > 0)
        keep_choice (best, &choice);
    }
}

/* --- the best of a place --- */

typedef struct {
  MtRefineTerm *term;     /* NULL: none */
  double        gain;     /* beside the fit without what it replaces */
} Found;

/* Asks the short list. @term: what the place is in, NULL: nothing; @max_cost: literals that it may take. */
static void
ask_choices (MtRefine            *self,
             const MtLinearFitWithout *without,
             const Place         *place,
             const Choice        *best,
             const MtRefineTerm  *term,
             guint                max_cost,
             Found               *found)
{
  for (guint i = 0; i < N_SHORT && best[i].score > 0 && !mt_refine_is_cancelled (self); i++)
    {
      double gain;
      g_autofree double *gradient = g_new (double, self->n_outputs);
      MtRefineTerm *new = best[i].is_numeric
        ? mt_refine_term_new_numeric (self, best[i].literal)
        : fill_place (self, place, best[i].literal, best[i].negated, 0);

      if (new == NULL)
        continue;
      gain = mt_linear_fit_without_get_gain (without, mt_refine_term_get_column (self, new), gradient);
      if (new->cost <= max_cost && gain > found->gain && gradient[0] * new->sign >= 0 &&
          (new->is_numeric || !mt_refine_has_column (self, new, term)))
        {
          mt_refine_term_free (found->term);
          *found = (Found) { new, gain };
        }
      else
        mt_refine_term_free (new);
    }
}

static void
search_place (Scorer              *self,
              const MtLinearFitWithout *without,
              const Place         *place,
              MtRefineTerm        *term,
              guint                index,
              guint                dropped,
              guint                old,
              guint                max_cost,
              Found               *found)
{
  MtRefine *refine = self->refine;
  Choice best[N_SHORT + 1] = { 0 };
  const guint16 *patterns = NULL;
  int way;

  if (term != NULL && term->rule != NULL && place->n_others > 0)
    {
      mt_refine_term_ensure_patterns (refine, term);
      patterns = term->patterns;
    }
  for (guint c = 0; c < refine->n_outputs; c++)
    mt_linear_fit_basis_fill_without (self->bases[c], index, self->without + c * self->bases[c]->stride);
  way = sum_place (self, without, place, patterns, patterns != NULL ? dropped : G_MAXUINT);
  for (guint g = 0; g < mt_encoded_get_n_groups (refine->encoded) && !mt_refine_is_cancelled (refine); g++)
    score_group (self, place, g, old, way, best);
  if (place->n_others == 0)
    score_numeric (refine, without, term, self->step, best);
  ask_choices (refine, without, place, best, term, max_cost, found);
}

/* --- exchanging --- */

double
mt_refine_get_least_gain (MtRefine *self)
{
  double luck = self->options->chance *
    mt_interaction_scan_get_dispersion (self->encoded, self->head, self->n_outputs) *
    mt_interaction_scan_luck_of_best (MAX (mt_encoded_get_n_literals (self->encoded), 1), 1, self->n_outputs);

  return MAX (LEAST_SHARE * mt_linear_fit_get_loss (self->head), luck);
}

static guint
index_of (const MtRefine     *self,
          const MtRefineTerm *term)
{
  guint index = G_MAXUINT;

  g_ptr_array_find (self->terms, term, &index);
  return index;
}

static gboolean
refit (MtRefine  *self,
       GError   **error)
{
  return mt_refine_fit_head (self, 50, mt_refine_tolerance (self->head), FALSE, self->cancellable, error);
}

gboolean
mt_refine_take_if_better (MtRefine      *self,
                          guint          index,
                          MtRefineTerm  *new,
                          double         least,
                          gboolean      *taken,
                          GError       **error)
{
  double before = mt_linear_fit_get_objective (self->head);
  MtRefineTerm *old = index < self->terms->len ? mt_refine_take_term (self, index) : NULL;
  guint n_terms = self->terms->len + 1;

  mt_refine_add_term (self, new);
  *taken = FALSE;
  if (!refit (self, error))
    {
      mt_refine_term_free (old);
      return FALSE;
    }
  if (self->terms->len == n_terms && mt_linear_fit_get_objective (self->head) < before - .5 * least)
    {
      *taken = TRUE;
      mt_refine_term_free (old);
      return TRUE;
    }
  index = index_of (self, new);
  if (index != G_MAXUINT)
    mt_refine_remove_term (self, index);
  if (old != NULL)
    mt_refine_add_term (self, old);
  return refit (self, error);
}

/* Every place of the term: the best other literal. */
static void
search_term (Scorer       *self,
             MtRefineTerm *term,
             guint         index,
             Found        *found,
             double       *cost)
{
  g_autoptr (MtLinearFitWithout) without = mt_linear_fit_without_new (self->refine->head, index);
  Place place;

  *cost = 0;
  if (without == NULL)
    return;
  *cost = mt_linear_fit_without_get_cost (without);
  if (term->rule == NULL)
    {
      open_beside (&place, NULL, FALSE);
      search_place (self, without, &place, term, index, G_MAXUINT, G_MAXUINT, 1, found);
      return;
    }
  for (guint i = 0; i < mt_rule_get_n_inputs (term->rule) && !mt_refine_is_cancelled (self->refine); i++)
    {
      open_input (&place, term->rule, i);
      search_place (self, without, &place, term, index, i, mt_rule_get_inputs (term->rule)[i], term->cost, found);
    }
}

gboolean
mt_refine_exchange (MtRefine  *self,
                    guint     *n_changed,
                    GError   **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_auto (Scorer) scorer = { 0 };

  if (self->terms->len + 1 > MAX_STRIDE || !scorer_init (&scorer, self))
    return TRUE;
  for (guint t = 0; t < self->terms->len; t++)
    g_ptr_array_add (terms, mt_refine_get_term (self, t));
  for (guint t = 0; t < terms->len && !mt_refine_is_cancelled (self); t++)
    {
      guint index = index_of (self, terms->pdata[t]);
      double least = mt_refine_get_least_gain (self), cost;
      gboolean taken = FALSE;
      Found found = { NULL, 0 };

      if (index == G_MAXUINT)
        continue;
      search_term (&scorer, terms->pdata[t], index, &found, &cost);
      if (found.term != NULL && found.gain > cost + least)
        {
          if (!mt_refine_take_if_better (self, index, mt_refine_term_change (found.term, terms->pdata[t], MT_CHANGED_BY_EXCHANGE),
                                         least, &taken, error))
            return FALSE;
          *n_changed += taken;
              /* The columns are others now. */
          scorer_clear (&scorer);
          scorer = (Scorer) { 0 };
          if (!scorer_init (&scorer, self))
            return TRUE;
        }
      else
        mt_refine_term_free (found.term);
    }
  return TRUE;
}

/* --- lengthening --- */

typedef struct {
  MtRefineTerm *old;       /* NULL: a term more */
  MtRefineTerm *new;
  double        net;
} Longer;

static int
compare_longer (gconstpointer a,
                gconstpointer b)
{
  const Longer *p = a, *q = b;

  return p->net > q->net ? -1 : p->net < q->net;
}

/* The literal more that a term gains most by. */
static void
search_longer (Scorer *scorer,
               guint   index,
               GArray *list)
{
  MtRefine *self = scorer->refine;
  MtRefineTerm *term = index < self->terms->len ? mt_refine_get_term (self, index) : NULL;
  g_autoptr (MtLinearFitWithout) without = mt_linear_fit_without_new (self->head, term != NULL ? index : MT_LINEAR_FIT_NO_COLUMN);
  Found found = { NULL, 0 };
  Longer longer = { term, NULL, 0 };
  Place place;

  if (without == NULL)
    return;
  if (term == NULL)
    {
      open_beside (&place, NULL, FALSE);
      search_place (scorer, without, &place, NULL, MT_LINEAR_FIT_NO_COLUMN, G_MAXUINT, G_MAXUINT, 1, &found);
    }
  else
    for (guint is_or = 0; is_or < 2; is_or++)
      if (is_or || mt_rule_get_n_cubes (term->rule) == 1)
        {
          open_beside (&place, term->rule, is_or);
          search_place (scorer, without, &place, term, index, G_MAXUINT, G_MAXUINT, term->cost + 1, &found);
        }
  longer.new = found.term;
  longer.net = found.gain - mt_linear_fit_without_get_cost (without);
  if (longer.new != NULL && longer.net > mt_refine_get_least_gain (self))
    g_array_append_val (list, longer);
  else
    mt_refine_term_free (longer.new);
}

/* Up to @n_more literals more where they gain most, no two in one term. Returns how many; not fitted yet. */
guint
mt_refine_lengthen (MtRefine *self,
                    guint     n_more)
{
  g_auto (Scorer) scorer = { 0 };
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Longer));
  guint n_added = 0;

  if (self->terms->len + 1 > MAX_STRIDE || !scorer_init (&scorer, self))
    return 0;
  for (guint t = 0; t <= self->terms->len && !mt_refine_is_cancelled (self); t++)
    {
      const MtRefineTerm *term = t < self->terms->len ? mt_refine_get_term (self, t) : NULL;

      if (term == NULL || (term->rule != NULL && mt_rule_get_n_inputs (term->rule) < self->options->fan_in))
        search_longer (&scorer, t, list);
    }
  g_array_sort (list, compare_longer);
  for (guint i = 0; i < list->len; i++)
    {
      const Longer *longer = &g_array_index (list, Longer, i);

      if (n_added == n_more ||
          (longer->new->is_numeric ? has_number (self, longer->new->numeric, longer->old)
                                   : mt_refine_has_column (self, longer->new, longer->old)))
        {
          mt_refine_term_free (longer->new);
          continue;
        }
      mt_refine_term_change (longer->new, longer->old, MT_CHANGED_BY_EXCHANGE);
      if (longer->old != NULL)
        mt_refine_remove_term (self, index_of (self, longer->old));
      mt_refine_add_term (self, longer->new);
      n_added++;
    }
  return n_added;
}
