#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "import/mt-cell-reader.h"
#include "import/mt-column-builder.h"
#include "mt-core.h"
#include "import/mt-csv-detect.h"
#include "import/mt-typing.h"
#include "table-csv.h"

/* --- cutting: by eye as by libcsv --- */

static char *
cut (const char         *text,
     guint               n_columns,
     const MtCsvDialect *dialect,
     gboolean            by_libcsv)
{
  g_autofree MtColumnPlan *plans = g_new0 (MtColumnPlan, n_columns);
  GString *out = g_string_new (NULL);
  MtCellReader reader;
  MtCellBlock block = { 0 };
  gsize length = strlen (text);

  block.block.text = g_malloc (length + MT_CSV_PADDING);
  memcpy (block.block.text, text, length);
  block.block.length = length;
  for (guint c = 0; c < n_columns; c++)
    {
      plans[c].mode = MT_READ_TEXT;
      plans[c].tokens = mt_missing_get_default_tokens ();
    }
  mt_cell_reader_init (&reader, 0, n_columns, plans, dialect);
  reader.by_libcsv = by_libcsv;
  mt_cell_reader_run (&reader, &block);
  g_string_append_printf (out, "%d:", block.tokens);
  if (block.tokens != MT_CSV_TOKENS_OK)
    g_string_append_printf (out, "%" G_GSIZE_FORMAT ":", block.error_offset);
  for (gsize row = 0; row < block.n_rows; row++)
    {
      for (guint c = 0; c < n_columns; c++)
        {
          const MtTextCell *cells = mt_cell_block_get_column (&block, c);
          gsize n;
          const char *cell = mt_cell_block_get_text (&block, &cells[row], &n);

          g_string_append_len (out, cell != NULL ? cell : "_", cell != NULL ? (gssize) n : 1);
          g_string_append_c (out, '/');
        }
      g_string_append_c (out, ';');
    }
  for (guint i = 0; i < block.ragged->len; i++)
    {
      MtRagged *ragged = &g_array_index (block.ragged, MtRagged, i);

      g_string_append_printf (out, " %" G_GUINT64_FORMAT " %u %d", ragged->row, ragged->n_fields, ragged->kind);
    }
  mt_cell_block_clear (&block);
  mt_cell_reader_clear (&reader);
  return g_string_free (out, FALSE);
}

static void
test_cut (void)
{
  static const struct { const char *text; const char *cells; } cases[] = {
    { "a,b\n", "0:a/b/;" },
    { "a,b", "0:a/b/;" },
    { "a,b\r\nc,d\r\n\r\n\re,f\r", "0:a/b/;c/d/;e/f/;" },
    { ",\n,x\n", "0:_/_/;_/x/;" },
    { "\"a,\"\"b\",\"c\nd\"\n", "0:a,\"b/c\nd/;" },
    { " a , b \n", "0: a / b /;" },
    { "\" a \",b\n", "0: a /b/;" },
    { "a\n", "0:a/_/; 0 1 0" },
    { "a,b,\n", "0:a/b/; 0 3 1" },
    { "a,b,c\n", "0:a/b/; 0 3 2" },
    { "  \n\t\na,b\n", "0:a/b/;" },
    { "a,x\"y\n", "1:3:" },
    { "a,\"x\"y\n", "1:5:" },
    { "1,2\na,\"x\n", "2:9:1/2/;" },
    { "", "0:" },
  };
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();

  dialect->delimiter = ',';
  dialect->quote = '"';
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint by_libcsv = 0; by_libcsv < 2; by_libcsv++)
      {
        g_autofree char *cells = cut (cases[i].text, 2, dialect, by_libcsv);

        g_assert_cmpstr (cells, ==, cases[i].cells);
      }
}

