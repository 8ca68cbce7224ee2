/* Scores, losses and their gradients in the scores.
 *
 * Shapes   eta, g: n_outputs × rows; losses: a pair of floats a block of rows
 * Formula  η_c = b_c + Σ_j w_cj y_j + Σ_groups table_c[code] + Σ_u w_cu x_u
 *          binary      softplus(η) - yη,     g = σ(η) - y
 *          multiclass  log Σ e^η - η_y,      g = softmax(η) - 1(c = y)
 *          regression  ½ (η - y)²,           g = η - y
 *          times the weight of the row's class
 * A thread a row; words of node_planes are the same for a warp, codes and η are read side by side.
 * The head's weights of a group are one number a code, made by mt_gpu_codes_kernel.
 * Shared   32 pairs. Cost: rows × outputs × (nodes + groups + numeric) additions. */
#include "mt-gpu.h"

/* Grid: outputs × groups / threads × models. A thread a (output, group). */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_codes_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;

  if (at >= m.shape.n_outputs * m.shape.n_groups || mt_gpu_is_still (m))
    return;

  uint32_t output = at / m.shape.n_groups;
  MtGpuGroup group = m.groups[at % m.shape.n_groups];

  if (group.first_code == MT_GPU_NONE)
    return;

  const float *w = m.params + m.shape.literal + (size_t) output * m.shape.n_literals16 + group.first_literal;
  float *table = m.code_tables + (size_t) output * m.shape.n_code_entries + group.first_code;
  float sum = 0.0f;

  table[0] = 0.0f;
  for (uint32_t i = 0; i < group.n_literals; i++)
    {
      sum += w[i];
      table[i + 1] = i < group.n_thresholds ? sum : w[i];
    }
}

__device__ __forceinline__ float
mt_gpu_score (const MtGpuModel &m, const MtGpuSize &size, uint32_t output, uint32_t p, const float *numeric)
{
  const float *rule = m.params + m.shape.rule + (size_t) output * m.shape.n_nodes16;
  const float *tables = m.code_tables + (size_t) output * m.shape.n_code_entries;
  const float *w = m.params + m.shape.numeric + (size_t) output * m.shape.n_numeric16;
  float eta = m.params[m.shape.head_bias + output], sum = 0.0f;

  for (uint32_t j = 0; j < m.shape.n_nodes; j++)
    if (m.node_planes[(size_t) j * size.n_words + p / 32] >> (p % 32) & 1)
      eta += rule[j];
  for (uint32_t g = 0; g < m.shape.n_groups; g++)
    if (m.groups[g].first_code != MT_GPU_NONE)
      eta += tables[m.groups[g].first_code + m.codes[(size_t) g * size.rows + p]];
  for (uint32_t u = 0; u < m.shape.n_numeric; u++)
    sum += w[u] * numeric[u];
  return eta + sum;
}

/* Loss of a row from its scores; g: an output every @stride. */
__device__ __forceinline__ float
mt_gpu_row_loss (const MtGpuModel &m, const float *eta, float *g, size_t stride, float y, float weight)
{
  float e = eta[0];

  if (m.shape.task == MT_GPU_REGRESSION)
    {
      g[0] = weight * (e - y);
      return 0.5f * weight * (e - y) * (e - y);
    }
  if (m.shape.task == MT_GPU_BINARY)
    {
      float p = 1.0f / (1.0f + expf (-fminf (fmaxf (e, -87.0f), 87.0f)));

      g[0] = weight * (p - y);
      return weight * (fmaxf (e, 0.0f) - y * e + log1pf (expf (-fabsf (e))));
    }

  uint32_t truth = (uint32_t) y;
  float largest = e, sum = 0.0f;

  for (uint32_t c = 1; c < m.shape.n_outputs; c++)
    largest = fmaxf (largest, eta[c * stride]);
  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    sum += expf (fmaxf (eta[c * stride] - largest, -87.0f));
  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    g[c * stride] = weight * (expf (fmaxf (eta[c * stride] - largest, -87.0f)) / sum -
                              (c == truth ? 1.0f : 0.0f));
  return weight * (logf (sum) + largest - eta[truth * stride]);
}

/* Grid: rows of a tile / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_head_kernel (const MtGpuModel *models, uint32_t number)
{
  const MtGpuModel &m = models[blockIdx.y];
  const MtGpuSize &size = mt_gpu_size (m, number);
  uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
  MtGpuPair loss = { 0.0f, 0.0f };

  MT_SHARED (MtGpuPair, scratch);

  if (blockIdx.x >= size.n_loss_blocks || mt_gpu_is_over (m, number))
    return;

  MtGpuTile tile = mt_gpu_tile (m, number);

  if (p < tile.n)
    {
      size_t row = mt_gpu_row (tile, p);
      float y = tile.rows->y[row];
      float weight = m.class_weights != NULL && m.shape.task != MT_GPU_REGRESSION
                       ? m.class_weights[(uint32_t) y] : 1.0f;

      for (uint32_t c = 0; c < m.shape.n_outputs; c++)
        m.eta[(size_t) c * size.rows + p] =
          mt_gpu_score (m, size, c, p, tile.rows->numeric + row * m.shape.numeric_stride);
      loss.hi = mt_gpu_row_loss (m, m.eta + p, m.g + p, size.rows, y, weight);
    }
  else if (p < size.rows)
    for (uint32_t c = 0; c < m.shape.n_outputs; c++)
      m.eta[(size_t) c * size.rows + p] = m.g[(size_t) c * size.rows + p] = 0.0f;
  loss = mt_gpu_block_sum (loss, scratch);
  if (threadIdx.x == 0)
    m.losses[blockIdx.x] = loss;
}
