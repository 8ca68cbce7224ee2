/* Texts are placed one after the other, the most needed first: each tries a few places and
 * takes the one that covers least of the drawing; a place where it would touch another text
 * does not count, and a text with no place left is dropped. */
#include "config.h"
#include "mt-layout-plot.h"

#include <math.h>
#include <string.h>

#define GAP            6.0
#define RADIUS         6.0
#define RADIUS_SMALL   3.6
#define RADIUS_CROWDED 4.5
#define ROOM           9.0      /* of an error bar with its caps */
#define REACH          8.0      /* of the pointer, beyond a mark's own radius */
#define BADGE          20.0
#define CALLOUT_PAD    12.0
#define TICK_LENGTH    5.0
#define COST_MARK      8.0      /* of covering a point that counts */
#define Y_TICK_GAP     24.0     /* between the labels of the upright axis */

typedef struct {
  const MtPlotSpec *spec;
  MtPlotLayout     *layout;
  MtPlotMeasure     measure;
  gpointer          measure_data;
} Build;

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
      if (usable (&points[i]) && points[i].series != MT_PLOT_SERIES_EDITED)
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

static double
text_width (const char *text,
            gpointer    data)
{
  Build *build = data;
  double width, height;

  build->measure (text, MT_PLOT_FONT_TICK, &width, &height, build->measure_data);
  return width;
}

static double
text_height (const char *text,
             gpointer    data)
{
  Build *build = data;
  double width, height;

  build->measure (text, MT_PLOT_FONT_TICK, &width, &height, build->measure_data);
  return height;
}

