/* Many nets in one launch, on the CPU: each gives the bits that it gives by itself, whatever the others are,
 * however many fit, in whatever order streams run, with graphs or without, with all rows there or in stages. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "many-nets.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"

static void
test_as_alone (gconstpointer data)
{
  g_auto (MtMany) many = { 0 };
  uint64_t n_kernels, n_graphs, n_kernels_alone, n_graphs_alone;

  mt_many_init (&many, GPOINTER_TO_UINT (data), 230);
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  mt_host_get_launches (&n_kernels_alone, &n_graphs_alone);
  for (uint64_t seed = 0; seed < 3; seed++)
    {
      mt_many_use_host (seed);
      mt_many_train_together (&many);
      mt_many_assert_all_same (&many);
    }
  /* One batch: as many epochs as the longest of them, not as all of them. */
  mt_host_get_launches (&n_kernels, &n_graphs);
  g_test_message ("%u launches and %u graphs, alone %u and %u", (guint) n_kernels, (guint) n_graphs,
                  (guint) n_kernels_alone, (guint) n_graphs_alone);
  g_assert_cmpuint (n_kernels, <=, n_kernels_alone);      /* scores of nets at their ends, a scan */
  g_assert_cmpuint (n_graphs * 2, <, n_graphs_alone);
}

typedef struct {
  uint64_t n_kernels, n_graphs;      /* launched */
  uint64_t n_run, trace;             /* kernels, from graphs or not */
} Launches;

/* How epochs are launched: as one, in parts because they are long, in stages because rows do not fit. */
typedef enum { WHOLE, CUT, STAGED } Kind;

static Launches
train_and_count (MtMany *many)
{
  Launches launches;

  mt_many_train_together (many);
  mt_host_get_launches (&launches.n_kernels, &launches.n_graphs);
  launches.trace = mt_host_get_trace (&launches.n_run);
  mt_many_assert_all_same (many);
  return launches;
}

/* Graphs hold what would have been launched, kernel by kernel with its grid and arguments; a driver that refuses them is
 * no obstacle. Where all rows are on the device an epoch is one graph, from its beginning to its end. */
