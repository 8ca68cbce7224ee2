/* The points of a number or date of a scorecard over its training range, as a chart: steps, with the linear terms on top. */
#pragma once

#include "explain/mt-scorecard.h"
#include "mt-draw-chart.h"

G_BEGIN_DECLS

#define MT_SCORECARD_MAX_CURVES 8u      /* outputs in one chart: the first */

/* NULL: the column has no numbers, or one value only. */
MtChart *mt_scorecard_make_chart (const MtScorecard *card,
                                  guint              column);

G_END_DECLS
