/* What lies where: one piece of device memory and one of pinned host memory, cut into aligned parts.
 *
 * Either all of a batch fits or it is made smaller: fewer nets first, down to one; where one net and all
 * rows do not fit together, rows come in stages of as many steps as fit, the more the fewer copies. The
 * parts of the shared rows, and of targets that nets share, are there once.
 *          pinned: 16 bytes a parameter for states on their way; staged, the rows, too
 * Size     shared: rows × (code_stride + 4 numeric_stride); a net: 48 bytes a parameter (49 with limits), 4 a cell of π,
 *          12 a training row (which, in what order, and its target unless shared), the working tile and, for AUC,
 *          12 an output and 4 more a validation row
 * Contents are what lay there before, until a kernel or a copy has written them; set_zero() names what no kernel writes
 *          all of. */
#include "mt-gpu-context.h"

#define MAX_STAGE_STEPS 64
/* A part of the validation rows that one block sorts: at least so many, and not more parts than that. */
#ifdef __CUDACC__
#define PART_ROWS 4096
#else
#define PART_ROWS mt_gpu_host_part_rows
#endif
#define MOST_PARTS 64

/* Walks over the parts twice: once to count, once to place them. */
typedef struct {
  char  *base;         /* NULL: count */
  size_t at;
} Cutter;

template <typename T> static void
cut (Cutter *cutter, T **part, size_t n)
{
  *part = cutter->base != NULL ? (T *) (cutter->base + cutter->at) : NULL;
  if (*part != NULL)
    MT_NAME_PART (*part, n * sizeof (T));
  cutter->at += (n * sizeof (T) + 255) / 256 * 256 + MT_PART_GAP;
}

/* @y: with the targets. */
static void
cut_rows (Cutter *cutter, const MtGpuData *data, MtGpuRows *rows, size_t n_rows, bool y)
{
  cut (cutter, (uint8_t **) &rows->codes, n_rows * data->code_stride);
  cut (cutter, (float **) &rows->numeric, n_rows * data->numeric_stride);
  if (y)
    cut (cutter, (float **) &rows->y, n_rows);
}

/* An earlier net with the same targets, or NO_NET. */
static uint32_t
find_shared_y (const MtGpu *self, uint32_t net)
{
  for (uint32_t i = 0; i < net; i++)
    if (self->jobs[i].y == self->jobs[net].y)
      return i;
  return NO_NET;
}

static void
cut_working (Cutter *cutter, MtGpuModel *m)
{
  const MtGpuShape *shape = &m->shape;
  size_t matrix = (size_t) shape->n_blocks * shape->block_size;
  size_t rows = m->train.rows > m->valid.rows ? m->train.rows : m->valid.rows, n_words = rows / 32;

  cut (cutter, &m->pi, matrix);
  cut (cutter, &m->lambda, shape->n_nodes);
  cut (cutter, &m->inputs, (size_t) shape->n_nodes * MT_GPU_MAX_FAN_IN);
  cut (cutter, &m->weights, (size_t) shape->n_nodes * MT_GPU_MAX_FAN_IN);
  cut (cutter, &m->tables, (size_t) shape->n_nodes * MT_GPU_TABLE_WORDS);
  cut (cutter, &m->code_tables, (size_t) shape->n_outputs * shape->n_code_entries);
  cut (cutter, &m->codes, shape->n_groups * rows);
  cut (cutter, &m->planes, (size_t) shape->n_literals * n_words);
  cut (cutter, &m->node_planes, (size_t) shape->n_nodes * n_words);
  cut (cutter, &m->eta, shape->n_outputs * rows);
  cut (cutter, &m->g, shape->n_outputs * rows);
  cut (cutter, &m->losses, m->train.n_loss_blocks > m->valid.n_loss_blocks ? m->train.n_loss_blocks
                                                                         : m->valid.n_loss_blocks);
  cut (cutter, &m->slices, (size_t) m->n_slices * shape->n_outputs * shape->n_literals16);
  cut (cutter, &m->q, (size_t) shape->n_outputs * shape->n_literals16);
  cut (cutter, &m->squares, (size_t) shape->n_nodes + m->n_flat_blocks);
  if (shape->n_hidden == 0)
    return;
  cut (cutter, &m->active, ((size_t) shape->n_nodes << shape->fan_in) * shape->n_hidden);
  cut (cutter, &m->patterns, shape->n_nodes * rows);
  cut (cutter, &m->node_g, shape->n_nodes * rows);
  cut (cutter, &m->extra, matrix);
}

static void
cut_metric (Cutter *cutter, MtGpuModel *m)
{
  size_t n = (size_t) m->shape.n_outputs * m->n_valid;

  for (uint32_t **part : { &m->keys, &m->sorted[0], &m->sorted[1] })
    {
      cut (cutter, part, n);
      if (*part != NULL)
        MT_NAME_KEYS (*part, n * sizeof (uint32_t));
    }
  cut (cutter, &m->truth, m->n_valid);
  cut (cutter, &m->positives, (size_t) m->shape.n_outputs * m->n_parts);
  cut (cutter, &m->pairs, (size_t) m->shape.n_outputs * m->n_parts);
}

