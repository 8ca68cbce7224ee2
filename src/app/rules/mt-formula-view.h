/* The formula of the rule on show, typeset; its terms light up with everything else. */
#pragma once

#include <gtk/gtk.h>

#include "widgets/mt-drawn-view.h"
#include "mt-rule-focus.h"

G_BEGIN_DECLS

#define MT_TYPE_FORMULA_VIEW (mt_formula_view_get_type ())

G_DECLARE_FINAL_TYPE (MtFormulaView, mt_formula_view, MT, FORMULA_VIEW, MtDrawnView)

void  mt_formula_view_set_focus (MtFormulaView *self,
                                 MtRuleFocus   *focus);
/* What it shows, as text: a term a line. */
char *mt_formula_view_dup_text  (MtFormulaView *self);
/* The middle of a term, in the widget. */
gboolean mt_formula_view_get_place (MtFormulaView *self,
                                 guint          term,
                                 double        *x,
                                 double        *y);

G_END_DECLS
