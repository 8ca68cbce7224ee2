/* The house around the pages: how narrow it gets, preferences, keys, and what a screen reader is told. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "apputils.h"
#include "widgets/mt-compare-panel.h"
#include "util/mt-format.h"
#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "document/mt-preferred-run.h"
#include "util/mt-preferences.h"
#include "window/mt-preferences-window.h"
#include "rules/mt-rules-page.h"

static const char * const pages[] = { "data", "model", "train", "frontier", "rules", "performance", "report" };

static MtWindow *
open_trained (int width,
              int height)
{
  MtWindow *window = mt_app_window_new (width, height);

  mt_app_open_trained (window, "loan");
  mt_app_settle (60);
  return window;
}

static int
least_width (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* What it is that needs so much room: from the window down, always the widest that is not hidden. */
static void
tell_widest (GtkWidget *widget)
{
  while (widget != NULL)
    {
      GtkWidget *widest = NULL;

      g_test_message ("  %d: %s “%s”", least_width (widget), G_OBJECT_TYPE_NAME (widget),
                      GTK_IS_LABEL (widget) ? gtk_label_get_label (GTK_LABEL (widget)) : gtk_widget_get_name (widget));
      for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        if (gtk_widget_get_visible (child) && !GTK_IS_NATIVE (child) && least_width (child) <= least_width (widget) &&
            (widest == NULL || least_width (child) > least_width (widest)))
          widest = child;
      widget = widest;
    }
}

static void
assert_narrow (MtWindow   *window,
               const char *what)
{
  mt_app_settle (60);
  g_test_message ("%s: %d, at least %d wide", what, gtk_widget_get_width (GTK_WIDGET (window)),
                  least_width (GTK_WIDGET (window)));
  if (least_width (GTK_WIDGET (window)) > 360)
    tell_widest (GTK_WIDGET (window));
  g_assert_cmpint (least_width (GTK_WIDGET (window)), <=, 360);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 360);
}

static void
pin_two (MtWindow *window)
{
  GListModel *points = mt_study_get_points (mt_window_get_study (window));
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL);

  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, g_list_model_get_n_items (points) - i);

      mt_frontier_page_pin (MT_FRONTIER_PAGE (page), item);
    }
}

static gboolean
has_compared (gpointer window)
{
  MtComparePanel *panel = MT_COMPARE_PANEL (mt_app_find (window, MT_TYPE_COMPARE_PANEL, NULL));

  return mt_compare_panel_get_comparing (panel) != NULL;
}

/* @dpi: what GTK has the size of text by; 96 is as usual. */
static void
walk_narrow (int         dpi,
             const char *font,
             const char *sample,
             gboolean    with_pins)
{
  static const char * const modes[][2] = {
    { "rules.mode", "rule" }, { "rules.mode", "what-if" }, { "rules.mode", "compare" }, { "rules.view", "canvas" },
  };
  GtkSettings *settings = gtk_settings_get_default ();
  g_autofree char *usual_font = NULL;
  MtRunSettings run;
  MtWindow *window;
  int usual_dpi;

  g_object_get (settings, "gtk-xft-dpi", &usual_dpi, "gtk-font-name", &usual_font, NULL);
  g_object_set (settings, "gtk-xft-dpi", dpi * 1024, "gtk-font-name", font, NULL);
  window = mt_app_window_new (360, 720);
  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");   /* a frame for want of a window manager */
  assert_narrow (window, "start");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", sample);
  mt_app_wait_idle (window);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *what = g_strdup_printf ("%s before", pages[i]);

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      assert_narrow (window, what);
    }
  mt_run_settings_init (&run, MT_PRESET_SIMPLE);
  run.folds = 2;   /* no need to wait for more */
  run.repeats = 1;
  mt_document_set_run (mt_window_get_document (window), &run, NULL, "Folds");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  do
    assert_narrow (window, "in training");
  while (mt_study_is_running (mt_window_get_study (window)));
  mt_app_wait_trained (window);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      assert_narrow (window, pages[i]);
    }
  if (with_pins)
    {
      pin_two (window);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
      mt_app_wait (has_compared, window);
      assert_narrow (window, "Pin two models");
    }
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL);

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
      gtk_widget_activate_action (page, modes[i][0], "s", modes[i][1]);
      assert_narrow (window, modes[i][1]);
    }
  mt_app_window_end (window);
  g_object_set (settings, "gtk-xft-dpi", usual_dpi, "gtk-font-name", usual_font, NULL);
}

/* A phone's width does for every page, before and after training … */
static void
test_narrow (void)
{
  walk_narrow (96, "Cantarell 11", "loan-approval", TRUE);
}

/* … with text half as large again, for three classes, … */
static void
test_narrow_large (void)
{
  walk_narrow (144, "Cantarell 11", "triage", TRUE);
}

