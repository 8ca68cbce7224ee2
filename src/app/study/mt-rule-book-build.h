/* Books of rules: what the rule browser and what-if read, from where models come. May be called on any
 * thread; counting the rows is what takes time. */
#pragma once

#include "mt-selected-model.h"

G_BEGIN_DECLS

MtRuleBook *mt_selected_model_make_book (MtSelectedModel *fitted);   /* with the rows it was learned from */
MtRuleBook *mt_model_make_book  (MtModel  *model);    /* without rows */

G_END_DECLS
