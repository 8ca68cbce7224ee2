/* Sums of the gradient g over rows: by literal, by node, by numeric column, and in all.
 *
 * Because the step through a node is the identity, XᵀG of all nodes is (Xᵀg) w: outputs instead of
 * nodes many sums a literal.
 *
 * Literals by histogram: a block a (group, slice of 512 rows, output). Each thread adds its rows to
 *   a histogram of its own, [code][thread] in shared memory: no two threads share a cell or a bank,
 *   no atomic operation. Then a thread a code adds the columns in order, and the thresholds become
 *   sums of the codes above them. mt_gpu_reduce_kernel adds the slices in order.
 *   Shared: codes × T × 4 bytes with the largest T of 128, 64, 32 that stays below 32 KiB
 *   (255 codes: T = 32), and the codes' totals; what the widest column of the data needs.
 *   Cost: rows × groups × outputs additions to shared memory, against rows × literals by planes.
 * Others: a block a (node or column, output), rows side by side, summed in a fixed tree. */
#include "mt-gpu.h"

#define HISTOGRAM_BYTES (32 * 1024)

__host__ __device__ __forceinline__ uint32_t
mt_gpu_histogram_width (uint32_t n_codes, uint32_t n_threads)
{
  uint32_t width = n_threads < 128 ? n_threads : 128;

  while (width > 32 && n_codes * width * sizeof (float) > HISTOGRAM_BYTES)
    width /= 2;
  return width;
}

/* For groups of at most so many codes: the histograms, and the totals. Of @codes, which of all up to @n_codes needs most:
 * one that has fewer codes may have more threads. */
static inline size_t
mt_gpu_histogram_shared (uint32_t n_codes, uint32_t n_threads)
{
  size_t most = 0;

  for (uint32_t n = 1; n <= n_codes; n++)
    {
      size_t bytes = (size_t) n * (mt_gpu_histogram_width (n, n_threads) + 1) * sizeof (float);

      most = bytes > most ? bytes : most;
    }
  return most;
}

/* Grid: groups × slices, most of them × models × outputs. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_histogram_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t g = blockIdx.x % m.shape.n_groups, slice = blockIdx.x / m.shape.n_groups, c = blockIdx.z;

  MT_SHARED (float, counts);

  if (slice >= m.n_slices || c >= m.shape.n_outputs || mt_gpu_is_over (m))
    return;

  MtGpuGroup group = m.groups[g];
  uint32_t n_codes = group.n_literals + 1, width = mt_gpu_histogram_width (n_codes, blockDim.x);
  uint32_t left = m.train.rows - slice * MT_GPU_SLICE, n_rows = left < MT_GPU_SLICE ? left : MT_GPU_SLICE;
  const uint8_t *codes = m.codes + (size_t) g * m.train.rows + slice * MT_GPU_SLICE;
  const float *from = m.g + (size_t) c * m.train.rows + slice * MT_GPU_SLICE;
  float *totals = counts + n_codes * width;

  for (uint32_t i = threadIdx.x; i < n_codes * width; i += blockDim.x)
    counts[i] = 0.0f;
  __syncthreads ();
  if (threadIdx.x < width)
    for (uint32_t p = threadIdx.x; p < n_rows; p += width)
      counts[codes[p] * width + threadIdx.x] += from[p];
  __syncthreads ();
  for (uint32_t code = threadIdx.x; code < n_codes; code += blockDim.x)
    {
      float sum = 0.0f;

      /* Each thread begins at another bank; the order is fixed all the same. */
      for (uint32_t i = 0; i < width; i++)
        sum += counts[code * width + (i + code) % width];
      totals[code] = sum;
    }
  __syncthreads ();

  float *out = m.slices + ((size_t) slice * m.shape.n_outputs + c) * m.shape.n_literals16 + group.first_literal;

  if (threadIdx.x == 0)
    {
      float above = 0.0f;

      for (uint32_t i = group.n_thresholds; i-- > 0; )
        out[i] = above += totals[i + 1];
    }
  for (uint32_t i = group.n_thresholds + threadIdx.x; i < group.n_literals; i += blockDim.x)
    out[i] = totals[i + 1];
}

/* Slices in order, as a mean over the batch; the head's own literals get it as their gradient.
 * Grid: outputs × literals / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_reduce_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t at = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t c = (uint32_t) (at / m.shape.n_literals), i = (uint32_t) (at % m.shape.n_literals);
  uint32_t n = mt_gpu_tile (m, MT_GPU_TRAIN).n;
  float sum = 0.0f;

  if (c >= m.shape.n_outputs || mt_gpu_is_over (m))
    return;
  for (uint32_t slice = 0; slice < (n + MT_GPU_SLICE - 1) / MT_GPU_SLICE; slice++)
    sum += m.slices[((size_t) slice * m.shape.n_outputs + c) * m.shape.n_literals16 + i];
  sum *= 1.0f / (float) n;
  m.q[(size_t) c * m.shape.n_literals16 + i] = sum;
  if (m.in_head[i])
    m.grad[m.shape.literal + (size_t) c * m.shape.n_literals16 + i] = sum;
}

/* Grid: most of nodes + numeric + 1 × models × outputs. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_columns_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t which = blockIdx.x, c = blockIdx.z, n_nodes = m.shape.n_nodes, n_numeric = m.shape.n_numeric;
  float sum = 0.0f, *out;

  MT_SHARED (float, scratch);

  if (which > n_nodes + n_numeric || c >= m.shape.n_outputs || mt_gpu_is_over (m))
    return;

  MtGpuTile tile = mt_gpu_tile (m, MT_GPU_TRAIN);
  const float *g = m.g + (size_t) c * m.train.rows;

  for (uint32_t p = threadIdx.x; p < tile.n; p += blockDim.x)
    if (which < n_nodes)
      {
        if (m.node_planes[(size_t) which * m.train.n_words + p / 32] >> (p % 32) & 1)
          sum += g[p];
      }
    else if (which < n_nodes + n_numeric)
      sum += g[p] * tile.rows->numeric[mt_gpu_row (tile, p) * m.shape.numeric_stride + which - n_nodes];
    else
      sum += g[p];
  sum = mt_gpu_block_sum (sum, scratch);
  out = which < n_nodes ? m.grad + m.shape.rule + (size_t) c * m.shape.n_nodes16 + which
        : which < n_nodes + n_numeric
          ? m.grad + m.shape.numeric + (size_t) c * m.shape.n_numeric16 + which - n_nodes
          : m.grad + m.shape.head_bias + c;
  if (threadIdx.x == 0)
    *out = sum * (1.0f / (float) tile.n);
}
