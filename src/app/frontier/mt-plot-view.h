/* The frontier drawn: hover shows, a click or the arrow keys select, Space pins; the selection is
 * shared with the table next to it. Wheel, pinch, + and - zoom, a drag or Shift and arrows pan, 0
 * shows everything again.
 *
 *   "zoomed"               gboolean: only a part is shown; notified whenever it is another part or scale
 *   signal "pin" (item)    Space was pressed on a point, or it was clicked with Ctrl */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"
#include "widgets/mt-drawn-view.h"
#include "study/mt-frontier-item.h"

G_BEGIN_DECLS

#define MT_TYPE_PLOT_VIEW (mt_plot_view_get_type ())

G_DECLARE_FINAL_TYPE (MtPlotView, mt_plot_view, MT, PLOT_VIEW, MtDrawnView)

/* @selection: of the same items as the points, in any order. */
void mt_plot_view_set_selection  (MtPlotView            *self,
                                  GtkSingleSelection    *selection);
/* Reads the points again. @metric and @n_folds are for the words about them. */
void mt_plot_view_show_points    (MtPlotView            *self,
                                  GListModel            *points,      /* of MtFrontierItem */
                                  const char            *metric,
                                  guint                  n_folds);
/* What is measured and what is predicted: said to who has the plot read out, and in a picture of it. */
void mt_plot_view_set_heading    (MtPlotView            *self,
                                  const char            *title,
                                  const char            *subtitle);
/* What colours and shapes stand for; in the window it is above the plot, in a picture part of it. */
void mt_plot_view_set_legend     (MtPlotView            *self,
                                  const GArray          *entries,     /* of MtPlotLegendEntry, copied */
                                  guint                  n_left_out);
void mt_plot_view_set_benchmarks (MtPlotView            *self,
                                  const MtPlotBenchmark *benchmarks,  /* copied */
                                  guint                  n_benchmarks);
/* Results of other methods, shown from when the points are read next: they can be hovered over, and not be selected. */
void mt_plot_view_set_others     (MtPlotView            *self,
                                  const MtPlotPoint     *points,      /* copied, of series MT_PLOT_SERIES_OTHER … */
                                  const char * const    *names,       /* … and what each is called */
                                  guint                  n_points);
/* Either may be NULL. */
void mt_plot_view_set_pins       (MtPlotView            *self,
                                  MtFrontierItem        *a,
                                  MtFrontierItem        *b);
void mt_plot_view_set_log        (MtPlotView            *self,
                                  gboolean               log_scale);
/* @factor below 1 shows less; what is at the point (in the widget) stays there. */
void mt_plot_view_zoom           (MtPlotView            *self,
                                  double                 factor,
                                  double                 x,
                                  double                 y);
/* By shares of what is shown; to the right and up. */
void mt_plot_view_pan            (MtPlotView            *self,
                                  double                 across,
                                  double                 up);
void mt_plot_view_reset          (MtPlotView            *self);
/* From where to where the axes go: x, x, y, y. FALSE: everything is shown. */
gboolean mt_plot_view_get_part   (MtPlotView            *self,
                                  double                 part[4]);
void mt_plot_view_set_part       (MtPlotView            *self,
                                  const double           part[4]);
gboolean mt_plot_view_get_log    (MtPlotView            *self);
/* As it is or will be drawn; NULL: it has no size yet. */
const MtPlotLayout *mt_plot_view_get_layout (MtPlotView *self);

/* What is drawn, for a thread: owns all that its spec points at. */
typedef struct {
  MtPlotSpec       spec;
  MtPlotPoint     *points;
  MtPlotBenchmark *benchmarks;
  MtPlotLegendEntry *legend;
  char           **texts;
} MtPlotCopy;

MtPlotCopy *mt_plot_view_copy    (MtPlotView            *self);
void        mt_plot_copy_free    (MtPlotCopy            *copy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPlotCopy, mt_plot_copy_free)

G_END_DECLS
