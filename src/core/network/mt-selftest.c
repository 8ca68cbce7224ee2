/* Whether the GPU computes what the CPU computes, on the machine at hand. See mt-selftest.h. */
#include "config.h"
#include "mt-selftest-private.h"

#include <math.h>
#include <string.h>

#include "mt-backend-cuda.h"
#include "base/mt-random.h"

#define NEAR_ONE_STEP  1e-5      /* losses after one step, as a share */
#define NEAR_MANY      1e-4      /* after twenty */
#define N_TOGETHER     4
#define STAGED_MEMORY  330000    /* less than the rows of that check take */

/* Shapes at the edges of what kernels assume: one node, one input, all literals chosen, 17 or 33
 * nodes (one more than a block, or than two), 513 or 1,025 rows (one more than a chunk), the
 * largest group (254 literals, 255 codes), a fan-in above the table's, each task, each kind of
 * node, with and without class weights. */
const MtSelftestCase mt_selftest_cases[] = {
  { "binary", MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 17, 3, 2, 900 },
  { "binary, one node", MT_TASK_BINARY, MT_NODE_STANDARD, 2, 3, 1, 1, 2, 100 },
  { "binary, all inputs", MT_TASK_BINARY, MT_NODE_STANDARD, 2, 3, 5, 6, 2, 200 },
  { "binary, weighted", MT_TASK_BINARY, MT_NODE_STANDARD, 18, 4, 33, 6, 2, 1025, TRUE },
  { "binary, fan-in 6, 255 codes", MT_TASK_BINARY, MT_NODE_STANDARD, 3, 254, 20, 6, 2, 1100 },
  { "binary, fan-in 12", MT_TASK_BINARY, MT_NODE_STANDARD, 8, 5, 9, 12, 2, 700 },
  { "multiclass", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 4, 12, 5, 5, 800 },
  { "multiclass, weighted", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 20, 12, 5, 4, 513, TRUE },
  { "regression", MT_TASK_REGRESSION, MT_NODE_STANDARD, 9, 6, 20, 8, 0, 1000 },
  { "binary, deep nodes", MT_TASK_BINARY, MT_NODE_DEEP, 5, 3, 7, 3, 2, 530 },
  { "multiclass, deep nodes", MT_TASK_MULTICLASS, MT_NODE_DEEP, 5, 3, 4, 4, 3, 300 },
  { "regression, deep nodes", MT_TASK_REGRESSION, MT_NODE_DEEP, 4, 3, 3, 4, 0, 400 },
};
const guint mt_selftest_n_cases = G_N_ELEMENTS (mt_selftest_cases);

void
mt_selftest_rows_clear (MtSelftestRows *self)
{
  mt_encoded_unref (self->encoded);
  g_free (self->classes);
  g_free (self->values);
}

/* Rows that are made up, the same on every machine: random codes, two numeric columns, and a target that two
 * groups decide together, with noise. One group in three is one-hot, so both kinds are checked.
 *
 * The target is 1 or −½, by whether both of the first two groups are in their upper half, plus some
 * of the first number and noise; classes are that value cut into equal pieces. */
