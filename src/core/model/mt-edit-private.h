/* What the parts of mt-edit share. */
#pragma once

#include "mt-edit.h"

G_BEGIN_DECLS

#define MT_EDIT_GONE    (-1)
#define MT_EDIT_TO_BIAS (-2)

/* What becomes of the terms: the new ones (weights unset), and for each old one the place of its
 * weight among them. */
typedef struct {
  MtTerm *terms;
  guint   n_terms;
  int    *place;       /* per old term: a new one, MT_EDIT_GONE or MT_EDIT_TO_BIAS */
} MtEditChange;

/* What the rules turn into, weights aside. */
gboolean   mt_edit_change      (const MtEditContext *context,
                                const MtRuleSet     *rules,
                                const MtEdit        *edit,
                                MtEditChange        *change,
                                GCancellable        *cancellable,
                                GError             **error);
void       mt_edit_change_clear (MtEditChange       *change);
/* The changed terms with the weights of @rules, which has the old terms. */
MtRuleSet *mt_edit_reweigh     (const MtEditContext *context,
                                const MtRuleSet     *rules,
                                const MtEdit        *edit,
                                MtEditChange        *change,
                                GCancellable        *cancellable,
                                GError             **error);
/* Both, as mt_edit_apply() does it; @change is filled. */
MtRuleSet *mt_edit_step        (const MtEditContext *context,
                                const MtRuleSet     *rules,
                                const MtEdit        *edit,
                                MtEditChange        *change,
                                GCancellable        *cancellable,
                                GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtEditChange, mt_edit_change_clear)

G_END_DECLS
