/* Training on the CPU.
 *
 * The straight-through gradient is the identity, so the gradient in z is the head's:
 * ∂L/∂z_j = Σ_c g_c w_cj with g = ∂L/∂η. Therefore XᵀG, the one large product of the
 * backward pass (literals × rows × nodes), is (Xᵀg) w: C sums a literal instead of M, and
 * Xᵀg is what the head's own literals need anyway. A step then costs
 *   rows × literals / 16 masked additions (Xᵀg from bit planes; by code where that is less)
 *   rows × nodes     bits through the truth tables, 512 rows at a time
 *   literals × nodes soft choice, its gradient, AdamW
 *
 * A step is three rounds of the pool:
 *   1 chunks of 512 rows: gather codes → bits → nodes → scores → g → sums, each into its own slot
 *   2 blocks of 16 nodes: gradients (after the slots were added up in order)
 *   3 blocks of 16 nodes: AdamW, then next step's choice of inputs and truth tables
 * Tasks write only to their own slots and slots are reduced in order, so the result does
 * not depend on the number of threads.
 *
 * Rows are kept row-major (a byte a group, a float a number), because a shuffled batch
 * takes rows from everywhere: one or two cache lines a row. */
#include "config.h"
#include "mt-backend-private.h"

#include <math.h>
#include <string.h>

#include "mt-error.h"
#include "mt-parallel.h"

typedef struct {
  gsize     n_rows;
  guint8   *codes;         /* n_rows × code_stride */
  float    *numeric;       /* n_rows × n_numeric8 */
  float    *y;
} Rows;

/* What one chunk of rows adds to the gradients. */
typedef struct {
  double    loss;
  float    *literal;       /* n_outputs × n_literals16: Xᵀg */
  float    *rule;          /* n_outputs × n_nodes16: yᵀg */
  float    *numeric;       /* n_outputs × n_numeric16 */
  float    *bias;          /* n_outputs */
} Slot;

typedef struct {
  guint8   *codes;         /* n_groups16 × 512 */
  guint64  *bits;          /* (n_literals + n_nodes) × 512 bits: literals, then nodes */
  float    *eta, *g;       /* n_outputs × 512 */
  float    *g_rows;        /* 512 × g_width, when sums go by code */
  float    *sums;          /* codes of one group × g_width */
  float    *y, *weight;    /* 512 */
  guint     n_rows;
} Scratch;

/* Deep nodes: what a thread needs to add up rows by (assignment, code). */
typedef struct {
  float    *counts;        /* 2^k × codes of a group */
  float    *by_literal;    /* 2^k × n_literals */
  float    *row;           /* n_hidden */
  double   *z;             /* 2^k */
} DeepScratch;

typedef struct {
  MtNet              *net;               /* own copy; its params are what is trained */
  const MtNetLayout  *layout;
  const MtNetShape   *shape;
  const MtKernels    *kernels;
  const MtTopkOps    *topk;
  MtPool             *pool;
  MtGroup            *groups;
  guint               n_groups;
  gsize               code_stride;
  Rows                train, valid;
  float              *class_weights;
  guint               batch;
  MtAdam              adam;
  float               clip;
  float               map_scale;         /* 1, or τ to take the factor 1/τ back out */
  guint64             n_steps;

  gboolean            by_code;           /* Xᵀg by code rather than by bit plane */
  guint               g_width;

  float              *mean, *square, *grad;
  float              *pi;                /* n_blocks × n_literals × 16 */
  float              *extra;             /* deep: the same shape */
  double             *choice;            /* n_nodes16: state of the soft choice */
  double             *squares;           /* a block: sum of squared gradients */
  MtNetNode          *nodes;             /* n_nodes16 */
  guint64            *tables;            /* n_nodes16 × 4 */
  float              *code_tables;       /* n_outputs × n_code_entries: head weight by code */
  gsize               n_code_entries;
  gsize              *code_offsets;      /* a group; G_MAXSIZE when none of its literals is in the head */
  float              *activations;       /* deep: n_nodes × 2^k × n_hidden */

  guint               n_slots;
  Slot               *slots;
  float              *slot_memory;
  gsize               slot_size;
  guint               n_scratch;
  Scratch            *scratch;
  guint               n_deep_scratch;
  DeepScratch        *deep_scratch;

  /* the running step */
  const Rows         *rows;
  const guint32      *order;
  gsize               n_step_rows;
  float              *scores;            /* evaluation only */
  gsize               n_scores;
  gboolean            backward;
  gboolean            keep_chunks;       /* scratch belongs to chunks, not to workers */
} Cpu;

/* --- opening --- */

