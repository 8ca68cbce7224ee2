/* Interaction scan: sums of r and of h over the rows where two literals are both true, for all pairs.
 *
 * Shapes   planes: n_literals × n_words of 32 rows; sum: n_literals × n_literals, upper triangle and
 *          diagonal; r, h: a float a row
 * Formula  G = X̃ᵀ diag (r) X̃, H = X̃ᵀ diag (h) X̃
 * A block has 16 × 16 pairs of literals, a thread a pair; rows come in chunks of 512 whose words of
 *   both sides and whose r and h are in shared memory. A thread walks the set bits of a & b, which are
 *   few: on average a quarter of the rows or less, and no multiplication. Each chunk is added up in
 *   float, chunks in double, in order: the result does not depend on the device, and is nearer to the
 *   exact sum than the CPU's float products.
 * Shared   2 × 16 × 17 words + 2 × 512 floats: 6 KiB. Registers few; no atomic operation.
 * Cost     n² / 2 × rows × density additions; reads of planes: n / 16 times all of them, from L2.
 * cuBLAS   would do 4 n² rows operations on planes spread out to floats, 32 times the bytes, and is
 *          three hundred times as large as this module: not used. */
#include "mt-gpu.h"

#define PAIRS_SIDE  16
#define PAIRS_WORDS 16
#define PAIRS_PITCH (PAIRS_WORDS + 1)      /* so that sixteen literals are in sixteen banks */
#define PAIRS_ROWS  (PAIRS_WORDS * 32)

/* Grid: pairs of sides of 16 literals, by row of blocks; blocks of 256 threads. */
__global__ void __launch_bounds__ (MT_GPU_MAX_THREADS)
mt_gpu_pairs_kernel (const uint32_t *planes, const float *r, const float *h, uint32_t n_literals, uint32_t n_words,
                     uint32_t n_rows, float *sum_r, float *sum_h)
{
  uint32_t x = threadIdx.x % PAIRS_SIDE, y = threadIdx.x / PAIRS_SIDE;
  uint32_t a = blockIdx.y * PAIRS_SIDE + y, b = blockIdx.x * PAIRS_SIDE + x;
  double all_r = 0.0, all_h = 0.0;

  MT_SHARED (uint32_t, left);
  uint32_t *right = left + PAIRS_SIDE * PAIRS_PITCH;
  float *rows_r = (float *) (right + PAIRS_SIDE * PAIRS_PITCH), *rows_h = rows_r + PAIRS_ROWS;

  if (blockIdx.x < blockIdx.y)
    return;
  for (uint32_t first = 0; first < n_words; first += PAIRS_WORDS)
    {
      float part_r = 0.0f, part_h = 0.0f;

      /* A thread a word of each side: literal y, word x; both are 16. */
      uint32_t word = first + x, other = blockIdx.x * PAIRS_SIDE + y;

      left[y * PAIRS_PITCH + x] = a < n_literals && word < n_words ? planes[(size_t) a * n_words + word] : 0;
      right[y * PAIRS_PITCH + x] = other < n_literals && word < n_words ? planes[(size_t) other * n_words + word] : 0;
      for (uint32_t i = threadIdx.x; i < PAIRS_ROWS; i += blockDim.x)
        {
          uint32_t row = first * 32 + i;

          rows_r[i] = row < n_rows ? r[row] : 0.0f;
          rows_h[i] = row < n_rows ? h[row] : 0.0f;
        }
      __syncthreads ();
      for (uint32_t w = 0; w < PAIRS_WORDS; w++)
        for (uint32_t bits = left[y * PAIRS_PITCH + w] & right[x * PAIRS_PITCH + w]; bits != 0; bits &= bits - 1)
          {
            uint32_t row = w * 32 + (uint32_t) __ffs ((int) bits) - 1;

            part_r += rows_r[row];
            part_h += rows_h[row];
          }
      all_r += (double) part_r;
      all_h += (double) part_h;
      __syncthreads ();
    }
  if (a < n_literals && b < n_literals)
    {
      sum_r[(size_t) a * n_literals + b] = (float) all_r;
      sum_h[(size_t) a * n_literals + b] = (float) all_h;
    }
}
