#include "config.h"

#include <math.h>

#include "explain/mt-compare.h"
#include "base/mt-error.h"
#include "testutils.h"

enum { N_ROWS = 6 };

typedef struct {
  MtTable   *table;
  MtEncoder *encoder;
  MtEncoded *encoded;
} Fixture;

static void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  static const double a[N_ROWS] = { 1, 2, 3, 4, 5, 6 }, b[N_ROWS] = { 9, 7, 9, 7, 9, 7 };
  static const char * const kinds[N_ROWS] = { "x", "y", "z", "x", "y", "z" }, *y[N_ROWS] = { "n", "n", "p", "p", "n", "p" };
  MtColumn *columns[] = {
    mt_test_numbers ("a", a, N_ROWS), mt_test_numbers ("b", b, N_ROWS),
    mt_test_levels ("kind", MT_TYPE_CATEGORY, kinds, N_ROWS), mt_test_levels ("y", MT_TYPE_CATEGORY, y, N_ROWS),
  };
  MtEncoderOptions options;

  mt_encoder_options_init (&options);
  self->table = mt_test_table (columns, G_N_ELEMENTS (columns), 3);
  self->encoder = mt_encoder_fit (self->table, NULL, 0, &options, NULL);
  self->encoded = mt_encoder_apply (self->encoder, self->table, NULL, 0, NULL, NULL);
  g_assert_nonnull (self->encoded);
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  mt_table_unref (self->table);
  mt_encoder_unref (self->encoder);
  mt_encoded_unref (self->encoded);
}

static guint
find_literal (const Fixture *self,
              const char    *column,
              double         threshold,
              const char    *level)
{
  for (guint i = 0; i < mt_encoder_get_n_literals (self->encoder); i++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (self->encoder, i);

      if (g_str_equal (mt_encoder_get_column_name (self->encoder, literal->column), column) &&
          (level != NULL ? g_strcmp0 (literal->level, level) == 0 : literal->threshold == threshold))
        return i;
    }
  g_assert_not_reached ();
}

static MtRuleSet *
make_rules (MtTask  task,
            double  bias,
            MtTerm *terms,
            guint   n_terms)
{
  MtRuleSet *rules = mt_rule_set_new (task, 1, &bias, terms, n_terms, NULL);

  g_assert_nonnull (rules);
  return rules;
}

static void
test_classes (Fixture       *self,
              gconstpointer  data)
{
  double one = 1, two = -3;
  g_autoptr (MtRule) at_least = mt_rule_new_literal (find_literal (self, "a", 4, NULL), FALSE);
  g_autoptr (MtRule) level = mt_rule_new_literal (find_literal (self, "kind", 0, "y"), FALSE);
  MtTerm first[] = { { FALSE, 0, at_least, &one } };
  MtTerm second[] = { { FALSE, 0, at_least, &one }, { FALSE, 0, level, &two } };
  g_autoptr (MtRuleSet) a = make_rules (MT_TASK_BINARY, -0.5, first, 1);
  g_autoptr (MtRuleSet) b = make_rules (MT_TASK_BINARY, -0.5, second, 2);
  const MtCompared models[] = { { a, self->encoder, self->encoded }, { b, self->encoder, self->encoded } };
  g_autoptr (MtComparison) comparison = mt_compare_models (models, NULL, NULL);

  g_assert_cmpuint (comparison->shapes[0].n_rules, ==, 1);
  g_assert_cmpuint (comparison->shapes[1].n_rules, ==, 2);
  g_assert_cmpuint (comparison->shapes[1].longest, ==, 1);
  g_assert_cmpuint (comparison->shapes[1].n_columns, ==, 2);
  g_assert_cmpuint (g_strv_length (comparison->only[0]), ==, 0);
  g_assert_cmpstr (comparison->only[1][0], ==, "kind");
  g_assert_cmpstr (comparison->both[0], ==, "a");
  /* Only the row with a = 5 and kind = y is decided otherwise. */
  g_assert_cmpuint (comparison->n_differ, ==, 1);
  g_assert_cmpuint (comparison->n_rows, ==, N_ROWS);
}

