/* Opening, stepping and reading of the CPU backend; mt-backend-cpu-private.h tells the whole. */
#include "config.h"
#include "mt-backend-cpu-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"

/* --- opening --- */

/* Xᵀg of a chunk by literal or by code: whichever the kernels do faster for this shape.
 *
 * Both cost estimates are µs for one chunk. By plane, each output adds up every literal's rows:
 * plane × C × literals. By code, each group makes one histogram: code for one output, codes +
 * codes8 × ⌈C / 8⌉ for more. With AVX2, one output and 20 columns of 9 bits: 0.045 × 180 = 8.1 by
 * plane and 0.2 × 20 = 4 by code, so by code. With AVX-512 a plane costs 0.0125, and the same shape
 * goes by plane.
 *
 * The choice depends on shape and kernels only, so a training makes it once, and every run on the
 * same kind of machine makes the same one. */
static gboolean
sums_by_code_pay (const MtCpu *self)
{
  const MtSumCosts *costs = &self->kernels->costs;
  guint c = self->shape->n_outputs;
  float by_plane = costs->plane * (float) c * (float) self->shape->n_literals;
  float by_code = c == 1 ? costs->code : costs->codes + costs->codes8 * (float) (mt_pad8 (c) / 8);

  return by_code * (float) self->n_groups < by_plane;
}

/* What one chunk needs in addition to its slot. With 100 groups, 500 literals, 50 nodes and one output about 100 kB:
 * small enough to stay in a core's own cache from the forward to the backward pass, which is why rows are taken in
 * chunks at all. Rows past the end of a short chunk read the zeros that are here from the start. */
static void
scratch_init (MtCpuScratch *scratch,
              const MtCpu  *self)
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
scratch_clear (MtCpuScratch *scratch)
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

static gboolean
cpu_probe (GError **error)
{
  return TRUE;
}

