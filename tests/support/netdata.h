/* Encoded rows and small nets made from a seed, for the tests of the learner. */
#pragma once

#include "network/mt-net.h"

G_BEGIN_DECLS

/* Groups of every kind in turn, about @n_literals literals in all; two numeric columns
 * unless @n_numeric says otherwise. */
MtEncoded *mt_test_encoded   (guint   n_groups,
                              guint   n_bits,
                              guint   n_numeric,
                              gsize   n_rows,
                              guint64 seed);
/* Labels that depend on the first groups: classes 0 … n_classes-1, with some noise. */
guint32   *mt_test_classes   (const MtEncoded *encoded,
                              guint            n_classes,
                              guint64          seed);
double    *mt_test_values    (const MtEncoded *encoded,
                              guint64          seed);

G_END_DECLS
