/* One row under a model against mt_model_predict(), and the smallest change against exhaustive search. */
#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "draw/mt-layout-waterfall.h"
#include "model/mt-model.h"
#include "base/mt-random.h"
#include "explain/mt-what-if.h"
#include "sample-models.h"
#include "testutils.h"

enum { N_ROWS = 300, N_MODELS = 12, N_TRIES = 12, N_EXTRA = 6 };

typedef struct {
  MtTable *table;
  MtModel *model;
} Sample;

static void
sample_clear (Sample *self)
{
  mt_table_unref (self->table);
  mt_model_unref (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sample, sample_clear)

/* @numeric: with the sample's two numeric terms, or rules only. */
static Sample
make_sample (MtTask   task,
             guint64  seed,
             gboolean numeric)
{
  Sample self = { mt_test_sample_table (task, N_ROWS, seed), NULL };
  g_autoptr (MtModel) model = mt_test_sample_model (task, self.table, 4, seed);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (MtRuleSet) fewer = NULL;
  g_autoptr (GError) error = NULL;
  GArray *terms;

  if (numeric)
    {
      self.model = g_steal_pointer (&model);
      return self;
    }
  terms = g_array_new (FALSE, FALSE, sizeof (MtTerm));
  for (guint i = 0; i < mt_rule_set_get_n_terms (rules); i++)
    if (!mt_rule_set_get_term (rules, i)->is_numeric)
      g_array_append_vals (terms, mt_rule_set_get_term (rules, i), 1);
  fewer = mt_rule_set_new (task, mt_rule_set_get_n_outputs (rules), mt_rule_set_get_bias (rules),
                           (const MtTerm *) (gpointer) terms->data, terms->len, &error);
  g_assert_no_error (error);
  g_array_unref (terms);
  self.model = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), fewer, mt_model_get_info (model), &error);
  g_assert_no_error (error);
  return self;
}

static GArray *
read_row (const Sample *self,
          gsize         row)
{
  g_autoptr (GError) error = NULL;
  GArray *values = mt_raw_values_new_from_row (mt_model_get_encoder (self->model), self->table, row, &error);

  g_assert_no_error (error);
  return values;
}

/* Raw rows as a table, the way a file would give them. */
static MtTable *
make_table (const MtEncoder *encoder,
            GPtrArray       *rows)
{
  guint n_columns = mt_encoder_get_n_columns (encoder);
  g_autofree MtColumn **columns = g_new (MtColumn *, n_columns);

  for (guint c = 0; c < n_columns; c++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, c);
      g_autofree const char **levels = g_new0 (const char *, rows->len + 1);
      double *numbers = g_new (double, rows->len);

      for (guint r = 0; r < rows->len; r++)
        {
          const MtRawValue *value = &g_array_index ((GArray *) g_ptr_array_index (rows, r), MtRawValue, c);

          numbers[r] = value->is_missing ? NAN : value->number;
          levels[r] = value->is_missing ? NULL : value->level;
        }
      if (column->levels == NULL)
        columns[c] = mt_column_new_numbers (column->name, column->type, numbers, rows->len);
      else
        {
          columns[c] = mt_test_levels (column->name, column->type, levels, rows->len);
          g_free (numbers);
        }
    }
  return mt_table_new (columns, n_columns);
}

/* The class, or the side of the cutoff, of each row, by mt_model_predict(). */
static guint *
answer_rows (const MtModel *model,
             GPtrArray     *rows,
             double         cutoff)
{
  g_autoptr (MtTable) table = make_table (mt_model_get_encoder (model), rows);
  g_autofree double *predictions = g_new (double, mt_model_get_n_predictions (model) * rows->len);
  guint *answers = g_new (guint, rows->len);
  g_autoptr (GError) error = NULL;

  mt_model_predict (model, table, NULL, 0, predictions, NULL, &error);
  g_assert_no_error (error);
  for (guint r = 0; r < rows->len; r++)
    answers[r] = mt_model_get_task (model) == MT_TASK_REGRESSION ? predictions[r] >= cutoff
                                                                 : mt_model_decide (model, predictions, rows->len, r);
  return answers;
}

