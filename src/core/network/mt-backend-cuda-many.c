/* Many nets on the GPU: jobs to plain types, epochs, standings.
 *
 * While the device works on an epoch the states after an earlier one are taken over, every few seconds. The orders of
 * rows are a function of the seed (mt-order.h), which the device evaluates itself.
 *
 * The order of calls for one epoch, as the module wants it:
 *
 *   begin_epoch     how many steps it has
 *   run_steps …     some steps at a time; in between, states of the last epoch are copied, and a
 *                   cancellation is noticed
 *   end_epoch       validation, early stopping and the next learning rate happen on the device
 *   wait_epoch      the only wait: how every net stands
 *
 * Nets do not share anything but the rows, so a net has the same bits whichever others are in the
 * batch. */
#include "config.h"
#include "mt-backend-cuda.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mt-backend-rows.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

typedef struct {
  const MtGpuApi *api;
  MtGpu          *gpu;
  guint           n_nets, n_jobs;          /* opened; asked for */
  gsize          *n_train, *n_valid;       /* a net */
  gboolean       *ended;
  GError        **errors;
  MtGpuStanding  *standings;
  MtTrainState  **states;                  /* a net: to keep up to date, or NULL */
  int             has_states;              /* of an epoch that is complete, and not taken over yet */
  MtBackendRows   rows;                    /* of the data */
  MtGpuGroup     *groups;                  /* a net its own, one after the other */
  MtNetConstraints    *limits;                  /* a net … */
  const MtNet   **nets;                    /* … whose parameters they are of */
  guint8        **param_limits;            /* a net: what its parameters may be, or NULL */
} MtCuda;

static gboolean
check (MtGpuStatus         status,
       const MtGpuFailure *failure,
       GError            **error)
{
  return mt_backend_cuda_check (status, failure, error);
}

/* A device that is lost takes that much of the training with it, and the epoch that runs. */
static double state_seconds = 2.0;

void
mt_backend_cuda_set_state_seconds (double seconds)
{
  state_seconds = seconds;
}

/* --- opening --- */

/* The net's shape and layout as the module's plain types. The parameters have the same layout on the device, so
 * they are copied as they are, in both directions. */
static MtGpuShape
make_shape (const MtBackendJob *job)
{
  const MtNetLayout *layout = &job->net->layout;
  const MtNetShape *shape = &job->net->shape;

  return (MtGpuShape) {
    .task = shape->task == MT_TASK_BINARY ? MT_GPU_BINARY
            : shape->task == MT_TASK_MULTICLASS ? MT_GPU_MULTICLASS : MT_GPU_REGRESSION,
    .n_literals = shape->n_literals, .n_numeric = shape->n_numeric, .n_outputs = shape->n_outputs,
    .n_nodes = shape->n_nodes, .fan_in = shape->fan_in,
    .n_groups = mt_encoded_get_n_groups (job->encoded),
    .code_stride = (guint32) mt_pad16 (mt_encoded_get_n_groups (job->encoded)),
    .numeric_stride = (guint32) layout->n_numeric8,
    .n_blocks = layout->n_blocks, .n_nodes16 = (guint32) layout->n_nodes16,
    .n_literals16 = (guint32) layout->n_literals16, .n_numeric16 = (guint32) layout->n_numeric16,
    .n_hidden = (guint32) layout->n_hidden, .batch = job->batch,
    .map = layout->map, .ltt = layout->ltt, .bias = layout->bias, .rule = layout->rule,
    .literal = layout->literal, .numeric = layout->numeric, .head_bias = layout->head_bias,
    .hidden = layout->hidden, .hidden_bias = layout->hidden_bias, .hidden_out = layout->hidden_out,
    .n_params = layout->n_params, .block_size = layout->block_size,
    .tau = job->net->temperature,
    .inv_tau = job->divide_by_tau ? (float) (1.0 / job->net->temperature) : 1.0f,
    .weight_decay = job->weight_decay, .clip = job->clip,
  };
}

/* The groups with the place of their head weights by code. A group of which no literal is in the
 * head has no place, and the kernel skips it. */
