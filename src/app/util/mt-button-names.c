/* What a screen reader says of a button. See mt-button-names.h. */
#include "config.h"
#include "mt-button-names.h"

#include <adwaita.h>
#include <string.h>

char *
mt_button_names_strip (const char *label)
{
  GString *plain = g_string_new (NULL);

  for (const char *c = label; *c != '\0'; c++)
    {
      if (*c == '_' && *++c == '\0')
        break;
      g_string_append_c (plain, *c);
    }
  return g_string_free (plain, FALSE);
}

void
mt_button_names_tell (GtkWidget  *widget,
                      const char *label)
{
  g_autofree char *plain = mt_button_names_strip (label);

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, plain, -1);
}

/* In such a row the button is named by the row's title, too: "Measure" what? */
static gboolean
is_named_by_row (GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);

  return row != NULL && adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row)) == button;
}

static void
set_name (GtkButton *button)
{
  const char *label = gtk_button_get_label (button);

  if (label == NULL)
    return;
  if (gtk_button_get_use_underline (button) && strchr (label, '_') != NULL)
    mt_button_names_tell (GTK_WIDGET (button), label);
  if (!is_named_by_row (GTK_WIDGET (button)))
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean
on_mapped (GSignalInvocationHint *hint,
           guint                  n_values,
           const GValue          *values,
           gpointer               data)
{
  gpointer widget = g_value_get_object (&values[0]);
  const char *tip = GTK_IS_BUTTON (widget) ? gtk_widget_get_tooltip_text (widget) : NULL;

  if (tip != NULL && gtk_button_get_label (widget) == NULL &&
      !gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL))
    gtk_accessible_update_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  if (GTK_IS_BUTTON (widget) && gtk_button_get_label (widget) != NULL &&
      g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, set_name, NULL) == 0)
    {
      set_name (widget);
      g_signal_connect (widget, "notify::label", G_CALLBACK (set_name), NULL);
    }
  return TRUE;
}

void
mt_button_names_watch (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));   /* has its signals now */
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_mapped, NULL, NULL);
}
