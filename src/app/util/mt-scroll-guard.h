/* Keeps the scroll wheel for the page. It changes no spin button, so scrolling through a form never changes a number by
 * accident, and it does not end in a table that only scrolls sideways. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @control: a spin button or a scale. */
void mt_scroll_guard    (GtkWidget *control);
/* Lets a scrolled window scroll sideways, and leaves what goes up or down to the page around it. */
void mt_scroll_sideways (GtkWidget *scrolled);

G_END_DECLS
