/* GLib under ThreadSanitizer. GLib's locks are its own and it is not built with the sanitizer, so
 * the sanitizer sees none of them and every correct hand-over looks like a race. Here each call of
 * ours that synchronises is wrapped: it goes to GLib and tells the sanitizer what it orders.
 * Part of every test program when b_sanitize is thread. */
#include "config.h"

#include <dlfcn.h>
#include <gio/gio.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* GLib's own function of this name. */
#define REAL(name) \
  static __typeof__ (name) *real; \
  if (__atomic_load_n (&real, __ATOMIC_ACQUIRE) == NULL) \
    __atomic_store_n (&real, (__typeof__ (name) *) dlsym (RTLD_NEXT, #name), __ATOMIC_RELEASE)

/* --- locks --- */

void
(g_mutex_lock) (GMutex *mutex)
{
  REAL (g_mutex_lock);
  real (mutex);
  __tsan_acquire (mutex);
}

void
(g_mutex_unlock) (GMutex *mutex)
{
  REAL (g_mutex_unlock);
  __tsan_release (mutex);
  real (mutex);
}

void
(g_cond_wait) (GCond  *cond,
               GMutex *mutex)
{
  REAL (g_cond_wait);
  __tsan_release (mutex);
  real (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
(g_cond_wait_until) (GCond  *cond,
                     GMutex *mutex,
                     gint64  end)
{
  gboolean signalled;

  REAL (g_cond_wait_until);
  __tsan_release (mutex);
  signalled = real (cond, mutex, end);
  __tsan_acquire (mutex);
  return signalled;
}

void
(g_once_init_leave) (volatile void *location,
                     gsize          result)
{
  REAL (g_once_init_leave);
  __tsan_release ((void *) location);
  real (location, result);
}

/* --- hand-over --- */

void
(g_async_queue_push) (GAsyncQueue *queue,
                      gpointer     data)
{
  REAL (g_async_queue_push);
  __tsan_release (queue);
  real (queue, data);
}

gpointer
(g_async_queue_pop) (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_pop);
  data = real (queue);
  __tsan_acquire (queue);
  return data;
}

gboolean
(g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  gboolean last;

  REAL (g_atomic_ref_count_dec);
  __tsan_release (count);
  last = real (count);
  if (last)
    __tsan_acquire (count);
  return last;
}

void
(g_cancellable_cancel) (GCancellable *cancellable)
{
  REAL (g_cancellable_cancel);
  if (cancellable != NULL)
    __tsan_release (cancellable);
  real (cancellable);
}

gboolean
(g_cancellable_is_cancelled) (GCancellable *cancellable)
{
  gboolean cancelled;

  REAL (g_cancellable_is_cancelled);
  cancelled = real (cancellable);
  if (cancelled)
    __tsan_acquire (cancellable);
  return cancelled;
}

/* --- tasks --- */

static void
run_task (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  GTaskThreadFunc function;

  __tsan_acquire (task);
  function = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "tsan-function");
  function (task, source, data, cancellable);
}

void
(g_task_run_in_thread) (GTask           *task,
                        GTaskThreadFunc  function)
{
  REAL (g_task_run_in_thread);
  g_object_set_data (G_OBJECT (task), "tsan-function", (gpointer) function);
  __tsan_release (task);
  real (task, run_task);
}

void
(g_task_return_pointer) (GTask          *task,
                         gpointer        result,
                         GDestroyNotify  destroy)
{
  REAL (g_task_return_pointer);
  __tsan_release (task);
  real (task, result, destroy);
}

void
(g_task_return_error) (GTask  *task,
                       GError *error)
{
  REAL (g_task_return_error);
  __tsan_release (task);
  real (task, error);
}

gpointer
(g_task_propagate_pointer) (GTask   *task,
                            GError **error)
{
  gpointer result;

  REAL (g_task_propagate_pointer);
  result = real (task, error);
  __tsan_acquire (task);
  return result;
}

/* --- sources: what is written before a source is attached is seen by its callback --- */

typedef struct {
  GSourceFunc    function;
  gpointer       data;
  GDestroyNotify notify;
} Callback;

static gboolean
dispatch (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (g_main_current_source ());
  return callback->function (callback->data);
}

static void
forget (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (callback);
  if (callback->notify != NULL)
    callback->notify (callback->data);
  g_free (callback);
}

void
(g_source_set_callback) (GSource        *source,
                         GSourceFunc     function,
                         gpointer        data,
                         GDestroyNotify  notify)
{
  const char *name = g_source_get_name (source);
  Callback *callback;

  REAL (g_source_set_callback);
  if (name == NULL || !g_str_has_prefix (name, "GIdle"))   /* others call back with more arguments */
    {
      real (source, function, data, notify);
      return;
    }
  callback = g_new (Callback, 1);
  callback->function = function;
  callback->data = data;
  callback->notify = notify;
  __tsan_release (callback);
  real (source, dispatch, callback, forget);
}

guint
(g_source_attach) (GSource      *source,
                   GMainContext *context)
{
  REAL (g_source_attach);
  __tsan_release (source);
  return real (source, context);
}
