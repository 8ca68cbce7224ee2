/* A point of a frontier as a model that stands alone. */
#include "config.h"
#include "mt-learn-model.h"

#include <math.h>

#include "rules/mt-rule-insensitive.h"

/* How far two predicted numbers may be apart and still say the same, in standard deviations of the target. */
#define SAME_NUMBER .1

static double
deviation (const MtTargetRows *rows)
{
  double mean = 0, square = 0;

  for (gsize r = 0; r < rows->n_rows; r++)
    mean += rows->values[r] / rows->n_rows;
  for (gsize r = 0; r < rows->n_rows; r++)
    square += (rows->values[r] - mean) * (rows->values[r] - mean) / rows->n_rows;
  return sqrt (square);
}

static gint64
count_far (const double *a,
           const double *b,
           gsize         n_rows,
           double        far)
{
  gint64 n = 0;

  for (gsize r = 0; r < n_rows; r++)
    n += fabs (a[r] - b[r]) > far;
  return n;
}

gint64
mt_learned_count_differing (const MtLearned *learned,
                            const MtRuleSet *rules,
                            const MtEncoded *encoded)
{
  const MtNet *net = mt_frontier_get_net (learned->frontier);
  MtTask task = mt_rule_set_get_task (rules);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = encoded != NULL ? mt_encoded_get_n_rows (encoded) : 0;
  g_autofree double *a = NULL;
  g_autofree double *b = NULL;
  gint64 n = 0;

  if (net == NULL || encoded == NULL)
    return -1;
  a = g_new (double, MAX (n_outputs * n_rows, 1));
  b = g_new (double, MAX (n_outputs * n_rows, 1));
  mt_net_score (net, encoded, a);
  mt_rule_set_score (rules, encoded, b);
  if (task == MT_TASK_REGRESSION)
    return count_far (a, b, n_rows, SAME_NUMBER * deviation (learned->rows));
  mt_task_link (task, n_outputs, n_rows, a);
  mt_task_link (task, n_outputs, n_rows, b);
  for (gsize r = 0; r < n_rows; r++)
    n += mt_task_decide (task, n_outputs, n_rows, a, r) != mt_task_decide (task, n_outputs, n_rows, b, r);
  return n;
}

static guint64
as_count (gint64 n)
{
  return n >= 0 ? (guint64) n : MT_MODEL_NOT_COUNTED;
}

/* How networks were trained; it matters only when there are any, or when one was to be and could not: what is not
 * usual may be why. Learning rate, batch, epochs and device are there only if they are not the usual ones. */
static guint
add_network (const MtFrontierOptions *options,
             gboolean                 is_trained,
             MtModelSetting          *settings)
{
  const MtTrainOptions *train = &options->train;
  MtTrainOptions usual;
  guint n = 0;

  if (!is_trained && options->n_restarts == 0 && !options->compare_network)
    return 0;
  mt_train_options_init (&usual);
  if (is_trained || train->n_nodes != usual.n_nodes)
    settings[n++] = (MtModelSetting) { "nodes", MT_SETTING_NUMBER, train->n_nodes, NULL, FALSE };
  if (is_trained || train->node != usual.node)
    settings[n++] = (MtModelSetting) { "node", MT_SETTING_TEXT, 0, train->node == MT_NODE_DEEP ? "deep" : "standard", FALSE };
  if (is_trained || train->temperature != usual.temperature)
    settings[n++] = (MtModelSetting) { "temperature", MT_SETTING_NUMBER, train->temperature, NULL, FALSE };
  if (train->learning_rate != usual.learning_rate)
    settings[n++] = (MtModelSetting) { "learning-rate", MT_SETTING_NUMBER, train->learning_rate, NULL, FALSE };
  if (train->batch != usual.batch)
    settings[n++] = (MtModelSetting) { "batch", MT_SETTING_NUMBER, train->batch, NULL, FALSE };
  if (train->max_epochs != usual.max_epochs)
    settings[n++] = (MtModelSetting) { "epochs", MT_SETTING_NUMBER, train->max_epochs, NULL, FALSE };
  if (g_strcmp0 (train->device, "cuda") == 0)   /* auto is the CPU, whose bits are the same everywhere */
    settings[n++] = (MtModelSetting) { "device", MT_SETTING_TEXT, 0, "cuda", FALSE };
  return n;
}

/* What is usual of the search stands in no file. */
static guint
add_search (const MtRefineOptions *refine,
            MtModelSetting        *settings)
{
  guint n = 0;

  if (refine->rounds != MT_ROUNDS_AUTO)
    settings[n++] = (MtModelSetting) { "rounds", MT_SETTING_NUMBER, refine->rounds, NULL, FALSE };
  if (!refine->numeric_terms)
    settings[n++] = (MtModelSetting) { "numeric-terms", MT_SETTING_BOOLEAN, 0, NULL, FALSE };
  return n;
}

