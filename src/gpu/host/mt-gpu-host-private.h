/* Between the shim's two halves: fibers that run kernels, and the pretended runtime. */
#pragma once

#include "mt-gpu-host.h"

#include <vector>

/* Who runs, for the code that checks accesses. */
typedef struct {
  const char  *kernel;
  uint32_t     launch;         /* counts up; 0: none yet */
  uint32_t     block;          /* of the launch */
  uint32_t     thread;         /* of the block */
  uint32_t     phase;          /* barriers of the block so far */
  const char  *stack, *shared;
  size_t       n_stack, n_shared;
  const void  *arguments;
  size_t       n_arguments;
} MtHostWhere;

extern MtHostWhere mt_host_where;
/* Another thread of the program may be at something else meanwhile. */
extern thread_local bool mt_host_in_kernel;

/* What happens to the device's memory; not used without checks. */
typedef struct {
  void (*took)  (const char *memory, size_t n);
  void (*gave)  (const char *memory);
  void (*wrote) (const void *to, size_t n);      /* from outside of kernels */
  void (*named) (const void *part, size_t n);
} MtHostWatch;

extern const MtHostWatch *mt_host_watch;

/* Accesses until another thread takes its turn; translated kernels count down. */
extern unsigned mt_host_patience;

/* Ends the running thread of a kernel: what it was about to do is not done. */
void mt_host_leave (void);

/* Fibers. A launch that no device could do is a fault. */
bool mt_host_can_run    (dim3 grid, dim3 block, size_t n_shared);
void mt_host_run_kernel (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel);
/* Forgets a fault, too. */
void mt_host_set_order  (uint64_t seed);
uint64_t mt_host_get_order (void);
void mt_host_fault      (const char *message);

/* The runtime: from now on every call fails. */
void mt_host_break      (void);

/* A piece of the device's memory and what it holds: as mt_host_name_part() says. */
typedef struct {
  const char *memory;
  size_t      n;
  char        kind;
} MtHostPart;

/* What is allocated of the device, without names: all of it, in pieces. */
std::vector<MtHostPart> mt_host_get_parts (void);

/* Runs a launch in place of mt_host_run_kernel(), unless NULL. */
extern void (*mt_host_run_instead) (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel);
