/* Many trainings over a grid of settings and seeds, kept in a project.
 *
 * Every combination is a run of the project, queued at once; a pool takes them, each
 * single-threaded inside, and a finished run is in the file with its models in one change.
 * So a sweep that was killed goes on where it was: finished runs are skipped. The order in
 * which runs finish changes nothing in what they find.
 *
 * Runs that differ only in settings which the learner does not use are learnt once and
 * share the result. Sizes: tens to thousands of runs, 5–20 points each. */
#pragma once

#include "learn/mt-learn.h"
#include "mt-project.h"

G_BEGIN_DECLS

#define MT_SWEEP_MAX_RUNS 100000u

typedef struct {
  guint  bits;
  guint  nodes;
  guint  fan_in;
  double temperature;
} MtSweepSetting;

/* Borrowed lists, none empty. */
typedef struct {
  const guint  *bits;
  guint         n_bits;
  const guint  *nodes;
  guint         n_nodes;
  const guint  *fan_ins;
  guint         n_fan_ins;
  const double *temperatures;
  guint         n_temperatures;
  guint         n_seeds;
  guint64       seed;            /* the first; each further one is greater by 1 */
} MtSweepGrid;

/* MT_ERROR_PARAMS names the setting and its range. */
gboolean mt_sweep_grid_check (const MtSweepGrid  *grid,
                              GError            **error);
guint    mt_sweep_grid_count (const MtSweepGrid  *grid);
/* The @index-th run: seeds change fastest, then temperature, fan-in, nodes, bits. */
void     mt_sweep_grid_get   (const MtSweepGrid  *grid,
                              guint               index,
                              MtSweepSetting     *setting,
                              guint64            *seed);

typedef struct {
  guint n_runs;
  guint n_skipped;     /* finished before */
  guint n_done;        /* now */
  guint n_failed;
  guint n_trainings;   /* learnt for them: less than n_done when runs share one */
} MtSweepSummary;

/* A network that is trained together with others, after an epoch of it. */
typedef struct {
  gint64                 run;          /* in the project; the first of those that share it */
  guint                  part;         /* 0: on all rows; then folds */
  guint                  network;      /* of its part, from 0 */
  const MtTrainProgress *train;
  GCancellable          *cancellable;  /* of its run: cancelled, that run alone is stopped, and stays to be run */
} MtSweepNetwork;

typedef struct {
  guint                 n_finished, n_runs;
  double                done;              /* 0 … 1, networks included */
  guint                 n_networks;        /* that are trained together now; 0: none */
  guint                 n_trained;         /* … of those, to their end */
  const MtSweepNetwork *network;           /* whose progress this is; NULL: a run has ended */
} MtSweepProgress;

/* Called on any thread, one at a time. */
typedef void (*MtSweepProgressFunc) (const MtSweepProgress *progress,
                                     gpointer               user_data);

/* A project without a sweep takes this one; one with another (or with runs of another kind) is
 * refused with MT_ERROR_PARAMS, which says what differs. @source: where the data came from.
 * Cancelled, the project holds what was finished and the error is G_IO_ERROR_CANCELLED.
 * @summary is filled in any case. */
gboolean mt_sweep_run        (MtProject              *project,
                              MtImport               *import,
                              const char             *source,
                              const MtSweepGrid      *grid,
                              const MtLearnOptions   *base,
                              guint                   n_threads,   /* 0: all */
                              MtSweepProgressFunc     progress,
                              gpointer                progress_data,
                              GCancellable           *cancellable,
                              MtSweepSummary         *summary,
                              GError                **error);

/* The points of all runs that no other beats, by ascending literals (element-type
 * MtProjectPoint). The recommended one, the smallest within one standard error of the best,
 * gets its mark in the project unless that is read-only. */
GArray  *mt_sweep_merge      (MtProject              *project,
                              GError                **error);

G_END_DECLS
