/* The model one looks at as a file of its own, with all settings of its run: the same bytes as
 * minterm-cli train writes from the same data and settings. Here the test rows are looked at, once: by
 * the model that is handed out. */
#include "config.h"
#include "mt-selected-model-file.h"

#include <math.h>

typedef struct {
  MtSelectedModel *fitted;
  MtImport *import;
  char     *reading;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_selected_model_unref (job->fitted);
  mt_import_unref (job->import);
  g_free (job->reading);
  g_free (job);
}

/* Figures as mt_learned_make_model() writes them. */
static guint
list_metrics (const MtFrontierPoint *point,
              MtMetric               metric,
              double                 test,
              MtModelMetric         *metrics)
{
  guint n = 0;

  if (isfinite (point->train))
    metrics[n++] = (MtModelMetric) { "train", metric, point->train, FALSE, 0, 0 };
  if (isfinite (point->cv_mean))
    metrics[n++] = (MtModelMetric) { "cv", metric, point->cv_mean, TRUE, point->cv_mean - point->cv_se,
                                     point->cv_mean + point->cv_se };
  if (isfinite (test))
    metrics[n++] = (MtModelMetric) { "test", metric, test, FALSE, 0, 0 };
  return n;
}

/* From what a project has kept of it: all but how the file was read and the figure of the test rows. Settings of
 * networks stand last. */
static MtModel *
make_from_kept (const MtSelectedModel  *fitted,
                const char      *reading,
                gsize            n_test,
                double           test,
                GError         **error)
{
  MtModelInfo info = *mt_model_get_info (fitted->kept);
  MtMetric metric = mt_model_get_task (fitted->kept) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (MtModelSetting));
  const MtModelSetting read = { "reading", MT_SETTING_TEXT, 0, reading, FALSE };
  MtModelMetric metrics[3];
  guint place = 0;

  g_array_append_vals (settings, info.settings, info.n_settings);
  for (guint i = 0; i < info.n_settings; i++)
    if (g_str_equal (info.settings[i].name, "test-fraction") || g_str_equal (info.settings[i].name, "split-seed") ||
        g_str_equal (info.settings[i].name, "test-sha256"))
      place = i + 1;
  if (reading != NULL)
    g_array_insert_val (settings, place, read);
  info.settings = (const MtModelSetting *) (gpointer) settings->data;
  info.n_settings = settings->len;
  info.n_test = n_test;
  info.metrics = metrics;
  info.n_metrics = list_metrics (&fitted->point, metric, test, metrics);
  return mt_model_new ((MtEncoder *) mt_model_get_encoder (fitted->kept), fitted->point.rules, &info, error);
}

/* What was edited is no longer what the network said. Takes @model. */
static MtModel *
add_edits (MtModel        *model,
           MtEditHistory  *history,
           GError        **error)
{
  g_autoptr (MtModel) taken = model;
  MtModelInfo info = *mt_model_get_info (model);

  info.edits = mt_edit_history_get (history, 0);
  info.n_edits = mt_edit_history_get_n (history);
  info.train_differ = MT_MODEL_NOT_COUNTED;
  info.test_differ = MT_MODEL_NOT_COUNTED;
  return mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info, error);
}

MtModel *
mt_selected_model_make_model (MtSelectedModel    *fitted,
                              MtImport    *import,
                              const char  *reading,
                              GError     **error)
{
  const MtRunData *basis = fitted->basis;
  const MtLearned learned = {
    .target = basis->target, .encoder = basis->encoder, .encoded = basis->encoded, .rows = basis->rows,
    .frontier = basis->frontier,
  };
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&basis->settings);
  g_autoptr (MtTargetRows) truth = NULL;
  g_autoptr (MtEncoded) test = NULL;
  MtLearnOptions options;
  MtModel *model;
  gsize n_test;
  double figure;

  /* Of data that have changed since there is no import any more, and nothing is said in its name. */
  if (import == NULL || (basis->frontier == NULL && fitted->kept == NULL) ||
      (basis->sha256 != NULL && g_strcmp0 (basis->sha256, mt_import_get_sha256 (import)) != 0))
    return mt_selected_model_dup_model (fitted, import, error);
  if (!mt_basis_read_test (basis, &truth, &test, error))
    return NULL;
  n_test = truth != NULL ? truth->n_rows : 0;
  figure = test != NULL ? mt_rule_set_metric (fitted->point.rules, test, truth->values) : NAN;
  mt_run_settings_to_learn (&basis->settings, &options);
  options.constraints = constraints;
  options.origin.reading = reading;
  model = basis->frontier == NULL
          ? make_from_kept (fitted, reading, n_test, figure, error)
          : mt_learned_make_model (&learned, &fitted->point, &options, import, n_test, figure, test, error);
  return model != NULL && fitted->history != NULL ? add_edits (model, fitted->history, error) : model;
}

static void
make_thread (GTask        *task,
             gpointer      source,
             gpointer      job,
             GCancellable *cancellable)
{
  GError *error = NULL;
  const Job *made = job;
  MtModel *model = mt_selected_model_make_model (made->fitted, made->import, made->reading, &error);

  if (model != NULL)
    g_task_return_pointer (task, model, (GDestroyNotify) mt_model_unref);
  else
    g_task_return_error (task, error);
}

void
mt_selected_model_make_model_async (MtSelectedModel            *fitted,
                                    MtImport            *import,
                                    MtDecisions         *decisions,
                                    GAsyncReadyCallback  callback,
                                    gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (fitted != NULL && import != NULL && decisions != NULL);

  job->fitted = mt_selected_model_ref (fitted);
  job->import = mt_import_ref (import);
  job->reading = mt_decisions_dup_arguments (decisions, mt_import_get_table (import), fitted->basis->table);
  g_task_set_source_tag (task, mt_selected_model_make_model_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, make_thread);
}

MtModel *
mt_selected_model_make_model_finish (GAsyncResult  *result,
                                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
