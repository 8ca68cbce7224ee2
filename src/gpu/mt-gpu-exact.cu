/* Exact sums over rows for refining: weighted products of planes, scores, and what a rule's answers are worth.
 *
 * Numbers of rows are whole ones (network/mt-fixed.h), so no sum depends on its order, and the CPU makes the same.
 *
 * Gram     Σ over rows of w a b m: a block has 64 planes a and 64 planes b, a thread 4 × 4 pairs of them. Rows come in
 *          chunks of 128; bits become bytes in shared memory, 0xff for a, 1 for b, and the weights' three bytes lie apart.
 *          __dp4a() then adds four rows at once: byte of w where a is true, times b. A sum of bytes fits 32 bits up to
 *          16 million rows; the third byte of a residual is signed.
 *          Shared: 2 × 64 × 33 + 3 × 32 words, 17 KiB. Cost: 71 instructions for 64 pairs and 4 rows.
 * Rows     a thread a row: its score from the planes' words, which are the same for a warp; residual, curvature, loss
 * Dots     a block a (plane, slice): Σ of the residual
 * Gains    a block a (rule, slice): histograms by pattern, a thread its own; 2^inputs × T × 8 bytes, at most 32 KiB
 * Slices are ranges of rows, so that few planes fill a device; mt_gpu_slices_kernel adds them up. */
#include "mt-gpu.h"
#include "network/mt-fixed.h"
#include "network/mt-gpu-sums-api.h"

#define GRAM_SIDE    64
#define GRAM_ROWS    128
#define GRAM_WORDS   (GRAM_ROWS / 32)
#define GRAM_PITCH   (GRAM_ROWS / 4 + 1)
#define GRAM_THREADS 256
#define GRAM_EACH    4
#define GAINS_BYTES  (32 * 1024)

/* Four bits as four bytes, 0 or 1. */
__device__ __forceinline__ uint32_t
mt_gpu_spread (uint32_t four)
{
  return (four * 0x00204081u) & 0x01010101u;
}

