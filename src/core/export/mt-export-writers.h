/* The writers, one file a language. Private to core. */
#pragma once

#include "mt-export-ir.h"
#include "mt-export-text.h"

G_BEGIN_DECLS

gboolean mt_export_sql        (const MtExportIr *plan, MtSqlDialect dialect, GString *out, GError **error);
void     mt_export_python     (const MtExportIr *plan, GString *out);
void     mt_export_r          (const MtExportIr *plan, GString *out);
void     mt_export_javascript (const MtExportIr *plan, GString *out);
void     mt_export_c          (const MtExportIr *plan, GString *out);
void     mt_export_pmml       (const MtExportIr *plan, GString *out);
void     mt_export_dmn        (const MtExportIr *plan, GString *out);
void     mt_export_latex      (const MtExportIr *plan, GString *out);

/* (token, …): the texts that mean missing in the column. */
void     mt_export_sql_append_tokens  (GString *out, const MtPlanColumn *column, MtSqlDialect dialect);
/* In mt-export-sql-cells.c: what stands in a SELECT before the step `cell`. */
gboolean mt_export_sql_has_given      (MtSqlDialect dialect);
void     mt_export_sql_append_given   (GString *out, const MtExportIr *plan, MtSqlDialect dialect);
void     mt_export_sql_append_given_days (GString *out, MtSqlDialect dialect, const char *moment);
gboolean mt_export_sql_is_plain_name  (const char *name);
/* In mt-export-sql-formula.c: a derived column of the cells c0, c1, …. */
void     mt_export_sql_append_formula (GString *out, const MtPlanColumn *column, MtSqlDialect dialect);
/* Whether a year, month or day of a date is asked for. */
gboolean mt_export_sql_takes_dates_apart (const MtFormulaNode *node);

G_END_DECLS
