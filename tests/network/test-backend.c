/* The CPU backend's step against the reference in double: losses and every gradient, for
 * all heads, node kinds and kernel versions, ragged sizes; and independence of threads. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "backend-cases.h"
#include "base/mt-error.h"

static void
check_case (const MtTestCase *it,
            const float      *class_weights,
            const char       *what)
{
  MtBackendJob job = mt_test_case_job (it, (guint) it->n_rows, 2);
  gsize n_params = it->net->layout.n_params;
  g_autofree double *grad = g_new (double, n_params);
  g_autofree float *faulty = NULL;
  double expected = mt_test_case_expect (it, class_weights, grad), got, largest = 0.0, distance;
  const float *gradient;
  gpointer context;

  job.class_weights = class_weights;
  context = mt_backend_cpu.open (&job, NULL);
  got = mt_backend_cpu_step (context, it->order, it->n_rows, 0.01) / (double) it->n_rows;
  if (!(fabs (got - expected) <= 2e-6 * expected))
    g_error ("%s: loss %.9g, not %.9g", what, got, expected);
  gradient = mt_backend_cpu_peek_gradient (context);
  distance = mt_test_gradient_distance (gradient, grad, n_params);
  if (!(distance <= 2e-5))
    g_error ("%s: gradients differ by %g of the largest", what, distance);
  /* The comparator can fail. */
  for (gsize i = 0; i < n_params; i++)
    largest = MAX (largest, fabs (grad[i]));
  faulty = g_memdup2 (gradient, n_params * sizeof (float));
  faulty[n_params / 3] += 1e-4f * (float) largest;
  g_assert_cmpfloat (mt_test_gradient_distance (faulty, grad, n_params), >, 2e-5);
  mt_backend_cpu.close (context);
}

static void
test_step (gconstpointer name)
{
  const MtKernels *kernels = mt_kernels_by_name (name);

  if (kernels == NULL)
    {
      g_test_skip ("this machine does not run it");
      return;
    }
  mt_kernels_use (kernels);
  for (guint i = 0; i < mt_test_n_cases; i++)
    {
      const MtTestCaseShape *shape = &mt_test_cases[i];
      g_auto (MtTestCase) it = { 0 };

      mt_test_case_init (&it, shape->task, shape->kind, shape->n_groups, shape->n_bits, shape->n_nodes,
                         shape->fan_in, shape->n_outputs, shape->n_rows);
      check_case (&it, shape->weighted ? mt_test_class_weights : NULL, shape->what);
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
      g_auto (MtTestCase) it = { 0 };
      g_autofree float *first = NULL;
      gsize size;

      mt_test_case_init (&it, MT_TASK_MULTICLASS, kind, 6, 4, 40, 3, 3, 3000);
      size = it.net->layout.n_params * sizeof (float);
      for (guint t = 0; t < G_N_ELEMENTS (counts); t++)
        {
          MtBackendJob job = mt_test_case_job (&it, 1100, counts[t]);
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
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  g_autofree float *scores = NULL;
  g_autofree double *expected = NULL;
  gpointer context;
  double loss;

  mt_test_case_init (&it, MT_TASK_MULTICLASS, MT_NODE_STANDARD, 6, 4, 20, 4, 3, 1300);
  job = mt_test_case_job (&it, 256, 2);
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
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtEpochStats stats;
  gpointer context;
  double loss;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  job = mt_test_case_job (&it, 10, 1);
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
  g_assert_nonnull (strstr (error->message, "not include GPU support"));
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
