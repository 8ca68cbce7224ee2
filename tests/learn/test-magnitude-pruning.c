/* Pruning by magnitude: what it starts from is the network, what it ends with is the bias. */
#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "learn/mt-frontier.h"
#include "learn/mt-magnitude-pruning.h"
#include "base/mt-random.h"
#include "learn/mt-refine-private.h"

enum { N_GROUPS = 6, N_NUMERIC = 2, N_ROWS = 500 };

static const MtGroup groups[N_GROUPS] = {
  { MT_GROUP_THERMOMETER, 0, 0, 4, FALSE }, { MT_GROUP_THERMOMETER, 1, 4, 4, TRUE },
  { MT_GROUP_ONE_HOT, 2, 8, 3, FALSE },     { MT_GROUP_ONE_HOT, 3, 11, 4, TRUE },
  { MT_GROUP_ONE_HOT, 4, 15, 1, FALSE },    { MT_GROUP_THERMOMETER, 5, 16, 3, FALSE },
};

/* Every code that a group can have is as likely: many rows like no training row. */
static MtEncoded *
make_rows (gsize   n_rows,
           guint64 seed)
{
  g_autofree guint8 *codes = g_malloc (N_GROUPS * n_rows);
  g_autofree double *numeric = g_new (double, N_NUMERIC * n_rows);
  MtRandom random;

  mt_random_init (&random, seed);
  for (guint g = 0; g < N_GROUPS; g++)
    for (gsize r = 0; r < n_rows; r++)
      codes[g * n_rows + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
  for (gsize i = 0; i < N_NUMERIC * n_rows; i++)
    numeric[i] = mt_random_normal (&random);
  return mt_encoded_new (groups, N_GROUPS, codes, numeric, N_NUMERIC, n_rows);
}

static double *
make_target (const MtEncoded *encoded,
             MtTask           task)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  double *target = g_new (double, n_rows);
  MtRandom random;

  mt_random_init (&random, 9);
  for (gsize r = 0; r < n_rows; r++)
    {
      gboolean a = mt_plane_get (mt_encoded_get_plane (encoded, 1), r), b = mt_plane_get (mt_encoded_get_plane (encoded, 9), r);
      double score = 2 * (a && !b) - 1.2 * b + .8 * mt_encoded_get_numeric (encoded, 0)[r] + .3 * mt_random_normal (&random);

      target[r] = task == MT_TASK_REGRESSION ? 1000 + 50 * score :
                  task == MT_TASK_BINARY ? score > .3 : score > 1 ? 2 : score > -.2;
    }
  return target;
}

static MtTrainResult *
train (const MtEncoded *encoded,
       const double    *target,
       MtTask           task)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree guint32 *classes = g_new (guint32, n_rows);
  g_autoptr (GError) error = NULL;
  MtTrainData data = { encoded, task, task == MT_TASK_BINARY ? 2 : task == MT_TASK_MULTICLASS ? 3 : 0, NULL, NULL };
  MtTrainOptions options;
  MtTrainResult *result = NULL;

  for (gsize r = 0; r < n_rows && task != MT_TASK_REGRESSION; r++)
    classes[r] = (guint32) target[r];
  if (task == MT_TASK_REGRESSION)
    data.values = target;
  else
    data.classes = classes;
  mt_train_options_init (&options);
  options.n_nodes = 10;
  options.fan_in = 4;
  options.head = MT_LINEAR_FIT_LEVELS;
  options.start = MT_START_RANDOM;
  options.max_epochs = 20;
  options.n_threads = 1;
  mt_train_run (&data, &options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  return result;
}

