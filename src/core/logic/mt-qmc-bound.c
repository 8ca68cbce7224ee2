/* How cheap can a cover be, and a cheap one: Lagrangian relaxation of the covering problem.
 *
 * With a price u_r ≥ 0 on each row, a column of cost c_j has the reduced cost
 * c̃_j = c_j − Σ_{r ∈ j} u_r, and every cover costs at least
 *
 *   L(u) = Σ_r u_r + Σ_j min (0, c̃_j).
 *
 * Prices start from those of the matrix this one was cut from, or by dual ascent (each row,
 * hardest first, takes what its columns have left: then all c̃ ≥ 0 and L is the sum of prices),
 * and move along the subgradient 1 − #{j ∋ r : c̃_j < 0}. A column with L + c̃_j beyond the cutoff
 * is in no cover of interest and is struck out. The reduced costs also guide a greedy cover, made
 * now and then.
 *
 * All of this is in whole numbers, UNIT to a literal: sums are exact in any order, a bound rounds
 * up to the next literal without a doubt, and the inner loops wait for no floating-point adder.
 *
 * The objective is literals, then terms. One relaxation for a weighted sum would have to close
 * its gap to less than one term. Instead two are made: of the literals; and, once these reach
 * the cutoff, of literals + terms, which then bounds the terms. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

/* Prices stay below 17 literals and L below some ten thousand: 32 bits hold either. */
#define UNIT 4096

typedef struct {
  const MtQmcMatrix *m;
  guint32           *first;      /* n_cols + 1: where each column's rows begin in `entries` */
  guint32           *entries;
  guint32           *order;      /* rows by number of columns, hardest first */
  gint32            *cost;       /* n_cols */
  gint32            *price;      /* n_rows */
  gint32            *reduced;    /* n_cols, of the present prices */
  gint32            *best_reduced;
  gint32            *best_price;
  gint64             best;       /* largest L(u) met */
  gint32            *excess;     /* n_rows: times covered */
  guint64           *covered;    /* row_words */
  guint32           *selected;   /* columns of the greedy cover */
  gpointer           memory;
} Relaxation;

/* Rows by their number of columns, equal ones in order: counting sort. */
static void
sort_rows (guint          n_rows,
           guint          n_cols,
           const guint32 *counts,
           guint32       *order)
{
  g_autofree guint32 *place = g_new0 (guint32, n_cols + 2);

  for (guint r = 0; r < n_rows; r++)
    place[counts[r] + 1]++;
  for (guint n = 0; n <= n_cols; n++)
    place[n + 1] += place[n];
  for (guint r = 0; r < n_rows; r++)
    order[place[counts[r]]++] = r;
}

/* One allocation for all arrays. The columns' rows are stored as lists as well as bits (first, entries): the inner
 * loops below visit every entry of a sparse column, and a list does that faster than bits. */
static void
relaxation_init (Relaxation        *rel,
                 const MtQmcMatrix *m)
{
  guint n_entries = 0;
  gint32 *memory;
  guint32 *counts;

  for (guint c = 0; c < m->n_cols; c++)
    for (gsize w = 0; w < m->row_words; w++)
      n_entries += (guint) __builtin_popcountll (m->col_rows[c * m->row_words + w]);

  rel->m = m;
  rel->covered = g_malloc (m->row_words * sizeof (guint64) +
                           (5 * m->n_cols + 1 + n_entries + 4 * m->n_rows) * sizeof (gint32));
  rel->memory = rel->covered;
  memory = (gint32 *) (rel->covered + m->row_words);
  rel->cost = memory;
  rel->reduced = rel->cost + m->n_cols;
  rel->best_reduced = rel->reduced + m->n_cols;
  rel->price = rel->best_reduced + m->n_cols;
  rel->best_price = rel->price + m->n_rows;
  rel->excess = rel->best_price + m->n_rows;
  rel->order = (guint32 *) (rel->excess + m->n_rows);
  rel->selected = rel->order + m->n_rows;
  rel->first = rel->selected + m->n_cols;
  rel->entries = rel->first + m->n_cols + 1;

  n_entries = 0;
  counts = (guint32 *) rel->excess;
  memset (counts, 0, m->n_rows * sizeof (guint32));
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
  sort_rows (m->n_rows, m->n_cols, counts, rel->order);
}

/* Keeps the best bound met, with its reduced costs and prices: the subgradient goes up and down, and only the best
 * counts. */
static void
remember (Relaxation *rel,
          gint64      value)
{
  rel->best = value;
  memcpy (rel->best_reduced, rel->reduced, rel->m->n_cols * sizeof (gint32));
  memcpy (rel->best_price, rel->price, rel->m->n_rows * sizeof (gint32));
}

/* The first prices: each row, those with few columns first, gets as high a price as its columns still allow, that
 * is, the least reduced cost among them. Then no reduced cost is below 0, and the bound is the sum of the prices.
 * One pass over the matrix. */
