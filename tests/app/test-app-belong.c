/* Which runs, points and benchmarks belong to which rows: what is open stays when another file is refused, and models
 * of rows that are no longer there are told from those of the present ones. */
#include "config.h"

#include "study/mt-benchmarks.h"
#include "study/mt-selected-model-file.h"
#include "study/mt-frontier-item.h"
#include "frontier/mt-frontier-page.h"
#include "widgets/mt-series-mark.h"
#include "frontier/mt-plot-view.h"
#include "train/mt-run-row.h"
#include "util/mt-samples.h"
#include "study/mt-study-record.h"
#include "train-window.h"

static MtFrontierPage *
page_of (MtWindow *window)
{
  return MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
}

static guint
count_runs (MtWindow *window)
{
  return g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window)));
}

static guint
count_points (MtWindow *window)
{
  return g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window)));
}

/* Two runs that take no time. */
static void
train (MtWindow *window)
{
  mt_train_window_choose_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
}

static void
save_as (MtWindow *window,
         GFile    *project)
{
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
}

static GFile *
project_for (const char *name)
{
  g_autoptr (GFile) csv = mt_app_write ("beside.txt", "");
  g_autoptr (GFile) folder = g_file_get_parent (csv);

  return g_file_get_child (folder, name);
}

static void
open_another (MtWindow *window,
              GFile    *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-uri", "s", uri);
}

static gboolean
has_failed (gpointer window)
{
  MtDocument *document = mt_window_get_document (window);

  return mt_document_get_error (document) != NULL && !mt_document_is_loading (document);
}

static gboolean
is_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

/* --- a file that is refused --- */

/* The project of what is open stays, too: what is decided later is written there. */
static void
test_refused_keeps_project (void)
{
  g_autoptr (GFile) empty = mt_app_write ("empty.csv", "");
  g_autoptr (GFile) project = project_for ("refused.minterm");
  MtWindow *window = mt_train_window_open ("refused.csv");
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (MtFrontierItem) chosen = NULL;
  guint n_points;

  train (window);
  save_as (window, project);
  n_points = count_points (window);
  chosen = g_list_model_get_item (mt_study_get_points (study), 1);
  mt_study_set_selected (study, chosen);
  mt_study_pin (study, chosen);
  open_another (window, empty);
  mt_app_wait (has_failed, window);
  g_assert_cmpuint (count_runs (window), ==, 2);
  g_assert_cmpuint (count_points (window), ==, n_points);
  g_assert_true (mt_study_get_selected (study) == chosen);
  g_assert_true (mt_study_get_pin (study, 0) == chosen);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (50);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (mt_frontier_page_get_plot (page_of (window)))));
  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_IGNORED);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (mt_window_get_document (window)), 1), ==, MT_ROLE_IGNORED);
  g_assert_cmpuint (count_runs (window), ==, 2);
  mt_app_window_end (window);
}

/* Discarded to open a file that cannot be read, results are still there; and go when one can be. */
static void
test_refused_keeps_unsaved (void)
{
  g_autoptr (GFile) broken = mt_app_write ("broken.csv", "a,b\n1,\"2\n");
  g_autoptr (GFile) other = mt_app_write ("other.csv", "a,b\n1,x\n2,y\n3,x\n");
  MtWindow *window = mt_train_window_open ("unsaved.csv");

  train (window);
  open_another (window, broken);
  mt_app_answer (window, "discard");
  mt_app_wait (has_failed, window);
  g_assert_cmpuint (count_runs (window), ==, 2);
  g_assert_nonnull (mt_study_get_selected (mt_window_get_study (window)));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "unsaved.csv");
  open_another (window, other);
  mt_app_answer (window, "discard");   /* still unsaved */
  mt_app_wait_idle (window);
  g_assert_cmpuint (count_runs (window), ==, 0);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "other.csv");
  mt_app_window_end (window);
}

static gboolean
has_one_run (gpointer window)
{
  return count_runs (window) == 1;
}