static GPtrArray *
prune (const MtTrainResult *result,
       const MtEncoded     *encoded,
       const double        *target,
       MtDontCareMode       mode)
{
  const MtMagnitudePruningOptions options = { .01, 3e-4, 1, result->batch, 1 };
  GPtrArray *visited = mt_refine_visited_new ();
  g_autoptr (GError) error = NULL;
  MtRefineOptions refine;

  mt_refine_options_init (&refine);
  refine.dont_care = mode;
  g_assert_true (mt_magnitude_pruning_run (result->net, encoded, target, &refine, &options, visited, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  return visited;
}

static const MtPathModel *
get (GPtrArray *visited,
     guint      index)
{
  return g_ptr_array_index (visited, index);
}

/* The share of @rows that rules and network score differently. */
static double
differing (const MtNet     *net,
           const MtRuleSet *rules,
           const MtEncoded *rows)
{
  gsize n = mt_encoded_get_n_rows (rows);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree double *a = g_new (double, n_outputs * n);
  g_autofree double *b = g_new (double, n_outputs * n);
  gsize n_differ = 0;

  mt_net_score (net, rows, a);
  mt_rule_set_score (rules, rows, b);
  for (gsize i = 0; i < n_outputs * n; i++)
    n_differ += fabs (a[i] - b[i]) > 1e-6 * (1 + fabs (a[i]));
  return (double) n_differ / (n_outputs * n);
}

static void
test_path (gconstpointer data)
{
  MtTask task = (MtTask) GPOINTER_TO_INT (data);
  g_autoptr (MtEncoded) encoded = make_rows (N_ROWS, 1);
  g_autoptr (MtEncoded) others = make_rows (20000, 2);
  g_autofree double *target = make_target (encoded, task);
  g_autofree double *truth = make_target (others, task);
  g_autoptr (MtTrainResult) result = train (encoded, target, task);
  double best = -INFINITY;

  for (guint mode = 0; mode < 3; mode++)
    {
      g_autoptr (GPtrArray) visited = prune (result, encoded, target, (MtDontCareMode) mode);
      g_autoptr (GPtrArray) again = prune (result, encoded, target, (MtDontCareMode) mode);
      const MtPathModel *last = get (visited, visited->len - 1);

      /* On training rows always, elsewhere as far as the mode promises. */
      g_assert_cmpfloat (differing (result->net, get (visited, 0)->rules, encoded), ==, 0);
      if (mode != MT_DONT_CARE_MODE_UNSEEN)
        g_assert_cmpfloat (differing (result->net, get (visited, 0)->rules, others), ==, 0);
      /* The comparison can fail: the second model has been pruned and tuned. */
      g_assert_cmpfloat (differing (result->net, get (visited, 1)->rules, others), >, .5);

      g_assert_cmpuint (last->complexity, ==, 1);
      g_assert_cmpuint (visited->len, >, 12);
      g_assert_cmpuint (visited->len, ==, again->len);
      for (guint i = 0; i < visited->len; i++)
        {
          g_assert_cmpuint (get (visited, i)->complexity, ==, mt_rule_set_get_complexity (get (visited, i)->rules));
          g_assert_cmpfloat (get (visited, i)->loss, ==, get (again, i)->loss);
          if (get (visited, i)->complexity <= 30)
            best = MAX (best, mt_rule_set_metric (get (visited, i)->rules, others, truth));
        }
    }
  g_assert_cmpfloat (best, >, task == MT_TASK_REGRESSION ? .6 : .8);
}

/* Settings that are recorded are kept to: no numeric term where none is wanted, and rows that weigh as asked for. */
static void
test_settings (void)
{
  g_autoptr (MtEncoded) encoded = make_rows (N_ROWS, 1);
  g_autofree double *target = make_target (encoded, MT_TASK_BINARY);
  g_autoptr (MtTrainResult) result = NULL;
  double share[2] = { 0 };

  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = target[r] > 0 && r % 4 == 0;      /* a rare class */
  result = train (encoded, target, MT_TASK_BINARY);
  for (guint balanced = 0; balanced < 2; balanced++)
    {
      const MtMagnitudePruningOptions options = { .01, 3e-4, 1, result->batch, 1 };
      g_autoptr (GPtrArray) visited = mt_refine_visited_new ();
      g_autofree double *scores = g_new (double, N_ROWS);
      MtRefineOptions refine;

      mt_refine_options_init (&refine);
      refine.numeric_terms = FALSE;
      refine.balance_classes = balanced;
      g_assert_true (mt_magnitude_pruning_run (result->net, encoded, target, &refine, &options, visited, NULL, NULL, NULL, NULL));
      for (guint i = 0; i < visited->len; i++)
        for (guint t = 0; t < mt_rule_set_get_n_terms (get (visited, i)->rules); t++)
          g_assert_false (mt_rule_set_get_term (get (visited, i)->rules, t)->is_numeric);
      /* The last model is the bias alone: the share of the class, or a half where both count the same. */
      mt_rule_set_score (get (visited, visited->len - 1)->rules, encoded, scores);
      share[balanced] = 1 / (1 + exp (-scores[0]));
    }
  g_assert_cmpfloat (share[0], <, .35);
  g_assert_cmpfloat_with_epsilon (share[1], .5, .1);
}

static MtFrontier *
run_frontier (MtFrontierOptions  *options,
              GCancellable       *cancellable,
              GError            **error)
{
  g_autoptr (MtEncoded) encoded = make_rows (N_ROWS, 1);
  g_autofree double *target = make_target (encoded, MT_TASK_BINARY);
  g_autofree guint8 *fold_of = g_malloc (N_ROWS);

  for (gsize r = 0; r < N_ROWS; r++)
    fold_of[r] = (guint8) (r % 3);
  options->n_folds = 3;
  options->method = MT_METHOD_MAGNITUDE;
  options->train.n_nodes = 8;
  options->train.max_epochs = 10;
  return mt_frontier_run (encoded, target, MT_TASK_BINARY, 1, fold_of, options, NULL, NULL, NULL, cancellable, error);
}

/* Its own frontier, judged by the same folds; and what it cannot do it says. */
static void
test_frontier (void)
{
  g_autoptr (MtFrontier) frontier = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtFrontierOptions options;

  mt_frontier_options_init (&options);
  options.n_restarts = 2;
  frontier = run_frontier (&options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_frontier_get_n_points (frontier), >, 3);
  g_assert_cmpfloat (mt_frontier_get_point (frontier, mt_frontier_get_selected (frontier))->cv_mean, >, .75);

  options.n_restarts = 0;
  g_assert_null (run_frontier (&options, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, "pruning by magnitude needs at least one network");
  g_clear_error (&error);
  options.n_restarts = 1;
  options.train.node = MT_NODE_DEEP;
  g_assert_null (run_frontier (&options, NULL, &error));
  g_assert_cmpstr (error->message, ==, "pruning by magnitude needs standard nodes");
  g_clear_error (&error);
  options.train.node = MT_NODE_STANDARD;
  options.refine.no_negation = TRUE;
  g_assert_null (run_frontier (&options, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (g_strstr_len (error->message, -1, "supports only excluded columns"));
  g_clear_error (&error);
  options.refine.no_negation = FALSE;
  g_cancellable_cancel (cancellable);
  g_assert_null (run_frontier (&options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/magnitude/path/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_path);
  g_test_add_data_func ("/magnitude/path/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_path);
  g_test_add_data_func ("/magnitude/path/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_path);
  g_test_add_func ("/magnitude/settings", test_settings);
  g_test_add_func ("/magnitude/frontier", test_frontier);
  return g_test_run ();
}
