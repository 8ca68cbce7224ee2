/* The Rules page in the real window: the table, the four views of a rule, and every link between
 * them, by selecting and by the pointer. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "apputils.h"
#include "rules/mt-canvas-view.h"
#include "rules/mt-diagram-view.h"
#include "rules/mt-formula-view.h"
#include "rules/mt-rows-view.h"
#include "rules/mt-rules-page.h"
#include "rules/mt-scorecard-pane.h"
#include "rules/mt-term-item.h"
#include "rules/mt-truth-view.h"
#include "rules/mt-what-if-view.h"
#include "widgets/mt-chart-view.h"
#include "rules-window.h"

static void
test_table (void)
{
  static const char * const targets[] = { "answer", "level", "amount" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1200);
      MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
      GListModel *shown = G_LIST_MODEL (mt_rule_list_get_selection (list));
      MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
      GtkEditable *search = GTK_EDITABLE (mt_app_find (GTK_WIDGET (list), GTK_TYPE_SEARCH_ENTRY, NULL));
      g_autoptr (MtTermItem) first = g_list_model_get_item (shown, 0);

      g_assert_cmpuint (g_list_model_get_n_items (shown), ==, 1 + mt_rule_book_get_n_terms (book));
      g_assert_cmpint (mt_term_item_get_term (first), ==, MT_TERM_INTERCEPT);
      /* A search leaves the intercept and what has the word. */
      gtk_editable_set_text (search, "no such column anywhere");
      g_signal_emit_by_name (search, "search-changed");
      g_assert_cmpuint (g_list_model_get_n_items (shown), ==, 1);
      gtk_editable_set_text (search, "KIND");
      g_signal_emit_by_name (search, "search-changed");
      for (guint j = 1; j < g_list_model_get_n_items (shown); j++)
        {
          g_autoptr (MtTermItem) item = g_list_model_get_item (shown, j);
          g_autofree char *rule = mt_term_item_dup_text (item);

          g_assert_nonnull (strstr (rule, "kind"));
        }
      gtk_editable_set_text (search, "");
      g_signal_emit_by_name (search, "search-changed");
      g_assert_cmpuint (g_list_model_get_n_items (shown), ==, 1 + mt_rule_book_get_n_terms (book));
      mt_app_window_end (window);
    }
}

/* Whatever the order, the intercept stays on top and the rest is sorted. */
static void
test_sort (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
  GtkColumnView *table = GTK_COLUMN_VIEW (mt_app_find (GTK_WIDGET (list), GTK_TYPE_COLUMN_VIEW, "rules"));
  GListModel *shown = G_LIST_MODEL (mt_rule_list_get_selection (list));
  g_autoptr (GtkColumnViewColumn) support = g_list_model_get_item (gtk_column_view_get_columns (table), 2);

  for (guint way = 0; way < 2; way++)
    {
      gsize before = way == 0 ? 0 : G_MAXSIZE;

      gtk_column_view_sort_by_column (table, support, way == 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
      for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
        {
          g_autoptr (MtTermItem) item = g_list_model_get_item (shown, i);

          if (i == 0)
            g_assert_cmpint (mt_term_item_get_term (item), ==, MT_TERM_INTERCEPT);
          else
            {
              g_assert_true (way == 0 ? mt_term_item_get_support (item) >= before
                                      : mt_term_item_get_support (item) <= before);
              before = mt_term_item_get_support (item);
            }
        }
    }
  mt_app_window_end (window);
}

/* One selected says nothing: all that is listed is copied. Several are copied by themselves, in the order of the list. */
static void
test_copy (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1200);
  MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
  GtkSelectionModel *lines = mt_rule_list_get_selection (list);
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  guint n = mt_rule_book_get_n_terms (book);
  g_autofree char *all = mt_rule_list_dup_listing (list, MT_LISTING_TEXT);
  g_autofree guint *every = g_new (guint, n);
  g_autofree char *expected = NULL;

  g_assert_cmpuint (n, >, 2);
  for (guint t = 0; t < n; t++)
    every[t] = t;
  expected = mt_rule_book_dup_listing (book, MT_LISTING_TEXT, every, n);
  g_assert_cmpstr (all, ==, expected);
  /* The intercept is in every listing as it is. */
  gtk_selection_model_select_item (lines, 1, TRUE);
  gtk_selection_model_select_item (lines, 3, FALSE);
  g_assert_cmpint (mt_term_item_get_term (mt_rule_list_get_selected (list)), ==, 2);   /* the last one is on show */
  for (guint format = 0; format < 3; format++)
    {
      static const MtListing listings[] = { MT_LISTING_TEXT, MT_LISTING_MARKDOWN, MT_LISTING_LATEX };
      g_autofree char *some = mt_rule_list_dup_listing (list, listings[format]);
      g_autofree char *two = mt_rule_book_dup_listing (book, listings[format], (const guint[]) { 0, 2 }, 2);

      g_assert_cmpstr (some, ==, two);
    }
  gtk_selection_model_unselect_item (lines, 3);
  g_assert_cmpint (mt_term_item_get_term (mt_rule_list_get_selected (list)), ==, 0);
  mt_app_window_end (window);
}

