/* How good predictions are, and how sure of that one can be.
 *
 * Predictions are what is reported to people: binary, p of the second class (n_rows);
 * multiclass, p of each class (n_classes × n_rows, class after class); regression, the
 * number itself (n_rows). The decided class is the most probable one; a tie goes to the
 * lower class, so binary decides for class 1 iff p > 0.5, or another cutoff if one was chosen.
 *
 * A metric that the data do not define (AUC of one class, R² of a constant) is NaN, and so
 * is every metric of a prediction that is not finite.
 *
 *   auc       share of (positive, negative) pairs ordered rightly, a tie counts one half;
 *             multiclass: mean over the classes, each against the rest
 *   log_loss  mean of -log p of the true class, p at least 1e-15
 *   balanced_accuracy  mean over the classes present of the share decided rightly
 *   f1        2TP / (2TP + FP + FN) of class 1; multiclass: mean over the classes present
 *   brier     mean of (p - y)²; multiclass: summed over the classes
 *   r2        1 - Σ(y - ŷ)² / Σ(y - ȳ)²
 *
 * An example with two classes, y = 1 0 1 and p = .9 .4 .4: of the two pairs (positive,
 * negative) one is in order and one is tied, so AUC is .75. The log loss is (−log .9 − log
 * .6 − log .4) / 3 = .51. Decided are 1 0 0: accuracy 2/3, balanced accuracy (½ + 1) / 2 =
 * .75, F1 = 2 · 1 / (2 + 0 + 1) = .67. Brier is (.01 + .16 + .36) / 3 = .18.
 *
 * Sizes: 10²–10⁶ rows, 2–1,000 classes. Sorting is the only step that is not linear. */
#pragma once

#include <gio/gio.h>

#include "base/mt-parallel.h"
#include "base/mt-task.h"

G_BEGIN_DECLS

typedef enum {
  MT_METRIC_AUC,
  MT_METRIC_LOG_LOSS,
  MT_METRIC_ACCURACY,
  MT_METRIC_BALANCED_ACCURACY,
  MT_METRIC_F1,
  MT_METRIC_BRIER,
  MT_METRIC_R2,
  MT_METRIC_RMSE,
  MT_METRIC_MAE,
  MT_N_METRICS,
} MtMetric;

const char *mt_metric_to_string     (MtMetric    metric);   /* "auc", "log_loss", … */
const char *mt_metric_get_name      (MtMetric    metric);   /* for people, in English: "AUC", "log loss", … */
gboolean    mt_metric_from_string   (const char *word,
                                     MtMetric   *metric);
gboolean    mt_metric_is_defined    (MtMetric    metric,
                                     MtTask      task);

/* The truth and the predictions; arrays are borrowed. */
typedef struct {
  MtTask         task;
  guint          n_classes;     /* 2 or more; regression: 0 */
  gsize          n_rows;
  const guint32 *classes;       /* classes only: each below n_classes */
  const double  *values;        /* regression only */
  const double  *predictions;
  double         cutoff;        /* of two classes: above it the second is decided; 0: MT_CUTOFF */
} MtScored;

double      mt_scored_get_cutoff    (const MtScored *scored);

double      mt_metric_compute       (MtMetric        metric,
                                     const MtScored *scored);
/* AUC of any score, not only of probabilities: positives are the rows of @positive. */
double      mt_metric_auc           (const double   *scores,
                                     const guint32  *classes,
                                     guint32         positive,
                                     gsize           n_rows);

typedef struct {
  double value;           /* on all rows as they are */
  double low, high;       /* percentiles (1 ∓ level) / 2 of the resamples */
  guint  n_resamples;     /* those on which the metric is defined */
} MtInterval;

/* Percentile bootstrap: rows drawn with replacement, @n_resamples times. Resample i has its
 * own stream of @seed, so the interval does not depend on the pool (may be NULL). FALSE only
 * when cancelled. intervals[i] belongs to metrics[i]. */
gboolean    mt_metric_bootstrap     (const MtMetric *metrics,
                                     guint           n_metrics,
                                     const MtScored *scored,
                                     guint           n_resamples,
                                     double          level,         /* 0.95 */
                                     guint64         seed,
                                     MtPool         *pool,
                                     MtInterval     *intervals,
                                     GCancellable   *cancellable,
                                     GError        **error);

typedef struct {
  double from, to;           /* the bin: from ≤ p < to; the last one includes 1 */
  double mean_predicted;
  double observed;           /* share of rows of the class */
  gsize  n_rows;
} MtCalibrationBin;

/* Bins of equal width of the probability of @class_; empty bins are left out. Returns how
 * many of the at most @n_bins were written. *error_ is the mean distance between predicted
 * and observed, weighted by rows (may be NULL). Classes only. */
guint       mt_metric_calibration   (const MtScored   *scored,
                                     guint             class_,
                                     guint             n_bins,
                                     MtCalibrationBin *bins,
                                     double           *error_);

G_END_DECLS
