/* The distributions of a table's columns, computed off the main thread when first asked
 * for. Columns are shared between tables, so another role computes nothing again.
 * Signal "changed": some that were asked for are there. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_DISTRIBUTIONS (mt_distributions_get_type ())

G_DECLARE_FINAL_TYPE (MtDistributions, mt_distributions, MT, DISTRIBUTIONS, GObject)

MtDistributions *mt_distributions_new       (void);
void             mt_distributions_set_table (MtDistributions *self,
                                             MtTable         *table);   /* NULL: none */
/* NULL while it is being computed. */
MtDistribution  *mt_distributions_get       (MtDistributions *self,
                                             guint            column);

G_END_DECLS
