#include "config.h"

#include <math.h>
#include <string.h>

#include "net-reference.h"
#include "base/mt-random.h"
#include "netdata.h"

/* A net with every parameter random, the head over every other literal. */
static MtNet *
random_net (const MtEncoded *encoded,
            MtTask           task,
            MtNodeKind       kind,
            guint            n_nodes,
            guint            fan_in,
            double           temperature,
            guint64          seed)
{
  guint n = mt_encoded_get_n_literals (encoded);
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;
  MtNetShape shape = { task, n, mt_encoded_get_n_numeric (encoded), n_outputs, n_nodes, fan_in, kind };
  g_autofree guint8 *in_head = g_malloc0 (n);
  MtNet *net;
  MtRandom random;

  for (guint i = 0; i < n; i += 2)
    in_head[i] = 1;
  net = mt_net_new (&shape, in_head, temperature);
  mt_net_randomise (net, seed);
  mt_random_init (&random, seed + 1);
  for (guint j = 0; j < n_nodes; j++)
    net->params[net->layout.bias + j] = (float) (0.1 * mt_random_normal (&random));
  for (guint c = 0; c < n_outputs; c++)
    {
      mt_net_set_bias (net, c, 0.1 * mt_random_normal (&random));
      for (guint i = 0; i < n; i += 2)
        mt_net_set_literal_weight (net, c, i, 0.1 * mt_random_normal (&random));
      for (guint u = 0; u < shape.n_numeric; u++)
        mt_net_set_numeric_weight (net, c, u, 0.1 * mt_random_normal (&random));
    }
  return net;
}

static double *
params_of (const MtNet *net)
{
  double *params = g_new (double, net->layout.n_params);

  for (gsize i = 0; i < net->layout.n_params; i++)
    params[i] = net->params[i];
  return params;
}

static float *
targets (const MtEncoded *encoded,
         MtTask           task)
{
  gsize n = mt_encoded_get_n_rows (encoded);
  float *y = g_new (float, n);
  MtRandom random;

  mt_random_init (&random, 4);
  for (gsize r = 0; r < n; r++)
    y[r] = task == MT_TASK_REGRESSION ? (float) mt_random_normal (&random)
                                      : (float) mt_random_below (&random, task == MT_TASK_BINARY ? 2 : 3);
  return y;
}

