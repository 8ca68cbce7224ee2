/* CUDA on the CPU, for tests: enough of the language and of its runtime that the kernel sources
 * in this folder compile with g++ and run, one block after another, a fiber a thread.
 *
 * What a GPU leaves open is varied or made visible here:
 *   order      between two barriers fibers run in an order that the seed decides
 *   shared     dynamic shared memory starts as 0xff bytes (NaN) in each block and ends in a guard
 *   memory     cudaMalloc() gives 0xff bytes, too
 *   barriers   all threads of a block must meet at the same __syncthreads(); a thread that has
 *              returned, another barrier, or no thread that can continue, is a fault
 *   warps      votes and shuffles wait for every lane of their mask at the same place; a lane that takes part must be in
 *              its mask, and so must the lane whose value it takes
 *   streams    work waits in its stream until somebody waits for it, and then streams take turns by
 *              the seed wherever events allow: a missing event, or memory that is reused before it was
 *              copied, shows
 *   copies     must go the way they say, and stay inside what was allocated
 *   graphs     hold kernels and waits for events from outside; anything else ends a capture
 * Built with its checks (mt-gpu-host-check.cpp) it also sees every access of a kernel, as compute-sanitizer would.
 * A fault ends the launch: it and every later call give cudaErrorLaunchFailure, as a broken
 * context does, until mt_host_reset(). Any call can be made to fail, too.
 *
 * One OS thread at a time. x86-64 switches fibers by a few instructions of its own (about
 * 0.1 µs); elsewhere, and under AddressSanitizer, ucontext does (about 1 µs). */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "mt-gpu-host-control.h"

#define __global__ static
#define __device__ static
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __restrict__ __restrict
#define __CUDA_ARCH_LIST__ 750

typedef struct { unsigned x, y, z; } uint3;

