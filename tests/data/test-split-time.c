/* Splits by time: later rows are predicted from earlier ones, never the other way round. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "data/mt-split-time.h"
#include "mt-core.h"
#include "testutils.h"

#define N 120

/* Times run against the order of the rows, three rows a time; every 20th time is missing. */
static MtTable *
make_table (const char *first_class,
            gsize       n_first)
{
  double times[N], values[N];
  const char *classes[N];
  MtColumn *columns[4];
  MtColumnRole roles[4] = { MT_ROLE_TIME, MT_ROLE_FEATURE, MT_ROLE_TARGET, MT_ROLE_FEATURE };
  g_autoptr (MtTable) plain = NULL;
  MtTable *table;

  for (guint i = 0; i < N; i++)
    {
      times[i] = i % 20 == 7 ? NAN : (double) ((N - 1 - i) / 3);
      values[i] = i % 11;
      classes[i] = (gsize) (N - 1 - i) < n_first || (n_first > 0 && i % 20 == 7) ? first_class : i % 2 == 0 ? "no" : "yes";
    }
  columns[0] = mt_test_numbers ("when", times, N);
  columns[1] = mt_test_numbers ("x", values, N);
  columns[2] = mt_test_levels ("y", MT_TYPE_CATEGORY, classes, N);
  columns[3] = mt_test_numbers ("z", values, N);
  plain = mt_table_new (columns, 4);
  table = mt_table_with_roles (plain, roles, NULL);
  return table;
}

static double
time_of (const MtTable *table,
         guint32        row)
{
  double at = mt_column_get_number (mt_table_get_column (table, 0), row);

  return isnan (at) ? -INFINITY : at;
}

static void
test_test_rows (void)
{
  g_autoptr (MtTable) table = make_table ("no", 0);
  const MtSplitOptions options = { .seed = 5, .test_fraction = 0.25, .stratify = TRUE };
  const MtSplitOptions other = { .seed = 6, .test_fraction = 0.25, .stratify = TRUE };
  g_autoptr (GArray) train = NULL;
  g_autoptr (GArray) test = NULL;
  g_autoptr (GArray) train_again = NULL;
  g_autoptr (GArray) test_again = NULL;
  g_autoptr (GError) error = NULL;
  double last = -INFINITY;

  g_assert_true (mt_split_test (table, &options, &train, &test, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (train->len + test->len, ==, N);
  g_assert_cmpint (ABS ((int) test->len - 30), <=, 2);     /* equal times stay together */
  for (guint i = 0; i < train->len; i++)
    {
      last = MAX (last, time_of (table, g_array_index (train, guint32, i)));
      g_assert_true (i == 0 || g_array_index (train, guint32, i) > g_array_index (train, guint32, i - 1));
    }
  for (guint i = 0; i < test->len; i++)
    g_assert_cmpfloat (time_of (table, g_array_index (test, guint32, i)), >, last);
  g_assert_true (mt_split_test (table, &other, &train_again, &test_again, &error));
  g_assert_cmpmem (test->data, 4 * test->len, test_again->data, 4 * test_again->len);
}

static void
test_folds (void)
{
  g_autoptr (MtTable) table = make_table ("no", 0);
  const MtSplitOptions options = { .n_folds = 5, .stratify = TRUE };
  guint32 rows[N];
  guint8 fold_of[N];
  g_autoptr (GError) error = NULL;
  guint n_held_out = 0;

  for (guint32 i = 0; i < N; i++)
    rows[i] = i;
  g_assert_true (mt_split_folds (table, rows, N, &options, fold_of, &error));
  g_assert_no_error (error);
  for (guint f = 0; f < options.n_folds; f++)
    {
      double last = -INFINITY, first = INFINITY;
      guint n_learned = 0, n_held = 0;

      for (guint i = 0; i < N; i++)
        {
          gboolean held = mt_split_is_held_out (fold_of[i], f, options.n_folds);
          gboolean learned = mt_split_is_learned (fold_of[i], f, options.n_folds);

          g_assert_false (held && learned);
          if (learned)
            last = MAX (last, time_of (table, i));
          if (held)
            first = MIN (first, time_of (table, i));
          n_learned += learned;
          n_held += held;
        }
      g_assert_cmpfloat (first, >, last);
      g_assert_cmpint (ABS ((int) n_held - N / 6), <=, 3);
      g_assert_cmpint (ABS ((int) n_learned - (int) ((f + 1) * N / 6)), <=, 3);
      n_held_out += n_held;
    }
  g_assert_cmpint (ABS ((int) n_held_out - 5 * N / 6), <=, 3);

  /* Folds that are dealt: every row is held out once and learned from otherwise. */
  g_assert_true (mt_split_is_held_out (3, 3, 5) && !mt_split_is_learned (3, 3, 5));
  g_assert_true (!mt_split_is_held_out (3, 2, 5) && mt_split_is_learned (3, 2, 5) && mt_split_is_learned (3, 4, 5));
  g_assert_true (!mt_split_is_held_out (MT_SPLIT_NO_FOLD, 0, 255) && mt_split_is_learned (MT_SPLIT_NO_FOLD, 0, 255));
}

static void
assert_refused (const MtTable *table,
                guint          n_folds,
                const char    *message)
{
  const MtSplitOptions options = { .n_folds = n_folds, .stratify = TRUE };
  guint32 rows[N];
  guint8 fold_of[N];
  g_autoptr (GError) error = NULL;

  for (guint32 i = 0; i < N; i++)
    rows[i] = i;
  g_assert_false (mt_split_folds (table, rows, N, &options, fold_of, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_refusals (void)
{
  g_autoptr (MtTable) late = make_table ("no", 40);
  g_autoptr (MtTable) fine = make_table ("no", 0);
  MtColumnRole roles[] = { MT_ROLE_TIME, MT_ROLE_GROUP, MT_ROLE_TARGET, MT_ROLE_FEATURE };
  g_autoptr (MtTable) both = mt_table_with_roles (fine, roles, NULL);
  g_autoptr (MtTable) words = NULL;
  const MtSplitOptions options = { .test_fraction = 0.2 };
  g_autoptr (GArray) train = NULL;
  g_autoptr (GArray) test = NULL;
  g_autoptr (GError) error = NULL;

  assert_refused (late, 5, "class “yes” is not among the first");
  assert_refused (both, 5, "only one column can have the role time or group");
  assert_refused (fine, 50, "too few different values for 50 folds");
  assert_refused (fine, 200, "must be 2 to 127");
  roles[0] = MT_ROLE_FEATURE;
  roles[1] = MT_ROLE_FEATURE;
  roles[2] = MT_ROLE_TIME;
  words = mt_table_with_roles (fine, roles, NULL);
  g_assert_false (mt_split_test (words, &options, &train, &test, &error));
  g_assert_nonnull (strstr (error->message, "must be a date or a number"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/split-time/test-rows", test_test_rows);
  g_test_add_func ("/split-time/folds", test_folds);
  g_test_add_func ("/split-time/refusals", test_refusals);
  return g_test_run ();
}
