/* How well the model does, part by part, with what can be plotted of it. Everything is measured on the rows of
 * the first part: the test rows where they are known. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "draw/mt-draw-chart.h"
#include "explain/mt-performance.h"
#include "rules/mt-ranking.h"

#define N_BINS      10
#define MAX_CURVES  8         /* classes in one chart */
#define MAX_DOTS    2000
#define MAX_MATRIX  8         /* classes in one table of both */
#define CURVE_STEPS 400       /* points of a curve, at most */
#define SIDE        230.0     /* of a square chart, in points */

static void
add_chart (MtReport   *report,
           MtChart    *chart,     /* taken */
           double      width,
           double      height,
           const char *about)
{
  double whole_width, whole_height;

  mt_chart_measure (chart, width, height, &whole_width, &whole_height);
  mt_report_add_figure (report, about, whole_width, whole_height, mt_chart_paint, chart, (GDestroyNotify) mt_chart_free);
}

/* --- classes --- */

static void
add_curves (MtReport       *report,
            const MtModel  *model,
            const MtScored *scored,
            gboolean        is_roc)
{
  static const double ends[] = { 0, 1 };
  const char * const *classes = mt_model_get_info (model)->classes;
  guint first = scored->n_classes == 2 ? 1 : 0;
  guint n_shown = MIN (scored->n_classes - first, MAX_CURVES);
  g_autofree double *x = g_new (double, scored->n_rows + 2);
  g_autofree double *y = g_new (double, scored->n_rows + 2);
  g_autofree char *about = NULL;
  MtChart *chart = is_roc ? mt_chart_new ("false positive rate", 0, 1, "true positive rate", 0, 1)
                          : mt_chart_new ("share of all rows, by decreasing probability", 0, 1, "true "
                                                                                                "positive "
                                                                                                "rate", 0, 1);

  mt_chart_add (chart, MT_CHART_DASHED, "by chance", ends, ends, 2);
  for (guint c = first; c < first + n_shown; c++)
    {
      g_autoptr (MtRanking) ranking = mt_ranking_new (scored, c);
      gsize n = mt_ranking_trace (ranking, is_roc ? MT_TRACE_ROC : MT_TRACE_GAIN, CURVE_STEPS, x, y);

      mt_chart_add (chart, MT_CHART_LINE, classes[c], x, y, n);
    }
  about = g_strdup_printf ("%s of %" G_GSIZE_FORMAT " rows%s", is_roc
                           ? "ROC curve: true positive rate against false positive rate,"
                           : "Gain curve: taking rows by decreasing probability, true positive rate against "
                             "share of rows taken,",
                           scored->n_rows,
                           n_shown < scored->n_classes - first ? "; the first eight classes." : ".");
  add_chart (report, chart, SIDE, SIDE, about);
}

/* The same as numbers: what the best tenths hold. */
static void
add_gain_table (MtReport       *report,
                const MtModel  *model,
                const MtScored *scored)
{
  const char * const *classes = mt_model_get_info (model)->classes;
  guint first = scored->n_classes == 2 ? 1 : 0;
  MtReportBlock *table = mt_report_add_table (report, "Class", "Share of rows", "True positive rate", "Lift", NULL);

  for (guint c = first; c < scored->n_classes; c++)
    {
      g_autoptr (MtRanking) ranking = mt_ranking_new (scored, c);

      for (guint tenth = 1; tenth <= 5 && ranking->n_hits > 0; tenth++)
        {
          gsize n_taken = scored->n_rows * tenth / 10;
          double share;

          if (n_taken == 0)
            continue;
          share = mt_ranking_count_hits (ranking, n_taken) / (double) ranking->n_hits;
          mt_report_add_cell (table, classes[c]);
          mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT " (%u%%)", n_taken, tenth * 10));
          mt_report_take_cell (table, mt_report_dup_measure (share));
          mt_report_take_cell (table, mt_report_dup_measure (share * (double) scored->n_rows / (double) n_taken));
        }
    }
}

/* `0.1 … 0.2` */
static char *
dup_bin (const MtCalibrationBin *bin)
{
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%s … %s", g_ascii_formatd (from, sizeof from, "%.1f", bin->from),
                          g_ascii_formatd (to, sizeof to, "%.1f", bin->to));
}

