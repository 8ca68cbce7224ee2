/* A sheet of an XLSX package as the text of a CSV. See mt-source-text.h.
 *
 * Read once before the sheet: the names of the sheets, where each lies, the texts that cells share, and the styles, which
 * tell a date from the number that it is stored as. The sheet itself is parsed piece by piece. */
#include "config.h"
#include "mt-source-text.h"

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-sheet-rows.h"
#include "mt-zip-entry.h"

#define MAX_SHARED (2048u * 1024 * 1024)    /* bytes of shared texts */
#define DAYS_1970  25569                    /* the serial number of 1970-01-01 */
#define DAYS_1904  1462

typedef enum {
  SHOWN_AS_NUMBER,
  SHOWN_AS_DATE,
  SHOWN_AS_TIME,
} Shown;

typedef struct {
  char     *name;
  char     *id;
  char     *target;    /* path in the package */
  gboolean  hidden;
} Sheet;

typedef struct {
  GArray     *sheets;      /* of Sheet */
  gboolean    from_1904;

  GHashTable *formats;     /* number of a format → Shown + 1 */
  GArray     *styles;      /* of Shown */
  gboolean    in_styles;

  GString    *shared;      /* the texts, one after another */
  GArray     *ends;        /* of gsize */
  gboolean    in_text;     /* of a shared or inline text, … */
  guint       skipping;    /* … not of its phonetic reading */
} Book;

typedef struct {
  MtSourceText  text;
  Book          book;
  MtSheetRows   rows;
  MtXmlReader  *reader;
  gboolean      at_end;
  guint64       size;      /* of the package, for a progress bar */

  guint         row;       /* from 1 */
  guint         column;    /* of the next cell without a place, from 0 */
  guint         cell;      /* in hand */
  char          type;      /* n number, s shared, i inline, t text, b boolean, e error, d date */
  guint         style;
  GString      *value;
  gboolean      in_value;
} Xlsx;

/* --- the package --- */

static void
sheet_clear (gpointer data)
{
  Sheet *sheet = data;

  g_free (sheet->name);
  g_free (sheet->id);
  g_free (sheet->target);
}

static void
book_init (Book *book)
{
  *book = (Book) {
    .sheets = g_array_new (FALSE, TRUE, sizeof (Sheet)),
    .formats = g_hash_table_new (NULL, NULL),
    .styles = g_array_new (FALSE, FALSE, sizeof (Shown)),
    .shared = g_string_new (NULL),
    .ends = g_array_new (FALSE, FALSE, sizeof (gsize)),
  };
  g_array_set_clear_func (book->sheets, sheet_clear);
}

static void
book_clear (Book *book)
{
  if (book->sheets == NULL)
    return;
  g_array_unref (book->sheets);
  g_hash_table_unref (book->formats);
  g_array_unref (book->styles);
  g_string_free (book->shared, TRUE);
  g_array_unref (book->ends);
}

static gboolean
is_true (const char *text)
{
  return text != NULL && (g_str_equal (text, "1") || g_str_equal (text, "true"));
}

static void
workbook_start (const char  *element,
                const char **names,
                const char **values,
                gpointer     data,
                GError     **error)
{
  Book *book = data;

  if (g_str_equal (element, "workbookPr"))
    book->from_1904 = is_true (mt_xml_attribute (names, values, "date1904"));
  else if (g_str_equal (element, "sheet"))
    {
      const char *state = mt_xml_attribute (names, values, "state");
      Sheet sheet = { g_strdup (mt_xml_attribute (names, values, "name")), g_strdup (mt_xml_attribute (names, values, "id")),
                      NULL, state != NULL && !g_str_equal (state, "visible") };

      if (sheet.name != NULL && sheet.id != NULL)
        g_array_append_val (book->sheets, sheet);
      else
        sheet_clear (&sheet);
    }
}

static void
relations_start (const char  *element,
                 const char **names,
                 const char **values,
                 gpointer     data,
                 GError     **error)
{
  Book *book = data;
  const char *id = mt_xml_attribute (names, values, "Id"), *target = mt_xml_attribute (names, values, "Target");
  const char *type = mt_xml_attribute (names, values, "Type");

  if (!g_str_equal (element, "Relationship") || id == NULL || target == NULL || type == NULL || !g_str_has_suffix (type, "/worksheet"))
    return;
  for (guint i = 0; i < book->sheets->len; i++)
    {
      Sheet *sheet = &g_array_index (book->sheets, Sheet, i);

      if (g_str_equal (sheet->id, id) && sheet->target == NULL)
        sheet->target = target[0] == '/' ? g_strdup (target + 1) : g_strconcat ("xl/", target, NULL);
    }
}

