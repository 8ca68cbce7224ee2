/* A training on a thread of its own, with the newest progress in the caller's main context. */
#include "config.h"
#include "mt-train-private.h"

/* Owned by the task; the thread and at most one pending report hold it too. */
typedef struct {
  gint                 ref_count;     /* atomic */
  MtTrainData          data;
  MtTrainOptions       options;
  char                *device;
  MtNetNode           *start;
  guint                n_start;
  GBytes              *resume;

  GMainContext        *context;
  MtTrainProgressFunc  progress;
  gpointer             progress_data;
  GDestroyNotify       progress_destroy;

  MtTrainProgress     *newest;        /* atomic: the report on its way to the main context, or NULL */
  gboolean             closed;        /* finished: deliver nothing more; the context's thread only */
} Job;

static Job *
job_ref (Job *job)
{
  g_atomic_int_inc (&job->ref_count);
  return job;
}

static void
job_unref (gpointer data)
{
  Job *job = data;

  if (!g_atomic_int_dec_and_test (&job->ref_count))
    return;
  mt_encoded_unref ((MtEncoded *) job->data.encoded);
  g_free ((guint32 *) job->data.classes);
  g_free ((double *) job->data.values);
  g_free (job->device);
  g_free ((gint8 *) job->options.directions);
  g_free ((gint8 *) job->options.numeric_directions);
  g_free (job->start);
  g_clear_pointer (&job->resume, g_bytes_unref);
  g_main_context_unref (job->context);
  if (job->progress_destroy != NULL)
    job->progress_destroy (job->progress_data);
  g_free (job->newest);
  g_free (job);
}

static gboolean
deliver (gpointer data)
{
  Job *job = data;
  g_autofree MtTrainProgress *progress = g_atomic_pointer_exchange (&job->newest, NULL);

  if (!job->closed)
    job->progress (progress, job->progress_data);
  return G_SOURCE_REMOVE;
}

/* On the training thread: leave the newest; whoever finds none there before sends for it. */
static void
post (const MtTrainProgress *progress,
      gpointer               data)
{
  Job *job = data;
  g_autofree MtTrainProgress *older =
    g_atomic_pointer_exchange (&job->newest, g_memdup2 (progress, sizeof *progress));

  if (older == NULL)
    {
      g_autoptr (GSource) source = g_idle_source_new ();

      g_source_set_callback (source, deliver, job_ref (job), job_unref);
      g_source_attach (source, job->context);
    }
}

typedef struct {
  MtTrainResult *result;
  GError        *error;
} Outcome;

static void
outcome_free (gpointer data)
{
  Outcome *outcome = data;

  mt_train_result_free (outcome->result);
  g_clear_error (&outcome->error);
  g_free (outcome);
}

static gpointer
train_main (gpointer data)
{
  g_autoptr (GTask) task = data;
  Job *job = g_task_get_task_data (task);
  Outcome *outcome = g_new0 (Outcome, 1);

  mt_train_run (&job->data, &job->options, job->start, job->n_start, job->resume,
                job->progress != NULL ? post : NULL, job, g_task_get_cancellable (task), &outcome->result,
                &outcome->error);
  g_task_return_pointer (task, outcome, outcome_free);
  return NULL;
}

void
mt_train_async (const MtTrainData    *data,
                const MtTrainOptions *options,
                const MtNetNode      *start,
                guint                 n_start,
                GBytes               *resume,
                MtTrainProgressFunc   progress,
                gpointer              progress_data,
                GDestroyNotify        progress_destroy,
                GCancellable         *cancellable,
                GAsyncReadyCallback   callback,
                gpointer              user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);
  gsize n_rows = mt_encoded_get_n_rows (data->encoded);
  GError *error = NULL;

  g_task_set_source_tag (task, mt_train_async);
  /* A cancelled training still has a result. */
  g_task_set_check_cancellable (task, FALSE);

  g_atomic_int_set (&job->ref_count, 1);
  job->data = *data;
  mt_encoded_ref ((MtEncoded *) data->encoded);
  job->data.classes = data->classes != NULL ? g_memdup2 (data->classes, n_rows * sizeof (guint32)) : NULL;
  job->data.values = data->values != NULL ? g_memdup2 (data->values, n_rows * sizeof (double)) : NULL;
  job->options = *options;
  job->options.device = job->device = g_strdup (options->device);
  job->options.directions = options->directions == NULL ? NULL :
    g_memdup2 (options->directions, mt_encoded_get_n_literals (data->encoded));
  job->options.numeric_directions = options->numeric_directions == NULL ? NULL :
    g_memdup2 (options->numeric_directions, mt_encoded_get_n_numeric (data->encoded));
  job->start = n_start > 0 ? g_memdup2 (start, n_start * sizeof (MtNetNode)) : NULL;
  job->n_start = n_start;
  job->resume = resume != NULL ? g_bytes_ref (resume) : NULL;
  job->context = g_main_context_ref_thread_default ();
  job->progress = progress;
  job->progress_data = progress_data;
  job->progress_destroy = progress_destroy;
  g_task_set_task_data (task, job, job_unref);

  if (!mt_train_check (&job->data, &job->options, &error) ||
      !mt_train_check_start (&job->data, &job->options, start, n_start, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_thread_unref (g_thread_new ("mt-train", train_main, g_steal_pointer (&task)));
}

gboolean
mt_train_finish (GAsyncResult   *async,
                 MtTrainResult **result,
                 GError        **error)
{
  Job *job;
  Outcome *outcome;
  gboolean ok;

  g_return_val_if_fail (g_async_result_is_tagged (async, mt_train_async), FALSE);

  job = job_ref (g_task_get_task_data (G_TASK (async)));
  job->closed = TRUE;
  /* Here, on the caller's thread, and not wherever the last reference goes. */
  if (job->progress_destroy != NULL)
    job->progress_destroy (g_steal_pointer (&job->progress_data));
  job->progress_destroy = NULL;
  job_unref (job);
  *result = NULL;
  outcome = g_task_propagate_pointer (G_TASK (async), error);
  if (outcome == NULL)
    return FALSE;
  *result = g_steal_pointer (&outcome->result);
  ok = outcome->error == NULL;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&outcome->error));
  outcome_free (outcome);
  return ok;
}
