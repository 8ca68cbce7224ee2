/* The charts of a training as one picture, one below the other: SVG, PNG or PDF, as the name's end says.
 * See mt-train-export.h. */
#include "config.h"
#include "mt-train-export.h"

#include <glib/gi18n.h>

#include "mt-curves-view.h"

#define WIDTH  720.0   /* points */
#define HEIGHT 260.0   /* of a chart, without its title */
#define TITLE   26.0
#define GAP     18.0   /* between charts */

typedef struct {
  char      *path;
  GPtrArray *charts;
} Job;

void
mt_train_chart_free (MtTrainChart *chart)
{
  g_free (chart->title);
  mt_curves_spec_clear (&chart->spec);
  g_free (chart);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_ptr_array_unref (job->charts);
  g_free (job);
}

static void
paint_title (cairo_t      *cr,
             PangoContext *context,
             const char   *title)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (context);
  g_autoptr (PangoFontDescription) bold = pango_font_description_copy (pango_context_get_font_description (context));

  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, bold);
  pango_layout_set_text (layout, title, -1);
  pango_cairo_show_layout (cr, layout);
}

static void
paint (cairo_t         *cr,
       PangoContext    *context,
       const MtPalette *palette,
       gpointer         data)
{
  const Job *job = data;
  MtPlotFonts *fonts = mt_plot_fonts_new (context, pango_context_get_font_description (context));
  MtPlotPalette colours;
  double margin = 0;

  for (guint i = 0; i < job->charts->len; i++)
    {
      MtCurvesSpec alone = ((MtTrainChart *) job->charts->pdata[i])->spec;

      alone.margin = 0;
      margin = MAX (margin, mt_curves_layout_margin (&alone, HEIGHT, mt_plot_measure, fonts));
    }
  mt_plot_palette_init (&colours, FALSE, FALSE);
  for (guint i = 0; i < job->charts->len; i++)
    {
      const MtTrainChart *chart = job->charts->pdata[i];
      MtCurvesSpec spec = chart->spec;
      g_autoptr (MtCurvesLayout) layout = NULL;

      spec.margin = margin;
      layout = mt_curves_layout_new (&spec, WIDTH, HEIGHT, mt_plot_measure, fonts);
      cairo_save (cr);
      cairo_translate (cr, 0, i * (TITLE + HEIGHT + GAP));
      cairo_set_source_rgb (cr, 0, 0, 0);
      cairo_move_to (cr, 0, 0);   /* the chart before left the pen where it ended */
      paint_title (cr, context, chart->title);
      cairo_translate (cr, 0, TITLE);
      mt_draw_curves (cr, layout, fonts, &colours);
      cairo_restore (cr);
    }
  mt_plot_fonts_free (fonts);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  MtPictureFormat format;

  if (!mt_picture_format_from_name (job->path, &format))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                             _("Use a file name that ends in .svg, .png, or .pdf"));
  else if (mt_picture_write (job->path, WIDTH, job->charts->len * (TITLE + HEIGHT + GAP) - GAP, 2, paint, job, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_train_export_async (const char          *path,
                       GPtrArray           *charts,
                       GAsyncReadyCallback  callback,
                       gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (path != NULL && charts != NULL && charts->len > 0);

  job->path = g_strdup (path);
  job->charts = charts;
  g_task_set_source_tag (task, mt_train_export_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, export_thread);
}

gboolean
mt_train_export_finish (GAsyncResult  *result,
                        GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