/* A line of the table lights its term, its way and its rows. */
static void
test_from_line (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  MtTruthView *truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  MtRowsView *rows = mt_rules_window_find (window, MT_TYPE_ROWS_VIEW);
  GtkSingleSelection *lines = GTK_SINGLE_SELECTION (mt_truth_view_get_lines (truth));

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (lines)), ==, mt_rule_view_get_n_assignments (view));
  for (guint position = 0; position < mt_rule_view_get_n_assignments (view); position++)
    {
      guint32 v = mt_truth_view_get_assignment (truth, position), index;

      gtk_single_selection_set_selected (lines, position);
      g_assert_cmpint (mt_rule_focus_get_selected (focus, &index), ==, MT_FOCUS_LINE);
      g_assert_cmpuint (index, ==, v);
      for (guint t = 0; t < mt_rule_view_get_n_terms (view, MT_PHRASE_DNF); t++)
        {
          guint64 set[MT_TRUTH_TABLE_MAX_WORDS];

          mt_rule_view_set_assignment (view, v, set);
          g_assert_cmpint (mt_rule_focus_lights_term (focus, t), ==,
                           mt_rule_view_lights_term (view, set, MT_PHRASE_DNF, t));
        }
      g_assert_cmpuint (mt_rows_view_get_n_rows (rows), ==, mt_rule_view_get_n_rows (view, v));
      for (guint r = 0; r < mt_rows_view_get_n_rows (rows); r++)
        g_assert_cmpuint (mt_rule_view_get_pattern (view, mt_rows_view_get_row (rows, r)), ==, v);
    }
  mt_app_settle (60);   /* drawn without a warning */
  mt_app_window_end (window);
}

