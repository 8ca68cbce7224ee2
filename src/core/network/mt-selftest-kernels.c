/* The self-test's look at single kernels, where a whole training could do without them. */
#include "config.h"
#include "mt-selftest-private.h"

#include <math.h>

#include "mt-backend-cuda.h"
#include "mt-sums.h"

/* Equal scores of the choice go by the lower literal: else nodes answer otherwise than the net in double.
 *
 * The scores are small whole numbers, so that many are equal, and the net's own answers in double
 * are the judge. */
static void
check_ties (MtSelftest *self)
{
  static const MtSelftestCase it = { "ties", MT_TASK_BINARY, MT_NODE_STANDARD, 12, 9, 20, 5, 2, 300 };
  const MtStopRule rule = { 0.01, 1, 1, 1 };
  MtNetShape shape = { it.task, it.n_groups * it.n_bits, 2, 1, it.n_nodes, it.fan_in, it.node };
  g_autofree guint8 *in_head = g_malloc0 (shape.n_literals);
  g_autoptr (MtNet) net = mt_net_new (&shape, in_head, 0.05);
  g_autofree guint32 *every = g_new (guint32, it.n_rows);
  g_autofree double *expected = g_new (double, it.n_rows);
  g_autofree float *y = g_new0 (float, it.n_rows), *scores = g_new0 (float, it.n_rows);
  g_auto (MtSelftestRows) rows = { 0 };
  MtBackendJob job;
  GError *error = NULL;
  gpointer context;
  double loss, worst = 0.0;
  guint n_opened;

  mt_selftest_rows_init (&rows, &it);
  mt_net_randomise (net, 5);
  for (guint j = 0; j < it.n_nodes; j++)
    for (guint i = 0; i < shape.n_literals; i++)
      net->params[mt_net_at (&net->layout, net->layout.map, i, j)] = (float) ((i * 7 + j) % (1 + j % 4));
  for (gsize r = 0; r < it.n_rows; r++)
    every[r] = (guint32) r;
  mt_net_score (net, rows.encoded, expected);
  job = (MtBackendJob) { .net = net, .encoded = rows.encoded, .y = y, .train_rows = every, .n_train = it.n_rows,
                         .valid_rows = every, .n_valid = it.n_rows, .topk = &mt_topk_soft, .batch = 256 };
  context = mt_backend_cuda_many.open (&job, &rule, 1, 0, &n_opened, &error);
  if (context != NULL)
    {
      mt_backend_cuda_many.score (context, 0, net->params, &loss, scores, &error);
      mt_backend_cuda_many.close (context);
    }
  for (gsize r = 0; r < it.n_rows; r++)
    worst = MAX (worst, fabs ((double) scores[r] - expected[r]));
  mt_selftest_add (self, g_strdup ("equal scores go by the lower literal"), worst < 1e-5,
             g_strdup_printf ("scores of nodes differ by %.2g (at most 1e-05)", worst), error);
}

/* Epochs are judged on the device: how many, which was the best, how often the learning rate halved.
 *
 * With a learning rate of 0.3 the loss soon rises again, so patience and halving both come into
 * play within 20 epochs. */
static void
check_stopping (MtSelftest *self)
{
  static const MtSelftestCase it = { "stopping", MT_TASK_BINARY, MT_NODE_STANDARD, 6, 4, 12, 3, 2, 1600 };
  g_autoptr (MtTrainResult) cpu = NULL, gpu = NULL;
  MtTrainOptions options;
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };

  mt_selftest_rows_init (&rows, &it);
  mt_selftest_options_init (&options, &it, "cpu");
  options.validation = 0.5;      /* more rows than a batch has */
  options.learning_rate = 0.3;
  options.max_epochs = 20;
  options.patience = 3;
  options.plateau = 1;
  cpu = mt_selftest_train (&rows.data, &options, &error);
  options.device = "cuda";
  gpu = cpu != NULL ? mt_selftest_train (&rows.data, &options, &error) : NULL;
  mt_selftest_add (self, g_strdup ("early stopping"),
             gpu != NULL && gpu->n_epochs == cpu->n_epochs && gpu->best_epoch == cpu->best_epoch &&
               fabs (gpu->valid_loss - cpu->valid_loss) <= 1e-3 * cpu->valid_loss,
             gpu != NULL ? g_strdup_printf ("%u epochs, the best is %u; on the CPU %u and %u", gpu->n_epochs,
                                            gpu->best_epoch, cpu->n_epochs, cpu->best_epoch) : NULL, error);
}