/* The opposite of cpu_open(); no task runs any more. */
static void
cpu_close (gpointer context)
{
  MtCpu *self = context;

  mt_backend_rows_clear (&self->train);
  mt_backend_rows_clear (&self->valid);
  for (guint i = 0; i < self->n_scratch; i++)
    scratch_clear (&self->scratch[i]);
  for (guint i = 0; i < self->n_deep_scratch; i++)
    {
      mt_aligned_free (self->deep_scratch[i].counts);
      mt_aligned_free (self->deep_scratch[i].by_literal);
      mt_aligned_free (self->deep_scratch[i].row);
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
  g_free (self->signs);
  g_free (self->groups);
  mt_pool_free (self->pool);
  mt_net_unref (self->net);
  g_free (self);
}

/* Allocates everything that a training needs, so that no step allocates. The largest parts are the rows (n_groups
 * padded to 16 bytes, and the numbers, a row) and the three arrays of the parameters' size for the optimizer.
 *
 * code_offsets[g] is where group g's head weights by code begin in code_tables; groups with no literal in the head
 * have none. Each has room for 16 entries more, because the kernel loads whole vectors. The slots of a batch lie
 * one after the other in slot_memory, each of slot_size floats; validation needs a slot for each of its chunks,
 * too, but only for the loss.
 *
 * For 100,000 rows, 30 columns (padded to 32 bytes), 10 numbers (16 floats), 300 literals and 50
 * nodes: rows 10 MB, the parameters' four arrays 0.6 MB, and for each thread a scratch of about 50
 * kB. So the rows are nearly all of it, and it grows with them alone. */
static gpointer
cpu_open (const MtBackendJob *job,
          GError            **error)
{
  MtCpu *self = g_new0 (MtCpu, 1);
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
  mt_backend_rows_init (&self->train, job, job->train_rows, job->n_train, self->code_stride);
  mt_backend_rows_init (&self->valid, job, job->valid_rows, job->n_valid, self->code_stride);
  n_classes = self->shape->task == MT_TASK_MULTICLASS ? self->shape->n_outputs : 2;
  if (job->class_weights != NULL)
    self->class_weights = g_memdup2 (job->class_weights, n_classes * sizeof (float));
  self->batch = job->batch;
  self->adam = (MtAdam) { .weight_decay = job->weight_decay, .beta1 = 0.9f, .beta2 = 0.999f,
                          .epsilon = 1e-8f };
  self->clip = job->clip;
  self->limits = job->limits;
  if (mt_net_constraints_are_set (&self->limits))
    {
      self->signs = g_new (gint8, self->layout->n_nodes16);
      mt_net_constraints_read_signs (self->net, self->signs);
    }
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
  self->slots = g_new0 (MtCpuSlot, MAX (self->n_slots, self->valid.n_rows / MT_CHUNK + 1));
  self->slot_memory = mt_aligned_new0 (self->n_slots * self->slot_size * sizeof (float));
  for (guint s = 0; s < self->n_slots; s++)
    {
      MtCpuSlot *slot = &self->slots[s];

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
      self->deep_scratch = g_new0 (MtCpuDeep, n_workers);
      for (guint i = 0; i < n_workers; i++)
        {
          self->deep_scratch[i].counts = mt_aligned_new0 (n_patterns * 256 * sizeof (float));
          self->deep_scratch[i].by_literal =
            mt_aligned_new0 (n_patterns * self->shape->n_literals * sizeof (float));
          self->deep_scratch[i].row = mt_aligned_new0 (self->layout->n_hidden * sizeof (float));
        }
    }
  self->n_scratch = self->keep_chunks ? MAX (self->n_slots, n_workers) : n_workers;
  self->scratch = g_new0 (MtCpuScratch, self->n_scratch);
  for (guint i = 0; i < self->n_scratch; i++)
    scratch_init (&self->scratch[i], self);
  mt_cpu_prepare (self);
  return self;
}

/* One step on @n_rows rows: the three rounds, with what must be done by one thread in between. Returns the sum of
 * the losses before the step.
 *
 * The gradient is clipped by its norm over all parameters together: if it is longer than self->clip, all of it is
 * scaled to that length. The squares of the blocks of map and ltt were summed by the blocks' own tasks, the rest
 * is summed here, always in the same order. A loss or a norm that is not finite ends the step before any parameter
 * is changed.
 *
 * In numbers, for a batch of 2,048 rows: round 1 has 4 tasks of 512 rows, rounds 2 and 3 have one
 * task for each 16 nodes. Everything between the rounds is done by the calling thread while the
 * pool waits, so it is kept short: adding up 4 slots, and the head's own step.
 *
 * correct1 and correct2 are 1 / (1 − βᵗ): the running means start at zero and are too small in the
 * first steps. */
static double
take_step (MtCpu         *self,
           const guint32 *order,
           gsize          n_rows)
{
  const MtNetLayout *layout = self->layout;
  guint n_chunks = (guint) ((n_rows + MT_CHUNK - 1) / MT_CHUNK);
  MtCpuGradients gradients = { self, n_chunks, 1.0f / (float) n_rows };
  double loss = 0.0, squares;

  self->rows = &self->train;
  self->order = order;
  self->n_step_rows = n_rows;
  self->backward = TRUE;
  self->scores = NULL;
  mt_pool_run (self->pool, n_chunks, mt_cpu_chunk_task, self);
  for (guint s = 0; s < n_chunks; s++)
    loss += self->slots[s].loss;
  if (!isfinite (loss))
    return loss;

  mt_cpu_reduce_slots (self, n_chunks, gradients.scale);
  if (self->shape->kind == MT_NODE_DEEP)
    mt_pool_run (self->pool, self->shape->n_nodes, mt_cpu_deep_task, &gradients);
  mt_pool_run (self->pool, layout->n_blocks, mt_cpu_gradient_task, &gradients);
  squares = self->kernels->sum_squares (self->grad + layout->bias, layout->n_params - layout->bias);
  for (guint b = 0; b < layout->n_blocks; b++)
    squares += self->squares[b];
  if (!isfinite (squares))
    return squares;

  self->n_steps++;
  self->adam.scale = self->clip > 0.0f && squares > (double) self->clip * (double) self->clip
                       ? (float) ((double) self->clip / sqrt (squares)) : 1.0f;
  self->adam.correct1 = (float) (1.0 / (1.0 - mt_power (self->adam.beta1, self->n_steps)));
  self->adam.correct2 = (float) (1.0 / (1.0 - mt_power (self->adam.beta2, self->n_steps)));
  mt_cpu_update_head (self);
  mt_pool_run (self->pool, layout->n_blocks, mt_cpu_update_task, self);
  return loss;
}

/* For the benchmark: a step outside of any epoch. */
double
mt_backend_cpu_step (gpointer       context,
                     const guint32 *order,
                     gsize          n_rows,
                     double         learning_rate)
{
  MtCpu *self = context;

  self->adam.learning_rate = (float) learning_rate;
  return take_step (self, order, n_rows);
}

/* Of the last step, in the net's layout, before it was clipped. */
const float *
mt_backend_cpu_peek_gradient (gpointer context)
{
  return ((const MtCpu *) context)->grad;
}

/* @order are positions in the training rows, already shuffled; batches are consecutive parts of it, the last one
 * may be short. Cancellation is looked at once a step, some milliseconds at most.
 *
 * The loss of an epoch is the mean over its rows, each row's loss taken just before the step that
 * its batch made: an epoch that learns a lot shows a loss above what its end would have. */
static gboolean
cpu_run_epoch (gpointer       context,
               const guint32 *order,
               gsize          n_rows,
               double         learning_rate,
               GCancellable  *cancellable,
               MtEpochStats  *stats,
               GError       **error)
{
  MtCpu *self = context;
  double loss = 0.0;

  *stats = (MtEpochStats) { 0 };
  self->adam.learning_rate = (float) learning_rate;
  mt_cpu_prepare (self);
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
                       _("training became unstable at step %" PRIu64 "; use a lower learning rate, or check "
                         "for very large values"),
                       self->n_steps + 1);
          return FALSE;
        }
      loss += step;
      stats->n_rows += n;
      stats->n_steps++;
    }
  stats->loss = stats->n_rows > 0 ? loss / (double) stats->n_rows : 0.0;
  return TRUE;
}

