/* A table or query of a DuckDB database, or a Parquet file, as the text of a CSV. See mt-source-text.h.
 *
 * There is no library for it in Debian, so the program duckdb does the work if it is installed, once for each reading of
 * the file: it prints a CSV. It opens a database for reading only, and reads no other file than the one that it is
 * asked for. */
#include "config.h"
#include "mt-source-text.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define MORE_BYTES (64u * 1024)

typedef struct {
  MtSourceText   text;
  GSubprocess   *process;
  gboolean       in_quotes;
} Duckdb;

/* 'text' as SQL writes it. */
static char *
quote_text (const char *text,
            const char *mark)
{
  g_autofree char *twice = g_strconcat (mark, mark, NULL);
  g_auto (GStrv) parts = g_strsplit (text, mark, -1);
  g_autofree char *doubled = g_strjoinv (twice, parts);

  return g_strconcat (mark, doubled, mark, NULL);
}

/* @database: NULL for a Parquet file. The program gets its commands as arguments: there is no shell. */
static GSubprocess *
start_duckdb (const char  *database,
              const char  *parquet,
              const char  *select,
              gboolean     names,
              GError     **error)
{
  g_autofree char *program = g_find_program_in_path ("duckdb");
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) problem = NULL;
  GSubprocess *process;

  if (program == NULL)
    {
      mt_refuse (error, MT_ERROR_PARAMS,
                 parquet != NULL
                 ? _("To read Parquet files, install the program duckdb, or save the table as CSV")
                 : _("To read DuckDB databases, install the program duckdb, or save the table as CSV"));
      return NULL;
    }
  g_ptr_array_add (arguments, g_strdup (program));
  /* No file of settings, which could print something or attach something. */
  g_ptr_array_add (arguments, g_strdup ("-init"));
  g_ptr_array_add (arguments, g_strdup ("/dev/null"));
  if (database != NULL)
    g_ptr_array_add (arguments, g_strdup ("-readonly"));
  g_ptr_array_add (arguments, g_strdup ("-bail"));
  g_ptr_array_add (arguments, g_strdup ("-csv"));
  g_ptr_array_add (arguments, g_strdup (names ? "-header" : "-noheader"));
  g_ptr_array_add (arguments, g_strdup ("-nullvalue"));
  g_ptr_array_add (arguments, g_strdup (""));
  if (database != NULL)
    {
      g_ptr_array_add (arguments, g_strdup (database));
      g_ptr_array_add (arguments, g_strdup ("-c"));
      g_ptr_array_add (arguments, g_strdup ("SET enable_external_access = false; SET lock_configuration = true;"));
    }
  g_ptr_array_add (arguments, g_strdup ("-c"));
  g_ptr_array_add (arguments, g_strdup (select));
  g_ptr_array_add (arguments, NULL);
  process = g_subprocess_newv ((const char * const *) arguments->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &problem);
  if (process == NULL)
    mt_refuse (error, MT_ERROR_PARSE, _("The program duckdb cannot be started: %s"), problem->message);
  return process;
}

