/* A report laid out on paper and kept page by page, to be painted on a screen or by a printer: the
 * same pages as the PDF's.
 *
 * Each page is a recording of what was drawn. Painting one takes 1–20 ms; it may be done on any
 * thread, one page at a time. Counted and immutable. Sizes: 10–300 pages. */
#pragma once

#include <cairo.h>

#include "mt-report.h"

G_BEGIN_DECLS

typedef struct _MtReportPages MtReportPages;

MtReportPages *mt_report_to_pages        (const MtReport *report, MtPaper paper, GCancellable *cancellable,
                                          GError **error);
MtReportPages *mt_report_pages_ref       (MtReportPages *pages);
void           mt_report_pages_unref     (MtReportPages *pages);
guint          mt_report_pages_get_n     (const MtReportPages *pages);
void           mt_report_pages_get_size  (const MtReportPages *pages, double *width, double *height);   /* points */
/* On which page a heading stands, from 0; 0 when there is no such anchor. */
guint          mt_report_pages_find      (const MtReportPages *pages, const char *anchor);
/* From the origin, a point a unit. The paper is the caller's: nothing is painted where nothing stands. */
void           mt_report_pages_paint     (MtReportPages *pages, guint page, cairo_t *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtReportPages, mt_report_pages_unref)

G_END_DECLS
