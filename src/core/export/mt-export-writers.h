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

/* In mt-export-sql-formula.c: a derived column of the cells c0, c1, …. */
void     mt_export_sql_append_formula (GString *out, const MtPlanColumn *column, MtSqlDialect dialect);

G_END_DECLS
