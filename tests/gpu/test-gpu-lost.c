/* A net, the batch or the device that ends at any time, on the CPU: want of memory, cancelling, a device that is lost in
 * each phase, numbers that are none. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "many-nets.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"

#define OUT_OF_MEMORY 2          /* cudaError_t */
#define LAUNCH_FAILED 719
#define CAPTURE_UNSUPPORTED 900

/* A device fuller than it says gives no memory: fewer nets, then stages; when nothing helps, an error. */
static void
test_full_device (void)
{
  g_auto (MtMany) many = { 0 };

  mt_many_init (&many, MT_TASK_BINARY, 600);
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  mt_host_pretend_memory (1300000);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].device_memory = 1 << 30;
  mt_many_train_together (&many);
  mt_many_assert_all_same (&many);
  mt_host_pretend_memory (20000);
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (many.jobs[0].error->message, "enough free memory"));
  g_assert_nonnull (strstr (many.jobs[0].error->message, "use the CPU"));
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].device_memory = 20000;
  mt_many_train_together (&many);
  g_assert_error (many.jobs[3].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (many.jobs[3].error->message, "0.0 MB to be used"));
}

/* The runtime remembers an error until it is asked for the last one, which is how a launch is checked: a refusal that
 * was told, or got round by a scan on the CPU, must not come back as the failure of the next training. */
static void
test_after_refusal (void)
{
  g_auto (MtMany) many = { 0 };
  float sums[20 * 20];

  mt_many_init (&many, MT_TASK_BINARY, 100);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].max_epochs = 2;
  many.options[4].start = MT_START_RANDOM;
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  mt_host_pretend_memory (2000);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].device_memory = 1 << 30;
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
  mt_host_pretend_memory ((gsize) 1 << 30);
  mt_many_train_together (&many);
  mt_many_assert_all_same (&many);
  mt_host_fail_call ("cudaMalloc", 1, OUT_OF_MEMORY);
  g_assert_false (mt_backend_cuda_sum_pairs (many.it.encoded, many.values, many.values, 0, sums, sums, NULL));
  mt_many_train_together (&many);
  mt_many_assert_all_same (&many);
}

/* Each request for memory is refused once, of the device's and of pinned memory: fewer nets at a time, or an error
 * that offers the CPU; the same bits of those that learn, and nothing left behind. */
static void
test_no_memory (gconstpointer call)
{
  g_auto (MtMany) many = { 0 };
  guint n_refused = 0, n_failed = 0;

  mt_many_init (&many, MT_TASK_BINARY, 100);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].max_epochs = 2;
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  for (guint n = 1;; n++)
    {
      mt_many_use_host (n);
      mt_host_fail_call (call, n, OUT_OF_MEMORY);
      mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        if (many.jobs[i].error != NULL)
          {
            n_failed++;
            g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
            g_assert_nonnull (strstr (many.jobs[i].error->message, "use the CPU"));
          }
        else
          mt_many_assert_same (many.jobs[i].result, many.alone[i]);
      if (mt_host_get_calls_left () > 0)
        break;
      n_refused++;
      mt_many_forget (&many);
    }
  g_test_message ("%u refused, %u trainings failed", n_refused, n_failed);
  g_assert_cmpuint (n_refused, >=, 1);
  mt_host_reset (0);
}

/* A launch that a capture does not allow, as loading a kernel was under older drivers: then without graphs. */
static void
test_no_capture (void)
{
  g_auto (MtMany) many = { 0 };
  guint64 n_kernels, n_graphs;

  mt_many_init (&many, MT_TASK_BINARY, 100);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].max_epochs = 2;
  many.options[4].start = MT_START_RANDOM;
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  mt_many_use_host (0);
  mt_host_fail_call ("mt_host_launch", 8, CAPTURE_UNSUPPORTED);     /* in the first graph */
  mt_many_train_together (&many);
  g_assert_cmpuint (mt_host_get_calls_left (), ==, 0);
  mt_host_get_launches (&n_kernels, &n_graphs);
  g_assert_cmpuint (n_graphs, ==, 0);
  mt_many_assert_all_same (&many);
}

