/* From a file to a saved project and back, as a person goes: open, target, train, cancel, sweep, select,
 * compare, save, reopen; over the samples and over real data. Nothing may be said on stderr. */
#include "config.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "apputils.h"
#include "util/mt-column-sort.h"
#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "util/mt-samples.h"
#include "train/mt-train-page.h"

typedef struct {
  const char *name;
  const char *target;     /* NULL: the one that is guessed */
} Case;

static const Case samples[] = {
  { "loan-approval", NULL }, { "triage", NULL }, { "energy-use", NULL },
};
static const Case shared[] = {
  { "heart", "HeartDisease" }, { "diabetes", "Outcome" }, { "iris", "species" }, { "penguins", "species" },
  { "boston", "MEDV" },
};

/* --- stderr --- */

static int real_stderr = -1;
static char *heard;

static void
listen_begin (void)
{
  int file = g_file_open_tmp ("minterm-stderr-XXXXXX", &heard, NULL);

  g_assert_cmpint (file, >=, 0);
  fflush (stderr);
  real_stderr = dup (STDERR_FILENO);
  dup2 (file, STDERR_FILENO);
  close (file);
}

static void
listen_end (void)
{
  g_autofree char *said = NULL;

  fflush (stderr);
  dup2 (real_stderr, STDERR_FILENO);
  close (real_stderr);
  g_assert_true (g_file_get_contents (heard, &said, NULL, NULL));
  g_unlink (heard);
  g_clear_pointer (&heard, g_free);
  g_assert_cmpstr (said, ==, "");
}

/* --- the steps --- */

static void
act (MtWindow   *window,
     const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static gboolean
is_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL && is_saved (window);
}

static void
choose_target (MtWindow   *window,
               const char *target)
{
  MtDocument *document = mt_window_get_document (window);
  guint column = 0;

  if (target != NULL)
    {
      g_assert_nonnull (mt_table_find_column (mt_document_get_table (document), target, &column));
      mt_document_set_role (document, column, MT_ROLE_TARGET);
    }
  g_assert_cmpint (mt_table_get_target (mt_document_get_table (document)), >=, 0);
}

/* Small enough to be quick, and two runs. */
static void
choose_settings (MtWindow *window)
{
  MtModelPage *page = MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
  const MtSweepGrid grid = { .bits = { 2, 3 }, .n_bits = 2, .n_seeds = 1 };
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 2;
  settings.repeats = 1;
  settings.rounds = 1;
  mt_model_page_set_settings (page, &settings);
  mt_model_page_set_grid (page, &grid);
}

static void
train_and_cancel (MtWindow *window)
{
  MtStudy *study = mt_window_get_study (window);

  act (window, "win.train");
  g_assert_true (mt_study_is_running (study));
  mt_app_settle (20);
  if (mt_study_is_running (study))
    act (window, "win.cancel");
  g_assert_false (mt_study_is_running (study));
}

static MtFrontierItem *
item_at (MtStudy *study,
         guint    index)
{
  g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (study), index);

  return item;
}

static void
sweep_and_compare (MtWindow *window)
{
  MtStudy *study = mt_window_get_study (window);
  MtFrontierPage *page = MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));

  act (window, "win.sweep");
  mt_app_wait_trained (window);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), >=, 3);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_study_set_selected (study, item_at (study, 1));
  mt_frontier_page_pin (page, item_at (study, 0));
  mt_frontier_page_pin (page, item_at (study, 2));
  mt_app_settle (50);
}

/* --- how one looks at it --- */

#define BY_QUALITY (-3)   /* the third column, descending */

static MtFrontierPage *
frontier_of (MtWindow *window)
{
  return MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
}

static MtTrainPage *
train_of (MtWindow *window)
{
  return MT_TRAIN_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL));
}

static gboolean
is_laid_out (gpointer window)
{
  return mt_plot_view_get_layout (mt_frontier_page_get_plot (frontier_of (window))) != NULL;
}

static void
look_closer (MtWindow *window,
             double    part[4])
{
  MtPlotView *plot = mt_frontier_page_get_plot (frontier_of (window));

  mt_frontier_page_set_log (frontier_of (window), FALSE);
  mt_app_wait (is_laid_out, window);
  mt_plot_view_zoom (plot, 0.5, 200, 200);
  g_assert_true (mt_plot_view_get_part (plot, part));
  mt_column_sort_set (mt_frontier_page_get_table (frontier_of (window)), BY_QUALITY);
  mt_train_page_set_run (train_of (window), 1);
}

static void
check_view (MtWindow     *window,
            const double  part[4])
{
  MtPlotView *plot = mt_frontier_page_get_plot (frontier_of (window));
  double back[4];

  g_assert_cmpstr (adw_view_stack_get_visible_child_name (ADW_VIEW_STACK (mt_app_find (GTK_WIDGET (window),
                                                                                       ADW_TYPE_VIEW_STACK, NULL))),
                   ==, "frontier");
  g_assert_false (mt_plot_view_get_log (plot));
  g_assert_true (mt_plot_view_get_part (plot, back));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (back[i], ==, part[i]);
  g_assert_cmpint (mt_column_sort_get (mt_frontier_page_get_table (frontier_of (window))), ==, BY_QUALITY);
  g_assert_cmpint (mt_train_page_get_run (train_of (window)), ==, 1);
}

static void
go (GFile      *file,
    const char *name,
    const char *target)
{
  g_autofree char *project_name = g_strconcat (name, ".minterm", NULL);
  g_autoptr (GFile) project = mt_app_write (project_name, "");
  MtWindow *window;
  MtStudy *study;
  guint n_points, literals, pinned;
  double part[4];

  listen_begin ();
  window = mt_app_window_new (1200, 800);
  study = mt_window_get_study (window);
  mt_app_open (window, file);
  choose_target (window, target);
  choose_settings (window);
  train_and_cancel (window);
  sweep_and_compare (window);
  n_points = g_list_model_get_n_items (mt_study_get_points (study));
  literals = mt_frontier_item_get_point (item_at (study, 1))->complexity;
  pinned = mt_frontier_item_get_point (item_at (study, 2))->complexity;
  mt_window_save_as (window, project);
  look_closer (window, part);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);   /* at once: what is still to be kept is */

  window = mt_app_window_new (1200, 800);
  study = mt_window_get_study (window);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points);
  g_assert_cmpuint (mt_study_get_fitted (study)->point.complexity, ==, literals);
  g_assert_nonnull (mt_study_get_pin (study, 0));
  g_assert_cmpuint (mt_frontier_item_get_point (mt_study_get_pin (study, 1))->complexity, ==, pinned);
  check_view (window, part);
  mt_app_window_end (window);
  listen_end ();
}

static void
test_sample (gconstpointer data)
{
  const Case *each = data;
  g_autoptr (GFile) file = mt_samples_get_file (each->name);

  go (file, each->name, each->target);
}

static void
test_shared (gconstpointer data)
{
  const Case *each = data;
  g_autofree char *base = g_strconcat (each->name, ".csv", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SHARED"), "data", base, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (!g_file_query_exists (file, NULL))
    {
      g_test_skip ("the shared data are not there: SKIPPED");
      return;
    }
  go (file, each->name, each->target);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strconcat ("/app/flow/sample/", samples[i].name, NULL);

      g_test_add_data_func (path, &samples[i], test_sample);
    }
  for (guint i = 0; i < G_N_ELEMENTS (shared); i++)
    {
      g_autofree char *path = g_strconcat ("/app/flow/data/", shared[i].name, NULL);

      g_test_add_data_func (path, &shared[i], test_shared);
    }
  return g_test_run ();
}
