/* One run: from a table and settings to a frontier. See mt-run-job.h. */
#include "config.h"
#include "mt-run-job-private.h"

#include <math.h>

#include "learn/mt-network-batch.h"

#define FEW_VISITS 8   /* with fewer models, their rate is unknown */

struct _MtRunJob {
  gatomicrefcount      ref_count;
  MtTable             *table;
  MtRunSettings        settings;
  MtRunMeans           means;
  const MtRunJobFuncs *funcs;
  gpointer             data;
  GDestroyNotify       destroy;
  GCancellable        *cancellable;
  MtTrainCheckpoints  *keep;

  /* of the one who runs it */
  MtConstraints       *constraints;
  MtLearnOptions       learn;
  GArray              *train;        /* of guint32; NULL: all rows */
  GArray              *test;
  MtLearnPlan         *plan;
  guint                n_networks;
  gboolean             has_started;
  gint64               started;
  double               seconds;
  MtLearned           *learned;
  GError              *error;

  GMutex               lock;         /* guards what follows, which working threads fill */
  MtRunProgress        newest;
  double               seconds_left;
  guint                network;      /* whose epochs they are */
  GArray              *epochs;       /* of MtRunEpoch */
  GArray              *visits;       /* of MtRunVisit */
  gint64               visited;      /* when the first of them was */
  GArray              *parts;        /* of double */
};

MtRunJob *
mt_run_job_new (MtTable             *table,
                const MtRunSettings *settings,
                const MtRunMeans    *means,
                MtTrainCheckpoints  *keep,
                const MtRunJobFuncs *funcs,
                gpointer             data,
                GDestroyNotify       destroy)
{
  MtRunJob *self = g_new0 (MtRunJob, 1);

  g_return_val_if_fail (table != NULL && settings != NULL && means != NULL && funcs != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->table = mt_table_ref (table);
  self->settings = *settings;
  self->means = *means;
  self->funcs = funcs;
  self->data = data;
  self->destroy = destroy;
  self->keep = keep != NULL ? mt_train_checkpoints_ref (keep) : NULL;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);
  self->seconds_left = NAN;
  self->epochs = g_array_new (FALSE, FALSE, sizeof (MtRunEpoch));
  self->visits = g_array_new (FALSE, FALSE, sizeof (MtRunVisit));
  self->parts = g_array_new (FALSE, TRUE, sizeof (double));
  return self;
}

MtRunJob *
mt_run_job_ref (MtRunJob *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_run_job_unref (MtRunJob *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->destroy != NULL)
    self->destroy (self->data);
  mt_learn_plan_free (self->plan);
  mt_table_unref (self->table);
  g_object_unref (self->cancellable);
  mt_train_checkpoints_unref (self->keep);
  mt_constraints_unref (self->constraints);
  g_clear_pointer (&self->train, g_array_unref);
  g_clear_pointer (&self->test, g_array_unref);
  mt_learned_free (self->learned);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_array_unref (self->epochs);
  g_array_unref (self->visits);
  g_array_unref (self->parts);
  g_free (self);
}

const MtRunSettings *
mt_run_job_get_settings (MtRunJob *self)
{
  return &self->settings;
}

GCancellable *
mt_run_job_get_cancellable (MtRunJob *self)
{
  return self->cancellable;
}

gpointer
mt_run_job_get_data (MtRunJob *self)
{
  return self->data;
}

const char *
mt_run_job_get_constraints (MtRunJob *self)
{
  return self->settings.constraints;
}

/* --- what there is to see --- */

static void
copy_array (GArray *to,
            GArray *from)
{
  g_array_set_size (to, 0);
  g_array_append_vals (to, from->data, from->len);
}

void
mt_run_job_get_progress (MtRunJob      *self,
                         MtRunProgress *progress,
                         double        *seconds_left,
                         GArray        *epochs,
                         GArray        *visits,
                         GArray        *parts)
{
  g_mutex_lock (&self->lock);
  *progress = self->newest;
  *seconds_left = self->seconds_left;
  copy_array (epochs, self->epochs);
  copy_array (visits, self->visits);
  copy_array (parts, self->parts);
  g_mutex_unlock (&self->lock);
}

