/* A report as a PDF, or page by page for a screen or a printer. It is laid out twice: the first time, without
 * drawing, to know how many pages there are and where each section begins. */
#include "config.h"
#include "mt-report-printer.h"

#include <cairo-pdf.h>

#include "draw/mt-draw-export.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

static const struct {
  double width, height;
} papers[] = {
  [MT_PAPER_A4] = { 595.276, 841.89 },
  [MT_PAPER_LETTER] = { 612, 792 },
};

static void
set_metadata (cairo_surface_t *surface,
              const MtReport  *report)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (mt_report_get_date_made (report));
  g_autofree char *text = date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ") : NULL;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, mt_report_get_title (report));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, "Audit report of a rule model");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Minterm " MT_VERSION);
  if (report->author != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_AUTHOR, report->author);
  if (text != NULL)
    {
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_MOD_DATE, text);
    }
}

/* One way through all blocks. @from, @to: of the progress. */
static gboolean
print (MtPrinter           *printer,
       const MtReportWait  *wait,
       double               from,
       double               to,
       GError             **error)
{
  guint n = mt_report_get_n_blocks (printer->report);
  cairo_status_t status;

  printer->wait = wait;
  printer->from = from;
  printer->to = to;
  mt_printer_begin (printer);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (wait->cancellable); i++)
    mt_printer_place (printer, i);
  mt_printer_end (printer);
  status = cairo_status (printer->cr);
  if (g_cancellable_set_error_if_cancelled (wait->cancellable, error))
    return FALSE;
  if (status != CAIRO_STATUS_SUCCESS)
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("cannot draw the report: %s"), cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}

static GHashTable *
make_page_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
printer_init (MtPrinter      *printer,
              const MtReport *report,
              MtPaper         paper)
{
  *printer = (MtPrinter) { .report = report, .width = papers[paper].width, .height = papers[paper].height,
                           .pages = make_page_table (),
                           .measured = mt_printer_make_measured () };
}

static void
printer_clear (MtPrinter *printer)
{
  g_clear_pointer (&printer->cr, cairo_destroy);
  g_clear_pointer (&printer->surface, cairo_surface_destroy);
  g_clear_pointer (&printer->sheets, g_ptr_array_unref);
  g_clear_pointer (&printer->pages, g_hash_table_unref);
  g_clear_pointer (&printer->measured, g_hash_table_unref);
  g_clear_pointer (&printer->known, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtPrinter, printer_clear)

/* How many pages, and which section begins where. */
static gboolean
count_pages (MtPrinter           *printer,
             const MtReport      *report,
             MtPaper              paper,
             const MtReportWait  *wait,
             GError             **error)
{
  g_auto (MtPrinter) draft = { NULL };
  cairo_surface_t *nowhere = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);

  printer_init (&draft, report, paper);
  g_hash_table_unref (draft.measured);
  draft.measured = g_hash_table_ref (printer->measured);
  draft.cr = cairo_create (nowhere);
  cairo_surface_destroy (nowhere);
  if (!print (&draft, wait, 0, .4, error))
    return FALSE;
  printer->n_pages = draft.page;
  printer->known = g_steal_pointer (&draft.pages);
  return TRUE;
}

static GBytes *
add_alt (const MtReport *report,
         GBytes         *pdf)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    if (mt_report_get_block (report, i)->kind == MT_BLOCK_FIGURE)
      g_ptr_array_add (texts, mt_report_dup_alt (report, i));
  g_ptr_array_add (texts, NULL);
  return mt_report_add_alt (pdf, (const char * const *) texts->pdata);
}

GBytes *
mt_report_render_pdf (const MtReport      *report,
                      MtPaper              paper,
                      const MtReportWait  *wait,
                      GError             **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_auto (MtPrinter) printer = { NULL };
  g_autoptr (GBytes) drawn = NULL;
  cairo_status_t status;

  g_return_val_if_fail (report != NULL && (guint) paper < G_N_ELEMENTS (papers), NULL);

  printer_init (&printer, report, paper);
  if (!count_pages (&printer, report, paper, wait, error))
    return NULL;
  printer.surface = cairo_pdf_surface_create_for_stream (mt_picture_collect, bytes, printer.width, printer.height);
  set_metadata (printer.surface, report);
  printer.cr = cairo_create (printer.surface);
  if (!print (&printer, wait, .4, 1, error))
    return NULL;
  g_clear_pointer (&printer.cr, cairo_destroy);
  cairo_surface_finish (printer.surface);
  status = cairo_surface_status (printer.surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, "cannot draw the report: %s", cairo_status_to_string (status));
      return NULL;
    }
  drawn = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  return add_alt (report, drawn);
}

static void
free_sheet (gpointer sheet)
{
  cairo_surface_destroy (sheet);
}

MtReportPages *
mt_report_to_pages (const MtReport  *report,
                    MtPaper          paper,
                    GCancellable    *cancellable,
                    GError         **error)
{
  const MtReportWait wait = { .cancellable = cancellable };
  g_auto (MtPrinter) printer = { NULL };

  g_return_val_if_fail (report != NULL && (guint) paper < G_N_ELEMENTS (papers), NULL);

  printer_init (&printer, report, paper);
  if (!count_pages (&printer, report, paper, &wait, error))
    return NULL;
  printer.sheets = g_ptr_array_new_with_free_func (free_sheet);
  if (!print (&printer, &wait, .4, 1, error))
    return NULL;
  return mt_report_pages_new (printer.sheets, printer.pages, printer.width, printer.height);
}
