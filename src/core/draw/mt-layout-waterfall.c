/* A waterfall: how a score comes about, one line a term, each bar beginning where the one before ended. See
 * mt-layout-waterfall.h. */
#include "config.h"
#include "mt-layout-waterfall.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-gettext.h"

#define AXIS_HEIGHT 26.0
#define ODDS_HEIGHT 24.0
#define ODDS_GAP    10.0      /* between labels */
#define BAR_SHARE   0.66      /* of a line's height */
#define LEAST_PLOT  40.0

double
mt_waterfall_layout_measure (guint    n_steps,
                             double   line_height,
                             gboolean is_log_odds)
{
  return (n_steps + 1) * line_height + AXIS_HEIGHT + (is_log_odds ? ODDS_HEIGHT : 0);
}

static int
by_share (gconstpointer a,
          gconstpointer b)
{
  const MtOddsTick *x = a, *y = b;

  return x->share < y->share ? -1 : x->share > y->share;
}

/* The rounder a probability, the sooner it gets its place; what would touch another one gets none. */
static void
place_odds (MtWaterfallLayout *self,
            MtLabelRoom        room,
            gpointer           data)
{
  static const double percents[MT_WATERFALL_MOST_ODDS] = { 50, 10, 90, 20, 80, 30, 70, 1, 99, 5, 95, 40, 60, 2, 98 };

  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      double share = percents[i] / 100, position = mt_axis_position (&self->axis, log (share / (1 - share))), half;
      MtOddsTick tick = { share, self->plot_x + position * self->plot_width, "" };
      gboolean is_free = position >= 0 && position <= 1;

      g_snprintf (tick.label, sizeof tick.label, _("%.0f%%"), percents[i]);
      half = room (tick.label, data) / 2;
      for (guint k = 0; k < self->n_odds && is_free; k++)
        is_free = fabs (self->odds[k].x - tick.x) >= half + room (self->odds[k].label, data) / 2 + ODDS_GAP;
      if (is_free)
        self->odds[self->n_odds++] = tick;
    }
  qsort (self->odds, self->n_odds, sizeof *self->odds, by_share);
}

static void
place_line (MtWaterfallLayout *self,
            guint              index,
            double             line_height,
            double             from,
            double             to,
            gboolean           has_bar)
{
  double a = self->plot_x + mt_axis_position (&self->axis, from) * self->plot_width;
  double b = self->plot_x + mt_axis_position (&self->axis, to) * self->plot_width;

  self->lines[index] = (MtWaterfallLine) {
    .y = self->top + index * line_height + line_height * (1 - BAR_SHARE) / 2, .height = line_height * BAR_SHARE,
    .x = MIN (a, b), .width = fabs (b - a), .from = from, .to = to, .has_bar = has_bar,
  };
}

MtWaterfallLayout *
mt_waterfall_layout_new (const MtWaterfallStep *steps,
                         guint                  n_steps,
                         double                 reference,
                         gboolean               is_log_odds,
                         double                 width,
                         double                 line_height,
                         double                 label_width,
                         double                 end_room,
                         char                   decimal,
                         MtLabelRoom            room,
                         gpointer               data)
{
  MtWaterfallLayout *self = g_new0 (MtWaterfallLayout, 1);
  double low = reference, high = reference, sum = 0;

  for (guint i = 0; i < n_steps; i++)
    {
      sum += steps[i].amount;
      low = MIN (low, sum);
      high = MAX (high, sum);
    }
  self->width = width;
  self->height = mt_waterfall_layout_measure (n_steps, line_height, is_log_odds);
  self->top = is_log_odds ? ODDS_HEIGHT : 0;
  self->axis_y = self->top + (n_steps + 1) * line_height;
  self->plot_x = label_width + end_room;
  self->plot_width = MAX (LEAST_PLOT, width - self->plot_x - end_room);
  mt_axis_init (&self->axis, low, high, FALSE, decimal);
  mt_axis_place_ticks (&self->axis, self->plot_width, 12, 0, room, data);
  if (is_log_odds)
    place_odds (self, room, data);
  self->reference_x = self->plot_x + mt_axis_position (&self->axis, reference) * self->plot_width;
  self->n_lines = n_steps + 1;
  self->lines = g_new0 (MtWaterfallLine, self->n_lines);
  sum = 0;
  for (guint i = 0; i < n_steps; i++)
    {
      /* With a cutoff that is not 0 the way from 0 to the intercept tells nothing: a mark where it is. */
      double from = i == 0 && reference != 0 ? steps[0].amount : sum;

      sum += steps[i].amount;
      place_line (self, i, line_height, from, sum, steps[i].applies);
    }
  place_line (self, n_steps, line_height, reference, sum, TRUE);
  return self;
}

void
mt_waterfall_layout_free (MtWaterfallLayout *self)
{
  mt_axis_clear (&self->axis);
  g_free (self->lines);
  g_free (self);
}

int
mt_waterfall_layout_hit (const MtWaterfallLayout *self,
                         double                   y)
{
  double line_height = (self->axis_y - self->top) / self->n_lines;

  return y >= self->top && y < self->axis_y ? (int) ((y - self->top) / line_height) : -1;
}
