/* The Model page knob by knob: each says its range and keeps to it, each can be put back, presets set several at
 * once, and a sweep tells how many runs it is and how long they take before it starts. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "train/mt-model-page.h"
#include "util/mt-samples.h"
#include "train/mt-sweep-panel.h"

static MtModelPage *
open_model (MtWindow **window)
{
  g_autoptr (GFile) file = mt_samples_get_file ("loan-approval");

  *window = mt_app_window_new (1280, 860);
  mt_app_open (*window, file);
  gtk_widget_activate_action (GTK_WIDGET (*window), "win.show-page", "s", "model");
  mt_app_settle (50);
  return MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (*window), MT_TYPE_MODEL_PAGE, NULL));
}

static GtkWidget *
find_reset (GtkWidget  *row,
            const char *says)
{
  g_autoptr (GPtrArray) buttons = mt_app_find_all (row, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_widget_get_tooltip_text (buttons->pdata[i]), says) == 0)
      return buttons->pdata[i];
  return NULL;
}

/* "… 0.0001–10": what the words promise is what the knob does; "Auto" lies one step below. */
static void
check_range (GtkWidget *row,
             GtkWidget *spin)
{
  const char *words = adw_action_row_get_subtitle (ADW_ACTION_ROW (row));
  const char *last = strrchr (words, ' ') + 1, *dash = strstr (last, "–");
  double low, high, step;

  if (dash == NULL)
    g_error ("“%s” tells no range", words);
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (spin), &low, &high);
  gtk_spin_button_get_increments (GTK_SPIN_BUTTON (spin), &step, NULL);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (dash + strlen ("–"), NULL), high, 1e-12);
  if (g_ascii_strtod (last, NULL) != low)
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (last, NULL), low + step, 1e-12);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), high * 10);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, high);
  g_assert_cmpint (last - words, >, 10);   /* and a few words about it */
}

static void
test_knobs (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  g_autoptr (GPtrArray) rows = mt_app_find_all (page, ADW_TYPE_ACTION_ROW);
  const MtRunSettings usual = *mt_model_page_get_settings (page);
  guint n_knobs = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      GtkWidget *row = rows->pdata[i], *reset = find_reset (row, "Reset to Default");
      GtkWidget *spin = mt_app_find (row, GTK_TYPE_SPIN_BUTTON, NULL);
      GtkWidget *toggle = mt_app_find (row, GTK_TYPE_SWITCH, NULL);

      if (reset == NULL)
        continue;
      n_knobs++;
      g_assert_false (gtk_widget_get_sensitive (reset));
      if (spin != NULL)
        check_range (row, spin);
      else if (toggle != NULL)
        gtk_switch_set_active (GTK_SWITCH (toggle), !gtk_switch_get_active (GTK_SWITCH (toggle)));
      else
        adw_combo_row_set_selected (ADW_COMBO_ROW (row), adw_combo_row_get_selected (ADW_COMBO_ROW (row)) == 0 ? 1 : 0);
      if (memcmp (&usual, mt_model_page_get_settings (page), sizeof usual) == 0)
        g_error ("“%s” changes no setting", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
      g_assert_true (gtk_widget_get_sensitive (reset));
      g_assert_cmpfloat (gtk_widget_get_opacity (reset), ==, 1);
      g_signal_emit_by_name (reset, "clicked");
      if (memcmp (&usual, mt_model_page_get_settings (page), sizeof usual) != 0)
        g_error ("“%s” is not put back", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
      g_assert_false (gtk_widget_get_sensitive (reset));
    }
  g_assert_cmpuint (n_knobs, ==, 26);
  mt_app_window_end (window);
}

/* The row of a setting: by its title. Task and device have controls of their own. */
static gboolean
is_on_page (MtModelPage     *page,
            const MtSetting *setting)
{
  g_autoptr (GPtrArray) rows = mt_app_find_all (page, ADW_TYPE_PREFERENCES_ROW);

  for (guint i = 0; i < rows->len; i++)
    if (g_strcmp0 (adw_preferences_row_get_title (rows->pdata[i]), setting->title) == 0 &&
        (setting->subtitle == NULL ||   /* a reason may follow why it has no effect now */
         g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (rows->pdata[i])), setting->subtitle)))
      return TRUE;
  return setting->group == MT_SETTING_GROUP_DEVICE;
}

/* Every row of the table of settings is on the page; one that is in no table is not. */
static void
test_table (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  MtSetting planted = *mt_setting_find ("bits");

  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (!is_on_page (page, mt_setting_get (i)))
      g_error ("the Model page has no “%s”", mt_setting_get (i)->name);
  planted.title = "Planted";
  g_assert_false (is_on_page (page, &planted));
  mt_app_window_end (window);
}

