#include <gio/gio.h>
#include <string.h>
#include <sys/resource.h>

#include "mt-core.h"
#include "testutils.h"

/* Walks the shared acceptance corpus: what its manifest says of a file must hold. */

typedef struct {
  char **words;   /* of the manifest's line */
} Row;

enum { FILE_NAME, CLASS, EXERCISES, OPTS, VERDICT, LINE, ROWS, COLS, HEADER };

static GPtrArray *
read_manifest (void)
{
  GPtrArray *rows = mt_test_manifest ("csv-corpus");

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    g_assert_cmpuint (g_strv_length (rows->pdata[i]), >=, HEADER + 1);
  return rows;
}

static gboolean
is_one_of (const char *alternatives,
           guint64     value)
{
  g_auto (GStrv) words = g_strsplit (alternatives, "|", -1);

  for (char **word = words; *word != NULL; word++)
    if (strcmp (*word, "-") == 0 || g_ascii_strtoull (*word, NULL, 10) == value)
      return TRUE;
  return FALSE;
}

static char *
expected_line (char **words)
{
  return g_strdup_printf ("ine %s", words[LINE]);
}

/* Everything about an import that a person or program could see. */
static char *
fingerprint (MtImport     *import,
             const GError *error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GString) text = g_string_new (NULL);

  if (import == NULL)
    return g_strdup (error->message);
  else
    {
      MtTable *table = mt_import_get_table (import);
      const MtCsvDialect *dialect = mt_import_get_dialect (import);
      GPtrArray *findings = mt_import_get_findings (import);

      g_string_append_printf (text, "%s %c %d %d %d %d %s\n", dialect->encoding, dialect->delimiter, dialect->quote,
                              dialect->decimal, dialect->thousands, dialect->header, mt_import_get_sha256 (import));
      for (guint c = 0; c < mt_table_get_n_columns (table); c++)
        {
          const MtColumn *column = mt_table_get_column (table, c);

          g_string_append_printf (text, "%s|%d|%d|%d|%s\n", mt_column_get_name (column), mt_column_get_type (column),
                                  mt_column_get_store (column), mt_table_get_role (table, c),
                                  mt_table_get_reason (table, c));
          for (gsize row = 0; row < mt_table_get_n_rows (table); row++)
            {
              g_autofree char *cell = mt_column_dup_text (column, row);

              g_checksum_update (sum, (const guchar *) cell, (gssize) strlen (cell) + 1);
            }
        }
      for (guint i = 0; i < findings->len; i++)
        {
          MtFinding *finding = findings->pdata[i];

          g_string_append_printf (text, "%s|%d|%" G_GUINT64_FORMAT "|%s\n", finding->code, finding->column, finding->line,
                                  finding->message);
        }
      g_checksum_update (sum, (const guchar *) text->str, (gssize) text->len);
      return g_strdup (g_checksum_get_string (sum));
    }
}

static gboolean
some_warning_names (MtImport   *import,
                    const char *what)
{
  GPtrArray *findings = mt_import_get_findings (import);

  for (guint i = 0; i < findings->len; i++)
    {
      MtFinding *finding = findings->pdata[i];

      if (finding->severity >= MT_SEVERITY_WARNING && (what == NULL || strstr (finding->message, what) != NULL))
        return TRUE;
    }
  return FALSE;
}

static void
check_names (char    **words,
             MtTable  *table)
{
  g_autoptr (MtJson) node = NULL;
  const MtJson *names;
  guint n = mt_table_get_n_columns (table);

  if (strcmp (words[HEADER], "-") == 0 || strstr (words[HEADER], " more ...") != NULL)
    return;
  node = mt_json_parse (words[HEADER], -1, NULL);
  g_assert_nonnull (node);
  names = node;
  g_assert_cmpuint (mt_json_get_n_children (names), ==, n);
  if (strcmp (words[CLASS], "names") == 0)   /* renamed: distinct is what matters, and mt_table_new saw to that */
    return;
  for (guint c = 0; c < n; c++)
    g_assert_cmpstr (mt_column_get_name (mt_table_get_column (table, c)), ==, mt_json_get_string (mt_json_get_child (names, c)));
}

typedef struct {
  const MtJson *rows;
  guint      row;
} CellCheck;

static gboolean
check_record (guint               n_fields,
              const char * const *fields,
              const gsize        *lengths,
              gpointer            data)
{
  CellCheck *check = data;
  const MtJson *expected;

  g_assert_cmpuint (check->row, <, mt_json_get_n_children (check->rows));
  expected = mt_json_get_child (check->rows, check->row++);
  g_assert_cmpuint (n_fields, ==, mt_json_get_n_children (expected));
  for (guint c = 0; c < n_fields; c++)
    {
      g_assert_cmpstr (fields[c], ==, mt_json_get_string (mt_json_get_child (expected, c)));
      g_assert_cmpuint (lengths[c], ==, strlen (fields[c]));
    }
  return TRUE;
}

