/* A term of art is explained where it stands, in one sentence: to those who point at it and to those who hear it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @whole: what the widget says, where it may be cut; NULL: it never is. @sentence: NULL: there is nothing to explain. */
void mt_term_tooltip (GtkWidget  *widget,
                      const char *whole,
                      const char *sentence);

G_END_DECLS
