/* A sharper bound for the few matrices on which prices of rows leave a gap: linear programming with cuts.
 *
 * The relaxation of the cover, min c·x with A x ≥ b and x ≥ 0, is solved through its dual,
 *
 *   max b·u   with  Aᵀu + s = c,  u ≥ 0, s ≥ 0,
 *
 * by the primal simplex method (mt-qmc-simplex.c), which goes on from where it was when there are inequalities more.
 *
 * Inequalities are the rows and, round by round, cuts: for a set S of inequalities
 *
 *   Σ_j ⌈½ Σ_{i∈S} a_ij⌉ x_j ≥ ⌈½ Σ_{i∈S} b_i⌉
 *
 * holds for whole numbers x. With an odd right side it is violated by x if the slacks of S and the x_j with odd
 * sums come to less than 1. Such sets are looked for by elimination modulo 2, largest x_j first, each by the
 * inequality with the least slack (Koster, Zymolka and Kutschka; a heuristic).
 *
 * Floating point only proposes: the prices u are rounded to whole numbers and the bound is computed from them as
 * in mt-qmc-bound.c, exactly, with cuts that are whole numbers, too. A bad solution gives a weak bound, never a
 * wrong one. On the tables that need it the first node mostly suffices.
 *
 * Which tables need it: those that depend on the number of true inputs, are not monotone, and have some scattered
 * don't-cares. Drawn at random, without this file and within 3·10⁸ steps (about 3 s), 12 of 500 such tables of 7 inputs
 * and 11 of 150 of 8 inputs were not proven; with it all of them were, in 0.19 s at most. Of 48,000 random and threshold
 * tables of 6 to 8 inputs none needed it. docs/minimizer.md tells how they were drawn. */
#include "config.h"
#include "mt-qmc-simplex.h"

#include <math.h>
#include <string.h>

#define UNIT            ((gint64) 1 << 20)
#define UNIT_OF_BOUND   4096      /* of MtQmcBound's reduced costs */
#define MOST_ROUNDS     150
#define PURGE_EVERY     5
#define LEAST_VIOLATION 1e-4

typedef MtQmcProgram Program;
typedef MtQmcEntry Entry;

#define FIRST MT_QMC_FIRST
#define ENTRY MT_QMC_ENTRY
#define RHS   MT_QMC_RHS
#define BASIC MT_QMC_BASIC

/* The bound that the present prices prove, in whole numbers. */
static void
evaluate (Program *p)
{
  gint64 sum = 0;

  for (guint j = 0; j < p->n_vars; j++)
    p->reduced[j] = p->cost[j] * UNIT;
  for (guint k = 0; k < p->n_vars; k++)
    {
      gint32 ineq = p->basis[k];
      gint64 price;

      if (ineq < 0 || !(p->level[k] > 0))
        continue;
      price = (gint64) (p->level[k] * (double) UNIT);
      sum += price * RHS (p, ineq);
      for (guint e = FIRST (p, ineq); e < FIRST (p, ineq + 1); e++)
        p->reduced[ENTRY (p, e).var] -= price * ENTRY (p, e).coef;
    }
  for (guint j = 0; j < p->n_vars; j++)
    if (!p->struck[j])
      sum += MIN (0, p->reduced[j]);
  if (sum > p->best)
    {
      p->best = sum;
      memcpy (p->best_reduced, p->reduced, p->n_vars * sizeof (gint64));
    }
}

/* Columns with which every cover costs more than @most are of no use. */
static void
strike_out (Program *p,
            gint64   most)
{
  for (guint j = 0; j < p->n_vars; j++)
    if (p->slack_basic[j] && p->best + p->best_reduced[j] > most)
      p->struck[j] = TRUE;
}

/* Largest x first; equal ones by number, so that the order does not depend on the sort. */
static int
compare_vars (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const double *x = data;
  guint i = *(const guint *) a, j = *(const guint *) b;

  return x[i] != x[j] ? (x[i] > x[j] ? -1 : 1) : i < j ? -1 : 1;
}

/* A cover by x: columns in its order that cover something new, without those that became superfluous. Replaces
 * the best one if it is cheaper. */
