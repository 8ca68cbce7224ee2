/* Pages, and rows of cells on them. Everything that is text is a row of cells, a paragraph a row of one; a row that no
 * page can hold goes on, line by line, on the next.
 *
 * A PDF is tagged as far as cairo can: headings, paragraphs, tables with heads and rows, figures with a
 * caption. cairo ends what is marked with the page, so whatever goes on over pages is marked once on each. */
#include "config.h"
#include "mt-report-printer.h"

#define MARGIN  MT_PRINTER_MARGIN
#define PAD     MT_PRINTER_PAD
#define SMALL   (MT_PRINTER_SIZE - 1.5)
#define HEAD    28.0       /* for what every page but the first says on top */
#define FOOT    26.0       /* between the text and the foot of the page */
#define GREY    0.38       /* of what stands back */
#define LINE    0.82       /* grey of lines */

PangoLayout *
mt_printer_make_layout (MtPrinter  *printer,
                        const char *text,
                        double      size,
                        const char *family,
                        double      width)
{
  PangoLayout *layout = pango_layout_new (printer->context);
  PangoFontDescription *font = pango_font_description_from_string (family);
  PangoAttrList *plain = pango_attr_list_new ();
  g_autofree char *isolated = mt_report_isolate (text, "\xe2\x81\xa8", "\xe2\x81\xa9");   /* FSI, PDI */

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_auto_dir (layout, FALSE);   /* the sentences are ours, whatever name they begin with */
  if (width > 0)
    pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  pango_layout_set_text (layout, isolated, -1);
  pango_attr_list_insert (plain, pango_attr_insert_hyphens_new (FALSE));   /* a name or hash that is cut stays what it is */
  pango_attr_list_insert (plain, pango_attr_font_features_new ("tnum=1"));  /* figures stand below one another */
  pango_layout_set_attributes (layout, plain);
  pango_attr_list_unref (plain);
  pango_font_description_free (font);
  return layout;
}

double
mt_printer_get_top (const MtPrinter *printer)
{
  return printer->page > 1 ? MARGIN + HEAD : MARGIN;
}

double
mt_printer_get_bottom (const MtPrinter *printer)
{
  return printer->height - MARGIN - FOOT;
}

double
mt_printer_get_room (const MtPrinter *printer)
{
  return printer->width - 2 * MARGIN;
}

/* Only to know where everything goes. */
gboolean
mt_printer_is_dry (const MtPrinter *printer)
{
  return printer->surface == NULL && printer->sheets == NULL;
}

/* cairo 1.16 cannot copy a recording that has tags, as a printer does. */
void
mt_printer_begin_tag (MtPrinter  *printer,
                      const char *name,
                      const char *attributes)
{
  if (printer->surface != NULL)
    cairo_tag_begin (printer->cr, name, attributes);
}

void
mt_printer_end_tag (MtPrinter  *printer,
                    const char *name)
{
  if (printer->surface != NULL)
    cairo_tag_end (printer->cr, name);
}

/* --- pages --- */

static void
draw_line (MtPrinter *printer,
           double     y)
{
  cairo_save (printer->cr);
  cairo_set_source_rgb (printer->cr, LINE, LINE, LINE);
  cairo_set_line_width (printer->cr, 0.75);
  cairo_move_to (printer->cr, MARGIN, y);
  cairo_line_to (printer->cr, printer->width - MARGIN, y);
  cairo_stroke (printer->cr);
  cairo_restore (printer->cr);
}

/* One line with something at either end; @left is cut where there is no room for both. */
static void
draw_ends (MtPrinter  *printer,
           const char *left,
           const char *right,
           double      y)
{
  g_autoptr (PangoLayout) at_right = mt_printer_make_layout (printer, right, SMALL, MT_PRINTER_PLAIN, -1);
  g_autoptr (PangoLayout) at_left = NULL;
  int width;

  pango_layout_get_size (at_right, &width, NULL);
  at_left = mt_printer_make_layout (printer, left, SMALL, MT_PRINTER_PLAIN,
                                    mt_printer_get_room (printer) - 24 - width / (double) PANGO_SCALE);
  pango_layout_set_single_paragraph_mode (at_left, TRUE);
  pango_layout_set_ellipsize (at_left, PANGO_ELLIPSIZE_END);   /* the cover has it whole */
  if (mt_printer_is_dry (printer))
    return;
  cairo_set_source_rgb (printer->cr, GREY, GREY, GREY);
  cairo_move_to (printer->cr, MARGIN, y);
  pango_cairo_show_layout (printer->cr, at_left);
  cairo_move_to (printer->cr, printer->width - MARGIN - width / (double) PANGO_SCALE, y);
  pango_cairo_show_layout (printer->cr, at_right);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
}

