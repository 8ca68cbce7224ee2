/* Two pinned models side by side: how good, how large, which columns, where they disagree. */
#pragma once

#include <adwaita.h>

#include "study/mt-compare-operation.h"
#include "study/mt-frontier-item.h"

G_BEGIN_DECLS

#define MT_TYPE_COMPARE_PANEL (mt_compare_panel_get_type ())

G_DECLARE_FINAL_TYPE (MtComparePanel, mt_compare_panel, MT, COMPARE_PANEL, AdwBin)

/* Either or both may be NULL: then it says what to do. */
void mt_compare_panel_show (MtComparePanel *self,
                            MtFrontierItem *a,
                            MtFrontierItem *b,
                            const char     *metric);
/* What was found; NULL: not yet, or it cannot be. */
MtCompareOperation *mt_compare_panel_get_comparing (MtComparePanel *self);
/* A button that leads to their rules: signal "open". */
void         mt_compare_panel_offer_rules   (MtComparePanel *self);

/* Signal "compared": the rows have been compared. */

G_END_DECLS
