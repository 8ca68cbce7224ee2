/* Which run a colour and shape of the frontier stand for. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @points: of MtFrontierItem. One entry a colour and shape that stand for one kind of run alone, in the words that tell
 * these apart, or for a method; what it leaves out is counted. Empty: all points are of one kind. */
GArray *mt_frontier_legend_list (GListModel   *points,       /* of MtPlotLegendEntry */
                                 guint        *n_left_out);
void    mt_frontier_legend_show (GtkFlowBox   *legend,
                                 const GArray *entries,
                                 guint         n_left_out);

G_END_DECLS
