/* The Quality page: figures of folds, training rows and test rows, and the cutoff. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "apputils.h"
#include "document/mt-subgroup-columns.h"
#include "performance/mt-over-time-card.h"
#include "widgets/mt-chart-view.h"
#include "performance/mt-cutoff-picker.h"
#include "performance/mt-performance-page.h"
#include "performance/mt-subgroup-card.h"
#include "rules-window.h"
#include "study/mt-study.h"

static MtPerformancePage *
page_of (MtWindow *window)
{
  return MT_PERFORMANCE_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_PERFORMANCE_PAGE, NULL));
}

static gboolean
is_measured (gpointer page)
{
  return mt_performance_page_get (page) != NULL && !mt_performance_page_is_busy (page);
}

static MtPerformancePage *
show (MtWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "performance");
  mt_app_wait (is_measured, page_of (window));
  return page_of (window);
}

static void
press (MtWindow   *window,
       const char *label)
{
  GtkWidget *button = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_TOGGLE_BUTTON, label);

  g_assert_nonnull (button);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
}

static double
cutoff_of (MtWindow *window)
{
  return mt_rule_set_get_cutoff (mt_study_get_fitted (mt_window_get_study (window))->point.rules);
}

static guint
count_charts (MtWindow *window)
{
  g_autoptr (GPtrArray) views = mt_app_find_all (page_of (window), MT_TYPE_CHART_VIEW);
  guint n = 0;

  for (guint i = 0; i < views->len; i++)
    n += gtk_widget_get_mapped (views->pdata[i]);
  return n;
}

/* Every task has its charts, and what the page shows is what core says of the model. */
static void
test_tasks (void)
{
  static const struct { const char *target; guint n_charts; } tasks[] = { { "answer", 4 }, { "level", 4 }, { "amount", 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      MtWindow *window = mt_rules_window_open (tasks[i].target, 1200);
      MtSelectedModel *fitted;
      const MtPerformance *shown;
      double train;

      show (window);
      g_assert_cmpuint (count_charts (window), ==, tasks[i].n_charts);
      shown = mt_performance_page_get (page_of (window));
      g_assert_cmpuint (shown->rows, ==, MT_PERFORMANCE_FOLDS);
      press (window, "T_raining Rows");
      mt_app_wait (is_measured, page_of (window));
      shown = mt_performance_page_get (page_of (window));
      g_assert_cmpuint (shown->rows, ==, MT_PERFORMANCE_TRAINING);
      fitted = mt_study_get_fitted (mt_window_get_study (window));
      train = mt_rule_set_metric (fitted->point.rules, fitted->basis->encoded, fitted->basis->rows->values);
      for (guint m = 0; m < shown->how.n_metrics; m++)
        if (shown->how.metrics[m] == MT_METRIC_AUC || shown->how.metrics[m] == MT_METRIC_R2)
          g_assert_cmpfloat_with_epsilon (shown->metrics[m], train, 1e-12);
      mt_app_window_end (window);
    }
}

/* Test rows are shown only after a question, once a model. */
static void
test_test_rows (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtPerformancePage *page = show (window);

  if (mt_study_get_fitted (mt_window_get_study (window))->basis->test == NULL)
    {
      g_test_skip ("this window holds no test rows out");
      mt_app_window_end (window);
      return;
    }
  press (window, "_Test Rows");
  mt_app_answer (window, "cancel");
  g_assert_cmpuint (mt_performance_page_get (page)->rows, ==, MT_PERFORMANCE_FOLDS);
  press (window, "_Test Rows");
  mt_app_answer (window, "show");
  mt_app_wait (is_measured, page);
  g_assert_cmpuint (mt_performance_page_get (page)->rows, ==, MT_PERFORMANCE_TEST);
  press (window, "_Folds");
  mt_app_wait (is_measured, page);
  press (window, "_Test Rows");     /* it was said yes */
  g_assert_null (mt_app_find_question (window));
  mt_app_wait (is_measured, page);
  g_assert_cmpuint (mt_performance_page_get (page)->rows, ==, MT_PERFORMANCE_TEST);
  mt_app_window_end (window);
}

static gboolean
has_cutoff (gpointer window)
{
  return cutoff_of (window) != MT_CUTOFF;
}

static gboolean
has_no_cutoff (gpointer window)
{
  return cutoff_of (window) == MT_CUTOFF;
}

static void
choose (MtWindow *window,
        double    cutoff)
{
  MtCutoffPicker *picker = MT_CUTOFF_PICKER (mt_app_find (GTK_WIDGET (page_of (window)), MT_TYPE_CUTOFF_PICKER, NULL));
  GtkWidget *spin = mt_app_find (GTK_WIDGET (picker), GTK_TYPE_SPIN_BUTTON, NULL);
  GtkWidget *button = mt_app_find (GTK_WIDGET (picker), GTK_TYPE_BUTTON, "_Set Cutoff");

  g_assert_false (gtk_widget_get_sensitive (button));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), cutoff);
  g_assert_cmpfloat_with_epsilon (mt_cutoff_picker_get (picker), cutoff, 1e-9);
  g_assert_cmpfloat (cutoff_of (window), ==, MT_CUTOFF);     /* a preview */
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  mt_app_wait (has_cutoff, window);
}

