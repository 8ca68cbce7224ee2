/* Compiled when the build is configured, to see whether nvcc works with the host's compiler and libraries. */
#include <cstdlib>

static __global__ void
trial (float *values)
{
  values[threadIdx.x] *= 2.0f;
}

extern "C" int
minterm_trial (float *values)
{
  trial<<<1, 32>>> (values);
  return cudaDeviceSynchronize () == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
