#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "learn/mt-frontier-private.h"
#include "base/mt-random.h"

/* Six columns of five thresholds and two of three levels. The truth is
 *   2·[c0 ≥ t2 and c1 < t3] - 1.5·[c6 = level 1 or c2 ≥ t4] + noise. */
enum { N_GROUPS = 8, N_ROWS = 900 };

typedef struct {
  MtEncoded *encoded;
  double    *score;
  double    *target;
  guint8    *fold_of;
} Fixture;

static void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  MtGroup groups[N_GROUPS];
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *numeric = g_new (double, 6 * N_ROWS);
  MtRandom random;
  guint first = 0;

  mt_random_init (&random, 1);
  for (guint g = 0; g < N_GROUPS; g++)
    {
      groups[g] = (MtGroup) { g < 6 ? MT_GROUP_THERMOMETER : MT_GROUP_ONE_HOT, g, first, g < 6 ? 5 : 3, FALSE };
      first += groups[g].n_literals;
      for (gsize r = 0; r < N_ROWS; r++)
        {
          codes[g * N_ROWS + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
          if (g < 6)
            numeric[g * N_ROWS + r] = ((float) codes[g * N_ROWS + r] - 2.5f) / 1.7f + .1f * (float) mt_random_normal (&random);
        }
    }
  self->encoded = mt_encoded_new (groups, N_GROUPS, codes, numeric, 6, N_ROWS);
  self->score = g_new (double, N_ROWS);
  self->target = g_new (double, N_ROWS);
  self->fold_of = g_malloc (N_ROWS);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      double score = 2.0 * (codes[r] >= 3 && codes[N_ROWS + r] < 4) -
                     1.5 * (codes[6 * N_ROWS + r] == 2 || codes[2 * N_ROWS + r] >= 5);

      self->score[r] = score;
      score += .5 * mt_random_normal (&random);
      self->target[r] = task == MT_TASK_REGRESSION ? 10 + 5 * score :
                        task == MT_TASK_BINARY ? score > .5 : score > 1 ? 2 : score > -.5;
      self->fold_of[r] = (guint8) (r % 4);
    }
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  mt_encoded_unref (self->encoded);
  g_free (self->score);
  g_free (self->target);
  g_free (self->fold_of);
}

