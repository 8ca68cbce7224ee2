/* How long the main loop is ever kept waiting while a table is read, shown, scrolled and trained on, read
 * again and closed, and while what was found is saved and exported. Prints what it measures; only the long form (-m slow), with a million rows, judges it. */
#include "config.h"

#include <time.h>

#include "apputils.h"
#include "heartbeat.h"
#include "report/mt-export-dialog.h"
#include "frontier/mt-frontier-export.h"
#include "frontier/mt-frontier-page.h"
#include "frontier/mt-plot-view.h"
#include "report/mt-report-page.h"
#include "util/mt-samples.h"

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
scroll (MtWindow *window)
{
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  gsize n_rows = mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window)));
  guint n_places;

  mt_grid_get_order (grid, &n_places);
  for (guint i = 0; i <= 60; i++)
    {
      mt_grid_go_to (grid, i * (n_places - 1) / 60, (n_rows - 1) / 60 * i);
      mt_app_settle (16);
    }
}

static void
show_page (MtWindow   *window,
           const char *page)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", page);
  mt_app_settle (300);
}

static gboolean
is_trained (gpointer window)
{
  return !mt_study_is_running (mt_window_get_study (window));
}

/* A run on all of the rows, looked at from three pages, and stopped. */
static void
train_and_stop (MtWindow *window)
{
  MtHeartbeat *heart = mt_heartbeat_start ();
  gint64 begun;

  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_TARGET);
  mt_app_wait_idle (window);
  mt_app_settle (300);
  mt_heartbeat_stop (heart, "choose the target", MT_HEARTBEAT_LIMIT);
  heart = mt_heartbeat_start ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_settle (8000);   /* encoding, the first look at pairs, and into the training */
  show_page (window, "data");
  scroll (window);
  show_page (window, "model");
  show_page (window, "train");
  mt_app_settle (1000);
  begun = g_get_monotonic_time ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait (is_trained, window);
  g_test_message ("stopped in %.2f s", (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC);
  mt_app_settle (300);
  mt_heartbeat_stop (heart, "train on all rows, scroll meanwhile, stop", MT_HEARTBEAT_LIMIT);
}

/* The old rows go while the new ones come. */
static void
read_again (MtWindow *window)
{
  MtHeartbeat *heart = mt_heartbeat_start ();

  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_settle (50);
  mt_app_wait_idle (window);
  mt_app_settle (500);
  mt_heartbeat_stop (heart, "read again", MT_HEARTBEAT_LIMIT);
}

static void
test_load_and_scroll (void)
{
  MtWindow *other = mt_app_window_new (1280, 860);   /* waits for its turn, too */
  MtWindow *window = mt_app_window_new (1280, 860);
  g_autoptr (GFile) file = write_table (g_test_slow () ? 1000000 : 20000);
  gint64 begun;
  MtHeartbeat *heart;

  mt_app_settle (300);
  begun = g_get_monotonic_time ();
  heart = mt_heartbeat_start ();
  mt_window_open (window, file);
  mt_app_wait_idle (window);
  mt_app_settle (500);   /* first rows, distributions, findings */
  mt_heartbeat_stop (heart, "load", MT_HEARTBEAT_LIMIT);
  g_test_message ("read and shown: %" G_GSIZE_FORMAT " rows × 50 in %.1f s",
                  mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window))),
                  (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC);
  heart = mt_heartbeat_start ();
  scroll (window);
  mt_heartbeat_stop (heart, "scroll", MT_HEARTBEAT_LIMIT);
  train_and_stop (window);
  read_again (window);
  heart = mt_heartbeat_start ();
  mt_app_window_end (window);
  mt_app_settle (300);
  mt_heartbeat_stop (heart, "close", MT_HEARTBEAT_LIMIT);
  mt_app_window_end (other);
  g_file_delete (file, NULL, NULL);
}

