/* What lies on the device, for all kernels.
 *
 * blockIdx.y is the model in every kernel: models of a sweep that share rows are trained by the
 * same launches, because one small model does not fill a GPU. A block whose number is beyond its
 * own model's size returns at once, all of its threads before any barrier.
 *
 * A step handles a tile: the batch's rows by position p = 0 … n-1, padded to whole words of 32. Its
 * rows are found among all rows by the epoch's order (network/mt-order.h), or, where those do not fit the device, in a
 * stage that the host has filled in that order: the same rows at the same positions, the same bits.
 * Padding has no literal true and gradient 0. Tiles of validation rows have a size of their own.
 *
 * Matrices of literals × nodes lie node by node, so that the threads of a block, each at a literal of one node, read
 * side by side. On the CPU 16 nodes lie side by side, for its vectors. Of the device's arrays, last_params, last_mean,
 * last_square, best and sent are as on the CPU; mt_gpu_take_kernel and mt_gpu_keep_kernel go from one to the other.
 *
 * Doubles are few: most devices add a sixty-fourth as many of them as of floats. Sums that need more digits than a float
 * has are pairs of floats (MtGpuPair). The step's number is read from the device, so that
 * an epoch is the same launches over and over and needs no host between them.
 *
 * Every result is a function of the data alone: sums run in a fixed order (thread, then warp, then
 * block, then slice), and there are no atomic operations. Block sizes are multiples of 32, up to
 * MT_GPU_MAX_THREADS; a kernel's result may depend on the block size by rounding. */
#pragma once

#include "mt-cuda.h"
#include "network/mt-gpu-api.h"
#include "network/mt-order.h"

#define MT_GPU_LANES        16      /* nodes of a block in the net's layout */
#define MT_GPU_SLICE        512     /* rows of one partial histogram */
#define MT_GPU_MAX_THREADS  256
#define MT_GPU_MOST_NETS    65535   /* of a launch: what blockIdx.y can be */
#define MT_GPU_MAX_SHARED   (47 * 1024)
#define MT_GPU_TABLE_INPUTS 8       /* wider nodes add their weights row by row */
#define MT_GPU_TABLE_WORDS  8       /* 2^8 bits */

/* hi + lo, |lo| at most half a unit of hi's last place: 48 bits. */
typedef struct {
  float hi, lo;
} MtGpuPair;

/* How a net goes; it has one, on the device. All of them lie side by side and are read in one go. */
typedef struct {
  MtGpuStanding standing;  /* after the last complete epoch */
  uint32_t step;           /* of this epoch: which batch comes next */
  uint32_t stepped;        /* the last step was one: the parameters may change */
  uint32_t judged, better; /* the epoch that just ended counts; is the best so far */
  uint32_t tile;           /* of the validation rows: which comes next */
  uint64_t n_steps;        /* ever */
  uint64_t n_rows;         /* of the epoch, so far */
  MtGpuPair loss;          /* sum over them */
  MtGpuPair valid;         /* sum over the validation rows so far */
  MtGpuPair power1, power2;             /* AdamW's βᵗ */
  float    scale, correct1, correct2;   /* of the step: clip, AdamW's 1 / (1 - βᵗ) */
} MtGpuProgress;

/* Rows as kernels find them. */
typedef struct {
  const uint8_t *codes;
  const float   *numeric;
  const float   *y;
} MtGpuRows;

/* Of a tile; arrays of a tile have @rows or @n_words in a row of theirs. */
typedef struct {
  uint32_t rows;           /* a multiple of 32 */
  uint32_t n_words;        /* rows / 32 */
  uint32_t n_loss_blocks;  /* partial losses */
} MtGpuSize;

