/* One reading of a file, off the main thread: what is to be read and how, how far it is, and the
 * cancellable it can be stopped by. See mt-import-operation.h. */
#include "config.h"
#include "mt-import-operation.h"

MtImportOperation *
mt_import_operation_new (GFile       *file,
                         MtDecisions *decisions,
                         const char  *label,
                         int          step)
{
  MtImportOperation *load = g_new0 (MtImportOperation, 1);

  g_atomic_ref_count_init (&load->ref_count);
  g_weak_ref_init (&load->owner, NULL);
  g_mutex_init (&load->lock);
  load->cancellable = g_cancellable_new ();
  load->file = g_object_ref (file);
  load->decisions = mt_decisions_ref (decisions);
  load->label = g_strdup (label);
  load->step = step;
  return load;
}

static MtImportOperation *
import_operation_ref (MtImportOperation *load)
{
  g_atomic_ref_count_inc (&load->ref_count);
  return load;
}

void
mt_import_operation_unref (MtImportOperation *load)
{
  if (load == NULL || !g_atomic_ref_count_dec (&load->ref_count))
    return;
  g_weak_ref_clear (&load->owner);
  g_object_unref (load->cancellable);
  g_object_unref (load->file);
  mt_decisions_unref (load->decisions);
  g_free (load->label);
  g_mutex_clear (&load->lock);
  g_free (load);
}

static gboolean
show_progress (gpointer data)
{
  MtImportOperation *load = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&load->owner);
  MtImportProgress newest;

  g_mutex_lock (&load->lock);
  load->pending = FALSE;
  newest = load->newest;
  g_mutex_unlock (&load->lock);
  if (owner != NULL)
    load->progress (owner, load, &newest);
  return G_SOURCE_REMOVE;
}

/* On the worker: keep the newest, wake the main loop once. */
static void
note_progress (const MtImportProgress *progress,
               gpointer                data)
{
  MtImportOperation *load = data;

  g_mutex_lock (&load->lock);
  load->newest = *progress;
  if (!load->pending)
    {
      load->pending = TRUE;
      g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_progress, import_operation_ref (load), (GDestroyNotify) mt_import_operation_unref);
    }
  g_mutex_unlock (&load->lock);
}

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (MtImportOperation) load = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_finish (result, &error);
  g_autoptr (GObject) owner = g_weak_ref_get (&load->owner);

  if (owner != NULL)
    load->done (owner, load, import, error);
}

void
mt_import_operation_start (MtImportOperation             *load,
                           MtSchema           *schema,
                           GObject            *owner,
                           MtImportOperationProgressFunc  progress,
                           MtImportOperationDoneFunc      done)
{
  const MtImportOptions options = {
    .dialect = load->decisions->dialect, .schema = schema, .progress = note_progress, .progress_data = load,
  };

  g_weak_ref_set (&load->owner, owner);
  load->progress = progress;
  load->done = done;
  mt_import_file_async (load->file, &options, load->cancellable, on_read, import_operation_ref (load));
}
