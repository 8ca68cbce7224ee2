/* What becomes of a text: refusals, types, values, findings, and the user's choices. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <gio/gio.h>

#include "import-checks.h"
#include "mt-core.h"

static MtImport *
import_text (const char             *text,
             gssize                  length,
             const MtImportOptions  *options,
             GError                **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length < 0 ? strlen (text) : (gsize) length);

  return mt_import_bytes (bytes, options, NULL, error);
}

static MtImport *
import_fine (const char            *text,
             const MtImportOptions *options)
{
  g_autoptr (GError) error = NULL;
  MtImport *import = import_text (text, -1, options, &error);

  g_assert_no_error (error);
  return import;
}

static const MtFinding *
find_finding (MtImport   *import,
              const char *code)
{
  GPtrArray *findings = mt_import_get_findings (import);

  for (guint i = 0; i < findings->len; i++)
    if (strcmp (((MtFinding *) findings->pdata[i])->code, code) == 0)
      return findings->pdata[i];
  return NULL;
}

static void
expect_finding (MtImport   *import,
                const char *code,
                guint64     line,
                const char *words)
{
  const MtFinding *finding = find_finding (import, code);

  if (finding == NULL)
    g_error ("there is no %s", code);
  g_assert_cmpuint (finding->line, ==, line);
  if (strstr (finding->message, words) == NULL)
    g_error ("%s: “%s” does not say “%s”", code, finding->message, words);
}

/* --- refusals --- */

static void
test_refused (void)
{
  static const struct { const char *text; gssize length; int code; const char *words; } cases[] = {
    { "", -1, MT_ERROR_PARSE, "The file is empty" },
    { "\n\n", -1, MT_ERROR_PARSE, "contains only blank lines" },
    { "a,b\n", -1, MT_ERROR_PARSE, "Line 1: there are no data rows" },
    { "a,b\n1,2\n1,\"x\n", -1, MT_ERROR_PARSE, "Line 3: a quote opens here but is never closed" },
    { "a,b\n1,2\n1,x\"y\n", -1, MT_ERROR_PARSE, "Line 3: a quote is in the middle" },
    { "a,b\n1,2\n3,\"x\"y\n", -1, MT_ERROR_PARSE, "Line 3: a quote is in the middle" },
    { "a,b\n1\n2,3\n1,x\"y\n", -1, MT_ERROR_PARSE, "Line 2 has 1 field instead of 2. Line 4: a quote" },
    { "a,b\n1,2\n1,2,3\n", -1, MT_ERROR_PARSE, "Line 3 has 3 fields instead of 2. Fix line 3" },
    { "a,b\n\"1\n\",2\n\n1\n", -1, MT_ERROR_PARSE, "Line 5 has 1 field instead of 2. 1 of 2 records" },
    { "a\n1\n2,x\n", -1, MT_ERROR_PARSE, "Line 3 has 2 fields instead of 1" },
    { "a,b\n1,2\n1,x\0y\n", 15, MT_ERROR_PARSE, "Line 3 contains a NUL byte" },
    { "a,b\n1\n1,x\0y\n1,2\n", 16, MT_ERROR_PARSE, "Line 3 contains a NUL byte" },
    { "a,b\n1,caf\xe9\n2,\x81\n", -1, MT_ERROR_PARSE, "is not WINDOWS-1252 either" },
    { "\x96\xbc\x91\x4f,\x94\x4e\x97\xee\n\x8e\x52\x93\x63,30\n", -1, MT_ERROR_PARSE, "looks like SHIFT_JIS" },
    { "\x89PNG\r\n\x1a\n\0\0\0", 11, MT_ERROR_PARSE, "Not a text table" },
    { "\x1f\x8b\x08", 3, MT_ERROR_PARSE, "gzip data is damaged" },
    { "\x1f\x8bxyzxyzxyzxyz", -1, MT_ERROR_PARSE, "gzip data is damaged" },
    { "\xff\xfe" "a\0\n\0\x00\xd8\n\0", 10, MT_ERROR_PARSE, "is not text in UTF-16LE" },
    { "\xff\xfe" "a\0\n\0b", 7, MT_ERROR_PARSE, "is not text in UTF-16LE" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize chunk = 1; chunk <= 64; chunk *= 8)
      {
        MtImportOptions options = { .chunk_size = chunk };
        g_autoptr (GError) error = NULL;
        g_autoptr (MtImport) import = import_text (cases[i].text, cases[i].length, &options, &error);

        g_assert_null (import);
        g_assert_error (error, MT_ERROR, cases[i].code);
        if (strstr (error->message, cases[i].words) == NULL)
          g_error ("case %u, pieces of %u: “%s” does not say “%s”", i, (guint) chunk, error->message, cases[i].words);
      }
}

static void
test_refused_settings (void)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect };
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nowhere/at/all.csv");
  g_autoptr (MtImport) import = NULL;
  GError *error = NULL;

  dialect->encoding = g_strdup ("NO-SUCH-THING");
  import = import_text ("a\n1\n", -1, &options, &error);
  g_assert_null (import);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "Unknown encoding “NO-SUCH-THING”"));
  g_clear_error (&error);

  g_free (dialect->encoding);
  dialect->encoding = g_strdup ("UTF-8");
  import = import_text ("a,b\n1,\xff\n", -1, &options, &error);
  g_assert_null (import);
  g_assert_nonnull (strstr (error->message, "Line 2: the byte 0xFF is not UTF-8"));
  g_clear_error (&error);

  import = mt_import_file (nowhere, NULL, NULL, &error);
  g_assert_null (import);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
}