/* The pointer over a term, then a click on it. */
static void
test_from_term (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  MtFormulaView *formula = mt_rules_window_find (window, MT_TYPE_FORMULA_VIEW);
  MtRowsView *rows = mt_rules_window_find (window, MT_TYPE_ROWS_VIEW);
  gsize before = mt_rows_view_get_n_rows (rows);

  mt_app_wait_painted (GTK_WIDGET (formula));
  for (guint t = 0; t < mt_rule_view_get_n_terms (view, MT_PHRASE_DNF); t++)
    {
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
      double x, y;

      mt_rule_view_set_term (view, MT_PHRASE_DNF, t, set);
      g_assert_true (mt_formula_view_get_place (formula, t, &x, &y));
      mt_rules_window_point (GTK_WIDGET (formula), GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
        g_assert_cmpint (mt_rule_focus_lights_line (focus, v), ==, mt_truth_table_get (set, v));
      g_assert_true (mt_rule_focus_lights_term (focus, t));
      g_assert_cmpuint (mt_rows_view_get_n_rows (rows), ==, before);   /* pointing does not list anew */
      mt_rules_window_point (GTK_WIDGET (formula), GTK_TYPE_GESTURE_CLICK, "pressed", x, y);
      g_assert_cmpuint (mt_rows_view_get_n_rows (rows), ==, mt_rule_view_count_rows (view, set));
      mt_rules_window_point (GTK_WIDGET (formula), GTK_TYPE_GESTURE_CLICK, "pressed", x, y);
      g_assert_cmpint (mt_rule_focus_get_selected (focus, NULL), ==, MT_FOCUS_NONE);
    }
  mt_app_window_end (window);
}

/* Every box and every line of the diagram. */
static void
test_from_diagram (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  MtDiagramView *diagram = mt_rules_window_find (window, MT_TYPE_DIAGRAM_VIEW);
  MtTruthView *truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  MtRowsView *rows = mt_rules_window_find (window, MT_TYPE_ROWS_VIEW);
  const MtDiagramLayout *layout = mt_diagram_view_get_layout (diagram);
  guint32 index;

  g_assert_nonnull (layout);
  mt_app_wait_painted (GTK_WIDGET (diagram));
  for (guint i = 0; i < layout->n_boxes; i++)
    {
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
      double x = layout->boxes[i].x + 4, y = layout->boxes[i].y + 15;

      mt_rule_view_set_node (view, layout->boxes[i].node, set);
      mt_diagram_view_get_place (diagram, &x, &y);
      mt_rules_window_point (GTK_WIDGET (diagram), GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
      g_assert_cmpint (mt_rule_focus_get_hovered (focus, &index), ==, MT_FOCUS_NODE);
      g_assert_cmpuint (index, ==, layout->boxes[i].node);
      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
        g_assert_cmpint (mt_rule_focus_lights_line (focus, v), ==, mt_truth_table_get (set, v));
    }
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtDiagramLine *line = &layout->lines[i];
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
      double x = line->points[0].x, y = line->points[0].y + 6;

      mt_rule_view_set_line (view, mt_diagram_line_number (line->from, line->high), set);
      mt_diagram_view_get_place (diagram, &x, &y);
      mt_rules_window_point (GTK_WIDGET (diagram), GTK_TYPE_GESTURE_CLICK, "pressed", x, y);
      g_assert_cmpint (mt_rule_focus_get_selected (focus, &index), ==, MT_FOCUS_EDGE);
      g_assert_cmpuint (index, ==, mt_diagram_line_number (line->from, line->high));
      g_assert_cmpuint (mt_rows_view_get_n_rows (rows), ==, mt_rule_view_count_rows (view, set));
    }
  /* By keyboard: from way to way, the pointer gone. */
  mt_rule_focus_hover (focus, MT_FOCUS_NONE, 0);
  for (guint p = 0; p < mt_rule_view_get_n_paths (view); p++)
    {
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];

      mt_rule_focus_select (focus, MT_FOCUS_PATH, p);
      mt_rule_view_set_path (view, p, set);
      for (guint l = 0; l < mt_rule_view_get_n_assignments (view); l++)
        g_assert_cmpint (mt_rule_focus_lights_line (focus, mt_truth_view_get_assignment (truth, l)), ==,
                         mt_truth_table_get (set, mt_truth_view_get_assignment (truth, l)));
    }
  mt_diagram_view_zoom (diagram, 2);
  g_assert_cmpfloat (mt_diagram_view_get_scale (diagram), >, 1);
  mt_diagram_view_zoom (diagram, 0);
  g_assert_cmpfloat (mt_diagram_view_get_scale (diagram), <=, 1);
  mt_app_window_end (window);
}

/* A data row lights its line and leaves the list as it is. */
static void
test_from_row (void)
{
  MtWindow *window = mt_rules_window_open ("amount", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  MtRowsView *rows = mt_rules_window_find (window, MT_TYPE_ROWS_VIEW);
  guint n = mt_rows_view_get_n_rows (rows), n_taken = 0;
  guint32 row;

  g_assert_cmpuint (n, >, 0);
  row = mt_rows_view_get_row (rows, n / 2);
  mt_rule_focus_select (focus, MT_FOCUS_ROW, row);
  g_assert_cmpuint (mt_rows_view_get_n_rows (rows), ==, n);
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    g_assert_cmpint (mt_rule_focus_lights_line (focus, v), ==, v == mt_rule_view_get_pattern (view, row));
  g_assert_true (mt_rule_focus_lights_row (focus, row));
  g_assert_false (mt_rule_focus_lights_row (focus, row + 1));
  for (guint t = 0; t < mt_rule_view_get_n_terms (view, MT_PHRASE_DNF); t++)
    {
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];

      mt_rule_view_set_term (view, MT_PHRASE_DNF, t, set);
      g_assert_cmpint (mt_rule_focus_lights_term (focus, t), ==,
                       mt_truth_table_get (set, mt_rule_view_get_pattern (view, row)));
    }
  /* … and, of the ways through the diagram, the one it takes. */
  for (guint p = 0; p < mt_rule_view_get_n_paths (view); p++)
    {
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];

      mt_rule_view_set_path (view, p, set);
      n_taken += mt_truth_table_get (set, mt_rule_view_get_pattern (view, row));
    }
  g_assert_cmpuint (n_taken, ==, 1);
  mt_app_window_end (window);
}

