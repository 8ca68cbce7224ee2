/* Finds text in a table: first in the names of the columns, then cell by cell in the
 * order of reading, and round again. Upper and lower case are the same. */
#pragma once

#include <gio/gio.h>

#include "mt-row-list.h"

G_BEGIN_DECLS

typedef struct {
  gboolean in_header;   /* the column's name; row means nothing */
  guint    place;       /* index into the order of columns given */
  gsize    row;
} MtMatch;

/* @order: the columns as they stand on the screen, @n_order of them. @rows: the rows as they stand there, or NULL for
 * all as in the table; the row of a match is a position among them. @from: where the last match was, or NULL to begin
 * at the beginning. FALSE without an error: nothing found. */
gboolean mt_search_table (const MtTable    *table,
                          const guint      *order,
                          guint             n_order,
                          const MtRowList  *rows,
                          const char       *query,
                          const MtMatch    *from,
                          gboolean          backwards,
                          MtMatch          *match,
                          GCancellable     *cancellable,
                          GError          **error);

G_END_DECLS
