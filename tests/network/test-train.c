#include "config.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "rules/mt-metrics.h"
#include "base/mt-random.h"
#include "network/mt-train.h"
#include "network/mt-net-private.h"
#include "netdata.h"

typedef struct {
  MtEncoded      *encoded;
  guint32        *classes;
  double         *values;
  MtTrainData     data;
  MtTrainOptions  options;
} Job;

static void
job_init (Job   *job,
          MtTask task,
          gsize  n_rows)
{
  guint n_classes = task == MT_TASK_REGRESSION ? 0 : task == MT_TASK_BINARY ? 2 : 3;

  job->encoded = mt_test_encoded (6, 5, 2, n_rows, 1);
  job->classes = n_classes > 0 ? mt_test_classes (job->encoded, n_classes, 2) : NULL;
  job->values = n_classes == 0 ? mt_test_values (job->encoded, 2) : NULL;
  job->data = (MtTrainData) { job->encoded, task, n_classes, job->classes, job->values };
  mt_train_options_init (&job->options);
  job->options.n_nodes = 20;
  job->options.fan_in = 3;
  job->options.seed = 5;
  job->options.n_threads = 2;
  job->options.max_epochs = 40;
}

static void
job_clear (Job *job)
{
  mt_encoded_unref (job->encoded);
  g_free (job->classes);
  g_free (job->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static MtTrainResult *
train (const Job *job)
{
  g_autoptr (GError) error = NULL;
  MtTrainResult *result;

  if (!mt_train_run (&job->data, &job->options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error))
    g_error ("%s", error->message);
  return result;
}

/* Training learns an interaction that the head alone cannot express. */
static void
test_learns (void)
{
  for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    {
      g_auto (Job) job = { 0 };
      g_autoptr (MtTrainResult) result = NULL, linear = NULL;

      job_init (&job, task, 4000);
      job.options.max_epochs = 60;
      result = train (&job);
      g_assert_false (result->stopped);
      g_assert_cmpuint (result->best_epoch, >, 0);
      g_assert_cmpuint (result->n_steps, >, result->n_epochs);
      g_assert_true (g_str_has_prefix (result->engine, "cpu"));
      g_test_message ("task %d: metric %.4f, loss %.4f, best epoch %u of %u, %.2f s", task, result->metric,
                      result->valid_loss, result->best_epoch, result->n_epochs, result->seconds);
      g_assert_cmpfloat (result->metric, >, 0.75);

      /* One node of one input cannot: the test data are not trivial. */
      job.options.n_nodes = 1;
      job.options.fan_in = 1;
      linear = train (&job);
      g_test_message ("without nodes: metric %.4f, loss %.4f", linear->metric, linear->valid_loss);
      g_assert_cmpfloat (result->valid_loss, <, 0.9 * linear->valid_loss);
    }
}

/* Scores of the result on all rows are in the target's unit. */
static void
test_units (void)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) result = NULL;
  g_autofree double *scores = NULL;
  MtScored scored;

  job_init (&job, MT_TASK_REGRESSION, 3000);
  result = train (&job);
  scores = g_new (double, 3000);
  mt_net_score (result->net, job.encoded, scores);
  scored = (MtScored) { MT_TASK_REGRESSION, 0, 3000, NULL, job.values, scores };
  g_assert_cmpfloat (mt_metric_compute (MT_METRIC_R2, &scored), >, 0.7);
}

static void
assert_same (const MtTrainResult *a,
             const MtTrainResult *b)
{
  gsize n = a->net->layout.n_params * sizeof (float);

  g_assert_cmpmem (a->net->params, n, b->net->params, n);
  g_assert_true (g_bytes_equal (a->state, b->state));
}

static void
test_same_bytes (void)
{
  const guint threads[] = { 1, 2, 3, 8 };
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) first = NULL, other = NULL;

  job_init (&job, MT_TASK_MULTICLASS, 2500);
  job.options.max_epochs = 6;
  job.options.batch = 900;
  first = train (&job);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (MtTrainResult) again = NULL;

      job.options.n_threads = threads[i % G_N_ELEMENTS (threads)];
      setlocale (LC_ALL, i % 2 == 0 ? "C" : "de_DE.UTF-8");
      again = train (&job);
      assert_same (first, again);
    }
  setlocale (LC_ALL, "C");
  /* Another seed is another run. */
  job.options.seed++;
  other = train (&job);
  g_assert_false (g_bytes_equal (first->state, other->state));
}

