/* minterm-cli inspect from outside: the real program, its streams and its exit code. */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "testutils.h"

/* --- running it --- */

typedef struct {
  int       exit_code;
  char     *out, *err;
  JsonNode *json;        /* of out, when it is JSON */
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
  g_clear_pointer (&run->json, json_node_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static char *
dup_bytes (GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  char *text = g_strndup (data != NULL ? data : "", length);

  g_assert_cmpuint (strlen (text), ==, length);
  return text;
}

static void
run_with (Run                *run,
          const char * const *environment,   /* NAME=VALUE …, or NULL */
          const char         *input,         /* NULL: nothing */
          const char * const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new ((input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : G_SUBPROCESS_FLAGS_NONE) |
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) in = input != NULL ? g_bytes_new (input, strlen (input)) : NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GError) error = NULL;

  mt_test_ignore_broken_pipes ();
  g_subprocess_launcher_unsetenv (launcher, "COLUMNS");
  for (guint i = 0; environment != NULL && environment[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (environment[i], "=", 2);

      g_subprocess_launcher_setenv (launcher, pair[0], pair[1], TRUE);
    }
  g_strv_builder_add_many (argv, g_getenv ("MINTERM_CLI"), "inspect", NULL);
  g_strv_builder_addv (argv, (const char **) arguments);
  all = g_strv_builder_end (argv);
  process = g_subprocess_launcher_spawnv (launcher, (const char * const *) all, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, in, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));

  *run = (Run) { g_subprocess_get_exit_status (process) };
  run->out = dup_bytes (out);
  run->err = dup_bytes (err);
  g_assert_null (strstr (run->err, "CRITICAL"));
  g_assert_null (strstr (run->err, "runtime error"));
  g_assert_null (strstr (run->err, "Sanitizer"));
  if (run->out[0] == '{')
    {
      run->json = json_from_string (run->out, &error);
      g_assert_no_error (error);
    }
}

#define RUN(run, ...) run_with (run, NULL, NULL, (const char * const[]) { __VA_ARGS__, NULL })

static JsonObject *
root (const Run *run)
{
  if (run->json == NULL)
    g_error ("no JSON: %s%s", run->out, run->err);
  return json_node_get_object (run->json);
}

static JsonObject *
column_of (const Run  *run,
           const char *name)
{
  JsonArray *columns = json_object_get_array_member (root (run), "columns");

  for (guint i = 0; i < json_array_get_length (columns); i++)
    {
      JsonObject *column = json_array_get_object_element (columns, i);

      if (g_str_equal (json_object_get_string_member (column, "name"), name))
        return column;
    }
  g_error ("no column %s", name);
}

static JsonObject *
warning_of (const Run  *run,
            const char *code,
            const char *column)
{
  JsonArray *warnings = json_object_get_array_member (root (run), "warnings");

  for (guint i = 0; i < json_array_get_length (warnings); i++)
    {
      JsonObject *warning = json_array_get_object_element (warnings, i);

      if (g_str_equal (json_object_get_string_member (warning, "code"), code) &&
          g_strcmp0 (json_object_get_string_member_with_default (warning, "column", NULL), column) == 0)
        return warning;
    }
  return NULL;
}

static char *
sample (const char *name)
{
  return g_build_filename (g_getenv ("MINTERM_SAMPLES"), name, NULL);
}

/* A file that is there as long as the test. */
static char *
make_file (const char *text,
           gssize      length)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  char *path = g_build_filename (directory, "data.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

static void
drop_file (char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (directory);
  g_free (path);
}

typedef char TemporaryFile;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TemporaryFile, drop_file)

/* --- JSON --- */

static void
test_json (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_auto (Run) run = { 0 };
  JsonObject *dialect, *age;

  RUN (&run, "--json", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  dialect = json_object_get_object_member (root (&run), "dialect");
  g_assert_cmpstr (json_object_get_string_member (dialect, "encoding"), ==, "UTF-8");
  g_assert_cmpstr (json_object_get_string_member (dialect, "delimiter"), ==, ",");
  g_assert_cmpstr (json_object_get_string_member (dialect, "quote"), ==, "\"");
  g_assert_cmpstr (json_object_get_string_member (dialect, "decimal"), ==, ".");
  g_assert_true (json_object_get_boolean_member (dialect, "header"));
  g_assert_cmpint (json_object_get_int_member (root (&run), "rows"), ==, 1200);
  g_assert_cmpstr (json_object_get_string_member (root (&run), "target"), ==, "approved");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root (&run), "columns")), ==, 13);
  age = column_of (&run, "age");
  g_assert_cmpstr (json_object_get_string_member (age, "type"), ==, "number");
  g_assert_cmpstr (json_object_get_string_member (age, "role"), ==, "feature");
  g_assert_cmpint (json_object_get_int_member (age, "missing"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (age, "distinct"), ==, 62);
  g_assert_cmpint (json_object_get_int_member (column_of (&run, "monthly_income_eur"), "missing"), ==, 101);
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "application_id"), "role"), ==, "ignored");
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "approved"), "role"), ==, "target");
  g_assert_nonnull (warning_of (&run, "identifier", "application_id"));
}

