/* How good a model is for some of the rows: each group against the metric of its rows alone, and the groups against
 * what the column says. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-random.h"
#include "explain/mt-subgroups.h"
#include "rules/mt-ranking.h"
#include "testutils.h"

enum { N = 300, N_CLASSES = 3 };

/* Predictions for rows that stand in the table in another order. */
typedef struct {
  guint32  rows[N];
  guint32  classes[N];
  double   predictions[N_CLASSES * N];
  MtScored scored;
} Sample;

static void
sample_init (Sample *sample)
{
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint i = 0; i < N; i++)
    {
      double sum = 0;

      sample->rows[i] = (i * 7 + 3) % N;
      sample->classes[i] = (guint32) mt_random_below (&random, N_CLASSES);
      for (guint c = 0; c < N_CLASSES; c++)
        sum += sample->predictions[c * N + i] = mt_random_double (&random) + (c == sample->classes[i] ? 0.4 : 0);
      for (guint c = 0; c < N_CLASSES; c++)
        sample->predictions[c * N + i] /= sum;
    }
  sample->scored = (MtScored) { MT_TASK_MULTICLASS, N_CLASSES, N, sample->classes, NULL, sample->predictions };
}

/* Every row is in the group that its cell names, and the figures are those of these rows. */
static void
assert_measured (const Sample   *sample,
                 const MtColumn *column,
                 GArray         *groups)
{
  guint n_rows = 0;
  gboolean differs = FALSE;

  for (guint g = 0; g < groups->len; g++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, g);
      g_autofree double *predictions = g_new (double, N_CLASSES * group->which->len);
      g_autofree guint32 *classes = g_new (guint32, group->which->len);
      guint n = group->which->len;
      MtScored alone = { MT_TASK_MULTICLASS, N_CLASSES, n, classes, NULL, predictions };

      for (guint i = 0; i < n; i++)
        {
          guint32 at = g_array_index (group->which, guint32, i), row = sample->rows[at];

          g_assert_cmpint (group->name == NULL, ==, mt_column_is_missing (column, row));
          if (group->name != NULL && strstr (group->name, "≤") == NULL)
            {
              g_autofree char *text = mt_column_dup_text (column, row);

              g_assert_cmpstr (text, ==, group->name);
            }
          classes[i] = sample->classes[at];
          for (guint c = 0; c < N_CLASSES; c++)
            predictions[c * n + i] = sample->predictions[c * N + at];
        }
      g_assert_cmpfloat (group->intervals[0].value, ==, mt_metric_compute (MT_METRIC_ACCURACY, &alone));
      g_assert_cmpfloat (group->intervals[0].low, <=, group->intervals[0].value);
      g_assert_cmpfloat (group->intervals[0].high, >=, group->intervals[0].value);
      differs |= group->intervals[0].value != mt_metric_compute (MT_METRIC_ACCURACY, &sample->scored);
      n_rows += n;
    }
  g_assert_cmpuint (n_rows, ==, N);
  g_assert_true (differs);   /* or the comparison could not fail */
}

static GArray *
measure (const Sample   *sample,
         const MtColumn *column,
         gboolean        quarters,
         GError        **error)
{
  MtMeasuring measuring = { .metrics = { MT_METRIC_ACCURACY }, .n_metrics = 1, .n_resamples = 50, .level = 0.9, .seed = 2 };

  return mt_subgroups_measure (column, sample->rows, &sample->scored, N_CLASSES, quarters, &measuring, NULL, error);
}

/* Numbers by value, then words, whatever letter they begin with; missing cells last. */
static void
test_words (void)
{
  static const char * const cells[] = { "10", "9", "1x", "apple", "#", NULL };
  static const char * const order[] = { "9", "10", "#", "1x", "apple", NULL };
  const char *all[N];
  g_autoptr (MtColumn) column = NULL;
  g_autoptr (GArray) groups = NULL;
  g_autoptr (GError) error = NULL;
  Sample sample;

  for (guint i = 0; i < N; i++)
    all[i] = cells[i * 5 % 6];
  column = mt_test_levels ("x", MT_TYPE_CATEGORY, all, N);
  sample_init (&sample);
  groups = measure (&sample, column, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, G_N_ELEMENTS (order));
  for (guint g = 0; g < groups->len; g++)
    g_assert_cmpstr (g_array_index (groups, MtSubgroup, g).name, ==, order[g]);
  assert_measured (&sample, column, groups);
}

/* A number of many values is cut into four parts of about as many rows, between which equal cells do not fall. */
static void
test_quarters (void)
{
  static const double ends[] = { 0, 14, 29, 44, 60 };   /* at values 74, 148 and 222 of the 296 known, ascending */
  static const char * const names[] = { "0 ≤ x < 14", "14 ≤ x < 29", "29 ≤ x < 44", "44 ≤ x ≤ 59", NULL };
  double values[N];
  g_autoptr (MtColumn) column = NULL;
  g_autoptr (GArray) groups = NULL;
  g_autoptr (GError) error = NULL;
  Sample sample;

  for (guint i = 0; i < N; i++)
    values[i] = i % 61 == 60 ? NAN : (double) (i % 61);
  column = mt_test_numbers ("x", values, N);
  sample_init (&sample);
  groups = measure (&sample, column, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, G_N_ELEMENTS (names));
  for (guint g = 0; g < groups->len; g++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, g);

      g_assert_cmpstr (group->name, ==, names[g]);
      for (guint i = 0; i < group->which->len && group->name != NULL; i++)
        {
          double value = values[sample.rows[g_array_index (group->which, guint32, i)]];

          g_assert_true (value >= ends[g] && value < ends[g + 1]);
        }
    }
  assert_measured (&sample, column, groups);

  /* Twelve values are groups of their own, and so are more where no quarters are wanted. */
  g_clear_pointer (&groups, g_array_unref);
  groups = measure (&sample, column, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, 61);
  assert_measured (&sample, column, groups);
}

