/* How good the selected model is on some of its rows. See mt-performance-operation.h. */
#include "config.h"
#include "mt-performance-operation.h"

#include <glib/gi18n.h>

#include "mt-edit-subject.h"

#define N_RESAMPLES 1000     /* as the report has them */
#define SEED        0

typedef struct {
  MtSelectedModel   *fitted;
  MtPerformanceRows  rows;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_selected_model_unref (job->fitted);
  g_free (job);
}

static MtPerformance *
measure_test (const MtSelectedModel  *fitted,
              guint                   n_classes,
              GError                **error)
{
  g_autoptr (MtTargetRows) truth = NULL;
  g_autoptr (MtEncoded) test = NULL;

  if (!mt_basis_read_test (fitted->basis, &truth, &test, error))
    return NULL;
  if (test == NULL)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARAMS, _("No rows were held out as a test."));
      return NULL;
    }
  return mt_performance_new_rules (MT_PERFORMANCE_TEST, fitted->point.rules, n_classes, test, truth->values, truth->rows,
                                   N_RESAMPLES, SEED);
}

static MtPerformance *
measure_folds (const MtSelectedModel  *fitted,
               guint                   n_classes,
               GCancellable           *cancellable,
               GError                **error)
{
  const MtRunData *basis = fitted->basis;
  g_autoptr (MtEditSubject) subject = mt_edit_subject_new_fitted ((MtSelectedModel *) fitted, &basis->settings);
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&basis->settings);
  g_autofree guint8 *fold_of = NULL;
  MtEditContext context;

  fold_of = mt_edit_subject_init_context (subject, constraints, &context, error);
  if (fold_of == NULL)
    return NULL;
  return mt_performance_new_folds (&context, fitted->point.rules, fitted->history, n_classes, basis->rows->rows,
                                   N_RESAMPLES, SEED, cancellable, error);
}

static void
performance_thread (GTask        *task,
                    gpointer      source,
                    gpointer      data,
                    GCancellable *cancellable)
{
  const Job *job = data;
  const MtSelectedModel *fitted = job->fitted;
  const MtRunData *basis = fitted->basis;
  const char * const *classes = mt_target_get_classes (basis->target);
  guint n_classes = classes != NULL ? g_strv_length ((char **) classes) : 0;
  MtPerformance *found;
  GError *error = NULL;

  if (job->rows == MT_PERFORMANCE_FOLDS)
    found = measure_folds (fitted, n_classes, cancellable, &error);
  else if (job->rows == MT_PERFORMANCE_TEST)
    found = measure_test (fitted, n_classes, &error);
  else
    found = mt_performance_new_rules (MT_PERFORMANCE_TRAINING, fitted->point.rules, n_classes, basis->encoded,
                                      basis->rows->values, basis->rows->rows, N_RESAMPLES, SEED);
  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) mt_performance_unref);
  else
    g_task_return_error (task, error);
}

void
mt_performance_async (gpointer             source,
                      MtSelectedModel     *fitted,
                      MtPerformanceRows    rows,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  Job *job = g_new (Job, 1);

  *job = (Job) { mt_selected_model_ref (fitted), rows };
  g_task_set_source_tag (task, mt_performance_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, performance_thread);
}

MtPerformance *
mt_performance_finish (GAsyncResult  *result,
                       GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
measure_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  g_autofree MtInterval *intervals = g_new0 (MtInterval, MT_N_METRICS);
  GError *error = NULL;

  if (mt_performance_measure (data, intervals, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&intervals), g_free);
  else
    g_task_return_error (task, error);
}

void
mt_performance_measure_async (gpointer             source,
                              MtPerformance       *performance,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);

  g_task_set_source_tag (task, mt_performance_measure_async);
  g_task_set_task_data (task, mt_performance_ref (performance), (GDestroyNotify) mt_performance_unref);
  g_task_run_in_thread (task, measure_thread);
}

MtInterval *
mt_performance_measure_finish (GAsyncResult  *result,
                               GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

typedef struct {
  MtPerformance *performance;
  MtTable       *table;
  char         **columns;
} GroupsJob;

static void
groups_job_free (gpointer data)
{
  GroupsJob *job = data;

  mt_performance_unref (job->performance);
  mt_table_unref (job->table);
  g_strfreev (job->columns);
  g_free (job);
}

static void
subgrouping_free (gpointer data)
{
  MtSubgrouping *self = data;

  g_free (self->column);
  g_clear_pointer (&self->groups, g_array_unref);
  g_free (self->failure);
  g_free (self);
}

static void
groups_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const GroupsJob *job = data;
  const MtPerformance *performance = job->performance;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (subgrouping_free);

  for (guint i = 0; job->columns[i] != NULL; i++)
    {
      const MtColumn *column = mt_table_find_column (job->table, job->columns[i], NULL);
      g_autoptr (GError) error = NULL;
      MtSubgrouping *made;

      if (column == NULL)
        continue;
      made = g_new0 (MtSubgrouping, 1);
      made->column = g_strdup (job->columns[i]);
      g_ptr_array_add (found, made);
      made->groups = mt_subgroups_measure (column, performance->table_rows, &performance->scored, performance->n_outputs, TRUE,
                                           &performance->how, cancellable, &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }
      if (error != NULL)
        made->failure = g_strdup (error->message);
    }
  g_task_return_pointer (task, g_steal_pointer (&found), (GDestroyNotify) g_ptr_array_unref);
}

void
mt_subgroups_async (gpointer             source,
                    MtPerformance       *performance,
                    MtTable             *table,
                    const char * const  *columns,
                    GCancellable        *cancellable,
                    GAsyncReadyCallback  done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  GroupsJob *job = g_new (GroupsJob, 1);

  *job = (GroupsJob) { mt_performance_ref (performance), mt_table_ref (table), g_strdupv ((char **) columns) };
  g_task_set_source_tag (task, mt_subgroups_async);
  g_task_set_task_data (task, job, groups_job_free);
  g_task_run_in_thread (task, groups_thread);
}

GPtrArray *
mt_subgroups_finish (GAsyncResult  *result,
                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- over time --- */

typedef struct {
  MtPerformance  *performance;
  MtTable        *table;      /* holds the column */
  const MtColumn *column;
} TimeJob;

static void
time_job_free (gpointer data)
{
  TimeJob *job = data;

  mt_performance_unref (job->performance);
  mt_table_unref (job->table);
  g_free (job);
}

static void
time_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const TimeJob *job = data;
  const MtPerformance *performance = job->performance;
  GError *error = NULL;
  MtOverTime *found = mt_over_time_measure (job->column, performance->table_rows, &performance->scored, performance->n_outputs,
                                            &performance->how, cancellable, &error);

  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) mt_over_time_free);
  else
    g_task_return_error (task, error);
}

void
mt_performance_time_async (gpointer             source,
                           MtPerformance       *performance,
                           MtTable             *table,
                           const MtColumn      *column,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  TimeJob *job = g_new (TimeJob, 1);

  *job = (TimeJob) { mt_performance_ref (performance), mt_table_ref (table), column };
  g_task_set_source_tag (task, mt_performance_time_async);
  g_task_set_task_data (task, job, time_job_free);
  g_task_run_in_thread (task, time_thread);
}

MtOverTime *
mt_performance_time_finish (GAsyncResult  *result,
                            GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
