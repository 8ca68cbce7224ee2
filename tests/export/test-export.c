/* What the exports say, without an engine: quoting, refusals, golden rows, packages. That they
 * compute the right thing is test-verify's business. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <sqlite3.h>

#include "hostile-models.h"
#include "mt-core.h"
#include "export/mt-export-text.h"
#include "base/mt-zip.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* --- quoting --- */

static void
test_quotes (void)
{
  static const char text[] = "a\"b\\c'd\n?\xe2\x80\xae\xf0\x9f\x99\x82é\xf0\x9d\x85\xb3";   /* RLO, an emoji, a format character beyond U+FFFF */
  static const struct { MtQuote how; const char *is; } cases[] = {
    { MT_QUOTE_C, "\"a\\\"b\\\\c'd\\012\\?\\342\\200\\256\xf0\x9f\x99\x82é\\360\\235\\205\\263\"" },
    { MT_QUOTE_PYTHON, "\"a\\\"b\\\\c'd\\u000a?\\u202e\xf0\x9f\x99\x82é\\U0001d173\"" },
    { MT_QUOTE_JAVASCRIPT, "\"a\\\"b\\\\c'd\\u000a?\\u202e\xf0\x9f\x99\x82é\\ud834\\udd73\"" },
    { MT_QUOTE_R, "\"a\\\"b\\\\c'd\\u000a?\\u202e\\U0001f642\\u00e9\\U0001d173\"" },
    { MT_QUOTE_FEEL, "\"a\\\"b\\\\c'd\\u000a?\\u202e\xf0\x9f\x99\x82é\\U01d173\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      mt_quote_append (out, cases[i].how, text);
      g_assert_cmpstr (out->str, ==, cases[i].is);
    }
}

static void
test_sql_quotes (void)
{
  static const struct { MtSqlDialect dialect; const char *text, *is; } cases[] = {
    { MT_SQL_SQLITE, "it's", "'it''s'" },
    { MT_SQL_SQLITE, "a\\b", "'a\\b'" },
    { MT_SQL_SQLITE, "a\r\nb'", "('a' || char(13) || char(10) || 'b''')" },
    { MT_SQL_SQLITE, "\n", "(char(10))" },
    { MT_SQL_SQLITE, "\nx", "(char(10) || 'x')" },
    { MT_SQL_POSTGRESQL, "it's", "'it''s'" },
    { MT_SQL_POSTGRESQL, "\\'; --", "E'\\\\''; --'" },
    { MT_SQL_POSTGRESQL, "a\nb", "E'a\\012b'" },
    { MT_SQL_MARIADB, "it's", "'it''s'" },
    { MT_SQL_MARIADB, "\\' OR 1", "CONVERT(X'5C27204F522031' USING utf8mb4)" },
    { MT_SQL_ANSI, "it's \\", "'it''s \\'" },
    { MT_SQL_DUCKDB, "it's \\", "'it''s \\'" },
    { MT_SQL_DUCKDB, "a\tb", "('a' || chr(9) || 'b')" },
    { MT_SQL_SPARK, "it's \\", "'it\\'s \\\\'" },
    { MT_SQL_SPARK, "a\n$ ${env:HOME}", "'a\\012$ \\044{env:HOME}'" },
    { MT_SQL_WAREHOUSE, "it's", "'it\\'s'" },
  };
  g_autoptr (GString) name = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      mt_quote_append_sql (out, cases[i].dialect, cases[i].text);
      g_assert_cmpstr (out->str, ==, cases[i].is);
    }
  mt_quote_append_sql_name (name, MT_SQL_SQLITE, "a\"b`c");
  mt_quote_append_sql_name (name, MT_SQL_MARIADB, "a\"b`c");
  mt_quote_append_sql_name (name, MT_SQL_SPARK, "`");
  g_assert_cmpstr (name->str, ==, "\"a\"\"b`c\"`a\"b``c`````");
  g_string_truncate (name, 0);
  mt_quote_append_sql_number (name, MT_SQL_MARIADB, -0.1);
  mt_quote_append_sql_number (name, MT_SQL_ANSI, 1e300);
  mt_quote_append_sql_number (name, MT_SQL_POSTGRESQL, -2);
  g_assert_cmpstr (name->str, ==, "(-0.1e0)1e300float8 '-2'");
}

