/* Runs that do not come to their end: stopped, failed, left, or their device is gone. What was found is kept, and the
 * rest can be gone on with. */
#include "config.h"

#include <math.h>

#include "study/mt-frontier-item.h"
#include "study/mt-study-record.h"
#include "train/mt-train-page.h"
#include "train-window.h"

/* What is said below the button that stops. */
static void
assert_note (MtWindow   *window,
             const char *note)
{
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  GtkWidget *label = mt_app_find (page, GTK_TYPE_LABEL, note);

  g_assert_true (label != NULL && gtk_widget_get_visible (label));
}

/* Stopped: finished runs stay, the others wait for resume. */
static void
test_stop_and_resume (void)
{
  MtWindow *window = mt_train_window_open ("resume.csv");
  MtStudy *study = mt_window_get_study (window);
  const guint n = 16;   /* runs of a few milliseconds each: the queue may be ahead of the window by some */
  guint n_done;

  mt_train_window_choose_grid (window, n / 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (mt_train_window_count (window, MT_RUN_DONE) < 2)
    g_main_context_iteration (NULL, TRUE);
  n_done = mt_train_window_count (window, MT_RUN_DONE);
  g_assert_cmpuint (n_done, <, n);
  assert_note (window, "Keeps finished runs");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  g_assert_false (mt_study_is_running (study));
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, n_done);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_STOPPED), ==, n - n_done);
  g_assert_nonnull (mt_study_get_selected (study));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  g_assert_true (mt_study_is_running (study));
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, n);
  mt_app_window_end (window);
}

static gboolean
is_refining_folds (gpointer window)
{
  MtRun *run = mt_train_window_get_run (window, 0);

  return mt_run_get_progress (run)->phase == MT_RUN_PHASE_FOLDS || mt_run_get_state (run) != MT_RUN_RUNNING;
}

static gboolean
has_points (gpointer window)
{
  return mt_study_get_selected (mt_window_get_study (window)) != NULL;
}

/* Stopped once the rules are there and folds still judge them: the rules are kept, and before there are any nothing
 * else is promised. */
static void
test_keep_partial (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  assert_note (window, "No rules found yet");
  mt_app_wait (is_refining_folds, window);
  assert_note (window, "Keeps the rules found so far");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_STOPPED);
  mt_app_wait (has_points, window);
  g_assert_nonnull (mt_study_get_fitted (mt_window_get_study (window)));
  g_assert_true (mt_run_can_resume (mt_train_window_get_run (window, 0)));
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

/* Whether the key that saves what is on show does anything: some button of another page has its action. */
static gboolean
can_export (MtWindow *window)
{
  g_autoptr (GPtrArray) buttons = mt_app_find_all (window, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_actionable_get_action_name (buttons->pdata[i]), "win.export") == 0)
      return gtk_widget_get_sensitive (buttons->pdata[i]);
  g_assert_not_reached ();
}

/* What the File menu calls it. */
static char *
dup_export_label (GMenuModel *menu)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *action = NULL;
      char *label = section != NULL ? dup_export_label (section) : NULL;

      if (label != NULL)
        return label;
      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action) &&
          g_str_equal (action, "win.export") &&
          g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
        return label;
    }
  return NULL;
}

/* What Ctrl+E saves is named by the page, and on Train there is nothing to save of a run without curves. */
static void
assert_export (MtWindow *window)
{
  static const char * const pages[][2] = {
    { "train", "Save _Picture of the Curves…" }, { "frontier", "Save Frontier _Plot…" },
    { "rules", "Save _Picture of the Rules…" }, { "report", "Save Re_port…" },
    { "train", "Save _Picture of the Curves…" },
  };
  MtTrainPage *page = MT_TRAIN_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL));
  GtkWidget *button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *label = NULL;

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i][0]);
      label = dup_export_label (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)));
      g_assert_cmpstr (label, ==, pages[i][1]);
      g_assert_true (can_export (window));   /* a model is selected, and of the last run there are curves */
    }
  mt_train_page_set_run (page, 0);
  g_assert_false (can_export (window));
  mt_train_page_set_run (page, 1);
  g_assert_true (can_export (window));
}

static guint
count_points (MtWindow *window)
{
  return g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window)));
}