static void
test_resume (void)
{
  for (MtNodeKind kind = MT_NODE_STANDARD; kind <= MT_NODE_DEEP; kind++)
    {
      g_auto (Job) job = { 0 };
      g_autoptr (MtTrainResult) whole = NULL, part = NULL, rest = NULL;
      g_autoptr (GBytes) file = NULL;
      g_autoptr (GError) error = NULL;

      job_init (&job, MT_TASK_BINARY, 1500);
      job.options.node = kind;
      job.options.max_epochs = 12;
      job.options.plateau = 2;
      whole = train (&job);
      job.options.max_epochs = 5;
      part = train (&job);
      /* As from a file: other memory, other alignment. */
      file = g_bytes_new (g_bytes_get_data (part->state, NULL), g_bytes_get_size (part->state));
      job.options.max_epochs = 12;
      job.options.n_threads = 3;
      g_assert_true (mt_train_run (&job.data, &job.options, NULL, 0, file, NULL, NULL, NULL, &rest, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (part->n_epochs, ==, 5);
      assert_same (whole, rest);
    }
}

static void
assert_bad_state (const Job  *job,
                  GBytes     *bytes,
                  MtError     code,
                  const char *says)
{
  g_autoptr (MtTrainResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_train_run (&job->data, &job->options, NULL, 0, bytes, NULL, NULL, NULL, &result,
                                &error));
  g_assert_error (error, MT_ERROR, (int) code);
  if (strstr (error->message, says) == NULL)
    g_error ("'%s' does not say '%s'", error->message, says);
  g_assert_null (result);
}

static void
test_bad_state (void)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) result = NULL;
  g_autoptr (GBytes) empty = g_bytes_new (NULL, 0);
  g_autoptr (GVariant) value = NULL;
  const guint8 *data;
  gsize size;

  job_init (&job, MT_TASK_BINARY, 300);
  job.options.max_epochs = 2;
  job.options.n_nodes = 2;
  result = train (&job);
  assert_bad_state (&job, empty, MT_ERROR_PARSE, "not a saved training state");
  job.options.learning_rate = 0.02;
  assert_bad_state (&job, result->state, MT_ERROR_PARAMS, "other data or settings");
  job.options.learning_rate = 0.01;

  /* The same fields with one thing wrong each. */
  value = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE ("(sstuuddduuauauauau)"),
                                                        result->state, FALSE));
  for (guint fault = 0; fault < 4; fault++)
    {
      const char *says[] = { "another version", "parameters has 1 numbers", "out of range", "not finite" };
      guint32 nan_bits = 0x7fc00000;
      g_autoptr (GPtrArray) children = g_ptr_array_new ();
      g_autoptr (GVariant) wrong = NULL;
      g_autoptr (GBytes) bytes = NULL;

      for (guint i = 0; i < g_variant_n_children (value); i++)
        g_ptr_array_add (children, g_variant_get_child_value (value, i));
      if (fault == 0)
        {
          g_variant_unref (children->pdata[0]);
          children->pdata[0] = g_variant_ref_sink (g_variant_new_string ("minterm training 9"));
        }
      else if (fault == 2)
        {
          g_variant_unref (children->pdata[7]);
          children->pdata[7] = g_variant_ref_sink (g_variant_new_double (-1.0));
        }
      else
        {
          gsize n;
          const guint32 *old = g_variant_get_fixed_array (children->pdata[10], &n, sizeof (guint32));
          g_autofree guint32 *copy = g_memdup2 (old, n * sizeof (guint32));
          GVariant *changed;

          copy[0] = nan_bits;
          g_variant_unref (children->pdata[10]);
          changed = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, copy, fault == 1 ? 1 : n,
                                               sizeof (guint32));
          children->pdata[10] = g_variant_ref_sink (changed);
        }
      wrong = g_variant_ref_sink (g_variant_new_tuple ((GVariant **) children->pdata, children->len));
      for (guint i = 0; i < children->len; i++)
        g_variant_unref (children->pdata[i]);
      bytes = g_variant_get_data_as_bytes (wrong);
      assert_bad_state (&job, bytes, MT_ERROR_PARSE, says[fault]);
    }

  /* Any flipped byte or cut: a clean error or a valid training, never a crash. */
  data = g_bytes_get_data (result->state, &size);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree guint8 *copy = g_memdup2 (data, size);
      gsize at = (gsize) i * 7919 % size;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (MtTrainResult) ignored = NULL;
      g_autoptr (GError) error = NULL;

      copy[at] ^= (guint8) (1 << (i % 8));
      bytes = g_bytes_new (copy, i % 3 == 0 ? at : size);
      if (!mt_train_run (&job.data, &job.options, NULL, 0, bytes, NULL, NULL, NULL, &ignored, &error))
        g_assert_nonnull (error);
    }
}

