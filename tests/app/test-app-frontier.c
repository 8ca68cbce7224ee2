/* From a sample to a frontier in the real window: three clicks, and what may go wrong. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "widgets/mt-compare-panel.h"
#include "util/mt-format.h"
#include "frontier/mt-frontier-export.h"
#include "study/mt-frontier-item.h"
#include "frontier/mt-frontier-page.h"
#include "frontier/mt-plot-view.h"
#include "util/mt-preferences.h"
#include "util/mt-samples.h"
#include "util/mt-theme.h"
#include "rules-window.h"

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
open_small_at (const char *target,
               int         width)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (width, 760);
  guint index;

  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");   /* a frame for want of a window manager */
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

static MtWindow *
open_small (const char *target)
{
  return open_small_at (target, 1100);
}

/* The page is there, and the plot has read the points. */
static gboolean
is_shown (gpointer window)
{
  GtkWidget *plot = mt_app_find (window, MT_TYPE_PLOT_VIEW, NULL);
  const MtPlotLayout *layout = mt_plot_view_get_layout (MT_PLOT_VIEW (plot));
  GListModel *points = mt_study_get_points (mt_window_get_study (window));

  return layout != NULL && layout->n_marks == g_list_model_get_n_items (points);
}

static void
train (MtWindow *window)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  g_assert_true (mt_study_is_running (mt_window_get_study (window)));
  mt_app_wait_trained (window);
  g_assert_no_error (mt_run_get_error (mt_study_get_last (mt_window_get_study (window))));
  g_assert_nonnull (mt_study_get_fitted (mt_window_get_study (window)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_wait (is_shown, window);
}

/* The same from a project that was trained on these rows. */
static void
show_trained (MtWindow   *window,
              const char *name)
{
  mt_app_open_trained (window, name);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_wait (is_shown, window);
}

static MtFrontierPage *
page_of (MtWindow *window)
{
  return MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
}

static MtPlotView *
plot_of (MtWindow *window)
{
  return MT_PLOT_VIEW (mt_app_find (GTK_WIDGET (window), MT_TYPE_PLOT_VIEW, NULL));
}

static GtkSingleSelection *
selection_of (MtWindow *window)
{
  return mt_frontier_page_get_selection (page_of (window));
}

/* One that can be seen and pressed. */
static void
press (GtkWidget *button)
{
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button));
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

static guint
literals_of (gpointer item)
{
  return mt_frontier_item_get_point (item)->complexity;
}

/* What the label at that place of the comparison says. */
static const char *
compared (MtWindow *window,
          int       column,
          int       row)
{
  GtkWidget *panel = mt_app_find (GTK_WIDGET (window), MT_TYPE_COMPARE_PANEL, NULL);
  GtkWidget *grid = mt_app_find (panel, GTK_TYPE_GRID, NULL);

  return gtk_label_get_label (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), column, row)));
}

/* The page says what its models predict, and so does a picture of the plot. */
static void
assert_predicted (MtWindow   *window,
                  const char *words)
{
  GtkWidget *label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "predicted");
  g_autoptr (MtPlotCopy) copy = mt_plot_view_copy (plot_of (window));

  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, words);
  g_assert_cmpstr (copy->spec.subtitle, ==, words);
  g_assert_true (g_str_has_prefix (copy->spec.title, "Cross-validated"));
}

static void
test_three_clicks (void)
{
  MtWindow *window = open_sample ("loan-approval");
  GtkSingleSelection *selection = mt_frontier_page_get_selection (page_of (window));
  MtStudy *study = mt_window_get_study (window);
  MtRun *run;

  train (window);
  assert_predicted (window, "Predicts approved = yes");
  run = mt_study_get_last (study);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, mt_run_get_points (run)->len);
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, mt_run_get_selected (run));
  g_assert_true (mt_study_get_selected (study) == mt_study_get_recommended (study));
  gtk_single_selection_set_selected (selection, 0);
  g_assert_true (mt_study_get_selected (study) == mt_run_get_points (run)->pdata[0]);
  mt_app_settle (60);   /* drawn without a warning */
  mt_app_window_end (window);
}

static void
test_number_and_classes (void)
{
  static const char * const names[] = { "amount", "level" };
  static const char * const words[] = { "Predicts amount", "Predicts level, one of 3 classes" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      MtWindow *window = open_small (names[i]);

      train (window);
      mt_app_wait_painted (GTK_WIDGET (plot_of (window)));
      g_assert_nonnull (mt_plot_view_get_layout (plot_of (window)));
      assert_predicted (window, words[i]);
      mt_app_window_end (window);
    }
}

