/* Runs in the real window: one, many, stopped, resumed, failed; and all of it in a project that is left
 * and opened again. */
#include "config.h"

#include <math.h>

#include "apputils.h"
#include "mt-compare-panel.h"
#include "mt-curves-view.h"
#include "mt-frontier-item.h"
#include "mt-frontier-page.h"
#include "mt-model-page.h"
#include "mt-rules-page.h"
#include "mt-run-curves.h"
#include "mt-run-failure.h"
#include "mt-run-row.h"
#include "mt-train-charts.h"
#include "mt-train-page.h"

/* A table small enough to be trained in no time: y depends on a and kind together. */
static GFile *
write_table (const char *name)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,y\n");

  for (guint i = 0; i < 160; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind,
                              (a > 50 && kind == 1) || b > 70 || i % 17 == 0 ? "yes" : "no");
    }
  return mt_app_write (name, text->str);
}

static MtWindow *
open_table (const char *name)
{
  g_autoptr (GFile) file = write_table (name);
  MtWindow *window = mt_app_window_new (1200, 800);

  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  return window;
}

static MtModelPage *
model_page (MtWindow *window)
{
  return MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
}

/* A grid of runs that take no time. */
static void
choose_small_grid (MtWindow *window,
                   guint     n_seeds)
{
  MtRunGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = n_seeds };
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_model_page_set_settings (model_page (window), &settings);
  mt_model_page_set_grid (model_page (window), &grid);
}

static MtRun *
run_at (MtWindow *window,
        guint     index)
{
  g_autoptr (MtRun) run = g_list_model_get_item (mt_study_get_runs (mt_window_get_study (window)), index);

  return run;
}

static guint
count_state (MtWindow   *window,
             MtRunState  state)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))); i++)
    n += mt_run_get_state (run_at (window, i)) == state;
  return n;
}

