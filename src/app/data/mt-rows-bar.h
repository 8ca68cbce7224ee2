/* The bar above the table that says which rows are shown and in which order, and takes both back. It looks for the rows
 * on another thread and hands them to the grid. What is shown has nothing to do with what a model learns from. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"
#include "mt-grid.h"

G_BEGIN_DECLS

#define MT_TYPE_ROWS_BAR (mt_rows_bar_get_type ())

G_DECLARE_FINAL_TYPE (MtRowsBar, mt_rows_bar, MT, ROWS_BAR, AdwBin)

void     mt_rows_bar_set_document (MtRowsBar     *self,
                                   MtDocument    *document,
                                   MtGrid        *grid);
/* NULL: as in the file. */
void     mt_rows_bar_sort         (MtRowsBar     *self,
                                   const char    *column,
                                   gboolean       descending);
/* One more test that rows must pass; it takes the place of one of the same column and kind. */
void     mt_rows_bar_add_test     (MtRowsBar     *self,
                                   const char    *column,
                                   MtRowTestKind  kind,
                                   const char    *value);
/* These rows of the table and no others, under a name, with the cursor in one of them. */
void     mt_rows_bar_show_only    (MtRowsBar     *self,
                                   const guint32 *rows,
                                   gsize          n,
                                   const char    *title,
                                   gsize          cursor);
void     mt_rows_bar_show_all     (MtRowsBar     *self);
gboolean mt_rows_bar_is_busy      (MtRowsBar     *self);
const char *mt_rows_bar_get_text  (MtRowsBar     *self);   /* "" while it is not there */

/* Signal "changed": the grid shows other rows. */

G_END_DECLS
