#include "config.h"
#include "mt-project-file.h"

#include <glib/gi18n.h>

gboolean
mt_project_file_is_one (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, MT_PROJECT_SUFFIX);
}

void
mt_project_content_free (MtProjectContent *content)
{
  if (content == NULL)
    return;
  g_clear_object (&content->source);
  g_free (content->sha256);
  g_clear_pointer (&content->decisions, mt_decisions_unref);
  g_free (content);
}

/* --- reading --- */

static MtDecisions *
read_decisions (MtProject  *project,
                GError    **error)
{
  g_autoptr (MtCsvDialect) dialect = NULL;
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (GPtrArray) dismissals = NULL;
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();
  GError *problem = NULL;

  dialect = mt_project_dup_dialect (project, &problem);
  if (problem == NULL)
    schema = mt_project_dup_schema (project, &problem);
  if (problem == NULL)
    dismissals = mt_project_list_dismissals (project, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  if (dialect != NULL)
    {
      MtDecisions *next = mt_decisions_with_dialect (decisions, dialect);

      mt_decisions_unref (decisions);
      decisions = next;
    }
  if (schema != NULL)
    {
      MtDecisions *next = mt_decisions_with_schema (decisions, schema);

      mt_decisions_unref (decisions);
      decisions = next;
    }
  for (guint i = 0; dismissals != NULL && i < dismissals->len; i++)
    {
      const MtProjectDismissal *dismissal = g_ptr_array_index (dismissals, i);

      mt_decisions_add_dismissal (decisions, dismissal->code, dismissal->column, dismissal->reason);
    }
  return g_steal_pointer (&decisions);
}

static void
read_thread (GTask        *task,
             gpointer      file,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (MtProject) project = NULL;
  g_autoptr (MtProjectSource) source = NULL;
  g_autoptr (MtProjectContent) content = g_new0 (MtProjectContent, 1);
  GError *error = NULL;

  project = mt_project_open (g_file_peek_path (file), MT_PROJECT_READ_ONLY, cancellable, &error);
  if (project != NULL)
    source = mt_project_dup_source (project, &error);
  if (source != NULL)
    content->decisions = read_decisions (project, &error);
  else if (error == NULL)
    g_set_error_literal (&error, MT_ERROR, MT_ERROR_PARSE,
                         _("This project names no data yet: open a CSV and save it as a project"));
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  content->source = g_file_new_for_commandline_arg (source->uri);
  content->sha256 = g_strdup (source->sha256);
  g_task_return_pointer (task, g_steal_pointer (&content), (GDestroyNotify) mt_project_content_free);
}

void
mt_project_file_read (GFile               *project,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (project, cancellable, callback, user_data);

  g_task_set_source_tag (task, mt_project_file_read);
  if (g_file_peek_path (project) == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                               _("A project has to be a file on this computer"));
      return;
    }
  g_task_run_in_thread (task, read_thread);
}

MtProjectContent *
mt_project_file_read_finish (GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
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
  gpointer key, reason;

  if (before == NULL)
    return FALSE;
  for (guint i = 0; i < before->len; i++)
    {
      const MtProjectDismissal *dismissal = g_ptr_array_index (before, i);

      if (!mt_project_set_dismissal (project, dismissal->code, dismissal->column, NULL, error))
        return FALSE;
    }
  g_hash_table_iter_init (&iter, decisions->dismissals);
  while (g_hash_table_iter_next (&iter, &key, &reason))
    {
      g_auto (GStrv) parts = g_strsplit (key, MT_DECISIONS_SEPARATOR, 2);

      if (!mt_project_set_dismissal (project, parts[0], parts[1], reason, error))
        return FALSE;
    }
  return TRUE;
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

static void
write_thread (GTask        *task,
              gpointer      file,
              gpointer      data,
              GCancellable *cancellable)
{
  Writing *writing = data;
  const char *path = g_file_peek_path (file);
  g_autoptr (MtProject) project = NULL;
  GError *error = NULL;

  project = g_file_query_exists (file, NULL) ? mt_project_open (path, MT_PROJECT_DEFAULT, cancellable, &error)
                                             : mt_project_create (path, &error);
  if (project != NULL && mt_project_begin (project, &error) &&
      write_source (project, writing, &error) &&
      mt_project_set_dialect (project, writing->decisions->dialect, &error) &&
      mt_project_set_schema (project, writing->decisions->schema, &error) &&
      write_dismissals (project, writing->decisions, &error) &&
      mt_project_commit (project, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_project_file_write (GFile               *project,
                       GFile               *source,
                       MtImport            *import,
                       MtDecisions         *decisions,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (project, cancellable, callback, user_data);
  Writing *writing = g_new0 (Writing, 1);

  writing->source = g_object_ref (source);
  writing->import = mt_import_ref (import);
  writing->decisions = mt_decisions_ref (decisions);
  g_task_set_source_tag (task, mt_project_file_write);
  g_task_set_task_data (task, writing, writing_free);
  if (g_file_peek_path (project) == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _("A project has to be a file on this computer"));
  else
    g_task_run_in_thread (task, write_thread);
}

gboolean
mt_project_file_write_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
