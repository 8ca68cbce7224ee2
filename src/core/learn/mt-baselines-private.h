/* What the two halves of mt-baselines share: a part is what one model learns from and is judged
 * on. Parts 0 … n_folds-1 are the folds, the last one learns from all rows and is judged on the
 * test rows. Parts are the unit of parallel work; each writes only to its own slots. */
#pragma once

#include "mt-baselines.h"
#include "mt-boosting.h"

G_BEGIN_DECLS

/* A tree of one size: what a part says of it. */
typedef struct {
  guint  literals;
  guint  leaves;
  double score;
  double train;
} MtTreeSize;

typedef struct {
  MtEncoded *rest, *held;            /* held may be NULL */
  MtEncoded *sample, *fine_sample;   /* what trees learn from */
  MtEncoded *fine_held;
  double    *target, *held_target, *sample_target;
  gsize      n_sample;

  double     intercept, linear;      /* scores on the held rows */
  double     intercept_train, linear_train;
  GArray    *trees;                  /* of MtTreeSize, ascending */
  MtBooster *booster;
  GArray    *losses, *scores;        /* of double, one a check */
  GError    *error;
} MtBaselinePart;

typedef struct {
  MtTask          task;
  guint           n_outputs;
  guint           n_parts;
  MtBaselinePart *parts;
  guint           n_rounds;          /* before a check */
  GCancellable   *cancellable;
} MtBaselineRun;

double _mt_baseline_metric       (const MtBaselineRun *run,
                                  gsize                n_rows,
                                  const double        *predictions,
                                  const double        *target);
/* Terms of the linear model. */
guint  _mt_baseline_count_unary  (const MtEncoded     *encoded);
/* Pool functions; @number is a part. An error goes to the part. The first: intercept, linear, tree;
 * the second: n_rounds more of boosting, and a check of the held rows. */
void   _mt_baseline_judge_simple (guint                number,
                                  guint                worker,
                                  gpointer             run);
void   _mt_baseline_boost        (guint                number,
                                  guint                worker,
                                  gpointer             run);

G_END_DECLS
