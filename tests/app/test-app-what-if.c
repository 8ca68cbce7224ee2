/* What-if in the real window: a row scores as in the table, changes are found while one goes on, a class
 * may be chosen, and what does not apply is folded. */
#include "config.h"

#include <math.h>

#include "util/mt-format.h"
#include "rules/mt-rows-view.h"
#include "rules/mt-truth-view.h"
#include "rules/mt-waterfall-view.h"
#include "rules/mt-what-if-answer.h"
#include "rules/mt-what-if-field.h"
#include "rules/mt-what-if-view.h"
#include "rules-window.h"

static gboolean
has_changes (gpointer view)
{
  return mt_what_if_view_get_changes (view) != NULL;
}

/* Beside What-if the list has a column of what applies, and says it of every term; NULL: it has not. */
static void
assert_list_tells (MtWindow       *window,
                   const gboolean *applies)
{
  MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
  GtkColumnView *table = GTK_COLUMN_VIEW (mt_app_find (GTK_WIDGET (list), GTK_TYPE_COLUMN_VIEW, "rules"));
  GListModel *columns = gtk_column_view_get_columns (table), *lines = G_LIST_MODEL (mt_rule_list_get_selection (list));
  g_autoptr (GtkColumnViewColumn) last = g_list_model_get_item (columns, g_list_model_get_n_items (columns) - 1);

  g_assert_cmpstr (gtk_column_view_column_get_title (last), ==, "Applies");
  g_assert_cmpint (gtk_column_view_column_get_visible (last), ==, applies != NULL);
  for (guint i = 0; i < g_list_model_get_n_items (lines); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (lines, i);
      int term = mt_term_item_get_term (item);

      g_assert_cmpint (mt_term_item_get_applies (item), ==, applies == NULL || term < 0 || applies[term]);
    }
}

/* A row opened from the inspector scores as it does in the table; a change that is tried flips. */
static void
test_what_if (void)
{
  static const char * const targets[] = { "answer", "level", "amount" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1200);
      MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
      const MtRuleSet *rules = mt_rule_book_get_rules (book);
      gsize n_rows = mt_rule_book_get_n_rows (book);
      g_autofree double *scores = g_new (double, mt_rule_set_get_n_outputs (rules) * n_rows);
      MtWhatIfView *view;
      guint decided;
      double before;
      int least;

      mt_rule_set_score (rules, mt_rule_book_get_encoded (book), scores);
      g_signal_emit_by_name (mt_rules_page_get_inspector (mt_rules_window_page (window)), "open-row", 7);
      view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
      g_assert_nonnull (mt_what_if_view_get_result (view));
      gtk_widget_measure (GTK_WIDGET (view), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <=, 360);   /* as every page */
      for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
        g_assert_cmpfloat (mt_what_if_view_get_result (view)->scores[c], ==, scores[c * n_rows + 7]);
      mt_app_wait (has_changes, view);
      g_assert_cmpuint (mt_what_if_view_get_changes (view)->len, >, 0);
      decided = mt_what_if_view_get_result (view)->decided;
      before = mt_what_if_view_get_result (view)->scores[0];
      mt_what_if_view_try (view, 0);
      if (mt_rule_book_get_task (book) == MT_TASK_REGRESSION)
        {
          GtkWidget *cutoff = mt_app_find (GTK_WIDGET (view), GTK_TYPE_SPIN_BUTTON, "cutoff");
          double limit = gtk_spin_button_get_value (GTK_SPIN_BUTTON (cutoff));

          /* What is shown is what is crossed, to the last digit. */
          g_assert_cmpfloat (g_ascii_strtod (gtk_editable_get_text (GTK_EDITABLE (cutoff)), NULL), ==, limit);
          g_assert_cmpfloat_with_epsilon (limit, mt_rule_book_get_mean (book), 1e-3 * fabs (limit));
          g_assert_true ((mt_what_if_view_get_result (view)->scores[0] >= limit) != (before >= limit));
        }
      else
        g_assert_cmpuint (mt_what_if_view_get_result (view)->decided, !=, decided);
      assert_list_tells (window, mt_what_if_view_get_result (view)->applies);
      gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "rule");
      assert_list_tells (window, NULL);
      g_assert_false (gtk_widget_get_child_visible (GTK_WIDGET (view)));
      mt_app_window_end (window);
    }
}

