#include "testutils.h"

#include <glib/gstdio.h>

#include <gio/gio.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

char *
mt_test_shared (const char *first,
                ...)
{
  const char *root = g_getenv ("MINTERM_SHARED");
  g_autofree char *below = NULL;
  g_autofree char *path = NULL;
  va_list args;

  va_start (args, first);
  below = g_build_filename_valist ((char *) first, &args);
  va_end (args);
  if (root != NULL)
    path = g_build_filename (root, below, NULL);
  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *why = g_strdup_printf ("../shared/%s is not here", below);

      g_test_skip (why);
      return NULL;
    }
  return g_steal_pointer (&path);
}

GPtrArray *
mt_test_manifest (const char *folder)
{
  g_autofree char *path = mt_test_shared (folder, "manifest.tsv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *rows;

  if (path == NULL)
    return NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    g_ptr_array_add (rows, g_strsplit (lines[i], "\t", -1));
  return rows;
}

void
mt_test_ignore_broken_pipes (void)
{
  signal (SIGPIPE, SIG_IGN);
}

/* Of the program's name and the arguments; the array ends with NULL. */
static GPtrArray *
list_arguments (const char *first,
                va_list     others)
{
  GPtrArray *argv = g_ptr_array_new ();

  g_assert_nonnull (g_getenv ("MINTERM_CLI"));
  g_ptr_array_add (argv, (char *) g_getenv ("MINTERM_CLI"));
  for (const char *arg = first; arg != NULL; arg = va_arg (others, const char *))
    g_ptr_array_add (argv, (char *) arg);
  g_ptr_array_add (argv, NULL);
  return argv;
}

static int
run_cli (const char  *input,
         char       **out,
         char       **err,
         GPtrArray   *argv)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *output = NULL;
  g_autofree char *messages = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  mt_test_ignore_broken_pipes ();
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  if (input != NULL)
    {
      /* A file, not a pipe: a program that refuses its input never reads it, and then the pipe breaks. */
      int fd = g_file_open_tmp ("minterm-input-XXXXXX", &path, &error);

      g_assert_no_error (error);
      g_assert_cmpint (write (fd, input, strlen (input)), ==, (gssize) strlen (input));
      close (fd);
      g_subprocess_launcher_set_stdin_file_path (launcher, path);
    }
  process = g_subprocess_launcher_spawnv (launcher, (const char * const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &messages, &error);
  g_assert_no_error (error);
  if (path != NULL)
    g_unlink (path);
  g_assert_true (g_subprocess_get_if_exited (process));
  if (out != NULL)
    *out = g_steal_pointer (&output);
  if (err != NULL)
    *err = g_steal_pointer (&messages);
  return g_subprocess_get_exit_status (process);
}

int
mt_test_cli (const char  *input,
             char       **out,
             char       **err,
             const char  *first,
             ...)
{
  g_autoptr (GPtrArray) argv = NULL;
  va_list args;

  va_start (args, first);
  argv = list_arguments (first, args);
  va_end (args);
  return run_cli (input, out, err, argv);
}

void
mt_test_run_command (const char *command)
{
  g_autofree char *script = g_strconcat ("minterm-cli() { shift; \"$MINTERM_CLI\" train --threads=2 \"$@\" > /dev/null; }; ",
                                         command, NULL);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_str_has_prefix (command, "minterm-cli train "));
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "bash", "-c", script, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

void
mt_test_cli_fails (int         exit_code,
                   const char *says,
                   const char *first,
                   ...)
{
  g_autoptr (GPtrArray) argv = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  va_list args;
  int status;

  va_start (args, first);
  argv = list_arguments (first, args);
  va_end (args);
  status = run_cli (NULL, &out, &err, argv);
  if (status != exit_code || strstr (err, says) == NULL || *out != '\0' ||
      strchr (err, '\n') != err + strlen (err) - 1)
    g_error ("%s: exit %d, '%s' and '%s', expected %d and '%s'", first, status, out, err, exit_code, says);
}

MtColumn *
mt_test_numbers (const char   *name,
                 const double *values,
                 gsize         n_rows)
{
  return mt_column_new_numbers (name, MT_TYPE_NUMBER, g_memdup2 (values, n_rows * sizeof *values), n_rows);
}

MtColumn *
mt_test_levels (const char         *name,
                MtColumnType        type,
                const char * const *cells,
                gsize               n_rows)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) levels = g_ptr_array_new ();
  g_autofree guint32 *codes = g_new (guint32, MAX (n_rows, 1));

  for (gsize i = 0; i < n_rows; i++)
    {
      gpointer code;

      if (cells[i] == NULL)
        codes[i] = MT_CODE_MISSING;
      else if (g_hash_table_lookup_extended (known, cells[i], NULL, &code))
        codes[i] = GPOINTER_TO_UINT (code);
      else
        {
          codes[i] = levels->len;
          g_hash_table_insert (known, (char *) cells[i], GUINT_TO_POINTER (levels->len));
          g_ptr_array_add (levels, g_strdup (cells[i]));
        }
    }
  g_ptr_array_add (levels, NULL);
  return mt_column_new_codes (name, type, (char **) g_ptr_array_steal (levels, NULL), codes, n_rows);
}