static void
dual_ascent (Relaxation *rel)
{
  const MtQmcMatrix *m = rel->m;
  gint64 sum = 0;

  memcpy (rel->reduced, rel->cost, m->n_cols * sizeof (gint32));
  for (guint i = 0; i < m->n_rows; i++)
    {
      guint row = rel->order[i];
      const guint64 *cols = m->row_cols + row * m->col_words;
      gint32 slack = G_MAXINT32;

      MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
        slack = MIN (slack, rel->reduced[c]);
      rel->price[row] = slack;
      sum += slack;
      if (slack > 0)
        MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
          rel->reduced[c] -= slack;
    }
  remember (rel, sum);
}

/* One step from the present prices and reduced costs, of value @value, towards @target; FALSE when there is
 * nowhere to go.
 *
 * A row that is covered by s columns of negative reduced cost has the subgradient 1 − s: its price should rise if
 * it is not covered at all, and fall if it is covered more than once (excess = s − 1). The length of the step
 * follows Polyak's rule, pace × (target − value) / |subgradient|², in whole units, and at least 1. A price of 0
 * that would fall does not count towards the norm, since it cannot move. */
static gboolean
subgradient_step (Relaxation *rel,
                  gint64      target,
                  double      pace,
                  gint64      value)
{
  const MtQmcMatrix *m = rel->m;
  gint64 norm = 0;
  gint32 step;

  for (guint r = 0; r < m->n_rows; r++)
    rel->excess[r] = -1;
  for (guint c = 0; c < m->n_cols; c++)
    if (rel->reduced[c] < 0)
      for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
        rel->excess[rel->entries[e]]++;
  for (guint r = 0; r < m->n_rows; r++)
    if (rel->excess[r] < 0 || rel->price[r] > 0)
      norm += (gint64) rel->excess[r] * rel->excess[r];
  if (norm == 0)
    return FALSE;
  step = (gint32) (pace * (double) (target - value) / (double) norm);
  /* A long step only throws the prices about. */
  step = CLAMP (step, 1, 4 * UNIT);
  for (guint r = 0; r < m->n_rows; r++)
    rel->price[r] = MAX (0, rel->price[r] - step * rel->excess[r]);
  return TRUE;
}

/* L(u) at the present prices; remembers the best. */
static gint64
evaluate (Relaxation *rel)
{
  const MtQmcMatrix *m = rel->m;
  gint64 sum = 0;

  for (guint r = 0; r < m->n_rows; r++)
    sum += rel->price[r];
  for (guint c = 0; c < m->n_cols; c++)
    {
      gint32 reduced = rel->cost[c];

      for (guint e = rel->first[c]; e < rel->first[c + 1]; e++)
        reduced -= rel->price[rel->entries[e]];
      rel->reduced[c] = reduced;
      sum += MIN (0, reduced);
    }
  if (sum > rel->best)
    remember (rel, sum);
  return sum;
}

/* Goes on from @prices if they are better than the present ones. */
static void
start_from (Relaxation   *rel,
            const gint32 *prices)
{
  gint64 value = rel->best;

  memcpy (rel->price, prices, rel->m->n_rows * sizeof (gint32));
  if (evaluate (rel) > value)
    return;
  memcpy (rel->price, rel->best_price, rel->m->n_rows * sizeof (gint32));
  memcpy (rel->reduced, rel->best_reduced, rel->m->n_cols * sizeof (gint32));
}

