/* What the parts of mt-frontier share: the frontier itself, and the paths it is made of. */
#pragma once

#include "mt-frontier.h"
#include "mt-network-batch.h"

G_BEGIN_DECLS

struct _MtFrontier {
  gatomicrefcount  ref_count;
  GPtrArray       *visited;
  GArray          *points;        /* of MtFrontierPoint; rules belong to visited */
  guint            n_scores;      /* a point: folds × repeats */
  guint            n_folds;
  gsize            n_rows;
  MtNet           *net;           /* may be NULL */
  char            *engine;        /* of it */
  guint64          n_steps;
  double           train_seconds;
  double          *fold_scores;   /* n_points × n_scores; NaN where a fold does not define it */
  guint            selected;
  gboolean         is_stopped;
};

/* A model that is worth having, for it is better than all simpler ones, and its metric. */
typedef struct {
  guint  complexity;
  double score;
} MtFoldPoint;

/* What elimination found on all rows, and what the folds say of it. */
typedef struct {
  GPtrArray  *best;          /* of MtPathModel, ascending: those that no simpler one beats; NULL: not gone */
  GArray     *train;         /* of MtFoldPoint: their metric on the training rows */
  GArray    **fold_points;   /* per fold and repeat: of MtFoldPoint, ascending */
} MtFrontierPath;

/* The making of one. Task 0 is all rows, task 1 + n the n-th fold. */
typedef struct {
  const MtEncoded         *encoded;
  const double            *target;
  MtTask                   task;
  guint                    n_outputs;
  const guint8            *fold_of;
  const MtFrontierOptions *options;
  guint                    n_parts;      /* folds × repeats */
  GCancellable            *cancellable;

  GPtrArray               *visited;      /* task 0 */
  MtFrontierPath           paths[MT_N_PATHS];
  gboolean                 with_plain;   /* the plain path is gone, too, where it differs */
  gboolean                 with_tuned;   /* the search's models are tuned, and the network's path is theirs */
  MtNet                   *net;          /* task 0 */
  char                    *engine;       /* of it */
  MtNetworkBatch              *networks;     /* trained beforehand; NULL: every task trains its own */
  guint64                 *n_steps;      /* per task */
  double                  *train_seconds;
  GError                 **errors;       /* per task */

  MtLearnProgressFunc      progress;
  gpointer                 progress_data;
  gint64                   started;
  GMutex                   lock;
  double                  *done;         /* per task */
} MtFrontierRun;

typedef struct {
  MtFrontierRun  *run;
  /* One task, with what its reports say: which network it trains now, and whether it is on
   * the plain path. `refine` is the run's, or that of a fold with columns of its own. */
  guint task;
  guint network;      /* being trained, from 1 */
  gboolean is_plain;  /* on the second path */
  const MtRefineOptions *refine;
} MtFrontierTask;

/* --- the parts (mt-frontier-part.c) --- */

gboolean mt_frontier_run_all_rows       (MtFrontierRun          *run,
                                         MtFrontierTask         *task,
                                         GError                **error);
gboolean mt_frontier_run_fold           (MtFrontierRun          *run,
                                         guint                   part,
                                         MtFrontierTask         *task,
                                         GError                **error);

/* --- progress (mt-frontier-progress.c) --- */

/* Is a network to be trained that takes no part in the rules? */
gboolean mt_frontier_has_beside         (const MtFrontierRun    *run);
/* Passes on what a part says of itself, with its place among the parts; @done is the part's own. */
void     mt_frontier_report             (MtFrontierTask         *task,
                                         MtLearnProgress        *progress,
                                         double                  done);
/* Callbacks; user_data is the task, of the last one the run. */
void     mt_frontier_report_refine      (const MtLearnProgress  *refine,
                                         gpointer                user_data);
void     mt_frontier_report_network     (guint                   part,
                                         guint                   network,
                                         const MtTrainProgress  *progress,
                                         gpointer                user_data);
void     mt_frontier_report_any_network (guint                   part,
                                         guint                   network,
                                         const MtTrainProgress  *progress,
                                         gpointer                user_data);

/* --- points and choice (mt-frontier-choice.c) --- */

/* Makes the points of @paths, by MtPathKind, with means and standard errors over the folds: at every
 * complexity the model of the path that the folds think better. */
void mt_frontier_make_points (MtFrontier           *self,
                              const MtFrontierPath *paths);

G_END_DECLS
