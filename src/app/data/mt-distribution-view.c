/* A miniature distribution, with the count of the bar under the pointer as its tooltip and a spoken
 * summary. See mt-distribution-view.h. */
#include "config.h"
#include "mt-distribution-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define HEIGHT    46
#define MOST_NAMES 4      /* of levels below each other */
#define CLOSE_SET 0.78    /* their lines lie closer than lines of a text: hardly a name has both ends of a letter */

struct _MtDistributionView {
  MtDrawnView           parent_instance;

  MtDistribution       *distribution;
  MtDistributionLayout *layout;      /* of the size last drawn; NULL: lay out again */
  MtColumnType          type;
  MtColumnRole          role;
  double                marked;
};

G_DEFINE_FINAL_TYPE (MtDistributionView, mt_distribution_view, MT_TYPE_DRAWN_VIEW)

static PangoFontDescription *
label_font (MtDistributionView *self)
{
  PangoFontDescription *font = pango_font_description_copy (
    pango_context_get_font_description (gtk_widget_get_pango_context (GTK_WIDGET (self))));
  int size = pango_font_description_get_size (font) * 3 / 4;

  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (font, size);
  else
    pango_font_description_set_size (font, size);
  return font;
}

static void
mt_distribution_view_forget (MtDrawnView *view)
{
  g_clear_pointer (&MT_DISTRIBUTION_VIEW (view)->layout, mt_distribution_layout_free);
}

static gboolean
mt_distribution_view_lay_out (MtDrawnView *view,
                              int          width,
                              int          height)
{
  MtDistributionView *self = MT_DISTRIBUTION_VIEW (view);
  g_autoptr (PangoFontDescription) font = NULL;
  double names;

  if (self->distribution == NULL || self->distribution->n_counts == 0)
    return FALSE;
  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return TRUE;
  g_clear_pointer (&self->layout, mt_distribution_layout_free);
  font = label_font (self);
  names = mt_draw_distribution_measure (self->distribution, gtk_widget_get_pango_context (GTK_WIDGET (self)), font);
  self->layout = mt_distribution_layout_new (self->distribution, width, height, names, self->marked);
  return TRUE;
}

/* Of two classes, probabilities are given for the later one: as numbers where both are numbers, as in mt-target.c. */
static gboolean
first_is_positive (const MtDistribution *distribution)
{
  char *ends[2];
  double numbers[2];

  for (guint i = 0; i < 2; i++)
    numbers[i] = g_ascii_strtod (distribution->names[i], &ends[i]);
  if (ends[0] != distribution->names[0] && *ends[0] == '\0' && ends[1] != distribution->names[1] && *ends[1] == '\0')
    return numbers[0] > numbers[1];
  return strcmp (distribution->names[0], distribution->names[1]) > 0;
}

static void
mt_distribution_view_paint (MtDrawnView *view,
                            cairo_t     *cr,
                            int          width,
                            int          height)
{
  MtDistributionView *self = MT_DISTRIBUTION_VIEW (view);
  g_autoptr (PangoFontDescription) font = label_font (self);
  const MtColor *first, *rest;
  MtPalette palette;

  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  first = self->role == MT_ROLE_TARGET ? &palette.target
          : self->role == MT_ROLE_IGNORED ? &palette.ignored : &palette.bar;
  rest = first;
  /* Purple is the class that is predicted, here as on the Rules page, whichever has more rows; of three none is it. */
  if (self->role == MT_ROLE_TARGET && self->distribution->kind == MT_DISTRIBUTION_LEVELS &&
      self->distribution->n_levels == 2 && self->distribution->n_counts == 2)
    {
      if (first_is_positive (self->distribution))
        rest = &palette.rest;
      else
        first = &palette.rest;
    }
  mt_draw_distribution (cr, self->distribution, self->layout, gtk_widget_get_pango_context (GTK_WIDGET (self)), font,
                        &palette, first, rest);
}

static void
mt_distribution_view_measure (GtkWidget      *widget,
                              GtkOrientation  orientation,
                              int             for_size,
                              int            *minimum,
                              int            *natural,
                              int            *minimum_baseline,
                              int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      g_autoptr (PangoFontDescription) font = label_font (MT_DISTRIBUTION_VIEW (widget));
      PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (widget), font, NULL);
      double line = (double) (pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics)) /
                    PANGO_SCALE;

      pango_font_metrics_unref (metrics);
      *minimum = *natural = MAX (HEIGHT, (int) ceil (MOST_NAMES * CLOSE_SET * line));
    }
  else
    *minimum = *natural = 24;
}

