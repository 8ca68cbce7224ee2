/* Paints a model on one canvas, in the manner of the paper's figure 2: a card for each term, and the
 * formula that adds them up. The same for screen, PNG, SVG, PDF and paper. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-draw-diagram.h"
#include "mt-layout-canvas.h"

G_BEGIN_DECLS

typedef struct {
  const char            *title;      /* what the formula calls it: "1" is set as r₁; NULL: nothing */
  const char            *caption;    /* "163 rows · 36% with disease" */
  double                 weight;     /* its sign; 0: neither */
  const char            *weight_text;
  const MtDiagramLayout *diagram;    /* of a rule, with its labels; NULL: a numeric column */
  const MtDiagramLabel  *labels;
  MtDiagramLabel         column;     /* of a numeric column: its name, and from where it counts */
  const char            *weights;    /* for each class, below the drawing; NULL: there is one */
} MtCanvasTerm;

typedef struct {
  const MtCanvasTerm *terms;
  guint               n_terms;
  guint               n_rules, n_numeric;
  /* Markup around the sums: "<i>P</i>(y = 1 | <b>x</b>) = σ( −1.04", and ")". */
  const char         *before;
  const char         *after;
  gboolean            several;       /* weights for each class */
  const char         *starts;        /* where each class starts from, below the formula; NULL: it says so itself */
} MtCanvasSpec;

/* Pairs of width and height, as mt_canvas_layout_new() wants them. */
void   mt_draw_canvas_measure (const MtCanvasSpec         *spec,
                               PangoContext               *context,
                               const PangoFontDescription *font,
                               double                     *sizes);
/* Height that the formula needs on a canvas of that width. */
double mt_draw_canvas_formula_height (const MtCanvasSpec   *spec,
                               PangoContext               *context,
                               const PangoFontDescription *font,
                               double                      width);
/* @page: from 0; of an endless canvas -1. @selected: a term, or -1. */
void   mt_draw_canvas         (cairo_t                    *cr,
                               const MtCanvasLayout       *layout,
                               const MtCanvasSpec         *spec,
                               int                         page,
                               int                         selected,
                               PangoContext               *context,
                               const PangoFontDescription *font,
                               const MtPalette            *palette);

G_END_DECLS
