/* What kind of file it is, by its first bytes and not by its name; and what it holds. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  MT_FORMAT_TEXT,       /* a CSV, or what is to be told that it is none; may be compressed */
  MT_FORMAT_XLSX,
  MT_FORMAT_ODS,
  MT_FORMAT_SQLITE,
  MT_FORMAT_DUCKDB,
  MT_FORMAT_PARQUET,
} MtImportFormat;

/* Bytes that mt_import_format_of() wants to see, where there are as many. */
#define MT_FORMAT_HEAD 128

MtImportFormat mt_import_format_of   (const char *head, gsize length);
/* A spreadsheet or database, of which a sheet or table can be chosen. */
gboolean       mt_import_format_has_parts (MtImportFormat format);
gboolean       mt_import_format_is_spreadsheet (MtImportFormat format);
/* "XLSX", "SQLite", …: names, which are not translated. */
const char    *mt_import_format_get_name  (MtImportFormat format);

/* The format of a file and (transfer full) the names of its sheets or tables; of a text or Parquet none. NULL: an error,
 * also where a program or library that would be needed is missing. Blocks. */
char         **mt_import_list_parts  (GFile *file, MtImportFormat *format, GCancellable *cancellable, GError **error);
/* Off the caller's thread. */
void           mt_import_list_parts_async  (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
char         **mt_import_list_parts_finish (GAsyncResult *result, MtImportFormat *format, GError **error);

G_END_DECLS
