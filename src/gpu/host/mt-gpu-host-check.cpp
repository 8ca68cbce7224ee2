/* Looks at every access of a kernel, as compute-sanitizer does on a device: memcheck, racecheck, initcheck.
 *
 * Kernels are compiled with -fsanitize=thread, which puts a call before each access, and linked with this file instead
 * of the sanitizer's own runtime. What is a fault:
 *   place      a kernel touches what is neither a named part of the device's memory nor its shared memory, its own
 *              stack or its arguments: beyond a part's end, freed, or the host's; the host touches the device's memory
 *   alignment  an address that is no multiple of the access's size: a device traps there
 *   races      two threads touch the same byte, one of them writes, and nothing orders them: no barrier lies between
 *              them or they are of different blocks of a launch. Lanes of a warp are not in step, nor do shuffles
 *              order memory
 *   contents   memory that was never written is read: shared memory of this block, or memory since it was allocated
 * Each byte has two words of shadow, who wrote and who read it last (launch, block, barriers so far, thread). Of several
 * readers since a barrier one is kept, and that there were several, which is all that a later writer must know. */
#include "mt-gpu-host-private.h"
#include "mt-gpu-host-translated.h"

#include <stdio.h>
#include <stdlib.h>

#include <vector>

#define LAUNCH_BITS 16
#define BLOCK_BITS  24
#define PHASE_BITS  12
#define THREAD_BITS 10

#define MANY_THREADS (UINT64_C (1) << 62)      /* of a block, in the same phase */
#define MANY_BLOCKS  (UINT64_C (1) << 63)

#define NAMED   1u
#define WRITTEN 2u

/* No constructor: who is first may be a kernel's file, when nothing here has begun. */
typedef struct {
  const char *memory;
  size_t      n;
  bool        has_parts;
  uint8_t    *state;           /* a byte: NAMED, WRITTEN */
  uint64_t   *writer, *reader;
} Region;

#define MAX_REGIONS 64

static Region regions[MAX_REGIONS], shared_region;
static unsigned n_regions;

/* --- what is allocated --- */

static void
region_init (Region *self, const char *memory, size_t n)
{
  *self = Region { memory, n, false, (uint8_t *) malloc (n), (uint64_t *) calloc (n, sizeof (uint64_t)),
                   (uint64_t *) calloc (n, sizeof (uint64_t)) };
  memset (self->state, NAMED, n);
}

static void
region_clear (Region *self)
{
  free (self->state);
  free (self->writer);
  free (self->reader);
}

static Region *
find (const void *at)
{
  for (unsigned i = 0; i < n_regions; i++)
    if ((const char *) at >= regions[i].memory && (const char *) at < regions[i].memory + regions[i].n)
      return &regions[i];
  return NULL;
}

static void
took (const char *memory, size_t n)
{
  if (n_regions == MAX_REGIONS)
    abort ();
  region_init (&regions[n_regions++], memory, n);
}

static void
gave (const char *memory)
{
  Region *it = find (memory);

  if (it == NULL)
    return;
  region_clear (it);
  *it = regions[--n_regions];
}

static void
wrote (const void *to, size_t n)
{
  Region *it = find (to);
  size_t first = (size_t) ((const char *) to - it->memory);

  for (size_t i = first; i < first + n; i++)
    it->state[i] |= WRITTEN;
}

static void
named (const void *part, size_t n)
{
  Region *it = find (part);

  if (it == NULL || n == 0)
    return;
  if (!it->has_parts)
    memset (it->state, 0, it->n);
  it->has_parts = true;

  size_t first = (size_t) ((const char *) part - it->memory);

  for (size_t i = first; i < first + n && i < it->n; i++)
    it->state[i] |= NAMED;
}

static const MtHostWatch watch = { took, gave, wrote, named };

__attribute__ ((constructor)) static void
begin_to_watch (void)
{
  mt_host_watch = &watch;
}

/* --- accesses --- */

static bool
is_in (const void *at, const void *from, size_t n)
{
  return (const char *) at >= (const char *) from && (const char *) at < (const char *) from + n;
}