/* What is kept after an epoch is all there is to go on from. */
static void
check_resume (MtSelftest *self)
{
  const MtSelftestCase *it = &mt_selftest_cases[0];
  g_autoptr (MtTrainResult) whole = NULL, part = NULL, rest = NULL;
  MtTrainOptions options;
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };

  mt_selftest_rows_init (&rows, it);
  mt_selftest_options_init (&options, it, "cuda");
  whole = mt_selftest_train (&rows.data, &options, &error);
  options.max_epochs = 2;
  part = whole != NULL ? mt_selftest_train (&rows.data, &options, &error) : NULL;
  options.max_epochs = 5;
  if (part != NULL)
    mt_train_run (&rows.data, &options, NULL, 0, part->state, NULL, NULL, NULL, &rest, &error);
  mt_selftest_add (self, g_strdup ("stopped and gone on with"),
                   rest != NULL && g_bytes_equal (rest->state, whole->state),
                   g_strdup ("the bits of a training that was not stopped"), error);
}

static void
keep_metric (const MtTrainProgress *progress,
             gpointer               user_data)
{
  double *metrics = user_data;

  if (progress->phase == MT_TRAIN_RUNNING)
    metrics[progress->epoch] = progress->metric;
}

/* What the device says after the best epoch, and what the CPU makes of the scores.
 *
 * The device measures the metric after every epoch for the curve; the result's metric is made on
 * the CPU from the scores of the best parameters. For the best epoch the two must agree. */
static void
check_metric (MtSelftest           *self,
              const MtSelftestCase *it)
{
  double metrics[6] = { NAN, NAN, NAN, NAN, NAN, NAN }, difference = NAN;
  g_autoptr (MtTrainResult) gpu = NULL;
  MtTrainOptions options;
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };

  mt_selftest_rows_init (&rows, it);
  mt_selftest_options_init (&options, it, "cuda");
  options.validation = 0.4;
  options.head = MT_LINEAR_FIT_LEVELS;
  mt_train_run (&rows.data, &options, NULL, 0, NULL, keep_metric, metrics, NULL, &gpu, &error);
  if (error == NULL)
    difference = fabs (metrics[gpu->best_epoch] - gpu->metric);
  mt_selftest_add (self, g_strdup_printf ("%s: metric while training", it->name), difference <= 1e-6,
             g_strdup_printf ("differs by %.2g (at most 1e-06)", difference), error);
}

/* Sums over pairs of literals, against sums in double. */
static void
check_scan (MtSelftest *self)
{
  const MtSelftestCase *it = &mt_selftest_cases[0];
  guint n = it->n_groups * it->n_bits;
  g_autofree double *r = g_new (double, it->n_rows), *h = g_new (double, it->n_rows);
  g_autofree float *sum_r = g_new0 (float, (gsize) n * n), *sum_h = g_new0 (float, (gsize) n * n);
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };
  double worst = 0.0;

  mt_selftest_rows_init (&rows, it);
  for (gsize i = 0; i < it->n_rows; i++)
    {
      r[i] = sin ((double) i);
      h[i] = 0.25 + 0.2 * cos ((double) i * 0.3);
    }
  mt_backend_cuda_sum_pairs (rows.encoded, r, h, 0, sum_r, sum_h, &error);
  for (guint a = 0; a < n; a++)
    for (guint b = a; b < n; b++)
      {
        const guint64 *x = mt_encoded_get_plane (rows.encoded, a), *y = mt_encoded_get_plane (rows.encoded, b);
        double expected_r = 0.0, expected_h = 0.0;

        for (gsize i = 0; i < it->n_rows; i++)
          if (x[i / 64] & y[i / 64] & (G_GUINT64_CONSTANT (1) << i % 64))
            {
              expected_r += r[i];
              expected_h += h[i];
            }
        worst = MAX (worst, fabs ((double) sum_r[a * n + b] - expected_r));
        worst = MAX (worst, fabs ((double) sum_h[a * n + b] - expected_h));
      }
  mt_selftest_add (self, g_strdup ("sums of the scan"), worst < 1e-4,
             g_strdup_printf ("differ by %.2g (at most 1e-04)", worst), error);
}

