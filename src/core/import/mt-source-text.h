/* What is not a CSV as the text of one: a sheet, a table of a database, a Parquet file. Private to the room.
 *
 * The text is UTF-8 with commas, double quotes where they are needed, a decimal point, ISO dates, and one line a row (a
 * line break inside a cell is read as a space), so that a line of the text is a row of the sheet. It is made piece by
 * piece while it is read, and never held as a whole. */
#pragma once

#include <gio/gio.h>

#include "mt-csv-dialect.h"
#include "mt-import-format.h"

G_BEGIN_DECLS

typedef struct _MtSourceText MtSourceText;

struct _MtSourceText {
  /* Appends more of the text; nothing appended: it is complete. FALSE with an error. */
  gboolean (*more)     (MtSourceText *self, GString *out, GCancellable *cancellable, GError **error);
  /* Bytes of the file read so far, for a progress bar; NULL: not known. */
  guint64  (*position) (MtSourceText *self);
  void     (*free)     (MtSourceText *self);
};

/* What is read is as @dialect says, of which the parts that say how a text is written do not matter. @bytes: instead of
 * @file. *chosen: the sheet or table that is read where the dialect names none. */
MtSourceText *mt_source_text_open   (MtImportFormat format, GFile *file, GBytes *bytes, const MtCsvDialect *dialect,
                                     char **chosen, GCancellable *cancellable, GError **error);
void          mt_source_text_free   (MtSourceText *self);

/* One opener each. @name: the sheet or table; NULL: the only one. */
MtSourceText *mt_source_xlsx_open   (GFile *file, GBytes *bytes, const char *name, char **chosen, GCancellable *cancellable,
                                     GError **error);
MtSourceText *mt_source_ods_open    (GFile *file, GBytes *bytes, const char *name, char **chosen, GCancellable *cancellable,
                                     GError **error);
MtSourceText *mt_source_sqlite_open (GFile *file, const char *name, const char *query, char **chosen,
                                     GCancellable *cancellable, GError **error);
MtSourceText *mt_source_duckdb_open (GFile *file, gboolean parquet, const char *name, const char *query, char **chosen,
                                     GCancellable *cancellable, GError **error);

/* Names of the sheets or tables, in their order. */
char        **mt_source_xlsx_list   (GFile *file, GBytes *bytes, GCancellable *cancellable, GError **error);
char        **mt_source_ods_list    (GFile *file, GBytes *bytes, GCancellable *cancellable, GError **error);
char        **mt_source_sqlite_list (GFile *file, GCancellable *cancellable, GError **error);
char        **mt_source_duckdb_list (GFile *file, GCancellable *cancellable, GError **error);

/* A cell of the text, quoted where it has to be; @first: no comma before it. */
void          mt_source_append_cell (GString *out, gboolean first, const char *text, gssize length);
/* "the sheets are “a”, “b”, …" for a name that is not there, or to be chosen. */
char         *mt_source_list_names  (char **names);
/* The name asked for, or the only one; NULL: an error that names them all. @option: sheet or table. */
const char   *mt_source_choose      (char **names, const char *wanted, const char *option, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSourceText, mt_source_text_free)

G_END_DECLS