static void
test_long_field (void)
{
  g_autoptr (GString) text = g_string_new ("a,b\n1,2\n3,");
  g_autofree char *quoted = NULL;
  gsize size = 17 * 1024 * 1024;
  MtImportOptions options = { 0 };

  for (gsize i = 0; i < size; i += 16)
    g_string_append (text, "xxxxxxxxxxxxxxxx");
  g_string_append (text, "\n");
  quoted = g_strdup_printf ("a,b\n1,2\n3,\"%s", text->str + 10);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = NULL;

      options.chunk_size = i % 2 == 0 ? 0 : 100000;
      import = import_text (i < 2 ? text->str : quoted, -1, &options, &error);
      g_assert_null (import);
      g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
      g_assert_nonnull (strstr (error->message, "Line 3: a field is longer than 16 MiB"));
    }
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (MtImport) import = import_text (quoted + 10, -1, NULL, &error);   /* in the names already */

    g_assert_null (import);
    g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
    g_assert_nonnull (strstr (error->message, "Line 1: a field is longer than 16 MiB"));
  }
}

/* --- types --- */

static void
test_types (void)
{
  static const struct { const char *cells; MtColumnType type; } cases[] = {
    { "1\n2\n3\n", MT_TYPE_NUMBER },
    { "1.5\n-2e3\n.5\n", MT_TYPE_NUMBER },
    { "0\n1\n1\n", MT_TYPE_BOOLEAN },
    { "yes\nno\nno\n", MT_TYPE_BOOLEAN },
    { "1.5\n2.5\n1.5\n", MT_TYPE_BOOLEAN },
    { "1.5\n2.5\n", MT_TYPE_NUMBER },
    { "x\ny\n", MT_TYPE_CATEGORY },
    { "007\n012\n100\n", MT_TYPE_CATEGORY },
    { "00.5\n01.5\n1.25\n", MT_TYPE_NUMBER },
    { "2015-03-01\n2016-04-02\n2017-05-03\n", MT_TYPE_DATE },
    { "31/12/2015\n01/01/2016\n02/01/2016\n", MT_TYPE_DATE },
    { "12/31/2015\n01/01/2016\n02/01/2016\n", MT_TYPE_DATE },
    { "01/02/2015\n01/03/2016\n02/01/2016\n", MT_TYPE_CATEGORY },
    { "red\ngreen\nblue\n", MT_TYPE_CATEGORY },
    { "NA\nNA\n?\n", MT_TYPE_NUMBER },
    { "\"1,5\"\n\"2,25\"\n\"3,125\"\n", MT_TYPE_NUMBER },
    { "\"1,234.5\"\n\"2,345\"\n7\n", MT_TYPE_NUMBER },
    { "1 234\n2 345\n7\n", MT_TYPE_NUMBER },
    { "1'234.5\n2'345\n7\n", MT_TYPE_NUMBER },
    { "1\n2\nthree\n", MT_TYPE_CATEGORY },
    { "infinity\n1\n2\n", MT_TYPE_NUMBER },
    { "\" 7\"\n8\n9\n", MT_TYPE_NUMBER },
    { "inner text that is long\nis\nx\n", MT_TYPE_CATEGORY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat ("name\n", cases[i].cells, NULL);
      g_autoptr (MtImport) import = import_fine (text, NULL);

      if (mt_column_get_type (import_column (import, 0)) != cases[i].type)
        g_error ("“%s” is %s", cases[i].cells, mt_column_type_to_string (mt_column_get_type (import_column (import, 0))));
      g_assert_nonnull (mt_table_get_reason (mt_import_get_table (import), 0));
    }
}

static void
test_values (void)
{
  static const char text[] = "n;d;t\n1,5;2015-03-01T12:00;\" x\"\n-2,25;1970-01-02;y\n1.000,5;;NA\n";
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autoptr (MtImport) import = import_fine (text, NULL);
  const MtCsvDialect *dialect = mt_import_get_dialect (import);
  gsize row_2_missing;

  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 0), ==, 1.5);
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 1), ==, -2.25);
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 2), ==, 1000.5);
  g_assert_cmpint (dialect->delimiter, ==, ';');
  g_assert_cmpint (dialect->decimal, ==, ',');
  g_assert_cmpint (dialect->thousands, ==, '.');
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 1), 1), ==, 1);
  g_assert_true (mt_column_is_missing (import_column (import, 1), 2));
  row_2_missing = mt_column_get_n_missing (import_column (import, 2));
  g_assert_cmpuint (row_2_missing, ==, 1);
  g_assert_cmpstr (mt_column_get_level (import_column (import, 2), 0), ==, " x");
  g_assert_cmpstr (mt_import_get_sha256 (import), ==, sha256);
  g_assert_cmpuint (mt_import_get_n_bytes (import), ==, sizeof text - 1);
}

