/* Every metric is computed with an integer weight a row: all ones for the plain value, how
 * often the row was drawn for a bootstrap resample. One code path, so an interval is about
 * exactly the value it is next to.
 *
 * AUC needs the rows in the order of the score. The order is made once per class; a
 * resample then costs one walk over it:
 *   Σ over tied blocks  P · (N_below + N/2)  /  (P_all · N_all)
 * with P, N the weights of positives and negatives in the block. */
#include "config.h"
#include "mt-metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-math.h"
#include "base/mt-random.h"
#include "base/mt-sort.h"

#define SMALLEST_P 1e-15

typedef struct {
  guint64 key;
  guint32 row;
} Keyed;

/* What a metric needs in addition to the predictions, made once for all resamples. */
typedef struct {
  const MtScored  *scored;
  gboolean         finite;
  guint32        **orders;     /* n_orders × n_rows: rows by ascending score, for AUC */
  guint8         **starts;     /* n_orders × n_rows: 1 where a block of ties begins */
  guint            n_orders;
  guint32         *decided;    /* n_rows, classes only */
} Prepared;

/* Words are for files and options, names for people. A metric is for classes or for numbers, never
 * for both. */
static const struct {
  const char *word;
  const char *name;
  gboolean    for_classes;
} metric_facts[MT_N_METRICS] = {
  [MT_METRIC_AUC] = { "auc", "AUC", TRUE },
  [MT_METRIC_LOG_LOSS] = { "log_loss", "log loss", TRUE },
  [MT_METRIC_ACCURACY] = { "accuracy", "accuracy", TRUE },
  [MT_METRIC_BALANCED_ACCURACY] = { "balanced_accuracy", "balanced accuracy", TRUE },
  [MT_METRIC_F1] = { "f1", "F1", TRUE },
  [MT_METRIC_BRIER] = { "brier", "Brier score", TRUE },
  [MT_METRIC_R2] = { "r2", "R²", FALSE },
  [MT_METRIC_RMSE] = { "rmse", "RMSE", FALSE },
  [MT_METRIC_MAE] = { "mae", "MAE", FALSE },
};

const char *
mt_metric_to_string (MtMetric metric)
{
  g_return_val_if_fail ((guint) metric < MT_N_METRICS, NULL);
  return metric_facts[metric].word;
}

const char *
mt_metric_get_name (MtMetric metric)
{
  g_return_val_if_fail ((guint) metric < MT_N_METRICS, NULL);
  return metric_facts[metric].name;
}

