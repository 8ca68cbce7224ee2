/* The window's project: opened and restored, kept up to date as one goes, saved under a name, left. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "util/mt-format.h"
#include "util/mt-toast.h"

/* --- keeping --- */

gboolean
_mt_window_has_unsaved (MtWindow *self)
{
  if (self->project != NULL && mt_project_file_get_failure (self->project) != NULL)
    return TRUE;
  if (self->project != NULL && mt_project_file_get_file (self->project) != NULL)
    return FALSE;
  /* What was brought back once is not lost the second time; what could not even be read is kept anyway. */
  return _mt_window_has_results (self) || (mt_document_has_decided (self->document) && !self->let_go) ||
         (self->was_recovered && self->content == NULL);
}

gboolean
_mt_window_has_results (MtWindow *self)
{
  return g_list_model_get_n_items (mt_study_get_points (self->study)) > 0;
}

gboolean
_mt_window_can_keep (MtWindow *self)
{
  return self->project != NULL && self->content == NULL && !self->restoring &&
         mt_document_get_import (self->document) != NULL;
}

void
_mt_window_keep_decisions (MtWindow *self)
{
  if (_mt_window_can_keep (self))
    mt_project_file_set_decisions (self->project, mt_document_get_file (self->document),
                                   mt_document_get_import (self->document), mt_document_get_decisions (self->document));
}

void
_mt_window_keep_page (MtWindow *self)
{
  if (_mt_window_can_keep (self))
    mt_project_file_set_text (self->project, MT_PROJECT_STATE, MT_PROJECT_KEY_PAGE,
                              adw_view_stack_get_visible_child_name (self->pages));
}

/* What engines said of a model, by the model's own hash. */
void
_mt_window_keep_check (MtWindow   *self,
                       const char *sha256,
                       const char *json)
{
  g_autofree char *key = g_strconcat (MT_PROJECT_KEY_CHECKS, sha256, NULL);

  if (_mt_window_can_keep (self))
    mt_project_file_set_text (self->project, MT_PROJECT_SETTING, key, json);
}

void
_mt_window_keep_tested (MtWindow   *self,
                        const char *keys)
{
  if (_mt_window_can_keep (self))
    mt_project_file_set_text (self->project, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, keys);
}

/* --- what cannot be written --- */

static void
on_failure_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     MtWindow         *self)
{
  if (g_str_equal (response, "save-as"))
    _mt_window_ask_project (self, mt_window_save_as);
  else if (g_str_equal (response, "again") && self->project != NULL)
    mt_project_file_retry (self->project);
}

/* Everything is still here: the person makes room, or saves elsewhere; until then a strip reminds. */
static void
on_failed (MtWindow     *self,
           const GError *error)
{
  gboolean stuck = mt_project_file_get_failure (self->project) != NULL;
  g_autofree char *why = mt_format_paragraph (error->message);
  g_autofree char *body = stuck ? g_strdup_printf ("%s\n\n%s", why,
                                                   _("Nothing is lost as long as the window stays open. Make room and "
                                                     "try again, or save the project in another place."))
                                : g_strdup (why);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("The Project Was Not Saved"), body);

  self->naming = FALSE;
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
tell_named (MtWindow *self)
{
  GFile *file = self->project != NULL ? mt_project_file_get_file (self->project) : NULL;

  if (!self->naming || mt_window_is_saving (self))
    return;
  self->naming = FALSE;
  if (file != NULL && mt_project_file_get_failure (self->project) == NULL)
    g_set_weak_pointer (&self->saved, _mt_window_tell_saved (self, file));
}

static void
on_project_changed (MtWindow *self)
{
  const GError *failure = self->project != NULL ? mt_project_file_get_failure (self->project) : NULL;
  g_autofree char *why = failure != NULL ? mt_format_paragraph (failure->message) : NULL;
  /* Translators: %s is a sentence that says why */
  g_autofree char *text = why != NULL ? g_strdup_printf (_("The last changes are not saved. %s"), why) : NULL;

  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT,
                     self->project != NULL ? mt_project_file_get_file (self->project) : NULL);
  gtk_label_set_label (self->unsaved_text, text != NULL ? text : "");
  gtk_revealer_set_reveal_child (self->unsaved_strip, text != NULL);
  tell_named (self);
  _mt_window_update_actions (self);
  _mt_window_go_on (self);
}

static void
take_project (MtWindow      *self,
              MtProjectFile *project)
{
  self->project = project;
  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT, mt_project_file_get_file (project));
  g_signal_connect_object (project, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "changed", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
}

void
_mt_window_ensure_project (MtWindow *self)
{
  if (self->project != NULL || mt_document_get_import (self->document) == NULL)
    return;
  take_project (self, mt_project_file_new ());
  _mt_window_keep_decisions (self);
  _mt_window_keep_page (self);
  _mt_window_keep_view (self);
  self->store = mt_study_store_new (self->study, self->project, mt_document_get_table (self->document),
                                    mt_document_get_import (self->document), NULL);
}

