#include "config.h"
#include "mt-parallel.h"

struct _MtPool {
  guint       n_threads;
  GThread   **threads;       /* n_threads - 1 of them: the caller works too */

  GMutex      lock;
  GCond       start;
  GCond       done;
  guint64     generation;    /* counts runs; a worker sleeps until it changes */
  guint       n_busy;
  gboolean    quit;

  MtPoolFunc  func;
  gpointer    data;
  guint       n_tasks;
  gint        next_task;
};

typedef struct {
  MtPool *pool;
  guint   worker;
} Worker;

static void
take_tasks (MtPool *pool,
            guint   worker)
{
  guint task;

  while ((task = (guint) g_atomic_int_add (&pool->next_task, 1)) < pool->n_tasks)
    pool->func (task, worker, pool->data);
}

static gpointer
worker_main (gpointer user_data)
{
  Worker *self = user_data;
  MtPool *pool = self->pool;
  guint64 seen = 0;

  g_mutex_lock (&pool->lock);
  while (TRUE)
    {
      while (pool->generation == seen && !pool->quit)
        g_cond_wait (&pool->start, &pool->lock);
      if (pool->quit)
        break;
      seen = pool->generation;
      g_mutex_unlock (&pool->lock);

      take_tasks (pool, self->worker);

      g_mutex_lock (&pool->lock);
      if (--pool->n_busy == 0)
        g_cond_signal (&pool->done);
    }
  g_mutex_unlock (&pool->lock);
  g_free (self);
  return NULL;
}

MtPool *
mt_pool_new (guint n_threads)
{
  MtPool *pool = g_new0 (MtPool, 1);

  pool->n_threads = n_threads > 0 ? n_threads : g_get_num_processors ();
  g_mutex_init (&pool->lock);
  g_cond_init (&pool->start);
  g_cond_init (&pool->done);
  pool->threads = g_new0 (GThread *, pool->n_threads);
  for (guint i = 1; i < pool->n_threads; i++)
    {
      Worker *worker = g_new (Worker, 1);

      worker->pool = pool;
      worker->worker = i;
      pool->threads[i - 1] = g_thread_new ("mt-worker", worker_main, worker);
    }
  return pool;
}

void
mt_pool_free (MtPool *pool)
{
  if (pool == NULL)
    return;

  g_mutex_lock (&pool->lock);
  pool->quit = TRUE;
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

  g_mutex_lock (&pool->lock);
  pool->func = func;
  pool->data = data;
  pool->n_tasks = n_tasks;
  g_atomic_int_set (&pool->next_task, 0);
  pool->n_busy = pool->n_threads - 1;
  pool->generation++;
  g_cond_broadcast (&pool->start);
  g_mutex_unlock (&pool->lock);

  take_tasks (pool, 0);

  g_mutex_lock (&pool->lock);
  while (pool->n_busy > 0)
    g_cond_wait (&pool->done, &pool->lock);
  g_mutex_unlock (&pool->lock);
}
