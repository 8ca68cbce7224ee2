/* A few raw lines of a file around one that cannot be read, to look at. See mt-file-excerpt.h. */
#include "config.h"
#include "mt-file-excerpt.h"

#include <string.h>

#define LONGEST 120      /* characters of a line shown */
#define BLOCK   65536

typedef struct {
  GFile   *file;
  guint64  line;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->file);
  g_free (job);
}

/* Text that a label can show: valid, with what cannot be seen shown as a picture of it. */
static char *
make_visible (const char *bytes,
              gsize       length)
{
  g_autofree char *valid = g_utf8_make_valid (bytes, (gssize) MIN (length, LONGEST * 4));
  g_autoptr (GString) out = g_string_new (NULL);
  guint n = 0;

  for (const char *p = valid; *p != '\0' && n < LONGEST; p = g_utf8_next_char (p), n++)
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (out, c < 0x20 ? 0x2400 + c : c == 0x7f ? 0x2421 : c);
    }
  if (n == LONGEST)
    g_string_append (out, "…");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

typedef struct {
  GString *text;     /* result */
  GString *line;     /* being read */
  guint64  number;
  guint64  wanted;
} Reader;

static void
end_line (Reader *reader)
{
  if (reader->number + 1 >= reader->wanted && reader->number <= reader->wanted + 1)
    {
      g_autofree char *shown = NULL;

      if (reader->line->len > 0 && reader->line->str[reader->line->len - 1] == '\r')
        g_string_truncate (reader->line, reader->line->len - 1);
      shown = make_visible (reader->line->str, reader->line->len);
      g_string_append_printf (reader->text, "%s%s %" G_GUINT64_FORMAT "  %s", reader->text->len > 0 ? "\n" : "",
                              reader->number == reader->wanted ? "▸" : " ", reader->number, shown);
    }
  g_string_truncate (reader->line, 0);
  reader->number++;
}

static void
excerpt_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  g_autoptr (GInputStream) stream = G_INPUT_STREAM (g_file_read (job->file, cancellable, &error));
  g_autofree char *block = g_malloc (BLOCK);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) line = g_string_new (NULL);
  Reader reader = { text, line, 1, job->line };
  gssize n = 0;

  while (stream != NULL && reader.number <= job->line + 1 &&
         (n = g_input_stream_read (stream, block, BLOCK, cancellable, &error)) > 0)
    for (gssize i = 0; i < n; i++)
      if (block[i] == '\n')
        end_line (&reader);
      else if (line->len < LONGEST * 4)
        g_string_append_c (line, block[i]);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (line->len > 0)
    end_line (&reader);
  g_task_return_pointer (task, g_string_free (g_steal_pointer (&text), FALSE), g_free);
}

void
mt_file_excerpt_async (GFile               *file,
                       guint64              line,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->file = g_object_ref (file);
  job->line = line;
  g_task_set_source_tag (task, mt_file_excerpt_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, excerpt_thread);
}

char *
mt_file_excerpt_finish (GAsyncResult  *result,
                        GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