void
_mt_window_forget_project (MtWindow *self,
                           gboolean  discard)
{
  gboolean unread = self->content != NULL;

  if (self->keeping_view != 0)
    _mt_window_keep_view (self);
  g_clear_pointer (&self->kept_view, g_free);
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  g_clear_object (&self->store);
  g_clear_pointer (&self->content, mt_project_content_free);
  if (discard)
    {
      mt_report_page_forget_checks (self->report_page);
      mt_report_page_set_tested (self->report_page, NULL);
    }
  if (self->project != NULL)
    /* What was not even read, since its data are not there, is kept for another day. */
    mt_project_file_close (self->project, discard && !unread);
  g_clear_object (&self->project);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT, NULL);
  self->was_recovered = FALSE;
  self->let_go = TRUE;
  gtk_revealer_set_reveal_child (self->unsaved_strip, FALSE);
}

/* --- opening --- */

static void
on_locked_answered (AdwMessageDialog *dialog,
                    const char       *response,
                    MtWindow         *self)
{
  if (g_str_equal (response, "again"))
    _mt_window_open_project (self, g_object_get_data (G_OBJECT (dialog), "file"));
}

/* It may be this program that has it, in another window, or another one. */
static void
show_locked (MtWindow *self,
             GFile    *file)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: %s is the name of a file */
  g_autofree char *body = g_strdup_printf (_("“%s” is open in another window or by another person, and only one can write "
                                             "to it. Close it there and try again."), name);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("The Project Is Open Elsewhere"), body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"), "again", _("_Try Again"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "again", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_object_set_data_full (G_OBJECT (dialog), "file", g_object_ref (file), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_locked_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Where a copy is to be. */
