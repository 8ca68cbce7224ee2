/* Gradient training of the network: settings, epochs, early stopping, progress, cancel. See mt-train.h.
 *
 * One training, step by step:
 *
 *   mt_training_init()   checks, split into training and validation rows, targets as floats, class weights,
 *                        batch size, fingerprint, the net, and its start (or the state to resume from)
 *   run_epochs()         shuffle, one pass in batches, validation loss, best so far?, learning rate, report
 *   make_result()        the best parameters, and the last state to go on from
 *   measure()            AUC or R² of the best parameters on the validation rows
 *
 * Random numbers come from streams of the one seed: 0 starts the net, 1 splits the rows. The order of the
 * rows in epoch e is a function of the seed and e (mt-order.h). So a resumed training, which does not split
 * or start, still takes the rows as before. */
#include "config.h"
#include "mt-train-private.h"
#include "mt-order.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"
#include "rules/mt-metrics.h"
#include "base/mt-random.h"

#define MEASURE_EVERY (50 * 1000)      /* µs between two metrics for progress, unless rows are few */
#define FEW_ROWS      2000
#define STREAM_SPLIT 1                 /* random stream of the seed; 0 is the net's start */
#define ORDERS       2                 /* orders of rows are mt-order.h's; in version 1 they were shuffled */

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

void
mt_training_clear (MtTraining *self)
{
  if (self->context != NULL)
    self->ops->close (self->context);
  g_clear_error (&self->error);
  g_free (self->train_rows);
  g_free (self->valid_rows);
  if (!self->has_borrowed_y)
    g_free (self->y);
  g_free (self->class_weights);
  g_free (self->fingerprint);
  g_free (self->scores);
  mt_net_unref (self->net);
  mt_train_state_clear (&self->state);
}

/* --- preparation --- */

/* A row of the data, by its position among those to learn from. */
static guint32
row_at (const MtTrainData *data,
        gsize              position)
{
  return data->rows != NULL ? data->rows[position] : (guint32) position;
}

gsize
mt_train_data_get_n_rows (const MtTrainData *data)
{
  return data->rows != NULL ? data->n_rows : mt_encoded_get_n_rows (data->encoded);
}

/* Sets the share options->validation of the rows aside, for early stopping. Stratified: of each class the same
 * share, rounded, but never all of it, so that there is something of each class to learn from. The rows are
 * shuffled and each goes to validation while its class still wants rows there. train_rows and valid_rows are row
 * numbers of the encoded data, each array long enough for all rows.
 *
 * 100 rows, 30 of them of class 1, and a share of 0.2: 14 rows of class 0 and 6 of class 1 are set
 * aside. A class of two rows with a share of 0.5 gives one to each side; a class of one row stays
 * for learning. */
