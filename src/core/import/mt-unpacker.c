/* Unpacks what gzip or zstd compressed. See mt-unpacker.h.
 *
 * gzip through GIO; zstd through libzstd, which is optional. Several members or frames one behind the other are one text,
 * as the programs gzip and zstd treat them. Memory is bounded: a window of zstd of more than 128 MiB is refused, and so is
 * a file that unpacks to more than MAX_RATIO times its size, which no table does. */
#include "config.h"
#include "mt-unpacker.h"

#include <string.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define PACKED_BUFFER (64u * 1024)
#define MAX_WINDOW    27                              /* a power of two: 128 MiB */
#define MAX_RATIO     500u
#define FREE_BYTES    (256u * 1024 * 1024)            /* unpacked, before the ratio counts */

struct _MtUnpacker {
  GConverter   *gzip;
#ifdef HAVE_LIBZSTD
  ZSTD_DStream *zstd;
#endif
  gboolean      in_member;    /* of which the end was not seen yet */
  gboolean      at_end;       /* all that is packed was read */
  char         *packed;
  gsize         start, end;
  guint64       n_packed, n_unpacked;
};

gboolean
mt_unpacker_new (const char  *head,
                 gsize        length,
                 MtUnpacker **self,
                 GError     **error)
{
  gboolean gzip = length >= 2 && memcmp (head, "\x1f\x8b", 2) == 0;
  gboolean zstd = length >= 4 && memcmp (head, "\x28\xb5\x2f\xfd", 4) == 0;

  *self = NULL;
  if (!gzip && !zstd)
    return TRUE;
#ifndef HAVE_LIBZSTD
  if (zstd)
    return mt_refuse (error, MT_ERROR_PARSE, _("The file is compressed with zstd, but Minterm was built without "
                                               "libzstd: unpack it with zstd -d"));
#endif
  *self = g_new0 (MtUnpacker, 1);
  (*self)->packed = g_malloc (PACKED_BUFFER);
  if (gzip)
    (*self)->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
#ifdef HAVE_LIBZSTD
  else
    {
      (*self)->zstd = ZSTD_createDStream ();
      ZSTD_DCtx_setParameter ((*self)->zstd, ZSTD_d_windowLogMax, MAX_WINDOW);
    }
#endif
  return TRUE;
}

void
mt_unpacker_free (MtUnpacker *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->gzip);
#ifdef HAVE_LIBZSTD
  ZSTD_freeDStream (self->zstd);
#endif
  g_free (self->packed);
  g_free (self);
}

static gboolean
fill (MtUnpacker      *self,
      MtUnpackerRead   read,
      gpointer         data,
      GCancellable    *cancellable,
      GError         **error)
{
  gssize n;

  if (self->at_end || self->end - self->start >= PACKED_BUFFER / 2)
    return TRUE;
  memmove (self->packed, self->packed + self->start, self->end - self->start);
  self->end -= self->start;
  self->start = 0;
  n = read (data, self->packed + self->end, PACKED_BUFFER - self->end, cancellable, error);
  if (n < 0)
    return FALSE;
  self->at_end = n == 0;
  self->end += (gsize) n;
  self->n_packed += (gsize) n;
  return TRUE;
}

/* *n_written of a piece; FALSE with an error. Nothing may come of it where more input helps. */
static gboolean
unpack_gzip (MtUnpacker  *self,
             char        *buffer,
             gsize        size,
             gsize       *n_written,
             GError     **error)
{
  g_autoptr (GError) problem = NULL;
  gsize n_read = 0;
  GConverterResult result;

  result = g_converter_convert (self->gzip, self->packed + self->start, self->end - self->start, buffer, size,
                                self->at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &n_read, n_written, &problem);
  if (result == G_CONVERTER_ERROR)
    return (!self->at_end && g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)) ||
           mt_refuse (error, MT_ERROR_PARSE, _("The gzip data is damaged or truncated: %s"), problem->message);
  self->start += n_read;
  self->in_member = result != G_CONVERTER_FINISHED;
  if (result == G_CONVERTER_FINISHED)
    g_converter_reset (self->gzip);   /* another member may follow */
  return TRUE;
}

#ifdef HAVE_LIBZSTD
static gboolean
unpack_zstd (MtUnpacker  *self,
             char        *buffer,
             gsize        size,
             gsize       *n_written,
             GError     **error)
{
  ZSTD_inBuffer in = { self->packed + self->start, self->end - self->start, 0 };
  ZSTD_outBuffer out = { buffer, size, 0 };
  size_t left = ZSTD_decompressStream (self->zstd, &out, &in);

  if (ZSTD_isError (left))
    return mt_refuse (error, MT_ERROR_PARSE, _("The zstd data is damaged or truncated: %s"), ZSTD_getErrorName (left));
  self->start += in.pos;
  *n_written = out.pos;
  self->in_member = left != 0;
  if (self->in_member && self->at_end && in.pos == 0 && out.pos == 0)
    return mt_refuse (error, MT_ERROR_PARSE, _("The zstd data is damaged or truncated: %s"), _("it ends too early"));
  return TRUE;
}
#endif

gssize
mt_unpacker_read (MtUnpacker      *self,
                  MtUnpackerRead   read,
                  gpointer         data,
                  char            *buffer,
                  gsize            size,
                  GCancellable    *cancellable,
                  GError         **error)
{
  gsize n_written = 0;

  while (n_written == 0)
    {
      gboolean ok;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !fill (self, read, data, cancellable, error))
        return -1;
      if (self->at_end && self->start == self->end && !self->in_member)
        return 0;
#ifdef HAVE_LIBZSTD
      if (self->zstd != NULL)
        ok = unpack_zstd (self, buffer, size, &n_written, error);
      else
#endif
        ok = unpack_gzip (self, buffer, size, &n_written, error);
      if (!ok)
        return -1;
    }
  self->n_unpacked += n_written;
  if (self->n_unpacked > FREE_BYTES && self->n_unpacked / MAX_RATIO > self->n_packed)
    {
      mt_refuse (error, MT_ERROR_BUDGET,
                 _("The file unpacks to more than %u times its size, which is unusual for a table: if the file is "
                   "correct, unpack it yourself and open the result"), MAX_RATIO);
      return -1;
    }
  return (gssize) n_written;
}
