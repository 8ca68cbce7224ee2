#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "network/mt-kernels-private.h"
#include "base/mt-random.h"
#include "network/mt-topk.h"

typedef struct {
  gsize   n;
  float  *scores, *pi, *up, *down;
  double  state[MT_LANES];
} Block;

static void
block_init (Block  *b,
            gsize   n,
            guint64 seed,
            double  spread)
{
  MtRandom random;

  mt_random_init (&random, seed);
  b->n = n;
  b->scores = mt_aligned_new0 (n * MT_LANES * sizeof (float));
  b->pi = mt_aligned_new0 (n * MT_LANES * sizeof (float));
  b->up = mt_aligned_new0 (n * MT_LANES * sizeof (float));
  b->down = mt_aligned_new0 (n * MT_LANES * sizeof (float));
  for (gsize i = 0; i < n * MT_LANES; i++)
    {
      b->scores[i] = (float) (spread * mt_random_normal (&random));
      b->up[i] = (float) mt_random_normal (&random);
    }
  for (guint l = 0; l < MT_LANES; l++)
    b->state[l] = NAN;
}

static void
block_clear (Block *b)
{
  mt_aligned_free (b->scores);
  mt_aligned_free (b->pi);
  mt_aligned_free (b->up);
  mt_aligned_free (b->down);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Block, block_clear)

/* The largest |Σπ - k| / k over the lanes. */
static double
worst_error (const Block *b,
             double       k)
{
  double worst = 0.0;

  for (guint l = 0; l < MT_LANES; l++)
    {
      double sum = 0.0;

      for (gsize i = 0; i < b->n; i++)
        sum += (double) b->pi[i * MT_LANES + l];
      worst = MAX (worst, fabs (sum - k) / k);
    }
  return worst;
}

static void
test_sums_to_k (void)
{
  const gsize sizes[] = { 2, 5, 17, 50, 198, 1000, 10000, 100000 };
  const double taus[] = { 1e-4, 1e-3, 0.01, 0.05, 1.0, 10.0 };
  const guint ks[] = { 1, 3, 6, 16 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint t = 0; t < G_N_ELEMENTS (taus); t++)
      for (guint j = 0; j < G_N_ELEMENTS (ks); j++)
        {
          g_auto (Block) b = { 0 };
          guint passes;

          if (ks[j] >= sizes[s] || (sizes[s] >= 100000 && j % 2 == 1))
            continue;
          block_init (&b, sizes[s], s * 100 + t, t % 2 == 0 ? 0.1 : 3.0);
          passes = mt_topk_soft.forward (b.scores, b.n, ks[j], taus[t], b.state, b.pi);
          if (worst_error (&b, ks[j]) > 1e-6)
            g_error ("n %zu tau %g k %u: %g after %u passes", b.n, taus[t], ks[j], worst_error (&b, ks[j]),
                     passes);
          g_assert_cmpuint (passes, <=, 16);

          /* From the last root after a small move, as in training: a few passes. */
          for (gsize i = 0; i < b.n * MT_LANES; i++)
            b.scores[i] += 0.3f * (float) taus[t] * b.up[i];
          passes = mt_topk_soft.forward (b.scores, b.n, ks[j], taus[t], b.state, b.pi);
          g_assert_cmpfloat (worst_error (&b, ks[j]), <=, 1e-6);
          g_assert_cmpuint (passes, <=, 8);
        }
}

static void
test_large_jump (void)
{
  g_auto (Block) b = { 0 };

  /* A remembered root that is far off must not mislead. */
  block_init (&b, 300, 1, 0.1);
  for (guint l = 0; l < MT_LANES; l++)
    b.state[l] = l % 2 == 0 ? 1e6 : -1e6;
  mt_topk_soft.forward (b.scores, b.n, 6, 0.001, b.state, b.pi);
  g_assert_cmpfloat (worst_error (&b, 6), <=, 1e-6);
  /* All inputs chosen, and equal scores. */
  mt_topk_soft.forward (b.scores, b.n, 300, 0.001, b.state, b.pi);
  g_assert_cmpfloat (b.pi[0], ==, 1.0f);
  for (gsize i = 0; i < b.n * MT_LANES; i++)
    b.scores[i] = 0.25f;
  mt_topk_soft.forward (b.scores, b.n, 6, 0.001, b.state, b.pi);
  for (gsize i = 0; i < b.n * MT_LANES; i++)
    g_assert_cmpfloat (fabsf (b.pi[i] - 0.02f), <, 1e-7f);
}