/* Rows chosen one after another: what was asked of the others is dropped, never shown. */
static void
test_overtaken (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) expected = NULL;
  g_autofree guint *decimals = mt_what_if_count_decimals (mt_rule_book_get_encoder (book), mt_rule_book_get_table (book));

  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "what-if");
  for (guint row = 0; row < 40; row++)
    mt_what_if_view_set_row (view, row);
  values = mt_raw_values_new_from_row (mt_rule_book_get_encoder (book), mt_rule_book_get_table (book),
                                       mt_rule_book_get_row_numbers (book)[39], NULL);
  expected = mt_what_if_find_changes (mt_rule_book_get_encoder (book), mt_rule_book_get_rules (book), values, 0, NULL,
                                      NULL);
  mt_what_if_round_changes (mt_rule_book_get_encoder (book), mt_rule_book_get_rules (book), values, 0, decimals, expected);
  mt_app_wait (has_changes, view);
  mt_app_settle (100);   /* whatever might still come */
  g_assert_cmpuint (mt_what_if_view_get_changes (view)->len, ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    g_assert_cmpfloat (g_array_index (mt_what_if_view_get_changes (view), MtChange, i).distance, ==,
                       g_array_index (expected, MtChange, i).distance);
  mt_app_window_end (window);
}

static gboolean
has_answer (gpointer view)
{
  return mt_what_if_view_get_result (view) != NULL;
}

/* It starts with a real row, the one most like the medians; the field of the row leads to others, and below the first back
 * to it. */
static void
test_start (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1200);
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  GtkWidget *row = mt_app_find (GTK_WIDGET (view), GTK_TYPE_SPIN_BUTTON, "row"), *reset;
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  gsize typical = mt_raw_values_find_typical (mt_rule_book_get_encoder (book), mt_rule_book_get_table (book),
                                              mt_rule_book_get_row_numbers (book), mt_rule_book_get_n_rows (book), NULL);
  guint first = mt_rule_book_get_row_numbers (book)[0];
  g_autofree char *number = g_strdup_printf ("%u", mt_rule_book_get_row_numbers (book)[typical] + 1);
  g_autofree char *next = NULL;
  g_autofree char *words = g_strdup_printf ("training row %s, the closest to the medians, level = %s", number,
                                            mt_rule_book_get_classes (book)[(guint) mt_rule_book_get_values (book)[typical]]);
  g_autofree char *changed = g_strconcat (words, ", 1 value changed", NULL);

  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "what-if");
  mt_app_wait (has_answer, view);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, number);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (view), GTK_TYPE_LABEL, words));
  /* With another value it is that row no more, until that is put back. */
  reset = mt_app_find (GTK_WIDGET (view), GTK_TYPE_BUTTON, "R_eset");
  g_assert_false (gtk_widget_get_sensitive (reset));
  gtk_range_set_value (GTK_RANGE (mt_app_find (GTK_WIDGET (view), GTK_TYPE_SCALE, NULL)), 3);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (view), GTK_TYPE_LABEL, changed));
  g_assert_true (gtk_widget_get_sensitive (reset));
  g_signal_emit_by_name (reset, "clicked");
  g_assert_nonnull (mt_app_find (GTK_WIDGET (view), GTK_TYPE_LABEL, words));
  g_assert_false (gtk_widget_get_sensitive (reset));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (row), first + 1.0);
  next = g_strdup_printf ("%u", first + 1);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, next);
  g_assert_null (mt_app_find (GTK_WIDGET (view), GTK_TYPE_LABEL, words));
  gtk_spin_button_spin (GTK_SPIN_BUTTON (row), GTK_SPIN_STEP_BACKWARD, 1);
  mt_app_wait (has_answer, view);
  mt_app_settle (40);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, number);
  mt_app_window_end (window);
}

/* Each class's score may be taken apart; terms that do not apply take a line together when they are many. */
static void
test_waterfall (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1200);
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  g_autoptr (MtFrontierItem) largest = g_list_model_get_item (points, g_list_model_get_n_items (points) - 1);
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  MtWhatIfAnswer *answer = mt_rules_window_find (window, MT_TYPE_WHAT_IF_ANSWER);
  const MtWhatIf *result;
  guint n_idle = 0, n_lines;

  mt_study_set_selected (study, largest);
  mt_app_settle (60);
  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "what-if");
  mt_app_wait (has_answer, view);
  gtk_expander_set_expanded (GTK_EXPANDER (mt_app_find (GTK_WIDGET (answer), GTK_TYPE_EXPANDER, NULL)), TRUE);
  mt_app_settle (40);
  result = mt_what_if_view_get_result (view);
  for (guint t = 0; t < result->n_terms; t++)
    n_idle += !result->applies[t];
  n_lines = n_idle > 3 ? 1 + result->n_terms - n_idle + 1 : 1 + result->n_terms;
  g_assert_cmpuint (n_idle, >, 3);   /* or there is nothing to see here */
  for (int c = -1; c < 3; c++)
    {
      guint output = c < 0 ? result->decided : (guint) c;
      g_autofree char *expected = mt_format_weight (result->scores[output]);

      mt_what_if_answer_set_class (answer, c);
      g_assert_cmpuint (mt_what_if_answer_get_n_steps (answer), ==, n_lines);
      g_assert_nonnull (mt_app_find (GTK_WIDGET (answer), GTK_TYPE_LABEL, expected));   /* in the table */
    }
  mt_app_window_end (window);
}

