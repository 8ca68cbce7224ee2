/* Builds the diagram for an order: the table is permuted so that the last input asked is its
 * lowest, and neighboring entries are paired level by level, equal pairs once. What is reached from
 * the root is then numbered from the top.
 *
 * An example, x0 ∧ x1 asked in this order. The permuted table is 0 0 0 1 (the last entry: both
 * true). At the bottom x1 is asked: the pair (0, 0) needs no node and stays the leaf false; the
 * pair (0, 1) becomes a node. At the top x0 is asked: its pair is (false, that node), a second node
 * and the root. After numbering from the top the root is node 2 and the other one is node 3.
 *
 * Cost for k inputs: 2^k entries for the permuted table and 2^k − 1 pairs, each looked up in a hash
 * table. Only 2^k numbers and the nodes are stored. */
#include "config.h"
#include "mt-diagram.h"

#include <string.h>

#include "mt-diagram-order.h"

struct _MtDiagram {
  gatomicrefcount  ref_count;
  guint            fan_in;
  guint            n_nodes;
  guint            root;
  guint            n_levels;
  gboolean         best_order;
  guint8           order[MT_TRUTH_TABLE_MAX_FAN_IN];   /* of the levels */
  MtDiagramNode   *nodes;
};

/* All nodes for @order (top first), leaves first, children before parents; gives the root.
 *
 * at[v] is the node that is reached after the answers v to the inputs above the present level; the
 * last of these answers is the lowest bit of v. A level halves its length in place: entry v is
 * written after the entries 2 v and 2 v + 1 were read, and later ones are not touched.
 *
 * The hash table is cleared for each level: two nodes are the same only if they ask the same input. */
static guint
pair_levels (guint          fan_in,
             const guint64 *table,
             const guint8  *order,
             GArray        *nodes)
{
  g_autofree guint64 *permuted = g_new (guint64, mt_truth_table_n_words (fan_in));
  g_autofree guint32 *at = g_new (guint32, (gsize) 1 << fan_in);
  guint8 reversed[MT_TRUTH_TABLE_MAX_FAN_IN];
  MtDiagramNode leaf = { 0, fan_in, 0, 0 };
  MtPairTable pairs;
  guint root;

  g_array_append_val (nodes, leaf);
  leaf.low = leaf.high = MT_DIAGRAM_TRUE;
  g_array_append_val (nodes, leaf);

  for (guint i = 0; i < fan_in; i++)
    reversed[i] = order[fan_in - 1 - i];
  mt_truth_table_permute (fan_in, table, reversed, permuted);
  for (guint32 v = 0; v < 1u << fan_in; v++)
    at[v] = mt_truth_table_get (permuted, v) ? MT_DIAGRAM_TRUE : MT_DIAGRAM_FALSE;

  mt_pair_table_init (&pairs, 1u << fan_in);
  for (guint level = fan_in; level-- > 0;)
    {
      mt_pair_table_reset (&pairs, 1u << level);
      for (guint32 v = 0; v < 1u << level; v++)
        {
          MtDiagramNode node = { order[level], level, at[2 * v], at[2 * v + 1] };

          at[v] = node.low;
          if (node.low == node.high)
            continue;
          at[v] = mt_pair_table_get (&pairs, node.low, node.high, nodes->len);
          if (at[v] == nodes->len)
            g_array_append_val (nodes, node);
        }
    }
  root = at[0];
  mt_pair_table_clear (&pairs);
  return root;
}

/* Numbers the nodes level by level, within a level in the order in which their parents name them:
 * each level has a queue, and is complete when the levels above are done. */
static void
number_from_top (const MtDiagramNode *made,
                 guint                n_made,
                 guint                root,
                 guint                n_levels,
                 guint               *number)
{
  g_autofree guint *behind = g_new (guint, n_made);
  guint first[MT_TRUTH_TABLE_MAX_FAN_IN + 1], last[MT_TRUTH_TABLE_MAX_FAN_IN + 1];
  guint next = MT_DIAGRAM_FIRST_INNER;

  for (guint i = 0; i < n_made; i++)
    number[i] = i < MT_DIAGRAM_FIRST_INNER ? i : G_MAXUINT;
  for (guint level = 0; level <= n_levels; level++)
    first[level] = last[level] = G_MAXUINT;
  first[made[root].level] = last[made[root].level] = root;

  for (guint level = 0; level < n_levels; level++)
    for (guint node = first[level]; node != G_MAXUINT; node = node == last[level] ? G_MAXUINT : behind[node])
      {
        number[node] = next++;
        for (guint side = 0; side < 2; side++)
          {
            guint child = side == 0 ? made[node].low : made[node].high;
            guint child_level = made[child].level;

            /* G_MAXUINT: not met yet; anything else: numbered, or waiting. */
            if (number[child] != G_MAXUINT)
              continue;
            number[child] = 0;
            if (first[child_level] == G_MAXUINT)
              first[child_level] = child;
            else
              behind[last[child_level]] = child;
            last[child_level] = child;
          }
      }
}