static void
rows_init (Rows               *rows,
           const Cpu          *self,
           const MtBackendJob *job,
           const guint32      *which,
           gsize               n)
{
  gsize stride = self->layout->n_numeric8;

  rows->n_rows = n;
  rows->codes = mt_aligned_new0 (n * self->code_stride);
  rows->numeric = mt_aligned_new0 (n * stride * sizeof (float));
  rows->y = mt_aligned_new0 (n * sizeof (float));
  for (gsize r = 0; r < n; r++)
    rows->y[r] = job->y[which[r]];
  /* A few rows at a time, so that the strided writes stay in the cache. */
  for (gsize from = 0; from < n; from += 256)
    {
      gsize to = MIN (from + 256, n);

      for (guint g = 0; g < self->n_groups; g++)
        {
          const guint8 *codes = mt_encoded_get_codes (job->encoded, g);

          for (gsize r = from; r < to; r++)
            rows->codes[r * self->code_stride + g] = codes[which[r]];
        }
      for (guint u = 0; u < self->shape->n_numeric; u++)
        {
          const double *x = mt_encoded_get_numeric (job->encoded, u);

          for (gsize r = from; r < to; r++)
            rows->numeric[r * stride + u] = (float) x[which[r]];
        }
    }
}

static void
rows_clear (Rows *rows)
{
  mt_aligned_free (rows->codes);
  mt_aligned_free (rows->numeric);
  mt_aligned_free (rows->y);
}

/* Costs measured on one core, in units of one masked addition of 16 floats. */
static gboolean
sums_by_code_pay (const Cpu *self)
{
  double c = self->shape->n_outputs;
  double by_plane = c * self->shape->n_literals * (MT_CHUNK / 16) * 1.25;
  double by_code = self->n_groups * (double) MT_CHUNK * (c == 1.0 ? 1.5 : 1.0 + 1.2 * ceil (c / 8.0));

  return by_code < by_plane;
}

static void
scratch_init (Scratch   *scratch,
              const Cpu *self)
{
  gsize c = self->shape->n_outputs;

  scratch->codes = mt_aligned_new0 (self->code_stride * MT_CHUNK);
  scratch->bits = mt_aligned_new0 ((self->shape->n_literals + self->layout->n_nodes16) * (MT_CHUNK / 8));
  scratch->eta = mt_aligned_new0 (c * MT_CHUNK * sizeof (float));
  scratch->g = mt_aligned_new0 (c * MT_CHUNK * sizeof (float));
  scratch->y = mt_aligned_new0 (MT_CHUNK * sizeof (float));
  scratch->weight = mt_aligned_new0 (MT_CHUNK * sizeof (float));
  if (self->by_code)
    {
      scratch->g_rows = mt_aligned_new0 (MT_CHUNK * self->g_width * sizeof (float));
      scratch->sums = mt_aligned_new0 (256 * self->g_width * sizeof (float));
    }
}

static void
scratch_clear (Scratch *scratch)
{
  mt_aligned_free (scratch->codes);
  mt_aligned_free (scratch->bits);
  mt_aligned_free (scratch->eta);
  mt_aligned_free (scratch->g);
  mt_aligned_free (scratch->g_rows);
  mt_aligned_free (scratch->sums);
  mt_aligned_free (scratch->y);
  mt_aligned_free (scratch->weight);
}

static void prepare_nodes (Cpu *self);

static gboolean
cpu_probe (GError **error)
{
  return TRUE;
}

static void
cpu_close (gpointer context)
{
  Cpu *self = context;

  rows_clear (&self->train);
  rows_clear (&self->valid);
  for (guint i = 0; i < self->n_scratch; i++)
    scratch_clear (&self->scratch[i]);
  for (guint i = 0; i < self->n_deep_scratch; i++)
    {
      mt_aligned_free (self->deep_scratch[i].counts);
      mt_aligned_free (self->deep_scratch[i].by_literal);
      mt_aligned_free (self->deep_scratch[i].row);
      mt_aligned_free (self->deep_scratch[i].z);
    }
  g_free (self->scratch);
  g_free (self->deep_scratch);
  g_free (self->slots);
  mt_aligned_free (self->slot_memory);
  mt_aligned_free (self->mean);
  mt_aligned_free (self->square);
  mt_aligned_free (self->grad);
  mt_aligned_free (self->pi);
  mt_aligned_free (self->extra);
  mt_aligned_free (self->choice);
  mt_aligned_free (self->tables);
  mt_aligned_free (self->code_tables);
  mt_aligned_free (self->activations);
  g_free (self->squares);
  g_free (self->nodes);
  g_free (self->code_offsets);
  g_free (self->class_weights);
  g_free (self->groups);
  mt_pool_free (self->pool);
  mt_net_unref (self->net);
  g_free (self);
}

