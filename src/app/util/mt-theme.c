/* The palette for drawn widgets, from the style in force. See mt-theme.h. */
#include "config.h"
#include "mt-theme.h"

#include <adwaita.h>

void
mt_theme_get_palette (GtkWidget *widget,
                      MtPalette *palette)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gboolean high_contrast = adw_style_manager_get_high_contrast (manager);
  GdkRGBA text;

  mt_palette_init (palette, adw_style_manager_get_dark (manager), high_contrast);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  palette->text = (MtColor) { text.red, text.green, text.blue, text.alpha };
  palette->dim = palette->text;
  palette->dim.alpha *= high_contrast ? 0.9 : 0.6;
}

void
mt_theme_get_plot_palette (MtPlotPalette *palette)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  mt_plot_palette_init (palette, adw_style_manager_get_dark (manager), adw_style_manager_get_high_contrast (manager));
}

static PangoLayout *
make_text (GtkWidget  *widget,
           const char *text,
           double      scale,
           gboolean    bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *list = pango_attr_list_new ();

  if (scale != 1)
    pango_attr_list_insert (list, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (list, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, list);
  pango_attr_list_unref (list);
  return layout;
}

double
mt_theme_measure_text (GtkWidget  *widget,
                       const char *text,
                       double      scale,
                       gboolean    bold)
{
  g_autoptr (PangoLayout) layout = make_text (widget, text, scale, bold);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

void
mt_theme_draw_text (GtkWidget             *widget,
                    GtkSnapshot           *snapshot,
                    const char            *text,
                    const MtColor         *color,
                    double                 scale,
                    gboolean               bold,
                    const graphene_rect_t *place,
                    double                 align)
{
  g_autoptr (PangoLayout) layout = make_text (widget, text, scale, bold);
  GdkRGBA rgba = mt_theme_rgba (color);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  if (width > place->size.width)
    {
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
      pango_layout_set_width (layout, (int) (place->size.width * PANGO_SCALE));
      width = (int) place->size.width;
    }
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (place->origin.x + (place->size.width - (float) width) *
                                                          (float) align,
                                                          place->origin.y + (place->size.height - (float) height) / 2));
  gtk_snapshot_append_layout (snapshot, layout, &rgba);
  gtk_snapshot_restore (snapshot);
}

static MtColor
mix (const MtColor *color,
     const MtColor *with,
     double         share)
{
  return (MtColor) { color->red + share * (with->red - color->red), color->green + share * (with->green - color->green),
                     color->blue + share * (with->blue - color->blue), color->alpha };
}

MtColor
mt_theme_class_color (const MtPalette *palette,
                      guint            n_classes,
                      guint            class)
{
  MtPlotPalette plot;

  if (n_classes == 2)
    return class == 1 ? palette->target : palette->rest;
  mt_theme_get_plot_palette (&plot);
  /* Further classes take the same colours paler, then deeper. */
  return mix (&plot.series[class % MT_PLOT_N_SERIES], class / MT_PLOT_N_SERIES % 3 == 1 ? &plot.background : &plot.text,
              class / MT_PLOT_N_SERIES % 3 == 0 ? 0 : 0.5);
}

GdkRGBA
mt_theme_rgba (const MtColor *color)
{
  return mt_theme_faded (color, 1.0);
}

GdkRGBA
mt_theme_faded (const MtColor *color,
                double         alpha)
{
  return (GdkRGBA) { (float) color->red, (float) color->green, (float) color->blue,
                     (float) (color->alpha * alpha) };
}

const char *
mt_theme_get_name_color (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ()) ? "#99c1f1" : "#1a5fb4";
}

void
mt_theme_name_line (GtkWidget  *line,
                    const char *text)
{
  GtkWidget *item = gtk_widget_get_parent (line);

  g_return_if_fail (GTK_IS_WIDGET (line));

  gtk_accessible_update_property (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
mt_theme_read_forwards (GtkLabel *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  if (gtk_widget_get_direction (GTK_WIDGET (label)) != GTK_TEXT_DIR_RTL)
    return;
  gtk_label_set_xalign (label, 1 - gtk_label_get_xalign (label));
  gtk_widget_set_direction (GTK_WIDGET (label), GTK_TEXT_DIR_LTR);
}
