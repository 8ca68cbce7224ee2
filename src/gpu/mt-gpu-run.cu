/* The module's calls: opening a batch of nets, epochs, states in and out.
 *
 * Between begin and wait of an epoch the host only enqueues: stages on one stream, kernels and
 * graphs on another, and at the end one small copy of how all nets stand and, on a third, at times, their states. It waits in between only so
 * as not to be more than two launches ahead, for a cancelled training is to end soon.
 * Nets that have learned enough stay in the table and return at once, until they are half of it; then the
 * table is packed, and graphs are made again for the smaller shape. */
#include "mt-gpu-context.h"

#include <float.h>

static MtGpuStatus
upload (MtGpu *self, const void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (n > 0)
    TRY ("copying to the device", cudaMemcpyAsync ((void *) to, from, n, cudaMemcpyHostToDevice, self->compute));
  return MT_GPU_OK;
}

static MtGpuStatus
download (MtGpu *self, void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (to != NULL && n > 0)
    TRY ("reading from the device", cudaMemcpyAsync (to, from, n, cudaMemcpyDeviceToHost, self->compute));
  return MT_GPU_OK;
}

/* For all that was queued. The thread sleeps: a stream would be waited for by a core that is busy all the time. */
static MtGpuStatus
wait (MtGpu *self, MtGpuFailure *failure)
{
  TRY ("marking the end", cudaEventRecord (self->done, self->compute));
  TRY ("waiting for the device", cudaEventSynchronize (self->done));
  return MT_GPU_OK;
}

/* The table of the nets that still learn. */
static MtGpuStatus
pack_table (MtGpu *self, MtGpuFailure *failure)
{
  drop_graphs (self);
  self->n_active = 0;
  self->most = Most {};
  for (uint32_t net = 0; net < self->n_nets; net++)
    if (self->pinned_progress[net].standing.end == MT_GPU_LEARNING)
      {
        add_net (&self->most, &self->models[net]);
        self->pinned_table[self->n_active] = self->models[net];
        self->active[self->n_active++] = net;
      }
  if (self->n_active == 0)
    return MT_GPU_OK;
  self->most.n_codes = most_codes (&self->jobs[0]);
  choose_graph_steps (self);
  PASS (upload (self, self->table, self->pinned_table, self->n_active * sizeof (MtGpuModel), failure));
  return wait (self, failure);
}

/* --- opening --- */

static void
destroy_slots (Slot *slots)
{
  for (int s = 0; s < 2; s++)
    {
      if (slots[s].filled != NULL)
        cudaEventDestroy (slots[s].filled);
      if (slots[s].read != NULL)
        cudaEventDestroy (slots[s].read);
    }
}

static void
gpu_close (MtGpu *self)
{
  if (self == NULL)
    return;
  /* Nothing may still be copied from memory that is about to go. */
  for (cudaStream_t stream : { self->copy, self->compute, self->fetch })
    if (stream != NULL && self->done != NULL && cudaEventRecord (self->done, stream) == cudaSuccess)
      cudaEventSynchronize (self->done);
  drop_graphs (self);
  destroy_slots (self->stages);
  for (cudaEvent_t event : { self->paced[0], self->paced[1], self->kept, self->fetched, self->done })
    if (event != NULL)
      cudaEventDestroy (event);
  for (cudaStream_t stream : { self->copy, self->compute, self->fetch })
    if (stream != NULL)
      cudaStreamDestroy (stream);
  for (int s = 0; s < 2; s++)
    free (self->staged_of[s]);
  free (self->fetched_of);
  cudaFree (self->memory);
  cudaFreeHost (self->pinned);
  free (self->models);
  free (self->jobs);
  free (self->active);
  n_users -= self->uses_device;
  free (self);
}

static MtGpuStatus
create_event (cudaEvent_t *event, MtGpuFailure *failure)
{
  TRY ("making an event", cudaEventCreateWithFlags (event, cudaEventDisableTiming | cudaEventBlockingSync));
  return MT_GPU_OK;
}

