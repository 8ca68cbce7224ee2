/* Tables and models that several test programs use: random, seeded, with everything in them
 * that a file or an export has to cope with. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

/* Six columns: "a", "b (log)" with missing cells, "when" (date), "d" with a rare level and
 * names that need quoting, "e is odd" with missing and rare ones, "f" (boolean, missing); and
 * the target "y": "no"/"yes" (binary), "low"/"mid"/"=high" (multiclass), or a number. */
MtTable *mt_test_sample_table (MtTask task, gsize n_rows, guint64 seed);
/* The same table, of whose cells some count as missing from now on: a number, a text and a moment. */
void     mt_test_sample_gaps  (MtTable *table);

/* A model of that table with @n_rules random rules of up to four inputs, minimised with their
 * impossible and unseen assignments free, and two numeric terms. */
MtModel *mt_test_sample_model (MtTask task, const MtTable *table, guint n_rules, guint64 seed);
/* The same with "a" as a signed logarithm around its median, and "b (log)" clipped. */
MtModel *mt_test_shaped_model (MtTask task, const MtTable *table, guint n_rules, guint64 seed);

G_END_DECLS
