/* The model on show (A) next to another of the frontier (B): how good and how large they are, which
 * rules they share with the weights in both, and the rows that they see differently. */
#pragma once

#include <adwaita.h>

#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_COMPARE_VIEW (mt_compare_view_get_type ())

G_DECLARE_FINAL_TYPE (MtCompareView, mt_compare_view, MT, COMPARE_VIEW, AdwBin)

/* A is the study's selected point, B the one it is compared with. */
void     mt_compare_view_set_study (MtCompareView *self,
                                    MtStudy       *study);

/* Signal "open-row" (guint): a row of A's book is to be looked at more closely. */

G_END_DECLS