static void
ask_copy (MtWindow   *self,
          const char *kind)
{
  GtkFileChooserNative *chooser;
  g_autofree char *name = NULL;

  if (self->original == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Save a Copy of the Project"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  name = g_file_get_basename (self->original);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  _mt_window_choose_file (self, chooser, mt_window_open_copy);
}

typedef struct {
  MtWindow *window;
  GFile    *copy;
} Copying;

static void
on_copied (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  Copying *copying = data;
  g_autoptr (MtWindow) self = copying->window;
  g_autoptr (GFile) copy = copying->copy;
  g_autoptr (GError) error = NULL;

  g_free (copying);
  if (!mt_project_file_copy_finish (result, &error))
    {
      if (self->document == NULL)
        return;
      g_set_object (&self->original, G_FILE (source));
      _mt_window_show_failure (self, _("The Project Was Not Copied"), error, _("Choose _Another Place…"), ask_copy,
                               NULL);
      return;
    }
  if (self->document != NULL)   /* else the window is gone */
    _mt_window_open_project (self, copy);
}

void
mt_window_open_copy (MtWindow *self,
                     GFile    *copy)
{
  g_autoptr (GError) error = NULL;
  Copying *copying;

  g_return_if_fail (MT_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (copy));

  if (self->original == NULL)
    return;
  if (!mt_open_files_check (copy, MT_OPEN_PROJECT, &error))
    {
      _mt_window_show_failure (self, _("The Project Was Not Copied"), error, _("Choose _Another Place…"), ask_copy, NULL);
      return;
    }
  copying = g_new (Copying, 1);
  *copying = (Copying) { .window = g_object_ref (self), .copy = g_object_ref (copy) };
  mt_project_file_copy (self->original, copy, on_copied, copying);
  g_clear_object (&self->original);
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
                GFile        *file,
                const GError *error)
{
  g_autofree char *why = mt_format_paragraph (error->message);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("The Project Is Read-Only"), why);

  g_set_object (&self->original, file);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"),
                                    "copy", _("Open a _Copy…"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "copy", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_read_only_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
is_read_only (GFile        *file,
              const GError *error)
{
  return (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
          g_error_matches (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY)) &&
         g_access (g_file_peek_path (file), R_OK) == 0;
}

void
_mt_window_stay (MtWindow *self)
{
  if (self->coming != NULL)
    mt_project_file_close (self->coming, FALSE);
  g_clear_object (&self->coming);
  g_clear_pointer (&self->coming_content, mt_project_content_free);
  self->replacing = FALSE;
}

void
_mt_window_replace (MtWindow *self)
{
  g_autoptr (GCancellable) opening = NULL;

  if (!self->replacing)
    return;
  self->replacing = FALSE;
  opening = g_steal_pointer (&self->opening);   /* asked for later, it is to take the place of this one */
  _mt_window_forget_project (self, TRUE);
  self->opening = g_steal_pointer (&opening);
  mt_study_clear (self->study);
  mt_plot_view_reset (mt_frontier_page_get_plot (self->frontier_page));   /* another's has other axes */
  if (self->coming == NULL)
    return;
  take_project (self, g_steal_pointer (&self->coming));
  self->content = g_steal_pointer (&self->coming_content);
  self->was_recovered = mt_project_file_get_file (self->project) == NULL;
}

static void
read_coming (MtWindow *self)
{
  const MtProjectContent *content = self->coming_content != NULL ? self->coming_content : self->content;

  mt_document_open_with (self->document, content->source, content->decisions);
}

static void
on_project_open (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  MtProjectContent *content = NULL;
  g_autoptr (MtProjectFile) project = mt_project_file_open_finish (result, &content, &error);
  g_autoptr (MtProjectContent) owned = content;

  if (self->document == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;   /* the window is gone, or something else is to be opened */
  if (g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED))
    {
      show_locked (self, G_FILE (source));
      return;
    }
  if (project == NULL && is_read_only (G_FILE (source), error))
    {
      show_read_only (self, G_FILE (source), error);
      return;
    }
  if (project == NULL)
    {
      _mt_window_show_failure (self, _("The Project Cannot Be Opened"), error, _("Open _Another…"),
                               _mt_window_ask_another, NULL);
      return;
    }
  _mt_window_stay (self);
  self->replacing = TRUE;
  self->coming = g_steal_pointer (&project);
  self->coming_content = g_steal_pointer (&owned);
  _mt_window_recovered (self, G_FILE (source));
  if (mt_document_get_table (self->document) == NULL)
    _mt_window_replace (self);   /* there is nothing that could stay, and it may be told where its data are now */
  read_coming (self);
}

void
_mt_window_open_project (MtWindow *self,
                         GFile    *project)
{
  /* The same file cannot be open twice, not even here. */
  if (self->project != NULL && mt_project_file_get_file (self->project) != NULL &&
      g_file_equal (mt_project_file_get_file (self->project), project))
    return;
  if (self->coming != NULL && mt_project_file_get_file (self->coming) != NULL &&
      g_file_equal (mt_project_file_get_file (self->coming), project))
    {
      read_coming (self);   /* its data may be there now */
      return;
    }
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  self->opening = g_cancellable_new ();
  mt_project_file_open (project, self->opening, on_project_open, g_object_ref (self));
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
on_source_changed (MtWindow          *self,
                   GFile             *file,
                   GFile             *other,
                   GFileMonitorEvent  event)
{
  if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED)
    show_source_changed (self, _("The CSV has changed on disk. What is shown is what was read before."));
  else if (event == G_FILE_MONITOR_EVENT_DELETED)
    show_source_changed (self, _("The CSV is no longer there. What is shown is what was read before."));
}

static void
watch_source (MtWindow *self)
{
  GFile *file = mt_document_get_file (self->document);

  gtk_revealer_set_reveal_child (self->source_strip, FALSE);
  g_clear_object (&self->monitor);
  if (file != NULL)
    self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
}

void
_mt_window_document_read (MtWindow *self)
{
  g_autoptr (MtProjectContent) content = g_steal_pointer (&self->content);
  MtImport *import = mt_document_get_import (self->document);

  watch_source (self);
  if (self->store != NULL)
    mt_study_store_set_import (self->store, import);
  if (content == NULL || self->project == NULL)
    return;
  self->restoring = TRUE;
  for (guint i = 0; content->checks != NULL && i < content->checks->len; i++)
    mt_report_page_add_check (self->report_page, g_ptr_array_index (content->checks, i));
  mt_report_page_set_tested (self->report_page, content->tested);
  self->store = mt_study_store_new (self->study, self->project, mt_document_get_table (self->document), import, content);
  if (content->view != NULL)
    _mt_window_restore_view (self, content->view);
  if (content->page != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", content->page);
  self->restoring = FALSE;
  if (!g_file_equal (content->source, mt_document_get_file (self->document)))
    _mt_window_keep_decisions (self);   /* it was elsewhere, and is looked for here from now on */
  if (content->sha256 != NULL && g_strcmp0 (content->sha256, mt_import_get_sha256 (import)) != 0)
    show_source_changed (self, _("The CSV has changed since the project was saved: its models were learnt from other "
                                 "rows. Train again to be sure of them."));
}

/* --- saving under a name --- */

static void
ask_save_as (MtWindow   *self,
             const char *kind)
{
  _mt_window_ask_project (self, mt_window_save_as);
}

void
mt_window_save_as (MtWindow *self,
                   GFile    *project)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_WINDOW (self) && G_IS_FILE (project));

  if (!mt_open_files_check (project, MT_OPEN_PROJECT, &error))
    {
      _mt_window_show_failure (self, _("The Project Was Not Saved"), error, _("Choose _Another Place…"), ask_save_as, NULL);
      return;
    }
  _mt_window_ensure_project (self);
  if (self->project == NULL)
    return;
  self->naming = TRUE;
  mt_project_file_save_as (self->project, project);
}

gboolean
mt_window_is_saving (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return self->project != NULL && mt_project_file_is_busy (self->project);
}

void
_mt_window_ask_project (MtWindow         *self,
                        MtWindowFileFunc  chosen)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save as a Project"), GTK_WINDOW (self),
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
