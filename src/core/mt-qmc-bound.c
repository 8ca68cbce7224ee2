/* How cheap can a cover be, and a cheap one: Lagrangian relaxation of the covering problem.
 *
 * With a price u_r ≥ 0 on each row, a column of cost c_j has the reduced cost
 * c̃_j = c_j − Σ_{r ∈ j} u_r, and every cover costs at least
 *
 *   L(u) = Σ_r u_r + Σ_j min (0, c̃_j).
 *
 * Prices start by dual ascent (each row, hardest first, takes what its columns have left: then
 * all c̃ ≥ 0 and L is their sum) and move along the subgradient 1 − #{j ∋ r : c̃_j < 0}. Costs
 * are whole numbers, so L rounds up. A column with L + c̃_j beyond the cutoff is in no cover of
 * interest and is struck out. The reduced costs also guide a greedy cover, made now and then.
 *
 * The objective is literals, then terms. One relaxation for a weighted sum would have to close
 * its gap to less than one term. Instead two are made: of the literals; and, once these reach
 * the cutoff, of literals + terms, which then bounds the terms. */
#include "config.h"
#include "mt-qmc-private.h"

#include <math.h>
#include <string.h>

/* Above the rounding error of a sum of some thousand prices, far below one literal. */
#define EPSILON 1e-6

typedef struct {
  const MtQmcMatrix *m;
  guint32           *first;      /* n_cols + 1: where each column's rows begin in `entries` */
  guint32           *entries;
  guint32           *order;      /* rows by number of columns, hardest first */
  double            *cost;       /* n_cols */
  double            *price;      /* n_rows */
  double            *reduced;    /* n_cols, of the present prices */
  double            *best_reduced;
  double             best;       /* largest L(u) met */
  gint32            *excess;     /* n_rows: times covered */
  guint64           *covered;    /* row_words */
  guint32           *selected;   /* columns of the greedy cover */
  gpointer           memory;
} Relaxation;

static int
by_count (gconstpointer a,
          gconstpointer b,
          gpointer      counts)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  const guint32 *n = counts;

  if (n[i] != n[j])
    return n[i] < n[j] ? -1 : 1;
  return i < j ? -1 : 1;
}

static void
relaxation_init (Relaxation        *rel,
                 const MtQmcMatrix *m)
{
  guint n_entries = 0;
  g_autofree guint32 *counts = g_new0 (guint32, m->n_rows);
  char *memory;

  for (guint c = 0; c < m->n_cols; c++)
    for (gsize w = 0; w < m->row_words; w++)
      n_entries += (guint) __builtin_popcountll (m->col_rows[c * m->row_words + w]);

  rel->m = m;
  rel->memory = memory = g_malloc ((3 * m->n_cols + m->n_rows) * sizeof (double) +
                                   m->row_words * sizeof (guint64) +
                                   (2 * m->n_cols + 1 + n_entries + 2 * m->n_rows) * sizeof (guint32));
  rel->cost = (double *) (gpointer) memory;
  rel->reduced = rel->cost + m->n_cols;
  rel->best_reduced = rel->reduced + m->n_cols;
  rel->price = rel->best_reduced + m->n_cols;
  rel->covered = (guint64 *) (gpointer) (rel->price + m->n_rows);
  rel->first = (guint32 *) (gpointer) (rel->covered + m->row_words);
  rel->selected = rel->first + m->n_cols + 1;
  rel->entries = rel->selected + m->n_cols;
  rel->order = rel->entries + n_entries;
  rel->excess = (gint32 *) (rel->order + m->n_rows);

  n_entries = 0;
  for (guint c = 0; c < m->n_cols; c++)
    {
      const guint64 *rows = m->col_rows + c * m->row_words;

      rel->first[c] = n_entries;
      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        {
          rel->entries[n_entries++] = (guint32) r;
          counts[r]++;
        }
    }
  rel->first[m->n_cols] = n_entries;
  for (guint r = 0; r < m->n_rows; r++)
    rel->order[r] = r;
  g_qsort_with_data (rel->order, (int) m->n_rows, sizeof (guint32), by_count, counts);
}

static void
dual_ascent (Relaxation *rel)
{
  const MtQmcMatrix *m = rel->m;
  double sum = 0;

  memcpy (rel->reduced, rel->cost, m->n_cols * sizeof (double));
  for (guint i = 0; i < m->n_rows; i++)
    {
      guint row = rel->order[i];
      const guint64 *cols = m->row_cols + row * m->col_words;
      double slack = G_MAXDOUBLE;

      MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
        slack = MIN (slack, rel->reduced[c]);
      rel->price[row] = slack;
      sum += slack;
      if (slack > 0)
        MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
          rel->reduced[c] -= slack;
    }
  rel->best = sum;
  memcpy (rel->best_reduced, rel->reduced, m->n_cols * sizeof (double));
}

