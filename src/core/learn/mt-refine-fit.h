/* How the search prepares and judges a fit of weights, for others that must fit the same way: the editor of
 * a model refits with these, so that an edit that changes nothing leaves the weights as they were. */
#pragma once

#include "base/mt-task.h"
#include "rules/mt-linear-fit.h"

G_BEGIN_DECLS

/* The target with mean 0 and standard deviation 1; g_free() it. */
double   *mt_refine_standardise    (const double *target,
                                    gsize         n_rows,
                                    double       *centre,
                                    double       *scale);
/* The weight of each class that makes all classes count the same; g_free() it. */
double   *mt_refine_balance        (const double *target,
                                    gsize         n_rows,
                                    guint         n_classes);
/* The improvement of the objective that a fit may leave undone. */
double    mt_refine_tolerance      (MtLinearFit  *head);
/* Whether a term's weight for one class gains so little that the model stores 0. */
gboolean  mt_refine_weight_is_idle (MtLinearFit  *head,
                                    MtTask        task,
                                    gsize         n_rows,
                                    guint         term,
                                    guint         output);

G_END_DECLS
