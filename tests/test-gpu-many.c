/* Many nets in one launch, on the CPU: each gives the bits that it gives by itself, whatever the others are,
 * however many fit, in whatever order streams run, with graphs or without, with all rows there or in stages;
 * and a net, the batch or the device may end at any time. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "backend-cases.h"
#include "host/mt-gpu-host-control.h"
#include "mt-backend-cuda.h"
#include "mt-error.h"
#include "mt-train-private.h"

#define N_NETS        6
#define OUT_OF_MEMORY 2          /* cudaError_t */
#define LAUNCH_FAILED 719

const MtGpuApi *mt_gpu_module_get (uint32_t version);

/* Data, and nets over them that have nothing in common but that. */
typedef struct {
  MtTestCase      it;
  guint32        *classes;
  double         *values;
  guint32        *some_rows;
  MtTrainData     data, part;
  MtTrainOptions  options[N_NETS];
  MtTrainJob      jobs[N_NETS];
  MtTrainResult  *alone[N_NETS];
} Many;

static void
use_host (uint64_t seed)
{
  mt_host_reset (seed);
  mt_host_pretend (13000, 1);
  mt_host_pretend_memory ((gsize) 1 << 30);
  mt_host_refuse_graphs (FALSE);
  mt_gpu_host_threads = 32;
  mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
}

static void
many_init (Many   *self,
           MtTask  task,
           gsize   n_rows)
{
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;

  memset (self, 0, sizeof *self);
  mt_test_case_init (&self->it, task, MT_NODE_STANDARD, 5, 4, 8, 3, n_outputs, n_rows);
  self->classes = g_new (guint32, n_rows);
  self->values = g_new (double, n_rows);
  self->some_rows = g_new (guint32, n_rows);
  self->data = (MtTrainData) { self->it.encoded, task };
  for (gsize r = 0; r < n_rows; r++)
    {
      self->classes[r] = (guint32) self->it.y[r];
      self->values[r] = self->it.y[r];
    }
  if (task == MT_TASK_REGRESSION)
    self->data.values = self->values;
  else
    {
      self->data.n_classes = task == MT_TASK_BINARY ? 2 : 3;
      self->data.classes = self->classes;
    }
  self->part = self->data;
  self->part.rows = self->some_rows;
  for (gsize r = 0; r < n_rows; r++)
    if (r % 5 != 2)
      self->some_rows[self->part.n_rows++] = (guint32) r;
  for (guint i = 0; i < N_NETS; i++)
    {
      MtTrainOptions *o = &self->options[i];

      mt_train_options_init (o);
      o->n_nodes = 3 + 7 * i;
      o->fan_in = 2 + i % 4;
      o->temperature = i % 2 ? 0.05 : 0.01;
      o->learning_rate = 0.01 * (1 + i);
      o->seed = 100 + i;
      o->start = i == 4 ? MT_START_SCAN : MT_START_RANDOM;
      o->head = i == 1 ? MT_HEAD_LEVELS : MT_HEAD_LITERALS;
      o->node = i == 3 ? MT_NODE_DEEP : MT_NODE_STANDARD;
      o->batch = 48 + 16 * (int) i;
      o->validation = i == 5 ? 0.0 : 0.2;
      o->max_epochs = 4 + i % 3;
      o->patience = i == 2 ? 2 : 20;
      o->plateau = 1;
      o->balance_classes = i == 0 && task != MT_TASK_REGRESSION;
      o->n_threads = 1;
      o->device = "cuda";
      self->jobs[i] = (MtTrainJob) { .data = i % 2 ? &self->part : &self->data, .options = o };
    }
}

static void
forget_results (Many *self)
{
  for (guint i = 0; i < N_NETS; i++)
    {
      g_clear_pointer (&self->jobs[i].result, mt_train_result_free);
      g_clear_error (&self->jobs[i].error);
    }
}

