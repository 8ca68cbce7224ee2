/* Takes the pictures in docs/images from the real window: app-screenshots FOLDER [GROUP]; the groups
 * are pages, sizes, recovery, train, frontier, errors, loading, contrast, mirrored and tables.
 * tools/screenshots.sh runs it where there is no screen. */
#include "config.h"

#include "data/mt-distribution-dialog.h"
#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "frontier/mt-plot-view.h"
#include "util/mt-preferences.h"
#include "window/mt-preferences-window.h"
#include "util/mt-samples.h"
#include "train/mt-train-charts.h"
#include "pictures.h"

static const char *group;   /* NULL: all */

static gboolean
wanted (const char *name)
{
  return group == NULL || g_str_equal (group, name);
}

static MtFrontierPage *
frontier_of (MtWindow *window)
{
  return MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
}

static gboolean
has_benchmarks (gpointer window)
{
  return !mt_benchmarks_is_running (mt_frontier_page_get_benchmarks (frontier_of (window)));
}

/* Two points of the staircase: a small one, and one twice its size or more. */
static void
pin_two (MtWindow *window)
{
  GListModel *points = G_LIST_MODEL (mt_frontier_page_get_selection (frontier_of (window)));
  guint pinned = 0;

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      guint literals = mt_frontier_item_get_point (item)->complexity;

      if (mt_frontier_item_is_dominated (item) || mt_frontier_item_is_recommended (item) ||
          literals < (pinned == 0 ? 4 : 12) || pinned == 2)
        continue;
      mt_frontier_page_pin (frontier_of (window), item);
      pinned++;
    }
}

static void
shoot_pages (const char *suffix,
             int         width,
             int         height)
{
  g_autofree char *start = g_strconcat ("start", suffix, NULL);
  g_autofree char *data = g_strconcat ("data", suffix, NULL);
  g_autofree char *model = g_strconcat ("model", suffix, NULL);
  g_autofree char *frontier = g_strconcat ("frontier", suffix, NULL);
  MtWindow *window = mt_app_window_new (width, height);

  mt_picture_open_sample (window, "energy-use");
  mt_picture_open_sample (window, "loan-approval");
  mt_picture_take (window, data);
  if (width < 600)
    {
      g_autofree char *pane = g_strconcat ("data-pane", suffix, NULL);

      gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-inspector", NULL);
      mt_picture_take (window, pane);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-inspector", NULL);
    }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  mt_picture_take (window, model);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (50);
  mt_app_wait (has_benchmarks, window);
  pin_two (window);
  mt_picture_take (window, frontier);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-file", NULL);
  mt_app_answer (window, "discard");
  mt_picture_take (window, start);
  mt_app_window_end (window);
}

static gboolean
is_half_way (gpointer window)
{
  MtStudy *study = mt_window_get_study (window);
  MtStudyProgress progress;

  mt_study_get_progress (study, &progress);
  return (progress.n_done >= 2 && progress.fraction > 0.6) || !mt_study_is_running (study);
}

static gboolean
is_refining (gpointer window)
{
  MtRun *run = mt_study_get_current (mt_window_get_study (window));

  return run == NULL || mt_run_get_progress (run)->models_per_second > 0;
}

/* All of the Model page: what is folded too, and a sweep. */
static void
shoot_model (const char *suffix,
             int         width,
             int         height)
{
  static const MtSweepGrid grid = { .bits = { 5, 9 }, .n_bits = 2, .temperature = { 0.01, 0.05 }, .n_temperature = 2,
                                  .n_seeds = 3 };
  g_autofree char *all = g_strconcat ("model-all", suffix, NULL);
  MtWindow *window = mt_app_window_new (width, height);
  MtModelPage *page = MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
  MtRunSettings settings;

  mt_picture_open_sample (window, "loan-approval");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  mt_run_settings_init (&settings, MT_PRESET_ACCURATE);
  mt_model_page_set_settings (page, &settings);
  mt_model_page_set_grid (page, &grid);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (mt_app_find (GTK_WIDGET (page), ADW_TYPE_EXPANDER_ROW, NULL)), TRUE);
  mt_app_settle (500);
  mt_picture_take (window, all);
  mt_app_window_end (window);
}