/* … and with a font that is wider, too: every page, but not the four columns of two models side by side. */
static void
test_narrow_wide_font (void)
{
  walk_narrow (144, "DejaVu Sans 11", "loan-approval", FALSE);
}

static int asked_width;   /* what is waited for */

/* Who drags an edge asks again and again: what there is no room for at first there may be once things have moved. */
static gboolean
is_as_wide (gpointer window)
{
  if (abs (gtk_widget_get_width (window) - asked_width) <= 20)   /* a frame for want of a window manager */
    return TRUE;
  gtk_window_set_default_size (window, asked_width, 800);
  return FALSE;
}

static void
resize (MtWindow *window,
        int       width)
{
  asked_width = width;
  mt_app_wait (is_as_wide, window);
}

/* Made wide and narrow while another page is shown, every page is drawn at its new size: GTK warns of what it cannot
 * draw, and a warning is an error here. A phone's width can be had from any other. */
static void
test_widened (void)
{
  MtWindow *window = open_trained (360, 720);
  int widths[] = { 360, 1200, 560, 1200, 380 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", i % 2 == 0 ? "data" : "rules");
      mt_app_settle (100);
      resize (window, widths[i]);
      mt_app_settle (100);
      g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window), "narrow") == (widths[i] < 600));
      for (guint j = 0; j < G_N_ELEMENTS (pages); j++)
        {
          gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[G_N_ELEMENTS (pages) - 1 - j]);
          mt_app_settle (80);
        }
      mt_app_wait_painted (GTK_WIDGET (mt_window_get_data_page (window)));
    }
  mt_app_window_end (window);
}

/* --- the header bar --- */

/* Where the tabs begin, and whether they are above or below. */
static char *
place_tabs (MtWindow *window)
{
  GtkWidget *title = mt_app_find (GTK_WIDGET (window), ADW_TYPE_VIEW_SWITCHER_TITLE, NULL);
  g_autoptr (GPtrArray) switchers = mt_app_find_all (window, ADW_TYPE_VIEW_SWITCHER);
  graphene_point_t at = GRAPHENE_POINT_INIT (-1, -1);

  for (guint i = 0; i < switchers->len; i++)
    if (gtk_widget_get_mapped (switchers->pdata[i]) && gtk_widget_get_child_visible (switchers->pdata[i]) &&
        gtk_widget_is_ancestor (switchers->pdata[i], title))
      g_assert_true (gtk_widget_compute_point (switchers->pdata[i], GTK_WIDGET (window), &GRAPHENE_POINT_INIT (0, 0), &at));
  return g_strdup_printf ("%s at %.0f", adw_view_switcher_title_get_title_visible (ADW_VIEW_SWITCHER_TITLE (title))
                          ? "below" : "above", (double) at.x);
}

/* The blue button of the header bar; NULL: the page has its own. */
static const char *
next_step (MtWindow *window)
{
  g_autoptr (GPtrArray) buttons = mt_app_find_all (mt_app_find (GTK_WIDGET (window), ADW_TYPE_HEADER_BAR, NULL),
                                                   GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (gtk_widget_get_mapped (buttons->pdata[i]) && gtk_widget_has_css_class (buttons->pdata[i], "suggested-action"))
      return gtk_button_get_label (buttons->pdata[i]);
  return NULL;
}

static GtkWidget *
find_mapped (MtWindow   *window,
             const char *label)
{
  g_autoptr (GPtrArray) buttons = mt_app_find_all (window, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (gtk_widget_get_mapped (buttons->pdata[i]) && g_strcmp0 (gtk_button_get_label (buttons->pdata[i]), label) == 0)
      return buttons->pdata[i];
  return NULL;
}

static void
check_header (MtWindow           *window,
              const char         *place,
              const char * const *steps)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *there = NULL;

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (60);
      there = place_tabs (window);
      g_test_message ("%s: tabs %s, then %s", pages[i], there, next_step (window));
      g_assert_cmpstr (there, ==, place);
      g_assert_cmpstr (next_step (window), ==, steps[i]);
    }
}

/* The tabs stay where they are from page to page, before, while and after it trains: who presses twice presses the
 * same thing. And one button is blue, the one of the next step. */
