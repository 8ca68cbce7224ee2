/* The pretended runtime: streams, events, graphs, memory, and calls that fail when told to.
 *
 * A stream is a queue. Nothing in it runs before somebody waits for it; then, of all streams whose next
 * piece of work may run (an event it waits for has happened), the seed chooses one, or, with seed 0, only
 * what is waited for runs, and what that depends on. Copies from pageable memory take what is there when
 * they are asked for, as the real ones do; those from pinned memory, what is there when they run. */
#include "mt-gpu-host-private.h"

#include <stdio.h>
#include <stdlib.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

struct MtHostEvent {
  uint64_t n_recorded, n_happened;
  unsigned flags;
};

typedef std::function<void ()> MtHostBody;

typedef struct {
  MtHostBody   run;            /* or, if empty … */
  MtHostEvent *event;          /* … wait for it, or let it happen */
  uint64_t     number;         /* the how-many-th of its records */
  bool         records;
} Work;

struct MtHostStream {
  std::deque<Work> queue;
  bool             captures;
  cudaError_t      spoilt;     /* what a capture does not allow */
  MtHostGraph     *graph;
};

/* Kernels, and events to wait for: for the last of their records when the graph is launched. */
struct MtHostGraph {
  std::vector<Work> works;
};

static std::vector<MtHostStream *> streams;
static std::map<const char *, size_t> pinned, on_device;     /* what is allocated: its bytes */
static std::map<const char *, MtHostPart> parts;             /* what was named of it */
static unsigned fail_in, fail_in_graphs;
static char fail_name[64];
static cudaError_t fail_with, sticky;
static cudaError_t last_error;         /* of any call, until somebody asks: not only of launches */
static int driver_version = 13000, device_count = 1, refuses_graphs, chosen_device;
static std::map<int, int> capabilities;        /* 10 × major + minor, of devices that are not 7.5 */
static std::map<int, std::pair<int, int>> speeds;  /* multiprocessors and kHz, of devices that have not 1 and 1 GHz */
static cudaError_t kernels_load, resets_end;
static unsigned n_resets, n_busy_waits;
static size_t used, used_pinned, memory_size = (size_t) 1 << 30;
static uint64_t turn_seed, n_kernels, n_graphs, n_run, trace;

void (*mt_host_run_instead) (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel);

void
mt_host_break (void)
{
  sticky = cudaErrorLaunchFailure;
}

/* Programs that are tested from outside are told by their environment. */
static bool
read_environment (void)
{
  const char *at = getenv ("MINTERM_GPU_HOST_FAIL_AT"), *memory = getenv ("MINTERM_GPU_HOST_MEMORY");
  const char *graph = getenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");      /* one an epoch: in the midst of training */

  if (getenv ("MINTERM_GPU_HOST_INEXACT") != NULL)
    mt_host_set_inexact ((uint64_t) atoll (getenv ("MINTERM_GPU_HOST_INEXACT")));
  if (at != NULL)
    {
      fail_in = (unsigned) atoi (at);
      fail_with = cudaErrorLaunchFailure;
    }
  if (graph != NULL)
    fail_in_graphs = (unsigned) atoi (graph);
  if (memory != NULL)
    memory_size = (size_t) atoll (memory);
  if (getenv ("MINTERM_GPU_HOST_DRIVER") != NULL)
    driver_version = atoi (getenv ("MINTERM_GPU_HOST_DRIVER"));
  if (getenv ("MINTERM_GPU_HOST_KERNELS") != NULL)
    kernels_load = (cudaError_t) atoi (getenv ("MINTERM_GPU_HOST_KERNELS"));
  /* Their compute capabilities, "61,75,86"; "": none is there. */
  if (getenv ("MINTERM_GPU_HOST_DEVICES") != NULL)
    {
      char *end = getenv ("MINTERM_GPU_HOST_DEVICES");

      for (device_count = 0; *end != '\0'; device_count++)
        {
          capabilities[device_count] = (int) strtol (end, &end, 10);
          end += *end == ',';
        }
    }
  return true;
}

