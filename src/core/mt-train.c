#include "config.h"
#include "mt-train-private.h"

#include <math.h>
#include <string.h>

#include "mt-error.h"
#include "mt-metrics.h"
#include "mt-random.h"

#define MEASURE_EVERY (50 * 1000)      /* µs between two metrics for progress, unless rows are few */
#define FEW_ROWS      2000
#define STREAM_SPLIT 1                 /* random streams of the seed: 0 is the net's start, */
#define STREAM_EPOCH 1000              /* epoch e shuffles with 1000 + e */

/* One training, from checked settings to a result. */
typedef struct {
  const MtTrainData    *data;
  const MtTrainOptions *options;
  MtTrainProgressFunc   progress;
  gpointer              progress_data;

  gsize                 n_train, n_valid;
  guint32              *train_rows, *valid_rows;
  float                *y;                 /* a row of the data */
  double                mean, sd;          /* of a regression target, over training rows */
  float                *class_weights;
  guint                 batch;
  char                 *fingerprint;

  const MtBackendOps   *ops;
  gpointer              context;
  MtNet                *net;
  MtTrainState          state;
  float                *scores;            /* of the validation rows */

  gint64                started, measured;
  double                train_loss, valid_loss;
  double                rows_per_second, epoch_seconds;
} Training;

void
mt_train_result_free (MtTrainResult *result)
{
  if (result == NULL)
    return;
  mt_net_unref (result->net);
  g_clear_pointer (&result->state, g_bytes_unref);
  g_free (result->engine);
  g_free (result);
}

static void
training_clear (Training *self)
{
  if (self->context != NULL)
    self->ops->close (self->context);
  g_free (self->train_rows);
  g_free (self->valid_rows);
  g_free (self->y);
  g_free (self->class_weights);
  g_free (self->fingerprint);
  g_free (self->scores);
  mt_net_unref (self->net);
  mt_train_state_clear (&self->state);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Training, training_clear)

/* --- preparation --- */

/* Sets rows aside, the same share of each class, at least one of each left to learn from. */
static void
split_rows (Training *self)
{
  gsize n_rows = mt_encoded_get_n_rows (self->data->encoded);
  guint n_classes = self->data->task == MT_TASK_REGRESSION ? 1 : self->data->n_classes;
  g_autofree guint32 *order = g_new (guint32, n_rows);
  g_autofree gsize *wanted = g_new0 (gsize, n_classes);
  MtRandom random;

  for (gsize r = 0; r < n_rows; r++)
    {
      order[r] = (guint32) r;
      wanted[n_classes == 1 ? 0 : self->data->classes[r]]++;
    }
  for (guint c = 0; c < n_classes; c++)
    wanted[c] = MIN ((gsize) (self->options->validation * (double) wanted[c] + 0.5),
                     wanted[c] - (wanted[c] > 0));
  mt_random_init_stream (&random, self->options->seed, STREAM_SPLIT);
  mt_random_shuffle (&random, order, n_rows);
  self->train_rows = g_new (guint32, n_rows);
  self->valid_rows = g_new (guint32, n_rows);
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize *left = &wanted[n_classes == 1 ? 0 : self->data->classes[order[i]]];

      if (*left > 0)
        {
          (*left)--;
          self->valid_rows[self->n_valid++] = order[i];
        }
      else
        self->train_rows[self->n_train++] = order[i];
    }
}

static void
make_targets (Training *self)
{
  gsize n_rows = mt_encoded_get_n_rows (self->data->encoded);

  self->y = g_new (float, n_rows);
  self->sd = 1.0;
  if (self->data->task != MT_TASK_REGRESSION)
    {
      for (gsize r = 0; r < n_rows; r++)
        self->y[r] = (float) self->data->classes[r];
      return;
    }
  for (gsize i = 0; i < self->n_train; i++)
    self->mean += self->data->values[self->train_rows[i]] / (double) self->n_train;
  self->sd = 0.0;
  for (gsize i = 0; i < self->n_train; i++)
    {
      double d = self->data->values[self->train_rows[i]] - self->mean;

      self->sd += d * d / (double) self->n_train;
    }
  /* The rows that differ may all have been set aside. */
  self->sd = self->sd > 0.0 ? sqrt (self->sd) : 1.0;
  for (gsize r = 0; r < n_rows; r++)
    self->y[r] = (float) ((self->data->values[r] - self->mean) / self->sd);
}

