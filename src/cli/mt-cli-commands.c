#include "config.h"
#include "mt-cli-commands.h"

#include <string.h>

#include "mt-cli.h"

static const MtCliCommand commands[] = {
  { "inspect", "Show how a file is read: columns, types, and findings", mt_cli_inspect,
    MT_CLI_USES_JSON | MT_CLI_USES_THREADS, "DATA.csv",
    "Shows how DATA.csv is read, the type, role, and values of each column, and findings: problems that can "
    "spoil a model. Use - as the file name to read standard input.",
    { { "inspect loans.csv --target approved", "Check a file before training." },
      { "inspect export.txt --delimiter semicolon --decimal comma", "Read a file with decimal commas." } } },
  { "train", "Learn rule models and recommend one", mt_cli_train, MT_CLI_USES_ALL,
    "DATA.csv [DATA2.csv…] --target COLUMN [-o MODEL.json]",
    "Learns rule models of all sizes from DATA.csv, cross-validates them, and recommends the smallest one that is "
    "within one standard error of the best. A share of the rows is held out to test the selected model. Several "
    "files with the same line of names are one table.\n"
    "The size of a model is its number of literals: the conditions in its rules, plus one per linear term, plus "
    "one for the intercept.",
    { { "train loans.csv --target approved -o model.json", "Learn models and save the recommended one." },
      { "train loans.csv --target approved --literals 9 -o small.json", "Save the model of size 9 instead." } } },
  { "rules", "Print the rules of a model", mt_cli_rules, MT_CLI_USES_JSON | MT_CLI_USES_THREADS, "MODEL.json",
    "Prints every term of a model with its weight. With --data, also prints the support, class share, lift, and "
    "odds ratio of each rule on the rows of a file. With --scorecard, prints the points by range of each column instead.",
    { { "rules model.json", "Print the rules." },
      { "rules model.json --data loans.csv", "Also show how each rule performs on a file." } } },
  { "predict", "Predict each row of a file", mt_cli_predict, MT_CLI_USES_JSON | MT_CLI_USES_THREADS,
    "MODEL.json DATA.csv", "Writes the prediction of a model for each row of DATA.csv, as CSV.",
    { { "predict model.json new.csv -o predictions.csv", "Predict new rows." },
      { "predict model.json new.csv --reasons 3", "Also give the three strongest reasons for each row." } } },
  { "evaluate", "Measure a model on labeled rows", mt_cli_evaluate,
    MT_CLI_USES_JSON | MT_CLI_USES_THREADS | MT_CLI_USES_SEED, "MODEL.json DATA.csv",
    "Measures a model on rows whose target is known, with bootstrap confidence intervals.",
    { { "evaluate model.json test.csv", "Measure a model on a test file." },
      { "evaluate model.json test.csv --by region", "Also measure it for each region." } } },
  { "export", "Export a model to SQL, Python, C, PMML, and more, or write the audit report", mt_cli_export,
    MT_CLI_USES_JSON | MT_CLI_USES_THREADS | MT_CLI_USES_SEED, "MODEL.json -f FORMAT -o OUT",
    "Exports a model as code, or writes the audit report (--format html or pdf).",
    { { "export model.json -f sql --dialect postgresql -o model.sql", "Export to PostgreSQL." },
      { "export model.json -f pdf --data loans.csv -o report.pdf", "Write the audit report." } } },
  { "verify", "Verify exports in installed engines", mt_cli_verify, MT_CLI_USES_JSON | MT_CLI_USES_THREADS,
    "MODEL.json",
    "Runs the exports of a model in the engines installed on this computer and compares their results with the "
    "predictions of the model. The result is saved next to the model, as MODEL.verify.json.",
    { { "verify model.json", "Verify all exports that can run here." },
      { "verify model.json --engines sqlite3,python3", "Verify two of them." } } },
  { "reasons", "List or set the reason shown for each term", mt_cli_reasons, MT_CLI_USES_JSON, "MODEL.json",
    "Lists the reason shown to the person affected for each term of a model, or sets reasons.",
    { { "reasons model.json", "List the terms and their reasons." },
      { "reasons model.json --set 1=\"Income is low\" -o model.json", "Set the reason of the first term." } } },
  { "cutoff", "Show, choose, or set the cutoff of a model", mt_cli_cutoff, MT_CLI_USES_JSON | MT_CLI_USES_THREADS,
    "MODEL.json [DATA.csv]",
    "Shows the probability above which a model of two classes predicts the second one, chooses it from the rows of a file, "
    "or sets it. All predictions, exports, and reports of the model use it.",
    { { "cutoff model.json loans.csv --rate 0.6 -o approve60.json", "Predict the second class for about 60% of the rows." },
      { "cutoff model.json loans.csv --values 10,-50,0,0", "Find the cutoff with the highest total value." } } },
  { "sweep", "Train every combination of settings into a project", mt_cli_sweep, MT_CLI_USES_ALL,
    "DATA.csv --target COLUMN -o PROJECT.minterm",
    "Trains every combination of the given settings, saves all models of all runs in a project, and prints the "
    "frontier of all runs. Run the same command again to continue a sweep that was stopped.",
    { { "sweep loans.csv --target approved --bits 5,9,15 -o loans.minterm", "Compare three numbers of thresholds." },
      { "sweep loans.csv --target approved --fan-in 3,5 --seeds 3 -o loans.minterm",
        "Train two settings with three seeds each." } } },
  { "reproduce", "Run the experiments of the TT-Sparse paper", mt_cli_reproduce, MT_CLI_USES_JSON | MT_CLI_USES_THREADS,
    "--data DIR --out DIR",
    "Runs the experiments of the TT-Sparse paper on the data sets in a folder and writes tables and pictures next to the "
    "figures of the paper. Run the same command again to continue. The folder must have a manifest.tsv with the columns "
    "dataset, file, task, target, rows, continuous, and categorical.",
    { { "reproduce --data data --out paper --budget 60m", "Run as much as one hour allows." },
      { "reproduce --data data --out paper --only T1,T2", "Run two experiments." } } },
  { "minimize", "Minimize a truth table", mt_cli_minimize, MT_CLI_USES_JSON, "--fan-in K --on HEX",
    "Finds the shortest formula for a truth table: the fewest literals, then the fewest alternatives. In the output, an "
    "alternative covers assignment v if (v & mask) == value.",
    { { "minimize --fan-in 3 --on e8", "Minimize the majority of three inputs." },
      { "minimize --batch < tables.jsonl", "Minimize many tables, one JSON object per line." } } },
  { "devices", "List CPU and GPU devices", mt_cli_devices, MT_CLI_USES_JSON, "",
    "Lists the devices that can train networks. A device that cannot be used is listed with the reason.",
    { { "devices", "List the devices." }, { "devices --json", "List them as JSON." } } },
  { "gpu-selftest", "Compare GPU results and speed with the CPU", mt_cli_gpu_selftest, MT_CLI_USES_JSON, "",
    "Compares the results and the speed of the GPU with those of the CPU and prints a report. Fails if there is "
    "no usable GPU.",
    { { "gpu-selftest", "Run all checks and timings." }, { "gpu-selftest --quick", "Run the checks only." } } },
  { "bench", "Measure the speed of parts of Minterm", mt_cli_bench, 0, "WHAT", NULL,
    { { "bench csv --rows 100000", "Measure the speed of reading CSV files." },
      { "bench predict --json", "Measure the speed of prediction, as JSON." } } },
  { NULL }
};

