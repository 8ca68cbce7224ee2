/* T1: three ways to choose k of n softly, over ten sizes; how fast halving and our Newton's steps converge; where the mass
 * is by temperature. */
#include "config.h"
#include "mt-lab-private.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "mt-lab-topk.h"

#define BATCH      64
#define TAU        0.1
#define N_TURNS    200
#define FEW        32       /* samples of perturbed top-k … */
#define MANY       256      /* … as in the paper */
#define N_REPEATS  16       /* for variances … */
#define N_VARIED   8        /* … of so many vectors */
#define LEAST_TIME 5e-3     /* seconds that are measured at least */
#define N_PASSES   40

typedef enum { SOFT, SINKHORN, PERTURBED_FEW, PERTURBED_MANY, N_WAYS } Way;

static const char * const way_names[N_WAYS] = { "soft top-k", "Sinkhorn", "perturbed 32", "perturbed 256" };

typedef struct {
  gsize    n;
  guint    k;
  double  *scores, *up;           /* BATCH × n, vector after vector */
  double  *pi, *grad;             /* the same, of the last forward and backward */
  /* soft: */
  float   *block_scores, *block_pi, *block_up, *block_grad;    /* in blocks of MT_TOPK_LANES */
  double   state[BATCH];
  /* the others: */
  double  *tape, *scratch;
  float   *noise;
  guint32 *chosen;
  MtRandom random;
} Bench;

static gsize
at (const Bench *self,
    guint        vector,
    gsize        i)
{
  return (vector / MT_TOPK_LANES * self->n + i) * MT_TOPK_LANES + vector % MT_TOPK_LANES;
}

static float *
new_blocks (gsize n)
{
  return g_aligned_alloc0 (BATCH * n, sizeof (float), 64);
}

static void
bench_init (Bench  *self,
            gsize   n,
            guint   k)
{
  *self = (Bench) { n, k };
  self->scores = g_new (double, BATCH * n);
  self->up = g_new (double, BATCH * n);
  self->pi = g_new0 (double, BATCH * n);
  self->grad = g_new0 (double, BATCH * n);
  self->block_scores = new_blocks (n);
  self->block_pi = new_blocks (n);
  self->block_up = new_blocks (n);
  self->block_grad = new_blocks (n);
  self->tape = g_new (double, BATCH * mt_lab_sinkhorn_tape_size (n, N_TURNS));
  self->scratch = g_new (double, n);
  self->noise = g_new (float, (gsize) BATCH * MANY * n);
  self->chosen = g_new (guint32, BATCH * MANY * k);
  mt_random_init (&self->random, 1000 * n + k);
  for (guint v = 0; v < BATCH; v++)
    for (gsize i = 0; i < n; i++)
      {
        self->scores[v * n + i] = (float) mt_random_normal (&self->random);
        self->up[v * n + i] = (float) mt_random_normal (&self->random);
        self->block_scores[at (self, v, i)] = (float) self->scores[v * n + i];
        self->block_up[at (self, v, i)] = (float) self->up[v * n + i];
      }
}

