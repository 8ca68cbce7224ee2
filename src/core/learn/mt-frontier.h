/* What accuracy costs in complexity, honestly: K folds judge every complexity, the rules come
 * from all rows.
 *
 * mt_refine_run() is run once on all rows and once for each fold on the rows outside of it,
 * candidates and all; the folds may be dealt out several times, because on few rows one deal's
 * luck is larger than what it is to measure. Each run gives up to three paths: with conjunctions by elimination alone
 * (the search), the same with its models tuned at equal complexity, and, on data that are not large, with single
 * literals only, which few rows often prefer. A fold's score at
 * complexity c is that of a path's best model (by training loss) of at most c on the rows it never
 * saw, averaged from complexity 8 on with up to four neighbors on either side within a third of it.
 * A point of the frontier is a model of an all-rows path with the mean and standard error of those
 * scores at its complexity: of tuned and searched the one with the higher mean, but the plain one unless that mean is
 * higher than its own by more than half a standard error of the difference.
 *
 * The recommended point is the simplest whose paired difference to the best point is within one
 * standard error, or within the worth of a quarter of a row, ¼/n, or what is simpler than it and
 * scores higher; it is the bare bias when even the best is not better than that by more than luck. Standard errors are those of one deal of folds
 * however often they are dealt: see mt_frontier_mean_and_error(). The metric is AUC (mean over
 * classes, each against the rest) or R². */
#pragma once

#include "base/mt-parallel.h"
#include "mt-refine.h"
#include "network/mt-train.h"

G_BEGIN_DECLS

/* Rules of many inputs fit more than single literals, and so more of the noise, and tuned ones still more. Which way
 * leads to the better model depends on the data and the complexity: all are tried, and cross-validation picks. */
typedef enum {
  MT_PATH_TUNED,    /* the search's models and what tuning makes of them: mt-refine-tune.c */
  MT_PATH_SEARCH,   /* conjunctions and tables as well as single literals, by elimination alone */
  MT_PATH_PLAIN,    /* numeric columns and single literals only, by elimination alone */
  MT_N_PATHS
} MtPathKind;

typedef struct {
  guint      complexity;
  double     cv_mean;      /* NaN without folds */
  double     cv_se;
  double     train;        /* metric on the training rows */
  MtRuleSet *rules;
  MtPathKind path;         /* that the rules are from … */
  double     over_mean[MT_N_PATHS];   /* … and by how much the folds think it better than each other path's last model:
                                       * mean of the paired differences and its standard error; NaN: not compared */
  double     over_se[MT_N_PATHS];
  guint      n_trainings;  /* networks trained from these rules and from those that led to them … */
  guint      n_kept;       /* … after which the rules were better, and were replaced */
} MtFrontierPoint;

typedef enum {
  MT_METHOD_EXACT,         /* mt_refine_run(): convex fits, tables, moves */
  MT_METHOD_MAGNITUDE,     /* mt_magnitude_pruning_run(): the paper's pruning of the networks, for comparison */
} MtMethod;

/* Which settings belong together; mt_learn_options_set_learner() makes them so. */
typedef enum {
  MT_LEARNER_TTSPARSE,     /* the search finds rules, training and exchanges improve them, refine prunes: the default */
  MT_LEARNER_PAPER,        /* random start, quantiles of the rows, levels in the head, pruning by magnitude */
  MT_LEARNER_SEARCH,       /* the search and refine alone */
} MtLearner;

/* What a fold learns from, where that is not the same as for all rows: all rows with other columns, and what
 * MtRefineOptions say of their literals. */
typedef struct {
  MtEncoded *encoded;
  gboolean  *fine;
  gint8     *directions, *numeric_directions;
} MtFrontierFold;

void             mt_frontier_fold_clear   (MtFrontierFold    *fold);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtFrontierFold, mt_frontier_fold_clear)

/* @part: folds of the first repeat, then of the next. On any thread, several at a time; the run's cancellable is the
 * thread's current one. */
typedef gboolean (*MtFrontierFoldFunc) (guint            part,
                                        MtFrontierFold  *fold,
                                        gpointer         user_data,
                                        GError         **error);

typedef struct {
  MtLearner       learner;
  MtMethod        method;
  MtRefineOptions refine;         /* tune: with MT_LEARNER_TTSPARSE */
  guint           n_restarts;     /* networks trained for each path, whose nodes join the candidates */
  gboolean        compare_network; /* without those: tuning begins with a network on each path's rows. Without tuning, and
                                   * not for the search alone: one on all rows, before the rules, for its curves and to
                                   * count where the rules leave it; it takes no part in them. If it cannot be trained
                                   * there is none */
  MtTrainOptions  train;          /* of those networks; seed and threads are set here */
  struct _MtNetworkBatch *networks;   /* borrowed: trained beforehand, with others; NULL: the frontier trains its own */
  MtFrontierFoldFunc encode_fold;     /* NULL: folds have the columns that all rows have. With it, networks are NULL */
  gpointer        encode_fold_data;
  guint64         seed;           /* of those networks */
  guint           n_folds;        /* 0, or 2 … 50 */
  guint           n_repeats;      /* times the folds are dealt out; 0: mt_learn_run() decides */
  guint           max_literals;   /* the recommended point has at most this complexity; 0: any */
  gboolean        keep_partial;   /* cancelled when the rules are there: give them, judged by the folds that
                                   * are done, marked as stopped; otherwise cancelling always is an error */
} MtFrontierOptions;

