/* The network: literals → nodes (truth tables over k chosen literals) → linear head. See mt-net.h.
 *
 * A small example by hand: three literals, one node of fan-in 2, one output. Scores of the choice
 * 0.9, 0.1, 0.7 choose the literals 0 and 2. With the weights 1 and −1 there and the bias −½, the
 * sums for x₀ x₂ = 00, 10, 01, 11 are −½, ½, −3/2, −½, so the truth table is 0010 in bits: true for
 * 10 only, "x₀ and not x₂". With a head weight of 0.8 and a bias of 0.1, a row with x₀ true and x₂
 * false has the score 0.9, every other row 0.1.
 *
 * A net that is shared is not changed: a trained one is copied before it is trained again. */
#include "config.h"
#include "mt-net-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-planes.h"
#include "base/mt-random.h"
#include "mt-topk.h"

#define RAISE 0.5f       /* W_map of a given input, at least: far above N(0, 0.1²) */

/* Lays all parameters out one after the other in a single array of floats. With n literals, m nodes, C outputs, u
 * numeric columns and k inputs a node, in this order (sizes after padding to multiples of 16):
 *
 *   map          m16 × n       scores by which a node chooses its k inputs
 *   ltt          m16 × n       weight of each literal inside a node
 *   bias         m16           of each node
 *   rule         C × m16       head: weight of each node
 *   literal      C × n16       head: weight of each literal that is in it
 *   numeric      C × u16       head: weight of each numeric column
 *   head_bias    C16
 *   hidden …     only deep nodes: m × n × h, then m × h twice, with h = 2^k padded
 *
 * The parts from rule to head_bias are neighbors on purpose: the optimizer takes the whole head in one call. Each
 * part begins at a multiple of 16 floats, 64 bytes, so kernels may load whole vectors. */
static void
layout_init (MtNetLayout      *layout,
             const MtNetShape *shape)
{
  gsize at = 0;

  memset (layout, 0, sizeof *layout);
  layout->n_nodes16 = mt_pad16 (shape->n_nodes);
  layout->n_blocks = (guint) (layout->n_nodes16 / MT_LANES);
  layout->n_literals16 = mt_pad16 (shape->n_literals);
  layout->n_numeric8 = mt_pad8 (shape->n_numeric);
  layout->n_numeric16 = mt_pad16 (shape->n_numeric);
  layout->block_size = (gsize) shape->n_literals * MT_LANES;
  layout->map = at;
  at += layout->n_blocks * layout->block_size;
  layout->ltt = at;
  at += layout->n_blocks * layout->block_size;
  layout->bias = at;
  at += layout->n_nodes16;
  layout->rule = at;
  at += shape->n_outputs * layout->n_nodes16;
  layout->literal = at;
  at += shape->n_outputs * layout->n_literals16;
  layout->numeric = at;
  at += shape->n_outputs * layout->n_numeric16;
  layout->head_bias = at;
  at += mt_pad16 (shape->n_outputs);
  if (shape->kind == MT_NODE_DEEP)
    {
      layout->n_hidden = mt_pad16 ((gsize) 1 << shape->fan_in);
      layout->hidden = at;
      at += (gsize) shape->n_nodes * shape->n_literals * layout->n_hidden;
      layout->hidden_bias = at;
      at += shape->n_nodes * layout->n_hidden;
      layout->hidden_out = at;
      at += shape->n_nodes * layout->n_hidden;
    }
  layout->n_params = mt_pad16 (at);
}

/* All parameters are zero afterwards; the caller starts them with mt_net_randomise() or one by one. The array is
 * the largest thing a network owns: for 500 literals, 50 nodes and one output it is about 65,000 floats, 260 kB,
 * of which map and ltt are nearly all. */
