/* One term of a model in words: its weight with its sign, the rule, how it fares. */
#pragma once

#include <adwaita.h>

#include "mt-fitted.h"

G_BEGIN_DECLS

/* The bias, which every row gets. */
GtkWidget *mt_term_row_new_bias (const MtFitted *fitted);
GtkWidget *mt_term_row_new      (const MtFitted *fitted,
                                 guint           term);

G_END_DECLS
