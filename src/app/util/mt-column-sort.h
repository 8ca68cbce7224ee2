/* By which column a table is sorted, as a number that can be kept: 1 + the column, negative: descending; 0: by
 * none. GTK has no call for it before 4.10, but its headers show it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

int  mt_column_sort_get (GtkColumnView *view);
/* Of a column that is not there, or cannot be sorted by: nothing happens. */
void mt_column_sort_set (GtkColumnView *view,
                         int            sort);

G_END_DECLS
