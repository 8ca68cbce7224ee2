/* minterm-cli reproduce from outside: it goes on where it was stopped, marks are computed from the cells that are there, and
 * pictures show the results of other methods. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

#define HEADER "row\tcolumn\tvalue\n"
#define END    "# complete\n"

typedef struct {
  char *folder, *data, *out;
} Files;

static void
set_up (Files         *files,
        gconstpointer  unused)
{
  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data", NULL);
  files->out = g_build_filename (files->folder, "out", NULL);
  g_assert_cmpint (g_mkdir (files->data, 0777), ==, 0);
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  g_autofree char *cells = g_build_filename (files->out, "cells", NULL);
  const char *folders[] = { cells, files->out, files->data, files->folder };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      mt_test_remove_folder (folders[i]);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->out);
}

static void
put (const char *folder,
     const char *name,
     const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
get (Files      *files,
     const char *name)
{
  g_autofree char *path = g_build_filename (files->out, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* A data set of the paper's name, so that there are figures, but with made-up rows. */
static void
write_data (Files *files)
{
  g_autoptr (GString) csv = g_string_new ("a,b,y\n");
  guint32 state = 5;

  for (guint r = 0; r < 120; r++)
    {
      guint a, b;

      state = state * 1664525u + 1013904223u;
      a = (state >> 12) % 100;
      b = (state >> 20) % 100;
      g_string_append_printf (csv, "%u,%u,%u\n", a, b, (a > 40 && b > 30) != (r % 13 == 0));
    }
  put (files->data, "heart.csv", csv->str);
  put (files->data, "manifest.tsv", "dataset\tfile\ttask\ttarget\trows\tcontinuous\tcategorical\n"
                                    "heart\theart.csv\tbinary\ty\t120\ta,b\t\n");
}

static MtJson *
run (Files      *files,
     const char *only,
     const char *budget)
{
  g_autofree char *out = NULL;
  MtJson *root;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "reproduce", "--data", files->data, "--out", files->out, "--only", only,
                                "--budget", budget, "--threads", "1", "--json", NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  g_assert_nonnull (root);
  return root;
}

/* Stopped after no time at all, the command says what is not run; again, it runs that, and only that. */
static void
test_resume (Files         *files,
             gconstpointer  unused)
{
  g_autoptr (MtJson) none = NULL, all = NULL, nothing = NULL, one = NULL;
  g_autofree char *path = g_build_filename (files->out, "cells", "T2-heart-3.tsv", NULL);
  g_autofree char *page = NULL, *again = NULL, *repaired = NULL, *cell = NULL;
  double n;

  write_data (files);
  none = run (files, "T2", "0.001s");
  n = mt_test_json_number (none, "jobs");
  g_assert_cmpfloat (n, ==, 5);
  g_assert_cmpfloat (mt_test_json_number (none, "done"), <, n);
  g_assert_cmpfloat (mt_test_json_number (none, "failed"), ==, 0);
  all = run (files, "T2", "0");
  g_assert_cmpfloat (mt_test_json_number (all, "done") + mt_test_json_number (all, "done_before"), ==, n);
  page = get (files, "T2.tsv");
  nothing = run (files, "T2", "0");
  g_assert_cmpfloat (mt_test_json_number (nothing, "done"), ==, 0);
  g_assert_cmpfloat (mt_test_json_number (nothing, "done_before"), ==, n);
  again = get (files, "T2.tsv");
  g_assert_cmpstr (again, ==, page);

  /* A file that was cut off does not count; the same cells come back. */
  g_assert_true (g_file_get_contents (path, &cell, NULL, NULL));
  g_assert_true (g_file_set_contents (path, cell, (gssize) strlen (cell) / 2, NULL));
  one = run (files, "T2", "0");
  g_assert_cmpfloat (mt_test_json_number (one, "done"), ==, 1);
  repaired = get (files, "T2.tsv");
  g_assert_cmpstr (repaired, ==, page);
}

