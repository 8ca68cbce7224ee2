/* The paper's protocol on one split of a data set: learn on the training rows with every setting, prune, choose setting and
 * size by the validation rows, learn again on both, and look at the test rows once. */
#pragma once

#include "mt-lab-private.h"

G_BEGIN_DECLS

typedef struct {
  guint  bits, nodes, fan_in;
  double temperature;
} MtLabSetting;

extern const MtLabSetting mt_lab_usual_setting;    /* 5 thresholds, 30 nodes of 5 inputs, temperature 0.01 */

typedef struct {
  double quality;      /* AUC or R² of the test rows */
  guint  literals;
  double valid;        /* … of the validation rows */
} MtLabScore;

/* One run of mt_learn_run() without folds and with one thread. @setting NULL: the default method, with its folds. */
MtLearned *mt_lab_learn          (MtLabDataset        *dataset,
                                  const MtTable       *table,
                                  const GArray        *rows,
                                  const MtLabSetting  *setting,
                                  guint                seed,
                                  GCancellable        *cancellable,
                                  GError             **error);
/* Quality of some rules on some rows; NaN with @error set when they cannot be read. */
double     mt_lab_score          (const MtLearned     *learned,
                                  const MtTable       *table,
                                  const GArray        *rows,
                                  const MtRuleSet     *rules,
                                  GError             **error);
/* Without the second learning: the model that the validation rows prefer, as it is. */
gboolean   mt_lab_try_setting    (MtLabDataset        *dataset,
                                  const MtTable       *table,
                                  const MtLabSplit    *split,
                                  const MtLabSetting  *setting,
                                  guint                seed,
                                  MtLabScore          *score,
                                  GCancellable        *cancellable,
                                  GError             **error);
gboolean   mt_lab_run_grid       (MtLabDataset        *dataset,
                                  const MtTable       *table,
                                  const MtLabSplit    *split,
                                  const MtLabSetting  *settings,
                                  guint                n_settings,
                                  guint                seed,
                                  MtLabScore          *score,
                                  GCancellable        *cancellable,
                                  GError             **error);
/* The paper's grid, 45 settings, or six of it (element-type MtLabSetting). */
GArray    *mt_lab_make_grid      (gboolean             is_full);
/* Of one run of the method paper, about, in seconds. */
double     mt_lab_estimate       (const MtLabDataset  *dataset);

G_END_DECLS