MtColumn *
mt_test_text (const char         *name,
              const char * const *cells,
              gsize               n_rows)
{
  GString *bytes = g_string_new (NULL);
  guint64 *offsets = g_new0 (guint64, n_rows + 1);
  guint8 *missing = g_new0 (guint8, n_rows / 8 + 1);

  for (gsize i = 0; i < n_rows; i++)
    {
      if (cells[i] == NULL)
        missing[i / 8] |= (guint8) (1u << (i % 8));
      else
        g_string_append (bytes, cells[i]);
      offsets[i + 1] = bytes->len;
    }
  return mt_column_new_text (name, g_string_free (bytes, FALSE), offsets, missing, n_rows);
}

MtTable *
mt_test_table (MtColumn **columns,
               guint      n_columns,
               int        target)
{
  MtTable *table = mt_table_new (columns, n_columns);

  return target < 0 ? table : mt_test_set_role (table, (guint) target, MT_ROLE_TARGET);
}

MtTable *
mt_test_set_role (MtTable      *table,
                  guint         column,
                  MtColumnRole  role)
{
  g_autoptr (MtTable) old = table;
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, mt_table_get_n_columns (table));

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    roles[c] = c == column ? role : mt_table_get_role (table, c);
  return mt_table_with_roles (old, roles, NULL);
}

static gboolean
is_plain_number (const char *text,
                 double     *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end > text && *end == '\0' && !(text[0] == '0' && g_ascii_isdigit (text[1]));
}

/* By the definition in docs/model-file.md. */
static gboolean
counts_as_missing (const MtEncoderColumn *wanted,
                   const char            *cell)
{
  g_autofree char *bare = g_strstrip (g_strdup (cell));

  for (char **text = wanted->missing_values; text != NULL && *text != NULL; text++)
    {
      double a, b;

      if (strcmp (bare, *text) == 0 || (is_plain_number (bare, &a) && is_plain_number (*text, &b) && a == b))
        return TRUE;
    }
  return FALSE;
}

gboolean
mt_test_literal_is_true (const MtEncoder *encoder,
                         guint            id,
                         const MtTable   *table,
                         gsize            row)
{
  const MtLiteral *literal = mt_encoder_get_literal (encoder, id);
  const MtEncoderColumn *wanted = mt_encoder_get_column (encoder, literal->column);
  const MtColumn *column = mt_table_find_column (table, wanted->name, NULL);
  g_autofree char *cell = NULL;

  cell = mt_column_dup_text (column, row);
  if (mt_column_is_missing (column, row) || counts_as_missing (wanted, cell))
    return literal->kind == MT_LITERAL_MISSING;
  if (literal->kind == MT_LITERAL_MISSING)
    return FALSE;
  if (literal->kind == MT_LITERAL_AT_LEAST)
    return mt_column_get_number (column, row) >= literal->threshold;
  if (literal->kind == MT_LITERAL_LEVEL)
    return strcmp (cell, literal->level) == 0;
  return !g_strv_contains ((const char * const *) wanted->levels, cell);   /* OTHER */
}

double
mt_test_get_attribute (const char *line,
                       const char *name)
{
  const char *at = strstr (line, name);

  g_assert_nonnull (at);
  return g_ascii_strtod (at + strlen (name), NULL);
}

