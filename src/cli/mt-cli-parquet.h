/* Predictions as a Parquet file: the program duckdb makes it of the lines of a CSV, as they come. */
#pragma once

#include "mt-cli.h"

G_BEGIN_DECLS

typedef struct _MtCliParquet MtCliParquet;

/* Whether @path is to become a Parquet file, by its name. */
gboolean      mt_cli_parquet_is_wanted (const char *path);
/* Whether it can be made here; with a sentence if not. Before any work. */
gboolean      mt_cli_parquet_check     (GError **error);
/* @header: the first line, whose names from @first_number on up to @end_number are of numbers, and the others of texts.
 * @writer gets the bytes, and is committed by the caller. */
MtCliParquet *mt_cli_parquet_new       (const char *header, gsize length, guint first_number, guint end_number,
                                        MtFileWriter *writer, GError **error);
gboolean      mt_cli_parquet_write     (MtCliParquet *self, const char *text, gsize length, GError **error);
/* Everything is with the writer. */
gboolean      mt_cli_parquet_finish    (MtCliParquet *self, GError **error);
void          mt_cli_parquet_free      (MtCliParquet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCliParquet, mt_cli_parquet_free)

G_END_DECLS