static const char *
visible_page (MtWindow *window)
{
  return adw_view_stack_get_visible_child_name (ADW_VIEW_STACK (mt_app_find (GTK_WIDGET (window), ADW_TYPE_VIEW_STACK,
                                                                             NULL)));
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

/* --- runs --- */

/* With a network there is a curve of every epoch; in any case the path of dropped rules and all folds. */
static void
test_curves (void)
{
  MtWindow *window = open_table ("curves.csv");
  MtRunSettings settings;
  MtRun *run;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 12;
  settings.folds = 3;
  mt_model_page_set_settings (model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  g_assert_cmpstr (visible_page (window), ==, "train");
  mt_app_wait_trained (window);
  run = run_at (window, 0);
  g_assert_cmpint (mt_run_get_state (run), ==, MT_RUN_DONE);
  g_assert_cmpuint (mt_run_get_epochs (run)->len, ==, 12);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpfloat (g_array_index (mt_run_get_epochs (run), MtRunEpoch, i).train_loss, >, 0);
  g_assert_cmpuint (mt_run_get_visits (run)->len, >, 1);
  g_assert_cmpuint (g_array_index (mt_run_get_visits (run), MtRunVisit, mt_run_get_visits (run)->len - 1).complexity,
                    ==, 1);
  g_assert_cmpuint (mt_run_get_parts (run)->len, >=, 4);   /* folds may be dealt out more than once */
  for (guint i = 0; i < mt_run_get_parts (run)->len; i++)
    g_assert_cmpfloat (fabs (g_array_index (mt_run_get_parts (run), double, i) - 1), <, 1e-9);
  mt_app_settle (60);   /* drawn without a warning */
  mt_app_window_end (window);
}

static gboolean
has_epochs (gpointer run)
{
  return mt_run_get_epochs (run)->len > 0;
}

/* The charts begin at the same place, however wide their numbers are, and every value that is told has a name. */
static void
assert_charts (GtkWidget *charts)
{
  g_autoptr (GPtrArray) views = mt_app_find_all (charts, MT_TYPE_CURVES_VIEW);
  const MtCurvesLayout *first = NULL;
  double least = INFINITY, most = 0;

  mt_app_wait_painted (charts);
  for (guint i = 0; i < views->len; i++)
    {
      const MtCurvesLayout *layout = mt_curves_view_get_layout (views->pdata[i]);
      g_autofree char *told = NULL;
      g_auto (GStrv) lines = NULL;
      MtCurvesSpec spec;
      double alone;

      if (!gtk_widget_get_mapped (views->pdata[i]))
        continue;
      first = first != NULL ? first : layout;
      g_assert_cmpfloat (layout->area.x, ==, first->area.x);
      g_assert_cmpfloat (layout->area.width, ==, first->area.width);
      g_assert_true (mt_curves_view_copy (views->pdata[i], &spec));
      spec.margin = 0;
      alone = mt_curves_layout_margin (&spec, layout->height, mt_plot_measure,
                                       mt_drawn_view_get_fonts (views->pdata[i]));
      least = MIN (least, alone);
      most = MAX (most, alone);
      told = mt_curves_view_describe (views->pdata[i], 2);
      lines = g_strsplit (told, "\n", -1);
      g_assert_cmpuint (g_strv_length (lines), ==, 1 + spec.n_curves);
      for (guint k = 0; k <= spec.n_curves; k++)
        g_assert_true (g_ascii_isalpha (lines[k][0]));
      mt_curves_spec_clear (&spec);
    }
  g_assert_cmpfloat (least, <, most);   /* by themselves they would not */
  g_assert_cmpfloat (first->area.x, ==, most);
}

/* A number as the target: the charts say R² while the run is at work, not only afterwards; and a curve whose last
 * epoch was not measured ends in the last value that was. */
static void
test_regression (void)
{
  MtWindow *window = open_table ("regression.csv");
  const MtRunEpoch none = { NAN, NAN, NAN };
  MtRunSettings settings;
  GtkWidget *charts, *view;
  MtCurvesSpec spec;
  MtRun *run;

  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_TARGET);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 200;
  settings.folds = 3;
  mt_model_page_set_settings (model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  run = run_at (window, 0);
  mt_app_wait (has_epochs, run);
  g_assert_true (mt_run_is_regression (run));
  mt_app_wait_trained (window);
  g_assert_true (mt_run_is_regression (run));

  g_array_append_val (mt_run_get_epochs (run), none);
  charts = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_CHARTS, NULL);
  mt_train_charts_show (MT_TRAIN_CHARTS (charts), run);
  assert_charts (charts);
  view = mt_app_find (charts, MT_TYPE_CURVES_VIEW, NULL);
  g_assert_true (mt_curves_view_copy (MT_CURVES_VIEW (view), &spec));
  g_assert_cmpuint (spec.n_curves, ==, 2);
  for (guint i = 0; i < spec.n_curves; i++)
    g_assert_null (strstr (spec.curves[i].label, "nan"));
  mt_curves_spec_clear (&spec);
  mt_app_window_end (window);
}

/* Rows kept for the test take no part. */
static void
test_split (void)
{
  MtWindow *window = open_table ("split.csv");
  MtBasis *basis;

  choose_small_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  basis = mt_run_get_basis (run_at (window, 0));
  g_assert_cmpuint (basis->test->len, ==, 32);
  g_assert_cmpuint (basis->rows->n_rows, ==, 128);
  for (guint i = 0; i < basis->test->len; i++)
    for (gsize j = 0; j < basis->rows->n_rows; j++)
      g_assert_cmpuint (g_array_index (basis->test, guint32, i), !=, basis->rows->rows[j]);
  mt_app_window_end (window);
}

/* What was trained is not trained again; and what is said of the last runs is said of no others. */
static void
test_again (void)
{
  MtWindow *window = open_table ("again.csv");
  GListModel *runs = mt_study_get_runs (mt_window_get_study (window));
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  MtStudyProgress progress;

  choose_small_grid (window, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);   /* a second press */
  mt_app_wait_trained (window);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 4);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  g_assert_false (mt_study_is_running (mt_window_get_study (window)));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 4);
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (page, GTK_TYPE_LABEL, "4 finished"));

  choose_small_grid (window, 3);   /* two of six are new */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 6);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait_trained (window);
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (page, GTK_TYPE_LABEL, "2 Runs"));
  g_assert_nonnull (mt_app_find (page, GTK_TYPE_LABEL, "0 finished · 2 stopped"));
  mt_study_get_progress (mt_window_get_study (window), &progress);
  g_assert_cmpuint (progress.n_runs, ==, 2);
  mt_app_window_end (window);
}

static guint
count_rows (GtkWidget *top)
{
  guint n = MT_IS_RUN_ROW (top) && gtk_widget_get_mapped (top);

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_rows (child);
  return n;
}

