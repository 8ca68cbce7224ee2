/* Parts of a training: its state between two epochs and the form of that in a file; its start. */
#pragma once

#include "mt-backend-private.h"
#include "mt-train.h"

G_BEGIN_DECLS

typedef struct {
  gsize       n_params;
  MtNetState  last;            /* after the last complete epoch */
  float      *best;            /* parameters */
  guint       epoch;           /* complete ones */
  guint       best_epoch;
  double      best_loss;       /* what was compared: validation, or training loss */
  double      best_train_loss;
  double      learning_rate;
  guint       waited;          /* epochs without a better loss */
  guint       waited_plateau;
} MtTrainState;

void      mt_train_state_init       (MtTrainState *state, gsize n_params);
void      mt_train_state_clear      (MtTrainState *state);
/* @fingerprint says which data and settings the state belongs to. */
GBytes   *mt_train_state_to_bytes   (const MtTrainState *state, const char *fingerprint);
/* Into an initialised state; nothing is trusted. */
gboolean  mt_train_state_from_bytes (MtTrainState *state, GBytes *bytes, const char *fingerprint,
                                     GError **error);

/* At most @n_nodes conjunctions of at most @fan_in literals, as nodes that compute them
 * (element-type MtNetNode), best first. @target as for mt_head_new(), @class_weights as for
 * mt_head_set_class_weights(). NULL when cancelled or when a number stops being finite. */
GArray   *mt_train_find_start       (const MtEncoded *encoded, MtTask task, guint n_outputs,
                                     const double *target, const double *class_weights,
                                     guint n_nodes, guint fan_in, GCancellable *cancellable,
                                     GError **error);
/* Starts the nodes of @net there; what is found in the given rows. @y and @class_weights as in
 * MtBackendJob. */
gboolean  mt_train_start_by_scan    (MtNet *net, const MtEncoded *encoded, const float *y,
                                     const float *class_weights, const guint32 *rows, gsize n_rows,
                                     GCancellable *cancellable, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTrainState, mt_train_state_clear)

G_END_DECLS
