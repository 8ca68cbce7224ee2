/* Sums and steps over rows of doubles, the plain ones: what planes have no part in.
 * Kernels: pointers and counts, no allocation. Sums run in eight fixed lanes, row r in lane r mod 8, so they do not
 * depend on the machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Σ x[r]. */
double mt_dense_sum       (const double *x,
                           gsize         n);
/* Σ x[r] · y[r]. */
double mt_dense_dot       (const double *x,
                           const double *y,
                           gsize         n);
/* y[r] += factor · x[r]. */
void   mt_dense_add       (double        factor,
                           const double *x,
                           double       *y,
                           gsize         n);
/* y[r] += factor · x[r] / divisor. */
void   mt_dense_add_ratio (double        factor,
                           double        divisor,
                           const double *x,
                           double       *y,
                           gsize         n);

G_END_DECLS
