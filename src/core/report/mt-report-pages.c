/* A report laid out on paper and kept page by page, to be painted on a screen or by a printer: the same
 * pages as the PDF's. See mt-report-pages.h. */
#include "config.h"
#include "mt-report-pages.h"

#include "mt-report-private.h"

struct _MtReportPages {
  gatomicrefcount  ref_count;
  GMutex           lock;         /* replaying a recording changes what it keeps for itself */
  GPtrArray       *sheets;       /* of cairo_surface_t */
  GHashTable      *anchors;      /* → number of the page, from 1 */
  double           width, height;
};

MtReportPages *
mt_report_pages_new (GPtrArray  *sheets,
                     GHashTable *anchors,
                     double      width,
                     double      height)
{
  MtReportPages *pages = g_new0 (MtReportPages, 1);

  g_atomic_ref_count_init (&pages->ref_count);
  g_mutex_init (&pages->lock);
  pages->sheets = g_ptr_array_ref (sheets);
  pages->anchors = g_hash_table_ref (anchors);
  pages->width = width;
  pages->height = height;
  return pages;
}

MtReportPages *
mt_report_pages_ref (MtReportPages *pages)
{
  g_atomic_ref_count_inc (&pages->ref_count);
  return pages;
}

void
mt_report_pages_unref (MtReportPages *pages)
{
  if (pages == NULL || !g_atomic_ref_count_dec (&pages->ref_count))
    return;
  g_ptr_array_unref (pages->sheets);
  g_hash_table_unref (pages->anchors);
  g_mutex_clear (&pages->lock);
  g_free (pages);
}

guint
mt_report_pages_get_n (const MtReportPages *pages)
{
  return pages->sheets->len;
}

void
mt_report_pages_get_size (const MtReportPages *pages,
                          double              *width,
                          double              *height)
{
  *width = pages->width;
  *height = pages->height;
}

guint
mt_report_pages_find (const MtReportPages *pages,
                      const char          *anchor)
{
  guint page = GPOINTER_TO_UINT (g_hash_table_lookup (pages->anchors, anchor));

  return page > 0 ? page - 1 : 0;
}

void
mt_report_pages_paint (MtReportPages *pages,
                       guint          page,
                       cairo_t       *cr)
{
  g_return_if_fail (page < pages->sheets->len);

  g_mutex_lock (&pages->lock);
  cairo_save (cr);
  cairo_set_source_surface (cr, g_ptr_array_index (pages->sheets, page), 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
  g_mutex_unlock (&pages->lock);
}
