/* One file of a zip package, and XML parsed from it. See mt-zip-entry.h.
 *
 * The package is read by libarchive, which is optional: without it a sheet is refused with a sentence. XML is parsed by
 * GLib's reader, piece by piece; how deep elements may lie and how long a tag may be is limited, so that a small package
 * cannot fill the memory. */
#include "config.h"
#include "mt-zip-entry.h"

#include <string.h>

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define PIECE       (32u * 1024)
#define MAX_DEPTH   64
#define MAX_PENDING (64u * 1024 * 1024)    /* bytes without an element or text among them */

struct _MtZipEntry {
#ifdef HAVE_LIBARCHIVE
  struct archive *archive;
#endif
  GBytes         *bytes;
  guint64         size;     /* of the file unpacked; 0: not known */
  guint64         n_read;
};

#ifdef HAVE_LIBARCHIVE

static gboolean
fail_zip (MtZipEntry *self,
          GError    **error)
{
  const char *why = archive_error_string (self->archive);

  return mt_refuse (error, MT_ERROR_PARSE, _("The spreadsheet is damaged or truncated: %s"),
                    why != NULL ? why : _("it cannot be unpacked"));
}

MtZipEntry *
mt_zip_entry_open (GFile         *file,
                   GBytes        *bytes,
                   const char    *name,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_autoptr (MtZipEntry) self = g_new0 (MtZipEntry, 1);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  struct archive_entry *entry;
  int code;

  self->archive = archive_read_new ();
  archive_read_support_format_zip (self->archive);
  if (path != NULL)
    code = archive_read_open_filename (self->archive, path, 64 * 1024);
  else
    {
      self->bytes = bytes != NULL ? g_bytes_ref (bytes) : g_file_load_bytes (file, cancellable, NULL, error);
      if (self->bytes == NULL)
        return NULL;
      code = archive_read_open_memory (self->archive, g_bytes_get_data (self->bytes, NULL), g_bytes_get_size (self->bytes));
    }
  while (code == ARCHIVE_OK || code == ARCHIVE_WARN)
    {
      const char *found;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      code = archive_read_next_header (self->archive, &entry);
      if (code == ARCHIVE_EOF)
        return NULL;
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
        break;
      found = archive_entry_pathname (entry);
      if (found == NULL || g_ascii_strcasecmp (found, name) != 0)
        continue;
      if (archive_entry_is_encrypted (entry))
        {
          mt_refuse (error, MT_ERROR_PARSE, _("The spreadsheet is protected by a password: save it without one"));
          return NULL;
        }
      self->size = archive_entry_size_is_set (entry) ? (guint64) archive_entry_size (entry) : 0;
      return g_steal_pointer (&self);
    }
  fail_zip (self, error);
  return NULL;
}