static void
test_header (void)
{
  static const char * const before[] = { "T_rain", "T_rain", NULL, NULL, NULL, NULL, NULL };
  static const char * const meanwhile[] = { NULL, NULL, NULL, NULL, NULL, NULL, NULL };
  static const char * const after[] = { "Show _Frontier", "Show _Frontier", NULL, "Open R_ules", "Open _Quality",
                                         "Open Re_port", NULL };
  MtWindow *window = mt_app_window_new (1200, 800);
  MtRunSettings settings;
  g_autofree char *place = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_app_settle (200);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);     /* enough work that it goes on while the pages are walked through */
  settings.folds = 20;
  settings.repeats = 10;
  mt_model_page_set_settings (MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL)), &settings);
  place = place_tabs (window);
  check_header (window, place, before);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  check_header (window, place, meanwhile);
  for (guint i = 4; i < G_N_ELEMENTS (pages); i++)   /* no second run is offered on the pages that wait for the first */
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (60);
      g_assert_true (mt_study_is_running (mt_window_get_study (window)));
      g_assert_nonnull (find_mapped (window, "Show _Training"));
    }
  mt_app_wait_trained (window);
  check_header (window, place, after);
  mt_app_window_end (window);
}

/* Where several values are chosen the step is the sweep, by one button: the Model page's own, where it has it. */
static void
test_sweep_step (void)
{
  static const char * const before[] = { "Start S_weep", NULL, NULL, NULL, NULL, NULL, NULL };
  static const char * const after[] = { "Show _Frontier", "Show _Frontier", NULL, "Open R_ules", "Open _Quality",
                                         "Open Re_port", NULL };
  const MtSweepGrid grid = { .bits = { 2, 3 }, .n_bits = 2, .n_seeds = 1 };
  MtWindow *window = mt_app_window_new (1200, 800);
  MtModelPage *page = MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
  g_autofree char *place = NULL;
  MtRunSettings settings;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 2;
  settings.repeats = settings.rounds = 1;
  mt_model_page_set_settings (page, &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  mt_app_settle (200);
  g_assert_null (find_mapped (window, "Start S_weep"));
  mt_model_page_set_grid (page, &grid);
  mt_app_settle (100);
  g_assert_nonnull (find_mapped (window, "Start S_weep"));
  place = place_tabs (window);
  check_header (window, place, before);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
  mt_app_wait_trained (window);
  check_header (window, place, after);
  mt_app_window_end (window);
}

static gboolean
is_cut (GtkWidget *label)
{
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* With their names beside their pictures, not below. */
static gboolean
has_wide_tabs (MtWindow *window)
{
  g_autoptr (GPtrArray) switchers = mt_app_find_all (window, ADW_TYPE_VIEW_SWITCHER);

  for (guint i = 0; i < switchers->len; i++)
    if (gtk_widget_get_mapped (switchers->pdata[i]) && gtk_widget_get_child_visible (switchers->pdata[i]) &&
        adw_view_switcher_get_policy (switchers->pdata[i]) == ADW_VIEW_SWITCHER_POLICY_WIDE)
      return TRUE;
  return FALSE;
}

/* The name of the file is there in full, unless it is very long. */
static void
test_name (void)
{
  static const char * const names[] = { "loan-approval.csv", "a-name-that-hardly-any-window-has-the-room-for.csv" };
  const int widths[] = { 1600, 1280, 1180, 900, 700 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint j = 0; j < G_N_ELEMENTS (widths); j++)
      {
        g_autoptr (GFile) file = mt_app_write (names[i], "a,b,kind,y\n1,2,u,no\n2,3,v,yes\n4,1,u,yes\n");
        MtWindow *window = mt_app_window_new (widths[j], 700);
        GtkWidget *header = mt_app_find (GTK_WIDGET (window), ADW_TYPE_HEADER_BAR, NULL), *label;

        gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");   /* a frame for want of a window manager */
        mt_app_open (window, file);
        mt_app_settle (150);
        label = mt_app_find (mt_app_find (header, GTK_TYPE_MENU_BUTTON, NULL), GTK_TYPE_LABEL, names[i]);
        g_assert_true (gtk_widget_get_mapped (label));
        g_assert_true (is_cut (label) == (i == 1));
        if (i == 0 && widths[j] == 1600)
          g_assert_true (has_wide_tabs (window));   /* there is room for both */
        g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, widths[j]);
        mt_app_window_end (window);
      }
}

/* What changes the model says so beside its pencil where the tabs keep their names beside their pictures. */
static void
test_edit_word (void)
{
  g_autoptr (GString) text = g_string_new ("a,y");
  MtWindow *window = mt_app_window_new (1600, 720);
  GtkWidget *header = mt_app_find (GTK_WIDGET (window), ADW_TYPE_HEADER_BAR, NULL);
  const int widths[] = { 1600, 1100, 1600, 800, 1600 };
  g_autoptr (GFile) file = NULL;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "\n%u,%s", i * 7 % 60, i * 7 % 60 < 20 ? "no" : "yes");
  file = mt_app_write ("a.csv", text->str);   /* a short name leaves room */
  mt_app_train (window, file, "y");
  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *word;

      resize (window, widths[i]);
      mt_app_settle (150);
      word = mt_app_find (header, ADW_TYPE_BUTTON_CONTENT, NULL);
      g_assert_true ((word != NULL) == (widths[i] == 1600));
      if (word == NULL)
        continue;
      g_assert_true (gtk_widget_get_mapped (word));
      g_assert_cmpstr (adw_button_content_get_label (ADW_BUTTON_CONTENT (word)), ==, "_Edit");
      g_assert_true (has_wide_tabs (window));
    }
  mt_app_window_end (window);
}