/* The points of all runs are one list, each knows its run, and a point that was chosen stays chosen. */
static void
test_sweep (void)
{
  MtWindow *window = open_table ("sweep.csv");
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  MtFrontierItem *chosen = NULL;
  guint n = 0, previous = 0;

  choose_small_grid (window, 2);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "4 runs"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_runs (study)), ==, 4);
  while (mt_study_is_running (study))
    {
      g_main_context_iteration (NULL, TRUE);
      if (chosen == NULL && g_list_model_get_n_items (points) > 2)
        {
          chosen = g_list_model_get_item (points, 0);
          mt_study_set_selected (study, chosen);
        }
    }
  g_assert_cmpuint (count_state (window, MT_RUN_DONE), ==, 4);
  for (guint i = 0; i < 4; i++)
    n += mt_run_get_points (run_at (window, i))->len;
  g_assert_cmpuint (g_list_model_get_n_items (points), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      g_assert_cmpuint (mt_frontier_item_get_point (item)->complexity, >=, previous);
      previous = mt_frontier_item_get_point (item)->complexity;
      g_assert_nonnull (mt_frontier_item_get_run (item));
    }
  g_assert_true (mt_study_get_selected (study) == chosen);
  g_assert_nonnull (mt_study_get_fitted (study));
  /* Two settings with two seeds each: two colours. */
  g_assert_cmpuint (mt_run_get_series (run_at (window, 0)), ==, mt_run_get_series (run_at (window, 1)));
  g_assert_cmpuint (mt_run_get_series (run_at (window, 0)), !=, mt_run_get_series (run_at (window, 2)));
  mt_app_settle (100);
  g_assert_cmpuint (count_rows (GTK_WIDGET (window)), ==, 4);
  g_object_unref (chosen);
  mt_app_window_end (window);
}

static MtFrontierItem *
selected_of (MtRun *run)
{
  return mt_run_get_points (run)->pdata[mt_run_get_selected (run)];
}

/* Trained again with other seeds, the rows are dealt out anew: what is recommended is what some deal recommends by
 * itself, and not a model that none of them would. */
static void
test_seeds (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  MtRunGrid grid = { .bits = { 2 }, .n_bits = 1, .n_seeds = 3 };
  MtRunSettings settings;
  MtFrontierItem *recommended;
  gboolean found = FALSE;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 5;
  settings.repeats = 1;
  mt_model_page_set_settings (model_page (window), &settings);
  mt_model_page_set_grid (model_page (window), &grid);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  recommended = mt_study_get_recommended (study);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (mt_run_shares_folds (run_at (window, i), run_at (window, 0)) == (i == 0));
      g_test_message ("%u: %u", i, mt_frontier_item_get_point (selected_of (run_at (window, i)))->complexity);
      found |= selected_of (run_at (window, i)) == recommended;
    }
  g_test_message ("of all: %u", mt_frontier_item_get_point (recommended)->complexity);
  g_assert_true (found);
  mt_app_window_end (window);
}

/* Runs that share their folds are compared fold by fold: no smaller model is within one paired error of the best. */
static void
test_shared_folds (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  MtFrontierItem *recommended, *best = NULL;
  const double *own, *theirs;
  guint n, n_best;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  choose_small_grid (window, 1);   /* two runs, of 2 and of 4 bits */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  g_assert_true (mt_run_shares_folds (run_at (window, 0), run_at (window, 1)));
  recommended = mt_study_get_recommended (study);
  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      if (mt_frontier_item_get_point (item)->complexity <= 20 &&
          (best == NULL || mt_frontier_item_get_point (item)->cv_mean > mt_frontier_item_get_point (best)->cv_mean))
        best = item;   /* the list keeps it */
    }
  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      double mean, se;

      if (mt_frontier_item_get_point (item)->complexity > mt_frontier_item_get_point (recommended)->complexity)
        break;
      theirs = mt_frontier_item_get_scores (best, &n_best);
      own = mt_frontier_item_get_scores (item, &n);
      g_assert_cmpuint (n, ==, n_best);
      mt_frontier_mean_and_error (theirs, own, n, 3, &mean, &se);
      g_assert_true (item != recommended || mean <= se);
      if (mt_frontier_item_get_point (item)->complexity < mt_frontier_item_get_point (recommended)->complexity)
        g_assert_cmpfloat (mean, >, se);
    }
  mt_app_window_end (window);
}

static gboolean
has_compared (gpointer window)
{
  return mt_compare_panel_get_comparing (MT_COMPARE_PANEL (mt_app_find (window, MT_TYPE_COMPARE_PANEL, NULL))) != NULL;
}

static gboolean
has_benchmarks (gpointer window)
{
  return mt_app_find (mt_app_find (window, MT_TYPE_FRONTIER_PAGE, NULL), GTK_TYPE_LABEL, "Intercept only") != NULL;
}