/* A sweep that is stopped while folds judge a run is resumed with that run, and counted as one sweep. */
static void
test_resume_all (void)
{
  const MtSweepGrid grid = { .bits = { 3 }, .n_bits = 1, .n_seeds = 2 };
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) near = mt_app_write ("near.txt", "");
  g_autoptr (GFile) folder = g_file_get_parent (near);
  g_autoptr (GFile) project = g_file_get_child (folder, "resumed.minterm");
  MtStudyProgress progress;
  MtRunSettings settings;
  GPtrArray *points;
  guint n_points;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  g_assert_cmpuint (mt_study_train (study, mt_document_get_table (mt_window_get_document (window)), &settings, &grid),
                    ==, 2);
  mt_app_wait (is_refining_folds, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait (has_points, window);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  points = mt_run_get_points (mt_train_window_get_run (window, 0));
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_STOPPED);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_STOPPED), ==, 0);
  mt_study_get_progress (study, &progress);
  g_assert_cmpuint (progress.n_runs, ==, 2);
  g_assert_cmpuint (points->len, >, 0);   /* until there is more */
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 2);
  mt_study_get_progress (study, &progress);
  g_assert_cmpuint (progress.n_runs, ==, 2);
  g_assert_cmpuint (progress.n_done, ==, 2);
  n_points = count_points (window);
  for (guint i = 0; i < 2; i++)
    {
      points = mt_run_get_points (mt_train_window_get_run (window, i));
      g_assert_cmpuint (points->len, >, 0);
      n_points -= points->len;
      g_assert_false (isnan (mt_frontier_item_get_point (points->pdata[0])->cv_mean));
    }
  g_assert_cmpuint (n_points, ==, 0);
  n_points = count_points (window);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (has_points, window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 2);
  g_assert_cmpuint (count_points (window), ==, n_points);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

static gboolean
has_runs (gpointer window)
{
  return g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))) > 0;
}

static gboolean
can_resume (gpointer window)
{
  return mt_study_can_resume (mt_window_get_study (window));
}

/* A run that was stopped with points, as a project, and somebody who resumes it at once: what it had found is read before
 * it can be replaced, so that no model comes to a point that is another's. */
static void
test_resume_read (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  g_autoptr (GFile) near = mt_app_write ("near.txt", "");
  g_autoptr (GFile) folder = g_file_get_parent (near);
  g_autoptr (GFile) project = g_file_get_child (folder, "read.minterm");
  GPtrArray *points;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (is_refining_folds, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait (has_points, window);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (has_runs, window);
  points = mt_run_get_points (mt_train_window_get_run (window, 0));
  g_assert_cmpuint (points->len, >, 0);
  g_assert_null (mt_frontier_item_get_point (points->pdata[0])->rules);
  g_assert_false (can_resume (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_STOPPED), ==, 1);
  mt_app_wait (can_resume, window);
  for (guint i = 0; i < points->len; i++)
    g_assert_nonnull (mt_frontier_item_get_point (points->pdata[i])->rules);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 1);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

/* A resumed sweep goes on being one, whatever of it was done before. */
static void
test_resume_counts (void)
{
  MtWindow *window = mt_train_window_open ("counted.csv");
  MtStudyProgress progress;
  guint n_done;

  mt_train_window_choose_grid (window, 15);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (mt_train_window_count (window, MT_RUN_DONE) < 2)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  n_done = mt_train_window_count (window, MT_RUN_DONE);   /* 2, or a few more where runs end together */
  g_assert_cmpuint (n_done, <, 30);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  mt_study_get_progress (mt_window_get_study (window), &progress);
  g_assert_cmpuint (progress.n_runs, ==, 30);
  g_assert_cmpuint (progress.n_done, ==, n_done);
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 30);
  mt_app_window_end (window);
}

/* A run that fails says why, and the next one is not held up by it. */
static void
test_failure (void)
{
  MtWindow *window = mt_train_window_open ("failure.csv");
  MtStudy *study = mt_window_get_study (window);
  MtTable *table = mt_document_get_table (mt_window_get_document (window));
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  settings.task = MT_TASK_CHOICE_REGRESSION;
  mt_study_train (study, table, &settings, NULL);
  settings.task = MT_TASK_CHOICE_AUTO;
  mt_study_train (study, table, &settings, NULL);
  mt_app_wait_trained (window);
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_FAILED);
  g_assert_nonnull (mt_run_get_error (mt_train_window_get_run (window, 0)));
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 1)), ==, MT_RUN_DONE);
  mt_app_settle (60);
  assert_export (window);
  mt_app_window_end (window);
}

