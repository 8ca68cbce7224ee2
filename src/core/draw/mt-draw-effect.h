/* Paints what a numeric column adds, from its layout: the same for screen and paper. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-layout-effect.h"
#include "mt-palette.h"

G_BEGIN_DECLS

/* @colors: one an output. @ends: what stands at the two ends of the range instead of numbers at the ticks;
 * NULL: the numbers. */
void mt_draw_effect (cairo_t *cr, const MtEffectLayout *layout, const MtColor *colors, const char * const *ends,
                     PangoContext *context, const PangoFontDescription *font, const MtPalette *palette);

G_END_DECLS
