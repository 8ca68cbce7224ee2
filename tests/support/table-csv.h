/* A table as a CSV file that an import reads back as the same table. */
#pragma once

#include <gio/gio.h>

#include "data/mt-table.h"

G_BEGIN_DECLS

typedef enum {
  MT_TABLE_WRITE_DEFAULT  = 0,
  MT_TABLE_WRITE_FORMULAS = 1 << 0,   /* text that a spreadsheet takes for a formula is left as it is;
                                       * otherwise it gets an apostrophe in front */
} MtTableWriteFlags;

/* UTF-8, commas, LF, a header; missing cells are empty, numbers in shortest form with a
 * point, dates as ISO 8601. Written to a stream, so that the caller decides where to. */
gboolean mt_test_write_csv (const MtTable      *table,
                            GOutputStream      *stream,
                            MtTableWriteFlags   flags,
                            GCancellable       *cancellable,
                            GError            **error);

G_END_DECLS