static void
round_to_cover (Program     *p,
                MtQmcChoice *best)
{
  const MtQmcMatrix *m = p->m;
  g_autofree guint *order = g_new (guint, p->n_vars);
  g_autofree guint *times = g_new0 (guint, m->n_rows);
  g_autofree guint8 *chosen = g_new0 (guint8, p->n_vars);
  guint n_open = m->n_rows;
  MtQmcCost cost = 0;

  for (guint j = 0; j < p->n_vars; j++)
    order[j] = j;
  g_qsort_with_data (order, (gint) p->n_vars, sizeof (guint), compare_vars, p->x);
  for (guint i = 0; i < p->n_vars && n_open > 0; i++)
    {
      const guint64 *rows = m->col_rows + order[i] * m->row_words;
      guint n_new = 0;

      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        n_new += times[r] == 0;
      if (n_new == 0)
        continue;
      n_open -= n_new;
      chosen[order[i]] = TRUE;
      cost += MT_QMC_COST (m->literals[order[i]]);
      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        times[r]++;
    }
  for (guint i = p->n_vars; i-- > 0;)
    {
      const guint64 *rows = m->col_rows + order[i] * m->row_words;
      gboolean needed = FALSE;

      if (!chosen[order[i]])
        continue;
      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        needed |= times[r] == 1;
      if (needed)
        continue;
      chosen[order[i]] = FALSE;
      cost -= MT_QMC_COST (m->literals[order[i]]);
      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        times[r]--;
    }
  if (n_open > 0 || cost >= best->cost)
    return;
  best->cost = cost;
  best->n_ids = 0;
  for (guint j = 0; j < p->n_vars; j++)
    if (chosen[j])
      best->ids[best->n_ids++] = m->ids[j];
}

/* --- cuts --- */

/* The state of the elimination modulo 2. A row is a sum of inequalities (itself at first, then others added to
 * it), of which only the parity of each coefficient and of the right side is kept; a column is a variable with x >
 * 0. Inequalities with a slack of 1 or more are left out: no violated cut can contain one. */
typedef struct {
  guint    n_rows, n_cols;
  gsize    row_words, col_words;
  guint   *ineqs;     /* n_rows: those with a slack below 1 */
  guint   *vars;      /* n_cols: those with x > 0, largest first */
  double  *slack;     /* n_rows: of the sums */
  double  *own_slack;
  guint64 *odd;       /* n_rows × col_words: odd coefficients of the sums */
  guint64 *sums;      /* n_rows × row_words: of which inequalities */
  guint8  *odd_rhs;
  guint8  *used;      /* as a pivot */
} Parities;

/* A violated cut. Those of few inequalities are the stronger ones. */
typedef struct {
  double   rank;
  guint64 *sum;
} Found;

static void
found_clear (gpointer data)
{
  g_free (((Found *) data)->sum);
}

static int
compare_found (gconstpointer a,
               gconstpointer b,
               gpointer      words)
{
  const Found *one = a, *two = b;

  if (one->rank != two->rank)
    return one->rank > two->rank ? -1 : 1;
  return memcmp (one->sum, two->sum, GPOINTER_TO_SIZE (words) * sizeof (guint64));
}

/* Variables are ordered by x, largest first. The elimination makes the coefficients of the first columns even, so
 * that what is left of a sum's odd coefficients falls on variables with small x, which is what a violated cut
 * needs. */
