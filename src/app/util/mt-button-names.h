/* What a screen reader says of a button. GTK 4.8 tells it the label with the mnemonic's underscore in it, and then
 * the label once more as its child has it: "_Open… Open…"; one with an icon only is "GtkImage". From here on it is the
 * words, once, or what the tooltip says. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of every button from when it is first shown; once for the program. */
void  mt_button_names_watch (void);
/* "Save _As…" → "Save As…"; two underscores stand for one. */
char *mt_button_names_strip (const char *label);
/* The same as the name of @widget, for what is no button and has a label with a mnemonic. */
void  mt_button_names_tell  (GtkWidget  *widget,
                             const char *label);

G_END_DECLS