static void
weigh_classes (Training *self)
{
  guint n_classes = self->data->n_classes;
  g_autofree gsize *counts = NULL;
  g_autofree double *weights = NULL;

  if (!self->options->balance_classes || self->data->task == MT_TASK_REGRESSION)
    return;
  counts = g_new0 (gsize, n_classes);
  for (gsize i = 0; i < self->n_train; i++)
    counts[self->data->classes[self->train_rows[i]]]++;
  weights = mt_task_balance (counts, n_classes);
  self->class_weights = g_new (float, n_classes);
  for (guint c = 0; c < n_classes; c++)
    self->class_weights[c] = (float) weights[c];
}

/* Small data need many steps, large data few large ones: see docs/method.md. */
static guint
batch_by_rows (gsize n_train)
{
  guint batch = 64;

  while (batch < 2048 && (gsize) batch * 32 < n_train)
    batch *= 2;
  return batch;
}

/* Eight bytes at a time by multiplication: the data may be half a gigabyte, and this only
 * guards against a mix-up, not against malice. */
static void
mix (guint64       *hash,
     gconstpointer  data,
     gsize          n_bytes)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < n_bytes; i += 8)
    {
      guint64 word = 0;

      memcpy (&word, bytes + i, MIN (8, n_bytes - i));
      *hash = (*hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      *hash ^= *hash >> 29;
    }
}

/* Everything the result depends on: settings and data. Threads and the number of epochs are not in it. */
static char *
make_fingerprint (const Training  *self,
                  const MtNetNode *start,
                  guint            n_start)
{
  const MtTrainOptions *o = self->options;
  const MtEncoded *encoded = self->data->encoded;
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  const double numbers[] = {
    o->n_nodes, o->fan_in, o->node, o->head, o->start, o->temperature, o->divide_by_tau, self->batch, o->learning_rate,
    o->weight_decay, o->clip, o->patience, o->plateau, o->validation, o->balance_classes, self->data->task,
    self->data->n_classes, (double) n_rows, mt_encoded_get_n_literals (encoded),
  };
  guint64 hash = o->seed;

  mix (&hash, numbers, sizeof numbers);
  for (guint i = 0; i < n_start; i++)
    {
      mix (&hash, start[i].inputs, start[i].n_inputs * sizeof (guint32));
      mix (&hash, start[i].weights, start[i].n_inputs * sizeof (float));
      mix (&hash, &start[i].bias, sizeof (float));
    }
  for (guint g = 0; g < mt_encoded_get_n_groups (encoded); g++)
    mix (&hash, mt_encoded_get_codes (encoded, g), n_rows);
  for (guint u = 0; u < mt_encoded_get_n_numeric (encoded); u++)
    mix (&hash, mt_encoded_get_numeric (encoded, u), n_rows * sizeof (double));
  mix (&hash, self->y, n_rows * sizeof (float));
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
}

static MtNet *
make_net (const Training *self)
{
  const MtEncoded *encoded = self->data->encoded;
  const MtTrainOptions *options = self->options;
  MtNetShape shape = {
    self->data->task, mt_encoded_get_n_literals (encoded), mt_encoded_get_n_numeric (encoded),
    self->data->task == MT_TASK_MULTICLASS ? self->data->n_classes : 1, options->n_nodes, options->fan_in,
    options->node,
  };
  g_autofree guint8 *in_head = g_malloc0 (shape.n_literals);
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  MtNet *net;

  for (guint i = 0; i < shape.n_literals; i++)
    in_head[i] = options->head == MT_HEAD_LITERALS ||
                 (options->head == MT_HEAD_LEVELS &&
                  groups[mt_encoded_get_group_of (encoded, i)].kind == MT_GROUP_ONE_HOT);
  net = mt_net_new (&shape, in_head, options->temperature);
  mt_net_set_target_scale (net, self->mean, self->sd);
  mt_net_randomise (net, options->seed);
  return net;
}

