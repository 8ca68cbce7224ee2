/* The points of a number or date of a scorecard over its training range, as a chart. See mt-draw-scorecard.h. */
#include "config.h"
#include "mt-draw-scorecard.h"

#include <math.h>

#include "base/mt-gettext.h"

#define CURVE_STEPS  256u          /* of a range that is not straight */
#define DAYS_OF_YEAR 365.2425

typedef struct {
  const MtScorecard     *card;
  guint                  index;
  const MtEncoderColumn *about;
} Drawn;

/* Dates stand at their year. */
static double
place_of (const Drawn *self,
          double       value)
{
  return self->about->type == MT_TYPE_DATE ? 1970 + value / DAYS_OF_YEAR : value;
}

static guint
count_steps (const Drawn *self)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (self->card, self->index);
  const MtRuleBook *book = mt_scorecard_get_book (self->card);

  for (guint i = 0; i < column->n_terms; i++)
    {
      const MtTerm *term = mt_rule_set_get_term (mt_rule_book_get_rules (book), column->terms[i]);

      if (term->is_numeric && mt_encoder_get_numeric (mt_rule_book_get_encoder (book), term->numeric)->shape != MT_SHAPE_PLAIN)
        return CURVE_STEPS;
    }
  return 1;
}

static void
add_curve (MtChart     *chart,
           const Drawn *self,
           guint        output,
           const char  *label)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (self->card, self->index);
  guint n_steps = count_steps (self), n = 0;
  g_autofree double *x = g_new (double, column->n_ranges * (n_steps + 1));
  g_autofree double *y = g_new (double, column->n_ranges * (n_steps + 1));

  for (guint i = 0; i < column->n_ranges; i++)
    {
      const MtScorecardRange *range = &column->ranges[i];
      double low = CLAMP (range->low, self->about->min, self->about->max);
      double high = CLAMP (range->high, self->about->min, self->about->max);

      if (range->is_missing || high <= low)
        continue;
      for (guint k = 0; k <= n_steps; k++)
        {
          double value = low + (high - low) * k / n_steps;

          x[n] = place_of (self, value);
          y[n++] = range->points[output] + mt_scorecard_get_linear (self->card, self->index, output, value);
        }
    }
  mt_chart_add (chart, MT_CHART_LINE, label, x, y, n);
}

MtChart *
mt_scorecard_make_chart (const MtScorecard *card,
                         guint              index)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (card, index);
  MtRuleBook *book = mt_scorecard_get_book (card);
  const Drawn self = { card, index, mt_encoder_get_column (mt_rule_book_get_encoder (book), column->column) };
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  double ends[2], zero[] = { 0, 0 };
  MtChart *chart;

  if ((self.about->type != MT_TYPE_NUMBER && self.about->type != MT_TYPE_DATE) || !(self.about->max > self.about->min))
    return NULL;
  ends[0] = place_of (&self, self.about->min);
  ends[1] = place_of (&self, self.about->max);
  chart = mt_chart_new (self.about->type == MT_TYPE_DATE ? _("year") : self.about->name, ends[0], ends[1], _("points"), NAN, NAN);
  mt_chart_add (chart, MT_CHART_DASHED, NULL, ends, zero, 2);
  for (guint o = 0; o < MIN (n_outputs, MT_SCORECARD_MAX_CURVES); o++)
    add_curve (chart, &self, o, n_outputs > 1 ? mt_rule_book_get_classes (book)[o] : NULL);
  return chart;
}
