/* What was decided about a file, kept in a project (.minterm) and brought back. Both ways run
 * off the main thread; the project is open only while it is read or written. */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"

G_BEGIN_DECLS

gboolean     mt_project_file_is_one        (GFile                *file);    /* by its name */

/* What a project says of its source. */
typedef struct {
  GFile       *source;
  char        *sha256;       /* of the source when it was last read; NULL: not known */
  MtDecisions *decisions;
} MtProjectContent;

void              mt_project_content_free   (MtProjectContent     *content);
void              mt_project_file_read      (GFile                *project,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
MtProjectContent *mt_project_file_read_finish (GAsyncResult       *result,
                                             GError              **error);

/* Makes the project, or brings the one that is there up to date. */
void              mt_project_file_write     (GFile                *project,
                                             GFile                *source,
                                             MtImport             *import,
                                             MtDecisions          *decisions,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean          mt_project_file_write_finish (GAsyncResult      *result,
                                             GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtProjectContent, mt_project_content_free)

G_END_DECLS
