/* Many rows. They do not fit in memory: the same model, said so, and nothing left in the folder. They are scored side by side:
 * the same lines. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

#define N_ROWS (g_test_slow () ? 600000u : 60000u)

static void
write_csv (const char *path)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,d,e,f,y\n");
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint i = 0; i < N_ROWS; i++)
    {
      guint a = (guint) mt_random_below (&random, 5000), b = (guint) mt_random_below (&random, 5000);
      guint c = (guint) mt_random_below (&random, 5000), d = (guint) mt_random_below (&random, 5000);
      gboolean y = (a >= 2500 && b < 2000) != (mt_random_below (&random, 10) == 0);

      g_string_append_printf (text, "%u,%u.5,%u,%u,%u,%u,%s\n", a, b, c, d, a * 7 % 4999, c * 5 % 4999, y ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

/* The members of a model that say what it answers. */
static char *
dup_rules (const char *path)
{
  g_autoptr (MtJson) model = mt_test_json_load (path);
  g_autofree char *terms = mt_test_json_dup_text (mt_test_json_array (model, "terms"));
  g_autofree char *encoder = mt_test_json_dup_text (mt_test_json_object (model, "encoder"));
  g_autofree char *metrics = mt_test_json_dup_text (mt_test_json_array (model, "metrics"));

  return g_strjoin ("\n", terms, encoder, metrics, NULL);
}

static void
test_same_model (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *spill = g_build_filename (folder, "spill", NULL);
  g_autofree char *csv = g_build_filename (folder, "data.csv", NULL);
  g_autofree char *first = g_build_filename (folder, "first.json", NULL);
  g_autofree char *second = g_build_filename (folder, "second.json", NULL);
  g_autofree char *quiet = NULL, *said = NULL, *a = NULL, *b = NULL, *sentence = NULL;
  g_autoptr (GDir) dir = NULL;

  write_csv (csv);
  g_assert_cmpint (g_mkdir (spill, 0700), ==, 0);
  g_setenv ("MINTERM_SPILL", spill, TRUE);
  g_unsetenv ("MINTERM_MEMORY");
  g_assert_cmpint (mt_test_cli (NULL, NULL, &quiet, "train", csv, "--target", "y", "--folds", "0", "--method", "search", "-o",
                                first, NULL), ==, 0);
  g_assert_null (strstr (quiet, "kept in a file"));
  g_setenv ("MINTERM_MEMORY", "1M", TRUE);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &said, "train", csv, "--target", "y", "--folds", "0", "--method", "search", "-o",
                                second, NULL), ==, 0);
  g_setenv ("MINTERM_MEMORY", "much", TRUE);
  mt_test_cli_fails (2, "MINTERM_MEMORY must be a size such as 512M or 8G, not “much”", "inspect", csv, NULL);
  g_unsetenv ("MINTERM_MEMORY");
  sentence = g_strdup_printf ("minterm-cli: The rows need more than 1.0\u00a0MB of memory: part of them is kept in a file in %s, which "
                              "is slower\n", spill);
  g_test_message ("%s", said);
  g_assert_nonnull (strstr (said, sentence));
  g_assert_null (strstr (strstr (said, sentence) + strlen (sentence), "kept in a file"));
  a = dup_rules (first);
  b = dup_rules (second);
  g_assert_cmpstr (a, ==, b);
  dir = g_dir_open (spill, 0, NULL);
  g_assert_null (g_dir_read_name (dir));
  g_assert_cmpint (g_rmdir (spill), ==, 0);
  mt_test_remove_folder (folder);
}

static void
test_predict (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *csv = g_build_filename (folder, "data.csv", NULL);
  g_autofree char *model = g_build_filename (folder, "model.json", NULL);
  g_autofree char *text = NULL, *one = NULL, *three = NULL, *piped = NULL, *said_one = NULL, *said_three = NULL;

  write_csv (csv);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", csv, "--target", "y", "--folds", "0", "--method", "search", "--bits", "3",
                                "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &one, &said_one, "predict", model, csv, "--key", "a", "--reasons", "2", "--threads", "1",
                                NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &three, &said_three, "predict", model, csv, "--key", "a", "--reasons", "2", "--threads", "3",
                                NULL), ==, 0);
  g_assert_cmpstr (one, ==, three);
  g_assert_cmpstr (said_one, ==, said_three);
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpint (mt_test_cli (text, &piped, NULL, "predict", model, "-", "--key", "a", "--reasons", "2", NULL), ==, 0);
  g_assert_cmpstr (one, ==, piped);
  mt_test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-large/same-model", test_same_model);
  g_test_add_func ("/cli-large/predict", test_predict);
  return g_test_run ();
}
