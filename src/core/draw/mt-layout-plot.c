/* Axes, marks and the staircase; the texts come afterwards, into the room that is left (mt-layout-plot-texts.c). */
#include "config.h"
#include "mt-layout-plot-private.h"

#include <math.h>
#include <string.h>

#define RADIUS         6.0
#define RADIUS_SMALL   3.6
#define RADIUS_CROWDED 4.5
#define RADIUS_OTHER   5.0
#define ROOM           9.0      /* of an error bar with its caps */
#define REACH          8.0      /* of the pointer, beyond a mark's own radius */
#define Y_TICK_GAP     24.0     /* between the labels of the upright axis */

void
mt_plot_spec_init (MtPlotSpec *spec)
{
  g_return_if_fail (spec != NULL);

  *spec = (MtPlotSpec) {
    .log = TRUE, .zone = 50, .recommended = -1, .selected = -1, .pinned_a = -1, .pinned_b = -1,
    .x_low = NAN, .x_high = NAN, .y_low = NAN, .y_high = NAN, .decimal = '.',
  };
}

gboolean
mt_box_overlaps (const MtBox *a,
                 const MtBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* --- which points count --- */

/* What a file says of another method: never part of the staircase, and never the reason to fade a model. */
static gboolean
is_other (const MtPlotPoint *point)
{
  return point->series != MT_PLOT_SERIES_EDITED && (point->series & MT_PLOT_SERIES_OTHER) != 0;
}

static gboolean
usable (const MtPlotPoint *point)
{
  return isfinite (point->literals) && isfinite (point->quality) && point->literals > 0;
}

typedef struct {
  const MtPlotPoint *point;
  guint              index;
} Sorted;

static int
by_literals (gconstpointer a,
             gconstpointer b)
{
  const Sorted *left = a, *right = b;

  if (left->point->literals != right->point->literals)
    return left->point->literals < right->point->literals ? -1 : 1;
  if (left->point->quality != right->point->quality)
    return left->point->quality > right->point->quality ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

static Sorted *
sort_points (const MtPlotPoint *points,
             guint              n_points)
{
  Sorted *sorted = g_new (Sorted, MAX (n_points, 1));

  for (guint i = 0; i < n_points; i++)
    sorted[i] = (Sorted) { &points[i], i };
  qsort (sorted, n_points, sizeof *sorted, by_literals);
  return sorted;
}

void
mt_plot_find_dominated (const MtPlotPoint *points,
                        guint              n_points,
                        gboolean          *dominated)
{
  g_autofree Sorted *usables = g_new (Sorted, MAX (n_points, 1));
  double best = -INFINITY;
  guint n = 0;

  for (guint i = 0; i < n_points; i++)
    {
      dominated[i] = TRUE;
      if (usable (&points[i]) && (points[i].series & (MT_PLOT_SERIES_APART | MT_PLOT_SERIES_OTHER)) == 0)
        usables[n++] = (Sorted) { &points[i], i };
    }
  qsort (usables, n, sizeof *usables, by_literals);
  for (guint i = 0; i < n; i++)
    if (usables[i].point->quality > best)
      {
        best = usables[i].point->quality;
        dominated[usables[i].index] = FALSE;
      }
}

/* --- axes --- */

double
_mt_plot_text_width (const char *text,
                     gpointer    data)
{
  MtPlotBuild *build = data;
  double width, height;

  build->measure (text, MT_PLOT_FONT_TICK, &width, &height, build->measure_data);
  return width;
}

double
_mt_plot_text_height (const char *text,
                      gpointer    data)
{
  MtPlotBuild *build = data;
  double width, height;

  build->measure (text, MT_PLOT_FONT_TICK, &width, &height, build->measure_data);
  return height;
}

/* The ends of what is shown: everything with its error bars, unless the caller chose. */
static void
find_ranges (MtPlotBuild *build)
{
  const MtPlotSpec *spec = build->spec;
  MtPlotLayout *layout = build->layout;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  double margin;
  guint n_own = 0;

  for (guint i = 0; i < spec->n_points; i++)
    n_own += usable (&spec->points[i]) && !is_other (&spec->points[i]);
  for (guint i = 0; i < spec->n_points; i++)
    {
      const MtPlotPoint *point = &spec->points[i];
      double error = isfinite (point->error) && !layout->marks[i].dominated ? fabs (point->error) : 0;

      if (!usable (point))
        continue;
      x_low = MIN (x_low, point->literals);
      x_high = MAX (x_high, point->literals);
      if (is_other (point) && n_own > 0)
        continue;
      y_low = MIN (y_low, point->quality - error);
      y_high = MAX (y_high, point->quality + error);
    }
  if (spec->zone > 0 && x_high < spec->zone && x_high > spec->zone / 3)
    x_high = spec->zone;
  if (spec->log)
    {
      x_low /= 1.18;
      x_high *= 1.18;
    }
  else
    {
      margin = (x_high - x_low) * 0.04;
      x_high += margin;
      x_low = MAX (0, x_low - margin);
    }
  /* A benchmark far away would press all points into a line: it is left to the table. */
  margin = (y_high - y_low) * 0.5;
  for (guint i = 0; i < spec->n_benchmarks; i++)
    {
      double quality = spec->benchmarks[i].quality;

      if (quality > y_low - margin && quality < y_high + margin)
        {
          y_low = MIN (y_low, quality);
          y_high = MAX (y_high, quality);
        }
    }
  margin = (y_high - y_low) * 0.5;
  for (guint i = 0; n_own > 0 && i < spec->n_points; i++)
    {
      const MtPlotPoint *point = &spec->points[i];

      if (is_other (point) && usable (point) && point->quality > y_low - margin && point->quality < y_high + margin)
        {
          y_low = MIN (y_low, point->quality);
          y_high = MAX (y_high, point->quality);
        }
    }
  margin = (y_high - y_low) * 0.06;
  mt_axis_init (&layout->x, isfinite (spec->x_low) ? spec->x_low : x_low,
                isfinite (spec->x_high) ? spec->x_high : x_high, spec->log, spec->decimal);
  mt_axis_init (&layout->y, isfinite (spec->y_low) ? spec->y_low : y_low - margin,
                isfinite (spec->y_high) ? spec->y_high : y_high + margin, FALSE, spec->decimal);
}

/* Title, subtitle and legend above everything else; 0 without. */
static double
heading_height (MtPlotBuild *build)
{
  double width, height = 0;

  if (build->spec->title != NULL)
    build->measure (build->spec->title, MT_PLOT_FONT_STRONG, &width, &height, build->measure_data);
  if (build->spec->subtitle != NULL)
    height += _mt_plot_text_height (build->spec->subtitle, build);
  height += _mt_plot_legend_height (build);
  return height > 0 ? height + MT_PLOT_GAP : 0;
}

static void
place_axes (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  double line = _mt_plot_text_height ("0", build);
  double bottom = MT_PLOT_TICK_LENGTH + line + 3 + (build->spec->x_title != NULL ? line + MT_PLOT_GAP : 0);
  double widest = 0;
  double top = MT_PLOT_BADGE / 2 + heading_height (build);

  layout->area.y = top;
  layout->area.height = MAX (layout->height - top - bottom, 1);
  mt_axis_place_ticks (&layout->y, layout->area.height, Y_TICK_GAP, 0, _mt_plot_text_height, build);
  for (guint i = 0; i < layout->y.n_ticks; i++)
    widest = MAX (widest, _mt_plot_text_width (layout->y.ticks[i].label, build));
  layout->area.x = widest + MT_PLOT_GAP + 3;
  layout->area.width = MAX (layout->width - layout->area.x - MT_PLOT_GAP, 1);
  mt_axis_place_ticks (&layout->x, layout->area.width, 2 * MT_PLOT_GAP, 1, _mt_plot_text_width, build);
}

double
_mt_plot_x_of (const MtPlotLayout *layout,
               double              value)
{
  return layout->area.x + mt_axis_position (&layout->x, value) * layout->area.width;
}

double
_mt_plot_y_of (const MtPlotLayout *layout,
               double              value)
{
  return layout->area.y + (1 - mt_axis_position (&layout->y, value)) * layout->area.height;
}

/* --- marks --- */

static gboolean
inside (const MtBox *area,
        double       x,
        double       y)
{
  const double slack = 0.5;

  return x >= area->x - slack && x <= area->x + area->width + slack && y >= area->y - slack &&
         y <= area->y + area->height + slack;
}

static void
place_marks (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;

  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotPoint *point = &build->spec->points[i];
      MtPlotMark *mark = &layout->marks[i];

      mark->series = point->series;
      mark->radius = is_other (point) ? RADIUS_OTHER : mark->dominated && point->series != MT_PLOT_SERIES_EDITED ? RADIUS_SMALL : RADIUS;
      mark->low = mark->high = NAN;
      if (!usable (point))
        continue;
      mark->x = _mt_plot_x_of (layout, point->literals);
      mark->y = _mt_plot_y_of (layout, point->quality);
      mark->visible = inside (&layout->area, mark->x, mark->y);
      if ((!mark->dominated || is_other (point)) && isfinite (point->error) && point->error != 0)
        {
          mark->high = _mt_plot_y_of (layout, point->quality + fabs (point->error));
          mark->low = _mt_plot_y_of (layout, point->quality - fabs (point->error));
        }
    }
}

static gboolean
is_chosen (const MtPlotSpec *spec,
           guint             point)
{
  return (int) point == spec->recommended || (int) point == spec->selected || (int) point == spec->pinned_a ||
         (int) point == spec->pinned_b;
}

/* Where the points of the staircase lie closer than their error bars are wide, they would be one dark patch: all but
 * those that somebody chose step back there. */
static void
thin_out (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  g_autofree Sorted *sorted = sort_points (build->spec->points, layout->n_marks);
  MtPlotMark *before = NULL;

  for (guint i = 0; i < layout->n_marks; i++)
    {
      MtPlotMark *mark = &layout->marks[sorted[i].index];

      if (mark->dominated || !mark->visible)
        continue;
      if (before != NULL && mark->x - before->x < ROOM)
        before->crowded = mark->crowded = TRUE;
      before = mark;
    }
  for (guint i = 0; i < layout->n_marks; i++)
    {
      MtPlotMark *mark = &layout->marks[i];

      mark->crowded = mark->crowded && !is_chosen (build->spec, i);
      if (mark->crowded)
        mark->radius = RADIUS_CROWDED;
    }
}

static void
add_stair (MtPlotLayout *layout,
           double        x,
           double        y)
{
  MtXY corner = { x, y };

  g_array_append_val (layout->stairs, corner);
}

static void
place_stairs (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  g_autofree Sorted *sorted = sort_points (build->spec->points, layout->n_marks);
  const MtPlotMark *before = NULL;

  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotMark *mark = &layout->marks[sorted[i].index];

      if (mark->dominated)
        continue;
      if (before != NULL)
        add_stair (layout, mark->x, before->y);
      add_stair (layout, mark->x, mark->y);
      before = mark;
    }
  if (before != NULL)
    add_stair (layout, layout->area.x + layout->area.width, before->y);
}

