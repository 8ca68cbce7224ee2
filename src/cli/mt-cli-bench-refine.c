/* minterm-cli bench refine: one path from all candidates to the bare bias, on made-up rows. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>

#include "mt-cli-bench-rows.h"
#include "mt-cli-learn.h"
#include "mt-cli-model.h"

/* Three interactions, two numbers and noise; classes are thirds and so on of that. */
static double *
make_target (const MtEncoded *encoded,
             guint            bits,
             guint            n_outputs,
             MtRandom        *random)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  guint n_groups = mt_encoded_get_n_groups (encoded);
  double *target = g_new (double, n_rows);

  for (gsize r = 0; r < n_rows; r++)
    {
#define IS_HIGH(g) (mt_encoded_get_codes (encoded, (g) % n_groups)[r] > bits / 2)
      double score = 1.5 * (IS_HIGH (0) && !IS_HIGH (1)) - 1.2 * (IS_HIGH (2) && IS_HIGH (3) && IS_HIGH (4)) +
                     1.0 * (IS_HIGH (5) != IS_HIGH (6)) +
                     .4 * mt_encoded_get_numeric (encoded, 7 % n_groups)[r] -
                     .3 * mt_encoded_get_numeric (encoded, 8 % n_groups)[r] + .7 * mt_random_normal (random);
#undef IS_HIGH

      target[r] = n_outputs == 1 ? score > .6 : CLAMP (floor ((score + 1) / 3 * n_outputs), 0, n_outputs - 1);
    }
  return target;
}

/* Hex of all models to the last bit, so that two runs can be compared. */
static char *
dup_digest (GPtrArray *visited)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < visited->len; i++)
    {
      const MtPathModel *it = visited->pdata[i];
      gsize n_bytes = mt_rule_set_get_n_outputs (it->rules) * sizeof (double);

      g_checksum_update (sum, (const guchar *) &it->complexity, sizeof it->complexity);
      g_checksum_update (sum, (const guchar *) &it->loss, sizeof it->loss);
      g_checksum_update (sum, (const guchar *) mt_rule_set_get_bias (it->rules), n_bytes);
      for (guint t = 0; t < mt_rule_set_get_n_terms (it->rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (it->rules, t);
          guint n_inputs = term->is_numeric ? 0 : mt_rule_get_n_inputs (term->rule);

          g_checksum_update (sum, (const guchar *) term->weights, n_bytes);
          if (term->is_numeric)
            g_checksum_update (sum, (const guchar *) &term->numeric, sizeof term->numeric);
          else
            {
              g_checksum_update (sum, (const guchar *) mt_rule_get_inputs (term->rule), n_inputs * sizeof (guint));
              g_checksum_update (sum, (const guchar *) mt_rule_get_table (term->rule),
                                 ((1u << n_inputs) + 63) / 64 * sizeof (guint64));
            }
        }
    }
  return g_strdup (g_checksum_get_string (sum));
}

/* What a device would have to do of it, for tools/gpu-figures.py. */
static void
write_work (MtJsonWriter *json)
{
  MtRefineSumsWork work;

  mt_refine_sums_get_work (&work);
  mt_cli_json_count (json, "puts", work.n_puts);
  mt_cli_json_count (json, "scores", work.n_scores);
  mt_cli_json_count (json, "scored_planes", work.n_scored);
  mt_cli_json_count (json, "reads", work.n_reads);
  mt_cli_json_count (json, "grams", work.n_grams);
  mt_cli_json_count (json, "gram_tiles", work.n_tiles);
  mt_cli_json_count (json, "gains", work.n_gains);
  mt_cli_json_count (json, "gain_rules", work.n_rules);
  mt_cli_json_count (json, "gain_inputs", work.n_inputs);
  mt_cli_json_count (json, "lost", work.n_lost);
  mt_cli_json_number (json, "seconds_in_sums", work.seconds);
}

