/* Exchanges at equal complexity: what they promise, for all three tasks. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-random.h"
#include "learn/mt-frontier.h"
#include "learn/mt-refine-private.h"
#include "rules/mt-interaction-scan.h"
#include "rules/mt-linear-fit-without.h"

/* Five columns of nine thresholds and one of four levels. The truth has two conjunctions of three, which a search that
 * lengthens pairs finds in part only. */
enum { N_GROUPS = 6, N_ROWS = 3000 };

typedef struct {
  MtEncoded *encoded;
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
  g_autofree double *numeric = g_new (double, 5 * N_ROWS);
  MtRandom random;
  guint first = 0;

  mt_random_init (&random, 7);
  for (guint g = 0; g < N_GROUPS; g++)
    {
      groups[g] = (MtGroup) { g < 5 ? MT_GROUP_THERMOMETER : MT_GROUP_ONE_HOT, g, first, g < 5 ? 9 : 4, FALSE };
      first += groups[g].n_literals;
      for (gsize r = 0; r < N_ROWS; r++)
        {
          codes[g * N_ROWS + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
          if (g < 5)
            numeric[g * N_ROWS + r] = (codes[g * N_ROWS + r] - 4.5) / 2.9;
        }
    }
  self->encoded = mt_encoded_new (groups, N_GROUPS, codes, numeric, 5, N_ROWS);
  self->target = g_new (double, N_ROWS);
  self->fold_of = g_malloc (N_ROWS);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      const guint8 *c = codes + r;
      double score = 1.6 * (c[0] >= 4 && c[N_ROWS] < 6 && c[2 * N_ROWS] >= 3) -
                     1.4 * (c[2 * N_ROWS] < 7 && c[3 * N_ROWS] >= 2 && c[5 * N_ROWS] == 2) + .1 * c[4 * N_ROWS];

      score += .5 * mt_random_normal (&random);
      self->target[r] = task == MT_TASK_REGRESSION ? 3 + 2 * score : task == MT_TASK_BINARY ? score > .8 :
                        score > 1.2 ? 2 : score > .2;
      self->fold_of[r] = (guint8) (r % 3);
    }
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  mt_encoded_unref (self->encoded);
  g_free (self->target);
  g_free (self->fold_of);
}

static guint
n_outputs_of (MtTask task)
{
  return task == MT_TASK_MULTICLASS ? 3 : 1;
}

static GPtrArray *
refine (Fixture               *self,
        MtTask                 task,
        const MtRefineOptions *options)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *visited = mt_refine_run (self->encoded, self->target, task, n_outputs_of (task), options, NULL, NULL, NULL,
                                      &error);

  g_assert_no_error (error);
  return visited;
}

static double
best_loss (const GPtrArray *visited,
           guint            complexity,
           gboolean         with_tuned)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < visited->len; i++)
    {
      const MtPathModel *model = visited->pdata[i];

      if (model->complexity <= complexity && (with_tuned || !model->is_tuned))
        best = MIN (best, model->loss);
    }
  return best;
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

/* The search's models are those of a search alone, bit for bit; tuning adds better ones, and says which rules it changed. */
static void
test_adds_better_ones (Fixture       *self,
                       gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  MtRefineOptions options;
  g_autoptr (GPtrArray) alone = NULL;
  g_autoptr (GPtrArray) tuned = NULL;
  guint n_better = 0, n_changed = 0;

  mt_refine_options_init (&options);
  alone = refine (self, task, &options);
  options.tune = TRUE;
  tuned = refine (self, task, &options);
  g_assert_cmpuint (tuned->len, >, alone->len);
  for (guint i = 0; i < alone->len; i++)
    {
      const MtPathModel *a = alone->pdata[i], *b = tuned->pdata[i];

      g_assert_false (a->is_tuned);
      g_assert_false (b->is_tuned);
      g_assert_cmpfloat (a->loss, ==, b->loss);
      assert_same_rules (a->rules, b->rules);
    }
  for (guint i = alone->len; i < tuned->len; i++)
    {
      const MtPathModel *model = tuned->pdata[i];

      g_assert_true (model->is_tuned);
      g_assert_cmpuint (model->complexity, ==, mt_rule_set_get_complexity (model->rules));
      for (guint t = 0; t < mt_rule_set_get_n_terms (model->rules); t++)
        {
          const MtRule *rule = mt_rule_set_get_term (model->rules, t)->rule;
          const MtOrigin *origin = rule != NULL ? mt_rule_get_origin (rule) : NULL;

          n_changed += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_EXCHANGE) != 0;
        }
    }
  for (guint complexity = 3; complexity <= 50; complexity++)
    n_better += best_loss (tuned, complexity, TRUE) < best_loss (tuned, complexity, FALSE) - 1e-6;
  g_assert_cmpuint (n_better, >=, 10);
  g_assert_cmpuint (n_changed, >, 0);
}