static void
end_page (MtPrinter *printer)
{
  g_autofree char *number = printer->n_pages > 0 ? g_strdup_printf ("Page %u of %u", printer->page, printer->n_pages)
                                                 : g_strdup_printf ("Page %u", printer->page);

  if (printer->page > 1)
    draw_ends (printer, mt_report_get_title (printer->report), printer->report->hashes, MARGIN);
  draw_ends (printer, printer->report->day, number, printer->height - MARGIN);
  if (mt_printer_is_dry (printer))
    return;
  if (printer->page > 1)
    draw_line (printer, MARGIN + 15);
  draw_line (printer, printer->height - MARGIN - 5);
  if (printer->surface != NULL)
    cairo_show_page (printer->cr);
}

/* A page of its own. */
static void
begin_sheet (MtPrinter *printer)
{
  const cairo_rectangle_t extents = { 0, 0, printer->width, printer->height };
  cairo_surface_t *sheet = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);

  g_ptr_array_add (printer->sheets, sheet);
  g_clear_pointer (&printer->cr, cairo_destroy);
  printer->cr = cairo_create (sheet);
}

void
mt_printer_turn_page (MtPrinter *printer)
{
  const MtReportBlock *table = printer->table;

  if (table != NULL)
    mt_printer_end_tag (printer, "Table");
  end_page (printer);
  if (printer->sheets != NULL)
    begin_sheet (printer);
  printer->page++;
  printer->y = mt_printer_get_top (printer);
  if (table != NULL)
    {
      mt_printer_begin_tag (printer, "Table", NULL);
      printer->table = NULL;
      mt_printer_place_heads (printer, table);
      printer->table = table;
    }
}

void
mt_printer_begin (MtPrinter *printer)
{
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoFontDescription *font = pango_font_description_from_string (MT_PRINTER_PLAIN " 11");

  if (printer->sheets != NULL)
    begin_sheet (printer);
  printer->page = 1;
  printer->y = mt_printer_get_top (printer);
  printer->context = pango_cairo_create_context (printer->cr);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (printer->context, options);
  cairo_font_options_destroy (options);
  pango_context_set_font_description (printer->context, font);     /* of drawings */
  pango_font_description_free (font);
  /* Paper knows no pixels: letters stand where their font wants them, in any size. */
  pango_context_set_round_glyph_positions (printer->context, FALSE);
  mt_printer_begin_tag (printer, "Document", NULL);
}

void
mt_printer_end (MtPrinter *printer)
{
  mt_printer_end_tag (printer, "Document");
  end_page (printer);
  g_clear_object (&printer->context);
}

/* --- cells --- */

/* As many lines of the cell as there is room for; at the top of a page at least one. Returns their height. */
static double
draw_lines (MtPrinter     *printer,
            MtPrinterCell *cell,
            double         room,
            gboolean       is_top)
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
      if (!mt_printer_is_dry (printer))
        {
          cairo_move_to (printer->cr, cell->x + logical.x / (double) PANGO_SCALE,
                         printer->y + PAD + y +
                         (pango_layout_iter_get_baseline (cell->iter) - logical.y) / (double) PANGO_SCALE);
          pango_cairo_show_layout_line (printer->cr, pango_layout_iter_get_line_readonly (cell->iter));
        }
      y += height;
      cell->is_done = !pango_layout_iter_next_line (cell->iter);
    }
  return y;
}

double
mt_printer_measure_cells (MtPrinterCell *cells,
                          guint          n_cells)
{
  double whole = 0;

  for (guint i = 0; i < n_cells; i++)
    {
      int height;

      pango_layout_get_size (cells[i].layout, NULL, &height);
      whole = MAX (whole, height / (double) PANGO_SCALE);
      cells[i].iter = pango_layout_get_iter (cells[i].layout);
      cells[i].is_done = FALSE;
    }
  return whole;
}

