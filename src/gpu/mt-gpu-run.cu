/* The module's host side: memory, uploads, the launches of a step, and what went wrong.
 *
 * Everything a model needs is one allocation, cut into aligned parts, so that it either fits the
 * device or does not. A step is twelve launches (deep: fourteen) on one stream, with the same arguments
 * every time; nothing is read back before the end of the epoch. */
#include "mt-gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads of a block; the shim runs fewer, because each is a fiber. */
#ifdef __CUDACC__
#define BLOCK_THREADS 128
#else
#define BLOCK_THREADS mt_gpu_host_threads
#endif

struct _MtGpu {
  cudaStream_t   stream;
  MtGpuModel     model;          /* the host's copy */
  MtGpuModel    *device_model;
  char          *memory;         /* all of the above and below */
  uint32_t      *order;
  size_t         max_order;
};

static MtGpuStatus
fail (MtGpuFailure *failure, MtGpuStatus status, const char *doing, cudaError_t error)
{
  snprintf (failure->message, sizeof failure->message, "%s: %s", doing, cudaGetErrorString (error));
  return error == cudaErrorMemoryAllocation ? MT_GPU_OUT_OF_MEMORY : status;
}

#define TRY(doing, call) \
  do \
    { \
      cudaError_t error_ = (call); \
      if (error_ != cudaSuccess) \
        return fail (failure, MT_GPU_LOST, doing, error_); \
    } \
  while (0)

/* --- probing --- */

static MtGpuStatus
gpu_probe (MtGpuDevice *devices, int *n_devices, MtGpuFailure *failure)
{
  int driver = 0, runtime = 0, n = 0;
  cudaError_t error;

  *n_devices = 0;
  failure->message[0] = '\0';
  TRY ("asking for the driver", cudaDriverGetVersion (&driver));
  TRY ("asking for the runtime", cudaRuntimeGetVersion (&runtime));
  if (driver == 0)
    {
      snprintf (failure->message, sizeof failure->message, "no NVIDIA driver is installed");
      return MT_GPU_NO_DRIVER;
    }
  /* A driver serves every runtime of its major version. */
  if (driver / 1000 < runtime / 1000)
    {
      snprintf (failure->message, sizeof failure->message,
                "the NVIDIA driver knows CUDA %d.%d; this module needs %d.0", driver / 1000,
                driver % 1000 / 10, runtime / 1000);
      return MT_GPU_OLD_DRIVER;
    }
  error = cudaGetDeviceCount (&n);
  if (error != cudaSuccess || n == 0)
    {
      cudaGetLastError ();
      snprintf (failure->message, sizeof failure->message, "the driver found no device (%s)",
                cudaGetErrorString (error));
      return MT_GPU_NO_DEVICE;
    }
  for (int i = 0; i < n && i < MT_GPU_MAX_DEVICES; i++)
    {
      cudaDeviceProp properties;
      size_t free_bytes = 0, total = 0;

      TRY ("asking for a device", cudaGetDeviceProperties (&properties, i));
      TRY ("choosing a device", cudaSetDevice (i));
      TRY ("asking for its memory", cudaMemGetInfo (&free_bytes, &total));
      snprintf (devices[i].name, sizeof devices[i].name, "%s", properties.name);
      devices[i].major = properties.major;
      devices[i].minor = properties.minor;
      devices[i].n_processors = properties.multiProcessorCount;
      devices[i].memory = total;
      devices[i].free = free_bytes;
    }
  /* Training takes the first, and a thread in the middle of one may have asked. */
  TRY ("choosing the first device", cudaSetDevice (0));
  *n_devices = n;
  return MT_GPU_OK;
}

/* --- memory --- */

/* Walks over the parts twice: once to count, once to place them. */
typedef struct {
  char  *base;         /* NULL: count */
  size_t at;
} Cutter;

template <typename T> static void
cut (Cutter *cutter, T **part, size_t n)
{
  *part = cutter->base != NULL ? (T *) (cutter->base + cutter->at) : NULL;
  cutter->at += (n * sizeof (T) + 255) / 256 * 256;
}

static void
cut_rows (Cutter *cutter, MtGpuRows *rows, const MtGpuRows *from, const MtGpuShape *shape)
{
  rows->n_rows = from->n_rows;
  cut (cutter, (uint8_t **) &rows->codes, from->n_rows * shape->code_stride);
  cut (cutter, (float **) &rows->numeric, from->n_rows * shape->numeric_stride);
  cut (cutter, (float **) &rows->y, from->n_rows);
}

