/* The whole model on one canvas, as wide as the view; zooming in sets it in fewer columns. Diagrams
 * are laid out on another thread. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"
#include "widgets/mt-drawing.h"

G_BEGIN_DECLS

#define MT_TYPE_CANVAS_VIEW (mt_canvas_view_get_type ())

G_DECLARE_FINAL_TYPE (MtCanvasView, mt_canvas_view, MT, CANVAS_VIEW, GtkWidget)

void     mt_canvas_view_set_book     (MtCanvasView *self,
                                      MtRuleBook   *book);      /* NULL: none */
gboolean mt_canvas_view_is_busy      (MtCanvasView *self);
void     mt_canvas_view_set_selected (MtCanvasView *self,
                                      int           term);      /* -1: none */
int      mt_canvas_view_get_selected (MtCanvasView *self);
void     mt_canvas_view_zoom         (MtCanvasView *self,
                                      double        factor);    /* 0: back to one to one */
/* The largest scale up to one to one at which all of it is seen; kept when the view's size changes, until
 * somebody zooms. */
void     mt_canvas_view_fit          (MtCanvasView *self);
gboolean mt_canvas_view_get_fits     (MtCanvasView *self);
double   mt_canvas_view_get_scale    (MtCanvasView *self);
/* Where the card of a term is, in the view; FALSE: not laid out yet. */
gboolean mt_canvas_view_get_place    (MtCanvasView *self,
                                      guint         term,
                                      graphene_rect_t *place);
MtDrawing *mt_canvas_view_make_drawing (MtCanvasView *self);
/* Pages that paper of that many points takes, and one of them. */
guint    mt_canvas_view_paginate     (MtCanvasView *self,
                                      PangoContext *context,
                                      double        width,
                                      double        height);
void     mt_canvas_view_draw_page    (MtCanvasView *self,
                                      cairo_t      *cr,
                                      PangoContext *context,
                                      guint         page);

/* Signals: "selected", another card was chosen; "opened", a card was double-clicked or entered;
 * "zoomed". */

G_END_DECLS
