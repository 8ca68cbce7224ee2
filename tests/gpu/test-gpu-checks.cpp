/* The shim that looks at every access of a kernel: each planted fault is one that a device lets pass, or answers with a
 * lost context; and what is right stays unharmed. This file is compiled as kernels are for it. */
#include <glib.h>

#include "mt-gpu.h"

#define N 64

typedef void (*Kernel) (float *device, float *other);

/* Runs it on @n bytes of the device that are zero, with one part of them. */
static const char *
fault_of (Kernel kernel, size_t n_shared, uint64_t seed)
{
  float *device, memory[N] = { 0.0f }, *host = memory;

  mt_host_reset (seed);
  g_assert_cmpint (cudaMalloc ((void **) &device, 4 * N * sizeof (float)), ==, cudaSuccess);
  mt_host_name_part (device, N * sizeof (float));
  cudaMemsetAsync (device, 0, N * sizeof (float), NULL);
  MT_LAUNCH (kernel, dim3 (2), dim3 (N / 2), n_shared, NULL, device, host);
  cudaFree (device);
  return mt_host_get_fault ();
}

/* --- right --- */

__global__ void
reverse (float *device, float *other)
{
  MT_SHARED (float, values);
  uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;

  values[threadIdx.x] = device[at];
  __syncthreads ();
  device[at] = values[blockDim.x - 1 - threadIdx.x] + 1.0f;
  __syncthreads ();
  values[blockDim.x - 1 - threadIdx.x] = 0.0f;
}

/* All read what one has written, after a barrier; and the other way round. */
__global__ void
take_turns (float *device, float *other)
{
  float *mine = device + blockIdx.x * blockDim.x;

  if (threadIdx.x == 0)
    mine[0] = 1.0f;
  __syncthreads ();
  float got = mine[0];
  __syncthreads ();
  if (threadIdx.x == 1)
    mine[0] = got + 1.0f;
}

/* Bytes side by side are no race. */
__global__ void
write_bytes (float *device, float *other)
{
  ((uint8_t *) device)[blockIdx.x * blockDim.x + threadIdx.x] = (uint8_t) threadIdx.x;
}

/* All blocks read the same. */
__global__ void
read_same (float *device, float *other)
{
  if (device[0] > 0.0f)
    device[1 + blockIdx.x] = 1.0f;
}

static void
test_right (void)
{
  const Kernel kernels[] = { reverse, take_turns, write_bytes, read_same };

  for (Kernel kernel : kernels)
    for (uint64_t seed = 0; seed < 4; seed++)
      g_assert_cmpstr (fault_of (kernel, N * sizeof (float), seed), ==, NULL);
  mt_host_reset (0);
}

/* --- wrong --- */

__global__ void
beyond_part (float *device, float *other)
{
  device[blockIdx.x * blockDim.x + threadIdx.x + 1] = 0.0f;
}

__global__ void
before_part (float *device, float *other)
{
  if (threadIdx.x == 0)
    device[blockIdx.x] = device[(int) threadIdx.x - 1];
}

__global__ void
reads_host (float *device, float *other)
{
  device[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x];
}

__global__ void
writes_host (float *device, float *other)
{
  other[threadIdx.x] = 0.0f;
}

__global__ void
misaligned (float *device, float *other)
{
  device[threadIdx.x] = *(float *) ((char *) device + 2);
}

/* As a load of two numbers at once from an odd place. */
__global__ void
misaligned_pair (float *device, float *other)
{
  *(uint64_t *) (device + 1) = 0;
}