int
mt_cli_bench_refine (int    argc,
                     char **argv)
{
  int rows = 10000, columns = 20, bits = 9, fan_in = 5, outputs = 1;
  g_autofree char *sums = NULL;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT, &rows, "Rows [default: 10000]", "N" },
    { "columns", 0, 0, G_OPTION_ARG_INT, &columns, "Numeric columns [default: 20]", "N" },
    { "bits", 0, 0, G_OPTION_ARG_INT, &bits, "Thresholds per column [default: 9]", "N" },
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Maximum conditions per rule [default: 5]", "N" },
    { "outputs", 0, 0, G_OPTION_ARG_INT, &outputs, "1 for two classes, otherwise the number of classes [default: 1]", "N" },
    { "sums", 0, 0, G_OPTION_ARG_STRING, &sums, "Exact sums over rows for two classes, on cpu or cuda [default: sums of doubles]", "DEVICE" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (GPtrArray) visited = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *target = NULL;
  g_autofree char *digest = NULL;
  const MtPathModel *first;
  MtRefineOptions options;
  double start, seconds, at_30 = -INFINITY;
  MtRandom random;
  MtJsonWriter *json;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (!mt_cli_check_range ("--rows", rows, 100, 10000000) || !mt_cli_check_range ("--columns", columns, 2, 10000) ||
      !mt_cli_check_range ("--bits", bits, 1, 250) ||
      !mt_cli_check_range ("--fan-in", fan_in, 1, MT_REFINE_MAX_INPUTS) ||
      !mt_cli_check_range ("--outputs", outputs, 1, 100) || outputs == 2)
    return outputs == 2 ? mt_cli_fail (MT_EXIT_USAGE, "--outputs must be 1 (two classes) or at least 3") : MT_EXIT_USAGE;
  if (sums != NULL && !g_str_equal (sums, "cpu") && !g_str_equal (sums, "cuda"))
    return mt_cli_fail (MT_EXIT_USAGE, "--sums must be cpu or cuda");

  mt_random_init (&random, (guint64) common.seed);
  encoded = mt_cli_bench_make_rows ((guint) columns, (guint) bits, (gsize) rows, &random);
  target = make_target (encoded, (guint) bits, (guint) outputs, &random);
  mt_refine_options_init (&options);
  options.fan_in = (guint) fan_in;
  options.sums_device = sums;
  start = mt_cli_bench_seconds ();
  visited = mt_refine_run (encoded, target, outputs == 1 ? MT_TASK_BINARY : MT_TASK_MULTICLASS, (guint) outputs, &options,
                           NULL, NULL, NULL, &error);
  seconds = mt_cli_bench_seconds () - start;
  if (visited == NULL)
    return mt_cli_fail_error (error);
  first = visited->pdata[0];
  for (guint i = 0; i < visited->len; i++)
    {
      const MtPathModel *it = visited->pdata[i];

      if (it->complexity <= 30)
        at_30 = MAX (at_30, mt_rule_set_metric (it->rules, encoded, target));
    }
  if (!common.json)
    g_print ("%d rows, %d columns × %d bits, %d outputs: %.3f s for %u models from %u literals down, %.3f ms per model; "
             "training AUC at 30 literals: %.4f\n", rows, columns, bits, outputs, seconds, visited->len,
             first->complexity, seconds / visited->len * 1e3, at_30);
  else
    {
      json = mt_json_writer_new ();
      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "rows", (guint64) rows);
      mt_cli_json_count (json, "candidates", mt_encoded_get_n_literals (encoded));
      mt_cli_json_count (json, "outputs", (guint64) outputs);
      mt_cli_json_count (json, "literals", first->complexity);
      mt_cli_json_count (json, "visited", visited->len);
      mt_cli_json_number (json, "seconds", seconds);
      mt_cli_json_number (json, "ms_per_model", seconds / visited->len * 1e3);
      mt_cli_json_number (json, "train_at_30", at_30);
      digest = dup_digest (visited);
      mt_cli_json_text (json, "models", digest);
      if (sums != NULL)
        write_work (json);
      mt_json_writer_end_object (json);
      mt_cli_json_print (json);
    }
  return MT_EXIT_OK;
}
