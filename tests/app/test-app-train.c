/* One run in the real window and what is seen of it; what was trained is not trained again. */
#include "config.h"

#include <math.h>

#include "heartbeat.h"
#include "train/mt-curves-table.h"
#include "train/mt-curves-view.h"
#include "train/mt-train-charts.h"
#include "train/mt-train-page.h"
#include "train-window.h"

/* With a network there is a curve of every epoch; in any case the path of dropped rules and all folds. */
static void
test_curves (void)
{
  MtWindow *window = mt_train_window_open ("curves.csv");
  MtRunSettings settings;
  guint least = G_MAXUINT;
  MtRun *run;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 12;
  settings.folds = 3;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  g_assert_cmpstr (mt_train_window_get_page (window), ==, "train");
  mt_app_wait_trained (window);
  run = mt_train_window_get_run (window, 0);
  g_assert_cmpint (mt_run_get_state (run), ==, MT_RUN_DONE);
  g_assert_cmpuint (mt_run_get_epochs (run)->len, ==, 12);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpfloat (g_array_index (mt_run_get_epochs (run), MtRunEpoch, i).train_loss, >, 0);
  g_assert_cmpuint (mt_run_get_visits (run)->len, >, 1);
  for (guint i = 0; i < mt_run_get_visits (run)->len; i++)
    least = MIN (least, g_array_index (mt_run_get_visits (run), MtRunVisit, i).complexity);
  g_assert_cmpuint (least, ==, 1);
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
  MtWindow *window = mt_train_window_open ("regression.csv");
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
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  run = mt_train_window_get_run (window, 0);
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

static void
assert_cell (GtkWidget  *table,
             guint       line,
             guint       column,
             double      value)
{
  g_autofree char *cell = mt_curves_table_dup_cell (MT_CURVES_TABLE (table), line, column);
  g_autofree char *text = !isfinite (value) ? g_strdup ("–")
                          : g_strdup_printf (column == 0 ? "%.0f" : "%.5f", value);

  g_assert_cmpstr (cell, ==, text);
  /* It is on the screen, in a row of a table. */
  if (gtk_widget_get_mapped (table) && line < 3)
    g_assert_nonnull (mt_app_find (table, GTK_TYPE_LABEL, text));
}

/* What the charts draw is in tables, too: nothing is filled while these are closed, then all of it, and what comes
 * meanwhile. */
static void
test_tables (void)
{
  MtWindow *window = mt_train_window_open ("tables.csv");
  GtkWidget *charts = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_CHARTS, NULL);
  GtkWidget *expander = mt_app_find (charts, GTK_TYPE_EXPANDER, NULL), *focus;
  g_autoptr (GPtrArray) tables = mt_app_find_all (gtk_expander_get_child (GTK_EXPANDER (expander)), MT_TYPE_CURVES_TABLE);
  const MtRunEpoch none = { NAN, NAN, NAN };
  MtRunSettings settings;
  MtHeartbeat *heart;
  MtRun *run;
  MtCurvesSpec spec;
  guint n = 0;

  g_assert_cmpuint (tables->len, ==, 2);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 300;
  settings.folds = 3;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  run = mt_train_window_get_run (window, 0);
  mt_app_wait (has_epochs, run);
  mt_app_wait_painted (charts);   /* the page itself is there */
  g_assert_cmpuint (mt_curves_table_get_n (tables->pdata[0]), ==, 0);   /* closed */
  g_assert_true (gtk_widget_grab_focus (expander));
  gtk_widget_activate (expander);   /* the space bar */
  g_assert_true (gtk_expander_get_expanded (GTK_EXPANDER (expander)));
  heart = mt_heartbeat_start ();
  mt_app_wait_trained (window);
  mt_app_settle (100);
  mt_heartbeat_stop (heart, "train beside open tables", MT_HEARTBEAT_LIMIT);
  g_assert_cmpuint (mt_curves_table_get_n (tables->pdata[0]), ==, mt_run_get_epochs (run)->len);
  for (guint i = 0; i < mt_run_get_epochs (run)->len; i++)
    {
      const MtRunEpoch *epoch = &g_array_index (mt_run_get_epochs (run), MtRunEpoch, i);

      assert_cell (tables->pdata[0], i, 0, i + 1);
      assert_cell (tables->pdata[0], i, 1, epoch->train_loss);
      assert_cell (tables->pdata[0], i, 2, epoch->valid_loss);
      assert_cell (tables->pdata[0], i, 3, epoch->metric);
    }
  /* The other one has what its chart draws, the bare end last. */
  g_autoptr (GPtrArray) views = mt_app_find_all (charts, MT_TYPE_CURVES_VIEW);

  g_assert_true (mt_curves_view_copy (views->pdata[2], &spec));
  for (guint i = spec.curves[0].n; i-- > 0;)
    if (isfinite (spec.curves[0].y[i]))
      {
        assert_cell (tables->pdata[1], n, 0, i + 1);
        assert_cell (tables->pdata[1], n++, 1, spec.curves[0].y[i]);
      }
  g_assert_cmpuint (mt_curves_table_get_n (tables->pdata[1]), ==, n);
  mt_curves_spec_clear (&spec);

  /* Reached with Tab, and left with it. */
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD));
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (gtk_widget_is_ancestor (focus, tables->pdata[0]));
  for (guint i = 0; i < 20 && gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), expander); i++)
    gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  g_assert_false (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), expander));

  /* Another network begins: fewer lines, other values. */
  g_array_set_size (mt_run_get_epochs (run), 1);
  g_array_index (mt_run_get_epochs (run), MtRunEpoch, 0).train_loss = 0.125;
  g_array_append_val (mt_run_get_epochs (run), none);
  mt_train_charts_show (MT_TRAIN_CHARTS (charts), run);
  mt_app_settle (60);
  g_assert_cmpuint (mt_curves_table_get_n (tables->pdata[0]), ==, 2);
  assert_cell (tables->pdata[0], 0, 1, 0.125);
  assert_cell (tables->pdata[0], 1, 1, NAN);
  gtk_widget_activate (expander);
  g_assert_cmpuint (mt_curves_table_get_n (tables->pdata[0]), ==, 0);

  /* A long run at once. */
  for (guint i = 1; i < 2000; i++)
    g_array_append_vals (mt_run_get_epochs (run), &(MtRunEpoch) { 1.0 / i, 2.0 / i, 0.5 }, 1);
  mt_train_charts_show (MT_TRAIN_CHARTS (charts), run);
  mt_app_settle (100);
  heart = mt_heartbeat_start ();
  gtk_widget_activate (expander);
  mt_app_settle (2500);
  mt_heartbeat_stop (heart, "open the tables of a long run", MT_HEARTBEAT_LIMIT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (mt_app_find (tables->pdata[0], GTK_TYPE_COLUMN_VIEW, NULL))))), ==, 2001);
  mt_app_window_end (window);
}