/* --- endings --- */

typedef struct {
  GCancellable *cancellable;
  guint         at_epoch, last_epoch, n_reports;
  gboolean      done;
} Watch;

static void
on_progress (const MtTrainProgress *progress,
             gpointer               data)
{
  Watch *watch = data;

  watch->n_reports++;
  watch->done = progress->phase == MT_TRAIN_DONE;
  g_assert_cmpuint (progress->epoch, >=, watch->last_epoch);
  watch->last_epoch = progress->epoch;
  if (progress->phase == MT_TRAIN_RUNNING && progress->epoch == watch->at_epoch)
    g_cancellable_cancel (watch->cancellable);
}

/* One net is cancelled after its second epoch: it comes back as it was then, the others as ever. */
static void
test_cancel_one (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watches[MT_MANY_NETS] = { { NULL } };
  g_auto (MtMany) many = { 0 };
  g_autoptr (MtTrainResult) rest = NULL;
  g_autoptr (GError) error = NULL;

  mt_many_init (&many, MT_TASK_MULTICLASS, 230);
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  watches[1] = (Watch) { cancellable, 2 };
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.jobs[i].progress = on_progress;
      many.jobs[i].progress_data = &watches[i];
    }
  many.jobs[1].cancellable = cancellable;
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_assert_no_error (many.jobs[i].error);
      g_assert_true (watches[i].done);
      g_assert_cmpuint (watches[i].n_reports, >=, many.jobs[i].result->n_epochs);
      if (i != 1)
        mt_many_assert_same (many.jobs[i].result, many.alone[i]);
    }
  g_assert_true (many.jobs[1].result->stopped);
  g_assert_cmpuint (many.jobs[1].result->n_epochs, ==, 2);
  mt_train_run (many.jobs[1].data, many.jobs[1].options, NULL, 0, many.jobs[1].result->state, NULL, NULL, NULL, &rest,
                &error);
  g_assert_no_error (error);
  mt_many_assert_same (rest, many.alone[1]);
}

/* All are cancelled; each goes on later from where it was, as if nothing had been. */
static void
test_cancel_all (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { cancellable, 3 };
  g_auto (MtMany) many = { 0 };
  g_autoptr (MtTrainCheckpoints) keep = mt_train_checkpoints_new ();

  mt_many_init (&many, MT_TASK_REGRESSION, 230);
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  many.jobs[5].progress = on_progress;
  many.jobs[5].progress_data = &watch;
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].keep = keep;
  mt_train_run_many (many.jobs, MT_MANY_NETS, cancellable);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_assert_no_error (many.jobs[i].error);
      g_assert_true (many.jobs[i].result->stopped || many.jobs[i].result->n_epochs == many.alone[i]->n_epochs);
    }
  g_assert_cmpuint (many.jobs[5].result->n_epochs, ==, 3);
  many.jobs[5].progress = NULL;
  mt_many_train_together (&many);
  mt_many_assert_all_same (&many);
}

/* The device dies somewhere: every net that had not finished says so and keeps what it had; started again
 * on the CPU, they go on from there and come to their ends. */
static void
test_lost (void)
{
  g_auto (MtMany) many = { 0 };
  guint n_went_on = 0;

  mt_many_init (&many, MT_TASK_BINARY, 230);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.options[i].max_epochs = 20;
      many.options[i].patience = 100;
    }
  for (guint n = 100; n < 900; n += 160)
    {
      g_autoptr (MtTrainCheckpoints) keep = mt_train_checkpoints_new ();
      guint n_lost = 0;

      mt_many_use_host (n);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        {
          many.options[i].device = "cuda";
          many.options[i].keep = keep;
        }
      mt_host_fail_at (n, LAUNCH_FAILED);
      mt_many_forget (&many);
      mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        if (many.jobs[i].error != NULL)
          {
            n_lost++;
            g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
            /* It may die while it is looked for, too; what to do is always told. */
            g_assert_nonnull (strstr (many.jobs[i].error->message, "the CPU"));
            /* Before it had begun there is nothing to go on from. */
            n_went_on += many.jobs[i].result != NULL && many.jobs[i].result->n_epochs > 0;
          }
      g_test_message ("call %u: %u lost", n, n_lost);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        many.options[i].device = "cpu";
      mt_host_reset (0);
      mt_many_train_together (&many);
      for (guint i = 0; i < MT_MANY_NETS; i++)
        {
          g_assert_no_error (many.jobs[i].error);
          g_assert_cmpuint (many.jobs[i].result->n_epochs, ==, 20);
        }
    }
  g_assert_cmpuint (n_went_on, >, 0);
}

