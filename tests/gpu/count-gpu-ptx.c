/* What nvcc's code of each kernel does: thread instructions, those in double, and bytes asked of the device's memory, before
 * any cache. For one step of training of the net in docs/gpu.md, and for exact sums of some sizes. tools/gpu-figures.py reads
 * the lines: what, kernel, threads, instructions, doubles, bytes read, bytes written. */
#include "config.h"

#include <stdio.h>

#include "gpu-steps.h"
#include "network/mt-sums.h"

enum { N_ROWS = 2048, N_WORDS = N_ROWS / 64, N_PLANES = 64, N_RULES = 16, N_INPUTS = 4 };

static void
forget (void)
{
  MtHostKernelCosts costs;

  for (guint i = 0; mt_host_get_kernel (i) != NULL; i++)
    mt_host_take_costs (mt_host_get_kernel (i), &costs);
}

static void
tell (const char *what)
{
  MtHostKernelCosts costs;

  for (guint i = 0; mt_host_get_kernel (i) != NULL; i++)
    if (mt_host_take_costs (mt_host_get_kernel (i), &costs) && costs.n_threads > 0)
      printf ("%s %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %"
              G_GUINT64_FORMAT "\n", what, mt_host_get_kernel (i), costs.n_threads, costs.n_instructions, costs.n_fp64,
              costs.n_read, costs.n_written);
}

static void
count_step (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autofree float *gradient = NULL;
  double loss;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 22, 9, 50, 6, 1, N_ROWS);
  gpu_use_host (0, 128);
  forget ();
  gradient = gpu_run_step (&it, NULL, 1, .01f, &loss, NULL);
  tell ("step");
}

static void
count_sums (void)
{
  guint32 planes[N_PLANES];
  guint8 y[N_ROWS];
  gint64 weights[N_PLANES], residuals[N_PLANES];
  g_autofree gint64 *gram = g_new (gint64, N_PLANES * N_PLANES);
  gint64 gains[N_RULES << N_INPUTS];
  MtGpuRule rules[N_RULES] = { 0 };
  const MtGpuSumsData data = { N_PLANES, N_ROWS, y, { 1, 1 } };
  g_autoptr (MtSums) sums = NULL;

  gpu_use_host (0, 128);
  mt_gpu_host_session_blocks = 16;
  for (guint r = 0; r < N_ROWS; r++)
    y[r] = r % 3 == 0;
  sums = mt_sums_new ("cuda", &data, 0, NULL);
  g_assert_nonnull (sums);
  for (guint p = 0; p < N_PLANES; p++)
    {
      guint64 words[N_WORDS];

      planes[p] = p;
      weights[p] = ((gint64) p - 32) * (G_GINT64_CONSTANT (1) << 36);
      for (guint w = 0; w < N_WORDS; w++)
        words[w] = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * (p * N_WORDS + w + 1);
      g_assert_true (mt_sums_put (sums, p, words, NULL));
    }
  for (guint i = 0; i < N_RULES; i++)
    {
      rules[i] = (MtGpuRule) { N_INPUTS, { i, i + 1, i + 2, i + 3 }, { 0x8000 }, .5, { .6487, -.3935 }, i << N_INPUTS };
    }
  for (guint n = 1; n <= N_PLANES; n += N_PLANES - 1)
    {
      MtGpuScores scores = { n, planes, weights, 0, NULL, 0, 0, residuals };

      forget ();
      g_assert_true (mt_sums_score (sums, &scores, NULL));
      tell (n == 1 ? "score-1" : "score-64");
    }
  g_assert_true (mt_sums_gram (sums, &(MtGpuGram) { MT_GPU_BY_CURVATURE, N_PLANES, N_PLANES, 1, planes, planes, NULL, TRUE,
                                                    gram }, NULL));
  tell ("gram-64");
  g_assert_true (mt_sums_gains (sums, rules, N_RULES, N_RULES << N_INPUTS, gains, NULL));
  tell ("gains-16");
}

int
main (void)
{
  count_step ();
  count_sums ();
  return mt_host_get_fault () != NULL;
}
