/* The list of findings: open ones first, dismissed ones last. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_FINDINGS_PANEL (mt_findings_panel_get_type ())

/* Property "n-waiting": those that have not been dismissed. */
G_DECLARE_FINAL_TYPE (MtFindingsPanel, mt_findings_panel, MT, FINDINGS_PANEL, AdwPreferencesGroup)

void     mt_findings_panel_set_document (MtFindingsPanel *self,
                                         MtDocument      *document);
/* Gives the focus to the first; FALSE: there is none. */
gboolean mt_findings_panel_go_to        (MtFindingsPanel *self);

G_END_DECLS
