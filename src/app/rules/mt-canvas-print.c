/* The whole model on paper: as many pages as it takes. See mt-canvas-print.h. */
#include "config.h"
#include "mt-canvas-print.h"

#define SCALE 0.75   /* what is sized for a screen is large on paper */

static void
on_begin (GtkPrintOperation *operation,
          GtkPrintContext   *context,
          MtCanvasView      *view)
{
  PangoContext *pango = gtk_print_context_create_pango_context (context);
  guint n_pages = mt_canvas_view_paginate (view, pango, gtk_print_context_get_width (context) / SCALE,
                                           gtk_print_context_get_height (context) / SCALE);

  gtk_print_operation_set_n_pages (operation, (int) n_pages);
  g_object_unref (pango);
}

static void
on_draw_page (GtkPrintOperation *operation,
              GtkPrintContext   *context,
              int                page,
              MtCanvasView      *view)
{
  PangoContext *pango = gtk_print_context_create_pango_context (context);
  cairo_t *cr = gtk_print_context_get_cairo_context (context);

  cairo_scale (cr, SCALE, SCALE);
  mt_canvas_view_draw_page (view, cr, pango, (guint) page);
  g_object_unref (pango);
}

GtkPrintOperation *
mt_canvas_print_new (MtCanvasView *view,
                     const char   *name)
{
  GtkPrintOperation *operation;

  g_return_val_if_fail (MT_IS_CANVAS_VIEW (view) && name != NULL, NULL);

  operation = gtk_print_operation_new ();
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, name);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect_object (operation, "begin-print", G_CALLBACK (on_begin), view, 0);
  g_signal_connect_object (operation, "draw-page", G_CALLBACK (on_draw_page), view, 0);
  return operation;
}
