#include "config.h"

#include <math.h>
#include <string.h>

#include "rules/mt-metrics.h"
#include "base/mt-random.h"

#define N 8

/* Sorted by hand: p falls as the row number grows. */
static const double p_binary[N] = { 0.9, 0.8, 0.7, 0.6, 0.55, 0.4, 0.3, 0.1 };
static const guint32 y_binary[N] = { 1, 1, 0, 1, 1, 0, 0, 1 };

static void
assert_close (double a,
              double b)
{
  if (!(fabs (a - b) <= 1e-12 * MAX (1.0, fabs (b))))
    g_error ("%.17g is not %.17g", a, b);
}

static MtScored
binary (const double  *p,
        const guint32 *y,
        gsize          n)
{
  return (MtScored) { MT_TASK_BINARY, 2, n, y, NULL, p };
}

/* All pairs, straight from the definition. */
static double
auc_by_pairs (const double  *scores,
              const guint32 *classes,
              guint32        positive,
              gsize          n)
{
  double right = 0.0, pairs = 0.0;

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      if (classes[i] == positive && classes[j] != positive)
        {
          pairs += 1.0;
          right += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
        }
  return right / pairs;
}

static void
test_words (void)
{
  for (guint m = 0; m < MT_N_METRICS; m++)
    {
      MtMetric back;

      g_assert_true (mt_metric_from_string (mt_metric_to_string ((MtMetric) m), &back));
      g_assert_nonnull (mt_metric_get_name ((MtMetric) m));
      g_assert_null (strchr (mt_metric_get_name ((MtMetric) m), '_'));
      g_assert_cmpuint (back, ==, m);
      g_assert_cmpint (mt_metric_is_defined (back, MT_TASK_BINARY), !=,
                       mt_metric_is_defined (back, MT_TASK_REGRESSION));
    }
  for (guint t = 0; t < 3; t++)
    {
      MtTask back;

      g_assert_true (mt_task_from_string (mt_task_to_string ((MtTask) t), &back));
      g_assert_cmpuint (back, ==, t);
    }
  g_assert_false (mt_metric_from_string ("AUC ", &(MtMetric) { 0 }));
  g_assert_false (mt_task_from_string (NULL, &(MtTask) { 0 }));
}

static void
test_binary_by_hand (void)
{
  MtScored s = binary (p_binary, y_binary, N);
  double brier = 0.01 + 0.04 + 0.49 + 0.16 + 0.2025 + 0.16 + 0.09 + 0.81;
  double loss = -log (0.9 * 0.8 * 0.3 * 0.6 * 0.55 * 0.6 * 0.7 * 0.1);

  /* Positives at ranks 1, 2, 4, 5, 8: of 15 pairs 3 + 3 + 2 + 2 + 0 are right. */
  assert_close (mt_metric_compute (MT_METRIC_AUC, &s), 10.0 / 15.0);
  assert_close (mt_metric_compute (MT_METRIC_LOG_LOSS, &s), loss / N);
  assert_close (mt_metric_compute (MT_METRIC_BRIER, &s), brier / N);
  /* Decided 1 for the first five: TP 4, FP 1, FN 1, TN 2. */
  assert_close (mt_metric_compute (MT_METRIC_ACCURACY, &s), 6.0 / 8.0);
  assert_close (mt_metric_compute (MT_METRIC_BALANCED_ACCURACY, &s), 0.5 * (4.0 / 5.0 + 2.0 / 3.0));
  assert_close (mt_metric_compute (MT_METRIC_F1, &s), 8.0 / 10.0);
  g_assert_true (isnan (mt_metric_compute (MT_METRIC_R2, &s)));
}

