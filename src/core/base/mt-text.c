/* Small helpers for text that came from outside and is written somewhere. See mt-text.h. */
#include "config.h"
#include "mt-text.h"

#include <string.h>

char *
mt_text_excerpt (const char *text,
                 gsize       length,
                 guint       max)
{
  GString *out = g_string_new ("“");
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) MIN (length, (gsize) max * 4 + 8));
  guint n = 0;
  const char *p;

  for (p = valid; *p != '\0' && *p != '\n' && *p != '\r' && n < max; p = g_utf8_next_char (p), n++)
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c))
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_unichar (out, c);
    }
  g_string_append (out, *p != '\0' ? "…”" : "”");
  return g_string_free (out, FALSE);
}

gboolean
mt_text_is_hidden (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_UNASSIGNED:
      return TRUE;
    case G_UNICODE_SPACE_SEPARATOR:
      return c != ' ';
    default:
      return FALSE;
    }
}