static size_t
cut_all (MtGpu *self, const MtGpuJob *job, char *base)
{
  MtGpuModel *m = &self->model;
  const MtGpuShape *shape = &m->shape;
  size_t matrix = (size_t) shape->n_blocks * shape->block_size, rows = m->tile_rows;
  Cutter cutter = { base, 0 };

  cut (&cutter, &self->device_model, 1);
  cut (&cutter, &self->order, self->max_order);
  cut (&cutter, (MtGpuGroup **) &m->groups, shape->n_groups);
  cut (&cutter, (uint8_t **) &m->in_head, shape->n_literals);
  cut (&cutter, (float **) &m->class_weights, job->n_classes);
  if (job->class_weights == NULL)
    m->class_weights = NULL;
  cut_rows (&cutter, &m->rows[0], &job->train, shape);
  cut_rows (&cutter, &m->rows[1], &job->valid, shape);
  cut (&cutter, &m->params, shape->n_params);
  cut (&cutter, &m->mean, shape->n_params);
  cut (&cutter, &m->square, shape->n_params);
  cut (&cutter, &m->grad, shape->n_params);
  cut (&cutter, &m->pi, matrix);
  cut (&cutter, &m->lambda, shape->n_nodes);
  cut (&cutter, &m->inputs, (size_t) shape->n_nodes * MT_GPU_MAX_FAN_IN);
  cut (&cutter, &m->weights, (size_t) shape->n_nodes * MT_GPU_MAX_FAN_IN);
  cut (&cutter, &m->tables, (size_t) shape->n_nodes * MT_GPU_TABLE_WORDS);
  cut (&cutter, &m->code_tables, (size_t) shape->n_outputs * shape->n_code_entries);
  cut (&cutter, &m->codes, shape->n_groups * rows);
  cut (&cutter, &m->planes, (size_t) shape->n_literals * m->n_words);
  cut (&cutter, &m->node_planes, (size_t) shape->n_nodes * m->n_words);
  cut (&cutter, &m->eta, shape->n_outputs * rows);
  cut (&cutter, &m->g, shape->n_outputs * rows);
  cut (&cutter, &m->losses, m->n_loss_blocks);
  cut (&cutter, &m->slices, rows / MT_GPU_SLICE * shape->n_outputs * shape->n_literals16);
  cut (&cutter, &m->q, (size_t) shape->n_outputs * shape->n_literals16);
  cut (&cutter, &m->squares, (size_t) shape->n_nodes + m->n_flat_blocks);
  cut (&cutter, &m->progress, 1);
  if (shape->n_hidden > 0)
    {
      cut (&cutter, &m->active, ((size_t) shape->n_nodes << shape->fan_in) * shape->n_hidden);
      cut (&cutter, &m->patterns, shape->n_nodes * rows);
      cut (&cutter, &m->node_g, shape->n_nodes * rows);
      cut (&cutter, &m->extra, matrix);
    }
  m->order = self->order;
  return cutter.at;
}

static MtGpuStatus
upload (MtGpu *self, const void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (n > 0)
    TRY ("copying to the device", cudaMemcpyAsync ((void *) to, from, n, cudaMemcpyHostToDevice, self->stream));
  return MT_GPU_OK;
}

static MtGpuStatus
upload_rows (MtGpu *self, const MtGpuRows *to, const MtGpuRows *from, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->model.shape;
  MtGpuStatus status;

  status = upload (self, to->codes, from->codes, from->n_rows * shape->code_stride, failure);
  if (status == MT_GPU_OK)
    status = upload (self, to->numeric, from->numeric, from->n_rows * shape->numeric_stride * sizeof (float),
                     failure);
  if (status == MT_GPU_OK)
    status = upload (self, to->y, from->y, from->n_rows * sizeof (float), failure);
  return status;
}

/* --- launches --- */

static dim3
grid (size_t n, size_t a_block)
{
  return dim3 ((unsigned) ((n + a_block - 1) / a_block), 1, 1);
}