static void
split_rows (MtTraining *self)
{
  gsize n_rows = mt_train_data_get_n_rows (self->data);
  guint n_classes = self->data->task == MT_TASK_REGRESSION ? 1 : self->data->n_classes;
  g_autofree guint32 *order = g_new (guint32, n_rows);
  g_autofree gsize *wanted = g_new0 (gsize, n_classes);
  MtRandom random;

  for (gsize r = 0; r < n_rows; r++)
    {
      order[r] = row_at (self->data, r);
      wanted[n_classes == 1 ? 0 : self->data->classes[order[r]]]++;
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

/* y for each row, as float: the class number, or the standardized value. Mean and deviation are those of the rows
 * to learn from, so nothing of the validation rows leaks into the scale. A constant target has deviation 1, which
 * leaves zeros. */
static void
make_targets (MtTraining *self)
{
  gsize n_rows = mt_encoded_get_n_rows (self->data->encoded);

  self->sd = 1.0;
  if (self->has_borrowed_y)
    return;
  self->y = g_new0 (float, n_rows);
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
  for (gsize i = 0; i < mt_train_data_get_n_rows (self->data); i++)
    {
      guint32 r = row_at (self->data, i);

      self->y[r] = (float) ((self->data->values[r] - self->mean) / self->sd);
    }
}

/* Balanced classes: mt_task_balance() weighs each class by the inverse of its frequency, on the rows to learn
 * from. NULL afterwards means that all weights are 1. */
static void
weigh_classes (MtTraining *self)
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

/* The smallest power of two from 64 to 2,048 with which an epoch has at most 32 steps. Small data need many steps;
 * large data learn as well from few large ones, which cost less for each row: see docs/method.md.
 *
 * 1,000 rows give 64, 10,000 give 512, and from 32,769 rows on it is 2,048. */
static guint
batch_by_rows (gsize n_train)
{
  guint batch = 64;

  while (batch < 2048 && (gsize) batch * 32 < n_train)
    batch *= 2;
  return batch;
}

/* A running hash of 64 bits, eight bytes at a time: exclusive or, times an odd constant, and the high half folded
 * back. The data may be half a gigabyte, hence no cryptographic hash; this guards against a mix-up (a state of
 * other data), not against malice. */
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

/* A column's values of the rows to learn from: the same for some rows of much data and for all rows of less. */
static void
mix_rows (guint64           *hash,
          const MtTrainData *data,
          gconstpointer      column,
          gsize              n_bytes)
{
  gsize n_rows = mt_train_data_get_n_rows (data);
  g_autofree guint8 *taken = NULL;

  if (data->rows != NULL)
    {
      taken = g_malloc (MAX (n_rows * n_bytes, 1));
      for (gsize i = 0; i < n_rows; i++)
        memcpy (taken + i * n_bytes, (const guint8 *) column + data->rows[i] * n_bytes, n_bytes);
    }
  mix (hash, taken != NULL ? taken : column, n_rows * n_bytes);
}

/* Everything the result depends on: settings and data. Threads and the number of epochs are not in it.
 *
 * Device and memory are not in it either: a training that began on a GPU may go on on the CPU. What
 * is in it decides bytes, so a new setting that changes results must be added here, or a state of
 * other settings would be taken up. */
static char *
make_fingerprint (const MtTraining *self,
                  const MtNetNode  *start,
                  guint             n_start)
{
  const MtTrainOptions *o = self->options;
  const MtEncoded *encoded = self->data->encoded;
  gsize n_rows = mt_train_data_get_n_rows (self->data);
  const double numbers[] = {
    o->n_nodes, o->fan_in, o->node, o->head, o->start, o->temperature, o->divide_by_tau, self->batch, o->learning_rate,
    o->weight_decay, o->clip, o->patience, o->plateau, o->validation, o->balance_classes, self->data->task,
    self->data->n_classes, (double) n_rows, mt_encoded_get_n_literals (encoded), ORDERS,
  };
  guint64 hash = o->seed;

  mix (&hash, numbers, sizeof numbers);
  if (o->no_negation)
    mix (&hash, &o->no_negation, sizeof o->no_negation);
  if (o->directions != NULL)
    mix (&hash, o->directions, mt_encoded_get_n_literals (encoded));
  if (o->numeric_directions != NULL)
    mix (&hash, o->numeric_directions, mt_encoded_get_n_numeric (encoded));
  for (guint i = 0; i < n_start; i++)
    {
      mix (&hash, start[i].inputs, start[i].n_inputs * sizeof (guint32));
      mix (&hash, start[i].weights, start[i].n_inputs * sizeof (float));
      mix (&hash, &start[i].bias, sizeof (float));
    }
  if (o->start_net != NULL)
    mix (&hash, o->start_net->params, o->start_net->layout.n_params * sizeof (float));
  for (guint g = 0; g < mt_encoded_get_n_groups (encoded); g++)
    mix_rows (&hash, self->data, mt_encoded_get_codes (encoded, g), 1);
  for (guint u = 0; u < mt_encoded_get_n_numeric (encoded); u++)
    mix_rows (&hash, self->data, mt_encoded_get_numeric (encoded, u), sizeof (double));
  mix_rows (&hash, self->data, self->y, sizeof (float));
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
}

/* The network to train: a copy of options->start_net in this data's target scale, or a new one. Which literals the
 * head may weigh depends on options->head: all, only levels of categories (numbers then go by their numeric
 * columns), or none. Outputs: one per class with three or more classes, else one. */
static MtNet *
make_net (const MtTraining *self)
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

  if (options->start_net != NULL)
    {
      net = mt_net_copy (options->start_net);
      mt_net_rescale (net, self->mean, self->sd);
      return net;
    }
  for (guint i = 0; i < shape.n_literals; i++)
    in_head[i] = options->head == MT_LINEAR_FIT_LITERALS ||
                 (options->head == MT_LINEAR_FIT_LEVELS &&
                  groups[mt_encoded_get_group_of (encoded, i)].kind == MT_GROUP_ONE_HOT);
  net = mt_net_new (&shape, in_head, options->temperature);
  mt_net_set_target_scale (net, self->mean, self->sd);
  mt_net_randomise (net, options->seed);
  return net;
}

/* --- the epochs --- */

/* AUC or R² on the validation rows, for the curve that the user watches; training itself is steered by the loss.
 * R² is made from standardized values: it does not depend on the scale. */
double
mt_training_get_metric (const MtTraining *self)
{
  const float *scores = self->scores;
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
        sum += mt_exp ((double) scores[c * self->n_valid + r] - largest);
      for (guint c = 0; c < n_outputs; c++)
        predictions[c * self->n_valid + r] =
          n_outputs == 1 ? (double) scores[r] : mt_exp ((double) scores[c * self->n_valid + r] - largest) / sum;
      if (self->data->task == MT_TASK_REGRESSION)
        values[r] = (double) self->y[self->valid_rows[r]];
      else
        classes[r] = self->data->classes[self->valid_rows[r]];
    }
  return mt_metric_compute (self->data->task == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC, &scored);
}

