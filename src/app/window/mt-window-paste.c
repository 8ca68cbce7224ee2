/* A table from the clipboard: saved as a file first, because a project names the file of its table and reads it again. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-toast.h"

#define KEY_TEXT "minterm-pasted"   /* of the window: what waits for a name */

/* Cells need a line of names and a line of values. */
static gboolean
is_table (const char *text)
{
  const char *end = text != NULL ? strchr (text, '\n') : NULL;

  return end != NULL && end[strspn (end, "\r\n")] != '\0';
}

void
mt_window_save_pasted (MtWindow *self,
                       GFile    *file)
{
  const char *text = g_object_get_data (G_OBJECT (self), KEY_TEXT), *path = g_file_peek_path (file);
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_WINDOW (self));

  if (text == NULL)
    return;
  if (path == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer"));
  else if (mt_open_files_check (file, MT_N_OPEN_KINDS, &error) &&
           mt_file_write (path, text, strlen (text), MT_FILE_REPLACE, &error))
    {
      g_object_set_data (G_OBJECT (self), KEY_TEXT, NULL);
      mt_window_open (self, file);
      return;
    }
  _mt_window_show_failure (self, _("Table Not Saved"), error, NULL, NULL, NULL);
}

void
mt_window_paste (MtWindow   *self,
                 const char *text)
{
  GtkFileChooserNative *dialog;

  g_return_if_fail (MT_IS_WINDOW (self));

  if (!is_table (text))
    {
      adw_toast_overlay_add_toast (self->toasts, mt_toast_new (_("The clipboard has no table: copy a line of names and the rows")));
      return;
    }
  g_object_set_data_full (G_OBJECT (self), KEY_TEXT, g_strdup (text), g_free);
  dialog = gtk_file_chooser_native_new (_("Save the Pasted Table"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"),
                                        _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), strchr (text, '\t') != NULL ? "pasted.tsv" : "pasted.csv");
  _mt_window_choose_file (self, dialog, mt_window_save_pasted);
}

static void
on_text (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);   /* or none: no table */

  if (self->document != NULL)   /* else the window is gone */
    mt_window_paste (self, text);
}

static void
action_paste (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_text, g_object_ref (widget));
}

void
_mt_window_class_install_paste_action (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.paste-table", NULL, action_paste);
}
