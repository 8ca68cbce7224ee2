/* A small chart of numbers against numbers: lines, dashed lines and dots, two axes, a legend below. See mt-
 * draw-chart.h. */
#include "config.h"
#include "mt-draw-chart.h"

#include <math.h>

#include "mt-axis.h"
#include "mt-draw-chart-private.h"
#include "mt-draw-plot.h"
#include "mt-draw-private.h"

#define FONT        "Cantarell, Sans"
#define SIZE        9.5
#define LEFT        52.0      /* labels and title of the y axis */
#define BOTTOM      38.0      /* of the x axis */
#define TOP         6.0
#define RIGHT       14.0      /* half of the last label */
#define LEGEND      16.0      /* a line of it */
#define KEY         22.0      /* its sample */
#define TICK        4.0
#define DOT         1.6
#define RING        4.5

typedef struct {
  MtChartKind  kind;
  char        *label;
  double      *x, *y;
  gsize        n;
} Series;

struct _MtChart {
  char   *titles[2];
  double  low[2], high[2];    /* NaN: to be found */
  GArray *series;             /* of Series */
  double  width, height;      /* of the area */
  guint   per_year;           /* periods of the x axis; 0: it has numbers */
};

static void
series_clear (gpointer data)
{
  Series *series = data;

  g_free (series->label);
  g_free (series->x);
  g_free (series->y);
}

MtChart *
mt_chart_new (const char *x_title,
              double      x_low,
              double      x_high,
              const char *y_title,
              double      y_low,
              double      y_high)
{
  MtChart *chart = g_new0 (MtChart, 1);

  *chart = (MtChart) { { g_strdup (x_title), g_strdup (y_title) }, { x_low, y_low }, { x_high, y_high },
                       g_array_new (FALSE, TRUE, sizeof (Series)), 0, 0 };
  g_array_set_clear_func (chart->series, series_clear);
  return chart;
}

void
_mt_chart_set_periods (MtChart *chart,
                       guint    per_year)
{
  chart->per_year = per_year;
}

static void
write_period (char  *label,
              gsize  size,
              guint  per_year,
              int    number)
{
  if (per_year == 12)
    g_snprintf (label, size, "%04d-%02d", number / 12, number % 12 + 1);
  else if (per_year == 4)
    g_snprintf (label, size, "%04d Q%d", number / 4, number % 4 + 1);
  else
    g_snprintf (label, size, "%04d", number);
}

