/* The rows that two models see differently, as a table: what was true, and what each of them says. */
#pragma once

#include <adwaita.h>

#include "study/mt-compare-operation.h"

G_BEGIN_DECLS

#define MT_TYPE_DIFFERENCE_TABLE (mt_difference_table_get_type ())

G_DECLARE_FINAL_TYPE (MtDifferenceTable, mt_difference_table, MT, DIFFERENCE_TABLE, AdwBin)

void  mt_difference_table_show        (MtDifferenceTable *self,
                                       MtCompareOperation       *comparing);     /* NULL: nothing */
guint mt_difference_table_get_n_lines (MtDifferenceTable *self);
/* "12 of 734 training rows are decided differently" */
char *mt_difference_table_dup_summary (MtDifferenceTable *self);

/* Signal "row-activated" (guint): a row of the first model's book was double-clicked, or entered. */

G_END_DECLS
