/* Histogram: bars side by side, 1 apart while there is room, standing on the lower edge.
 * Levels: bars below each other from the left, names at the right. A bar that stands for
 * at least one row is at least 1.5 long, or a rare value would vanish. */
#include "config.h"
#include "mt-layout-distribution.h"

#include <math.h>

#define SHORTEST    1.5
#define LINE_HEIGHT 19.0
#define LABEL_GAP   8.0
#define LEAST_BAR   24.0   /* room that names may not take from the bars */

static double
length_of (const MtDistribution *distribution,
           guint                 index,
           double                longest)
{
  if (distribution->counts[index] == 0)
    return 0;
  return MAX (SHORTEST, longest * (double) distribution->counts[index] / (double) distribution->highest);
}

static void
place_columns (MtDistributionLayout *self,
               const MtDistribution *distribution,
               double                marked)
{
  double pitch = self->width / self->n_bars;
  double gap = pitch >= 3 ? 1 : 0;
  int marked_bin = isnan (marked) ? -1 : mt_distribution_find_bin (distribution, marked);

  for (guint i = 0; i < self->n_bars; i++)
    {
      double height = length_of (distribution, i, self->height);

      self->bars[i] = (MtBar) { i * pitch, self->height - height, pitch - gap, height, (int) i == marked_bin };
    }
}

static void
place_lines (MtDistributionLayout *self,
             const MtDistribution *distribution,
             double                label_width)
{
  double bar_room;
  double thickness;

  self->line_height = MIN (LINE_HEIGHT, self->height / self->n_bars);
  self->label_width = MAX (0, MIN (label_width, self->width - LEAST_BAR - LABEL_GAP));
  self->label_x = self->width - self->label_width;
  bar_room = self->width - (self->label_width > 0 ? self->label_width + LABEL_GAP : 0);
  thickness = MIN (10, MAX (self->line_height - 2, 1));
  for (guint i = 0; i < self->n_bars; i++)
    self->bars[i] = (MtBar) {
      0, i * self->line_height + (self->line_height - thickness) / 2,
      length_of (distribution, i, bar_room), thickness, FALSE
    };
}

MtDistributionLayout *
mt_distribution_layout_new (const MtDistribution *distribution,
                            double                width,
                            double                height,
                            double                label_width,
                            double                marked)
{
  MtDistributionLayout *self;

  g_return_val_if_fail (distribution != NULL, NULL);

  self = g_new0 (MtDistributionLayout, 1);
  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->n_bars = distribution->n_counts;
  self->bars = g_new0 (MtBar, MAX (self->n_bars, 1));
  if (distribution->kind == MT_DISTRIBUTION_HISTOGRAM)
    place_columns (self, distribution, marked);
  else if (distribution->kind == MT_DISTRIBUTION_LEVELS)
    place_lines (self, distribution, label_width);
  return self;
}

void
mt_distribution_layout_free (MtDistributionLayout *self)
{
  if (self == NULL)
    return;
  g_free (self->bars);
  g_free (self);
}

int
mt_distribution_layout_hit (const MtDistributionLayout *self,
                            double                      x,
                            double                      y)
{
  if (x < 0 || y < 0 || x >= self->width || y >= self->height)
    return -1;
  for (guint i = 0; i < self->n_bars; i++)
    {
      const MtBar *bar = &self->bars[i];

      if (self->line_height > 0
          ? y >= i * self->line_height && y < (i + 1) * self->line_height
          : x >= bar->x && (i + 1 < self->n_bars ? x < self->bars[i + 1].x : x <= bar->x + bar->width))
        return (int) i;
    }
  return -1;
}