/* --- the epochs --- */

/* AUC or R² of scores of the validation rows. */
static double
validation_metric (const Training *self,
                   const float    *scores)
{
  guint n_outputs = self->net->shape.n_outputs;
  g_autofree double *predictions = g_new (double, MAX (n_outputs * self->n_valid, 1));
  g_autofree guint32 *classes = g_new (guint32, MAX (self->n_valid, 1));
  g_autofree double *values = g_new (double, MAX (self->n_valid, 1));
  MtScored scored = {
    self->data->task, self->data->n_classes, self->n_valid, classes, values, predictions,
  };

  /* AUC needs only the order within an output, and a sigmoid keeps it; a softmax does not. */
  for (gsize r = 0; r < self->n_valid; r++)
    {
      double largest = -INFINITY, sum = 0.0;

      for (guint c = 0; c < n_outputs; c++)
        largest = MAX (largest, (double) scores[c * self->n_valid + r]);
      for (guint c = 0; c < n_outputs; c++)
        sum += exp ((double) scores[c * self->n_valid + r] - largest);
      for (guint c = 0; c < n_outputs; c++)
        predictions[c * self->n_valid + r] =
          n_outputs == 1 ? (double) scores[r] : exp ((double) scores[c * self->n_valid + r] - largest) / sum;
      if (self->data->task == MT_TASK_REGRESSION)
        values[r] = (double) self->y[self->valid_rows[r]];
      else
        classes[r] = self->data->classes[self->valid_rows[r]];
    }
  return mt_metric_compute (self->data->task == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC, &scored);
}

static void
report (Training     *self,
        MtTrainPhase  phase)
{
  const MtTrainState *state = &self->state;
  gint64 now = g_get_monotonic_time ();
  MtTrainProgress progress;
  guint left;

  gboolean measured;

  /* Every epoch, so that a curve has no holes; but a metric that costs more than the epoch would not do. */
  if (self->progress == NULL)
    return;
  measured = self->n_valid > 0 && phase > MT_TRAIN_SCANNING &&
             (phase == MT_TRAIN_DONE || self->n_valid <= FEW_ROWS || now - self->measured >= MEASURE_EVERY);
  if (measured)
    self->measured = now;
  left = MIN (self->options->max_epochs - MIN (state->epoch, self->options->max_epochs),
              self->options->patience - MIN (state->waited, self->options->patience));
  progress = (MtTrainProgress) {
    .phase = phase, .epoch = state->epoch, .max_epochs = self->options->max_epochs,
    .epochs_left = phase == MT_TRAIN_DONE ? 0 : left,
    .step = state->last.n_steps,
    .train_loss = self->train_loss, .valid_loss = self->valid_loss,
    .best_loss = state->best_epoch > 0 ? state->best_loss : NAN,
    .metric = measured ? validation_metric (self, self->scores) : NAN,
    .rows_per_second = self->rows_per_second,
    .seconds_left = phase == MT_TRAIN_DONE ? 0.0 : left * self->epoch_seconds,
  };
  self->progress (&progress, self->progress_data);
}

static gboolean
evaluate (Training     *self,
          GCancellable *cancellable,
          GError      **error)
{
  self->valid_loss = NAN;
  if (self->n_valid == 0)
    return TRUE;
  if (!self->ops->evaluate (self->context, cancellable, &self->valid_loss, self->scores, error))
    return FALSE;
  if (!isfinite (self->valid_loss))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC,
                   "the validation loss stopped being a finite number in epoch %u",
                   self->state.epoch + 1);
      return FALSE;
    }
  return TRUE;
}

/* After a complete epoch: is it the best, and how does training go on? */
static void
judge_epoch (Training *self)
{
  MtTrainState *state = &self->state;
  double loss = self->n_valid > 0 ? self->valid_loss : self->train_loss;

  state->epoch++;
  if (loss < state->best_loss - 1e-6)
    {
      state->best_loss = loss;
      state->best_train_loss = self->train_loss;
      state->best_epoch = state->epoch;
      state->waited = state->waited_plateau = 0;
      memcpy (state->best, state->last.params, state->n_params * sizeof (float));
      return;
    }
  state->waited++;
  if (++state->waited_plateau >= self->options->plateau)
    {
      state->learning_rate *= 0.5;
      state->waited_plateau = 0;
    }
}

