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

/* Threads of GLib's shared pools inherit the nice level of the thread that creates the first one. If the level cannot
 * be set, the threads run at the usual one. */
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