static void
test_ties (void)
{
  const double flat[4] = { 0.5, 0.5, 0.5, 0.5 };
  const double zeros[4] = { 0.0, -0.0, 0.0, -0.0 };
  const guint32 y[4] = { 1, 0, 0, 1 };
  MtScored s = binary (flat, y, 4);
  MtRandom random;

  assert_close (mt_metric_compute (MT_METRIC_AUC, &s), 0.5);
  assert_close (mt_metric_compute (MT_METRIC_ACCURACY, &s), 0.5);   /* 0.5 decides for class 0 */
  assert_close (mt_metric_auc (zeros, y, 1, 4), 0.5);

  mt_random_init (&random, 3);
  for (guint round = 0; round < 50; round++)
    {
      /* Few rows are sorted by comparing, more by counting. */
      gsize n = 2 + mt_random_below (&random, 600);
      g_autofree double *scores = g_new (double, n);
      g_autofree guint32 *classes = g_new (guint32, n);

      for (gsize i = 0; i < n; i++)
        {
          /* Few distinct values, both signs: many ties. In every third round numbers of all sizes. */
          scores[i] = round % 3 == 0 ? ldexp (mt_random_normal (&random), (int) mt_random_below (&random, 80) - 40)
                                     : (double) mt_random_below (&random, 9) - 4.0;
          classes[i] = i < 2 ? (guint32) i : (guint32) mt_random_below (&random, 2);
        }
      assert_close (mt_metric_auc (scores, classes, 1, n), auc_by_pairs (scores, classes, 1, n));
      /* The comparator can fail: swapping one positive and one negative score shows. */
      if (scores[0] != scores[1])
        {
          double before = mt_metric_auc (scores, classes, 1, n);
          double t = scores[0];

          scores[0] = scores[1];
          scores[1] = t;
          g_assert_true (fabs (mt_metric_auc (scores, classes, 1, n) - before) > 1e-9);
        }
    }
}

static void
test_multiclass (void)
{
  /* Three classes, class after class; rows sum to one. */
  const double p[3 * 5] = {
    0.7, 0.2, 0.1, 0.4, 0.3,
    0.2, 0.5, 0.3, 0.4, 0.3,
    0.1, 0.3, 0.6, 0.2, 0.4,
  };
  const guint32 y[5] = { 0, 1, 2, 1, 0 };
  MtScored s = { MT_TASK_MULTICLASS, 3, 5, y, NULL, p };
  double macro = 0.0;

  for (guint c = 0; c < 3; c++)
    macro += auc_by_pairs (p + c * 5, y, c, 5) / 3.0;
  assert_close (mt_metric_compute (MT_METRIC_AUC, &s), macro);
  /* Decided 0, 1, 2, 0 (a tie goes down), 2. */
  assert_close (mt_metric_compute (MT_METRIC_ACCURACY, &s), 3.0 / 5.0);
  assert_close (mt_metric_compute (MT_METRIC_BALANCED_ACCURACY, &s), (0.5 + 0.5 + 1.0) / 3.0);
  assert_close (mt_metric_compute (MT_METRIC_F1, &s), (0.5 + 2.0 / 3.0 + 2.0 / 3.0) / 3.0);
  assert_close (mt_metric_compute (MT_METRIC_LOG_LOSS, &s),
                -(log (0.7) + log (0.5) + log (0.6) + log (0.4) + log (0.3)) / 5.0);
  assert_close (mt_metric_compute (MT_METRIC_BRIER, &s),
                (0.09 + 0.04 + 0.01 + 0.04 + 0.25 + 0.09 + 0.01 + 0.09 + 0.16 +
                 0.16 + 0.36 + 0.04 + 0.49 + 0.09 + 0.16) / 5.0);
}

static void
test_regression (void)
{
  const double y[4] = { 1, 2, 3, 6 };
  const double f[4] = { 1, 3, 3, 4 };
  MtScored s = { MT_TASK_REGRESSION, 0, 4, NULL, y, f };

  assert_close (mt_metric_compute (MT_METRIC_R2, &s), 1.0 - 5.0 / 14.0);
  assert_close (mt_metric_compute (MT_METRIC_RMSE, &s), sqrt (5.0 / 4.0));
  assert_close (mt_metric_compute (MT_METRIC_MAE, &s), 3.0 / 4.0);
  g_assert_true (isnan (mt_metric_compute (MT_METRIC_AUC, &s)));
}