static void
refused (const Job  *job,
         const char *says)
{
  g_autoptr (MtTrainResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_train_run (&job->data, &job->options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_null (result);
  if (strstr (error->message, says) == NULL)
    g_error ("'%s' does not say '%s'", error->message, says);
}

#define REFUSED(field, value, says)               \
  {                                               \
    g_auto (Job) job = { 0 };                     \
    job_init (&job, MT_TASK_BINARY, 50);          \
    job.options.field = value;                    \
    refused (&job, says);                         \
  }

static void
test_refused_settings (void)
{
  REFUSED (n_nodes, 0, "nodes must be between 1 and 10000, not 0")
  REFUSED (fan_in, 0, "fan-in must be between 1 and 16, not 0")
  REFUSED (fan_in, 17, "fan-in must be between 1 and 16, not 17")
  REFUSED (temperature, 0.0, "temperature must be above 0 and at most 100, not 0")
  REFUSED (temperature, -1.0, "temperature must be above 0")
  REFUSED (temperature, NAN, "temperature must be above 0")
  REFUSED (batch, 0, "batch must be between 1 and 1048576, not 0")
  REFUSED (learning_rate, 0.0, "learning rate must be above 0 and at most 1, not 0")
  REFUSED (weight_decay, -1.0, "weight decay must be between 0 and 1, not -1")
  REFUSED (clip, -1.0, "gradient clip must be 0 (none) or above, not -1")
  REFUSED (max_epochs, 0, "epochs must be between 1 and 1000000, not 0")
  REFUSED (patience, 0, "patience must be at least 1 epoch")
  REFUSED (plateau, 0, "plateau must be at least 1 epoch")
  REFUSED (validation, 0.6, "validation share must be between 0 and 0.5, not 0.6")
  REFUSED (n_threads, 2000, "threads must be between 1 and 1024, or 0 for all, not 2000")
  REFUSED (device, "abacus", "device must be auto, cpu, or cuda")
  {
    g_auto (Job) job = { 0 };
    job_init (&job, MT_TASK_BINARY, 50);
    job.options.node = MT_NODE_DEEP;
    job.options.fan_in = 9;
    refused (&job, "fan-in must be between 1 and 8, not 9");
    job.options.fan_in = 8;
    job.options.n_nodes = 10000;
    refused (&job, "deep nodes × conditions × 2^fan-in must not exceed");
  }
}

static void
test_refused_data (void)
{
  g_auto (Job) job = { 0 };
  g_auto (Job) numbers = { 0 };
  g_autoptr (MtEncoded) empty = mt_encoded_new (NULL, 0, NULL, NULL, 0, 50);
  g_autoptr (MtEncoded) one = mt_test_encoded (1, 2, 0, 50, 1);
  g_autoptr (MtEncoded) short_ = mt_test_encoded (3, 4, 0, 1, 1);
  double infinite[50] = { 0 };

  job_init (&job, MT_TASK_BINARY, 50);
  job.data.encoded = empty;
  refused (&job, "no column can be turned into conditions");
  job.data.encoded = one;
  refused (&job, "fan-in must be between 1 and 2 (the number of conditions), not 3");
  job.data.encoded = short_;
  refused (&job, "rows must be between 2 and");
  infinite[7] = INFINITY;
  {
    const MtGroup group = { MT_GROUP_THERMOMETER, 0, 0, 5, FALSE };
    guint8 codes[50] = { 0 };
    g_autoptr (MtEncoded) bad = mt_encoded_new (&group, 1, codes, infinite, 1, 50);

    job.data.encoded = bad;
    refused (&job, "numeric column 0, row 7: not a finite number");
  }
  job.data.encoded = job.encoded;

  for (guint r = 0; r < 50; r++)
    job.classes[r] = 1;
  refused (&job, "the target has only one class; at least 2 are required");
  job.classes[3] = 0;
  refused (&job, "class 0 of the target has 1 row; a class needs at least 2");
  job.classes[3] = 2;
  refused (&job, "row 3: class 2 is not below the number of classes, 2");
  job.data.n_classes = 3;
  refused (&job, "classes must be 2, not 3");
  job.data.task = MT_TASK_MULTICLASS;
  job.data.n_classes = 1;
  refused (&job, "classes must be between 2 and 1000, not 1");

  job_init (&numbers, MT_TASK_REGRESSION, 50);
  numbers.values[9] = NAN;
  refused (&numbers, "row 9: the target is not a finite number");
  for (guint r = 0; r < 50; r++)
    numbers.values[r] = 3.5;
  refused (&numbers, "the target has only one value; at least 2 are required");
}

static void
test_start (void)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) result = NULL;
  g_autoptr (GError) error = NULL;
  MtNetNode start = { 2, { 3, 11 }, { 1.0f, -1.0f }, -0.5f }, node;
  guint found = 0;

  job_init (&job, MT_TASK_BINARY, 500);
  job.options.max_epochs = 1;
  g_assert_true (mt_train_run (&job.data, &job.options, &start, 1, NULL, NULL, NULL, NULL, &result, &error));
  mt_net_read_node (result->net, 0, &node);
  for (guint i = 0; i < node.n_inputs; i++)
    found += node.inputs[i] == 3 || node.inputs[i] == 11;
  g_assert_cmpuint (found, ==, 2);

  g_clear_pointer (&result, mt_train_result_free);
  start.n_inputs = 4;
  g_assert_false (mt_train_run (&job.data, &job.options, &start, 1, NULL, NULL, NULL, NULL, &result, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "start node 0 has 4 inputs; fan-in allows 3"));
  g_clear_error (&error);
  start.n_inputs = 1;
  start.inputs[0] = 5000;
  g_assert_false (mt_train_run (&job.data, &job.options, &start, 1, NULL, NULL, NULL, NULL, &result, &error));
  g_assert_nonnull (strstr (error->message, "start node 0: there is no condition 5000"));
}

