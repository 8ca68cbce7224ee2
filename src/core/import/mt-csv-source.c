/* Where the bytes of a CSV come from: a file, memory, or a pipe. See mt-csv-source.h. */
#include "config.h"
#include "mt-csv-source.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-sha256.h"
#include "mt-source-text.h"
#include "mt-unpacker.h"

/* A pipe's bytes stay in memory up to this size; a longer stream goes to a temporary file. */
#define SPOOL_IN_MEMORY (64u * 1024 * 1024)
/* What is hashed at a time, on a thread of its own once there is more than one of these. */
#define HASH_BUFFER     (256u * 1024)
#define N_HASH_BUFFERS  4

struct _MtCsvSource {
  GFile        *file;
  GBytes       *bytes;
  GInputStream *stream;
  char         *name;
  guint64       size;
  guint64       modified;       /* microseconds; with size, tells whether the file changed */
  char         *sha256;         /* of the first pass that reached the end */

  gboolean      settled;        /* the format is known */
  MtImportFormat format;
  MtCsvDialect *place;          /* the sheet, table or query wanted */
  char         *chosen;         /* the sheet or table read */
  char         *text_sha256;    /* of the text that it became */

  /* What a stream has given so far. */
  GByteArray   *spool;
  int           spool_fd;       /* -1: still in memory */
  guint64       spool_length;
  gboolean      passing;        /* what comes now is not kept */
};

typedef struct {
  gsize length;     /* 0: the end */
  char  data[HASH_BUFFER];
} HashBuffer;

struct _MtCsvPass {
  MtCsvSource   *source;
  GInputStream  *input;         /* files only */
  guint64        offset;        /* stored bytes handed out */

  MtSha256      *sha;           /* the thread's, while there is one */
  HashBuffer    *hash_buffer;   /* being filled */
  GAsyncQueue   *to_hash;       /* of HashBuffer */
  GAsyncQueue   *hashed;        /* … on their way back */
  guint          n_hash_buffers;
  GThread       *hasher;

  gboolean       started;
  gboolean       at_end;

  MtUnpacker    *unpacker;      /* NULL: not compressed */
  char           head[MT_UNPACKER_HEAD];   /* read to know that */
  gsize          head_start, head_end;

  MtSourceText  *text;          /* not the bytes of the file, but what they say */
  GString       *made;
  gsize          made_start;
};

MtCsvSource *
mt_csv_source_new_file (GFile *file)
{
  MtCsvSource *source = g_new0 (MtCsvSource, 1);

  source->file = g_object_ref (file);
  source->name = g_file_get_parse_name (file);
  source->spool_fd = -1;
  return source;
}

MtCsvSource *
mt_csv_source_new_bytes (GBytes *bytes)
{
  MtCsvSource *source = g_new0 (MtCsvSource, 1);

  source->bytes = g_bytes_ref (bytes);
  source->name = g_strdup (_("the data"));
  source->size = g_bytes_get_size (bytes);
  source->spool_fd = -1;
  return source;
}

MtCsvSource *
mt_csv_source_new_stream (GInputStream *stream)
{
  MtCsvSource *source = g_new0 (MtCsvSource, 1);

  source->stream = g_object_ref (stream);
  source->name = g_strdup (_("the input"));
  source->spool = g_byte_array_new ();
  source->spool_fd = -1;
  return source;
}

void
mt_csv_source_free (MtCsvSource *source)
{
  if (source == NULL)
    return;
  g_clear_object (&source->file);
  g_clear_pointer (&source->bytes, g_bytes_unref);
  g_clear_object (&source->stream);
  g_clear_pointer (&source->spool, g_byte_array_unref);
  if (source->spool_fd >= 0)
    close (source->spool_fd);
  g_free (source->name);
  g_free (source->sha256);
  mt_csv_dialect_free (source->place);
  g_free (source->chosen);
  g_free (source->text_sha256);
  g_free (source);
}