/* Steps divide a year, or are whole years, so that the same months have labels in every year. */
void
_mt_chart_place_period_ticks (MtAxis      *axis,
                              guint        per_year,
                              double       length,
                              double       gap,
                              MtLabelRoom  room,
                              gpointer     data)
{
  static const guint of_year[] = { 1, 2, 3, 4, 6 }, years[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
  int first = (int) ceil (axis->low * per_year - 0.5 - 1e-6), last = (int) floor (axis->high * per_year - 0.5 + 1e-6);
  double each = length / ((axis->high - axis->low) * per_year);
  guint step = 0;
  char label[32];
  double wanted;

  write_period (label, sizeof label, per_year, first);
  wanted = room (label, data) + gap;
  for (guint i = 0; i < G_N_ELEMENTS (of_year) && step == 0; i++)
    if (per_year % of_year[i] == 0 && of_year[i] < per_year && of_year[i] * each >= wanted)
      step = of_year[i];
  for (guint i = 0; i < G_N_ELEMENTS (years) && step == 0; i++)
    if (years[i] * per_year * each >= wanted || i + 1 == G_N_ELEMENTS (years))
      step = years[i] * per_year;
  g_free (axis->ticks);
  axis->ticks = g_new0 (MtTick, (gsize) MAX (last - first + 1, 1));
  axis->n_ticks = 0;
  if ((last / (int) step) * (int) step < first)   /* no round one: that in the middle */
    first = last = (first + last) / 2, step = 1;
  for (int number = first; number <= last; number++)
    if (number % (int) step == 0)
      {
        MtTick *tick = &axis->ticks[axis->n_ticks++];

        tick->value = (number + 0.5) / per_year;
        tick->position = mt_axis_position (axis, tick->value);
        write_period (tick->label, sizeof tick->label, per_year, number);
        tick->major = (1 - tick->position) * length >= room (tick->label, data) / 2 - RIGHT;   /* else it would be cut */
      }
}

void
mt_chart_free (MtChart *chart)
{
  g_free (chart->titles[0]);
  g_free (chart->titles[1]);
  g_array_unref (chart->series);
  g_free (chart);
}

void
mt_chart_add (MtChart      *chart,
              MtChartKind   kind,
              const char   *label,
              const double *x,
              const double *y,
              gsize         n)
{
  const Series series = { kind, g_strdup (label), g_memdup2 (x, n * sizeof *x), g_memdup2 (y, n * sizeof *y), n };

  g_array_append_val (chart->series, series);
}

static guint
count_labels (const MtChart *chart)
{
  guint n = 0;

  for (guint i = 0; i < chart->series->len; i++)
    n += g_array_index (chart->series, Series, i).label != NULL;
  return n;
}

void
mt_chart_measure (MtChart *chart,
                  double   width,
                  double   height,
                  double  *whole_width,
                  double  *whole_height)
{
  chart->width = width;
  chart->height = height;
  mt_chart_get_margins (chart, whole_width, whole_height);
  *whole_width += width;
  *whole_height += height;
}

double
mt_chart_get_font_size (void)
{
  return SIZE;
}

void
mt_chart_get_margins (const MtChart *chart,
                      double        *horizontal,
                      double        *vertical)
{
  *horizontal = LEFT + RIGHT;
  *vertical = TOP + BOTTOM + LEGEND * count_labels (chart);
}

/* --- painting --- */

typedef struct {
  cairo_t       *cr;
  PangoLayout   *layout;
  MtPlotPalette  palette;
  MtAxis         axes[2];
} Brush;

static void
find_ends (const MtChart *chart,
           guint          axis,
           double        *low,
           double        *high)
{
  double least = INFINITY, most = -INFINITY;

  for (guint i = 0; i < chart->series->len; i++)
    {
      const Series *series = &g_array_index (chart->series, Series, i);
      const double *values = axis == 0 ? series->x : series->y;

      for (gsize k = 0; k < series->n; k++)
        if (isfinite (series->x[k]) && isfinite (series->y[k]))
          {
            least = fmin (least, values[k]);
            most = fmax (most, values[k]);
          }
    }
  *low = isfinite (chart->low[axis]) ? chart->low[axis] : least;
  *high = isfinite (chart->high[axis]) ? chart->high[axis] : most;
}

static void
set_text (Brush      *brush,
          const char *text,
          double      most,      /* of its width; negative: any */
          double     *width,
          double     *height)
{
  int w, h;

  pango_layout_set_width (brush->layout, most > 0 ? (int) (most * PANGO_SCALE) : -1);
  pango_layout_set_text (brush->layout, text, -1);
  pango_layout_get_size (brush->layout, &w, &h);
  *width = w / (double) PANGO_SCALE;
  *height = h / (double) PANGO_SCALE;
}

static double
label_width (const char *label,
             gpointer    data)
{
  double width, height;

  set_text (data, label, -1, &width, &height);
  return width;
}

static double
label_height (const char *label,
              gpointer    data)
{
  double width, height;

  set_text (data, label, -1, &width, &height);
  return height;
}

static void
show_text (Brush      *brush,
           const char *text,
           double      x,
           double      y,
           double      most)
{
  double width, height;

  set_text (brush, text, most, &width, &height);
  cairo_move_to (brush->cr, x, y);
  pango_cairo_show_layout (brush->cr, brush->layout);
}

static double
place_x (const Brush   *brush,
         const MtChart *chart,
         double         value)
{
  return LEFT + mt_axis_position (&brush->axes[0], value) * chart->width;
}

static double
place_y (const Brush   *brush,
         const MtChart *chart,
         double         value)
{
  return TOP + (1 - mt_axis_position (&brush->axes[1], value)) * chart->height;
}

static void
draw_axes (Brush         *brush,
           const MtChart *chart)
{
  cairo_t *cr = brush->cr;
  double width, height;

  cairo_set_line_width (cr, 0.7);
  for (guint a = 0; a < 2; a++)
    for (guint i = 0; i < brush->axes[a].n_ticks; i++)
      {
        const MtTick *tick = &brush->axes[a].ticks[i];
        double at = a == 0 ? place_x (brush, chart, tick->value) : place_y (brush, chart, tick->value);

        if (!tick->major || tick->position < -1e-9 || tick->position > 1 + 1e-9)
          continue;
        mt_draw_set_color (cr, &brush->palette.grid, 1);
        cairo_move_to (cr, a == 0 ? at : LEFT, a == 0 ? TOP : at);
        cairo_line_to (cr, a == 0 ? at : LEFT + chart->width, a == 0 ? TOP + chart->height : at);
        cairo_stroke (cr);
        mt_draw_set_color (cr, &brush->palette.dim, 1);
        set_text (brush, tick->label, -1, &width, &height);
        if (a == 0)
          show_text (brush, tick->label, at - width / 2, TOP + chart->height + TICK, -1);
        else
          show_text (brush, tick->label, LEFT - TICK - width, at - height / 2, -1);
      }
  mt_draw_set_color (cr, &brush->palette.axis, 1);
  cairo_move_to (cr, LEFT, TOP);
  cairo_line_to (cr, LEFT, TOP + chart->height);
  cairo_line_to (cr, LEFT + chart->width, TOP + chart->height);
  cairo_stroke (cr);
  mt_draw_set_color (cr, &brush->palette.text, 1);
  set_text (brush, chart->titles[0], chart->width, &width, &height);
  show_text (brush, chart->titles[0], LEFT + (chart->width - width) / 2, TOP + chart->height + TICK + height + 2,
             chart->width);
  set_text (brush, chart->titles[1], chart->height, &width, &height);
  cairo_save (cr);
  cairo_translate (cr, 0, TOP + (chart->height + width) / 2);
  cairo_rotate (cr, -G_PI_2);
  show_text (brush, chart->titles[1], 0, 0, chart->height);
  cairo_restore (cr);
}

static void
trace (Brush         *brush,
       const MtChart *chart,
       const Series  *series)
{
  gboolean is_down = FALSE;

  for (gsize k = 0; k < series->n; k++)
    {
      if (!isfinite (series->x[k]) || !isfinite (series->y[k]))
        is_down = FALSE;
      else if (is_down)
        cairo_line_to (brush->cr, place_x (brush, chart, series->x[k]), place_y (brush, chart, series->y[k]));
      else
        {
          cairo_move_to (brush->cr, place_x (brush, chart, series->x[k]), place_y (brush, chart, series->y[k]));
          is_down = TRUE;
        }
    }
  cairo_stroke (brush->cr);
}

static void
draw_dot (cairo_t *cr,
          double   x,
          double   y,
          double   radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void
draw_ring (cairo_t *cr,
           double   x,
           double   y)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, RING, 0, 2 * G_PI);
  cairo_stroke (cr);
}

