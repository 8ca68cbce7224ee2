/* The CUDA backend with its real kernels run on the CPU: a device to pretend, one net on it, one step of it. */
#pragma once

#include "backend-cases.h"
#include "host/mt-gpu-host-control.h"
#include "network/mt-backend-cuda.h"
#include "network/mt-train-private.h"

G_BEGIN_DECLS

#define OUT_OF_MEMORY 2          /* cudaError_t */
#define LAUNCH_FAILED 719

/* What the module exports, linked in. */
const MtGpuApi *mt_gpu_module_get (uint32_t version);

void gpu_use_host (uint64_t seed, guint n_threads);
gpointer gpu_open_one (const MtBackendJob *job, guint64 memory, GError **error);
/* The gradient of one step over all rows, and its loss. */
float *gpu_run_step (const MtTestCase *it, const float *class_weights, float clip, float weight_decay, double *loss,
                     MtTrainState *after);

G_END_DECLS
