/* Load, train, export, save, report and close, again and again: memory, descriptors and threads stay as they were after the first
 * tenth. Under AddressSanitizer the end of the program tells of what leaked. */
#include "config.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

#define N_CYCLES_SHORT 30
#define N_CYCLES       100

static char *
write_csv (const char *folder)
{
  g_autoptr (GString) text = g_string_new ("age,kind,since,outcome\n");
  char *path = g_build_filename (folder, "data.csv", NULL);

  for (guint r = 0; r < 150; r++)
    {
      guint age = r * 37 % 101, kind = r * 13 % 5;

      g_string_append_printf (text, "%u,k%u,20%02u-03-%02u,%s\n", age, kind, r % 24, r % 28 + 1,
                              (age > 50) != (kind == 2) || r % 17 == 3 ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return path;
}

static void
use_model (MtModel    *model,
           MtImport   *import,
           const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  MtReportParts parts = { .model = model, .data = import, .data_name = "data.csv", .date = 1000000000 };
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autoptr (GBytes) pdf = NULL;

  for (MtExportFormat format = 0; format < MT_N_EXPORT_FORMATS; format++)
    {
      g_assert_true (mt_export_save (model, format, MT_SQL_SQLITE, path, &error));
      g_assert_no_error (error);
    }
  report = mt_report_new (&parts, NULL, &error);
  g_assert_no_error (error);
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  pdf = mt_report_to_pdf (report, MT_PAPER_A4, &error);
  g_assert_no_error (error);
}

static void
keep_in_project (MtModel    *model,
                 const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *sha256 = g_strnfill (64, 'a');
  MtProjectSource source = { (char *) "file:///data.csv", 1, 2, sha256 };
  MtProjectPoint point = { .literals = 1, .n_rules = 1, .cv_mean = 0.5, .cv_se = 0.1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;
  gsize length;
  char *json = mt_model_to_json (model, &length);
  MtProject *project = mt_project_create (path, &error);
  gint64 run;

  g_assert_no_error (error);
  bytes = g_bytes_new_take (json, length);
  g_assert_true (mt_project_set_source (project, &source, &error));
  run = mt_project_add_run (project, "a run", "{}", 1, &error);
  g_assert_true (mt_project_add_points (project, run, &point, &bytes, 1, &error));
  mt_project_free (project);
  project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  again = mt_project_dup_model (project, point.id, &error);
  g_assert_true (g_bytes_equal (again, bytes));
  mt_project_free (project);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
run_cycle (const char *data,
           const char *folder)
{
  g_autoptr (GFile) file = g_file_new_for_path (data);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtPool) pool = mt_pool_new (2);
  g_autoptr (MtLearned) learned = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  MtImportOptions reading = { .n_threads = 2, .schema = schema };
  MtLearnOptions options;

  mt_schema_set_role (schema, "outcome", MT_ROLE_TARGET);
  import = mt_import_file (file, &reading, NULL, &error);
  g_assert_no_error (error);
  mt_learn_options_init (&options);
  options.frontier.n_folds = 3;
  learned = mt_learn_run (mt_import_get_table (import), NULL, 0, &options, pool, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  model = mt_learned_make_model (learned, mt_frontier_get_point (learned->frontier, mt_frontier_get_n_points (learned->frontier) - 1),
                                 &options, import, 0, 0, NULL, &error);
  g_assert_no_error (error);
  use_model (model, import, folder);
  keep_in_project (model, folder);
}

static guint
count_in (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gsize
get_resident (void)
{
  g_autofree char *text = NULL;
  unsigned long all, resident;

  malloc_trim (0);
  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu %lu", &all, &resident), ==, 2);
  return resident * (gsize) sysconf (_SC_PAGESIZE);
}

/* A worker that was told to end may be seen for a moment longer. */
static guint
count_threads (guint expected)
{
  guint n = 0;

  for (guint i = 0; i < 500; i++)
    {
      n = count_in ("/proc/self/task");
      if (n <= expected)
        break;
      g_usleep (10000);
    }
  return n;
}

static void
test_cycles (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *data = write_csv (folder);
  guint n_cycles = g_test_slow () ? N_CYCLES : N_CYCLES_SHORT;
  gsize resident = 0, in_use = 0;
  guint descriptors = 0, threads = 0;

  for (guint i = 1; i <= n_cycles; i++)
    {
      run_cycle (data, folder);
      if (i == n_cycles / 10)
        {
          descriptors = count_in ("/proc/self/fd");
          threads = count_threads (0);
          resident = get_resident ();
          in_use = mallinfo2 ().uordblks;
        }
    }
  g_test_message ("resident %zu kB, then %zu; in use %zu kB, then %zu", resident / 1024, get_resident () / 1024, in_use / 1024,
                  mallinfo2 ().uordblks / 1024);
  g_assert_cmpuint (count_in ("/proc/self/fd"), ==, descriptors);
  g_assert_cmpuint (count_threads (threads), <=, threads);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined __clang__   /* sanitizers keep what was freed */
  g_assert_cmpuint (get_resident (), <=, resident + resident / 50);
#endif
  mt_test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cycles", test_cycles);
  return g_test_run ();
}