/* --- fields --- */

/* A field for every column, as they stand in the table: those that no rule reads show the row's value and can not
 * be changed. In a narrow window they have to be asked for. */
static void
test_unread (void)
{
  for (guint narrow = 0; narrow < 2; narrow++)
    {
      MtWindow *window = mt_rules_window_open ("answer", narrow ? 360 : 1200);
      MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
      const MtEncoder *encoder = mt_rule_book_get_encoder (book);
      guint n_columns = mt_encoder_get_n_columns (encoder), n_unread = 0;
      g_autoptr (GPtrArray) fields = NULL;
      MtWhatIfView *view;
      GtkWidget *more;

      g_signal_emit_by_name (mt_rules_page_get_inspector (mt_rules_window_page (window)), "open-row", 7);
      view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
      more = mt_app_find (GTK_WIDGET (view), GTK_TYPE_TOGGLE_BUTTON, "unread");
      for (guint c = 0; c < n_columns; c++)
        n_unread += !mt_rule_book_uses (book, c);
      g_assert_cmpuint (n_unread, >, 0);          /* otherwise nothing is tried */
      g_assert_cmpint (gtk_widget_get_visible (more), ==, (gboolean) narrow);
      if (narrow)
        {
          g_autoptr (GPtrArray) read = mt_app_find_all (view, MT_TYPE_WHAT_IF_FIELD);

          g_assert_cmpuint (read->len, ==, n_columns - n_unread);
          gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
        }
      fields = mt_app_find_all (view, MT_TYPE_WHAT_IF_FIELD);
      g_assert_cmpuint (fields->len, ==, n_columns);
      for (guint c = 0; c < n_columns; c++)
        {
          const MtRawValue *value = mt_what_if_field_get_value (fields->pdata[c]);
          const MtRawValue *row = &g_array_index (mt_what_if_view_get_values (view), MtRawValue, c);
          GtkWidget *entry = mt_app_find (fields->pdata[c], GTK_TYPE_ENTRY, NULL);

          g_assert_cmpuint (mt_what_if_field_get_column (fields->pdata[c]), ==, c);
          g_assert_cmpint (gtk_widget_get_sensitive (fields->pdata[c]), ==, mt_rule_book_uses (book, c));
          g_assert_cmpfloat (value->number, ==, row->number);
          g_assert_cmpstr (value->level, ==, row->level);
          if (!mt_rule_book_uses (book, c))
            {
              g_autofree char *text = row->level != NULL ? g_strdup (row->level) : mt_format_short (row->number);

              g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, text);
            }
        }
      mt_app_window_end (window);
    }
}

static GBytes *
grab (GtkWidget *widget)
{
  g_autoptr (GdkTexture) texture = mt_app_grab (widget);

  return gdk_texture_save_to_png_bytes (texture);
}

/* Two labels that have to be cut can still be told apart. */
static void
assert_differ (gpointer    view,
               const char *start)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (view, GTK_TYPE_LABEL);
  g_autoptr (GBytes) first = NULL;
  guint n = 0;

  for (guint i = 0; i < labels->len; i++)
    {
      g_autoptr (GString) text = g_string_new (gtk_label_get_text (labels->pdata[i]));
      g_autoptr (GBytes) picture = NULL;

      g_string_replace (text, "\u200b", "", 0);       /* where it may break */
      if (!g_str_has_prefix (text->str, start) || !gtk_widget_get_mapped (labels->pdata[i]))
        continue;
      picture = grab (labels->pdata[i]);
      if (n++ == 0)
        first = g_steal_pointer (&picture);
      else
        g_assert_false (g_bytes_equal (first, picture));
    }
  g_assert_cmpuint (n, >=, 2);
}

static gboolean
is_ready (gpointer window)
{
  return !mt_rule_inspector_is_busy (mt_rules_page_get_inspector (mt_rules_window_page (window)));
}

/* Names of sixty letters that differ in the last one. */
static void
test_long_names (void)
{
  static const char start[] = "the_share_of_all_measurements_on_the_left_hand_side_in_week";
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1200, 820);

  g_string_printf (text, "%s1,%s2,answer\n", start, start);
  for (guint i = 0; i < 400; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89;

      g_string_append_printf (text, "%u,%u,%s\n", a, b, ((a >= 50) != (b >= 40)) != (i % 19 == 0) ? "yes" : "no");
    }
  file = mt_app_write ("names.csv", text->str);
  mt_app_train (window, file, "answer");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_rules_window_select_richest (window);
  mt_app_wait (is_ready, window);
  mt_app_settle (100);
  assert_differ (mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW), start);
  assert_differ (mt_rules_window_find (window, MT_TYPE_ROWS_VIEW), start);
  g_signal_emit_by_name (mt_rules_page_get_inspector (mt_rules_window_page (window)), "open-row", 7);
  mt_app_settle (100);
  assert_differ (mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW), start);
  mt_app_window_end (window);
}