/* The ends of what is shown: everything with its error bars, unless the caller chose. */
static void
find_ranges (Build *build)
{
  const MtPlotSpec *spec = build->spec;
  MtPlotLayout *layout = build->layout;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  double margin;

  for (guint i = 0; i < spec->n_points; i++)
    {
      const MtPlotPoint *point = &spec->points[i];
      double error = isfinite (point->error) && !layout->marks[i].dominated ? fabs (point->error) : 0;

      if (!usable (point))
        continue;
      x_low = MIN (x_low, point->literals);
      x_high = MAX (x_high, point->literals);
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
  margin = (y_high - y_low) * 0.06;
  mt_axis_init (&layout->x, isfinite (spec->x_low) ? spec->x_low : x_low,
                isfinite (spec->x_high) ? spec->x_high : x_high, spec->log, spec->decimal);
  mt_axis_init (&layout->y, isfinite (spec->y_low) ? spec->y_low : y_low - margin,
                isfinite (spec->y_high) ? spec->y_high : y_high + margin, FALSE, spec->decimal);
}

/* Title and subtitle above everything else; 0 without. */
static double
heading_height (Build *build)
{
  double width, height = 0;

  if (build->spec->title != NULL)
    build->measure (build->spec->title, MT_PLOT_FONT_STRONG, &width, &height, build->measure_data);
  if (build->spec->subtitle != NULL)
    height += text_height (build->spec->subtitle, build);
  return height > 0 ? height + GAP : 0;
}

static void
place_axes (Build *build)
{
  MtPlotLayout *layout = build->layout;
  double line = text_height ("0", build);
  double bottom = TICK_LENGTH + line + 3 + (build->spec->x_title != NULL ? line + GAP : 0);
  double widest = 0;
  double top = BADGE / 2 + heading_height (build);

  layout->area.y = top;
  layout->area.height = MAX (layout->height - top - bottom, 1);
  mt_axis_place_ticks (&layout->y, layout->area.height, Y_TICK_GAP, 0, text_height, build);
  for (guint i = 0; i < layout->y.n_ticks; i++)
    widest = MAX (widest, text_width (layout->y.ticks[i].label, build));
  layout->area.x = widest + GAP + 3;
  layout->area.width = MAX (layout->width - layout->area.x - GAP, 1);
  mt_axis_place_ticks (&layout->x, layout->area.width, 2 * GAP, 1, text_width, build);
}

static double
x_of (const MtPlotLayout *layout,
      double              value)
{
  return layout->area.x + mt_axis_position (&layout->x, value) * layout->area.width;
}

static double
y_of (const MtPlotLayout *layout,
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
place_marks (Build *build)
{
  MtPlotLayout *layout = build->layout;

  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotPoint *point = &build->spec->points[i];
      MtPlotMark *mark = &layout->marks[i];

      mark->series = point->series;
      mark->radius = mark->dominated && point->series != MT_PLOT_SERIES_EDITED ? RADIUS_SMALL : RADIUS;
      mark->low = mark->high = NAN;
      if (!usable (point))
        continue;
      mark->x = x_of (layout, point->literals);
      mark->y = y_of (layout, point->quality);
      mark->visible = inside (&layout->area, mark->x, mark->y);
      if (!mark->dominated && isfinite (point->error) && point->error != 0)
        {
          mark->high = y_of (layout, point->quality + fabs (point->error));
          mark->low = y_of (layout, point->quality - fabs (point->error));
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
thin_out (Build *build)
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
place_stairs (Build *build)
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

/* --- texts --- */

static void
add_text (Build      *build,
          const char *text,
          MtPlotFont  font,
          MtPlotInk   ink,
          MtBox       box)
{
  MtPlotText item = { box, g_strdup (text), font, ink, 0 };

  g_array_append_val (build->layout->texts, item);
}

static gboolean
touches_text (const MtPlotLayout *layout,
              const MtBox        *box)
{
  for (guint i = 0; i < layout->texts->len; i++)
    if (mt_box_overlaps (box, &g_array_index (layout->texts, MtPlotText, i).box))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (layout->badges); i++)
    if (mt_box_overlaps (box, &layout->badges[i]))
      return TRUE;
  return mt_box_overlaps (box, &layout->callout);
}

/* For texts that have one place only. */
static void
add_text_if_free (Build      *build,
                  const char *text,
                  MtBox       box)
{
  if (!touches_text (build->layout, &box))
    add_text (build, text, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, box);
}

static gboolean
within (const MtBox *outer,
        const MtBox *box)
{
  return box->x >= outer->x && box->y >= outer->y && box->x + box->width <= outer->x + outer->width &&
         box->y + box->height <= outer->y + outer->height;
}

/* An upright or level line touches the box. */
static gboolean
crosses (const MtBox *box,
         const MtXY  *a,
         const MtXY  *b)
{
  MtBox line = { MIN (a->x, b->x), MIN (a->y, b->y), fabs (a->x - b->x) + 1, fabs (a->y - b->y) + 1 };

  return mt_box_overlaps (box, &line);
}

/* How much of the drawing a box would cover; INFINITY where it may not be at all. */
static double
cost_of (const MtPlotLayout *layout,
         const MtBox        *box)
{
  double cost = 0;

  if (!within (&layout->area, box) || touches_text (layout, box))
    return INFINITY;
  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];
      MtBox around = { mark->x - mark->radius - 2, mark->y - mark->radius - 2,
                       2 * mark->radius + 4, 2 * mark->radius + 4 };
      MtBox bar = { mark->x - 4, mark->high, 8, mark->low - mark->high };

      if (!mark->visible)
        continue;
      if (mt_box_overlaps (box, &around))
        cost += mark->dominated ? 1 : COST_MARK;
      if (!isnan (mark->low) && mt_box_overlaps (box, &bar))
        cost += 4;
    }
  for (guint i = 0; i < layout->benchmarks->len; i++)
    {
      double y = g_array_index (layout->benchmarks, double, i);

      if (y > box->y - 1 && y < box->y + box->height + 1)
        cost += 3;
    }
  if (layout->zone_edge && layout->zone_right > box->x - 2 && layout->zone_right < box->x + box->width + 2)
    cost += 3;
  for (guint i = 1; i < layout->stairs->len; i++)
    if (crosses (box, &g_array_index (layout->stairs, MtXY, i - 1), &g_array_index (layout->stairs, MtXY, i)))
      cost += 3;
  for (guint i = 1; layout->callout.width > 0 && i < G_N_ELEMENTS (layout->leader); i++)
    if (crosses (box, &layout->leader[i - 1], &layout->leader[i]))
      cost += 6;
  return cost;
}

/* The cheapest of the places, @n_places > 0; width 0 when there is none. */
static MtBox
choose_place (const MtPlotLayout *layout,
              const MtBox        *places,
              guint               n_places)
{
  MtBox best = { 0 };
  double least = INFINITY;

  for (guint i = 0; i < n_places; i++)
    {
      double cost = cost_of (layout, &places[i]);

      if (cost < least)
        {
          least = cost;
          best = places[i];
        }
    }
  return best;
}

static void
place_tick_labels (Build *build)
{
  MtPlotLayout *layout = build->layout;
  double bottom = layout->area.y + layout->area.height;
  double line = text_height ("0", build);

  for (guint i = 0; i < layout->x.n_ticks; i++)
    {
      const MtTick *tick = &layout->x.ticks[i];
      double width = text_width (tick->label, build);

      if (tick->major)
        add_text_if_free (build, tick->label,
                          (MtBox) { layout->area.x + tick->position * layout->area.width - width / 2,
                                    bottom + TICK_LENGTH + 3, width, line });
    }
  for (guint i = 0; i < layout->y.n_ticks; i++)
    {
      const MtTick *tick = &layout->y.ticks[i];
      double width = text_width (tick->label, build);

      add_text_if_free (build, tick->label,
                        (MtBox) { layout->area.x - GAP - 3 - width,
                                  layout->area.y + (1 - tick->position) * layout->area.height - line / 2,
                                  width, line });
    }
  if (build->spec->x_title != NULL)
    {
      double width = text_width (build->spec->x_title, build);

      add_text_if_free (build, build->spec->x_title,
                        (MtBox) { layout->area.x + (layout->area.width - width) / 2, layout->height - line,
                                  width, line });
    }
}

/* A line above the plot, cut off where there is no room for all of it: names may be long. Returns its height. */
static double
add_heading (Build      *build,
             const char *text,
             MtPlotFont  font,
             MtPlotInk   ink,
             double      y)
{
  double x = build->layout->area.x, width, height;
  g_autoptr (GString) line = g_string_new (text);

  build->measure (line->str, font, &width, &height, build->measure_data);
  for (glong n = g_utf8_strlen (text, -1); n > 1 && x + width > build->layout->width; n--)
    {
      g_string_truncate (line, (gsize) (g_utf8_offset_to_pointer (text, n - 1) - text));
      g_string_append (line, "…");
      build->measure (line->str, font, &width, &height, build->measure_data);
    }
  add_text (build, line->str, font, ink, (MtBox) { x, y, width, height });
  return height;
}

/* What stands in the window's own words beside the plot must be said in a picture of it. */
static void
place_heading (Build *build)
{
  const MtPlotSpec *spec = build->spec;
  double y = 0;

  if (spec->title != NULL)
    y += add_heading (build, spec->title, MT_PLOT_FONT_STRONG, MT_PLOT_INK_TEXT, y);
  if (spec->subtitle != NULL)
    add_heading (build, spec->subtitle, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, y);
}

static void
place_badge (Build      *build,
             guint       which,
             int         index,
             const char *letter)
{
  MtPlotLayout *layout = build->layout;
  const MtPlotMark *mark;
  MtBox places[6];
  double above, below, width, height;

  if (index < 0 || (guint) index >= layout->n_marks || !layout->marks[index].visible)
    return;
  mark = &layout->marks[index];
  above = (isnan (mark->high) ? mark->y - mark->radius : mark->high) - GAP - BADGE;
  below = (isnan (mark->low) ? mark->y + mark->radius : mark->low) + GAP;
  above = MAX (above, layout->area.y);   /* an error bar may end outside */
  below = MIN (below, layout->area.y + layout->area.height - BADGE);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    places[i] = (MtBox) { mark->x - BADGE / 2 + (i % 3 == 0 ? 0 : i % 3 == 1 ? BADGE + 2 : -BADGE - 2),
                          i < 3 ? above : below, BADGE, BADGE };
  layout->badges[which] = choose_place (layout, places, G_N_ELEMENTS (places));
  if (layout->badges[which].width <= 0)
    return;
  build->measure (letter, MT_PLOT_FONT_BADGE, &width, &height, build->measure_data);
  /* The letter lies in its badge, which is what others keep clear of. */
  MtPlotText item = {
    { layout->badges[which].x + (BADGE - width) / 2, layout->badges[which].y + (BADGE - height) / 2, width, height },
    g_strdup (letter), MT_PLOT_FONT_BADGE, MT_PLOT_INK_BADGE, 0
  };
  g_array_append_val (layout->texts, item);
}

/* A callout in one of its forms: how large, and where it would go. */
typedef struct {
  const char *title;
  const char *text;        /* NULL: one line */
  double      title_width, title_height;
  double      text_width, text_height;
  double      width, height;
} Callout;

static void
measure_callout (Build      *build,
                 const char *title,
                 const char *text,
                 Callout    *callout)
{
  *callout = (Callout) { title, text };
  build->measure (title, MT_PLOT_FONT_STRONG, &callout->title_width, &callout->title_height, build->measure_data);
  if (text != NULL)
    build->measure (text, MT_PLOT_FONT_TICK, &callout->text_width, &callout->text_height, build->measure_data);
  callout->width = MAX (callout->title_width, callout->text_width) + 2 * CALLOUT_PAD;
  callout->height = callout->title_height + callout->text_height + (callout->text_height > 0 ? 3 : 0) +
                    1.5 * CALLOUT_PAD;
}

/* To the left and right of the point, above and below: where the plot is wide. */
static MtBox
find_beside (const MtPlotLayout *layout,
             const Callout      *callout)
{
  static const double across[] = { 26, -26, 60, -60, 120, -120, 200, -200 };
  static const double along[] = { 120, 70, 180, 40, -60, -110, 240, -170, 0 };
  const MtPlotMark *mark = &layout->marks[layout->recommended];
  MtBox places[G_N_ELEMENTS (across) * G_N_ELEMENTS (along)];
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (along); i++)
    for (guint j = 0; j < G_N_ELEMENTS (across); j++)
      places[n++] = (MtBox) { across[j] > 0 ? mark->x + across[j] : mark->x + across[j] - callout->width,
                              mark->y + along[i] - callout->height / 2, callout->width, callout->height };
  return choose_place (layout, places, n);
}

