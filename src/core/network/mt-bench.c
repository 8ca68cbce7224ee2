/* Measurements of the learner's own kernels, for `minterm-cli bench` and docs/benchmarks.md. See mt-
 * bench.h. */
#include "config.h"
#include "mt-bench.h"

#include <gmodule.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mt-backend-private.h"
#include "base/mt-random.h"
#include "base/mt-sort.h"

/* Different shuffles of the rows, used in turn: with one only, caches and predictors would know the
 * order of the rows. */
#define N_ORDERS 16u

/* Milliseconds by the clock that is never set back. */
static double
now_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec * 1e-6;
}

/* Evenly spread codes, a number a column, and a class that two columns decide together.
 *
 * The class is ((code of the first column) + (code of the last column)) mod classes, both scaled to
 * classes: neither column alone says anything about it, so a step must find a pair. */
static MtEncoded *
make_rows (const MtBenchStep *what,
           float             *y)
{
  g_autofree MtGroup *groups = g_new0 (MtGroup, what->columns);
  g_autofree guint8 *codes = g_malloc ((gsize) what->columns * what->rows);
  g_autofree double *numeric = g_new (double, (gsize) what->columns * what->rows);
  guint n_classes = MAX (what->outputs, 2);
  MtRandom random;

  mt_random_init (&random, what->seed);
  for (guint g = 0; g < what->columns; g++)
    {
      groups[g] = (MtGroup) { MT_GROUP_THERMOMETER, g, g * what->bits, what->bits, FALSE };
      for (guint r = 0; r < what->rows; r++)
        {
          guint code = (guint) mt_random_below (&random, what->bits + 1);

          codes[(gsize) g * what->rows + r] = (guint8) code;
          numeric[(gsize) g * what->rows + r] = 2.0 * code / what->bits - 1.0;
        }
    }
  for (guint r = 0; r < what->rows; r++)
    {
      guint a = codes[r] * n_classes / (what->bits + 1);
      guint b = codes[(gsize) (what->columns - 1) * what->rows + r] * n_classes / (what->bits + 1);

      y[r] = (float) ((a + b) % n_classes);
    }
  return mt_encoded_new (groups, what->columns, codes, numeric, what->columns, what->rows);
}

/* One training step on rows that are made up, repeated for about half a second if the number of steps is not
 * given. The loss of the first and of the last step show that it really learns. The least time is what is quoted:
 * it is the one that other programs on the machine disturbed least. */
void
mt_bench_step (const MtBenchStep *what,
               MtBenchStepResult *result)
{
  g_autofree float *y = g_new (float, what->rows);
  g_autoptr (MtEncoded) encoded = make_rows (what, y);
  guint n_literals = mt_encoded_get_n_literals (encoded);
  MtNetShape shape = {
    what->outputs > 1 ? MT_TASK_MULTICLASS : MT_TASK_BINARY, n_literals, what->columns, what->outputs,
    what->nodes, what->fan_in, MT_NODE_STANDARD
  };
  g_autofree guint8 *in_head = g_malloc (n_literals);
  g_autoptr (MtNet) net = NULL;
  MtBackendJob job = {
    .encoded = encoded, .y = y, .n_train = what->rows, .topk = &mt_topk_soft, .batch = what->rows,
    .n_threads = what->threads,
    .weight_decay = 3e-4f, .clip = 1.0f, .divide_by_tau = TRUE,
  };
  g_autofree guint32 *orders = g_new (guint32, N_ORDERS * (gsize) what->rows);
  g_autofree double *times = NULL;
  guint n_steps = what->n_steps;
  gpointer context;
  MtRandom random;

  memset (in_head, 1, n_literals);
  net = mt_net_new (&shape, in_head, 0.01);
  mt_net_randomise (net, what->seed);
  job.net = net;
  /* Batches are shuffled beforehand: in a training one step follows the other at once. */
  for (gsize at = 0; at < N_ORDERS * (gsize) what->rows; at++)
    orders[at] = (guint32) (at % what->rows);
  job.train_rows = orders;
  context = mt_backend_cpu.open (&job, NULL);
  mt_random_init (&random, what->seed);
  for (guint i = 0; i < N_ORDERS; i++)
    mt_random_shuffle (&random, orders + (gsize) i * what->rows, what->rows);

  result->loss_first = mt_backend_cpu_step (context, orders, what->rows, 0.01) / what->rows;
  if (n_steps == 0)
    {
      double start = now_ms ();

      for (guint i = 0; i < 10; i++)
        mt_backend_cpu_step (context, orders, what->rows, 0.01);
      n_steps = (guint) CLAMP (500.0 / MAX ((now_ms () - start) / 10.0, 1e-3), 20.0, 5000.0);
    }
  times = g_new (double, n_steps);
  for (guint i = 0; i < n_steps; i++)
    {
      const guint32 *order = orders + (gsize) (i % N_ORDERS) * what->rows;
      double start = now_ms ();

      result->loss_last = mt_backend_cpu_step (context, order, what->rows, 0.01) / what->rows;
      times[i] = now_ms () - start;
    }
  mt_backend_cpu.close (context);

  mt_sort_doubles (times, n_steps);
  result->literals = n_literals;
  result->n_steps = n_steps;
  result->threads = what->threads > 0 ? what->threads : g_get_num_processors ();
  result->ms_min = times[0];
  result->ms_median = times[n_steps / 2];
}

