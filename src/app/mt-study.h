/* All that was learnt from the open table: the runs, the points of all of their frontiers in one
 * list, and which of the points one looks at.
 *
 *   "selected"  MtFrontierItem: the point one looks at, shared by all pages; settable
 *   "fitted"    MtFitted: its model with the rows it was learnt from. NULL: none is selected, or
 *               it is still being prepared (a project just opened); notified when it is there
 *   signal "changed": a run began, went on, ended, or was put away
 * Everything belongs to the main thread; the work is done on others. */
#pragma once

#include <gio/gio.h>

#include "mt-fitted.h"
#include "mt-frontier-item.h"
#include "mt-run.h"

G_BEGIN_DECLS

#define MT_TYPE_STUDY (mt_study_get_type ())

G_DECLARE_FINAL_TYPE (MtStudy, mt_study, MT, STUDY, GObject)

MtStudy        *mt_study_new          (MtRun          *run);
/* Of MtFrontierItem, by ascending complexity, of equals the better first; grows while runs finish. */
GListModel     *mt_study_get_points   (MtStudy        *self);
MtFrontierItem *mt_study_get_recommended (MtStudy     *self);   /* NULL: no points */
MtFrontierItem *mt_study_get_selected (MtStudy        *self);
void            mt_study_set_selected (MtStudy        *self,
                                       MtFrontierItem *item);
MtFitted       *mt_study_get_fitted   (MtStudy        *self);
/* Whether the selected model was learnt from another table (or other roles) than @table. */
gboolean        mt_study_is_stale     (MtStudy        *self,
                                       MtTable        *table);

G_END_DECLS