/* Levels come in an order of their own, not in that of the rows. */
static void
test_levels (void)
{
  g_autoptr (MtImport) import = import_fine ("c,z\nb,100\nc,020\na,020\n10,3\n9,3\n", NULL);
  static const char * const levels[] = { "9", "10", "a", "b", "c" };

  for (guint i = 0; i < 5; i++)
    g_assert_cmpstr (mt_column_get_level (import_column (import, 0), i), ==, levels[i]);
  g_assert_cmpstr (mt_column_get_level (import_column (import, 1), 0), ==, "3");
  g_assert_cmpstr (mt_column_get_level (import_column (import, 1), 2), ==, "100");
}

/* What the first rows say is not what the file says: any mode has to end in the same column. */
static void
test_late_surprises (void)
{
  static const struct { const char *odd; MtColumnType type; const char *code; } cases[] = {
    { "oops,x\n", MT_TYPE_NUMBER, "not-a-number" },
    { "0012,x\n", MT_TYPE_CATEGORY, "leading-zeros" },
    { "inf,x\n", MT_TYPE_NUMBER, "infinite-number" },
    { "\"1,5\",x\n", MT_TYPE_NUMBER, NULL },   /* whole numbers else: a decimal comma */
  };
  g_autofree char *mostly = NULL;
  g_autoptr (GString) mixed = g_string_new ("n,t\n");
  g_autoptr (GString) sorted = g_string_new ("n,t\n");
  g_autoptr (MtImport) import = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = import_lines ("n,t\n", 60000, ",x", 50000, cases[i].odd);
      g_autoptr (MtImport) found = import_fine (text, NULL);

      import_expect_type (found, 0, cases[i].type);
      if (cases[i].code == NULL)
        {
          g_assert_cmpfloat (mt_column_get_number (import_column (found, 0), 50000 - 2), ==, 1.5);
          continue;
        }
      g_assert_nonnull (find_finding (found, cases[i].code));
      if (cases[i].type == MT_TYPE_NUMBER)
        g_assert_cmpuint (find_finding (found, cases[i].code)->line, ==, 50000);
      g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (found)), ==, 60000);
      if (cases[i].type == MT_TYPE_CATEGORY)
        {
          g_autofree char *cell = mt_column_dup_text (import_column (found, 0), 50000 - 2);

          g_assert_cmpstr (cell, ==, "0012");
        }
    }

  /* Numbers first, then as many words: the words win, and the numbers are as written. */
  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (mixed, i < 40000 ? "%u.50,x\n" : "word%u,x\n", i % 500);
  import = import_fine (mixed->str, NULL);
  import_expect_type (import, 0, MT_TYPE_CATEGORY);
  mostly = mt_column_dup_text (import_column (import, 0), 7);
  g_assert_cmpstr (mostly, ==, "7.50");
  expect_finding (import, "mixed-column", 40002, "“word0”");
  g_clear_pointer (&import, mt_import_unref);

  /* Sorted: the first rows look like a yes and no. */
  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (sorted, "%u,x%u\n", i / 100, i);
  import = import_fine (sorted->str, NULL);
  import_expect_type (import, 0, MT_TYPE_NUMBER);
  import_expect_type (import, 1, MT_TYPE_TEXT);
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 59999), ==, 599);
}

