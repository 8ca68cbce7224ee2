/* Whole trainings on real data, every engine against the CPU's scalar one: heart (two classes), iris (three),
 * abalone (a number). After 20 steps every node listens to the same inputs and computes the same rule; after
 * 200, when roundings have grown, what was learnt is as good within the bound. An engine that is not here is
 * skipped, and says so. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "host/mt-gpu-host-control.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"
#include "network/mt-kernels-private.h"
#include "network/mt-train.h"
#include "sample-data.h"
#include "testutils.h"

#define N_NODES 8
#define FAN_IN  4
/* Losses after 20 steps and after 200, as a share. */
#define NEAR_20  1e-4
#define NEAR_200 1e-3

const MtGpuApi *mt_gpu_module_get (uint32_t version);

typedef struct {
  const char *file, *target;
} Data;

typedef struct {
  const char *name;
  const char *kernels;       /* of the CPU; NULL: a device */
  gboolean    is_host;       /* CUDA on the CPU; else the device */
  guint       inexact;       /* with functions rounded otherwise, as a device does */
} Engine;

static const Data data_sets[] = { { "heart.csv", "HeartDisease" }, { "iris.csv", "species" }, { "abalone.csv", "Rings" } };
static const Engine engines[] = {
  { "scalar", "scalar", FALSE }, { "avx2", "avx2", FALSE }, { "cuda-on-host", NULL, TRUE },
  { "cuda-on-host-rounding-otherwise", NULL, TRUE, 5 }, { "cuda", NULL, FALSE },
};

typedef struct {
  const Data   *data;
  const Engine *engine;
} Cell;

static MtTrainResult *
train (const MtTrainData *data,
       const char        *device,
       guint              n_steps)
{
  gsize n_train = mt_encoded_get_n_rows (data->encoded);
  g_autoptr (GError) error = NULL;
  MtTrainOptions options;
  MtTrainResult *result = NULL;

  mt_train_options_init (&options);
  options.n_nodes = N_NODES;
  options.fan_in = FAN_IN;
  options.start = MT_START_RANDOM;
  options.batch = (int) (n_train / 4);         /* with a fifth set aside: four steps an epoch */
  options.max_epochs = n_steps / 4;
  options.patience = options.plateau = 1000;
  options.n_threads = 1;
  options.device = device;
  mt_train_run (data, &options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  return result;
}

static guint
count_same (const MtNet *a,
            const MtNet *b)
{
  guint n_same = 0;

  for (guint j = 0; j < N_NODES; j++)
    {
      guint64 left = 0, right = 0;
      MtNetNode p, q;

      mt_net_read_node (a, j, &p);
      mt_net_read_node (b, j, &q);
      mt_net_fill_table (a, j, &left);
      mt_net_fill_table (b, j, &right);
      n_same += p.n_inputs == q.n_inputs && memcmp (p.inputs, q.inputs, p.n_inputs * sizeof *p.inputs) == 0 &&
                left == right;
    }
  return n_same;
}

/* FALSE after a skip. */
static gboolean
use_engine (const Engine *engine)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  if (engine->kernels != NULL)
    {
      const MtKernels *kernels = mt_kernels_by_name (engine->kernels);

      if (kernels != NULL)
        {
          mt_kernels_use (kernels);
          return TRUE;
        }
      g_test_skip ("this CPU has no such kernels");
      return FALSE;
    }
  if (engine->is_host)
    {
      mt_host_reset (21);
      mt_host_set_inexact (engine->inexact);
      mt_host_pretend (13000, 1);
      mt_gpu_host_threads = 32;
      mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
      return TRUE;
    }
  mt_backend_cuda_use (NULL);
  name = mt_backend_dup_name ("cuda", &error);
  if (name != NULL)
    return TRUE;
  g_test_skip (error->message);
  return FALSE;
}

static void
test_cell (gconstpointer user_data)
{
  const Cell *cell = user_data;
  g_autofree char *path = mt_test_shared ("data", cell->data->file, NULL);
  const char *device = cell->engine->kernels != NULL ? "cpu" : "cuda";
  g_auto (MtTestSample) sample = { 0 };
  MtTrainData data;

  if (path == NULL)
    return;
  mt_test_sample_init (&sample, path, cell->data->target);
  data = mt_test_sample_get_data (&sample);
  for (guint n_steps = 20; n_steps <= 200; n_steps *= 10)
    {
      g_autoptr (MtTrainResult) expected = NULL, got = NULL;
      double difference;
      guint n_same;

      mt_kernels_use (mt_kernels_by_name ("scalar"));
      expected = train (&data, "cpu", n_steps);
      if (!use_engine (cell->engine))
        return;
      got = train (&data, device, n_steps);
      g_assert_cmpuint (got->n_steps, ==, expected->n_steps);
      g_assert_cmpuint (got->n_steps, ==, n_steps);
      n_same = count_same (expected->net, got->net);
      difference = fabs (got->valid_loss - expected->valid_loss) / expected->valid_loss;
      g_test_message ("%s, %s, %u steps: %u of %u nodes the same, losses differ by %.2g", cell->data->file,
                      cell->engine->name, n_steps, n_same, N_NODES, difference);
      g_assert_cmpfloat (difference, <=, n_steps == 20 ? NEAR_20 : NEAR_200);
      if (n_steps == 20)
        g_assert_cmpuint (n_same, ==, N_NODES);
    }
}

/* The comparators can fail: another seed's net is neither the same nor near. */
static void
test_can_fail (void)
{
  g_autofree char *path = mt_test_shared ("data", "iris.csv", NULL);
  g_autoptr (MtTrainResult) a = NULL, b = NULL;
  g_auto (MtTestSample) sample = { 0 };
  MtTrainData data;

  if (path == NULL)
    return;
  mt_test_sample_init (&sample, path, "species");
  data = mt_test_sample_get_data (&sample);
  a = train (&data, "cpu", 20);
  b = train (&data, "cpu", 24);
  g_assert_cmpfloat (fabs (a->valid_loss - b->valid_loss) / a->valid_loss, >, NEAR_200);
}

int
main (int    argc,
      char **argv)
{
  static Cell cells[G_N_ELEMENTS (data_sets) * G_N_ELEMENTS (engines)];
  guint n = 0;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (data_sets); i++)
    for (guint j = 0; j < G_N_ELEMENTS (engines); j++)
      {
        g_autofree char *name = g_strdup_printf ("/gpu-data/%s/%s", data_sets[i].file, engines[j].name);

        cells[n] = (Cell) { &data_sets[i], &engines[j] };
        g_test_add_data_func (name, &cells[n++], test_cell);
      }
  g_test_add_func ("/gpu-data/can-fail", test_can_fail);
  return g_test_run ();
}