/* Names of the sheets with cells; hidden ones are not offered. */
static char **
read_sheets (Book          *book,
             GFile         *file,
             GBytes        *bytes,
             GCancellable  *cancellable,
             GError       **error)
{
  static const MtXmlFuncs workbook = { workbook_start, NULL, NULL }, relations = { relations_start, NULL, NULL };
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (!mt_xml_read_entry (file, bytes, "xl/workbook.xml", TRUE, &workbook, book, cancellable, error) ||
      !mt_xml_read_entry (file, bytes, "xl/_rels/workbook.xml.rels", TRUE, &relations, book, cancellable, error))
    return NULL;
  for (guint i = 0; i < book->sheets->len; i++)
    {
      const Sheet *sheet = &g_array_index (book->sheets, Sheet, i);

      if (sheet->target != NULL && !sheet->hidden)
        g_strv_builder_add (names, sheet->name);
    }
  return g_strv_builder_end (names);
}

/* --- styles: is a number shown as a date? --- */

static Shown
shown_by_code (const char *code)
{
  gboolean date = FALSE, time = FALSE;

  for (const char *p = code; *p != '\0' && *p != ';'; p++)
    switch (*p)
      {
      case '"':
        p = strchr (p + 1, '"');
        if (p == NULL)
          return SHOWN_AS_NUMBER;
        break;
      case '\\':
      case '_':
      case '*':
        if (p[1] != '\0')
          p++;
        break;
      case '[':
        /* [h] is a time; [Red] and [$-409] are not shown. */
        time = time || strchr ("hHmMsS", p[1]) != NULL;
        p = strchr (p, ']');
        if (p == NULL)
          return SHOWN_AS_NUMBER;
        break;
      case 'y':
      case 'Y':
      case 'd':
      case 'D':
        date = TRUE;
        break;
      case 'h':
      case 'H':
      case 's':
      case 'S':
        time = TRUE;
        break;
      case 'm':
      case 'M':
        date = date || !time;      /* months, or minutes behind hours */
        break;
      case 'G':    /* General */
        return SHOWN_AS_NUMBER;
      default:
        break;
      }
  /* Minutes before seconds alone: mm:ss. */
  if (date && time && strpbrk (code, "yYdD") == NULL)
    return SHOWN_AS_TIME;
  return date ? SHOWN_AS_DATE : time ? SHOWN_AS_TIME : SHOWN_AS_NUMBER;
}

static Shown
shown_by_number (const Book *book,
                 guint64     number)
{
  gpointer own = number <= G_MAXINT ? g_hash_table_lookup (book->formats, GUINT_TO_POINTER (number)) : NULL;

  if (own != NULL)
    return (Shown) (GPOINTER_TO_UINT (own) - 1);
  if ((number >= 14 && number <= 17) || number == 22 || (number >= 27 && number <= 36) || (number >= 50 && number <= 58))
    return SHOWN_AS_DATE;
  return (number >= 18 && number <= 21) || (number >= 45 && number <= 47) ? SHOWN_AS_TIME : SHOWN_AS_NUMBER;
}

static void
styles_start (const char  *element,
              const char **names,
              const char **values,
              gpointer     data,
              GError     **error)
{
  Book *book = data;
  const char *number = mt_xml_attribute (names, values, "numFmtId");
  const char *code = mt_xml_attribute (names, values, "formatCode");

  if (g_str_equal (element, "cellXfs"))
    book->in_styles = TRUE;
  else if (g_str_equal (element, "numFmt") && number != NULL && code != NULL)
    {
      guint64 id = g_ascii_strtoull (number, NULL, 10);

      if (id <= G_MAXINT)
        g_hash_table_insert (book->formats, GUINT_TO_POINTER (id), GUINT_TO_POINTER (shown_by_code (code) + 1));
    }
  else if (g_str_equal (element, "xf") && book->in_styles)
    {
      Shown shown = number != NULL ? shown_by_number (book, g_ascii_strtoull (number, NULL, 10)) : SHOWN_AS_NUMBER;

      g_array_append_val (book->styles, shown);
    }
}

static void
styles_end (const char *element,
            gpointer    data,
            GError    **error)
{
  Book *book = data;

  if (g_str_equal (element, "cellXfs"))
    book->in_styles = FALSE;
}

/* --- texts that cells share --- */

