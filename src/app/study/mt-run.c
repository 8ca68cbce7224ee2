#include "config.h"
#include "mt-run.h"

#include <math.h>

#include "document/mt-run-words.h"
#include "util/mt-preferences.h"

#define FRAME_MS 60   /* nobody sees more than so often how far it is */
#define FEW_VISITS 8  /* of fewer models nobody can tell how fast they come */

/* What the worker has; the run may be gone before it ends. */
typedef struct {
  gatomicrefcount  ref_count;
  GWeakRef         run;
  GCancellable    *cancellable;
  MtTable         *table;
  MtRunSettings    settings;
  guint            n_threads;  /* 0: as many as there are */

  GMutex           lock;       /* guards what follows, which the worker fills */
  gboolean         pending;    /* an idle will pick it up */
  MtRunProgress    newest;
  double           seconds_left;
  guint            network;    /* whose epochs they are */
  GArray          *epochs;     /* of MtRunEpoch */
  GArray          *visits;     /* of MtRunVisit */
  gint64           visited;    /* when the first of them was */
  GArray          *parts;      /* of double */
  MtTrainCheckpoints     *keep;
} Job;

/* What it brings back. */
typedef struct {
  MtLearned *learned;
  GArray    *test;             /* of guint32: rows kept for the test; NULL: none */
} Found;

struct _MtRun {
  GObject        parent_instance;

  MtTable       *table;
  MtRunSettings  settings;
  char          *data;         /* what its points were learnt from … */
  char          *table_data;   /* … and what its table holds */
  gboolean       earlier;
  gboolean       tells_target;
  guint          series;
  char          *name;
  MtRunState     state;
  Job           *job;          /* while it runs */
  Job           *ending;       /* stopped, and may still bring what it has */
  gint64         started;
  double         elapsed;
  MtRunProgress  progress;
  double         left;         /* seconds, when it was last heard of … */
  gint64         heard;        /* … which was then */
  GError        *error;
  MtRunDevice   *device;

  GPtrArray     *points;
  guint          selected;
  gboolean       knows_selected;
  gboolean       being_read;   /* from a project */
  MtRunData       *basis;
  MtEncoder     *encoder;      /* of a restored one; NULL: not read yet */
  GArray        *visits;
  GArray        *epochs;
  GArray        *parts;
  MtTrainCheckpoints   *keep;         /* of networks on a device, for the CPU to go on from */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtRun, mt_run, G_TYPE_OBJECT)

static void
found_free (gpointer data)
{
  Found *found = data;

  mt_learned_free (found->learned);
  g_clear_pointer (&found->test, g_array_unref);
  g_free (found);
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
  g_array_unref (job->epochs);
  g_array_unref (job->visits);
  g_array_unref (job->parts);
  mt_train_checkpoints_unref (job->keep);
  g_free (job);
}

/* Under the job's lock: makes @to what @from is. */
static void
copy_array (GArray *to,
            GArray *from)
{
  if (from->len < to->len)
    g_array_set_size (to, 0);   /* another network has begun */
  if (from->len > to->len)
    g_array_append_vals (to, from->data + (gsize) to->len * g_array_get_element_size (from), from->len - to->len);
}

static gboolean
show_progress (gpointer data)
{
  Job *job = data;
  g_autoptr (MtRun) self = g_weak_ref_get (&job->run);

  g_mutex_lock (&job->lock);
  job->pending = FALSE;
  if (self != NULL && self->job == job)
    {
      if (self->progress.network != job->newest.network)
        g_array_set_size (self->epochs, 0);
      self->progress = job->newest;
      self->left = job->seconds_left;
      self->heard = g_get_monotonic_time ();
      copy_array (self->epochs, job->epochs);
      copy_array (self->visits, job->visits);
      g_array_set_size (self->parts, 0);
      copy_array (self->parts, job->parts);
    }
  g_mutex_unlock (&job->lock);
  if (self != NULL && self->job == job)
    g_signal_emit (self, changed_signal, 0);
  return G_SOURCE_REMOVE;
}

/* Over all of them, so that it is steady: large models take longer than small ones. */
static double
rate_visits (const Job *job)
{
  gint64 taken = g_get_monotonic_time () - job->visited;

  return job->visits->len < FEW_VISITS || taken <= 0 ? 0
         : (double) (job->visits->len - 1) * G_USEC_PER_SEC / (double) taken;
}

