/* Quality and drift over time as charts. */
#pragma once

#include "mt-draw-chart.h"
#include "score/mt-over-time.h"

G_BEGIN_DECLS

typedef enum {
  MT_TIME_CHART_QUALITY,     /* the metric, with its interval, and that of all rows */
  MT_TIME_CHART_LEVEL,       /* mean predicted and mean true */
  MT_TIME_CHART_DRIFT,       /* PSI, with the limits of some drift and of much */
  MT_N_TIME_CHARTS,
} MtTimeChart;

/* @axis: what stands along the time: the name of the column. */
MtChart *mt_over_time_make_chart (const MtOverTime *over_time,
                                  MtTimeChart       chart,
                                  const char       *axis);

G_END_DECLS
