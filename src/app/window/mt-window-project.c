/* What the window shows of its session: what was refused, not written, saved or restored; and what it keeps there of
 * itself. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"
#include "util/mt-toast.h"

/* --- keeping --- */

void
_mt_window_keep_page (MtWindow *self)
{
  mt_session_keep_text (self->session, MT_PROJECT_STATE, MT_PROJECT_KEY_PAGE,
                        adw_view_stack_get_visible_child_name (self->pages));
}

/* What engines said of a model, by the model's own hash. */
void
_mt_window_keep_check (MtWindow   *self,
                       const char *sha256,
                       const char *json)
{
  g_autofree char *key = g_strconcat (MT_PROJECT_KEY_CHECKS, sha256, NULL);

  mt_session_keep_text (self->session, MT_PROJECT_SETTING, key, json);
}

void
_mt_window_keep_tested (MtWindow   *self,
                        const char *keys)
{
  mt_session_keep_text (self->session, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, keys);
}

static void
on_began (MtWindow *self)
{
  _mt_window_keep_page (self);
  _mt_window_keep_view (self);
}

static void
on_forgetting (MtWindow *self,
               gboolean  discard)
{
  _mt_window_flush_view (self);
  if (discard)
    {
      mt_report_page_forget_checks (self->report_page);
      mt_report_page_set_tested (self->report_page, NULL);
    }
  gtk_revealer_set_reveal_child (self->unsaved_strip, FALSE);
}

/* --- what cannot be written --- */

static void
on_failure_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     MtWindow         *self)
{
  if (g_str_equal (response, "save-as"))
    _mt_window_ask_project (self, mt_window_save_as);
  else if (g_str_equal (response, "again"))
    mt_session_retry (self->session);
}

/* Everything is still here: the person makes room, or saves elsewhere; until then a strip reminds. */
static void
on_not_written (MtWindow     *self,
                const GError *error)
{
  gboolean stuck = mt_session_get_failure (self->session) != NULL;
  g_autofree char *why = mt_format_paragraph (error->message);
  g_autofree char *body = stuck ? g_strdup_printf ("%s\n\n%s", why,
                                                   _("Your work is kept while this window stays open. Free "
                                                     "up space and try again, or save the project in another "
                                                     "location."))
                                : g_strdup (why);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Project Not Saved"), body);

  if (self->saved != NULL)
    adw_toast_dismiss (self->saved);      /* it was true a moment ago */
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"), "save-as", _("Save _As…"), NULL);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  if (stuck)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "again", _("_Try Again"));
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "again", ADW_RESPONSE_SUGGESTED);
    }
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

AdwToast *
_mt_window_tell_saved (MtWindow *self,
                       GFile    *file)
{
  AdwToast *toast = mt_toast_new_saved (file);

  adw_toast_overlay_add_toast (self->toasts, toast);
  return toast;
}

/* Afterwards everything is saved as it happens, and nothing more is said. */
static void
on_named (MtWindow *self,
          GFile    *file)
{
  g_set_weak_pointer (&self->saved, _mt_window_tell_saved (self, file));
}

static void
on_session_changed (MtWindow *self)
{
  const GError *failure = mt_session_get_failure (self->session);
  g_autofree char *why = failure != NULL ? mt_format_paragraph (failure->message) : NULL;
  /* Translators: %s is a sentence that says why */
  g_autofree char *text = why != NULL ? g_strdup_printf (_("The last changes are not saved. %s"), why) : NULL;

  gtk_label_set_label (self->unsaved_text, text != NULL ? text : "");
  gtk_revealer_set_reveal_child (self->unsaved_strip, text != NULL);
  _mt_window_update_actions (self);
}

/* --- opening --- */

/* Where a copy is to be. */
static void
ask_copy (MtWindow   *self,
          const char *kind)
{
  GFile *original = mt_session_get_original (self->session);
  GtkFileChooserNative *chooser;
  g_autofree char *name = NULL;

  if (original == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Save a Copy"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  name = g_file_get_basename (original);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  _mt_window_choose_file (self, chooser, mt_window_open_copy);
}

static void
on_locked_answered (AdwMessageDialog *dialog,
                    const char       *response,
                    MtWindow         *self)
{
  if (g_str_equal (response, "again"))
    mt_session_open (self->session, g_object_get_data (G_OBJECT (dialog), "file"));
  else if (g_str_equal (response, "copy"))
    ask_copy (self, NULL);
}

/* It may be this program that has it, in another window, or another one: a sweep that still runs. */
static void
show_locked (MtWindow *self,
             GFile    *file)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: %s is the name of a file */
  g_autofree char *body = g_strdup_printf (_("“%s” is open in another window or by another user. Close it "
                                             "there and try again, or open a copy of what has been saved so far."), name);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Project Is Open Elsewhere"), body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"), "copy", _("Open a _Copy…"),
                                    "again", _("_Try Again"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "again", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_object_set_data_full (G_OBJECT (dialog), "file", g_object_ref (file), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_locked_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
mt_window_open_copy (MtWindow *self,
                     GFile    *copy)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  mt_session_copy (self->session, copy);
}

static void
on_read_only_answered (AdwMessageDialog *dialog,
                       const char       *response,
                       MtWindow         *self)
{
  if (g_str_equal (response, "copy"))
    ask_copy (self, NULL);
}

/* A project is saved as one goes, so it has to be where one may write. */
static void
show_read_only (MtWindow     *self,
                const GError *error)
{
  g_autofree char *why = mt_format_paragraph (error->message);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Project Is Read-Only"), why);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"),
                                    "copy", _("Open a _Copy…"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "copy", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_read_only_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- the CSV --- */

void
mt_window_locate (MtWindow *self,
                  GFile    *file)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));
  mt_document_locate (self->document, file);
}

