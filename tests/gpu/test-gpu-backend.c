/* The CUDA backend with its real kernels run on the CPU: every case of the CPU backend's test against
 * the reference, any order of threads, and whole trainings beside the CPU's. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "backend-cases.h"
#include "gpu-steps.h"
#include "host/mt-gpu-host-control.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"
#include "network/mt-kernels-private.h"
#include "network/mt-train-private.h"
#include "sample-data.h"

/* --- one step --- */

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
  gpu_use_host (0, 32);
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
                                      : gpu_run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
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
  gpu_use_host (7, 32);
  again = gpu_run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
  g_assert_cmpmem (again, n * sizeof (float), first, n * sizeof (float));
  gpu_use_host (3, 128);
  wide = gpu_run_step (&it, class_weights, 1.0f, 3e-4f, &loss, NULL);
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
  gpu_use_host (1, 64);
  mt_train_state_init (&after, n);
  gradient = gpu_run_step (&it, NULL, clip, weight_decay, &loss, &after);
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
      gpu_use_host (n_threads, n_threads);
      context = gpu_open_one (&job, 0, &error);
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
  gpu_use_host (5, 32);
  job = mt_test_case_job (&it, 256, 1);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  scores = g_new (float, 3 * it.n_rows);
  expected = g_new (double, 3 * it.n_rows);
  context = gpu_open_one (&job, 0, &error);
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
  gpu_use_host (9, 32);
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
  gpu_use_host (4, 32);
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
  gpu_use_host (11, 32);
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
  gpu_use_host (12, 32);
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
  gpu_use_host (0, 32);
  mt_host_fail_at (250, LAUNCH_FAILED);
  stopped = train (&data, "cuda", 50, NULL, &error);
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "the GPU failed"));
  g_assert_nonnull (strstr (error->message, "continue on the CPU"));
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
  return g_test_run ();
}