/* One run with a network on the GPU, to its end. */
static void
train_on_gpu (MtWindow *window,
              guint     epochs)
{
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = epochs;
  settings.folds = 3;
  settings.device = MT_DEVICE_CUDA;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings,
                  NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_wait_trained (window);
}

static gboolean
has_device (gpointer window)
{
  return g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))) > 0 &&
         mt_run_get_device (mt_train_window_get_run (window, 0)) != NULL;
}

/* What was asked for, what was had and why: with the run, on the page, for the report, and in the project. */
static void
assert_fallback (MtWindow *window)
{
  const MtRunDevice *device = mt_run_get_device (mt_train_window_get_run (window, 0));
  g_autoptr (MtSearchRecord) record = mt_study_make_record (mt_window_get_study (window), mt_window_get_document (window),
                                                                   NULL);
  g_autoptr (GPtrArray) labels = NULL;
  gboolean told = FALSE;

  g_assert_nonnull (device);
  g_assert_cmpstr (device->asked, ==, "cuda");
  g_assert_cmpstr (device->used, ==, "cpu");
  g_assert_cmpuint (device->n_threads, >, 0);
  g_assert_nonnull (strstr (device->error, "from the end of epoch"));
  g_assert_cmpstr (g_array_index (record->runs, MtSearchRecordRun, 0).device->error, ==, device->error);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_settle (60);
  labels = mt_app_find_all (window, GTK_TYPE_LABEL);
  for (guint i = 0; i < labels->len; i++)
    told |= gtk_widget_get_mapped (labels->pdata[i]) &&
            strstr (gtk_label_get_label (labels->pdata[i]), "because the GPU was not available") != NULL;
  g_assert_true (told);
}

static void
assert_device_kept (MtWindow *window)
{
  g_autoptr (GFile) folder = g_file_get_parent (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GFile) project = g_file_get_child (folder, "lost-device.minterm");

  assert_fallback (window);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1200, 800);
  mt_app_open (window, project);
  mt_app_wait (has_device, window);
  assert_fallback (window);
  g_assert_cmpint (mt_run_get_settings (mt_train_window_get_run (window, 0))->device, ==, MT_DEVICE_CPU);
  mt_app_window_end (window);
}

/* A GPU that dies in the middle: the page says so and offers the CPU, which goes on and finishes. The module is
 * the real one's sources, built for the CPU. */
static void
test_lost_device (void)
{
  const char *module = g_getenv ("MINTERM_CUDA_ON_HOST");
  MtWindow *window;
  const GArray *epochs;
  GtkWidget *button;

  if (module == NULL)
    {
      g_test_skip ("built without a C++ compiler, so without CUDA on the CPU");
      return;
    }
  g_setenv ("MINTERM_CUDA_MODULE", module, TRUE);
  g_setenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH", "10", TRUE);     /* one an epoch */
  window = mt_train_window_open ("lost-device.csv");
  train_on_gpu (window, 12);
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_FAILED);
  g_assert_error (mt_run_get_error (mt_train_window_get_run (window, 0)), MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (mt_run_get_error (mt_train_window_get_run (window, 0))->message, "from the end of epoch"));
  /* The curve has a metric, which the device has measured. */
  epochs = mt_run_get_epochs (mt_train_window_get_run (window, 0));
  g_assert_cmpuint (epochs->len, >, 0);
  g_assert_true (isfinite (g_array_index (epochs, MtRunEpoch, epochs->len - 1).metric));
  mt_app_settle (60);
  button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Continue on the CPU");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (mt_study_is_running (mt_window_get_study (window)));
  mt_app_wait_trained (window);
  g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_DONE);
  g_assert_cmpint (mt_run_get_settings (mt_train_window_get_run (window, 0))->device, ==, MT_DEVICE_CPU);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");
  assert_device_kept (window);
}