static void
shared_start (const char  *element,
              const char **names,
              const char **values,
              gpointer     data,
              GError     **error)
{
  Book *book = data;

  if (g_str_equal (element, "rPh"))
    book->skipping++;
  book->in_text = g_str_equal (element, "t") && book->skipping == 0;
}

/* What cannot stand in XML is written as _x000D_. */
static void
append_unescaped (GString    *out,
                  const char *text,
                  gsize       length)
{
  for (gsize i = 0; i < length; i++)
    {
      gunichar c = 0;
      guint k;

      if (text[i] == '_' && i + 6 < length && text[i + 1] == 'x' && text[i + 6] == '_')
        {
          for (k = 2; k < 6 && g_ascii_isxdigit (text[i + k]); k++)
            c = c * 16 + (guint) g_ascii_xdigit_value (text[i + k]);
          if (k == 6 && c > 0 && g_unichar_validate (c))
            {
              g_string_append_unichar (out, c);
              i += 6;
              continue;
            }
        }
      g_string_append_c (out, text[i]);
    }
}

static void
shared_text (const char *text,
             gsize       length,
             gpointer    data,
             GError    **error)
{
  Book *book = data;

  if (!book->in_text)
    return;
  if (book->shared->len + length > MAX_SHARED)
    mt_refuse (error, MT_ERROR_BUDGET, _("The text in the spreadsheet takes more than %u MiB"), MAX_SHARED / 1024 / 1024);
  else
    append_unescaped (book->shared, text, length);
}

static void
shared_end (const char *element,
            gpointer    data,
            GError    **error)
{
  Book *book = data;

  book->in_text = FALSE;
  if (g_str_equal (element, "rPh") && book->skipping > 0)
    book->skipping--;
  else if (g_str_equal (element, "si"))
    g_array_append_val (book->ends, book->shared->len);
}

/* --- cells --- */

static void
append_time (GString *out,
             double   seconds)
{
  guint64 whole = (guint64) floor (seconds + 0.5);

  g_string_append_printf (out, "%02" G_GUINT64_FORMAT ":%02u:%02u", whole / 3600, (guint) (whole / 60 % 60), (guint) (whole % 60));
}

/* A serial number as it is shown; to the second, which is what it can hold. */
static void
append_moment (const Xlsx *self,
               double      serial,
               Shown       shown,
               const char *text,
               GString    *out)
{
  double day, seconds;
  int year, month, date;

  if (!(serial >= 0 && serial < 2958466))
    {
      g_string_append (out, text);     /* no date of the calendar: the number is all there is */
      return;
    }
  if (shown == SHOWN_AS_TIME)
    {
      append_time (out, serial * 86400);
      return;
    }
  day = floor (serial);
  seconds = floor ((serial - day) * 86400 + 0.5);
  if (seconds >= 86400)
    {
      day++;
      seconds = 0;
    }
  /* In the calendar from 1900 there is a 29 February 1900, which never was: days before it are one less. */
  if (self->book.from_1904)
    day += DAYS_1904;
  else if (day < 60)
    day++;
  mt_date_from_days ((gint64) day - DAYS_1970, &year, &month, &date);
  g_string_append_printf (out, "%04d-%02d-%02d", year, month, date);
  if (seconds > 0)
    {
      g_string_append_c (out, 'T');
      append_time (out, seconds);
    }
}

static gboolean
take_cell (Xlsx    *self,
           GError **error)
{
  const char *text = self->value->str;
  gsize length = self->value->len;
  g_autoptr (GString) made = NULL;
  Shown shown = self->style < self->book.styles->len ? g_array_index (self->book.styles, Shown, self->style) : SHOWN_AS_NUMBER;

  if (length == 0)
    return TRUE;
  switch (self->type)
    {
    case 's':
      {
        char *end;
        guint64 index = g_ascii_strtoull (text, &end, 10);

        if (*end != '\0' || index >= self->book.ends->len)
          return mt_refuse (error, MT_ERROR_PARSE, _("Row %u: a cell refers to text that is not in the spreadsheet"), self->row);
        text = self->book.shared->str + (index > 0 ? g_array_index (self->book.ends, gsize, index - 1) : 0);
        length = g_array_index (self->book.ends, gsize, index) - (gsize) (text - self->book.shared->str);
      }
      break;
    case 'b':
      text = g_str_equal (text, "1") || g_str_equal (text, "true") ? "TRUE" : "FALSE";
      length = strlen (text);
      break;
    case 'n':
      {
        double value;

        if (!mt_decimal_parse (text, &value))
          return mt_refuse (error, MT_ERROR_PARSE, _("Row %u: “%.40s” is stored as a number but is not one"), self->row, text);
        made = g_string_new (NULL);
        if (shown != SHOWN_AS_NUMBER)
          append_moment (self, value, shown, text, made);
        else
          {
            char number[MT_DECIMAL_SIZE];

            g_string_append (made, mt_decimal_write (value, number));
          }
        text = made->str;
        length = made->len;
      }
      break;
    default:     /* inline text, text of a formula, error, ISO date: as it stands */
      break;
    }
  return mt_sheet_rows_cell (&self->rows, self->cell, text, length, error);
}

