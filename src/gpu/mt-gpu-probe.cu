/* Whether there is a device, and which; what is wrong is told in words for the user. */
#include "mt-gpu-context.h"

static MtGpuStatus
gpu_probe (MtGpuDevice *devices, int *n_devices, MtGpuFailure *failure)
{
  int driver = 0, runtime = 0, n = 0;
  cudaError_t error;

  *n_devices = 0;
  failure->message[0] = '\0';
  TRY ("asking for the driver", cudaDriverGetVersion (&driver));
  TRY ("asking for the runtime", cudaRuntimeGetVersion (&runtime));
  if (driver == 0)
    {
      snprintf (failure->message, sizeof failure->message, "no NVIDIA driver is installed");
      return MT_GPU_NO_DRIVER;
    }
  /* A driver serves every runtime of its major version. */
  if (driver / 1000 < runtime / 1000)
    {
      snprintf (failure->message, sizeof failure->message,
                "the NVIDIA driver knows CUDA %d.%d; this module needs %d.0", driver / 1000,
                driver % 1000 / 10, runtime / 1000);
      return MT_GPU_OLD_DRIVER;
    }
  error = cudaGetDeviceCount (&n);
  if (error != cudaSuccess || n == 0)
    {
      cudaGetLastError ();
      snprintf (failure->message, sizeof failure->message, "the driver found no device (%s)",
                cudaGetErrorString (error));
      return MT_GPU_NO_DEVICE;
    }
  for (int i = 0; i < n && i < MT_GPU_MAX_DEVICES; i++)
    {
      cudaDeviceProp properties;
      size_t free_bytes = 0, total = 0;

      TRY ("asking for a device", cudaGetDeviceProperties (&properties, i));
      TRY ("choosing a device", cudaSetDevice (i));
      TRY ("asking for its memory", cudaMemGetInfo (&free_bytes, &total));
      snprintf (devices[i].name, sizeof devices[i].name, "%s", properties.name);
      devices[i].major = properties.major;
      devices[i].minor = properties.minor;
      devices[i].n_processors = properties.multiProcessorCount;
      devices[i].memory = total;
      devices[i].free = free_bytes;
    }
  /* Training takes the first, and a thread in the middle of one may have asked. */
  TRY ("choosing the first device", cudaSetDevice (0));
  *n_devices = n;
  return MT_GPU_OK;
}
