/* How an epoch begins and ends: what early stopping needs, decided where the losses are.
 *
 * Shapes   one block a net, but for mt_gpu_keep_kernel: a thread a parameter
 * Formula  loss = Σ over validation rows / n, or the training loss where there are none;
 *          better if loss < best - 1e-6: then the parameters are kept as the best and both waits are 0;
 *          else both waits grow, and after `plateau` of them the learning rate halves
 *          the end after `patience` epochs without a better one, or after max_epochs
 *          (judge_epoch() of mt-train.c, to the last bit)
 * Kept     parameters and moments after every complete epoch, so that a cancelled or failed one is as if
 *          it had never begun; every few seconds a copy of them for the host
 * Shared   32 pairs. Cost: 28 bytes moved a parameter and epoch. */
#include "mt-gpu.h"

#define JUDGE_LEAST 1e-6

/* Grid: 1 × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_begin_kernel (const MtGpuModel *models)
{
  MtGpuProgress *progress = models[blockIdx.y].progress;

  if (threadIdx.x > 0)
    return;
  progress->step = progress->tile = progress->stepped = progress->judged = progress->better = 0;
  progress->n_steps = progress->standing.n_steps;
  progress->n_rows = 0;
  progress->loss = progress->valid = MtGpuPair { 0.0f, 0.0f };
}

/* After a tile of validation rows. Grid: 1 × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_valid_kernel (const MtGpuModel *models, uint32_t number)
{
  const MtGpuModel &m = models[blockIdx.y];

  MT_SHARED (MtGpuPair, scratch);

  if (mt_gpu_is_over (m, number))
    return;

  MtGpuPair loss = mt_gpu_array_sum (m.losses, m.valid.n_loss_blocks, scratch);

  if (threadIdx.x == 0)
    {
      m.progress->valid = mt_gpu_add (m.progress->valid, loss);
      m.progress->tile++;
    }
}

/* Grid: 1 × models; one thread does it all. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_judge_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  MtGpuProgress *progress = m.progress;
  MtGpuStanding *standing = &progress->standing;

  if (threadIdx.x > 0 || mt_gpu_is_still (m))
    return;

  double train = progress->n_rows > 0 ? mt_gpu_double (progress->loss) / (double) progress->n_rows : 0.0;
  double valid = m.n_valid > 0 ? mt_gpu_double (progress->valid) / (double) m.n_valid : (double) NAN;
  double loss = m.n_valid > 0 ? valid : train;

  if (!isfinite (loss))
    {
      standing->end = MT_GPU_BAD_VALIDATION;
      return;
    }
  progress->judged = 1;
  standing->epoch++;
  standing->n_steps = progress->n_steps;
  standing->n_rows = progress->n_rows;
  standing->train_loss = train;
  standing->valid_loss = valid;
  standing->metric = mt_gpu_metric (m);
  if (loss < standing->best_loss - JUDGE_LEAST)
    {
      progress->better = 1;
      standing->best_loss = loss;
      standing->best_train_loss = train;
      standing->best_epoch = standing->epoch;
      standing->waited = standing->waited_plateau = 0;
    }
  else
    {
      standing->waited++;
      if (++standing->waited_plateau >= m.plateau)
        {
          standing->learning_rate *= 0.5;
          standing->waited_plateau = 0;
        }
    }
  if (standing->epoch >= m.max_epochs || standing->waited >= m.patience)
    standing->end = MT_GPU_LEARNT;
}

/* Grid: parameters / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_keep_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= m.shape.n_params || !m.progress->judged)
    return;

  size_t at = mt_gpu_turned (m, i, false);

  m.last_params[i] = m.params[at];
  m.last_mean[i] = m.mean[at];
  m.last_square[i] = m.square[at];
  if (m.progress->better)
    m.best[i] = m.params[at];
}

/* The host fetches these while the next epochs run. Grid: parameters / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_send_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x, n = m.shape.n_params;

  if (i >= n)
    return;
  m.sent[i] = m.last_params[i];
  m.sent[n + i] = m.last_mean[i];
  m.sent[2 * n + i] = m.last_square[i];
  m.sent[3 * n + i] = m.best[i];
}

/* A net begins: from its state after an epoch, or (@only) with the parameters that lie in grad, to be scored.
 * Grid: parameters / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_take_kernel (const MtGpuModel *models, int only)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= m.shape.n_params)
    return;

  size_t at = mt_gpu_turned (m, i, false);

  if (only)
    m.params[at] = m.grad[i];
  else
    {
      m.params[at] = m.last_params[i];
      m.mean[at] = m.last_mean[i];
      m.square[at] = m.last_square[i];
    }
}

/* The epoch's order of rows. Grid: most training rows / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_order_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= m.n_train || mt_gpu_is_still (m))
    return;

  MtOrder order = mt_order_of (m.seed, m.progress->standing.epoch, m.n_train);

  m.order[i] = m.train_rows[mt_order_at (&order, i)];
}