typedef struct _MtFrontier MtFrontier;   /* immutable, refcounted */

void             mt_frontier_options_init (MtFrontierOptions *options);

/* @fold_of: fold of each row, 0 … n_folds-1 or MT_SPLIT_NO_FOLD, for each repeat (none means one);
 * NULL when n_folds is 0. @progress may be called on any thread, one at a time. */
MtFrontier      *mt_frontier_run          (const MtEncoded          *encoded,
                                           const double             *target,
                                           MtTask                    task,
                                           guint                     n_outputs,
                                           const guint8             *fold_of,
                                           const MtFrontierOptions  *options,
                                           MtPool                   *pool,
                                           MtLearnProgressFunc       progress,
                                           gpointer                  progress_data,
                                           GCancellable             *cancellable,
                                           GError                  **error);
MtFrontier      *mt_frontier_ref          (MtFrontier       *frontier);
void             mt_frontier_unref        (MtFrontier       *frontier);

/* By ascending complexity. On one path training loss falls from point to point. */
guint            mt_frontier_get_n_points (const MtFrontier *frontier);
const MtFrontierPoint *mt_frontier_get_point (const MtFrontier *frontier,
                                           guint             index);
/* Scores of the point's complexity, n_folds for each repeat; NaN where a fold does not define the
 * metric. */
const double    *mt_frontier_get_fold_scores (const MtFrontier *frontier,
                                           guint             index);
/* How many those are: folds × repeats. */
guint            mt_frontier_get_n_fold_scores (const MtFrontier *frontier);
/* TRUE: cancelled before all folds were done, and given because of keep_partial. */
gboolean         mt_frontier_is_stopped   (const MtFrontier *frontier);
/* Index of the recommended point. */
guint            mt_frontier_get_selected (const MtFrontier *frontier);
/* A sentence on which path the point's model is from and by how much the folds prefer it, "TT-Sparse gained 0.0042 ± 0.0018
 * over the search."; NULL: there was nothing to choose from. */
char            *mt_frontier_point_dup_choice (const MtFrontierPoint *point);
/* A sentence or two on what training and exchanges did to the rules of a point; NULL: its path is another. */
char            *mt_frontier_point_dup_training (const MtFrontierPoint *point);
/* "ttsparse", "search" or "plain". */
const char      *mt_path_kind_to_string   (MtPathKind        path);
/* The recommended point among those of at most @max_literals; 0: any. */
guint            mt_frontier_select       (const MtFrontier *frontier,
                                           guint             max_literals);
/* The same of points that were kept with their scores, and nothing else of the frontier. @scores: n_points × n_scores.
 * @n_rows: learned from. */
guint            mt_frontier_select_kept  (const MtFrontierPoint *points,
                                           guint             n_points,
                                           const double     *scores,
                                           guint             n_scores,
                                           guint             n_folds,
                                           gsize             n_rows,
                                           guint             max_literals);
/* The first network trained on all rows, and the steps of all of them; NULL and 0 without. */
MtNet           *mt_frontier_get_net      (const MtFrontier *frontier);
guint64          mt_frontier_get_n_steps  (const MtFrontier *frontier);
double           mt_frontier_get_train_seconds (const MtFrontier *frontier);
/* Where that network was trained; NULL without. */
const char      *mt_frontier_get_engine   (const MtFrontier *frontier);
/* Every model visited on the all-rows paths (element-type MtPathModel), borrowed. */
GPtrArray       *mt_frontier_get_visited  (const MtFrontier *frontier);

/* AUC (mean over the classes that occur, each against the rest) or R² of predictions, n_outputs ×
 * n_rows; NaN when the rows do not define it. */
double           mt_frontier_metric       (MtTask            task,
                                           guint             n_outputs,
                                           gsize             n_rows,
                                           const double     *predictions,
                                           const double     *target);
/* Over the folds that define a value. @less: subtracted; may be NULL. @n_folds: further values are of
 * the same rows dealt out again. They settle the mean, but they are no further evidence: the standard error is
 * that of @n_folds values. */
void             mt_frontier_mean_and_error (const double   *values,
                                           const double     *less,
                                           guint             n_values,
                                           guint             n_folds,
                                           double           *mean,
                                           double           *se);
/* The same metric of a rule set. */
double           mt_rule_set_metric       (const MtRuleSet  *rules,
                                           const MtEncoded  *encoded,
                                           const double     *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFrontier, mt_frontier_unref)

G_END_DECLS
