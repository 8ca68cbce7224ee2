/* Which run a colour and shape of the frontier stand for. See mt-frontier-legend.h. */
#include "config.h"
#include "mt-frontier-legend.h"

#include <glib/gi18n.h>

#include "document/mt-run-words.h"
#include "study/mt-frontier-item.h"
#include "widgets/mt-series-mark.h"
#include "study/mt-run.h"

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

/* A run that the legend may name. */
typedef struct {
  guint                series;
  const MtRunSettings *settings;
  gboolean             leads;     /* no model beats one of its own */
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
      own = (Named) { mt_run_get_series (run), mt_run_get_settings (run), leads };
      while (k < named->len && g_array_index (named, Named, k).series != own.series)
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

/* How many seeds the points on show of a colour and shape were learnt with. */
static guint
count_seeds (GListModel *points,
             guint       series)
{
  g_autoptr (GHashTable) seeds = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      MtRun *run = mt_frontier_item_get_run (item);

      if (run != NULL && mt_run_get_series (run) == series && !mt_frontier_item_is_apart (item))
        g_hash_table_add (seeds, GUINT_TO_POINTER (mt_run_get_settings (run)->seed));
    }
  return g_hash_table_size (seeds);
}

/* After so many runs colours and shapes come again. */
static gboolean
is_unmistakable (GArray *named,
                 guint   index)
{
  for (guint k = 0; k < named->len; k++)
    if (k != index && g_array_index (named, Named, k).series % MT_PLOT_N_MARKS ==
                      g_array_index (named, Named, index).series % MT_PLOT_N_MARKS)
      return FALSE;
  return TRUE;
}

void
mt_frontier_legend_show (GtkFlowBox *legend,
                         GListModel *points)
{
  gboolean edited = FALSE, apart = FALSE;
  g_autoptr (GArray) named = list_named (points, &edited, &apart);
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();
  GtkWidget *child;
  guint n = 0;

  g_return_if_fail (GTK_IS_FLOW_BOX (legend) && G_IS_LIST_MODEL (points));

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (legend))) != NULL)
    gtk_flow_box_remove (legend, child);
  for (guint k = 0; k < named->len; k++)
    g_ptr_array_add (settings, (gpointer) g_array_index (named, Named, k).settings);
  for (guint k = 0; k < named->len && n < LEGEND; k++)
    {
      g_autofree char *text = mt_run_settings_tell_apart (settings->pdata[k],
                                                          (const MtRunSettings * const *) settings->pdata,
                                                          settings->len,
                                                          count_seeds (points, g_array_index (named, Named, k).series));

      if (!is_unmistakable (named, k))
        continue;
      gtk_flow_box_append (legend, legend_entry_new (g_array_index (named, Named, k).series, text));
      n++;
    }
  if (edited)
    gtk_flow_box_append (legend, legend_entry_new (MT_PLOT_SERIES_EDITED, _("Edited model")));
  if (apart)
    gtk_flow_box_append (legend, legend_entry_new (MT_PLOT_SERIES_APART, _("Earlier data")));
  if (n < named->len)
    {
      g_autofree char *more = g_strdup_printf (ngettext ("and %u more: hover over a point to see its run",
                                                         "and %u more: hover over a point to see its run", named->len - n),
                                               named->len - n);
      GtkWidget *label = gtk_label_new (more);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_flow_box_append (legend, label);
    }
  gtk_widget_set_visible (GTK_WIDGET (legend), named->len > 1 || edited || apart);
}
