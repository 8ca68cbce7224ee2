/* The tables of the Rules page in the real window: every order, the filter, the clipboard; and that a row in
 * What-if scores as minterm-cli says. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "apputils.h"
#include "rules/mt-diagram-view.h"
#include "report/mt-export-dialog.h"
#include "util/mt-format.h"
#include "rules/mt-formula-view.h"
#include "rules/mt-outcome-bars.h"
#include "rules/mt-rules-page.h"
#include "rules/mt-truth-view.h"
#include "rules/mt-weight-cell.h"
#include "rules/mt-what-if-view.h"
#include "rules-window.h"

/* --- the list of rules --- */

/* What a column of the list is sorted by. */
static double
key_of (MtTermItem *item,
        guint       column)
{
  MtRuleBook *book = mt_term_item_get_book (item);
  guint n_classes = mt_rule_book_get_n_classes (book);
  double hit = mt_term_item_get_hit (item, n_classes == 2 ? 1 : 0);

  switch (column)
    {
    case 0:
      return n_classes > 2 ? mt_rule_book_get_facts (book, (guint) mt_term_item_get_term (item))->strength
                           : mt_rule_set_get_term (mt_rule_book_get_rules (book),
                                                   (guint) mt_term_item_get_term (item))->weights[0];
    case 1:
      return mt_term_item_get_term (item);
    case 2:
      return (double) mt_term_item_get_support (item);
    case 3:
      for (guint c = 0; n_classes > 2 && c < n_classes; c++)
        hit = MAX (hit, mt_term_item_get_hit (item, c));
      return hit;
    default:
      return mt_term_item_get_n_literals (item);
    }
}

static void
test_every_order (void)
{
  static const char * const targets[] = { "answer", "level", "amount" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1280);
      MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
      GtkColumnView *table = GTK_COLUMN_VIEW (mt_app_find (GTK_WIDGET (list), GTK_TYPE_COLUMN_VIEW, "rules"));
      GListModel *shown = G_LIST_MODEL (mt_rule_list_get_selection (list));
      guint n;

      mt_rules_window_select_largest (window);
      n = g_list_model_get_n_items (shown);
      g_assert_cmpuint (n, >, 3);
      for (guint c = 0; c < 5; c++)
        for (guint way = 0; way < 2; way++)
          {
            g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (table), c);
            g_autoptr (MtTermItem) first = NULL;
            guint n_ties = 0;

            gtk_column_view_sort_by_column (table, column, way == 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
            g_assert_cmpuint (g_list_model_get_n_items (shown), ==, n);
            first = g_list_model_get_item (shown, 0);
            g_assert_cmpint (mt_term_item_get_term (first), ==, MT_TERM_INTERCEPT);
            for (guint j = 1; j + 1 < n; j++)
              {
                g_autoptr (MtTermItem) a = g_list_model_get_item (shown, j);
                g_autoptr (MtTermItem) b = g_list_model_get_item (shown, j + 1);

                n_ties += key_of (a, c) == key_of (b, c);
                if (way == 0)
                  g_assert_cmpfloat (key_of (a, c), <=, key_of (b, c));
                else
                  g_assert_cmpfloat (key_of (a, c), >=, key_of (b, c));
              }
            g_assert_true (c > 1 || n_ties < n - 2);     /* otherwise nothing was tried */
          }
      mt_app_window_end (window);
    }
}

/* --- what became of the rows --- */

/* Counted from the rows themselves, one by one. */
static void
assert_counted (MtTermItem *item)
{
  MtRuleBook *book = mt_term_item_get_book (item);
  const MtEncoded *encoded = mt_rule_book_get_encoded (book);
  gsize n_rows = mt_rule_book_get_n_rows (book), support = 0;
  guint n_classes = mt_rule_book_get_n_classes (book);
  g_autofree guint64 *plane = g_new (guint64, mt_encoded_get_n_words (encoded));
  g_autofree gsize *inside = g_new0 (gsize, n_classes);
  g_autofree gsize *all = g_new0 (gsize, n_classes);
  g_autofree char *hits = mt_term_item_dup_hits (item);
  g_auto (GStrv) lines = g_strsplit (hits, "\n", -1);

  mt_rule_evaluate (mt_rule_set_get_term (mt_rule_book_get_rules (book), (guint) mt_term_item_get_term (item))->rule,
                    encoded, 0, mt_encoded_get_n_words (encoded), plane);
  for (gsize r = 0; r < n_rows; r++)
    {
      guint class = (guint) mt_rule_book_get_values (book)[r];

      all[class]++;
      if ((plane[r / 64] >> (r % 64) & 1) != 0)
        {
          inside[class]++;
          support++;
        }
    }
  g_assert_cmpuint (g_strv_length (lines), ==, n_classes);
  for (guint c = 0; c < n_classes; c++)
    {
      double share = (double) inside[c] / (double) support, lift = share * (double) n_rows / (double) all[c];
      g_autofree char *percent = mt_format_rate (share);
      g_autofree char *line = g_strdup_printf ("%s: %s, lift %.2f", mt_rule_book_get_classes (book)[c], percent, lift);

      g_assert_cmpstr (lines[c], ==, line);
      g_assert_cmpfloat_with_epsilon (mt_term_item_get_hit (item, c), share, 1e-12);
    }
}

