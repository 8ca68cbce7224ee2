/* The reference network: gradients of every route against differences, early stopping, few inputs, rules that say what the
 * network says. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "lab/mt-lab-net-private.h"
#include "lab/mt-lab-extract.h"

#define N_ROWS 160
#define N_BITS 9

/* Three columns of three thresholds and one numeric column; the target is a rule of two literals. */
static void
make_rows (MtLabRows *rows,
           MtTask     task,
           guint64    seed)
{
  MtGroup groups[3];
  guint8 codes[3 * N_ROWS];
  double numeric[N_ROWS];
  MtRandom random;

  mt_random_init (&random, seed);
  for (guint g = 0; g < 3; g++)
    groups[g] = (MtGroup) { MT_GROUP_THERMOMETER, g, 3 * g, 3, FALSE };
  for (guint i = 0; i < 3 * N_ROWS; i++)
    codes[i] = (guint8) mt_random_below (&random, 4);
  rows->n_rows = N_ROWS;
  rows->target = g_new (double, N_ROWS);
  for (guint r = 0; r < N_ROWS; r++)
    {
      gboolean rule = codes[r] >= 2 && codes[N_ROWS + r] >= 1;

      numeric[r] = mt_random_normal (&random);
      rows->target[r] = task == MT_TASK_REGRESSION ? 10 + 3 * rule + .1 * numeric[r]
                        : task == MT_TASK_BINARY ? rule : rule + (codes[2 * N_ROWS + r] >= 3);
    }
  rows->encoded = mt_encoded_new (groups, 3, codes, numeric, 1, N_ROWS);
}

static MtLabNet *
make_net (MtLabRoute route,
          MtTask     task,
          guint      n_nodes,
          guint      n_unary)
{
  MtLabNetOptions options;

  mt_lab_net_options_init (&options);
  options.route = route;
  options.n_nodes = n_nodes;
  options.fan_in = 3;
  options.temperature = .2;
  options.seed = 9;
  options.lambda = route == MT_LAB_ROUTE_L0 ? .5 : 0;
  return mt_lab_net_new (&options, task, task == MT_TASK_MULTICLASS ? 3 : 1, N_BITS, n_unary,
                         task == MT_TASK_REGRESSION ? 11 : 0, task == MT_TASK_REGRESSION ? 1.5 : 1);
}

static void
test_gradient (gconstpointer data)
{
  MtLabRoute way = GPOINTER_TO_INT (data);

  for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    {
      g_auto (MtLabRows) rows = { NULL };
      g_auto (MtLabInput) input = { 0 };
      g_autoptr (MtLabNet) net = NULL;
      g_autofree double *gradient = NULL;
      guint32 some[12];
      double size = 0;

      make_rows (&rows, task, 3);
      mt_lab_input_init (&input, &rows, TRUE);
      g_assert_cmpuint (input.n_unary, ==, 1);
      net = make_net (way, task, 4, input.n_unary);
      for (guint i = 0; i < G_N_ELEMENTS (some); i++)
        some[i] = 7 * i;
      /* Gates half open, so that they are not all at the ends where they have no gradient. */
      for (guint i = 0; way == MT_LAB_ROUTE_L0 && i < 4 * N_BITS; i++)
        mt_lab_net_peek_params (net)[i] = -.4 + .02 * i;
      gradient = g_new (double, mt_lab_net_get_n_params (net));
      mt_lab_net_loss (net, &input, some, G_N_ELEMENTS (some), TRUE, gradient);
      for (guint i = 0; i < mt_lab_net_get_n_params (net); i++)
        {
          double *param = &mt_lab_net_peek_params (net)[i], value = *param, above, below;

          *param = value + 1e-5;
          above = mt_lab_net_loss (net, &input, some, G_N_ELEMENTS (some), TRUE, NULL);
          *param = value - 1e-5;
          below = mt_lab_net_loss (net, &input, some, G_N_ELEMENTS (some), TRUE, NULL);
          *param = value;
          g_assert_cmpfloat_with_epsilon (gradient[i], (above - below) / 2e-5, 1e-6);
          size += i < 4 * N_BITS ? fabs (gradient[i]) : 0;
        }
      g_assert_cmpfloat (size, >, 1e-4);      /* of scores, gates or weights: there is one */
    }
}

