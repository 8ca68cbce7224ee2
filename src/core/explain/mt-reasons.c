/* Why a row got its answer: the terms that moved it most, in words. See mt-reasons.h. */
#include "config.h"
#include "mt-reasons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/mt-rule-text.h"

static int
compare_reasons (gconstpointer a,
                 gconstpointer b)
{
  const MtReason *x = a, *y = b;

  if (fabs (x->amount) != fabs (y->amount))
    return fabs (x->amount) > fabs (y->amount) ? -1 : 1;
  return x->term < y->term ? -1 : 1;
}

guint
mt_reasons_rank (const MtModel *model,
                 const double  *contributions,
                 gsize          n_rows,
                 gsize          index,
                 guint          decided,
                 MtReason      *reasons)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));
  guint n_outputs = mt_model_get_n_predictions (model);
  guint n_reasons = 0;

  for (guint t = 0; t < n_terms; t++)
    {
      const double *own = contributions + (gsize) t * n_outputs * n_rows;
      double amount = own[(n_outputs > 1 ? decided : 0) * n_rows + index], sum = 0;

      for (guint c = 0; n_outputs > 1 && c < n_outputs; c++)
        sum += own[c * n_rows + index];
      amount -= sum / n_outputs;
      if (amount != 0)
        reasons[n_reasons++] = (MtReason) { t, amount };
    }
  qsort (reasons, n_reasons, sizeof *reasons, compare_reasons);
  return n_reasons;
}

guint
mt_reasons_sort_for (const MtModel *model,
                     guint          decided,
                     MtReason      *reasons,
                     guint          n_reasons)
{
  g_autofree MtReason *against = g_new (MtReason, n_reasons + 1);
  gboolean is_first = mt_model_get_n_classes (model) == 2 && decided == 0;
  guint n_for = 0, n_against = 0;

  if (mt_model_get_task (model) == MT_TASK_REGRESSION)
    return n_reasons;
  for (guint i = 0; i < n_reasons; i++)
    if ((reasons[i].amount > 0) != is_first)
      reasons[n_for++] = reasons[i];
    else
      against[n_against++] = reasons[i];
  memcpy (reasons + n_for, against, n_against * sizeof *reasons);
  return n_for;
}

char *
mt_reason_dup_text (const MtModel *model,
                    guint          index,
                    const MtTable *table,
                    gsize          row)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtTerm *term = mt_rule_set_get_term (mt_model_get_rules (model), index);
  const char *reason = mt_model_get_reason (model, index);
  g_autofree char *name = NULL;
  g_autofree char *cell = NULL;
  const MtColumn *column;

  if (reason != NULL)
    return g_strdup (reason);
  if (!term->is_numeric)
    return mt_term_dup_text (term, encoder);
  name = mt_encoder_dup_column_text (encoder, mt_term_get_unary (term, encoder)->column);
  column = mt_table_find_column (table, mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column),
                                 NULL);
  if (mt_column_is_missing (column, row))
    return g_strdup_printf ("%s is missing", name);
  cell = mt_column_dup_text (column, row);
  return g_strdup_printf ("%s = %s", name, cell);
}
