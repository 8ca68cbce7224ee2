/* The scorecard says the same as the model: intercept, points of every column and interactions add up to the score of
 * every row, and each row is counted in one range of each column. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"

typedef struct {
  MtTable    *table;
  MtModel    *model;
  MtEncoded  *encoded;
  double     *values;
  MtRuleBook *book;
} Sample;

static void
sample_init (Sample   *sample,
             MtTask    task,
             gboolean  shaped,
             guint64   seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtTruth) truth = NULL;
  MtRuleBookParts parts = { NULL };

  sample->table = mt_test_sample_table (task, 500, seed);
  sample->model = (shaped ? mt_test_shaped_model : mt_test_sample_model) (task, sample->table, 24, seed + 1);
  sample->encoded = mt_encoder_apply (mt_model_get_encoder (sample->model), sample->table, NULL, 500, NULL, &error);
  g_assert_no_error (error);
  truth = mt_model_read_truth (sample->model, sample->table, "y", &error);
  g_assert_no_error (error);
  sample->values = g_new (double, truth->n_rows);
  for (gsize r = 0; r < truth->n_rows; r++)
    sample->values[r] = task == MT_TASK_REGRESSION ? truth->values[r] : truth->classes[r];
  parts.encoder = (MtEncoder *) mt_model_get_encoder (sample->model);
  parts.rules = (MtRuleSet *) mt_model_get_rules (sample->model);
  parts.target = "y";
  parts.classes = mt_model_get_info (sample->model)->classes;
  parts.encoded = sample->encoded;
  parts.values = sample->values;
  sample->book = mt_rule_book_new (&parts, NULL, NULL);
}

static void
sample_clear (Sample *sample)
{
  mt_rule_book_unref (sample->book);
  g_free (sample->values);
  mt_encoded_unref (sample->encoded);
  mt_model_unref (sample->model);
  mt_table_unref (sample->table);
}

/* By its text: what a person does with a card. */
static const MtScorecardRange *
find_by_text (const MtScorecardColumn *column,
              const char              *level)
{
  const MtScorecardRange *rest = NULL;

  for (guint i = 0; i < column->n_ranges; i++)
    {
      g_auto (GStrv) parts = g_strsplit (column->ranges[i].text, ", ", -1);

      if (g_strv_contains ((const char * const *) parts, level != NULL ? level : "missing") ||
          (level == NULL && strstr (column->ranges[i].text, "missing") != NULL))
        return &column->ranges[i];
      if (strstr (column->ranges[i].text, "any other value") != NULL)
        rest = &column->ranges[i];
    }
  return rest;
}

static const MtScorecardRange *
find_by_number (const MtScorecardColumn *column,
                double                   value)
{
  for (guint i = 0; i < column->n_ranges; i++)
    if (isnan (value) ? column->ranges[i].is_missing : value >= column->ranges[i].low && value < column->ranges[i].high)
      return &column->ranges[i];
  return isnan (value) ? &column->ranges[0] : NULL;     /* no condition is true of a missing number */
}

static void
check_row (const Sample      *sample,
           const MtScorecard *card,
           gsize              row,
           const double      *scores)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (sample->book);
  const MtRuleSet *rules = mt_rule_book_get_rules (sample->book);

  for (guint o = 0; o < mt_rule_set_get_n_outputs (rules); o++)
    {
      double score = mt_rule_set_get_bias (rules)[o];

      for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
        {
          const MtScorecardColumn *column = mt_scorecard_get_column (card, i);
          const MtColumn *cells = mt_table_find_column (sample->table, mt_encoder_get_column_name (encoder, column->column),
                                                        NULL);
          const MtScorecardRange *range;

          if (mt_column_get_store (cells) == MT_STORE_NUMBERS)
            {
              double value = mt_column_is_missing (cells, row) ? NAN : mt_column_get_number (cells, row);

              range = find_by_number (column, value);
              score += mt_scorecard_get_linear (card, i, o, value);
            }
          else
            range = find_by_text (column, mt_column_is_missing (cells, row) ? NULL : mt_column_get_level (cells, mt_column_get_code (cells, row)));
          g_assert_nonnull (range);
          score += range->points[o];
        }
      for (guint i = 0; i < mt_scorecard_get_n_interactions (card); i++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, mt_scorecard_get_interaction (card, i));
          g_autofree guint64 *plane = g_new (guint64, mt_encoded_get_n_words (sample->encoded));

          mt_rule_evaluate (term->rule, sample->encoded, 0, mt_encoded_get_n_words (sample->encoded), plane);
          score += mt_plane_get (plane, row) ? term->weights[o] : 0;
        }
      g_assert_cmpfloat_with_epsilon (score, scores[o * 500 + row], 1e-9 * (1 + fabs (score)));
    }
}