static MtGpuStatus
create_streams (MtGpu *self, MtGpuFailure *failure)
{
  for (cudaStream_t *stream : { &self->compute, &self->copy, &self->fetch })
    TRY ("making a stream", cudaStreamCreateWithFlags (stream, cudaStreamNonBlocking));
  PASS (create_event (&self->done, failure));
  PASS (create_event (&self->kept, failure));
  PASS (create_event (&self->fetched, failure));
  TRY ("marking states", cudaEventRecord (self->fetched, self->fetch));      /* none are under way */
  for (int s = 0; s < 2; s++)
    {
      PASS (create_event (&self->stages[s].filled, failure));
      PASS (create_event (&self->stages[s].read, failure));
      PASS (create_event (&self->paced[s], failure));
    }
  return MT_GPU_OK;
}

/* What no kernel writes all of: the moments before the first epoch, and the gradient of what pads the matrices. */
static MtGpuStatus
set_zero (MtGpu *self, const MtGpuModel *m, MtGpuFailure *failure)
{
  for (float *part : { m->grad, m->last_mean, m->last_square })
    TRY ("clearing memory", cudaMemsetAsync (part, 0, m->shape.n_params * sizeof (float), self->compute));
  return MT_GPU_OK;
}

static MtGpuStatus
upload_net (MtGpu *self, uint32_t net, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];
  const MtGpuJob *job = &self->jobs[net];
  size_t n = m->shape.n_params * sizeof (float);
  MtGpuProgress *progress = &self->pinned_progress[net];

  PASS (upload (self, m->groups, job->groups, m->shape.n_groups * sizeof (MtGpuGroup), failure));
  PASS (upload (self, m->in_head, job->in_head, m->shape.n_literals, failure));
  if (m->class_weights != NULL)
    PASS (upload (self, m->class_weights, job->class_weights, job->n_classes * sizeof (float), failure));
  if (m->param_limits != NULL)
    PASS (upload (self, m->param_limits, job->param_limits, m->shape.n_params, failure));
  PASS (set_zero (self, m, failure));
  if (self->stage_steps == 0)
    {
      PASS (upload (self, m->train_rows, job->train_rows, job->n_train * sizeof (uint32_t), failure));
      if (find_shared_y (self, net) == NO_NET)
        PASS (upload (self, m->rows.y, job->y, self->data.n_rows * sizeof (float), failure));
      PASS (upload (self, m->valid_rows, job->valid_rows, job->n_valid * sizeof (uint32_t), failure));
    }
  for (float *part : { m->last_params, m->best })
    PASS (upload (self, part, job->params, n, failure));
  *progress = MtGpuProgress {};
  mt_gpu_powers (progress, 0);
  progress->standing.learning_rate = job->learning_rate;
  progress->standing.best_loss = DBL_MAX;
  progress->standing.metric = NAN;
  return MT_GPU_OK;
}

static MtGpuStatus
open_parts (MtGpu *self, uint32_t n_jobs, const MtGpuLimits *limits, MtGpuFailure *failure)
{
  size_t budget = limits->memory, free_bytes = 0, total = 0;

  PASS (choose_device (limits->device, failure));
  n_users++;
  self->uses_device = true;
  if (budget == 0)
    {
      TRY ("asking for its memory", cudaMemGetInfo (&free_bytes, &total));
      budget = free_bytes / 10 * 9;
    }
  PASS (create_streams (self, failure));
  PASS (reserve (self, n_jobs, budget, failure));
  if (self->stage_steps == 0)
    {
      PASS (upload (self, self->rows.codes, self->data.codes, self->data.n_rows * self->data.code_stride, failure));
      PASS (upload (self, self->rows.numeric, self->data.numeric,
                    self->data.n_rows * self->data.numeric_stride * sizeof (float), failure));
    }
  for (uint32_t net = 0; net < self->n_nets; net++)
    PASS (upload_net (self, net, failure));
  PASS (upload (self, self->progress, self->pinned_progress, self->n_nets * sizeof (MtGpuProgress), failure));
  PASS (pack_table (self, failure));
  return self->n_active > 0 ? launch_take (self, self->table, &self->most, 0, failure) : MT_GPU_OK;
}

template <typename T> static bool
allocate (T **to, size_t n)
{
  *to = (T *) calloc (n, sizeof (T));
  return *to != NULL;
}