/* No ± where the folds say the same, and none that rounds to nothing. */
static void
test_errors (void)
{
  static const struct { double mean, se; const char *text; } cases[] = {
    { .9234, .0101, "0.923 ± 0.010" }, { .5, 0, "0.500" }, { .5, 1e-17, "0.500" }, { .99, .0004, "0.990 ± < 0.001" },
    { .99, .0006, "0.990 ± 0.001" }, { .8, NAN, "0.800" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const MtFrontierPoint point = { 1, cases[i].mean, cases[i].se, .5, NULL };
      g_autofree char *text = mt_frontier_point_format (&point);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Minutes as on the Train page, not hundreds of seconds; and the page says it in these words. */
static void
test_progress_words (void)
{
  static const struct { double share, elapsed, left; const char *text; } cases[] = {
    { .4099, 130, 180, "40% · 2 min 10 s so far · about 3 min 0 s left" },
    { 0, 5, NAN, "0% · 5 s so far" },
    { .5, 4000, 4000, "50% · 1 h 6 min so far · about 1 h 6 min left" },
  };
  MtWindow *window = open_sample ("triage");
  GtkWidget *label;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = mt_format_progress (cases[i].share, cases[i].elapsed, cases[i].left);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (30);
  label = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_LABEL, "running-detail");
  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), " s so far"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_window_end (window);
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

/* Two rows are refused with a reason, in a view of its own. */
static void
test_refused (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = mt_app_write ("too-few.csv", "x,y\n1,no\n3,yes\n");
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
  mt_app_answer (window, "discard");
  mt_app_wait_idle (window);
  g_assert_null (mt_study_get_selected (mt_window_get_study (window)));
  mt_app_window_end (window);
}

static gboolean
is_compared (gpointer window)
{
  return g_strcmp0 (compared (window, 3, 5), "…") != 0;
}

static GtkWidget *
find_dialog (MtWindow *window)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (ADW_IS_MESSAGE_DIALOG (top->data) && gtk_window_get_transient_for (top->data) == GTK_WINDOW (window))
      return top->data;
  return NULL;
}

static gboolean
has_dialog (gpointer window)
{
  return find_dialog (window) != NULL;
}

/* --- the plot --- */

static void
test_walk_and_pin (void)
{
  MtWindow *window = open_small ("level");
  GtkWidget *plot = GTK_WIDGET (plot_of (window));
  GtkSingleSelection *selection = selection_of (window);
  g_autofree char *of = NULL;
  guint first, second;

  show_trained (window, "frontier-level");
  mt_app_wait_painted (plot);
  gtk_widget_grab_focus (plot);
  gtk_widget_activate_action (plot, "plot.end", "b", TRUE);
  first = literals_of (gtk_single_selection_get_selected_item (selection));
  gtk_widget_activate_action (plot, "plot.pin", NULL);
  mt_app_wait_painted (plot);
  gtk_widget_activate_action (plot, "plot.walk", "i", MT_PLOT_RIGHT);
  second = literals_of (gtk_single_selection_get_selected_item (selection));
  g_assert_cmpuint (first, <, second);
  gtk_widget_activate_action (plot, "plot.pin", NULL);
  mt_app_wait_painted (plot);
  /* Both have their badge in the drawing, and stand side by side below it. */
  g_assert_cmpfloat (mt_plot_view_get_layout (plot_of (window))->badges[0].width, >, 0);
  g_assert_cmpfloat (mt_plot_view_get_layout (plot_of (window))->badges[1].width, >, 0);
  g_assert_cmpuint (g_ascii_strtoull (compared (window, 1, 2), NULL, 10), ==, first);
  g_assert_cmpuint (g_ascii_strtoull (compared (window, 2, 2), NULL, 10), ==, second);
  mt_app_wait (is_compared, window);
  of = g_strdup_printf ("of %u rows", (guint) mt_study_get_fitted (mt_window_get_study (window))->basis->rows->n_rows);
  g_assert_nonnull (strstr (compared (window, 3, 5), of));
  /* Pinned again, it is let go. */
  gtk_widget_activate_action (plot, "plot.pin", NULL);
  mt_app_wait_painted (plot);
  g_assert_cmpfloat (mt_plot_view_get_layout (plot_of (window))->badges[1].width, ==, 0);
  mt_app_window_end (window);
}

static gboolean
is_plot_zoomed (MtWindow *window)
{
  gboolean zoomed;

  g_object_get (plot_of (window), "zoomed", &zoomed, NULL);
  return zoomed;
}

static void
test_zoom (void)
{
  MtWindow *window = open_small ("level");
  GtkWidget *plot = GTK_WIDGET (plot_of (window));
  double low, high;

  show_trained (window, "frontier-level");
  mt_app_wait_painted (plot);
  g_assert_false (is_plot_zoomed (window));
  low = mt_plot_view_get_layout (plot_of (window))->x.low;
  high = mt_plot_view_get_layout (plot_of (window))->x.high;
  gtk_widget_activate_action (plot, "plot.zoom-out", NULL);
  g_assert_false (is_plot_zoomed (window));
  gtk_widget_activate_action (plot, "plot.zoom-in", NULL);
  gtk_widget_activate_action (plot, "plot.zoom-in", NULL);
  g_assert_true (is_plot_zoomed (window));
  mt_app_wait_painted (plot);
  g_assert_cmpfloat (mt_plot_view_get_layout (plot_of (window))->x.high /
                     mt_plot_view_get_layout (plot_of (window))->x.low, <, high / low);
  gtk_widget_activate_action (plot, "plot.pan", "(ii)", 1, -1);
  gtk_widget_activate_action (plot, "plot.zoom-reset", NULL);
  g_assert_false (is_plot_zoomed (window));
  mt_app_wait_painted (plot);
  g_assert_cmpfloat (mt_plot_view_get_layout (plot_of (window))->x.low, ==, low);
  /* The other scale begins with everything in view. */
  mt_plot_view_zoom (plot_of (window), 0.5, 100, 100);
  g_assert_true (is_plot_zoomed (window));
  mt_plot_view_set_log (plot_of (window), FALSE);
  g_assert_false (is_plot_zoomed (window));
  mt_app_wait_painted (plot);
  mt_app_window_end (window);
}

/* A finger has neither Space nor Ctrl, and no wheel: what they do can be pressed as well. */
static void
test_buttons (void)
{
  MtWindow *window = open_small ("level");
  MtStudy *study = mt_window_get_study (window);
  GtkWidget *page = GTK_WIDGET (page_of (window));
  GtkToggleButton *pin = GTK_TOGGLE_BUTTON (mt_app_find (page, GTK_TYPE_TOGGLE_BUTTON, "P_in"));
  GtkWidget *in = GTK_WIDGET (gtk_widget_get_template_child (page, MT_TYPE_FRONTIER_PAGE, "zoom_in_button"));
  GtkWidget *out = GTK_WIDGET (gtk_widget_get_template_child (page, MT_TYPE_FRONTIER_PAGE, "zoom_out_button"));
  MtFrontierItem *first;

  show_trained (window, "frontier-level");
  mt_app_wait_painted (GTK_WIDGET (plot_of (window)));
  gtk_single_selection_set_selected (selection_of (window), 0);
  first = gtk_single_selection_get_selected_item (selection_of (window));
  g_assert_false (gtk_toggle_button_get_active (pin));
  press (GTK_WIDGET (pin));
  g_assert_true (mt_study_get_pin (study, 0) == first);
  g_assert_true (gtk_toggle_button_get_active (pin));
  /* It speaks of what is selected, … */
  gtk_single_selection_set_selected (selection_of (window), 1);
  g_assert_false (gtk_toggle_button_get_active (pin));
  g_assert_true (mt_study_get_pin (study, 0) == first);
  press (GTK_WIDGET (pin));
  g_assert_true (mt_study_get_pin (study, 1) == gtk_single_selection_get_selected_item (selection_of (window)));
  /* … whoever pinned it, and lets it go. */
  gtk_single_selection_set_selected (selection_of (window), 0);
  g_assert_true (gtk_toggle_button_get_active (pin));
  press (GTK_WIDGET (pin));
  g_assert_true (mt_study_get_pin (study, 0) != first && mt_study_get_pin (study, 1) != first);
  mt_frontier_page_pin (page_of (window), first);
  g_assert_true (gtk_toggle_button_get_active (pin));
  g_assert_false (gtk_widget_is_sensitive (out));
  press (in);
  g_assert_true (is_plot_zoomed (window));
  press (out);
  g_assert_false (is_plot_zoomed (window));
  mt_app_window_end (window);
}

static void
turn_wheel (GtkWidget *plot,
            double     dy)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (plot);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      gboolean taken;

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        g_signal_emit_by_name (controller, "scroll", 0.0, dy, &taken);
    }
}

