/* Tables on paper: heads, rows with a line below each, figures at the right of their column. Letters are as large as
 * lets every cell stand in one piece; where not even small ones do, the widest columns give way and their cells break.
 * A table that takes half of the page's width takes all of it. */
#include "config.h"
#include "mt-report-printer.h"

#include <math.h>
#include <string.h>

#define GUTTER      6.0        /* on either side of a cell's text … */
#define NARROW      3.5        /* … and where there are many columns */
#define MANY        7
#define LARGEST     8.5
#define SMALLEST    7.0
#define STEP        0.5
#define WORDS       55.0       /* width of a column of words, at least */
#define SHORT       60.0       /* width of a head that is not broken */
#define EMPTY       100.0      /* width of a cell that is to be filled in by hand … */
#define TALL        20.0       /* … and the height of its row */
#define HEAD_GREY   0.35
#define WHOLE       6          /* rows of a table that is not divided, its heads among them … */
#define LOW         160.0      /* … if it is no higher */
#define BEGINNING   3          /* rows of any other that stand together */
#define N_MEASURED  200        /* rows of a table that decide how wide its columns are */

typedef struct {
  double    x;
  double    size;          /* of its letters */
  double   *natural;       /* widths of its columns that their text would like in the largest letters */
  double   *widths;        /* and those that they have */
  gboolean *is_right;      /* columns of figures */
} Columns;

static void
columns_free (gpointer data)
{
  Columns *columns = data;

  g_free (columns->natural);
  g_free (columns->widths);
  g_free (columns->is_right);
  g_free (columns);
}

/* Whether the cell has nothing but figures and what goes with them. */
static gboolean
is_figure (const char *text)
{
  gboolean has_digit = FALSE;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      has_digit |= g_ascii_isdigit (*p);
      if (!g_ascii_isdigit (*p) && (c >= 0x80 || strchr (" .+-%e()\n", *p) == NULL) && c != 0x2026 && c != 0x2212)
        return FALSE;
    }
  return has_digit;
}

static double
get_gutter (guint n_columns)
{
  return n_columns > MANY ? NARROW : GUTTER;
}

static gboolean
is_dash (const char *text)
{
  return g_str_equal (text, "–") || g_str_equal (text, "not defined");
}

gboolean
mt_report_table_is_right (const MtReportBlock *table,
                          guint                column)
{
  gboolean has_figure = FALSE;

  if (column == 0)
    return FALSE;
  for (guint i = table->n_columns + column; i < table->cells->len; i += table->n_columns)
    {
      const char *text = g_ptr_array_index (table->cells, i);

      if (is_figure (text))
        has_figure = TRUE;
      else if (!is_dash (text))
        return FALSE;
    }
  return has_figure;
}

/* --- widths --- */

static double
measure_text (MtPrinter  *printer,
              const char *text,
              double      size,
              gboolean    is_head)
{
  g_autoptr (PangoLayout) layout = mt_printer_make_layout (printer, text, size, is_head ? MT_PRINTER_BOLD : MT_PRINTER_PLAIN,
                                                           -1);
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return ceil (width / (double) PANGO_SCALE) + 1;
}

/* What the columns would like, in the largest letters; heads may break between words. */
static double *
measure_natural (MtPrinter           *printer,
                 const MtReportBlock *table)
{
  guint n = table->n_columns;
  guint n_rows = MIN (table->cells->len / n, N_MEASURED);
  double *widths = g_new0 (double, n);

  for (guint i = 0; i < n_rows * n; i++)
    {
      const char *text = g_ptr_array_index (table->cells, i);
      g_auto (GStrv) words = i < n ? g_strsplit_set (text, " \n", -1) : NULL;
      double width = *text == '\0' ? EMPTY : 0;

      for (guint w = 0; words != NULL && words[w] != NULL; w++)
        width = MAX (width, measure_text (printer, words[w], LARGEST, TRUE));
      /* Short heads stay in one line, others in about two. */
      if (i < n)
        {
          double whole = measure_text (printer, text, LARGEST, TRUE);

          width = MAX (width, whole <= SHORT ? whole : MIN (whole * 0.6, 2 * SHORT));
        }
      if (i >= n && *text != '\0')
        width = measure_text (printer, text, LARGEST, FALSE);
      widths[i % n] = MAX (widths[i % n], width);
    }
  return widths;
}

/* Letters grow and shrink in proportion. */
static void
fill_widths (Columns *columns,
             guint    n)
{
  for (guint c = 0; c < n; c++)
    columns->widths[c] = columns->natural[c] * columns->size / LARGEST + 2 * get_gutter (n);
}

static double
add_up (const double *widths,
        guint         n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += widths[i];
  return sum;
}

