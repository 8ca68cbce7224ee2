/* The figures of the Quality page as tables. See mt-performance-tables.h. */
#include "config.h"
#include "mt-performance-tables.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-theme.h"

#define N_BINS    10
#define MOST_CHARS 30     /* of a class's name */

/* --- a table --- */

typedef struct {
  GtkGrid *grid;
  int      column, row;
} Table;

static void
add_label (Table      *table,
           const char *text,
           gboolean    is_head,
           gboolean    is_number)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), is_number ? 1 : 0);
  if (g_utf8_strlen (text, -1) > MOST_CHARS)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), MOST_CHARS);
      gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
      gtk_widget_set_tooltip_text (label, text);
    }
  if (is_number)
    {
      gtk_widget_add_css_class (label, "numeric");
      if (!is_head)
        mt_theme_read_forwards (GTK_LABEL (label));
      gtk_label_set_xalign (GTK_LABEL (label), 1);
    }
  if (is_head)
    {
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_widget_add_css_class (label, "dim-label");
    }
  gtk_grid_attach (table->grid, label, table->column++, table->row, 1, 1);
}

static void
add_number (Table *table,
            char  *text)      /* taken */
{
  add_label (table, text, FALSE, TRUE);
  g_free (text);
}

static void
next_row (Table *table)
{
  table->column = 0;
  table->row++;
}

/* The first head is of names, the others of numbers. */
static Table
table_new (const char *first_head,
           ...) G_GNUC_NULL_TERMINATED;

static Table
table_new (const char *first_head,
           ...)
{
  Table table = { GTK_GRID (gtk_grid_new ()), 0, 0 };
  const char *head = first_head;
  va_list heads;

  gtk_grid_set_column_spacing (table.grid, 15);
  gtk_grid_set_row_spacing (table.grid, 6);
  va_start (heads, first_head);
  for (; head != NULL; head = va_arg (heads, const char *))
    add_label (&table, head, TRUE, table.column > 0);
  va_end (heads);
  next_row (&table);
  return table;
}

/* As wide as it likes: narrow places scroll it. */
static GtkWidget *
table_finish (Table      *table,
              const char *name)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_margin_bottom (GTK_WIDGET (table->grid), 6);     /* the scroll bar is over it */
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (table->grid));
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return scrolled;
}

static char *
dup_count (gsize n)
{
  return mt_format_count (n);
}

static char *
dup_share (gsize n,
           gsize of)
{
  return of > 0 ? mt_format_rate ((double) n / (double) of) : g_strdup ("–");
}

/* --- quality --- */

static char *
dup_interval (MtMetric          metric,
              const MtInterval *interval)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (interval == NULL)
    return g_strdup ("…");
  if (!isfinite (interval->low) || interval->n_resamples == 0)
    return g_strdup ("–");
  low = mt_format_quality (metric, interval->low);
  high = mt_format_quality (metric, interval->high);
  return g_strdup_printf ("%s – %s", low, high);
}

GtkWidget *
mt_performance_quality_new (const MtPerformance *performance,
                            const MtInterval    *intervals)
{
  Table table = table_new (_("Metric"), _("Value"), _("Interval (95%)"), NULL);

  for (guint m = 0; m < performance->how.n_metrics; m++)
    {
      MtMetric metric = performance->how.metrics[m];

      add_label (&table, mt_format_metric_name (metric), FALSE, FALSE);
      add_number (&table, isfinite (performance->metrics[m]) ? mt_format_quality (metric, performance->metrics[m])
                                                             : g_strdup ("–"));
      add_number (&table, dup_interval (metric, intervals != NULL ? &intervals[m] : NULL));
      next_row (&table);
    }
  return table_finish (&table, _("Metrics"));
}

/* --- decisions --- */