/* Ten thousand columns of few values: as many heads, findings and choices of a target. */
static void
test_wide (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  guint n_columns = g_test_slow () ? 10000 : 500;
  g_autoptr (GString) text = g_string_new ("answer");
  g_autoptr (GFile) file = NULL;
  MtHeartbeat *heart;
  gint64 begun;

  for (guint c = 1; c < n_columns; c++)
    g_string_append_printf (text, ",c%u", c);
  for (guint row = 0; row < 200; row++)
    {
      g_string_append (text, row % 3 == 0 ? "\nyes" : "\nno");
      for (guint c = 1; c < n_columns; c++)
        g_string_append_printf (text, ",%u", (c * 31 + row * 17 + c * row % 13) % 97);
    }
  file = mt_app_write ("wide.csv", text->str);
  mt_app_settle (1500);   /* the pages are warm */
  heart = mt_heartbeat_start ();
  begun = g_get_monotonic_time ();
  mt_window_open (window, file);
  mt_app_wait_idle (window);
  mt_app_wait_painted (GTK_WIDGET (mt_data_page_get_grid (mt_window_get_data_page (window))));
  g_test_message ("%u columns read and painted in %.2f s", n_columns,
                  (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC);
  mt_app_settle (1000);
  mt_heartbeat_stop (heart, "load wide", MT_HEARTBEAT_LIMIT);
  heart = mt_heartbeat_start ();
  scroll (window);
  mt_heartbeat_stop (heart, "scroll wide", MT_HEARTBEAT_LIMIT);
  heart = mt_heartbeat_start ();
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_TARGET);
  mt_app_settle (500);
  show_page (window, "model");
  mt_heartbeat_stop (heart, "choose a target, wide", MT_HEARTBEAT_LIMIT);
  mt_app_window_end (window);
}

static void
test_train (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  GtkWidget *plot;
  MtHeartbeat *heart;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  mt_app_settle (300);
  heart = mt_heartbeat_start ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (is_trained, window);
  mt_heartbeat_stop (heart, "train", MT_HEARTBEAT_LIMIT);
  mt_app_settle (300);
  heart = mt_heartbeat_start ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (600);
  mt_heartbeat_stop (heart, "show the frontier", MT_HEARTBEAT_LIMIT);
  plot = mt_app_find (GTK_WIDGET (window), MT_TYPE_PLOT_VIEW, NULL);
  gtk_widget_activate_action (plot, "plot.end", "b", TRUE);
  heart = mt_heartbeat_start ();
  for (guint i = 0; i < 12; i++)
    {
      gtk_widget_activate_action (plot, "plot.walk", "i", MT_PLOT_RIGHT);
      gtk_widget_activate_action (plot, i % 2 == 0 ? "plot.zoom-in" : "plot.pin", NULL);
      mt_app_settle (40);
    }
  mt_heartbeat_stop (heart, "walk, zoom and pin", MT_HEARTBEAT_LIMIT);
  mt_app_window_end (window);
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static gboolean
is_exported (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

static gboolean
is_reported (gpointer page)
{
  return !mt_report_page_is_busy (page);
}

/* As often as a person who goes to and fro would, and one save while another is at work. */
static void
save_often (MtWindow *window)
{
  MtDocument *document = mt_window_get_document (window);
  MtHeartbeat *heart = mt_heartbeat_start ();

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("saved-%u.minterm", i % 3);
      g_autoptr (GFile) file = mt_app_write (name, "");

      g_file_delete (file, NULL, NULL);
      mt_window_save_as (window, file);
      mt_document_set_role (document, 1, i % 2 == 0 ? MT_ROLE_IGNORED : MT_ROLE_FEATURE);
      mt_app_settle (30);
      mt_document_set_role (document, 2, i % 2 == 0 ? MT_ROLE_IGNORED : MT_ROLE_FEATURE);
      mt_app_wait (is_saved, window);
    }
  mt_heartbeat_stop (heart, "save", MT_HEARTBEAT_LIMIT);
}

static void
on_plot_written (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GError) error = NULL;

  mt_frontier_export_finish (result, &error);
  g_assert_no_error (error);
  ++*(guint *) data;
}

static gboolean
are_written (gpointer n_written)
{
  return *(guint *) n_written == 4;
}

static void
export_plot (MtWindow *window)
{
  static const char * const names[] = { "plot.svg", "plot.png", "plot.pdf", "plot.csv" };
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL);
  guint n_written = 0;
  MtHeartbeat *heart;

  show_page (window, "frontier");
  mt_app_settle (1000);
  heart = mt_heartbeat_start ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = mt_app_write (names[i], "");

      mt_frontier_page_export_async (MT_FRONTIER_PAGE (page), g_file_peek_path (file), NULL, on_plot_written,
                                     &n_written);
    }
  mt_app_wait (are_written, &n_written);
  mt_heartbeat_stop (heart, "export the plot", MT_HEARTBEAT_LIMIT);
}

