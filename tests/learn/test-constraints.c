/* Constraints are kept by every model on the way, not only by the one that is chosen. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rules/mt-constraints.h"
#include "base/mt-error.h"
#include "model/mt-learn-model.h"
#include "logic/mt-monotone.h"
#include "base/mt-random.h"
#include "logic/mt-truth-table.h"
#include "testutils.h"

/* --- tables --- */

static gboolean
keeps_to (guint          n,
          const guint64 *table,
          guint32        up,
          guint32        down)
{
  for (guint32 v = 0; v < 1u << n; v++)
    for (guint i = 0; i < n; i++)
      {
        guint32 with = v | 1u << i, without = with ^ 1u << i;

        if ((up >> i & 1) && mt_truth_table_get (table, without) && !mt_truth_table_get (table, with))
          return FALSE;
        if ((down >> i & 1) && mt_truth_table_get (table, with) && !mt_truth_table_get (table, without))
          return FALSE;
      }
  return TRUE;
}

static double
cost_of (guint          n,
         const double  *gains,
         const guint64 *table)
{
  double sum = 0;

  for (guint32 v = 0; v < 1u << n; v++)
    sum += mt_truth_table_get (table, v) ? gains[v] : 0;
  return sum;
}

/* All 65,536 tables of four inputs know which is best. */
static void
test_best_table (void)
{
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint n = 1; n <= 4; n++)
    for (guint trial = 0; trial < (n < 4 ? 300 : 12); trial++)
      {
        guint32 up = mt_random_below (&random, 1u << n), down = mt_random_below (&random, 1u << n);
        double gains[16], best = 0;
        guint64 table;

        for (guint v = 0; v < 1u << n; v++)
          gains[v] = mt_random_below (&random, 4) == 0 ? 0 : mt_random_normal (&random);
        mt_monotone_best (n, gains, up, down, &table);
        g_assert_true (keeps_to (n, &table, up, down));
        g_assert_true (mt_monotone_is (n, &table, up, down));
        for (guint64 other = 0; other < (guint64) 1 << (1u << n); other++)
          {
            gboolean fits = keeps_to (n, &other, up, down);

            g_assert_true (mt_monotone_is (n, &other, up, down) == fits);
            if (fits)
              best = MIN (best, cost_of (n, gains, &other));
          }
        g_assert_cmpfloat (cost_of (n, gains, &table), <=, best + 1e-12);
      }
}

static void
test_best_large_table (void)
{
  MtRandom random;

  mt_random_init (&random, 2);
  for (guint trial = 0; trial < 50; trial++)
    {
      guint n = 5 + mt_random_below (&random, 4);
      double gains[256];
      guint64 table[4], ours[4];

      for (guint v = 0; v < 1u << n; v++)
        gains[v] = mt_random_normal (&random);
      mt_monotone_best (n, gains, 0x55, 0xaa, table);
      g_assert_true (keeps_to (n, table, 0x55, 0xaa));
      /* No single assignment can be turned for the better. */
      for (guint32 v = 0; v < 1u << n; v++)
        {
          memcpy (ours, table, sizeof ours);
          mt_truth_table_set (ours, v, !mt_truth_table_get (ours, v));
          if (keeps_to (n, ours, 0x55, 0xaa))
            g_assert_cmpfloat (cost_of (n, gains, ours), >=, cost_of (n, gains, table) - 1e-12);
        }
      mt_monotone_best (n, gains, 0xff, 0xff, table);
      g_assert_true (mt_truth_table_is_false (n, table) || mt_truth_table_is_true (n, table));
    }
}

/* What may be true is exactly what is true in some table that fits. */
static void
test_freedom (void)
{
  MtRandom random;
  guint n_possible = 0;

  mt_random_init (&random, 3);
  for (guint trial = 0; trial < 400; trial++)
    {
      guint64 dc = mt_random_below (&random, 256), on = mt_random_below (&random, 256) & ~dc, left = dc, may = 0;
      guint32 up = mt_random_below (&random, 8), down = mt_random_below (&random, 8);
      gboolean possible = FALSE;

      for (guint64 table = 0; table < 256; table++)
        if ((table & ~dc) == on && keeps_to (3, &table, up, down))
          {
            possible = TRUE;
            may |= table;
          }
      g_assert_true (mt_monotone_free (3, &on, &left, up, down) == possible);
      if (possible)
        g_assert_cmphex (left, ==, may & dc);
      n_possible += possible;
    }
  g_assert_cmpuint (n_possible, >, 100);
  g_assert_cmpuint (n_possible, <, 390);
}