static gpointer
cpu_open (const MtBackendJob *job,
          GError            **error)
{
  Cpu *self = g_new0 (Cpu, 1);
  gsize matrix, c, n_patterns;
  guint n_classes, n_workers;

  self->net = mt_net_copy (job->net);
  self->layout = &self->net->layout;
  self->shape = &self->net->shape;
  self->kernels = mt_kernels_get ();
  self->topk = job->topk;
  self->pool = mt_pool_new (job->n_threads);
  n_workers = mt_pool_get_n_threads (self->pool);
  self->n_groups = mt_encoded_get_n_groups (job->encoded);
  self->groups = g_memdup2 (mt_encoded_get_groups (job->encoded), self->n_groups * sizeof (MtGroup));
  self->code_stride = mt_pad16 (MAX (self->n_groups, 1));
  rows_init (&self->train, self, job, job->train_rows, job->n_train);
  rows_init (&self->valid, self, job, job->valid_rows, job->n_valid);
  n_classes = self->shape->task == MT_TASK_MULTICLASS ? self->shape->n_outputs : 2;
  if (job->class_weights != NULL)
    self->class_weights = g_memdup2 (job->class_weights, n_classes * sizeof (float));
  self->batch = job->batch;
  self->adam = (MtAdam) { .weight_decay = job->weight_decay, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f };
  self->clip = job->clip;
  self->map_scale = job->divide_by_tau ? 1.0f : (float) self->net->temperature;

  c = self->shape->n_outputs;
  self->by_code = sums_by_code_pay (self);
  self->g_width = c == 1 ? 1 : (guint) mt_pad8 (c);

  matrix = self->layout->n_blocks * self->layout->block_size * sizeof (float);
  self->mean = mt_aligned_new0 (self->layout->n_params * sizeof (float));
  self->square = mt_aligned_new0 (self->layout->n_params * sizeof (float));
  self->grad = mt_aligned_new0 (self->layout->n_params * sizeof (float));
  self->pi = mt_aligned_new0 (matrix);
  self->choice = mt_aligned_new0 (self->layout->n_nodes16 * sizeof (double));
  self->squares = g_new0 (double, self->layout->n_blocks);
  self->nodes = g_new0 (MtNetNode, self->layout->n_nodes16);
  self->tables = mt_aligned_new0 (self->layout->n_nodes16 * 4 * sizeof (guint64));
  self->code_offsets = g_new (gsize, MAX (self->n_groups, 1));
  for (guint g = 0; g < self->n_groups; g++)
    {
      self->code_offsets[g] = G_MAXSIZE;
      for (guint i = 0; i < self->groups[g].n_literals; i++)
        if (self->net->in_head[self->groups[g].first_literal + i])
          self->code_offsets[g] = self->n_code_entries;
      if (self->code_offsets[g] != G_MAXSIZE)
        self->n_code_entries += mt_pad16 (mt_group_get_n_codes (&self->groups[g]) + 16);
    }
  self->code_tables = mt_aligned_new0 (c * self->n_code_entries * sizeof (float));

  /* Slots for the larger of a batch and, with only a loss each, all validation chunks. */
  self->n_slots = (guint) (MAX (MIN (self->batch, self->train.n_rows), 1) + MT_CHUNK - 1) / MT_CHUNK;
  self->slot_size = c * (self->layout->n_literals16 + self->layout->n_nodes16 + self->layout->n_numeric16) +
                    mt_pad16 (c);
  self->slots = g_new0 (Slot, MAX (self->n_slots, self->valid.n_rows / MT_CHUNK + 1));
  self->slot_memory = mt_aligned_new0 (self->n_slots * self->slot_size * sizeof (float));
  for (guint s = 0; s < self->n_slots; s++)
    {
      Slot *slot = &self->slots[s];

      slot->literal = self->slot_memory + s * self->slot_size;
      slot->rule = slot->literal + c * self->layout->n_literals16;
      slot->numeric = slot->rule + c * self->layout->n_nodes16;
      slot->bias = slot->numeric + c * self->layout->n_numeric16;
    }
  if (self->shape->kind == MT_NODE_DEEP)
    {
      n_patterns = (gsize) 1 << self->shape->fan_in;
      self->keep_chunks = TRUE;
      self->extra = mt_aligned_new0 (matrix);
      self->activations = mt_aligned_new0 (self->shape->n_nodes * n_patterns * self->layout->n_hidden *
                                           sizeof (float));
      self->n_deep_scratch = n_workers;
      self->deep_scratch = g_new0 (DeepScratch, n_workers);
      for (guint i = 0; i < n_workers; i++)
        {
          self->deep_scratch[i].counts = mt_aligned_new0 (n_patterns * 256 * sizeof (float));
          self->deep_scratch[i].by_literal = mt_aligned_new0 (n_patterns * self->shape->n_literals * sizeof (float));
          self->deep_scratch[i].row = mt_aligned_new0 (self->layout->n_hidden * sizeof (float));
          self->deep_scratch[i].z = mt_aligned_new0 (n_patterns * sizeof (double));
        }
    }
  self->n_scratch = self->keep_chunks ? MAX (self->n_slots, n_workers) : n_workers;
  self->scratch = g_new0 (Scratch, self->n_scratch);
  for (guint i = 0; i < self->n_scratch; i++)
    scratch_init (&self->scratch[i], self);
  prepare_nodes (self);
  return self;
}

