/* What measurements on made-up rows share. See mt-cli-bench-rows.h. */
#include "config.h"
#include "mt-cli-bench-rows.h"

#include <time.h>

MtEncoded *
mt_cli_bench_make_rows (guint     n_columns,
                        guint     bits,
                        gsize     n_rows,
                        MtRandom *random)
{
  g_autofree MtGroup *groups = g_new0 (MtGroup, n_columns);
  g_autofree guint8 *codes = g_malloc (n_columns * n_rows);
  g_autofree double *numeric = g_new (double, n_columns * n_rows);

  for (guint g = 0; g < n_columns; g++)
    {
      groups[g] = (MtGroup) { MT_GROUP_THERMOMETER, g, g * bits, bits, FALSE };
      for (gsize r = 0; r < n_rows; r++)
        {
          guint8 code = (guint8) mt_random_below (random, bits + 1);

          codes[g * n_rows + r] = code;
          numeric[g * n_rows + r] = (code - bits / 2.0) / (bits / 3.5 + .5);
        }
    }
  return mt_encoded_new (groups, n_columns, codes, numeric, n_columns, n_rows);
}

MtRuleSet *
mt_cli_bench_make_rules (guint     n_literals,
                         guint     n_rules,
                         guint     fan_in,
                         guint     n_outputs,
                         MtRandom *random)
{
  g_autofree MtTerm *terms = g_new0 (MtTerm, n_rules);
  g_autofree double *weights = g_new (double, n_rules * n_outputs);
  g_autofree double *bias = g_new0 (double, n_outputs);
  guint n = 0;
  MtRuleSet *rules;

  while (n < n_rules)
    {
      guint64 on[4];
      guint inputs[MT_REFINE_MAX_INPUTS];
      g_auto (MtCover) cover = { NULL };
      MtRule *rule;

      inputs[0] = (guint) mt_random_below (random, n_literals - fan_in + 1);
      for (guint i = 1; i < fan_in; i++)
        inputs[i] = inputs[i - 1] + 1 + (guint) mt_random_below (random, n_literals - fan_in + i - inputs[i - 1]);
      for (guint w = 0; w < G_N_ELEMENTS (on); w++)
        on[w] = mt_random_next (random) & mt_random_next (random) & mt_truth_table_last_mask (fan_in);
      mt_qmc_minimize (fan_in, on, NULL, NULL, &cover);
      rule = mt_rule_new (inputs, fan_in, cover.cubes, cover.n_cubes, NULL, cover.proven, NULL);
      if (rule == NULL)
        continue;      /* an input that the cover does not use, or a constant */
      for (guint c = 0; c < n_outputs; c++)
        weights[n * n_outputs + c] = mt_random_normal (random);
      terms[n] = (MtTerm) { FALSE, 0, rule, weights + n * n_outputs };
      n++;
    }
  rules = mt_rule_set_new (n_outputs > 1 ? MT_TASK_MULTICLASS : MT_TASK_BINARY, n_outputs, bias, terms, n, NULL);
  for (guint t = 0; t < n; t++)
    mt_rule_unref (terms[t].rule);
  return rules;
}

double
mt_cli_bench_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}