/* --- the whole --- */

static void
clear_text (gpointer data)
{
  g_free (((MtPlotText *) data)->text);
}

static int
visible_or_none (const MtPlotLayout *layout,
                 int                 index)
{
  return index >= 0 && (guint) index < layout->n_marks && layout->marks[index].visible ? index : -1;
}

MtPlotLayout *
mt_plot_layout_new (const MtPlotSpec *spec,
                    double            width,
                    double            height,
                    MtPlotMeasure     measure,
                    gpointer          measure_data)
{
  MtPlotLayout *layout;
  MtPlotBuild build;
  g_autofree gboolean *dominated = NULL;

  g_return_val_if_fail (spec != NULL && measure != NULL, NULL);
  g_return_val_if_fail (spec->n_points == 0 || spec->points != NULL, NULL);

  layout = g_new0 (MtPlotLayout, 1);
  build = (MtPlotBuild) { spec, layout, measure, measure_data };
  layout->width = MAX (width, 1);
  layout->height = MAX (height, 1);
  layout->n_marks = spec->n_points;
  layout->marks = g_new0 (MtPlotMark, MAX (spec->n_points, 1));
  layout->stairs = g_array_new (FALSE, FALSE, sizeof (MtXY));
  layout->legend = g_array_new (FALSE, FALSE, sizeof (MtPlotLegendMark));
  layout->benchmarks = g_array_new (FALSE, FALSE, sizeof (MtPlotLine));
  layout->texts = g_array_new (FALSE, FALSE, sizeof (MtPlotText));
  g_array_set_clear_func (layout->texts, clear_text);

  dominated = g_new0 (gboolean, MAX (spec->n_points, 1));
  mt_plot_find_dominated (spec->points, spec->n_points, dominated);
  for (guint i = 0; i < spec->n_points; i++)
    layout->marks[i].dominated = dominated[i];
  find_ranges (&build);
  place_axes (&build);
  place_marks (&build);
  thin_out (&build);
  place_stairs (&build);
  layout->recommended = visible_or_none (layout, spec->recommended);
  layout->selected = visible_or_none (layout, spec->selected);
  _mt_plot_place_texts (&build);
  return layout;
}

