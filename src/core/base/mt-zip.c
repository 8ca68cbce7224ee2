/* A zip package of few small files, stored as they are: what OpenDocument asks for. See mt-zip.h. */
#include "config.h"
#include "mt-zip.h"

#include <string.h>

#define VERSION  20
#define NO_DATE  0x21    /* 1980-01-01, the first that the format knows */

static void
append_16 (GString *out,
           guint    value)
{
  g_string_append_c (out, (char) (value & 0xff));
  g_string_append_c (out, (char) (value >> 8 & 0xff));
}

static void
append_32 (GString *out,
           guint32  value)
{
  append_16 (out, value & 0xffff);
  append_16 (out, value >> 16);
}

static guint32
crc_of (const char *data,
        gsize       length)
{
  guint32 crc = 0xffffffff;

  for (gsize i = 0; i < length; i++)
    {
      crc ^= (guchar) data[i];
      for (guint bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  return ~crc;
}

/* What the head of a file and its entry in the directory have in common. */
static void
append_facts (GString         *out,
              const MtZipFile *file)
{
  append_16 (out, VERSION);
  append_16 (out, 0);          /* flags */
  append_16 (out, 0);          /* stored */
  append_16 (out, 0);          /* time */
  append_16 (out, NO_DATE);
  append_32 (out, crc_of (file->data, file->length));
  append_32 (out, (guint32) file->length);
  append_32 (out, (guint32) file->length);
  append_16 (out, (guint) strlen (file->name));
  append_16 (out, 0);          /* extra field */
}

void
mt_zip_append (GString         *out,
               const MtZipFile *files,
               guint            n_files)
{
  g_autoptr (GString) directory = g_string_new (NULL);
  gsize start = out->len, directory_at;

  for (guint i = 0; i < n_files; i++)
    {
      gsize at = out->len - start;

      append_32 (out, 0x04034b50);
      append_facts (out, &files[i]);
      g_string_append (out, files[i].name);
      g_string_append_len (out, files[i].data, (gssize) files[i].length);

      append_32 (directory, 0x02014b50);
      append_16 (directory, VERSION);
      append_facts (directory, &files[i]);
      append_16 (directory, 0);      /* comment */
      append_16 (directory, 0);      /* disk */
      append_16 (directory, 0);      /* internal attributes */
      append_32 (directory, 0);      /* external attributes */
      append_32 (directory, (guint32) at);
      g_string_append (directory, files[i].name);
    }
  directory_at = out->len - start;
  g_string_append_len (out, directory->str, (gssize) directory->len);
  append_32 (out, 0x06054b50);
  append_32 (out, 0);              /* disks */
  append_16 (out, n_files);
  append_16 (out, n_files);
  append_32 (out, (guint32) directory->len);
  append_32 (out, (guint32) directory_at);
  append_16 (out, 0);              /* comment */
}