/* A phone has room for a short step in words, from the first time that it is shown. */
static void
test_narrow_step (void)
{
  MtWindow *window = mt_app_window_new (360, 720);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_app_settle (300);
  g_assert_cmpstr (next_step (window), ==, "T_rain");
  mt_app_window_end (window);
}

/* The blue button's words become a picture when the text grows in an open window, and come back; and what was wide
 * enough may be narrow then. */
static void
test_text_size (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  MtWindow *window = open_trained (360, 720);
  int usual;

  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_app_settle (100);
  g_object_get (settings, "gtk-xft-dpi", &usual, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpstr (next_step (window), ==, "Open _Quality");
      g_object_set (settings, "gtk-xft-dpi", 168 * 1024, NULL);
      mt_app_settle (200);
      g_assert_cmpstr (next_step (window), ==, NULL);
      g_object_set (settings, "gtk-xft-dpi", usual, NULL);
      mt_app_settle (200);
    }
  g_assert_cmpstr (next_step (window), ==, "Open _Quality");
  resize (window, 700);
  mt_app_settle (100);
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (window), "narrow"));
  g_object_set (settings, "gtk-xft-dpi", 168 * 1024, NULL);
  mt_app_settle (200);
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window), "narrow"));
  mt_app_window_end (window);
  g_object_set (settings, "gtk-xft-dpi", usual, NULL);
}

/* Text half as large again: nothing breaks, and nothing warns. */
static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autofree char *font = NULL;
  MtWindow *window;

  g_object_get (settings, "gtk-font-name", &font, NULL);
  g_object_set (settings, "gtk-font-name", "Cantarell 17", NULL);
  window = open_trained (1280, 860);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (60);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1280);
    }
  mt_app_window_end (window);
  g_object_set (settings, "gtk-font-name", font, NULL);
}

/* --- preferences --- */

static GtkWidget *
find_preferences (void)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (MT_IS_PREFERENCES_WINDOW (top->data))
      return top->data;
  return NULL;
}

static void
test_preferences (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window)));
  GSettings *settings = mt_preferences_get_settings ();
  g_autofree char *gpu = mt_backend_dup_about ("cuda", NULL);
  GtkWidget *preferences, *row;
  MtRunSettings run, simple;

  g_settings_set_enum (settings, "device", MT_DEVICE_CUDA);   /* once chosen, it can be taken back */
  g_action_group_activate_action (G_ACTION_GROUP (application), "preferences", NULL);
  preferences = find_preferences ();
  g_assert_nonnull (preferences);
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, preferences);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (mt_app_find (preferences, GTK_TYPE_SPIN_BUTTON, NULL)), 3);
  g_assert_cmpuint (mt_preferences_get_threads (), ==, 3);
  row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_ACTION_ROW, "CPU");   /* on the Model page, at once */
  g_assert_true (g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "3 threads"));
  row = mt_app_find (preferences, ADW_TYPE_COMBO_ROW, "Default _preset");
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), MT_PRESET_SIMPLE);
  row = mt_app_find (preferences, ADW_TYPE_COMBO_ROW, "_Device");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 1);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  mt_preferred_run_init (&run);
  mt_run_settings_init (&simple, MT_PRESET_SIMPLE);
  g_assert_cmpuint (run.bits, ==, simple.bits);
  g_assert_cmpint (run.device, ==, MT_DEVICE_CPU);
  gtk_widget_remove_css_class (preferences, "solid-csd");
  g_assert_cmpint (least_width (preferences), <=, 360);
  gtk_window_close (GTK_WINDOW (preferences));
  mt_app_settle (40);
  /* Opened again, it shows what holds. */
  g_action_group_activate_action (G_ACTION_GROUP (application), "preferences", NULL);
  preferences = find_preferences ();
  row = mt_app_find (preferences, ADW_TYPE_COMBO_ROW, "Default _preset");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, MT_PRESET_SIMPLE);
  /* A device that is not there is not offered, and nothing promises to choose one. */
  row = mt_app_find (preferences, ADW_TYPE_COMBO_ROW, "_Device");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (ADW_COMBO_ROW (row))), ==, gpu != NULL ? 2 : 1);
  gtk_window_close (GTK_WINDOW (preferences));
  for (guint i = 0; i < 3; i++)
    g_settings_reset (settings, (const char *[]) { "threads", "preset", "device" }[i]);
  mt_app_window_end (window);
}

/* --- actions and menus --- */

