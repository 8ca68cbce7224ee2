/* Several files of the same columns as the text of one: the line of names of the first, then the rows of all, in the
 * order of the files. Each is unpacked as it is read; sheets and Parquet become text. Where two files meet there is one line end. */
#pragma once

#include <gio/gio.h>

#include "mt-csv-dialect.h"

G_BEGIN_DECLS

#define MT_TYPE_JOINED_STREAM (mt_joined_stream_get_type ())
G_DECLARE_FINAL_TYPE (MtJoinedStream, mt_joined_stream, MT, JOINED_STREAM, GInputStream)

/* @dialect: what is wanted; only whether there are names, the quote, and what a sheet or database needs are looked at. Reading fails with
 * MT_ERROR_SCHEMA, and names the file, when its first line is not that of the first file. */
GInputStream *mt_joined_stream_new (GFile * const *files, guint n_files, const MtCsvDialect *dialect);

G_END_DECLS