static GArray *
change_row (const GArray   *values,
            const MtChange *change)
{
  GArray *changed = mt_raw_values_copy (values);

  for (guint i = 0; i < change->n_steps; i++)
    mt_raw_values_set (changed, change->steps[i].column, &change->steps[i].value);
  return changed;
}

static void
add_number (GArray *out,
            double  number)
{
  MtRawValue value = { FALSE, number, NULL };

  g_array_append_val (out, value);
}

/* All values that could matter: both sides of every threshold, the ends of the range, every level,
 * missing; and some numbers between, for the numeric terms. */
static GArray *
list_values (const MtEncoderColumn *column,
             MtRandom              *random)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (MtRawValue));

  if (column->levels == NULL)
    {
      for (guint i = 0; i < column->n_thresholds; i++)
        {
          add_number (out, column->thresholds[i]);
          add_number (out, nextafter (column->thresholds[i], -INFINITY));
        }
      add_number (out, column->min);
      add_number (out, column->max);
      for (guint i = 0; i < N_EXTRA; i++)
        add_number (out, column->min + (column->max - column->min) * mt_random_double (random));
    }
  else
    for (guint k = 0; k < 2; k++)
      for (char **level = k == 0 ? column->levels : column->rest; *level != NULL; level++)
        {
          MtRawValue value = { FALSE, 0, *level };

          g_array_append_val (out, value);
        }
  if (column->has_missing)
    {
      MtRawValue value = { TRUE, 0, NULL };

      g_array_append_val (out, value);
    }
  return out;
}

/* As mt-what-if.h defines it, written again. */
static double
measure (const MtEncoderColumn *column,
         const MtRawValue      *from,
         const MtRawValue      *to)
{
  if (from->is_missing && to->is_missing)
    return 0;
  if (from->is_missing || to->is_missing)
    return 1;
  if (column->levels != NULL)
    return g_str_equal (from->level, to->level) ? 0 : 1;
  return fabs (from->number - to->number) / column->sd;
}

/* The distance of the nearest of all combinations that flips; infinite when none does. */
static double
search_all (const MtModel *model,
            const GArray  *values,
            double         cutoff,
            MtRandom      *random)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  guint n_columns = mt_encoder_get_n_columns (encoder);
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree guint *answers = NULL;
  double best = INFINITY, none = 0;

  for (guint c = 0; c < n_columns; c++)
    {
      GArray *list = list_values (mt_encoder_get_column (encoder, c), random);

      g_array_append_vals (list, &g_array_index (values, MtRawValue, c), 1);   /* no change */
      g_ptr_array_add (lists, list);
    }
  g_ptr_array_add (rows, mt_raw_values_copy (values));
  g_array_append_val (distances, none);
  for (guint a = 0; a < n_columns; a++)
    for (guint b = a + 1; b < n_columns; b++)
      {
        const GArray *of_a = g_ptr_array_index (lists, a), *of_b = g_ptr_array_index (lists, b);

        for (guint i = 0; i < of_a->len; i++)
          for (guint j = 0; j < of_b->len; j++)
            {
              MtChange change = { 2, { { a, g_array_index (of_a, MtRawValue, i) },
                                       { b, g_array_index (of_b, MtRawValue, j) } }, 0 };

              for (guint k = 0; k < 2; k++)
                change.distance += measure (mt_encoder_get_column (encoder, change.steps[k].column),
                                            &g_array_index (values, MtRawValue, change.steps[k].column),
                                            &change.steps[k].value);
              g_ptr_array_add (rows, change_row (values, &change));
              g_array_append_val (distances, change.distance);
            }
      }
  answers = answer_rows (model, rows, cutoff);
  for (guint r = 1; r < rows->len; r++)
    if (answers[r] != answers[0])
      best = MIN (best, g_array_index (distances, double, r));
  return best;
}

