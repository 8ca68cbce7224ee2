/* A widget that is a drawing made by core: laid out for its size, painted with cairo, kept as a render
 * node until size, font, theme, number format or what is drawn changes. What follows the pointer is put
 * on top of it at each frame.
 *
 * A drawing is an image to a screen reader; a class that derives from this gives it a label. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_DRAWN_VIEW (mt_drawn_view_get_type ())

G_DECLARE_DERIVABLE_TYPE (MtDrawnView, mt_drawn_view, MT, DRAWN_VIEW, GtkWidget)

struct _MtDrawnViewClass {
  GtkWidgetClass parent_class;

  /* Drops the layout: the next frame needs another. Optional. */
  void     (*forget)  (MtDrawnView *self);
  /* Sees to it that there is a layout of that size. FALSE: there is nothing to draw. */
  gboolean (*lay_out) (MtDrawnView *self,
                       int          width,
                       int          height);
  void     (*paint)   (MtDrawnView *self,
                       cairo_t     *cr,
                       int          width,
                       int          height);
  /* Optional: what changes with the pointer. */
  void     (*overlay) (MtDrawnView *self,
                       cairo_t     *cr);
  /* Optional: numbers are written in another way. forget() was called. */
  void     (*numbers_changed) (MtDrawnView *self);
};

/* Another drawing: it is laid out and painted again. */
void         mt_drawn_view_changed (MtDrawnView   *self);
/* The same layout in other colours. */
void         mt_drawn_view_redraw  (MtDrawnView   *self);
/* Of the widget's own font; made when they are first asked for. */
MtPlotFonts *mt_drawn_view_get_fonts (MtDrawnView *self);
/* How wide the label is in the font of @layout, a PangoLayout, which then holds it: for layouts of core. */
double       mt_drawn_view_measure_label (const char *label,
                                          gpointer    layout);

G_END_DECLS
