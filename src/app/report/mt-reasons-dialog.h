/* The reason that a customer reads when a term decided: a text for each term of the model, and what a row of the
 * table would get. Texts go to the document's notes after a pause in typing; the report and every
 * export have them from there. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_REASONS_DIALOG (mt_reasons_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtReasonsDialog, mt_reasons_dialog, MT, REASONS_DIALOG, AdwWindow)

/* @model: without what the notes add; @table: rows to try it on, or NULL: none. */
MtReasonsDialog *mt_reasons_dialog_new       (GtkWindow       *parent,
                                              MtDocument      *document,
                                              MtModel         *model,
                                              MtTable         *table);
GtkEntry        *mt_reasons_dialog_get_entry (MtReasonsDialog *self,
                                              guint            term);
/* The reasons of the row on show, a line each. */
const char      *mt_reasons_dialog_get_told  (MtReasonsDialog *self);
void             mt_reasons_dialog_flush     (MtReasonsDialog *self);

G_END_DECLS