static bool
allocate_host (MtGpu *self, uint32_t n_jobs)
{
  bool ok = allocate (&self->jobs, n_jobs) && allocate (&self->models, n_jobs) && allocate (&self->active, n_jobs) &&
            allocate (&self->fetched_of, n_jobs);

  for (int s = 0; s < 2; s++)
    ok = ok && allocate (&self->staged_of[s], n_jobs);
  return ok;
}

static void
gpu_get_info (const MtGpu *self, MtGpuInfo *info)
{
  *info = MtGpuInfo { self->n_nets, self->stage_steps, self->n_bytes, self->n_graphs };
}

static MtGpuStatus
gpu_open (const MtGpuData *data, const MtGpuJob *jobs, uint32_t n_jobs, const MtGpuLimits *limits, MtGpu **gpu,
          MtGpuInfo *info, MtGpuFailure *failure)
{
  MtGpu *self = (MtGpu *) calloc (1, sizeof (MtGpu));
  MtGpuStatus status;

  *gpu = NULL;
  if (self == NULL || !allocate_host (self, n_jobs))
    {
      gpu_close (self);
      snprintf (failure->message, sizeof failure->message, "out of memory");
      return MT_GPU_OUT_OF_MEMORY;
    }
  if (n_jobs > MT_GPU_MOST_NETS)
    n_jobs = MT_GPU_MOST_NETS;
  self->data = *data;
  self->use_graphs = !limits->no_graphs;
  self->state_seconds = limits->state_seconds;
  memcpy (self->jobs, jobs, n_jobs * sizeof *jobs);
  for (uint32_t net = 0; net < n_jobs; net++)
    size_net (self, net);
  status = open_parts (self, n_jobs, limits, failure);
  if (status != MT_GPU_OK)
    {
      gpu_close (self);
      return status;
    }
  gpu_get_info (self, info);
  *gpu = self;
  return MT_GPU_OK;
}

/* --- epochs --- */

static MtGpuStatus
gpu_begin_epoch (MtGpu *self, uint32_t *n_steps, MtGpuFailure *failure)
{
  self->n_left = *n_steps = self->n_active > 0 ? self->most.n_steps : 0;
  self->n_launched = self->next_stage = 0;
  if (self->n_active == 0)
    return MT_GPU_OK;
  return self->whole ? MT_GPU_OK : launch_begin (self, failure);
}