static void
bench_clear (Bench *self)
{
  g_free (self->scores);
  g_free (self->up);
  g_free (self->pi);
  g_free (self->grad);
  g_aligned_free (self->block_scores);
  g_aligned_free (self->block_pi);
  g_aligned_free (self->block_up);
  g_aligned_free (self->block_grad);
  g_free (self->tape);
  g_free (self->scratch);
  g_free (self->noise);
  g_free (self->chosen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static guint
samples_of (Way way)
{
  return way == PERTURBED_FEW ? FEW : MANY;
}

static void
forward (Bench *self,
         Way    way,
         guint  n_vectors)
{
  gsize n = self->n;

  for (guint b = 0; way == SOFT && b < (n_vectors + MT_TOPK_LANES - 1) / MT_TOPK_LANES; b++)
    {
      double *state = self->state + b * MT_TOPK_LANES;

      for (guint l = 0; l < MT_TOPK_LANES; l++)
        state[l] = NAN;
      mt_topk_soft.forward (self->block_scores + b * n * MT_TOPK_LANES, n, self->k, TAU, state,
                            self->block_pi + b * n * MT_TOPK_LANES);
    }
  for (guint v = 0; way != SOFT && v < n_vectors; v++)
    if (way == SINKHORN)
      mt_lab_sinkhorn_forward (self->scores + v * n, n, self->k, 2 * TAU, N_TURNS,
                               self->tape + v * mt_lab_sinkhorn_tape_size (n, N_TURNS), self->pi + v * n);
    else
      mt_lab_perturbed_forward (self->scores + v * n, n, self->k, TAU, samples_of (way), &self->random,
                                self->noise + (gsize) v * MANY * n, self->chosen + v * MANY * self->k, self->pi + v * n,
                                self->scratch);
}

static void
backward (Bench *self,
          Way    way,
          guint  n_vectors)
{
  gsize n = self->n;

  for (guint b = 0; way == SOFT && b < (n_vectors + MT_TOPK_LANES - 1) / MT_TOPK_LANES; b++)
    {
      gsize first = b * n * MT_TOPK_LANES;

      mt_topk_soft.backward (self->block_pi + first, n, TAU, self->block_up + first, self->block_grad + first, NULL);
    }
  for (guint v = 0; way != SOFT && v < n_vectors; v++)
    if (way == SINKHORN)
      mt_lab_sinkhorn_backward (self->scores + v * n, n, self->k, 2 * TAU, N_TURNS,
                                self->tape + v * mt_lab_sinkhorn_tape_size (n, N_TURNS), self->up + v * n,
                                self->grad + v * n, self->scratch);
    else
      mt_lab_perturbed_backward (n, self->k, TAU, samples_of (way), self->noise + (gsize) v * MANY * n,
                                 self->chosen + v * MANY * self->k, self->up + v * n, self->grad + v * n);
}

/* Ours in the order of the others. */
static void
unpack (Bench *self,
        guint  n_vectors)
{
  for (guint v = 0; v < n_vectors; v++)
    for (gsize i = 0; i < self->n; i++)
      {
        self->pi[v * self->n + i] = self->block_pi[at (self, v, i)];
        self->grad[v * self->n + i] = self->block_grad[at (self, v, i)];
      }
}

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static double
milliseconds_of (Bench *self,
                 Way    way,
                 void (*work) (Bench *, Way, guint))
{
  double began = cpu_seconds (), seconds;
  guint n = 0;

  do
    {
      work (self, way, BATCH);
      n++;
      seconds = cpu_seconds () - began;
    }
  while (seconds < LEAST_TIME);
  return 1e3 * seconds / n;
}

/* Megabytes for a batch: what a step keeps between forward and backward, with scores, π and gradient. */
static double
megabytes_of (const Bench *self,
              Way          way)
{
  double numbers = 3. * BATCH * self->n;

  if (way == SOFT)
    return (numbers * sizeof (float) + BATCH * sizeof (double)) / 1e6;
  if (way == SINKHORN)
    return (numbers + (double) BATCH * mt_lab_sinkhorn_tape_size (self->n, N_TURNS)) * sizeof (double) / 1e6;
  return (numbers * sizeof (double) + (double) BATCH * samples_of (way) * (self->n * sizeof (float) +
                                                                           self->k * sizeof (guint32))) / 1e6;
}

/* |Σπ - k|, the mean over the batch. */
static double
error_of (const Bench *self)
{
  double sum = 0;

  for (guint v = 0; v < BATCH; v++)
    {
      double mass = 0;

      for (gsize i = 0; i < self->n; i++)
        mass += self->pi[v * self->n + i];
      sum += fabs (mass - self->k);
    }
  return sum / BATCH;
}

/* Over repeats with the same scores: the variance of the gradient, summed over its coordinates, a mean over vectors; the
 * standard deviation of the loss Σ up·π. */
static void
vary (Bench  *self,
      Way     way,
      double *variance,
      double *deviation)
{
  gsize n = self->n;
  g_autofree double *sums = g_new0 (double, 2 * N_VARIED * n);
  double loss_sum = 0, loss_square = 0;

  for (guint r = 0; r < N_REPEATS; r++)
    {
      double loss = 0;

      forward (self, way, N_VARIED);
      backward (self, way, N_VARIED);
      if (way == SOFT)
        unpack (self, N_VARIED);
      for (gsize i = 0; i < N_VARIED * n; i++)
        {
          sums[2 * i] += self->grad[i];
          sums[2 * i + 1] += self->grad[i] * self->grad[i];
          loss += self->up[i] * self->pi[i];
        }
      loss_sum += loss;
      loss_square += loss * loss;
    }
  *variance = 0;
  for (gsize i = 0; i < N_VARIED * n; i++)
    *variance += MAX (sums[2 * i + 1] - sums[2 * i] * sums[2 * i] / N_REPEATS, 0) / (N_REPEATS - 1) / N_VARIED;
  *deviation = sqrt (MAX (loss_square - loss_sum * loss_sum / N_REPEATS, 0) / (N_REPEATS - 1));
  /* What is left of equal numbers is rounding. */
  if (*variance < 1e-12)
    *variance = 0;
  if (*deviation < 1e-6)
    *deviation = 0;
}

static gboolean
run_size (MtLabContext    *context,
          const MtLabJob  *job,
          MtLabCells      *cells,
          GCancellable    *cancellable,
          GError         **error)
{
  guint n = (guint) job->number / 100, k = (guint) job->number % 100;
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, n, k);
  for (Way way = 0; way < N_WAYS; way++)
    {
      double variance, deviation, forward_ms, backward_ms, error_now;
      g_autofree char *names[7] = { NULL };

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      forward_ms = milliseconds_of (&bench, way, forward);
      backward_ms = milliseconds_of (&bench, way, backward);
      if (way == SOFT)
        unpack (&bench, BATCH);
      error_now = error_of (&bench);
      vary (&bench, way, &variance, &deviation);
      names[0] = g_strconcat ("error, ", way_names[way], NULL);
      names[1] = g_strconcat ("forward ms, ", way_names[way], NULL);
      names[2] = g_strconcat ("backward ms, ", way_names[way], NULL);
      names[3] = g_strconcat ("MB, ", way_names[way], NULL);
      names[4] = g_strconcat ("gradient variance, ", way_names[way], NULL);
      names[5] = g_strconcat ("loss deviation, ", way_names[way], NULL);
      mt_lab_cells_put (cells, error_now, names[0], "n = %u, k = %u", n, k);
      mt_lab_cells_put (cells, forward_ms, names[1], "n = %u, k = %u", n, k);
      mt_lab_cells_put (cells, backward_ms, names[2], "n = %u, k = %u", n, k);
      mt_lab_cells_put (cells, megabytes_of (&bench, way), names[3], "n = %u, k = %u", n, k);
      mt_lab_cells_put (cells, error_now, names[0], "all sizes");
      mt_lab_cells_put (cells, forward_ms, names[1], "all sizes");
      mt_lab_cells_put (cells, backward_ms, names[2], "all sizes");
      mt_lab_cells_put (cells, megabytes_of (&bench, way), names[3], "all sizes");
      mt_lab_cells_put (cells, variance, names[4], "all sizes");
      mt_lab_cells_put (cells, deviation, names[5], "all sizes");
    }
  return TRUE;
}

/* The paper's figure: 16 vectors of 100 scores, k = 10. */
static gboolean
run_convergence (MtLabContext    *context,
                 const MtLabJob  *job,
                 MtLabCells      *cells,
                 GCancellable    *cancellable,
                 GError         **error)
{
  float *scores = g_aligned_alloc0 (100 * MT_TOPK_LANES, sizeof (float), 64);
  float *pi = g_aligned_alloc0 (100 * MT_TOPK_LANES, sizeof (float), 64);
  double state[MT_TOPK_LANES], worst[N_PASSES] = { 0 };
  guint coarse = 0, fine = 0, passes;
  MtRandom random;

  mt_random_init (&random, 16);
  for (guint i = 0; i < 100 * MT_TOPK_LANES; i++)
    scores[i] = (float) mt_random_normal (&random);
  for (guint l = 0; l < MT_TOPK_LANES; l++)
    {
      double errors[N_PASSES];
      float one[100];

      state[l] = NAN;
      for (guint i = 0; i < 100; i++)
        one[i] = scores[i * MT_TOPK_LANES + l];
      mt_topk_bisection_errors (one, 100, 10, TAU, N_PASSES, errors);
      for (guint p = 0; p < N_PASSES; p++)
        worst[p] = MAX (worst[p], errors[p]);
    }
  while (coarse < N_PASSES && worst[coarse] >= 1e-3)
    coarse++;
  while (fine < N_PASSES && worst[fine] > 10 * FLT_EPSILON)
    fine++;
  passes = mt_topk_soft.forward (scores, 100, 10, TAU, state, pi);
  mt_lab_cells_put (cells, coarse + 1, "passes of halving to 1e-3", "convergence");
  mt_lab_cells_put (cells, fine + 1, "passes of halving to single precision", "convergence");
  mt_lab_cells_put (cells, passes, "passes of Newton to 1e-6 k", "convergence");
  for (guint p = 0; p < N_PASSES; p++)
    mt_lab_cells_put (cells, worst[p], ".halving", "%u", p + 1);
  g_aligned_free (scores);
  g_aligned_free (pi);
  return TRUE;
}

static const double flow_taus[] = { 0.01, 0.1, 0.5, 1, 2, 5, 10 };

/* The other one: five scores, k = 3. */
static gboolean
run_flow (MtLabContext    *context,
          const MtLabJob  *job,
          MtLabCells      *cells,
          GCancellable    *cancellable,
          GError         **error)
{
  const float scores[] = { -2.2f, 0.3f, 0.4f, 1.4f, 10.0f };

  for (guint t = 0; t < G_N_ELEMENTS (flow_taus); t++)
    {
      double pi[G_N_ELEMENTS (scores)];
      char number[MT_DECIMAL_SIZE];

      mt_bench_topk_masses (scores, G_N_ELEMENTS (scores), 3, flow_taus[t], pi);
      for (guint i = 0; i < G_N_ELEMENTS (scores); i++)
        {
          g_autofree char *column = g_strdup_printf ("mass of score %u", i + 1);

          mt_lab_cells_put (cells, pi[i], column, "temperature %s", mt_decimal_write (flow_taus[t], number));
        }
    }
  return TRUE;
}

void
mt_lab_list_topk (MtLabContext          *context,
                  const MtLabExperiment *experiment)
{
  static const guint sizes[] = { 50, 100, 200, 500, 1000 }, counts[] = { 5, 10 };

  mt_lab_add_job (context, experiment, run_convergence, NULL, NULL, 0, .05, "convergence");
  mt_lab_add_job (context, experiment, run_flow, NULL, NULL, 0, .05, "mass-flow");
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
      mt_lab_add_job (context, experiment, run_size, NULL, NULL, 0, sizes[s] * .008, "n%u-k%u", sizes[s], counts[c])->number =
        100 * sizes[s] + counts[c];
}

static double
mean_of (GPtrArray  *means,
         const char *row,
         const char *column)
{
  const MtLabMean *mean = mt_lab_means_find (means, row, column);

  return mean != NULL ? mean->mean : NAN;
}

static gboolean
draw_convergence (MtLabContext  *context,
                  GPtrArray     *means,
                  GError       **error)
{
  g_autoptr (MtChart) chart = mt_chart_new ("Passes", NAN, NAN, "log10 of the largest |Σπ − k|", NAN, NAN);
  double x[N_PASSES], y[N_PASSES];

  for (guint p = 0; p < N_PASSES; p++)
    {
      g_autofree char *row = g_strdup_printf ("%u", p + 1);
      double value = mean_of (means, row, ".halving");

      x[p] = p + 1;
      y[p] = value > 0 ? log10 (value) : NAN;
    }
  mt_chart_add (chart, MT_CHART_DOTTED_LINE, "Halving, 16 vectors of 100 scores, k = 10", x, y, N_PASSES);
  return mt_lab_write_chart (context, "T1-convergence", chart, 420, 240, error);
}

static gboolean
draw_flow (MtLabContext  *context,
           GPtrArray     *means,
           GError       **error)
{
  g_autoptr (MtChart) chart = mt_chart_new ("Score", .5, 5.5, "Mass π", 0, 1);

  for (guint t = 0; t < G_N_ELEMENTS (flow_taus); t++)
    {
      char number[MT_DECIMAL_SIZE];
      g_autofree char *row = g_strdup_printf ("temperature %s", mt_decimal_write (flow_taus[t], number));
      g_autofree char *label = g_strdup_printf ("τ = %s", number);
      double x[5], y[5];

      for (guint i = 0; i < 5; i++)
        {
          g_autofree char *column = g_strdup_printf ("mass of score %u", i + 1);

          x[i] = i + 1;
          y[i] = mean_of (means, row, column);
        }
      mt_chart_add (chart, MT_CHART_DOTTED_LINE, label, x, y, 5);
    }
  return mt_lab_write_chart (context, "T1-mass-flow", chart, 420, 240, error);
}

gboolean
mt_lab_finish_topk (MtLabContext           *context,
                    const MtLabExperiment  *experiment,
                    MtLabCells             *cells,
                    GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);
  double ours = mean_of (means, "all sizes", "forward ms, soft top-k"), memory = mean_of (means, "all sizes", "MB, soft top-k");

  if (!isnan (ours))
    {
      mt_lab_cells_put (cells, mean_of (means, "all sizes", "forward ms, Sinkhorn") / ours,
                        "forward time, Sinkhorn ÷ soft top-k", "all sizes");
      mt_lab_cells_put (cells, mean_of (means, "all sizes", "forward ms, perturbed 256") / ours,
                        "forward time, perturbed 256 ÷ soft top-k", "all sizes");
      mt_lab_cells_put (cells, mean_of (means, "all sizes", "MB, Sinkhorn") / memory, "memory, Sinkhorn ÷ soft top-k",
                        "all sizes");
      mt_lab_cells_put (cells, mean_of (means, "all sizes", "MB, perturbed 256") / memory, "memory, perturbed ÷ soft top-k",
                        "all sizes");
    }
  if (!isnan (mean_of (means, "1", ".halving")) && !draw_convergence (context, means, error))
    return FALSE;
  return isnan (mean_of (means, "temperature 1", "mass of score 1")) || draw_flow (context, means, error);
}