__global__ void
no_barrier (float *device, float *other)
{
  MT_SHARED (float, values);

  values[threadIdx.x] = 1.0f;
  device[blockIdx.x * blockDim.x + threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
}

/* Right as long as lanes of a warp are in step, which nothing promises since Volta. */
__global__ void
warp_in_step (float *device, float *other)
{
  MT_SHARED (float, values);

  values[threadIdx.x] = 1.0f;
  __syncthreads ();
  for (unsigned by = 16; by > 0; by /= 2)
    if (threadIdx.x < by)
      values[threadIdx.x] += values[threadIdx.x + by];
  __syncthreads ();
  device[blockIdx.x * blockDim.x + threadIdx.x] = values[0];
}

/* The same value by all: the result is right, the access is not. */
__global__ void
all_write (float *device, float *other)
{
  device[blockIdx.x] = 1.0f;
}

__global__ void
read_then_write (float *device, float *other)
{
  float *mine = device + blockIdx.x * blockDim.x;
  float got = mine[0];

  if (threadIdx.x == 0)
    mine[0] = got + 1.0f;
  else
    mine[threadIdx.x] = got;
}

__global__ void
blocks_write (float *device, float *other)
{
  if (threadIdx.x == 0)
    device[0] = (float) blockIdx.x;
}

/* A block that counts on another to have been there before. */
__global__ void
blocks_in_turn (float *device, float *other)
{
  if (threadIdx.x == 0)
    device[blockIdx.x + 1] = device[blockIdx.x] + 1.0f;
}

__global__ void
unwritten_shared (float *device, float *other)
{
  MT_SHARED (float, values);

  if (threadIdx.x > 0)
    values[threadIdx.x] = 1.0f;
  __syncthreads ();
  device[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x];
}

static void
test_faults (void)
{
  const struct {
    Kernel kernel;
    const char *name, *message, *or_else = NULL;
  } faults[] = {
    { beyond_part, "beyond_part", "no part of it lies there" },
    { before_part, "before_part", "no memory of the device" },
    { reads_host, "reads_host", "no memory of the device" },
    { writes_host, "writes_host", "no memory of the device" },
    { misaligned, "misaligned", "not aligned" },
    { misaligned_pair, "misaligned_pair", "not aligned" },
    { no_barrier, "no_barrier", "this was never written", "no barrier lies between" },   /* by the order of threads */
    { warp_in_step, "warp_in_step", "no barrier lies between" },
    { all_write, "all_write", "no barrier lies between" },
    { read_then_write, "read_then_write", "no barrier lies between" },
    { blocks_write, "blocks_write", "no barrier lies between" },
    { blocks_in_turn, "blocks_in_turn", "no barrier lies between" },
    { unwritten_shared, "unwritten_shared", "this was never written" },
  };

  for (const auto &it : faults)
    for (uint64_t seed = 0; seed < 4; seed++)
      {
        const char *fault = fault_of (it.kernel, N * sizeof (float), seed);

        if (fault == NULL ||
            (strstr (fault, it.message) == NULL && (it.or_else == NULL || strstr (fault, it.or_else) == NULL)))
          g_error ("%s: '%s' was to be told, not '%s'", it.name, it.message, fault != NULL ? fault : "nothing");
      }
  mt_host_reset (0);
}

/* --- over more than one launch --- */

__global__ void
copy_all (float *from, float *to)
{
  to[threadIdx.x] = from[threadIdx.x];
}

static void
test_freed (void)
{
  float *one, *other;

  mt_host_reset (0);
  cudaMalloc ((void **) &one, 32 * sizeof (float));
  cudaMalloc ((void **) &other, 32 * sizeof (float));
  cudaMemsetAsync (one, 0, 32 * sizeof (float), NULL);
  MT_LAUNCH (copy_all, dim3 (1), dim3 (32), 0, NULL, one, other);
  g_assert_null (mt_host_get_fault ());
  cudaFree (one);
  MT_LAUNCH (copy_all, dim3 (1), dim3 (32), 0, NULL, one, other);
  g_assert_nonnull (strstr (mt_host_get_fault (), "copy_all: "));
  g_assert_nonnull (strstr (mt_host_get_fault (), "no memory of the device"));
  mt_host_reset (0);
  cudaFree (other);
}

/* What cudaMalloc gives holds nothing yet. */
static void
test_unwritten (void)
{
  float *one, *other;

  mt_host_reset (0);
  cudaMalloc ((void **) &one, 32 * sizeof (float));
  cudaMalloc ((void **) &other, 32 * sizeof (float));
  cudaMemsetAsync (one, 0, 31 * sizeof (float), NULL);
  MT_LAUNCH (copy_all, dim3 (1), dim3 (32), 0, NULL, one, other);
  g_assert_nonnull (strstr (mt_host_get_fault (), "thread 31 of block 0 reads 4 bytes of the device: this was never written"));
  mt_host_reset (0);
  cudaFree (one);
  cudaFree (other);
}

static void
test_host_touches_device (void)
{
  volatile float *one;

  mt_host_reset (0);
  cudaMalloc ((void **) &one, 32 * sizeof (float));
  one[3] = 1.0f;
  g_assert_nonnull (strstr (mt_host_get_fault (), "the host writes 4 bytes: memory of the device"));
  mt_host_reset (0);
  cudaFree ((void *) one);
}

/* Copies that leave what was allocated, go the other way than they say, and what is freed that is not the device's. */
static void
test_copies (void)
{
  float *device, *pinned, host[32] = { 0.0f };

  mt_host_reset (0);
  cudaMalloc ((void **) &device, 32 * sizeof (float));
  cudaMallocHost ((void **) &pinned, 16 * sizeof (float));
  for (int i = 0; i < 6; i++)
    {
      mt_host_reset (0);
      cudaError_t error = i == 0 ? cudaMemcpyAsync (device + 1, host, sizeof host, cudaMemcpyHostToDevice, NULL)
                        : i == 1 ? cudaMemcpyAsync (host, device, sizeof host, cudaMemcpyHostToDevice, NULL)
                        : i == 2 ? cudaMemcpyAsync (host, host, 4, cudaMemcpyDeviceToHost, NULL)
                        : i == 3 ? cudaMemcpyAsync (pinned, device, sizeof host, cudaMemcpyDeviceToHost, NULL)
                        : i == 4 ? cudaMemsetAsync (host, 0, sizeof host, NULL) : cudaFree (pinned);

      g_assert_cmpint (error, ==, cudaErrorLaunchFailure);
      g_assert_nonnull (mt_host_get_fault ());
    }
  mt_host_reset (0);
  cudaFree (device);
  cudaFreeHost (pinned);
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-checks/right", test_right);
  g_test_add_func ("/gpu-checks/faults", test_faults);
  g_test_add_func ("/gpu-checks/freed", test_freed);
  g_test_add_func ("/gpu-checks/unwritten", test_unwritten);
  g_test_add_func ("/gpu-checks/host-touches-device", test_host_touches_device);
  g_test_add_func ("/gpu-checks/copies", test_copies);
  return g_test_run ();
}
