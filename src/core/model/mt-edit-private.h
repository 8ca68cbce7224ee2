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

/* Gives a rule that is to be added its weight in a refit of all terms, in four digits; the other weights stay as they are.
 * MT_ERROR_PARAMS: there are no rows, or the weight is 0. */
gboolean   mt_edit_fit_weight  (const MtEditContext  *context,
                                const MtRuleSet      *rules,
                                MtEdit               *edit,
                                GCancellable         *cancellable,
                                GError              **error);
/* What changes weights leaves the cutoff as it is. Takes @rules; may be NULL. */
MtRuleSet *mt_edit_keep_cutoff (MtRuleSet            *rules,
                                double                cutoff,
                                GError              **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtEditChange, mt_edit_change_clear)

G_END_DECLS
