#include "config.h"
#include "mt-run.h"

typedef struct {
  gatomicrefcount  ref_count;
  GWeakRef         run;
  GCancellable    *cancellable;
  MtTable         *table;
  MtRunSettings    settings;

  GMutex           lock;       /* guards the two below */
  double           newest;
  gboolean         pending;
} Job;

struct _MtRun {
  GObject        parent_instance;

  Job           *job;          /* the running one, or NULL */
  gint64         started;
  double         elapsed;
  double         progress;

  MtLearned     *learned;
  MtBasis       *basis;
  MtRunSettings  settings;
  GError        *error;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtRun, mt_run, G_TYPE_OBJECT)

void
mt_run_settings_init (MtRunSettings *settings,
                      MtPreset       preset)
{
  MtLearnOptions defaults;

  mt_learn_options_init (&defaults);
  *settings = (MtRunSettings) {
    .bits = defaults.encoder.bits,
    .fan_in = defaults.frontier.refine.fan_in,
    .rounds = defaults.frontier.refine.rounds,
    .per_round = defaults.frontier.refine.per_round,
    .dont_care = defaults.frontier.refine.dont_care,
    .numeric_terms = defaults.frontier.refine.numeric_terms,
    .folds = defaults.frontier.n_folds,
  };
  if (preset == MT_PRESET_SIMPLE)
    {
      settings->bits = 5;
      settings->fan_in = 2;
      settings->rounds = 2;
      settings->max_literals = 20;
    }
  else if (preset == MT_PRESET_ACCURATE)
    {
      settings->bits = 15;
      settings->fan_in = MAX (settings->fan_in, 4);
      settings->rounds = 8;
      settings->folds = 10;
    }
}

gboolean
mt_run_settings_equal (const MtRunSettings *a,
                       const MtRunSettings *b)
{
  return a->bits == b->bits && a->fan_in == b->fan_in && a->rounds == b->rounds && a->per_round == b->per_round &&
         a->dont_care == b->dont_care && a->numeric_terms == b->numeric_terms && a->folds == b->folds &&
         a->max_literals == b->max_literals && a->seed == b->seed;
}

/* --- the worker --- */

static Job *
job_ref (Job *job)
{
  g_atomic_ref_count_inc (&job->ref_count);
  return job;
}

static void
job_unref (Job *job)
{
  if (job == NULL || !g_atomic_ref_count_dec (&job->ref_count))
    return;
  g_weak_ref_clear (&job->run);
  g_object_unref (job->cancellable);
  mt_table_unref (job->table);
  g_mutex_clear (&job->lock);
  g_free (job);
}

static gboolean
show_progress (gpointer data)
{
  Job *job = data;
  g_autoptr (MtRun) self = g_weak_ref_get (&job->run);
  double newest;

  g_mutex_lock (&job->lock);
  job->pending = FALSE;
  newest = job->newest;
  g_mutex_unlock (&job->lock);
  if (self != NULL && self->job == job)
    {
      self->progress = newest;
      g_signal_emit (self, changed_signal, 0);
    }
  return G_SOURCE_REMOVE;
}

static void
note_progress (const MtLearnProgress *progress,
               gpointer               data)
{
  Job *job = data;

  g_mutex_lock (&job->lock);
  job->newest = progress->done;
  if (!job->pending)
    {
      job->pending = TRUE;
      g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_progress, job_ref (job), (GDestroyNotify) job_unref);
    }
  g_mutex_unlock (&job->lock);
}

static void
run_thread (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (MtPool) pool = mt_pool_new (0);
  MtLearnOptions options;
  MtLearned *learned;
  GError *error = NULL;

  mt_learn_options_init (&options);
  options.encoder.bits = job->settings.bits;
  options.frontier.refine.fan_in = job->settings.fan_in;
  options.frontier.refine.rounds = job->settings.rounds;
  options.frontier.refine.per_round = job->settings.per_round;
  options.frontier.refine.dont_care = job->settings.dont_care;
  options.frontier.refine.numeric_terms = job->settings.numeric_terms;
  options.frontier.n_folds = job->settings.folds;
  options.frontier.max_literals = job->settings.max_literals;
  options.seed = job->settings.seed;
  learned = mt_learn_run (job->table, NULL, 0, &options, pool, note_progress, job, cancellable, &error);
  if (learned != NULL)
    g_task_return_pointer (task, learned, (GDestroyNotify) mt_learned_free);
  else
    g_task_return_error (task, error);
}

static void
on_run (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  MtRun *self = MT_RUN (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (MtLearned) learned = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->job != job)
    return;   /* stopped, or overtaken by another */
  self->elapsed = (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
  if (learned != NULL)
    {
      g_clear_pointer (&self->learned, mt_learned_free);
      self->learned = g_steal_pointer (&learned);
      g_clear_pointer (&self->basis, mt_basis_unref);
      self->basis = mt_basis_new_from_learned (job->table, self->learned, job->settings.dont_care);
      self->settings = job->settings;
    }
  else
    self->error = g_steal_pointer (&error);
  g_clear_pointer (&self->job, job_unref);
  g_signal_emit (self, changed_signal, 0);
}

/* --- the object --- */

void
mt_run_start (MtRun               *self,
              MtTable             *table,
              const MtRunSettings *settings)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (MT_IS_RUN (self));
  g_return_if_fail (table != NULL && settings != NULL);

  mt_run_stop (self);
  g_clear_error (&self->error);
  job = g_new0 (Job, 1);
  g_atomic_ref_count_init (&job->ref_count);
  g_weak_ref_init (&job->run, self);
  g_mutex_init (&job->lock);
  job->cancellable = g_cancellable_new ();
  job->table = mt_table_ref (table);
  job->settings = *settings;
  self->job = job;
  self->progress = 0;
  self->started = g_get_monotonic_time ();
  task = g_task_new (self, job->cancellable, on_run, NULL);
  g_task_set_source_tag (task, mt_run_start);
  g_task_set_task_data (task, job_ref (job), (GDestroyNotify) job_unref);
  g_task_run_in_thread (task, run_thread);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_run_stop (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->job == NULL)
    return;
  g_cancellable_cancel (self->job->cancellable);
  g_clear_pointer (&self->job, job_unref);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_run_clear (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  mt_run_stop (self);
  g_clear_error (&self->error);
  g_clear_pointer (&self->learned, mt_learned_free);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_signal_emit (self, changed_signal, 0);
}

gboolean
mt_run_is_running (MtRun *self)
{
  return self->job != NULL;
}

double
mt_run_get_progress (MtRun *self)
{
  return self->progress;
}

double
mt_run_get_elapsed (MtRun *self)
{
  if (self->job != NULL)
    return (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
  return self->elapsed;
}

const GError *
mt_run_get_error (MtRun *self)
{
  return self->error;
}

const MtLearned *
mt_run_get_learned (MtRun *self)
{
  return self->learned;
}

MtBasis *
mt_run_get_basis (MtRun *self)
{
  return self->basis;
}

const MtRunSettings *
mt_run_get_settings (MtRun *self)
{
  return &self->settings;
}

static void
mt_run_finalize (GObject *object)
{
  MtRun *self = MT_RUN (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job->cancellable);
  g_clear_pointer (&self->job, job_unref);
  g_clear_pointer (&self->learned, mt_learned_free);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (mt_run_parent_class)->finalize (object);
}

static void
mt_run_class_init (MtRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_run_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
mt_run_init (MtRun *self)
{
}

MtRun *
mt_run_new (void)
{
  return g_object_new (MT_TYPE_RUN, NULL);
}
