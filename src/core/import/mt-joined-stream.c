/* Several files of the same columns as the text of one. See mt-joined-stream.h. */
#include "config.h"
#include "mt-joined-stream.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-csv-source.h"

#define PIECE      (256u * 1024)
#define MAX_HEADER (16u * 1024 * 1024)

struct _MtJoinedStream {
  GInputStream   parent_instance;

  GPtrArray     *files;      /* of GFile */
  MtCsvDialect  *dialect;
  guint          next;       /* the file to open */
  MtCsvSource   *source;     /* of the one that is open */
  MtCsvPass     *pass;
  char          *names;      /* the first line of the first file, without its end; NULL: not read yet, or there is none */
  GString       *pending;    /* what is to be handed out next */
  gsize          taken;      /* of it */
  char           last;       /* byte of the file */
};

G_DEFINE_FINAL_TYPE (MtJoinedStream, mt_joined_stream, G_TYPE_INPUT_STREAM)

static char *
dup_name (MtJoinedStream *self,
          guint           index)
{
  g_autofree char *path = g_file_get_parse_name (self->files->pdata[index]);

  return g_filename_display_basename (path);
}

/* One more piece of the open file behind what is pending. FALSE: an error; *at_end: there was no more. */
static gboolean
read_piece (MtJoinedStream  *self,
            gboolean        *at_end,
            GCancellable    *cancellable,
            GError         **error)
{
  gsize length = self->pending->len;
  gssize n;

  g_string_set_size (self->pending, length + PIECE);
  n = mt_csv_pass_read (self->pass, self->pending->str + length, PIECE, cancellable, error);
  g_string_set_size (self->pending, length + (gsize) MAX (n, 0));
  *at_end = n == 0;
  if (n > 0)
    self->last = self->pending->str[length + (gsize) n - 1];
  return n >= 0;
}

/* Bytes of the first record in what is pending, with its end; 0: it is not whole. */
static gsize
find_end (MtJoinedStream *self)
{
  char quote = self->dialect->quote == 0 ? '"' : self->dialect->quote == MT_CSV_NO_QUOTE ? '\n' : self->dialect->quote;
  gboolean quoted = FALSE;

  for (gsize i = 0; i < self->pending->len; i++)
    {
      if (self->pending->str[i] == quote && quote != '\n')
        quoted = !quoted;
      if (self->pending->str[i] == '\n' && !quoted)
        return i + 1;
    }
  return 0;
}

static gboolean
refuse_encoding (MtJoinedStream  *self,
                 GError         **error)
{
  g_autofree char *name = dup_name (self, self->next - 1);

  g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
               _("“%s” cannot be joined to other files: its first line has no end, or its encoding has bytes of value 0. Save it as "
                 "UTF-8"), name);
  return FALSE;
}

/* The first line stays with the first file and is left out of the others. */
static gboolean
take_names (MtJoinedStream  *self,
            GCancellable    *cancellable,
            GError         **error)
{
  g_autofree char *names = NULL;
  gboolean at_end = FALSE;
  gsize start, end;

  while ((end = find_end (self)) == 0 && !at_end)
    {
      if (self->pending->len > MAX_HEADER)
        return refuse_encoding (self, error);
      if (!read_piece (self, &at_end, cancellable, error))
        return FALSE;
    }
  if (end == 0)
    end = self->pending->len;
  if (memchr (self->pending->str, 0, end) != NULL)
    return refuse_encoding (self, error);
  start = g_str_has_prefix (self->pending->str, "\xef\xbb\xbf") ? 3 : 0;
  names = g_strndup (self->pending->str + start, end - start);
  names[strcspn (names, "\n")] = '\0';
  g_strchomp (names);
  if (self->names == NULL)
    {
      self->names = g_steal_pointer (&names);
      return TRUE;
    }
  if (strcmp (names, self->names) != 0)
    {
      g_autofree char *name = dup_name (self, self->next - 1);
      g_autofree char *first = dup_name (self, 0);

      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("The first line of “%s” is not that of “%s”: files that are read as one table need the same line of names"),
                   name, first);
      return FALSE;
    }
  g_string_erase (self->pending, 0, (gssize) end);
  return TRUE;
}

static gboolean
open_next (MtJoinedStream  *self,
           GCancellable    *cancellable,
           GError         **error)
{
  g_autoptr (MtCsvDialect) settled = NULL;

  if (self->next > 0 && self->last != '\n')
    g_string_append_c (self->pending, '\n');
  g_clear_pointer (&self->pass, mt_csv_pass_free);
  g_clear_pointer (&self->source, mt_csv_source_free);
  self->source = mt_csv_source_new_file (self->files->pdata[self->next]);
  settled = mt_csv_source_settle (self->source, self->dialect, cancellable, error);
  if (settled == NULL || (self->pass = mt_csv_pass_new (self->source, cancellable, error)) == NULL)
    return FALSE;
  self->next++;
  self->last = '\n';
  if (self->dialect->header == 0)
    return TRUE;
  /* The line end of the file before must not stand in front of the names. */
  if (self->pending->len > 0)
    {
      g_autoptr (GString) before = g_steal_pointer (&self->pending);
      gboolean ok;

      self->pending = g_string_new (NULL);
      ok = take_names (self, cancellable, error);
      g_string_prepend_len (self->pending, before->str, (gssize) before->len);
      return ok;
    }
  return take_names (self, cancellable, error);
}

static gssize
mt_joined_stream_read (GInputStream  *stream,
                       void          *buffer,
                       gsize          size,
                       GCancellable  *cancellable,
                       GError       **error)
{
  MtJoinedStream *self = MT_JOINED_STREAM (stream);
  gsize n;

  while (self->taken == self->pending->len)
    {
      gboolean at_end = TRUE;

      g_string_truncate (self->pending, 0);
      self->taken = 0;
      if (self->pass != NULL && !read_piece (self, &at_end, cancellable, error))
        return -1;
      if (!at_end)
        continue;
      if (self->next == self->files->len)
        return 0;
      if (!open_next (self, cancellable, error))
        return -1;
    }
  n = MIN (size, self->pending->len - self->taken);
  memcpy (buffer, self->pending->str + self->taken, n);
  self->taken += n;
  return (gssize) n;
}

static void
mt_joined_stream_finalize (GObject *object)
{
  MtJoinedStream *self = MT_JOINED_STREAM (object);

  mt_csv_pass_free (self->pass);
  mt_csv_source_free (self->source);
  g_ptr_array_unref (self->files);
  mt_csv_dialect_free (self->dialect);
  g_string_free (self->pending, TRUE);
  g_free (self->names);
  G_OBJECT_CLASS (mt_joined_stream_parent_class)->finalize (object);
}

static void
mt_joined_stream_class_init (MtJoinedStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_joined_stream_finalize;
  G_INPUT_STREAM_CLASS (klass)->read_fn = mt_joined_stream_read;
}

static void
mt_joined_stream_init (MtJoinedStream *self)
{
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->pending = g_string_new (NULL);
}

GInputStream *
mt_joined_stream_new (GFile * const       *files,
                      guint                n_files,
                      const MtCsvDialect  *dialect)
{
  MtJoinedStream *self = g_object_new (MT_TYPE_JOINED_STREAM, NULL);

  for (guint i = 0; i < n_files; i++)
    g_ptr_array_add (self->files, g_object_ref (files[i]));
  self->dialect = mt_csv_dialect_copy (dialect);
  return G_INPUT_STREAM (self);
}