static void
test_cut_random (void)
{
  static const char letters[] = "aab1,,;\n\r\"\"' \t\n";
  MtRandom random;
  guint n_fine = 0;

  mt_random_init (&random, 11);
  for (guint i = 0; i < (g_test_slow () ? 1000000 : 30000); i++)
    {
      g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
      g_autofree char *by_eye = NULL;
      g_autofree char *by_libcsv = NULL;
      char text[200] = "";
      gsize length = mt_random_below (&random, i % 4 == 0 ? 190 : 20);
      guint n_columns = 1 + (guint) mt_random_below (&random, 4);

      for (gsize k = 0; k < length; k++)
        text[k] = letters[mt_random_below (&random, i % 2 == 0 ? sizeof letters - 1 : 9)];
      dialect->delimiter = ",;\t "[mt_random_below (&random, 4)];
      dialect->quote = (char[]) { '"', '\'', MT_CSV_NO_QUOTE }[mt_random_below (&random, 3)];
      by_eye = cut (text, n_columns, dialect, FALSE);
      by_libcsv = cut (text, n_columns, dialect, TRUE);
      if (strcmp (by_eye, by_libcsv) != 0)
        {
          g_autofree char *escaped = g_strescape (text, NULL);

          g_error ("“%s”: by eye %s, by libcsv %s", escaped, by_eye, by_libcsv);
        }
      n_fine += by_eye[0] == '0';
    }
  g_assert_cmpuint (n_fine, >, 10000);
}

/* --- detection --- */

static void
test_encoding (void)
{
  static const struct { const char *head; gsize length; const char *encoding; } good[] = {
    { "", 0, NULL }, { "a,b\n1,2\n", 8, NULL }, { "\xff\xfe" "a\0", 4, "UTF-16LE" }, { "\xfe\xff\0a", 4, "UTF-16BE" },
    { "\xff\xfe\0\0a\0\0\0", 8, "UTF-32" }, { "\0\0\xfe\xff\0\0\0a", 8, "UTF-32" },
    { "a\0,\0b\0\n\0", 8, "UTF-16LE" }, { "\0a\0,\0b\0\n", 8, "UTF-16BE" }, { "BZhang,b\n1,2\n", 13, NULL },
  };
  static const struct { const char *head; gsize length; const char *what; } bad[] = {
    { "\x89PNG\r\n", 6, "PNG" }, { "PK\x03\x04", 4, "spreadsheet" }, { "%PDF-1.4", 8, "PDF" },
    { "\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04\x05\x06\x07\x08", 16, "binary" },
    { "BZh91AY&SY\0\0\0\0", 14, "bzip2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *encoding = "?";

      g_assert_true (mt_csv_detect_encoding (good[i].head, good[i].length, &encoding, &error));
      g_assert_cmpstr (encoding, ==, good[i].encoding);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *encoding;

      g_assert_false (mt_csv_detect_encoding (bad[i].head, bad[i].length, &encoding, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, bad[i].what));
      g_assert_nonnull (strstr (error->message, "Not a text table"));
    }
}

static void
test_multibyte (void)
{
  static const char western[] = "M\xfcller, \x84Zo\xeb\x93, pr\xe9nom, caf\xe9";
  static const char korean[] = "\xb1\xe8\xc3\xb6\xbc\xf6,\xc0\xcc\xbf\xb5\xc8\xf1";
  static const char japanese[] = "\x96\xbc\x91\x4f,\x94\x4e\x97\xee\n\x8e\x52\x93\x63,30";

  g_assert_null (mt_csv_detect_multibyte (western, sizeof western - 1));
  g_assert_nonnull (mt_csv_detect_multibyte (korean, sizeof korean - 1));
  g_assert_cmpstr (mt_csv_detect_multibyte (japanese, sizeof japanese - 1), ==, "SHIFT_JIS");
}

/* "delimiter quote header columns | names | first data line", or the error. */
static char *
layout (const char         *text,
        gssize              length,
        const MtCsvDialect *wanted)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length < 0 ? strlen (text) : (gsize) length);
  g_autoptr (MtCsvSource) source = mt_csv_source_new_bytes (bytes);
  g_autoptr (MtCsvDialect) automatic = mt_csv_dialect_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MtCsvLayout) found = NULL;
  g_autofree char *names = NULL;
  MtCsvProblem problem;
  guint8 byte;
  guint64 line;

  found = mt_csv_layout_detect (source, wanted != NULL ? wanted : automatic, NULL, NULL, &problem, &byte, &line, NULL,
                                &error);
  if (found == NULL)
    return error != NULL ? g_strdup (error->message) : g_strdup_printf ("problem %d %u", problem, (guint) line);
  names = found->names != NULL ? g_strjoinv ("|", found->names) : g_strdup ("-");
  return g_strdup_printf ("%c%c%d %u %s %u %u", found->dialect->delimiter, found->dialect->quote, found->dialect->header,
                          found->n_columns, names, (guint) found->data_line, found->n_preamble);
}