/* What is told of the run as a whole is what its part over all rows does; then come the folds. */
static void
note_phase (Job                   *job,
            const MtLearnProgress *progress)
{
  MtRunProgress *newest = &job->newest;

  switch (progress->phase)
    {
    case MT_LEARN_TRAINING:
      if (job->network != progress->network)
        g_array_set_size (job->epochs, 0);
      job->network = newest->network = progress->network;
      newest->phase = MT_RUN_PHASE_TRAIN;
      newest->epoch = progress->train.epoch;
      newest->max_epochs = progress->train.max_epochs;
      newest->step = progress->train.step;
      newest->rows_per_second = progress->train.rows_per_second;
      if (progress->train.phase == MT_TRAIN_RUNNING && progress->train.epoch > job->epochs->len)
        {
          const MtRunEpoch none = { NAN, NAN, NAN };

          while (job->epochs->len + 1 < progress->train.epoch)
            g_array_append_val (job->epochs, none);
          g_array_append_vals (job->epochs, &(MtRunEpoch) { progress->train.train_loss, progress->train.valid_loss,
                                                            progress->train.metric }, 1);
        }
      break;
    case MT_LEARN_ELIMINATING:
      newest->phase = MT_RUN_PHASE_REFINE;
      newest->literals = progress->literals;
      if (job->visits->len == 0)
        job->visited = g_get_monotonic_time ();
      g_array_append_vals (job->visits, &(MtRunVisit) { progress->literals, progress->loss }, 1);
      newest->models_per_second = rate_visits (job);
      break;
    case MT_LEARN_SCANNING:
    case MT_LEARN_FITTING:
      newest->phase = MT_RUN_PHASE_REFINE;
      break;
    case MT_LEARN_DONE:
      newest->phase = MT_RUN_PHASE_FOLDS;
      newest->literals = 0;
      break;
    case MT_LEARN_READING:
    case MT_LEARN_ENCODING:
    default:
      newest->phase = MT_RUN_PHASE_ENCODE;
      break;
    }
}

/* On a working thread, one at a time. */
static void
note_progress (const MtLearnProgress *progress,
               gpointer               data)
{
  Job *job = data;

  g_mutex_lock (&job->lock);
  job->newest.fraction = progress->done;
  job->newest.n_networks = progress->n_networks;
  job->seconds_left = progress->seconds_left;
  if (progress->n_parts > 0 && progress->part < progress->n_parts)
    {
      g_array_set_size (job->parts, progress->n_parts);
      g_array_index (job->parts, double, progress->part) = progress->part_done;
    }
  if (progress->part == 0)
    note_phase (job, progress);
  if (!job->pending)
    {
      job->pending = TRUE;
      g_timeout_add_full (G_PRIORITY_HIGH_IDLE, FRAME_MS, show_progress, job_ref (job), (GDestroyNotify) job_unref);
    }
  g_mutex_unlock (&job->lock);
}

/* What the charts of the run will show has a name long before the run has a result. */
static void
note_task (Job          *job,
           GArray       *train,
           const MtTask *task,
           GCancellable *cancellable)
{
  g_autoptr (MtTarget) target = NULL;

  g_cancellable_push_current (cancellable);
  target = mt_target_new (job->table, train != NULL ? &g_array_index (train, guint32, 0) : NULL,
                          train != NULL ? train->len : 0, task, NULL);   /* mt_learn_run() says what is wrong */
  g_cancellable_pop_current (cancellable);
  g_mutex_lock (&job->lock);
  job->newest.is_regression = target != NULL && mt_target_get_task (target) == MT_TASK_REGRESSION;
  g_mutex_unlock (&job->lock);
}

static void
run_thread (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (MtPool) pool = mt_pool_new (job->n_threads);
  g_autoptr (GArray) train = NULL;
  Found *found = g_new0 (Found, 1);
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&job->settings);
  MtLearnOptions options;
  GError *error = NULL;

  mt_run_settings_to_learn (&job->settings, &options);
  options.constraints = constraints;
  options.frontier.keep_partial = TRUE;
  options.frontier.train.keep = job->keep;
  if (mt_run_settings_split (&job->settings, job->table, &train, &found->test, &error))
    {
      note_task (job, train, options.task, cancellable);
      found->learned = mt_learn_run (job->table, train != NULL ? &g_array_index (train, guint32, 0) : NULL,
                                     train != NULL ? train->len : 0, &options, pool, note_progress, job, cancellable,
                                     &error);
    }
  if (found->learned != NULL)
    g_task_return_pointer (task, found, found_free);
  else
    {
      found_free (found);
      g_task_return_error (task, error);
    }
}

