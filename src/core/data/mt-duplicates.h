/* Which rows of a table, and which cells of a column, are equal. */
#pragma once

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "base/mt-parallel.h"
#include "mt-table.h"

G_BEGIN_DECLS

/* (transfer full): for each i the least j with row rows[j] equal to row rows[i] in every one
 * of the @n_columns columns; so i itself where the row is new. @rows NULL: all rows.
 * Missing equals missing, and 0 equals -0. With no column at all no two rows are equal.
 * @pool: may be NULL, and the answer is the same. NULL only when cancelled. */
guint32 *mt_duplicates_find (const MtTable  *table,
                             const guint    *columns,
                             guint           n_columns,
                             const guint32  *rows,
                             gsize           n_rows,
                             MtPool         *pool,
                             GCancellable   *cancellable,
                             GError        **error);

/* How many different values occur, missing not counted. 0 also when cancelled. */
gsize    mt_duplicates_count_distinct (const MtColumn  *column,
                                       GCancellable    *cancellable,
                                       GError         **error);

/* Whether two cells of @column are equal in that sense. */
gboolean mt_duplicates_same_cell (const MtColumn *column,
                                  gsize           row_a,
                                  gsize           row_b);

static inline guint64
mt_duplicates_mix (guint64 hash,
                   guint64 value)
{
  hash = (hash ^ value) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return hash ^ (hash >> 32);
}

/* Equal numbers, and only they, have equal bits; missing is a number of its own. */
static inline guint64
mt_duplicates_number_bits (double value)
{
  guint64 bits;

  if (isnan (value))
    return G_MAXUINT64;
  value += 0.0;   /* -0 becomes 0 */
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* A hash of each cell for @n rows from @first on, mixed into @hashes. */
void     mt_duplicates_mix_hashes (const MtColumn *column,
                                   gsize           first,
                                   gsize           n,
                                   guint64        *hashes);

G_END_DECLS
