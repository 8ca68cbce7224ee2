/* A cell is a number by the model's own rule or it is none: nothing that only looks like one is scored. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *data;
  char *model;
  char *other;
} Files;

static void
set_up (Files         *files,
        gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("x,k,y\n");

  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data.csv", NULL);
  files->model = g_build_filename (files->folder, "model.json", NULL);
  files->other = g_build_filename (files->folder, "other.csv", NULL);
  for (guint r = 0; r < 200; r++)
    g_string_append_printf (csv, "%u%s,%s,%s\n", r * 37 % 101, (const char *) unit, r % 3 == 0 ? "a" : "b",
                            r * 37 % 101 > 50 || r % 17 == 4 ? "yes" : "no");
  g_assert_true (g_file_set_contents (files->data, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->data, "--target", "y", "--type", "x=number", "--restarts",
                                "0", "-o", files->model, NULL), ==, 0);
}

static void
tear_down (Files         *files,
           gconstpointer  unit)
{
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->model);
  g_free (files->other);
}

static int
predict (const Files  *files,
         const char   *cell,
         char        **out,
         char        **err)
{
  g_autofree char *csv = g_strdup_printf ("x,k,y\n7,a,no\n%s,b,no\n90,a,yes\n", cell);

  g_assert_true (g_file_set_contents (files->other, csv, -1, NULL));
  return mt_test_cli (NULL, out, err, "predict", files->model, files->other, NULL);
}

static void
assert_refused (const Files *files,
                const char  *cell)
{
  g_autofree char *out = NULL, *err = NULL, *again = NULL;

  g_assert_cmpint (predict (files, cell, &out, &err), ==, 1);
  g_assert_cmpstr (out, ==, "");
  g_assert_nonnull (strstr (err, "ine 3"));
  g_assert_nonnull (strstr (err, cell));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &again, "evaluate", files->model, files->other, NULL), ==, 1);
  g_assert_nonnull (strstr (again, cell));
}

static void
assert_scored (const Files *files,
               const char  *cell,
               const char  *same_as)
{
  g_autofree char *out = NULL, *expected = NULL, *err = NULL;

  g_assert_cmpint (predict (files, same_as, &expected, NULL), ==, 0);
  g_assert_cmpint (predict (files, cell, &out, &err), ==, 0);
  g_assert_cmpstr (out, ==, expected);
}

/* Trained on plain numbers. */
static void
test_plain (Files         *files,
            gconstpointer  unit)
{
  static const char * const odd[] = { "5O", "0.5abc", "5e", "5%", "$5", "5-", "(5)", "5 kg", "0x5", "5 5", "--5" };

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    assert_refused (files, odd[i]);
  assert_scored (files, " 5 ", "5");
  assert_scored (files, "5e0", "5");
  assert_scored (files, "+5", "5");
}

/* Trained on percentages that were made numbers: those may have their sign, and no other. */
static void
test_unit (Files         *files,
           gconstpointer  unit)
{
  g_autofree char *json = NULL;

  g_assert_true (g_file_get_contents (files->model, &json, NULL, NULL));
  g_assert_nonnull (strstr (json, "\"unit\": \"%\""));
  assert_scored (files, "5%", "5");
  assert_scored (files, "5 %", "5");
  assert_refused (files, "$5");
  assert_refused (files, "5O");
  assert_refused (files, "5 kg");
}

/* What a later step would refuse is refused at the first. */
static void
test_refused_at_once (Files         *files,
                      gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("x,d\n");

  for (guint r = 0; r < 60; r++)
    g_string_append_printf (csv, "%u,2020-01-%02u\n", r * 7 % 50, r % 28 + 1);
  g_assert_true (g_file_set_contents (files->other, csv->str, -1, NULL));
  mt_test_cli_fails (1, "contains dates", "train", files->other, "--target", "d", NULL);
}