static gsize *
count_decisions (const MtPerformance *performance,
                 double               cutoff)
{
  guint n = performance->scored.n_classes;
  gsize *counts = g_new0 (gsize, (gsize) n * n);
  MtOutcomes at;

  if (n != 2)
    {
      mt_scored_count_decisions (&performance->scored, counts);
      return counts;
    }
  mt_ranking_count (performance->rankings[1], cutoff, &at);
  counts[0] = at.true_negative;
  counts[1] = at.false_positive;
  counts[2] = at.false_negative;
  counts[3] = at.true_positive;
  return counts;
}

GtkWidget *
mt_performance_confusion_new (const MtPerformance *performance,
                              const char * const  *classes,
                              double               cutoff)
{
  guint n = performance->scored.n_classes;
  g_autofree gsize *counts = count_decisions (performance, cutoff);
  Table table = table_new (_("True class"), NULL);

  table.row = 0;
  table.column = 1;
  for (guint c = 0; c < n; c++)
    {
      /* Translators: a column of a table: rows that are predicted to be of this class */
      g_autofree char *head = g_strdup_printf (_("Predicted “%s”"), classes[c]);

      add_label (&table, head, TRUE, TRUE);
    }
  add_label (&table, _("All"), TRUE, TRUE);
  next_row (&table);
  for (guint t = 0; t < n; t++)
    {
      gsize all = 0;

      add_label (&table, classes[t], FALSE, FALSE);
      for (guint c = 0; c < n; c++)
        {
          GtkWidget *label;

          add_number (&table, dup_count (counts[t * n + c]));
          label = gtk_grid_get_child_at (table.grid, table.column - 1, table.row);
          gtk_widget_add_css_class (label, t == c ? "heading" : "body");     /* right ones stand out */
          all += counts[t * n + c];
        }
      add_number (&table, dup_count (all));
      next_row (&table);
    }
  return table_finish (&table, _("Rows by true and predicted class"));
}

static void
add_rate (Table      *table,
          const char *name,
          gsize       n,
          gsize       of)
{
  double low, high;

  add_label (table, name, FALSE, FALSE);
  add_number (table, dup_share (n, of));
  if (of == 0)
    add_number (table, g_strdup ("–"));
  else
    {
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;

      mt_share_interval (n, of, &low, &high);
      from = mt_format_rate (low);
      to = mt_format_rate (high);
      add_number (table, g_strdup_printf ("%s – %s", from, to));
    }
  next_row (table);
}

static GtkWidget *
make_two_classes (const MtPerformance *performance,
                  const char * const  *classes,
                  double               cutoff)
{
  g_autofree char *predicted = g_strdup_printf (_("Predicted “%s”"), classes[1]);
  Table table = table_new (_("Share of rows"), _("Value"), _("Interval (95%)"), NULL);
  MtOutcomes at;

  mt_ranking_count (performance->rankings[1], cutoff, &at);
  add_rate (&table, predicted, at.true_positive + at.false_positive, performance->scored.n_rows);
  add_rate (&table, _("Recall"), at.true_positive, at.true_positive + at.false_negative);
  add_rate (&table, _("False positive rate"), at.false_positive, at.false_positive + at.true_negative);
  add_rate (&table, _("Precision"), at.true_positive, at.true_positive + at.false_positive);
  add_rate (&table, _("Accuracy"), at.true_positive + at.true_negative, performance->scored.n_rows);
  return table_finish (&table, _("Shares of rows at the cutoff"));
}

static GtkWidget *
make_each_class (const MtPerformance *performance,
                 const char * const  *classes)
{
  guint n = performance->scored.n_classes;
  g_autofree gsize *counts = count_decisions (performance, NAN);
  Table table = table_new (_("Class"), _("Rows"), _("AUC"), _("Recall"), _("Precision"), NULL);

  for (guint c = 0; c < n; c++)
    {
      double auc = mt_metric_auc (performance->predictions + c * performance->scored.n_rows, performance->classes, c,
                                  performance->scored.n_rows);
      gsize predicted = 0;

      for (guint t = 0; t < n; t++)
        predicted += counts[t * n + c];
      add_label (&table, classes[c], FALSE, FALSE);
      add_number (&table, dup_count (performance->n_by_class[c]));
      add_number (&table, isfinite (auc) ? mt_format_fixed (auc, 3) : g_strdup ("–"));
      add_number (&table, dup_share (counts[c * n + c], performance->n_by_class[c]));
      add_number (&table, dup_share (counts[c * n + c], predicted));
      next_row (&table);
    }
  return table_finish (&table, _("Each class against the others"));
}