static void
test_scores (gconstpointer data)
{
  MtTask task = GPOINTER_TO_UINT (data);
  g_auto (Sample) sample = make_sample (task, 5, TRUE);
  const MtRuleSet *rules = mt_model_get_rules (sample.model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree double *predictions = g_new (double, n_outputs * N_ROWS);
  g_autoptr (GError) error = NULL;
  guint n_fired = 0;

  g_assert_true (mt_model_predict (sample.model, sample.table, NULL, 0, predictions, NULL, &error));
  for (gsize r = 0; r < N_ROWS; r++)
    {
      g_autoptr (GArray) values = read_row (&sample, r);
      g_autoptr (MtWhatIf) result = mt_what_if_new (mt_model_get_encoder (sample.model), rules, values, &error);

      g_assert_no_error (error);
      for (guint c = 0; c < n_outputs; c++)
        {
          double sum = mt_rule_set_get_bias (rules)[c];

          for (guint t = 0; t < result->n_terms; t++)
            sum += result->contributions[t * n_outputs + c];
          g_assert_cmpfloat (sum, ==, result->scores[c]);
          g_assert_cmpfloat (result->predictions[c], ==, predictions[c * N_ROWS + r]);
        }
      if (task != MT_TASK_REGRESSION)
        g_assert_cmpuint (result->decided, ==, mt_model_decide (sample.model, predictions, N_ROWS, r));
      for (guint t = 0; t < result->n_terms; t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);

          if (term->is_numeric)
            continue;
          n_fired += result->applies[t];
          g_assert_cmpfloat (result->contributions[t * n_outputs], ==, result->applies[t] ? term->weights[0] : 0);
        }
    }
  g_assert_cmpuint (n_fired, >, 0);
}

/* The table's numbers end behind so many digits, and what is proposed does too wherever that flips: one step
 * further out at most, and never the old answer. */
static void
check_rounded (const Sample *sample,
               const GArray *values,
               double        cutoff,
               guint         answer,
               const GArray *exact)
{
  static const guint one_digit[64] = { [0 ... 63] = 1 };
  const MtEncoder *encoder = mt_model_get_encoder (sample->model);
  g_autoptr (GArray) changes = g_array_copy ((GArray *) exact);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autofree guint *answers = NULL;

  mt_what_if_round_changes (encoder, mt_model_get_rules (sample->model), values, cutoff, one_digit, changes);
  g_assert_cmpuint (changes->len > 0, ==, exact->len > 0);
  for (guint k = 0; k < changes->len; k++)
    {
      const MtChange *change = &g_array_index (changes, MtChange, k);

      g_assert_cmpfloat (change->distance, >=, g_array_index (exact, MtChange, 0).distance);
      if (k > 0)
        g_assert_cmpfloat (g_array_index (changes, MtChange, k - 1).distance, <=, change->distance);
      g_ptr_array_add (rows, change_row (values, change));
    }
  if (rows->len > 0)
    answers = answer_rows (sample->model, rows, cutoff);
  for (guint k = 0; k < rows->len; k++)
    g_assert_cmpuint (answers[k], !=, answer);
}

