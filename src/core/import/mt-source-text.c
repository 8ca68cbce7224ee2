/* What is not a CSV as the text of one. See mt-source-text.h. */
#include "config.h"
#include "mt-source-text.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

MtSourceText *
mt_source_text_open (MtImportFormat       format,
                     GFile               *file,
                     GBytes              *bytes,
                     const MtCsvDialect  *dialect,
                     char               **chosen,
                     GCancellable        *cancellable,
                     GError             **error)
{
  gboolean is_sheet = format == MT_FORMAT_XLSX || format == MT_FORMAT_ODS;

  if (is_sheet ? dialect->table != NULL || dialect->query != NULL : dialect->sheet != NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS,
                 is_sheet ? _("The file is a spreadsheet: choose one of its sheets, not a table or query")
                          : _("The file is not a spreadsheet, so it has no sheets to choose from"));
      return NULL;
    }
  switch (format)
    {
    case MT_FORMAT_XLSX:
      return mt_source_xlsx_open (file, bytes, dialect->sheet, chosen, cancellable, error);
    case MT_FORMAT_ODS:
      return mt_source_ods_open (file, bytes, dialect->sheet, chosen, cancellable, error);
    case MT_FORMAT_SQLITE:
    case MT_FORMAT_DUCKDB:
    case MT_FORMAT_PARQUET:
      break;
    case MT_FORMAT_TEXT:
    default:
      g_return_val_if_reached (NULL);
    }
  if (file == NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("A database can be read only from a file, not from a pipe"));
      return NULL;
    }
  if (dialect->query != NULL && dialect->table != NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("Choose a table or give a query, not both"));
      return NULL;
    }
  if (format == MT_FORMAT_SQLITE)
    return mt_source_sqlite_open (file, dialect->table, dialect->query, chosen, cancellable, error);
  if (format == MT_FORMAT_PARQUET && (dialect->table != NULL || dialect->query != NULL))
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("A Parquet file has only one table, so do not choose a table or query"));
      return NULL;
    }
  return mt_source_duckdb_open (file, format == MT_FORMAT_PARQUET, dialect->table, dialect->query, chosen, cancellable,
                                error);
}

void
mt_source_text_free (MtSourceText *self)
{
  if (self != NULL)
    self->free (self);
}

void
mt_source_append_cell (GString    *out,
                       gboolean    first,
                       const char *text,
                       gssize      length)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length;
  gboolean quoted = FALSE;

  if (!first)
    g_string_append_c (out, ',');
  for (gsize i = 0; i < n; i++)
    quoted = quoted || text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
  /* Blanks at the ends belong to the cell. */
  quoted = quoted || (n > 0 && (text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' || text[n - 1] == '\t'));
  if (!quoted)
    {
      g_string_append_len (out, text, (gssize) n);
      return;
    }
  g_string_append_c (out, '"');
  for (gsize i = 0; i < n; i++)
    {
      if (text[i] == '\r' && i + 1 < n && text[i + 1] == '\n')
        continue;
      if (text[i] == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
  g_string_append_c (out, '"');
}

char *
mt_source_list_names (char **names)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL && i < 20; i++)
    g_string_append_printf (list, "%s“%s”", i > 0 ? ", " : "", names[i]);
  if (g_strv_length (names) > 20)
    g_string_append (list, ", …");
  return g_string_free (g_steal_pointer (&list), FALSE);
}

const char *
mt_source_choose (char       **names,
                  const char  *wanted,
                  const char  *option,
                  GError     **error)
{
  g_autofree char *list = mt_source_list_names (names);
  gboolean is_sheet = g_str_equal (option, "sheet");

  for (guint i = 0; wanted != NULL && names[i] != NULL; i++)
    if (g_str_equal (names[i], wanted))
      return names[i];
  if (names[0] == NULL)
    mt_refuse (error, MT_ERROR_PARSE, is_sheet ? _("The file has no sheet") : _("The file has no table"));
  else if (wanted != NULL)
    mt_refuse (error, MT_ERROR_PARAMS,
               is_sheet ? _("There is no sheet “%s”; the sheets are %s") : _("There is no table “%s”; the tables are %s"),
               wanted, list);
  else if (names[1] == NULL)
    return names[0];
  else
    mt_refuse (error, MT_ERROR_PARAMS,
               is_sheet ? _("The file has several sheets (%s): choose one")
                        : _("The file has several tables (%s): choose one, or give a query"), list);
  return NULL;
}
