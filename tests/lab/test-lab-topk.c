/* Sinkhorn's and perturbed top-k: what they converge to, and their gradients against differences. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "lab/mt-lab-topk.h"

#define N 12

static void
fill (double  *values,
      gsize    n,
      guint64  seed)
{
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize i = 0; i < n; i++)
    values[i] = mt_random_normal (&random);
}

static void
test_limit (void)
{
  double scores[N], pi[N];
  float soft_scores[N];
  double soft[N];
  g_autofree double *tape = g_new (double, mt_lab_sinkhorn_tape_size (N, 4000));

  fill (scores, N, 3);
  for (guint i = 0; i < N; i++)
    soft_scores[i] = (float) scores[i];
  mt_lab_sinkhorn_forward (scores, N, 4, 2 * .3, 4000, tape, pi);
  mt_bench_topk_masses (soft_scores, N, 4, .3, soft);
  for (guint i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon (pi[i], soft[i], 1e-5);
}

static double
sinkhorn_loss (const double *scores,
               const double *up,
               guint         n_turns)
{
  g_autofree double *tape = g_new (double, mt_lab_sinkhorn_tape_size (N, n_turns));
  double pi[N], loss = 0;

  mt_lab_sinkhorn_forward (scores, N, 5, .4, n_turns, tape, pi);
  for (guint i = 0; i < N; i++)
    loss += up[i] * pi[i];
  return loss;
}

/* Also after one turn and three, where nothing has converged. */
static void
test_sinkhorn_gradient (void)
{
  const guint turns[] = { 1, 3, 60 };
  double scores[N], up[N];

  fill (scores, N, 5);
  fill (up, N, 6);
  for (guint t = 0; t < G_N_ELEMENTS (turns); t++)
    {
      g_autofree double *tape = g_new (double, mt_lab_sinkhorn_tape_size (N, turns[t]));
      double pi[N], grad[N], scratch[N];

      mt_lab_sinkhorn_forward (scores, N, 5, .4, turns[t], tape, pi);
      mt_lab_sinkhorn_backward (scores, N, 5, .4, turns[t], tape, up, grad, scratch);
      for (guint i = 0; i < N; i++)
        {
          double moved[N], above, below;

          memcpy (moved, scores, sizeof moved);
          moved[i] = scores[i] + 1e-5;
          above = sinkhorn_loss (moved, up, turns[t]);
          moved[i] = scores[i] - 1e-5;
          below = sinkhorn_loss (moved, up, turns[t]);
          g_assert_cmpfloat_with_epsilon (grad[i], (above - below) / 2e-5, 1e-6);
        }
    }
}

/* Of two scores one is chosen: π of the first is Φ ((s0 - s1) / (σ √2)), and its gradient is known. */
static void
test_perturbed (void)
{
  enum { SAMPLES = 200000 };
  const double scores[2] = { .4, .1 }, up[2] = { 1, 0 }, sigma = .5;
  const double x = (scores[0] - scores[1]) / (sigma * G_SQRT2);
  g_autofree float *noise = g_new (float, 2 * SAMPLES);
  g_autofree guint32 *chosen = g_new (guint32, SAMPLES);
  double pi[2], grad[2], scratch[2], expected;
  MtRandom random;

  mt_random_init (&random, 11);
  mt_lab_perturbed_forward (scores, 2, 1, sigma, SAMPLES, &random, noise, chosen, pi, scratch);
  mt_lab_perturbed_backward (2, 1, sigma, SAMPLES, noise, chosen, up, grad);
  expected = exp (-x * x / 2) / sqrt (2 * G_PI) / (sigma * G_SQRT2);
  g_assert_cmpfloat_with_epsilon (pi[0], .5 * erfc (-x / G_SQRT2), .005);
  g_assert_cmpfloat_with_epsilon (pi[0] + pi[1], 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (grad[0], expected, .02);
  g_assert_cmpfloat_with_epsilon (grad[1], -expected, .02);
}

/* Exactly k are chosen, the largest ones when there is next to no noise. */
static void
test_perturbed_choice (void)
{
  const double scores[6] = { .1, .9, -.5, .7, .3, .8 };
  double pi[6], scratch[6];
  float noise[4 * 6];
  guint32 chosen[4 * 3];
  MtRandom random;

  mt_random_init (&random, 1);
  mt_lab_perturbed_forward (scores, 6, 3, 1e-9, 4, &random, noise, chosen, pi, scratch);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (pi[i], ==, i == 1 || i == 3 || i == 5 ? 1 : 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-topk/sinkhorn-converges-to-soft", test_limit);
  g_test_add_func ("/lab-topk/sinkhorn-gradient", test_sinkhorn_gradient);
  g_test_add_func ("/lab-topk/perturbed", test_perturbed);
  g_test_add_func ("/lab-topk/perturbed-choice", test_perturbed_choice);
  return g_test_run ();
}