void
mt_zip_entry_free (MtZipEntry *self)
{
  if (self == NULL)
    return;
  archive_read_free (self->archive);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

gssize
mt_zip_entry_read (MtZipEntry    *self,
                   char          *buffer,
                   gsize          size,
                   GCancellable  *cancellable,
                   GError       **error)
{
  gssize n;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  n = archive_read_data (self->archive, buffer, size);
  if (n < 0)
    {
      fail_zip (self, error);
      return -1;
    }
  self->n_read += (guint64) n;
  return n;
}

#else

MtZipEntry *
mt_zip_entry_open (GFile         *file,
                   GBytes        *bytes,
                   const char    *name,
                   GCancellable  *cancellable,
                   GError       **error)
{
  mt_refuse (error, MT_ERROR_PARSE, _("Minterm was built without libarchive and cannot read spreadsheets: save the "
                                      "sheet as CSV"));
  return NULL;
}

void
mt_zip_entry_free (MtZipEntry *self)
{
}

gssize
mt_zip_entry_read (MtZipEntry    *self,
                   char          *buffer,
                   gsize          size,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_return_val_if_reached (-1);
}

#endif

double
mt_zip_entry_get_done (const MtZipEntry *self)
{
  return self->size > 0 ? MIN (1, (double) self->n_read / (double) self->size) : 0;
}

/* --- XML --- */

struct _MtXmlReader {
  MtZipEntry          *entry;
  char                *name;
  const MtXmlFuncs    *funcs;
  gpointer             data;
  GMarkupParseContext *context;
  guint                depth;
  gsize                pending;
  char                 piece[PIECE];
};

static const char *
local_name (const char *name)
{
  const char *colon = strchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

static void
on_start (GMarkupParseContext  *context,
          const char           *element,
          const char          **names,
          const char          **values,
          gpointer              data,
          GError              **error)
{
  MtXmlReader *self = data;

  self->pending = 0;
  if (++self->depth > MAX_DEPTH)
    mt_refuse (error, MT_ERROR_BUDGET, _("%s in the spreadsheet nests elements too deeply"), self->name);
  else if (self->funcs->start != NULL)
    self->funcs->start (local_name (element), names, values, self->data, error);
}

static void
on_end (GMarkupParseContext  *context,
        const char           *element,
        gpointer              data,
        GError              **error)
{
  MtXmlReader *self = data;

  self->pending = 0;
  self->depth--;
  if (self->funcs->end != NULL)
    self->funcs->end (local_name (element), self->data, error);
}

static void
on_text (GMarkupParseContext  *context,
         const char           *text,
         gsize                 length,
         gpointer              data,
         GError              **error)
{
  MtXmlReader *self = data;

  self->pending = 0;
  if (self->funcs->text != NULL)
    self->funcs->text (text, length, self->data, error);
}

MtXmlReader *
mt_xml_reader_new (MtZipEntry       *entry,
                   const char       *name,
                   const MtXmlFuncs *funcs,
                   gpointer          data)
{
  static const GMarkupParser parser = { on_start, on_end, on_text };
  MtXmlReader *self = g_new0 (MtXmlReader, 1);

  self->entry = entry;
  self->name = g_strdup (name);
  self->funcs = funcs;
  self->data = data;
  self->context = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, self, NULL);
  return self;
}

void
mt_xml_reader_free (MtXmlReader *self)
{
  if (self == NULL)
    return;
  g_markup_parse_context_free (self->context);
  mt_zip_entry_free (self->entry);
  g_free (self->name);
  g_free (self);
}

const MtZipEntry *
mt_xml_reader_get_entry (const MtXmlReader *self)
{
  return self->entry;
}

gboolean
mt_xml_reader_step (MtXmlReader   *self,
                    gboolean      *at_end,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (GError) problem = NULL;
  gssize n = mt_zip_entry_read (self->entry, self->piece, sizeof self->piece, cancellable, error);

  if (n < 0)
    return FALSE;
  *at_end = n == 0;
  self->pending += (gsize) n;
  if (self->pending > MAX_PENDING)
    return mt_refuse (error, MT_ERROR_BUDGET, _("%s in the spreadsheet has a tag or text of more than %u MiB"), self->name,
                      MAX_PENDING / 1024 / 1024);
  if (n > 0 ? g_markup_parse_context_parse (self->context, self->piece, n, &problem)
            : g_markup_parse_context_end_parse (self->context, &problem))
    return TRUE;
  if (problem->domain == G_MARKUP_ERROR)
    return mt_refuse (error, MT_ERROR_PARSE, _("%s in the spreadsheet is damaged: %s"), self->name, problem->message);
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

gboolean
mt_xml_read_entry (GFile            *file,
                   GBytes           *bytes,
                   const char       *name,
                   gboolean          needed,
                   const MtXmlFuncs *funcs,
                   gpointer          data,
                   GCancellable     *cancellable,
                   GError          **error)
{
  g_autoptr (GError) problem = NULL;
  MtZipEntry *entry = mt_zip_entry_open (file, bytes, name, cancellable, &problem);
  g_autoptr (MtXmlReader) reader = NULL;
  gboolean at_end = FALSE;

  if (entry == NULL && problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (entry == NULL)
    return !needed || mt_refuse (error, MT_ERROR_PARSE,
                                 _("The file is a ZIP archive but not a spreadsheet that Minterm can read: it has "
                                   "no %s"), name);
  reader = mt_xml_reader_new (entry, name, funcs, data);
  while (!at_end)
    if (!mt_xml_reader_step (reader, &at_end, cancellable, error))
      return FALSE;
  return TRUE;
}

const char *
mt_xml_attribute (const char **names,
                  const char **values,
                  const char  *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (local_name (names[i]), name))
      return values[i];
  return NULL;
}