gboolean
mt_metric_from_string (const char *word,
                       MtMetric   *metric)
{
  for (guint i = 0; i < MT_N_METRICS; i++)
    if (g_strcmp0 (word, metric_facts[i].word) == 0)
      {
        *metric = (MtMetric) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
mt_metric_is_defined (MtMetric metric,
                      MtTask   task)
{
  g_return_val_if_fail ((guint) metric < MT_N_METRICS, FALSE);
  return metric_facts[metric].for_classes == (task != MT_TASK_REGRESSION);
}

/* --- order by score --- */

static int
compare_keyed (const void *a,
               const void *b)
{
  const Keyed *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Finite doubles as integers of the same order; both zeros are one number. */
static guint64
order_key (double value)
{
  union { double d; guint64 u; } bits = { .d = value + 0.0 };

  if (value == 0.0)
    bits.u = 0;
  return bits.u >> 63 ? ~bits.u : bits.u | G_GUINT64_CONSTANT (1) << 63;
}

/* Rows from which counting passes are faster than comparing. */
#define ROWS_TO_COUNT 200
#define KEY_BITS      11
#define N_KEY_PASSES  6     /* of KEY_BITS each make 64 bits */

/* Ascending by key, rows of one key as they were, by counting passes over the bits of the key; bits that all keys share
 * need no pass. @spare: as much room again. Returns the one of both that the sorted ones are in.
 *
 * A key is 64 bits, taken 11 at a time from the lowest up: six passes at most, where a comparison
 * sort needs log₂ n comparisons a row. 2,048 counts for each pass fit in the cache. */
static Keyed *
sort_by_counting (Keyed *keyed,
                  Keyed *spare,
                  gsize  n)
{
  guint32 counts[N_KEY_PASSES][1 << KEY_BITS] = { { 0 } };

  for (gsize r = 0; r < n; r++)
    for (guint pass = 0; pass < N_KEY_PASSES; pass++)
      counts[pass][keyed[r].key >> pass * KEY_BITS & ((1 << KEY_BITS) - 1)]++;
  for (guint pass = 0; pass < N_KEY_PASSES; pass++)
    {
      guint shift = pass * KEY_BITS;
      guint32 first = 0;
      Keyed *sorted = spare;

      if (counts[pass][keyed[0].key >> shift & ((1 << KEY_BITS) - 1)] == n)
        continue;
      for (guint v = 0; v < 1 << KEY_BITS; v++)
        {
          guint32 count = counts[pass][v];

          counts[pass][v] = first;
          first += count;
        }
      for (gsize r = 0; r < n; r++)
        sorted[counts[pass][keyed[r].key >> shift & ((1 << KEY_BITS) - 1)]++] = keyed[r];
      spare = keyed;
      keyed = sorted;
    }
  return keyed;
}

/* Rows by ascending score into @order, and into @starts a 1 where a block of equal scores begins. Doubles are
 * sorted as integers of the same order; equal ones by row, so the order is the same for every sort function. */
static void
sort_by_score (const double *scores,
               gsize         n_rows,
               guint32      *order,
               guint8       *starts)
{
  g_autofree Keyed *room = g_new (Keyed, 2 * n_rows);
  Keyed *keyed = room;

  for (gsize r = 0; r < n_rows; r++)
    keyed[r] = (Keyed) { order_key (scores[r]), (guint32) r };
  if (n_rows < ROWS_TO_COUNT)
    qsort (keyed, n_rows, sizeof (Keyed), compare_keyed);
  else
    keyed = sort_by_counting (keyed, room + n_rows, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    {
      order[r] = keyed[r].row;
      starts[r] = r == 0 || keyed[r].key != keyed[r - 1].key;
    }
}

static gboolean
all_finite (const double *values,
            gsize         n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return FALSE;
  return TRUE;
}

/* The area under the ROC curve is the share of pairs of a positive and a negative row in which the positive one
 * has the higher score; a pair with equal scores counts half. One walk over the ordered rows: each block of ties
 * adds P (N_below + N / 2). Weights let the same walk serve a bootstrap sample, in which a row may occur several
 * times; NULL: every row once. NaN if one of the two kinds is missing.
 *
 * An example, by rising score: −, (+ −), +. The tied pair adds 1 × (1 + ½), the last row 1 × 2: 3.5
 * of 2 × 2 pairs, an AUC of 0.875. */
static double
ordered_auc (const guint32 *order,
             const guint8  *starts,
             const guint32 *classes,
             guint32        positive,
             const guint16 *weights,
             gsize          n_rows)
{
  double pairs = 0.0, n_positive = 0.0, n_negative = 0.0;
  double block_positive = 0.0, block_negative = 0.0;

  for (gsize i = 0; i < n_rows; i++)
    {
      double weight = weights != NULL ? weights[order[i]] : 1.0;

      if (starts[i])
        {
          pairs += block_positive * (n_negative + 0.5 * block_negative);
          n_positive += block_positive;
          n_negative += block_negative;
          block_positive = block_negative = 0.0;
        }
      if (classes[order[i]] == positive)
        block_positive += weight;
      else
        block_negative += weight;
    }
  pairs += block_positive * (n_negative + 0.5 * block_negative);
  n_positive += block_positive;
  n_negative += block_negative;
  return n_positive > 0.0 && n_negative > 0.0 ? pairs / (n_positive * n_negative) : NAN;
}

double
mt_metric_auc (const double  *scores,
               const guint32 *classes,
               guint32        positive,
               gsize          n_rows)
{
  g_autofree guint32 *order = NULL;
  g_autofree guint8 *starts = NULL;

  if (n_rows == 0 || !all_finite (scores, n_rows))
    return NAN;
  order = g_new (guint32, n_rows);
  starts = g_new (guint8, n_rows);
  sort_by_score (scores, n_rows, order, starts);
  return ordered_auc (order, starts, classes, positive, NULL, n_rows);
}

/* --- preparation --- */

static inline double
prediction (const MtScored *scored,
            guint           class_,
            gsize           row)
{
  return scored->predictions[class_ * scored->n_rows + row];
}

double
mt_scored_get_cutoff (const MtScored *scored)
{
  return scored->cutoff > 0 ? scored->cutoff : MT_CUTOFF;
}

/* The class that the model answers with, for each row: by the cutoff with two classes, else the most probable
 * one.
 *
 * A tie goes to the lower class, here and wherever a model answers (mt_task_decide()). */
static void
decide (const MtScored *scored,
        guint32        *decided)
{
  for (gsize r = 0; r < scored->n_rows; r++)
    decided[r] = mt_task_decide (scored->task, mt_scored_get_cutoff (scored), scored->n_classes, scored->n_rows, scored->predictions, r);
}

/* What all resamples share: whether all numbers are finite, the decided classes, and for AUC the orders by score, one
 * for each output. Sorting is the expensive part, O(n log n), and is done once instead of once a resample.
 *
 * Memory: 5 bytes a row for each output with AUC, 4 for the decided classes. */
static void
prepare (Prepared       *prepared,
         const MtScored *scored,
         const MtMetric *metrics,
         guint           n_metrics)
{
  guint n_outputs = scored->task == MT_TASK_MULTICLASS ? scored->n_classes : 1;
  gboolean needs_order = FALSE;

  *prepared = (Prepared) { .scored = scored };
  prepared->finite = scored->n_rows > 0 && all_finite (scored->predictions, n_outputs * scored->n_rows) &&
    (scored->task != MT_TASK_REGRESSION || all_finite (scored->values, scored->n_rows));
  if (!prepared->finite || scored->task == MT_TASK_REGRESSION)
    return;
  prepared->decided = g_new (guint32, scored->n_rows);
  decide (scored, prepared->decided);
  for (guint i = 0; i < n_metrics; i++)
    needs_order |= metrics[i] == MT_METRIC_AUC;
  if (!needs_order)
    return;
  prepared->n_orders = n_outputs;
  prepared->orders = g_new0 (guint32 *, n_outputs);
  prepared->starts = g_new0 (guint8 *, n_outputs);
  for (guint c = 0; c < n_outputs; c++)
    {
      prepared->orders[c] = g_new (guint32, scored->n_rows);
      prepared->starts[c] = g_new (guint8, scored->n_rows);
      sort_by_score (scored->predictions + c * scored->n_rows, scored->n_rows,
                     prepared->orders[c], prepared->starts[c]);
    }
}

static void
prepared_clear (Prepared *prepared)
{
  for (guint c = 0; c < prepared->n_orders; c++)
    {
      g_free (prepared->orders[c]);
      g_free (prepared->starts[c]);
    }
  g_free (prepared->orders);
  g_free (prepared->starts);
  g_free (prepared->decided);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Prepared, prepared_clear)

/* --- the metrics --- */

/* With more than two classes the mean of the AUCs of each class against the others. */
static double
auc (const Prepared *prepared,
     const guint16  *weights)
{
  const MtScored *scored = prepared->scored;
  double sum = 0.0;
  guint n = 0;

  if (scored->task == MT_TASK_BINARY)
    return ordered_auc (prepared->orders[0], prepared->starts[0], scored->classes, 1, weights,
                        scored->n_rows);
  for (guint c = 0; c < scored->n_classes; c++)
    {
      double one = ordered_auc (prepared->orders[c], prepared->starts[c], scored->classes, c,
                                weights, scored->n_rows);

      /* A class that no row has, or every row has, has no AUC and no say. */
      if (!isnan (one))
        {
          sum += one;
          n++;
        }
    }
  return n > 0 ? sum / n : NAN;
}

/* −log of the probability that the model gave to the true class, cut off at SMALLEST_P: a model that is certain
 * and wrong gets a large loss, not an infinite one. */
static double
row_log_loss (const MtScored *scored,
              gsize           row)
{
  double p = scored->task == MT_TASK_MULTICLASS ? prediction (scored, scored->classes[row], row)
             : scored->classes[row] == 1        ? scored->predictions[row]
                                                : 1.0 - scored->predictions[row];

  return -mt_log (CLAMP (p, SMALLEST_P, 1.0));
}

/* Squared distance of the probabilities from the truth; with two classes only of the second one's, so it lies
 * between 0 and 1, with more classes between 0 and 2. */
static double
row_brier (const MtScored *scored,
           gsize           row)
{
  double sum = 0.0;

  if (scored->task == MT_TASK_BINARY)
    {
      double e = scored->predictions[row] - (scored->classes[row] == 1 ? 1.0 : 0.0);

      return e * e;
    }
  for (guint c = 0; c < scored->n_classes; c++)
    {
      double e = scored->predictions[c * scored->n_rows + row] - (scored->classes[row] == c ? 1.0 : 0.0);

      sum += e * e;
    }
  return sum;
}

/* Mean over the classes present of recall (balanced accuracy) or of F1.
 *
 * With counts by class: right (decided and true), actual (true) and decided. Recall is right /
 * actual, F1 is 2 right / (actual + decided). A class that no row has does not count in the mean. */
static double
class_mean (const Prepared *prepared,
            const guint16  *weights,
            gboolean        want_f1)
{
  const MtScored *scored = prepared->scored;
  g_autofree double *counts = g_new0 (double, 3 * scored->n_classes);
  double *right = counts, *actual = counts + scored->n_classes, *decided = actual + scored->n_classes;
  double sum = 0.0;
  guint n = 0;

  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double weight = weights != NULL ? weights[r] : 1.0;

      actual[scored->classes[r]] += weight;
      decided[prepared->decided[r]] += weight;
      if (scored->classes[r] == prepared->decided[r])
        right[scored->classes[r]] += weight;
    }
  /* 2TP + FP + FN = actual + decided. */
  if (want_f1 && scored->task == MT_TASK_BINARY)
    return actual[1] + decided[1] > 0.0 ? 2.0 * right[1] / (actual[1] + decided[1]) : NAN;
  for (guint c = 0; c < scored->n_classes; c++)
    if (actual[c] > 0.0)
      {
        sum += want_f1 ? 2.0 * right[c] / (actual[c] + decided[c]) : right[c] / actual[c];
        n++;
      }
  return n > 0 ? sum / n : NAN;
}

/* 1 − Σ (y − ŷ)² / Σ (y − ȳ)², with ȳ the mean of these rows (of the resample, not of the data).
 * Below 0 if the mean would have done better. NaN if all y are equal. */
static double
r_squared (const MtScored *scored,
           const guint16  *weights)
{
  double sum = 0.0, n = 0.0, total = 0.0, rest = 0.0;

  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double weight = weights != NULL ? weights[r] : 1.0;

      sum += weight * scored->values[r];
      n += weight;
    }
  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double weight = weights != NULL ? weights[r] : 1.0;
      double deviation = scored->values[r] - sum / n;
      double error = scored->values[r] - scored->predictions[r];

      total += weight * deviation * deviation;
      rest += weight * error * error;
    }
  return total > 0.0 ? 1.0 - rest / total : NAN;
}

/* One metric of the rows as weighted. NaN if a prediction is not finite or the metric is not for
 * this task. The means divide by the number of rows, which is also the sum of the weights of every
 * resample. */
static double
compute (MtMetric        metric,
         const Prepared *prepared,
         const guint16  *weights)
{
  const MtScored *scored = prepared->scored;
  double sum = 0.0;

  if (!prepared->finite || !mt_metric_is_defined (metric, scored->task))
    return NAN;
  switch (metric)
    {
    case MT_METRIC_AUC:
      return auc (prepared, weights);
    case MT_METRIC_BALANCED_ACCURACY:
    case MT_METRIC_F1:
      return class_mean (prepared, weights, metric == MT_METRIC_F1);
    case MT_METRIC_R2:
      return r_squared (scored, weights);
    case MT_METRIC_LOG_LOSS:
    case MT_METRIC_ACCURACY:
    case MT_METRIC_BRIER:
    case MT_METRIC_RMSE:
    case MT_METRIC_MAE:
    case MT_N_METRICS:
    default:
      break;
    }
  /* The rest are means over rows; a resample has as many rows as the data. */
  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double weight = weights != NULL ? weights[r] : 1.0;
      double error = metric_facts[metric].for_classes ? 0.0 : scored->values[r] - scored->predictions[r];
      gboolean right = metric_facts[metric].for_classes && scored->classes[r] == prepared->decided[r];

      if (weight == 0.0)
        continue;
      sum += weight * (metric == MT_METRIC_LOG_LOSS   ? row_log_loss (scored, r)
                       : metric == MT_METRIC_ACCURACY ? (right ? 1.0 : 0.0)
                       : metric == MT_METRIC_BRIER    ? row_brier (scored, r)
                       : metric == MT_METRIC_RMSE     ? error * error
                                                      : fabs (error));
    }
  sum /= (double) scored->n_rows;
  return metric == MT_METRIC_RMSE ? sqrt (sum) : sum;
}