static gboolean
run_epochs (Training     *self,
            GCancellable *cancellable,
            GError      **error)
{
  MtTrainState *state = &self->state;
  g_autofree guint32 *order = g_new (guint32, self->n_train);

  while (state->epoch < self->options->max_epochs && state->waited < self->options->patience)
    {
      gint64 start = g_get_monotonic_time ();
      MtEpochStats stats;
      MtRandom random;

      for (gsize i = 0; i < self->n_train; i++)
        order[i] = (guint32) i;
      mt_random_init_stream (&random, self->options->seed, STREAM_EPOCH + state->epoch);
      mt_random_shuffle (&random, order, self->n_train);
      if (!self->ops->run_epoch (self->context, order, self->n_train, state->learning_rate, cancellable,
                                 &stats,
                                 error))
        return FALSE;
      self->train_loss = stats.loss;
      if (!evaluate (self, cancellable, error) || !self->ops->read (self->context, &state->last, error))
        return FALSE;
      judge_epoch (self);
      self->epoch_seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
      self->rows_per_second = (double) stats.n_rows / MAX (self->epoch_seconds, 1e-9);
      report (self, MT_TRAIN_RUNNING);
    }
  return TRUE;
}

/* Sets the state to go on from: the one to resume, or the start. A training that was stopped before
 * its first epoch has nothing to resume, and may not have come to the end of its scan. */
static gboolean
begin (Training         *self,
       const MtNetNode  *start,
       guint             n_start,
       GBytes           *resume,
       GCancellable     *cancellable,
       GError          **error)
{
  MtTrainState *state = &self->state;

  mt_train_state_init (state, self->net->layout.n_params);
  if (resume != NULL && !mt_train_state_from_bytes (state, resume, self->fingerprint, error))
    return FALSE;
  if (state->epoch > 0)
    return TRUE;
  for (guint j = 0; j < MIN (n_start, self->options->n_nodes); j++)
    mt_net_start_node (self->net, j, &start[j]);
  if (n_start == 0 && self->options->start == MT_START_SCAN)
    {
      g_autoptr (GError) local = NULL;

      report (self, MT_TRAIN_SCANNING);
      /* When cancelled, run_epochs() ends at once with what there is. */
      if (!mt_train_start_by_scan (self->net, self->data->encoded, self->y, self->class_weights, self->train_rows,
                                   self->n_train, cancellable, &local) &&
          !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
  state->learning_rate = self->options->learning_rate;
  memcpy (state->last.params, self->net->params, state->n_params * sizeof (float));
  memcpy (state->best, self->net->params, state->n_params * sizeof (float));
  /* Whatever the first epoch reaches is better than not having learnt anything. */
  state->best_loss = G_MAXDOUBLE;
  return TRUE;
}

static MtTrainResult *
make_result (Training *self,
             gboolean  stopped)
{
  MtTrainResult *result = g_new0 (MtTrainResult, 1);
  MtNetState best = self->state.last;
  double loss = NAN;

  result->net = g_steal_pointer (&self->net);
  memcpy (result->net->params, self->state.best, self->state.n_params * sizeof (float));
  result->stopped = stopped;
  result->n_epochs = self->state.epoch;
  result->best_epoch = self->state.best_epoch;
  result->n_steps = self->state.last.n_steps;
  result->train_loss = self->state.best_epoch > 0 ? self->state.best_train_loss : NAN;
  result->valid_loss = self->n_valid > 0 && self->state.best_epoch > 0 ? self->state.best_loss : NAN;
  result->metric = NAN;
  result->batch = self->batch;
  result->engine = mt_backend_dup_name (self->options->device, NULL);
  result->state = mt_train_state_to_bytes (&self->state, self->fingerprint);

  best.params = self->state.best;
  self->net = mt_net_ref (result->net);
  if (self->n_valid > 0 && self->ops->write (self->context, &best, NULL) &&
      self->ops->evaluate (self->context, NULL, &loss, self->scores, NULL))
    result->metric = validation_metric (self, self->scores);
  result->seconds = (double) (g_get_monotonic_time () - self->started) * 1e-6;
  return result;
}

static gboolean
check_start (const MtTrainData    *data,
             const MtTrainOptions *options,
             const MtNetNode      *start,
             guint                 n_start,
             GError              **error)
{
  for (guint j = 0; j < n_start; j++)
    {
      if (start[j].n_inputs > options->fan_in)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "start node %u has %u inputs; fan-in allows %u", j,
                       start[j].n_inputs, options->fan_in);
          return FALSE;
        }
      for (guint i = 0; i < start[j].n_inputs; i++)
        if (start[j].inputs[i] >= mt_encoded_get_n_literals (data->encoded))
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "start node %u: there is no literal %u", j,
                         start[j].inputs[i]);
            return FALSE;
          }
    }
  return TRUE;
}