/* What is under the pointer stays there while the wheel turns, also when longer numbers beside the axis move the plot;
 * as far as there is something to show on all sides. */
static void
test_wheel (void)
{
  MtWindow *window = open_small ("level");
  GtkWidget *plot = GTK_WIDGET (plot_of (window));
  const MtPlotLayout *layout;
  double x, y, value_x, value_y;

  show_trained (window, "frontier-level");
  mt_app_wait_painted (plot);
  layout = mt_plot_view_get_layout (plot_of (window));
  x = layout->area.x + 0.85 * layout->area.width;
  y = layout->area.y + 0.2 * layout->area.height;
  value_x = mt_axis_value (&layout->x, 0.85);
  value_y = mt_axis_value (&layout->y, 0.8);
  mt_rules_window_point (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
  for (guint i = 0; i < 6; i++)
    {
      turn_wheel (plot, i < 4 ? -1 : 1);
      layout = mt_plot_view_get_layout (plot_of (window));
      g_assert_true (is_plot_zoomed (window));
      g_assert_cmpfloat_with_epsilon (layout->area.x + mt_axis_position (&layout->x, value_x) * layout->area.width, x, 0.5);
      g_assert_cmpfloat_with_epsilon (layout->area.y + (1 - mt_axis_position (&layout->y, value_y)) * layout->area.height,
                                      y, 0.5);
    }
  mt_app_window_end (window);
}

static gboolean
has_benchmarks (gpointer window)
{
  return mt_benchmarks_get (mt_frontier_page_get_benchmarks (page_of (window))) != NULL;
}

static gboolean
has_no_benchmarks (gpointer window)
{
  return mt_benchmarks_get (mt_frontier_page_get_benchmarks (page_of (window))) == NULL;
}

static GBytes *
picture_of (GtkWidget *plot)
{
  g_autoptr (GdkTexture) texture = NULL;

  gtk_widget_queue_draw (plot);
  texture = mt_app_grab (plot);
  return gdk_texture_save_to_png_bytes (texture);
}

/* Pointing at a point tells about it and selects nothing; beside it, and away, all is as before. */
static void
test_hover (void)
{
  MtWindow *window = open_small ("level");
  GtkWidget *plot = GTK_WIDGET (plot_of (window));
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) over = NULL;
  g_autoptr (GBytes) beside = NULL;
  g_autoptr (GBytes) away = NULL;
  const MtPlotLayout *layout;
  MtFrontierItem *selected;
  guint mark = 0;

  show_trained (window, "frontier-level");
  mt_app_wait_painted (plot);
  mt_app_settle (200);
  layout = mt_plot_view_get_layout (plot_of (window));
  while (!layout->marks[mark].visible || (int) mark == layout->selected || (int) mark == layout->recommended)
    mark++;
  selected = mt_study_get_selected (mt_window_get_study (window));
  before = picture_of (plot);
  mt_rules_window_point (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", layout->marks[mark].x,
                         layout->marks[mark].y);
  over = picture_of (plot);
  g_assert_false (g_bytes_equal (before, over));
  g_assert_true (mt_study_get_selected (mt_window_get_study (window)) == selected);
  mt_rules_window_point (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", layout->area.x + 2, layout->area.y + 2);
  beside = picture_of (plot);
  g_assert_true (g_bytes_equal (before, beside));
  mt_rules_window_point (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", layout->marks[mark].x,
                         layout->marks[mark].y);
  mt_rules_window_point (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION, "leave", 0, 0);
  away = picture_of (plot);
  g_assert_true (g_bytes_equal (before, away));
  mt_app_window_end (window);
}

static void
test_benchmarks (void)
{
  MtWindow *window = open_small ("amount");
  const MtBaselines *found;
  MtBaseline tree;

  train (window);
  mt_app_wait (has_benchmarks, window);
  found = mt_benchmarks_get (mt_frontier_page_get_benchmarks (page_of (window)));
  mt_baselines_get (found, MT_BASELINE_TREE, 5, &tree);
  g_assert_cmpuint (tree.literals, <=, 5);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Intercept only"));
  mt_app_wait_painted (GTK_WIDGET (plot_of (window)));
  g_assert_cmpuint (mt_plot_view_get_layout (plot_of (window))->benchmarks->len, >, 0);
  /* They belong to the data: another file has none. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-file", NULL);
  mt_app_answer (window, "discard");
  mt_app_wait (has_no_benchmarks, window);
  mt_app_window_end (window);
}

/* The table's order is the person's; the selection stays with its point. */
static void
test_sorted_table (void)
{
  MtWindow *window = open_small ("level");
  GtkColumnView *view = GTK_COLUMN_VIEW (mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_COLUMN_VIEW, NULL));
  GtkSingleSelection *selection = selection_of (window);
  g_autoptr (GtkColumnViewColumn) literals = NULL;
  gpointer before;
  guint n;

  show_trained (window, "frontier-level");
  before = gtk_single_selection_get_selected_item (selection);
  n = g_list_model_get_n_items (G_LIST_MODEL (selection));
  literals = g_list_model_get_item (gtk_column_view_get_columns (view), 1);
  gtk_column_view_sort_by_column (view, literals, GTK_SORT_DESCENDING);
  g_assert_true (gtk_single_selection_get_selected_item (selection) == before);
  for (guint i = 1; i < n; i++)
    {
      g_autoptr (GObject) a = g_list_model_get_item (G_LIST_MODEL (selection), i - 1);
      g_autoptr (GObject) b = g_list_model_get_item (G_LIST_MODEL (selection), i);

      g_assert_cmpuint (literals_of (a), >=, literals_of (b));
    }
  gtk_single_selection_set_selected (selection, 0);
  g_assert_true (mt_study_get_selected (mt_window_get_study (window)) ==
                 gtk_single_selection_get_selected_item (selection));
  mt_app_settle (40);
  mt_app_window_end (window);
}

/* --- the table beside the plot, or over it --- */

static gboolean
is_table_shown (gpointer window)
{
  return gtk_widget_get_mapped (GTK_WIDGET (mt_frontier_page_get_table (page_of (window))));
}

static gboolean
is_table_hidden (gpointer window)
{
  return !is_table_shown (window);
}

static GtkWidget *
find_pane_button (MtWindow *window)
{
  return GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), MT_TYPE_WINDOW, "inspector"));
}