/* "BC12": the column, from 0, and the row, from 1. */
static gboolean
parse_place (const char *text,
             guint      *column,
             guint      *row)
{
  guint64 number = 0;

  *column = 0;
  for (; g_ascii_isalpha (*text) && *column < MT_SHEET_MAX_COLUMNS; text++)
    *column = *column * 26 + (guint) (g_ascii_toupper (*text) - 'A') + 1;
  if (*column == 0 || *column > MT_SHEET_MAX_COLUMNS || !g_ascii_isdigit (*text))
    return FALSE;
  *column -= 1;
  number = g_ascii_strtoull (text, NULL, 10);
  *row = (guint) MIN (number, G_MAXUINT);
  return number > 0 && number <= MT_SHEET_MAX_ROWS;
}

static void
take_merged (Xlsx       *self,
             const char *where,
             GError    **error)
{
  const char *colon = strchr (where, ':');
  guint column, first, last;

  if (colon != NULL && parse_place (where, &column, &first) && parse_place (colon + 1, &column, &last))
    mt_sheet_rows_merged (&self->rows, first, last, where, error);
}

static char
type_of (const char *word)
{
  return word == NULL || g_str_equal (word, "n") ? 'n'
         : g_str_equal (word, "str") ? 't' : g_str_equal (word, "inlineStr") ? 'i' : word[0];
}

static void
sheet_start (const char  *element,
             const char **names,
             const char **values,
             gpointer     data,
             GError     **error)
{
  Xlsx *self = data;

  if (g_str_equal (element, "row"))
    {
      const char *r = mt_xml_attribute (names, values, "r");
      guint64 row = r != NULL ? g_ascii_strtoull (r, NULL, 10) : self->row + 1;

      if (row <= self->row || row > MT_SHEET_MAX_ROWS)
        mt_refuse (error, MT_ERROR_PARSE, _("The rows of the sheet are not in order: row %s follows row %u"), r != NULL ? r : "?",
                   self->row);
      self->row = (guint) row;
      self->column = 0;
    }
  else if (g_str_equal (element, "c"))
    {
      const char *r = mt_xml_attribute (names, values, "r"), *s = mt_xml_attribute (names, values, "s");
      guint row;

      self->cell = self->column;
      if (r != NULL && (!parse_place (r, &self->cell, &row) || self->cell < self->column))
        mt_refuse (error, MT_ERROR_PARSE, _("Row %u: the cells of the sheet are not in order at “%.20s”"), self->row, r);
      self->column = self->cell + 1;
      self->type = type_of (mt_xml_attribute (names, values, "t"));
      self->style = s != NULL ? (guint) MIN (g_ascii_strtoull (s, NULL, 10), G_MAXUINT) : 0;
      g_string_truncate (self->value, 0);
    }
  else if (g_str_equal (element, "rPh"))
    self->book.skipping++;
  else if (g_str_equal (element, "v") || (g_str_equal (element, "t") && self->book.skipping == 0))
    self->in_value = TRUE;
  else if (g_str_equal (element, "mergeCell"))
    {
      const char *where = mt_xml_attribute (names, values, "ref");

      if (where != NULL)
        take_merged (self, where, error);
    }
}

static void
sheet_end (const char *element,
           gpointer    data,
           GError    **error)
{
  Xlsx *self = data;

  if (g_str_equal (element, "c"))
    take_cell (self, error);
  else if (g_str_equal (element, "row"))
    mt_sheet_rows_end (&self->rows, self->row, 1, error);
  else if (g_str_equal (element, "rPh") && self->book.skipping > 0)
    self->book.skipping--;
  self->in_value = FALSE;
}

static void
sheet_text (const char *text,
            gsize       length,
            gpointer    data,
            GError    **error)
{
  Xlsx *self = data;

  if (self->in_value)
    append_unescaped (self->value, text, length);
}

/* --- the text --- */