static GtkWidget *
button_of (gpointer    top,
           const char *label)
{
  GtkWidget *button = mt_app_find (GTK_WIDGET (top), GTK_TYPE_TOGGLE_BUTTON, label);

  g_assert_nonnull (button);
  return button;
}

static void
test_presets (void)
{
  static const char * const names[] = { "_Simple", "B_alanced", "Acc_urate" };
  MtWindow *window;
  MtModelPage *page = open_model (&window);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint order[] = { MT_PRESET_SIMPLE, MT_PRESET_BALANCED, MT_PRESET_ACCURATE };
      MtRunSettings expected;

      mt_run_settings_init (&expected, (MtPreset) order[i]);
      g_signal_emit_by_name (button_of (page, names[i]), "clicked");
      g_assert_cmpuint (mt_model_page_get_settings (page)->bits, ==, expected.bits);
      g_assert_cmpuint (mt_model_page_get_settings (page)->fan_in, ==, expected.fan_in);
      g_assert_cmpuint (mt_model_page_get_settings (page)->folds, ==, expected.folds);
      for (guint j = 0; j < G_N_ELEMENTS (names); j++)
        g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button_of (page, names[j]))) == (i == j));
    }
  mt_app_window_end (window);
}

/* What the card says before anything starts. */
static void
assert_card (MtModelPage *page,
             const char  *count,
             gboolean     several)
{
  GtkWidget *panel = mt_app_find (GTK_WIDGET (page), MT_TYPE_SWEEP_PANEL, NULL);
  GtkWidget *label = mt_app_find (panel, GTK_TYPE_LABEL, "sweep-count");
  g_autoptr (GPtrArray) labels = mt_app_find_all (panel, GTK_TYPE_LABEL);
  gboolean told = FALSE;

  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, count);
  for (guint i = 0; i < labels->len; i++)
    {
      const char *text = gtk_label_get_label (labels->pdata[i]);

      if (g_str_has_prefix (text, "About "))
        told = (strstr (text, "per run") != NULL) == several;
    }
  g_assert_true (told);
  g_assert_true (gtk_widget_get_sensitive (mt_app_find (panel, GTK_TYPE_BUTTON, "Start S_weep")) == several);
}

static void
test_sweep (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  GtkWidget *panel = mt_app_find (GTK_WIDGET (page), MT_TYPE_SWEEP_PANEL, NULL);

  assert_card (page, "1 run", FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button_of (panel, "5")), TRUE);      /* bits 5 and 9 */
  assert_card (page, "2 runs", TRUE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button_of (panel, "0.05")), TRUE);   /* two temperatures */
  assert_card (page, "4 runs", TRUE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (mt_app_find (panel, GTK_TYPE_SPIN_BUTTON, NULL)), 3);
  assert_card (page, "12 runs", TRUE);
  g_assert_cmpuint (mt_sweep_grid_count (mt_model_page_get_grid (page)), ==, 12);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button_of (panel, "5")), FALSE);
  assert_card (page, "6 runs", TRUE);
  g_signal_emit_by_name (find_reset (panel, "Back to One Run"), "clicked");
  assert_card (page, "1 run", FALSE);
  g_assert_false (gtk_widget_get_sensitive (find_reset (panel, "Back to One Run")));
  mt_app_window_end (window);
}

static GtkWidget *
spin_of (MtModelPage *page,
         const char  *title)
{
  g_autoptr (GPtrArray) rows = mt_app_find_all (page, ADW_TYPE_ACTION_ROW);

  for (guint i = 0; i < rows->len; i++)
    if (g_str_equal (adw_preferences_row_get_title (rows->pdata[i]), title) &&
        mt_app_find (rows->pdata[i], GTK_TYPE_SPIN_BUTTON, NULL) != NULL)
      return mt_app_find (rows->pdata[i], GTK_TYPE_SPIN_BUTTON, NULL);
  g_error ("no row “%s”", title);
}

