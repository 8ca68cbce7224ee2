/* Books of rules: what the rule browser and what-if read, from where models come. See mt-rule-book-build.h.
 * */
#include "config.h"
#include "mt-rule-book-build.h"

MtRuleBook *
mt_selected_model_make_book (MtSelectedModel *fitted)
{
  const MtRunData *basis = fitted->basis;
  MtRuleBookParts parts = {
    .encoder = basis->encoder,
    .rules = fitted->point.rules,
    .target = mt_target_get_name (basis->target),
    .classes = mt_target_get_classes (basis->target),
    .dont_care = basis->dont_care,
    .table = basis->table,
    .encoded = basis->encoded,
    .values = basis->rows->values,
    .row_numbers = basis->rows->rows,
  };

  return mt_rule_book_new (&parts, mt_selected_model_ref (fitted), (GDestroyNotify) mt_selected_model_unref);
}

MtRuleBook *
mt_model_make_book (MtModel *model)
{
  const MtModelInfo *info = mt_model_get_info (model);
  MtRuleBookParts parts = {
    .encoder = (MtEncoder *) mt_model_get_encoder (model),
    .rules = (MtRuleSet *) mt_model_get_rules (model),
    .target = info->target,
    .classes = info->classes,
    .dont_care = g_strcmp0 (info->dont_care, "off") == 0 ? MT_DONT_CARE_MODE_OFF
                 : g_strcmp0 (info->dont_care, "impossible") == 0 ? MT_DONT_CARE_MODE_IMPOSSIBLE
                 : MT_DONT_CARE_MODE_UNSEEN,
  };

  return mt_rule_book_new (&parts, mt_model_ref (model), (GDestroyNotify) mt_model_unref);
}
