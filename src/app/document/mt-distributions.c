/* The distributions of a table's columns, computed off the main thread when first asked for. See mt-
 * distributions.h. */
#include "config.h"
#include "mt-distributions.h"

#define MAX_BINS   14
#define MAX_LEVELS 4
#define BATCH      8     /* columns a task: the first ones show while the next are computed */

struct _MtDistributions {
  GObject       parent_instance;

  MtTable      *table;
  GHashTable   *known;         /* MtColumn → MtDistribution */
  GHashTable   *wanted;        /* set of MtColumn: asked for, not yet known */
  GQueue        queue;         /* of MtColumn, borrowed from wanted: in the order asked for */
  GCancellable *cancellable;   /* of the running task, or NULL */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtDistributions, mt_distributions, G_TYPE_OBJECT)

typedef struct {
  MtColumn       *column;
  MtDistribution *distribution;
} Job;

static void
job_clear (gpointer data)
{
  Job *job = data;

  mt_column_unref (job->column);
  mt_distribution_unref (job->distribution);
}

static void start_batch (MtDistributions *self);

static void
batch_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  GArray *jobs = data;
  GError *error = NULL;

  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = &g_array_index (jobs, Job, i);

      job->distribution = mt_distribution_new (job->column, MAX_BINS, MAX_LEVELS, cancellable, &error);
      if (job->distribution == NULL)
        {
          g_task_return_error (task, error);
          return;
        }
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_batch (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  MtDistributions *self = MT_DISTRIBUTIONS (source);
  GArray *jobs = g_task_get_task_data (G_TASK (result));

  if (self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return;   /* of another table */
  g_clear_object (&self->cancellable);
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = &g_array_index (jobs, Job, i);

      g_hash_table_insert (self->known, mt_column_ref (job->column), g_steal_pointer (&job->distribution));
      g_hash_table_remove (self->wanted, job->column);
    }
  g_signal_emit (self, changed_signal, 0);
  start_batch (self);
}

static void
start_batch (MtDistributions *self)
{
  g_autoptr (GTask) task = NULL;
  GArray *jobs;

  if (self->cancellable != NULL || g_queue_is_empty (&self->queue))
    return;
  jobs = g_array_new (FALSE, TRUE, sizeof (Job));
  g_array_set_clear_func (jobs, job_clear);
  while (jobs->len < BATCH && !g_queue_is_empty (&self->queue))
    {
      Job job = { mt_column_ref (g_queue_pop_head (&self->queue)), NULL };

      g_array_append_val (jobs, job);
    }
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_batch, NULL);
  g_task_set_source_tag (task, start_batch);
  g_task_set_task_data (task, jobs, (GDestroyNotify) g_array_unref);
  g_task_run_in_thread (task, batch_thread);
}

void
mt_distributions_set_table (MtDistributions *self,
                            MtTable         *table)
{
  g_autoptr (GHashTable) kept = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) mt_column_unref,
                                                       (GDestroyNotify) mt_distribution_unref);

  g_return_if_fail (MT_IS_DISTRIBUTIONS (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_queue_clear (&self->queue);
  g_hash_table_remove_all (self->wanted);
  for (guint i = 0; table != NULL && i < mt_table_get_n_columns (table); i++)
    {
      MtColumn *column = (MtColumn *) mt_table_get_column (table, i);
      MtDistribution *distribution = g_hash_table_lookup (self->known, column);

      if (distribution != NULL)
        g_hash_table_insert (kept, mt_column_ref (column), mt_distribution_ref (distribution));
    }
  g_hash_table_unref (self->known);
  self->known = g_steal_pointer (&kept);
  g_clear_pointer (&self->table, mt_table_unref);
  self->table = table != NULL ? mt_table_ref (table) : NULL;
}

MtDistribution *
mt_distributions_get (MtDistributions *self,
                      guint            index)
{
  MtColumn *column;
  MtDistribution *distribution;

  g_return_val_if_fail (MT_IS_DISTRIBUTIONS (self) && self->table != NULL, NULL);

  column = (MtColumn *) mt_table_get_column (self->table, index);
  distribution = g_hash_table_lookup (self->known, column);
  if (distribution == NULL && !g_hash_table_contains (self->wanted, column))
    {
      g_hash_table_add (self->wanted, mt_column_ref (column));
      g_queue_push_tail (&self->queue, column);
      start_batch (self);
    }
  return distribution;
}

static void
mt_distributions_finalize (GObject *object)
{
  MtDistributions *self = MT_DISTRIBUTIONS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_queue_clear (&self->queue);
  g_hash_table_unref (self->wanted);
  g_hash_table_unref (self->known);
  g_clear_pointer (&self->table, mt_table_unref);
  G_OBJECT_CLASS (mt_distributions_parent_class)->finalize (object);
}

static void
mt_distributions_class_init (MtDistributionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_distributions_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
mt_distributions_init (MtDistributions *self)
{
  g_queue_init (&self->queue);
  self->known = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) mt_column_unref,
                                       (GDestroyNotify) mt_distribution_unref);
  self->wanted = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) mt_column_unref, NULL);
}

MtDistributions *
mt_distributions_new (void)
{
  return g_object_new (MT_TYPE_DISTRIBUTIONS, NULL);
}
