#include "config.h"
#include "heartbeat.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BEAT 10   /* ms */

/* What the system knows of time that the main thread could not use, both from the start on; 0 where it does not tell. */
typedef struct {
  double queued;       /* ms that the main thread was ready to go on and had no processor */
  double stolen;       /* ms that all processors together were somebody else's, below this virtual machine */
} Waits;

struct _MtHeartbeat {
  GArray    *gaps;     /* of double: ms beyond the beat */
  GArray    *work;     /* of double: ms of processor time the main thread took between two beats */
  GArray    *held;     /* of double: the gaps less what was queued or stolen: work, and waiting for others */
  gint64     last;     /* atomic: when it beat last, μs */
  double     last_work;
  Waits      last_waits;
  double     longest_gap;
  Waits      longest;  /* within it */
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

static Waits
get_waits (void)
{
  g_autofree char *stat = NULL, *scheduled = NULL;
  Waits waits = { 0 };
  guint64 queued, stolen;

  if (g_file_get_contents ("/proc/thread-self/schedstat", &scheduled, NULL, NULL) &&
      sscanf (scheduled, "%*u %" G_GUINT64_FORMAT, &queued) == 1)
    waits.queued = (double) queued / 1e6;
  if (g_file_get_contents ("/proc/stat", &stat, NULL, NULL) &&
      sscanf (stat, "cpu %*u %*u %*u %*u %*u %*u %*u %" G_GUINT64_FORMAT, &stolen) == 1)
    waits.stolen = (double) stolen * 1000 / (double) sysconf (_SC_CLK_TCK);
  return waits;
}

static gboolean
beat (gpointer data)
{
  MtHeartbeat *heart = data;
  gint64 now = g_get_monotonic_time ();
  double gap = MAX ((double) (now - heart->last) / 1000 - BEAT, 0);
  double used = mt_heartbeat_get_work ();
  double work = used - heart->last_work;
  Waits waits = get_waits ();
  Waits lost = { waits.queued - heart->last_waits.queued, waits.stolen - heart->last_waits.stolen };
  double held = MAX (gap - lost.queued - lost.stolen, 0);

  if (gap >= heart->longest_gap)
    {
      heart->longest_gap = gap;
      heart->longest = lost;
    }
  __atomic_store_n (&heart->last, now, __ATOMIC_RELAXED);
  heart->last_work = used;
  heart->last_waits = waits;
  g_array_append_val (heart->gaps, gap);
  g_array_append_val (heart->work, work);
  g_array_append_val (heart->held, held);
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
  heart->held = g_array_new (FALSE, FALSE, sizeof (double));
  heart->last = g_get_monotonic_time ();
  heart->last_work = mt_heartbeat_get_work ();
  heart->last_waits = get_waits ();
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
  g_array_sort (heart->held, ascending);
  g_test_message ("%s: %u beats; gap p99 %.1f, longest %.1f ms (in it %.1f without a processor, %.0f stolen); of the main "
                  "thread's own work p99 %.1f, most %.1f ms", during, heart->gaps->len, share_of (heart->gaps, 99),
                  share_of (heart->gaps, 100), heart->longest.queued, heart->longest.stolen,
                  share_of (heart->work, 99), share_of (heart->work, 100));
  if (g_test_slow () && limit > 0)
    {
      g_assert_cmpfloat (share_of (heart->work, 100), <, limit);
      g_assert_cmpfloat (share_of (heart->held, 100), <, limit);
    }
  g_array_unref (heart->gaps);
  g_array_unref (heart->held);
  g_array_unref (heart->work);
  g_free (heart);
}