static void
fill_groups (const MtBackendJob *job,
             MtGpuGroup         *groups,
             guint32            *n_code_entries)
{
  const MtGroup *from = mt_encoded_get_groups (job->encoded);

  *n_code_entries = 0;
  for (guint g = 0; g < mt_encoded_get_n_groups (job->encoded); g++)
    {
      gboolean in_head = FALSE;

      for (guint i = 0; i < from[g].n_literals; i++)
        in_head = in_head || job->net->in_head[from[g].first_literal + i];
      groups[g] = (MtGpuGroup) { from[g].first_literal, from[g].n_literals, mt_group_get_n_thresholds (&from[g]),
                                 in_head ? *n_code_entries : MT_GPU_NONE };
      if (in_head)
        *n_code_entries += mt_group_get_n_codes (&from[g]);
    }
}

G_STATIC_ASSERT ((int) MT_GPU_NOT_NEGATIVE == (int) MT_LIMIT_NOT_NEGATIVE &&
                 (int) MT_GPU_NOT_POSITIVE == (int) MT_LIMIT_NOT_POSITIVE &&
                 (int) MT_GPU_SIGNED_ZERO == (int) MT_LIMIT_SIGNED_ZERO);

/* One net's job for the module. The groups of its head go to @groups, which must live as long as the job. */
static MtGpuJob
make_job (const MtBackendJob *job,
          const MtStopRule   *rule,
          const guint8       *param_limits,
          MtGpuGroup         *groups)
{
  MtGpuJob to = {
    .shape = make_shape (job), .groups = groups, .in_head = job->net->in_head,
    .class_weights = job->class_weights, .y = job->y,
    .train_rows = job->train_rows, .n_train = job->n_train,
    .valid_rows = job->valid_rows, .n_valid = job->n_valid,
    .params = job->net->params, .param_limits = param_limits, .learning_rate = rule->learning_rate,
    .seed = job->order_seed,
    .max_epochs = rule->max_epochs, .patience = rule->patience, .plateau = rule->plateau,
    .wants_metric = rule->measures,
  };

  fill_groups (job, groups, &to.shape.n_code_entries);
  to.n_classes = to.shape.task == MT_GPU_MULTICLASS ? to.shape.n_outputs : 2;
  return to;
}

static void
cuda_close (gpointer context)
{
  MtCuda *self = context;

  if (self->gpu != NULL)
    self->api->close (self->gpu);
  mt_backend_rows_clear (&self->rows);
  for (guint i = 0; i < self->n_nets; i++)
    g_clear_error (&self->errors[i]);
  for (guint i = 0; i < self->n_jobs; i++)
    g_free (self->param_limits[i]);
  g_free (self->param_limits);
  g_free (self->limits);
  g_free (self->nets);
  g_free (self->n_train);
  g_free (self->n_valid);
  g_free (self->ended);
  g_free (self->errors);
  g_free (self->standings);
  g_free (self->states);
  g_free (self->groups);
  g_free (self);
}

/* Opens as many of the jobs as fit on the device, in order; *n_opened says how many. All jobs share the encoded
 * rows, which are sent once. If the rows themselves do not fit, the module asks for them in stages of some steps
 * (info.stage_steps), and then they stay in memory here. */
static gpointer
cuda_open (const MtBackendJob *jobs,
           const MtStopRule   *rules,
           guint               n_jobs,
           guint64             memory,
           guint              *n_opened,
           GError            **error)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (error);
  guint n_groups = mt_encoded_get_n_groups (jobs[0].encoded);
  g_autofree MtGpuJob *to = NULL;
  MtGpuLimits limits = { memory, g_getenv ("MINTERM_GPU_NO_GRAPHS") != NULL, 0, state_seconds };
  MtGpuFailure failure;
  MtGpuInfo info;
  MtGpuData data;
  MtCuda *self;

  if (api == NULL || !mt_backend_cuda_choose (&limits.device, NULL, error))
    return NULL;
  to = g_new (MtGpuJob, n_jobs);
  self = g_new0 (MtCuda, 1);
  self->api = api;
  self->n_nets = self->n_jobs = n_jobs;
  self->limits = g_new (MtNetConstraints, n_jobs);
  self->nets = g_new (const MtNet *, n_jobs);
  self->param_limits = g_new0 (guint8 *, n_jobs);
  self->groups = g_new (MtGpuGroup, (gsize) n_jobs * n_groups);
  self->n_train = g_new (gsize, n_jobs);
  self->n_valid = g_new (gsize, n_jobs);
  self->ended = g_new0 (gboolean, n_jobs);
  self->errors = g_new0 (GError *, n_jobs);
  self->standings = g_new0 (MtGpuStanding, n_jobs);
  self->states = g_new0 (MtTrainState *, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    {
      g_assert (jobs[i].encoded == jobs[0].encoded);
      self->limits[i] = jobs[i].limits;
      self->nets[i] = jobs[i].net;
      if (mt_net_constraints_are_set (&jobs[i].limits))
        {
          self->param_limits[i] = g_new (guint8, jobs[i].net->layout.n_params);
          mt_net_constraints_fill_codes (&jobs[i].limits, jobs[i].net, jobs[i].net->params, self->param_limits[i]);
        }
      to[i] = make_job (&jobs[i], &rules[i], self->param_limits[i], self->groups + (gsize) i * n_groups);
      self->n_train[i] = jobs[i].n_train;
      self->n_valid[i] = jobs[i].n_valid;
    }
  mt_backend_rows_init (&self->rows, &jobs[0], NULL, mt_encoded_get_n_rows (jobs[0].encoded),
                        to[0].shape.code_stride);
  data = (MtGpuData) { self->rows.n_rows, to[0].shape.code_stride, to[0].shape.numeric_stride, self->rows.codes,
                       self->rows.numeric };
  if (!check (api->open (&data, to, n_jobs, &limits, &self->gpu, &info, &failure), &failure, error))
    {
      self->gpu = NULL;
      cuda_close (self);
      return NULL;
    }
  /* What is on the device for good need not be here, too. */
  if (info.stage_steps == 0)
    mt_backend_rows_clear (&self->rows);
  *n_opened = self->n_nets = info.n_nets;
  return self;
}