static void
test_many_levels (void)
{
  g_autoptr (GString) text = g_string_new ("a,b\n");
  g_autoptr (MtImport) import = NULL;
  g_autofree char *cell = NULL;

  /* Few at first, then more than a dictionary should hold. */
  for (guint i = 0; i < 210000; i++)
    g_string_append_printf (text, "k%u,%s\n", i < 50000 ? i % 10 : i % 70000, i % 3 == 0 ? "p" : i == 5 ? "" : "q");
  import = import_fine (text->str, NULL);
  import_expect_type (import, 0, MT_TYPE_TEXT);
  g_assert_cmpint (mt_column_get_store (import_column (import, 0)), ==, MT_STORE_TEXT);
  cell = mt_column_dup_text (import_column (import, 0), 69999);
  g_assert_cmpstr (cell, ==, "k69999");
  g_assert_cmpuint (mt_column_get_n_missing (import_column (import, 1)), ==, 1);
}

/* --- the user's choices --- */

/* What means missing in one column goes with the table, also as the plain form of it. */
static void
test_missing_values (void)
{
  static const char text[] = "n;d;c;m\n1,5;31.12.2014;a;1\n0,5;01.01.1900;b;2\n2,5;30.01.2015;-;3\n3,25;29.02.2012;a;4\n";
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema };
  g_autoptr (MtImport) import = NULL;
  const char * const *values;

  mt_schema_add_missing (schema, "n", "0,5");
  mt_schema_add_missing (schema, "d", "01.01.1900");
  mt_schema_add_missing (schema, "c", "-");
  import = import_fine (text, &options);
  for (guint c = 0; c < 3; c++)
    g_assert_cmpuint (mt_column_get_n_missing (import_column (import, c)), ==, 1);
  values = mt_column_get_missing_values (import_column (import, 0));
  g_assert_cmpstr (values[0], ==, "0,5");
  g_assert_cmpstr (values[1], ==, "0.5");
  g_assert_null (values[2]);
  values = mt_column_get_missing_values (import_column (import, 1));
  g_assert_cmpstr (values[0], ==, "01.01.1900");
  g_assert_cmpstr (values[1], ==, "1900-01-01");
  g_assert_null (values[2]);
  values = mt_column_get_missing_values (import_column (import, 2));
  g_assert_cmpstr (values[0], ==, "-");
  g_assert_null (values[1]);
  g_assert_null (mt_column_get_missing_values (import_column (import, 3)));
}

