/* The CUDA backend with its real kernels run on the CPU: every case of the CPU backend's test against
 * the reference, any order of threads, whole trainings beside the CPU's, and every way to fail. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "backend-cases.h"
#include "host/mt-gpu-host-control.h"
#include "mt-backend-cuda.h"
#include "mt-error.h"
#include "mt-kernels-private.h"
#include "mt-selftest.h"
#include "mt-train-private.h"
#include "sample-data.h"

#define OUT_OF_MEMORY 2          /* cudaError_t */
#define LAUNCH_FAILED 719

const MtGpuApi *mt_gpu_module_get (uint32_t version);

static void
use_host (uint64_t seed,
          guint    n_threads)
{
  mt_host_reset (seed);
  mt_host_pretend (13000, 1);
  mt_gpu_host_threads = n_threads;
  mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
}

static void
fill_order (guint    index,
            guint    epoch,
            guint32 *order,
            gpointer user_data)
{
  const MtTestCase *it = user_data;

  memcpy (order, it->order, it->n_rows * sizeof *order);
}

static gpointer
open_one (const MtBackendJob *job,
          guint64             memory,
          GError            **error)
{
  static const MtStopRule rule = { 0.01, 1000, 1000, 1000 };
  guint n_opened = 0;
  gpointer context = mt_backend_cuda_many.open (job, &rule, 1, memory, &n_opened, error);

  g_assert_true (context == NULL || n_opened == 1);
  return context;
}

static float *
read_params (gpointer context,
             gsize    n)
{
  MtTrainState state;
  float *params = g_new (float, n);
  g_autoptr (GError) error = NULL;

  mt_train_state_init (&state, n);
  g_assert_true (mt_backend_cuda_many.read (context, 0, &state, &error));
  g_assert_no_error (error);
  memcpy (params, state.last.params, n * sizeof (float));
  mt_train_state_clear (&state);
  return params;
}

/* --- one step --- */

/* The gradient of one step over all rows, and its loss. */
static float *
run_step (const MtTestCase *it,
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
  context = open_one (&job, 0, &error);
  g_assert_no_error (error);
  g_assert_true (mt_backend_cuda_many.run_epoch (context, fill_order, (gpointer) it, NULL, &standing, &error));
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

/* The same on the CPU. */
static float *
run_cpu_step (const MtTestCase *it,
              const float      *class_weights,
              double           *loss)
{
  MtBackendJob job = mt_test_case_job (it, (guint) it->n_rows, 1);
  float *gradient;
  gpointer context;

  job.class_weights = class_weights;
  context = mt_backend_cpu.open (&job, NULL);
  *loss = mt_backend_cpu_step (context, it->order, it->n_rows, 0.01) / (double) it->n_rows;
  gradient = g_memdup2 (mt_backend_cpu_peek_gradient (context), it->net->layout.n_params * sizeof (float));
  mt_backend_cpu.close (context);
  return gradient;
}

/* One list of cases, and who computes them. */
typedef enum {
  ENGINE_SCALAR,
  ENGINE_AVX2,
  ENGINE_HOST,          /* CUDA on the CPU */
  ENGINE_DEVICE,
  N_ENGINES,
} Engine;

static const char * const engine_names[N_ENGINES] = { "scalar", "avx2", "cuda-on-host", "cuda" };

typedef struct {
  const MtTestCaseShape *shape;
  Engine                 engine;
} Cell;

/* FALSE after a skip that says why. */
static gboolean
use_engine (Engine engine)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  if (engine <= ENGINE_AVX2)
    {
      const MtKernels *kernels = mt_kernels_by_name (engine_names[engine]);

      if (kernels == NULL)
        g_test_skip ("this CPU has no such kernels");
      mt_kernels_use (kernels);
      return kernels != NULL;
    }
  use_host (0, 32);
  if (engine == ENGINE_HOST)
    return TRUE;
  mt_backend_cuda_use (NULL);
  name = mt_backend_dup_name ("cuda", &error);
  if (name == NULL)
    g_test_skip (error->message);
  return name != NULL;
}