/* A project whose CSV is not there leaves what is open as it is, until it is told where its own is. */
static void
test_refused_project (void)
{
  g_autoptr (GFile) csv = mt_train_window_write ("moved-before.csv");
  g_autoptr (GFile) now = project_for ("moved-after.csv");
  g_autoptr (GFile) project = project_for ("moved.minterm");
  MtWindow *window = mt_app_window_new (1200, 800);

  mt_app_train (window, csv, "y");
  save_as (window, project);
  mt_app_window_end (window);
  g_assert_true (g_file_move (csv, now, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));

  window = mt_train_window_open ("stays.csv");
  train (window);
  open_another (window, project);
  mt_app_answer (window, "discard");
  mt_app_wait (has_failed, window);
  g_assert_cmpuint (count_runs (window), ==, 2);
  open_another (window, project);   /* once more: it is not its own that has it locked */
  mt_app_answer (window, "discard");
  mt_app_wait (has_failed, window);
  g_assert_cmpuint (count_runs (window), ==, 2);
  mt_window_locate (window, now);
  mt_app_wait (has_one_run, window);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "moved-after.csv");
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

/* --- the plot --- */

static gboolean
is_drawn (gpointer window)
{
  return mt_plot_view_get_layout (mt_frontier_page_get_plot (page_of (window))) != NULL;
}

/* How one file's plot was looked at is not how another's is. */
static void
test_zoom_stays (void)
{
  g_autoptr (GFile) other = mt_train_window_write ("zoom-other.csv");
  g_autoptr (GFile) project = project_for ("zoom.minterm");
  MtWindow *window = mt_train_window_open ("zoom.csv");
  double part[4];

  train (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  save_as (window, project);
  mt_app_wait (is_drawn, window);
  mt_plot_view_zoom (mt_frontier_page_get_plot (page_of (window)), 0.5, 300, 200);
  g_assert_true (mt_plot_view_get_part (mt_frontier_page_get_plot (page_of (window)), part));
  open_another (window, other);
  mt_app_wait_idle (window);
  g_assert_false (mt_plot_view_get_part (mt_frontier_page_get_plot (page_of (window)), part));
  open_another (window, project);
  mt_app_wait (is_fitted, window);
  g_assert_true (mt_plot_view_get_part (mt_frontier_page_get_plot (page_of (window)), part));
  mt_app_window_end (window);
}

/* --- data that change --- */

/* Those of mt_train_window_write(), and one row more. */
static void
add_row (MtWindow *window)
{
  GFile *file = mt_document_get_file (mt_window_get_document (window));
  g_autofree char *text = NULL;
  g_autofree char *longer = NULL;

  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  longer = g_strconcat (text, "7,88,k1,no\n", NULL);
  g_assert_true (g_file_set_contents (g_file_peek_path (file), longer, -1, NULL));
}

static gboolean
is_reloaded (gpointer window)
{
  MtDocument *document = mt_window_get_document (window);

  return !mt_document_is_loading (document) && mt_table_get_n_rows (mt_document_get_table (document)) == 161;
}

static guint
count_earlier (MtWindow *window)
{
  guint n = 0;

  for (guint i = 0; i < count_runs (window); i++)
    n += mt_run_is_earlier (mt_train_window_get_run (window, i));
  return n;
}

static guint
count_words (MtWindow   *window,
             const char *words)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (window, GTK_TYPE_LABEL);
  guint n = 0;

  for (guint i = 0; i < labels->len; i++)
    n += gtk_widget_get_mapped (labels->pdata[i]) && g_str_equal (gtk_label_get_label (labels->pdata[i]), words);
  return n;
}

static gboolean
has_benchmarks (gpointer window)
{
  return mt_benchmarks_get (mt_frontier_page_get_benchmarks (page_of (window))) != NULL;
}

/* The points on show are of the present data, or stand apart; what is recommended is of the present ones. */
static void
assert_present (MtWindow *window,
                guint     n_apart)
{
  GListModel *points = mt_study_get_points (mt_window_get_study (window));
  MtFrontierItem *recommended = mt_study_get_recommended (mt_window_get_study (window));

  g_assert_cmpuint (g_list_model_get_n_items (points), >, n_apart);
  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      g_assert_true (mt_frontier_item_is_apart (item) == mt_run_is_earlier (mt_frontier_item_get_run (item)));
      g_assert_true (!mt_frontier_item_is_apart (item) || mt_frontier_item_is_dominated (item));
      n_apart -= mt_frontier_item_is_apart (item);
    }
  g_assert_cmpuint (n_apart, ==, 0);
  g_assert_false (mt_run_is_earlier (mt_frontier_item_get_run (recommended)));
}

