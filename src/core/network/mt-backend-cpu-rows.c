/* Round 1 of a step on the CPU: a chunk of rows to scores, loss and sums.
 *
 * The data of a chunk on its way, for 30 groups, 300 literals and 50 nodes:
 *
 *   codes   32 × 512 bytes      gathered from 512 rows of the batch, turned to one row for each group
 *   bits    300 × 64 bytes      each literal for 512 rows
 *   bits    50 × 64 bytes       each node for 512 rows
 *   eta     512 floats          the score
 *   g       512 floats          ∂loss / ∂score
 *   slot    300 + 50 + … floats Xᵀg for literals, nodes and numbers
 *
 * All of it stays in the second-level cache of one core. Only the codes and numbers of the rows
 * come from memory. */
#include "config.h"
#include "mt-backend-cpu-private.h"

#include <string.h>

/* Xᵀg of one chunk by code. First a histogram: the sum of g over the rows of each code. Then the literals:
 * threshold i of a thermometer is true for all codes above i, so its sum is the suffix sum of the histogram, made
 * from the highest threshold down in one pass; a level (or "is missing") is true for its own code alone.
 *
 * With several outputs the gradients of a row are put side by side first (g_rows, @width is C padded to 8), so
 * that one code's sums are one vector. */
static void
sum_by_code (const MtCpu  *self,
             MtCpuScratch *scratch,
             MtCpuSlot    *slot)
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
      guint n_thresholds = mt_group_get_n_thresholds (it);

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

/* The forward pass for up to 512 rows: codes of the rows → bits of all literals → bits of all nodes → scores η.
 * The bits of the nodes follow those of the literals in scratch->bits, and both are kept for the backward pass,
 * which needs the same rows right afterwards: 512 rows of 500 literals and 50 nodes are 35 kB and stay in the
 * cache.
 *
 * Order of the sum η: bias, nodes, literals of the head by group, numeric columns. It is fixed, so scores are the
 * same on any number of threads. */
static void
chunk_scores (const MtCpu   *self,
              MtCpuScratch  *scratch,
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

/* Loss of the chunk's rows, and g = ∂L/∂η, C × 512, into the scratch. A row's weight is that of its class. */
static double
chunk_loss (const MtCpu   *self,
            MtCpuScratch  *scratch,
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
      return self->kernels->loss_softmax (scratch->eta, scratch->y, weight, n, self->shape->n_outputs,
                                          scratch->g);
    case MT_TASK_REGRESSION:
    default:
      return self->kernels->loss_squares (scratch->eta, scratch->y, weight, n, scratch->g);
    }
}

/* What the chunk adds to the gradients, into its own slot: Xᵀg for the literals (by bit or by code, whichever is
 * faster for this shape), for the nodes and for the numeric columns, and Σ g for the bias. The slot is set to zero
 * first; its parts are one array, of which slot->literal is the beginning. */
static void
chunk_sums (const MtCpu   *self,
            MtCpuScratch  *scratch,
            MtCpuSlot     *slot,
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
        kernels->bit_sums (scratch->bits, self->shape->n_literals, g,
                           slot->literal + c * layout->n_literals16);
      kernels->bit_sums (node_bits, self->shape->n_nodes, g, slot->rule + c * layout->n_nodes16);
      if (self->shape->n_numeric > 0)
        kernels->numeric_sums (self->rows->numeric, layout->n_numeric8, rows, n, g,
                               slot->numeric + c * layout->n_numeric16);
      for (guint r = 0; r < n; r++)
        sum += g[r];
      slot->bias[c] = sum;
    }
}

/* One task of round 1. A slot belongs to the chunk, whichever thread works on it; scratch belongs to the thread,
 * except for deep nodes, whose second round reads the chunk's bits and gradients again (keep_chunks). */
void
mt_cpu_chunk_task (guint    task,
                   guint    worker,
                   gpointer data)
{
  MtCpu *self = data;
  MtCpuScratch *scratch = &self->scratch[self->keep_chunks && self->backward ? task : worker];
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

/* Adds up the chunks in ascending order, always into slot 0. Floating-point sums depend on their order; with this
 * one the result does not depend on which thread was faster. @scale (1 / rows of the batch) turns sums into means.
 * The head's own gradients are then copied to their places; literals that are not in the head keep gradient zero,
 * and so stay zero. */
void
mt_cpu_reduce_slots (MtCpu *self,
                     guint  n_chunks,
                     float  scale)
{
  const MtNetLayout *layout = self->layout;
  gsize c = self->shape->n_outputs;
  MtCpuSlot *sum = &self->slots[0];

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
        self->grad[layout->literal + o * layout->n_literals16 + i] =
          sum->literal[o * layout->n_literals16 + i];
}

