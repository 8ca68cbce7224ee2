/* nvcc's own code of every kernel, on the CPU (tests/gpu/ptx): each launch of many trainings is run by it and by g++'s
 * code of the same source, from the same memory, and the results are compared. The checked build looks at every access, too.
 *
 * With MINTERM_PTX_KERNELS, a library of kernels in place of those of the same name, it only tells what the first fault is:
 * that is how check-ptx-faults.py sees whether a planted one is found. */
#include "config.h"

#include <dlfcn.h>
#include <stdio.h>

#include "many-nets.h"
#include "network/mt-sums.h"
#include "base/mt-error.h"

static void
ignore_progress (const MtTrainProgress *progress,
                 gpointer               user_data)
{
}

/* Small nets of all kinds, with the metric after every epoch; FALSE after a fault. */
static gboolean
train (MtTask   task,
       uint64_t seed,
       gsize    n_rows)
{
  g_auto (MtMany) many = { 0 };

  mt_many_init (&many, task, n_rows);
  mt_many_use_host (seed);
  mt_host_compare_kernels (TRUE);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.options[i].max_epochs = 2;
      many.jobs[i].progress = ignore_progress;
    }
  mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
  mt_host_compare_kernels (FALSE);
  for (guint i = 0; i < MT_MANY_NETS && mt_host_get_fault () == NULL; i++)
    g_assert_no_error (many.jobs[i].error);
  return mt_host_get_fault () == NULL;
}

/* What refining asks for, with both compilers' kernels; FALSE after a fault. */
static gboolean
sum_up (uint64_t seed)
{
  enum { N_ROWS = 300, N_WORDS = 5, N_PLANES = 9 };
  static const guint32 planes[N_PLANES] = { 8, 1, 2, 7, 4, 5, 6, 3, 0 };
  guint8 y[N_ROWS];
  guint64 words[N_WORDS];
  gint64 sums[N_PLANES * N_PLANES * 2], residuals[N_PLANES], weights[N_PLANES];
  MtGpuSumsData data = { N_PLANES, N_ROWS, y, { .7, 1 } };
  MtGpuScores scores = { N_PLANES, planes, weights, 1 << 30, NULL, 0, 0, residuals };
  MtGpuRule rules[] = { { 3, { 1, 2, 3 }, { 0x5a }, 1.5, { 3.48, -.78 }, 0 }, { 5, { 0, 4, 5, 6, 7 }, { 0x1234567 }, -.3, { -.26, .35 }, 8 } };
  g_autoptr (MtSums) it = NULL;
  gboolean ok;

  mt_many_use_host (seed);
  mt_gpu_host_session_blocks = 3;
  mt_host_compare_kernels (TRUE);
  it = mt_sums_new ("cuda", &data, 0, NULL);
  ok = it != NULL;
  for (guint r = 0; r < N_ROWS; r++)
    y[r] = r % 7 < 3;
  for (guint p = 0; p < N_PLANES && ok; p++)
    {
      for (guint w = 0; w < N_WORDS; w++)
        words[w] = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * (p * N_WORDS + w + 1) >> (w == N_WORDS - 1 ? 20 : 0);
      weights[p] = ((gint64) p - 4) << 37;
      ok = mt_sums_put (it, p, words, NULL);
    }
  ok = ok && mt_sums_score (it, &scores, NULL) &&
       mt_sums_gram (it, &(MtGpuGram) { MT_GPU_BY_RESIDUAL, N_PLANES, N_PLANES, 2, planes, planes, planes + 3, FALSE, sums },
                     NULL) &&
       mt_sums_gram (it, &(MtGpuGram) { MT_GPU_BY_CURVATURE, N_PLANES, N_PLANES, 1, planes, planes, NULL, TRUE, sums },
                     NULL) &&
       mt_sums_gains (it, rules, G_N_ELEMENTS (rules), 8 + 32, sums, NULL);
  mt_host_compare_kernels (FALSE);
  mt_gpu_host_session_blocks = 1;
  g_assert_true (ok || mt_host_get_fault () != NULL);
  return ok && mt_host_get_fault () == NULL;
}

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

static void
test_every_kernel (void)
{
  MtHostKernelCosts costs;

  for (guint i = 0; mt_host_get_kernel (i) != NULL; i++)
    mt_host_take_costs (mt_host_get_kernel (i), &costs);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    for (uint64_t seed = 0; seed < 2; seed++)
      if (!train (tasks[i], seed * (7 + i), 150 + 40 * i))
        g_error ("%s", mt_host_get_fault ());
  for (uint64_t seed = 0; seed < 3; seed++)
    if (!sum_up (seed))
      g_error ("%s", mt_host_get_fault ());
  for (guint i = 0; mt_host_get_kernel (i) != NULL; i++)
    {
      const char *name = mt_host_get_kernel (i);

      g_assert_true (mt_host_take_costs (name, &costs));
      g_test_message ("%s: %" G_GUINT64_FORMAT " threads, %" G_GUINT64_FORMAT " instructions", name, costs.n_threads,
                      costs.n_instructions);
      g_assert_cmpuint (costs.n_instructions, >, 0);
    }
}

/* The first fault of a short training, or "none". */
static int
tell_fault (const char *path)
{
  if (dlopen (path, RTLD_NOW) == NULL)
    g_error ("%s", dlerror ());
  /* Sums take no time, and the kernels of training have no fault there. */
  for (guint i = 0; sum_up (5) && i < G_N_ELEMENTS (tasks); i++)
    if (!train (tasks[i], 5 + i, 150))
      break;
  printf ("%s\n", mt_host_get_fault () != NULL ? mt_host_get_fault () : "none");
  return 0;
}

int
main (int argc, char **argv)
{
  if (g_getenv ("MINTERM_PTX_KERNELS") != NULL)
    return tell_fault (g_getenv ("MINTERM_PTX_KERNELS"));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-ptx/every-kernel", test_every_kernel);
  return g_test_run ();
}
