/* One training, as the window shows it: its job waits in the queue of the study and is run off the main
 * thread, and what it found is kept. See mt-run.h. */
#include "config.h"
#include "mt-run.h"

#include <math.h>

#include "document/mt-run-words.h"
#include "util/mt-preferences.h"

#define FRAME_MS 60   /* shows progress at most this often */

/* What the job knows of its run, which may be gone before it ends. */
typedef struct {
  GWeakRef run;
  int      pending;            /* a source will show how far it is; atomic */
} Watch;

struct _MtRun {
  GObject        parent_instance;

  MtTable       *table;
  MtRunSettings  settings;
  char          *data;         /* what its points were learned from … */
  char          *table_data;   /* … and what its table holds */
  gboolean       earlier;
  gboolean       tells_target;
  guint          series;
  gboolean       by_method;    /* what its mark stands for */
  char          *name;
  MtRunState     state;
  MtRunJob      *job;          /* while it waits in the queue or runs */
  MtRunJob      *ending;       /* stopped, and may still bring what it has */
  gboolean       is_at_work;   /* the queue has begun with it */
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

/* --- the job; its functions are called on other threads --- */

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  g_weak_ref_clear (&watch->run);
  g_free (watch);
}

static void
read_progress (MtRun    *self,
               MtRunJob *job)
{
  mt_run_job_get_progress (job, &self->progress, &self->left, self->epochs, self->visits, self->parts);
  self->heard = g_get_monotonic_time ();
}

static gboolean
show_progress (gpointer data)
{
  MtRunJob *job = data;
  Watch *watch = mt_run_job_get_data (job);
  g_autoptr (MtRun) self = g_weak_ref_get (&watch->run);

  g_atomic_int_set (&watch->pending, 0);
  if (self != NULL && self->job == job && self->state == MT_RUN_RUNNING)
    {
      read_progress (self, job);
      g_signal_emit (self, changed_signal, 0);
    }
  return G_SOURCE_REMOVE;
}

static void
on_job_changed (MtRunJob              *job,
                const MtLearnProgress *progress,
                gpointer               data)
{
  Watch *watch = data;

  if (g_atomic_int_compare_and_exchange (&watch->pending, 0, 1))
    g_timeout_add_full (G_PRIORITY_HIGH_IDLE, FRAME_MS, show_progress, mt_run_job_ref (job),
                        (GDestroyNotify) mt_run_job_unref);
}

static gboolean
take_start (gpointer data)
{
  MtRunJob *job = data;
  g_autoptr (MtRun) self = g_weak_ref_get (&((Watch *) mt_run_job_get_data (job))->run);

  if (self == NULL || self->job != job)
    return G_SOURCE_REMOVE;
  self->is_at_work = TRUE;
  if (self->state == MT_RUN_QUEUED)
    mt_run_begin (self);
  return G_SOURCE_REMOVE;
}

static gboolean take_end (gpointer job);

/* Both in the order in which they happen. */
static void
on_job_started (MtRunJob *job,
                gpointer  data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, take_start, mt_run_job_ref (job), (GDestroyNotify) mt_run_job_unref);
}

static void
on_job_ended (MtRunJob *job,
              gpointer  data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, take_end, mt_run_job_ref (job), (GDestroyNotify) mt_run_job_unref);
}

static void
set_state (MtRun      *self,
           MtRunState  state)
{
  self->state = state;
  g_signal_emit (self, changed_signal, 0);
}

/* Takes @learned. */
static void
take_found (MtRun     *self,
            MtLearned *learned,
            GArray    *test)
{
  const MtFrontier *frontier = learned->frontier;

  /* What it had found when it was stopped is there until now. */
  g_ptr_array_set_size (self->points, 0);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_free (self->data);
  self->data = g_strdup (self->table_data);
  self->basis = mt_basis_new_from_learned (self->table, learned, test, &self->settings);
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
  mt_learned_free (learned);
}

