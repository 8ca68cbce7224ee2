/* Quality and score drift over time on the Quality page. See mt-over-time-card.h. */
#include "config.h"
#include "mt-over-time-card.h"

#include <glib/gi18n.h>
#include <math.h>

#include "study/mt-performance-operation.h"
#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-theme.h"
#include "widgets/mt-chart-view.h"
#include "widgets/mt-flow-layout.h"
#include "widgets/mt-label-line.h"

struct _MtOverTimeCard {
  AdwBin        parent_instance;

  GtkSpinner   *spinner;
  GtkLabel     *about;
  GtkWidget    *charts;
  MtChartView  *views[MT_N_TIME_CHARTS];
  GtkBox       *table;

  char         *column;         /* its name */
  MtOverTime   *over_time;      /* NULL: still to come */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (MtOverTimeCard, mt_over_time_card, ADW_TYPE_BIN)

/* --- the table --- */

static void
add_cell (GtkGrid    *grid,
          int         column,
          int         row,
          const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column > 0 ? 1 : 0);
  if (row == 0)
    {
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_widget_add_css_class (label, "dim-label");
    }
  else
    {
      gtk_widget_add_css_class (label, "numeric");
      mt_theme_read_forwards (GTK_LABEL (label));
      gtk_label_set_xalign (GTK_LABEL (label), column > 0 ? 1 : 0);
    }
  gtk_grid_attach (grid, label, column, row, 1, 1);
}

static void
add_number (GtkGrid *grid,
            int      column,
            int      row,
            double   value,
            guint    digits)
{
  g_autofree char *text = isfinite (value) ? digits > 0 ? mt_format_fixed (value, digits) : mt_format_short (value)
                                           : g_strdup ("–");

  add_cell (grid, column, row, text);
}

static char *
dup_interval (MtMetric          metric,
              const MtInterval *interval)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!isfinite (interval->low) || interval->n_resamples == 0)
    return g_strdup ("–");
  low = mt_format_quality (metric, interval->low);
  high = mt_format_quality (metric, interval->high);
  return g_strdup_printf ("%s – %s", low, high);
}

static GtkWidget *
make_table (const MtOverTime *over_time)
{
  const char *heads[] = {
    _("Period"), _("Rows"), mt_format_metric_name (over_time->metric),
    /* xgettext:no-c-format */
    _("95% interval"), _("Mean predicted"), _("Mean true"), _("Score drift"),
  };
  GtkWidget *grid = gtk_grid_new (), *scrolled = gtk_scrolled_window_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_bottom (grid, 6);     /* the scroll bar is over it */
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    add_cell (GTK_GRID (grid), (int) i, 0, heads[i]);
  for (guint i = 0; i < over_time->parts->len; i++)
    {
      const MtTimePart *part = &g_array_index (over_time->parts, MtTimePart, i);
      g_autofree char *rows = mt_format_count (part->n_rows);
      g_autofree char *quality = isfinite (part->quality.value) ? mt_format_quality (over_time->metric, part->quality.value)
                                                                : g_strdup ("–");
      g_autofree char *interval = dup_interval (over_time->metric, &part->quality);
      /* Translators: of a number of rows that is too small to rely on */
      g_autofree char *flagged = part->n_rows < MT_SUBGROUP_SMALL ? g_strdup_printf (_("%s (few)"), rows) : g_strdup (rows);
      int row = 1 + (int) i;

      add_cell (GTK_GRID (grid), 0, row, part->name);
      add_cell (GTK_GRID (grid), 1, row, flagged);
      add_cell (GTK_GRID (grid), 2, row, quality);
      add_cell (GTK_GRID (grid), 3, row, interval);
      add_number (GTK_GRID (grid), 4, row, part->predicted, over_time->metric == MT_METRIC_AUC ? 3 : 0);
      add_number (GTK_GRID (grid), 5, row, part->observed, over_time->metric == MT_METRIC_AUC ? 3 : 0);
      add_number (GTK_GRID (grid), 6, row, part->drift, 3);
    }
  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Figures by period"), -1);
  return scrolled;
}

/* --- showing --- */

static char *
dup_about (const MtOverTimeCard *self)
{
  const char *name = self->column;
  g_autofree char *left = mt_format_count (self->over_time->n_left_out);
  g_autofree char *about = NULL;

  switch (self->over_time->period)
    {
    case MT_PERIOD_MONTH:
      about = g_strdup_printf (_("The rows, by month of “%s”."), name);
      break;
    case MT_PERIOD_QUARTER:
      about = g_strdup_printf (_("The rows, by quarter of “%s”."), name);
      break;
    case MT_PERIOD_YEAR:
      about = g_strdup_printf (_("The rows, by year of “%s”."), name);
      break;
    case MT_PERIOD_PART:
    case MT_N_PERIODS:
    default:
      about = g_strdup_printf (_("The rows, in ten parts ordered by “%s”."), name);
      break;
    }
  if (self->over_time->n_left_out > 0)
    {
      g_autofree char *rest = g_strdup_printf (ngettext ("%s row has no value in this column and is left out.",
                                                         "%s rows have no value in this column and are left out.",
                                                         self->over_time->n_left_out), left);
      char *both = g_strdup_printf ("%s %s", about, rest);

      g_free (about);
      about = both;
    }
  if (self->over_time->parts->len < 2)
    return g_strdup_printf ("%s %s", about, _("All of these rows are in one period, so there is nothing to "
                                              "compare."));
  return g_strdup_printf ("%s %s", about, _("Score drift is the population stability index, which compares the "
                                            "scores of a period with those of all these rows: 0.1 or more is some "
                                            "drift, 0.25 or more is a lot. Expect large values in periods with few "
                                            "rows."));
}

