/* How the file was read, and how to read it instead: every change reads it again at once. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_IMPORT_PANEL (mt_import_panel_get_type ())

G_DECLARE_FINAL_TYPE (MtImportPanel, mt_import_panel, MT, IMPORT_PANEL, AdwPreferencesGroup)

void mt_import_panel_set_document (MtImportPanel *self,
                                   MtDocument    *document);

G_END_DECLS