static void
test_numbers (Fixture       *self,
              gconstpointer  data)
{
  double one = 1;
  g_autoptr (MtRule) at_least = mt_rule_new_literal (find_literal (self, "a", 4, NULL), FALSE);
  MtTerm first[] = { { FALSE, 0, at_least, &one } };
  MtTerm second[] = { { TRUE, 0, NULL, &one } };
  g_autoptr (MtRuleSet) a = make_rules (MT_TASK_REGRESSION, 0, first, 1);
  g_autoptr (MtRuleSet) b = make_rules (MT_TASK_REGRESSION, 0, second, 1);
  g_autoptr (MtRuleSet) constant = make_rules (MT_TASK_REGRESSION, 2, NULL, 0);
  const MtCompared models[] = { { a, self->encoder, self->encoded }, { constant, self->encoder, self->encoded } };
  const MtCompared others[] = { { a, self->encoder, self->encoded }, { b, self->encoder, self->encoded } };
  g_autoptr (MtComparison) comparison = mt_compare_models (models, NULL, NULL);
  g_autoptr (MtComparison) numeric = mt_compare_models (others, NULL, NULL);

  g_assert_cmpfloat_with_epsilon (comparison->difference, 1.5, 1e-12);
  g_assert_cmpuint (comparison->shapes[1].n_columns, ==, 0);
  g_assert_cmpuint (comparison->shapes[1].longest, ==, 0);
  g_assert_cmpuint (numeric->shapes[1].n_columns, ==, 1);
  g_assert_cmpuint (numeric->shapes[1].n_rules, ==, 0);
}

static void
test_refusals (Fixture       *self,
               gconstpointer  data)
{
  static const guint32 few[] = { 0, 1, 2 };
  g_autoptr (MtEncoded) part = mt_encoded_take_rows (self->encoded, few, G_N_ELEMENTS (few));
  g_autoptr (MtRuleSet) a = make_rules (MT_TASK_BINARY, 0, NULL, 0);
  const MtCompared models[] = { { a, self->encoder, self->encoded }, { a, self->encoder, part } };
  const MtCompared same[] = { models[0], models[0] };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_compare_models (models, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (g_strstr_len (error->message, -1, "different rows"));
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_compare_models (same, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The rows on which they disagree, found one by one. */
static void
test_rows (Fixture       *self,
           gconstpointer  data)
{
  double one = 1, two = -3;
  g_autoptr (MtRule) at_least = mt_rule_new_literal (find_literal (self, "a", 4, NULL), FALSE);
  g_autoptr (MtRule) level = mt_rule_new_literal (find_literal (self, "kind", 0, "y"), FALSE);
  MtTerm terms[] = { { FALSE, 0, at_least, &one }, { FALSE, 0, level, &two } };

  for (guint t = 0; t < 2; t++)
    {
      MtTask task = t == 0 ? MT_TASK_BINARY : MT_TASK_REGRESSION;
      g_autoptr (MtRuleSet) a = make_rules (task, -0.5, terms, 1);
      g_autoptr (MtRuleSet) b = make_rules (task, -0.5, terms, 2);
      const MtCompared models[] = { { a, self->encoder, self->encoded }, { b, self->encoder, self->encoded } };
      g_autoptr (MtComparison) comparison = mt_compare_models (models, NULL, NULL);
      double scores[2][N_ROWS], last = INFINITY;
      gsize n = 0;

      mt_rule_set_score (a, self->encoded, scores[0]);
      mt_rule_set_score (b, self->encoded, scores[1]);
      for (guint r = 0; r < N_ROWS; r++)
        n += task == MT_TASK_BINARY ? (scores[0][r] > 0) != (scores[1][r] > 0) : scores[0][r] != scores[1][r];
      g_assert_cmpuint (comparison->n_differ, ==, n);
      g_assert_cmpuint (comparison->rows->len, ==, n);
      for (guint i = 0; i < comparison->rows->len; i++)
        {
          const MtRowDifference *row = &g_array_index (comparison->rows, MtRowDifference, i);

          for (guint m = 0; m < 2; m++)
            if (task == MT_TASK_BINARY)
              {
                g_assert_cmpuint (row->decided[m], ==, scores[m][row->row] > 0);
                g_assert_cmpfloat_with_epsilon (row->predictions[m], 1 / (1 + exp (-scores[m][row->row])), 1e-12);
              }
            else
              g_assert_cmpfloat (row->predictions[m], ==, scores[m][row->row]);
          g_assert_true (task == MT_TASK_BINARY || fabs (row->predictions[1] - row->predictions[0]) <= last);
          last = fabs (row->predictions[1] - row->predictions[0]);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  ADD ("/compare/classes", test_classes);
  ADD ("/compare/numbers", test_numbers);
  ADD ("/compare/rows", test_rows);
  ADD ("/compare/refusals", test_refusals);
#undef ADD
  return g_test_run ();
}
