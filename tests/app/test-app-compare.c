/* Two models side by side on the Rules page: chosen from the menu, pinned on the frontier, swapped. */
#include "config.h"

#include <string.h>

#include "rules/mt-compare-view.h"
#include "rules/mt-difference-table.h"
#include "frontier/mt-frontier-page.h"
#include "rules/mt-match-table.h"
#include "rules/mt-what-if-view.h"
#include "rules-window.h"

static gboolean
is_compared (gpointer window)
{
  return mt_match_table_get_n_lines (mt_rules_window_find (window, MT_TYPE_MATCH_TABLE)) > 0;
}

static const char *
label_of (MtWindow   *window,
          const char *name)
{
  GtkWidget *label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, name);

  g_assert_nonnull (label);
  return gtk_label_get_label (GTK_LABEL (label));
}

/* What there is to say of them, found again. */
static MtComparison *
compare_again (MtFrontierItem *a,
               MtFrontierItem *b)
{
  MtRunData *left = mt_run_get_basis (mt_frontier_item_get_run (a)), *right = mt_run_get_basis (mt_frontier_item_get_run (b));
  const MtCompared models[2] = {
    { mt_frontier_item_get_point (a)->rules, left->encoder, left->encoded },
    { mt_frontier_item_get_point (b)->rules, right->encoder, right->encoded },
  };

  return mt_compare_models (models, NULL, NULL);
}

/* The numbers before each of the words, added up; words that are not there count nothing. */
static guint
add_up (const char        *text,
        const char *const *words)
{
  guint sum = 0;

  for (; *words != NULL; words++)
    {
      const char *at = strstr (text, *words);

      if (at == NULL)
        continue;
      while (at > text && g_ascii_isdigit (at[-1]))
        at--;
      sum += (guint) g_ascii_strtoull (at, NULL, 10);
    }
  return sum;
}

/* What is counted is what the models have: rules with rules, numeric columns with numeric columns. */
static void
assert_counted (const char     *note,
                guint           side,
                MtFrontierItem *item)
{
  const char *const words[2][4] = { { " shared", " with the same", " only in A", NULL },
                                    { " shared", " with the same", " only in B", NULL } };
  const MtRuleSet *rules = mt_frontier_item_get_point (item)->rules;
  g_auto (GStrv) lines = g_strsplit (note, "\n", -1);
  guint n_columns = mt_rule_set_get_n_terms (rules) - mt_frontier_item_get_n_rules (item);

  g_assert_cmpuint (add_up (lines[0], words[side]), ==, mt_frontier_item_get_n_rules (item));
  g_assert_cmpuint (lines[1] != NULL ? add_up (lines[1], words[side]) : 0, ==, n_columns);
}

static void
assert_shown (MtWindow       *window,
              MtFrontierItem *a,
              MtFrontierItem *b)
{
  g_autoptr (MtComparison) expected = compare_again (a, b);
  MtMatchTable *matches = mt_rules_window_find (window, MT_TYPE_MATCH_TABLE);
  GtkDropDown *kinds = GTK_DROP_DOWN (mt_app_find (GTK_WIDGET (window), GTK_TYPE_DROP_DOWN, "kinds"));
  guint n_kinds[MT_N_MATCHES] = { 0 };

  g_assert_cmpuint (mt_match_table_get_n_lines (matches), ==, expected->matches->len + 1);   /* the intercept */
  g_assert_cmpuint (mt_difference_table_get_n_lines (mt_rules_window_find (window, MT_TYPE_DIFFERENCE_TABLE)), ==,
                    expected->n_differ);
  for (guint i = 0; i < expected->matches->len; i++)
    n_kinds[g_array_index (expected->matches, MtTermMatch, i).kind]++;
  for (guint k = 0; k < MT_N_MATCHES; k++)
    {
      gtk_drop_down_set_selected (kinds, 1 + k);
      g_assert_cmpuint (mt_match_table_get_n_lines (matches), ==, n_kinds[k]);
    }
  gtk_drop_down_set_selected (kinds, 0);
  g_assert_cmpuint (mt_match_table_get_n_lines (matches), ==, expected->matches->len + 1);
  assert_counted (label_of (window, "rules-note"), 0, a);
  assert_counted (label_of (window, "rules-note"), 1, b);
  g_assert_nonnull (strstr (label_of (window, "rows-note"), "training row"));
}

/* The largest model, and another that sees some rows differently. */
static void
choose_two (MtStudy         *study,
            MtFrontierItem **small,
            MtFrontierItem **large)
{
  GListModel *points = mt_study_get_points (study);
  guint n = g_list_model_get_n_items (points);

  *large = g_list_model_get_item (points, n - 1);
  g_object_unref (*large);   /* the list keeps it */
  *small = NULL;
  for (guint i = n - 1; i-- > 0 && *small == NULL;)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      g_autoptr (MtComparison) comparison = compare_again (item, *large);

      if (comparison->n_differ > 0)
        *small = item;
    }
  g_assert_nonnull (*small);
}

