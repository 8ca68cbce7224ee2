/* Constraints that hold while a network is trained, not only for what is made of it. See mt-net-
 * constraints.h.
 *
 * An example: Age is rising, node j has the sign −1 (its head weight is negative). A literal Age ≥
 * 55 must then have a weight ≤ 0 inside the node: as Age grows, z falls, the node may turn false,
 * and losing a negative weight lets the score rise.
 *
 * Projection means setting to zero what has the wrong sign. It is done after each step of the
 * optimizer, by the task that owns the parameters. */
#include "config.h"
#include "mt-net-constraints.h"

#include <math.h>
#include <string.h>

gboolean
mt_net_constraints_are_set (const MtNetConstraints *limits)
{
  return limits->directions != NULL || limits->no_negation;
}

static gboolean
is_deep (const MtNet *net)
{
  return net->shape.kind == MT_NODE_DEEP;
}

/* The sign that a node starts with. If its chosen inputs have directions, the sum of weight ×
 * direction says whether the node rises or falls with its columns, and the sign is that of the sum;
 * otherwise it is that of its weight in the head. */
static gint8
first_sign (const MtNetConstraints *limits,
            const MtNet       *net,
            guint              node)
{
  MtNetNode from;
  double sum = 0;

  mt_net_read_node (net, node, &from);
  for (guint i = 0; i < from.n_inputs; i++)
    sum += (double) from.weights[i] * limits->directions[from.inputs[i]];
  return copysign (1, sum != 0 ? sum : mt_net_get_node_weight (net, 0, node)) < 0 ? -1 : 1;
}

/* Gives each node a sign for good, by the conjunction that it starts at, and projects everything onto what is
 * allowed. From then on the head's weight of a node keeps its sign, and the node's inputs may only move its sum in
 * directions that the constraints allow together with that sign. Training projects again after every step. */
void
mt_net_constraints_start (const MtNetConstraints *limits,
                          MtNet             *net)
{
  const MtNetLayout *layout = &net->layout;
  g_autofree gint8 *signs = g_new (gint8, layout->n_nodes16);

  for (guint j = 0; j < layout->n_nodes16; j++)
    signs[j] = 1;
  for (guint j = 0; limits->directions != NULL && j < net->shape.n_nodes; j++)
    {
      float *weight = net->params + layout->rule + j;

      signs[j] = first_sign (limits, net, j);
      *weight = fabsf (*weight) * signs[j];
    }
  for (gsize u = 0; is_deep (net) && u < net->shape.n_nodes * layout->n_hidden; u++)
    net->params[layout->hidden_out + u] = fabsf (net->params[layout->hidden_out + u]);
  for (guint b = 0; b < layout->n_blocks; b++)
    mt_net_constraints_project_block (limits, signs, net, b);
  mt_net_constraints_project_head (limits, signs, net);
}

/* The sign of a node is that of its weight in the head; a weight that was projected to zero keeps it as the sign
 * of the zero. */
void
mt_net_constraints_read_signs (const MtNet *net,
                               gint8       *signs)
{
  for (guint j = 0; j < net->layout.n_nodes16; j++)
    signs[j] = signbit (net->params[net->layout.rule + j]) ? -1 : 1;
}

/* Whether the sum of a node with this sign may move by @weight with the literal. */
static inline gboolean
is_allowed (const MtNetConstraints *limits,
            guint              literal,
            gint8              sign,
            float              weight)
{
  int direction = limits->directions != NULL ? limits->directions[literal] * sign : 0;

  return !(limits->no_negation && weight < 0) && weight * (float) direction >= 0;
}

/* A hidden unit counts for its node, never against it, and moves with each literal as the node may. Any function
 * that complies is still within reach: a unit for each of its conjunctions. */
static void
project_deep (const MtNetConstraints *limits,
              gint8              sign,
              MtNet             *net,
              guint              node)
{
  const MtNetLayout *layout = &net->layout;
  float *weights = net->params + layout->hidden + (gsize) node * net->shape.n_literals * layout->n_hidden;
  float *out = net->params + layout->hidden_out + node * layout->n_hidden;

  for (guint i = 0; i < net->shape.n_literals; i++)
    for (gsize u = 0; u < layout->n_hidden; u++)
      if (!is_allowed (limits, i, sign, weights[i * layout->n_hidden + u]))
        weights[i * layout->n_hidden + u] = 0;
  for (gsize u = 0; u < layout->n_hidden; u++)
    out[u] = MAX (out[u], 0);
}

