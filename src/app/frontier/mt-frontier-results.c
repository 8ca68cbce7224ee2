/* Results of other methods on the Frontier page: a team's own baselines, or the files of bench/peers. They are a note of the
 * document, so that the project keeps them and Undo takes them back. A result is a hollow mark in the plot; one without
 * literals, or with so many that the models would be squeezed together, is a line like a baseline. */
#include "config.h"
#include "mt-frontier-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"
#include "widgets/mt-series-mark.h"

#define FAR 10   /* times as many literals as the largest model: a line */

gboolean
_mt_frontier_page_read_results (MtFrontierPage *self)
{
  const char *text = mt_document_get_note (self->document, MT_NOTE_RESULTS);
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (text, self->results_text) == 0)
    return FALSE;
  g_clear_pointer (&self->results, g_ptr_array_unref);
  g_free (self->results_text);
  self->results_text = g_strdup (text);
  /* A project that another program wrote into may hold anything: what is no list of results is none. */
  if (text != NULL)
    self->results = mt_results_from_text (text, -1, &error);
  if (error != NULL)
    g_info ("imported results of the project: %s", error->message);
  return TRUE;
}

static guint
n_results (MtFrontierPage *self)
{
  return self->results != NULL ? self->results->len : 0;
}

/* The literals from which on a result is a line. */
static double
most_literals (MtFrontierPage *self)
{
  GListModel *points = mt_study_get_points (self->study);
  guint most = 50;

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      most = MAX (most, mt_frontier_item_get_point (item)->complexity);
    }
  return (double) FAR * most;
}

static gboolean
is_line (const MtResult *result,
         double          most)
{
  return isnan (result->literals) || result->literals > most;
}

/* The methods in the order of the file: each has one color and shape. */
static GPtrArray *
list_methods (MtFrontierPage *self)
{
  GPtrArray *methods = g_ptr_array_new ();

  for (guint i = 0; i < n_results (self); i++)
    {
      const MtResult *result = self->results->pdata[i];

      if (!g_ptr_array_find_with_equal_func (methods, result->method, g_str_equal, NULL))
        g_ptr_array_add (methods, result->method);
    }
  return methods;
}

static guint
series_of (GPtrArray  *methods,
           const char *method)
{
  guint index = 0;

  g_ptr_array_find_with_equal_func (methods, method, g_str_equal, &index);
  return MT_PLOT_SERIES_OTHER | index;
}

/* --- the list --- */

/* "0.931 ± 0.004 · literals: 12", or of several sizes from where to where. */
static char *
describe_method (MtFrontierPage *self,
                 const char     *method)
{
  const MtResult *best = NULL;
  double fewest = INFINITY, most = 0;
  guint n = 0;
  g_autofree char *mean = NULL;
  g_autofree char *score = NULL;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  for (guint i = 0; i < n_results (self); i++)
    {
      const MtResult *result = self->results->pdata[i];

      if (!g_str_equal (result->method, method))
        continue;
      if (best == NULL || result->score > best->score)
        best = result;
      fewest = fmin (fewest, result->literals);
      most = fmax (most, result->literals);
      n++;
    }
  g_return_val_if_fail (best != NULL, NULL);
  mean = mt_format_fixed (best->score, 3);
  score = mt_format_with_error (mean, best->error);
  if (!isfinite (fewest))
    return g_steal_pointer (&score);
  low = mt_format_fixed (fewest, fewest == floor (fewest) ? 0 : 1);
  high = mt_format_fixed (most, most == floor (most) ? 0 : 1);
  if (fewest == most)
    /* Translators: a score, a number of literals, which may be a mean such as 12.4 */
    return g_strdup_printf (_("%s · literals: %s"), score, low);
  /* Translators: number of results, their best score, the fewest and the most literals */
  return g_strdup_printf (ngettext ("best of %u: %s · literals: %s–%s", "best of %u: %s · literals: %s–%s", n), n, score, low, high);
}

static gboolean
has_mark (MtFrontierPage *self,
          const char     *method,
          double          most)
{
  for (guint i = 0; i < n_results (self); i++)
    {
      const MtResult *result = self->results->pdata[i];

      if (g_str_equal (result->method, method) && !is_line (result, most))
        return TRUE;
    }
  return FALSE;
}

static GtkWidget *
method_row_new (MtFrontierPage *self,
                const char     *method,
                guint           series,
                gboolean        marked)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *mark = mt_series_mark_new ();
  g_autofree char *text = describe_method (self, method);
  GtkWidget *name = gtk_label_new (method), *value = gtk_label_new (text);

  mt_series_mark_show (MT_SERIES_MARK (mark), series, FALSE);
  gtk_widget_set_opacity (mark, marked ? 1 : 0);   /* a line: the names stay in one column */
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  mt_theme_read_forwards (GTK_LABEL (value));
  gtk_widget_set_tooltip_text (name, method);
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_add_css_class (value, "caption");
  gtk_widget_add_css_class (value, "dim-label");
  gtk_widget_add_css_class (box, "benchmark");
  gtk_box_append (GTK_BOX (words), name);
  gtk_box_append (GTK_BOX (words), value);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

/* --- the plot --- */

void
_mt_frontier_page_show_results (MtFrontierPage *self)
{
  g_autoptr (GPtrArray) methods = list_methods (self);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  double most = most_literals (self);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->results_list))) != NULL)
    gtk_list_box_remove (self->results_list, row);
  for (guint i = 0; i < methods->len; i++)
    gtk_list_box_append (self->results_list, method_row_new (self, methods->pdata[i], MT_PLOT_SERIES_OTHER | i,
                                                             has_mark (self, methods->pdata[i], most)));
  gtk_widget_set_visible (self->results_group, methods->len > 0);
  for (guint i = 0; i < n_results (self); i++)
    {
      const MtResult *result = self->results->pdata[i];
      const MtPlotPoint point = { result->literals, result->score, result->error, series_of (methods, result->method) };

      if (is_line (result, most))
        continue;
      g_array_append_val (points, point);
      g_ptr_array_add (names, result->method);
    }
  mt_plot_view_set_others (self->plot, (const MtPlotPoint *) (const void *) points->data,
                           (const char * const *) names->pdata, points->len);
}

void
_mt_frontier_page_add_result_lines (MtFrontierPage *self,
                                    GArray         *lines,
                                    GPtrArray      *labels)
{
  double most = most_literals (self);

  for (guint i = 0; i < n_results (self); i++)
    {
      const MtResult *result = self->results->pdata[i];
      g_autofree char *number = mt_format_fixed (result->score, 3);
      char *label;

      if (!is_line (result, most))
        continue;
      label = g_strdup_printf ("%s %s", result->method, number);
      g_ptr_array_add (labels, label);
      g_array_append_vals (lines, &(MtPlotBenchmark) { result->score, label, FALSE }, 1);
    }
}

void
_mt_frontier_page_add_result_legend (MtFrontierPage *self,
                                     GArray         *legend)
{
  g_autoptr (GPtrArray) methods = list_methods (self);
  GListModel *points = mt_study_get_points (self->study);
  double most = most_literals (self);

  if (methods->len > 0 && legend->len == 0 && g_list_model_get_n_items (points) > 0)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, 0);

      g_array_append_vals (legend, &(MtPlotLegendEntry) { mt_frontier_item_get_mark (item), g_strdup (_("Models")) }, 1);
    }
  for (guint i = 0; i < methods->len; i++)
    if (has_mark (self, methods->pdata[i], most))
      g_array_append_vals (legend, &(MtPlotLegendEntry) { MT_PLOT_SERIES_OTHER | i, g_strdup (methods->pdata[i]) }, 1);
}