static void
test_graphs (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  g_auto (MtMany) many = { 0 };
  Launches with, without, refused, other;
  guint n_epochs = 0;

  mt_many_init (&many, MT_TASK_BINARY, kind == STAGED ? 1500 : 230);
  many.options[4].start = MT_START_RANDOM;      /* no scan, which launches kernels of its own */
  for (guint i = 0; kind == STAGED && i < MT_MANY_NETS; i++)
    {
      many.options[i].node = MT_NODE_STANDARD;
      many.options[i].n_nodes = 3 + i;
      many.options[i].max_epochs = 2;
      many.options[i].batch = 64;
      many.options[i].device_memory = 120000;
    }
  mt_gpu_host_graph_steps = kind == CUT ? 2 : 256;
  mt_many_use_host (5);
  mt_many_train_alone (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    n_epochs = MAX (n_epochs, many.alone[i]->n_epochs);
  mt_many_use_host (5);
  with = train_and_count (&many);
  mt_many_use_host (5);
  g_setenv ("MINTERM_GPU_NO_GRAPHS", "1", TRUE);
  without = train_and_count (&many);
  g_unsetenv ("MINTERM_GPU_NO_GRAPHS");
  mt_many_use_host (5);
  mt_host_refuse_graphs (TRUE);
  refused = train_and_count (&many);
  mt_host_refuse_graphs (FALSE);
  g_test_message ("%u epochs: %u kernels run, %u launched by themselves, %u graphs", n_epochs, (guint) with.n_run,
                  (guint) with.n_kernels, (guint) with.n_graphs);
  g_assert_cmpuint (without.n_graphs, ==, 0);
  g_assert_cmpuint (refused.n_graphs, ==, 0);
  g_assert_cmpuint (without.n_kernels, ==, without.n_run);
  g_assert_cmpuint (refused.n_kernels, ==, without.n_kernels);
  for (const Launches *one = &with; one != NULL; one = one == &with ? &refused : NULL)
    {
      g_assert_cmpuint (one->n_run, ==, without.n_run);
      g_assert_cmpuint (one->trace, ==, without.trace);
    }
  if (kind == STAGED)
    {
      /* Several a net and epoch: stages of steps, tiles of validation rows. */
      g_assert_cmpuint (with.n_graphs, >=, MT_MANY_NETS * n_epochs * 3);
      g_assert_cmpuint (with.n_kernels * 4, <, with.n_run);
    }
  else if (kind == CUT)
    {
      /* Steps twice, then the end, five launches before them, and one for the states after them, until the nets with
       * many steps have ended. */
      g_assert_cmpuint (with.n_graphs, >=, 2 * n_epochs);
      g_assert_cmpuint (with.n_kernels, <=, 6 * n_epochs + 1 + MT_MANY_NETS * (1 + 3 + 3));
    }
  else
    {
      /* What is outside of them is the beginning, the states after each epoch, and the score of the nets at their
       * ends. */
      g_assert_cmpuint (with.n_graphs, ==, n_epochs);
      g_assert_cmpuint (with.n_kernels, <=, 1 + n_epochs + MT_MANY_NETS * (1 + 3 + 3));
    }
  /* The comparator can fail. */
  mt_gpu_host_graph_steps = 256;
  many.options[1].max_epochs--;
  mt_many_use_host (5);
  mt_many_train_together (&many);
  other.trace = mt_host_get_trace (&other.n_run);
  g_assert_cmpuint (other.trace, !=, with.trace);
}

/* Less memory than all nets need: they go in rounds; less than the rows need: rows come in stages. */
static void
test_memory (gconstpointer data)
{
  static const MtStopRule rule = { 0.01, 10, 10, 10 };
  g_auto (MtMany) many = { 0 };
  MtBackendJob job;
  guint64 one_staged, one_whole;
  guint n_opened;
  MtManyInfo info;
  gpointer context;

  mt_many_init (&many, GPOINTER_TO_UINT (data), 4000);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.options[i].n_nodes = many.options[i].node == MT_NODE_DEEP ? 2 : 3 + i;
      many.options[i].fan_in = 2 + i % 2;
      many.options[i].max_epochs = 2;
    }
  job = mt_test_case_job (&many.it, 64, 1);
  mt_many_use_host (0);
  context = mt_backend_cuda_many.open (&job, &rule, 1, 0, &n_opened, NULL);
  mt_backend_cuda_many.get_info (context, &info);
  mt_backend_cuda_many.close (context);
  g_assert_cmpuint (info.stage_steps, ==, 0);
  one_whole = info.memory;
  context = mt_backend_cuda_many.open (&job, &rule, 1, one_whole / 10 * 7, &n_opened, NULL);
  mt_backend_cuda_many.get_info (context, &info);
  mt_backend_cuda_many.close (context);
  g_assert_cmpuint (info.stage_steps, >, 0);
  one_staged = info.memory;
  g_assert_cmpuint (one_staged, <, one_whole);

  mt_many_use_host (0);
  mt_many_train_alone (&many);
  for (uint64_t seed = 0; seed < 2; seed++)
    for (guint i = 0; i < 3; i++)
      {
        static const double shares[] = { 2.5, 1.5, 0.7 };

        mt_many_use_host (seed);
        for (guint j = 0; j < MT_MANY_NETS; j++)
          many.options[j].device_memory = (guint64) ((double) one_whole * shares[i]);
        mt_many_train_together (&many);
        mt_many_assert_all_same (&many);
      }
}

/* Some rows of much data, and the same rows alone: the same training, on the CPU, too. */
static void
test_some_rows (void)
{
  g_auto (MtMany) many = { 0 };
  g_autoptr (MtEncoded) taken = NULL;
  g_autofree double *values = NULL;
  g_autoptr (GError) error = NULL;

  mt_many_init (&many, MT_TASK_REGRESSION, 300);
  taken = mt_encoded_take_rows (many.it.encoded, many.some_rows, many.part.n_rows);
  values = g_new (double, many.part.n_rows);
  for (gsize i = 0; i < many.part.n_rows; i++)
    values[i] = many.values[many.some_rows[i]];
  mt_many_use_host (0);
  for (guint i = 0; i < 2; i++)
    {
      const MtTrainData alone = { taken, MT_TASK_REGRESSION, 0, NULL, values };
      g_autoptr (MtTrainResult) a = NULL, b = NULL;

      many.options[4].device = i == 0 ? "cpu" : "cuda";
      mt_train_run (&many.part, &many.options[4], NULL, 0, NULL, NULL, NULL, NULL, &a, &error);
      g_assert_no_error (error);
      mt_train_run (&alone, &many.options[4], NULL, 0, NULL, NULL, NULL, NULL, &b, &error);
      g_assert_no_error (error);
      mt_many_assert_same (a, b);
    }
}