__attribute__ ((noinline)) static void
complain (const char *what, const void *at, size_t n, bool writes)
{
  const MtHostWhere *where = &mt_host_where;
  const Region *region = find (at);
  char message[256];

  if (mt_host_in_kernel)
    snprintf (message, sizeof message, "%s: thread %u of block %u %s %zu bytes%s: %s", where->kernel, where->thread,
              where->block, writes ? "writes" : "reads", n,
              region != NULL ? " of the device" : is_in (at, where->shared, where->n_shared) ? " of shared memory" : "",
              what);
  else
    snprintf (message, sizeof message, "the host %s %zu bytes: %s", writes ? "writes" : "reads", n, what);
  mt_host_fault (message);
  if (mt_host_in_kernel)
    mt_host_leave ();
}

static uint64_t
stamp (void)
{
  const MtHostWhere *where = &mt_host_where;
  uint64_t launch = where->launch % ((1u << LAUNCH_BITS) - 1) + 1, block = where->block % (1u << BLOCK_BITS);

  return ((launch << BLOCK_BITS | block) << PHASE_BITS | where->phase % (1u << PHASE_BITS)) << THREAD_BITS | where->thread;
}

/* Whether two accesses, one of which writes, are in no order. @was: 0, none. */
static bool
is_race (uint64_t was, uint64_t is)
{
  uint64_t differ = (was & ~(MANY_THREADS | MANY_BLOCKS)) ^ is;

  if (was == 0 || differ >> (THREAD_BITS + PHASE_BITS + BLOCK_BITS) != 0)
    return false;                /* another launch */
  if (was & MANY_BLOCKS || differ >> (THREAD_BITS + PHASE_BITS) != 0)
    return true;                 /* another block */
  if (differ >> THREAD_BITS != 0)
    return false;                /* a barrier lies between */
  return was & MANY_THREADS || differ != 0;
}

static uint64_t
add_reader (uint64_t was, uint64_t is)
{
  uint64_t differ = (was & ~(MANY_THREADS | MANY_BLOCKS)) ^ is;

  if (was == 0 || differ >> (THREAD_BITS + PHASE_BITS + BLOCK_BITS) != 0)
    return is;
  if (differ >> (THREAD_BITS + PHASE_BITS) != 0)
    return is | MANY_BLOCKS;
  if (differ >> THREAD_BITS != 0)
    return is | (was & MANY_BLOCKS);
  return differ != 0 ? was | MANY_THREADS : was;
}

/* Whether both are of the same block of the same launch. */
static bool
is_same_block (uint64_t was, uint64_t is)
{
  return ((was & ~(MANY_THREADS | MANY_BLOCKS)) ^ is) >> (THREAD_BITS + PHASE_BITS) == 0;
}

static void
look (Region *region, const void *at, size_t n, bool writes)
{
  size_t first = (size_t) ((const char *) at - region->memory);
  uint64_t now = stamp ();

  for (size_t i = first; i < first + n; i++)
    {
      /* Each block has shared memory of its own, at the same place. */
      if (region == &shared_region && i < region->n && !is_same_block (region->writer[i], now))
        {
          region->writer[i] = 0;
          region->state[i] = NAMED;
        }
      if (region == &shared_region && i < region->n && !is_same_block (region->reader[i], now))
        region->reader[i] = 0;
      if (i >= region->n || (region->state[i] & NAMED) == 0)
        complain ("no part of it lies there", at, n, writes);
      if (is_race (region->writer[i], now))
        complain ("another thread writes there, and no barrier lies between", at, n, writes);
      if (writes)
        {
          if (is_race (region->reader[i], now))
            complain ("another thread reads there, and no barrier lies between", at, n, writes);
          region->writer[i] = now;
          region->state[i] |= WRITTEN;
        }
      else
        {
          if ((region->state[i] & WRITTEN) == 0)
            complain ("this was never written", at, n, writes);
          region->reader[i] = add_reader (region->reader[i], now);
        }
    }
}

static Region *
get_shared (void)
{
  const MtHostWhere *where = &mt_host_where;

  if (shared_region.memory != where->shared || shared_region.n != where->n_shared)
    {
      region_clear (&shared_region);
      region_init (&shared_region, where->shared, where->n_shared);
    }
  return &shared_region;
}

