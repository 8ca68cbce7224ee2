/* From back to front: zone, grid, benchmarks, staircase, faded points, error bars, points,
 * rings, badges, callout, axes, texts. */
#include "config.h"
#include "mt-draw-plot.h"

#include <math.h>
#include <string.h>

#define COLOR(hex, opacity)                                                     \
  ((MtColor) { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0,       \
               ((hex) & 0xff) / 255.0, (opacity) })

#define TEXT_SIZE    12.0
#define STRONG_SIZE  12.5
#define BADGE_SIZE   11.0
#define MOST_SIZES   1000     /* remembered a font */

typedef struct {
  double width, height;
} Size;

/* Shaping text takes most of the time of a layout, and a curve that grows has the same ticks again and again. */
struct _MtPlotFonts {
  PangoLayout          *layout;
  PangoFontDescription *fonts[MT_PLOT_N_FONTS];
  GHashTable           *sizes[MT_PLOT_N_FONTS];   /* text → Size */
};

void
mt_plot_palette_init (MtPlotPalette *palette,
                      gboolean       dark,
                      gboolean       high_contrast)
{
  MtPalette base;

  g_return_if_fail (palette != NULL);

  mt_palette_init (&base, dark, high_contrast);
  *palette = (MtPlotPalette) {
    .text = base.text,
    .dim = base.dim,
    .axis = base.text,
    .grid = base.text,
    .background = dark ? COLOR (0x2d2d31, 1) : COLOR (0xffffff, 1),
    .series = {
      dark ? COLOR (0x62a0ea, 1) : COLOR (0x1c71d8, 1),
      dark ? COLOR (0xffa348, 1) : COLOR (0xe66100, 1),
      dark ? COLOR (0x45d3b4, 1) : COLOR (0x00806a, 1),
      dark ? COLOR (0xc68adf, 1) : COLOR (0x813d9c, 1),
    },
    .zone = COLOR (0x2ec27e, high_contrast ? 0.16 : 0.085),
    .zone_text = dark ? COLOR (0x8ff0a4, 1) : COLOR (0x1a7f4b, 1),
    .accent = dark ? COLOR (0x78aeed, 1) : COLOR (0x3584e4, 1),
    .badge = dark ? COLOR (0xf6f5f4, 1) : COLOR (0x36343c, 1),
    .badge_text = dark ? COLOR (0x1e1e22, 1) : COLOR (0xffffff, 1),
    .faded = high_contrast ? 0.65 : 0.32,
  };
  palette->axis.alpha = high_contrast ? 1 : 0.45;
  palette->grid.alpha = high_contrast ? 0.3 : 0.09;
}

/* --- text --- */

MtPlotFonts *
mt_plot_fonts_new (PangoContext               *context,
                   const PangoFontDescription *base)
{
  static const double sizes[MT_PLOT_N_FONTS] = { TEXT_SIZE, STRONG_SIZE, BADGE_SIZE };
  MtPlotFonts *self = g_new0 (MtPlotFonts, 1);
  double factor = 1;

  g_return_val_if_fail (context != NULL, NULL);

  self->layout = pango_layout_new (context);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  /* 11 pt is the interface's usual size: larger text makes larger labels. */
  if (base != NULL && pango_font_description_get_size (base) > 0)
    factor = pango_font_description_get_size (base) /
             (double) ((pango_font_description_get_size_is_absolute (base) ? 14.667 : 11) * PANGO_SCALE);
  for (guint i = 0; i < MT_PLOT_N_FONTS; i++)
    {
      self->fonts[i] = base != NULL ? pango_font_description_copy (base)
                                    : pango_font_description_from_string ("Cantarell, Sans");
      pango_font_description_set_absolute_size (self->fonts[i], sizes[i] * factor * PANGO_SCALE);
      if (i != MT_PLOT_FONT_TICK)
        pango_font_description_set_weight (self->fonts[i], PANGO_WEIGHT_BOLD);
      self->sizes[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    }
  return self;
}

void
mt_plot_fonts_free (MtPlotFonts *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->layout);
  for (guint i = 0; i < MT_PLOT_N_FONTS; i++)
    {
      pango_font_description_free (self->fonts[i]);
      g_hash_table_unref (self->sizes[i]);
    }
  g_free (self);
}

