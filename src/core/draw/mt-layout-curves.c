/* A line of more steps than twice the pixels is thinned: of each pixel's column its first,
 * lowest, highest and last value stay, so that no spike is lost. */
#include "config.h"
#include "mt-layout-curves.h"

#include <math.h>

#define BEST_PLACES 30    /* above and below: in the middle, at the right, at the left, and these two farther off */
#define GAP         6.0
#define TICK_LENGTH 5.0
#define Y_TICK_GAP  22.0
#define RING        7.0
#define END_PLACES 24   /* where the name of a line may go: half a line up or down each time */

typedef struct {
  const MtCurvesSpec *spec;
  MtCurvesLayout     *layout;
  MtPlotMeasure       measure;
  gpointer            measure_data;
} Build;

void
mt_curves_spec_init (MtCurvesSpec *spec)
{
  g_return_if_fail (spec != NULL);

  *spec = (MtCurvesSpec) { .best_curve = -1, .y_low = NAN, .y_high = NAN, .decimal = '.' };
}

static void
size_of (Build      *build,
         const char *text,
         MtPlotFont  font,
         double     *width,
         double     *height)
{
  build->measure (text, font, width, height, build->measure_data);
}

static double
tick_width (const char *text,
            gpointer    data)
{
  double width, height;

  size_of (data, text, MT_PLOT_FONT_TICK, &width, &height);
  return width;
}

static double
tick_height (const char *text,
             gpointer    data)
{
  double width, height;

  size_of (data, text, MT_PLOT_FONT_TICK, &width, &height);
  return height;
}

static void
find_ranges (Build *build)
{
  const MtCurvesSpec *spec = build->spec;
  double low = INFINITY, high = -INFINITY;
  double steps = spec->x_high;

  for (guint i = 0; i < spec->n_curves; i++)
    {
      steps = MAX (steps, spec->curves[i].n);
      for (guint j = 0; j < spec->curves[i].n; j++)
        if (isfinite (spec->curves[i].y[j]))
          {
            low = MIN (low, spec->curves[i].y[j]);
            high = MAX (high, spec->curves[i].y[j]);
          }
    }
  mt_axis_init (&build->layout->x, 0, MAX (steps, 1), FALSE, spec->decimal);
  mt_axis_init (&build->layout->y, isfinite (spec->y_low) ? spec->y_low : low,
                isfinite (spec->y_high) ? spec->y_high : high, FALSE, spec->decimal);
}

/* How high the area is, which ticks that allows, and how wide their labels are: the area begins right of them. */
static void
place_y_axis (Build *build)
{
  MtCurvesLayout *layout = build->layout;
  double line = tick_height ("0", build);
  double bottom = TICK_LENGTH + line + 3 + (build->spec->x_title != NULL ? line + GAP : 0);
  double widest = 0;

  layout->area.y = line / 2 + 1;
  layout->area.height = MAX (layout->height - layout->area.y - bottom, 1);
  mt_axis_extend_to_ticks (&layout->y, layout->area.height, Y_TICK_GAP, 0, tick_height, build);
  for (guint i = 0; i < layout->y.n_ticks; i++)
    widest = MAX (widest, tick_width (layout->y.ticks[i].label, build));
  layout->area.x = MAX (widest + GAP + 3, build->spec->margin);
}

static void
place_x_axis (Build *build)
{
  MtCurvesLayout *layout = build->layout;

  layout->area.width = MAX (layout->width - layout->area.x - 2 * GAP, 1);
  mt_axis_place_ticks (&layout->x, layout->area.width, 8 * GAP, 1, tick_width, build);
}

static MtXY
place_of (const MtCurvesLayout *layout,
          guint                 step,
          double                value)
{
  double down = CLAMP (1 - mt_axis_position (&layout->y, value), 0, 1);

  return (MtXY) { layout->area.x + mt_axis_position (&layout->x, step) * layout->area.width,
                  layout->area.y + down * layout->area.height };
}

static void
add_point (GArray *points,
           MtXY    point)
{
  g_array_append_val (points, point);
}

/* Steps @from … @to - 1 share a pixel's column. */
static void
add_column (const MtCurvesLayout *layout,
            const MtCurve        *curve,
            guint                 from,
            guint                 to,
            GArray               *points)
{
  guint keep[4] = { from, from, from, to - 1 };

  for (guint i = from; i < to; i++)
    {
      if (!(curve->y[keep[1]] <= curve->y[i]))
        keep[1] = i;
      if (!(curve->y[keep[2]] >= curve->y[i]))
        keep[2] = i;
    }
  if (keep[1] > keep[2])
    {
      guint swap = keep[1];

      keep[1] = keep[2];
      keep[2] = swap;
    }
  for (guint i = 0; i < 4; i++)
    if (i == 0 || keep[i] > keep[i - 1])
      {
        double value = curve->y[keep[i]];

        add_point (points, isfinite (value) ? place_of (layout, keep[i] + 1, value) : (MtXY) { NAN, NAN });
      }
}