/* Text that is made of a database comes at its own pace. */
guint64
mt_csv_source_get_size (const MtCsvSource *source)
{
  return source->format == MT_FORMAT_TEXT || source->format == MT_FORMAT_XLSX || source->format == MT_FORMAT_ODS ? source->size : 0;
}

/* --- keeping a pipe's bytes --- */

static gboolean
spool_fail (GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _("Cannot store a copy of the input in %s: %s"), g_get_tmp_dir (), g_strerror (code));
  return FALSE;
}

static gboolean
write_all (int          fd,
           const char  *data,
           gsize        length,
           GError     **error)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return spool_fail (error);
      data += n;
      length -= (gsize) n;
    }
  return TRUE;
}

static gboolean
spool_append (MtCsvSource  *source,
              const char   *data,
              gsize         length,
              GError      **error)
{
  if (source->spool_fd < 0 && source->spool->len + length > SPOOL_IN_MEMORY)
    {
      g_autofree char *path = NULL;

      source->spool_fd = g_file_open_tmp ("minterm-XXXXXX", &path, error);
      if (source->spool_fd < 0)
        return FALSE;
      g_unlink (path);   /* it vanishes with us, whatever happens */
      if (!write_all (source->spool_fd, (const char *) source->spool->data, source->spool->len, error))
        return FALSE;
      g_byte_array_set_size (source->spool, 0);
    }
  if (source->spool_fd < 0)
    g_byte_array_append (source->spool, (const guint8 *) data, (guint) length);
  else if (!write_all (source->spool_fd, data, length, error))
    return FALSE;
  source->spool_length += length;
  return TRUE;
}

void
mt_csv_source_let_pass (MtCsvSource *source)
{
  source->passing = TRUE;
}

/* After what was kept has been read once more, by the last pass. */
static void
spool_drop (MtCsvSource *source)
{
  g_clear_pointer (&source->spool, g_byte_array_unref);
  if (source->spool_fd >= 0)
    close (source->spool_fd);
  source->spool_fd = -1;
}

static gssize
spool_read (MtCsvSource  *source,
            guint64       offset,
            char         *buffer,
            gsize         size,
            GError      **error)
{
  gsize n = (gsize) MIN (size, source->spool_length - offset);
  gssize got;

  if (source->spool_fd < 0)
    {
      memcpy (buffer, source->spool->data + offset, n);
      return (gssize) n;
    }
  do
    got = pread (source->spool_fd, buffer, n, (off_t) offset);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    spool_fail (error);
  return got;
}

/* --- hashing beside reading --- */

static gpointer
hash_buffers (gpointer data)
{
  MtCsvPass *pass = data;

  while (TRUE)
    {
      HashBuffer *buffer = g_async_queue_pop (pass->to_hash);
      gsize length = buffer->length;

      mt_sha256_update (pass->sha, buffer->data, length);
      g_async_queue_push (pass->hashed, buffer);
      if (length == 0)
        return NULL;
    }
}

/* An empty buffer: a new one, or one that comes back from the thread. */
static HashBuffer *
next_buffer (MtCsvPass *pass)
{
  HashBuffer *buffer;

  if (pass->n_hash_buffers < N_HASH_BUFFERS)
    {
      pass->n_hash_buffers++;
      buffer = g_new (HashBuffer, 1);
    }
  else
    buffer = g_async_queue_pop (pass->hashed);
  buffer->length = 0;
  return buffer;
}