static Size *
shape (MtPlotFonts *self,
       const char  *text,
       MtPlotFont   font)
{
  Size *size = g_new (Size, 1);
  PangoRectangle logical;

  pango_layout_set_font_description (self->layout, self->fonts[font]);
  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_extents (self->layout, NULL, &logical);
  *size = (Size) { logical.width / (double) PANGO_SCALE, logical.height / (double) PANGO_SCALE };
  return size;
}

void
mt_plot_measure (const char *text,
                 MtPlotFont  font,
                 double     *width,
                 double     *height,
                 gpointer    fonts)
{
  MtPlotFonts *self = fonts;
  const Size *size = g_hash_table_lookup (self->sizes[font], text);

  if (size == NULL)
    {
      if (g_hash_table_size (self->sizes[font]) >= MOST_SIZES)
        g_hash_table_remove_all (self->sizes[font]);
      size = shape (self, text, font);
      g_hash_table_insert (self->sizes[font], g_strdup (text), (Size *) size);
    }
  *width = size->width;
  *height = size->height;
}

static void
set_color (cairo_t       *cr,
           const MtColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
}

static void
set_faded (cairo_t       *cr,
           const MtColor *color,
           double         opacity)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * opacity);
}

static const MtColor *
series_color (const MtPlotPalette *palette,
              guint                series)
{
  if (series == MT_PLOT_SERIES_EDITED)
    return &palette->text;
  /* The fifth run has the first one's shape in the second one's color, and so on. */
  return &palette->series[(series + series / MT_PLOT_N_SERIES) % MT_PLOT_N_SERIES];
}

static void
draw_texts (cairo_t             *cr,
            GArray              *texts,
            MtPlotFonts         *fonts,
            const MtPlotPalette *palette)
{
  const MtColor *inks[] = {
    [MT_PLOT_INK_DIM] = &palette->dim,
    [MT_PLOT_INK_TEXT] = &palette->text,
    [MT_PLOT_INK_ZONE] = &palette->zone_text,
    [MT_PLOT_INK_BADGE] = &palette->badge_text,
  };

  for (guint i = 0; i < texts->len; i++)
    {
      const MtPlotText *text = &g_array_index (texts, MtPlotText, i);

      pango_layout_set_font_description (fonts->layout, fonts->fonts[text->font]);
      pango_layout_set_text (fonts->layout, text->text, -1);
      set_color (cr, text->ink == MT_PLOT_INK_SERIES ? series_color (palette, text->series) : inks[text->ink]);
      cairo_move_to (cr, text->box.x, text->box.y);
      pango_cairo_update_layout (cr, fonts->layout);
      pango_cairo_show_layout (cr, fonts->layout);
    }
}

/* --- shapes --- */

static void
line (cairo_t *cr,
      double   x1,
      double   y1,
      double   x2,
      double   y2)
{
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_stroke (cr);
}

/* Of a model that a person has had a hand in. */
static void
trace_star (cairo_t *cr,
            double   x,
            double   y,
            double   r)
{
  for (guint i = 0; i < 10; i++)
    {
      double angle = i * G_PI / 5 - G_PI / 2, radius = i % 2 == 0 ? r : r * 0.46;

      cairo_line_to (cr, x + radius * cos (angle), y + radius * sin (angle));
    }
  cairo_close_path (cr);
}

/* Equal areas, so that no run looks more important. */
static void
trace_mark (cairo_t *cr,
            guint    series,
            double   x,
            double   y,
            double   r)
{
  double side;

  cairo_new_path (cr);
  if (series == MT_PLOT_SERIES_EDITED)
    {
      trace_star (cr, x, y, r * 1.35);
      return;
    }
  switch (series % MT_PLOT_N_SERIES)
    {
    case 0:
      cairo_arc (cr, x, y, r, 0, 2 * G_PI);
      break;
    case 1:
      side = r * 0.9;
      cairo_rectangle (cr, x - side, y - side, 2 * side, 2 * side);
      break;
    case 2:
      side = r * 1.15;
      cairo_move_to (cr, x, y - side);
      cairo_line_to (cr, x + side, y + side * 0.8);
      cairo_line_to (cr, x - side, y + side * 0.8);
      break;
    case 3:
    default:
      side = r * 1.2;
      cairo_move_to (cr, x, y - side);
      cairo_line_to (cr, x + side, y);
      cairo_line_to (cr, x, y + side);
      cairo_line_to (cr, x - side, y);
    }
  cairo_close_path (cr);
}

