/* A wheel over a number that can be set scrolls the page that it stands on, and does not set the number: whoever scrolls
 * through a form would change it without a word. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @control: a spin button or a scale. */
void mt_scroll_guard (GtkWidget *control);

G_END_DECLS
