/* A table as a CSV file, for tests that read it back. */
#include "config.h"
#include "table-csv.h"

#include "base/mt-csv-write.h"

#define BUFFER_SIZE (64 * 1024)

static gboolean
flush (GString        *buffer,
       GOutputStream  *stream,
       GCancellable   *cancellable,
       GError        **error)
{
  if (!g_output_stream_write_all (stream, buffer->str, buffer->len, NULL, cancellable, error))
    return FALSE;
  g_string_truncate (buffer, 0);
  return TRUE;
}

static void
append_cell (GString           *line,
             const MtColumn    *column,
             gsize              row,
             MtTableWriteFlags  flags)
{
  g_autofree char *text = mt_column_dup_text (column, row);

  /* The text of numbers and dates is ours: a minus in front is no formula. */
  if ((flags & MT_TABLE_WRITE_FORMULAS) != 0 || mt_column_get_store (column) == MT_STORE_NUMBERS)
    mt_csv_append_as_is (line, text);
  else
    mt_csv_append_text (line, text);
}

gboolean
mt_test_write_csv (const MtTable      *table,
                   GOutputStream      *stream,
                   MtTableWriteFlags   flags,
                   GCancellable       *cancellable,
                   GError            **error)
{
  g_autoptr (GString) buffer = g_string_sized_new (BUFFER_SIZE + 4096);
  guint n_columns = mt_table_get_n_columns (table);

  for (guint c = 0; c < n_columns; c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));

      if ((flags & MT_TABLE_WRITE_FORMULAS) != 0)
        mt_csv_append_as_is (buffer, name);
      else
        mt_csv_append_text (buffer, name);
    }
  mt_csv_end_line (buffer);
  for (gsize row = 0; row < mt_table_get_n_rows (table); row++)
    {
      for (guint c = 0; c < n_columns; c++)
        append_cell (buffer, mt_table_get_column (table, c), row, flags);
      mt_csv_end_line (buffer);
      if (buffer->len >= BUFFER_SIZE && !flush (buffer, stream, cancellable, error))
        return FALSE;
    }
  return flush (buffer, stream, cancellable, error);
}
