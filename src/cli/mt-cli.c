#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

gboolean
mt_cli_parse (int                *argc,
              char             ***argv,
              const char         *synopsis,
              const char         *summary,
              const GOptionEntry *entries,
              MtCliCommon        *common,
              int                *exit_code)
{
  const GOptionEntry common_entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &common->json, "Print one JSON document and nothing else", NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &common->threads, "Number of threads (default: all)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &common->seed, "Seed of everything random (default: 0)", "N" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &common->device, "auto, cpu or cuda (default: auto)", "D" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (synopsis);
  g_autofree char *program = g_strdup_printf ("minterm-cli %s", (*argv)[0]);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, summary);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, common_entries, NULL);
  g_set_prgname (program);

  if (!g_option_context_parse (context, argc, argv, &error))
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "%s; see %s --help", error->message, program);
      return FALSE;
    }
  if (common->threads < 0 || common->threads > 1024)
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--threads must be between 1 and 1024, or 0 for all");
      return FALSE;
    }
  if (common->device != NULL && !g_strv_contains ((const char * const[]) { "auto", "cpu", "cuda", NULL },
                                                  common->device))
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--device must be auto, cpu or cuda");
      return FALSE;
    }
  return TRUE;
}

void
mt_cli_common_clear (MtCliCommon *common)
{
  g_clear_pointer (&common->device, g_free);
}

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

int
mt_cli_print_json (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL;
  gsize length;
  gboolean ok;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, &length);
  json_node_unref (root);
  ok = fwrite (text, 1, length, stdout) == length && putchar ('\n') != EOF && fflush (stdout) == 0;
  if (!ok)
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
  return MT_EXIT_OK;
}