/* Order, nodes, levels, numbers. Inputs that the table does not depend on have no node, and so no
 * level.
 *
 * All nodes that pair_levels() made are reached from the root, so the array needs no gaps: number[]
 * maps them one to one. The two leaves keep the numbers 0 and 1 even if one of them is not reached
 * (a constant table). */
MtDiagram *
mt_diagram_new (guint          fan_in,
                const guint64 *table)
{
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (MtDiagramNode));
  g_autofree guint *number = NULL;
  guint8 order[MT_TRUTH_TABLE_MAX_FAN_IN];
  guint level_of[MT_TRUTH_TABLE_MAX_FAN_IN + 1] = { 0 };
  gboolean used[MT_TRUTH_TABLE_MAX_FAN_IN + 1] = { FALSE };
  MtDiagram *diagram;
  guint root;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, NULL);
  g_return_val_if_fail (table != NULL, NULL);

  diagram = g_new0 (MtDiagram, 1);
  g_atomic_ref_count_init (&diagram->ref_count);
  diagram->fan_in = fan_in;
  diagram->best_order = mt_diagram_find_order (fan_in, table, order);
  root = pair_levels (fan_in, table, order, made);

  /* Inputs without nodes lose their level. */
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < made->len; i++)
    used[g_array_index (made, MtDiagramNode, i).level] = TRUE;
  for (guint level = 0; level <= fan_in; level++)
    {
      level_of[level] = diagram->n_levels;
      if (used[level])
        diagram->order[diagram->n_levels++] = order[level];
    }

  number = g_new (guint, made->len);
  number_from_top ((const MtDiagramNode *) (gpointer) made->data, made->len, root, fan_in, number);
  diagram->root = number[root];
  diagram->n_nodes = made->len;
  diagram->nodes = g_new (MtDiagramNode, made->len);
  for (guint i = 0; i < made->len; i++)
    {
      const MtDiagramNode *node = &g_array_index (made, MtDiagramNode, i);

      diagram->nodes[number[i]] = (MtDiagramNode) { node->input, level_of[node->level], number[node->low],
                                                    number[node->high] };
    }
  return diagram;
}

void
mt_diagram_unref (MtDiagram *diagram)
{
  g_return_if_fail (diagram != NULL);

  if (g_atomic_ref_count_dec (&diagram->ref_count))
    {
      g_free (diagram->nodes);
      g_free (diagram);
    }
}

guint
mt_diagram_get_n_nodes (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, 0);

  return diagram->n_nodes;
}

const MtDiagramNode *
mt_diagram_get_nodes (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, NULL);

  return diagram->nodes;
}

guint
mt_diagram_get_root (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, 0);

  return diagram->root;
}

guint
mt_diagram_get_n_levels (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, 0);

  return diagram->n_levels;
}

const guint8 *
mt_diagram_get_order (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, NULL);

  return diagram->order;
}

gboolean
mt_diagram_is_best_order (const MtDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, FALSE);

  return diagram->best_order;
}

/* The nodes on the way of one assignment, from the root to a leaf, into @nodes, which has room for one for each
 * input and the leaf. Returns their number. */
guint
mt_diagram_trace (const MtDiagram *diagram,
                  guint32          assignment,
                  guint           *nodes)
{
  guint at, n = 0;

  g_return_val_if_fail (diagram != NULL && nodes != NULL, 0);

  at = diagram->root;
  nodes[n++] = at;
  while (at >= MT_DIAGRAM_FIRST_INNER)
    {
      const MtDiagramNode *node = &diagram->nodes[at];

      at = (assignment >> node->input) & 1 ? node->high : node->low;
      nodes[n++] = at;
    }
  return n;
}

gboolean
mt_diagram_evaluate (const MtDiagram *diagram,
                     guint32          assignment)
{
  guint nodes[MT_TRUTH_TABLE_MAX_FAN_IN + 1];

  g_return_val_if_fail (diagram != NULL, FALSE);

  return nodes[mt_diagram_trace (diagram, assignment, nodes) - 1] == MT_DIAGRAM_TRUE;
}

/* All paths from @at on, low branch first; stops when @func says so. A path is a cube: the inputs that were asked
 * and their answers. */
static gboolean
walk (const MtDiagram   *diagram,
      guint              at,
      MtCube             path,
      MtDiagramPathFunc  func,
      gpointer           data)
{
  const MtDiagramNode *node = &diagram->nodes[at];
  MtCube further = { path.mask | 1u << node->input, path.value };

  if (at < MT_DIAGRAM_FIRST_INNER)
    return func (path, at == MT_DIAGRAM_TRUE, data);
  if (!walk (diagram, node->low, further, func, data))
    return FALSE;
  further.value |= 1u << node->input;
  return walk (diagram, node->high, further, func, data);
}

void
mt_diagram_foreach_path (const MtDiagram   *diagram,
                         MtDiagramPathFunc  func,
                         gpointer           data)
{
  g_return_if_fail (diagram != NULL && func != NULL);

  walk (diagram, diagram->root, (MtCube) { 0, 0 }, func, data);
}