/* --- epochs --- */

/* The numbers of a state in addition to its arrays. */
static void
set_standing (MtTrainState        *state,
              const MtGpuStanding *standing)
{
  state->last.n_steps = standing->n_steps;
  state->epoch = standing->epoch;
  state->best_epoch = standing->best_epoch;
  state->best_loss = standing->best_loss;
  state->best_train_loss = standing->best_train_loss;
  state->learning_rate = standing->learning_rate;
  state->waited = standing->waited;
  state->waited_plateau = standing->waited_plateau;
}

/* The states after the last epoch, where the device has sent them: they have come while it works on this one.
 *
 * They are copied out of memory that the device has filled, n_params floats four times. */
static gboolean
take_states (MtCuda  *self,
             GError **error)
{
  MtGpuFailure failure;

  for (guint i = 0; self->has_states && i < self->n_nets; i++)
    {
      MtTrainState *state = self->states[i];
      MtGpuState from;
      gsize size;

      if (state == NULL || self->ended[i])
        continue;
      if (!check (self->api->fetch (self->gpu, i, &from, &failure), &failure, error))
        return FALSE;
      size = state->n_params * sizeof (float);
      memcpy (state->last.params, from.params, size);
      memcpy (state->last.mean, from.mean, size);
      memcpy (state->last.square, from.square, size);
      memcpy (state->best, from.best, size);
      set_standing (state, &self->standings[i]);
    }
  self->has_states = FALSE;
  return TRUE;
}

/* One epoch, some steps at a time: the module decides how many it can start at once. In between the states of the
 * last epoch are taken over, and cancellation is looked at. */