/* How many rows a column would add to what is covered. */
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
    if (rel->reduced[c] <= 0 &&
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
          double rate = (double) MAX (rel->reduced[c], 1) / gain;

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

/* Raises L(u) above @goal, if @effort steps can; covers met on the way go to @best. */
static void
ascend (Relaxation  *rel,
        gint64       goal,
        guint        effort,
        MtQmcChoice *best,
        MtQmcMeter  *meter)
{
  double pace = 1;
  gint64 value = rel->best;
  guint64 step_work = rel->first[rel->m->n_cols] + rel->m->n_cols + rel->m->n_rows;
  guint since = 0;
  /* A long search for the bound also takes finer steps. */
  guint patience = effort > 200 ? 12 : 4;
  double least_pace = effort > 200 ? 0.003 : 0.1;

  for (guint step = 0; step < effort && rel->best <= goal && !meter->exhausted; step++)
    {
      gint64 before = rel->best;

      if (!subgradient_step (rel, goal + UNIT, pace, value))
        break;
      value = evaluate (rel);
      mt_qmc_meter_spend (meter, step_work);
      if (step % 8 == 7 && best != NULL)
        greedy_cover (rel, best);
      if (rel->best > before + (effort > 200 ? 0 : UNIT / 100))
        since = 0;
      else if (++since == patience)
        {
          pace *= 0.6;
          since = 0;
          if (pace < least_pace)
            break;
        }
    }
}

/* The largest number that divides the literals, each plus @extra, of all columns, and so of every
 * cover. Bounds are rounded up to its multiples; tables with a symmetry often have only one length. */
static gint64
common_divisor (const MtQmcMatrix *matrix,
                guint              extra)
{
  guint divisor = 0;

  for (guint c = 0; c < matrix->n_cols && divisor != 1; c++)
    for (guint other = matrix->literals[c] + extra; other != 0;)
      {
        guint rest = divisor % other;

        divisor = other;
        other = rest;
      }
  return divisor;
}

/* The least multiple of @divisor literals that is not below @value, which is in UNITs. With all
 * columns of 3 or 6 literals, a bound of 10.2 literals becomes 12. */
static inline gint64
round_up (gint64 value,
          gint64 divisor)
{
  return (value + divisor * UNIT - 1) / (divisor * UNIT) * divisor;
}

/* What L(u) has to exceed for round_up() to reach @literals: with a divisor of 3, to reach 12 it
 * takes more than 9. */
static inline gint64
just_below (gint64 literals,
            gint64 divisor)
{
  return (literals - 1) / divisor * divisor * UNIT;
}

/* Two relaxations, one after the other, with the same arrays.
 *
 * First of the literals: a greedy cover, the better of the two starting prices, and steps until the bound, rounded
 * up, reaches the literals of the cutoff, or the effort is used up. If it does reach them, only the number of
 * terms can still be saved, and the second relaxation, in which each column costs its literals and one more,
 * bounds literals + terms together: less the literals, that is a bound for the terms.
 *
 * Last, columns are struck out: one with which any cover would have more literals than the cutoff, or as many and
 * no fewer terms, cannot be in a cover of interest. The prices are left in @matrix, as a start for the parts that
 * will be cut from it. */
void
mt_qmc_bound_compute (const MtQmcMatrix *matrix,
                      MtQmcCost          cutoff,
                      guint              effort,
                      MtQmcBound        *bound,
                      MtQmcMeter        *meter)
{
  Relaxation rel;
  gint64 literals_bound, sum_bound = 0, literals, limit, n_terms, least_terms, sum_divisor = 1;
  gint64 divisor = common_divisor (matrix, 0);
  guint longest = 1;

  relaxation_init (&rel, matrix);
  bound->reduced = g_new (gint32, matrix->n_cols);
  bound->kept = g_new0 (guint64, matrix->col_words);
  bound->best.cost = MT_QMC_COST_MAX;
  bound->best.ids = g_new (guint32, matrix->n_cols);
  bound->best.n_ids = 0;

  for (guint c = 0; c < matrix->n_cols; c++)
    {
      rel.cost[c] = matrix->literals[c] * UNIT;
      longest = MAX (longest, matrix->literals[c]);
    }
  dual_ascent (&rel);
  greedy_cover (&rel, &bound->best);
  start_from (&rel, matrix->prices);
  cutoff = MIN (cutoff, bound->best.cost);
  ascend (&rel, just_below ((gint64) (cutoff >> 16), divisor), effort, &bound->best, meter);
  cutoff = MIN (cutoff, bound->best.cost);

  /* Cheaper than the cutoff: fewer literals than `limit`, or as many and less than `n_terms`. */
  limit = (gint64) (cutoff >> 16);
  n_terms = (gint64) (cutoff & 0xffff);
  literals_bound = rel.best;
  literals = round_up (literals_bound, divisor);
  least_terms = (literals + longest - 1) / longest;
  bound->bound = (MtQmcCost) literals << 16 | (MtQmcCost) least_terms;
  memcpy (bound->reduced, rel.best_reduced, matrix->n_cols * sizeof (gint32));
  memcpy (matrix->prices, rel.best_price, matrix->n_rows * sizeof (gint32));

  if (literals == limit && n_terms > least_terms && n_terms <= matrix->n_rows)
    {
      gint32 *sum_prices = matrix->prices + matrix->n_rows;

      for (guint c = 0; c < matrix->n_cols; c++)
        rel.cost[c] = (matrix->literals[c] + 1) * UNIT;
      dual_ascent (&rel);
      start_from (&rel, sum_prices);
      sum_divisor = common_divisor (matrix, 1);
      ascend (&rel, just_below (limit + n_terms, sum_divisor), effort, NULL, meter);
      memcpy (sum_prices, rel.best_price, matrix->n_rows * sizeof (gint32));
      sum_bound = rel.best;
      least_terms = MAX (least_terms, round_up (sum_bound, sum_divisor) - limit);
      bound->bound = (MtQmcCost) literals << 16 | (MtQmcCost) least_terms;
    }
  for (guint c = 0; c < matrix->n_cols; c++)
    {
      gint64 with = round_up (literals_bound + MAX (0, bound->reduced[c]), divisor);
      gboolean useless = with > limit;

      if (with == limit)
        useless = n_terms <= (with + longest - 1) / longest ||
                  (sum_bound > 0 && round_up (sum_bound + MAX (0, rel.best_reduced[c]), sum_divisor) >=
                                    limit + n_terms);
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
