#include "config.h"
#include "mt-compare.h"

#include <math.h>

#include "mt-error.h"

/* The names of the columns it reads, as a set; the keys are the encoder's. */
static GHashTable *
find_columns (const MtCompared *model,
              MtModelShape     *shape)
{
  GHashTable *columns = g_hash_table_new (g_str_hash, g_str_equal);

  *shape = (MtModelShape) { 0 };
  shape->n_terms = mt_rule_set_get_n_terms (model->rules);
  for (guint t = 0; t < shape->n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (model->rules, t);

      if (term->is_numeric)
        {
          for (guint u = 0; u < mt_encoder_get_n_unary (model->encoder); u++)
            {
              const MtUnary *unary = mt_encoder_get_unary (model->encoder, u);

              if (unary->is_numeric && unary->numeric == term->numeric)
                g_hash_table_add (columns, (gpointer) mt_encoder_get_column_name (model->encoder, unary->column));
            }
          continue;
        }
      shape->n_rules++;
      shape->longest = MAX (shape->longest, mt_rule_get_n_literals (term->rule));
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        {
          const MtLiteral *literal = mt_encoder_get_literal (model->encoder, mt_rule_get_inputs (term->rule)[i]);

          g_hash_table_add (columns, (gpointer) mt_encoder_get_column_name (model->encoder, literal->column));
        }
    }
  shape->n_columns = g_hash_table_size (columns);
  return columns;
}

/* In the order of the encoder's columns, so that nothing depends on the set's. */
static char **
list_columns (const MtEncoder *encoder,
              GHashTable      *with,
              GHashTable      *other,
              gboolean         in_other)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      const char *name = mt_encoder_get_column_name (encoder, c);

      if (g_hash_table_contains (with, name) && g_hash_table_contains (other, name) == in_other)
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static guint
decide (const double *scores,
        guint         n_outputs,
        gsize         n_rows,
        gsize         row)
{
  guint best = 0;

  if (n_outputs == 1)
    return scores[row] > 0;
  for (guint c = 1; c < n_outputs; c++)
    if (scores[c * n_rows + row] > scores[best * n_rows + row])
      best = c;
  return best;
}

static void
compare_scores (const MtCompared  models[2],
                MtComparison     *self)
{
  guint n_outputs = mt_rule_set_get_n_outputs (models[0].rules);
  gsize n = self->n_rows;
  g_autofree double *a = g_new (double, MAX (n_outputs * n, 1));
  g_autofree double *b = g_new (double, MAX (n_outputs * n, 1));

  mt_rule_set_score (models[0].rules, models[0].encoded, a);
  mt_rule_set_score (models[1].rules, models[1].encoded, b);
  for (gsize r = 0; r < n; r++)
    if (mt_rule_set_get_task (models[0].rules) == MT_TASK_REGRESSION)
      self->difference += fabs (a[r] - b[r]) / (double) n;
    else
      self->n_differ += decide (a, n_outputs, n, r) != decide (b, n_outputs, n, r);
}

MtComparison *
mt_compare_models (const MtCompared   models[2],
                   GCancellable      *cancellable,
                   GError           **error)
{
  g_autoptr (MtComparison) self = g_new0 (MtComparison, 1);
  g_autoptr (GHashTable) first = find_columns (&models[0], &self->shapes[0]);
  g_autoptr (GHashTable) second = find_columns (&models[1], &self->shapes[1]);

  self->n_rows = mt_encoded_get_n_rows (models[0].encoded);
  if (mt_encoded_get_n_rows (models[1].encoded) != self->n_rows ||
      mt_rule_set_get_task (models[0].rules) != mt_rule_set_get_task (models[1].rules) ||
      mt_rule_set_get_n_outputs (models[0].rules) != mt_rule_set_get_n_outputs (models[1].rules))
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARAMS,
                           "the two models were learnt from different rows or targets and cannot be compared row by row");
      return NULL;
    }
  self->only[0] = list_columns (models[0].encoder, first, second, FALSE);
  self->only[1] = list_columns (models[1].encoder, second, first, FALSE);
  self->both = list_columns (models[0].encoder, first, second, TRUE);
  compare_scores (models, self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
mt_comparison_free (MtComparison *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->only[0]);
  g_strfreev (self->only[1]);
  g_strfreev (self->both);
  g_free (self);
}