/* --- lost in each phase --- */

typedef struct {
  const char *what;
  const char *call;          /* of the runtime, which fails … */
  guint       n;             /* … for the how-many-th time */
  guint       memory;        /* of the device, in kB: 0 all that is needed; little: nets in rounds, or rows in stages */
  gboolean    scans;         /* one net starts by a scan */
} Loss;

/* Opening makes no graph, an epoch launches one. */
static const Loss losses[] = {
  { "reserving", "cudaMalloc", 1 },
  { "reserving pinned memory", "cudaMallocHost", 1 },
  { "upload", "cudaMemcpyAsync", 5 },
  { "first epoch", "cudaGraphLaunch", 1 },
  { "second epoch", "cudaGraphLaunch", 2 },
  { "fourth epoch", "cudaGraphLaunch", 4 },
  { "making a graph", "cudaGraphInstantiateWithFlags", 2 },
  { "a kernel", "mt_host_launch", 60 },
  { "waiting for an epoch", "cudaEventSynchronize", 2 },
  { "fetching states", "cudaEventSynchronize", 3 },
  { "nets in rounds", "cudaGraphLaunch", 9, 400 },
  { "steps of a stage", "cudaGraphLaunch", 6, 120 },
  { "rows in stages", "cudaEventSynchronize", 30, 120 },
  { "scan", "cudaMalloc", 1, 0, TRUE },
};

/* Where an error says that the CPU can go on; 0: from the start. */
static guint
read_epoch (const GError *error)
{
  const char *at = strstr (error->message, " from the end of epoch ");

  return at != NULL ? (guint) g_ascii_strtoull (at + strlen (" from the end of epoch "), NULL, 10) : 0;
}

/* Whatever it was at: each net says where it can go on, its state is that of this epoch, at most one is lost of those
 * that were told, and gone on with it comes to the bits of a training that nothing has happened to. */
static void
test_lost_in (gconstpointer data)
{
  const Loss *loss = data;
  gboolean is_staged = loss->memory == 120;
  Watch watches[MT_MANY_NETS] = { { NULL } };
  g_auto (MtMany) many = { 0 };
  guint n_lost = 0, n_resets;

  mt_many_init (&many, MT_TASK_BINARY, is_staged ? 1500 : 160);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      many.options[i].n_nodes = 3 + i;
      if (is_staged)
        many.options[i].node = MT_NODE_STANDARD;
    }
  if (!loss->scans)
    many.options[4].start = MT_START_RANDOM;
  mt_many_use_host (1);
  mt_many_train_alone (&many);
  mt_many_use_host (1);
  if (loss->memory > 0)
    mt_host_pretend_memory (loss->memory * 1000);
  mt_host_fail_call (loss->call, loss->n, LAUNCH_FAILED);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      watches[i].at_epoch = G_MAXUINT;
      many.jobs[i].progress = on_progress;
      many.jobs[i].progress_data = &watches[i];
    }
  mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
  n_resets = mt_host_get_resets ();
  g_assert_cmpuint (mt_host_get_calls_left (), ==, 0);
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  mt_many_use_host (2);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_autoptr (MtTrainResult) rest = NULL;
      g_autoptr (GError) error = NULL;

      if (many.jobs[i].error == NULL)
        {
          mt_many_assert_same (many.jobs[i].result, many.alone[i]);
          continue;
        }
      n_lost++;
      g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
      g_assert_nonnull (strstr (many.jobs[i].error->message, "the CPU"));
      g_assert_cmpuint (read_epoch (many.jobs[i].error), ==, many.jobs[i].result->n_epochs);
      g_assert_cmpuint (many.jobs[i].result->n_epochs + 1, >=, watches[i].last_epoch);
      g_assert_cmpuint (many.jobs[i].result->n_epochs, <=, watches[i].last_epoch);
      g_test_message ("net %u: %u epochs told, %s", i, watches[i].last_epoch, many.jobs[i].error->message);
      mt_train_run (many.jobs[i].data, many.jobs[i].options, NULL, 0, many.jobs[i].result->state, NULL, NULL, NULL, &rest,
                    &error);
      g_assert_no_error (error);
      mt_many_assert_same (rest, many.alone[i]);
    }
  /* The CPU makes a scan that the device has lost, and the training after it finds a device with a new context. */
  if (loss->scans)
    {
      g_assert_cmpuint (n_lost, ==, 0);
      g_assert_cmpuint (n_resets, ==, 1);
    }
  else
    g_assert_cmpuint (n_lost, >, 0);
}

