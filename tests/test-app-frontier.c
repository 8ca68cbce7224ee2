/* From a sample to a frontier in the real window: three clicks, and what may go wrong. */
#include "config.h"

#include "apputils.h"
#include "mt-frontier-item.h"
#include "mt-frontier-page.h"
#include "mt-plot-view.h"
#include "mt-samples.h"

static MtWindow *
open_sample (const char *name)
{
  MtWindow *window = mt_app_window_new (1100, 760);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", name);
  mt_app_wait_idle (window);
  return window;
}

/* A table small enough to be trained in no time: y depends on a and kind together. */
static MtWindow *
open_small (const char *target)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1100, 760);
  guint index;

  g_string_printf (text, "a,b,kind,%s\n", target);
  for (guint i = 0; i < 120; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      if (g_str_equal (target, "amount"))
        g_string_append_printf (text, "%u,%u,k%u,%u.5\n", a, b, kind, a * 2 + kind * 11 + b % 7);
      else
        g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind,
                                a > 50 && kind == 1 ? "high" : b > 60 || i % 17 == 0 ? "middle" : "low");
    }
  file = mt_app_write ("small.csv", text->str);
  mt_app_open (window, file);
  g_assert_nonnull (mt_table_find_column (mt_document_get_table (mt_window_get_document (window)), target, &index));
  mt_document_set_role (mt_window_get_document (window), index, MT_ROLE_TARGET);
  return window;
}

static void
train (MtWindow *window)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  g_assert_true (mt_study_is_running (mt_window_get_study (window)));
  mt_app_wait_trained (window);
  g_assert_no_error (mt_run_get_error (mt_study_get_last (mt_window_get_study (window))));
  g_assert_nonnull (mt_study_get_fitted (mt_window_get_study (window)));
}

static MtFrontierPage *
page_of (MtWindow *window)
{
  return MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
}

static guint
count_rows (MtWindow *window)
{
  GtkWidget *list = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_LIST_BOX, "terms");
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL; row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

static void
test_three_clicks (void)
{
  MtWindow *window = open_sample ("loan-approval");
  GtkSingleSelection *selection = mt_frontier_page_get_selection (page_of (window));
  MtStudy *study = mt_window_get_study (window);
  MtRun *run;

  train (window);
  run = mt_study_get_last (study);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, mt_run_get_points (run)->len);
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, mt_run_get_selected (run));
  g_assert_true (mt_study_get_selected (study) == mt_study_get_recommended (study));
  /* The rules of the selected model, and the bias above them. */
  g_assert_cmpuint (count_rows (window), ==,
                    1 + mt_rule_set_get_n_terms (mt_study_get_fitted (study)->point.rules));
  gtk_single_selection_set_selected (selection, 0);
  g_assert_true (mt_study_get_selected (study) == mt_run_get_points (run)->pdata[0]);
  g_assert_cmpuint (count_rows (window), ==, 1 + mt_rule_set_get_n_terms (mt_study_get_fitted (study)->point.rules));
  mt_app_settle (60);   /* drawn without a warning */
  mt_app_window_end (window);
}

static void
test_number_and_classes (void)
{
  static const char * const names[] = { "amount", "level" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      MtWindow *window = open_small (names[i]);

      train (window);
      mt_app_settle (60);
      g_assert_cmpuint (count_rows (window), >, 1);
      mt_app_window_end (window);
    }
}

static void
test_stop (void)
{
  MtWindow *window = open_sample ("triage");
  MtStudy *study = mt_window_get_study (window);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_settle (30);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  g_assert_false (mt_study_is_running (study));
  mt_app_settle (600);   /* the worker ends; nothing of it arrives */
  g_assert_null (mt_study_get_selected (study));
  g_assert_cmpint (mt_run_get_state (mt_study_get_last (study)), ==, MT_RUN_STOPPED);
  g_assert_no_error (mt_run_get_error (mt_study_get_last (study)));
  mt_app_window_end (window);
}

static void
test_no_target (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = mt_app_write ("plain.csv", "a,b\n1,2\n3,4\n5,7\n");
  MtTable *table;

  mt_app_open (window, file);
  table = mt_document_get_table (mt_window_get_document (window));
  if (mt_table_get_target (table) >= 0)
    mt_document_set_role (mt_window_get_document (window), (guint) mt_table_get_target (table), MT_ROLE_FEATURE);
  /* Without a target there is nothing to train, and the action says so by being off. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  g_assert_false (mt_study_is_running (mt_window_get_study (window)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), ADW_TYPE_STATUS_PAGE, NULL));
  mt_app_settle (40);
  mt_app_window_end (window);
}

/* A target of one value is refused with a reason, in a view of its own. */
static void
test_refused (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = mt_app_write ("one-class.csv", "x,y\n1,same\n2,same\n3,same\n4,same\n5,same\n6,same\n");
  MtDocument *document = mt_window_get_document (window);

  mt_app_open (window, file);
  mt_document_set_role (document, 1, MT_ROLE_TARGET);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  g_assert_nonnull (mt_run_get_error (mt_study_get_last (mt_window_get_study (window))));
  mt_app_settle (40);
  mt_app_window_end (window);
}

/* A result belongs to the data it was made from. */
static void
test_stale (void)
{
  MtWindow *window = open_small ("level");
  MtDocument *document = mt_window_get_document (window);
  GtkWidget *notice;
  guint age;

  train (window);
  notice = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_REVEALER, NULL);
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (notice)));
  g_assert_nonnull (mt_table_find_column (mt_document_get_table (document), "a", &age));
  mt_document_set_role (document, age, MT_ROLE_IGNORED);
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (notice)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "triage");
  mt_app_wait_idle (window);
  g_assert_null (mt_study_get_selected (mt_window_get_study (window)));
  mt_app_window_end (window);
}

static void
test_export (void)
{
  MtWindow *window = open_small ("level");
  g_autoptr (GFile) wrong = mt_app_write ("picture.txt", "");
  g_autoptr (GFile) right = mt_app_write ("picture.svg", "");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  train (window);
  g_assert_false (mt_frontier_page_export (page_of (window), g_file_peek_path (wrong), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_clear_error (&error);
  g_assert_true (mt_frontier_page_export (page_of (window), g_file_peek_path (right), &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (g_file_peek_path (right), &text, NULL, NULL));
  g_assert_nonnull (g_strstr_len (text, -1, "<svg"));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/frontier/three-clicks", test_three_clicks);
  g_test_add_func ("/app/frontier/number-and-classes", test_number_and_classes);
  g_test_add_func ("/app/frontier/stop", test_stop);
  g_test_add_func ("/app/frontier/no-target", test_no_target);
  g_test_add_func ("/app/frontier/refused", test_refused);
  g_test_add_func ("/app/frontier/stale", test_stale);
  g_test_add_func ("/app/frontier/export", test_export);
  return g_test_run ();
}
