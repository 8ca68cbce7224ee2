/* Pages of a report on paper: one sheet each, as large as the paper that was chosen allows. See mt-report-
 * print.h. */
#include "config.h"
#include "mt-report-print.h"

#include <adwaita.h>
#include <glib/gi18n.h>

static void
on_draw_page (GtkPrintOperation *operation,
              GtkPrintContext   *context,
              int                page,
              MtReportPages     *pages)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  double width, height, scale;

  /* The pages bring their own margins. On other paper than they were laid out for they shrink, never grow. */
  mt_report_pages_get_size (pages, &width, &height);
  scale = MIN (1, MIN (gtk_print_context_get_width (context) / width, gtk_print_context_get_height (context) / height));
  cairo_scale (cr, scale, scale);
  mt_report_pages_paint (pages, (guint) page, cr);
}

static void
unref_pages (gpointer  pages,
             GClosure *closure)
{
  mt_report_pages_unref (pages);
}

GtkPrintOperation *
mt_report_print_new (MtReportPages *pages,
                     MtPaper        paper,
                     const char    *name)
{
  GtkPrintOperation *operation;
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();
  GtkPaperSize *size;

  g_return_val_if_fail (pages != NULL && name != NULL, NULL);

  operation = gtk_print_operation_new ();
  size = gtk_paper_size_new (paper == MT_PAPER_LETTER ? GTK_PAPER_NAME_LETTER : GTK_PAPER_NAME_A4);
  gtk_page_setup_set_paper_size (setup, size);
  gtk_paper_size_free (size);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_use_full_page (operation, TRUE);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, name);
  gtk_print_operation_set_n_pages (operation, (int) mt_report_pages_get_n (pages));
  gtk_print_operation_set_allow_async (operation, TRUE);
  gtk_print_operation_set_show_progress (operation, TRUE);
  g_signal_connect_data (operation, "draw-page", G_CALLBACK (on_draw_page), mt_report_pages_ref (pages), unref_pages, 0);
  return operation;
}

static void
on_printed (GtkPrintOperation       *operation,
            GtkPrintOperationResult  outcome,
            GtkWidget               *owner)
{
  g_autoptr (GError) error = NULL;
  GtkWidget *dialog;

  if (outcome != GTK_PRINT_OPERATION_RESULT_ERROR || gtk_widget_get_root (owner) == NULL)
    return;
  gtk_print_operation_get_error (operation, &error);
  dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (owner)), _("Report Not Printed"),
                                   error != NULL ? error->message : _("Save it as PDF and print the file."));
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

void
mt_report_print_run (GtkPrintOperation *operation,
                     GtkWidget         *owner)
{
  g_return_if_fail (GTK_IS_PRINT_OPERATION (operation) && GTK_IS_WIDGET (owner));

  g_signal_connect_object (operation, "done", G_CALLBACK (on_printed), owner, 0);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (gtk_widget_get_root (owner)), NULL);
}
