/* A spreadsheet that calculates: a row a case, its cells at the left, terms, scores and answer at
 * the right, as OpenFormula in an OpenDocument package. Private to core. */
#pragma once

#include "mt-export-ir.h"

G_BEGIN_DECLS

/* @table and @rows: what to fill in; NULL: an empty form. Fails with MT_ERROR_PARAMS when the model has more
 * columns than a sheet. */
gboolean mt_export_ods (const MtExportIr *plan, const MtTable *table, const guint32 *rows, gsize n_rows,
                        GString *out, GError **error);

G_END_DECLS
