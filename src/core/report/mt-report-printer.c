/* Blocks on paper: text, headings, figures, and what is placed next to what. */
#include "config.h"
#include "mt-report-printer.h"

#include <cairo-pdf.h>
#include <string.h>

#include "draw/mt-palette.h"

#define MARGIN      MT_PRINTER_MARGIN
#define SIZE        MT_PRINTER_SIZE
#define SMALLEST    5.0        /* letters of a command whose lines are long */
#define CODE_PAD    5.0
#define GAP         18.0       /* between a figure and the table next to it */
#define BESIDE      0.78       /* scale of such a figure, at most */
#define SHRUNK      0.65       /* of its size, at least */
#define GREY        0.38       /* of what stands back */

/* Every letter of a command counts, so its lines are not broken: the longest decides how small the letters are. One that
 * would be too small to read is broken all the same. */
static double
fit_code (MtPrinter  *printer,
          const char *text,
          double      size,
          double      width)
{
  g_autoptr (PangoLayout) layout = mt_printer_make_layout (printer, text, size, MT_PRINTER_CODE, -1);
  int whole;

  pango_layout_get_size (layout, &whole, NULL);
  return size * CLAMP ((width - 1) * PANGO_SCALE / MAX (whole, 1), SMALLEST / size, 1);
}

static void
place_text (MtPrinter  *printer,
            const char *text,
            double      size,
            const char *family,
            const char *tag,
            const char *link)
{
  gboolean is_code = g_str_equal (family, MT_PRINTER_CODE);
  double pad = is_code ? CODE_PAD : 0;
  double width = mt_printer_get_room (printer) - 2 * pad;
  const MtPrinterLook look = { .tag = tag, .link = link, .is_code = is_code };
  MtPrinterCell cell = { .x = MARGIN + pad, .width = width };

  cell.layout = mt_printer_make_layout (printer, text, is_code ? fit_code (printer, text, size, width) : size, family, width);
  if (link != NULL)
    cairo_set_source_rgb (printer->cr, 0.1, 0.37, 0.71);
  mt_printer_place_cells (printer, &cell, 1, &look);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
}

static double
measure_text (MtPrinter  *printer,
              const char *text,
              double      size,
              double      width)
{
  g_autoptr (PangoLayout) layout = NULL;
  int height;

  if (text == NULL)
    return 0;
  layout = mt_printer_make_layout (printer, text, size, MT_PRINTER_PLAIN, width);
  pango_layout_get_size (layout, NULL, &height);
  return height / (double) PANGO_SCALE + 2 * MT_PRINTER_PAD;
}

/* --- figures --- */

static double
get_scale (const MtPrinter     *printer,
           const MtReportBlock *figure)
{
  double room = mt_printer_get_bottom (printer) - MARGIN - 70;
  double most = figure->beside ? BESIDE : 1;

  return MIN (most, MIN (mt_printer_get_room (printer) / figure->width, room / figure->height));
}

/* Room for what is written below a figure as wide as the page, and the gaps around it. */
static double
get_caption (MtPrinter           *printer,
             const MtReportBlock *figure)
{
  return measure_text (printer, figure->text, SIZE - 1.5, mt_printer_get_room (printer)) + 8;
}

static void
draw_figure (MtPrinter           *printer,
             const MtReportBlock *block,
             double               scale)
{
  MtPalette palette;

  if (mt_printer_is_dry (printer))
    return;
  mt_palette_init (&palette, FALSE, FALSE);
  mt_printer_begin_tag (printer, "Figure", NULL);
  cairo_save (printer->cr);
  cairo_translate (printer->cr, MARGIN, printer->y + 3);
  cairo_scale (printer->cr, scale, scale);
  block->paint (printer->cr, printer->context, &palette, block->data);
  cairo_restore (printer->cr);
  mt_printer_end_tag (printer, "Figure");
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
}