/* --- round 1: chunks of rows --- */

static void
sum_by_code (const Cpu *self,
             Scratch   *scratch,
             Slot      *slot)
{
  guint n_outputs = self->shape->n_outputs, width = self->g_width;
  const float *g = scratch->g;

  if (width > 1)
    {
      for (guint c = 0; c < n_outputs; c++)
        for (guint r = 0; r < MT_CHUNK; r++)
          scratch->g_rows[r * width + c] = scratch->g[c * MT_CHUNK + r];
      g = scratch->g_rows;
    }
  for (guint group = 0; group < self->n_groups; group++)
    {
      const MtGroup *it = &self->groups[group];
      guint n_codes = mt_group_get_n_codes (it);
      guint n_thresholds = it->kind == MT_GROUP_THERMOMETER ? it->n_literals - (it->has_missing ? 1 : 0) : 0;

      memset (scratch->sums, 0, n_codes * width * sizeof (float));
      self->kernels->code_sums (scratch->codes + group * MT_CHUNK, n_codes, g, width, scratch->sums);
      for (guint c = 0; c < n_outputs; c++)
        {
          float *out = slot->literal + c * self->layout->n_literals16 + it->first_literal;
          float above = 0.0f;

          for (guint i = n_thresholds; i-- > 0; )
            out[i] = above += scratch->sums[(i + 1) * width + c];
          for (guint i = n_thresholds; i < it->n_literals; i++)
            out[i] = scratch->sums[(i + 1) * width + c];
        }
    }
}

static void
chunk_scores (const Cpu     *self,
              Scratch       *scratch,
              const guint32 *rows,
              guint          n)
{
  const MtKernels *kernels = self->kernels;
  const MtNetLayout *layout = self->layout;
  const float *params = self->net->params;
  guint64 *node_bits = scratch->bits + (gsize) self->shape->n_literals * MT_CHUNK_WORDS;

  kernels->gather_codes (self->rows->codes, self->code_stride, rows, n, self->n_groups, scratch->codes);
  kernels->planes (self->groups, self->n_groups, scratch->codes, scratch->bits);
  for (guint j = 0; j < self->shape->n_nodes; j++)
    {
      const MtNetNode *node = &self->nodes[j];

      if (node->n_inputs <= MT_TABLE_MAX_INPUTS)
        kernels->node_table (scratch->bits, node->inputs, node->n_inputs, self->tables + j * 4,
                             node_bits + j * MT_CHUNK_WORDS);
      else
        kernels->node_sum (scratch->bits, node->inputs, node->weights, node->bias, node->n_inputs,
                           node_bits + j * MT_CHUNK_WORDS);
    }
  for (guint c = 0; c < self->shape->n_outputs; c++)
    {
      float *eta = scratch->eta + c * MT_CHUNK;

      for (guint r = 0; r < MT_CHUNK; r++)
        eta[r] = params[layout->head_bias + c];
      kernels->add_bits (eta, node_bits, self->shape->n_nodes, params + layout->rule + c * layout->n_nodes16);
      for (guint g = 0; g < self->n_groups; g++)
        if (self->code_offsets[g] != G_MAXSIZE)
          kernels->add_codes (eta, scratch->codes + g * MT_CHUNK,
                              self->code_tables + c * self->n_code_entries + self->code_offsets[g],
                              mt_group_get_n_codes (&self->groups[g]));
      if (self->shape->n_numeric > 0)
        kernels->add_numeric (eta, self->rows->numeric, layout->n_numeric8, rows, n,
                              params + layout->numeric + c * layout->n_numeric16);
    }
}

static double
chunk_loss (const Cpu     *self,
            Scratch       *scratch,
            const guint32 *rows,
            guint          n)
{
  const float *weight = NULL;

  for (guint r = 0; r < n; r++)
    scratch->y[r] = self->rows->y[rows[r]];
  if (self->class_weights != NULL && self->shape->task != MT_TASK_REGRESSION)
    {
      for (guint r = 0; r < n; r++)
        scratch->weight[r] = self->class_weights[(guint) scratch->y[r]];
      weight = scratch->weight;
    }
  switch (self->shape->task)
    {
    case MT_TASK_BINARY:
      return self->kernels->loss_binary (scratch->eta, scratch->y, weight, n, scratch->g);
    case MT_TASK_MULTICLASS:
      return self->kernels->loss_softmax (scratch->eta, scratch->y, weight, n, self->shape->n_outputs, scratch->g);
    case MT_TASK_REGRESSION:
    default:
      return self->kernels->loss_squares (scratch->eta, scratch->y, weight, n, scratch->g);
    }
}