static MtFrontier *
run (Fixture *self,
     MtTask   task,
     guint    n_threads,
     guint    n_folds)
{
  MtFrontierOptions options;
  g_autoptr (MtPool) pool = mt_pool_new (n_threads);
  g_autoptr (GError) error = NULL;
  MtFrontier *frontier;

  mt_frontier_options_init (&options);
  options.n_folds = n_folds;
  frontier = mt_frontier_run (self->encoded, self->target, task, task == MT_TASK_MULTICLASS ? 3 : 1,
                              self->fold_of, &options, pool, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return frontier;
}

static void
assert_same_rules (const MtRuleSet *a,
                   const MtRuleSet *b)
{
  g_assert_cmpuint (mt_rule_set_get_n_terms (a), ==, mt_rule_set_get_n_terms (b));
  for (guint t = 0; t < mt_rule_set_get_n_terms (a); t++)
    {
      const MtTerm *p = mt_rule_set_get_term (a, t), *q = mt_rule_set_get_term (b, t);

      g_assert_cmpint (p->is_numeric, ==, q->is_numeric);
      if (!p->is_numeric)
        g_assert_true (mt_rule_equal (p->rule, q->rule));
      g_assert_cmpmem (p->weights, mt_rule_set_get_n_outputs (a) * sizeof (double),
                       q->weights, mt_rule_set_get_n_outputs (b) * sizeof (double));
    }
}

/* From the loss that the path reports down to what the rules say row by row. */
static double
loss_of_rules (Fixture         *self,
               const MtRuleSet *rules,
               double           ridge)
{
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree double *scores = g_new (double, n_outputs * N_ROWS);
  MtTask task = mt_rule_set_get_task (rules);
  double sum = 0, mean = 0, square = 0;

  for (gsize r = 0; r < N_ROWS; r++)
    mean += self->target[r] / N_ROWS;
  for (gsize r = 0; r < N_ROWS; r++)
    square += (self->target[r] - mean) * (self->target[r] - mean) / N_ROWS;
  mt_rule_set_score (rules, self->encoded, scores);
  for (gsize r = 0; r < N_ROWS; r++)
    if (task == MT_TASK_REGRESSION)
      sum += .5 * (scores[r] - self->target[r]) * (scores[r] - self->target[r]) / square;
    else if (task == MT_TASK_BINARY)
      sum += log1p (exp (scores[r])) - self->target[r] * scores[r];
    else
      sum += log (exp (scores[r]) + exp (scores[N_ROWS + r]) + exp (scores[2 * N_ROWS + r])) -
             scores[(gsize) self->target[r] * N_ROWS + r];
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    for (guint c = 0; c < n_outputs; c++)
      {
        double w = mt_rule_set_get_term (rules, t)->weights[c];

        sum += .5 * ridge * w * w / (task == MT_TASK_REGRESSION ? square : 1);
      }
  return sum;
}

/* Does some rule agree with another in every row, or contradict it in every row? */
static gboolean
says_a_thing_twice (Fixture         *self,
                    const MtRuleSet *rules)
{
  gsize n_rows = mt_encoded_get_n_rows (self->encoded), n_words = mt_encoded_get_n_words (self->encoded);
  guint n_terms = mt_rule_set_get_n_terms (rules);
  g_autofree guint64 *planes = g_new0 (guint64, MAX (n_terms, 1) * n_words);

  for (guint t = 0; t < n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        continue;
      mt_rule_evaluate (term->rule, self->encoded, 0, n_words, planes + t * n_words);
      for (guint u = 0; u < t; u++)
        {
          gsize n_equal = 0;

          for (gsize r = 0; r < n_rows; r++)
            n_equal += mt_plane_get (planes + t * n_words, r) == mt_plane_get (planes + u * n_words, r);
          if (!mt_rule_set_get_term (rules, u)->is_numeric && (n_equal == 0 || n_equal == n_rows))
            return TRUE;
        }
    }
  return FALSE;
}

static void
test_path (Fixture       *self,
           gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  const MtCandidate opposite = { .n_inputs = 1, .inputs = { 0 }, .table = { 1 } };   /* of a single literal */
  MtRefineOptions options;
  g_autoptr (GPtrArray) path = NULL;
  g_autoptr (GError) error = NULL;
  guint n_zero = 0;

  mt_refine_options_init (&options);
  options.ridge = 5;
  options.candidates = &opposite;
  options.n_candidates = 1;
  path = mt_refine_run (self->encoded, self->target, task, task == MT_TASK_MULTICLASS ? 3 : 1, &options,
                        NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (path->len, >, 20);
  for (guint i = 0; i < path->len; i++)
    {
      const MtPathModel *visited = path->pdata[i];
      guint complexity = 1, n_outputs = mt_rule_set_get_n_outputs (visited->rules);
      /* Class weights that earn nothing are exactly zero, which costs next to nothing. */
      double tolerance = n_outputs > 1 ? 1e-3 : 1e-6;

      for (guint t = 0; t < mt_rule_set_get_n_terms (visited->rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (visited->rules, t);

          complexity += term->is_numeric ? 1 : mt_rule_get_n_literals (term->rule);
          for (guint c = 0; c < n_outputs; c++)
            n_zero += term->weights[c] == 0;
        }
      g_assert_cmpuint (visited->complexity, ==, complexity);
      g_assert_false (says_a_thing_twice (self, visited->rules));
      g_assert_cmpfloat (fabs (visited->loss - loss_of_rules (self, visited->rules, options.ridge)), <,
                         tolerance * visited->loss);
    }
  if (task == MT_TASK_MULTICLASS)
    g_assert_cmpuint (n_zero, >, 20);
  else
    g_assert_cmpuint (n_zero, ==, 0);
  g_assert_cmpuint (((MtPathModel *) path->pdata[path->len - 1])->complexity, ==, 1);
}

/* Balanced classes are as good as rows of the rare classes given more than once, loss for loss and
 * table for table. */
static void
test_balanced (Fixture       *self,
               gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  guint n_classes = task == MT_TASK_BINARY ? 2 : 3, n_outputs = task == MT_TASK_BINARY ? 1 : 3;
  const guint copies[] = { 1, 2, 4 };
  gsize left[3] = { 0 }, n_few = 0, n_many = 0;
  g_autofree guint32 *few_rows = g_new (guint32, N_ROWS);
  g_autofree guint32 *many_rows = g_new (guint32, 4 * N_ROWS);
  g_autofree double *few_target = g_new (double, N_ROWS);
  g_autofree double *many_target = g_new (double, 4 * N_ROWS);
  g_autoptr (MtEncoded) few = NULL;
  g_autoptr (MtEncoded) many = NULL;
  g_autoptr (GPtrArray) balanced = NULL, copied = NULL, plain = NULL;
  g_autoptr (GError) error = NULL;
  MtRefineOptions options;
  double scale;

  for (guint c = 0; c < n_classes; c++)
    left[c] = 160 / copies[c];
  for (gsize r = 0; r < N_ROWS; r++)
    {
      guint class = (guint) self->target[r];

      if (left[class] == 0)
        continue;
      left[class]--;
      few_target[n_few] = class;
      few_rows[n_few++] = (guint32) r;
      for (guint i = 0; i < copies[class]; i++)
        {
          many_target[n_many] = class;
          many_rows[n_many++] = (guint32) r;
        }
    }
  g_assert_cmpuint (n_many, ==, n_classes * 160);
  few = mt_encoded_take_rows (self->encoded, few_rows, n_few);
  many = mt_encoded_take_rows (self->encoded, many_rows, n_many);
  scale = (double) n_few / n_many;

  mt_refine_options_init (&options);
  options.ridge = 4;
  options.chance = 0;     /* luck is judged by the number of rows */
  copied = mt_refine_run (many, many_target, task, n_outputs, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  options.ridge = 4 * scale;
  plain = mt_refine_run (few, few_target, task, n_outputs, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  options.balance_classes = TRUE;
  balanced = mt_refine_run (few, few_target, task, n_outputs, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 5; i++)
    {
      const MtPathModel *a = balanced->pdata[i], *b = copied->pdata[i];

      g_assert_cmpuint (a->complexity, ==, b->complexity);
      g_assert_cmpfloat (fabs (a->loss - scale * b->loss), <, 1e-4 * a->loss);
      g_assert_cmpuint (mt_rule_set_get_n_terms (a->rules), ==, mt_rule_set_get_n_terms (b->rules));
      for (guint t = 0; t < mt_rule_set_get_n_terms (a->rules); t++)
        {
          const MtTerm *p = mt_rule_set_get_term (a->rules, t), *q = mt_rule_set_get_term (b->rules, t);

          g_assert_true (p->is_numeric ? q->is_numeric && p->numeric == q->numeric : mt_rule_equal (p->rule, q->rule));
        }
    }
  /* The bare bias: balanced classes are even odds; counted as they are, they are not. A fit leaves up to 1e-4 nats, and so
   * much on so few rows is .002 of a bias. */
  for (guint c = 0; c < n_outputs; c++)
    {
      const double *even = mt_rule_set_get_bias (((MtPathModel *) balanced->pdata[balanced->len - 1])->rules);
      const double *odd = mt_rule_set_get_bias (((MtPathModel *) plain->pdata[plain->len - 1])->rules);
      guint other = (c + 1) % n_outputs;     /* only differences count, if there are several */

      g_assert_cmpfloat (fabs (even[c] - (n_outputs > 1 ? even[other] : 0)), <, 2e-3);
      g_assert_cmpfloat (fabs (odd[c] - (n_outputs > 1 ? odd[other] : 0)), >, .05);
    }
}

static void
test_frontier (Fixture       *self,
               gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autoptr (MtFrontier) one = run (self, task, 1, 4);
  g_autoptr (MtFrontier) three = run (self, task, 3, 4);
  const MtFrontierPoint *selected = mt_frontier_get_point (one, mt_frontier_get_selected (one));
  double best = 0;

  g_assert_cmpuint (mt_frontier_get_n_points (one), ==, mt_frontier_get_n_points (three));
  g_assert_cmpuint (mt_frontier_get_selected (one), ==, mt_frontier_get_selected (three));
  for (guint i = 0; i < mt_frontier_get_n_points (one); i++)
    {
      const MtFrontierPoint *p = mt_frontier_get_point (one, i), *q = mt_frontier_get_point (three, i);

      g_assert_cmpfloat (p->cv_mean, ==, q->cv_mean);
      g_assert_cmpfloat (p->cv_se, ==, q->cv_se);
      assert_same_rules (p->rules, q->rules);
      best = MAX (best, p->cv_mean);
      if (i > 0)
        g_assert_cmpuint (p->complexity, >, mt_frontier_get_point (one, i - 1)->complexity);
    }
  /* The planted truth takes 2 + 2 literals and the bias; the first is an AND. */
  g_assert_cmpuint (selected->complexity, <=, 16);
  g_assert_cmpfloat (selected->cv_mean, >, best - .01);
  g_assert_cmpfloat (selected->cv_mean, >, task == MT_TASK_REGRESSION ? .75 : .9);
  g_assert_cmpuint (mt_frontier_get_point (one, mt_frontier_select (one, 3))->complexity, <=, 3);
  /* As from a project, which keeps points and scores. */
  for (guint most = 0; most < 4; most++)
    g_assert_cmpuint (mt_frontier_select_kept (mt_frontier_get_point (one, 0), mt_frontier_get_n_points (one),
                                               mt_frontier_get_fold_scores (one, 0), mt_frontier_get_n_fold_scores (one),
                                               4, mt_encoded_get_n_rows (self->encoded), most),
                      ==, mt_frontier_select (one, most));
}

/* Where the target is tossed, some model often looks a little better than none. It is seldom
 * recommended for that; the spread of four folds is itself uncertain, so it happens. */
static void
test_no_signal (Fixture       *self,
                gconstpointer  data)
{
  guint n_tempting = 0, n_fooled = 0;

  for (guint seed = 0; seed < 40; seed++)
    {
      g_autoptr (MtFrontier) frontier = NULL;
      MtRandom random;
      double best = 0;

      mt_random_init (&random, seed);
      for (gsize r = 0; r < N_ROWS; r++)
        self->target[r] = mt_random_below (&random, 2);
      frontier = run (self, MT_TASK_BINARY, 1, 4);
      for (guint i = 0; i < mt_frontier_get_n_points (frontier); i++)
        best = MAX (best, mt_frontier_get_point (frontier, i)->cv_mean - mt_frontier_get_point (frontier, i)->cv_se);
      if (best > .5)
        n_tempting++;
      if (mt_frontier_get_selected (frontier) > 0)
        n_fooled++;
      g_assert_cmpuint (mt_frontier_get_point (frontier, 0)->complexity, ==, 1);
    }
  g_test_message ("%u tempting, %u fooled", n_tempting, n_fooled);
  g_assert_cmpuint (n_tempting, >=, 20);
  g_assert_cmpuint (2 * n_fooled, <, n_tempting);
}

/* Two deals of folds: the first one's scores are those of it alone, and both make the mean. */
static void
test_repeats (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (MtFrontier) one = run (self, MT_TASK_BINARY, 1, 4);
  g_autoptr (MtFrontier) two = NULL;
  g_autofree guint8 *fold_of = g_malloc (2 * N_ROWS);
  MtFrontierOptions options;

  memcpy (fold_of, self->fold_of, N_ROWS);
  for (gsize r = 0; r < N_ROWS; r++)
    fold_of[N_ROWS + r] = (guint8) (r / 5 % 4);
  mt_frontier_options_init (&options);
  options.n_folds = 4;
  options.n_repeats = 2;
  two = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, fold_of, &options, NULL, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (mt_frontier_get_n_fold_scores (one), ==, 4);
  g_assert_cmpuint (mt_frontier_get_n_fold_scores (two), ==, 8);
  g_assert_cmpuint (mt_frontier_get_n_points (one), ==, mt_frontier_get_n_points (two));
  for (guint i = 0; i < mt_frontier_get_n_points (one); i++)
    {
      const double *scores = mt_frontier_get_fold_scores (two, i);
      double sum = 0;

      for (guint f = 0; f < 8; f++)
        sum += scores[f];
      for (guint f = 0; f < 4; f++)
        g_assert_cmpfloat (scores[f], ==, mt_frontier_get_fold_scores (one, i)[f]);
      g_assert_cmpfloat_with_epsilon (mt_frontier_get_point (two, i)->cv_mean, sum / 8, 1e-12);
    }
}

/* A target that has nothing to do with the columns: luck offers conjunctions, and none may pass. */
static void
test_luck (Fixture       *self,
           gconstpointer  data)
{
  guint n_rules[2] = { 0, 0 };
  MtRandom random;

  mt_random_init (&random, 7);
  for (gsize r = 0; r < N_ROWS; r++)
    self->target[r] = mt_random_below (&random, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) path = NULL;
      const MtPathModel *first;
      MtRefineOptions options;

      mt_refine_options_init (&options);
      options.chance = i == 0 ? options.chance : 0;
      path = mt_refine_run (self->encoded, self->target, MT_TASK_BINARY, 1, &options, NULL, NULL, NULL, NULL);
      first = path->pdata[0];
      for (guint t = 0; t < mt_rule_set_get_n_terms (first->rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (first->rules, t);

          n_rules[i] += !term->is_numeric && mt_rule_get_n_inputs (term->rule) > 1;
        }
    }
  g_assert_cmpuint (n_rules[0], ==, 0);
  g_assert_cmpuint (n_rules[1], >, 10);
}

/* Dealing the same rows out again does not make more rows: the error stays that of the folds. */
static void
test_error_of_repeats (void)
{
  const double scores[] = { .70, .74, .69, .75, .72 };
  double again[20], mean[2], se[2];

  for (guint i = 0; i < 20; i++)
    again[i] = scores[i % 5];
  mt_frontier_mean_and_error (scores, NULL, 5, 5, &mean[0], &se[0]);
  mt_frontier_mean_and_error (again, NULL, 20, 5, &mean[1], &se[1]);
  g_assert_cmpfloat_with_epsilon (mean[0], .72, 1e-12);
  g_assert_cmpfloat_with_epsilon (mean[1], .72, 1e-12);
  g_assert_cmpfloat_with_epsilon (se[0], sqrt (.0026 / 4 / 5), 1e-12);
  g_assert_cmpfloat_with_epsilon (se[1], sqrt (4 * .0026 / 19 / 5), 1e-12);
  again[2] = again[4] = NAN;
  mt_frontier_mean_and_error (again, NULL, 5, 5, &mean[1], &se[1]);     /* .70, .74, .75: no fold counts that has no score */
  g_assert_cmpfloat_with_epsilon (mean[1], .73, 1e-12);
  g_assert_cmpfloat_with_epsilon (se[1], sqrt (.0014 / 2 / 3), 1e-12);
}

/* Where luck offers conjunctions and single literals say it all, the folds must find that out: at no
 * complexity is the frontier below that of single literals alone. */
static void
test_never_below_plain (Fixture       *self,
                        gconstpointer  data)
{
  MtFrontierOptions options;
  g_autoptr (MtFrontier) both = NULL;
  g_autoptr (MtFrontier) plain = NULL;
  MtRandom random;
  guint n_plain = 0;

  mt_random_init (&random, 3);
  for (gsize r = 0; r < N_ROWS; r++)
    self->target[r] = mt_encoded_get_numeric (self->encoded, 0)[r] + mt_encoded_get_numeric (self->encoded, 1)[r] +
                      3 * mt_random_normal (&random) > 0;
  mt_frontier_options_init (&options);
  options.n_folds = 4;
  options.refine.chance = 0;
  both = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL, NULL, NULL,
                          NULL, NULL);
  options.refine.fan_in = 1;
  plain = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL, NULL, NULL,
                           NULL, NULL);
  for (guint i = 0, k = 0; i < mt_frontier_get_n_points (plain); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (plain, i);

      while (k + 1 < mt_frontier_get_n_points (both) &&
             mt_frontier_get_point (both, k + 1)->complexity <= point->complexity)
        k++;
      g_assert_cmpuint (mt_frontier_get_point (both, k)->complexity, <=, point->complexity);
      g_assert_cmpfloat (mt_frontier_get_point (both, k)->cv_mean, >=, point->cv_mean - 1e-12);
      n_plain += mt_frontier_get_point (both, k)->train == point->train;
    }
  g_assert_cmpuint (n_plain, >, mt_frontier_get_n_points (plain) / 2);
  g_assert_cmpuint (mt_frontier_get_visited (both)->len, >, mt_frontier_get_visited (plain)->len);
}

/* One model a path at complexity 5, and what five folds say of it. */
static void
make_path (MtFrontierPath *path,
           MtPathModel      *visited,
           const double   *scores)
{
  const MtFoldPoint train = { 5, .9 };

  visited->complexity = 5;
  path->best = g_ptr_array_new ();
  g_ptr_array_add (path->best, visited);
  path->train = g_array_new (FALSE, FALSE, sizeof (MtFoldPoint));
  g_array_append_val (path->train, train);
  path->fold_points = g_new (GArray *, 5);
  for (guint f = 0; f < 5; f++)
    {
      const MtFoldPoint point = { 5, scores[f] };

      path->fold_points[f] = g_array_new (FALSE, FALSE, sizeof (MtFoldPoint));
      g_array_append_val (path->fold_points[f], point);
    }
}

static void
clear_path (MtFrontierPath *path)
{
  g_ptr_array_unref (path->best);
  g_array_unref (path->train);
  for (guint f = 0; f < 5; f++)
    g_array_unref (path->fold_points[f]);
  g_free (path->fold_points);
}

/* Conjunctions must be better by more than half a standard error of the difference, here .0061. */
static void
test_doubt (void)
{
  static const double plain_scores[] = { .8, .8, .8, .8, .8 };
  static const double noise[] = { -.02, -.02, -.02, .03, .03 };    /* deviation .0274, over √5: .0122 */

  for (guint i = 0; i < 2; i++)
    {
      double full_scores[5], gain = i == 0 ? .0055 : .007;
      MtPathModel full = { 0 }, plain = { 0 };
      MtFrontierPath paths[MT_N_PATHS] = { 0 };
      MtFrontier frontier = { .n_scores = 5, .n_folds = 5, .n_rows = 100 };
      MtFrontierPoint *point;

      for (guint f = 0; f < 5; f++)
        full_scores[f] = plain_scores[f] + noise[f] + gain;
      make_path (&paths[MT_PATH_SEARCH], &full, full_scores);
      make_path (&paths[MT_PATH_PLAIN], &plain, plain_scores);
      frontier.points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
      mt_frontier_make_points (&frontier, paths);
      g_assert_cmpuint (frontier.points->len, ==, 1);
      point = &g_array_index (frontier.points, MtFrontierPoint, 0);
      g_assert_cmpfloat (fabs (point->cv_mean - (i == 0 ? .8 : .8 + gain)), <, 1e-12);
      g_array_unref (frontier.points);
      g_free (frontier.fold_scores);
      clear_path (&paths[MT_PATH_SEARCH]);
      clear_path (&paths[MT_PATH_PLAIN]);
    }
}

/* Tuned or not goes by the mean alone, and the point says by how much. */
static void
test_choice_of_paths (void)
{
  static const double search_scores[] = { .80, .81, .79, .82, .78 };
  static const double lead[] = { .004, .001, .003, .002, .000 };

  for (guint i = 0; i < 2; i++)
    {
      double tuned_scores[5], plain_scores[5], sign = i == 0 ? 1 : -1;
      MtPathModel tuned = { 0 }, search = { 0 }, plain = { 0 };
      MtFrontierPath paths[MT_N_PATHS];
      MtFrontier frontier = { .n_scores = 5, .n_folds = 5, .n_rows = 100 };
      MtFrontierPoint *point;
      g_autofree char *sentence = NULL;

      for (guint f = 0; f < 5; f++)
        {
          tuned_scores[f] = search_scores[f] + sign * lead[f];
          plain_scores[f] = search_scores[f] - .05;
        }
      make_path (&paths[MT_PATH_TUNED], &tuned, tuned_scores);
      make_path (&paths[MT_PATH_SEARCH], &search, search_scores);
      make_path (&paths[MT_PATH_PLAIN], &plain, plain_scores);
      frontier.points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
      mt_frontier_make_points (&frontier, paths);
      g_assert_cmpuint (frontier.points->len, ==, 1);
      point = &g_array_index (frontier.points, MtFrontierPoint, 0);
      g_assert_cmpint (point->path, ==, i == 0 ? MT_PATH_TUNED : MT_PATH_SEARCH);
      g_assert_cmpfloat (fabs (point->over_mean[i == 0 ? MT_PATH_SEARCH : MT_PATH_TUNED] - .002), <, 1e-12);
      g_assert_cmpfloat (fabs (point->over_se[i == 0 ? MT_PATH_SEARCH : MT_PATH_TUNED] - .000707), <, 1e-5);
      g_assert_true (isnan (point->over_mean[point->path]));
      sentence = mt_frontier_point_dup_choice (point);
      g_assert_cmpstr (sentence, ==, i == 0 ? "On this data, TT-Sparse was better than the search by 0.0020 ± 0.0007."
                                            : "On this data, the search was better than TT-Sparse by 0.0020 ± 0.0007.");
      g_array_unref (frontier.points);
      g_free (frontier.fold_scores);
      for (guint p = 0; p < MT_N_PATHS; p++)
        clear_path (&paths[p]);
    }
}

/* "Better" is said only of differences above their standard error, and nothing of differences that are shown as 0. */
static void
test_choice_sentence (void)
{
  static const struct {
    MtPathKind  path, other;
    double      mean, se;
    const char *says;
  } cases[] = {
    { MT_PATH_TUNED, MT_PATH_SEARCH, .0053, .0026, "TT-Sparse was better than the search by 0.0053 ± 0.0026." },
    { MT_PATH_TUNED, MT_PATH_SEARCH, .0026, .0053, "the mean score of TT-Sparse was higher than that of the search by "
                                                   "0.0026 ± 0.0053, which is within one standard error." },
    { MT_PATH_SEARCH, MT_PATH_TUNED, .0026, .0053, "the mean score of the search was higher than that of TT-Sparse by "
                                                   "0.0026 ± 0.0053, which is within one standard error." },
    { MT_PATH_SEARCH, MT_PATH_TUNED, .00001, .00002, "TT-Sparse and the search scored the same." },
    { MT_PATH_TUNED, MT_PATH_PLAIN, .0053, .0026, "TT-Sparse was better than single literals by 0.0053 ± 0.0026." },
    { MT_PATH_TUNED, MT_PATH_PLAIN, .0026, .0053, "the mean score of TT-Sparse was higher than that of single literals by "
                                                  "0.0026 ± 0.0053, which is within one standard error." },
    { MT_PATH_PLAIN, MT_PATH_TUNED, 0, 0, "TT-Sparse and single literals scored the same." },
    { MT_PATH_SEARCH, MT_PATH_PLAIN, .0053, .0026, "the search was better than single literals by 0.0053 ± 0.0026." },
    { MT_PATH_SEARCH, MT_PATH_PLAIN, .0026, .0053, "the mean score of the search was higher than that of single literals by "
                                                   "0.0026 ± 0.0053, which is within one standard error." },
    { MT_PATH_PLAIN, MT_PATH_SEARCH, 0, 0, "the search and single literals scored the same." },
    { MT_PATH_PLAIN, MT_PATH_SEARCH, .0053, .0026, "single literals were better than rules of several literals by 0.0053 ± 0.0026." },
    { MT_PATH_PLAIN, MT_PATH_SEARCH, .0026, .0053, "the mean score of single literals was higher than that of rules of several "
                                                   "literals by 0.0026 ± 0.0053, which is within one standard error." },
    { MT_PATH_PLAIN, MT_PATH_SEARCH, -.0026, .0053, "the mean score of rules of several literals was higher than that of single "
                                                    "literals by 0.0026 ± 0.0053, which is not enough to prefer them." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtFrontierPoint point = { .path = cases[i].path };
      g_autofree char *expected = g_strdup_printf ("On this data, %s", cases[i].says);
      g_autofree char *sentence = NULL;

      for (guint p = 0; p < MT_N_PATHS; p++)
        point.over_mean[p] = point.over_se[p] = NAN;
      point.over_mean[cases[i].other] = cases[i].mean;
      point.over_se[cases[i].other] = cases[i].se;
      sentence = mt_frontier_point_dup_choice (&point);
      g_assert_cmpstr (sentence, ==, expected);
    }
}

/* A network beside the rules is there to be compared with, and changes nothing. */
static void
test_network_beside (Fixture       *self,
                     gconstpointer  data)
{
  MtFrontierOptions options;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFrontier) alone = NULL;
  g_autoptr (MtFrontier) beside = NULL;

  mt_frontier_options_init (&options);
  options.n_folds = 0;
  options.train.n_nodes = 6;
  options.train.max_epochs = 10;
  alone = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, NULL, &options, NULL, NULL, NULL, NULL, &error);
  options.compare_network = TRUE;
  beside = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, NULL, &options, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (mt_frontier_get_net (alone));
  g_assert_nonnull (mt_frontier_get_net (beside));
  g_assert_cmpuint (mt_frontier_get_n_steps (beside), >, 0);
  g_assert_cmpuint (mt_frontier_get_n_points (beside), ==, mt_frontier_get_n_points (alone));
  for (guint i = 0; i < mt_frontier_get_n_points (alone); i++)
    assert_same_rules (mt_frontier_get_point (beside, i)->rules, mt_frontier_get_point (alone, i)->rules);
}

/* What is heard of it. */
typedef struct {
  guint    n_epochs;
  gboolean has_rules;   /* the search on all rows has begun */
  double   done;
} Heard;

static void
hear_beside (const MtLearnProgress *progress,
             gpointer               user_data)
{
  Heard *self = user_data;

  g_assert_cmpuint (progress->n_networks, ==, 1);
  g_assert_cmpfloat (progress->done, >=, self->done);
  g_assert_cmpfloat (progress->done, <=, 1);
  self->done = progress->done;
  if (progress->phase == MT_LEARN_TRAINING)
    {
      g_assert_cmpuint (progress->part, ==, 0);   /* folds have none */
      g_assert_cmpuint (progress->network, ==, 1);
      g_assert_false (self->has_rules);
      self->n_epochs += progress->train.phase == MT_TRAIN_RUNNING;
    }
  else if (progress->part == 0)
    self->has_rules = TRUE;
}

/* Its curves come before the rules of all rows, and it changes nothing there or in the folds. */
static void
test_beside_progress (Fixture       *self,
                      gconstpointer  data)
{
  MtFrontierOptions options;
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtPool) pool = mt_pool_new (2);
  g_autoptr (MtFrontier) alone = NULL;
  g_autoptr (MtFrontier) beside = NULL;

  mt_frontier_options_init (&options);
  options.n_folds = 4;
  options.train.n_nodes = 6;
  options.train.max_epochs = 10;
  alone = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, pool, NULL, NULL,
                           NULL, &error);
  options.compare_network = TRUE;
  beside = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, pool, hear_beside,
                            &heard, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (heard.n_epochs, >, 1);
  g_assert_true (heard.has_rules);
  g_assert_cmpfloat (heard.done, ==, 1);
  g_assert_cmpuint (mt_frontier_get_selected (beside), ==, mt_frontier_get_selected (alone));
  g_assert_cmpuint (mt_frontier_get_n_points (beside), ==, mt_frontier_get_n_points (alone));
  for (guint i = 0; i < mt_frontier_get_n_points (alone); i++)
    {
      assert_same_rules (mt_frontier_get_point (beside, i)->rules, mt_frontier_get_point (alone, i)->rules);
      g_assert_cmpfloat (mt_frontier_get_point (beside, i)->cv_mean, ==, mt_frontier_get_point (alone, i)->cv_mean);
    }
}

