/* The figures of the groups of a column, as a table: a group a row, a figure a column, its interval below it. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* Metrics and the calibration gap. */
GtkWidget *mt_subgroup_quality_new  (const MtPerformance   *performance,
                                     const char            *column,
                                     GArray                *groups);
/* Of two classes: what is true and what is decided, or how that compares with the group @reference. */
GtkWidget *mt_subgroup_rates_new    (const char            *column,
                                     GArray                *groups,
                                     const MtSubgroupRates *rates,
                                     const char * const    *classes);
GtkWidget *mt_subgroup_compared_new (const char            *column,
                                     GArray                *groups,
                                     const MtSubgroupRates *rates,
                                     const char * const    *classes,
                                     int                    reference);

G_END_DECLS
