/* Fibers, barriers and the pretended runtime; mt-gpu-host.h tells the whole. */
#include "mt-gpu-host.h"

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

static Fiber fibers[MAX_THREADS];
static unsigned n_fibers, running;
static MtHostBody body;
static void *closure;
static char *shared;
static size_t n_shared_now;
static uint64_t order_seed;
static char fault[256];
static unsigned fail_in;
static cudaError_t fail_with, sticky;
static int driver_version = 13000, device_count = 1;
static size_t used;

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
  sticky = cudaErrorLaunchFailure;
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
  body (closure);
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
#if USE_UCONTEXT
  swapcontext (&scheduler, &fibers[index].context);
#else
  mt_host_switch (&scheduler_sp, fibers[index].sp);
#endif
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

uint64_t
mt_host_exchange (unsigned  mask,
                  uint64_t  value,
                  unsigned  from,
                  uint64_t *all,
                  int       line)
{
  Fiber *self = &fibers[running];
  unsigned first = running - running % WARP, buffer = self->phase++ % 2;

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
              set_fault ("thread %u waits at line %d for lane %u, which has ended", i, it->line, other);
              return false;
            }
          if (with->state == FIBER_IN_WARP && (with->line != it->line || with->mask != it->mask))
            {
              set_fault ("lanes of a warp exchange at lines %d and %d at once", it->line, with->line);
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

/* FALSE when nobody is left, or on a fault. */
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
      set_fault ("deadlock: a barrier at line %d and a warp wait for each other", fibers[one].line);
      return false;
    }
  if (n_done > 0)
    {
      set_fault ("%u threads ended before the barrier at line %d", n_done, fibers[one].line);
      return false;
    }
  for (unsigned i = 0; i < n_fibers; i++)
    if (fibers[i].line != fibers[one].line)
      {
        set_fault ("threads wait at different barriers, lines %d and %d", fibers[i].line, fibers[one].line);
        return false;
      }
  for (unsigned i = 0; i < n_fibers; i++)
    fibers[i].state = FIBER_READY;
  return true;
}

static uint64_t
next_random (uint64_t *state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15u;

  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
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
        set_fault ("shared memory was written past its end of %zu bytes", n_shared_now);
        break;
      }
}

/* --- the runtime --- */

static cudaError_t
called (void)
{
  if (sticky != cudaSuccess)
    return sticky;
  if (fail_in > 0 && --fail_in == 0)
    {
      /* Want of memory leaves the context whole; the rest does not. */
      if (fail_with != cudaErrorMemoryAllocation)
        sticky = fail_with;
      return fail_with;
    }
  return cudaSuccess;
}

static cudaError_t launched;

void
mt_host_launch (dim3       grid,
                dim3       block,
                size_t     n_shared,
                MtHostBody launch_body,
                void      *launch_closure)
{
  uint64_t random = order_seed;

  launched = called ();
  if (launched != cudaSuccess)
    return;
  n_fibers = block.x * block.y * block.z;
  if (n_fibers == 0 || n_fibers > MAX_THREADS || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      grid.y > 65535 || grid.z > 65535 || n_shared > 48 * 1024)
    {
      set_fault ("a launch of %u × %u × %u blocks of %u threads with %zu bytes is not possible", grid.x,
                 grid.y, grid.z, n_fibers, n_shared);
      launched = sticky;
      return;
    }
  body = launch_body;
  closure = launch_closure;
  mt_host_grid_dim = grid;
  mt_host_block_dim = block;
  n_shared_now = n_shared;
  shared = (char *) aligned_alloc (64, (n_shared + GUARD_SIZE + 63) / 64 * 64);
  for (unsigned i = 0; i < n_fibers; i++)
    fibers[i].thread = uint3 { i % block.x, i / block.x % block.y, i / block.x / block.y };
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x && fault[0] == '\0'; x++)
        {
          mt_host_block = uint3 { x, y, z };
          run_block (&random);
        }
  free (shared);
  shared = NULL;
  launched = sticky;
}

void
mt_host_reset (uint64_t seed)
{
  order_seed = seed;
  fault[0] = '\0';
  fail_in = 0;
  sticky = launched = cudaSuccess;
}

const char *
mt_host_get_fault (void)
{
  return fault[0] != '\0' ? fault : NULL;
}

void
mt_host_fail_at (unsigned n,
                 int      error)
{
  fail_in = n;
  fail_with = (cudaError_t) error;
}

void
mt_host_pretend (int driver,
                 int n_devices)
{
  driver_version = driver;
  device_count = n_devices;
}

size_t
mt_host_get_used (void)
{
  return used;
}

cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = driver_version;
  return cudaSuccess;
}

cudaError_t
cudaRuntimeGetVersion (int *version)
{
  *version = 13000;
  return cudaSuccess;
}

/* As the real one: the count stays unwritten when it fails. */
cudaError_t
cudaGetDeviceCount (int *n)
{
  if (driver_version < 13000)
    return cudaErrorInsufficientDriver;
  if (device_count == 0)
    return cudaErrorNoDevice;
  *n = device_count;
  return called ();
}

cudaError_t
cudaGetDeviceProperties (cudaDeviceProp *properties,
                         int             device)
{
  memset (properties, 0, sizeof *properties);
  snprintf (properties->name, sizeof properties->name, "CUDA on the CPU");
  properties->totalGlobalMem = (size_t) 1 << 30;
  properties->major = 7;
  properties->minor = 5;
  properties->multiProcessorCount = 1;
  return called ();
}

cudaError_t
cudaSetDevice (int device)
{
  return called ();
}

cudaError_t
cudaMemGetInfo (size_t *free_bytes,
                size_t *total)
{
  *total = (size_t) 1 << 30;
  *free_bytes = *total - used;
  return called ();
}

/* The size stands before the memory, for cudaFree(). */
cudaError_t
cudaMalloc (void **memory,
            size_t n)
{
  cudaError_t error = called ();
  char *block;

  if (error != cudaSuccess)
    return error;
  block = (char *) malloc (n + 64);
  if (block == NULL)
    return cudaErrorMemoryAllocation;
  memcpy (block, &n, sizeof n);
  memset (block + 64, 0xff, n);
  used += n;
  *memory = block + 64;
  return cudaSuccess;
}

cudaError_t
cudaFree (void *memory)
{
  size_t n;

  if (memory == NULL)
    return cudaSuccess;
  memcpy (&n, (char *) memory - 64, sizeof n);
  used -= n;
  free ((char *) memory - 64);
  return sticky;
}

cudaError_t
cudaMemcpyAsync (void          *to,
                 const void    *from,
                 size_t         n,
                 cudaMemcpyKind kind,
                 cudaStream_t   stream)
{
  cudaError_t error = called ();

  if (error == cudaSuccess && n > 0)
    memcpy (to, from, n);
  return error;
}

cudaError_t
cudaMemsetAsync (void        *memory,
                 int          value,
                 size_t       n,
                 cudaStream_t stream)
{
  cudaError_t error = called ();

  if (error == cudaSuccess)
    memset (memory, value, n);
  return error;
}

cudaError_t
cudaStreamCreate (cudaStream_t *stream)
{
  *stream = NULL;
  return called ();
}

cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  return called ();
}

cudaError_t
cudaGetLastError (void)
{
  cudaError_t error = launched;

  launched = cudaSuccess;
  return error;
}

const char *
cudaGetErrorString (cudaError_t error)
{
  switch (error)
    {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorLaunchFailure:
    default:
      return fault[0] != '\0' ? fault : "unspecified launch failure";
    }
}