/* A project of two runs: what they recommend together, two that are compared and the benchmarks are there again, and so
 * they are when roles have changed since. Its models are read after it is shown. */
static void
test_several_again (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) project = mt_app_write ("several.minterm", "");
  guint recommended, selected = 0;

  g_file_delete (project, NULL, NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  choose_small_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  recommended = mt_frontier_item_get_point (mt_study_get_recommended (study))->complexity;
  for (guint i = 2; i <= 3; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (study), i);

      mt_study_pin (study, item);
      mt_study_set_selected (study, item);
      selected = mt_frontier_item_get_point (item)->complexity;
    }
  mt_app_wait (has_compared, window);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Saved as several.minterm"));
  for (guint round = 0; round < 2; round++)
    {
      mt_document_set_role (mt_window_get_document (window), 2, round == 0 ? MT_ROLE_FEATURE : MT_ROLE_IGNORED);
      mt_app_wait (is_saved, window);
      mt_app_window_end (window);
      window = mt_app_window_new (1200, 800);
      study = mt_window_get_study (window);
      mt_window_open (window, project);
      mt_app_wait (has_compared, window);
      mt_app_wait (has_benchmarks, window);
      g_assert_true (mt_run_shares_folds (run_at (window, 0), run_at (window, 1)));
      g_assert_cmpuint (mt_frontier_item_get_point (mt_study_get_recommended (study))->complexity, ==, recommended);
      g_assert_cmpuint (mt_frontier_item_get_point (mt_study_get_selected (study))->complexity, ==, selected);
    }
  /* The other of the two need not be chosen again. */
  g_assert_null (mt_study_get_compared (study));
  gtk_widget_activate_action (mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL), "rules.mode", "s", "compare");
  g_assert_true (mt_study_get_compared (study) == mt_study_get_pin (study, 0));
  mt_app_window_end (window);
}

/* Stopped: finished runs stay, the others wait for resume. */
static void
test_stop_and_resume (void)
{
  MtWindow *window = open_table ("resume.csv");
  MtStudy *study = mt_window_get_study (window);

  choose_small_grid (window, 3);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (count_state (window, MT_RUN_DONE) < 2)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  g_assert_false (mt_study_is_running (study));
  g_assert_cmpuint (count_state (window, MT_RUN_DONE), ==, 2);
  g_assert_cmpuint (count_state (window, MT_RUN_STOPPED), ==, 4);
  g_assert_nonnull (mt_study_get_selected (study));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
  g_assert_true (mt_study_is_running (study));
  mt_app_wait_trained (window);
  g_assert_cmpuint (count_state (window, MT_RUN_DONE), ==, 6);
  mt_app_window_end (window);
}

static gboolean
is_refining_folds (gpointer window)
{
  MtRun *run = run_at (window, 0);

  return mt_run_get_progress (run)->phase == MT_RUN_PHASE_FOLDS || mt_run_get_state (run) != MT_RUN_RUNNING;
}

static gboolean
has_points (gpointer window)
{
  return mt_study_get_selected (mt_window_get_study (window)) != NULL;
}

/* Stopped once the rules are there and folds still judge them: the rules are kept. */
static void
test_keep_partial (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (is_refining_folds, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_STOPPED);
  mt_app_wait (has_points, window);
  g_assert_nonnull (mt_study_get_fitted (mt_window_get_study (window)));
  g_assert_false (mt_run_can_resume (run_at (window, 0)));
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
}

