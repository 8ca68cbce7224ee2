/* What the Rules page says beside its drawings: nothing is cut without saying so, and what stands together
 * is written alike. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "apputils.h"
#include "widgets/mt-compare-panel.h"
#include "rules/mt-diagram-view.h"
#include "rules/mt-effect-view.h"
#include "util/mt-format.h"
#include "rules/mt-rule-head.h"
#include "rules/mt-rules-page.h"
#include "rules/mt-truth-row.h"
#include "rules/mt-truth-view.h"
#include "rules/mt-weight-cell.h"
#include "rules/mt-what-if-view.h"
#include "rules-window.h"

static GtkLabel *
find_label (MtWindow   *window,
            const char *name)
{
  GtkWidget *label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, name);

  g_assert_nonnull (label);
  return GTK_LABEL (label);
}

/* A rule's weight for each of nine classes: in the list, and above the rule with the key to their colours. */
static void
check_nine_classes (MtWindow *window)
{
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  const MtRuleSet *rules = mt_rule_book_get_rules (book);
  guint n = mt_rule_set_get_n_outputs (rules), n_weights = 0;
  GtkWidget *cell;
  int height;

  g_assert_cmpuint (n, ==, 9);
  mt_rule_list_select_term (mt_rules_page_get_list (mt_rules_window_page (window)), 0);
  mt_app_settle (100);
  for (guint c = 0; c < n; c++)
    {
      double effect = mt_rule_book_get_facts (book, 0)->effects[c];
      g_autofree char *weight = effect != 0 ? mt_format_weight (effect) : g_strdup ("0");
      g_autofree char *chip = g_strdup_printf ("■\u00a0%s\u00a0%s", mt_rule_book_get_classes (book)[c], weight);

      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (find_label (window, "rule-classes"))));
      g_assert_nonnull (strstr (gtk_label_get_text (find_label (window, "rule-classes")), chip));
      n_weights += mt_rule_set_get_bias (rules)[c] != 0;
    }
  /* The first cell is that of the intercept. */
  g_assert_cmpuint (n_weights, >, 6);
  cell = mt_app_find (GTK_WIDGET (mt_rules_page_get_list (mt_rules_window_page (window))), MT_TYPE_WEIGHT_CELL, NULL);
  gtk_widget_measure (cell, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, >=, 17 * (int) n_weights);
  g_assert_cmpint (gtk_widget_get_height (cell), >=, height);
}

static gboolean
says_scale (gpointer window)
{
  MtDiagramView *diagram = mt_rules_window_find (window, MT_TYPE_DIAGRAM_VIEW);
  g_autofree char *expected = g_strdup_printf ("%.0f%%", mt_diagram_view_get_scale (diagram) * 100);

  return g_str_equal (gtk_label_get_label (find_label (window, "diagram-zoom")), expected);
}

/* The scale that is told is the scale that is drawn, whatever the size. */
static void
test_scale (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1280);
  MtDiagramView *diagram = mt_rules_window_find (window, MT_TYPE_DIAGRAM_VIEW);

  mt_rules_window_select_richest (window);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (find_label (window, "rule-classes"))));   /* two need no key */
  for (guint i = 0; i < 4; i++)
    {
      static const int heights[] = { 500, 820, 440, 900 };

      gtk_window_set_default_size (GTK_WINDOW (window), 1280, heights[i]);
      mt_app_settle (100);
      mt_app_wait (says_scale, window);
    }
  mt_diagram_view_zoom (diagram, 1.25);
  g_assert_true (says_scale (window));
  g_assert_cmpfloat (mt_diagram_view_get_scale (diagram), !=, 1);
  mt_diagram_view_zoom (diagram, 0);
  g_assert_true (says_scale (window));
  mt_app_window_end (window);
}