static void
test_step (gconstpointer data)
{
  const Cell *cell = data;
  const MtTestCaseShape *shape = cell->shape;
  const float *class_weights = shape->weighted ? mt_test_class_weights : NULL;
  g_auto (MtTestCase) it = { 0 };
  g_autofree double *grad = NULL;
  g_autofree float *first = NULL, *again = NULL, *wide = NULL, *faulty = NULL;
  double expected, loss, distance, largest = 0.0;
  gsize n;

  mt_test_case_init (&it, shape->task, shape->kind, shape->n_groups, shape->n_bits, shape->n_nodes, shape->fan_in,
                     shape->n_outputs, shape->n_rows);
  n = it.net->layout.n_params;
  grad = g_new (double, n);
  expected = mt_test_case_expect (&it, class_weights, grad);

  if (!use_engine (cell->engine))
    return;
  first = cell->engine <= ENGINE_AVX2 ? run_cpu_step (&it, class_weights, &loss)
                                      : run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
  mt_kernels_use (NULL);
  if (!(fabs (loss - expected) <= 2e-6 * expected))
    g_error ("loss %.9g, not %.9g", loss, expected);
  distance = mt_test_gradient_distance (first, grad, n);
  if (!(distance <= 2e-5))
    g_error ("gradients differ by %g of the largest", distance);
  /* The comparator can fail. */
  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, fabs (grad[i]));
  faulty = g_memdup2 (first, n * sizeof (float));
  faulty[n / 3] += 1e-4f * (float) largest;
  g_assert_cmpfloat (mt_test_gradient_distance (faulty, grad, n), >, 2e-5);
  if (cell->engine != ENGINE_HOST)
    return;

  /* Another order of threads: the same bytes. Another size of blocks: within the bound. */
  use_host (7, 32);
  again = run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
  g_assert_cmpmem (again, n * sizeof (float), first, n * sizeof (float));
  use_host (3, 128);
  wide = run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
  g_assert_cmpfloat (mt_test_gradient_distance (wide, grad, n), <=, 2e-5);
}

/* AdamW as on the CPU: parameters and moments after one step. Clip and decay are none, or large
 * enough to matter. */
static void
check_update (float clip,
              float weight_decay)
{
  g_auto (MtTestCase) it = { 0 };
  gsize n;
  g_autofree float *memory = NULL, *gradient = NULL;
  g_auto (MtTrainState) after = { 0 };
  MtNetState gpu, cpu;
  MtBackendJob job;
  gpointer context;
  double loss;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 6, 4, 20, 4, 1, 300);
  n = it.net->layout.n_params;
  memory = g_new0 (float, 3 * n);
  cpu = (MtNetState) { memory, memory + n, memory + 2 * n };
  use_host (1, 64);
  mt_train_state_init (&after, n);
  gradient = run_step (&it, NULL, clip, weight_decay, &loss, &after);
  gpu = after.last;
  job = mt_test_case_job (&it, (guint) it.n_rows, 1);
  job.clip = clip;
  job.weight_decay = weight_decay;
  context = mt_backend_cpu.open (&job, NULL);
  mt_backend_cpu_step (context, it.order, it.n_rows, 0.01);
  g_assert_true (mt_backend_cpu.read (context, &cpu, NULL));
  mt_backend_cpu.close (context);
  g_assert_cmpuint (gpu.n_steps, ==, cpu.n_steps);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpfloat (fabsf (gpu.mean[i] - cpu.mean[i]), <=, 2e-6f);
      g_assert_cmpfloat (fabsf (gpu.square[i] - cpu.square[i]), <=, 2e-7f);
      /* AdamW's first step is the gradient's sign: only where that is certain. */
      if (fabsf (cpu.mean[i]) > 1e-5f)
        g_assert_cmpfloat (fabsf (gpu.params[i] - cpu.params[i]), <=, 1e-4f);
    }
}

static void
test_update (void)
{
  check_update (0.0f, 0.0f);
  check_update (0.01f, 0.5f);
}

/* Scores of the choice that are equal go by the lower literal, within a thread and across threads: else
 * nodes would answer otherwise than the net in double. */