static void
place_lines (Build *build)
{
  MtCurvesLayout *layout = build->layout;

  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtCurve *curve = &build->spec->curves[i];
      MtCurveLine *line = &layout->lines[i];
      guint stride = MAX (1, curve->n / (guint) MAX (layout->area.width, 1));

      line->points = g_array_new (FALSE, FALSE, sizeof (MtXY));
      line->series = curve->series;
      line->dashed = curve->dashed;
      line->end = (MtXY) { NAN, NAN };
      for (guint from = 0; from < curve->n; from += stride)
        add_column (layout, curve, from, MIN (from + stride, curve->n), line->points);
      for (guint j = curve->n; j > 0 && isnan (line->end.x); j--)
        if (isfinite (curve->y[j - 1]))
          line->end = place_of (layout, j, curve->y[j - 1]);
    }
}

static gboolean
is_free (const MtCurvesLayout *layout,
         const MtBox          *box)
{
  for (guint i = 0; i < layout->texts->len; i++)
    if (mt_box_overlaps (box, &g_array_index (layout->texts, MtPlotText, i).box))
      return FALSE;
  return TRUE;
}

/* Whether the stretch from @a to @b comes into the box: cut at its four sides in turn. */
static gboolean
crosses (const MtXY  *a,
         const MtXY  *b,
         const MtBox *box)
{
  const double along[4] = { a->x - b->x, b->x - a->x, a->y - b->y, b->y - a->y };
  const double inside[4] = { a->x - box->x, box->x + box->width - a->x, a->y - box->y, box->y + box->height - a->y };
  double from = 0, to = 1;

  if (isnan (a->x) || isnan (b->x))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      if (along[i] == 0 && inside[i] < 0)
        return FALSE;
      if (along[i] < 0)
        from = MAX (from, inside[i] / along[i]);
      else if (along[i] > 0)
        to = MIN (to, inside[i] / along[i]);
    }
  return from <= to;
}

static gboolean
is_clear (const MtCurvesLayout *layout,
          const MtBox          *box)
{
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const GArray *points = layout->lines[i].points;

      for (guint j = 1; j < points->len; j++)
        if (crosses (&g_array_index (points, MtXY, j - 1), &g_array_index (points, MtXY, j), box))
          return FALSE;
    }
  return TRUE;
}

static gboolean
add_text (Build      *build,
          const char *text,
          MtPlotFont  font,
          MtPlotInk   ink,
          guint       series,
          MtBox       box)
{
  MtPlotText item;

  if (!is_free (build->layout, &box))
    return FALSE;
  item = (MtPlotText) { box, g_strdup (text), font, ink, series };
  g_array_append_val (build->layout->texts, item);
  return TRUE;
}

static void
place_tick_labels (Build *build)
{
  MtCurvesLayout *layout = build->layout;
  double line = tick_height ("0", build);
  double bottom = layout->area.y + layout->area.height;

  for (guint i = 0; i < layout->y.n_ticks; i++)
    {
      const MtTick *tick = &layout->y.ticks[i];
      double width = tick_width (tick->label, build);

      add_text (build, tick->label, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, 0,
                (MtBox) { layout->area.x - GAP - 3 - width,
                          layout->area.y + (1 - tick->position) * layout->area.height - line / 2, width, line });
    }
  for (guint i = 0; i < layout->x.n_ticks; i++)
    {
      const MtTick *tick = &layout->x.ticks[i];
      double width = tick_width (tick->label, build);

      add_text (build, tick->label, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, 0,
                (MtBox) { layout->area.x + tick->position * layout->area.width - width / 2,
                          bottom + TICK_LENGTH + 3, width, line });
    }
  if (build->spec->x_title != NULL)
    {
      double width = tick_width (build->spec->x_title, build);

      add_text (build, build->spec->x_title, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, 0,
                (MtBox) { layout->area.x + (layout->area.width - width) / 2, layout->height - line, width, line });
    }
}

/* Next to the line's end, moved up or down by line heights until it is free; left of the end
 * when there is no room at its right. Over a line only where nothing else is left. */
static void
place_end_label (Build *build,
                 guint  index)
{
  MtCurvesLayout *layout = build->layout;
  const MtXY *end = &layout->lines[index].end;
  const MtCurve *curve = &build->spec->curves[index];
  double width, height, x;

  if (curve->label == NULL || isnan (end->x))
    return;
  size_of (build, curve->label, MT_PLOT_FONT_STRONG, &width, &height);
  x = end->x + 10;
  if (x + width > layout->width)
    x = end->x - width - 10;
  if (x < layout->area.x)
    return;
  for (int i = 0; i < 2 * END_PLACES; i++)
    {
      int place = i % END_PLACES;
      double shift = (place + 1) / 2 * (height / 2 + 1) * (place % 2 == 0 ? 1 : -1);
      MtBox box = { x, end->y - height / 2 + shift, width, height };

      if (box.y >= 0 && box.y + height <= layout->area.y + layout->area.height &&
          (i >= END_PLACES || is_clear (layout, &box)) &&
          add_text (build, curve->label, MT_PLOT_FONT_STRONG, MT_PLOT_INK_SERIES, curve->series, box))
        return;
    }
}

