/* Which rows of a table are equal in the columns one cares about; core only. */
#pragma once

#include <gio/gio.h>

#include "mt-table.h"

G_BEGIN_DECLS

/* (transfer full): for each i the least j with row rows[j] equal to row rows[i] in every one
 * of the @n_columns columns; so i itself where the row is new. @rows NULL: all rows.
 * Missing equals missing, and 0 equals -0. With no column at all no two rows are equal.
 * NULL only when cancelled. */
guint32 *mt_duplicates_find (const MtTable  *table,
                             const guint    *columns,
                             guint           n_columns,
                             const guint32  *rows,
                             gsize           n_rows,
                             GCancellable   *cancellable,
                             GError        **error);

/* Whether two cells of @column are equal in that sense. */
gboolean mt_duplicates_same_cell (const MtColumn *column,
                                  gsize           row_a,
                                  gsize           row_b);

/* A hash of each cell for @n rows from @first on, mixed into @hashes. */
void     mt_duplicates_mix_hashes (const MtColumn *column,
                                   gsize           first,
                                   gsize           n,
                                   guint64        *hashes);

G_END_DECLS