static void
make_bits (MtLabBits *bits,
           MtTask     task)
{
  bits->task = task;
  bits->n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;
  make_rows (&bits->train, task, 21);
  make_rows (&bits->valid, task, 22);
  make_rows (&bits->test, task, 23);
}

/* Every way from a trained network to rules: where it learnt, they say the same as the network. */
static void
test_rules (gconstpointer data)
{
  static const MtLabSparsify hows[] = { MT_LAB_SPARSIFY_AS_IS, MT_LAB_SPARSIFY_AS_IS, MT_LAB_SPARSIFY_AS_IS,
                                        MT_LAB_SPARSIFY_PRUNE, MT_LAB_SPARSIFY_LARGEST };
  guint which = GPOINTER_TO_UINT (data);
  MtLabRoute way = MIN (which, MT_LAB_ROUTE_FULL);

  for (MtTask task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    {
      g_auto (MtLabBits) bits = { 0 };
      g_auto (MtLabInput) train = { 0 }, valid = { 0 };
      g_autoptr (MtLabNet) net = NULL, fixed = NULL;
      MtLabExtract extract;

      make_bits (&bits, task);
      mt_lab_input_init (&train, &bits.train, FALSE);
      mt_lab_input_init (&valid, &bits.valid, FALSE);
      net = make_net (way, task, 12, 0);
      net->options.lambda = way == MT_LAB_ROUTE_L0 ? .02 : 0;
      net->options.rate = .03;
      net->options.batch = 16;
      g_assert_true (mt_lab_net_train (net, &train, &valid, NULL, NULL));
      fixed = mt_lab_net_sparsify (net, hows[which], &train, &valid, NULL, NULL);
      for (guint j = 0; which == 4 && j < 12; j++)
        {
          guint n = 0;

          for (guint i = 0; i < N_BITS; i++)
            n += mt_lab_net_weights (fixed, fixed->params, j)[i] != 0;
          g_assert_cmpuint (n, <=, 3);
        }
      g_assert_true (mt_lab_net_extract (fixed, &bits, FALSE, &extract, NULL, NULL));
      if (way == MT_LAB_ROUTE_L0 && !extract.is_extractable)
        continue;                    /* nothing limits the inputs there */
      g_test_message ("%s: %u literals, test %.3f", mt_task_to_string (task), extract.literals, extract.test);
      g_assert_true (extract.is_extractable);
      g_assert_cmpfloat (extract.train_gap, <, 1e-9);
      g_assert_cmpuint (extract.literals, >, 1);
      if (way == MT_LAB_ROUTE_SOFT)
        g_assert_cmpfloat (extract.test, >, task == MT_TASK_REGRESSION ? .5 : .8);
    }
}

/* Rounds take weights and terms away, never bring any back, and end with the bias alone. */
static void
test_prune (void)
{
  g_auto (MtLabBits) bits = { 0 };
  g_auto (MtLabInput) train = { 0 }, valid = { 0 };
  g_autoptr (MtLabNet) net = NULL, fixed = NULL;
  MtLabExtract extract;
  guint before, n_rounds = 0;

  make_bits (&bits, MT_TASK_BINARY);
  mt_lab_input_init (&train, &bits.train, TRUE);
  mt_lab_input_init (&valid, &bits.valid, TRUE);
  net = make_net (MT_LAB_ROUTE_SOFT, MT_TASK_BINARY, 6, train.n_unary);
  g_assert_true (mt_lab_net_train (net, &train, &valid, NULL, NULL));
  fixed = mt_lab_net_sparsify (net, MT_LAB_SPARSIFY_AS_IS, &train, &valid, NULL, NULL);
  do
    {
      before = 0;
      for (guint i = 0; i < 6 * N_BITS; i++)
        before += fixed->kept[i];
      g_assert_true (mt_lab_net_prune (fixed, &train, &valid, NULL, NULL));
      for (guint i = 0; i < 6 * N_BITS; i++)
        {
          before -= fixed->kept[i];
          g_assert_true (fixed->kept[i] || mt_lab_net_weights (fixed, fixed->params, 0)[i] == 0);
        }
      g_assert_true (mt_lab_net_extract (fixed, &bits, TRUE, &extract, NULL, NULL));
      g_assert_cmpfloat (extract.train_gap, <, 1e-9);
    }
  while (extract.literals > 1 && ++n_rounds < 40 && before > 0);
  g_assert_cmpuint (n_rounds, >, 2);
  g_assert_cmpuint (extract.literals, ==, 1);
}

/* A large λ leaves nothing but the bias; the same seed gives the same network. */
static void
test_lambda (void)
{
  g_auto (MtLabBits) bits = { 0 };
  g_auto (MtLabInput) train = { 0 }, valid = { 0 };
  g_autoptr (MtLabNet) net = NULL, again = NULL, fixed = NULL;
  MtLabExtract extract;

  make_bits (&bits, MT_TASK_BINARY);
  mt_lab_input_init (&train, &bits.train, TRUE);
  mt_lab_input_init (&valid, &bits.valid, TRUE);
  net = make_net (MT_LAB_ROUTE_SOFT, MT_TASK_BINARY, 4, train.n_unary);
  again = make_net (MT_LAB_ROUTE_SOFT, MT_TASK_BINARY, 4, train.n_unary);
  net->options.lambda = again->options.lambda = 1000;
  /* The first state is judged after one epoch, by which all is gone. */
  g_assert_true (mt_lab_net_train (net, &train, &valid, NULL, NULL));
  g_assert_true (mt_lab_net_train (again, &train, &valid, NULL, NULL));
  g_assert_cmpmem (net->params, net->n_params * sizeof (double), again->params, again->n_params * sizeof (double));
  fixed = mt_lab_net_sparsify (net, MT_LAB_SPARSIFY_AS_IS, &train, &valid, NULL, NULL);
  g_assert_true (mt_lab_net_extract (fixed, &bits, TRUE, &extract, NULL, NULL));
  g_assert_cmpuint (extract.literals, ==, 1);
}

/* More inputs than can be written down: not extractable, and no crash. */
static void
test_too_many (void)
{
  g_auto (MtLabBits) bits = { 0 };
  g_auto (MtLabInput) train = { 0 }, valid = { 0 };
  g_autoptr (MtLabNet) net = NULL, fixed = NULL;
  MtLabExtract extract;

  g_assert_cmpuint (N_BITS, >, MT_LAB_MAX_INPUTS);
  make_bits (&bits, MT_TASK_BINARY);
  mt_lab_input_init (&train, &bits.train, TRUE);
  mt_lab_input_init (&valid, &bits.valid, TRUE);
  net = make_net (MT_LAB_ROUTE_FULL, MT_TASK_BINARY, 4, train.n_unary);
  fixed = mt_lab_net_sparsify (net, MT_LAB_SPARSIFY_AS_IS, &train, &valid, NULL, NULL);
  g_assert_true (mt_lab_net_extract (fixed, &bits, TRUE, &extract, NULL, NULL));
  g_assert_false (extract.is_extractable);
}

static void
test_cancel (void)
{
  g_auto (MtLabBits) bits = { 0 };
  g_auto (MtLabInput) train = { 0 }, valid = { 0 };
  g_autoptr (MtLabNet) net = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  make_bits (&bits, MT_TASK_BINARY);
  mt_lab_input_init (&train, &bits.train, TRUE);
  mt_lab_input_init (&valid, &bits.valid, TRUE);
  net = make_net (MT_LAB_ROUTE_SOFT, MT_TASK_BINARY, 4, train.n_unary);
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_lab_net_train (net, &train, &valid, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  static const char * const routes[] = { "soft", "slots", "l0", "full" };
  static const char * const rules[] = { "soft", "slots", "l0", "prune", "largest" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (routes); i++)
    {
      g_autofree char *path = g_strconcat ("/lab-net/gradient/", routes[i], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_gradient);
    }
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autofree char *path = g_strconcat ("/lab-net/rules/", rules[i], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_rules);
    }
  g_test_add_func ("/lab-net/prune", test_prune);
  g_test_add_func ("/lab-net/lambda", test_lambda);
  g_test_add_func ("/lab-net/too-many-inputs", test_too_many);
  g_test_add_func ("/lab-net/cancel", test_cancel);
  return g_test_run ();
}