/* What F9 does, as the shortcuts have it. */
static void
press_f9 (MtWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, "win.toggle-inspector");

  g_assert_true (g_strv_contains ((const char * const *) accels, "F9"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-inspector", NULL));
}

/* As a click on the row does. */
static void
select_row (MtWindow *window,
            guint     row)
{
  GtkWidget *list = mt_app_find (GTK_WIDGET (mt_frontier_page_get_table (page_of (window))), GTK_TYPE_LIST_VIEW, NULL);

  g_assert_true (gtk_widget_get_mapped (list));
  g_assert_true (gtk_widget_activate_action (list, "list.select-item", "(ubb)", row, FALSE, FALSE));
}

/* On a phone the table lies over the plot: there is a button that says so, one to get back, and F9 does both. */
static void
test_narrow_table (void)
{
  MtWindow *window = open_small_at ("level", 360);
  MtStudy *study = mt_window_get_study (window);
  GtkWidget *page = GTK_WIDGET (page_of (window)), *table, *back;
  graphene_rect_t bounds;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (60);
  g_assert_false (gtk_widget_get_visible (find_pane_button (window)));   /* no table yet */
  show_trained (window, "frontier-level");
  mt_app_wait (is_table_hidden, window);
  mt_app_settle (60);
  press_f9 (window);
  mt_app_wait (is_table_shown, window);
  for (guint row = 0; row < 2; row++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (G_LIST_MODEL (selection_of (window)), row);

      select_row (window, row);
      g_assert_true (mt_study_get_selected (study) == item);
    }
  press_f9 (window);
  mt_app_wait (is_table_hidden, window);
  mt_app_settle (60);
  /* The button beside the plot, and back by the one above the table. */
  table = mt_app_find (page, GTK_TYPE_BUTTON, "_Table");
  press (table);
  mt_app_wait (is_table_shown, window);
  mt_app_settle (400);   /* it slides in */
  back = GTK_WIDGET (gtk_widget_get_template_child (page, MT_TYPE_FRONTIER_PAGE, "plot_button"));
  g_assert_true (gtk_widget_compute_bounds (back, GTK_WIDGET (window), &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, 0);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, 360);
  press (back);
  mt_app_wait (is_table_hidden, window);
  /* The header bar's, beside the next step, which keeps its words. */
  mt_app_settle (60);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 360);
  press (find_pane_button (window));
  mt_app_wait (is_table_shown, window);
  press (find_pane_button (window));
  mt_app_wait (is_table_hidden, window);
  /* That it was hidden for want of room is not remembered. */
  g_assert_true (g_settings_get_boolean (mt_preferences_get_settings (), "show-frontier-table"));
  mt_app_window_end (window);
}

