/* Quality and drift over time as charts. See mt-draw-over-time.h. */
#include "config.h"
#include "mt-draw-over-time.h"

#include <math.h>

#include "base/mt-gettext.h"
#include "mt-draw-chart-private.h"
#include "score/mt-drift.h"

typedef double (*Figure) (const MtTimePart *part);

static double get_quality   (const MtTimePart *part) { return part->quality.value; }
static double get_low       (const MtTimePart *part) { return part->quality.n_resamples > 0 ? part->quality.low : NAN; }
static double get_high      (const MtTimePart *part) { return part->quality.n_resamples > 0 ? part->quality.high : NAN; }
static double get_predicted (const MtTimePart *part) { return part->predicted; }
static double get_observed  (const MtTimePart *part) { return part->observed; }
static double get_drift     (const MtTimePart *part) { return part->drift; }

static void
add (MtChart          *chart,
     const MtOverTime *self,
     MtChartKind       kind,
     const char       *label,
     Figure            figure)
{
  g_autofree double *x = g_new (double, self->parts->len + 1);
  g_autofree double *y = g_new (double, self->parts->len + 1);

  for (guint i = 0; i < self->parts->len; i++)
    {
      const MtTimePart *part = &g_array_index (self->parts, MtTimePart, i);

      x[i] = part->place;
      y[i] = figure (part);
    }
  mt_chart_add (chart, kind, label, x, y, self->parts->len);
}

static void
add_level (MtChart      *chart,
           MtChartKind   kind,
           const double *ends,
           double        level,
           const char   *label)
{
  const double both[] = { level, level };

  mt_chart_add (chart, kind, label, ends, both, 2);
}

static MtChart *
make_empty (const MtOverTime *self,
            MtTimeChart       kind,
            const char       *axis)
{
  if (kind == MT_TIME_CHART_QUALITY)
    return mt_chart_new (axis, NAN, NAN, self->metric == MT_METRIC_AUC ? _("AUC") : _("RMSE"), NAN, NAN);
  if (kind == MT_TIME_CHART_LEVEL)
    return mt_chart_new (axis, NAN, NAN, _("mean"), NAN, NAN);
  return mt_chart_new (axis, NAN, NAN, _("drift of the score (PSI)"), 0, NAN);
}

MtChart *
mt_over_time_make_chart (const MtOverTime *self,
                         MtTimeChart       kind,
                         const char       *axis)
{
  const double ends[] = { g_array_index (self->parts, MtTimePart, 0).place,
                          g_array_index (self->parts, MtTimePart, self->parts->len - 1).place };
  MtChart *chart = make_empty (self, kind, axis);

  if (self->is_date && self->period != MT_PERIOD_PART)
    _mt_chart_set_periods (chart, self->period == MT_PERIOD_MONTH ? 12 : self->period == MT_PERIOD_QUARTER ? 4 : 1);

  switch (kind)
    {
    case MT_TIME_CHART_QUALITY:
      add (chart, self, MT_CHART_DOTTED_LINE, _("by period"), get_quality);
      add_level (chart, MT_CHART_LINE, ends, self->whole.value, _("all rows"));
      /* xgettext:no-c-format */
      add (chart, self, MT_CHART_DASHED, _("95% interval"), get_low);
      add (chart, self, MT_CHART_DASHED, NULL, get_high);
      return chart;
    case MT_TIME_CHART_LEVEL:
      add (chart, self, MT_CHART_DOTTED_LINE, _("predicted"), get_predicted);
      add (chart, self, MT_CHART_DOTTED_LINE, _("true"), get_observed);
      return chart;
    case MT_TIME_CHART_DRIFT:
    case MT_N_TIME_CHARTS:
    default:
      add_level (chart, MT_CHART_DASHED, ends, MT_DRIFT_SOME, _("some drift"));
      add_level (chart, MT_CHART_DASHED, ends, MT_DRIFT_MUCH, _("much drift"));
      add (chart, self, MT_CHART_DOTTED_LINE, _("score"), get_drift);
      return chart;
    }
}