char *
mt_distribution_dup_bar_name (const MtDistribution *d,
                              MtColumnType          type,
                              guint                 bar)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (d->kind == MT_DISTRIBUTION_LEVELS)
    return g_strdup (d->names[bar]);
  from = mt_format_value (type, mt_distribution_get_edge (d, bar));
  if (d->unit_bins)
    return g_steal_pointer (&from);
  to = mt_format_value (type, mt_distribution_get_edge (d, bar + 1));
  /* Translators: values from … to … */
  return g_strdup_printf (_("%s to %s"), from, to);
}

static char *
describe_bar (MtDistributionView *self,
              guint               bar)
{
  const MtDistribution *d = self->distribution;
  g_autofree char *name = mt_distribution_dup_bar_name (d, self->type, bar);
  g_autofree char *count = mt_format_count (d->counts[bar]);
  g_autofree char *share = mt_format_percent ((double) d->counts[bar] / (double) MAX (d->n_rows, 1));

  /* Translators: a level of a column or values from … to …, its number of rows and their share */
  return g_strdup_printf (ngettext ("%s: %s row, %s", "%s: %s rows, %s", d->counts[bar]), name, count, share);
}

static gboolean
mt_distribution_view_query_tooltip (GtkWidget  *widget,
                                    int         x,
                                    int         y,
                                    gboolean    keyboard,
                                    GtkTooltip *tooltip)
{
  MtDistributionView *self = MT_DISTRIBUTION_VIEW (widget);
  g_autofree char *text = NULL;
  int bar = self->layout != NULL && !keyboard ? mt_distribution_layout_hit (self->layout, x, y) : -1;

  if (bar < 0)
    return FALSE;
  text = describe_bar (self, (guint) bar);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* What a screen reader says about the bars. */
static char *
summarize (MtDistributionView *self)
{
  const MtDistribution *d = self->distribution;
  g_autoptr (GString) text = g_string_new (NULL);
  guint highest = 0;

  if (d == NULL || d->n_counts == 0)
    return g_strdup (_("No distribution"));
  if (d->kind == MT_DISTRIBUTION_LEVELS)
    {
      for (guint i = 0; i < d->n_counts; i++)
        {
          g_autofree char *bar = describe_bar (self, i);

          g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", bar);
        }
      return g_string_free (g_steal_pointer (&text), FALSE);
    }
  for (guint i = 1; i < d->n_counts; i++)
    if (d->counts[i] > d->counts[highest])
      highest = i;
  {
    g_autofree char *min = mt_format_value (self->type, d->min);
    g_autofree char *max = mt_format_value (self->type, d->max);
    g_autofree char *peak = describe_bar (self, highest);

    /* Translators: range of a column, then its fullest bin */
    return g_strdup_printf (_("From %s to %s; most in %s"), min, max, peak);
  }
}

static void
describe (MtDistributionView *self)
{
  g_autofree char *summary = summarize (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, summary, -1);
}

static void
mt_distribution_view_numbers_changed (MtDrawnView *view)
{
  describe (MT_DISTRIBUTION_VIEW (view));
}

void
mt_distribution_view_set (MtDistributionView *self,
                          MtDistribution     *distribution,
                          MtColumnType        type,
                          MtColumnRole        role,
                          double              marked)
{
  g_return_if_fail (MT_IS_DISTRIBUTION_VIEW (self));

  if (distribution == self->distribution && role == self->role && type == self->type &&
      (marked == self->marked || (isnan (marked) && isnan (self->marked))))
    return;
  if (distribution != NULL)
    mt_distribution_ref (distribution);
  g_clear_pointer (&self->distribution, mt_distribution_unref);
  self->distribution = distribution;
  self->type = type;
  self->role = role;
  self->marked = marked;
  describe (self);
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}

static void
mt_distribution_view_finalize (GObject *object)
{
  MtDistributionView *self = MT_DISTRIBUTION_VIEW (object);

  g_clear_pointer (&self->distribution, mt_distribution_unref);
  g_clear_pointer (&self->layout, mt_distribution_layout_free);
  G_OBJECT_CLASS (mt_distribution_view_parent_class)->finalize (object);
}

static void
mt_distribution_view_class_init (MtDistributionViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MtDrawnViewClass *view_class = MT_DRAWN_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_distribution_view_finalize;
  view_class->forget = mt_distribution_view_forget;
  view_class->lay_out = mt_distribution_view_lay_out;
  view_class->paint = mt_distribution_view_paint;
  view_class->numbers_changed = mt_distribution_view_numbers_changed;
  widget_class->measure = mt_distribution_view_measure;
  widget_class->query_tooltip = mt_distribution_view_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "distribution");
}

static void
mt_distribution_view_init (MtDistributionView *self)
{
  self->marked = NAN;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}
