/* The model that is edited: one that was learned here, with its rows, or one opened without its data.
 * Immutable and counted; may be handed to a thread. */
#pragma once

#include "mt-selected-model.h"

G_BEGIN_DECLS

typedef struct _MtEditSubject MtEditSubject;

MtEditSubject       *mt_edit_subject_new_fitted   (MtSelectedModel            *fitted,
                                                   const MtRunSettings *settings);   /* of its run */
MtEditSubject       *mt_edit_subject_new_model    (MtModel             *model);
MtEditSubject       *mt_edit_subject_ref          (MtEditSubject       *self);
void                 mt_edit_subject_unref        (MtEditSubject       *self);
const MtEncoder     *mt_edit_subject_get_encoder  (const MtEditSubject *self);
const MtRuleSet     *mt_edit_subject_get_rules    (const MtEditSubject *self);
/* NULL: it predicts a number. */
const char * const  *mt_edit_subject_get_classes  (const MtEditSubject *self);
gboolean             mt_edit_subject_has_rows     (const MtEditSubject *self);
/* What a fitted one's edits are made and judged with; all but the folds is borrowed. Returns those; NULL: there are too
 * few rows for folds, and @context has none. */
guint8              *mt_edit_subject_init_context (const MtEditSubject *self,
                                                   const MtConstraints *constraints,
                                                   MtEditContext       *context,
                                                   GError             **error);
/* The edited rules, judged on the folds of the run. Takes its time: for a thread. */
MtRuleSet           *mt_edit_subject_edit         (const MtEditSubject *self,
                                                   const MtEdit        *edit,
                                                   const char          *reason,
                                                   MtEditHistory      **history,
                                                   GCancellable        *cancellable,
                                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEditSubject, mt_edit_subject_unref)

G_END_DECLS
