/* Rows in and out, each with its check. A row is an array of cells, one a field of its
 * table; the field "check" is ours and never seen by callers. */
#include "config.h"
#include "mt-project-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

MtCell
mt_cell_integer (gint64 value)
{
  return (MtCell) { .type = MT_CELL_INTEGER, .integer = value };
}

/* SQLite knows neither NaN, which becomes NULL, nor the sign of zero, which is dropped. */
MtCell
mt_cell_real (double value)
{
  if (isnan (value))
    return (MtCell) { .type = MT_CELL_NULL };
  return (MtCell) { .type = MT_CELL_REAL, .real = value == 0 ? 0 : value };
}

MtCell
mt_cell_text (const char *text)
{
  return (MtCell) { .type = MT_CELL_TEXT, .data = text, .length = strlen (text) };
}

char *
mt_cell_dup_text (const MtCell *cell)
{
  return g_strndup (cell->data, cell->length);
}

double
mt_cell_get_real (const MtCell *cell)
{
  return cell->type == MT_CELL_NULL ? NAN : cell->real;
}

void
mt_project_set_damaged (const char  *path,
                        const char  *table,
                        const char  *field,
                        const char  *what,
                        GError     **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
               _("the project “%s” is damaged (table %s, field %s: %s); restore an earlier copy"), name, table, field, what);
}

void
mt_project_set_db_error (MtProject  *self,
                         sqlite3    *db,
                         int         code,
                         GError    **error)
{
  int last_errno = errno;
  int saved_errno = db != NULL ? sqlite3_system_errno (db) : 0;
  g_autofree char *name = g_filename_display_name (self->path);

  /* A failing commit does not fill in SQLite's own. */
  if (saved_errno == 0)
    saved_errno = last_errno;
  switch (code & 0xff)
    {
    case SQLITE_FULL:
      mt_file_set_error (error, ENOSPC, self->path, self->pending);
      break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      mt_file_set_error (error, saved_errno == EROFS ? EROFS : EACCES, self->path, 0);
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      g_set_error (error, MT_ERROR, MT_ERROR_LOCKED,
                   _("the project “%s” is open elsewhere; close it there or open it read-only"), name);
      break;
    case SQLITE_INTERRUPT:
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("opening “%s” was canceled"), name);
      break;
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM:
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("the project “%s” is too large to open: %s"), name,
                   sqlite3_errstr (code));
      break;
    case SQLITE_IOERR:
      if (saved_errno == ENOSPC || saved_errno == EDQUOT || saved_errno == EFBIG)
        mt_file_set_error (error, ENOSPC, self->path, self->pending);
      else
        mt_file_set_error (error, saved_errno != 0 ? saved_errno : EIO, self->path, 0);
      break;
    default:
      mt_project_set_damaged (self->path, "of contents", "page", sqlite3_errstr (code), error);
    }
}

gboolean
mt_project_run_sql (MtProject   *self,
                    const char  *sql,
                    GError     **error)
{
  int code;

  errno = 0;
  code = sqlite3_exec (self->db, sql, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    return TRUE;
  mt_project_set_db_error (self, self->db, code, error);
  return FALSE;
}

gint64
mt_store_check_of (const MtStoreTable *table,
                   const MtCell       *row,
                   guint               n_fields)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize n_digest = sizeof digest;
  guint64 check = 0;

  g_checksum_update (checksum, (const guchar *) table->name, (gssize) strlen (table->name) + 1);
  for (guint i = 0; i < n_fields; i++)
    {
      const MtCell *cell = &row[i];
      guint8 head[9] = { (guint8) cell->type };
      guint64 bits = 0;

      if (cell->type == MT_CELL_REAL)
        memcpy (&bits, &cell->real, sizeof bits);
      else
        bits = cell->type == MT_CELL_INTEGER ? (guint64) cell->integer : cell->length;
      for (guint byte = 0; byte < 8; byte++)
        head[1 + byte] = (guint8) (bits >> 8 * byte);
      g_checksum_update (checksum, head, sizeof head);
      if (cell->type == MT_CELL_TEXT || cell->type == MT_CELL_BLOB)
        g_checksum_update (checksum, cell->data, (gssize) cell->length);
    }
  g_checksum_get_digest (checksum, digest, &n_digest);
  for (guint byte = 0; byte < 8; byte++)
    check |= (guint64) digest[byte] << 8 * byte;
  return (gint64) check;
}

