/* Rows on their way to the device, and states on their way back, while it computes.
 *
 * Two streams and two slots: the copying stream fills one slot from pinned memory while the computing
 * stream reads the other; an event each way keeps them apart (filled → may be read; read → may be
 * filled again), and the host does not write to pinned memory that is still being copied.
 * A slot is a stage: the rows of the next steps of every net, gathered in its epoch's order, or a tile of its
 * validation rows. The same rows come to the same positions as where all rows are on the device, so the result is the
 * same to the last bit.
 * Every few seconds the states after an epoch are put aside on the device and read on a third stream while the next
 * epochs run. So a device that is lost takes some seconds with it, not all.
 * Cost     16 bytes a parameter and fetch over the bus;
 *          staged, each row crosses the bus once an epoch and net: code_stride + 4 numeric_stride + 4
 *          bytes, against the step's own work of nodes / 8 + groups bytes and more. */
#include "mt-gpu-context.h"

#include <time.h>

/* The copying stream may write to the slot from now on, the host to its pinned memory. */
static MtGpuStatus
begin_fill (MtGpu *self, Slot *slot, MtGpuFailure *failure)
{
  if (slot->was_filled)
    TRY ("waiting for a copy", cudaEventSynchronize (slot->filled));
  if (slot->was_read)
    TRY ("waiting for the device", cudaStreamWaitEvent (self->copy, slot->read, 0));
  return MT_GPU_OK;
}

static MtGpuStatus
end_fill (MtGpu *self, Slot *slot, MtGpuFailure *failure)
{
  TRY ("marking a copy", cudaEventRecord (slot->filled, self->copy));
  slot->was_filled = true;
  return MT_GPU_OK;
}

static MtGpuStatus
begin_read (MtGpu *self, Slot *slot, MtGpuFailure *failure)
{
  TRY ("waiting for rows", cudaStreamWaitEvent (self->compute, slot->filled, 0));
  return MT_GPU_OK;
}

static MtGpuStatus
end_read (MtGpu *self, Slot *slot, MtGpuFailure *failure)
{
  TRY ("marking a step", cudaEventRecord (slot->read, self->compute));
  slot->was_read = true;
  return MT_GPU_OK;
}

static MtGpuStatus
copy_in (MtGpu *self, const void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (n > 0)
    TRY ("copying to the device", cudaMemcpyAsync ((void *) to, from, n, cudaMemcpyHostToDevice, self->copy));
  return MT_GPU_OK;
}

/* Gathers rows of one net and sends them: those at @first and on of @which, in that order or in @order. */
static MtGpuStatus
stage_rows (MtGpu *self, uint32_t net, uint32_t number, const uint32_t *which, const MtOrder *order, size_t first, size_t n,
            MtGpuFailure *failure)
{
  const MtGpuData *data = &self->data;
  const MtGpuRows *to = &self->models[net].stage[number], *from = &self->staged_of[number][net];

  for (size_t i = 0; i < n; i++)
    {
      size_t row = which[order != NULL ? mt_order_at (order, (uint32_t) (first + i)) : first + i];

      memcpy ((uint8_t *) from->codes + i * data->code_stride, data->codes + row * data->code_stride, data->code_stride);
      memcpy ((float *) from->numeric + i * data->numeric_stride, data->numeric + row * data->numeric_stride,
              data->numeric_stride * sizeof (float));
      ((float *) from->y)[i] = self->jobs[net].y[row];
    }
  PASS (copy_in (self, to->codes, from->codes, n * data->code_stride, failure));
  PASS (copy_in (self, to->numeric, from->numeric, n * data->numeric_stride * sizeof (float), failure));
  return copy_in (self, to->y, from->y, n * sizeof (float), failure);
}

static size_t
less (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* The @stage-th steps of the running epoch, for all active nets. */
static MtGpuStatus
stage_training (MtGpu *self, uint32_t stage, MtGpuFailure *failure)
{
  Slot *slot = &self->stages[stage % 2];

  PASS (begin_fill (self, slot, failure));
  for (uint32_t i = 0; i < self->n_active; i++)
    {
      uint32_t net = self->active[i];
      const MtGpuModel *m = &self->models[net];
      size_t size = (size_t) self->stage_steps * m->shape.batch, first = stage * size;

      if (first < m->n_train)
        {
          MtOrder order = mt_order_of (m->seed, self->pinned_progress[net].standing.epoch, m->n_train);

          PASS (stage_rows (self, net, stage % 2, self->jobs[net].train_rows, &order, first, less (size, m->n_train - first),
                            failure));
        }
    }
  PASS (end_fill (self, slot, failure));
  return begin_read (self, slot, failure);
}

/* Validation tile @tile of all active nets, or of @only. */
static MtGpuStatus
stage_validation (MtGpu *self, uint32_t tile, uint32_t only, MtGpuFailure *failure)
{
  Slot *slot = &self->stages[tile % 2];

  PASS (begin_fill (self, slot, failure));
  for (uint32_t i = 0; i < (only == NO_NET ? self->n_active : 1); i++)
    {
      uint32_t net = only == NO_NET ? self->active[i] : only;
      const MtGpuModel *m = &self->models[net];
      size_t first = (size_t) tile * m->valid.rows;

      if (first < m->n_valid)
        PASS (stage_rows (self, net, tile % 2, self->jobs[net].valid_rows, NULL, first,
                          less (m->valid.rows, m->n_valid - first), failure));
    }
  PASS (end_fill (self, slot, failure));
  return begin_read (self, slot, failure);
}

/* --- states --- */

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* After the end of an epoch: the states it has kept, for all active nets, unless others came a moment ago. What is put
 * aside is not overwritten before the last of it has been read. */
static MtGpuStatus
fetch_states (MtGpu *self, MtGpuFailure *failure)
{
  if (self->state_seconds > 0.0 && self->had_states && now () - self->last_states < self->state_seconds)
    return MT_GPU_OK;
  TRY ("waiting for states", cudaStreamWaitEvent (self->compute, self->fetched, 0));
  PASS (launch_send (self, failure));
  TRY ("marking an epoch", cudaEventRecord (self->kept, self->compute));
  TRY ("waiting for an epoch", cudaStreamWaitEvent (self->fetch, self->kept, 0));
  for (uint32_t i = 0; i < self->n_active; i++)
    {
      const MtGpuModel *m = &self->models[self->active[i]];

      TRY ("fetching states", cudaMemcpyAsync (self->fetched_of[self->active[i]].params, m->sent,
                                               4 * m->shape.n_params * sizeof (float), cudaMemcpyDeviceToHost, self->fetch));
    }
  TRY ("marking states", cudaEventRecord (self->fetched, self->fetch));
  self->fetches = self->had_states = true;
  self->last_states = now ();
  return MT_GPU_OK;
}
