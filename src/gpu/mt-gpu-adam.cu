/* The step itself: norm, clip, AdamW.
 *
 * Formula  g' = g · min (1, clip / ‖g‖);  m = β₁m + (1-β₁)g';  v = β₂v + (1-β₂)g'²
 *          p -= lr (decay p + m̂ / (√v̂ + ε)),  m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ)
 *          with constraints p then goes to the nearest number it may be (mt-net-constraints.h)
 * mt_gpu_norm_kernel, one block a model, adds up losses and squares in order, judges whether they
 * are finite, and counts the step; it also keeps the epoch's loss, so that the host asks once.
 * Shared   32 doubles. Cost of AdamW: 28 bytes moved a parameter, 29 with limits. */
#include "mt-gpu.h"

#define ADAM_BETA1   0.9f
#define ADAM_BETA2   0.999f
#define ADAM_EPSILON 1e-8f

/* Sum of an array in an order that depends on the block's size only. */
__device__ __forceinline__ double
mt_gpu_array_sum (const double *x, uint32_t n, double *scratch)
{
  double sum = 0.0;

  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    sum += x[i];
  return mt_gpu_block_sum (sum, scratch);
}

/* Grid: 1 × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_norm_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  MtGpuProgress *progress = m.progress;

  MT_SHARED (double, scratch);

  if (mt_gpu_is_over (m))
    {
      if (threadIdx.x == 0)
        progress->stepped = 0;
      return;
    }

  uint32_t n = mt_gpu_tile (m, MT_GPU_TRAIN).n;
  double loss = mt_gpu_array_sum (m.losses, m.n_loss_blocks, scratch);
  double squares = mt_gpu_array_sum (m.squares, m.shape.n_nodes + m.n_flat_blocks, scratch);

  /* Everybody has read the step by now: mt_gpu_block_sum() ends in a barrier. */
  if (threadIdx.x != 0)
    return;
  if (!isfinite (loss) || !isfinite (squares))
    {
      progress->standing.end = MT_GPU_BAD_LOSS;
      progress->standing.bad_step = progress->n_steps + 1;
      progress->stepped = 0;
      return;
    }
  progress->loss += loss;
  progress->n_rows += n;
  progress->n_steps++;
  progress->step++;
  progress->stepped = 1;
  progress->scale = m.shape.clip > 0.0f && squares > (double) m.shape.clip * (double) m.shape.clip
                      ? (float) ((double) m.shape.clip / sqrt (squares)) : 1.0f;
  progress->correct1 = (float) (1.0 / (1.0 - pow ((double) ADAM_BETA1, (double) progress->n_steps)));
  progress->correct2 = (float) (1.0 / (1.0 - pow ((double) ADAM_BETA2, (double) progress->n_steps)));
}

/* A zero keeps the sign of a node in its head weight. */
__device__ __forceinline__ float
mt_gpu_limited (float p, uint8_t limit)
{
  float zero = (limit & MT_GPU_SIGNED_ZERO) != 0 && (limit & MT_GPU_NOT_POSITIVE) != 0 ? -0.0f : 0.0f;

  if (((limit & MT_GPU_NOT_NEGATIVE) != 0 && p < 0.0f) || ((limit & MT_GPU_NOT_POSITIVE) != 0 && p > 0.0f) ||
      ((limit & MT_GPU_SIGNED_ZERO) != 0 && p == 0.0f))
    return zero;
  return p;
}

/* Grid: parameters / threads × models. Not when the epoch was over before this step: then
 * mt_gpu_norm_kernel has left `stepped` at 0. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_adam_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const MtGpuProgress *progress = m.progress;

  if (i >= m.shape.n_params || !progress->stepped)
    return;

  float g = m.grad[i] * progress->scale;
  float mean = ADAM_BETA1 * m.mean[i] + (1.0f - ADAM_BETA1) * g;
  float square = ADAM_BETA2 * m.square[i] + (1.0f - ADAM_BETA2) * (g * g);

  m.mean[i] = mean;
  m.square[i] = square;

  float p = m.params[i] - (float) progress->standing.learning_rate *
                            (m.shape.weight_decay * m.params[i] +
                             mean * progress->correct1 / (sqrtf (square * progress->correct2) + ADAM_EPSILON));

  m.params[i] = m.param_limits != NULL ? mt_gpu_limited (p, m.param_limits[i]) : p;
}
