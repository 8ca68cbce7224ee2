/* The CSV corpus through the command line, as a stranger's script would do it: verdict, exit
 * code, shape, the line named, every cell, and a stderr that a person can bear. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "testutils.h"

enum { FILE_NAME, CLASS, EXERCISES, OPTS, VERDICT, LINE, ROWS, COLS, N_WORDS };

/* "83|82" allows both; "-" anything. */
static gboolean
allows (const char *choices,
        const char *value)
{
  g_auto (GStrv) list = g_strsplit (choices, "|", -1);

  return g_strv_contains ((const char * const *) list, "-") || g_strv_contains ((const char * const *) list, value);
}

static gboolean
allows_number (const char *choices,
               gint64      value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  return allows (choices, text);
}

static gboolean
mentions_line (const char *text,
               const char *line)
{
  g_autofree char *pattern = g_strdup_printf ("\\bline %s\\b", line);

  return g_regex_match_simple (pattern, text, G_REGEX_CASELESS, 0);
}

static gboolean
warns_of_line (const MtJson *root,
               const char *line)
{
  const MtJson *warnings = mt_test_json_array (root, "warnings");

  for (guint i = 0; i < mt_json_get_n_children (warnings); i++)
    {
      const MtJson *warning = mt_json_get_child (warnings, i);

      if (allows_number (line, mt_test_json_is_null (warning, "line") ? 0 : mt_test_json_integer (warning, "line")) ||
          mentions_line (mt_test_json_string (warning, "message"), line))
        return TRUE;
    }
  return FALSE;
}

static void
check_cells (const char *file,
             const MtJson *root)
{
  g_autofree char *base = g_path_get_basename (file);
  g_autofree char *name = g_strconcat (base, ".json", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "csv-corpus", "expected", name, NULL);
  g_autoptr (MtJson) expected = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  expected = mt_test_json_load (path);
  if (!mt_test_json_equal (expected, mt_json_find (root, "cells")))
    g_error ("%s: the cells differ", file);
}

static void
check_file (char **words)
{
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "csv-corpus", words[FILE_NAME], NULL);
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (MtJson) json = NULL;
  int exit_code = mt_test_cli (NULL, &out, &err, "inspect", "--json", "--cells", path, NULL);
  const char *verdict = words[VERDICT];
  const MtJson *root;

  g_assert_false (g_regex_match_simple ("CRITICAL|Pango|Gtk-WARNING|runtime error|Sanitizer", err, 0, 0));
  g_assert_null (strchr (err, '\033'));
  g_assert_null (strchr (out, '\033'));
  if (exit_code != 0)
    {
      g_assert_cmpint (exit_code, ==, 1);
      g_assert_cmpstr (out, ==, "");
      g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
      if (strstr (verdict, "reject") == NULL && !g_str_equal (verdict, "safe"))
        g_error ("%s: %s", words[FILE_NAME], err);
      if (!allows (words[LINE], "-") && !mentions_line (err, words[LINE]))
        g_error ("%s: line %s is not named: %s", words[FILE_NAME], words[LINE], err);
      return;
    }

  json = mt_json_parse (out, -1, NULL);
  g_assert_nonnull (json);
  root = json;
  if (g_str_equal (verdict, "safe"))
    return;
  if (g_str_equal (verdict, "reject"))
    g_error ("%s is accepted", words[FILE_NAME]);
  if (!allows_number (words[ROWS], mt_test_json_integer (root, "rows")) ||
      !allows_number (words[COLS], mt_json_get_n_children (mt_test_json_array (root, "columns"))))
    g_error ("%s has another shape", words[FILE_NAME]);
  if (strstr (verdict, "warn") != NULL && !allows (words[LINE], "-") && !warns_of_line (root, words[LINE]))
    g_error ("%s: line %s is not named", words[FILE_NAME], words[LINE]);
  check_cells (words[FILE_NAME], root);
}

static void
test_verdicts (void)
{
  g_autoptr (GPtrArray) manifest = mt_test_manifest ("csv-corpus");

  if (manifest == NULL)
    return;
  g_assert_cmpuint (manifest->len, ==, 65);
  for (guint i = 0; i < manifest->len; i++)
    {
      g_assert_cmpuint (g_strv_length (manifest->pdata[i]), >=, N_WORDS);
      check_file (manifest->pdata[i]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-corpus/verdicts", test_verdicts);
  return g_test_run ();
}
