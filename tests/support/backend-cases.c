#include "config.h"
#include "backend-cases.h"
#include "net-reference.h"

#include <math.h>

#include "base/mt-random.h"
#include "network/mt-order.h"
#include "netdata.h"

const MtTestCaseShape mt_test_cases[] = {
  { "one node", MT_TASK_BINARY, MT_NODE_STANDARD, 2, 3, 1, 1, 1, 1, FALSE },
  { "binary", MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 17, 3, 1, 700, FALSE },
  { "binary weighted", MT_TASK_BINARY, MT_NODE_STANDARD, 18, 4, 33, 6, 1, 1025, TRUE },
  { "many bits", MT_TASK_BINARY, MT_NODE_STANDARD, 3, 90, 5, 4, 1, 600, FALSE },
  { "wide node", MT_TASK_BINARY, MT_NODE_STANDARD, 8, 5, 9, 12, 1, 511, FALSE },
  { "all inputs", MT_TASK_BINARY, MT_NODE_STANDARD, 1, 4, 3, 4, 1, 100, FALSE },
  { "multiclass", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 4, 12, 5, 5, 777, FALSE },
  { "multiclass weighted", MT_TASK_MULTICLASS, MT_NODE_STANDARD, 5, 20, 12, 5, 5, 513, TRUE },
  { "regression", MT_TASK_REGRESSION, MT_NODE_STANDARD, 9, 6, 20, 8, 1, 1000, FALSE },
  { "deep", MT_TASK_BINARY, MT_NODE_DEEP, 5, 3, 17, 3, 1, 530, FALSE },
  { "deep multiclass", MT_TASK_MULTICLASS, MT_NODE_DEEP, 5, 3, 4, 4, 3, 300, FALSE },
  { "deep regression", MT_TASK_REGRESSION, MT_NODE_DEEP, 4, 3, 2, 5, 1, 200, FALSE },
};
const guint mt_test_n_cases = G_N_ELEMENTS (mt_test_cases);
const float mt_test_class_weights[5] = { 0.5f, 2.0f, 1.0f, 1.5f, 0.25f };

void
mt_test_case_init (MtTestCase *it,
                   MtTask      task,
                   MtNodeKind  kind,
                   guint       n_groups,
                   guint       n_bits,
                   guint       n_nodes,
                   guint       fan_in,
                   guint       n_outputs,
                   gsize       n_rows)
{
  MtNetShape shape = { task, 0, 3, n_outputs, n_nodes, fan_in, kind };
  g_autofree guint8 *in_head = NULL;
  MtOrder order = mt_order_of (0, 0, (guint32) n_rows);      /* of a job's first epoch */
  MtRandom random;

  mt_random_init (&random, n_rows + fan_in);
  it->n_rows = n_rows;
  it->encoded = mt_test_encoded (n_groups, n_bits, 3, n_rows, n_rows);
  shape.n_literals = mt_encoded_get_n_literals (it->encoded);
  in_head = g_malloc0 (shape.n_literals);
  for (guint i = 0; i < shape.n_literals; i++)
    in_head[i] = i % 3 != 1;
  it->net = mt_net_new (&shape, in_head, 0.05);
  mt_net_randomise (it->net, 3);
  for (guint c = 0; c < n_outputs; c++)
    for (guint i = 0; i < shape.n_literals; i++)
      if (in_head[i])
        mt_net_set_literal_weight (it->net, c, i, 0.2 * mt_random_normal (&random));
  it->y = g_new (float, n_rows);
  it->order = g_new (guint32, n_rows);
  it->rows = g_new (guint32, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    {
      it->rows[r] = (guint32) r;
      it->order[r] = mt_order_at (&order, (guint32) r);
      it->y[r] = task == MT_TASK_REGRESSION
                   ? (float) mt_random_normal (&random)
                   : (float) mt_random_below (&random, task == MT_TASK_BINARY ? 2 : n_outputs);
    }
}

void
mt_test_case_clear (MtTestCase *it)
{
  mt_encoded_unref (it->encoded);
  mt_net_unref (it->net);
  g_free (it->y);
  g_free (it->order);
  g_free (it->rows);
}

MtBackendJob
mt_test_case_job (const MtTestCase *it,
                  guint             batch,
                  guint             n_threads)
{
  return (MtBackendJob) {
    .net = it->net, .encoded = it->encoded, .y = it->y, .train_rows = it->rows, .n_train = it->n_rows,
    .topk = &mt_topk_soft, .batch = batch,
    .n_threads = n_threads, .weight_decay = 3e-4f, .clip = 1.0f, .divide_by_tau = TRUE,
  };
}

double
mt_test_case_expect (const MtTestCase *it,
                     const float      *class_weights,
                     double           *grad)
{
  gsize n_params = it->net->layout.n_params;
  g_autofree double *params = g_new (double, n_params);
  g_autofree float *weight = NULL;

  for (gsize i = 0; i < n_params; i++)
    params[i] = it->net->params[i];
  if (class_weights != NULL)
    {
      weight = g_new (float, it->n_rows);
      for (gsize r = 0; r < it->n_rows; r++)
        weight[r] = class_weights[(guint) it->y[r]];
    }
  return mt_net_reference (it->net, params, it->encoded, it->order, it->n_rows, it->y, weight,
                           MT_REFERENCE_HARD, grad);
}

double
mt_test_gradient_distance (const float  *got,
                           const double *expected,
                           gsize         n)
{
  double worst = 0.0, largest = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      double far = fabs ((double) got[i] - expected[i]);

      /* Written so that NaN is far, too. */
      worst = far <= worst ? worst : far;
      largest = MAX (largest, fabs (expected[i]));
    }
  return worst / largest;
}
