/* The model one looks at as a file of its own, with everything that its run was told: the same bytes as
 * minterm-cli train writes from the same data and settings. Here the test rows are looked at, once: by
 * the model that is handed out. */
#include "config.h"
#include "mt-fitted-model.h"

#include <math.h>

typedef struct {
  MtFitted *fitted;
  MtImport *import;
  char     *reading;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_fitted_unref (job->fitted);
  mt_import_unref (job->import);
  g_free (job->reading);
  g_free (job);
}

static MtModel *
make_model (const Job  *job,
            GError    **error)
{
  const MtBasis *basis = job->fitted->basis;
  const MtLearned learned = {
    .target = basis->target, .encoder = basis->encoder, .encoded = basis->encoded, .rows = basis->rows,
    .frontier = basis->frontier,
  };
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&basis->settings);
  g_autoptr (MtTargetRows) truth = NULL;
  g_autoptr (MtEncoded) test = NULL;
  MtLearnOptions options;

  if (basis->frontier == NULL)   /* of a project: what its network said is not known any more */
    return mt_fitted_dup_model (job->fitted, job->import, error);
  mt_run_settings_to_learn (&basis->settings, &options);
  options.constraints = constraints;
  options.origin.reading = job->reading;
  if (basis->test != NULL)
    {
      truth = mt_target_read (basis->target, basis->table, &g_array_index (basis->test, guint32, 0), basis->test->len,
                              error);
      test = truth != NULL ? mt_encoder_apply (basis->encoder, basis->table, truth->rows, truth->n_rows, NULL, error)
                           : NULL;
      if (test == NULL)
        return NULL;
    }
  return mt_learned_make_model (&learned, &job->fitted->point, &options, job->import,
                                truth != NULL ? truth->n_rows : 0,
                                test != NULL ? mt_rule_set_metric (job->fitted->point.rules, test, truth->values) : NAN,
                                test, error);
}

static void
make_thread (GTask        *task,
             gpointer      source,
             gpointer      job,
             GCancellable *cancellable)
{
  GError *error = NULL;
  MtModel *model = make_model (job, &error);

  if (model != NULL)
    g_task_return_pointer (task, model, (GDestroyNotify) mt_model_unref);
  else
    g_task_return_error (task, error);
}

void
mt_fitted_make_model_async (MtFitted            *fitted,
                            MtImport            *import,
                            MtDecisions         *decisions,
                            GAsyncReadyCallback  callback,
                            gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (fitted != NULL && import != NULL && decisions != NULL);

  job->fitted = mt_fitted_ref (fitted);
  job->import = mt_import_ref (import);
  job->reading = mt_decisions_dup_arguments (decisions, mt_import_get_table (import), fitted->basis->table);
  g_task_set_source_tag (task, mt_fitted_make_model_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, make_thread);
}

MtModel *
mt_fitted_make_model_finish (GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
