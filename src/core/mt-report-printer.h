/* Lays blocks of a report out on pages, one after another. Private to the report. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-report-private.h"

G_BEGIN_DECLS

typedef struct {
  const MtReport      *report;
  cairo_surface_t     *surface;        /* the PDF; NULL: each page is a recording … */
  GPtrArray           *sheets;         /* … in here; NULL, too: nothing is drawn, only counted */
  cairo_t             *cr;
  PangoContext        *context;
  double               width, height;
  double               y;              /* where the next row goes */
  guint                page;           /* from 1 */
  guint                n_pages;        /* 0: not known yet */
  GHashTable          *pages;          /* anchor → page: filled */
  GHashTable          *known;          /* the same of an earlier layout, for the contents; NULL: none */
  GHashTable          *measured;       /* table → widths of its columns, also of an earlier layout */
  int                  outline;        /* the section's entry */
  const MtReportWait  *wait;
  double               from, to;       /* of the progress */
  guint                block;          /* on which it is */
  /* The table that goes on over a page's end: its heads are repeated. */
  const MtReportBlock *table;
  const double        *widths;
} MtPrinter;

/* What is drawn on is set. */
void mt_printer_begin (MtPrinter *printer);
void mt_printer_place (MtPrinter *printer, guint block);
/* How much of the block is done, 0…1. */
void mt_printer_tell  (MtPrinter *printer, double share);
void mt_printer_end   (MtPrinter *printer);

G_END_DECLS