[[maybe_unused]] static const bool was_read = read_environment ();

/* Every way out of a call that has failed. */
static cudaError_t
gives (cudaError_t error)
{
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

static cudaError_t
called (const char *name)
{
  if (sticky != cudaSuccess)
    return gives (sticky);
  if (fail_in > 0 && (fail_name[0] == '\0' || strcmp (name, fail_name) == 0) && --fail_in == 0)
    {
      /* Want of memory, and what a capture does not allow, leave the context whole; the rest does not. */
      if (fail_with != cudaErrorMemoryAllocation && fail_with != cudaErrorStreamCaptureUnsupported)
        sticky = fail_with;
      return gives (fail_with);
    }
  return cudaSuccess;
}

/* --- control --- */

void
mt_host_reset (uint64_t seed)
{
  mt_host_set_order (seed);
  turn_seed = seed;
  fail_in = 0;
  n_kernels = n_graphs = n_run = trace = 0;
  n_resets = n_busy_waits = 0;
  sticky = last_error = cudaSuccess;
  for (MtHostStream *stream : streams)
    stream->queue.clear ();
}

void
mt_host_fail_at (unsigned n, int error)
{
  mt_host_fail_call ("", n, error);
}

void
mt_host_fail_call (const char *name, unsigned n, int error)
{
  snprintf (fail_name, sizeof fail_name, "%s", name);
  fail_in = n;
  fail_with = (cudaError_t) error;
}

unsigned
mt_host_get_calls_left (void)
{
  return fail_in;
}

void
mt_host_pretend (int driver, int n_devices)
{
  driver_version = driver;
  device_count = n_devices;
  capabilities.clear ();
  speeds.clear ();
  kernels_load = resets_end = cudaSuccess;
}

void
mt_host_pretend_capability (int device, int major, int minor)
{
  capabilities[device] = 10 * major + minor;
}

void
mt_host_pretend_speed (int device, int n_processors, int kilohertz)
{
  speeds[device] = { n_processors, kilohertz };
}

void
mt_host_pretend_kernels (int error)
{
  kernels_load = (cudaError_t) error;
}

void
mt_host_pretend_reset (int error)
{
  resets_end = (cudaError_t) error;
}

unsigned
mt_host_get_resets (void)
{
  return n_resets;
}

unsigned
mt_host_get_busy_waits (void)
{
  return n_busy_waits;
}

int
mt_host_get_device (void)
{
  return chosen_device;
}

void
mt_host_pretend_memory (size_t n)
{
  memory_size = n;
}

void
mt_host_refuse_graphs (int refuse)
{
  refuses_graphs = refuse;
}

void
mt_host_get_launches (uint64_t *kernels, uint64_t *graphs)
{
  *kernels = n_kernels;
  *graphs = n_graphs;
}

uint64_t
mt_host_get_trace (uint64_t *kernels_run)
{
  *kernels_run = n_run;
  return trace;
}

size_t
mt_host_get_used (void)
{
  return used + used_pinned;
}

/* --- streams --- */

static bool
can_go_on (const MtHostStream *stream)
{
  if (stream->queue.empty ())
    return false;

  const Work &next = stream->queue.front ();

  return next.event == NULL || next.records || next.event->n_happened >= next.number;
}

static void
go_on (MtHostStream *stream)
{
  Work work = std::move (stream->queue.front ());

  stream->queue.pop_front ();
  if (work.event == NULL)
    work.run ();
  else if (work.records)
    work.event->n_happened = work.number;
}

/* Which stream takes its turn; NULL when all wait for each other. */
static MtHostStream *
next_stream (MtHostStream *wanted)
{
  std::vector<MtHostStream *> ready;

  if (turn_seed == 0 && wanted != NULL && can_go_on (wanted))
    return wanted;
  for (MtHostStream *stream : streams)
    if (can_go_on (stream))
      ready.push_back (stream);
  if (ready.empty ())
    return NULL;
  turn_seed = turn_seed == 0 ? 0 : turn_seed * 6364136223846793005u + 1442695040888963407u;
  return ready[(turn_seed >> 33) % ready.size ()];
}

/* Work that a stream which is being captured does not take. */
static bool
spoils (MtHostStream *stream, cudaError_t with)
{
  if (stream == NULL || !stream->captures)
    return false;
  stream->spoilt = with;
  gives (with);
  return true;
}

/* Until the stream is empty, or the event has happened. */
static cudaError_t
run_until (MtHostStream *stream, const MtHostEvent *event, uint64_t number)
{
  while (sticky == cudaSuccess && (event != NULL ? event->n_happened < number : !stream->queue.empty ()))
    {
      MtHostStream *next = next_stream (stream);

      if (next == NULL)
        {
          mt_host_fault ("streams wait for an event that is never recorded");
          break;
        }
      go_on (next);
    }
  return gives (sticky);
}

static void
run_all (void)
{
  for (MtHostStream *stream : streams)
    run_until (stream, NULL, 0);
}

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned flags)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  *stream = new MtHostStream ();
  streams.push_back (*stream);
  return cudaSuccess;
}

cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  for (size_t i = 0; i < streams.size (); i++)
    if (streams[i] == stream)
      streams.erase (streams.begin () + (long) i);
  delete stream;
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  cudaError_t error = called (__func__);

  if (error == cudaSuccess && spoils (stream, cudaErrorStreamCaptureUnsupported))
    return stream->spoilt;
  n_busy_waits += !stream->queue.empty ();
  return error != cudaSuccess ? error : run_until (stream, NULL, 0);
}

cudaError_t
cudaEventCreateWithFlags (cudaEvent_t *event, unsigned flags)
{
  cudaError_t error = called (__func__);

  if (error == cudaSuccess)
    *event = new MtHostEvent { 0, 0, flags };
  return error;
}

/* Queued work may still name it; real events live until then, too. */
cudaError_t
cudaEventDestroy (cudaEvent_t event)
{
  if (sticky == cudaSuccess)
    run_all ();
  delete event;
  return cudaSuccess;
}

cudaError_t
cudaEventRecord (cudaEvent_t event, cudaStream_t stream)
{
  cudaError_t error = called (__func__);

  if (error == cudaSuccess && spoils (stream, cudaErrorStreamCaptureUnsupported))
    return stream->spoilt;
  if (error == cudaSuccess)
    stream->queue.push_back (Work { MtHostBody (), event, ++event->n_recorded, true });
  return error;
}

cudaError_t
cudaStreamWaitEvent (cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  if (stream->captures && flags == cudaEventWaitExternal)
    stream->graph->works.push_back (Work { MtHostBody (), event, 0, false });
  else if (spoils (stream, cudaErrorStreamCaptureIsolation))
    return stream->spoilt;
  else
    stream->queue.push_back (Work { MtHostBody (), event, event->n_recorded, false });
  return cudaSuccess;
}

cudaError_t
cudaEventSynchronize (cudaEvent_t event)
{
  cudaError_t error = called (__func__);

  n_busy_waits += (event->flags & cudaEventBlockingSync) == 0 && event->n_happened < event->n_recorded;
  return error != cudaSuccess ? error : run_until (NULL, event, event->n_recorded);
}

/* --- launches and graphs --- */

uint64_t
mt_host_mark_address (const void *address)
{
  auto after = on_device.upper_bound ((const char *) address);

  return after == on_device.begin () ? 0 : (uint64_t) ((const char *) address - (--after)->first);
}

static void
note_run (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel)
{
  const uint64_t parts[] = { grid.x, grid.y, grid.z, block.x, block.y, block.z, n_shared, kernel.mark };

  n_run++;
  for (const char *at = kernel.name; *at != '\0'; at++)
    trace = (trace ^ (uint64_t) *at) * 0x100000001b3u;
  for (uint64_t part : parts)
    trace = ((trace ^ part) * 0x9e3779b97f4a7c15u) ^ (trace >> 29);
}

