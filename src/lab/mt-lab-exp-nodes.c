/* T2: how long the formulas of trained nodes are. D: standard against deep nodes, on all functions of three inputs and on
 * data sets. Core's networks, random start, not pruned. */
#include "config.h"
#include "mt-lab-private.h"

#include <math.h>
#include <string.h>

#include "mt-lab-deep.h"
#include "mt-lab-extract.h"

#define BITS         5
#define N_NODES      30
#define LEAST_FAN_IN 2
#define MOST_FAN_IN  6
#define DEEP_NODES   20
#define DEEP_FAN_IN  4
#define DEEP_ROWS    1500      /* deep nodes are slow: without --full larger sets are left out */

static MtTrainResult *
train (const MtLabBits  *bits,
       MtNodeKind        kind,
       guint             n_nodes,
       guint             fan_in,
       guint             seed,
       GCancellable     *cancellable,
       GError          **error)
{
  MtTrainData data = { .encoded = bits->train.encoded, .task = bits->task, .classes = bits->train.classes,
                       .values = bits->task == MT_TASK_REGRESSION ? bits->train.target : NULL };
  MtTrainResult *result = NULL;
  MtTrainOptions options;

  data.n_classes = bits->task == MT_TASK_REGRESSION ? 0 : MAX (bits->n_outputs, 2);
  mt_train_options_init (&options);
  options.n_nodes = n_nodes;
  options.fan_in = MIN (fan_in, mt_encoded_get_n_literals (bits->train.encoded));
  options.node = kind;
  options.head = MT_LINEAR_FIT_LEVELS;
  options.start = MT_START_RANDOM;
  options.seed = seed;
  options.n_threads = 1;
  options.device = "cpu";
  if (!mt_train_run (&data, &options, NULL, 0, NULL, NULL, NULL, cancellable, &result, error))
    {
      mt_train_result_free (result);
      return NULL;
    }
  if (result->stopped)
    {
      mt_train_result_free (result);
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return result;
}

/* --- T2 --- */

typedef struct {
  guint  n;
  double terms, literals, free_terms, free_literals, xor_literals, free_xor_literals, most;
} Sums;

static gboolean
add_node (Sums            *sums,
          const MtLabNode *node,
          GCancellable    *cancellable)
{
  const MtQmcOptions options = { .cancellable = cancellable };
  g_auto (MtCover) plain = { NULL }, free_cover = { NULL };
  g_auto (MtXorCover) plain_xor = { NULL }, free_xor = { NULL };
  guint k = node->n_inputs;

  if (!mt_qmc_minimize (k, node->table, NULL, &options, &plain) ||
      !mt_qmc_minimize (k, node->table, node->unseen, &options, &free_cover) ||
      !mt_qmc_minimize_xor (k, node->table, NULL, &options, &plain_xor) ||
      !mt_qmc_minimize_xor (k, node->table, node->unseen, &options, &free_xor))
    return FALSE;
  sums->n++;
  sums->terms += plain.n_cubes;
  sums->literals += plain.n_literals;
  sums->free_terms += free_cover.n_cubes;
  sums->free_literals += free_cover.n_literals;
  sums->xor_literals += plain_xor.n_literals;
  sums->free_xor_literals += free_xor.n_literals;
  sums->most = MAX (sums->most, plain.n_cubes);
  return TRUE;
}

static gboolean
run_nodes (MtLabContext    *context,
           const MtLabJob  *job,
           MtLabCells      *cells,
           GCancellable    *cancellable,
           GError         **error)
{
  g_auto (MtLabBits) bits = { 0 };

  if (!mt_lab_bits_read (job->dataset, job->seed, BITS, &bits, error))
    return FALSE;
  for (guint k = LEAST_FAN_IN; k <= MOST_FAN_IN; k++)
    {
      g_autoptr (MtTrainResult) result = train (&bits, MT_NODE_STANDARD, N_NODES, k, job->seed, cancellable, error);
      Sums sums = { 0 };

      if (result == NULL)
        return FALSE;
      for (guint j = 0; j < N_NODES; j++)
        {
          MtLabNode node;

          if (!mt_lab_node_read (&node, result->net, j) || !mt_lab_node_look (&node, bits.train.encoded))
            continue;
          if (!add_node (&sums, &node, cancellable))
            return !g_cancellable_set_error_if_cancelled (cancellable, error);
        }
      if (sums.n == 0)
        continue;
      mt_lab_cells_put (cells, sums.terms / sums.n, "terms", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.literals / sums.n, "literals", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.free_terms / sums.n, "terms, don't-cares", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.free_literals / sums.n, "literals, don't-cares", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.xor_literals / sums.n, "literals, parities", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.free_xor_literals / sums.n, "literals, both", "fan-in %u", k);
      mt_lab_cells_put (cells, sums.most, ".most", "fan-in %u", k);
    }
  return TRUE;
}

void
mt_lab_list_nodes (MtLabContext          *context,
                   const MtLabExperiment *experiment)
{
  for (guint d = 0; d < context->datasets->len; d++)
    {
      MtLabDataset *dataset = context->datasets->pdata[d];

      for (guint seed = 0; seed < mt_lab_count_seeds (context, dataset); seed++)
        mt_lab_add_job (context, experiment, run_nodes, dataset, NULL, seed,
                        .1 + 1e-4 * dataset->n_rows * (1 + dataset->n_columns / 10.), "%s-%u", dataset->name, seed);
    }
}

/* The most terms of any node of any network. */
gboolean
mt_lab_finish_nodes (MtLabContext           *context,
                     const MtLabExperiment  *experiment,
                     MtLabCells             *cells,
                     GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);

  for (guint i = 0; i < means->len; i++)
    {
      const MtLabMean *mean = means->pdata[i];
      double most = 0;

      if (!g_str_equal (mean->column, ".most"))
        continue;
      for (guint v = 0; v < mean->values->len; v++)
        most = MAX (most, g_array_index (mean->values, double, v));
      mt_lab_cells_put (cells, most, "most terms", "%s", mean->row);
    }
  return TRUE;
}

