/* minterm-cli inspect for programs: its JSON, saying how a file is to be read, and refusing. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "inspect-run.h"
#include "testutils.h"

/* --- JSON --- */

static void
test_json (void)
{
  g_autofree char *path = inspect_sample ("loan-approval.csv");
  g_auto (Run) run = { 0 };
  const MtJson *dialect, *age;

  RUN (&run, "--json", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  dialect = mt_test_json_object (inspect_root (&run), "dialect");
  g_assert_cmpstr (mt_test_json_string (dialect, "encoding"), ==, "UTF-8");
  g_assert_cmpstr (mt_test_json_string (dialect, "delimiter"), ==, ",");
  g_assert_cmpstr (mt_test_json_string (dialect, "quote"), ==, "\"");
  g_assert_cmpstr (mt_test_json_string (dialect, "decimal"), ==, ".");
  g_assert_true (mt_test_json_boolean (dialect, "header"));
  g_assert_cmpint (mt_test_json_integer (inspect_root (&run), "rows"), ==, 1200);
  g_assert_cmpstr (mt_test_json_string (inspect_root (&run), "target"), ==, "approved");
  g_assert_cmpuint (mt_json_get_n_children (mt_test_json_array (inspect_root (&run), "columns")), ==, 13);
  age = inspect_column (&run, "age");
  g_assert_cmpstr (mt_test_json_string (age, "type"), ==, "number");
  g_assert_cmpstr (mt_test_json_string (age, "role"), ==, "feature");
  g_assert_cmpint (mt_test_json_integer (age, "missing"), ==, 0);
  g_assert_cmpint (mt_test_json_integer (age, "distinct"), ==, 62);
  g_assert_cmpint (mt_test_json_integer (inspect_column (&run, "monthly_income_eur"), "missing"), ==, 101);
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "application_id"), "role"), ==, "ignored");
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "approved"), "role"), ==, "target");
  g_assert_nonnull (inspect_warning (&run, "identifier", "application_id"));
}

/* "`dialect{encoding,delimiter}`, `rows`, `columns[]{name}`" in the design: each key is there. */
static void
check_keys (const char *contract,
            const MtJson *object)
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
      const MtJson *node;

      g_assert_true (mt_json_find (object, name) != NULL);
      node = mt_json_find (object, name);
      n++;
      if (list[0] != '\0')
        {
          g_assert_cmpuint (mt_json_get_n_children (node), >, 0);
          node = mt_json_get_child (node, 0);
        }
      for (guint i = 0; keys[0] != '\0' && wanted[i] != NULL; i++, n++)
        if (mt_json_find (node, wanted[i]) == NULL)
          g_error ("%s has no %s", name, wanted[i]);
    }
  g_assert_cmpuint (n, >=, 18);   /* 4 names, 5 + 5 + 4 keys: else the page changed, or the pattern is wrong */
}

static void
test_contract (void)
{
  g_autofree char *design = mt_test_shared ("design.md", NULL);
  g_autofree char *path = inspect_sample ("loan-approval.csv");
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
  check_keys (contract, inspect_root (&run));
}