static void
check (const void *at, size_t n, bool writes, bool aligned)
{
  const MtHostWhere *where = &mt_host_where;
  Region *region;

  if (!mt_host_in_kernel)
    {
      if (n_regions > 0 && find (at) != NULL)
        complain ("memory of the device", at, n, writes);
      return;
    }
  if (is_in (at, where->stack, where->n_stack))
    return;
  if (aligned && (uintptr_t) at % n != 0)
    complain ("not aligned", at, n, writes);
  if (is_in (at, where->shared, where->n_shared))
    {
      look (get_shared (), at, n, writes);
      return;
    }
  region = find (at);
  if (region != NULL)
    look (region, at, n, writes);
  else if (writes || !(is_in (at, where->arguments, where->n_arguments) || is_in (at, &mt_host_thread, sizeof (uint3)) ||
                       is_in (at, &mt_host_block, sizeof (uint3)) || is_in (at, &mt_host_block_dim, sizeof (dim3)) ||
                       is_in (at, &mt_host_grid_dim, sizeof (dim3)) ||
                       is_in (at, &mt_host_inexact, sizeof mt_host_inexact)))      /* the shim's own */
    complain ("no memory of the device", at, n, writes);
}

/* --- what translated kernels call --- */

void
mt_host_look (const void *at, unsigned n, unsigned used, bool writes)
{
  unsigned all = n < 32 ? (1u << n) - 1 : ~0u;

  if ((used & all) == all)
    {
      check (at, n, writes, true);
      return;
    }
  if ((uintptr_t) at % n != 0)
    complain ("not aligned", at, n, writes);
  for (unsigned i = 0; i < n; i++)
    if (used >> i & 1)
      check ((const char *) at + i, 1, writes, true);
}

/* --- what the compiler calls --- */

#define HOOKS(n) \
  extern "C" void __tsan_read##n (void *at) { check (at, n, false, true); } \
  extern "C" void __tsan_write##n (void *at) { check (at, n, true, true); } \
  extern "C" void __tsan_unaligned_read##n (void *at) { check (at, n, false, false); } \
  extern "C" void __tsan_unaligned_write##n (void *at) { check (at, n, true, false); }

HOOKS (1)
HOOKS (2)
HOOKS (4)
HOOKS (8)
HOOKS (16)

extern "C" void __tsan_init (void) {}
extern "C" void __tsan_func_entry (void *) {}
extern "C" void __tsan_func_exit (void) {}
extern "C" void __tsan_vptr_update (void **, void *) {}
extern "C" void __tsan_vptr_read (void **) {}
extern "C" void __tsan_read_range (void *at, unsigned long n) { if (n > 0) check (at, n, false, false); }
extern "C" void __tsan_write_range (void *at, unsigned long n) { if (n > 0) check (at, n, true, false); }

/* Atomic variables are the host's (a lost context, the number of users): no kernel has any, so there is nothing to
 * look at here. The strictest order serves all of them. */
#define ATOMICS(bits, type) \
  extern "C" type __tsan_atomic##bits##_load (const volatile type *at, int) \
  { return __atomic_load_n (at, __ATOMIC_SEQ_CST); } \
  extern "C" void __tsan_atomic##bits##_store (volatile type *at, type value, int) \
  { __atomic_store_n (at, value, __ATOMIC_SEQ_CST); } \
  extern "C" type __tsan_atomic##bits##_exchange (volatile type *at, type value, int) \
  { return __atomic_exchange_n (at, value, __ATOMIC_SEQ_CST); } \
  extern "C" type __tsan_atomic##bits##_fetch_add (volatile type *at, type value, int) \
  { return __atomic_fetch_add (at, value, __ATOMIC_SEQ_CST); } \
  extern "C" type __tsan_atomic##bits##_fetch_sub (volatile type *at, type value, int) \
  { return __atomic_fetch_sub (at, value, __ATOMIC_SEQ_CST); }

ATOMICS (8, uint8_t)
ATOMICS (32, uint32_t)