/* As in the paper: one press selects the grid of the paper, which its chips offer. */
static void
test_paper_grid (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  GtkWidget *panel = mt_app_find (GTK_WIDGET (page), MT_TYPE_SWEEP_PANEL, NULL);
  GtkWidget *button = mt_app_find (panel, GTK_TYPE_BUTTON, "paper-grid");
  MtRunSettings settings = *mt_model_page_get_settings (page), last;
  const MtSweepGrid *grid;

  g_assert_false (gtk_widget_get_visible (button));
  settings.learner = MT_LEARNER_PAPER;
  mt_model_page_set_settings (page, &settings);
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_nonnull (button_of (panel, "40"));
  g_signal_emit_by_name (button, "clicked");
  assert_card (page, "225 runs", TRUE);
  grid = mt_model_page_get_grid (page);
  g_assert_cmpuint (grid->n_bits * 100 + grid->n_nodes * 10 + grid->n_temperature, ==, 353);
  mt_sweep_grid_get (grid, mt_model_page_get_settings (page), 224, &last);
  g_assert_cmpuint (last.bits, ==, 6);
  g_assert_cmpuint (last.nodes, ==, 50);
  g_assert_cmpfloat (last.temperature, ==, .05);
  g_assert_cmpuint (last.seed, ==, settings.seed + 4);
  g_assert_false (gtk_widget_get_visible (button));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  assert_card (page, "1 run", FALSE);
  g_assert_true (gtk_widget_get_visible (button));
  mt_app_window_end (window);
}

/* A chip that is lit alone is the setting, of one run as of each of a sweep. */
static void
test_one_chip (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  GtkWidget *panel = mt_app_find (GTK_WIDGET (page), MT_TYPE_SWEEP_PANEL, NULL);
  g_autoptr (GPtrArray) chips = mt_app_find_all (panel, GTK_TYPE_TOGGLE_BUTTON);
  const MtSweepGrid odd = { .n_nodes = 1, .nodes = { 17 }, .n_temperature = 2, .temperature = { .01, .05 }, .n_seeds = 2 };
  MtRunSettings first;

  for (guint i = 0; i < chips->len; i++)   /* fan-in 3 on */
    if (g_object_get_data (G_OBJECT (chips->pdata[i]), "axis") == GUINT_TO_POINTER (2) &&
        g_strcmp0 (gtk_button_get_label (chips->pdata[i]), "3") == 0)
      g_signal_emit_by_name (chips->pdata[i], "clicked");
  assert_card (page, "2 runs", TRUE);
  g_clear_pointer (&chips, g_ptr_array_unref);
  chips = mt_app_find_all (panel, GTK_TYPE_TOGGLE_BUTTON);
  for (guint i = 0; i < chips->len; i++)   /* and 5 off */
    if (g_object_get_data (G_OBJECT (chips->pdata[i]), "axis") == GUINT_TO_POINTER (2) &&
        g_strcmp0 (gtk_button_get_label (chips->pdata[i]), "5") == 0)
      g_signal_emit_by_name (chips->pdata[i], "clicked");
  assert_card (page, "1 run", FALSE);
  g_assert_cmpuint (mt_model_page_get_settings (page)->fan_in, ==, 3);
  g_assert_cmpuint (mt_model_page_get_grid (page)->n_fan_in, ==, 0);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin_of (page, "Fan-_in"))), ==, 3);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpuint (mt_model_page_get_settings (page)->fan_in, ==, 5);

  mt_model_page_set_grid (page, &odd);     /* as a project may have it */
  g_assert_cmpuint (mt_model_page_get_settings (page)->nodes, ==, 17);
  g_assert_cmpuint (mt_sweep_grid_count (mt_model_page_get_grid (page)), ==, 4);
  mt_sweep_grid_get (mt_model_page_get_grid (page), mt_model_page_get_settings (page), 0, &first);
  g_assert_cmpuint (first.nodes, ==, 17);
  mt_app_window_end (window);
}

/* A device that cannot be used says why, and cannot be chosen. */
static void
test_device (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  GtkWidget *row = mt_app_find (GTK_WIDGET (page), ADW_TYPE_ACTION_ROW, "GPU");
  g_autofree char *gpu = mt_backend_dup_name ("cuda", NULL);

  g_assert_cmpuint (strlen (adw_action_row_get_subtitle (ADW_ACTION_ROW (row))), >, gpu != NULL ? 0 : 20);
  g_assert_true (gtk_widget_get_sensitive (mt_app_find (row, GTK_TYPE_CHECK_BUTTON, NULL)) == (gpu != NULL));
  mt_app_window_end (window);
}

static gboolean
has_subtitle (gpointer row)
{
  const char *text = adw_action_row_get_subtitle (row);

  return text != NULL && *text != '\0';
}

