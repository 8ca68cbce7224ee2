/* Paints a distribution from its layout: the same for header, PDF and SVG. See mt-draw-distribution.h. */
#include "config.h"
#include "mt-draw-distribution.h"

static void
set_color (cairo_t       *cr,
           const MtColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
}

double
mt_draw_distribution_measure (const MtDistribution       *distribution,
                              PangoContext               *context,
                              const PangoFontDescription *font)
{
  g_autoptr (PangoLayout) text = NULL;
  int widest = 0;

  g_return_val_if_fail (distribution != NULL && context != NULL, 0);

  if (distribution->kind != MT_DISTRIBUTION_LEVELS)
    return 0;
  text = pango_layout_new (context);
  pango_layout_set_font_description (text, font);
  pango_layout_set_single_paragraph_mode (text, TRUE);
  for (guint i = 0; i < distribution->n_counts; i++)
    {
      int width;

      pango_layout_set_text (text, distribution->names[i], -1);
      pango_layout_get_pixel_size (text, &width, NULL);
      widest = MAX (widest, width);
    }
  return widest;
}

static void
draw_names (cairo_t                    *cr,
            const MtDistribution       *distribution,
            const MtDistributionLayout *layout,
            PangoContext               *context,
            const PangoFontDescription *font,
            const MtPalette            *palette)
{
  g_autoptr (PangoLayout) text = pango_layout_new (context);

  pango_layout_set_font_description (text, font);
  pango_layout_set_single_paragraph_mode (text, TRUE);
  pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (text, (int) (layout->label_width * PANGO_SCALE));
  pango_layout_set_alignment (text, PANGO_ALIGN_RIGHT);
  set_color (cr, &palette->dim);
  for (guint i = 0; i < distribution->n_counts; i++)
    {
      const MtBar *bar = &layout->bars[i];
      int height;

      pango_layout_set_text (text, distribution->names[i], -1);
      pango_layout_get_pixel_size (text, NULL, &height);
      cairo_move_to (cr, layout->label_x, bar->y + (bar->height - height) / 2);
      pango_cairo_show_layout (cr, text);
    }
}

void
mt_draw_distribution (cairo_t                    *cr,
                      const MtDistribution       *distribution,
                      const MtDistributionLayout *layout,
                      PangoContext               *context,
                      const PangoFontDescription *font,
                      const MtPalette            *palette,
                      const MtColor              *first,
                      const MtColor              *rest)
{
  g_return_if_fail (cr != NULL && distribution != NULL && layout != NULL && palette != NULL);

  for (guint i = 0; i < layout->n_bars; i++)
    {
      const MtBar *bar = &layout->bars[i];

      if (bar->width <= 0 || bar->height <= 0)
        continue;
      set_color (cr, bar->marked ? &palette->warning : i == 0 ? first : rest);
      cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
      cairo_fill (cr);
    }
  if (layout->label_width > 0 && context != NULL)
    draw_names (cr, distribution, layout, context, font, palette);
}
