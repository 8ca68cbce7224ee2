/* Gradient training of the network: settings, epochs, early stopping, progress, cancel.
 *
 * AdamW on batches of shuffled rows; a part of the rows is set aside (by class) and its loss
 * decides which state is kept, when the learning rate halves and when to stop. The same
 * seed, data and settings give the same bytes for any number of threads. docs/method.md has
 * the formulas and the measurements behind the defaults. */
#pragma once

#include <gio/gio.h>

#include "encode/mt-encoded.h"
#include "mt-net.h"
#include "base/mt-task.h"

G_BEGIN_DECLS

#define MT_BATCH_AUTO (-1)

typedef enum {
  MT_START_SCAN,       /* nodes begin at the conjunctions that mt-scan finds in the training rows */
  MT_START_RANDOM,     /* the paper's */
} MtStart;

/* States of trainings by what they learn from and how, for all threads. A training that is started again,
 * on another device say, finds there how far it was. */
typedef struct _MtTrainCheckpoints MtTrainCheckpoints;

MtTrainCheckpoints *mt_train_checkpoints_new    (void);
MtTrainCheckpoints *mt_train_checkpoints_ref    (MtTrainCheckpoints *keep);
void         mt_train_checkpoints_unref  (MtTrainCheckpoints *keep);

typedef struct {
  guint        n_nodes;            /* 1 … 10,000 */
  guint        fan_in;             /* 1 … 16 (deep 8), at most the number of literals */
  MtNodeKind   node;
  MtLinearFitTerms  head;
  MtStart      start;
  const MtNet *start_net;          /* borrowed: a network whose parameters are the start; it decides nodes, fan-in and
                                    * what stands in the head. NULL: @start decides */
  double       temperature;        /* above 0, up to 100 */
  gboolean     divide_by_tau;      /* keep the factor 1/τ in the gradient of W_map */
  int          batch;              /* rows a step, 1 … 1,048,576; MT_BATCH_AUTO: by the number of rows */
  double       learning_rate;      /* above 0, up to 1 */
  double       weight_decay;       /* 0 … 1 */
  double       clip;               /* of the gradient's norm; 0: none */
  guint        max_epochs;         /* 1 … 1,000,000 */
  guint        patience;           /* epochs without a better validation loss until the end; from 1 */
  guint        plateau;            /* … until the learning rate halves; from 1 */
  double       validation;         /* share of rows set aside, 0 … 0.5 */
  gboolean     balance_classes;    /* weigh rows so that every class counts the same */
  guint64      seed;
  guint        n_threads;          /* 0: as many as the machine has */
  const char  *device;             /* "auto", "cpu", "cuda"; NULL: auto */
  guint64      device_memory;      /* bytes to use of a GPU at most; 0: what is free */
  MtTrainCheckpoints *keep;               /* borrowed: states to go on from, and where states go; NULL: none */
  /* Constraints, as in mt-refine.h; borrowed. With any of them auto is the CPU, and cuda is refused with
   * MT_ERROR_DEVICE. */
  const gint8 *directions;         /* per literal; tasks of one output; NULL: none */
  const gint8 *numeric_directions; /* per numeric column, with @directions */
  gboolean     no_negation;
} MtTrainOptions;

void mt_train_options_init (MtTrainOptions *options);

/* What is learned from; borrowed. */
typedef struct {
  const MtEncoded *encoded;
  MtTask           task;
  guint            n_classes;    /* regression: 0 */
  const guint32   *classes;      /* a row of @encoded */
  const double    *values;       /* regression */
  const guint32   *rows;         /* of @encoded: those to learn from; NULL: all. The result is the same as
                                  * with these rows alone encoded */
  gsize            n_rows;       /* of @rows */
} MtTrainData;

gsize    mt_train_data_get_n_rows (const MtTrainData *data);

/* MT_ERROR_PARAMS naming the setting and its range, or what is wrong with the data. */
gboolean mt_train_check (const MtTrainData    *data,
                         const MtTrainOptions *options,
                         GError              **error);

typedef enum {
  MT_TRAIN_PREPARING,
  MT_TRAIN_SCANNING,               /* for nodes to start from */
  MT_TRAIN_RUNNING,
  MT_TRAIN_DONE,
} MtTrainPhase;

typedef struct {
  MtTrainPhase phase;
  guint        epoch, max_epochs;
  guint        epochs_left;              /* if nothing better is found */
  guint64      step;
  double       train_loss, valid_loss;   /* of the last epoch */
  double       best_loss;                /* on the validation rows, or training rows if none */
  double       metric;                   /* AUC or R² on the validation rows; NaN: none, or not measured now */
  double       rows_per_second;
  double       seconds_left;             /* as epochs_left */
} MtTrainProgress;

typedef void (*MtTrainProgressFunc) (const MtTrainProgress *progress,
                                     gpointer               user_data);

typedef struct {
  MtNet   *net;              /* the best state seen */
  gboolean stopped;          /* cancelled, or a loss was not finite: not a finished training */
  guint    n_epochs, best_epoch;
  guint64  n_steps;
  double   start_loss;                 /* on the validation rows, of a start that was brought along; NaN: none */
  double   train_loss, valid_loss;     /* at the best epoch; valid_loss NaN without validation */
  double   metric;                     /* AUC or R² of the best state on the validation rows, else NaN */
  double   seconds;
  guint    batch;                      /* rows a step, as chosen */
  char    *engine;
  GBytes  *state;                      /* the last complete epoch, to go on from */
} MtTrainResult;

void mt_train_result_free (MtTrainResult *result);

/* Trains on the calling thread. @start: nodes to begin with, the rest at random, instead of what
 * the settings say; or NULL.
 * @resume: a state from an earlier result with the same data and settings (max_epochs,
 * threads and device may differ), or NULL. Cancelling is no error: the best state so far
 * comes back with stopped set. On MT_ERROR_NUMERIC and on MT_ERROR_DEVICE in the middle of a
 * training *result is the last good state, too: resume from it on the CPU. */
gboolean mt_train_run    (const MtTrainData    *data,
                          const MtTrainOptions *options,
                          const MtNetNode      *start,
                          guint                 n_start,
                          GBytes               *resume,
                          MtTrainProgressFunc   progress,
                          gpointer              progress_data,
                          GCancellable         *cancellable,
                          MtTrainResult       **result,
                          GError              **error);

/* One of many trainings; borrowed but for what comes out of it. */
typedef struct {
  const MtTrainData    *data;
  const MtTrainOptions *options;
  const MtNetNode      *start;
  guint                 n_start;
  GBytes               *resume;
  MtTrainProgressFunc   progress;
  gpointer              progress_data;
  GCancellable         *cancellable;     /* stops this one; may be NULL */
  MtTrainResult        *result;          /* as of mt_train_run() */
  GError               *error;
} MtTrainJob;

/* TRUE: the device trains many nets in the time of one, and wants to be given them together. */
gboolean mt_train_wants_many (const char       *device);
/* Trains all jobs; those over the same encoded rows at once where the device can, as many as fit it.
 * Each gives the same bits as by itself. A device that fails fails those that it had not finished: their
 * results are states to go on from. @cancellable stops all. Progress may come on any thread. */
void     mt_train_run_many   (MtTrainJob       *jobs,
                              guint             n_jobs,
                              GCancellable     *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTrainResult, mt_train_result_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTrainCheckpoints, mt_train_checkpoints_unref)

G_END_DECLS
