/* What a sweep on one machine and a sweep over ranks share. */
#pragma once

#include "mt-run-queue.h"
#include "mt-sweep.h"

G_BEGIN_DECLS

typedef struct _MtSweepRun MtSweepRun;

/* Runs that are learned once. */
typedef struct {
  MtSweepRun    *sweep;
  MtRunSettings  settings;
  MtTable       *table;
  char          *columns;       /* that of the text of @table's columns; NULL: as the file has them */
  MtRunJob      *job;
  GArray        *runs;          /* of gint64: ids in the project that it serves */
  GArray        *trained;       /* of double: a network that is trained together with others, 0 … 1 */
  gboolean       is_finished;
} MtSweepGroup;

struct _MtSweepRun {
  MtProject           *project;
  MtImport            *import;
  const MtRunMeans    *means;
  MtRunQueue          *queue;
  GPtrArray           *groups;         /* of MtSweepGroup */
  MtSweepProgressFunc  progress;
  gpointer             progress_data;

  GMutex               lock;           /* of the project and what follows */
  MtSweepSummary      *summary;
  GError              *error;          /* the first that is not a run's own */
};

/* What a job found, as a project keeps it. */
typedef struct {
  GArray    *points;       /* of MtProjectPoint */
  GPtrArray *models;       /* of GBytes */
  char      *curves;
  GError    *failure;      /* NULL: it has found something */
  double     seconds;
} MtSweepFound;

void     mt_sweep_found_init  (MtSweepFound        *found);
void     mt_sweep_found_clear (MtSweepFound        *found);
/* Of a job that has ended. */
void     mt_sweep_found_take  (MtSweepFound        *found,
                               MtRunJob            *job,
                               MtTable             *table,
                               MtImport            *import);

/* Groups (of MtSweepGroup) of which nothing is known yet, in one change: their turn has come, or they have been stopped. */
gboolean mt_sweep_run_mark    (MtSweepRun          *self,
                               GPtrArray           *groups,
                               MtRunState           state,
                               const char          *message,
                               GError             **error);
gboolean mt_sweep_run_finish  (MtSweepRun          *self,
                               MtSweepGroup        *group,
                               const MtSweepFound  *found,
                               GError             **error);

/* All groups, by all ranks; on rank 0. The first problem that is not a run's own becomes the error of @self. */
void     mt_sweep_ranks_run   (MtSweepRun          *self,
                               GCancellable        *cancellable);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtSweepFound, mt_sweep_found_clear)

G_END_DECLS
