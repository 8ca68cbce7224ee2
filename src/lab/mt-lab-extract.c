/* From a network's nodes to rules. See mt-lab-extract.h. */
#include "config.h"
#include "mt-lab-extract.h"

static guint
assignment_of (const MtLabNode       *node,
               const guint64 * const *planes,
               gsize                  row)
{
  guint v = 0;

  for (guint i = 0; i < node->n_inputs; i++)
    v |= (guint) mt_plane_get (planes[i], row) << i;
  return v;
}

static void
find_planes (const MtLabNode  *node,
             const MtEncoded  *encoded,
             const guint64   **planes)
{
  for (guint i = 0; i < node->n_inputs; i++)
    planes[i] = mt_encoded_get_plane (encoded, node->inputs[i]);
}

gboolean
mt_lab_node_look (MtLabNode       *node,
                  const MtEncoded *encoded)
{
  const guint64 *planes[MT_LAB_MAX_INPUTS];
  gboolean seen[2] = { FALSE, FALSE };

  find_planes (node, encoded, planes);
  mt_truth_table_fill (node->n_inputs, TRUE, node->unseen);
  for (gsize r = 0; r < mt_encoded_get_n_rows (encoded); r++)
    {
      guint v = assignment_of (node, planes, r);

      mt_truth_table_set (node->unseen, v, FALSE);
      seen[mt_truth_table_get (node->table, v)] = TRUE;
    }
  return seen[0] && seen[1];
}

void
mt_lab_node_answers (const MtCover   *cover,
                     const MtLabNode *node,
                     const MtEncoded *encoded,
                     guint8          *answers)
{
  const guint64 *planes[MT_LAB_MAX_INPUTS];
  guint64 table[4];

  find_planes (node, encoded, planes);
  mt_cover_to_table (cover, node->n_inputs, table);
  for (gsize r = 0; r < mt_encoded_get_n_rows (encoded); r++)
    answers[r] = mt_truth_table_get (table, assignment_of (node, planes, r));
}

gboolean
mt_lab_node_read (MtLabNode   *node,
                  const MtNet *net,
                  guint        index)
{
  MtNetNode from;

  mt_net_read_node (net, index, &from);
  if (from.n_inputs == 0 || from.n_inputs > MT_LAB_MAX_INPUTS)
    return FALSE;
  *node = (MtLabNode) { .n_inputs = from.n_inputs };
  for (guint i = 0; i < from.n_inputs; i++)
    node->inputs[i] = from.inputs[i];
  mt_net_fill_table (net, index, node->table);
  return TRUE;
}
