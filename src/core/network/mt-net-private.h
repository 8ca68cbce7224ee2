/* Where each parameter lies, for backends and for the reference.
 *
 * All parameters are one aligned array of floats, so that optimizer, norm and copies are
 * single loops. Matrices literals × nodes lie in blocks of 16 nodes (mt-kernels-private.h).
 * What pads a part is zero and stays zero, because its gradient is zero. */
#pragma once

#include "mt-kernels-private.h"
#include "mt-net.h"

G_BEGIN_DECLS

typedef struct {
  guint n_blocks;           /* of 16 nodes */
  gsize n_nodes16;          /* n_blocks × 16 */
  gsize n_literals16;       /* padded */
  gsize n_numeric8;         /* padded: also the stride of numeric rows */
  gsize n_hidden;           /* deep: 2^k, padded */
  gsize block_size;         /* n_literals × 16 */

  gsize map, ltt;           /* n_blocks × n_literals × 16 */
  gsize bias;               /* n_nodes16 */
  gsize rule;               /* n_outputs × n_nodes16 */
  gsize literal;            /* n_outputs × n_literals16 */
  gsize numeric;            /* n_outputs × n_numeric16 */
  gsize n_numeric16;
  gsize head_bias;          /* n_outputs, padded */
  gsize hidden;             /* deep: n_nodes × n_literals × n_hidden */
  gsize hidden_bias;        /* deep: n_nodes × n_hidden */
  gsize hidden_out;         /* deep: n_nodes × n_hidden */
  gsize n_params;           /* a multiple of 16 */
} MtNetLayout;

struct _MtNet {
  gatomicrefcount  ref_count;
  MtNetShape       shape;
  MtNetLayout      layout;
  double           temperature;
  double           target_mean, target_sd;
  guint8          *in_head;        /* n_literals */
  float           *params;
};

static inline gsize
mt_net_at (const MtNetLayout *layout,
           gsize              matrix,     /* layout->map or ->ltt */
           guint              literal,
           guint              node)
{
  return matrix + (node / MT_LANES) * layout->block_size + (gsize) literal * MT_LANES + node % MT_LANES;
}

/* The chosen inputs of the 16 nodes of a block, ascending; nodes: 16. */
void  mt_net_read_block   (const MtNetLayout *layout, const MtNetShape *shape, const float *params,
                           guint block, MtNetNode *nodes);
/* z of each assignment: 2^k doubles. Deep nodes give their hidden activations too when
 * @hidden is not NULL: 2^k × n_hidden floats, before the ReLU. */
void  mt_net_node_sums    (const MtNetLayout *layout, const MtNetShape *shape, const float *params,
                           guint index, const MtNetNode *node, double *z, float *hidden);
void  mt_net_sums_to_table (const double *z, guint k, guint64 *table);

G_END_DECLS
