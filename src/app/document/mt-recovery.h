/* Work that was never saved under a name and whose program is gone. All of it is done off the main
 * thread: the files are looked through before they are believed. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  GFile     *file;
  char      *name;       /* of the data; NULL: the file cannot be read */
  guint      n_runs;
  GDateTime *changed;    /* when it was last written to; NULL: not known */
} MtRecoverable;

void       mt_recoverable_free        (MtRecoverable        *self);

void       mt_recovery_list_async     (GAsyncReadyCallback   callback,
                                       gpointer              data);
/* Of MtRecoverable, newest first. */
GPtrArray *mt_recovery_list_finish    (GAsyncResult         *result);
void       mt_recovery_discard_async  (GFile                *file,
                                       GAsyncReadyCallback   callback,
                                       gpointer              data);
gboolean   mt_recovery_discard_finish (GAsyncResult         *result,
                                       GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRecoverable, mt_recoverable_free)

G_END_DECLS
