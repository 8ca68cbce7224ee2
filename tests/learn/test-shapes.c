/* Which shapes of a number an encoder offers, and which of them the learner takes: one for each number. */
#include "config.h"

#include <math.h>

#include "encode/mt-encoder.h"
#include "base/mt-random.h"
#include "learn/mt-learn.h"
#include "rules/mt-rule-text.h"
#include "testutils.h"

#define N_ROWS 600

/* "skewed" acts per doubling, "heavy" within limits, "even" per unit. */
static MtTable *
make_table (void)
{
  double skewed[N_ROWS], heavy[N_ROWS], even[N_ROWS], y[N_ROWS];
  const MtColumnRole roles[] = { MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_TARGET };
  MtColumn *columns[4];
  g_autoptr (MtTable) table = NULL;
  MtRandom random;

  mt_random_init (&random, 8);
  for (guint i = 0; i < N_ROWS; i++)
    {
      skewed[i] = floor (exp (3 + 2 * mt_random_normal (&random)));
      heavy[i] = mt_random_double (&random) < 0.02 ? 400 * mt_random_normal (&random) : mt_random_normal (&random);
      even[i] = mt_random_double (&random);
      y[i] = log2 (1 + skewed[i]) + CLAMP (heavy[i], -2, 2) + 3 * even[i] + 0.1 * mt_random_normal (&random);
    }
  columns[0] = mt_test_numbers ("skewed", skewed, N_ROWS);
  columns[1] = mt_test_numbers ("heavy", heavy, N_ROWS);
  columns[2] = mt_test_numbers ("even", even, N_ROWS);
  columns[3] = mt_test_numbers ("y", y, N_ROWS);
  table = mt_table_new (columns, 4);
  return mt_table_with_roles (table, roles, NULL);
}

static void
test_offers (void)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (MtEncoder) plain = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncoderOptions options;
  MtShape shapes[MT_N_SHAPES];

  mt_encoder_options_init (&options);
  plain = mt_encoder_fit (table, NULL, 0, &options, NULL);
  g_assert_cmpuint (mt_encoder_get_n_numeric (plain), ==, 3);
  options.shapes = TRUE;
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  encoded = mt_encoder_apply (encoder, table, NULL, 0, NULL, NULL);
  g_assert_cmpuint (mt_encoder_column_get_shapes (mt_encoder_get_column (encoder, 0), shapes), ==, 3);
  g_assert_cmpuint (mt_encoder_column_get_shapes (mt_encoder_get_column (encoder, 1), shapes), ==, 3);
  /* Of even numbers between 0 and 1 a logarithm is nearly a line, and clipping takes nearly nothing. */
  g_assert_cmpuint (mt_encoder_column_get_shapes (mt_encoder_get_column (encoder, 2), shapes), ==, 1);
  for (guint u = 0; u < mt_encoder_get_n_numeric (encoder); u++)
    {
      const MtUnary *unary = mt_encoder_get_numeric (encoder, u);
      const double *x = mt_encoded_get_numeric (encoded, u);
      double sum = 0, squares = 0;

      g_assert_cmpuint (unary->numeric, ==, u);
      g_assert_true (mt_encoded_is_plain (encoded, u) == (unary->shape == MT_SHAPE_PLAIN));
      for (guint r = 0; r < N_ROWS; r++)
        {
          sum += x[r];
          squares += x[r] * x[r];
        }
      g_assert_cmpfloat_with_epsilon (sum / N_ROWS, 0, 1e-9);
      g_assert_cmpfloat_with_epsilon (squares / N_ROWS, 1, 1e-9);
    }
}

static void
test_learns (void)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (MtLearned) learned = NULL;
  g_autoptr (GError) error = NULL;
  MtLearnOptions options;
  gboolean has_log = FALSE, has_clipped = FALSE;

  mt_learn_options_init (&options);
  options.frontier.n_folds = 0;
  learned = mt_learn_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint p = 0; p < mt_frontier_get_n_points (learned->frontier); p++)
    {
      const MtRuleSet *rules = mt_frontier_get_point (learned->frontier, p)->rules;
      guint seen = 0;

      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);
          const MtUnary *unary = term->is_numeric ? mt_term_get_unary (term, learned->encoder) : NULL;

          if (unary == NULL)
            continue;
          /* A model has a number in one shape only. */
          g_assert_cmpuint (seen & 1u << unary->column, ==, 0);
          seen |= 1u << unary->column;
          if (mt_rule_set_get_complexity (rules) == 4)
            {
              has_log |= unary->column == 0 && unary->shape == MT_SHAPE_LOG;
              has_clipped |= unary->column == 1 && unary->shape == MT_SHAPE_CLIPPED;
            }
        }
    }
  g_assert_true (has_log);
  g_assert_true (has_clipped);
}

/* Plain terms only, or none, where that is asked for. */
static void
test_setting (void)
{
  g_autoptr (MtTable) table = make_table ();

  for (guint how = 0; how < 2; how++)
    {
      g_autoptr (MtLearned) learned = NULL;
      g_autoptr (GError) error = NULL;
      MtLearnOptions options;
      guint n_numeric = 0;

      mt_learn_options_init (&options);
      options.frontier.n_folds = 0;
      options.linear_terms = how == 0 ? MT_LINEAR_TERMS_NONE : MT_LINEAR_TERMS_PLAIN;
      learned = mt_learn_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (mt_encoder_get_n_numeric (learned->encoder), ==, 3);
      for (guint p = 0; p < mt_frontier_get_n_points (learned->frontier); p++)
        {
          const MtRuleSet *rules = mt_frontier_get_point (learned->frontier, p)->rules;

          for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
            n_numeric += mt_rule_set_get_term (rules, t)->is_numeric;
        }
      g_assert_true ((n_numeric > 0) == (how == 1));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shapes/offers", test_offers);
  g_test_add_func ("/shapes/learns", test_learns);
  g_test_add_func ("/shapes/setting", test_setting);
  return g_test_run ();
}
