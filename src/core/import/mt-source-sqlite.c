/* A table or query of an SQLite database as the text of a CSV. See mt-source-text.h.
 *
 * The file is opened for reading only, and a query may do nothing but read: no other database, no setting, no
 * function that loads code. NULL is an empty cell; a number is written in the shortest form that reads back equal. What
 * is binary has no text: the row is refused. */
#include "config.h"
#include "mt-source-text.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define MORE_BYTES  (64u * 1024)    /* of text at a time */
#define STEPS       10000           /* of SQLite's machine between two looks at the cancellable */

typedef struct {
  MtSourceText  text;
  sqlite3      *db;
  sqlite3_stmt *statement;
  gboolean      started, done;
  gboolean      denied;       /* the query would do more than read */
  guint64       row;
} Sqlite;

/* *data: whether something else was asked for. */
static int
allow_reading (void       *data,
               int         action,
               const char *a,
               const char *b,
               const char *c,
               const char *d)
{
  gboolean *denied = data;

  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE)
    return SQLITE_OK;
  *denied = TRUE;
  return SQLITE_DENY;
}

static int
is_cancelled (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static gboolean
fail_sqlite (sqlite3       *db,
             GCancellable  *cancellable,
             GError       **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return mt_refuse (error, MT_ERROR_PARSE, _("SQLite cannot read it: %s"), sqlite3_errmsg (db));
}

static sqlite3 *
open_database (GFile         *file,
               GCancellable  *cancellable,
               GError       **error)
{
  g_autofree char *path = g_file_get_path (file);
  sqlite3 *db = NULL;

  if (path == NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("A database can only be read from a local file: copy it here first"));
      return NULL;
    }
  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    {
      fail_sqlite (db, cancellable, error);
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_busy_timeout (db, 2000);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_progress_handler (db, STEPS, is_cancelled, cancellable);
  return db;
}

static char **
list_tables (sqlite3       *db,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  sqlite3_stmt *statement = NULL;
  int code;

  if (sqlite3_prepare_v2 (db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
                          "ESCAPE '\\' ORDER BY rowid", -1, &statement, NULL) != SQLITE_OK)
    {
      fail_sqlite (db, cancellable, error);
      return NULL;
    }
  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    g_strv_builder_add (names, (const char *) sqlite3_column_text (statement, 0));
  if (code != SQLITE_DONE)
    fail_sqlite (db, cancellable, error);
  sqlite3_finalize (statement);
  return code == SQLITE_DONE ? g_strv_builder_end (names) : NULL;
}

char **
mt_source_sqlite_list (GFile         *file,
                       GCancellable  *cancellable,
                       GError       **error)
{
  sqlite3 *db = open_database (file, cancellable, error);
  char **names = db != NULL ? list_tables (db, cancellable, error) : NULL;

  sqlite3_close (db);
  return names;
}

static void
append_names (Sqlite  *self,
              GString *out)
{
  int n = sqlite3_column_count (self->statement);

  for (int c = 0; c < n; c++)
    {
      const char *name = sqlite3_column_name (self->statement, c);

      mt_source_append_cell (out, c == 0, name != NULL ? name : "", -1);
    }
  g_string_append_c (out, '\n');
}

static gboolean
append_row (Sqlite   *self,
            GString  *out,
            GError  **error)
{
  int n = sqlite3_column_count (self->statement);
  gsize from = out->len;

  self->row++;
  for (int c = 0; c < n; c++)
    {
      char number[MT_DECIMAL_SIZE];

      switch (sqlite3_column_type (self->statement, c))
        {
        case SQLITE_INTEGER:
          g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, (gint64) sqlite3_column_int64 (self->statement, c));
          mt_source_append_cell (out, c == 0, number, -1);
          break;
        case SQLITE_FLOAT:
          mt_decimal_write (sqlite3_column_double (self->statement, c), number);
          mt_source_append_cell (out, c == 0, number, -1);
          break;
        case SQLITE_TEXT:
          {
            const char *text = (const char *) sqlite3_column_text (self->statement, c);

            mt_source_append_cell (out, c == 0, text, sqlite3_column_bytes (self->statement, c));
          }
          break;
        case SQLITE_NULL:
          mt_source_append_cell (out, c == 0, "", 0);
          break;
        case SQLITE_BLOB:
        default:
          return mt_refuse (error, MT_ERROR_PARSE,
                            _("“%s” holds binary data in row %" PRIu64 ": leave the column out with a query"),
                            sqlite3_column_name (self->statement, c), self->row);
        }
    }
  /* A row of one empty cell is a row all the same. */
  if (out->len == from)
    g_string_append (out, "\"\"");
  g_string_append_c (out, '\n');
  return TRUE;
}

static gboolean
sqlite_more (MtSourceText  *text,
             GString       *out,
             GCancellable  *cancellable,
             GError       **error)
{
  Sqlite *self = (Sqlite *) text;
  gsize from = out->len;

  sqlite3_progress_handler (self->db, STEPS, is_cancelled, cancellable);
  if (!self->started)
    append_names (self, out);
  self->started = TRUE;
  /* Another step behind the last would begin again. */
  while (!self->done && out->len - from < MORE_BYTES)
    {
      int code = sqlite3_step (self->statement);

      self->done = code == SQLITE_DONE;
      if (self->done)
        return TRUE;
      if (code != SQLITE_ROW)
        return fail_sqlite (self->db, cancellable, error);
      if (!append_row (self, out, error))
        return FALSE;
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static void
sqlite_free (MtSourceText *text)
{
  Sqlite *self = (Sqlite *) text;

  sqlite3_finalize (self->statement);
  sqlite3_close (self->db);
  g_free (self);
}

/* "name" as SQL writes it. */
static char *
quote_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  return g_strdup_printf ("SELECT * FROM \"%s\"", doubled);
}

MtSourceText *
mt_source_sqlite_open (GFile         *file,
                       const char    *name,
                       const char    *query,
                       char         **chosen,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (MtSourceText) text = NULL;
  Sqlite *self = g_new0 (Sqlite, 1);
  g_autofree char *select = NULL;
  const char *rest = NULL;

  text = &self->text;
  *text = (MtSourceText) { sqlite_more, NULL, sqlite_free };
  self->db = open_database (file, cancellable, error);
  if (self->db == NULL)
    return NULL;
  if (query == NULL)
    {
      g_auto (GStrv) names = list_tables (self->db, cancellable, error);
      const char *table = names != NULL ? mt_source_choose (names, name, "table", error) : NULL;

      if (table == NULL)
        return NULL;
      select = quote_name (table);
      *chosen = g_strdup (table);
    }
  sqlite3_set_authorizer (self->db, allow_reading, &self->denied);
  if (sqlite3_prepare_v2 (self->db, query != NULL ? query : select, -1, &self->statement, &rest) != SQLITE_OK)
    {
      if (self->denied)
        mt_refuse (error, MT_ERROR_PARAMS, _("A query may only read the database: begin it with SELECT"));
      else
        fail_sqlite (self->db, cancellable, error);
      return NULL;
    }
  while (rest != NULL && (g_ascii_isspace (*rest) || *rest == ';'))
    rest++;
  if (self->statement == NULL || sqlite3_column_count (self->statement) == 0 || (rest != NULL && *rest != '\0'))
    {
      mt_refuse (error, MT_ERROR_PARAMS, _("A query must be one SELECT that gives columns"));
      return NULL;
    }
  return g_steal_pointer (&text);
}