/* Of three classes each has its line, also without weight or rows; of nine those that matter, and the rest in one.
 * The lines stand beside those of the weights. */
static void
test_hit_rates (void)
{
  static const char * const targets[] = { "level", "letter" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1280);
      MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
      MtRuleBook *book;
      GListModel *shown = G_LIST_MODEL (mt_rule_list_get_selection (list));
      g_autoptr (GPtrArray) hits = NULL;
      g_autoptr (GPtrArray) weights = NULL;
      guint n_classes, n_left_out = 0, n_rules = 0;

      mt_rules_window_select_largest (window);
      book = mt_rules_page_get_book (mt_rules_window_page (window));
      n_classes = mt_rule_book_get_n_classes (book);
      for (guint j = 0; j < g_list_model_get_n_items (shown); j++)
        {
          g_autoptr (MtTermItem) item = g_list_model_get_item (shown, j);
          g_autoptr (GArray) lines = mt_term_item_dup_lines (item);
          double told = 0;

          if (mt_term_item_is_rule (item) && n_rules++ < 20)
            assert_counted (item);
          for (guint l = 0; l < lines->len; l++)
            told += mt_term_item_get_hit (item, g_array_index (lines, guint, l));
          n_left_out += n_classes - lines->len;
          if (n_classes == 3)
            g_assert_cmpuint (lines->len, ==, 3);
          else
            g_assert_cmpfloat (told, >, 1 - 0.05 * (n_classes - lines->len) - 1e-9);
          for (guint c = 0; c < n_classes; c++)
            {
              gboolean listed = FALSE;

              for (guint l = 0; l < lines->len; l++)
                listed |= g_array_index (lines, guint, l) == c;
              g_assert_true (listed || mt_term_item_get_effects (item)[c] == 0);
            }
        }
      g_assert_cmpuint (n_rules, >, 2);
      g_assert_true (n_classes > 3 || n_left_out == 0);

      hits = mt_app_find_all (list, MT_TYPE_OUTCOME_BARS);
      weights = mt_app_find_all (list, MT_TYPE_WEIGHT_CELL);
      g_assert_cmpuint (hits->len, ==, weights->len);
      g_assert_cmpuint (hits->len, >, 3);
      for (guint j = 0; j < hits->len; j++)
        {
          graphene_point_t hit, weight;
          const char *told = gtk_widget_get_tooltip_text (hits->pdata[j]);

          g_assert_true (gtk_widget_compute_point (hits->pdata[j], GTK_WIDGET (list), &GRAPHENE_POINT_INIT (0, 0), &hit));
          g_assert_true (gtk_widget_compute_point (weights->pdata[j], GTK_WIDGET (list), &GRAPHENE_POINT_INIT (0, 0),
                                                   &weight));
          g_assert_cmpfloat (hit.y, ==, weight.y);
          g_assert_cmpint (gtk_widget_get_height (hits->pdata[j]), ==, gtk_widget_get_height (weights->pdata[j]));
          for (guint c = 0; c < n_classes; c++)
            g_assert_nonnull (strstr (told, mt_rule_book_get_classes (book)[c]));
        }
      mt_app_window_end (window);
    }
}

/* Only rules that look at a column; together with a search, only those that have both. */
static void
test_filter (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1280);
  MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  const MtEncoder *encoder = mt_rule_book_get_encoder (book);
  GListModel *shown = G_LIST_MODEL (mt_rule_list_get_selection (list));
  GtkDropDown *menu = GTK_DROP_DOWN (mt_app_find (GTK_WIDGET (list), GTK_TYPE_DROP_DOWN, NULL));
  GListModel *names = gtk_drop_down_get_model (menu);
  guint n_all = g_list_model_get_n_items (shown), n_sum = 0;

  g_assert_cmpuint (g_list_model_get_n_items (names), >, 2);
  for (guint i = 1; i < g_list_model_get_n_items (names); i++)
    {
      const char *name = gtk_string_list_get_string (GTK_STRING_LIST (names), i);
      guint n_expected = 0;

      gtk_drop_down_set_selected (menu, i);
      for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
        for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
          n_expected += g_str_equal (mt_encoder_get_column_name (encoder, c), name) && mt_rule_book_term_uses (book, t, c);
      g_assert_cmpuint (n_expected, >, 0);
      g_assert_cmpuint (g_list_model_get_n_items (shown), ==, 1 + n_expected);
      n_sum += n_expected;
    }
  g_assert_cmpuint (n_sum, >=, n_all - 1);
  gtk_drop_down_set_selected (menu, 0);
  g_assert_cmpuint (g_list_model_get_n_items (shown), ==, n_all);
  mt_app_window_end (window);
}

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_there (gpointer text)
{
  return *(char **) text != NULL;
}