static void
fill_behind (MtPrinter *printer,
             double     height)
{
  if (mt_printer_is_dry (printer))
    return;
  cairo_save (printer->cr);
  cairo_set_source_rgb (printer->cr, 0.95, 0.95, 0.95);
  cairo_rectangle (printer->cr, MARGIN, printer->y, mt_printer_get_room (printer), height);
  cairo_fill (printer->cr);
  cairo_restore (printer->cr);
}

static void
draw_below (MtPrinter           *printer,
            const MtPrinterCell *cells,
            guint                n_cells,
            double               y,
            double               width)
{
  const MtPrinterCell *last = &cells[n_cells - 1];

  if (mt_printer_is_dry (printer))
    return;
  cairo_save (printer->cr);
  cairo_set_source_rgb (printer->cr, LINE, LINE, LINE);
  cairo_set_line_width (printer->cr, width);
  cairo_move_to (printer->cr, cells[0].x, y);
  cairo_line_to (printer->cr, last->x + last->width, y);
  cairo_stroke (printer->cr);
  cairo_restore (printer->cr);
}

static void
place_cell (MtPrinter           *printer,
            MtPrinterCell       *cell,
            const MtPrinterLook *look,
            double               room,
            gboolean             is_top,
            double              *used)
{
  g_autofree char *attributes = look->link != NULL ? g_strdup_printf ("dest='%s'", look->link) : NULL;
  double height;

  mt_printer_begin_tag (printer, look->tag, NULL);
  if (look->link != NULL)
    mt_printer_begin_tag (printer, CAIRO_TAG_LINK, attributes);
  cairo_save (printer->cr);
  if (cell->is_owed)
    cairo_set_source_rgb (printer->cr, 0.64, 0, 0);
  else if (look->grey > 0)
    cairo_set_source_rgb (printer->cr, look->grey, look->grey, look->grey);
  height = draw_lines (printer, cell, room, is_top);
  cairo_restore (printer->cr);
  if (look->link != NULL)
    mt_printer_end_tag (printer, CAIRO_TAG_LINK);
  mt_printer_end_tag (printer, look->tag);
  *used = MAX (*used, height);
}

/* What of the cells goes on this page. TRUE: all of it. */
static gboolean
place_piece (MtPrinter           *printer,
             MtPrinterCell       *cells,
             guint                n_cells,
             const MtPrinterLook *look,
             double              *used)
{
  double top = mt_printer_get_top (printer), bottom = mt_printer_get_bottom (printer);
  double room = bottom - printer->y - 2 * PAD;
  gboolean is_done = TRUE;

  *used = 0;
  if (look->row != NULL)
    mt_printer_begin_tag (printer, look->row, NULL);
  for (guint i = 0; i < n_cells; i++)
    {
      place_cell (printer, &cells[i], look, room, printer->y < top + (bottom - top) / 4, used);
      is_done &= cells[i].is_done;
    }
  if (look->row != NULL)
    mt_printer_end_tag (printer, look->row);
  return is_done;
}

void
mt_printer_free_cells (MtPrinterCell *cells,
                       guint          n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    {
      pango_layout_iter_free (cells[i].iter);
      g_object_unref (cells[i].layout);
    }
}

void
mt_printer_place_cells (MtPrinter           *printer,
                        MtPrinterCell       *cells,
                        guint                n_cells,
                        const MtPrinterLook *look)
{
  double height = mt_printer_measure_cells (cells, n_cells);      /* once: MAX () would ask twice and lose the iterators */
  double whole = MAX (height, look->least);
  double bottom = mt_printer_get_bottom (printer);
  gboolean is_done;

  if (printer->y > mt_printer_get_top (printer) && printer->y + whole + 2 * PAD > bottom &&
      whole + 2 * PAD < (bottom - mt_printer_get_top (printer)) / 2)
    mt_printer_turn_page (printer);
  do
    {
      double used;

      if (look->is_code)
        fill_behind (printer, MIN (whole + 2 * PAD, bottom - printer->y));
      is_done = place_piece (printer, cells, n_cells, look, &used);
      if (is_done)
        used = MAX (used, look->least);
      if (look->line > 0 && used > 0)
        draw_below (printer, cells, n_cells, printer->y + used + 2 * PAD, look->line);
      printer->y += used + 2 * PAD;
      whole -= used;
      if (!is_done)
        mt_printer_turn_page (printer);
    }
  while (!is_done);
  mt_printer_free_cells (cells, n_cells);
}
