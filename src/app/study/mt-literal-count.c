/* How many literals a table would have, counted off the main thread. See mt-literal-count.h. */
#include "config.h"
#include "mt-literal-count.h"

typedef struct {
  MtTable        *table;
  MtConstraints  *constraints;
  guint           bits;
} Counting;

static void
counting_free (gpointer data)
{
  Counting *counting = data;

  mt_table_unref (counting->table);
  mt_constraints_unref (counting->constraints);
  g_free (counting);
}

static void
count_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Counting *counting = data;
  MtEncoderOptions options;
  g_auto (GStrv) banned = mt_constraints_dup_banned (counting->constraints);
  g_autoptr (MtEncoder) encoder = NULL;

  mt_encoder_options_init (&options);
  options.bits = counting->bits;
  options.banned = (const char * const *) banned;
  if (!g_cancellable_is_cancelled (cancellable))
    encoder = mt_encoder_fit (counting->table, NULL, mt_table_get_n_rows (counting->table), &options, NULL);
  g_task_return_int (task, encoder != NULL ? (gssize) mt_encoder_get_n_literals (encoder) : -1);
}

void
mt_literal_count_async (GObject             *owner,
                        MtTable             *table,
                        const MtRunSettings *settings,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = g_task_new (owner, cancellable, callback, NULL);
  Counting *counting = g_new0 (Counting, 1);

  counting->table = mt_table_ref (table);
  counting->constraints = mt_run_settings_dup_constraints (settings);
  counting->bits = settings->bits;
  g_task_set_source_tag (task, mt_literal_count_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, counting, counting_free);
  g_task_run_in_thread (task, count_thread);
}

gssize
mt_literal_count_finish (GAsyncResult *result)
{
  return g_task_propagate_int (G_TASK (result), NULL);
}
