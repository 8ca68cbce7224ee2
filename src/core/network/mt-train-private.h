/* Parts of a training: its state between two epochs and the form of that in a file; its start. */
#pragma once

#include "mt-backend-private.h"
#include "mt-train.h"

G_BEGIN_DECLS

/* One training, from checked settings to a result. */
typedef struct {
  const MtTrainData    *data;
  const MtTrainOptions *options;
  MtTrainProgressFunc   progress;
  gpointer              progress_data;

  gsize                 n_train, n_valid;
  guint32              *train_rows, *valid_rows;
  float                *y;                 /* a row of the data */
  gboolean              has_borrowed_y;
  double                mean, sd;          /* of a regression target, over training rows */
  float                *class_weights;
  guint                 batch;
  char                 *fingerprint;

  const char           *device;            /* the options' */
  const MtBackendOps   *ops;
  gpointer              context;           /* of its own; not among many */
  MtBackendJob          job;
  MtNet                *net;
  MtTrainState          state;
  float                *scores;            /* of the validation rows … */
  gboolean              has_scores;        /* … if somebody has asked for them */
  GError               *error;

  gint64                started, measured;
  double                train_loss, valid_loss;
  double                start_loss;        /* validation loss of MtTrainOptions.start_net; NaN: none */
  double                metric;            /* that a device has measured, after the last epoch; NaN: none */
  double                rows_per_second, epoch_seconds;
} MtTraining;

/* Checks everything and comes to the state to begin with. @shared_y: targets that somebody else has
 * already made from the same classes; NULL: none. */
gboolean       mt_training_init        (MtTraining *self, const MtTrainJob *from, float *shared_y,
                                        GCancellable *cancellable, GError **error);
void           mt_training_clear       (MtTraining *self);
void           mt_training_report      (MtTraining *self, MtTrainPhase phase);
/* Without its metric. */
MtTrainResult *mt_training_make_result (MtTraining *self, gboolean stopped);
/* AUC or R² of the scores. */
double         mt_training_get_metric  (const MtTraining *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTraining, mt_training_clear)

void      mt_train_checkpoints_add         (MtTrainCheckpoints *keep, const char *fingerprint, GBytes *state);
GBytes   *mt_train_checkpoints_dup         (MtTrainCheckpoints *keep, const char *fingerprint);

void      mt_train_state_init       (MtTrainState *state, gsize n_params);
void      mt_train_state_clear      (MtTrainState *state);
/* @fingerprint says which data and settings the state belongs to. */
GBytes   *mt_train_state_to_bytes   (const MtTrainState *state, const char *fingerprint);
/* Into an initialized state; nothing is trusted. */
gboolean  mt_train_state_from_bytes (MtTrainState *state, GBytes *bytes, const char *fingerprint,
                                     GError **error);

/* At most @n_nodes conjunctions of at most @fan_in literals, as nodes that compute them
 * (element-type MtNetNode), best first. @target as for mt_linear_fit_new(), @class_weights as for
 * mt_linear_fit_set_class_weights(), @limits: NULL for none, @device as in MtInteractionScanOptions. NULL when cancelled or
 * when a number stops being finite. */
GArray   *mt_train_find_start       (const MtEncoded *encoded, MtTask task, guint n_outputs,
                                     const double *target, const double *class_weights,
                                     guint n_nodes, guint fan_in, const MtNetConstraints *limits,
                                     const char *device, guint64 device_memory,
                                     GCancellable *cancellable, GError **error);
/* Starts the nodes of @net there; what is found in the given rows. @y and @class_weights as in
 * MtBackendJob. */
gboolean  mt_train_start_by_scan    (MtNet *net, const MtEncoded *encoded, const float *y,
                                     const float *class_weights, const guint32 *rows, gsize n_rows,
                                     const MtNetConstraints *limits, const char *device, guint64 device_memory,
                                     GCancellable *cancellable, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTrainState, mt_train_state_clear)

G_END_DECLS
