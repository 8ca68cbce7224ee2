/* Leaving what is open, for another file or for good: asks about what would be lost (MtSessionLoss). */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

void
_mt_window_save_and_go_on (MtWindow *self,
                           GFile    *project)
{
  mt_session_save_as (self->session, project, TRUE);
}

static gboolean
destroy_now (gpointer self)
{
  gtk_window_destroy (self);
  return G_SOURCE_REMOVE;
}

static void
on_left (MtWindow *self,
         guint     where,
         GFile    *file)
{
  if (where == MT_SESSION_TO_NOTHING)
    _mt_window_show_document (self);
  else if (where == MT_SESSION_TO_END)   /* once the dialog that was answered is done with its parent */
    g_idle_add_full (G_PRIORITY_DEFAULT, destroy_now, g_object_ref (self), g_object_unref);
}

void
_mt_window_init_close (MtWindow *self)
{
  g_signal_connect_object (self->session, "left", G_CALLBACK (on_left), self, G_CONNECT_SWAPPED);
}

typedef struct {
  MtWindow       *window;   /* borrowed: the dialog does not outlive it */
  MtSessionWhere  where;
  GFile          *file;
} Leaving;

static void
leaving_free (gpointer  data,
              GClosure *closure)
{
  Leaving *leaving = data;

  g_clear_object (&leaving->file);
  g_free (leaving);
}

static void
on_leave_answered (AdwMessageDialog *dialog,
                   const char       *response,
                   Leaving          *leaving)
{
  MtWindow *self = leaving->window;

  if (g_str_equal (response, "save"))
    {
      mt_session_save_first (self->session, leaving->where, leaving->file);
      _mt_window_ask_project (self, _mt_window_save_and_go_on);
    }
  else if (g_str_equal (response, "discard") && mt_session_discard (self->session, leaving->where, leaving->file))
    _mt_window_leave (self, leaving->where, leaving->file);   /* what is finished may be worth saving */
}

/* %s in them is the name of a file. */
static const char *
get_question (MtWindow       *self,
              MtSessionLoss   loss,
              const char    **body)
{
  switch (loss)
    {
    case MT_SESSION_STOPS_TRAINING:
      /* Translators: %s is the name of a file */
      *body = _("Training on “%s” is still running. Closing it stops unfinished runs.");
      return _("Stop Training?");
    case MT_SESSION_LOSES_MODEL:
      /* Translators: %s is the name of a file */
      *body = _("Changes to “%s” will be lost unless you export the model or save the report.");
      return _("Discard Changes?");
    case MT_SESSION_LOSES_UNWRITTEN:
      *body = _("The last changes could not be saved in the project.");
      return mt_session_has_results (self->session) ? _("Save Results?") : _("Save Changes?");
    case MT_SESSION_LOSES_RESULTS:
      /* Translators: %s is the name of a file */
      *body = _("The runs on “%s” and their models have not been saved as a project.");
      return _("Save Results?");
    case MT_SESSION_LOSES_CHANGES:
    case MT_SESSION_LOSES_NOTHING:
    default:
      /* Translators: %s is the name of a file */
      *body = _("Your changes to “%s” have not been saved as a project.");
      return _("Save Changes?");
    }
}

void
_mt_window_leave (MtWindow       *self,
                  MtSessionWhere  where,
                  GFile          *file)
{
  GtkWidget *dialog;
  Leaving *leaving;
  const char *heading, *body = NULL;
  GString *text;
  MtSessionLoss loss;
  gboolean running;

  mt_report_page_flush (self->report_page);   /* what is being written counts */
  if (mt_session_leave (self->session, where, file))
    return;
  loss = mt_session_get_loss (self->session);
  running = loss == MT_SESSION_STOPS_TRAINING;
  heading = get_question (self, loss, &body);
  text = g_string_new (body);
  g_string_replace (text, "%s", gtk_window_get_title (GTK_WINDOW (self)), 1);
  dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, text->str);
  g_string_free (text, TRUE);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", running ? _("_Keep Training") : _("_Cancel"),
                                    "discard", running ? _("_Stop") : _("_Discard"), NULL);
  if (!running && loss != MT_SESSION_LOSES_MODEL)   /* a model without data makes no project */
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "save", _("_Save…"));
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
      adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
    }
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  leaving = g_new0 (Leaving, 1);
  leaving->window = self;
  leaving->where = where;
  leaving->file = file != NULL ? g_object_ref (file) : NULL;
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_leave_answered), leaving, leaving_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
