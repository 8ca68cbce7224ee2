/* Private to the painters: what only charts over time need of a chart. */
#pragma once

#include "mt-axis.h"
#include "mt-draw-chart.h"

G_BEGIN_DECLS

/* The x axis is time in years, cut into periods: 12, 4, or 1 per year. Its labels are their names, each below its middle. */
void _mt_chart_set_periods        (MtChart     *chart,
                                   guint        per_year);
/* Such ticks, as many as fit: 2022-01, 2022 Q1, or 2022. */
void _mt_chart_place_period_ticks (MtAxis      *axis,
                                   guint        per_year,
                                   double       length,
                                   double       gap,
                                   MtLabelRoom  room,
                                   gpointer     data);

G_END_DECLS