/* Right above or below the point, pushed into the plot: where it is narrow. */
static MtBox
find_over (const MtPlotLayout *layout,
           const Callout      *callout)
{
  static const double away[] = { 24, -24, 48, -48, 80, -80, 120, -120, 160, -160 };
  const MtBox *area = &layout->area;
  const MtPlotMark *mark = &layout->marks[layout->recommended];
  MtBox places[3 * G_N_ELEMENTS (away)];
  double last = area->x + area->width - callout->width;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (away); i++)
    for (guint j = 0; j < 3; j++)
      {
        double left = mark->x - callout->width * (j == 0 ? 0.5 : j == 1 ? 0.1 : 0.9);

        places[n++] = (MtBox) { MIN (MAX (left, area->x), last),
                                away[i] > 0 ? mark->y + away[i] : mark->y + away[i] - callout->height,
                                callout->width, callout->height };
      }
  return choose_place (layout, places, n);
}

/* In full if there is any room; else in the form and at the place that cover least, of which a fuller one goes before a
 * shorter one. */
static gboolean
choose_callout (Build   *build,
                Callout *chosen,
                MtBox   *box)
{
  const MtPlotLayout *layout = build->layout;
  const MtPlotSpec *spec = build->spec;
  Callout forms[3];
  double least = INFINITY;
  guint n = 1;

  measure_callout (build, spec->callout_title, spec->callout_text, &forms[0]);
  *chosen = forms[0];
  *box = find_beside (layout, chosen);
  if (box->width > 0 || spec->callout_short == NULL)
    return box->width > 0;
  if (spec->callout_text != NULL)
    measure_callout (build, spec->callout_title, NULL, &forms[n++]);
  measure_callout (build, spec->callout_short, NULL, &forms[n++]);
  for (guint i = 0; i < 2 * n; i++)
    {
      MtBox place = i % 2 == 0 ? find_beside (layout, &forms[i / 2]) : find_over (layout, &forms[i / 2]);
      double cost = place.width > 0 ? cost_of (layout, &place) : INFINITY;

      if (cost < least)
        {
          least = cost;
          *chosen = forms[i / 2];
          *box = place;
        }
    }
  return isfinite (least);
}

