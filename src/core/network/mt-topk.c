/* Choosing k of n inputs for each node, so that a gradient can flow through the choice. See mt-topk.h.
 *
 * An example with τ = 0.1, k = 1 and the scores 0.5, 0.2, 0: λ = 0.359 gives π = 0.80, 0.17, 0.03,
 * which add up to 1. With τ = 0.01, λ = 0.35 and π is 1, 0, 0 to six digits: the hard choice.
 *
 * One pass over a block is n × 16 sigmoids. A warm start takes one to three passes, a cold one some
 * more: `minterm-cli bench topk` counts them. */
#include "config.h"
#include "mt-topk.h"

#include <math.h>

#include "mt-kernels-private.h"
#include "base/mt-math.h"

G_STATIC_ASSERT (MT_TOPK_LANES == MT_LANES);

#define TOLERANCE  4e-7      /* of k; the sums themselves are good to about 1e-7 */
#define MAX_PASSES 100       /* halving alone reaches the limit of double in about 60 */

/* One node's search for its λ. The soft choice gives literal i of a node the share π_i = σ((s_i − λ) / τ), and λ
 * is chosen such that Σ π = k. The sum falls strictly with λ, so there is exactly one root. 16 such searches go
 * side by side, one for each lane; a lane that is done keeps its λ while the others go on. */
typedef struct {
  double lambda;
  double low, high;       /* λ of Σπ > k and of Σπ < k */
  double residual;        /* |Σπ - k| of the step before */
  gboolean done;
} Lane;

/* For whole k ≤ 16 the bracket is the gap between the k-th and the next score, widened by
 * what the others can add or take: at λ = s₍k₎ + τ log (n - k) the sum is at most k, at
 * λ = s₍k+1₎ - τ log k at least k. Otherwise it is the range of the scores, see the header.
 *
 * Why these ends: at λ = s₍k+1₎ − τ log k each of the k + 1 largest has a share of at least k / (k
 * + 1), so they alone add up to at least k. At λ = s₍k₎ + τ log (n − k) each of the n − k + 1
 * scores that are not larger than s₍k₎ has a share of at most 1 / (n − k + 1); together at most 1,
 * and the k − 1 larger ones at most 1 each. So the sum is at most k. */
static void
find_brackets (Lane        *lanes,
               const float *scores,
               gsize        n,
               double       k,
               double       tau)
{
  guint32 index[MT_TOP_MAX * MT_LANES];
  guint whole = (guint) k;
  gboolean narrow = k == whole && whole < MT_TOP_MAX && whole < n;

  if (narrow)
    mt_kernels_get ()->top_block (scores, n, whole + 1, index);
  for (guint l = 0; l < MT_LANES; l++)
    {
      double low, high, margin;

      if (narrow)
        {
          guint32 last = index[(whole - 1) * MT_LANES + l], next = index[whole * MT_LANES + l];

          low = (double) scores[next * MT_LANES + l] - tau * mt_log (k);
          high = (double) scores[last * MT_LANES + l] + tau * mt_log ((double) n - k);
        }
      else
        {
          double shift = tau * mt_log (k / ((double) n - k));

          low = high = (double) scores[l] - shift;
          for (gsize i = 1; i < n; i++)
            {
              low = MIN (low, (double) scores[i * MT_LANES + l] - shift);
              high = MAX (high, (double) scores[i * MT_LANES + l] - shift);
            }
        }
      /* Rounding in the float sums must not put the root outside. */
      margin = 1e-3 * tau;
      lanes[l].low = MAX (lanes[l].low, low - margin);
      lanes[l].high = MIN (lanes[l].high, high + margin);
    }
}

/* One step of Newton's method on f (λ) = Σ π − k, kept inside the bracket [low, high]. Since df/dλ = −Σ π(1 − π) /
 * τ = −slope / τ, the step is λ + τ · f / slope.
 *
 * Newton is fast near the root but can overshoot where the slope is small, which is everywhere that no score is
 * within a few τ of λ. So the step is replaced by the middle of the bracket when it would leave the bracket, or
 * when the last step did not halve the error; after such a halving the next Newton step is accepted whatever it
 * does (residual = infinity). A lane is done at an error of TOLERANCE × k, or when the bracket has shrunk to
 * rounding. */
static void
advance (Lane  *lane,
         double sum,
         double slope,
         double k,
         double tau)
{
  double error = sum - k;
  double next;

  if (fabs (error) <= TOLERANCE * k || lane->high - lane->low < 1e-15 * (fabs (lane->low) + tau))
    {
      lane->done = TRUE;
      return;
    }
  if (error > 0.0)
    lane->low = MAX (lane->low, lane->lambda);
  else
    lane->high = MIN (lane->high, lane->lambda);
  next = lane->lambda + tau * error / slope;
  if (!(next > lane->low && next < lane->high) || fabs (error) > 0.5 * lane->residual)
    {
      next = 0.5 * (lane->low + lane->high);
      lane->residual = INFINITY;
    }
  else
    lane->residual = fabs (error);
  lane->lambda = next;
}

/* Finds λ for the 16 lanes of a block and leaves π, n × 16, for the λ found. @state holds λ of the step before
 * (NaN: none). Scores move little from one step of training to the next, so Newton starts at the old λ and mostly
 * needs one to three passes over the scores; only a lane that has no old λ, or for which Newton does not behave,
 * makes the brackets necessary, which cost a search for the k + 1 largest scores. Returns the number of passes,
 * for the benchmark.
 *
 * The kernel works in float. λ is handed over in two parts, the nearest float and e^(rest / τ), because at τ =
 * 0.01 an error of one float rounding in λ would be visible in π. */
