/* The step itself: norm, clip, AdamW.
 *
 * Formula  g' = g · min (1, clip / ‖g‖);  m = β₁m + (1-β₁)g';  v = β₂v + (1-β₂)g'²
 *          p -= lr (decay p + m̂ / (√v̂ + ε)),  m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ)
 *          with constraints p then goes to the nearest number it may be (mt-net-constraints.h)
 * mt_gpu_norm_kernel, one block a model, adds up losses and squares in order, judges whether they
 * are finite, and counts the step; it also keeps the epoch's loss, so that the host asks once.
 * The powers of β run along, as pairs of floats; mt_gpu_powers() makes the same of a number of steps, so that a training
 * that is resumed goes on as one that never stopped.
 * Shared   32 pairs. Cost of AdamW: 28 bytes moved a parameter, 29 with limits. */
#include "mt-gpu.h"

#define ADAM_BETA1   0.9f
#define ADAM_BETA2   0.999f
#define ADAM_EPSILON 1e-8f

/* βᵗ of the steps that were taken. */
static inline void
mt_gpu_powers (MtGpuProgress *progress, uint64_t n_steps)
{
  progress->power1 = progress->power2 = MtGpuPair { 1.0f, 0.0f };
  for (uint64_t step = 0; step < n_steps && progress->power2.hi > 0.0f; step++)
    {
      progress->power1 = mt_gpu_times (progress->power1, ADAM_BETA1);
      progress->power2 = mt_gpu_times (progress->power2, ADAM_BETA2);
    }
}

/* Sum of an array in an order that depends on the block's size only. */
__device__ __forceinline__ MtGpuPair
mt_gpu_array_sum (const MtGpuPair *x, uint32_t n, MtGpuPair *scratch)
{
  MtGpuPair sum = { 0.0f, 0.0f };

  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    sum = mt_gpu_add (sum, x[i]);
  return mt_gpu_block_sum (sum, scratch);
}

/* 1 / (1 - βᵗ) */
__device__ __forceinline__ float
mt_gpu_correction (MtGpuPair power)
{
  return 1.0f / ((1.0f - power.hi) - power.lo);
}

/* Grid: 1 × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_norm_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  MtGpuProgress *progress = m.progress;

  MT_SHARED (MtGpuPair, scratch);

  if (mt_gpu_is_over (m))
    {
      if (threadIdx.x == 0)
        progress->stepped = 0;
      return;
    }

  uint32_t n = mt_gpu_tile (m, MT_GPU_TRAIN).n;
  MtGpuPair loss = mt_gpu_array_sum (m.losses, m.train.n_loss_blocks, scratch);
  float squares = mt_gpu_array_sum (m.squares, m.shape.n_nodes + m.n_flat_blocks, scratch).hi;

  /* Everybody has read the step by now: mt_gpu_block_sum() ends in a barrier. */
  if (threadIdx.x != 0)
    return;
  if (!isfinite (loss.hi) || !isfinite (squares))
    {
      progress->standing.end = MT_GPU_BAD_LOSS;
      progress->standing.bad_step = progress->n_steps + 1;
      progress->stepped = 0;
      return;
    }
  progress->loss = mt_gpu_add (progress->loss, loss);
  progress->n_rows += n;
  progress->n_steps++;
  progress->step++;
  progress->stepped = 1;
  progress->scale = m.shape.clip > 0.0f && squares > m.shape.clip * m.shape.clip ? m.shape.clip / sqrtf (squares) : 1.0f;
  progress->power1 = mt_gpu_times (progress->power1, ADAM_BETA1);
  progress->power2 = mt_gpu_times (progress->power2, ADAM_BETA2);
  progress->correct1 = mt_gpu_correction (progress->power1);
  progress->correct2 = mt_gpu_correction (progress->power2);
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

  m.params[i] = m.param_limits != NULL ? mt_gpu_limited (p, m.param_limits[mt_gpu_turned (m, i, true)]) : p;
}
