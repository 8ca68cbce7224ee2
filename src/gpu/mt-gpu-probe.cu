/* Whether there is a device, and which; whether this module's kernels run on it.
 *
 * Asking opens nothing, but may take a while: it starts the driver. Examining opens the device (some tenths of a
 * second, and hundreds of megabytes of it) and loads every kernel, which a driver may have to translate first. Training
 * does the same before its first graph, because a kernel that is first loaded while a stream is captured breaks the
 * capture under drivers before CUDA 12.3. */
#include "mt-gpu-context.h"

/* The least compute capability that was compiled for, as 10 × major + minor. */
static int
least_capability (void)
{
  static const int arches[] = { __CUDA_ARCH_LIST__ };
  int least = arches[0];

  for (int arch : arches)
    least = arch < least ? arch : least;
  return least / 10;
}

/* Where something has failed, and no device is in use now, its context is made again. What then still fails is told by the
 * calls that follow. Choosing a device fails in a lost context, too, but says which one is to be reset. */
static void
renew_context (void)
{
  if (n_users > 0 || !is_doubtful)
    return;
  cudaSetDevice ((int) last_device);
  if (cudaDeviceReset () == cudaSuccess)
    is_doubtful = false;
  cudaGetLastError ();
}

/* Additions of floats a second, in billions: units of a multiprocessor by its generation, and its clock. */
static double
speed_of (const cudaDeviceProp *properties, int device)
{
  int kilohertz = 0;
  bool is_narrow = properties->major == 7 || (properties->major % 2 == 0 && properties->minor == 0 && properties->major < 10);

  if (cudaDeviceGetAttribute (&kilohertz, cudaDevAttrClockRate, device) != cudaSuccess || kilohertz <= 0)
    {
      cudaGetLastError ();
      kilohertz = 1000000;
    }
  return (is_narrow ? 64.0 : 128.0) * properties->multiProcessorCount * kilohertz * 1e-6;
}

static MtGpuStatus
gpu_probe (MtGpuDevice *devices, int *n_devices, MtGpuFailure *failure)
{
  int n = 0, least = least_capability ();
  cudaError_t error;

  *n_devices = 0;
  *failure = MtGpuFailure {};
  TRY ("asking for the driver", cudaDriverGetVersion (&failure->driver));
  TRY ("asking for the runtime", cudaRuntimeGetVersion (&failure->runtime));
  if (failure->driver == 0)
    return MT_GPU_NO_DRIVER;
  /* A driver serves every runtime of its major version. */
  if (failure->driver / 1000 < failure->runtime / 1000)
    return MT_GPU_OLD_DRIVER;
  renew_context ();
  error = cudaGetDeviceCount (&n);
  if (error != cudaSuccess || n == 0)
    {
      cudaGetLastError ();
      snprintf (failure->message, sizeof failure->message, "%s",
                cudaGetErrorString (error != cudaSuccess ? error : cudaErrorNoDevice));
      return MT_GPU_NO_DEVICE;
    }
  for (int i = 0; i < n && i < MT_GPU_MAX_DEVICES; i++)
    {
      cudaDeviceProp properties;

      devices[i] = MtGpuDevice {};
      devices[i].least = least;
      error = cudaGetDeviceProperties (&properties, i);
      if (error != cudaSuccess)
        {
          /* One that does not answer is no reason not to use another. */
          fail (failure, MT_GPU_LOST, "asking for it", error);
          snprintf (devices[i].reason, sizeof devices[i].reason, "%s", failure->message);
          continue;
        }
      snprintf (devices[i].name, sizeof devices[i].name, "%s", properties.name);
      devices[i].major = properties.major;
      devices[i].minor = properties.minor;
      devices[i].n_processors = properties.multiProcessorCount;
      devices[i].memory = properties.totalGlobalMem;
      devices[i].speed = speed_of (&properties, i);
      devices[i].too_old = 10 * properties.major + properties.minor < least;
    }
  ask_free (devices, n < MT_GPU_MAX_DEVICES ? n : MT_GPU_MAX_DEVICES);
  *n_devices = n;
  return MT_GPU_OK;
}

static MtGpuStatus
load_kernels (MtGpuFailure *failure)
{
  const void *const kernels[] = {
    (const void *) mt_gpu_choose_kernel, (const void *) mt_gpu_planes_kernel, (const void *) mt_gpu_tables_kernel,
    (const void *) mt_gpu_nodes_kernel, (const void *) mt_gpu_codes_kernel, (const void *) mt_gpu_head_kernel,
    (const void *) mt_gpu_histogram_kernel, (const void *) mt_gpu_reduce_kernel,
    (const void *) mt_gpu_columns_kernel, (const void *) mt_gpu_gradients_kernel, (const void *) mt_gpu_norm_kernel,
    (const void *) mt_gpu_adam_kernel, (const void *) mt_gpu_patterns_kernel, (const void *) mt_gpu_deep_kernel,
    (const void *) mt_gpu_keys_kernel, (const void *) mt_gpu_rank_kernel, (const void *) mt_gpu_count_kernel,
    (const void *) mt_gpu_begin_kernel, (const void *) mt_gpu_order_kernel, (const void *) mt_gpu_send_kernel,
    (const void *) mt_gpu_take_kernel,
    (const void *) mt_gpu_valid_kernel, (const void *) mt_gpu_judge_kernel, (const void *) mt_gpu_keep_kernel,
    (const void *) mt_gpu_pairs_kernel, (const void *) mt_gpu_gram_kernel, (const void *) mt_gpu_slices_kernel,
    (const void *) mt_gpu_rows_kernel, (const void *) mt_gpu_dots_kernel, (const void *) mt_gpu_gains_kernel,
  };

  for (const void *kernel : kernels)
    {
      cudaFuncAttributes attributes;
      cudaError_t error = cudaFuncGetAttributes (&attributes, kernel);

      /* The driver is of the right major version, but older than the compiler: it cannot translate for this device. */
      if (error == cudaErrorUnsupportedPtxVersion)
        {
          fail (failure, MT_GPU_LOST, "loading kernels", error);
          return MT_GPU_OLD_DRIVER;
        }
      TRY ("loading kernels", error);
    }
  return MT_GPU_OK;
}

static MtGpuStatus
choose_device (uint32_t device, MtGpuFailure *failure)
{
  *failure = MtGpuFailure {};
  cudaGetLastError ();         /* of somebody before us */
  TRY ("asking for the driver", cudaDriverGetVersion (&failure->driver));
  TRY ("asking for the runtime", cudaRuntimeGetVersion (&failure->runtime));
  renew_context ();
  last_device = device;
  TRY ("choosing the device", cudaSetDevice ((int) device));
  return load_kernels (failure);
}

static MtGpuStatus
gpu_examine (uint32_t device, MtGpuDevice *found, MtGpuFailure *failure)
{
  size_t free_bytes = 0, total = 0;

  PASS (choose_device (device, failure));
  TRY ("asking for its memory", cudaMemGetInfo (&free_bytes, &total));
  found->memory = total;
  found->free = free_bytes;
  return MT_GPU_OK;
}