static void
place_caption (MtPrinter           *printer,
               const MtReportBlock *block,
               double               width)
{
  const MtPrinterLook look = { .tag = "Caption", .grey = GREY };
  MtPrinterCell cell = { .x = MARGIN, .width = width };

  cell.layout = mt_printer_make_layout (printer, block->text, SIZE - 1.5, MT_PRINTER_PLAIN, cell.width);
  mt_printer_place_cells (printer, &cell, 1, &look);
}

/* The table that a figure has at its right: where it begins, how wide it is and how high both are. NULL: there is none,
 * or they do not fit next to each other. */
static const MtReportBlock *
find_beside (MtPrinter *printer,
             guint      index,
             double    *x,
             double    *room,
             double    *height)
{
  const MtReportBlock *figure = mt_report_get_block (printer->report, index);
  const MtReportBlock *table;
  double scale, whole = mt_printer_get_bottom (printer) - MARGIN - 60;

  if (!figure->beside || index + 1 >= mt_report_get_n_blocks (printer->report))
    return NULL;
  table = mt_report_get_block (printer->report, index + 1);
  if (table->kind != MT_BLOCK_TABLE)
    return NULL;
  scale = get_scale (printer, figure);
  *x = MAX (figure->width * scale + GAP, mt_printer_get_room (printer) * 0.45);
  *room = mt_printer_get_room (printer) - *x;
  *height = *room > 0 ? mt_printer_fit_table (printer, table, *room) : -1;
  if (*height < 0)
    return NULL;
  *height = MAX (*height, figure->height * scale + 6 + measure_text (printer, figure->text, SIZE - 1.5, *x - GAP));
  return *height <= whole ? table : NULL;
}

/* Room for a figure with the beginning of its table below it, which then goes on over the page's end. */
static double
measure_stacked (MtPrinter           *printer,
                 const MtReportBlock *figure,
                 const MtReportBlock *table)
{
  return figure->height * get_scale (printer, figure) + get_caption (printer, figure) + mt_printer_measure_table (printer, table);
}

/* A figure that misses the end of the page by a little is made to fit. */
static double
shrink (MtPrinter           *printer,
        const MtReportBlock *figure,
        double               scale)
{
  double fits = (mt_printer_get_bottom (printer) - printer->y - get_caption (printer, figure)) / figure->height;

  return fits < scale && fits >= SHRUNK * scale ? fits : scale;
}

static void
place_figure (MtPrinter *printer,
              guint      index)
{
  const MtReportBlock *block = mt_report_get_block (printer->report, index);
  double scale = get_scale (printer, block), x, room, height;
  const MtReportBlock *table = find_beside (printer, index, &x, &room, &height);
  double top, left = mt_printer_get_bottom (printer) - printer->y;

  /* A long table that would send both to the next page stands below its figure instead. */
  if (table != NULL && height > left && measure_stacked (printer, block, table) <= left)
    table = NULL;
  if (table == NULL)
    scale = shrink (printer, block, scale);
  if (printer->y > mt_printer_get_top (printer) &&
      printer->y + (table != NULL ? height : block->height * scale + get_caption (printer, block) - 1) > mt_printer_get_bottom (printer))
    mt_printer_turn_page (printer);
  top = printer->y;
  draw_figure (printer, block, scale);
  printer->y += block->height * scale + 6;
  place_caption (printer, block, table != NULL ? x - GAP : mt_printer_get_room (printer));
  if (table == NULL)
    return;
  printer->y = top;
  mt_printer_place_beside (printer, table, MARGIN + x, room);
  printer->y = top + height + 3;
  printer->placed = table;
}

/* --- headings --- */

/* Whether the table is the key to a figure that has its own table at its right. */
static gboolean
leads_to_figure (const MtPrinter *printer,
                 guint            index)
{
  const MtReportBlock *next = index + 1 < mt_report_get_n_blocks (printer->report)
                                ? mt_report_get_block (printer->report, index + 1) : NULL;

  return next != NULL && next->kind == MT_BLOCK_FIGURE && next->beside;
}

