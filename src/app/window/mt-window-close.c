/* Leaving what is open, for another file or for good: what is at work or has no name yet is asked about, and
 * if it is saved, what was wanted continues after that. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

/* --- after saving --- */

static void
save_and_go_on (MtWindow *self,
                GFile    *project)
{
  self->going = self->next != NULL;
  mt_window_save_as (self, project);
}

static gboolean
go_on (gpointer data)
{
  g_autoptr (MtWindow) self = g_weak_ref_get (data);
  g_autoptr (GFile) file = NULL;
  MtWindowNextFunc next;

  if (self == NULL || self->next == NULL)
    return G_SOURCE_REMOVE;
  next = g_steal_pointer (&self->next);
  file = g_steal_pointer (&self->next_file);
  next (self, file);
  return G_SOURCE_REMOVE;
}

static void
weak_free (gpointer weak)
{
  g_weak_ref_clear (weak);
  g_free (weak);
}

void
_mt_window_go_on (MtWindow *self)
{
  GWeakRef *weak;

  if (!self->going || self->project == NULL || mt_window_is_saving (self))
    return;
  self->going = FALSE;
  if (_mt_window_has_unsaved (self))   /* it was not written; that has been said */
    {
      self->next = NULL;
      g_clear_object (&self->next_file);
      return;
    }
  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  g_idle_add_full (G_PRIORITY_DEFAULT, go_on, weak, weak_free);   /* the project is still telling */
}

/* --- leaving --- */

typedef struct {
  MtWindow         *window;   /* borrowed: the dialog does not outlive it */
  MtWindowNextFunc  next;
  GFile            *file;
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
      self->next = leaving->next;
      g_set_object (&self->next_file, leaving->file);
      _mt_window_ask_project (self, save_and_go_on);
    }
  else if (g_str_equal (response, "discard") && mt_study_is_running (self->study))
    {
      mt_study_stop (self->study);
      _mt_window_leave (self, leaving->next, leaving->file);   /* what is finished may be worth saving */
    }
  else if (g_str_equal (response, "discard"))
    {
      /* What is to be opened may be no file that can be read: until it has been, nothing is thrown away. */
      if (leaving->next != mt_window_open)
        {
          _mt_window_forget_project (self, TRUE);
          mt_study_clear (self->study);
        }
      leaving->next (self, leaving->file);
    }
}

/* %s in them is the name of a file. */
static const char *
get_question (MtWindow    *self,
              const char **body)
{
  gboolean results = _mt_window_has_results (self);

  if (mt_study_is_running (self->study))
    {
      /* Translators: %s is the name of a file */
      *body = _("Training on “%s” is still running. Closing it stops unfinished runs.");
      return _("Stop Training?");
    }
  if (self->project != NULL && mt_project_file_get_failure (self->project) != NULL)
    *body = _("The last changes could not be saved in the project.");
  else if (self->model != NULL)
    {
      /* Translators: %s is the name of a file */
      *body = _("Changes to “%s” will be lost unless you export the model or save the report.");
      return _("Discard Changes?");
    }
  else
    /* Translators: %s is the name of a file */
    *body = results ? _("The runs on “%s” and their models have not been saved as a project.")
                    /* Translators: %s is the name of a file */
                    : _("Your changes to “%s” have not been saved as a project.");
  return results ? _("Save Results?") : _("Save Changes?");
}

void
_mt_window_leave (MtWindow         *self,
                  MtWindowNextFunc  next,
                  GFile            *file)
{
  GtkWidget *dialog;
  Leaving *leaving;
  const char *heading, *body = NULL;
  GString *text;
  gboolean running;

  mt_report_page_flush (self->report_page);   /* what is being written counts */
  running = mt_study_is_running (self->study);
  if (!_mt_window_has_unsaved (self) && !running)
    {
      next (self, file);
      return;
    }
  heading = get_question (self, &body);
  text = g_string_new (body);
  g_string_replace (text, "%s", gtk_window_get_title (GTK_WINDOW (self)), 1);
  dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, text->str);
  g_string_free (text, TRUE);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", running ? _("_Keep Training") : _("_Cancel"),
                                    "discard", running ? _("_Stop") : _("_Discard"), NULL);
  if (!running && self->model == NULL)   /* a model without data makes no project */
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "save", _("_Save…"));
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
      adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
    }
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  leaving = g_new0 (Leaving, 1);
  leaving->window = self;
  leaving->next = next;
  leaving->file = file != NULL ? g_object_ref (file) : NULL;
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_leave_answered), leaving, leaving_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