static GtkWidget *
find_star (MtWindow *window)
{
  g_autoptr (GPtrArray) images = mt_app_find_all (mt_frontier_page_get_table (page_of (window)), GTK_TYPE_IMAGE);
  GtkWidget *star = NULL;

  for (guint i = 0; i < images->len; i++)
    if (gtk_widget_get_mapped (images->pdata[i]) &&
        g_strcmp0 (gtk_image_get_icon_name (images->pdata[i]), "emblem-default-symbolic") == 0)
      {
        g_assert_null (star);   /* one is recommended */
        star = images->pdata[i];
      }
  return star;
}

static gboolean
has_star (gpointer window)
{
  return find_star (window) != NULL;
}

/* What is said of a model fits a phone, in large text as well, and is explained where the plot is. */
static void
test_narrow_words (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  MtWindow *window = open_small_at ("level", 360);
  GtkWidget *page = GTK_WIDGET (page_of (window)), *star, *note;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  show_trained (window, "frontier-level");
  mt_app_wait (is_table_hidden, window);
  mt_app_settle (60);
  note = GTK_WIDGET (gtk_widget_get_template_child (page, MT_TYPE_FRONTIER_PAGE, "short_note"));
  g_assert_true (gtk_widget_get_mapped (note));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (note)), "literal"));
  for (guint large = 0; large < 2; large++)
    {
      GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (mt_frontier_page_get_table (page_of (window))),
                                                     GTK_TYPE_SCROLLED_WINDOW);
      graphene_rect_t bounds;

      g_object_set (settings, "gtk-xft-dpi", large ? 96 * 1024 * 3 / 2 : dpi, NULL);
      press_f9 (window);
      mt_app_wait (is_table_shown, window);
      mt_app_wait (has_star, window);
      mt_app_settle (400);   /* it slides in */
      star = find_star (window);
      g_assert_nonnull (star);
      g_assert_cmpstr (gtk_widget_get_tooltip_text (star), ==, "Recommended");
      g_assert_true (gtk_widget_compute_bounds (star, scroller, &bounds));
      g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (scroller));
      press_f9 (window);
      mt_app_wait (is_table_hidden, window);
      mt_app_settle (60);
    }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  mt_app_window_end (window);
}

