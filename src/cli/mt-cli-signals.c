/* The handler only writes to a pipe, which is all that is safe in one; a thread waits at the
 * other end. Blocking the signals instead would not do: libraries start threads before main(). */
#include "config.h"
#include "mt-cli-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int pipe_ends[2] = { -1, -1 };

static void
on_signal (int number)
{
  int saved_errno = errno;
  gssize written = write (pipe_ends[1], "", 1);

  (void) written;
  errno = saved_errno;
}

static gpointer
wait_for_signal (gpointer data)
{
  g_autoptr (GCancellable) cancellable = data;
  char byte;

  if (TEMP_FAILURE_RETRY (read (pipe_ends[0], &byte, 1)) == 1)
    g_cancellable_cancel (cancellable);
  return NULL;
}

GCancellable *
mt_cli_cancel_on_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  /* Reset at the first, so that the second ends the program. */
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int) SA_RESETHAND | SA_RESTART };
  GCancellable *cancellable = g_cancellable_new ();
  GThread *thread;

  /* Without a pipe or a thread, signals do what they always do. */
  if (pipe_ends[0] >= 0 || pipe2 (pipe_ends, O_CLOEXEC) != 0)
    return cancellable;
  thread = g_thread_try_new ("signals", wait_for_signal, g_object_ref (cancellable), NULL);
  if (thread == NULL)
    {
      g_object_unref (cancellable);
      return cancellable;
    }
  g_thread_unref (thread);
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaction (numbers[i], &action, NULL);
  return cancellable;
}
