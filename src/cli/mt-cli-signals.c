/* A thread waits for the signals, which all others block: no handler, so nothing that is
 * unsafe in one. */
#include "config.h"
#include "mt-cli-signals.h"

#include <pthread.h>
#include <signal.h>

static gpointer
wait_for_signal (gpointer data)
{
  g_autoptr (GCancellable) cancellable = data;
  sigset_t set;
  int number;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGHUP);
  if (sigwait (&set, &number) == 0)
    {
      g_cancellable_cancel (cancellable);
      /* The next one comes to this thread, which no longer blocks it. */
      pthread_sigmask (SIG_UNBLOCK, &set, NULL);
      while (TRUE)
        g_usleep (G_USEC_PER_SEC);
    }
  return NULL;
}

GCancellable *
mt_cli_cancel_on_signals (void)
{
  GCancellable *cancellable = g_cancellable_new ();
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGHUP);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signal, g_object_ref (cancellable)));
  return cancellable;
}
