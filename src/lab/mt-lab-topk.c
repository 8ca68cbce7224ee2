/* Sinkhorn's and perturbed top-k. See mt-lab-topk.h. */
#include "config.h"
#include "mt-lab-topk.h"

#include <math.h>
#include <string.h>

gsize
mt_lab_sinkhorn_tape_size (gsize n,
                           guint n_turns)
{
  return n_turns * (n + 2);
}

static inline double
cost_of (double score,
         guint  place)
{
  return (score - place) * (score - place);
}

static double
log_sum (double a,
         double b)
{
  return a > b ? a + log1p (exp (b - a)) : b + log1p (exp (a - b));
}

/* log Σ_i exp ((f_i - C_ij) / ε) */
static double
log_sum_of_place (const double *scores,
                  const double *f,
                  gsize         n,
                  double        epsilon,
                  guint         place)
{
  double most = -INFINITY, sum = 0;

  for (gsize i = 0; i < n; i++)
    most = MAX (most, (f[i] - cost_of (scores[i], place)) / epsilon);
  for (gsize i = 0; i < n; i++)
    sum += exp ((f[i] - cost_of (scores[i], place)) / epsilon - most);
  return most + log (sum);
}

void
mt_lab_sinkhorn_forward (const double *scores,
                         gsize         n,
                         double        k,
                         double        epsilon,
                         guint         n_turns,
                         double       *tape,
                         double       *pi)
{
  double g[2] = { 0, 0 };
  const double share[2] = { (n - k) / n, k / n };

  for (guint t = 0; t < n_turns; t++)
    {
      double *f = tape + t * (n + 2);

      for (gsize i = 0; i < n; i++)
        f[i] = epsilon * (-log ((double) n) - log_sum ((g[0] - cost_of (scores[i], 0)) / epsilon,
                                                       (g[1] - cost_of (scores[i], 1)) / epsilon));
      for (guint j = 0; j < 2; j++)
        g[j] = f[n + j] = epsilon * (log (share[j]) - log_sum_of_place (scores, f, n, epsilon, j));
    }
  for (gsize i = 0; i < n; i++)
    pi[i] = n * exp ((tape[(n_turns - 1) * (n + 2) + i] + g[1] - cost_of (scores[i], 1)) / epsilon);
}

void
mt_lab_sinkhorn_backward (const double *scores,
                          gsize         n,
                          double        k,
                          double        epsilon,
                          guint         n_turns,
                          const double *tape,
                          const double *grad_pi,
                          double       *grad_scores,
                          double       *scratch)
{
  const double share[2] = { (n - k) / n, k / n };
  const double *last = tape + (n_turns - 1) * (n + 2);
  double *grad_f = scratch, grad_g[2] = { 0, 0 };

  for (gsize i = 0; i < n; i++)
    {
      double up = grad_pi[i] * n * exp ((last[i] + last[n + 1] - cost_of (scores[i], 1)) / epsilon) / epsilon;

      grad_f[i] = up;
      grad_g[1] += up;
      grad_scores[i] = -up * 2 * (scores[i] - 1);
    }
  for (guint t = n_turns; t-- > 0; )
    {
      const double *f = tape + t * (n + 2), *g = f + n;
      const double *before = t > 0 ? f - 2 : NULL;     /* g of the turn before */
      double next[2] = { 0, 0 };

      for (gsize i = 0; i < n; i++)
        for (guint j = 0; j < 2; j++)
          {
            double q = exp ((f[i] + g[j] - cost_of (scores[i], j)) / epsilon) / share[j];

            grad_f[i] -= grad_g[j] * q;
            grad_scores[i] += grad_g[j] * q * 2 * (scores[i] - j);
          }
      for (gsize i = 0; i < n; i++)
        {
          for (guint j = 0; j < 2; j++)
            {
              double p = n * exp ((f[i] + (before != NULL ? before[j] : 0) - cost_of (scores[i], j)) / epsilon);

              next[j] -= grad_f[i] * p;
              grad_scores[i] += grad_f[i] * p * 2 * (scores[i] - j);
            }
          grad_f[i] = 0;
        }
      memcpy (grad_g, next, sizeof grad_g);
    }
}

/* The k largest, by repeated search: k is small. */
static void
choose (const double *values,
        gsize         n,
        guint         k,
        guint32      *chosen)
{
  for (guint c = 0; c < k; c++)
    {
      gsize best = n;

      for (gsize i = 0; i < n; i++)
        {
          gboolean is_taken = FALSE;

          if (best < n && values[i] <= values[best])
            continue;
          for (guint d = 0; d < c; d++)
            is_taken |= chosen[d] == i;
          if (!is_taken)
            best = i;
        }
      chosen[c] = (guint32) best;
    }
}

void
mt_lab_perturbed_forward (const double *scores,
                          gsize         n,
                          guint         k,
                          double        sigma,
                          guint         n_samples,
                          MtRandom     *random,
                          float        *noise,
                          guint32      *chosen,
                          double       *pi,
                          double       *scratch)
{
  memset (pi, 0, n * sizeof *pi);
  for (guint m = 0; m < n_samples; m++)
    {
      for (gsize i = 0; i < n; i++)
        {
          noise[m * n + i] = (float) mt_random_normal (random);
          scratch[i] = scores[i] + sigma * noise[m * n + i];
        }
      choose (scratch, n, k, chosen + m * k);
      for (guint c = 0; c < k; c++)
        pi[chosen[m * k + c]] += 1. / n_samples;
    }
}

void
mt_lab_perturbed_backward (gsize          n,
                           guint          k,
                           double         sigma,
                           guint          n_samples,
                           const float   *noise,
                           const guint32 *chosen,
                           const double  *grad_pi,
                           double        *grad_scores)
{
  memset (grad_scores, 0, n * sizeof *grad_scores);
  for (guint m = 0; m < n_samples; m++)
    {
      double sum = 0;

      for (guint c = 0; c < k; c++)
        sum += grad_pi[chosen[m * k + c]];
      for (gsize i = 0; i < n; i++)
        grad_scores[i] += sum * noise[m * n + i] / (sigma * n_samples);
    }
}
