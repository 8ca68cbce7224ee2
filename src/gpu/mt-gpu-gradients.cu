/* From the sums over rows to the gradients of the nodes, and the gradient's norm.
 *
 * Shapes   q: n_outputs × n_literals16; π, W_ltt, W_map and their gradients: the net's blocks
 * Formula  G_i = Σ_c q_ci w_cj          ∂W_ltt = π∘G
 *          u = G∘W_ltt (+ deep's part)  ∂W_map = d∘(u - (d·u) / Σd) / τ,  d = π(1 - π)
 *          ∂b_j = Σ_c ∂b_c w_cj
 * A block a node; blocks beyond the nodes add up squares of the other gradients, 4096 each.
 * Shared   96 numbers. Cost: literals × nodes × outputs multiply-adds, twice π and W_ltt. */
#include "mt-gpu.h"

#define FLAT_BLOCK 4096

__device__ __forceinline__ float
mt_gpu_up (const MtGpuModel &m, uint32_t node, uint32_t i, size_t at, float *grad)
{
  float sum = 0.0f;

  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    sum += m.q[(size_t) c * m.shape.n_literals16 + i] *
           m.params[m.shape.rule + (size_t) c * m.shape.n_nodes16 + node];
  *grad = sum;
  return sum * m.params[m.shape.ltt + at] + (m.extra != NULL ? m.extra[at] : 0.0f);
}

/* Grid: most nodes + flat blocks × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_gradients_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t node = blockIdx.x;
  MtGpuPair squares = { 0.0f, 0.0f };

  MT_SHARED (MtGpuPair, scratch);

  if (node >= m.shape.n_nodes + m.n_flat_blocks || mt_gpu_is_over (m))
    return;
  if (node < m.shape.n_nodes)
    {
      float sum_d = 0.0f, sum_du = 0.0f, mean, grad;

      for (uint32_t i = threadIdx.x; i < m.shape.n_literals; i += blockDim.x)
        {
          size_t at = mt_gpu_at (m, i, node);
          float pi = m.pi[at], d = pi - pi * pi, up = mt_gpu_up (m, node, i, at, &grad);

          sum_d += d;
          sum_du += d * up;
        }
      sum_d = mt_gpu_block_sum (sum_d, (float *) (scratch + 32));
      sum_du = mt_gpu_block_sum (sum_du, (float *) (scratch + 64));
      mean = sum_d > 0.0f ? sum_du / sum_d : 0.0f;
      for (uint32_t i = threadIdx.x; i < m.shape.n_literals; i += blockDim.x)
        {
          size_t at = mt_gpu_at (m, i, node);
          float pi = m.pi[at], up = mt_gpu_up (m, node, i, at, &grad);
          float map = (pi - pi * pi) * (up - mean) * m.shape.inv_tau, ltt = pi * grad;

          m.grad[m.shape.map + at] = map;
          m.grad[m.shape.ltt + at] = ltt;
          squares = mt_gpu_add (squares, map * map + ltt * ltt);
        }
      if (threadIdx.x == 0)
        {
          float bias = 0.0f;

          for (uint32_t c = 0; c < m.shape.n_outputs; c++)
            bias += m.grad[m.shape.head_bias + c] *
                    m.params[m.shape.rule + (size_t) c * m.shape.n_nodes16 + node];
          m.grad[m.shape.bias + node] = bias;
          squares = mt_gpu_add (squares, bias * bias);
        }
    }
  else
    {
      size_t first = m.shape.rule + (size_t) (node - m.shape.n_nodes) * FLAT_BLOCK;
      size_t end = first + FLAT_BLOCK < m.shape.n_params ? first + FLAT_BLOCK : m.shape.n_params;

      for (size_t i = first + threadIdx.x; i < end; i += blockDim.x)
        squares = mt_gpu_add (squares, m.grad[i] * m.grad[i]);
    }
  squares = mt_gpu_block_sum (squares, scratch);
  if (threadIdx.x == 0)
    m.squares[node] = squares;
}