static sqlite3_stmt *
prepare (MtProject   *self,
         const char  *sql,
         GError     **error)
{
  sqlite3_stmt *statement = g_hash_table_lookup (self->statements, sql);
  int code;

  if (statement != NULL)
    return statement;
  code = sqlite3_prepare_v3 (self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  if (code != SQLITE_OK)
    {
      mt_project_set_db_error (self, self->db, code, error);
      return NULL;
    }
  g_hash_table_insert (self->statements, g_strdup (sql), statement);
  return statement;
}

static void
bind (sqlite3_stmt *statement,
      guint         place,
      const MtCell *cell)
{
  int n = (int) place;

  /* Values live until the statement is reset, so nothing need be copied. */
  switch (cell->type)
    {
    case MT_CELL_INTEGER:
      sqlite3_bind_int64 (statement, n, cell->integer);
      break;
    case MT_CELL_REAL:
      sqlite3_bind_double (statement, n, cell->real);
      break;
    case MT_CELL_TEXT:
      sqlite3_bind_text64 (statement, n, cell->data, cell->length, SQLITE_STATIC, SQLITE_UTF8);
      break;
    case MT_CELL_BLOB:
      sqlite3_bind_blob64 (statement, n, cell->data, cell->length, SQLITE_STATIC);
      break;
    case MT_CELL_NULL:
    default:
      sqlite3_bind_null (statement, n);
    }
}

static void
finish (sqlite3_stmt *statement)
{
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
}

/* NULL when the cell is what the field allows, else what is wrong with it. */
static const char *
judge (const MtField *field,
       const MtCell  *cell)
{
  if (cell->type == MT_CELL_NULL && field->type == MT_CELL_REAL && field->least == 1)
    return NULL;
  if (cell->type != field->type)
    return "has another type than it should";
  if (cell->type == MT_CELL_INTEGER && (cell->integer < field->least || cell->integer > field->most))
    return "is out of its range";
  if (cell->type == MT_CELL_TEXT || cell->type == MT_CELL_BLOB)
    {
      if (cell->length > (guint64) field->most || cell->length < (guint64) field->least)
        return "is longer or shorter than allowed";
      if (cell->type == MT_CELL_TEXT && !g_utf8_validate_len (cell->data, cell->length, NULL))
        return "is not valid text";
    }
  return NULL;
}

static void
read_cell (sqlite3_stmt *statement,
           guint         column,
           MtCell       *cell)
{
  int n = (int) column;

  *cell = (MtCell) { MT_CELL_NULL };
  switch (sqlite3_column_type (statement, n))
    {
    case SQLITE_INTEGER:
      *cell = mt_cell_integer (sqlite3_column_int64 (statement, n));
      break;
    case SQLITE_FLOAT:
      cell->type = MT_CELL_REAL;
      cell->real = sqlite3_column_double (statement, n);
      break;
    case SQLITE_TEXT:
      cell->type = MT_CELL_TEXT;
      cell->data = sqlite3_column_text (statement, n);
      cell->length = (gsize) sqlite3_column_bytes (statement, n);
      break;
    case SQLITE_BLOB:
      cell->type = MT_CELL_BLOB;
      cell->data = sqlite3_column_blob (statement, n);
      cell->length = (gsize) sqlite3_column_bytes (statement, n);
      break;
    default:
      break;
    }
  if (cell->data == NULL)
    cell->data = "";
}

static gboolean
verify_row (MtProject           *self,
            const MtStoreTable  *table,
            const MtCell        *row,
            guint                n_fields,
            GError             **error)
{
  for (guint i = 0; i < n_fields; i++)
    {
      const char *wrong = judge (&table->fields[i], &row[i]);

      if (wrong != NULL)
        {
          mt_project_set_damaged (self->path, table->name, table->fields[i].name, wrong, error);
          return FALSE;
        }
    }
  if (row[n_fields].type == MT_CELL_INTEGER && row[n_fields].integer == mt_store_check_of (table, row, n_fields))
    return TRUE;
  mt_project_set_damaged (self->path, table->name, "check", "a value does not agree with its checksum", error);
  return FALSE;
}

/* What an older version did not keep: an empty text, 0. */
static void
fill_up (const MtStoreTable *table,
         MtCell             *row,
         guint               n_fields)
{
  row[table->n_fields] = row[n_fields];
  for (guint i = n_fields; i < table->n_fields; i++)
    row[i] = table->fields[i].type == MT_CELL_TEXT ? mt_cell_text ("") : mt_cell_integer (0);
}

gboolean
mt_project_each (MtProject     *self,
                 MtStoreId      id,
                 const char    *tail,
                 const MtCell  *args,
                 guint          n_args,
                 MtRowFunc      func,
                 gpointer       data,
                 GError       **error)
{
  const MtStoreTable *table = &mt_store_tables[id];
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s %s", table->name, tail);
  sqlite3_stmt *statement = prepare (self, sql, error);
  guint n_fields = mt_store_n_fields (table, self->version);
  gboolean ok = statement != NULL;
  int code = SQLITE_ROW;

  for (guint i = 0; ok && i < n_args; i++)
    bind (statement, i + 1, &args[i]);
  while (ok && (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      MtCell row[MT_STORE_MAX_FIELDS + 1];

      for (guint i = 0; i <= n_fields; i++)
        read_cell (statement, i, &row[i]);
      ok = verify_row (self, table, row, n_fields, error);
      if (ok && n_fields < table->n_fields)
        fill_up (table, row, n_fields);
      ok = ok && func (self, row, data, error);
    }
  if (ok && code != SQLITE_DONE)
    {
      mt_project_set_db_error (self, self->db, code, error);
      ok = FALSE;
    }
  if (statement != NULL)
    finish (statement);
  return ok;
}

static char *
where_key (const MtStoreTable *table)
{
  GString *where = g_string_new ("WHERE ");

  for (guint i = 0; i < table->n_keys; i++)
    g_string_append_printf (where, "%s\"%s\" = ?%u", i > 0 ? " AND " : "", table->fields[i].name, i + 1);
  return g_string_free (where, FALSE);
}

/* Runs @sql with the cells bound; a row that comes back is read into @result (an integer). */
static gboolean
execute (MtProject     *self,
         const char    *sql,
         const MtCell  *cells,
         guint          n_cells,
         gint64        *result,
         gboolean      *found,
         GError       **error)
{
  sqlite3_stmt *statement = prepare (self, sql, error);
  int code;

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < n_cells; i++)
    bind (statement, i + 1, &cells[i]);
  code = sqlite3_step (statement);
  if (found != NULL)
    *found = code == SQLITE_ROW;
  if (code == SQLITE_ROW && result != NULL)
    *result = sqlite3_column_int64 (statement, 0);
  /* The error has to be reported before the reset clears it. */
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    mt_project_set_db_error (self, self->db, code, error);
  finish (statement);
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

static gboolean
find_check (MtProject           *self,
            const MtStoreTable  *table,
            const MtCell        *key,
            gint64              *check,
            gboolean            *found,
            GError             **error)
{
  g_autofree char *where = where_key (table);
  g_autofree char *sql = g_strdup_printf ("SELECT \"check\" FROM %s %s", table->name, where);

  return execute (self, sql, key, table->n_keys, check, found, error);
}

static void
reseal (MtProject *self,
        MtStoreId  id,
        int        n_rows,
        guint64    sum)
{
  if (id == MT_STORE_SEAL)
    return;
  self->seals[id].n_rows += (guint64) (gint64) n_rows;
  self->seals[id].sum += sum;
  self->seals[id].dirty = TRUE;
}

static gboolean
judge_row (const MtStoreTable  *table,
           const MtCell        *row,
           GError             **error)
{
  for (guint i = 0; i < table->n_fields; i++)
    {
      const MtField *field = &table->fields[i];
      const char *wrong = judge (field, &row[i]);

      if (wrong == NULL)
        continue;
      if ((field->type == MT_CELL_TEXT || field->type == MT_CELL_BLOB) && row[i].length > (guint64) field->most)
        g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                     _("the %s's %s has %zu bytes; a project can store %" PRId64),
                     table->name, field->name, row[i].length, field->most);
      else
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the %s's %s %s"), table->name, field->name, wrong);
      return FALSE;
    }
  return TRUE;
}

gboolean
mt_project_put (MtProject     *self,
                MtStoreId      id,
                const MtCell  *row,
                GError       **error)
{
  const MtStoreTable *table = &mt_store_tables[id];
  g_autoptr (GString) sql = g_string_new (NULL);
  MtCell cells[MT_STORE_MAX_FIELDS + 1];
  gint64 before = 0;
  gint64 check;
  gboolean found;

  if (!judge_row (table, row, error) || !find_check (self, table, row, &before, &found, error))
    return FALSE;
  check = mt_store_check_of (table, row, table->n_fields);
  for (guint i = 0; i < table->n_fields; i++)
    {
      cells[i] = row[i];
      self->pending += row[i].length + 16;
    }
  cells[table->n_fields] = mt_cell_integer (check);

  g_string_append_printf (sql, "INSERT INTO %s VALUES (", table->name);
  for (guint i = 0; i <= table->n_fields; i++)
    g_string_append_printf (sql, "%s?%u", i > 0 ? ", " : "", i + 1);
  g_string_append (sql, ") ON CONFLICT DO UPDATE SET ");
  for (guint i = table->n_keys; i <= table->n_fields; i++)
    {
      const char *name = i < table->n_fields ? table->fields[i].name : "check";

      g_string_append_printf (sql, "%s\"%s\" = excluded.\"%s\"", i > table->n_keys ? ", " : "", name, name);
    }
  if (!execute (self, sql->str, cells, table->n_fields + 1, NULL, NULL, error))
    return FALSE;
  reseal (self, id, found ? 0 : 1, (guint64) check - (guint64) before);
  return TRUE;
}

gboolean
mt_project_remove (MtProject     *self,
                   MtStoreId      id,
                   const MtCell  *key,
                   gboolean      *found,
                   GError       **error)
{
  const MtStoreTable *table = &mt_store_tables[id];
  g_autofree char *where = where_key (table);
  g_autofree char *sql = g_strdup_printf ("DELETE FROM %s %s", table->name, where);
  gboolean there;
  gint64 check = 0;

  if (!find_check (self, table, key, &check, &there, error) ||
      (there && !execute (self, sql, key, table->n_keys, NULL, NULL, error)))
    return FALSE;
  if (there)
    reseal (self, id, -1, -(guint64) check);
  if (found != NULL)
    *found = there;
  return TRUE;
}

gint64
mt_project_next_id (MtProject  *self,
                    MtStoreId   id,
                    GError    **error)
{
  const MtStoreTable *table = &mt_store_tables[id];
  g_autofree char *sql = g_strdup_printf ("SELECT max (id) FROM %s", table->name);
  gint64 highest = 0;

  return execute (self, sql, NULL, 0, &highest, NULL, error) ? highest + 1 : 0;
}

gboolean
mt_project_write_seals (MtProject  *self,
                        GError    **error)
{
  for (guint id = 0; id < MT_STORE_SEAL; id++)
    {
      MtSeal *seal = &self->seals[id];
      const MtCell row[] = {
        mt_cell_text (mt_store_tables[id].name),
        mt_cell_integer ((gint64) seal->n_rows),
        mt_cell_integer ((gint64) seal->sum),
      };

      if (seal->dirty && !mt_project_put (self, MT_STORE_SEAL, row, error))
        return FALSE;
      seal->dirty = FALSE;
    }
  return TRUE;
}