/* The program does not use OpenBLAS, so it is not linked: it is loaded only to be measured. */
typedef void (*SetThreads) (int);
typedef char *(*GetCore) (void);
typedef void (*Product) (int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };   /* of CBLAS */

/* The matrix product that a plain implementation of the backward pass would need, literals × rows times rows ×
 * width, in single precision on one thread. NULL in *core and infinity when the library is not on this machine. */
double
mt_bench_blas_product (guint   rows,
                       guint   literals,
                       guint   width,
                       char  **core)
{
  GModule *library = g_module_open ("libopenblas.so.0", G_MODULE_BIND_LOCAL);
  union { gpointer symbol; SetThreads call; } set_threads;
  union { gpointer symbol; GetCore call; } get_core;
  union { gpointer symbol; Product call; } product;
  float *x = mt_aligned_new0 ((gsize) rows * literals * sizeof (float));
  float *g = mt_aligned_new0 ((gsize) rows * width * sizeof (float));
  float *out = mt_aligned_new0 ((gsize) literals * width * sizeof (float));
  double best = INFINITY;
  MtRandom random;

  *core = NULL;
  if (library == NULL || !g_module_symbol (library, "openblas_set_num_threads", &set_threads.symbol) ||
      !g_module_symbol (library, "openblas_get_corename", &get_core.symbol) ||
      !g_module_symbol (library, "cblas_sgemm", &product.symbol))
    goto done;
  mt_random_init (&random, 1);
  for (gsize i = 0; i < (gsize) rows * literals; i++)
    x[i] = (float) mt_random_below (&random, 2);
  for (gsize i = 0; i < (gsize) rows * width; i++)
    g[i] = (float) mt_random_normal (&random);
  set_threads.call (1);
  for (guint i = 0; i < 200; i++)
    {
      double start = now_ms ();

      product.call (ROW_MAJOR, TRANSPOSED, AS_IT_IS, (int) literals, (int) width, (int) rows, 1.0f,
                    x, (int) literals, g, (int) width, 0.0f, out, (int) width);
      best = MIN (best, now_ms () - start);
    }
  *core = g_strdup (get_core.call ());

done:
  g_clear_pointer (&library, g_module_close);
  mt_aligned_free (x);
  mt_aligned_free (g);
  mt_aligned_free (out);
  return best;
}

/* The soft choice cold (no old roots) and warm (scores as one step of training moves them), and its gradient, over
 * all blocks of the given sizes; the best of five rounds each.
 *
 * The scores are spread like those of a fresh network (deviation 0.1), and are moved by 0.01 for
 * the warm round, as one step does. worst_error is how far Σ π is from k, over all nodes. */