static void
test_schema (void)
{
  static const char text[] = "zip,n,flag,d,note\n007,1,a,01/02/2015,x\n8,two,b,31/01/2015,y\n007,999,c,nothing,x\n";
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema };
  g_autoptr (MtImport) import = NULL;
  MtTable *table;

  mt_schema_set_type (schema, "zip", MT_TYPE_NUMBER);
  mt_schema_set_type (schema, "n", MT_TYPE_NUMBER);
  mt_schema_add_missing (schema, "n", "999");
  mt_schema_set_type (schema, "flag", MT_TYPE_BOOLEAN);
  mt_schema_set_type (schema, "d", MT_TYPE_DATE);
  mt_schema_set_type (schema, "note", MT_TYPE_TEXT);
  mt_schema_set_role (schema, "zip", MT_ROLE_TARGET);
  mt_schema_set_role (schema, "note", MT_ROLE_GROUP);
  import = import_fine (text, &options);
  table = mt_import_get_table (import);
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 0), ==, 7);
  import_expect_type (import, 1, MT_TYPE_NUMBER);
  g_assert_cmpuint (mt_column_get_n_missing (import_column (import, 1)), ==, 2);
  expect_finding (import, "not-a-number", 3, "1 of 2 values is not a number and counts as missing: “two” (line 3)");
  import_expect_type (import, 2, MT_TYPE_CATEGORY);
  expect_finding (import, "not-boolean", 0, "more than two different values");
  import_expect_type (import, 3, MT_TYPE_DATE);
  expect_finding (import, "not-a-date", 4, "“nothing” (line 4)");
  import_expect_type (import, 4, MT_TYPE_TEXT);
  g_assert_cmpint (mt_table_get_target (table), ==, 0);
  g_assert_cmpint (mt_table_get_role (table, 4), ==, MT_ROLE_GROUP);
  g_assert_nonnull (strstr (mt_table_get_reason (table, 4), "you chose"));
  g_clear_pointer (&import, mt_import_unref);

  mt_schema_set_type (schema, "zip", MT_TYPE_CATEGORY);
  import = import_fine (text, &options);
  import_expect_type (import, 0, MT_TYPE_CATEGORY);
  g_assert_cmpstr (mt_column_get_level (import_column (import, 0), 0), ==, "007");
}

/* Choices hold where the first guess was another, in large files too. */
static void
test_schema_large (void)
{
  static const MtColumnType types[] = { MT_TYPE_NUMBER, MT_TYPE_CATEGORY, MT_TYPE_TEXT };
  g_autofree char *text = import_lines ("n,t\n", 30000, ",x", 20000, "seven,x\n");

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (MtSchema) schema = mt_schema_new ();
      MtImportOptions options = { .schema = schema };
      g_autoptr (MtImport) import = NULL;

      mt_schema_set_type (schema, "n", types[i]);
      import = import_fine (text, &options);
      import_expect_type (import, 0, types[i]);
      g_assert_cmpuint (mt_column_get_n_missing (import_column (import, 0)), ==, types[i] == MT_TYPE_NUMBER ? 1 : 0);
    }
}

