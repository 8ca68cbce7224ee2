/* Keeps the scroll wheel from changing a spin button. The wheel scrolls the page instead, so scrolling through a form
 * never changes a number by accident. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @control: a spin button or a scale. */
void mt_scroll_guard (GtkWidget *control);

G_END_DECLS