/* A run that fails says why, and the next one is not held up by it. */
static void
test_failure (void)
{
  MtWindow *window = open_table ("failure.csv");
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
  g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_FAILED);
  g_assert_nonnull (mt_run_get_error (run_at (window, 0)));
  g_assert_cmpint (mt_run_get_state (run_at (window, 1)), ==, MT_RUN_DONE);
  mt_app_settle (60);
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
  window = open_table ("lost-device.csv");
  train_on_gpu (window, 12);
  g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_FAILED);
  g_assert_error (mt_run_get_error (run_at (window, 0)), MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (mt_run_get_error (run_at (window, 0))->message, "from the end of epoch"));
  /* The curve has a metric, which the device has measured. */
  epochs = mt_run_get_epochs (run_at (window, 0));
  g_assert_cmpuint (epochs->len, >, 0);
  g_assert_true (isfinite (g_array_index (epochs, MtRunEpoch, epochs->len - 1).metric));
  mt_app_settle (60);
  button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Continue on the CPU");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (mt_study_is_running (mt_window_get_study (window)));
  mt_app_wait_trained (window);
  g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_DONE);
  g_assert_cmpint (mt_run_get_settings (run_at (window, 0))->device, ==, MT_DEVICE_CPU);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");
  mt_app_window_end (window);
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
    { 12040, 1, 1 << 30, "the NVIDIA driver knows CUDA 12.4" },
    { 13000, 0, 1 << 30, "found no device" },
    { 13000, 1, 20000, "too little free memory" },
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
      MtWindow *window = open_table ("no-device.csv");
      GtkWidget *button;

      pretend (cases[i].driver, cases[i].n_devices);
      pretend_memory (cases[i].memory);
      train_on_gpu (window, 2);
      g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_FAILED);
      g_assert_error (mt_run_get_error (run_at (window, 0)), MT_ERROR, MT_ERROR_DEVICE);
      g_test_message ("%s", mt_run_get_error (run_at (window, 0))->message);
      g_assert_nonnull (strstr (mt_run_get_error (run_at (window, 0))->message, cases[i].told));
      mt_app_settle (60);
      button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Continue on the CPU");
      g_assert_true (button != NULL && gtk_widget_get_mapped (button));
      g_signal_emit_by_name (button, "clicked");
      mt_app_wait_trained (window);
      g_assert_cmpint (mt_run_get_state (run_at (window, 0)), ==, MT_RUN_DONE);
      g_assert_cmpint (mt_run_get_settings (run_at (window, 0))->device, ==, MT_DEVICE_CPU);
      mt_app_window_end (window);
    }
  pretend (13000, 1);
  pretend_memory ((gsize) 1 << 30);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_module_close (module);
}

/* What must not be used is not used. */
static void
test_constraints (void)
{
  MtWindow *window = open_table ("constraints.csv");
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  MtRunSettings settings;
  MtBasis *basis;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_constraints_set_banned (constraints, "a", TRUE);
  mt_run_settings_set_constraints (&settings, constraints);
  mt_model_page_set_settings (model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  basis = mt_run_get_basis (run_at (window, 0));
  g_assert_cmpuint (mt_encoder_get_n_columns (basis->encoder), ==, 2);
  mt_app_window_end (window);
}

/* --- leaving --- */

/* Results without a name are asked about; a window at work asks first whether to stop. */
static void
test_leave (void)
{
  MtWindow *window = open_table ("leave.csv");
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) other = write_table ("other.csv");
  g_autofree char *uri = g_file_get_uri (other);

  choose_small_grid (window, 50);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (count_state (window, MT_RUN_DONE) < 1)
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

/* --- charts --- */

static gboolean
is_written (gpointer file)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, "standard::size", 0, NULL, NULL);

  return info != NULL && g_file_info_get_size (info) > 0;
}

/* The charts of a run as each kind of picture; a name that says nothing is refused with a word. */
static void
test_export_charts (void)
{
  static const struct {
    const char *name;
    const char *begins;
  } kinds[] = { { "charts.svg", "<?xml" }, { "charts.png", "\x89PNG" }, { "charts.pdf", "%PDF-" } };
  MtWindow *window = open_table ("charts.csv");
  g_autoptr (GFile) odd = mt_app_write ("charts.txt", "");
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 6;
  settings.folds = 3;
  mt_model_page_set_settings (model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = mt_app_write (kinds[i].name, "");
      g_autofree char *text = NULL;

      mt_window_export_charts (window, file);
      mt_app_wait (is_written, file);
      g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, kinds[i].begins));
    }
  mt_window_export_charts (window, odd);
  mt_app_answer (window, "close");
  mt_app_window_end (window);
}

/* --- in a project --- */