static void
test_dialect (void)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect };
  static const char * const tokens[] = { "none", "-9", NULL };
  g_autoptr (MtImport) import = NULL;
  const MtCsvDialect *used;

  dialect->encoding = g_strdup ("ISO-8859-1");
  dialect->delimiter = ':';
  dialect->quote = MT_CSV_NO_QUOTE;
  dialect->decimal = ',';
  dialect->thousands = MT_CSV_NO_THOUSANDS;
  dialect->header = 0;
  dialect->missing_tokens = g_strdupv ((char **) tokens);
  import = import_fine ("1,5:\"caf\xe9:none\n2,5:x\":-9\n,5:NA:3\n", &options);
  used = mt_import_get_dialect (import);
  g_assert_cmpuint (mt_table_get_n_columns (mt_import_get_table (import)), ==, 3);
  g_assert_cmpstr (mt_column_get_name (import_column (import, 0)), ==, "column 1");
  g_assert_cmpfloat (mt_column_get_number (import_column (import, 0), 1), ==, 2.5);
  g_assert_cmpuint (mt_column_get_n_missing (import_column (import, 1)), ==, 0);
  g_assert_cmpuint (mt_column_get_n_missing (import_column (import, 2)), ==, 2);
  g_assert_cmpint (used->delimiter, ==, ':');
  g_assert_cmpint (used->thousands, ==, MT_CSV_NO_THOUSANDS);
  g_assert_null (find_finding (import, "encoding-assumed"));
}

/* --- findings --- */

static void
test_findings (void)
{
  g_autoptr (MtImport) latin = import_fine ("n\xe4me,b\n1,2\n", NULL);
  g_autoptr (MtImport) utf16 = import_text ("a\0,\0b\0\n\0" "1\0,\0" "2\0\n\0", 16, NULL, NULL);
  g_autoptr (MtImport) names = import_fine ("a,A,,a (2)\n1,2,3,4\n", NULL);
  g_autoptr (MtImport) none = import_fine ("1,2\n3,4\n5,6\n", NULL);
  g_autoptr (MtImport) preamble = import_fine ("My report\n\na,b,c\n1,2,3\n4,5,6\n", NULL);
  g_autoptr (MtImport) extra = import_fine ("a,b\n1,2,\n3,4,,\n5,6\n", NULL);
  g_autoptr (MtImport) ambiguous = import_fine ("a;b\n1,234;1\n2,345;2\n3,456;3\n", NULL);
  g_autoptr (MtImport) dates = import_fine ("d,e\n2015-01-01,01/02/2015\n2015-01-02,02/03/2015\n2015-01-03,03/04/2015\n",
                                            NULL);
  g_autofree char *short_text = import_lines ("a,b\n", 60, ",x", 30, "7\n");
  g_autoptr (MtImport) shorter = import_fine (short_text, NULL);
  g_autoptr (GString) codes = g_string_new ("region,score,shop_id,big,c\n");
  g_autoptr (MtImport) coded = NULL;

  expect_finding (latin, "encoding-assumed", 1, "0xE4");
  g_assert_cmpstr (mt_column_get_name (import_column (latin, 0)), ==, "näme");
  expect_finding (utf16, "encoding-assumed", 1, "detected as UTF-16LE");
  expect_finding (names, "renamed-column", 1, "renamed to “A (2)”");
  g_assert_cmpstr (mt_column_get_name (import_column (names, 2)), ==, "column 3");
  g_assert_cmpstr (mt_column_get_name (import_column (names, 3)), ==, "a (2) (2)");
  expect_finding (none, "no-header", 1, "looks like data");
  expect_finding (preamble, "preamble-skipped", 1, "“My report”");
  expect_finding (extra, "ragged-extra", 2, "Line 2 has 3 fields instead of 2, line 3 has 4 fields");
  expect_finding (ambiguous, "ambiguous-number", 0, "“,” was read as the decimal mark");
  g_assert_cmpfloat (mt_column_get_number (import_column (ambiguous, 0), 0), ==, 1.234);
  expect_finding (dates, "date-column", 0, "contains dates");
  expect_finding (dates, "ambiguous-date", 0, "day and month");
  expect_finding (shorter, "ragged-short", 30, "Line 30 has 1 field instead of 2");

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (codes, "%u,%u.5,%u,90071992547409%02u,%s\n", i % 4 + 1, i % 5, i * 3, i, i % 2 ? "x" : "y");
  coded = import_fine (codes->str, NULL);
  expect_finding (coded, "integer-levels", 0, "only 4 different numbers");
  expect_finding (coded, "few-values", 0, "only 5 different numbers");
  expect_finding (coded, "code-like-name", 0, "suggests a code");
  expect_finding (coded, "inexact-number", 0, "more digits");
  g_assert_cmpint (find_finding (coded, "integer-levels")->fix, ==, MT_FIX_SET_TYPE);
  g_assert_cmpstr (find_finding (coded, "integer-levels")->fix_value, ==, "category");
}