static void
test_ties (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  g_autofree float *scores = NULL;
  g_autofree double *expected = NULL;
  g_autoptr (GError) error = NULL;
  gpointer context;
  double loss;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 12, 9, 20, 5, 1, 300);
  for (guint j = 0; j < 20; j++)
    for (guint i = 0; i < it.net->shape.n_literals; i++)
      it.net->params[mt_net_at (&it.net->layout, it.net->layout.map, i, j)] = (float) ((i * 7 + j) % (1 + j % 4));
  scores = g_new (float, it.n_rows);
  expected = g_new (double, it.n_rows);
  mt_net_score (it.net, it.encoded, expected);
  job = mt_test_case_job (&it, 256, 1);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  for (guint n_threads = 32; n_threads <= 256; n_threads *= 2)
    {
      use_host (n_threads, n_threads);
      context = open_one (&job, 0, &error);
      g_assert_no_error (error);
      g_assert_true (mt_backend_cuda_many.score (context, 0, it.net->params, &loss, scores, &error));
      mt_backend_cuda_many.close (context);
      for (gsize r = 0; r < it.n_rows; r++)
        g_assert_cmpfloat (fabs ((double) scores[r] - expected[r]), <, 1e-5);
    }
}

static void
test_evaluate (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  g_autofree float *scores = NULL;
  g_autofree double *expected = NULL;
  g_autoptr (GError) error = NULL;
  gpointer context;
  double loss, loss_cpu;

  mt_test_case_init (&it, MT_TASK_MULTICLASS, MT_NODE_STANDARD, 6, 4, 20, 4, 3, 1300);
  use_host (5, 32);
  job = mt_test_case_job (&it, 256, 1);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  scores = g_new (float, 3 * it.n_rows);
  expected = g_new (double, 3 * it.n_rows);
  context = open_one (&job, 0, &error);
  g_assert_no_error (error);
  g_assert_true (mt_backend_cuda_many.score (context, 0, it.net->params, &loss, scores, &error));
  mt_backend_cuda_many.close (context);
  mt_net_score (it.net, it.encoded, expected);
  for (gsize i = 0; i < 3 * it.n_rows; i++)
    g_assert_cmpfloat (fabs ((double) scores[i] - expected[i]), <, 1e-5);
  context = mt_backend_cpu.open (&job, NULL);
  g_assert_true (mt_backend_cpu.evaluate (context, NULL, &loss_cpu, NULL, NULL));
  g_assert_cmpfloat (fabs (loss - loss_cpu), <=, 2e-6 * loss_cpu);
  mt_backend_cpu.close (context);
}

/* --- the scan --- */

