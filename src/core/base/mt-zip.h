/* A zip package of few small files, stored as they are: what OpenDocument asks for. No times, so
 * equal content is equal bytes. Private to core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;      /* ASCII */
  const char *data;
  gsize       length;    /* below 4 GB in all */
} MtZipFile;

void mt_zip_append (GString *out, const MtZipFile *files, guint n_files);

G_END_DECLS