static const MtCliCommand benchmarks[] = {
  { "bench csv", "Read a generated table, compared with libcsv", mt_cli_bench_csv, MT_CLI_USES_JSON, "", NULL,
    { { "bench csv", "Read a million rows." }, { "bench csv --rows 100000 --repeat 1", "Take less time." } } },
  { "bench minimize", "Minimize random truth tables", mt_cli_bench_minimize, MT_CLI_USES_JSON | MT_CLI_USES_SEED, "",
    "Times the minimizer on random threshold functions and on random functions with free combinations.",
    { { "bench minimize", "Time tables of 6, 8, and 10 inputs." },
      { "bench minimize --fan-in 6 --cases 100", "Time 100 tables of 6 inputs of each kind." } } },
  { "bench predict", "Apply rules to rows", mt_cli_bench_predict, MT_CLI_USES_JSON | MT_CLI_USES_SEED, "",
    "Times the rules of a model on encoded rows, on one thread.",
    { { "bench predict", "Time 50 rules on 200,000 rows." }, { "bench predict --rules 10", "Time 10 rules." } } },
  { "bench refine", "Run one elimination path", mt_cli_bench_refine, MT_CLI_USES_JSON | MT_CLI_USES_SEED, "",
    "Times one elimination path, from all candidates to the intercept, on one thread.",
    { { "bench refine", "Time 10,000 rows of 20 columns." }, { "bench refine --rows 1000", "Time 1,000 rows." } } },
  { "bench report", "Write the audit report of a generated model", mt_cli_bench_report,
    MT_CLI_USES_JSON | MT_CLI_USES_SEED, "",
    "Times the audit report of a generated model and its rows, as PDF and HTML, and how fast it can be canceled, "
    "on one thread.",
    { { "bench report", "Time a report of 50 rules." }, { "bench report --rules 10", "Time a report of 10 rules." } } },
  { "bench step", "Run one training step, compared with a matrix product", mt_cli_bench_step,
    MT_CLI_USES_JSON | MT_CLI_USES_THREADS | MT_CLI_USES_SEED, "",
    "Times one full training step: batch, forward, backward, soft top-k, AdamW.",
    { { "bench step", "Time a step on 2,048 rows." }, { "bench step --nodes 100", "Time a larger network." } } },
  { "bench topk", "Choose inputs by soft top-k", mt_cli_bench_topk, MT_CLI_USES_JSON | MT_CLI_USES_SEED, "",
    "Times the soft choice of inputs, forward and backward, on one thread.",
    { { "bench topk", "Time a choice of 6 inputs." }, { "bench topk --fan-in 4", "Time a choice of 4 inputs." } } },
  { "bench train", "Train a network on a file", mt_cli_bench_train, MT_CLI_USES_ALL, "DATA.csv --target COLUMN",
    "Times the training of a network and scores the network on a fifth of the rows.",
    { { "bench train loans.csv --target approved", "Train once." },
      { "bench train loans.csv --target approved --seeds 5", "Train with five splits and seeds." } } },
  { NULL }
};