static void
add_calibration (MtReport       *report,
                 const MtModel  *model,
                 const MtScored *scored)
{
  static const double ends[] = { 0, 1 };
  const char * const *classes = mt_model_get_info (model)->classes;
  guint first = scored->n_classes == 2 ? 1 : 0;
  MtChart *chart = mt_chart_new ("mean predicted probability", 0, 1, "observed share", 0, 1);
  g_autofree char *about = NULL;
  MtReportBlock *table;

  mt_report_add_heading (report, "calibration", "Calibration");
  mt_report_add (report, "Calibration: rows grouped by predicted probability in steps of 0.1; empty groups "
                         "are left out. Observed is the share of rows in the group that belong to the class.");
  table = mt_report_new_table ("Class", "Probability", "Rows", "Mean predicted", "Observed", NULL);
  mt_chart_add (chart, MT_CHART_DASHED, "perfect", ends, ends, 2);
  for (guint c = first; c < scored->n_classes; c++)
    {
      MtCalibrationBin bins[N_BINS];
      double x[N_BINS], y[N_BINS];
      guint n_bins = mt_metric_calibration (scored, c, N_BINS, bins, NULL);

      for (guint b = 0; b < n_bins; b++)
        {
          mt_report_add_cell (table, classes[c]);
          mt_report_take_cell (table, dup_bin (&bins[b]));
          mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, bins[b].n_rows));
          mt_report_take_cell (table, mt_report_dup_measure (bins[b].mean_predicted));
          mt_report_take_cell (table, mt_report_dup_measure (bins[b].observed));
          x[b] = bins[b].mean_predicted;
          y[b] = bins[b].observed;
        }
      if (c < first + MAX_CURVES)
        mt_chart_add (chart, MT_CHART_DOTTED_LINE, classes[c], x, y, n_bins);
    }
  about = g_strdup_printf ("Calibration plot: observed share against mean predicted probability in steps of "
                           "0.1, %" G_GSIZE_FORMAT " rows; predictions on the dashed line are correct on "
                           "average.", scored->n_rows);
  add_chart (report, chart, SIDE, SIDE, about);
  mt_report_get_last (report)->beside = TRUE;
  mt_report_take_table (report, table);
}

/* True classes down, decided ones across; how many of each true class were found, and how many of each decided one are
 * rightly so. */
static void
add_matrix (MtReport           *report,
            const char * const *classes,
            const gsize        *counts,
            guint               n)
{
  MtReportBlock *table;

  mt_report_add (report, "Rows by true class (down) and predicted class (across). Recall: share of the rows "
                         "of a class that are predicted as that class. Precision: share of the rows "
                         "predicted as a class that belong to it.");
  table = mt_report_add_table (report, "True class", NULL);
  for (guint c = 0; c < n; c++)
    {
      g_autofree char *head = g_strdup_printf ("Predicted “%s”", classes[c]);

      mt_report_add_head (table, head);
    }
  mt_report_add_head (table, "All");
  mt_report_add_head (table, "Recall");
  for (guint t = 0; t <= n; t++)
    {
      gsize all = 0;

      mt_report_add_cell (table, t < n ? classes[t] : "Precision");
      for (guint c = 0; c < n; c++)
        {
          gsize decided = 0;

          for (guint k = 0; k < n; k++)
            decided += counts[k * n + c];
          all += t < n ? counts[t * n + c] : decided;
          mt_report_take_cell (table, t < n ? g_strdup_printf ("%" G_GSIZE_FORMAT, counts[t * n + c])
                                            : decided > 0 ? mt_report_dup_percent ((double) counts[c * n + c] / (double) decided)
                                                          : g_strdup ("–"));
        }
      mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, all));
      mt_report_take_cell (table, t < n && all > 0 ? mt_report_dup_percent ((double) counts[t * n + t] / (double) all)
                                                   : g_strdup ("–"));
    }
}

static void
add_confusion (MtReport       *report,
               const MtModel  *model,
               const MtScored *scored)
{
  const char * const *classes = mt_model_get_info (model)->classes;
  guint n = scored->n_classes;
  g_autofree gsize *counts = g_new0 (gsize, (gsize) n * n);
  MtReportBlock *table;

  mt_scored_count_decisions (scored, counts);
  mt_report_add_heading (report, "confusion", "Confusion");
  if (n <= MAX_MATRIX)
    {
      add_matrix (report, classes, counts, n);
      return;
    }
  mt_report_add (report, "Rows by true and predicted class; pairs that do not occur are not listed:");
  table = mt_report_add_table (report, "True class", "Predicted class", "Rows", NULL);
  for (guint i = 0; i < n * n; i++)
    if (counts[i] > 0)
      {
        mt_report_add_cell (table, classes[i / n]);
        mt_report_add_cell (table, classes[i % n]);
        mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, counts[i]));
      }
}

/* --- numbers --- */