static gboolean
run_steps (MtCuda        *self,
           GCancellable  *cancellable,
           GError       **error)
{
  MtGpuFailure failure;
  uint32_t n_steps, n_done;

  if (!check (self->api->begin_epoch (self->gpu, &n_steps, &failure), &failure, error))
    return FALSE;
  for (; n_steps > 0; n_steps -= n_done)
    if (!check (self->api->run_steps (self->gpu, &n_done, &failure), &failure, error) ||
        !take_states (self, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
  return check (self->api->end_epoch (self->gpu, &failure), &failure, error);
}

/* What the device says about one net after an epoch. A loss that was not finite ends that net alone; the others go
 * on. */
static void
take_standing (MtCuda         *self,
               guint           index,
               MtManyStanding *to)
{
  const MtGpuStanding *from = &self->standings[index];

  self->ended[index] = from->end != MT_GPU_LEARNING;
  if (from->end == MT_GPU_BAD_LOSS && self->errors[index] == NULL)
    self->errors[index] =
      g_error_new (MT_ERROR, MT_ERROR_NUMERIC,
                   _("training became unstable at step %" PRIu64 "; use a lower learning rate, or check for "
                     "very large values"), from->bad_step);
  if (from->end == MT_GPU_BAD_VALIDATION && self->errors[index] == NULL)
    self->errors[index] = g_error_new (MT_ERROR, MT_ERROR_NUMERIC,
                                       _("training became unstable: the validation loss is not finite in "
                                         "epoch %u"),
                                       from->epoch + 1);
  *to = (MtManyStanding) { from->epoch, from->best_epoch, from->waited, from->n_steps, from->n_rows, from->train_loss,
                           from->valid_loss, from->best_loss, from->metric, self->ended[index],
                           self->errors[index] };
}

/* The steps of this epoch, and then the wait for the result. Nothing is kept of an epoch that is cancelled. */
static gboolean
cuda_run_epoch (gpointer         context,
                GCancellable    *cancellable,
                MtManyStanding  *standings,
                GError         **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !run_steps (self, cancellable, error) ||
      !check (self->api->wait_epoch (self->gpu, self->standings, &self->has_states, &failure), &failure, error))
    return FALSE;
  for (guint i = 0; i < self->n_nets; i++)
    take_standing (self, i, &standings[i]);
  return TRUE;
}

/* --- states --- */

/* Only remembers where the state is to go; take_states() fills it. */
static void
cuda_keep (gpointer      context,
           guint         index,
           MtTrainState *state)
{
  MtCuda *self = context;

  self->states[index] = state;
}

/* The other nets of the batch go on; this one learns no more from the next epoch on. */
static gboolean
cuda_stop (gpointer   context,
           guint      index,
           GError   **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  self->ended[index] = TRUE;
  return check (self->api->stop (self->gpu, index, &failure), &failure, error);
}

/* Waits for the device, unlike the states that take_states() gets along the way. */
static gboolean
cuda_read (gpointer       context,
           guint          index,
           MtTrainState  *state,
           GError       **error)
{
  MtCuda *self = context;
  MtGpuState to = { state->last.params, state->last.mean, state->last.square, state->best };
  MtGpuStanding standing;
  MtGpuFailure failure;

  if (!check (self->api->read (self->gpu, index, &to, &standing, &failure), &failure, error))
    return FALSE;
  set_standing (state, &standing);
  return TRUE;
}

/* Puts a net back to @state: when a training is resumed, or after its validation with other parameters. What was
 * sent ahead for it is not valid any more. */
static gboolean
cuda_write (gpointer             context,
            guint                index,
            const MtTrainState  *state,
            GError             **error)
{
  MtCuda *self = context;
  const MtGpuState from = { state->last.params, state->last.mean, state->last.square, state->best };
  const MtGpuStanding standing = {
    .epoch = state->epoch, .best_epoch = state->best_epoch, .waited = state->waited,
    .waited_plateau = state->waited_plateau, .n_steps = state->last.n_steps, .valid_loss = NAN,
    .metric = NAN, .best_loss = state->best_loss, .best_train_loss = state->best_train_loss, .learning_rate = state->learning_rate,
  };
  MtGpuFailure failure;

  self->ended[index] = FALSE;
  self->has_states = FALSE;
  if (self->param_limits[index] != NULL)
    mt_net_constraints_fill_codes (&self->limits[index], self->nets[index], state->last.params, self->param_limits[index]);
  return check (self->api->write (self->gpu, index, &from, &standing, self->param_limits[index], &failure), &failure,
                error);
}

/* The device sums the losses of the validation rows; the mean is made here. It leaves the net with
 * other parameters than it was trained to, so it counts as ended until it is written again. */
static gboolean
cuda_score (gpointer      context,
            guint         index,
            const float  *params,
            double       *loss,
            float        *scores,
            GError      **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  self->ended[index] = TRUE;
  if (!check (self->api->score (self->gpu, index, params, loss, scores, &failure), &failure, error))
    return FALSE;
  *loss = self->n_valid[index] > 0 ? *loss / (double) self->n_valid[index] : 0.0;
  return TRUE;
}

static void
cuda_get_info (gpointer    context,
               MtManyInfo *info)
{
  MtCuda *self = context;
  MtGpuInfo from;

  self->api->get_info (self->gpu, &from);
  *info = (MtManyInfo) { from.n_nets, from.stage_steps, from.memory, from.n_graphs };
}

gboolean
mt_backend_cuda_read_gradient (gpointer  context,
                               guint     index,
                               float    *gradient,
                               GError  **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  return check (self->api->read_gradient (self->gpu, index, gradient, &failure), &failure, error);
}

const MtManyOps mt_backend_cuda_many = {
  .open = cuda_open,
  .run_epoch = cuda_run_epoch,
  .keep = cuda_keep,
  .stop = cuda_stop,
  .read = cuda_read,
  .write = cuda_write,
  .score = cuda_score,
  .get_info = cuda_get_info,
  .close = cuda_close,
};
