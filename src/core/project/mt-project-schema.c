/* The tables, and how a stranger's file is checked before it is believed:
 * header, list of contents, structure (SQLite's own check), then every row against its
 * checksum and every table against its seal. Nothing that SQLite could execute (views,
 * triggers, generated columns) is let in. */
#include "config.h"
#include "mt-project-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "model/mt-edit.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define ANY_ID         1, G_MAXINT64 - 1
#define COUNT          0, G_MAXINT32
#define TEXT_FIELD(name, most) { name, MT_CELL_TEXT, 0, most }
#define NAME_FIELD(name)       { name, MT_CELL_TEXT, 1, 1024 }
#define LONG_TEXT(name)        { name, MT_CELL_TEXT, 0, MT_PROJECT_MAX_TEXT }
#define REAL_OR_NULL(name)     { name, MT_CELL_REAL, 1, 0 }
#define WHO_AND_WHEN           TEXT_FIELD ("by", MT_EDIT_MAX_NAME), { "made", MT_CELL_INTEGER, 0, MT_EDIT_LAST_MOMENT }

const MtStoreTable mt_store_tables[MT_STORE_N_TABLES] = {
  [MT_STORE_SOURCE] = {
    "source", 1, 5, 5, {
      { "id", MT_CELL_INTEGER, 1, 1 },
      { "uri", MT_CELL_TEXT, 1, 65536 },
      { "size", MT_CELL_INTEGER, 0, G_MAXINT64 },
      { "modified", MT_CELL_INTEGER, G_MININT64, G_MAXINT64 },
      { "sha256", MT_CELL_TEXT, 64, 64 },
    }, "", NULL
  },
  [MT_STORE_TEXT_BY_KEY] = {
    "entry", 2, 3, 3, { { "space", MT_CELL_INTEGER, 0, 2 }, NAME_FIELD ("key"), LONG_TEXT ("value") }, "", NULL
  },
  [MT_STORE_DISMISSAL] = {
    "dismissal", 2, 5, 3, {
      NAME_FIELD ("code"),
      TEXT_FIELD ("column", 65536),
      LONG_TEXT ("reason"),
      WHO_AND_WHEN,
    }, "", NULL
  },
  [MT_STORE_RUN] = {
    "run", 1, 8, 8, {
      { "id", MT_CELL_INTEGER, ANY_ID },
      TEXT_FIELD ("name", 65536),
      LONG_TEXT ("settings"),
      { "seed", MT_CELL_INTEGER, G_MININT64, G_MAXINT64 },
      { "state", MT_CELL_INTEGER, MT_RUN_QUEUED, MT_RUN_STOPPED },
      LONG_TEXT ("message"),
      { "started", MT_CELL_INTEGER, 0, G_MAXINT64 - 1 },
      { "seconds", MT_CELL_REAL, 0, 0 },
    }, "", NULL
  },
  [MT_STORE_POINT] = {
    "point", 1, 7, 7, {
      { "id", MT_CELL_INTEGER, ANY_ID },
      { "run", MT_CELL_INTEGER, ANY_ID },
      { "literals", MT_CELL_INTEGER, COUNT },
      { "rules", MT_CELL_INTEGER, COUNT },
      REAL_OR_NULL ("cv_mean"),
      REAL_OR_NULL ("cv_se"),
      { "marks", MT_CELL_INTEGER, 0, 2 * MT_MARK_EDITED - 1 },
    }, ", FOREIGN KEY (run) REFERENCES run (id)", "run"
  },
  [MT_STORE_MODEL] = {
    "model", 1, 2, 2, { { "point", MT_CELL_INTEGER, ANY_ID }, { "json", MT_CELL_BLOB, 1, MT_PROJECT_MAX_MODEL } },
    ", FOREIGN KEY (point) REFERENCES point (id)", NULL
  },
  [MT_STORE_EDIT] = {
    "edit", 1, 9, 7, {
      { "id", MT_CELL_INTEGER, ANY_ID },
      LONG_TEXT ("what"),
      LONG_TEXT ("reason"),
      { "literals_before", MT_CELL_INTEGER, COUNT },
      { "literals_after", MT_CELL_INTEGER, COUNT },
      REAL_OR_NULL ("metric_before"),
      REAL_OR_NULL ("metric_after"),
      WHO_AND_WHEN,
    }, "", NULL
  },
  [MT_STORE_SEAL] = {
    "seal", 1, 3, 3, {
      NAME_FIELD ("name"),
      { "rows", MT_CELL_INTEGER, 0, G_MAXINT64 },
      { "sum", MT_CELL_INTEGER, G_MININT64, G_MAXINT64 },
    }, "", NULL
  },
};