static void
test_cells (void)
{
  g_autoptr (TemporaryFile) path = make_file ("a,a,\"b \"\"x\"\"\"\n1, 2 ,\n\n007,\"two\nlines\",NA\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) bare = { 0 };
  const MtJson *cells;
  g_autofree char *text = NULL;

  RUN (&run, "--json", "--cells", path);
  cells = mt_test_json_object (inspect_root (&run), "cells");
  text = mt_test_json_dup_text (mt_json_find (cells, "rows"));
  g_assert_cmpstr (text, ==, "[[\"1\",\" 2 \",\"\"],[\"007\",\"two\\nlines\",\"NA\"]]");
  g_free (text);
  text = mt_test_json_dup_text (mt_json_find (cells, "header"));
  g_assert_cmpstr (text, ==, "[\"a\",\"a\",\"b \\\"x\\\"\"]");

  RUN (&bare, "--json", "--cells", "--no-header", path);
  cells = mt_test_json_object (inspect_root (&bare), "cells");
  g_assert_true (mt_test_json_is_null (cells, "header"));
  g_assert_cmpuint (mt_json_get_n_children (mt_test_json_array (cells, "rows")), ==, 3);
}

/* --- saying how --- */

static void
test_overrides (void)
{
  g_autoptr (TemporaryFile) path = make_file ("x|y|z\n1.234,5|'a|b'|-\n2.000,25|c|unknown\n7|d|3\n", -1);
  g_auto (Run) run = { 0 };
  const MtJson *dialect;

  RUN (&run, "--json", "--delimiter", "pipe", "--quote=single", "--decimal", "comma", "--thousands", "point", "--header",
       "--missing", "-", "--missing-in", "z=unknown", "--type", "z=number", "--role", "y=ignored", "--target", "x",
       "--encoding", "UTF-8", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  dialect = mt_test_json_object (inspect_root (&run), "dialect");
  g_assert_cmpstr (mt_test_json_string (dialect, "delimiter"), ==, "|");
  g_assert_cmpstr (mt_test_json_string (dialect, "quote"), ==, "'");
  g_assert_cmpstr (mt_test_json_string (dialect, "decimal"), ==, ",");
  g_assert_cmpstr (mt_test_json_string (dialect, "thousands"), ==, ".");
  g_assert_cmpint (mt_test_json_integer (inspect_root (&run), "rows"), ==, 3);
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "x"), "type"), ==, "number");
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "x"), "role"), ==, "target");
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "y"), "role"), ==, "ignored");
  g_assert_cmpint (mt_test_json_integer (inspect_column (&run, "y"), "distinct"), ==, 3);
  g_assert_cmpstr (mt_test_json_string (inspect_column (&run, "z"), "type"), ==, "number");
  g_assert_cmpint (mt_test_json_integer (inspect_column (&run, "z"), "missing"), ==, 2);
}