static void
test_document_quotes (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  mt_quote_append_xml (out, "<a href='x'>&\"\n\x01");
  g_assert_cmpstr (out->str, ==, "&#60;a href=&#39;x&#39;&#62;&#38;&#34;&#10;\xef\xbf\xbd");
  g_string_truncate (out, 0);
  mt_quote_append_formula (out, "a\"b");
  g_assert_cmpstr (out->str, ==, "&#34;a&#34;&#34;b&#34;");
  g_string_truncate (out, 0);
  mt_quote_append_latex (out, "\\input{x}_%$#&^~<> ≥ \xe2\x80\xae");
  g_assert_cmpstr (out->str, ==, "\\textbackslash{}input\\{x\\}\\_\\allowbreak{}\\%\\$\\#\\&\\textasciicircum{}\\textasciitilde{}"
                                 "\\textless{}\\textgreater{} $\\geq$ {\\texttt{[U+202E]}}");
  g_string_truncate (out, 0);
  mt_quote_append_comment (out, "*/ /* --> \n é ≥ ≠", FALSE);
  g_assert_cmpstr (out->str, ==, "* / / * - -> \\u{a} é ≥ ≠");
  g_string_truncate (out, 0);
  mt_quote_append_comment (out, "${line.separator}", FALSE);    /* Spark would end the comment */
  g_assert_cmpstr (out->str, ==, "$ {line.separator}");
  g_string_truncate (out, 0);
  mt_quote_append_comment (out, "é ≥ ≠", TRUE);
  g_assert_cmpstr (out->str, ==, "\\u{e9} >= !=");
  g_string_truncate (out, 0);
  mt_quote_append_number (out, 55);
  mt_quote_append_number (out, -1e-7);
  g_assert_cmpstr (out->str, ==, "55.0-1e-7");
}

/* --- formats --- */

static void
test_words (void)
{
  MtExportFormat format;
  MtSqlDialect dialect;

  for (guint i = 0; i < MT_N_EXPORT_FORMATS; i++)
    {
      g_assert_true (mt_export_format_from_string (mt_export_format_to_string ((MtExportFormat) i), &format));
      g_assert_cmpuint (format, ==, i);
      g_assert_nonnull (mt_export_format_get_suffix ((MtExportFormat) i));
    }
  for (guint i = MT_SQL_SQLITE; i < MT_N_SQL_DIALECTS; i++)
    {
      g_assert_true (mt_sql_dialect_from_string (mt_sql_dialect_to_string ((MtSqlDialect) i), &dialect));
      g_assert_cmpuint (dialect, ==, i);
    }
  g_assert_false (mt_export_format_from_string ("abacus", &format));
  g_assert_false (mt_sql_dialect_from_string ("cobol", &dialect));
}

/* Control characters but newlines of our own, and what turns the direction, reach no source. */
static void
assert_is_plain (GBytes     *bytes,
                 const char *what)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  g_assert_true (g_utf8_validate (text, (gssize) length, NULL));
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if ((c < 32 && c != '\n' && c != '\t') || (c >= 0x202a && c <= 0x202e))
        g_error ("%s: U+%04X at %zu", what, c, (gsize) (p - text));
    }
}

