/* The CPU backend's step against the reference in double: losses and every gradient, for
 * all heads, node kinds and kernel versions, ragged sizes; and independence of threads. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-backend-private.h"
#include "mt-error.h"
#include "mt-random.h"
#include "netdata.h"

typedef struct {
  MtEncoded *encoded;
  float     *y;
  MtNet     *net;
  guint32   *rows, *order;
  gsize      n_rows;
} Case;

static void
case_init (Case      *it,
           MtTask     task,
           MtNodeKind kind,
           guint      n_groups,
           guint      n_bits,
           guint      n_nodes,
           guint      fan_in,
           guint      n_outputs,
           gsize      n_rows)
{
  MtNetShape shape = { task, 0, 3, n_outputs, n_nodes, fan_in, kind };
  g_autofree guint8 *in_head = NULL;
  MtRandom random;

  mt_random_init (&random, n_rows + fan_in);
  it->n_rows = n_rows;
  it->encoded = mt_test_encoded (n_groups, n_bits, 3, n_rows, n_rows);
  shape.n_literals = mt_encoded_get_n_literals (it->encoded);
  in_head = g_malloc0 (shape.n_literals);
  for (guint i = 0; i < shape.n_literals; i++)
    in_head[i] = i % 3 != 1;
  it->net = mt_net_new (&shape, in_head, 0.05);
  mt_net_randomise (it->net, 3);
  for (guint c = 0; c < n_outputs; c++)
    for (guint i = 0; i < shape.n_literals; i++)
      if (in_head[i])
        mt_net_set_literal_weight (it->net, c, i, 0.2 * mt_random_normal (&random));
  it->y = g_new (float, n_rows);
  it->order = g_new (guint32, n_rows);
  it->rows = g_new (guint32, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    {
      it->order[r] = it->rows[r] = (guint32) r;
      it->y[r] = task == MT_TASK_REGRESSION
                   ? (float) mt_random_normal (&random)
                   : (float) mt_random_below (&random, task == MT_TASK_BINARY ? 2 : n_outputs);
    }
  mt_random_shuffle (&random, it->order, n_rows);
}

static void
case_clear (Case *it)
{
  mt_encoded_unref (it->encoded);
  mt_net_unref (it->net);
  g_free (it->y);
  g_free (it->order);
  g_free (it->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static MtBackendJob
job_of (const Case *it,
        guint       batch,
        guint       n_threads)
{
  return (MtBackendJob) {
    .net = it->net, .encoded = it->encoded, .y = it->y, .train_rows = it->rows, .n_train = it->n_rows,
    .topk = &mt_topk_soft, .batch = batch,
    .n_threads = n_threads, .weight_decay = 3e-4f, .clip = 1.0f, .divide_by_tau = TRUE,
  };
}

/* Largest difference of a part of the gradient, as a share of the whole gradient's largest value. */
static double
part_distance (const float  *got,
               const double *expected,
               gsize         first,
               gsize         n,
               double        largest)
{
  double worst = 0.0;

  for (gsize i = first; i < first + n; i++)
    worst = MAX (worst, fabs ((double) got[i] - expected[i]));
  return worst / largest;
}

static void
check_case (const Case  *it,
            const float *class_weights,
            const char  *what)
{
  MtBackendJob job = job_of (it, (guint) it->n_rows, 2);
  gsize n_params = it->net->layout.n_params;
  g_autofree double *params = g_new (double, n_params), *grad = g_new (double, n_params);
  g_autofree float *weight = NULL, *faulty = NULL;
  double expected, got, largest = 0.0, distance;
  const float *gradient;
  gpointer context;

  for (gsize i = 0; i < n_params; i++)
    params[i] = it->net->params[i];
  if (class_weights != NULL)
    {
      weight = g_new (float, it->n_rows);
      for (gsize r = 0; r < it->n_rows; r++)
        weight[r] = class_weights[(guint) it->y[r]];
      job.class_weights = class_weights;
    }
  expected = mt_net_reference (it->net, params, it->encoded, it->order, it->n_rows, it->y, weight,
                               MT_REFERENCE_HARD, grad);
  context = mt_backend_cpu.open (&job, NULL);
  got = mt_backend_cpu_step (context, it->order, it->n_rows, 0.01) / (double) it->n_rows;
  if (!(fabs (got - expected) <= 2e-6 * expected))
    g_error ("%s: loss %.9g, not %.9g", what, got, expected);
  gradient = mt_backend_cpu_peek_gradient (context);
  for (gsize i = 0; i < n_params; i++)
    largest = MAX (largest, fabs (grad[i]));
  distance = part_distance (gradient, grad, 0, n_params, largest);
  if (!(distance <= 2e-5))
    g_error ("%s: gradients differ by %g of the largest, %g", what, distance, largest);
  /* The comparator can fail. */
  faulty = g_memdup2 (gradient, n_params * sizeof (float));
  faulty[n_params / 3] += 1e-4f * (float) largest;
  g_assert_cmpfloat (part_distance (faulty, grad, 0, n_params, largest), >, 2e-5);
  mt_backend_cpu.close (context);
}