static void
test_layout (void)
{
  static const struct { const char *text; const char *layout; } cases[] = {
    { "a,b\n1,2\n", ",\"1 2 a|b 2 0" },
    { "a;b\n1,5;2,5\n", ";\"1 2 a|b 2 0" },
    { "1,5;2,5\n1,6;2,7\n", ";\"0 2 - 1 0" },
    { "a\tb\n1\t2\n", "\t\"1 2 a|b 2 0" },
    { "a|b\n1|2\n", "|\"1 2 a|b 2 0" },
    { "a\n1\n2\n", ",\"1 1 a 2 0" },
    { "1,2\n3,4\n", ",\"0 2 - 1 0" },
    { "x,y\nx,y\nx,y\n", ",\"0 2 - 1 0" },
    { "x,y\np,q\nr,s\n", ",\"1 2 x|y 2 0" },
    { "2019,2020,total\n1,2,3\n", ",\"1 3 2019|2020|total 2 0" },
    { "NA,2,3\n1,2,3\n", ",\"0 3 - 1 0" },
    { "Report\n\na,b,c\n1,2,3\n4,5,6\n", ",\"1 3 a|b|c 4 1" },
    { "# note\n# more\na,b\n1,2\n4,5\n", ",\"1 2 a|b 4 2" },
    { "Title,,\n,,\na,b,c\n1,2,3\n4,5,6\n", ",\"1 3 a|b|c 4 2" },
    { "1,,\n2,3,4\n5,6,7\n", ",\"0 3 - 1 0" },
    { "sep=;\na;b\n1;2\n", ";\"1 2 a|b 3 0" },
    { "sep=|\r\na|b\r\n1|2\r\n", "|\"1 2 a|b 3 0" },
    { "sep=\na,b\n1,2\n", ",\"1 2 a|b 3 1" },
    { "'a','b'\n'x, y',2\n", ",'1 2 a|b 2 0" },
    { "a,b\nit's,1\nthat's,2\n", ",\"1 2 a|b 2 0" },
    { "a,b\n'tis,1\n'twas,2\n", ",\"1 2 a|b 2 0" },
    { "a;b\n'x; y';1\n'z''s';2\n", ";'1 2 a|b 2 0" },
    { "  \n\na,b\n1,2\n", ",\"1 2 a|b 4 0" },
    { "a,b\n", ",\"1 2 a|b 2 0" },
    { "", "The file is empty" },
    { "\n\r\n\n", "The file is empty: it contains only blank lines" },
    { "\"a,b\n1,2\n", "Line 1: a quote opens here but is never closed. Close it, or double the quote if it is "
                      "part of the text (“\"a,b…”)" },
    { "a\"b,c\n1,2\n", "Line 1: a quote is in the middle of a field. Put the whole field in quotes and double the "
                       "quotes inside it, or check for a missing delimiter (“a\"b,c…”)" },
    { "a,b\n1,\xff\n", "problem 2 2" },
  };
  g_autoptr (MtCsvDialect) wanted = mt_csv_dialect_new ();
  g_autoptr (GString) wide = g_string_new ("c");
  g_autofree char *forced = NULL;
  g_autofree char *too_wide = NULL;
  g_autofree char *nul = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = layout (cases[i].text, -1, NULL);

      if (strcmp (found, cases[i].layout) != 0)
        g_error ("“%s”: %s, expected %s", cases[i].text, found, cases[i].layout);
    }
  wanted->delimiter = ';';
  wanted->header = 0;
  forced = layout ("sep=,\na,b\n'x',2\n", -1, wanted);
  g_assert_cmpstr (forced, ==, ";\"0 1 - 2 0");
  nul = layout ("a,b\n1,\0\n", 8, NULL);
  g_assert_cmpstr (nul, ==, "problem 1 2");
  for (guint i = 0; i < MT_CSV_MAX_COLUMNS; i++)
    g_string_append (wide, ",c");
  g_string_append (wide, "\n1\n");
  too_wide = layout (wide->str, -1, NULL);
  g_assert_nonnull (strstr (too_wide, "Line 1 has 100001 fields; at most 100000 columns"));
}