/* The widest give way first. */
static void
squeeze (double *widths,
         guint   n,
         double  room)
{
  g_autofree gboolean *is_set = g_new0 (gboolean, n);
  guint n_left = n;

  for (gboolean changed = TRUE; changed && n_left > 0;)
    {
      double share = room / n_left;

      changed = FALSE;
      for (guint c = 0; c < n; c++)
        if (!is_set[c] && widths[c] <= share)
          {
            is_set[c] = changed = TRUE;
            room -= widths[c];
            n_left--;
          }
    }
  for (guint c = 0; c < n; c++)
    if (!is_set[c])
      widths[c] = room / n_left;
}

/* Whether figures may stay in one piece, with some room for the other columns. Fills the widths. */
static gboolean
keeps_figures (Columns *columns,
               guint    n,
               double   room)
{
  double need = 0;

  fill_widths (columns, n);
  for (guint c = 0; c < n; c++)
    need += columns->is_right[c] ? columns->widths[c] : MIN (columns->widths[c], WORDS);
  return need <= room;
}

/* Only the columns of words give way. */
static void
squeeze_words (Columns *columns,
               guint    n,
               double   room)
{
  g_autofree double *words = g_new (double, n);
  guint n_words = 0;

  for (guint c = 0; c < n; c++)
    if (columns->is_right[c])
      room -= columns->widths[c];
    else
      words[n_words++] = columns->widths[c];
  squeeze (words, n_words, room);
  for (guint c = 0, i = 0; c < n; c++)
    if (!columns->is_right[c])
      columns->widths[c] = words[i++];
}

/* FALSE: only with cells that break. */
static gboolean
find_size (Columns *columns,
           guint    n,
           double   room)
{
  for (columns->size = LARGEST; columns->size >= SMALLEST; columns->size -= STEP)
    {
      fill_widths (columns, n);
      if (add_up (columns->widths, n) <= room)
        return TRUE;
    }
  return FALSE;
}

static Columns *
make_columns (MtPrinter           *printer,
              const MtReportBlock *table)
{
  Columns *columns = g_new0 (Columns, 1);

  columns->natural = measure_natural (printer, table);
  columns->widths = g_new0 (double, table->n_columns);
  columns->is_right = g_new0 (gboolean, table->n_columns);
  for (guint c = 0; c < table->n_columns; c++)
    columns->is_right[c] = mt_report_table_is_right (table, c);
  return columns;
}

static const Columns *
get_columns (MtPrinter           *printer,
             const MtReportBlock *table)
{
  Columns *columns = g_hash_table_lookup (printer->measured, table);
  double room = mt_printer_get_room (printer), whole;
  guint n = table->n_columns;

  if (columns != NULL)
    return columns;
  columns = make_columns (printer, table);
  columns->x = MT_PRINTER_MARGIN;
  if (!find_size (columns, n, room))
    {
      for (columns->size = LARGEST - STEP; columns->size > SMALLEST && !keeps_figures (columns, n, room); columns->size -= STEP)
        ;
      if (keeps_figures (columns, n, room))
        squeeze_words (columns, n, room);
      else
        squeeze (columns->widths, n, room);
    }
  whole = add_up (columns->widths, n);
  if (whole > room / 2 && whole < room)
    for (guint c = 0; c < n; c++)
      columns->widths[c] += (room - whole) / n;
  g_hash_table_insert (printer->measured, (gpointer) table, columns);
  return columns;
}

/* --- rows --- */

static MtPrinterCell *
make_row (MtPrinter           *printer,
          const MtReportBlock *table,
          guint                row,
          const Columns       *columns)
{
  MtPrinterCell *cells = g_new0 (MtPrinterCell, table->n_columns);
  double x = columns->x;

  for (guint c = 0; c < table->n_columns; c++)
    {
      const char *text = g_ptr_array_index (table->cells, row * table->n_columns + c);
      /* The first column begins where paragraphs do, the last ends where they end. */
      double gutter = get_gutter (table->n_columns), before = c == 0 ? 0 : gutter;
      double behind = c + 1 == table->n_columns ? 0 : gutter;

      cells[c].x = x + before;
      cells[c].width = columns->widths[c] - before - behind;
      cells[c].is_owed = g_str_equal (text, "NOT PROVIDED");
      cells[c].layout = mt_printer_make_layout (printer, text, columns->size, row == 0 ? MT_PRINTER_BOLD : MT_PRINTER_PLAIN,
                                                cells[c].width);
      if (columns->is_right[c])
        pango_layout_set_alignment (cells[c].layout, PANGO_ALIGN_RIGHT);
      x += columns->widths[c];
    }
  return cells;
}

static gboolean
is_empty_row (const MtReportBlock *table,
              guint                row)
{
  for (guint c = 0; c < table->n_columns; c++)
    if (*(const char *) g_ptr_array_index (table->cells, row * table->n_columns + c) == '\0')
      return TRUE;
  return FALSE;
}

static void
place_row (MtPrinter           *printer,
           const MtReportBlock *table,
           guint                row,
           const Columns       *columns)
{
  const MtPrinterLook look = { .tag = row == 0 ? "TH" : "TD", .row = "TR", .line = row == 0 ? 1.25 : 0.5,
                               .grey = row == 0 ? HEAD_GREY : 0, .least = is_empty_row (table, row) ? TALL : 0 };
  g_autofree MtPrinterCell *cells = make_row (printer, table, row, columns);

  mt_printer_place_cells (printer, cells, table->n_columns, &look);
}