/* Heads stand over the ends of their numbers. */
static void
test_heads (void)
{
  static const char * const heads[] = { "Literals", "AUC", "Rules" };
  MtWindow *window = open_small ("level");
  GtkWidget *view = GTK_WIDGET (mt_frontier_page_get_table (page_of (window)));
  GtkWidget *note = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (page_of (window)), MT_TYPE_FRONTIER_PAGE,
                                                               "short_note"));
  GtkWidget *cell;

  show_trained (window, "frontier-level");
  mt_app_wait (is_table_shown, window);
  mt_app_settle (60);
  g_assert_null (find_star (window));   /* there is room for the word, … */
  g_assert_false (gtk_widget_get_mapped (note));   /* … and for the long note, which says what the folds chose between */
  note = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (page_of (window)), MT_TYPE_FRONTIER_PAGE, "note"));
  g_assert_true (g_str_has_prefix (gtk_label_get_label (GTK_LABEL (note)), "On this data, "));
  cell = gtk_widget_get_first_child (gtk_widget_get_first_child (mt_app_find (view, GTK_TYPE_LIST_VIEW, NULL)));
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      GtkWidget *head = mt_app_find (view, GTK_TYPE_LABEL, heads[i]);
      graphene_rect_t above, below;

      cell = gtk_widget_get_next_sibling (cell);
      g_assert_true (gtk_widget_compute_bounds (head, view, &above));
      g_assert_true (gtk_widget_compute_bounds (gtk_widget_get_first_child (cell), view, &below));
      g_assert_cmpfloat_with_epsilon (above.origin.x + above.size.width, below.origin.x + below.size.width, 2);
    }
  mt_app_window_end (window);
}

