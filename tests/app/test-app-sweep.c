/* Many runs in the real window: their points are one frontier, and what it recommends is what their folds say. */
#include "config.h"

#include "widgets/mt-compare-panel.h"
#include "study/mt-frontier-item.h"
#include "frontier/mt-frontier-page.h"
#include "frontier/mt-plot-view.h"
#include "rules/mt-rules-page.h"
#include "train/mt-run-row.h"
#include "train-window.h"

static guint
count_rows (GtkWidget *top)
{
  guint n = MT_IS_RUN_ROW (top) && gtk_widget_get_mapped (top);

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_rows (child);
  return n;
}

static guint
series_of (MtWindow *window,
           guint     index)
{
  return mt_run_get_series (mt_train_window_get_run (window, index));
}

/* The points of all runs are one list, each knows its run, and a point that was chosen stays chosen. */
static void
test_sweep (void)
{
  MtWindow *window = mt_train_window_open ("sweep.csv");
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  MtFrontierItem *chosen = NULL;
  guint n = 0, previous = 0;

  mt_train_window_choose_grid (window, 2);
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
  g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 4);
  for (guint i = 0; i < 4; i++)
    n += mt_run_get_points (mt_train_window_get_run (window, i))->len;
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
  /* Two settings with two seeds each: two colours, whose names do not speak of one seed. */
  g_assert_cmpuint (series_of (window, 0), ==, series_of (window, 1));
  g_assert_cmpuint (series_of (window, 0), !=, series_of (window, 2));
  mt_app_settle (100);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "2 bits · 2 seeds"));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "4 bits · 2 seeds"));
  g_assert_cmpuint (count_rows (GTK_WIDGET (window)), ==, 4);
  g_object_unref (chosen);
  mt_app_window_end (window);
}

static MtFrontierItem *
selected_of (MtRun *run)
{
  return mt_run_get_points (run)->pdata[mt_run_get_selected (run)];
}

/* Five folds once: enough for the folds of each seed to recommend something. */
static void
sweep_sample (MtWindow        *window,
              const MtSweepGrid *grid)
{
  MtRunSettings settings;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 5;
  settings.repeats = 1;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  mt_model_page_set_grid (mt_train_window_model_page (window), grid);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
}

static guint
mark_of (MtWindow *window,
         guint     index)
{
  return mt_run_get_mark (mt_train_window_get_run (window, index));
}

static const char *
name_of (MtWindow *window,
         guint     index)
{
  return mt_run_get_name (mt_train_window_get_run (window, index));
}

static void
train_with (MtWindow  *window,
            MtLearner  learner,
            guint      bits)
{
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.learner = learner;
  settings.bits = bits;
  settings.folds = 2;
  settings.repeats = 1;
  settings.nodes = 4;
  settings.epochs = 5;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings, NULL);
  mt_app_wait_trained (window);
}

/* Each method has its own colour and shape, its name says which it is, and a picture of the plot has the legend, too. With
 * more kinds of runs than colours, colours and shapes are the methods'. */
static void
test_methods (void)
{
  MtWindow *window = mt_train_window_open ("methods.csv");
  MtPlotView *plot = mt_frontier_page_get_plot (MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE,
                                                                               NULL)));
  g_autoptr (MtPlotCopy) copy = NULL;

  for (guint learner = MT_LEARNER_TTSPARSE; learner <= MT_LEARNER_SEARCH; learner++)
    train_with (window, (MtLearner) learner, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (mark_of (window, i), ==, i);
  g_assert_true (g_str_has_prefix (name_of (window, 0), "TT-Sparse with search"));
  g_assert_true (g_str_has_prefix (name_of (window, 1), "TT-Sparse as in the paper"));
  g_assert_true (g_str_has_prefix (name_of (window, 2), "Search only"));
  mt_app_settle (100);
  copy = mt_plot_view_copy (plot);
  g_assert_cmpuint (copy->spec.n_legend, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, copy->spec.legend[i].label));
  g_clear_pointer (&copy, mt_plot_copy_free);

  train_with (window, MT_LEARNER_TTSPARSE, 2);
  g_assert_cmpuint (mark_of (window, 3), ==, 3);
  train_with (window, MT_LEARNER_SEARCH, 2);
  g_assert_cmpuint (series_of (window, 4), ==, 4);   /* these stay five … */
  g_assert_cmpuint (mark_of (window, 0), ==, MT_LEARNER_TTSPARSE);
  g_assert_cmpuint (mark_of (window, 1), ==, MT_LEARNER_PAPER);
  g_assert_cmpuint (mark_of (window, 3), ==, MT_LEARNER_TTSPARSE);
  g_assert_cmpuint (mark_of (window, 4), ==, MT_LEARNER_SEARCH);
  mt_app_settle (100);
  copy = mt_plot_view_copy (plot);
  g_assert_cmpuint (copy->spec.n_legend, ==, 3);     /* … and the legend names three */
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, copy->spec.legend[i].label));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Search only · 2 runs"));
  mt_app_window_end (window);
}

