/* How good a model's answers are on some rows, as the Quality page shows it: predictions compared with the truth,
 * with metrics, and for classes the rows ranked by the probability of each.
 *
 * Immutable but for the intervals, which come later, and counted: may be handed to a thread. */
#pragma once

#include "model/mt-edit.h"
#include "rules/mt-ranking.h"
#include "mt-subgroups.h"

G_BEGIN_DECLS

/* The rows. */
typedef enum {
  MT_PERFORMANCE_FOLDS,       /* training rows, each by weights that were fitted without its fold */
  MT_PERFORMANCE_TRAINING,    /* training rows, by the model itself */
  MT_PERFORMANCE_TEST,        /* rows that played no part in learning, by the model itself */
} MtPerformanceRows;

typedef struct {
  MtPerformanceRows  rows;
  MtScored           scored;        /* of the arrays below */
  guint              n_outputs;
  guint32           *classes;
  double            *values;
  double            *predictions;
  guint32           *table_rows;    /* which rows of the table they are */
  gsize              n_left_out;    /* training rows in no fold */
  MtRanking        **rankings;      /* per class, of two only of the second; NULL: a number */
  MtMeasuring        how;
  double             metrics[MT_N_METRICS];     /* as how.metrics */
  guint             *n_by_class;    /* rows of each */
} MtPerformance;

/* Of the rules themselves. */
MtPerformance *mt_performance_new_rules  (MtPerformanceRows    rows,
                                          const MtRuleSet     *rules,
                                          guint                n_classes,
                                          const MtEncoded     *encoded,
                                          const double        *target,
                                          const guint32       *table_rows,
                                          guint                n_resamples,
                                          guint64              seed);
/* Of rules that @history (may be NULL) led to, fold by fold. */
MtPerformance *mt_performance_new_folds  (const MtEditContext *context,
                                          const MtRuleSet     *rules,
                                          const MtEditHistory *history,
                                          guint                n_classes,
                                          const guint32       *table_rows,
                                          guint                n_resamples,
                                          guint64              seed,
                                          GCancellable        *cancellable,
                                          GError             **error);
MtPerformance *mt_performance_ref        (MtPerformance       *self);
void           mt_performance_unref      (MtPerformance       *self);
/* The intervals of how.metrics. May take its time: for a thread. */
gboolean       mt_performance_measure    (const MtPerformance *self,
                                          MtInterval          *intervals,
                                          GCancellable        *cancellable,
                                          GError             **error);
/* n_classes × n_classes, true class by true class: rows by the class that is decided. */
void           mt_scored_count_decisions (const MtScored      *scored,
                                          gsize               *counts);

/* A tenth of the rows by rising prediction. */
typedef struct {
  gsize  n_rows;
  double mean_predicted, mean_true, rmse;
} MtTenth;

#define MT_N_TENTHS 10

/* Of a number; tenths without rows have n_rows 0. */
void           mt_scored_make_tenths     (const MtScored      *scored,
                                          MtTenth             *tenths);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPerformance, mt_performance_unref)

G_END_DECLS