/* In double, by halving: the definition. */
static void
soft_by_definition (const double *s,
                    gsize         n,
                    double        k,
                    double        tau,
                    double       *pi)
{
  double low = -1e3, high = 1e3;

  for (guint pass = 0; pass < 200; pass++)
    {
      double lambda = 0.5 * (low + high), sum = 0.0;

      for (gsize i = 0; i < n; i++)
        sum += pi[i] = 1.0 / (1.0 + exp (-(s[i] - lambda) / tau));
      if (sum > k)
        low = lambda;
      else
        high = lambda;
    }
}

static void
test_gradient (void)
{
  enum { N = 23 };
  const double k = 4.0, taus[] = { 0.05, 0.3 };

  for (guint t = 0; t < G_N_ELEMENTS (taus); t++)
    {
      g_auto (Block) b = { 0 };
      double tau = taus[t], grad_k[MT_LANES], worst = 0.0, largest = 0.0, fault = 0.0;

      block_init (&b, N, 5, 0.2);
      mt_topk_soft.forward (b.scores, N, k, tau, b.state, b.pi);
      mt_topk_soft.backward (b.pi, N, tau, b.up, b.down, grad_k);
      for (guint l = 0; l < MT_LANES; l++)
        {
          double s[N], up[N], plus[N], minus[N], difference = 0.0, h = 1e-5;

          for (guint i = 0; i < N; i++)
            {
              s[i] = b.scores[i * MT_LANES + l];
              up[i] = b.up[i * MT_LANES + l];
            }
          for (guint j = 0; j < N; j++)
            {
              double keep = s[j], central = 0.0, d;

              s[j] = keep + h;
              soft_by_definition (s, N, k, tau, plus);
              s[j] = keep - h;
              soft_by_definition (s, N, k, tau, minus);
              s[j] = keep;
              for (guint i = 0; i < N; i++)
                central += up[i] * (plus[i] - minus[i]) / (2.0 * h);
              largest = MAX (largest, fabs (central));
              worst = MAX (worst, fabs (central - (double) b.down[j * MT_LANES + l]));
              d = (double) (b.pi[j * MT_LANES + l] * (1 - b.pi[j * MT_LANES + l]));
              fault = MAX (fault, fabs (central - d * up[j] / tau));
            }
          soft_by_definition (s, N, k + h, tau, plus);
          soft_by_definition (s, N, k - h, tau, minus);
          for (guint i = 0; i < N; i++)
            difference += up[i] * (plus[i] - minus[i]) / (2.0 * h);
          g_assert_cmpfloat (fabs (difference - grad_k[l]), <, 1e-4);
        }
      g_assert_cmpfloat (worst, <, 2e-5 * largest);
      /* The planted fault: without the second term the gradient is another one. */
      g_assert_cmpfloat (fault, >, 1e-2 * largest);
    }
}

/* The paper's mass-flow figure: scores [-2.2, .3, .4, 1.4, 10], k = 3. */
static void
test_mass_flow (void)
{
  const double s[5] = { -2.2, 0.3, 0.4, 1.4, 10.0 };
  const double taus[] = { 0.01, 0.1, 1.0, 10.0, 100.0 };
  double pi[5], last_top = 1.0, last_bottom = 0.0;

  for (guint t = 0; t < G_N_ELEMENTS (taus); t++)
    {
      g_auto (Block) b = { 0 };

      block_init (&b, 5, 0, 0.0);
      for (guint i = 0; i < 5; i++)
        for (guint l = 0; l < MT_LANES; l++)
          b.scores[i * MT_LANES + l] = (float) s[i];
      mt_topk_soft.forward (b.scores, 5, 3, taus[t], b.state, b.pi);
      soft_by_definition (s, 5, 3, taus[t], pi);
      for (guint i = 0; i < 5; i++)
        g_assert_cmpfloat (fabs ((double) b.pi[i * MT_LANES] - pi[i]), <, 3e-6);
      /* Order is kept; mass flows from the largest to the smallest as the temperature rises. */
      for (guint i = 1; i < 5; i++)
        g_assert_true (b.pi[i * MT_LANES] >= b.pi[(i - 1) * MT_LANES]);
      g_assert_cmpfloat ((double) b.pi[4 * MT_LANES], <=, last_top);
      g_assert_cmpfloat ((double) b.pi[0], >=, last_bottom);
      last_top = (double) b.pi[4 * MT_LANES];
      last_bottom = (double) b.pi[0];
      if (taus[t] == 0.01)
        {
          /* Nearly hard: 0, 0, 1, 1, 1 (.3 and .4 are ten temperatures apart). */
          g_assert_cmpfloat (b.pi[1 * MT_LANES], <, 0.01f);
          g_assert_cmpfloat (b.pi[2 * MT_LANES], >, 0.99f);
        }
      if (taus[t] == 100.0)
        for (guint i = 0; i < 5; i++)      /* nearly flat: k / n each */
          g_assert_cmpfloat (fabsf (b.pi[i * MT_LANES] - 0.6f), <, 0.025f);
    }
}

