/* Work that was not saved when the program ended is offered in a strip, one after another, until it
 * is reopened or thrown away. Whoever closes the strip is asked again at the next start. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"

static MtRecoverable *
first_of (MtWindow *self)
{
  return self->recoverable != NULL && self->recoverable->len > 0 ? self->recoverable->pdata[0] : NULL;
}

static char *
describe (const MtRecoverable *work)
{
  g_autofree char *when = work->changed != NULL ? mt_format_moment (work->changed) : NULL;
  g_autofree char *runs = NULL;
  g_autoptr (GString) text = NULL;

  if (work->name == NULL)
    return g_strdup (_("Minterm closed before a project was saved, and its file is damaged."));
  /* Translators: %s is the name of a CSV */
  text = g_string_new (NULL);
  g_string_append_printf (text, _("Minterm closed before your work on “%s” was saved."), work->name);
  if (work->n_runs > 0)
    runs = g_strdup_printf (ngettext ("%u run", "%u runs", work->n_runs), work->n_runs);
  if (runs != NULL || when != NULL)
    g_string_append_printf (text, "\n%s%s%s", runs != NULL ? runs : "", runs != NULL && when != NULL ? " · " : "",
                            when != NULL ? when : "");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What is suggested is one thing: over other work that is open, it is that work's next step. */
void
_mt_window_weigh_recovery (MtWindow *self)
{
  if (mt_document_get_table (self->document) == NULL)
    gtk_widget_add_css_class (self->recovery_button, "suggested-action");
  else
    gtk_widget_remove_css_class (self->recovery_button, "suggested-action");
}

static void
show_first (MtWindow *self)
{
  const MtRecoverable *work = first_of (self);
  g_autofree char *text = work != NULL ? describe (work) : NULL;

  gtk_label_set_label (self->recovery_text, text != NULL ? text : "");   /* nothing is read out of a closed strip */
  gtk_revealer_set_reveal_child (self->recovery_strip, text != NULL);
  _mt_window_weigh_recovery (self);
}

static void
on_listed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GPtrArray) found = mt_recovery_list_finish (result);

  if (self->document == NULL)
    return;   /* the window is gone */
  g_clear_pointer (&self->recoverable, g_ptr_array_unref);
  self->recoverable = g_steal_pointer (&found);
  show_first (self);
}

void
mt_window_offer_recovery (MtWindow *self)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  mt_recovery_list_async (on_listed, g_object_ref (self));
}

/* It is open, or gone. */
void
_mt_window_recovered (MtWindow *self,
                      GFile    *file)
{
  for (guint i = 0; self->recoverable != NULL && i < self->recoverable->len; i++)
    if (g_file_equal (((MtRecoverable *) self->recoverable->pdata[i])->file, file))
      {
        g_ptr_array_remove_index (self->recoverable, i);
        show_first (self);
        return;
      }
}

void
_mt_window_recover (MtWindow *self)
{
  const MtRecoverable *work = first_of (self);

  if (work != NULL)
    _mt_window_leave (self, mt_window_open, work->file);
}

void
_mt_window_recover_later (MtWindow *self)
{
  gtk_revealer_set_reveal_child (self->recovery_strip, FALSE);
}

/* --- throwing away --- */

static void
on_discarded (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;

  if (mt_recovery_discard_finish (result, &error) || self->document == NULL)
    return;
  mt_window_offer_recovery (self);   /* again: it is still there */
  _mt_window_show_failure (self, _("Work Not Discarded"), error, NULL, NULL, NULL);
}

static void
on_discard_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     MtWindow         *self)
{
  const MtRecoverable *work = first_of (self);
  g_autoptr (GFile) file = work != NULL ? g_object_ref (work->file) : NULL;

  if (!g_str_equal (response, "discard") || file == NULL)
    return;
  mt_recovery_discard_async (file, on_discarded, g_object_ref (self));
  _mt_window_recovered (self, file);
}

void
_mt_window_discard_recoverable (MtWindow *self)
{
  const MtRecoverable *work = first_of (self);
  GtkWidget *dialog;

  if (work == NULL)
    return;
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Discard Unsaved Work?"),
                                   _("Its decisions, runs, and models cannot be recovered. The data file is "
                                     "not deleted."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "discard", _("_Discard"), NULL);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_discard_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
