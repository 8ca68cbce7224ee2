/* The linear programs behind the minimiser's bounds: against every corner of small ones, with cuts added on the way, and
 * on programs whose answer is known. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "logic/mt-qmc-simplex.h"
#include "base/mt-random.h"

#define MOST_VARS  5
#define MOST_INEQS 7
#define CLOSE      1e-4     /* costs are perturbed by less than that comes to */

/* The program in plain numbers. */
typedef struct {
  guint  n_vars, n_ineqs;
  double a[MOST_INEQS][MOST_VARS], rhs[MOST_INEQS], cost[MOST_VARS];
} Plain;

static double
value_of (const Plain  *plain,
          guint         ineq,
          const double *x)
{
  double sum = 0;

  for (guint j = 0; j < plain->n_vars; j++)
    sum += plain->a[ineq][j] * x[j];
  return sum;
}

/* The corner where the constraints of @tight hold with equality: inequalities, then x[j] = 0. FALSE: they meet in no point. */
static gboolean
find_corner (const Plain *plain,
             guint        tight,
             double      *x)
{
  double m[MOST_VARS][MOST_VARS + 1] = { { 0 } };
  guint n = plain->n_vars, row = 0;

  for (guint i = 0; i < plain->n_ineqs + n; i++)
    if ((tight >> i) & 1)
      {
        for (guint j = 0; j < n; j++)
          m[row][j] = i < plain->n_ineqs ? plain->a[i][j] : j == i - plain->n_ineqs;
        m[row++][n] = i < plain->n_ineqs ? plain->rhs[i] : 0;
      }
  for (guint k = 0; k < n; k++)
    {
      guint best = k;

      for (guint r = k; r < n; r++)
        best = fabs (m[r][k]) > fabs (m[best][k]) ? r : best;
      if (fabs (m[best][k]) < 1e-9)
        return FALSE;
      for (guint j = 0; j <= n; j++)
        {
          double kept = m[k][j];

          m[k][j] = m[best][j];
          m[best][j] = kept;
        }
      for (guint r = 0; r < n; r++)
        for (guint j = n + 1; r != k && j-- > k;)
          m[r][j] -= m[r][k] / m[k][k] * m[k][j];
    }
  for (guint k = 0; k < n; k++)
    x[k] = m[k][n] / m[k][k];
  return TRUE;
}

/* The least cost over all corners that satisfy everything. */
static double
find_least (const Plain *plain)
{
  guint n_all = plain->n_ineqs + plain->n_vars;
  double least = INFINITY, x[MOST_VARS];

  for (guint tight = 0; tight < 1u << n_all; tight++)
    {
      gboolean is_allowed = (guint) __builtin_popcount (tight) == plain->n_vars && find_corner (plain, tight, x);
      double cost = 0;

      for (guint j = 0; is_allowed && j < plain->n_vars; j++)
        {
          is_allowed = x[j] > -1e-9;
          cost += plain->cost[j] * x[j];
        }
      for (guint i = 0; is_allowed && i < plain->n_ineqs; i++)
        is_allowed = value_of (plain, i, x) > plain->rhs[i] - 1e-9;
      if (is_allowed)
        least = MIN (least, cost);
    }
  return least;
}

static void
put_in (MtQmcMatrix *matrix,
        Plain       *plain,
        guint        row,
        guint        column)
{
  mt_qmc_set_put_in (matrix->col_rows + column * matrix->row_words, row);
  mt_qmc_set_put_in (matrix->row_cols + row * matrix->col_words, column);
  plain->a[row][column] = 1;
  plain->rhs[row] = 1;
}

/* The program's x satisfies everything, and costs what the best corner does. */
static void
assert_solved (const MtQmcProgram *program,
               const Plain        *plain)
{
  double cost = 0;

  for (guint j = 0; j < plain->n_vars; j++)
    {
      g_assert_cmpfloat (program->x[j], >, -1e-6);
      cost += plain->cost[j] * program->x[j];
    }
  for (guint i = 0; i < plain->n_ineqs; i++)
    {
      g_assert_cmpfloat (mt_qmc_program_violation (program, i), <, 1e-6);
      g_assert_cmpfloat_with_epsilon (mt_qmc_program_violation (program, i), plain->rhs[i] - value_of (plain, i, program->x),
                                      1e-9);
    }
  g_assert_cmpfloat_with_epsilon (cost, find_least (plain), CLOSE);
}

