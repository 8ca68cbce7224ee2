/* Constraints hold for every node at every epoch of a training, with every kernel, on any number of
 * threads; and the same training without them breaks them. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "network/mt-kernels-private.h"
#include "network/mt-net-constraints.h"
#include "base/mt-random.h"
#include "network/mt-train.h"

#define N_ROWS     600
#define N_GROUPS   4
#define N_LITERALS 20
#define FAN_IN     4

typedef struct {
  MtEncoded *encoded;
  guint32    classes[N_ROWS];
  double     values[N_ROWS];
  gint8      directions[N_LITERALS];
  gint8      numeric_directions[N_GROUPS];
} Fixture;

/* The target falls in the first column and rises in the second, against what will be asked. */
static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  MtGroup groups[N_GROUPS];
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *numeric = g_new (double, N_GROUPS * N_ROWS);
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint g = 0; g < N_GROUPS; g++)
    {
      groups[g] = (MtGroup) { MT_GROUP_THERMOMETER, g, g * 5, 5, FALSE };
      for (gsize r = 0; r < N_ROWS; r++)
        {
          codes[g * N_ROWS + r] = (guint8) mt_random_below (&random, 6);
          numeric[g * N_ROWS + r] = (codes[g * N_ROWS + r] - 2.5) / 1.7;
        }
    }
  self->encoded = mt_encoded_new (groups, N_GROUPS, codes, numeric, N_GROUPS, N_ROWS);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      double score = 2. * (codes[r] < 3 && codes[N_ROWS + r] >= 2) - 1. * (codes[2 * N_ROWS + r] < 2) +
                     .5 * mt_random_normal (&random);

      self->classes[r] = score > .3;
      self->values[r] = score;
    }
  for (guint l = 0; l < N_LITERALS; l++)
    self->directions[l] = l < 5 ? 1 : l < 10 ? -1 : 0;
  for (guint g = 0; g < N_GROUPS; g++)
    self->numeric_directions[g] = g == 0 ? 1 : g == 1 ? -1 : 0;
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  mt_encoded_unref (self->encoded);
}

static void
init_options (MtTrainOptions *options,
              const Fixture  *self,
              gboolean        is_limited,
              gboolean        no_negation)
{
  mt_train_options_init (options);
  options->n_nodes = 20;
  options->fan_in = FAN_IN;
  options->max_epochs = 12;
  options->n_threads = 1;
  if (is_limited)
    {
      options->directions = self->directions;
      options->numeric_directions = self->numeric_directions;
    }
  options->no_negation = no_negation;
}

static MtTrainResult *
train (const Fixture        *self,
       MtTask                task,
       const MtTrainOptions *options,
       GBytes               *resume)
{
  const MtTrainData data = {
    self->encoded, task, task == MT_TASK_BINARY ? 2 : 0, task == MT_TASK_BINARY ? self->classes : NULL,
    task == MT_TASK_BINARY ? NULL : self->values,
  };
  g_autoptr (GError) error = NULL;
  MtTrainResult *result;

  g_assert_true (mt_train_run (&data, options, NULL, 0, resume, NULL, NULL, NULL, &result, &error));
  g_assert_no_error (error);
  return result;
}

/* Pairs of assignments that go the wrong way, and weights of the head that do. */
static guint
count_wrong (const Fixture *self,
             const MtNet   *net,
             gboolean       is_limited,
             gboolean       no_negation)
{
  guint n = 0;

  for (guint j = 0; j < mt_net_get_shape (net)->n_nodes; j++)
    {
      double weight = mt_net_get_node_weight (net, 0, j);
      guint64 table[4] = { 0 };
      MtNetNode node;

      mt_net_read_node (net, j, &node);
      mt_net_fill_table (net, j, table);
      for (guint i = 0; i < node.n_inputs; i++)
        for (guint v = 0; v < 1u << node.n_inputs; v++)
          {
            int step = (int) (table[0] >> (v | 1u << i) & 1) - (int) (table[0] >> (v & ~(1u << i)) & 1);

            n += (no_negation && step < 0) ||
                 (is_limited && step * weight * self->directions[node.inputs[i]] < 0);
          }
    }
  for (guint l = 0; l < N_LITERALS && is_limited; l++)
    n += mt_net_get_literal_weight (net, 0, l) * self->directions[l] < 0;
  for (guint u = 0; u < N_GROUPS && is_limited; u++)
    n += mt_net_get_numeric_weight (net, 0, u) * self->numeric_directions[u] < 0;
  return n;
}