static void
many_clear (Many *self)
{
  forget_results (self);
  for (guint i = 0; i < N_NETS; i++)
    g_clear_pointer (&self->alone[i], mt_train_result_free);
  mt_test_case_clear (&self->it);
  g_free (self->classes);
  g_free (self->values);
  g_free (self->some_rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Many, many_clear)

static void
train_alone (Many *self)
{
  for (guint i = 0; i < N_NETS; i++)
    {
      g_autoptr (GError) error = NULL;

      mt_train_run (self->jobs[i].data, self->jobs[i].options, NULL, 0, NULL, NULL, NULL, NULL, &self->alone[i],
                    &error);
      g_assert_no_error (error);
    }
}

static void
train_together (Many *self)
{
  forget_results (self);
  mt_train_run_many (self->jobs, N_NETS, NULL);
  g_assert_null (mt_host_get_fault ());
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
}

/* All that training is: parameters, moments, best parameters, losses, waits. */
static void
assert_same (const MtTrainResult *a,
             const MtTrainResult *b)
{
  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_true (g_bytes_equal (a->state, b->state));
  g_assert_cmpuint (a->n_epochs, ==, b->n_epochs);
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpmem (a->net->params, a->net->layout.n_params * sizeof (float), b->net->params,
                   b->net->layout.n_params * sizeof (float));
  g_assert_true (a->metric == b->metric || (isnan (a->metric) && isnan (b->metric)));
}

static void
assert_all_same (Many *self)
{
  for (guint i = 0; i < N_NETS; i++)
    {
      g_assert_no_error (self->jobs[i].error);
      g_assert_false (self->jobs[i].result->stopped);
      assert_same (self->jobs[i].result, self->alone[i]);
    }
  /* The comparator can fail: other nets have other bits. */
  g_assert_false (g_bytes_equal (self->alone[0]->state, self->alone[2]->state));
}

static void
test_as_alone (gconstpointer data)
{
  g_auto (Many) many = { 0 };
  uint64_t n_kernels, n_graphs, n_kernels_alone, n_graphs_alone;

  many_init (&many, GPOINTER_TO_UINT (data), 230);
  use_host (0);
  train_alone (&many);
  mt_host_get_launches (&n_kernels_alone, &n_graphs_alone);
  for (uint64_t seed = 0; seed < 3; seed++)
    {
      use_host (seed);
      train_together (&many);
      assert_all_same (&many);
    }
  /* One batch: as many epochs as the longest of them, not as all of them. */
  mt_host_get_launches (&n_kernels, &n_graphs);
  g_test_message ("%u launches and %u graphs, alone %u and %u", (guint) n_kernels, (guint) n_graphs,
                  (guint) n_kernels_alone, (guint) n_graphs_alone);
  g_assert_cmpuint (n_kernels * 2, <, n_kernels_alone);
  g_assert_cmpuint (n_graphs * 2, <, n_graphs_alone);
}

/* Graphs hold what would have been launched; a driver that refuses them is no obstacle. */
static void
test_graphs (void)
{
  g_auto (Many) many = { 0 };
  uint64_t with[2], without[2], refused[2];

  many_init (&many, MT_TASK_BINARY, 230);
  use_host (5);
  train_alone (&many);
  use_host (5);
  train_together (&many);
  mt_host_get_launches (&with[0], &with[1]);
  assert_all_same (&many);
  use_host (5);
  g_setenv ("MINTERM_GPU_NO_GRAPHS", "1", TRUE);
  train_together (&many);
  g_unsetenv ("MINTERM_GPU_NO_GRAPHS");
  mt_host_get_launches (&without[0], &without[1]);
  assert_all_same (&many);
  use_host (5);
  mt_host_refuse_graphs (TRUE);
  train_together (&many);
  mt_host_get_launches (&refused[0], &refused[1]);
  assert_all_same (&many);
  g_assert_cmpuint (with[1], >, 4);
  g_assert_cmpuint (without[1], ==, 0);
  g_assert_cmpuint (refused[1], ==, 0);
  g_assert_cmpuint (with[0] * 5, <, without[0]);
  g_assert_cmpuint (refused[0], ==, without[0]);
}

/* Less memory than all nets need: they go in rounds; less than the rows need: rows come in stages. */
static void
test_memory (gconstpointer data)
{
  static const MtStopRule rule = { 0.01, 10, 10, 10 };
  g_auto (Many) many = { 0 };
  MtBackendJob job;
  guint64 one_staged, one_whole;
  guint n_opened;
  MtManyInfo info;
  gpointer context;

  many_init (&many, GPOINTER_TO_UINT (data), 4000);
  for (guint i = 0; i < N_NETS; i++)
    {
      many.options[i].n_nodes = 3 + i;
      many.options[i].fan_in = 2 + i % 2;
      many.options[i].max_epochs = 2;
    }
  job = mt_test_case_job (&many.it, 64, 1);
  use_host (0);
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

  use_host (0);
  train_alone (&many);
  for (uint64_t seed = 0; seed < 2; seed++)
    for (guint i = 0; i < 3; i++)
      {
        static const double shares[] = { 2.5, 1.5, 0.7 };

        use_host (seed);
        for (guint j = 0; j < N_NETS; j++)
          many.options[j].device_memory = (guint64) ((double) one_whole * shares[i]);
        train_together (&many);
        assert_all_same (&many);
      }
}

/* A device fuller than it says gives no memory: fewer nets, then stages; when nothing helps, an error. */
static void
test_full_device (void)
{
  g_auto (Many) many = { 0 };

  many_init (&many, MT_TASK_BINARY, 600);
  use_host (0);
  train_alone (&many);
  mt_host_pretend_memory (1000000);
  for (guint i = 0; i < N_NETS; i++)
    many.options[i].device_memory = 1 << 30;
  train_together (&many);
  assert_all_same (&many);
  mt_host_pretend_memory (20000);
  train_together (&many);
  for (guint i = 0; i < N_NETS; i++)
    g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (many.jobs[0].error->message, "too little free memory"));
  g_assert_nonnull (strstr (many.jobs[0].error->message, "the CPU can do it"));
  for (guint i = 0; i < N_NETS; i++)
    many.options[i].device_memory = 20000;
  train_together (&many);
  g_assert_error (many.jobs[3].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_nonnull (strstr (many.jobs[3].error->message, "0.0 MB to be used"));
}

/* Each request for memory is refused once, of the device's and of pinned memory: fewer nets at a time, or an error
 * that offers the CPU; the same bits of those that learn, and nothing left behind. */
static void
test_no_memory (gconstpointer call)
{
  g_auto (Many) many = { 0 };
  guint n_refused = 0, n_failed = 0;

  many_init (&many, MT_TASK_BINARY, 100);
  for (guint i = 0; i < N_NETS; i++)
    many.options[i].max_epochs = 2;
  use_host (0);
  train_alone (&many);
  for (guint n = 1;; n++)
    {
      use_host (n);
      mt_host_fail_call (call, n, OUT_OF_MEMORY);
      mt_train_run_many (many.jobs, N_NETS, NULL);
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      for (guint i = 0; i < N_NETS; i++)
        if (many.jobs[i].error != NULL)
          {
            n_failed++;
            g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
            g_assert_nonnull (strstr (many.jobs[i].error->message, "the CPU can do it"));
          }
        else
          assert_same (many.jobs[i].result, many.alone[i]);
      if (mt_host_get_calls_left () > 0)
        break;
      n_refused++;
      forget_results (&many);
    }
  g_test_message ("%u refused, %u trainings failed", n_refused, n_failed);
  g_assert_cmpuint (n_refused, >=, 1);
  mt_host_reset (0);
}

/* Some rows of much data, and the same rows alone: the same training, on the CPU, too. */
static void
test_some_rows (void)
{
  g_auto (Many) many = { 0 };
  g_autoptr (MtEncoded) taken = NULL;
  g_autofree double *values = NULL;
  g_autoptr (GError) error = NULL;

  many_init (&many, MT_TASK_REGRESSION, 300);
  taken = mt_encoded_take_rows (many.it.encoded, many.some_rows, many.part.n_rows);
  values = g_new (double, many.part.n_rows);
  for (gsize i = 0; i < many.part.n_rows; i++)
    values[i] = many.values[many.some_rows[i]];
  use_host (0);
  for (guint i = 0; i < 2; i++)
    {
      const MtTrainData alone = { taken, MT_TASK_REGRESSION, 0, NULL, values };
      g_autoptr (MtTrainResult) a = NULL, b = NULL;

      many.options[4].device = i == 0 ? "cpu" : "cuda";
      mt_train_run (&many.part, &many.options[4], NULL, 0, NULL, NULL, NULL, NULL, &a, &error);
      g_assert_no_error (error);
      mt_train_run (&alone, &many.options[4], NULL, 0, NULL, NULL, NULL, NULL, &b, &error);
      g_assert_no_error (error);
      assert_same (a, b);
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
  use_host (0);
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

/* The training's state, and its fingerprint. */
static char *
read_state (const MtTrainResult *result,
            MtTrainState        *state)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE ("(sstuuddduuauauauau)"),
                                                                           result->state, FALSE));
  char *fingerprint;

  g_variant_get_child (all, 1, "s", &fingerprint);
  mt_train_state_init (state, result->net->layout.n_params);
  g_assert_true (mt_train_state_from_bytes (state, result->state, fingerprint, NULL));
  return fingerprint;
}

