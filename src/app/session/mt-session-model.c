/* A model file in a session: opened by itself, without the data it was made from. */
#include "config.h"
#include "mt-session-private.h"

#include <glib/gi18n.h>

#include "document/mt-open-files.h"

gboolean
mt_session_is_model (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, ".json");
}

MtModel *
mt_session_get_model (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->model;
}

const char *
mt_session_get_model_name (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->model_name;
}

void
mt_session_set_model (MtSession *self,
                      MtModel   *model)
{
  g_return_if_fail (MT_IS_SESSION (self) && model != NULL);
  mt_model_ref (model);
  g_clear_pointer (&self->model, mt_model_unref);
  self->model = model;
}

void
_mt_session_forget_model (MtSession *self)
{
  if (self->model == NULL)
    return;
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->model_name, g_free);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_MODEL, NULL);
  _mt_session_enter (self, MT_SESSION_EMPTY);
  _mt_session_emit (self, MT_SESSION_MODEL_CLOSED);
}

static void
take_model (MtSession *self,
            GFile     *file,
            MtModel   *model)
{
  _mt_session_forget_project (self, TRUE);
  mt_study_clear (self->study);
  mt_document_close (self->document);
  _mt_session_forget_model (self);
  self->model_name = g_file_get_basename (file);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_MODEL, file);
  mt_session_set_model (self, model);
  _mt_session_enter (self, MT_SESSION_MODEL);
  _mt_session_emit (self, MT_SESSION_MODEL_OPENED, file);
}

/* A file that is refused leaves everything as it was. */
static void
on_model_read (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (MtSession) self = MT_SESSION (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->document == NULL || self->reading != g_task_get_cancellable (G_TASK (result)))
    return;   /* something else is to be opened, or nothing any more */
  g_clear_object (&self->reading);
  if (model != NULL)
    take_model (self, G_FILE (source), model);
  else
    _mt_session_refuse (self, MT_SESSION_REFUSED_MODEL, G_FILE (source), error);
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
_mt_session_open_model (MtSession *self,
                        GFile     *file)
{
  g_autoptr (GTask) task = NULL;

  _mt_session_stop_reading (self);
  self->reading = g_cancellable_new ();
  task = g_task_new (file, self->reading, on_model_read, g_object_ref (self));
  g_task_set_source_tag (task, _mt_session_open_model);
  if (g_file_peek_path (file) != NULL)
    g_task_run_in_thread (task, read_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a file on this computer"));
}

/* What still comes of it is dropped. */
void
_mt_session_stop_reading (MtSession *self)
{
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}
