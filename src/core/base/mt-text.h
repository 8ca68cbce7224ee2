/* Small helpers for text that came from outside and is written somewhere. Private to core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The start of a text in quotation marks, on one line, control characters escaped, cut
 * after @max characters with an ellipsis. */
char *mt_text_excerpt (const char *text, gsize length, guint max);
/* Invisible, or able to turn the direction of what follows: written as an escape, never as it is. */
gboolean mt_text_is_hidden (gunichar c);

G_END_DECLS