/* What a listener hears, and when it calls a halt. */
typedef struct {
  GCancellable *cancellable;
  double        cancel_at;         /* done; 2: never */
  gboolean      cancel_when_found; /* as soon as the rules are there */

  double        done;
  guint         n_reports[MT_LEARN_DONE + 1];
  MtLearnPhase  phases[8];         /* last one, by part */
  guint         network;
  guint         literals;
  gboolean      knows_time;
} Listener;

static void
listen (const MtLearnProgress *progress,
        gpointer               user_data)
{
  Listener *self = user_data;

  g_assert_cmpuint (progress->n_parts, ==, 5);
  g_assert_cmpuint (progress->part, <, progress->n_parts);
  g_assert_cmpfloat (progress->done, >=, self->done);
  g_assert_cmpfloat (progress->done, <=, 1);
  g_assert_cmpint (progress->phase, >=, self->phases[progress->part]);
  self->done = progress->done;
  self->phases[progress->part] = progress->phase;
  self->n_reports[progress->phase]++;
  self->knows_time |= progress->seconds_left >= 0;
  if (progress->phase == MT_LEARN_TRAINING)
    {
      g_assert_cmpuint (progress->n_networks, ==, 2);
      g_assert_cmpuint (progress->network, >=, 1);
      g_assert_cmpuint (progress->network, <=, 2);
      if (progress->train.phase == MT_TRAIN_RUNNING)
        {
          g_assert_cmpuint (progress->train.epoch, >, 0);
          g_assert_cmpuint (progress->train.step, >, 0);
          g_assert_cmpfloat (progress->train.train_loss, >, 0);
          g_assert_cmpfloat (progress->train.valid_loss, >=, progress->train.best_loss - 1e-6);
          g_assert_cmpfloat (progress->train.metric, >, 0);
          g_assert_cmpfloat (progress->train.rows_per_second, >, 0);
        }
      self->network = MAX (self->network, progress->network);
    }
  if (progress->phase == MT_LEARN_ELIMINATING)
    {
      g_assert_cmpuint (progress->literals, >=, 1);
      g_assert_cmpfloat (progress->loss, >, 0);
      self->literals = progress->literals;
    }
  if (progress->done > self->cancel_at ||
      (self->cancel_when_found && progress->part == 0 && progress->phase == MT_LEARN_DONE))
    g_cancellable_cancel (self->cancellable);
}