static void
parities_init (Parities      *q,
               const Program *p)
{
  g_autofree guint *column_of = g_new (guint, p->n_vars);

  memset (q, 0, sizeof *q);
  q->ineqs = g_new (guint, p->n_ineqs);
  q->vars = g_new (guint, p->n_vars);
  q->own_slack = g_new (double, p->n_ineqs);
  for (guint i = 0; i < p->n_ineqs; i++)
    {
      double slack = MAX (0, -mt_qmc_program_violation (p, i));

      if (slack < 1 - LEAST_VIOLATION)
        {
          q->own_slack[q->n_rows] = slack;
          q->ineqs[q->n_rows++] = i;
        }
    }
  for (guint j = 0; j < p->n_vars; j++)
    if (p->x[j] > 1e-7)
      q->vars[q->n_cols++] = j;
  g_qsort_with_data (q->vars, (gint) q->n_cols, sizeof (guint), compare_vars, p->x);
  memset (column_of, 0xff, p->n_vars * sizeof (guint));
  for (guint c = 0; c < q->n_cols; c++)
    column_of[q->vars[c]] = c;

  q->row_words = (q->n_rows + 63) / 64;
  q->col_words = (q->n_cols + 63) / 64;
  q->slack = g_memdup2 (q->own_slack, q->n_rows * sizeof (double));
  q->odd = g_new0 (guint64, q->n_rows * q->col_words + 1);
  q->sums = g_new0 (guint64, q->n_rows * q->row_words + 1);
  q->odd_rhs = g_new (guint8, q->n_rows + 1);
  q->used = g_new0 (guint8, q->n_rows + 1);
  for (guint r = 0; r < q->n_rows; r++)
    {
      guint ineq = q->ineqs[r];

      mt_qmc_set_put_in (q->sums + r * q->row_words, r);
      q->odd_rhs[r] = RHS (p, ineq) & 1;
      for (guint e = FIRST (p, ineq); e < FIRST (p, ineq + 1); e++)
        if ((ENTRY (p, e).coef & 1) && column_of[ENTRY (p, e).var] != G_MAXUINT)
          mt_qmc_set_put_in (q->odd + r * q->col_words, column_of[ENTRY (p, e).var]);
    }
}

static void
parities_clear (Parities *q)
{
  g_free (q->ineqs);
  g_free (q->vars);
  g_free (q->slack);
  g_free (q->own_slack);
  g_free (q->odd);
  g_free (q->sums);
  g_free (q->odd_rhs);
  g_free (q->used);
}

/* The x of the odd coefficients. */
static double
odd_weight (const Parities *q,
            const Program  *p,
            guint           row)
{
  double sum = 0;

  MT_QMC_FOR_EACH (c, q->odd[row * q->col_words + c_w], q->col_words)
    sum += p->x[q->vars[c]];
  return sum;
}

static guint
count (const guint64 *set,
       gsize          n_words)
{
  guint n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (guint) __builtin_popcountll (set[w]);
  return n;
}

/* The cut of a sum is violated if its right side is odd and the slacks of the sum plus the x of its odd
 * coefficients stay below 1. The rank prefers cuts far from satisfied and made of few inequalities: violation over
 * the root of their number. */
static void
note_if_violated (const Parities *q,
                  const Program  *p,
                  guint           row,
                  GArray         *found)
{
  const guint64 *sums = q->sums + row * q->row_words;
  double sum;

  if (!q->odd_rhs[row] || (sum = q->slack[row] + odd_weight (q, p, row)) >= 1 - LEAST_VIOLATION)
    return;
  {
    Found one = { (1 - sum) / sqrt (count (sums, q->row_words)), g_memdup2 (sums, q->row_words * sizeof (guint64)) };

    g_array_append_val (found, one);
  }
}

/* Adds row @from to row @to, modulo 2. An inequality that would be in the sum twice leaves it (exclusive or), so
 * the slack is summed again over those that are left, rather than added. */
static void
add_row (Parities *q,
         guint     to,
         guint     from)
{
  for (gsize w = 0; w < q->col_words; w++)
    q->odd[to * q->col_words + w] ^= q->odd[from * q->col_words + w];
  q->slack[to] = 0;
  for (gsize w = 0; w < q->row_words; w++)
    q->sums[to * q->row_words + w] ^= q->sums[from * q->row_words + w];
  MT_QMC_FOR_EACH (r, q->sums[to * q->row_words + r_w], q->row_words)
    q->slack[to] += q->own_slack[r];
  q->odd_rhs[to] ^= q->odd_rhs[from];
}