static void
clear_table (MtOverTimeCard *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->table))) != NULL)
    gtk_box_remove (self->table, child);
}

static void
show_found (MtOverTimeCard *self)
{
  g_autofree char *about = dup_about (self);
  gboolean has_charts = self->over_time->parts->len > 1;
  const char *spoken[] = { _("Quality by period; the table below has the same figures"),
                           _("Mean prediction and mean true value by period; the table below has the same figures"),
                           _("Drift of the score by period; the table below has the same figures") };

  gtk_label_set_label (self->about, about);
  gtk_widget_set_visible (self->charts, has_charts);
  for (guint i = 0; i < MT_N_TIME_CHARTS && has_charts; i++)
    mt_chart_view_show (self->views[i], mt_over_time_make_chart (self->over_time, i, self->column), spoken[i]);
  clear_table (self);
  if (self->over_time->parts->len > 0)
    gtk_box_append (self->table, make_table (self->over_time));
}

static void
show_busy (MtOverTimeCard *self,
           gboolean        busy)
{
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

static void
on_found (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtOverTime) found = mt_performance_time_finish (result, &error);
  MtOverTimeCard *self = MT_OVER_TIME_CARD (source);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  show_busy (self, FALSE);
  if (found == NULL)
    {
      gtk_label_set_label (self->about, error->message);
      return;
    }
  self->over_time = g_steal_pointer (&found);
  show_found (self);
}

static void
forget (MtOverTimeCard *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->over_time, mt_over_time_free);
  g_clear_pointer (&self->column, g_free);
}

void
mt_over_time_card_show (MtOverTimeCard *self,
                        MtPerformance  *performance,
                        MtTable        *table)
{
  const MtColumn *column = performance != NULL ? mt_over_time_find_column (table) : NULL;

  g_return_if_fail (MT_IS_OVER_TIME_CARD (self));

  forget (self);
  gtk_widget_set_visible (GTK_WIDGET (self), column != NULL);
  gtk_widget_set_visible (self->charts, FALSE);
  clear_table (self);
  gtk_label_set_label (self->about, "");
  show_busy (self, column != NULL);
  if (column == NULL)
    return;
  self->column = g_strdup (mt_column_get_name (column));
  self->cancellable = g_cancellable_new ();
  mt_performance_time_async (self, performance, table, column, self->cancellable, on_found);
}

gboolean
mt_over_time_card_is_busy (MtOverTimeCard *self)
{
  return gtk_spinner_get_spinning (self->spinner);
}

const MtOverTime *
mt_over_time_card_get (MtOverTimeCard *self)
{
  return self->over_time;
}

/* --- object --- */

static void
mt_over_time_card_dispose (GObject *object)
{
  forget (MT_OVER_TIME_CARD (object));
  G_OBJECT_CLASS (mt_over_time_card_parent_class)->dispose (object);
}

static void
mt_over_time_card_class_init (MtOverTimeCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_over_time_card_dispose;
}

static void
mt_over_time_card_init (MtOverTimeCard *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12)), *head = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12));

  gtk_widget_set_hexpand (GTK_WIDGET (mt_label_line_add (head, _("Over Time"), "heading")), TRUE);
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_box_append (head, GTK_WIDGET (self->spinner));
  gtk_box_append (box, GTK_WIDGET (head));
  self->about = mt_label_line_add (box, NULL, "dim-label");
  self->charts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->charts, g_object_new (MT_TYPE_FLOW_LAYOUT, "gap", 12, "even", TRUE, "roomy", TRUE, NULL));
  for (guint i = 0; i < MT_N_TIME_CHARTS; i++)
    {
      self->views[i] = MT_CHART_VIEW (mt_chart_view_new ());
      gtk_widget_set_hexpand (GTK_WIDGET (self->views[i]), TRUE);
      gtk_box_append (GTK_BOX (self->charts), GTK_WIDGET (self->views[i]));
    }
  gtk_box_append (box, self->charts);
  self->table = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (box, GTK_WIDGET (self->table));
  gtk_widget_add_css_class (GTK_WIDGET (box), "card");
  gtk_widget_add_css_class (GTK_WIDGET (box), "figurecard");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (box));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
mt_over_time_card_new (void)
{
  return g_object_new (MT_TYPE_OVER_TIME_CARD, NULL);
}
