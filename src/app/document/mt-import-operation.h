/* One reading of a file, off the main thread: what is to be read and how, how far it is, and the
 * cancellable it can be stopped by. Its owner is notified on the main thread and may be gone before. */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"

G_BEGIN_DECLS

typedef struct _MtImportOperation MtImportOperation;

typedef void (*MtImportOperationProgressFunc) (GObject                *owner,
                                               MtImportOperation                 *load,
                                               const MtImportProgress *progress);
/* @import is for the owner to keep; NULL: why not is in @error. */
typedef void (*MtImportOperationDoneFunc)     (GObject                *owner,
                                               MtImportOperation                 *load,
                                               MtImport               *import,
                                               const GError           *error);

struct _MtImportOperation {
  gatomicrefcount     ref_count;
  GFile              *file;
  MtDecisions        *decisions;
  char               *label;       /* the change that made it necessary; NULL for a file opened */
  int                 step;        /* undo (-1), redo (+1) or neither */
  GCancellable       *cancellable;

  GWeakRef            owner;
  MtImportOperationProgressFunc  progress;
  MtImportOperationDoneFunc      done;
  GMutex              lock;        /* guards the two below: written by the worker */
  MtImportProgress    newest;
  gboolean            pending;     /* an idle will pick it up */
};

MtImportOperation *mt_import_operation_new   (GFile              *file,
                                              MtDecisions        *decisions,
                                              const char         *label,
                                              int                 step);
void    mt_import_operation_unref (MtImportOperation             *load);
/* @schema: decisions about the columns, which the reader applies. */
void    mt_import_operation_start (MtImportOperation             *load,
                                   MtSchema           *schema,
                                   GObject            *owner,
                                   MtImportOperationProgressFunc  progress,
                                   MtImportOperationDoneFunc      done);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtImportOperation, mt_import_operation_unref)

G_END_DECLS