void
mt_selftest_rows_init (MtSelftestRows       *self,
                       const MtSelftestCase *it)
{
  g_autofree MtGroup *groups = g_new0 (MtGroup, it->n_groups);
  g_autofree guint8 *codes = g_malloc (it->n_groups * it->n_rows);
  g_autofree double *numeric = g_new (double, 2 * it->n_rows);
  MtRandom random;

  mt_random_init (&random, it->n_rows);
  self->classes = g_new (guint32, it->n_rows);
  self->values = g_new (double, it->n_rows);
  for (guint g = 0; g < it->n_groups; g++)
    {
      groups[g] = (MtGroup) { .kind = g % 3 == 2 ? MT_GROUP_ONE_HOT : MT_GROUP_THERMOMETER, .column = g,
                              .first_literal = g * it->n_bits, .n_literals = it->n_bits };
      for (gsize r = 0; r < it->n_rows; r++)
        codes[g * it->n_rows + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
    }
  for (gsize r = 0; r < it->n_rows; r++)
    {
      gboolean both = codes[r] > it->n_bits / 2 && codes[it->n_rows + r] > it->n_bits / 2;

      numeric[r] = it->ties ? 0.0 : mt_random_normal (&random);
      numeric[it->n_rows + r] = it->ties ? 0.0 : mt_random_normal (&random);
      self->values[r] = (both ? 1.0 : -0.5) + 0.3 * numeric[r] + 0.5 * mt_random_normal (&random);
      self->classes[r] = it->n_classes == 0 ? 0
                         : (guint32) CLAMP (floor ((self->values[r] + 1.5) / 3.0 * it->n_classes), 0, it->n_classes - 1);
    }
  self->encoded = mt_encoded_new (groups, it->n_groups, codes, numeric, 2, it->n_rows);
  self->data = (MtTrainData) { self->encoded, it->task, it->n_classes,
                               it->task != MT_TASK_REGRESSION ? self->classes : NULL,
                               it->task == MT_TASK_REGRESSION ? self->values : NULL };
}

void
mt_selftest_options_init (MtTrainOptions       *options,
                          const MtSelftestCase *it,
                          const char           *device)
{
  mt_train_options_init (options);
  options->n_nodes = it->n_nodes;
  options->fan_in = it->fan_in;
  options->node = it->node;
  options->start = MT_START_RANDOM;
  options->batch = (int) (it->n_rows / 5);
  options->balance_classes = it->balanced;
  options->max_epochs = 5;
  options->patience = options->plateau = 1000;
  options->n_threads = 1;
  options->device = device;
}

MtTrainResult *
mt_selftest_train (const MtTrainData     *data,
                   const MtTrainOptions  *options,
                   GError               **error)
{
  MtTrainResult *result = NULL;

  if (mt_train_run (data, options, NULL, 0, NULL, NULL, NULL, NULL, &result, error))
    return result;
  mt_train_result_free (result);
  return NULL;
}

/* --- the report --- */

static void
check_free (gpointer data)
{
  MtSelftestCheck *check = data;

  g_free (check->name);
  g_free (check->detail);
  g_free (check);
}

static void
timing_free (gpointer data)
{
  MtSelftestTiming *timing = data;

  g_free (timing->name);
  g_free (timing);
}

void
mt_selftest_free (MtSelftest *self)
{
  if (self == NULL)
    return;
  g_free (self->device);
  g_free (self->reason);
  g_free (self->module);
  g_free (self->cpu);
  g_ptr_array_unref (self->checks);
  g_ptr_array_unref (self->timings);
  g_free (self);
}

/* The state follows from the three: no device, an error, or whether it passed. Everything
 * but @self is taken over, also where it is not used. */
void
mt_selftest_add (MtSelftest *self,
                 char       *name,
                 gboolean    passed,
                 char       *detail,
                 GError     *error)
{
  MtSelftestCheck *check = g_new0 (MtSelftestCheck, 1);

  check->name = name;
  check->state = self->reason != NULL ? MT_SELFTEST_SKIPPED
                 : passed && error == NULL ? MT_SELFTEST_PASSED : MT_SELFTEST_FAILED;
  if (error != NULL || self->reason != NULL)
    {
      check->detail = g_strdup (self->reason != NULL ? "no device" : error->message);
      g_free (detail);
    }
  else
    check->detail = detail;
  self->passed = self->passed && check->state == MT_SELFTEST_PASSED;
  g_clear_error (&error);
  g_ptr_array_add (self->checks, check);
}

/* --- checks --- */

/* Nodes that choose the same inputs and have the same truth table, bit for bit. */
static guint
count_same_nodes (const MtNet *a,
                  const MtNet *b,
                  guint        fan_in)
{
  guint n_same = 0;

  for (guint j = 0; j < mt_net_get_shape (a)->n_nodes; j++)
    {
      guint64 one[64] = { 0 }, other[64] = { 0 };      /* up to twelve inputs */
      MtNetNode left, right;

      mt_net_read_node (a, j, &left);
      mt_net_read_node (b, j, &right);
      mt_net_fill_table (a, j, one);
      mt_net_fill_table (b, j, other);
      n_same += left.n_inputs == right.n_inputs &&
                memcmp (left.inputs, right.inputs, left.n_inputs * sizeof *left.inputs) == 0 &&
                memcmp (one, other, sizeof one) == 0;
    }
  return n_same;
}

/* Trains the same network on CPU and GPU and compares inputs and truth tables of all nodes, which must be equal,
 * and the losses, which may differ by rounding: sums are made in another order there.
 *
 * After one epoch, four steps, the losses agree to 1e-5. After five epochs small differences have
 * grown, and 1e-4 is asked; the choices must still be the same. */
static void
check_training (MtSelftest           *self,
                const MtSelftestCase *it,
                guint                 n_epochs,
                double                near)
{
  char *name = g_strdup_printf ("%s: %s", it->name, n_epochs == 1 ? "one epoch" : "inputs, tables and loss");
  g_autoptr (MtTrainResult) cpu = NULL, gpu = NULL;
  MtTrainOptions options;
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };
  double difference;
  guint n_same;

  if (self->reason != NULL)
    {
      mt_selftest_add (self, name, FALSE, NULL, NULL);
      return;
    }
  mt_selftest_rows_init (&rows, it);
  mt_selftest_options_init (&options, it, "cpu");
  options.max_epochs = n_epochs;
  cpu = mt_selftest_train (&rows.data, &options, &error);
  options.device = "cuda";
  gpu = cpu != NULL ? mt_selftest_train (&rows.data, &options, &error) : NULL;
  if (gpu == NULL)
    {
      mt_selftest_add (self, name, FALSE, NULL, error);
      return;
    }
  n_same = count_same_nodes (cpu->net, gpu->net, it->fan_in);
  difference = fabs (cpu->train_loss - gpu->train_loss) / cpu->train_loss;
  mt_selftest_add (self, name, n_same == it->n_nodes && difference <= near,
             g_strdup_printf ("%u of %u nodes the same, losses differ by %.2g (at most %.0e), %u steps", n_same,
                              it->n_nodes, difference, near, (guint) gpu->n_steps), NULL);
}