static gboolean
is_other (guint series)
{
  return series != MT_PLOT_SERIES_EDITED && (series & MT_PLOT_SERIES_OTHER) != 0;
}

/* What stands apart is an outline. */
static void
paint_mark (cairo_t *cr,
            guint    series)
{
  if (series == MT_PLOT_SERIES_EDITED || (series & (MT_PLOT_SERIES_APART | MT_PLOT_SERIES_OTHER)) == 0)
    {
      cairo_fill (cr);
      return;
    }
  cairo_set_line_width (cr, is_other (series) ? 1.75 : 1.25);
  cairo_stroke (cr);
}

void
mt_draw_plot_mark (cairo_t             *cr,
                   const MtPlotPalette *palette,
                   guint                series,
                   double               x,
                   double               y,
                   double               radius)
{
  g_return_if_fail (cr != NULL && palette != NULL);

  set_color (cr, series_color (palette, series));
  trace_mark (cr, series, x, y, radius);
  paint_mark (cr, series);
}

static void
trace_rounded (cairo_t     *cr,
               const MtBox *box,
               double       radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, box->x + box->width - radius, box->y + radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, box->x + box->width - radius, box->y + box->height - radius, radius, 0, G_PI / 2);
  cairo_arc (cr, box->x + radius, box->y + box->height - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, box->x + radius, box->y + radius, radius, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
draw_grid (cairo_t             *cr,
           const MtBox         *area,
           const MtAxis        *y,
           const MtPlotPalette *palette)
{
  set_color (cr, &palette->grid);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < y->n_ticks; i++)
    {
      double at = round (area->y + (1 - y->ticks[i].position) * area->height) + 0.5;

      line (cr, area->x, at, area->x + area->width, at);
    }
}

static void
draw_x_axis (cairo_t             *cr,
             const MtBox         *area,
             const MtAxis        *x,
             const MtPlotPalette *palette)
{
  double bottom = round (area->y + area->height) + 0.5;

  set_color (cr, &palette->axis);
  cairo_set_line_width (cr, 1);
  line (cr, area->x, bottom, area->x + area->width, bottom);
  for (guint i = 0; i < x->n_ticks; i++)
    {
      double at = round (area->x + x->ticks[i].position * area->width) + 0.5;

      line (cr, at, bottom, at, bottom + (x->ticks[i].major ? 5 : 3));
    }
}

/* Of a part shown, what belongs to other parts stays out; a mark at the edge may stick out. */
static void
clip_to_area (cairo_t     *cr,
              const MtBox *area)
{
  cairo_rectangle (cr, area->x, area->y - 1, area->width, area->height + 2);
  cairo_clip (cr);
}