/* How often a change was found, and how often two columns beat one. */
static void
check_changes (MtTask    task,
               gboolean  numeric,
               guint    *n_found,
               guint    *n_pairs)
{
  MtRandom random;

  mt_random_init (&random, 77);
  for (guint m = 0; m < N_MODELS; m++)
    {
      g_auto (Sample) sample = make_sample (task, 100 + m, numeric);
      const MtEncoder *encoder = mt_model_get_encoder (sample.model);

      for (guint i = 0; i < N_TRIES; i++)
        {
          g_autoptr (GArray) values = read_row (&sample, mt_random_below (&random, N_ROWS));
          g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
          g_autoptr (GError) error = NULL;
          double cutoff = mt_random_normal (&random);
          g_autoptr (GArray) changes = mt_what_if_find_changes (encoder, mt_model_get_rules (sample.model), values,
                                                                cutoff, NULL, &error);
          double nearest = search_all (sample.model, values, cutoff, &random);
          g_autofree guint *answers = NULL;

          g_assert_no_error (error);
          g_ptr_array_add (rows, mt_raw_values_copy (values));
          for (guint k = 0; k < changes->len; k++)
            {
              const MtChange *change = &g_array_index (changes, MtChange, k);
              double distance = 0;

              for (guint s = 0; s < change->n_steps; s++)
                distance += measure (mt_encoder_get_column (encoder, change->steps[s].column),
                                     &g_array_index (values, MtRawValue, change->steps[s].column),
                                     &change->steps[s].value);
              g_assert_cmpfloat_with_epsilon (change->distance, distance, 1e-12);
              if (k > 0)
                g_assert_cmpfloat (g_array_index (changes, MtChange, k - 1).distance, <=, change->distance);
              g_ptr_array_add (rows, change_row (values, change));
            }
          answers = answer_rows (sample.model, rows, cutoff);
          for (guint k = 1; k < rows->len; k++)
            g_assert_cmpuint (answers[k], !=, answers[0]);

          if (changes->len == 0)
            g_assert_true (isinf (nearest));
          else if (numeric)   /* the reference only samples the crossings: it is never nearer */
            g_assert_cmpfloat (g_array_index (changes, MtChange, 0).distance, <=, nearest + 1e-12);
          else
            g_assert_cmpfloat_with_epsilon (g_array_index (changes, MtChange, 0).distance, nearest, 1e-12);
          check_rounded (&sample, values, cutoff, answers[0], changes);
          *n_found += changes->len > 0;
          *n_pairs += changes->len > 0 && g_array_index (changes, MtChange, 0).n_steps == 2;
        }
    }
}

static void
test_changes (gconstpointer data)
{
  guint n_found = 0, n_pairs = 0;

  check_changes (GPOINTER_TO_UINT (data), FALSE, &n_found, &n_pairs);
  g_test_message ("%u changes, %u of them of two columns", n_found, n_pairs);
  g_assert_cmpuint (n_found, >, 20);
  g_assert_cmpuint (n_pairs, >, 0);
}

static void
test_changes_numeric (gconstpointer data)
{
  guint n_found = 0, n_pairs = 0;

  check_changes (GPOINTER_TO_UINT (data), TRUE, &n_found, &n_pairs);
  g_test_message ("%u changes, %u of them of two columns", n_found, n_pairs);
  g_assert_cmpuint (n_found, >, 20);
}

/* A numeric term crosses at a known place, and nothing before it flips. */
static void
test_crossing (void)
{
  static const double x[] = { 0, 1, 2, 3, 4 };
  static const char * const y[] = { "n", "n", "n", "p", "p" };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 5), mt_test_levels ("y", MT_TYPE_CATEGORY, y, 5) };
  g_autoptr (MtTable) table = mt_test_table (columns, 2, 1);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) changes = NULL;
  g_autofree guint *decimals = NULL;
  double bias = -1, weight = 2;
  MtTerm term = { TRUE, 0, NULL, &weight };
  const MtChange *change;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &term, 1, NULL);
  values = mt_raw_values_new_typical (encoder, table, NULL, 0, NULL);
  g_assert_cmpfloat (g_array_index (values, MtRawValue, 0).number, ==, 2);
  changes = mt_what_if_find_changes (encoder, rules, values, 0, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 1);
  change = &g_array_index (changes, MtChange, 0);
  g_assert_cmpuint (change->n_steps, ==, 1);
  /* -1 + 2 (x - 2) / sd = 0 */
  g_assert_cmpfloat_with_epsilon (change->distance, 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (change->steps[0].value.number,
                                  2 + mt_encoder_get_column (encoder, 0)->sd / 2, 1e-9);

  /* The data have whole numbers: 3 is the next, and -1 + 2 (3 - 2) / sd > 0. */
  decimals = mt_what_if_count_decimals (encoder, table);
  g_assert_cmpuint (decimals[0], ==, 0);
  mt_what_if_round_changes (encoder, rules, values, 0, decimals, changes);
  g_assert_cmpfloat (change->steps[0].value.number, ==, 3);
  g_assert_cmpfloat_with_epsilon (change->distance, 1 / mt_encoder_get_column (encoder, 0)->sd, 1e-12);
}

