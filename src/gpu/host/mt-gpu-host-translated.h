/* Kernels that were translated from nvcc's PTX (tests/gpu/ptx), run by the shim in place of those that g++ made.
 *
 * A module that is built with MT_GPU_HOST_TRANSLATED launches them by name. If mt_host_compare_kernels() asks for it, it runs
 * every launch twice, once as g++ and once as nvcc understood the source, from the same memory, and compares what
 * comes of it. Counters tell how often each run of instructions was executed. */
#pragma once

#include "mt-gpu-host.h"

/* Of a run of instructions between branches. */
typedef struct {
  uint32_t n_instructions, n_fp64, n_read, n_written;      /* bytes of the device's memory */
} MtHostCosts;

typedef struct _MtHostTranslated MtHostTranslated;

struct _MtHostTranslated {
  const char        *name;
  unsigned           n_parameters;
  const uint8_t     *sizes;            /* a parameter: bytes */
  void             (*run) (const uint64_t *parameters);
  unsigned           n_blocks;
  const MtHostCosts *costs;            /* a run of instructions */
  uint64_t          *counts;           /* how often threads came there */
  MtHostTranslated  *next;
};

/* Of several of a name, the last that was entered is used. */
bool mt_host_enter_translated (MtHostTranslated *translated);

/* Accesses until another thread of the block takes its turn. */
extern unsigned mt_host_patience;

void     mt_host_yield                (void);
/* With checks only. @used: a bit a byte that matters. */
void     mt_host_look                 (const void *at, unsigned n, unsigned used, bool writes);
void     mt_host_unknown_instruction  (const char *name, int line);

static inline void
mt_host_touch (const void *at, unsigned n, unsigned used, bool writes)
{
  if (--mt_host_patience == 0)
    mt_host_yield ();
#ifdef MT_GPU_HOST_CHECKED
  mt_host_look (at, n, used, writes);
#endif
}
