/* A window with a small trained model on its Rules page, for the programs that test what is there. */
#pragma once

#include "apputils.h"
#include "rules/mt-rules-page.h"

G_BEGIN_DECLS

/* The target "answer" is yes or no, "level" one of three, "amount" a number: the exclusive or of a ≥ 50
 * and kind = k1 decides, so that a rule of several terms is found. "letter" is one of nine, by a. */
MtWindow    *mt_rules_window_open (const char *target,
                                   int         width);
/* The widget of that type; it must be there. */
gpointer     mt_rules_window_find (MtWindow   *window,
                                   GType       type);
MtRulesPage *mt_rules_window_page (MtWindow   *window);
MtRuleFocus *mt_rules_window_focus (MtWindow  *window);
/* Selects the rule with most terms, which has most to link, and waits until it is on show. */
MtRuleView  *mt_rules_window_select_richest (MtWindow *window);
/* Looks at the model with most terms, which does not fit into the window. */
void         mt_rules_window_select_largest (MtWindow *window);
/* The picture that is on show, as the window saves it. */
gboolean     mt_rules_window_export (MtRulesPage *page,
                                   const char *path,
                                   GError    **error);
/* A motion or a click of the pointer over a widget, as its own controllers see it. */
void         mt_rules_window_point (GtkWidget *widget,
                                   GType       controller_type,
                                   const char *signal,
                                   double      x,
                                   double      y);

G_END_DECLS