/* Of two columns with one name, predict cannot know which one the model means: so train does not begin. */
static void
test_doubled_names (Files         *files,
                    gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("x,x,other,other,y\n");
  g_autofree char *project = g_build_filename (files->folder, "a.minterm", NULL);

  for (guint r = 0; r < 60; r++)
    g_string_append_printf (csv, "%u,%u,%u,%u,%s\n", r * 7 % 50, r % 9, r % 4, r % 5, r * 7 % 50 > 25 ? "yes" : "no");
  g_assert_true (g_file_set_contents (files->other, csv->str, -1, NULL));
  mt_test_cli_fails (1, "another column of the file has the same name", "train", files->other, "--target", "y", NULL);
  mt_test_cli_fails (1, "another column of the file has the same name", "train", files->other, "--target", "y", "--role",
                     "x (2)=ignored", NULL);
  mt_test_cli_fails (1, "another column of the file has the same name", "sweep", files->other, "--target", "y", "--bits", "5,9",
                     "-o", project, NULL);
}

/* Columns that are ignored may have any names. */
static void
test_doubled_ignored (Files         *files,
                      gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("x,k,k,y\n");

  for (guint r = 0; r < 60; r++)
    g_string_append_printf (csv, "%u,%u,%u,%s\n", r * 7 % 50, r % 9, r % 4, r * 7 % 50 > 25 ? "yes" : "no");
  g_assert_true (g_file_set_contents (files->other, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->other, "--target", "y", "--role", "k=ignored", "--role",
                                "k (2)=ignored", "--restarts", "0", "-o", files->model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "predict", files->model, files->other, NULL), ==, 0);
}

/* The line with the target's name is the header, whatever the cells look like. */
static void
test_header_by_name (Files         *files,
                     gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("2019,2020,t\n");
  g_autofree char *out = NULL, *err = NULL;

  for (guint r = 0; r < 60; r++)
    g_string_append_printf (csv, "%u,%u,%u\n", 1990 + r * 7 % 50, 1980 + r % 9, r * 7 % 50 > 25);
  g_assert_true (g_file_set_contents (files->other, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", files->other, "--target", "t", "--restarts", "0", "-o", files->model,
                                NULL), ==, 0);
  /* Without the column t, nothing but the model says that 2019,2020 are names. */
  g_assert_true (g_file_set_contents (files->other, "2019,2020\n1991,1985\n2030,1982\n", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "predict", files->model, files->other, NULL), ==, 0);
  g_assert_true (g_str_has_prefix (out, "prediction,p_0,p_1\n0,"));
}

/* A file of one category whose header is also one of its levels. */
static void
test_header_of_one (Files         *files,
                    gconstpointer  unit)
{
  g_autoptr (GString) csv = g_string_new ("k,y\n");
  g_autofree char *out = NULL;

  for (guint r = 0; r < 60; r++)
    g_string_append_printf (csv, "%s,%s\n", r % 3 == 0 ? "k" : "b", r % 3 == 0 ? "yes" : "no");
  g_assert_true (g_file_set_contents (files->other, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->other, "--target", "y", "--type", "k=category", "--restarts",
                                "0", "-o", files->model, NULL), ==, 0);
  g_assert_true (g_file_set_contents (files->other, "k\nb\nk\nb\n", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "predict", files->model, files->other, NULL), ==, 0);
  g_assert_true (g_str_has_prefix (out, "prediction,p_no,p_yes\nno,"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/numbers/plain", Files, "", set_up, test_plain, tear_down);
  g_test_add ("/cli/numbers/unit", Files, "%", set_up, test_unit, tear_down);
  g_test_add ("/cli/numbers/refused-at-once", Files, "", set_up, test_refused_at_once, tear_down);
  g_test_add ("/cli/numbers/doubled-names", Files, "", set_up, test_doubled_names, tear_down);
  g_test_add ("/cli/numbers/doubled-ignored", Files, "", set_up, test_doubled_ignored, tear_down);
  g_test_add ("/cli/numbers/header-by-name", Files, "", set_up, test_header_by_name, tear_down);
  g_test_add ("/cli/numbers/header-of-one", Files, "", set_up, test_header_of_one, tear_down);
  return g_test_run ();
}
