/* minterm-cli bench predict: rules over rows on bit planes, one core, held to a plain evaluator. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>

#include "mt-cli-bench-rows.h"
#include "mt-cli-learn.h"
#include "mt-cli-model.h"

/* Rows that the plain evaluator goes through. */
#define CHECKED_ROWS 5000

/* A rule of one row, from its conjunctions and the row's codes: no plane is looked at. */
static gboolean
is_true (const MtRule    *rule,
         const MtEncoded *encoded,
         gsize            row)
{
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  guint32 v = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      guint literal = mt_rule_get_inputs (rule)[i], g = mt_encoded_get_group_of (encoded, literal);

      v |= (guint32) mt_group_literal_is_true (&groups[g], literal - groups[g].first_literal,
                                               mt_encoded_get_codes (encoded, g)[row]) << i;
    }
  for (guint c = 0; c < mt_rule_get_n_cubes (rule); c++)
    if ((v & mt_rule_get_cubes (rule)[c].mask) == mt_rule_get_cubes (rule)[c].value)
      return TRUE;
  return FALSE;
}

/* Scores that differ at all: both add in the order of the terms. */
static gsize
count_differing (const MtRuleSet *rules,
                 const MtEncoded *encoded,
                 const double    *scores)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded), n = 0;

  for (gsize r = 0; r < MIN (n_rows, CHECKED_ROWS); r++)
    for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
      {
        double score = mt_rule_set_get_bias (rules)[c];

        for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
          if (is_true (mt_rule_set_get_term (rules, t)->rule, encoded, r))
            score += mt_rule_set_get_term (rules, t)->weights[c];
        n += score != scores[c * n_rows + r];
      }
  return n;
}

int
mt_cli_bench_predict (int    argc,
                      char **argv)
{
  int rows = 200000, columns = 22, bits = 9, n_rules = 50, fan_in = 4, outputs = 1, repeats = 5;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT, &rows, "Rows [default: 200000]", "N" },
    { "columns", 0, 0, G_OPTION_ARG_INT, &columns, "Numeric columns [default: 22]", "N" },
    { "bits", 0, 0, G_OPTION_ARG_INT, &bits, "Thresholds per column [default: 9]", "N" },
    { "rules", 0, 0, G_OPTION_ARG_INT, &n_rules, "Rules [default: 50]", "N" },
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Conditions per rule [default: 4]", "N" },
    { "outputs", 0, 0, G_OPTION_ARG_INT, &outputs, "1 for two classes, otherwise the number of classes [default: 1]", "N" },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &repeats, "Runs; the fastest counts [default: 5]", "N" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autofree double *scores = NULL;
  double best = G_MAXDOUBLE, rate;
  guint n_literals = 0;
  MtRandom random;
  MtJsonWriter *json;
  gsize n_differ;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (!mt_cli_check_range ("--rows", rows, 1, 100000000) || !mt_cli_check_range ("--columns", columns, 1, 10000) ||
      !mt_cli_check_range ("--bits", bits, 1, 250) || !mt_cli_check_range ("--rules", n_rules, 1, 10000) ||
      !mt_cli_check_range ("--fan-in", fan_in, 2, MIN (MT_REFINE_MAX_INPUTS, columns * bits - 1)) ||
      !mt_cli_check_range ("--outputs", outputs, 1, 1000) || !mt_cli_check_range ("--repeat", repeats, 1, 1000))
    return MT_EXIT_USAGE;

  mt_random_init (&random, (guint64) common.seed);
  encoded = mt_cli_bench_make_rows ((guint) columns, (guint) bits, (gsize) rows, &random);
  rules = mt_cli_bench_make_rules (mt_encoded_get_n_literals (encoded), (guint) n_rules, (guint) fan_in, (guint) outputs, &random);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    n_literals += mt_rule_get_n_literals (mt_rule_set_get_term (rules, t)->rule);
  scores = g_new (double, (gsize) outputs * (gsize) rows);
  for (int i = 0; i < repeats; i++)
    {
      double start = mt_cli_bench_seconds ();

      mt_rule_set_score (rules, encoded, scores);
      best = MIN (best, mt_cli_bench_seconds () - start);
    }
  rate = (double) rows * n_rules / MAX (best, 1e-9);
  n_differ = count_differing (rules, encoded, scores);
  if (!common.json)
    g_print ("%d rows × %d rules of %d inputs, %u literals, %d outputs: %.3f ms, %.0f million rules·rows/s; "
             "%" G_GSIZE_FORMAT " of the first scores differ from the plain evaluator's\n", rows, n_rules, fan_in,
             n_literals, outputs, best * 1e3, rate / 1e6, n_differ);
  else
    {
      json = mt_json_writer_new ();
      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "rows", (guint64) rows);
      mt_cli_json_count (json, "rules", (guint64) n_rules);
      mt_cli_json_count (json, "literals", n_literals);
      mt_cli_json_count (json, "outputs", (guint64) outputs);
      mt_cli_json_number (json, "ms_min", best * 1e3);
      mt_cli_json_number (json, "rules_rows_per_second", rate);
      mt_cli_json_count (json, "checked_rows", (guint64) MIN (rows, CHECKED_ROWS));
      mt_cli_json_count (json, "scores_differ", n_differ);
      mt_json_writer_end_object (json);
      mt_cli_json_print (json);
    }
  return n_differ == 0 ? MT_EXIT_OK : MT_EXIT_FAILED;
}
