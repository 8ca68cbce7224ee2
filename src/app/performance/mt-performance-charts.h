/* The charts of the Quality page, and what a screen reader says of each. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

typedef enum {
  MT_PERFORMANCE_ROC,
  MT_PERFORMANCE_PRECISION_RECALL,
  MT_PERFORMANCE_CALIBRATION,
  MT_PERFORMANCE_GAIN,
  MT_PERFORMANCE_RESIDUALS,
  MT_PERFORMANCE_TENTHS,
  MT_N_PERFORMANCE_CHARTS,
} MtPerformanceChart;

/* Whether a model of that task has the chart. */
gboolean    mt_performance_chart_fits   (MtPerformanceChart   chart,
                                         MtTask               task);
const char *mt_performance_chart_title  (MtPerformanceChart   chart);
/* @cutoff: marked on the curves of two classes; NaN: none is. */
MtChart    *mt_performance_chart_make   (MtPerformanceChart   chart,
                                         const MtPerformance *performance,
                                         const char * const  *classes,
                                         double               cutoff);
char       *mt_performance_chart_speak  (MtPerformanceChart   chart,
                                         const MtPerformance *performance,
                                         const char * const  *classes,
                                         double               cutoff);

#define MT_PERFORMANCE_MAX_CURVES 8u     /* classes in one chart: the first */

G_END_DECLS
