/* A combo row whose entries are shown whole, the chosen one below the title: a rule's term that is cut before
 * its threshold says nothing. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Of a row whose model holds strings. */
void mt_wrapped_combo_row_init       (AdwComboRow *row);
/* Of a few words each: the chosen one stays next to the title, and the subtitle makes room. */
void mt_wrapped_combo_row_init_short (AdwComboRow *row);

G_END_DECLS