/* As many rows and columns as the largest data that the program is measured with. */
static void
test_large (void)
{
  MtTrainResult *results[2];
  g_autofree guint32 *classes = NULL;
  g_auto (MtTestCase) it = { 0 };
  MtTrainOptions options[2];
  MtTrainJob jobs[2];
  MtTrainData data;

  if (!g_test_slow ())
    {
      g_test_skip ("in slow mode only");
      return;
    }
  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 54, 1, 2, 2, 1, 169000);
  classes = g_new (guint32, it.n_rows);
  for (gsize r = 0; r < it.n_rows; r++)
    classes[r] = (guint32) it.y[r];
  data = (MtTrainData) { it.encoded, MT_TASK_BINARY, 2, classes };
  mt_many_use_host (0);
  for (guint device = 0; device < 2; device++)
    {
      for (guint i = 0; i < 2; i++)
        {
          mt_train_options_init (&options[i]);
          options[i].n_nodes = 2 + i;
          options[i].fan_in = 2;
          options[i].start = MT_START_RANDOM;
          options[i].batch = 1 << 16;
          options[i].max_epochs = 1;
          options[i].device = device == 0 ? "cuda" : "cpu";
          jobs[i] = (MtTrainJob) { .data = &data, .options = &options[i] };
        }
      mt_train_run_many (jobs, 2, NULL);
      for (guint i = 0; i < 2; i++)
        {
          g_assert_no_error (jobs[i].error);
          g_assert_cmpuint (jobs[i].result->n_steps, ==, 3);
          if (device == 0)
            {
              results[i] = jobs[i].result;
              continue;
            }
          g_test_message ("losses %.9g and %.9g, AUC %.9g and %.9g", results[i]->valid_loss, jobs[i].result->valid_loss,
                          results[i]->metric, jobs[i].result->metric);
          g_assert_cmpfloat (fabs (results[i]->train_loss - jobs[i].result->train_loss), <, 1e-5);
          g_assert_cmpfloat (fabs (results[i]->valid_loss - jobs[i].result->valid_loss), <, 1e-5);
          g_assert_cmpfloat (fabs (results[i]->metric - jobs[i].result->metric), <, 1e-4);
          mt_train_result_free (jobs[i].result);
          mt_train_result_free (results[i]);
        }
    }
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
}

/* --- early stopping --- */

/* The device judges epochs as mt-train does for the CPU: the same epochs, waits and learning rates. */
static void
test_judged_as_on_the_cpu (void)
{
  g_auto (MtMany) many = { 0 };

  mt_many_init (&many, MT_TASK_BINARY, 200);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.options[i].max_epochs = 12;
      many.options[i].patience = 2 + i % 2;
      many.options[i].learning_rate = 0.2;      /* so that it goes up and down */
      many.options[i].node = MT_NODE_STANDARD;
    }
  mt_many_use_host (3);
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_autoptr (MtTrainResult) cpu = NULL;
      g_auto (MtTrainState) a = { 0 }, b = { 0 };
      g_autofree char *name = NULL, *name_cpu = NULL;

      many.options[i].device = "cpu";
      mt_train_run (many.jobs[i].data, &many.options[i], NULL, 0, NULL, NULL, NULL, NULL, &cpu, NULL);
      g_assert_nonnull (cpu);
      name = mt_many_read_state (many.jobs[i].result, &a);
      name_cpu = mt_many_read_state (cpu, &b);
      g_assert_cmpstr (name, ==, name_cpu);
      g_test_message ("net %u: %u epochs, best %u, learning rate %g", i, a.epoch, a.best_epoch, a.learning_rate);
      g_assert_cmpuint (a.epoch, ==, b.epoch);
      g_assert_cmpuint (a.best_epoch, ==, b.best_epoch);
      g_assert_cmpuint (a.waited, ==, b.waited);
      g_assert_cmpuint (a.waited_plateau, ==, b.waited_plateau);
      g_assert_cmpfloat (a.learning_rate, ==, b.learning_rate);
      g_assert_cmpfloat (fabs (a.best_loss - b.best_loss), <=, 1e-4 * b.best_loss);
    }
}

