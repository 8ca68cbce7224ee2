/* A point of a frontier as a model that stands alone. */
#include "config.h"
#include "mt-learn-model.h"

#include <math.h>

#include "learn/mt-setting.h"
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
    n += mt_task_decide (task, mt_rule_set_get_cutoff (rules), n_outputs, n_rows, a, r) != mt_task_decide (task, mt_rule_set_get_cutoff (rules), n_outputs, n_rows, b, r);
  return n;
}

static guint64
as_count (gint64 n)
{
  return n >= 0 ? (guint64) n : MT_MODEL_NOT_COUNTED;
}

/* --- settings --- */

/* Facts of a run that are no setting have places of their own among the settings. */
#define ORDER_STOPPED     9
#define ORDER_TEST_SHA256 13
#define ORDER_READING     14
#define ORDER_PATH        27
#define ORDER_OVER        28      /* two for each path */
#define ORDER_TRAININGS   34      /* and how many were kept */

/* By how much the folds thought the model better than that of another path, and the standard error. */
static const char * const over_names[MT_N_PATHS][2] = {
  { "over-ttsparse", "over-ttsparse-se" },
  { "over-search", "over-search-se" },
  { "over-plain", "over-plain-se" },
};

typedef struct {
  GArray    *list;     /* of MtModelSetting */
  GPtrArray *texts;    /* that it borrows */
} Settings;

static void
settings_clear (Settings *self)
{
  g_clear_pointer (&self->list, g_array_unref);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

static gboolean
is_listed (const MtSetting      *setting,
           const MtRunSettings  *now,
           const MtRunSettings  *usual,
           const MtLearned      *learned,
           const MtLearnOptions *options)
{
  gboolean is_trained = mt_frontier_get_net (learned->frontier) != NULL;
  gboolean is_unusual = !mt_setting_is_equal (setting, now, usual);
  /* Or was to be trained and could not: what is unusual may be why. */
  gboolean has_network = is_trained || options->frontier.n_restarts > 0 || options->frontier.compare_network;

  if (g_str_equal (setting->name, "split_seed"))
    return now->test_fraction > 0;
  if (g_str_equal (setting->name, "thresholds"))
    return is_unusual || mt_learn_has_fine_thresholds (options, learned->rows->n_rows);
  if (g_str_equal (setting->name, "device"))   /* auto is the CPU, whose bits are the same everywhere */
    return has_network && now->device == MT_DEVICE_CUDA;
  switch (setting->listed)
    {
    case MT_SETTING_LISTED_ALWAYS:
      return TRUE;
    case MT_SETTING_LISTED_NETWORK:
      return has_network && (is_trained || is_unusual);
    case MT_SETTING_LISTED_UNUSUAL_NETWORK:
      return has_network && is_unusual;
    case MT_SETTING_LISTED_UNUSUAL:
      return is_unusual;
    case MT_SETTING_LISTED_ELSEWHERE:
    default:
      return FALSE;
    }
}

static void
add_setting (Settings            *self,
             const MtSetting     *setting,
             const MtRunSettings *now)
{
  MtModelSetting made = { setting->option, MT_SETTING_TEXT };
  char *text;

  if (setting->type == MT_SETTING_TYPE_SWITCH && setting->words == NULL)
    {
      made.kind = MT_SETTING_BOOLEAN;
      made.boolean = mt_setting_get_value (setting, now) != 0;
    }
  else if (setting->type == MT_SETTING_TYPE_CHOICE || setting->type == MT_SETTING_TYPE_SWITCH ||
           setting->type == MT_SETTING_TYPE_SEED || mt_setting_is_auto (setting, now))
    {
      /* As text: a double does not hold every seed. Large ones have always been written as negative numbers. */
      text = setting->type == MT_SETTING_TYPE_SEED
             ? g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) G_STRUCT_MEMBER (guint64, now, setting->offset))
             : mt_setting_dup_text (setting, now);
      g_ptr_array_add (self->texts, text);
      made.text = text;
    }
  else
    {
      made.kind = MT_SETTING_NUMBER;
      made.number = mt_setting_get_value (setting, now);
    }
  g_array_append_val (self->list, made);
}