static void
test_holds (Fixture       *self,
            gconstpointer  data)
{
  static const char * const kernels[] = { "scalar", "avx2", "avx512" };
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_REGRESSION };
  static const MtStart starts[] = { MT_START_SCAN, MT_START_RANDOM };
  const MtKernels *before = mt_kernels_get ();

  for (guint k = 0; k < G_N_ELEMENTS (kernels); k++)
    {
      const MtKernels *these = mt_kernels_by_name (kernels[k]);

      if (these == NULL)
        continue;
      mt_kernels_use (these);
      for (guint i = 0; i < 8; i++)
        {
          gboolean is_limited = i & 1 || !(i & 2), no_negation = i & 2;
          MtTrainOptions options;
          g_autoptr (MtTrainResult) held = NULL;
          g_autoptr (MtTrainResult) loose = NULL;

          init_options (&options, self, is_limited, no_negation);
          options.start = starts[i >> 2];
          held = train (self, tasks[i & 1], &options, NULL);
          g_assert_cmpuint (count_wrong (self, held->net, is_limited, no_negation), ==, 0);
          g_assert_cmpuint (held->n_epochs, >, 2);
          init_options (&options, self, FALSE, FALSE);
          options.start = starts[i >> 2];
          loose = train (self, tasks[i & 1], &options, NULL);
          g_assert_cmpuint (count_wrong (self, loose->net, is_limited, no_negation), >, 10);
        }
    }
  mt_kernels_use (before);
}

/* Deep nodes could say anything; their hidden units are held as well, and on any number of threads. */
static void
test_deep (Fixture       *self,
           gconstpointer  data)
{
  for (guint i = 0; i < 4; i++)
    {
      gboolean is_limited = i & 1 || !(i & 2), no_negation = i & 2;
      MtTrainOptions options;
      g_autoptr (MtTrainResult) held = NULL;
      g_autoptr (MtTrainResult) again = NULL;
      g_autoptr (MtTrainResult) loose = NULL;

      init_options (&options, self, is_limited, no_negation);
      options.node = MT_NODE_DEEP;
      options.start = MT_START_RANDOM;
      held = train (self, MT_TASK_BINARY, &options, NULL);
      g_assert_cmpuint (count_wrong (self, held->net, is_limited, no_negation), ==, 0);
      options.n_threads = 3;
      again = train (self, MT_TASK_BINARY, &options, NULL);
      g_assert_true (g_bytes_equal (held->state, again->state));
      init_options (&options, self, FALSE, FALSE);
      options.node = MT_NODE_DEEP;
      options.start = MT_START_RANDOM;
      loose = train (self, MT_TASK_BINARY, &options, NULL);
      g_assert_cmpuint (count_wrong (self, loose->net, is_limited, no_negation), >, 10);
    }
}

/* Along the directions that the data have, a limited training learns as well as any. */
static void
test_learns (Fixture       *self,
             gconstpointer  data)
{
  MtTrainOptions options;
  g_autoptr (MtTrainResult) with = NULL;
  g_autoptr (MtTrainResult) against = NULL;

  init_options (&options, self, TRUE, FALSE);
  options.max_epochs = 40;
  against = train (self, MT_TASK_BINARY, &options, NULL);
  for (guint l = 0; l < N_LITERALS; l++)
    self->directions[l] = (gint8) -self->directions[l];
  for (guint u = 0; u < N_GROUPS; u++)
    self->numeric_directions[u] = (gint8) -self->numeric_directions[u];
  with = train (self, MT_TASK_BINARY, &options, NULL);
  g_assert_cmpuint (count_wrong (self, with->net, TRUE, FALSE), ==, 0);
  g_assert_cmpfloat (with->metric, >, .9);
  g_assert_cmpfloat (with->metric, >, against->metric + .1);
}

/* Threads and a break in between make no difference to a byte. */
static void
test_repeats (Fixture       *self,
              gconstpointer  data)
{
  MtTrainOptions options;
  g_autoptr (MtTrainResult) whole = NULL;
  g_autoptr (MtTrainResult) half = NULL;
  g_autoptr (MtTrainResult) rest = NULL;

  init_options (&options, self, TRUE, FALSE);
  whole = train (self, MT_TASK_BINARY, &options, NULL);
  options.max_epochs = 5;
  half = train (self, MT_TASK_BINARY, &options, NULL);
  options.max_epochs = 12;
  options.n_threads = 3;
  rest = train (self, MT_TASK_BINARY, &options, half->state);
  g_assert_true (g_bytes_equal (whole->state, rest->state));
}

