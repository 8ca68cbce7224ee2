/* minterm-cli: finds the subcommand and runs it. */
#include "config.h"
#include "mt-cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const MtCliCommand commands[] = {
  { "bench", "time the program's own kernels against a baseline", mt_cli_bench },
  { "devices", "where training could run, and why something cannot be used", mt_cli_devices },
  { "evaluate", "how good a model is on rows whose target is known", mt_cli_evaluate },
  { "export", "a model in another language: SQL, Python, C, PMML and others", mt_cli_export },
  { "gpu-selftest", "whether the GPU here computes what the CPU computes, and how fast", mt_cli_gpu_selftest },
  { "inspect", "how a CSV is read, its columns, and what is odd about it", mt_cli_inspect },
  { "minimize", "the shortest formula for a truth table", mt_cli_minimize },
  { "predict", "a model's answer for each row of a CSV", mt_cli_predict },
  { "reasons", "what a customer is told when a rule decided", mt_cli_reasons },
  { "rules", "every rule of a model, in words", mt_cli_rules },
  { "sweep", "train a grid of settings and seeds into a project", mt_cli_sweep },
  { "train", "find rule models of every complexity and recommend one", mt_cli_train },
  { "verify", "run a model's exports in the engines of this machine", mt_cli_verify },
};

static void
print_help (FILE *out)
{
  fprintf (out, "Usage: minterm-cli COMMAND [OPTION…]\n\n"
                "Builds and checks rule models from CSV files.\n\nCommands:\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  %-13s %s\n", commands[i].name, commands[i].summary);
  fprintf (out, "\nminterm-cli COMMAND --help explains a command. Exit: 0 ok, 1 failed, 2 bad usage.\n");
}

int
main (int    argc,
      char **argv)
{
  mt_blas_start_again_if_limited (argv);
  /* Messages follow the locale; numbers never do. */
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");

  if (argc < 2)
    {
      print_help (stderr);
      return MT_EXIT_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      print_help (stdout);
      return MT_EXIT_OK;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      printf ("minterm-cli %s\n", MT_VERSION);
      return MT_EXIT_OK;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      return commands[i].run (argc - 1, argv + 1);
  return mt_cli_fail (MT_EXIT_USAGE, "there is no command “%s”; see minterm-cli --help", argv[1]);
}
