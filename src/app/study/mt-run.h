/* One training, as the window shows it: its job waits in the queue of the study and is run off the main thread, and what it
 * found is kept. A study has many of them.
 *
 * Signal "changed": it began, went on or ended; everything is told on the main thread. */
#pragma once

#include <glib-object.h>

#include "mt-selected-model.h"
#include "mt-frontier-item.h"
#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_RUN (mt_run_get_type ())

G_DECLARE_FINAL_TYPE (MtRun, mt_run, MT, RUN, GObject)

MtRun               *mt_run_new           (MtTable             *table,
                                           const MtRunSettings *settings);
/* One of a project, over: @state is not RUNNING. @points: of MtFrontierPoint, whose rules may be NULL. */
MtRun               *mt_run_new_restored  (MtTable             *table,
                                           const MtRunSettings *settings,
                                           MtRunState           state,
                                           const char          *message,
                                           double               seconds);
/* Its next point; @selected: what was recommended when the project was kept. */
MtFrontierItem      *mt_run_add_point     (MtRun               *self,
                                           const MtFrontierPoint *point,
                                           guint                n_rules,
                                           gboolean             selected);
/* Its points are there, their models are still to come: until then nothing may take the place of these. */
gboolean             mt_run_is_being_read (MtRun               *self);
void                 mt_run_set_being_read (MtRun              *self,
                                           gboolean             being_read);
/* What its own folds recommend, by the scores that were kept with its points; without those it is not known.
 * @n_rows: that it learnt from. */
void                 mt_run_select_again  (MtRun               *self,
                                           gsize                n_rows);
/* What the points need besides their rules, once it has been made. */
void                 mt_run_set_basis     (MtRun               *self,
                                           MtRunData             *basis);
/* How it went, as it was kept: of MtRunEpoch and of MtRunVisit. */
void                 mt_run_set_curves    (MtRun               *self,
                                           GArray              *epochs,
                                           GArray              *visits);
/* Of the points of a restored run, until it has a basis. */
MtEncoder           *mt_run_get_encoder   (MtRun               *self);
void                 mt_run_set_encoder   (MtRun               *self,
                                           MtEncoder           *encoder);
/* Puts a waiting one into the queue, which runs it when its turn comes; nothing happens when it is there. @rank: its place
 * among the runs. Returns TRUE if no worker runs, so the caller must start one. */
gboolean             mt_run_push          (MtRun               *self,
                                           MtRunQueue          *queue,
                                           guint                rank);
gboolean             mt_run_has_job       (MtRun               *self);   /* waits in a queue, or works */
/* Its turn has come. mt_run_is_at_work(): the queue has said so, too. */
void                 mt_run_begin         (MtRun               *self);
gboolean             mt_run_is_at_work    (MtRun               *self);
/* Another's turn came first. */
void                 mt_run_wait_again    (MtRun               *self);
/* What it has found by then arrives later: "changed". Also takes a waiting one out of the queue. */
void                 mt_run_stop          (MtRun               *self);
/* A stopped or failed one waits again; what it had found stays until it finds more. */
void                 mt_run_requeue          (MtRun               *self);

/* Failed because of a device: the CPU can go on from what had been learnt. */
gboolean             mt_run_can_use_cpu   (MtRun               *self);
/* Waits again if it had failed, and takes the CPU when its turn comes. Not while it runs. @why: the device asked for
 * cannot be used; it is kept with the run. */
void                 mt_run_use_cpu       (MtRun               *self,
                                           const char          *why);
/* What it computed on, from its start on; NULL: not (yet) known. */
const MtRunDevice   *mt_run_get_device    (MtRun               *self);
void                 mt_run_set_device    (MtRun               *self,    /* of a restored one */
                                           const MtRunDevice   *device);

gboolean             mt_run_can_resume    (MtRun               *self);   /* stopped before its end */
MtRunState           mt_run_get_state     (MtRun               *self);
const MtRunSettings *mt_run_get_settings  (MtRun               *self);
MtTable             *mt_run_get_table     (MtRun               *self);
const char          *mt_run_get_target    (MtRun               *self);   /* the column it explains */
/* The data that its points were learnt from, by the SHA-256 of their file, and those that its table holds and it would
 * learn from now: a project keeps models, and finds rows only as far as they are still there. NULL: not known. */
void                 mt_run_set_data      (MtRun               *self,
                                           const char          *data,
                                           const char          *table_data);
const char          *mt_run_get_data      (MtRun               *self);
gboolean             mt_run_has_rows      (MtRun               *self);   /* those of its points */
/* Whether the data have changed since, and whether other runs explain something else. Set by the study. */
gboolean             mt_run_is_earlier    (MtRun               *self);
gboolean             mt_run_tells_target  (MtRun               *self);
void                 mt_run_set_label_flags      (MtRun               *self,
                                           gboolean             earlier,
                                           gboolean             tells_target);
const MtRunProgress *mt_run_get_progress  (MtRun               *self);
double               mt_run_get_elapsed   (MtRun               *self);   /* seconds, so far or in all */
/* Of this run, as far as it can be known; NaN: not yet. */
double               mt_run_get_left      (MtRun               *self);
const GError        *mt_run_get_error     (MtRun               *self);   /* why it failed */
void                 mt_run_set_error     (MtRun               *self,    /* of a restored run, translated again */
                                           const GError        *error);
/* Colour and shape: runs that differ in their seed only share them. Set by the study. */
guint                mt_run_get_series    (MtRun               *self);
void                 mt_run_set_series    (MtRun               *self,
                                           guint                series);
/* How it is drawn: as its series or, where there are more of these than colours and runs of several methods, as its
 * method. Set by the study. */
guint                mt_run_get_mark      (MtRun               *self);
gboolean             mt_run_is_marked_by_method (MtRun         *self);
void                 mt_run_set_marked_by_method (MtRun        *self,
                                           gboolean             by_method);
/* What tells it from the others, in a few words. Set by the study. */
const char          *mt_run_get_name      (MtRun               *self);
void                 mt_run_set_name      (MtRun               *self,
                                           const char          *name);
/* --- as it goes --- */
GArray              *mt_run_get_epochs    (MtRun               *self);   /* of MtRunEpoch: of the last network */
GArray              *mt_run_get_visits    (MtRun               *self);   /* of MtRunVisit, in order: down, and down again when tuning */
GArray              *mt_run_get_parts     (MtRun               *self);   /* of double: all rows, fold 1, …; 0 … 1 */
/* Whether the same folds of the same rows judged both, so that they can be compared fold by fold. NULL: no run. */
gboolean             mt_run_shares_folds  (MtRun               *a,
                                           MtRun               *b);
/* Whether both learn from the same rows, whatever folds judge them. */
gboolean             mt_run_shares_rows   (MtRun               *a,
                                           MtRun               *b);
gboolean             mt_run_is_regression (MtRun               *self);
void                 mt_run_set_regression (MtRun              *self,    /* of a restored one, by its models */
                                           gboolean             regression);
/* --- once it is done --- */
GPtrArray           *mt_run_get_points    (MtRun               *self);   /* of MtFrontierItem; never NULL */
guint                mt_run_get_selected  (MtRun               *self);   /* the point its own folds recommend */
gboolean             mt_run_knows_selected (MtRun              *self);   /* FALSE: restored, and not yet read */
MtRunData             *mt_run_get_basis     (MtRun               *self);   /* NULL: not (yet) there */
double               mt_run_get_best      (MtRun               *self);   /* the best quality; NaN */

G_END_DECLS
