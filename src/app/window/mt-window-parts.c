/* A spreadsheet or database with several sheets or tables: the question which one to read. It is asked when reading failed for
 * want of an answer; the names are read on another thread. Another one can be chosen later in the import settings. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

typedef struct {
  MtWindow *window;
  GFile    *file;
  gboolean  is_sheet;
} Asked;

static void
asked_free (gpointer  data,
            GClosure *closure)
{
  Asked *asked = data;

  g_object_unref (asked->file);
  g_object_unref (asked->window);
  g_free (asked);
}

/* Nothing else was opened in the meantime. */
static gboolean
is_still_asked (MtWindow *self,
                GFile    *file)
{
  return self->document != NULL && mt_document_lacks_part (self->document) &&
         mt_document_get_load_file (self->document) == file;
}

static void
on_answered (AdwMessageDialog *dialog,
             const char       *response,
             gpointer          data)
{
  Asked *asked = data;
  GtkDropDown *drop_down = g_object_get_data (G_OBJECT (dialog), "parts");
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (drop_down);

  if (g_str_equal (response, "open") && chosen != NULL && is_still_asked (asked->window, asked->file))
    mt_document_choose_part (asked->window->document, asked->is_sheet, gtk_string_object_get_string (chosen));
}

static void
ask (MtWindow            *self,
     GFile               *file,
     gboolean             is_sheet,
     const char * const  *names)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self), is_sheet ? _("Choose a Sheet") : _("Choose a Table"), NULL);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  GtkWidget *parts = gtk_drop_down_new_from_strings (names);
  g_autoptr (GtkExpression) expression = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  guint n = g_strv_length ((char **) names);
  Asked *asked = g_new0 (Asked, 1);

  *asked = (Asked) { g_object_ref (self), g_object_ref (file), is_sheet };
  gtk_drop_down_set_expression (GTK_DROP_DOWN (parts), expression);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (parts), n > 10);
  gtk_accessible_update_property (GTK_ACCESSIBLE (parts), GTK_ACCESSIBLE_PROPERTY_LABEL, is_sheet ? _("Sheet") : _("Table"), -1);
  adw_message_dialog_format_body (dialog,
                                  is_sheet ? ngettext ("“%s” has %u sheet. Minterm reads one.",
                                                       "“%s” has %u sheets. Minterm reads one.", n)
                                           : ngettext ("“%s” has %u table. Minterm reads one.",
                                                       "“%s” has %u tables. Minterm reads one.", n), name, n);
  adw_message_dialog_set_extra_child (dialog, parts);
  g_object_set_data (G_OBJECT (dialog), "parts", parts);
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "open", _("_Open"), NULL);
  adw_message_dialog_set_default_response (dialog, "open");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_response_appearance (dialog, "open", ADW_RESPONSE_SUGGESTED);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_answered), asked, asked_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (parts);
}

static void
on_listed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtWindow) self = data;
  g_autoptr (GFile) file = g_object_ref (G_FILE (g_task_get_task_data (G_TASK (result))));
  MtImportFormat format;
  g_auto (GStrv) names = mt_import_list_parts_finish (result, &format, NULL);

  /* Why it cannot be listed, reading has said already. */
  if (names == NULL || !mt_import_format_has_parts (format) || g_strv_length (names) < 2 || !is_still_asked (self, file))
    return;
  ask (self, file, mt_import_format_is_spreadsheet (format), (const char * const *) names);
}

void
_mt_window_ask_for_part (MtWindow *self)
{
  if (!mt_document_lacks_part (self->document))
    return;
  mt_import_list_parts_async (mt_document_get_load_file (self->document), NULL, on_listed, g_object_ref (self));
}