static void
test_corners (void)
{
  MtRandom random;
  guint n_broken = 0;

  mt_random_init (&random, 12);
  for (guint round = 0; round < 400; round++)
    {
      Plain plain = { .n_vars = 2 + (guint) mt_random_below (&random, MOST_VARS - 1),
                      .n_ineqs = 1 + (guint) mt_random_below (&random, 5) };
      guint extra = (guint) mt_random_below (&random, 3), n_cuts = (guint) mt_random_below (&random, 3);
      MtQmcMeter meter = { .budget = G_MAXUINT64 };
      MtQmcProgram program;
      MtQmcMatrix matrix;

      mt_qmc_matrix_init (&matrix, plain.n_ineqs, plain.n_vars);
      for (guint j = 0; j < plain.n_vars; j++)
        {
          matrix.literals[j] = (guint16) (1 + mt_random_below (&random, 6));
          plain.cost[j] = matrix.literals[j] + extra;
        }
      for (guint r = 0; r < plain.n_ineqs; r++)
        for (guint i = 0; i < 1 + (guint) mt_random_below (&random, 3); i++)
          put_in (&matrix, &plain, r, (guint) mt_random_below (&random, plain.n_vars));
      mt_qmc_program_init (&program, &matrix, &meter);
      mt_qmc_program_start (&program, extra);
      g_assert_true (mt_qmc_program_solve (&program));
      assert_solved (&program, &plain);

      /* It goes on from there with inequalities that it may break. */
      for (guint c = 0; c < n_cuts; c++)
        {
          MtQmcEntry entries[MOST_VARS];
          gint32 rhs = 1 + (gint32) mt_random_below (&random, 4);

          for (guint j = 0; j < plain.n_vars; j++)
            {
              entries[j] = (MtQmcEntry) { j, 1 + (gint32) mt_random_below (&random, 3) };
              plain.a[plain.n_ineqs][j] = entries[j].coef;
            }
          plain.rhs[plain.n_ineqs++] = rhs;
          mt_qmc_program_add (&program, entries, plain.n_vars, rhs);
          n_broken += mt_qmc_program_violation (&program, plain.n_ineqs - 1) > 1e-6;
          g_assert_true (mt_qmc_program_solve (&program));
          assert_solved (&program, &plain);
        }
      mt_qmc_program_clear (&program);
      mt_qmc_matrix_clear (&matrix);
    }
  g_assert_cmpuint (n_broken, >, 50);
}

/* Three rows, each with two of three columns: halves of all, until a cut says that halves are not enough. */
static void
test_triangle (void)
{
  static const MtQmcEntry all[] = { { 0, 1 }, { 1, 1 }, { 2, 1 } };
  Plain plain = { .n_vars = 3, .n_ineqs = 3, .cost = { 2, 2, 2 } };
  MtQmcMeter meter = { .budget = G_MAXUINT64 };
  MtQmcProgram program;
  MtQmcMatrix matrix;

  mt_qmc_matrix_init (&matrix, 3, 3);
  for (guint r = 0; r < 3; r++)
    {
      matrix.literals[r] = 2;
      put_in (&matrix, &plain, r, r);
      put_in (&matrix, &plain, r, (r + 1) % 3);
    }
  mt_qmc_program_init (&program, &matrix, &meter);
  mt_qmc_program_start (&program, 0);
  g_assert_true (mt_qmc_program_solve (&program));
  for (guint j = 0; j < 3; j++)
    g_assert_cmpfloat_with_epsilon (program.x[j], 0.5, CLOSE);
  mt_qmc_program_add (&program, all, 3, 2);
  g_assert_cmpfloat_with_epsilon (mt_qmc_program_violation (&program, 3), 0.5, CLOSE);
  g_assert_true (mt_qmc_program_solve (&program));
  g_assert_cmpfloat_with_epsilon (program.x[0] + program.x[1] + program.x[2], 2, CLOSE);

  /* From the start again with dearer columns; the cut stays. */
  mt_qmc_program_start (&program, 5);
  g_assert_cmpint (program.cost[1], ==, 7);
  g_assert_true (mt_qmc_program_solve (&program));
  g_assert_cmpfloat_with_epsilon (program.x[0] + program.x[1] + program.x[2], 2, CLOSE);
  mt_qmc_program_clear (&program);
  mt_qmc_matrix_clear (&matrix);
}

/* Without work left it says that it did not get there. */
static void
test_budget (void)
{
  Plain plain = { .n_vars = 2, .n_ineqs = 1 };
  MtQmcMeter meter = { .budget = 1 };
  MtQmcProgram program;
  MtQmcMatrix matrix;

  mt_qmc_matrix_init (&matrix, 1, 2);
  matrix.literals[0] = matrix.literals[1] = 1;
  put_in (&matrix, &plain, 0, 0);
  put_in (&matrix, &plain, 0, 1);
  mt_qmc_program_init (&program, &matrix, &meter);
  mt_qmc_program_start (&program, 0);
  g_assert_false (mt_qmc_program_solve (&program));
  g_assert_true (meter.exhausted);
  mt_qmc_program_clear (&program);
  mt_qmc_matrix_clear (&matrix);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/qmc-simplex/corners", test_corners);
  g_test_add_func ("/qmc-simplex/triangle", test_triangle);
  g_test_add_func ("/qmc-simplex/budget", test_budget);
  return g_test_run ();
}