/* Numbers near the end of float: the loss overflows, the last good state comes back. */
static void
test_not_finite (void)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *numeric = g_new (double, 400);
  g_autofree guint8 *codes = g_malloc (6 * 400);
  MtEncoded *old;

  job_init (&job, MT_TASK_REGRESSION, 400);
  for (guint g = 0; g < 6; g++)
    memcpy (codes + g * 400, mt_encoded_get_codes (job.encoded, g), 400);
  for (guint r = 0; r < 400; r++)
    numeric[r] = r % 2 == 0 ? 3e38 : -3e38;
  old = job.encoded;
  job.data.encoded = job.encoded = mt_encoded_new (mt_encoded_get_groups (old), 6, codes, numeric, 1, 400);
  mt_encoded_unref (old);
  g_assert_false (mt_train_run (&job.data, &job.options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "unstable"));
  g_assert_nonnull (result);
  g_assert_true (result->stopped);
  for (gsize i = 0; i < result->net->layout.n_params; i++)
    g_assert_true (isfinite (result->net->params[i]));
}

/* --- progress and cancelling --- */

typedef struct {
  MtTrainResult *result;
  GError        *error;
  GCancellable  *cancellable;
  GThread       *thread;
  guint          n_reports;
  guint          cancel_at;
  guint          last_epoch;
  double         last_metric;
} Watch;

static void
on_progress (const MtTrainProgress *progress,
             gpointer               data)
{
  Watch *watch = data;

  g_assert_true (g_thread_self () == watch->thread);
  watch->n_reports++;
  g_assert_cmpuint (progress->epoch, >=, watch->last_epoch);
  watch->last_epoch = progress->epoch;
  watch->last_metric = progress->metric;
  if (progress->phase == MT_TRAIN_RUNNING)
    {
      g_assert_cmpfloat (progress->rows_per_second, >, 0.0);
      g_assert_cmpfloat (progress->seconds_left, >=, 0.0);
      g_assert_true (isfinite (progress->train_loss) && isfinite (progress->valid_loss));
      g_assert_cmpuint (progress->step, >, 0);
    }
  if (watch->cancel_at > 0 && progress->epoch >= watch->cancel_at)
    g_cancellable_cancel (watch->cancellable);
}

static void
watch_run (Watch     *watch,
           const Job *job)
{
  watch->thread = g_thread_self ();
  mt_train_run (&job->data, &job->options, NULL, 0, NULL, on_progress, watch, watch->cancellable, &watch->result,
                &watch->error);
}