static void
draw_zone (cairo_t             *cr,
           const MtPlotLayout  *layout,
           const MtPlotPalette *palette)
{
  static const double dashes[] = { 5, 4 };
  const MtBox *area = &layout->area;

  if (isnan (layout->zone_right))
    return;
  set_color (cr, &palette->zone);
  cairo_rectangle (cr, area->x, area->y, layout->zone_right - area->x, area->height);
  cairo_fill (cr);
  if (!layout->zone_edge)
    return;
  set_color (cr, &palette->zone_text);
  cairo_set_line_width (cr, 1.25);
  cairo_set_dash (cr, dashes, 2, 0);
  line (cr, layout->zone_right, area->y, layout->zone_right, area->y + area->height);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_benchmarks (cairo_t             *cr,
                 const MtPlotLayout  *layout,
                 const MtPlotPalette *palette)
{
  static const double dashes[] = { 6, 4 };
  static const double dots[] = { 1.5, 3 };

  set_color (cr, &palette->dim);
  cairo_set_line_width (cr, 1.25);
  for (guint i = 0; i < layout->benchmarks->len; i++)
    {
      const MtPlotLine *level = &g_array_index (layout->benchmarks, MtPlotLine, i);

      cairo_set_dash (cr, level->dashed ? dashes : dots, 2, 0);
      line (cr, layout->area.x, level->y, layout->area.x + layout->area.width, level->y);
    }
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_stairs (cairo_t             *cr,
             const MtPlotLayout  *layout,
             const MtPlotPalette *palette)
{
  if (layout->stairs->len == 0)
    return;
  set_faded (cr, &palette->text, 0.55);
  cairo_set_line_width (cr, 1.75);
  cairo_new_path (cr);
  for (guint i = 0; i < layout->stairs->len; i++)
    {
      const MtXY *corner = &g_array_index (layout->stairs, MtXY, i);

      cairo_line_to (cr, corner->x, corner->y);
    }
  cairo_stroke (cr);
}

static void
draw_error_bar (cairo_t             *cr,
                const MtPlotMark    *mark,
                const MtPlotPalette *palette)
{
  if (isnan (mark->low))
    return;
  if (mark->crowded || is_other (mark->series))
    {
      set_faded (cr, series_color (palette, mark->series), palette->faded);
      cairo_set_line_width (cr, 1);
      line (cr, mark->x, mark->low, mark->x, mark->high);
      return;
    }
  set_color (cr, series_color (palette, mark->series));
  cairo_set_line_width (cr, 1.5);
  line (cr, mark->x, mark->low, mark->x, mark->high);
  line (cr, mark->x - 4, mark->low, mark->x + 4, mark->low);
  line (cr, mark->x - 4, mark->high, mark->x + 4, mark->high);
}

static void
draw_error_bars (cairo_t             *cr,
                 const MtPlotLayout  *layout,
                 const MtPlotPalette *palette)
{
  for (guint i = 0; i < layout->n_marks; i++)
    if (layout->marks[i].visible)
      draw_error_bar (cr, &layout->marks[i], palette);
}

static void
draw_ring (cairo_t             *cr,
           const MtPlotMark    *mark,
           const MtPlotPalette *palette,
           double               radius,
           double               width)
{
  cairo_new_path (cr);
  cairo_arc (cr, mark->x, mark->y, radius, 0, 2 * G_PI);
  set_color (cr, &palette->background);
  cairo_fill_preserve (cr);
  set_color (cr, &palette->accent);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
  mt_draw_plot_mark (cr, palette, mark->series, mark->x, mark->y, mark->radius);
}

/* A rim in the color behind keeps points apart that touch. */
static void
draw_rimmed (cairo_t             *cr,
             const MtPlotMark    *mark,
             const MtPlotPalette *palette)
{
  trace_mark (cr, mark->series, mark->x, mark->y, mark->radius + 1.25);
  set_color (cr, &palette->background);
  cairo_fill (cr);
  mt_draw_plot_mark (cr, palette, mark->series, mark->x, mark->y, mark->radius);
}

static void
draw_marks (cairo_t             *cr,
            const MtPlotLayout  *layout,
            const MtPlotPalette *palette)
{
  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];

      if (!mark->visible || !mark->dominated || mark->series == MT_PLOT_SERIES_EDITED || is_other (mark->series))
        continue;
      set_faded (cr, series_color (palette, mark->series), palette->faded);
      trace_mark (cr, mark->series, mark->x, mark->y, mark->radius);
      paint_mark (cr, mark->series);
    }
  for (guint i = 0; i < layout->n_marks; i++)
    if (layout->marks[i].visible && is_other (layout->marks[i].series))
      mt_draw_plot_mark (cr, palette, layout->marks[i].series, layout->marks[i].x, layout->marks[i].y, layout->marks[i].radius);
  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];

      if (mark->visible && !mark->dominated && mark->series != MT_PLOT_SERIES_EDITED)
        draw_rimmed (cr, mark, palette);
    }
}

/* Over the rings: a model that was edited a little lies where the recommended one does. */
static void
draw_edited (cairo_t             *cr,
             const MtPlotLayout  *layout,
             const MtPlotPalette *palette)
{
  for (guint i = 0; i < layout->n_marks; i++)
    if (layout->marks[i].visible && layout->marks[i].series == MT_PLOT_SERIES_EDITED)
      draw_rimmed (cr, &layout->marks[i], palette);
}