/* What follows from the parameters. */
static MtGpuStatus
prepare (MtGpu *self, int cold, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->model.shape;
  size_t choose = mt_gpu_choose_shared (shape->n_literals);
  int shared_scores = choose > CHOOSE_FIXED;
  const MtGpuModel *models = self->device_model;

  MT_LAUNCH (mt_gpu_choose_kernel, dim3 (shape->n_nodes), dim3 (BLOCK_THREADS), choose, self->stream, models,
             cold, shared_scores);
  if (shape->fan_in <= MT_GPU_TABLE_INPUTS)
    MT_LAUNCH (mt_gpu_tables_kernel, dim3 (shape->n_nodes), dim3 (BLOCK_THREADS), 0, self->stream, models);
  MT_LAUNCH (mt_gpu_codes_kernel, grid ((size_t) shape->n_outputs * shape->n_groups, BLOCK_THREADS),
             dim3 (BLOCK_THREADS), 0, self->stream, models);
  TRY ("choosing inputs", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
forward (MtGpu *self, uint32_t number, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->model.shape;
  const MtGpuModel *m = &self->model, *models = self->device_model;

  MT_LAUNCH (mt_gpu_planes_kernel, grid (m->n_words, BLOCK_THREADS / 32), dim3 (BLOCK_THREADS), 0, self->stream,
             models, number);
  MT_LAUNCH (mt_gpu_nodes_kernel, grid ((size_t) shape->n_nodes * m->n_words, BLOCK_THREADS),
             dim3 (BLOCK_THREADS), 0, self->stream, models, number);
  MT_LAUNCH (mt_gpu_head_kernel, dim3 (m->n_loss_blocks), dim3 (BLOCK_THREADS), 32 * sizeof (double), self->stream,
             models, number);
  TRY ("scoring rows", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
backward (MtGpu *self, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->model.shape;
  const MtGpuModel *m = &self->model, *models = self->device_model;
  unsigned n_slices = m->tile_rows / MT_GPU_SLICE;

  MT_LAUNCH (mt_gpu_histogram_kernel, dim3 (shape->n_groups * n_slices, 1, shape->n_outputs), dim3 (BLOCK_THREADS),
             mt_gpu_histogram_shared (), self->stream, models);
  MT_LAUNCH (mt_gpu_reduce_kernel, grid ((size_t) shape->n_outputs * shape->n_literals, BLOCK_THREADS),
             dim3 (BLOCK_THREADS), 0, self->stream, models);
  MT_LAUNCH (mt_gpu_columns_kernel, dim3 (shape->n_nodes + shape->n_numeric + 1, 1, shape->n_outputs),
             dim3 (BLOCK_THREADS), 32 * sizeof (float), self->stream, models);
  if (shape->n_hidden > 0)
    {
      MT_LAUNCH (mt_gpu_patterns_kernel, grid ((size_t) shape->n_nodes * m->tile_rows, BLOCK_THREADS),
                 dim3 (BLOCK_THREADS), 0, self->stream, models);
      MT_LAUNCH (mt_gpu_deep_kernel, dim3 (shape->n_literals + 1, 1, shape->n_nodes), dim3 (BLOCK_THREADS),
                 mt_gpu_deep_shared (shape->fan_in), self->stream, models);
    }
  MT_LAUNCH (mt_gpu_gradients_kernel, dim3 (shape->n_nodes + m->n_flat_blocks), dim3 (BLOCK_THREADS),
             96 * sizeof (double), self->stream, models);
  TRY ("adding up gradients", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_run_steps (MtGpu *self, uint32_t n_steps, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->model.shape;
  const MtGpuModel *models = self->device_model;

  for (uint32_t i = 0; i < n_steps; i++)
    {
      MtGpuStatus status = forward (self, MT_GPU_TRAIN, failure);

      if (status == MT_GPU_OK)
        status = backward (self, failure);
      if (status != MT_GPU_OK)
        return status;
      MT_LAUNCH (mt_gpu_norm_kernel, dim3 (1), dim3 (BLOCK_THREADS), 32 * sizeof (double), self->stream, models);
      MT_LAUNCH (mt_gpu_adam_kernel, grid (shape->n_params, BLOCK_THREADS), dim3 (BLOCK_THREADS), 0, self->stream,
                 models);
      TRY ("changing parameters", cudaGetLastError ());
      status = prepare (self, 0, failure);
      if (status != MT_GPU_OK)
        return status;
    }
  return MT_GPU_OK;
}

/* --- the table --- */

static void
gpu_close (MtGpu *self)
{
  if (self == NULL)
    return;
  cudaFree (self->memory);
  if (self->stream != NULL)
    cudaStreamDestroy (self->stream);
  free (self);
}

static MtGpuStatus
gpu_wait (MtGpu *self, MtGpuFailure *failure)
{
  TRY ("waiting for the device", cudaStreamSynchronize (self->stream));
  return MT_GPU_OK;
}

static MtGpuStatus
open_parts (MtGpu *self, const MtGpuJob *job, MtGpuFailure *failure)
{
  MtGpuModel *m = &self->model;
  const MtGpuShape *shape = &m->shape;
  MtGpuProgress progress = {};
  size_t n_rows, n_bytes;
  MtGpuStatus status;

  m->shape = job->shape;
  self->max_order = job->train.n_rows;
  n_rows = shape->batch < job->train.n_rows ? shape->batch : job->train.n_rows;
  m->tile_rows = (uint32_t) ((n_rows + MT_GPU_SLICE - 1) / MT_GPU_SLICE * MT_GPU_SLICE);
  m->n_words = m->tile_rows / 32;
  m->n_loss_blocks = (m->tile_rows + BLOCK_THREADS - 1) / BLOCK_THREADS;
  m->n_flat_blocks = (uint32_t) ((shape->n_params - shape->rule + FLAT_BLOCK - 1) / FLAT_BLOCK);
  n_bytes = cut_all (self, job, NULL);
  TRY ("choosing the device", cudaSetDevice (0));
  TRY ("making a stream", cudaStreamCreate (&self->stream));
  TRY ("reserving memory for rows and parameters", cudaMalloc ((void **) &self->memory, n_bytes));
  /* What no kernel writes, the padding above all, is zero. */
  TRY ("clearing memory", cudaMemsetAsync (self->memory, 0, n_bytes, self->stream));
  cut_all (self, job, self->memory);
  status = upload (self, m->groups, job->groups, shape->n_groups * sizeof (MtGpuGroup), failure);
  if (status == MT_GPU_OK)
    status = upload (self, m->in_head, job->in_head, shape->n_literals, failure);
  if (status == MT_GPU_OK && job->class_weights != NULL)
    status = upload (self, m->class_weights, job->class_weights, job->n_classes * sizeof (float), failure);
  if (status == MT_GPU_OK)
    status = upload_rows (self, &m->rows[0], &job->train, failure);
  if (status == MT_GPU_OK)
    status = upload_rows (self, &m->rows[1], &job->valid, failure);
  if (status == MT_GPU_OK)
    status = upload (self, m->params, job->params, shape->n_params * sizeof (float), failure);
  if (status == MT_GPU_OK)
    status = upload (self, m->progress, &progress, sizeof progress, failure);
  if (status == MT_GPU_OK)
    status = upload (self, self->device_model, m, sizeof *m, failure);
  if (status == MT_GPU_OK)
    status = prepare (self, 1, failure);
  return status == MT_GPU_OK ? gpu_wait (self, failure) : status;
}

static MtGpuStatus
gpu_open (const MtGpuJob *job, MtGpu **gpu, MtGpuFailure *failure)
{
  MtGpu *self = (MtGpu *) calloc (1, sizeof (MtGpu));
  MtGpuStatus status;

  *gpu = NULL;
  if (self == NULL)
    {
      snprintf (failure->message, sizeof failure->message, "out of memory");
      return MT_GPU_OUT_OF_MEMORY;
    }
  status = open_parts (self, job, failure);
  if (status != MT_GPU_OK)
    {
      gpu_close (self);
      return status;
    }
  *gpu = self;
  return MT_GPU_OK;
}

static MtGpuStatus
read_progress (MtGpu *self, MtGpuProgress *progress, MtGpuFailure *failure)
{
  TRY ("reading the epoch", cudaMemcpyAsync (progress, self->model.progress, sizeof *progress,
                                             cudaMemcpyDeviceToHost, self->stream));
  return gpu_wait (self, failure);
}

static MtGpuStatus
gpu_begin_epoch (MtGpu *self, const uint32_t *order, size_t n_rows, double learning_rate, MtGpuFailure *failure)
{
  MtGpuProgress progress;
  MtGpuStatus status = read_progress (self, &progress, failure);

  if (status != MT_GPU_OK)
    return status;
  progress.step = progress.failed = progress.stepped = 0;
  progress.n_rows = 0;
  progress.loss = 0.0;
  progress.n_order = (uint32_t) n_rows;
  progress.learning_rate = (float) learning_rate;
  status = upload (self, self->order, order, n_rows * sizeof (uint32_t), failure);
  if (status == MT_GPU_OK)
    status = upload (self, self->model.progress, &progress, sizeof progress, failure);
  if (status == MT_GPU_OK)
    status = prepare (self, 1, failure);
  /* The progress lies on this function's stack. */
  return status == MT_GPU_OK ? gpu_wait (self, failure) : status;
}

static MtGpuStatus
gpu_end_epoch (MtGpu *self, MtGpuEpoch *epoch, MtGpuFailure *failure)
{
  MtGpuProgress progress;
  MtGpuStatus status = read_progress (self, &progress, failure);

  if (status != MT_GPU_OK)
    return status;
  epoch->loss = progress.loss;
  epoch->n_rows = progress.n_rows;
  epoch->n_steps = progress.step;
  if (progress.failed)
    {
      snprintf (failure->message, sizeof failure->message, "%llu", (unsigned long long) progress.n_steps + 1);
      return MT_GPU_NUMERIC;
    }
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_evaluate (MtGpu *self, double *loss, float *scores, MtGpuFailure *failure)
{
  const MtGpuModel *m = &self->model;
  size_t n_rows = m->rows[1].n_rows;
  double *losses = (double *) malloc (m->n_loss_blocks * sizeof (double));
  MtGpuStatus status = losses != NULL ? MT_GPU_OK : MT_GPU_OUT_OF_MEMORY;

  *loss = 0.0;
  snprintf (failure->message, sizeof failure->message, "out of memory");
  for (size_t first = 0; first < n_rows && status == MT_GPU_OK; first += m->tile_rows)
    {
      size_t n = n_rows - first < m->tile_rows ? n_rows - first : m->tile_rows;
      cudaError_t error = cudaSuccess;

      status = forward (self, (uint32_t) (first / m->tile_rows), failure);
      if (status != MT_GPU_OK)
        break;
      for (uint32_t c = 0; scores != NULL && c < m->shape.n_outputs && error == cudaSuccess; c++)
        error = cudaMemcpyAsync (scores + c * n_rows + first, m->eta + (size_t) c * m->tile_rows,
                                 n * sizeof (float), cudaMemcpyDeviceToHost, self->stream);
      if (error == cudaSuccess)
        error = cudaMemcpyAsync (losses, m->losses, m->n_loss_blocks * sizeof (double), cudaMemcpyDeviceToHost,
                                 self->stream);
      if (error == cudaSuccess)
        error = cudaStreamSynchronize (self->stream);
      if (error != cudaSuccess)
        status = fail (failure, MT_GPU_LOST, "reading scores", error);
      for (uint32_t b = 0; b < m->n_loss_blocks && status == MT_GPU_OK; b++)
        *loss += losses[b];
    }
  free (losses);
  return status;
}

static MtGpuStatus
download (MtGpu *self, float *to, const float *from, MtGpuFailure *failure)
{
  if (to != NULL)
    TRY ("reading parameters", cudaMemcpyAsync (to, from, self->model.shape.n_params * sizeof (float),
                                                cudaMemcpyDeviceToHost, self->stream));
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_read (MtGpu *self, float *params, float *mean, float *square, uint64_t *n_steps, MtGpuFailure *failure)
{
  MtGpuProgress progress;
  MtGpuStatus status = download (self, params, self->model.params, failure);

  if (status == MT_GPU_OK)
    status = download (self, mean, self->model.mean, failure);
  if (status == MT_GPU_OK)
    status = download (self, square, self->model.square, failure);
  if (status == MT_GPU_OK)
    status = read_progress (self, &progress, failure);
  if (status == MT_GPU_OK)
    *n_steps = progress.n_steps;
  return status;
}

static MtGpuStatus
gpu_write (MtGpu *self, const float *params, const float *mean, const float *square, uint64_t n_steps,
           MtGpuFailure *failure)
{
  size_t n = self->model.shape.n_params * sizeof (float);
  MtGpuProgress progress = {};
  MtGpuStatus status = upload (self, self->model.params, params, n, failure);

  progress.n_steps = n_steps;
  if (status == MT_GPU_OK)
    status = upload (self, self->model.mean, mean, n, failure);
  if (status == MT_GPU_OK)
    status = upload (self, self->model.square, square, n, failure);
  if (status == MT_GPU_OK)
    status = upload (self, self->model.progress, &progress, sizeof progress, failure);
  if (status == MT_GPU_OK)
    status = prepare (self, 1, failure);
  return status == MT_GPU_OK ? gpu_wait (self, failure) : status;
}

static MtGpuStatus
gpu_read_gradient (MtGpu *self, float *gradient, MtGpuFailure *failure)
{
  MtGpuStatus status = download (self, gradient, self->model.grad, failure);

  return status == MT_GPU_OK ? gpu_wait (self, failure) : status;
}

static const MtGpuApi mt_gpu_api = {
  MT_GPU_API_VERSION,
#ifdef __CUDACC__
  "cuda",
#else
  "cuda-on-host",
#endif
  gpu_probe,
  gpu_open,
  gpu_begin_epoch,
  gpu_run_steps,
  gpu_wait,
  gpu_end_epoch,
  gpu_evaluate,
  gpu_read,
  gpu_write,
  gpu_read_gradient,
  gpu_close,
};

extern "C" __attribute__ ((visibility ("default"))) const MtGpuApi *
mt_gpu_module_get (uint32_t version)
{
  return version == MT_GPU_API_VERSION ? &mt_gpu_api : NULL;
}