double
mt_metric_compute (MtMetric        metric,
                   const MtScored *scored)
{
  g_auto (Prepared) prepared = { NULL };

  g_return_val_if_fail ((guint) metric < MT_N_METRICS, NAN);
  prepare (&prepared, scored, &metric, 1);
  return compute (metric, &prepared, NULL);
}

/* --- bootstrap --- */

typedef struct {
  const Prepared *prepared;
  const MtMetric *metrics;
  guint           n_metrics;
  guint64         seed;
  guint16       **weights;     /* a worker's own */
  double         *values;      /* n_metrics × n_resamples */
  guint           n_resamples;
  GCancellable   *cancellable;
} Bootstrap;

/* How often each row was drawn in n_rows draws: two 32-bit draws from one random word,
 * scaled by multiplication (the bias, n / 2³², is far below what a resample can show). */
static void
draw_weights (guint64  seed,
              guint    resample,
              guint16 *weights,
              gsize    n_rows)
{
  MtRandom random;

  mt_random_init_stream (&random, seed, resample);
  for (gsize r = 0; r < n_rows; r++)
    weights[r] = 0;
  for (gsize r = 0; r < n_rows; r += 2)
    {
      guint64 word = mt_random_next (&random);

      weights[((word >> 32) * n_rows) >> 32]++;
      if (r + 1 < n_rows)
        weights[((word & G_MAXUINT32) * n_rows) >> 32]++;
    }
}