/* The actions of a menu and of all in it; letters that two of its items would both be reached by are an error. */
static void
read_menu (GMenuModel *menu,
           GHashTable *actions,
           GHashTable *letters)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) submenu = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autofree char *action = NULL;
      g_autofree char *label = NULL;
      const char *mark;

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        g_hash_table_add (actions, g_steal_pointer (&action));
      if (section != NULL)
        read_menu (section, actions, letters);
      else if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label) &&
               (mark = strchr (label, '_')) != NULL &&
               !g_hash_table_add (letters, GINT_TO_POINTER (g_ascii_tolower (mark[1]))))
        g_error ("another item of the menu has the letter of “%s”, too", label);
      if (submenu != NULL)
        {
          g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL);

          read_menu (submenu, actions, own);
        }
    }
}

static void
read_widgets (GtkWidget  *top,
              GHashTable *actions)
{
  if (GTK_IS_ACTIONABLE (top) && gtk_actionable_get_action_name (GTK_ACTIONABLE (top)) != NULL)
    g_hash_table_add (actions, g_strdup (gtk_actionable_get_action_name (GTK_ACTIONABLE (top))));
  if (GTK_IS_MENU_BUTTON (top) && gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (top)) != NULL)
    {
      g_autoptr (GHashTable) letters = g_hash_table_new (NULL, NULL);

      read_menu (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (top)), actions, letters);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL; child = gtk_widget_get_next_sibling (child))
    read_widgets (child, actions);
}

/* Everything that can be done can be found: in a menu, on a button, or under a key. */
static void
test_actions (void)
{
  /* On a toast, with the file that it tells of; beside a failure of a device; on the rows of recent files; on a
   * notification. */
  static const char * const elsewhere[] = { "win.show-file", "win.use-cpu", "win.open-uri", "app.raise-window", NULL };
  MtWindow *window = mt_app_window_new (1280, 860);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) keyed = gtk_application_list_action_descriptions (application);
  g_auto (GStrv) of_application = g_action_group_list_actions (G_ACTION_GROUP (application));
  const GVariantType *type;
  const char *name, *property;
  GType owner;

  mt_app_settle (50);
  read_widgets (GTK_WIDGET (window), found);
  for (guint i = 0; keyed[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (keyed[i], "::", 2);

      g_hash_table_add (found, g_strdup (parts[0]));
    }
  for (guint i = 0; gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (window), i, &owner, &name, &type, &property);
       i++)
    if (g_str_has_prefix (name, "win.") && !g_strv_contains (elsewhere, name) && !g_hash_table_contains (found, name))
      g_error ("%s is in no menu, on no button and under no key", name);
  for (guint i = 0; of_application[i] != NULL; i++)
    {
      g_autofree char *full = g_strconcat ("app.", of_application[i], NULL);

      if (!g_strv_contains (elsewhere, full) && !g_hash_table_contains (found, full))
        g_error ("%s is in no menu, on no button and under no key", full);
    }
  mt_app_window_end (window);
}

