/* minterm-cli bench WHAT: each measurement is a file of its own, mt-cli-bench-WHAT.c. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

static const MtCliCommand benches[] = {
  { "csv", "reading a generated table, against libcsv alone", mt_cli_bench_csv },
  { "minimize", "shortest covers of random truth tables", mt_cli_bench_minimize },
  { "predict", "rules over rows, on bit planes", mt_cli_bench_predict },
  { "refine", "a path from all candidates to the bare bias", mt_cli_bench_refine },
  { "report", "the audit report of a made-up model", mt_cli_bench_report },
  { "step", "one training step against one matrix product", mt_cli_bench_step },
  { "topk", "the soft choice of inputs", mt_cli_bench_topk },
  { "train", "a whole gradient training of a file", mt_cli_bench_train },
  { NULL, NULL, NULL },
};

int
mt_cli_bench (int    argc,
              char **argv)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; benches[i].name != NULL; i++)
    {
      if (argc > 1 && strcmp (argv[1], benches[i].name) == 0)
        return benches[i].run (argc - 1, argv + 1);
      g_string_append_printf (names, "\n  %-10s %s", benches[i].name, benches[i].summary);
    }
  if (argc > 1 && (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0))
    {
      g_print ("Usage: minterm-cli bench WHAT [OPTION…]\n%s\n", names->str);
      return MT_EXIT_OK;
    }
  return mt_cli_fail (MT_EXIT_USAGE, "bench needs to know what to measure; see minterm-cli bench --help");
}
