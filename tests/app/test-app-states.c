/* The states that have a view of their own: what cannot be trained says why and what to do, on the Train
 * and on the Frontier page, and stays there until something is done about it. */
#include "config.h"

#include "apputils.h"
#include "util/mt-format.h"
#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "report/mt-report-page.h"
#include "rules/mt-rules-page.h"
#include "widgets/mt-run-advice.h"
#include "train/mt-train-page.h"

static MtModelPage *
model_page (MtWindow *window)
{
  return MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
}

static void
choose_quick (MtWindow *window,
              MtDevice  device)
{
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  settings.device = device;
  mt_model_page_set_settings (model_page (window), &settings);
}

static MtWindow *
open_text (const char *name,
           const char *text,
           guint       target)
{
  g_autoptr (GFile) file = mt_app_write (name, text);
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, file);
  g_assert_nonnull (mt_document_get_table (mt_window_get_document (window)));
  mt_document_set_role (mt_window_get_document (window), target, MT_ROLE_TARGET);
  choose_quick (window, MT_DEVICE_CPU);
  return window;
}

/* The button that leads out of it, where it is to be seen. */
static GtkWidget *
find_visible_button (GtkWidget  *page,
                     const char *label)
{
  GtkWidget *button = mt_app_find (page, GTK_TYPE_BUTTON, label);

  return button != NULL && gtk_widget_get_mapped (button) ? button : NULL;
}

/* Trains, which is refused: both pages say so in @words, and offer @way out. */
static void
assert_refused (MtWindow   *window,
                const char *words,
                const char *way)
{
  GtkWidget *train = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  GtkWidget *frontier = mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL);
  MtRun *last;
  GtkWidget *status;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_app_settle (50);
  last = mt_study_get_last (mt_window_get_study (window));
  g_assert_cmpint (mt_run_get_state (last), ==, MT_RUN_FAILED);
  g_test_message ("%s", mt_run_get_error (last)->message);
  g_assert_nonnull (strstr (mt_run_get_error (last)->message, words));
  g_assert_nonnull (find_visible_button (train, way));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (50);
  g_assert_nonnull (find_visible_button (frontier, way));
  status = gtk_widget_get_ancestor (find_visible_button (frontier, way), ADW_TYPE_STATUS_PAGE);
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (status)),
                            mt_run_advice_get (mt_run_get_error (last))));
}

static char *
make_text (guint       n_rows,
           const char *format)   /* of a row with its number */
{
  GString *text = g_string_new ("a,b,y\n");

  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i * 37 % 101);
      g_autoptr (GString) line = g_string_new (format);

      g_string_replace (line, "#", number, 0);
      g_string_append_printf (text, "%s\n", line->str);
    }
  return g_string_free (text, FALSE);
}

static void
test_too_few_rows (void)
{
  MtWindow *window = open_text ("few.csv", "a,b,y\n1,2,no\n3,4,yes\n", 2);

  assert_refused (window, "rows with a known target", "Go to _Data");
  mt_app_window_end (window);
}

/* Every button that trains, wherever it is. */
static void
assert_trains (MtWindow   *window,
               gboolean    can,
               const char *tooltip)
{
  g_autoptr (GPtrArray) buttons = mt_app_find_all (GTK_WIDGET (window), GTK_TYPE_BUTTON);
  guint n = 0;

  for (guint i = 0; i < buttons->len; i++)
    {
      const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (buttons->pdata[i]));

      if (g_strcmp0 (action, "win.train") != 0 && g_strcmp0 (action, "win.sweep") != 0)
        continue;
      g_assert_true (gtk_widget_get_sensitive (buttons->pdata[i]) == can);
      n += g_strcmp0 (gtk_widget_get_tooltip_text (buttons->pdata[i]), tooltip) == 0;
    }
  g_assert_cmpuint (n, ==, can ? 0 : 3);   /* in the header bar, of one run, of a sweep */
}

/* Nothing is there to be trained: no button says otherwise, and each page leads to where that is mended. */
static void
assert_missing (MtWindow   *window,
                const char *tooltip,
                const char *words)
{
  static GType (* const types[]) (void) = { mt_train_page_get_type, mt_frontier_page_get_type, mt_rules_page_get_type,
                                           mt_report_page_get_type };
  static const char * const names[] = { "train", "frontier", "rules", "report" };

  assert_trains (window, FALSE, tooltip);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GtkWidget *page = mt_app_find (GTK_WIDGET (window), types[i] (), NULL), *button, *status;

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", names[i]);
      mt_app_settle (50);
      button = find_visible_button (page, "Go to _Data");
      g_assert_nonnull (button);
      status = gtk_widget_get_ancestor (button, ADW_TYPE_STATUS_PAGE);
      g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (status)), words));
    }
}

