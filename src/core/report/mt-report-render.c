/* A report in one of its formats: at once, or on a thread of its own. */
#include "config.h"
#include "mt-report-private.h"

void
mt_report_tell (const MtReportWait *wait,
                double              done)
{
  if (wait->progress != NULL)
    wait->progress (done, wait->progress_data);
}

GBytes *
mt_report_render (const MtReport      *report,
                  MtReportFormat       format,
                  MtPaper              paper,
                  const MtReportWait  *wait,
                  GError             **error)
{
  static const MtReportWait nobody = { NULL };

  return format == MT_REPORT_PDF ? mt_report_render_pdf (report, paper, wait != NULL ? wait : &nobody, error)
                                 : mt_report_render_html (report, wait != NULL ? wait : &nobody, error);
}

GBytes *
mt_report_to_html (const MtReport  *report,
                   GError         **error)
{
  return mt_report_render (report, MT_REPORT_HTML, MT_PAPER_A4, NULL, error);
}

GBytes *
mt_report_to_pdf (const MtReport  *report,
                  MtPaper          paper,
                  GError         **error)
{
  return mt_report_render (report, MT_REPORT_PDF, paper, NULL, error);
}

/* --- on a thread of its own --- */

typedef struct {
  MtReport       *report;
  MtReportFormat  format;
  MtPaper         paper;
  MtReportWait    wait;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_report_unref (job->report);
  g_free (job);
}

static void
render_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  GBytes *bytes = mt_report_render (job->report, job->format, job->paper, &job->wait, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

void
mt_report_render_async (MtReport            *report,
                        MtReportFormat       format,
                        MtPaper              paper,
                        const MtReportWait  *wait,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  GCancellable *cancellable = wait != NULL ? wait->cancellable : NULL;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->report = mt_report_ref (report);
  job->format = format;
  job->paper = paper;
  if (wait != NULL)
    job->wait = *wait;
  job->wait.cancellable = g_task_get_cancellable (task);     /* which keeps it */
  g_task_set_source_tag (task, mt_report_render_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, render_thread);
}

GBytes *
mt_report_render_finish (GAsyncResult  *result,
                         GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