/* How many parameters are what they may not be. */
static guint
count_wrong (const MtMany *many,
             const MtNet  *net,
             guint         index)
{
  const MtTrainOptions *o = &many->options[index];
  const MtNetConstraints limits = { o->directions, o->numeric_directions, o->no_negation };
  g_autofree guint8 *codes = g_new (guint8, net->layout.n_params);
  guint n = 0;

  mt_net_constraints_fill_codes (&limits, net, net->params, codes);
  for (gsize p = 0; p < net->layout.n_params; p++)
    n += ((codes[p] & MT_LIMIT_NOT_NEGATIVE) != 0 && net->params[p] < 0) ||
         ((codes[p] & MT_LIMIT_NOT_POSITIVE) != 0 && net->params[p] > 0);
  return n;
}

/* Directions and no negation hold on the device, for nets beside others that have none, and come to what the CPU comes
 * to; without them the same nets go the other way. */
static void
test_limits (void)
{
  g_auto (MtMany) many = { 0 };
  guint n_limited = 0;

  mt_many_init (&many, MT_TASK_REGRESSION, 230);
  mt_many_use_host (1);
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      MtTrainOptions *o = &many.options[i];
      g_autoptr (MtTrainResult) cpu = NULL, free = NULL;
      MtTrainOptions without = *o;

      g_assert_no_error (many.jobs[i].error);
      if (o->directions == NULL && !o->no_negation)
        continue;
      n_limited++;
      g_assert_true (g_str_has_prefix (many.jobs[i].result->engine, "cuda"));
      g_assert_cmpuint (count_wrong (&many, many.jobs[i].result->net, i), ==, 0);
      without.directions = without.numeric_directions = NULL;
      without.no_negation = FALSE;
      mt_train_run (many.jobs[i].data, &without, NULL, 0, NULL, NULL, NULL, NULL, &free, NULL);
      g_assert_cmpuint (count_wrong (&many, free->net, i), >, 0);
      o->device = "cpu";
      mt_train_run (many.jobs[i].data, o, NULL, 0, NULL, NULL, NULL, NULL, &cpu, NULL);
      g_test_message ("net %u: losses %.9g and %.9g", i, many.jobs[i].result->valid_loss, cpu->valid_loss);
      g_assert_cmpfloat (fabs (many.jobs[i].result->valid_loss - cpu->valid_loss), <=, 1e-3 * cpu->valid_loss);
    }
  g_assert_cmpuint (n_limited, ==, 4);
}

/* --- the metric while training --- */

#define MOST_EPOCHS 8

typedef struct {
  double metrics[MOST_EPOCHS + 1];      /* by epoch */
} Curve;

static void
on_curve (const MtTrainProgress *progress,
          gpointer               data)
{
  Curve *curve = data;

  if (progress->phase == MT_TRAIN_RUNNING)
    curve->metrics[progress->epoch] = progress->metric;
}

/* After each epoch the device gives the metric that the CPU makes of its scores: told for the best epoch, it is that of
 * the result. AUC of two classes to the last bit; of several by another, finer formula; R² from losses in float. */
static void
test_metric (gconstpointer data)
{
  MtTask task = GPOINTER_TO_UINT (data);
  double near = task == MT_TASK_BINARY ? 0.0 : 1e-6;
  g_auto (MtMany) many = { 0 };
  guint n_other = 0;

  mt_many_init (&many, task, 200);
  for (guint threads = 32; threads <= 128; threads *= 4)
    {
      Curve curves[MT_MANY_NETS];

      mt_many_use_host (threads);
      mt_gpu_host_threads = threads;
      for (guint i = 0; i < MT_MANY_NETS; i++)
        {
          many.jobs[i].progress = on_curve;
          many.jobs[i].progress_data = &curves[i];
        }
      mt_many_train_together (&many);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        {
          const MtTrainResult *result = many.jobs[i].result;
          const double *metrics = curves[i].metrics;

          g_assert_no_error (many.jobs[i].error);
          g_assert_cmpuint (result->n_epochs, <=, MOST_EPOCHS);
          if (many.options[i].validation == 0.0)
            {
              g_assert_true (isnan (metrics[result->best_epoch]) && isnan (result->metric));
              continue;
            }
          g_test_message ("net %u: %.9g at its best epoch, %.9g in its result", i, metrics[result->best_epoch],
                          result->metric);
          g_assert_cmpfloat (fabs (metrics[result->best_epoch] - result->metric), <=, near);
          for (guint e = 1; e <= result->n_epochs; e++)
            {
              g_assert_true (isfinite (metrics[e]));
              n_other += fabs (metrics[e] - result->metric) > 1e-3;
            }
        }
    }
  /* The comparator can fail: other epochs have other metrics. */
  g_assert_cmpuint (n_other, >, 0);
}

