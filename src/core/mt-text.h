/* Small helpers for text that came from outside and is shown in a message. Private to core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The start of a text in quotation marks, on one line, control characters escaped, cut
 * after @max characters with an ellipsis. */
char *mt_text_excerpt (const char *text, gsize length, guint max);

G_END_DECLS
