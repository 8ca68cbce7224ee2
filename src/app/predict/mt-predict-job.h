/* A new file and a model, on another thread: a preview of the file, or all of its rows scored. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* What the start of a file shows. */
typedef struct {
  MtScoringCheck  *check;
  char           **names;      /* of its columns */
  gsize            n_rows;     /* that were looked at … */
  gboolean         is_whole;   /* … which are all of them */
} MtPredictLook;

void           mt_predict_look_free   (MtPredictLook        *look);
void           mt_predict_look_async  (MtModel              *model,
                                       GFile                *file,
                                       GCancellable         *cancellable,
                                       GAsyncReadyCallback   callback,
                                       gpointer              user_data);
MtPredictLook *mt_predict_look_finish (GAsyncResult         *result,
                                       GError              **error);

/* On the main thread; @share: 0 … 1, or −1: not known. */
typedef void (*MtPredictProgressFunc) (double   share,
                                       guint64  n_rows,
                                       gpointer user_data);

/* What minterm-cli predict does, and what it does not count. @training: the rows that the model learned from, with
 * their table, for drift; both NULL: not known. @output: where the lines go, at the end and not before; NULL: nowhere. */
void           mt_predict_score_async  (MtModel              *model,
                                        MtTable              *table,
                                        const MtTargetRows   *training,
                                        GFile                *file,
                                        const char * const   *keys,
                                        guint                 n_reasons,
                                        GFile                *output,
                                        MtPredictProgressFunc progress,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
MtScoring     *mt_predict_score_finish (GAsyncResult         *result,
                                        GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPredictLook, mt_predict_look_free)

G_END_DECLS