/* The forward pass of round 1 over the validation rows, without the sums. Losses are added in the order of the
 * chunks. */
static gboolean
cpu_evaluate (gpointer      context,
              GCancellable *cancellable,
              double       *loss,
              float        *scores,
              GError      **error)
{
  MtCpu *self = context;
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
  mt_pool_run (self->pool, n_chunks, mt_cpu_chunk_task, self);
  for (guint s = 0; s < n_chunks; s++)
    sum += self->slots[s].loss;
  *loss = n_rows > 0 ? sum / (double) n_rows : 0.0;
  return TRUE;
}

/* The parameters after the last step and, where wanted, the optimizer's two means. Together with the number of
 * steps they are all that a later training needs to go on exactly as this one would. */
static gboolean
cpu_read (gpointer    context,
          MtNetState *state,
          GError    **error)
{
  MtCpu *self = context;
  gsize n = self->layout->n_params * sizeof (float);

  memcpy (state->params, self->net->params, n);
  if (state->mean != NULL)
    memcpy (state->mean, self->mean, n);
  if (state->square != NULL)
    memcpy (state->square, self->square, n);
  state->n_steps = self->n_steps;
  return TRUE;
}

/* Puts the net back to a state: to resume, or to measure the best parameters after the end.
 * Everything that is derived from the parameters (choices, truth tables, head weights by code,
 * signs) is made again. */
static gboolean
cpu_write (gpointer          context,
           const MtNetState *state,
           GError          **error)
{
  MtCpu *self = context;
  gsize n = self->layout->n_params * sizeof (float);

  memcpy (self->net->params, state->params, n);
  memcpy (self->mean, state->mean, n);
  memcpy (self->square, state->square, n);
  self->n_steps = state->n_steps;
  if (self->signs != NULL)
    mt_net_constraints_read_signs (self->net, self->signs);
  mt_cpu_prepare (self);
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