static const char *
type_word (MtCellType type)
{
  static const char * const words[] = { "NULL", "INTEGER", "REAL", "TEXT", "BLOB" };

  return words[type];
}

static gboolean
may_be_null (const MtField *field)
{
  return field->type == MT_CELL_REAL && field->least == 1;
}

guint
mt_store_n_fields (const MtStoreTable *table,
                   guint               version)
{
  return version == 1 ? table->n_first : table->n_fields;
}

char *
mt_store_table_sql (const MtStoreTable *table,
                    guint               version)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "CREATE TABLE %s (", table->name);
  for (guint i = 0; i < mt_store_n_fields (table, version); i++)
    g_string_append_printf (sql, "\"%s\" %s%s, ", table->fields[i].name, type_word (table->fields[i].type),
                            may_be_null (&table->fields[i]) ? "" : " NOT NULL");
  g_string_append (sql, "\"check\" INTEGER NOT NULL, PRIMARY KEY (");
  for (guint i = 0; i < table->n_keys; i++)
    g_string_append_printf (sql, "%s\"%s\"", i > 0 ? ", " : "", table->fields[i].name);
  /* Without row ids a text key needs no index of its own that could disagree with it. */
  g_string_append_printf (sql, ")%s) STRICT%s", table->constraint,
                          table->n_keys > 1 || table->fields[0].type == MT_CELL_TEXT ? ", WITHOUT ROWID" : "");
  return g_string_free (sql, FALSE);
}

static char *
index_name (const MtStoreTable *table)
{
  return g_strdup_printf ("%s_by_%s", table->name, table->index);
}

static char *
index_sql (const MtStoreTable *table)
{
  g_autofree char *name = index_name (table);

  return g_strdup_printf ("CREATE INDEX %s ON %s (\"%s\")", name, table->name, table->index);
}

/* The bytes of a project with nothing in it: made in memory, so that a file appears whole. */
GBytes *
mt_project_make_empty (GError **error)
{
  g_autoptr (GString) script = g_string_new ("PRAGMA page_size = 4096; BEGIN;");
  sqlite3 *db = NULL;
  GBytes *bytes = NULL;
  unsigned char *image = NULL;
  sqlite3_int64 size = 0;
  int code;

  for (guint id = 0; id < MT_STORE_N_TABLES; id++)
    {
      const MtStoreTable *table = &mt_store_tables[id];
      g_autofree char *create = mt_store_table_sql (table, MT_PROJECT_VERSION);

      g_string_append_printf (script, "%s;", create);
      if (table->index != NULL)
        {
          g_autofree char *create_index = index_sql (table);

          g_string_append_printf (script, "%s;", create_index);
        }
    }
  for (guint id = 0; id < MT_STORE_SEAL; id++)
    {
      const MtStoreTable *table = &mt_store_tables[id];
      const MtCell row[] = { mt_cell_text (table->name), mt_cell_integer (0), mt_cell_integer (0) };

      g_string_append_printf (script, "INSERT INTO seal VALUES ('%s', 0, 0, %" G_GINT64_FORMAT ");", table->name,
                              mt_store_check_of (&mt_store_tables[MT_STORE_SEAL], row, G_N_ELEMENTS (row)));
    }
  g_string_append_printf (script, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
                          MT_PROJECT_APPLICATION_ID, MT_PROJECT_VERSION);

  code = sqlite3_open_v2 (":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_exec (db, script->str, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    image = sqlite3_serialize (db, "main", &size, 0);
  if (image != NULL)
    bytes = g_bytes_new (image, (gsize) size);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                 _("cannot create a new project: %s"), sqlite3_errstr (code));
  sqlite3_free (image);
  sqlite3_close (db);
  return bytes;
}

