/* Runs in a project that is left and opened again, and the table they were trained with changing meanwhile. */
#include "config.h"

#include "study/mt-frontier-item.h"
#include "util/mt-preferences.h"
#include "study/mt-run-curves.h"
#include "study/mt-run-failure.h"
#include "train-window.h"

static char *
dup_curves (MtRun *run)
{
  return mt_run_record_dup_curves (mt_run_get_epochs (run), mt_run_get_visits (run), mt_run_get_basis (run)->frontier);
}

/* Curves and scores as a text, and back bit by bit; what is no such text is refused. */
static void
test_curves_text (void)
{
  MtWindow *window = mt_train_window_open ("text.csv");
  MtRunSettings settings;
  MtRun *run;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autofree char *longer = NULL;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 5;
  settings.folds = 3;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  run = mt_train_window_get_run (window, 0);
  text = dup_curves (run);
  g_assert_true (mt_run_curves_from_text (run, text));
  g_assert_cmpuint (mt_run_get_epochs (run)->len, ==, 5);
  again = dup_curves (run);
  g_assert_cmpstr (text, ==, again);
  longer = g_strconcat (text, "point 0.5\n", NULL);
  g_assert_false (mt_run_curves_from_text (run, longer));
  g_assert_false (mt_run_curves_from_text (run, ""));
  g_assert_false (mt_run_curves_from_text (run, "epoch 1 2\n"));
  g_assert_false (mt_run_curves_from_text (run, "visit 1 many\n"));
  g_assert_false (mt_run_curves_from_text (run, "something 1\n"));
  g_assert_cmpuint (mt_run_get_epochs (run)->len, ==, 5);
  mt_app_window_end (window);
}

static gboolean
is_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

static gboolean
is_locked (gpointer window)
{
  g_autoptr (GListModel) all = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);

      if (ADW_IS_MESSAGE_DIALOG (each) && gtk_window_get_transient_for (each) == window)
        return TRUE;
    }
  return FALSE;
}

static MtFrontierItem *
point_at (MtWindow *window,
          guint     index)
{
  g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (mt_window_get_study (window)), index);

  return item;
}

static void
pin (MtWindow *window,
     guint     index)
{
  mt_study_pin (mt_window_get_study (window), point_at (window, index));
}

static void
test_reopen (void)
{
  MtWindow *window = mt_train_window_open ("reopen.csv"), *second;
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) folder = g_file_get_parent (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GFile) project = g_file_get_child (folder, "reopen.minterm");
  g_autoptr (MtFrontierItem) chosen = NULL;
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (double));
  MtFrontierPoint point;
  gsize n_rows;
  guint n_points, place = 1, n_visits, n_scores;

  mt_train_window_choose_grid (window, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (mt_train_window_count (window, MT_RUN_DONE) < 1)
    g_main_context_iteration (NULL, TRUE);
  mt_window_save_as (window, project);   /* while it goes on */
  mt_app_wait_trained (window);
  n_points = g_list_model_get_n_items (mt_study_get_points (study));
  g_assert_cmpuint (n_points, >, 3);
  chosen = g_list_model_get_item (mt_study_get_points (study), place);
  mt_study_set_selected (study, chosen);
  point = *mt_frontier_item_get_point (chosen);
  n_rows = mt_encoded_get_n_rows (mt_study_get_fitted (study)->basis->encoded);
  g_array_set_size (scores, (guint) n_rows);
  mt_rule_set_score (point.rules, mt_study_get_fitted (study)->basis->encoded, (double *) (gpointer) scores->data);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  pin (window, 0);
  pin (window, 2);
  pin (window, 0);   /* let go: the other is A now */
  pin (window, 1);
  n_visits = mt_run_get_visits (mt_train_window_get_run (window, 0))->len;
  mt_app_wait (mt_train_window_is_saved, window);

  /* It is locked meanwhile. */
  second = mt_app_window_new (900, 700);
  mt_window_open (second, project);
  mt_app_wait (is_locked, second);
  g_assert_null (mt_document_get_table (mt_window_get_document (second)));
  mt_app_window_end (second);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  study = mt_window_get_study (window);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  mt_app_wait (mt_train_window_is_saved, window);
  g_assert_cmpstr (mt_train_window_get_page (window), ==, "frontier");
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points);
  g_assert_cmpuint (mt_model_page_get_grid (mt_train_window_model_page (window))->n_seeds, ==, 2);
  g_assert_cmpuint (mt_model_page_get_settings (mt_train_window_model_page (window))->folds, ==, 3);
  g_assert_false (mt_study_is_stale (study, mt_document_get_table (mt_window_get_document (window))));
  {
    const MtSelectedModel *fitted = mt_study_get_fitted (study);
    g_autofree double *again = g_new (double, n_rows);

    g_assert_cmpuint (fitted->point.complexity, ==, point.complexity);
    g_assert_cmpfloat (fitted->point.cv_mean, ==, point.cv_mean);
    g_assert_cmpfloat (fitted->point.train, ==, point.train);
    g_assert_cmpuint (mt_encoded_get_n_rows (fitted->basis->encoded), ==, n_rows);
    g_assert_cmpuint (fitted->basis->test->len, ==, 32);
    mt_rule_set_score (fitted->point.rules, fitted->basis->encoded, again);
    for (gsize i = 0; i < n_rows; i++)
      g_assert_cmpfloat (again[i], ==, g_array_index (scores, double, i));
  }
  g_assert_true (mt_study_get_pin (study, 0) == point_at (window, 2));
  g_assert_true (mt_study_get_pin (study, 1) == point_at (window, 1));
  g_assert_cmpuint (mt_run_get_visits (mt_train_window_get_run (window, 0))->len, ==, n_visits);
  g_assert_nonnull (mt_frontier_item_get_scores (point_at (window, 2), &n_scores));
  g_assert_cmpuint (n_scores, >=, 3);
  /* And it goes on from there. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 5);
  mt_app_window_end (window);
}

static gboolean
has_device (gpointer window)
{
  return g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))) > 0 &&
         mt_run_get_device (mt_train_window_get_run (window, 0)) != NULL;
}

static void
assert_threads (MtWindow *window)
{
  const MtRunDevice *device = mt_run_get_device (mt_train_window_get_run (window, 0));
  GtkWidget *label;

  g_assert_cmpstr (device->used, ==, "cpu");
  g_assert_cmpuint (device->n_threads, ==, 3);
  g_assert_null (device->error);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "data");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_settle (60);
  label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "CPU, 3 threads");
  g_assert_true (label != NULL && gtk_widget_get_mapped (label));
}

/* What a run computed on is told of it, whatever is preferred since, and comes back with it. */
static void
test_threads_kept (void)
{
  MtWindow *window = mt_train_window_open ("threads.csv");
  g_autoptr (GFile) folder = g_file_get_parent (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GFile) project = g_file_get_child (folder, "threads.minterm");
  GSettings *preferences = mt_preferences_get_settings ();

  g_settings_set_int (preferences, "threads", 3);
  mt_train_window_choose_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  g_settings_set_int (preferences, "threads", 1);
  assert_threads (window);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (has_device, window);
  assert_threads (window);
  g_settings_reset (preferences, "threads");
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

/* Somebody writes to the CSV: a strip says so, and reading again puts it away. */
static gboolean
is_noticed (gpointer window)
{
  GtkWidget *button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "R_eload");

  return gtk_revealer_get_reveal_child (GTK_REVEALER (gtk_widget_get_ancestor (button, GTK_TYPE_REVEALER)));
}