/* "`dialect{encoding,delimiter}`, `rows`, `columns[]{name}`" in the design: each key is there. */
static void
check_keys (const char *contract,
            JsonObject *object)
{
  g_autoptr (GRegex) part = g_regex_new ("`([a-z]+)(\\[\\])?(?:\\{([a-z_,]+)\\})?`", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (part, contract, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1);
      g_autofree char *list = g_match_info_fetch (match, 2);
      g_autofree char *keys = g_match_info_fetch (match, 3);
      g_auto (GStrv) wanted = g_strsplit (keys, ",", -1);
      JsonNode *node;

      g_assert_true (json_object_has_member (object, name));
      node = json_object_get_member (object, name);
      n++;
      if (list[0] != '\0')
        {
          g_assert_cmpuint (json_array_get_length (json_node_get_array (node)), >, 0);
          node = json_array_get_element (json_node_get_array (node), 0);
        }
      for (guint i = 0; keys[0] != '\0' && wanted[i] != NULL; i++, n++)
        if (!json_object_has_member (json_node_get_object (node), wanted[i]))
          g_error ("%s has no %s", name, wanted[i]);
    }
  g_assert_cmpuint (n, >=, 18);   /* 4 names, 5 + 5 + 4 keys: else the page changed, or the pattern is wrong */
}

static void
test_contract (void)
{
  g_autofree char *design = mt_test_shared ("design.md", NULL);
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };
  const char *line, *cell;
  g_autofree char *contract = NULL;

  if (design == NULL)
    return;
  g_assert_true (g_file_get_contents (design, &text, NULL, NULL));
  line = strstr (text, "| `inspect DATA.csv` |");
  g_assert_nonnull (line);
  cell = line + strlen ("| `inspect DATA.csv` |");
  contract = g_strndup (cell, strcspn (cell, "\n"));
  RUN (&run, "--json", path);
  check_keys (contract, root (&run));
}

static void
test_cells (void)
{
  g_autoptr (TemporaryFile) path = make_file ("a,a,\"b \"\"x\"\"\"\n1, 2 ,\n\n007,\"two\nlines\",NA\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) bare = { 0 };
  JsonObject *cells;
  g_autofree char *text = NULL;

  RUN (&run, "--json", "--cells", path);
  cells = json_object_get_object_member (root (&run), "cells");
  text = json_to_string (json_object_get_member (cells, "rows"), FALSE);
  g_assert_cmpstr (text, ==, "[[\"1\",\" 2 \",\"\"],[\"007\",\"two\\nlines\",\"NA\"]]");
  g_free (text);
  text = json_to_string (json_object_get_member (cells, "header"), FALSE);
  g_assert_cmpstr (text, ==, "[\"a\",\"a\",\"b \\\"x\\\"\"]");

  RUN (&bare, "--json", "--cells", "--no-header", path);
  cells = json_object_get_object_member (root (&bare), "cells");
  g_assert_true (json_object_get_null_member (cells, "header"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (cells, "rows")), ==, 3);
}

/* --- saying how --- */

static void
test_overrides (void)
{
  g_autoptr (TemporaryFile) path = make_file ("x|y|z\n1.234,5|'a|b'|-\n2.000,25|c|unknown\n7|d|3\n", -1);
  g_auto (Run) run = { 0 };
  JsonObject *dialect;

  RUN (&run, "--json", "--delimiter", "pipe", "--quote=single", "--decimal", "comma", "--thousands", "point", "--header",
       "--missing", "-", "--missing-in", "z=unknown", "--type", "z=number", "--role", "y=ignored", "--target", "x",
       "--encoding", "UTF-8", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  dialect = json_object_get_object_member (root (&run), "dialect");
  g_assert_cmpstr (json_object_get_string_member (dialect, "delimiter"), ==, "|");
  g_assert_cmpstr (json_object_get_string_member (dialect, "quote"), ==, "'");
  g_assert_cmpstr (json_object_get_string_member (dialect, "decimal"), ==, ",");
  g_assert_cmpstr (json_object_get_string_member (dialect, "thousands"), ==, ".");
  g_assert_cmpint (json_object_get_int_member (root (&run), "rows"), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "x"), "type"), ==, "number");
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "x"), "role"), ==, "target");
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "y"), "role"), ==, "ignored");
  g_assert_cmpint (json_object_get_int_member (column_of (&run, "y"), "distinct"), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (column_of (&run, "z"), "type"), ==, "number");
  g_assert_cmpint (json_object_get_int_member (column_of (&run, "z"), "missing"), ==, 2);
}

