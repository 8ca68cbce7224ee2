/* Files of older versions: they are read as they are, and become this version's with the first
 * change, in the same transaction. Version 1 did not keep who dismissed or edited, nor when. */
#include "config.h"
#include "mt-project-private.h"

#include "base/mt-error.h"

/* By SQLite and not from the header: a change that was cut short may yet have to be taken back. */
gboolean
mt_project_read_version (MtProject  *self,
                         GError    **error)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (self->db, "PRAGMA user_version", -1, &statement, NULL);
  guint version = 0;

  if (code == SQLITE_OK)
    code = sqlite3_step (statement);
  if (code == SQLITE_ROW)
    version = (guint) sqlite3_column_int (statement, 0);
  else
    mt_project_set_db_error (self, self->db, code, error);
  sqlite3_finalize (statement);
  if (code != SQLITE_ROW)
    return FALSE;
  if (version >= 1 && version <= MT_PROJECT_VERSION)
    {
      self->version = version;
      return TRUE;
    }
  mt_project_set_damaged (self->path, "of contents", "version", "does not exist", error);
  return FALSE;
}

typedef struct {
  const MtStoreTable *table;
  GPtrArray          *rows;      /* of MtCell arrays */
  GStringChunk       *texts;
} Kept;

static gboolean
keep_row (MtProject     *self,
          const MtCell  *row,
          gpointer       data,
          GError       **error)
{
  Kept *kept = data;
  MtCell *copy = g_memdup2 (row, kept->table->n_fields * sizeof *row);

  for (guint i = 0; i < kept->table->n_fields; i++)
    if (copy[i].type == MT_CELL_TEXT)
      copy[i].data = g_string_chunk_insert_len (kept->texts, copy[i].data, (gssize) copy[i].length);
  g_ptr_array_add (kept->rows, copy);
  return TRUE;
}

/* Made again rather than altered: a definition must be the very one that is expected. */
static gboolean
upgrade_table (MtProject  *self,
               MtStoreId   id,
               GError    **error)
{
  const MtStoreTable *table = &mt_store_tables[id];
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *create = mt_store_table_sql (table, MT_PROJECT_VERSION);
  g_autofree char *sql = g_strdup_printf ("DROP TABLE %s; %s", table->name, create);
  Kept kept = { table, rows, g_string_chunk_new (4096) };
  gboolean ok = mt_project_each (self, id, "", NULL, 0, keep_row, &kept, error) && mt_project_run_sql (self, sql, error);

  if (ok)
    self->seals[id] = (MtSeal) { 0, 0, TRUE };
  for (guint i = 0; ok && i < rows->len; i++)
    ok = mt_project_put (self, id, g_ptr_array_index (rows, i), error);
  g_string_chunk_free (kept.texts);
  return ok;
}

gboolean
mt_project_upgrade (MtProject  *self,
                    GError    **error)
{
  g_autofree char *version = g_strdup_printf ("PRAGMA user_version = %d", MT_PROJECT_VERSION);

  for (guint id = 0; id < MT_STORE_N_TABLES; id++)
    if (mt_store_tables[id].n_first < mt_store_tables[id].n_fields && !upgrade_table (self, id, error))
      return FALSE;
  if (!mt_project_run_sql (self, version, error))
    return FALSE;
  self->version = MT_PROJECT_VERSION;
  return TRUE;
}
