/* Factor and inverse against what defines them, and the sums of a product written out in the order of the header. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-cholesky.h"
#include "base/mt-random.h"

/* A Aᵀ of a random A of @n rows and n + 3 columns, plus @ridge; what lies past the lower triangle is never read. */
static double *
new_matrix (MtRandom *random,
            guint     n,
            gsize     stride,
            double    ridge)
{
  guint m = n + 3;
  g_autofree double *a = g_new (double, (gsize) n * m);
  double *h = g_new (double, n * stride);

  for (gsize i = 0; i < (gsize) n * m; i++)
    a[i] = mt_random_normal (random);
  for (gsize i = 0; i < n * stride; i++)
    h[i] = NAN;
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j <= i; j++)
      {
        h[i * stride + j] = i == j ? ridge : 0;
        for (guint k = 0; k < m; k++)
          h[i * stride + j] += a[i * m + k] * a[j * m + k];
      }
  return h;
}

static double
at (const double *h,
    gsize         stride,
    guint         i,
    guint         j)
{
  return h[MAX (i, j) * stride + MIN (i, j)];
}

static void
test_factor (void)
{
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint n = 1; n < 60; n += n < 20 ? 1 : 13)
    {
      gsize stride = n + n % 5;
      g_autofree double *h = new_matrix (&random, n, stride, 1);
      g_autofree double *l = g_memdup2 (h, n * stride * sizeof *h);
      g_autofree double *scratch = g_new (double, mt_cholesky_scratch_size (n));

      g_assert_true (mt_cholesky_factor (l, n, stride, scratch));
      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n; j++)
          {
            double sum = 0;

            for (guint k = 0; k < n; k++)
              sum += l[i * stride + k] * l[j * stride + k];
            g_assert_cmpfloat (fabs (sum - at (h, stride, i, j)), <, 1e-12 * at (h, stride, i, i) * n);
            if (j > i)
              g_assert_cmpfloat (l[i * stride + j], ==, 0);
          }
    }
}

static void
test_inverse (void)
{
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint n = 1; n < 80; n += n < 20 ? 1 : 11)
    {
      gsize stride = n + n % 5;
      g_autofree double *h = new_matrix (&random, n, stride, 1);
      g_autofree double *inverse = g_memdup2 (h, n * stride * sizeof *h);
      g_autofree double *scratch = g_new (double, mt_cholesky_scratch_size (n));

      g_assert_true (mt_cholesky_invert (inverse, n, stride, scratch));
      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n; j++)
          {
            double sum = 0;

            for (guint k = 0; k < n; k++)
              sum += at (h, stride, i, k) * inverse[k * stride + j];
            g_assert_cmpfloat (fabs (sum - (i == j)), <, 1e-9);
            g_assert_cmpfloat (inverse[i * stride + j], ==, inverse[j * stride + i]);
          }
    }
}

/* A matrix that no square root has, and one that is not finite: refused, and left as it was. */
static void
test_refused (void)
{
  const double bad[] = { -1, 0, NAN, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    for (guint n = 9; n <= 17; n += 8)
      {
        MtRandom random;
        g_autofree double *h = NULL;
        g_autofree double *old = NULL;
        g_autofree double *scratch = g_new (double, mt_cholesky_scratch_size (n));

        mt_random_init (&random, 5);
        h = new_matrix (&random, n, n, 1);
        h[(n - 1) * n + n - 1] = bad[i];
        old = g_memdup2 (h, n * n * sizeof *h);
        g_assert_false (mt_cholesky_factor (h, n, n, scratch));
        g_assert_false (mt_cholesky_invert (h, n, n, scratch));
        g_assert_cmpmem (h, n * n * sizeof *h, old, n * n * sizeof *h);
      }
}

static void
test_times (void)
{
  MtRandom random;

  mt_random_init (&random, 6);
  for (guint n = 1; n < 40; n++)
    {
      gsize stride = n + n % 3;
      g_autofree double *h = g_new (double, n * stride);
      g_autofree double *x = g_new (double, n);
      g_autofree double *out = g_new (double, n);

      for (gsize i = 0; i < n * stride; i++)
        h[i] = mt_random_normal (&random);
      for (guint i = 0; i < n; i++)
        x[i] = mt_random_normal (&random);
      mt_matrix_times (h, n, stride, x, out);
      for (guint i = 0; i < n; i++)
        {
          double lanes[8] = { 0 };

          for (guint j = 0; j < n; j++)
            lanes[j % 8] += h[i * stride + j] * x[j];
          g_assert_cmpfloat (out[i], ==,
                             ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])));
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cholesky/factor", test_factor);
  g_test_add_func ("/cholesky/inverse", test_inverse);
  g_test_add_func ("/cholesky/refused", test_refused);
  g_test_add_func ("/cholesky/times", test_times);
  return g_test_run ();
}