/* What would leave the range or flip no more keeps its digits; digits are counted as the file has them. */
static void
test_rounding (void)
{
  static const double x[] = { 0.25, 1, 2, 3, 3.5 }, z[] = { 1e-3, 120, 2.5e-7, 3, 4 };
  static const char * const y[] = { "n", "n", "n", "p", "p" };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 5), mt_test_numbers ("z", z, 5),
                          mt_test_levels ("y", MT_TYPE_CATEGORY, y, 5) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) changes = NULL;
  g_autofree guint *decimals = NULL;
  double bias, weight = 1;
  MtTerm term = { TRUE, 0, NULL, &weight };
  const MtChange *change;
  double exact;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  decimals = mt_what_if_count_decimals (encoder, table);
  g_assert_cmpuint (decimals[0], ==, 2);
  g_assert_cmpuint (decimals[1], ==, 8);
  values = mt_raw_values_new_typical (encoder, table, NULL, 0, NULL);
  /* It crosses at 3.4567: 3.46 by two digits; by none 4, which is beyond the largest. */
  bias = -(3.4567 - mt_encoder_get_column (encoder, 0)->mean) / mt_encoder_get_column (encoder, 0)->sd;
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &term, 1, NULL);
  changes = mt_what_if_find_changes (encoder, rules, values, 0, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 1);
  change = &g_array_index (changes, MtChange, 0);
  exact = change->steps[0].value.number;
  mt_what_if_round_changes (encoder, rules, values, 0, (const guint[]) { 0, 0 }, changes);
  g_assert_cmpfloat (change->steps[0].value.number, ==, exact);
  mt_what_if_round_changes (encoder, rules, values, 0, decimals, changes);
  g_assert_cmpfloat (change->steps[0].value.number, ==, 3.46);
}

static void
test_typical (void)
{
  static const double x[] = { 9, 1, NAN, 3, 2 };
  static const char * const k[] = { "b", "a", "c", "a", NULL }, *y[] = { "n", "n", "n", "p", "p" };
  static const guint32 some[] = { 0, 2, 4 };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 5), mt_test_levels ("k", MT_TYPE_CATEGORY, k, 5),
                          mt_test_levels ("y", MT_TYPE_CATEGORY, y, 5) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) few = NULL;
  g_autoptr (GArray) alone = NULL;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  all = mt_raw_values_new_typical (encoder, table, NULL, 0, NULL);
  few = mt_raw_values_new_typical (encoder, table, some, G_N_ELEMENTS (some), NULL);
  alone = mt_raw_values_new_typical (encoder, NULL, NULL, 0, NULL);
  g_assert_cmpfloat (g_array_index (all, MtRawValue, 0).number, ==, 2);
  g_assert_cmpstr (g_array_index (all, MtRawValue, 1).level, ==, "a");
  g_assert_cmpfloat (g_array_index (few, MtRawValue, 0).number, ==, 2);
  g_assert_cmpstr (g_array_index (few, MtRawValue, 1).level, ==, "b");
  g_assert_false (g_array_index (alone, MtRawValue, 0).is_missing);
  g_assert_cmpfloat (g_array_index (alone, MtRawValue, 0).number, ==, mt_encoder_get_column (encoder, 0)->mean);
  g_assert_nonnull (g_array_index (alone, MtRawValue, 1).level);
  /* The row that is most like it: x = 1 with the most frequent level; of the few the last, whose level is missing, is as
   * far as one with another level and the same x. */
  g_assert_cmpuint (mt_raw_values_find_typical (encoder, table, NULL, 0, NULL), ==, 1);
  g_assert_cmpuint (mt_raw_values_find_typical (encoder, table, some, G_N_ELEMENTS (some), NULL), ==, 2);
  g_assert_cmpuint (mt_raw_values_find_typical (encoder, table, some, 0, NULL), ==, G_MAXSIZE);
}