static void
hash (MtCsvPass  *pass,
      const char *data,
      gsize       length)
{
  if (pass->source->size > 0 && pass->source->size <= HASH_BUFFER)
    {
      mt_sha256_update (pass->sha, data, length);
      return;
    }
  while (length > 0)
    {
      gsize n;

      if (pass->hash_buffer == NULL)
        pass->hash_buffer = next_buffer (pass);
      n = MIN (length, HASH_BUFFER - pass->hash_buffer->length);
      memcpy (pass->hash_buffer->data + pass->hash_buffer->length, data, n);
      pass->hash_buffer->length += n;
      data += n;
      length -= n;
      if (pass->hash_buffer->length < HASH_BUFFER)
        return;
      if (pass->hasher == NULL)
        {
          pass->to_hash = g_async_queue_new_full (g_free);
          pass->hashed = g_async_queue_new_full (g_free);
          pass->hasher = g_thread_try_new ("mt-hash", hash_buffers, pass, NULL);
        }
      /* The system gives no more threads. */
      if (pass->hasher == NULL)
        {
          mt_sha256_update (pass->sha, pass->hash_buffer->data, pass->hash_buffer->length);
          pass->hash_buffer->length = 0;
          g_clear_pointer (&pass->to_hash, g_async_queue_unref);
          g_clear_pointer (&pass->hashed, g_async_queue_unref);
          continue;
        }
      g_async_queue_push (pass->to_hash, g_steal_pointer (&pass->hash_buffer));
    }
}

/* What is left is hashed here; afterwards the thread is gone. */
static void
finish_hash (MtCsvPass *pass)
{
  g_autofree HashBuffer *rest = g_steal_pointer (&pass->hash_buffer);

  if (pass->hasher != NULL)
    {
      g_async_queue_push (pass->to_hash, next_buffer (pass));
      g_thread_join (g_steal_pointer (&pass->hasher));
      g_clear_pointer (&pass->to_hash, g_async_queue_unref);
      g_clear_pointer (&pass->hashed, g_async_queue_unref);
    }
  if (rest != NULL)
    mt_sha256_update (pass->sha, rest->data, rest->length);
}

/* --- a pass --- */

static gboolean
file_stamp (GFile         *file,
            guint64       *size,
            guint64       *modified,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GFileInfo) info = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED ","
                            G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC, G_FILE_QUERY_INFO_NONE, cancellable, error);
  if (info == NULL)
    return FALSE;
  *size = (guint64) g_file_info_get_size (info);
  *modified = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC +
              g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  return TRUE;
}

MtCsvPass *
mt_csv_pass_new (MtCsvSource   *source,
                 GCancellable  *cancellable,
                 GError       **error)
{
  g_autoptr (MtCsvPass) pass = g_new0 (MtCsvPass, 1);

  g_assert (!source->passing || source->stream == NULL);
  pass->source = source;
  pass->sha = mt_sha256_new (FALSE);
  if (source->file != NULL && source->modified == 0 &&
      !file_stamp (source->file, &source->size, &source->modified, cancellable, error))
    return NULL;
  if (source->format != MT_FORMAT_TEXT)
    {
      g_autofree char *chosen = NULL;

      pass->made = g_string_new (NULL);
      pass->text = mt_source_text_open (source->format, source->file, source->bytes, source->place, &chosen, cancellable, error);
      if (pass->text == NULL)
        return NULL;
      g_free (source->chosen);
      source->chosen = g_steal_pointer (&chosen);
    }
  else if (source->file != NULL)
    {
      GFileInputStream *input = g_file_read (source->file, cancellable, error);

      if (input == NULL)
        return NULL;
      pass->input = G_INPUT_STREAM (input);
    }
  return g_steal_pointer (&pass);
}

void
mt_csv_pass_free (MtCsvPass *pass)
{
  if (pass == NULL)
    return;
  g_clear_object (&pass->input);
  mt_unpacker_free (pass->unpacker);
  mt_source_text_free (pass->text);
  if (pass->made != NULL)
    g_string_free (pass->made, TRUE);
  finish_hash (pass);
  mt_sha256_free (pass->sha);
  g_free (pass);
}

guint64
mt_csv_pass_get_n_bytes (const MtCsvPass *pass)
{
  if (pass->text == NULL)
    return pass->offset;
  return pass->at_end ? pass->source->size : pass->text->position != NULL ? pass->text->position (pass->text) : 0;
}

/* --- what the source is --- */

static gssize read_stored (MtCsvPass *pass, char *buffer, gsize size, GCancellable *cancellable, GError **error);

