/* From back to front: histogram, grid, the zero, the mean, the lines, and the axis with its labels. */
#include "config.h"
#include "mt-draw-effect.h"

#include <math.h>

#include "mt-draw-private.h"

static void
draw_level (cairo_t              *cr,
            const MtEffectLayout *layout,
            double                y,
            const MtColor        *color,
            double                strength)
{
  mt_draw_set_color (cr, color, strength);
  cairo_move_to (cr, layout->plot_x, floor (y) + 0.5);
  cairo_line_to (cr, layout->plot_x + layout->plot_width, floor (y) + 0.5);
  cairo_stroke (cr);
}

static void
draw_scales (cairo_t              *cr,
             const MtEffectLayout *layout,
             const char * const   *ends,
             PangoLayout          *text,
             const MtPalette      *palette)
{
  double below = (layout->axis_y + layout->height) / 2;

  for (guint i = 0; i < layout->y.n_ticks; i++)
    {
      const MtTick *tick = &layout->y.ticks[i];
      double y = layout->plot_y + layout->plot_height * (1 - tick->position);

      if (!tick->major)
        continue;
      draw_level (cr, layout, y, &palette->text, tick->value == 0 ? 0.45 : 0.09);
      mt_draw_set_color (cr, &palette->dim, 1);
      mt_draw_text (cr, text, tick->label, layout->plot_x - 8, y, 1);
    }
  draw_level (cr, layout, layout->axis_y, &palette->text, 0.45);
  for (guint i = 0; i < layout->x.n_ticks && ends == NULL; i++)
    if (layout->x.ticks[i].major)
      mt_draw_text (cr, text, layout->x.ticks[i].label, layout->plot_x + layout->x.ticks[i].position * layout->plot_width,
                    below, 0.5);
  if (ends != NULL)
    {
      mt_draw_text (cr, text, ends[0], layout->plot_x, below, 0);
      mt_draw_text (cr, text, ends[1], layout->plot_x + layout->plot_width, below, 1);
    }
}

void
mt_draw_effect (cairo_t                    *cr,
                const MtEffectLayout       *layout,
                const MtColor              *colors,
                const char * const         *ends,
                PangoContext               *context,
                const PangoFontDescription *font,
                const MtPalette            *palette)
{
  static const double dashes[] = { 4, 3 };
  g_autoptr (PangoLayout) text = pango_layout_new (context);

  pango_layout_set_font_description (text, font);
  mt_draw_set_color (cr, &palette->rest, 1);
  for (guint i = 0; i < layout->n_bars; i++)
    {
      const MtEffectBar *bar = &layout->bars[i];

      cairo_rectangle (cr, bar->x + 0.5, bar->y, MAX (1, bar->width - 1), bar->height);
    }
  cairo_fill (cr);
  cairo_set_line_width (cr, 1);
  draw_scales (cr, layout, ends, text, palette);
  mt_draw_set_color (cr, &palette->dim, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (cr, floor (layout->mean_x) + 0.5, layout->plot_y);
  cairo_line_to (cr, floor (layout->mean_x) + 0.5, layout->axis_y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 2.25);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  for (guint o = 0; o < layout->n_lines; o++)
    {
      mt_draw_set_color (cr, &colors[o], 1);
      for (guint i = 0; i < layout->n_points; i++)
        cairo_line_to (cr, layout->plot_x + layout->plot_width * i / (layout->n_points - 1), layout->points[layout->n_points * o + i]);
      cairo_stroke (cr);
    }
}
