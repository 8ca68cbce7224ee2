/* From a CSV to a table: detects the dialect, reads in chunks on worker threads, types the columns, and
 * tells what it noticed. See mt-import.h. */
#include "config.h"
#include "mt-import.h"

#include "mt-import-private.h"

/* What was decided before the file was read, so that others can read it in the same way. */
static MtImport *
keep_asked (MtImport              *import,
            const MtImportOptions *options)
{
  if (import == NULL || options == NULL)
    return import;
  if (options->schema != NULL)
    import->schema = mt_schema_copy (options->schema);
  if (options->dialect != NULL)
    import->asked = mt_csv_dialect_copy (options->dialect);
  return import;
}

MtImport *
mt_import_file (GFile                  *file,
                const MtImportOptions  *options,
                GCancellable           *cancellable,
                GError                **error)
{
  g_autoptr (MtCsvSource) source = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  source = mt_csv_source_new_file (file);
  return keep_asked (mt_import_source (source, options, NULL, cancellable, error), options);
}

MtImport *
mt_import_stream (GInputStream           *stream,
                  const MtImportOptions  *options,
                  GCancellable           *cancellable,
                  GError                **error)
{
  g_autoptr (MtCsvSource) source = NULL;

  g_return_val_if_fail (G_IS_INPUT_STREAM (stream), NULL);

  source = mt_csv_source_new_stream (stream);
  return keep_asked (mt_import_source (source, options, NULL, cancellable, error), options);
}

MtImport *
mt_import_bytes (GBytes                 *bytes,
                 const MtImportOptions  *options,
                 GCancellable           *cancellable,
                 GError                **error)
{
  g_autoptr (MtCsvSource) source = NULL;

  g_return_val_if_fail (bytes != NULL, NULL);

  source = mt_csv_source_new_bytes (bytes);
  return keep_asked (mt_import_source (source, options, NULL, cancellable, error), options);
}

/* --- off the caller's thread --- */

typedef struct {
  GFile           *file;
  MtImportOptions  options;
  MtCsvDialect    *dialect;
  MtSchema        *schema;
} AsyncImport;

static void
async_import_free (gpointer data)
{
  AsyncImport *async = data;

  g_object_unref (async->file);
  mt_csv_dialect_free (async->dialect);
  mt_schema_unref (async->schema);
  g_free (async);
}

static void
import_in_thread (GTask        *task,
                  gpointer      object,
                  gpointer      data,
                  GCancellable *cancellable)
{
  AsyncImport *async = data;
  g_autoptr (GError) error = NULL;
  MtImport *import = mt_import_file (async->file, &async->options, cancellable, &error);

  if (import != NULL)
    g_task_return_pointer (task, import, (GDestroyNotify) mt_import_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
mt_import_file_async (GFile                 *file,
                      const MtImportOptions *options,
                      GCancellable          *cancellable,
                      GAsyncReadyCallback    callback,
                      gpointer               user_data)
{
  g_autoptr (GTask) task = NULL;
  AsyncImport *async;

  g_return_if_fail (G_IS_FILE (file));

  async = g_new0 (AsyncImport, 1);
  async->file = g_object_ref (file);
  if (options != NULL)
    async->options = *options;
  if (async->options.dialect != NULL)
    async->options.dialect = async->dialect = mt_csv_dialect_copy (async->options.dialect);
  if (async->options.schema != NULL)
    async->options.schema = async->schema = mt_schema_copy (async->options.schema);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, mt_import_file_async);
  g_task_set_task_data (task, async, async_import_free);
  g_task_run_in_thread (task, import_in_thread);
}

MtImport *
mt_import_finish (GAsyncResult  *result,
                  GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, mt_import_file_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- results --- */

MtImport *
mt_import_ref (MtImport *import)
{
  g_atomic_ref_count_inc (&import->ref_count);
  return import;
}

void
mt_import_unref (MtImport *import)
{
  if (import == NULL || !g_atomic_ref_count_dec (&import->ref_count))
    return;
  mt_table_unref (import->table);
  mt_csv_dialect_free (import->dialect);
  mt_csv_dialect_free (import->asked);
  mt_schema_unref (import->schema);
  g_ptr_array_unref (import->findings);
  g_free (import->sha256);
  g_clear_pointer (&import->readings, g_array_unref);
  g_free (import->odd.column);
  g_free (import->odd.text);
  g_free (import);
}

MtTable *
mt_import_get_table (const MtImport *import)
{
  return import->table;
}

const MtCsvDialect *
mt_import_get_dialect (const MtImport *import)
{
  return import->dialect;
}

const MtCsvDialect *
mt_import_get_asked (const MtImport *import)
{
  return import->asked;
}

const MtSchema *
mt_import_get_schema (const MtImport *import)
{
  return import->schema;
}

GPtrArray *
mt_import_get_findings (const MtImport *import)
{
  return import->findings;
}

const char *
mt_import_get_sha256 (const MtImport *import)
{
  return import->sha256;
}

guint64
mt_import_get_n_bytes (const MtImport *import)
{
  return import->n_bytes;
}