static void
add_residuals (MtReport       *report,
               const MtScored *scored)
{
  gsize step = (scored->n_rows + MAX_DOTS - 1) / MAX_DOTS, n = 0;
  g_autofree double *x = g_new (double, MAX_DOTS + 1);
  g_autofree double *y = g_new (double, MAX_DOTS + 1);
  double zero[] = { 0, 0 }, ends[] = { INFINITY, -INFINITY };
  g_autofree char *about = NULL;
  MtChart *chart = mt_chart_new ("predicted", NAN, NAN, "true − predicted", NAN, NAN);

  for (gsize r = 0; r < scored->n_rows; r += step)
    {
      x[n] = scored->predictions[r];
      y[n++] = scored->values[r] - scored->predictions[r];
      ends[0] = fmin (ends[0], x[n - 1]);
      ends[1] = fmax (ends[1], x[n - 1]);
    }
  mt_chart_add (chart, MT_CHART_DASHED, NULL, ends, zero, 2);
  mt_chart_add (chart, MT_CHART_DOTS, NULL, x, y, n);
  about = step > 1 ? g_strdup_printf ("Residual plot: true minus predicted against predicted, one of every %" G_GSIZE_FORMAT
                                      " of %" G_GSIZE_FORMAT " rows.", step, scored->n_rows)
                   : g_strdup_printf ("Residual plot: true minus predicted against predicted, %" G_GSIZE_FORMAT " rows.",
                                      scored->n_rows);
  mt_report_add_heading (report, "residuals", "Residuals");
  add_chart (report, chart, SIDE * 1.5, SIDE, about);
}

/* Tenths of the rows by prediction: what came true in each. */
static void
add_tenths (MtReport       *report,
            const MtScored *scored)
{
  MtTenth tenths[MT_N_TENTHS];
  MtReportBlock *table;

  mt_scored_make_tenths (scored, tenths);
  mt_report_add_heading (report, "gain", "Gain");
  mt_report_add (report, "Rows by increasing prediction, in deciles:");
  table = mt_report_add_table (report, "Tenth", "Rows", "Mean predicted", "Mean true", "Root mean squared error", NULL);
  for (guint t = 0; t < MT_N_TENTHS; t++)
    {
      if (tenths[t].n_rows == 0)
        continue;
      mt_report_take_cell (table, g_strdup_printf ("%u", t + 1));
      mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, tenths[t].n_rows));
      mt_report_take_cell (table, mt_report_dup_measure (tenths[t].mean_predicted));
      mt_report_take_cell (table, mt_report_dup_measure (tenths[t].mean_true));
      mt_report_take_cell (table, mt_report_dup_measure (tenths[t].rmse));
    }
}

/* --- the section --- */

/* For how many models the test rows were looked at. */
static void
add_use_of_test (MtReport            *report,
                 const MtReportParts *parts)
{
  if (mt_model_get_info (parts->model)->n_test == 0)
    mt_report_add (report, "No rows were held out as a test.");
  else if (parts->spare_test)
    mt_report_add (report, "This is a preview. It does not use the test rows: its figures are for the training rows. The "
                   "saved or printed report measures the test rows and says for how many models this was done.");
  else if (parts->n_tested > 1)
    mt_report_add (report, "Minterm did not use the test rows to choose models, but their figures were shown for %u models "
                   "of this project, including this one. If these figures influenced the choice of model, they are no "
                   "longer an independent test. Minterm cannot know whether the rows were used outside this project.", parts->n_tested);
  else if (parts->n_tested == 1)
    mt_report_add (report, "In this project, figures of the test rows were shown for this model only, and Minterm did not use "
                   "them to choose models. Minterm cannot know whether the rows were used outside this project.");
  else if (parts->n_shown > 1)
    mt_report_add (report, "The run that made this model did not use the test rows to choose models, but it showed their figures "
                   "for %u models, including this one (train --evaluate-frontier). If these figures influenced the choice of "
                   "model, they are no longer an independent test. Whether other runs or programs have used the test rows is "
                   "not recorded, and Minterm cannot know.", parts->n_shown);
  else
    mt_report_add (report, "The run that made this model did not use the test rows to choose models; it measured "
                   "them afterward. Whether other runs or programs have used them is not recorded, and Minterm cannot know.");
}

static void
add_kept (MtReport            *report,
          const MtReportParts *parts,
          const MtReportRows  *rows)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  MtReportBlock *table;

  add_use_of_test (report, parts);
  if (rows->origin == MT_REPORT_ROWS_SPLIT)
    return;      /* the same figures are measured again below */
  mt_report_add (report, "As measured in training, from the model file. Cross-validation values are the mean "
                         "± one standard error over the folds.");
  table = mt_report_add_table (report, "Rows", "Metric", "Value", "Range", NULL);
  for (guint i = 0; i < info->n_metrics; i++)
    {
      const MtModelMetric *metric = &info->metrics[i];

      if (parts->spare_test && g_str_equal (metric->part, "test"))
        continue;
      mt_report_add_cell (table, mt_report_get_part_name (metric->part));
      mt_report_add_cell (table, mt_metric_get_name (metric->metric));
      mt_report_take_cell (table, mt_report_dup_measure (metric->value));
      mt_report_take_cell (table, metric->has_interval ? mt_report_dup_range (metric->low, metric->high)
                                                       : g_strdup ("–"));
    }
}