static double
seven_a_letter (const char *label,
                gpointer    data)
{
  return 7.0 * (double) g_utf8_strlen (label, -1);
}

/* Every bar begins where the one before ended, inside the plot, and the last tells the sum. */
static void
test_waterfall (void)
{
  MtRandom random;
  guint n_odds = 0;

  mt_random_init (&random, 9);
  for (guint i = 0; i < 200; i++)
    {
      guint n = 1 + (guint) mt_random_below (&random, 20);
      double width = 150 + 700 * mt_random_double (&random), reference = i % 2 == 0 ? 0 : mt_random_normal (&random);
      double sum = 0;
      g_autofree MtWaterfallStep *steps = g_new0 (MtWaterfallStep, n);
      g_autoptr (MtWaterfallLayout) layout = NULL;

      for (guint k = 0; k < n; k++)
        {
          steps[k].applies = k == 0 || mt_random_below (&random, 2) == 0;
          steps[k].amount = steps[k].applies ? mt_random_normal (&random) : 0;
        }
      layout = mt_waterfall_layout_new (steps, n, reference, i % 3 == 0, width, 27, 40, 30, '.', seven_a_letter, NULL);
      g_assert_true (i % 3 == 0 || layout->n_odds == 0);
      for (guint k = 0; k < layout->n_odds; k++)
        {
          const MtOddsTick *tick = &layout->odds[k];
          double score = log (tick->share / (1 - tick->share));

          g_assert_cmpfloat_with_epsilon (tick->x, layout->plot_x + layout->plot_width *
                                          mt_axis_position (&layout->axis, score), 1e-9);
          g_assert_cmpfloat (score, >=, layout->axis.low - 1e-9);
          g_assert_cmpfloat (score, <=, layout->axis.high + 1e-9);
          n_odds++;
          if (k > 0)
            g_assert_cmpfloat (tick[-1].x + 7 * 4, <=, tick->x);   /* labels of three letters or four */
        }
      g_assert_cmpuint (layout->n_lines, ==, n + 1);
      for (guint k = 0; k <= n; k++)
        {
          const MtWaterfallLine *line = &layout->lines[k];

          g_assert_cmpfloat (line->x, >=, layout->plot_x - 1e-6);
          g_assert_cmpfloat (line->x + line->width, <=, layout->plot_x + layout->plot_width + 1e-6);
          g_assert_cmpfloat (line->y + line->height, <=, layout->axis_y);
          g_assert_cmpint (mt_waterfall_layout_hit (layout, line->y + line->height / 2), ==, (int) k);
          if (k > 0 && k < n)
            g_assert_cmpfloat (line->from, ==, layout->lines[k - 1].to);
          if (k < n)
            {
              sum += steps[k].amount;
              g_assert_cmpfloat (line->to, ==, sum);
              g_assert_true (line->has_bar == steps[k].applies);
            }
        }
      g_assert_cmpfloat (layout->lines[n].from, ==, reference);
      g_assert_cmpfloat (layout->lines[n].to, ==, sum);
      g_assert_cmpint (mt_waterfall_layout_hit (layout, -1), ==, -1);
      g_assert_cmpint (mt_waterfall_layout_hit (layout, layout->axis_y), ==, -1);
    }
  g_assert_cmpuint (n_odds, >, 100);
}