static void
cut_net (Cutter *cutter, MtGpu *self, uint32_t net)
{
  MtGpuModel *m = &self->models[net];
  const MtGpuJob *job = &self->jobs[net];
  size_t n_params = m->shape.n_params;
  uint32_t shared = find_shared_y (self, net);

  cut (cutter, (MtGpuGroup **) &m->groups, m->shape.n_groups);
  cut (cutter, (uint8_t **) &m->in_head, m->shape.n_literals);
  m->class_weights = NULL;
  if (job->class_weights != NULL)
    cut (cutter, (float **) &m->class_weights, job->n_classes);
  m->param_limits = NULL;
  if (job->param_limits != NULL)
    cut (cutter, (uint8_t **) &m->param_limits, n_params);
  m->rows = self->rows;
  m->stage_steps = self->stage_steps;
  if (self->stage_steps > 0)
    {
      size_t by_steps = (size_t) self->stage_steps * m->shape.batch;

      m->stage_rows = (uint32_t) (by_steps > m->valid.rows ? by_steps : m->valid.rows);
      for (int s = 0; s < 2; s++)
        cut_rows (cutter, &self->data, &m->stage[s], m->stage_rows, true);
    }
  else
    {
      if (shared != NO_NET)
        m->rows.y = self->models[shared].rows.y;
      else
        cut (cutter, (float **) &m->rows.y, self->data.n_rows);
      cut (cutter, &m->train_rows, m->n_train);
      cut (cutter, &m->order, m->n_train);
      cut (cutter, &m->valid_rows, m->n_valid);
    }
  for (float **part : { &m->params, &m->mean, &m->square, &m->grad, &m->last_params, &m->last_mean,
                        &m->last_square, &m->best })
    cut (cutter, part, n_params);
  cut (cutter, &m->sent, 4 * n_params);
  cut_working (cutter, m);
  m->keys = NULL;
  if (self->measures && job->wants_metric && job->n_valid > 0 && m->shape.task != MT_GPU_REGRESSION)
    cut_metric (cutter, m);
  m->progress = self->progress != NULL ? self->progress + net : NULL;
}

/* The bytes of the first @n_nets nets; with @base, their places. */
static size_t
cut_device (MtGpu *self, uint32_t n_nets, char *base)
{
  Cutter cutter = { base, 0 };

  cut (&cutter, &self->table, (size_t) n_nets + 1);
  cut (&cutter, &self->progress, n_nets);
  self->rows = MtGpuRows {};
  if (self->stage_steps == 0)
    cut_rows (&cutter, &self->data, &self->rows, self->data.n_rows, false);
  for (uint32_t net = 0; net < n_nets; net++)
    cut_net (&cutter, self, net);
  return cutter.at;
}

static size_t
cut_pinned (MtGpu *self, char *base)
{
  Cutter cutter = { base, 0 };

  cut (&cutter, &self->pinned_table, (size_t) self->n_nets + 1);
  cut (&cutter, &self->pinned_progress, self->n_nets);
  for (uint32_t net = 0; net < self->n_nets; net++)
    {
      size_t n = self->models[net].shape.n_params;
      float *all;

      cut (&cutter, &all, 4 * n);
      if (all != NULL)
        self->fetched_of[net] = MtGpuState { all, all + n, all + 2 * n, all + 3 * n };
    }
  for (int s = 0; s < 2 && self->stage_steps > 0; s++)
    for (uint32_t net = 0; net < self->n_nets; net++)
      cut_rows (&cutter, &self->data, &self->staged_of[s][net], self->models[net].stage_rows, true);
  return cutter.at;
}

/* Σ (y - mean)² over the validation rows. */
static double
find_spread (const MtGpuJob *job)
{
  double mean = 0.0, sum = 0.0;

  for (size_t i = 0; i < job->n_valid; i++)
    mean += (double) job->y[job->valid_rows[i]] / (double) job->n_valid;
  for (size_t i = 0; i < job->n_valid; i++)
    sum += ((double) job->y[job->valid_rows[i]] - mean) * ((double) job->y[job->valid_rows[i]] - mean);
  return sum;
}

static MtGpuSize
size_tile (size_t n_rows)
{
  uint32_t rows = (uint32_t) (n_rows > 0 ? (n_rows + 31) / 32 * 32 : 32);

  return MtGpuSize { rows, rows / 32, (rows + BLOCK_THREADS - 1) / BLOCK_THREADS };
}

