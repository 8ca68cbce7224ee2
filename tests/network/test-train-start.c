/* The start of the network at interactions: the samples hold some that we planted. */
#include "config.h"

#include <math.h>

#include "network/mt-net-private.h"
#include "base/mt-random.h"
#include "network/mt-train-private.h"
#include "sample-data.h"

typedef struct {
  const char *file;
  const char *target;
  const char *pairs[6];      /* of columns that count together, from docs/samples.md */
} Planted;

static const Planted planted[] = {
  { "loan-approval.csv", "approved",
    { "monthly_income_eur|debt_share_pct", "late_payments_2y|guarantor", "purpose|term_months",
      "employment|years_in_job" } },
  { "triage.csv", "urgency",
    { "oxygen_saturation_pct|respiratory_rate", "consciousness|systolic_mmhg", "complaint|age_years",
      "arrival|pain_score" } },
  { "energy-use.csv", "energy_kwh",
    { "heating|outdoor_temp_c", "day|occupancy_pct", "building|outdoor_temp_c", "solar_panels|sunshine_hours",
      "night_setback|insulation" } },
};

/* The target of a fit: class numbers, or numbers of mean 0 and variance 1. */
static double *
dup_target (const MtTestSample *sample)
{
  gsize n = sample->rows->n_rows;
  double *target = g_memdup2 (sample->rows->values, n * sizeof (double));
  double mean = 0, square = 0;

  if (sample->classes != NULL)
    return target;
  for (gsize r = 0; r < n; r++)
    mean += target[r] / n;
  for (gsize r = 0; r < n; r++)
    square += (target[r] - mean) * (target[r] - mean) / n;
  for (gsize r = 0; r < n; r++)
    target[r] = (target[r] - mean) / sqrt (square);
  return target;
}

static gboolean
asks_about (const MtTestSample *sample,
            const MtNetNode    *node,
            const char         *column)
{
  for (guint i = 0; i < node->n_inputs; i++)
    {
      guint index = mt_encoder_get_literal (sample->encoder, node->inputs[i])->column;

      if (g_str_equal (mt_encoder_get_column_name (sample->encoder, index), column))
        return TRUE;
    }
  return FALSE;
}

static guint
count_found (const MtTestSample *sample,
             const GArray       *nodes,
             const char * const *pairs)
{
  guint n = 0;

  for (guint p = 0; pairs[p] != NULL; p++)
    {
      g_auto (GStrv) names = g_strsplit (pairs[p], "|", 2);
      gboolean found = FALSE;

      for (guint j = 0; j < nodes->len && !found; j++)
        {
          const MtNetNode *node = &g_array_index (nodes, MtNetNode, j);

          found = asks_about (sample, node, names[0]) && asks_about (sample, node, names[1]);
        }
      n += found;
    }
  return n;
}

static GArray *
find_start (const MtTestSample *sample,
            const double       *target,
            guint               n_nodes)
{
  g_autoptr (GError) error = NULL;
  GArray *nodes = mt_train_find_start (sample->encoded, mt_target_get_task (sample->target),
                                       mt_target_get_n_outputs (sample->target), target, NULL, n_nodes, 5, NULL, NULL, 0,
                                       NULL, &error);

  g_assert_no_error (error);
  return nodes;
}

static void
test_finds_planted (gconstpointer data)
{
  const Planted *expected = data;
  g_auto (MtTestSample) sample = { 0 };
  g_autofree double *target = NULL;
  g_autofree guint32 *order = NULL;
  g_autofree double *shuffled = NULL;
  g_autoptr (GArray) nodes = NULL, of_noise = NULL;
  guint n_pairs = g_strv_length ((char **) expected->pairs);
  MtRandom random;

  mt_test_sample_init (&sample, expected->file, expected->target);
  target = dup_target (&sample);
  nodes = find_start (&sample, target, 16);
  g_assert_cmpuint (nodes->len, <=, 16);
  g_assert_cmpuint (count_found (&sample, nodes, expected->pairs), ==, n_pairs);

  /* They are found because they are there: not so when the target is dealt out at random. */
  order = g_new (guint32, sample.rows->n_rows);
  shuffled = g_new (double, sample.rows->n_rows);
  for (gsize r = 0; r < sample.rows->n_rows; r++)
    order[r] = (guint32) r;
  mt_random_init (&random, 1);
  mt_random_shuffle (&random, order, sample.rows->n_rows);
  for (gsize r = 0; r < sample.rows->n_rows; r++)
    shuffled[r] = target[order[r]];
  of_noise = find_start (&sample, shuffled, 16);
  g_assert_cmpuint (count_found (&sample, of_noise, expected->pairs), <, n_pairs);
}