void
mt_host_launch_kernel (dim3 grid, dim3 block, size_t n_shared, cudaStream_t stream, const MtHostKernel &body)
{
  std::shared_ptr<const void> arguments (body.arguments, body.destroy);
  MtHostBody kernel = [=] {
      (void) arguments;
      note_run (grid, block, n_shared, body);
      (mt_host_run_instead != NULL ? mt_host_run_instead : mt_host_run_kernel) (grid, block, n_shared, body);
    };

  if (called ("mt_host_launch") != cudaSuccess)
    return;
  if (!mt_host_can_run (grid, block, n_shared))
    {
      gives (sticky);
      return;
    }
  if (stream != NULL && stream->captures)
    {
      stream->graph->works.push_back (Work { kernel, NULL, 0, false });
      return;
    }
  n_kernels++;
  if (stream != NULL)
    {
      stream->queue.push_back (Work { kernel, NULL, 0, false });
      return;
    }
  run_all ();
  kernel ();
  gives (sticky);
}

cudaError_t
cudaStreamBeginCapture (cudaStream_t stream, cudaStreamCaptureMode mode)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  stream->captures = true;
  stream->spoilt = cudaSuccess;
  stream->graph = new MtHostGraph ();
  return cudaSuccess;
}

cudaError_t
cudaStreamEndCapture (cudaStream_t stream, cudaGraph_t *graph)
{
  cudaError_t error = called (__func__);

  *graph = stream->graph;
  stream->captures = false;
  stream->graph = NULL;
  return error == cudaSuccess ? gives (stream->spoilt) : error;
}

cudaError_t
cudaGraphInstantiateWithFlags (cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
  cudaError_t error = called (__func__);

  if (error == cudaSuccess && refuses_graphs)
    error = gives (cudaErrorStreamCaptureUnsupported);
  if (error == cudaSuccess)
    *exec = new MtHostGraph (*graph);
  return error;
}

cudaError_t
cudaGraphLaunch (cudaGraphExec_t exec, cudaStream_t stream)
{
  cudaError_t error = called (__func__);

  if (error == cudaSuccess && fail_in_graphs > 0 && --fail_in_graphs == 0)
    {
      mt_host_break ();
      error = gives (sticky);
    }
  if (error != cudaSuccess)
    return error;
  n_graphs++;
  for (Work work : exec->works)
    {
      if (work.event != NULL)
        work.number = work.event->n_recorded;
      stream->queue.push_back (work);
    }
  return cudaSuccess;
}

cudaError_t
cudaGraphDestroy (cudaGraph_t graph)
{
  delete graph;
  return cudaSuccess;
}

cudaError_t
cudaGraphExecDestroy (cudaGraphExec_t exec)
{
  delete exec;
  return cudaSuccess;
}

/* --- the device --- */

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
    return gives (cudaErrorInsufficientDriver);
  if (device_count == 0)
    return gives (cudaErrorNoDevice);
  *n = device_count;
  return called (__func__);
}

static int
capability_of (int device)
{
  auto found = capabilities.find (device);

  return found != capabilities.end () ? found->second : 75;
}

cudaError_t
cudaGetDeviceProperties (cudaDeviceProp *properties, int device)
{
  memset (properties, 0, sizeof *properties);
  snprintf (properties->name, sizeof properties->name, "CUDA on the CPU");
  properties->totalGlobalMem = memory_size;
  properties->major = capability_of (device) / 10;
  properties->minor = capability_of (device) % 10;
  properties->multiProcessorCount = speeds.count (device) > 0 ? speeds[device].first : 1;
  return called (__func__);
}

cudaError_t
cudaDeviceGetAttribute (int *value, cudaDeviceAttr attribute, int device)
{
  *value = speeds.count (device) > 0 ? speeds[device].second : 1000000;
  return called (__func__);
}

cudaError_t
cudaDeviceGetPCIBusId (char *bus, int size, int device)
{
  snprintf (bus, (size_t) size, "0000:%02x:00.0", (unsigned) device);
  return cudaSuccess;
}