/* --- learning --- */

enum { N_COLUMNS = 4, N_ROWS = 700 };

static const char * const names[N_COLUMNS + 1] = { "hill", "valley", "slope=1", "colour", "y" };

/* A target that goes up and down in every column, alone and together, so that whoever is free to
 * follow it will. */
static MtTable *
make_table (MtTask  task,
            gsize   n_rows,
            guint64 seed)
{
  static const char * const colours[] = { "red", "green", "blue" };
  g_autofree double *x = g_new (double, 3 * n_rows);
  g_autofree const char **colour = g_new (const char *, n_rows);
  g_autofree double *target = g_new (double, n_rows);
  g_autofree const char **answer = g_new (const char *, n_rows);
  MtColumn *columns[N_COLUMNS + 1];
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize r = 0; r < n_rows; r++)
    {
      double a = mt_random_normal (&random), b = mt_random_normal (&random), c = mt_random_normal (&random);
      double score;

      colour[r] = colours[mt_random_below (&random, 3)];
      score = (fabs (a) < .7 ? 1.5 : -.5) + (fabs (b) > .8 ? 1 : -.8) * (a > 0 ? 1.3 : -.4) +
              (c > .3 && colour[r] != colours[0] ? -2 : .5) + (c < -.5 ? 1 : 0) + .5 * mt_random_normal (&random);
      target[r] = 20 + 3 * score;
      answer[r] = task == MT_TASK_MULTICLASS ? (score < 0 ? "low" : score < 1.5 ? "mid" : "high")
                                             : score > .6 ? "yes" : "no";
      x[r] = mt_random_below (&random, 12) == 0 ? NAN : a;
      x[n_rows + r] = b;
      x[2 * n_rows + r] = c;
    }
  for (guint i = 0; i < 3; i++)
    columns[i] = mt_test_numbers (names[i], x + i * n_rows, n_rows);
  columns[3] = mt_test_levels (names[3], MT_TYPE_CATEGORY, colour, n_rows);
  columns[4] = task == MT_TASK_REGRESSION ? mt_test_numbers (names[4], target, n_rows)
                                          : mt_test_levels (names[4], MT_TYPE_CATEGORY, answer, n_rows);
  return mt_test_table (columns, N_COLUMNS + 1, N_COLUMNS);
}

static MtLearned *
learn (const MtTable       *table,
       const MtConstraints *constraints,
       guint                n_restarts,
       MtDontCareMode       mode)
{
  g_autoptr (GError) error = NULL;
  MtLearnOptions options;
  MtLearned *learned;

  mt_learn_options_init (&options);
  options.constraints = constraints;
  options.encoder.bits = 6;
  options.frontier.n_folds = 0;
  options.frontier.n_restarts = n_restarts;
  options.frontier.train.n_nodes = 12;
  options.frontier.train.max_epochs = 5;
  options.frontier.refine.dont_care = mode;
  /* Every conjunction is kept, lucky or not: the more rules, the more there is to check. */
  options.frontier.refine.chance = 0;
  learned = mt_learn_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return learned;
}

/* Pairs of rows that differ in one column only, which is greater in the second. How many times does
 * the score of @rules move against @direction? */
