/* Sorting what is sorted in several places. See mt-sort.h. */
#include "config.h"
#include "mt-sort.h"

#include <stdlib.h>

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

void
mt_sort_doubles (double *values,
                 gsize   n_values)
{
  if (n_values > 1)
    qsort (values, n_values, sizeof *values, compare_doubles);
}
