/* Stands for NVIDIA's management library in tests: what MINTERM_FAKE_NVML says, in MB a device: "300,8000". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
nvmlInit_v2 (void)
{
  return getenv ("MINTERM_FAKE_NVML") == NULL;
}

int
nvmlShutdown (void)
{
  return 0;
}

int
nvmlDeviceGetHandleByPciBusId_v2 (const char *bus, void **device)
{
  unsigned number;

  if (sscanf (bus, "0000:%x:00.0", &number) != 1)
    return 2;
  *device = (void *) (size_t) (number + 1);
  return 0;
}

int
nvmlDeviceGetMemoryInfo (void *device, unsigned long long *memory)
{
  const char *at = getenv ("MINTERM_FAKE_NVML");

  for (size_t i = 1; i < (size_t) device; i++)
    {
      at = strchr (at, ',');
      if (at++ == NULL)
        return 999;
    }
  memory[0] = 24000ull * 1000000;
  memory[1] = strtoull (at, NULL, 10) * 1000000;
  return 0;
}