/* One resample, on any worker: it reads its own random stream, number @task of the seed, and writes
 * its own column of values. So neither the number of threads nor their order matters. */
static void
bootstrap_one (guint    task,
               guint    worker,
               gpointer data)
{
  Bootstrap *self = data;
  guint16 *weights = self->weights[worker];

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  draw_weights (self->seed, task, weights, self->prepared->scored->n_rows);
  for (guint m = 0; m < self->n_metrics; m++)
    self->values[m * self->n_resamples + task] = compute (self->metrics[m], self->prepared, weights);
}

/* Linear between neighbors, as most statistics programs do. */
static double
sorted_quantile (const double *sorted,
                 guint         n,
                 double        share)
{
  double at = share * (n - 1);
  guint below = (guint) floor (at);
  guint above = MIN (below + 1, n - 1);

  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/* With 1,000 resamples and a level of 95 %, low and high are the 2.5 % and 97.5 % quantiles of
 * 1,000 values. Resamples in which the metric is not defined (one class only, say) are left out,
 * and n_resamples says how many are left. A weight is 16 bits; a row that is drawn 65,536 times
 * does not happen by chance.
 *
 * Cost: n_resamples × rows for each metric, and one sort for AUC. Memory: 2 bytes a row for each
 * thread. */
gboolean
mt_metric_bootstrap (const MtMetric *metrics,
                     guint           n_metrics,
                     const MtScored *scored,
                     guint           n_resamples,
                     double          level,
                     guint64         seed,
                     MtPool         *pool,
                     MtInterval     *intervals,
                     GCancellable   *cancellable,
                     GError        **error)
{
  g_auto (Prepared) prepared = { NULL };
  g_autofree double *values = g_new0 (double, MAX (n_metrics * n_resamples, 1));
  guint n_workers = mt_pool_get_n_threads (pool);
  g_autofree guint16 **weights = g_new0 (guint16 *, n_workers);
  Bootstrap self = { &prepared, metrics, n_metrics, seed, weights, values, n_resamples, cancellable };

  g_return_val_if_fail (level > 0.0 && level < 1.0, FALSE);
  g_return_val_if_fail (scored->n_rows < G_MAXUINT32, FALSE);

  prepare (&prepared, scored, metrics, n_metrics);
  if (prepared.finite)
    {
      for (guint w = 0; w < n_workers; w++)
        weights[w] = g_new (guint16, scored->n_rows);
      mt_pool_run (pool, n_resamples, bootstrap_one, &self);
      for (guint w = 0; w < n_workers; w++)
        g_free (weights[w]);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  for (guint m = 0; m < n_metrics; m++)
    {
      double *mine = values + m * n_resamples;
      guint n = 0;

      intervals[m] = (MtInterval) { compute (metrics[m], &prepared, NULL), NAN, NAN, 0 };
      if (!prepared.finite)
        continue;
      for (guint i = 0; i < n_resamples; i++)
        if (!isnan (mine[i]))
          mine[n++] = mine[i];
      intervals[m].n_resamples = n;
      if (n == 0)
        continue;
      mt_sort_doubles (mine, n);
      intervals[m].low = sorted_quantile (mine, n, 0.5 * (1.0 - level));
      intervals[m].high = sorted_quantile (mine, n, 0.5 * (1.0 + level));
    }
  return TRUE;
}

/* --- calibration --- */

/* Bin b has the predictions from b / n_bins up to (b + 1) / n_bins; 1 belongs to the last one. Rows
 * whose prediction is no probability are skipped, but count in the denominator of *error_. Empty
 * bins are dropped by moving the later ones down. */
guint
mt_metric_calibration (const MtScored   *scored,
                       guint             class_,
                       guint             n_bins,
                       MtCalibrationBin *bins,
                       double           *error_)
{
  double distance = 0.0;
  guint n = 0;

  g_return_val_if_fail (scored->task != MT_TASK_REGRESSION && class_ < scored->n_classes && n_bins > 0, 0);

  for (guint b = 0; b < n_bins; b++)
    bins[b] = (MtCalibrationBin) { (double) b / n_bins, (double) (b + 1) / n_bins, 0.0, 0.0, 0 };
  for (gsize r = 0; r < scored->n_rows; r++)
    {
      double p = scored->task == MT_TASK_MULTICLASS ? scored->predictions[class_ * scored->n_rows + r]
                 : class_ == 1                      ? scored->predictions[r]
                                                    : 1.0 - scored->predictions[r];
      MtCalibrationBin *bin;

      if (!(p >= 0.0 && p <= 1.0))
        continue;
      bin = &bins[MIN ((guint) (p * n_bins), n_bins - 1)];
      bin->mean_predicted += p;
      bin->observed += scored->classes[r] == class_;
      bin->n_rows++;
    }
  for (guint b = 0; b < n_bins; b++)
    if (bins[b].n_rows > 0)
      {
        bins[n] = bins[b];
        bins[n].mean_predicted /= (double) bins[n].n_rows;
        bins[n].observed /= (double) bins[n].n_rows;
        distance += fabs (bins[n].mean_predicted - bins[n].observed) * (double) bins[n].n_rows;
        n++;
      }
  if (error_ != NULL)
    *error_ = scored->n_rows > 0 ? distance / (double) scored->n_rows : NAN;
  return n;
}