/* All literals of 16 nodes, chosen or not: a literal may be chosen later. Lanes past the last node
 * hold zeros, which are always allowed. */
void
mt_net_constraints_project_block (const MtNetConstraints *limits,
                                  const gint8       *signs,
                                  MtNet             *net,
                                  guint              block)
{
  const MtNetLayout *layout = &net->layout;
  float *weights = net->params + layout->ltt + block * layout->block_size;

  for (guint i = 0; i < net->shape.n_literals; i++)
    for (guint l = 0; l < MT_LANES; l++)
      {
        float *weight = &weights[i * MT_LANES + l];
        if (!is_allowed (limits, i, signs[block * MT_LANES + l], *weight))
          *weight = 0;
      }
  for (guint j = block * MT_LANES; is_deep (net) && j < MIN ((block + 1) * MT_LANES, net->shape.n_nodes); j++)
    project_deep (limits, signs[j], net, j);
}

/* A zero keeps the sign, too: mt_net_constraints_read_signs() finds it there. */
static void
project (float       *weights,
         const gint8 *signs,
         guint        n)
{
  for (guint i = 0; i < n; i++)
    if (signs[i] != 0 && weights[i] * (float) signs[i] <= 0)
      weights[i] = copysignf (0, signs[i]);
}

void
mt_net_constraints_project_head (const MtNetConstraints *limits,
                                 const gint8       *signs,
                                 MtNet             *net)
{
  const MtNetLayout *layout = &net->layout;

  if (limits->directions == NULL)
    return;
  project (net->params + layout->rule, signs, net->shape.n_nodes);
  project (net->params + layout->literal, limits->directions, net->shape.n_literals);
  if (limits->numeric_directions != NULL)
    project (net->params + layout->numeric, limits->numeric_directions, net->shape.n_numeric);
}

/* Which side a direction leaves. */
static guint8
code_of (int direction)
{
  return direction > 0 ? MT_LIMIT_NOT_NEGATIVE : direction < 0 ? MT_LIMIT_NOT_POSITIVE : 0;
}

static void
fill_head (guint8      *codes,
           const gint8 *directions,
           guint        n)
{
  for (guint i = 0; i < n; i++)
    codes[i] = directions[i] != 0 ? code_of (directions[i]) | MT_LIMIT_SIGNED_ZERO : 0;
}

/* What the projections above do, written down for each parameter: the GPU has one thread for each
 * and no loops over nodes. 0 means free. Zeros of the head keep their sign (MT_LIMIT_SIGNED_ZERO),
 * because the sign of a node is read from there. */
void
mt_net_constraints_fill_codes (const MtNetConstraints *limits,
                               const MtNet       *net,
                               const float       *params,
                               guint8            *codes)
{
  const MtNetLayout *layout = &net->layout;
  guint n_literals = net->shape.n_literals;
  g_autofree gint8 *signs = g_new (gint8, layout->n_nodes16);

  memset (codes, 0, layout->n_params);
  for (guint j = 0; j < layout->n_nodes16; j++)
    signs[j] = signbit (params[layout->rule + j]) ? -1 : 1;
  for (guint j = 0; j < net->shape.n_nodes; j++)
    for (guint i = 0; i < n_literals; i++)
      {
        guint8 code = code_of (limits->directions != NULL ? limits->directions[i] * signs[j] : 0) |
                      (limits->no_negation ? MT_LIMIT_NOT_NEGATIVE : 0);

        codes[layout->ltt + j / MT_LANES * layout->block_size + (gsize) i * MT_LANES + j % MT_LANES] = code;
        for (gsize u = 0; is_deep (net) && u < layout->n_hidden; u++)
          codes[layout->hidden + ((gsize) j * n_literals + i) * layout->n_hidden + u] = code;
      }
  for (gsize u = 0; is_deep (net) && u < net->shape.n_nodes * layout->n_hidden; u++)
    codes[layout->hidden_out + u] = MT_LIMIT_NOT_NEGATIVE;
  if (limits->directions == NULL)
    return;
  fill_head (codes + layout->rule, signs, net->shape.n_nodes);
  fill_head (codes + layout->literal, limits->directions, n_literals);
  if (limits->numeric_directions != NULL)
    fill_head (codes + layout->numeric, limits->numeric_directions, net->shape.n_numeric);
}
