/* minterm-cli bench WHAT: each measurement is a file of its own, mt-cli-bench-WHAT.c. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

#include "mt-cli-commands.h"

int
mt_cli_bench (int    argc,
              char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *similar;
  int exit_code = MT_EXIT_OK;

  if (argc < 2)
    return mt_cli_fail (MT_EXIT_USAGE, "bench needs a measurement; see 'minterm-cli bench --help'");
  if (*argv[1] == '-')
    return mt_cli_parse (&argc, &argv, NULL, &common, &exit_code)
             ? mt_cli_fail (MT_EXIT_USAGE, "bench needs a measurement; see 'minterm-cli bench --help'") : exit_code;
  for (const MtCliCommand *it = mt_cli_get_benchmarks (); it->name != NULL; it++)
    {
      const char *name = it->name + strlen ("bench ");

      if (strcmp (argv[1], name) == 0)
        {
          argv[1] = (char *) it->name;
          return it->run (argc - 1, argv + 1);
        }
      g_ptr_array_add (names, (gpointer) name);
    }
  g_ptr_array_add (names, NULL);
  similar = mt_cli_find_similar (argv[1], (const char * const *) names->pdata);
  if (similar != NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "unknown measurement “%s”; did you mean “%s”?", argv[1], similar);
  return mt_cli_fail (MT_EXIT_USAGE, "unknown measurement “%s”; see 'minterm-cli bench --help'", argv[1]);
}