static void
test_no_header (void)
{
  g_autoptr (TemporaryFile) path = make_file ("name;size\nx;1\ny;NA\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) usual = { 0 };

  RUN (&run, "--json", "--no-header", "--no-usual-missing", "--quote", "none", "--thousands", "none", path);
  g_assert_cmpint (json_object_get_int_member (root (&run), "rows"), ==, 3);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (root (&run), "dialect"), "header"));
  g_assert_true (json_object_get_null_member (json_object_get_object_member (root (&run), "dialect"), "quote"));
  g_assert_true (json_object_get_null_member (json_object_get_object_member (root (&run), "dialect"), "thousands"));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (
                       json_object_get_array_member (root (&run), "columns"), i), "missing"), ==, 0);
  RUN (&usual, "--json", path);
  g_assert_cmpint (json_object_get_int_member (column_of (&usual, "size"), "missing"), ==, 1);
}

static void
test_encoding (void)
{
  g_autoptr (TemporaryFile) path = make_file ("Gr\xf6\xdf" "e,n\n\xfc,1\n\xe4,2\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) named = { 0 };

  RUN (&run, "--json", "--encoding", "ISO-8859-1", "--type", "Größe=category", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpint (json_object_get_int_member (column_of (&run, "Größe"), "distinct"), ==, 2);
  /* Names are UTF-8 in any locale. */
  run_with (&named, (const char * const[]) { "LC_ALL=C", NULL }, NULL,
            (const char * const[]) { "--json", "--target", "Größe", path, NULL });
  g_assert_cmpint (named.exit_code, ==, 0);
  g_assert_cmpstr (json_object_get_string_member (column_of (&named, "Größe"), "role"), ==, "target");
}

/* A pile of zeros, however written, becomes missing when the finding's advice is followed. */
static void
test_disguise_mended (void)
{
  GString *csv = g_string_new ("pulse,y\n");
  g_autofree char *text = NULL;
  g_auto (Run) before = { 0 };
  g_auto (Run) after = { 0 };

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (csv, "%u%s,%s\n", i % 10 == 0 ? 0 : 60 + i % 40, i % 20 == 0 ? ".0" : "", i % 3 ? "a" : "b");
  text = g_string_free (csv, FALSE);
  {
    g_autoptr (TemporaryFile) path = make_file (text, -1);

    RUN (&before, "--json", path);
    RUN (&after, "--json", "--missing-in", "pulse=0", path);
  }
  g_assert_nonnull (warning_of (&before, "disguised-missing", "pulse"));
  g_assert_null (warning_of (&after, "disguised-missing", "pulse"));
  g_assert_cmpint (json_object_get_int_member (column_of (&after, "pulse"), "missing"), ==, 20);
}

/* --- refusing --- */

static void
assert_fails (int                 exit_code,
              const char         *pattern,
              const char * const *arguments)
{
  g_auto (Run) run = { 0 };

  run_with (&run, NULL, NULL, arguments);
  g_test_message ("%s", run.err);
  g_assert_cmpint (run.exit_code, ==, exit_code);
  g_assert_cmpstr (run.out, ==, "");
  /* One line. */
  g_assert_true (g_str_has_suffix (run.err, "\n"));
  g_assert_true (strchr (run.err, '\n') == run.err + strlen (run.err) - 1);
  if (!g_pattern_match_simple (pattern, run.err))
    g_error ("“%s” does not match “%s”", run.err, pattern);
}

#define FAILS(exit_code, pattern, ...) \
  assert_fails (exit_code, pattern, (const char * const[]) { __VA_ARGS__, NULL })

static void
test_usage (void)
{
  g_autofree char *path = sample ("loan-approval.csv");

  FAILS (2, "*inspect needs a file*", "--json");
  FAILS (2, "*takes one file*", path, path);
  FAILS (2, "*--nonsense*--help*", "--nonsense", path);
  FAILS (2, "*--header and --no-header exclude*", "--header", "--no-header", path);
  FAILS (2, "*--delimiter must be one of comma, semicolon, tab, pipe*not “word”*", "--delimiter", "word", path);
  FAILS (2, "*--delimiter*", "--delimiter", "\"", path);
  FAILS (2, "*--quote must be one of double, single, none, not “x”*", "--quote", "x", path);
  FAILS (2, "*--decimal must be one of point, comma*", "--decimal", "", path);
  FAILS (2, "*--thousands must be one of*", "--thousands", ";", path);
  FAILS (2, "*--type needs COLUMN=VALUE*", "--type", "age", path);
  FAILS (2, "*--type needs COLUMN=VALUE*", "--type", "=number", path);
  FAILS (2, "*--type must be number*not “big”*", "--type", "age=big", path);
  FAILS (2, "*--role needs COLUMN=VALUE*", "--role", "age", path);
  FAILS (2, "*--role must be feature*not “big”*", "--role", "age=big", path);
  FAILS (2, "*--missing-in needs COLUMN=VALUE*", "--missing-in", "age", path);
  FAILS (2, "*there is no column “Approved”; there are “application_id”, “age”*", "--target", "Approved", path);
  FAILS (2, "*is not UTF-8*", "--target", "caf\xe9", path);
  FAILS (2, "*--cells needs --json*", "--cells", path);
  FAILS (2, "*--cells needs --json*", "--cells", "--json", "-");
  FAILS (2, "*--cells needs --json*not standard input or a pipe*", "--cells", "--json", "/dev/null");
  FAILS (2, "*--threads must be between*", "--threads", "5000", path);
}

static void
test_help (void)
{
  g_auto (Run) run = { 0 };

  RUN (&run, "--help");
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_nonnull (strstr (run.out, "--delimiter"));
  g_assert_nonnull (strstr (run.out, "--missing-in"));
}

static void
test_rejected (void)
{
  g_autoptr (TemporaryFile) open_quote = make_file ("a,b\n1,2\n3,\"never closed\n4,5\n", -1);
  g_autoptr (TemporaryFile) nul = make_file ("a,b\n1,2\n3,\0\n", 12);
  g_autoptr (TemporaryFile) empty = make_file ("", 0);
  g_autofree char *directory = g_path_get_dirname (empty);

  FAILS (1, "*data.csv*ine 3*", open_quote);
  FAILS (1, "*data.csv*ine 3*", "--json", nul);
  FAILS (1, "*data.csv*", empty);
  FAILS (1, "*no-such-file.csv*", "no-such-file.csv");
  FAILS (1, "*minterm*", directory);
}

/* A disk that is full must not pass for success. */
static void
test_full_disk (void)
{
  g_autofree char *path = sample ("loan-approval.csv");

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  for (guint json = 0; json < 2; json++)
    {
      g_autofree char *command = g_strdup_printf ("\"$MINTERM_CLI\" inspect %s '%s' > /dev/full", json ? "--json" : "",
                                                  path);
      const char *argv[] = { "/bin/sh", "-c", command, NULL };
      g_autofree char *err = NULL;
      int status;

      g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &err, &status, NULL));
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 1);
      g_assert_nonnull (strstr (err, "cannot write to standard output"));
    }
}