/* Against sums in double; every literal a ragged number of words. */
static void
test_pairs (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autofree double *r = NULL, *h = NULL;
  g_autofree float *sum_r = NULL, *sum_h = NULL;
  g_autoptr (GError) error = NULL;
  double worst = 0.0;
  guint n;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 4, 2, 1, 1333);
  n = mt_encoded_get_n_literals (it.encoded);
  r = g_new (double, it.n_rows);
  h = g_new (double, it.n_rows);
  for (gsize i = 0; i < it.n_rows; i++)
    {
      r[i] = sin ((double) i);
      h[i] = 0.25 + 0.2 * cos ((double) i * 0.3);
    }
  sum_r = g_new (float, (gsize) n * n);
  sum_h = g_new (float, (gsize) n * n);
  use_host (9, 32);
  mt_backend_cuda_sum_pairs (it.encoded, r, h, 0, sum_r, sum_h, &error);
  g_assert_no_error (error);
  for (guint a = 0; a < n; a++)
    for (guint b = a; b < n; b++)
      {
        const guint64 *x = mt_encoded_get_plane (it.encoded, a), *y = mt_encoded_get_plane (it.encoded, b);
        double expected_r = 0.0, expected_h = 0.0;

        for (gsize i = 0; i < it.n_rows; i++)
          if (x[i / 64] & y[i / 64] & (G_GUINT64_CONSTANT (1) << i % 64))
            {
              expected_r += r[i];
              expected_h += h[i];
            }
        worst = MAX (worst, fabs ((double) sum_r[a * n + b] - expected_r));
        worst = MAX (worst, fabs ((double) sum_h[a * n + b] - expected_h));
      }
  g_test_message ("%u literals: sums differ by %g at most", n, worst);
  g_assert_cmpfloat (worst, <, 1e-4);
  g_assert_cmpfloat (worst, >, 0.0);
  g_assert_null (mt_host_get_fault ());
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  mt_host_fail_at (3, LAUNCH_FAILED);
  g_assert_false (mt_backend_cuda_sum_pairs (it.encoded, r, h, 0, sum_r, sum_h, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_clear_error (&error);
  /* No more memory than was allowed. */
  mt_host_reset (0);
  g_assert_false (mt_backend_cuda_sum_pairs (it.encoded, r, h, 10000, sum_r, sum_h, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "the scan needs"));
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  mt_host_reset (0);
}

/* Nodes start at the same conjunctions, whoever makes the sums. */
static void
test_scan (gconstpointer data)
{
  const char * const *names = data;
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (GArray) cpu = NULL, gpu = NULL;
  MtTrainData all;

  mt_test_sample_init (&sample, names[0], names[1]);
  all = mt_test_sample_get_data (&sample);
  use_host (4, 32);
  cpu = mt_train_find_start (all.encoded, all.task, all.task == MT_TASK_MULTICLASS ? all.n_classes : 1,
                             sample.rows->values, NULL, 8, 3, NULL, NULL, 0, NULL, NULL);
  gpu = mt_train_find_start (all.encoded, all.task, all.task == MT_TASK_MULTICLASS ? all.n_classes : 1,
                             sample.rows->values, NULL, 8, 3, NULL, "cuda", 0, NULL, NULL);
  g_assert_cmpuint (cpu->len, >, 2);
  g_assert_cmpuint (gpu->len, ==, cpu->len);
  for (guint j = 0; j < cpu->len; j++)
    {
      const MtNetNode *a = &g_array_index (cpu, MtNetNode, j), *b = &g_array_index (gpu, MtNetNode, j);

      g_assert_cmpuint (a->n_inputs, ==, b->n_inputs);
      g_assert_cmpmem (a->inputs, a->n_inputs * sizeof *a->inputs, b->inputs, b->n_inputs * sizeof *b->inputs);
    }
}

/* --- whole trainings --- */

static MtTrainResult *
train (const MtTrainData *data,
       const char        *device,
       guint              max_epochs,
       GBytes            *resume,
       GError           **error)
{
  MtTrainOptions options;
  MtTrainResult *result = NULL;

  mt_train_options_init (&options);
  options.n_nodes = 8;
  options.fan_in = 4;
  options.start = MT_START_RANDOM;
  options.max_epochs = max_epochs;
  options.patience = options.plateau = 1000;
  options.batch = (int) MAX (mt_encoded_get_n_rows (data->encoded) / 4, 64);
  options.n_threads = 1;
  options.device = device;
  mt_train_run (data, &options, NULL, 0, resume, NULL, NULL, NULL, &result, error);
  return result;
}

/* Twenty steps and more: the same inputs of every node, the same truth tables, near the same losses. */
static void
check_training (const char *file,
                const char *target)
{
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (MtTrainResult) gpu = NULL, cpu = NULL;
  g_autoptr (GError) error = NULL;
  MtTrainData data;

  mt_test_sample_init (&sample, file, target);
  data = mt_test_sample_get_data (&sample);
  use_host (11, 32);
  cpu = train (&data, "cpu", 6, NULL, &error);
  g_assert_no_error (error);
  gpu = train (&data, "cuda", 6, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gpu->n_steps, ==, cpu->n_steps);
  g_assert_cmpuint (gpu->n_steps, >=, 20);
  g_assert_cmpstr (gpu->engine, ==, "cuda");
  for (guint j = 0; j < 8; j++)
    {
      guint64 table_gpu = 0, table_cpu = 0;
      MtNetNode a, b;

      mt_net_read_node (gpu->net, j, &a);
      mt_net_read_node (cpu->net, j, &b);
      g_assert_cmpuint (a.n_inputs, ==, b.n_inputs);
      g_assert_cmpmem (a.inputs, a.n_inputs * sizeof (guint32), b.inputs, b.n_inputs * sizeof (guint32));
      mt_net_fill_table (gpu->net, j, &table_gpu);
      mt_net_fill_table (cpu->net, j, &table_cpu);
      g_assert_cmphex (table_gpu, ==, table_cpu);
    }
  g_test_message ("%s: %u steps, losses %.9g and %.9g", file, (guint) gpu->n_steps, gpu->train_loss, cpu->train_loss);
  g_assert_cmpfloat (fabs (gpu->train_loss - cpu->train_loss), <=, 1e-4 * cpu->train_loss);
  g_assert_cmpfloat (fabs (gpu->valid_loss - cpu->valid_loss), <=, 1e-4 * cpu->valid_loss);
}

/* Two hundred steps: roundings have grown, and a node may have come to another input; but what was
 * learnt is as good. */
static void
check_long_training (const char *file,
                     const char *target)
{
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (MtTrainResult) gpu = NULL, cpu = NULL;
  g_autoptr (GError) error = NULL;
  MtTrainData data;
  guint n_same = 0;

  mt_test_sample_init (&sample, file, target);
  data = mt_test_sample_get_data (&sample);
  use_host (12, 32);
  cpu = train (&data, "cpu", 50, NULL, &error);
  gpu = train (&data, "cuda", 50, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gpu->n_steps, ==, 200);
  for (guint j = 0; j < 8; j++)
    {
      MtNetNode a, b;

      mt_net_read_node (gpu->net, j, &a);
      mt_net_read_node (cpu->net, j, &b);
      n_same += memcmp (a.inputs, b.inputs, a.n_inputs * sizeof (guint32)) == 0;
    }
  g_test_message ("%s: best losses %.9g and %.9g, %u of 8 nodes with the same inputs", file, gpu->valid_loss,
                  cpu->valid_loss, n_same);
  g_assert_cmpfloat (fabs (gpu->valid_loss - cpu->valid_loss), <=, 1e-3 * cpu->valid_loss);
}

static void
test_long_training (gconstpointer data)
{
  const char * const *names = data;

  check_long_training (names[0], names[1]);
}

static void
test_training (gconstpointer data)
{
  const char * const *names = data;

  check_training (names[0], names[1]);
}

/* The device dies in the third epoch: the error says so, what was reached comes back, and the CPU
 * goes on from there. */
static void
test_lost (void)
{
  g_autoptr (MtTrainResult) stopped = NULL, whole = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *classes = NULL;
  g_auto (MtTestCase) it = { 0 };
  MtTrainData data;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 6, 4, 8, 4, 1, 300);
  classes = g_new (guint32, it.n_rows);
  for (gsize r = 0; r < it.n_rows; r++)
    classes[r] = (guint32) it.y[r];
  data = (MtTrainData) { it.encoded, MT_TASK_BINARY, 2, classes, NULL };
  use_host (0, 32);
  mt_host_fail_at (250, LAUNCH_FAILED);
  stopped = train (&data, "cuda", 50, NULL, &error);
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "the GPU failed"));
  g_assert_nonnull (strstr (error->message, "the CPU can go on"));
  g_clear_error (&error);
  g_assert_nonnull (stopped);
  g_assert_true (stopped->stopped);
  g_assert_cmpuint (stopped->n_epochs, >=, 1);
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  mt_host_reset (0);
  whole = train (&data, "cpu", 50, stopped->state, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (whole->n_epochs, ==, 50);
}