static void
test_too_many (void)
{
  double values[N];
  g_autoptr (MtColumn) column = NULL;
  g_autoptr (GError) error = NULL;
  Sample sample;

  for (guint i = 0; i < N; i++)
    values[i] = i % (MT_SUBGROUP_MAX + 1);
  column = mt_test_numbers ("x", values, N);
  sample_init (&sample);
  g_assert_null (measure (&sample, column, FALSE, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, "column “x” has more than 100 values; group by a column with fewer");
}

/* Two groups whose figures can be counted by hand: a has 60 rows, b 40, and two cells are missing. */
static void
test_rates (void)
{
  enum { N_ALL = 102 };
  const char *cells[N_ALL];
  guint32 rows[N_ALL], classes[N_ALL];
  double p[N_ALL];
  MtMeasuring measuring = { .metrics = { MT_METRIC_ACCURACY }, .n_metrics = 1, .n_resamples = 10, .level = 0.95, .seed = 2 };
  const MtScored scored = { MT_TASK_BINARY, 2, N_ALL, classes, NULL, p, 0.3 };
  static const char * const words[] = { "no", "yes", NULL };
  g_autoptr (MtColumn) column = NULL;
  g_autoptr (GArray) groups = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = mt_rate_dup_name (MT_RATE_IMPACT_FIRST, words);
  MtSubgroupRates rates[3];
  const MtInterval *a = rates[0].rates, *b = rates[1].rates;

  for (guint i = 0; i < N_ALL; i++)
    {
      rows[i] = i;
      cells[i] = i < 60 ? "a" : i < 100 ? "b" : NULL;
      classes[i] = i < 60 ? i < 20 : i < 70;
      p[i] = i < 60 ? (i < 15 || (i >= 20 && i < 35) ? 0.4 : 0.3) : (i < 64 || (i >= 70 && i < 76) ? 0.4 : 0.1);
    }
  column = mt_test_levels ("x", MT_TYPE_CATEGORY, cells, N_ALL);
  groups = mt_subgroups_measure (column, rows, &scored, 1, TRUE, &measuring, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, 3);
  g_assert_cmpint (mt_subgroups_find_reference (groups), ==, 0);
  mt_subgroups_rate (groups, &scored, 0.3, 0, rates);
  g_assert_cmpfloat_with_epsilon (a[MT_RATE_TRUE].value, 20. / 60, 1e-12);
  g_assert_cmpfloat_with_epsilon (a[MT_RATE_DECIDED].value, 30. / 60, 1e-12);      /* 0.3 is not above 0.3 */
  g_assert_cmpfloat_with_epsilon (a[MT_RATE_RECALL].value, 15. / 20, 1e-12);
  g_assert_cmpfloat_with_epsilon (a[MT_RATE_RECALL_FIRST].value, 25. / 40, 1e-12);
  g_assert_cmpfloat_with_epsilon (a[MT_RATE_PRECISION].value, 15. / 30, 1e-12);
  g_assert_true (isnan (a[MT_RATE_IMPACT].value));       /* the reference */
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_DECIDED].value, 10. / 40, 1e-12);
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_IMPACT].value, 0.25 / 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_IMPACT_FIRST].value, 0.75 / 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_OPPORTUNITY].value, 0.4 - 0.75, 1e-12);
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_OPPORTUNITY_FIRST].value, 24. / 30 - 25. / 40, 1e-12);
  /* Katz: log 0.5 ± 1.96 √(1/10 − 1/40 + 1/30 − 1/60) */
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_IMPACT].low, 0.5 * exp (-1.959963984540054 * sqrt (0.091666666666666667)), 1e-12);
  g_assert_cmpfloat_with_epsilon (b[MT_RATE_IMPACT].high, 0.5 * exp (1.959963984540054 * sqrt (0.091666666666666667)), 1e-12);
  g_assert_cmpfloat_with_epsilon (groups->len > 0 ? g_array_index (groups, MtSubgroup, 1).gap.value : 0,
                                  (10 * 0.4 + 30 * 0.1) / 40 - 10. / 40, 1e-12);
  g_assert_cmpfloat (g_array_index (groups, MtSubgroup, 1).gap.low, <, g_array_index (groups, MtSubgroup, 1).gap.value);
  g_assert_cmpstr (name, ==, "Adverse-impact ratio, “no”");
}

/* Newcombe's own example (1998, 56 of 70 and 48 of 80, method 10), and what has no value. */
static void
test_comparisons (void)
{
  double low, high;

  g_assert_cmpfloat_with_epsilon (mt_difference_interval (56, 70, 48, 80, &low, &high), 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (low, 0.0524, 5e-5);
  g_assert_cmpfloat_with_epsilon (high, 0.3339, 5e-5);
  g_assert_true (isnan (mt_difference_interval (0, 0, 1, 2, &low, &high)) && isnan (low));
  g_assert_true (isnan (mt_ratio_interval (1, 2, 0, 9, &low, &high)) && isnan (high));
  g_assert_cmpfloat (mt_ratio_interval (0, 20, 5, 10, &low, &high), ==, 0);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_true (high > 0 && high < 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/subgroups/words", test_words);
  g_test_add_func ("/subgroups/quarters", test_quarters);
  g_test_add_func ("/subgroups/too-many", test_too_many);
  g_test_add_func ("/subgroups/rates", test_rates);
  g_test_add_func ("/subgroups/comparisons", test_comparisons);
  return g_test_run ();
}
