/* Asks which rows to show, by the values of one column. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_ROW_TEST_DIALOG (mt_row_test_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtRowTestDialog, mt_row_test_dialog, MT, ROW_TEST_DIALOG, AdwWindow)

/* @value: what to begin with, as mt_column_dup_text() writes it, or NULL. */
GtkWidget  *mt_row_test_dialog_new         (GtkWindow       *parent,
                                            MtDocument      *document,
                                            const MtColumn  *column,
                                            const char      *value);
/* As if entered by hand; and what is wrong with it, or "". */
void        mt_row_test_dialog_set         (MtRowTestDialog *self,
                                            MtRowTestKind    kind,
                                            const char      *value);
const char *mt_row_test_dialog_get_problem (MtRowTestDialog *self);
gboolean    mt_row_test_dialog_apply       (MtRowTestDialog *self);   /* FALSE: it makes no sense yet */

/* Signal "chosen" (char *column, guint kind, char *value): rows of this kind are to be shown. */

G_END_DECLS