static void
test_forms (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  MtFormulaView *formula = mt_rules_window_find (window, MT_TYPE_FORMULA_VIEW);
  MtTruthView *truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  g_autofree char *dnf = mt_formula_view_dup_text (formula);
  g_autofree char *cnf = NULL;
  g_autofree char *words = NULL;
  int before = -1;

  mt_rule_focus_set_form (focus, MT_PHRASE_CNF);
  cnf = mt_formula_view_dup_text (formula);
  g_assert_cmpstr (dnf, !=, cnf);
  mt_rule_focus_set_form (focus, MT_PHRASE_DNF);
  mt_rule_focus_set_words (focus, TRUE);
  words = mt_formula_view_dup_text (formula);
  g_assert_cmpstr (dnf, !=, words);
  g_assert_null (strstr (words, "∧"));
  /* Grouped: the terms one after another, what is false behind them. */
  mt_truth_view_set_grouped (truth, TRUE);
  for (guint i = 0; i < mt_rule_view_get_n_assignments (view); i++)
    {
      guint32 v = mt_truth_view_get_assignment (truth, i);
      int term = mt_rule_view_get_first_term (view, MT_PHRASE_DNF, v);
      int place = (mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE) ? G_MAXINT : term < 0 ? G_MAXINT - 1 : term;

      g_assert_cmpint (place, >=, before);
      before = place;
    }
  mt_app_settle (40);
  mt_app_window_end (window);
}

/* Of the forms one is pressed, and a click on another shows that one. */
static void
test_form_buttons (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleFocus *focus = mt_rules_window_focus (window);
  GtkWidget *inspector = mt_rules_window_find (window, MT_TYPE_RULE_INSPECTOR);
  GtkWidget *buttons[] = { mt_app_find (inspector, GTK_TYPE_TOGGLE_BUTTON, "DNF"),
                           mt_app_find (inspector, GTK_TYPE_TOGGLE_BUTTON, "CNF"),
                           mt_app_find (inspector, GTK_TYPE_TOGGLE_BUTTON, "XOR") };
  static const MtPhraseForm forms[] = { MT_PHRASE_DNF, MT_PHRASE_CNF, MT_PHRASE_XOR };
  static const guint clicks[] = { 1, 0, 2, 1, 2, 0, 0, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (clicks); i++)
    {
      if (!mt_rule_view_has_form (view, forms[clicks[i]]))
        continue;
      g_signal_emit_by_name (buttons[clicks[i]], "clicked");
      g_assert_cmpint (mt_rule_focus_get_form (focus), ==, forms[clicks[i]]);
      for (guint k = 0; k < G_N_ELEMENTS (buttons); k++)
        g_assert_cmpint (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (buttons[k])), ==, k == clicks[i]);
    }
  mt_app_window_end (window);
}

static void
test_pictures (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRulesPage *page = mt_rules_window_page (window);
  g_autoptr (GFile) wrong = mt_app_write ("diagram.txt", "");
  g_autoptr (GError) error = NULL;
  static const char * const names[] = { "diagram.svg", "diagram.png", "diagram.pdf" };
  static const char * const marks[] = { "<svg", "PNG", "%PDF" };

  mt_rules_window_select_richest (window);
  g_assert_false (mt_rules_window_export (page, g_file_peek_path (wrong), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_clear_error (&error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = mt_app_write (names[i], "");
      g_autofree char *text = NULL;
      gsize length;

      g_assert_true (mt_rules_window_export (page, g_file_peek_path (file), &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, &length, NULL));
      g_assert_nonnull (g_strstr_len (text, (gssize) MIN (length, 200), marks[i]));
    }
  mt_app_window_end (window);
}

static gboolean
is_drawn (gpointer canvas)
{
  return !mt_canvas_view_is_busy (canvas);
}

static gboolean
has_answer (gpointer view)
{
  return mt_what_if_view_get_result (view) != NULL;
}

/* The model with one field changed, and a checksum that fits: the field itself has to be found. */
static char *
put_lie (const char *json,
         const char *from,
         const char *to)
{
  const char *at = strstr (json, from);
  g_autofree char *changed = g_strdup_printf ("%.*s%s%s", (int) (at - json), json, to, at + strlen (from));
  const char *seal = g_strrstr (changed, ",\n  \"checksum\"");
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) changed,
                                                       (gsize) (seal - changed));

  return g_strdup_printf ("%.*s,\n  \"checksum\": \"sha256:%s\"\n}\n", (int) (seal - changed), changed, hash);
}

