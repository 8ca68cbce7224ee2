/* What the baselines say of one part, with answers that can be worked out by hand: the mean, a straight line, a table of
 * levels, and trees that grow. */
#include "config.h"

#include <math.h>

#include "learn/mt-baselines-private.h"
#include "base/mt-random.h"

enum { N_REST = 120, N_HELD = 60 };

/* Four thresholds and missing cells, two levels and missing cells, two thresholds; and a number beside them. */
static const MtGroup groups[] = {
  { MT_GROUP_THERMOMETER, 0, 0, 5, TRUE },
  { MT_GROUP_ONE_HOT, 1, 5, 3, TRUE },
  { MT_GROUP_THERMOMETER, 2, 8, 2, FALSE },
};

typedef double (*TargetFunc) (guint8 level, double number, MtRandom *random);

static MtEncoded *
make_rows (MtRandom   *random,
           gsize       n_rows,
           TargetFunc  target_of,
           double     *target)
{
  g_autofree guint8 *codes = g_malloc (G_N_ELEMENTS (groups) * n_rows);
  g_autofree double *numbers = g_new (double, n_rows);

  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (gsize r = 0; r < n_rows; r++)
      codes[g * n_rows + r] = (guint8) mt_random_below (random, mt_group_get_n_codes (&groups[g]));
  for (gsize r = 0; r < n_rows; r++)
    {
      numbers[r] = mt_random_normal (random);
      target[r] = target_of (codes[n_rows + r], numbers[r], random);
    }
  return mt_encoded_new (groups, G_N_ELEMENTS (groups), codes, numbers, 1, n_rows);
}

typedef struct {
  MtBaselineRun  run;
  MtBaselinePart part;
  double         target[N_REST], held_target[N_HELD];
} Judged;

static void
judge (Judged     *self,
       MtTask      task,
       guint       n_outputs,
       TargetFunc  target_of,
       gboolean    is_held)
{
  MtRandom random;

  mt_random_init (&random, 21);
  *self = (Judged) { .run = { .task = task, .n_outputs = n_outputs, .n_parts = 1 } };
  self->run.parts = &self->part;
  self->part.rest = make_rows (&random, N_REST, target_of, self->target);
  self->part.held = is_held ? make_rows (&random, N_HELD, target_of, self->held_target) : NULL;
  self->part.sample = self->part.rest;
  self->part.target = self->part.sample_target = self->target;
  self->part.held_target = self->held_target;
  self->part.n_sample = N_REST;
  self->part.trees = g_array_new (FALSE, FALSE, sizeof (MtTreeSize));
  _mt_baseline_judge_simple (0, 0, &self->run);
  g_assert_no_error (self->part.error);
}

static void
judged_clear (Judged *self)
{
  mt_encoded_unref (self->part.rest);
  g_clear_pointer (&self->part.held, mt_encoded_unref);
  g_array_unref (self->part.trees);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Judged, judged_clear)

static double
line (guint8    level,
      double    number,
      MtRandom *random)
{
  return 7 + 3 * number + (level == 2 ? 5 : 0);
}

static double
by_level (guint8    level,
          double    number,
          MtRandom *random)
{
  return level == 1;
}

static double
three_classes (guint8    level,
               double    number,
               MtRandom *random)
{
  return level % 3;
}

static double
chance (guint8    level,
        double    number,
        MtRandom *random)
{
  return (double) mt_random_below (random, 2);
}

/* Numbers, all levels, and the literals of missing cells; no threshold. */
static void
test_count (void)
{
  double target[N_REST];
  MtRandom random;
  g_autoptr (MtEncoded) encoded = NULL;

  mt_random_init (&random, 1);
  encoded = make_rows (&random, N_REST, line, target);
  g_assert_cmpuint (_mt_baseline_count_unary (encoded), ==, 1 + 3 + 1);
}

