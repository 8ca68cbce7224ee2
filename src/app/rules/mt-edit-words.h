/* Edits in the person's own language. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

/* "Drop a Term": heading of the form, and after "Undo". */
const char *mt_edit_kind_get_title   (MtEditKind          kind);
/* What it does, in a sentence or two. */
const char *mt_edit_kind_get_meaning (MtEditKind          kind);
/* "Dropped the term A and B" */
char       *mt_edit_record_describe  (const MtEditRecord *record);
/* "12 → 9 literals · AUC 0.912 → 0.910 (±0.003)" */
char       *mt_edit_record_compare   (const MtEditRecord *record);

G_END_DECLS