MtNet *
mt_net_new (const MtNetShape *shape,
            const guint8     *in_head,
            double            temperature)
{
  MtNet *self;

  g_return_val_if_fail (shape->n_nodes >= 1 && shape->n_outputs >= 1, NULL);
  g_return_val_if_fail (shape->fan_in >= 1 && shape->fan_in <= shape->n_literals, NULL);
  g_return_val_if_fail (shape->fan_in <= (shape->kind == MT_NODE_DEEP ? MT_NET_MAX_FAN_IN_DEEP
                                                                     : MT_NET_MAX_FAN_IN), NULL);
  g_return_val_if_fail (temperature > 0.0, NULL);

  self = g_new0 (MtNet, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->shape = *shape;
  self->temperature = temperature;
  self->target_sd = 1.0;
  layout_init (&self->layout, shape);
  self->in_head = g_malloc0 (shape->n_literals);
  for (guint i = 0; in_head != NULL && i < shape->n_literals; i++)
    self->in_head[i] = in_head[i] != 0;
  self->params = mt_aligned_new0 (self->layout.n_params * sizeof (float));
  return self;
}

MtNet *
mt_net_ref (MtNet *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_net_unref (MtNet *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->in_head);
  mt_aligned_free (self->params);
  g_free (self);
}

MtNet *
mt_net_copy (const MtNet *self)
{
  MtNet *copy = mt_net_new (&self->shape, self->in_head, self->temperature);

  copy->target_mean = self->target_mean;
  copy->target_sd = self->target_sd;
  memcpy (copy->params, self->params, self->layout.n_params * sizeof (float));
  return copy;
}

/* --- starts --- */

/* The paper's start. Random numbers are drawn node after node: score and weight of each literal,
 * then the head's weights of the node. The head's weights have a deviation of 1 / √nodes, so that
 * their sum over the nodes starts at about one. */
void
mt_net_randomise (MtNet  *self,
                  guint64 seed)
{
  const MtNetLayout *layout = &self->layout;
  double spread = 1.0 / sqrt (self->shape.n_nodes);
  MtRandom random;

  mt_random_init_stream (&random, seed, 0);
  for (guint j = 0; j < self->shape.n_nodes; j++)
    {
      for (guint i = 0; i < self->shape.n_literals; i++)
        {
          self->params[mt_net_at (layout, layout->map, i, j)] = (float) (0.1 * mt_random_normal (&random));
          self->params[mt_net_at (layout, layout->ltt, i, j)] = (float) (0.1 * mt_random_normal (&random));
        }
      for (guint c = 0; c < self->shape.n_outputs; c++)
        self->params[layout->rule + c * layout->n_nodes16 + j] =
          (float) (spread * mt_random_normal (&random));
    }
  if (self->shape.kind != MT_NODE_DEEP)
    return;
  /* The usual scale for ReLU: k inputs of size one. */
  spread = sqrt (2.0 / self->shape.fan_in);
  for (gsize row = 0; row < (gsize) self->shape.n_nodes * (self->shape.n_literals + 2); row++)
    {
      /* Rows of weights, then a row of biases and one of output weights for each node. */
      gboolean is_out = row >= (gsize) self->shape.n_nodes * (self->shape.n_literals + 1);
      gsize n_units = (gsize) 1 << self->shape.fan_in;
      double size = is_out ? 1.0 / sqrt ((double) n_units) : spread;

      for (gsize u = 0; u < n_units; u++)
        self->params[layout->hidden + row * layout->n_hidden + u] =
          (float) (size * mt_random_normal (&random));
    }
}

/* The chosen inputs get scores above all others of the node: at least RAISE, and at least 0.1 above
 * the largest; all other weights inside the node are set to zero. The hidden layer of a deep node
 * starts with no say (outgoing weights 0), so the node answers exactly as @start does. */
void
mt_net_start_node (MtNet           *self,
                   guint            node,
                   const MtNetNode *start)
{
  const MtNetLayout *layout = &self->layout;
  float raise = RAISE;

  g_return_if_fail (node < self->shape.n_nodes);
  g_return_if_fail (start->n_inputs <= self->shape.fan_in);

  for (guint i = 0; i < self->shape.n_literals; i++)
    {
      self->params[mt_net_at (layout, layout->ltt, i, node)] = 0.0f;
      raise = MAX (raise, self->params[mt_net_at (layout, layout->map, i, node)] + 0.1f);
    }
  for (guint i = 0; i < start->n_inputs; i++)
    {
      float *map;

      g_return_if_fail (start->inputs[i] < self->shape.n_literals);
      map = &self->params[mt_net_at (layout, layout->map, start->inputs[i], node)];
      *map = raise + fabsf (*map);       /* the random part keeps scores apart */
      self->params[mt_net_at (layout, layout->ltt, start->inputs[i], node)] = start->weights[i];
    }
  self->params[layout->bias + node] = start->bias;
  if (self->shape.kind == MT_NODE_DEEP)
    memset (self->params + layout->hidden_out + node * layout->n_hidden, 0,
            layout->n_hidden * sizeof (float));
}

/* As mt_net_start_node(), and the inputs' scores are exactly @margin above all others: with it one says how hard
 * it is for training to choose other inputs. */
void
mt_net_place_node (MtNet           *self,
                   guint            node,
                   const MtNetNode *start,
                   double           margin)
{
  const MtNetLayout *layout = &self->layout;
  float above = -G_MAXFLOAT;

  mt_net_start_node (self, node, start);
  for (guint i = 0; i < self->shape.n_literals; i++)
    {
      gboolean is_input = FALSE;

      for (guint k = 0; k < start->n_inputs; k++)
        is_input = is_input || start->inputs[k] == i;
      if (!is_input)
        above = MAX (above, self->params[mt_net_at (layout, layout->map, i, node)]);
    }
  for (guint k = 0; k < start->n_inputs && above > -G_MAXFLOAT; k++)
    self->params[mt_net_at (layout, layout->map, start->inputs[k], node)] = above + (float) margin;
}

/* Only the scale is changed: the parameters inside stay, and every score becomes score × scale +
 * centre. */
void
mt_net_move_scale (MtNet  *self,
                   double  centre,
                   double  scale)
{
  mt_net_set_target_scale (self, self->target_mean * scale + centre, self->target_sd * scale);
}

/* The same answers with another mean and deviation of the target: head weights are in units of the deviation, so
 * all of them change, and the nodes do not.
 *
 * score = deviation × (inner score) + mean, before and after. Each inner weight is multiplied by
 * old deviation / new deviation; the bias is read in units of the target and written back in the
 * new ones. */
void
mt_net_rescale (MtNet  *self,
                double  mean,
                double  sd)
{
  const MtNetLayout *layout = &self->layout;
  float factor = (float) (self->target_sd / sd);

  for (guint c = 0; c < self->shape.n_outputs; c++)
    {
      double bias = mt_net_get_bias (self, c);

      for (guint j = 0; j < layout->n_nodes16; j++)
        self->params[layout->rule + c * layout->n_nodes16 + j] *= factor;
      for (guint j = 0; j < layout->n_numeric16; j++)
        self->params[layout->numeric + c * layout->n_numeric16 + j] *= factor;
      for (guint j = 0; j < layout->n_literals16; j++)
        self->params[layout->literal + c * layout->n_literals16 + j] *= factor;
      self->params[layout->head_bias + c] = (float) ((bias - mean) / sd);
    }
  mt_net_set_target_scale (self, mean, sd);
}

/* --- reading --- */

const MtNetShape *
mt_net_get_shape (const MtNet *self)
{
  return &self->shape;
}

gboolean
mt_net_is_in_head (const MtNet *self,
                   guint        literal)
{
  g_return_val_if_fail (literal < self->shape.n_literals, FALSE);
  return self->in_head[literal];
}

/* The hard choice of 16 nodes, sorted into ascending literals, with the weight of each. The order
 * matters: sums are made in it (mt_net_node_sums()). */
void
mt_net_read_block (const MtNetLayout *layout,
                   const MtNetShape  *shape,
                   const float       *params,
                   guint              block,
                   MtNetNode         *nodes)
{
  const float *ltt = params + layout->ltt + block * layout->block_size;
  guint32 index[MT_NET_MAX_FAN_IN * MT_LANES];

  mt_topk_hard (params + layout->map + block * layout->block_size, shape->n_literals, shape->fan_in, index);
  for (guint l = 0; l < MT_LANES; l++)
    {
      MtNetNode *node = &nodes[l];

      node->n_inputs = shape->fan_in;
      for (guint r = 0; r < shape->fan_in; r++)
        {
          guint32 input = index[r * MT_LANES + l];
          guint at = r;

          for (; at > 0 && node->inputs[at - 1] > input; at--)
            node->inputs[at] = node->inputs[at - 1];
          node->inputs[at] = input;
        }
      for (guint r = 0; r < shape->fan_in; r++)
        node->weights[r] = ltt[(gsize) node->inputs[r] * MT_LANES + l];
      node->bias = params[layout->bias + block * MT_LANES + l];
    }
}

/* z for all 2^k assignments: each by one addition to the sum without its highest input, so about
 * 2^k additions instead of k 2^k. Deep nodes add their hidden layer, 2^k × h × k steps; that is why
 * their fan-in is limited to 8.
 *
 * In double, from float parameters: this function decides what a node answers, in training, in the
 * network and in the rules made from it, so there must be only one way to calculate it. */
void
mt_net_node_sums (const MtNetLayout *layout,
                  const MtNetShape  *shape,
                  const float       *params,
                  guint              index,
                  const MtNetNode   *node,
                  double            *z,
                  float             *hidden)
{
  guint k = node->n_inputs;

  /* Inputs are added in ascending order for every caller: the sum is the same to the last bit. */
  z[0] = node->bias;
  for (guint i = 0; i < k; i++)
    for (gsize v = 0; v < (gsize) 1 << i; v++)
      z[v | (gsize) 1 << i] = z[v] + (double) node->weights[i];
  if (shape->kind == MT_NODE_DEEP)
    {
      const float *weights = params + layout->hidden + (gsize) index * shape->n_literals * layout->n_hidden;
      const float *bias = params + layout->hidden_bias + index * layout->n_hidden;
      const float *out = params + layout->hidden_out + index * layout->n_hidden;

      for (gsize v = 0; v < (gsize) 1 << k; v++)
        for (gsize u = 0; u < layout->n_hidden; u++)
          {
            double a = bias[u];

            for (guint i = 0; i < k; i++)
              if (v >> i & 1)
                a += (double) weights[node->inputs[i] * layout->n_hidden + u];
            if (a > 0.0)
              z[v] += (double) out[u] * a;
            if (hidden != NULL)
              hidden[v * layout->n_hidden + u] = (float) a;
          }
    }
}

/* Bit v is z[v] > 0. A sum of exactly 0, or one that is not a number, means false. */
void
mt_net_sums_to_table (const double *z,
                      guint         k,
                      guint64      *table)
{
  gsize n = (gsize) 1 << k;

  for (gsize word = 0; word * 64 < n; word++)
    {
      guint64 bits = 0;

      for (gsize v = word * 64; v < MIN (n, word * 64 + 64); v++)
        bits |= (guint64) (z[v] > 0.0) << (v % 64);
      table[word] = bits;
    }
}

/* Chooses for all 16 nodes of the block and gives one: for reading a finished net, not for
 * training. */
void
mt_net_read_node (const MtNet *self,
                  guint        node,
                  MtNetNode   *out)
{
  MtNetNode nodes[MT_LANES];

  g_return_if_fail (node < self->shape.n_nodes);
  mt_net_read_block (&self->layout, &self->shape, self->params, node / MT_LANES, nodes);
  *out = nodes[node % MT_LANES];
}

/* The truth table that the node stands for: choice, sums, signs. 2^k bits, at least one word; k =
 * 16 takes 512 kB of sums on the way. */
void
mt_net_fill_table (const MtNet *self,
                   guint        node,
                   guint64     *table)
{
  g_autofree double *z = g_new (double, (gsize) 1 << self->shape.fan_in);
  MtNetNode it;

  mt_net_read_node (self, node, &it);
  mt_net_node_sums (&self->layout, &self->shape, self->params, node, &it, z, NULL);
  mt_net_sums_to_table (z, it.n_inputs, table);
}

/* A head weight by its place, in units of the target. */
static float *
head_weight (const MtNet *self,
             gsize        part,
             gsize        stride,
             guint        output,
             guint        index)
{
  return self->params + part + output * stride + index;
}

double
mt_net_get_node_weight (const MtNet *self,
                        guint        output,
                        guint        node)
{
  g_return_val_if_fail (output < self->shape.n_outputs && node < self->shape.n_nodes, 0.0);
  return (double) *head_weight (self, self->layout.rule, self->layout.n_nodes16, output, node) *
         self->target_sd;
}

void
mt_net_set_node_weight (MtNet *self,
                        guint  output,
                        guint  node,
                        double value)
{
  g_return_if_fail (output < self->shape.n_outputs && node < self->shape.n_nodes);
  *head_weight (self, self->layout.rule, self->layout.n_nodes16, output, node) =
    (float) (value / self->target_sd);
}

double
mt_net_get_literal_weight (const MtNet *self,
                           guint        output,
                           guint        literal)
{
  g_return_val_if_fail (output < self->shape.n_outputs && literal < self->shape.n_literals, 0.0);
  return (double) *head_weight (self, self->layout.literal, self->layout.n_literals16, output, literal) *
         self->target_sd;
}

void
mt_net_set_literal_weight (MtNet *self,
                           guint  output,
                           guint  literal,
                           double value)
{
  g_return_if_fail (output < self->shape.n_outputs && literal < self->shape.n_literals);
  g_return_if_fail (self->in_head[literal]);
  *head_weight (self, self->layout.literal, self->layout.n_literals16, output, literal) =
    (float) (value / self->target_sd);
}

double
mt_net_get_numeric_weight (const MtNet *self,
                           guint        output,
                           guint        column)
{
  g_return_val_if_fail (output < self->shape.n_outputs && column < self->shape.n_numeric, 0.0);
  return (double) *head_weight (self, self->layout.numeric, self->layout.n_numeric16, output, column) *
         self->target_sd;
}

void
mt_net_set_numeric_weight (MtNet *self,
                           guint  output,
                           guint  column,
                           double value)
{
  g_return_if_fail (output < self->shape.n_outputs && column < self->shape.n_numeric);
  *head_weight (self, self->layout.numeric, self->layout.n_numeric16, output, column) =
    (float) (value / self->target_sd);
}

double
mt_net_get_bias (const MtNet *self,
                 guint        output)
{
  g_return_val_if_fail (output < self->shape.n_outputs, 0.0);
  return (double) self->params[self->layout.head_bias + output] * self->target_sd + self->target_mean;
}

void
mt_net_set_bias (MtNet *self,
                 guint  output,
                 double value)
{
  g_return_if_fail (output < self->shape.n_outputs);
  self->params[self->layout.head_bias + output] = (float) ((value - self->target_mean) / self->target_sd);
}

void
mt_net_set_target_scale (MtNet *self,
                         double mean,
                         double sd)
{
  g_return_if_fail (sd > 0.0);
  self->target_mean = mean;
  self->target_sd = sd;
}

/* --- scores --- */

/* The answers of a node for all rows, 512 at a time: through its truth table up to MT_TABLE_MAX_INPUTS inputs, by
 * adding weights above. */
static void
fill_plane (const MtNet     *self,
            const MtNetNode *node,
            const guint64   *table,
            const MtEncoded *encoded,
            guint64         *plane)
{
  const MtKernels *kernels = mt_kernels_get ();
  guint64 bits[MT_NET_MAX_FAN_IN * MT_CHUNK_WORDS] __attribute__ ((aligned (64)));
  guint64 out[MT_CHUNK_WORDS] __attribute__ ((aligned (64)));
  guint32 own[MT_NET_MAX_FAN_IN];

  for (guint i = 0; i < node->n_inputs; i++)
    own[i] = i;
  for (gsize word = 0; word < mt_encoded_get_n_words (encoded); word += MT_CHUNK_WORDS)
    {
      for (guint i = 0; i < node->n_inputs; i++)
        memcpy (bits + i * MT_CHUNK_WORDS, mt_encoded_get_plane (encoded, node->inputs[i]) + word,
                MT_CHUNK / 8);
      if (node->n_inputs <= MT_TABLE_MAX_INPUTS)
        kernels->node_table (bits, own, node->n_inputs, table, out);
      else
        kernels->node_sum (bits, own, node->weights, node->bias, node->n_inputs, out);
      memcpy (plane + word, out, sizeof out);
    }
}

/* One node over all rows; costs 2^(k−2) − 1 choices between words for each vector of rows
 * (mt-kernels-simd.h). */
void
mt_net_fill_plane (const MtNet     *self,
                   guint            node,
                   const MtEncoded *encoded,
                   guint64         *plane)
{
  g_autofree guint64 *table = g_new0 (guint64, ((gsize) 1 << self->shape.fan_in) / 64 + 4);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  gsize n_words = mt_encoded_get_n_words (encoded);
  MtNetNode it;

  g_return_if_fail (mt_encoded_get_n_literals (encoded) == self->shape.n_literals);

  mt_net_read_node (self, node, &it);
  mt_net_fill_table (self, node, table);
  fill_plane (self, &it, table, encoded, plane);
  /* Bits past the last row are zero, as in every plane. */
  for (gsize word = n_rows / 64; word < n_words; word++)
    plane[word] &= word == n_rows / 64 ? ((guint64) 1 << (n_rows % 64)) - 1 : 0;
}

/* The scores in double, from the same truth tables as training, but the sums are made in another
 * order and precision than in the backends: they agree to rounding. Bias, nodes, literals of the
 * head, numbers, in this order. */
void
mt_net_score (const MtNet     *self,
              const MtEncoded *encoded,
              double          *scores)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree guint64 *plane = g_new (guint64, MAX (mt_encoded_get_n_words (encoded), 1));

  g_return_if_fail (mt_encoded_get_n_literals (encoded) == self->shape.n_literals);
  g_return_if_fail (mt_encoded_get_n_numeric (encoded) == self->shape.n_numeric);

  for (guint c = 0; c < self->shape.n_outputs; c++)
    for (gsize r = 0; r < n_rows; r++)
      scores[c * n_rows + r] = mt_net_get_bias (self, c);
  for (guint j = 0; j < self->shape.n_nodes; j++)
    {
      mt_net_fill_plane (self, j, encoded, plane);
      for (guint c = 0; c < self->shape.n_outputs; c++)
        mt_plane_add (plane, mt_net_get_node_weight (self, c, j), scores + c * n_rows, n_rows);
    }
  for (guint c = 0; c < self->shape.n_outputs; c++)
    {
      for (guint i = 0; i < self->shape.n_literals; i++)
        if (self->in_head[i])
          mt_plane_add (mt_encoded_get_plane (encoded, i), mt_net_get_literal_weight (self, c, i),
                        scores + c * n_rows, n_rows);
      for (guint u = 0; u < self->shape.n_numeric; u++)
        {
          const double *x = mt_encoded_get_numeric (encoded, u);
          double w = mt_net_get_numeric_weight (self, c, u);

          for (gsize r = 0; r < n_rows; r++)
            scores[c * n_rows + r] += w * x[r];
        }
    }
}