/* Over all of them, so that it is steady: large models take longer than small ones. */
static double
rate_visits (const MtRunJob *self)
{
  gint64 taken = g_get_monotonic_time () - self->visited;

  return self->visits->len < FEW_VISITS || taken <= 0 ? 0
         : (double) (self->visits->len - 1) * G_USEC_PER_SEC / (double) taken;
}

static void
note_network (MtRunJob              *self,
              guint                  network,
              const MtTrainProgress *train)
{
  MtRunProgress *newest = &self->newest;

  if (self->network != network)
    g_array_set_size (self->epochs, 0);
  self->network = newest->network = network;
  newest->phase = MT_RUN_PHASE_TRAIN;
  newest->epoch = train->epoch;
  newest->max_epochs = train->max_epochs;
  newest->step = train->step;
  newest->rows_per_second = train->rows_per_second;
  if (train->phase == MT_TRAIN_RUNNING && train->epoch > self->epochs->len)
    {
      const MtRunEpoch none = { NAN, NAN, NAN };

      while (self->epochs->len + 1 < train->epoch)
        g_array_append_val (self->epochs, none);
      g_array_append_vals (self->epochs, &(MtRunEpoch) { train->train_loss, train->valid_loss, train->metric }, 1);
    }
}

/* Progress of the run as a whole is that of its part over all rows; then come the folds. */
static void
note_phase (MtRunJob              *self,
            const MtLearnProgress *progress)
{
  MtRunProgress *newest = &self->newest;

  switch (progress->phase)
    {
    case MT_LEARN_TRAINING:
      note_network (self, progress->network, &progress->train);
      break;
    case MT_LEARN_ELIMINATING:
      newest->phase = MT_RUN_PHASE_REFINE;
      newest->literals = progress->literals;
      if (self->visits->len == 0)
        self->visited = g_get_monotonic_time ();
      g_array_append_vals (self->visits, &(MtRunVisit) { progress->literals, progress->loss }, 1);
      newest->models_per_second = rate_visits (self);
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

static void
tell_changed (MtRunJob              *self,
              const MtLearnProgress *progress)
{
  if (self->funcs->changed != NULL)
    self->funcs->changed (self, progress, self->data);
}

/* On a working thread, one at a time. */
static void
on_progress (const MtLearnProgress *progress,
             gpointer               data)
{
  MtRunJob *self = data;

  g_mutex_lock (&self->lock);
  self->newest.fraction = progress->done;
  self->newest.n_networks = progress->n_networks;
  self->seconds_left = progress->seconds_left;
  if (progress->n_parts > 0 && progress->part < progress->n_parts)
    {
      g_array_set_size (self->parts, progress->n_parts);
      g_array_index (self->parts, double, progress->part) = progress->part_done;
    }
  if (progress->part == 0)
    note_phase (self, progress);
  g_mutex_unlock (&self->lock);
  tell_changed (self, progress);
}

/* The same of a network that is trained together with others. */
static void
on_network (guint                  part,
            guint                  network,
            const MtTrainProgress *train,
            gpointer               data)
{
  MtRunJob *self = data;

  if (part == 0)
    {
      g_mutex_lock (&self->lock);
      note_network (self, network + 1, train);
      g_mutex_unlock (&self->lock);
    }
  if (self->funcs->network != NULL)
    self->funcs->network (self, part, network, train, self->data);
  tell_changed (self, NULL);
}

/* --- running --- */

gboolean
mt_run_job_has_rows_of (MtRunJob          *self,
                        const MtRunShared *shared)
{
  return shared->bits != NULL && shared->table == self->table &&
         shared->test_fraction == self->settings.test_fraction && shared->split_seed == self->settings.split_seed;
}

gboolean
mt_run_job_has_plan (MtRunJob *self)
{
  return self->plan != NULL;
}

gboolean
mt_run_job_wants_many (MtRunJob *self)
{
  return self->settings.restarts > 0 && mt_train_wants_many (mt_run_settings_get_device (&self->settings));
}

static void
offer_bits (MtRunJob    *self,
            MtRunShared *shared)
{
  g_clear_pointer (&shared->table, mt_table_unref);
  g_clear_pointer (&shared->bits, mt_learn_bits_unref);
  shared->table = mt_table_ref (self->table);
  shared->test_fraction = self->settings.test_fraction;
  shared->split_seed = self->settings.split_seed;
  shared->bits = mt_learn_plan_ref_bits (self->plan);
}

void
mt_run_job_plan (MtRunJob            *self,
                 const MtConstraints *constraints,
                 MtRunShared         *shared,
                 GMutex              *lock)
{
  g_autoptr (MtLearnBits) like = NULL;

  mt_run_settings_to_learn (&self->settings, &self->learn);
  self->constraints = constraints != NULL ? mt_constraints_ref ((MtConstraints *) constraints) : NULL;
  self->learn.constraints = self->constraints;
  self->learn.frontier.keep_partial = self->means.keep_partial;
  self->learn.frontier.train.keep = self->keep;
  self->learn.frontier.train.device_memory = self->means.device_memory;
  self->learn.fall_back = self->means.fall_back;
  self->learn.fall_back_data = self->means.fall_back_data;
  if (!mt_run_settings_split (&self->settings, self->table, &self->train, &self->test, &self->error))
    return;
  g_mutex_lock (lock);
  if (mt_run_job_has_rows_of (self, shared))
    like = mt_learn_bits_ref (shared->bits);
  g_mutex_unlock (lock);
  self->plan = mt_learn_plan_new (self->table, self->train != NULL ? &g_array_index (self->train, guint32, 0) : NULL,
                                  self->train != NULL ? self->train->len : 0, &self->learn, like, on_progress, self,
                                  self->cancellable, &self->error);
  if (self->plan == NULL)
    return;
  g_mutex_lock (lock);
  offer_bits (self, shared);
  g_mutex_unlock (lock);
  g_mutex_lock (&self->lock);
  self->newest.is_regression = mt_learn_plan_get_task (self->plan) == MT_TASK_REGRESSION;
  g_mutex_unlock (&self->lock);
}

MtNetworkBatch *
mt_run_job_make_networks (MtRunJob *self)
{
  MtNetworkBatch *networks;

  if (self->plan == NULL)
    return NULL;
  networks = mt_learn_plan_make_networks (self->plan);
  mt_network_batch_watch (networks, on_network, self);
  mt_network_batch_set_cancellable (networks, self->cancellable);
  self->n_networks = mt_network_batch_get_n (networks);
  return networks;
}

void
mt_run_job_start (MtRunJob *self)
{
  self->has_started = TRUE;
  self->started = g_get_monotonic_time ();
  if (self->funcs->started != NULL)
    self->funcs->started (self, self->data);
}

void
mt_run_job_run (MtRunJob *self,
                MtPool   *pool)
{
  if (self->plan != NULL)
    self->learned = mt_learn_plan_run (g_steal_pointer (&self->plan), pool, on_progress, self, self->cancellable,
                                       &self->error);
}

void
mt_run_job_end (MtRunJob *self)
{
  if (self->has_started)
    self->seconds = (double) (g_get_monotonic_time () - self->started) / G_USEC_PER_SEC;
  if (self->learned == NULL && self->error == NULL)
    g_set_error_literal (&self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped");
  if (self->funcs->ended != NULL)
    self->funcs->ended (self, self->data);
  g_clear_pointer (&self->train, g_array_unref);
}

guint
mt_run_job_get_n_networks (MtRunJob *self)
{
  return self->n_networks;
}

gboolean
mt_run_job_has_started (MtRunJob *self)
{
  return self->has_started;
}

double
mt_run_job_get_seconds (MtRunJob *self)
{
  return self->seconds;
}

const MtLearned *
mt_run_job_get_learned (MtRunJob *self)
{
  return self->learned;
}

MtLearned *
mt_run_job_steal_learned (MtRunJob *self)
{
  return g_steal_pointer (&self->learned);
}

const GError *
mt_run_job_get_error (MtRunJob *self)
{
  return self->error;
}

GArray *
mt_run_job_get_train (MtRunJob *self)
{
  return self->train;
}

GArray *
mt_run_job_get_test (MtRunJob *self)
{
  return self->test;
}
