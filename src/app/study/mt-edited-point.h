/* An edited model as a project keeps it: a point with a mark, its model with the history, and a line in the
 * project's own list of edits, which nothing is ever taken out of. For the project's thread. */
#pragma once

#include "mt-selected-model.h"

G_BEGIN_DECLS

typedef struct {
  MtRunData         *basis;        /* NULL: it is not known what is neutral */
  MtFrontierPoint  point;
  MtEditHistory   *history;
} MtEditedPoint;

MtEditedPoint *mt_edited_point_new  (MtRunData               *basis,     /* may be NULL */
                                     const MtFrontierPoint *point,
                                     MtEditHistory         *history);
void           mt_edited_point_free (MtEditedPoint         *self);
/* Next to @origin, whose model it was made from, and like that of @run; 0 on failure. */
gint64         mt_edited_point_add  (MtEditedPoint         *self,
                                     MtProject             *project,
                                     gint64                 run,
                                     gint64                 origin,
                                     GError               **error);
/* Its last edit was made, made again, or @undone; by whom, and when. */
gboolean       mt_edited_point_log  (MtEditedPoint         *self,
                                     MtProject             *project,
                                     gboolean               undone,
                                     const char            *by,
                                     gint64                 made,
                                     GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEditedPoint, mt_edited_point_free)

G_END_DECLS
