/* A report on paper. Everything that is text is a row of cells, a paragraph a row of one without
 * lines around it; a row that no page can hold goes on, line by line, on the next. The whole is laid
 * out twice: the first time to know how many pages there are and where each section begins. */
#include "config.h"
#include "mt-report-private.h"

#include <cairo-pdf.h>
#include <math.h>

#include "mt-draw-private.h"
#include "mt-error.h"

#define MARGIN      54.0
#define FOOT        24.0       /* between the text and the foot of the page */
#define PAD         3.0
#define SIZE        9.5
#define EMPTY       100.0      /* width of a cell that is to be filled in by hand */
#define N_MEASURED  200        /* rows of a table that decide how wide its columns are */

static const struct {
  double width, height;
} papers[] = {
  [MT_PAPER_A4] = { 595.276, 841.89 },
  [MT_PAPER_LETTER] = { 612, 792 },
};

typedef struct {
  const MtReport      *report;
  cairo_surface_t     *surface;        /* the PDF; NULL: each page is a recording … */
  GPtrArray           *sheets;         /* … in here */
  cairo_t             *cr;
  PangoContext        *context;
  double               width, height;
  double               y;              /* where the next row goes */
  guint                page;           /* from 1 */
  guint                n_pages;        /* 0: not known yet */
  GHashTable          *pages;          /* anchor → page, of the first layout */
  int                  outline;        /* the section's entry */
  /* The table that goes on over a page's end: its heads are repeated. */
  const MtReportBlock *table;
  const double        *widths;
} Printer;

typedef struct {
  PangoLayout     *layout;
  PangoLayoutIter *iter;
  double           x, width;
  gboolean         is_done;
} Cell;

static PangoLayout *
make_layout (Printer    *printer,
             const char *text,
             double      size,
             gboolean    bold,
             double      width)     /* negative: one line */
{
  PangoLayout *layout = pango_layout_new (printer->context);
  PangoFontDescription *font = pango_font_description_from_string (bold ? "Sans Bold" : "Sans");

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_auto_dir (layout, FALSE);   /* the sentences are ours, whatever name they begin with */
  if (width > 0)
    pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  pango_layout_set_text (layout, text, -1);
  pango_font_description_free (font);
  return layout;
}

static double
get_bottom (const Printer *printer)
{
  return printer->height - MARGIN - FOOT;
}

static void
end_page (Printer *printer)
{
  g_autofree char *number = printer->n_pages > 0 ? g_strdup_printf ("Page %u of %u", printer->page, printer->n_pages)
                                                 : g_strdup_printf ("Page %u", printer->page);
  g_autoptr (PangoLayout) right = make_layout (printer, number, SIZE - 1.5, FALSE, -1);
  g_autoptr (PangoLayout) left = NULL;
  int width;

  pango_layout_get_size (right, &width, NULL);
  left = make_layout (printer, mt_report_get_title (printer->report), SIZE - 1.5, FALSE,
                      printer->width - 2 * MARGIN - 24 - width / (double) PANGO_SCALE);
  pango_layout_set_single_paragraph_mode (left, TRUE);
  pango_layout_set_ellipsize (left, PANGO_ELLIPSIZE_END);   /* the cover has it whole */
  cairo_set_source_rgb (printer->cr, 0.35, 0.35, 0.35);
  cairo_move_to (printer->cr, MARGIN, printer->height - MARGIN);
  pango_cairo_show_layout (printer->cr, left);
  cairo_move_to (printer->cr, printer->width - MARGIN - width / (double) PANGO_SCALE, printer->height - MARGIN);
  pango_cairo_show_layout (printer->cr, right);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
  if (printer->surface != NULL)
    cairo_show_page (printer->cr);
}

/* A page of its own. It gets no links: cairo 1.16 cannot copy a recording that has tags, as a printer does. */
static void
begin_sheet (Printer *printer)
{
  const cairo_rectangle_t extents = { 0, 0, printer->width, printer->height };
  cairo_surface_t *sheet = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);

  g_ptr_array_add (printer->sheets, sheet);
  g_clear_pointer (&printer->cr, cairo_destroy);
  printer->cr = cairo_create (sheet);
}

static void place_table_row (Printer *printer, const MtReportBlock *table, guint row, const double *widths);

static void
turn_page (Printer *printer)
{
  const MtReportBlock *table = printer->table;

  end_page (printer);
  if (printer->surface == NULL)
    begin_sheet (printer);
  printer->page++;
  printer->y = MARGIN;
  if (table != NULL)
    {
      printer->table = NULL;
      place_table_row (printer, table, 0, printer->widths);
      printer->table = table;
    }
}

