/* The palette for drawn widgets, from the style in force. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

void    mt_theme_get_palette (GtkWidget     *widget,
                              MtPalette     *palette);
/* How wide a line of text in the widget's font would be. */
double  mt_theme_measure_text (GtkWidget *widget, const char *text, double scale, gboolean bold);
/* A line of text in the widget's font, in the middle of the height of @place; cut with an ellipsis when it is
 * too wide. @align: 0 left, 1 right. */
void    mt_theme_draw_text   (GtkWidget             *widget,
                              GtkSnapshot           *snapshot,
                              const char            *text,
                              const MtColor         *color,
                              double                 scale,
                              gboolean               bold,
                              const graphene_rect_t *place,
                              double                 align);
/* The colour of a class: of two, the second stands out and the first is the rest. */
MtColor mt_theme_class_color (const MtPalette *palette,
                              guint            n_classes,
                              guint            class);
/* Of the names of columns, for Pango markup. */
const char *mt_theme_get_name_color (void);
GdkRGBA mt_theme_rgba        (const MtColor *color);
GdkRGBA mt_theme_faded       (const MtColor *color,
                              double         alpha);

/* Of plots and curves, for the theme of the moment. */
void     mt_theme_get_plot_palette (MtPlotPalette *palette);

/* “0.77 ± 0.01” reads from left to right in every language, and stays at the side where it was. */
void mt_theme_read_forwards (GtkLabel *label);

/* What a screen reader says of a line that draws itself: of the list’s own item too, for that has the keyboard. */
void mt_theme_name_line     (GtkWidget  *line,
                             const char *text);

G_END_DECLS