static guint32
big_endian (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* Bytes of the file's header: the fields that a project
 * never uses must be as we wrote them, or SQLite would treat the file differently. */
gboolean
mt_project_check_header (const char  *path,
                         int          fd,
                         GError     **error)
{
  static const struct { guint offset; guint32 value; const char *field; } words[] = {
    { 52, 0, "largest root page" },
    { 56, 1, "text encoding" },
    { 64, 0, "incremental vacuum" },
  };
  g_autofree char *name = g_filename_display_name (path);
  guint8 header[100];
  guint32 version;
  gssize n;

  do
    n = pread (fd, header, sizeof header, 0);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _("cannot read “%s”: %s"), name,
                   g_strerror (errno));
      return FALSE;
    }
  if (n < (gssize) sizeof header || memcmp (header, "SQLite format 3", 16) != 0 ||
      big_endian (header + 68) != MT_PROJECT_APPLICATION_ID)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   "“%s” is not a Minterm project; open a file that ends in " MT_PROJECT_SUFFIX ", or a CSV", name);
      return FALSE;
    }
  version = big_endian (header + 60);
  if (version > MT_PROJECT_VERSION)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_NEWER,
                   _("the project “%s” was saved by a newer version of Minterm (format %u; this version "
                     "supports up to %d); install the newer version to open it"), name, version, MT_PROJECT_VERSION);
      return FALSE;
    }
  if (version == 0)
    {
      mt_project_set_damaged (path, "of contents", "version", "is missing", error);
      return FALSE;
    }
  if (header[18] != 1 || header[19] != 1 || header[20] != 0)
    {
      mt_project_set_damaged (path, "of contents", "journal mode", "is not the one that projects use", error);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (big_endian (header + words[i].offset) != words[i].value)
      {
        mt_project_set_damaged (path, "of contents", words[i].field, "is not that of a project", error);
        return FALSE;
      }
  return TRUE;
}

/* Names the first field of a table that differs from what it should be. */
static void
tell_field (MtProject           *self,
            const MtStoreTable  *table,
            GError             **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA table_xinfo (%s)", table->name);
  sqlite3_stmt *statement = NULL;
  const char *field = "definition";
  guint n_fields = mt_store_n_fields (table, self->version);
  guint i = 0;

  sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL);
  for (; statement != NULL && sqlite3_step (statement) == SQLITE_ROW; i++)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 1);
      const char *type = (const char *) sqlite3_column_text (statement, 2);
      const MtField *expected = i < n_fields ? &table->fields[i] : NULL;

      if (i > n_fields)
        break;
      if (g_strcmp0 (name, expected != NULL ? expected->name : "check") != 0 ||
          g_strcmp0 (type, expected != NULL ? type_word (expected->type) : "INTEGER") != 0 ||
          sqlite3_column_int (statement, 6) != 0)
        {
          field = expected != NULL ? expected->name : "check";
          break;
        }
    }
  mt_project_set_damaged (self->path, table->name, field, "is not defined as it should be", error);
  sqlite3_finalize (statement);
}

gboolean
mt_project_check_schema (MtProject  *self,
                         GError    **error)
{
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  sqlite3_stmt *statement = NULL;
  gboolean ok = TRUE;
  int code;

  for (guint id = 0; id < MT_STORE_N_TABLES; id++)
    {
      const MtStoreTable *table = &mt_store_tables[id];

      g_hash_table_insert (expected, g_strdup (table->name), mt_store_table_sql (table, self->version));
      g_hash_table_insert (tables, g_strdup (table->name), (gpointer) table);
      if (table->index != NULL)
        {
          char *name = index_name (table);

          g_hash_table_insert (expected, name, index_sql (table));
          g_hash_table_insert (tables, g_strdup (name), (gpointer) table);
        }
    }

  code = sqlite3_prepare_v2 (self->db, "SELECT name, sql FROM sqlite_schema", -1, &statement, NULL);
  while (ok && code == SQLITE_OK && (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 0);
      const char *sql = (const char *) sqlite3_column_text (statement, 1);
      const char *right = name != NULL ? g_hash_table_lookup (expected, name) : NULL;

      if (right == NULL)
        {
          g_autofree char *shown = g_utf8_make_valid (name != NULL ? name : "(no name)", -1);

          mt_project_set_damaged (self->path, shown, "definition", "does not belong in a project", error);
          ok = FALSE;
        }
      else if (g_strcmp0 (sql, right) != 0)
        {
          tell_field (self, g_hash_table_lookup (tables, name), error);
          ok = FALSE;
        }
      else
        g_hash_table_remove (expected, name);
      code = SQLITE_OK;
    }
  if (ok && code != SQLITE_DONE)
    {
      mt_project_set_db_error (self, self->db, code, error);
      ok = FALSE;
    }
  sqlite3_finalize (statement);
  for (guint id = 0; ok && id < MT_STORE_N_TABLES; id++)
    {
      const MtStoreTable *table = &mt_store_tables[id];
      g_autofree char *name = table->index != NULL ? index_name (table) : NULL;

      if (!g_hash_table_contains (expected, table->name) && (name == NULL || !g_hash_table_contains (expected, name)))
        continue;
      mt_project_set_damaged (self->path, table->name, "definition", "is missing", error);
      ok = FALSE;
    }
  return ok;
}