static void
test_undefined (void)
{
  const double p[3] = { 0.1, 0.9, NAN };
  const guint32 ones[3] = { 1, 1, 1 };
  const double constant[3] = { 2, 2, 2 };
  MtScored s = binary (p, ones, 2);
  MtScored bad = binary (p, ones, 3);
  MtScored empty = binary (p, ones, 0);
  MtScored flat = { MT_TASK_REGRESSION, 0, 2, NULL, constant, p };
  MtMetric metric = MT_METRIC_AUC;
  MtInterval interval;

  g_assert_true (isnan (mt_metric_compute (MT_METRIC_AUC, &s)));
  assert_close (mt_metric_compute (MT_METRIC_ACCURACY, &s), 0.5);
  for (guint m = 0; m < MT_N_METRICS; m++)
    {
      g_assert_true (isnan (mt_metric_compute ((MtMetric) m, &bad)));
      g_assert_true (isnan (mt_metric_compute ((MtMetric) m, &empty)));
    }
  g_assert_true (isnan (mt_metric_auc (p, ones, 1, 3)));
  g_assert_true (isnan (mt_metric_compute (MT_METRIC_R2, &flat)));
  g_assert_true (mt_metric_bootstrap (&metric, 1, &s, 10, 0.9, 1, NULL, &interval, NULL, NULL));
  g_assert_cmpuint (interval.n_resamples, ==, 0);
  g_assert_true (isnan (interval.low) && isnan (interval.high));
}

static void
test_bootstrap (void)
{
  enum { ROWS = 400, RESAMPLES = 300 };
  g_autofree double *p = g_new (double, ROWS);
  g_autofree guint32 *y = g_new (guint32, ROWS);
  const MtMetric metrics[] = { MT_METRIC_AUC, MT_METRIC_ACCURACY, MT_METRIC_F1, MT_METRIC_BALANCED_ACCURACY };
  MtInterval alone[4], together[4];
  MtScored s = binary (p, y, ROWS);
  g_autoptr (MtPool) pool = mt_pool_new (3);
  double share, se;
  MtRandom random;

  mt_random_init (&random, 7);
  for (gsize i = 0; i < ROWS; i++)
    {
      p[i] = mt_random_double (&random);
      y[i] = mt_random_double (&random) < p[i];
    }
  g_assert_true (mt_metric_bootstrap (metrics, 4, &s, RESAMPLES, 0.95, 11, NULL, alone, NULL, NULL));
  g_assert_true (mt_metric_bootstrap (metrics, 4, &s, RESAMPLES, 0.95, 11, pool, together, NULL, NULL));
  for (guint m = 0; m < 4; m++)
    {
      g_assert_true (alone[m].low == together[m].low && alone[m].high == together[m].high);
      assert_close (alone[m].value, mt_metric_compute (metrics[m], &s));
      g_assert_cmpfloat (alone[m].low, <, alone[m].value);
      g_assert_cmpfloat (alone[m].high, >, alone[m].value);
      g_assert_cmpuint (alone[m].n_resamples, ==, RESAMPLES);
    }
  /* Accuracy is a share, so its interval has to be near ± 1.96 √(q(1-q)/n). */
  share = alone[1].value;
  se = sqrt (share * (1.0 - share) / ROWS);
  g_assert_cmpfloat (fabs (alone[1].low - (share - 1.96 * se)), <, 0.6 * se);
  g_assert_cmpfloat (fabs (alone[1].high - (share + 1.96 * se)), <, 0.6 * se);
  /* Another seed gives other resamples. */
  g_assert_true (mt_metric_bootstrap (metrics, 4, &s, RESAMPLES, 0.95, 12, NULL, together, NULL, NULL));
  g_assert_cmpfloat (together[0].low, !=, alone[0].low);
}

/* A resample's weighted walk must equal repeating the rows and sorting again. With two rows
 * and many resamples every AUC is 0, 1 or undefined, so the ends are known. */
