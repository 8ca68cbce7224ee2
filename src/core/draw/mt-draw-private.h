/* Private to the painters: what each of them does with cairo. */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <pango/pangocairo.h>

#include "mt-palette.h"

G_BEGIN_DECLS

static inline void
mt_draw_set_color (cairo_t       *cr,
                   const MtColor *color,
                   double         opacity)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * opacity);
}

static inline void
mt_draw_rounded (cairo_t *cr,
                 double   x,
                 double   y,
                 double   width,
                 double   height,
                 double   radius)
{
  double right = x + width, bottom = y + height;

  cairo_new_sub_path (cr);
  cairo_arc (cr, right - radius, y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, right - radius, bottom - radius, radius, 0, G_PI_2);
  cairo_arc (cr, x + radius, bottom - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/* @string around the height @middle: from @x on (@align 0), centered on it (½) or up to it (1). */
static inline void
mt_draw_text (cairo_t     *cr,
              PangoLayout *text,
              const char  *string,
              double       x,
              double       middle,
              double       align)
{
  int width, height;

  pango_layout_set_text (text, string, -1);
  pango_layout_get_pixel_size (text, &width, &height);
  cairo_move_to (cr, x - align * width, middle - height / 2.0);
  pango_cairo_show_layout (cr, text);
}

G_END_DECLS
