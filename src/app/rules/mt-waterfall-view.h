/* How a score comes about, drawn; its table is the caller's to show next to it. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"
#include "widgets/mt-drawn-view.h"

G_BEGIN_DECLS

#define MT_TYPE_WATERFALL_VIEW (mt_waterfall_view_get_type ())

G_DECLARE_FINAL_TYPE (MtWaterfallView, mt_waterfall_view, MT, WATERFALL_VIEW, MtDrawnView)

/* @names and @amounts: one a step and one for the score, NULL-terminated; copied. */
void mt_waterfall_view_set (MtWaterfallView       *self,
                            const MtWaterfallStep *steps,
                            guint                  n_steps,
                            double                 reference,
                            gboolean               is_log_odds,
                            const char * const    *names,
                            const char * const    *amounts);
/* What a line is in words, which is its tooltip: one a step, NULL for those that lead nowhere; copied. A click on the
 * others emits "activated" (guint: the step). */
void mt_waterfall_view_set_links (MtWaterfallView    *self,
                                  const char * const *links);
/* Where the middle of a line is, once it was drawn. */
gboolean mt_waterfall_view_get_place (MtWaterfallView *self,
                                      guint            step,
                                      double          *y);

G_END_DECLS
