/* The window's project: opened, saved as one goes, saved under a name. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-project-file.h"

void
_mt_window_forget_project (MtWindow *self)
{
  g_clear_object (&self->project);
  g_clear_pointer (&self->expected, g_free);
}

static void
on_project_read (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProjectContent) content = mt_project_file_read_finish (result, &error);

  if (self->document == NULL)
    return;   /* the window is gone */
  if (content == NULL)
    {
      _mt_window_show_failure (self, _("The Project Cannot Be Opened"), error);
      return;
    }
  _mt_window_forget_project (self);
  self->project = g_object_ref (G_FILE (source));
  self->expected = g_steal_pointer (&content->sha256);
  mt_study_clear (self->study);
  mt_document_open_with (self->document, content->source, content->decisions);
}

void
_mt_window_open_project (MtWindow *self,
                         GFile    *project)
{
  mt_project_file_read (project, NULL, on_project_read, g_object_ref (self));
}

/* Once the source has been read: is it still what the decisions were made about? */
void
_mt_window_compare_source (MtWindow *self)
{
  MtImport *import = mt_document_get_import (self->document);

  if (self->expected == NULL || import == NULL)
    return;
  if (g_strcmp0 (self->expected, mt_import_get_sha256 (import)) != 0)
    adw_toast_overlay_add_toast (self->toasts,
                                 adw_toast_new (_("The CSV has changed since the project was saved")));
  g_clear_pointer (&self->expected, g_free);
}

static void
on_project_written (GObject      *source,
                    GAsyncResult *result,
                    gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  gboolean written = mt_project_file_write_finish (result, &error);

  self->saving = FALSE;
  if (self->document == NULL)
    return;
  if (!written)
    {
      /* Not to be tried at every change: the person saves under another name, or again. */
      _mt_window_forget_project (self);
      _mt_window_show_failure (self, _("The Project Was Not Saved"), error);
    }
  else if (self->save_again)
    _mt_window_save_project (self);
}

void
_mt_window_save_project (MtWindow *self)
{
  if (self->project == NULL || mt_document_get_import (self->document) == NULL)
    return;
  self->save_again = self->saving;
  if (self->saving)
    return;
  self->saving = TRUE;
  mt_project_file_write (self->project, mt_document_get_file (self->document), mt_document_get_import (self->document),
                         mt_document_get_decisions (self->document), NULL, on_project_written, g_object_ref (self));
}

void
mt_window_save_as (MtWindow *self,
                   GFile    *project)
{
  g_return_if_fail (MT_IS_WINDOW (self) && G_IS_FILE (project));

  g_set_object (&self->project, project);
  _mt_window_save_project (self);
}

gboolean
mt_window_is_saving (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return self->saving;
}

void
_mt_window_ask_project (MtWindow *self)
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
  _mt_window_choose_file (self, dialog, mt_window_save_as);
}
