/* Deep nodes: gradients of the hidden layer, z += Σ_u o_u relu (a_u), a = W_hᵀ (mask∘x) + b_h.
 *
 * A row matters only by its assignment v of the node's inputs, so rows are added up by v first:
 *   S_v(i) = Σ gz over rows with assignment v where literal i is true;  T_v without the condition
 *   t_u(i) = o_u Σ_v [a_u(v) > 0] S_v(i)
 *   ∂W_h(i, u) = π_i t_u(i)          ∂b_u = o_u Σ_v [a_u(v) > 0] T_v
 *   part of ∂π_i: Σ_u W_h(i, u) t_u(i)    ∂o_u = Σ_v relu (a_u(v)) T_v
 * Shapes   patterns, node_g: n_nodes × rows; active: n_nodes × 2^k × n_hidden
 * Shared   2^k × T + 2^k + 32 floats, T = 32 threads with a histogram each: 33 KiB at k = 8
 * A block a (literal, node), one more a node for T_v. Cost: nodes × literals × (rows + 2^k · 2^k). */
#include "mt-gpu.h"

#define DEEP_WIDTH 32

static inline size_t
mt_gpu_deep_shared (uint32_t fan_in)
{
  return (((size_t) (DEEP_WIDTH + 1) << fan_in) + 32) * sizeof (float);
}

/* Grid: nodes × rows / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_patterns_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t at = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t node = (uint32_t) (at / m.train.rows), p = (uint32_t) (at % m.train.rows), v = 0;
  float gz = 0.0f;

  if (node >= m.shape.n_nodes || m.shape.n_hidden == 0 || mt_gpu_is_over (m))
    return;
  for (uint32_t i = 0; i < m.shape.fan_in; i++)
    v |= (m.planes[(size_t) m.inputs[node * MT_GPU_MAX_FAN_IN + i] * m.train.n_words + p / 32] >> (p % 32) & 1u) << i;
  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    gz += m.g[(size_t) c * m.train.rows + p] * m.params[m.shape.rule + (size_t) c * m.shape.n_nodes16 + node];
  m.patterns[at] = (uint8_t) v;
  m.node_g[at] = gz;
}

/* Grid: most literals + 1 × models × most nodes. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_deep_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t i = blockIdx.x, node = blockIdx.z, h = m.shape.n_hidden, n = m.shape.n_literals;
  uint32_t n_patterns = 1u << m.shape.fan_in;

  MT_SHARED (float, counts);
  float *sums = counts + (size_t) n_patterns * DEEP_WIDTH, *scratch = sums + n_patterns;

  if (i > n || node >= m.shape.n_nodes || h == 0 || mt_gpu_is_over (m))
    return;

  uint32_t n_rows = mt_gpu_tile (m, MT_GPU_TRAIN).n;
  const uint8_t *patterns = m.patterns + (size_t) node * m.train.rows;
  const float *gz = m.node_g + (size_t) node * m.train.rows;
  const float *active = m.active + (size_t) node * n_patterns * h;
  const float *out = m.params + m.shape.hidden_out + (size_t) node * h;
  size_t weights = m.shape.hidden + ((size_t) node * n + i) * h;
  float extra = 0.0f;

  for (uint32_t at = threadIdx.x; at < n_patterns * DEEP_WIDTH; at += blockDim.x)
    counts[at] = 0.0f;
  __syncthreads ();
  if (threadIdx.x < DEEP_WIDTH)
    for (uint32_t p = threadIdx.x; p < n_rows; p += DEEP_WIDTH)
      if (i == n || (m.planes[(size_t) i * m.train.n_words + p / 32] >> (p % 32) & 1))
        counts[patterns[p] * DEEP_WIDTH + threadIdx.x] += gz[p];
  __syncthreads ();
  for (uint32_t v = threadIdx.x; v < n_patterns; v += blockDim.x)
    {
      float sum = 0.0f;

      for (uint32_t t = 0; t < DEEP_WIDTH; t++)
        sum += counts[v * DEEP_WIDTH + (t + v) % DEEP_WIDTH];
      sums[v] = sum * (1.0f / (float) n_rows);
    }
  __syncthreads ();
  for (uint32_t u = threadIdx.x; u < h; u += blockDim.x)
    {
      float open = 0.0f, through = 0.0f;

      for (uint32_t v = 0; v < n_patterns; v++)
        if (active[(size_t) v * h + u] > 0.0f)
          {
            open += sums[v];
            through += sums[v] * active[(size_t) v * h + u];
          }
      if (i == n)
        {
          m.grad[m.shape.hidden_bias + (size_t) node * h + u] = open * out[u];
          m.grad[m.shape.hidden_out + (size_t) node * h + u] = through;
        }
      else
        {
          m.grad[weights + u] = m.pi[mt_gpu_at (m, i, node)] * (out[u] * open);
          extra += m.params[weights + u] * (out[u] * open);
        }
    }
  extra = mt_gpu_block_sum (extra, scratch);
  if (threadIdx.x == 0 && i < n)
    m.extra[mt_gpu_at (m, i, node)] = extra;
}
