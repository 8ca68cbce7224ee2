/* One source for nvcc and for g++ with the host shim: how kernels are launched and find their
 * shared memory, which is always dynamic, so that the shim can poison and fence it. */
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#define MT_LAUNCH(kernel, grid, block, n_shared, stream, ...) \
  kernel<<<(grid), (block), (n_shared), (stream)>>> (__VA_ARGS__)
#define MT_SHARED(T, name) \
  extern __shared__ double mt_shared_memory[]; \
  T *name = (T *) mt_shared_memory
#else
#include "host/mt-gpu-host.h"

#define MT_LAUNCH(kernel, grid, block, n_shared, stream, ...) \
  mt_host_launch (#kernel, (grid), (block), (n_shared), (stream), (kernel), __VA_ARGS__)
#define MT_SHARED(T, name) \
  T *name = (T *) mt_host_shared ()
#endif

#define MT_FULL_WARP 0xffffffffu

/* Parts of an allocation, for a shim that checks every access: what lies between them is unused. */
#ifdef __CUDACC__
#define MT_NAME_PART(part, n) ((void) 0)
#else
#define MT_NAME_PART(part, n) mt_host_name_part (part, n)
#endif
#ifdef MT_GPU_HOST_CHECKED
#define MT_PART_GAP 256
#else
#define MT_PART_GAP 0
#endif
