/* The Rules page: the model one looks at as a table of rules, and one of them in the inspector
 * beside it. When the page is narrow they take turns.
 *
 * The inspector is a stack of modes: "rule" is the rule four ways, "what-if" a row of values one may
 * change. Another mode is one more child of the stack and a toggle in the box beside its title. */
#pragma once

#include "document/mt-document.h"
#include "mt-rule-inspector.h"
#include "mt-rule-list.h"
#include "study/mt-study.h"
#include "widgets/mt-adaptive-pair.h"

G_BEGIN_DECLS

#define MT_TYPE_RULES_PAGE (mt_rules_page_get_type ())

G_DECLARE_FINAL_TYPE (MtRulesPage, mt_rules_page, MT, RULES_PAGE, MtAdaptivePair)

void             mt_rules_page_set_study     (MtRulesPage *self,
                                              MtDocument  *document,
                                              MtStudy     *study);
/* A model opened without its data; NULL: back to what the study looks at. */
void             mt_rules_page_set_model     (MtRulesPage *self,
                                              MtModel     *model);
MtRuleBook      *mt_rules_page_get_book      (MtRulesPage *self);     /* NULL: none, or not yet */
MtRuleList      *mt_rules_page_get_list      (MtRulesPage *self);
MtRuleInspector *mt_rules_page_get_inspector (MtRulesPage *self);
void             mt_rules_page_find          (MtRulesPage *self);     /* to the search entry */
/* The picture that is on show: the diagram, or the whole model. */
char            *mt_rules_page_dup_picture_name (MtRulesPage *self);
void             mt_rules_page_export_async  (MtRulesPage *self,
                                              const char  *path,
                                              GAsyncReadyCallback callback,
                                              gpointer     user_data);
gboolean         mt_rules_page_export_finish (GAsyncResult *result,
                                              GError     **error);

/* Signal "show-rows" (GArray of guint32, char *, guint): rows of the table to be shown on the Data page, their title, and one
 * of them. */

/* An edit that the person asks for, with what is selected as its parts; FALSE: there is nothing to edit. */
gboolean         mt_rules_page_make_edit      (MtRulesPage  *self,
                                               MtEditKind    kind,
                                               MtEdit       *edit);
/* Those of the model on show, one after another; NULL: it is as it was learnt. */
const MtEditRecord *mt_rules_page_get_edits   (MtRulesPage  *self,
                                               guint        *n);
/* Follows what is selected. */
GMenuModel      *mt_rules_page_get_edit_menu  (MtRulesPage  *self);
/* Pencils on the page itself, for a header bar that has no room for one. */
void             mt_rules_page_offer_edit     (MtRulesPage  *self,
                                               gboolean      offer);

/* Signal "shown": another model, or none. */

G_END_DECLS