static void
place_best (Build *build)
{
  MtCurvesLayout *layout = build->layout;
  const MtCurvesSpec *spec = build->spec;
  const MtCurve *curve;
  double width, height;

  layout->best = (MtXY) { NAN, NAN };
  if (spec->best_curve < 0 || (guint) spec->best_curve >= spec->n_curves)
    return;
  curve = &spec->curves[spec->best_curve];
  if (spec->best_index >= curve->n || !isfinite (curve->y[spec->best_index]))
    return;
  layout->best = place_of (layout, spec->best_index + 1, curve->y[spec->best_index]);
  layout->best_series = curve->series;
  if (spec->best_label == NULL)
    return;
  size_of (build, spec->best_label, MT_PLOT_FONT_STRONG, &width, &height);
  for (guint i = 0; i < 2 * BEST_PLACES; i++)
    {
      /* Low on the chart the label goes above, where the line came from; else below. In the middle it would
       * sit on the line at a peak: then to the side, where the way down leaves room, or half a line farther off
       * each time. */
      guint place = i % BEST_PLACES;
      gboolean below = (layout->best.y < layout->area.y + layout->area.height / 2) == (place % 2 == 1);
      double aside = place < 2 ? -width / 2 : place % 4 >= 2 ? RING + 6 : -width - RING - 6;
      double down = place < 2 ? RING + 3 : RING / 2 + (place - 2) / 4 * height / 2;
      MtBox box = { CLAMP (layout->best.x + aside, layout->area.x, MAX (layout->width - width, layout->area.x)),
                    below ? layout->best.y + down : layout->best.y - down - height, width, height };

      if (box.y >= 0 && box.y + height <= layout->area.y + layout->area.height &&
          (i >= BEST_PLACES || is_clear (layout, &box)) &&
          add_text (build, spec->best_label, MT_PLOT_FONT_STRONG, MT_PLOT_INK_TEXT, 0, box))
        return;
    }
}

static void
clear_text (gpointer data)
{
  g_free (((MtPlotText *) data)->text);
}

double
mt_curves_layout_margin (const MtCurvesSpec *spec,
                         double              height,
                         MtPlotMeasure       measure,
                         gpointer            measure_data)
{
  MtCurvesLayout layout = { .width = 1, .height = MAX (height, 1) };
  Build build = { spec, &layout, measure, measure_data };

  g_return_val_if_fail (spec != NULL && measure != NULL, 0);

  find_ranges (&build);
  place_y_axis (&build);
  mt_axis_clear (&layout.x);
  mt_axis_clear (&layout.y);
  return layout.area.x;
}

MtCurvesLayout *
mt_curves_layout_new (const MtCurvesSpec *spec,
                      double              width,
                      double              height,
                      MtPlotMeasure       measure,
                      gpointer            measure_data)
{
  MtCurvesLayout *layout;
  Build build;

  g_return_val_if_fail (spec != NULL && measure != NULL, NULL);

  layout = g_new0 (MtCurvesLayout, 1);
  build = (Build) { spec, layout, measure, measure_data };
  layout->width = MAX (width, 1);
  layout->height = MAX (height, 1);
  layout->n_lines = spec->n_curves;
  layout->lines = g_new0 (MtCurveLine, MAX (spec->n_curves, 1));
  layout->texts = g_array_new (FALSE, FALSE, sizeof (MtPlotText));
  g_array_set_clear_func (layout->texts, clear_text);
  find_ranges (&build);
  place_y_axis (&build);
  place_x_axis (&build);
  place_lines (&build);
  place_tick_labels (&build);
  for (guint i = 0; i < layout->n_lines; i++)
    place_end_label (&build, i);
  place_best (&build);
  return layout;
}

void
mt_curves_layout_free (MtCurvesLayout *self)
{
  if (self == NULL)
    return;
  mt_axis_clear (&self->x);
  mt_axis_clear (&self->y);
  for (guint i = 0; i < self->n_lines; i++)
    g_array_unref (self->lines[i].points);
  g_free (self->lines);
  g_array_unref (self->texts);
  g_free (self);
}

guint
mt_curves_layout_step (const MtCurvesLayout *self,
                       double                x,
                       double                y)
{
  double step;

  g_return_val_if_fail (self != NULL, 0);

  if (x < self->area.x || x > self->area.x + self->area.width || y < self->area.y ||
      y > self->area.y + self->area.height)
    return 0;
  step = round (mt_axis_value (&self->x, (x - self->area.x) / self->area.width));
  return (guint) CLAMP (step, 1, self->x.high);
}