static void
test_lines (void)
{
  MtCsvPlace place;

  g_assert_cmpuint (mt_csv_count_lines ("a\nb\r\nc\rd", 8), ==, 3);
  g_assert_cmpuint (mt_csv_count_lines ("a\r", 2), ==, 1);
  g_assert_cmpuint (mt_csv_count_lines ("", 0), ==, 0);
  mt_csv_locate ("a\n\"b\nc\",d\ne\r\n\"f", 16, '"', 16, &place);
  g_assert_cmpuint (place.line, ==, 4);
  g_assert_cmpuint (place.quote_line, ==, 4);
  mt_csv_locate ("a\n\"b\nc\",d\ne", 11, '"', 8, &place);
  g_assert_cmpuint (place.line, ==, 1);
  g_assert_cmpuint (place.offset, ==, 2);
}

/* What cannot be had is asked for and reported, in every form a column has. */
static void
test_builder_limits (void)
{
  static const MtReadMode modes[] = { MT_READ_NUMBERS, MT_READ_CODES, MT_READ_TEXT, MT_READ_SKIP };
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtColumnPlan plan = { 0 };
  MtCellReader reader;
  MtCellBlock block = { 0 };

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  g_test_skip ("a sanitizer stops at requests that cannot be met");
  return;
#endif
  dialect->delimiter = ',';
  dialect->quote = '"';
  plan.tokens = mt_missing_get_default_tokens ();
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      MtColumnBuilder builder;

      plan.mode = modes[i];
      mt_cell_reader_init (&reader, 0, 1, &plan, dialect);
      block.block.text = g_realloc (block.block.text, 6 + MT_CSV_PADDING);
      memcpy (block.block.text, "1\n2\n3\n", 6);
      block.block.length = 6;
      mt_cell_reader_run (&reader, &block);
      mt_column_builder_init (&builder, modes[i], 0, 1, 1, dialect);
      mt_column_builder_expect (&builder, 100);   /* nothing to judge by yet */
      g_assert_true (mt_column_builder_append (&builder, &block, &reader, 0, plan.tokens));
      mt_column_builder_expect (&builder, G_MAXSIZE / 32);
      g_assert_cmpuint (builder.wanted_bytes, ==, 0);
      if (modes[i] != MT_READ_SKIP)
        {
          block.n_rows = G_MAXSIZE / 64;   /* never looked at: the room for it comes first */
          if (modes[i] != MT_READ_TEXT)
            {
              g_assert_false (mt_column_builder_append (&builder, &block, &reader, 0, plan.tokens));
              g_assert_cmpuint (builder.wanted_bytes, >, 0);
            }
        }
      mt_column_builder_clear (&builder);
      mt_cell_reader_clear (&reader);
    }
  mt_cell_block_clear (&block);
}

