/* A term of art is explained where it stands, in one sentence: to those who point at it and to those who
 * hear it. See mt-term-tooltip.h. */
#include "config.h"
#include "mt-term-tooltip.h"

void
mt_term_tooltip (GtkWidget  *widget,
                 const char *whole,
                 const char *sentence)
{
  g_autofree char *both = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (whole != NULL && sentence != NULL)
    both = g_strconcat (whole, "\n", sentence, NULL);
  gtk_widget_set_tooltip_text (widget, both != NULL ? both : sentence != NULL ? sentence : whole);
  if (sentence != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}
