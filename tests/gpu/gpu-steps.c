#include "config.h"
#include "gpu-steps.h"

#include <string.h>

void
gpu_use_host (uint64_t seed,
              guint    n_threads)
{
  mt_host_reset (seed);
  mt_host_pretend (13000, 1);
  mt_gpu_host_threads = n_threads;
  mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
}

gpointer
gpu_open_one (const MtBackendJob *job,
              guint64             memory,
              GError            **error)
{
  static const MtStopRule rule = { 0.01, 1000, 1000, 1000 };
  guint n_opened = 0;
  gpointer context = mt_backend_cuda_many.open (job, &rule, 1, memory, &n_opened, error);

  g_assert_true (context == NULL || n_opened == 1);
  return context;
}

float *
gpu_run_step (const MtTestCase *it,
              const float      *class_weights,
              float             clip,
              float             weight_decay,
              double           *loss,
              MtTrainState     *after)
{
  MtBackendJob job = mt_test_case_job (it, (guint) it->n_rows, 1);
  float *gradient = g_new0 (float, it->net->layout.n_params);
  g_autoptr (GError) error = NULL;
  MtManyStanding standing;
  gpointer context;

  job.class_weights = class_weights;
  job.clip = clip;
  job.weight_decay = weight_decay;
  context = gpu_open_one (&job, 0, &error);
  g_assert_no_error (error);
  g_assert_true (mt_backend_cuda_many.run_epoch (context, NULL, &standing, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (standing.n_steps, ==, 1);
  g_assert_cmpuint (standing.n_rows, ==, it->n_rows);
  *loss = standing.train_loss;
  g_assert_true (mt_backend_cuda_read_gradient (context, 0, gradient, &error));
  if (after != NULL)
    g_assert_true (mt_backend_cuda_many.read (context, 0, after, &error));
  mt_backend_cuda_many.close (context);
  g_assert_null (mt_host_get_fault ());
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  return gradient;
}
