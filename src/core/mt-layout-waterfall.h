/* A waterfall: how a score comes about, one line a term, each bar beginning where the one before ended.
 * The first step is the intercept; a last line shows the score from the reference (where the decision
 * changes) to the end. Pure geometry, in points. Usual sizes: 2–60 steps. */
#pragma once

#include "mt-axis.h"

G_BEGIN_DECLS

typedef struct {
  double   amount;
  gboolean applies;        /* otherwise it has no bar */
} MtWaterfallStep;

typedef struct {
  double   y, height;
  double   x, width;       /* of the bar; from left to right */
  double   from, to;       /* in units of the score */
  gboolean has_bar;
} MtWaterfallLine;

typedef struct {
  double           width, height;
  double           plot_x, plot_width;
  double           reference_x;
  double           axis_y;
  MtAxis           axis;
  guint            n_lines;      /* the steps, then the score */
  MtWaterfallLine *lines;
} MtWaterfallLayout;

/* How high @n_steps are at @line_height, with the axis. */
double             mt_waterfall_layout_measure (guint n_steps, double line_height);
/* @label_width: room for the names at the left. @end_room: for the amounts beside the bars. */
MtWaterfallLayout *mt_waterfall_layout_new     (const MtWaterfallStep *steps, guint n_steps, double reference,
                                                double width, double line_height, double label_width,
                                                double end_room, char decimal, MtLabelRoom room, gpointer data);
void               mt_waterfall_layout_free    (MtWaterfallLayout *layout);
/* The line at @y, or -1. */
int                mt_waterfall_layout_hit     (const MtWaterfallLayout *layout, double y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtWaterfallLayout, mt_waterfall_layout_free)

G_END_DECLS