/* The last head ends where its column does. */
static gboolean
is_last_head_placed (gpointer window)
{
  GtkWidget *truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  GtkWidget *row = mt_app_find (truth, MT_TYPE_TRUTH_ROW, NULL), *head = mt_app_find (truth, GTK_TYPE_BUTTON, NULL);
  graphene_rect_t last, line;
  int needs;

  if (row == NULL || head == NULL || !gtk_widget_compute_bounds (row, truth, &line) ||
      !gtk_widget_compute_bounds (gtk_widget_get_last_child (gtk_widget_get_parent (head)), truth, &last))
    return FALSE;
  gtk_widget_measure (row, GTK_ORIENTATION_HORIZONTAL, -1, &needs, NULL, NULL, NULL);
  return fabs (last.origin.x + last.size.width - line.origin.x - needs + MT_TRUTH_PADDING) < 2.5;
}

/* Heads stand above their columns, in a wide and in a narrow window. */
static void
test_heads (void)
{
  static const int widths[] = { 1280, 360 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      MtWindow *window = mt_rules_window_open ("answer", widths[i]);
      GtkWidget *truth, *head, *row;
      graphene_rect_t first, line;

      mt_rules_window_select_richest (window);
      if (widths[i] < 600)
        g_signal_emit_by_name (mt_rules_page_get_list (mt_rules_window_page (window)), "opened");
      mt_app_settle (150);
      mt_app_wait (is_last_head_placed, window);
      truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
      row = mt_app_find (truth, MT_TYPE_TRUTH_ROW, NULL);
      head = mt_app_find (truth, GTK_TYPE_BUTTON, NULL);
      g_assert_true (gtk_widget_compute_bounds (row, truth, &line));
      g_assert_true (gtk_widget_compute_bounds (head, truth, &first));
      g_assert_cmpfloat (fabs (first.origin.x - line.origin.x - MT_TRUTH_PADDING), <, 1.5);
      mt_app_window_end (window);
    }
}

/* What there is no room for beside a title stands below it, whole. */
static void
test_notes (void)
{
  MtWindow *window = mt_rules_window_open ("level", 360);
  GtkLabel *below;

  mt_rules_window_select_richest (window);
  g_signal_emit_by_name (mt_rules_page_get_list (mt_rules_window_page (window)), "opened");
  mt_app_settle (150);
  below = find_label (window, "formula-below");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (below)));
  g_assert_nonnull (strstr (gtk_label_get_text (below), "minimal"));
  g_assert_cmpint (gtk_label_get_ellipsize (below), ==, PANGO_ELLIPSIZE_NONE);
  /* The share of each class, below in any window. */
  below = find_label (window, "rows-below");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (below)));
  g_assert_nonnull (strchr (gtk_label_get_text (below), '%'));
  mt_app_window_end (window);
}

/* A numeric column is drawn over its range: what it adds at a value is said, by the pointer and by the table. */
static void
check_column (MtWindow *window)
{
  MtRulesPage *page = mt_rules_window_page (window);
  MtRuleBook *book = mt_rules_page_get_book (page);
  const MtEncoder *encoder = mt_rule_book_get_encoder (book);
  guint term = 0;
  const MtUnary *unary;
  const MtEncoderColumn *column;
  MtEffectView *view;
  g_autofree char *text = NULL;

  while (term < mt_rule_book_get_n_terms (book) && mt_rule_book_get_number (book, term) > 0)
    term++;
  g_assert_cmpuint (term, <, mt_rule_book_get_n_terms (book));
  unary = mt_term_get_unary (mt_rule_set_get_term (mt_rule_book_get_rules (book), term), encoder);
  column = mt_encoder_get_column (encoder, unary->column);
  mt_rule_list_select_term (mt_rules_page_get_list (page), (int) term);
  mt_app_settle (100);
  view = mt_rules_window_find (window, MT_TYPE_EFFECT_VIEW);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  text = mt_rule_inspector_dup_text (mt_rules_page_get_inspector (page));
  for (guint end = 0; end < 2; end++)
    {
      double value = end == 0 ? column->min : column->max;

      mt_effect_view_set_value (view, value + (end == 0 ? -1 : 1));     /* kept within the range */
      g_assert_cmpfloat (mt_effect_view_get_value (view), ==, value);
      for (guint c = 0; c < 9; c++)
        {
          g_autofree char *amount = mt_format_weight (mt_rule_book_get_facts (book, term)->effects[c] *
                                                      (mt_encoder_column_shape (column, unary->shape, value) - unary->mean));

          g_assert_nonnull (strstr (gtk_label_get_text (find_label (window, "effect-reading")), amount));
          g_assert_nonnull (strstr (text, amount));
        }
    }
  mt_rules_window_point (GTK_WIDGET (view), GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion",
                         gtk_widget_get_width (GTK_WIDGET (view)) / 2.0, 60);
  g_assert_cmpfloat (mt_effect_view_get_value (view), >, column->min);
  g_assert_cmpfloat (mt_effect_view_get_value (view), <, column->max);
}

