/* The model as a scorecard: a card for each column with its points, drawn and by range, and one of the interactions.
 * Cards are made a few at a time, so that a large model does not stop the window. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_SCORECARD_PANE (mt_scorecard_pane_get_type ())

G_DECLARE_FINAL_TYPE (MtScorecardPane, mt_scorecard_pane, MT, SCORECARD_PANE, AdwBin)

/* Signal "term-activated" (int): somebody asked for that term of the model. */

/* @book: NULL: nothing. The same one again: nothing happens. */
void     mt_scorecard_pane_show    (MtScorecardPane *self,
                                    MtRuleBook      *book);
/* Whether cards are still being made. */
gboolean mt_scorecard_pane_is_busy (MtScorecardPane *self);

G_END_DECLS
