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

#include "learn/mt-setting.h"
#include "mt-project.h"
#include "mt-run-job.h"

G_BEGIN_DECLS

#define MT_PROJECT_KEY_MODEL "model"      /* MT_PROJECT_SETTING: of the Model page, JSON … */
#define MT_PROJECT_KEY_GRID  "grid"       /* … and its sweep */

#define MT_SWEEP_MAX_RUNS 100000u

#define MT_SWEEP_MAX_VALUES 64u   /* of a setting */

/* Every combination of what is listed; what has no list, and everything else, is as in the settings of one run. A plain
 * value, to be copied as it is. */
typedef struct {
  guint  bits[MT_SWEEP_MAX_VALUES], n_bits;
  guint  nodes[MT_SWEEP_MAX_VALUES], n_nodes;
  guint  fan_in[MT_SWEEP_MAX_VALUES], n_fan_in;
  double temperature[MT_SWEEP_MAX_VALUES];
  guint  n_temperature;
  guint  n_seeds;                /* from that of the one run on; 0: one */
} MtSweepGrid;

/* What holds in a sweep where nothing is said: networks propose rules, the folds are dealt once because the runs judge each
 * other, and no rows are held out. */
void     mt_sweep_settings_init (MtRunSettings     *settings);

/* The grid of the TT-Sparse paper: 4, 5, 6 bits; 1, 20, 30, 40, 50 nodes; temperatures .001, .01, .05; 5 seeds. */
void     mt_sweep_grid_init_paper (MtSweepGrid     *grid);
/* MT_ERROR_PARAMS names the setting and its range. */
gboolean mt_sweep_grid_check (const MtSweepGrid    *grid,
                              GError              **error);
guint    mt_sweep_grid_count (const MtSweepGrid    *grid);
/* The @index-th run: seeds change fastest, then temperature, fan-in, nodes, bits. */
void     mt_sweep_grid_get   (const MtSweepGrid    *grid,
                              const MtRunSettings  *base,
                              guint                 index,
                              MtRunSettings        *settings);
/* The values of a setting that is an axis: those listed, or that of @base. Gives how many. */
guint    mt_sweep_grid_get_axis (const MtSweepGrid   *grid,
                              const MtSetting      *setting,
                              const MtRunSettings  *base,
                              double               *values);   /* room for MT_SWEEP_MAX_VALUES */
void     mt_sweep_grid_set_axis (MtSweepGrid         *grid,
                              const MtSetting      *setting,
                              const double         *values,
                              guint                 n);
/* The one value that is listed for a setting is that setting's: the same runs, and a single run has it, too. */
void     mt_sweep_grid_settle (MtSweepGrid         *grid,
                              MtRunSettings        *base);
/* Nodes and temperature mean nothing without networks: where several are listed, the one run has one at least. */
void     mt_sweep_grid_adjust_base (const MtSweepGrid *grid,
                              MtRunSettings        *base);
gboolean mt_sweep_grid_equal (const MtSweepGrid    *a,
                              const MtSweepGrid    *b);
/* Keeps settings and grid in the project, as the Model page shows them when it is opened. */
gboolean mt_sweep_grid_keep  (MtProject            *project,
                              const MtRunSettings  *base,
                              const MtSweepGrid    *grid,
                              GError              **error);
/* FALSE: it is no grid; @grid is then as it was. */
gboolean mt_sweep_grid_read  (MtSweepGrid          *grid,
                              const MtJson         *json);

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
                              const MtRunSettings    *base,
                              const MtRunMeans       *means,
                              MtSweepProgressFunc     progress,
                              gpointer                progress_data,
                              GCancellable           *cancellable,
                              MtSweepSummary         *summary,
                              GError                **error);

/* Runs what is not done in a project, made by a sweep or in the window, each with the settings that it has. Runs of which a
 * model was edited stay as they are. MT_ERROR_CHANGED: @import holds other data than these runs are about. */
gboolean mt_sweep_resume     (MtProject              *project,
                              MtImport               *import,
                              const MtRunMeans       *means,
                              MtSweepProgressFunc     progress,
                              gpointer                progress_data,
                              GCancellable           *cancellable,
                              MtSweepSummary         *summary,
                              GError                **error);

typedef enum {
  MT_SWEEP_ONE_SE,             /* the smallest within one standard error of the best */
  MT_SWEEP_BEST_VALIDATION,    /* the best: what the TT-Sparse paper chooses settings by */
} MtSweepChoice;

/* The points of all runs that no other beats, by ascending literals (element-type
 * MtProjectPoint). The recommended one, chosen among those of at most max_literals of their run,
 * gets its mark in the project unless that is read-only. */
GArray  *mt_sweep_merge      (MtProject              *project,
                              MtSweepChoice           choice,
                              GError                **error);

G_END_DECLS
