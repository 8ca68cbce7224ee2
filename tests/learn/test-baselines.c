#include "config.h"

#include <math.h>

#include "learn/mt-baselines.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "testutils.h"

enum { N_ROWS = 400 };

/* a and b are numbers, kind has three levels; the target is linear in a with a corner where kind
 * is k1, so that a tree sees more of it than a line does. */
static MtTable *
make_table (MtTask task)
{
  g_autofree double *a = g_new (double, N_ROWS);
  g_autofree double *b = g_new (double, N_ROWS);
  g_autofree double *y = g_new (double, N_ROWS);
  const char *kinds[N_ROWS], *classes[N_ROWS];
  MtColumn *columns[4];
  MtRandom random;

  mt_random_init (&random, 5);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      double score;

      a[r] = round (mt_random_double (&random) * 1000) / 10;
      b[r] = r % 11 == 0 ? NAN : round (mt_random_normal (&random) * 100) / 10;
      kinds[r] = (const char *[]) { "k0", "k1", "k2" }[mt_random_below (&random, 3)];
      score = (a[r] - 50) / 25 + (kinds[r][1] == '1' && a[r] > 40 ? -4 : 0) + 0.4 * mt_random_normal (&random);
      y[r] = 100 + 10 * score;
      classes[r] = task == MT_TASK_BINARY ? (score > 0 ? "yes" : "no") : score > 1 ? "high" : score > -1 ? "mid" : "low";
    }
  columns[0] = mt_test_numbers ("a", a, N_ROWS);
  columns[1] = mt_test_numbers ("b", b, N_ROWS);
  columns[2] = mt_test_levels ("kind", MT_TYPE_CATEGORY, kinds, N_ROWS);
  columns[3] = task == MT_TASK_REGRESSION ? mt_test_numbers ("y", y, N_ROWS)
                                          : mt_test_levels ("y", MT_TYPE_CATEGORY, classes, N_ROWS);
  return mt_test_table (columns, 4, 3);
}

static MtBaselines *
run (MtTable *table,
     guint    n_folds,
     guint    n_threads)
{
  g_autoptr (MtPool) pool = mt_pool_new (n_threads);
  g_autoptr (GError) error = NULL;
  MtLearnOptions options;
  MtBaselines *baselines;

  mt_learn_options_init (&options);
  options.frontier.n_folds = n_folds;
  baselines = mt_baselines_run (table, NULL, 0, &options, NULL, pool, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return baselines;
}

static double
mean_of (const MtBaselines *baselines,
         MtBaselineKind     kind,
         guint              literals)
{
  MtBaseline baseline;

  mt_baselines_get (baselines, kind, literals, &baseline);
  return baseline.cv_mean;
}

static void
test_order (gconstpointer data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autoptr (MtTable) table = make_table (task);
  g_autoptr (MtBaselines) baselines = run (table, 4, 2);
  double intercept = mean_of (baselines, MT_BASELINE_INTERCEPT, 0);
  double linear = mean_of (baselines, MT_BASELINE_LINEAR, 0);
  double tree = mean_of (baselines, MT_BASELINE_TREE, 30);
  MtBaseline baseline;

  if (task == MT_TASK_REGRESSION)
    g_assert_cmpfloat (fabs (intercept), <, 0.05);
  else
    g_assert_cmpfloat (intercept, ==, 0.5);
  g_assert_cmpfloat (linear, >, intercept + 0.2);
  g_assert_cmpfloat (tree, >, linear);
  g_assert_cmpfloat (mean_of (baselines, MT_BASELINE_BOOSTED, 0), >, linear);
  g_assert_cmpfloat (mean_of (baselines, MT_BASELINE_BOOSTED, 0), <=, 1);
  mt_baselines_get (baselines, MT_BASELINE_LINEAR, 0, &baseline);
  /* a, b, b is missing, three levels */
  g_assert_cmpuint (baseline.size, ==, 6);
  g_assert_cmpuint (baseline.literals, ==, 7);
  g_assert_cmpfloat (baseline.cv_se, >, 0);
  g_assert_true (isnan (baseline.test));
  mt_baselines_get (baselines, MT_BASELINE_BOOSTED, 0, &baseline);
  g_assert_cmpuint (baseline.literals, ==, 0);
  g_assert_cmpuint (baseline.size, >=, 5);
  g_assert_cmpuint (baseline.size, <=, 300);
}

/* A tree of no more than the literals asked for, as large as that allows. */
static void
test_tree_sizes (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_BINARY);
  g_autoptr (MtBaselines) baselines = run (table, 4, 2);
  MtBaseline tree, best;
  guint before = 0;

  for (guint literals = 1; literals <= 60; literals++)
    {
      mt_baselines_get (baselines, MT_BASELINE_TREE, literals, &tree);
      g_assert_cmpuint (tree.literals, <=, literals);
      g_assert_cmpuint (tree.size, >=, before);
      before = tree.size;
    }
  g_assert_cmpuint (before, >, 4);
  mt_baselines_get (baselines, MT_BASELINE_TREE, 1, &tree);
  g_assert_cmpuint (tree.size, ==, 1);
  g_assert_cmpfloat (tree.cv_mean, ==, 0.5);
  mt_baselines_get (baselines, MT_BASELINE_TREE, 0, &best);
  g_assert_cmpfloat (best.cv_mean, >=, mean_of (baselines, MT_BASELINE_TREE, 20));
}