static void
test_menu (gconstpointer target)
{
  MtWindow *window = mt_rules_window_open (target, 1200);
  MtStudy *study = mt_window_get_study (window);
  GtkWidget *page = GTK_WIDGET (mt_rules_window_page (window));
  GtkWidget *differences = mt_rules_window_find (window, MT_TYPE_DIFFERENCE_TABLE);
  GtkDropDown *menu = GTK_DROP_DOWN (mt_app_find (GTK_WIDGET (window), GTK_TYPE_DROP_DOWN, "compared"));
  MtFrontierItem *small, *large;
  int least;

  choose_two (study, &small, &large);
  mt_study_set_selected (study, small);
  mt_app_settle (40);
  g_assert_true (gtk_widget_activate_action (page, "rules.mode", "s", "compare"));
  mt_app_settle (60);
  g_assert_false (gtk_widget_get_mapped (differences));   /* until another is chosen */
  gtk_widget_measure (mt_rules_window_find (window, MT_TYPE_COMPARE_VIEW), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                      NULL, NULL);
  g_assert_cmpint (least, <=, 360);
  gtk_drop_down_set_selected (menu, g_list_model_get_n_items (gtk_drop_down_get_model (menu)) - 1);
  g_assert_true (mt_study_get_compared (study) == large);
  mt_app_wait (is_compared, window);
  mt_app_settle (40);
  g_assert_true (gtk_widget_get_mapped (differences));
  assert_shown (window, small, large);
  gtk_widget_measure (mt_rules_window_find (window, MT_TYPE_COMPARE_VIEW), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                      NULL, NULL);
  g_assert_cmpint (least, <=, 360);

  /* A row that they see differently, taken apart in What-if. */
  g_signal_emit_by_name (mt_app_find (differences, GTK_TYPE_COLUMN_VIEW, "differences"), "activate", 0);
  mt_app_settle (40);
  g_assert_true (gtk_widget_get_mapped (mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW)));
  g_assert_nonnull (mt_what_if_view_get_result (mt_rules_window_find (window, MT_TYPE_WHAT_IF_VIEW)));

  g_assert_true (gtk_widget_activate_action (page, "rules.mode", "s", "compare"));
  mt_app_wait (is_compared, window);
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "swap"), "clicked");
  g_assert_true (mt_study_get_base (study) == large && mt_study_get_compared (study) == small);
  g_assert_true (mt_study_get_selected (study) == small);   /* it stays so */
  mt_app_wait (is_compared, window);
  assert_shown (window, large, small);
  g_assert_true (gtk_widget_get_mapped (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "whose")));
  g_assert_true (g_str_has_prefix (label_of (window, "whose"), "Model B is selected"));
  mt_app_window_end (window);
}

static const char *
chosen_of (MtWindow   *window,
           const char *name)
{
  GtkDropDown *menu = GTK_DROP_DOWN (mt_app_find (GTK_WIDGET (window), GTK_TYPE_DROP_DOWN, name));

  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (menu));
}

/* Two that were pinned are compared, and the model that all other pages speak of is still the same. */
static void
test_pins (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtStudy *study = mt_window_get_study (window);
  MtFrontierPage *frontier = mt_rules_window_find (window, MT_TYPE_FRONTIER_PAGE);
  g_autoptr (MtFrontierItem) third = NULL;
  g_autofree char *literals = NULL;
  MtFrontierItem *small, *large;

  choose_two (study, &small, &large);
  for (guint i = 0; third == NULL || third == small; i++)
    {
      g_clear_object (&third);
      third = g_list_model_get_item (mt_study_get_points (study), i);
    }
  g_assert_true (third != NULL && third != large);
  mt_study_set_selected (study, third);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_frontier_page_pin (frontier, large);
  mt_frontier_page_pin (frontier, small);
  mt_app_settle (100);
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (frontier), GTK_TYPE_BUTTON, "compare-rules"), "clicked");
  mt_app_wait (is_compared, window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (mt_rules_window_page (window))));
  assert_shown (window, large, small);
  g_assert_true (mt_study_get_selected (study) == third);
  literals = g_strdup_printf ("%u literals, ", mt_frontier_item_get_point (large)->complexity);
  g_assert_true (g_str_has_prefix (chosen_of (window, "base"), literals));
  g_assert_true (g_str_has_prefix (label_of (window, "whose"), "Neither"));
  /* Another A by hand. */
  mt_study_compare (study, third, small);
  mt_app_wait (is_compared, window);
  g_assert_true (g_str_has_suffix (chosen_of (window, "base"), "selected"));
  g_assert_false (gtk_widget_get_mapped (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "whose")));
  /* A point that is gone is compared with nothing. */
  mt_study_clear (study);
  mt_app_settle (60);
  g_assert_null (mt_study_get_compared (study));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_data_func ("/app/compare/classes", "answer", test_menu);
  g_test_add_data_func ("/app/compare/levels", "level", test_menu);
  g_test_add_data_func ("/app/compare/numbers", "amount", test_menu);
  g_test_add_func ("/app/compare/pins", test_pins);
  return g_test_run ();
}
