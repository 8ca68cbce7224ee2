/* Predictions as a Parquet file. See mt-cli-parquet.h.
 *
 * duckdb reads the lines from a pipe and prints the file into another one, which a thread empties into the writer: so the
 * file is written as any other, whole or not at all, and duckdb opens no file. The types are said, not guessed: a key is a
 * text as it stands in the CSV, an empty cell is NULL. */
#include "config.h"
#include "mt-cli-parquet.h"

#include <signal.h>
#include <string.h>

#define PIECE (256u * 1024)

struct _MtCliParquet {
  GSubprocess  *process;
  MtFileWriter *writer;
  GThread      *thread;
  GError       *error;         /* of the thread, once it is joined */
  gboolean      has_header;    /* the line of names came, and was left out: they are in the command */
};

gboolean
mt_cli_parquet_is_wanted (const char *path)
{
  gsize length = path != NULL ? strlen (path) : 0;

  return length > strlen (".parquet") && g_ascii_strcasecmp (path + length - strlen (".parquet"), ".parquet") == 0;
}

static char *
find_program (GError **error)
{
  char *program = g_find_program_in_path ("duckdb");

  if (program == NULL)
    mt_refuse (error, MT_ERROR_PARAMS,
               "Parquet files are written by the program duckdb, which is not installed: install it, or write a CSV");
  return program;
}

gboolean
mt_cli_parquet_check (GError **error)
{
  g_autofree char *program = find_program (error);

  return program != NULL;
}

/* 'text' as SQL writes it. */
static void
append_quoted (GString    *sql,
               const char *text)
{
  g_string_append_c (sql, '\'');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '\'')
        g_string_append_c (sql, '\'');
      g_string_append_c (sql, *p);
    }
  g_string_append_c (sql, '\'');
}

/* The names of the line that mt-csv-write made, with their types: {'id': 'VARCHAR', 'prediction': 'DOUBLE'}. */
static void
append_columns (GString    *sql,
                const char *header,
                gsize       length,
                guint       first_number,
                guint       end_number)
{
  g_autoptr (GString) name = g_string_new (NULL);
  gboolean quoted = FALSE;
  guint n = 0;

  g_string_append_c (sql, '{');
  for (gsize i = 0; i < length; i++)
    {
      if (header[i] == '"' && quoted && i + 1 < length && header[i + 1] == '"')
        g_string_append_c (name, header[i++]);
      else if (header[i] == '"')
        quoted = !quoted;
      else if (!quoted && (header[i] == ',' || header[i] == '\n'))
        {
          if (n > 0)
            g_string_append (sql, ", ");
          append_quoted (sql, name->str);
          g_string_append (sql, n >= first_number && n < end_number ? ": 'DOUBLE'" : ": 'VARCHAR'");
          g_string_truncate (name, 0);
          n++;
        }
      else
        g_string_append_c (name, header[i]);
    }
  g_string_append_c (sql, '}');
}

static gpointer
empty_pipe (gpointer data)
{
  MtCliParquet *self = data;
  GInputStream *from = g_subprocess_get_stdout_pipe (self->process);
  g_autofree char *buffer = g_malloc (PIECE);
  GError *error = NULL;
  gssize n;

  while ((n = g_input_stream_read (from, buffer, PIECE, NULL, &error)) > 0)
    if (!mt_file_writer_write (self->writer, buffer, (gsize) n, &error))
      {
        g_subprocess_force_exit (self->process);   /* it would wait for ever */
        break;
      }
  return error;
}

MtCliParquet *
mt_cli_parquet_new (const char    *header,
                    gsize          length,
                    guint          first_number,
                    guint          end_number,
                    MtFileWriter  *writer,
                    GError       **error)
{
  g_autofree char *program = find_program (error);
  g_autoptr (GString) sql = g_string_new ("COPY (SELECT * FROM read_csv('/dev/stdin', auto_detect = false, header = false, "
                                          "delim = ',', quote = '\"', escape = '\"', max_line_size = 67108864, columns = ");
  g_autoptr (MtCliParquet) self = NULL;

  if (program == NULL)
    return NULL;
  append_columns (sql, header, length, first_number, end_number);
  g_string_append (sql, ")) TO '/dev/stdout' (FORMAT parquet)");
  signal (SIGPIPE, SIG_IGN);    /* duckdb may end early: then it says why */
  self = g_new0 (MtCliParquet, 1);
  self->writer = writer;
  self->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                    G_SUBPROCESS_FLAGS_STDERR_PIPE, error,
                                    program, "-init", "/dev/null", "-bail", "-c", sql->str, NULL);
  if (self->process == NULL)
    return NULL;
  self->thread = g_thread_new ("mt-parquet", empty_pipe, self);
  return g_steal_pointer (&self);
}

/* What duckdb said, in place of "broken pipe". */
static gboolean
fail (MtCliParquet  *self,
      GError       **error)
{
  char message[1000];
  gsize n = 0;

  g_input_stream_read_all (g_subprocess_get_stderr_pipe (self->process), message, sizeof message - 1, &n, NULL, NULL);
  message[n] = '\0';
  return mt_refuse (error, MT_ERROR_PARSE, "duckdb cannot write the Parquet file: %s",
                    n > 0 ? g_strstrip (message) : "it gives no reason");
}

/* The thread ends once duckdb did. FALSE with its error. */
static gboolean
join (MtCliParquet  *self,
      GError       **error)
{
  self->error = self->thread != NULL ? g_thread_join (g_steal_pointer (&self->thread)) : NULL;
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

gboolean
mt_cli_parquet_write (MtCliParquet  *self,
                      const char    *text,
                      gsize          length,
                      GError       **error)
{
  if (!self->has_header)
    {
      self->has_header = TRUE;
      return TRUE;
    }
  if (g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), text, length, NULL, NULL, NULL))
    return TRUE;
  return join (self, error) && fail (self, error);
}

gboolean
mt_cli_parquet_finish (MtCliParquet  *self,
                       GError       **error)
{
  gboolean closed = g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);

  if (!join (self, error) || !g_subprocess_wait (self->process, NULL, error))
    return FALSE;
  return (closed && g_subprocess_get_successful (self->process)) || fail (self, error);
}

void
mt_cli_parquet_free (MtCliParquet *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      g_subprocess_force_exit (self->process);
      join (self, NULL);
    }
  g_clear_object (&self->process);
  g_clear_error (&self->error);
  g_free (self);
}