/* As many GPUs as there are, each with its name and why training does not take it. */
static void
test_devices (void)
{
  static const struct {
    int         driver, n_devices, first_capability;
    const char *told;            /* of the choice */
    gboolean    is_usable;
    guint       n_others;
  } cases[] = {
    { 0, 1, 75, "No NVIDIA driver is installed", FALSE, 0 },
    { 12040, 1, 75, "The NVIDIA driver supports CUDA 12.4, but the CUDA module requires 13.0", FALSE, 0 },
    { 13000, 0, 75, "The NVIDIA driver found no device", FALSE, 0 },
    { 13000, 1, 61, "compute capability is 6.1, but the CUDA module requires 7.5", FALSE, 0 },
    { 13000, 1, 75, "CUDA on the CPU, compute capability 7.5", TRUE, 0 },
    { 13000, 3, 61, "CUDA on the CPU, compute capability 7.5", TRUE, 2 },
  };
  const char *path = g_getenv ("MINTERM_CUDA_ON_HOST");
  void (*pretend) (int driver, int n_devices);
  void (*pretend_capability) (int device, int major, int minor);
  GModule *module;

  if (path == NULL)
    {
      g_test_skip ("built without a C++ compiler, so without CUDA on the CPU");
      return;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  g_assert_true (g_module_symbol (module, "mt_host_pretend", (gpointer *) &pretend));
  g_assert_true (g_module_symbol (module, "mt_host_pretend_capability", (gpointer *) &pretend_capability));
  g_setenv ("MINTERM_CUDA_MODULE", path, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) listed = NULL, rows = NULL;
      MtWindow *window;
      MtModelPage *page;
      GtkWidget *row;
      guint n_others = 0;

      pretend (cases[i].driver, cases[i].n_devices);
      pretend_capability (0, cases[i].first_capability / 10, cases[i].first_capability % 10);
      page = open_model (&window);
      row = mt_app_find (GTK_WIDGET (page), ADW_TYPE_ACTION_ROW, "GPU");
      mt_app_wait (has_subtitle, row);       /* the driver is asked on another thread */
      g_test_message ("%s", adw_action_row_get_subtitle (ADW_ACTION_ROW (row)));
      g_assert_nonnull (strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), cases[i].told));
      g_assert_true (gtk_widget_get_sensitive (mt_app_find (row, GTK_TYPE_CHECK_BUTTON, NULL)) == cases[i].is_usable);
      rows = mt_app_find_all (page, ADW_TYPE_ACTION_ROW);
      listed = mt_backend_list_devices (FALSE);
      for (guint r = 0; r < rows->len; r++)
        if (g_str_equal (adw_preferences_row_get_title (g_ptr_array_index (rows, r)), "CUDA on the CPU"))
          {
            const char *reason = adw_action_row_get_subtitle (g_ptr_array_index (rows, r));

            g_assert_nonnull (strstr (reason, n_others == 0 ? "compute capability is 6.1" : "a device that is faster"));
            n_others++;
          }
      g_assert_cmpuint (n_others, ==, cases[i].n_others);
      g_assert_cmpuint (listed->len, ==, 2 + n_others);
      mt_app_window_end (window);
    }
  pretend (13000, 1);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_module_close (module);
}

static AdwComboRow *
combo_of (MtModelPage *page,
          const char  *title)
{
  g_autoptr (GPtrArray) rows = mt_app_find_all (page, ADW_TYPE_COMBO_ROW);

  for (guint i = 0; i < rows->len; i++)
    if (g_str_equal (adw_preferences_row_get_title (rows->pdata[i]), title))
      return rows->pdata[i];
  g_error ("there is no “%s”", title);
}

