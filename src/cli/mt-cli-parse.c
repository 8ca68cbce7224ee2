/* Command lines: the options of a command, its help, and a suggestion for an option that there is not. */
#include "config.h"
#include "mt-cli.h"

#include <stdio.h>

#include "mt-cli-commands.h"
#include "mt-cli-help.h"
#include "mt-cli-terminal.h"

/* A whole number from 0 on, as @option was given; @text NULL: @seed stays. Prints what is wrong. */
static gboolean
parse_seed (const char *option,
            const char *text,
            guint64    *seed)
{
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, seed, NULL))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s must be a whole number from 0 to %" G_GUINT64_FORMAT ", not “%s”", option, G_MAXUINT64,
               text);
  return FALSE;
}

/* @own and the common options that the command uses; g_free() it. */
static GOptionEntry *
join_entries (const GOptionEntry *own,
              const GOptionEntry *common,
              MtCliUses           uses)
{
  guint n_own = 0, n = 0;
  GOptionEntry *all;

  while (own != NULL && own[n_own].long_name != NULL)
    n_own++;
  while (common[n].long_name != NULL)
    n++;
  all = g_new0 (GOptionEntry, n_own + n + 1);
  for (guint i = 0; i < n_own; i++)
    all[i] = own[i];
  /* The first ones are in the order of MtCliUses, the others always there. */
  for (guint i = 0; i < n; i++)
    if ((1u << i) > MT_CLI_USES_ALL || (uses & (1u << i)) != 0)
      all[n_own++] = common[i];
  return all;
}

/* A line that names the option that was meant instead of the first one that there is not, if one is similar. */
static int
fail_parse (const GError       *error,
            char              **words,
            const GOptionEntry *entries,
            const char         *program)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (; entries->long_name != NULL; entries++)
    if ((entries->flags & G_OPTION_FLAG_HIDDEN) == 0)
      g_ptr_array_add (names, (gpointer) entries->long_name);
  g_ptr_array_add (names, NULL);
  for (guint i = 1; g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) && words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], "=", 2);
      const char *similar;

      if (!g_str_has_prefix (words[i], "--") || words[i][2] == '\0' ||
          g_strv_contains ((const char * const *) names->pdata, parts[0] + 2))
        continue;
      similar = mt_cli_find_similar (parts[0] + 2, (const char * const *) names->pdata);
      return similar != NULL
               ? mt_cli_fail (MT_EXIT_USAGE, "unknown option %s; did you mean --%s? See '%s --help'", parts[0], similar,
                              program)
               : mt_cli_fail (MT_EXIT_USAGE, "unknown option %s; see '%s --help'", parts[0], program);
    }
  return mt_cli_fail (MT_EXIT_USAGE, "%s; see '%s --help'", error->message, program);
}

gboolean
mt_cli_parse (int                *argc,
              char             ***argv,
              const GOptionEntry *entries,
              MtCliCommon        *common,
              int                *exit_code)
{
  const MtCliCommand *command = mt_cli_find_command ((*argv)[0]);
  g_autofree char *seed = NULL;
  gboolean help = FALSE, man = FALSE;
  guint64 number = 0;
  const GOptionEntry common_entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &common->json, "Print one JSON document instead of text", NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &common->threads, "Number of threads; 0 uses all [default: 0]", "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &seed, "Seed of all random choices [default: 0]", "N" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &common->device, "Device for networks: auto, cpu, or cuda [default: auto]", "D" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL },
    { "help-man", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &man, "Print a man page", NULL },
    { NULL }
  };
  g_autofree GOptionEntry *all = join_entries (entries, common_entries, command->uses);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *program = g_strdup_printf ("minterm-cli %s", command->name);
  g_auto (GStrv) words = g_strdupv (*argv);
  g_autoptr (GError) error = NULL;

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, all, NULL);
  g_set_prgname (program);

  if (!g_option_context_parse (context, argc, argv, &error))
    {
      *exit_code = fail_parse (error, words, all, program);
      return FALSE;
    }
  if (help || man)
    {
      g_autofree char *text = man ? mt_cli_dup_command_man (command, all)
                                  : mt_cli_dup_command_help (command, all, mt_cli_get_width (stdout));

      *exit_code = mt_cli_write (stdout, text) ? MT_EXIT_OK
                                               : mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output");
      return FALSE;
    }
  if (!parse_seed ("--seed", seed, &number))
    {
      *exit_code = MT_EXIT_USAGE;
      return FALSE;
    }
  common->seed = (gint64) number;
  if (common->threads < 0 || common->threads > 1024)
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--threads must be between 1 and 1024, or 0 for all");
      return FALSE;
    }
  if (common->device != NULL && !g_strv_contains ((const char * const[]) { "auto", "cpu", "cuda", NULL },
                                                  common->device))
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--device must be auto, cpu, or cuda");
      return FALSE;
    }
  return TRUE;
}

void
mt_cli_common_clear (MtCliCommon *common)
{
  g_clear_pointer (&common->device, g_free);
}