/* One step from the present prices and reduced costs; FALSE when the prices are optimal. */
static gboolean
subgradient_step (Relaxation *rel,
                  double      target,
                  double      pace,
                  double      value)
{
  const MtQmcMatrix *m = rel->m;
  double norm = 0, step;

  for (guint r = 0; r < m->n_rows; r++)
    rel->excess[r] = -1;
  for (guint c = 0; c < m->n_cols; c++)
    if (rel->reduced[c] < 0)
      for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
        rel->excess[rel->entries[e]]++;
  for (guint r = 0; r < m->n_rows; r++)
    if (rel->excess[r] < 0 || (rel->excess[r] > 0 && rel->price[r] > 0))
      norm += (double) rel->excess[r] * rel->excess[r];
  if (norm == 0)
    return FALSE;
  step = pace * (target - value) / norm;
  for (guint r = 0; r < m->n_rows; r++)
    if (rel->excess[r] != 0)
      rel->price[r] = MAX (0, rel->price[r] - step * rel->excess[r]);
  return TRUE;
}

/* L(u) at the present prices; remembers the best. */
static double
evaluate (Relaxation *rel)
{
  const MtQmcMatrix *m = rel->m;
  double sum = 0;

  for (guint r = 0; r < m->n_rows; r++)
    sum += rel->price[r];
  for (guint c = 0; c < m->n_cols; c++)
    {
      double reduced = rel->cost[c];

      for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
        reduced -= rel->price[rel->entries[e]];
      rel->reduced[c] = reduced;
      sum += MIN (0, reduced);
    }
  if (sum > rel->best)
    {
      rel->best = sum;
      memcpy (rel->best_reduced, rel->reduced, m->n_cols * sizeof (double));
    }
  return sum;
}

static guint
count_new (const guint64 *rows,
           const guint64 *covered,
           gsize          n_words)
{
  guint n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (guint) __builtin_popcountll (rows[w] & ~covered[w]);
  return n;
}

/* A cover by reduced cost: the columns that cost nothing, then for each open row, hardest
 * first, its column with the least reduced cost for each row gained; what became superfluous
 * goes again, dearest first. Replaces @best when it is cheaper. */
static void
greedy_cover (Relaxation  *rel,
              MtQmcChoice *best)
{
  const MtQmcMatrix *m = rel->m;
  guint n = 0, n_left = 0, dearest = 0;
  MtQmcCost cost = 0;

  memset (rel->covered, 0, m->row_words * sizeof (guint64));
  for (guint c = 0; c < m->n_cols; c++)
    if (rel->reduced[c] <= EPSILON &&
        count_new (m->col_rows + c * m->row_words, rel->covered, m->row_words) > 0)
      {
        rel->selected[n++] = c;
        for (gsize w = 0; w < m->row_words; w++)
          rel->covered[w] |= m->col_rows[c * m->row_words + w];
      }
  for (guint i = 0; i < m->n_rows; i++)
    {
      guint row = rel->order[i], choice = G_MAXUINT;
      const guint64 *cols = m->row_cols + row * m->col_words;
      double least = 0;

      if (mt_qmc_set_has (rel->covered, row))
        continue;
      MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
        {
          guint gain = count_new (m->col_rows + c * m->row_words, rel->covered, m->row_words);
          double rate = MAX (rel->reduced[c], EPSILON) / gain;

          if (choice == G_MAXUINT || rate < least)
            {
              choice = (guint) c;
              least = rate;
            }
        }
      rel->selected[n++] = choice;
      for (gsize w = 0; w < m->row_words; w++)
        rel->covered[w] |= m->col_rows[choice * m->row_words + w];
    }

  memset (rel->excess, 0, m->n_rows * sizeof (gint32));
  for (guint i = 0; i < n; i++)
    {
      guint c = rel->selected[i];

      dearest = MAX (dearest, m->literals[c]);
      for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
        rel->excess[rel->entries[e]]++;
    }
  for (guint literals = dearest; literals <= dearest; literals--)
    for (guint i = 0; i < n; i++)
      {
        guint c = rel->selected[i];
        gboolean needed = FALSE;

        if (c == G_MAXUINT || m->literals[c] != literals)
          continue;
        for (guint e = rel->first[c]; e < rel->first[c + 1] && !needed; e++)
          needed = rel->excess[rel->entries[e]] == 1;
        if (needed)
          continue;
        for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
          rel->excess[rel->entries[e]]--;
        rel->selected[i] = G_MAXUINT;
      }

  for (guint i = 0; i < n; i++)
    if (rel->selected[i] != G_MAXUINT)
      {
        cost += MT_QMC_COST (m->literals[rel->selected[i]]);
        n_left++;
      }
  if (cost >= best->cost)
    return;
  best->cost = cost;
  best->n_ids = 0;
  for (guint i = 0; i < n; i++)
    if (rel->selected[i] != G_MAXUINT)
      best->ids[best->n_ids++] = m->ids[rel->selected[i]];
}