static char *
read_clipboard (MtWindow *window)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, on_read, &text);
  mt_app_wait (is_there, &text);
  return text;
}

/* By the actions of the menu, from the clipboard: all forms, and what is on show of one rule or column. */
static void
test_clipboard (void)
{
  static const char * const words[] = { "text", "markdown", "latex" };
  static const char * const marks[] = { "\t", "| ", "\\begin{" };
  MtWindow *window = mt_rules_window_open ("amount", 1280);
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleBook *book = mt_rules_page_get_book (page);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *text = NULL;

      gtk_widget_activate_action (GTK_WIDGET (page), "rules.copy", "s", words[i]);
      text = read_clipboard (window);
      g_assert_nonnull (strstr (text, marks[i]));
      g_assert_nonnull (strstr (text, "kind"));
    }
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    {
      g_autofree char *text = NULL;

      mt_rule_list_select_term (mt_rules_page_get_list (page), (int) t);
      mt_app_settle (20);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page), "rules.copy-rule", NULL));
      text = read_clipboard (window);
      g_assert_nonnull (strstr (text, mt_rule_book_get_number (book, t) > 0 ? "→" : "mean"));
    }
  mt_app_window_end (window);
}

/* --- the truth table --- */

static double
line_key (MtRuleView *view,
          guint32     v,
          guint       head,
          guint       n_inputs)
{
  double n = (double) mt_rule_view_get_n_rows (view, v);

  if (head < n_inputs)
    return v >> head & 1;
  if (head == n_inputs)
    return (mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE) != 0 ? -1 : mt_rule_view_get_output (view, v);
  if (head == n_inputs + 1)
    return n;
  return n == 0 ? -1 : (double) mt_rule_view_get_class_rows (view, v, 1) / n;
}

/* A head sorts by its column one way, the other way, and then lets the table be as it was. */
static void
test_truth_order (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtTruthView *truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  guint n_inputs = mt_rule_view_get_n_inputs (view), n = mt_rule_view_get_n_assignments (view), h = 0;
  g_autofree guint32 *before = g_new (guint32, n);
  GtkWidget *head = mt_app_find (GTK_WIDGET (truth), GTK_TYPE_BUTTON, NULL);

  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i < n; i++)
    before[i] = mt_truth_view_get_assignment (truth, i);
  for (; head != NULL; head = gtk_widget_get_next_sibling (head), h++)
    {
      for (guint way = 0; way < 2; way++)
        {
          gboolean up = (h < n_inputs) == (way == 0);     /* numbers begin with the largest */

          g_signal_emit_by_name (head, "clicked");
          for (guint i = 0; i + 1 < n; i++)
            {
              double a = line_key (view, mt_truth_view_get_assignment (truth, i), h, n_inputs);
              double b = line_key (view, mt_truth_view_get_assignment (truth, i + 1), h, n_inputs);

              g_assert_true (up ? a <= b : a >= b);
            }
        }
      g_signal_emit_by_name (head, "clicked");
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (mt_truth_view_get_assignment (truth, i), ==, before[i]);
    }
  g_assert_cmpuint (h, ==, n_inputs + 3);
  mt_app_window_end (window);
}

/* --- formula and diagram --- */

/* The rule is an exclusive or: that form is offered, it is shorter, and it is gone for a rule that has none. */
static void
test_xor (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleBook *book = mt_rules_page_get_book (page);
  GtkWidget *button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, "XOR");
  gboolean found = FALSE;

  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    if (mt_rule_book_get_number (book, t) > 0)
      {
        MtRuleView *view;

        mt_rule_list_select_term (mt_rules_page_get_list (page), (int) t);
        mt_app_settle (30);
        view = mt_rule_focus_get_view (mt_rules_window_focus (window));
        g_assert_cmpint (gtk_widget_get_visible (button), ==, mt_rule_view_has_form (view, MT_PHRASE_XOR));
        if (mt_rule_view_has_form (view, MT_PHRASE_XOR))
          {
            found = TRUE;
            g_assert_cmpuint (mt_rule_view_get_n_literals (view, MT_PHRASE_XOR), <,
                              mt_rule_view_get_n_literals (view, MT_PHRASE_DNF));
          }
      }
  g_assert_true (found);
  mt_app_window_end (window);
}