/* Nothing yet, one run at work, one done, a sweep at work, a run that failed. */
static void
shoot_train (const char *suffix,
             int         width,
             int         height)
{
  static const MtSweepGrid grid = { .bits = { 5, 9 }, .n_bits = 2, .n_seeds = 2 };
  g_autofree char *empty = g_strconcat ("train-empty", suffix, NULL);
  g_autofree char *done = g_strconcat ("train-done", suffix, NULL);
  g_autofree char *sweep = g_strconcat ("train", suffix, NULL);
  g_autofree char *failed = g_strconcat ("train-failed", suffix, NULL);
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (width, height);
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  mt_picture_open_sample (window, "loan-approval");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  mt_picture_take (window, empty);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_picture_take (window, done);
  settings.restarts = 1;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings,
                  &grid);
  mt_app_wait (is_half_way, window);
  mt_picture_take (window, sweep);
  mt_study_stop (mt_window_get_study (window));
  file = mt_app_write ("few.csv", "x,y\n1,no\n3,yes\n");
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_TARGET);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_picture_take (window, failed);
  mt_app_window_end (window);
}

/* The drawings as tables: the curves of a run, and what a column's head draws. */
static void
shoot_tables (const char *suffix,
              int         width,
              int         height)
{
  g_autofree char *curves = g_strconcat ("train-tables", suffix, NULL);
  g_autofree char *working = g_strconcat ("train-tables-working", suffix, NULL);
  MtWindow *window = mt_app_window_new (width, height);
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  MtRunSettings settings;

  mt_picture_open_sample (window, "loan-approval");
  mt_app_settle (300);
  for (guint column = 1; column < 3; column++)
    {
      g_autofree char *name = g_strdup_printf ("distribution-%u%s", column, suffix);
      g_autofree char *path = NULL;
      GtkWidget *header = mt_grid_find_header (grid, column), *dialog;

      if (header == NULL)
        continue;
      gtk_widget_activate_action (header, "column.distribution", NULL);
      dialog = mt_app_find_over (window, MT_TYPE_DISTRIBUTION_DIALOG);
      if (dialog == NULL)
        continue;
      mt_app_settle (200);
      mt_picture_dress (window);
      path = mt_picture_dup_path (name);
      mt_app_shot_over (GTK_WIDGET (window), dialog, path);
      gtk_window_destroy (GTK_WINDOW (dialog));
    }
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  settings.restarts = 1;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings, NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  gtk_expander_set_expanded (GTK_EXPANDER (mt_app_find (mt_app_find (GTK_WIDGET (window), MT_TYPE_TRAIN_CHARTS, NULL),
                                                        GTK_TYPE_EXPANDER, NULL)), TRUE);
  mt_app_wait (is_refining, window);
  mt_picture_take (window, working);
  mt_app_wait_trained (window);
  mt_picture_take (window, curves);
  mt_app_window_end (window);
}

/* Nothing yet, the runs of a sweep, the crowd at the top from near; and the preferences. */
static void
shoot_frontier (const char *suffix,
                int         width,
                int         height)
{
  static const MtSweepGrid grid = { .bits = { 5, 9 }, .n_bits = 2, .fan_in = { 2, 5 }, .n_fan_in = 2, .n_seeds = 1 };
  g_autofree char *empty = g_strconcat ("frontier-empty", suffix, NULL);
  g_autofree char *sweep = g_strconcat ("frontier-sweep", suffix, NULL);
  g_autofree char *table = g_strconcat ("frontier-table", suffix, NULL);
  MtWindow *window = mt_app_window_new (width, height);
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  mt_picture_open_sample (window, "loan-approval");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_picture_take (window, empty);
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings,
                  &grid);
  mt_app_wait_trained (window);
  mt_app_settle (50);
  mt_app_wait (has_benchmarks, window);
  mt_picture_take (window, sweep);
  if (width < 600)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-inspector", NULL);
      mt_picture_take (window, table);
    }
  else
    {
      g_autofree char *near = g_strconcat ("frontier-zoomed", suffix, NULL);
      GtkWidget *plot = mt_app_find (GTK_WIDGET (window), MT_TYPE_PLOT_VIEW, NULL);

      for (guint i = 0; i < 5; i++)
        gtk_widget_activate_action (plot, "plot.zoom-in", NULL);
      mt_picture_take (window, near);
    }
  mt_app_window_end (window);
}

