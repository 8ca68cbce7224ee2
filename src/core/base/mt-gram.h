/* Sums of products of rows of numbers: the dense blocks of fitting and scanning.
 * Kernels: pointers and counts, no allocation. Each sum runs in fixed lanes, eight of doubles and sixteen of
 * floats, so it does not depend on the machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* h[i * stride + j] += Σ_r x[i * step + r] · x[j * step + r] for j ≤ i: the lower triangle of a
 * Gram matrix; n_rows at most step, both multiples of 8. */
void   mt_gram_add    (const double  *x,
                        gsize          step,
                        guint          n,
                        gsize          n_rows,
                        double        *h,
                        gsize          stride);
/* h[i * stride + j] += Σ_r x[i * step + r] · y[j * step + r] for i < n_x, j < n_y; each sum as that of mt_gram_add(). */
void   mt_gram_add_between (const double *x,
                            guint         n_x,
                            const double *y,
                            guint         n_y,
                            gsize         step,
                            gsize         n_rows,
                            double       *h,
                            gsize         stride);
/* g[i * stride + j] += Σ_r x[i * step + r] · y[j * step + r] for j ≥ i: the upper triangle; multiples of 16. */
void   mt_product_add (const float   *x,
                        const float   *y,
                        gsize          step,
                        guint          n,
                        gsize          n_rows,
                        float         *g,
                        gsize          stride);

G_END_DECLS