static void
test_nine_classes (void)
{
  MtWindow *window = mt_rules_window_open ("letter", 1280);

  check_nine_classes (window);
  check_column (window);
  mt_app_window_end (window);
}

/* --- numbers --- */

static void
assert_rate (double      share,
             const char *expected)
{
  g_autofree char *text = mt_format_rate (share);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_numbers (void)
{
  MtWindow *window = mt_rules_window_open ("amount", 1280);
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  g_autofree char *zero = mt_format_weight (-0.0);
  g_autofree char *whole = mt_format_target (book, 20);
  g_autofree char *third = mt_format_target (book, -20.0 / 3);
  g_autofree char *broken = mt_format_breakable ("ChestPainType_of/it");

  assert_rate (0, "0%");
  assert_rate (0.92, "92.0%");
  assert_rate (0.858, "85.8%");
  assert_rate (1, "100%");
  assert_rate (0.99999, "> 99.9%");
  g_assert_cmpstr (zero, ==, "0.00");
  /* Its mean has two digits before the mark, so two stand behind it. */
  g_assert_cmpfloat (mt_rule_book_get_mean (book), >, 10);
  g_assert_cmpfloat (mt_rule_book_get_mean (book), <, 100);
  g_assert_cmpstr (whole, ==, "20.00");
  g_assert_cmpstr (third, ==, "−6.67");
  g_assert_cmpstr (broken, ==, "Chest\u200bPain\u200bType_\u200bof/\u200bit");
  mt_app_window_end (window);
}

/* Beside the rows of a rule: the share of each class with its lift, or the mean here and elsewhere. */
static void
test_lift (void)
{
  static const char * const targets[] = { "answer", "level", "amount" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1280);
      MtRuleView *view = mt_rules_window_select_richest (window);
      MtRuleBook *book = mt_rule_view_get_book (view);
      const double *values = mt_rule_book_get_values (book);
      const char *beside = gtk_label_get_text (find_label (window, "rule-rows-note"));
      const char *note = *beside != '\0' ? beside : gtk_label_get_text (find_label (window, "rows-below"));
      gsize n_rows = mt_rule_book_get_n_rows (book), n_words = mt_encoded_get_n_words (mt_rule_book_get_encoded (book));
      g_autofree guint64 *plane = g_new (guint64, n_words);
      double inside[4] = { 0 }, outside[4] = { 0 }, n = 0, sum = 0, rest = 0;

      mt_rule_evaluate (mt_rule_view_get_rule (view), mt_rule_book_get_encoded (book), 0, n_words, plane);
      for (gsize r = 0; r < n_rows; r++)
        {
          gboolean is_true = (plane[r / 64] >> (r % 64) & 1) != 0;
          guint class = mt_rule_book_get_n_classes (book) > 0 ? (guint) values[r] : 0;

          *(is_true ? &inside[class] : &outside[class]) += 1;
          *(is_true ? &sum : &rest) += values[r];
          n += is_true;
        }
      if (mt_rule_book_get_n_classes (book) == 0)
        {
          g_autofree char *here = mt_format_target (book, sum / n);
          g_autofree char *there = mt_format_target (book, rest / ((double) n_rows - n));
          g_autofree char *expected = g_strdup_printf ("mean %s, elsewhere %s", here, there);

          g_assert_cmpstr (note, ==, expected);
        }
      for (guint c = mt_rule_book_get_n_classes (book) == 2 ? 1 : 0; c < mt_rule_book_get_n_classes (book); c++)
        {
          g_autofree char *expected = g_strdup_printf ("%.1f%%\u00a0%s, lift\u00a0%.2f", 100 * inside[c] / n,
                                                       mt_rule_book_get_classes (book)[c],
                                                       inside[c] / n * (double) n_rows / (inside[c] + outside[c]));

          if (inside[c] > 0 && inside[c] < n)
            g_assert_nonnull (strstr (note, expected));
        }
      mt_app_window_end (window);
    }
}