static gboolean
find_format (MtCsvSource   *source,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (MtCsvPass) pass = mt_csv_pass_new (source, cancellable, error);
  char head[MT_FORMAT_HEAD];
  gsize n = 0;
  gssize got = 1;

  if (pass == NULL)
    return FALSE;
  while (n < sizeof head && got > 0)
    {
      got = read_stored (pass, head + n, sizeof head - n, cancellable, error);
      if (got < 0)
        return FALSE;
      n += (gsize) got;
    }
  source->format = mt_import_format_of (head, n);
  source->settled = TRUE;
  return TRUE;
}

MtCsvDialect *
mt_csv_source_settle (MtCsvSource         *source,
                      const MtCsvDialect  *wanted,
                      GCancellable        *cancellable,
                      GError             **error)
{
  MtCsvDialect *dialect;

  if (!source->settled && !find_format (source, cancellable, error))
    return NULL;
  if (source->format == MT_FORMAT_TEXT && (wanted->sheet != NULL || wanted->table != NULL || wanted->query != NULL))
    {
      mt_refuse (error, MT_ERROR_PARAMS,
                 _("A text file has only one table, so do not choose a sheet, table, or query"));
      return NULL;
    }
  if (source->format != MT_FORMAT_TEXT && source->stream != NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("%s can be read only from a file, not from a pipe: save the data to a "
                                           "file first"),
                 mt_import_format_get_name (source->format));
      return NULL;
    }
  dialect = mt_csv_dialect_copy (wanted);
  if (source->format == MT_FORMAT_TEXT)
    return dialect;
  g_free (dialect->encoding);
  dialect->encoding = g_strdup ("UTF-8");
  dialect->delimiter = ',';
  dialect->quote = '"';
  /* Numbers have a point, whatever the texts are like. */
  dialect->decimal = '.';
  dialect->thousands = MT_CSV_NO_THOUSANDS;
  if (source->format != MT_FORMAT_XLSX && source->format != MT_FORMAT_ODS)
    dialect->header = 1;     /* a table has names */
  mt_csv_dialect_free (source->place);
  source->place = mt_csv_dialect_copy (wanted);
  return dialect;
}

void
mt_csv_source_note_chosen (const MtCsvSource *source,
                           MtCsvDialect      *dialect)
{
  char **where = source->format == MT_FORMAT_XLSX || source->format == MT_FORMAT_ODS ? &dialect->sheet : &dialect->table;

  if (source->chosen == NULL)
    return;
  g_free (*where);
  *where = g_strdup (source->chosen);
}

/* --- the bytes as stored --- */

static gssize
read_stored (MtCsvPass     *pass,
             char          *buffer,
             gsize          size,
             GCancellable  *cancellable,
             GError       **error)
{
  MtCsvSource *source = pass->source;
  gssize n;

  if (pass->input != NULL)
    n = g_input_stream_read (pass->input, buffer, size, cancellable, error);
  else if (source->bytes != NULL)
    {
      gsize length;
      const char *data = g_bytes_get_data (source->bytes, &length);

      n = (gssize) MIN (size, length - (gsize) pass->offset);
      if (n > 0)
        memcpy (buffer, data + pass->offset, (gsize) n);
    }
  else if (pass->offset < source->spool_length)
    n = spool_read (source, pass->offset, buffer, size, error);
  else
    {
      n = g_input_stream_read (source->stream, buffer, size, cancellable, error);
      if (source->passing)
        spool_drop (source);
      else if (n > 0 && !spool_append (source, buffer, (gsize) n, error))
        n = -1;
    }
  if (n > 0)
    {
      hash (pass, buffer, (gsize) n);
      pass->offset += (guint64) n;
    }
  pass->at_end = n == 0;
  return n;
}

