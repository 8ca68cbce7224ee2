/* The same rows with fewer thresholds, for networks. See mt-coarse-rows.h. */
#include "config.h"
#include "mt-coarse-rows.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-large.h"
#include "mt-net-private.h"

/* What each code of a group becomes when some of its thresholds are left out. The code of a thermometer is the
 * number of thresholds that the value reaches; the new code is the number of those among them that are kept. The
 * code of missing stays the last one. Levels are never left out: their codes stay.
 *
 * Thresholds 10, 20, 30, 40 of which 20 and 40 are left out: the codes 0 1 2 3 4 become 0 1 1 2 2.
 * A value of 25 had code 2 (it reaches 10 and 20), now 1 (it reaches 10). */
static void
map_codes (const MtGroup  *group,
           const gboolean *left_out,
           guint8         *codes)
{
  guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0), n = 0;

  if (group->kind != MT_GROUP_THERMOMETER)
    {
      for (guint code = 0; code < mt_group_get_n_codes (group); code++)
        codes[code] = (guint8) code;
      return;
    }
  for (guint code = 0; code <= n_thresholds; code++)
    {
      codes[code] = (guint8) n;
      n += code < n_thresholds && !left_out[group->first_literal + code];
    }
  if (group->has_missing)
    codes[n_thresholds + 1] = (guint8) (n + 1);
}

/* The codes of all rows, n_groups × n_rows bytes, through the map of each group. The planes are made of them again
 * by mt_encoded_new_take(); they are not picked from the old ones. NULL when there is no memory. */
static guint8 *
thin_codes (const MtEncoded *encoded,
            const gboolean  *left_out)
{
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  guint n_groups = mt_encoded_get_n_groups (encoded);
  guint8 *codes = mt_large_new0 (n_groups * n_rows);

  for (guint g = 0; g < n_groups && codes != NULL; g++)
    {
      const guint8 *from = mt_encoded_get_codes (encoded, g);
      guint8 map[MT_GROUP_MAX_LITERALS + 1];

      map_codes (&groups[g], left_out, map);
      for (gsize r = 0; r < n_rows; r++)
        codes[g * n_rows + r] = map[from[r]];
    }
  return codes;
}

/* @left_out has an entry for each literal of @encoded. self->literals gives the old number of each new literal,
 * ascending; it is the way back when a trained network is widened. */
MtCoarseRows *
mt_coarse_rows_new (const MtEncoded  *encoded,
                    const gboolean   *left_out,
                    GCancellable     *cancellable,
                    GError          **error)
{
  g_autoptr (MtCoarseRows) self = g_new0 (MtCoarseRows, 1);
  guint n_groups = mt_encoded_get_n_groups (encoded), n = 0;
  g_autofree MtGroup *groups = g_memdup2 (mt_encoded_get_groups (encoded), n_groups * sizeof (MtGroup));
  guint8 *codes = thin_codes (encoded, left_out);

  self->literals = g_new (guint, MAX (mt_encoded_get_n_literals (encoded), 1));
  for (guint g = 0; g < n_groups; g++)
    {
      guint first = groups[g].first_literal, last = first + groups[g].n_literals;

      groups[g].first_literal = n;
      for (guint l = first; l < last; l++)
        if (!left_out[l])
          self->literals[n++] = l;
      groups[g].n_literals = n - groups[g].first_literal;
    }
  if (codes == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, "Not enough memory for the rows of a network");
      return NULL;
    }
  self->encoded = mt_encoded_new_sharing (encoded, groups, n_groups, codes, cancellable, error);
  if (self->encoded == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

void
mt_coarse_rows_free (MtCoarseRows *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->encoded, mt_encoded_unref);
  g_free (self->literals);
  g_free (self);
}

/* From one value for each fine literal to one for each coarse literal: directions of constraints,
 * for instance. */
gint8 *
mt_coarse_rows_pick (const MtCoarseRows *self,
                     const gint8  *values)
{
  guint n = mt_encoded_get_n_literals (self->encoded);
  gint8 *picked;

  if (values == NULL)
    return NULL;
  picked = g_new (gint8, MAX (n, 1));
  for (guint l = 0; l < n; l++)
    picked[l] = values[self->literals[l]];
  return picked;
}