/* Room that a heading must have below it, so that neither it nor what leads up to a figure stands alone: with one text
 * in between a table begins on the same page, too; behind more texts it may begin on the next. */
static double
get_need (MtPrinter *printer,
          guint      index)
{
  double most = (mt_printer_get_bottom (printer) - MARGIN) * 0.8;
  double need = 0, enough = 0;

  for (guint i = index; i < MIN (index + 6, mt_report_get_n_blocks (printer->report)); i++)
    {
      const MtReportBlock *block = mt_report_get_block (printer->report, i);
      double x, room, height;

      if (block->kind == MT_BLOCK_FIGURE)
        {
          const MtReportBlock *table = find_beside (printer, i, &x, &room, &height);

          if (table == NULL)
            height = block->height * get_scale (printer, block) * SHRUNK + get_caption (printer, block);
          else
            height = MIN (height, measure_stacked (printer, block, table));
          return i <= index + 1 || need + height <= most ? need + height : need;
        }
      if (block->kind == MT_BLOCK_HEADING && i > index && enough > 0)
        return enough;
      if (block->kind == MT_BLOCK_TABLE)
        {
          if (i > index + 2 && enough > 0 && !leads_to_figure (printer, i))
            return enough;
          need += mt_printer_measure_table (printer, block);
          if (!leads_to_figure (printer, i))
            return MIN (need, most);
        }
      need += block->kind == MT_BLOCK_HEADING ? (block->level == 1 ? 42 : 30) : 0;
      need += measure_text (printer, block->kind == MT_BLOCK_HEADING ? block->note : block->kind == MT_BLOCK_TABLE ? NULL
                                                                                                          : block->text,
                            SIZE, mt_printer_get_room (printer));
      if (need > most)
        return enough > 0 ? enough : most;
      if (enough <= 0 && i > index && block->kind != MT_BLOCK_HEADING && block->kind != MT_BLOCK_TABLE)
        enough = need;
    }
  return enough > 0 ? enough : need;
}

/* What stands behind a heading: a weight in its frame, and a word in grey. */
static void
draw_badge (MtPrinter           *printer,
            const MtReportBlock *block,
            double               x,
            double               baseline)
{
  g_autoptr (PangoLayout) badge = NULL;
  MtPalette palette;
  const MtColor *color;
  int width, height;
  double wide, high, radius;

  if (block->badge == NULL || mt_printer_is_dry (printer))
    return;
  mt_palette_init (&palette, FALSE, FALSE);
  color = g_str_has_prefix (block->badge, "+") ? &palette.positive : &palette.negative;
  badge = mt_printer_make_layout (printer, block->badge, SIZE, MT_PRINTER_BOLD, -1);
  pango_layout_get_size (badge, &width, &height);
  wide = width / (double) PANGO_SCALE + 14;
  high = height / (double) PANGO_SCALE + 3;
  radius = color == &palette.positive ? high / 2 : 2.5;     /* a pill or a box: the sign by its shape, too */
  baseline -= pango_layout_get_baseline (badge) / (double) PANGO_SCALE;
  cairo_save (printer->cr);
  cairo_new_sub_path (printer->cr);
  cairo_arc (printer->cr, x + wide - radius, baseline - 1.5 + radius, radius, -G_PI_2, 0);
  cairo_arc (printer->cr, x + wide - radius, baseline - 1.5 + high - radius, radius, 0, G_PI_2);
  cairo_arc (printer->cr, x + radius, baseline - 1.5 + high - radius, radius, G_PI_2, G_PI);
  cairo_arc (printer->cr, x + radius, baseline - 1.5 + radius, radius, G_PI, -G_PI_2);
  cairo_close_path (printer->cr);
  cairo_set_source_rgba (printer->cr, color->red, color->green, color->blue, 0.14);
  cairo_fill_preserve (printer->cr);
  cairo_set_source_rgb (printer->cr, color->red, color->green, color->blue);
  cairo_set_line_width (printer->cr, 0.9);
  cairo_stroke (printer->cr);
  mt_printer_begin_tag (printer, "P", NULL);
  cairo_move_to (printer->cr, x + 7, baseline);
  pango_cairo_show_layout (printer->cr, badge);
  mt_printer_end_tag (printer, "P");
  cairo_restore (printer->cr);
}

