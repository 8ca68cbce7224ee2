#include "config.h"

#include <math.h>

#include "base/mt-random.h"

/* The stream is part of the contract: models made with a seed must be made again by it. */
static void
test_known_stream (void)
{
  MtRandom random;
  guint64 first;

  mt_random_init (&random, 0);
  first = mt_random_next (&random);
  g_assert_cmpuint (first, ==, G_GUINT64_CONSTANT (11091344671253066420));
  mt_random_init_stream (&random, 0, 1);
  g_assert_cmpuint (mt_random_next (&random), !=, first);
}

static void
test_moments (void)
{
  const int n = 200000;
  double sum = 0, squares = 0, uniform = 0;
  MtRandom random;

  mt_random_init (&random, 42);
  for (int i = 0; i < n; i++)
    {
      double z = mt_random_normal (&random);
      double u = mt_random_double (&random);

      g_assert_true (u >= 0 && u < 1);
      sum += z;
      squares += z * z;
      uniform += u;
    }
  g_assert_cmpfloat (fabs (sum / n), <, 0.01);
  g_assert_cmpfloat (fabs (squares / n - 1), <, 0.02);
  g_assert_cmpfloat (fabs (uniform / n - 0.5), <, 0.005);
}

static void
test_below_and_shuffle (void)
{
  guint32 items[10], seen = 0;
  guint counts[3] = { 0 };
  MtRandom random;

  mt_random_init (&random, 7);
  for (guint i = 0; i < 30000; i++)
    counts[mt_random_below (&random, 3)]++;
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (ABS ((int) counts[i] - 10000), <, 400);

  for (guint i = 0; i < 10; i++)
    items[i] = i;
  mt_random_shuffle (&random, items, 10);
  for (guint i = 0; i < 10; i++)
    seen |= 1u << items[i];
  g_assert_cmpuint (seen, ==, 1023);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random/known-stream", test_known_stream);
  g_test_add_func ("/random/moments", test_moments);
  g_test_add_func ("/random/below-and-shuffle", test_below_and_shuffle);
  return g_test_run ();
}
