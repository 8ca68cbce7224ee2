/* Quality and score drift over time in the report: the charts and figures of the Quality page. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "draw/mt-draw-over-time.h"

#define WIDTH  340.0      /* of the area of a chart */
#define HEIGHT 130.0

static void
add_chart (MtReport         *report,
           const MtOverTime *over_time,
           MtTimeChart       kind,
           const char       *axis,
           const char       *about)
{
  MtChart *chart = mt_over_time_make_chart (over_time, kind, axis);
  double width, height;

  mt_chart_measure (chart, WIDTH, HEIGHT, &width, &height);
  mt_report_add_figure (report, about, width, height, mt_chart_paint, chart, (GDestroyNotify) mt_chart_free);
}

static void
add_table (MtReport         *report,
           const MtOverTime *over_time)
{
  MtReportBlock *table = mt_report_add_table (report, "Period", "Rows", mt_metric_get_name (over_time->metric), "Mean predicted",
                                              "Mean true", "Score drift (PSI)", NULL);

  for (guint i = 0; i < over_time->parts->len; i++)
    {
      const MtTimePart *part = &g_array_index (over_time->parts, MtTimePart, i);

      mt_report_add_cell (table, part->name);
      mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT "%s", part->n_rows,
                                                   part->n_rows < MT_SUBGROUP_SMALL ? ", too few to be reliable" : ""));
      mt_report_take_cell (table, mt_report_dup_interval (&part->quality));
      mt_report_take_cell (table, mt_report_dup_measure (part->predicted));
      mt_report_take_cell (table, mt_report_dup_measure (part->observed));
      mt_report_take_cell (table, mt_report_dup_measure (part->drift));
    }
}

gboolean
mt_report_add_over_time (MtReport             *report,
                         const MtReportParts  *parts,
                         const MtReportRows   *rows,
                         GCancellable         *cancellable,
                         GError              **error)
{
  static const char * const periods[] = { "by month", "by quarter", "by year", "in tenths of the rows" };
  const MtReportPart *part = rows->n_parts > 0 ? &rows->parts[0] : NULL;
  const MtColumn *column = rows->truth != NULL && parts->data != NULL
                           ? mt_over_time_find_column (mt_import_get_table (parts->data)) : NULL;
  g_autofree guint32 *which = NULL;
  g_autoptr (MtOverTime) over_time = NULL;

  if (column == NULL || part == NULL)
    return TRUE;
  which = g_new (guint32, part->part.scored.n_rows + 1);
  for (gsize i = 0; i < part->part.scored.n_rows; i++)
    which[i] = mt_report_rows_get_row (rows, part, i);
  over_time = mt_over_time_measure (column, which, &part->part.scored, mt_model_get_n_predictions (parts->model), &rows->how,
                                    cancellable, error);
  if (over_time == NULL)
    return FALSE;
  if (over_time->parts->len < 2)
    return TRUE;
  mt_report_add_heading (report, "over-time", "Over time");
  mt_report_add (report, "By “%s”, %s, for the rows “%s”; rows without a value there: %" G_GSIZE_FORMAT ". Score "
                                                                                                        "drift is "
                                                                                                        "the "
                                                                                                        "population "
                                                                                                        "stability "
                                                                                                        "index "
                                                                                                        "(PSI), "
                                                                                                        "which "
                                                                                                        "compares "
                                                                                                        "the "
                                                                                                        "scores of "
                                                                                                        "a period "
                                                                                                        "with "
                                                                                                        "those of "
                                                                                                        "all these "
                                                                                                        "rows: 0.1 "
                                                                                                        "or more "
                                                                                                        "is some "
                                                                                                        "drift, "
                                                                                                        "0.25 or "
                                                                                                        "more is a "
                                                                                                        "lot. "
                                                                                                        "Expect "
                                                                                                        "large "
                                                                                                        "values in "
                                                                                                        "periods "
                                                                                                        "with few "
                                                                                                        "rows.",
                 mt_column_get_name (column), periods[over_time->period], part->name, over_time->n_left_out);
  add_chart (report, over_time, MT_TIME_CHART_QUALITY, mt_column_get_name (column), "Quality by period.");
  add_chart (report, over_time, MT_TIME_CHART_LEVEL, mt_column_get_name (column), "Mean prediction and mean true "
                                                                                  "value by period.");
  add_chart (report, over_time, MT_TIME_CHART_DRIFT, mt_column_get_name (column), "Drift of the score by period.");
  add_table (report, over_time);
  return TRUE;
}