static void
set_state (MtRun      *self,
           MtRunState  state)
{
  self->state = state;
  g_signal_emit (self, changed_signal, 0);
}

static void
take_found (MtRun *self,
            Found *found)
{
  const MtFrontier *frontier = found->learned->frontier;

  /* What it had found when it was stopped is there until now. */
  g_ptr_array_set_size (self->points, 0);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_free (self->data);
  self->data = g_strdup (self->table_data);
  self->basis = mt_basis_new_from_learned (self->table, found->learned, found->test, &self->settings);
  self->basis->sha256 = g_strdup (self->data);
  for (guint i = 0; i < mt_frontier_get_n_points (frontier); i++)
    {
      MtFrontierItem *item = mt_frontier_item_new (G_OBJECT (self), mt_frontier_get_point (frontier, i));

      mt_frontier_item_set_scores (item, mt_frontier_get_fold_scores (frontier, i),
                                   mt_frontier_get_n_fold_scores (frontier));
      g_ptr_array_add (self->points, item);
    }
  self->selected = mt_frontier_get_selected (frontier);
  self->knows_selected = TRUE;
}

static void
on_run (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  MtRun *self = MT_RUN (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  Found *found = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->ending == job)
    {
      g_clear_pointer (&self->ending, job_unref);
      if (found != NULL && self->state == MT_RUN_STOPPED)
        {
          take_found (self, found);
          g_signal_emit (self, changed_signal, 0);
        }
    }
  else if (self->job == job)   /* else it was started anew meanwhile */
    {
      show_progress (job);   /* the last of it may still be on its way */
      self->elapsed = (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
      g_clear_pointer (&self->job, job_unref);
      if (found != NULL)
        {
          self->progress.fraction = 1;
          take_found (self, found);
          g_clear_pointer (&self->keep, mt_train_checkpoints_unref);
        }
      else
        self->error = g_steal_pointer (&error);
      set_state (self, found != NULL ? MT_RUN_DONE : MT_RUN_FAILED);
    }
  g_clear_pointer (&found, found_free);
}

/* --- the object --- */

/* Networks alone are ever trained on a device; what was asked for at first and why it was not had stays. */
static void
note_device (MtRun *self)
{
  const char *now = mt_run_settings_get_device (&self->settings);
  const char *used = self->settings.device == MT_DEVICE_CUDA && mt_run_settings_has_network (&self->settings) ? "cuda"
                                                                                                           : "cpu";
  gboolean other = self->device != NULL && self->device->error != NULL;
  MtRunDevice *device = mt_run_device_new (other ? self->device->asked : now, used, mt_preferences_count_threads (),
                                           other ? self->device->error : NULL);

  mt_run_device_free (self->device);
  self->device = device;
}

void
mt_run_start (MtRun *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (MT_IS_RUN (self));
  g_return_if_fail (self->state != MT_RUN_RUNNING && self->state != MT_RUN_DONE);

  g_clear_error (&self->error);
  job = g_new0 (Job, 1);
  g_atomic_ref_count_init (&job->ref_count);
  g_weak_ref_init (&job->run, self);
  g_mutex_init (&job->lock);
  job->cancellable = g_cancellable_new ();
  job->table = mt_table_ref (self->table);
  job->settings = self->settings;
  job->n_threads = mt_preferences_get_threads ();
  note_device (self);
  job->seconds_left = NAN;
  job->epochs = g_array_new (FALSE, FALSE, sizeof (MtRunEpoch));
  job->visits = g_array_new (FALSE, FALSE, sizeof (MtRunVisit));
  job->parts = g_array_new (FALSE, TRUE, sizeof (double));
  if (self->keep == NULL && self->settings.device == MT_DEVICE_CUDA)
    self->keep = mt_train_checkpoints_new ();
  job->keep = self->keep != NULL ? mt_train_checkpoints_ref (self->keep) : NULL;
  self->job = job;
  self->progress = (MtRunProgress) { 0 };
  self->left = NAN;
  g_array_set_size (self->epochs, 0);
  g_array_set_size (self->visits, 0);
  g_array_set_size (self->parts, 0);
  self->started = g_get_monotonic_time ();
  task = g_task_new (self, job->cancellable, on_run, NULL);
  g_task_set_source_tag (task, mt_run_start);
  g_task_set_check_cancellable (task, FALSE);   /* what there is when it stops is wanted */
  g_task_set_task_data (task, job_ref (job), (GDestroyNotify) job_unref);
  g_task_run_in_thread (task, run_thread);
  set_state (self, MT_RUN_RUNNING);
}

void
mt_run_stop (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->state == MT_RUN_RUNNING)
    {
      self->elapsed = mt_run_get_elapsed (self);
      g_cancellable_cancel (self->job->cancellable);
      g_clear_pointer (&self->ending, job_unref);
      self->ending = g_steal_pointer (&self->job);
    }
  else if (self->state != MT_RUN_QUEUED)
    return;
  set_state (self, MT_RUN_STOPPED);
}