static void
test_formats (gconstpointer data)
{
  g_autoptr (MtModel) model = mt_test_hostile_model (*(const MtTask *) data, FALSE);

  for (guint i = 0; i < MT_N_EXPORT_FORMATS; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) once = mt_export (model, (MtExportFormat) i, MT_SQL_SQLITE, &error);
      g_autoptr (GBytes) twice = mt_export (model, (MtExportFormat) i, MT_SQL_SQLITE, &error);

      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (once, twice));
      if (i == MT_EXPORT_PYTHON || i == MT_EXPORT_R || i == MT_EXPORT_JAVASCRIPT || i == MT_EXPORT_C ||
          i == MT_EXPORT_PMML || i == MT_EXPORT_DMN || i == MT_EXPORT_LATEX)
        assert_is_plain (once, mt_export_format_to_string ((MtExportFormat) i));
    }
}

/* Well-formed, by another program's judgement. */
static void
test_xml (gconstpointer data)
{
  static const MtExportFormat formats[] = { MT_EXPORT_PMML, MT_EXPORT_DMN };
  g_autoptr (MtModel) model = mt_test_hostile_model (*(const MtTask *) data, FALSE);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "model.xml", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const char *argv[] = { "xmllint", "--noout", path, NULL };
      g_autoptr (GError) error = NULL;
      int status;

      g_assert_true (mt_export_save (model, formats[i], MT_SQL_SQLITE, path, &error));
      g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status,
                                   &error));
      g_assert_true (g_spawn_check_wait_status (status, &error));
    }
  mt_test_remove_folder (folder);
}

/* No DMN engine is at hand, and weka only in a slow run: scripts evaluate the tables and expressions, and hold them
 * against the golden answers. A file with one entry turned around must not pass. */
static gboolean
file_agrees (const char *checker,
             const char *path,
             const char *golden)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "export", checker, NULL);
  const char *argv[] = { "python3", script, path, golden, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *err = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                               NULL, &err, &status, &error));
  g_test_message ("%s", err);
  return g_spawn_check_wait_status (status, NULL);
}

static void
check_tables (MtTask   task,
              gboolean has_gaps)
{
  g_autoptr (MtTable) table = mt_test_sample_table (task, 600, 4);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtTable) rows = NULL;
  g_autoptr (GBytes) csv = NULL;
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *dmn = g_build_filename (folder, "model.dmn", NULL);
  g_autofree char *pmml = g_build_filename (folder, "model.pmml", NULL);
  g_autofree char *golden = g_build_filename (folder, "golden.csv", NULL);
  g_autofree char *text = NULL;
  char *entry;

  if (has_gaps)
    mt_test_sample_gaps (table);
  model = mt_test_sample_model (task, table, 8, 3);
  rows = mt_export_test_rows_make_table (model, has_gaps ? table : NULL, NULL);
  csv = mt_export_test_rows_write (model, rows, MT_EXPORT_TEST_ROWS_ANSWERS, NULL);
  g_assert_true (g_file_set_contents (golden, g_bytes_get_data (csv, NULL), (gssize) g_bytes_get_size (csv), NULL));
  g_assert_true (mt_export_save (model, MT_EXPORT_DMN, MT_SQL_SQLITE, dmn, NULL));
  g_assert_true (file_agrees ("check-dmn.py", dmn, golden));
  g_assert_true (mt_export_save (model, MT_EXPORT_PMML, MT_SQL_SQLITE, pmml, NULL));
  g_assert_true (file_agrees ("check-pmml.py", pmml, golden));
  g_assert_true (g_file_get_contents (dmn, &text, NULL, NULL));
  entry = strstr (text, "_out\"><text>0</text>");
  g_assert_nonnull (entry);
  *strchr (entry, '0') = '1';
  g_assert_true (g_file_set_contents (dmn, text, -1, NULL));
  g_assert_false (file_agrees ("check-dmn.py", dmn, golden));
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (pmml, &text, NULL, NULL));
  entry = strstr (text, "function=\"threshold\"");
  g_assert_nonnull (entry);
  memcpy (strchr (entry, '"') + 1, "min\"      ", strlen ("threshold\""));
  g_assert_true (g_file_set_contents (pmml, text, -1, NULL));
  g_assert_false (file_agrees ("check-pmml.py", pmml, golden));
  mt_test_remove_folder (folder);
}

