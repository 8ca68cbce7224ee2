/* Texts are placed one after the other, the most needed first: each tries a few places and
 * takes the one that covers least of the drawing; a place where it would touch another text
 * does not count, and a text with no place left is dropped. */
#include "config.h"
#include "mt-layout-plot-private.h"

#include <math.h>
#include <string.h>

#define ALONG          11       /* places along a line that its name tries */
#define CALLOUT_PAD    12.0
#define LEGEND_LEFT    60.0     /* more than the numbers at the axis take */
#define LEGEND_MARK    18.0     /* a mark and the gap behind it */
#define LEGEND_GAP     16.0     /* between entries */
#define COST_MARK      8.0      /* of covering a point that counts */
#define COST_LINE      3.0      /* of a line through the text */

static void
add_text (MtPlotBuild *build,
          const char  *text,
          MtPlotFont   font,
          MtPlotInk    ink,
          MtBox        box)
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
add_text_if_free (MtPlotBuild *build,
                  const char  *text,
                  MtBox        box)
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
      double y = g_array_index (layout->benchmarks, MtPlotLine, i).y;

      if (y > box->y - 1 && y < box->y + box->height + 1)
        cost += COST_LINE;
    }
  if (layout->zone_edge && layout->zone_right > box->x - 2 && layout->zone_right < box->x + box->width + 2)
    cost += COST_LINE;
  for (guint i = 1; i < layout->stairs->len; i++)
    if (crosses (box, &g_array_index (layout->stairs, MtXY, i - 1), &g_array_index (layout->stairs, MtXY, i)))
      cost += COST_LINE;
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

/* For texts that say what can be read elsewhere: a line through one, or a point that counts below it, and neither could
 * be read. Faded points may be. */
static MtBox
choose_clear_place (const MtPlotLayout *layout,
                    const MtBox        *places,
                    guint               n_places)
{
  MtBox best = choose_place (layout, places, n_places);

  return best.width > 0 && cost_of (layout, &best) < COST_LINE ? best : (MtBox) { 0 };
}

static void
place_tick_labels (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  double bottom = layout->area.y + layout->area.height;
  double line = _mt_plot_text_height ("0", build);

  for (guint i = 0; i < layout->x.n_ticks; i++)
    {
      const MtTick *tick = &layout->x.ticks[i];
      double width = _mt_plot_text_width (tick->label, build);

      if (tick->major)
        add_text_if_free (build, tick->label,
                          (MtBox) { layout->area.x + tick->position * layout->area.width - width / 2,
                                    bottom + MT_PLOT_TICK_LENGTH + 3, width, line });
    }
  for (guint i = 0; i < layout->y.n_ticks; i++)
    {
      const MtTick *tick = &layout->y.ticks[i];
      double width = _mt_plot_text_width (tick->label, build);

      add_text_if_free (build, tick->label,
                        (MtBox) { layout->area.x - MT_PLOT_GAP - 3 - width,
                                  layout->area.y + (1 - tick->position) * layout->area.height - line / 2,
                                  width, line });
    }
  if (build->spec->x_title != NULL)
    {
      double width = _mt_plot_text_width (build->spec->x_title, build);

      add_text_if_free (build, build->spec->x_title,
                        (MtBox) { layout->area.x + (layout->area.width - width) / 2, layout->height - line,
                                  width, line });
    }
}

