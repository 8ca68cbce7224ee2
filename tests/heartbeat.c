#include "config.h"
#include "heartbeat.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define BEAT 10   /* ms */

struct _MtHeartbeat {
  GArray    *gaps;     /* of double: ms beyond the beat */
  GArray    *work;     /* of double: ms of processor time the main thread took between two beats */
  gint64     last;     /* atomic: when it beat last, μs */
  double     last_work;
  guint      source;

  GThread   *watcher;  /* NULL: nobody asks where the gaps are */
  pthread_t  watched;
  int        over;     /* atomic */
};

double
mt_heartbeat_get_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

static gboolean
beat (gpointer data)
{
  MtHeartbeat *heart = data;
  gint64 now = g_get_monotonic_time ();
  double gap = (double) (now - heart->last) / 1000 - BEAT;
  double used = mt_heartbeat_get_work ();
  double work = used - heart->last_work;

  __atomic_store_n (&heart->last, now, __ATOMIC_RELAXED);
  heart->last_work = used;
  gap = MAX (gap, 0);
  g_array_append_val (heart->gaps, gap);
  g_array_append_val (heart->work, work);
  return G_SOURCE_CONTINUE;
}

/* --- where a gap is --- */

static void
say_where (int number)
{
  void *frames[64];
  int n = backtrace (frames, G_N_ELEMENTS (frames));

  backtrace_symbols_fd (frames, n, STDERR_FILENO);
  if (write (STDERR_FILENO, "--\n", 3) < 0)
    return;
}

static gpointer
watch (gpointer data)
{
  MtHeartbeat *heart = data;
  gint64 told = 0;

  while (!g_atomic_int_get (&heart->over))
    {
      gint64 last = __atomic_load_n (&heart->last, __ATOMIC_RELAXED);

      if (last != told && g_get_monotonic_time () - last > MT_HEARTBEAT_LIMIT * 1000)
        {
          told = last;
          pthread_kill (heart->watched, SIGUSR1);
        }
      g_usleep (2000);
    }
  return NULL;
}

static void
start_watching (MtHeartbeat *heart)
{
  struct sigaction action = { .sa_handler = say_where, .sa_flags = SA_RESTART };
  void *frame;

  backtrace (&frame, 1);   /* loads what it needs, which a signal handler may not */
  sigaction (SIGUSR1, &action, NULL);
  heart->watched = pthread_self ();
  heart->watcher = g_thread_new ("heartbeat", watch, heart);
}

/* --- from start to stop --- */

MtHeartbeat *
mt_heartbeat_start (void)
{
  MtHeartbeat *heart = g_new0 (MtHeartbeat, 1);

  heart->gaps = g_array_new (FALSE, FALSE, sizeof (double));
  heart->work = g_array_new (FALSE, FALSE, sizeof (double));
  heart->last = g_get_monotonic_time ();
  heart->last_work = mt_heartbeat_get_work ();
  heart->source = g_timeout_add_full (G_PRIORITY_HIGH, BEAT, beat, heart, NULL);
  if (g_getenv ("MINTERM_GAPS") != NULL)
    start_watching (heart);
  return heart;
}

static int
ascending (gconstpointer a,
           gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
share_of (GArray *sorted,
          guint   percent)
{
  return g_array_index (sorted, double, (sorted->len - 1) * percent / 100);
}

void
mt_heartbeat_stop (MtHeartbeat *heart,
                   const char  *during,
                   double       limit)
{
  g_source_remove (heart->source);
  beat (heart);
  g_atomic_int_set (&heart->over, TRUE);
  g_clear_pointer (&heart->watcher, g_thread_join);
  g_array_sort (heart->gaps, ascending);
  g_array_sort (heart->work, ascending);
  g_test_message ("%s: %u beats; gap p99 %.1f, longest %.1f ms; of the main thread's own work p99 %.1f, most %.1f ms",
                  during, heart->gaps->len, share_of (heart->gaps, 99), share_of (heart->gaps, 100),
                  share_of (heart->work, 99), share_of (heart->work, 100));
  if (g_test_slow () && limit > 0)
    g_assert_cmpfloat (share_of (heart->work, 100), <, limit);
  g_array_unref (heart->gaps);
  g_array_unref (heart->work);
  g_free (heart);
}