static guint
soft_forward (const float *scores,
              gsize        n,
              double       k,
              double       tau,
              double      *state,
              float       *pi)
{
  const MtKernels *kernels = mt_kernels_get ();
  Lane lanes[MT_LANES];
  guint passes = 0;
  gboolean cold = FALSE, all_done;

  if (k >= (double) n)
    {
      for (gsize i = 0; i < n * MT_LANES; i++)
        pi[i] = 1.0f;
      return 0;
    }
  for (guint l = 0; l < MT_LANES; l++)
    {
      lanes[l] = (Lane) { .lambda = state[l], .low = -INFINITY, .high = INFINITY, .residual = INFINITY };
      cold = cold || isnan (state[l]);
    }
  if (cold)
    {
      find_brackets (lanes, scores, n, k, tau);
      for (guint l = 0; l < MT_LANES; l++)
        if (isnan (state[l]))
          lanes[l].lambda = 0.5 * (lanes[l].low + lanes[l].high);
    }
  do
    {
      float hi[MT_LANES] __attribute__ ((aligned (64))), rest[MT_LANES] __attribute__ ((aligned (64)));
      double sums[MT_LANES], slopes[MT_LANES];

      for (guint l = 0; l < MT_LANES; l++)
        {
          hi[l] = (float) lanes[l].lambda;
          rest[l] = (float) mt_exp ((lanes[l].lambda - (double) hi[l]) / tau);
        }
      kernels->sigmoid_block (scores, n, hi, rest, (float) (1.0 / tau), pi, sums, slopes);
      passes++;
      all_done = TRUE;
      /* Newton alone is not to be trusted far from the root: get the brackets then. */
      for (guint l = 0; l < MT_LANES && !cold; l++)
        {
          double error = fabs (sums[l] - k);

          if (!lanes[l].done && error > TOLERANCE * k &&
              (error > MAX (0.25, 0.05 * k) || slopes[l] < 0.01 || error > 0.5 * lanes[l].residual))
            {
              find_brackets (lanes, scores, n, k, tau);
              cold = TRUE;
            }
        }
      for (guint l = 0; l < MT_LANES; l++)
        {
          if (lanes[l].done)
            continue;
          advance (&lanes[l], sums[l], slopes[l], k, tau);
          all_done = all_done && lanes[l].done;
        }
    }
  while (!all_done && passes < MAX_PASSES);
  for (guint l = 0; l < MT_LANES; l++)
    state[l] = lanes[l].lambda;
  return passes;
}

/* The gradient through the soft choice. With d_i = π_i (1 − π_i), the derivative of the sigmoid, and Σ π held at
 * k, λ moves with the scores: ∂λ/∂s_i = d_i / Σ d. So for a gradient u in π
 *
 *   ∂L/∂s_i = d_i (u_i − mean) / τ,   mean = Σ d u / Σ d,
 *
 * and the components always add up to zero: raising all scores together changes nothing. mean is also ∂L/∂k, for
 * those who ask. */
static void
soft_backward (const float *pi,
               gsize        n,
               double       tau,
               const float *grad_pi,
               float       *grad_s,
               double      *grad_k)
{
  float mean[MT_LANES];

  mt_kernels_get ()->sigmoid_backward (pi, n, (float) (1.0 / tau), grad_pi, grad_s, mean);
  for (guint l = 0; grad_k != NULL && l < MT_LANES; l++)
    grad_k[l] = mean[l];
}

/* The k largest of each of the 16 nodes of a block, n × k comparisons at worst, about n in
 * practice. Its ties (the lower index wins) are part of what a model means, so all kernels must
 * agree on them. */
void
mt_topk_hard (const float *scores,
              gsize        n,
              guint        k,
              guint32     *index)
{
  g_return_if_fail (k >= 1 && k <= MT_TOPK_MAX_K && k <= n);
  mt_kernels_get ()->top_block (scores, n, k, index);
}

/* For the benchmark's figure: plain halving from the widest bracket, and what is left of |Σ π − k| after each
 * pass. Each pass halves the bracket, so the error falls by about half: some thirty passes to 1e-6, where
 * soft_forward() takes a handful. */
void
mt_topk_bisection_errors (const float *scores,
                          gsize        n,
                          double       k,
                          double       tau,
                          guint        n_passes,
                          double      *errors)
{
  double low = INFINITY, high = -INFINITY;
  double shift = tau * mt_log (k / ((double) n - k));

  for (gsize i = 0; i < n; i++)
    {
      low = MIN (low, (double) scores[i] - shift);
      high = MAX (high, (double) scores[i] - shift);
    }
  for (guint pass = 0; pass < n_passes; pass++)
    {
      double lambda = 0.5 * (low + high), sum = 0.0;

      for (gsize i = 0; i < n; i++)
        sum += 1.0 / (1.0 + mt_exp (-((double) scores[i] - lambda) / tau));
      errors[pass] = fabs (sum - k);
      if (sum > k)
        low = lambda;
      else
        high = lambda;
    }
}

const MtTopkOps mt_topk_soft = {
  .name = "soft",
  .forward = soft_forward,
  .backward = soft_backward,
};