static void
test_refusals (void)
{
  g_auto (Sample) sample = make_sample (MT_TASK_BINARY, 3, TRUE);
  const MtEncoder *encoder = mt_model_get_encoder (sample.model);
  const MtRuleSet *rules = mt_model_get_rules (sample.model);
  static const double x[] = { 1, 2 };
  MtColumn *columns[] = { mt_test_numbers ("a", x, 2) };
  g_autoptr (MtTable) other = mt_table_new (columns, 1);
  g_autoptr (GArray) values = read_row (&sample, 0);
  g_autoptr (GArray) few = mt_raw_values_copy (values);
  g_autoptr (MtRuleSet) huge = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  double bias = 0, weight = G_MAXDOUBLE;
  MtTerm numeric = { TRUE, 0, NULL, &weight };
  MtTerm beyond = { TRUE, 99, NULL, &weight };
  MtRawValue far = { FALSE, 1e300, NULL };
  g_autoptr (MtRuleSet) wrong = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &beyond, 1, NULL);

#define REFUSED(call, domain, code) \
  g_assert_null (call); \
  g_assert_error (error, domain, code); \
  g_clear_error (&error)
  g_array_set_size (few, 1);
  REFUSED (mt_what_if_new (encoder, rules, few, &error), MT_ERROR, MT_ERROR_PARAMS);
  REFUSED (mt_what_if_find_changes (encoder, rules, few, 0, NULL, &error), MT_ERROR, MT_ERROR_PARAMS);
  REFUSED (mt_what_if_new (encoder, wrong, values, &error), MT_ERROR, MT_ERROR_SCHEMA);
  REFUSED (mt_raw_values_new_from_row (encoder, other, 0, &error), MT_ERROR, MT_ERROR_SCHEMA);
  REFUSED (mt_raw_values_new_typical (encoder, other, NULL, 0, &error), MT_ERROR, MT_ERROR_SCHEMA);
  huge = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &numeric, 1, NULL);
  mt_raw_values_set (values, 0, &far);
  REFUSED (mt_what_if_new (encoder, huge, values, &error), MT_ERROR, MT_ERROR_NUMERIC);
  REFUSED (mt_what_if_find_changes (encoder, huge, values, 0, NULL, &error), MT_ERROR, MT_ERROR_NUMERIC);
  g_cancellable_cancel (cancellable);
  REFUSED (mt_what_if_find_changes (encoder, rules, values, 0, cancellable, &error), G_IO_ERROR,
           G_IO_ERROR_CANCELLED);
#undef REFUSED
}

/* The literal `column ≥ t` for the middle one of its thresholds, as a rule. */
static MtRule *
middle_rule (const MtEncoder *encoder,
             const char      *column)
{
  const MtCube cube = { 1, 1 };

  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtEncoderColumn *about = mt_encoder_get_column (encoder, mt_encoder_get_literal (encoder, l)->column);

      if (strcmp (about->name, column) == 0)
        {
          const guint input = l + about->n_thresholds / 2;

          return mt_rule_new (&input, 1, &cube, 1, (const guint64 *[MT_N_DONT_CARES]) { NULL }, TRUE, NULL);
        }
    }
  g_assert_not_reached ();
}

/* A derived value follows the columns that it is made of, also one that the model does not have; what it is made of is never proposed to
 * change, and nothing that is locked. */
