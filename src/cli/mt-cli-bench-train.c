/* minterm-cli bench train DATA.csv --target T: a whole gradient training, its time, and how
 * good the network is on rows it has not seen. For choosing defaults (docs/method.md). */
#include "config.h"
#include "mt-cli-model.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  MtTask   task;
  guint    n_classes;
  guint32 *classes;
  double  *values;
} Target;

/* The target of the given rows; a number with more than two values is a regression. */
static void
read_target (const MtTable *table,
             const GArray  *rows,
             Target        *target)
{
  const MtColumn *column = mt_table_get_column (table, (guint) mt_table_get_target (table));
  gsize n = rows->len;

  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      double low = INFINITY, high = -INFINITY;
      gboolean two = TRUE;

      target->values = g_new (double, MAX (n, 1));
      for (gsize i = 0; i < n; i++)
        {
          target->values[i] = mt_column_get_number (column, g_array_index (rows, guint32, i));
          low = MIN (low, target->values[i]);
          high = MAX (high, target->values[i]);
        }
      for (gsize i = 0; i < n; i++)
        two = two && (target->values[i] == low || target->values[i] == high);
      target->task = two ? MT_TASK_BINARY : MT_TASK_REGRESSION;
      target->n_classes = two ? 2 : 0;
      target->classes = g_new (guint32, MAX (n, 1));
      for (gsize i = 0; two && i < n; i++)
        target->classes[i] = target->values[i] == high;
      return;
    }
  target->n_classes = mt_column_get_n_levels (column);
  target->task = target->n_classes == 2 ? MT_TASK_BINARY : MT_TASK_MULTICLASS;
  target->classes = g_new (guint32, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    target->classes[i] = mt_column_get_code (column, g_array_index (rows, guint32, i));
}

