/* Which runs, points and benchmarks belong to which rows: what is open stays when another file is refused, and models
 * of rows that are no longer there are told from those of the present ones. */
#include "config.h"

#include "mt-frontier-item.h"
#include "mt-frontier-page.h"
#include "mt-plot-view.h"
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
  mt_app_wait (is_drawn, window);
  save_as (window, project);
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

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/belong/refused/project-stays", test_refused_keeps_project);
  g_test_add_func ("/app/belong/refused/unsaved-stays", test_refused_keeps_unsaved);
  g_test_add_func ("/app/belong/refused/project-without-data", test_refused_project);
  g_test_add_func ("/app/belong/zoom", test_zoom_stays);
  return g_test_run ();
}