static double
measure_row (MtPrinter           *printer,
             const MtReportBlock *table,
             guint                row,
             const Columns       *columns)
{
  g_autofree MtPrinterCell *cells = make_row (printer, table, row, columns);
  double height = mt_printer_measure_cells (cells, table->n_columns);

  mt_printer_free_cells (cells, table->n_columns);
  return MAX (height, is_empty_row (table, row) ? TALL : 0) + 2 * MT_PRINTER_PAD;
}

void
mt_printer_place_heads (MtPrinter           *printer,
                        const MtReportBlock *table)
{
  place_row (printer, table, 0, get_columns (printer, table));
}

/* Room for the heads and the first rows, so that neither stands alone at the end of a page; of a short table all. */
double
mt_printer_measure_table (MtPrinter           *printer,
                          const MtReportBlock *table)
{
  const Columns *columns = get_columns (printer, table);
  guint n_rows = table->cells->len / table->n_columns;
  double most = (mt_printer_get_bottom (printer) - MT_PRINTER_MARGIN) / 2;      /* a longer row is cut anyway */
  double need = 0, beginning = 0;

  for (guint r = 0; r < MIN (n_rows, n_rows <= WHOLE ? WHOLE : BEGINNING); r++)
    {
      need += measure_row (printer, table, r, columns);
      beginning = r < BEGINNING ? need : beginning;
    }
  return MIN (need <= LOW ? need : beginning, most);
}

/* Whether the last row, which follows @row, would stand alone on the next page. */
static gboolean
leaves_one (MtPrinter           *printer,
            const MtReportBlock *table,
            guint                row,
            const Columns       *columns)
{
  double left = mt_printer_get_bottom (printer) - printer->y, own, last;

  if (row < 3 || row + 2 != table->cells->len / table->n_columns || left > mt_printer_get_bottom (printer) / 2)
    return FALSE;
  own = measure_row (printer, table, row, columns);
  last = measure_row (printer, table, row + 1, columns);
  return own <= left && own + last > left;
}

static void
place_rows (MtPrinter           *printer,
            const MtReportBlock *table,
            const Columns       *columns)
{
  guint n_rows = table->cells->len / table->n_columns;

  mt_printer_begin_tag (printer, "Table", NULL);
  place_row (printer, table, 0, columns);
  printer->table = table;
  for (guint r = 1; r < n_rows && !g_cancellable_is_cancelled (printer->wait->cancellable); r++)
    {
      if (leaves_one (printer, table, r, columns))
        mt_printer_turn_page (printer);
      place_row (printer, table, r, columns);
      mt_printer_tell (printer, (r + 1.0) / n_rows);
    }
  mt_printer_end_tag (printer, "Table");
  printer->table = NULL;
}

void
mt_printer_place_table (MtPrinter           *printer,
                        const MtReportBlock *table)
{
  if (printer->y > mt_printer_get_top (printer) &&
      printer->y + mt_printer_measure_table (printer, table) > mt_printer_get_bottom (printer))
    mt_printer_turn_page (printer);
  place_rows (printer, table, get_columns (printer, table));
  printer->y += 8;
}

/* --- next to a figure --- */

/* NULL: not even in small letters. */
static Columns *
fit_columns (MtPrinter           *printer,
             const MtReportBlock *table,
             double               x,
             double               room)
{
  const Columns *whole = get_columns (printer, table);
  guint n = table->n_columns;
  Columns *columns = g_new0 (Columns, 1);

  columns->natural = g_memdup2 (whole->natural, n * sizeof *whole->natural);
  columns->is_right = g_memdup2 (whole->is_right, n * sizeof *whole->is_right);
  columns->widths = g_new0 (double, n);
  columns->x = x;
  if (find_size (columns, n, room))
    return columns;
  columns_free (columns);
  return NULL;
}

double
mt_printer_fit_table (MtPrinter           *printer,
                      const MtReportBlock *table,
                      double               room)
{
  Columns *columns = fit_columns (printer, table, 0, room);
  double height = 0;

  if (columns == NULL)
    return -1;
  for (guint r = 0; r < table->cells->len / table->n_columns; r++)
    height += measure_row (printer, table, r, columns);
  columns_free (columns);
  return height;
}

void
mt_printer_place_beside (MtPrinter           *printer,
                         const MtReportBlock *table,
                         double               x,
                         double               room)
{
  Columns *columns = fit_columns (printer, table, x, room);
  double spare = room - add_up (columns->widths, table->n_columns);

  for (guint c = 0; c < table->n_columns; c++)
    columns->widths[c] += spare / table->n_columns;
  place_rows (printer, table, columns);
  columns_free (columns);
}

GHashTable *
mt_printer_make_measured (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, columns_free);
}