/* A rule may not go down with a column that may only raise the score, exchanged literals or not. */
static void
test_keeps_constraints (Fixture       *self,
                        gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autofree gint8 *directions = g_new0 (gint8, mt_encoded_get_n_literals (self->encoded));
  const gint8 numeric_directions[] = { 1, 0, 0, 0, 0 };
  g_autofree gboolean *banned = g_new0 (gboolean, mt_encoded_get_n_literals (self->encoded));
  MtRefineOptions options;
  g_autoptr (GPtrArray) visited = NULL;
  guint n_seen = 0;

  for (guint l = 0; l < 9; l++)
    {
      directions[l] = 1;
      banned[3 * 9 + l] = TRUE;
    }
  mt_refine_options_init (&options);
  options.tune = TRUE;
  options.directions = directions;
  options.numeric_directions = numeric_directions;
  options.banned = banned;
  options.no_negation = TRUE;
  visited = refine (self, task, &options);
  for (guint i = 0; i < visited->len; i++)
    {
      const MtRuleSet *rules = ((MtPathModel *) visited->pdata[i])->rules;

      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);

          if (term->rule == NULL)
            continue;
          for (guint k = 0; k < mt_rule_get_n_inputs (term->rule); k++)
            {
              guint literal = mt_rule_get_inputs (term->rule)[k];

              g_assert_false (banned[literal]);
              if (literal < 9)
                g_assert_cmpfloat (term->weights[0], >=, 0);
              n_seen += literal < 9;
            }
          for (guint c = 0; c < mt_rule_get_n_cubes (term->rule); c++)
            g_assert_cmpuint (mt_rule_get_cubes (term->rule)[c].mask, ==, mt_rule_get_cubes (term->rule)[c].value);
        }
    }
  g_assert_cmpuint (n_seen, >, 0);
}

/* The quadratic model of an exchange is exact for least squares: the refitted objective says the same. */
static void
test_gain_is_exact (Fixture       *self,
                    gconstpointer  data)
{
  double centre, scale, before, after;
  g_autofree double *target = mt_refine_standardise (self->target, N_ROWS, &centre, &scale);
  g_autoptr (MtLinearFit) fit = mt_linear_fit_new (MT_TASK_REGRESSION, 1, target, N_ROWS, (MtRidge) { 5, 0 });
  g_autoptr (MtLinearFitWithout) without = NULL;
  g_autoptr (GError) error = NULL;
  double gain, cost, gradient;

  for (guint l = 0; l < 40; l += 4)
    mt_linear_fit_add (fit, (MtLinearFitColumn) { mt_encoded_get_plane (self->encoded, l), NULL });
  mt_linear_fit_add (fit, (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (self->encoded, 4) });
  g_assert_true (mt_linear_fit_fit (fit, 50, 1e-9, NULL, &error));
  before = mt_linear_fit_get_objective (fit);
  without = mt_linear_fit_without_new (fit, 2);
  cost = mt_linear_fit_without_get_cost (without);
  gain = mt_linear_fit_without_get_gain (without, (MtLinearFitColumn) { mt_encoded_get_plane (self->encoded, 21), NULL },
                                         &gradient);
  g_clear_pointer (&without, mt_linear_fit_without_free);
  g_assert_cmpfloat (fabs (mt_linear_fit_get_objective (fit) - before), <, 1e-9);      /* asking changes nothing */
  mt_linear_fit_replace (fit, 2, (MtLinearFitColumn) { mt_encoded_get_plane (self->encoded, 21), NULL });
  g_assert_true (mt_linear_fit_fit (fit, 200, 1e-10, NULL, &error));
  after = mt_linear_fit_get_objective (fit);
  g_assert_cmpfloat (fabs (after - before - (cost - gain)), <, 1e-4 * before);
  g_assert_cmpint (gradient > 0, ==, mt_linear_fit_get_weight (fit, 2, 0) > 0);
}

