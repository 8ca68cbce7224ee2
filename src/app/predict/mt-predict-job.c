/* A new file and a model, on another thread. See mt-predict-job.h. */
#include "config.h"
#include "mt-predict-job.h"

#include <glib/gi18n.h>

#define N_PREVIEW   10
#define N_RESAMPLES 1000
#define PROGRESS_MS 100

/* --- a look at its start --- */

void
mt_predict_look_free (MtPredictLook *look)
{
  if (look == NULL)
    return;
  mt_scoring_check_free (look->check);
  g_strfreev (look->names);
  g_free (look);
}

typedef struct {
  MtModel       *model;
  MtPredictLook *look;
} Looking;

static gboolean
take_start (const MtImportPart  *part,
            gpointer             data,
            GError             **error)
{
  Looking *looking = data;
  const MtImport *import = mt_import_part_get_import (part);
  const MtTable *table = mt_import_get_table (import);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    g_strv_builder_add (names, mt_column_get_name (mt_table_get_column (table, c)));
  looking->look = g_new0 (MtPredictLook, 1);
  looking->look->check = mt_scoring_check (looking->model, import);
  looking->look->names = g_strv_builder_end (names);
  looking->look->n_rows = mt_table_get_n_rows (table);
  looking->look->is_whole = mt_import_part_is_whole (part);
  return FALSE;
}

static void
look_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  MtModel *model = data;
  g_autoptr (MtCsvDialect) dialect = mt_scoring_dup_dialect (model);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  MtImportOptions options = { .dialect = dialect, .schema = schema };
  Looking looking = { model, NULL };
  GError *error = NULL;

  if (mt_import_parts (source, NULL, &options, 0, take_start, &looking, cancellable, &error) && looking.look != NULL)
    g_task_return_pointer (task, looking.look, (GDestroyNotify) mt_predict_look_free);
  else
    {
      mt_predict_look_free (looking.look);
      g_task_return_error (task, error != NULL ? error : g_error_new_literal (MT_ERROR, MT_ERROR_PARSE,
                                                                              _("The file has no rows")));
    }
}

void
mt_predict_look_async (MtModel             *model,
                       GFile               *file,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);

  g_task_set_task_data (task, mt_model_ref (model), (GDestroyNotify) mt_model_unref);
  g_task_run_in_thread (task, look_thread);
}

MtPredictLook *
mt_predict_look_finish (GAsyncResult  *result,
                        GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- all of it --- */

typedef struct {
  MtModel               *model;
  MtTable               *table;
  guint32               *rows;
  gsize                  n_rows;
  char                 **keys;
  guint                  n_reasons;
  char                  *output;
  MtFileWriter          *writer;
  GTask                 *task;         /* borrowed */
  MtPredictProgressFunc  progress;
  gpointer               progress_data;
  gint64                 told;         /* when progress was */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_model_unref (job->model);
  g_clear_pointer (&job->table, mt_table_unref);
  g_free (job->rows);
  g_strfreev (job->keys);
  g_free (job->output);
  g_clear_pointer (&job->writer, mt_file_writer_free);
  g_free (job);
}

typedef struct {
  GTask   *task;
  double   share;
  guint64  n_rows;
} Told;

static gboolean
tell (gpointer data)
{
  Told *told = data;
  Job *job = g_task_get_task_data (told->task);

  if (!g_cancellable_is_cancelled (g_task_get_cancellable (told->task)) && !g_task_get_completed (told->task))
    job->progress (told->share, told->n_rows, job->progress_data);
  g_object_unref (told->task);
  g_free (told);
  return G_SOURCE_REMOVE;
}

static void
on_progress (const MtImportProgress *progress,
             gpointer                data)
{
  Job *job = data;
  gint64 now = g_get_monotonic_time ();
  Told *told;

  if (job->progress == NULL || now - job->told < PROGRESS_MS * 1000)
    return;
  job->told = now;
  told = g_new (Told, 1);
  *told = (Told) { g_object_ref (job->task),
                   progress->total_bytes > 0 ? CLAMP ((double) progress->bytes / (double) progress->total_bytes, 0, 1) : -1,
                   progress->rows };
  g_main_context_invoke_full (g_task_get_context (job->task), G_PRIORITY_DEFAULT_IDLE, tell, told, NULL);
}

static gboolean
write_lines (const char  *text,
             gsize        length,
             gpointer     data,
             GError     **error)
{
  Job *job = data;

  return mt_file_writer_write (job->writer, text, length, error);
}

/* Nothing is at @output before the last line is, and nothing at all when it is cancelled. */
static MtScoring *
score (Job           *job,
       GFile         *file,
       GCancellable  *cancellable,
       GError       **error)
{
  g_autoptr (MtScoring) scoring = NULL;
  g_autoptr (MtDrift) drift = NULL;
  MtScoringOptions options = {
    .import = { .progress = on_progress, .progress_data = job },
    .keys = (const char * const *) job->keys,
    .n_reasons = job->n_reasons,
    .n_preview = N_PREVIEW,
    .measure = TRUE,
    .n_resamples = N_RESAMPLES,
    .write = job->output != NULL ? write_lines : NULL,
    .data = job,
  };

  if (job->table != NULL)
    {
      drift = mt_drift_new (job->model, job->table, job->rows, job->n_rows, error);
      if (drift == NULL)
        return NULL;
      options.drift = drift;
    }
  if (job->output != NULL)
    {
      job->writer = mt_file_writer_new (job->output, MT_FILE_REPLACE, 0, error);
      if (job->writer == NULL)
        return NULL;
    }
  scoring = mt_scoring_run (job->model, file, NULL, &options, cancellable, error);
  if (scoring == NULL || g_cancellable_set_error_if_cancelled (cancellable, error) ||
      (job->writer != NULL && !mt_file_writer_commit (job->writer, error)))
    return NULL;
  return g_steal_pointer (&scoring);
}

static void
score_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  GError *error = NULL;
  Job *job = data;
  MtScoring *scoring = score (job, source, cancellable, &error);

  g_clear_pointer (&job->writer, mt_file_writer_free);
  if (scoring != NULL)
    g_task_return_pointer (task, scoring, (GDestroyNotify) mt_scoring_free);
  else
    g_task_return_error (task, error);
}

void
mt_predict_score_async (MtModel               *model,
                        MtTable               *table,
                        const MtTargetRows    *training,
                        GFile                 *file,
                        const char * const    *keys,
                        guint                  n_reasons,
                        GFile                 *output,
                        MtPredictProgressFunc  progress,
                        GCancellable          *cancellable,
                        GAsyncReadyCallback    callback,
                        gpointer               user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->model = mt_model_ref (model);
  if (table != NULL && training != NULL)
    {
      job->table = mt_table_ref (table);
      job->n_rows = training->n_rows;
      job->rows = g_memdup2 (training->rows, training->n_rows * sizeof *training->rows);
    }
  job->keys = g_strdupv ((char **) keys);
  job->n_reasons = n_reasons;
  job->output = output != NULL ? g_strdup (g_file_peek_path (output)) : NULL;
  job->task = task;
  job->progress = progress;
  job->progress_data = user_data;
  g_task_set_task_data (task, job, job_free);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_run_in_thread (task, score_thread);
}

MtScoring *
mt_predict_score_finish (GAsyncResult  *result,
                         GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