/* After its output ended: whether it is complete. */
static gboolean
finish_duckdb (GSubprocess   *process,
               GCancellable  *cancellable,
               GError       **error)
{
  char message[1000];
  gsize n = 0;

  if (!g_input_stream_read_all (g_subprocess_get_stderr_pipe (process), message, sizeof message - 1, &n, cancellable, error) ||
      !g_subprocess_wait (process, cancellable, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    return TRUE;
  message[n] = '\0';
  return mt_refuse (error, MT_ERROR_PARSE, _("duckdb cannot read the file: %s"),
                    n > 0 ? g_strstrip (message) : _("it gave no reason"));
}

static char *
dup_path (GFile   *file,
          GError **error)
{
  char *path = g_file_get_path (file);

  if (path == NULL)
    mt_refuse (error, MT_ERROR_PARAMS, _("A database can be read only from a local file: copy it to this computer "
                                         "first"));
  return path;
}

char **
mt_source_duckdb_list (GFile         *file,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autofree char *path = dup_path (file, error);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) output = NULL;
  g_autoptr (GString) text = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *at;

  if (path == NULL)
    return NULL;
  /* As hexadecimal digits: a name may have any character in it. */
  process = start_duckdb (path, NULL, "SELECT hex(table_name) FROM information_schema.tables WHERE table_catalog = current_database() "
                          "AND table_schema = 'main' "
                          "ORDER BY table_name", FALSE, error);
  if (process == NULL)
    return NULL;
  output = g_input_stream_read_bytes (g_subprocess_get_stdout_pipe (process), 1024 * 1024, cancellable, error);
  text = g_string_new (NULL);
  while (output != NULL && g_bytes_get_size (output) > 0)
    {
      g_string_append_len (text, g_bytes_get_data (output, NULL), (gssize) g_bytes_get_size (output));
      g_bytes_unref (output);
      output = g_input_stream_read_bytes (g_subprocess_get_stdout_pipe (process), 1024 * 1024, cancellable, error);
    }
  if (output == NULL || !finish_duckdb (process, cancellable, error))
    {
      g_subprocess_force_exit (process);
      return NULL;
    }
  at = text->str;
  while (*at != '\0')
    {
      g_autoptr (GString) name = g_string_new (NULL);

      for (; g_ascii_isxdigit (at[0]) && g_ascii_isxdigit (at[1]); at += 2)
        g_string_append_c (name, (char) (g_ascii_xdigit_value (at[0]) * 16 + g_ascii_xdigit_value (at[1])));
      while (*at != '\0' && !g_ascii_isxdigit (*at))
        at++;
      if (name->len > 0)
        g_ptr_array_add (names, g_string_free (g_steal_pointer (&name), FALSE));
      else if (*at != '\0')
        break;
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/* Line breaks inside quotes become spaces, so that a row stays a line. */
static void
append_text (Duckdb     *self,
             GString    *out,
             const char *text,
             gsize       length)
{
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '"')
        self->in_quotes = !self->in_quotes;
      if (self->in_quotes && text[i] == '\r')
        continue;
      g_string_append_c (out, self->in_quotes && text[i] == '\n' ? ' ' : text[i]);
    }
}

static gboolean
duckdb_more (MtSourceText  *text,
             GString       *out,
             GCancellable  *cancellable,
             GError       **error)
{
  Duckdb *self = (Duckdb *) text;
  g_autofree char *buffer = g_malloc (MORE_BYTES);
  gssize n = g_input_stream_read (g_subprocess_get_stdout_pipe (self->process), buffer, MORE_BYTES, cancellable, error);

  if (n < 0)
    return FALSE;
  if (n == 0)
    return finish_duckdb (self->process, cancellable, error);
  append_text (self, out, buffer, (gsize) n);
  return TRUE;
}

static void
duckdb_free (MtSourceText *text)
{
  Duckdb *self = (Duckdb *) text;

  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  g_clear_object (&self->process);
  g_free (self);
}

MtSourceText *
mt_source_duckdb_open (GFile         *file,
                       gboolean       parquet,
                       const char    *name,
                       const char    *query,
                       char         **chosen,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autofree char *path = dup_path (file, error);
  g_autofree char *select = NULL;
  g_autoptr (MtSourceText) text = NULL;
  Duckdb *self;

  if (path == NULL)
    return NULL;
  if (parquet)
    {
      g_autofree char *quoted = quote_text (path, "'");

      /* A list, so that no letter of the path is taken for a pattern of several files. */
      select = g_strdup_printf ("SELECT * FROM read_parquet([%s])", quoted);
    }
  else if (query != NULL)
    select = g_strdup (query);
  else
    {
      g_auto (GStrv) names = mt_source_duckdb_list (file, cancellable, error);
      const char *table = names != NULL ? mt_source_choose (names, name, "table", error) : NULL;
      g_autofree char *quoted = NULL;

      if (table == NULL)
        return NULL;
      quoted = quote_text (table, "\"");
      select = g_strdup_printf ("SELECT * FROM %s", quoted);
      *chosen = g_strdup (table);
    }
  self = g_new0 (Duckdb, 1);
  text = &self->text;
  *text = (MtSourceText) { duckdb_more, NULL, duckdb_free };
  self->process = start_duckdb (parquet ? NULL : path, parquet ? path : NULL, select, TRUE, error);
  return self->process != NULL ? g_steal_pointer (&text) : NULL;
}