static void
test_cancel_from_progress (void)
{
  g_auto (Job) job = { 0 };
  Watch watch = { 0 };

  job_init (&job, MT_TASK_BINARY, 20000);
  job.options.max_epochs = 1000000;
  job.options.patience = 1000000;
  watch.cancellable = g_cancellable_new ();
  watch.cancel_at = 3;
  watch_run (&watch, &job);
  g_assert_no_error (watch.error);
  g_assert_true (watch.result->stopped);
  g_assert_cmpuint (watch.result->n_epochs, >=, 3);
  g_assert_cmpuint (watch.result->best_epoch, >, 0);
  g_assert_cmpfloat (watch.result->metric, >, 0.5);
  g_assert_cmpuint (watch.n_reports, >, 0);
  mt_train_result_free (watch.result);
  g_object_unref (watch.cancellable);
}

static gpointer
cancel_later (gpointer data)
{
  Watch *watch = data;

  g_usleep (watch->cancel_at);
  g_cancellable_cancel (watch->cancellable);
  return NULL;
}

/* A cancelled run gives a model marked as stopped, and its state goes on to the very model
 * that an uncancelled run gives. */
static void
cancel_at_random (guint n_times)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) whole = NULL;
  MtRandom random;

  job_init (&job, MT_TASK_BINARY, 3000);
  job.options.max_epochs = 30;
  whole = train (&job);
  mt_random_init (&random, 1);
  for (guint i = 0; i < n_times; i++)
    {
      g_autoptr (MtTrainResult) part = NULL, rest = NULL;
      Watch watch = { .cancellable = g_cancellable_new () };
      GThread *thread;

      watch.cancel_at = (guint) mt_random_below (&random, (guint64) (whole->seconds * 1.1e6) + 1);
      thread = g_thread_new ("cancel", cancel_later, &watch);
      g_assert_true (mt_train_run (&job.data, &job.options, NULL, 0, NULL, NULL, NULL, watch.cancellable,
                                   &part, NULL));
      g_thread_join (thread);
      g_assert_cmpint (part->stopped, ==, part->n_epochs < whole->n_epochs);
      g_assert_true (mt_train_run (&job.data, &job.options, NULL, 0, part->state, NULL, NULL, NULL, &rest,
                                   NULL));
      assert_same (whole, rest);
      g_object_unref (watch.cancellable);
    }
}

static void
test_cancel_anywhere (void)
{
  cancel_at_random (g_test_slow () ? 200 : 12);
}

static void
test_options (void)
{
  g_auto (Job) job = { 0 };
  g_autoptr (MtTrainResult) all = NULL, balanced = NULL, levels = NULL, none = NULL;
  guint n_in_head = 0;

  /* Without validation the training loss decides; balanced classes and other heads work. */
  job_init (&job, MT_TASK_BINARY, 1000);
  job.options.validation = 0.0;
  job.options.max_epochs = 5;
  all = train (&job);
  g_assert_true (isnan (all->valid_loss) && isnan (all->metric));
  g_assert_true (isfinite (all->train_loss));
  job.options.validation = 0.2;
  job.options.balance_classes = TRUE;
  balanced = train (&job);
  g_assert_true (isfinite (balanced->valid_loss));
  job.options.head = MT_LINEAR_FIT_LEVELS;
  levels = train (&job);
  for (guint i = 0; i < levels->net->shape.n_literals; i++)
    n_in_head += mt_net_is_in_head (levels->net, i);
  g_assert_cmpuint (n_in_head, ==, 5);      /* one of six groups is one-hot */
  job.options.head = MT_LINEAR_FIT_NUMERIC;
  job.options.divide_by_tau = FALSE;
  none = train (&job);
  g_assert_false (mt_net_is_in_head (none->net, 10));
  g_assert_cmpuint (none->batch, ==, 64);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/learns", test_learns);
  g_test_add_func ("/train/units", test_units);
  g_test_add_func ("/train/same-bytes", test_same_bytes);
  g_test_add_func ("/train/resume", test_resume);
  g_test_add_func ("/train/bad-state", test_bad_state);
  g_test_add_func ("/train/refused-settings", test_refused_settings);
  g_test_add_func ("/train/refused-data", test_refused_data);
  g_test_add_func ("/train/start", test_start);
  g_test_add_func ("/train/not-finite", test_not_finite);
  g_test_add_func ("/train/options", test_options);
  g_test_add_func ("/train/cancel-from-progress", test_cancel_from_progress);
  g_test_add_func ("/train/cancel-anywhere", test_cancel_anywhere);
  return g_test_run ();
}
