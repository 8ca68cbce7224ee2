/* What was changed in a model by hand, in order, and why. See mt-edits-dialog.h. */
#include "config.h"
#include "mt-edits-dialog.h"

#include <glib/gi18n.h>

#include "mt-edit-words.h"
#include "util/mt-format.h"

static GtkWidget *
make_row (const MtEditRecord *record,
          guint               number)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *text = mt_edit_record_describe (record);
  g_autofree char *title = g_strdup_printf ("%u. %s", number, text);
  g_autofree char *outcome = mt_edit_record_compare (record);
  /* Translators: the reason for an edit, in the person's own words */
  g_autofree char *because = g_strdup_printf (_("Reason: %s"), record->reason);
  g_autofree char *signature = mt_format_signature (record->by, record->made);
  g_autofree char *all = g_strconcat (because, "\n", signature, "\n", outcome, NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), all);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  return row;
}

GtkWidget *
mt_edits_dialog_new (GtkWindow          *parent,
                     const MtEditRecord *edits,
                     guint               n_edits)
{
  GtkWidget *window = g_object_new (ADW_TYPE_WINDOW, "transient-for", parent, "modal", TRUE,
                                    "title", _("Edit History"), "default-width", 520, "default-height", 480, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group),
                                         _("Oldest first. Quality is cross-validated."));
  for (guint i = 0; i < n_edits; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_row (&edits[i], i + 1));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  return window;
}
