/* Which literals a node listens to: the k largest scores, and the soft choice for the gradient.
 *
 * Shapes   scores, π: the net's blocks of 16 nodes; a block of threads a node, blockIdx.x
 * Formula  π = σ((s - λ) / τ), Σπ = k; λ by Newton inside the bracket
 *            s₍k+1₎ - τ log k  ≤  λ  ≤  s₍k₎ + τ log (n - k)
 *          in the same steps as mt-topk.c: a step that leaves the bracket, or does not halve the
 *          residual, halves the bracket instead; |Σπ - k| ≤ 4e-7 k
 * Ties     equal scores by the lower literal: each round takes the largest (s, -i) below the last; what is
 *          not a number counts as the lowest, so that there are always k winners
 * Shared   64 doubles of scratch, k + 1 winners, and the scores where they fit (n ≤ 11,000)
 * Cost     (k + 1) + passes reads of n scores from shared memory, about 8 passes cold, 3 warm;
 *          doubles only in the sums, one addition an element, and in λ itself */
#include "mt-gpu.h"

#define CHOOSE_TOLERANCE  4e-7
#define CHOOSE_MAX_PASSES 100
#define CHOOSE_FIXED      (64 * sizeof (double) + 64 * sizeof (uint32_t))

static inline size_t
mt_gpu_choose_shared (uint32_t n_literals)
{
  size_t scores = n_literals * sizeof (float);

  return CHOOSE_FIXED + (CHOOSE_FIXED + scores <= MT_GPU_MAX_SHARED ? scores : 0);
}

/* The best of a block by (score, lower index): all threads get it. */
__device__ __forceinline__ uint32_t
mt_gpu_block_best (float score, uint32_t index, float *scores, uint32_t *indices)
{
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (uint32_t by = 16; by > 0; by /= 2)
    {
      float other = __shfl_xor_sync (MT_FULL_WARP, score, by);
      uint32_t other_index = __shfl_xor_sync (MT_FULL_WARP, index, by);

      /* MT_GPU_NONE is no literal: worse than any. */
      if (other_index != MT_GPU_NONE &&
          (index == MT_GPU_NONE || other > score || (other == score && other_index < index)))
        {
          score = other;
          index = other_index;
        }
    }
  if (lane == 0)
    {
      scores[warp] = score;
      indices[warp] = index;
    }
  __syncthreads ();
  score = scores[0];
  index = indices[0];
  for (uint32_t i = 1; i < blockDim.x / 32; i++)
    if (indices[i] != MT_GPU_NONE &&
        (index == MT_GPU_NONE || scores[i] > score || (scores[i] == score && indices[i] < index)))
      {
        score = scores[i];
        index = indices[i];
      }
  __syncthreads ();
  return index;
}

__device__ __forceinline__ float
mt_gpu_score_at (const float *s, size_t at)
{
  float x = s[at];

  return x == x ? x : -INFINITY;
}

/* found: k indices, larger scores first. */
__device__ __forceinline__ void
mt_gpu_top (const float *s, size_t stride, uint32_t n, uint32_t k, uint32_t *found, double *scratch)
{
  float *scores = (float *) scratch;
  uint32_t *indices = (uint32_t *) (scratch + 32);
  uint32_t last = MT_GPU_NONE;

  for (uint32_t round = 0; round < k; round++)
    {
      float bound = last != MT_GPU_NONE ? mt_gpu_score_at (s, last * stride) : 0.0f, best = 0.0f;
      uint32_t at = MT_GPU_NONE;

      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        {
          float x = mt_gpu_score_at (s, i * stride);

          if (last != MT_GPU_NONE && !(x < bound || (x == bound && i > last)))
            continue;
          if (at == MT_GPU_NONE || x > best)
            {
              best = x;
              at = i;
            }
        }
      last = mt_gpu_block_best (best, at, scores, indices);
      if (threadIdx.x == 0)
        found[round] = last;
    }
  __syncthreads ();
}

/* π of the node and its λ; every thread follows the same path, from the same sums. */
__device__ __forceinline__ double
mt_gpu_soft (const float *s, size_t stride, uint32_t n, uint32_t k, double tau, double lambda,
             const uint32_t *found, float *pi, double *scratch)
{
  double low = (double) s[found[k] * stride] - tau * log ((double) k) - 1e-3 * tau;
  double high = (double) s[found[k - 1] * stride] + tau * log ((double) n - (double) k) + 1e-3 * tau;
  double residual = INFINITY;
  float inv_tau = (float) (1.0 / tau);

  if (!(lambda > low && lambda < high))
    lambda = 0.5 * (low + high);
  for (uint32_t pass = 0; pass < CHOOSE_MAX_PASSES; pass++)
    {
      float hi = (float) lambda;
      float rest = (float) exp ((lambda - (double) hi) / tau);
      double sum = 0.0, slope = 0.0, error, next;

      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        {
          float x = (s[i * stride] - hi) * inv_tau;
          float p = 1.0f / (1.0f + rest * expf (-fminf (fmaxf (x, -87.0f), 87.0f)));

          pi[(size_t) i * MT_GPU_LANES] = p;
          sum += p;
          slope += p - p * p;
        }
      sum = mt_gpu_block_sum (sum, scratch);
      slope = mt_gpu_block_sum (slope, scratch + 32);
      error = sum - (double) k;
      if (fabs (error) <= CHOOSE_TOLERANCE * k || high - low < 1e-15 * (fabs (low) + tau))
        break;
      if (error > 0.0)
        low = fmax (low, lambda);
      else
        high = fmin (high, lambda);
      next = lambda + tau * error / slope;
      if (!(next > low && next < high) || fabs (error) > 0.5 * residual)
        {
          next = 0.5 * (low + high);
          residual = INFINITY;
        }
      else
        residual = fabs (error);
      lambda = next;
    }
  return lambda;
}

/* Grid: most nodes of a model × models. @cold: forget the last roots, as every epoch begins, so that
 * a resumed training goes on exactly as one that never stopped. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_choose_kernel (const MtGpuModel *models, int cold, int shared_scores)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t node = blockIdx.x, n = m.shape.n_literals, k = m.shape.fan_in;
  size_t first = mt_gpu_at (m, 0, node);
  const float *s = m.params + m.shape.map + first;
  size_t stride = MT_GPU_LANES;

  MT_SHARED (double, scratch);
  uint32_t *found = (uint32_t *) (scratch + 64);
  float *copy = (float *) (found + 64);

  if (node >= m.shape.n_nodes || mt_gpu_is_still (m))
    return;
  if (shared_scores)
    {
      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        copy[i] = s[(size_t) i * MT_GPU_LANES];
      __syncthreads ();
      s = copy;
      stride = 1;
    }
  mt_gpu_top (s, stride, n, k < n ? k + 1 : k, found, scratch);
  if (k < n)
    {
      double lambda = mt_gpu_soft (s, stride, n, k, m.shape.tau, cold ? (double) NAN : m.lambda[node], found,
                                   m.pi + first, scratch);

      if (threadIdx.x == 0)
        m.lambda[node] = lambda;
    }
  else
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
      m.pi[first + (size_t) i * MT_GPU_LANES] = 1.0f;
  if (threadIdx.x < k)
    {
      uint32_t own = found[threadIdx.x], rank = 0;

      for (uint32_t i = 0; i < k; i++)
        rank += found[i] < own;
      m.inputs[node * MT_GPU_MAX_FAN_IN + rank] = own;
      m.weights[node * MT_GPU_MAX_FAN_IN + rank] =
        m.params[m.shape.ltt + first + (size_t) own * MT_GPU_LANES];
    }
}
