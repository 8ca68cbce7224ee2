/* Ranks of methods over data sets, and the Friedman test of whether they differ.
 *
 * Rank 1 is the highest value; equal values share the mean of their ranks; a missing value (NaN) is below all others. With n
 * data sets, k methods and mean ranks R: χ² = 12 n / (k (k + 1)) (Σ R² - k (k + 1)² / 4), with k - 1 degrees of freedom. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @values: n_sets × n_methods. @ranks: n_methods, the mean ranks. */
void   mt_lab_mean_ranks  (const double *values,
                           guint         n_sets,
                           guint         n_methods,
                           double       *ranks);
double mt_lab_friedman    (const double *ranks,
                           guint         n_sets,
                           guint         n_methods);
/* Probability of at least @chi_squared by chance. */
double mt_lab_chi_squared (double        chi_squared,
                           guint         degrees);

G_END_DECLS
