/* Ranks with ties and gaps, and the Friedman test against figures of tables. */
#include "config.h"

#include <math.h>

#include "mt-core.h"
#include "lab/mt-lab-ranks.h"

static void
test_ranks (void)
{
  const double values[] = { .9, .8, .8, NAN,
                            .1, .2, .3, .4,
                            NAN, NAN, .5, .6 };
  double ranks[4];

  mt_lab_mean_ranks (values, 3, 4, ranks);
  g_assert_cmpfloat_with_epsilon (ranks[0], (1 + 4 + 3.5) / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (ranks[1], (2.5 + 3 + 3.5) / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (ranks[2], (2.5 + 2 + 2) / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (ranks[3], (4 + 1 + 1) / 3., 1e-12);
}

/* Three judges agree on four methods: χ² is n (k - 1). */
static void
test_friedman (void)
{
  const double ranks[] = { 1, 2, 3, 4 }, even[] = { 2.5, 2.5, 2.5, 2.5 };

  g_assert_cmpfloat_with_epsilon (mt_lab_friedman (ranks, 3, 4), 9, 1e-12);
  g_assert_cmpfloat_with_epsilon (mt_lab_friedman (even, 3, 4), 0, 1e-12);
}

/* The 5 % and 1 % points that every table has. */
static void
test_chi_squared (void)
{
  g_assert_cmpfloat_with_epsilon (mt_lab_chi_squared (3.8415, 1), .05, 1e-5);
  g_assert_cmpfloat_with_epsilon (mt_lab_chi_squared (5.9915, 2), .05, 1e-5);
  g_assert_cmpfloat_with_epsilon (mt_lab_chi_squared (11.0705, 5), .05, 1e-5);
  g_assert_cmpfloat_with_epsilon (mt_lab_chi_squared (20.0902, 8), .01, 1e-5);
  g_assert_cmpfloat_with_epsilon (mt_lab_chi_squared (21.6660, 9), .01, 1e-5);
  g_assert_cmpfloat (mt_lab_chi_squared (0, 4), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-ranks/ranks", test_ranks);
  g_test_add_func ("/lab-ranks/friedman", test_friedman);
  g_test_add_func ("/lab-ranks/chi-squared", test_chi_squared);
  return g_test_run ();
}