/* The paper's convergence figure: 16 score vectors in R¹⁰⁰, k = 10. Halving needs about 15
 * passes for 1e-3 and 30 for the end of float; we need a few. */
static void
test_convergence (void)
{
  g_auto (Block) b = { 0 };
  double errors[40], worst_at_15 = 0.0, worst_at_30 = 0.0;
  guint passes;

  block_init (&b, 100, 9, 1.0);
  for (guint l = 0; l < MT_LANES; l++)
    {
      float s[100];

      for (guint i = 0; i < 100; i++)
        s[i] = b.scores[i * MT_LANES + l];
      mt_topk_bisection_errors (s, 100, 10, 1.0, 40, errors);
      worst_at_15 = MAX (worst_at_15, errors[15]);
      worst_at_30 = MAX (worst_at_30, errors[30]);
    }
  g_assert_cmpfloat (worst_at_15, <, 1e-3);
  g_assert_cmpfloat (worst_at_30, <, 1e-6);
  passes = mt_topk_soft.forward (b.scores, 100, 10, 1.0, b.state, b.pi);
  g_assert_cmpfloat (worst_error (&b, 10), <=, 1e-6);
  g_assert_cmpuint (passes, <=, 8);
}

typedef struct {
  float   score;
  guint32 index;
} Ranked;

static int
compare_ranked (const void *a,
                const void *b)
{
  const Ranked *x = a, *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

static void
test_hard (void)
{
  const char *names[] = { "scalar", "avx2", "avx512" };
  const gsize sizes[] = { 1, 2, 16, 17, 100, 997 };

  for (guint v = 0; v < G_N_ELEMENTS (names); v++)
    {
      const MtKernels *kernels = mt_kernels_by_name (names[v]);

      if (kernels == NULL)
        {
          g_test_message ("this machine does not run %s", names[v]);
          continue;
        }
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        for (guint k = 1; k <= MIN (sizes[s], MT_TOP_MAX); k++)
          {
            g_auto (Block) b = { 0 };
            guint32 index[MT_TOP_MAX * MT_LANES];

            block_init (&b, sizes[s], k, 1.0);
            /* Lanes with many ties, with one value only, rising, and without ties. */
            for (gsize i = 0; i < b.n; i++)
              for (guint l = 0; l < 12; l++)
                b.scores[i * MT_LANES + l] = l == 0 ? 0.5f : l == 1 ? (float) i
                  : floorf (b.scores[i * MT_LANES + l] * (float) l);
            kernels->top_block (b.scores, b.n, k, index);
            for (guint l = 0; l < MT_LANES; l++)
              {
                g_autofree Ranked *ranked = g_new (Ranked, b.n);

                for (gsize i = 0; i < b.n; i++)
                  ranked[i] = (Ranked) { b.scores[i * MT_LANES + l], (guint32) i };
                qsort (ranked, b.n, sizeof (Ranked), compare_ranked);
                for (guint r = 0; r < k; r++)
                  g_assert_cmpuint (index[r * MT_LANES + l], ==, ranked[r].index);
              }
          }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/topk/sums-to-k", test_sums_to_k);
  g_test_add_func ("/topk/large-jump", test_large_jump);
  g_test_add_func ("/topk/gradient", test_gradient);
  g_test_add_func ("/topk/mass-flow", test_mass_flow);
  g_test_add_func ("/topk/convergence", test_convergence);
  g_test_add_func ("/topk/hard-is-a-stable-sort", test_hard);
  return g_test_run ();
}
