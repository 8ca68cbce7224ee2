/* A model file opened by itself, without the data it was made from: only the Rules and Report pages have
 * something to show, and say where rows are wanting. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "document/mt-reason-notes.h"

gboolean
_mt_window_is_model (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, ".json");
}

/* The pages that need data are there only when there are some. */
static void
show_pages (MtWindow *self)
{
  GtkSelectionModel *pages = adw_view_stack_get_pages (self->pages);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (AdwViewStackPage) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      adw_view_stack_page_set_visible (page, self->model == NULL ||
                                       adw_view_stack_page_get_child (page) == GTK_WIDGET (self->rules_page) ||
                                       adw_view_stack_page_get_child (page) == GTK_WIDGET (self->report_page));
    }
  g_object_unref (pages);
}

void
_mt_window_forget_model (MtWindow *self)
{
  if (self->model == NULL)
    return;
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->model_name, g_free);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_MODEL, NULL);
  mt_rules_page_set_model (self->rules_page, NULL);
  mt_report_page_set_model (self->report_page, NULL, NULL);
  show_pages (self);
}

/* The model on show, or as it is now that it was edited; it keeps its name. */
void
_mt_window_set_model (MtWindow *self,
                      MtModel  *model)
{
  mt_model_ref (model);
  g_clear_pointer (&self->model, mt_model_unref);
  self->model = model;
  mt_rules_page_set_model (self->rules_page, model);
}

static void
show_model (MtWindow *self,
            GFile    *file,
            MtModel  *model)
{
  _mt_window_forget_project (self, TRUE);
  mt_study_clear (self->study);
  mt_document_close (self->document);
  _mt_window_forget_model (self);
  self->model_name = g_file_get_basename (file);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_MODEL, file);
  _mt_window_set_model (self, model);
  mt_report_page_set_model (self->report_page, model, g_file_peek_path (file));
  show_pages (self);
  adw_view_stack_set_visible_child (self->pages, GTK_WIDGET (self->rules_page));
  _mt_window_show_document (self);
}

/* A file that is refused leaves everything as it was. */
static void
on_model_read (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->document == NULL || self->reading != g_task_get_cancellable (G_TASK (result)))
    return;   /* the window is gone, or something else is to be opened */
  g_clear_object (&self->reading);
  if (model != NULL)
    show_model (self, G_FILE (source), model);
  else
    _mt_window_show_failure (self, _("Model Not Opened"), error, _("Open _Another…"), _mt_window_ask_another,
                             NULL);
}

static void
read_thread (GTask        *task,
             gpointer      file,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  MtModel *model = mt_model_load (g_file_peek_path (file), &error);

  if (model != NULL)
    g_task_return_pointer (task, model, (GDestroyNotify) mt_model_unref);
  else
    g_task_return_error (task, error);
}

void
_mt_window_open_model (MtWindow *self,
                       GFile    *file)
{
  g_autoptr (GTask) task = NULL;

  _mt_window_stop_reading (self);
  self->reading = g_cancellable_new ();
  task = g_task_new (file, self->reading, on_model_read, g_object_ref (self));
  g_task_set_source_tag (task, _mt_window_open_model);
  if (g_file_peek_path (file) != NULL)
    g_task_run_in_thread (task, read_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a file on this computer"));
}

/* What still comes of it is dropped. */
void
_mt_window_stop_reading (MtWindow *self)
{
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

gboolean
mt_window_is_reading (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return self->reading != NULL || mt_document_is_loading (self->document);
}

MtModel *
_mt_window_dup_model (MtWindow  *self,
                      GError   **error)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  g_autoptr (MtModel) model = NULL;

  if (self->model != NULL)
    model = mt_model_ref (self->model);
  else if (fitted != NULL)
    model = mt_selected_model_dup_model (fitted, mt_document_get_import (self->document), error);
  return model != NULL ? mt_reason_notes_apply (mt_document_get_note (self->document, MT_NOTE_REASONS), model, error) : NULL;
}
