/* How far new rows are from those that a model learned from: the population stability index (PSI) of each column and
 * of the score.
 *
 *   PSI = Σ (q − p) · ln (q / p) over the bins, p the share of the training rows and q that of the new ones,
 *         each as (n + ½) / (N + ½ · bins)
 *
 * Bins of a number: neighboring thresholds of the model, joined up to a tenth of the training rows; of a category: its
 * levels, those below 1 % together. Missing cells are a bin. Of the score: tenths of the training rows. A column of
 * one bin has no index. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

#define MT_DRIFT_SOME  0.1     /* from here on: some drift … */
#define MT_DRIFT_MUCH  0.25    /* … and much */

typedef struct _MtDrift MtDrift;

/* @rows NULL: all of the table. It then counts new rows only. */
MtDrift *mt_drift_new        (const MtModel *model, const MtTable *table, const guint32 *rows, gsize n_rows,
                              GError **error);
/* With the same training rows, and no new ones yet. */
MtDrift *mt_drift_copy       (const MtDrift *drift);
void     mt_drift_free       (MtDrift *drift);
/* All rows of @table; @predictions: theirs, as mt_model_predict() gives them. */
gboolean mt_drift_add        (MtDrift *drift, const MtModel *model, const MtTable *table, const double *predictions,
                              GError **error);
/* NaN: no new rows, or only one bin. @column: of the model's encoder. */
double   mt_drift_get_column (const MtDrift *drift, guint column);
double   mt_drift_get_score  (const MtDrift *drift);

/* Of counts in the same bins, before and now. NaN: one bin, or no rows. */
double   mt_drift_compute_psi (const guint64 *before, const guint64 *now, guint n_bins);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDrift, mt_drift_free)

G_END_DECLS
