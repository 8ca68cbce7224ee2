/* What simpler and more complex methods give on the same rows and folds, to hold the frontier
 * against:
 *
 *   intercept  one constant; AUC 0.5, R² about 0
 *   linear     logistic, multinomial or least-squares regression with a ridge of 1 on all unary
 *              terms: standardized numbers, levels, `is missing`; literals: its terms + 1
 *   tree       CART on the frontier's own literals, grown best first; judged at every size, so
 *              that there is one of the size of any model; literals: those of all paths
 *              (mt_tree_count_literals)
 *   boosted    gradient-boosted trees on up to 63 thresholds a column: a black box, without a count
 *              of literals. As many rounds as give the least mean loss over the folds.
 *
 * Scores are mean and standard error over the folds of mt_learn_run() with the same options. The
 * number of rounds is chosen on those same folds, by loss and not by the metric: that
 * flatters the boosted trees a little, as is usual for such references.
 *
 * Of more than MT_BASELINE_MAX_TERMS terms there is no regression: its scores are NaN.
 *
 * Beyond MT_BASELINE_MAX_ROWS rows tree and boosted trees learn from that many, drawn by the seed. */
#pragma once

#include "mt-learn.h"

G_BEGIN_DECLS

#define MT_BASELINE_MAX_ROWS 100000u
#define MT_BASELINE_MAX_TERMS 3000u

typedef enum {
  MT_BASELINE_INTERCEPT,
  MT_BASELINE_LINEAR,
  MT_BASELINE_TREE,        /* of at most the literals asked for */
  MT_BASELINE_BOOSTED,
  MT_N_BASELINES,
} MtBaselineKind;

const char *mt_baseline_kind_to_string (MtBaselineKind kind);   /* "intercept", "linear", "tree", "boosted" */

typedef struct {
  MtBaselineKind kind;
  guint          literals;    /* in our count; 0: has none that could be read */
  guint          size;        /* linear: terms; tree: leaves; boosted: trees a class; intercept: 0 */
  double         cv_mean;     /* NaN without folds */
  double         cv_se;
  double         train;
  double         test;        /* NaN without test rows */
} MtBaseline;

typedef struct _MtBaselines MtBaselines;   /* immutable, refcounted */

/* Rows to test on as well; the model's choice must not depend on them. */
typedef struct {
  const MtTable *table;
  const guint32 *rows;        /* NULL: all */
  gsize          n_rows;
} MtBaselineTest;

/* @rows NULL: all rows. @test may be NULL. @progress as in mt_frontier_run(). The result is the same
 * for every number of threads. */
MtBaselines *mt_baselines_run       (const MtTable         *table,
                                     const guint32         *rows,
                                     gsize                  n_rows,
                                     const MtLearnOptions  *options,
                                     const MtBaselineTest  *test,
                                     MtPool                *pool,
                                     MtProgressFunc         progress,
                                     gpointer               progress_data,
                                     GCancellable          *cancellable,
                                     GError               **error);
MtBaselines *mt_baselines_ref       (MtBaselines           *baselines);
void         mt_baselines_unref     (MtBaselines           *baselines);
/* @literals: the size of the tree, at most; 0: the best of all sizes by the folds. */
void         mt_baselines_get       (const MtBaselines     *baselines,
                                     MtBaselineKind         kind,
                                     guint                  literals,
                                     MtBaseline            *baseline);
/* Scores of the folds; NaN where a fold does not define the metric. */
const double *mt_baselines_get_fold_scores (const MtBaselines *baselines,
                                     MtBaselineKind         kind,
                                     guint                  literals,
                                     guint                 *n_folds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtBaselines, mt_baselines_unref)

G_END_DECLS
