/* More columns than rows, names that a terminal would obey, and test files larger than the data: the whole command. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *data;
  char *model;
} Files;

static void
set_up (Files         *files,
        gconstpointer  unused)
{
  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data.csv", NULL);
  files->model = g_build_filename (files->folder, "model.json", NULL);
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->model);
}

/* The target is x2 > 500 but for one row in eleven. */
static void
write_data (const char *path,
            const char *target,
            guint       n_rows,
            guint       n_features)
{
  g_autoptr (GString) csv = g_string_new (NULL);
  guint32 state = 7 + n_rows;

  for (guint c = 0; c < n_features; c++)
    g_string_append_printf (csv, "x%u,", c);
  g_string_append_printf (csv, "%s\n", target);
  for (guint r = 0; r < n_rows; r++)
    {
      guint second = 0;

      for (guint c = 0; c < n_features; c++)
        {
          guint value;

          state = state * 1664525u + 1013904223u;
          value = (state >> 12) % 1000;
          if (c == 2)
            second = value;
          g_string_append_printf (csv, "%u,", value);
        }
      g_string_append_printf (csv, "%s\n", (second > 500) != (r % 11 == 3) ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
}

static void
test_many_columns (Files         *files,
                   gconstpointer  unused)
{
  g_autofree char *out = NULL, *err = NULL, *json = NULL, *rules = NULL;

  write_data (files->data, "y", 60, 3000);
  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", files->data, "--target", "y", "--test-fraction", "0", "-o",
                                files->model, NULL), ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_assert_nonnull (strstr (out, "of 3000 columns, only the 14 that say most about the target were searched"));
  g_assert_cmpint (mt_test_cli (NULL, &rules, NULL, "rules", files->model, NULL), ==, 0);
  g_assert_nonnull (strstr (rules, "x2 "));
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "train", files->data, "--target", "y", "--test-fraction", "0", "--json", NULL),
                   ==, 0);
  g_assert_nonnull (strstr (json, "\"columns_offered\": 3000"));
  g_assert_nonnull (strstr (json, "\"columns_searched\": 14"));
}

/* A regression on 4,000 columns would fit for minutes; the other baselines are there. */
static void
test_baselines (Files         *files,
                gconstpointer  unused)
{
  g_autofree char *out = NULL;

  write_data (files->data, "y", 40, 4000);
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", files->data, "--target", "y", "--baselines", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "regression (not fitted: 4000 terms)"));
  g_assert_nonnull (strstr (out, "boosted trees"));
}

static void
test_ordinary (Files         *files,
               gconstpointer  unused)
{
  g_autofree char *out = NULL;

  write_data (files->data, "y", 200, 20);
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", files->data, "--target", "y", "--restarts", "0", NULL), ==, 0);
  g_assert_null (strstr (out, "were searched"));
}

static void
test_escapes (Files         *files,
              gconstpointer  unused)
{
  static const char name[] = "\033]0;title\033[31my";
  g_autofree char *out = NULL, *err = NULL;

  write_data (files->data, name, 200, 3);
  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", files->data, "--target", name, "--restarts", "0", NULL), ==, 0);
  g_assert_null (strchr (out, '\033'));
  g_assert_null (strchr (err, '\033'));
  g_assert_nonnull (strstr (out, "\\u001b[31my"));
}

static void
test_large_test_file (Files         *files,
                      gconstpointer  unused)
{
  g_autofree char *test = g_build_filename (files->folder, "test.csv", NULL);
  g_autofree char *out = NULL, *err = NULL;

  write_data (files->data, "y", 100, 4);
  write_data (test, "y", 300, 4);
  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", files->data, "--target", "y", "--restarts", "0", "--test", test, "-o",
                                files->model, NULL), ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_assert_nonnull (strstr (out, "300 test rows"));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "rules", files->model, NULL), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-wide/many-columns", Files, NULL, set_up, test_many_columns, tear_down);
  g_test_add ("/cli-wide/baselines", Files, NULL, set_up, test_baselines, tear_down);
  g_test_add ("/cli-wide/ordinary", Files, NULL, set_up, test_ordinary, tear_down);
  g_test_add ("/cli-wide/escapes", Files, NULL, set_up, test_escapes, tear_down);
  g_test_add ("/cli-wide/large-test-file", Files, NULL, set_up, test_large_test_file, tear_down);
  return g_test_run ();
}