/* How large a net's working parts are. */
static void
size_net (MtGpu *self, uint32_t net)
{
  MtGpuModel *m = &self->models[net];
  const MtGpuJob *job = &self->jobs[net];
  size_t n_rows = job->shape.batch < job->n_train ? job->shape.batch : job->n_train;
  size_t for_valid = (n_rows + MT_GPU_SLICE - 1) / MT_GPU_SLICE * MT_GPU_SLICE;
  double k = job->shape.fan_in, rest = job->shape.n_literals > k ? job->shape.n_literals - k : 1.0;

  m->shape = job->shape;
  /* The same for any number of nets, staged or not, or the order of sums would change. A tile of validation rows costs
   * four launches, whatever is in it. */
  m->train = size_tile (n_rows);
  m->valid = size_tile (job->n_valid < for_valid ? job->n_valid : for_valid);
  m->n_slices = (m->train.rows + MT_GPU_SLICE - 1) / MT_GPU_SLICE;
  m->tau = (float) job->shape.tau;
  m->inv_tau = (float) (1.0 / job->shape.tau);
  m->log_k = (float) log (k);
  m->log_rest = (float) log (rest);
  m->seed = job->seed;
  m->part_rows = (uint32_t) ((job->n_valid + MOST_PARTS - 1) / MOST_PARTS);
  m->part_rows = m->part_rows > PART_ROWS ? m->part_rows : PART_ROWS;
  m->n_parts = (uint32_t) ((job->n_valid + m->part_rows - 1) / m->part_rows);
  m->n_flat_blocks = (uint32_t) ((m->shape.n_params - m->shape.rule + FLAT_BLOCK - 1) / FLAT_BLOCK);
  m->n_train = (uint32_t) job->n_train;
  m->n_valid = (uint32_t) job->n_valid;
  m->max_epochs = job->max_epochs;
  m->patience = job->patience;
  m->plateau = job->plateau;
  m->spread = job->wants_metric && m->shape.task == MT_GPU_REGRESSION ? find_spread (job) : 0.0;
}

/* How many of the jobs fit, at this number of steps a stage; never more than cut_device() would take. */
static uint32_t
count_fitting (MtGpu *self, uint32_t n_jobs, size_t budget)
{
  Cutter cutter = { NULL, cut_device (self, 0, NULL) };
  MtGpuModel *table;
  MtGpuProgress *progress;
  uint32_t n = 0;

  cut (&cutter, &table, n_jobs);
  cut (&cutter, &progress, n_jobs);

  while (n < n_jobs && cutter.at <= budget)
    {
      cut_net (&cutter, self, n);
      n += cutter.at <= budget;
    }
  return n;
}

static bool
fit_with (MtGpu *self, uint32_t n_jobs, size_t budget, uint32_t stage_steps, bool measures)
{
  self->stage_steps = stage_steps;
  self->measures = measures;
  self->n_nets = count_fitting (self, n_jobs, budget);
  return self->n_nets > 0;
}

/* As many nets as @budget allows, all rows on the device if that is possible with one at least; a metric is
 * given up before that. */
static bool
fit (MtGpu *self, uint32_t n_jobs, size_t budget)
{
  if (fit_with (self, n_jobs, budget, 0, true) || fit_with (self, n_jobs, budget, 0, false))
    return true;
  for (uint32_t steps = MAX_STAGE_STEPS; steps > 0; steps /= 2)
    if (fit_with (self, n_jobs, budget, steps, true) || fit_with (self, n_jobs, budget, steps, false))
      return true;
  return false;
}

/* Both pieces, or none. */
static cudaError_t
take_memory (MtGpu *self, MtGpuFailure *failure)
{
  const char *doing = "reserving memory for rows and parameters";
  cudaError_t error = cudaMalloc ((void **) &self->memory, self->n_bytes);

  if (error != cudaSuccess)
    self->memory = NULL;
  else
    {
      doing = "reserving pinned memory";
      error = cudaMallocHost ((void **) &self->pinned, cut_pinned (self, NULL));
      if (error != cudaSuccess)
        {
          cudaFree (self->memory);
          self->memory = self->pinned = NULL;
        }
    }
  if (error != cudaSuccess)
    fail (failure, MT_GPU_LOST, doing, error);
  return error;
}

/* A device, or the host, may be fuller than it says: then fewer nets, in the end stages. */
static MtGpuStatus
reserve (MtGpu *self, uint32_t n_jobs, size_t budget, MtGpuFailure *failure)
{
  for (;;)
    {
      cudaError_t error;

      if (!fit (self, n_jobs, budget))
        {
          snprintf (failure->message, sizeof failure->message, "one net needs more than the %.1f MB to be used",
                    (double) budget / 1e6);
          return MT_GPU_OUT_OF_MEMORY;
        }
      self->n_bytes = cut_device (self, self->n_nets, NULL);
      error = take_memory (self, failure);
      if (error == cudaSuccess)
        break;
      if (error != cudaErrorMemoryAllocation || (self->n_nets == 1 && self->stage_steps == 1))
        return error == cudaErrorMemoryAllocation ? MT_GPU_OUT_OF_MEMORY : MT_GPU_LOST;
      cudaGetLastError ();
      n_jobs = self->n_nets > 1 ? self->n_nets / 2 : 1;
      budget = self->n_bytes - 1;
    }
  cut_device (self, self->n_nets, self->memory);
  cut_pinned (self, self->pinned);
  return MT_GPU_OK;
}
