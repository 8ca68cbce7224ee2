/* What a model says of rows and of itself: predictions against the definition, and rules in words. */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "model-files.h"
#include "base/mt-error.h"
#include "rules/mt-rule-text.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* --- predicting --- */

/* The score from raw cells, term by term; *@unseen: some rule meets an unseen assignment. */
static double
score_of_row (const MtModel *model,
              guint          output,
              const MtTable *table,
              gsize          row,
              gboolean      *unseen)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  double score = mt_rule_set_get_bias (rules)[output];

  *unseen = FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      guint32 v = 0;

      if (term->is_numeric)
        {
          const MtUnary *unary = mt_term_get_unary (term, encoder);
          const MtColumn *column = mt_table_find_column (table, mt_encoder_get_column_name (encoder,
                                                                                            unary->column),
                                                                                            NULL);
          double x = mt_column_get_number (column, row);

          score += term->weights[output] * (isnan (x) ? 0 : (x - unary->mean) / unary->sd);
          continue;
        }
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        v |= (guint32) mt_test_literal_is_true (encoder, mt_rule_get_inputs (term->rule)[i], table, row) << i;
      if ((mt_rule_get_table (term->rule)[0] >> v) & 1)
        score += term->weights[output];
      if (mt_rule_get_dont_care (term->rule, MT_DONT_CARE_UNSEEN) != NULL)
        *unseen |= (mt_rule_get_dont_care (term->rule, MT_DONT_CARE_UNSEEN)[0] >> v) & 1;
    }
  return score;
}

static void
test_predict (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtModel) model = model_make (tasks[i]);
      g_autoptr (MtTable) other = mt_test_sample_table (tasks[i], 777, 99);
      guint n_outputs = mt_model_get_n_predictions (model),
                        n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));
      g_autofree double *predictions = g_new (double, n_outputs * 777);
      g_autofree double *some = g_new (double, n_outputs * 2);
      g_autofree double *parts = g_new (double, (gsize) n_terms * n_outputs * 777);
      const guint32 rows[] = { 700, 3 };
      g_autoptr (GError) error = NULL;
      MtPredictReport report;
      gsize n_unseen = 0;

      g_assert_true (mt_model_predict (model, other, NULL, 0, predictions, &report, &error));
      g_assert_no_error (error);
      g_assert_true (mt_model_contributions (model, other, NULL, 0, parts, &error));
      for (gsize r = 0; r < 777; r++)
        {
          double scores[3], expected[3], sum = 0;
          gboolean unseen = FALSE;

          for (guint c = 0; c < n_outputs; c++)
            {
              double from_parts = mt_rule_set_get_bias (mt_model_get_rules (model))[c];

              scores[c] = score_of_row (model, c, other, r, &unseen);
              for (guint t = 0; t < n_terms; t++)
                from_parts += parts[((gsize) t * n_outputs + c) * 777 + r];
              g_assert_cmpfloat (fabs (from_parts - scores[c]), <, 1e-12);
              sum += exp (scores[c]);
            }
          for (guint c = 0; c < n_outputs; c++)
            {
              expected[c] = tasks[i] == MT_TASK_BINARY ? 1 / (1 + exp (-scores[c]))
                            : tasks[i] == MT_TASK_MULTICLASS ? exp (scores[c]) / sum : scores[c];
              g_assert_cmpfloat (fabs (predictions[c * 777 + r] - expected[c]), <, 1e-12);
            }
          if (tasks[i] == MT_TASK_BINARY)
            g_assert_cmpuint (mt_model_decide (model, predictions, 777, r), ==, scores[0] > 0);
          if (tasks[i] == MT_TASK_MULTICLASS)
            {
              guint decided = mt_model_decide (model, predictions, 777, r);

              for (guint c = 0; c < 3; c++)
                g_assert_cmpfloat (predictions[decided * 777 + r], >=, predictions[c * 777 + r]);
            }
          n_unseen += unseen ? 1 : 0;
        }
      g_assert_cmpuint (report.n_unseen_patterns, ==, n_unseen);
      g_assert_cmpuint (report.encode.n_rows, ==, 777);

      g_assert_true (mt_model_predict (model, other, rows, 2, some, NULL, &error));
      for (guint c = 0; c < n_outputs; c++)
        for (guint k = 0; k < 2; k++)
          g_assert_cmpfloat (some[c * 2 + k], ==, predictions[c * 777 + rows[k]]);
      {
        g_autofree double *few = g_new (double, (gsize) n_terms * n_outputs * 2);

        g_assert_true (mt_model_contributions (model, other, rows, 2, few, &error));
        g_assert_cmpfloat (few[1], ==, parts[3]);
      }
    }
}