/* --- what cannot be --- */

static void
refuse (const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = mt_backend_dup_name ("cuda", &error);

  g_assert_null (name);
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' was to be told, not '%s'", message, error->message);
}

static void
test_probe (void)
{
  g_autofree char *name = NULL, *about = NULL;

  use_host (0, 32);
  name = mt_backend_dup_name ("cuda", NULL);
  g_assert_cmpstr (name, ==, "cuda");
  about = mt_backend_dup_about ("cuda", NULL);
  g_assert_cmpstr (about, ==, "CUDA on the CPU, compute capability 7.5, 1.1\302\240GB");
  mt_host_pretend (0, 0);
  refuse ("no NVIDIA driver");
  mt_host_pretend (12040, 1);
  refuse ("knows CUDA 12.4; the CUDA module needs 13.0");
  mt_host_pretend (13000, 0);
  refuse ("no device");
  mt_host_pretend (13000, 1);
  mt_host_pretend_capability (0, 6, 1);
  refuse ("its compute capability is 6.1, and the CUDA module needs 7.5; use the CPU");
  mt_host_pretend (13000, 1);
  g_assert_null (mt_gpu_module_get (MT_GPU_API_VERSION + 1));
}

static void
test_list (void)
{
  g_autoptr (GPtrArray) two = NULL, none = NULL;
  const MtBackendDevice *device;

  use_host (0, 32);
  mt_host_pretend (13000, 2);
  two = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (two->len, ==, 3);
  device = g_ptr_array_index (two, 0);
  g_assert_cmpstr (device->id, ==, "cpu");
  g_assert_null (device->reason);
  device = g_ptr_array_index (two, 1);
  g_assert_cmpstr (device->id, ==, "cuda");
  g_assert_cmpstr (device->name, ==, "CUDA on the CPU");
  g_assert_cmpstr (device->capability, ==, "7.5");
  g_assert_cmpuint (device->memory, ==, 1 << 30);
  g_assert_null (device->reason);
  device = g_ptr_array_index (two, 2);
  g_assert_cmpstr (device->id, ==, "cuda:1");
  g_assert_nonnull (strstr (device->reason, "the first device"));
  mt_host_pretend (0, 0);
  none = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (none->len, ==, 2);
  device = g_ptr_array_index (none, 1);
  g_assert_nonnull (strstr (device->reason, "no NVIDIA driver"));
  mt_host_pretend (13000, 1);
}