/* Trained again after a reload, the new runs are the frontier; the earlier ones are told, and come when asked for. */
static void
test_earlier (void)
{
  g_autoptr (GFile) project = project_for ("earlier.minterm");
  MtWindow *window = mt_train_window_open ("earlier.csv");
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (MtFrontierItem) old = NULL;
  GtkWidget *button;
  guint n;

  train (window);
  n = count_points (window);
  old = g_object_ref (mt_study_get_recommended (study));
  save_as (window, project);
  add_row (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_wait (is_reloaded, window);
  g_assert_cmpuint (count_earlier (window), ==, 2);
  g_assert_cmpuint (count_points (window), ==, n);   /* there is nothing else */
  g_assert_true (mt_study_is_stale (study, mt_document_get_table (mt_window_get_document (window))));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  g_assert_cmpuint (count_runs (window), ==, 4);
  g_assert_cmpuint (count_earlier (window), ==, 2);
  g_assert_false (mt_study_is_stale (study, mt_document_get_table (mt_window_get_document (window))));
  assert_present (window, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_settle (100);
  g_assert_cmpuint (count_words (window, "Earlier data"), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (400);
  button = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_TOGGLE_BUTTON, "_Show Them");
  g_assert_true (gtk_widget_get_mapped (button));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  assert_present (window, n);
  {
    /* What is said of a model in a file names its own data, not those that are open. */
    MtImport *import = mt_document_get_import (mt_window_get_document (window));
    g_autoptr (MtSearchRecord) record = mt_study_make_record (study, mt_window_get_document (window), NULL);
    g_autoptr (MtModel) model = NULL;

    g_assert_cmpuint (record->runs->len, ==, 4);
    g_assert_cmpuint (record->points->len, ==, count_points (window) - n);
    g_assert_nonnull (strstr (g_array_index (record->runs, MtSearchRecordRun, 0).name, "(earlier data)"));
    mt_study_set_selected (study, old);
    model = mt_selected_model_make_model (mt_study_get_fitted (study), import, NULL, NULL);
    g_assert_nonnull (model);
    g_assert_cmpstr (mt_model_get_info (model)->data_sha256, !=, mt_import_get_sha256 (import));
    mt_study_set_selected (study, mt_study_get_recommended (study));
  }
  /* They may be compared, with a word about it. */
  mt_study_set_pins (study, old, mt_study_get_recommended (study));
  mt_app_settle (100);
  g_assert_cmpuint (count_words (window, "The data changed between these two models. They were trained and "
                                         "validated on different rows, so the difference is not due to the "
                                         "models alone."), ==, 1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  assert_present (window, 0);
  g_assert_null (mt_study_get_pin (study, 1));
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_settle (300);
  g_assert_cmpuint (count_earlier (window), ==, 2);
  assert_present (window, 0);
  mt_app_window_end (window);
}

/* A project whose CSV has changed has models of rows that are gone: nothing else is judged beside them, and the same
 * settings may be trained again. */
static void
test_rows_gone (void)
{
  g_autoptr (GFile) project = project_for ("rows-gone.minterm");
  MtWindow *window = mt_train_window_open ("rows-gone.csv");

  train (window);
  mt_app_wait (has_benchmarks, window);
  save_as (window, project);
  add_row (window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  mt_app_wait (mt_train_window_is_saved, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (400);
  g_assert_cmpuint (count_earlier (window), ==, 2);
  g_assert_false (has_benchmarks (window));
  g_assert_false (mt_benchmarks_is_running (mt_frontier_page_get_benchmarks (page_of (window))));
  g_assert_true (mt_study_is_stale (mt_window_get_study (window),
                                    mt_document_get_table (mt_window_get_document (window))));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  g_assert_cmpuint (count_runs (window), ==, 4);
  assert_present (window, 0);
  mt_app_wait (has_benchmarks, window);
  mt_app_window_end (window);
}

static guint
count_rows_with (MtWindow   *window,
                 const char *prefix)
{
  g_autoptr (GPtrArray) rows = mt_app_find_all (window, MT_TYPE_RUN_ROW);
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      g_autoptr (GPtrArray) labels = mt_app_find_all (rows->pdata[i], GTK_TYPE_LABEL);

      for (guint k = 0; k < labels->len; k++)
        n += g_str_has_prefix (gtk_label_get_label (labels->pdata[k]), prefix) &&
             gtk_widget_get_mapped (labels->pdata[k]);
    }
  return n;
}

/* Two targets: each run names its own, and its own measure. */
static void
test_targets (void)
{
  MtWindow *window = mt_train_window_open ("targets.csv");
  MtDocument *document = mt_window_get_document (window);
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (document), &settings, NULL);
  mt_app_wait_trained (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_settle (100);
  g_assert_cmpuint (count_words (window, "Predicts y"), ==, 0);
  mt_document_set_role (document, 1, MT_ROLE_TARGET);
  mt_study_train (mt_window_get_study (window), mt_document_get_table (document), &settings, NULL);
  mt_app_wait_trained (window);
  mt_app_settle (100);
  g_assert_cmpuint (count_words (window, "Predicts y"), ==, 1);
  g_assert_cmpuint (count_words (window, "Predicts b"), ==, 1);
  g_assert_true (mt_run_is_regression (mt_train_window_get_run (window, 1)));
  g_assert_cmpuint (count_rows_with (window, "AUC 0."), ==, 1);
  g_assert_cmpuint (count_rows_with (window, "R² "), ==, 1);
  mt_app_window_end (window);
}

/* --- the legend --- */

/* More runs than there are marks: the legend names none twice, and counts what it does not name. */
static void
test_legend (void)
{
  const guint n_runs = MT_PLOT_N_MARKS + 1;
  MtWindow *window = mt_train_window_open ("legend.csv");
  GtkWidget *legend;
  MtRunSettings settings;
  guint n_entries = 0;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  settings.repeats = 1;
  for (guint i = 0; i < n_runs; i++)
    {
      settings.bits = 2;
      settings.max_literals = 10 + i;   /* another kind of run, as quick as the others */
      settings.rounds = 1 + i;
      mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings,
                      NULL);
    }
  mt_app_wait_trained (window);
  g_assert_cmpuint (mt_run_get_series (mt_train_window_get_run (window, n_runs - 1)), ==, n_runs - 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (400);
  legend = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_FLOW_BOX, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (legend); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      g_autoptr (GPtrArray) marks = mt_app_find_all (child, MT_TYPE_SERIES_MARK);

      for (guint i = 0; i < marks->len; i++)
        {
          guint series = mt_series_mark_get_series (marks->pdata[i]);

          g_assert_cmpuint (series, !=, 0);            /* two runs have this one */
          g_assert_cmpuint (series, <, MT_PLOT_N_MARKS);
          n_entries++;
        }
    }
  g_assert_cmpuint (n_entries, ==, 8);
  g_assert_cmpuint (count_words (window, "and 9 more: hover over a point to see its run"), ==, 1);
  mt_app_window_end (window);
}

/* A role that was changed and taken back leaves nothing to train again. */
static void
test_taken_back (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  MtDocument *document = mt_window_get_document (window);
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) file = mt_samples_get_file ("loan-approval");
  MtTable *table;

  mt_app_train (window, file, "approved");
  table = mt_document_get_table (document);
  g_assert_false (mt_study_is_stale (study, table));
  for (guint i = 2; i < 4; i++)
    mt_document_set_role (document, i, MT_ROLE_IGNORED);
  g_assert_true (mt_document_get_table (document) != table);
  g_assert_true (mt_study_is_stale (study, mt_document_get_table (document)));
  for (guint i = 2; i < 4; i++)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_true (mt_document_get_table (document) == table);
  g_assert_false (mt_study_is_stale (study, mt_document_get_table (document)));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/belong/refused/project-stays", test_refused_keeps_project);
  g_test_add_func ("/app/belong/refused/unsaved-stays", test_refused_keeps_unsaved);
  g_test_add_func ("/app/belong/refused/project-without-data", test_refused_project);
  g_test_add_func ("/app/belong/zoom", test_zoom_stays);
  g_test_add_func ("/app/belong/earlier-data", test_earlier);
  g_test_add_func ("/app/belong/rows-gone", test_rows_gone);
  g_test_add_func ("/app/belong/targets", test_targets);
  g_test_add_func ("/app/belong/legend", test_legend);
  g_test_add_func ("/app/belong/taken-back", test_taken_back);
  return g_test_run ();
}
