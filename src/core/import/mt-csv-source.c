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

/* A pipe's bytes stay in memory up to this size; a longer stream goes to a temporary file. */
#define SPOOL_IN_MEMORY (64u * 1024 * 1024)
#define PACKED_BUFFER   (64u * 1024)
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

  /* What a stream has given so far. */
  GByteArray   *spool;
  int           spool_fd;       /* -1: still in memory */
  guint64       spool_length;
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

  GConverter    *unpacker;      /* NULL: not compressed */
  gboolean       unpacked_any;  /* of the current gzip member */
  char          *packed;
  gsize          packed_start, packed_end;
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
  g_free (source);
}

guint64
mt_csv_source_get_size (const MtCsvSource *source)
{
  return source->size;
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

  pass->source = source;
  pass->sha = mt_sha256_new (FALSE);
  if (source->file != NULL)
    {
      GFileInputStream *input = g_file_read (source->file, cancellable, error);

      if (input == NULL)
        return NULL;
      pass->input = G_INPUT_STREAM (input);
      if (source->modified == 0 &&
          !file_stamp (source->file, &source->size, &source->modified, cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&pass);
}

void
mt_csv_pass_free (MtCsvPass *pass)
{
  if (pass == NULL)
    return;
  g_clear_object (&pass->input);
  g_clear_object (&pass->unpacker);
  finish_hash (pass);
  mt_sha256_free (pass->sha);
  g_free (pass->packed);
  g_free (pass);
}

guint64
mt_csv_pass_get_n_bytes (const MtCsvPass *pass)
{
  return pass->offset;
}

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
      if (n > 0 && !spool_append (source, buffer, (gsize) n, error))
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

/* The first two bytes tell gzip from text; what was read to know is kept in `packed`. */
static gboolean
start (MtCsvPass     *pass,
       GCancellable  *cancellable,
       GError       **error)
{
  pass->packed = g_malloc (PACKED_BUFFER);
  while (pass->packed_end < 2)
    {
      gssize n = read_stored (pass, pass->packed + pass->packed_end, 2 - pass->packed_end, cancellable, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      pass->packed_end += (gsize) n;
    }
  if (pass->packed_end == 2 && memcmp (pass->packed, "\x1f\x8b", 2) == 0)
    pass->unpacker = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  pass->started = TRUE;
  return TRUE;
}

static gssize
read_unpacked (MtCsvPass     *pass,
               char          *buffer,
               gsize          size,
               GCancellable  *cancellable,
               GError       **error)
{
  while (TRUE)
    {
      g_autoptr (GError) problem = NULL;
      GConverterResult result;
      gsize n_read = 0, n_written = 0;

      if (!pass->at_end && pass->packed_end - pass->packed_start < PACKED_BUFFER / 2)
        {
          gssize n;

          memmove (pass->packed, pass->packed + pass->packed_start, pass->packed_end - pass->packed_start);
          pass->packed_end -= pass->packed_start;
          pass->packed_start = 0;
          n = read_stored (pass, pass->packed + pass->packed_end, PACKED_BUFFER - pass->packed_end,
                           cancellable, error);
          if (n < 0)
            return -1;
          pass->packed_end += (gsize) n;
        }
      if (pass->at_end && pass->packed_start == pass->packed_end && !pass->unpacked_any)
        return 0;
      result = g_converter_convert (pass->unpacker, pass->packed + pass->packed_start,
                                    pass->packed_end - pass->packed_start, buffer, size,
                                    pass->at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS,
                                    &n_read, &n_written, &problem);
      if (result == G_CONVERTER_ERROR)
        {
          if (!pass->at_end && g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
            continue;
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                       _("The gzip data is damaged or truncated: %s"), problem->message);
          return -1;
        }
      pass->packed_start += n_read;
      pass->unpacked_any = result != G_CONVERTER_FINISHED;
      if (result == G_CONVERTER_FINISHED)
        g_converter_reset (pass->unpacker);   /* another member may follow */
      if (n_written > 0)
        return (gssize) n_written;
    }
}

gssize
mt_csv_pass_read (MtCsvPass     *pass,
                  char          *buffer,
                  gsize          size,
                  GCancellable  *cancellable,
                  GError       **error)
{
  if (!pass->started && !start (pass, cancellable, error))
    return -1;
  if (pass->unpacker != NULL)
    return read_unpacked (pass, buffer, size, cancellable, error);
  if (pass->packed_start < pass->packed_end)
    {
      gsize n = MIN (size, pass->packed_end - pass->packed_start);

      memcpy (buffer, pass->packed + pass->packed_start, n);
      pass->packed_start += n;
      return (gssize) n;
    }
  return read_stored (pass, buffer, size, cancellable, error);
}

gboolean
mt_csv_pass_finish (MtCsvPass  *pass,
                    char      **sha256,
                    GError    **error)
{
  MtCsvSource *source = pass->source;
  g_autofree char *hex = NULL;
  guint64 size, modified;

  finish_hash (pass);
  hex = mt_sha256_finish (pass->sha);
  if (source->sha256 == NULL)
    source->sha256 = g_strdup (hex);
  else if (strcmp (source->sha256, hex) != 0)
    goto changed;
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