/* One value, none, or one number: nothing is to be told apart, and nothing is trained in vain. */
static void
test_one_class (void)
{
  static const char * const rows[] = { "#,1,yes", "#,x,", "#,x,7" };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = make_text (60, rows[i]);
      MtWindow *window = open_text ("one-class.csv", text, 2);
      MtSweepGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = 1 };

      mt_model_page_set_grid (model_page (window), &grid);
      assert_missing (window, "The Target Has Fewer Than Two Different Values", "fewer than two different values");
      mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_TARGET);
      mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_FEATURE);
      assert_trains (window, TRUE, "The Target Has Fewer Than Two Different Values");
      mt_app_window_end (window);
    }
}

/* Without a target, and without a column to learn it from. */
static void
test_missing (void)
{
  g_autofree char *text = make_text (60, "#,x,#");
  MtWindow *window = open_text ("missing.csv", text, 2);
  MtDocument *document = mt_window_get_document (window);
  MtSweepGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = 1 };
  GtkWidget *obstacle;

  mt_model_page_set_grid (model_page (window), &grid);
  mt_document_set_role (document, 0, MT_ROLE_FEATURE);
  assert_trains (window, TRUE, "No Feature Column on the Data Page");
  mt_document_set_role (document, 0, MT_ROLE_IGNORED);
  mt_document_set_role (document, 1, MT_ROLE_IGNORED);
  assert_missing (window, "No Feature Column on the Data Page", "No column is available to rules");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  mt_app_settle (50);
  obstacle = mt_app_find (GTK_WIDGET (model_page (window)), GTK_TYPE_LABEL, "obstacle");
  g_assert_true (gtk_widget_get_mapped (obstacle));
  g_assert_nonnull (find_visible_button (gtk_widget_get_parent (obstacle), "Go to _Data"));
  mt_document_set_role (document, 1, MT_ROLE_FEATURE);
  mt_app_settle (50);
  g_assert_false (gtk_widget_get_mapped (obstacle));
  assert_trains (window, TRUE, "No Feature Column on the Data Page");
  mt_document_set_role (document, 2, MT_ROLE_IGNORED);
  assert_missing (window, "No Target Selected on the Data Page", "First choose the column to predict");
  mt_app_window_end (window);
}

static void
test_no_column (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,y\n");
  MtWindow *window;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "1,same,%s\n", i % 2 == 0 ? "yes" : "no");
  window = open_text ("no-column.csv", text->str, 2);
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_FEATURE);   /* by itself it is ignored */
  assert_refused (window, "no column can be used", "Go to _Data");
  mt_app_window_end (window);
}

static gboolean
shows_nothing (gpointer page)
{
  GtkWidget *label = mt_app_find (page, GTK_TYPE_LABEL,
                                  "No reliable rules were found: these columns do not predict the target "
                                  "better than its average. Try more rows, other columns, or another target.");

  return label != NULL && gtk_widget_get_child_visible (label) && gtk_widget_get_mapped (label);
}

/* Coins tell nothing: the bare intercept is recommended, and the frontier says what that means. */
static void
test_nothing_survives (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,y\n");
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  GtkWidget *frontier;
  MtFrontierItem *item;
  MtWindow *window;

  for (guint i = 0; i < 200; i++)
    {
      guint a = (guint) g_rand_int_range (random, 0, 1000), b = (guint) g_rand_int_range (random, 0, 50);

      g_string_append_printf (text, "%u,%u,%s\n", a, b, g_rand_boolean (random) ? "heads" : "tails");
    }
  window = open_text ("coins.csv", text->str, 2);
  frontier = mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  item = mt_study_get_recommended (mt_window_get_study (window));
  g_assert_cmpuint (mt_frontier_item_get_point (item)->complexity, ==, 1);
  mt_app_wait (shows_nothing, frontier);
  mt_app_window_end (window);
}

