/* Unpacks what gzip or zstd compressed, a piece at a time. Private to the room. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _MtUnpacker MtUnpacker;

#define MT_UNPACKER_HEAD 4    /* bytes that tell what it is */

/* At most @size bytes, 0 at the end, −1 on error. */
typedef gssize (*MtUnpackerRead) (gpointer data, char *buffer, gsize size, GCancellable *cancellable, GError **error);

/* By the first bytes of the file. *self is NULL where it is not compressed. */
gboolean mt_unpacker_new  (const char *head, gsize length, MtUnpacker **self, GError **error);
void     mt_unpacker_free (MtUnpacker *self);
gssize   mt_unpacker_read (MtUnpacker *self, MtUnpackerRead read, gpointer data, char *buffer, gsize size,
                           GCancellable *cancellable, GError **error);

G_END_DECLS
