/* The files that the windows of this process show. What is saved may not replace one of them by a file of another
 * kind: neither the CSV by a project, nor the model by its own SQL. Main thread only. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  MT_OPEN_DATA,
  MT_OPEN_PROJECT,
  MT_OPEN_MODEL,
  MT_N_OPEN_KINDS,      /* and: none of them, such as a picture */
} MtOpenKind;

/* What @owner, which is watched, has open of that kind; NULL: nothing any more. */
void     mt_open_files_set   (GObject    *owner,
                              MtOpenKind  kind,
                              GFile      *file);
/* Whether something of @kind may be saved as @file; G_IO_ERROR_EXISTS says what to do. */
gboolean mt_open_files_check (GFile      *file,
                              MtOpenKind  kind,
                              GError    **error);

G_END_DECLS