static guint
count_wrong_moves (const MtEncoder *encoder,
                   const MtRuleSet *rules,
                   guint            column,
                   int              direction)
{
  enum { N = 400 };
  static const char * const colours[] = { "red", "green", "blue", "never seen" };
  double x[2][3][N], scores[2][N];
  const char *colour[N];
  MtRandom random;
  guint n_wrong = 0;

  mt_random_init (&random, 77 + column);
  for (guint r = 0; r < N; r++)
    {
      colour[r] = colours[mt_random_below (&random, 4)];
      for (guint i = 0; i < 3; i++)
        x[0][i][r] = x[1][i][r] = i != column && mt_random_below (&random, 10) == 0 ? NAN : 2 * mt_random_normal (&random);
      x[1][column][r] += mt_random_below (&random, 20) == 0 ? INFINITY : fabs (mt_random_normal (&random));
    }
  for (guint k = 0; k < 2; k++)
    {
      MtColumn *columns[N_COLUMNS];
      g_autoptr (MtTable) table = NULL;
      g_autoptr (MtEncoded) encoded = NULL;

      for (guint i = 0; i < 3; i++)
        columns[i] = mt_test_numbers (names[i], x[k][i], N);
      columns[3] = mt_test_levels (names[3], MT_TYPE_CATEGORY, colour, N);
      table = mt_test_table (columns, N_COLUMNS, -1);
      encoded = mt_encoder_apply (encoder, table, NULL, 0, NULL, NULL);
      mt_rule_set_score (rules, encoded, scores[k]);
    }
  for (guint r = 0; r < N; r++)
    n_wrong += (scores[1][r] - scores[0][r]) * direction < -1e-9 * (1 + fabs (scores[0][r]));
  return n_wrong;
}

static gboolean
has_negation (const MtRuleSet *rules)
{
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;

      for (guint c = 0; rule != NULL && c < mt_rule_get_n_cubes (rule); c++)
        if (mt_rule_get_cubes (rule)[c].value != mt_rule_get_cubes (rule)[c].mask)
          return TRUE;
    }
  return FALSE;
}

/* Returns how many rules of several inputs it saw. */
static guint
check_all (const MtLearned     *learned,
           const MtConstraints *constraints)
{
  GPtrArray *visited = mt_frontier_get_visited (learned->frontier);
  guint n_multi = 0;

  for (guint i = 0; i < visited->len; i++)
    {
      const MtRuleSet *rules = ((MtPathModel *) visited->pdata[i])->rules;
      g_autoptr (GError) error = NULL;

      mt_constraints_check_rules (constraints, learned->encoder, rules, &error);
      g_assert_no_error (error);
      for (guint c = 0; c < 3; c++)
        {
          int direction = mt_constraints_get_direction (constraints, names[c]);

          if (direction != 0)
            g_assert_cmpuint (count_wrong_moves (learned->encoder, rules, c, direction), ==, 0);
        }
      if (mt_constraints_get_no_negation (constraints))
        g_assert_false (has_negation (rules));
      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        n_multi += !mt_rule_set_get_term (rules, t)->is_numeric &&
                   mt_rule_get_n_inputs (mt_rule_set_get_term (rules, t)->rule) > 1;
    }
  g_assert_cmpuint (visited->len, >, 5);
  return n_multi;
}

static void
test_directions (gconstpointer data)
{
  MtTask task = (MtTask) GPOINTER_TO_INT (data);
  g_autoptr (MtTable) table = make_table (task, N_ROWS, 5);
  MtRandom random;
  guint n_multi = 0;

  mt_random_init (&random, 6);
  for (guint trial = 0; trial < 6; trial++)
    {
      g_autoptr (MtConstraints) constraints = mt_constraints_new ();
      g_autoptr (MtLearned) learned = NULL;

      for (guint c = 0; c < 3; c++)
        mt_constraints_set_direction (constraints, names[c],
                                      trial == 0 ? MT_DIRECTION_RISING : (MtDirection) mt_random_below (&random, 3) - 1);
      mt_constraints_set_no_negation (constraints, trial >= 4);
      learned = learn (table, constraints, trial == 2 || trial == 5, (MtDontCareMode) (trial % 3));
      n_multi += check_all (learned, constraints);
    }
  g_assert_cmpuint (n_multi, >, 50);
}

