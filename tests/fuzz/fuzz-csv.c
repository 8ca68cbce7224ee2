/* What the CSV reader makes of any bytes: it must not crash, the size of the pieces must not
 * show, and a block cut by eye must give the cells that libcsv gives. The first two bytes
 * choose settings, the rest is the file. */
#include "config.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "import/mt-cell-reader.h"
#include "mt-core.h"
#include "import/mt-typing.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static const char delimiters[] = { ',', ';', '\t', '|', ' ' };

static char *
describe_import (GBytes              *bytes,
                 const MtCsvDialect  *dialect,
                 const MtSchema      *schema,
                 gsize                chunk_size)
{
  MtImportOptions options = { .n_threads = 1, .chunk_size = chunk_size, .dialect = dialect, .schema = schema };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_bytes (bytes, &options, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  MtTable *table;

  g_assert ((import == NULL) == (error != NULL));
  if (import == NULL)
    {
      g_assert (g_utf8_validate (error->message, -1, NULL));
      return g_strdup (error->message);
    }
  table = mt_import_get_table (import);
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const MtColumn *column = mt_table_get_column (table, c);

      g_string_append_printf (text, "%s %d %s\n", mt_column_get_name (column), mt_column_get_type (column),
                              mt_table_get_reason (table, c));
      for (gsize row = 0; row < mt_table_get_n_rows (table); row++)
        {
          g_autofree char *cell = mt_column_dup_text (column, row);

          g_assert (g_utf8_validate (cell, -1, NULL));
          g_string_append_printf (text, "%s|", cell);
        }
    }
  for (guint i = 0; i < mt_import_get_findings (import)->len; i++)
    {
      MtFinding *finding = mt_import_get_findings (import)->pdata[i];

      g_assert (g_utf8_validate (finding->message, -1, NULL));
      g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %s\n", finding->code, finding->line, finding->message);
    }
  return g_steal_pointer (&text->str);
}

static char *
describe_cut (const char         *text,
              gsize               length,
              guint               n_columns,
              const MtCsvDialect *dialect,
              gboolean            by_libcsv)
{
  g_autofree MtColumnPlan *plans = g_new0 (MtColumnPlan, n_columns);
  GString *out = g_string_new (NULL);
  MtCellReader reader;
  MtCellBlock block = { 0 };

  block.block.text = g_malloc (length + MT_CSV_PADDING);
  memcpy (block.block.text, text, length);
  block.block.length = length;
  block.block.last = TRUE;
  for (guint c = 0; c < n_columns; c++)
    {
      plans[c].mode = MT_READ_TEXT;
      plans[c].tokens = mt_missing_get_default_tokens ();
    }
  mt_cell_reader_init (&reader, 0, n_columns, plans, dialect);
  reader.by_libcsv = by_libcsv;
  mt_cell_reader_run (&reader, &block);
  g_string_append_printf (out, "%d %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT "\n",
                          block.tokens, block.tokens == MT_CSV_TOKENS_OK ? 0 : block.error_offset,
                          block.n_ragged[0], block.n_ragged[1], block.n_ragged[2]);
  for (gsize row = 0; row < block.n_rows; row++)
    for (guint c = 0; c < n_columns; c++)
      {
        const MtTextCell *cells = mt_cell_block_get_column (&block, c);
        gsize n;
        const char *cell = mt_cell_block_get_text (&block, &cells[row], &n);

        g_string_append_len (out, cell != NULL ? cell : "<>", cell != NULL ? (gssize) n : 2);
        g_string_append_c (out, '|');
      }
  mt_cell_block_clear (&block);
  mt_cell_reader_clear (&reader);
  return g_string_free (out, FALSE);
}

static void
expect_same (const char *a,
             const char *b,
             const char *what)
{
  if (strcmp (a, b) != 0)
    {
      g_printerr ("%s:\n%s\nis not\n%s\n", what, a, b);
      abort ();   /* which libFuzzer sees, unlike the trap of g_error() */
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static const gsize chunk_sizes[] = { 1, 2, 3, 7, 64, 300 };
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (MtCsvDialect) fixed = mt_csv_dialect_new ();
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *pieces = NULL;
  g_autofree char *by_eye = NULL;
  g_autofree char *by_libcsv = NULL;

  if (size < 2)
    return 0;
  /* Half of the inputs find out everything by themselves. */
  if (data[0] & 1)
    {
      dialect->delimiter = (data[0] & 2) ? delimiters[(data[0] >> 2) % 5] : 0;
      dialect->header = (data[0] >> 5) % 3 - 1;
      dialect->quote = (data[0] & 128) ? '\'' : 0;
      dialect->decimal = (data[1] & 1) ? ',' : 0;
      if (data[1] & 2)
        dialect->encoding = g_strdup ((data[1] & 4) ? "UTF-16LE" : "ISO-8859-1");
    }
  if ((data[1] & 8) != 0)
    {
      schema = mt_schema_new ();
      mt_schema_set_type (schema, "a", (MtColumnType) ((data[1] >> 4) % 5));
      mt_schema_add_missing (schema, "a", "0");
      mt_schema_set_role (schema, "b", MT_ROLE_TARGET);
    }
  bytes = g_bytes_new (data + 2, size - 2);
  whole = describe_import (bytes, dialect, schema, 1024 * 1024);
  pieces = describe_import (bytes, dialect, schema, chunk_sizes[data[1] % 6]);
  expect_same (whole, pieces, "the size of the pieces shows");

  fixed->delimiter = delimiters[(data[0] >> 2) % 5];
  fixed->quote = (data[0] & 128) ? '\'' : (data[1] & 128) ? MT_CSV_NO_QUOTE : '"';
  by_eye = describe_cut ((const char *) data + 2, size - 2, 1 + data[1] % 4, fixed, FALSE);
  by_libcsv = describe_cut ((const char *) data + 2, size - 2, 1 + data[1] % 4, fixed, TRUE);
  expect_same (by_eye, by_libcsv, "libcsv cuts differently");
  return 0;
}