/* From the point straight up or down, and from there across where the callout is beside it. */
static void
place_leader (MtPlotLayout *layout)
{
  const MtPlotMark *mark = &layout->marks[layout->recommended];
  const MtBox *box = &layout->callout;
  double middle = box->y + box->height / 2;

  layout->leader[0] = (MtXY) { mark->x, mark->y };
  if (mark->x >= box->x && mark->x <= box->x + box->width)
    layout->leader[1] = layout->leader[2] = (MtXY) { mark->x, middle > mark->y ? box->y : box->y + box->height };
  else
    {
      layout->leader[1] = (MtXY) { mark->x, middle };
      layout->leader[2] = (MtXY) { box->x > mark->x ? box->x : box->x + box->width, middle };
    }
}

static void
place_callout (Build *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *box = &layout->callout;
  Callout callout;
  MtBox place;

  if (layout->recommended < 0 || build->spec->callout_title == NULL || !choose_callout (build, &callout, &place))
    return;
  layout->callout = place;
  place_leader (layout);
  add_text (build, callout.title, MT_PLOT_FONT_STRONG, MT_PLOT_INK_TEXT,
            (MtBox) { box->x + CALLOUT_PAD, box->y + 0.75 * CALLOUT_PAD, callout.title_width, callout.title_height });
  if (callout.text != NULL)
    add_text (build, callout.text, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM,
              (MtBox) { box->x + CALLOUT_PAD, box->y + 0.75 * CALLOUT_PAD + callout.title_height + 3,
                        callout.text_width, callout.text_height });
}

