/* Names and values inside the text of another language, so that no name, level or class can end its string,
 * open a tag or end a comment. See mt-export-text.h. */
#include "config.h"
#include "mt-export-text.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-text.h"

/* --- strings of programs --- */

static void
append_octal (GString    *out,
              const char *bytes,
              gsize       n)
{
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (out, "\\%03o", (guchar) bytes[i]);
}

static void
append_escape (GString  *out,
               MtQuote   how,
               gunichar  c)
{
  if (how == MT_QUOTE_JAVASCRIPT && c >= 0x10000)
    g_string_append_printf (out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
  else if (c >= 0x10000)
    g_string_append_printf (out, how == MT_QUOTE_FEEL ? "\\U%06x" : "\\U%08x", c);
  else
    g_string_append_printf (out, "\\u%04x", c);
}

void
mt_quote_append (GString    *out,
                 MtQuote     how,
                 const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (how == MT_QUOTE_C && c == '?')
        g_string_append (out, "\\?");             /* no trigraphs */
      else if (mt_text_is_hidden (c) || (how == MT_QUOTE_R && c >= 128))
        {
          if (how == MT_QUOTE_C)
            append_octal (out, p, (gsize) (g_utf8_next_char (p) - p));
          else
            append_escape (out, how, c);
        }
      else
        g_string_append_unichar (out, c);
    }
  g_string_append_c (out, '"');
}

void
mt_quote_append_number (GString *out,
                        double   value)
{
  char buffer[MT_DECIMAL_SIZE];

  g_string_append (out, mt_decimal_write (value, buffer));
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (out, ".0");
}

/* --- SQL --- */

static gboolean
has_control (const char *text)
{
  for (; *text != '\0'; text++)
    if ((guchar) *text < 32 || *text == 127)
      return TRUE;
  return FALSE;
}

static void
append_doubled (GString    *out,
                const char *text,
                char        quote)
{
  g_string_append_c (out, quote);
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == quote)
        g_string_append_c (out, quote);
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, quote);
}

/* Control characters as char (n), since the shell reads scripts by lines. */
static void
append_with_calls (GString    *out,
                   const char *text,
                   const char *call)
{
  gboolean is_open = FALSE;

  g_string_append_c (out, '(');
  for (const char *p = text; *p != '\0'; p++)
    {
      gboolean is_control = (guchar) *p < 32 || *p == 127;

      if (is_control != !is_open || p == text)
        {
          g_string_append (out, is_open ? "'" : "");
          g_string_append (out, p > text ? " || " : "");
          g_string_append (out, is_control ? "" : "'");
          is_open = !is_control;
        }
      else if (is_control)
        g_string_append (out, " || ");
      if (is_control)
        g_string_append_printf (out, "%s(%d)", call, *p);
      else
        g_string_append_printf (out, *p == '\'' ? "''" : "%c", *p);
    }
  g_string_append (out, is_open ? "')" : ")");
}

/* Backslashes escape. Spark puts a setting in the place of ${NAME}, wherever it stands, before it reads the statement. */
static void
append_backslashed (GString    *out,
                    const char *text)
{
  g_string_append_c (out, '\'');
  for (const char *p = text; *p != '\0'; p++)
    if ((guchar) *p < 32 || *p == 127)
      append_octal (out, p, 1);
    else if (*p == '$' && p[1] == '{')
      g_string_append (out, "\\044");
    else
      g_string_append_printf (out, *p == '\'' || *p == '\\' ? "\\%c" : "%c", *p);
  g_string_append_c (out, '\'');
}

void
mt_quote_append_sql (GString      *out,
                     MtSqlDialect  dialect,
                     const char   *text)
{
  gboolean is_odd = has_control (text) || strchr (text, '\\') != NULL;

  if (is_odd && dialect == MT_SQL_MARIADB)
    {
      /* A backslash means another thing under NO_BACKSLASH_ESCAPES; bytes never do. */
      g_string_append (out, "CONVERT(X'");
      for (const char *p = text; *p != '\0'; p++)
        g_string_append_printf (out, "%02X", (guchar) *p);
      g_string_append (out, "' USING utf8mb4)");
    }
  else if (is_odd && dialect == MT_SQL_POSTGRESQL)
    {
      g_string_append (out, "E'");
      for (const char *p = text; *p != '\0'; p++)
        {
          if ((guchar) *p < 32 || *p == 127)
            append_octal (out, p, 1);
          else if (*p == '\'' || *p == '\\')
            g_string_append_printf (out, "%c%c", *p, *p);
          else
            g_string_append_c (out, *p);
        }
      g_string_append_c (out, '\'');
    }
  else if (has_control (text) && dialect == MT_SQL_SQLITE)
    append_with_calls (out, text, "char");
  else if (has_control (text) && dialect == MT_SQL_DUCKDB)
    append_with_calls (out, text, "chr");
  else if (dialect == MT_SQL_SPARK || dialect == MT_SQL_WAREHOUSE)
    append_backslashed (out, text);
  else
    append_doubled (out, text, '\'');
}