static void
test_predict_errors (void)
{
  g_autoptr (MtModel) model = model_make (MT_TASK_REGRESSION);
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_REGRESSION, 2, 3);
  MtColumn *columns[7];
  g_autoptr (MtTable) lacking = NULL;
  g_autoptr (MtTable) extreme = NULL;
  g_autoptr (GError) error = NULL;
  const double far[] = { 0, 1.7e308 };
  const guint32 second = 1;
  double out[100];

  for (guint i = 0; i < 7; i++)
    columns[i] = mt_column_ref ((MtColumn *) mt_table_get_column (table, i));
  lacking = mt_table_new (columns + 1, 6);
  g_assert_false (mt_model_predict (model, lacking, NULL, 0, out, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_nonnull (strstr (error->message, "no column “a”"));
  g_clear_error (&error);
  g_assert_false (mt_model_contributions (model, lacking, NULL, 0, out, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  mt_column_unref (columns[0]);

  for (guint i = 1; i < 7; i++)
    mt_column_ref (columns[i]);
  columns[0] = mt_test_numbers ("a", far, 2);
  extreme = mt_table_new (columns, 7);
  {
    /* Weights so large that the score overflows. */
    double weight = 1e300, zero = 0;
    MtTerm term = { .is_numeric = TRUE, .numeric = 0, .weights = &weight };
    g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &zero, &term, 1, NULL);
    g_autoptr (MtModel) steep = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), rules,
                                              mt_model_get_info (model), &error);

    g_assert_no_error (error);
    g_assert_false (mt_model_predict (steep, extreme, NULL, 0, out, NULL, &error));
    g_assert_error (error, MT_ERROR, MT_ERROR_NUMERIC);
    g_assert_nonnull (strstr (error->message, "row 2"));
    g_clear_error (&error);
    g_assert_false (mt_model_predict (steep, extreme, &second, 1, out, NULL, &error));
    g_assert_nonnull (strstr (error->message, "row 2"));
  }
}

/* Finite numbers whose products or sums are not: what is written for each raw unit, and the constant. */
static void
test_size_of_weights (void)
{
  double cut = 0;
  const struct { double mean, sd, bias, weights[2]; const char *says; } cases[] = {
    { 0, 1, DBL_MAX / 2, { 0, DBL_MAX / 4 }, NULL },
    { 1e100, 1e-100, 1, { 1e100, 1 }, NULL },
    { 0, 1e-200, 0, { 1e140, 0 }, "terms[0].weights[0] per unit of its column is too large" },
    { 0, 5e-324, 0, { -1, 0 }, "terms[0].weights[0] per unit of its column is too large" },
    { DBL_MAX, 0.5, 0, { 1, 0 }, "terms[0].weights[0] makes the score too large for a number" },
    { 0, 1, -DBL_MAX, { 0, DBL_MAX }, "terms[1].weights[0] makes the score too large for a number" },
    { 0, 1, 0, { DBL_MAX, -DBL_MAX }, "terms[1].weights[0] makes the score too large for a number" },
  };
  g_autoptr (MtModel) model = model_make (MT_TASK_REGRESSION);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtEncoderColumn column = { (char *) "a", MT_TYPE_NUMBER, FALSE, &cut, 1, cases[i].mean, cases[i].sd, -1, 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (MtEncoder) encoder = mt_encoder_new (&column, 1, &error);
      g_autoptr (MtRule) rule = mt_rule_new_literal (0, FALSE);
      double weights[] = { cases[i].weights[0], cases[i].weights[1] };
      MtTerm terms[] = {
        { .is_numeric = TRUE, .numeric = 0, .weights = &weights[0] }, { .rule = rule, .weights = &weights[1] },
      };
      g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &cases[i].bias, terms, 2, NULL);
      g_autoptr (MtModel) large = mt_model_new (encoder, rules, mt_model_get_info (model), &error);

      if (cases[i].says == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
          g_assert_nonnull (strstr (error->message, cases[i].says));
        }
    }
}