static gboolean
xlsx_more (MtSourceText  *text,
           GString       *out,
           GCancellable  *cancellable,
           GError       **error)
{
  Xlsx *self = (Xlsx *) text;

  while (!self->at_end && self->rows.out->len == 0)
    {
      if (!mt_xml_reader_step (self->reader, &self->at_end, cancellable, error))
        return FALSE;
      if (self->at_end)
        mt_sheet_rows_finish (&self->rows);
    }
  g_string_append_len (out, self->rows.out->str, (gssize) self->rows.out->len);
  g_string_truncate (self->rows.out, 0);
  return TRUE;
}

static guint64
xlsx_position (MtSourceText *text)
{
  Xlsx *self = (Xlsx *) text;

  return (guint64) (mt_zip_entry_get_done (mt_xml_reader_get_entry (self->reader)) * (double) self->size);
}

static void
xlsx_free (MtSourceText *text)
{
  Xlsx *self = (Xlsx *) text;

  g_clear_pointer (&self->reader, mt_xml_reader_free);
  book_clear (&self->book);
  mt_sheet_rows_clear (&self->rows);
  g_string_free (self->value, TRUE);
  g_free (self);
}

char **
mt_source_xlsx_list (GFile         *file,
                     GBytes        *bytes,
                     GCancellable  *cancellable,
                     GError       **error)
{
  Book book;
  char **names;

  book_init (&book);
  names = read_sheets (&book, file, bytes, cancellable, error);
  book_clear (&book);
  return names;
}

/* Its place in the package. A hidden sheet can be asked for by its name. */
static const char *
find_sheet (Xlsx          *self,
            GFile         *file,
            GBytes        *bytes,
            const char    *name,
            char         **chosen,
            GCancellable  *cancellable,
            GError       **error)
{
  g_auto (GStrv) names = read_sheets (&self->book, file, bytes, cancellable, error);

  if (names == NULL)
    return NULL;
  for (guint turn = 0; turn < 2; turn++)
    {
      for (guint i = 0; name != NULL && i < self->book.sheets->len; i++)
        {
          const Sheet *sheet = &g_array_index (self->book.sheets, Sheet, i);

          if (sheet->target == NULL || !g_str_equal (sheet->name, name))
            continue;
          *chosen = g_strdup (sheet->name);
          return sheet->target;
        }
      name = mt_source_choose (names, name, "sheet", error);
      if (name == NULL)
        return NULL;
    }
  g_return_val_if_reached (NULL);
}

MtSourceText *
mt_source_xlsx_open (GFile         *file,
                     GBytes        *bytes,
                     const char    *name,
                     char         **chosen,
                     GCancellable  *cancellable,
                     GError       **error)
{
  static const MtXmlFuncs styles = { styles_start, styles_end, NULL };
  static const MtXmlFuncs shared = { shared_start, shared_end, shared_text };
  static const MtXmlFuncs sheet = { sheet_start, sheet_end, sheet_text };
  g_autoptr (MtSourceText) text = NULL;
  g_autoptr (GError) problem = NULL;
  Xlsx *self = g_new0 (Xlsx, 1);
  MtZipEntry *entry;
  const char *target;

  text = &self->text;
  *text = (MtSourceText) { xlsx_more, xlsx_position, xlsx_free };
  self->value = g_string_new (NULL);
  book_init (&self->book);
  mt_sheet_rows_init (&self->rows);
  target = find_sheet (self, file, bytes, name, chosen, cancellable, error);
  if (target == NULL ||
      !mt_xml_read_entry (file, bytes, "xl/styles.xml", FALSE, &styles, &self->book, cancellable, error) ||
      !mt_xml_read_entry (file, bytes, "xl/sharedStrings.xml", FALSE, &shared, &self->book, cancellable, error))
    return NULL;
  entry = mt_zip_entry_open (file, bytes, target, cancellable, &problem);
  if (entry == NULL)
    {
      if (problem != NULL)
        g_propagate_error (error, g_steal_pointer (&problem));
      else
        mt_refuse (error, MT_ERROR_PARSE, _("The file is a ZIP archive but not a spreadsheet that Minterm can "
                                            "read: it has no %s"), target);
      return NULL;
    }
  self->reader = mt_xml_reader_new (entry, target, &sheet, self);
  if (bytes != NULL)
    self->size = g_bytes_get_size (bytes);
  else
    {
      g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);

      self->size = info != NULL ? (guint64) g_file_info_get_size (info) : 0;
    }
  return g_steal_pointer (&text);
}