/* A GPU that was chosen elsewhere, or is gone since: whatever is missing, the run says so and offers the CPU. */
static void
test_no_device (void)
{
  static const struct {
    int         driver, n_devices;
    gsize       memory;
    const char *told;
  } cases[] = {
    { 0, 1, 1 << 30, "no NVIDIA driver is installed" },
    { 12040, 1, 1 << 30, "the NVIDIA driver supports CUDA 12.4" },
    { 13000, 0, 1 << 30, "found no device" },
    { 13000, 1, 20000, "enough free memory" },
  };
  const char *path = g_getenv ("MINTERM_CUDA_ON_HOST");
  void (*pretend) (int driver, int n_devices);
  void (*pretend_memory) (gsize n);
  void (*reset) (guint64 seed);
  GModule *module;

  if (path == NULL)
    {
      g_test_skip ("built without a C++ compiler, so without CUDA on the CPU");
      return;
    }
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  g_assert_true (g_module_symbol (module, "mt_host_pretend", (gpointer *) &pretend));
  g_assert_true (g_module_symbol (module, "mt_host_pretend_memory", (gpointer *) &pretend_memory));
  g_assert_true (g_module_symbol (module, "mt_host_reset", (gpointer *) &reset));
  reset (0);      /* a device that was lost stays so */
  g_setenv ("MINTERM_CUDA_MODULE", path, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtWindow *window = mt_train_window_open ("no-device.csv");
      GtkWidget *button;

      pretend (cases[i].driver, cases[i].n_devices);
      pretend_memory (cases[i].memory);
      train_on_gpu (window, 2);
      g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_FAILED);
      g_assert_error (mt_run_get_error (mt_train_window_get_run (window, 0)), MT_ERROR, MT_ERROR_DEVICE);
      g_test_message ("%s", mt_run_get_error (mt_train_window_get_run (window, 0))->message);
      g_assert_nonnull (strstr (mt_run_get_error (mt_train_window_get_run (window, 0))->message, cases[i].told));
      mt_app_settle (60);
      button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Continue on the CPU");
      g_assert_true (button != NULL && gtk_widget_get_mapped (button));
      g_signal_emit_by_name (button, "clicked");
      mt_app_wait_trained (window);
      g_assert_cmpint (mt_run_get_state (mt_train_window_get_run (window, 0)), ==, MT_RUN_DONE);
      g_assert_cmpint (mt_run_get_settings (mt_train_window_get_run (window, 0))->device, ==, MT_DEVICE_CPU);
      mt_app_window_end (window);
    }
  pretend (13000, 1);
  pretend_memory ((gsize) 1 << 30);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_module_close (module);
}

/* Results without a name are asked about; a window at work asks first whether to stop. */
static void
test_leave (void)
{
  MtWindow *window = mt_train_window_open ("leave.csv");
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) other = mt_train_window_write ("other.csv");
  g_autofree char *uri = g_file_get_uri (other);

  mt_train_window_choose_grid (window, 50);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (mt_train_window_count (window, MT_RUN_DONE) < 1)
    g_main_context_iteration (NULL, TRUE);
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "cancel");
  g_assert_true (mt_study_is_running (study));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-uri", "s", uri);
  mt_app_answer (window, "discard");
  g_assert_false (mt_study_is_running (study));
  mt_app_settle (50);
  mt_app_answer (window, "cancel");   /* nothing is lost without having been asked about */
  mt_app_settle (50);
  g_assert_nonnull (mt_study_get_selected (study));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-uri", "s", uri);
  mt_app_answer (window, "discard");
  mt_app_wait_idle (window);
  g_assert_null (mt_study_get_selected (study));
  g_assert_true (g_file_equal (mt_document_get_file (mt_window_get_document (window)), other));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/train-stop/stop-and-resume", test_stop_and_resume);
  g_test_add_func ("/app/train-stop/keep-partial", test_keep_partial);
  g_test_add_func ("/app/train-stop/resume-all", test_resume_all);
  g_test_add_func ("/app/train-stop/resume-read", test_resume_read);
  g_test_add_func ("/app/train-stop/resume-counts", test_resume_counts);
  g_test_add_func ("/app/train-stop/failure", test_failure);
  g_test_add_func ("/app/train-stop/lost-device", test_lost_device);
  g_test_add_func ("/app/train-stop/no-device", test_no_device);
  g_test_add_func ("/app/train-stop/leave", test_leave);
  return g_test_run ();
}
