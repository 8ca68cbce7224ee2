/* What cairo cannot write into a PDF: what a figure says in words, and the language of the text. cairo 1.16 ends a file
 * with its structure as plain objects, each listed in a table at the end. So these objects are written once more behind
 * it, with what they lacked, and a second table that leads back to the first: an update as the format has it, which
 * leaves every byte before it alone. A file of another make (cairo from 1.18 on packs its objects) is left as it is. */
#include "config.h"
#include "mt-report-private.h"

#include <stdio.h>
#include <string.h>

#define FIGURE  " 0 obj\n<< /Type /StructElem\n   /S /Figure\n"
#define CATALOG " 0 obj\n<< /Type /Catalog\n"
#define END     ">>\nendobj\n"
#define LANGUAGE "   /Lang (en)\n   /ViewerPreferences << /DisplayDocTitle true >>\n"

typedef struct {
  const char *bytes;
  gsize       length;
  GString    *out;         /* behind them */
  GString    *table;
} Update;

static const char *
find (const Update *update,
      const char   *from,
      const char   *what)
{
  gsize n = strlen (what), left = update->length - (gsize) (from - update->bytes);

  return memmem (from, left, what, n);
}

/* The number in front of @at, which follows an object's end. */
static guint
read_number (const Update *update,
             const char   *at)
{
  const char *p = at;

  while (p > update->bytes && g_ascii_isdigit (p[-1]) && at - p < 9)
    p--;
  return p < at && p > update->bytes && p[-1] == '\n' ? (guint) g_ascii_strtoull (p, NULL, 10) : 0;
}

/* The object whose head is at @at, again, with @more at its end. */
static gboolean
append_object (Update     *update,
               const char *at,
               const char *head,
               const char *more)
{
  const char *body = at + strlen (head);
  const char *end = find (update, body, END);
  guint number = read_number (update, at);

  if (number == 0 || end == NULL)
    return FALSE;
  g_string_append_printf (update->table, "%u 1\n%010" G_GSIZE_FORMAT " 00000 n \n", number,
                          update->length + update->out->len);
  g_string_append_printf (update->out, "%u", number);
  g_string_append_len (update->out, at, end - at);
  g_string_append_printf (update->out, "%s" END, more);
  return TRUE;
}

/* Text as the format has it for every language. */
static char *
dup_alt (const char *text)
{
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, NULL, NULL);
  GString *out = g_string_new ("   /Alt <FEFF");

  for (guint i = 0; units != NULL && units[i] != 0; i++)
    g_string_append_printf (out, "%04X", units[i]);
  g_string_append (out, ">\n");
  return g_string_free (out, FALSE);
}

static gboolean
append_figures (Update             *update,
                const char * const *texts)
{
  const char *at = update->bytes;
  guint i = 0;

  while ((at = find (update, at, FIGURE)) != NULL)
    {
      g_autofree char *alt = NULL;

      if (texts[i] == NULL)
        return FALSE;
      alt = dup_alt (texts[i++]);
      if (!append_object (update, at, FIGURE, alt))
        return FALSE;
      at += strlen (FIGURE);
    }
  return texts[i] == NULL;
}

/* Where the table of objects begins, how many there are, and which is what; 0: it is not such a file. */
static gsize
read_trailer (const Update *update,
              guint        *size,
              guint        *root,
              guint        *info)
{
  const char *trailer = NULL, *start;
  guint64 place;

  for (const char *p = update->bytes; (p = find (update, p, "trailer\n<<")) != NULL; p++)
    trailer = p;
  start = trailer != NULL ? find (update, trailer, "startxref\n") : NULL;
  if (start == NULL || sscanf (trailer, "trailer\n<< /Size %9u /Root %9u 0 R /Info %9u 0 R", size, root, info) != 3)
    return 0;
  place = g_ascii_strtoull (start + strlen ("startxref\n"), NULL, 10);
  return place + 5 < update->length && memcmp (update->bytes + place, "xref\n", 5) == 0 ? (gsize) place : 0;
}

GBytes *
mt_report_add_alt (GBytes             *pdf,
                   const char * const *texts)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) table = g_string_new ("xref\n");
  Update update = { NULL, 0, out, table };
  GByteArray *both;
  const char *catalog;
  guint size, root, info;
  gsize place;

  update.bytes = g_bytes_get_data (pdf, &update.length);
  place = read_trailer (&update, &size, &root, &info);
  catalog = find (&update, update.bytes, CATALOG);
  if (place == 0 || catalog == NULL || read_number (&update, catalog) != root || !append_figures (&update, texts) ||
      !append_object (&update, catalog, CATALOG, LANGUAGE))
    return g_bytes_ref (pdf);
  g_string_append_printf (table, "trailer\n<< /Size %u\n   /Root %u 0 R\n   /Info %u 0 R\n   /Prev %" G_GSIZE_FORMAT
                          "\n>>\nstartxref\n%" G_GSIZE_FORMAT "\n%%%%EOF\n", size, root, info, place,
                          update.length + out->len);
  both = g_byte_array_sized_new ((guint) (update.length + out->len + table->len));
  g_byte_array_append (both, (const guint8 *) update.bytes, (guint) update.length);
  g_byte_array_append (both, (const guint8 *) out->str, (guint) out->len);
  g_byte_array_append (both, (const guint8 *) table->str, (guint) table->len);
  return g_byte_array_free_to_bytes (both);
}