static void
test_sentences (void)
{
  const char *cases[][2] = { { "the disk is full", "The disk is full." }, { "It is ignored.", "It is ignored." },
                             { "why?", "Why?" }, { "and so on…", "And so on…" }, { "", "" },
                             { "ärger (EIO)", "Ärger (EIO)." } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = mt_format_paragraph (cases[i][0]);

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

static void
test_number_format (void)
{
  GSettings *settings = mt_preferences_get_settings ();
  g_autofree char *plain = NULL;
  g_autofree char *count = NULL;
  g_autofree char *fixed = NULL;
  g_autofree char *nothing = NULL;
  g_autofree char *little = NULL;

  g_settings_set_enum (settings, "number-format", 1);
  plain = mt_format_number (-1234.5);
  count = mt_format_count (1234567);
  fixed = mt_format_fixed (0.12345, 3);
  nothing = mt_format_fixed (-0.0004, 3);
  little = mt_format_fixed (-0.0006, 3);
  g_assert_cmpstr (plain, ==, "−1234.5");
  g_assert_cmpstr (count, ==, "1234567");
  g_assert_cmpstr (fixed, ==, "0.123");
  g_assert_cmpstr (nothing, ==, "0.000");
  g_assert_cmpstr (little, ==, "−0.001");
  g_assert_cmpint (mt_format_get_mark_char (), ==, '.');
  g_settings_reset (settings, "number-format");
}

/* A project may hold numbers that are no finite ones; nothing on the screen is written as C prints them. */
static void
test_infinite_format (void)
{
  static const struct {
    double      value;
    const char *text;
  } cases[] = { { INFINITY, "∞" }, { -INFINITY, "−∞" }, { NAN, "–" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *texts[] = { mt_format_fixed (cases[i].value, 3), mt_format_number (cases[i].value),
                                   mt_format_short (cases[i].value), mt_format_percent (cases[i].value),
                                   mt_format_rate (cases[i].value), mt_format_seconds (cases[i].value) };

      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        {
          g_assert_cmpstr (texts[j], ==, cases[i].text);
          g_free (texts[j]);
        }
    }
}

/* --- keys --- */

static gboolean
is_same_key (const char *a,
             const char *b)
{
  GdkModifierType modifiers[2];
  guint keys[2];

  return gtk_accelerator_parse (a, &keys[0], &modifiers[0]) && gtk_accelerator_parse (b, &keys[1], &modifiers[1]) &&
         keys[0] == keys[1] && modifiers[0] == modifiers[1];
}

static gboolean
lists_action (GtkWidget  *overlay,
              const char *action,
              const char *key)
{
  g_autofree char *own = NULL, *accelerator = NULL;

  if (g_str_equal (G_OBJECT_TYPE_NAME (overlay), "GtkShortcutsShortcut"))
    {
      g_object_get (overlay, "action-name", &own, "accelerator", &accelerator, NULL);
      if (g_strcmp0 (own, action) == 0)
        return TRUE;
      if (accelerator != NULL)
        {
          g_auto (GStrv) keys = g_strsplit (accelerator, " ", -1);

          for (guint i = 0; keys[i] != NULL; i++)
            if (is_same_key (keys[i], key))
              return TRUE;
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (overlay); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (lists_action (child, action, key))
      return TRUE;
  return FALSE;
}

/* The shortcuts window leaves no key out. */
static void
test_shortcuts (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  GtkWidget *overlay = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  g_assert_nonnull (overlay);
  g_assert_cmpuint (g_strv_length (actions), >, 15);
  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, actions[i]);

      if (keys[0] != NULL && !lists_action (overlay, actions[i], keys[0]))
        g_error ("%s (%s) is not in the shortcuts window", actions[i], keys[0]);
    }
  /* Shown, it measures the buttons of its pages: a warning ends the test. */
  gtk_window_present (GTK_WINDOW (overlay));
  mt_app_settle (200);
  gtk_window_close (GTK_WINDOW (overlay));
  mt_app_settle (50);
  mt_app_window_end (window);
}

/* --- screen readers --- */

static gboolean
has_words (GtkWidget *widget)
{
  g_autofree char *tip = NULL;

  if (GTK_IS_LABEL (widget) && gtk_label_get_label (GTK_LABEL (widget))[0] != '\0')
    return TRUE;
  g_object_get (widget, "tooltip-text", &tip, NULL);
  if (tip != NULL && tip[0] != '\0')
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_words (child))
      return TRUE;
  return FALSE;
}

/* A button that shows only a picture says in words what it does. Window controls and the insides of
 * larger widgets (a spin button's plus, a switch) have their own. */
static void
check_buttons (GtkWidget *widget)
{
  const char *name = G_OBJECT_TYPE_NAME (widget);

  if (!gtk_widget_get_visible (widget) || GTK_IS_WINDOW_CONTROLS (widget) || GTK_IS_SPIN_BUTTON (widget) ||
      GTK_IS_EDITABLE (widget) || strstr (name, "ViewSwitcherButton") != NULL)
    return;
  if (GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget))
    {
      if (!has_words (widget) && !has_words (gtk_widget_get_parent (widget)))
        g_error ("a %s (%s) in a %s has no words", name, gtk_widget_get_name (widget),
                 G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_buttons (child);
}

static void
test_words (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);

  mt_app_settle (100);
  check_buttons (GTK_WIDGET (window));
  mt_app_window_end (window);
  window = open_trained (1280, 860);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (60);
      check_buttons (GTK_WIDGET (window));
    }
  mt_app_window_end (window);
}

/* --- Tab --- */

static void
collect_controls (GtkWidget  *widget,
                  GHashTable *controls)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_sensitive (widget) || !gtk_widget_get_can_focus (widget) ||
      GTK_IS_POPOVER (widget))
    return;
  if ((GTK_IS_BUTTON (widget) || GTK_IS_SWITCH (widget) || GTK_IS_TEXT (widget) || GTK_IS_CHECK_BUTTON (widget)) &&
      gtk_widget_get_focusable (widget) && gtk_widget_get_opacity (widget) > 0)
    g_hash_table_add (controls, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_controls (child, controls);
}

static char *
describe (GtkWidget *widget)
{
  const char *tip = gtk_widget_get_tooltip_text (widget);
  const char *label = GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : NULL;
  GtkWidget *row = gtk_widget_get_ancestor (widget, ADW_TYPE_PREFERENCES_ROW);
  graphene_point_t at;

  if (!gtk_widget_compute_point (widget, GTK_WIDGET (gtk_widget_get_root (widget)), &GRAPHENE_POINT_INIT (0, 0), &at))
    at = GRAPHENE_POINT_INIT (-1, -1);
  return g_strdup_printf ("%s “%s”%s%s at %.0f, %.0f", G_OBJECT_TYPE_NAME (widget),
                          label != NULL ? label : tip != NULL ? tip : "", row != NULL ? " of " : "",
                          row != NULL ? adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)) : "",
                          (double) at.x, (double) at.y);
}