/* By a dialog that names @field. */
static gboolean
is_refused_for (MtWindow   *window,
                const char *json,
                const char *field)
{
  g_autoptr (GFile) file = mt_app_write ("damaged.json", json);
  GListModel *windows = gtk_window_get_toplevels ();
  gboolean told = FALSE;

  mt_app_open (window, file);
  mt_app_settle (40);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (windows, i);

      if (!ADW_IS_MESSAGE_DIALOG (each))
        continue;
      told = strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (each)), field) != NULL;
      gtk_window_destroy (each);
      break;
    }
  return told;
}

/* A model file without its data: everything but rows. */
static void
test_model_file (void)
{
  MtWindow *window = mt_app_window_new (1200, 800);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "models", "version-1.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *json = NULL;
  g_autofree char *lie = NULL;
  MtRuleBook *book;
  gsize length;

  /* Not on the thread that draws the window; who asks for another meanwhile gets that. */
  mt_window_open (window, file);
  g_assert_true (mt_window_is_reading (window));
  g_assert_null (mt_rules_page_get_book (mt_rules_window_page (window)));
  mt_app_open (window, file);
  mt_app_settle (60);
  book = mt_rules_page_get_book (mt_rules_window_page (window));
  g_assert_nonnull (book);
  g_assert_false (mt_rule_book_has_rows (book));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (mt_rules_window_page (window))));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (mt_window_get_data_page (window))));
  mt_rules_window_select_richest (window);
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    mt_rule_list_select_term (mt_rules_page_get_list (mt_rules_window_page (window)), (int) t);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL,
                                 "This model was opened without data, so there are no rows to show."));
  /* What-if starts from the mean, for there are no rows. */
  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "what-if");
  mt_app_wait (has_answer, mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW));
  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.view", "s", "canvas");
  mt_app_wait (is_drawn, mt_rules_window_find (window, MT_TYPE_CANVAS_VIEW));
  mt_app_settle (40);

  /* A damaged one is refused by a dialog that says what is wrong, and the open one stays. */
  g_assert_true (g_file_get_contents (path, &json, &length, NULL));
  lie = put_lie (json, "\"complexity\": ", "\"complexity\": 9");
  g_assert_true (is_refused_for (window, lie, "complexity"));
  g_assert_true (mt_rules_page_get_book (mt_rules_window_page (window)) == book);
  json[length / 2] ^= 1;
  g_assert_true (is_refused_for (window, json, "checksum"));
  g_assert_true (mt_rules_page_get_book (mt_rules_window_page (window)) == book);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-file", NULL);
  g_assert_null (mt_rules_page_get_book (mt_rules_window_page (window)));
  mt_app_window_end (window);
}

/* List and rule take turns when there is no room for both. */
static void
test_narrow (void)
{
  MtWindow *window = mt_rules_window_open ("level", 380);
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleList *list = mt_rules_page_get_list (page);
  GtkAdjustment *sideways;
  GtkWidget *pencil;

  mt_app_settle (60);
  g_assert_true (mt_adaptive_pair_is_narrow (MT_ADAPTIVE_PAIR (page)));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (page)), <=, 420);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (list)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (mt_rules_page_get_inspector (page))));
  /* The header bar has no room for the pencil: list and rule have one each. */
  g_assert_true (gtk_widget_get_mapped (mt_app_find (GTK_WIDGET (list), GTK_TYPE_MENU_BUTTON, "list-edit")));
  mt_rules_window_select_richest (window);
  g_signal_emit_by_name (list, "opened");
  mt_app_settle (60);
  pencil = mt_app_find (GTK_WIDGET (page), GTK_TYPE_MENU_BUTTON, "rule-edit");
  g_assert_true (gtk_widget_get_mapped (pencil));
  g_assert_nonnull (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (pencil)));
  /* The truth table makes do with the room: outcome and rows are there without scrolling sideways. */
  sideways = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (mt_app_find (mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW),
                                                                                    GTK_TYPE_SCROLLED_WINDOW, NULL)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (sideways), <=, gtk_adjustment_get_page_size (sideways) + 0.5);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (list)));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (mt_rules_page_get_inspector (page))));
  gtk_widget_activate_action (GTK_WIDGET (page), "rules.back", NULL);
  mt_app_settle (40);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (list)));
  g_signal_emit_by_name (list, "opened");
  mt_app_settle (60);
  g_assert_true (mt_app_press (GTK_WIDGET (page), GDK_KEY_Escape, 0));
  mt_app_settle (40);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (list)));
  g_assert_false (mt_app_press (GTK_WIDGET (page), GDK_KEY_Escape, 0));   /* the window's, for which it may mean something */
  mt_app_window_end (window);
}

