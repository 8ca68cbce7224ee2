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