struct dim3 {
  unsigned x, y, z;
  dim3 (unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x (x_), y (y_), z (z_) {}
};

typedef enum {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorUnsupportedPtxVersion = 222,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureIsolation = 905,
  cudaErrorLaunchFailure = 719,
} cudaError_t;

typedef enum {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
} cudaMemcpyKind;

typedef struct MtHostStream *cudaStream_t;
typedef struct MtHostEvent *cudaEvent_t;
typedef struct MtHostGraph *cudaGraph_t, *cudaGraphExec_t;

typedef enum {
  cudaDevAttrClockRate = 13,
} cudaDeviceAttr;

#define cudaStreamNonBlocking    1u
#define cudaEventBlockingSync    1u
#define cudaEventDisableTiming   2u
#define cudaEventWaitExternal    1u

typedef enum {
  cudaStreamCaptureModeThreadLocal = 1,
} cudaStreamCaptureMode;

struct cudaDeviceProp {
  char   name[256];
  size_t totalGlobalMem;
  int    major, minor, multiProcessorCount;
};

struct cudaFuncAttributes {
  int    maxThreadsPerBlock;
};

/* --- the runtime --- */

cudaError_t cudaDriverGetVersion    (int *version);
cudaError_t cudaRuntimeGetVersion   (int *version);
cudaError_t cudaGetDeviceCount      (int *n);
cudaError_t cudaGetDeviceProperties (cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute  (int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId   (char *bus, int size, int device);
cudaError_t cudaSetDevice           (int device);
cudaError_t cudaDeviceReset         (void);
cudaError_t cudaFuncGetAttributes   (cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaMemGetInfo          (size_t *free, size_t *total);
cudaError_t cudaMalloc              (void **memory, size_t n);
cudaError_t cudaFree                (void *memory);
cudaError_t cudaMallocHost          (void **memory, size_t n);
cudaError_t cudaFreeHost            (void *memory);
cudaError_t cudaMemcpyAsync         (void *to, const void *from, size_t n, cudaMemcpyKind kind,
                                     cudaStream_t stream);
cudaError_t cudaMemsetAsync         (void *memory, int value, size_t n, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy       (cudaStream_t stream);
cudaError_t cudaStreamSynchronize   (cudaStream_t stream);
cudaError_t cudaStreamWaitEvent     (cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags (cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy        (cudaEvent_t event);
cudaError_t cudaEventRecord         (cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize    (cudaEvent_t event);
cudaError_t cudaStreamBeginCapture  (cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture    (cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiateWithFlags (cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphLaunch         (cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy        (cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy    (cudaGraphExec_t exec);
cudaError_t cudaGetLastError        (void);
const char *cudaGetErrorString      (cudaError_t error);

/* --- inside a kernel --- */

extern uint3 mt_host_thread, mt_host_block;
extern dim3  mt_host_block_dim, mt_host_grid_dim;

#define threadIdx mt_host_thread
#define blockIdx  mt_host_block
#define blockDim  mt_host_block_dim
#define gridDim   mt_host_grid_dim

void    *mt_host_shared   (void);
void     mt_host_barrier  (int line);
/* Every lane of @mask gives a value; gives that of lane @from, and all of them as @all (32). */
uint64_t mt_host_exchange (unsigned mask, uint64_t value, unsigned from, uint64_t *all, int line);
unsigned mt_host_lane     (void);

#define __syncthreads() mt_host_barrier (__LINE__)
#define __float_as_uint(x) mt_host_shape_change<unsigned> (x)
#define __popc(x) __builtin_popcount (x)
#define __ffs(x) __builtin_ffs ((int) (x))

template <typename To, typename From> static inline To
mt_host_shape_change (From from)
{
  To to;

  static_assert (sizeof to == sizeof from, "the same bits");
  memcpy (&to, &from, sizeof to);
  return to;
}

static inline unsigned
mt_host_ballot (unsigned mask, int is, int line)
{
  uint64_t all[32];
  unsigned votes = 0;

  mt_host_exchange (mask, is != 0, 0, all, line);
  for (unsigned i = 0; i < 32; i++)
    votes |= (mask >> i & 1) != 0 && all[i] != 0 ? 1u << i : 0u;
  return votes;
}

template <typename T> static inline T
mt_host_shuffle (unsigned mask, T value, unsigned from, int line)
{
  uint64_t bits = 0, got;
  T result;

  static_assert (sizeof (T) <= sizeof bits, "a shuffle moves at most eight bytes");
  memcpy (&bits, &value, sizeof value);
  got = mt_host_exchange (mask, bits, from < 32 ? from : mt_host_lane (), NULL, line);
  memcpy (&result, &got, sizeof result);
  return result;
}

/* Four products of bytes, added to c. */
static inline unsigned
__dp4a (unsigned a, unsigned b, unsigned c)
{
  for (unsigned i = 0; i < 32; i += 8)
    c += (a >> i & 255u) * (b >> i & 255u);
  return c;
}

static inline int
__dp4a (int a, int b, int c)
{
  for (unsigned i = 0; i < 32; i += 8)
    c += (int) (int8_t) ((unsigned) a >> i & 255u) * (int) (int8_t) ((unsigned) b >> i & 255u);
  return c;
}

#define __ballot_sync(mask, is) mt_host_ballot (mask, is, __LINE__)
#define __shfl_sync(mask, value, lane) mt_host_shuffle (mask, value, (unsigned) (lane) % 32, __LINE__)
#define __shfl_down_sync(mask, value, by) mt_host_shuffle (mask, value, mt_host_lane () + (by), __LINE__)
#define __shfl_xor_sync(mask, value, by) mt_host_shuffle (mask, value, mt_host_lane () ^ (by), __LINE__)

/* A device rounds its functions otherwise than a CPU, within a unit or two of the last place: so do these, if asked. */
extern uint64_t mt_host_inexact;

template <typename T> static inline T
mt_host_near (T exact)
{
  using Bits = std::conditional_t<sizeof (T) == 4, uint32_t, uint64_t>;
  Bits bits = mt_host_shape_change<Bits> (exact);

  if (mt_host_inexact == 0 || !std::isfinite (exact) || exact == 0)
    return exact;
  bits += (Bits) ((((uint64_t) bits ^ mt_host_inexact) * 0x9e3779b97f4a7c15u >> 32) % 5) - 2;
  return mt_host_shape_change<T> (bits);
}

#define expf(x)   mt_host_near (expf (x))
#define logf(x)   mt_host_near (logf (x))
#define log1pf(x) mt_host_near (log1pf (x))
#define exp(x)    mt_host_near (exp (x))
#define log(x)    mt_host_near (log (x))
#define pow(x, y) mt_host_near (pow (x, y))

/* --- launching --- */

/* A kernel and its arguments, which are destroyed when it is not launched any more. */
typedef struct {
  const char *name;
  void      (*call)    (const void *arguments);
  void      (*destroy) (const void *arguments);
  const void *arguments;
  size_t      n_bytes;
  uint64_t    mark;            /* of the arguments' values, as mt_host_mark_value() makes it */
} MtHostKernel;

/* A value that is the same for the same launch of another run: addresses count from where their allocation begins. */
uint64_t mt_host_mark_address (const void *address);

template <typename T> static inline uint64_t
mt_host_mark_value (T value)
{
  if constexpr (std::is_pointer_v<T>)
    return mt_host_mark_address ((const void *) value);
  else
    return (uint64_t) value;
}

/* Without a stream it runs at once. */
void mt_host_launch_kernel (dim3 grid, dim3 block, size_t n_shared, cudaStream_t stream, const MtHostKernel &kernel);

template <typename Body> static inline void
mt_host_launch_body (const char *name, dim3 grid, dim3 block, size_t n_shared, cudaStream_t stream, Body body,
                     uint64_t mark = 0)
{
  mt_host_launch_kernel (grid, block, n_shared, stream,
                         MtHostKernel { name, [] (const void *it) { (*(const Body *) it) (); },
                                        [] (const void *it) { delete (const Body *) it; }, new Body (body),
                                        sizeof (Body), mark });
}

/* Arguments are worked out now, as for a real launch, not when the kernel runs. */
template <typename... Types, typename... Arguments> static inline void
mt_host_launch (const char *name, dim3 grid, dim3 block, size_t n_shared, cudaStream_t stream,
                void (*kernel) (Types...), Arguments... arguments)
{
  std::tuple<Types...> all (arguments...);

  uint64_t mark = 0;

  std::apply ([&] (auto... one) { ((mark = mark * 0x9e3779b97f4a7c15u + mt_host_mark_value (one) + 1), ...); }, all);
  mt_host_launch_body (name, grid, block, n_shared, stream, [=] { std::apply (kernel, all); }, mark);
}

#ifdef MT_GPU_HOST_TRANSLATED
/* The same for a kernel that was translated from nvcc's PTX; mt-gpu-host-translated.h. */
typedef struct _MtHostTranslated MtHostTranslated;

/* The kernels that g++ made run in place of the others, to compare with them. */
extern bool mt_host_runs_compiled;

/* NULL, and a fault, if there is none or it takes other parameters. */
const MtHostTranslated *mt_host_find_translated (const char *name, unsigned n_parameters, const uint8_t *sizes);
void                    mt_host_run_translated  (const MtHostTranslated *kernel, const uint64_t *parameters);

template <typename T> static inline uint64_t
mt_host_word (T value)
{
  uint64_t word = 0;

  memcpy (&word, &value, sizeof value);
  return word;
}

template <typename... Types, typename... Arguments> static inline void
mt_host_launch_translated (const char *name, dim3 grid, dim3 block, size_t n_shared, cudaStream_t stream,
                           void (*kernel) (Types...), Arguments... arguments)
{
  static const uint8_t sizes[] = { sizeof (Types)... };
  const MtHostTranslated *translated = mt_host_find_translated (name, sizeof... (Types), sizes);
  std::tuple<Types...> all (arguments...);
  std::array<uint64_t, sizeof... (Types)> words = std::apply ([] (auto... one) {
      return std::array<uint64_t, sizeof... (Types)> { mt_host_word (one)... };
    }, all);
  uint64_t mark = 0;

  if (translated == NULL)
    return;
  std::apply ([&] (auto... one) { ((mark = mark * 0x9e3779b97f4a7c15u + mt_host_mark_value (one) + 1), ...); }, all);
  mt_host_launch_body (name, grid, block, n_shared, stream, [=] {
      if (mt_host_runs_compiled)
        std::apply (kernel, all);
      else
        mt_host_run_translated (translated, words.data ());
    }, mark);
}
#endif

/* Of one allocation of the device: from now on nothing of it may be touched but what is named so. */
void mt_host_name_bytes (const void *part, size_t n, char kind);

/* @n bytes. What they are, is for comparisons: 'f'loats, 'd'oubles, 'i'ntegers, '2' floats that are added up, or one and
 * the other; or, by mt_host_name_bytes(), 'k'eys that sort as floats do. */
template <typename T> static inline void
mt_host_name_part (T *part, size_t n)
{
  mt_host_name_bytes (part, n, std::is_same_v<T, float> ? 'f' : std::is_same_v<T, double> ? 'd' : std::is_integral_v<T> ? 'i'
                               : std::is_class_v<T> && sizeof (T) == 8 ? '2' : ' ');
}
