/* Asks for what an edit needs and for its reason, and shows what it would do: literals and, by the
 * folds, quality before and after. That is worked out on another thread as one chooses; choosing
 * something else or closing breaks it off.
 *
 * Signal "applied": the edit is to be made; the two getters have what comes of it. */
#pragma once

#include <adwaita.h>

#include "study/mt-edit-subject.h"

G_BEGIN_DECLS

#define MT_TYPE_EDIT_DIALOG (mt_edit_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtEditDialog, mt_edit_dialog, MT, EDIT_DIALOG, AdwWindow)

/* @edit: its kind, and what is chosen first. */
MtEditDialog        *mt_edit_dialog_new         (GtkWindow     *parent,
                                                 MtEditSubject *subject,
                                                 const MtEdit  *edit);
gboolean             mt_edit_dialog_is_busy     (MtEditDialog  *self);
const MtEdit        *mt_edit_dialog_get_edit    (MtEditDialog  *self);
MtRuleSet           *mt_edit_dialog_get_rules   (MtEditDialog  *self);   /* NULL: not there, or it cannot be made */
MtEditHistory       *mt_edit_dialog_get_history (MtEditDialog  *self);   /* with the reason, once applied */

G_END_DECLS