/* Reports to the caller how training stands. The metric is left out when it would cost more than the epochs
 * themselves: on many rows it is computed at most every 50 ms and at the end. What is left to do is bounded twice,
 * by the epochs and by the patience that remains.
 *
 * Called after every epoch, and at the other phases, on the thread that trains; the callback must
 * be quick or hand the numbers on. */
void
mt_training_report (MtTraining   *self,
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
  measured = self->n_valid > 0 && phase > MT_TRAIN_SCANNING && self->has_scores &&
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
    .metric = measured ? mt_training_get_metric (self) : self->metric,
    .rows_per_second = self->rows_per_second,
    .seconds_left = phase == MT_TRAIN_DONE ? 0.0 : left * self->epoch_seconds,
  };
  self->progress (&progress, self->progress_data);
}

/* Loss and scores of the validation rows with the present parameters. Without validation rows the loss is NaN and
 * the training loss decides instead. A loss that is not finite ends the training with an error that names the
 * epoch. */
static gboolean
evaluate (MtTraining   *self,
          GCancellable *cancellable,
          GError      **error)
{
  self->valid_loss = NAN;
  if (self->n_valid == 0)
    return TRUE;
  if (!self->ops->evaluate (self->context, cancellable, &self->valid_loss, self->scores, error))
    return FALSE;
  self->has_scores = TRUE;
  if (!isfinite (self->valid_loss))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC,
                   _("training became unstable: the validation loss is not finite in epoch %u"),
                   self->state.epoch + 1);
      return FALSE;
    }
  return TRUE;
}

/* After a complete epoch: is it the best so far, and how does training go on?
 *
 * An epoch counts as better only if its loss falls by more than 1e-6, so rounding cannot keep a training alive.
 * Then its parameters are copied to state->best, and both counters start over. Otherwise `waited` grows, and
 * training ends when it reaches options->patience; `waited_plateau` grows, too, and every options->plateau epochs
 * without a better one the learning rate is halved.
 *
 * With a patience of 4 and a plateau of 2, the losses .50 .45 .46 .47 .44 .45 .45 .46 .46: the best
 * are epochs 1, 2 and 5; the rate is halved after epochs 4, 7 and 9; training ends after epoch 9,
 * four epochs without a better one. */
static void
judge_epoch (MtTraining *self)
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

/* How good a start is that was brought along.
 *
 * Only for a net that was brought along (rules that became a network): its loss is what training
 * has to improve on. */
static void
judge_start (MtTraining   *self,
             GCancellable *cancellable)
{
  if (self->options->start_net == NULL || self->state.epoch > 0 || self->n_valid == 0 ||
      !evaluate (self, cancellable, NULL))
    return;
  self->start_loss = self->valid_loss;
  mt_training_report (self, MT_TRAIN_RUNNING);
}

/* The order in which an epoch takes the rows: positions in train_rows. It depends on the seed and the number of
 * the epoch alone, so a training that is resumed in epoch 40 goes through the same batches as one that was never
 * stopped, and a device that trains many nets at once makes the same orders by itself. */
static void
fill_order (const MtTraining *self,
            guint32          *order)
{
  MtOrder of = mt_order_of (self->options->seed, self->state.epoch, (guint32) self->n_train);

  for (gsize i = 0; i < self->n_train; i++)
    order[i] = mt_order_at (&of, (guint32) i);
}

/* The loop on one net: shuffle, one pass over the rows, evaluate, judge, report. It ends after max_epochs, when
 * patience is used up, on cancellation, or with an error. state->last is read back from the backend after each
 * epoch, so a cancelled training loses at most the epoch in progress. */
