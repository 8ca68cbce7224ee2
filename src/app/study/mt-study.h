/* All that was learned from the open table: a queue of runs, of which one works at a time, the points
 * of all of their frontiers in one list, and which of the points one looks at.
 *
 *   "selected"  MtFrontierItem: the point one looks at, shared by all pages; settable
 *   "compared"  MtFrontierItem: the point that another, mostly the selected one, is compared with; settable; NULL: none
 *   "fitted"    MtSelectedModel: its model with the rows it was learned from. NULL: none is selected, or
 *               it is still being prepared (a project just opened); notified when it is there
 *   signal "pins-changed": other points are pinned
 *   signal "changed": a run began, went on, ended, or was put away
 *   signal "ended" (MtRun): that run is over: done, failed or stopped
 * Everything belongs to the main thread; the work is done on others. */
#pragma once

#include <gio/gio.h>

#include "mt-selected-model.h"
#include "mt-frontier-item.h"
#include "mt-run.h"

G_BEGIN_DECLS

#define MT_TYPE_STUDY (mt_study_get_type ())

G_DECLARE_FINAL_TYPE (MtStudy, mt_study, MT, STUDY, GObject)

MtStudy        *mt_study_new          (void);

/* --- runs --- */
/* The data that are open, by the SHA-256 of their file; NULL: none, or not known. A run belongs to those that it was
 * trained on, and is mt_run_is_earlier() once there are others. */
void            mt_study_set_data     (MtStudy             *self,
                                       const char          *data);
GListModel     *mt_study_get_runs     (MtStudy             *self);   /* of MtRun, as they were queued */
/* Queues a run, or one for each place of the grid (NULL: none), and sets to work. What the same rows were or will be
 * trained with already is left out: it would find the same. Gives how many were queued. */
guint           mt_study_train        (MtStudy             *self,
                                       MtTable             *table,
                                       const MtRunSettings *settings,
                                       const MtSweepGrid     *grid);
/* Done, at work or waiting; one that was stopped or failed is worth another try. */
gboolean        mt_study_has_run      (MtStudy             *self,
                                       MtTable             *table,
                                       const MtRunSettings *settings);
/* A run of a project, over or waiting; merged when mt_study_show_restored() is called. */
void            mt_study_add_restored (MtStudy             *self,
                                       MtRun               *run);
void            mt_study_show_restored (MtStudy            *self,
                                       MtFrontierItem      *selected);   /* NULL: the recommended */
void            mt_study_refresh      (MtStudy             *self);   /* models of restored runs have come */
/* Running and waiting runs; finished runs stay. Nothing continues until mt_study_resume(). */
void            mt_study_stop         (MtStudy             *self);
/* What was stopped waits again, also what had found something by then: it is to find all of it. */
void            mt_study_resume       (MtStudy             *self);
gboolean        mt_study_can_resume   (MtStudy             *self);
/* Runs that a device failed continue on the CPU, from what they had learned; waiting runs will use the CPU, too. */
void            mt_study_use_cpu      (MtStudy             *self);
void            mt_study_clear        (MtStudy             *self);   /* no runs, no points */
gboolean        mt_study_is_running   (MtStudy             *self);
MtRun          *mt_study_get_current  (MtStudy             *self);   /* the one that works; NULL: none */
MtRun          *mt_study_get_last     (MtStudy             *self);   /* that, or the one that ended last */

/* Of the runs that were queued together with what runs: since nothing ran. */
typedef struct {
  guint  n_runs;
  guint  n_done;        /* finished, well or not */
  double fraction;      /* 0 … 1 */
  double elapsed;       /* seconds */
  double left;          /* seconds; NaN: cannot be known yet */
} MtStudyProgress;

void            mt_study_get_progress (MtStudy             *self,
                                       MtStudyProgress     *progress);

/* Seconds that such a run on @n_rows may take, going by what was run before. */
double          mt_study_estimate     (MtStudy             *self,
                                       const MtRunSettings *settings,
                                       gsize                n_rows);

/* --- points --- */
/* Of MtFrontierItem, by ascending complexity, of equals the better first; grows while runs finish.
 * Of all runs with the target of the one that finished last: others cannot be compared. As soon as one of them was
 * trained on the data that are open, those of earlier data are left out, or stand apart if they are to be shown. */
GListModel     *mt_study_get_points   (MtStudy             *self);
guint           mt_study_count_earlier (MtStudy            *self);   /* points left out or apart */
gboolean        mt_study_get_show_earlier (MtStudy         *self);
void            mt_study_set_show_earlier (MtStudy         *self,
                                       gboolean             show);
MtFrontierItem *mt_study_get_recommended (MtStudy          *self);   /* NULL: no points */
MtFrontierItem *mt_study_get_selected (MtStudy             *self);
void            mt_study_set_selected (MtStudy             *self,
                                       MtFrontierItem      *item);
MtFrontierItem *mt_study_get_compared (MtStudy             *self);
void            mt_study_set_compared (MtStudy             *self,
                                       MtFrontierItem      *item);
/* What that one is compared with: the selected point, unless two were asked for. */
MtFrontierItem *mt_study_get_base     (MtStudy             *self);
/* Two points, whichever is selected, which stays so. Tells of "compared" in any case. */
void            mt_study_compare      (MtStudy             *self,
                                       MtFrontierItem      *a,
                                       MtFrontierItem      *b);
/* Up to two points to be compared, A and B; NULL: none. */
MtFrontierItem *mt_study_get_pin      (MtStudy             *self,
                                       guint                which);
void            mt_study_set_pins     (MtStudy             *self,
                                       MtFrontierItem      *a,
                                       MtFrontierItem      *b);
/* A third takes the place of the second; a pinned one is unpinned. */
void            mt_study_pin          (MtStudy             *self,
                                       MtFrontierItem      *item);
MtSelectedModel       *mt_study_get_fitted   (MtStudy             *self);
/* Of MtFrontierItem: models that were edited by hand, each a point in addition to those that were learned. */
GPtrArray      *mt_study_get_edited   (MtStudy             *self);
/* Takes @gone away and puts @come in its place, and selects that or, without one, what @gone was made of;
 * both may be NULL. Signal "edited" (gone, come) tells. */
void            mt_study_edit         (MtStudy             *self,
                                       MtFrontierItem      *gone,
                                       MtFrontierItem      *come);
/* An edited model of a project. */
void            mt_study_add_edited   (MtStudy             *self,
                                       MtFrontierItem      *item);
/* Whether the selected model was learned from another table (or other roles) than @table, or from data that have changed
 * since. */
gboolean        mt_study_is_stale     (MtStudy             *self,
                                       MtTable             *table);

G_END_DECLS
