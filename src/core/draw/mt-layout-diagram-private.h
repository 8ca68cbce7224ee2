/* What the steps of laying out a diagram share: places by layer. See mt-layout-diagram.c. */
#pragma once

#include "mt-layout-diagram.h"

G_BEGIN_DECLS

#define MT_DIAGRAM_GAP 24.0     /* between neighbors in a layer */

typedef struct {
  guint    target;        /* the node itself, or the node that the rail leads to */
  gboolean rail;
  double   width, x;      /* x of its middle */
  double   wish;
  double   weight;        /* of the wish */
  guint    next[2];       /* places in the next layer that it is joined to: low, high */
  guint    n_next;
  double   out[2], in;    /* where lines leave and arrive */
} MtDiagramPlace;

typedef struct {
  MtDiagramPlace *places;
  guint           n;
  double          y;           /* of the top */
  guint           n_tracks;    /* below the layer */
  guint          *track;       /* of the line to each place of the next layer; G_MAXUINT: straight down */
} MtDiagramLayer;

/* The least that two neighbors keep from middle to middle. */
static inline double
_mt_diagram_distance (const MtDiagramPlace *left,
                      const MtDiagramPlace *right)
{
  return (left->width + right->width) / 2 + MT_DIAGRAM_GAP;
}

/* How far aside the middle of a box its line @end may leave, to the right. */
void _mt_diagram_port_range (const MtDiagramPlace *place,
                             guint                 end,
                             double               *low,
                             double               *high);
/* How far aside its middle a line may arrive; 0: in the middle only, as several lines do. */
double _mt_diagram_arrival  (const MtDiagramPlace *place,
                             guint                 n_lines);
/* The x nearest to the wishes in which neighbors keep their distance. */
void _mt_diagram_settle     (MtDiagramLayer       *layer);
/* Moves places so that fewer lines have bends. First @rounds of wishes, then, once x are whole numbers,
 * _mt_diagram_unbend(), place by place. */
void _mt_diagram_straighten (MtDiagramLayer       *layers,
                             guint                 n_layers,
                             guint                 rounds);
void _mt_diagram_unbend     (MtDiagramLayer       *layers,
                             guint                 n_layers);

G_END_DECLS
