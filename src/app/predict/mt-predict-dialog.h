/* Applies a model to a new CSV: a file is chosen, what differs from the model's columns is shown, the rows are scored on
 * another thread, and the lines are saved. What is saved has the bytes that minterm-cli predict writes. */
#pragma once

#include <adwaita.h>

#include "study/mt-selected-model.h"

G_BEGIN_DECLS

#define MT_TYPE_PREDICT_DIALOG (mt_predict_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtPredictDialog, mt_predict_dialog, MT, PREDICT_DIALOG, AdwWindow)

/* @basis: what the model learned from, for drift; NULL: not known. */
MtPredictDialog *mt_predict_dialog_new     (GtkWindow          *parent,
                                            MtModel            *model,
                                            MtRunData          *basis);
void             mt_predict_dialog_open    (MtPredictDialog    *self,
                                            GFile              *file);
void             mt_predict_dialog_score   (MtPredictDialog    *self);
void             mt_predict_dialog_save    (MtPredictDialog    *self,
                                            GFile              *file);
/* FALSE: nothing was under way. */
gboolean         mt_predict_dialog_cancel  (MtPredictDialog    *self);
gboolean         mt_predict_dialog_is_busy (MtPredictDialog    *self);
/* Of the rows last scored; NULL: none are. */
const MtScoring *mt_predict_dialog_get_scoring (MtPredictDialog *self);
/* Carries a column of the file along, or not; FALSE: there is no such column. */
gboolean         mt_predict_dialog_set_key (MtPredictDialog    *self,
                                            const char         *column,
                                            gboolean            carried);

G_END_DECLS