/* Of very many columns, each may collect few texts before it is looked at; of one, many. */
static void
test_review_early (void)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  dialect->delimiter = ',';
  dialect->quote = '"';
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%u.5\n", i);
  for (guint i = 0; i < 2; i++)
    {
      MtColumnPlan plan = { .mode = MT_READ_CODES, .tokens = mt_missing_get_default_tokens () };
      MtCellBlock block = { 0 };
      MtCellReader reader;
      MtColumnBuilder builder;

      mt_cell_reader_init (&reader, 0, 1, &plan, dialect);
      block.block.text = g_malloc0 (text->len + MT_CSV_PADDING);
      memcpy (block.block.text, text->str, text->len);
      block.block.length = text->len;
      mt_cell_reader_run (&reader, &block);
      mt_column_builder_init (&builder, MT_READ_CODES, 0, 1, i == 0 ? 1 : 100000, dialect);
      g_assert_true (mt_column_builder_append (&builder, &block, &reader, 0, plan.tokens));
      mt_column_builder_review (&builder);
      g_assert_cmpint (builder.mode, ==, i == 0 ? MT_READ_CODES : MT_READ_NUMBERS);
      mt_column_builder_clear (&builder);
      mt_cell_reader_clear (&reader);
      mt_cell_block_clear (&block);
    }
}

/* --- writing and reading back --- */

static char *
random_text (MtRandom *random)
{
  static const char * const pieces[] = {
    "a", "b", "1", ",", ";", "\"", "'", "\n", "\r\n", " ", "=", "+", "-", "@", "\t", "é", "日", "NA", "0", ".", "\\", "#",
  };
  GString *text = g_string_new ("x");   /* a column of text, whatever else */
  guint n = (guint) mt_random_below (random, 6);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[mt_random_below (random, G_N_ELEMENTS (pieces))]);
  if (mt_random_below (random, 4) == 0)
    g_string_prepend (text, pieces[mt_random_below (random, G_N_ELEMENTS (pieces))]);
  return g_string_free (text, FALSE);
}

static MtTable *
random_table (MtRandom *random,
              MtSchema *schema)
{
  guint n_columns = 1 + (guint) mt_random_below (random, 5);
  gsize n_rows = 1 + mt_random_below (random, 12);
  g_autofree MtColumn **columns = g_new0 (MtColumn *, n_columns);

  for (guint c = 0; c < n_columns; c++)
    {
      g_autofree char *name = g_strdup_printf ("col %u%s", c, c % 2 == 0 ? "" : ", \"quoted\"\nname");

      if (mt_random_below (random, 2) == 0)
        {
          double *values = g_new (double, n_rows);

          for (gsize row = 0; row < n_rows; row++)
            {
              guint64 bits = mt_random_next (random);

              memcpy (&values[row], &bits, sizeof bits);
              if (mt_random_below (random, 3) == 0)
                values[row] = (double) mt_random_below (random, 100) - 50;
              if (!isfinite (values[row]))
                values[row] = NAN;
            }
          columns[c] = mt_column_new_numbers (name, MT_TYPE_NUMBER, values, n_rows);
          mt_schema_set_type (schema, name, MT_TYPE_NUMBER);
        }
      else
        {
          GByteArray *bytes = g_byte_array_new ();
          guint64 *offsets = g_new0 (guint64, n_rows + 1);
          guint8 *missing = g_new0 (guint8, n_rows / 8 + 1);

          for (gsize row = 0; row < n_rows; row++)
            {
              g_autofree char *text = random_text (random);

              if (mt_random_below (random, 5) == 0)
                missing[row / 8] |= (guint8) (1u << (row % 8));
              else
                g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
              offsets[row + 1] = bytes->len;
            }
          columns[c] = mt_column_new_text (name, (char *) g_byte_array_free (bytes, FALSE), offsets, missing, n_rows);
          mt_schema_set_type (schema, name, MT_TYPE_TEXT);
        }
    }
  return mt_table_new (columns, n_columns);
}

