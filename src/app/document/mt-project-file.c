/* The worker is a pool of one thread. What it has (the MtProject above all) it alone touches; results
 * come back to the main thread. */
#include "config.h"
#include "mt-project-file.h"

#include <glib/gi18n.h>
#include <string.h>

/* Lives as long as the object or something that was pushed. */
typedef struct {
  gatomicrefcount  ref_count;
  GWeakRef         owner;
  MtProject       *project;      /* the worker's; NULL: could not be opened */
  GQueue           held;         /* the worker's, of Task: what failed and all that came after it */
} Worker;

typedef struct {
  Worker         *worker;
  MtProjectFunc   func;
  gpointer        data;
  GDestroyNotify  destroy;
  gboolean        rescues;       /* tried although something failed; held changes follow it */
  gboolean        done;
  GError         *error;         /* on its way back */
  GFile          *file;          /* what the project is from now on; NULL: as before */
} Task;

struct _MtProjectFile {
  GObject      parent_instance;

  GThreadPool *pool;             /* NULL: closed */
  Worker      *worker;
  GFile       *file;
  guint        n_pending;
  GError      *failure;          /* why nothing is written any more; NULL: everything is */
  gboolean     damage_told;
};

enum {
  CHANGED,
  FAILED,
  DAMAGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtProjectFile, mt_project_file, G_TYPE_OBJECT)

gboolean
mt_project_file_is_one (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, MT_PROJECT_SUFFIX);
}

/* --- the worker --- */

static Worker *
worker_ref (Worker *worker)
{
  g_atomic_ref_count_inc (&worker->ref_count);
  return worker;
}

static void
worker_unref (Worker *worker)
{
  if (!g_atomic_ref_count_dec (&worker->ref_count))
    return;
  g_weak_ref_clear (&worker->owner);
  g_clear_pointer (&worker->project, mt_project_free);
  g_free (worker);
}

static void
task_free (gpointer data)
{
  Task *task = data;

  if (task->destroy != NULL)
    task->destroy (task->data);
  g_clear_error (&task->error);
  g_clear_object (&task->file);
  worker_unref (task->worker);
  g_free (task);
}

