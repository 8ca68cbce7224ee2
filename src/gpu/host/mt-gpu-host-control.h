/* What tests say to the shim, in C, too. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block of the module's kernels: a multiple of 32, up to 256. */
extern unsigned mt_gpu_host_threads;
/* Steps of a graph at most: 256. */
extern unsigned mt_gpu_host_graph_steps;
/* Validation rows that one block sorts, at least: 4096. */
extern unsigned mt_gpu_host_part_rows;
/* Blocks of a launch of exact sums, about: 1. */
extern unsigned mt_gpu_host_session_blocks;

/* Forgets faults; fibers run in the order of @seed from now on (0: as numbered). */
void        mt_host_reset     (uint64_t seed);
/* Functions such as expf() are off by up to two units of the last place, by @seed; 0: as this machine has them. */
void        mt_host_set_inexact (uint64_t seed);
/* What went wrong, or NULL. */
const char *mt_host_get_fault (void);
/* The @n-th call of the runtime or launch from now on (1: the next) gives @error, a cudaError_t. */
void        mt_host_fail_at   (unsigned n, int error);
/* The same for calls of one function only, by its name: mt_host_launch is a kernel, launched or captured. */
void        mt_host_fail_call (const char *name, unsigned n, int error);
/* How many calls until then; 0: it has failed, or was never asked to. */
unsigned    mt_host_get_calls_left (void);
/* What the machine seems to have; driver 0: none. */
void        mt_host_pretend   (int driver, int n_devices);
/* Of one of the devices; else 7.5. Kernels are compiled for that and above. Forgotten by mt_host_pretend(). */
void        mt_host_pretend_capability (int device, int major, int minor);
/* Of one of the devices; else 1 multiprocessor at 1 GHz. Forgotten by mt_host_pretend(). */
void        mt_host_pretend_speed (int device, int n_processors, int kilohertz);
/* A library in the place of NVIDIA's management library; NULL: there is none. */
extern const char *mt_gpu_host_nvml;
/* How loading a kernel ends, a cudaError_t; 0: well. Forgotten by mt_host_pretend(). */
void        mt_host_pretend_kernels (int error);
/* How resetting the device ends, a cudaError_t; 0: well, and it works again. Forgotten by mt_host_pretend(). */
void        mt_host_pretend_reset (int error);
/* How often the device was reset; how often a thread waited for it in a busy loop. */
unsigned    mt_host_get_resets (void);
unsigned    mt_host_get_busy_waits (void);
/* The device that this thread has chosen. */
int         mt_host_get_device (void);
/* Bytes of the device's memory, all of it free. */
void        mt_host_pretend_memory (size_t n);
/* Graphs cannot be made, as under an old driver. */
void        mt_host_refuse_graphs (int refuse);
/* Launches that were given one by one, and graphs. */
void        mt_host_get_launches (uint64_t *n_kernels, uint64_t *n_graphs);
/* Of the kernels that have run, from graphs or not: how many, and a number that is another one if any of them, its
 * grid, block, shared memory or arguments, or their order, is another. */
uint64_t    mt_host_get_trace (uint64_t *n_run);
/* Bytes that were allocated and not freed, of the device and pinned. */
size_t      mt_host_get_used  (void);

/* --- only where kernels were translated from nvcc's PTX --- */

/* Every launch is run twice, by g++'s code and by nvcc's: that they differ in more than rounding is a fault. */
void        mt_host_compare_kernels (int compare);

typedef struct {
  uint64_t n_threads, n_instructions, n_fp64, n_read, n_written;      /* bytes of the device's memory */
} MtHostKernelCosts;

/* Of all threads of the kernel since the last call. 0: there is none of this name. */
int         mt_host_take_costs (const char *kernel, MtHostKernelCosts *costs);
/* The @i-th kernel's name, or NULL. */
const char *mt_host_get_kernel (unsigned i);

#ifdef __cplusplus
}
#endif
