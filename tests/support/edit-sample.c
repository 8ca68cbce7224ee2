#include "config.h"
#include "edit-sample.h"

#include "sample-models.h"

void
mt_edit_sample_init (MtEditSample *self,
                     MtTask        task,
                     guint         n_rules,
                     guint64       seed)
{
  g_autoptr (GError) error = NULL;
  gsize n_rows = 400;

  self->table = mt_test_sample_table (task, n_rows, seed);
  self->model = mt_test_sample_model (task, self->table, n_rules, seed + 1);
  self->encoded = mt_encoder_apply (mt_model_get_encoder (self->model), self->table, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  self->truth = mt_model_read_truth (self->model, self->table, "y", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (self->truth->n_rows, ==, n_rows);
  self->target = g_new (double, n_rows);
  self->fold_of = g_new (guint8, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    {
      self->target[r] = task == MT_TASK_REGRESSION ? self->truth->values[r] : self->truth->classes[r];
      self->fold_of[r] = (guint8) (r % 5);
    }
  mt_model_init_edit (self->model, &self->context);
  g_assert_cmpint (self->context.dont_care, ==, MT_DONT_CARE_MODE_UNSEEN);
  self->context.encoded = self->encoded;
  self->context.target = self->target;
  self->context.fold_of = self->fold_of;
  self->context.n_folds = 5;
}

void
mt_edit_sample_clear (MtEditSample *self)
{
  mt_table_unref (self->table);
  mt_model_unref (self->model);
  mt_encoded_unref (self->encoded);
  mt_truth_free (self->truth);
  g_free (self->target);
  g_free (self->fold_of);
}

const MtRuleSet *
mt_edit_sample_rules (const MtEditSample *self)
{
  return mt_model_get_rules (self->model);
}

MtRuleSet *
mt_edit_sample_apply (const MtEditSample *self,
                      const MtEdit       *edit)
{
  g_autoptr (GError) error = NULL;
  MtRuleSet *rules = mt_edit_apply (&self->context, mt_edit_sample_rules (self), edit, NULL, &error);

  g_assert_no_error (error);
  return rules;
}

void
mt_edit_sample_draw (const MtEditSample *self,
                     MtEditKind          kind,
                     MtRandom           *random,
                     MtEdit             *edit)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint n_terms = mt_rule_set_get_n_terms (mt_edit_sample_rules (self));
  const MtRule *rule;

  *edit = (MtEdit) { .kind = kind };
  edit->term = kind == MT_EDIT_DROP_RULE ? (guint) mt_random_below (random, n_terms)
                                         : 2 + (guint) mt_random_below (random, n_terms - 2);
  rule = mt_rule_set_get_term (mt_edit_sample_rules (self), edit->term)->rule;
  if (kind == MT_EDIT_DROP_TERM)
    edit->part = (guint) mt_random_below (random, mt_rule_get_n_cubes (rule));
  else if (kind == MT_EDIT_DROP_INPUT)
    edit->part = (guint) mt_random_below (random, mt_rule_get_n_inputs (rule));
  else if (kind == MT_EDIT_SET_WEIGHT)
    {
      edit->term = (guint) mt_random_below (random, n_terms);
      edit->part = (guint) mt_random_below (random, mt_rule_set_get_n_outputs (mt_edit_sample_rules (self)));
      edit->to = mt_random_below (random, 5) == 0 ? 0 : mt_random_normal (random);
    }
  else if (kind == MT_EDIT_SET_THRESHOLD)
    {
      const MtEncoderColumn *column;
      const MtLiteral *literal;

      edit->part = (guint) mt_random_below (random, mt_rule_get_n_inputs (rule));
      literal = mt_encoder_get_literal (encoder, mt_rule_get_inputs (rule)[edit->part]);
      column = mt_encoder_get_column (encoder, literal->column);
      if (literal->kind == MT_LITERAL_AT_LEAST)
        edit->to = column->thresholds[mt_random_below (random, column->n_thresholds)];
    }
  else if (kind == MT_EDIT_ADD_RULE)
    {
      edit->n_literals = 1 + (guint) mt_random_below (random, 3);
      for (guint i = 0; i < edit->n_literals; i++)
        edit->literals[i] = (guint) mt_random_below (random, mt_encoder_get_n_literals (encoder));
      edit->negated = (guint) mt_random_below (random, 8) & ((1u << edit->n_literals) - 1);
      edit->part = (guint) mt_random_below (random, mt_rule_set_get_n_outputs (mt_edit_sample_rules (self)));
      edit->to = mt_random_normal (random);
    }
  else if (kind == MT_EDIT_FORBID_COLUMN || kind == MT_EDIT_MERGE_THRESHOLDS)
    {
      const MtEncoderColumn *column =
        mt_encoder_get_column (encoder, (guint) mt_random_below (random, kind == MT_EDIT_FORBID_COLUMN ? 6 : 3));

      edit->column = column->name;
      if (kind == MT_EDIT_MERGE_THRESHOLDS)
        {
          edit->from = column->thresholds[mt_random_below (random, column->n_thresholds)];
          do
            edit->to = column->thresholds[mt_random_below (random, column->n_thresholds)];
          while (edit->to == edit->from);
        }
    }
}
