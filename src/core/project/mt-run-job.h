/* One run: from a table and settings to a frontier. A job waits in an MtRunQueue (mt-run-queue.h), which runs it; meanwhile
 * it collects what there is to see: how far it is, the curves of its network, the models that it visits. */
#pragma once

#include "learn/mt-run-settings.h"

G_BEGIN_DECLS

typedef enum {
  MT_RUN_PHASE_ENCODE,
  MT_RUN_PHASE_TRAIN,      /* networks; left out when there are to be none */
  MT_RUN_PHASE_REFINE,     /* rules from all rows … */
  MT_RUN_PHASE_FOLDS,      /* … and once for each fold, to be judged */
  MT_RUN_N_PHASES,
} MtRunPhase;

typedef struct {
  double     fraction;          /* 0 … 1 */
  MtRunPhase phase;
  guint      network;           /* TRAIN: 1 … n_networks */
  guint      n_networks;
  guint      epoch, max_epochs;
  guint64    step;
  double     rows_per_second;   /* 0: not known */
  guint      literals;          /* REFINE: of the model just kept */
  double     models_per_second; /* REFINE: that were visited, since the first of them; 0: not known */
  gboolean   is_regression;     /* known once the target has been read */
} MtRunProgress;

/* How the network did after an epoch; NaN: not measured. */
typedef struct {
  double train_loss, valid_loss;
  double metric;
} MtRunEpoch;

/* How the loss grew while rules were dropped: a model visited on the way. */
typedef struct {
  guint  complexity;
  double loss;
} MtRunVisit;

/* What runs may use of the machine. None of it changes what they find. */
typedef struct {
  guint               n_threads;         /* 0: all */
  guint64             device_memory;     /* bytes of a GPU, at most; 0: what is free */
  MtLearnFallBackFunc fall_back;         /* NULL: a device that fails is an error */
  gpointer            fall_back_data;
  gboolean            keep_partial;      /* cancelled when the rules are there: these are the result */
  struct _MtSweepRanks *ranks;           /* of a sweep: other processes that take runs; NULL: none */
} MtRunMeans;

typedef struct _MtRunJob MtRunJob;   /* refcounted */

/* Called on any thread, of one job one at a time; each may be NULL. */
typedef struct {
  void (*started) (MtRunJob *job, gpointer data);   /* its turn has come */
  void (*changed) (MtRunJob *job, const MtLearnProgress *progress, gpointer data);   /* it has gone on; NULL: a network */
  /* A network that is trained together with those of other jobs, after an epoch. */
  void (*network) (MtRunJob *job, guint part, guint network, const MtTrainProgress *train, gpointer data);
  void (*ended)   (MtRunJob *job, gpointer data);   /* it has a result or an error; or was cancelled before its turn */
} MtRunJobFuncs;

/* @table and @funcs (static) are held; @keep: states of networks to go on from, or NULL. */
MtRunJob            *mt_run_job_new             (MtTable              *table,
                                                 const MtRunSettings  *settings,
                                                 const MtRunMeans     *means,
                                                 MtTrainCheckpoints   *keep,
                                                 const MtRunJobFuncs  *funcs,
                                                 gpointer              data,
                                                 GDestroyNotify        destroy);
MtRunJob            *mt_run_job_ref             (MtRunJob             *job);
void                 mt_run_job_unref           (MtRunJob             *job);
const MtRunSettings *mt_run_job_get_settings    (MtRunJob             *job);
GCancellable        *mt_run_job_get_cancellable (MtRunJob             *job);   /* cancel it to stop the job */
gpointer             mt_run_job_get_data        (MtRunJob             *job);

/* What there is by now. Arrays of MtRunEpoch (of the network that is trained), MtRunVisit (from complex to bare) and double
 * (how far each part is: all rows, fold 1, …); they are made equal to the job's. */
void                 mt_run_job_get_progress    (MtRunJob             *job,
                                                 MtRunProgress        *progress,
                                                 double               *seconds_left,   /* NaN: not known */
                                                 GArray               *epochs,
                                                 GArray               *visits,
                                                 GArray               *parts);

/* How many networks it has that are trained together with those of other jobs; 0: none, or not yet known. */
guint                mt_run_job_get_n_networks  (MtRunJob             *job);

/* --- once it has ended --- */
gboolean             mt_run_job_has_started     (MtRunJob             *job);
double               mt_run_job_get_seconds     (MtRunJob             *job);
const MtLearned     *mt_run_job_get_learned     (MtRunJob             *job);   /* NULL: an error */
const GError        *mt_run_job_get_error       (MtRunJob             *job);
GArray              *mt_run_job_get_train       (MtRunJob             *job);   /* the others; NULL: all, or "ended" is over */
GArray              *mt_run_job_get_test        (MtRunJob             *job);   /* of guint32: rows held out; NULL: none */

/* Takes it out of the job. */
MtLearned           *mt_run_job_steal_learned   (MtRunJob             *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRunJob, mt_run_job_unref)

G_END_DECLS
