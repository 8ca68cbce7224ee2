/* How long the main loop is ever kept waiting: a heartbeat every 10 ms while a table is read,
 * shown, scrolled and trained on. Prints what it measures; only the long form (-m slow) judges it,
 * by the main thread's own processor time, which other programs do not change. */
#include "config.h"

#include <time.h>

#include "apputils.h"
#include "mt-plot-view.h"
#include "mt-samples.h"

#define BEAT  10   /* ms */
#define LIMIT 50   /* ms, of the long form */

typedef struct {
  GArray *gaps;    /* of double: ms beyond the beat */
  GArray *work;    /* of double: ms of processor time the main thread took between two beats */
  gint64  last;
  double  last_work;
  guint   source;
} Heart;

/* Of this thread alone: what it would wait on a quiet machine. */
static double
processor_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

static gboolean
beat (gpointer data)
{
  Heart *heart = data;
  gint64 now = g_get_monotonic_time ();
  double gap = (double) (now - heart->last) / 1000 - BEAT;

  double used = processor_ms ();
  double work = used - heart->last_work;

  heart->last = now;
  heart->last_work = used;
  gap = MAX (gap, 0);
  g_array_append_val (heart->gaps, gap);
  g_array_append_val (heart->work, work);
  return G_SOURCE_CONTINUE;
}

static void
heart_start (Heart *heart)
{
  heart->gaps = g_array_new (FALSE, FALSE, sizeof (double));
  heart->work = g_array_new (FALSE, FALSE, sizeof (double));
  heart->last = g_get_monotonic_time ();
  heart->last_work = processor_ms ();
  heart->source = g_timeout_add_full (G_PRIORITY_HIGH, BEAT, beat, heart, NULL);
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

static void
heart_stop (Heart      *heart,
            const char *during)
{
  g_source_remove (heart->source);
  beat (heart);
  g_array_sort (heart->gaps, ascending);
  g_array_sort (heart->work, ascending);
  g_test_message ("%s: %u beats; gap p99 %.1f, longest %.1f ms; of the main thread's own work p99 %.1f, most %.1f ms",
                  during, heart->gaps->len, share_of (heart->gaps, 99), share_of (heart->gaps, 100),
                  share_of (heart->work, 99), share_of (heart->work, 100));
  if (g_test_slow ())
    g_assert_cmpfloat (share_of (heart->work, 100), <, LIMIT);
  g_array_unref (heart->gaps);
  g_array_unref (heart->work);
}

/* 25 numbers, 20 categories, 5 texts. */
static GFile *
write_table (guint n_rows)
{
  g_autoptr (GFile) file = mt_app_write ("large.csv", "");
  g_autoptr (GOutputStream) raw = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, 0, NULL, NULL));
  g_autoptr (GOutputStream) out = g_buffered_output_stream_new_sized (raw, 1 << 20);
  g_autoptr (GString) line = g_string_new (NULL);
  guint state = 1;

  for (guint c = 0; c < 50; c++)
    g_string_append_printf (line, "%sc%u", c > 0 ? "," : "", c);
  g_string_append_c (line, '\n');
  for (guint row = 0; row <= n_rows; row++)
    {
      g_output_stream_write_all (out, line->str, line->len, NULL, NULL, NULL);
      g_string_truncate (line, 0);
      for (guint c = 0; c < 50; c++)
        {
          state = state * 1664525 + 1013904223;
          if (c < 25)
            g_string_append_printf (line, "%s%u.%u", c > 0 ? "," : "", state >> 20, state >> 8 & 7);
          else if (c < 45)
            g_string_append_printf (line, ",k%u", (state >> 16) % (c + 5));
          else
            g_string_append_printf (line, ",t%u", state >> 4);
        }
      g_string_append_c (line, '\n');
    }
  g_output_stream_close (out, NULL, NULL);
  return g_steal_pointer (&file);
}

static void
test_load_and_scroll (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  g_autoptr (GFile) file = write_table (g_test_slow () ? 1000000 : 20000);
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  gint64 begun;
  guint n_places;
  gsize n_rows;
  Heart heart;

  mt_app_settle (300);
  begun = g_get_monotonic_time ();
  heart_start (&heart);
  mt_window_open (window, file);
  mt_app_wait_idle (window);
  mt_app_settle (500);   /* first rows, distributions, findings */
  heart_stop (&heart, "load");
  n_rows = mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window)));
  g_test_message ("read and shown: %" G_GSIZE_FORMAT " rows × 50 in %.1f s", n_rows,
                  (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC);

  mt_grid_get_order (grid, &n_places);
  heart_start (&heart);
  for (guint i = 0; i <= 60; i++)
    {
      mt_grid_go_to (grid, i * (n_places - 1) / 60, (n_rows - 1) / 60 * i);
      mt_app_settle (16);
    }
  heart_stop (&heart, "scroll");
  mt_app_window_end (window);
  g_file_delete (file, NULL, NULL);
}

static gboolean
is_trained (gpointer window)
{
  return !mt_study_is_running (mt_window_get_study (window));
}

static void
test_train (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  GtkWidget *plot;
  Heart heart;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_app_settle (300);
  heart_start (&heart);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (is_trained, window);
  heart_stop (&heart, "train");
  mt_app_settle (300);
  heart_start (&heart);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (600);
  heart_stop (&heart, "show the frontier");
  plot = mt_app_find (GTK_WIDGET (window), MT_TYPE_PLOT_VIEW, NULL);
  gtk_widget_activate_action (plot, "plot.end", "b", TRUE);
  heart_start (&heart);
  for (guint i = 0; i < 12; i++)
    {
      gtk_widget_activate_action (plot, "plot.walk", "i", MT_PLOT_RIGHT);
      gtk_widget_activate_action (plot, i % 2 == 0 ? "plot.zoom-in" : "plot.pin", NULL);
      mt_app_settle (40);
    }
  heart_stop (&heart, "walk, zoom and pin");
  mt_app_window_end (window);
}

/* From nothing to a painted window, against an empty libadwaita window in the same run. */
static double
time_first_frame (GtkWindow *window)
{
  gint64 begun = g_get_monotonic_time ();

  gtk_window_present (window);
  mt_app_wait_painted (GTK_WIDGET (window));
  return (double) (g_get_monotonic_time () - begun) / 1000;
}

static void
test_first_frame (void)
{
  GtkWidget *empty = adw_window_new ();
  MtWindow *window;
  double plain, ours, work;
  gint64 begun;

  gtk_window_set_default_size (GTK_WINDOW (empty), 1280, 860);
  adw_window_set_content (ADW_WINDOW (empty), adw_header_bar_new ());
  gtk_widget_realize (empty);
  plain = time_first_frame (GTK_WINDOW (empty));
  gtk_window_destroy (GTK_WINDOW (empty));
  begun = g_get_monotonic_time ();
  work = processor_ms ();
  window = mt_app_window_new (1280, 860);
  ours = (double) (g_get_monotonic_time () - begun) / 1000 + time_first_frame (GTK_WINDOW (window));
  work = processor_ms () - work;
  g_test_message ("first frame: %.0f ms, of it %.0f ms the main thread's own work; an empty window %.0f ms", ours, work,
                  plain);
  if (g_test_slow ())
    g_assert_cmpfloat (work - plain, <, 500);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/responsive/first-frame", test_first_frame);
  g_test_add_func ("/app/responsive/load-and-scroll", test_load_and_scroll);
  g_test_add_func ("/app/responsive/train", test_train);
  return g_test_run ();
}
