/* What-if: a row of values one may change, what it scores and why, and what would flip the decision. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_WHAT_IF_VIEW (mt_what_if_view_get_type ())

G_DECLARE_FINAL_TYPE (MtWhatIfView, mt_what_if_view, MT, WHAT_IF_VIEW, AdwBin)

/* Starts from the median, once that has been found on another thread. NULL: nothing. */
void            mt_what_if_view_set_book    (MtWhatIfView *self,
                                             MtRuleBook   *book);
/* Whether there is no room to say next to a row where it comes from. */
void            mt_what_if_view_set_narrow  (MtWhatIfView *self,
                                             gboolean      narrow);
/* From a row of the book. */
void            mt_what_if_view_set_row     (MtWhatIfView *self,
                                             guint         row);
MtRuleBook     *mt_what_if_view_get_book    (MtWhatIfView *self);   /* NULL: none */
/* NULL: none, or not yet. */
const GArray   *mt_what_if_view_get_values  (MtWhatIfView *self);   /* of MtRawValue */
const MtWhatIf *mt_what_if_view_get_result  (MtWhatIfView *self);   /* NULL: none */
const GArray   *mt_what_if_view_get_changes (MtWhatIfView *self);   /* of MtChange; NULL: none, or not yet */
/* Takes over a change that was found. */
void            mt_what_if_view_try         (MtWhatIfView *self,
                                             guint         change);

/* Signal "term-activated" (int): one wants to see that term. */
/* Signal "answered": the result is another, or there is none. */

G_END_DECLS
