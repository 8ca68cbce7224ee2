/* What was done, in order, each with the decisions that held after it. */
#pragma once

#include "mt-decisions.h"

G_BEGIN_DECLS

typedef struct _MtHistory MtHistory;

MtHistory   *mt_history_new            (MtDecisions *initial);
void         mt_history_free           (MtHistory   *self);
MtDecisions *mt_history_get_current    (MtHistory   *self);
/* Forgets what was undone. @label is what the menu says: "Undo @label". */
void         mt_history_push           (MtHistory   *self,
                                        const char  *label,
                                        MtDecisions *decisions);
/* A step outside of the decisions: @func undoes it and redoes it. It has been done already. */
typedef void (*MtHistoryFunc) (gpointer data,
                               gboolean forward);
void         mt_history_push_change    (MtHistory     *self,
                                        const char    *label,
                                        MtHistoryFunc  func,
                                        gpointer       data,
                                        GDestroyNotify destroy);
/* Whether the step back (-1) or forth (+1) is such a one. */
gboolean     mt_history_is_change      (MtHistory   *self,
                                        int          step);
/* The step that was done last went on: @decisions hold after it. */
void         mt_history_amend          (MtHistory   *self,
                                        MtDecisions *decisions);
/* Whether something was done that is not undone; reading the same once more is nothing. */
gboolean     mt_history_has_decided    (MtHistory   *self);
const char  *mt_history_get_undo_label (MtHistory   *self);   /* NULL: nothing to undo */
const char  *mt_history_get_redo_label (MtHistory   *self);
/* What would hold after a step back (-1) or forth (+1); NULL at the end. */
MtDecisions *mt_history_peek           (MtHistory   *self,
                                        int          step);
void         mt_history_move           (MtHistory   *self,
                                        int          step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtHistory, mt_history_free)

G_END_DECLS
