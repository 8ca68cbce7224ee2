/* What kind of file it is, and what it holds. See mt-import-format.h.
 *
 * Which zip package it is, is told by the name of its first file: OpenDocument begins with one called mimetype that says what
 * it is, stored as it is; anything else in a zip is taken for XLSX, whose reader says what is missing if it is none. */
#include "config.h"
#include "mt-import-format.h"

#include <string.h>

#include "mt-source-text.h"

static gboolean
begins (const char *head,
        gsize       length,
        gsize       at,
        const char *magic,
        gsize       n)
{
  return length >= at + n && memcmp (head + at, magic, n) == 0;
}

MtImportFormat
mt_import_format_of (const char *head,
                     gsize       length)
{
  static const char ods[] = "mimetypeapplication/vnd.oasis.opendocument.spreadsheet";

  if (begins (head, length, 0, "PK\3\4", 4))
    return begins (head, length, 30, ods, strlen (ods)) ? MT_FORMAT_ODS : MT_FORMAT_XLSX;
  if (begins (head, length, 0, "SQLite format 3", 16))
    return MT_FORMAT_SQLITE;
  /* Both may be words of a CSV: a number of few digits in 8 bytes follows the one, a byte that is no text the other. */
  if (begins (head, length, 8, "DUCK", 4) && begins (head, length, 13, "\0\0\0\0\0\0\0", 7))
    return MT_FORMAT_DUCKDB;
  if (begins (head, length, 0, "PAR1", 4) && length > 4 && g_ascii_iscntrl (head[4]) && !g_ascii_isspace (head[4]))
    return MT_FORMAT_PARQUET;
  return MT_FORMAT_TEXT;
}

gboolean
mt_import_format_has_parts (MtImportFormat format)
{
  return format != MT_FORMAT_TEXT && format != MT_FORMAT_PARQUET;
}

gboolean
mt_import_format_is_spreadsheet (MtImportFormat format)
{
  return format == MT_FORMAT_XLSX || format == MT_FORMAT_ODS;
}

const char *
mt_import_format_get_name (MtImportFormat format)
{
  static const char * const names[] = { "CSV", "XLSX", "ODS", "SQLite", "DuckDB", "Parquet" };

  g_return_val_if_fail ((guint) format < G_N_ELEMENTS (names), NULL);
  return names[format];
}

char **
mt_import_list_parts (GFile           *file,
                      MtImportFormat  *format,
                      GCancellable    *cancellable,
                      GError         **error)
{
  g_autoptr (GFileInputStream) input = g_file_read (file, cancellable, error);
  char head[MT_FORMAT_HEAD];
  gsize n = 0;

  if (input == NULL || !g_input_stream_read_all (G_INPUT_STREAM (input), head, sizeof head, &n, cancellable, error))
    return NULL;
  *format = mt_import_format_of (head, n);
  switch (*format)
    {
    case MT_FORMAT_XLSX:
      return mt_source_xlsx_list (file, NULL, cancellable, error);
    case MT_FORMAT_ODS:
      return mt_source_ods_list (file, NULL, cancellable, error);
    case MT_FORMAT_SQLITE:
      return mt_source_sqlite_list (file, cancellable, error);
    case MT_FORMAT_DUCKDB:
      return mt_source_duckdb_list (file, cancellable, error);
    case MT_FORMAT_PARQUET:
    case MT_FORMAT_TEXT:
    default:
      return g_new0 (char *, 1);
    }
}

static void
list_in_thread (GTask        *task,
                gpointer      object,
                gpointer      data,
                GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  MtImportFormat *format = g_new0 (MtImportFormat, 1);
  char **names;

  g_object_set_data_full (G_OBJECT (task), "format", format, g_free);
  names = mt_import_list_parts (data, format, cancellable, &error);
  if (names != NULL)
    g_task_return_pointer (task, names, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
mt_import_list_parts_async (GFile               *file,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, mt_import_list_parts_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, list_in_thread);
}

char **
mt_import_list_parts_finish (GAsyncResult    *result,
                             MtImportFormat  *format,
                             GError         **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, mt_import_list_parts_async), NULL);

  *format = *(MtImportFormat *) g_object_get_data (G_OBJECT (result), "format");
  return g_task_propagate_pointer (G_TASK (result), error);
}
