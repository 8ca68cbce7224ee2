/* Blocks on paper. Everything that is text is a row of cells, a paragraph a row of one without
 * lines around it; a row that no page can hold goes on, line by line, on the next.
 *
 * A PDF is tagged as far as cairo can: headings, paragraphs, tables with heads and rows, figures with a
 * caption. cairo ends what is marked with the page, so whatever goes on over pages is marked once on each. */
#include "config.h"
#include "mt-report-printer.h"

#include <cairo-pdf.h>
#include <math.h>

#include "mt-palette.h"

#define MARGIN      54.0
#define FOOT        24.0       /* between the text and the foot of the page */
#define PAD         3.0
#define SIZE        9.5
#define SMALLEST    5.0        /* letters of a command whose lines are long */
#define ROW         (1.3 * SIZE + 2 * PAD)     /* of a table, about */
#define EMPTY       100.0      /* width of a cell that is to be filled in by hand */
#define LINE        0.72       /* grey of a table's lines */
#define PLAIN       "Sans"
#define BOLD        "Sans Bold"
#define CODE        "Monospace"
#define N_MEASURED  200        /* rows of a table that decide how wide its columns are */

typedef struct {
  PangoLayout     *layout;
  PangoLayoutIter *iter;
  double           x, width;
  gboolean         is_done;
} Cell;

static PangoLayout *
make_layout (MtPrinter  *printer,
             const char *text,
             double      size,
             const char *family,    /* "Sans", "Sans Bold", … */
             double      width)     /* negative: one line */
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
  pango_layout_set_attributes (layout, plain);
  pango_attr_list_unref (plain);
  pango_font_description_free (font);
  return layout;
}

static double
get_bottom (const MtPrinter *printer)
{
  return printer->height - MARGIN - FOOT;
}

/* Only to know where everything goes. */
static gboolean
is_dry (const MtPrinter *printer)
{
  return printer->surface == NULL && printer->sheets == NULL;
}

/* cairo 1.16 cannot copy a recording that has tags, as a printer does. */
static void
begin_tag (MtPrinter  *printer,
           const char *name,
           const char *attributes)
{
  if (printer->surface != NULL)
    cairo_tag_begin (printer->cr, name, attributes);
}

static void
end_tag (MtPrinter  *printer,
         const char *name)
{
  if (printer->surface != NULL)
    cairo_tag_end (printer->cr, name);
}