/* Every parameter's gradient against a central difference of the soft loss. */
static void
test_gradients (void)
{
  const struct { guint groups, bits, nodes, fan_in, rows; } sizes[] = {
    { 3, 2, 1, 2, 9 }, { 5, 3, 5, 3, 21 }, { 4, 4, 18, 4, 33 },
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
      for (MtNodeKind kind = MT_NODE_STANDARD; kind <= MT_NODE_DEEP; kind++)
        {
          g_autoptr (MtEncoded) encoded = mt_test_encoded (sizes[s].groups, sizes[s].bits, 2, sizes[s].rows,
                                                           s);
          g_autoptr (MtNet) net = random_net (encoded, task, kind, sizes[s].nodes, sizes[s].fan_in, 0.2, 3);
          g_autofree double *params = params_of (net);
          g_autofree double *grad = g_new (double, net->layout.n_params);
          g_autofree float *y = targets (encoded, task);
          g_autofree float *weight = g_new (float, sizes[s].rows);
          double largest = 0.0, worst = 0.0;
          const double h = 1e-5;
          /* Large parts are sampled: every parameter is some test's turn. */
          gsize stride = kind == MT_NODE_DEEP && s > 0 ? 17 : s == 2 ? 5 : 1;

          for (guint r = 0; r < sizes[s].rows; r++)
            weight[r] = 0.5f + (float) (r % 3);
          mt_net_reference (net, params, encoded, NULL, sizes[s].rows, y, weight, MT_REFERENCE_SOFT, grad);
          for (gsize i = s; i < net->layout.n_params; i += stride)
            {
              double keep = params[i], plus, minus, central;

              params[i] = keep + h;
              plus = mt_net_reference (net, params, encoded, NULL, sizes[s].rows, y, weight,
                                       MT_REFERENCE_SOFT, NULL);
              params[i] = keep - h;
              minus = mt_net_reference (net, params, encoded, NULL, sizes[s].rows, y, weight,
                                        MT_REFERENCE_SOFT, NULL);
              params[i] = keep;
              central = (plus - minus) / (2.0 * h);
              largest = MAX (largest, fabs (central));
              worst = MAX (worst, fabs (central - grad[i]));
            }
          if (!(worst <= 1e-6 * MAX (largest, 1.0)))
            g_error ("size %u, task %d, kind %d: gradients differ by %g of %g", s, task, kind, worst,
                     largest);
          g_assert_cmpfloat (largest, >, 1e-3);
        }
}

/* Scores, planes and tables of the fast path against the reference's hard forward pass. */
static void
test_scores_equal_reference (void)
{
  for (guint fan_in = 1; fan_in <= 12; fan_in++)
    for (MtNodeKind kind = MT_NODE_STANDARD; kind <= MT_NODE_DEEP; kind++)
      {
        MtTask task = (MtTask) (fan_in % 3);
        g_autoptr (MtEncoded) encoded = mt_test_encoded (6, 3, 2, 517 + fan_in, fan_in);
        gsize n_rows = mt_encoded_get_n_rows (encoded);
        g_autoptr (MtNet) net = NULL;
        g_autofree double *scores = g_new (double, 3 * n_rows);
        g_autofree double *params = NULL;
        g_autofree float *y = targets (encoded, task);
        double loss = 0.0;

        if (kind == MT_NODE_DEEP && fan_in > 5)
          continue;
        net = random_net (encoded, task, kind, 19, fan_in, 0.01, fan_in);
        params = params_of (net);
        mt_net_score (net, encoded, scores);
        for (gsize r = 0; r < n_rows; r++)
          if (task == MT_TASK_BINARY)
            loss += MAX (scores[r], 0.0) - (double) y[r] * scores[r] + log1p (exp (-fabs (scores[r])));
          else if (task == MT_TASK_REGRESSION)
            loss += 0.5 * (scores[r] - (double) y[r]) * (scores[r] - (double) y[r]);
          else
            loss += log (exp (scores[r]) + exp (scores[n_rows + r]) + exp (scores[2 * n_rows + r])) -
                    scores[(guint) y[r] * n_rows + r];
        loss /= (double) n_rows;
        g_assert_cmpfloat (fabs (loss - mt_net_reference (net, params, encoded, NULL, n_rows, y, NULL,
                                                          MT_REFERENCE_HARD, NULL)), <, 1e-9);
        /* One flipped weight is seen. */
        params[net->layout.head_bias] += 1e-4;
        g_assert_cmpfloat (fabs (loss - mt_net_reference (net, params, encoded, NULL, n_rows, y, NULL,
                                                          MT_REFERENCE_HARD, NULL)), >, 1e-9);
      }
}

static void
test_tables (void)
{
  g_autoptr (MtEncoded) encoded = mt_test_encoded (5, 4, 0, 700, 8);
  gsize n_rows = mt_encoded_get_n_rows (encoded), n_words = mt_encoded_get_n_words (encoded);

  for (guint fan_in = 1; fan_in <= 10; fan_in += 3)
    {
      g_autoptr (MtNet) net = random_net (encoded, MT_TASK_BINARY, MT_NODE_STANDARD, 7, fan_in, 0.01, fan_in);
      g_autofree guint64 *plane = g_new (guint64, n_words);
      guint64 table[16];

      for (guint j = 0; j < 7; j++)
        {
          MtNetNode node;

          mt_net_read_node (net, j, &node);
          mt_net_fill_table (net, j, table);
          mt_net_fill_plane (net, j, encoded, plane);
          g_assert_cmpuint (node.n_inputs, ==, fan_in);
          for (gsize r = 0; r < n_words * 64; r++)
            {
              guint v = 0;

              for (guint i = 0; r < n_rows && i < fan_in; i++)
                v |= (guint) mt_plane_get (mt_encoded_get_plane (encoded, node.inputs[i]), r) << i;
              g_assert_cmpint (mt_plane_get (plane, r), ==, r < n_rows && (table[v / 64] >> (v % 64) & 1));
            }
          for (guint i = 1; i < fan_in; i++)
            g_assert_cmpuint (node.inputs[i], >, node.inputs[i - 1]);
        }
    }
}

static void
test_start_node (void)
{
  g_autoptr (MtEncoded) encoded = mt_test_encoded (6, 5, 0, 10, 8);
  g_autoptr (MtNet) net = random_net (encoded, MT_TASK_BINARY, MT_NODE_STANDARD, 20, 4, 0.01, 2);
  MtNetNode start = { 2, { 3, 17 }, { 1.0f, -1.0f }, -0.5f }, node;
  guint64 table;
  guint at[2] = { 0, 0 };

  mt_net_start_node (net, 18, &start);
  mt_net_read_node (net, 18, &node);
  for (guint i = 0; i < 4; i++)
    for (guint j = 0; j < 2; j++)
      if (node.inputs[i] == start.inputs[j])
        at[j] = i + 1;
  g_assert_true (at[0] > 0 && at[1] > 0);
  /* x3 and not x17, whatever the other two inputs say. */
  mt_net_fill_table (net, 18, &table);
  for (guint v = 0; v < 16; v++)
    g_assert_cmpint (table >> v & 1, ==, (v >> (at[0] - 1) & 1) && !(v >> (at[1] - 1) & 1));
}

static void
test_units (void)
{
  g_autoptr (MtEncoded) encoded = mt_test_encoded (3, 2, 1, 50, 1);
  g_autoptr (MtNet) net = random_net (encoded, MT_TASK_REGRESSION, MT_NODE_STANDARD, 3, 2, 0.01, 2);
  g_autoptr (MtNet) copy = NULL;
  double before[50], after[50];

  mt_net_score (net, encoded, before);
  mt_net_set_target_scale (net, 100.0, 5.0);
  mt_net_score (net, encoded, after);
  for (guint r = 0; r < 50; r++)
    g_assert_cmpfloat (fabs (after[r] - (100.0 + 5.0 * before[r])), <, 1e-9);
  mt_net_set_numeric_weight (net, 0, 0, 2.5);
  mt_net_set_node_weight (net, 0, 1, -3.0);
  mt_net_set_bias (net, 0, 101.0);
  g_assert_cmpfloat (mt_net_get_numeric_weight (net, 0, 0), ==, 2.5);
  g_assert_cmpfloat (fabs (mt_net_get_node_weight (net, 0, 1) + 3.0), <, 1e-6);
  g_assert_cmpfloat (fabs (mt_net_get_bias (net, 0) - 101.0), <, 1e-5);
  copy = mt_net_copy (net);
  mt_net_score (net, encoded, before);
  mt_net_score (copy, encoded, after);
  g_assert_cmpmem (before, sizeof before, after, sizeof after);
  g_assert_true (mt_net_is_in_head (net, 0));
  g_assert_false (mt_net_is_in_head (net, 1));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/gradients", test_gradients);
  g_test_add_func ("/net/scores-equal-reference", test_scores_equal_reference);
  g_test_add_func ("/net/tables", test_tables);
  g_test_add_func ("/net/start-node", test_start_node);
  g_test_add_func ("/net/units", test_units);
  return g_test_run ();
}