/* One less than the least of the scores by which a node chooses its inputs. Literals that were left out get this
 * score, so the node chooses the same inputs in the wide network as before. */
static float
below_all (const MtNet *net,
           guint        node)
{
  const MtNetLayout *layout = &net->layout;
  float least = 0;

  for (guint l = 0; l < net->shape.n_literals; l++)
    least = MIN (least, net->params[mt_net_at (layout, layout->map, l, node)]);
  return least - 1;
}

/* Copies what a node knows about each kept literal to the literal's old place. The others keep weight zero and get
 * a score below all. */
static void
widen_node (const MtCoarseRows *self,
            const MtNet  *net,
            guint         node,
            MtNet        *wide)
{
  const MtNetLayout *from = &net->layout, *to = &wide->layout;
  float below = below_all (net, node);

  for (guint l = 0; l < wide->shape.n_literals; l++)
    wide->params[mt_net_at (to, to->map, l, node)] = below;
  for (guint l = 0; l < net->shape.n_literals; l++)
    {
      guint at = self->literals[l];

      wide->params[mt_net_at (to, to->map, at, node)] = net->params[mt_net_at (from, from->map, l, node)];
      wide->params[mt_net_at (to, to->ltt, at, node)] = net->params[mt_net_at (from, from->ltt, l, node)];
      if (net->shape.kind == MT_NODE_DEEP)
        memcpy (wide->params + to->hidden + ((gsize) node * wide->shape.n_literals + at) * to->n_hidden,
                net->params + from->hidden + ((gsize) node * net->shape.n_literals + l) * from->n_hidden,
                from->n_hidden * sizeof (float));
    }
}

/* A network that was trained on the coarse rows, for the full set of @n_literals literals: it gives the same
 * scores, since no node chooses a literal that it did not know and the head's weights of such literals are zero.
 * Parts that do not depend on literals are copied as they are.
 *
 * Cost: the size of the wide network, nodes × @n_literals. It is done once, after training. */
MtNet *
mt_coarse_rows_widen (const MtCoarseRows *self,
                      const MtNet  *net,
                      guint         n_literals)
{
  MtNetShape shape = net->shape;
  const MtNetLayout *from = &net->layout, *to;
  g_autofree guint8 *in_head = g_malloc0 (MAX (n_literals, 1));
  MtNet *wide;

  shape.n_literals = n_literals;
  for (guint l = 0; l < net->shape.n_literals; l++)
    in_head[self->literals[l]] = net->in_head[l];
  wide = mt_net_new (&shape, in_head, net->temperature);
  to = &wide->layout;
  wide->target_mean = net->target_mean;
  wide->target_sd = net->target_sd;
  for (guint node = 0; node < shape.n_nodes; node++)
    widen_node (self, net, node, wide);
  memcpy (wide->params + to->bias, net->params + from->bias, from->n_nodes16 * sizeof (float));
  memcpy (wide->params + to->rule, net->params + from->rule, shape.n_outputs * from->n_nodes16 * sizeof (float));
  memcpy (wide->params + to->numeric, net->params + from->numeric,
          shape.n_outputs * from->n_numeric16 * sizeof (float));
  memcpy (wide->params + to->head_bias, net->params + from->head_bias, mt_pad16 (shape.n_outputs) * sizeof (float));
  for (guint c = 0; c < shape.n_outputs; c++)
    for (guint l = 0; l < net->shape.n_literals; l++)
      wide->params[to->literal + c * to->n_literals16 + self->literals[l]] =
        net->params[from->literal + c * from->n_literals16 + l];
  if (shape.kind == MT_NODE_DEEP)
    {
      gsize n = shape.n_nodes * from->n_hidden * sizeof (float);

      memcpy (wide->params + to->hidden_bias, net->params + from->hidden_bias, n);
      memcpy (wide->params + to->hidden_out, net->params + from->hidden_out, n);
    }
  return wide;
}
