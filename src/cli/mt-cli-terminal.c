/* Text on a terminal: how wide it is, colours where they are wanted, tables whose columns stay aligned
 * whatever the script, and a progress line. See mt-cli-terminal.h. */
#include "config.h"
#include "mt-cli-terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "mt-cli.h"

#define DEFAULT_WIDTH 80
#define MIN_WIDTH     40
#define MIN_FLEXIBLE  10
#define GAP           "  "
#define BAR_WIDTH     24

guint
mt_cli_get_width (FILE *stream)
{
  const char *columns = g_getenv ("COLUMNS");
  struct winsize size = { 0 };
  guint64 width = DEFAULT_WIDTH;

  if (ioctl (fileno (stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    width = size.ws_col;
  else if (columns != NULL && !g_ascii_string_to_unsigned (columns, 10, 1, 10000, &width, NULL))
    width = DEFAULT_WIDTH;
  return (guint) MAX (width, MIN_WIDTH);
}

gboolean
mt_cli_has_colour (FILE *stream)
{
  const char *no_colour = g_getenv ("NO_COLOR"), *terminal = g_getenv ("TERM");

  return isatty (fileno (stream)) && (no_colour == NULL || no_colour[0] == '\0') &&
         terminal != NULL && strcmp (terminal, "dumb") != 0;
}

static guint
char_width (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

guint
mt_cli_text_width (const char *text)
{
  guint width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    width += char_width (g_utf8_get_char (text));
  return width;
}

/* Where @text has to be cut to take at most @width places; marks stay with their letter. */
static const char *
find_cut (const char *text,
          guint       width)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      guint w = char_width (g_utf8_get_char (text));

      if (w > width)
        break;
      width -= w;
    }
  return text;
}

char *
mt_cli_fit (const char *text,
            guint       width)
{
  g_autofree char *safe = mt_cli_escape (text);
  const char *end;

  if (mt_cli_text_width (safe) <= width)
    return g_steal_pointer (&safe);
  end = find_cut (safe, MAX (width, 1) - 1);
  return g_strdup_printf ("%.*s…", (int) (end - safe), safe);
}

void
mt_cli_append_styled (GString    *out,
                      gboolean    colour,
                      MtCliStyle  style,
                      const char *text)
{
  static const char * const codes[] = { "", "\033[1m", "\033[2m", "\033[31m", "\033[33m", "\033[36m" };

  if (colour && style != MT_STYLE_PLAIN)
    g_string_append_printf (out, "%s%s\033[0m", codes[style], text);
  else
    g_string_append (out, text);
}

static void
append_blanks (GString *out,
               guint    n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (out, ' ');
}

void
mt_cli_append_wrapped (GString    *out,
                       const char *text,
                       guint       width,
                       guint       indent,
                       guint       used)
{
  g_autofree char *safe = mt_cli_escape (text);
  g_auto (GStrv) words = g_strsplit (safe, " ", -1);
  gboolean first = TRUE;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *rest = words[i];
      guint need = mt_cli_text_width (rest);

      if (!first && used + 1 + need <= width)
        {
          g_string_append_c (out, ' ');
          used++;
        }
      else if (!first)
        {
          g_string_append_c (out, '\n');
          append_blanks (out, indent);
          used = indent;
        }
      first = FALSE;
      /* A word longer than a line, such as a path, is broken where the line ends. */
      while (used + need > width && width > indent + 1)
        {
          const char *end = find_cut (rest, width - used);

          g_string_append_len (out, rest, end - rest);
          rest = end;
          g_string_append_c (out, '\n');
          append_blanks (out, indent);
          used = indent;
          need = mt_cli_text_width (rest);
        }
      g_string_append (out, rest);
      used += need;
    }
}

char *
mt_cli_dup_count (guint64 n)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  GString *text = g_string_new (NULL);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append_c (text, ',');
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

char *
mt_cli_dup_size (guint64 n_bytes)
{
  static const char * const units[] = { "kB", "MB", "GB", "TB" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double size = (double) n_bytes / 1000;
  guint unit = 0;

  if (n_bytes < 1000)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " bytes", n_bytes);
  for (; size >= 999.95 && unit + 1 < G_N_ELEMENTS (units); size /= 1000)
    unit++;
  g_ascii_formatd (number, sizeof number, "%.1f", size);
  return g_strdup_printf ("%s %s", number, units[unit]);
}

/* --- tables --- */

typedef struct {
  MtCliStyle  style;
  char      **cells;
} Row;

struct _MtCliTable {
  const MtCliTableColumn *columns;
  guint                   n_columns;
  GArray                 *rows;      /* of Row */
};

static void
row_clear (gpointer data)
{
  g_strfreev (((Row *) data)->cells);
}

MtCliTable *
mt_cli_table_new (const MtCliTableColumn *columns,
                  guint                   n_columns)
{
  MtCliTable *table = g_new0 (MtCliTable, 1);

  table->columns = columns;
  table->n_columns = n_columns;
  table->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (table->rows, row_clear);
  return table;
}

void
mt_cli_table_free (MtCliTable *table)
{
  g_array_unref (table->rows);
  g_free (table);
}

void
mt_cli_table_add (MtCliTable         *table,
                  MtCliStyle          style,
                  const char * const *cells)
{
  Row row = { style, g_new0 (char *, table->n_columns + 1) };

  for (guint c = 0; c < table->n_columns; c++)
    row.cells[c] = mt_cli_escape (cells[c]);
  g_array_append_val (table->rows, row);
}

/* Natural widths of the first @n_columns; then the flexible ones give, the last one first.
 * Returns whether all fits. */
static gboolean
choose_widths (const MtCliTable *table,
               guint             n_columns,
               guint             width,
               guint            *widths)
{
  guint total = (n_columns - 1) * (guint) strlen (GAP);

  for (guint c = 0; c < n_columns; c++)
    {
      widths[c] = mt_cli_text_width (table->columns[c].title);
      for (guint r = 0; r < table->rows->len; r++)
        widths[c] = MAX (widths[c], mt_cli_text_width (g_array_index (table->rows, Row, r).cells[c]));
      total += widths[c];
    }
  for (guint c = n_columns; c-- > 0 && total > width;)
    if (table->columns[c].flexible && widths[c] > MIN_FLEXIBLE)
      {
        guint give = MIN (widths[c] - MIN_FLEXIBLE, total - width);

        widths[c] -= give;
        total -= give;
      }
  return total <= width;
}

static void
append_line (const MtCliTable *table,
             guint             n_columns,
             GString          *out,
             const guint      *widths,
             gboolean          colour,
             MtCliStyle        style,
             const char      **cells)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint c = 0; c < n_columns; c++)
    {
      g_autofree char *cell = mt_cli_fit (cells[c], widths[c]);
      guint blanks = widths[c] - MIN (widths[c], mt_cli_text_width (cell));

      if (c > 0)
        g_string_append (line, GAP);
      if (table->columns[c].right)
        append_blanks (line, blanks);
      g_string_append (line, cell);
      if (!table->columns[c].right)
        append_blanks (line, blanks);
    }
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  mt_cli_append_styled (out, colour, style, line->str);
  g_string_append_c (out, '\n');
}