static gboolean
run_epochs (MtTraining   *self,
            GCancellable *cancellable,
            GError      **error)
{
  MtTrainState *state = &self->state;
  g_autofree guint32 *order = g_new (guint32, self->n_train);

  while (state->epoch < self->options->max_epochs && state->waited < self->options->patience)
    {
      gint64 start = g_get_monotonic_time ();
      MtEpochStats stats;

      fill_order (self, order);
      if (!self->ops->run_epoch (self->context, order, self->n_train, state->learning_rate, cancellable,
                                 &stats, error))
        return FALSE;
      self->train_loss = stats.loss;
      if (!evaluate (self, cancellable, error) || !self->ops->read (self->context, &state->last, error))
        return FALSE;
      judge_epoch (self);
      self->epoch_seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
      self->rows_per_second = (double) stats.n_rows / MAX (self->epoch_seconds, 1e-9);
      mt_training_report (self, MT_TRAIN_RUNNING);
    }
  return TRUE;
}

/* Sets the state to go on from: the one to resume, or the start. A training that was stopped before
 * its first epoch has nothing to resume, and may not have come to the end of its scan.
 *
 * The order: the state to resume, then one that was kept for the same fingerprint, then the start
 * (given nodes, a given net, or the scan). Constraints are applied to the start, so the first step
 * already keeps to them. */
static gboolean
begin (MtTraining       *self,
       const MtNetNode  *start,
       guint             n_start,
       GBytes           *resume,
       GCancellable     *cancellable,
       GError          **error)
{
  MtTrainState *state = &self->state;

  g_autoptr (GBytes) kept = NULL;

  mt_train_state_init (state, self->net->layout.n_params);
  if (resume == NULL && self->options->keep != NULL)
    resume = kept = mt_train_checkpoints_dup (self->options->keep, self->fingerprint);
  if (resume != NULL && !mt_train_state_from_bytes (state, resume, self->fingerprint, error))
    return FALSE;
  if (state->epoch > 0)
    return TRUE;
  for (guint j = 0; j < MIN (n_start, self->options->n_nodes); j++)
    mt_net_start_node (self->net, j, &start[j]);
  if (n_start == 0 && self->options->start_net == NULL && self->options->start == MT_START_SCAN)
    {
      g_autoptr (GError) local = NULL;

      mt_training_report (self, MT_TRAIN_SCANNING);
      /* When cancelled, run_epochs() ends at once with what there is. */
      if (!mt_train_start_by_scan (self->net, self->data->encoded, self->y, self->class_weights, self->train_rows,
                                   self->n_train, &self->job.limits, self->device,
                                   self->options->device_memory, cancellable, &local) &&
          !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
  if (mt_net_constraints_are_set (&self->job.limits))
    mt_net_constraints_start (&self->job.limits, self->net);
  state->learning_rate = self->options->learning_rate;
  memcpy (state->last.params, self->net->params, state->n_params * sizeof (float));
  memcpy (state->best, self->net->params, state->n_params * sizeof (float));
  /* Whatever the first epoch reaches is better than not having learned anything. */
  state->best_loss = G_MAXDOUBLE;
  return TRUE;
}

/* The net becomes the result's, with the best parameters in it; the training keeps a reference,
 * because the metric is measured afterwards. NaN stands for a loss that was never measured. The
 * state also goes to the checkpoints, if there are any. */
MtTrainResult *
mt_training_make_result (MtTraining *self,
                         gboolean    stopped)
{
  MtTrainResult *result = g_new0 (MtTrainResult, 1);

  result->net = g_steal_pointer (&self->net);
  memcpy (result->net->params, self->state.best, self->state.n_params * sizeof (float));
  result->stopped = stopped;
  result->n_epochs = self->state.epoch;
  result->best_epoch = self->state.best_epoch;
  result->n_steps = self->state.last.n_steps;
  result->train_loss = self->state.best_epoch > 0 ? self->state.best_train_loss : NAN;
  result->valid_loss = self->n_valid > 0 && self->state.best_epoch > 0 ? self->state.best_loss : NAN;
  result->start_loss = self->start_loss;
  result->metric = NAN;
  result->batch = self->batch;
  result->engine = mt_backend_dup_name (self->device, NULL);
  result->state = mt_train_state_to_bytes (&self->state, self->fingerprint);

  self->net = mt_net_ref (result->net);
  result->seconds = (double) (g_get_monotonic_time () - self->started) * 1e-6;
  if (self->options->keep != NULL)
    mt_train_checkpoints_add (self->options->keep, self->fingerprint, result->state);
  return result;
}

/* Scores of the best state.
 *
 * The backend takes the best parameters with the last optimizer state: training is over, so the
 * state no longer matters. */
static void
measure (MtTraining    *self,
         MtTrainResult *result)
{
  MtNetState best = self->state.last;
  double loss = NAN;

  best.params = self->state.best;
  if (self->n_valid > 0 && self->ops->write (self->context, &best, NULL) &&
      self->ops->evaluate (self->context, NULL, &loss, self->scores, NULL))
    result->metric = mt_training_get_metric (self);
  self->has_scores = TRUE;
}

/* Nodes to start from come from the caller; their inputs become indices. */
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
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("start node %u has %u inputs; fan-in allows %u"), j,
                       start[j].n_inputs, options->fan_in);
          return FALSE;
        }
      for (guint i = 0; i < start[j].n_inputs; i++)
        if (start[j].inputs[i] >= mt_encoded_get_n_literals (data->encoded))
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("start node %u: there is no condition %u"), j,
                         start[j].inputs[i]);
            return FALSE;
          }
    }
  return TRUE;
}