static MtGpuStatus
gpu_run_steps (MtGpu *self, uint32_t *n_done, MtGpuFailure *failure)
{
  cudaEvent_t paced = self->paced[self->n_launched % 2];

  *n_done = self->graph_steps < self->n_left ? self->graph_steps : self->n_left;
  if (*n_done == 0)
    return MT_GPU_OK;
  if (self->n_launched >= 2)
    TRY ("waiting for the device", cudaEventSynchronize (paced));
  if (self->stage_steps > 0)
    PASS (stage_training (self, self->next_stage, failure));
  PASS (self->whole ? run_list (self, &self->epoch_graph, launch_epoch, failure)
                    : run_list (self, &self->steps_graph, launch_steps, failure));
  if (self->stage_steps > 0)
    PASS (end_read (self, &self->stages[self->next_stage++ % 2], failure));
  TRY ("marking a step", cudaEventRecord (paced, self->compute));
  self->n_launched++;
  self->n_left -= *n_done;
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_end_epoch (MtGpu *self, MtGpuFailure *failure)
{
  if (self->n_active == 0)
    return MT_GPU_OK;
  if (self->stage_steps > 0)
    {
      for (uint32_t tile = 0; tile < self->most.n_valid_tiles; tile++)
        {
          PASS (stage_validation (self, tile, NO_NET, failure));
          PASS (run_list (self, &self->end_graph, launch_valid, failure));
          PASS (end_read (self, &self->stages[tile % 2], failure));
        }
      PASS (launch_judge (self, failure));
    }
  else if (!self->whole)
    PASS (run_list (self, &self->end_graph, launch_end, failure));
  self->fetches = false;
  PASS (fetch_states (self, failure));
  return download (self, self->pinned_progress, self->progress, self->n_nets * sizeof (MtGpuProgress), failure);
}

static MtGpuStatus
gpu_wait_epoch (MtGpu *self, MtGpuStanding *standings, int *has_states, MtGpuFailure *failure)
{
  uint32_t n_alive = 0;

  PASS (wait (self, failure));
  *has_states = self->fetches;
  for (uint32_t net = 0; net < self->n_nets; net++)
    {
      standings[net] = self->pinned_progress[net].standing;
      n_alive += standings[net].end == MT_GPU_LEARNING;
    }
  return n_alive * 2 <= self->n_active ? pack_table (self, failure) : MT_GPU_OK;
}

/* --- states --- */

static MtGpuStatus
gpu_fetch (MtGpu *self, uint32_t net, MtGpuState *state, MtGpuFailure *failure)
{
  if (self->had_states)
    TRY ("waiting for states", cudaEventSynchronize (self->fetched));
  *state = self->fetched_of[net];
  return MT_GPU_OK;
}

static MtGpuStatus
write_progress (MtGpu *self, uint32_t net, MtGpuFailure *failure)
{
  PASS (upload (self, self->models[net].progress, &self->pinned_progress[net], sizeof (MtGpuProgress), failure));
  return wait (self, failure);
}

static MtGpuStatus
gpu_stop (MtGpu *self, uint32_t net, MtGpuFailure *failure)
{
  if (self->pinned_progress[net].standing.end != MT_GPU_LEARNING)
    return MT_GPU_OK;
  self->pinned_progress[net].standing.end = MT_GPU_LEARNT;
  PASS (write_progress (self, net, failure));
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_read (MtGpu *self, uint32_t net, MtGpuState *state, MtGpuStanding *standing, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];
  size_t n = m->shape.n_params * sizeof (float);

  PASS (download (self, state->params, m->last_params, n, failure));
  PASS (download (self, state->mean, m->last_mean, n, failure));
  PASS (download (self, state->square, m->last_square, n, failure));
  PASS (download (self, state->best, m->best, n, failure));
  PASS (download (self, &self->pinned_progress[net], m->progress, sizeof (MtGpuProgress), failure));
  PASS (wait (self, failure));
  *standing = self->pinned_progress[net].standing;
  return MT_GPU_OK;
}

/* The net by itself, behind the table: its parameters from its state, or, @only, from what was sent in their place. */
static MtGpuStatus
take_one (MtGpu *self, uint32_t net, int only, MtGpuFailure *failure)
{
  Most one = {};

  add_net (&one, &self->models[net]);
  self->pinned_table[self->n_nets] = self->models[net];
  PASS (upload (self, self->table + self->n_nets, &self->pinned_table[self->n_nets], sizeof (MtGpuModel), failure));
  PASS (launch_take (self, self->table + self->n_nets, &one, only, failure));
  return wait (self, failure);         /* that place is to be used again */
}

static MtGpuStatus
gpu_write (MtGpu *self, uint32_t net, const MtGpuState *state, const MtGpuStanding *standing,
           const uint8_t *param_limits, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];
  size_t n = m->shape.n_params * sizeof (float);
  MtGpuProgress *progress = &self->pinned_progress[net];

  PASS (set_zero (self, m, failure));      /* scores may lie where the gradient does */
  PASS (upload (self, m->last_params, state->params, n, failure));
  PASS (upload (self, m->last_mean, state->mean, n, failure));
  PASS (upload (self, m->last_square, state->square, n, failure));
  PASS (upload (self, m->best, state->best, n, failure));
  if (m->param_limits != NULL)
    PASS (upload (self, m->param_limits, param_limits, m->shape.n_params, failure));
  *progress = MtGpuProgress {};
  progress->standing = *standing;
  mt_gpu_powers (progress, standing->n_steps);
  progress->standing.end = standing->epoch >= m->max_epochs || standing->waited >= m->patience ? MT_GPU_LEARNT
                                                                                                : MT_GPU_LEARNING;
  PASS (write_progress (self, net, failure));
  PASS (take_one (self, net, 0, failure));
  return pack_table (self, failure);
}