typedef struct {
  MtGpuShape        shape;
  MtGpuSize         train, valid;
  uint32_t          n_slices;      /* partial histograms of a batch */
  float             tau, inv_tau;  /* of the choice */
  float             log_k, log_rest;   /* of the fan-in, and of the literals that are left */
  uint32_t          n_flat_blocks; /* partial squares next to one a node */
  const MtGpuGroup *groups;
  const uint8_t    *in_head;
  const float      *class_weights; /* or NULL */
  const uint8_t    *param_limits;  /* MtGpuLimit, or NULL */
  MtGpuRows         rows;          /* all there are, unless staged */
  uint32_t          n_train, n_valid;
  uint64_t          seed;
  uint32_t         *train_rows;
  uint32_t         *order;         /* of this epoch: which of all rows */
  uint32_t         *valid_rows;
  uint32_t          stage_steps;   /* 0: not staged */
  uint32_t          stage_rows;    /* that a stage has room for */
  MtGpuRows         stage[2];      /* rows of some steps, or of a tile of validation rows, in their order */
  uint32_t          max_epochs, patience, plateau;

  float            *params, *mean, *square, *grad;
  float            *last_params, *last_mean, *last_square;   /* after the last complete epoch */
  float            *best;
  float            *sent;          /* those four, of the epoch that the host fetches */

  /* follow from the parameters */
  float            *pi;            /* as the net's matrices */
  MtGpuPair        *lambda;        /* a node: the last root of the choice */
  uint32_t         *inputs;        /* n_nodes × 16, ascending */
  float            *weights;       /* n_nodes × 16 */
  uint32_t         *tables;        /* n_nodes × 8 words */
  float            *code_tables;   /* n_outputs × n_code_entries */
  float            *active;        /* deep: n_nodes × 2^k × n_hidden, before the ReLU */

  /* of the running tile */
  uint8_t          *codes;         /* n_groups × rows */
  uint32_t         *planes;        /* n_literals × n_words: row 32 w + i is bit i of word w */
  uint32_t         *node_planes;   /* n_nodes × n_words */
  float            *eta, *g;       /* n_outputs × rows */
  MtGpuPair        *losses;        /* n_loss_blocks */
  float            *slices;        /* n_slices × n_outputs × n_literals16 */
  float            *q;             /* n_outputs × n_literals16: mean of Xᵀg */
  MtGpuPair        *squares;       /* n_nodes + n_flat_blocks */
  uint8_t          *patterns;      /* deep: n_nodes × rows */
  float            *node_g;        /* deep: n_nodes × rows */
  float            *extra;         /* deep: as the net's matrices */

  /* of all validation rows, for the metric; NULL: none */
  uint32_t         *keys;          /* n_outputs × n_valid: scores as words that sort like them */
  uint32_t         *sorted[2];     /* n_outputs × n_valid: by parts, the negatives' first */
  float            *truth;         /* n_valid: their classes */
  uint32_t          part_rows, n_parts;       /* a part is sorted by one block */
  uint32_t         *positives;     /* n_outputs × n_parts */
  uint64_t         *pairs;         /* n_outputs × n_parts: twice those in the right order */
  double            spread;        /* regression: Σ (y - mean)²; 0: none */

  MtGpuProgress    *progress;
} MtGpuModel;

/* The rows a kernel works on: the next batch of the training rows, or a part of the others. */
typedef struct {
  uint32_t         first, n;
  const uint32_t  *order;          /* NULL: as they lie */
  const MtGpuRows *rows;
} MtGpuTile;

/* Instead of the number of a validation tile: the next step; the next tile, whichever it is. */
#define MT_GPU_TRAIN     UINT32_MAX
#define MT_GPU_NEXT_TILE (UINT32_MAX - 1)

__device__ __forceinline__ uint32_t
mt_gpu_number (const MtGpuModel &m, uint32_t number)
{
  return number == MT_GPU_NEXT_TILE ? m.progress->tile : number;
}

__device__ __forceinline__ MtGpuTile
mt_gpu_tile (const MtGpuModel &m, uint32_t number)
{
  bool train = number == MT_GPU_TRAIN;
  uint32_t size = train ? m.shape.batch : m.valid.rows;
  uint32_t step = train ? m.progress->step : mt_gpu_number (m, number);
  uint32_t n_rows = train ? m.n_train : m.n_valid, first = step * size;
  uint32_t left = first < n_rows ? n_rows - first : 0;
  MtGpuTile tile = { first, left < size ? left : size, train ? m.order : m.valid_rows, &m.rows };

  /* A stage holds some steps of training, or one tile of validation. */
  if (m.stage_steps > 0)
    {
      tile.first = train ? step % m.stage_steps * size : 0;
      tile.order = NULL;
      tile.rows = &m.stage[(train ? step / m.stage_steps : step) % 2];
    }
  return tile;
}

__device__ __forceinline__ size_t
mt_gpu_row (const MtGpuTile &tile, uint32_t p)
{
  return tile.order != NULL ? tile.order[tile.first + p] : tile.first + p;
}

/* Nothing is to be changed any more. */
__device__ __forceinline__ bool
mt_gpu_is_still (const MtGpuModel &m)
{
  return m.progress->standing.end != MT_GPU_LEARNING;
}

/* The net is still; or, in training, its epoch was over before the last launches, because another net
 * has more steps. */
