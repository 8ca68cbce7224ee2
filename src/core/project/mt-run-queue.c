/* The queue's lock guards the lists and what jobs share; no function of a job is called under it. */
#include "config.h"
#include "mt-run-queue.h"

#include "learn/mt-network-batch.h"
#include "mt-run-job-private.h"

/* Networks trained in one go, about: enough to fill any device, few enough to hold their results. */
#define NETWORKS_AT_ONCE 512

typedef struct {
  MtRunJob *job;
  guint     rank;
} Waiting;

struct _MtRunQueue {
  gatomicrefcount  ref_count;
  guint            n_threads;
  gboolean         one_at_a_time;

  GMutex           lock;
  GArray          *waiting;        /* of Waiting, by rank */
  GPtrArray       *working;        /* of MtRunJob */
  gboolean         has_worker;
  GHashTable      *constraints;    /* by their interned JSON: MtConstraints */
  MtRunShared      shared;         /* of the job that was planned last */
};

static void
clear_waiting (gpointer data)
{
  mt_run_job_unref (((Waiting *) data)->job);
}

MtRunQueue *
mt_run_queue_new (guint    n_threads,
                  gboolean one_at_a_time)
{
  MtRunQueue *self = g_new0 (MtRunQueue, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_threads = n_threads;
  self->one_at_a_time = one_at_a_time;
  g_mutex_init (&self->lock);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  g_array_set_clear_func (self->waiting, clear_waiting);
  self->working = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_run_job_unref);
  self->constraints = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) mt_constraints_unref);
  return self;
}

MtRunQueue *
mt_run_queue_ref (MtRunQueue *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
forget_shared (MtRunQueue *self)
{
  g_clear_pointer (&self->shared.table, mt_table_unref);
  g_clear_pointer (&self->shared.bits, mt_learn_bits_unref);
}

void
mt_run_queue_unref (MtRunQueue *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  forget_shared (self);
  g_array_unref (self->waiting);
  g_ptr_array_unref (self->working);
  g_hash_table_unref (self->constraints);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
mt_run_queue_push (MtRunQueue *self,
                   MtRunJob   *job,
                   guint       rank)
{
  const Waiting waiting = { mt_run_job_ref (job), rank };
  gboolean has_worker;
  guint at;

  g_mutex_lock (&self->lock);
  at = self->waiting->len;
  while (at > 0 && g_array_index (self->waiting, Waiting, at - 1).rank > rank)
    at--;
  g_array_insert_val (self->waiting, at, waiting);
  has_worker = self->has_worker;
  g_mutex_unlock (&self->lock);
  return !has_worker;
}

void
mt_run_queue_cancel (MtRunQueue *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->waiting->len; i++)
    g_ptr_array_add (all, g_object_ref (mt_run_job_get_cancellable (g_array_index (self->waiting, Waiting, i).job)));
  for (guint i = 0; i < self->working->len; i++)
    g_ptr_array_add (all, g_object_ref (mt_run_job_get_cancellable (self->working->pdata[i])));
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < all->len; i++)
    g_cancellable_cancel (all->pdata[i]);
}

/* --- working --- */

/* Under the lock. */
static MtRunJob *
take_first (MtRunQueue *self)
{
  MtRunJob *job = mt_run_job_ref (g_array_index (self->waiting, Waiting, 0).job);

  g_array_remove_index (self->waiting, 0);
  g_ptr_array_add (self->working, job);
  return job;
}

/* The jobs to be run next: one, or all where several work at a time. FALSE: none waits, and no thread works any more. */
static gboolean
take_next (MtRunQueue *self,
           GPtrArray  *jobs)
{
  g_ptr_array_set_size (jobs, 0);
  g_mutex_lock (&self->lock);
  while (self->waiting->len > 0 && (jobs->len == 0 || !self->one_at_a_time))
    g_ptr_array_add (jobs, mt_run_job_ref (take_first (self)));
  if (jobs->len == 0)
    {
      self->has_worker = FALSE;
      forget_shared (self);
    }
  g_mutex_unlock (&self->lock);
  return jobs->len > 0;
}

/* One more that waits, for its networks to be trained with others; NULL: none. */
static MtRunJob *
take_alike (MtRunQueue *self,
            MtRunJob   *like)
{
  const MtRunSettings *settings = mt_run_job_get_settings (like), *own;
  MtRunJob *job = NULL;

  g_mutex_lock (&self->lock);
  if (self->waiting->len > 0)
    {
      MtRunJob *first = g_array_index (self->waiting, Waiting, 0).job;

      own = mt_run_job_get_settings (first);
      if (mt_run_job_wants_many (first) && own->bits == settings->bits && mt_run_job_has_rows_of (first, &self->shared))
        job = mt_run_job_ref (take_first (self));
    }
  g_mutex_unlock (&self->lock);
  return job;
}

