/* One reading of a file, off the main thread: what is to be read and how, how far it is, and the
 * cancellable it can be stopped by. Its owner is told on the main thread and may be gone before. */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"

G_BEGIN_DECLS

typedef struct _MtLoad MtLoad;

typedef void (*MtLoadProgressFunc) (GObject                *owner,
                                    MtLoad                 *load,
                                    const MtImportProgress *progress);
/* @import is for the owner to keep; NULL: why not is in @error. */
typedef void (*MtLoadDoneFunc)     (GObject                *owner,
                                    MtLoad                 *load,
                                    MtImport               *import,
                                    const GError           *error);

struct _MtLoad {
  gatomicrefcount     ref_count;
  GFile              *file;
  MtDecisions        *decisions;
  char               *label;       /* the change that made it necessary; NULL for a file opened */
  int                 step;        /* undo (-1), redo (+1) or neither */
  GCancellable       *cancellable;

  GWeakRef            owner;
  MtLoadProgressFunc  progress;
  MtLoadDoneFunc      done;
  GMutex              lock;        /* guards the two below: written by the worker */
  MtImportProgress    newest;
  gboolean            pending;     /* an idle will pick it up */
};

MtLoad *mt_load_new   (GFile              *file,
                       MtDecisions        *decisions,
                       const char         *label,
                       int                 step);
MtLoad *mt_load_ref   (MtLoad             *load);
void    mt_load_unref (MtLoad             *load);
/* @schema: what the reader is told of the columns. */
void    mt_load_start (MtLoad             *load,
                       MtSchema           *schema,
                       GObject            *owner,
                       MtLoadProgressFunc  progress,
                       MtLoadDoneFunc      done);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLoad, mt_load_unref)

G_END_DECLS
