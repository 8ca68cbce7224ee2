/* Many trainings at once, where a device wants them so.
 *
 * Jobs over the same encoded rows are a batch; the device opens as many of it as fit, the rest come in
 * the next round. Their preparation, the scan for a start above all, is the CPU's and goes over a pool.
 * After every epoch each net's standing is reported; its state follows while the device works on the next
 * one, to have something to go on from if the device is lost.
 *
 * A net in this file is in one of three states. Ready (is_ready): prepared, and waiting for its
 * turn or learning. Finished: it has a result, and an error if it did not end as it should. Failed
 * to prepare: an error and no result. `open` lists the ready ones that the device has taken in this
 * round; index i there is index i on the device. */
#include "config.h"
#include "mt-train-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-parallel.h"

#define MOST_AT_ONCE 1024      /* nets prepared together: host memory for their states, 16 bytes a parameter */

typedef struct {
  MtTrainJob   *job;
  MtTraining    training;
  MtStopRule    rule;
  gboolean      is_ready;      /* prepared, not finished */
  gboolean      was_stopped;   /* by its own cancellable */
} Net;

typedef struct {
  Net             *nets;
  guint            n_nets;
  float           *shared_y;     /* NULL: every net makes its own */
  GCancellable    *cancellable;

  const MtManyOps *ops;
  gpointer         context;
  Net            **open;         /* the context's, by index */
  guint            n_open;
  MtManyStanding  *standings;
} Batch;

gboolean
mt_train_wants_many (const char *device)
{
  const MtBackendOps *ops = mt_backend_find (device, NULL);

  return ops != NULL && ops->many != NULL;
}

/* --- preparing --- */

/* On the pool: the split, the targets and, if the start is by scan, the scan, which takes most of the time. */
static void
prepare_net (guint    task,
             guint    worker,
             gpointer data)
{
  Batch *self = data;
  Net *net = &self->nets[task];
  const MtTrainOptions *options = net->job->options;

  net->is_ready = mt_training_init (&net->training, net->job, self->shared_y, self->cancellable, &net->job->error);
  net->rule = (MtStopRule) { options->learning_rate, options->max_epochs, options->patience, options->plateau,
                             net->job->progress != NULL };
}

/* Classes are the same numbers for all nets that learn from the same array of them.
 *
 * Regression has no shared targets: each net standardizes by its own training rows. */