/* Grid: tiles of b × tiles of a × (masks × slices); blocks of 256. */
__global__ void __launch_bounds__ (GRAM_THREADS)
mt_gpu_gram_kernel (const uint32_t *planes, uint32_t n_words, const int32_t *weights, uint32_t n_rows, int is_signed,
                    const uint32_t *a_planes, uint32_t n_a, const uint32_t *b_planes, uint32_t n_b, const uint32_t *masks,
                    int upper, uint32_t n_slices, uint32_t slice_rows, int64_t *sums)
{
  uint32_t x = threadIdx.x % 16, y = threadIdx.x / 16, mask = blockIdx.z / n_slices, slice = blockIdx.z % n_slices;
  uint32_t first_a = blockIdx.y * GRAM_SIDE, first_b = blockIdx.x * GRAM_SIDE;
  uint32_t end = (slice + 1) * slice_rows < n_rows ? (slice + 1) * slice_rows : n_rows;
  uint32_t low[GRAM_EACH][GRAM_EACH] = {}, middle[GRAM_EACH][GRAM_EACH] = {}, high[GRAM_EACH][GRAM_EACH] = {};

  MT_SHARED (uint32_t, left);
  uint32_t *right = left + GRAM_SIDE * GRAM_PITCH, *bytes = right + GRAM_SIDE * GRAM_PITCH;

  if (upper && blockIdx.x < blockIdx.y)
    return;
  for (uint32_t first = slice * slice_rows; first < end; first += GRAM_ROWS)
    {
      /* 512 words of planes, two a thread; 128 weights. */
      for (uint32_t i = threadIdx.x; i < 2 * GRAM_SIDE * GRAM_WORDS; i += GRAM_THREADS)
        {
          uint32_t side = i / (GRAM_SIDE * GRAM_WORDS), at = i / GRAM_WORDS % GRAM_SIDE, word = i % GRAM_WORDS;
          uint32_t which = (side == 0 ? first_a : first_b) + at, here = first / 32 + word, bits = 0;
          uint32_t *to = (side == 0 ? left : right) + at * GRAM_PITCH + word * 8;

          if (which < (side == 0 ? n_a : n_b) && here < n_words)
            {
              bits = planes[(size_t) (side == 0 ? a_planes : b_planes)[which] * n_words + here];
              if (side == 0 && masks != NULL)
                bits &= planes[(size_t) masks[mask] * n_words + here];
            }
          for (uint32_t four = 0; four < 8; four++)
            to[four] = mt_gpu_spread (bits >> 4 * four & 15u) * (side == 0 ? 255u : 1u);
        }
      for (uint32_t i = threadIdx.x; i < GRAM_ROWS / 4; i += GRAM_THREADS)
        {
          uint32_t of[3] = { 0, 0, 0 };

          for (uint32_t r = 0; r < 4; r++)
            {
              uint32_t row = first + 4 * i + r, weight = row < end ? (uint32_t) weights[row] : 0;

              for (uint32_t b = 0; b < 3; b++)
                of[b] |= (weight >> 8 * b & 255u) << 8 * r;
            }
          for (uint32_t b = 0; b < 3; b++)
            bytes[b * (GRAM_ROWS / 4) + i] = of[b];
        }
      __syncthreads ();
      for (uint32_t four = 0; four < GRAM_ROWS / 4; four++)
        {
          uint32_t w0 = bytes[four], w1 = bytes[GRAM_ROWS / 4 + four], w2 = bytes[2 * (GRAM_ROWS / 4) + four];
          uint32_t b[GRAM_EACH];

          for (uint32_t j = 0; j < GRAM_EACH; j++)
            b[j] = right[(x + 16 * j) * GRAM_PITCH + four];
          for (uint32_t i = 0; i < GRAM_EACH; i++)
            {
              uint32_t a = left[(y + 16 * i) * GRAM_PITCH + four];

              for (uint32_t j = 0; j < GRAM_EACH; j++)
                {
                  low[i][j] = __dp4a (w0 & a, b[j], low[i][j]);
                  middle[i][j] = __dp4a (w1 & a, b[j], middle[i][j]);
                  high[i][j] = is_signed ? (uint32_t) __dp4a ((int) (w2 & a), (int) b[j], (int) high[i][j])
                                         : __dp4a (w2 & a, b[j], high[i][j]);
                }
            }
        }
      __syncthreads ();
    }
  for (uint32_t i = 0; i < GRAM_EACH; i++)
    for (uint32_t j = 0; j < GRAM_EACH; j++)
      {
        uint32_t at_a = first_a + y + 16 * i, at_b = first_b + x + 16 * j;
        int64_t top = is_signed ? (int64_t) (int32_t) high[i][j] : (int64_t) high[i][j];

        if (at_a < n_a && at_b < n_b)
          sums[((size_t) blockIdx.z * n_a + at_a) * n_b + at_b] = (int64_t) low[i][j] + (int64_t) middle[i][j] * 256 +
                                                                 top * 65536;
      }
}