/* The same data without constraints break every one of them: the checks above can fail. */
static void
test_free_models_do_otherwise (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_BINARY, N_ROWS, 5);
  g_autoptr (MtLearned) learned = learn (table, NULL, 0, MT_DONT_CARE_MODE_UNSEEN);
  const MtPathModel *first = g_ptr_array_index (mt_frontier_get_visited (learned->frontier), 0);

  for (guint c = 0; c < 3; c++)
    for (int direction = -1; direction <= 1; direction += 2)
      {
        g_autoptr (MtConstraints) constraints = mt_constraints_new ();
        g_autoptr (GError) error = NULL;

        g_assert_cmpuint (count_wrong_moves (learned->encoder, first->rules, c, direction), >, 0);
        mt_constraints_set_direction (constraints, names[c], (MtDirection) direction);
        g_assert_false (mt_constraints_check_rules (constraints, learned->encoder, first->rules, &error));
        g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
        g_assert_nonnull (strstr (error->message, "breaks a constraint"));
      }
  {
    g_autoptr (MtConstraints) constraints = mt_constraints_new ();
    g_autoptr (GError) error = NULL;

    g_assert_true (has_negation (first->rules));
    mt_constraints_set_no_negation (constraints, TRUE);
    g_assert_false (mt_constraints_check_rules (constraints, learned->encoder, first->rules, &error));
    g_assert_nonnull (strstr (error->message, "contains a “not” condition"));
  }
}

static void
test_no_negation_of_classes (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_MULTICLASS, N_ROWS, 8);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (MtLearned) learned = NULL;

  mt_constraints_set_no_negation (constraints, TRUE);
  learned = learn (table, constraints, 0, MT_DONT_CARE_MODE_UNSEEN);
  g_assert_cmpuint (check_all (learned, constraints), >, 10);
}

static void
test_banned (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_BINARY, N_ROWS, 9);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (MtLearned) learned = NULL;

  mt_constraints_set_banned (constraints, "valley", TRUE);
  mt_constraints_set_banned (constraints, "colour", TRUE);
  learned = learn (table, constraints, 1, MT_DONT_CARE_MODE_UNSEEN);
  g_assert_cmpuint (mt_encoder_get_n_columns (learned->encoder), ==, 2);
  g_assert_cmpstr (mt_encoder_get_column_name (learned->encoder, 0), ==, "hill");
  g_assert_cmpstr (mt_encoder_get_column_name (learned->encoder, 1), ==, "slope=1");
}

/* --- what cannot be asked --- */

static void
expect_refusal (MtTask       task,
                const char  *banned,
                const char  *directed,
                const char  *part)
{
  g_autoptr (MtTable) table = make_table (task, 60, 1);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (GError) error = NULL;
  MtLearnOptions options;

  if (banned != NULL)
    mt_constraints_set_banned (constraints, banned, TRUE);
  if (directed != NULL)
    mt_constraints_set_direction (constraints, directed, MT_DIRECTION_RISING);
  mt_learn_options_init (&options);
  options.constraints = constraints;
  g_assert_null (mt_learn_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, directed != NULL ? directed : banned));
}

static void
test_refusals (void)
{
  expect_refusal (MT_TASK_BINARY, "absent", NULL, "there is no column “absent” to exclude");
  expect_refusal (MT_TASK_BINARY, NULL, "absent", "there is no column “absent” to constrain");
  expect_refusal (MT_TASK_BINARY, "y", NULL, "is the target");
  expect_refusal (MT_TASK_BINARY, NULL, "y", "is the target");
  expect_refusal (MT_TASK_BINARY, "hill", "hill", "is excluded");
  expect_refusal (MT_TASK_BINARY, NULL, "colour", "read as a category");
  expect_refusal (MT_TASK_MULTICLASS, NULL, "hill", "more than two classes");
}

/* --- in a file --- */

static MtModel *
make_model (const MtLearned     *learned,
            const MtConstraints *constraints,
            GError             **error)
{
  const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, mt_frontier_get_selected (learned->frontier));
  const char *classes[] = { "no", "yes", NULL };
  MtModelInfo info;

  mt_model_info_init (&info);
  info.target = "y";
  info.classes = classes;
  info.constraints = constraints;
  return mt_model_new (learned->encoder, point->rules, &info, error);
}

