/* Asks for GPUs on a thread of its own. */
#include "config.h"
#include "mt-gpu-look.h"

#include <glib/gi18n.h>

#include "mt-core.h"

static void
look (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  MtGpuLook *found = g_new0 (MtGpuLook, 1);
  g_autoptr (GError) error = NULL;

  if (mt_gpu_sleeps (NULL))
    {
      found->devices = g_ptr_array_new ();
      found->gpu = g_strdup (_("Asleep; Minterm checks it when training uses it"));
    }
  else
    {
      found->devices = mt_backend_list_devices (FALSE);
      found->gpu = mt_backend_dup_about ("cuda", &error);
      found->reason = error != NULL ? g_strdup (error->message) : NULL;
    }
  g_task_return_pointer (task, found, (GDestroyNotify) mt_gpu_look_free);
}

void
mt_gpu_look_async (GCancellable        *cancellable,
                   GAsyncReadyCallback  callback,
                   gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, mt_gpu_look_async);
  g_task_run_in_thread (task, look);
}

MtGpuLook *
mt_gpu_look_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

void
mt_gpu_look_free (MtGpuLook *look)
{
  if (look == NULL)
    return;
  g_ptr_array_unref (look->devices);
  g_free (look->gpu);
  g_free (look->reason);
  g_free (look);
}
