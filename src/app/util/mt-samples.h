/* The three tables that come with the program. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;     /* of the file, without its ending */
  const char *title;    /* untranslated: pass it through gettext */
  const char *about;
} MtSample;

const MtSample *mt_samples_get      (guint      *n_samples);
/* The file, whether or not it is there: $MINTERM_SAMPLES, else where the program is installed. */
GFile          *mt_samples_get_file (const char *name);

G_END_DECLS