static void
chunk_sums (const Cpu     *self,
            Scratch       *scratch,
            Slot          *slot,
            const guint32 *rows,
            guint          n)
{
  const MtKernels *kernels = self->kernels;
  const MtNetLayout *layout = self->layout;
  const guint64 *node_bits = scratch->bits + (gsize) self->shape->n_literals * MT_CHUNK_WORDS;

  memset (slot->literal, 0, self->slot_size * sizeof (float));
  if (self->by_code)
    sum_by_code (self, scratch, slot);
  for (guint c = 0; c < self->shape->n_outputs; c++)
    {
      const float *g = scratch->g + c * MT_CHUNK;
      float sum = 0.0f;

      if (!self->by_code)
        kernels->bit_sums (scratch->bits, self->shape->n_literals, g, slot->literal + c * layout->n_literals16);
      kernels->bit_sums (node_bits, self->shape->n_nodes, g, slot->rule + c * layout->n_nodes16);
      if (self->shape->n_numeric > 0)
        kernels->numeric_sums (self->rows->numeric, layout->n_numeric8, rows, n, g,
                               slot->numeric + c * layout->n_numeric16);
      for (guint r = 0; r < n; r++)
        sum += g[r];
      slot->bias[c] = sum;
    }
}

static void
chunk_task (guint    task,
            guint    worker,
            gpointer data)
{
  Cpu *self = data;
  Scratch *scratch = &self->scratch[self->keep_chunks && self->backward ? task : worker];
  gsize first = (gsize) task * MT_CHUNK;
  const guint32 *rows = self->order + first;
  guint n = (guint) MIN (MT_CHUNK, self->n_step_rows - first);

  scratch->n_rows = n;
  chunk_scores (self, scratch, rows, n);
  self->slots[task].loss = chunk_loss (self, scratch, rows, n);
  if (self->backward)
    chunk_sums (self, scratch, &self->slots[task], rows, n);
  if (self->scores != NULL)
    for (guint c = 0; c < self->shape->n_outputs; c++)
      memcpy (self->scores + c * self->n_scores + first, scratch->eta + c * MT_CHUNK, n * sizeof (float));
}

/* Adds the slots in order; the mean over the batch goes to the head's gradients. */
static void
reduce_slots (Cpu   *self,
              guint  n_chunks,
              float  scale)
{
  const MtNetLayout *layout = self->layout;
  gsize c = self->shape->n_outputs;
  Slot *sum = &self->slots[0];

  for (guint s = 1; s < n_chunks; s++)
    self->kernels->axpy (sum->literal, self->slots[s].literal, 1.0f, self->slot_size);
  for (gsize i = 0; i < self->slot_size; i++)
    sum->literal[i] *= scale;
  memcpy (self->grad + layout->rule, sum->rule, c * layout->n_nodes16 * sizeof (float));
  memcpy (self->grad + layout->numeric, sum->numeric, c * layout->n_numeric16 * sizeof (float));
  memcpy (self->grad + layout->head_bias, sum->bias, c * sizeof (float));
  for (guint o = 0; o < c; o++)
    for (guint i = 0; i < self->shape->n_literals; i++)
      if (self->net->in_head[i])
        self->grad[layout->literal + o * layout->n_literals16 + i] = sum->literal[o * layout->n_literals16 + i];
}

/* --- round 2: gradients of a block of nodes --- */

/* Rows of the batch by assignment of the node's inputs and by literal:
 * by_literal[v][i] = Σ ∂L/∂z over rows with assignment v where literal i is true; totals[v]. */
static void
deep_sums (const Cpu   *self,
           guint        index,
           guint        n_chunks,
           float        scale,
           DeepScratch *deep,
           float       *totals)
{
  const MtNetLayout *layout = self->layout;
  const float *w = self->net->params + layout->rule + index;
  const MtNetNode *node = &self->nodes[index];
  gsize n_patterns = (gsize) 1 << node->n_inputs;
  guint n = self->shape->n_literals;

  for (guint group = 0; group < self->n_groups; group++)
    {
      const MtGroup *it = &self->groups[group];
      guint n_codes = mt_group_get_n_codes (it);
      guint n_thresholds = it->kind == MT_GROUP_THERMOMETER ? it->n_literals - (it->has_missing ? 1 : 0) : 0;

      memset (deep->counts, 0, n_patterns * n_codes * sizeof (float));
      for (guint chunk = 0; chunk < n_chunks; chunk++)
        {
          const Scratch *scratch = &self->scratch[chunk];
          const guint8 *codes = scratch->codes + group * MT_CHUNK;

          for (guint r = 0; r < scratch->n_rows; r++)
            {
              float gz = 0.0f;
              guint v = 0;

              for (guint c = 0; c < self->shape->n_outputs; c++)
                gz += scratch->g[c * MT_CHUNK + r] * w[c * layout->n_nodes16];
              for (guint i = 0; i < node->n_inputs; i++)
                v |= (guint) mt_plane_get (scratch->bits + node->inputs[i] * MT_CHUNK_WORDS, r) << i;
              deep->counts[v * n_codes + codes[r]] += gz * scale;
            }
        }
      for (gsize v = 0; v < n_patterns; v++)
        {
          const float *counts = deep->counts + v * n_codes;
          float *out = deep->by_literal + v * n + it->first_literal;
          float above = 0.0f;

          for (guint i = n_thresholds; i-- > 0; )
            out[i] = above += counts[i + 1];
          for (guint i = n_thresholds; i < it->n_literals; i++)
            out[i] = counts[i + 1];
          if (group == 0)
            {
              totals[v] = 0.0f;
              for (guint code = 0; code < n_codes; code++)
                totals[v] += counts[code];
            }
        }
    }
}