/* to[i] = Σ over slices of from[i]; groups × slices × n. Grid: n / threads × groups. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_slices_kernel (const int64_t *from, uint32_t n_slices, size_t n, int64_t *to)
{
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  int64_t sum = 0;

  if (i >= n)
    return;
  for (uint32_t slice = 0; slice < n_slices; slice++)
    sum += from[((size_t) blockIdx.y * n_slices + slice) * n + i];
  to[(size_t) blockIdx.y * n + i] = sum;
}

/* Grid: rows / threads. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_rows_kernel (const uint32_t *planes, uint32_t n_words, uint32_t n_rows, const uint8_t *y, double weight0,
                    double weight1, const uint32_t *columns, const int64_t *weights, uint32_t n_columns, int64_t bias,
                    const int64_t *offset, int64_t *scores, int32_t *residuals, int32_t *curvatures, int64_t *losses)
{
  uint32_t r = blockIdx.x * blockDim.x + threadIdx.x;
  int64_t loss = 0;

  MT_SHARED (int64_t, scratch);

  if (r < n_rows)
    {
      int64_t score = bias + (offset != NULL ? offset[r] : 0);
      MtFixedRow row;

      for (uint32_t j = 0; j < n_columns; j++)
        if (planes[(size_t) columns[j] * n_words + r / 32] >> (r % 32) & 1)
          score += weights[j];
      row = mt_fixed_binary_row (score, y[r], y[r] != 0 ? weight1 : weight0);
      scores[r] = score;
      residuals[r] = row.residual;
      curvatures[r] = row.curvature;
      loss = row.loss;
    }
  loss = mt_gpu_block_sum (loss, scratch);
  if (threadIdx.x == 0)
    losses[blockIdx.x] = loss;
}

/* Of the planes, and of all rows behind them. Grid: (columns + 1) × slices. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_dots_kernel (const uint32_t *planes, uint32_t n_words, uint32_t n_rows, const int32_t *residuals,
                    const uint32_t *columns, uint32_t n_columns, uint32_t n_slices, uint32_t slice_rows, int64_t *sums)
{
  uint32_t j = blockIdx.x, slice = blockIdx.y;
  uint32_t end = (slice + 1) * slice_rows < n_rows ? (slice + 1) * slice_rows : n_rows;
  const uint32_t *plane = j < n_columns ? planes + (size_t) columns[j] * n_words : NULL;
  int64_t sum = 0;

  MT_SHARED (int64_t, scratch);

  for (uint32_t r = slice * slice_rows + threadIdx.x; r < end; r += blockDim.x)
    if (plane == NULL || (plane[r / 32] >> (r % 32) & 1))
      sum += residuals[r];
  sum = mt_gpu_block_sum (sum, scratch);
  if (threadIdx.x == 0)
    sums[(size_t) slice * (n_columns + 1) + j] = sum;
}

__host__ __device__ __forceinline__ uint32_t
mt_gpu_gains_width (uint32_t n_inputs, uint32_t n_threads)
{
  uint32_t width = (uint32_t) (GAINS_BYTES / sizeof (int64_t)) >> n_inputs;

  return width < n_threads ? width : n_threads;
}

/* Grid: rules × slices. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_gains_kernel (const uint32_t *planes, uint32_t n_words, uint32_t n_rows, const uint8_t *y, double weight0,
                     double weight1, const int64_t *scores, const MtGpuRule *rules, uint32_t n_slices, uint32_t slice_rows,
                     uint32_t n_sums, int64_t *sums)
{
  const MtGpuRule &rule = rules[blockIdx.x];
  uint32_t slice = blockIdx.y, n_patterns = 1u << rule.n_inputs, width = mt_gpu_gains_width (rule.n_inputs, blockDim.x);
  uint32_t end = (slice + 1) * slice_rows < n_rows ? (slice + 1) * slice_rows : n_rows;

  MT_SHARED (int64_t, cells);

  for (uint32_t i = threadIdx.x; i < n_patterns * width; i += blockDim.x)
    cells[i] = 0;
  __syncthreads ();
  if (threadIdx.x < width)
    for (uint32_t r = slice * slice_rows + threadIdx.x; r < end; r += width)
      {
        uint32_t pattern = 0, is_on;
        double by;

        for (uint32_t i = 0; i < rule.n_inputs; i++)
          pattern |= (planes[(size_t) rule.inputs[i] * n_words + r / 32] >> (r % 32) & 1u) << i;
        is_on = rule.table[pattern / 32] >> (pattern % 32) & 1u;
        by = is_on ? -rule.weight : rule.weight;
        cells[pattern * width + threadIdx.x] +=
          mt_fixed_binary_turn (scores[r], y[r], y[r] != 0 ? weight1 : weight0, by, rule.more[is_on]);
      }
  __syncthreads ();
  for (uint32_t v = threadIdx.x; v < n_patterns; v += blockDim.x)
    {
      int64_t sum = 0;

      for (uint32_t i = 0; i < width; i++)
        sum += cells[v * width + (i + v) % width];
      sums[(size_t) slice * n_sums + rule.first + v] = sum;
    }
}