void
mt_quote_append_sql_name (GString      *out,
                          MtSqlDialect  dialect,
                          const char   *name)
{
  if (dialect == MT_SQL_WAREHOUSE)
    g_string_append (out, name);        /* one quotes with ", the other with `: mt_export() takes plain names only */
  else
    append_doubled (out, name, dialect == MT_SQL_MARIADB || dialect == MT_SQL_SPARK ? '`' : '"');
}

/* A double in every dialect: a bare 0.1 is a decimal in some. */
void
mt_quote_append_sql_number (GString      *out,
                            MtSqlDialect  dialect,
                            double        value)
{
  char buffer[MT_DECIMAL_SIZE];

  mt_decimal_write (value, buffer);
  if (dialect == MT_SQL_POSTGRESQL)
    g_string_append_printf (out, "float8 '%s'", buffer);
  else if (strchr (buffer, 'e') != NULL)
    g_string_append_printf (out, value < 0 ? "(%s)" : "%s", buffer);
  else
    g_string_append_printf (out, value < 0 ? "(%se0)" : "%se0", buffer);
}

/* --- documents --- */

void
mt_quote_append_xml (GString    *out,
                     const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c == '\t' || c == '\n' || c == '\r')
        g_string_append_printf (out, "&#%u;", c);
      else if (c < 32 || c == 0xfffe || c == 0xffff)
        g_string_append (out, "\xef\xbf\xbd");
      else if (mt_text_is_hidden (c))
        g_string_append_printf (out, "&#x%x;", c);
      else
        g_string_append_unichar (out, c);
    }
}

void
mt_quote_append_formula (GString    *out,
                         const char *text)
{
  g_autoptr (GString) doubled = g_string_new (NULL);

  append_doubled (doubled, text, '"');
  mt_quote_append_xml (out, doubled->str);
}

void
mt_quote_append_latex (GString    *out,
                       const char *text)
{
  static const struct { gunichar c; const char *is; } special[] = {
    { '\\', "\\textbackslash{}" }, { '{', "\\{" }, { '}', "\\}" }, { '$', "\\$" }, { '&', "\\&" },
    { '#', "\\#" }, { '%', "\\%" }, { '_', "\\_\\allowbreak{}" }, { '^', "\\textasciicircum{}" },
    { '~', "\\textasciitilde{}" }, { '<', "\\textless{}" }, { '>', "\\textgreater{}" },
    { '"', "\\textquotedbl{}" }, { '\'', "\\textquotesingle{}" }, { '`', "\\textasciigrave{}" },
    { '|', "\\textbar{}" }, { '-', "{-}" }, { 0x2265, "$\\geq$" }, { 0x2264, "$\\leq$" }, { 0x2260, "$\\neq$" },
  };

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      const char *as = NULL;

      for (gsize i = 0; i < G_N_ELEMENTS (special); i++)
        if (special[i].c == c)
          as = special[i].is;
      if (as != NULL)
        g_string_append (out, as);
      else if (mt_text_is_hidden (c))
        g_string_append_printf (out, "{\\texttt{[U+%04X]}}", c);
      else
        g_string_append_unichar (out, c);
    }
}

void
mt_quote_append_comment (GString    *out,
                         const char *text,
                         gboolean    ascii)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      char before = out->len > 0 ? out->str[out->len - 1] : ' ';

      /* Neither an end nor a begin of a comment, in any language. */
      if ((c == '{' && before == '$') ||  /* Spark's settings */
          (c == '/' && before == '*') || (c == '*' && before == '/') || (c == '-' && before == '-'))
        g_string_append_c (out, ' ');
      if (ascii && c == 0x2265)
        g_string_append (out, ">=");
      else if (ascii && c == 0x2260)
        g_string_append (out, "!=");
      else if (mt_text_is_hidden (c) || (ascii && c >= 128))
        g_string_append_printf (out, "\\u{%x}", c);
      else
        g_string_append_unichar (out, c);
    }
}