/* As many lines of the cell as there is room for; at the top of a page at least one. Returns their height. */
static double
draw_lines (Printer *printer,
            Cell    *cell,
            double   room,
            gboolean is_top)
{
  double y = 0;

  while (!cell->is_done)
    {
      PangoRectangle logical;
      double height;

      pango_layout_iter_get_line_extents (cell->iter, NULL, &logical);
      height = logical.height / (double) PANGO_SCALE;
      if (y + height > room && !(is_top && y == 0))
        break;
      cairo_move_to (printer->cr, cell->x + logical.x / (double) PANGO_SCALE,
                     printer->y + PAD + y +
                     (pango_layout_iter_get_baseline (cell->iter) - logical.y) / (double) PANGO_SCALE);
      pango_cairo_show_layout_line (printer->cr, pango_layout_iter_get_line_readonly (cell->iter));
      y += height;
      cell->is_done = !pango_layout_iter_next_line (cell->iter);
    }
  return y;
}

/* Frees what the cells hold. @link: where they lead, or NULL. */
static void
place_cells (Printer    *printer,
             Cell       *cells,
             guint       n_cells,
             gboolean    boxed,
             const char *link)
{
  g_autofree char *attributes = link != NULL ? g_strdup_printf ("dest='%s'", link) : NULL;
  double whole = 0;
  gboolean is_done;

  for (guint i = 0; i < n_cells; i++)
    {
      int height;

      pango_layout_get_size (cells[i].layout, NULL, &height);
      whole = MAX (whole, height / (double) PANGO_SCALE);
      cells[i].iter = pango_layout_get_iter (cells[i].layout);
      cells[i].is_done = FALSE;
    }
  if (printer->y > MARGIN && printer->y + whole + 2 * PAD > get_bottom (printer) &&
      whole + 2 * PAD < (get_bottom (printer) - MARGIN) / 2)
    turn_page (printer);
  do
    {
      double room = get_bottom (printer) - printer->y - 2 * PAD;
      double used = 0;
      gboolean is_top = printer->y < MARGIN + (get_bottom (printer) - MARGIN) / 4;

      is_done = TRUE;
      if (link != NULL && printer->surface != NULL)
        cairo_tag_begin (printer->cr, CAIRO_TAG_LINK, attributes);
      for (guint i = 0; i < n_cells; i++)
        {
          double height = draw_lines (printer, &cells[i], room, is_top);

          used = MAX (used, height);
          is_done &= cells[i].is_done;
        }
      if (link != NULL && printer->surface != NULL)
        cairo_tag_end (printer->cr, CAIRO_TAG_LINK);
      for (guint i = 0; boxed && used > 0 && i < n_cells; i++)
        {
          cairo_rectangle (printer->cr, cells[i].x - PAD, printer->y, cells[i].width + 2 * PAD, used + 2 * PAD);
          cairo_set_line_width (printer->cr, 0.5);
          cairo_stroke (printer->cr);
        }
      printer->y += used + 2 * PAD;
      if (!is_done)
        turn_page (printer);
    }
  while (!is_done);
  for (guint i = 0; i < n_cells; i++)
    {
      pango_layout_iter_free (cells[i].iter);
      g_object_unref (cells[i].layout);
    }
}

static void
place_text (Printer    *printer,
            const char *text,
            double      size,
            gboolean    bold,
            const char *link)
{
  double width = printer->width - 2 * MARGIN;
  Cell cell = { .x = MARGIN, .width = width };

  cell.layout = make_layout (printer, text, size, bold, width);
  if (link != NULL)
    cairo_set_source_rgb (printer->cr, 0.1, 0.37, 0.71);
  place_cells (printer, &cell, 1, FALSE, link);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
}

/* --- tables --- */

static void
place_table_row (Printer             *printer,
                 const MtReportBlock *table,
                 guint                row,
                 const double        *widths)
{
  g_autofree Cell *cells = g_new0 (Cell, table->n_columns);
  double x = MARGIN;

  for (guint c = 0; c < table->n_columns; c++)
    {
      cells[c].x = x + PAD;
      cells[c].width = widths[c] - 2 * PAD;
      cells[c].layout = make_layout (printer, g_ptr_array_index (table->cells, row * table->n_columns + c), SIZE - 1, row == 0,
                                     cells[c].width);
      x += widths[c];
    }
  place_cells (printer, cells, table->n_columns, TRUE, NULL);
}

