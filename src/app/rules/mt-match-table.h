/* Which terms two models share, as a table: a rule a line, its weight in both. */
#pragma once

#include <adwaita.h>

#include "study/mt-compare-operation.h"

G_BEGIN_DECLS

#define MT_TYPE_MATCH_TABLE (mt_match_table_get_type ())

G_DECLARE_FINAL_TYPE (MtMatchTable, mt_match_table, MT, MATCH_TABLE, AdwBin)

void        mt_match_table_show     (MtMatchTable *self,
                                     MtCompareOperation  *comparing);     /* NULL: nothing */
/* Only terms of that kind; MT_N_MATCHES: all of them. */
void        mt_match_table_set_kind (MtMatchTable *self,
                                     MtMatchKind   kind);
guint       mt_match_table_get_n_lines (MtMatchTable *self);
/* "3 shared · 2 only in A" */
char       *mt_match_table_dup_summary (MtMatchTable *self);

G_END_DECLS
