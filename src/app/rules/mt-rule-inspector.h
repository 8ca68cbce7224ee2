/* One rule four linked ways: formula, truth table, decision diagram, data rows. Small rules are taken
 * apart at once, large ones on another thread. A numeric column is drawn over its range, the intercept
 * explained in words. */
#pragma once

#include <adwaita.h>

#include "widgets/mt-drawing.h"
#include "mt-rule-focus.h"
#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_RULE_INSPECTOR (mt_rule_inspector_get_type ())

G_DECLARE_FINAL_TYPE (MtRuleInspector, mt_rule_inspector, MT, RULE_INSPECTOR, AdwBin)

void         mt_rule_inspector_show      (MtRuleInspector *self,
                                          MtTermItem      *item);     /* NULL: nothing */
gboolean     mt_rule_inspector_is_busy   (MtRuleInspector *self);
MtRuleFocus *mt_rule_inspector_get_focus (MtRuleInspector *self);
MtDrawing   *mt_rule_inspector_make_drawing (MtRuleInspector *self);   /* of the diagram */
gboolean     mt_rule_inspector_has_diagram (MtRuleInspector *self);
/* Formula, diagram and truth table in words; of a numeric column what it adds. */
char        *mt_rule_inspector_dup_text  (MtRuleInspector *self);

/* Signals: "show-rows" (GArray of guint32, char *, guint), rows of the table to be shown on the Data page, their title, and
 * one of them; "open-row" (guint), a row of the book to be looked at more closely. */

G_END_DECLS