/* The state that a net goes on from is the newest: not one epoch in eight. */
static void
test_lost_late (void)
{
  g_auto (MtMany) many = { 0 };
  Watch watch = { NULL, G_MAXUINT };

  mt_many_init (&many, MT_TASK_BINARY, 100);
  many.options[0].max_epochs = 12;
  mt_many_use_host (0);
  mt_host_fail_call ("cudaEventRecord", 2 + 7 * 4 + 2, LAUNCH_FAILED);      /* within the eighth */
  many.jobs[0].progress = on_progress;
  many.jobs[0].progress_data = &watch;
  mt_train_run_many (many.jobs, 1, NULL);
  g_assert_error (many.jobs[0].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_cmpuint (watch.last_epoch, ==, 7);
  g_assert_cmpuint (many.jobs[0].result->n_epochs, ==, 7);
  mt_host_reset (0);
}

static float *
new_sums (const MtMany *many)
{
  guint n = mt_encoded_get_n_literals (many->it.encoded);

  return g_new (float, (gsize) n * n);
}

/* A context that is lost (the machine slept, the driver has reset the device) is made again by the next training, in the
 * same program: the same bits. As long as that fails, training says so. */
static void
test_renewed (void)
{
  g_auto (MtMany) many = { 0 };
  g_autofree float *sums = NULL;
  guint before;

  mt_many_init (&many, MT_TASK_BINARY, 100);
  sums = new_sums (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    many.options[i].max_epochs = 2;
  many.options[4].start = MT_START_RANDOM;
  mt_many_use_host (3);
  mt_many_train_alone (&many);
  before = mt_host_get_resets ();        /* what other tests have left */
  for (guint round = 0; round < 3; round++)
    {
      mt_host_fail_call ("cudaEventRecord", 9 + round, LAUNCH_FAILED);
      mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
      g_assert_error (many.jobs[0].error, MT_ERROR, MT_ERROR_DEVICE);
      g_assert_cmpuint (mt_host_get_resets (), ==, before + round);
      mt_many_train_together (&many);
      mt_many_assert_all_same (&many);
      g_assert_cmpuint (mt_host_get_resets (), ==, before + round + 1);
    }
  /* A device that stays away, until it is there again. */
  mt_host_pretend_reset (LAUNCH_FAILED);
  mt_host_fail_call ("cudaEventRecord", 9, LAUNCH_FAILED);
  for (guint round = 0; round < 2; round++)
    {
      mt_many_forget (&many);
      mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
      g_assert_error (many.jobs[0].error, MT_ERROR, MT_ERROR_DEVICE);
    }
  mt_host_pretend_reset (0);
  mt_many_train_together (&many);
  mt_many_assert_all_same (&many);
  /* After a scan that has failed, too. */
  mt_host_fail_call ("cudaEventSynchronize", 1, LAUNCH_FAILED);
  g_assert_false (mt_backend_cuda_sum_pairs (many.it.encoded, many.values, many.values, 0, sums, sums, NULL));
  g_assert_true (mt_backend_cuda_sum_pairs (many.it.encoded, many.values, many.values, 0, sums, sums, NULL));
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  g_assert_null (mt_host_get_fault ());
  mt_host_reset (0);
}

/* A thread that waits for the device sleeps. */
static void
test_sleeps (void)
{
  g_auto (MtMany) many = { 0 };
  g_autofree float *sums = NULL;

  mt_many_init (&many, MT_TASK_BINARY, 100);
  sums = new_sums (&many);
  mt_many_use_host (0);
  mt_many_train_together (&many);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    g_assert_no_error (many.jobs[i].error);
  g_assert_true (mt_backend_cuda_sum_pairs (many.it.encoded, many.values, many.values, 0, sums, sums, NULL));
  g_assert_cmpuint (mt_host_get_busy_waits (), ==, 0);
}

/* A net whose numbers go wrong ends alone, and says why; the others learn on. */
static void
test_not_finite (void)
{
  g_auto (MtMany) many = { 0 };
  g_auto (MtTrainState) state = { 0 };
  g_autofree char *fingerprint = NULL;
  g_autoptr (GBytes) resume = NULL;
  const MtNetLayout *layout;

  mt_many_init (&many, MT_TASK_REGRESSION, 230);
  mt_many_use_host (0);
  mt_many_train_alone (&many);
  layout = &many.alone[1]->net->layout;
  fingerprint = mt_many_read_state (many.alone[1], &state);
  state.epoch = state.best_epoch = 2;
  state.waited = 0;
  state.last.params[layout->head_bias] = 1e30f;      /* a number, but its square is none */
  resume = mt_train_state_to_bytes (&state, fingerprint);
  many.jobs[1].resume = resume;
  mt_train_run_many (many.jobs, MT_MANY_NETS, NULL);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    if (i != 1)
      {
        g_assert_no_error (many.jobs[i].error);
        mt_many_assert_same (many.jobs[i].result, many.alone[i]);
      }
  g_assert_error (many.jobs[1].error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_nonnull (strstr (many.jobs[1].error->message, "training became unstable at step"));
  g_assert_true (many.jobs[1].result->stopped);
  g_assert_cmpuint (many.jobs[1].result->n_epochs, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-lost/full-device", test_full_device);
  g_test_add_func ("/gpu-lost/after-a-refusal", test_after_refusal);
  g_test_add_data_func ("/gpu-lost/no-memory/device", "cudaMalloc", test_no_memory);
  g_test_add_data_func ("/gpu-lost/no-memory/pinned", "cudaMallocHost", test_no_memory);
  g_test_add_data_func ("/gpu-lost/no-memory/stream", "cudaStreamCreateWithFlags", test_no_memory);
  g_test_add_data_func ("/gpu-lost/no-memory/event", "cudaEventCreateWithFlags", test_no_memory);
  g_test_add_data_func ("/gpu-lost/no-memory/graph", "cudaGraphInstantiateWithFlags", test_no_memory);
  g_test_add_func ("/gpu-lost/no-capture", test_no_capture);
  g_test_add_func ("/gpu-lost/cancel-one", test_cancel_one);
  g_test_add_func ("/gpu-lost/cancel-all", test_cancel_all);
  g_test_add_func ("/gpu-lost/at-some-call", test_lost);
  g_test_add_func ("/gpu-lost/late", test_lost_late);
  g_test_add_func ("/gpu-lost/renewed", test_renewed);
  g_test_add_func ("/gpu-lost/sleeps", test_sleeps);
  g_test_add_func ("/gpu-lost/not-finite", test_not_finite);
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (losses[i].what), " ", '-');
      g_autofree char *path = g_strconcat ("/gpu-lost/in/", name, NULL);

      g_test_add_data_func (path, &losses[i], test_lost_in);
    }
  return g_test_run ();
}
