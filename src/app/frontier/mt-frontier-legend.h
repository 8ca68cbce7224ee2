/* Which run a colour and shape of the frontier stand for. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @points: of MtFrontierItem. One entry a colour and shape that stand for one kind of run alone, in the words that tell
 * these apart; what it leaves out is counted. */
void mt_frontier_legend_show (GtkFlowBox *legend,
                              GListModel *points);

G_END_DECLS
