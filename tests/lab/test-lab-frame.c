/* The frame of the lab: figures and marks, cells on the disk, jobs that go on, the budget. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "lab/mt-lab-private.h"

static void
test_figures (void)
{
  MtLabPaperRow row;
  MtLabFigure figure;
  guint n = 0;

  while (mt_lab_paper_get_row ("T3", n, &row))
    n++;
  g_assert_cmpuint (n, ==, 14);
  g_assert_false (mt_lab_paper_get_row ("T4", 7, &row));
  g_assert_true (mt_lab_paper_find_row ("heart", &row));
  g_assert_cmpstr (row.methods[2], ==, "GLRM");
  g_assert_cmpfloat (row.results[2].quality.value, ==, .9149);
  g_assert_cmpfloat (row.results[2].quality.se, ==, .02);
  g_assert_cmpfloat (row.results[0].literals.value, ==, 11);
  g_assert_cmpfloat (row.results[0].literals.se, ==, 15);
  g_assert_true (mt_lab_paper_find_row ("road_safety", &row));
  g_assert_true (isnan (row.results[3].quality.value));     /* ran out of memory */
  g_assert_true (mt_lab_paper_find ("T3", "heart", "default, literals", &figure));
  g_assert_cmpfloat (figure.value, ==, 11);
  g_assert_false (mt_lab_paper_find ("T4", "heart", "default", &figure));
  g_assert_true (mt_lab_paper_find ("T6", "abalone", "FC + L0", &figure));
  g_assert_cmpfloat (figure.value, ==, 0);
  g_assert_cmpfloat_with_epsilon (figure.unit, .005, 1e-12);
}

static void
test_marks (void)
{
  const MtLabFigure figure = { .93, .01, .005, FALSE }, limit = { 15, NAN, .5, TRUE };

  g_assert_cmpint (mt_lab_mark (.93, NAN, &figure), ==, MT_LAB_REPRODUCED);
  g_assert_cmpint (mt_lab_mark (.955, NAN, &figure), ==, MT_LAB_REPRODUCED);
  g_assert_cmpint (mt_lab_mark (.956, NAN, &figure), ==, MT_LAB_DIFFERS);
  g_assert_cmpint (mt_lab_mark (.956, .01, &figure), ==, MT_LAB_REPRODUCED);
  g_assert_cmpint (mt_lab_mark (.90, .001, &figure), ==, MT_LAB_DIFFERS);
  g_assert_cmpint (mt_lab_mark (3, NAN, &limit), ==, MT_LAB_REPRODUCED);
  g_assert_cmpint (mt_lab_mark (16, NAN, &limit), ==, MT_LAB_DIFFERS);
  g_assert_cmpint (mt_lab_mark (NAN, NAN, &figure), ==, MT_LAB_NOT_RUN);
  g_assert_cmpint (mt_lab_mark (1, NAN, NULL), ==, MT_LAB_NO_FIGURE);
}