void
mt_run_requeue (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->state != MT_RUN_STOPPED && self->state != MT_RUN_FAILED)
    return;
  g_clear_pointer (&self->ending, job_unref);   /* what it brings comes too late */
  g_clear_error (&self->error);
  self->progress = (MtRunProgress) { 0 };
  set_state (self, MT_RUN_QUEUED);
}

gboolean
mt_run_can_use_cpu (MtRun *self)
{
  return self->state == MT_RUN_FAILED && g_error_matches (self->error, MT_ERROR, MT_ERROR_DEVICE);
}

void
mt_run_use_cpu (MtRun      *self,
                const char *why)
{
  g_return_if_fail (MT_IS_RUN (self));
  g_return_if_fail (self->state != MT_RUN_RUNNING);

  if (self->settings.device == MT_DEVICE_CUDA && mt_run_settings_has_network (&self->settings))
    {
      MtRunDevice *device = mt_run_device_new ("cuda", "cpu", mt_preferences_count_threads (), why);

      mt_run_device_free (self->device);
      self->device = device;
    }
  self->settings.device = MT_DEVICE_CPU;
  if (mt_run_can_use_cpu (self))
    mt_run_requeue (self);
}

const MtRunDevice *
mt_run_get_device (MtRun *self)
{
  return self->device;
}

void
mt_run_set_device (MtRun             *self,
                   const MtRunDevice *device)
{
  g_return_if_fail (MT_IS_RUN (self) && device != NULL);

  mt_run_device_free (self->device);
  self->device = mt_run_device_copy (device);
  /* Its settings were written before the other device took over. */
  if (device->error != NULL && g_str_equal (device->used, "cpu"))
    self->settings.device = MT_DEVICE_CPU;
  g_signal_emit (self, changed_signal, 0);
}

gboolean
mt_run_can_resume (MtRun *self)
{
  return self->state == MT_RUN_STOPPED;
}

MtRunState
mt_run_get_state (MtRun *self)
{
  return self->state;
}

const MtRunSettings *
mt_run_get_settings (MtRun *self)
{
  return &self->settings;
}

MtTable *
mt_run_get_table (MtRun *self)
{
  return self->table;
}

const char *
mt_run_get_target (MtRun *self)
{
  int target = mt_table_get_target (self->table);

  return target >= 0 ? mt_column_get_name (mt_table_get_column (self->table, (guint) target)) : NULL;
}

void
mt_run_set_data (MtRun      *self,
                 const char *data,
                 const char *table_data)
{
  g_return_if_fail (MT_IS_RUN (self));

  g_free (self->data);
  self->data = g_strdup (data);
  g_free (self->table_data);
  self->table_data = g_strdup (table_data);
}

const char *
mt_run_get_data (MtRun *self)
{
  return self->data;
}

gboolean
mt_run_has_rows (MtRun *self)
{
  return self->data == NULL || self->table_data == NULL || g_str_equal (self->data, self->table_data);
}

gboolean
mt_run_is_earlier (MtRun *self)
{
  return self->earlier;
}

gboolean
mt_run_tells_target (MtRun *self)
{
  return self->tells_target;
}

void
mt_run_set_label_flags (MtRun    *self,
                 gboolean  earlier,
                 gboolean  tells_target)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->earlier == earlier && self->tells_target == tells_target)
    return;
  self->earlier = earlier;
  self->tells_target = tells_target;
  g_signal_emit (self, changed_signal, 0);
}

