/* Export dialog: choose a format, see in which installed engines it was verified, save it. Verifying and saving
 * run in threads; closing the dialog cancels a verification.
 *
 *   signal "checked" (MtVerifyReport *)   some engines have finished; the pointer is valid during the emission */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_EXPORT_DIALOG (mt_export_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtExportDialog, mt_export_dialog, MT, EXPORT_DIALOG, AdwWindow)

/* @data (may be NULL): rows to check with in addition to the golden ones. */
MtExportDialog *mt_export_dialog_new         (GtkWindow      *parent,
                                              MtModel        *model,
                                              MtTable        *data);
/* What engines said of the very model before. */
void            mt_export_dialog_add_known   (MtExportDialog       *self,
                                              const MtVerifyReport *report);
void            mt_export_dialog_set_format  (MtExportDialog *self,
                                              MtExportFormat  format,
                                              MtSqlDialect    dialect);
/* Runs the engines of the chosen format. */
void            mt_export_dialog_verify      (MtExportDialog *self);
gboolean        mt_export_dialog_is_busy     (MtExportDialog *self);
/* What is shown of the last check: "Verified with sqlite3", "Not engine-verified", … */
const char     *mt_export_dialog_get_claim   (MtExportDialog *self);
void            mt_export_dialog_save        (MtExportDialog *self,
                                              GFile          *file);

G_END_DECLS
