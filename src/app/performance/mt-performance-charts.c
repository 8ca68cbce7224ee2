/* The charts of the Quality page. See mt-performance-charts.h. */
#include "config.h"
#include "mt-performance-charts.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"

#define CURVE_STEPS 400
#define MAX_DOTS    2000
#define N_BINS      10

gboolean
mt_performance_chart_fits (MtPerformanceChart chart,
                           MtTask             task)
{
  return (chart == MT_PERFORMANCE_RESIDUALS || chart == MT_PERFORMANCE_TENTHS) == (task == MT_TASK_REGRESSION);
}

const char *
mt_performance_chart_title (MtPerformanceChart chart)
{
  switch (chart)
    {
    case MT_PERFORMANCE_ROC:
      return _("ROC");
    case MT_PERFORMANCE_PRECISION_RECALL:
      return _("Precision and Recall");
    case MT_PERFORMANCE_CALIBRATION:
    case MT_PERFORMANCE_TENTHS:
      return _("Calibration");
    case MT_PERFORMANCE_GAIN:
      return _("Gain");
    case MT_PERFORMANCE_RESIDUALS:
      return _("Residuals");
    case MT_N_PERFORMANCE_CHARTS:
    default:
      g_return_val_if_reached ("");
    }
}

/* --- classes --- */

static MtTrace
trace_of (MtPerformanceChart chart)
{
  return chart == MT_PERFORMANCE_ROC ? MT_TRACE_ROC :
         chart == MT_PERFORMANCE_GAIN ? MT_TRACE_GAIN : MT_TRACE_PRECISION_RECALL;
}

static MtChart *
new_chart (MtPerformanceChart chart)
{
  static const double ends[] = { 0, 1 };
  MtChart *made;

  switch (chart)
    {
    case MT_PERFORMANCE_ROC:
      made = mt_chart_new (_("False positive rate"), 0, 1, _("True positive rate"), 0, 1);
      mt_chart_add (made, MT_CHART_DASHED, _("Chance"), ends, ends, 2);
      return made;
    case MT_PERFORMANCE_GAIN:
      made = mt_chart_new (_("Share of rows, most probable first"), 0, 1, _("True positive rate"), 0, 1);
      mt_chart_add (made, MT_CHART_DASHED, _("Chance"), ends, ends, 2);
      return made;
    case MT_PERFORMANCE_CALIBRATION:
      made = mt_chart_new (_("Mean predicted probability"), 0, 1, _("Observed share"), 0, 1);
      mt_chart_add (made, MT_CHART_DASHED, _("Perfect"), ends, ends, 2);
      return made;
    case MT_PERFORMANCE_PRECISION_RECALL:
    default:
      return mt_chart_new (_("Recall"), 0, 1, _("Precision"), 0, 1);
    }
}

/* Where the cutoff is on the curve of the second of two classes. FALSE: nowhere. */
static gboolean
find_mark (MtPerformanceChart   chart,
           const MtPerformance *performance,
           double               cutoff,
           double              *x,
           double              *y)
{
  MtOutcomes at;
  double n_hits, n_taken, n_others;

  if (performance->scored.n_classes != 2 || isnan (cutoff) || chart == MT_PERFORMANCE_CALIBRATION)
    return FALSE;
  mt_ranking_count (performance->rankings[1], cutoff, &at);
  n_hits = (double) (at.true_positive + at.false_negative);
  n_others = (double) (at.false_positive + at.true_negative);
  n_taken = (double) (at.true_positive + at.false_positive);
  if (n_hits == 0 || n_others == 0 || (chart == MT_PERFORMANCE_PRECISION_RECALL && n_taken == 0))
    return FALSE;
  *y = (double) at.true_positive / n_hits;
  *x = chart == MT_PERFORMANCE_ROC ? (double) at.false_positive / n_others : n_taken / (n_hits + n_others);
  if (chart == MT_PERFORMANCE_PRECISION_RECALL)
    {
      *x = *y;
      *y = (double) at.true_positive / n_taken;
    }
  return TRUE;
}

static char *
dup_cutoff (double cutoff)
{
  g_autofree char *number = mt_format_number (cutoff);

  return g_strdup_printf (_("Cutoff %s"), number);
}

