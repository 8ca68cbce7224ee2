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

MtColor
mt_theme_class_color (const MtPalette *palette,
                      guint            n_classes,
                      guint            class)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  MtPlotPalette plot;

  if (n_classes == 2)
    return class == 1 ? palette->target : palette->rest;
  mt_plot_palette_init (&plot, adw_style_manager_get_dark (manager), adw_style_manager_get_high_contrast (manager));
  return plot.series[class % MT_PLOT_N_SERIES];
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
