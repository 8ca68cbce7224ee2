/* Rows to literals to answers of nodes, 32 rows a word.
 *
 * Shapes   planes: n_literals × n_words; node_planes: n_nodes × n_words; tables: 256 bits a node
 * Formula  literal i of a group is true for i < code ≤ thresholds, or for its own code;
 *          a node's z(v) = b + Σ w_i v_i in double, inputs ascending: the same sums, to the last bit,
 *          as mt_net_node_sums(), therefore the same tables and rules; y = z > 0
 * Planes   a warp a word: 32 rows vote on each literal; codes are kept by group for the sums
 * Tables   a block a node, a thread an assignment; deep nodes add their hidden layer
 * Forward  a thread a (node, word): the table as a tree of choices over the inputs' words, about
 *          3 · 2^k operations for 32 rows, all in registers (a template a fan-in); k > 8 adds
 * Cost     planes: rows × literals / 32 votes; forward: nodes × words × 3 · 2^k */
#include "mt-gpu.h"

/* Grid: words of a tile / warps of a block × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_planes_kernel (const MtGpuModel *models, uint32_t number)
{
  const MtGpuModel &m = models[blockIdx.y];
  const MtGpuSize &size = mt_gpu_size (m, number);
  MtGpuTile tile = mt_gpu_tile (m, number);
  uint32_t word = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  uint32_t p = word * 32 + lane;

  /* A whole warp goes or stays. */
  if (word >= size.n_words || mt_gpu_is_over (m, number))
    return;

  bool is_row = p < tile.n;
  size_t row = is_row ? mt_gpu_row (tile, p) : 0;
  const uint8_t *codes = tile.rows->codes + row * m.shape.code_stride;

  for (uint32_t g = 0; g < m.shape.n_groups; g++)
    {
      MtGpuGroup group = m.groups[g];
      uint32_t code = is_row ? codes[g] : 0;

      m.codes[(size_t) g * size.rows + p] = (uint8_t) code;
      for (uint32_t i = 0; i < group.n_literals; i++)
        {
          bool is = i < group.n_thresholds ? code > i && code <= group.n_thresholds : code == i + 1;
          uint32_t votes = __ballot_sync (MT_FULL_WARP, is);

          if (lane == i % 32)
            m.planes[(size_t) (group.first_literal + i) * size.n_words + word] = votes;
        }
    }
}

/* Grid: most nodes × models; not for fan-in above 8. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_tables_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t node = blockIdx.x, k = m.shape.fan_in, h = m.shape.n_hidden, n_patterns = 1u << k;
  const uint32_t *inputs = m.inputs + node * MT_GPU_MAX_FAN_IN;
  const float *weights = m.weights + node * MT_GPU_MAX_FAN_IN;

  if (node >= m.shape.n_nodes || k > MT_GPU_TABLE_INPUTS || mt_gpu_is_still (m))
    return;
  for (uint32_t first = 0; first < n_patterns; first += blockDim.x)
    {
      uint32_t v = first + threadIdx.x;
      double z = 0.0;

      if (v < n_patterns)
        {
          z = m.params[m.shape.bias + node];
          for (uint32_t i = 0; i < k; i++)
            if (v >> i & 1)
              z += (double) weights[i];
          for (uint32_t u = 0; u < h; u++)
            {
              const float *hidden = m.params + m.shape.hidden + (size_t) node * m.shape.n_literals * h + u;
              double a = m.params[m.shape.hidden_bias + (size_t) node * h + u];

              for (uint32_t i = 0; i < k; i++)
                if (v >> i & 1)
                  a += (double) hidden[(size_t) inputs[i] * h];
              if (a > 0.0)
                z += (double) m.params[m.shape.hidden_out + (size_t) node * h + u] * a;
              m.active[((size_t) node * n_patterns + v) * h + u] = (float) a;
            }
        }

      uint32_t bits = __ballot_sync (MT_FULL_WARP, z > 0.0);

      if (threadIdx.x % 32 == 0 && v < n_patterns)
        m.tables[node * MT_GPU_TABLE_WORDS + v / 32] = bits;
    }
}

/* Entries first … first + 2^k - 1 of the table, for 32 rows whose inputs are the words x. */
template <int k> __device__ __forceinline__ uint32_t
mt_gpu_entries (const uint32_t *table, const uint32_t *x, uint32_t first)
{
  if constexpr (k == 0)
    return 0u - (table[first / 32] >> (first % 32) & 1u);
  else
    {
      uint32_t no = mt_gpu_entries<k - 1> (table, x, first);
      uint32_t yes = mt_gpu_entries<k - 1> (table, x, first + (1u << (k - 1)));

      return (x[k - 1] & yes) | (~x[k - 1] & no);
    }
}

template <int k> __device__ __forceinline__ uint32_t
mt_gpu_node_word (const MtGpuModel &m, uint32_t n_words, uint32_t node, uint32_t word)
{
  uint32_t table[MT_GPU_TABLE_WORDS], x[k];

  for (int i = 0; i < (k > 5 ? 1 << (k - 5) : 1); i++)
    table[i] = m.tables[node * MT_GPU_TABLE_WORDS + i];
  for (int i = 0; i < k; i++)
    x[i] = m.planes[(size_t) m.inputs[node * MT_GPU_MAX_FAN_IN + i] * n_words + word];
  return mt_gpu_entries<k> (table, x, 0);
}

/* Wide nodes: bias + w₀x₀ + … in double and in that order, a row at a time. */
__device__ __forceinline__ uint32_t
mt_gpu_wide_word (const MtGpuModel &m, uint32_t n_words, uint32_t node, uint32_t word)
{
  const uint32_t *inputs = m.inputs + node * MT_GPU_MAX_FAN_IN;
  const float *weights = m.weights + node * MT_GPU_MAX_FAN_IN;
  uint32_t out = 0;

  for (uint32_t r = 0; r < 32; r++)
    {
      double z = m.params[m.shape.bias + node];

      for (uint32_t i = 0; i < m.shape.fan_in; i++)
        if (m.planes[(size_t) inputs[i] * n_words + word] >> r & 1)
          z += (double) weights[i];
      out |= (uint32_t) (z > 0.0) << r;
    }
  return out;
}

/* Grid: (most nodes × words) / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_nodes_kernel (const MtGpuModel *models, uint32_t number)
{
  const MtGpuModel &m = models[blockIdx.y];
  size_t at = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t n_words = mt_gpu_size (m, number).n_words;
  uint32_t node = (uint32_t) (at / n_words), word = (uint32_t) (at % n_words), out;

  if (node >= m.shape.n_nodes || mt_gpu_is_over (m, number))
    return;
  switch (m.shape.fan_in)
    {
    case 1: out = mt_gpu_node_word<1> (m, n_words, node, word); break;
    case 2: out = mt_gpu_node_word<2> (m, n_words, node, word); break;
    case 3: out = mt_gpu_node_word<3> (m, n_words, node, word); break;
    case 4: out = mt_gpu_node_word<4> (m, n_words, node, word); break;
    case 5: out = mt_gpu_node_word<5> (m, n_words, node, word); break;
    case 6: out = mt_gpu_node_word<6> (m, n_words, node, word); break;
    case 7: out = mt_gpu_node_word<7> (m, n_words, node, word); break;
    case 8: out = mt_gpu_node_word<8> (m, n_words, node, word); break;
    default: out = mt_gpu_wide_word (m, n_words, node, word); break;
    }
  m.node_planes[at] = out;
}