/* Columns made orthogonal: q·q of a new column is what the others add up to of it. */
static void
test_basis (Fixture       *self,
            gconstpointer  data)
{
  double centre, scale;
  g_autofree double *target = mt_refine_standardise (self->target, N_ROWS, &centre, &scale);
  g_autoptr (MtLinearFit) fit = mt_linear_fit_new (MT_TASK_REGRESSION, 1, target, N_ROWS, (MtRidge) { 5, 0 });
  g_autoptr (MtLinearFitBasis) basis = NULL;
  g_autofree double *q = NULL;
  const guint64 *plane = mt_encoded_get_plane (self->encoded, 33);
  g_autoptr (GError) error = NULL;
  double square = 0, n = 0, g = 0, expected;

  for (guint l = 0; l < 40; l += 5)
    mt_linear_fit_add (fit, (MtLinearFitColumn) { mt_encoded_get_plane (self->encoded, l), NULL });
  g_assert_true (mt_linear_fit_fit (fit, 50, 1e-9, NULL, &error));
  basis = mt_linear_fit_basis_new (fit, 0, 1);
  q = g_new0 (double, basis->n);
  for (gsize r = 0; r < N_ROWS; r++)
    if (mt_plane_get (plane, r))
      {
        n++;
        g += mt_linear_fit_get_residual (fit, 0)[r];
        for (guint k = 0; k < basis->n; k++)
          q[k] += (double) basis->rows[r * basis->stride + k];
      }
  for (guint k = 0; k < basis->n; k++)
    square += q[k] * q[k];
  expected = mt_linear_fit_get_add_gain (fit, (MtLinearFitColumn) { plane, NULL });
  g_assert_cmpfloat (fabs (.5 * g * g / (n + 5 - square) - expected), <, 1e-3 * expected + 1e-6);
}

static MtFrontier *
run_frontier (Fixture  *self,
              MtTask    task,
              guint     n_threads,
              guint     n_nodes,
              gboolean  with_network)
{
  g_autoptr (MtPool) pool = mt_pool_new (n_threads);
  g_autoptr (GError) error = NULL;
  MtFrontierOptions options;
  MtFrontier *frontier;

  mt_frontier_options_init (&options);
  options.refine.tune = TRUE;
  options.compare_network = with_network;
  options.train.n_nodes = n_nodes;
  options.n_folds = 3;
  frontier = mt_frontier_run (self->encoded, self->target, task, n_outputs_of (task), self->fold_of, &options, pool, NULL,
                              NULL, NULL, &error);
  g_assert_no_error (error);
  return frontier;
}

/* What a point says of trainings fits its rules: none is marked as changed by training unless a step was kept. */
static void
assert_training_fits (const MtFrontierPoint *point)
{
  g_autofree char *words = mt_frontier_point_dup_training (point);
  guint n_trained = 0;

  g_assert_cmpuint (point->n_kept, <=, point->n_trainings);
  for (guint t = 0; t < mt_rule_set_get_n_terms (point->rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (point->rules, t);
      const MtOrigin *origin = term->rule != NULL ? mt_rule_get_origin (term->rule) : NULL;

      n_trained += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_GRADIENT) != 0;
    }
  if (n_trained > 0)
    g_assert_cmpuint (point->n_kept, >, 0);
  if (point->path != MT_PATH_TUNED)
    g_assert_cmpuint (point->n_trainings, ==, 0);
  g_assert_true ((words != NULL) == (point->path == MT_PATH_TUNED));
  if (point->n_trainings > 1)
    {
      g_autofree char *count = g_strdup_printf ("%u networks were trained", point->n_trainings);

      g_assert_nonnull (strstr (words, count));
    }
}

/* The same bytes on one thread and on three, with the network in it; the network is there to be read, and the folds say
 * which path each point is from. */
