/* The ways of mt-planes.h that only some machines have. */
#pragma once

#include "mt-planes.h"

G_BEGIN_DECLS

gboolean mt_planes_have_masks      (void);
void     mt_planes_sum_masked      (const guint64 *const *planes,
                                    guint                 n_planes,
                                    const double         *x,
                                    gsize                 n_rows,
                                    double               *sums);
void     mt_columns_combine_masked (const guint64 *const *planes,
                                    const double *const  *values,
                                    const double         *weights,
                                    guint                 n,
                                    double                start,
                                    gsize                 n_rows,
                                    double               *out);

G_END_DECLS
