/* Fibers, barriers, blocks; mt-gpu-host.h tells the whole. */
#include "mt-gpu-host-private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined (__x86_64__) || defined (__SANITIZE_ADDRESS__)
#include <ucontext.h>
#define USE_UCONTEXT 1
#else
#define USE_UCONTEXT 0
#endif

#define MAX_THREADS 1024
#define STACK_SIZE  (64 * 1024)
#define GUARD_SIZE  256
#define WARP        32
#define MOST_PATIENCE 256     /* accesses of a thread until another takes its turn */

typedef enum {
  FIBER_READY,
  FIBER_AT_BARRIER,
  FIBER_IN_WARP,       /* waits for the lanes of its mask */
  FIBER_DONE,
} FiberState;

typedef struct {
  FiberState state;
  int        line;             /* where it waits */
  unsigned   mask;
  unsigned   phase;            /* exchanges so far: two buffers a warp take turns */
  uint3      thread;
  uint64_t   published[2];
  char      *stack;
#if USE_UCONTEXT
  ucontext_t context;
#else
  void      *sp;
#endif
} Fiber;

uint3 mt_host_thread, mt_host_block;
dim3  mt_host_block_dim, mt_host_grid_dim;
MtHostWhere mt_host_where;
thread_local bool mt_host_in_kernel;
const MtHostWatch *mt_host_watch;
uint64_t mt_host_inexact;
unsigned mt_host_patience;

static Fiber fibers[MAX_THREADS];
static unsigned n_fibers, running;
static const MtHostKernel *body;
static char *shared;
static size_t n_shared_now;
static uint64_t order_seed, patience_random;
static char fault[256];

#if USE_UCONTEXT
static ucontext_t scheduler;
#else
static void *scheduler_sp;

extern "C" void mt_host_switch (void **save, void *load);

/* What the calling convention keeps across a call, and the stack. */
__asm__ (".text\n"
         ".type mt_host_switch, @function\n"
         "mt_host_switch:\n"
         "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
         "  movq %rsp, (%rdi)\n"
         "  movq %rsi, %rsp\n"
         "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
         "  ret\n"
         ".size mt_host_switch, . - mt_host_switch\n");
#endif

__attribute__ ((format (printf, 1, 2))) static void
set_fault (const char *format, ...)
{
  va_list args;

  if (fault[0] != '\0')
    return;
  va_start (args, format);
  vsnprintf (fault, sizeof fault, format, args);
  va_end (args);
  mt_host_break ();
}

