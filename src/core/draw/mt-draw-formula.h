/* Paints a formula from its layout: the same for screen, PDF, PNG and SVG. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-layout-formula.h"
#include "mt-palette.h"

G_BEGIN_DECLS

/* Fonts at the size of @font; @data of mt_formula_measure(). */
typedef struct _MtFormulaFonts MtFormulaFonts;

MtFormulaFonts *mt_formula_fonts_new  (PangoContext               *context,
                                       const PangoFontDescription *font);
void            mt_formula_fonts_free (MtFormulaFonts             *fonts);
void            mt_formula_measure    (const char                 *text,
                                       MtFormulaFont               font,
                                       double                     *width,
                                       double                     *height,
                                       gpointer                    fonts);
/* @lit: one a term; NULL: none. @hovered: a term, or -1. */
void            mt_draw_formula       (cairo_t                    *cr,
                                       const MtFormulaLayout      *layout,
                                       const MtPhrase             *phrase,
                                       const char * const         *notes,
                                       const gboolean             *lit,
                                       int                         hovered,
                                       MtFormulaFonts             *fonts,
                                       const MtPalette            *palette);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFormulaFonts, mt_formula_fonts_free)

G_END_DECLS