static MtFrontier *
run_heard (Fixture   *self,
           Listener  *listener,
           gboolean   keep_partial,
           GError   **error)
{
  MtFrontierOptions options;
  MtFrontier *frontier;

  mt_frontier_options_init (&options);
  options.n_folds = 4;
  options.n_restarts = 2;
  options.train.n_nodes = 6;
  options.train.max_epochs = 10;
  options.keep_partial = keep_partial;
  listener->cancellable = g_cancellable_new ();
  frontier = mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL, listen,
                              listener, listener->cancellable, error);
  g_clear_object (&listener->cancellable);
  return frontier;
}

static void
test_progress (Fixture       *self,
               gconstpointer  data)
{
  Listener listener = { .cancel_at = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFrontier) frontier = run_heard (self, &listener, FALSE, &error);

  g_assert_no_error (error);
  g_assert_false (mt_frontier_is_stopped (frontier));
  g_assert_cmpfloat (listener.done, ==, 1);
  g_assert_cmpuint (listener.n_reports[MT_LEARN_SCANNING], ==, 5);
  g_assert_cmpuint (listener.n_reports[MT_LEARN_FITTING], ==, 5);
  g_assert_cmpuint (listener.n_reports[MT_LEARN_ELIMINATING], >, 50);
  g_assert_cmpuint (listener.n_reports[MT_LEARN_DONE], ==, 5);
  g_assert_cmpuint (listener.network, ==, 2);
  g_assert_cmpuint (listener.literals, ==, 1);
  g_assert_true (listener.knows_time);
}