/* Dragged, the diagram moves by as much; fitted, it comes back. */
static void
test_pan (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtDiagramView *diagram = mt_rules_window_find (window, MT_TYPE_DIAGRAM_VIEW);
  double x = 0, y = 0, moved_x = 0, moved_y = 0;

  mt_rules_window_select_richest (window);
  mt_app_settle (60);
  mt_diagram_view_get_place (diagram, &x, &y);
  mt_rules_window_point (GTK_WIDGET (diagram), GTK_TYPE_GESTURE_DRAG, "drag-begin", 10, 10);
  mt_rules_window_point (GTK_WIDGET (diagram), GTK_TYPE_GESTURE_DRAG, "drag-update", 40, -25);
  mt_diagram_view_get_place (diagram, &moved_x, &moved_y);
  g_assert_cmpfloat (moved_x, ==, x + 40);
  g_assert_cmpfloat (moved_y, ==, y - 25);
  mt_diagram_view_zoom (diagram, 0);
  moved_x = moved_y = 0;
  mt_diagram_view_get_place (diagram, &moved_x, &moved_y);
  g_assert_cmpfloat (moved_x, ==, x);
  g_assert_cmpfloat (moved_y, ==, y);
  mt_app_window_end (window);
}

/* --- What-if against the command line --- */

static void
run (const char * const *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *complaint = NULL;
  int status = 0;

  g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &complaint, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s", complaint);
}

static gboolean
is_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

/* The model is saved from the window, the command predicts the file that the window has open, and every tenth
 * training row says the same in What-if, to the last digit. */
static void
test_command (gconstpointer target)
{
  MtWindow *window = mt_rules_window_open (target, 1280);
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleBook *book = mt_rules_page_get_book (page);
  GFile *csv = mt_document_get_file (mt_window_get_document (window));
  g_autoptr (GFile) json = mt_app_write ("what-if.json", "");
  g_autoptr (GFile) out = mt_app_write ("what-if.csv", "");
  const char *words[] = { g_getenv ("MINTERM_CLI"), "predict", g_file_peek_path (json), g_file_peek_path (csv), "-o",
                          g_file_peek_path (out), NULL };
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  MtExportDialog *dialog;
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));

  dialog = mt_app_open_export (window);
  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, json);
  mt_app_wait (is_idle, dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  run (words);
  g_assert_true (g_file_get_contents (g_file_peek_path (out), &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  gtk_widget_activate_action (GTK_WIDGET (page), "rules.mode", "s", "what-if");
  for (guint r = 0; r < mt_rule_book_get_n_rows (book); r += 10)
    {
      guint32 number = mt_rule_book_get_row_numbers (book)[r];
      g_auto (GStrv) cells = g_strsplit (lines[1 + number], ",", -1);
      const MtWhatIf *result;

      mt_what_if_view_set_row (view, r);
      result = mt_what_if_view_get_result (view);
      g_assert_nonnull (result);
      if (mt_rule_book_get_task (book) == MT_TASK_REGRESSION)
        g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, result->predictions[0]);
      else
        {
          g_assert_cmpstr (cells[0], ==, mt_rule_book_get_classes (book)[result->decided]);
          g_assert_cmpuint (g_strv_length (cells), ==, 1 + mt_rule_book_get_n_classes (book));
          for (guint c = 0; c < n_outputs; c++)
            g_assert_cmpfloat (g_ascii_strtod (cells[n_outputs == 1 ? 2 : 1 + c], NULL), ==, result->predictions[c]);
        }
    }
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/rules-table/every-order", test_every_order);
  g_test_add_func ("/app/rules-table/hit-rates", test_hit_rates);
  g_test_add_func ("/app/rules-table/filter", test_filter);
  g_test_add_func ("/app/rules-table/clipboard", test_clipboard);
  g_test_add_func ("/app/rules-table/truth-order", test_truth_order);
  g_test_add_func ("/app/rules-table/xor", test_xor);
  g_test_add_func ("/app/rules-table/pan", test_pan);
  g_test_add_data_func ("/app/rules-table/command/answer", "answer", test_command);
  g_test_add_data_func ("/app/rules-table/command/level", "level", test_command);
  g_test_add_data_func ("/app/rules-table/command/amount", "amount", test_command);
  return g_test_run ();
}
