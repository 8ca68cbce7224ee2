/* A table of numbers as colored squares. See mt-lab-heatmap.h. */
#include "config.h"
#include "mt-lab-heatmap.h"

#include <math.h>

#define LEFT   60.0
#define TOP    46.0
#define CELL_W 58.0
#define CELL_H 30.0

static void
show_centered (cairo_t       *cr,
               PangoContext  *context,
               const MtColor *color,
               double         x,
               double         y,
               const char    *text)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (context);
  int width, height;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_move_to (cr, x - width / 2., y - height / 2.);
  pango_cairo_show_layout (cr, layout);
}

static void
paint (cairo_t         *cr,
       PangoContext    *context,
       const MtPalette *palette,
       gpointer         data)
{
  const MtLabHeatmap *map = data;
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < map->n_rows * map->n_columns; i++)
    if (!isnan (map->values[i]))
      {
        low = MIN (low, map->values[i]);
        high = MAX (high, map->values[i]);
      }
  show_centered (cr, context, &palette->text, LEFT + map->n_columns * CELL_W / 2, 8, map->title);
  show_centered (cr, context, &palette->dim, LEFT + map->n_columns * CELL_W / 2, 24, map->column_title);
  show_centered (cr, context, &palette->dim, 26, 24, map->row_title);
  for (guint c = 0; c < map->n_columns; c++)
    show_centered (cr, context, &palette->dim, LEFT + (c + .5) * CELL_W, 40, map->columns[c]);
  for (guint r = 0; r < map->n_rows; r++)
    {
      double y = TOP + r * CELL_H;

      show_centered (cr, context, &palette->dim, 26, y + CELL_H / 2, map->rows[r]);
      for (guint c = 0; c < map->n_columns; c++)
        {
          double value = map->values[r * map->n_columns + c], share = high > low ? (value - low) / (high - low) : .5;
          char buffer[G_ASCII_DTOSTR_BUF_SIZE];

          if (isnan (value))
            continue;
          cairo_set_source_rgba (cr, palette->accent.red, palette->accent.green, palette->accent.blue, .08 + .42 * share);
          cairo_rectangle (cr, LEFT + c * CELL_W + 1, y + 1, CELL_W - 2, CELL_H - 2);
          cairo_fill (cr);
          show_centered (cr, context, &palette->text, LEFT + (c + .5) * CELL_W, y + CELL_H / 2,
                         g_ascii_formatd (buffer, sizeof buffer, "%.4f", value));
        }
    }
}

gboolean
mt_lab_write_heatmap (MtLabContext        *context,
                      const char          *name,
                      const MtLabHeatmap  *map,
                      GError             **error)
{
  g_autofree char *file = g_strconcat (name, ".svg", NULL);
  g_autofree char *path = g_build_filename (context->options->out, file, NULL);

  return mt_picture_write (path, LEFT + map->n_columns * CELL_W, TOP + map->n_rows * CELL_H, 1, paint, (gpointer) map, error);
}
