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
  mt_test_cli_fails (1, "holds dates", "train", files->other, "--target", "d", NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/numbers/plain", Files, "", set_up, test_plain, tear_down);
  g_test_add ("/cli/numbers/unit", Files, "%", set_up, test_unit, tear_down);
  g_test_add ("/cli/numbers/refused-at-once", Files, "", set_up, test_refused_at_once, tear_down);
  return g_test_run ();
}
