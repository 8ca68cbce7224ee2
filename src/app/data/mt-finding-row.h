/* One finding: what it is, what can be done about it, or why it was dismissed. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_FINDING_ROW (mt_finding_row_get_type ())

G_DECLARE_FINAL_TYPE (MtFindingRow, mt_finding_row, MT, FINDING_ROW, GtkListBoxRow)

GtkWidget *mt_finding_row_new (MtDocument *document,
                               MtFinding  *finding);

G_END_DECLS
