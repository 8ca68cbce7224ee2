/* Between the shim's two halves: fibers that run kernels, and the pretended runtime. */
#pragma once

#include "mt-gpu-host.h"

/* Fibers. A launch that no device could do is a fault. */
bool mt_host_can_run    (dim3 grid, dim3 block, size_t n_shared);
void mt_host_run_kernel (dim3 grid, dim3 block, size_t n_shared, const MtHostBody &kernel);
/* Forgets a fault, too. */
void mt_host_set_order  (uint64_t seed);
void mt_host_fault      (const char *message);

/* The runtime: from now on every call fails. */
void mt_host_break      (void);
