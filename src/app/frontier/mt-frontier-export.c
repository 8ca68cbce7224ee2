/* The frontier as a file: the plot as SVG, PNG or PDF, or its points as CSV; the name's end decides. See
 * mt-frontier-export.h. */
#include "config.h"
#include "mt-frontier-export.h"

#include <glib/gi18n.h>
#include <math.h>

#define WIDTH  820
#define HEIGHT 540

typedef struct {
  char       *path;
  MtPlotCopy *plot;
  GString    *csv;
} Job;

static void
job_free (Job *job)
{
  g_free (job->path);
  mt_plot_copy_free (job->plot);
  g_string_free (job->csv, TRUE);
  g_free (job);
}

/* --- points --- */

static void
append_count (GString *csv,
              guint    count)
{
  mt_csv_append_number (csv, count);
}

GString *
mt_frontier_points_to_csv (GListModel        *points,
                           const MtBaselines *baselines,
                           guint              literals)
{
  static const char * const heads[] = { "kind", "run", "literals", "size", "cv_mean", "cv_se", "train", "on_frontier",
                                        "recommended" };
  GString *csv = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    mt_csv_append_text (csv, heads[i]);
  mt_csv_end_line (csv);
  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      const MtFrontierPoint *point = mt_frontier_item_get_point (item);

      MtFrontierItem *origin = mt_frontier_item_get_origin (item);

      mt_csv_append_text (csv, mt_frontier_item_is_apart (item) ? "earlier" : origin != NULL ? "edited" : "model");
      append_count (csv, (mt_frontier_item_get_series (origin != NULL ? origin : item) & ~MT_PLOT_SERIES_APART) + 1);
      append_count (csv, point->complexity);
      append_count (csv, mt_frontier_item_get_n_rules (item));
      mt_csv_append_number (csv, point->cv_mean);
      mt_csv_append_number (csv, point->cv_se);
      mt_csv_append_number (csv, point->train);
      append_count (csv, origin == NULL && !mt_frontier_item_is_dominated (item));
      append_count (csv, mt_frontier_item_is_recommended (item));
      mt_csv_end_line (csv);
    }
  for (guint kind = 0; baselines != NULL && kind < MT_N_BASELINES; kind++)
    {
      MtBaseline baseline;

      mt_baselines_get (baselines, kind, literals, &baseline);
      mt_csv_append_text (csv, mt_baseline_kind_to_string (kind));
      mt_csv_append_number (csv, NAN);
      if (baseline.literals > 0)
        append_count (csv, baseline.literals);
      else
        mt_csv_append_number (csv, NAN);
      append_count (csv, baseline.size);
      mt_csv_append_number (csv, baseline.cv_mean);
      mt_csv_append_number (csv, baseline.cv_se);
      mt_csv_append_number (csv, baseline.train);
      mt_csv_append_number (csv, NAN);
      mt_csv_append_number (csv, NAN);
      mt_csv_end_line (csv);
    }
  return csv;
}

/* --- writing --- */

static gboolean
write_file (const Job  *job,
            GError    **error)
{
  MtPictureFormat format = MT_PICTURE_SVG;
  g_autofree char *lower = g_ascii_strdown (job->path, -1);
  MtPlotPalette palette;

  if (g_str_has_suffix (lower, ".csv"))
    return mt_file_write (job->path, job->csv->str, job->csv->len, MT_FILE_REPLACE, error);
  if (!mt_picture_format_from_name (job->path, &format))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                           _("Use a file name that ends in .svg, .png, .pdf, or .csv"));
      return FALSE;
    }
  mt_plot_palette_init (&palette, FALSE, FALSE);
  return mt_plot_export (&job->plot->spec, WIDTH, HEIGHT, &palette, format, 2, job->path, error);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  GError *error = NULL;

  if (write_file (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_frontier_export_async (const char          *path,
                          MtPlotCopy          *plot,
                          GString             *csv,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (path != NULL && plot != NULL && csv != NULL);

  job->path = g_strdup (path);
  job->plot = plot;
  job->csv = csv;
  g_task_set_source_tag (task, mt_frontier_export_async);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, export_thread);
}

gboolean
mt_frontier_export_finish (GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