/* A node's sign outlives its head weight, or a training that goes on would not end where one in a piece does. */
static void
test_signs (Fixture       *self,
            gconstpointer  data)
{
  const MtNetShape shape = { MT_TASK_BINARY, N_LITERALS, N_GROUPS, 1, 20, FAN_IN, MT_NODE_STANDARD };
  const MtNetConstraints limits = { self->directions, self->numeric_directions, TRUE };
  g_autofree guint8 *in_head = g_malloc0 (N_LITERALS);
  g_autoptr (MtNet) net = mt_net_new (&shape, in_head, .01);
  gint8 before[32], after[32];

  mt_net_randomise (net, 3);
  mt_net_constraints_start (&limits, net);
  mt_net_constraints_read_signs (net, before);
  g_assert_nonnull (memchr (before, -1, shape.n_nodes));
  g_assert_nonnull (memchr (before, 1, shape.n_nodes));
  for (guint j = 0; j < shape.n_nodes; j++)
    {
      net->params[net->layout.rule + j] = (float) (j % 3 - 1.);
      for (guint l = 0; l < N_LITERALS; l++)
        net->params[mt_net_at (&net->layout, net->layout.ltt, l, j)] = 0;
    }
  mt_net_constraints_project_head (&limits, before, net);
  mt_net_constraints_read_signs (net, after);
  g_assert_cmpmem (before, shape.n_nodes, after, shape.n_nodes);
  for (guint j = 0; j < shape.n_nodes; j++)
    g_assert_cmpfloat (mt_net_get_node_weight (net, 0, j) * before[j], >=, 0);
}

/* What a parameter by itself may be, as a GPU asks, says the same as the projection of whole nets. */
static void
test_codes (Fixture       *self,
            gconstpointer  data)
{
  for (guint i = 0; i < 6; i++)
    {
      const MtNetConstraints limits = { i % 3 != 1 ? self->directions : NULL, i % 3 == 0 ? self->numeric_directions : NULL,
                                   i % 3 != 0 };
      const MtNetShape shape = { .task = MT_TASK_BINARY, .kind = i < 3 ? MT_NODE_STANDARD : MT_NODE_DEEP,
                                 .n_literals = N_LITERALS, .n_numeric = N_GROUPS, .n_outputs = 1, .n_nodes = 18,
                                 .fan_in = 3 };
      g_autoptr (MtNet) net = mt_net_new (&shape, NULL, 0.01);
      const MtNetLayout *layout = &net->layout;
      g_autofree guint8 *codes = g_new (guint8, layout->n_params);
      g_autofree gint8 *signs = g_new (gint8, layout->n_nodes16);
      g_autofree float *moved = g_new (float, layout->n_params);
      guint n_changed = 0;
      MtRandom random;

      mt_net_randomise (net, 7 + i);
      mt_net_constraints_start (&limits, net);
      mt_net_constraints_read_signs (net, signs);
      mt_net_constraints_fill_codes (&limits, net, net->params, codes);
      mt_random_init (&random, i);
      for (gsize p = 0; p < layout->n_params; p++)
        {
          /* Padding stays zero. */
          if (net->params[p] != 0 || codes[p] != 0)
            net->params[p] = p % 7 == 0 ? 0.f : (float) mt_random_normal (&random);
          moved[p] = net->params[p];
          if (((codes[p] & MT_LIMIT_NOT_NEGATIVE) != 0 && moved[p] < 0) ||
              ((codes[p] & MT_LIMIT_NOT_POSITIVE) != 0 && moved[p] > 0) ||
              ((codes[p] & MT_LIMIT_SIGNED_ZERO) != 0 && moved[p] == 0))
            {
              n_changed += moved[p] != 0;
              moved[p] = (codes[p] & MT_LIMIT_SIGNED_ZERO) != 0 && (codes[p] & MT_LIMIT_NOT_POSITIVE) != 0 ? -0.f : 0.f;
            }
        }
      for (guint b = 0; b < layout->n_blocks; b++)
        mt_net_constraints_project_block (&limits, signs, net, b);
      mt_net_constraints_project_head (&limits, signs, net);
      g_assert_cmpuint (n_changed, >, 50);
      for (gsize p = 0; p < layout->n_params; p++)
        {
          g_assert_cmpfloat (moved[p], ==, net->params[p]);
          if ((codes[p] & MT_LIMIT_SIGNED_ZERO) != 0)
            g_assert_true (signbit (moved[p]) == signbit (net->params[p]));
        }
    }
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/train-limits/holds", test_holds);
  ADD ("/train-limits/deep", test_deep);
  ADD ("/train-limits/learns", test_learns);
  ADD ("/train-limits/repeats", test_repeats);
  ADD ("/train-limits/signs", test_signs);
  ADD ("/train-limits/codes", test_codes);
  return g_test_run ();
}