static gboolean
take_end (gpointer data)
{
  MtRunJob *job = data;
  g_autoptr (MtRun) self = g_weak_ref_get (&((Watch *) mt_run_job_get_data (job))->run);
  g_autoptr (MtLearned) learned = mt_run_job_steal_learned (job);

  if (self == NULL)
    return G_SOURCE_REMOVE;
  if (self->ending == job)
    {
      if (learned != NULL && self->state == MT_RUN_STOPPED)
        {
          take_found (self, g_steal_pointer (&learned), mt_run_job_get_test (job));
          g_clear_pointer (&self->ending, mt_run_job_unref);
          g_signal_emit (self, changed_signal, 0);
        }
      g_clear_pointer (&self->ending, mt_run_job_unref);
    }
  else if (self->job == job)   /* else it was queued again meanwhile */
    {
      read_progress (self, job);   /* the last of it may still be on its way */
      self->elapsed = (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
      if (learned != NULL)
        {
          self->progress.fraction = 1;
          take_found (self, g_steal_pointer (&learned), mt_run_job_get_test (job));
          g_clear_pointer (&self->keep, mt_train_checkpoints_unref);
        }
      else
        self->error = g_error_copy (mt_run_job_get_error (job));
      g_clear_pointer (&self->job, mt_run_job_unref);
      self->is_at_work = FALSE;
      set_state (self, self->error == NULL ? MT_RUN_DONE : MT_RUN_FAILED);
    }
  return G_SOURCE_REMOVE;
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

gboolean
mt_run_push (MtRun      *self,
             MtRunQueue *queue,
             guint       rank)
{
  static const MtRunJobFuncs funcs = { on_job_started, on_job_changed, NULL, on_job_ended };
  const MtRunMeans means = { .n_threads = mt_preferences_get_threads (), .keep_partial = TRUE };
  Watch *watch;

  g_return_val_if_fail (MT_IS_RUN (self) && queue != NULL, FALSE);

  if (self->state != MT_RUN_QUEUED || self->job != NULL)
    return FALSE;
  watch = g_new0 (Watch, 1);
  g_weak_ref_init (&watch->run, self);
  if (self->keep == NULL && self->settings.device == MT_DEVICE_CUDA)
    self->keep = mt_train_checkpoints_new ();
  self->job = mt_run_job_new (self->table, &self->settings, &means, self->keep, &funcs, watch, watch_free);
  return mt_run_queue_push (queue, self->job, rank);
}

void
mt_run_begin (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));
  g_return_if_fail (self->state == MT_RUN_QUEUED);

  g_clear_error (&self->error);
  note_device (self);
  self->progress = (MtRunProgress) { 0 };
  self->left = NAN;
  g_array_set_size (self->epochs, 0);
  g_array_set_size (self->visits, 0);
  g_array_set_size (self->parts, 0);
  self->started = g_get_monotonic_time ();
  set_state (self, MT_RUN_RUNNING);
}

gboolean
mt_run_has_job (MtRun *self)
{
  return self->job != NULL;
}

gboolean
mt_run_is_at_work (MtRun *self)
{
  return self->is_at_work;
}

void
mt_run_wait_again (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->state == MT_RUN_RUNNING && !self->is_at_work)
    set_state (self, MT_RUN_QUEUED);
}

/* Out of the queue, or what it has by now is all that it brings. */
static void
cancel_job (MtRun *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (mt_run_job_get_cancellable (self->job));
  self->is_at_work = FALSE;
}

void
mt_run_stop (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->state == MT_RUN_RUNNING)
    {
      self->elapsed = mt_run_get_elapsed (self);
      cancel_job (self);
      g_clear_pointer (&self->ending, mt_run_job_unref);
      self->ending = g_steal_pointer (&self->job);
    }
  else if (self->state == MT_RUN_QUEUED)
    {
      cancel_job (self);
      g_clear_pointer (&self->job, mt_run_job_unref);
    }
  else
    return;
  set_state (self, MT_RUN_STOPPED);
}

void
mt_run_requeue (MtRun *self)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->state != MT_RUN_STOPPED && self->state != MT_RUN_FAILED)
    return;
  g_clear_pointer (&self->ending, mt_run_job_unref);   /* what it brings comes too late */
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
  cancel_job (self);   /* it waits for the other device; another run is next */
  g_clear_pointer (&self->job, mt_run_job_unref);
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

guint
mt_run_get_mark (MtRun *self)
{
  return self->by_method ? (guint) self->settings.learner : self->series;
}

gboolean
mt_run_is_marked_by_method (MtRun *self)
{
  return self->by_method;
}

void
mt_run_set_marked_by_method (MtRun    *self,
                             gboolean  by_method)
{
  g_return_if_fail (MT_IS_RUN (self));

  if (self->by_method == by_method)
    return;
  self->by_method = by_method;
  g_signal_emit (self, changed_signal, 0);
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

  cancel_job (self);
  g_clear_pointer (&self->job, mt_run_job_unref);
  g_clear_pointer (&self->ending, mt_run_job_unref);
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