/* Beside the plot it stays hidden for one who hid it: from page to page and in the next window. The Data page's pane is
 * another matter. */
static void
test_wide_table (void)
{
  GSettings *settings = mt_preferences_get_settings ();
  MtWindow *window = open_small ("level");
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (find_pane_button (window));

  show_trained (window, "frontier-level");
  mt_app_wait (is_table_shown, window);
  g_assert_true (gtk_toggle_button_get_active (button));
  g_assert_false (gtk_widget_get_mapped (mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, "_Table")));
  press_f9 (window);
  mt_app_wait (is_table_hidden, window);
  g_assert_false (g_settings_get_boolean (settings, "show-frontier-table"));
  g_assert_true (g_settings_get_boolean (settings, "show-inspector"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "data");
  mt_app_settle (60);
  g_assert_true (gtk_toggle_button_get_active (button));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (60);
  g_assert_false (gtk_toggle_button_get_active (button));
  g_assert_false (is_table_shown (window));
  mt_app_window_end (window);

  window = open_small ("level");
  show_trained (window, "frontier-level");
  mt_app_settle (60);
  g_assert_false (is_table_shown (window));
  press (find_pane_button (window));
  mt_app_wait (is_table_shown, window);
  g_assert_true (g_settings_get_boolean (settings, "show-frontier-table"));
  mt_app_window_end (window);
}

/* --- files --- */

typedef struct {
  gboolean done, written;
  GError  *error;
} Written;

static void
on_written (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  Written *written = data;

  written->written = mt_frontier_export_finish (result, &written->error);
  written->done = TRUE;
}

static gboolean
is_done (gpointer written)
{
  return ((Written *) written)->done;
}

static Written
export (MtWindow   *window,
        const char *path)
{
  Written written = { FALSE };

  mt_frontier_page_export_async (page_of (window), path, NULL, on_written, &written);
  mt_app_wait (is_done, &written);
  return written;
}

static void
test_export (void)
{
  static const struct {
    const char *name, *begins;
  } kinds[] = { { "frontier.svg", "<?xml" }, { "frontier.png", "\x89PNG" }, { "frontier.pdf", "%PDF" },
                { "frontier.csv", "kind,run,literals" } };
  MtWindow *window = open_small ("level");
  g_autoptr (GFile) wrong = mt_app_write ("picture.txt", "kept");
  Written written;

  show_trained (window, "frontier-level");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = mt_app_write (kinds[i].name, "");
      g_autofree char *text = NULL;
      gsize length;

      written = export (window, g_file_peek_path (file));
      g_assert_no_error (written.error);
      g_assert_true (written.written);
      g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, &length, NULL));
      g_assert_cmpmem (text, strlen (kinds[i].begins), kinds[i].begins, strlen (kinds[i].begins));
    }
  written = export (window, g_file_peek_path (wrong));
  g_assert_error (written.error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_clear_error (&written.error);
  /* A place that does not take it: an error, and nothing half written. */
  written = export (window, "/proc/frontier.svg");
  g_assert_nonnull (written.error);
  g_clear_error (&written.error);
  written = export (window, "/nonexistent/folder/frontier.csv");
  g_assert_nonnull (written.error);
  g_clear_error (&written.error);
  mt_app_window_end (window);
}

/* What the person sees of it: a dialog with the reason, not a word that vanishes. */
static void
test_export_failure (void)
{
  MtWindow *window = open_small ("level");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nonexistent/folder/frontier.svg");
  g_autoptr (GFile) remote = g_file_new_for_uri ("sftp://example/frontier.svg");

  show_trained (window, "frontier-level");
  mt_window_export (window, nowhere);
  mt_app_wait (has_dialog, window);
  gtk_window_close (GTK_WINDOW (find_dialog (window)));
  mt_app_settle (40);
  g_assert_null (find_dialog (window));
  mt_window_export (window, remote);
  g_assert_nonnull (find_dialog (window));
  gtk_window_close (GTK_WINDOW (find_dialog (window)));
  mt_app_window_end (window);
}