/* The paper's heart: .9308 ± .01 with 11 ± 15 literals. */
static void
test_marks (Files         *files,
            gconstpointer  unused)
{
  g_autoptr (MtJson) json = NULL, first = NULL;
  g_autofree char *cells = g_build_filename (files->out, "cells", NULL), *tsv = NULL, *page = NULL;

  write_data (files);
  g_assert_cmpint (g_mkdir_with_parents (cells, 0777), ==, 0);
  for (guint seed = 0; seed < 5; seed++)
    {
      g_autofree char *ours = g_strdup_printf ("heart-paper-small-grid-%u.tsv", seed);
      g_autofree char *name = g_strconcat ("T3-", ours, NULL), *other = g_strdup_printf ("T3-heart-default-%u.tsv", seed);
      /* Means of .921875 and .984375, each with a standard error of .0055. */
      g_autofree char *low = mt_decimal_dup (.921875 + (seed - 2.) / 128), *high = mt_decimal_dup (.984375 + (seed - 2.) / 128);
      g_autofree char *a = g_strdup_printf (HEADER "heart\tas in the paper\t%s\nheart\tas in the paper, literals\t60\n" END,
                                            low);
      g_autofree char *b = g_strdup_printf (HEADER "heart\tdefault\t%s\nheart\tdefault, literals\t20\n" END, high);

      put (cells, name, a);
      put (cells, other, b);
    }
  json = run (files, "T3", "0");
  g_assert_cmpfloat (mt_test_json_number (json, "done"), ==, 0);
  tsv = get (files, "T3.tsv");
  g_assert_nonnull (strstr (tsv, "\nT3\theart\tas in the paper\t0.921875\t"));
  g_assert_nonnull (strstr (tsv, "\t5\t0.9308\t0.01\treproduced\n"));
  g_assert_nonnull (strstr (tsv, "\nT3\theart\tas in the paper, literals\t60\t0\t5\t11\t15\tdiffers\n"));
  g_assert_nonnull (strstr (tsv, "\nT3\theart\tdefault, literals\t20\t0\t5\t11\t15\treproduced\n"));
  g_assert_nonnull (strstr (tsv, "\nT3\tdiabetes\tdefault\t\t\t0\t0.8208\t0.02\tnot run\n"));
  page = get (files, "paper.md");
  g_assert_nonnull (strstr (page, "0.9844 ± 0.0055; paper 0.9308 ± 0.01: **differs** (better)"));
  g_assert_nonnull (strstr (page, "60 ± 0; paper 11 ± 15: **differs** |"));
  g_assert_nonnull (strstr (page, "| T3, as in the paper | 2 | 1 | 0 | 1 | 26 |\n"));
  g_assert_nonnull (strstr (page, "| T3, default | 2 | 1 | 1 | 0 | 26 |\n"));
}

/* A picture shows other methods that were run elsewhere; a file of theirs that is none is an error with its line. */
static void
test_peers (Files         *files,
            gconstpointer  unused)
{
  g_autofree char *picture = g_build_filename (files->out, "F1-heart-peers.svg", NULL), *one = NULL, *two = NULL, *errors = NULL;

  write_data (files);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "reproduce", "--data", files->data, "--out", files->out, "--only", "F1",
                                "--threads", "1", NULL), ==, 0);
  g_assert_false (g_file_test (picture, G_FILE_TEST_EXISTS));
  put (files->folder, "heart.csv", "method,literals,score,error\nMinterm,12,0.91,\nFIGS,20,0.9,0.01\nLightGBM,,0.95,\n");
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "reproduce", "--data", files->data, "--out", files->out, "--only", "F1",
                                "--threads", "1", "--peers", files->folder, NULL), ==, 0);
  one = get (files, "F1-heart-peers.svg");
  put (files->folder, "heart.csv", "method,literals,score,error\nMinterm,12,0.91,\nFIGS,10,0.89,0.01\nLightGBM,,0.95,\n");
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "reproduce", "--data", files->data, "--out", files->out, "--only", "F1",
                                "--threads", "1", "--peers", files->folder, NULL), ==, 0);
  two = get (files, "F1-heart-peers.svg");
  g_assert_cmpstr (one, !=, two);
  put (files->folder, "heart.csv", "method,literals,score\nFIGS,20,high\n");
  g_assert_cmpint (mt_test_cli (NULL, NULL, &errors, "reproduce", "--data", files->data, "--out", files->out, "--only", "F1",
                                "--threads", "1", "--peers", files->folder, NULL), ==, 1);
  g_assert_nonnull (strstr (errors, "heart.csv: Line 2: "));
}

static void
test_usage (Files         *files,
            gconstpointer  unused)
{
  g_autofree char *errors = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, &errors, "reproduce", "--data", files->data, "--out", files->out, "--only", "T1,X",
                                NULL), ==, 2);
  g_assert_nonnull (strstr (errors, "there is no experiment “X”; there are T1, T2"));
  g_clear_pointer (&errors, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &errors, "reproduce", "--data", files->data, "--out", files->out, "--budget",
                                "soon", NULL), ==, 2);
  g_assert_nonnull (strstr (errors, "--budget must be a time"));
  g_clear_pointer (&errors, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &errors, "reproduce", "--out", files->out, NULL), ==, 2);
  g_assert_nonnull (strstr (errors, "--data and --out"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-reproduce/resume", Files, NULL, set_up, test_resume, tear_down);
  g_test_add ("/cli-reproduce/marks", Files, NULL, set_up, test_marks, tear_down);
  g_test_add ("/cli-reproduce/peers", Files, NULL, set_up, test_peers, tear_down);
  g_test_add ("/cli-reproduce/usage", Files, NULL, set_up, test_usage, tear_down);
  return g_test_run ();
}