static void
set_pen (Brush        *brush,
         const Series *series,
         guint         number)
{
  static const double gaps[] = { 3, 3 };
  /* Beyond four, lines of the same color are broken differently. */
  const double breaks[] = { 8.0 - 2 * (number / MT_PLOT_N_SERIES % 4), 2 };
  gboolean is_reference = series->kind == MT_CHART_DASHED;

  if (is_reference)
    mt_draw_set_color (brush->cr, &brush->palette.dim, 1);
  else if (series->kind == MT_CHART_MARK)
    mt_draw_set_color (brush->cr, &brush->palette.text, 1);
  else
    mt_draw_set_color (brush->cr, &brush->palette.series[number % MT_PLOT_N_SERIES],
                       series->kind == MT_CHART_DOTS ? .55 : 1);
  cairo_set_line_width (brush->cr, is_reference ? 0.8 : 1.4);
  if (is_reference)
    cairo_set_dash (brush->cr, gaps, 2, 0);
  else
    cairo_set_dash (brush->cr, breaks, number >= MT_PLOT_N_SERIES ? 2 : 0, 0);
}

static void
draw_series (Brush         *brush,
             const MtChart *chart,
             const Series  *series,
             guint          number)
{
  set_pen (brush, series, number);
  if (series->kind == MT_CHART_MARK)
    cairo_set_dash (brush->cr, NULL, 0, 0);
  else if (series->kind != MT_CHART_DOTS)
    trace (brush, chart, series);
  for (gsize k = 0; k < series->n && series->kind == MT_CHART_MARK; k++)
    if (isfinite (series->x[k]) && isfinite (series->y[k]))
      draw_ring (brush->cr, place_x (brush, chart, series->x[k]), place_y (brush, chart, series->y[k]));
  for (gsize k = 0; k < series->n && (series->kind == MT_CHART_DOTS || series->kind == MT_CHART_DOTTED_LINE); k++)
    if (isfinite (series->x[k]) && isfinite (series->y[k]))
      draw_dot (brush->cr, place_x (brush, chart, series->x[k]), place_y (brush, chart, series->y[k]),
                series->kind == MT_CHART_DOTS ? DOT : DOT * 1.5);
}

