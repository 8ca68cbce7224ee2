/* How much memory of a device is free, without opening it: NVIDIA's management library, which comes with the driver.
 *
 * The CUDA runtime tells this only of a device that is open, and each one that is keeps hundreds of megabytes until the
 * program ends. Where the library is not there, or does not answer, the free memory is not known: 0. */
#include "mt-gpu-context.h"

#include <dlfcn.h>

#ifdef __CUDACC__
#define NVML "libnvidia-ml.so.1"
#else
#define NVML mt_gpu_host_nvml
#endif

typedef struct {
  unsigned long long total, free, used;
} NvmlMemory;

typedef int (*NvmlCall) (void);
typedef int (*NvmlFind) (const char *bus, void **device);
typedef int (*NvmlAsk) (void *device, NvmlMemory *memory);

/* Fills in what is free of each of the devices. */
static void
ask_free (MtGpuDevice *devices, int n_devices)
{
  void *library = NVML != NULL ? dlopen (NVML, RTLD_NOW | RTLD_LOCAL) : NULL;

  if (library == NULL)
    return;

  NvmlCall begin = (NvmlCall) dlsym (library, "nvmlInit_v2"), end = (NvmlCall) dlsym (library, "nvmlShutdown");
  NvmlFind find = (NvmlFind) dlsym (library, "nvmlDeviceGetHandleByPciBusId_v2");
  NvmlAsk ask = (NvmlAsk) dlsym (library, "nvmlDeviceGetMemoryInfo");

  if (begin != NULL && end != NULL && find != NULL && ask != NULL && begin () == 0)
    {
      for (int i = 0; i < n_devices; i++)
        {
          char bus[32];
          void *device;
          NvmlMemory memory = { 0, 0, 0 };

          if (cudaDeviceGetPCIBusId (bus, sizeof bus, i) == cudaSuccess && find (bus, &device) == 0 &&
              ask (device, &memory) == 0)
            devices[i].free = memory.free;
        }
      cudaGetLastError ();
      end ();
    }
  dlclose (library);
}
