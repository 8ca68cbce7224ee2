/* Work that was never saved under a name and whose program is gone. See mt-recovery.h. */
#include "config.h"
#include "mt-recovery.h"

#include "mt-core.h"

void
mt_recoverable_free (MtRecoverable *self)
{
  g_object_unref (self->file);
  g_free (self->name);
  g_clear_pointer (&self->changed, g_date_time_unref);
  g_free (self);
}

static MtRecoverable *
look_at (const char *path)
{
  MtRecoverable *self = g_new0 (MtRecoverable, 1);
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, NULL);
  g_autoptr (MtProjectSource) source = project != NULL ? mt_project_dup_source (project, NULL) : NULL;
  g_autoptr (GPtrArray) runs = project != NULL ? mt_project_list_runs (project, NULL) : NULL;
  g_autoptr (GFileInfo) info = NULL;

  self->file = g_file_new_for_path (path);
  if (source != NULL)
    {
      g_autoptr (GFile) data = g_file_new_for_commandline_arg (source->uri);
      g_autofree char *name = g_file_get_basename (data);

      self->name = g_filename_display_name (name);
    }
  self->n_runs = runs != NULL ? runs->len : 0;
  info = g_file_query_info (self->file, G_FILE_ATTRIBUTE_TIME_MODIFIED, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info != NULL)
    self->changed = g_file_info_get_modification_date_time (info);
  return self;
}

static void
list_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GPtrArray) paths = mt_project_list_recoverable ();
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_recoverable_free);

  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (found, look_at (paths->pdata[i]));
  g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
}

void
mt_recovery_list_async (GAsyncReadyCallback callback,
                        gpointer            data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);

  g_task_set_source_tag (task, mt_recovery_list_async);
  g_task_run_in_thread (task, list_thread);
}

GPtrArray *
mt_recovery_list_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
discard_thread (GTask        *task,
                gpointer      source,
                gpointer      file,
                GCancellable *cancellable)
{
  GError *error = NULL;

  if (mt_project_remove_recoverable (g_file_peek_path (file), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_recovery_discard_async (GFile               *file,
                           GAsyncReadyCallback  callback,
                           gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);

  g_task_set_source_tag (task, mt_recovery_discard_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, discard_thread);
}

gboolean
mt_recovery_discard_finish (GAsyncResult  *result,
                            GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
