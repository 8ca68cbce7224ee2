/* Which run a colour and shape of the frontier stand for. See mt-frontier-legend.h. */
#include "config.h"
#include "mt-frontier-legend.h"

#include <glib/gi18n.h>

#include "document/mt-run-words.h"
#include "study/mt-frontier-item.h"
#include "study/mt-run-names.h"
#include "widgets/mt-series-mark.h"

#define LEGEND 8   /* runs named above the plot; the table has them all */

static GtkWidget *
legend_entry_new (guint       series,
                  const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *mark = mt_series_mark_new (), *label = gtk_label_new (text);

  mt_series_mark_show (MT_SERIES_MARK (mark), series, FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* A run that the legend may name, or the first of those that share a mark. */
typedef struct {
  guint    mark;
  MtRun   *run;
  gboolean leads;     /* no model beats one of its own */
} Named;

/* Of every colour and shape whose points are shown, those of the frontier first. */
static GArray *
list_named (GListModel *points,
            gboolean   *edited,
            gboolean   *apart)
{
  GArray *named = g_array_new (FALSE, FALSE, sizeof (Named));
  guint n_leading = 0;

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      MtRun *run = mt_frontier_item_get_run (item);
      gboolean leads = !mt_frontier_item_is_dominated (item);
      Named own;
      guint k = 0;

      *edited |= mt_frontier_item_get_history (item) != NULL;
      *apart |= mt_frontier_item_is_apart (item);
      if (run == NULL || mt_frontier_item_get_history (item) != NULL || mt_frontier_item_is_apart (item))
        continue;
      own = (Named) { mt_run_get_mark (run), run, leads };
      while (k < named->len && g_array_index (named, Named, k).mark != own.mark)
        k++;
      if (k < named->len && (!leads || k < n_leading))
        continue;
      if (k < named->len)
        g_array_remove_index (named, k);
      g_array_insert_val (named, leads ? n_leading : named->len, own);
      n_leading += leads;
    }
  return named;
}

/* How many seeds the points on show of a colour and shape were learned with, and in how many runs. */
static guint
count_seeds (GListModel *points,
             guint       mark,
             guint      *n_runs)
{
  g_autoptr (GHashTable) seeds = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) runs = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      MtRun *run = mt_frontier_item_get_run (item);

      if (run == NULL || mt_run_get_mark (run) != mark || mt_frontier_item_is_apart (item))
        continue;
      g_hash_table_add (seeds, GUINT_TO_POINTER (mt_run_get_settings (run)->seed));
      g_hash_table_add (runs, run);
    }
  *n_runs = g_hash_table_size (runs);
  return g_hash_table_size (seeds);
}

/* After so many runs colours and shapes come again. */
static gboolean
is_unmistakable (GArray *named,
                 guint   index)
{
  for (guint k = 0; k < named->len; k++)
    if (k != index && g_array_index (named, Named, k).mark % MT_PLOT_N_MARKS ==
                      g_array_index (named, Named, index).mark % MT_PLOT_N_MARKS)
      return FALSE;
  return TRUE;
}

static char *
describe (GListModel  *points,
          const Named *named,
          GPtrArray   *runs)
{
  guint n_runs, n_seeds = count_seeds (points, named->mark, &n_runs);

  if (!mt_run_is_marked_by_method (named->run))
    return mt_run_names_tell_apart (named->run, (MtRun * const *) runs->pdata, runs->len, n_seeds);
  /* Translators: a method, "Search only", and how many runs used it */
  return g_strdup_printf (ngettext ("%s · %u run", "%s · %u runs", n_runs),
                          mt_run_settings_get_method (mt_run_get_settings (named->run)), n_runs);
}

static void
add_entry (GArray *entries,
           guint   series,
           char   *label)
{
  const MtPlotLegendEntry entry = { series, label };

  g_array_append_val (entries, entry);
}

static void
clear_entry (gpointer data)
{
  g_free ((char *) ((MtPlotLegendEntry *) data)->label);
}

GArray *
mt_frontier_legend_list (GListModel *points,
                         guint      *n_left_out)
{
  gboolean edited = FALSE, apart = FALSE;
  g_autoptr (GArray) named = list_named (points, &edited, &apart);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (MtPlotLegendEntry));
  guint n = 0;

  g_return_val_if_fail (G_IS_LIST_MODEL (points) && n_left_out != NULL, NULL);

  g_array_set_clear_func (entries, clear_entry);
  *n_left_out = 0;
  if (named->len <= 1 && !edited && !apart)
    return entries;
  for (guint k = 0; k < named->len; k++)
    g_ptr_array_add (runs, g_array_index (named, Named, k).run);
  for (guint k = 0; k < named->len && n < LEGEND; k++)
    if (is_unmistakable (named, k))
      {
        const Named *own = &g_array_index (named, Named, k);

        add_entry (entries, own->mark, describe (points, own, runs));
        n++;
      }
  if (edited)
    add_entry (entries, MT_PLOT_SERIES_EDITED, g_strdup (_("Edited model")));
  if (apart)
    add_entry (entries, MT_PLOT_SERIES_APART, g_strdup (_("Earlier data")));
  *n_left_out = named->len - n;
  return entries;
}

void
mt_frontier_legend_show (GtkFlowBox   *legend,
                         const GArray *entries,
                         guint         n_left_out)
{
  GtkWidget *child;

  g_return_if_fail (GTK_IS_FLOW_BOX (legend) && entries != NULL);

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (legend))) != NULL)
    gtk_flow_box_remove (legend, child);
  for (guint i = 0; i < entries->len; i++)
    {
      const MtPlotLegendEntry *entry = &g_array_index (entries, MtPlotLegendEntry, i);

      gtk_flow_box_append (legend, legend_entry_new (entry->series, entry->label));
    }
  if (n_left_out > 0)
    {
      g_autofree char *more = g_strdup_printf (ngettext ("and %u more: hover over a point to see its run",
                                                         "and %u more: hover over a point to see its run", n_left_out),
                                               n_left_out);
      GtkWidget *label = gtk_label_new (more);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_flow_box_append (legend, label);
    }
  gtk_widget_set_visible (GTK_WIDGET (legend), entries->len > 0);
}
