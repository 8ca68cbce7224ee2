/* Factor, inverse and product of a symmetric positive definite matrix, with the same bits on every processor: each sum
 * has eight lanes and a fixed order, and no product is fused with a sum. Matrices lie row after row; only the lower
 * triangle of an argument is read. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Doubles of scratch that the functions below need for a matrix of @n rows. */
gsize    mt_cholesky_scratch_size (guint n);
/* h = L Lᵀ; L replaces the lower triangle, and the rest becomes 0. FALSE if h is not positive definite, or not finite; it is then
 * unchanged. */
gboolean mt_cholesky_factor       (double *h,
                                   guint   n,
                                   gsize   stride,
                                   double *scratch);
/* h⁻¹ replaces h, both triangles. FALSE as above. */
gboolean mt_cholesky_invert       (double *h,
                                   guint   n,
                                   gsize   stride,
                                   double *scratch);
/* out[i] = Σ_j h[i * stride + j] · x[j], n × n, summed in eight lanes; h need not be symmetric. */
void     mt_matrix_times          (const double *h,
                                   guint         n,
                                   gsize         stride,
                                   const double *x,
                                   double       *out);

G_END_DECLS