/* On the main thread. */
static gboolean
tell_done (gpointer data)
{
  Task *task = data;
  g_autoptr (MtProjectFile) self = g_weak_ref_get (&task->worker->owner);

  if (self == NULL)
    return G_SOURCE_REMOVE;
  self->n_pending--;
  if (task->done && task->file != NULL)
    g_set_object (&self->file, task->file);
  if (task->done && task->rescues)
    g_clear_error (&self->failure);
  if (task->error != NULL)
    g_signal_emit (self, signals[FAILED], 0, task->error);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

typedef struct {
  Worker *worker;
  GError *error;
} Failure;

static void
failure_free (gpointer data)
{
  Failure *failure = data;

  g_clear_error (&failure->error);
  worker_unref (failure->worker);
  g_free (failure);
}

/* On the main thread: the task waits to be tried again. */
static gboolean
tell_failed (gpointer data)
{
  Failure *failure = data;
  g_autoptr (MtProjectFile) self = g_weak_ref_get (&failure->worker->owner);

  if (self == NULL)
    return G_SOURCE_REMOVE;
  g_clear_error (&self->failure);
  self->failure = g_error_copy (failure->error);
  g_signal_emit (self, signals[FAILED], 0, failure->error);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static gboolean
try (Worker *worker,
     Task   *task)
{
  task->done = task->func (worker->project, task->data, &task->error);
  if (!task->done && worker->project != NULL)
    mt_project_rollback (worker->project);   /* it may have stopped half-way */
  return task->done;
}

/* In the order they came, until one fails. */
static void
go_on (Worker *worker)
{
  while (!g_queue_is_empty (&worker->held))
    {
      Task *task = g_queue_peek_head (&worker->held);

      if (!try (worker, task))
        {
          Failure *failure = g_new0 (Failure, 1);

          failure->worker = worker_ref (worker);
          failure->error = g_steal_pointer (&task->error);
          g_idle_add_full (G_PRIORITY_DEFAULT, tell_failed, failure, failure_free);
          return;
        }
      g_queue_pop_head (&worker->held);
      g_idle_add_full (G_PRIORITY_DEFAULT, tell_done, task, task_free);
    }
}

static void
work (gpointer data,
      gpointer pool_data)
{
  Task *task = data;
  Worker *worker = worker_ref (task->worker);

  if (task->rescues)
    {
      gboolean done = try (worker, task);

      g_idle_add_full (G_PRIORITY_DEFAULT, tell_done, task, task_free);
      if (done)
        go_on (worker);
    }
  else
    {
      gboolean waits = !g_queue_is_empty (&worker->held);

      g_queue_push_tail (&worker->held, task);
      if (!waits)
        go_on (worker);
    }
  worker_unref (worker);
}

static void
push (MtProjectFile  *self,
      MtProjectFunc   func,
      gpointer        data,
      GDestroyNotify  destroy,
      gboolean        rescues,
      GFile          *file)
{
  Task *task = g_new0 (Task, 1);

  task->worker = worker_ref (self->worker);
  task->func = func;
  task->data = data;
  task->destroy = destroy;
  task->rescues = rescues;
  task->file = file != NULL ? g_object_ref (file) : NULL;
  self->n_pending++;
  g_thread_pool_push (self->pool, task, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_project_file_push (MtProjectFile  *self,
                      MtProjectFunc   func,
                      gpointer        data,
                      GDestroyNotify  destroy)
{
  g_return_if_fail (MT_IS_PROJECT_FILE (self) && self->pool != NULL);
  push (self, func, data, destroy, FALSE, NULL);
}

/* --- opening --- */

typedef struct {
  MtProject        *project;
  MtProjectContent *content;
} Opened;

static void
opened_free (gpointer data)
{
  Opened *opened = data;

  g_clear_pointer (&opened->project, mt_project_free);
  g_clear_pointer (&opened->content, mt_project_content_free);
  g_free (opened);
}

static void
open_thread (GTask        *task,
             gpointer      file,
             gpointer      data,
             GCancellable *cancellable)
{
  Opened *opened = g_new0 (Opened, 1);
  GError *error = NULL;

  opened->project = mt_project_open (g_file_peek_path (file), MT_PROJECT_DEFAULT, cancellable, &error);
  if (opened->project != NULL)
    opened->content = mt_project_content_read (opened->project, &error);
  if (error == NULL)
    {
      g_task_return_pointer (task, opened, opened_free);
      return;
    }
  opened_free (opened);
  g_task_return_error (task, error);
}

void
mt_project_file_open (GFile               *file,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);

  g_task_set_source_tag (task, mt_project_file_open);
  if (g_file_peek_path (file) == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                               _("A project must be a file on this computer"));
      return;
    }
  g_task_run_in_thread (task, open_thread);
}

static void
copy_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  MtProject *project;
  GError *error = NULL;

  project = mt_project_open (g_file_peek_path (source), MT_PROJECT_READ_ONLY, cancellable, &error);
  if (project != NULL && mt_project_save_as (project, g_file_peek_path (data), TRUE, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  g_clear_pointer (&project, mt_project_free);
}

void
mt_project_file_copy (GFile               *file,
                      GFile               *copy,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (file, NULL, callback, user_data);

  g_task_set_source_tag (task, mt_project_file_copy);
  g_task_set_task_data (task, g_object_ref (copy), g_object_unref);
  if (g_file_peek_path (copy) == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _("A project must be a file on this computer"));
  else
    g_task_run_in_thread (task, copy_thread);
}

gboolean
mt_project_file_copy_finish (GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

MtProjectFile *
mt_project_file_open_finish (GAsyncResult      *result,
                             MtProjectContent **content,
                             GError           **error)
{
  Opened *opened = g_task_propagate_pointer (G_TASK (result), error);
  MtProjectFile *self;

  if (opened == NULL)
    return NULL;
  self = g_object_new (MT_TYPE_PROJECT_FILE, NULL);
  self->worker->project = g_steal_pointer (&opened->project);
  if (!mt_project_is_unsaved (self->worker->project))
    self->file = g_object_ref (G_FILE (g_task_get_source_object (G_TASK (result))));
  *content = g_steal_pointer (&opened->content);
  opened_free (opened);
  return self;
}

/* --- writing --- */

typedef struct {
  GFile       *source;
  MtImport    *import;
  MtDecisions *decisions;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_object_unref (writing->source);
  mt_import_unref (writing->import);
  mt_decisions_unref (writing->decisions);
  g_free (writing);
}

/* Those that were taken back go, the others come or stay. */
static gboolean
write_dismissals (MtProject    *project,
                  MtDecisions  *decisions,
                  GError      **error)
{
  g_autoptr (GPtrArray) before = mt_project_list_dismissals (project, error);
  GHashTableIter iter;
  gpointer dismissal;

  if (before == NULL)
    return FALSE;
  for (guint i = 0; i < before->len; i++)
    {
      const MtProjectDismissal *old = g_ptr_array_index (before, i);

      if (!mt_project_take_dismissal_back (project, old->code, old->column, error))
        return FALSE;
    }
  g_hash_table_iter_init (&iter, decisions->dismissals);
  while (g_hash_table_iter_next (&iter, NULL, &dismissal))
    if (!mt_project_set_dismissal (project, dismissal, error))
      return FALSE;
  return TRUE;
}

/* Those that are gone, and those that are there. */
static gboolean
write_notes (MtProject    *project,
             MtDecisions  *decisions,
             GError      **error)
{
  g_auto (GStrv) before = mt_project_list_keys (project, MT_PROJECT_NOTE, error);
  GHashTableIter iter;
  gpointer key, text;

  for (guint i = 0; before != NULL && before[i] != NULL; i++)
    if (mt_decisions_get_note (decisions, before[i]) == NULL &&
        !mt_project_set_text (project, MT_PROJECT_NOTE, before[i], NULL, error))
      return FALSE;
  g_hash_table_iter_init (&iter, decisions->notes);
  while (before != NULL && g_hash_table_iter_next (&iter, &key, &text))
    if (!mt_project_set_text (project, MT_PROJECT_NOTE, key, text, error))
      return FALSE;
  return before != NULL;
}

static gboolean
write_source (MtProject  *project,
              Writing    *writing,
              GError    **error)
{
  g_autofree char *uri = g_file_get_uri (writing->source);
  g_autoptr (GFileInfo) info = g_file_query_info (writing->source, "standard::size,time::modified,time::modified-usec",
                                                  0, NULL, NULL);
  MtProjectSource source = {
    .uri = uri,
    .size = mt_import_get_n_bytes (writing->import),
    .sha256 = (char *) mt_import_get_sha256 (writing->import),
  };

  if (info != NULL)
    source.modified = (gint64) g_file_info_get_attribute_uint64 (info, "time::modified") * G_USEC_PER_SEC +
                      g_file_info_get_attribute_uint32 (info, "time::modified-usec");
  return mt_project_set_source (project, &source, error);
}

static gboolean
write_decisions (MtProject  *project,
                 gpointer    data,
                 GError    **error)
{
  Writing *writing = data;

  return mt_project_begin (project, error) &&
         write_source (project, writing, error) &&
         mt_project_set_dialect (project, writing->decisions->dialect, error) &&
         mt_project_set_schema (project, writing->decisions->schema, error) &&
         write_dismissals (project, writing->decisions, error) &&
         mt_sweep_grid_keep (project, &writing->decisions->run, &writing->decisions->grid, error) &&
         write_notes (project, writing->decisions, error) &&
         mt_project_commit (project, error);
}

void
mt_project_file_set_decisions (MtProjectFile *self,
                               GFile         *source,
                               MtImport      *import,
                               MtDecisions   *decisions)
{
  Writing *writing = g_new0 (Writing, 1);

  writing->source = g_object_ref (source);
  writing->import = mt_import_ref (import);
  writing->decisions = mt_decisions_ref (decisions);
  mt_project_file_push (self, write_decisions, writing, writing_free);
}

typedef struct {
  MtProjectSpace  space;
  char           *key;
  char           *text;
} Text;

static void
text_free (gpointer data)
{
  Text *text = data;

  g_free (text->key);
  g_free (text->text);
  g_free (text);
}

static gboolean
write_text (MtProject  *project,
            gpointer    data,
            GError    **error)
{
  Text *text = data;

  return mt_project_set_text (project, text->space, text->key, text->text, error);
}

void
mt_project_file_set_text (MtProjectFile  *self,
                          MtProjectSpace  space,
                          const char     *key,
                          const char     *text)
{
  Text *copy = g_new0 (Text, 1);

  copy->space = space;
  copy->key = g_strdup (key);
  copy->text = g_strdup (text);
  mt_project_file_push (self, write_text, copy, text_free);
}

/* --- the file as a whole --- */

typedef struct {
  Worker *worker;      /* borrowed: the task's */
  char   *path;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_free (saving->path);
  g_free (saving);
}

static gboolean
save_as (MtProject  *project,
         gpointer    data,
         GError    **error)
{
  Saving *saving = data;

  if (saving->path == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                           _("A project must be a file on this computer"));
      return FALSE;
    }
  if (project != NULL)
    return mt_project_save_as (project, saving->path, TRUE, error);
  /* There was no place even for one without a name. */
  saving->worker->project = mt_project_create (saving->path, error);
  return saving->worker->project != NULL;
}

static gboolean
do_nothing (MtProject  *project,
            gpointer    data,
            GError    **error)
{
  return TRUE;
}

void
mt_project_file_retry (MtProjectFile *self)
{
  g_return_if_fail (MT_IS_PROJECT_FILE (self) && self->pool != NULL);
  push (self, do_nothing, NULL, NULL, TRUE, NULL);
}

const GError *
mt_project_file_get_failure (MtProjectFile *self)
{
  g_return_val_if_fail (MT_IS_PROJECT_FILE (self), NULL);
  return self->failure;
}

void
mt_project_file_tell_damage (MtProjectFile *self,
                             const GError  *error)
{
  g_return_if_fail (MT_IS_PROJECT_FILE (self) && error != NULL);

  if (self->damage_told)
    return;
  self->damage_told = TRUE;
  g_signal_emit (self, signals[DAMAGED], 0, error);
}

void
mt_project_file_save_as (MtProjectFile *self,
                         GFile         *file)
{
  Saving *saving;

  g_return_if_fail (MT_IS_PROJECT_FILE (self) && self->pool != NULL && G_IS_FILE (file));

  saving = g_new0 (Saving, 1);
  saving->worker = self->worker;
  saving->path = g_file_get_path (file);
  push (self, save_as, saving, saving_free, TRUE, file);
}

void
mt_project_file_close (MtProjectFile *self,
                       gboolean       discard)
{
  g_return_if_fail (MT_IS_PROJECT_FILE (self));

  if (self->pool == NULL)
    return;
  g_thread_pool_free (g_steal_pointer (&self->pool), FALSE, TRUE);
  g_queue_clear_full (&self->worker->held, task_free);   /* what could not be written */
  if (discard && self->worker->project != NULL)
    mt_project_discard (g_steal_pointer (&self->worker->project));
  g_clear_pointer (&self->worker->project, mt_project_free);
}

gboolean
mt_project_file_is_busy (MtProjectFile *self)
{
  return self->n_pending > 0 && self->failure == NULL;
}

GFile *
mt_project_file_get_file (MtProjectFile *self)
{
  return self->file;
}

static void
mt_project_file_finalize (GObject *object)
{
  MtProjectFile *self = MT_PROJECT_FILE (object);

  mt_project_file_close (self, FALSE);
  worker_unref (self->worker);
  g_clear_object (&self->file);
  g_clear_error (&self->failure);
  G_OBJECT_CLASS (mt_project_file_parent_class)->finalize (object);
}

static void
mt_project_file_class_init (MtProjectFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_project_file_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[DAMAGED] = g_signal_new ("damaged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
mt_project_file_init (MtProjectFile *self)
{
  self->worker = g_new0 (Worker, 1);
  g_atomic_ref_count_init (&self->worker->ref_count);
  g_weak_ref_init (&self->worker->owner, self);
  g_queue_init (&self->worker->held);
  self->pool = g_thread_pool_new (work, NULL, 1, FALSE, NULL);
}

static gboolean
create (MtProject  *project,
        gpointer    data,
        GError    **error)
{
  Worker *worker = data;

  if (worker->project == NULL)   /* else it has got a name meanwhile */
    worker->project = mt_project_create_unsaved (error);
  return worker->project != NULL;
}

MtProjectFile *
mt_project_file_new (void)
{
  MtProjectFile *self = g_object_new (MT_TYPE_PROJECT_FILE, NULL);

  push (self, create, self->worker, NULL, FALSE, NULL);
  return self;
}