/* The first bytes tell what is compressed from text. */
static gboolean
start (MtCsvPass     *pass,
       GCancellable  *cancellable,
       GError       **error)
{
  while (pass->head_end < sizeof pass->head)
    {
      gssize n = read_stored (pass, pass->head + pass->head_end, sizeof pass->head - pass->head_end, cancellable, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      pass->head_end += (gsize) n;
    }
  pass->started = TRUE;
  return mt_unpacker_new (pass->head, pass->head_end, &pass->unpacker, error);
}

/* The stored bytes, those that were looked at first. */
static gssize
read_all_stored (gpointer       data,
                 char          *buffer,
                 gsize          size,
                 GCancellable  *cancellable,
                 GError       **error)
{
  MtCsvPass *pass = data;
  gsize n = MIN (size, pass->head_end - pass->head_start);

  if (n == 0)
    return read_stored (pass, buffer, size, cancellable, error);
  memcpy (buffer, pass->head + pass->head_start, n);
  pass->head_start += n;
  return (gssize) n;
}

/* What the sheet or table says. */
static gssize
read_made (MtCsvPass     *pass,
           char          *buffer,
           gsize          size,
           GCancellable  *cancellable,
           GError       **error)
{
  gsize n;

  if (pass->made_start == pass->made->len && !pass->at_end)
    {
      g_string_truncate (pass->made, 0);
      pass->made_start = 0;
      if (!pass->text->more (pass->text, pass->made, cancellable, error))
        return -1;
      pass->at_end = pass->made->len == 0;
      hash (pass, pass->made->str, pass->made->len);
    }
  n = MIN (size, pass->made->len - pass->made_start);
  memcpy (buffer, pass->made->str + pass->made_start, n);
  pass->made_start += n;
  return (gssize) n;
}

gssize
mt_csv_pass_read (MtCsvPass     *pass,
                  char          *buffer,
                  gsize          size,
                  GCancellable  *cancellable,
                  GError       **error)
{
  if (pass->text != NULL)
    return read_made (pass, buffer, size, cancellable, error);
  if (!pass->started && !start (pass, cancellable, error))
    return -1;
  if (pass->unpacker != NULL)
    return mt_unpacker_read (pass->unpacker, read_all_stored, pass, buffer, size, cancellable, error);
  return read_all_stored (pass, buffer, size, cancellable, error);
}

/* Of the file as it is stored, where it was not read as a stream of bytes. */
static char *
hash_stored (MtCsvSource  *source,
             GError      **error)
{
  g_autoptr (MtSha256) sha = mt_sha256_new (FALSE);
  g_autoptr (GFileInputStream) input = NULL;
  g_autofree char *buffer = NULL;
  gssize n;

  if (source->bytes != NULL)
    {
      mt_sha256_update (sha, g_bytes_get_data (source->bytes, NULL), g_bytes_get_size (source->bytes));
      return mt_sha256_finish (sha);
    }
  input = g_file_read (source->file, NULL, error);
  if (input == NULL)
    return NULL;
  buffer = g_malloc (HASH_BUFFER);
  while ((n = g_input_stream_read (G_INPUT_STREAM (input), buffer, HASH_BUFFER, NULL, error)) > 0)
    mt_sha256_update (sha, buffer, (gsize) n);
  return n == 0 ? mt_sha256_finish (sha) : NULL;
}

gboolean
mt_csv_pass_finish (MtCsvPass  *pass,
                    char      **sha256,
                    GError    **error)
{
  MtCsvSource *source = pass->source;
  g_autofree char *hex = NULL;
  char **known;
  guint64 size, modified;

  finish_hash (pass);
  hex = mt_sha256_finish (pass->sha);
  known = pass->text != NULL ? &source->text_sha256 : &source->sha256;
  if (*known == NULL)
    *known = g_strdup (hex);
  else if (strcmp (*known, hex) != 0)
    goto changed;
  if (pass->text != NULL)
    {
      if (source->sha256 == NULL)
        source->sha256 = hash_stored (source, error);
      if (source->sha256 == NULL)
        return FALSE;
      g_free (hex);
      hex = g_strdup (source->sha256);
    }
  if (source->file != NULL)
    {
      if (!file_stamp (source->file, &size, &modified, NULL, error))
        return FALSE;
      if (size != source->size || modified != source->modified)
        goto changed;
    }
  *sha256 = g_steal_pointer (&hex);
  return TRUE;

changed:
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
               _("%s changed while it was being read; open it again when no program is writing to it"),
               source->name);
  return FALSE;
}