/* Runs with the same settings on other columns are not the same, and their names say how they differ. */
static void
test_columns (void)
{
  MtWindow *window = mt_train_window_open ("columns.csv");
  MtDocument *document = mt_window_get_document (window);
  MtTable *table = mt_document_get_table (document);
  g_autofree char *without = NULL;

  train_with (window, MT_LEARNER_SEARCH, 3);
  g_assert_cmpstr (name_of (window, 0), ==, "3 bits · seed 0");
  for (guint i = 0; i < mt_table_get_n_columns (table) && without == NULL; i++)
    if (mt_table_get_role (table, i) == MT_ROLE_FEATURE)
      {
        without = g_strdup_printf ("3 bits · seed 0 · without %s", mt_column_get_name (mt_table_get_column (table, i)));
        mt_document_set_role (document, i, MT_ROLE_IGNORED);
      }
  mt_app_wait_idle (window);
  train_with (window, MT_LEARNER_SEARCH, 3);
  g_assert_cmpstr (name_of (window, 0), ==, "3 bits · seed 0 · all columns");
  g_assert_cmpstr (name_of (window, 1), ==, without);
  g_assert_cmpuint (series_of (window, 0), !=, series_of (window, 1));
  mt_app_window_end (window);
}

/* Trained again with other seeds, the rows are dealt out anew: what is recommended is what some deal recommends by
 * itself, or no larger and better than that; and no other beats it. */
static void
test_seeds (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  MtSweepGrid grid = { .bits = { 2 }, .n_bits = 1, .n_seeds = 3 };
  MtFrontierItem *recommended;
  guint complexity;
  gboolean found = FALSE;

  sweep_sample (window, &grid);
  recommended = mt_study_get_recommended (study);
  complexity = mt_frontier_item_get_point (recommended)->complexity;
  for (guint i = 0; i < 3; i++)
    {
      MtRun *run = mt_train_window_get_run (window, i);

      g_assert_true (mt_run_shares_folds (run, mt_train_window_get_run (window, 0)) == (i == 0));
      g_test_message ("%u: %u", i, mt_frontier_item_get_point (selected_of (run))->complexity);
      found |= mt_frontier_item_get_point (selected_of (run))->complexity >= complexity &&
               mt_frontier_item_get_point (selected_of (run))->cv_mean <= mt_frontier_item_get_point (recommended)->cv_mean;
    }
  g_assert_false (mt_frontier_item_is_dominated (recommended));
  g_test_message ("of all: %u", complexity);
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
  mt_train_window_choose_grid (window, 1);   /* two runs, of 2 and of 4 bits */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  g_assert_true (mt_run_shares_folds (mt_train_window_get_run (window, 0), mt_train_window_get_run (window, 1)));
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

typedef struct {
  MtStudy *study;
  guint    complexity;
} Expected;

/* Until the scores of all folds are read, the errors of the points have to do, and another may be the one. */
static gboolean
recommends (gpointer data)
{
  const Expected *expected = data;

  return mt_frontier_item_get_point (mt_study_get_recommended (expected->study))->complexity == expected->complexity;
}

/* A project of two runs: what they recommend together, two that are compared and the benchmarks are there again, and so
 * they are when roles have changed since. Its models are read after it is shown. */
static void
test_several_again (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) project = mt_app_write ("several.minterm", "");
  Expected recommended = { study };
  guint selected = 0;

  g_file_delete (project, NULL, NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_train_window_choose_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  recommended.complexity = mt_frontier_item_get_point (mt_study_get_recommended (study))->complexity;
  for (guint i = 2; i <= 3; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (study), i);

      mt_study_pin (study, item);
      mt_study_set_selected (study, item);
      selected = mt_frontier_item_get_point (item)->complexity;
    }
  mt_app_wait (has_compared, window);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Saved as “several.minterm”"));
  for (guint round = 0; round < 2; round++)
    {
      mt_document_set_role (mt_window_get_document (window), 2, round == 0 ? MT_ROLE_FEATURE : MT_ROLE_IGNORED);
      mt_app_wait (mt_train_window_is_saved, window);
      mt_app_window_end (window);
      window = mt_app_window_new (1200, 800);
      study = mt_window_get_study (window);
      mt_window_open (window, project);
      mt_app_wait (has_compared, window);
      mt_app_wait (has_benchmarks, window);
      g_assert_true (mt_run_shares_folds (mt_train_window_get_run (window, 0), mt_train_window_get_run (window, 1)));
      recommended.study = study;
      mt_app_wait (recommends, &recommended);
      g_assert_cmpuint (mt_frontier_item_get_point (mt_study_get_selected (study))->complexity, ==, selected);
    }
  /* The two that are pinned need not be chosen again. */
  g_assert_null (mt_study_get_compared (study));
  gtk_widget_activate_action (mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL), "rules.mode", "s", "compare");
  g_assert_true (mt_study_get_base (study) == mt_study_get_pin (study, 0));
  g_assert_true (mt_study_get_compared (study) == mt_study_get_pin (study, 1));
  mt_app_window_end (window);
}