const MtCliCommand *
mt_cli_get_commands (void)
{
  return commands;
}

const MtCliCommand *
mt_cli_get_benchmarks (void)
{
  return benchmarks;
}

const MtCliCommand *
mt_cli_find_command (const char *name)
{
  for (const MtCliCommand *it = commands; it->name != NULL; it++)
    if (strcmp (it->name, name) == 0)
      return it;
  for (const MtCliCommand *it = benchmarks; it->name != NULL; it++)
    if (strcmp (it->name, name) == 0)
      return it;
  return NULL;
}

/* Insertions, deletions, replacements, and swaps of neighbors that turn @a into @b. */
static guint
count_slips (const char *a,
             const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b), width = n_b + 1;
  g_autofree guint *rows = g_new (guint, 3 * width);
  guint *before = rows, *above = rows + width, *row = rows + 2 * width;

  for (gsize j = 0; j <= n_b; j++)
    row[j] = (guint) j;
  for (gsize i = 1; i <= n_a; i++)
    {
      guint *free_row = before;

      before = above;
      above = row;
      row = free_row;
      row[0] = (guint) i;
      for (gsize j = 1; j <= n_b; j++)
        {
          row[j] = MIN (MIN (above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], before[j - 2] + 1);
        }
    }
  return row[n_b];
}

const char *
mt_cli_find_similar (const char         *typed,
                     const char * const *words)
{
  gsize length = strlen (typed);
  guint best = length <= 3 ? 2 : length <= 8 ? 3 : 4;      /* fewer slips than this */
  const char *similar = NULL;

  for (guint i = 0; words[i] != NULL && length < 100; i++)
    {
      guint n = count_slips (typed, words[i]);

      /* "repeat" is the beginning of "repeats", and "eval" of "evaluate". */
      if (length >= 3 && g_str_has_prefix (words[i], typed))
        n = MIN (n, 1);
      if (n < best)
        {
          best = n;
          similar = words[i];
        }
    }
  return similar;
}