static void
deep_gradients (Cpu   *self,
                guint  index,
                guint  n_chunks,
                float  scale,
                guint  worker)
{
  const MtNetLayout *layout = self->layout;
  DeepScratch *deep = &self->deep_scratch[worker];
  gsize h = layout->n_hidden, n_patterns = (gsize) 1 << self->shape->fan_in;
  guint n = self->shape->n_literals;
  const float *params = self->net->params;
  const float *weights = params + layout->hidden + (gsize) index * n * h;
  const float *out = params + layout->hidden_out + index * h;
  float *grad_weights = self->grad + layout->hidden + (gsize) index * n * h;
  float *grad_bias = self->grad + layout->hidden_bias + index * h;
  float *grad_out = self->grad + layout->hidden_out + index * h;
  float *active = self->activations + index * n_patterns * h;
  gsize block = (index / MT_LANES) * layout->block_size;
  float totals[1 << MT_NET_MAX_FAN_IN_DEEP];

  deep_sums (self, index, n_chunks, scale, deep, totals);
  memset (grad_bias, 0, h * sizeof (float));
  memset (grad_out, 0, h * sizeof (float));
  for (gsize v = 0; v < n_patterns; v++)
    for (gsize u = 0; u < h; u++)
      {
        float a = active[v * h + u];

        if (a > 0.0f)
          {
            grad_bias[u] += totals[v] * out[u];
            grad_out[u] += totals[v] * a;
          }
        active[v * h + u] = a > 0.0f ? 1.0f : 0.0f;     /* from here on: the gate */
      }
  for (guint i = 0; i < n; i++)
    {
      gsize at = block + (gsize) i * MT_LANES + index % MT_LANES;
      float pi = self->pi[at], extra = 0.0f;

      memset (deep->row, 0, h * sizeof (float));
      for (gsize v = 0; v < n_patterns; v++)
        if (deep->by_literal[v * n + i] != 0.0f)
          self->kernels->axpy (deep->row, active + v * h, deep->by_literal[v * n + i], h);
      for (gsize u = 0; u < h; u++)
        {
          float through = out[u] * deep->row[u];

          grad_weights[i * h + u] = pi * through;
          extra += weights[i * h + u] * through;
        }
      self->extra[at] = extra;
    }
}

typedef struct {
  Cpu   *cpu;
  guint  n_chunks;
  float  scale;
} Gradients;

static void
deep_task (guint    task,
           guint    worker,
           gpointer data)
{
  const Gradients *it = data;
  guint tiny = mt_flush_tiny ();

  deep_gradients (it->cpu, task, it->n_chunks, it->scale, worker);
  mt_flush_restore (tiny);
}

static void
gradient_task (guint    task,
               guint    worker,
               gpointer data)
{
  Cpu *self = ((const Gradients *) data)->cpu;
  const MtNetLayout *layout = self->layout;
  const float *params = self->net->params;
  gsize block = task * layout->block_size;
  float *grad_map = self->grad + layout->map + block, *grad_ltt = self->grad + layout->ltt + block;
  float *grad_bias = self->grad + layout->bias + task * MT_LANES;
  const float *rule = params + layout->rule + task * MT_LANES;
  const Slot *sum = &self->slots[0];
  guint tiny = mt_flush_tiny ();

  self->kernels->node_gradients (self->shape->n_literals, self->shape->n_outputs, sum->literal,
                                 layout->n_literals16, rule, layout->n_nodes16, self->pi + block,
                                 params + layout->ltt + block, self->extra != NULL ? self->extra + block : NULL,
                                 grad_ltt, grad_map);
  /* With τ as the operator's own factor taken back out when 1/τ is not wanted. */
  self->topk->backward (self->pi + block, self->shape->n_literals,
                        self->net->temperature / (double) self->map_scale, grad_map, grad_map, NULL);
  for (guint l = 0; l < MT_LANES; l++)
    {
      grad_bias[l] = 0.0f;
      for (guint c = 0; c < self->shape->n_outputs; c++)
        grad_bias[l] += sum->bias[c] * rule[c * layout->n_nodes16 + l];
    }
  self->squares[task] = self->kernels->sum_squares (grad_map, layout->block_size) +
                        self->kernels->sum_squares (grad_ltt, layout->block_size);
  mt_flush_restore (tiny);
}