static gboolean
is_put_away (gpointer window)
{
  return !is_noticed (window);
}

static void
test_source_changed (void)
{
  MtWindow *window = mt_train_window_open ("watched.csv");
  g_autoptr (GFile) again = NULL;

  mt_app_settle (50);
  g_assert_false (is_noticed (window));
  again = mt_train_window_write ("watched.csv");
  mt_app_wait (is_noticed, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_wait (is_put_away, window);
  mt_app_window_end (window);
}

static gboolean
is_failed (gpointer window)
{
  return mt_train_window_count (window, MT_RUN_FAILED) == 1;
}

/* The kind of a failure comes back, and in another language it is said anew. */
static void
test_failure_kept (void)
{
  g_autoptr (GFile) csv = mt_app_write ("too-few.csv", "x,y\n1,no\n3,yes\n");
  g_autoptr (GFile) folder = g_file_get_parent (csv);
  g_autoptr (GFile) project = g_file_get_child (folder, "too-few.minterm");
  g_autoptr (GError) foreign = mt_run_failure_from_text ("numeric xx", "zort");
  g_autoptr (GError) strange = mt_run_failure_from_text ("zort", "zort");
  g_autoptr (GError) before = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_TARGET);
  mt_window_save_as (window, project);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  before = g_error_copy (mt_run_get_error (mt_train_window_get_run (window, 0)));
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait (is_failed, window);
  mt_app_wait (mt_train_window_is_saved, window);
  g_assert_error (mt_run_get_error (mt_train_window_get_run (window, 0)), MT_ERROR, before->code);
  g_assert_cmpstr (mt_run_get_error (mt_train_window_get_run (window, 0))->message, ==, before->message);
  mt_app_window_end (window);
  g_assert_error (foreign, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_cmpstr (foreign->message, ==, "Training became unstable. (“zort”)");
  g_assert_error (strange, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (strange->message, ==, "zort");
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/train-kept/reopen", test_reopen);
  g_test_add_func ("/app/train-kept/failure-kept", test_failure_kept);
  g_test_add_func ("/app/train-kept/threads-kept", test_threads_kept);
  g_test_add_func ("/app/train-kept/curves-text", test_curves_text);
  g_test_add_func ("/app/train-kept/source-changed", test_source_changed);
  return g_test_run ();
}