void
mt_cli_table_append (const MtCliTable *table,
                     GString          *out,
                     guint             width,
                     gboolean          colour)
{
  g_autofree guint *widths = g_new (guint, table->n_columns);
  g_autofree const char **titles = g_new (const char *, table->n_columns);
  guint n_columns = table->n_columns;

  /* On a narrow terminal the last columns have to go. */
  while (!choose_widths (table, n_columns, width, widths) && n_columns > 1)
    n_columns--;
  for (guint c = 0; c < table->n_columns; c++)
    titles[c] = table->columns[c].title;
  append_line (table, n_columns, out, widths, colour, MT_STYLE_BOLD, titles);
  for (guint r = 0; r < table->rows->len; r++)
    {
      const Row *row = &g_array_index (table->rows, Row, r);

      append_line (table, n_columns, out, widths, colour, row->style, (const char **) row->cells);
    }
}

/* --- progress --- */

void
mt_cli_progress_update (MtCliProgress *progress,
                        const char    *what,
                        double         fraction,
                        const char    *detail)
{
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GString) line = NULL;
  g_autofree char *fitted = NULL;

  if (now < progress->next || !isatty (STDERR_FILENO))
    return;
  progress->next = now + G_USEC_PER_SEC / 10;
  line = g_string_new (what);
  if (fraction >= 0)
    {
      guint n = (guint) (MIN (fraction, 1) * BAR_WIDTH);

      g_string_append (line, " ");
      for (guint i = 0; i < BAR_WIDTH; i++)
        g_string_append (line, i < n ? "━" : "┄");
      g_string_append_printf (line, " %3u%%", (guint) (MIN (fraction, 1) * 100));
    }
  g_string_append_printf (line, "  %s", detail);
  fitted = mt_cli_fit (line->str, mt_cli_get_width (stderr) - 1);
  fprintf (stderr, "\r%s\033[K", fitted);
  fflush (stderr);
  progress->is_shown = TRUE;
}

void
mt_cli_progress_clear (MtCliProgress *progress)
{
  if (!progress->is_shown)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  progress->is_shown = FALSE;
}

gboolean
mt_cli_write (FILE       *stream,
              const char *text)
{
  gsize length = strlen (text);

  return fwrite (text, 1, length, stream) == length && fflush (stream) == 0;
}
