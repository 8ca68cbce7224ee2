/* All kernel families as one unit: kernels are internal to it, and device code needs no linking. */
#include "mt-gpu-choose.cu"
#include "mt-gpu-nodes.cu"
#include "mt-gpu-head.cu"
#include "mt-gpu-sums.cu"
#include "mt-gpu-gradients.cu"
#include "mt-gpu-adam.cu"
#include "mt-gpu-deep.cu"
#include "mt-gpu-run.cu"