/* Raises L(u) towards @goal in at most @effort steps; covers met on the way go to @best. */
static void
ascend (Relaxation  *rel,
        double       goal,
        guint        effort,
        MtQmcChoice *best,
        MtQmcMeter  *meter)
{
  double pace = 1, value = rel->best;
  guint64 step_work = rel->first[rel->m->n_cols] + rel->m->n_cols + rel->m->n_rows;
  guint since = 0;

  for (guint step = 0; step < effort && rel->best <= goal - EPSILON && !meter->exhausted; step++)
    {
      double before = rel->best;

      if (!subgradient_step (rel, goal + 0.5, pace, value))
        break;
      value = evaluate (rel);
      mt_qmc_meter_spend (meter, step_work);
      if (step % 8 == 7 && best != NULL)
        greedy_cover (rel, best);
      if (rel->best > before + 0.01)
        since = 0;
      else if (++since == 4)
        {
          pace *= 0.6;
          since = 0;
          if (pace < 0.02)
            break;
        }
    }
}

void
mt_qmc_bound_compute (const MtQmcMatrix *matrix,
                      MtQmcCost          cutoff,
                      guint              effort,
                      MtQmcBound        *bound,
                      MtQmcMeter        *meter)
{
  Relaxation rel;
  double literals_bound, sum_bound = 0;
  guint64 literals, limit, n_terms;

  relaxation_init (&rel, matrix);
  bound->reduced = g_new (double, matrix->n_cols);
  bound->kept = g_new0 (guint64, matrix->col_words);
  bound->best.cost = MT_QMC_COST_MAX;
  bound->best.ids = g_new (guint32, matrix->n_cols);
  bound->best.n_ids = 0;

  for (guint c = 0; c < matrix->n_cols; c++)
    rel.cost[c] = matrix->literals[c];
  dual_ascent (&rel);
  greedy_cover (&rel, &bound->best);
  cutoff = MIN (cutoff, bound->best.cost);
  ascend (&rel, (double) (cutoff >> 16), effort, &bound->best, meter);
  cutoff = MIN (cutoff, bound->best.cost);

  /* Cheaper than the cutoff: fewer literals than `limit`, or as many and less than `n_terms`. */
  limit = cutoff >> 16;
  n_terms = cutoff & 0xffff;
  literals_bound = rel.best;
  literals = (guint64) ceil (literals_bound - EPSILON);
  bound->bound = (MtQmcCost) literals << 16 | 1;
  memcpy (bound->reduced, rel.best_reduced, matrix->n_cols * sizeof (double));

  if (literals == limit && n_terms > 1 && n_terms <= matrix->n_rows)
    {
      for (guint c = 0; c < matrix->n_cols; c++)
        rel.cost[c] = matrix->literals[c] + 1.0;
      dual_ascent (&rel);
      ascend (&rel, (double) (limit + n_terms - 1) + 2 * EPSILON, effort, NULL, meter);
      sum_bound = rel.best;
      if (ceil (sum_bound - EPSILON) > (double) limit)
        bound->bound = (MtQmcCost) literals << 16 | (guint64) (ceil (sum_bound - EPSILON) - (double) limit);
    }
  for (guint c = 0; c < matrix->n_cols; c++)
    {
      double with = ceil (literals_bound + MAX (0, bound->reduced[c]) - EPSILON);
      gboolean useless = with > (double) limit ||
        (with == (double) limit &&
         (n_terms <= 1 ||
          (sum_bound > 0 &&
           ceil (sum_bound + MAX (0, rel.best_reduced[c]) - EPSILON) >= (double) (limit + n_terms))));

      if (!useless)
        mt_qmc_set_put_in (bound->kept, c);
    }
  g_free (rel.memory);
}

void
mt_qmc_bound_clear (MtQmcBound *bound)
{
  g_clear_pointer (&bound->reduced, g_free);
  g_clear_pointer (&bound->kept, g_free);
  g_clear_pointer (&bound->best.ids, g_free);
}