/* One round of Tab visits every control of the page, never stays where it is, and comes back to the first. Gives what
 * it visited, in order. */
static GPtrArray *
check_round (MtWindow   *window,
             const char *page)
{
  g_autoptr (GHashTable) controls = g_hash_table_new (NULL, NULL);
  GPtrArray *visited = g_ptr_array_new ();
  GtkWidget *focus = NULL, *last;
  GHashTableIter iter;
  gpointer control;

  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  do
    {
      last = focus;
      gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
      focus = gtk_window_get_focus (GTK_WINDOW (window));
      g_assert_nonnull (focus);
      if (focus == last || visited->len > 1000)
        {
          g_autofree char *words = describe (focus);

          g_error ("%s: Tab does not get past %s", page, words);
        }
      g_ptr_array_add (visited, focus);
    }
  while (visited->len == 1 || focus != visited->pdata[0]);
  collect_controls (GTK_WIDGET (window), controls);
  g_hash_table_iter_init (&iter, controls);
  while (g_hash_table_iter_next (&iter, &control, NULL))
    if (!g_ptr_array_find (visited, control, NULL))
      {
        g_autofree char *words = describe (control);

        g_error ("%s: Tab never comes to %s", page, words);
      }
  g_test_message ("%s: %u stops, %u controls", page, visited->len - 1, g_hash_table_size (controls));
  /* Rows are for the arrows: the table of the frontier alone has dozens. */
  g_assert_cmpuint (visited->len, <, 2 * g_hash_table_size (controls) + 20);
  return visited;
}

static guint
place_of (GPtrArray  *visited,
          const char *title)
{
  for (guint i = 0; i < visited->len; i++)
    if (ADW_IS_PREFERENCES_ROW (visited->pdata[i]) &&
        g_str_equal (adw_preferences_row_get_title (visited->pdata[i]), title))
      return i;
  g_error ("Tab never comes to the row “%s”", title);
}

static void
test_tab (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  GPtrArray *visited;

  mt_app_settle (100);
  g_ptr_array_unref (check_round (window, "start"));
  mt_app_window_end (window);
  window = open_trained (1280, 860);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (200);
      visited = check_round (window, pages[i]);
      if (g_str_equal (pages[i], "model"))   /* the left column, then the right one */
        g_assert_cmpuint (place_of (visited, "Balance classes"), <, place_of (visited, "Seeds"));
      g_ptr_array_unref (visited);
    }
  mt_app_window_end (window);
}

static void
read_priority (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  g_task_return_int (task, getpriority (PRIO_PROCESS, 0));
}

/* What works in the background steps aside for the window. */
static void
test_background (void)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  int own = getpriority (PRIO_PROCESS, 0);

  g_task_run_in_thread_sync (task, read_priority);
  g_assert_cmpint (g_task_propagate_int (task, NULL), ==, MIN (own + 5, 19));
}

/* --- keys --- */

static GtkShortcut *
find_shortcut (GtkWidget *widget,
               guint      key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) && j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key &&
              gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == 0)
            return g_steal_pointer (&shortcut);
        }
    }
  return NULL;
}

/* As GTK does: the application's keys come first, then the widget that has the focus, and then those around it. */
static void
press_escape (MtWindow *window)
{
  g_auto (GStrv) first = gtk_application_get_actions_for_accel (gtk_window_get_application (GTK_WINDOW (window)), "Escape");

  if (first[0] != NULL && gtk_widget_activate_action (GTK_WIDGET (window), first[0], NULL))
    return;
  for (GtkWidget *each = gtk_root_get_focus (GTK_ROOT (window)); each != NULL; each = gtk_widget_get_parent (each))
    {
      g_autoptr (GtkShortcut) shortcut = find_shortcut (each, GDK_KEY_Escape);

      if (shortcut != NULL && gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                                            GTK_SHORTCUT_ACTION_EXCLUSIVE, each, NULL))
        return;
    }
}

static gboolean
is_in_search (MtWindow *window)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  return focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_SEARCH_ENTRY) != NULL;
}