void
mt_run_set_regression (MtRun    *self,
                       gboolean  regression)
{
  g_return_if_fail (MT_IS_RUN (self));
  self->progress.is_regression = regression;
}

const MtRunProgress *
mt_run_get_progress (MtRun *self)
{
  return &self->progress;
}

double
mt_run_get_elapsed (MtRun *self)
{
  if (self->job != NULL)
    return (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
  return self->elapsed;
}

double
mt_run_get_left (MtRun *self)
{
  if (self->state != MT_RUN_RUNNING || isnan (self->left))
    return NAN;
  return fmax (self->left - (double) (g_get_monotonic_time () - self->heard) / G_USEC_PER_SEC, 0);
}

const GError *
mt_run_get_error (MtRun *self)
{
  return self->error;
}

void
mt_run_set_error (MtRun        *self,
                  const GError *error)
{
  g_return_if_fail (MT_IS_RUN (self) && self->state == MT_RUN_FAILED && error != NULL);

  g_clear_error (&self->error);
  self->error = g_error_copy (error);
  g_signal_emit (self, changed_signal, 0);
}

guint
mt_run_get_series (MtRun *self)
{
  return self->series;
}

void
mt_run_set_series (MtRun *self,
                   guint  series)
{
  self->series = series;
}

const char *
mt_run_get_name (MtRun *self)
{
  return self->name;
}

void
mt_run_set_name (MtRun      *self,
                 const char *name)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (g_strcmp0 (self->name, name) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  g_signal_emit (self, changed_signal, 0);
}

GPtrArray *
mt_run_get_points (MtRun *self)
{
  return self->points;
}

guint
mt_run_get_selected (MtRun *self)
{
  return self->selected;
}

gboolean
mt_run_knows_selected (MtRun *self)
{
  return self->knows_selected;
}

MtRunData *
mt_run_get_basis (MtRun *self)
{
  return self->basis;
}

double
mt_run_get_best (MtRun *self)
{
  double best = NAN;

  for (guint i = 0; i < self->points->len; i++)
    best = fmax (best, mt_frontier_point_get_quality (mt_frontier_item_get_point (self->points->pdata[i])));
  return best;
}

GArray *
mt_run_get_epochs (MtRun *self)
{
  return self->epochs;
}

GArray *
mt_run_get_parts (MtRun *self)
{
  return self->parts;
}

gboolean
mt_run_shares_rows (MtRun *a,
                    MtRun *b)
{
  const MtRunSettings *x = a != NULL ? mt_run_get_settings (a) : NULL, *y = b != NULL ? mt_run_get_settings (b) : NULL;

  return a == b || (x != NULL && y != NULL && mt_run_get_table (a) == mt_run_get_table (b) &&
                    g_strcmp0 (a->data, b->data) == 0 && x->task == y->task &&
                    x->test_fraction == y->test_fraction && x->split_seed == y->split_seed);
}

gboolean
mt_run_shares_folds (MtRun *a,
                     MtRun *b)
{
  const MtRunSettings *x = a != NULL ? mt_run_get_settings (a) : NULL, *y = b != NULL ? mt_run_get_settings (b) : NULL;

  return a == b || (mt_run_shares_rows (a, b) && x->folds == y->folds && x->seed == y->seed);
}

gboolean
mt_run_is_regression (MtRun *self)
{
  if (self->basis != NULL)
    return mt_target_get_task (self->basis->target) == MT_TASK_REGRESSION;
  return self->progress.is_regression;
}

GArray *
mt_run_get_visits (MtRun *self)
{
  return self->visits;
}

static void
mt_run_finalize (GObject *object)
{
  MtRun *self = MT_RUN (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job->cancellable);
  g_clear_pointer (&self->job, job_unref);
  g_clear_pointer (&self->ending, job_unref);
  g_clear_pointer (&self->points, g_ptr_array_unref);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_clear_pointer (&self->encoder, mt_encoder_unref);
  g_clear_pointer (&self->visits, g_array_unref);
  g_clear_pointer (&self->epochs, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->keep, mt_train_checkpoints_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_error (&self->error);
  g_clear_pointer (&self->device, mt_run_device_free);
  g_free (self->name);
  g_free (self->data);
  g_free (self->table_data);
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
  self->points = g_ptr_array_new_with_free_func (g_object_unref);
  self->visits = g_array_new (FALSE, FALSE, sizeof (MtRunVisit));
  self->epochs = g_array_new (FALSE, FALSE, sizeof (MtRunEpoch));
  self->parts = g_array_new (FALSE, TRUE, sizeof (double));
}

MtRun *
mt_run_new (MtTable             *table,
            const MtRunSettings *settings)
{
  MtRun *self;

  g_return_val_if_fail (table != NULL && settings != NULL, NULL);

  self = g_object_new (MT_TYPE_RUN, NULL);
  self->table = mt_table_ref (table);
  self->settings = *settings;
  self->name = mt_run_settings_describe (settings);
  return self;
}

/* --- from a project --- */

MtRun *
mt_run_new_restored (MtTable             *table,
                     const MtRunSettings *settings,
                     MtRunState           state,
                     const char          *message,
                     double               seconds)
{
  MtRun *self = mt_run_new (table, settings);

  self->state = state;
  self->elapsed = seconds;
  if (state == MT_RUN_FAILED)
    self->error = g_error_new_literal (MT_ERROR, MT_ERROR_PARAMS, message);
  if (state == MT_RUN_DONE)
    self->progress.fraction = 1;
  return self;
}

MtFrontierItem *
mt_run_add_point (MtRun                 *self,
                  const MtFrontierPoint *point,
                  guint                  n_rules,
                  gboolean               selected)
{
  MtFrontierItem *item;

  g_return_val_if_fail (MT_IS_RUN (self), NULL);

  item = mt_frontier_item_new (G_OBJECT (self), point);
  mt_frontier_item_set_n_rules (item, n_rules);
  if (selected)
    {
      self->selected = self->points->len;
      self->knows_selected = TRUE;
    }
  g_ptr_array_add (self->points, item);
  return item;
}

gboolean
mt_run_is_being_read (MtRun *self)
{
  return self->being_read;
}

void
mt_run_set_being_read (MtRun    *self,
                       gboolean  being_read)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->being_read == being_read)
    return;
  self->being_read = being_read;
  g_signal_emit (self, changed_signal, 0);
}