void
mt_plot_layout_free (MtPlotLayout *self)
{
  if (self == NULL)
    return;
  mt_axis_clear (&self->x);
  mt_axis_clear (&self->y);
  g_free (self->marks);
  g_array_unref (self->stairs);
  g_array_unref (self->benchmarks);
  g_array_unref (self->texts);
  g_array_unref (self->legend);
  g_free (self);
}

int
mt_plot_layout_hit (const MtPlotLayout *self,
                    double              x,
                    double              y)
{
  double nearest = INFINITY;
  int hit = -1;

  g_return_val_if_fail (self != NULL, -1);

  for (guint i = 0; i < self->n_marks; i++)
    {
      const MtPlotMark *mark = &self->marks[i];
      double distance = hypot (mark->x - x, mark->y - y);

      if (!mark->visible || distance > mark->radius + REACH)
        continue;
      /* A faded point must be hit squarely to win over one on the staircase. */
      if (mark->dominated)
        distance += REACH;
      if (distance < nearest)
        {
          nearest = distance;
          hit = (int) i;
        }
    }
  return hit;
}

static int
next_on_stairs (const MtPlotLayout *self,
                int                 index,
                gboolean            right)
{
  double from = index >= 0 ? self->marks[index].x : right ? -INFINITY : INFINITY;
  int best = index;

  for (guint i = 0; i < self->n_marks; i++)
    {
      const MtPlotMark *mark = &self->marks[i];

      if (!mark->visible || mark->dominated || (int) i == index || (right ? mark->x <= from : mark->x >= from))
        continue;
      if (best == index || (right ? mark->x < self->marks[best].x : mark->x > self->marks[best].x))
        best = (int) i;
    }
  return best;
}

int
mt_plot_layout_neighbour (const MtPlotLayout *self,
                          int                 index,
                          MtPlotDirection     direction)
{
  double nearest = INFINITY;
  int best = index;

  g_return_val_if_fail (self != NULL, -1);

  if (index >= (int) self->n_marks || index < 0 || !self->marks[index].visible)
    return next_on_stairs (self, -1, direction == MT_PLOT_RIGHT || direction == MT_PLOT_UP);
  if (direction == MT_PLOT_LEFT || direction == MT_PLOT_RIGHT)
    return next_on_stairs (self, index, direction == MT_PLOT_RIGHT);
  for (guint i = 0; i < self->n_marks; i++)
    {
      const MtPlotMark *mark = &self->marks[i];
      double rise = (self->marks[index].y - mark->y) * (direction == MT_PLOT_UP ? 1 : -1);
      double distance = hypot (2 * (mark->x - self->marks[index].x), rise);
      gboolean other = mark->series != MT_PLOT_SERIES_EDITED && (mark->series & MT_PLOT_SERIES_OTHER) != 0;

      if (mark->visible && !other && rise > 0 && distance < nearest)
        {
          nearest = distance;
          best = (int) i;
        }
    }
  return best;
}