static MtChart *
make_classes (MtPerformanceChart   chart,
              const MtPerformance *performance,
              const char * const  *classes,
              double               cutoff)
{
  const MtScored *scored = &performance->scored;
  guint first = scored->n_classes == 2 ? 1 : 0, n_shown = MIN (scored->n_classes - first, MT_PERFORMANCE_MAX_CURVES);
  g_autofree double *x = g_new (double, scored->n_rows + 2);
  g_autofree double *y = g_new (double, scored->n_rows + 2);
  MtChart *made = new_chart (chart);

  if (chart == MT_PERFORMANCE_PRECISION_RECALL && scored->n_classes == 2 && scored->n_rows > 0)
    {
      double share = (double) performance->n_by_class[1] / (double) scored->n_rows;
      const double ends[] = { 0, 1 }, level[] = { share, share };

      mt_chart_add (made, MT_CHART_DASHED, _("Chance"), ends, level, 2);
    }
  for (guint c = first; c < first + n_shown; c++)
    {
      MtCalibrationBin bins[N_BINS];
      gsize n = 0;

      if (chart != MT_PERFORMANCE_CALIBRATION)
        n = mt_ranking_trace (performance->rankings[c], trace_of (chart), CURVE_STEPS, x, y);
      else
        for (guint b = 0, n_bins = mt_metric_calibration (scored, c, N_BINS, bins, NULL); b < n_bins; b++)
          {
            x[n] = bins[b].mean_predicted;
            y[n++] = bins[b].observed;
          }
      mt_chart_add (made, chart == MT_PERFORMANCE_CALIBRATION ? MT_CHART_DOTTED_LINE : MT_CHART_LINE, classes[c], x, y, n);
    }
  if (find_mark (chart, performance, cutoff, &x[0], &y[0]))
    {
      g_autofree char *label = dup_cutoff (cutoff);

      mt_chart_add (made, MT_CHART_MARK, label, x, y, 1);
    }
  return made;
}

/* --- numbers --- */

static MtChart *
make_residuals (const MtScored *scored)
{
  gsize step = (scored->n_rows + MAX_DOTS - 1) / MAX_DOTS, n = 0;
  g_autofree double *x = g_new (double, MAX_DOTS + 1);
  g_autofree double *y = g_new (double, MAX_DOTS + 1);
  double zero[] = { 0, 0 }, ends[] = { INFINITY, -INFINITY };
  MtChart *made = mt_chart_new (_("Predicted"), NAN, NAN, _("True − predicted"), NAN, NAN);

  for (gsize r = 0; r < scored->n_rows; r += step)
    {
      x[n] = scored->predictions[r];
      y[n++] = scored->values[r] - scored->predictions[r];
      ends[0] = fmin (ends[0], x[n - 1]);
      ends[1] = fmax (ends[1], x[n - 1]);
    }
  mt_chart_add (made, MT_CHART_DASHED, NULL, ends, zero, 2);
  mt_chart_add (made, MT_CHART_DOTS, NULL, x, y, n);
  return made;
}

static MtChart *
make_tenths (const MtScored *scored)
{
  MtTenth tenths[MT_N_TENTHS];
  double x[MT_N_TENTHS], y[MT_N_TENTHS], ends[] = { INFINITY, -INFINITY };
  MtChart *made = mt_chart_new (_("Mean predicted"), NAN, NAN, _("Mean true"), NAN, NAN);
  gsize n = 0;

  mt_scored_make_tenths (scored, tenths);
  for (guint t = 0; t < MT_N_TENTHS; t++)
    if (tenths[t].n_rows > 0)
      {
        x[n] = tenths[t].mean_predicted;
        y[n++] = tenths[t].mean_true;
        ends[0] = fmin (ends[0], x[n - 1]);
        ends[1] = fmax (ends[1], x[n - 1]);
      }
  mt_chart_add (made, MT_CHART_DASHED, _("Perfect"), ends, ends, 2);
  mt_chart_add (made, MT_CHART_DOTTED_LINE, _("Tenths of the rows"), x, y, n);
  return made;
}

MtChart *
mt_performance_chart_make (MtPerformanceChart   chart,
                           const MtPerformance *performance,
                           const char * const  *classes,
                           double               cutoff)
{
  if (chart == MT_PERFORMANCE_RESIDUALS)
    return make_residuals (&performance->scored);
  if (chart == MT_PERFORMANCE_TENTHS)
    return make_tenths (&performance->scored);
  return make_classes (chart, performance, classes, cutoff);
}

char *
mt_performance_chart_speak (MtPerformanceChart   chart,
                            const MtPerformance *performance,
                            const char * const  *classes,
                            double               cutoff)
{
  const char *title = mt_performance_chart_title (chart);
  g_autofree char *rows = mt_format_count (performance->scored.n_rows);
  g_autofree char *plain = g_strdup_printf (ngettext ("%s, %s row", "%s, %s rows", performance->scored.n_rows), title, rows);
  double x, y;

  if (mt_performance_chart_fits (chart, MT_TASK_BINARY) && find_mark (chart, performance, cutoff, &x, &y))
    {
      g_autofree char *number = mt_format_number (cutoff);
      g_autofree char *at_x = mt_format_percent (x);
      g_autofree char *at_y = mt_format_percent (y);

      if (chart == MT_PERFORMANCE_ROC)
        return g_strdup_printf (_("%s. At the cutoff %s: false positive rate %s, true positive rate %s"), plain, number, at_x,
                                at_y);
      if (chart == MT_PERFORMANCE_GAIN)
        return g_strdup_printf (_("%s. At the cutoff %s: share of rows %s, true positive rate %s"), plain, number, at_x, at_y);
      return g_strdup_printf (_("%s. At the cutoff %s: recall %s, precision %s"), plain, number, at_x, at_y);
    }
  return g_steal_pointer (&plain);
}
