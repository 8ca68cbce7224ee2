/* The figures of the groups of a column, as a table. See mt-subgroup-tables.h. */
#include "config.h"
#include "mt-subgroup-tables.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-theme.h"

#define MOST_CHARS 30     /* of a group's name */
#define HEAD_CHARS 15     /* in a line of a head */

typedef enum {
  SHARE,
  PLAIN,
  SIGNED_SHARE,
} Form;

static char *
dup_number (double value,
            Form   form)
{
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return g_strdup ("–");
  if (form == PLAIN)
    return mt_format_fixed (value, 2);
  text = mt_format_rate (fabs (value));
  /* Translators: a difference of two shares of rows, with its sign */
  return form == SHARE ? g_steal_pointer (&text) : g_strdup_printf ("%s%s", value < 0 ? "−" : "+", text);
}

static GtkGrid *
grid_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_bottom (grid, 6);     /* the scroll bar is over it */
  return GTK_GRID (grid);
}

static void
add_head (GtkGrid    *grid,
          int         column,
          const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), HEAD_CHARS);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN ((int) g_utf8_strlen (text, -1), HEAD_CHARS));
  gtk_label_set_xalign (GTK_LABEL (label), column > 0 ? 1 : 0);
  gtk_label_set_justify (GTK_LABEL (label), column > 0 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
  gtk_widget_set_valign (label, GTK_ALIGN_END);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_grid_attach (grid, label, column, 0, 1, 1);
}

static void
add_cell (GtkGrid    *grid,
          int         column,
          int         row,
          const char *text,
          const char *below)      /* NULL: nothing */
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new (text), *small;

  gtk_label_set_xalign (GTK_LABEL (label), column > 0 ? 1 : 0);
  if (column > 0)
    {
      gtk_widget_add_css_class (label, "numeric");
      mt_theme_read_forwards (GTK_LABEL (label));
      gtk_label_set_xalign (GTK_LABEL (label), 1);
    }
  else if (g_utf8_strlen (text, -1) > MOST_CHARS)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), MOST_CHARS);
      gtk_widget_set_tooltip_text (label, text);
    }
  gtk_box_append (GTK_BOX (box), label);
  if (below != NULL)
    {
      small = gtk_label_new (below);
      gtk_widget_add_css_class (small, "caption");
      gtk_widget_add_css_class (small, column > 0 ? "dim-label" : "warning");
      gtk_widget_add_css_class (small, "numeric");
      if (column > 0)
        mt_theme_read_forwards (GTK_LABEL (small));
      gtk_label_set_xalign (GTK_LABEL (small), column > 0 ? 1 : 0);
      gtk_box_append (GTK_BOX (box), small);
    }
  gtk_grid_attach (grid, box, column, row, 1, 1);
}

static void
add_interval (GtkGrid *grid,
              int      column,
              int      row,
              char    *value,      /* taken */
              char    *low,        /* taken */
              char    *high)       /* taken */
{
  g_autofree char *range = g_strdup_printf (*low == '+' || g_str_has_prefix (low, "−") ? "%s … %s" : "%s – %s", low, high);

  add_cell (grid, column, row, value, g_str_equal (low, "–") ? " " : range);
  g_free (value);
  g_free (low);
  g_free (high);
}

/* Name and number of rows; the second column is taken too. */
static void
add_group (GtkGrid          *grid,
           int               row,
           const MtSubgroup *group)
{
  g_autofree char *n = mt_format_count (group->which->len);

  /* Translators: below the name of a group of few rows */
  add_cell (grid, 0, row, group->name != NULL ? group->name : _("missing"),
            group->which->len < MT_SUBGROUP_SMALL ? _("Few rows") : NULL);
  add_cell (grid, 1, row, n, NULL);
}

static GtkWidget *
finish (GtkGrid    *grid,
        const char *name)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (grid));
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return scrolled;
}

