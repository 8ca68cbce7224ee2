/* One term of a model in words: its weight with its sign, the rule, how it fares. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* The bias, which every row gets. */
GtkWidget *mt_term_row_new_bias (const MtLearned *learned,
                                 const MtRuleSet *rules);
GtkWidget *mt_term_row_new      (const MtLearned *learned,
                                 const MtRuleSet *rules,
                                 guint            term);

G_END_DECLS
