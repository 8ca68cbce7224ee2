/* A few raw lines of a file around one that cannot be read, to look at. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Lines @line - 1 … @line + 1 with their numbers; control characters are made visible, long
 * lines cut. Reads off the main thread. */
void    mt_file_excerpt_async     (GFile                *file,
                                   guint64               line,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
char   *mt_file_excerpt_finish    (GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
