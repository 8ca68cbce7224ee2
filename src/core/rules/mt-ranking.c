/* Rows by falling probability of one class. See mt-ranking.h. */
#include "config.h"
#include "mt-ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-decimal.h"

#define Z 1.959963984540054     /* of 95 % */

typedef struct {
  double   p;
  gboolean is_hit;
} Ranked;

static int
compare_ranked (gconstpointer a,
                gconstpointer b)
{
  double x = ((const Ranked *) a)->p, y = ((const Ranked *) b)->p;

  return (x < y) - (x > y);
}

/* Sorts the rows by falling probability and joins equal ones to a step: a cutoff cannot separate them. Three
 * arrays of one entry a step: the probability, how many rows are taken down to it, and how many of them are hits.
 * Each curve and each cutoff below is read from these.
 *
 * Cost: one sort. Predictions that are not finite count as −∞ and come last. */
MtRanking *
mt_ranking_new (const MtScored *scored,
                guint           class_)
{
  MtRanking *self = g_new0 (MtRanking, 1);
  const double *p = scored->predictions + (scored->n_classes > 2 ? class_ * scored->n_rows : 0);
  gboolean is_first = scored->n_classes == 2 && class_ == 0;     /* whose probability is what the second leaves */
  g_autofree Ranked *ranked = g_new (Ranked, scored->n_rows + 1);

  g_return_val_if_fail (scored->classes != NULL && class_ < scored->n_classes, self);

  self->n_rows = scored->n_rows;
  self->p = g_new (double, scored->n_rows + 1);
  self->taken = g_new (gsize, scored->n_rows + 1);
  self->hits = g_new (gsize, scored->n_rows + 1);
  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double own = is_first ? 1 - p[r] : p[r];

      ranked[r] = (Ranked) { isfinite (own) ? own : -INFINITY, scored->classes[r] == class_ };
    }
  qsort (ranked, scored->n_rows, sizeof *ranked, compare_ranked);
  for (gsize i = 0; i < scored->n_rows; i++)
    {
      self->n_hits += ranked[i].is_hit;
      if (i + 1 < scored->n_rows && ranked[i + 1].p == ranked[i].p)
        continue;
      self->p[self->n_steps] = ranked[i].p;
      self->taken[self->n_steps] = i + 1;
      self->hits[self->n_steps++] = self->n_hits;
    }
  return self;
}

void
mt_ranking_free (MtRanking *self)
{
  if (self == NULL)
    return;
  g_free (self->p);
  g_free (self->taken);
  g_free (self->hits);
  g_free (self);
}

/* A curve has at most as many points as there are steps; where that is more than @most, every so-many-th one is
 * kept, and the last.
 *
 * Curves are drawn, so a few hundred points are enough; the first point and the last are always
 * there. Precision-recall begins with the first step, because nothing taken has no precision. */
gsize
mt_ranking_trace (const MtRanking *self,
                  MtTrace          trace,
                  gsize            most,
                  double          *x,
                  double          *y)
{
  gsize n = 0;

  /* Nothing taken has no precision. */
  if (trace != MT_TRACE_PRECISION_RECALL)
    {
      x[0] = y[0] = 0;
      n = 1;
    }
  for (gsize i = 0; i < self->n_steps; i++, n++)
    {
      double recall = (double) self->hits[i] / (double) MAX (self->n_hits, 1);

      if (trace == MT_TRACE_ROC)
        x[n] = (double) (self->taken[i] - self->hits[i]) / (double) MAX (self->n_rows - self->n_hits, 1);
      else if (trace == MT_TRACE_GAIN)
        x[n] = (double) self->taken[i] / (double) self->n_rows;
      else
        x[n] = recall;
      y[n] = trace == MT_TRACE_PRECISION_RECALL ? (double) self->hits[i] / (double) self->taken[i] : recall;
    }
  for (gsize step = n / MAX (most, 1) + 1, k = 0, i = 0; step > 1; i += step)
    {
      gsize from = MIN (i, n - 1);

      x[k] = x[from];
      y[k++] = y[from];
      if (from == n - 1)
        return k;
    }
  return n;
}