static gboolean
is_read (gpointer window)
{
  guint n = g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))), n_read = 0;

  for (guint i = 0; i < n; i++)
    n_read += !mt_run_is_being_read (mt_train_window_get_run (window, i));
  return n > 0 && n_read == n;
}

/* Two settings with two seeds each, as a project: every run knows again what its own folds recommend, and so does
 * the study what all of them do. The benchmarks are there, though the model on show is judged by other folds. */
static void
test_seeds_again (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  MtStudy *study = mt_window_get_study (window);
  MtSweepGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = 2 };
  g_autoptr (GFile) project = mt_app_write ("seeds.minterm", "");
  Expected recommended = { study };
  MtRun *other = NULL;
  guint selected[4];

  g_file_delete (project, NULL, NULL);
  sweep_sample (window, &grid);
  recommended.complexity = mt_frontier_item_get_point (mt_study_get_recommended (study))->complexity;
  g_assert_cmpuint (recommended.complexity, >, 1);
  for (guint i = 0; i < G_N_ELEMENTS (selected); i++)
    {
      MtRun *run = mt_train_window_get_run (window, i);

      selected[i] = mt_run_get_selected (run);
      if (!mt_run_shares_folds (run, mt_frontier_item_get_run (mt_study_get_recommended (study))))
        other = run;
    }
  mt_study_set_selected (study, selected_of (other));
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  recommended.study = study = mt_window_get_study (window);
  mt_window_open (window, project);
  mt_app_wait (is_read, window);
  for (guint i = 0; i < G_N_ELEMENTS (selected); i++)
    {
      g_assert_true (mt_run_knows_selected (mt_train_window_get_run (window, i)));
      g_assert_cmpuint (mt_run_get_selected (mt_train_window_get_run (window, i)), ==, selected[i]);
    }
  mt_app_wait (recommends, &recommended);
  mt_app_settle (300);
  g_assert_true (recommends (&recommended));
  g_assert_false (mt_run_shares_folds (mt_frontier_item_get_run (mt_study_get_selected (study)),
                                       mt_frontier_item_get_run (mt_study_get_recommended (study))));
  mt_app_wait (has_benchmarks, window);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/sweep/methods", test_methods);
  g_test_add_func ("/app/sweep/columns", test_columns);
  g_test_add_func ("/app/sweep/sweep", test_sweep);
  g_test_add_func ("/app/sweep/seeds", test_seeds);
  g_test_add_func ("/app/sweep/shared-folds", test_shared_folds);
  g_test_add_func ("/app/sweep/several-again", test_several_again);
  g_test_add_func ("/app/sweep/seeds-again", test_seeds_again);
  return g_test_run ();
}