/* The figures are those of the new cutoff, and no longer of the old. */
static gboolean
is_measured_by_it (gpointer page)
{
  return is_measured (page) && fabs (mt_performance_page_get (page)->scored.cutoff - 0.3) < 1e-9;
}

static void
test_cutoff (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);

  show (window);
  choose (window, 0.3);
  g_assert_cmpfloat_with_epsilon (cutoff_of (window), 0.3, 1e-9);
  mt_app_wait (is_measured_by_it, page_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  mt_app_wait (has_no_cutoff, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.redo", NULL);
  mt_app_wait (has_cutoff, window);
  g_assert_cmpfloat_with_epsilon (cutoff_of (window), 0.3, 1e-9);
  mt_app_window_end (window);
}

static gboolean
has_model (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

static gboolean
is_written (gpointer window)
{
  return !mt_window_is_saving (window);
}

/* A project keeps it. */
static void
test_project (void)
{
  g_autofree char *folder = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "cut.minterm", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  MtWindow *window = mt_rules_window_open ("answer", 1200);

  show (window);
  choose (window, 0.3);
  mt_window_save_as (window, file);
  mt_app_wait (is_written, window);
  mt_app_window_end (window);
  window = mt_app_window_new (1200, 800);
  mt_app_open (window, file);
  mt_app_wait (has_model, window);
  mt_app_wait (has_cutoff, window);
  g_assert_cmpfloat_with_epsilon (cutoff_of (window), 0.3, 1e-9);
  mt_app_window_end (window);
}

/* A column that is chosen is measured, and in the report too; that can be undone. */
static void
test_subgroups (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtDocument *document = mt_window_get_document (window);
  MtPerformancePage *page = show (window);
  GtkWidget *card = mt_app_find (GTK_WIDGET (page), MT_TYPE_SUBGROUP_CARD, NULL);
  g_auto (GStrv) columns = NULL;

  g_assert_null (mt_app_find (card, GTK_TYPE_LABEL, "By kind"));
  mt_subgroup_columns_set (document, "kind", TRUE);
  mt_app_wait (is_measured, page);
  g_assert_nonnull (mt_app_find (card, GTK_TYPE_LABEL, "By kind"));
  g_assert_nonnull (mt_app_find (card, GTK_TYPE_LABEL, "Adverse-impact ratio, “yes”"));
  g_assert_nonnull (mt_app_find (card, GTK_TYPE_LABEL, "Equal-opportunity difference, “no”"));
  columns = mt_subgroup_columns_dup (document);
  g_assert_cmpstr (columns[0], ==, "kind");
  g_assert_null (columns[1]);
  g_assert_cmpstr (mt_document_get_undo_label (document), ==, "Subgroups");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  mt_app_wait (is_measured, page);
  g_assert_null (mt_app_find (card, GTK_TYPE_LABEL, "By kind"));
  mt_app_window_end (window);
}

/* By time the folds chain, and the page says which rows are in none. */
static void
test_time (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  g_autoptr (GString) csv = g_string_new ("when,x,y\n");
  g_autoptr (GFile) file = NULL;
  MtPerformancePage *page;
  const MtPerformance *shown;

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (csv, "%u,%u,%s\n", 1000 + i / 2, i * 37 % 100, i * 37 % 100 + i * 53 % 90 > 90 ? "yes" : "no");
  file = mt_app_write ("time.csv", csv->str);
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_TIME);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_TARGET);
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  page = show (window);
  shown = mt_performance_page_get (page);
  g_assert_cmpuint (shown->n_left_out, ==, 40);     /* a sixth of 240 */
  for (gsize i = 0; i < shown->scored.n_rows; i++)
    g_assert_cmpuint (shown->table_rows[i], >=, 40);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (page), GTK_TYPE_LABEL, "By when"));
  {
    MtOverTimeCard *card = MT_OVER_TIME_CARD (mt_app_find (GTK_WIDGET (page), MT_TYPE_OVER_TIME_CARD, NULL));
    const MtOverTime *over_time = mt_over_time_card_get (card);
    gsize n = 0;

    g_assert_true (gtk_widget_get_visible (GTK_WIDGET (card)));
    g_assert_cmpint (over_time->period, ==, MT_PERIOD_PART);
    for (guint i = 0; i < over_time->parts->len; i++)
      n += g_array_index (over_time->parts, MtTimePart, i).n_rows;
    g_assert_cmpuint (n, ==, shown->scored.n_rows);
    g_assert_nonnull (mt_app_find (GTK_WIDGET (card), GTK_TYPE_LABEL, g_array_index (over_time->parts, MtTimePart, 0).name));
  }
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app-performance/tasks", test_tasks);
  g_test_add_func ("/app-performance/test-rows", test_test_rows);
  g_test_add_func ("/app-performance/cutoff", test_cutoff);
  g_test_add_func ("/app-performance/project", test_project);
  g_test_add_func ("/app-performance/subgroups", test_subgroups);
  g_test_add_func ("/app-performance/time", test_time);
  return g_test_run ();
}