static float *
make_shared_y (const MtTrainJob *jobs,
               guint             n_jobs)
{
  const MtTrainData *first = jobs[0].data;
  gsize n_rows = mt_encoded_get_n_rows (first->encoded);
  float *y;

  if (first->task == MT_TASK_REGRESSION)
    return NULL;
  for (guint i = 1; i < n_jobs; i++)
    if (jobs[i].data->classes != first->classes)
      return NULL;
  y = g_new (float, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    y[r] = (float) first->classes[r];
  return y;
}

/* --- the end of a net --- */

/* With the state that the training holds; @error as of mt_train_run(). */
static void
finish (Net     *net,
        gboolean stopped,
        GError  *error)
{
  net->job->result = mt_training_make_result (&net->training, stopped);
  net->job->error = error;
  net->is_ready = FALSE;
}

/* The metric of the best parameters on the validation rows, while the device still has them. */
static void
measure (Batch *self,
         guint  index)
{
  Net *net = self->open[index];
  MtTraining *training = &net->training;
  double loss;

  if (training->n_valid > 0 &&
      self->ops->score (self->context, index, training->state.best, &loss, training->scores, NULL))
    {
      training->has_scores = TRUE;
      net->job->result->metric = mt_training_get_metric (training);
    }
}

/* The net has ended, or all have been cancelled.
 *
 * The order matters: the state is read first (with the best parameters), then the result is made of
 * it, then the metric is measured on the device, which spoils the net there, and last the end is
 * reported. */
static gboolean
fetch_and_finish (Batch     *self,
                  guint      index,
                  gboolean   stopped,
                  GError   **error)
{
  Net *net = self->open[index];
  const GError *numeric = self->standings[index].error;

  if (!self->ops->read (self->context, index, &net->training.state, error))
    return FALSE;
  finish (net, stopped || numeric != NULL, numeric != NULL ? g_error_copy (numeric) : NULL);
  measure (self, index);
  if (numeric == NULL)
    mt_training_report (&net->training, MT_TRAIN_DONE);
  return TRUE;
}

/* --- epochs --- */

/* What a report tells, without the parameters. */
static void
take_standing (Net                  *net,
               const MtManyStanding *standing,
               double                seconds)
{
  MtTraining *training = &net->training;
  MtTrainState shown = training->state;

  training->train_loss = standing->train_loss;
  training->valid_loss = standing->valid_loss;
  training->metric = standing->metric;
  training->epoch_seconds = seconds;
  training->rows_per_second = (double) standing->n_rows / MAX (seconds, 1e-9);
  /* The state itself must stay what was fetched: its numbers and its parameters belong together. */
  training->state.epoch = standing->epoch;
  training->state.best_epoch = standing->best_epoch;
  training->state.best_loss = standing->best_loss;
  training->state.waited = standing->waited;
  training->state.last.n_steps = standing->n_steps;
  mt_training_report (training, MT_TRAIN_RUNNING);
  training->state = shown;
}

/* One net was cancelled by itself; the others go on. */
static gboolean
stop_own (Batch   *self,
          guint    index,
          GError **error)
{
  Net *net = self->open[index];

  if (net->was_stopped || !g_cancellable_is_cancelled (net->job->cancellable))
    return TRUE;
  net->was_stopped = TRUE;
  return self->ops->stop (self->context, index, error) && fetch_and_finish (self, index, TRUE, error);
}

/* FALSE: the device failed, or all are cancelled.
 *
 * A net ends when the device says so, or when its own cancellable was triggered; its result is then
 * fetched while the others go on. Seconds are shared out evenly, so that the rate shown for a net
 * is about its own. */
static gboolean
run_epochs (Batch   *self,
            GError **error)
{
  guint n_left = self->n_open;

  while (n_left > 0)
    {
      gint64 start = g_get_monotonic_time ();
      double seconds;

      if (!self->ops->run_epoch (self->context, self->cancellable, self->standings, error))
        return FALSE;
      seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
      n_left = 0;
      for (guint i = 0; i < self->n_open; i++)
        {
          Net *net = self->open[i];
          const MtManyStanding *standing = &self->standings[i];

          if (!net->is_ready)
            continue;
          if (standing->error == NULL)
            take_standing (net, standing, seconds / self->n_open);
          if (standing->ended ? !fetch_and_finish (self, i, FALSE, error) : !stop_own (self, i, error))
            return FALSE;
          n_left += net->is_ready;
        }
    }
  return TRUE;
}

/* With the epoch that the net's own state is of. */
static GError *
say_where (const Net    *net,
           const GError *error)
{
  guint epoch = net->training.state.epoch;

  return epoch == 0 ? g_error_copy (error)
                    : g_error_new (error->domain, error->code, _("%s from the end of epoch %u"), error->message, epoch);
}

/* What has not finished ends here, with as much as can be had.
 *
 * After a cancellation the device still answers, and each net's last complete epoch is fetched.
 * After a failure it does not: the states that cuda_keep() has kept up to date are used, at most
 * one epoch older. */
static void
end_all (Batch  *self,
         GError *error)
{
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  for (guint i = 0; i < self->n_open; i++)
    {
      Net *net = self->open[i];

      if (!net->is_ready)
        continue;
      memset (&self->standings[i], 0, sizeof self->standings[i]);
      if (!cancelled || !fetch_and_finish (self, i, TRUE, NULL))
        finish (net, TRUE, cancelled ? NULL : say_where (net, error));
    }
}

/* Opens as many nets as fit and trains them to their end. FALSE when the device is of no more use.
 *
 * Nets that do not fit stay ready for the next round. A net that is resumed is written to the
 * device before the first epoch. */
static gboolean
run_round (Batch   *self,
           guint64  memory)
{
  g_autofree MtBackendJob *jobs = g_new (MtBackendJob, self->n_nets);
  g_autofree MtStopRule *rules = g_new (MtStopRule, self->n_nets);
  g_autoptr (GError) error = NULL;
  gboolean ok;
  guint n = 0;

  for (guint i = 0; i < self->n_nets; i++)
    if (self->nets[i].is_ready)
      {
        jobs[n] = self->nets[i].training.job;
        rules[n] = self->nets[i].rule;
        self->open[n++] = &self->nets[i];
      }
  self->n_open = n;
  self->context = self->ops->open (jobs, rules, n, memory, &self->n_open, &error);
  ok = self->context != NULL;
  for (guint i = 0; ok && i < self->n_open; i++)
    if (self->open[i]->training.state.epoch > 0)
      ok = self->ops->write (self->context, i, &self->open[i]->training.state, &error);
  for (guint i = 0; ok && i < self->n_open; i++)
    self->ops->keep (self->context, i, &self->open[i]->training.state);
  if (ok)
    ok = run_epochs (self, &error);
  if (!ok)
    end_all (self, error);
  g_clear_pointer (&self->context, self->ops->close);
  return ok || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Rounds until no net is ready: each opens as many as fit and trains them to their end. After a failure of the
 * device the nets that had not begun get an error; those that had begun keep the state of their last complete
 * epoch. */
static void
run_batch (MtTrainJob      *jobs,
           guint            n_jobs,
           const MtManyOps *ops,
           GCancellable    *cancellable)
{
  g_autoptr (MtPool) pool = NULL;
  g_autofree float *shared_y = make_shared_y (jobs, n_jobs);
  Batch self = { g_new0 (Net, n_jobs), n_jobs, shared_y, cancellable, ops };
  gboolean ok = TRUE;

  self.open = g_new (Net *, n_jobs);
  self.standings = g_new0 (MtManyStanding, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    self.nets[i].job = &jobs[i];
  if (n_jobs > 1)
    pool = mt_pool_new (0);
  mt_pool_run (pool, n_jobs, prepare_net, &self);
  for (;;)
    {
      guint n_ready = 0;
      GError *error = NULL;

      for (guint i = 0; i < n_jobs; i++)
        n_ready += self.nets[i].is_ready;
      if (n_ready == 0)
        break;
      if (ok)
        {
          ok = run_round (&self, jobs[0].options->device_memory);
          continue;
        }
      /* Those that never had their turn. */
      g_set_error (&error, MT_ERROR, MT_ERROR_DEVICE,
                   _("the GPU failed before this training began; use the CPU"));
      for (guint i = 0; i < n_jobs; i++)
        if (self.nets[i].is_ready)
          finish (&self.nets[i], TRUE, g_error_copy (error));
      g_error_free (error);
    }
  for (guint i = 0; i < n_jobs; i++)
    mt_training_clear (&self.nets[i].training);
  g_free (self.nets);
  g_free (self.open);
  g_free (self.standings);
}

/* Only nets that learn from the same encoded rows on the same device can share what is on it. */
static gboolean
belong_together (const MtTrainJob *a,
                 const MtTrainJob *b)
{
  return a->data->encoded == b->data->encoded && a->data->task == b->data->task &&
         g_strcmp0 (a->options->device, b->options->device) == 0 &&
         a->options->device_memory == b->options->device_memory;
}

/* Jobs are taken in their order. Neighbors that share data, device and memory limit form a batch,
 * of at most MOST_AT_ONCE; a backend that trains one net at a time gets them one by one. One job's
 * failure does not touch the others: every job has its own result and error. */
void
mt_train_run_many (MtTrainJob   *jobs,
                   guint         n_jobs,
                   GCancellable *cancellable)
{
  for (guint first = 0, n; first < n_jobs; first += n)
    {
      MtTrainJob *job = &jobs[first];
      const MtBackendOps *ops = mt_backend_find (job->options->device, &job->error);

      n = 1;
      if (ops == NULL)
        continue;
      if (ops->many == NULL)
        {
          mt_train_run (job->data, job->options, job->start, job->n_start, job->resume, job->progress,
                        job->progress_data, job->cancellable != NULL ? job->cancellable : cancellable, &job->result,
                        &job->error);
          continue;
        }
      while (first + n < n_jobs && n < MOST_AT_ONCE && belong_together (job, &jobs[first + n]))
        n++;
      run_batch (job, n, ops->many, cancellable);
    }
}