/* --- for people --- */

static guint
width_of (const char *text,
          gsize       length)
{
  guint width = 0;

  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

static void
test_text (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_auto (Run) run = { 0 };
  g_auto (Run) wide = { 0 };
  g_auto (GStrv) lines = NULL;

  RUN (&run, path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "loan-approval.csv\n1,200 rows × 13 columns, 75.1 kB\nUTF-8, separated by comma"));
  g_assert_nonnull (strstr (run.out, "\nmonthly_income_eur  number    feature    8.4 %"));
  g_assert_nonnull (strstr (run.out, "█"));
  g_assert_nonnull (strstr (run.out, "\n3 notes\n  identifier\n    “application_id”"));
  lines = g_strsplit (run.out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpuint (width_of (lines[i], strlen (lines[i])), <=, 80);
  /* Room shows more. */
  run_with (&wide, (const char * const[]) { "COLUMNS=160", NULL }, NULL, (const char * const[]) { path, NULL });
  g_assert_null (strstr (run.out, "public service 14 %"));
  g_assert_nonnull (strstr (wide.out, "public service 14 %"));
}

static void
assert_shows (const Run  *run,
              const char *text)
{
  if (strstr (run->out, text) == NULL)
    g_error ("“%s” is not in\n%s", text, run->out);
}

/* A column of every kind, and each way of saying how the file is written. */
/* One missing value in many. */
static TemporaryFile *
make_spaces (void)
{
  g_autoptr (GString) text = g_string_new ("a x\n1 ?\n");

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "%u '%u'\n", i, i % 2);
  return make_file (text->str, -1);
}