/* Sets of inequalities whose halves, rounded up, the present x violates. */
static void
eliminate (Parities      *q,
           const Program *p,
           GArray        *found)
{
  for (guint r = 0; r < q->n_rows; r++)
    note_if_violated (q, p, r, found);
  for (guint c = 0; c < q->n_cols; c++)
    {
      guint by = G_MAXUINT;
      double least = 0;

      for (guint r = 0; r < q->n_rows; r++)
        if (!q->used[r] && q->slack[r] < 1 && mt_qmc_set_has (q->odd + r * q->col_words, c) &&
            (by == G_MAXUINT || q->slack[r] <= q->slack[by]))
          {
            double weight = odd_weight (q, p, r);

            if (by == G_MAXUINT || q->slack[r] < q->slack[by] || weight < least)
              {
                by = r;
                least = weight;
              }
          }
      if (by == G_MAXUINT)
        continue;
      for (guint r = 0; r < q->n_rows; r++)
        if (r != by && !q->used[r] && q->slack[r] < 1 && mt_qmc_set_has (q->odd + r * q->col_words, c))
          {
            add_row (q, r, by);
            note_if_violated (q, p, r, found);
          }
      q->used[by] = TRUE;
      mt_qmc_meter_spend (p->meter, q->n_rows);
    }
}

/* The cut itself, in whole numbers: the inequalities of the sum are added up, each coefficient and the right side
 * is halved and rounded up. Valid for every cover in whole numbers, since the left side then is a whole number at
 * least half of the right side. */
static void
add_cut (Program        *p,
         const Parities *q,
         const guint64  *sum)
{
  g_autofree gint32 *coefs = g_new0 (gint32, p->n_vars);
  g_autofree Entry *row = g_new (Entry, p->n_vars);
  gint32 rhs = 0;
  guint n = 0;

  MT_QMC_FOR_EACH (r, sum[r_w], q->row_words)
    {
      guint ineq = q->ineqs[r];

      rhs += RHS (p, ineq);
      for (guint e = FIRST (p, ineq); e < FIRST (p, ineq + 1); e++)
        coefs[ENTRY (p, e).var] += ENTRY (p, e).coef;
    }
  for (guint j = 0; j < p->n_vars; j++)
    if (coefs[j] > 0)
      row[n++] = (Entry) { j, (coefs[j] + 1) / 2 };
  mt_qmc_program_add (p, row, n, (rhs + 1) / 2);
}

/* FALSE when no cut is violated. */
static gboolean
add_cuts (Program *p)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  const guint64 *last = NULL;
  guint n_added = 0;
  Parities q;

  g_array_set_clear_func (found, found_clear);
  parities_init (&q, p);
  eliminate (&q, p, found);
  g_array_sort_with_data (found, compare_found, GSIZE_TO_POINTER (q.row_words));
  for (guint i = 0; i < found->len && n_added < p->most_cuts; i++)
    {
      const guint64 *sum = g_array_index (found, Found, i).sum;

      if (last != NULL && memcmp (sum, last, q.row_words * sizeof (guint64)) == 0)
        continue;
      add_cut (p, &q, sum);
      last = sum;
      n_added++;
    }
  parities_clear (&q);
  return n_added > 0;
}

/* Drops the cuts that the present solution is far from. */
static void
purge (Program *p)
{
  g_autofree gint32 *number = g_new (gint32, p->n_ineqs);
  guint n = 0, n_entries = 0;

  for (guint i = 0; i < p->n_ineqs; i++)
    {
      guint from = FIRST (p, i), to = FIRST (p, i + 1);

      number[i] = -1;
      if (i >= p->m->n_rows && !BASIC (p, i) && mt_qmc_program_violation (p, i) < -0.1)
        continue;
      number[i] = (gint32) n;
      memmove (&ENTRY (p, n_entries), &ENTRY (p, from), (to - from) * sizeof (Entry));
      FIRST (p, n) = n_entries;
      RHS (p, n) = RHS (p, i);
      BASIC (p, n) = BASIC (p, i);
      n_entries += to - from;
      n++;
    }
  FIRST (p, n) = n_entries;
  g_array_set_size (p->first, n + 1);
  g_array_set_size (p->entries, n_entries);
  g_array_set_size (p->rhs, n);
  g_array_set_size (p->is_basic, n);
  p->n_ineqs = n;
  for (guint k = 0; k < p->n_vars; k++)
    if (p->basis[k] >= 0)
      p->basis[k] = number[p->basis[k]];
}

