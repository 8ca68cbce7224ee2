/* A chart of core in the window: as large as its place, in the colors of the theme and the size of its font. */
#pragma once

#include "widgets/mt-drawn-view.h"

G_BEGIN_DECLS

#define MT_TYPE_CHART_VIEW (mt_chart_view_get_type ())

G_DECLARE_FINAL_TYPE (MtChartView, mt_chart_view, MT, CHART_VIEW, MtDrawnView)

GtkWidget *mt_chart_view_new (void);
/* Takes @chart; NULL: nothing is drawn. @spoken: what a screen reader says of it. */
void       mt_chart_view_show (MtChartView *self,
                               MtChart     *chart,
                               const char  *spoken);

G_END_DECLS
