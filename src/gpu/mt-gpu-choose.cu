/* Which literals a node listens to: the k largest scores, and the soft choice for the gradient.
 *
 * Shapes   scores, π: a node's side by side; a block of threads a node, blockIdx.x
 * Formula  π = σ((s - λ) / τ), Σπ = k; λ by Newton inside the bracket
 *            s₍k+1₎ - τ log k  ≤  λ  ≤  s₍k₎ + τ log (n - k)
 *          in the same steps as mt-topk.c: a step that leaves the bracket, or does not halve the
 *          residual, halves the bracket instead; |Σπ - k| ≤ 4e-7 k
 * Ties     equal scores by the lower literal: each round takes the largest (s, -i) below the last; what is
 *          not a number counts as the lowest, so that there are always k winners
 * Shared   64 pairs of scratch, k + 1 winners, and the scores where they fit (n ≤ 11,000)
 * Cost     (k + 1) + passes + 1 reads of n scores from shared memory, about 8 passes cold, 3 warm; no doubles: λ, its
 *          bracket and the sums of π are pairs of floats */
#include "mt-gpu.h"

#define CHOOSE_TOLERANCE  4e-7f
#define CHOOSE_MARGIN     1e-3f
#define CHOOSE_NARROW     1e-13f
#define CHOOSE_MAX_PASSES 100
#define CHOOSE_FIXED      (64 * sizeof (MtGpuPair) + 64 * sizeof (uint32_t))

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
mt_gpu_top (const float *s, uint32_t n, uint32_t k, uint32_t *found, MtGpuPair *scratch)
{
  float *scores = (float *) scratch;
  uint32_t *indices = (uint32_t *) (scratch + 32);
  uint32_t last = MT_GPU_NONE;

  for (uint32_t round = 0; round < k; round++)
    {
      float bound = last != MT_GPU_NONE ? mt_gpu_score_at (s, last) : 0.0f, best = 0.0f;
      uint32_t at = MT_GPU_NONE;

      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        {
          float x = mt_gpu_score_at (s, i);

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

/* a < b. */
__device__ __forceinline__ bool
mt_gpu_below (MtGpuPair a, MtGpuPair b)
{
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* π at λ = hi + τ log rest; sums: of π, and of π(1 - π). */
__device__ __forceinline__ float
mt_gpu_soft_at (float score, float hi, float rest, float inv_tau)
{
  float x = (score - hi) * inv_tau;

  return 1.0f / (1.0f + rest * expf (-fminf (fmaxf (x, -87.0f), 87.0f)));
}

/* π of the node and its λ; every thread follows the same path, from the same sums. */
__device__ __forceinline__ MtGpuPair
mt_gpu_soft (const MtGpuModel &m, const float *s, uint32_t n, uint32_t k, bool cold, MtGpuPair lambda,
             const uint32_t *found, float *pi, MtGpuPair *scratch)
{
  float tau = m.tau, inv_tau = m.inv_tau, below = s[found[k]], above = s[found[k - 1]];
  /* Rounding must not put the root outside. */
  MtGpuPair low = mt_gpu_add (mt_gpu_two_sum (below, -tau * m.log_k), -CHOOSE_MARGIN * tau);
  MtGpuPair high = mt_gpu_add (mt_gpu_two_sum (above, tau * m.log_rest), CHOOSE_MARGIN * tau);
  float residual = INFINITY, hi = 0.0f, rest = 1.0f;

  if (cold || !(mt_gpu_below (low, lambda) && mt_gpu_below (lambda, high)))
    lambda = mt_gpu_times (mt_gpu_add (low, high), 0.5f);
  for (uint32_t pass = 0; pass < CHOOSE_MAX_PASSES; pass++)
    {
      MtGpuPair sum = { 0.0f, 0.0f }, next, width;
      float slope = 0.0f, error;

      hi = lambda.hi;
      rest = expf (lambda.lo * inv_tau);
      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        {
          float p = mt_gpu_soft_at (s[i], hi, rest, inv_tau);

          sum = mt_gpu_add (sum, p);
          slope += p - p * p;
        }
      sum = mt_gpu_block_sum (sum, scratch);
      slope = mt_gpu_block_sum (slope, (float *) (scratch + 32));
      error = (sum.hi - (float) k) + sum.lo;
      width = mt_gpu_add (high, MtGpuPair { -low.hi, -low.lo });
      if (fabsf (error) <= CHOOSE_TOLERANCE * (float) k || width.hi < CHOOSE_NARROW * (fabsf (low.hi) + tau))
        break;
      if (error > 0.0f)
        low = mt_gpu_below (low, lambda) ? lambda : low;
      else
        high = mt_gpu_below (lambda, high) ? lambda : high;
      next = mt_gpu_add (lambda, tau * error / slope);
      if (!(mt_gpu_below (low, next) && mt_gpu_below (next, high)) || fabsf (error) > 0.5f * residual)
        {
          next = mt_gpu_times (mt_gpu_add (low, high), 0.5f);
          residual = INFINITY;
        }
      else
        residual = fabsf (error);
      lambda = next;
    }
  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    pi[i] = mt_gpu_soft_at (s[i], hi, rest, inv_tau);
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

  MT_SHARED (MtGpuPair, scratch);
  uint32_t *found = (uint32_t *) (scratch + 64);
  float *copy = (float *) (found + 64);

  if (node >= m.shape.n_nodes || mt_gpu_is_still (m))
    return;
  if (shared_scores)
    {
      for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        copy[i] = s[i];
      __syncthreads ();
      s = copy;
    }
  mt_gpu_top (s, n, k < n ? k + 1 : k, found, scratch);
  if (k < n)
    {
      MtGpuPair lambda = cold ? MtGpuPair { 0.0f, 0.0f } : m.lambda[node];

      lambda = mt_gpu_soft (m, s, n, k, cold, lambda, found, m.pi + first, scratch);

      if (threadIdx.x == 0)
        m.lambda[node] = lambda;
    }
  else
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
      m.pi[first + i] = 1.0f;
  if (threadIdx.x < k)
    {
      uint32_t own = found[threadIdx.x], rank = 0;

      for (uint32_t i = 0; i < k; i++)
        rank += found[i] < own;
      m.inputs[node * MT_GPU_MAX_FAN_IN + rank] = own;
      m.weights[node * MT_GPU_MAX_FAN_IN + rank] =
        m.params[m.shape.ltt + first + own];
    }
}
