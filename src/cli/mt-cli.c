/* What the subcommands share: errors, exit codes, output files, JSON, safe text for terminals. */
#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mt-cli-terminal.h"

char *
mt_cli_escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
          (c >= 0x2066 && c <= 0x2069))
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

int
mt_cli_fail (int         exit_code,
             const char *format,
             ...)
{
  g_autofree char *message = NULL;
  g_autofree char *safe = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  safe = mt_cli_escape (message);
  fprintf (stderr, "minterm-cli: %s\n", safe);
  return exit_code;
}

int
mt_cli_fail_error (const GError *error)
{
  return mt_cli_fail (MT_EXIT_FAILED, "%s", error->message);
}

/* As the import takes names: file URIs, too. */
static GStrv
dup_paths (const char * const *inputs,
           guint               n_inputs)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  for (guint i = 0; i < n_inputs; i++)
    {
      g_autoptr (GFile) file = inputs[i] != NULL ? g_file_new_for_commandline_arg (inputs[i]) : NULL;
      const char *path = file != NULL ? g_file_peek_path (file) : NULL;

      if (g_strcmp0 (inputs[i], "-") == 0)
        g_strv_builder_add (paths, "/dev/stdin");
      else if (path != NULL)
        g_strv_builder_add (paths, g_file_test (inputs[i], G_FILE_TEST_EXISTS) ? inputs[i] : path);
    }
  return g_strv_builder_end (paths);
}

gboolean
mt_cli_check_output (const char         *path,
                     const char * const *inputs,
                     guint               n_inputs)
{
  g_auto (GStrv) paths = dup_paths (inputs, n_inputs);
  g_autoptr (GError) error = NULL;

  if (mt_file_check_output (path == NULL || strcmp (path, "-") == 0 ? "/dev/stdout" : path,
                            (const char * const *) paths, &error))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  return FALSE;
}

gboolean
mt_cli_check_sidecar (const char         *path,
                      const char         *format,
                      const char * const *inputs,
                      guint               n_inputs)
{
  g_auto (GStrv) paths = dup_paths (inputs, n_inputs);
  g_autoptr (GError) error = NULL;

  if (mt_file_check_sidecar (path, format, (const char * const *) paths, &error))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  return FALSE;
}

void
mt_cli_json_text (MtJsonWriter *json,
                  const char   *name,
                  const char   *value)
{
  mt_json_writer_key (json, name);
  mt_json_writer_string (json, value);
}

void
mt_cli_json_number (MtJsonWriter *json,
                    const char   *name,
                    double        value)
{
  mt_json_writer_key (json, name);
  if (isfinite (value))
    mt_json_writer_number (json, value);
  else
    mt_json_writer_string (json, NULL);
}

void
mt_cli_json_count (MtJsonWriter *json,
                   const char   *name,
                   guint64       value)
{
  mt_json_writer_key (json, name);
  mt_json_writer_integer (json, value);
}

void
mt_cli_json_numbers (MtJsonWriter *json,
                     const char   *name,
                     const double *values,
                     guint         n_values)
{
  mt_json_writer_key (json, name);
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < n_values; i++)
    mt_json_writer_number (json, values[i]);
  mt_json_writer_end_array (json);
}

int
mt_cli_print (const char *text)
{
  if (!mt_cli_write (stdout, text))
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
  return MT_EXIT_OK;
}

int
mt_cli_json_print (MtJsonWriter *json)
{
  g_autofree char *text = mt_json_writer_finish (json, NULL);

  return mt_cli_print (text);
}