static void
export_all (MtWindow *window)
{
  MtReportPage *page = MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));
  MtHeartbeat *heart = mt_heartbeat_start ();
  MtExportDialog *dialog;

  dialog = mt_app_open_export (window);
  for (guint format = 0; format < MT_N_EXPORT_FORMATS; format++)
    {
      g_autoptr (GFile) file = mt_app_write (mt_export_format_to_string (format), "");

      mt_export_dialog_set_format (dialog, format, MT_SQL_SQLITE);
      mt_export_dialog_save (dialog, file);
      mt_app_wait (is_exported, dialog);
    }
  gtk_window_close (GTK_WINDOW (dialog));
  mt_heartbeat_stop (heart, "export the model", MT_HEARTBEAT_LIMIT);

  show_page (window, "report");
  mt_app_wait (is_reported, page);
  heart = mt_heartbeat_start ();
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GFile) file = mt_app_write (i == 0 ? "report.pdf" : "report.html", "");

      mt_report_page_save (page, file);
      mt_app_wait (is_reported, page);
    }
  mt_heartbeat_stop (heart, "export the report", MT_HEARTBEAT_LIMIT);
}

static void
test_save_and_export (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-sample", "s", "loan-approval");
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (is_trained, window);
  mt_app_settle (1500);   /* the pages are warm */
  save_often (window);
  export_plot (window);
  export_all (window);
  mt_app_window_end (window);
}

/* A column of five thousand levels: training waits for its literals. */
static gboolean
has_begun (gpointer window)
{
  MtRun *run = mt_study_get_current (mt_window_get_study (window));

  return run != NULL && mt_run_get_progress (run)->phase != MT_RUN_PHASE_ENCODE;
}

static double
all_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
test_levels (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  g_autoptr (GString) text = g_string_new ("place,amount,answer");
  g_autoptr (GFile) file = NULL;
  MtHeartbeat *heart;
  gint64 begun;
  double work;

  for (guint row = 0; row < 25000; row++)
    g_string_append_printf (text, "\np%u,%u,%s", row * 7919 % 5000, row * 31 % 997, row % 7 < 3 ? "yes" : "no");
  file = mt_app_write ("levels.csv", text->str);
  mt_app_settle (1500);   /* the pages are warm */
  heart = mt_heartbeat_start ();
  mt_window_open (window, file);
  mt_app_wait_idle (window);
  mt_app_settle (500);
  mt_document_set_type (mt_window_get_document (window), 0, MT_TYPE_CATEGORY);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_TARGET);
  mt_app_wait_idle (window);
  mt_app_settle (500);
  begun = g_get_monotonic_time ();
  work = all_work ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait (has_begun, window);
  work = all_work () - work;
  g_test_message ("5000 levels: training starts after %.2f s, %.2f s of work",
                  (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC, work);
  if (g_test_slow ())
    g_assert_cmpfloat (work, <, 1);
  mt_app_settle (1000);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait (is_trained, window);
  mt_heartbeat_stop (heart, "5000 values", MT_HEARTBEAT_LIMIT);
  mt_app_window_end (window);
}

/* A main loop that is kept waiting, and does nothing meanwhile, is found out. */
static void
wait_for_nothing (void)
{
  MtHeartbeat *heart = mt_heartbeat_start ();

  mt_app_settle (50);
  g_usleep (MT_HEARTBEAT_LIMIT * 1500);
  mt_app_settle (50);
  mt_heartbeat_stop (heart, "wait for nothing", MT_HEARTBEAT_LIMIT);
}

static void
test_judge (void)
{
  if (!g_test_slow ())
    {
      g_test_skip ("only the long form judges");
      return;
    }
  if (g_test_subprocess ())
    {
      wait_for_nothing ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
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
  work = mt_heartbeat_get_work ();
  window = mt_app_window_new (1280, 860);
  ours = (double) (g_get_monotonic_time () - begun) / 1000 + time_first_frame (GTK_WINDOW (window));
  work = mt_heartbeat_get_work () - work;
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
  g_test_add_func ("/app/responsive/judge", test_judge);
  g_test_add_func ("/app/responsive/first-frame", test_first_frame);
  g_test_add_func ("/app/responsive/load-and-scroll", test_load_and_scroll);
  g_test_add_func ("/app/responsive/wide", test_wide);
  g_test_add_func ("/app/responsive/train", test_train);
  g_test_add_func ("/app/responsive/save-and-export", test_save_and_export);
  g_test_add_func ("/app/responsive/levels", test_levels);
  return g_test_run ();
}
