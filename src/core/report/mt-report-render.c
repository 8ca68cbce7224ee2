/* A report in one of its formats. */
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
  static const MtReportWait no_wait = { NULL };

  return format == MT_REPORT_PDF ? mt_report_render_pdf (report, paper, wait != NULL ? wait : &no_wait, error)
                                 : mt_report_render_html (report, wait != NULL ? wait : &no_wait, error);
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
