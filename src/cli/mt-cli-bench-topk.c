/* minterm-cli bench topk: the soft choice of inputs over sizes, and its convergence. */
#include "config.h"
#include "mt-cli.h"

/* The paper's two figures: mass by temperature, and |Σπ - k| by pass of plain halving. */
static void
add_figures (MtJsonWriter *json)
{
  const float scores[] = { -2.2f, 0.3f, 0.4f, 1.4f, 10.0f };
  const double taus[] = { 0.01, 0.1, 0.5, 1.0, 5.0, 10.0 };
  double errors[32];

  mt_json_writer_key (json, "mass_flow");
  mt_json_writer_begin_array (json);
  for (guint t = 0; t < G_N_ELEMENTS (taus); t++)
    {
      double pi[G_N_ELEMENTS (scores)];

      mt_bench_topk_masses (scores, G_N_ELEMENTS (scores), 3, taus[t], pi);
      mt_json_writer_begin_object (json);
      mt_cli_json_number (json, "temperature", taus[t]);
      mt_json_writer_key (json, "mass");
      mt_json_writer_begin_row (json);
      for (guint i = 0; i < G_N_ELEMENTS (scores); i++)
        mt_json_writer_number (json, pi[i]);
      mt_json_writer_end_array (json);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_topk_bisection_errors (scores, G_N_ELEMENTS (scores), 3, 1.0, G_N_ELEMENTS (errors), errors);
  mt_json_writer_key (json, "halving_errors");
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    mt_json_writer_number (json, errors[i]);
  mt_json_writer_end_array (json);
}

int
mt_cli_bench_topk (int    argc,
                   char **argv)
{
  const guint sizes[] = { 50, 200, 1000, 10000 }, counts[] = { 10, 50, 200 };
  int k = 6;
  double tau = 0.01;
  const GOptionEntry entries[] = {
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &k, "Inputs per node [default: 6]", "N" },
    { "temperature", 0, 0, G_OPTION_ARG_DOUBLE, &tau, "Temperature [default: 0.01]", "T" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (MtJsonWriter) json = mt_json_writer_new ();
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (k < 1 || k > 16)
    return mt_cli_fail (MT_EXIT_USAGE, "--fan-in must be between 1 and 16");
  if (!(tau >= 1e-4 && tau <= 10.0))
    return mt_cli_fail (MT_EXIT_USAGE, "--temperature must be between 0.0001 and 10");

  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "sizes");
  mt_json_writer_begin_array (json);
  if (!common.json)
    g_print ("%8s %6s %12s %12s %12s %7s %9s %10s\n", "literals", "nodes", "cold ms", "warm ms",
             "backward ms",
             "passes", "kB", "error");
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint m = 0; m < G_N_ELEMENTS (counts); m++)
      {
        MtBenchTopk it = { .n = sizes[s], .nodes = counts[m], .k = (guint) k, .tau = tau };

        mt_bench_topk (&it, (guint64) common.seed);
        if (!common.json)
          g_print ("%8u %6u %12.4f %12.4f %12.4f %3u/%-3u %9.1f %10.1e\n", it.n, it.nodes, it.forward_cold_ms,
                   it.forward_warm_ms, it.backward_ms, it.passes_cold, it.passes_warm,
                   (double) it.bytes / 1024.0,
                   it.worst_error);
        mt_json_writer_begin_object (json);
        mt_cli_json_number (json, "literals", it.n);
        mt_cli_json_number (json, "nodes", it.nodes);
        mt_cli_json_number (json, "forward_cold_ms", it.forward_cold_ms);
        mt_cli_json_number (json, "forward_warm_ms", it.forward_warm_ms);
        mt_cli_json_number (json, "backward_ms", it.backward_ms);
        mt_cli_json_number (json, "passes_cold", it.passes_cold);
        mt_cli_json_number (json, "passes_warm", it.passes_warm);
        mt_cli_json_number (json, "bytes", (double) it.bytes);
        mt_cli_json_number (json, "worst_error", it.worst_error);
        mt_json_writer_end_object (json);
      }
  mt_json_writer_end_array (json);
  add_figures (json);
  mt_json_writer_end_object (json);
  return common.json ? mt_cli_json_print (g_steal_pointer (&json)) : MT_EXIT_OK;
}
