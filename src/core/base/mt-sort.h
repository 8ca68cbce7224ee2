/* Sorting what is sorted in several places; core only. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ascending; no value may be NaN. */
void mt_sort_doubles (double *values, gsize n_values);

G_END_DECLS
