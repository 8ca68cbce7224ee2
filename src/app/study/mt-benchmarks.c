/* What other methods give on the rows and folds of a run, found off the main thread and kept for as long as
 * the run is looked at. See mt-benchmarks.h. */
#include "config.h"
#include "mt-benchmarks.h"

#include <glib/gi18n.h>

#include "util/mt-preferences.h"

typedef struct {
  MtRunData        *basis;
  MtLearnOptions  options;
  MtTask          task;
} Job;

struct _MtBenchmarks {
  GObject       parent_instance;

  GCancellable *cancellable;   /* of what is being found; NULL: nothing is */
  MtTable      *table;         /* what was asked for last … */
  gsize         n_rows;
  guint         n_folds;
  guint64       seed;
  MtBaselines  *found;         /* … and found; NULL: not yet */
  GError       *error;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtBenchmarks, mt_benchmarks, G_TYPE_OBJECT)

static void
job_free (Job *job)
{
  mt_basis_unref (job->basis);
  g_free (job);
}

static void
find_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (MtPool) pool = mt_pool_new (mt_preferences_get_threads ());
  GError *error = NULL;
  MtBaselines *found;

  job->options.task = &job->task;
  found = mt_baselines_run (job->basis->table, job->basis->rows->rows, job->basis->rows->n_rows, &job->options, NULL,
                            pool, NULL, NULL, cancellable, &error);
  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) mt_baselines_unref);
  else
    g_task_return_error (task, error);
}

static void
on_found (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  MtBenchmarks *self = MT_BENCHMARKS (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtBaselines) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return;   /* stopped, or overtaken by another */
  g_clear_object (&self->cancellable);
  if (found != NULL)
    self->found = g_steal_pointer (&found);
  else
    self->error = g_steal_pointer (&error);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_benchmarks_find (MtBenchmarks         *self,
                    MtRunData              *basis,
                    const MtLearnOptions *options)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (MT_IS_BENCHMARKS (self));
  g_return_if_fail (basis != NULL && options != NULL);

  if (self->table == basis->table && self->n_rows == basis->rows->n_rows &&
      self->n_folds == options->frontier.n_folds && self->seed == options->seed &&
      (self->cancellable != NULL || self->found != NULL || self->error != NULL))
    return;
  mt_benchmarks_clear (self);
  self->table = mt_table_ref (basis->table);
  self->n_rows = basis->rows->n_rows;
  self->n_folds = options->frontier.n_folds;
  self->seed = options->seed;
  self->cancellable = g_cancellable_new ();
  job = g_new0 (Job, 1);
  job->basis = mt_basis_ref (basis);
  job->options = *options;
  job->task = mt_target_get_task (basis->target);
  task = g_task_new (self, self->cancellable, on_found, NULL);
  g_task_set_source_tag (task, mt_benchmarks_find);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, find_thread);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_benchmarks_stop (MtBenchmarks *self)
{
  g_return_if_fail (MT_IS_BENCHMARKS (self));

  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_benchmarks_clear (MtBenchmarks *self)
{
  g_return_if_fail (MT_IS_BENCHMARKS (self));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->found, mt_baselines_unref);
  g_clear_error (&self->error);
  g_signal_emit (self, changed_signal, 0);
}

gboolean
mt_benchmarks_is_running (MtBenchmarks *self)
{
  g_return_val_if_fail (MT_IS_BENCHMARKS (self), FALSE);
  return self->cancellable != NULL;
}

const MtBaselines *
mt_benchmarks_get (MtBenchmarks *self)
{
  g_return_val_if_fail (MT_IS_BENCHMARKS (self), NULL);
  return self->found;
}

const GError *
mt_benchmarks_get_error (MtBenchmarks *self)
{
  g_return_val_if_fail (MT_IS_BENCHMARKS (self), NULL);
  return self->error;
}

char *
mt_benchmark_dup_label (const MtBaseline *baseline,
                        MtTask            task)
{
  switch (baseline->kind)
    {
    case MT_BASELINE_LINEAR:
      if (task == MT_TASK_REGRESSION)
        return g_strdup_printf (ngettext ("Linear regression, %u term", "Linear regression, %u terms", baseline->size),
                                baseline->size);
      return g_strdup_printf (ngettext ("Logistic regression, %u term", "Logistic regression, %u terms",
                                        baseline->size), baseline->size);
    case MT_BASELINE_TREE:
      return g_strdup_printf (ngettext ("Decision tree, %u leaf", "Decision tree, %u leaves", baseline->size),
                              baseline->size);
    case MT_BASELINE_BOOSTED:
      return g_strdup_printf (ngettext ("Boosted trees, %u tree", "Boosted trees, %u trees", baseline->size),
                              baseline->size);
    case MT_BASELINE_INTERCEPT:
    case MT_N_BASELINES:
    default:
      return g_strdup (_("Intercept only"));
    }
}

static void
mt_benchmarks_dispose (GObject *object)
{
  mt_benchmarks_clear (MT_BENCHMARKS (object));
  G_OBJECT_CLASS (mt_benchmarks_parent_class)->dispose (object);
}

static void
mt_benchmarks_class_init (MtBenchmarksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_benchmarks_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
mt_benchmarks_init (MtBenchmarks *self)
{
}

MtBenchmarks *
mt_benchmarks_new (void)
{
  return g_object_new (MT_TYPE_BENCHMARKS, NULL);
}