GtkWidget *
mt_subgroup_quality_new (const MtPerformance *performance,
                         const char          *column,
                         GArray              *groups)
{
  GtkGrid *grid = grid_new ();
  guint n = performance->how.n_metrics;
  Form form = performance->scored.n_classes > 0 ? SIGNED_SHARE : PLAIN;
  g_autofree char *name = g_strdup_printf (_("Metrics by %s"), column);

  add_head (grid, 0, column);
  add_head (grid, 1, _("Rows"));
  for (guint m = 0; m < n; m++)
    add_head (grid, 2 + (int) m, mt_format_metric_name (performance->how.metrics[m]));
  add_head (grid, 2 + (int) n, _("Calibration gap"));
  for (guint g = 0; g < groups->len; g++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, g);

      add_group (grid, (int) g + 1, group);
      for (guint m = 0; m < n; m++)
        {
          MtMetric metric = performance->how.metrics[m];
          const MtInterval *at = &group->intervals[m];

          add_interval (grid, 2 + (int) m, (int) g + 1,
                        isfinite (at->value) ? mt_format_quality (metric, at->value) : g_strdup ("–"),
                        isfinite (at->low) && isfinite (at->value) ? mt_format_quality (metric, at->low) : g_strdup ("–"),
                        isfinite (at->high) ? mt_format_quality (metric, at->high) : g_strdup ("–"));
        }
      if (form == PLAIN)
        add_interval (grid, 2 + (int) n, (int) g + 1, mt_format_short (group->gap.value),
                      isfinite (group->gap.low) ? mt_format_short (group->gap.low) : g_strdup ("–"),
                      mt_format_short (group->gap.high));
      else
        add_interval (grid, 2 + (int) n, (int) g + 1, dup_number (group->gap.value, form), dup_number (group->gap.low, form),
                      dup_number (group->gap.high, form));
    }
  return finish (grid, name);
}

static Form
form_of (MtRate rate)
{
  return rate < MT_RATE_COMPARED ? SHARE : rate < MT_RATE_OPPORTUNITY ? PLAIN : SIGNED_SHARE;
}

static GtkWidget *
make_rates (const char            *column,
            GArray                *groups,
            const MtSubgroupRates *rates,
            const char * const    *classes,
            MtRate                 from,
            MtRate                 to,
            int                    without)     /* a group; -1: all are there */
{
  GtkGrid *grid = grid_new ();
  int row = 1;
  g_autofree char *name = g_strdup_printf (_("Decisions by %s"), column);

  add_head (grid, 0, column);
  add_head (grid, 1, _("Rows"));
  for (MtRate r = from; r < to; r++)
    {
      g_autofree char *head = mt_rate_dup_name (r, classes);

      add_head (grid, 2 + (int) (r - from), head);
    }
  for (guint g = 0; g < groups->len; g++)
    {
      if ((int) g == without)
        continue;
      add_group (grid, row, &g_array_index (groups, MtSubgroup, g));
      for (MtRate r = from; r < to; r++)
        {
          const MtInterval *at = &rates[g].rates[r];

          add_interval (grid, 2 + (int) (r - from), row, dup_number (at->value, form_of (r)), dup_number (at->low, form_of (r)),
                        dup_number (at->high, form_of (r)));
        }
      row++;
    }
  return finish (grid, name);
}

GtkWidget *
mt_subgroup_rates_new (const char            *column,
                       GArray                *groups,
                       const MtSubgroupRates *rates,
                       const char * const    *classes)
{
  return make_rates (column, groups, rates, classes, 0, MT_RATE_COMPARED, -1);
}

GtkWidget *
mt_subgroup_compared_new (const char            *column,
                          GArray                *groups,
                          const MtSubgroupRates *rates,
                          const char * const    *classes,
                          int                    reference)
{
  return make_rates (column, groups, rates, classes, MT_RATE_COMPARED, MT_N_RATES, reference);
}
