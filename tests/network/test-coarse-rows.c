/* A network trained on fewer thresholds says the same of the rows with all of them. */
#include "config.h"

#include "network/mt-net-private.h"
#include "base/mt-random.h"
#include "network/mt-coarse-rows.h"
#include "netdata.h"

enum { N_ROWS = 700 };

/* Every second threshold of a column, never its last literal, which may be "is missing". */
static gboolean *
leave_some_out (const MtEncoded *encoded)
{
  gboolean *left_out = g_new0 (gboolean, mt_encoded_get_n_literals (encoded));

  for (guint g = 0; g < mt_encoded_get_n_groups (encoded); g++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[g];
      guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0);

      for (guint l = 0; l < n_thresholds && group->kind == MT_GROUP_THERMOMETER && n_thresholds > 1; l++)
        left_out[group->first_literal + l] = l % 2 == 1;
    }
  return left_out;
}

static void
test_rows (void)
{
  g_autoptr (MtEncoded) encoded = mt_test_encoded (9, 7, 2, N_ROWS, 3);
  g_autofree gboolean *left_out = leave_some_out (encoded);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtCoarseRows) thin = mt_coarse_rows_new (encoded, left_out, NULL, &error);
  g_autofree gint8 *values = g_new (gint8, mt_encoded_get_n_literals (encoded));
  g_autofree gint8 *picked = NULL;
  guint n = 0, n_missing = 0;

  g_assert_no_error (error);
  for (guint l = 0; l < mt_encoded_get_n_literals (encoded); l++)
    {
      n += !left_out[l];
      values[l] = (gint8) (l % 3);
    }
  g_assert_cmpuint (n, <, mt_encoded_get_n_literals (encoded));
  g_assert_cmpuint (mt_encoded_get_n_literals (thin->encoded), ==, n);
  picked = mt_coarse_rows_pick (thin, values);
  g_assert_null (mt_coarse_rows_pick (thin, NULL));
  for (guint l = 0; l < n; l++)
    {
      const MtGroup *group = &mt_encoded_get_groups (thin->encoded)[mt_encoded_get_group_of (thin->encoded, l)];

      g_assert_false (left_out[thin->literals[l]]);
      g_assert_cmpint (picked[l], ==, values[thin->literals[l]]);
      g_assert_cmpuint (mt_encoded_get_group_of (thin->encoded, l), ==,
                        mt_encoded_get_group_of (encoded, thin->literals[l]));
      g_assert_cmpmem (mt_encoded_get_plane (thin->encoded, l), mt_encoded_get_n_words (encoded) * sizeof (guint64),
                       mt_encoded_get_plane (encoded, thin->literals[l]),
                       mt_encoded_get_n_words (encoded) * sizeof (guint64));
      n_missing += group->has_missing;
    }
  g_assert_cmpuint (n_missing, >, 0);
  for (guint u = 0; u < 2; u++)
    g_assert_cmpmem (mt_encoded_get_numeric (thin->encoded, u), N_ROWS * sizeof (double),
                     mt_encoded_get_numeric (encoded, u), N_ROWS * sizeof (double));
}

static void
test_widen (gconstpointer data)
{
  MtNodeKind kind = GPOINTER_TO_INT (data);
  g_autoptr (MtEncoded) encoded = mt_test_encoded (9, 7, 2, N_ROWS, 5);
  g_autofree gboolean *left_out = leave_some_out (encoded);
  g_autoptr (MtCoarseRows) thin = mt_coarse_rows_new (encoded, left_out, NULL, NULL);
  MtNetShape shape = { MT_TASK_MULTICLASS, mt_encoded_get_n_literals (thin->encoded), 2, 3, 19, 4, kind };
  g_autofree guint8 *in_head = g_malloc (shape.n_literals);
  g_autofree double *scores = g_new (double, 3 * N_ROWS);
  g_autofree double *wide_scores = g_new (double, 3 * N_ROWS);
  g_autoptr (MtNet) net = NULL;
  g_autoptr (MtNet) wide = NULL;
  MtRandom random;
  guint n_differ = 0;

  for (guint l = 0; l < shape.n_literals; l++)
    in_head[l] = l % 4 != 0;
  net = mt_net_new (&shape, in_head, .01);
  mt_net_randomise (net, 11);
  mt_random_init (&random, 12);
  for (guint c = 0; c < 3; c++)
    {
      mt_net_set_bias (net, c, mt_random_normal (&random));
      for (guint l = 0; l < shape.n_literals; l++)
        if (in_head[l])
          mt_net_set_literal_weight (net, c, l, mt_random_normal (&random));
      for (guint u = 0; u < 2; u++)
        mt_net_set_numeric_weight (net, c, u, mt_random_normal (&random));
    }
  wide = mt_coarse_rows_widen (thin, net, mt_encoded_get_n_literals (encoded));
  for (guint node = 0; node < shape.n_nodes; node++)
    {
      MtNetNode from, to;

      mt_net_read_node (net, node, &from);
      mt_net_read_node (wide, node, &to);
      g_assert_cmpuint (from.n_inputs, ==, to.n_inputs);
      for (guint i = 0; i < from.n_inputs; i++)
        g_assert_cmpuint (thin->literals[from.inputs[i]], ==, to.inputs[i]);
    }
  mt_net_score (net, thin->encoded, scores);
  mt_net_score (wide, encoded, wide_scores);
  for (guint i = 0; i < 3 * N_ROWS; i++)
    {
      g_assert_cmpfloat_with_epsilon (scores[i], wide_scores[i], 1e-12);
      n_differ += scores[i] != scores[0];
    }
  g_assert_cmpuint (n_differ, >, N_ROWS);
}

static void
test_cancel (void)
{
  g_autoptr (MtEncoded) encoded = mt_test_encoded (9, 7, 2, N_ROWS, 3);
  g_autofree gboolean *left_out = leave_some_out (encoded);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (mt_coarse_rows_new (encoded, left_out, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The numbers are those of the fine rows, not a copy; they stay when nothing else holds these. */
static void
test_shared (void)
{
  MtEncoded *encoded = mt_test_encoded (9, 7, 2, N_ROWS, 5);
  g_autofree gboolean *left_out = leave_some_out (encoded);
  g_autofree double *numbers = g_memdup2 (mt_encoded_get_numeric (encoded, 1), N_ROWS * sizeof (double));
  g_autoptr (MtCoarseRows) thin = mt_coarse_rows_new (encoded, left_out, NULL, NULL);

  g_assert_true (mt_encoded_get_numeric (thin->encoded, 0) == mt_encoded_get_numeric (encoded, 0));
  mt_encoded_unref (encoded);
  g_assert_cmpmem (mt_encoded_get_numeric (thin->encoded, 1), N_ROWS * sizeof (double), numbers, N_ROWS * sizeof (double));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thin/rows", test_rows);
  g_test_add_data_func ("/thin/widen/standard", GINT_TO_POINTER (MT_NODE_STANDARD), test_widen);
  g_test_add_data_func ("/thin/widen/deep", GINT_TO_POINTER (MT_NODE_DEEP), test_widen);
  g_test_add_func ("/thin/shared", test_shared);
  g_test_add_func ("/thin/cancel", test_cancel);
  return g_test_run ();
}
