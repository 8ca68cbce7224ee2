/* What is being predicted: one of two classes, one of several, or a number. See mt-task.h. */
#include "config.h"
#include "mt-task.h"

static const char * const task_words[] = { "binary", "multiclass", "regression" };

const char *
mt_task_to_string (MtTask task)
{
  g_return_val_if_fail ((guint) task < G_N_ELEMENTS (task_words), NULL);
  return task_words[task];
}

gboolean
mt_task_from_string (const char *word,
                     MtTask     *task)
{
  for (guint i = 0; i < G_N_ELEMENTS (task_words); i++)
    if (g_strcmp0 (word, task_words[i]) == 0)
      {
        *task = (MtTask) i;
        return TRUE;
      }
  return FALSE;
}

double *
mt_task_balance (const gsize *counts,
                 guint        n_classes)
{
  double *weights = g_new0 (double, MAX (n_classes, 1));
  gsize n_rows = 0;
  guint n_present = 0;

  for (guint c = 0; c < n_classes; c++)
    {
      n_rows += counts[c];
      n_present += counts[c] > 0;
    }
  for (guint c = 0; c < n_classes; c++)
    if (counts[c] > 0)
      weights[c] = (double) n_rows / ((double) n_present * (double) counts[c]);
  return weights;
}

guint
mt_task_decide (MtTask        task,
                double        cutoff,
                guint         n_outputs,
                gsize         n_rows,
                const double *predictions,
                gsize         row)
{
  guint best = 0;

  if (task == MT_TASK_BINARY)
    return predictions[row] > cutoff ? 1 : 0;
  for (guint c = 1; task == MT_TASK_MULTICLASS && c < n_outputs; c++)
    if (predictions[c * n_rows + row] > predictions[best * n_rows + row])
      best = c;
  return best;
}