/* --- round 3: the step itself, and what the next one needs --- */

static void
prepare_block (Cpu   *self,
               guint  block)
{
  const MtNetLayout *layout = self->layout;
  const float *params = self->net->params;
  double z_small[1 << MT_TABLE_MAX_INPUTS];

  self->topk->forward (params + layout->map + block * layout->block_size, self->shape->n_literals,
                       self->shape->fan_in, self->net->temperature, self->choice + block * MT_LANES,
                       self->pi + block * layout->block_size);
  mt_net_read_block (layout, self->shape, params, block, self->nodes + block * MT_LANES);
  for (guint j = block * MT_LANES; j < MIN ((block + 1) * MT_LANES, self->shape->n_nodes); j++)
    if (self->shape->fan_in <= MT_TABLE_MAX_INPUTS)
      {
        gsize n_patterns = (gsize) 1 << self->shape->fan_in;

        mt_net_node_sums (layout, self->shape, params, j, &self->nodes[j], z_small,
                          self->activations != NULL ? self->activations + j * n_patterns * layout->n_hidden : NULL);
        mt_net_sums_to_table (z_small, self->shape->fan_in, self->tables + j * 4);
      }
}

static void
adam_part (Cpu   *self,
           gsize  first,
           gsize  n)
{
  self->kernels->adam (self->net->params + first, self->mean + first, self->square + first, self->grad + first,
                       n, &self->adam);
}

static void
update_task (guint    task,
             guint    worker,
             gpointer data)
{
  Cpu *self = data;
  const MtNetLayout *layout = self->layout;
  guint tiny = mt_flush_tiny ();

  adam_part (self, layout->map + task * layout->block_size, layout->block_size);
  adam_part (self, layout->ltt + task * layout->block_size, layout->block_size);
  adam_part (self, layout->bias + task * MT_LANES, MT_LANES);
  if (self->shape->kind == MT_NODE_DEEP)
    for (guint j = task * MT_LANES; j < MIN ((task + 1) * MT_LANES, self->shape->n_nodes); j++)
      {
        gsize h = layout->n_hidden, n = self->shape->n_literals * h;

        adam_part (self, layout->hidden + j * n, n);
        adam_part (self, layout->hidden_bias + j * h, h);
        adam_part (self, layout->hidden_out + j * h, h);
      }
  prepare_block (self, task);
  mt_flush_restore (tiny);
}

/* The head's weights of a group as one number a code. */
static void
prepare_head (Cpu *self)
{
  for (guint c = 0; c < self->shape->n_outputs; c++)
    for (guint g = 0; g < self->n_groups; g++)
      if (self->code_offsets[g] != G_MAXSIZE)
        {
          const MtGroup *it = &self->groups[g];
          const float *w = self->net->params + self->layout->literal + c * self->layout->n_literals16 +
                           it->first_literal;
          float *table = self->code_tables + c * self->n_code_entries + self->code_offsets[g];
          guint n_thresholds = it->kind == MT_GROUP_THERMOMETER ? it->n_literals - (it->has_missing ? 1 : 0) : 0;

          table[0] = 0.0f;
          for (guint i = 0; i < it->n_literals; i++)
            table[i + 1] = i < n_thresholds ? table[i] + w[i] : w[i];
        }
}

static void
prepare_task (guint    task,
              guint    worker,
              gpointer data)
{
  prepare_block (data, task);
}

/* Everything that follows from the parameters. The remembered roots are forgotten, at the
 * start of every epoch, so that a resumed training goes on exactly as one that never stopped. */
static void
prepare_nodes (Cpu *self)
{
  for (gsize i = 0; i < self->layout->n_nodes16; i++)
    self->choice[i] = NAN;
  mt_pool_run (self->pool, self->layout->n_blocks, prepare_task, self);
  prepare_head (self);
}