/* Raises the bound above @goal, if cuts can. A cover of interest costs no more than that; one cheaper than
 * @cutoff ends the work. */
static void
raise_bound (Program     *p,
             gint64       goal,
             MtQmcCost    cutoff,
             MtQmcChoice *best)
{
  gint64 last = G_MININT64 / 4, purged_at = last;
  guint since = 0;

  for (guint round = 0; round < MOST_ROUNDS; round++)
    {
      gboolean solved = mt_qmc_program_solve (p);

      evaluate (p);
      round_to_cover (p, best);
      if (!solved || p->best > goal || best->cost < cutoff || p->meter->exhausted)
        return;
      strike_out (p, goal);
      if (p->best > last + UNIT / 64)
        {
          last = p->best;
          since = 0;
        }
      else if (++since == p->patience)
        return;
      /* While the bound stands still, cuts that one solution keeps clear of are what forbids another. */
      if (round % PURGE_EVERY == PURGE_EVERY - 1 && p->best > purged_at + UNIT / 64)
        {
          purge (p);
          purged_at = p->best;
        }
      if (!add_cuts (p))
        return;
    }
}

/* From UNITs to whole literals: a bound of 10.2 means that a cover has at least 11. */
static gint64
round_up (gint64 value)
{
  return (value + UNIT - 1) / UNIT;
}

/* Two programs, one after the other, over the same inequalities, as in mt-qmc-bound.c: first with
 * the literals as costs, and, if that bound comes up to the cutoff's literals and terms can still
 * be saved, with literals + 1, which bounds literals and terms together. The cuts found for the
 * first hold for the second too, since they do not depend on the costs.
 *
 * If it is known already that no cover has fewer literals (meter->literals_known), only the second
 * is solved.
 *
 * Numbers: the bound of the first, rounded up, replaces the literals of bound->bound; the second,
 * less the literals, gives the terms. A column is struck out when every cover with it is too dear;
 * p.struck remembers this for both programs. bound->reduced is converted to the UNIT of
 * mt-qmc-bound.c, because the search sorts its branches by it. */
void
mt_qmc_cuts_sharpen (const MtQmcMatrix *matrix,
                     MtQmcCost          cutoff,
                     guint              most_cuts,
                     MtQmcBound        *bound,
                     MtQmcMeter        *meter)
{
  gint64 limit = (gint64) (cutoff >> 16), n_terms = (gint64) (cutoff & 0xffff);
  gint64 literals = limit, least_terms = 0;
  Program p;

  /* Cheaper than the cutoff: fewer literals than `limit`, or as many and less than `n_terms`. More terms than rows
   * are no limit at all. */
  if (n_terms > matrix->n_rows)
    {
      limit++;
      n_terms = 0;
    }
  if (meter->literals_known && n_terms == 0)
    {
      bound->bound = MAX (bound->bound, cutoff);
      return;
    }
  mt_qmc_program_init (&p, matrix, meter);
  p.most_cuts = most_cuts;
  p.patience = 7 + most_cuts / 5;
  if (!meter->literals_known)
    {
      mt_qmc_program_start (&p, 0);
      raise_bound (&p, (n_terms == 0 ? limit - 1 : limit) * UNIT, cutoff, &bound->best);
      literals = round_up (p.best);
      for (guint c = 0; c < matrix->n_cols; c++)
        bound->reduced[c] = (gint32) CLAMP (p.best_reduced[c] / (UNIT / UNIT_OF_BOUND), G_MININT32, G_MAXINT32);
    }
  if (literals == limit && n_terms > 0 && bound->best.cost >= cutoff && !meter->exhausted)
    {
      mt_qmc_program_start (&p, 1);
      raise_bound (&p, (limit + n_terms - 1) * UNIT, cutoff, &bound->best);
      least_terms = CLAMP (round_up (p.best) - limit, 0, n_terms);
    }
  for (guint c = 0; c < matrix->n_cols; c++)
    if (p.struck[c])
      mt_qmc_set_take_out (bound->kept, c);
  bound->bound = MAX (bound->bound, (MtQmcCost) MAX (0, literals) << 16 | (MtQmcCost) least_terms);
  mt_qmc_program_clear (&p);
}