/* What the cells would like, and where that is too much, the widest give way first. */
static double *
measure_columns (Printer             *printer,
                 const MtReportBlock *table)
{
  guint n = table->n_columns;
  guint n_rows = MIN (table->cells->len / n, N_MEASURED);
  double *widths = g_new0 (double, n);
  double left = printer->width - 2 * MARGIN;
  g_autofree gboolean *is_set = g_new0 (gboolean, n);
  guint n_left = n;

  for (guint i = 0; i < n_rows * n; i++)
    {
      const char *text = g_ptr_array_index (table->cells, i);
      g_autoptr (PangoLayout) layout = make_layout (printer, text, SIZE - 1, i < n, -1);
      int width;

      pango_layout_get_size (layout, &width, NULL);
      widths[i % n] = MAX (widths[i % n], *text == '\0' ? EMPTY : ceil (width / (double) PANGO_SCALE) + 2 * PAD + 1);
    }
  for (gboolean changed = TRUE; changed && n_left > 0;)
    {
      double share = left / n_left;

      changed = FALSE;
      for (guint c = 0; c < n; c++)
        if (!is_set[c] && widths[c] <= share)
          {
            is_set[c] = changed = TRUE;
            left -= widths[c];
            n_left--;
          }
    }
  for (guint c = 0; c < n; c++)
    if (!is_set[c])
      widths[c] = left / n_left;
  return widths;
}

static void
place_table (Printer             *printer,
             const MtReportBlock *table)
{
  g_autofree double *widths = measure_columns (printer, table);

  /* Heads are not left alone at the end of a page. */
  if (printer->y + 4 * SIZE + 6 * PAD > get_bottom (printer))
    turn_page (printer);
  place_table_row (printer, table, 0, widths);
  printer->table = table;
  printer->widths = widths;
  for (guint r = 1; r < table->cells->len / table->n_columns; r++)
    place_table_row (printer, table, r, widths);
  printer->table = NULL;
  printer->widths = NULL;
  printer->y += 6;
}

/* --- other blocks --- */

static void
place_figure (Printer             *printer,
              const MtReportBlock *block)
{
  double room = get_bottom (printer) - MARGIN - 40;
  double scale = MIN (1, MIN ((printer->width - 2 * MARGIN) / block->width, room / block->height));
  MtPalette palette;

  mt_palette_init (&palette, FALSE, FALSE);
  if (printer->y + block->height * scale + 6 > get_bottom (printer))
    turn_page (printer);
  cairo_save (printer->cr);
  cairo_translate (printer->cr, MARGIN, printer->y + 3);
  cairo_scale (printer->cr, scale, scale);
  block->paint (printer->cr, printer->context, &palette, block->data);
  cairo_restore (printer->cr);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
  printer->y += block->height * scale + 6;
  place_text (printer, block->text, SIZE - 1.5, FALSE, NULL);
}

static void
place_heading (Printer             *printer,
               const MtReportBlock *block)
{
  g_autofree char *dest = g_strdup_printf ("name='%s'", block->anchor);
  g_autofree char *link = g_strdup_printf ("dest='%s'", block->anchor);
  int parent = block->level == 1 ? CAIRO_PDF_OUTLINE_ROOT : printer->outline;

  /* With something below it. */
  if (printer->y + (block->level == 1 ? 110 : 80) > get_bottom (printer))
    turn_page (printer);
  if (printer->y > MARGIN)
    printer->y += block->level == 1 ? 14 : 8;
  g_hash_table_insert (printer->pages, g_strdup (block->anchor), GUINT_TO_POINTER (printer->page));
  if (printer->surface != NULL)
    {
      int entry = cairo_pdf_surface_add_outline (printer->surface, parent, block->text, link, 0);

      printer->outline = block->level == 1 ? entry : printer->outline;
    }
  if (printer->surface != NULL)
    cairo_tag_begin (printer->cr, CAIRO_TAG_DEST, dest);
  place_text (printer, block->text, block->level == 1 ? 15 : 11.5, TRUE, NULL);
  if (printer->surface != NULL)
    cairo_tag_end (printer->cr, CAIRO_TAG_DEST);
}

static void
place_contents (Printer    *printer,
                GHashTable *pages)     /* NULL: not known yet */
{
  for (guint i = 0; i < mt_report_get_n_blocks (printer->report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (printer->report, i);
      g_autofree char *text = NULL;

      if (block->kind != MT_BLOCK_HEADING || block->level != 1)
        continue;
      text = g_strdup_printf ("%s, page %u", block->text,
                              pages != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (pages, block->anchor)) : 1);
      place_text (printer, text, SIZE, FALSE, block->anchor);
    }
}

