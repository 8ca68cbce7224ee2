/* One engine: a sweep that the command line made is shown and resumed by the window, one that the window made is resumed by
 * the command line, and both find the same bytes as the one who began it. */
#include "config.h"

#include <string.h>

#include "train-window.h"

/* Runs of both kinds: all settings that are not the default must survive. */
#define SETTINGS "--folds=10", "--class-weights=balanced", "--bits=2,3", "--fan-in=2", "--restarts=1", "--nodes=4", \
                 "--epochs=4", "--seeds=2", "--test-fraction=0.25", "--split-seed=3", "--max-literals=12", "--rounds=1"

static char *
dup_path (GFile      *csv,
          const char *name)
{
  g_autofree char *folder = g_path_get_dirname (g_file_peek_path (csv));

  return g_build_filename (folder, name, NULL);
}

static void
run_cli (const char *first,
         ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  int status = 0;
  va_list args;

  g_ptr_array_add (argv, (gpointer) g_getenv ("MINTERM_CLI"));
  va_start (args, first);
  for (const char *word = first; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (argv, (gpointer) word);
  va_end (args);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s %s: %s", first, (char *) argv->pdata[2], err);
}

/* Everything that was found, as text: settings, points, models, curves. */
static char *
tell (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, &error);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GArray) points = NULL;
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  runs = mt_project_list_runs (project, &error);
  points = mt_project_list_points (project, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (points->len, >, runs->len);
  for (guint i = 0; i < runs->len; i++)
    {
      const MtProjectRun *run = runs->pdata[i];
      g_autofree char *key = g_strdup_printf ("curves:%" G_GINT64_FORMAT, run->id);
      g_autofree char *curves = mt_project_dup_text (project, MT_PROJECT_STATE, key, NULL);

      g_string_append_printf (text, "run %u: %s\n%s\n%s\n", i, mt_run_state_to_string (run->state), run->settings, curves);
      for (guint j = 0; j < points->len; j++)
        {
          const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, j);
          g_autoptr (GBytes) model = NULL;

          if (point->run != run->id)
            continue;
          model = mt_project_dup_model (project, point->id, &error);
          g_assert_no_error (error);
          g_string_append_printf (text, "%u %u %.17g %.17g\n", point->literals, point->n_rules, point->cv_mean, point->cv_se);
          g_string_append_len (text, g_bytes_get_data (model, NULL), (gssize) g_bytes_get_size (model));
        }
    }
  return g_string_free (text, FALSE);
}

/* As a kill leaves it: every other run is not done, and has found nothing. */
static void
undo_half (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
  g_autoptr (GPtrArray) runs = NULL;

  g_assert_no_error (error);
  runs = mt_project_list_runs (project, &error);
  for (guint i = 1; i < runs->len; i += 2)
    {
      const MtProjectRun *run = runs->pdata[i];
      g_autoptr (GArray) points = mt_project_list_points (project, run->id, &error);

      for (guint j = 0; j < points->len; j++)
        g_assert_true (mt_project_remove_point (project, g_array_index (points, MtProjectPoint, j).id, &error));
      g_assert_true (mt_project_set_run_state (project, run->id, i % 4 == 1 ? MT_RUN_QUEUED : MT_RUN_RUNNING, NULL, 0, &error));
    }
  g_assert_no_error (error);
}

static void
copy (const char *from,
      const char *to)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;

  g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* What Train and Sweep would do next: as the command line was told. */
static void
assert_page (MtWindow *window)
{
  const MtRunSettings *settings = mt_model_page_get_settings (mt_train_window_model_page (window));

  g_assert_cmpuint (settings->folds, ==, 10);
  g_assert_true (settings->balance_classes);
  g_assert_cmpuint (settings->max_literals, ==, 12);
  g_assert_cmpuint (settings->rounds, ==, 1);
  g_assert_cmpfloat (settings->test_fraction, ==, 0.25);
}

/* As a sweep of an earlier version left it: without the settings of the Model page. */
static void
forget_page (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (mt_project_set_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_MODEL, NULL, &error));
}

static gboolean
can_resume (gpointer window)
{
  return mt_study_can_resume (mt_window_get_study (window));
}

static gboolean
has_runs (gpointer window)
{
  return mt_train_window_count (window, MT_RUN_DONE) == 4;
}

static void
test_from_command_line (void)
{
  g_autoptr (GFile) csv = mt_train_window_write ("cli.csv");
  g_autofree char *whole = dup_path (csv, "cli-whole.minterm");
  g_autofree char *half = dup_path (csv, "cli-half.minterm");
  g_autoptr (GFile) project = g_file_new_for_path (half);
  g_autofree char *expected = NULL;
  g_autofree char *found = NULL;
  const MtRunSettings *settings;
  const MtSweepGrid *grid;
  MtWindow *window;

  run_cli ("sweep", g_file_peek_path (csv), "--target=y", SETTINGS, "-o", whole, NULL);
  copy (whole, half);
  undo_half (half);
  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (can_resume, window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 2);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_STOPPED), ==, 2);
  for (guint i = 0; i < 4; i++)
    {
      settings = mt_run_get_settings (mt_train_window_get_run (window, i));
      g_assert_cmpuint (settings->folds, ==, 10);
      g_assert_true (settings->balance_classes);
      g_assert_cmpuint (settings->bits, ==, i < 2 ? 2 : 3);
      g_assert_cmpuint (settings->seed, ==, i % 2);
      g_assert_cmpuint (settings->rounds, ==, 1);
      g_assert_cmpfloat (settings->test_fraction, ==, 0.25);
    }
  assert_page (window);
  grid = mt_model_page_get_grid (mt_train_window_model_page (window));
  g_assert_cmpuint (grid->n_bits, ==, 2);
  g_assert_cmpuint (grid->n_seeds, ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  mt_app_wait_trained (window);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  expected = tell (whole);
  found = tell (half);
  g_assert_cmpstr (found, ==, expected);
  forget_page (whole);
  g_object_unref (project);
  project = g_file_new_for_path (whole);
  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (has_runs, window);
  assert_page (window);
  mt_app_window_end (window);
}

static void
test_from_window (void)
{
  MtWindow *window = mt_train_window_open ("window.csv");
  GFile *csv = mt_document_get_file (mt_window_get_document (window));
  g_autofree char *whole = dup_path (csv, "window-whole.minterm");
  g_autofree char *half = dup_path (csv, "window-half.minterm");
  g_autoptr (GFile) project = g_file_new_for_path (whole);
  const MtSweepGrid grid = { .bits = { 2, 3 }, .n_bits = 2, .n_seeds = 2 };
  g_autofree char *expected = NULL;
  g_autofree char *found = NULL;
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 10;
  settings.balance_classes = TRUE;
  settings.epochs = 4;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  mt_model_page_set_grid (mt_train_window_model_page (window), &grid);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_window_save_as (window, project);
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 4);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  copy (whole, half);
  undo_half (half);
  run_cli ("sweep", "--resume", half, NULL);
  expected = tell (whole);
  found = tell (half);
  g_assert_cmpstr (found, ==, expected);
  run_cli ("sweep", "--resume", half, NULL);   /* nothing is left to do */
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/sweep-both/from-command-line", test_from_command_line);
  g_test_add_func ("/app/sweep-both/from-window", test_from_window);
  return g_test_run ();
}