/* The text of a heading, with its badge behind the last line if there is room. */
static void
place_heading_text (MtPrinter           *printer,
                    const MtReportBlock *block)
{
  double size = block->level == 1 ? 17 : 12, top;
  const MtPrinterLook look = { .tag = block->level == 1 ? "H2" : "H3" };
  MtPrinterCell cell = { .x = MARGIN, .width = mt_printer_get_room (printer) - (block->badge != NULL ? 90 : 0) };
  g_autoptr (PangoLayout) layout = NULL;
  PangoRectangle last;
  guint page = printer->page;

  cell.layout = mt_printer_make_layout (printer, block->text, size, MT_PRINTER_BOLD, cell.width);
  layout = g_object_ref (cell.layout);
  top = printer->y + MT_PRINTER_PAD;
  mt_printer_place_cells (printer, &cell, 1, &look);
  if (printer->page != page)
    return;
  pango_layout_line_get_extents (pango_layout_get_line_readonly (layout, pango_layout_get_line_count (layout) - 1), NULL,
                                 &last);
  if (pango_layout_get_line_count (layout) == 1)
    draw_badge (printer, block, MARGIN + last.width / (double) PANGO_SCALE + 10,
                top + pango_layout_get_baseline (layout) / (double) PANGO_SCALE);
}

static void
place_note (MtPrinter  *printer,
            const char *note)
{
  const MtPrinterLook look = { .tag = "P", .grey = GREY };
  MtPrinterCell cell = { .x = MARGIN, .width = mt_printer_get_room (printer) };

  cell.layout = mt_printer_make_layout (printer, note, SIZE - 1, MT_PRINTER_PLAIN, cell.width);
  mt_printer_place_cells (printer, &cell, 1, &look);
}