static void
plan (MtRunQueue *self,
      MtRunJob   *job)
{
  const char *text = mt_run_job_get_constraints (job);
  MtConstraints *constraints = NULL;

  g_mutex_lock (&self->lock);
  if (text != NULL)
    {
      constraints = g_hash_table_lookup (self->constraints, text);
      if (constraints == NULL)
        {
          constraints = mt_run_settings_dup_constraints (mt_run_job_get_settings (job));
          g_hash_table_insert (self->constraints, (gpointer) text, constraints);
        }
    }
  g_mutex_unlock (&self->lock);
  mt_run_job_plan (job, constraints, &self->shared, &self->lock);
}

static gboolean
is_cancelled (MtRunJob *job)
{
  return g_cancellable_is_cancelled (mt_run_job_get_cancellable (job));
}

static void
end (MtRunQueue *self,
     MtRunJob   *job)
{
  mt_run_job_end (job);
  g_mutex_lock (&self->lock);
  g_ptr_array_remove (self->working, job);
  g_mutex_unlock (&self->lock);
}

/* @pool NULL: on this thread alone. */
static void
run (MtRunQueue *self,
     MtRunJob   *job,
     gboolean    is_planned,
     MtPool     *pool)
{
  if (!is_cancelled (job) || mt_run_job_has_plan (job))
    {
      mt_run_job_start (job);
      if (!is_planned)
        plan (self, job);
      mt_run_job_run (job, pool);
    }
  end (self, job);
}

void
mt_run_queue_run (MtRunQueue *self,
                  MtRunJob   *job)
{
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->working, mt_run_job_ref (job));
  g_mutex_unlock (&self->lock);
  run (self, job, FALSE, NULL);
}

typedef struct {
  MtRunQueue *queue;
  GPtrArray  *jobs;
  gboolean    is_planned;
} Batch;

static void
run_one (guint    task,
         guint    worker,
         gpointer data)
{
  const Batch *batch = data;

  run (batch->queue, batch->jobs->pdata[task], batch->is_planned, NULL);
}

static void
run_jobs (MtRunQueue *self,
          GPtrArray  *jobs,
          gboolean    is_planned,
          MtPool     *pool)
{
  Batch batch = { self, jobs, is_planned };

  for (guint i = 0; self->one_at_a_time && i < jobs->len; i++)
    run (self, jobs->pdata[i], is_planned, pool);
  if (!self->one_at_a_time)
    mt_pool_run (pool, jobs->len, run_one, &batch);
}

/* --- where a device trains many networks at once --- */

static guint
add_networks (MtRunQueue *self,
              MtRunJob   *job,
              GPtrArray  *networks)
{
  MtNetworkBatch *own;

  plan (self, job);
  own = mt_run_job_make_networks (job);
  if (own == NULL)
    return 0;
  g_ptr_array_add (networks, own);
  return mt_network_batch_get_n (own);
}

/* Jobs from @first on that share their rows, until their networks are enough; gives how many. Where jobs are run one at a
 * time, those that wait are taken as well. */
static guint
plan_wave (MtRunQueue *self,
           GPtrArray  *jobs,
           guint       first,
           GPtrArray  *networks)
{
  MtRunJob *like = jobs->pdata[first], *more;
  guint n = 0, n_networks = 0;

  while (first + n < jobs->len && n_networks < NETWORKS_AT_ONCE)
    {
      MtRunJob *job = jobs->pdata[first + n];

      if (n > 0 && (mt_run_job_get_settings (job)->bits != mt_run_job_get_settings (like)->bits ||
                    !mt_run_job_wants_many (job) || !mt_run_job_has_rows_of (job, &self->shared)))
        break;
      if (!is_cancelled (job))
        n_networks += add_networks (self, job, networks);
      n++;
      if (self->one_at_a_time && n_networks < NETWORKS_AT_ONCE && (more = take_alike (self, like)) != NULL)
        g_ptr_array_add (jobs, more);
    }
  return n;
}

/* The networks of many jobs on the device, then their rules. */
static guint
run_wave (MtRunQueue *self,
          GPtrArray  *jobs,
          guint       first,
          MtPool     *pool)
{
  g_autoptr (GPtrArray) networks = g_ptr_array_new ();
  g_autoptr (GPtrArray) wave = g_ptr_array_new ();
  guint n = plan_wave (self, jobs, first, networks);

  if (networks->len > 0)
    mt_network_batch_train ((MtNetworkBatch **) networks->pdata, networks->len, NULL);
  for (guint i = first; i < first + n; i++)
    g_ptr_array_add (wave, jobs->pdata[i]);
  run_jobs (self, wave, TRUE, pool);
  return n;
}

void
mt_run_queue_work (MtRunQueue *self)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_run_job_unref);
  g_autoptr (MtPool) pool = NULL;
  gboolean had_worker;

  g_mutex_lock (&self->lock);
  had_worker = self->has_worker;
  self->has_worker = TRUE;
  g_mutex_unlock (&self->lock);
  if (had_worker)
    return;
  pool = mt_pool_new (self->n_threads);
  while (take_next (self, jobs))
    {
      guint first = 0;

      while (first < jobs->len && mt_run_job_wants_many (jobs->pdata[first]))
        first += run_wave (self, jobs, first, pool);
      if (first > 0)
        g_ptr_array_remove_range (jobs, 0, first);
      if (jobs->len > 0)
        run_jobs (self, jobs, FALSE, pool);
    }
}