/* The first device is too old, as a Pascal under a driver of CUDA 13: it says so, and training takes the second. */
static void
test_second_device (void)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_auto (MtTestCase) it = { 0 };
  g_autofree float *gradient = NULL;
  const MtBackendDevice *device;
  double loss;

  use_host (0, 32);
  mt_host_pretend (13000, 3);
  mt_host_pretend_capability (0, 6, 1);
  mt_host_pretend_capability (1, 9, 0);
  devices = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (devices->len, ==, 4);
  device = g_ptr_array_index (devices, 1);
  g_assert_nonnull (strstr (device->reason, "compute capability is 6.1"));
  device = g_ptr_array_index (devices, 2);
  g_assert_cmpstr (device->id, ==, "cuda:1");
  g_assert_null (device->reason);
  g_assert_cmpuint (device->free_memory, ==, 1 << 30);
  device = g_ptr_array_index (devices, 3);
  g_assert_nonnull (strstr (device->reason, "the first device that can be used"));
  g_assert_cmpuint (device->free_memory, ==, 0);
  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  gradient = run_step (&it, NULL, 1.0f, 0.0f, &loss, NULL);
  g_assert_cmpint (mt_host_get_device (), ==, 1);
  mt_host_pretend (13000, 1);
}

/* The self-test looks at the device that training takes, and tells the versions. */
static void
test_selftest_device (void)
{
  g_autoptr (MtSelftest) test = NULL, none = NULL;

  use_host (0, 32);
  mt_host_pretend (13010, 2);
  mt_host_pretend_capability (0, 6, 1);
  mt_host_fail_call ("cudaMalloc", 1, LAUNCH_FAILED);      /* this is not about results */
  test = mt_selftest_run (FALSE);
  g_assert_cmpstr (test->device, ==, "CUDA on the CPU, compute capability 7.5, 1 multiprocessors, 1.1 GB");
  g_assert_cmpstr (test->module, ==, "cuda-on-host, built with CUDA 13.0; the driver knows 13.1");
  g_assert_null (test->reason);
  g_assert_false (test->passed);
  mt_host_reset (0);
  mt_host_pretend (0, 0);
  none = mt_selftest_run (FALSE);
  g_assert_nonnull (strstr (none->reason, "no NVIDIA driver"));
  g_assert_cmpstr (none->module, ==, "cuda-on-host, built with CUDA 13.0");
  use_host (0, 32);
}

/* Asked on the main thread of a window: nothing may be opened, for that takes tenths of a second. */
static void
test_probe_opens_nothing (void)
{
  static const char * const calls[] = { "cudaSetDevice", "cudaMemGetInfo", "cudaFuncGetAttributes" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *name = NULL;

      use_host (0, 32);
      mt_host_fail_call (calls[i], 1, LAUNCH_FAILED);
      name = mt_backend_dup_name ("cuda", NULL);
      g_assert_nonnull (name);
      g_assert_cmpuint (mt_host_get_calls_left (), ==, 1);
    }
  mt_host_reset (0);
}