static void
test_roles (void)
{
  g_autoptr (GString) text = g_string_new ("n,id,constant,empty,when,note,outcome,x\n");
  g_autoptr (MtImport) import = NULL;
  static const MtColumnRole roles[] = {
    MT_ROLE_IGNORED, MT_ROLE_IGNORED, MT_ROLE_IGNORED, MT_ROLE_IGNORED, MT_ROLE_IGNORED, MT_ROLE_IGNORED,
    MT_ROLE_TARGET, MT_ROLE_FEATURE,
  };

  for (guint i = 0; i < 50; i++)
    g_string_append_printf (text, "%u,%u,7,,2015-01-%02u,t%u,%s,%u\n", i + 5, i * 37 % 101, i % 28 + 1, i,
                            i % 3 ? "a" : "b", i * i % 23);
  import = import_fine (text->str, NULL);
  for (guint c = 0; c < G_N_ELEMENTS (roles); c++)
    if (mt_table_get_role (mt_import_get_table (import), c) != roles[c])
      g_error ("column %u: %s", c, mt_table_get_reason (mt_import_get_table (import), c));
}

/* --- sources --- */

/* A caller's mistake is named, and no more happens. */
static void
test_misuse (void)
{
  static const char messages[] = "*assertion*failed*";
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_autoptr (MtImport) import = import_fine ("a,b\n1,x\n2,y\n", NULL);

  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_file ((GFile *) task, NULL, NULL, NULL));
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_file (NULL, NULL, NULL, NULL));
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_stream ((GInputStream *) task, NULL, NULL, NULL));
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_stream (NULL, NULL, NULL, NULL));
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_bytes (NULL, NULL, NULL, NULL));
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  mt_import_file_async ((GFile *) task, NULL, NULL, NULL, NULL);
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  mt_import_file_async (NULL, NULL, NULL, NULL, NULL);
  g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, messages);
  g_assert_null (mt_import_finish (G_ASYNC_RESULT (task), NULL));
  g_test_assert_expected_messages ();

  mt_import_unref (mt_import_ref (import));
  mt_import_unref (NULL);
  g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (import)), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/refused", test_refused);
  g_test_add_func ("/import/refused-settings", test_refused_settings);
  g_test_add_func ("/import/long-field", test_long_field);
  g_test_add_func ("/import/types", test_types);
  g_test_add_func ("/import/values", test_values);
  g_test_add_func ("/import/levels", test_levels);
  g_test_add_func ("/import/late-surprises", test_late_surprises);
  g_test_add_func ("/import/many-levels", test_many_levels);
  g_test_add_func ("/import/schema", test_schema);
  g_test_add_func ("/import/missing-values", test_missing_values);
  g_test_add_func ("/import/schema-large", test_schema_large);
  g_test_add_func ("/import/dialect", test_dialect);
  g_test_add_func ("/import/findings", test_findings);
  g_test_add_func ("/import/roles", test_roles);
  g_test_add_func ("/import/misuse", test_misuse);
  return g_test_run ();
}
