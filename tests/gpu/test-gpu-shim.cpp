/* The host shim itself: it runs what is right, in any order of threads, and catches what is wrong.
 * Each planted fault is one that a GPU would let pass now and then. */
#include <glib.h>

#include "mt-gpu.h"

static const char *
fault_of (unsigned threads, void (*kernel) (float *out), float *out, uint64_t seed, size_t n_shared)
{
  mt_host_reset (seed);
  MT_LAUNCH (kernel, dim3 (2), dim3 (threads), n_shared, NULL, out);
  return mt_host_get_fault ();
}

/* --- right --- */

__global__ void
reverse (float *out)
{
  MT_SHARED (float, values);

  values[threadIdx.x] = (float) threadIdx.x;
  __syncthreads ();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

__global__ void
sum (float *out)
{
  MT_SHARED (float, scratch);
  float total = mt_gpu_block_sum ((float) threadIdx.x, scratch);
  unsigned odd = __ballot_sync (MT_FULL_WARP, threadIdx.x % 2);

  /* Twice, so that scratch and buffers are used again. */
  total += mt_gpu_block_sum (1.0f, scratch);
  out[blockIdx.x * blockDim.x + threadIdx.x] = odd == 0xaaaaaaaau ? total : -1.0f;
}

static void
test_right (void)
{
  float out[2 * 128];

  for (uint64_t seed = 0; seed < 8; seed++)
    {
      g_assert_null (fault_of (128, reverse, out, seed, 128 * sizeof (float)));
      for (int i = 0; i < 256; i++)
        g_assert_cmpfloat (out[i], ==, (float) (127 - i % 128));
      g_assert_null (fault_of (128, sum, out, seed, 32 * sizeof (float)));
      for (int i = 0; i < 256; i++)
        g_assert_cmpfloat (out[i], ==, 127.0f * 64.0f + 128.0f);
      g_assert_cmpint (cudaGetLastError (), ==, cudaSuccess);
    }
}

/* --- wrong --- */

__global__ void
no_barrier (float *out)
{
  MT_SHARED (float, values);

  values[threadIdx.x] = (float) threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

/* Shared memory is poisoned, so even the usual order shows it; with other orders, other threads. */
static void
test_missing_barrier (void)
{
  float first[128], other[128];
  gboolean differs = FALSE;

  g_assert_null (fault_of (64, no_barrier, first, 0, 64 * sizeof (float)));
  g_assert_true (isnan (first[0]));
  for (uint64_t seed = 1; seed < 4; seed++)
    {
      g_assert_null (fault_of (64, no_barrier, other, seed, 64 * sizeof (float)));
      differs = differs || memcmp (first, other, sizeof first) != 0;
    }
  g_assert_true (differs);
}

/* The last of several writers wins: right only by luck. */
__global__ void
race (float *out)
{
  MT_SHARED (float, last);

  *last = (float) threadIdx.x;
  __syncthreads ();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *last;
}

static void
test_race (void)
{
  float first[128], other[128];
  gboolean differs = FALSE;

  g_assert_null (fault_of (64, race, first, 0, sizeof (float)));
  for (uint64_t seed = 1; seed < 8; seed++)
    {
      g_assert_null (fault_of (64, race, other, seed, sizeof (float)));
      differs = differs || memcmp (first, other, sizeof first) != 0;
    }
  g_assert_true (differs);
}

__global__ void
early_return (float *out)
{
  if (threadIdx.x == 5)
    return;
  __syncthreads ();
  out[threadIdx.x] = 1.0f;
}

__global__ void
two_barriers (float *out)
{
  if (threadIdx.x < 32)
    __syncthreads ();
  else
    {
      out[threadIdx.x] = 1.0f;
      __syncthreads ();
    }
}

__global__ void
divergent_shuffle (float *out)
{
  float x = (float) threadIdx.x;

  if (threadIdx.x % 2 == 0)
    x = __shfl_xor_sync (MT_FULL_WARP, x, 2);
  out[threadIdx.x] = x;
}

__global__ void
shuffle_against_barrier (float *out)
{
  float x = (float) threadIdx.x;

  if (threadIdx.x == 3)
    __syncthreads ();
  else
    x = __shfl_xor_sync (MT_FULL_WARP, x, 1);
  out[threadIdx.x] = x;
}

__global__ void
two_shuffles (float *out)
{
  float x = (float) threadIdx.x;

  if (threadIdx.x < 16)
    x = __shfl_xor_sync (MT_FULL_WARP, x, 1);
  else
    x += __shfl_xor_sync (MT_FULL_WARP, x, 1);
  out[threadIdx.x] = x;
}

__global__ void
overrun (float *out)
{
  MT_SHARED (float, values);

  values[threadIdx.x + 1] = 0.0f;
}

static void
test_faults (void)
{
  const struct {
    void (*kernel) (float *out);
    const char *message;
  } faults[] = {
    { early_return, "ended before the barrier" },
    { two_barriers, "different barriers" },
    { divergent_shuffle, "which has ended" },
    { shuffle_against_barrier, "deadlock" },
    { two_shuffles, "lanes of a warp exchange" },
    { overrun, "past its end" },
  };
  float out[128];

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    for (uint64_t seed = 0; seed < 3; seed++)
      {
        const char *fault = fault_of (64, faults[i].kernel, out, seed, 64 * sizeof (float));
        void *memory = NULL;

        g_assert_nonnull (fault);
        if (strstr (fault, faults[i].message) == NULL)
          g_error ("'%s' was to be told, not '%s'", faults[i].message, fault);
        /* And everything after it fails, as on a device. */
        g_assert_cmpint (cudaGetLastError (), ==, cudaErrorLaunchFailure);
        g_assert_cmpint (cudaMalloc (&memory, 1), ==, cudaErrorLaunchFailure);
      }
  mt_host_reset (0);
}

static void
test_impossible (void)
{
  float out[128];

  g_assert_nonnull (strstr (fault_of (2048, race, out, 0, 4), "not possible"));
  g_assert_nonnull (strstr (fault_of (32, race, out, 0, 64 * 1024), "not possible"));
  mt_host_reset (0);
}

static void
test_calls (void)
{
  void *memory = NULL;

  mt_host_reset (0);
  mt_host_fail_at (2, cudaErrorMemoryAllocation);
  g_assert_cmpint (cudaMalloc (&memory, 100), ==, cudaSuccess);
  g_assert_cmpuint (mt_host_get_used (), ==, 100);
  g_assert_cmpuint (((unsigned char *) memory)[99], ==, 0xff);
  g_assert_cmpint (cudaMemsetAsync (memory, 0, 100, NULL), ==, cudaErrorMemoryAllocation);
  g_assert_cmpint (cudaMemsetAsync (memory, 0, 100, NULL), ==, cudaSuccess);
  cudaFree (memory);
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
}

/* --- streams --- */

/* A copy on one stream, a doubling on the other, and the copy back: right only if each waits for the other. */
static float
copy_and_double (uint64_t seed, bool with_events)
{
  cudaStream_t copy, compute;
  cudaEvent_t filled, doubled;
  float *device, *host, result;

  mt_host_reset (seed);
  cudaStreamCreateWithFlags (&copy, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags (&compute, cudaStreamNonBlocking);
  cudaEventCreateWithFlags (&filled, cudaEventDisableTiming);
  cudaEventCreateWithFlags (&doubled, cudaEventDisableTiming);
  cudaMalloc ((void **) &device, sizeof (float));
  cudaMallocHost ((void **) &host, sizeof (float));
  *host = 3.0f;
  cudaMemcpyAsync (device, host, sizeof (float), cudaMemcpyHostToDevice, copy);
  cudaEventRecord (filled, copy);
  if (with_events)
    cudaStreamWaitEvent (compute, filled, 0);
  mt_host_launch_body ("double", dim3 (1), dim3 (1), 4, compute, [=] { *device = *device * 2.0f; });
  cudaEventRecord (doubled, compute);
  if (with_events)
    cudaStreamWaitEvent (copy, doubled, 0);
  cudaMemcpyAsync (host, device, sizeof (float), cudaMemcpyDeviceToHost, copy);
  cudaStreamSynchronize (copy);
  cudaStreamSynchronize (compute);
  result = *host;
  cudaEventDestroy (filled);
  cudaEventDestroy (doubled);
  cudaFree (device);
  cudaFreeHost (host);
  cudaStreamDestroy (copy);
  cudaStreamDestroy (compute);
  return result;
}

static void
test_streams (void)
{
  unsigned n_wrong = 0;

  for (uint64_t seed = 0; seed < 20; seed++)
    {
      g_assert_cmpfloat (copy_and_double (seed, true), ==, 6.0f);
      n_wrong += copy_and_double (seed, false) != 6.0f;
    }
  g_assert_cmpuint (n_wrong, >=, 3);
  mt_host_reset (0);
}

/* A graph that doubles what another stream copies, launched twice: right only if it waits at each launch. */
static float
copy_and_double_twice (uint64_t seed, unsigned flags, cudaError_t *captured)
{
  cudaStream_t copy, compute;
  cudaEvent_t filled;
  cudaGraph_t graph;
  cudaGraphExec_t exec = NULL;
  float *device, *host, result = 0.0f;

  mt_host_reset (seed);
  cudaStreamCreateWithFlags (&copy, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags (&compute, cudaStreamNonBlocking);
  cudaEventCreateWithFlags (&filled, cudaEventDisableTiming);
  cudaMalloc ((void **) &device, sizeof (float));
  cudaMallocHost ((void **) &host, sizeof (float));
  cudaStreamBeginCapture (compute, cudaStreamCaptureModeThreadLocal);
  if (flags != UINT_MAX)
    cudaStreamWaitEvent (compute, filled, flags);
  mt_host_launch_body ("double", dim3 (1), dim3 (1), 4, compute, [=] { *device = *device * 2.0f; });
  *captured = cudaStreamEndCapture (compute, &graph);
  if (*captured == cudaSuccess)
    cudaGraphInstantiateWithFlags (&exec, graph, 0);
  cudaGraphDestroy (graph);
  for (unsigned i = 1; i <= 2 && exec != NULL; i++)
    {
      float got = 0.0f;

      *host = (float) i;
      cudaMemcpyAsync (device, host, sizeof (float), cudaMemcpyHostToDevice, copy);
      cudaEventRecord (filled, copy);
      cudaGraphLaunch (exec, compute);
      cudaStreamSynchronize (compute);
      cudaStreamSynchronize (copy);
      cudaMemcpyAsync (&got, device, sizeof (float), cudaMemcpyDeviceToHost, compute);
      result += got;
    }
  if (exec != NULL)
    cudaGraphExecDestroy (exec);
  cudaEventDestroy (filled);
  cudaFree (device);
  cudaFreeHost (host);
  cudaStreamDestroy (copy);
  cudaStreamDestroy (compute);
  return result;
}

static void
test_graph_waits (void)
{
  unsigned n_wrong = 0;
  cudaError_t captured;

  for (uint64_t seed = 0; seed < 20; seed++)
    {
      g_assert_cmpfloat (copy_and_double_twice (seed, cudaEventWaitExternal, &captured), ==, 6.0f);
      g_assert_cmpint (captured, ==, cudaSuccess);
      n_wrong += copy_and_double_twice (seed, UINT_MAX, &captured) != 6.0f;
      g_assert_cmpint (captured, ==, cudaSuccess);
    }
  g_assert_cmpuint (n_wrong, >=, 3);
  /* Work of a stream outside cannot be part of it. */
  copy_and_double_twice (0, 0, &captured);
  g_assert_cmpint (captured, ==, cudaErrorStreamCaptureIsolation);
  mt_host_reset (0);
}

/* Pinned memory that is written again before its copy has run: the copy has the new value. */
static void
test_pinned (void)
{
  cudaStream_t stream;
  float *device, *host, pageable = 1.0f, got = 0.0f;

  mt_host_reset (0);
  cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking);
  cudaMalloc ((void **) &device, 2 * sizeof (float));
  cudaMallocHost ((void **) &host, sizeof (float));
  *host = 1.0f;
  cudaMemcpyAsync (device, host, sizeof (float), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync (device + 1, &pageable, sizeof (float), cudaMemcpyHostToDevice, stream);
  *host = pageable = 2.0f;
  cudaMemcpyAsync (&got, device, sizeof (float), cudaMemcpyDeviceToHost, stream);
  g_assert_cmpfloat (got, ==, 2.0f);
  cudaMemcpyAsync (&got, device + 1, sizeof (float), cudaMemcpyDeviceToHost, stream);
  g_assert_cmpfloat (got, ==, 1.0f);
  cudaFree (device);
  cudaFreeHost (host);
  cudaStreamDestroy (stream);
}

/* An event that is never recorded is a fault, not a wait for ever. */
static void
test_stream_deadlock (void)
{
  cudaStream_t one, other;
  cudaEvent_t event;

  mt_host_reset (0);
  cudaStreamCreateWithFlags (&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags (&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags (&event, cudaEventDisableTiming);
  cudaEventRecord (event, one);
  cudaStreamWaitEvent (other, event, 0);
  cudaStreamDestroy (one);       /* and what it was to record with it */
  g_assert_cmpint (cudaStreamSynchronize (other), ==, cudaErrorLaunchFailure);
  g_assert_nonnull (strstr (mt_host_get_fault (), "is never recorded"));
  cudaStreamDestroy (other);
  cudaEventDestroy (event);
  mt_host_reset (0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-shim/right-in-any-order", test_right);
  g_test_add_func ("/gpu-shim/missing-barrier", test_missing_barrier);
  g_test_add_func ("/gpu-shim/race", test_race);
  g_test_add_func ("/gpu-shim/faults", test_faults);
  g_test_add_func ("/gpu-shim/impossible-launch", test_impossible);
  g_test_add_func ("/gpu-shim/calls-that-fail", test_calls);
  g_test_add_func ("/gpu-shim/streams", test_streams);
  g_test_add_func ("/gpu-shim/graph-waits", test_graph_waits);
  g_test_add_func ("/gpu-shim/pinned-memory", test_pinned);
  g_test_add_func ("/gpu-shim/stream-deadlock", test_stream_deadlock);
  return g_test_run ();
}
