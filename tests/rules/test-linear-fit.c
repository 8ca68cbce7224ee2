#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "rules/mt-linear-fit.h"
#include "base/mt-planes.h"
#include "base/mt-random.h"

/* Reference: the objective written out, minimised by plain coordinate descent with a
 * golden-section search, which knows nothing of Hessians. */
enum { N_ROWS = 131, N_PLANES = 4, N_VALUES = 2, N_COLUMNS = N_PLANES + N_VALUES, N_WORDS = 8 };

typedef struct {
  MtTask  task;
  guint   n_outputs;
  guint64 planes[N_PLANES][N_WORDS];
  double  values[N_VALUES][N_ROWS];
  double  target[N_ROWS];
  const double *class_weights;     /* NULL: 1 */
} Problem;

static void
problem_init (Problem *self,
              MtTask   task,
              guint    n_outputs)
{
  MtRandom random;

  mt_random_init (&random, 7);
  memset (self, 0, sizeof *self);
  self->task = task;
  self->n_outputs = n_outputs;
  for (gsize r = 0; r < N_ROWS; r++)
    {
      double score = mt_random_normal (&random);

      for (guint p = 0; p < N_PLANES; p++)
        if (mt_random_below (&random, 3) == 0)
          {
            self->planes[p][r / 64] |= (guint64) 1 << (r % 64);
            score += p - 1.0;
          }
      for (guint v = 0; v < N_VALUES; v++)
        {
          self->values[v][r] = (float) mt_random_normal (&random);
          score += self->values[v][r];
        }
      self->target[r] = task == MT_TASK_REGRESSION ? score :
                        task == MT_TASK_BINARY ? score > 0 : score > 1 ? 2 : score > -1;
    }
}

static MtLinearFitColumn
problem_column (const Problem *self,
                guint          j)
{
  if (j < N_PLANES)
    return (MtLinearFitColumn) { self->planes[j], NULL };
  return (MtLinearFitColumn) { NULL, self->values[j - N_PLANES] };
}

static double
column_value (const Problem *self,
              guint          j,
              gsize          r)
{
  return j < N_PLANES ? (self->planes[j][r / 64] >> (r % 64) & 1) : (double) self->values[j - N_PLANES][r];
}

/* The ridge of a column, counted row by row. */
static double
ridge_of (const Problem *self,
          guint          j,
          MtRidge        ridge)
{
  double p = 0;

  for (gsize r = 0; r < N_ROWS && j < N_PLANES; r++)
    p += column_value (self, j, r) / N_ROWS;
  return ridge.each + ridge.spread * (j < N_PLANES ? 4 * p * (1 - p) : 1);
}

/* weights: per output bias, then columns; a column with use[j] FALSE is left out. */
static double
objective (const Problem  *self,
           const gboolean *use,
           const double   *weights,
           MtRidge         ridge)
{
  double sum = 0;

  for (gsize r = 0; r < N_ROWS; r++)
    {
      double eta[3], loss, weight = self->class_weights != NULL ? self->class_weights[(int) self->target[r]] : 1;

      for (guint c = 0; c < self->n_outputs; c++)
        {
          eta[c] = weights[c * (N_COLUMNS + 1)];
          for (guint j = 0; j < N_COLUMNS; j++)
            if (use[j])
              eta[c] += weights[c * (N_COLUMNS + 1) + j + 1] * column_value (self, j, r);
        }
      if (self->task == MT_TASK_REGRESSION)
        loss = .5 * (eta[0] - self->target[r]) * (eta[0] - self->target[r]);
      else if (self->task == MT_TASK_BINARY)
        loss = log (1 + exp (eta[0])) - self->target[r] * eta[0];
      else
        loss = log (exp (eta[0]) + exp (eta[1]) + exp (eta[2])) - eta[(int) self->target[r]];
      sum += weight * loss;
    }
  for (guint c = 0; c < self->n_outputs; c++)
    for (guint j = 0; j < N_COLUMNS; j++)
      if (use[j])
        sum += .5 * ridge_of (self, j, ridge) * weights[c * (N_COLUMNS + 1) + j + 1] * weights[c * (N_COLUMNS + 1) + j + 1];
  return sum;
}

