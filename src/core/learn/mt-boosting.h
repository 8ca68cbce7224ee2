/* Gradient-boosted trees: what a black box makes of the same columns. For comparison only, so
 * the trees are not kept; the scores of the rows learned from and of rows watched are.
 *
 *   round:  for each output  r = -∂loss/∂η, h = ∂²loss/∂η²;  tree on (r, h);  η += rate · tree
 *
 * Usual settings of the common libraries: 31 leaves grown best first, at least 20 rows a leaf,
 * rate 0.1, λ = 1. Loss: logistic, multinomial (one tree a class and round) or squared error.
 * A round costs about rows × groups × 5 additions an output. */
#pragma once

#include "rules/mt-rules.h"
#include "mt-tree.h"

G_BEGIN_DECLS

typedef struct {
  MtTreeOptions tree;
  double        rate;
} MtBoosterOptions;

void          mt_booster_options_init    (MtBoosterOptions *options);

typedef struct _MtBooster MtBooster;

/* @target: class numbers, or numbers to predict. @watched may be NULL. All is borrowed. Before the
 * first round the scores are the best constants. */
MtBooster    *mt_booster_new             (const MtEncoded        *encoded,
                                          const double           *target,
                                          MtTask                  task,
                                          guint                   n_outputs,
                                          const MtEncoded        *watched,
                                          const MtBoosterOptions *options);
void          mt_booster_free            (MtBooster              *booster);
/* FALSE only when cancelled. */
gboolean      mt_booster_step            (MtBooster              *booster,
                                          GCancellable           *cancellable,
                                          GError                **error);
/* n_outputs × rows */
const double *mt_booster_get_scores      (const MtBooster        *booster);
const double *mt_booster_get_watched     (const MtBooster        *booster);   /* NULL: nothing is watched */

/* Mean loss of scores: nats, or half squares. */
double        mt_booster_loss            (MtTask                  task,
                                          guint                   n_outputs,
                                          gsize                   n_rows,
                                          const double           *scores,
                                          const double           *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtBooster, mt_booster_free)

G_END_DECLS