static void
end_page (MtPrinter *printer)
{
  g_autofree char *number = printer->n_pages > 0 ? g_strdup_printf ("Page %u of %u", printer->page, printer->n_pages)
                                                 : g_strdup_printf ("Page %u", printer->page);
  g_autoptr (PangoLayout) right = make_layout (printer, number, SIZE - 1.5, PLAIN, -1);
  g_autoptr (PangoLayout) left = NULL;
  int width;

  pango_layout_get_size (right, &width, NULL);
  left = make_layout (printer, mt_report_get_title (printer->report), SIZE - 1.5, PLAIN,
                      printer->width - 2 * MARGIN - 24 - width / (double) PANGO_SCALE);
  pango_layout_set_single_paragraph_mode (left, TRUE);
  pango_layout_set_ellipsize (left, PANGO_ELLIPSIZE_END);   /* the cover has it whole */
  if (is_dry (printer))
    return;
  cairo_set_source_rgb (printer->cr, 0.35, 0.35, 0.35);
  cairo_move_to (printer->cr, MARGIN, printer->height - MARGIN);
  pango_cairo_show_layout (printer->cr, left);
  cairo_move_to (printer->cr, printer->width - MARGIN - width / (double) PANGO_SCALE, printer->height - MARGIN);
  pango_cairo_show_layout (printer->cr, right);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
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

static void place_table_row (MtPrinter *printer, const MtReportBlock *table, guint row, const double *widths);

static void
turn_page (MtPrinter *printer)
{
  const MtReportBlock *table = printer->table;

  if (table != NULL)
    end_tag (printer, "Table");
  end_page (printer);
  if (printer->sheets != NULL)
    begin_sheet (printer);
  printer->page++;
  printer->y = MARGIN;
  if (table != NULL)
    {
      begin_tag (printer, "Table", NULL);
      printer->table = NULL;
      place_table_row (printer, table, 0, printer->widths);
      printer->table = table;
    }
}

/* As many lines of the cell as there is room for; at the top of a page at least one. Returns their height. */
static double
draw_lines (MtPrinter *printer,
            Cell      *cell,
            double     room,
            gboolean   is_top)
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
      if (!is_dry (printer))
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

/* How cells look, and what they are. */
typedef struct {
  const char *tag;        /* of each: "P", "H1", "TD", … */
  const char *row;        /* around them: "TR", or NULL */
  const char *link;       /* where they lead, or NULL */
  gboolean    boxed;
  double      grey;       /* behind them; 1: nothing */
} Look;

static double
measure_cells (Cell  *cells,
               guint  n_cells)
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
fill_behind (MtPrinter  *printer,
             const Cell *cells,
             guint       n_cells,
             double      height,
             double      grey)
{
  if (is_dry (printer) || grey >= 1)
    return;
  cairo_save (printer->cr);
  cairo_set_source_rgb (printer->cr, grey, grey, grey);
  for (guint i = 0; i < n_cells; i++)
    cairo_rectangle (printer->cr, cells[i].x - PAD, printer->y, cells[i].width + 2 * PAD, height);
  cairo_fill (printer->cr);
  cairo_restore (printer->cr);
}

static void
draw_boxes (MtPrinter  *printer,
            const Cell *cells,
            guint       n_cells,
            double      height)
{
  if (is_dry (printer))
    return;
  cairo_save (printer->cr);
  cairo_set_source_rgb (printer->cr, LINE, LINE, LINE);
  cairo_set_line_width (printer->cr, 0.5);
  for (guint i = 0; i < n_cells; i++)
    cairo_rectangle (printer->cr, cells[i].x - PAD, printer->y, cells[i].width + 2 * PAD, height);
  cairo_stroke (printer->cr);
  cairo_restore (printer->cr);
}

/* What of the cells goes on this page. TRUE: all of it. */
static gboolean
place_piece (MtPrinter  *printer,
             Cell       *cells,
             guint       n_cells,
             const Look *look,
             double     *used)
{
  g_autofree char *attributes = look->link != NULL ? g_strdup_printf ("dest='%s'", look->link) : NULL;
  double room = get_bottom (printer) - printer->y - 2 * PAD;
  gboolean is_top = printer->y < MARGIN + (get_bottom (printer) - MARGIN) / 4;
  gboolean is_done = TRUE;

  *used = 0;
  if (look->row != NULL)
    begin_tag (printer, look->row, NULL);
  for (guint i = 0; i < n_cells; i++)
    {
      double height;

      begin_tag (printer, look->tag, NULL);
      if (look->link != NULL)
        begin_tag (printer, CAIRO_TAG_LINK, attributes);
      height = draw_lines (printer, &cells[i], room, is_top);
      if (look->link != NULL)
        end_tag (printer, CAIRO_TAG_LINK);
      end_tag (printer, look->tag);
      *used = MAX (*used, height);
      is_done &= cells[i].is_done;
    }
  if (look->row != NULL)
    end_tag (printer, look->row);
  return is_done;
}

static void
free_cells (Cell  *cells,
            guint  n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    {
      pango_layout_iter_free (cells[i].iter);
      g_object_unref (cells[i].layout);
    }
}

/* Frees what the cells hold. */
static void
place_cells (MtPrinter  *printer,
             Cell       *cells,
             guint       n_cells,
             const Look *look)
{
  double whole = measure_cells (cells, n_cells);
  gboolean is_done;

  if (printer->y > MARGIN && printer->y + whole + 2 * PAD > get_bottom (printer) &&
      whole + 2 * PAD < (get_bottom (printer) - MARGIN) / 2)
    turn_page (printer);
  do
    {
      double used;

      fill_behind (printer, cells, n_cells, MIN (whole + 2 * PAD, get_bottom (printer) - printer->y), look->grey);
      is_done = place_piece (printer, cells, n_cells, look, &used);
      if (look->boxed && used > 0)
        draw_boxes (printer, cells, n_cells, used + 2 * PAD);
      printer->y += used + 2 * PAD;
      whole -= used;
      if (!is_done)
        turn_page (printer);
    }
  while (!is_done);
  free_cells (cells, n_cells);
}

/* Every letter of a command counts, so its lines are not broken: the longest decides how small the letters are. One that
 * would be too small to read is broken all the same. */
static double
fit_code (MtPrinter  *printer,
          const char *text,
          double      size,
          double      width)
{
  g_autoptr (PangoLayout) layout = make_layout (printer, text, size, CODE, -1);
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
  gboolean is_code = g_str_equal (family, CODE);
  double width = printer->width - 2 * MARGIN - (is_code ? 2 * PAD : 0);
  const Look look = { .tag = tag, .link = link, .grey = is_code ? 0.95 : 1 };
  Cell cell = { .x = MARGIN + (is_code ? PAD : 0), .width = width };

  cell.layout = make_layout (printer, text, is_code ? fit_code (printer, text, size, width) : size, family, width);
  if (link != NULL)
    cairo_set_source_rgb (printer->cr, 0.1, 0.37, 0.71);
  place_cells (printer, &cell, 1, &look);
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
}

/* --- tables --- */

static Cell *
make_row (MtPrinter           *printer,
          const MtReportBlock *table,
          guint                row,
          const double        *widths)
{
  Cell *cells = g_new0 (Cell, table->n_columns);
  double x = MARGIN;

  for (guint c = 0; c < table->n_columns; c++)
    {
      cells[c].x = x + PAD;
      cells[c].width = widths[c] - 2 * PAD;
      cells[c].layout = make_layout (printer, g_ptr_array_index (table->cells, row * table->n_columns + c), SIZE - 1,
                                     row == 0 ? BOLD : PLAIN, cells[c].width);
      x += widths[c];
    }
  return cells;
}

static void
place_table_row (MtPrinter           *printer,
                 const MtReportBlock *table,
                 guint                row,
                 const double        *widths)
{
  const Look look = { .tag = row == 0 ? "TH" : "TD", .row = "TR", .boxed = TRUE, .grey = row == 0 ? 0.93 : 1 };
  g_autofree Cell *cells = make_row (printer, table, row, widths);

  place_cells (printer, cells, table->n_columns, &look);
}

static double
measure_row (MtPrinter           *printer,
             const MtReportBlock *table,
             guint                row,
             const double        *widths)
{
  g_autofree Cell *cells = make_row (printer, table, row, widths);
  double height = measure_cells (cells, table->n_columns) + 2 * PAD;

  free_cells (cells, table->n_columns);
  return height;
}

/* What the cells would like, and where that is too much, the widest give way first. */
static const double *
measure_columns (MtPrinter           *printer,
                 const MtReportBlock *table)
{
  const double *measured = g_hash_table_lookup (printer->measured, table);
  guint n = table->n_columns;
  guint n_rows = MIN (table->cells->len / n, N_MEASURED);
  double *widths;
  double left = printer->width - 2 * MARGIN;
  g_autofree gboolean *is_set = NULL;
  guint n_left = n;

  if (measured != NULL)
    return measured;
  widths = g_new0 (double, n);
  is_set = g_new0 (gboolean, n);
  g_hash_table_insert (printer->measured, (gpointer) table, widths);
  for (guint i = 0; i < n_rows * n; i++)
    {
      const char *text = g_ptr_array_index (table->cells, i);
      g_autoptr (PangoLayout) layout = make_layout (printer, text, SIZE - 1, i < n ? BOLD : PLAIN, -1);
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
place_table (MtPrinter           *printer,
             const MtReportBlock *table)
{
  const double *widths = measure_columns (printer, table);
  guint n_rows = table->cells->len / table->n_columns;
  double most = (get_bottom (printer) - MARGIN) / 2;      /* a longer row is cut anyway */
  double need = measure_row (printer, table, 0, widths);

  if (n_rows > 1)
    need += MIN (measure_row (printer, table, 1, widths), most);
  /* Heads are not left alone at the end of a page. */
  if (printer->y > MARGIN && printer->y + need > get_bottom (printer))
    turn_page (printer);
  begin_tag (printer, "Table", NULL);
  place_table_row (printer, table, 0, widths);
  printer->table = table;
  printer->widths = widths;
  for (guint r = 1; r < n_rows && !g_cancellable_is_cancelled (printer->wait->cancellable); r++)
    {
      place_table_row (printer, table, r, widths);
      mt_printer_tell (printer, (r + 1.0) / n_rows);
    }
  end_tag (printer, "Table");
  printer->table = NULL;
  printer->widths = NULL;
  printer->y += 6;
}

/* --- other blocks --- */

static double
get_scale (const MtPrinter     *printer,
           const MtReportBlock *figure)
{
  double room = get_bottom (printer) - MARGIN - 40;

  return MIN (1, MIN ((printer->width - 2 * MARGIN) / figure->width, room / figure->height));
}

static void
place_figure (MtPrinter           *printer,
              const MtReportBlock *block)
{
  double scale = get_scale (printer, block);
  MtPalette palette;

  mt_palette_init (&palette, FALSE, FALSE);
  if (printer->y + block->height * scale + 6 > get_bottom (printer))
    turn_page (printer);
  if (!is_dry (printer))
    {
      begin_tag (printer, "Figure", NULL);
      cairo_save (printer->cr);
      cairo_translate (printer->cr, MARGIN, printer->y + 3);
      cairo_scale (printer->cr, scale, scale);
      block->paint (printer->cr, printer->context, &palette, block->data);
      cairo_restore (printer->cr);
      end_tag (printer, "Figure");
    }
  cairo_set_source_rgb (printer->cr, 0, 0, 0);
  printer->y += block->height * scale + 6;
  place_text (printer, block->text, SIZE - 1.5, PLAIN, "Caption", NULL);
}

/* Room that a heading must have below it, so that neither it nor what leads up to a figure stands alone. */
static double
get_need (const MtPrinter *printer,
          guint            index)
{
  double most = (get_bottom (printer) - MARGIN) * 0.45;
  double need = 0;

  for (guint i = index; i < MIN (index + 6, mt_report_get_n_blocks (printer->report)); i++)
    {
      const MtReportBlock *block = mt_report_get_block (printer->report, i);
      guint n_rows = block->kind == MT_BLOCK_TABLE ? block->cells->len / block->n_columns : 0;
      double figure = block->kind == MT_BLOCK_FIGURE ? block->height * get_scale (printer, block) + 6 : 0;

      if (block->kind == MT_BLOCK_FIGURE)
        return i <= index + 1 || need + figure <= most ? need + figure : need;
      if (block->kind == MT_BLOCK_HEADING && i > index && need > 50)
        return need;
      if (n_rows > 4)
        return need + 4 * ROW;
      need += block->kind == MT_BLOCK_HEADING ? (block->level == 1 ? 44 : 32) : n_rows > 0 ? n_rows * ROW + 6 : 3 * SIZE;
      if (need > most)
        return most;
    }
  return need;
}

static void
place_heading (MtPrinter *printer,
               guint      index)
{
  const MtReportBlock *block = mt_report_get_block (printer->report, index);
  g_autofree char *dest = g_strdup_printf ("name='%s'", block->anchor);
  g_autofree char *link = g_strdup_printf ("dest='%s'", block->anchor);
  int parent = block->level == 1 ? CAIRO_PDF_OUTLINE_ROOT : printer->outline;

  if (printer->y + MAX (get_need (printer, index), block->level == 1 ? 110 : 80) > get_bottom (printer))
    turn_page (printer);
  if (printer->y > MARGIN)
    printer->y += block->level == 1 ? 14 : 8;
  g_hash_table_insert (printer->pages, g_strdup (block->anchor), GUINT_TO_POINTER (printer->page));
  if (printer->surface != NULL)
    {
      int entry = cairo_pdf_surface_add_outline (printer->surface, parent, block->text, link, 0);

      printer->outline = block->level == 1 ? entry : printer->outline;
    }
  begin_tag (printer, CAIRO_TAG_DEST, dest);
  place_text (printer, block->text, block->level == 1 ? 15 : 11.5, BOLD, block->level == 1 ? "H2" : "H3", NULL);
  end_tag (printer, CAIRO_TAG_DEST);
}

static void
place_contents (MtPrinter *printer)
{
  for (guint i = 0; i < mt_report_get_n_blocks (printer->report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (printer->report, i);
      g_autofree char *text = NULL;

      if (block->kind != MT_BLOCK_HEADING || block->level != 1)
        continue;
      text = g_strdup_printf ("%s, page %u", block->text,
                              printer->known != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (printer->known, block->anchor)) : 1);
      place_text (printer, text, SIZE, PLAIN, "P", block->anchor);
    }
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
      place_text (printer, block->text, 22, BOLD, "H1", NULL);
      place_contents (printer);
      break;
    case MT_BLOCK_HEADING:
      place_heading (printer, index);
      break;
    case MT_BLOCK_PARAGRAPH:
      place_text (printer, block->text, SIZE, PLAIN, "P", NULL);
      break;
    case MT_BLOCK_CODE:
      place_text (printer, block->text, SIZE - 1, CODE, "P", NULL);
      break;
    case MT_BLOCK_BLANK:
      text = g_strdup_printf ("%s: NOT PROVIDED", block->text);
      cairo_set_source_rgb (printer->cr, 0.64, 0, 0);
      place_text (printer, text, SIZE, BOLD, "P", NULL);
      break;
    case MT_BLOCK_LINK:
      place_text (printer, block->text, SIZE, PLAIN, "P", block->anchor);
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
  mt_printer_tell (printer, 1);
}

void
mt_printer_begin (MtPrinter *printer)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  if (printer->sheets != NULL)
    begin_sheet (printer);
  printer->y = MARGIN;
  printer->page = 1;
  printer->context = pango_cairo_create_context (printer->cr);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (printer->context, options);
  cairo_font_options_destroy (options);
  begin_tag (printer, "Document", NULL);
}

void
mt_printer_end (MtPrinter *printer)
{
  end_tag (printer, "Document");
  end_page (printer);
  g_clear_object (&printer->context);
}
