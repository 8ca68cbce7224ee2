/* Paints a distribution from its layout: the same for header, PDF and SVG. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-layout-distribution.h"
#include "mt-palette.h"

G_BEGIN_DECLS

/* How wide the names would like to be drawn in @font. */
double mt_draw_distribution_measure (const MtDistribution       *distribution,
                                     PangoContext               *context,
                                     const PangoFontDescription *font);

/* @first: color of the bars; @rest: of all levels but the first (the same, unless the
 * column is the target). @context and @font may be NULL for a histogram. */
void   mt_draw_distribution         (cairo_t                    *cr,
                                     const MtDistribution       *distribution,
                                     const MtDistributionLayout *layout,
                                     PangoContext               *context,
                                     const PangoFontDescription *font,
                                     const MtPalette            *palette,
                                     const MtColor              *first,
                                     const MtColor              *rest);

G_END_DECLS
