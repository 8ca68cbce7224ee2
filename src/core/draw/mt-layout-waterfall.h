/* A waterfall: how a score comes about, one line a term, each bar beginning where the one before ended.
 * The first step is the intercept; a last line shows the score from the reference (where the decision
 * changes) to the end. A score that is log-odds has a second axis on top, with the probabilities that it
 * stands for. Pure geometry, in points. Usual sizes: 2–60 steps. */
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

/* A probability on the upper axis. */
typedef struct {
  double share;
  double x;
  char   label[8];         /* "50%" */
} MtOddsTick;

#define MT_WATERFALL_MOST_ODDS 15

typedef struct {
  double           width, height;
  double           top;          /* where the lines begin: 0 without the upper axis */
  double           plot_x, plot_width;
  double           reference_x;
  double           axis_y;
  MtAxis           axis;
  guint            n_lines;      /* the steps, then the score */
  MtWaterfallLine *lines;
  guint            n_odds;       /* 0: no upper axis */
  MtOddsTick       odds[MT_WATERFALL_MOST_ODDS];   /* ascending */
} MtWaterfallLayout;

/* How high @n_steps are at @line_height, with the axis, or both of them. */
double             mt_waterfall_layout_measure (guint n_steps, double line_height, gboolean is_log_odds);
/* @label_width: room for the names at the left. @end_room: for the amounts next to the bars. */
MtWaterfallLayout *mt_waterfall_layout_new     (const MtWaterfallStep *steps, guint n_steps, double reference,
                                                gboolean is_log_odds, double width, double line_height, double label_width,
                                                double end_room, char decimal, MtLabelRoom room, gpointer data);
void               mt_waterfall_layout_free    (MtWaterfallLayout *layout);
/* The line at @y, or -1. */
int                mt_waterfall_layout_hit     (const MtWaterfallLayout *layout, double y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtWaterfallLayout, mt_waterfall_layout_free)

G_END_DECLS
