/* The drawing of what a numeric column adds: a line for each output over the column's range. The value
 * pointed at, or walked to with the arrows, is announced by a signal. */
#pragma once

#include "widgets/mt-drawn-view.h"
#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_EFFECT_VIEW (mt_effect_view_get_type ())

G_DECLARE_FINAL_TYPE (MtEffectView, mt_effect_view, MT, EFFECT_VIEW, MtDrawnView)

/* A numeric term; @counts as in MtEffectSpec, copied. */
void   mt_effect_view_show      (MtEffectView *self,
                                 MtTermItem   *item,
                                 const gsize  *counts,
                                 guint         n_bars);
/* NaN: none. */
double mt_effect_view_get_value (MtEffectView *self);
void   mt_effect_view_set_value (MtEffectView *self,
                                 double        value);

/* Signal "value-changed". */

G_END_DECLS