/* How many steps `p > cutoff` takes: the index of the first that it does not. */
static gsize
find_step (const MtRanking *self,
           double           cutoff)
{
  gsize low = 0, high = self->n_steps;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->p[middle] > cutoff)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Within a step the rows are in no order, so its hits count in proportion.
 *
 * An example: steps with 10 and then 20 rows, of which 8 and 4 are hits. Of the first 15
 * rows 8 + 4 × 5 / 20 = 9 are hits. */
double
mt_ranking_count_hits (const MtRanking *self,
                       gsize            n_taken)
{
  gsize i = 0, before, hits_before;

  if (n_taken == 0)
    return 0;
  while (i + 1 < self->n_steps && self->taken[i] < n_taken)
    i++;
  before = i > 0 ? self->taken[i - 1] : 0;
  hits_before = i > 0 ? self->hits[i - 1] : 0;
  if (self->taken[i] <= n_taken)
    return (double) self->hits[i];
  return (double) hits_before + (double) (self->hits[i] - hits_before) * (double) (n_taken - before) /
                                (double) (self->taken[i] - before);
}

/* --- choosing a cutoff --- */

/* The four outcomes when the first @n_steps steps are taken as positive. */
static void
count_steps (const MtRanking *self,
             gsize            n_steps,
             MtOutcomes      *outcomes)
{
  gsize taken = n_steps > 0 ? self->taken[n_steps - 1] : 0, hits = n_steps > 0 ? self->hits[n_steps - 1] : 0;

  *outcomes = (MtOutcomes) { hits, taken - hits, self->n_rows - self->n_hits - (taken - hits), self->n_hits - hits };
}

void
mt_ranking_count (const MtRanking *self,
                  double           cutoff,
                  MtOutcomes      *outcomes)
{
  count_steps (self, find_step (self, cutoff), outcomes);
}

/* Σ over the four outcomes of rows × value. */
double
mt_outcomes_value (const MtOutcomes      *outcomes,
                   const MtOutcomeValues *values)
{
  return (double) outcomes->true_positive * values->true_positive +
         (double) outcomes->false_positive * values->false_positive +
         (double) outcomes->true_negative * values->true_negative +
         (double) outcomes->false_negative * values->false_negative;
}

/* The cutoff after @n_taken_steps steps: ½ if it lies between the two probabilities, else the shortest decimal
 * between them, so that it can be read and typed. It must equal neither of the two.
 *
 * Between the probabilities .3712 and .3689 the cutoff is .37. */
double
mt_ranking_cut (const MtRanking *self,
                gsize            n_taken_steps)
{
  double low = n_taken_steps < self->n_steps ? fmax (self->p[n_taken_steps], 0) : 0;
  double high = n_taken_steps > 0 ? fmin (self->p[n_taken_steps - 1], 1) : 1;

  if (!(low < high))
    return NAN;
  if (low < .5 && high > .5)
    return .5;     /* what is usual needs no other number */
  /* Between the two, and on neither: engines may compute a probability with another last digit. */
  if (nextafter (low, high) < high)
    return mt_shortest_decimal_between (low, nextafter (high, low));
  return low > 0 ? low : NAN;
}

/* Tries all cutoffs, which are one more than there are steps; of equal values the one nearest to @near_.
 *
 * Where no cutoff separates two steps (probabilities of 0 or 1, or two doubles next to each other)
 * the step is passed over. */
double
mt_ranking_cut_value (const MtRanking       *self,
                      const MtOutcomeValues *values,
                      double                 near_)
{
  double best = -INFINITY, best_cutoff = NAN;

  for (gsize i = 0; i <= self->n_steps; i++)
    {
      double value, cutoff;
      MtOutcomes outcomes;

      count_steps (self, i, &outcomes);
      value = mt_outcomes_value (&outcomes, values);
      if (value < best)
        continue;
      cutoff = mt_ranking_cut (self, i);
      if (isnan (cutoff) || (value == best && fabs (cutoff - near_) >= fabs (best_cutoff - near_)))
        continue;
      best = value;
      best_cutoff = cutoff;
    }
  return best_cutoff;
}

/* The cutoff whose share of taken rows is nearest to @rate. Where many rows are tied there may be none that is
 * near. */
