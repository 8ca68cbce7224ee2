/* A model in other people's languages, each answering as mt_model_predict() does. See mt-export.h. */
#include "config.h"
#include "mt-export.h"

#include <string.h>

#include "mt-export-ods.h"
#include "mt-export-writers.h"
#include "base/mt-error.h"
#include "base/mt-file.h"
#include "base/mt-gettext.h"

static const struct {
  const char *word;
  const char *suffix;
} formats[MT_N_EXPORT_FORMATS] = {
  [MT_EXPORT_JSON] = { "json", "json" },
  [MT_EXPORT_SQL] = { "sql", "sql" },
  [MT_EXPORT_PYTHON] = { "python", "py" },
  [MT_EXPORT_R] = { "r", "R" },
  [MT_EXPORT_JAVASCRIPT] = { "javascript", "js" },
  [MT_EXPORT_C] = { "c", "c" },
  [MT_EXPORT_PMML] = { "pmml", "pmml" },
  [MT_EXPORT_DMN] = { "dmn", "dmn" },
  [MT_EXPORT_ODS] = { "ods", "ods" },
  [MT_EXPORT_LATEX] = { "latex", "tex" },
};

static const char * const dialects[] = { "sqlite", "postgresql", "mariadb", "ansi", "duckdb", "spark", "warehouse" };

const char *
mt_export_format_to_string (MtExportFormat format)
{
  g_return_val_if_fail ((guint) format < MT_N_EXPORT_FORMATS, NULL);
  return formats[format].word;
}

gboolean
mt_export_format_from_string (const char     *word,
                              MtExportFormat *format)
{
  for (guint i = 0; i < MT_N_EXPORT_FORMATS; i++)
    if (g_strcmp0 (word, formats[i].word) == 0)
      {
        *format = (MtExportFormat) i;
        return TRUE;
      }
  return FALSE;
}

const char *
mt_sql_dialect_to_string (MtSqlDialect dialect)
{
  g_return_val_if_fail ((guint) dialect < G_N_ELEMENTS (dialects), NULL);
  return dialects[dialect];
}

gboolean
mt_sql_dialect_from_string (const char   *word,
                            MtSqlDialect *dialect)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (g_strcmp0 (word, dialects[i]) == 0)
      {
        *dialect = (MtSqlDialect) i;
        return TRUE;
      }
  return FALSE;
}

const char *
mt_export_format_get_suffix (MtExportFormat format)
{
  g_return_val_if_fail ((guint) format < MT_N_EXPORT_FORMATS, NULL);
  return formats[format].suffix;
}

/* Formats that cannot compute a column. */
static gboolean
refuse_derived (const MtExportIr  *plan,
                const char        *format,
                GError           **error)
{
  if (plan->n_derived == 0)
    return TRUE;
  return mt_refuse (error, MT_ERROR_PARAMS, _("%s exports cannot compute the derived column “%s”; use another format"), format,
                    plan->columns[plan->n_columns].name);
}

static gboolean
write_format (const MtExportIr  *plan,
              MtExportFormat       format,
              MtSqlDialect         dialect,
              GString             *out,
              GError             **error)
{
  switch (format)
    {
    case MT_EXPORT_SQL:
      return mt_export_sql (plan, dialect, out, error);
    case MT_EXPORT_ODS:
      return mt_export_ods (plan, NULL, NULL, 0, out, error);
    case MT_EXPORT_PYTHON:
      mt_export_python (plan, out);
      break;
    case MT_EXPORT_R:
      mt_export_r (plan, out);
      break;
    case MT_EXPORT_JAVASCRIPT:
      mt_export_javascript (plan, out);
      break;
    case MT_EXPORT_C:
      mt_export_c (plan, out);
      break;
    case MT_EXPORT_PMML:
      if (!refuse_derived (plan, "PMML", error))
        return FALSE;
      /* Its regression models decide for the more probable class: one would decide otherwise than this. */
      if (plan->cutoff != MT_CUTOFF)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("PMML exports support only a cutoff of 0.5; set the cutoff to 0.5, or use another "
                         "format"));
          return FALSE;
        }
      mt_export_pmml (plan, out);
      break;
    case MT_EXPORT_DMN:
      if (!refuse_derived (plan, "DMN", error))
        return FALSE;
      mt_export_dmn (plan, out);
      break;
    case MT_EXPORT_LATEX:
      mt_export_latex (plan, out);
      break;
    case MT_EXPORT_JSON:
    case MT_N_EXPORT_FORMATS:
    default:
      g_return_val_if_reached (FALSE);
    }
  return TRUE;
}

GBytes *
mt_export (MtModel         *model,
           MtExportFormat   format,
           MtSqlDialect     dialect,
           GError         **error)
{
  g_autoptr (MtExportIr) plan = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail ((guint) format < MT_N_EXPORT_FORMATS, NULL);

  if (format == MT_EXPORT_JSON)
    {
      gsize length;
      char *json = mt_model_to_json (model, &length);

      return g_bytes_new_take (json, length);
    }
  plan = mt_export_ir_new (model);
  if (!write_format (plan, format, dialect, out, error))
    return NULL;
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

gboolean
mt_export_save (MtModel         *model,
                MtExportFormat   format,
                MtSqlDialect     dialect,
                const char      *path,
                GError         **error)
{
  g_autoptr (GBytes) bytes = mt_export (model, format, dialect, error);
  gconstpointer data;
  gsize length;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &length);
  return mt_file_write (path, data, length, MT_FILE_REPLACE, error);
}
