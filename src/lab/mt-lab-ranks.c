/* Ranks and the Friedman test. See mt-lab-ranks.h. */
#include "config.h"
#include "mt-lab-ranks.h"

#include <math.h>
#include <string.h>

void
mt_lab_mean_ranks (const double *values,
                   guint         n_sets,
                   guint         n_methods,
                   double       *ranks)
{
  memset (ranks, 0, n_methods * sizeof *ranks);
  for (guint s = 0; s < n_sets; s++)
    for (guint m = 0; m < n_methods; m++)
      {
        double mine = values[s * n_methods + m];
        guint above = 0, equal = 0;

        for (guint o = 0; o < n_methods; o++)
          {
            double other = values[s * n_methods + o];

            if (other == mine || (isnan (other) && isnan (mine)))
              equal++;
            else if (other > mine || (isnan (mine) && !isnan (other)))
              above++;
          }
        ranks[m] += (above + (equal + 1) / 2.) / n_sets;
      }
}

double
mt_lab_friedman (const double *ranks,
                 guint         n_sets,
                 guint         n_methods)
{
  double k = n_methods, sum = 0;

  for (guint m = 0; m < n_methods; m++)
    sum += ranks[m] * ranks[m];
  return 12 * n_sets / (k * (k + 1)) * (sum - k * (k + 1) * (k + 1) / 4);
}

/* The upper incomplete gamma function of half the degrees, by its two closed sums for whole and half numbers. */
double
mt_lab_chi_squared (double chi_squared,
                    guint  degrees)
{
  double x = MAX (chi_squared, 0) / 2, term, sum, a;

  if (degrees % 2 == 0)
    {
      term = sum = exp (-x);
      for (guint i = 1; i < degrees / 2; i++)
        sum += term *= x / i;
      return sum;
    }
  sum = erfc (sqrt (x));
  term = exp (-x) * sqrt (x / G_PI) * 2;
  for (a = 1.5; a <= degrees / 2. + .1; a++)
    {
      sum += term;
      term *= x / a;
    }
  return sum;
}
