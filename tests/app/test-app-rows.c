/* Which rows the Data page shows, and in which order: sorted, filtered, and those that a rule is true for. */
#include "config.h"

#include "data/mt-column-header.h"
#include "data/mt-row-test-dialog.h"
#include "rules-window.h"

static const char small[] = "name,age,city,member\nAda,36,London,yes\nGrace,45,New York,no\n"
                            "Mary,,Paris,yes\nKatherine,38.5,London,no\nJoan,29,Paris,no\n";

static MtDataPage *
page_of (MtWindow *window)
{
  return mt_window_get_data_page (window);
}

static MtGrid *
grid_of (MtWindow *window)
{
  return mt_data_page_get_grid (page_of (window));
}

static const char *
bar_text (MtWindow *window)
{
  return mt_rows_bar_get_text (mt_data_page_get_rows_bar (page_of (window)));
}

static gboolean
is_settled (gpointer window)
{
  return !mt_rows_bar_is_busy (mt_data_page_get_rows_bar (page_of (window)));
}

static MtWindow *
open_text (const char *name,
           const char *text)
{
  MtWindow *window = mt_app_window_new (1100, 700);
  g_autoptr (GFile) file = mt_app_write (name, text);

  mt_app_open (window, file);
  mt_app_settle (50);
  return window;
}

/* The rows that are shown, counted from 1, as on the screen. */
static void
assert_rows (MtWindow   *window,
             const char *expected,
             const char *text)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  mt_app_wait (is_settled, window);
  mt_app_settle (30);
  for (gsize i = 0; i < mt_grid_get_n_rows (grid_of (window)); i++)
    g_string_append_printf (rows, "%zu", mt_grid_find_row (grid_of (window), i) + 1);
  g_assert_cmpstr (rows->str, ==, expected);
  g_assert_cmpstr (bar_text (window), ==, text);
}

static void
sort (MtWindow   *window,
      const char *column,
      gboolean    descending)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "data.sort", "(sb)", column, descending));
}

static MtRowTestDialog *
ask (MtWindow   *window,
     const char *column)
{
  MtRowTestDialog *dialog;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "data.where", "s", column));
  mt_app_settle (50);
  dialog = mt_app_find_over (window, MT_TYPE_ROW_TEST_DIALOG);
  g_assert_nonnull (dialog);
  return dialog;
}

static void
click_all (MtWindow   *window,
           const char *label)
{
  GtkWidget *button = mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, label);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
}

static gboolean
search_answered (gpointer window)
{
  GtkWidget *entry = mt_app_find (window, GTK_TYPE_SEARCH_ENTRY, NULL);

  return *gtk_label_get_label (GTK_LABEL (gtk_widget_get_prev_sibling (entry))) != '\0';
}

static void
test_sort (void)
{
  MtWindow *window = open_text ("rows.csv", small);
  GtkWidget *entry = mt_app_find (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY, NULL);
  guint place;
  gsize row;

  assert_rows (window, "12345", "");
  mt_grid_go_to (grid_of (window), 1, 3);
  sort (window, "age", FALSE);
  assert_rows (window, "51423", "Sorted by age, ascending");
  g_assert_true (mt_grid_get_cursor (grid_of (window), &place, &row));
  g_assert_cmpuint (row, ==, 2);                                             /* Katherine still */
  sort (window, "age", TRUE);
  assert_rows (window, "24153", "Sorted by age, descending");
  /* The search follows the order on the screen and names the row of the file. */
  gtk_editable_set_text (GTK_EDITABLE (entry), "london");
  g_signal_emit_by_name (entry, "search-changed");
  mt_app_wait (search_answered, window);
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (gtk_widget_get_prev_sibling (entry))), ==, "city, row 4");
  g_assert_true (mt_grid_get_cursor (grid_of (window), &place, &row));
  g_assert_cmpuint (row, ==, 1);
  click_all (window, "File _Order");
  assert_rows (window, "12345", "");
  mt_app_window_end (window);
}