/* The facts whose place is before @order, and which were not there yet. */
static void
add_facts (Settings              *self,
           const MtLearnOptions  *options,
           gboolean               is_stopped,
           const MtFrontierPoint *point,
           guint                  from,
           guint                  order)
{
  const struct {
    guint          order;
    MtModelSetting setting;
    gboolean       is_there;
  } facts[] = {
    { ORDER_STOPPED, { "stopped", MT_SETTING_BOOLEAN, 0, NULL, is_stopped }, TRUE },
    { ORDER_TEST_SHA256, { "test-sha256", MT_SETTING_TEXT, 0, options->origin.test_sha256, FALSE },
      options->origin.test_sha256 != NULL },
    { ORDER_READING, { "reading", MT_SETTING_TEXT, 0, options->origin.reading, FALSE }, options->origin.reading != NULL },
    { ORDER_PATH, { "path", MT_SETTING_TEXT, 0, mt_path_kind_to_string (point->path), FALSE },
      options->frontier.method == MT_METHOD_EXACT },   /* networks that are pruned have one path only */
  };

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    if (facts[i].is_there && facts[i].order > from && facts[i].order < order)
      g_array_append_vals (self->list, &facts[i].setting, 1);
  for (guint p = 0; p < MT_N_PATHS; p++)
    for (guint i = 0; i < 2; i++)
      {
        const MtModelSetting over = { over_names[p][i], MT_SETTING_NUMBER, i == 0 ? point->over_mean[p] : point->over_se[p],
                                      NULL, FALSE };
        guint place = ORDER_OVER + 2 * p + i;

        if (place > from && place < order && isfinite (point->over_mean[p]) && isfinite (point->over_se[p]))
          g_array_append_val (self->list, over);
      }
  if (point->n_trainings > 0 && ORDER_TRAININGS > from && ORDER_TRAININGS < order)
    {
      const MtModelSetting trainings[] = {
        { "trainings", MT_SETTING_NUMBER, point->n_trainings, NULL, FALSE },
        { "trainings-kept", MT_SETTING_NUMBER, point->n_kept, NULL, FALSE },
      };

      g_array_append_vals (self->list, trainings, G_N_ELEMENTS (trainings));
    }
}

static void
list_settings (Settings             *self,
               const MtLearned      *learned,
               const MtFrontierPoint *point,
               const MtLearnOptions *options)
{
  gboolean is_stopped = mt_frontier_is_stopped (learned->frontier);
  MtLearnOptions defaults;
  MtRunSettings now, usual;
  guint order = 0;

  self->list = g_array_new (FALSE, FALSE, sizeof (MtModelSetting));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  mt_learn_options_init (&defaults);
  mt_run_settings_from_learn (&usual, &defaults);
  mt_run_settings_from_learn (&now, options);
  now.repeats = mt_frontier_get_n_fold_scores (learned->frontier) / MAX (options->frontier.n_folds, 1);   /* in fact */
  for (const MtSetting *setting = mt_setting_next_listed (NULL); setting != NULL;
       setting = mt_setting_next_listed (setting))
    {
      add_facts (self, options, is_stopped, point, order, setting->order);
      order = setting->order;
      if (is_listed (setting, &now, &usual, learned, options))
        add_setting (self, setting, &now);
    }
  add_facts (self, options, is_stopped, point, order, G_MAXUINT);
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
  MtMetric metric = mt_target_get_task (learned->target) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  MtModelMetric metrics[3];
  g_auto (Settings) settings = { 0 };
  g_autoptr (MtRuleSet) rules = mt_rule_set_mark_neutral (point->rules, learned->encoded, learned->rows->values);
  const char * const *tokens = (const char * const *) mt_import_get_dialect (import)->missing_tokens;
  const MtColumn *target;
  MtModelInfo info;

  mt_model_info_init (&info);
  info.target = mt_target_get_name (learned->target);
  info.classes = mt_target_get_classes (learned->target);
  info.dont_care = mt_setting_find ("dont_care")->words[options->frontier.refine.dont_care];
  info.constraints = options->constraints;
  if (tokens != NULL && !g_strv_equal (tokens, mt_missing_get_default_tokens ()))
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
  list_settings (&settings, learned, point, options);
  info.settings = (const MtModelSetting *) (gpointer) settings.list->data;
  info.n_settings = settings.list->len;
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

static const MtModelSetting *
find_fact (const MtModel *model,
           const char    *name,
           MtSettingKind  kind)
{
  const MtModelInfo *info = mt_model_get_info (model);

  for (guint i = 0; i < info->n_settings; i++)
    if (info->settings[i].kind == kind && g_str_equal (info->settings[i].name, name))
      return &info->settings[i];
  return NULL;
}

gboolean
mt_model_read_choice (const MtModel   *model,
                      MtFrontierPoint *point)
{
  const MtModelSetting *path = find_fact (model, "path", MT_SETTING_TEXT);
  const MtModelSetting *trainings = find_fact (model, "trainings", MT_SETTING_NUMBER);
  const MtModelSetting *kept = find_fact (model, "trainings-kept", MT_SETTING_NUMBER);
  gboolean is_known = FALSE;

  point->n_trainings = trainings != NULL ? (guint) CLAMP (trainings->number, 0, G_MAXUINT) : 0;
  point->n_kept = kept != NULL ? (guint) CLAMP (kept->number, 0, G_MAXUINT) : 0;
  for (guint p = 0; p < MT_N_PATHS; p++)
    {
      const MtModelSetting *mean = find_fact (model, over_names[p][0], MT_SETTING_NUMBER);
      const MtModelSetting *se = find_fact (model, over_names[p][1], MT_SETTING_NUMBER);

      point->over_mean[p] = path != NULL && mean != NULL && se != NULL ? mean->number : NAN;
      point->over_se[p] = path != NULL && mean != NULL && se != NULL ? se->number : NAN;
      if (path != NULL && g_str_equal (path->text, mt_path_kind_to_string ((MtPathKind) p)))
        {
          point->path = (MtPathKind) p;
          is_known = TRUE;
        }
    }
  return is_known;
}
