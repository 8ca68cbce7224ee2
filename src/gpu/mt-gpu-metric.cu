/* AUC of the validation rows at the end of an epoch, from the scores where they are; R² needs no more than their
 * losses, and is mt_gpu_judge_kernel's.
 *
 * Shapes   keys, sorted[2]: n_outputs × n_valid; truth: a validation row; positives, pairs: a part of an output
 * Formula  AUC = (pairs of a positive and a negative row in the right order + ½ equal ones) / pairs
 *          = Σ over positives (negatives below + negatives not above) / (2 P N): whole numbers, so exact
 * Keys     a score as a word that sorts like it; of several outputs η_c - log Σ_{others} e^η, which orders rows
 *          like the softmax of c, but does not run into 1
 * Sort     a block a part of the rows and an output, at most 64 parts: words of positives are replaced by the largest, so that the negatives come first;
 *          eight passes of four bits, each thread a run of rows with counts of its own, so that equal digits
 *          keep their order: no atomic operation
 * Count    each positive row looks up its key among the negatives of every part, by halving
 * Shared   16 counts a thread, a sum a thread, 32 words: 9 KiB at 128 threads
 * Cost     rows × outputs × (16 reads + 8 writes + parts × 2 log (rows of a part) reads), from L2; two launches
 *          and one a tile */
#include "mt-gpu.h"

#define METRIC_DIGITS  16
#define METRIC_HIGHEST UINT32_MAX

static inline size_t
mt_gpu_rank_shared (uint32_t n_threads)
{
  return 32 * sizeof (uint64_t) + (size_t) (METRIC_DIGITS + 1) * n_threads * sizeof (uint32_t);
}