/* A name that is cut keeps its end. */
static void
test_cut (void)
{
  static const struct { const char *text, *cut; } cases[] = {
    { "short", "short" },
    { "exactly_12_c", "exactly_12_c" },
    { "a_name_that_is_long_1", "a_nam…long_1" },
    { "a_name_that_is_long_2", "a_nam…long_2" },
    { "Größe_der_Öffnung_ß", "Größe…nung_ß" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *cut = mt_format_cut (cases[i].text, 12);

      g_assert_cmpstr (cut, ==, cases[i].cut);
    }
}

static void
assert_explained (gpointer    top,
                  GType       type,
                  const char *says,
                  const char *sentence)
{
  g_autoptr (GPtrArray) all = mt_app_find_all (top, type);
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const char *tip = gtk_widget_get_tooltip_text (all->pdata[i]);
      GtkWidget *label = GTK_IS_LABEL (all->pdata[i]) ? all->pdata[i] : mt_app_find (all->pdata[i], GTK_TYPE_LABEL, NULL);

      if (label == NULL || strstr (gtk_label_get_text (GTK_LABEL (label)), says) == NULL)
        continue;
      n += tip != NULL && strstr (tip, sentence) != NULL;
    }
  if (n == 0)
    g_error ("“%s” is not explained", says);
}

/* Terms of art are explained to those who point at them. */
static void
test_explained (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);

  mt_rules_window_select_richest (window);
  mt_app_settle (60);
  assert_explained (window, GTK_TYPE_LABEL, "free combinations", "may be decided either way");
  assert_explained (window, GTK_TYPE_LABEL, "σ", "converts the score to a probability");
  assert_explained (window, GTK_TYPE_TOGGLE_BUTTON, "DNF", "if at least one of these alternatives holds");
  assert_explained (window, GTK_TYPE_TOGGLE_BUTTON, "CNF", "if all of these clauses hold");
  assert_explained (mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW), GTK_TYPE_BUTTON, "r1", "1 where it applies");
  mt_app_window_end (window);
  window = mt_rules_window_open ("level", 1200);
  assert_explained (window, GTK_TYPE_LABEL, "softmax", "Softmax converts the scores to probabilities");
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/rules-words/nine-classes", test_nine_classes);
  g_test_add_func ("/app/rules-words/scale", test_scale);
  g_test_add_func ("/app/rules-words/heads", test_heads);
  g_test_add_func ("/app/rules-words/notes", test_notes);
  g_test_add_func ("/app/rules-words/numbers", test_numbers);
  g_test_add_func ("/app/rules-words/lift", test_lift);
  g_test_add_func ("/app/rules-words/cut", test_cut);
  g_test_add_func ("/app/rules-words/explained", test_explained);
  return g_test_run ();
}
