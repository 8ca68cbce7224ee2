/* The module's host side: what an open batch of nets consists of, and how calls fail. */
#pragma once

#include "mt-gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <initializer_list>

/* Threads of a block; the shim runs fewer, because each is a fiber. */
#ifdef __CUDACC__
#define BLOCK_THREADS 128
#else
#define BLOCK_THREADS mt_gpu_host_threads
#endif

#define NO_NET UINT32_MAX

/* The largest of each over the nets of a launch: what a grid must cover. */
typedef struct {
  uint32_t n_nets;
  uint32_t n_nodes, n_words, n_loss_blocks, n_slices, n_columns, n_gradient_blocks;
  uint32_t n_deep_nodes, deep_fan_in;
  size_t   n_node_words, n_deep_cells;
  bool     has_tables, has_keys;
  size_t   n_params;
  uint32_t n_steps, n_valid_tiles;
  uint32_t n_train, n_parts, n_codes;
  double   cells;              /* roughly, additions of a step of all of them */
} Most;

/* A slot is filled by the copying stream while the computing one reads the other. */
typedef struct {
  cudaEvent_t filled, read;
  bool        was_filled, was_read;
} Slot;

struct _MtGpu {
  cudaStream_t     compute, copy, fetch;
  Slot             stages[2];
  cudaEvent_t      paced[2];       /* ends of the last two launches of steps */
  cudaEvent_t      done;           /* all that was queued */
  bool             uses_device;    /* it is counted among those that do */
  cudaEvent_t      kept, fetched;  /* states after an epoch: are there to be fetched, have come */
  bool             fetches;        /* states of the last epoch are on their way */
  bool             had_states;
  double           state_seconds, last_states;
  char            *memory;         /* all of the device's, in one piece */
  char            *pinned;         /* all of the host's that it copies from and to */
  size_t           n_bytes;
  MtGpuData        data;           /* the host's */
  MtGpuRows        rows;           /* the device's, unless staged */
  MtGpuGroup      *groups;         /* a net its own, one after the other */

  uint32_t         n_nets;
  MtGpuJob        *jobs;           /* host */
  MtGpuModel      *models;         /* host */
  MtGpuModel      *table;          /* device: n_active nets, and one more for a net by itself */
  MtGpuModel      *pinned_table;
  MtGpuProgress   *progress;       /* device: all nets */
  MtGpuProgress   *pinned_progress;
  MtGpuRows       *staged_of[2];   /* host, pinned: a net, by slot; only if staged */
  MtGpuState      *fetched_of;     /* host, pinned: a net */

  uint32_t        *active;         /* nets of the table */
  uint32_t         n_active;
  Most             most;           /* of those */

  bool             measures;       /* there is room for the metric's keys */
  uint32_t         stage_steps, n_launched, n_left, next_stage;
  bool             use_graphs;
  bool             whole;          /* an epoch is one launch */
  cudaGraphExec_t  epoch_graph;    /* if it is */
  cudaGraphExec_t  steps_graph, end_graph;     /* some steps; what follows them, or, staged, a tile of that */
  uint32_t         graph_steps, n_graphs;
};

/* After a failure the process's context on a device may be of no use any more (the machine slept, the driver has reset the
 * device): then nothing works there until the context is made again, which may be done when nothing uses it. */
static std::atomic<uint32_t> n_users { 0 };
static std::atomic<bool> is_doubtful { false };
static std::atomic<uint32_t> last_device { 0 };      /* that was chosen */

/* The runtime keeps an error of any call until the last one is asked for, which is how launches are checked:
 * what is reported here must not be reported again there. */
static MtGpuStatus
fail (MtGpuFailure *failure, MtGpuStatus status, const char *doing, cudaError_t error)
{
  snprintf (failure->message, sizeof failure->message, "%s: %s", doing, cudaGetErrorString (error));
  cudaGetLastError ();
  if (error == cudaErrorMemoryAllocation)
    return MT_GPU_OUT_OF_MEMORY;
  is_doubtful = true;
  return status;
}

#define TRY(doing, call) \
  do \
    { \
      cudaError_t error_ = (call); \
      if (error_ != cudaSuccess) \
        return fail (failure, MT_GPU_LOST, doing, error_); \
    } \
  while (0)

/* For calls of our own. */
#define PASS(call) \
  do \
    { \
      MtGpuStatus status_ = (call); \
      if (status_ != MT_GPU_OK) \
        return status_; \
    } \
  while (0)