static double
brute_force (const Problem  *self,
             const gboolean *use,
             MtRidge         ridge,
             double         *weights)
{
  double now, before;

  memset (weights, 0, 3 * (N_COLUMNS + 1) * sizeof *weights);
  now = objective (self, use, weights, ridge);
  do
    {
      before = now;
      for (guint i = 0; i < self->n_outputs * (N_COLUMNS + 1); i++)
        {
          double low = weights[i] - 2, high = weights[i] + 2;

          for (guint k = 0; k < 40; k++)
            {
              double a = low + .382 * (high - low), b = low + .618 * (high - low), fa;

              weights[i] = a;
              fa = objective (self, use, weights, ridge);
              weights[i] = b;
              if (fa < objective (self, use, weights, ridge))
                high = b;
              else
                low = a;
            }
          weights[i] = .5 * (low + high);
        }
      now = objective (self, use, weights, ridge);
    }
  while (before - now > 1e-9);
  return now;
}

static void
assert_minimum (const Problem  *self,
                MtLinearFit         *head,
                const gboolean *use,
                MtRidge         ridge)
{
  double weights[3 * (N_COLUMNS + 1)];
  double expected = brute_force (self, use, ridge, weights);
  g_autoptr (GError) error = NULL;

  g_assert_true (mt_linear_fit_fit (head, 200, 1e-12, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (fabs (mt_linear_fit_get_objective (head) - expected), <, 1e-5);
}

static void
check_minimum (MtTask  task,
               MtRidge ridge)
{
  Problem problem;
  gboolean use[N_COLUMNS] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  g_autoptr (MtLinearFit) head = NULL;
  MtLinearFitColumn fifth;

  problem_init (&problem, task, task == MT_TASK_MULTICLASS ? 3 : 1);
  head = mt_linear_fit_new (task, problem.n_outputs, problem.target, N_ROWS, ridge);
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  assert_minimum (&problem, head, use, ridge);

  /* Without column 1, whose place the last one takes; then with it back. */
  mt_linear_fit_remove (head, 1);
  use[1] = FALSE;
  assert_minimum (&problem, head, use, ridge);
  mt_linear_fit_add (head, problem_column (&problem, 1));
  use[1] = TRUE;
  assert_minimum (&problem, head, use, ridge);

  /* Another column in the place of the fifth (values 0) is the same as that one removed. */
  fifth = problem_column (&problem, 0);
  mt_linear_fit_replace (head, 4, fifth);
  mt_linear_fit_remove (head, 4);
  use[4] = FALSE;
  assert_minimum (&problem, head, use, ridge);
}

static void
test_minimum (gconstpointer data)
{
  check_minimum (GPOINTER_TO_INT (data), (MtRidge) { 2, 0 });
  check_minimum (GPOINTER_TO_INT (data), (MtRidge) { 2, 30 });
}

/* What shrinks many columns together takes little from a rare one. */
static void
test_spread (void)
{
  const MtRidge ridge = { 5, 190 };
  Problem problem;
  guint64 rare[N_WORDS] = { 1 };
  g_autoptr (MtLinearFit) head = NULL;

  problem_init (&problem, MT_TASK_REGRESSION, 1);
  head = mt_linear_fit_new (MT_TASK_REGRESSION, 1, problem.target, N_ROWS, ridge);
  g_assert_cmpfloat (mt_linear_fit_get_ridge (head, (MtLinearFitColumn) { rare, NULL }), <, 5 + 190 * .04);
  g_assert_cmpfloat (mt_linear_fit_get_ridge (head, problem_column (&problem, 0)), >, 5 + 190 * .7);
  g_assert_cmpfloat (mt_linear_fit_get_ridge (head, problem_column (&problem, N_PLANES)), ==, 195);
  g_assert_cmpfloat (mt_ridge_at (ridge, 0), ==, 5);
  g_assert_cmpfloat (mt_ridge_at (ridge, .5), ==, 195);
}

/* Some classes count more than others: still the minimum, and another one. */
static void
test_class_weights (gconstpointer data)
{
  static const double weights[] = { .5, 3, 1.25 };
  MtTask task = GPOINTER_TO_INT (data);
  Problem problem;
  gboolean use[N_COLUMNS] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  g_autoptr (MtLinearFit) head = NULL;
  double bias;

  problem_init (&problem, task, task == MT_TASK_MULTICLASS ? 3 : 1);
  problem.class_weights = weights;
  head = mt_linear_fit_new (task, problem.n_outputs, problem.target, N_ROWS, (MtRidge) { 2, 0 });
  mt_linear_fit_set_class_weights (head, weights);
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  assert_minimum (&problem, head, use, (MtRidge) { 2, 0 });
  mt_linear_fit_remove (head, 2);
  use[2] = FALSE;
  assert_minimum (&problem, head, use, (MtRidge) { 2, 0 });
  bias = mt_linear_fit_get_bias (head, 0);
  mt_linear_fit_set_class_weights (head, NULL);
  problem.class_weights = NULL;
  assert_minimum (&problem, head, use, (MtRidge) { 2, 0 });
  g_assert_cmpfloat (fabs (mt_linear_fit_get_bias (head, 0) - bias), >, .1);
}

/* For least squares the promised cost of a removal is exact. */
static void
test_drop_cost (void)
{
  Problem problem;
  g_autoptr (MtLinearFit) head = NULL;
  double before, cost;

  problem_init (&problem, MT_TASK_REGRESSION, 1);
  head = mt_linear_fit_new (MT_TASK_REGRESSION, 1, problem.target, N_ROWS, (MtRidge) { 3, 0 });
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  g_assert_true (mt_linear_fit_fit (head, 100, 1e-12, NULL, NULL));
  for (guint n = N_COLUMNS; n > 0; n--)
    {
      before = mt_linear_fit_get_objective (head);
      cost = mt_linear_fit_get_drop_cost (head, n / 2);
      mt_linear_fit_remove (head, n / 2);
      g_assert_cmpfloat (fabs (mt_linear_fit_get_objective (head) - before - cost), <, 1e-6);
    }
}

static void
assert_same_bits (MtLinearFit *head,
                  MtLinearFit *other,
                  guint        n_outputs)
{
  g_assert_cmpuint (mt_linear_fit_get_n_columns (head), ==, mt_linear_fit_get_n_columns (other));
  g_assert_cmpfloat (mt_linear_fit_get_objective (head), ==, mt_linear_fit_get_objective (other));
  for (guint j = 0; j < mt_linear_fit_get_n_columns (head); j++)
    g_assert_cmpfloat (mt_linear_fit_get_drop_cost (head, j), ==, mt_linear_fit_get_drop_cost (other, j));
  for (guint c = 0; c < n_outputs; c++)
    {
      g_assert_cmpfloat (mt_linear_fit_get_bias (head, c), ==, mt_linear_fit_get_bias (other, c));
      g_assert_cmpmem (mt_linear_fit_get_residual (head, c), N_ROWS * sizeof (double),
                       mt_linear_fit_get_residual (other, c), N_ROWS * sizeof (double));
      for (guint j = 0; j < mt_linear_fit_get_n_columns (head); j++)
        g_assert_cmpfloat (mt_linear_fit_get_weight (head, j, c), ==, mt_linear_fit_get_weight (other, j, c));
    }
}

/* What was put aside comes back to the last bit, whatever was done in between; and weights that a fit found are where
 * another one of the same columns ends at once. */
static void
test_put_aside (gconstpointer data)
{
  MtTask task = GPOINTER_TO_INT (data);
  Problem problem;
  g_autoptr (MtLinearFit) head = NULL;
  g_autoptr (MtLinearFit) never_changed = NULL;
  MtLinearFit *aside;
  double weights[3][N_COLUMNS], biases[3];

  problem_init (&problem, task, task == MT_TASK_MULTICLASS ? 3 : 1);
  head = mt_linear_fit_new (task, problem.n_outputs, problem.target, N_ROWS, (MtRidge) { 2, 0 });
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  g_assert_true (mt_linear_fit_fit (head, 100, 1e-9, NULL, NULL));
  aside = mt_linear_fit_copy (head);
  never_changed = mt_linear_fit_copy (head);
  for (guint c = 0; c < problem.n_outputs; c++)
    {
      biases[c] = mt_linear_fit_get_bias (head, c);
      for (guint j = 0; j < N_COLUMNS; j++)
        weights[c][j] = mt_linear_fit_get_weight (head, j, c);
    }
  mt_linear_fit_remove (head, 1);
  mt_linear_fit_remove (head, 3);
  g_assert_true (mt_linear_fit_fit (head, 100, 1e-9, NULL, NULL));
  g_assert_cmpfloat (mt_linear_fit_get_objective (head), >, mt_linear_fit_get_objective (aside) + .01);
  mt_linear_fit_become (head, aside);
  assert_same_bits (head, never_changed, problem.n_outputs);

  mt_linear_fit_forget_inverse (head);
  while (mt_linear_fit_get_n_columns (head) > 0)
    mt_linear_fit_remove (head, mt_linear_fit_get_n_columns (head) - 1);
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  for (guint c = 0; c < problem.n_outputs; c++)
    mt_linear_fit_set_start (head, c, biases[c], weights[c]);
  g_assert_true (mt_linear_fit_fit (head, 100, 1e-6, NULL, NULL));
  for (guint c = 0; c < problem.n_outputs; c++)
    for (guint j = 0; j < N_COLUMNS; j++)
      g_assert_cmpfloat (mt_linear_fit_get_weight (head, j, c), ==, weights[c][j]);
}

/* A walk from many columns to few: the room that is given back changes nothing. */
static void
test_room (gconstpointer data)
{
  enum { N_MORE = 150 };
  MtTask task = GPOINTER_TO_INT (data);
  Problem problem;
  g_autofree guint64 *more = g_new0 (guint64, N_MORE * N_WORDS);
  gboolean use[N_COLUMNS] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  g_autoptr (MtLinearFit) head = NULL;
  MtRandom random;

  problem_init (&problem, task, task == MT_TASK_MULTICLASS ? 3 : 1);
  mt_random_init (&random, 3);
  head = mt_linear_fit_new (task, problem.n_outputs, problem.target, N_ROWS, (MtRidge) { 2, 0 });
  for (guint j = 0; j < N_COLUMNS; j++)
    mt_linear_fit_add (head, problem_column (&problem, j));
  for (guint i = 0; i < N_MORE; i++)
    {
      for (gsize r = 0; r < N_ROWS; r++)
        if (mt_random_below (&random, 2) == 0)
          more[i * N_WORDS + r / 64] |= (guint64) 1 << (r % 64);
      mt_linear_fit_add (head, (MtLinearFitColumn) { more + i * N_WORDS, NULL });
    }
  g_assert_true (mt_linear_fit_fit (head, 100, 1e-6, NULL, NULL));
  for (guint n = N_COLUMNS + N_MORE; n > N_COLUMNS; n--)
    {
      double cost = mt_linear_fit_get_drop_cost (head, n - 1), before = mt_linear_fit_get_objective (head);

      mt_linear_fit_remove (head, n - 1);
      /* Least squares: exact, so a place that was moved wrongly shows at once. */
      if (task == MT_TASK_REGRESSION)
        g_assert_cmpfloat (fabs (mt_linear_fit_get_objective (head) - before - cost), <, 1e-6);
      else if (n % 16 == 0)
        g_assert_true (mt_linear_fit_fit (head, 100, 1e-6, NULL, NULL));
    }
  assert_minimum (&problem, head, use, (MtRidge) { 2, 0 });
}

static void
test_cancel (void)
{
  Problem problem;
  g_autoptr (MtLinearFit) head = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  problem_init (&problem, MT_TASK_BINARY, 1);
  head = mt_linear_fit_new (MT_TASK_BINARY, 1, problem.target, N_ROWS, (MtRidge) { 1, 0 });
  mt_linear_fit_add (head, problem_column (&problem, 0));
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_linear_fit_fit (head, 10, 1e-9, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_not_finite (void)
{
  Problem problem;
  g_autoptr (MtLinearFit) head = NULL;
  g_autoptr (GError) error = NULL;

  problem_init (&problem, MT_TASK_BINARY, 1);
  problem.values[0][5] = NAN;
  head = mt_linear_fit_new (MT_TASK_BINARY, 1, problem.target, N_ROWS, (MtRidge) { 1, 0 });
  mt_linear_fit_add (head, problem_column (&problem, N_PLANES));
  g_assert_false (mt_linear_fit_fit (head, 10, 1e-9, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_cmpstr (error->message, ==, "a weight stopped being finite while fitting");
  g_clear_error (&error);

  g_clear_pointer (&head, mt_linear_fit_free);
  problem.target[3] = INFINITY;
  head = mt_linear_fit_new (MT_TASK_REGRESSION, 1, problem.target, N_ROWS, (MtRidge) { 1, 0 });
  mt_linear_fit_add (head, problem_column (&problem, 0));
  g_assert_false (mt_linear_fit_fit (head, 10, 1e-9, NULL, &error));
  g_assert_cmpstr (error->message, ==, "a weight stopped being finite while fitting");
}

static void
test_planes (void)
{
  Problem problem;
  double x[N_ROWS], y[N_ROWS] = { 0 }, sum = 0;
  const guint64 *planes[N_PLANES];
  guint16 patterns[N_ROWS];

  problem_init (&problem, MT_TASK_REGRESSION, 1);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      x[r] = r * .25;
      sum += column_value (&problem, 2, r) * x[r];
    }
  g_assert_cmpfloat (fabs (mt_plane_sum (problem.planes[2], x, N_ROWS) - sum), <, 1e-9);
  mt_plane_add (problem.planes[2], 3, y, N_ROWS);
  for (guint p = 0; p < N_PLANES; p++)
    planes[p] = problem.planes[p];
  mt_planes_to_patterns (planes, N_PLANES, N_ROWS, patterns);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      g_assert_cmpfloat (y[r], ==, 3 * column_value (&problem, 2, r));
      for (guint p = 0; p < N_PLANES; p++)
        g_assert_cmpint (patterns[r] >> p & 1, ==, (int) column_value (&problem, p, r));
    }
  mt_plane_spread (problem.planes[1], x, 64, N_ROWS - 64, y);
  for (gsize r = 64; r < N_ROWS; r++)
    g_assert_cmpfloat (y[r - 64], ==, column_value (&problem, 1, r) * x[r]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head/planes", test_planes);
  g_test_add_data_func ("/head/minimum/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_minimum);
  g_test_add_data_func ("/head/minimum/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_minimum);
  g_test_add_data_func ("/head/minimum/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_minimum);
  g_test_add_data_func ("/head/class-weights/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_class_weights);
  g_test_add_data_func ("/head/class-weights/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_class_weights);
  g_test_add_func ("/head/spread", test_spread);
  g_test_add_func ("/head/drop-cost", test_drop_cost);
  g_test_add_data_func ("/head/put-aside/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_put_aside);
  g_test_add_data_func ("/head/put-aside/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_put_aside);
  g_test_add_data_func ("/head/put-aside/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_put_aside);
  g_test_add_data_func ("/head/room/binary", GINT_TO_POINTER (MT_TASK_BINARY), test_room);
  g_test_add_data_func ("/head/room/multiclass", GINT_TO_POINTER (MT_TASK_MULTICLASS), test_room);
  g_test_add_data_func ("/head/room/regression", GINT_TO_POINTER (MT_TASK_REGRESSION), test_room);
  g_test_add_func ("/head/cancel", test_cancel);
  g_test_add_func ("/head/not-finite", test_not_finite);
  return g_test_run ();
}
