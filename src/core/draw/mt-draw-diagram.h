/* Paints a decision diagram from its layout: the same for screen, PDF and SVG. True edges are plain
 * arrows, false ones begin with a hollow circle; leaves are 0 and the rule's weight. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-layout-diagram.h"
#include "mt-palette.h"

G_BEGIN_DECLS

/* What a box says: a column's name, which stands out, and the rest of the literal. Of a leaf only the
 * rest. Either may be NULL. */
typedef struct {
  const char *name;
  const char *rest;
} MtDiagramLabel;

/* What mt_diagram_layout_new() wants to know: @widths gets one number for each of the @n_labels nodes. */
void mt_draw_diagram_measure (const MtDiagramLabel       *labels,
                              guint                       n_labels,
                              PangoContext               *context,
                              const PangoFontDescription *font,
                              double                     *widths);

/* What is shown of a diagram in addition to its boxes and lines. Lines by number: two for each inner node,
 * false before true. All may be NULL. */
typedef struct {
  const gboolean *nodes;     /* lit */
  const gboolean *lines;
  const double   *shares;    /* of the rows that take a line, 0 … 1: its thickness */
} MtDiagramMarks;

/* @weight: its sign gives the true leaf its color and shape; 0 for neither. */
void mt_draw_diagram_marked  (cairo_t                    *cr,
                              const MtDiagramLayout      *layout,
                              const MtDiagramLabel       *labels,
                              double                      weight,
                              const MtDiagramMarks       *marks,
                              PangoContext               *context,
                              const PangoFontDescription *font,
                              const MtPalette            *palette);
/* The same with one way lit. @weight: its sign gives the true leaf its color and shape; 0 for neither. @trace: nodes of the way to
 * be shown, from root to leaf, as mt_diagram_trace() gives them; @n_trace may be 0. */
void mt_draw_diagram         (cairo_t                    *cr,
                              const MtDiagramLayout      *layout,
                              const MtDiagramLabel       *labels,
                              double                      weight,
                              const guint                *trace,
                              guint                       n_trace,
                              PangoContext               *context,
                              const PangoFontDescription *font,
                              const MtPalette            *palette);

G_END_DECLS