MtModel *
mt_learned_make_model (const MtLearned        *learned,
                       const MtFrontierPoint  *point,
                       const MtLearnOptions   *options,
                       const MtImport         *import,
                       gsize                   n_test,
                       double                  test,
                       const MtEncoded        *test_rows,
                       GError                **error)
{
  static const char * const modes[] = { "off", "impossible", "unseen" };
  static const char * const starts[] = { "scan", "random" };
  static const char * const thresholds[] = { "auto", "unique", "rows" };
  static const char * const methods[] = { "exact", "magnitude" };
  MtMetric metric = mt_target_get_task (learned->target) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  guint n_repeats = mt_frontier_get_n_fold_scores (learned->frontier) / MAX (options->frontier.n_folds, 1);
  MtModelMetric metrics[3];
  const MtLearnOrigin *origin = &options->origin;
  MtModelSetting settings[24] = {
    { "bits", MT_SETTING_NUMBER, options->encoder.bits, NULL, FALSE },
    { "fan-in", MT_SETTING_NUMBER, options->frontier.refine.fan_in, NULL, FALSE },
    { "refine", MT_SETTING_TEXT, 0, methods[options->frontier.method], FALSE },
    { "folds", MT_SETTING_NUMBER, options->frontier.n_folds, NULL, FALSE },
    { "repeats", MT_SETTING_NUMBER, n_repeats, NULL, FALSE },
    { "restarts", MT_SETTING_NUMBER, options->frontier.n_restarts, NULL, FALSE },
    { "start", MT_SETTING_TEXT, 0, starts[options->frontier.train.start], FALSE },
    { "class-weights", MT_SETTING_TEXT, 0, options->frontier.refine.balance_classes ? "balanced" : "none", FALSE },
    { "stopped", MT_SETTING_BOOLEAN, 0, NULL, mt_frontier_is_stopped (learned->frontier) },
    { "max-literals", MT_SETTING_NUMBER, options->frontier.max_literals, NULL, FALSE },
    { "test-fraction", MT_SETTING_NUMBER, origin->test_fraction, NULL, FALSE },
  };
  guint n_settings = 11;
  MtModelSetting *restarts = &settings[5];
  /* As text: a double does not hold every seed. */
  g_autofree char *split_seed = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) origin->split_seed);
  g_autoptr (MtRuleSet) rules = mt_rule_set_mark_neutral (point->rules, learned->encoded, learned->rows->values);
  const char * const *tokens = (const char * const *) mt_import_get_dialect (import)->missing_tokens;
  const MtColumn *target;
  MtModelInfo info;

  mt_model_info_init (&info);
  info.target = mt_target_get_name (learned->target);
  info.classes = mt_target_get_classes (learned->target);
  info.dont_care = modes[options->frontier.refine.dont_care];
  info.constraints = options->constraints;
  if (tokens != NULL && !g_strv_equal (tokens, mt_csv_default_missing_tokens ()))
    info.missing_tokens = tokens;
  target = mt_table_find_column (mt_import_get_table (import), info.target, NULL);
  if (target != NULL)
    info.target_missing = mt_column_get_missing_values (target);
  info.engine = "cpu";
  info.data_sha256 = mt_import_get_sha256 (import);
  info.n_rows = mt_table_get_n_rows (mt_import_get_table (import));
  info.n_train = learned->rows->n_rows;
  info.n_test = n_test;
  info.train_differ = as_count (mt_learned_count_differing (learned, rules, learned->encoded));
  info.test_differ = as_count (mt_learned_count_differing (learned, rules, test_rows));
  info.seed = options->seed;
  /* None that takes part, one beside: what --restarts auto asks for. */
  if (options->frontier.n_restarts == 0 && options->frontier.compare_network)
    *restarts = (MtModelSetting) { "restarts", MT_SETTING_TEXT, 0, "auto", FALSE };
  if (origin->test_fraction > 0)
    settings[n_settings++] = (MtModelSetting) { "split-seed", MT_SETTING_TEXT, 0, split_seed, FALSE };
  if (origin->test_sha256 != NULL)
    settings[n_settings++] = (MtModelSetting) { "test-sha256", MT_SETTING_TEXT, 0, origin->test_sha256, FALSE };
  if (origin->reading != NULL)
    settings[n_settings++] = (MtModelSetting) { "reading", MT_SETTING_TEXT, 0, origin->reading, FALSE };
  if (options->thresholds != MT_THRESHOLDS_AUTO || mt_learn_has_fine_thresholds (options, learned->rows->n_rows))
    settings[n_settings++] = (MtModelSetting) { "thresholds", MT_SETTING_TEXT, 0, thresholds[options->thresholds], FALSE };
  n_settings += add_network (&options->frontier, mt_frontier_get_net (learned->frontier) != NULL, settings + n_settings);
  n_settings += add_search (&options->frontier.refine, settings + n_settings);
  info.settings = settings;
  info.n_settings = n_settings;
  info.metrics = metrics;
  if (isfinite (point->train))
    metrics[info.n_metrics++] = (MtModelMetric) { "train", metric, point->train, FALSE, 0, 0 };
  if (isfinite (point->cv_mean))
    metrics[info.n_metrics++] = (MtModelMetric) { "cv", metric, point->cv_mean, TRUE,
                                                  point->cv_mean - point->cv_se, point->cv_mean + point->cv_se };
  if (isfinite (test))
    metrics[info.n_metrics++] = (MtModelMetric) { "test", metric, test, FALSE, 0, 0 };
  return mt_model_new (learned->encoder, rules, &info, error);
}
