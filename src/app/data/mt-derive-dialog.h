/* Asks for a derived column: its formula, its name, with the first results or what is wrong while one writes. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_DERIVE_DIALOG (mt_derive_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtDeriveDialog, mt_derive_dialog, MT, DERIVE_DIALOG, AdwWindow)

/* @column: one of the document's table. A derived one is changed; another is what the suggestions begin with. NULL: none. */
GtkWidget  *mt_derive_dialog_new         (GtkWindow      *parent,
                                          MtDocument     *document,
                                          const MtColumn *column);
/* As if written by hand; and what is shown below. */
void        mt_derive_dialog_set         (MtDeriveDialog *self,
                                          const char     *formula,
                                          const char     *name);
const char *mt_derive_dialog_get_preview (MtDeriveDialog *self);
gboolean    mt_derive_dialog_apply       (MtDeriveDialog *self);   /* FALSE: it cannot be added yet */

G_END_DECLS