void
mt_bench_topk (MtBenchTopk *it,
               guint64      seed)
{
  guint n_blocks = (it->nodes + MT_LANES - 1) / MT_LANES;
  gsize block = (gsize) it->n * MT_LANES, size = n_blocks * block;
  float *scores = mt_aligned_new0 (size * sizeof (float)), *moved = mt_aligned_new0 (size * sizeof (float));
  float *pi = mt_aligned_new0 (size * sizeof (float)), *up = mt_aligned_new0 (size * sizeof (float));
  float *down = mt_aligned_new0 (size * sizeof (float));
  g_autofree double *state = g_new (double, n_blocks * MT_LANES);
  g_autofree double *roots = g_new (double, n_blocks * MT_LANES);
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize i = 0; i < size; i++)
    {
      scores[i] = (float) (0.1 * mt_random_normal (&random));
      /* One step of AdamW at its usual rate moves a score by up to 0.01. */
      moved[i] = scores[i] + 0.01f * (float) mt_random_normal (&random);
      up[i] = (float) mt_random_normal (&random);
    }
  it->forward_cold_ms = it->forward_warm_ms = it->backward_ms = INFINITY;
  it->passes_cold = it->passes_warm = 0;
  for (guint round = 0; round < 5; round++)
    {
      double start = now_ms ();

      for (guint l = 0; l < n_blocks * MT_LANES; l++)
        roots[l] = NAN;
      for (guint b = 0; b < n_blocks; b++)
        {
          guint passes = mt_topk_soft.forward (scores + b * block, it->n, it->k, it->tau,
                                               roots + b * MT_LANES,
                                               pi + b * block);

          it->passes_cold = MAX (it->passes_cold, passes);
        }
      it->forward_cold_ms = MIN (it->forward_cold_ms, now_ms () - start);
      memcpy (state, roots, n_blocks * MT_LANES * sizeof (double));
      start = now_ms ();
      for (guint b = 0; b < n_blocks; b++)
        {
          guint passes = mt_topk_soft.forward (moved + b * block, it->n, it->k, it->tau, state + b * MT_LANES,
                                               pi + b * block);

          it->passes_warm = MAX (it->passes_warm, passes);
        }
      it->forward_warm_ms = MIN (it->forward_warm_ms, now_ms () - start);
      start = now_ms ();
      for (guint b = 0; b < n_blocks; b++)
        mt_topk_soft.backward (pi + b * block, it->n, it->tau, up + b * block, down + b * block, NULL);
      it->backward_ms = MIN (it->backward_ms, now_ms () - start);
    }
  it->worst_error = 0.0;
  for (guint b = 0; b < n_blocks; b++)
    for (guint l = 0; l < MT_LANES; l++)
      {
        double sum = 0.0;

        for (gsize i = 0; i < it->n; i++)
          sum += (double) pi[b * block + i * MT_LANES + l];
        it->worst_error = MAX (it->worst_error, fabs (sum - it->k) / it->k);
      }
  it->bytes = 3 * size * sizeof (float) + n_blocks * MT_LANES * sizeof (double);
  mt_aligned_free (scores);
  mt_aligned_free (moved);
  mt_aligned_free (pi);
  mt_aligned_free (up);
  mt_aligned_free (down);
}

/* Fills all 16 lanes of a block with the same scores, because the operator works on blocks, and
 * reads lane 0. */
void
mt_bench_topk_masses (const float *scores,
                      guint        n,
                      guint        k,
                      double       tau,
                      double      *pi)
{
  float *block = mt_aligned_new0 (n * MT_LANES * sizeof (float)),
        *out = mt_aligned_new0 (n * MT_LANES * sizeof (float));
  double state[MT_LANES];

  for (guint l = 0; l < MT_LANES; l++)
    {
      state[l] = NAN;
      for (guint i = 0; i < n; i++)
        block[i * MT_LANES + l] = scores[i];
    }
  mt_topk_soft.forward (block, n, k, tau, state, out);
  for (guint i = 0; i < n; i++)
    pi[i] = out[i * MT_LANES];
  mt_aligned_free (block);
  mt_aligned_free (out);
}