static void
test_step (gconstpointer name)
{
  const MtKernels *kernels = mt_kernels_by_name (name);
  const float weights[5] = { 0.5f, 2.0f, 1.0f, 1.5f, 0.25f };
  const struct {
    const char *what;
    MtTask task;
    MtNodeKind kind;
    guint n_groups, n_bits, n_nodes, fan_in, n_outputs;
    gsize n_rows;
    gboolean weighted;
  } cases[] = {
    { "one node", MT_TASK_BINARY, MT_NODE_STANDARD, 2, 3, 1, 1, 1, 1, FALSE },
    { "binary", MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 17, 3, 1, 700, FALSE },
    { "binary weighted", MT_TASK_BINARY, MT_NODE_STANDARD, 18, 4, 33, 6, 1, 1025, TRUE },
    { "many bits", MT_TASK_BINARY, MT_NODE_STANDARD, 3, 90, 5, 4, 1, 600, FALSE },
    { "wide node", MT_TASK_BINARY, MT_NODE_STANDARD, 8, 5, 9, 12, 1, 511, FALSE },
    { "all inputs", MT_TASK_BINARY, MT_NODE_STANDARD, 1, 4, 3, 4, 1, 100, FALSE },
    { "multiclass", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 4, 12, 5, 5, 777, FALSE },
    { "multiclass weighted", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 20, 12, 5, 5, 513, TRUE },
    { "regression", MT_TASK_REGRESSION, MT_NODE_STANDARD, 9, 6, 20, 8, 1, 1000, FALSE },
    { "deep", MT_TASK_BINARY, MT_NODE_DEEP, 5, 3, 17, 3, 1, 530, FALSE },
    { "deep multiclass", MT_TASK_MULTICLASS, MT_NODE_DEEP, 5, 3, 4, 4, 3, 300, FALSE },
    { "deep regression", MT_TASK_REGRESSION, MT_NODE_DEEP, 4, 3, 2, 5, 1, 200, FALSE },
  };

  if (kernels == NULL)
    {
      g_test_skip ("this machine does not run it");
      return;
    }
  mt_kernels_use (kernels);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) it = { 0 };

      case_init (&it, cases[i].task, cases[i].kind, cases[i].n_groups, cases[i].n_bits, cases[i].n_nodes,
                 cases[i].fan_in, cases[i].n_outputs, cases[i].n_rows);
      check_case (&it, cases[i].weighted ? weights : NULL, cases[i].what);
    }
  mt_kernels_use (NULL);
}