cudaError_t
cudaSetDevice (int device)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  if (device < 0 || device >= device_count)
    return gives (cudaErrorInvalidDevice);
  chosen_device = device;
  return cudaSuccess;
}

/* All that lies in the context goes with it, so nothing may be there any more. A fault that was found stays: nothing works
 * after it. */
cudaError_t
cudaDeviceReset (void)
{
  n_resets++;
  if (resets_end != cudaSuccess)
    return gives (resets_end);
  if (mt_host_get_fault () != NULL)
    return gives (sticky);
  sticky = last_error = cudaSuccess;
  if (!on_device.empty () || !streams.empty ())
    mt_host_fault ("the device was reset while it was used");
  return gives (sticky);
}

/* Loads the kernel, as the real one does. */
cudaError_t
cudaFuncGetAttributes (cudaFuncAttributes *attributes, const void *kernel)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  attributes->maxThreadsPerBlock = 256;
  return gives (capability_of (chosen_device) < 75 ? cudaErrorNoKernelImageForDevice : kernels_load);
}

/* --- memory --- */

cudaError_t
cudaMemGetInfo (size_t *free_bytes, size_t *total)
{
  *total = memory_size;
  *free_bytes = memory_size > used ? memory_size - used : 0;
  return called (__func__);
}

/* The size stands before the memory, for who frees it. */
static cudaError_t
take (const char *name, void **memory, size_t n, size_t *count)
{
  cudaError_t error = called (name);
  char *block;

  if (error != cudaSuccess)
    return error;
  if (count == &used && used + n > memory_size)
    return gives (cudaErrorMemoryAllocation);
  block = (char *) malloc (n + 64);
  if (block == NULL)
    return gives (cudaErrorMemoryAllocation);
  memcpy (block, &n, sizeof n);
  memset (block + 64, 0xff, n);
  *count += n;
  *memory = block + 64;
  return cudaSuccess;
}

static void
give_back (void *memory, size_t *count)
{
  size_t n;

  memcpy (&n, (char *) memory - 64, sizeof n);
  *count -= n;
  free ((char *) memory - 64);
}

cudaError_t
cudaMalloc (void **memory, size_t n)
{
  cudaError_t error = take (__func__, memory, n, &used);

  if (error == cudaSuccess)
    {
      on_device[(char *) *memory] = n;
      if (mt_host_watch != NULL)
        mt_host_watch->took ((char *) *memory, n);
    }
  return error;
}

cudaError_t
cudaFree (void *memory)
{
  if (memory == NULL)
    return cudaSuccess;
  if (sticky == cudaSuccess)
    run_all ();

  auto freed = on_device.find ((char *) memory);

  if (freed == on_device.end ())
    {
      mt_host_fault ("what is freed is no memory of the device");
      return gives (sticky);
    }
  parts.erase (parts.lower_bound (freed->first), parts.lower_bound (freed->first + freed->second));
  on_device.erase (freed);
  if (mt_host_watch != NULL)
    mt_host_watch->gave ((char *) memory);
  give_back (memory, &used);
  return gives (sticky);
}

cudaError_t
cudaMallocHost (void **memory, size_t n)
{
  cudaError_t error = take (__func__, memory, n, &used_pinned);

  if (error == cudaSuccess)
    pinned[(char *) *memory] = n;
  return error;
}

cudaError_t
cudaFreeHost (void *memory)
{
  if (memory == NULL)
    return cudaSuccess;
  if (sticky == cudaSuccess)
    run_all ();
  pinned.erase ((char *) memory);
  give_back (memory, &used_pinned);
  return gives (sticky);
}

/* How many bytes there are from here to the end of the allocation; 0: it is in none. */
static size_t
bytes_left (const std::map<const char *, size_t> &all, const void *memory)
{
  auto after = all.upper_bound ((const char *) memory);

  if (after == all.begin ())
    return 0;
  --after;

  size_t at = (size_t) ((const char *) memory - after->first);

  return at < after->second ? after->second - at : 0;
}