static MtTable *
write_and_read (const MtTable     *table,
                const MtSchema    *schema,
                MtTableWriteFlags  flags)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .schema = schema, .dialect = dialect };

  dialect->header = 1;
  dialect->delimiter = ',';
  mt_test_write_csv (table, stream, flags, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, NULL);
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  import = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  return mt_table_ref (mt_import_get_table (import));
}

static gboolean
equal_tables (const MtTable *a,
              const MtTable *b)
{
  if (mt_table_get_n_rows (a) != mt_table_get_n_rows (b) || mt_table_get_n_columns (a) != mt_table_get_n_columns (b))
    return FALSE;
  for (guint c = 0; c < mt_table_get_n_columns (a); c++)
    {
      const MtColumn *x = mt_table_get_column (a, c);
      const MtColumn *y = mt_table_get_column (b, c);

      if (strcmp (mt_column_get_name (x), mt_column_get_name (y)) != 0)
        return FALSE;
      for (gsize row = 0; row < mt_table_get_n_rows (a); row++)
        {
          g_autofree char *p = mt_column_dup_text (x, row);
          g_autofree char *q = mt_column_dup_text (y, row);

          if (mt_column_is_missing (x, row) != mt_column_is_missing (y, row) || strcmp (p, q) != 0)
            return FALSE;
        }
    }
  return TRUE;
}

static void
test_round_trip (void)
{
  MtRandom random;
  guint n_neutralised = 0;

  mt_random_init (&random, 21);
  for (guint i = 0; i < (g_test_slow () ? 10000 : 400); i++)
    {
      g_autoptr (MtSchema) schema = mt_schema_new ();
      g_autoptr (MtTable) table = random_table (&random, schema);
      g_autoptr (MtTable) back = write_and_read (table, schema, MT_TABLE_WRITE_FORMULAS);
      g_autoptr (MtTable) safe = write_and_read (table, schema, MT_TABLE_WRITE_DEFAULT);

      g_assert_true (equal_tables (table, back));
      n_neutralised += !equal_tables (table, safe);
    }
  g_assert_cmpuint (n_neutralised, >, 0);
}

static void
test_write_formulas (void)
{
  double *numbers = g_new (double, 2);
  char *levels[] = { g_strdup ("=1+2"), g_strdup ("-5"), NULL };
  const guint32 codes[] = { 0, 1 };
  MtColumn *columns[2];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) closed = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  numbers[0] = -1.5;
  numbers[1] = NAN;
  columns[0] = mt_column_new_numbers ("=n", MT_TYPE_NUMBER, numbers, 2);
  columns[1] = mt_column_new_codes ("c", MT_TYPE_BOOLEAN, g_memdup2 (levels, sizeof levels), codes, 2);
  table = mt_table_new (columns, 2);
  mt_test_write_csv (table, stream, MT_TABLE_WRITE_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  g_assert_cmpstr (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)), ==,
                   "'=n,c\n-1.5,'=1+2\n\"\",-5\n");
  g_output_stream_close (closed, NULL, NULL);
  g_assert_false (mt_test_write_csv (table, closed, MT_TABLE_WRITE_DEFAULT, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv/cut", test_cut);
  g_test_add_func ("/csv/cut-random", test_cut_random);
  g_test_add_func ("/csv/encoding", test_encoding);
  g_test_add_func ("/csv/multibyte", test_multibyte);
  g_test_add_func ("/csv/layout", test_layout);
  g_test_add_func ("/csv/lines", test_lines);
  g_test_add_func ("/csv/builder-limits", test_builder_limits);
  g_test_add_func ("/csv/round-trip", test_round_trip);
  g_test_add_func ("/csv/write-formulas", test_write_formulas);
  g_test_add_func ("/csv/review-early", test_review_early);
  return g_test_run ();
}
