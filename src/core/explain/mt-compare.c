/* Two models side by side: what they are made of, which terms they share, on which rows they disagree. See
 * mt-compare.h. */
#include "config.h"
#include "mt-compare.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "rules/mt-rule-text.h"

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
          const MtUnary *unary = mt_term_get_unary (term, model->encoder);

          g_hash_table_add (columns, (gpointer) mt_encoder_get_column_name (model->encoder, unary->column));
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

static double *
predict (const MtCompared *model,
         MtTask            task,
         guint             n_outputs,
         gsize             n_rows)
{
  double *predictions = g_new (double, MAX (n_outputs * n_rows, 1));

  mt_rule_set_score (model->rules, model->encoded, predictions);
  mt_task_link (task, n_outputs, n_rows, predictions);
  return predictions;
}

/* The largest difference first, of equals the row that comes first. */
static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const MtRowDifference *x = a, *y = b;
  double p = fabs (x->predictions[1] - x->predictions[0]), q = fabs (y->predictions[1] - y->predictions[0]);

  if (p != q)
    return p > q ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static void
compare_predictions (const MtCompared  models[2],
                     MtComparison     *self)
{
  MtTask task = mt_rule_set_get_task (models[0].rules);
  guint n_outputs = mt_rule_set_get_n_outputs (models[0].rules);
  gsize n = self->n_rows;
  g_autofree double *a = predict (&models[0], task, n_outputs, n);
  g_autofree double *b = predict (&models[1], task, n_outputs, n);

  for (gsize r = 0; r < n; r++)
    {
      guint left = mt_task_decide (task, mt_rule_set_get_cutoff (models[0].rules), n_outputs, n, a, r);
      guint right = mt_task_decide (task, mt_rule_set_get_cutoff (models[1].rules), n_outputs, n, b, r);
      gsize at_left = task == MT_TASK_MULTICLASS ? left * n + r : r;
      gsize at_right = task == MT_TASK_MULTICLASS ? right * n + r : r;
      MtRowDifference difference = { (guint32) r, { left, right }, { a[at_left], b[at_right] } };

      self->difference += task == MT_TASK_REGRESSION ? fabs (a[r] - b[r]) / (double) n : 0;
      if (task == MT_TASK_REGRESSION ? a[r] != b[r] : left != right)
        g_array_append_val (self->rows, difference);
    }
  self->n_differ = self->rows->len;
  if (task == MT_TASK_REGRESSION)
    g_array_sort (self->rows, compare_rows);
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
                           _("the two models were trained on different rows or targets and cannot be "
                             "compared row by row"));
      return NULL;
    }
  self->only[0] = list_columns (models[0].encoder, first, second, FALSE);
  self->only[1] = list_columns (models[1].encoder, second, first, FALSE);
  self->both = list_columns (models[0].encoder, first, second, TRUE);
  self->rows = g_array_new (FALSE, FALSE, sizeof (MtRowDifference));
  self->matches = mt_rule_match ((const MtRuleSet *[]) { models[0].rules, models[1].rules },
                                 (const MtEncoder *[]) { models[0].encoder, models[1].encoder });
  if (!g_cancellable_is_cancelled (cancellable))
    compare_predictions (models, self);
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
  g_clear_pointer (&self->matches, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self);
}
