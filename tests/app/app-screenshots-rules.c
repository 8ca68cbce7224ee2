/* Takes pictures of the Rules page: app-screenshots-rules FOLDER NAME CSV TARGET [edit|forms|large]. Light and
 * dark, wide and narrow, with a line of the truth table selected, and the whole model on one canvas. With edit:
 * those of editing only; with forms: the form of every edit; with large: text of one and a half the size; with scorecard: the model by column. With a model file instead of a table, and no target: that
 * model without its data. */
#include "config.h"

#include "apputils.h"
#include "rules/mt-edit-dialog.h"
#include "rules/mt-rules-page.h"
#include "rules/mt-scorecard-pane.h"
#include "rules/mt-what-if-view.h"
#include "util/mt-preferences.h"

static const char *folder, *name;

static void
shoot (MtWindow   *window,
       const char *suffix)
{
  g_autofree char *file = g_strdup_printf ("%s%s.png", name, suffix);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");
  gtk_widget_remove_css_class (GTK_WIDGET (window), "devel");
  mt_app_settle (250);
  mt_app_shot (GTK_WIDGET (window), path);
}

static MtRulesPage *
page_of (MtWindow *window)
{
  return MT_RULES_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL));
}

/* The rule with most to see. */
static void
select_largest (MtRulesPage *page)
{
  MtRuleBook *book = mt_rules_page_get_book (page);
  guint best = 0, most = 0;

  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    if (mt_rule_book_get_number (book, t) > 0 && mt_rule_book_get_facts (book, t)->n_literals > most)
      {
        best = t;
        most = mt_rule_book_get_facts (book, t)->n_literals;
      }
  mt_rule_list_select_term (mt_rules_page_get_list (page), (int) best);
}

/* A line of the truth table that many rows have and of which the rule is true. */
static void
select_line (MtRulesPage *page)
{
  MtRuleFocus *focus = mt_rule_inspector_get_focus (mt_rules_page_get_inspector (page));
  MtRuleView *view = mt_rule_focus_get_view (focus);
  guint32 best = 0;
  gsize most = 0;

  for (guint32 v = 0; view != NULL && v < mt_rule_view_get_n_assignments (view); v++)
    if (mt_rule_view_get_output (view, v) && mt_rule_view_get_n_rows (view, v) >= most)
      {
        best = v;
        most = mt_rule_view_get_n_rows (view, v);
      }
  mt_rule_focus_select (focus, MT_FOCUS_LINE, best);
}

/* The numeric column, if there is one, with a value pointed at. */
static void
shoot_column (MtWindow   *window,
              const char *suffix)
{
  MtRuleBook *book = mt_rules_page_get_book (page_of (window));

  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    if (mt_rule_book_get_number (book, t) == 0)
      {
        mt_rule_list_select_term (mt_rules_page_get_list (page_of (window)), (int) t);
        mt_app_settle (100);
        shoot (window, suffix);
        return;
      }
}

/* The model on show beside one about half as large. */
static void
compare_with_smaller (MtWindow *window)
{
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  guint most = mt_frontier_item_get_point (mt_study_get_selected (study))->complexity / 2;
  MtFrontierItem *smaller = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);   /* the list keeps it */

      if (smaller == NULL || mt_frontier_item_get_point (item)->complexity <= most)
        smaller = item;
    }
  mt_study_set_compared (study, NULL);
  mt_study_set_compared (study, smaller);
  mt_app_settle (300);
}

/* Scrolls a view to its end. */
static void
show_end (GtkWidget *view)
{
  GtkWidget *scrolled = mt_app_find (view, GTK_TYPE_SCROLLED_WINDOW, NULL);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* The model by column: from its top, and from further down. */
static void
shoot_scorecard (MtWindow   *window,
                 const char *suffix)
{
  g_autofree char *end = g_strconcat (suffix, "-end", NULL);
  GtkWidget *pane;

  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.view", "s", "scorecard");
  mt_app_settle (300);
  shoot (window, suffix);
  pane = mt_app_find (GTK_WIDGET (window), MT_TYPE_SCORECARD_PANE, NULL);
  show_end (pane);
  shoot (window, end);
}

/* --- editing --- */

/* The window on top of the first. */
static GtkWindow *
find_dialog (void)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);   /* the list keeps it */

      if (ADW_IS_WINDOW (each))
        return each;
    }
  return NULL;
}

static gboolean
is_worked_out (gpointer data)
{
  GtkWindow *dialog = find_dialog ();

  return dialog != NULL && !mt_edit_dialog_is_busy (MT_EDIT_DIALOG (dialog));
}

static void
shoot_dialog (const char *suffix)
{
  g_autofree char *file = g_strdup_printf ("%s%s.png", name, suffix);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  gtk_widget_remove_css_class (GTK_WIDGET (find_dialog ()), "solid-csd");
  mt_app_settle (250);
  mt_app_shot (GTK_WIDGET (find_dialog ()), path);
}

static void
open_form (MtWindow   *window,
           const char *kind,
           const char *reason)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", kind);
  mt_app_wait (is_worked_out, NULL);
  gtk_editable_set_text (GTK_EDITABLE (mt_app_find (GTK_WIDGET (find_dialog ()), ADW_TYPE_ENTRY_ROW, NULL)), reason);
}

/* The form of every edit of the rule with most to see; nothing is applied. */
static void
shoot_forms (MtWindow   *window,
             const char *suffix)
{
  select_largest (page_of (window));
  mt_app_settle (100);
  for (guint kind = 0; kind < MT_N_EDITS; kind++)
    {
      const char *word = mt_edit_kind_to_string ((MtEditKind) kind);
      g_autofree char *ending = g_strdup_printf ("-form-%s%s", word, suffix);

      open_form (window, word, "The credit team could not explain this rule");
      shoot_dialog (ending);
      gtk_window_close (find_dialog ());
      mt_app_settle (100);
    }
}

