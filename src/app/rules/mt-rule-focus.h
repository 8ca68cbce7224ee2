/* What is pointed at in the rule on show: the one selection that truth table, formula, diagram and
 * rows share. Whatever is pointed at, by pointer or by keyboard, becomes a set of assignments
 * (mt-rule-view.h), and each view lights what has a part in it.
 *
 * What the pointer is over comes before what was selected, and goes away with it.
 *
 * Signals:
 *   "view-changed"      another rule
 *   "form-changed"      DNF, CNF or XOR; words or symbols
 *   "changed"           something else is lit
 *   "selection-changed" something else is selected; after "changed" */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef enum {
  MT_FOCUS_NONE,
  MT_FOCUS_LINE,     /* of the truth table: an assignment */
  MT_FOCUS_TERM,     /* of the formula in the form on show */
  MT_FOCUS_NODE,     /* of the diagram */
  MT_FOCUS_EDGE,     /* of the diagram: a line's number */
  MT_FOCUS_PATH,     /* through the diagram */
  MT_FOCUS_ROW,      /* of the book */
} MtFocusKind;

#define MT_TYPE_RULE_FOCUS (mt_rule_focus_get_type ())

G_DECLARE_FINAL_TYPE (MtRuleFocus, mt_rule_focus, MT, RULE_FOCUS, GObject)

MtRuleFocus   *mt_rule_focus_new          (void);
/* Nothing is pointed at in a new rule. */
void           mt_rule_focus_set_view     (MtRuleFocus  *self,
                                           MtRuleView   *view);
MtRuleView    *mt_rule_focus_get_view     (MtRuleFocus  *self);   /* NULL: none */
void           mt_rule_focus_set_form     (MtRuleFocus  *self,
                                           MtPhraseForm  form);
MtPhraseForm   mt_rule_focus_get_form     (MtRuleFocus  *self);
void           mt_rule_focus_set_words    (MtRuleFocus  *self,
                                           gboolean      words);
gboolean       mt_rule_focus_get_words    (MtRuleFocus  *self);

/* Selecting what is selected puts it away. */
void           mt_rule_focus_toggle       (MtRuleFocus  *self,
                                           MtFocusKind   kind,
                                           guint32       index);
void           mt_rule_focus_select       (MtRuleFocus  *self,
                                           MtFocusKind   kind,
                                           guint32       index);
void           mt_rule_focus_hover        (MtRuleFocus  *self,
                                           MtFocusKind   kind,
                                           guint32       index);
MtFocusKind    mt_rule_focus_get_selected (MtRuleFocus  *self,
                                           guint32      *index);   /* may be NULL */
MtFocusKind    mt_rule_focus_get_hovered  (MtRuleFocus  *self,
                                           guint32      *index);
/* The set selected, and the set lit (hovered, or else selected); NULL: none. */
const guint64 *mt_rule_focus_get_selection (MtRuleFocus *self);
const guint64 *mt_rule_focus_get_lit      (MtRuleFocus  *self);
/* Whether a line of the truth table, a term of the form on show, or a row is lit. */
gboolean       mt_rule_focus_lights_line  (MtRuleFocus  *self,
                                           guint32       assignment);
gboolean       mt_rule_focus_lights_term  (MtRuleFocus  *self,
                                           guint         term);
gboolean       mt_rule_focus_lights_row   (MtRuleFocus  *self,
                                           gsize         row);

G_END_DECLS