double
mt_ranking_cut_rate (const MtRanking *self,
                     double           rate)
{
  double best = INFINITY, best_cutoff = NAN;

  for (gsize i = 0; i <= self->n_steps; i++)
    {
      double share = i > 0 ? (double) self->taken[i - 1] / (double) self->n_rows : 0;
      double cutoff;

      if (fabs (share - rate) >= best)
        continue;
      cutoff = mt_ranking_cut (self, i);
      if (isnan (cutoff))
        continue;
      best = fabs (share - rate);
      best_cutoff = cutoff;
    }
  return best_cutoff;
}

/* Taken shares rise with the steps, so the last cutoff that stays at or below @rate is the one. NaN
 * if not even the first can be had. */
double
mt_ranking_cut_capacity (const MtRanking *self,
                         double           rate)
{
  double best_cutoff = NAN;

  for (gsize i = 0; i <= self->n_steps; i++)
    {
      double cutoff;

      if (i > 0 && (double) self->taken[i - 1] > rate * (double) self->n_rows)
        break;
      cutoff = mt_ranking_cut (self, i);
      if (!isnan (cutoff))
        best_cutoff = cutoff;
    }
  return best_cutoff;
}

/* Wilson's interval: the shares p for which |share − p| ≤ Z √(p (1 − p) / n). Solved for p, that is
 * middle ± half. It stays within 0 and 1, and also makes sense for 0 hits and for few rows, where
 * share ± Z √(share (1 − share) / n) does not. 8 of 10 gives 0.49 … 0.94. */
void
mt_share_interval (gsize   n_hits,
                   gsize   n,
                   double *low,
                   double *high)
{
  double share, middle, half;

  *low = 0;
  *high = 1;
  if (n == 0)
    return;
  share = (double) n_hits / (double) n;
  middle = (share + Z * Z / (2 * (double) n)) / (1 + Z * Z / (double) n);
  half = Z / (1 + Z * Z / (double) n) * sqrt (share * (1 - share) / (double) n + Z * Z / (4.0 * (double) n * (double) n));
  *low = fmax (middle - half, 0);
  *high = fmin (middle + half, 1);
}

/* Katz: log (p / q) is about normal with the variance 1/a − 1/n + 1/b − 1/m, for a of n hits and b
 * of m. So the interval is symmetric on the logarithm. Without hits the logarithm does not exist;
 * half a hit stands in for it in the upper end, and the lower end is 0. */
double
mt_ratio_interval (gsize   n_hits,
                   gsize   n,
                   gsize   n_other_hits,
                   gsize   n_other,
                   double *low,
                   double *high)
{
  double a = n_hits > 0 ? (double) n_hits : 0.5, b = (double) n_other_hits, of_a = (double) n, of_b = (double) n_other;
  double ratio, spread;

  *low = *high = NAN;
  if (n == 0 || n_other == 0 || n_other_hits == 0)
    return NAN;
  ratio = log (a / of_a) - log (b / of_b);
  spread = Z * sqrt (fmax (1 / a - 1 / of_a + 1 / b - 1 / of_b, 0));
  *low = n_hits > 0 ? exp (ratio - spread) : 0;
  *high = exp (ratio + spread);
  return ((double) n_hits / of_a) / (b / of_b);
}

/* Newcombe: with (l₁, u₁) and (l₂, u₂) the two Wilson intervals, the ends are p − q − √((p − l₁)² +
 * (u₂ − q)²) and p − q + √((u₁ − p)² + (q − l₂)²). Each end uses the side of each share that pulls
 * the difference there. */
double
mt_difference_interval (gsize   n_hits,
                        gsize   n,
                        gsize   n_other_hits,
                        gsize   n_other,
                        double *low,
                        double *high)
{
  double p, q, p_low, p_high, q_low, q_high;

  *low = *high = NAN;
  if (n == 0 || n_other == 0)
    return NAN;
  p = (double) n_hits / (double) n;
  q = (double) n_other_hits / (double) n_other;
  mt_share_interval (n_hits, n, &p_low, &p_high);
  mt_share_interval (n_other_hits, n_other, &q_low, &q_high);
  *low = p - q - sqrt ((p - p_low) * (p - p_low) + (q_high - q) * (q_high - q));
  *high = p - q + sqrt ((p_high - p) * (p_high - p) + (q - q_low) * (q - q_low));
  return p - q;
}