static void
draw_legend (cairo_t             *cr,
             const MtPlotLayout  *layout,
             const MtPlotPalette *palette)
{
  for (guint i = 0; i < layout->legend->len; i++)
    {
      const MtPlotLegendMark *mark = &g_array_index (layout->legend, MtPlotLegendMark, i);

      if (mark->series != MT_PLOT_SERIES_NONE)
        mt_draw_plot_mark (cr, palette, mark->series, mark->x, mark->y, 5);
    }
}

static void
draw_callout (cairo_t             *cr,
              const MtPlotLayout  *layout,
              const MtPlotPalette *palette)
{
  if (layout->callout.width <= 0)
    return;
  set_color (cr, &palette->accent);
  cairo_set_line_width (cr, 1.5);
  cairo_new_path (cr);
  for (guint i = 0; i < G_N_ELEMENTS (layout->leader); i++)
    cairo_line_to (cr, layout->leader[i].x, layout->leader[i].y);
  cairo_stroke (cr);
  trace_rounded (cr, &layout->callout, 8);
  set_color (cr, &palette->background);
  cairo_fill_preserve (cr);
  set_color (cr, &palette->accent);
  cairo_stroke (cr);
}

static void
draw_badges (cairo_t             *cr,
             const MtPlotLayout  *layout,
             const MtPlotPalette *palette)
{
  set_color (cr, &palette->badge);
  for (guint i = 0; i < G_N_ELEMENTS (layout->badges); i++)
    {
      const MtBox *box = &layout->badges[i];
      const MtXY *stalk = layout->stalks[i];

      if (box->width <= 0)
        continue;
      cairo_new_path (cr);
      cairo_move_to (cr, stalk[0].x, stalk[0].y);
      cairo_line_to (cr, stalk[1].x, stalk[1].y);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
      cairo_arc (cr, stalk[1].x, stalk[1].y, box->width / 2, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  cairo_new_path (cr);
}

void
mt_draw_plot (cairo_t             *cr,
              const MtPlotLayout  *layout,
              MtPlotFonts         *fonts,
              const MtPlotPalette *palette)
{
  g_return_if_fail (cr != NULL && layout != NULL && fonts != NULL && palette != NULL);

  cairo_save (cr);
  draw_zone (cr, layout, palette);
  draw_grid (cr, &layout->area, &layout->y, palette);
  draw_benchmarks (cr, layout, palette);
  cairo_save (cr);
  clip_to_area (cr, &layout->area);
  draw_stairs (cr, layout, palette);
  draw_error_bars (cr, layout, palette);
  cairo_restore (cr);
  draw_marks (cr, layout, palette);
  draw_callout (cr, layout, palette);
  if (layout->selected >= 0 && layout->selected != layout->recommended)
    draw_ring (cr, &layout->marks[layout->selected], palette, 10, 1.5);
  if (layout->recommended >= 0)
    draw_ring (cr, &layout->marks[layout->recommended], palette, 12, 3);
  draw_edited (cr, layout, palette);
  draw_legend (cr, layout, palette);
  draw_badges (cr, layout, palette);
  draw_x_axis (cr, &layout->area, &layout->x, palette);
  draw_texts (cr, layout->texts, fonts, palette);
  cairo_restore (cr);
}

/* A small card with one bold and one plain line. */
static void
draw_note (cairo_t             *cr,
           const MtPlotLayout  *layout,
           MtPlotFonts         *fonts,
           const MtPlotPalette *palette,
           int                  index,
           const char          *title,
           const char          *text)
{
  const double pad = 8;
  double title_width, title_height, text_width = 0, text_height = 0;
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (MtPlotText));
  MtPlotText line;
  MtBox box;

  mt_plot_measure (title, MT_PLOT_FONT_STRONG, &title_width, &title_height, fonts);
  if (text != NULL)
    mt_plot_measure (text, MT_PLOT_FONT_TICK, &text_width, &text_height, fonts);
  mt_plot_layout_place_note (layout, index, MAX (title_width, text_width) + 2 * pad,
                             title_height + text_height + 1.5 * pad, &box);
  trace_rounded (cr, &box, 6);
  set_color (cr, &palette->background);
  cairo_fill_preserve (cr);
  set_color (cr, &palette->axis);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  line = (MtPlotText) { { box.x + pad, box.y + 0.75 * pad, title_width, title_height }, (char *) title,
                        MT_PLOT_FONT_STRONG, MT_PLOT_INK_TEXT, 0 };
  g_array_append_val (texts, line);
  line = (MtPlotText) { { box.x + pad, box.y + 0.75 * pad + title_height, text_width, text_height }, (char *) text,
                        MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, 0 };
  if (text != NULL)
    g_array_append_val (texts, line);
  draw_texts (cr, texts, fonts, palette);
}

void
mt_draw_plot_highlight (cairo_t             *cr,
                        const MtPlotLayout  *layout,
                        MtPlotFonts         *fonts,
                        const MtPlotPalette *palette,
                        int                  index,
                        const char          *title,
                        const char          *text)
{
  const MtPlotMark *mark;

  g_return_if_fail (cr != NULL && layout != NULL && palette != NULL);

  if (index < 0 || (guint) index >= layout->n_marks || !layout->marks[index].visible)
    return;
  mark = &layout->marks[index];
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_arc (cr, mark->x, mark->y, mark->radius + 7, 0, 2 * G_PI);
  set_faded (cr, &palette->accent, 0.22);
  cairo_fill_preserve (cr);
  set_color (cr, &palette->accent);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  mt_draw_plot_mark (cr, palette, mark->series, mark->x, mark->y, mark->radius);
  if (title != NULL)
    draw_note (cr, layout, fonts, palette, index, title, text);
  cairo_restore (cr);
}

static void
draw_curve (cairo_t             *cr,
            const MtCurveLine   *curve,
            const MtPlotPalette *palette)
{
  static const double dashes[] = { 5, 3 };
  gboolean broken = TRUE;

  set_color (cr, series_color (palette, curve->series));
  cairo_set_line_width (cr, curve->dashed ? 1.75 : 2.25);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash (cr, curve->dashed ? dashes : NULL, curve->dashed ? 2 : 0, 0);
  cairo_new_path (cr);
  for (guint i = 0; i < curve->points->len; i++)
    {
      const MtXY *point = &g_array_index (curve->points, MtXY, i);

      if (isnan (point->x))
        broken = TRUE;
      else if (broken)
        cairo_move_to (cr, point->x, point->y);
      else
        cairo_line_to (cr, point->x, point->y);
      broken = isnan (point->x);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (!curve->dashed && !isnan (curve->end.x))
    {
      cairo_arc (cr, curve->end.x, curve->end.y, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

void
mt_draw_curves (cairo_t              *cr,
                const MtCurvesLayout *layout,
                MtPlotFonts          *fonts,
                const MtPlotPalette  *palette)
{
  static const double dots[] = { 1.5, 2.5 };

  g_return_if_fail (cr != NULL && layout != NULL && fonts != NULL && palette != NULL);

  cairo_save (cr);
  draw_grid (cr, &layout->area, &layout->y, palette);
  if (!isnan (layout->best.x))
    {
      set_color (cr, &palette->dim);
      cairo_set_line_width (cr, 1.25);
      cairo_set_dash (cr, dots, 2, 0);
      line (cr, layout->best.x, layout->area.y, layout->best.x, layout->area.y + layout->area.height);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  /* The first is the one that counts: it lies on top. */
  for (guint i = layout->n_lines; i > 0; i--)
    draw_curve (cr, &layout->lines[i - 1], palette);
  if (!isnan (layout->best.x))
    {
      cairo_new_path (cr);
      cairo_arc (cr, layout->best.x, layout->best.y, 5.5, 0, 2 * G_PI);
      set_color (cr, &palette->background);
      cairo_fill_preserve (cr);
      set_color (cr, series_color (palette, layout->best_series));
      cairo_set_line_width (cr, 2.25);
      cairo_stroke (cr);
    }
  draw_x_axis (cr, &layout->area, &layout->x, palette);
  draw_texts (cr, layout->texts, fonts, palette);
  cairo_restore (cr);
}