static void
shoot_preferences (const char *name)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  /* No picture knows who took it. */
  gboolean is_named = g_settings_set_string (mt_preferences_get_settings (), "person", "Ann Example");
  GtkWidget *preferences = mt_preferences_window_new (GTK_WINDOW (window));
  g_autofree char *path = mt_picture_dup_path (name);

  gtk_window_present (GTK_WINDOW (preferences));
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, preferences);
  gtk_widget_remove_css_class (preferences, "solid-csd");
  mt_app_settle (200);
  mt_app_shot (preferences, path);
  gtk_window_destroy (GTK_WINDOW (preferences));
  if (is_named)
    g_settings_reset (mt_preferences_get_settings (), "person");
  mt_app_window_end (window);
}

/* What cannot be read, alone and beside a table that can; a target that has nothing to tell apart; no column that rules
 * could use; and a target that is only a guess. */
static void
shoot_errors (const char *suffix,
              int         width,
              int         height)
{
  static const struct { const char *name, *file, *text; } cases[] = {
    { "error", "accounts.csv", "name,age,city\nAda,36,London\nGrace,\"45,New York\nMary,29,Paris\nKatherine,38,Hampton\n" },
    { "error-one-class", "answers.csv", "age,city,approved\n36,London,yes\n45,New York,yes\n29,Paris,yes\n38,Hampton,yes\n" },
    { "error-no-feature", "names.csv", "id,approved\n1,yes\n2,no\n3,yes\n4,no\n" },
    { "guess", "people.csv", "age,city,gender\n36,London,f\n45,New York,m\n29,Paris,f\n38,Hampton,m\n" },
  };
  g_autofree char *kept = g_strconcat ("error-kept", suffix, NULL);
  g_autoptr (GFile) broken = mt_app_write (cases[0].file, cases[0].text);
  MtWindow *window;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = mt_app_write (cases[i].file, cases[i].text);
      g_autofree char *name = g_strconcat (cases[i].name, suffix, NULL);

      window = mt_app_window_new (width, height);
      mt_app_open (window, file);
      if (g_str_equal (cases[i].name, "error-no-feature"))
        {
          mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_IGNORED);
          gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
        }
      mt_picture_take (window, name);
      mt_app_window_end (window);
    }
  window = mt_app_window_new (width, height);
  mt_picture_open_sample (window, "triage");
  mt_app_open (window, broken);
  mt_picture_take (window, kept);
  mt_app_window_end (window);
}

static gboolean
far_enough (gpointer window)
{
  MtDocument *document = mt_window_get_document (window);

  return mt_document_get_progress (document)->rows > 700000 || !mt_document_is_loading (document);
}

static GFile *
write_ledger (void)
{
  g_autoptr (GString) text = g_string_new ("id,amount,kind,note\n");

  for (guint i = 0; i < 1500000; i++)
    g_string_append_printf (text, "%u,%u.%02u,%c,free text number %u\n", i, i * 7919 % 100000, i % 100,
                            'a' + (int) (i % 5), i * 31 % 9973);
  return mt_app_write ("ledger.csv", text->str);
}

static void
shoot_loading (const char *name,
               int         width,
               int         height)
{
  g_autoptr (GFile) file = write_ledger ();
  MtWindow *window = mt_app_window_new (width, height);

  mt_picture_dress (window);
  mt_app_settle (100);
  mt_window_open (window, file);
  mt_app_wait (far_enough, window);
  {
    g_autofree char *path = mt_picture_dup_path (name);

    mt_app_shot (GTK_WIDGET (window), path);
  }
  mt_document_cancel (mt_window_get_document (window));
  mt_app_window_end (window);
  g_file_delete (file, NULL, NULL);
}

