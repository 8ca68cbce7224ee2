/* What to do about a training that failed: the message says what went wrong, this says what helps. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

const char *mt_run_advice_get  (const GError *error);
/* Makes @button lead to what helps: another page, or the CPU. */
void        mt_run_advice_show (const GError *error,
                                GtkButton    *button);

G_END_DECLS