static void
test_tables (gconstpointer data)
{
  check_tables (*(const MtTask *) data, FALSE);
}

static void
test_tables_gaps (gconstpointer data)
{
  check_tables (*(const MtTask *) data, TRUE);
}

/* --- what counts as missing --- */

/* Every format that can hold a word of explanation has one. */
static void
test_notes (void)
{
  static const MtExportFormat formats[] = { MT_EXPORT_SQL, MT_EXPORT_PYTHON, MT_EXPORT_JAVASCRIPT, MT_EXPORT_C,
                                            MT_EXPORT_DMN, MT_EXPORT_LATEX };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 600, 4);
  g_autoptr (MtModel) before = mt_test_sample_model (MT_TASK_BINARY, table, 8, 3);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GBytes) ansi = NULL;

  mt_test_sample_gaps (table);
  model = mt_test_sample_model (MT_TASK_BINARY, table, 8, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GBytes) none = mt_export (before, formats[i], MT_SQL_SQLITE, NULL);
      g_autoptr (GBytes) some = mt_export (model, formats[i], MT_SQL_SQLITE, NULL);
      const char *says = formats[i] == MT_EXPORT_LATEX ? "count as missing in a" : "“0” and “-1.5” count as missing in a";

      g_assert_null (g_strstr_len (g_bytes_get_data (none, NULL), (gssize) g_bytes_get_size (none), "as missing in"));
      g_assert_nonnull (g_strstr_len (g_bytes_get_data (some, NULL), (gssize) g_bytes_get_size (some), says));
    }
  ansi = mt_export (model, MT_EXPORT_SQL, MT_SQL_ANSI, NULL);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (ansi, NULL), (gssize) g_bytes_get_size (ansi),
                                  "-- text is compared exactly"));
}

/* --- what a dialect cannot say --- */

static void
assert_refused (MtModel      *model,
                MtSqlDialect  dialect,
                const char   *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_export (model, MT_EXPORT_SQL, dialect, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, says));
}

/* The sample's model, with a name for its first column. */
static MtModel *
rename_column (const char *name)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 1);
  MtColumn *columns[7];
  double *values = g_new (double, 300);
  g_autoptr (MtTable) renamed = NULL;

  mt_column_read_numbers (mt_table_get_column (table, 0), 0, 300, values);
  columns[0] = mt_column_new_numbers (name, MT_TYPE_NUMBER, values, 300);
  for (guint c = 1; c < 7; c++)
    columns[c] = mt_column_ref ((MtColumn *) mt_table_get_column (table, c));
  renamed = mt_test_table (columns, 7, 6);
  return mt_test_sample_model (MT_TASK_BINARY, renamed, 3, 2);
}

static void
test_refusals (void)
{
  g_autofree char *seventy = g_strnfill (70, 'x');
  g_autoptr (MtModel) longest = rename_column (seventy);
  g_autoptr (MtModel) blank = rename_column ("ends with a blank ");
  g_autoptr (MtModel) emoji = rename_column ("\xf0\x9f\x99\x82");
  g_autoptr (MtModel) setting = rename_column ("${a}");
  g_autoptr (MtModel) word = rename_column ("group");
  g_autoptr (MtModel) spaced = rename_column ("my column");
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 1);
  g_autoptr (MtModel) large = mt_test_sample_model (MT_TASK_BINARY, table, 1100, 2);
  g_autoptr (GError) error = NULL;

  assert_refused (longest, MT_SQL_MARIADB, "longer than the 64 characters");
  assert_refused (longest, MT_SQL_POSTGRESQL, "longer than the 63 bytes");
  assert_refused (blank, MT_SQL_MARIADB, "ends with a blank");
  assert_refused (emoji, MT_SQL_MARIADB, "beyond U+FFFF");
  assert_refused (setting, MT_SQL_SPARK, "where Spark puts the value of a setting");
  assert_refused (word, MT_SQL_WAREHOUSE, "not a name that this dialect allows");
  assert_refused (spaced, MT_SQL_WAREHOUSE, "not a name that this dialect allows");
  assert_refused (large, MT_SQL_SQLITE, "the model has 1102 terms");
  g_assert_null (mt_export (large, MT_EXPORT_ODS, MT_SQL_SQLITE, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "a spreadsheet can have 1000 columns"));
}