static void
place_contents (MtPrinter *printer)
{
  const double room = mt_printer_get_room (printer);

  place_text (printer, "Contents", 12, MT_PRINTER_BOLD, "P", NULL);
  for (guint i = 0; i < mt_report_get_n_blocks (printer->report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (printer->report, i);
      g_autofree char *number = NULL;
      const MtPrinterLook look = { .tag = "P", .link = block->anchor, .line = 0.5 };
      MtPrinterCell cells[2] = { { .x = MARGIN, .width = room - 60 }, { .x = MARGIN + room - 50, .width = 50 } };

      if (block->kind != MT_BLOCK_HEADING || block->level != 1)
        continue;
      number = g_strdup_printf ("%u", printer->known != NULL
                                        ? GPOINTER_TO_UINT (g_hash_table_lookup (printer->known, block->anchor)) : 1);
      cells[0].layout = mt_printer_make_layout (printer, block->text, SIZE, MT_PRINTER_PLAIN, cells[0].width);
      cells[1].layout = mt_printer_make_layout (printer, number, SIZE, MT_PRINTER_PLAIN, cells[1].width);
      pango_layout_set_alignment (cells[1].layout, PANGO_ALIGN_RIGHT);
      mt_printer_place_cells (printer, cells, 2, &look);
    }
}

static void
place_heading (MtPrinter *printer,
               guint      index)
{
  const MtReportBlock *block = mt_report_get_block (printer->report, index);
  g_autofree char *dest = g_strdup_printf ("name='%s'", block->anchor);
  g_autofree char *link = g_strdup_printf ("dest='%s'", block->anchor);
  int parent = block->level == 1 ? CAIRO_PDF_OUTLINE_ROOT : printer->outline;

  if (g_str_equal (block->anchor, "section-2"))
    {
      /* The cover ends with what is in the report. */
      printer->y += 10;
      place_contents (printer);
      mt_printer_turn_page (printer);
    }
  else if (printer->y > mt_printer_get_top (printer) &&
           printer->y + MAX (get_need (printer, index), block->level == 1 ? 110 : 80) > mt_printer_get_bottom (printer))
    mt_printer_turn_page (printer);
  if (printer->y > mt_printer_get_top (printer))
    printer->y += block->level == 1 ? 16 : 9;
  g_hash_table_insert (printer->pages, g_strdup (block->anchor), GUINT_TO_POINTER (printer->page));
  if (printer->surface != NULL)
    {
      int entry = cairo_pdf_surface_add_outline (printer->surface, parent, block->text, link, 0);

      printer->outline = block->level == 1 ? entry : printer->outline;
    }
  mt_printer_begin_tag (printer, CAIRO_TAG_DEST, dest);
  place_heading_text (printer, block);
  mt_printer_end_tag (printer, CAIRO_TAG_DEST);
  if (block->note != NULL)
    place_note (printer, block->note);
}

/* A sentence that leads up to a table goes to the next page with it. */
static void
keep_with_table (MtPrinter *printer,
                 guint      index)
{
  const MtReportBlock *block = mt_report_get_block (printer->report, index);
  const MtReportBlock *next = index + 1 < mt_report_get_n_blocks (printer->report)
                                ? mt_report_get_block (printer->report, index + 1) : NULL;
  double bottom = mt_printer_get_bottom (printer), top = mt_printer_get_top (printer), need;

  if (next == NULL || next->kind != MT_BLOCK_TABLE || printer->y <= top)
    return;
  need = measure_text (printer, block->text, SIZE, mt_printer_get_room (printer));
  if (need < (bottom - top) / 2 && printer->y + need + mt_printer_measure_table (printer, next) > bottom)
    mt_printer_turn_page (printer);
}

void
mt_printer_tell (MtPrinter *printer,
                 double     share)
{
  double done = (printer->block + share) / mt_report_get_n_blocks (printer->report);

  mt_report_tell (printer->wait, printer->from + (printer->to - printer->from) * done);
}

void
mt_printer_place (MtPrinter *printer,
                  guint      index)
{
  const MtReportBlock *block = mt_report_get_block (printer->report, index);
  g_autofree char *text = NULL;

  printer->block = index;
  switch (block->kind)
    {
    case MT_BLOCK_TITLE:
      place_text (printer, block->text, 24, MT_PRINTER_BOLD, "H1", NULL);
      printer->y += 6;
      break;
    case MT_BLOCK_HEADING:
      place_heading (printer, index);
      break;
    case MT_BLOCK_PARAGRAPH:
      keep_with_table (printer, index);
      place_text (printer, block->text, SIZE, MT_PRINTER_PLAIN, "P", NULL);
      break;
    case MT_BLOCK_CODE:
      place_text (printer, block->text, SIZE - 1, MT_PRINTER_CODE, "P", NULL);
      break;
    case MT_BLOCK_BLANK:
      text = g_strdup_printf ("%s: NOT PROVIDED", block->text);
      cairo_set_source_rgb (printer->cr, 0.64, 0, 0);
      place_text (printer, text, SIZE, MT_PRINTER_BOLD, "P", NULL);
      break;
    case MT_BLOCK_LINK:
      place_text (printer, block->text, SIZE, MT_PRINTER_PLAIN, "P", block->anchor);
      break;
    case MT_BLOCK_TABLE:
      if (block != printer->placed)
        mt_printer_place_table (printer, block);
      break;
    case MT_BLOCK_FIGURE:
      place_figure (printer, index);
      break;
    default:
      g_return_if_reached ();
    }
  mt_printer_tell (printer, 1);
}