/* From a job to a state to begin with, or an error. It is called on a pool for many jobs at once,
 * so it writes to its own training only. @shared_y belongs to the caller. */
gboolean
mt_training_init (MtTraining       *self,
                  const MtTrainJob *from,
                  float            *shared_y,
                  GCancellable     *cancellable,
                  GError          **error)
{
  const MtTrainOptions *options = from->options;

  self->data = from->data;
  self->options = options;
  self->progress = from->progress;
  self->progress_data = from->progress_data;
  self->metric = self->start_loss = NAN;
  if (!mt_train_check (from->data, options, error) ||
      !check_start (from->data, options, from->start, from->n_start, error))
    return FALSE;
  self->started = g_get_monotonic_time ();
  self->y = shared_y;
  self->has_borrowed_y = shared_y != NULL;
  split_rows (self);
  make_targets (self);
  weigh_classes (self);
  self->batch = options->batch == MT_BATCH_AUTO ? batch_by_rows (self->n_train) : (guint) options->batch;
  self->fingerprint = make_fingerprint (self, from->start, from->n_start);
  self->net = make_net (self);
  self->scores = g_new0 (float, MAX (self->n_valid, 1) * self->net->shape.n_outputs);
  self->device = options->device;
  self->ops = mt_backend_find (self->device, error);
  self->job = (MtBackendJob) {
    .net = self->net, .encoded = from->data->encoded, .y = self->y, .train_rows = self->train_rows,
    .n_train = self->n_train,
    .valid_rows = self->valid_rows, .n_valid = self->n_valid, .class_weights = self->class_weights,
    .topk = &mt_topk_soft, .batch = self->batch, .n_threads = options->n_threads,
    .weight_decay = (float) options->weight_decay, .clip = (float) options->clip,
    .divide_by_tau = options->divide_by_tau, .order_seed = options->seed,
    .limits = { options->directions, options->numeric_directions, options->no_negation },
  };
  if (self->ops == NULL || (self->ops->supports != NULL && !self->ops->supports (&self->job, error)))
    return FALSE;
  mt_training_report (self, MT_TRAIN_PREPARING);
  return begin (self, from->start, from->n_start, from->resume, cancellable, error);
}

/* On a device that trains many nets at once this is a batch of one. Three endings are no failure of
 * the call's promise to give back what was learned: the normal end, a cancellation (TRUE,
 * result->stopped), and numbers or a device that failed (FALSE with an error, and *result is the
 * last good state). */
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
  MtTrainJob job = { data, options, start, n_start, resume, progress, progress_data };
  const MtBackendOps *ops = mt_backend_find (options->device, NULL);
  g_auto (MtTraining) self = { 0 };
  g_autoptr (GError) local = NULL;
  gboolean ok, cancelled;

  *result = NULL;
  if (ops != NULL && ops->many != NULL)
    {
      mt_train_run_many (&job, 1, cancellable);
      *result = job.result;
      if (job.error != NULL)
        g_propagate_error (error, job.error);
      return job.error == NULL;
    }
  if (!mt_training_init (&self, &job, NULL, cancellable, error))
    return FALSE;
  self.context = self.ops->open (&self.job, error);
  if (self.context == NULL || (self.state.epoch > 0 && !self.ops->write (self.context, &self.state.last, error)))
    return FALSE;

  judge_start (&self, cancellable);
  ok = run_epochs (&self, cancellable, &local);
  cancelled = g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (ok || cancelled || g_error_matches (local, MT_ERROR, MT_ERROR_NUMERIC) ||
      g_error_matches (local, MT_ERROR, MT_ERROR_DEVICE))
    {
      *result = mt_training_make_result (&self, !ok);
      measure (&self, *result);
    }
  if (ok || cancelled)
    {
      mt_training_report (&self, MT_TRAIN_DONE);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
