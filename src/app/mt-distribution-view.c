#include "config.h"
#include "mt-distribution-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"
#include "mt-theme.h"

#define HEIGHT 46

struct _MtDistributionView {
  GtkWidget             parent_instance;

  MtDistribution       *distribution;
  MtDistributionLayout *layout;      /* of the size last drawn; NULL: lay out again */
  MtColumnType          type;
  MtColumnRole          role;
  double                marked;
};

G_DEFINE_FINAL_TYPE (MtDistributionView, mt_distribution_view, GTK_TYPE_WIDGET)

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
ensure_layout (MtDistributionView   *self,
               PangoFontDescription *font)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double names;

  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return;
  g_clear_pointer (&self->layout, mt_distribution_layout_free);
  names = mt_draw_distribution_measure (self->distribution, gtk_widget_get_pango_context (GTK_WIDGET (self)), font);
  self->layout = mt_distribution_layout_new (self->distribution, width, height, names, self->marked);
}

static void
mt_distribution_view_snapshot (GtkWidget   *widget,
                               GtkSnapshot *snapshot)
{
  MtDistributionView *self = MT_DISTRIBUTION_VIEW (widget);
  g_autoptr (PangoFontDescription) font = NULL;
  const MtColor *first, *rest;
  MtPalette palette;
  cairo_t *cr;

  if (self->distribution == NULL || self->distribution->n_counts == 0)
    return;
  font = label_font (self);
  ensure_layout (self, font);
  mt_theme_get_palette (widget, &palette);
  first = self->role == MT_ROLE_TARGET ? &palette.target
          : self->role == MT_ROLE_IGNORED ? &palette.ignored : &palette.bar;
  rest = self->role == MT_ROLE_TARGET && self->distribution->kind == MT_DISTRIBUTION_LEVELS ? &palette.rest : first;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->layout->width,
                                                                 (float) self->layout->height));
  mt_draw_distribution (cr, self->distribution, self->layout, gtk_widget_get_pango_context (widget), font,
                        &palette, first, rest);
  cairo_destroy (cr);
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
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 24;
}

static char *
describe_bar (MtDistributionView *self,
              guint               bar)
{
  const MtDistribution *d = self->distribution;
  g_autofree char *count = mt_format_count (d->counts[bar]);
  g_autofree char *share = mt_format_percent ((double) d->counts[bar] / (double) MAX (d->n_rows, 1));
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (d->kind == MT_DISTRIBUTION_LEVELS)
    /* Translators: a level of a column, its number of rows and their share */
    return g_strdup_printf (_("%s: %s rows, %s"), d->names[bar], count, share);
  from = mt_format_value (self->type, mt_distribution_get_edge (d, bar));
  if (d->unit_bins)
    return g_strdup_printf (_("%s: %s rows, %s"), from, count, share);
  to = mt_format_value (self->type, mt_distribution_get_edge (d, bar + 1));
  /* Translators: values from … to …, the number of rows and their share */
  return g_strdup_printf (_("%s to %s: %s rows, %s"), from, to, count, share);
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

/* What a person who cannot see the bars is told. */
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

void
mt_distribution_view_set (MtDistributionView *self,
                          MtDistribution     *distribution,
                          MtColumnType        type,
                          MtColumnRole        role,
                          double              marked)
{
  g_autofree char *summary = NULL;

  g_return_if_fail (MT_IS_DISTRIBUTION_VIEW (self));

  if (distribution == self->distribution && role == self->role && type == self->type &&
      (marked == self->marked || (isnan (marked) && isnan (self->marked))))
    return;
  if (distribution != NULL)
    mt_distribution_ref (distribution);
  g_clear_pointer (&self->distribution, mt_distribution_unref);
  g_clear_pointer (&self->layout, mt_distribution_layout_free);
  self->distribution = distribution;
  self->type = type;
  self->role = role;
  self->marked = marked;
  summary = summarize (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, summary, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Another font or scale: names take another width. */
static void
mt_distribution_view_css_changed (GtkWidget         *widget,
                                  GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (mt_distribution_view_parent_class)->css_changed (widget, change);
  g_clear_pointer (&MT_DISTRIBUTION_VIEW (widget)->layout, mt_distribution_layout_free);
  gtk_widget_queue_draw (widget);
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

  G_OBJECT_CLASS (klass)->finalize = mt_distribution_view_finalize;
  widget_class->snapshot = mt_distribution_view_snapshot;
  widget_class->measure = mt_distribution_view_measure;
  widget_class->query_tooltip = mt_distribution_view_query_tooltip;
  widget_class->css_changed = mt_distribution_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "distribution");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_distribution_view_init (MtDistributionView *self)
{
  self->marked = NAN;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}
