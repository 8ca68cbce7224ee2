/* The figures of the Quality page as tables. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* @intervals: NULL: still to come. */
GtkWidget *mt_performance_quality_new     (const MtPerformance *performance,
                                           const MtInterval    *intervals);
/* Rows by true and predicted class. */
GtkWidget *mt_performance_confusion_new   (const MtPerformance *performance,
                                           const char * const  *classes,
                                           double               cutoff);
/* Two classes: what is predicted, found and right, with intervals. More: how each class fares. */
GtkWidget *mt_performance_rates_new       (const MtPerformance *performance,
                                           const char * const  *classes,
                                           double               cutoff);
/* What the charts draw. */
GtkWidget *mt_performance_calibration_new (const MtPerformance *performance,
                                           const char * const  *classes);
GtkWidget *mt_performance_gain_new        (const MtPerformance *performance,
                                           const char * const  *classes);
GtkWidget *mt_performance_tenths_new      (const MtPerformance *performance);

#define MT_PERFORMANCE_MAX_MATRIX 8u     /* classes of a table of both */

G_END_DECLS
