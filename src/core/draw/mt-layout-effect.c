/* See mt-layout-effect.h. */
#include "config.h"
#include "mt-layout-effect.h"

#include <math.h>

#define GAP         8.0       /* between a label and what it labels */
#define BAR_SHARE   0.22      /* of the height, for the histogram */
#define LEAST_PLOT  60.0
#define N_CURVE     129       /* points of a line that may not be straight */

typedef struct {
  double      height;
  MtLabelRoom room;
  gpointer    data;
} Text;

/* Labels below each other need their height. */
static double
line_room (const char *label,
           gpointer    data)
{
  return ((const Text *) data)->height;
}

static void
place_bars (MtEffectLayout     *self,
            const MtEffectSpec *spec,
            double              height)
{
  gsize most = 1;

  if (spec->counts == NULL || spec->n_bars == 0)
    return;
  for (guint i = 0; i < spec->n_bars; i++)
    most = MAX (most, spec->counts[i]);
  self->n_bars = spec->n_bars;
  self->bars = g_new (MtEffectBar, spec->n_bars);
  for (guint i = 0; i < spec->n_bars; i++)
    {
      double left = self->plot_x + self->plot_width * i / spec->n_bars;
      double high = height * (double) spec->counts[i] / (double) most;

      self->bars[i] = (MtEffectBar) { left, self->axis_y - high, self->plot_width / spec->n_bars, high };
    }
}

static double
get_effect (const MtEffectSpec *spec,
            guint               output,
            double              value)
{
  return spec->slopes[output] * ((spec->shape != NULL ? spec->shape (value, spec->shape_data) : value) - spec->mean);
}

MtEffectLayout *
mt_effect_layout_new (const MtEffectSpec *spec,
                      double              width,
                      double              height,
                      double              line_height,
                      char                decimal,
                      MtLabelRoom         room,
                      gpointer            data)
{
  MtEffectLayout *self;
  Text text = { line_height, room, data };
  double least = 0, most = 0, labels = 0, bars = spec->counts != NULL ? floor (height * BAR_SHARE) : 0;

  g_return_val_if_fail (spec != NULL && spec->slopes != NULL, NULL);
  g_return_val_if_fail (room != NULL, NULL);

  self = g_new0 (MtEffectLayout, 1);
  for (guint o = 0; o < spec->n_outputs; o++)
    for (guint end = 0; end < 2; end++)
      {
        double at = get_effect (spec, o, end == 0 ? spec->low : spec->high);

        least = MIN (least, at);
        most = MAX (most, at);
      }
  self->width = width;
  self->height = height;
  self->plot_y = line_height / 2;
  self->axis_y = MAX (LEAST_PLOT, height - line_height - GAP);
  self->plot_height = MAX (LEAST_PLOT / 2, self->axis_y - bars - (bars > 0 ? GAP : 0) - self->plot_y);
  mt_axis_init (&self->y, least, most, FALSE, decimal);
  mt_axis_place_ticks (&self->y, self->plot_height, line_height, 0, line_room, &text);
  for (guint i = 0; i < self->y.n_ticks; i++)
    if (self->y.ticks[i].major)
      labels = MAX (labels, room (self->y.ticks[i].label, data));
  self->plot_x = labels + GAP;
  self->plot_width = MAX (LEAST_PLOT, width - self->plot_x - GAP);
  mt_axis_init (&self->x, spec->low, spec->high, FALSE, decimal);
  mt_axis_place_ticks (&self->x, self->plot_width, 2 * GAP, 0, room, data);
  /* The last label may reach beyond the last value. */
  for (guint i = 0; i < self->x.n_ticks; i++)
    if (self->x.ticks[i].major && self->x.ticks[i].position > 0.5)
      self->plot_width = MIN (self->plot_width, (width - self->plot_x - room (self->x.ticks[i].label, data) / 2) /
                                                self->x.ticks[i].position);
  self->mean_x = mt_effect_layout_place (self, spec->shape != NULL ? spec->zero : spec->mean);
  self->zero_y = self->plot_y + self->plot_height * (1 - mt_axis_position (&self->y, 0));
  self->n_lines = spec->n_outputs;
  self->n_points = spec->shape != NULL ? N_CURVE : 2;
  self->points = g_new (double, self->n_points * MAX (1, spec->n_outputs));
  for (guint o = 0; o < spec->n_outputs; o++)
    for (guint i = 0; i < self->n_points; i++)
      {
        double share = i / (self->n_points - 1.);
        double at = get_effect (spec, o, (1 - share) * self->x.low + share * self->x.high);

        self->points[self->n_points * o + i] = self->plot_y + self->plot_height * (1 - mt_axis_position (&self->y, at));
      }
  place_bars (self, spec, bars);
  return self;
}

void
mt_effect_layout_free (MtEffectLayout *self)
{
  mt_axis_clear (&self->x);
  mt_axis_clear (&self->y);
  g_free (self->points);
  g_free (self->bars);
  g_free (self);
}

double
mt_effect_layout_value (const MtEffectLayout *self,
                        double                x)
{
  return mt_axis_value (&self->x, CLAMP ((x - self->plot_x) / self->plot_width, 0, 1));
}

double
mt_effect_layout_place (const MtEffectLayout *self,
                        double                value)
{
  return self->plot_x + mt_axis_position (&self->x, value) * self->plot_width;
}
