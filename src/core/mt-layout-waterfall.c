#include "config.h"
#include "mt-layout-waterfall.h"

#include <math.h>

#define AXIS_HEIGHT 26.0
#define BAR_SHARE   0.66      /* of a line's height */
#define LEAST_PLOT  40.0

double
mt_waterfall_layout_measure (guint  n_steps,
                             double line_height)
{
  return (n_steps + 1) * line_height + AXIS_HEIGHT;
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
    .y = index * line_height + line_height * (1 - BAR_SHARE) / 2, .height = line_height * BAR_SHARE,
    .x = MIN (a, b), .width = fabs (b - a), .from = from, .to = to, .has_bar = has_bar,
  };
}

MtWaterfallLayout *
mt_waterfall_layout_new (const MtWaterfallStep *steps,
                         guint                  n_steps,
                         double                 reference,
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
  self->height = mt_waterfall_layout_measure (n_steps, line_height);
  self->axis_y = (n_steps + 1) * line_height;
  self->plot_x = label_width + end_room;
  self->plot_width = MAX (LEAST_PLOT, width - self->plot_x - end_room);
  mt_axis_init (&self->axis, low, high, FALSE, decimal);
  mt_axis_place_ticks (&self->axis, self->plot_width, 12, 0, room, data);
  self->reference_x = self->plot_x + mt_axis_position (&self->axis, reference) * self->plot_width;
  self->n_lines = n_steps + 1;
  self->lines = g_new0 (MtWaterfallLine, self->n_lines);
  sum = 0;
  for (guint i = 0; i < n_steps; i++)
    {
      /* With a cut-off that is not 0 the way from 0 to the intercept tells nothing: a mark where it is. */
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
  double line_height = self->axis_y / self->n_lines;

  return y >= 0 && y < self->axis_y ? (int) (y / line_height) : -1;
}