static void
test_cells (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lab-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tsv", NULL);
  g_autoptr (MtLabCells) cells = mt_lab_cells_new (), read = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  mt_lab_cells_put (cells, .1, "AUC", "%s", "heart");
  mt_lab_cells_put (cells, NAN, "AUC", "%s", "iris");
  g_assert_true (mt_lab_cells_write (cells, path, NULL));
  read = mt_lab_cells_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_lab_cells_count (read), ==, 2);
  g_assert_cmpstr (mt_lab_cells_get (read, 0)->row, ==, "heart");
  g_assert_cmpfloat (mt_lab_cells_get (read, 0)->value, ==, .1);
  g_assert_true (isnan (mt_lab_cells_get (read, 1)->value));

  /* Cut anywhere, or changed: not a complete file. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (gsize cut = 0; cut + 1 < strlen (text); cut++)
    {
      g_assert_true (g_file_set_contents (path, text, (gssize) cut, NULL));
      g_assert_null (mt_lab_cells_read (path, NULL));
    }
  strstr (text, "0.1")[0] = 'x';
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_null (mt_lab_cells_read (path, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_remove (path);
  g_rmdir (folder);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        remove_folder (path);
      else
        g_remove (path);
    }
  g_rmdir (folder);
}

static char *
make_data (void)
{
  char *folder = g_dir_make_tmp ("lab-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "manifest.tsv", NULL);

  g_assert_true (g_file_set_contents (path, "dataset\tfile\ttask\ttarget\trows\tcontinuous\tcategorical\n"
                                            "big\tbig.csv\tbinary\ty\t90000\ta,b\t\n"
                                            "small\tsmall.csv\tregression\ty\t50\ta\tb\n", -1, NULL));
  return folder;
}

static void
test_manifest (void)
{
  g_autofree char *folder = make_data (), *path = g_build_filename (folder, "manifest.tsv", NULL);
  g_autoptr (GPtrArray) datasets = mt_lab_datasets_read (folder, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (datasets->len, ==, 2);
  g_assert_cmpstr (((MtLabDataset *) datasets->pdata[0])->name, ==, "small");
  g_assert_cmpuint (mt_lab_datasets_find (datasets, "big")->n_columns, ==, 2);
  g_assert_null (mt_lab_datasets_find (datasets, "none"));
  g_assert_true (g_file_set_contents (path, "dataset\tfile\ttask\ttarget\trows\tcontinuous\tcategorical\n"
                                            "a\t../a.csv\tbinary\ty\t9\t\t\n", -1, NULL));
  g_assert_null (mt_lab_datasets_read (folder, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  remove_folder (folder);
}

/* A second run finds what the first one wrote, but not what is damaged; the pages are the same bytes. */
static void
test_resume (void)
{
  const char * const only[] = { "F4", NULL }, * const none[] = { "F99", NULL };
  g_autofree char *data = make_data (), *out = g_dir_make_tmp ("lab-XXXXXX", NULL);
  g_autofree char *page = g_build_filename (out, "paper.md", NULL), *first = NULL, *second = NULL;
  g_autofree char *cells = g_build_filename (out, "cells", NULL), *cell = NULL;
  MtLabOptions options = { .data = data, .out = out, .only = only };
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;
  MtLabSummary summary;

  g_assert_true (mt_lab_run (&options, NULL, &summary, &error));
  g_assert_cmpuint (summary.n_done, ==, summary.n_jobs);
  g_assert_cmpuint (summary.n_jobs, >, 0);
  g_assert_cmpuint (summary.n_reproduced, ==, 3);
  g_assert_true (g_file_get_contents (page, &first, NULL, NULL));
  g_assert_true (mt_lab_run (&options, NULL, &summary, &error));
  g_assert_cmpuint (summary.n_done, ==, 0);
  g_assert_cmpuint (summary.n_before, ==, summary.n_jobs);
  g_assert_true (g_file_get_contents (page, &second, NULL, NULL));
  g_assert_cmpstr (first, ==, second);

  dir = g_dir_open (cells, 0, NULL);
  cell = g_build_filename (cells, g_dir_read_name (dir), NULL);
  g_assert_true (g_file_set_contents (cell, "row\tcolumn\tvalue\nthe node\tliterals\t7\n", -1, NULL));
  g_assert_true (mt_lab_run (&options, NULL, &summary, &error));
  g_assert_cmpuint (summary.n_done, ==, 1);
  g_assert_cmpuint (summary.n_reproduced, ==, 3);

  options.only = none;
  g_assert_false (mt_lab_run (&options, NULL, &summary, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  remove_folder (data);
  remove_folder (out);
}

/* No time, no job; what was cancelled before it began is "not run", with the paper's figures. */
static void
test_budget (void)
{
  const char * const only[] = { "T1", NULL };
  g_autofree char *data = make_data (), *out = g_dir_make_tmp ("lab-XXXXXX", NULL);
  g_autofree char *page = g_build_filename (out, "T1.md", NULL), *text = NULL;
  MtLabOptions options = { .data = data, .out = out, .only = only, .budget = 1e-6, .n_threads = 1 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  MtLabSummary summary;
  gint64 began = g_get_monotonic_time ();

  g_assert_true (mt_lab_run (&options, NULL, &summary, NULL));
  g_assert_cmpuint (summary.n_done, <, summary.n_jobs);
  g_assert_cmpuint (summary.n_failed, ==, 0);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 60 * G_TIME_SPAN_SECOND);
  g_cancellable_cancel (cancellable);
  options.budget = 0;
  g_assert_true (mt_lab_run (&options, cancellable, &summary, NULL));
  g_assert_cmpuint (summary.n_not_run, >, 0);
  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "paper 200.3: not run"));
  remove_folder (data);
  remove_folder (out);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-frame/figures", test_figures);
  g_test_add_func ("/lab-frame/marks", test_marks);
  g_test_add_func ("/lab-frame/cells", test_cells);
  g_test_add_func ("/lab-frame/manifest", test_manifest);
  g_test_add_func ("/lab-frame/resume", test_resume);
  g_test_add_func ("/lab-frame/budget", test_budget);
  return g_test_run ();
}