/* What the command line can ask of the learner, the window can, too; it is undone, and comes back from a file. */
static void
test_learner (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  g_autofree char *text = NULL;
  g_autoptr (MtJson) json = NULL;
  MtRunSettings settings, read;
  MtLearnOptions options;
  MtJsonWriter *writer = mt_json_writer_new ();

  adw_combo_row_set_selected (combo_of (page, "Threshold placement"), 2);
  mt_app_settle (1200);   /* two steps of undo */
  adw_combo_row_set_selected (combo_of (page, "Simplification"), 1);
  settings = *mt_model_page_get_settings (page);
  g_assert_cmpuint (settings.restarts, ==, 0);   /* no preset has networks that propose rules … */
  mt_run_settings_to_learn (&settings, &options);
  g_assert_true (options.frontier.compare_network);
  g_assert_cmpint (options.frontier.method, ==, MT_METHOD_EXACT);
  settings.beside = FALSE;
  mt_run_settings_to_learn (&settings, &options);
  g_assert_false (options.frontier.compare_network);
  settings.restarts = 1;                         /* … but they can be asked for */
  settings.balance_classes = TRUE;
  settings.repeats = 3;
  mt_run_settings_to_learn (&settings, &options);
  g_assert_cmpint (options.thresholds, ==, MT_THRESHOLDS_ROWS);
  g_assert_cmpint (options.frontier.method, ==, MT_METHOD_MAGNITUDE);
  g_assert_true (options.frontier.refine.balance_classes && options.frontier.train.balance_classes);
  g_assert_cmpuint (options.frontier.n_repeats, ==, 3);

  mt_json_writer_begin_object (writer);
  mt_run_settings_write (&settings, writer);
  mt_json_writer_end_object (writer);
  text = mt_json_writer_finish (writer, NULL);
  json = mt_json_parse (text, -1, NULL);
  mt_run_settings_init (&read, MT_PRESET_BALANCED);
  g_assert_true (mt_run_settings_read (&read, json, NULL));
  g_assert_true (mt_run_settings_equal (&read, &settings));

  settings.nodes = 8;      /* and a run does what it is told */
  settings.epochs = 20;
  settings.folds = 2;
  settings.repeats = 1;
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), &settings, NULL);
  mt_app_wait_trained (window);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window))), >, 1);

  settings.restarts = 0;   /* nothing to prune */
  mt_run_settings_to_learn (&settings, &options);
  g_assert_cmpint (options.frontier.method, ==, MT_METHOD_EXACT);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpint (mt_model_page_get_settings (page)->method, ==, MT_METHOD_EXACT);
  g_assert_cmpint (mt_model_page_get_settings (page)->thresholds, ==, MT_THRESHOLDS_ROWS);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpint (mt_model_page_get_settings (page)->thresholds, ==, MT_THRESHOLDS_AUTO);
  mt_app_window_end (window);
}

/* On a phone the chosen task is not cut, also in large text. */
static void
test_narrow_task (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr (GFile) file = mt_samples_get_file ("loan-approval");
  MtWindow *window = mt_app_window_new (360, 760);
  GtkWidget *row;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");   /* a frame for want of a window manager */
  mt_app_open (window, file);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_COMBO_ROW, "Tas_k");
  for (guint large = 0; large < 2; large++)
    {
      GtkWidget *label;

      g_object_set (settings, "gtk-xft-dpi", large ? 96 * 1024 * 5 / 4 : dpi, NULL);
      for (guint task = 0; task < 3; task++)
        {
          static const char * const words[] = { "Automatic", "Two classes", "Several classes" };

          adw_combo_row_set_selected (ADW_COMBO_ROW (row), task);
          mt_app_settle (100);
          label = mt_app_find (row, GTK_TYPE_LABEL, words[task]);
          g_assert_nonnull (label);
          g_assert_true (gtk_widget_get_mapped (label));
          g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
          g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 360);
        }
    }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  mt_app_window_end (window);
}

/* A setting without effect is gray, and its row says why. */
static void
test_without_effect (void)
{
  MtWindow *window;
  MtModelPage *page = open_model (&window);
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  for (guint learner = 0; learner < 2; learner++)
    {
      GtkWidget *row = NULL;
      g_autoptr (GPtrArray) rows = NULL;

      settings.learner = learner == 0 ? MT_LEARNER_TTSPARSE : MT_LEARNER_SEARCH;
      settings.restarts = 0;
      settings.beside = learner == 0;
      mt_model_page_set_settings (page, &settings);
      rows = mt_app_find_all (page, ADW_TYPE_ACTION_ROW);
      for (guint i = 0; i < rows->len; i++)
        if (g_str_equal (adw_preferences_row_get_title (rows->pdata[i]), "Temperat_ure"))
          row = rows->pdata[i];
      g_assert_nonnull (row);
      g_assert_true (gtk_widget_get_sensitive (row) == (learner == 0));
      g_assert_true ((strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "No effect") != NULL) == (learner == 1));
    }
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/model/knobs", test_knobs);
  g_test_add_func ("/app/model/table", test_table);
  g_test_add_func ("/app/model/learner", test_learner);
  g_test_add_func ("/app/model/presets", test_presets);
  g_test_add_func ("/app/model/sweep", test_sweep);
  g_test_add_func ("/app/model/paper-grid", test_paper_grid);
  g_test_add_func ("/app/model/one-chip", test_one_chip);
  g_test_add_func ("/app/model/narrow-task", test_narrow_task);
  g_test_add_func ("/app/model/device", test_device);
  g_test_add_func ("/app/model/devices", test_devices);      /* last: a module stays loaded */
  g_test_add_func ("/app/model/without-effect", test_without_effect);
  return g_test_run ();
}