/* Three epochs of several steps: the same bytes whatever the number of threads. */
static void
test_threads (void)
{
  const guint counts[] = { 1, 2, 3, 8 };

  for (MtNodeKind kind = MT_NODE_STANDARD; kind <= MT_NODE_DEEP; kind++)
    {
      g_auto (Case) it = { 0 };
      g_autofree float *first = NULL;
      gsize size;

      case_init (&it, MT_TASK_MULTICLASS, kind, 6, 4, 40, 3, 3, 3000);
      size = it.net->layout.n_params * sizeof (float);
      for (guint t = 0; t < G_N_ELEMENTS (counts); t++)
        {
          MtBackendJob job = job_of (&it, 1100, counts[t]);
          gpointer context = mt_backend_cpu.open (&job, NULL);
          g_autofree float *params = g_malloc (size);
          MtNetState state = { .params = params };

          for (guint epoch = 0; epoch < 3; epoch++)
            {
              MtEpochStats stats;

              g_assert_true (mt_backend_cpu.run_epoch (context, it.order, it.n_rows, 0.01, NULL, &stats,
                                                       NULL));
              g_assert_cmpuint (stats.n_steps, ==, 3);
            }
          g_assert_true (mt_backend_cpu.read (context, &state, NULL));
          mt_backend_cpu.close (context);
          if (first == NULL)
            first = g_steal_pointer (&params);
          else
            g_assert_cmpmem (first, size, params, size);
        }
    }
}

/* Scores of the validation rows are those of the net in double. */
static void
test_evaluate (void)
{
  g_auto (Case) it = { 0 };
  MtBackendJob job;
  g_autofree float *scores = NULL;
  g_autofree double *expected = NULL;
  gpointer context;
  double loss;

  case_init (&it, MT_TASK_MULTICLASS, MT_NODE_STANDARD, 6, 4, 20, 4, 3, 1300);
  job = job_of (&it, 256, 2);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  scores = g_new (float, 3 * it.n_rows);
  expected = g_new (double, 3 * it.n_rows);
  context = mt_backend_cpu.open (&job, NULL);
  g_assert_true (mt_backend_cpu.evaluate (context, NULL, &loss, scores, NULL));
  mt_net_score (it.net, it.encoded, expected);
  for (gsize i = 0; i < 3 * it.n_rows; i++)
    g_assert_cmpfloat (fabs ((double) scores[i] - expected[i]), <, 1e-5);
  mt_backend_cpu.close (context);
}

static void
test_cancelled (void)
{
  g_auto (Case) it = { 0 };
  MtBackendJob job;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtEpochStats stats;
  gpointer context;
  double loss;

  case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  job = job_of (&it, 10, 1);
  context = mt_backend_cpu.open (&job, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_backend_cpu.run_epoch (context, it.order, 100, 0.01, cancellable, &stats, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (mt_backend_cpu.evaluate (context, cancellable, &loss, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  mt_backend_cpu.close (context);
}

/* A second backend, to see the choice: it probes as @fake_works says. */
static gboolean fake_works;

static gboolean
fake_probe (GError **error)
{
  if (!fake_works)
    g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, "no device was found");
  return fake_works;
}

static void
test_choice (void)
{
  const MtBackendOps fake = { .name = "cuda", .probe = fake_probe };
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  g_assert_true (mt_backend_find ("cpu", NULL) == &mt_backend_cpu);
  g_assert_true (mt_backend_find ("auto", NULL) == &mt_backend_cpu);
  g_assert_true (mt_backend_find (NULL, NULL) == &mt_backend_cpu);
  name = mt_backend_dup_name ("auto", NULL);
  g_assert_true (g_str_has_prefix (name, "cpu ("));
  g_assert_null (mt_backend_find ("cuda", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "without its CUDA module"));
  g_clear_error (&error);
  g_assert_null (mt_backend_dup_name ("abacus", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "abacus"));
  g_clear_error (&error);

  mt_backend_register (&fake);
  g_assert_null (mt_backend_find ("cuda", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_true (mt_backend_find ("auto", NULL) == &mt_backend_cpu);
  fake_works = TRUE;
  g_assert_true (mt_backend_find ("auto", NULL) == &fake);
  g_assert_true (mt_backend_find ("cuda", NULL) == &fake);
  mt_backend_register (NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/backend/step-equals-reference/scalar", "scalar", test_step);
  g_test_add_data_func ("/backend/step-equals-reference/avx2", "avx2", test_step);
  g_test_add_data_func ("/backend/step-equals-reference/avx512", "avx512", test_step);
  g_test_add_func ("/backend/same-bytes-for-any-threads", test_threads);
  g_test_add_func ("/backend/evaluate", test_evaluate);
  g_test_add_func ("/backend/cancelled", test_cancelled);
  g_test_add_func ("/backend/choice", test_choice);
  return g_test_run ();
}
