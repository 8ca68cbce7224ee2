/* The findings of a table: those of reading it and those of looking at it, in one list. See mt-finding-
 * scan.h. */
#include "config.h"
#include "mt-finding-scan.h"

/* The same said of the same place. A file of ten thousand columns may have as many findings: they are looked up,
 * not searched. */
static gboolean
is_same (gconstpointer a,
         gconstpointer b)
{
  const MtFinding *x = a, *y = b;

  return g_str_equal (x->code, y->code) && x->line == y->line && g_strcmp0 (x->column_name, y->column_name) == 0;
}

static guint
hash_place (gconstpointer data)
{
  const MtFinding *finding = data;

  return g_str_hash (finding->code) * 31 + (guint) finding->line * 7 +
         (finding->column_name != NULL ? g_str_hash (finding->column_name) : 0);
}

static int
by_severity (gconstpointer a,
             gconstpointer b)
{
  const MtFinding *x = *(const MtFinding * const *) a, *y = *(const MtFinding * const *) b;

  if (x->severity != y->severity)
    return x->severity > y->severity ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

GPtrArray *
mt_finding_scan_merge (GPtrArray *read,
                       GPtrArray *scanned)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_place, is_same);

  for (guint i = 0; read != NULL && i < read->len; i++)
    {
      g_ptr_array_add (all, mt_finding_ref (g_ptr_array_index (read, i)));
      g_hash_table_add (seen, g_ptr_array_index (read, i));
    }
  for (guint i = 0; scanned != NULL && i < scanned->len; i++)
    if (g_hash_table_add (seen, g_ptr_array_index (scanned, i)))
      g_ptr_array_add (all, mt_finding_ref (g_ptr_array_index (scanned, i)));
  g_ptr_array_sort (all, by_severity);
  return all;
}

static void
scan_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *findings = mt_findings_scan (data, cancellable, &error);

  if (findings != NULL)
    g_task_return_pointer (task, findings, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
mt_finding_scan_async (GObject             *owner,
                       MtTable             *table,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = g_task_new (owner, cancellable, callback, NULL);

  g_task_set_source_tag (task, mt_finding_scan_async);
  g_task_set_task_data (task, mt_table_ref (table), (GDestroyNotify) mt_table_unref);
  g_task_run_in_thread (task, scan_thread);
}

GPtrArray *
mt_finding_scan_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
