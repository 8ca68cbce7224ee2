/* Why a row got its answer: the terms by what each adds, found again by looking for the largest, and in words. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "explain/mt-reasons.h"
#include "rules/mt-rule-text.h"
#include "sample-models.h"

enum { N = 200 };

/* What the term adds to the answer of row @row, by its definition. */
static double
amount_of (const MtModel *model,
           const double  *contributions,
           guint          term,
           gsize          row,
           guint          decided)
{
  guint n_outputs = mt_model_get_n_predictions (model);
  double mean = 0;

  if (n_outputs == 1)
    return contributions[term * N + row];
  for (guint c = 0; c < n_outputs; c++)
    mean += contributions[(term * n_outputs + c) * N + row] / n_outputs;
  return contributions[(term * n_outputs + decided) * N + row] - mean;
}

static void
test_rank (gconstpointer data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autoptr (MtTable) table = mt_test_sample_table (task, N, 3);
  g_autoptr (MtModel) model = mt_test_sample_model (task, table, 8, 4);
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model)), n_outputs = mt_model_get_n_predictions (model);
  g_autofree double *contributions = g_new (double, (gsize) n_terms * n_outputs * N);
  g_autofree MtReason *reasons = g_new (MtReason, n_terms);
  g_autofree gboolean *told = g_new (gboolean, n_terms);
  g_autoptr (GError) error = NULL;
  guint n_left_out = 0;

  g_assert_true (mt_model_contributions (model, table, NULL, N, contributions, &error));
  g_assert_no_error (error);
  for (gsize r = 0; r < N; r++)
    {
      guint decided = n_outputs > 1 ? (guint) r % n_outputs : 0;
      guint n = mt_reasons_rank (model, contributions, N, r, decided, reasons);

      memset (told, 0, n_terms * sizeof *told);
      for (guint i = 0; i < n; i++)
        {
          double largest = 0;

          g_assert_cmpfloat_with_epsilon (reasons[i].amount, amount_of (model, contributions, reasons[i].term, r, decided),
                                          1e-12);
          for (guint t = 0; t < n_terms; t++)
            if (!told[t])
              largest = MAX (largest, fabs (amount_of (model, contributions, t, r, decided)));
          g_assert_cmpfloat_with_epsilon (fabs (reasons[i].amount), largest, 1e-12);
          g_assert_cmpfloat (reasons[i].amount, !=, 0);
          g_assert_false (told[reasons[i].term]);
          told[reasons[i].term] = TRUE;
          if (i > 0 && fabs (reasons[i].amount) == fabs (reasons[i - 1].amount))
            g_assert_cmpuint (reasons[i].term, >, reasons[i - 1].term);
        }
      for (guint t = 0; t < n_terms; t++)
        g_assert_true (told[t] || fabs (amount_of (model, contributions, t, r, decided)) < 1e-12);
      n_left_out += n_terms - n;
    }
  g_assert_cmpuint (n_left_out, >, 0);
}

/* Of equals the first term; what adds nothing is no reason. */
static void
test_ties (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, N, 3);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 3, 4);
  static const double added[] = { 1, -2, 0, 2, -0.5 };
  static const guint order[] = { 1, 3, 0, 4 };
  g_autofree double *contributions = g_new0 (double, 2 * G_N_ELEMENTS (added));
  MtReason reasons[G_N_ELEMENTS (added)];

  g_assert_cmpuint (mt_rule_set_get_n_terms (mt_model_get_rules (model)), ==, G_N_ELEMENTS (added));
  for (guint t = 0; t < G_N_ELEMENTS (added); t++)
    contributions[t * 2 + 1] = added[t];   /* the second of two rows */
  g_assert_cmpuint (mt_reasons_rank (model, contributions, 2, 0, 0, reasons), ==, 0);
  g_assert_cmpuint (mt_reasons_rank (model, contributions, 2, 1, 0, reasons), ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_assert_cmpuint (reasons[i].term, ==, order[i]);
      g_assert_cmpfloat (reasons[i].amount, ==, added[order[i]]);
    }
}

/* What speaks for the answer comes first, whichever of two classes it is. */
static void
test_sides (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };
  static const struct { guint task, decided, n_for; guint order[4]; } cases[] = {
    { 0, 1, 2, { 3, 0, 1, 4 } }, { 0, 0, 2, { 1, 4, 3, 0 } }, { 1, 0, 2, { 3, 0, 1, 4 } }, { 1, 2, 2, { 3, 0, 1, 4 } },
    { 2, 0, 4, { 1, 3, 0, 4 } },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (MtTable) table = mt_test_sample_table (tasks[cases[c].task], N, 3);
      g_autoptr (MtModel) model = mt_test_sample_model (tasks[cases[c].task], table, 3, 4);
      MtReason reasons[] = { { 1, -2 }, { 3, 2 }, { 0, 1 }, { 4, -0.5 } };

      g_assert_cmpuint (mt_reasons_sort_for (model, cases[c].decided, reasons, 4), ==, cases[c].n_for);
      for (guint i = 0; i < 4; i++)
        g_assert_cmpuint (reasons[i].term, ==, cases[c].order[i]);
      g_assert_cmpuint (mt_reasons_sort_for (model, cases[c].decided, reasons, 0), ==, 0);
    }
}

/* A reason that was written, the rule itself, or the number with its cell. */
static void
test_words (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, N, 3);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 3, 4);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (GError) error = NULL;
  guint n_cells = 0, n_missing = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      g_autoptr (MtModel) told = mt_model_with_reason (model, t, "Your debt is high", &error);
      g_autofree char *written = NULL;
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      g_assert_no_error (error);
      written = mt_reason_dup_text (told, t, table, 0);
      g_assert_cmpstr (written, ==, "Your debt is high");
      for (gsize r = 0; term->is_numeric && r < N; r++)
        {
          const MtEncoder *encoder = mt_model_get_encoder (model);
          const char *name = mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column);
          const MtColumn *column = mt_table_find_column (table, name, NULL);
          g_autofree char *cell = mt_column_dup_text (column, r);
          g_autofree char *text = mt_reason_dup_text (model, t, table, r);
          gboolean is_missing = mt_column_is_missing (column, r);
          g_autofree char *expected = is_missing ? g_strdup (" is missing") : g_strdup_printf (" = %s", cell);

          g_assert_true (g_str_has_suffix (text, expected));
          g_assert_nonnull (strstr (text, name));
          n_missing += is_missing;
          n_cells++;
        }
    }
  g_assert_cmpuint (n_cells, >, N);
  g_test_message ("%u cells, %u of them missing", n_cells, n_missing);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/reasons/rank/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_rank);
  g_test_add_data_func ("/reasons/rank/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_rank);
  g_test_add_data_func ("/reasons/rank/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_rank);
  g_test_add_func ("/reasons/ties", test_ties);
  g_test_add_func ("/reasons/sides", test_sides);
  g_test_add_func ("/reasons/words", test_words);
  return g_test_run ();
}