static void
show_source_changed (MtWindow   *self,
                     const char *text)
{
  gtk_label_set_label (self->source_text, text);
  gtk_revealer_set_reveal_child (self->source_strip, TRUE);
}

static void
on_source (MtWindow *self,
           guint     source)
{
  switch ((MtSessionSource) source)
    {
    case MT_SESSION_SOURCE_CHANGED:
      show_source_changed (self, _("The file has changed on disk. The previous version is shown."));
      break;
    case MT_SESSION_SOURCE_DELETED:
      show_source_changed (self, _("The file no longer exists. The previous version is shown."));
      break;
    case MT_SESSION_SOURCE_OTHER:
      show_source_changed (self, _("The data file has changed since the project was saved: its models were "
                                   "trained on other rows. Train again to update them."));
      break;
    case MT_SESSION_SOURCE_SAME:
    default:
      gtk_revealer_set_reveal_child (self->source_strip, FALSE);
    }
}

static void
on_opening (MtWindow *self)
{
  adw_view_stack_set_visible_child_name (self->pages, "data");
}

/* Another's has other axes. */
static void
on_replaced (MtWindow *self)
{
  mt_plot_view_reset (mt_frontier_page_get_plot (self->frontier_page));
}

static void
on_restoring (MtWindow               *self,
              const MtProjectContent *content)
{
  for (guint i = 0; content->checks != NULL && i < content->checks->len; i++)
    mt_report_page_add_check (self->report_page, g_ptr_array_index (content->checks, i));
  mt_report_page_set_tested (self->report_page, content->tested);
}

static void
on_restored (MtWindow               *self,
             const MtProjectContent *content)
{
  if (content->view != NULL)
    _mt_window_restore_view (self, content->view);
  if (content->page != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", content->page);
}

static void
on_read (MtWindow *self)
{
  _mt_window_warm_up (self);
  _mt_window_update_actions (self);
}

/* --- saving under a name --- */

static void
ask_save_as (MtWindow   *self,
             const char *kind)
{
  _mt_window_ask_project (self, mt_session_get_leaving (self->session) == MT_SESSION_CHOOSING ? _mt_window_save_and_go_on
                                                                                              : mt_window_save_as);
}

void
mt_window_save_as (MtWindow *self,
                   GFile    *project)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  mt_session_save_as (self->session, project, FALSE);
}

gboolean
mt_window_is_saving (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return mt_session_is_writing (self->session);
}

void
_mt_window_ask_project (MtWindow         *self,
                        MtWindowFileFunc  chosen)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save as Project"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  g_autofree char *title = mt_document_dup_title (self->document);
  g_autofree char *name = NULL;
  char *dot = title != NULL ? strrchr (title, '.') : NULL;

  if (dot != NULL)
    *dot = '\0';
  name = g_strconcat (title, MT_PROJECT_SUFFIX, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  _mt_window_choose_file (self, dialog, chosen);
}

/* --- what is refused --- */

static void
on_refused (MtWindow     *self,
            guint         refusal,
            GFile        *file,
            const GError *error)
{
  switch ((MtSessionRefusal) refusal)
    {
    case MT_SESSION_REFUSED_LOCKED:
      show_locked (self, file);
      break;
    case MT_SESSION_REFUSED_READ_ONLY:
      show_read_only (self, error);
      break;
    case MT_SESSION_REFUSED_PROJECT:
      _mt_window_show_failure (self, _("Project Not Opened"), error, _("Open _Another…"), _mt_window_ask_another, NULL);
      break;
    case MT_SESSION_REFUSED_MODEL:
      _mt_window_show_failure (self, _("Model Not Opened"), error, _("Open _Another…"), _mt_window_ask_another, NULL);
      break;
    case MT_SESSION_REFUSED_PART:
      _mt_window_show_failure (self, _("Model Not Read"), error, NULL, NULL, NULL);
      break;
    case MT_SESSION_REFUSED_COPY:
      _mt_window_show_failure (self, _("Project Not Copied"), error, _("Choose _Another Location…"), ask_copy, NULL);
      break;
    case MT_SESSION_REFUSED_PLACE:
      _mt_window_show_failure (self, _("Project Not Saved"), error, _("Choose _Another Location…"), ask_save_as, NULL);
      break;
    case MT_SESSION_REFUSED_DISCARD:
    default:
      _mt_window_show_failure (self, _("Work Not Discarded"), error, NULL, NULL, NULL);
    }
}

void
_mt_window_init_project (MtWindow *self)
{
  static const struct {
    const char *signal;
    GCallback   callback;
  } handlers[] = {
    { "changed", G_CALLBACK (on_session_changed) }, { "opening", G_CALLBACK (on_opening) },
    { "began", G_CALLBACK (on_began) }, { "forgetting", G_CALLBACK (on_forgetting) },
    { "replaced", G_CALLBACK (on_replaced) }, { "restoring", G_CALLBACK (on_restoring) },
    { "restored", G_CALLBACK (on_restored) }, { "read", G_CALLBACK (on_read) }, { "source", G_CALLBACK (on_source) },
    { "refused", G_CALLBACK (on_refused) }, { "not-written", G_CALLBACK (on_not_written) },
    { "named", G_CALLBACK (on_named) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->session, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
}
