/* What stands above the inspector of the Rules page: which rule it is about, or which mode, and the
 * switch between modes. When narrow all of it stands below each other, with a way back to the list. */
#pragma once

#include <adwaita.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_RULE_HEAD (mt_rule_head_get_type ())

G_DECLARE_FINAL_TYPE (MtRuleHead, mt_rule_head, MT, RULE_HEAD, AdwBin)

void mt_rule_head_show_term      (MtRuleHead *self,
                                  MtTermItem *item);
/* Of what is not about one rule. */
void mt_rule_head_show_title     (MtRuleHead *self,
                                  const char *title);
void mt_rule_head_set_narrow     (MtRuleHead *self,
                                  gboolean    narrow);
void mt_rule_head_set_comparable (MtRuleHead *self,
                                  gboolean    comparable);
/* What the pencil offers; NULL: there is none. */
void mt_rule_head_set_menu       (MtRuleHead *self,
                                  GMenuModel *menu);

G_END_DECLS