static bool
is_pinned (const void *memory)
{
  return bytes_left (pinned, memory) > 0;
}

/* @device has room for @n bytes; @host is not of the device. */
static bool
is_sound (const void *device, const void *host, size_t n)
{
  if (bytes_left (on_device, device) < n)
    mt_host_fault ("a copy leaves the memory of the device");
  else if (host != NULL && bytes_left (on_device, host) > 0)
    mt_host_fault ("a copy goes the other way than it says");
  else if (host != NULL && is_pinned (host) && bytes_left (pinned, host) < n)
    mt_host_fault ("a copy leaves pinned memory");
  else
    return true;
  return false;
}

void
mt_host_name_bytes (const void *part, size_t n, char kind)
{
  parts[(const char *) part] = MtHostPart { (const char *) part, n, kind };
  if (mt_host_watch != NULL)
    mt_host_watch->named (part, n);
}

std::vector<MtHostPart>
mt_host_get_parts (void)
{
  std::vector<MtHostPart> all;

  for (const auto &[memory, n] : on_device)
    {
      auto first = parts.lower_bound (memory), end = parts.lower_bound (memory + n);

      if (first == end)
        all.push_back (MtHostPart { memory, n, ' ' });
      for (; first != end; ++first)
        all.push_back (first->second);
    }
  return all;
}

static void
copy (void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
  memcpy (to, from, n);
  if (kind == cudaMemcpyHostToDevice && mt_host_watch != NULL)
    mt_host_watch->wrote (to, n);
}

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t stream)
{
  cudaError_t error = called (__func__);
  bool is_up = kind == cudaMemcpyHostToDevice;

  if (error != cudaSuccess || n == 0)
    return error;
  if (!is_sound (is_up ? to : from, is_up ? from : to, n))
    return gives (sticky);
  if (spoils (stream, cudaErrorStreamCaptureUnsupported))
    return stream->spoilt;
  if (stream == NULL)
    {
      run_all ();
      copy (to, from, n, kind);
      return gives (sticky);
    }
  if (!is_up && !is_pinned (to))
    {
      error = run_until (stream, NULL, 0);
      if (error == cudaSuccess)
        copy (to, from, n, kind);
      return error;
    }
  if (is_up && !is_pinned (from))
    {
      std::vector<char> taken ((const char *) from, (const char *) from + n);

      stream->queue.push_back (Work { [=] { copy (to, taken.data (), n, kind); }, NULL, 0, false });
    }
  else
    stream->queue.push_back (Work { [=] { copy (to, from, n, kind); }, NULL, 0, false });
  return cudaSuccess;
}

static void
set (void *memory, int value, size_t n)
{
  memset (memory, value, n);
  if (mt_host_watch != NULL)
    mt_host_watch->wrote (memory, n);
}

cudaError_t
cudaMemsetAsync (void *memory, int value, size_t n, cudaStream_t stream)
{
  cudaError_t error = called (__func__);

  if (error != cudaSuccess)
    return error;
  if (!is_sound (memory, NULL, n))
    return gives (sticky);
  if (spoils (stream, cudaErrorStreamCaptureUnsupported))
    return stream->spoilt;
  if (stream != NULL)
    stream->queue.push_back (Work { [=] { set (memory, value, n); }, NULL, 0, false });
  else
    {
      run_all ();
      set (memory, value, n);
    }
  return gives (sticky);
}

/* --- errors --- */

cudaError_t
cudaGetLastError (void)
{
  cudaError_t error = sticky != cudaSuccess ? sticky : last_error;

  last_error = cudaSuccess;
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
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorUnsupportedPtxVersion:
      return "the provided PTX was compiled with an unsupported toolchain.";
    case cudaErrorStreamCaptureIsolation:
      return "dependency created on uncaptured work in another stream";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorLaunchFailure:
    default:
      return mt_host_get_fault () != NULL ? mt_host_get_fault () : "unspecified launch failure";
    }
}