static gboolean
is_offered (gpointer window)
{
  GtkWidget *button = mt_app_find (window, GTK_TYPE_BUTTON, "Re_open");

  return button != NULL && gtk_widget_get_mapped (button);
}

/* What was not saved when the program ended is offered. */
static void
shoot_recovery (const char *name,
                int         width,
                int         height)
{
  g_autoptr (GFile) csv = mt_samples_get_file ("loan-approval");
  MtWindow *window = mt_app_window_new (width, height);

  mt_app_leave_work (csv);
  mt_window_offer_recovery (window);
  mt_app_wait (is_offered, window);
  mt_picture_take (window, name);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.discard-recoverable", NULL);
  mt_app_answer (window, "discard");
  mt_app_settle (50);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  AdwStyleManager *manager;

  mt_app_test_init (&argc, &argv);
  mt_picture_init (argc > 1 ? argv[1] : ".");
  manager = adw_style_manager_get_default ();
  group = argc > 2 ? argv[2] : NULL;
  if (wanted ("pages"))
    {
      shoot_pages ("", 1280, 860);
      shoot_pages ("-narrow", 360, 720);
    }
  if (wanted ("recovery"))
    {
      shoot_recovery ("recovery", 1280, 860);
      shoot_recovery ("recovery-narrow", 360, 720);
    }
  if (wanted ("train"))
    {
      shoot_model ("", 1280, 1500);
      shoot_model ("-narrow", 360, 720);
      shoot_train ("", 1280, 860);
      shoot_train ("-narrow", 360, 720);
    }
  if (wanted ("frontier"))
    {
      shoot_frontier ("", 1280, 860);
      shoot_frontier ("-narrow", 360, 720);
      shoot_preferences ("preferences");
    }
  /* tools/screenshots.sh runs this group by itself: contrast is the session's, not ours to choose. */
  if (group != NULL && wanted ("contrast"))
    {
      shoot_pages ("-contrast", 1280, 860);
      shoot_frontier ("-contrast", 1280, 860);
    }
  if (wanted ("sizes"))
    {
      shoot_pages ("-wide", 2560, 1200);
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL);   /* text half as large again */
      shoot_pages ("-large-text", 1280, 860);
      shoot_pages ("-large-text-narrow", 360, 720);
      shoot_model ("-large-text-narrow", 360, 720);
      shoot_train ("-large-text-narrow", 360, 720);
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
    }
  /* Only when asked for: to see that nothing breaks where one reads from the right. */
  if (group != NULL && wanted ("mirrored"))
    {
      gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
      shoot_pages ("-mirrored", 1280, 860);
      shoot_pages ("-mirrored-narrow", 360, 720);
      shoot_model ("-mirrored", 1280, 1500);
      shoot_train ("-mirrored", 1280, 860);
    }
  if (group != NULL && wanted ("tables"))
    {
      shoot_tables ("", 1280, 1700);
      shoot_tables ("-narrow", 360, 1900);
    }
  if (wanted ("errors"))
    {
      shoot_errors ("", 1280, 860);
      shoot_errors ("-narrow", 360, 720);
    }
  if (wanted ("loading"))
    {
      shoot_loading ("loading", 1280, 860);
      shoot_loading ("loading-narrow", 360, 720);
    }
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  if (wanted ("pages"))
    shoot_pages ("-dark", 1280, 860);
  if (wanted ("recovery"))
    shoot_recovery ("recovery-dark", 1280, 860);
  if (wanted ("errors"))
    shoot_errors ("-dark", 1280, 860);
  if (wanted ("loading"))
    shoot_loading ("loading-dark", 1280, 860);
  if (wanted ("train"))
    shoot_train ("-dark", 1280, 860);
  if (group != NULL && wanted ("tables"))
    shoot_tables ("-dark", 1280, 1700);
  if (wanted ("frontier"))
    {
      shoot_frontier ("-dark", 1280, 860);
      shoot_preferences ("preferences-dark");
    }
  return 0;
}