static void
test_empty (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = mt_app_write ("plain.csv", "a,b\n1,2\n3,4\n5,7\n");

  mt_app_open (window, file);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_app_settle (40);
  g_assert_null (mt_rules_page_get_book (mt_rules_window_page (window)));
  mt_app_window_end (window);
}

static gboolean
is_filled (gpointer pane)
{
  return !mt_scorecard_pane_is_busy (pane);
}

static guint
count_widgets (GtkWidget *root,
               GType      type)
{
  guint n = G_TYPE_CHECK_INSTANCE_TYPE (root, type);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_widgets (child, type);
  return n;
}

/* A card for each column and its chart; a click on a rule leads to it in the list. */
static void
test_scorecard (gconstpointer target)
{
  MtWindow *window = mt_rules_window_open (target, 1200);
  MtRulesPage *page = mt_rules_window_page (window);
  MtScorecardPane *pane = mt_rules_window_find (window, MT_TYPE_SCORECARD_PANE);
  g_autoptr (MtScorecard) card = NULL;
  GtkWidget *button = NULL;
  guint n_charts = 0, term;

  mt_rules_window_select_largest (window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page), "rules.view", "s", "scorecard"));
  mt_app_wait (is_filled, pane);
  card = mt_scorecard_new (mt_rules_page_get_book (page));
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    {
      MtChart *chart = mt_scorecard_make_chart (card, i);

      n_charts += chart != NULL;
      g_clear_pointer (&chart, mt_chart_free);
    }
  g_assert_cmpuint (n_charts, >, 0);
  g_assert_cmpuint (count_widgets (GTK_WIDGET (pane), MT_TYPE_CHART_VIEW), ==, n_charts);
  g_assert_cmpuint (count_widgets (GTK_WIDGET (pane), GTK_TYPE_GRID), ==, mt_scorecard_get_n_columns (card) + 1);
  term = mt_scorecard_get_column (card, 0)->terms[0];
  button = mt_app_find (GTK_WIDGET (pane), GTK_TYPE_BOX, "terms");
  button = mt_app_find (button, GTK_TYPE_BUTTON, NULL);
  g_signal_emit_by_name (button, "clicked");
  mt_app_settle (40);
  g_assert_cmpint (mt_term_item_get_term (mt_rule_list_get_selected (mt_rules_page_get_list (page))), ==, (int) term);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/rules/table", test_table);
  g_test_add_func ("/app/rules/sort", test_sort);
  g_test_add_func ("/app/rules/copy", test_copy);
  g_test_add_func ("/app/rules/from-line", test_from_line);
  g_test_add_func ("/app/rules/from-term", test_from_term);
  g_test_add_func ("/app/rules/from-diagram", test_from_diagram);
  g_test_add_func ("/app/rules/from-row", test_from_row);
  g_test_add_func ("/app/rules/forms", test_forms);
  g_test_add_func ("/app/rules/form-buttons", test_form_buttons);
  g_test_add_func ("/app/rules/pictures", test_pictures);
  g_test_add_func ("/app/rules/model-file", test_model_file);
  g_test_add_func ("/app/rules/narrow", test_narrow);
  g_test_add_data_func ("/app/rules/scorecard-two", "answer", test_scorecard);
  g_test_add_data_func ("/app/rules/scorecard-three", "level", test_scorecard);
  g_test_add_data_func ("/app/rules/scorecard-number", "amount", test_scorecard);
  g_test_add_func ("/app/rules/empty", test_empty);
  return g_test_run ();
}
