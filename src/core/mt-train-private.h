/* The state of a training between two epochs, and its form in a file. */
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

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTrainState, mt_train_state_clear)

G_END_DECLS
