/* The mark of a run: its colour and shape, as in the plot. See mt-series-mark.h. */
#include "config.h"
#include "mt-series-mark.h"

#include <adwaita.h>

#include "mt-core.h"

#define SIZE 14

struct _MtSeriesMark {
  GtkWidget parent_instance;
  guint     series;
  gboolean  faded;
};

G_DEFINE_FINAL_TYPE (MtSeriesMark, mt_series_mark, GTK_TYPE_WIDGET)

static void
mt_series_mark_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  MtSeriesMark *self = MT_SERIES_MARK (widget);
  AdwStyleManager *manager = adw_style_manager_get_default ();
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  MtPlotPalette palette;

  mt_plot_palette_init (&palette, adw_style_manager_get_dark (manager),
                        adw_style_manager_get_high_contrast (manager));
  if (self->faded)
    cairo_push_group (cr);
  mt_draw_plot_mark (cr, &palette, self->series, width / 2, height / 2, self->faded ? 3.6 : 5);
  if (self->faded)
    {
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, palette.faded + 0.15);
    }
  cairo_destroy (cr);
}

static void
mt_series_mark_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = *natural = SIZE;
}

void
mt_series_mark_show (MtSeriesMark *self,
                     guint       series,
                     gboolean    faded)
{
  g_return_if_fail (MT_IS_SERIES_MARK (self));

  self->series = series;
  self->faded = faded;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
mt_series_mark_get_series (MtSeriesMark *self)
{
  g_return_val_if_fail (MT_IS_SERIES_MARK (self), 0);
  return self->series;
}

static void
mt_series_mark_class_init (MtSeriesMarkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = mt_series_mark_snapshot;
  widget_class->measure = mt_series_mark_measure;
  /* The words next to it say which run it is. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
mt_series_mark_init (MtSeriesMark *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
mt_series_mark_new (void)
{
  return g_object_new (MT_TYPE_SERIES_MARK, NULL);
}
