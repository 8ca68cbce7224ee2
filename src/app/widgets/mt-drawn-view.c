/* A widget that is a drawing made by core: laid out for its size, painted with cairo, kept as a render node
 * until size, font, theme, number format or what is drawn changes. See mt-drawn-view.h. */
#include "config.h"
#include "mt-drawn-view.h"

#include <adwaita.h>

#include "util/mt-preferences.h"

typedef struct {
  MtPlotFonts   *fonts;
  GskRenderNode *drawn;           /* of the size below; NULL: paint again */
  int            width, height;
} MtDrawnViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (MtDrawnView, mt_drawn_view, GTK_TYPE_WIDGET)

static MtDrawnViewPrivate *
get_private (MtDrawnView *self)
{
  return mt_drawn_view_get_instance_private (self);
}

void
mt_drawn_view_redraw (MtDrawnView *self)
{
  g_return_if_fail (MT_IS_DRAWN_VIEW (self));

  g_clear_pointer (&get_private (self)->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
mt_drawn_view_changed (MtDrawnView *self)
{
  g_return_if_fail (MT_IS_DRAWN_VIEW (self));

  if (MT_DRAWN_VIEW_GET_CLASS (self)->forget != NULL)
    MT_DRAWN_VIEW_GET_CLASS (self)->forget (self);
  mt_drawn_view_redraw (self);
}

double
mt_drawn_view_measure_label (const char *label,
                             gpointer    layout)
{
  int width;

  pango_layout_set_text (layout, label, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

MtPlotFonts *
mt_drawn_view_get_fonts (MtDrawnView *self)
{
  MtDrawnViewPrivate *private;

  g_return_val_if_fail (MT_IS_DRAWN_VIEW (self), NULL);

  private = get_private (self);
  if (private->fonts == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

      private->fonts = mt_plot_fonts_new (context, pango_context_get_font_description (context));
    }
  return private->fonts;
}

static GskRenderNode *
paint (MtDrawnView *self,
       int          width,
       int          height)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

  MT_DRAWN_VIEW_GET_CLASS (self)->paint (self, cr, width, height);
  cairo_destroy (cr);
  return gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
}

static void
mt_drawn_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  MtDrawnView *self = MT_DRAWN_VIEW (widget);
  MtDrawnViewClass *klass = MT_DRAWN_VIEW_GET_CLASS (self);
  MtDrawnViewPrivate *private = get_private (self);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width < 2 || height < 2 || !klass->lay_out (self, width, height))
    return;
  if (private->drawn == NULL || private->width != width || private->height != height)
    {
      g_clear_pointer (&private->drawn, gsk_render_node_unref);
      private->drawn = paint (self, width, height);
      private->width = width;
      private->height = height;
    }
  if (private->drawn != NULL)
    gtk_snapshot_append_node (snapshot, private->drawn);
  if (klass->overlay != NULL)
    {
      cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

      klass->overlay (self, cr);
      cairo_destroy (cr);
    }
}

/* Another font, scale or colour. */
static void
mt_drawn_view_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  MtDrawnView *self = MT_DRAWN_VIEW (widget);

  GTK_WIDGET_CLASS (mt_drawn_view_parent_class)->css_changed (widget, change);
  g_clear_pointer (&get_private (self)->fonts, mt_plot_fonts_free);
  mt_drawn_view_changed (self);
}

static void
on_numbers_changed (MtDrawnView *self)
{
  mt_drawn_view_changed (self);
  if (MT_DRAWN_VIEW_GET_CLASS (self)->numbers_changed != NULL)
    MT_DRAWN_VIEW_GET_CLASS (self)->numbers_changed (self);
}

static void
mt_drawn_view_finalize (GObject *object)
{
  MtDrawnViewPrivate *private = get_private (MT_DRAWN_VIEW (object));

  g_clear_pointer (&private->fonts, mt_plot_fonts_free);
  g_clear_pointer (&private->drawn, gsk_render_node_unref);
  G_OBJECT_CLASS (mt_drawn_view_parent_class)->finalize (object);
}

static void
mt_drawn_view_class_init (MtDrawnViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_drawn_view_finalize;
  widget_class->snapshot = mt_drawn_view_snapshot;
  widget_class->css_changed = mt_drawn_view_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_drawn_view_init (MtDrawnView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (mt_drawn_view_redraw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (mt_drawn_view_redraw), self,
                           G_CONNECT_SWAPPED);
  mt_preferences_watch_numbers (self, G_CALLBACK (on_numbers_changed));
}