/* The mean explains nothing of the rows that it is of, and less than nothing of others; a line explains a line. */
static void
test_line (void)
{
  g_auto (Judged) it;
  double mean = 0, held_mean = 0, around_mean = 0, around_held = 0;

  judge (&it, MT_TASK_REGRESSION, 1, line, TRUE);
  for (guint r = 0; r < N_REST; r++)
    mean += it.target[r] / N_REST;
  for (guint r = 0; r < N_HELD; r++)
    held_mean += it.held_target[r] / N_HELD;
  for (guint r = 0; r < N_HELD; r++)
    {
      around_mean += (it.held_target[r] - mean) * (it.held_target[r] - mean);
      around_held += (it.held_target[r] - held_mean) * (it.held_target[r] - held_mean);
    }
  g_assert_cmpfloat_with_epsilon (it.part.intercept_train, 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (it.part.intercept, 1 - around_mean / around_held, 1e-9);
  g_assert_cmpfloat (it.part.intercept, <, 0);
  g_assert_cmpfloat (it.part.linear_train, >, 0.99);
  g_assert_cmpfloat (it.part.linear, >, 0.99);
}

/* What is the same for all rows orders none of them; a level that decides is found by line and tree. */
static void
test_levels (void)
{
  static const struct { MtTask task; guint n_outputs; TargetFunc target; } cases[] = {
    { MT_TASK_BINARY, 1, by_level }, { MT_TASK_MULTICLASS, 3, three_classes },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Judged) it;
      const MtTreeSize *last;

      judge (&it, cases[i].task, cases[i].n_outputs, cases[i].target, TRUE);
      g_assert_cmpfloat (it.part.intercept, ==, 0.5);
      g_assert_cmpfloat (it.part.intercept_train, ==, 0.5);
      g_assert_cmpfloat (it.part.linear, ==, 1);
      g_assert_cmpfloat (it.part.linear_train, ==, 1);
      last = &g_array_index (it.part.trees, MtTreeSize, it.part.trees->len - 1);
      g_assert_cmpfloat (last->score, ==, 1);
      g_assert_cmpfloat (last->train, ==, 1);
    }
}

/* Nothing can be learnt of a coin: what the rows themselves say is better than what the others say. */
static void
test_chance (void)
{
  g_auto (Judged) it;
  const MtTreeSize *last;

  judge (&it, MT_TASK_BINARY, 1, chance, TRUE);
  last = &g_array_index (it.part.trees, MtTreeSize, it.part.trees->len - 1);
  g_assert_cmpfloat (it.part.linear_train, >, it.part.linear);
  g_assert_cmpfloat (it.part.linear, <, 0.75);
  g_assert_cmpfloat (last->train, >, last->score);
  g_assert_cmpfloat (last->score, <, 0.75);
}

/* One leaf is the intercept; each further leaf costs no fewer literals and fits its own rows no worse. */
static void
test_trees (void)
{
  g_auto (Judged) it;

  judge (&it, MT_TASK_REGRESSION, 1, line, TRUE);
  g_assert_cmpuint (it.part.trees->len, >, 5);
  for (guint i = 0; i < it.part.trees->len; i++)
    {
      const MtTreeSize *size = &g_array_index (it.part.trees, MtTreeSize, i), *before = size - 1;

      g_assert_cmpuint (size->leaves, ==, i + 1);
      if (i == 0)
        {
          g_assert_cmpfloat_with_epsilon (size->train, it.part.intercept_train, 1e-9);
          g_assert_cmpfloat_with_epsilon (size->score, it.part.intercept, 1e-9);
          continue;
        }
      g_assert_cmpuint (size->literals, >=, before->literals);
      g_assert_cmpfloat (size->train, >=, before->train - 1e-12);
    }
}

/* Without rows that were held back nothing is said of them. */
static void
test_none_held (void)
{
  g_auto (Judged) it;

  judge (&it, MT_TASK_REGRESSION, 1, line, FALSE);
  g_assert_true (isnan (it.part.intercept) && isnan (it.part.linear));
  g_assert_true (isnan (g_array_index (it.part.trees, MtTreeSize, 0).score));
  g_assert_cmpfloat (it.part.linear_train, >, 0.99);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/baselines-judge/count", test_count);
  g_test_add_func ("/baselines-judge/line", test_line);
  g_test_add_func ("/baselines-judge/levels", test_levels);
  g_test_add_func ("/baselines-judge/chance", test_chance);
  g_test_add_func ("/baselines-judge/trees", test_trees);
  g_test_add_func ("/baselines-judge/none-held", test_none_held);
  return g_test_run ();
}