/* From the model's file: the mean over the folds, and one standard error to either side. */
static char *
dup_cross_validation (const MtModel *model,
                      MtMetric       metric)
{
  const MtModelInfo *info = mt_model_get_info (model);

  for (guint i = 0; i < info->n_metrics; i++)
    {
      const MtModelMetric *kept = &info->metrics[i];

      if (g_str_equal (kept->part, "cv") && kept->metric == metric)
        {
          const MtInterval interval = { kept->value, kept->low, kept->high };

          return kept->has_interval ? mt_report_dup_interval (&interval) : mt_report_dup_measure (kept->value);
        }
    }
  return g_strdup ("–");
}

/* Metrics as rows; the parts of the data and the folds side by side. */
static void
add_measured (MtReport           *report,
              const MtModel      *model,
              const MtReportRows *rows)
{
  MtReportBlock *table = mt_report_add_table (report, "Metric", NULL);

  for (guint p = 0; p < rows->n_parts; p++)
    {
      g_autofree char *head = g_strdup_printf ("%s, %" G_GSIZE_FORMAT " rows,\n95%% interval", rows->parts[p].name,
                                               rows->parts[p].part.scored.n_rows);

      mt_report_add_head (table, head);
    }
  mt_report_add_head (table, "cross-validation,\nmean ± standard error");
  for (guint i = 0; i < rows->how.n_metrics; i++)
    {
      mt_report_add_cell (table, mt_metric_get_name (rows->how.metrics[i]));
      for (guint p = 0; p < rows->n_parts; p++)
        mt_report_take_cell (table, mt_report_dup_interval (&rows->parts[p].intervals[i]));
      mt_report_take_cell (table, dup_cross_validation (model, rows->how.metrics[i]));
    }
}

static const char *
describe_origin (MtReportOrigin origin)
{
  switch (origin)
    {
    case MT_REPORT_ROWS_SPLIT:
      return "This is the training file. Its split was repeated and reproduces the test result in the model "
             "file.";
    case MT_REPORT_ROWS_TEST:
      return "This is the test file of the model.";
    case MT_REPORT_ROWS_TRAINING:
      return "This is the training file, and no rows were held out: these figures are not test results.";
    case MT_REPORT_ROWS_SPARED:
      return "This is the training file; its test rows are not shown in a preview.";
    case MT_REPORT_ROWS_OWN:
      return "This is the training file, including training rows: these figures are not test results.";
    case MT_REPORT_ROWS_OTHER:
    default:
      return "Whether it contains training rows is not known.";
    }
}

void
mt_report_add_performance (MtReport            *report,
                           const MtReportParts *parts,
                           const MtReportRows  *rows)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtScored *scored;

  add_kept (report, parts, rows);
  if (rows->truth == NULL && parts->spare_test && parts->data != NULL)
    {
      mt_report_add_absent (report, "intervals, confusion, calibration, ROC, gain, and residuals; which rows "
                                    "of the file are test rows is not known, and test rows are not shown in "
                                    "a preview.");
      return;
    }
  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "intervals, confusion, calibration, ROC, gain, and residuals; there are "
                                    "no rows with a known “%s”.", info->target);
      return;
    }
  mt_report_add (report, "On the data for this report: %" G_GSIZE_FORMAT " rows; left out: %" G_GSIZE_FORMAT
                         " without a target value and %" G_GSIZE_FORMAT " of a class that the model does not "
                         "predict. %s Intervals: 95%%, %u bootstrap resamples, seed %" G_GUINT64_FORMAT ".",
                 rows->truth->n_rows, rows->truth->n_missing, rows->truth->n_unknown, describe_origin (rows->origin),
                 rows->how.n_resamples, rows->how.seed);
  add_measured (report, parts->model, rows);
  mt_report_add (report, "The following figures are for the rows “%s”.", rows->parts[0].name);
  scored = &rows->parts[0].part.scored;
  if (info->classes == NULL)
    {
      add_residuals (report, scored);
      add_tenths (report, scored);
      return;
    }
  add_confusion (report, parts->model, scored);
  mt_report_add_heading (report, "roc", "ROC");
  add_curves (report, parts->model, scored, TRUE);
  mt_report_get_last (report)->beside = TRUE;     /* as large as the others */
  add_calibration (report, parts->model, scored);
  mt_report_add_heading (report, "gain", "Gain");
  add_curves (report, parts->model, scored, FALSE);
  mt_report_get_last (report)->beside = TRUE;
  add_gain_table (report, parts->model, scored);
}
