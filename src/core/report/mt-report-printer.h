/* Lays blocks of a report out on pages, one after another. Private to the report.
 *
 * Three files: mt-report-cells.c has pages, and rows of cells that go on over pages; mt-report-tables.c has tables;
 * mt-report-printer.c has every other block and what is placed next to what. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-report-private.h"

G_BEGIN_DECLS

#define MT_PRINTER_MARGIN 45.0
#define MT_PRINTER_PAD    2.5                   /* above and below the text of a cell */
#define MT_PRINTER_SIZE   9.5                   /* of running text */
#define MT_PRINTER_PLAIN  MT_REPORT_FONT
#define MT_PRINTER_BOLD   MT_REPORT_FONT " Bold"
#define MT_PRINTER_CODE   "Monospace"

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
  GHashTable          *measured;       /* table → how wide its columns are, also of an earlier layout */
  int                  outline;        /* the section's entry */
  const MtReportWait  *wait;
  double               from, to;       /* of the progress */
  guint                block;          /* on which it is */
  const MtReportBlock *placed;         /* a table that is already next to its figure */
  /* The table that goes on over a page's end: its heads are repeated. */
  const MtReportBlock *table;
} MtPrinter;

/* What is drawn on is set. */
void mt_printer_begin (MtPrinter *printer);
void mt_printer_place (MtPrinter *printer, guint block);
/* How much of the block is done, 0…1. */
void mt_printer_tell  (MtPrinter *printer, double share);
void mt_printer_end   (MtPrinter *printer);

/* --- pages and cells --- */

typedef struct {
  PangoLayout     *layout;
  PangoLayoutIter *iter;
  double           x, width;
  gboolean         is_done;
  gboolean         is_owed;     /* NOT PROVIDED: in the colour of what is missing */
} MtPrinterCell;

/* How a row of cells looks, and what they are. */
typedef struct {
  const char *tag;        /* of each: "P", "H1", "TD", … */
  const char *row;        /* around them: "TR", or NULL */
  const char *link;       /* where they lead, or NULL */
  double      line;       /* width of the line below them; 0: none */
  double      grey;       /* of the text: 0 black */
  double      least;      /* height of the text, at least */
  gboolean    is_code;    /* on grey */
} MtPrinterLook;

/* @width negative: one line. */
PangoLayout *mt_printer_make_layout   (MtPrinter *printer, const char *text, double size, const char *family,
                                       double width);
GHashTable  *mt_printer_make_measured (void);
/* What a page has room for: where its text begins, where it ends, and how wide it is. */
double       mt_printer_get_top       (const MtPrinter *printer);
double       mt_printer_get_bottom    (const MtPrinter *printer);
double       mt_printer_get_room      (const MtPrinter *printer);
gboolean     mt_printer_is_dry        (const MtPrinter *printer);
void         mt_printer_begin_tag     (MtPrinter *printer, const char *name, const char *attributes);
void         mt_printer_end_tag       (MtPrinter *printer, const char *name);
void         mt_printer_turn_page     (MtPrinter *printer);
double       mt_printer_measure_cells (MtPrinterCell *cells, guint n_cells);
/* Frees what the cells hold. */
void         mt_printer_place_cells   (MtPrinter *printer, MtPrinterCell *cells, guint n_cells, const MtPrinterLook *look);
void         mt_printer_free_cells    (MtPrinterCell *cells, guint n_cells);

/* --- tables --- */

void         mt_printer_place_table   (MtPrinter *printer, const MtReportBlock *table);
/* The heads, once more. */
void         mt_printer_place_heads   (MtPrinter *printer, const MtReportBlock *table);
/* Room that its beginning needs. */
double       mt_printer_measure_table (MtPrinter *printer, const MtReportBlock *table);
/* How high the whole of it is within @room of width; negative: it does not fit. */
double       mt_printer_fit_table     (MtPrinter *printer, const MtReportBlock *table, double room);
/* There, on this page, which has room for it. */
void         mt_printer_place_beside  (MtPrinter *printer, const MtReportBlock *table, double x, double room);

G_END_DECLS