/* --- golden rows --- */

static gboolean
has_number (const MtTable *table,
            const char    *name,
            double         value)
{
  const MtColumn *column = mt_table_find_column (table, name, NULL);

  for (gsize r = 0; r < mt_table_get_n_rows (table); r++)
    if (mt_column_get_number (column, r) == value)
      return TRUE;
  return FALSE;
}

static gboolean
has_missing (const MtTable *table,
             const char    *name)
{
  return mt_column_get_n_missing (mt_table_find_column (table, name, NULL)) > 0;
}

static sqlite3 *
open_memory (void)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  return db;
}

/* sqlite adds up to infinity without a word: the row has no answer then, and the others have theirs. */
static void
test_sql_too_large (void)
{
  double cut = 0, weight = 1e300, bias = 1;
  MtEncoderColumn column = { (char *) "a", MT_TYPE_NUMBER, FALSE, &cut, 1, 0, 1, -1, 1 };
  MtTerm term = { .is_numeric = TRUE, .numeric = 0, .weights = &weight };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_REGRESSION, 100, 1);
  g_autoptr (MtModel) sample = mt_test_sample_model (MT_TASK_REGRESSION, table, 6, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtEncoder) encoder = mt_encoder_new (&column, 1, &error);
  g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &bias, &term, 1, NULL);
  g_autoptr (MtModel) model = mt_model_new (encoder, rules, mt_model_get_info (sample), &error);
  g_autoptr (GBytes) sql = NULL;
  sqlite3 *db = open_memory ();
  sqlite3_stmt *rows = NULL;

  g_assert_no_error (error);
  sql = mt_export (model, MT_EXPORT_SQL, MT_SQL_SQLITE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_exec (db, "CREATE TABLE data (a REAL); INSERT INTO data VALUES (2), (-1e308), (NULL)",
                                 NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, g_bytes_get_data (sql, NULL), (int) g_bytes_get_size (sql), &rows, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  g_assert_cmpfloat (sqlite3_column_double (rows, 0), ==, 2e300);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_column_type (rows, 0), ==, SQLITE_NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  g_assert_cmpfloat (sqlite3_column_double (rows, 0), ==, 1);
  sqlite3_finalize (rows);
  sqlite3_close (db);
}

static void
test_golden (void)
{
  g_autoptr (MtTable) data = mt_test_sample_table (MT_TASK_BINARY, 400, 3);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, data, 8, 2);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (MtTable) table = mt_export_test_rows_make_table (model, NULL, NULL);
  g_autoptr (MtTable) with_data = mt_export_test_rows_make_table (model, data, NULL);
  g_autoptr (GBytes) csv = mt_export_test_rows_write (model, table, MT_EXPORT_TEST_ROWS_ANSWERS, NULL);
  g_autoptr (GBytes) again = NULL;
  g_autoptr (MtTable) same = mt_export_test_rows_make_table (model, NULL, NULL);
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncodeReport report;

  g_assert_cmpuint (mt_table_get_n_rows (with_data), ==, mt_table_get_n_rows (table) + 400);
  again = mt_export_test_rows_write (model, same, MT_EXPORT_TEST_ROWS_ANSWERS, NULL);
  g_assert_true (g_bytes_equal (csv, again));
  encoded = mt_encoder_apply (encoder, table, NULL, 0, &report, NULL);
  g_assert_cmpuint (report.n_unknown_levels, >, 0);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      guint n_inputs = term->is_numeric ? 0 : mt_rule_get_n_inputs (term->rule);
      guint64 impossible, met = 0;
      guint literals[4];

      for (guint i = 0; i < n_inputs; i++)
        {
          const MtLiteral *literal = mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i]);
          const char *name = mt_encoder_get_column_name (encoder, literal->column);

          literals[i] = mt_rule_get_inputs (term->rule)[i];
          g_assert_true (has_missing (table, name));
          if (literal->kind != MT_LITERAL_AT_LEAST)
            continue;
          g_assert_true (has_number (table, name, literal->threshold));
          if (mt_encoder_get_column_type (encoder, literal->column) == MT_TYPE_NUMBER)
            {
              g_assert_true (has_number (table, name, nextafter (literal->threshold, INFINITY)));
              g_assert_true (has_number (table, name, nextafter (literal->threshold, -INFINITY)));
            }
        }
      if (n_inputs == 0)
        continue;
      /* Every assignment that is not impossible. */
      mt_encoder_impossible (encoder, literals, n_inputs, &impossible);
      for (gsize r = 0; r < mt_table_get_n_rows (table); r++)
        {
          guint v = 0;

          for (guint i = 0; i < n_inputs; i++)
            v |= (guint) mt_plane_get (mt_encoded_get_plane (encoded, literals[i]), r) << i;
          met |= G_GUINT64_CONSTANT (1) << v;
        }
      /* The level "" cannot be told from a missing cell in a file, so it is left out. */
      for (guint v = 0; v < 1u << n_inputs; v++)
        {
          gboolean asks_empty = FALSE;

          for (guint i = 0; i < n_inputs; i++)
            {
              const MtLiteral *literal = mt_encoder_get_literal (encoder, literals[i]);

              asks_empty |= ((v >> i) & 1) != 0 && literal->kind == MT_LITERAL_LEVEL && *literal->level == '\0';
            }
          if (!asks_empty)
            g_assert_true (((met | impossible) >> v) & 1);
        }
    }
}