/* How a batch is run must not change what a net becomes. Four nets of different size, fan-in, seed
 * and length are trained together, with CUDA graphs or without, with all rows on the device or
 * (@memory) in stages, and then each one alone. The states must be equal byte for byte. */
static void
check_together (MtSelftest *self,
                const char *name,
                guint64     memory,
                gboolean    graphs)
{
  static const MtSelftestCase more = { "stages", MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 17, 3, 2, 6000 };
  const MtSelftestCase *it = memory > 0 ? &more : &mt_selftest_cases[0];
  MtTrainOptions options[N_TOGETHER];
  MtTrainJob jobs[N_TOGETHER];
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };
  guint n_same = 0;

  if (self->reason != NULL)
    {
      mt_selftest_add (self, g_strdup (name), FALSE, NULL, NULL);
      return;
    }
  mt_selftest_rows_init (&rows, it);
  for (guint i = 0; i < N_TOGETHER; i++)
    {
      mt_selftest_options_init (&options[i], it, "cuda");
      options[i].n_nodes = 5 + 9 * i;
      options[i].fan_in = 2 + i;
      options[i].seed = i;
      options[i].batch = MIN (options[i].batch, 300);
      options[i].max_epochs = memory > 0 ? 1 : 3 + i;
      options[i].device_memory = memory;
      jobs[i] = (MtTrainJob) { .data = &rows.data, .options = &options[i] };
    }
  if (!graphs)
    g_setenv ("MINTERM_GPU_NO_GRAPHS", "1", TRUE);
  mt_train_run_many (jobs, N_TOGETHER, NULL);
  g_unsetenv ("MINTERM_GPU_NO_GRAPHS");
  for (guint i = 0; i < N_TOGETHER; i++)
    {
      g_autoptr (MtTrainResult) alone = NULL;

      options[i].device_memory = 0;
      if (error == NULL && jobs[i].error != NULL)
        error = g_steal_pointer (&jobs[i].error);
      if (error == NULL)
        alone = mt_selftest_train (&rows.data, &options[i], &error);
      n_same += alone != NULL && g_bytes_equal (alone->state, jobs[i].result->state);
      g_clear_error (&jobs[i].error);
      mt_train_result_free (jobs[i].result);
    }
  mt_selftest_add (self, g_strdup (name), n_same == N_TOGETHER,
             g_strdup_printf ("%u of %u networks have the same bits as when trained alone", n_same, N_TOGETHER), error);
}

/* --- timings --- */

/* Milliseconds for one step of one net, on average over n_nets nets of 100 epochs with one step
 * each. Preparation is in it, so few nets look a little slower than they are. */
static double
time_nets (const MtSelftestRows  *rows,
           const MtSelftestCase  *it,
           guint                  n_nets,
           const char            *device,
           GError               **error)
{
  g_autofree MtTrainOptions *options = g_new (MtTrainOptions, n_nets);
  g_autofree MtTrainJob *jobs = g_new0 (MtTrainJob, n_nets);
  guint64 n_steps = 0;
  gint64 start;
  double ms;

  for (guint i = 0; i < n_nets; i++)
    {
      mt_selftest_options_init (&options[i], it, device);
      options[i].seed = i;
      options[i].batch = (int) it->n_rows;
      options[i].validation = 0;
      options[i].max_epochs = 100;
      jobs[i] = (MtTrainJob) { .data = &rows->data, .options = &options[i] };
    }
  start = g_get_monotonic_time ();
  mt_train_run_many (jobs, n_nets, NULL);
  ms = (g_get_monotonic_time () - start) / 1e3;
  for (guint i = 0; i < n_nets; i++)
    {
      if (jobs[i].error != NULL && *error == NULL)
        *error = g_steal_pointer (&jobs[i].error);
      g_clear_error (&jobs[i].error);
      n_steps += jobs[i].result != NULL ? jobs[i].result->n_steps : 0;
      mt_train_result_free (jobs[i].result);
    }
  return ms / (double) MAX (n_steps, 1);
}