/* As a whole number that is larger for a larger score; -0 is 0. */
__device__ __forceinline__ uint32_t
mt_gpu_key (float score)
{
  uint32_t bits = __float_as_uint (score + 0.0f);

  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* The score of output c against those of all others. */
__device__ __forceinline__ float
mt_gpu_against_others (const float *eta, size_t stride, uint32_t n_outputs, uint32_t c)
{
  float largest = -INFINITY, sum = 0.0f;

  MT_NO_UNROLL
  for (uint32_t i = 0; i < n_outputs; i++)
    if (i != c)
      largest = fmaxf (largest, eta[i * stride]);
  MT_NO_UNROLL
  for (uint32_t i = 0; i < n_outputs; i++)
    if (i != c)
      sum += expf (fmaxf (eta[i * stride] - largest, -87.0f));
  return eta[c * stride] - largest - logf (sum);
}

__device__ __forceinline__ bool
mt_gpu_is_positive (const MtGpuModel &m, uint32_t c, size_t at)
{
  return (uint32_t) m.truth[at] == (m.shape.task == MT_GPU_BINARY ? 1 : c);
}

/* After a tile of validation rows was scored. Grid: rows of a tile / threads × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_keys_kernel (const MtGpuModel *models, uint32_t number)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;

  if (m.keys == NULL || mt_gpu_is_over (m, number))
    return;

  MtGpuTile tile = mt_gpu_tile (m, number);

  if (p >= tile.n)
    return;

  size_t at = (size_t) mt_gpu_number (m, number) * m.valid.rows + p;

  m.truth[at] = tile.rows->y[mt_gpu_row (tile, p)];
  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    {
      float score = m.shape.n_outputs == 1
                      ? m.eta[p] : mt_gpu_against_others (m.eta + p, m.valid.rows, m.shape.n_outputs, c);
      uint32_t key = mt_gpu_key (score);

      m.keys[(size_t) c * m.n_valid + at] = key;
      m.sorted[0][(size_t) c * m.n_valid + at] = mt_gpu_is_positive (m, c, at) ? METRIC_HIGHEST : key;
    }
}

/* One pass: rows by the four bits at @shift, those with the same in the order they were in. */
__device__ __forceinline__ void
mt_gpu_sort_pass (const uint32_t *from, uint32_t *to, uint32_t n, uint32_t shift, uint32_t *counts, uint32_t *sums)
{
  uint32_t t = threadIdx.x, width = blockDim.x, each = (n + width - 1) / width;
  uint32_t first = t * each < n ? t * each : n, end = first + each < n ? first + each : n, sum = 0;

  for (uint32_t digit = 0; digit < METRIC_DIGITS; digit++)
    counts[digit * width + t] = 0;
  for (uint32_t i = first; i < end; i++)
    counts[(from[i] >> shift & (METRIC_DIGITS - 1)) * width + t]++;
  __syncthreads ();
  /* Counts to places: digit by digit, thread by thread. A thread has sixteen that lie side by side. */
  for (uint32_t i = 0; i < METRIC_DIGITS; i++)
    sum += counts[t * METRIC_DIGITS + i];
  sums[t] = sum;
  __syncthreads ();
  sum = 0;
  for (uint32_t i = 0; i < t; i++)
    sum += sums[i];
  for (uint32_t i = 0; i < METRIC_DIGITS; i++)
    {
      uint32_t count = counts[t * METRIC_DIGITS + i];

      counts[t * METRIC_DIGITS + i] = sum;
      sum += count;
    }
  __syncthreads ();
  for (uint32_t i = first; i < end; i++)
    to[counts[(from[i] >> shift & (METRIC_DIGITS - 1)) * width + t]++] = from[i];
  __syncthreads ();
}

/* How many of the sorted keys are below @key or, with @also, not above it. */
__device__ __forceinline__ uint32_t
mt_gpu_count_below (const uint32_t *sorted, uint32_t n, uint32_t key, bool also)
{
  uint32_t low = 0, high = n;

  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;

      if (sorted[middle] < key || (also && sorted[middle] == key))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The rows of a part: a block's number is its output and its part. */
typedef struct {
  uint32_t c, part, first, n;
} MtGpuPart;

__device__ __forceinline__ MtGpuPart
mt_gpu_part (const MtGpuModel &m)
{
  uint32_t part = blockIdx.x % m.n_parts, first = part * m.part_rows, left = m.n_valid - first;

  return MtGpuPart { blockIdx.x / m.n_parts, part, first, left < m.part_rows ? left : m.part_rows };
}

/* Sorts a part. Grid: outputs × parts × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_rank_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];

  MT_SHARED (uint64_t, scratch);
  uint32_t *sums = (uint32_t *) (scratch + 32), *counts = sums + blockDim.x;

  if (m.keys == NULL || blockIdx.x >= m.shape.n_outputs * m.n_parts || mt_gpu_is_still (m))
    return;

  MtGpuPart it = mt_gpu_part (m);
  size_t at = (size_t) it.c * m.n_valid + it.first;
  uint32_t *sorted = m.sorted[0] + at, *other = m.sorted[1] + at;
  uint64_t n_positive = 0;

  for (uint32_t shift = 0; shift < 32; shift += 8)
    {
      mt_gpu_sort_pass (sorted, other, it.n, shift, counts, sums);
      mt_gpu_sort_pass (other, sorted, it.n, shift + 4, counts, sums);
    }
  for (uint32_t i = threadIdx.x; i < it.n; i += blockDim.x)
    n_positive += mt_gpu_is_positive (m, it.c, it.first + i);
  n_positive = mt_gpu_block_sum (n_positive, scratch);
  if (threadIdx.x == 0)
    m.positives[blockIdx.x] = (uint32_t) n_positive;
}

/* For each positive row of a part, the negatives of all parts below it. Grid: outputs × parts × models. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_count_kernel (const MtGpuModel *models)
{
  const MtGpuModel &m = models[blockIdx.y];
  uint64_t pairs = 0;

  MT_SHARED (uint64_t, scratch);

  if (m.keys == NULL || blockIdx.x >= m.shape.n_outputs * m.n_parts || mt_gpu_is_still (m))
    return;

  MtGpuPart it = mt_gpu_part (m);
  const uint32_t *keys = m.keys + (size_t) it.c * m.n_valid, *sorted = m.sorted[0] + (size_t) it.c * m.n_valid;

  for (uint32_t part = 0; part < m.n_parts; part++)
    {
      uint32_t first = part * m.part_rows, left = m.n_valid - first;
      uint32_t n_negative = (left < m.part_rows ? left : m.part_rows) - m.positives[it.c * m.n_parts + part];

      for (uint32_t i = threadIdx.x; i < it.n; i += blockDim.x)
        if (mt_gpu_is_positive (m, it.c, it.first + i))
          pairs += mt_gpu_count_below (sorted + first, n_negative, keys[it.first + i], false) +
                   mt_gpu_count_below (sorted + first, n_negative, keys[it.first + i], true);
    }
  pairs = mt_gpu_block_sum (pairs, scratch);
  if (threadIdx.x == 0)
    m.pairs[blockIdx.x] = pairs;
}

/* Of one output; NaN: all of its rows are of one kind. */
__device__ __forceinline__ double
mt_gpu_auc (const MtGpuModel &m, uint32_t c)
{
  uint64_t n_positive = 0, pairs = 0;

  for (uint32_t part = 0; part < m.n_parts; part++)
    {
      n_positive += m.positives[c * m.n_parts + part];
      pairs += m.pairs[c * m.n_parts + part];
    }
  return n_positive > 0 && n_positive < m.n_valid
           ? (double) pairs / (2.0 * (double) n_positive * (double) (m.n_valid - n_positive)) : (double) NAN;
}

/* Of the epoch that just ended; NaN: none was asked for, or there is none. */
__device__ __forceinline__ double
mt_gpu_metric (const MtGpuModel &m)
{
  double sum = 0.0;
  uint32_t n = 0;

  if (m.shape.task == MT_GPU_REGRESSION)
    return m.spread > 0.0 ? 1.0 - 2.0 * mt_gpu_double (m.progress->valid) / m.spread : (double) NAN;
  if (m.keys == NULL)
    return (double) NAN;
  for (uint32_t c = 0; c < m.shape.n_outputs; c++)
    {
      double auc = mt_gpu_auc (m, c);

      if (auc == auc)
        {
          sum += auc;
          n++;
        }
    }
  return n > 0 ? sum / n : (double) NAN;
}
