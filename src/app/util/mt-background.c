/* Work in the background steps aside for the window. See mt-background.h. */
#include "config.h"
#include "mt-background.h"

#include <gio/gio.h>

#ifdef __linux__
#include <sys/resource.h>

/* Steps of 19 in all; about a third of an equal's share. */
#define NICE 5

static void
do_nothing (GTask        *task,
            gpointer      source_object,
            gpointer      task_data,
            GCancellable *cancellable)
{
  g_task_return_boolean (task, TRUE);
}

/* A thread of Linux starts with the nice level of the thread that creates it, and GLib creates all threads of its
 * shared pools from one spawner, which the first request for such a thread starts. So this thread lowers its own
 * priority and makes that first request. If the priority cannot be set, nothing else changes. */
static gpointer
ask_first (gpointer data)
{
  g_autoptr (GTask) task = NULL;

  setpriority (PRIO_PROCESS, 0, getpriority (PRIO_PROCESS, 0) + NICE);
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_run_in_thread_sync (task, do_nothing);
  return NULL;
}
#endif

void
mt_background_prepare (void)
{
#ifdef __linux__
  g_thread_join (g_thread_new ("mt-background", ask_first, NULL));
#endif
}
