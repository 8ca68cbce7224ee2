/* The curves of a chart as a table that grows while they do: a line a step, a column a curve. Only the lines in sight
 * cost anything, and what a line says is written again only when it has changed. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_CURVES_TABLE (mt_curves_table_get_type ())

G_DECLARE_FINAL_TYPE (MtCurvesTable, mt_curves_table, MT, CURVES_TABLE, AdwBin)

#define MT_CURVES_TABLE_MOST 3

/* @values: @n_columns of them, each as long as @steps; NaN: not measured. A column of which nothing was measured is
 * left out. @name: of the table, for who cannot see it. */
void  mt_curves_table_show     (MtCurvesTable        *self,
                                const char           *name,
                                const char           *step_title,
                                const char * const   *titles,
                                const guint          *steps,
                                const double * const *values,
                                guint                 n_columns,
                                guint                 n_steps);
/* Removes all lines, while the table is hidden. */
void  mt_curves_table_clear    (MtCurvesTable        *self);
guint mt_curves_table_get_n    (MtCurvesTable        *self);   /* lines */
/* As it is shown; column 0 is the step. */
char *mt_curves_table_dup_cell (MtCurvesTable        *self,
                                guint                 line,
                                guint                 column);

G_END_DECLS
