/* What lies on the device, for all kernels.
 *
 * blockIdx.y is the model in every kernel: models of a sweep that share rows are trained by the
 * same launches, because one small model does not fill a GPU. A block whose number is beyond its
 * own model's size returns at once, all of its threads before any barrier.
 *
 * A step handles a tile: the batch's rows by position p = 0 … n-1, padded to whole slices of 512.
 * Padding has no literal true and gradient 0. The step's number is read from the device, so that
 * an epoch is the same launches over and over and needs no host between them.
 *
 * Every result is a function of the data alone: sums run in a fixed order (thread, then warp, then
 * block, then slice), and there are no atomic operations. Block sizes are multiples of 32, up to
 * MT_GPU_MAX_THREADS; a kernel's result may depend on the block size by rounding. */
#pragma once

#include "mt-cuda.h"
#include "mt-gpu-api.h"

#define MT_GPU_LANES        16      /* nodes of a block in the net's layout */
#define MT_GPU_SLICE        512     /* rows of one partial histogram */
#define MT_GPU_MAX_THREADS  256
#define MT_GPU_MAX_SHARED   (47 * 1024)
#define MT_GPU_TABLE_INPUTS 8       /* wider nodes add their weights row by row */
#define MT_GPU_TABLE_WORDS  8       /* 2^8 bits */

/* How the running epoch goes; a model has one, on the device. */
typedef struct {
  uint32_t step;           /* of this epoch: which batch comes next */
  uint32_t failed;         /* something was not finite: nothing is changed any more */
  uint32_t stepped;        /* the last step was one: the parameters may change */
  uint32_t n_order;        /* rows of the epoch */
  float    learning_rate;
  uint64_t n_steps;        /* ever */
  uint64_t n_rows;         /* of the epoch, so far */
  double   loss;           /* sum over them */
  float    scale, correct1, correct2;   /* of the step: clip, AdamW's 1 / (1 - βᵗ) */
} MtGpuProgress;

typedef struct {
  MtGpuShape        shape;
  uint32_t          tile_rows;     /* a multiple of MT_GPU_SLICE */
  uint32_t          n_words;       /* tile_rows / 32 */
  uint32_t          n_loss_blocks; /* partial losses of a tile */
  uint32_t          n_flat_blocks; /* partial squares beside one a node */
  const MtGpuGroup *groups;
  const uint8_t    *in_head;
  const float      *class_weights; /* or NULL */
  MtGpuRows         rows[2];       /* training, validation */
  const uint32_t   *order;

  float            *params, *mean, *square, *grad;

  /* follow from the parameters */
  float            *pi;            /* as the net's matrices */
  double           *lambda;        /* a node: the last root of the choice, or NaN */
  uint32_t         *inputs;        /* n_nodes × 16, ascending */
  float            *weights;       /* n_nodes × 16 */
  uint32_t         *tables;        /* n_nodes × 8 words */
  float            *code_tables;   /* n_outputs × n_code_entries */
  float            *active;        /* deep: n_nodes × 2^k × n_hidden, before the ReLU */

  /* of the running tile */
  uint8_t          *codes;         /* n_groups × tile_rows */
  uint32_t         *planes;        /* n_literals × n_words: row 32 w + i is bit i of word w */
  uint32_t         *node_planes;   /* n_nodes × n_words */
  float            *eta, *g;       /* n_outputs × tile_rows */
  double           *losses;        /* n_loss_blocks */
  float            *slices;        /* n_slices × n_outputs × n_literals16 */
  float            *q;             /* n_outputs × n_literals16: mean of Xᵀg */
  double           *squares;       /* n_nodes + n_flat_blocks */
  uint8_t          *patterns;      /* deep: n_nodes × tile_rows */
  float            *node_g;        /* deep: n_nodes × tile_rows */
  float            *extra;         /* deep: as the net's matrices */

  MtGpuProgress    *progress;
} MtGpuModel;

/* The rows a kernel works on: the next batch of the training rows, or a part of the others. */
typedef struct {
  uint32_t first, n;
  const uint32_t  *order;          /* NULL: as they lie */
  const MtGpuRows *rows;
} MtGpuTile;

#define MT_GPU_TRAIN UINT32_MAX    /* instead of the number of a validation tile */

__device__ __forceinline__ MtGpuTile
mt_gpu_tile (const MtGpuModel &m, uint32_t number)
{
  bool train = number == MT_GPU_TRAIN;
  uint32_t size = train ? m.shape.batch : m.tile_rows;
  uint32_t first = (train ? m.progress->step : number) * size;
  uint32_t n_rows = train ? m.progress->n_order : (uint32_t) m.rows[1].n_rows;
  uint32_t left = first < n_rows ? n_rows - first : 0;
  MtGpuTile tile = { first, left < size ? left : size, train ? m.order : NULL, &m.rows[train ? 0 : 1] };

  return tile;
}

/* In training, and the epoch has ended or failed before its last launches. */
__device__ __forceinline__ bool
mt_gpu_is_over (const MtGpuModel &m)
{
  return m.progress->failed != 0 || (uint64_t) m.progress->step * m.shape.batch >= m.progress->n_order;
}

__device__ __forceinline__ size_t
mt_gpu_at (const MtGpuModel &m, uint32_t literal, uint32_t node)
{
  return node / MT_GPU_LANES * m.shape.block_size + (size_t) literal * MT_GPU_LANES + node % MT_GPU_LANES;
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