static void
test_bootstrap_weights (void)
{
  const double p[3] = { 0.2, 0.4, 0.6 };
  const guint32 y[3] = { 0, 1, 0 };
  const double values[3] = { 0, 0, 3 }, f[3] = { 0, 0, 0 };
  MtScored s = binary (p, y, 3);
  MtScored numbers = { MT_TASK_REGRESSION, 0, 3, NULL, values, f };
  MtMetric metric = MT_METRIC_AUC, mae = MT_METRIC_MAE;
  MtInterval interval;

  g_assert_true (mt_metric_bootstrap (&metric, 1, &s, 2000, 0.9, 5, NULL, &interval, NULL, NULL));
  assert_close (interval.value, 0.5);
  assert_close (interval.low, 0.0);
  assert_close (interval.high, 1.0);
  /* The positive is drawn, and not alone, with chance 1 - (2/3)³ - (1/3)³ = 18/27. */
  g_assert_cmpuint (interval.n_resamples, >, 1200);
  g_assert_cmpuint (interval.n_resamples, <, 1470);
  /* Row 2 drawn 0 … 3 times: the mean absolute error is 0, 1, 2 or 3. */
  g_assert_true (mt_metric_bootstrap (&mae, 1, &numbers, 2000, 0.9, 5, NULL, &interval, NULL, NULL));
  assert_close (interval.low, 0.0);
  assert_close (interval.high, 2.0);
}

static void
test_bootstrap_cancelled (void)
{
  MtScored s = binary (p_binary, y_binary, N);
  MtMetric metric = MT_METRIC_AUC;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtInterval interval;

  g_cancellable_cancel (cancellable);
  g_assert_false (mt_metric_bootstrap (&metric, 1, &s, 10, 0.9, 1, NULL, &interval, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_calibration (void)
{
  MtScored s = binary (p_binary, y_binary, N);
  MtCalibrationBin bins[4];
  double error;
  guint n = mt_metric_calibration (&s, 1, 4, bins, &error);

  /* Bins hold {.1}, {.4, .3}, {.7, .6, .55}, {.9, .8}. */
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (bins[1].n_rows, ==, 2);
  assert_close (bins[1].mean_predicted, 0.35);
  assert_close (bins[1].observed, 0.0);
  assert_close (bins[2].mean_predicted, (0.7 + 0.6 + 0.55) / 3.0);
  assert_close (bins[2].observed, 2.0 / 3.0);
  assert_close (bins[3].observed, 1.0);
  assert_close (error, (0.9 + 0.7 + fabs (1.85 - 2.0) + 0.3) / N);
  /* The other class is the mirror image; ten bins leave some empty. */
  n = mt_metric_calibration (&s, 0, 4, bins, NULL);
  g_assert_cmpuint (n, ==, 4);
  assert_close (bins[0].observed, 0.0);
  assert_close (bins[0].mean_predicted, 0.15);
}

static void
test_certain (void)
{
  const double p[2] = { 0.0, 1.0 };
  const guint32 y[2] = { 1, 1 };
  MtScored s = binary (p, y, 2);
  MtCalibrationBin bins[3];

  /* A certain mistake costs much, but not infinitely much. */
  assert_close (mt_metric_compute (MT_METRIC_LOG_LOSS, &s), -0.5 * log (1e-15));
  g_assert_cmpuint (mt_metric_calibration (&s, 1, 3, bins, NULL), ==, 2);
  assert_close (bins[1].mean_predicted, 1.0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/metrics/words", test_words);
  g_test_add_func ("/metrics/binary-by-hand", test_binary_by_hand);
  g_test_add_func ("/metrics/auc-equals-all-pairs", test_ties);
  g_test_add_func ("/metrics/multiclass", test_multiclass);
  g_test_add_func ("/metrics/regression", test_regression);
  g_test_add_func ("/metrics/undefined", test_undefined);
  g_test_add_func ("/metrics/bootstrap", test_bootstrap);
  g_test_add_func ("/metrics/bootstrap-weights", test_bootstrap_weights);
  g_test_add_func ("/metrics/bootstrap-cancelled", test_bootstrap_cancelled);
  g_test_add_func ("/metrics/calibration", test_calibration);
  g_test_add_func ("/metrics/certain-mistake", test_certain);
  return g_test_run ();
}
