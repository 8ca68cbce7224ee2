/* Rows as backends keep them: row-major, because a shuffled batch takes rows from everywhere. */
#pragma once

#include "mt-backend-private.h"

G_BEGIN_DECLS

typedef struct {
  gsize     n_rows;
  guint8   *codes;         /* n_rows × code_stride: a byte a group */
  float    *numeric;       /* n_rows × the net's n_numeric8 */
  float    *y;
} MtBackendRows;

/* @which: rows of the job's data, @n of them; NULL: all, without y. */
void mt_backend_rows_init  (MtBackendRows      *rows,
                            const MtBackendJob *job,
                            const guint32      *which,
                            gsize               n,
                            gsize               code_stride);
void mt_backend_rows_clear (MtBackendRows      *rows);

G_END_DECLS
