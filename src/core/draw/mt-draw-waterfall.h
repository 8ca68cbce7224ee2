/* Paints a waterfall from its layout: the same for screen and paper. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-layout-waterfall.h"
#include "mt-palette.h"

G_BEGIN_DECLS

/* @names and @amounts: n_lines each. @odds: what the upper axis tells; of a layout without one it may be NULL. */
void mt_draw_waterfall (cairo_t *cr, const MtWaterfallLayout *layout, const char * const *names,
                        const char * const *amounts, const char *odds, double label_width, PangoContext *context,
                        const PangoFontDescription *font, const MtPalette *palette);

G_END_DECLS