static void
place_block (Printer             *printer,
             const MtReportBlock *block,
             GHashTable          *pages)
{
  g_autofree char *text = NULL;

  switch (block->kind)
    {
    case MT_BLOCK_TITLE:
      place_text (printer, block->text, 22, TRUE, NULL);
      place_contents (printer, pages);
      break;
    case MT_BLOCK_HEADING:
      place_heading (printer, block);
      break;
    case MT_BLOCK_PARAGRAPH:
    case MT_BLOCK_CODE:
      place_text (printer, block->text, SIZE, FALSE, NULL);
      break;
    case MT_BLOCK_BLANK:
      text = g_strdup_printf ("%s: NOT PROVIDED", block->text);
      cairo_set_source_rgb (printer->cr, 0.64, 0, 0);
      place_text (printer, text, SIZE, TRUE, NULL);
      break;
    case MT_BLOCK_LINK:
      place_text (printer, block->text, SIZE, FALSE, block->anchor);
      break;
    case MT_BLOCK_TABLE:
      place_table (printer, block);
      break;
    case MT_BLOCK_FIGURE:
      place_figure (printer, block);
      break;
    default:
      g_return_if_reached ();
    }
}

static void
set_metadata (cairo_surface_t *surface,
              const MtReport  *report)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (mt_report_get_date_made (report));
  g_autofree char *text = date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ") : NULL;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, mt_report_get_title (report));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Minterm");
  if (text != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
}

/* What is drawn on has been made. */
static gboolean
print_blocks (Printer       *printer,
              GHashTable    *known,
              GCancellable  *cancellable,
              GError       **error)
{
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_status_t status;

  printer->context = pango_cairo_create_context (printer->cr);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (printer->context, options);
  cairo_font_options_destroy (options);
  for (guint i = 0; i < mt_report_get_n_blocks (printer->report) && !g_cancellable_is_cancelled (cancellable); i++)
    place_block (printer, mt_report_get_block (printer->report, i), known);
  end_page (printer);
  g_clear_object (&printer->context);
  status = cairo_status (printer->cr);
  g_clear_pointer (&printer->cr, cairo_destroy);
  if (printer->surface != NULL)
    {
      cairo_surface_finish (printer->surface);
      if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status (printer->surface);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (status != CAIRO_STATUS_SUCCESS)
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, "the report cannot be drawn: %s", cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}

static void
printer_init (Printer        *printer,
              const MtReport *report,
              MtPaper         paper,
              guint           n_pages,
              GHashTable     *pages)
{
  *printer = (Printer) { .report = report, .width = papers[paper].width, .height = papers[paper].height, .y = MARGIN,
                         .page = 1, .n_pages = n_pages, .pages = pages };
}

/* Where sections begin goes to @pages; @known has what an earlier layout found, NULL: nothing. */
static GBytes *
print (const MtReport  *report,
       MtPaper          paper,
       GHashTable      *pages,
       GHashTable      *known,
       guint           *n_pages,
       GError         **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Printer printer;
  gboolean is_printed;

  printer_init (&printer, report, paper, *n_pages, pages);
  printer.surface = cairo_pdf_surface_create_for_stream (mt_draw_collect, bytes, printer.width, printer.height);
  set_metadata (printer.surface, report);
  printer.cr = cairo_create (printer.surface);
  is_printed = print_blocks (&printer, known, NULL, error);
  *n_pages = printer.page;
  cairo_surface_destroy (printer.surface);
  return is_printed ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

static GHashTable *
make_page_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

GBytes *
mt_report_to_pdf (const MtReport  *report,
                  MtPaper          paper,
                  GError         **error)
{
  g_autoptr (GHashTable) known = make_page_table ();
  g_autoptr (GHashTable) pages = make_page_table ();
  g_autoptr (GBytes) draft = NULL;
  guint n_pages = 0;

  g_return_val_if_fail (report != NULL && (guint) paper < G_N_ELEMENTS (papers), NULL);

  draft = print (report, paper, known, NULL, &n_pages, error);
  return draft != NULL ? print (report, paper, pages, known, &n_pages, error) : NULL;
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
  g_autoptr (GHashTable) known = NULL;
  g_autoptr (GPtrArray) sheets = NULL;
  guint n_pages = 0;

  g_return_val_if_fail (report != NULL && (guint) paper < G_N_ELEMENTS (papers), NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GHashTable) pages = make_page_table ();
      Printer printer;

      printer_init (&printer, report, paper, n_pages, pages);
      g_clear_pointer (&sheets, g_ptr_array_unref);
      sheets = g_ptr_array_new_with_free_func (free_sheet);
      printer.sheets = sheets;
      begin_sheet (&printer);
      if (!print_blocks (&printer, known, cancellable, error))
        return NULL;
      n_pages = printer.page;
      g_clear_pointer (&known, g_hash_table_unref);
      known = g_steal_pointer (&pages);
    }
  return mt_report_pages_new (sheets, known, papers[paper].width, papers[paper].height);
}