static void
target_clear (Target *target)
{
  g_free (target->classes);
  g_free (target->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Target, target_clear)

/* AUC or R² of the net on encoded rows. */
static double
test_metric (const MtNet     *net,
             const MtEncoded *encoded,
             const Target    *target)
{
  gsize n = mt_encoded_get_n_rows (encoded);
  guint n_outputs = mt_net_get_shape (net)->n_outputs;
  g_autofree double *scores = g_new (double, MAX (n * n_outputs, 1));
  MtScored scored = { target->task, target->n_classes, n, target->classes, target->values, scores };

  mt_net_score (net, encoded, scores);
  mt_task_link (target->task, n_outputs, n, scores);
  return mt_metric_compute (target->task == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC, &scored);
}

/* Memory in use now, in bytes; 0 where it is unknown. */
static double
memory_in_use (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  fields = g_strsplit (text, " ", 3);
  return fields[0] != NULL && fields[1] != NULL
           ? (double) g_ascii_strtoull (fields[1], NULL, 10) * (double) sysconf (_SC_PAGESIZE) : 0;
}

/* Bit planes and codes. */
static double
bytes_of (const MtEncoded *encoded)
{
  return (double) mt_encoded_get_n_literals (encoded) * (double) mt_encoded_get_n_words (encoded) * sizeof (guint64) +
         (double) mt_encoded_get_n_groups (encoded) * (double) mt_encoded_get_n_rows (encoded);
}

int
mt_cli_bench_train (int    argc,
                    char **argv)
{
  MtTrainOptions options;
  int bits = 9, nodes = 30, fan_in = 5, seeds = 1, epochs = 200, batch = MT_BATCH_AUTO;
  g_autofree char *head = NULL, *node = NULL, *start = NULL;
  gboolean no_tau = FALSE;
  g_auto (MtCliImport) reading = { 0 };
  double temperature = 0.01, rate = 0.01;
  const GOptionEntry own[] = {
    { "bits", 0, 0, G_OPTION_ARG_INT, &bits, "Thresholds per column [default: 9]", "N" },
    { "nodes", 0, 0, G_OPTION_ARG_INT, &nodes, "Nodes [default: 30]", "N" },
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Inputs per node [default: 5]", "N" },
    { "node", 0, 0, G_OPTION_ARG_STRING, &node, "standard or deep [default: standard]", "KIND" },
    { "temperature", 0, 0, G_OPTION_ARG_DOUBLE, &temperature, "Temperature [default: 0.01]", "T" },
    { "learning-rate", 0, 0, G_OPTION_ARG_DOUBLE, &rate, "Learning rate [default: 0.01]", "R" },
    { "batch", 0, 0, G_OPTION_ARG_INT, &batch, "Rows per step [default: by the number of rows]", "N" },
    { "head", 0, 0, G_OPTION_ARG_STRING, &head, "Linear terms: numeric, levels, or literals [default: literals]", "TERMS" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &start, "scan or random [default: scan]", "START" },
    { "no-tau", 0, 0, G_OPTION_ARG_NONE, &no_tau, "Leave out the factor 1/τ", NULL },
    { "epochs", 0, 0, G_OPTION_ARG_INT, &epochs, "Maximum epochs [default: 200]", "N" },
    { "seeds", 0, 0, G_OPTION_ARG_INT, &seeds, "Runs, each with its own split and seed [default: 1]", "N" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_entries (&reading, own);
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtJsonWriter) json = NULL;
  MtEncoderOptions encoder_options;
  double before = 0.0, data_bytes = 0.0, sum = 0.0, sum_valid = 0.0, seconds = 0.0, steps = 0.0;
  guint used_batch = 0, literals = 0;
  struct rusage usage;
  MtTable *table;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, "bench train takes one file; see --help");
  if (reading.target == NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "--target must name the column to predict");
  if (seeds < 1 || bits < 1 || nodes < 0 || fan_in < 0 || epochs < 0)
    return mt_cli_fail (MT_EXIT_USAGE, "numbers must not be negative, and seeds and bits at least 1");
  mt_train_options_init (&options);
  if (head != NULL)
    {
      const char *words[] = { "numeric", "levels", "literals", NULL };

      if (!g_strv_contains (words, head))
        return mt_cli_fail (MT_EXIT_USAGE, "--head must be numeric, levels, or literals");
      options.head = g_str_equal (head, "numeric") ? MT_LINEAR_FIT_NUMERIC
                     : g_str_equal (head, "levels") ? MT_LINEAR_FIT_LEVELS : MT_LINEAR_FIT_LITERALS;
    }
  if (node != NULL && !g_str_equal (node, "standard") && !g_str_equal (node, "deep"))
    return mt_cli_fail (MT_EXIT_USAGE, "--node must be standard or deep");
  options.node = g_strcmp0 (node, "deep") == 0 ? MT_NODE_DEEP : MT_NODE_STANDARD;
  if (start != NULL && !g_str_equal (start, "scan") && !g_str_equal (start, "random"))
    return mt_cli_fail (MT_EXIT_USAGE, "--start must be scan or random");
  options.start = g_strcmp0 (start, "random") == 0 ? MT_START_RANDOM : MT_START_SCAN;
  options.n_nodes = (guint) nodes;
  options.fan_in = (guint) fan_in;
  options.temperature = temperature;
  options.learning_rate = rate;
  options.batch = batch;
  options.divide_by_tau = !no_tau;
  options.max_epochs = (guint) epochs;
  options.n_threads = (guint) common.threads;
  options.device = common.device;
  mt_encoder_options_init (&encoder_options);
  encoder_options.bits = (guint) bits;

  import = mt_cli_import_read (&reading, &common, argv[1], &status);
  if (import == NULL)
    return status;
  table = mt_import_get_table (import);

  for (int run = 0; run < seeds; run++)
    {
      MtSplitOptions split = { .seed = (guint64) (common.seed + run), .test_fraction = 0.2,
                               .stratify = TRUE };
      g_autoptr (GArray) train = NULL, test = NULL;
      g_autoptr (MtEncoder) encoder = NULL;
      g_autoptr (MtEncoded) encoded = NULL, encoded_test = NULL;
      g_autoptr (MtTrainResult) result = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (Target) target = { 0 };
      g_auto (Target) target_test = { 0 };
      MtTrainData data;
      double metric;

      options.seed = (guint64) (common.seed + run);
      if (!mt_split_test (table, &split, &train, &test, &error))
        return mt_cli_fail_error (error);
      encoder = mt_encoder_fit (table, (const guint32 *) train->data, train->len, &encoder_options, &error);
      if (encoder != NULL)
        encoded = mt_encoder_apply (encoder, table, (const guint32 *) train->data, train->len, NULL, &error);
      if (encoded != NULL)
        encoded_test = mt_encoder_apply (encoder, table, (const guint32 *) test->data, test->len, NULL,
                                         &error);
      if (encoded_test == NULL)
        return mt_cli_fail_error (error);
      read_target (table, train, &target);
      read_target (table, test, &target_test);
      before = memory_in_use ();
      data_bytes = bytes_of (encoded);
      data = (MtTrainData) { encoded, target.task, target.n_classes, target.classes, target.values };
      if (!mt_train_run (&data, &options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error))
        return mt_cli_fail_error (error);
      metric = test_metric (result->net, encoded_test, &target_test);
      sum += metric;
      sum_valid += result->metric;
      seconds += result->seconds;
      steps += (double) result->n_steps;
      used_batch = result->batch;
      literals = mt_encoded_get_n_literals (encoded);
      if (!common.json)
        g_print ("test %.4f, validation %.4f (loss %.4f), best epoch %u of %u, %.2f s\n", metric,
                 result->metric,
                 result->valid_loss, result->best_epoch, result->n_epochs, result->seconds);
    }

  getrusage (RUSAGE_SELF, &usage);
  if (!common.json)
    {
      g_print ("mean %.4f, %.2f s per training, %.0f steps of %u rows, %u literals, peak %.0f MB\n",
               sum / seeds,
               seconds / seeds, steps / seeds, used_batch, literals, (double) usage.ru_maxrss / 1024.0);
      return MT_EXIT_OK;
    }
  json = mt_json_writer_new ();
  mt_json_writer_begin_object (json);
  mt_cli_json_number (json, "metric_mean", sum / seeds);
  mt_cli_json_number (json, "validation_mean", sum_valid / seeds);
  mt_cli_json_number (json, "seconds_mean", seconds / seeds);
  mt_cli_json_number (json, "steps_mean", steps / seeds);
  mt_cli_json_count (json, "batch", used_batch);
  mt_cli_json_count (json, "literals", literals);
  mt_cli_json_count (json, "runs", (guint64) seeds);
  mt_cli_json_number (json, "peak_mb", (double) usage.ru_maxrss / 1024.0);
  /* The peak may be that of reading the file: training itself took no more than this. */
  mt_cli_json_number (json, "train_mb", MAX ((double) usage.ru_maxrss * 1024.0 - before, 0) / (1 << 20));
  mt_cli_json_number (json, "data_mb", data_bytes / (1 << 20));
  mt_json_writer_end_object (json);
  return mt_cli_json_print (g_steal_pointer (&json));
}