/* Kernels that do not load on the device: told by the list, and by a training before it has begun. */
static void
test_kernels_do_not_load (void)
{
  const struct {
    int         error;
    const char *message;
  } reasons[] = {
    { 209, "no kernel image" },
    { 222, "install a newer driver" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr (GPtrArray) devices = NULL;
      g_auto (MtTestCase) it = { 0 };
      g_autoptr (GError) error = NULL;
      const MtBackendDevice *device;
      MtBackendJob job;

      use_host (0, 32);
      mt_host_pretend_kernels (reasons[i].error);
      devices = mt_backend_list_devices (TRUE);
      device = g_ptr_array_index (devices, 1);
      g_assert_nonnull (device->reason);
      g_assert_nonnull (strstr (device->reason, reasons[i].message));
      mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
      job = mt_test_case_job (&it, 50, 1);
      g_assert_null (open_one (&job, 0, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, reasons[i].message));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
    }
  use_host (0, 32);
}

static void
test_module (void)
{
  g_autofree char *text = g_build_filename (g_get_tmp_dir (), "minterm-no-module.so", NULL);

  mt_backend_cuda_use (NULL);
  g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
  refuse ("without its CUDA module");
  g_assert_true (g_file_set_contents (text, "not a module", -1, NULL));
  g_setenv ("MINTERM_CUDA_MODULE", text, TRUE);
  refuse ("cannot be loaded");
  g_remove (text);
  if (g_getenv ("MINTERM_CUDA_OTHER") != NULL)
    {
      g_setenv ("MINTERM_CUDA_MODULE", g_getenv ("MINTERM_CUDA_OTHER"), TRUE);
      refuse ("belongs to another version of this program; use the CPU");
    }
  g_unsetenv ("MINTERM_CUDA_MODULE");
}

/* Each call of the opening fails once: an error that says which, and nothing left behind. */
static void
test_open_fails (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  guint n_failed = 0;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_DEEP, 3, 3, 4, 2, 1, 100);
  job = mt_test_case_job (&it, 50, 1);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  for (guint n = 1; n < 200; n++)
    {
      g_autoptr (GError) error = NULL;
      gpointer context;

      use_host (0, 32);
      mt_host_fail_at (n, n % 2 ? OUT_OF_MEMORY : LAUNCH_FAILED);
      context = open_one (&job, 0, &error);
      if (context != NULL)
        {
          mt_backend_cuda_many.close (context);
          g_assert_cmpuint (mt_host_get_used (), ==, 0);
          /* Rows in stages need less: want of memory for all of them is no failure. */
          if (mt_host_get_calls_left () == 0)
            continue;
          break;
        }
      n_failed++;
      g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
      /* The first two calls look for a device. */
      g_assert_nonnull (strstr (error->message, n == 1 ? "found no device" : n == 2 ? "cannot be used"
                                                : n % 2 ? "too little free memory" : "the GPU failed"));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
    }
  g_assert_cmpuint (n_failed, >=, 15);
  mt_host_reset (0);
}

