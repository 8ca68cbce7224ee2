/* Work that was not saved when the program ended is offered in a strip, one after another, until it
 * is reopened or thrown away. After the strip is closed, the question comes again at the next start. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"

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
  const MtRecoverable *work = mt_session_get_recoverable (self->session);
  g_autofree char *text = work != NULL ? describe (work) : NULL;

  gtk_label_set_label (self->recovery_text, text != NULL ? text : "");   /* nothing is read out of a closed strip */
  gtk_revealer_set_reveal_child (self->recovery_strip, text != NULL);
  _mt_window_weigh_recovery (self);
}

void
mt_window_offer_recovery (MtWindow *self)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  mt_session_find_recoverable (self->session);
}

void
_mt_window_recover (MtWindow *self)
{
  const MtRecoverable *work = mt_session_get_recoverable (self->session);

  if (work != NULL)
    _mt_window_leave (self, MT_SESSION_TO_FILE, work->file);
}

void
_mt_window_recover_later (MtWindow *self)
{
  gtk_revealer_set_reveal_child (self->recovery_strip, FALSE);
}

/* --- throwing away --- */

static void
on_discard_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     MtWindow         *self)
{
  if (g_str_equal (response, "discard"))
    mt_session_discard_recoverable (self->session);
}

void
_mt_window_discard_recoverable (MtWindow *self)
{
  GtkWidget *dialog;

  if (mt_session_get_recoverable (self->session) == NULL)
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

void
_mt_window_init_recovery (MtWindow *self)
{
  g_signal_connect_object (self->session, "recoverable", G_CALLBACK (show_first), self, G_CONNECT_SWAPPED);
}