static void
check_cells (char         **words,
             GFile         *file,
             const MtCsvDialect *dialect)
{
  g_autofree char *base = g_path_get_basename (words[FILE_NAME]);
  g_autofree char *name = g_strconcat (base, ".json", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "csv-corpus", "expected", name, NULL);
  g_autoptr (MtJson) root = NULL;
  g_autoptr (GError) error = NULL;
  CellCheck check = { NULL, 0 };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  root = mt_test_json_load (path);
  check.rows = mt_test_json_array (root, "rows");
  mt_csv_each_record (file, dialect, check_record, &check, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (check.row, ==, mt_json_get_n_children (check.rows));
}

static void
test_verdicts (void)
{
  g_autoptr (GPtrArray) rows = read_manifest ();

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      char **words = rows->pdata[i];
      g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "csv-corpus", words[FILE_NAME], NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autofree char *line = expected_line (words);
      g_autoptr (MtImport) import = NULL;
      g_autoptr (GError) error = NULL;
      const char *verdict = words[VERDICT];
      struct rusage usage;
      gint64 start = g_get_monotonic_time ();

      import = mt_import_file (file, NULL, NULL, &error);
      g_test_message ("%s: %s: %s (%.0f ms)", words[FILE_NAME], verdict, import != NULL ? "loaded" : error->message,
                      (double) (g_get_monotonic_time () - start) / 1000);
      if (strcmp (verdict, "safe") == 0)
        continue;
      if (strcmp (verdict, "load") == 0 || strcmp (verdict, "warn") == 0)
        g_assert_no_error (error);
      else if (strcmp (verdict, "reject") == 0)
        g_assert_null (import);
      if (import == NULL)
        {
          if (g_ascii_isdigit (words[LINE][0]) && strchr (words[LINE], '|') == NULL)
            g_assert_nonnull (strstr (error->message, line));
          continue;
        }
      if (strcmp (verdict, "load") != 0)
        {
          for (guint k = 0; k < mt_import_get_findings (import)->len; k++)
            g_test_message ("  %s", ((MtFinding *) mt_import_get_findings (import)->pdata[k])->message);
          g_assert_true (some_warning_names (import, words[LINE][0] != '-' ? line : NULL));
        }
      g_assert_true (is_one_of (words[ROWS], mt_table_get_n_rows (mt_import_get_table (import))));
      g_assert_true (is_one_of (words[COLS], mt_table_get_n_columns (mt_import_get_table (import))));
      check_names (words, mt_import_get_table (import));
      check_cells (words, file, mt_import_get_dialect (import));
      getrusage (RUSAGE_SELF, &usage);
      g_assert_cmpint (usage.ru_maxrss, <, 256 * 1024);
    }
}

/* Size of the pieces, threads, and where the bytes come from change nothing. */
static void
test_chunks (void)
{
  static const gsize sizes[] = { 1, 2, 3, 7, 64, 4096, 1024 * 1024 };
  g_autoptr (GPtrArray) rows = read_manifest ();

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      char **words = rows->pdata[i];
      g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "csv-corpus", words[FILE_NAME], NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autofree char *data = NULL;
      g_autofree char *reference = NULL;
      g_autoptr (GBytes) bytes = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &data, &length, NULL));
      bytes = g_bytes_new (data, length);
      for (guint s = 0; s < G_N_ELEMENTS (sizes) * 3; s++)
        {
          MtImportOptions options = { .chunk_size = sizes[s % G_N_ELEMENTS (sizes)], .n_threads = 1 + s % 3 };
          g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
          g_autoptr (MtImport) import = NULL;
          g_autoptr (GError) error = NULL;
          g_autofree char *print = NULL;

          if (length > 500000 && options.chunk_size < 64)
            continue;   /* a byte at a time is for the small ones */
          if (s < G_N_ELEMENTS (sizes))
            import = mt_import_file (file, &options, NULL, &error);
          else if (s < G_N_ELEMENTS (sizes) * 2)
            import = mt_import_stream (stream, &options, NULL, &error);
          else
            import = mt_import_bytes (bytes, &options, NULL, &error);
          print = fingerprint (import, error);
          if (reference == NULL)
            reference = g_steal_pointer (&print);
          else if (strcmp (print, reference) != 0)
            g_error ("%s, pieces of %" G_GSIZE_FORMAT ", %u threads: %s is not %s", words[FILE_NAME], options.chunk_size,
                     options.n_threads, print, reference);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-corpus/verdicts", test_verdicts);
  g_test_add_func ("/csv-corpus/chunks", test_chunks);
  return g_test_run ();
}