__device__ __forceinline__ bool
mt_gpu_is_over (const MtGpuModel &m, uint32_t number = MT_GPU_TRAIN)
{
  return mt_gpu_is_still (m) ||
         (number == MT_GPU_TRAIN ? (uint64_t) m.progress->step * m.shape.batch >= m.n_train
                                 : (uint64_t) mt_gpu_number (m, number) * m.valid.rows >= m.n_valid);
}

__device__ __forceinline__ size_t
mt_gpu_at (const MtGpuModel &m, uint32_t literal, uint32_t node)
{
  return node / MT_GPU_LANES * m.shape.block_size + node % MT_GPU_LANES * (m.shape.block_size / MT_GPU_LANES) + literal;
}

/* Where the CPU's parameter @i is here; @outward: where this one is there. */
__host__ __device__ __forceinline__ size_t
mt_gpu_turned (const MtGpuModel &m, size_t i, bool outward)
{
  size_t each = m.shape.block_size / MT_GPU_LANES, matrix = m.shape.n_blocks * m.shape.block_size;
  size_t first = i >= m.shape.map && i < m.shape.map + matrix   ? m.shape.map
                 : i >= m.shape.ltt && i < m.shape.ltt + matrix ? m.shape.ltt : SIZE_MAX;

  if (first == SIZE_MAX)
    return i;

  size_t at = (i - first) % m.shape.block_size, by = outward ? each : MT_GPU_LANES, of = m.shape.block_size / by;

  return i - at + at % by * of + at / by;
}

__device__ __forceinline__ const MtGpuSize &
mt_gpu_size (const MtGpuModel &m, uint32_t number)
{
  return number == MT_GPU_TRAIN ? m.train : m.valid;
}

/* --- numbers of 48 bits --- */

/* a + b exactly, whichever is larger. */
__host__ __device__ __forceinline__ MtGpuPair
mt_gpu_two_sum (float a, float b)
{
  float sum = a + b, of_b = sum - a;

  return MtGpuPair { sum, (a - (sum - of_b)) + (b - of_b) };
}

__host__ __device__ __forceinline__ MtGpuPair
mt_gpu_add (MtGpuPair a, MtGpuPair b)
{
  MtGpuPair sum = mt_gpu_two_sum (a.hi, b.hi);
  float low = sum.lo + (a.lo + b.lo), hi = sum.hi + low;

  return MtGpuPair { hi, low - (hi - sum.hi) };
}

__host__ __device__ __forceinline__ MtGpuPair
mt_gpu_add (MtGpuPair a, float b)
{
  return mt_gpu_add (a, MtGpuPair { b, 0.0f });
}

/* a b to 48 bits. */
__host__ __device__ __forceinline__ MtGpuPair
mt_gpu_times (MtGpuPair a, float b)
{
  float product = a.hi * b, low = fmaf (a.hi, b, -product) + a.lo * b, hi = product + low;

  return MtGpuPair { hi, low - (hi - product) };
}

__host__ __device__ __forceinline__ double
mt_gpu_double (MtGpuPair a)
{
  return (double) a.hi + (double) a.lo;
}

/* --- sums over a block; scratch: 32 values of shared memory; all threads take part --- */

template <typename T> __device__ __forceinline__ T
mt_gpu_block_sum (T value, T *scratch)
{
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T sum = 0;

  for (uint32_t by = 16; by > 0; by /= 2)
    value += __shfl_xor_sync (MT_FULL_WARP, value, by);
  if (lane == 0)
    scratch[warp] = value;
  __syncthreads ();
  for (uint32_t i = 0; i < blockDim.x / 32; i++)
    sum += scratch[i];
  __syncthreads ();
  return sum;
}

/* The same of pairs; scratch: 32 of them. */
__device__ __forceinline__ MtGpuPair
mt_gpu_block_sum (MtGpuPair value, MtGpuPair *scratch)
{
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  MtGpuPair sum = { 0.0f, 0.0f };

  for (uint32_t by = 16; by > 0; by /= 2)
    {
      MtGpuPair other = { __shfl_xor_sync (MT_FULL_WARP, value.hi, by), __shfl_xor_sync (MT_FULL_WARP, value.lo, by) };

      value = mt_gpu_add (value, other);
    }
  if (lane == 0)
    scratch[warp] = value;
  __syncthreads ();
  for (uint32_t i = 0; i < blockDim.x / 32; i++)
    sum = mt_gpu_add (sum, scratch[i]);
  __syncthreads ();
  return sum;
}
