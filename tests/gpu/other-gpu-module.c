/* A CUDA module of another version: it knows no table that this program could use. */
#include "network/mt-gpu-api.h"

const MtGpuApi *mt_gpu_module_get (uint32_t version);

const MtGpuApi *
mt_gpu_module_get (uint32_t version)
{
  return NULL;
}