static void
test_kinds (void)
{
  GString *csv = g_string_new ("when;note;price;level;clinic;empty;y\n");
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) odd = { 0 };
  g_auto (Run) one = { 0 };
  g_autoptr (TemporaryFile) small = make_file ("x\n5\n", -1);
  g_autoptr (TemporaryFile) pipes = make_file ("a|b\n1|2\n3|4\n", -1);
  g_autoptr (TemporaryFile) tabs = make_file ("a\tb\n1'234.5\t2\n3'456.5\t4\n", -1);
  g_autoptr (TemporaryFile) spaces = make_spaces ();
  g_auto (Run) spaced = { 0 };
  g_auto (Run) piped = { 0 };
  g_auto (Run) tabbed = { 0 };
  g_autoptr (TemporaryFile) percent = make_file ("a%b\n1%2\n3%4\n", -1);

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *note = g_strdup_printf ("remark %u", i);

      g_string_append_printf (csv, "2024-%02u-%02u;%s;%u.%03u,5;%s;north %u;;%s\n", 1 + i % 12, 1 + i % 28,
                              i == 0 ? "" : note, 1 + i % 9, i * 3, i == 7 ? "" : i % 2 ? "high" : "low", i % 30,
                              i % 3 ? "yes" : "no");
    }
  text = g_string_free (csv, FALSE);
  {
    g_autoptr (TemporaryFile) path = make_file (text, -1);

    run_with (&run, (const char * const[]) { "COLUMNS=180", NULL }, NULL,
              (const char * const[]) { "--quote", "none", "--decimal", "comma", "--thousands", "point", "--role",
                                       "clinic=group", path, NULL });
  }
  g_assert_cmpint (run.exit_code, ==, 0);
  assert_shows (&run, "UTF-8, separated by semicolon, no quotes, decimal comma, thousands by point, names in the header");
  assert_shows (&run, "\nwhen    date      ignored        –        84");
  assert_shows (&run, "2024-01-01 … 2024-12-28");
  assert_shows (&run, "\nnote    text      ignored    0.3 %       299          remark 1, …");
  assert_shows (&run, "\nprice   number    feature");
  assert_shows (&run, "low 50 %, high 50 %");
  assert_shows (&run, "\nclinic  category  group");
  assert_shows (&run, "3.3 %, …");                       /* of the 30 clinics six are shown */
  assert_shows (&run, "\nempty ");
  assert_shows (&run, " 100 %         0");
  assert_shows (&run, "notes\n");

  run_with (&odd, NULL, NULL, (const char * const[]) { "--delimiter", "%", "--no-header", percent, NULL });
  assert_shows (&odd, "separated by “%”");
  assert_shows (&odd, "no header");
  RUN (&spaced, "--delimiter", "space", "--quote", "single", spaces);
  assert_shows (&spaced, "separated by space, quoted by apostrophe, ");
  assert_shows (&spaced, " <0.1 %  ");
  RUN (&piped, pipes);
  assert_shows (&piped, "separated by pipe, ");
  RUN (&tabbed, tabs);
  assert_shows (&tabbed, "separated by tab, ");
  assert_shows (&tabbed, "\napostrophe, ");
  RUN (&one, small);
  assert_shows (&one, "\n1 row × 1 column, 4 bytes\n");
}

/* Warnings are in the text and, since stderr may be all that is read, there too; notes are not. */
static void
test_warnings (void)
{
  GString *csv = g_string_new ("x,same,y\n");
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) json = { 0 };

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (csv, "%u,5,%s\n", (i * 7) % 23, i % 2 ? "a" : "b");
  text = g_string_free (csv, FALSE);
  {
    g_autoptr (TemporaryFile) path = make_file (text, -1);

    RUN (&run, "--role", "same=feature", path);
    RUN (&json, "--json", "--role", "same=feature", path);
  }
  g_assert_nonnull (strstr (run.out, "  constant-column\n    “same” is “5” in all 60 rows"));
  g_assert_nonnull (strstr (run.err, "warning: “same” is “5” in all 60 rows"));
  g_assert_nonnull (strstr (run.out, "too-few-rows"));
  g_assert_null (strstr (run.err, "note"));
  g_assert_cmpstr (json.err, ==, "");
  g_assert_cmpstr (json_object_get_string_member (warning_of (&json, "constant-column", "same"), "severity"), ==,
                   "warning");
}

/* Control characters from the data must not reach the terminal, whichever way they take. */
static void
test_control_characters (void)
{
  static const char csv[] = "x\033[31mred,\"b\ac\",\xe2\x80\xaeoverride\n\033]0;title\a,1,x\n"
                            "\x7f,2,\xc2\x9b" "31m\ny,3,z\n";
  g_autoptr (TemporaryFile) path = make_file (csv, -1);

  for (guint json = 0; json < 2; json++)
    {
      g_auto (Run) run = { 0 };
      g_auto (Run) wrong = { 0 };

      if (json)
        RUN (&run, "--json", "--cells", path);
      else
        RUN (&run, path);
      RUN (&wrong, "--target", "\033[2J", path);
      g_assert_cmpint (wrong.exit_code, ==, 2);
      for (guint k = 0; k < 4; k++)
        {
          const char *text = k == 0 ? run.out : k == 1 ? run.err : k == 2 ? wrong.out : wrong.err;

          g_assert_true (g_utf8_validate (text, -1, NULL));
          for (const char *p = text; *p != '\0'; p++)
            g_assert_true ((guchar) *p >= 0x20 || *p == '\n');
          if (json && k == 0)
            continue;   /* JSON is for programs: what is not ASCII control may stand there */
          g_assert_null (strstr (text, "\x7f"));
          g_assert_null (strstr (text, "\xc2\x9b"));
          g_assert_null (strstr (text, "\xe2\x80\xae"));
        }
    }
}