/* --- D --- */

/* One node for each function of three inputs. */
static gboolean
run_functions (MtLabContext    *context,
               const MtLabJob  *job,
               MtLabCells      *cells,
               GCancellable    *cancellable,
               GError         **error)
{
  guint fitted[2] = { 0, 0 };

  for (guint f = 0; f < 256; f++)
    for (guint deep = 0; deep < 2; deep++)
      {
        if (g_cancellable_set_error_if_cancelled (cancellable, error))
          return FALSE;
        fitted[deep] += mt_lab_fit_function (3, f, deep == 1, 1);
      }
  mt_lab_cells_put (cells, 100. * fitted[0] / 256, "fitted by standard nodes, %", "256 functions of three inputs");
  mt_lab_cells_put (cells, 100. * fitted[1] / 256, "fitted by deep nodes, %", "256 functions of three inputs");
  return TRUE;
}

/* Literals of a whole network, minimized: nodes, single columns and the bias. */
static gboolean
count_literals (const MtLabBits *bits,
                const MtNet     *net,
                guint           *literals,
                GCancellable    *cancellable)
{
  const MtQmcOptions options = { .cancellable = cancellable };
  const MtNetShape *shape = mt_net_get_shape (net);

  *literals = 1 + shape->n_numeric;
  for (guint l = 0; l < shape->n_literals; l++)
    *literals += mt_net_is_in_head (net, l);
  for (guint j = 0; j < shape->n_nodes; j++)
    {
      g_auto (MtCover) cover = { NULL };
      MtLabNode node;

      if (!mt_lab_node_read (&node, net, j) || !mt_lab_node_look (&node, bits->train.encoded))
        continue;
      if (!mt_qmc_minimize (node.n_inputs, node.table, node.unseen, &options, &cover))
        return FALSE;
      *literals += cover.n_literals;
    }
  return TRUE;
}

static double
test_quality (const MtLabBits *bits,
              const MtNet     *net)
{
  g_autofree double *scores = g_new (double, MAX (bits->test.n_rows, 1) * bits->n_outputs);

  mt_net_score (net, bits->test.encoded, scores);
  mt_task_link (bits->task, bits->n_outputs, bits->test.n_rows, scores);
  return mt_frontier_metric (bits->task, bits->n_outputs, bits->test.n_rows, scores, bits->test.target);
}

static gboolean
run_both (MtLabContext    *context,
          const MtLabJob  *job,
          MtLabCells      *cells,
          GCancellable    *cancellable,
          GError         **error)
{
  static const char * const kinds[] = { "standard", "deep" };
  g_auto (MtLabBits) bits = { 0 };
  double quality[2];
  guint literals[2];

  if (!mt_lab_bits_read (job->dataset, job->seed, BITS, &bits, error))
    return FALSE;
  for (guint deep = 0; deep < 2; deep++)
    {
      g_autofree char *column = g_strconcat (kinds[deep], ", literals", NULL);
      g_autoptr (MtTrainResult) result = train (&bits, deep ? MT_NODE_DEEP : MT_NODE_STANDARD, DEEP_NODES, DEEP_FAN_IN,
                                                job->seed, cancellable, error);

      if (result == NULL || !count_literals (&bits, result->net, &literals[deep], cancellable))
        return result != NULL && !g_cancellable_set_error_if_cancelled (cancellable, error);
      quality[deep] = test_quality (&bits, result->net);
      mt_lab_cells_put (cells, quality[deep], kinds[deep], "%s", job->dataset->name);
      mt_lab_cells_put (cells, literals[deep], column, "%s", job->dataset->name);
    }
  return TRUE;
}

void
mt_lab_list_deep (MtLabContext          *context,
                  const MtLabExperiment *experiment)
{
  mt_lab_add_job (context, experiment, run_functions, NULL, NULL, 0, 2, "functions");
  for (guint d = 0; d < context->datasets->len; d++)
    {
      MtLabDataset *dataset = context->datasets->pdata[d];

      for (guint seed = 0; (context->options->is_full || dataset->n_rows < DEEP_ROWS) &&
                           seed < mt_lab_count_seeds (context, dataset); seed++)
        mt_lab_add_job (context, experiment, run_both, dataset, NULL, seed,
                        .2 + 5e-4 * dataset->n_rows * (1 + dataset->n_columns / 10.), "%s-%u", dataset->name, seed);
    }
}

/* The differences by task, each data set counting once. */
gboolean
mt_lab_finish_deep (MtLabContext           *context,
                    const MtLabExperiment  *experiment,
                    MtLabCells             *cells,
                    GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);

  for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    for (guint d = 0; d < context->datasets->len; d++)
      {
        const MtLabDataset *dataset = context->datasets->pdata[d];
        const MtLabMean *standard = mt_lab_means_find (means, dataset->name, "standard");
        const MtLabMean *deep = mt_lab_means_find (means, dataset->name, "deep");
        const MtLabMean *literals = mt_lab_means_find (means, dataset->name, "standard, literals");
        const MtLabMean *deep_literals = mt_lab_means_find (means, dataset->name, "deep, literals");

        if (dataset->task != task || standard == NULL || deep == NULL)
          continue;
        mt_lab_cells_put (cells, deep->mean - standard->mean, "deep − standard, quality", "%s", mt_task_to_string (task));
        mt_lab_cells_put (cells, deep_literals->mean - literals->mean, "deep − standard, literals", "%s",
                          mt_task_to_string (task));
      }
  return TRUE;
}