/* Every number of the points, as files have them. */
static void
test_points_csv (void)
{
  MtWindow *window = open_small ("amount");
  g_autoptr (GString) csv = NULL;
  g_auto (GStrv) lines = NULL;
  GListModel *points;
  guint n;

  show_trained (window, "frontier-amount");
  points = mt_study_get_points (mt_window_get_study (window));
  n = g_list_model_get_n_items (points);
  csv = mt_frontier_points_to_csv (points, NULL, 0);
  lines = g_strsplit (csv->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, n + 2);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);

      g_assert_cmpstr (cells[0], ==, "model");
      g_assert_cmpuint (g_ascii_strtoull (cells[2], NULL, 10), ==, literals_of (item));
      g_assert_cmpfloat (g_ascii_strtod (cells[4], NULL), ==, mt_frontier_item_get_point (item)->cv_mean);
      g_assert_cmpstr (cells[8], ==, mt_frontier_item_is_recommended (item) ? "1" : "0");
    }
  mt_app_window_end (window);
}

/* A number and its error keep their order where one reads from right to left. */
static void
test_right_to_left (void)
{
  g_autoptr (GtkWidget) label = NULL;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  label = g_object_ref_sink (gtk_label_new ("0.77 ± 0.01"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  mt_theme_read_forwards (GTK_LABEL (label));
  g_assert_cmpint (gtk_widget_get_direction (label), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (label)), ==, 1);
  mt_theme_read_forwards (GTK_LABEL (label));
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (label)), ==, 1);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static GtkWidget *
find_recommended (MtWindow *window)
{
  return mt_app_find (GTK_WIDGET (mt_frontier_page_get_table (page_of (window))), GTK_TYPE_LABEL, "Recommended");
}

static gboolean
says_recommended (gpointer window)
{
  GtkWidget *label = find_recommended (window);

  return label != NULL && gtk_widget_get_mapped (label);
}

/* The word that matters most in the table is there to its last letter, also in a font that is wider than usual. */
static void
test_recommended (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autofree char *font = NULL;
  MtWindow *window;
  GtkWidget *label, *scroller;
  graphene_rect_t bounds;

  g_object_get (settings, "gtk-font-name", &font, NULL);
  g_object_set (settings, "gtk-font-name", "DejaVu Sans 11", NULL);
  window = open_small ("level");
  show_trained (window, "frontier-level");
  mt_app_wait (says_recommended, window);
  mt_app_settle (60);
  label = find_recommended (window);
  scroller = gtk_widget_get_ancestor (label, GTK_TYPE_SCROLLED_WINDOW);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_true (gtk_widget_compute_bounds (label, scroller, &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (scroller));
  mt_app_window_end (window);
  g_object_set (settings, "gtk-font-name", font, NULL);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/frontier/three-clicks", test_three_clicks);
  g_test_add_func ("/app/frontier/errors", test_errors);
  g_test_add_func ("/app/frontier/number-and-classes", test_number_and_classes);
  g_test_add_func ("/app/frontier/progress-words", test_progress_words);
  g_test_add_func ("/app/frontier/stop", test_stop);
  g_test_add_func ("/app/frontier/no-target", test_no_target);
  g_test_add_func ("/app/frontier/refused", test_refused);
  g_test_add_func ("/app/frontier/stale", test_stale);
  g_test_add_func ("/app/frontier/walk-and-pin", test_walk_and_pin);
  g_test_add_func ("/app/frontier/recommended", test_recommended);
  g_test_add_func ("/app/frontier/zoom", test_zoom);
  g_test_add_func ("/app/frontier/buttons", test_buttons);
  g_test_add_func ("/app/frontier/wheel", test_wheel);
  g_test_add_func ("/app/frontier/hover", test_hover);
  g_test_add_func ("/app/frontier/benchmarks", test_benchmarks);
  g_test_add_func ("/app/frontier/sorted-table", test_sorted_table);
  g_test_add_func ("/app/frontier/narrow-table", test_narrow_table);
  g_test_add_func ("/app/frontier/narrow-words", test_narrow_words);
  g_test_add_func ("/app/frontier/heads", test_heads);
  g_test_add_func ("/app/frontier/wide-table", test_wide_table);
  g_test_add_func ("/app/frontier/export", test_export);
  g_test_add_func ("/app/frontier/export-failure", test_export_failure);
  g_test_add_func ("/app/frontier/points-csv", test_points_csv);
  g_test_add_func ("/app/frontier/right-to-left", test_right_to_left);
  return g_test_run ();
}