static void
test_derived (void)
{
  g_autoptr (GString) csv = g_string_new ("income,loan,hidden,y\n");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRule) ratio = NULL;
  g_autoptr (MtRule) income = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) changes = NULL;
  g_autoptr (GArray) none = NULL;
  gboolean locked[4] = { FALSE, FALSE, TRUE, TRUE };
  const double bias = -1;
  double weights[] = { 3, .5 };
  MtTerm terms[2];
  MtImportOptions how = { .schema = schema };
  MtEncoderOptions options;
  const MtTable *table;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (csv, "%u,%u,%u,%s\n", 100 + i * 7 % 300, 1 + i * 13 % 90, i * 31 % 50, i % 2 ? "yes" : "no");
  bytes = g_string_free_to_bytes (g_steal_pointer (&csv));
  mt_schema_set_derived (schema, "ratio", "income / loan");
  mt_schema_set_derived (schema, "both", "income + hidden");
  mt_schema_set_role (schema, "hidden", MT_ROLE_IGNORED);
  import = mt_import_bytes (bytes, &how, NULL, &error);
  g_assert_no_error (error);
  table = mt_import_get_table (import);
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_encoder_get_n_columns (encoder), ==, 4);

  values = mt_raw_values_new_from_row (encoder, table, 1, &error);   /* 107, 14, and 31 that is hidden */
  g_assert_no_error (error);
  mt_raw_values_set (values, 0, &(MtRawValue) { FALSE, 280, NULL });
  mt_raw_values_derive (values, encoder, 0, table, 1);
  g_assert_cmpfloat (g_array_index (values, MtRawValue, 2).number, ==, 280.0 / 14);
  g_assert_cmpfloat (g_array_index (values, MtRawValue, 3).number, ==, 280.0 + 31);
  mt_raw_values_set (values, 0, &(MtRawValue) { FALSE, 140, NULL });
  mt_raw_values_derive (values, encoder, 0, NULL, 0);
  g_assert_cmpfloat (g_array_index (values, MtRawValue, 2).number, ==, 10);
  g_assert_cmpfloat (g_array_index (values, MtRawValue, 3).number, ==, 280.0 + 31);   /* nobody knows the hidden one */
  mt_raw_values_set (values, 1, &(MtRawValue) { FALSE, 0, NULL });
  mt_raw_values_derive (values, encoder, 1, NULL, 0);
  g_assert_true (g_array_index (values, MtRawValue, 2).is_missing);
  mt_raw_values_set (values, 1, &(MtRawValue) { FALSE, 90, NULL });
  mt_raw_values_derive (values, encoder, 1, NULL, 0);

  ratio = middle_rule (encoder, "ratio");
  income = middle_rule (encoder, "income");
  terms[0] = (MtTerm) { .rule = ratio, .weights = &weights[0] };
  terms[1] = (MtTerm) { .rule = income, .weights = &weights[1] };
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, terms, 2, &error);
  g_assert_no_error (error);
  changes = mt_what_if_find_changes (encoder, rules, values, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (changes->len, ==, 1);
  g_assert_cmpuint (g_array_index (changes, MtChange, 0).n_steps, ==, 1);
  g_assert_cmpuint (g_array_index (changes, MtChange, 0).steps[0].column, ==, 2);
  none = mt_what_if_find_changes_but (encoder, rules, values, 0, locked, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/what-if/derived", test_derived);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      static const struct { const char *name; GTestDataFunc func; } each[] = {
        { "scores-as-predict", test_scores },
        { "smallest-change-is-exhaustive", test_changes },
        { "smallest-change-with-numeric-terms", test_changes_numeric },
      };

      for (guint k = 0; k < G_N_ELEMENTS (each); k++)
        {
          g_autofree char *path = g_strdup_printf ("/what-if/%s/%s", mt_task_to_string (tasks[i]), each[k].name);

          g_test_add_data_func (path, GUINT_TO_POINTER (tasks[i]), each[k].func);
        }
    }
  g_test_add_func ("/what-if/crossing", test_crossing);
  g_test_add_func ("/what-if/rounding", test_rounding);
  g_test_add_func ("/what-if/typical", test_typical);
  g_test_add_func ("/what-if/waterfall", test_waterfall);
  g_test_add_func ("/what-if/refusals", test_refusals);
  return g_test_run ();
}
