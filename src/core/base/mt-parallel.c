/* Runs follow each other within microseconds while a network trains, so a thread that has
 * nothing to do looks for work a little while before it sleeps, and a run does not wait for
 * threads that are still waking up: they join it while it is open, or miss it.
 *
 *   state       OPEN while a run takes helpers, plus the number of threads inside it
 *   generation  counts runs; an idle thread watches it
 * Both sides announce themselves before they look at the other (sleepers before generation,
 * generation before sleepers), so no wake-up is lost. */
#include "config.h"
#include "mt-parallel.h"

#define OPEN       (1 << 30)
#define SPIN_ROUNDS 1000       /* some 40 µs */

struct _MtPool {
  guint       n_threads;
  GThread   **threads;       /* n_threads - 1 of them: the caller works too */
  guint       spin_rounds;

  GMutex      lock;
  GCond       start;
  GCond       done;
  gint        generation;    /* these are atomic */
  gint        state;
  gint        n_sleeping;
  gint        caller_sleeps;
  gint        quit;
  gint        next_task;

  MtPoolFunc  func;          /* of the open run: written before it opens */
  gpointer    data;
  guint       n_tasks;
};

typedef struct {
  MtPool *pool;
  guint   worker;
} Worker;

static inline void
relax (void)
{
#if defined (__x86_64__)
  __builtin_ia32_pause ();
#endif
}

static void
take_tasks (MtPool *pool,
            guint   worker)
{
  guint task;

  while ((task = (guint) g_atomic_int_add (&pool->next_task, 1)) < pool->n_tasks)
    pool->func (task, worker, pool->data);
}

static gboolean
join_run (MtPool *pool)
{
  gint state;

  do
    {
      state = g_atomic_int_get (&pool->state);
      if ((state & OPEN) == 0)
        return FALSE;
    }
  while (!g_atomic_int_compare_and_exchange (&pool->state, state, state + 1));
  return TRUE;
}

static void
leave_run (MtPool *pool)
{
  /* The last one out of a closed run wakes the caller, if it sleeps. */
  if (g_atomic_int_add (&pool->state, -1) == 1 && g_atomic_int_get (&pool->caller_sleeps))
    {
      g_mutex_lock (&pool->lock);
      g_cond_signal (&pool->done);
      g_mutex_unlock (&pool->lock);
    }
}

/* Until there is a run after @seen, or the end. */
static void
wait_for_run (MtPool *pool,
              gint    seen)
{
  for (guint i = 0; i < pool->spin_rounds; i++)
    {
      if (g_atomic_int_get (&pool->generation) != seen || g_atomic_int_get (&pool->quit))
        return;
      relax ();
    }
  g_mutex_lock (&pool->lock);
  g_atomic_int_inc (&pool->n_sleeping);
  while (g_atomic_int_get (&pool->generation) == seen && !g_atomic_int_get (&pool->quit))
    g_cond_wait (&pool->start, &pool->lock);
  g_atomic_int_add (&pool->n_sleeping, -1);
  g_mutex_unlock (&pool->lock);
}

static gpointer
worker_main (gpointer user_data)
{
  Worker *self = user_data;
  MtPool *pool = self->pool;
  gint seen = 0;

  while (TRUE)
    {
      wait_for_run (pool, seen);
      if (g_atomic_int_get (&pool->quit))
        break;
      seen = g_atomic_int_get (&pool->generation);
      if (join_run (pool))
        {
          take_tasks (pool, self->worker);
          leave_run (pool);
        }
    }
  g_free (self);
  return NULL;
}

MtPool *
mt_pool_new (guint n_threads)
{
  MtPool *pool = g_new0 (MtPool, 1);

  pool->n_threads = n_threads > 0 ? n_threads : g_get_num_processors ();
  /* Waiting busily is for threads that have a processor each. */
  pool->spin_rounds = pool->n_threads <= g_get_num_processors () ? SPIN_ROUNDS : 0;
  g_mutex_init (&pool->lock);
  g_cond_init (&pool->start);
  g_cond_init (&pool->done);
  pool->threads = g_new0 (GThread *, pool->n_threads);
  for (guint i = 1; i < pool->n_threads; i++)
    {
      Worker *worker = g_new (Worker, 1);

      worker->pool = pool;
      worker->worker = i;
      pool->threads[i - 1] = g_thread_try_new ("mt-worker", worker_main, worker, NULL);
      /* The system gives no more threads: those that there are do the work. */
      if (pool->threads[i - 1] == NULL)
        {
          g_free (worker);
          pool->n_threads = i;
        }
    }
  return pool;
}

void
mt_pool_free (MtPool *pool)
{
  if (pool == NULL)
    return;

  g_mutex_lock (&pool->lock);
  g_atomic_int_set (&pool->quit, TRUE);
  g_cond_broadcast (&pool->start);
  g_mutex_unlock (&pool->lock);
  for (guint i = 1; i < pool->n_threads; i++)
    g_thread_join (pool->threads[i - 1]);
  g_free (pool->threads);
  g_mutex_clear (&pool->lock);
  g_cond_clear (&pool->start);
  g_cond_clear (&pool->done);
  g_free (pool);
}

guint
mt_pool_get_n_threads (MtPool *pool)
{
  return pool != NULL ? pool->n_threads : 1;
}

void
mt_pool_run (MtPool     *pool,
             guint       n_tasks,
             MtPoolFunc  func,
             gpointer    data)
{
  g_return_if_fail (func != NULL);

  if (pool == NULL || pool->n_threads == 1 || n_tasks <= 1)
    {
      for (guint task = 0; task < n_tasks; task++)
        func (task, 0, data);
      return;
    }

  pool->func = func;
  pool->data = data;
  pool->n_tasks = n_tasks;
  g_atomic_int_set (&pool->next_task, 0);
  g_atomic_int_set (&pool->state, OPEN);
  g_atomic_int_inc (&pool->generation);
  if (g_atomic_int_get (&pool->n_sleeping) > 0)
    {
      g_mutex_lock (&pool->lock);
      g_cond_broadcast (&pool->start);
      g_mutex_unlock (&pool->lock);
    }

  take_tasks (pool, 0);

  g_atomic_int_and ((guint *) &pool->state, ~(guint) OPEN);
  for (guint i = 0; i < pool->spin_rounds && g_atomic_int_get (&pool->state) != 0; i++)
    relax ();
  if (g_atomic_int_get (&pool->state) == 0)
    return;
  g_mutex_lock (&pool->lock);
  g_atomic_int_set (&pool->caller_sleeps, TRUE);
  while (g_atomic_int_get (&pool->state) != 0)
    g_cond_wait (&pool->done, &pool->lock);
  g_atomic_int_set (&pool->caller_sleeps, FALSE);
  g_mutex_unlock (&pool->lock);
}