static void
test_not_finite (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autofree float *params = NULL;
  g_autoptr (GError) error = NULL;
  MtBackendJob job;
  MtManyStanding standing;
  gpointer context;

  mt_test_case_init (&it, MT_TASK_REGRESSION, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  it.y[it.order[60]] = INFINITY;
  use_host (2, 32);
  job = mt_test_case_job (&it, 50, 1);
  context = open_one (&job, 0, &error);
  g_assert_true (mt_backend_cuda_many.run_epoch (context, fill_order, &it, NULL, &standing, &error));
  g_assert_no_error (error);
  g_assert_true (standing.ended);
  g_assert_cmpuint (standing.epoch, ==, 0);
  g_assert_error (standing.error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_nonnull (strstr (standing.error->message, "at step 2;"));
  /* The state is the one before the epoch that failed. */
  params = read_params (context, it.net->layout.n_params);
  g_assert_cmpmem (params, it.net->layout.n_params * sizeof (float), it.net->params,
                   it.net->layout.n_params * sizeof (float));
  mt_backend_cuda_many.close (context);
}

/* Scores of the choice that are no numbers are the lowest: k inputs all the same, none of a place that does not
 * exist. */
static void
test_no_scores (void)
{
  for (guint n_bad = 1; n_bad < 9; n_bad += 7)
    {
      g_auto (MtTestCase) it = { 0 };
      g_autoptr (GError) error = NULL;
      MtBackendJob job;
      MtManyStanding standing;
      gpointer context;

      mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 3, 1, 100);
      for (guint i = 0; i < n_bad; i++)
        it.net->params[mt_net_at (&it.net->layout, it.net->layout.map, i, 1)] = NAN;
      use_host (2, 32);
      job = mt_test_case_job (&it, 50, 1);
      context = open_one (&job, 0, &error);
      g_assert_true (mt_backend_cuda_many.run_epoch (context, fill_order, &it, NULL, &standing, &error));
      g_assert_no_error (error);
      g_assert_null (mt_host_get_fault ());
      g_assert_true (isfinite (standing.train_loss));
      mt_backend_cuda_many.close (context);
    }
}

static void
test_cancelled (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtBackendJob job;
  MtManyStanding standing;
  gpointer context;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  use_host (0, 32);
  job = mt_test_case_job (&it, 10, 1);
  context = open_one (&job, 0, &error);
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_backend_cuda_many.run_epoch (context, fill_order, &it, cancellable, &standing, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  mt_backend_cuda_many.close (context);
}

static void
test_unsupported (void)
{
  g_auto (MtTestCase) it = { 0 };
  const MtTopkOps other = { .name = "sinkhorn" };
  g_autoptr (GError) error = NULL;
  MtBackendJob job;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  job = mt_test_case_job (&it, 10, 1);
  g_assert_true (mt_backend_cuda.supports (&job, &error));
  job.topk = &other;
  g_assert_false (mt_backend_cuda.supports (&job, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "sinkhorn"));
}

int
main (int    argc,
      char **argv)
{
  static const char * const samples[][2] = {
    { "loan-approval.csv", "approved" },
    { "triage.csv", "urgency" },
    { "energy-use.csv", "energy_kwh" },
  };

  g_autofree Cell *cells = NULL;

  g_test_init (&argc, &argv, NULL);
  cells = g_new (Cell, mt_test_n_cases * N_ENGINES);
  for (guint i = 0; i < mt_test_n_cases * N_ENGINES; i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (mt_test_cases[i / N_ENGINES].what), " ", '-');
      g_autofree char *path = g_strconcat ("/gpu-backend/step-equals-reference/", name, "/", engine_names[i % N_ENGINES],
                                           NULL);

      cells[i] = (Cell) { &mt_test_cases[i / N_ENGINES], (Engine) (i % N_ENGINES) };
      g_test_add_data_func (path, &cells[i], test_step);
    }
  g_test_add_func ("/gpu-backend/update", test_update);
  g_test_add_func ("/gpu-backend/ties", test_ties);
  g_test_add_func ("/gpu-backend/evaluate", test_evaluate);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strconcat ("/gpu-backend/training-as-on-the-cpu/", samples[i][0], NULL);

      g_autofree char *path_long = g_strconcat ("/gpu-backend/long-training-as-on-the-cpu/", samples[i][0], NULL);

      g_test_add_data_func (path, samples[i], test_training);
      g_test_add_data_func (path_long, samples[i], test_long_training);
    }
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strconcat ("/gpu-backend/scan-as-on-the-cpu/", samples[i][0], NULL);

      g_test_add_data_func (path, samples[i], test_scan);
    }
  g_test_add_func ("/gpu-backend/pairs", test_pairs);
  g_test_add_func ("/gpu-backend/lost-device", test_lost);
  g_test_add_func ("/gpu-backend/probe", test_probe);
  g_test_add_func ("/gpu-backend/list", test_list);
  g_test_add_func ("/gpu-backend/second-device", test_second_device);
  g_test_add_func ("/gpu-backend/selftest-device", test_selftest_device);
  g_test_add_func ("/gpu-backend/probe-opens-nothing", test_probe_opens_nothing);
  g_test_add_func ("/gpu-backend/kernels-do-not-load", test_kernels_do_not_load);
  g_test_add_func ("/gpu-backend/module", test_module);
  g_test_add_func ("/gpu-backend/open-fails", test_open_fails);
  g_test_add_func ("/gpu-backend/not-finite", test_not_finite);
  g_test_add_func ("/gpu-backend/no-scores", test_no_scores);
  g_test_add_func ("/gpu-backend/cancelled", test_cancelled);
  g_test_add_func ("/gpu-backend/unsupported", test_unsupported);
  return g_test_run ();
}