gboolean
mt_train_run (const MtTrainData    *data,
              const MtTrainOptions *options,
              const MtNetNode      *start,
              guint                 n_start,
              GBytes               *resume,
              MtTrainProgressFunc   progress,
              gpointer              progress_data,
              GCancellable         *cancellable,
              MtTrainResult       **result,
              GError              **error)
{
  g_auto (Training) self = { data, options, progress, progress_data };
  g_autoptr (GError) local = NULL;
  MtBackendJob job;
  gboolean ok, cancelled;

  *result = NULL;
  if (!mt_train_check (data, options, error) || !check_start (data, options, start, n_start, error))
    return FALSE;
  self.started = g_get_monotonic_time ();
  split_rows (&self);
  make_targets (&self);
  weigh_classes (&self);
  self.batch = options->batch == MT_BATCH_AUTO ? batch_by_rows (self.n_train) : (guint) options->batch;
  self.fingerprint = make_fingerprint (&self, start, n_start);
  self.net = make_net (&self);
  self.scores = g_new0 (float, MAX (self.n_valid, 1) * self.net->shape.n_outputs);
  self.ops = mt_backend_find (options->device, error);
  job = (MtBackendJob) {
    .net = self.net, .encoded = data->encoded, .y = self.y, .train_rows = self.train_rows,
    .n_train = self.n_train,
    .valid_rows = self.valid_rows, .n_valid = self.n_valid, .class_weights = self.class_weights,
    .topk = &mt_topk_soft, .batch = self.batch, .n_threads = options->n_threads,
    .weight_decay = (float) options->weight_decay, .clip = (float) options->clip,
    .divide_by_tau = options->divide_by_tau,
  };
  if (self.ops == NULL || (self.ops->supports != NULL && !self.ops->supports (&job, error)))
    return FALSE;
  report (&self, MT_TRAIN_PREPARING);
  if (!begin (&self, start, n_start, resume, cancellable, error))
    return FALSE;
  self.context = self.ops->open (&job, error);
  if (self.context == NULL || (self.state.epoch > 0 && !self.ops->write (self.context, &self.state.last, error)))
    return FALSE;

  ok = run_epochs (&self, cancellable, &local);
  cancelled = g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (ok || cancelled || g_error_matches (local, MT_ERROR, MT_ERROR_NUMERIC) ||
      g_error_matches (local, MT_ERROR, MT_ERROR_DEVICE))
    *result = make_result (&self, !ok);
  if (ok || cancelled)
    {
      report (&self, MT_TRAIN_DONE);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* --- on a thread of its own --- */

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
  job->start = n_start > 0 ? g_memdup2 (start, n_start * sizeof (MtNetNode)) : NULL;
  job->n_start = n_start;
  job->resume = resume != NULL ? g_bytes_ref (resume) : NULL;
  job->context = g_main_context_ref_thread_default ();
  job->progress = progress;
  job->progress_data = progress_data;
  job->progress_destroy = progress_destroy;
  g_task_set_task_data (task, job, job_unref);

  if (!mt_train_check (&job->data, &job->options, &error) ||
      !check_start (&job->data, &job->options, start, n_start, &error))
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
