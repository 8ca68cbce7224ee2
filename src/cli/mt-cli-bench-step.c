/* minterm-cli bench step: one full training step against one matrix product of OpenBLAS,
 * and how its time grows. */
#include "config.h"
#include "mt-cli.h"

#include "mt-cli-learn.h"

/* ms of the best step when one size is twice as large, over ms as given. */
static double
growth (const MtBenchStep *what,
        double             ms,
        guint              rows,
        guint              columns,
        guint              nodes)
{
  MtBenchStep twice = *what;
  MtBenchStepResult result;

  twice.rows *= rows;
  twice.columns *= columns;
  twice.nodes *= nodes;
  mt_bench_step (&twice, &result);
  return result.ms_min / ms;
}

int
mt_cli_bench_step (int    argc,
                   char **argv)
{
  int rows = 2048, columns = 22, bits = 9, nodes = 50, fan_in = 6, outputs = 1, steps = 0;
  gboolean no_growth = FALSE;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT, &rows, "Rows of the batch [default: 2048]", "N" },
    { "columns", 0, 0, G_OPTION_ARG_INT, &columns, "Numeric columns [default: 22]", "N" },
    { "bits", 0, 0, G_OPTION_ARG_INT, &bits, "Thresholds per column [default: 9]", "N" },
    { "nodes", 0, 0, G_OPTION_ARG_INT, &nodes, "Nodes [default: 50]", "N" },
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Inputs per node [default: 6]", "N" },
    { "outputs", 0, 0, G_OPTION_ARG_INT, &outputs, "1 for two classes, otherwise the number of classes [default: 1]", "N" },
    { "steps", 0, 0, G_OPTION_ARG_INT, &steps, "Steps to measure [default: about half a second]", "N" },
    { "no-growth", 0, 0, G_OPTION_ARG_NONE, &no_growth, "Do not measure doubled sizes", NULL },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  MtBenchStep what;
  MtBenchStepResult result;
  g_autofree char *engine = NULL;
  g_autofree char *core = NULL;
  double blas, more_rows = 0.0, more_columns = 0.0, more_nodes = 0.0;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (!mt_cli_check_range ("--rows", rows, 1, 1 << 20) || !mt_cli_check_range ("--columns", columns, 1, 10000) ||
      !mt_cli_check_range ("--bits", bits, 1, 250) || !mt_cli_check_range ("--nodes", nodes, 1, 10000) ||
      !mt_cli_check_range ("--fan-in", fan_in, 1, MIN (16, columns * bits)) ||
      !mt_cli_check_range ("--outputs", outputs, 1, 1000) || !mt_cli_check_range ("--steps", steps, 0, 1000000))
    return MT_EXIT_USAGE;

  what = (MtBenchStep) {
    (guint) rows, (guint) columns, (guint) bits, (guint) nodes, (guint) fan_in, (guint) outputs,
    (guint) common.threads, (guint64) common.seed, (guint) steps,
  };
  engine = mt_backend_dup_name ("cpu", NULL);
  mt_bench_step (&what, &result);
  /* The product that a plain implementation would need: literals against the gradients of
   * the nodes and outputs. */
  blas = mt_bench_blas_product (what.rows, 200, 51, &core);
  if (!no_growth)
    {
      more_rows = growth (&what, result.ms_min, 2, 1, 1);
      more_columns = growth (&what, result.ms_min, 1, 2, 1);
      more_nodes = growth (&what, result.ms_min, 1, 1, 2);
    }

  if (common.json)
    {
      g_autoptr (MtJsonWriter) json = mt_json_writer_new ();

      mt_json_writer_begin_object (json);
      mt_cli_json_number (json, "ms_per_step_min", result.ms_min);
      mt_cli_json_number (json, "ms_per_step_median", result.ms_median);
      if (core != NULL)
        {
          mt_cli_json_number (json, "blas_product_ms", blas);
          mt_cli_json_number (json, "ratio", result.ms_min / blas);
          mt_cli_json_text (json, "blas_core", core);
        }
      mt_cli_json_text (json, "engine", engine);
      mt_cli_json_count (json, "threads", result.threads);
      mt_cli_json_count (json, "rows", rows);
      mt_cli_json_count (json, "columns", columns);
      mt_cli_json_count (json, "literals", result.literals);
      mt_cli_json_count (json, "nodes", nodes);
      mt_cli_json_count (json, "fan_in", fan_in);
      mt_cli_json_count (json, "outputs", outputs);
      mt_cli_json_count (json, "steps", result.n_steps);
      mt_cli_json_number (json, "rows_per_second", rows / result.ms_min * 1e3);
      mt_cli_json_number (json, "loss_first", result.loss_first);
      mt_cli_json_number (json, "loss_last", result.loss_last);
      if (!no_growth)
        {
          mt_json_writer_key (json, "growth");
          mt_json_writer_begin_object (json);
          mt_cli_json_number (json, "rows", more_rows);
          mt_cli_json_number (json, "columns", more_columns);
          mt_cli_json_number (json, "nodes", more_nodes);
          mt_json_writer_end_object (json);
        }
      mt_json_writer_end_object (json);
      return mt_cli_json_print (g_steal_pointer (&json));
    }
  g_print ("%d rows × %u literals, %d nodes of fan-in %d, %d output(s), %s, %u thread(s)\n", rows,
           result.literals,
           nodes, fan_in, outputs, engine, result.threads);
  g_print ("step   %.4f ms best, %.4f ms median of %u\n", result.ms_min, result.ms_median, result.n_steps);
  if (core != NULL)
    g_print ("sgemm  %.4f ms best (%s kernels, one thread): the step is %.2f of it\n", blas, core, result.ms_min / blas);
  else
    g_print ("sgemm  not measured: OpenBLAS is not installed\n");
  if (!no_growth)
    g_print ("twice the rows %.2f, columns %.2f, nodes %.2f times as long\n", more_rows, more_columns,
             more_nodes);
  return MT_EXIT_OK;
}
