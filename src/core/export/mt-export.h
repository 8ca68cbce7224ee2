/* A model in other people's languages, each answering as mt_model_predict() does.
 *
 * Every writer spells out the same plan (mt-export-ir.h), so what a format means is decided in
 * one place. docs/exports.md says what each format promises, and mt-verify.h runs them in real
 * engines. The same model gives the same bytes. */
#pragma once

#include "mt-export-text.h"
#include "model/mt-model.h"

G_BEGIN_DECLS

typedef enum {
  MT_EXPORT_JSON,         /* the model's own file */
  MT_EXPORT_SQL,          /* one SELECT over a table `data` */
  MT_EXPORT_PYTHON,       /* programs: CSV on stdin, predict's CSV on stdout */
  MT_EXPORT_R,
  MT_EXPORT_JAVASCRIPT,
  MT_EXPORT_C,            /* functions; with -DMINTERM_MAIN the same program */
  MT_EXPORT_PMML,
  MT_EXPORT_DMN,
  MT_EXPORT_ODS,
  MT_EXPORT_LATEX,
  MT_N_EXPORT_FORMATS,
} MtExportFormat;

/* Words of the command line: "json", "sql", …; "sqlite", "postgresql", "mariadb", "ansi", "duckdb", "spark",
 * "warehouse". */
const char *mt_export_format_to_string   (MtExportFormat  format);
gboolean    mt_export_format_from_string (const char     *word,
                                          MtExportFormat *format);
const char *mt_sql_dialect_to_string     (MtSqlDialect    dialect);
gboolean    mt_sql_dialect_from_string   (const char     *word,
                                          MtSqlDialect   *dialect);
/* How a file of the format is usually called: "py", "js", … */
const char *mt_export_format_get_suffix  (MtExportFormat  format);

/* @dialect counts for SQL only. MT_ERROR_PARAMS when the language cannot say it: a name that the
 * dialect has no way to write, more terms than it takes. */
GBytes     *mt_export                    (MtModel         *model,
                                          MtExportFormat   format,
                                          MtSqlDialect     dialect,
                                          GError         **error);
/* The same into a file, which is there whole or not at all. */
gboolean    mt_export_save               (MtModel         *model,
                                          MtExportFormat   format,
                                          MtSqlDialect     dialect,
                                          const char      *path,
                                          GError         **error);

G_END_DECLS