/* The Model page says of the GPU what `minterm-cli devices` says of it, and offers it only if it can be used. */
static void
assert_reason_shown (MtWindow *window)
{
  g_autoptr (GPtrArray) devices = mt_backend_list_devices (FALSE);
  const MtBackendDevice *gpu = g_ptr_array_index (devices, 1);
  GtkWidget *row = mt_app_find (GTK_WIDGET (model_page (window)), ADW_TYPE_ACTION_ROW, "GPU");
  g_autofree char *reason = NULL;

  g_assert_nonnull (gpu->reason);
  g_assert_nonnull (row);
  reason = mt_format_sentence (gpu->reason);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, reason);
  g_assert_false (gtk_widget_get_sensitive (mt_app_find (row, GTK_TYPE_CHECK_BUTTON, NULL)));
}

/* A GPU that is not there, or is lost: one click trains on the CPU instead, and the run says so. */
static void
test_device (void)
{
  g_autofree char *name = mt_backend_dup_name ("cuda", NULL);
  MtWindow *window;
  GtkWidget *button;
  MtRun *last;
  g_autoptr (GString) text = g_string_new ("a,b,y\n");

  if (name != NULL)
    {
      g_test_skip ("there is a GPU");
      return;
    }
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i * 37 % 101, i * 53 % 89, i * 37 % 101 > 50 ? "yes" : "no");
  window = open_text ("device.csv", text->str, 2);
  assert_reason_shown (window);
  choose_quick (window, MT_DEVICE_CUDA);
  {
    MtRunSettings settings = *mt_model_page_get_settings (model_page (window));

    settings.restarts = 1;   /* only networks are trained on a device */
    mt_model_page_set_settings (model_page (window), &settings);
  }
  assert_refused (window, "GPU", "_Continue on the CPU");
  button = find_visible_button (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL), "_Continue on the CPU");
  g_signal_emit_by_name (button, "clicked");
  mt_app_wait_trained (window);
  last = mt_study_get_last (mt_window_get_study (window));
  g_assert_cmpint (mt_run_get_state (last), ==, MT_RUN_DONE);
  g_assert_cmpint (mt_run_get_settings (last)->device, ==, MT_DEVICE_CPU);
  mt_app_window_end (window);
}

/* Each kind of failure has its own advice and its own way out. */
static void
test_advice (void)
{
  static const struct {
    MtError     code;
    const char *label;
  } kinds[] = {
    { MT_ERROR_NUMERIC, "Go to _Model" }, { MT_ERROR_BUDGET, "Go to _Model" }, { MT_ERROR_SCHEMA, "Go to _Data" },
    { MT_ERROR_PARAMS, "Go to _Data" }, { MT_ERROR_DEVICE, "_Continue on the CPU" },
  };
  GtkButton *button = g_object_ref_sink (GTK_BUTTON (gtk_button_new ()));
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (MT_ERROR, (int) kinds[i].code, "it failed");

      mt_run_advice_show (error, button);
      g_assert_cmpstr (gtk_button_get_label (button), ==, kinds[i].label);
      g_assert_true (g_hash_table_add (said, (gpointer) mt_run_advice_get (error)));
    }
  g_object_unref (button);
}

/* A sweep of which one run fails goes on, and says how many did. */
static void
test_sweep_with_failures (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,y\n");
  GtkWidget *train;
  MtRunSettings settings;
  MtStudy *study;
  MtWindow *window;
  MtTable *table;

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i * 37 % 101, i * 53 % 89, i * 37 % 101 > 50 ? "yes" : "no");
  window = open_text ("sweep.csv", text->str, 2);
  study = mt_window_get_study (window);
  table = mt_document_get_table (mt_window_get_document (window));
  train = mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_PAGE, NULL);
  settings = *mt_model_page_get_settings (model_page (window));
  mt_study_train (study, table, &settings, NULL);
  settings.task = MT_TASK_CHOICE_REGRESSION;
  mt_study_train (study, table, &settings, NULL);
  settings.task = MT_TASK_CHOICE_AUTO;
  settings.seed = 2;
  mt_study_train (study, table, &settings, NULL);
  mt_app_wait_trained (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_app_settle (50);
  g_assert_nonnull (mt_app_find (train, GTK_TYPE_LABEL, "2 finished · 1 failed"));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/states/advice", test_advice);
  g_test_add_func ("/app/states/one-class", test_one_class);
  g_test_add_func ("/app/states/too-few-rows", test_too_few_rows);
  g_test_add_func ("/app/states/no-column", test_no_column);
  g_test_add_func ("/app/states/missing", test_missing);
  g_test_add_func ("/app/states/nothing-survives", test_nothing_survives);
  g_test_add_func ("/app/states/device", test_device);
  g_test_add_func ("/app/states/sweep-with-failures", test_sweep_with_failures);
  return g_test_run ();
}
