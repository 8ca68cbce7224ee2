/* From a CSV to a table: detects the dialect, reads in chunks on worker threads, types
 * the columns, and tells what it noticed. The result does not depend on the size of the
 * chunks or the number of threads. */
#pragma once

#include <gio/gio.h>

#include "data/mt-finding.h"
#include "data/mt-schema.h"
#include "data/mt-table.h"
#include "mt-csv-dialect.h"

G_BEGIN_DECLS

typedef struct {
  guint64 bytes;         /* read so far */
  guint64 total_bytes;   /* 0 when not known (a pipe) */
  guint64 rows;
  double  bytes_per_second;
} MtImportProgress;

/* Called on the importing thread at least four times a second. */
typedef void (*MtImportProgressFunc) (const MtImportProgress *progress,
                                      gpointer                user_data);

typedef struct {
  const MtCsvDialect   *dialect;     /* NULL: all auto */
  const MtSchema       *schema;      /* NULL: guesses only */
  guint                 n_threads;   /* 0: as many as there are */
  gsize                 chunk_size;  /* bytes a read; 0: chosen; tests set it */
  guint64               data_line;   /* of the first data record, 1-based, for messages; 0: as counted */
  MtImportProgressFunc  progress;
  gpointer              progress_data;
} MtImportOptions;

typedef struct _MtImport MtImport;   /* immutable, refcounted */

/* Synchronous; for worker threads, tests and the command line. @options may be NULL.
 * What is compressed by gzip or zstd is recognised and unpacked; of a spreadsheet or database the sheet, table or query
 * that the dialect names is read. */
MtImport           *mt_import_file       (GFile *file, const MtImportOptions *options,
                                          GCancellable *cancellable, GError **error);
MtImport           *mt_import_stream     (GInputStream *stream, const MtImportOptions *options,
                                          GCancellable *cancellable, GError **error);
MtImport           *mt_import_bytes      (GBytes *bytes, const MtImportOptions *options,
                                          GCancellable *cancellable, GError **error);
/* Off the caller's thread; options are copied, @progress is called on the worker. */
void                mt_import_file_async (GFile *file, const MtImportOptions *options,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
MtImport           *mt_import_finish     (GAsyncResult *result, GError **error);

MtImport           *mt_import_ref          (MtImport *import);
void                mt_import_unref        (MtImport *import);
MtTable            *mt_import_get_table    (const MtImport *import);
/* Whether a column of that name is taken as the target although others come after it. */
gboolean            mt_import_is_outcome_name (const char *name);
const MtCsvDialect *mt_import_get_dialect  (const MtImport *import);
const MtCsvDialect *mt_import_get_asked    (const MtImport *import);   /* as the options had them; NULL: none */
const MtSchema     *mt_import_get_schema   (const MtImport *import);
GPtrArray          *mt_import_get_findings (const MtImport *import);   /* of MtFinding */
const char         *mt_import_get_sha256   (const MtImport *import);   /* of the file's bytes, hex */
guint64             mt_import_get_n_bytes  (const MtImport *import);

/* The records of a table as written: unquoted and decoded, before typing, without blank
 * lines, preamble and header. @dialect: as an import reported it. FALSE from @func stops. */
typedef gboolean (*MtCsvCellsFunc) (guint               n_fields,
                                    const char * const *fields,    /* each ends with a NUL */
                                    const gsize        *lengths,
                                    gpointer            user_data);
gboolean            mt_csv_each_record     (GFile *file, const MtCsvDialect *dialect,
                                            MtCsvCellsFunc func, gpointer user_data,
                                            GCancellable *cancellable, GError **error);

/* --- a file of any size, part by part --- */

#define MT_IMPORT_PART (8u * 1024 * 1024)

typedef struct _MtImportPart MtImportPart;

/* FALSE stops; with @error set, as a failure. */
typedef gboolean (*MtImportPartFunc) (const MtImportPart *part, gpointer user_data, GError **error);

/* In constant memory: what is shorter than @part_size (0: MT_IMPORT_PART) is one part and read as mt_import_file() does.
 * Of a longer file each part of whole records is typed by itself, with the layout of the first, and with the decimal mark and the order of
 * dates that the column had in the parts before; a number or date that needs another one is MT_ERROR_PARSE, with its line. What comes from a pipe is handed on as
 * it comes. @stream: instead of @file. */
gboolean            mt_import_parts        (GFile *file, GInputStream *stream, const MtImportOptions *options,
                                            gsize part_size, MtImportPartFunc func, gpointer user_data,
                                            GCancellable *cancellable, GError **error);
const MtImport     *mt_import_part_get_import    (const MtImportPart *part);
guint64             mt_import_part_get_first_row (const MtImportPart *part);
/* The only one: what its findings count is of the whole file. */
gboolean            mt_import_part_is_whole      (const MtImportPart *part);
/* Its records as written, one a row of its table. */
gboolean            mt_import_part_each_record   (const MtImportPart *part, MtCsvCellsFunc func, gpointer user_data,
                                                  GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtImport, mt_import_unref)

G_END_DECLS