/* Whatever the script of the names, the columns of the table stay under their titles. */
static void
test_alignment (void)
{
  /* The widest name takes 8 places: two wide letters joined, a blank, and "who". */
  g_autoptr (TemporaryFile) path = make_file ("日本語,العمر,ก็,e\xcc\x81te\xcc\x81,👩‍🔬 who,plain\n1,2,3,4,5,a\n2,3,4,5,6,b\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  run_with (&run, (const char * const[]) { "COLUMNS=100", NULL }, NULL, (const char * const[]) { path, NULL });
  lines = g_strsplit (run.out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      static const char * const words[] = { "  type ", "  number ", "  category ", "  boolean " };

      for (guint w = 0; w < G_N_ELEMENTS (words); w++)
        {
          const char *at = strstr (lines[i], words[w]);

          if (at == NULL)
            continue;
          g_assert_cmpuint (width_of (lines[i], (gsize) (at - lines[i])) + (guint) strspn (at, " "), ==, 8 + 2);
          n++;
        }
    }
  g_assert_cmpuint (n, ==, 7);
}

/* --- where from and in which language --- */

static void
test_stdin (void)
{
  g_autofree char *path = sample ("triage.csv");
  g_autofree char *text = NULL;
  g_auto (Run) from_file = { 0 };
  g_auto (Run) from_pipe = { 0 };
  g_auto (Run) human = { 0 };
  g_auto (Run) wrong = { 0 };

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  RUN (&from_file, "--json", path);
  run_with (&from_pipe, NULL, text, (const char * const[]) { "--json", "-", NULL });
  g_assert_cmpint (from_pipe.exit_code, ==, 0);
  json_object_set_string_member (root (&from_file), "file", "-");
  g_assert_true (json_node_equal (from_file.json, from_pipe.json));
  run_with (&human, NULL, text, (const char * const[]) { "-", NULL });
  g_assert_true (g_str_has_prefix (human.out, "standard input\n1,500 rows"));
  run_with (&wrong, NULL, "a,b\n\"x\n", (const char * const[]) { "-", NULL });
  g_assert_cmpint (wrong.exit_code, ==, 1);
  g_assert_true (g_pattern_match_simple ("*ine 2*", wrong.err));
}

/* What the shell makes of <(…), and a name that is not UTF-8. */
static void
test_odd_paths (void)
{
  g_autofree char *path = sample ("triage.csv");
  g_autofree char *bash = g_find_program_in_path ("bash");
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *latin = g_strconcat (directory, "/caf\xe9\n.csv", NULL);
  g_auto (Run) run = { 0 };
  g_auto (Run) human = { 0 };

  g_assert_true (g_file_set_contents (latin, "a,b\n1,x\n2,y\n", -1, NULL));
  RUN (&run, "--json", latin);
  RUN (&human, latin);
  g_remove (latin);
  g_rmdir (directory);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_true (g_utf8_validate (run.out, -1, NULL));
  g_assert_true (g_str_has_prefix (human.out, "caf\xef\xbf\xbd\\u000a.csv\n2 rows"));

  if (bash != NULL)
    {
      const char *argv[] = { bash, "-c", "\"$MINTERM_CLI\" inspect <(cat \"$0\")", path, NULL };
      g_autofree char *out = NULL;
      int status;

      g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, NULL));
      g_assert_cmpint (status, ==, 0);
      g_assert_nonnull (strstr (out, "1,500 rows × 11 columns"));
    }
}

/* Compiles a locale into @directory, whether or not the machine has it; its own sources are
 * in the package that is named when they lack. */
static gboolean
make_locale (const char *directory,
             const char *name)
{
  g_autofree char *target = g_strdup_printf ("%s/%s.UTF-8", directory, name);
  const char *argv[] = { "localedef", "-c", "-i", name, "-f", "UTF-8", target, NULL };
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                       NULL, &status, NULL) && g_file_test (target, G_FILE_TEST_IS_DIR);
}

/* The decimal comma of de_DE is in the way of what prints numbers, the dotless i of tr_TR of
 * what changes case. */