/* Curves and scores as a text, and back bit by bit; what is no such text is refused. */
static void
test_curves_text (void)
{
  MtWindow *window = open_table ("text.csv");
  MtRunSettings settings;
  MtRun *run;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autofree char *longer = NULL;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 5;
  settings.folds = 3;
  mt_model_page_set_settings (model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  run = run_at (window, 0);
  text = mt_run_curves_to_text (run);
  g_assert_true (mt_run_curves_from_text (run, text));
  g_assert_cmpuint (mt_run_get_epochs (run)->len, ==, 5);
  again = mt_run_curves_to_text (run);
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
  MtWindow *window = open_table ("reopen.csv"), *second;
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) folder = g_file_get_parent (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GFile) project = g_file_get_child (folder, "reopen.minterm");
  g_autoptr (MtFrontierItem) chosen = NULL;
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (double));
  MtFrontierPoint point;
  gsize n_rows;
  guint n_points, place = 1, n_visits, n_scores;

  choose_small_grid (window, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  while (count_state (window, MT_RUN_DONE) < 1)
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
  n_visits = mt_run_get_visits (run_at (window, 0))->len;
  mt_app_wait (is_saved, window);

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
  mt_app_wait (is_saved, window);
  g_assert_cmpstr (visible_page (window), ==, "frontier");
  g_assert_cmpuint (count_state (window, MT_RUN_DONE), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points);
  g_assert_cmpuint (mt_model_page_get_grid (model_page (window))->n_seeds, ==, 2);
  g_assert_cmpuint (mt_model_page_get_settings (model_page (window))->folds, ==, 3);
  g_assert_false (mt_study_is_stale (study, mt_document_get_table (mt_window_get_document (window))));
  {
    const MtFitted *fitted = mt_study_get_fitted (study);
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
  g_assert_cmpuint (mt_run_get_visits (run_at (window, 0))->len, ==, n_visits);
  g_assert_nonnull (mt_frontier_item_get_scores (point_at (window, 2), &n_scores));
  g_assert_cmpuint (n_scores, >=, 3);
  /* And it goes on from there. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1200, 800);
  mt_window_open (window, project);
  mt_app_wait (is_fitted, window);
  g_assert_cmpuint (count_state (window, MT_RUN_DONE), ==, 5);
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
  MtWindow *window = open_table ("watched.csv");
  g_autoptr (GFile) again = NULL;

  mt_app_settle (50);
  g_assert_false (is_noticed (window));
  again = write_table ("watched.csv");
  mt_app_wait (is_noticed, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_wait (is_put_away, window);
  mt_app_window_end (window);
}

static gboolean
is_failed (gpointer window)
{
  return count_state (window, MT_RUN_FAILED) == 1;
}

/* The kind of a failure comes back, and in another language it is said anew. */
static void
test_failure_kept (void)
{
  g_autoptr (GFile) csv = mt_app_write ("one-class.csv", "x,y\n1,same\n2,same\n3,same\n4,same\n5,same\n6,same\n");
  g_autoptr (GFile) folder = g_file_get_parent (csv);
  g_autoptr (GFile) project = g_file_get_child (folder, "one-class.minterm");
  g_autoptr (GError) foreign = mt_run_failure_from_text ("numeric xx", "zort");
  g_autoptr (GError) strange = mt_run_failure_from_text ("zort", "zort");
  g_autoptr (GError) before = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_TARGET);
  mt_window_save_as (window, project);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  before = g_error_copy (mt_run_get_error (run_at (window, 0)));
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait (is_failed, window);
  mt_app_wait (is_saved, window);
  g_assert_error (mt_run_get_error (run_at (window, 0)), MT_ERROR, before->code);
  g_assert_cmpstr (mt_run_get_error (run_at (window, 0))->message, ==, before->message);
  mt_app_window_end (window);
  g_assert_error (foreign, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_cmpstr (foreign->message, ==, "A loss was not finite. (“zort”)");
  g_assert_error (strange, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (strange->message, ==, "zort");
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/train/curves", test_curves);
  g_test_add_func ("/app/train/regression", test_regression);
  g_test_add_func ("/app/train/split", test_split);
  g_test_add_func ("/app/train/again", test_again);
  g_test_add_func ("/app/train/sweep", test_sweep);
  g_test_add_func ("/app/train/seeds", test_seeds);
  g_test_add_func ("/app/train/shared-folds", test_shared_folds);
  g_test_add_func ("/app/train/several-again", test_several_again);
  g_test_add_func ("/app/train/stop-and-resume", test_stop_and_resume);
  g_test_add_func ("/app/train/keep-partial", test_keep_partial);
  g_test_add_func ("/app/train/failure", test_failure);
  g_test_add_func ("/app/train/lost-device", test_lost_device);
  g_test_add_func ("/app/train/constraints", test_constraints);
  g_test_add_func ("/app/train/no-device", test_no_device);
  g_test_add_func ("/app/train/leave", test_leave);
  g_test_add_func ("/app/train/reopen", test_reopen);
  g_test_add_func ("/app/train/failure-kept", test_failure_kept);
  g_test_add_func ("/app/train/curves-text", test_curves_text);
  g_test_add_func ("/app/train/export-charts", test_export_charts);
  g_test_add_func ("/app/train/source-changed", test_source_changed);
  return g_test_run ();
}
