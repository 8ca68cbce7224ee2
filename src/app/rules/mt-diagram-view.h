/* The decision diagram of the rule on show. Zoom with Ctrl+scroll or + and −, pan by dragging, fit
 * with 0; Left and Right walk from one way through the diagram to the next. */
#pragma once

#include <gtk/gtk.h>

#include "widgets/mt-drawing.h"
#include "mt-rule-focus.h"

G_BEGIN_DECLS

#define MT_TYPE_DIAGRAM_VIEW (mt_diagram_view_get_type ())

G_DECLARE_FINAL_TYPE (MtDiagramView, mt_diagram_view, MT, DIAGRAM_VIEW, GtkWidget)

/* What the boxes of a rule's diagram say, and how wide they are: the part that needs fonts, done on
 * the main thread before the layout is made on any. */
typedef struct {
  MtDiagramLabel labels[MT_RULE_MAX_INPUTS + MT_DIAGRAM_FIRST_INNER];   /* leaves, then inputs */
  double         widths[MT_RULE_MAX_INPUTS + MT_DIAGRAM_FIRST_INNER];
  double         weight;
  char          *full[MT_RULE_MAX_INPUTS];    /* what an input asks, uncut */
} MtDiagramTexts;

/* The font of diagrams, in the size that goes with the context's. */
PangoFontDescription *mt_diagram_make_font (PangoContext *context);
/* @cut: long names and levels lose their middle, so that a diagram can be read where there is little room. */
void             mt_diagram_texts_init  (MtDiagramTexts   *texts,
                                         MtRuleBook       *book,
                                         guint             term,
                                         guint32           flips,
                                         gboolean          cut,
                                         PangoContext     *context);
void             mt_diagram_texts_clear (MtDiagramTexts   *texts);
MtDiagramLayout *mt_diagram_texts_layout (const MtDiagramTexts *texts,
                                         const MtDiagram  *diagram);
/* Labels by node of the diagram, as painters want them; free the array, not its texts. */
MtDiagramLabel  *mt_diagram_texts_label_nodes (const MtDiagramTexts *texts,
                                         const MtDiagram  *diagram);

void      mt_diagram_view_set_focus  (MtDiagramView    *self,
                                      MtRuleFocus      *focus);
/* The layout of the rule on show, which it takes. NULL: none. */
void      mt_diagram_view_set_layout (MtDiagramView    *self,
                                      MtDiagramTexts   *texts,
                                      MtDiagramLayout  *layout);
const MtDiagramLayout *mt_diagram_view_get_layout (MtDiagramView *self);
void      mt_diagram_view_set_shares (MtDiagramView    *self,
                                      gboolean          shares);
void      mt_diagram_view_zoom       (MtDiagramView    *self,
                                      double            factor);   /* 0: fit */
double    mt_diagram_view_get_scale  (MtDiagramView    *self);
/* A point of the layout, in the widget. */
void      mt_diagram_view_get_place  (MtDiagramView    *self,
                                      double           *x,
                                      double           *y);
/* The diagram in words: a way a line. */
char     *mt_diagram_view_dup_text   (MtDiagramView    *self);
/* With nothing cut. */
MtDrawing *mt_diagram_view_make_drawing (MtDiagramView *self);

G_END_DECLS