static gboolean
is_told (GtkWidget  *page,
         const char *name)
{
  GtkWidget *label = mt_app_find (page, GTK_TYPE_LABEL, name);

  return label != NULL && gtk_widget_get_mapped (label);
}

/* Whatever a run is at, it is said how far that is; and how fast where that is known. */
static void
test_facts (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  gboolean judged = FALSE;
  MtRun *run;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_painted (page);
  run = mt_train_window_get_run (window, 0);
  while (mt_run_get_state (run) == MT_RUN_RUNNING)
    {
      const MtRunProgress *progress = mt_run_get_progress (run);
      MtRunPhase phase = progress->phase;
      gboolean told = phase == MT_RUN_PHASE_ENCODE ? is_told (page, "Rows to encode")
                      : phase == MT_RUN_PHASE_TRAIN ? is_told (page, "Epoch")
                      : phase == MT_RUN_PHASE_REFINE ? is_told (page, "Literals left") ||
                                                       is_told (page, "Rules from all rows")
                      : is_told (page, "Folds done");

      g_assert_true (told);
      if ((phase == MT_RUN_PHASE_TRAIN && progress->rows_per_second > 0) ||
          (phase == MT_RUN_PHASE_REFINE && progress->models_per_second > 0))
        g_assert_true (is_told (page, "Speed"));
      judged |= phase == MT_RUN_PHASE_FOLDS;
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_true (judged);
  g_assert_cmpfloat (mt_run_get_progress (run)->models_per_second, >, 0);
  mt_app_wait_trained (window);
  mt_app_wait (mt_train_window_is_saved, window);
  mt_app_window_end (window);
}

/* Rows kept for the test take no part. */
static void
test_split (void)
{
  MtWindow *window = mt_train_window_open ("split.csv");
  MtRunData *basis;

  mt_train_window_choose_grid (window, 1);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  basis = mt_run_get_basis (mt_train_window_get_run (window, 0));
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
  MtWindow *window = mt_train_window_open ("again.csv");
  GListModel *runs = mt_study_get_runs (mt_window_get_study (window));
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  MtStudyProgress progress;

  mt_train_window_choose_grid (window, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);   /* a second press */
  mt_app_wait_trained (window);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 4);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  g_assert_false (mt_study_is_running (mt_window_get_study (window)));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 4);
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (page, GTK_TYPE_LABEL, "4 finished"));

  mt_train_window_choose_grid (window, 3);   /* two of six are new */
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

/* What must not be used is not used. */
static void
test_constraints (void)
{
  MtWindow *window = mt_train_window_open ("constraints.csv");
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  MtRunSettings settings;
  MtRunData *basis;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_constraints_set_banned (constraints, "a", TRUE);
  mt_run_settings_set_constraints (&settings, constraints);
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  basis = mt_run_get_basis (mt_train_window_get_run (window, 0));
  g_assert_cmpuint (mt_encoder_get_n_columns (basis->encoder), ==, 2);
  mt_app_window_end (window);
}

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
  MtWindow *window = mt_train_window_open ("charts.csv");
  g_autoptr (GFile) odd = mt_app_write ("charts.txt", "");
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.restarts = 1;
  settings.epochs = 6;
  settings.folds = 3;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
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

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/train/curves", test_curves);
  g_test_add_func ("/app/train/regression", test_regression);
  g_test_add_func ("/app/train/tables", test_tables);
  g_test_add_func ("/app/train/facts", test_facts);
  g_test_add_func ("/app/train/split", test_split);
  g_test_add_func ("/app/train/again", test_again);
  g_test_add_func ("/app/train/constraints", test_constraints);
  g_test_add_func ("/app/train/export-charts", test_export_charts);
  return g_test_run ();
}