/* The metric after one epoch, and the memory taken. */
static double
measure_once (const MtTestCase *it,
              gboolean          measures,
              guint64           memory,
              double           *loss,
              guint64          *taken)
{
  const MtStopRule rule = { 0.01, 10, 10, 10, measures };
  MtBackendJob job = mt_test_case_job (it, 64, 1);
  MtManyStanding standing;
  MtManyInfo info;
  guint n_opened;
  gpointer context;

  job.valid_rows = it->rows;
  job.n_valid = it->n_rows;
  context = mt_backend_cuda_many.open (&job, &rule, 1, memory, &n_opened, NULL);
  mt_backend_cuda_many.get_info (context, &info);
  g_assert_cmpuint (info.stage_steps, ==, 0);
  g_assert_true (mt_backend_cuda_many.run_epoch (context, NULL, &standing, NULL));
  mt_backend_cuda_many.close (context);
  *taken = info.memory;
  *loss = standing.valid_loss;
  return standing.metric;
}

/* Rows on the device go before the metric where there is no room for both; nobody pays who has not asked. */
static void
test_metric_without_room (void)
{
  g_auto (MtTestCase) it = { 0 };
  guint64 with, without, little;
  double losses_of[3];

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 5, 4, 8, 3, 1, 200);
  mt_many_use_host (0);
  g_assert_true (isfinite (measure_once (&it, TRUE, 0, &losses_of[0], &with)));
  g_assert_true (isnan (measure_once (&it, FALSE, 0, &losses_of[1], &without)));
  g_assert_cmpuint (with, >=, without + 16 * it.n_rows);
  g_assert_true (isnan (measure_once (&it, TRUE, without + 1024, &losses_of[2], &little)));
  g_assert_cmpuint (little, ==, without);
  g_assert_true (losses_of[0] == losses_of[1] && losses_of[0] == losses_of[2]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/gpu-many/as-alone/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_as_alone);
  g_test_add_data_func ("/gpu-many/as-alone/multiclass", GUINT_TO_POINTER (MT_TASK_MULTICLASS), test_as_alone);
  g_test_add_data_func ("/gpu-many/as-alone/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_as_alone);
  g_test_add_data_func ("/gpu-many/graphs/whole", GUINT_TO_POINTER (WHOLE), test_graphs);
  g_test_add_data_func ("/gpu-many/graphs/cut", GUINT_TO_POINTER (CUT), test_graphs);
  g_test_add_data_func ("/gpu-many/graphs/staged", GUINT_TO_POINTER (STAGED), test_graphs);
  g_test_add_data_func ("/gpu-many/memory/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_memory);
  g_test_add_data_func ("/gpu-many/memory/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_memory);
  g_test_add_func ("/gpu-many/some-rows", test_some_rows);
  g_test_add_func ("/gpu-many/large", test_large);
  g_test_add_func ("/gpu-many/judged-as-on-the-cpu", test_judged_as_on_the_cpu);
  g_test_add_func ("/gpu-many/limits", test_limits);
  g_test_add_data_func ("/gpu-many/metric/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_metric);
  g_test_add_data_func ("/gpu-many/metric/multiclass", GUINT_TO_POINTER (MT_TASK_MULTICLASS), test_metric);
  g_test_add_data_func ("/gpu-many/metric/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_metric);
  g_test_add_func ("/gpu-many/metric/without-room", test_metric_without_room);
  return g_test_run ();
}
