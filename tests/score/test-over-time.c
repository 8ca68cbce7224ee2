/* Quality and drift over time: periods, their rows, and figures against counting by hand. */
#include "config.h"

#include <math.h>

#include "base/mt-date.h"
#include "mt-core.h"
#include "testutils.h"

#define N 600

typedef struct {
  double      moments[N], predictions[N], values[N];
  guint32     classes[N], rows[N];
  MtColumn   *column;
  MtScored    scored;
  MtMeasuring how;
} Sample;

/* Rows a third of a month apart, so that 600 of them are 200 months; predictions move up after the half. */
static void
sample_init (Sample       *self,
             MtColumnType  type,
             double        step,
             MtTask        task)
{
  MtRandom random;
  double *cells = g_new (double, N);

  mt_random_init (&random, 7);
  for (guint i = 0; i < N; i++)
    {
      self->moments[i] = type == MT_TYPE_DATE ? (double) mt_date_to_days (2019, 11, 20) + step * i : step * i;
      self->predictions[i] = mt_random_double (&random) * 0.5 + (i < N / 2 ? 0 : 0.4);
      self->classes[i] = mt_random_double (&random) < self->predictions[i];
      self->values[i] = self->predictions[i] + mt_random_normal (&random);
      self->rows[i] = N - 1 - i;      /* of the table, which has them the other way round */
      cells[self->rows[i]] = i % 50 == 49 ? NAN : self->moments[i];
    }
  self->column = type == MT_TYPE_DATE ? mt_column_new_numbers ("when", type, cells, N) : mt_test_numbers ("order", cells, N);
  if (type != MT_TYPE_DATE)
    g_free (cells);
  self->scored = (MtScored) { .task = task, .n_classes = task == MT_TASK_BINARY ? 2 : 0, .n_rows = N, .classes = self->classes,
                              .values = self->values, .predictions = self->predictions };
  mt_measuring_init (&self->how, task, 20, 1);
}

static MtOverTime *
measure (Sample *self)
{
  g_autoptr (GError) error = NULL;
  MtOverTime *found = mt_over_time_measure (self->column, self->rows, &self->scored, 1, &self->how, NULL, &error);

  g_assert_no_error (error);
  return found;
}

static void
check_sums (const Sample     *self,
            const MtOverTime *found)
{
  gsize n = found->n_left_out;

  g_assert_cmpuint (found->n_left_out, ==, N / 50);
  for (guint i = 0; i < found->parts->len; i++)
    {
      const MtTimePart *part = &g_array_index (found->parts, MtTimePart, i);

      n += part->n_rows;
      if (i > 0)
        g_assert_cmpfloat (part->place, >, g_array_index (found->parts, MtTimePart, i - 1).place);
    }
  g_assert_cmpuint (n, ==, N);
}

static void
test_periods (void)
{
  /* The step in days, the period that it makes, the name of the first one. */
  static const struct { double step; MtPeriod period; const char *first; } cases[] = {
    { 1, MT_PERIOD_MONTH, "2019-11" }, { 3, MT_PERIOD_QUARTER, "2019 Q4" }, { 30, MT_PERIOD_YEAR, "2019" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtOverTime) found = NULL;
      Sample sample;

      sample_init (&sample, MT_TYPE_DATE, cases[i].step, MT_TASK_BINARY);
      found = measure (&sample);
      g_assert_cmpint (found->period, ==, cases[i].period);
      g_assert_cmpstr (g_array_index (found->parts, MtTimePart, 0).name, ==, cases[i].first);
      g_assert_cmpint (found->metric, ==, MT_METRIC_AUC);
      check_sums (&sample, found);
      if (cases[i].period == MT_PERIOD_MONTH)
        {
          g_assert_cmpuint (g_array_index (found->parts, MtTimePart, 0).n_rows, ==, 11);      /* 20 to 30 November */
          g_assert_cmpfloat (fabs (g_array_index (found->parts, MtTimePart, 0).place - (2019 + 10.5 / 12)), <, 1e-9);
        }
      mt_column_unref (sample.column);
    }
}

static void
test_figures (void)
{
  g_autoptr (MtOverTime) found = NULL;
  const MtTimePart *first, *last;
  double predicted = 0, observed = 0;
  guint n = 0;
  Sample sample;

  sample_init (&sample, MT_TYPE_DATE, 1, MT_TASK_BINARY);
  found = measure (&sample);
  first = &g_array_index (found->parts, MtTimePart, 1);      /* December 2019: days 11 to 41 */
  last = &g_array_index (found->parts, MtTimePart, found->parts->len - 2);
  g_assert_cmpstr (first->name, ==, "2019-12");
  for (guint i = 11; i <= 41; i++)
    if (i % 50 != 49)
      {
        predicted += sample.predictions[i];
        observed += sample.classes[i];
        n++;
      }
  g_assert_cmpuint (first->n_rows, ==, n);
  g_assert_cmpfloat_with_epsilon (first->predicted, predicted / n, 1e-12);
  g_assert_cmpfloat_with_epsilon (first->observed, observed / n, 1e-12);
  g_assert_cmpfloat (first->quality.value, ==, mt_metric_auc (sample.predictions + 11, sample.classes + 11, 1, 31));
  g_assert_cmpfloat (first->quality.low, <=, first->quality.value);
  /* Scores moved up at the half: either half differs much from the whole. */
  g_assert_cmpfloat (first->drift, >, MT_DRIFT_MUCH);
  g_assert_cmpfloat (last->drift, >, MT_DRIFT_MUCH);
  g_assert_cmpfloat (last->predicted, >, first->predicted + 0.2);
  mt_column_unref (sample.column);
}

/* Without a date: tenths, and no drift where there is none. */
static void
test_order (void)
{
  g_autoptr (MtOverTime) found = NULL;
  Sample sample;

  sample_init (&sample, MT_TYPE_NUMBER, 2, MT_TASK_REGRESSION);
  for (guint i = 0; i < N; i++)
    sample.predictions[i] = (i * 7919 % 100) / 100.;
  found = measure (&sample);
  g_assert_cmpint (found->period, ==, MT_PERIOD_PART);
  g_assert_cmpint (found->metric, ==, MT_METRIC_RMSE);
  g_assert_cmpuint (found->parts->len, ==, 10);
  check_sums (&sample, found);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat (g_array_index (found->parts, MtTimePart, i).drift, <, MT_DRIFT_SOME);
  g_assert_true (g_str_has_prefix (g_array_index (found->parts, MtTimePart, 0).name, "0 … "));
  mt_column_unref (sample.column);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/over-time/periods", test_periods);
  g_test_add_func ("/over-time/figures", test_figures);
  g_test_add_func ("/over-time/order", test_order);
  return g_test_run ();
}
