/* A label as most of the window's are: from the start of its line, and in several lines where one is too
 * short. See mt-label-line.h. */
#include "config.h"
#include "mt-label-line.h"

GtkLabel *
mt_label_line_add (GtkBox     *box,
                   const char *text,
                   const char *style)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (text));

  gtk_label_set_xalign (label, 0);
  gtk_label_set_wrap (label, TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (label), style);
  gtk_box_append (box, GTK_WIDGET (label));
  return label;
}
