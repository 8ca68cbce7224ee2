/* A sheet of an OpenDocument spreadsheet as the text of a CSV. See mt-source-text.h.
 *
 * All sheets lie in one XML file, which is parsed piece by piece up to the end of the sheet that is wanted. A cell says
 * its type and value in attributes; what it shows is the text of its paragraphs, which is used for texts only. */
#include "config.h"
#include "mt-source-text.h"

#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-sheet-rows.h"
#include "mt-zip-entry.h"

#define CONTENT "content.xml"

typedef struct {
  MtSourceText  text;
  MtSheetRows   rows;
  MtXmlReader  *reader;
  guint64       size;
  char         *wanted;
  gboolean      in_sheet, done;

  guint         row;           /* number of the row in hand, from 1 */
  guint         row_times;
  guint         column;        /* of the cell in hand, from 0 */
  guint         cell_times;
  gboolean      has_value;     /* it stands in an attribute, not in paragraphs */
  gboolean      row_merged;    /* a cell of the row is merged with others */
  guint         skipping;      /* inside a note to a cell */
  guint         n_paragraphs;
  gboolean      in_paragraph;
  GString      *value;
} Ods;

static guint
times (const char **names,
       const char **values,
       const char  *name)
{
  const char *text = mt_xml_attribute (names, values, name);

  return text != NULL ? (guint) CLAMP (g_ascii_strtoull (text, NULL, 10), 1, G_MAXINT) : 1;
}

/* PT12H30M05S as 12:30:05. */
static void
append_time (GString    *out,
             const char *text)
{
  guint64 part[3] = { 0 };
  const char *p = text;
  gboolean ok = g_str_has_prefix (text, "PT");

  for (p += ok ? 2 : 0; ok && *p != '\0';)
    {
      char *end;
      guint64 n = g_ascii_strtoull (p, &end, 10);

      ok = end > p;
      while (ok && (*end == '.' || *end == ',' || g_ascii_isdigit (*end)))    /* fractions of a second are left out */
        end++;
      part[0] = *end == 'H' ? n : part[0];
      part[1] = *end == 'M' ? n : part[1];
      part[2] = *end == 'S' ? n : part[2];
      ok = ok && (*end == 'H' || *end == 'M' || *end == 'S');
      p = *end != '\0' ? end + 1 : end;
    }
  if (ok)
    g_string_append_printf (out, "%02" G_GUINT64_FORMAT ":%02" G_GUINT64_FORMAT ":%02" G_GUINT64_FORMAT, part[0], part[1], part[2]);
  else
    g_string_append (out, text);
}

static void
take_number (Ods         *self,
             const char  *text,
             GError     **error)
{
  char number[MT_DECIMAL_SIZE];
  double value;

  if (text == NULL || !mt_decimal_parse (text, &value))
    mt_refuse (error, MT_ERROR_PARSE, _("Row %u: “%.40s” is stored as a number but is not one"), self->row, text != NULL ? text : "");
  else
    g_string_append (self->value, mt_decimal_write (value, number));
}

static void
cell_start (Ods         *self,
            const char **names,
            const char **values,
            GError     **error)
{
  const char *type = mt_xml_attribute (names, values, "value-type");
  const char *given = NULL;

  self->cell_times = times (names, values, "number-columns-repeated");
  self->row_merged = self->row_merged || times (names, values, "number-columns-spanned") > 1 ||
                     times (names, values, "number-rows-spanned") > 1;
  g_string_truncate (self->value, 0);
  self->n_paragraphs = 0;
  self->has_value = TRUE;
  if (type == NULL)
    self->has_value = FALSE;
  else if (g_str_equal (type, "float") || g_str_equal (type, "percentage") || g_str_equal (type, "currency"))
    take_number (self, mt_xml_attribute (names, values, "value"), error);
  else if (g_str_equal (type, "date"))
    given = mt_xml_attribute (names, values, "date-value");
  else if (g_str_equal (type, "time"))
    {
      const char *time = mt_xml_attribute (names, values, "time-value");

      append_time (self->value, time != NULL ? time : "");
    }
  else if (g_str_equal (type, "boolean"))
    given = g_strcmp0 (mt_xml_attribute (names, values, "boolean-value"), "true") == 0 ? "TRUE" : "FALSE";
  else
    {
      given = mt_xml_attribute (names, values, "string-value");
      self->has_value = given != NULL;
    }
  if (given != NULL)
    g_string_append (self->value, given);
}

static void
cell_end (Ods     *self,
          GError **error)
{
  if (self->value->len > 0 && (guint64) self->column + self->cell_times > MT_SHEET_MAX_COLUMNS)
    mt_refuse (error, MT_ERROR_BUDGET, _("Row %u has more than %u columns"), self->row, MT_SHEET_MAX_COLUMNS);
  else
    for (guint i = 0; self->value->len > 0 && i < self->cell_times; i++)
      if (!mt_sheet_rows_cell (&self->rows, self->column + i, self->value->str, self->value->len, error))
        return;
  self->column = (guint) MIN ((guint64) self->column + self->cell_times, G_MAXINT);
  g_string_truncate (self->value, 0);
}

static void
row_end (Ods     *self,
         GError **error)
{
  if (!mt_sheet_rows_end (&self->rows, self->row, self->row_times, error))
    return;
  /* The row has to be counted before it is known whether it is that of the names. */
  if (self->row_merged)
    mt_sheet_rows_merged (&self->rows, self->row, self->row, NULL, error);
  self->row = (guint) MIN ((guint64) self->row + self->row_times, G_MAXINT);
}

