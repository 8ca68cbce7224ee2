#include "config.h"
#include "model-files.h"

#include <string.h>

#include "rules/mt-rule-text.h"
#include "sample-models.h"

MtModel *
model_make (MtTask task)
{
  g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);

  return mt_test_sample_model (task, table, 6, 2);
}

/* Each kind in its turn. */
static void
add_origin (MtRule *rule,
            guint   turn)
{
  static const double weights[16] = { 0.1, -2.5, 1e-300, 3, 1.0 / 3, -7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };
  guint n = mt_rule_get_n_inputs (rule);
  g_autoptr (MtOrigin) origin = turn % 4 == 0 ? mt_origin_new_scan ()
    : turn % 4 == 3 ? mt_origin_new_edit ()
    : turn % 4 == 1 ? mt_origin_new_node (mt_rule_get_inputs (rule), n, weights, 0.25, NULL)
                    : mt_origin_new_deep (mt_rule_get_inputs (rule), n, mt_rule_get_table (rule), NULL);

  g_assert_nonnull (origin);
  mt_rule_set_origin (rule, origin);
}

/* One of each that leaves no trace in the rules. */
static void
add_edits (MtModelInfo     *info,
           const MtEncoder *encoder,
           const MtRuleSet *rules,
           MtEditRecord    *edits)
{
  const double *thresholds = mt_encoder_get_column (encoder, 0)->thresholds;
  guint n = mt_rule_set_get_complexity (rules);
  MtMetric metric = mt_rule_set_get_task (rules) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  const MtEditRecord some[] = {
    { { .kind = MT_EDIT_DROP_RULE, .term = 3 }, "a rule", NULL, "r1", n + 5, n + 4, TRUE, metric, .75, .5, .01, .02 },
    { { .kind = MT_EDIT_DROP_TERM, .term = 2, .part = 1 }, "a rule", "a term", "r2", n + 4, n + 2 },
    { { .kind = MT_EDIT_DROP_INPUT, .term = 2, .part = 3 }, "a rule", "an \"input\"", "r3", n + 2, n },
    { { .kind = MT_EDIT_MERGE_THRESHOLDS, .column = mt_encoder_get_column_name (encoder, 0), .from = thresholds[0],
        .to = thresholds[1] }, NULL, NULL, "r4", n, n },
    { { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 2 }, NULL, NULL, "r5\nä", n, n, TRUE, metric, .5, .5, 0, 0 },
    { { .kind = MT_EDIT_ROUND_WEIGHTS, .points = 20 }, NULL, NULL, "r6", n, n },
    { { .kind = MT_EDIT_REFIT }, NULL, NULL, "r7", n, n },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (some) <= MT_N_EDITS);
  memcpy (edits, some, sizeof some);
  info->edits = edits;
  info->n_edits = G_N_ELEMENTS (some);
}

/* The same questions, asked of fewer cells. */
static MtEncoder *
add_gaps (const MtEncoder *encoder)
{
  guint n = mt_encoder_get_n_columns (encoder);
  g_autofree MtEncoderColumn *columns = g_new (MtEncoderColumn, n);
  char *numbers[] = { (char *) "-999.5", (char *) "no \"number\"", NULL }, *levels[] = { (char *) "", NULL };
  g_autoptr (GError) error = NULL;
  MtEncoder *other;

  for (guint i = 0; i < n; i++)
    columns[i] = *mt_encoder_get_column (encoder, i);
  columns[0].missing_values = numbers;
  columns[n - 1].missing_values = levels;
  other = mt_encoder_new (columns, n, &error);
  g_assert_no_error (error);
  return other;
}

MtModel *
model_make_full (MtTask task)
{
  g_autoptr (MtModel) model = model_make (task);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (MtRuleSet) all = NULL;
  g_autofree MtTerm *terms = g_new (MtTerm, mt_rule_set_get_n_terms (rules));
  g_autoptr (GError) error = NULL;
  MtModelInfo info = *mt_model_get_info (model);
  static const char * const tokens[] = { "", "-999", NULL }, * const of_target[] = { "unknown", NULL };
  g_autoptr (MtEncoder) encoder = add_gaps (mt_model_get_encoder (model));
  g_autofree char *first = mt_term_dup_text (mt_rule_set_get_term (rules, 0), mt_model_get_encoder (model));
  g_autofree char *last = mt_term_dup_text (mt_rule_set_get_term (rules, mt_rule_set_get_n_terms (rules) - 1),
                                            mt_model_get_encoder (model));
  const MtModelReason reasons[] = { { last, "Zu wenig \"Eigenkapital\"" }, { first, "a" }, { "not there", "left out" } };
  MtEditRecord edits[MT_N_EDITS];
  MtModel *full;
  guint n_marked = 0;

  mt_constraints_set_banned (constraints, "a banned one", TRUE);
  mt_constraints_set_banned (constraints, "another", TRUE);
  if (task != MT_TASK_MULTICLASS)
    mt_constraints_set_direction (constraints, "not encoded", MT_DIRECTION_RISING);
  info.constraints = constraints;
  info.missing_tokens = tokens;
  info.target_missing = of_target;
  info.reasons = reasons;
  info.n_reasons = G_N_ELEMENTS (reasons);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;
      const guint64 *sets[MT_N_DONT_CARES];
      guint64 neutral = 0;

      terms[t] = *mt_rule_set_get_term (rules, t);
      if (rule == NULL)
        continue;
      for (guint d = 0; d < MT_N_DONT_CARES; d++)
        sets[d] = mt_rule_get_dont_care (rule, (MtDontCare) d);
      for (guint v = 0; v < 1u << mt_rule_get_n_inputs (rule); v += 3)
        if ((sets[0] == NULL || !(*sets[0] >> v & 1)) && (sets[1] == NULL || !(*sets[1] >> v & 1)))
          neutral |= (guint64) 1 << v;
      sets[MT_DONT_CARE_NEUTRAL] = &neutral;
      n_marked += neutral != 0;
      terms[t].rule = mt_rule_new (mt_rule_get_inputs (rule), mt_rule_get_n_inputs (rule), mt_rule_get_cubes (rule),
                                   mt_rule_get_n_cubes (rule), sets, mt_rule_get_proven (rule), &error);
      add_origin (terms[t].rule, t);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (n_marked, >, 0);
  all = mt_rule_set_new (task, mt_rule_set_get_n_outputs (rules), mt_rule_set_get_bias (rules), terms,
                         mt_rule_set_get_n_terms (rules), &error);
  g_assert_no_error (error);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    mt_rule_unref (terms[t].rule);
  add_edits (&info, mt_model_get_encoder (model), all, edits);
  full = mt_model_new (encoder, all, &info, &error);
  g_assert_no_error (error);
  return full;
}