enum { SUM_PLANES = 8, SUM_GAINS = 32 };

/* Everything that a session of exact sums can be asked for. FALSE: the device failed. */
static gboolean
ask_for_sums (const char       *device,
              const MtEncoded  *encoded,
              const guint8     *y,
              gint64           *answers,
              GError          **error)
{
  static const guint32 planes[SUM_PLANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const MtGpuSumsData data = { SUM_PLANES, mt_encoded_get_n_rows (encoded), y, { 0.75, 1 } };
  const MtGpuRule rule = { 5, { 7, 1, 4, 2, 0 }, { 0x5af01234 }, 0.5, { 0.6487212707001282, -0.3934693402873666 }, 0 };
  gint64 weights[SUM_PLANES], *at = answers;
  MtGpuScores scores = { SUM_PLANES, planes, weights, -(G_GINT64_CONSTANT (1) << 39), NULL, 0, 0, at };
  g_autoptr (MtSums) sums = mt_sums_new (device, &data, 0, error);

  for (guint i = 0; i < SUM_PLANES; i++)
    {
      weights[i] = ((gint64) i - 3) * (G_GINT64_CONSTANT (1) << 38);
      if (sums == NULL || !mt_sums_put (sums, i, mt_encoded_get_plane (encoded, i), error))
        return FALSE;
    }
  if (!mt_sums_score (sums, &scores, error))
    return FALSE;
  at += SUM_PLANES;
  *at++ = scores.loss;
  *at++ = scores.residual;
  for (guint by = 0; by < 2; by++, at += SUM_PLANES * SUM_PLANES)
    if (!mt_sums_gram (sums, &(MtGpuGram) { by, SUM_PLANES, SUM_PLANES, 1, planes, planes, NULL, FALSE, at }, error))
      return FALSE;
  return mt_sums_gains (sums, &rule, 1, SUM_GAINS, at, error);
}

/* Exact sums are the CPU's, to the last bit. */
static void
check_sums (MtSelftest *self)
{
  enum { N = SUM_PLANES + 2 + 2 * SUM_PLANES * SUM_PLANES + SUM_GAINS };
  gint64 cpu[N] = { 0 }, gpu[N] = { 0 };
  GError *error = NULL;
  g_autofree guint8 *y = NULL;
  g_auto (MtSelftestRows) rows = { 0 };
  guint n_same = 0;

  mt_selftest_rows_init (&rows, &mt_selftest_cases[0]);
  y = g_new (guint8, mt_encoded_get_n_rows (rows.encoded));
  for (gsize i = 0; i < mt_encoded_get_n_rows (rows.encoded); i++)
    y[i] = rows.classes[i] != 0;
  if (ask_for_sums ("cpu", rows.encoded, y, cpu, &error))
    ask_for_sums ("cuda", rows.encoded, y, gpu, &error);
  for (guint i = 0; i < N; i++)
    n_same += cpu[i] == gpu[i];
  mt_selftest_add (self, g_strdup ("exact sums"), n_same == N, g_strdup_printf ("%u of %u the same", n_same, (guint) N),
                   error);
}

/* Without a device every check is listed as skipped, under the names that it would have. */
void
mt_selftest_check_kernels (MtSelftest *self)
{
  static const MtSelftestCase tied = { "binary, ties", MT_TASK_BINARY, MT_NODE_STANDARD, 4, 2, 3, 2, 2, 500, FALSE, TRUE };
  static const char * const names[] = { "equal scores go by the lower literal", "early stopping",
                                        "stopped and gone on with", "metrics while training", "sums of the scan",
                                        "exact sums" };

  if (self->reason != NULL)
    {
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        mt_selftest_add (self, g_strdup (names[i]), FALSE, NULL, NULL);
      return;
    }
  check_ties (self);
  check_stopping (self);
  check_resume (self);
  check_metric (self, &tied);
  for (guint i = 0; i < mt_selftest_n_cases; i++)
    {
      const MtSelftestCase *it = &mt_selftest_cases[i];

      if (it->node == MT_NODE_STANDARD && !it->balanced && it->n_rows >= 700)
        check_metric (self, it);
    }
  check_scan (self);
  check_sums (self);
}