static void
test_threads_and_network (Fixture       *self,
                          gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autoptr (MtFrontier) one = run_frontier (self, task, 1, 12, TRUE);
  g_autoptr (MtFrontier) three = run_frontier (self, task, 3, 12, TRUE);
  MtNet *net = mt_frontier_get_net (one);
  guint n_trainings = 0;

  g_assert_nonnull (net);
  g_assert_cmpuint (mt_net_get_shape (net)->n_nodes, >=, 12);
  g_assert_cmpuint (mt_frontier_get_n_steps (one), >, 0);
  g_assert_cmpuint (mt_frontier_get_n_points (one), ==, mt_frontier_get_n_points (three));
  for (guint i = 0; i < mt_frontier_get_n_points (one); i++)
    {
      const MtFrontierPoint *p = mt_frontier_get_point (one, i), *q = mt_frontier_get_point (three, i);

      assert_same_rules (p->rules, q->rules);
      g_assert_cmpfloat (p->cv_mean, ==, q->cv_mean);
      g_assert_cmpint (p->path, ==, q->path);
      g_assert_cmpuint (p->n_trainings, ==, q->n_trainings);
      g_assert_cmpuint (p->n_kept, ==, q->n_kept);
      assert_training_fits (p);
      n_trainings += p->n_trainings;
      if (p->complexity > 3)
        g_assert_false (isnan (p->over_mean[p->path == MT_PATH_TUNED ? MT_PATH_SEARCH : MT_PATH_TUNED]));
    }
  g_assert_cmpuint (n_trainings, >, 0);
}

typedef struct {
  GCancellable *cancellable;
  gint64        when;
  guint         n_reports;
} Stopper;

static void
stop_at_the_end (const MtLearnProgress *progress,
                 gpointer               user_data)
{
  Stopper *self = user_data;

  /* Elimination's last report is the bare bias: tuning follows. */
  if (progress->phase == MT_LEARN_ELIMINATING && progress->literals == 1 && self->when == 0)
    {
      self->when = g_get_monotonic_time ();
      g_cancellable_cancel (self->cancellable);
    }
}

static void
test_cancel (Fixture       *self,
             gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Stopper stopper = { cancellable, 0, 0 };
  MtRefineOptions options;
  g_autoptr (GError) error = NULL;
  GPtrArray *visited;

  mt_refine_options_init (&options);
  options.tune = TRUE;
  visited = mt_refine_run (self->encoded, self->target, task, n_outputs_of (task), &options, stop_at_the_end, &stopper,
                           cancellable, &error);
  g_assert_null (visited);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (stopper.when, >, 0);
  g_assert_cmpint (g_get_monotonic_time () - stopper.when, <, 5 * G_USEC_PER_SEC);      /* a loaded machine */
}

int
main (int   argc,
      char *argv[])
{
  static const struct { const char *name; MtTask task; } tasks[] = {
    { "numbers", MT_TASK_REGRESSION }, { "two", MT_TASK_BINARY }, { "many", MT_TASK_MULTICLASS },
  };

  g_test_init (&argc, &argv, NULL);
#define ADD(path, task, test) \
  g_test_add (path, Fixture, GINT_TO_POINTER (task), fixture_set_up, test, fixture_tear_down)
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autofree char *better = g_strdup_printf ("/refine-tune/better/%s", tasks[i].name);
      g_autofree char *threads = g_strdup_printf ("/refine-tune/threads/%s", tasks[i].name);
      g_autofree char *cancel = g_strdup_printf ("/refine-tune/cancel/%s", tasks[i].name);

      ADD (better, tasks[i].task, test_adds_better_ones);
      ADD (threads, tasks[i].task, test_threads_and_network);
      ADD (cancel, tasks[i].task, test_cancel);
    }
  ADD ("/refine-tune/constraints/numbers", MT_TASK_REGRESSION, test_keeps_constraints);
  ADD ("/refine-tune/constraints/two", MT_TASK_BINARY, test_keeps_constraints);
  ADD ("/refine-tune/gain", MT_TASK_REGRESSION, test_gain_is_exact);
  ADD ("/refine-tune/basis", MT_TASK_REGRESSION, test_basis);
  return g_test_run ();
}