static void
content_start (const char  *element,
               const char **names,
               const char **values,
               gpointer     data,
               GError     **error)
{
  Ods *self = data;

  if (self->done)
    return;
  if (g_str_equal (element, "table"))
    {
      self->in_sheet = g_strcmp0 (mt_xml_attribute (names, values, "name"), self->wanted) == 0;
      return;
    }
  if (!self->in_sheet)
    return;
  if (g_str_equal (element, "annotation"))
    self->skipping++;
  if (self->skipping > 0)
    return;
  if (g_str_equal (element, "table-row"))
    {
      self->row_times = times (names, values, "number-rows-repeated");
      self->column = 0;
      self->row_merged = FALSE;
    }
  else if (g_str_equal (element, "table-cell") || g_str_equal (element, "covered-table-cell"))
    cell_start (self, names, values, error);
  else if (g_str_equal (element, "p"))
    {
      if (self->n_paragraphs++ > 0 && !self->has_value)
        g_string_append_c (self->value, ' ');
      self->in_paragraph = TRUE;
    }
  else if (self->in_paragraph && !self->has_value)
    {
      if (g_str_equal (element, "s"))
        for (guint n = MIN (times (names, values, "c"), 1000); n > 0; n--)
          g_string_append_c (self->value, ' ');
      else if (g_str_equal (element, "tab") || g_str_equal (element, "line-break"))
        g_string_append_c (self->value, ' ');
    }
}

static void
content_end (const char *element,
             gpointer    data,
             GError    **error)
{
  Ods *self = data;

  if (!self->in_sheet)
    return;
  if (g_str_equal (element, "annotation") && self->skipping > 0)
    self->skipping--;
  else if (self->skipping > 0)
    return;
  else if (g_str_equal (element, "table"))
    {
      self->in_sheet = FALSE;
      self->done = TRUE;
    }
  else if (g_str_equal (element, "p"))
    self->in_paragraph = FALSE;
  else if (g_str_equal (element, "table-cell") || g_str_equal (element, "covered-table-cell"))
    cell_end (self, error);
  else if (g_str_equal (element, "table-row"))
    row_end (self, error);
}

static void
content_text (const char *text,
              gsize       length,
              gpointer    data,
              GError    **error)
{
  Ods *self = data;

  if (self->in_sheet && self->in_paragraph && !self->has_value && self->skipping == 0)
    g_string_append_len (self->value, text, (gssize) length);
}

/* --- the text --- */

static gboolean
ods_more (MtSourceText  *text,
          GString       *out,
          GCancellable  *cancellable,
          GError       **error)
{
  Ods *self = (Ods *) text;

  while (!self->done && self->rows.out->len == 0)
    {
      gboolean at_end;

      if (!mt_xml_reader_step (self->reader, &at_end, cancellable, error))
        return FALSE;
      self->done = self->done || at_end;
    }
  if (self->done)
    mt_sheet_rows_finish (&self->rows);
  g_string_append_len (out, self->rows.out->str, (gssize) self->rows.out->len);
  g_string_truncate (self->rows.out, 0);
  return TRUE;
}

static guint64
ods_position (MtSourceText *text)
{
  Ods *self = (Ods *) text;

  return (guint64) (mt_zip_entry_get_done (mt_xml_reader_get_entry (self->reader)) * (double) self->size);
}

static void
ods_free (MtSourceText *text)
{
  Ods *self = (Ods *) text;

  g_clear_pointer (&self->reader, mt_xml_reader_free);
  mt_sheet_rows_clear (&self->rows);
  g_free (self->wanted);
  g_string_free (self->value, TRUE);
  g_free (self);
}

static void
list_start (const char  *element,
            const char **names,
            const char **values,
            gpointer     data,
            GError     **error)
{
  const char *name = g_str_equal (element, "table") ? mt_xml_attribute (names, values, "name") : NULL;

  if (name != NULL)
    g_strv_builder_add (data, name);
}

char **
mt_source_ods_list (GFile         *file,
                    GBytes        *bytes,
                    GCancellable  *cancellable,
                    GError       **error)
{
  static const MtXmlFuncs funcs = { list_start, NULL, NULL };
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (!mt_xml_read_entry (file, bytes, CONTENT, TRUE, &funcs, names, cancellable, error))
    return NULL;
  return g_strv_builder_end (names);
}

MtSourceText *
mt_source_ods_open (GFile         *file,
                    GBytes        *bytes,
                    const char    *name,
                    char         **chosen,
                    GCancellable  *cancellable,
                    GError       **error)
{
  static const MtXmlFuncs funcs = { content_start, content_end, content_text };
  g_auto (GStrv) names = mt_source_ods_list (file, bytes, cancellable, error);
  const char *wanted = names != NULL ? mt_source_choose (names, name, "sheet", error) : NULL;
  MtZipEntry *entry;
  Ods *self;

  if (wanted == NULL)
    return NULL;
  entry = mt_zip_entry_open (file, bytes, CONTENT, cancellable, error);
  if (entry == NULL)
    return NULL;
  self = g_new0 (Ods, 1);
  self->text = (MtSourceText) { ods_more, ods_position, ods_free };
  self->value = g_string_new (NULL);
  self->wanted = g_strdup (wanted);
  *chosen = g_strdup (wanted);
  self->row = 1;
  mt_sheet_rows_init (&self->rows);
  self->reader = mt_xml_reader_new (entry, CONTENT, &funcs, self);
  if (bytes != NULL)
    self->size = g_bytes_get_size (bytes);
  else
    {
      g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);

      self->size = info != NULL ? (guint64) g_file_info_get_size (info) : 0;
    }
  return &self->text;
}
