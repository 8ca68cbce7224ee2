/* The data rows that have a part in what is selected of the rule on show: a lazy list, each row a
 * widget that draws the columns the model looks at. */
#pragma once

#include <gtk/gtk.h>

#include "mt-rule-focus.h"

G_BEGIN_DECLS

#define MT_TYPE_ROWS_VIEW (mt_rows_view_get_type ())

G_DECLARE_FINAL_TYPE (MtRowsView, mt_rows_view, MT, ROWS_VIEW, GtkWidget)

void        mt_rows_view_set_focus  (MtRowsView  *self,
                                     MtRuleFocus *focus);
/* How many rows are listed, and which row of the book stands at a position. */
guint       mt_rows_view_get_n_rows (MtRowsView  *self);
guint32     mt_rows_view_get_row    (MtRowsView  *self,
                                     guint        position);
/* The widget that draws a row of the book; NULL: it is not in view. */
GtkWidget  *mt_rows_view_find_row   (MtRowsView  *self,
                                     guint32      row);
/* "155 training rows match the selected line". */
char       *mt_rows_view_dup_title  (MtRowsView  *self);

/* Signal "row-activated" (guint): a row of the book was double-clicked, or entered. */

G_END_DECLS
