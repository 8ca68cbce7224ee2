/* Paints a waterfall from its layout: the same for screen and paper. See mt-draw-waterfall.h. */
#include "config.h"
#include "mt-draw-waterfall.h"

#include <math.h>

#include "mt-draw-private.h"

#define POINT 7.0      /* how far a bar's arrow reaches */
#define LEAST 2.0      /* of a bar that is too short to be seen */

/* A bar that points where it moves the score: shape and color both show the direction. */
static void
draw_arrow (cairo_t               *cr,
            const MtWaterfallLine *line)
{
  double point = MIN (POINT, line->width), middle = line->y + line->height / 2;
  double left = line->x, right = line->x + line->width;

  if (line->to >= line->from)
    {
      cairo_move_to (cr, left, line->y);
      cairo_line_to (cr, right - point, line->y);
      cairo_line_to (cr, right, middle);
      cairo_line_to (cr, right - point, line->y + line->height);
      cairo_line_to (cr, left, line->y + line->height);
    }
  else
    {
      cairo_move_to (cr, right, line->y);
      cairo_line_to (cr, left + point, line->y);
      cairo_line_to (cr, left, middle);
      cairo_line_to (cr, left + point, line->y + line->height);
      cairo_line_to (cr, right, line->y + line->height);
    }
  cairo_close_path (cr);
}

static void
draw_axis (cairo_t                 *cr,
           const MtWaterfallLayout *layout,
           PangoLayout             *text,
           const MtPalette         *palette)
{
  static const double dashes[] = { 4, 3 };

  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < layout->axis.n_ticks; i++)
    {
      const MtTick *tick = &layout->axis.ticks[i];
      double x = floor (layout->plot_x + tick->position * layout->plot_width) + 0.5;

      if (!tick->major)
        continue;
      /* With two axes the lines belong to the probabilities, and this one has marks. */
      mt_draw_set_color (cr, &palette->dim, layout->n_odds > 0 ? 1 : 0.25);
      cairo_move_to (cr, x, layout->n_odds > 0 ? layout->axis_y - 4 : 0);
      cairo_line_to (cr, x, layout->axis_y);
      cairo_stroke (cr);
      mt_draw_set_color (cr, &palette->dim, 1);
      mt_draw_text (cr, text, tick->label, x, layout->axis_y + 14, 0.5);
    }
  mt_draw_set_color (cr, &palette->text, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (cr, floor (layout->reference_x) + 0.5, layout->top);
  cairo_line_to (cr, floor (layout->reference_x) + 0.5, layout->axis_y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_odds (cairo_t                 *cr,
           const MtWaterfallLayout *layout,
           const char              *odds,
           PangoLayout             *text,
           const MtPalette         *palette)
{
  if (layout->n_odds == 0)
    return;
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < layout->n_odds; i++)
    {
      double x = floor (layout->odds[i].x) + 0.5;

      mt_draw_set_color (cr, &palette->dim, 0.25);
      cairo_move_to (cr, x, layout->top);
      cairo_line_to (cr, x, layout->axis_y);
      cairo_stroke (cr);
      /* Where the decision changes it says so in full color. */
      mt_draw_set_color (cr, fabs (layout->odds[i].x - layout->reference_x) < 0.5 ? &palette->text : &palette->dim, 1);
      mt_draw_text (cr, text, layout->odds[i].label, x, layout->top / 2, 0.5);
    }
  mt_draw_set_color (cr, &palette->dim, 1);
  cairo_move_to (cr, layout->plot_x, floor (layout->axis_y) + 0.5);
  cairo_line_to (cr, layout->plot_x + layout->plot_width, floor (layout->axis_y) + 0.5);
  cairo_stroke (cr);
  if (odds != NULL)
    mt_draw_text (cr, text, odds, 0, layout->top / 2, 0);
}

/* From where a bar ends down to where the next one begins. */
static void
draw_links (cairo_t                 *cr,
            const MtWaterfallLayout *layout,
            const MtPalette         *palette)
{
  static const double dots[] = { 1.5, 2.5 };

  mt_draw_set_color (cr, &palette->dim, 0.8);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, dots, G_N_ELEMENTS (dots), 0);
  for (guint i = 0; i + 2 < layout->n_lines; i++)
    {
      const MtWaterfallLine *line = &layout->lines[i], *next = line + 1;
      double x = floor (line->to >= line->from ? line->x + line->width : line->x) + 0.5;

      cairo_move_to (cr, x, line->y + line->height);
      cairo_line_to (cr, x, next->has_bar ? next->y : next->y + next->height);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
mt_draw_waterfall (cairo_t                    *cr,
                   const MtWaterfallLayout    *layout,
                   const char * const         *names,
                   const char * const         *amounts,
                   const char                 *odds,
                   double                      label_width,
                   PangoContext               *context,
                   const PangoFontDescription *font,
                   const MtPalette            *palette)
{
  g_autoptr (PangoLayout) text = pango_layout_new (context);
  g_autoptr (PangoLayout) name = pango_layout_new (context);

  pango_layout_set_font_description (text, font);
  pango_layout_set_font_description (name, font);
  pango_layout_set_ellipsize (name, PANGO_ELLIPSIZE_MIDDLE);
  pango_layout_set_single_paragraph_mode (name, TRUE);
  pango_layout_set_width (name, (int) (label_width * PANGO_SCALE));
  draw_odds (cr, layout, odds, text, palette);
  draw_axis (cr, layout, text, palette);
  draw_links (cr, layout, palette);
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtWaterfallLine *line = &layout->lines[i];
      double middle = line->y + line->height / 2;
      gboolean is_total = i + 1 == layout->n_lines, rises = line->to >= line->from;

      mt_draw_set_color (cr, line->has_bar ? &palette->text : &palette->dim, 1);
      mt_draw_text (cr, name, names[i], 0, middle, 0);
      if (line->has_bar && is_total)
        {
          cairo_set_line_width (cr, 2);
          cairo_rectangle (cr, line->x, line->y, MAX (line->width, 1), line->height);
          cairo_stroke (cr);
        }
      else if (line->has_bar)
        {
          mt_draw_set_color (cr, i == 0 ? &palette->dim : rises ? &palette->positive : &palette->negative, 1);
          if (line->width < LEAST)
            cairo_rectangle (cr, line->x - LEAST / 2, line->y, MAX (line->width, LEAST), line->height);
          else
            draw_arrow (cr, line);
          cairo_fill (cr);
        }
      mt_draw_set_color (cr, line->has_bar ? &palette->text : &palette->dim, 1);
      mt_draw_text (cr, text, amounts[i], rises ? line->x + line->width + 6 : line->x - 6, middle, rises ? 0 : 1);
    }
}