static void
test_locale (void)
{
  static const char * const names[] = { "de_DE", "tr_TR" };
  g_autofree char *path = sample ("energy-use.csv");
  g_autofree char *directory = g_dir_make_tmp ("minterm-locale-XXXXXX", NULL);
  g_autofree char *where = g_strconcat ("LOCPATH=", directory, NULL);
  const char *remove[] = { "rm", "-r", directory, NULL };
  gboolean lacking = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *setting = g_strdup_printf ("LC_ALL=%s.UTF-8", names[i]);

      if (!make_locale (directory, names[i]))
        {
          lacking = TRUE;
          continue;
        }
      for (guint json = 0; json < 2; json++)
        {
          const char *arguments[] = { path, json ? "--json" : NULL, NULL };
          g_auto (Run) plain = { 0 };
          g_auto (Run) run = { 0 };

          run_with (&plain, (const char * const[]) { "LC_ALL=C", NULL }, NULL, arguments);
          run_with (&run, (const char * const[]) { where, setting, NULL }, NULL, arguments);
          g_assert_cmpint (run.exit_code, ==, 0);
          g_assert_cmpstr (run.out, ==, plain.out);
          g_assert_cmpstr (run.err, ==, plain.err);
        }
    }
  g_assert_true (g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  if (lacking)
    g_test_skip ("de_DE or tr_TR cannot be compiled here: install the package locales");
}

/* The same for any number of threads. */
static void
test_threads (void)
{
  g_autofree char *path = sample ("energy-use.csv");
  g_auto (Run) one = { 0 };
  g_auto (Run) three = { 0 };

  RUN (&one, "--json", "--threads", "1", path);
  RUN (&three, "--json", "--threads", "3", path);
  g_assert_cmpstr (one.out, ==, three.out);
}

/* --- on a terminal --- */

/* Runs with stdout and stderr on a terminal of @width; returns what was shown, or NULL when
 * there are no pseudo-terminals here. */
static char *
run_on_terminal (guint       width,
                 const char *no_colour,
                 const char *path)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  struct winsize size = { .ws_col = (unsigned short) width, .ws_row = 50 };
  GString *shown = g_string_new (NULL);
  int master = posix_openpt (O_RDWR | O_NOCTTY), slave;
  char buffer[4096];
  gssize n;

  if (master < 0 || grantpt (master) != 0 || unlockpt (master) != 0)
    {
      g_test_skip ("no pseudo-terminal can be had here");
      return g_string_free (shown, TRUE);
    }
  slave = open (ptsname (master), O_RDWR | O_NOCTTY);
  g_assert_cmpint (slave, >=, 0);
  g_assert_cmpint (ioctl (slave, TIOCSWINSZ, &size), ==, 0);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (slave));
  g_subprocess_launcher_take_stderr_fd (launcher, slave);
  g_subprocess_launcher_setenv (launcher, "TERM", "xterm", TRUE);
  g_subprocess_launcher_setenv (launcher, "NO_COLOR", no_colour, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MINTERM_CLI"), "inspect", path, NULL);
  g_assert_no_error (error);
  g_clear_object (&launcher);   /* closes our copies of the other end */
  while ((n = read (master, buffer, sizeof buffer)) > 0)
    g_string_append_len (shown, buffer, n);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  close (master);
  return g_string_free (shown, FALSE);
}

static void
test_terminal (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *coloured = run_on_terminal (64, "", path);
  g_autofree char *plain = NULL;
  g_autofree char *bare = NULL;
  g_autoptr (GRegex) codes = g_regex_new ("\033\\[[0-9;]*m", 0, 0, NULL);
  g_auto (GStrv) lines = NULL;
  const char *text;

  if (coloured == NULL)
    return;
  /* A progress line, wiped before the result. */
  g_assert_nonnull (strstr (coloured, "\rlooking "));
  g_assert_nonnull (strstr (coloured, "\r\033[K"));
  g_assert_nonnull (strstr (coloured, "\033[1m"));
  text = g_strrstr (coloured, "\r\033[K") + strlen ("\r\033[K");
  bare = g_regex_replace_literal (codes, text, -1, 0, "", 0, NULL);
  lines = g_strsplit (bare, "\r\n", -1);
  g_assert_cmpstr (lines[0], ==, "loan-approval.csv");
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpuint (width_of (lines[i], strlen (lines[i])), <=, 64);

  plain = run_on_terminal (64, "1", path);
  g_assert_null (strstr (plain, "\033[1m"));
  text = g_strrstr (plain, "\r\033[K") + strlen ("\r\033[K");
  g_assert_cmpstr (text, ==, bare);
}

/* --- completion --- */