void
mt_run_select_again (MtRun *self,
                     gsize  n_rows)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_scores = 0;

  g_return_if_fail (MT_IS_RUN (self));

  for (guint i = 0; i < self->points->len; i++)
    {
      guint n;
      const double *each = mt_frontier_item_get_scores (self->points->pdata[i], &n);

      if (n == 0 || (i > 0 && n != n_scores))
        return;
      n_scores = n;
      g_array_append_vals (points, mt_frontier_item_get_point (self->points->pdata[i]), 1);
      g_array_append_vals (scores, each, n);
    }
  if (points->len == 0)
    return;
  self->selected = mt_frontier_select_kept ((const MtFrontierPoint *) (gpointer) points->data, points->len,
                                            (const double *) (gpointer) scores->data, n_scores, self->settings.folds,
                                            n_rows, self->settings.max_literals);
  self->knows_selected = TRUE;
}

void
mt_run_set_basis (MtRun   *self,
                  MtRunData *basis)
{
  g_return_if_fail (MT_IS_RUN (self) && basis != NULL);

  g_clear_pointer (&self->basis, mt_basis_unref);
  self->basis = mt_basis_ref (basis);
  g_signal_emit (self, changed_signal, 0);
}

void
mt_run_set_curves (MtRun  *self,
                   GArray *epochs,
                   GArray *visits)
{
  g_return_if_fail (MT_IS_RUN (self));

  g_array_set_size (self->epochs, 0);
  g_array_append_vals (self->epochs, epochs->data, epochs->len);
  g_array_set_size (self->visits, 0);
  g_array_append_vals (self->visits, visits->data, visits->len);
  g_signal_emit (self, changed_signal, 0);
}

MtEncoder *
mt_run_get_encoder (MtRun *self)
{
  return self->encoder;
}

void
mt_run_set_encoder (MtRun     *self,
                    MtEncoder *encoder)
{
  g_return_if_fail (MT_IS_RUN (self) && encoder != NULL);

  g_clear_pointer (&self->encoder, mt_encoder_unref);
  self->encoder = mt_encoder_ref (encoder);
}