/* Escape leaves the field one searches in, and what is trained goes on; elsewhere it stops it. */
static void
test_escape (void)
{
  static const char * const searched[] = { "data", "rules" };
  MtWindow *window = open_trained (1100, 760);
  MtStudy *study = mt_window_get_study (window);
  MtRunSettings run = mt_document_get_decisions (mt_window_get_document (window))->run;

  run.folds = 10;
  mt_document_set_run (mt_window_get_document (window), &run, NULL, "Folds");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (searched); i++)
    {
      GtkWidget *entry;

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", searched[i]);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.find", NULL));
      g_assert_true (is_in_search (window));
      entry = gtk_widget_get_ancestor (gtk_root_get_focus (GTK_ROOT (window)), GTK_TYPE_SEARCH_ENTRY);
      gtk_editable_set_text (GTK_EDITABLE (entry), "age");
      g_assert_true (mt_study_is_running (study));
      press_escape (window);
      g_assert_true (mt_study_is_running (study));
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
      g_assert_false (is_in_search (window));
    }
  press_escape (window);
  g_assert_false (mt_study_is_running (study));
  mt_app_window_end (window);
}

static gboolean
can_find (MtWindow *window)
{
  return gtk_widget_activate_action (GTK_WIDGET (window), "win.find", NULL) && is_in_search (window);
}

/* Where there is something to find it is looked for there, and nowhere else. */
static void
test_find (void)
{
  MtWindow *window = mt_app_window_new (1100, 760);
  AdwViewStack *stack;

  g_assert_false (can_find (window));
  mt_app_window_end (window);
  window = open_trained (1100, 760);
  stack = ADW_VIEW_STACK (mt_app_find (GTK_WIDGET (window), ADW_TYPE_VIEW_STACK, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gboolean searched = g_str_equal (pages[i], "data") || g_str_equal (pages[i], "rules");

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      mt_app_settle (40);
      g_assert_true (can_find (window) == searched);
      g_assert_cmpstr (adw_view_stack_get_visible_child_name (stack), ==, pages[i]);
    }
  mt_app_window_end (window);
}

static gboolean
note_map (GSignalInvocationHint *hint,
          guint                  n_values,
          const GValue          *values,
          gpointer               data)
{
  if (GTK_IS_WINDOW (g_value_get_object (values)))
    g_ptr_array_add (data, g_value_get_object (values));
  return TRUE;
}

static gboolean
has_two (gpointer shown)
{
  return ((GPtrArray *) shown)->len >= 2;
}

/* A file that is given on the command line and refused: that is said before the window, not behind it. */
static void
test_refused_at_start (void)
{
  g_autoptr (GFile) file = mt_app_write ("refused.json", "{ \"no\": \"model\" }");
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  MtWindow *window = mt_app_window_new (900, 700);   /* the application is there */
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window)));
  GFile *files[] = { file };
  guint map = g_signal_lookup ("map", GTK_TYPE_WIDGET);
  gulong hook;

  mt_app_window_end (window);
  hook = g_signal_add_emission_hook (map, 0, note_map, shown, NULL);
  g_application_open (application, files, 1, "");
  mt_app_wait (has_two, shown);
  g_signal_remove_emission_hook (map, hook);
  g_assert_true (MT_IS_WINDOW (shown->pdata[0]));
  window = shown->pdata[0];
  g_assert_true (gtk_window_get_transient_for (shown->pdata[1]) == GTK_WINDOW (window));
  mt_app_answer (window, "close");
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", "gtk-decoration-layout", ":close",
                NULL);
  g_test_add_func ("/app/shell/narrow-wide-font", test_narrow_wide_font);   /* first: nothing has been measured yet */
  g_test_add_func ("/app/shell/narrow-step", test_narrow_step);
  g_test_add_func ("/app/shell/narrow", test_narrow);
  g_test_add_func ("/app/shell/narrow-large", test_narrow_large);
  g_test_add_func ("/app/shell/widened", test_widened);
  g_test_add_func ("/app/shell/header", test_header);
  g_test_add_func ("/app/shell/sweep-step", test_sweep_step);
  g_test_add_func ("/app/shell/name", test_name);
  g_test_add_func ("/app/shell/edit-word", test_edit_word);
  g_test_add_func ("/app/shell/text-size", test_text_size);
  g_test_add_func ("/app/shell/background", test_background);
  g_test_add_func ("/app/shell/large-text", test_large_text);
  g_test_add_func ("/app/shell/preferences", test_preferences);
  g_test_add_func ("/app/shell/number-format", test_number_format);
  g_test_add_func ("/app/shell/infinite-format", test_infinite_format);
  g_test_add_func ("/app/shell/sentences", test_sentences);
  g_test_add_func ("/app/shell/actions", test_actions);
  g_test_add_func ("/app/shell/shortcuts", test_shortcuts);
  g_test_add_func ("/app/shell/escape", test_escape);
  g_test_add_func ("/app/shell/find", test_find);
  g_test_add_func ("/app/shell/refused-at-start", test_refused_at_start);
  g_test_add_func ("/app/shell/words", test_words);
  g_test_add_func ("/app/shell/tab", test_tab);
  return g_test_run ();
}