static void
test_cancel (Fixture       *self,
             gconstpointer  data)
{
  for (guint i = 0; i < 4; i++)
    {
      /* While networks are trained, while scanning, and later; keep_partial has nothing to keep yet. */
      Listener listener = { .cancel_at = .03 + .05 * i };
      g_autoptr (GError) error = NULL;

      g_assert_null (run_heard (self, &listener, i % 2 == 1, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (listener.n_reports[MT_LEARN_DONE], ==, 0);
    }
}

static void
assert_same_visited (const MtFrontier *a,
                     const MtFrontier *b)
{
  GPtrArray *p = mt_frontier_get_visited (a), *q = mt_frontier_get_visited (b);

  g_assert_cmpuint (p->len, ==, q->len);
  for (guint i = 0; i < p->len; i++)
    assert_same_rules (((MtPathModel *) p->pdata[i])->rules, ((MtPathModel *) q->pdata[i])->rules);
}

/* Once the rules are there, stopping need not throw them away. */
static void
test_keep_partial (Fixture       *self,
                   gconstpointer  data)
{
  Listener at_once = { .cancel_at = 2, .cancel_when_found = TRUE };
  Listener later = { .cancel_at = .7 };
  Listener never = { .cancel_at = 2 };
  Listener strict = { .cancel_at = .7 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFrontier) unjudged = run_heard (self, &at_once, TRUE, &error);
  g_autoptr (MtFrontier) judged = run_heard (self, &later, TRUE, &error);
  g_autoptr (MtFrontier) whole = run_heard (self, &never, TRUE, &error);
  guint n_same = 0;

  g_assert_no_error (error);
  g_assert_true (mt_frontier_is_stopped (unjudged));
  g_assert_true (mt_frontier_is_stopped (judged));
  g_assert_false (mt_frontier_is_stopped (whole));
  assert_same_visited (unjudged, whole);
  assert_same_visited (judged, whole);
  for (guint i = 0; i < mt_frontier_get_n_points (unjudged); i++)
    g_assert_true (isnan (mt_frontier_get_point (unjudged, i)->cv_mean));
  /* Fewer folds may prefer the other path here and there, but what a fold says of a model stays. */
  for (guint i = 0; i < mt_frontier_get_n_points (judged); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (judged, i);

      g_assert_true (isfinite (point->cv_mean));
      g_assert_true (isnan (mt_frontier_get_fold_scores (judged, i)[3]));
      for (guint k = 0; k < mt_frontier_get_n_points (whole); k++)
        if (mt_frontier_get_point (whole, k)->complexity == point->complexity &&
            mt_frontier_get_point (whole, k)->train == point->train)
          {
            g_assert_cmpfloat (mt_frontier_get_fold_scores (judged, i)[0], ==, mt_frontier_get_fold_scores (whole, k)[0]);
            n_same++;
          }
    }
  g_assert_cmpuint (n_same, >, 5);
  /* Some point is recommended, within the limit. */
  g_assert_cmpuint (mt_frontier_get_point (unjudged, mt_frontier_get_selected (unjudged))->complexity, <=, 50);
  g_assert_cmpuint (mt_frontier_get_point (judged, mt_frontier_get_selected (judged))->complexity, <=, 50);

  g_assert_null (run_heard (self, &strict, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_bad_options (Fixture       *self,
                  gconstpointer  data)
{
  MtFrontierOptions options;
  const guint32 row = 0;
  g_autoptr (MtEncoded) few = mt_encoded_take_rows (self->encoded, &row, 1);
  g_autoptr (GError) error = NULL;

  mt_frontier_options_init (&options);
  options.n_folds = 1;
  g_assert_null (mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL,
                                  NULL, NULL, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, "the number of folds must be 0 or between 2 and 50, not 1");
  g_clear_error (&error);
  options.n_folds = 7;
  g_assert_null (mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL,
                                  NULL, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "fold 5 has no rows for validation; use fewer folds");
  g_clear_error (&error);
  options.n_folds = 4;
  options.n_repeats = 101;
  g_assert_null (mt_frontier_run (self->encoded, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL,
                                  NULL, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "the number of cross-validation repeats must be at most 100, not 101");
  g_clear_error (&error);
  options.n_repeats = 1;
  g_assert_null (mt_frontier_run (few, self->target, MT_TASK_BINARY, 1, self->fold_of, &options, NULL,
                                  NULL, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "too few rows to train on: 1");
}

#define ADD(name, task, func) \
  g_test_add (name, Fixture, GINT_TO_POINTER (task), fixture_set_up, func, fixture_tear_down)

/* Six literals are within one standard error of the best because their folds differ so much; four, which are not,
 * score higher and are simpler. Nobody would take the six. */
static void
test_never_beaten (void)
{
  static const double scores[4][5] = {
    { .50, .50, .50, .50, .50 },
    { .84, .85, .84, .85, .84 },
    { .77, .92, .78, .92, .80 },
    { .86, .87, .86, .87, .86 },
  };
  static const guint complexities[4] = { 1, 4, 6, 19 };
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
  MtFrontier frontier = { .points = points, .n_scores = 5, .n_folds = 5, .n_rows = 1000, .fold_scores = (double *) scores };
  double mean, se;

  for (guint i = 0; i < 4; i++)
    {
      MtFrontierPoint point = { .complexity = complexities[i] };

      mt_frontier_mean_and_error (scores[i], NULL, 5, 5, &point.cv_mean, &point.cv_se);
      g_array_append_val (points, point);
    }
  mt_frontier_mean_and_error (scores[3], scores[1], 5, 5, &mean, &se);
  g_assert_cmpfloat (mean, >, se);
  mt_frontier_mean_and_error (scores[3], scores[2], 5, 5, &mean, &se);
  g_assert_cmpfloat (mean, <=, se);
  g_assert_cmpuint (mt_frontier_select (&frontier, 0), ==, 1);
  g_assert_cmpuint (mt_frontier_select (&frontier, 6), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/frontier/path/binary", MT_TASK_BINARY, test_path);
  ADD ("/frontier/path/multiclass", MT_TASK_MULTICLASS, test_path);
  ADD ("/frontier/path/regression", MT_TASK_REGRESSION, test_path);
  ADD ("/frontier/balanced/binary", MT_TASK_BINARY, test_balanced);
  ADD ("/frontier/balanced/multiclass", MT_TASK_MULTICLASS, test_balanced);
  ADD ("/frontier/planted/binary", MT_TASK_BINARY, test_frontier);
  ADD ("/frontier/planted/multiclass", MT_TASK_MULTICLASS, test_frontier);
  ADD ("/frontier/planted/regression", MT_TASK_REGRESSION, test_frontier);
  ADD ("/frontier/progress", MT_TASK_BINARY, test_progress);
  ADD ("/frontier/repeats", MT_TASK_BINARY, test_repeats);
  g_test_add_func ("/frontier/error-of-repeats", test_error_of_repeats);
  ADD ("/frontier/never-below-plain", MT_TASK_BINARY, test_never_below_plain);
  ADD ("/frontier/network-beside", MT_TASK_BINARY, test_network_beside);
  ADD ("/frontier/network-beside-progress", MT_TASK_BINARY, test_beside_progress);
  g_test_add_func ("/frontier/doubt", test_doubt);
  g_test_add_func ("/frontier/choice-of-paths", test_choice_of_paths);
  g_test_add_func ("/frontier/choice-sentence", test_choice_sentence);
  ADD ("/frontier/no-signal", MT_TASK_BINARY, test_no_signal);
  ADD ("/frontier/luck", MT_TASK_BINARY, test_luck);
  ADD ("/frontier/cancel", MT_TASK_BINARY, test_cancel);
  ADD ("/frontier/keep-partial", MT_TASK_BINARY, test_keep_partial);
  ADD ("/frontier/bad-options", MT_TASK_BINARY, test_bad_options);
  g_test_add_func ("/frontier/never-beaten", test_never_beaten);
  return g_test_run ();
}
