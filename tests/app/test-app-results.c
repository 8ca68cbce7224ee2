/* Results of other methods on the Frontier page: the files that bench/peers writes, shown, kept, taken back, refused. */
#include "config.h"

#include "apputils.h"
#include "frontier/mt-frontier-page.h"
#include "frontier/mt-plot-view.h"

#define TITLE "Results Not Imported"

/* As peers_page.write_csv: several sizes of a method, one that is far larger, one without literals. */
static const char peers[] =
  "method,literals,score,error\n"
  "Minterm,6,0.9,0.01\nMinterm,20,0.92,0.01\n"
  "\"Logistic or linear regression (L1)\",4.6,0.81,0.02\n\"Logistic or linear regression (L1)\",9,0.84,0.02\n"
  "FIGS,6.2,0.88,\nEBM with pairs,14210,0.93,0.01\nLightGBM,,0.94,0.01\n";

static MtPlotView *
plot_of (MtWindow *window)
{
  return MT_PLOT_VIEW (mt_app_find (GTK_WIDGET (window), MT_TYPE_PLOT_VIEW, NULL));
}

/* Marks in the plot besides those of the models. */
static guint
count_others (MtWindow *window)
{
  const MtPlotLayout *layout = mt_plot_view_get_layout (plot_of (window));
  guint n = 0;

  for (guint i = 0; layout != NULL && i < layout->n_marks; i++)
    n += layout->marks[i].series != MT_PLOT_SERIES_EDITED && (layout->marks[i].series & MT_PLOT_SERIES_OTHER) != 0;
  return n;
}

static gboolean
has_others (gpointer window)
{
  return count_others (window) > 0;
}

static gboolean
has_no_others (gpointer window)
{
  return count_others (window) == 0;
}

static gboolean
is_shown (gpointer window)
{
  const MtPlotLayout *layout = mt_plot_view_get_layout (plot_of (window));

  return layout != NULL && layout->n_marks > 0;
}

/* The baselines, which are lines as well, are there. */
static gboolean
has_benchmarks (gpointer window)
{
  GtkWidget *page = mt_app_find (window, MT_TYPE_FRONTIER_PAGE, NULL);

  return mt_benchmarks_get (mt_frontier_page_get_benchmarks (MT_FRONTIER_PAGE (page))) != NULL;
}

static MtWindow *
open_trained (void)
{
  MtWindow *window = mt_app_window_new (1100, 760);

  mt_app_open_trained (window, "frontier-level");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_wait (is_shown, window);
  mt_app_wait (has_benchmarks, window);
  mt_app_wait_painted (GTK_WIDGET (plot_of (window)));
  return window;
}

static void
import (MtWindow   *window,
        const char *text)
{
  g_autoptr (GFile) file = mt_app_write ("results.csv", text);

  mt_window_import_results (window, file);
}

static gboolean
is_listed (MtWindow   *window,
           const char *text)
{
  GtkWidget *label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, text);

  return label != NULL && gtk_widget_get_mapped (label);
}

/* Marks for what has few literals, lines for the rest, each method in the list; undone and done again. */
static void
test_peers (void)
{
  MtWindow *window = open_trained ();
  guint n_lines = mt_plot_view_get_layout (plot_of (window))->benchmarks->len;

  g_assert_cmpuint (count_others (window), ==, 0);
  import (window, peers);
  mt_app_wait (has_others, window);
  mt_app_wait_painted (GTK_WIDGET (plot_of (window)));
  g_assert_cmpuint (count_others (window), ==, 5);
  g_assert_cmpuint (mt_plot_view_get_layout (plot_of (window))->benchmarks->len, ==, n_lines + 2);
  g_assert_true (is_listed (window, "Logistic or linear regression (L1)"));
  g_assert_true (is_listed (window, "best of 2: 0.840 ± 0.020 · literals: 4.6–9"));
  g_assert_true (is_listed (window, "0.930 ± 0.010 · literals: 14,210") || is_listed (window, "0.930 ± 0.010 · literals: 14210"));
  g_assert_true (is_listed (window, "LightGBM"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  mt_app_wait (has_no_others, window);
  g_assert_false (is_listed (window, "LightGBM"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.redo", NULL);
  mt_app_wait (has_others, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.remove-results", NULL);
  mt_app_wait (has_no_others, window);
  mt_app_window_end (window);
}

/* A wrong file is told about with its line, and what was there stays. */
static void
test_refused (void)
{
  MtWindow *window = open_trained ();

  import (window, peers);
  mt_app_wait (has_others, window);
  import (window, "method,literals,score\nFIGS,6,good\n");
  mt_app_wait_asked (window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (mt_app_find_question (window)), GTK_TYPE_LABEL, TITLE));
  mt_app_answer (window, "close");
  g_assert_cmpuint (count_others (window), ==, 5);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/results/peers", test_peers);
  g_test_add_func ("/app/results/refused", test_refused);
  return g_test_run ();
}