GtkWidget *
mt_performance_rates_new (const MtPerformance *performance,
                          const char * const  *classes,
                          double               cutoff)
{
  return performance->scored.n_classes == 2 ? make_two_classes (performance, classes, cutoff)
                                            : make_each_class (performance, classes);
}

/* --- what the charts draw --- */

GtkWidget *
mt_performance_calibration_new (const MtPerformance *performance,
                                const char * const  *classes)
{
  guint n = performance->scored.n_classes, first = n == 2 ? 1 : 0;
  Table table = table_new (_("Class"), _("Probability"), _("Rows"), _("Mean predicted"), _("Observed"), NULL);

  for (guint c = first; c < n; c++)
    {
      MtCalibrationBin bins[N_BINS];
      guint n_bins = mt_metric_calibration (&performance->scored, c, N_BINS, bins, NULL);

      for (guint b = 0; b < n_bins; b++)
        {
          g_autofree char *from = mt_format_fixed (bins[b].from, 1);
          g_autofree char *to = mt_format_fixed (bins[b].to, 1);

          add_label (&table, classes[c], FALSE, FALSE);
          add_number (&table, g_strdup_printf ("%s – %s", from, to));
          add_number (&table, dup_count (bins[b].n_rows));
          add_number (&table, mt_format_fixed (bins[b].mean_predicted, 3));
          add_number (&table, mt_format_fixed (bins[b].observed, 3));
          next_row (&table);
        }
    }
  return table_finish (&table, _("Calibration"));
}

GtkWidget *
mt_performance_gain_new (const MtPerformance *performance,
                         const char * const  *classes)
{
  guint n = performance->scored.n_classes, first = n == 2 ? 1 : 0;
  Table table = table_new (_("Class"), _("Share of rows"), _("True positive rate"), _("Lift"), NULL);

  for (guint c = first; c < n; c++)
    for (guint tenth = 1; tenth <= 10 && performance->rankings[c]->n_hits > 0; tenth++)
      {
        const MtRanking *ranking = performance->rankings[c];
        gsize n_taken = ranking->n_rows * tenth / 10;
        double share;

        if (n_taken == 0)
          continue;
        share = mt_ranking_count_hits (ranking, n_taken) / (double) ranking->n_hits;
        add_label (&table, classes[c], FALSE, FALSE);
        add_number (&table, dup_count (n_taken));
        add_number (&table, mt_format_rate (share));
        add_number (&table, mt_format_fixed (share * (double) ranking->n_rows / (double) n_taken, 2));
        next_row (&table);
      }
  return table_finish (&table, _("Gain"));
}

GtkWidget *
mt_performance_tenths_new (const MtPerformance *performance)
{
  Table table = table_new (_("Tenth"), _("Rows"), _("Mean predicted"), _("Mean true"), _("Root mean squared error"), NULL);
  MtTenth tenths[MT_N_TENTHS];

  mt_scored_make_tenths (&performance->scored, tenths);
  for (guint t = 0; t < MT_N_TENTHS; t++)
    {
      g_autofree char *name = g_strdup_printf ("%u", t + 1);

      if (tenths[t].n_rows == 0)
        continue;
      add_label (&table, name, FALSE, FALSE);
      add_number (&table, dup_count (tenths[t].n_rows));
      add_number (&table, mt_format_short (tenths[t].mean_predicted));
      add_number (&table, mt_format_short (tenths[t].mean_true));
      add_number (&table, mt_format_short (tenths[t].rmse));
      next_row (&table);
    }
  return table_finish (&table, _("Tenths of the rows by prediction"));
}
