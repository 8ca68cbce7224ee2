/* A truth table as a decision diagram: ordered (inputs are asked in one order on every path),
 * reduced (no question whose answer does not matter, no part drawn twice), and with the order
 * that needs the fewest nodes.
 *
 * Node 0 is the leaf false, node 1 the leaf true; the root is the first of the inner nodes,
 * which follow level by level from the top, within a level in the order in which they are met
 * from the left (low before high). So equal tables give equal diagrams. A constant table has no
 * inner node and its leaf for a root.
 *
 * The order is the best one up to MT_DIAGRAM_EXACT_FAN_IN inputs, and a local optimum (sifting)
 * above. Among the best orders the one that comes first in the order of the inputs is taken.
 *
 * Immutable and counted. Usual size: 3–8 inputs, 3–30 nodes. */
#pragma once

#include "mt-cube.h"
#include "mt-truth-table.h"

G_BEGIN_DECLS

#define MT_DIAGRAM_EXACT_FAN_IN 12

enum {
  MT_DIAGRAM_FALSE = 0,
  MT_DIAGRAM_TRUE = 1,
  MT_DIAGRAM_FIRST_INNER = 2,
};

typedef struct {
  guint input;     /* what is asked; of no meaning in a leaf */
  guint level;     /* 0 at the top; leaves are at n_levels */
  guint low;       /* where to go when the input is false */
  guint high;      /* and when it is true */
} MtDiagramNode;

typedef struct _MtDiagram MtDiagram;

/* FALSE stops. @path: the answers given on the way. */
typedef gboolean (*MtDiagramPathFunc) (MtCube path, gboolean leaf, gpointer data);

/* A don't-care is whatever @table says of it: pass the table of the minimized rule. */
MtDiagram           *mt_diagram_new           (guint            fan_in,
                                               const guint64   *table);
void                 mt_diagram_unref         (MtDiagram       *diagram);
/* Leaves included, also one that is not reached. */
guint                mt_diagram_get_n_nodes   (const MtDiagram *diagram);
const MtDiagramNode *mt_diagram_get_nodes     (const MtDiagram *diagram);
guint                mt_diagram_get_root      (const MtDiagram *diagram);
/* The inputs that are asked, from the top; an input without influence has no level. */
guint                mt_diagram_get_n_levels  (const MtDiagram *diagram);
const guint8        *mt_diagram_get_order     (const MtDiagram *diagram);
gboolean             mt_diagram_is_best_order (const MtDiagram *diagram);

gboolean             mt_diagram_evaluate      (const MtDiagram *diagram,
                                               guint32          assignment);
/* The nodes on the way, root and leaf included; @nodes has room for n_levels + 1. */
guint                mt_diagram_trace         (const MtDiagram *diagram,
                                               guint32          assignment,
                                               guint           *nodes);
/* Each way from the root to a leaf, low before high. They are disjoint and cover everything. */
void                 mt_diagram_foreach_path  (const MtDiagram   *diagram,
                                               MtDiagramPathFunc  func,
                                               gpointer           data);

/* Nodes that an order (top first, all inputs) needs, leaves not counted. */
guint                mt_diagram_count_nodes   (guint            fan_in,
                                               const guint64   *table,
                                               const guint8    *order);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDiagram, mt_diagram_unref)

G_END_DECLS