static void
place_zone (Build *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;
  double right, width, line;
  MtBox places[10], best;

  layout->zone_right = NAN;
  if (build->spec->zone <= 0)
    return;
  right = x_of (layout, build->spec->zone);
  if (right <= area->x)
    return;
  layout->zone_edge = right < area->x + area->width;
  layout->zone_right = MIN (right, area->x + area->width);
  if (build->spec->zone_label == NULL)
    return;
  width = text_width (build->spec->zone_label, build);
  line = text_height (build->spec->zone_label, build);
  /* At the bottom, higher by and by where a line of a benchmark would run through it; else at the top. */
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    places[i] = (MtBox) { i % 2 == 0 ? layout->zone_right - 10 - width : area->x + 10,
                          i < 8 ? area->y + area->height - 10 - line - i / 2 * (line / 2 + 4) : area->y + 10,
                          width, line };
  best = choose_place (layout, places, G_N_ELEMENTS (places));
  if (width + 20 <= layout->zone_right - area->x && best.width > 0)
    add_text (build, build->spec->zone_label, MT_PLOT_FONT_TICK, MT_PLOT_INK_ZONE, best);
}

static void
place_benchmark_lines (Build *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;

  for (guint i = 0; i < build->spec->n_benchmarks; i++)
    {
      double y = y_of (layout, build->spec->benchmarks[i].quality);

      if (isfinite (y) && y >= area->y && y <= area->y + area->height)
        g_array_append_val (layout->benchmarks, y);
    }
}

static void
place_benchmark_names (Build *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;

  for (guint i = 0; i < build->spec->n_benchmarks; i++)
    {
      const MtPlotBenchmark *benchmark = &build->spec->benchmarks[i];
      double y = y_of (layout, benchmark->quality);
      MtBox places[12], best;
      double width, line;

      if (!isfinite (y) || y < area->y || y > area->y + area->height || benchmark->label == NULL)
        continue;
      width = text_width (benchmark->label, build);
      line = text_height (benchmark->label, build);
      for (guint j = 0; j < G_N_ELEMENTS (places); j++)
        places[j] = (MtBox) { area->x + 10 + (j / 2) * (area->width - 20 - width) / 5,
                              j % 2 == 0 ? y - line - 3 : y + 3, width, line };
      best = choose_place (layout, places, G_N_ELEMENTS (places));
      /* Over the points it could not be read, nor could they; the list beside has it. */
      if (best.width > 0 && cost_of (layout, &best) < COST_MARK)
        add_text (build, benchmark->label, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, best);
    }
}

void
mt_plot_layout_place_note (const MtPlotLayout *self,
                           int                 index,
                           double              width,
                           double              height,
                           MtBox              *box)
{
  const MtPlotMark *mark;
  double away;

  g_return_if_fail (self != NULL && box != NULL);
  g_return_if_fail (index >= 0 && (guint) index < self->n_marks);

  mark = &self->marks[index];
  away = mark->radius + 2 * GAP;
  /* Above it and in the middle, if there is room; what is under the pointer stays visible. */
  box->width = width;
  box->height = height;
  box->x = CLAMP (mark->x - width / 2, 0, MAX (self->width - width, 0));
  box->y = mark->y - away - height >= 0 ? mark->y - away - height : mark->y + away;
}

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
  Build build;
  g_autofree gboolean *dominated = NULL;

  g_return_val_if_fail (spec != NULL && measure != NULL, NULL);
  g_return_val_if_fail (spec->n_points == 0 || spec->points != NULL, NULL);

  layout = g_new0 (MtPlotLayout, 1);
  build = (Build) { spec, layout, measure, measure_data };
  layout->width = MAX (width, 1);
  layout->height = MAX (height, 1);
  layout->n_marks = spec->n_points;
  layout->marks = g_new0 (MtPlotMark, MAX (spec->n_points, 1));
  layout->stairs = g_array_new (FALSE, FALSE, sizeof (MtXY));
  layout->benchmarks = g_array_new (FALSE, FALSE, sizeof (double));
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
  place_heading (&build);
  place_tick_labels (&build);
  place_badge (&build, 0, spec->pinned_a, "A");
  place_badge (&build, 1, spec->pinned_b, "B");
  place_callout (&build);
  place_benchmark_lines (&build);
  place_zone (&build);
  place_benchmark_names (&build);
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

      if (mark->visible && rise > 0 && distance < nearest)
        {
          nearest = distance;
          best = (int) i;
        }
    }
  return best;
}
