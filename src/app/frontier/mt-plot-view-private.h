/* What drawing the plot and listening to the person share. */
#pragma once

#include "mt-plot-view.h"

#include "util/mt-pointer.h"

G_BEGIN_DECLS

struct _MtPlotView {
  MtDrawnView         parent_instance;

  GtkSingleSelection *selection;
  GPtrArray          *items;          /* of MtFrontierItem, in the order of the points … */
  GArray             *points;         /* … of MtPlotPoint, and then … */
  GArray             *others;         /* … these, of methods of elsewhere … */
  GPtrArray          *other_names;    /* … and what they are called */
  GArray             *benchmarks;     /* of MtPlotBenchmark, which own their labels */
  GArray              *legend;       /* of MtPlotLegendEntry */
  MtFrontierItem     *pins[2];
  int                 recommended;
  char               *callout_title;
  char               *callout_text;
  char               *title;          /* what is measured, and … */
  char               *subtitle;       /* … what is predicted, for screen readers */
  char               *metric;
  gboolean            log_scale;
  double              x_low, x_high;  /* what is shown; NaN: everything */
  double              y_low, y_high;

  MtPlotLayout       *layout;         /* of the size last drawn; NULL: lay out again */
  int                 hovered;
  gboolean            several;     /* runs have points here */

  MtPointer           pointer;
  MtAxis              drag_x, drag_y; /* as they were when a drag or pinch began */
  MtXY                pressed;        /* where it did */
  gboolean            dragged;
};

/* mt-plot-view-input.c */
void _mt_plot_view_class_add_keys (GtkWidgetClass *widget_class);
void _mt_plot_view_add_controllers (MtPlotView    *self);
/* mt-plot-view.c */
void _mt_plot_view_set_hovered    (MtPlotView     *self,
                                   int             index);
int  _mt_plot_view_get_selected   (MtPlotView     *self);
void _mt_plot_view_select         (MtPlotView     *self,
                                   int             index);
void _mt_plot_view_pin            (MtPlotView     *self,
                                   int             index);
/* Shows the parts from…to of two axes, as positions on them. */
void _mt_plot_view_show_part      (MtPlotView     *self,
                                   const MtAxis   *x,
                                   double          x_from,
                                   double          x_to,
                                   const MtAxis   *y,
                                   double          y_from,
                                   double          y_to);

G_END_DECLS
