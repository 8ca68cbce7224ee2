/* A model and its edits. */
#include "config.h"
#include "mt-model.h"

#include <math.h>
#include <string.h>

/* Whether none of its metrics is of decisions. */
static gboolean
is_free_of_cutoff (const MtModelInfo *info)
{
  for (guint i = 0; i < info->n_metrics; i++)
    if (info->metrics[i].metric == MT_METRIC_ACCURACY || info->metrics[i].metric == MT_METRIC_BALANCED_ACCURACY ||
        info->metrics[i].metric == MT_METRIC_F1)
      return FALSE;
  return TRUE;
}

MtModel *
mt_model_with_edits (const MtModel        *model,
                     MtRuleSet            *rules,
                     const MtEditHistory  *history,
                     double                train,
                     GError              **error)
{
  MtModelInfo info = *mt_model_get_info (model);
  MtMetric metric = mt_model_get_task (model) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  MtModelMetric metrics[2];
  const MtModelInfo *old = mt_model_get_info (model);
  double shift;
  gboolean only_cutoff;

  g_return_val_if_fail (rules != NULL && history != NULL && mt_edit_history_get_n (history) > 0, NULL);

  shift = mt_edit_history_get_shift (history, MIN (old->n_edits, mt_edit_history_get_n (history)));
  info.edits = mt_edit_history_get (history, 0);
  info.n_edits = mt_edit_history_get_n (history);
  info.train_differ = MT_MODEL_NOT_COUNTED;
  info.test_differ = MT_MODEL_NOT_COUNTED;
  only_cutoff = old->n_edits < info.n_edits;
  for (guint i = old->n_edits; i < info.n_edits && only_cutoff; i++)
    only_cutoff = info.edits[i].edit.kind == MT_EDIT_SET_CUTOFF;
  if (only_cutoff && is_free_of_cutoff (old))     /* all that was measured is still so */
    return mt_model_new ((MtEncoder *) mt_model_get_encoder (model), rules, &info, error);
  info.metrics = metrics;
  info.n_metrics = 0;
  if (isfinite (train))
    metrics[info.n_metrics++] = (MtModelMetric) { "train", metric, train, FALSE, 0, 0 };
  for (guint i = 0; i < old->n_metrics; i++)
    if (strcmp (old->metrics[i].part, "cv") == 0 && old->metrics[i].metric == metric && info.n_metrics < 2)
      {
        metrics[info.n_metrics] = old->metrics[i];
        metrics[info.n_metrics].value += shift;
        metrics[info.n_metrics].low += shift;
        metrics[info.n_metrics++].high += shift;
      }
  return mt_model_new ((MtEncoder *) mt_model_get_encoder (model), rules, &info, error);
}

void
mt_model_init_edit (const MtModel *model,
                    MtEditContext *context)
{
  const MtModelInfo *info = mt_model_get_info (model);

  *context = (MtEditContext) {
    .encoder = mt_model_get_encoder (model),
    .dont_care = strcmp (info->dont_care, "off") == 0 ? MT_DONT_CARE_MODE_OFF
                 : strcmp (info->dont_care, "impossible") == 0 ? MT_DONT_CARE_MODE_IMPOSSIBLE
                 : MT_DONT_CARE_MODE_UNSEEN,
    .constraints = info->constraints,
  };
  for (guint i = 0; i < info->n_settings; i++)
    if (strcmp (info->settings[i].name, "class-weights") == 0 && info->settings[i].kind == MT_SETTING_TEXT)
      context->balance_classes = strcmp (info->settings[i].text, "balanced") == 0;
}