static void
edit (MtWindow   *window,
      const char *kind,
      const char *reason,
      const char *suffix)      /* of its picture, NULL: none */
{
  open_form (window, kind, reason);
  if (suffix != NULL)
    shoot_dialog (suffix);
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (find_dialog ()), GTK_TYPE_BUTTON, "apply"), "clicked");
  mt_app_settle (200);
}

/* A form, a model edited three times, its history, and where it stands on the frontier. */
static void
shoot_editing (MtWindow *window)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  select_largest (page_of (window));
  edit (window, "drop-input", "Income is checked in an earlier step", "-edit");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  edit (window, "merge-thresholds", "Our form rounds this value", "-edit-dark");
  shoot (window, "-edited-dark");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  edit (window, "refit", "Weights after both edits", NULL);
  edit (window, "round-weights", "Points for a paper form", "-edit-round");
  shoot (window, "-edited");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.edit-history", NULL);
  shoot_dialog ("-edit-history");
  gtk_window_destroy (find_dialog ());
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  shoot (window, "-edited-frontier");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
}

static MtWindow *
open_model (GFile      *file,
            const char *target,
            int         width,
            int         height)
{
  MtWindow *window = mt_app_window_new (width, height);

  mt_app_train (window, file, target);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_app_settle (100);
  return window;
}

int
main (int    argc,
      char **argv)
{
  AdwStyleManager *manager;
  g_autoptr (GFile) file = NULL;
  MtWindow *window;

  mt_app_test_init (&argc, &argv);
  if (argc < 4)
    return 2;
  folder = argv[1];
  name = argv[2];
  file = g_file_new_for_path (argv[3]);
  g_settings_set_string (mt_preferences_get_settings (), "person", "A. Example");
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", "gtk-decoration-layout", ":close", NULL);
  manager = adw_style_manager_get_default ();

  if (argc < 5)
    {
      window = mt_app_window_new (1280, 860);
      mt_app_open (window, file);
      mt_app_settle (100);
      select_largest (page_of (window));
      shoot (window, "");
      mt_app_window_end (window);
      return 0;
    }
  if (argc > 5 && g_str_equal (argv[5], "scorecard"))
    {
      window = open_model (file, argv[4], 1280, 860);
      shoot_scorecard (window, "-scorecard");
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
      shoot (window, "-scorecard-dark");
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
      mt_app_window_end (window);
      window = open_model (file, argv[4], 360, 780);
      shoot (window, "-scorecard-narrow-list");
      shoot_scorecard (window, "-scorecard-narrow");
      mt_app_window_end (window);
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL);
      window = open_model (file, argv[4], 1280, 860);
      shoot_scorecard (window, "-scorecard-large");
      mt_app_window_end (window);
      return 0;
    }
  if (argc > 5 && g_str_equal (argv[5], "edit"))
    {
      window = open_model (file, argv[4], 1280, 860);
      shoot_editing (window);
      mt_app_window_end (window);
      window = open_model (file, argv[4], 360, 780);
      select_largest (page_of (window));
      edit (window, "drop-rule", "The credit team could not explain this rule", "-edit-narrow");
      shoot (window, "-edited-narrow");
      mt_app_window_end (window);
      return 0;
    }
  if (argc > 5 && g_str_equal (argv[5], "forms"))
    {
      window = open_model (file, argv[4], 1280, 860);
      shoot_forms (window, "");
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
      shoot_forms (window, "-dark");
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
      mt_app_window_end (window);
      window = open_model (file, argv[4], 360, 780);
      shoot_forms (window, "-narrow");
      mt_app_window_end (window);
      return 0;
    }
  if (argc > 5 && g_str_equal (argv[5], "large"))
    {
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL);
      window = open_model (file, argv[4], 1280, 860);
      shoot_column (window, "-large-column");
      select_largest (page_of (window));
      select_line (page_of (window));
      shoot (window, "-large");
      gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.mode", "s", "what-if");
      mt_app_settle (300);
      shoot (window, "-large-what-if");
      gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.view", "s", "canvas");
      mt_app_settle (150);
      shoot (window, "-large-canvas");
      mt_app_window_end (window);
      return 0;
    }
  window = open_model (file, argv[4], 1280, 860);
  shoot_column (window, "-column");
  select_largest (page_of (window));
  select_line (page_of (window));
  shoot (window, "");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  shoot (window, "-dark");
  g_signal_emit_by_name (mt_rules_page_get_inspector (page_of (window)), "open-row", 0);
  mt_app_settle (150);
  shoot (window, "-what-if-dark");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  shoot (window, "-what-if");
  show_end (mt_app_find (GTK_WIDGET (window), MT_TYPE_WHAT_IF_VIEW, NULL));
  shoot (window, "-what-if-changes");
  compare_with_smaller (window);
  shoot (window, "-compare");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  shoot (window, "-compare-dark");
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.mode", "s", "rule");
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.view", "s", "canvas");
  mt_app_settle (150);
  shoot (window, "-canvas-dark");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  shoot (window, "-canvas");
  mt_app_window_end (window);

  window = open_model (file, argv[4], 360, 780);
  shoot (window, "-narrow");
  select_largest (page_of (window));
  g_signal_emit_by_name (mt_rules_page_get_list (page_of (window)), "opened");
  mt_app_settle (50);
  select_line (page_of (window));
  shoot (window, "-narrow-rule");
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "rules.mode", "s", "what-if");
  mt_app_settle (300);
  shoot (window, "-narrow-what-if");
  compare_with_smaller (window);
  shoot (window, "-narrow-compare");
  mt_app_window_end (window);
  return 0;
}
