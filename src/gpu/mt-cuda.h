/* One source for nvcc and for g++ with the host shim: how kernels are launched and find their
 * shared memory, which is always dynamic, so that the shim can poison and fence it. */
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#define MT_LAUNCH(kernel, grid, block, n_shared, stream, ...) \
  kernel<<<(grid), (block), (n_shared), (stream)>>> (__VA_ARGS__)
/* Before a loop that must not be unrolled, because it would need too many registers. */
#define MT_NO_UNROLL _Pragma ("unroll 1")
#define MT_SHARED(T, name) \
  extern __shared__ double mt_shared_memory[]; \
  T *name = (T *) mt_shared_memory
#else
#include "host/mt-gpu-host.h"

#ifdef MT_GPU_HOST_TRANSLATED
#define MT_HOST_LAUNCH mt_host_launch_translated
#else
#define MT_HOST_LAUNCH mt_host_launch
#endif
#define MT_LAUNCH(kernel, grid, block, n_shared, stream, ...) \
  MT_HOST_LAUNCH (#kernel, (grid), (block), (n_shared), (stream), (kernel), __VA_ARGS__)
#define MT_NO_UNROLL
#define MT_SHARED(T, name) \
  T *name = (T *) mt_host_shared ()
#endif

#define MT_FULL_WARP 0xffffffffu

/* Parts of an allocation, for a shim that checks every access: what lies between them is unused. Keys are words that sort
 * as the floats do from which they are made. */
#ifdef __CUDACC__
#define MT_NAME_PART(part, n) ((void) 0)
#define MT_NAME_KEYS(part, n) ((void) 0)
#else
#define MT_NAME_PART(part, n) mt_host_name_part (part, n)
#define MT_NAME_KEYS(part, n) mt_host_name_bytes (part, n, 'k')
#endif
#ifdef MT_GPU_HOST_CHECKED
#define MT_PART_GAP 256
#else
#define MT_PART_GAP 0
#endif