/* Which line of the waterfall a term has; they are folded after those that apply. */
static guint
find_step (const MtWhatIf *result,
           guint           term)
{
  guint step = 1, n_idle = 0;   /* after the intercept */

  for (guint t = 0; t < result->n_terms; t++)
    n_idle += !result->applies[t];
  for (guint t = 0; t < term; t++)
    step += result->applies[t] || n_idle <= 3;
  return step;
}

/* What What-if calls rule 6 has that number in the list, and a click leads there, whatever the list was searched for. */
static void
test_find_rule (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleList *list = mt_rules_page_get_list (page);
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  GtkWidget *waterfall = mt_rules_window_find (window, MT_TYPE_WATERFALL_VIEW);
  GtkEditable *search = GTK_EDITABLE (mt_app_find (GTK_WIDGET (list), GTK_TYPE_SEARCH_ENTRY, NULL));
  const MtWhatIf *result;
  MtRuleBook *book;
  guint n_found = 0;

  mt_rules_window_select_largest (window);
  book = mt_rules_page_get_book (page);
  gtk_widget_activate_action (GTK_WIDGET (page), "rules.mode", "s", "what-if");
  mt_app_wait (has_answer, view);
  mt_app_settle (60);
  result = mt_what_if_view_get_result (view);
  for (guint t = 0; t < result->n_terms; t++)
    {
      g_autofree char *number = g_strdup_printf ("%u", mt_rule_book_get_number (book, t));
      g_autofree char *title = g_strdup_printf ("rule %s", number);
      g_autofree char *mode = NULL;
      double y;

      if (!result->applies[t] || mt_rule_book_get_number (book, t) == 0)
        continue;
      gtk_editable_set_text (search, "no rule says this");
      mt_app_settle (250);   /* a search waits for more to be typed */
      g_assert_true (mt_waterfall_view_get_place (MT_WATERFALL_VIEW (waterfall), find_step (result, t), &y));
      mt_rules_window_point (waterfall, GTK_TYPE_GESTURE_CLICK, "released", 20, y);
      g_assert_cmpint (mt_term_item_get_term (mt_rule_list_get_selected (list)), ==, (int) t);
      g_object_get (page, "mode", &mode, NULL);
      g_assert_cmpstr (mode, ==, "what-if");
      gtk_editable_set_text (search, title);
      mt_app_settle (250);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (mt_rule_list_get_selection (list))), ==, 2);
      g_assert_nonnull (mt_app_find (GTK_WIDGET (mt_rule_list_get_table (list)), GTK_TYPE_LABEL, number));
      n_found++;
    }
  g_assert_cmpuint (n_found, >, 0);
  mt_app_window_end (window);
}

/* Whoever scrolls over a number does not set it. */
static void
assert_no_wheel (GPtrArray *controls)
{
  g_assert_cmpuint (controls->len, >, 0);
  for (guint i = 0; i < controls->len; i++)
    {
      g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (controls->pdata[i]);

      for (guint j = 0; j < g_list_model_get_n_items (controllers); j++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, j);

          if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
            g_assert_cmpint (gtk_event_controller_get_propagation_phase (controller), ==, GTK_PHASE_NONE);
        }
    }
}

static void
test_wheel (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtWhatIfView *view = mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW);
  g_autoptr (GPtrArray) spins = NULL, scales = NULL;

  gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.mode", "s", "what-if");
  mt_what_if_view_set_row (view, 3);
  mt_app_wait (has_changes, view);
  spins = mt_app_find_all (window, GTK_TYPE_SPIN_BUTTON);
  scales = mt_app_find_all (view, GTK_TYPE_SCALE);
  assert_no_wheel (spins);
  assert_no_wheel (scales);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/what-if/rows", test_what_if);
  g_test_add_func ("/app/what-if/overtaken", test_overtaken);
  g_test_add_func ("/app/what-if/start", test_start);
  g_test_add_func ("/app/what-if/waterfall", test_waterfall);
  g_test_add_func ("/app/what-if/find-rule", test_find_rule);
  g_test_add_func ("/app/what-if/unread", test_unread);
  g_test_add_func ("/app/what-if/long-names", test_long_names);
  g_test_add_func ("/app/what-if/wheel", test_wheel);
  return g_test_run ();
}