static void
draw_key (Brush         *brush,
          const MtChart *chart,
          const Series  *series,
          guint          number,
          double         y)
{
  double middle = y + LEGEND / 2;

  set_pen (brush, series, number);
  if (series->kind == MT_CHART_MARK)
    {
      cairo_set_dash (brush->cr, NULL, 0, 0);
      draw_ring (brush->cr, LEFT + KEY / 2, middle);
    }
  else if (series->kind != MT_CHART_DOTS)
    {
      cairo_move_to (brush->cr, LEFT, middle);
      cairo_line_to (brush->cr, LEFT + KEY, middle);
      cairo_stroke (brush->cr);
    }
  if (series->kind == MT_CHART_DOTS || series->kind == MT_CHART_DOTTED_LINE)
    draw_dot (brush->cr, LEFT + KEY / 2, middle, DOT * 1.5);
  mt_draw_set_color (brush->cr, &brush->palette.text, 1);
  show_text (brush, series->label, LEFT + KEY + 6, y + 2, chart->width - KEY - 6);
}

static void
draw_all (Brush         *brush,
          const MtChart *chart)
{
  double y = TOP + chart->height + BOTTOM;

  cairo_save (brush->cr);
  cairo_rectangle (brush->cr, LEFT - 2, TOP - 2, chart->width + 4, chart->height + 4);
  cairo_clip (brush->cr);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0, number = 0; i < chart->series->len; i++)
      {
        const Series *series = &g_array_index (chart->series, Series, i);

        if ((series->kind == MT_CHART_DASHED) == (pass == 0))
          draw_series (brush, chart, series, number);
        number += series->kind != MT_CHART_DASHED;
      }
  cairo_restore (brush->cr);
  for (guint i = 0, number = 0; i < chart->series->len; i++)
    {
      const Series *series = &g_array_index (chart->series, Series, i);

      if (series->label != NULL)
        {
          draw_key (brush, chart, series, number, y);
          y += LEGEND;
        }
      number += series->kind != MT_CHART_DASHED;
    }
}

void
mt_chart_paint_in (cairo_t             *cr,
                   PangoContext        *context,
                   const MtPlotPalette *palette,
                   char                 decimal,
                   const MtChart       *chart)
{
  PangoFontDescription *font = pango_font_description_from_string (FONT);
  Brush brush = { .cr = cr, .layout = pango_layout_new (context), .palette = *palette };

  pango_font_description_set_absolute_size (font, SIZE * PANGO_SCALE);
  pango_layout_set_font_description (brush.layout, font);
  pango_layout_set_single_paragraph_mode (brush.layout, TRUE);
  pango_layout_set_ellipsize (brush.layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_auto_dir (brush.layout, FALSE);
  for (guint a = 0; a < 2; a++)
    {
      double low, high;

      find_ends (chart, a, &low, &high);
      mt_axis_init (&brush.axes[a], low, high, FALSE, decimal);
      if (a == 0 && chart->per_year > 0)
        _mt_chart_place_period_ticks (&brush.axes[0], chart->per_year, chart->width, 12, label_width, &brush);
      else
        mt_axis_place_ticks (&brush.axes[a], a == 0 ? chart->width : chart->height, 12, 0,
                             a == 0 ? label_width : label_height, &brush);
    }
  cairo_save (cr);
  draw_axes (&brush, chart);
  draw_all (&brush, chart);
  cairo_restore (cr);
  mt_axis_clear (&brush.axes[0]);
  mt_axis_clear (&brush.axes[1]);
  g_object_unref (brush.layout);
  pango_font_description_free (font);
}

void
mt_chart_paint (cairo_t         *cr,
                PangoContext    *context,
                const MtPalette *palette,
                gpointer         data)
{
  MtPlotPalette in;

  mt_plot_palette_init (&in, FALSE, FALSE);
  in.text = palette->text;
  in.dim = palette->dim;
  mt_chart_paint_in (cr, context, &in, '.', data);
}
