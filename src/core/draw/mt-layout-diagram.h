/* Where the boxes and lines of a decision diagram go, in points from the top left. Pure geometry.
 *
 * One layer a level, leaves at the bottom. A line that passes a layer gets a place of its own there,
 * like a narrow box; all lines to the same node share it (one rail). Between two layers lines run down,
 * across on a track, and down: so no line ever crosses a box, and lines to different nodes never share
 * a track where they would overlap. */
#pragma once

#include "logic/mt-diagram.h"

G_BEGIN_DECLS

#define MT_DIAGRAM_BOX_HEIGHT 30.0

typedef struct {
  double x, y;
} MtDiagramPoint;

typedef struct {
  guint  node;
  double x, y, width, height;
} MtDiagramBox;

typedef struct {
  guint                 from, to;
  gboolean              high;       /* followed when the input is true */
  const MtDiagramPoint *points;     /* horizontal and vertical pieces, from box to box */
  guint                 n_points;
} MtDiagramLine;

typedef struct {
  double          width, height;
  MtDiagramBox   *boxes;            /* reached nodes only */
  guint           n_boxes;
  MtDiagramLine  *lines;            /* two for each inner node, low before high */
  guint           n_lines;
  MtDiagramPoint *points;           /* of all lines */
} MtDiagramLayout;

/* @widths: one for each node of the diagram, what its label needs. */
MtDiagramLayout    *mt_diagram_layout_new     (const MtDiagram       *diagram,
                                               const double          *widths);
void                mt_diagram_layout_free    (MtDiagramLayout       *layout);
/* NULL for a leaf that is not reached. */
const MtDiagramBox *mt_diagram_layout_get_box (const MtDiagramLayout *layout,
                                               guint                  node);
/* The node whose box holds the point, or -1. */
int                 mt_diagram_layout_hit     (const MtDiagramLayout *layout,
                                               double                 x,
                                               double                 y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDiagramLayout, mt_diagram_layout_free)

G_END_DECLS