static void
test_model_file (void)
{
  g_autoptr (MtTable) table = make_table (MT_TASK_BINARY, N_ROWS, 11);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (MtConstraints) other = NULL;
  g_autoptr (MtLearned) learned = NULL;
  g_autoptr (MtLearned) unlimited = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtModel) again = NULL;
  g_autoptr (MtModel) plain = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *back = NULL;
  g_autofree char *plain_json = NULL;
  g_autofree char *text = NULL;
  gsize length;

  mt_constraints_set_direction (constraints, "slope=1", MT_DIRECTION_FALLING);
  mt_constraints_set_direction (constraints, "hill", MT_DIRECTION_RISING);
  mt_constraints_set_banned (constraints, "valley", TRUE);
  mt_constraints_set_no_negation (constraints, TRUE);
  learned = learn (table, constraints, 0, MT_DONT_CARE_MODE_UNSEEN);
  model = make_model (learned, constraints, &error);
  g_assert_no_error (error);
  json = mt_model_to_json (model, &length);
  again = mt_model_from_json (json, length, &error);
  g_assert_no_error (error);
  back = mt_model_to_json (again, NULL);
  g_assert_cmpstr (json, ==, back);
  text = mt_constraints_dup_text (mt_model_get_info (again)->constraints);
  g_assert_cmpstr (text, ==, "rising in “hill”, falling in “slope=1”, without “valley”, no negated literals");

  /* A file says nothing about constraints when there are none, as before there were any. */
  other = mt_constraints_new ();
  plain = make_model (learned, other, &error);
  g_assert_no_error (error);
  plain_json = mt_model_to_json (plain, NULL);
  g_assert_null (strstr (plain_json, "constraints"));

  /* And it does not claim what is not so. */
  unlimited = learn (table, NULL, 0, MT_DONT_CARE_MODE_UNSEEN);
  g_clear_pointer (&model, mt_model_unref);
  model = make_model (unlimited, constraints, &error);
  g_assert_null (model);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "exclude column “valley”"));
}

static void
test_setters (void)
{
  g_autoptr (MtConstraints) a = mt_constraints_new ();
  g_autoptr (MtConstraints) b = NULL;

  g_assert_true (mt_constraints_is_empty (a));
  mt_constraints_set_banned (a, "z", TRUE);
  mt_constraints_set_direction (a, "m", MT_DIRECTION_FALLING);
  mt_constraints_set_direction (a, "m", MT_DIRECTION_RISING);
  mt_constraints_set_banned (a, "b", TRUE);
  b = mt_constraints_copy (a);
  g_assert_true (mt_constraints_is_banned (b, "z") && mt_constraints_is_banned (b, "b"));
  g_assert_false (mt_constraints_is_banned (b, "m"));
  g_assert_cmpint (mt_constraints_get_direction (b, "m"), ==, MT_DIRECTION_RISING);
  mt_constraints_set_direction (b, "m", MT_DIRECTION_FREE);
  g_assert_cmpint (mt_constraints_get_direction (a, "m"), ==, MT_DIRECTION_RISING);
  mt_constraints_set_banned (b, "z", FALSE);
  mt_constraints_set_banned (b, "b", FALSE);
  g_assert_true (mt_constraints_is_empty (b));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constraints/best-table", test_best_table);
  g_test_add_func ("/constraints/best-large-table", test_best_large_table);
  g_test_add_func ("/constraints/freedom", test_freedom);
  g_test_add_func ("/constraints/setters", test_setters);
  g_test_add_data_func ("/constraints/directions/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_directions);
  g_test_add_data_func ("/constraints/directions/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_directions);
  g_test_add_func ("/constraints/free-models-do-otherwise", test_free_models_do_otherwise);
  g_test_add_func ("/constraints/no-negation-of-classes", test_no_negation_of_classes);
  g_test_add_func ("/constraints/banned", test_banned);
  g_test_add_func ("/constraints/refusals", test_refusals);
  g_test_add_func ("/constraints/model-file", test_model_file);
  return g_test_run ();
}