static double
take_step (Cpu           *self,
           const guint32 *order,
           gsize          n_rows)
{
  const MtNetLayout *layout = self->layout;
  guint n_chunks = (guint) ((n_rows + MT_CHUNK - 1) / MT_CHUNK);
  Gradients gradients = { self, n_chunks, 1.0f / (float) n_rows };
  double loss = 0.0, squares;

  self->rows = &self->train;
  self->order = order;
  self->n_step_rows = n_rows;
  self->backward = TRUE;
  self->scores = NULL;
  mt_pool_run (self->pool, n_chunks, chunk_task, self);
  for (guint s = 0; s < n_chunks; s++)
    loss += self->slots[s].loss;
  if (!isfinite (loss))
    return loss;

  reduce_slots (self, n_chunks, gradients.scale);
  if (self->shape->kind == MT_NODE_DEEP)
    mt_pool_run (self->pool, self->shape->n_nodes, deep_task, &gradients);
  mt_pool_run (self->pool, layout->n_blocks, gradient_task, &gradients);
  squares = self->kernels->sum_squares (self->grad + layout->bias, layout->n_params - layout->bias);
  for (guint b = 0; b < layout->n_blocks; b++)
    squares += self->squares[b];
  if (!isfinite (squares))
    return squares;

  self->n_steps++;
  self->adam.scale = self->clip > 0.0f && squares > (double) self->clip * (double) self->clip
                       ? (float) ((double) self->clip / sqrt (squares)) : 1.0f;
  self->adam.correct1 = (float) (1.0 / (1.0 - pow ((double) self->adam.beta1, (double) self->n_steps)));
  self->adam.correct2 = (float) (1.0 / (1.0 - pow ((double) self->adam.beta2, (double) self->n_steps)));
  adam_part (self, layout->rule, layout->head_bias + mt_pad16 (self->shape->n_outputs) - layout->rule);
  prepare_head (self);
  mt_pool_run (self->pool, layout->n_blocks, update_task, self);
  return loss;
}

double
mt_backend_cpu_step (gpointer       context,
                     const guint32 *order,
                     gsize          n_rows,
                     double         learning_rate)
{
  Cpu *self = context;

  self->adam.learning_rate = (float) learning_rate;
  return take_step (self, order, n_rows);
}

const float *
mt_backend_cpu_peek_gradient (gpointer context)
{
  return ((const Cpu *) context)->grad;
}

static gboolean
cpu_run_epoch (gpointer       context,
               const guint32 *order,
               gsize          n_rows,
               double         learning_rate,
               GCancellable  *cancellable,
               MtEpochStats  *stats,
               GError       **error)
{
  Cpu *self = context;
  double loss = 0.0;

  *stats = (MtEpochStats) { 0 };
  self->adam.learning_rate = (float) learning_rate;
  prepare_nodes (self);
  for (gsize first = 0; first < n_rows; first += self->batch)
    {
      gsize n = MIN (self->batch, n_rows - first);
      double step;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      step = take_step (self, order + first, n);
      if (!isfinite (step))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC,
                       "the loss stopped being a finite number at step %" G_GUINT64_FORMAT
                       "; a smaller learning rate or a look at very large values may help", self->n_steps + 1);
          return FALSE;
        }
      loss += step;
      stats->n_rows += n;
      stats->n_steps++;
    }
  stats->loss = stats->n_rows > 0 ? loss / (double) stats->n_rows : 0.0;
  return TRUE;
}

static gboolean
cpu_evaluate (gpointer      context,
              GCancellable *cancellable,
              double       *loss,
              float        *scores,
              GError      **error)
{
  Cpu *self = context;
  gsize n_rows = self->valid.n_rows;
  guint n_chunks = (guint) ((n_rows + MT_CHUNK - 1) / MT_CHUNK);
  g_autofree guint32 *order = g_new (guint32, MAX (n_rows, 1));
  double sum = 0.0;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  for (gsize r = 0; r < n_rows; r++)
    order[r] = (guint32) r;
  self->rows = &self->valid;
  self->order = order;
  self->n_step_rows = n_rows;
  self->backward = FALSE;
  self->scores = scores;
  self->n_scores = n_rows;
  mt_pool_run (self->pool, n_chunks, chunk_task, self);
  for (guint s = 0; s < n_chunks; s++)
    sum += self->slots[s].loss;
  *loss = n_rows > 0 ? sum / (double) n_rows : 0.0;
  return TRUE;
}

static gboolean
cpu_read (gpointer    context,
          MtNetState *state,
          GError    **error)
{
  Cpu *self = context;
  gsize n = self->layout->n_params * sizeof (float);

  memcpy (state->params, self->net->params, n);
  if (state->mean != NULL)
    memcpy (state->mean, self->mean, n);
  if (state->square != NULL)
    memcpy (state->square, self->square, n);
  state->n_steps = self->n_steps;
  return TRUE;
}

static gboolean
cpu_write (gpointer          context,
           const MtNetState *state,
           GError          **error)
{
  Cpu *self = context;
  gsize n = self->layout->n_params * sizeof (float);

  memcpy (self->net->params, state->params, n);
  memcpy (self->mean, state->mean, n);
  memcpy (self->square, state->square, n);
  self->n_steps = state->n_steps;
  prepare_nodes (self);
  return TRUE;
}

const MtBackendOps mt_backend_cpu = {
  .name = "cpu",
  .probe = cpu_probe,
  .open = cpu_open,
  .run_epoch = cpu_run_epoch,
  .evaluate = cpu_evaluate,
  .read = cpu_read,
  .write = cpu_write,
  .close = cpu_close,
};
