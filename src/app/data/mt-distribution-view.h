/* A miniature distribution, with the count of the bar under the pointer as its tooltip and
 * a spoken summary. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"
#include "widgets/mt-drawn-view.h"

G_BEGIN_DECLS

#define MT_TYPE_DISTRIBUTION_VIEW (mt_distribution_view_get_type ())

G_DECLARE_FINAL_TYPE (MtDistributionView, mt_distribution_view, MT, DISTRIBUTION_VIEW, MtDrawnView)

/* @distribution: NULL while it is being computed. @marked: a value a finding points at, or NaN. */
void mt_distribution_view_set (MtDistributionView *self,
                               MtDistribution     *distribution,
                               MtColumnType        type,
                               MtColumnRole        role,
                               double              marked);

/* What a bar stands for: a level, a whole number, or "10 to 20". */
char *mt_distribution_dup_bar_name (const MtDistribution *distribution,
                                    MtColumnType          type,
                                    guint                 bar);

G_END_DECLS
