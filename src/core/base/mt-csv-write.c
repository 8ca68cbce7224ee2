/* CSV for others to read: RFC 4180, UTF-8, a comma, CRLF never. See mt-csv-write.h. */
#include "config.h"
#include "mt-csv-write.h"

#include <math.h>
#include <string.h>

#include "mt-decimal.h"

static void
begin_cell (GString *line)
{
  if (line->len > 0 && line->str[line->len - 1] != '\n')
    g_string_append_c (line, ',');
}

static gboolean
looks_like_formula (const char *text)
{
  double ignored;

  return *text != '\0' && strchr ("=+-@\t\r", *text) != NULL && !mt_decimal_parse (text, &ignored);
}

/* An empty first cell is written in quotes, so that the line is never empty and the comma is due. */
static void
append_cell (GString    *line,
             const char *text,
             gboolean    is_formula)
{
  begin_cell (line);
  if (*text != '\0' && strpbrk (text, ",\"\n\r") == NULL && *text != ' ' && text[strlen (text) - 1] != ' ')
    {
      g_string_append_printf (line, "%s%s", is_formula ? "'" : "", text);
      return;
    }
  g_string_append (line, is_formula ? "\"'" : "\"");
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *p);
    }
  g_string_append_c (line, '"');
}

void
mt_csv_append_text (GString    *line,
                    const char *text)
{
  append_cell (line, text, looks_like_formula (text));
}

void
mt_csv_append_as_is (GString    *line,
                     const char *text)
{
  append_cell (line, text, FALSE);
}

void
mt_csv_append_number (GString *line,
                      double   value)
{
  char buffer[MT_DECIMAL_SIZE];

  begin_cell (line);
  g_string_append (line, isfinite (value) ? mt_decimal_write (value, buffer) : "\"\"");
}

void
mt_csv_end_line (GString *line)
{
  g_string_append_c (line, '\n');
}
