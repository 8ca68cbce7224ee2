/* The writers, one file a language. Private to core. */
#pragma once

#include "mt-export-ir.h"
#include "mt-export-text.h"

G_BEGIN_DECLS

gboolean mt_export_sql        (const MtExportPlan *plan, MtSqlDialect dialect, GString *out, GError **error);
void     mt_export_python     (const MtExportPlan *plan, GString *out);
void     mt_export_r          (const MtExportPlan *plan, GString *out);
void     mt_export_javascript (const MtExportPlan *plan, GString *out);
void     mt_export_c          (const MtExportPlan *plan, GString *out);
void     mt_export_pmml       (const MtExportPlan *plan, GString *out);
void     mt_export_dmn        (const MtExportPlan *plan, GString *out);
void     mt_export_latex      (const MtExportPlan *plan, GString *out);

G_END_DECLS
