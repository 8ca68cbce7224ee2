#include "config.h"

#include <math.h>

#include "learn/mt-boosting.h"
#include "base/mt-random.h"

enum { N_GROUPS = 5, N_ROWS = 600 };

/* Three columns of six thresholds (the third with missing cells), two of four levels. */
static MtEncoded *
make_rows (guint8 *codes)
{
  MtGroup groups[N_GROUPS];
  MtRandom random;
  guint first = 0;

  mt_random_init (&random, 3);
  for (guint g = 0; g < N_GROUPS; g++)
    {
      groups[g] = (MtGroup) { g < 3 ? MT_GROUP_THERMOMETER : MT_GROUP_ONE_HOT, g, first, g < 3 ? 6 + (g == 2) : 4,
                              g == 2 };
      first += groups[g].n_literals;
      for (gsize r = 0; r < N_ROWS; r++)
        codes[g * N_ROWS + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
    }
  return mt_encoded_new (groups, N_GROUPS, codes, NULL, 0, N_ROWS);
}

/* Literal 2 of column 0 and then, where it is true, level 1 of column 3. */
static void
test_planted (void)
{
  static const MtTreeOptions options = { 8, 1, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autofree double *scores = g_new0 (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  g_autoptr (MtTree) tree = NULL;
  guint level = mt_encoded_get_groups (encoded)[3].first_literal + 1;

  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = codes[r] >= 3 ? (codes[3 * N_ROWS + r] == 2 ? 5 : 2) : -1;
  tree = mt_tree_grow (encoded, target, NULL, 1, &options, NULL, NULL);
  /* Nothing is left to split once the values are right. */
  g_assert_cmpuint (mt_tree_get_n_leaves (tree), ==, 3);
  g_assert_cmpuint (mt_tree_get_node (tree, 0)->literal, ==, 2);
  g_assert_cmpuint (mt_tree_get_node (tree, 1)->literal, ==, level);
  mt_tree_add_scores (tree, encoded, 3, 1, scores);
  for (gsize r = 0; r < N_ROWS; r++)
    g_assert_cmpfloat_with_epsilon (scores[r], target[r], 1e-9);
  /* The tree of two leaves is the same one, cut short. */
  for (gsize r = 0; r < N_ROWS; r++)
    scores[r] = 0;
  mt_tree_add_scores (tree, encoded, 2, 1, scores);
  for (gsize r = 0; r < N_ROWS; r++)
    g_assert_cmpfloat (scores[r], ==, mt_tree_get_values (tree, codes[r] >= 3 ? 1 : 2)[0]);
  /* Paths: x ≥ t2 and =; x ≥ t2 and not =; x < t2. */
  g_assert_cmpuint (mt_tree_count_literals (tree, encoded, 3), ==, 5);
  g_assert_cmpuint (mt_tree_count_literals (tree, encoded, 2), ==, 2);
  g_assert_cmpuint (mt_tree_count_literals (tree, encoded, 1), ==, 1);
}

/* A stricter literal of the same column makes the other idle: steps of one column take two
 * literals a leaf inside and one at the ends. */
static void
test_idle_literals (void)
{
  static const MtTreeOptions options = { 7, 1, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  g_autoptr (MtTree) tree = NULL;

  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = codes[N_ROWS + r] * codes[N_ROWS + r];
  tree = mt_tree_grow (encoded, target, NULL, 1, &options, NULL, NULL);
  g_assert_cmpuint (mt_tree_get_n_leaves (tree), ==, 7);
  g_assert_cmpuint (mt_tree_count_literals (tree, encoded, 7), ==, 5 * 2 + 2);
}

static void
test_missing (void)
{
  static const MtTreeOptions options = { 4, 1, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  g_autoptr (MtTree) tree = NULL;

  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = codes[2 * N_ROWS + r] == 7;   /* missing: no threshold is reached, none is denied */
  tree = mt_tree_grow (encoded, target, NULL, 1, &options, NULL, NULL);
  g_assert_cmpuint (mt_tree_get_n_leaves (tree), ==, 2);
  g_assert_cmpuint (mt_tree_get_node (tree, 0)->literal, ==, mt_encoded_get_groups (encoded)[2].first_literal + 6);
}

static void
test_least_rows (void)
{
  static const MtTreeOptions options = { 64, 40, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  g_autoptr (MtTree) tree = NULL;
  MtRandom random;

  mt_random_init (&random, 9);
  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = mt_random_normal (&random);
  tree = mt_tree_grow (encoded, target, NULL, 1, &options, NULL, NULL);
  g_assert_cmpuint (mt_tree_get_n_leaves (tree), >, 4);
  g_assert_cmpuint (mt_tree_get_n_leaves (tree), <=, N_ROWS / 40);
  for (guint i = 0; i < 2 * mt_tree_get_n_leaves (tree) - 1; i++)
    g_assert_cmpuint (mt_tree_get_node (tree, i)->n_rows, >=, 40);
}

/* The split is the one that a search of all literals by the definition finds. */
static void
test_best_split (void)
{
  static const MtTreeOptions options = { 2, 1, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, 2 * N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (MtTree) tree = NULL;
      double best = -1;
      guint found = 0;

      for (gsize i = 0; i < 2 * N_ROWS; i++)
        target[i] = mt_random_normal (&random) + (codes[round % N_GROUPS * N_ROWS + i % N_ROWS] > 2);
      for (guint l = 0; l < mt_encoded_get_n_literals (encoded); l++)
        {
          double sums[2][2] = { { 0 } }, n[2] = { 0 }, gain = 0;

          for (gsize r = 0; r < N_ROWS; r++)
            {
              gboolean yes = mt_plane_get (mt_encoded_get_plane (encoded, l), r);

              n[yes]++;
              for (guint k = 0; k < 2; k++)
                sums[yes][k] += target[k * N_ROWS + r];
            }
          for (guint yes = 0; yes < 2; yes++)
            gain += (sums[yes][0] * sums[yes][0] + sums[yes][1] * sums[yes][1]) / n[yes];
          if (gain > best)
            {
              best = gain;
              found = l;
            }
        }
      tree = mt_tree_grow (encoded, target, NULL, 2, &options, NULL, NULL);
      g_assert_cmpuint (mt_tree_get_node (tree, 0)->literal, ==, found);
    }
}

static void
test_boosting (void)
{
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);

  for (guint task = 0; task < 3; task++)
    {
      guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;
      g_autoptr (MtBooster) booster = NULL;
      MtBoosterOptions options;
      double first, before;

      mt_booster_options_init (&options);
      for (gsize r = 0; r < N_ROWS; r++)
        {
          double score = (codes[r] >= 3) * (codes[3 * N_ROWS + r] == 1 ? 2 : 1) + (r % 7 == 0);

          target[r] = task == MT_TASK_REGRESSION ? score : task == MT_TASK_BINARY ? score > 1 : score;
          if (task == MT_TASK_MULTICLASS)
            target[r] = MIN (target[r], 2);
        }
      booster = mt_booster_new (encoded, target, task, n_outputs, encoded, &options);
      first = before = mt_booster_loss (task, n_outputs, N_ROWS, mt_booster_get_scores (booster), target);
      for (guint i = 0; i < 30; i++)
        {
          double loss;

          g_assert_true (mt_booster_step (booster, NULL, NULL));
          loss = mt_booster_loss (task, n_outputs, N_ROWS, mt_booster_get_scores (booster), target);
          g_assert_cmpfloat (loss, <, before);
          before = loss;
        }
      g_assert_cmpfloat (before, <, 0.7 * first);
      /* Rows watched are scored by the same trees. */
      for (gsize i = 0; i < n_outputs * N_ROWS; i++)
        g_assert_cmpfloat (mt_booster_get_watched (booster)[i], ==, mt_booster_get_scores (booster)[i]);
    }
}

static void
test_cancel (void)
{
  static const MtTreeOptions options = { 8, 1, 0 };
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *target = g_new (double, N_ROWS);
  g_autoptr (MtEncoded) encoded = make_rows (codes);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  for (gsize r = 0; r < N_ROWS; r++)
    target[r] = codes[r];
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_tree_grow (encoded, target, NULL, 1, &options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree/planted", test_planted);
  g_test_add_func ("/tree/idle-literals", test_idle_literals);
  g_test_add_func ("/tree/missing", test_missing);
  g_test_add_func ("/tree/least-rows", test_least_rows);
  g_test_add_func ("/tree/best-split", test_best_split);
  g_test_add_func ("/tree/boosting", test_boosting);
  g_test_add_func ("/tree/cancel", test_cancel);
  return g_test_run ();
}