static uint64_t
next_random (uint64_t *state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15u;

  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* --- fibers --- */

static void
to_scheduler (void)
{
  Fiber *self = &fibers[running];

#if USE_UCONTEXT
  swapcontext (&self->context, &scheduler);
#else
  mt_host_switch (&self->sp, scheduler_sp);
#endif
}

static void
fiber_main (void)
{
  body->call (body->arguments);
  fibers[running].state = FIBER_DONE;
  to_scheduler ();
  abort ();                    /* a fiber that is done is not resumed */
}

static void
fiber_start (unsigned index)
{
  Fiber *self = &fibers[index];

  if (self->stack == NULL)
    self->stack = (char *) aligned_alloc (64, STACK_SIZE);
  self->state = FIBER_READY;
  self->phase = 0;
#if USE_UCONTEXT
  getcontext (&self->context);
  self->context.uc_stack.ss_sp = self->stack;
  self->context.uc_stack.ss_size = STACK_SIZE;
  self->context.uc_link = NULL;
  makecontext (&self->context, fiber_main, 0);
#else
  /* As if fiber_main had just been called: six saved registers, then where to go; the stack is
   * 8 past a multiple of 16 at a function's first instruction. */
  void **top = (void **) (self->stack + STACK_SIZE - 56);

  top[0] = NULL;
  top[-1] = (void *) fiber_main;
  for (int i = 2; i <= 7; i++)
    top[-i] = NULL;
  self->sp = &top[-7];
#endif
}

static void
fiber_resume (unsigned index)
{
  running = index;
  mt_host_thread = fibers[index].thread;
  mt_host_where.thread = index;
  mt_host_where.stack = fibers[index].stack;
  mt_host_in_kernel = true;
#if USE_UCONTEXT
  swapcontext (&scheduler, &fibers[index].context);
#else
  mt_host_switch (&scheduler_sp, fibers[index].sp);
#endif
  mt_host_in_kernel = false;
}

void
mt_host_leave (void)
{
  fibers[running].state = FIBER_DONE;
  to_scheduler ();
  abort ();
}

/* --- waiting --- */

void *
mt_host_shared (void)
{
  return shared;
}

unsigned
mt_host_lane (void)
{
  return running % WARP;
}

void
mt_host_barrier (int line)
{
  fibers[running].state = FIBER_AT_BARRIER;
  fibers[running].line = line;
  to_scheduler ();
}

/* In the midst of a kernel's code: as if the device had left this thread for another. */
void
mt_host_yield (void)
{
  mt_host_patience = 0;
  if (order_seed == 0)
    return;
  mt_host_patience = 1 + next_random (&patience_random) % MOST_PATIENCE;
  to_scheduler ();
}

uint64_t
mt_host_exchange (unsigned  mask,
                  uint64_t  value,
                  unsigned  from,
                  uint64_t *all,
                  int       line)
{
  Fiber *self = &fibers[running];
  unsigned lane = running % WARP, first = running - lane, buffer = self->phase++ % 2;

  if ((mask >> lane & 1) == 0 || (all == NULL && (mask >> from & 1) == 0))
    {
      set_fault ("%s: thread %u exchanges at line %d, and its mask %08x leaves out lane %u", mt_host_where.kernel,
                 running, line, mask, (mask >> lane & 1) == 0 ? lane : from);
      mt_host_leave ();
    }
  self->published[buffer] = value;
  self->state = FIBER_IN_WARP;
  self->line = line;
  self->mask = mask;
  to_scheduler ();
  /* Nobody can publish here again before this lane has come to the next exchange. */
  for (unsigned i = 0; all != NULL && i < WARP; i++)
    all[i] = mask >> i & 1 ? fibers[first + i].published[buffer] : 0;
  return fibers[first + from].published[buffer];
}

/* Lets go a warp whose lanes are all there. FALSE when one of them cannot come any more. */
static bool
release_warp (unsigned first, bool *released)
{
  for (unsigned i = first; i < first + WARP && i < n_fibers; i++)
    {
      const Fiber *it = &fibers[i];
      bool complete = true;

      if (it->state != FIBER_IN_WARP)
        continue;
      for (unsigned other = 0; other < WARP; other++)
        {
          const Fiber *with = &fibers[first + other];

          if ((it->mask >> other & 1) == 0)
            continue;
          if (first + other >= n_fibers || with->state == FIBER_DONE)
            {
              set_fault ("%s: thread %u waits at line %d for lane %u, which has ended", mt_host_where.kernel, i,
                         it->line, other);
              return false;
            }
          if (with->state == FIBER_IN_WARP && (with->line != it->line || with->mask != it->mask))
            {
              set_fault ("%s: lanes of a warp exchange at lines %d and %d at once", mt_host_where.kernel, it->line,
                         with->line);
              return false;
            }
          complete = complete && with->state == FIBER_IN_WARP;
        }
      if (complete)
        {
          unsigned mask = it->mask;

          for (unsigned other = 0; other < WARP; other++)
            if (mask >> other & 1)
              fibers[first + other].state = FIBER_READY;
          *released = true;
        }
    }
  return true;
}

/* FALSE when no thread is left, or on a fault. */
static bool
release (void)
{
  unsigned n_done = 0, n_waiting = 0, n_ready = 0, one = 0;
  bool released = false;

  for (unsigned first = 0; first < n_fibers; first += WARP)
    if (!release_warp (first, &released))
      return false;
  for (unsigned i = 0; i < n_fibers; i++)
    {
      n_done += fibers[i].state == FIBER_DONE;
      n_ready += fibers[i].state == FIBER_READY;
      if (fibers[i].state == FIBER_AT_BARRIER)
        {
          n_waiting++;
          one = i;
        }
    }
  if (n_done == n_fibers)
    return false;
  if (released || n_ready > 0)
    return true;
  if (n_waiting + n_done < n_fibers)
    {
      set_fault ("%s: deadlock: a barrier at line %d and a warp wait for each other", mt_host_where.kernel,
                 fibers[one].line);
      return false;
    }
  if (n_done > 0)
    {
      set_fault ("%s: %u threads ended before the barrier at line %d", mt_host_where.kernel, n_done,
                 fibers[one].line);
      return false;
    }
  for (unsigned i = 0; i < n_fibers; i++)
    if (fibers[i].line != fibers[one].line)
      {
        set_fault ("%s: threads wait at different barriers, lines %d and %d", mt_host_where.kernel, fibers[i].line,
                   fibers[one].line);
        return false;
      }
  for (unsigned i = 0; i < n_fibers; i++)
    fibers[i].state = FIBER_READY;
  mt_host_where.phase++;
  return true;
}

static void
run_block (uint64_t *random)
{
  unsigned order[MAX_THREADS];

  memset (shared, 0xff, n_shared_now + GUARD_SIZE);
  for (unsigned i = 0; i < n_fibers; i++)
    {
      fiber_start (i);
      order[i] = i;
    }
  do
    {
      for (unsigned i = n_fibers - 1; order_seed != 0 && i > 0; i--)
        {
          unsigned j = (unsigned) (next_random (random) % (i + 1)), kept = order[i];

          order[i] = order[j];
          order[j] = kept;
        }
      for (unsigned i = 0; i < n_fibers; i++)
        if (fibers[order[i]].state == FIBER_READY)
          fiber_resume (order[i]);
    }
  while (release ());
  for (size_t i = 0; i < GUARD_SIZE; i++)
    if ((unsigned char) shared[n_shared_now + i] != 0xff)
      {
        set_fault ("%s: shared memory was written past its end of %zu bytes", mt_host_where.kernel,
                   n_shared_now);
        break;
      }
}

/* --- kernels --- */

bool
mt_host_can_run (dim3 grid, dim3 block, size_t n_shared)
{
  unsigned n = block.x * block.y * block.z;

  if (n > 0 && n <= MAX_THREADS && grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.y <= 65535 && grid.z <= 65535 &&
      n_shared <= 48 * 1024)
    return true;
  set_fault ("a launch of %u × %u × %u blocks of %u threads with %zu bytes is not possible", grid.x, grid.y, grid.z,
             n, n_shared);
  return false;
}

void
mt_host_run_kernel (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel)
{
  uint64_t random = order_seed;

  body = &kernel;
  n_fibers = block.x * block.y * block.z;
  mt_host_grid_dim = grid;
  mt_host_block_dim = block;
  n_shared_now = n_shared;
  shared = (char *) aligned_alloc (64, (n_shared + GUARD_SIZE + 63) / 64 * 64);
  mt_host_where.kernel = kernel.name;
  mt_host_where.launch++;
  mt_host_where.block = 0;
  mt_host_where.shared = shared;
  mt_host_where.n_shared = n_shared;
  mt_host_where.n_stack = STACK_SIZE;
  mt_host_where.arguments = kernel.arguments;
  mt_host_where.n_arguments = kernel.n_bytes;
  for (unsigned i = 0; i < n_fibers; i++)
    fibers[i].thread = uint3 { i % block.x, i / block.x % block.y, i / block.x / block.y };
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x && fault[0] == '\0'; x++)
        {
          mt_host_block = uint3 { x, y, z };
          mt_host_where.phase = 0;
          run_block (&random);
          mt_host_where.block++;
        }
  free (shared);
  shared = NULL;
  mt_host_where.shared = NULL;
  mt_host_where.n_shared = 0;
}

void
mt_host_set_order (uint64_t seed)
{
  order_seed = patience_random = seed;
  mt_host_patience = seed == 0 ? 0 : MOST_PATIENCE;
  fault[0] = '\0';
}

uint64_t
mt_host_get_order (void)
{
  return order_seed;
}

void
mt_host_set_inexact (uint64_t seed)
{
  mt_host_inexact = seed;
}

void
mt_host_fault (const char *message)
{
  set_fault ("%s", message);
}

const char *
mt_host_get_fault (void)
{
  return fault[0] != '\0' ? fault : NULL;
}