static void
test_where (void)
{
  MtWindow *window = open_text ("rows.csv", small);
  MtRowTestDialog *dialog = ask (window, "age");

  mt_row_test_dialog_set (dialog, MT_ROW_TEST_AT_LEAST, "many");
  g_assert_cmpstr (mt_row_test_dialog_get_problem (dialog), ==, "“many” is not a number");
  g_assert_false (mt_row_test_dialog_apply (dialog));
  mt_row_test_dialog_set (dialog, MT_ROW_TEST_AT_LEAST, "36");
  g_assert_cmpstr (mt_row_test_dialog_get_problem (dialog), ==, "");
  g_assert_true (mt_row_test_dialog_apply (dialog));
  assert_rows (window, "124", "3 of 5 rows · age ≥ 36");
  dialog = ask (window, "city");
  mt_row_test_dialog_set (dialog, MT_ROW_TEST_IS, "London");
  g_assert_true (mt_row_test_dialog_apply (dialog));
  sort (window, "name", TRUE);
  assert_rows (window, "41", "2 of 5 rows · age ≥ 36 · city is London · Sorted by name, descending");
  /* The same kind of test again takes the place of the first. */
  dialog = ask (window, "age");
  mt_row_test_dialog_set (dialog, MT_ROW_TEST_AT_LEAST, "38");
  g_assert_true (mt_row_test_dialog_apply (dialog));
  assert_rows (window, "4", "1 of 5 rows · city is London · age ≥ 38 · Sorted by name, descending");
  click_all (window, "Show _All Rows");
  assert_rows (window, "12345", "");
  dialog = ask (window, "age");
  mt_row_test_dialog_set (dialog, MT_ROW_TEST_MISSING, NULL);
  g_assert_true (mt_row_test_dialog_apply (dialog));
  assert_rows (window, "3", "1 of 5 rows · age is missing");
  mt_app_window_end (window);
}

/* What is shown stays while roles change, and goes with what it is about. */
static void
test_kept (void)
{
  MtWindow *window = open_text ("rows.csv", small);
  MtDocument *document = mt_window_get_document (window);
  MtRowsBar *bar = mt_data_page_get_rows_bar (page_of (window));
  g_autoptr (GFile) other = mt_app_write ("other.csv", small);

  mt_rows_bar_add_test (bar, "age", MT_ROW_TEST_AT_MOST, "36");
  assert_rows (window, "15", "2 of 5 rows · age ≤ 36");
  mt_document_set_role (document, 2, MT_ROLE_TARGET);
  assert_rows (window, "15", "2 of 5 rows · age ≤ 36");
  mt_document_set_type (document, 1, MT_TYPE_CATEGORY);
  mt_app_wait_idle (window);
  assert_rows (window, "12345", "");
  mt_rows_bar_sort (bar, "name", FALSE);
  assert_rows (window, "12543", "Sorted by name, ascending");
  mt_app_open (window, other);
  assert_rows (window, "12345", "");
  mt_app_window_end (window);
}

static void
test_show_in_data (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtRuleView *view = mt_rules_window_select_richest (window);
  MtRuleBook *book = mt_rule_view_get_book (view);
  g_autofree guint64 *set = g_new (guint64, mt_rule_view_get_n_words (view));
  g_autofree guint32 *rows = NULL;
  GtkWidget *button;
  gsize n;

  mt_app_settle (100);
  mt_rule_view_set_true (view, set);
  n = mt_rule_view_count_rows (view, set);
  rows = g_new (guint32, n);
  mt_rule_view_list_rows (view, set, rows);
  button = mt_app_find (GTK_WIDGET (mt_rules_window_page (window)), GTK_TYPE_BUTTON, "Show in Data");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  mt_app_wait (is_settled, window);
  mt_app_settle (50);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (page_of (window))));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window))));
  g_assert_cmpuint (mt_grid_get_n_rows (grid_of (window)), ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpuint (mt_grid_find_row (grid_of (window), i), ==, mt_rule_book_get_row_numbers (book)[rows[i]]);
  g_assert_nonnull (strstr (bar_text (window), "training rows satisfy the rule"));
  g_assert_nonnull (strstr (bar_text (window), " · Rule "));
  mt_app_window_end (window);
}

/* Heads are wide enough for what stands in them. */
static void
test_heads (void)
{
  g_autoptr (GString) text = g_string_new ("a,customer_id,tenure_months,target\n");
  MtWindow *window;
  GPtrArray *labels;
  guint n_missing = 0;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "%s,%u,%u,%s\n", i % 11 == 0 ? "7" : i % 11 == 1 ? "8" : "", i % 9, i % 13, i % 2 ? "y" : "n");
  window = open_text ("heads.csv", text->str);
  labels = mt_app_find_all (grid_of (window), GTK_TYPE_LABEL);
  for (guint i = 0; i < labels->len; i++)
    {
      GtkLabel *label = labels->pdata[i];

      if (!gtk_widget_get_mapped (GTK_WIDGET (label)) || gtk_widget_get_width (GTK_WIDGET (label)) == 0)
        continue;
      n_missing += strstr (gtk_label_get_label (label), "% missing") != NULL;
      g_test_message ("%s", gtk_label_get_label (label));
      g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (label)));
    }
  g_assert_cmpuint (n_missing, >=, 4);
  g_ptr_array_unref (labels);
  mt_app_window_end (window);
}

int
main (int argc, char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/rows/sort", test_sort);
  g_test_add_func ("/app/rows/where", test_where);
  g_test_add_func ("/app/rows/kept", test_kept);
  g_test_add_func ("/app/rows/show-in-data", test_show_in_data);
  g_test_add_func ("/app/rows/heads", test_heads);
  return g_test_run ();
}