/* The device judges epochs as mt-train does for the CPU: the same epochs, waits and learning rates. */
static void
test_judged_as_on_the_cpu (void)
{
  g_auto (Many) many = { 0 };

  many_init (&many, MT_TASK_BINARY, 200);
  for (guint i = 0; i < N_NETS; i++)
    {
      many.options[i].max_epochs = 12;
      many.options[i].patience = 2 + i % 2;
      many.options[i].learning_rate = 0.2;      /* so that it goes up and down */
      many.options[i].node = MT_NODE_STANDARD;
    }
  use_host (3);
  train_together (&many);
  for (guint i = 0; i < N_NETS; i++)
    {
      g_autoptr (MtTrainResult) cpu = NULL;
      g_auto (MtTrainState) a = { 0 }, b = { 0 };
      g_autofree char *name = NULL, *name_cpu = NULL;

      many.options[i].device = "cpu";
      mt_train_run (many.jobs[i].data, &many.options[i], NULL, 0, NULL, NULL, NULL, NULL, &cpu, NULL);
      g_assert_nonnull (cpu);
      name = read_state (many.jobs[i].result, &a);
      name_cpu = read_state (cpu, &b);
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
  Watch watches[N_NETS] = { { NULL } };
  g_auto (Many) many = { 0 };
  g_autoptr (MtTrainResult) rest = NULL;
  g_autoptr (GError) error = NULL;

  many_init (&many, MT_TASK_MULTICLASS, 230);
  use_host (0);
  train_alone (&many);
  watches[1] = (Watch) { cancellable, 2 };
  for (guint i = 0; i < N_NETS; i++)
    {
      many.jobs[i].progress = on_progress;
      many.jobs[i].progress_data = &watches[i];
    }
  many.jobs[1].cancellable = cancellable;
  train_together (&many);
  for (guint i = 0; i < N_NETS; i++)
    {
      g_assert_no_error (many.jobs[i].error);
      g_assert_true (watches[i].done);
      g_assert_cmpuint (watches[i].n_reports, >=, many.jobs[i].result->n_epochs);
      if (i != 1)
        assert_same (many.jobs[i].result, many.alone[i]);
    }
  g_assert_true (many.jobs[1].result->stopped);
  g_assert_cmpuint (many.jobs[1].result->n_epochs, ==, 2);
  mt_train_run (many.jobs[1].data, many.jobs[1].options, NULL, 0, many.jobs[1].result->state, NULL, NULL, NULL, &rest,
                &error);
  g_assert_no_error (error);
  assert_same (rest, many.alone[1]);
}

/* All are cancelled; each goes on later from where it was, as if nothing had been. */
static void
test_cancel_all (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { cancellable, 3 };
  g_auto (Many) many = { 0 };
  g_autoptr (MtTrainKeep) keep = mt_train_keep_new ();

  many_init (&many, MT_TASK_REGRESSION, 230);
  use_host (0);
  train_alone (&many);
  many.jobs[5].progress = on_progress;
  many.jobs[5].progress_data = &watch;
  for (guint i = 0; i < N_NETS; i++)
    many.options[i].keep = keep;
  mt_train_run_many (many.jobs, N_NETS, cancellable);
  g_assert_cmpuint (mt_train_keep_get_n_states (keep), ==, N_NETS);
  for (guint i = 0; i < N_NETS; i++)
    {
      g_assert_no_error (many.jobs[i].error);
      g_assert_true (many.jobs[i].result->stopped || many.jobs[i].result->n_epochs == many.alone[i]->n_epochs);
    }
  g_assert_cmpuint (many.jobs[5].result->n_epochs, ==, 3);
  many.jobs[5].progress = NULL;
  train_together (&many);
  assert_all_same (&many);
}

/* The device dies somewhere: every net that had not finished says so and keeps what it had; started again
 * on the CPU, they go on from there and come to their ends. */
static void
test_lost (void)
{
  g_auto (Many) many = { 0 };
  guint n_went_on = 0;

  many_init (&many, MT_TASK_BINARY, 230);
  for (guint i = 0; i < N_NETS; i++)
    {
      many.options[i].max_epochs = 20;
      many.options[i].patience = 100;
    }
  for (guint n = 100; n < 900; n += 160)
    {
      g_autoptr (MtTrainKeep) keep = mt_train_keep_new ();
      guint n_lost = 0;

      use_host (n);
      for (guint i = 0; i < N_NETS; i++)
        {
          many.options[i].device = "cuda";
          many.options[i].keep = keep;
        }
      mt_host_fail_at (n, LAUNCH_FAILED);
      forget_results (&many);
      mt_train_run_many (many.jobs, N_NETS, NULL);
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      for (guint i = 0; i < N_NETS; i++)
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
      for (guint i = 0; i < N_NETS; i++)
        many.options[i].device = "cpu";
      mt_host_reset (0);
      train_together (&many);
      for (guint i = 0; i < N_NETS; i++)
        {
          g_assert_no_error (many.jobs[i].error);
          g_assert_cmpuint (many.jobs[i].result->n_epochs, ==, 20);
        }
    }
  g_assert_cmpuint (n_went_on, >, 0);
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
  g_auto (Many) many = { 0 };
  guint n_other = 0;

  many_init (&many, task, 300);
  for (guint threads = 32; threads <= 128; threads *= 4)
    {
      Curve curves[N_NETS];

      use_host (threads);
      mt_gpu_host_threads = threads;
      for (guint i = 0; i < N_NETS; i++)
        {
          many.jobs[i].progress = on_curve;
          many.jobs[i].progress_data = &curves[i];
        }
      train_together (&many);
      for (guint i = 0; i < N_NETS; i++)
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

static void
in_order (guint    index,
          guint    epoch,
          guint32 *order,
          gpointer user_data)
{
  const MtTestCase *it = user_data;

  memcpy (order, it->order, it->n_rows * sizeof *order);
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
  g_assert_true (mt_backend_cuda_many.run_epoch (context, in_order, (gpointer) it, NULL, &standing, NULL));
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
  use_host (0);
  g_assert_true (isfinite (measure_once (&it, TRUE, 0, &losses_of[0], &with)));
  g_assert_true (isnan (measure_once (&it, FALSE, 0, &losses_of[1], &without)));
  g_assert_cmpuint (with, >=, without + 16 * it.n_rows);
  g_assert_true (isnan (measure_once (&it, TRUE, without + 1024, &losses_of[2], &little)));
  g_assert_cmpuint (little, ==, without);
  g_assert_true (losses_of[0] == losses_of[1] && losses_of[0] == losses_of[2]);
}

/* --- lost in each phase --- */

typedef struct {
  const char *what;
  const char *call;          /* of the runtime, which fails … */
  guint       n;             /* … for the how-many-th time */
  guint       memory;        /* of the device, in kB: 0 all that is needed; little: nets in rounds, or rows in stages */
  gboolean    scans;         /* one net starts by a scan */
} Loss;

/* Opening makes no graph, an epoch launches two: its steps, and its end. */
static const Loss losses[] = {
  { "reserving", "cudaMalloc", 1 },
  { "reserving pinned memory", "cudaMallocHost", 1 },
  { "upload", "cudaMemcpyAsync", 5 },
  { "first steps", "cudaGraphLaunch", 1 },
  { "first end", "cudaGraphLaunch", 2 },
  { "second steps", "cudaGraphLaunch", 3 },
  { "second end", "cudaGraphLaunch", 4 },
  { "fourth steps", "cudaGraphLaunch", 7 },
  { "making a graph", "cudaGraphInstantiate", 2 },
  { "a kernel", "mt_host_launch", 90 },
  { "waiting for an epoch", "cudaStreamSynchronize", 4 },
  { "fetching states", "cudaEventSynchronize", 3 },
  { "nets in rounds", "cudaGraphLaunch", 17, 400 },
  { "rows in stages", "cudaEventSynchronize", 40, 120 },
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
  gboolean is_staged = g_str_equal (loss->what, "rows in stages");
  Watch watches[N_NETS] = { { NULL } };
  g_auto (Many) many = { 0 };
  guint n_lost = 0;

  many_init (&many, MT_TASK_BINARY, is_staged ? 1500 : 160);
  for (guint i = 0; i < N_NETS; i++)
    {
      many.options[i].n_nodes = 3 + i;
      if (is_staged)
        many.options[i].node = MT_NODE_STANDARD;
    }
  if (!loss->scans)
    many.options[4].start = MT_START_RANDOM;
  use_host (1);
  train_alone (&many);
  use_host (1);
  if (loss->memory > 0)
    mt_host_pretend_memory (loss->memory * 1000);
  mt_host_fail_call (loss->call, loss->n, LAUNCH_FAILED);
  for (guint i = 0; i < N_NETS; i++)
    {
      watches[i].at_epoch = G_MAXUINT;
      many.jobs[i].progress = on_progress;
      many.jobs[i].progress_data = &watches[i];
    }
  mt_train_run_many (many.jobs, N_NETS, NULL);
  g_assert_cmpuint (mt_host_get_calls_left (), ==, 0);
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  use_host (2);
  for (guint i = 0; i < N_NETS; i++)
    {
      g_autoptr (MtTrainResult) rest = NULL;
      g_autoptr (GError) error = NULL;

      if (many.jobs[i].error == NULL)
        {
          assert_same (many.jobs[i].result, many.alone[i]);
          continue;
        }
      n_lost++;
      g_assert_error (many.jobs[i].error, MT_ERROR, MT_ERROR_DEVICE);
      /* It may be missed while it is looked for, too: then there is nothing but the settings to go on from. */
      g_assert_nonnull (strstr (many.jobs[i].error->message, loss->scans ? "the CPU" : "the CPU can"));
      if (many.jobs[i].result == NULL && loss->scans)
        continue;
      g_assert_cmpuint (read_epoch (many.jobs[i].error), ==, many.jobs[i].result->n_epochs);
      g_assert_cmpuint (many.jobs[i].result->n_epochs + 1, >=, watches[i].last_epoch);
      g_assert_cmpuint (many.jobs[i].result->n_epochs, <=, watches[i].last_epoch);
      g_test_message ("net %u: %u epochs told, %s", i, watches[i].last_epoch, many.jobs[i].error->message);
      mt_train_run (many.jobs[i].data, many.jobs[i].options, NULL, 0, many.jobs[i].result->state, NULL, NULL, NULL, &rest,
                    &error);
      g_assert_no_error (error);
      assert_same (rest, many.alone[i]);
    }
  g_assert_cmpuint (n_lost, >, 0);
}

/* The state that a net goes on from is the newest: not one epoch in eight. */
static void
test_lost_late (void)
{
  g_auto (Many) many = { 0 };
  Watch watch = { NULL, G_MAXUINT };

  many_init (&many, MT_TASK_BINARY, 100);
  many.options[0].max_epochs = 12;
  use_host (0);
  mt_host_fail_call ("cudaGraphLaunch", 2 * 7 + 2, LAUNCH_FAILED);      /* the end of the eighth */
  many.jobs[0].progress = on_progress;
  many.jobs[0].progress_data = &watch;
  mt_train_run_many (many.jobs, 1, NULL);
  g_assert_error (many.jobs[0].error, MT_ERROR, MT_ERROR_DEVICE);
  g_assert_cmpuint (watch.last_epoch, ==, 7);
  g_assert_cmpuint (many.jobs[0].result->n_epochs, ==, 7);
  mt_host_reset (0);
}

/* A net whose numbers go wrong ends alone, and says why; the others learn on. */
static void
test_not_finite (void)
{
  g_auto (Many) many = { 0 };
  g_auto (MtTrainState) state = { 0 };
  g_autofree char *fingerprint = NULL;
  g_autoptr (GBytes) resume = NULL;
  const MtNetLayout *layout;

  many_init (&many, MT_TASK_REGRESSION, 230);
  use_host (0);
  train_alone (&many);
  layout = &many.alone[1]->net->layout;
  fingerprint = read_state (many.alone[1], &state);
  state.epoch = state.best_epoch = 2;
  state.waited = 0;
  state.last.params[layout->head_bias] = 1e30f;      /* a number, but its square is none */
  resume = mt_train_state_to_bytes (&state, fingerprint);
  many.jobs[1].resume = resume;
  mt_train_run_many (many.jobs, N_NETS, NULL);
  for (guint i = 0; i < N_NETS; i++)
    if (i != 1)
      {
        g_assert_no_error (many.jobs[i].error);
        assert_same (many.jobs[i].result, many.alone[i]);
      }
  g_assert_error (many.jobs[1].error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_nonnull (strstr (many.jobs[1].error->message, "the loss stopped being a finite number at step"));
  g_assert_true (many.jobs[1].result->stopped);
  g_assert_cmpuint (many.jobs[1].result->n_epochs, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/gpu-many/as-alone/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_as_alone);
  g_test_add_data_func ("/gpu-many/as-alone/multiclass", GUINT_TO_POINTER (MT_TASK_MULTICLASS), test_as_alone);
  g_test_add_data_func ("/gpu-many/as-alone/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_as_alone);
  g_test_add_func ("/gpu-many/graphs", test_graphs);
  g_test_add_data_func ("/gpu-many/memory/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_memory);
  g_test_add_data_func ("/gpu-many/memory/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_memory);
  g_test_add_func ("/gpu-many/full-device", test_full_device);
  g_test_add_data_func ("/gpu-many/no-memory/device", "cudaMalloc", test_no_memory);
  g_test_add_data_func ("/gpu-many/no-memory/pinned", "cudaMallocHost", test_no_memory);
  g_test_add_data_func ("/gpu-many/no-memory/stream", "cudaStreamCreateWithFlags", test_no_memory);
  g_test_add_data_func ("/gpu-many/no-memory/event", "cudaEventCreateWithFlags", test_no_memory);
  g_test_add_data_func ("/gpu-many/no-memory/graph", "cudaGraphInstantiate", test_no_memory);
  g_test_add_func ("/gpu-many/some-rows", test_some_rows);
  g_test_add_func ("/gpu-many/large", test_large);
  g_test_add_func ("/gpu-many/judged-as-on-the-cpu", test_judged_as_on_the_cpu);
  g_test_add_data_func ("/gpu-many/metric/binary", GUINT_TO_POINTER (MT_TASK_BINARY), test_metric);
  g_test_add_data_func ("/gpu-many/metric/multiclass", GUINT_TO_POINTER (MT_TASK_MULTICLASS), test_metric);
  g_test_add_data_func ("/gpu-many/metric/regression", GUINT_TO_POINTER (MT_TASK_REGRESSION), test_metric);
  g_test_add_func ("/gpu-many/metric/without-room", test_metric_without_room);
  g_test_add_func ("/gpu-many/cancel-one", test_cancel_one);
  g_test_add_func ("/gpu-many/cancel-all", test_cancel_all);
  g_test_add_func ("/gpu-many/lost-device", test_lost);
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (losses[i].what), " ", '-');
      g_autofree char *path = g_strconcat ("/gpu-many/lost/", name, NULL);

      g_test_add_data_func (path, &losses[i], test_lost_in);
    }
  g_test_add_func ("/gpu-many/lost/late", test_lost_late);
  g_test_add_func ("/gpu-many/not-finite", test_not_finite);
  return g_test_run ();
}