/* A line, cut off where there is no room for all of it: names may be long. */
static char *
cut_line (MtPlotBuild *build,
          const char  *text,
          MtPlotFont   font,
          double       room,
          double      *width,
          double      *height)
{
  g_autoptr (GString) line = g_string_new (text);

  build->measure (line->str, font, width, height, build->measure_data);
  for (glong n = g_utf8_strlen (text, -1); n > 1 && *width > room; n--)
    {
      g_string_truncate (line, (gsize) (g_utf8_offset_to_pointer (text, n - 1) - text));
      g_string_append (line, "…");
      build->measure (line->str, font, width, height, build->measure_data);
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

/* A line above the plot. Returns its height. */
static double
add_heading (MtPlotBuild *build,
             const char  *text,
             MtPlotFont   font,
             MtPlotInk    ink,
             double       y)
{
  double x = build->layout->area.x, width, height;
  g_autofree char *line = cut_line (build, text, font, build->layout->width - x, &width, &height);

  add_text (build, line, font, ink, (MtBox) { x, y, width, height });
  return height;
}

/* One entry after the other, on the next line where there is no room. Its height is asked for before it is known where
 * the plot begins, so lines are broken as if that were LEGEND_LEFT. Returns the height. */
static double
walk_legend (MtPlotBuild *build,
             gboolean     place,
             double       top)
{
  double room = MAX (build->layout->width - LEGEND_LEFT - MT_PLOT_GAP, 1), x = 0, y = top + MT_PLOT_GAP, line = 0;

  for (guint i = 0; i < build->spec->n_legend; i++)
    {
      const MtPlotLegendEntry *entry = &build->spec->legend[i];
      double width, height;
      g_autofree char *text = cut_line (build, entry->label, MT_PLOT_FONT_TICK, room - LEGEND_MARK, &width, &height);

      if (x > 0 && x + LEGEND_MARK + width > room)
        {
          x = 0;
          y += line + 2;
        }
      line = height;
      if (place)
        {
          const MtPlotLegendMark mark = { build->layout->area.x + x + LEGEND_MARK / 2 - 2, y + height / 2, entry->series };

          g_array_append_val (build->layout->legend, mark);
          add_text (build, text, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM,
                    (MtBox) { build->layout->area.x + x + LEGEND_MARK, y, width, height });
        }
      x += LEGEND_MARK + width + LEGEND_GAP;
    }
  return build->spec->n_legend > 0 ? y + line - top : 0;
}

double
_mt_plot_legend_height (MtPlotBuild *build)
{
  return walk_legend (build, FALSE, 0);
}

/* The window explains the plot in texts next to it; a picture of the plot must contain them. */
static void
place_heading (MtPlotBuild *build)
{
  const MtPlotSpec *spec = build->spec;
  double y = 0;

  if (spec->title != NULL)
    y += add_heading (build, spec->title, MT_PLOT_FONT_STRONG, MT_PLOT_INK_TEXT, y);
  if (spec->subtitle != NULL)
    y += add_heading (build, spec->subtitle, MT_PLOT_FONT_TICK, MT_PLOT_INK_DIM, y);
  walk_legend (build, TRUE, y);
}

/* Where marks are crowded, the badge may be nearer to another one's. */
static void
place_stalk (MtPlotLayout     *layout,
             guint             which,
             const MtPlotMark *mark)
{
  const MtBox *badge = &layout->badges[which];
  MtXY end = { badge->x + badge->width / 2, badge->y + badge->height / 2 };
  double length = hypot (end.x - mark->x, end.y - mark->y), share = length > 0 ? MIN (mark->radius / length, 1) : 0;

  layout->stalks[which][0] = (MtXY) { mark->x + share * (end.x - mark->x), mark->y + share * (end.y - mark->y) };
  layout->stalks[which][1] = end;
}

static void
place_badge (MtPlotBuild *build,
             guint        which,
             int          index,
             const char  *letter)
{
  MtPlotLayout *layout = build->layout;
  const MtPlotMark *mark;
  MtBox places[6];
  double above, below, width, height;

  if (index < 0 || (guint) index >= layout->n_marks || !layout->marks[index].visible)
    return;
  mark = &layout->marks[index];
  above = (isnan (mark->high) ? mark->y - mark->radius : mark->high) - MT_PLOT_GAP - MT_PLOT_BADGE;
  below = (isnan (mark->low) ? mark->y + mark->radius : mark->low) + MT_PLOT_GAP;
  above = MAX (above, layout->area.y);   /* an error bar may end outside */
  below = MIN (below, layout->area.y + layout->area.height - MT_PLOT_BADGE);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    places[i] = (MtBox) { mark->x - MT_PLOT_BADGE / 2 +
                          (i % 3 == 0 ? 0 : i % 3 == 1 ? MT_PLOT_BADGE + 2 : -MT_PLOT_BADGE - 2),
                          i < 3 ? above : below, MT_PLOT_BADGE, MT_PLOT_BADGE };
  layout->badges[which] = choose_place (layout, places, G_N_ELEMENTS (places));
  if (layout->badges[which].width <= 0)
    return;
  place_stalk (layout, which, mark);
  build->measure (letter, MT_PLOT_FONT_BADGE, &width, &height, build->measure_data);
  /* The letter lies in its badge, which is what others keep clear of. */
  MtPlotText item = {
    { layout->badges[which].x + (MT_PLOT_BADGE - width) / 2,
      layout->badges[which].y + (MT_PLOT_BADGE - height) / 2, width, height },
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
measure_callout (MtPlotBuild *build,
                 const char  *title,
                 const char  *text,
                 Callout     *callout)
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
choose_callout (MtPlotBuild *build,
                Callout     *chosen,
                MtBox       *box)
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

/* From the point straight up or down, and from there across where the callout is to the side. */
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
place_callout (MtPlotBuild *build)
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
place_zone (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;
  double right, width, line;
  MtBox places[10], best;

  layout->zone_right = NAN;
  if (build->spec->zone <= 0)
    return;
  right = _mt_plot_x_of (layout, build->spec->zone);
  if (right <= area->x)
    return;
  layout->zone_edge = right < area->x + area->width;
  layout->zone_right = MIN (right, area->x + area->width);
  if (build->spec->zone_label == NULL)
    return;
  width = _mt_plot_text_width (build->spec->zone_label, build);
  line = _mt_plot_text_height (build->spec->zone_label, build);
  /* At the bottom, higher by and by where a line of a benchmark would run through it; else at the top. */
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    places[i] = (MtBox) { i % 2 == 0 ? layout->zone_right - 10 - width : area->x + 10,
                          i < 8 ? area->y + area->height - 10 - line - i / 2 * (line / 2 + 4) : area->y + 10,
                          width, line };
  best = choose_clear_place (layout, places, G_N_ELEMENTS (places));
  if (width + 20 <= layout->zone_right - area->x && best.width > 0)
    add_text (build, build->spec->zone_label, MT_PLOT_FONT_TICK, MT_PLOT_INK_ZONE, best);
}

static void
place_benchmark_lines (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;

  for (guint i = 0; i < build->spec->n_benchmarks; i++)
    {
      const MtPlotBenchmark *benchmark = &build->spec->benchmarks[i];
      MtPlotLine level = { _mt_plot_y_of (layout, benchmark->quality), benchmark->dashed };

      if (isfinite (level.y) && level.y >= area->y && level.y <= area->y + area->height)
        g_array_append_val (layout->benchmarks, level);
    }
}

static void
place_benchmark_names (MtPlotBuild *build)
{
  MtPlotLayout *layout = build->layout;
  const MtBox *area = &layout->area;

  for (guint i = 0; i < build->spec->n_benchmarks; i++)
    {
      const MtPlotBenchmark *benchmark = &build->spec->benchmarks[i];
      double y = _mt_plot_y_of (layout, benchmark->quality);
      MtBox places[2 * ALONG], best;
      double width, line;

      if (!isfinite (y) || y < area->y || y > area->y + area->height || benchmark->label == NULL)
        continue;
      width = _mt_plot_text_width (benchmark->label, build);
      line = _mt_plot_text_height (benchmark->label, build);
      for (guint j = 0; j < G_N_ELEMENTS (places); j++)
        places[j] = (MtBox) { area->x + 10 + (j / 2) * (area->width - 20 - width) / (ALONG - 1),
                              j % 2 == 0 ? y - line - 3 : y + 3, width, line };
      best = choose_clear_place (layout, places, G_N_ELEMENTS (places));
      if (best.width > 0)   /* the list next to the plot shows it */
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
  away = mark->radius + 2 * MT_PLOT_GAP;
  /* Above it and in the middle, if there is room; what is under the pointer stays visible. */
  box->width = width;
  box->height = height;
  box->x = CLAMP (mark->x - width / 2, 0, MAX (self->width - width, 0));
  box->y = mark->y - away - height >= 0 ? mark->y - away - height : mark->y + away;
}

void
_mt_plot_place_texts (MtPlotBuild *build)
{
  place_heading (build);
  place_tick_labels (build);
  place_badge (build, 0, build->spec->pinned_a, "A");
  place_badge (build, 1, build->spec->pinned_b, "B");
  place_callout (build);
  place_benchmark_lines (build);
  place_zone (build);
  place_benchmark_names (build);
}
