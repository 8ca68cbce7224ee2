/* The table on the screen: heads of the columns above, rows below, scrolled by a
 * GtkScrolledWindow. Only what can be seen exists, rows and columns alike, so a million
 * rows or ten thousand columns cost no more than a screenful.
 *
 * Why not GtkColumnView: GTK 4.8 makes at least 200 rows with a widget for every cell of
 * every column, and its heads hold nothing but a title. docs/decisions.md has the figures. */
#pragma once

#include <gtk/gtk.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_GRID (mt_grid_get_type ())

G_DECLARE_FINAL_TYPE (MtGrid, mt_grid, MT, GRID, GtkWidget)

void         mt_grid_set_document (MtGrid     *self,
                                   MtDocument *document);
/* The columns as they stand on the screen; (transfer none). */
const guint *mt_grid_get_order    (MtGrid     *self,
                                   guint      *n_places);
/* These rows and no others; NULL: all, as in the table. A new table has all. Rows are positions below, in what is shown. */
void         mt_grid_set_rows     (MtGrid     *self,
                                   MtRowList  *rows);
MtRowList   *mt_grid_dup_rows     (MtGrid     *self);     /* (transfer full) (nullable) */
gsize        mt_grid_find_row     (MtGrid     *self,      /* of the table, at a position */
                                   gsize       position);
gsize        mt_grid_get_n_rows   (MtGrid     *self);
/* Puts the cursor there and scrolls to it. */
void         mt_grid_go_to        (MtGrid     *self,
                                   guint       place,
                                   gsize       row);
/* Scrolls to a column and lets its head flash. */
void         mt_grid_show_column  (MtGrid     *self,
                                   guint       place);
gboolean     mt_grid_get_cursor   (MtGrid     *self,
                                   guint      *place,
                                   gsize      *row);
/* The head of a column of the table, or NULL when it is out of view. */
GtkWidget   *mt_grid_find_header  (MtGrid     *self,
                                   guint       column);

G_END_DECLS