/* The bytes of a package, read by another program. */
static void
test_package (void)
{
  static const char script[] = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n"
                               "print(z.namelist()[0], z.read('a.txt').decode(), len(z.namelist()))\n";
  const MtZipFile files[] = { { "mimetype", "text/x", 6 }, { "a.txt", "hello", 5 }, { "empty", "", 0 } };
  g_autoptr (GString) zip = g_string_new (NULL);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.zip", NULL);
  g_autofree char *out = NULL;
  const char *argv[] = { "python3", "-c", script, path, NULL };

  mt_zip_append (zip, files, G_N_ELEMENTS (files));
  g_assert_true (g_file_set_contents (path, zip->str, (gssize) zip->len, NULL));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
  g_assert_cmpstr (out, ==, "mimetype hello 3\n");
  mt_test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/quotes", test_quotes);
  g_test_add_func ("/export/sql-quotes", test_sql_quotes);
  g_test_add_func ("/export/document-quotes", test_document_quotes);
  g_test_add_func ("/export/words", test_words);
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autofree char *formats = g_strdup_printf ("/export/formats/%s", mt_task_to_string (tasks[i]));
      g_autofree char *tables = g_strdup_printf ("/export/tables/%s", mt_task_to_string (tasks[i]));
      g_autofree char *tables_gaps = g_strdup_printf ("/export/tables-gaps/%s", mt_task_to_string (tasks[i]));
      g_autofree char *xml = g_strdup_printf ("/export/xml/%s", mt_task_to_string (tasks[i]));

      g_test_add_data_func (formats, &tasks[i], test_formats);
      g_test_add_data_func (xml, &tasks[i], test_xml);
      g_test_add_data_func (tables, &tasks[i], test_tables);
      g_test_add_data_func (tables_gaps, &tasks[i], test_tables_gaps);
    }
  g_test_add_func ("/export/notes", test_notes);
  g_test_add_func ("/export/refusals", test_refusals);
  g_test_add_func ("/export/sql-too-large", test_sql_too_large);
  g_test_add_func ("/export/golden", test_golden);
  g_test_add_func ("/export/package", test_package);
  return g_test_run ();
}
