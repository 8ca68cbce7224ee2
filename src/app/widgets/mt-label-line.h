/* A label as most of the window's are: from the start of its line, and in several lines where one is too short. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Added to the end of @box, which owns it. @text and @style, a CSS class, may be NULL. */
GtkLabel *mt_label_line_add (GtkBox     *box,
                             const char *text,
                             const char *style);

G_END_DECLS
