/* The table of a model's terms: intercept on top, sorted by any column, searched, filtered by the
 * column a rule looks at; totals below. */
#pragma once

#include <adwaita.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_RULE_LIST (mt_rule_list_get_type ())

G_DECLARE_FINAL_TYPE (MtRuleList, mt_rule_list, MT, RULE_LIST, AdwBin)

void                mt_rule_list_set_book      (MtRuleList *self,
                                                MtRuleBook *book);      /* NULL: none */
GtkSelectionModel  *mt_rule_list_get_selection (MtRuleList *self);      /* of MtTermItem */
GtkColumnView      *mt_rule_list_get_table     (MtRuleList *self);
/* Of those selected the one that is on show; NULL: none. */
MtTermItem         *mt_rule_list_get_selected  (MtRuleList *self);
void                mt_rule_list_select_term   (MtRuleList *self,
                                                int         term);
/* The same; what it is filtered by gives way if that is not listed. */
void                mt_rule_list_find_term     (MtRuleList *self,
                                                int         term);
void                mt_rule_list_find          (MtRuleList *self);      /* to the search entry */
/* Fewer columns, their content below the rule. */
void                mt_rule_list_set_narrow    (MtRuleList *self,
                                                gboolean    narrow);
/* Instead of the counts: which terms apply to a row, one of @applies for each; NULL: the counts again. */
void                mt_rule_list_show_applies  (MtRuleList     *self,
                                                const gboolean *applies);
/* What the pencil offers; NULL: there is none. */
void                mt_rule_list_set_menu      (MtRuleList *self,
                                                GMenuModel *menu);
/* What is selected if that is more than one, otherwise all that is listed; in the order of the list. */
char               *mt_rule_list_dup_listing   (MtRuleList *self,
                                                MtListing   listing);

/* Signal "selected": another one is on show.
 * Signal "opened": a line was clicked or entered, and wants to be seen. */

G_END_DECLS