char *
mt_test_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("minterm-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

guint
mt_test_empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  for (; (name = g_dir_read_name (dir)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  return n;
}

guint
mt_test_remove_folder (const char *folder)
{
  guint n = mt_test_empty_folder (folder);

  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return n;
}

/* --- JSON --- */

static const MtJson *
get_member (const MtJson *object,
            const char   *name,
            MtJsonKind    kind)
{
  const MtJson *member = mt_json_find (object, name);

  if (member == NULL || mt_json_get_kind (member) != kind)
    g_error ("member %s is %s, not %s", name, member != NULL ? mt_json_kind_to_string (mt_json_get_kind (member)) : "missing",
             mt_json_kind_to_string (kind));
  return member;
}

const char *
mt_test_json_string (const MtJson *object,
                     const char   *name)
{
  return mt_json_get_string (get_member (object, name, MT_JSON_STRING));
}

double
mt_test_json_number (const MtJson *object,
                     const char   *name)
{
  return mt_json_get_number (get_member (object, name, MT_JSON_NUMBER));
}

gint64
mt_test_json_integer (const MtJson *object,
                      const char   *name)
{
  double value = mt_test_json_number (object, name);

  g_assert_cmpfloat (value, ==, (double) (gint64) value);
  return (gint64) value;
}

gboolean
mt_test_json_boolean (const MtJson *object,
                      const char   *name)
{
  return mt_json_get_boolean (get_member (object, name, MT_JSON_BOOLEAN));
}

const MtJson *
mt_test_json_object (const MtJson *object,
                     const char   *name)
{
  return get_member (object, name, MT_JSON_OBJECT);
}

const MtJson *
mt_test_json_array (const MtJson *object,
                    const char   *name)
{
  return get_member (object, name, MT_JSON_ARRAY);
}

gboolean
mt_test_json_is_null (const MtJson *object,
                      const char   *name)
{
  const MtJson *member = mt_json_find (object, name);

  g_assert_nonnull (member);
  return mt_json_get_kind (member) == MT_JSON_NULL;
}

static void
write_value (MtJsonWriter *writer,
             const MtJson *json)
{
  switch (mt_json_get_kind (json))
    {
    case MT_JSON_BOOLEAN:
      mt_json_writer_boolean (writer, mt_json_get_boolean (json));
      break;
    case MT_JSON_NUMBER:
      mt_json_writer_number (writer, mt_json_get_number (json));
      break;
    case MT_JSON_STRING:
      mt_json_writer_string (writer, mt_json_get_string (json));
      break;
    case MT_JSON_ARRAY:
      mt_json_writer_begin_array (writer);
      for (guint i = 0; i < mt_json_get_n_children (json); i++)
        write_value (writer, mt_json_get_child (json, i));
      mt_json_writer_end_array (writer);
      break;
    case MT_JSON_OBJECT:
      mt_json_writer_begin_object (writer);
      for (guint i = 0; i < mt_json_get_n_children (json); i++)
        {
          mt_json_writer_key (writer, mt_json_get_name (json, i));
          write_value (writer, mt_json_get_child (json, i));
        }
      mt_json_writer_end_object (writer);
      break;
    case MT_JSON_NULL:
    default:
      mt_json_writer_string (writer, NULL);
      break;
    }
}

char *
mt_test_json_dup_text (const MtJson *json)
{
  MtJsonWriter *writer = mt_json_writer_new_compact ();

  write_value (writer, json);
  return mt_json_writer_finish (writer, NULL);
}

gboolean
mt_test_json_equal (const MtJson *a,
                    const MtJson *b)
{
  g_autofree char *a_text = mt_test_json_dup_text (a);
  g_autofree char *b_text = mt_test_json_dup_text (b);

  return g_str_equal (a_text, b_text);
}

MtJson *
mt_test_json_load (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  MtJson *json;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  json = mt_json_parse (text, (gssize) length, &error);
  g_assert_no_error (error);
  return json;
}

/* --- memory --- */

static gsize peak_before;   /* bytes held; 0: not known */

static gsize
read_status (const char *name)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, name)) == NULL)
    return 0;
  return g_ascii_strtoull (line + strlen (name), NULL, 10) * 1024;
}

void
mt_test_peak_begin (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");

  peak_before = 0;
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  if (file != NULL && fputs ("5", file) >= 0 && fflush (file) == 0)      /* the peak starts again */
    peak_before = read_status ("VmRSS:");
#endif
  g_clear_pointer (&file, fclose);
}

void
mt_test_peak_end (gsize most)
{
  gsize peak = peak_before > 0 ? read_status ("VmHWM:") : 0, more = peak > peak_before ? peak - peak_before : 0;

  g_test_message ("%zu kB more were held for a moment, of at most %zu", more / 1024, most / 1024);
  g_assert_cmpuint (more, <, most);
}
