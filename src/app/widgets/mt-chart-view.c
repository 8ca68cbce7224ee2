/* A chart of core in the window. See mt-chart-view.h. */
#include "config.h"
#include "mt-chart-view.h"

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define WIDTH  480
#define HEIGHT 300

struct _MtChartView {
  MtDrawnView  parent_instance;

  MtChart     *chart;     /* may be NULL */
};

G_DEFINE_FINAL_TYPE (MtChartView, mt_chart_view, MT_TYPE_DRAWN_VIEW)

/* The chart has letters of its own size: everything grows as they have to. */
static double
find_scale (MtChartView *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;

  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (context) > 0 ? pango_cairo_context_get_resolution (context) / 72 : 96. / 72;
  return MAX (size * 0.82 / mt_chart_get_font_size (), 0.5);     /* captions are smaller than text */
}

static gboolean
mt_chart_view_lay_out (MtDrawnView *view,
                       int          width,
                       int          height)
{
  MtChartView *self = MT_CHART_VIEW (view);
  double scale = find_scale (self), horizontal, vertical, w, h;

  if (self->chart == NULL)
    return FALSE;
  mt_chart_get_margins (self->chart, &horizontal, &vertical);
  w = width / scale - horizontal;
  h = height / scale - vertical;
  if (w < 40 || h < 40)
    return FALSE;
  mt_chart_measure (self->chart, w, h, &horizontal, &vertical);
  return TRUE;
}

static void
mt_chart_view_paint (MtDrawnView *view,
                     cairo_t     *cr,
                     int          width,
                     int          height)
{
  MtChartView *self = MT_CHART_VIEW (view);
  PangoContext *context = pango_cairo_create_context (cr);
  double scale = find_scale (self);
  MtPlotPalette palette;

  mt_theme_get_plot_palette (&palette);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  mt_chart_paint_in (cr, context, &palette, mt_format_get_mark_char (), self->chart);
  cairo_restore (cr);
  g_object_unref (context);
}

static void
mt_chart_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
mt_chart_view_finalize (GObject *object)
{
  g_clear_pointer (&MT_CHART_VIEW (object)->chart, mt_chart_free);
  G_OBJECT_CLASS (mt_chart_view_parent_class)->finalize (object);
}

static void
mt_chart_view_class_init (MtChartViewClass *klass)
{
  MtDrawnViewClass *view_class = MT_DRAWN_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_chart_view_finalize;
  GTK_WIDGET_CLASS (klass)->measure = mt_chart_view_measure;
  view_class->lay_out = mt_chart_view_lay_out;
  view_class->paint = mt_chart_view_paint;
}

static void
mt_chart_view_init (MtChartView *self)
{
}

GtkWidget *
mt_chart_view_new (void)
{
  return g_object_new (MT_TYPE_CHART_VIEW, NULL);
}

void
mt_chart_view_show (MtChartView *self,
                    MtChart     *chart,
                    const char  *spoken)
{
  g_clear_pointer (&self->chart, mt_chart_free);
  self->chart = chart;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}
