/* Rounds 2 and 3 of a step on the CPU: gradients of nodes, AdamW, the next choice of inputs.
 *
 * Both rounds work on blocks of 16 nodes, each with its own part of map, ltt, bias and of the
 * arrays of the optimizer, so no two tasks touch the same number. A block of 300 literals is 19 kB
 * a matrix. The head belongs to no block and is done in between, by one thread. */
#include "config.h"
#include "mt-backend-cpu-private.h"

#include <math.h>
#include <string.h>

/* --- round 2: gradients of a block of nodes --- */

/* Rows of the batch by assignment of the node's inputs and by literal:
 * by_literal[v][i] = Σ ∂L/∂z over rows with assignment v where literal i is true; totals[v].
 *
 * A histogram as in sum_by_code(), but with 2^k times as many places: by assignment and code. One
 * pass over the rows of the batch for each group, so the time is rows × groups × (C + k) for each
 * node. The bits and gradients of the batch must still be there, which is why scratch belongs to
 * chunks for deep nodes. */
static void
deep_sums (const MtCpu *self,
           guint        index,
           guint        n_chunks,
           float        scale,
           MtCpuDeep   *deep,
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
      guint n_thresholds = mt_group_get_n_thresholds (it);

      memset (deep->counts, 0, n_patterns * n_codes * sizeof (float));
      for (guint chunk = 0; chunk < n_chunks; chunk++)
        {
          const MtCpuScratch *scratch = &self->scratch[chunk];
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

/* The gradients inside one deep node, which has a hidden layer of h units: a_u = b_u + Σ_i π_i x_i W_iu over its k
 * chosen inputs, and it adds Σ_u o_u max (a_u, 0) to z.
 *
 * A chosen input is 0 or 1, so there are only 2^k different activations, which the forward pass has left in
 * self->activations (2^k × h). Rows therefore count only through two sums, made by deep_sums(): totals[v], the
 * gradient in z summed over the rows with assignment v, and by_literal[v][i], the same over those of them where
 * literal i is true. With the gate g_vu = [a_vu > 0]:
 *
 *   ∂/∂o_u  = Σ_v totals_v a_vu g_vu
 *   ∂/∂b_u  = Σ_v totals_v o_u g_vu
 *   ∂/∂W_iu = π_i o_u Σ_v by_literal_vi g_vu
 *   ∂/∂π_i gains Σ_u W_iu o_u Σ_v by_literal_vi g_vu, which goes to self->extra.
 *
 * The cost is literals × 2^k × h for each node, without the number of rows; that is why deep nodes are limited to
 * MT_NET_MAX_FAN_IN_DEEP inputs. */
static void
deep_gradients (MtCpu *self,
                guint  index,
                guint  n_chunks,
                float  scale,
                guint  worker)
{
  const MtNetLayout *layout = self->layout;
  MtCpuDeep *deep = &self->deep_scratch[worker];
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

/* One node. Numbers below 1e-38 count as zero while it runs (mt_flush_tiny()). */
void
mt_cpu_deep_task (guint    task,
                  guint    worker,
                  gpointer data)
{
  const MtCpuGradients *it = data;
  guint tiny = mt_flush_tiny ();

  deep_gradients (it->cpu, task, it->n_chunks, it->scale, worker);
  mt_flush_restore (tiny);
}

/* Round 2 for one block of 16 nodes: from the sums of round 1 to the gradients of map, ltt and the nodes' biases.
 * The gradient in π is made in the place of map's gradient and then turned into it by the soft choice's backward
 * pass. The bias of a node adds to z in every row, so its gradient is Σ_c (Σ_r g_rc) w_cj. The sum of squares goes
 * to the block's own slot; they are added in order later, for the clip of the global norm. */
void
mt_cpu_gradient_task (guint    task,
                      guint    worker,
                      gpointer data)
{
  MtCpu *self = ((const MtCpuGradients *) data)->cpu;
  const MtNetLayout *layout = self->layout;
  const float *params = self->net->params;
  gsize block = task * layout->block_size;
  float *grad_map = self->grad + layout->map + block, *grad_ltt = self->grad + layout->ltt + block;
  float *grad_bias = self->grad + layout->bias + task * MT_LANES;
  const float *rule = params + layout->rule + task * MT_LANES;
  const MtCpuSlot *sum = &self->slots[0];
  guint tiny = mt_flush_tiny ();

  self->kernels->node_gradients (self->shape->n_literals, self->shape->n_outputs, sum->literal,
                                 layout->n_literals16, rule, layout->n_nodes16, self->pi + block,
                                 params + layout->ltt + block,
                                 self->extra != NULL ? self->extra + block : NULL,
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

/* What the next step needs of a block, made from its new parameters: the soft choice π, the k chosen inputs of
 * each node with their weights, and, up to MT_TABLE_MAX_INPUTS inputs, the truth table of the node: the sign of z
 * for each of the 2^k assignments. With the table a node answers 64 rows by a few logical operations, instead of
 * adding k weights for each row. */
static void
prepare_block (MtCpu *self,
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
        float *activations = self->activations != NULL
                               ? self->activations + j * n_patterns * layout->n_hidden : NULL;

        mt_net_node_sums (layout, self->shape, params, j, &self->nodes[j], z_small, activations);
        mt_net_sums_to_table (z_small, self->shape->fan_in, self->tables + j * 4);
      }
}

/* One part of the parameters; @first and @n are multiples of 16. All parts share the step count of the correction,
 * so the parts can be taken in any order and on any thread. */
static void
adam_part (MtCpu *self,
           gsize  first,
           gsize  n)
{
  self->kernels->adam (self->net->params + first, self->mean + first, self->square + first,
                       self->grad + first,
                       n, &self->adam);
}

/* Round 3 for one block: the step of the optimizer on the block's parts of map, ltt and bias (and the hidden
 * layers of its nodes), then the limits that constraints set, then prepare_block(). A block is only touched by its
 * own task, so no lock is needed. */
void
mt_cpu_update_task (guint    task,
                    guint    worker,
                    gpointer data)
{
  MtCpu *self = data;
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
  if (self->signs != NULL)
    mt_net_constraints_project_block (&self->limits, self->signs, self->net, task);
  prepare_block (self, task);
  mt_flush_restore (tiny);
}

/* The head's weights of a group as one number for each code, so that a row needs one lookup for
 * each group. Code 0 has none of the literals. Threshold weights add up: code c has w₀ + … +
 * w₍c−1₎. Each level, and missing, has its own code and its own weight. With the weights 0.5, 0.2
 * and, for missing, −1, the table is 0, 0.5, 0.7, −1. */
static void
prepare_head (MtCpu *self)
{
  for (guint c = 0; c < self->shape->n_outputs; c++)
    for (guint g = 0; g < self->n_groups; g++)
      if (self->code_offsets[g] != G_MAXSIZE)
        {
          const MtGroup *it = &self->groups[g];
          const float *w = self->net->params + self->layout->literal + c * self->layout->n_literals16 +
                           it->first_literal;
          float *table = self->code_tables + c * self->n_code_entries + self->code_offsets[g];
          guint n_thresholds = mt_group_get_n_thresholds (it);

          table[0] = 0.0f;
          for (guint i = 0; i < it->n_literals; i++)
            table[i + 1] = i < n_thresholds ? table[i] + w[i] : w[i];
        }
}

/* One block of 16 nodes. */
static void
prepare_task (guint    task,
              guint    worker,
              gpointer data)
{
  prepare_block (data, task);
}

/* The remembered λ of the soft choice are set to "none" here: a training that is resumed has none either, and λ
 * found from different starts may differ in the last bit. */
void
mt_cpu_prepare (MtCpu *self)
{
  for (gsize i = 0; i < self->layout->n_nodes16; i++)
    self->choice[i] = NAN;
  mt_pool_run (self->pool, self->layout->n_blocks, prepare_task, self);
  prepare_head (self);
}

/* The head is small (outputs × (nodes + literals + columns)) and is done by one thread, while nothing else runs.
 * Its parts from rule to head_bias are neighbors: one call of the optimizer. */
void
mt_cpu_update_head (MtCpu *self)
{
  const MtNetLayout *layout = self->layout;

  adam_part (self, layout->rule, layout->head_bias + mt_pad16 (self->shape->n_outputs) - layout->rule);
  if (self->signs != NULL)
    mt_net_constraints_project_head (&self->limits, self->signs, self->net);
  prepare_head (self);
}
