/* exp and log against the C library's long double, which is right to the last digit of a double; and bits that a processor must not
 * change. */
#include "config.h"

#include "base/mt-math.h"
#include "base/mt-random.h"

static double
between (MtRandom *random,
         double    from,
         double    to)
{
  return from + (to - from) * mt_random_double (random);
}

/* In units in the last place of what is right. */
static double
error_of (double      got,
          long double right)
{
  double rounded = (double) right;
  double unit = nextafter (fabs (rounded), INFINITY) - fabs (rounded);

  return (double) fabsl ((long double) got - right) / unit;
}

static void
test_errors (void)
{
  MtRandom random;
  double worst[4] = { 0 };

  mt_random_init (&random, 1);
  for (guint i = 0; i < 400000; i++)
    {
      double range = i % 3 == 0 ? 700 : i % 3 == 1 ? 40 : .5;
      double x = between (&random, -range, range), y = expl ((long double) between (&random, -700, 700));
      double near = between (&random, .5, 2), small = between (&random, -.9, 1) * (i % 2 ? 1 : 1e-9);

      worst[0] = MAX (worst[0], error_of (mt_exp (x), expl (x)));
      worst[1] = MAX (worst[1], error_of (mt_expm1 (x), expm1l (x)));
      worst[2] = MAX (worst[2], MAX (error_of (mt_log (y), logl (y)), error_of (mt_log (near), logl (near))));
      worst[3] = MAX (worst[3], MAX (error_of (mt_log1p (small), log1pl (small)), error_of (mt_log1p (y), log1pl (y))));
    }
  g_test_message ("exp %g, expm1 %g, log %g, log1p %g units", worst[0], worst[1], worst[2], worst[3]);
  g_assert_cmpfloat (worst[0], <, 1);
  g_assert_cmpfloat (worst[1], <, 4);
  g_assert_cmpfloat (worst[2], <, 1);
  g_assert_cmpfloat (worst[3], <, 2);
}

static void
test_ends (void)
{
  g_assert_cmpfloat (mt_exp (0), ==, 1);
  g_assert_cmpfloat (mt_exp (-INFINITY), ==, 0);
  g_assert_cmpfloat (mt_exp (-800), ==, 0);
  g_assert_cmpfloat (mt_exp (INFINITY), ==, INFINITY);
  g_assert_cmpfloat (mt_exp (709.78), ==, exp (709.78));
  g_assert_cmpfloat (mt_exp (710), ==, INFINITY);
  g_assert_cmpfloat (mt_exp (-745), ==, exp (-745));
  g_assert_true (isnan (mt_exp (NAN)));
  g_assert_cmpfloat (mt_log (0), ==, -INFINITY);
  g_assert_cmpfloat (mt_log (1), ==, 0);
  g_assert_cmpfloat (mt_log (INFINITY), ==, INFINITY);
  g_assert_cmpfloat (fabs (mt_log (0x1p-1074) - log (0x1p-1074)), <, 1e-12);
  g_assert_true (isnan (mt_log (-1)));
  g_assert_true (isnan (mt_log (NAN)));
  g_assert_cmpfloat (mt_log1p (0), ==, 0);
  g_assert_cmpfloat (mt_log1p (1e-300), ==, 1e-300);
  g_assert_cmpfloat (mt_log1p (-1), ==, -INFINITY);
  g_assert_cmpfloat (mt_log1p (INFINITY), ==, INFINITY);
  g_assert_cmpfloat (mt_expm1 (1e-300), ==, 1e-300);
  g_assert_cmpfloat (mt_power (2, 10), ==, 1024);
  g_assert_cmpfloat (mt_power (.5, 0), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/math/errors", test_errors);
  g_test_add_func ("/math/ends", test_ends);
  return g_test_run ();
}
