/* Sums over a bit plane and a row of numbers: the inner loops of fitting and refining.
 * Kernels: pointers and counts, no allocation. Planes as in mt-encoded.h; bits past the last
 * row are zero. Each sum runs in sixteen fixed lanes, whole words from
 * their last row to their first, so it does not depend on the machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Σ x[r] over rows whose bit is set. */
double mt_plane_sum    (const guint64 *plane,
                        const double  *x,
                        gsize          n_rows);
/* The same for each of several planes, which read x together. */
void   mt_planes_sum   (const guint64 *const *planes,
                        guint          n_planes,
                        const double  *x,
                        gsize          n_rows,
                        double        *sums);
/* out[r] = start + Σ_j weights[j] · column j, in this order; a column is a plane or, where that is NULL, values. */
void   mt_columns_combine (const guint64 *const *planes,
                           const double *const  *values,
                           const double         *weights,
                           guint                 n,
                           double                start,
                           gsize                 n_rows,
                           double               *out);
/* y[r] += weight where the bit is set. */
void   mt_plane_add    (const guint64 *plane,
                        double         weight,
                        double        *y,
                        gsize          n_rows);
/* out[r] = x[r] where the bit is set, else 0; @first is a multiple of 64. */
void   mt_plane_spread (const guint64 *plane,
                        const double  *x,
                        gsize          first,
                        gsize          n_rows,
                        double        *out);
/* The same with floats, from the first row on. */
void   mt_plane_spread_floats (const guint64 *plane,
                               const float   *x,
                               gsize          n_rows,
                               float         *out);
/* p = σ(eta); returns Σ log (1 + exp (-|eta|)), the part of the logistic loss that needs a logarithm. */
double mt_sigmoid      (const double  *eta,
                        gsize          n_rows,
                        double        *p);
/* p[c · n_rows + r] = exp (eta_cr) / Σ_c exp (eta_cr); returns Σ over rows of log Σ_c exp (eta_cr). At most 1,000 outputs. */
double mt_softmax      (const double  *eta,
                        guint          n_outputs,
                        gsize          n_rows,
                        double        *p);
gsize  mt_plane_count  (const guint64 *plane,
                        gsize          n_words);
/* Rows set in both. */
gsize  mt_plane_count_and (const guint64 *a,
                           const guint64 *b,
                           gsize          n_words);
/* patterns[r]: bit i is plane i's bit of row r; at most eight planes. */
void   mt_planes_to_patterns (const guint64 *const *planes,
                              guint                 n_planes,
                              gsize                 n_rows,
                              guint16              *patterns);

G_END_DECLS