/* Before the first epoch a node answers as its conjunction does, in every row. */
static void
test_computes_conjunctions (gconstpointer data)
{
  const Planted *expected = data;
  g_auto (MtTestSample) sample = { 0 };
  g_autofree double *target = NULL;
  g_autoptr (GArray) nodes = NULL;
  MtNetShape shape;

  mt_test_sample_init (&sample, expected->file, expected->target);
  target = dup_target (&sample);
  nodes = find_start (&sample, target, 30);
  shape = (MtNetShape) {
    mt_target_get_task (sample.target), mt_encoded_get_n_literals (sample.encoded),
    mt_encoded_get_n_numeric (sample.encoded), mt_target_get_n_outputs (sample.target), 30, 5, MT_NODE_STANDARD,
  };
  for (shape.kind = MT_NODE_STANDARD; shape.kind <= MT_NODE_DEEP; shape.kind++)
    {
      g_autoptr (MtNet) net = mt_net_new (&shape, NULL, .01);
      g_autofree guint64 *plane = g_new (guint64, mt_encoded_get_n_words (sample.encoded));
      gboolean differs = FALSE;

      mt_net_randomise (net, 7);
      for (guint j = 0; j < nodes->len; j++)
        mt_net_start_node (net, j, &g_array_index (nodes, MtNetNode, j));
      for (guint j = 0; j < nodes->len; j++)
        {
          const MtNetNode *node = &g_array_index (nodes, MtNetNode, j);

          mt_net_fill_plane (net, j, sample.encoded, plane);
          for (gsize r = 0; r < sample.rows->n_rows; r++)
            {
              gboolean all = TRUE;

              for (guint i = 0; i < node->n_inputs; i++)
                all &= mt_plane_get (mt_encoded_get_plane (sample.encoded, node->inputs[i]), r) == (node->weights[i] > 0);
              g_assert_cmpint (mt_plane_get (plane, r), ==, all);
            }
        }
      /* A node that starts elsewhere is told apart. */
      mt_net_start_node (net, 0, &g_array_index (nodes, MtNetNode, 1));
      mt_net_fill_plane (net, 0, sample.encoded, plane);
      for (gsize r = 0; r < sample.rows->n_rows; r++)
        {
          const MtNetNode *node = &g_array_index (nodes, MtNetNode, 0);
          gboolean all = TRUE;

          for (guint i = 0; i < node->n_inputs; i++)
            all &= mt_plane_get (mt_encoded_get_plane (sample.encoded, node->inputs[i]), r) == (node->weights[i] > 0);
          differs |= mt_plane_get (plane, r) != all;
        }
      g_assert_true (differs);
    }
}

/* A training that is cancelled before its first epoch still gives the start, marked as stopped. */
static void
test_cancelled_at_once (void)
{
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (MtTrainResult) whole = NULL, stopped = NULL, rest = NULL;
  g_autoptr (GError) error = NULL;
  MtTrainOptions options;
  MtTrainData data;

  mt_test_sample_init (&sample, planted[0].file, planted[0].target);
  data = mt_test_sample_get_data (&sample);
  mt_train_options_init (&options);
  options.max_epochs = 5;
  g_cancellable_cancel (cancellable);
  mt_train_run (&data, &options, NULL, 0, NULL, NULL, NULL, cancellable, &stopped, &error);
  g_assert_no_error (error);
  g_assert_true (stopped->stopped);
  g_assert_cmpuint (stopped->n_epochs, ==, 0);
  /* Its state leads to the same end, scan and all. */
  mt_train_run (&data, &options, NULL, 0, NULL, NULL, NULL, NULL, &whole, &error);
  g_assert_no_error (error);
  mt_train_run (&data, &options, NULL, 0, stopped->state, NULL, NULL, NULL, &rest, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (whole->state, rest->state));
  g_assert_false (g_bytes_equal (whole->state, stopped->state));

  /* Nor does the state of one start pass for that of the other. */
  options.start = MT_START_RANDOM;
  g_clear_pointer (&rest, mt_train_result_free);
  g_assert_false (mt_train_run (&data, &options, NULL, 0, whole->state, NULL, NULL, NULL, &rest, &error));
  g_assert_nonnull (error);
}

/* With the interactions to begin with, training ends no worse than from random wiring. */
static void
test_no_worse_than_random (gconstpointer data)
{
  const Planted *expected = data;
  g_auto (MtTestSample) sample = { 0 };
  double loss[2] = { 0, 0 };
  MtTrainOptions options;
  MtTrainData train;

  mt_test_sample_init (&sample, expected->file, expected->target);
  train = mt_test_sample_get_data (&sample);
  mt_train_options_init (&options);
  for (options.seed = 0; options.seed < 3; options.seed++)
    for (options.start = MT_START_SCAN; options.start <= MT_START_RANDOM; options.start++)
      {
        g_autoptr (MtTrainResult) result = NULL;
        g_autoptr (GError) error = NULL;

        mt_train_run (&train, &options, NULL, 0, NULL, NULL, NULL, NULL, &result, &error);
        g_assert_no_error (error);
        loss[options.start] += result->valid_loss / 3;
      }
  g_test_message ("validation loss: scan %.4f, random %.4f", loss[MT_START_SCAN], loss[MT_START_RANDOM]);
  g_assert_cmpfloat (loss[MT_START_SCAN], <=, loss[MT_START_RANDOM]);
}

static void
add_tests (const char   *name,
           GTestDataFunc func)
{
  for (guint i = 0; i < G_N_ELEMENTS (planted); i++)
    {
      g_autofree char *path = g_strdup_printf ("/train-start/%s/%s", name, planted[i].target);

      g_test_add_data_func (path, &planted[i], func);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_tests ("finds-planted", test_finds_planted);
  add_tests ("computes-conjunctions", test_computes_conjunctions);
  add_tests ("no-worse-than-random", test_no_worse_than_random);
  g_test_add_func ("/train-start/cancelled-at-once", test_cancelled_at_once);
  return g_test_run ();
}