/* The same step on both devices: the CPU trains one net, the GPU @n_nets at once. */
static void
add_timing (MtSelftest *self,
            guint       n_nets)
{
  static const MtSelftestCase step = { "step", MT_TASK_BINARY, MT_NODE_STANDARD, 22, 9, 50, 6, 2, 2048 };
  MtSelftestTiming *timing;
  GError *error = NULL;
  g_auto (MtSelftestRows) rows = { 0 };
  double cpu, gpu;

  mt_selftest_rows_init (&rows, &step);
  cpu = time_nets (&rows, &step, 1, "cpu", &error);
  gpu = time_nets (&rows, &step, n_nets, "cuda", &error);
  if (error != NULL)
    {
      mt_selftest_add (self, g_strdup_printf ("timing of %u nets", n_nets), FALSE, NULL, error);
      return;
    }
  timing = g_new0 (MtSelftestTiming, 1);
  timing->name = g_strdup_printf ("2048 rows, 22 × 9 bits, 50 nodes: %u net%s", n_nets, n_nets == 1 ? "" : "s");
  timing->cpu_ms = cpu;
  timing->gpu_ms = gpu;
  g_ptr_array_add (self->timings, timing);
}

/* --- all of it --- */

/* The module and the CUDA versions of module and driver: what a report of a failure has to say. */
static char *
dup_module (void)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (NULL);
  MtGpuDevice found[MT_GPU_MAX_DEVICES];
  MtGpuFailure about = { { 0 } };
  int n_devices;

  if (api == NULL)
    return NULL;
  api->probe (found, &n_devices, &about);
  if (about.driver == 0)
    return g_strdup_printf ("%s, built with CUDA %d.%d", api->name, about.runtime / 1000, about.runtime % 1000 / 10);
  return g_strdup_printf ("%s, built with CUDA %d.%d; the driver supports %d.%d", api->name, about.runtime / 1000,
                          about.runtime % 1000 / 10, about.driver / 1000, about.driver % 1000 / 10);
}

/* The one that training takes.
 *
 * The first GPU that has no reason against it, as training would choose; if all have one,
 * the first one's reason is reported. */
static void
find_device (MtSelftest *self)
{
  g_autoptr (GPtrArray) devices = mt_backend_list_devices (TRUE);
  const MtBackendDevice *cpu = g_ptr_array_index (devices, 0), *gpu = g_ptr_array_index (devices, 1);

  for (guint i = 2; i < devices->len && gpu->reason != NULL; i++)
    {
      const MtBackendDevice *other = g_ptr_array_index (devices, i);

      if (other->reason == NULL)
        gpu = other;
    }
  self->cpu = g_strdup_printf ("%s, %u threads", cpu->name, cpu->n_processors);
  self->module = dup_module ();
  self->reason = g_strdup (gpu->reason);
  if (gpu->reason == NULL)
    self->device = g_strdup_printf ("%s, compute capability %s, %u multiprocessors, %.1f GB", gpu->name,
                                    gpu->capability, gpu->n_processors, (double) gpu->memory / 1e9);
}

/* All cases with one epoch and with five, single kernels, batches, and, if wanted, timings. */
MtSelftest *
mt_selftest_run (gboolean with_timings)
{
  MtSelftest *self = g_new0 (MtSelftest, 1);

  self->checks = g_ptr_array_new_with_free_func (check_free);
  self->timings = g_ptr_array_new_with_free_func (timing_free);
  self->passed = TRUE;
  find_device (self);
  for (guint i = 0; i < mt_selftest_n_cases; i++)
    {
      check_training (self, &mt_selftest_cases[i], 1, NEAR_ONE_STEP);
      check_training (self, &mt_selftest_cases[i], 5, NEAR_MANY);
    }
  mt_selftest_check_kernels (self);
  check_together (self, "four nets at once", 0, TRUE);
  check_together (self, "four networks at once, without graphs", 0, FALSE);
  check_together (self, "four networks, rows in stages", STAGED_MEMORY, TRUE);
  if (with_timings && self->reason == NULL)
    {
      add_timing (self, 1);
      add_timing (self, 64);
    }
  return self;
}
