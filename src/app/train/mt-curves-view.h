/* Curves over steps, drawn while they grow: loss or metric by epoch, loss by literals. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"
#include "widgets/mt-drawn-view.h"

G_BEGIN_DECLS

#define MT_TYPE_CURVES_VIEW (mt_curves_view_get_type ())

G_DECLARE_FINAL_TYPE (MtCurvesView, mt_curves_view, MT, CURVES_VIEW, MtDrawnView)

/* Copies everything @spec points to. @spoken: the same in words, for who cannot see it. */
void     mt_curves_view_show   (MtCurvesView       *self,
                                const MtCurvesSpec *spec,
                                const char         *spoken);

/* Views that stand below one another: their areas begin at the same place. One that goes leaves the others. */
void     mt_curves_view_align  (MtCurvesView *const *views,
                                guint               n_views);
/* As drawn; NULL: not yet. */
const MtCurvesLayout *mt_curves_view_get_layout (MtCurvesView *self);
/* The values at a step, 1, 2, …, each in a line with its name. */
char    *mt_curves_view_describe (MtCurvesView     *self,
                                guint               step);
/* What it shows, to be cleared by mt_curves_spec_clear(). FALSE: nothing. */
gboolean mt_curves_view_copy   (MtCurvesView       *self,
                                MtCurvesSpec       *spec);
void     mt_curves_spec_clear  (MtCurvesSpec       *spec);

G_END_DECLS