/* One tile of one net's validation rows: its losses and scores. */
static MtGpuStatus
score_tile (MtGpu *self, uint32_t net, const Most *one, uint32_t tile, MtGpuPair *losses, float *scores,
            MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];
  size_t first = (size_t) tile * m->valid.rows, n = less (m->valid.rows, m->n_valid - first);

  if (self->stage_steps > 0)
    PASS (stage_validation (self, tile, net, failure));
  PASS (forward (self, self->table + self->n_nets, one, tile, failure));
  if (self->stage_steps > 0)
    PASS (end_read (self, &self->stages[tile % 2], failure));
  for (uint32_t c = 0; scores != NULL && c < m->shape.n_outputs; c++)
    PASS (download (self, scores + (size_t) c * m->n_valid + first, m->eta + (size_t) c * m->valid.rows,
                    n * sizeof (float), failure));
  PASS (download (self, losses, m->losses, m->valid.n_loss_blocks * sizeof (MtGpuPair), failure));
  return wait (self, failure);
}

static MtGpuStatus
gpu_score (MtGpu *self, uint32_t net, const float *params, double *loss, float *scores, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];
  MtGpuStanding *standing = &self->pinned_progress[net].standing;
  MtGpuPair *losses = (MtGpuPair *) malloc (m->valid.n_loss_blocks * sizeof (MtGpuPair));
  MtGpuStatus status;
  Most one = {};

  *loss = 0.0;
  if (losses == NULL)
    {
      snprintf (failure->message, sizeof failure->message, "out of memory");
      return MT_GPU_OUT_OF_MEMORY;
    }
  add_net (&one, m);
  status = upload (self, m->grad, params, m->shape.n_params * sizeof (float), failure);
  if (status == MT_GPU_OK)
    status = take_one (self, net, 1, failure);
  /* Kernels leave alone a net that has ended. */
  standing->end = MT_GPU_LEARNING;
  if (status == MT_GPU_OK)
    status = write_progress (self, net, failure);
  if (status == MT_GPU_OK)
    status = prepare (self, self->table + self->n_nets, &one, 1, failure);
  for (uint32_t tile = 0; tile < one.n_valid_tiles && status == MT_GPU_OK; tile++)
    {
      status = score_tile (self, net, &one, tile, losses, scores, failure);
      for (uint32_t b = 0; b < m->valid.n_loss_blocks && status == MT_GPU_OK; b++)
        *loss += mt_gpu_double (losses[b]);
    }
  free (losses);
  standing->end = MT_GPU_LEARNT;
  return status == MT_GPU_OK ? write_progress (self, net, failure) : status;
}

static MtGpuStatus
gpu_read_gradient (MtGpu *self, uint32_t net, float *gradient, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->models[net];

  size_t n = m->shape.n_params;
  float *turned = (float *) malloc (n * sizeof (float));
  MtGpuStatus status = turned == NULL ? MT_GPU_OUT_OF_MEMORY : download (self, turned, m->grad, n * sizeof (float), failure);

  if (status == MT_GPU_OK)
    status = wait (self, failure);
  for (size_t i = 0; i < n && status == MT_GPU_OK; i++)
    gradient[i] = turned[mt_gpu_turned (*m, i, false)];
  free (turned);
  return status;
}

static const MtGpuApi mt_gpu_api = {
  MT_GPU_API_VERSION,
#ifdef __CUDACC__
  "cuda",
#else
  "cuda-on-host",
#endif
  gpu_probe,
  gpu_examine,
  gpu_open,
  gpu_begin_epoch,
  gpu_run_steps,
  gpu_end_epoch,
  gpu_wait_epoch,
  gpu_fetch,
  gpu_stop,
  gpu_read,
  gpu_write,
  gpu_score,
  gpu_read_gradient,
  gpu_get_info,
  gpu_close,
  gpu_sum_pairs,
  sums_open,
  sums_put,
  sums_set_rows,
  sums_get_rows,
  sums_gram,
  sums_score,
  sums_gains,
  sums_close,
};

extern "C" __attribute__ ((visibility ("default"))) const MtGpuApi *
mt_gpu_module_get (uint32_t version)
{
  return version == MT_GPU_API_VERSION ? &mt_gpu_api : NULL;
}