static void
test_no_header (void)
{
  g_autoptr (TemporaryFile) path = make_file ("name;size\nx;1\ny;NA\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) usual = { 0 };

  RUN (&run, "--json", "--no-header", "--no-usual-missing", "--quote", "none", "--thousands", "none", path);
  g_assert_cmpint (mt_test_json_integer (inspect_root (&run), "rows"), ==, 3);
  g_assert_false (mt_test_json_boolean (mt_test_json_object (inspect_root (&run), "dialect"), "header"));
  g_assert_true (mt_test_json_is_null (mt_test_json_object (inspect_root (&run), "dialect"), "quote"));
  g_assert_true (mt_test_json_is_null (mt_test_json_object (inspect_root (&run), "dialect"), "thousands"));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (mt_test_json_integer (mt_json_get_child (
                       mt_test_json_array (inspect_root (&run), "columns"), i), "missing"), ==, 0);
  RUN (&usual, "--json", path);
  g_assert_cmpint (mt_test_json_integer (inspect_column (&usual, "size"), "missing"), ==, 1);
}

static void
test_encoding (void)
{
  g_autoptr (TemporaryFile) path = make_file ("Gr\xf6\xdf" "e,n\n\xfc,1\n\xe4,2\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (Run) named = { 0 };

  RUN (&run, "--json", "--encoding", "ISO-8859-1", "--type", "Größe=category", path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpint (mt_test_json_integer (inspect_column (&run, "Größe"), "distinct"), ==, 2);
  /* Names are UTF-8 in any locale. */
  inspect_with (&named, (const char * const[]) { "LC_ALL=C", NULL }, NULL,
                (const char * const[]) { "--json", "--target", "Größe", path, NULL });
  g_assert_cmpint (named.exit_code, ==, 0);
  g_assert_cmpstr (mt_test_json_string (inspect_column (&named, "Größe"), "role"), ==, "target");
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
  g_assert_nonnull (inspect_warning (&before, "disguised-missing", "pulse"));
  g_assert_null (inspect_warning (&after, "disguised-missing", "pulse"));
  g_assert_cmpint (mt_test_json_integer (inspect_column (&after, "pulse"), "missing"), ==, 20);
}

/* --- refusing --- */

static void
assert_fails (int                 exit_code,
              const char         *pattern,
              const char * const *arguments)
{
  g_auto (Run) run = { 0 };

  inspect_with (&run, NULL, NULL, arguments);
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
  g_autofree char *path = inspect_sample ("loan-approval.csv");

  FAILS (2, "*inspect needs a file*", "--json");
  FAILS (2, "*takes one file*", path, path);
  FAILS (2, "*--nonsense*--help*", "--nonsense", path);
  FAILS (2, "*--header and --no-header cannot be used together*", "--header", "--no-header", path);
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
  FAILS (2, "*there is no column “Approved”; the columns are “application_id”, “age”*", "--target", "Approved", path);
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
  g_autofree char *path = inspect_sample ("loan-approval.csv");

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

/* --- where from and in which language --- */

static void
test_stdin (void)
{
  g_autofree char *path = inspect_sample ("triage.csv");
  g_autofree char *text = NULL;
  g_auto (Run) from_file = { 0 };
  g_auto (Run) from_pipe = { 0 };
  g_auto (Run) human = { 0 };
  g_auto (Run) wrong = { 0 };

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  RUN (&from_file, "--json", path);
  inspect_with (&from_pipe, NULL, text, (const char * const[]) { "--json", "-", NULL });
  g_assert_cmpint (from_pipe.exit_code, ==, 0);
  g_assert_cmpstr (mt_test_json_string (inspect_root (&from_pipe), "file"), ==, "-");
  g_assert_cmpuint (mt_json_get_n_children (from_file.json), ==, mt_json_get_n_children (from_pipe.json));
  for (guint i = 0; i < mt_json_get_n_children (from_file.json); i++)   /* all but the name of the file */
    {
      const char *name = mt_json_get_name (from_file.json, i);

      g_assert_cmpstr (name, ==, mt_json_get_name (from_pipe.json, i));
      if (!g_str_equal (name, "file"))
        g_assert_true (mt_test_json_equal (mt_json_get_child (from_file.json, i), mt_json_get_child (from_pipe.json, i)));
    }
  inspect_with (&human, NULL, text, (const char * const[]) { "-", NULL });
  g_assert_true (g_str_has_prefix (human.out, "standard input\n1,500 rows"));
  inspect_with (&wrong, NULL, "a,b\n\"x\n", (const char * const[]) { "-", NULL });
  g_assert_cmpint (wrong.exit_code, ==, 1);
  g_assert_true (g_pattern_match_simple ("*ine 2*", wrong.err));
}

/* What the shell makes of <(…), and a name that is not UTF-8. */
static void
test_odd_paths (void)
{
  g_autofree char *path = inspect_sample ("triage.csv");
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

/* The same for any number of threads. */
static void
test_threads (void)
{
  g_autofree char *path = inspect_sample ("energy-use.csv");
  g_auto (Run) one = { 0 };
  g_auto (Run) three = { 0 };

  RUN (&one, "--json", "--threads", "1", path);
  RUN (&three, "--json", "--threads", "3", path);
  g_assert_cmpstr (one.out, ==, three.out);
}

/* --- completion --- */

/* Written as every other document of ours: no blank before a colon, plain values in one line. */
static void
test_json_text (void)
{
  g_auto (Run) run = { 0 };

  inspect_with (&run, NULL, "a,b\n0.98,x\n0.1,y\n-3,x\n0.98,y\n", (const char * const[]) { "-", "--json", NULL });
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
  g_test_add_func ("/cli-inspect/stdin", test_stdin);
  g_test_add_func ("/cli-inspect/odd-paths", test_odd_paths);
  g_test_add_func ("/cli-inspect/threads", test_threads);
  g_test_add_func ("/cli-inspect/json-text", test_json_text);
  return g_test_run ();
}
