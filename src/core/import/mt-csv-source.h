/* Where the bytes of a CSV come from: a file, memory, or a pipe; or the text that a sheet or a table of a database
 * becomes (mt-source-text.h). A source can be read
 * from its start more than once, which typing needs when a late cell contradicts an early
 * guess; what came from a pipe is kept for that, in memory first and then in an unnamed
 * temporary file. Private to core. */
#pragma once

#include <gio/gio.h>

#include "mt-csv-dialect.h"

G_BEGIN_DECLS

typedef struct _MtCsvSource MtCsvSource;
typedef struct _MtCsvPass MtCsvPass;

MtCsvSource *mt_csv_source_new_file   (GFile        *file);
MtCsvSource *mt_csv_source_new_bytes  (GBytes       *bytes);
MtCsvSource *mt_csv_source_new_stream (GInputStream *stream);
void         mt_csv_source_free       (MtCsvSource  *source);
/* Looks at what the source is. (transfer full): @wanted, with what is known of the text where it is made from a sheet or
 * table; of these the source then gives the one that @wanted names. Before any pass, and the same again later. */
MtCsvDialect *mt_csv_source_settle    (MtCsvSource *source, const MtCsvDialect *wanted, GCancellable *cancellable,
                                       GError **error);
/* The sheet or table that was read, into @dialect. */
void         mt_csv_source_note_chosen (const MtCsvSource *source, MtCsvDialect *dialect);
/* There will be no other pass after the one that reads now: what comes from a pipe is not kept any longer. */
void         mt_csv_source_let_pass   (MtCsvSource *source);
/* Bytes in all, 0 when not known. */
guint64      mt_csv_source_get_size   (const MtCsvSource *source);

/* One reading from start to end: unpacks gzip and zstd, hashes the bytes as stored. One at a time. */
MtCsvPass   *mt_csv_pass_new          (MtCsvSource *source, GCancellable *cancellable, GError **error);
void         mt_csv_pass_free         (MtCsvPass   *pass);
/* At most @size unpacked bytes; 0 at the end, -1 on error. */
gssize       mt_csv_pass_read         (MtCsvPass   *pass, char *buffer, gsize size,
                                       GCancellable *cancellable, GError **error);
guint64      mt_csv_pass_get_n_bytes  (const MtCsvPass *pass);   /* stored bytes so far */
/* Once read to the end: the hash of all stored bytes. Fails when the bytes are not those
 * of an earlier pass, or the file changed on disk meanwhile. */
gboolean     mt_csv_pass_finish       (MtCsvPass *pass, char **sha256, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCsvSource, mt_csv_source_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCsvPass, mt_csv_pass_free)

G_END_DECLS
