/* minterm-cli: finds the subcommand and runs it. */
#include "config.h"
#include "mt-cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mt-cli-commands.h"
#include "mt-cli-help.h"
#include "mt-cli-memory.h"
#include "mt-cli-terminal.h"

static int
fail_unknown (const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *similar;

  for (const MtCliCommand *it = mt_cli_get_commands (); it->name != NULL; it++)
    g_ptr_array_add (names, (gpointer) it->name);
  g_ptr_array_add (names, NULL);
  similar = mt_cli_find_similar (name, (const char * const *) names->pdata);
  if (similar != NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "unknown command “%s”; did you mean “%s”?", name, similar);
  return mt_cli_fail (MT_EXIT_USAGE, "unknown command “%s”; run 'minterm-cli --help' for a list", name);
}

static int
print (const char *text)
{
  return mt_cli_write (stdout, text) ? MT_EXIT_OK : mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output");
}

/* The line of a progress that stands on the terminal is written again later. */
static void
tell_disk (const MtLargeUse *use,
           gpointer          data)
{
  g_autofree char *text = mt_large_dup_notice (use);

  g_printerr ("%sminterm-cli: %s\n", isatty (STDERR_FILENO) ? "\r\033[K" : "", text);
}

/* help [--man] [COMMAND [WHAT]]; without --man for people. */
static int
help (int    argc,
      char **argv)
{
  gboolean man = argc > 1 && strcmp (argv[1], "--man") == 0;
  char **words = argv + (man ? 2 : 1);
  g_autofree char *text = NULL;
  g_autofree char *name = g_strjoinv (" ", words);
  const MtCliCommand *command;

  if (words[0] == NULL)
    {
      text = man ? mt_cli_dup_man () : mt_cli_dup_help (mt_cli_get_width (stdout));
      return print (text);
    }
  command = mt_cli_find_command (name);
  if (command == NULL)
    return fail_unknown (name);
  return command->run (2, (char *[]) { (char *) command->name, (char *) (man ? "--help-man" : "--help"), NULL });
}

int
main (int    argc,
      char **argv)
{
  const MtCliCommand *command;
  const char *memory = g_getenv ("MINTERM_MEMORY");
  guint64 n_bytes;

  mt_cli_explain_lack_of_memory (argv);
  mt_gpu_prepare_cache (NULL);
  mt_large_set_notice (tell_disk, NULL);
  /* Messages follow the locale; numbers never do. */
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");

  if (argc < 2)
    {
      g_autofree char *text = mt_cli_dup_help (mt_cli_get_width (stderr));

      mt_cli_write (stderr, text);
      return MT_EXIT_USAGE;
    }
  if (strcmp (argv[1], "help") == 0)
    return help (argc - 1, argv + 1);
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    return help (1, (char *[]) { argv[1], NULL });
  if (strcmp (argv[1], "--version") == 0 || strcmp (argv[1], "-V") == 0)
    return print ("minterm-cli " MT_VERSION "\n");
  if (memory != NULL && !mt_large_parse (memory, &n_bytes))
    return mt_cli_fail (MT_EXIT_USAGE, "MINTERM_MEMORY must be a size such as 512M or 8G, not “%s”", memory);
  command = mt_cli_find_command (argv[1]);
  return command != NULL ? command->run (argc - 1, argv + 1) : fail_unknown (argv[1]);
}