static void
test_truth (void)
{
  const char *words[] = { "yes", "no", NULL, "maybe", "yes" };
  const double numbers[] = { 1, 0, NAN, INFINITY, 2.5 };
  static const char * const digits[] = { "0", "1", NULL };
  g_autoptr (MtModel) binary = model_make (MT_TASK_BINARY);
  g_autoptr (MtModel) regression = model_make (MT_TASK_REGRESSION);
  g_autoptr (MtModel) by_number = NULL;
  g_autofree guint64 *offsets = g_new0 (guint64, 3);
  MtColumn *columns[] = {
    mt_test_levels ("y", MT_TYPE_CATEGORY, words, 5), mt_test_numbers ("n", numbers, 5),
  };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  g_autoptr (MtTruth) truth = NULL;
  g_autoptr (GError) error = NULL;
  MtModelInfo info = *mt_model_get_info (binary);

  truth = mt_model_read_truth (binary, table, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 3);
  g_assert_cmpuint (truth->n_missing, ==, 1);
  g_assert_cmpuint (truth->n_unknown, ==, 1);
  g_assert_cmpuint (truth->rows[2], ==, 4);
  g_assert_cmpuint (truth->classes[0], ==, 1);
  g_clear_pointer (&truth, mt_truth_free);

  info.classes = digits;
  by_number = mt_model_new ((MtEncoder *) mt_model_get_encoder (binary),
                            (MtRuleSet *) mt_model_get_rules (binary),
                            &info, &error);
  g_assert_no_error (error);
  truth = mt_model_read_truth (by_number, table, "n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 2);
  g_assert_cmpuint (truth->classes[0], ==, 1);
  g_assert_cmpuint (truth->n_unknown, ==, 2);
  g_clear_pointer (&truth, mt_truth_free);

  truth = mt_model_read_truth (regression, table, "n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 3);
  g_assert_cmpuint (truth->n_missing, ==, 2);
  g_assert_cmpfloat (truth->values[2], ==, 2.5);
  g_clear_pointer (&truth, mt_truth_free);

  g_assert_null (mt_model_read_truth (regression, table, "y", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  g_assert_null (mt_model_read_truth (regression, table, "absent", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  g_assert_null (mt_model_read_truth (binary, table, "n", &error));   /* no yes or no among the numbers */
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);

  /* Text that was never given codes. */
  {
    MtColumn *text;
    g_autoptr (MtTable) free_text = NULL;

    offsets[1] = 3;
    offsets[2] = 5;
    text = mt_column_new_text ("y", g_strdup ("yesno"), g_steal_pointer (&offsets), NULL, 2);
    free_text = mt_table_new (&text, 1);
    truth = mt_model_read_truth (binary, free_text, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (truth->n_rows, ==, 2);
    g_assert_cmpuint (truth->classes[0], ==, 1);
    g_assert_cmpuint (truth->classes[1], ==, 0);
  }
}

/* --- rule text --- */

static void
test_rule_text (void)
{
  const double age[] = { 54, 55, 54, 55 };
  const char *colour[] = { "red", "blue", "green", "red" };
  MtColumn *columns[] = { mt_test_numbers ("Age", age, 4),
                         mt_test_levels ("Colour", MT_TYPE_CATEGORY, colour, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  const guint inputs[] = { 0, 1, 3 };
  const MtCube cubes[] = { { 3, 1 }, { 4, 4 } }, clause[] = { { 1, 1 }, { 2, 2 }, { 4, 0 } };
  g_autoptr (MtRule) rule = mt_rule_new (inputs, 3, cubes, 2, NULL, TRUE, NULL);
  g_autoptr (MtRule) disjunction = mt_rule_new (inputs, 3, clause, 3, NULL, TRUE, NULL);
  g_autofree char *dnf = NULL;
  g_autofree char *cnf = NULL;
  g_autofree char *cube = NULL;
  g_autofree char *one_clause = NULL;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  dnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_DNF);
  cnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_CNF);
  cube = mt_rule_dup_cube_text (rule, encoder, 0);
  one_clause = mt_rule_dup_text (disjunction, encoder, MT_RULE_FORM_CNF);
  g_assert_cmpstr (dnf, ==, "Age ≥ 55 and Colour ≠ \"blue\", or Colour = \"red\"");
  g_assert_cmpstr (cnf, ==, "(Age ≥ 55 or Colour = \"red\") and (Colour ≠ \"blue\" or Colour = \"red\")");
  g_assert_cmpstr (cube, ==, "Age ≥ 55 and Colour ≠ \"blue\"");
  g_assert_cmpstr (one_clause, ==, "Age ≥ 55 or Colour = \"blue\" or Colour ≠ \"red\"");
}

/* `or missing` never runs into an `and`. */
static void
test_rule_text_missing (void)
{
  const double x[] = { 1, 2, NAN, 2 }, y[] = { 1, 1, 2, 2 };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 4), mt_test_numbers ("y", y, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  const guint inputs[] = { 0, 2 };   /* x ≥ 2, y ≥ 2; 1 is x is missing */
  const MtCube both[] = { { 3, 0 } }, either[] = { { 1, 0 }, { 2, 2 } };
  const struct { const MtCube *cubes; guint n; MtRuleForm form; const char *text; } cases[] = {
    { both, 1, MT_RULE_FORM_DNF, "(x < 2 or missing) and y < 2" },
    { both, 1, MT_RULE_FORM_CNF, "(x < 2 or missing) and y < 2" },
    { either, 2, MT_RULE_FORM_DNF, "x < 2 or missing, or y ≥ 2" },
    { either, 2, MT_RULE_FORM_CNF, "x < 2 or missing or y ≥ 2" },
  };

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtRule) rule = mt_rule_new (inputs, 2, cases[i].cubes, cases[i].n, NULL, TRUE, NULL);
      g_autofree char *text = mt_rule_dup_text (rule, encoder, cases[i].form);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/predict", test_predict);
  g_test_add_func ("/model/predict-errors", test_predict_errors);
  g_test_add_func ("/model/size-of-weights", test_size_of_weights);
  g_test_add_func ("/model/truth", test_truth);
  g_test_add_func ("/model/rule-text", test_rule_text);
  g_test_add_func ("/model/rule-text-missing", test_rule_text_missing);
  return g_test_run ();
}