/* What SQLite itself can tell: structure and indexes, then rows that refer to none. */
static gboolean
check_structure (MtProject  *self,
                 GError    **error)
{
  static const char * const questions[] = { "PRAGMA integrity_check (1)", "PRAGMA foreign_key_check" };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < G_N_ELEMENTS (questions); i++)
    {
      sqlite3_stmt *statement = NULL;
      int code = sqlite3_prepare_v2 (self->db, questions[i], -1, &statement, NULL);

      if (code == SQLITE_OK)
        code = sqlite3_step (statement);
      if (code == SQLITE_ROW)
        {
          const char *verdict = (const char *) sqlite3_column_text (statement, 0);
          g_autofree char *shown = g_utf8_make_valid (verdict != NULL ? verdict : "unreadable", -1);

          ok = strcmp (shown, "ok") == 0;
          if (!ok && i == 0)
            mt_project_set_damaged (self->path, "of contents", "page", g_strdelimit (shown, "\n", ' '), error);
          else if (!ok)
            mt_project_set_damaged (self->path, shown, "reference", "refers to a row that does not exist", error);
        }
      else if (code != SQLITE_DONE)
        {
          mt_project_set_db_error (self, self->db, code, error);
          ok = FALSE;
        }
      sqlite3_finalize (statement);
    }
  return ok;
}

typedef struct {
  const MtStoreTable *table;
  MtSeal             *seal;
} Count;

typedef struct {
  MtSeal *seals;
  guint   n_seals;
} Seals;

static gboolean
count_row (MtProject     *self,
           const MtCell  *row,
           gpointer       data,
           GError       **error)
{
  Count *count = data;

  count->seal->n_rows++;
  count->seal->sum += (guint64) row[count->table->n_fields].integer;
  return TRUE;
}

static gboolean
read_seal (MtProject     *self,
           const MtCell  *row,
           gpointer       data,
           GError       **error)
{
  Seals *found = data;
  g_autofree char *name = mt_cell_dup_text (&row[0]);

  for (guint id = 0; id < MT_STORE_SEAL; id++)
    if (strcmp (name, mt_store_tables[id].name) == 0)
      {
        found->seals[id] = (MtSeal) { (guint64) row[1].integer, (guint64) row[2].integer, FALSE };
        found->n_seals++;
        return TRUE;
      }
  mt_project_set_damaged (self->path, "seal", "name", "is not the name of a table", error);
  return FALSE;
}

/* The seals as the file has them, one a table. */
gboolean
mt_project_read_seals (MtProject  *self,
                       MtSeal     *seals,
                       GError    **error)
{
  Seals found = { seals, 0 };

  if (!mt_project_each (self, MT_STORE_SEAL, "", NULL, 0, read_seal, &found, error))
    return FALSE;
  if (found.n_seals == MT_STORE_SEAL)
    return TRUE;
  mt_project_set_damaged (self->path, "seal", "name", "rows were lost, added, or replaced", error);
  return FALSE;
}

gboolean
mt_project_check_content (MtProject  *self,
                          GError    **error)
{
  MtSeal sealed[MT_STORE_SEAL];
  Count count = { NULL, NULL };

  if (!check_structure (self, error) || !mt_project_read_seals (self, sealed, error))
    return FALSE;
  for (guint id = 0; id < MT_STORE_SEAL; id++)
    {
      count.table = &mt_store_tables[id];
      count.seal = &self->seals[id];
      if (!mt_project_each (self, id, "", NULL, 0, count_row, &count, error))
        return FALSE;
      if (self->seals[id].n_rows != sealed[id].n_rows || self->seals[id].sum != sealed[id].sum)
        {
          mt_project_set_damaged (self->path, count.table->name, "seal", "rows were lost, added, or replaced", error);
          return FALSE;
        }
    }
  return TRUE;
}