static void
test_threads (gconstpointer data)
{
  static const guint threads[] = { 1, 2, 8 };
  g_autoptr (MtTable) table = make_table (GPOINTER_TO_INT (data));
  g_autoptr (MtBaselines) first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (MtBaselines) other = run (table, 3, threads[i]);

      if (first == NULL)
        first = mt_baselines_ref (other);
      for (guint kind = 0; kind < MT_N_BASELINES; kind++)
        {
          guint n_folds, n_others;
          const double *a = mt_baselines_get_fold_scores (first, kind, 20, &n_folds);
          const double *b = mt_baselines_get_fold_scores (other, kind, 20, &n_others);

          g_assert_cmpmem (a, n_folds * sizeof *a, b, n_others * sizeof *b);
        }
    }
}

/* The folds are those of the frontier: a fold's intercept predicts the mean of the others. */
static void
test_same_folds (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_REGRESSION);
  g_autoptr (MtBaselines) baselines = run (table, 4, 1);
  g_autoptr (MtTarget) target = NULL;
  g_autoptr (MtTargetRows) rows = NULL;
  g_autofree guint8 *fold_of = NULL;
  MtLearnOptions options;
  const double *scores;
  guint n_folds;

  mt_learn_options_init (&options);
  options.frontier.n_folds = 4;
  target = mt_target_new (table, NULL, 0, NULL, NULL);
  rows = mt_target_read (target, table, NULL, 0, NULL);
  fold_of = mt_learn_make_folds (table, rows, &options, NULL);
  scores = mt_baselines_get_fold_scores (baselines, MT_BASELINE_INTERCEPT, 0, &n_folds);
  g_assert_cmpuint (n_folds, ==, 4);
  for (guint f = 0; f < n_folds; f++)
    {
      double sum[2] = { 0 }, n[2] = { 0 }, mean, wrong = 0, spread = 0;

      for (gsize r = 0; r < rows->n_rows; r++)
        {
          sum[fold_of[r] == f] += rows->values[r];
          n[fold_of[r] == f]++;
        }
      mean = sum[0] / n[0];
      for (gsize r = 0; r < rows->n_rows; r++)
        if (fold_of[r] == f)
          {
            wrong += (rows->values[r] - mean) * (rows->values[r] - mean);
            spread += (rows->values[r] - sum[1] / n[1]) * (rows->values[r] - sum[1] / n[1]);
          }
      g_assert_cmpfloat_with_epsilon (scores[f], 1 - wrong / spread, 1e-9);
    }
}

static void
test_test_rows (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_REGRESSION);
  const MtBaselineTest test = { table, NULL, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtBaselines) baselines = NULL;
  MtLearnOptions options;

  mt_learn_options_init (&options);
  options.frontier.n_folds = 0;
  baselines = mt_baselines_run (table, NULL, 0, &options, &test, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  /* Tested on the very rows it learnt from: the same figure, through other code. */
  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    {
      MtBaseline baseline;

      mt_baselines_get (baselines, kind, 20, &baseline);
      g_assert_cmpfloat_with_epsilon (baseline.test, baseline.train, 1e-9);
      g_assert_true (isnan (baseline.cv_mean));
    }
}

typedef struct {
  GCancellable *cancellable;
  guint         n_calls;
} Cancelling;

static void
cancel_soon (double   done,
             gpointer data)
{
  Cancelling *self = data;

  if (++self->n_calls == 3)
    g_cancellable_cancel (self->cancellable);
}

static void
test_refusals (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_MULTICLASS);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Cancelling cancelling = { cancellable, 0 };
  g_autoptr (GError) error = NULL;
  MtLearnOptions options;

  mt_learn_options_init (&options);
  options.frontier.n_folds = 1;
  g_assert_null (mt_baselines_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (g_strstr_len (error->message, -1, "between 2 and 50, not 1"));
  g_clear_error (&error);
  options.frontier.n_folds = 3;
  g_assert_null (mt_baselines_run (table, NULL, 0, &options, NULL, NULL, cancel_soon, &cancelling, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cancelling.n_calls, ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/baselines/order/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_order);
  g_test_add_data_func ("/baselines/order/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_order);
  g_test_add_data_func ("/baselines/order/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_order);
  g_test_add_func ("/baselines/tree-sizes", test_tree_sizes);
  g_test_add_data_func ("/baselines/threads/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_threads);
  g_test_add_data_func ("/baselines/threads/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_threads);
  g_test_add_data_func ("/baselines/threads/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_threads);
  g_test_add_func ("/baselines/same-folds", test_same_folds);
  g_test_add_func ("/baselines/test-rows", test_test_rows);
  g_test_add_func ("/baselines/refusals", test_refusals);
  return g_test_run ();
}
