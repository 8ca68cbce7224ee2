/* Finds the encoding of a file from its first bytes: byte order marks, UTF-8, UTF-16, and what is no table
 * at all. */
#include "config.h"
#include "mt-csv-detect.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

static gboolean
not_a_table (GError     **error,
             const char  *what)   /* N_() */
{
  g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
               _("Not a text table: this looks like %s. Open another file, or export the data as CSV first"), _(what));
  return FALSE;
}

gboolean
mt_csv_detect_encoding (const char  *head,
                        gsize        length,
                        const char **encoding,
                        GError     **error)
{
  static const struct { const char *magic; gsize length; const char *what; } formats[] = {
    { "\x89PNG", 4, N_("a PNG picture") },
    { "\xff\xd8\xff", 3, N_("a JPEG picture") },
    { "GIF8", 4, N_("a GIF picture") },
    { "%PDF-", 5, N_("a PDF document") },
    { "PK\x03\x04", 4, N_("a ZIP archive, such as a spreadsheet") },
    { "\xd0\xcf\x11\xe0", 4, N_("an old Excel or Word document") },
    { "SQLite format 3", 15, N_("a database") },
    { "\x7f""ELF", 4, N_("a program") },
    { "PAR1", 4, N_("a Parquet file") },
    { "BZh", 3, N_("bzip2-compressed data") },
    { "\xfd""7zXZ", 5, N_("xz-compressed data") },
    { "\x28\xb5\x2f\xfd", 4, N_("zstd-compressed data") },
  };
  static const struct { const char *start, *what; } markup[] = {
    { "<!doctype html", N_("a web page") }, { "<html", N_("a web page") }, { "<?xml", N_("an XML file") },
    { "{\\rtf", N_("an RTF document") },
  };
  gsize even_nuls = 0, odd_nuls = 0, controls = 0, start = 0;

  *encoding = NULL;
  while (start < length && g_ascii_isspace (head[start]))
    start++;
  for (gsize i = 0; i < G_N_ELEMENTS (markup); i++)
    if (length - start >= strlen (markup[i].start) &&
        g_ascii_strncasecmp (head + start, markup[i].start, strlen (markup[i].start)) == 0)
      return not_a_table (error, markup[i].what);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (length >= formats[i].length && memcmp (head, formats[i].magic, formats[i].length) == 0 &&
        (formats[i].magic[0] != 'B' || (length > 10 && memchr (head, '\0', MIN (length, 4096)) != NULL)))
      return not_a_table (error, formats[i].what);
  if (length >= 4 && (memcmp (head, "\xff\xfe\0\0", 4) == 0 || memcmp (head, "\0\0\xfe\xff", 4) == 0))
    {
      *encoding = "UTF-32";
      return TRUE;
    }
  if (length >= 2 && memcmp (head, "\xff\xfe", 2) == 0)
    {
      *encoding = "UTF-16LE";
      return TRUE;
    }
  if (length >= 2 && memcmp (head, "\xfe\xff", 2) == 0)
    {
      *encoding = "UTF-16BE";
      return TRUE;
    }
  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) head[i];

      if (c == 0)
        *(i % 2 == 0 ? &even_nuls : &odd_nuls) += 1;
      else if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
        controls++;
    }
  /* Latin text in UTF-16 has a NUL in every other byte. */
  if (length >= 8 && odd_nuls * 5 > length * 2 && even_nuls * 50 < length)
    *encoding = "UTF-16LE";
  else if (length >= 8 && even_nuls * 5 > length * 2 && odd_nuls * 50 < length)
    *encoding = "UTF-16BE";
  else if (even_nuls + odd_nuls + controls >= 8 && (even_nuls + odd_nuls + controls) * 10 > length)
    return not_a_table (error, N_("binary data"));
  return TRUE;
}

const char *
mt_csv_detect_multibyte (const char *head,
                         gsize       length)
{
  /* In Western text the bytes 0x80-0x9f are a few quotes and dashes; in Shift-JIS they lead
   * most characters, and in the EUC family every character is a pair of high bytes. */
  gsize high = 0, sjis_leads = 0, sjis_bad = 0, pairs = 0, lone = 0;

  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) head[i];
      guchar next = i + 1 < length ? (guchar) head[i + 1] : 0;

      if (c < 0x80)
        continue;
      high++;
      if ((c >= 0x81 && c <= 0x9f) || (c >= 0xe0 && c <= 0xef))
        {
          if ((next >= 0x40 && next <= 0x7e) || (next >= 0x80 && next <= 0xfc))
            {
              sjis_leads += c <= 0x9f;
              high += next >= 0x80;
              i++;
            }
          else
            sjis_bad++;
        }
      else if (!(c >= 0xa1 && c <= 0xdf))
        sjis_bad++;
    }
  for (gsize i = 0; i < length; i++)
    if ((guchar) head[i] >= 0xa1)
      {
        if (i + 1 < length && (guchar) head[i + 1] >= 0xa1)
          {
            pairs++;
            i++;
          }
        else
          lone++;
      }
    else if ((guchar) head[i] >= 0x80)
      lone++;
  if (high >= 4 && sjis_bad == 0 && sjis_leads * 3 >= high)
    return "SHIFT_JIS";
  if (pairs >= 4 && lone == 0)
    return "EUC-JP, EUC-KR or GB18030";
  return NULL;
}
