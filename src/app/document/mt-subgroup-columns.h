/* The columns by whose values a model is measured, on the Quality page and in the report: those with the role group or
 * report, and those that were chosen, which a document keeps among its notes as a JSON list of names. */
#pragma once

#include "mt-document.h"

G_BEGIN_DECLS

#define MT_NOTE_SUBGROUPS "subgroups"

/* Their names, in the order of the table. */
char     **mt_subgroup_columns_dup        (MtDocument     *document);
/* By its role: it cannot be taken back here. */
gboolean   mt_subgroup_columns_is_role    (const MtTable  *table,
                                           guint           column);
/* Whether the values of a column can be groups at all. */
gboolean   mt_subgroup_columns_can        (const MtTable  *table,
                                           guint           column);
void       mt_subgroup_columns_set        (MtDocument     *document,
                                           const char     *name,
                                           gboolean        chosen);

G_END_DECLS