static void
complete (const char *words,        /* separated by blanks; the last is the one to complete */
          const char *wanted,       /* sorted, separated by blanks; NULL: only check @includes */
          const char *includes)
{
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "..", "data", "completion", "minterm-cli", NULL);
  g_autofree char *script =
    g_strdup_printf (". '%s'; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_WORDS[0]=$MINTERM_CLI; "
                     "_minterm_cli; printf '%%s\\n' \"${COMPREPLY[@]}\" | sort -u", file, words);
  const char *argv[] = { "bash", "--norc", "-c", script, NULL };
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_auto (GStrv) got = NULL;
  g_autofree char *joined = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_strstrip (out);
  got = g_strsplit (out, "\n", -1);
  joined = g_strjoinv (" ", got);
  g_test_message ("%s -> %s", words, joined);
  if (wanted != NULL)
    g_assert_cmpstr (joined, ==, wanted);
  if (includes != NULL)
    g_assert_true (g_strv_contains ((const char * const *) got, includes));
}

static void
test_completion (void)
{
  g_autofree char *bash = g_find_program_in_path ("bash");
  g_autofree char *path = sample ("loan");
  g_autofree char *whole = sample ("loan-approval.csv");
  g_autofree char *words = g_strdup_printf ("minterm-cli inspect '%s'", path);

  if (bash == NULL)
    {
      g_test_skip ("bash is not installed");
      return;
    }
  complete ("minterm-cli ins", "inspect", NULL);
  complete ("minterm-cli ''", NULL, "inspect");
  complete ("minterm-cli ''", NULL, "bench");
  complete ("minterm-cli --v", "--version", NULL);
  complete ("minterm-cli inspect --missing", "--missing --missing-in", NULL);
  complete ("minterm-cli inspect --", NULL, "--json");
  complete ("minterm-cli inspect --", NULL, "--no-header");
  complete ("minterm-cli inspect --quote ''", "double none single", NULL);
  complete ("minterm-cli inspect --quote = n", "none", NULL);
  complete ("minterm-cli inspect --quote =", "double none single", NULL);
  complete ("minterm-cli inspect --delimiter t", "tab", NULL);
  complete ("minterm-cli inspect --type age = n", "number", NULL);
  complete ("minterm-cli inspect --role age =", "feature group ignored target", NULL);
  complete ("minterm-cli inspect --type ag", "", NULL);
  complete ("minterm-cli inspect --device ''", "auto cpu cuda", NULL);
  complete (words, whole, NULL);
}

/* Written as every other document of ours: no blank before a colon, plain values in one line. */
static void
test_json_text (void)
{
  g_auto (Run) run = { 0 };

  run_with (&run, NULL, "a,b\n0.98,x\n0.1,y\n-3,x\n0.98,y\n", (const char * const[]) { "-", "--json", NULL });
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_nonnull (strstr (run.out, "  \"rows\": 4,\n"));
  g_assert_nonnull (strstr (run.out, "\"missing_tokens\": [\"\", \"NA\", "));
  g_assert_null (strstr (run.out, "\" :"));
  g_assert_true (g_str_has_suffix (run.out, "\n}\n"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-inspect/json", test_json);
  g_test_add_func ("/cli-inspect/contract", test_contract);
  g_test_add_func ("/cli-inspect/cells", test_cells);
  g_test_add_func ("/cli-inspect/overrides", test_overrides);
  g_test_add_func ("/cli-inspect/no-header", test_no_header);
  g_test_add_func ("/cli-inspect/encoding", test_encoding);
  g_test_add_func ("/cli-inspect/disguise-mended", test_disguise_mended);
  g_test_add_func ("/cli-inspect/usage", test_usage);
  g_test_add_func ("/cli-inspect/help", test_help);
  g_test_add_func ("/cli-inspect/rejected", test_rejected);
  g_test_add_func ("/cli-inspect/full-disk", test_full_disk);
  g_test_add_func ("/cli-inspect/text", test_text);
  g_test_add_func ("/cli-inspect/kinds", test_kinds);
  g_test_add_func ("/cli-inspect/warnings", test_warnings);
  g_test_add_func ("/cli-inspect/control-characters", test_control_characters);
  g_test_add_func ("/cli-inspect/alignment", test_alignment);
  g_test_add_func ("/cli-inspect/stdin", test_stdin);
  g_test_add_func ("/cli-inspect/odd-paths", test_odd_paths);
  g_test_add_func ("/cli-inspect/locale", test_locale);
  g_test_add_func ("/cli-inspect/threads", test_threads);
  g_test_add_func ("/cli-inspect/terminal", test_terminal);
  g_test_add_func ("/cli-inspect/json-text", test_json_text);
  g_test_add_func ("/cli-inspect/completion", test_completion);
  return g_test_run ();
}