static void
check_card (MtTask   task,
            gboolean shaped,
            guint64  seed)
{
  g_autoptr (MtScorecard) card = NULL;
  g_autofree double *scores = NULL;
  Sample sample;

  sample_init (&sample, task, shaped, seed);
  card = mt_scorecard_new (sample.book);
  g_assert_cmpuint (mt_scorecard_get_n_columns (card), >, 1);
  g_assert_cmpuint (mt_scorecard_get_n_interactions (card), >, 1);
  scores = g_new (double, 500 * mt_rule_set_get_n_outputs (mt_rule_book_get_rules (sample.book)));
  mt_rule_set_score (mt_rule_book_get_rules (sample.book), sample.encoded, scores);
  for (gsize r = 0; r < 500; r++)
    check_row (&sample, card, r, scores);
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    {
      const MtScorecardColumn *column = mt_scorecard_get_column (card, i);
      gsize n = 0;

      for (guint k = 0; k < column->n_ranges; k++)
        n += column->ranges[k].n_rows;
      if (column->n_ranges > 1)
        g_assert_cmpuint (n, ==, 500);
      if (i > 0)
        g_assert_cmpfloat (column->spread, <=, mt_scorecard_get_column (card, i - 1)->spread);
    }
  sample_clear (&sample);
}

static void
test_adds_up (void)
{
  for (guint64 seed = 1; seed <= 12; seed++)
    for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
      check_card (task, seed % 2 == 0, 700 + seed);
}

/* Age ≥ 40 with +1 and Age ≥ 60 with +2: 0, +1, +3 on three ranges; the threshold 50 is no border. */
static void
test_sums_steps (void)
{
  double thresholds[] = { 40, 50, 60 };
  MtEncoderColumn age = { .name = (char *) "Age", .type = MT_TYPE_NUMBER, .thresholds = thresholds, .n_thresholds = 3,
                          .mean = 50, .sd = 10, .min = 20, .max = 90, .has_missing = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtEncoder) encoder = mt_encoder_new (&age, 1, &error);
  g_autoptr (MtRule) first = mt_rule_new_literal (0, FALSE);
  g_autoptr (MtRule) second = mt_rule_new_literal (2, FALSE);
  double one = 1, two = 2, bias = 0.5;
  MtTerm terms[] = { { .rule = first, .weights = &one }, { .rule = second, .weights = &two } };
  g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &bias, terms, 2, &error);
  const MtRuleBookParts parts = { .encoder = encoder, .rules = rules, .target = "y" };
  g_autoptr (MtRuleBook) book = mt_rule_book_new (&parts, NULL, NULL);
  g_autoptr (MtScorecard) card = mt_scorecard_new (book);
  const MtScorecardColumn *column;
  static const char * const texts[] = { "below 40", "40 to below 60", "60 or more", "missing" };
  static const double points[] = { 0, 1, 3, 0 };

  g_assert_no_error (error);
  g_assert_cmpuint (mt_scorecard_get_n_columns (card), ==, 1);
  g_assert_cmpuint (mt_scorecard_get_n_interactions (card), ==, 0);
  column = mt_scorecard_get_column (card, 0);
  g_assert_cmpuint (column->n_ranges, ==, 4);
  g_assert_cmpfloat (column->spread, ==, 3);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpstr (column->ranges[i].text, ==, texts[i]);
      g_assert_cmpfloat (column->ranges[i].points[0], ==, points[i]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scorecard/adds-up", test_adds_up);
  g_test_add_func ("/scorecard/sums-steps", test_sums_steps);
  return g_test_run ();
}
