/* Screening of very many columns: it keeps what counts, looks at no target of a row that is held out, is the same for
 * every number of threads, stops soon, and lets ordinary tables alone. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-random.h"
#include "learn/mt-learn.h"
#include "learn/mt-screen.h"
#include "testutils.h"

#define N_FOLDS 5

typedef struct {
  MtTable      *table;
  MtTarget     *target;
  MtTargetRows *rows;
  guint8       *fold_of;
} Wide;

static void
wide_clear (Wide *wide)
{
  g_clear_pointer (&wide->table, mt_table_unref);
  g_clear_pointer (&wide->target, mt_target_unref);
  g_clear_pointer (&wide->rows, mt_target_rows_free);
  g_clear_pointer (&wide->fold_of, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wide, wide_clear)

/* y = 2 x3 + 2 [x7 ≥ 0] + noise; all other columns are noise. */
static void
wide_init (Wide    *wide,
           gsize    n_rows,
           guint    n_features,
           guint64  seed)
{
  g_autofree MtColumn **columns = g_new (MtColumn *, n_features + 1);
  g_autofree double *values = g_new (double, n_rows * (n_features + 1));
  double *y = values + n_rows * n_features;
  MtRandom random;
  MtTask task = MT_TASK_REGRESSION;

  mt_random_init (&random, seed);
  for (gsize i = 0; i < n_rows * n_features; i++)
    values[i] = mt_random_normal (&random);
  for (gsize r = 0; r < n_rows; r++)
    y[r] = 2 * values[3 * n_rows + r] + (values[7 * n_rows + r] >= 0 ? 2 : 0) + .3 * mt_random_normal (&random);
  for (guint c = 0; c <= n_features; c++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", c);

      columns[c] = mt_test_numbers (name, values + c * n_rows, n_rows);
    }
  wide->table = mt_test_table (columns, n_features + 1, (int) n_features);
  wide->target = mt_target_new (wide->table, NULL, 0, &task, NULL);
  wide->rows = mt_target_read (wide->target, wide->table, NULL, 0, NULL);
  wide->fold_of = g_new (guint8, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    wide->fold_of[r] = (guint8) (r % N_FOLDS);
}

static MtScreenInput
get_input (const Wide             *wide,
           const MtEncoderOptions *encoder)
{
  return (MtScreenInput) { wide->table, wide->rows, MT_TASK_REGRESSION, 1, FALSE, TRUE, encoder };
}

static gboolean
is_kept (const MtScreen *screen,
         guint           part,
         guint           column)
{
  for (guint i = 0; i < screen->n_kept[part]; i++)
    if (screen->kept[part][i] == column)
      return TRUE;
  return FALSE;
}

static void
assert_same_part (const MtScreen *a,
                  const MtScreen *b,
                  guint           part)
{
  g_assert_cmpmem (a->kept[part], a->n_kept[part] * sizeof (guint), b->kept[part], b->n_kept[part] * sizeof (guint));
}

/* Columns that count are kept in all parts; as many as there are places, no more; in order. */
static void
test_keeps (void)
{
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtScreen) screen = NULL;
  g_autoptr (GError) error = NULL;
  MtEncoderOptions encoder;
  MtScreenInput input;
  gboolean needed;

  wide_init (&wide, 100, 3000, 5);
  mt_encoder_options_init (&encoder);
  input = get_input (&wide, &encoder);
  g_assert_true (mt_screen_is_needed (&input, &needed, &error));
  g_assert_no_error (error);
  g_assert_true (needed);
  screen = mt_screen_new (&input, wide.fold_of, N_FOLDS, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (screen->n_parts, ==, 1 + N_FOLDS);
  g_assert_cmpuint (screen->n_offered, ==, 3000);
  for (guint p = 0; p < screen->n_parts; p++)
    {
      g_assert_cmpuint (screen->n_kept[p], ==, mt_screen_get_n_places (p == 0 ? 100 : 80));
      g_assert_true (is_kept (screen, p, 3));
      g_assert_true (is_kept (screen, p, 7));
      for (guint i = 1; i < screen->n_kept[p]; i++)
        g_assert_cmpuint (screen->kept[p][i - 1], <, screen->kept[p][i]);
    }
}

/* With other targets in the rows of a fold, the part that does not learn from them keeps the same columns, and the
 * others do not. */
static void
test_no_leak (void)
{
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtScreen) screen = NULL;
  g_autoptr (GError) error = NULL;
  MtEncoderOptions encoder;
  MtScreenInput input;

  wide_init (&wide, 100, 1500, 6);
  mt_encoder_options_init (&encoder);
  input = get_input (&wide, &encoder);
  screen = mt_screen_new (&input, wide.fold_of, N_FOLDS, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint f = 0; f < N_FOLDS; f++)
    {
      g_autoptr (MtScreen) other = NULL;
      g_autofree double *before = g_memdup2 (wide.rows->values, wide.rows->n_rows * sizeof (double));
      guint n_same = 0;

      for (gsize r = 0; r < wide.rows->n_rows; r++)
        if (wide.fold_of[r] == f)
          wide.rows->values[r] = 50 * sin ((double) r);
      other = mt_screen_new (&input, wide.fold_of, N_FOLDS, 1, NULL, NULL, &error);
      g_assert_no_error (error);
      assert_same_part (screen, other, f + 1);
      for (guint p = 0; p < screen->n_parts; p++)
        n_same += screen->n_kept[p] == other->n_kept[p] &&
                  memcmp (screen->kept[p], other->kept[p], screen->n_kept[p] * sizeof (guint)) == 0;
      g_assert_cmpuint (n_same, ==, 1);
      memcpy (wide.rows->values, before, wide.rows->n_rows * sizeof (double));
    }
}

/* What only counts beside others, and is hidden by them: found in the second round. */
static void
test_second_round (void)
{
  enum { N_ROWS = 200, N_FEATURES = 2000 };
  g_autofree MtColumn **columns = g_new (MtColumn *, N_FEATURES + 1);
  g_autofree double *values = g_new (double, N_ROWS * (N_FEATURES + 1));
  double *y = values + N_ROWS * N_FEATURES, *a = values, *b = values + N_ROWS;
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtScreen) screen = NULL;
  MtEncoderOptions encoder;
  MtScreenInput input;
  MtTask task = MT_TASK_REGRESSION;
  MtRandom random;

  mt_random_init (&random, 9);
  for (gsize i = 0; i < (gsize) N_ROWS * N_FEATURES; i++)
    values[i] = mt_random_normal (&random);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      b[r] = -.8 * a[r] + .6 * b[r];
      y[r] = 3 * (a[r] + .8 * b[r]) + .2 * mt_random_normal (&random);    /* not correlated with b: -.8 + .8 */
    }
  for (guint c = 0; c <= N_FEATURES; c++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", c);

      columns[c] = mt_test_numbers (name, values + c * N_ROWS, N_ROWS);
    }
  wide.table = mt_test_table (columns, N_FEATURES + 1, N_FEATURES);
  wide.target = mt_target_new (wide.table, NULL, 0, &task, NULL);
  wide.rows = mt_target_read (wide.target, wide.table, NULL, 0, NULL);
  mt_encoder_options_init (&encoder);
  input = get_input (&wide, &encoder);
  screen = mt_screen_new (&input, NULL, 0, 1, NULL, NULL, NULL);
  g_assert_nonnull (screen);
  g_assert_true (is_kept (screen, 0, 0));
  g_assert_true (is_kept (screen, 0, 1));
}

static void
test_threads (void)
{
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtScreen) one = NULL;
  MtEncoderOptions encoder;
  MtScreenInput input;

  wide_init (&wide, 90, 2500, 7);
  mt_encoder_options_init (&encoder);
  encoder.n_threads = 1;
  input = get_input (&wide, &encoder);
  one = mt_screen_new (&input, wide.fold_of, N_FOLDS, 1, NULL, NULL, NULL);
  for (guint n = 2; n <= 8; n *= 2)
    {
      g_autoptr (MtScreen) many = NULL;

      encoder.n_threads = n;
      many = mt_screen_new (&input, wide.fold_of, N_FOLDS, 1, NULL, NULL, NULL);
      for (guint p = 0; p < one->n_parts; p++)
        assert_same_part (one, many, p);
    }
}

/* Not for a table that can be searched as it is. */
static void
test_not_needed (void)
{
  g_auto (Wide) few = { NULL };
  g_auto (Wide) long_one = { NULL };
  MtEncoderOptions encoder;
  MtScreenInput input;
  gboolean needed;

  mt_encoder_options_init (&encoder);
  wide_init (&few, 60, 30, 1);
  input = get_input (&few, &encoder);
  g_assert_true (mt_screen_is_needed (&input, &needed, NULL));
  g_assert_false (needed);
  wide_init (&long_one, 1000, 150, 1);
  input = get_input (&long_one, &encoder);
  g_assert_true (mt_screen_is_needed (&input, &needed, NULL));
  g_assert_false (needed);
}

/* Few columns with very many levels: the inverse of all literals would have 9,900² numbers. */
static void
test_many_levels (void)
{
  enum { N_ROWS = 4000, N_FEATURES = 100, N_LEVELS = 100 };
  g_autofree MtColumn **columns = g_new (MtColumn *, N_FEATURES + 1);
  g_autofree double *y = g_new (double, N_ROWS);
  g_autofree const char **cells = g_new (const char *, N_ROWS);
  g_autoptr (GPtrArray) levels = g_ptr_array_new_with_free_func (g_free);
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtScreen) screen = NULL;
  MtEncoderOptions encoder;
  MtScreenInput input;
  MtTask task = MT_TASK_REGRESSION;
  MtRandom random;
  gboolean needed;
  guint n_literals = 0;

  mt_random_init (&random, 3);
  for (guint l = 0; l < N_LEVELS; l++)
    g_ptr_array_add (levels, g_strdup_printf ("level %u", l));
  for (gsize r = 0; r < N_ROWS; r++)
    y[r] = mt_random_normal (&random);
  for (guint c = 0; c < N_FEATURES; c++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", c);

      for (gsize r = 0; r < N_ROWS; r++)
        {
          guint level = (guint) mt_random_below (&random, N_LEVELS);

          cells[r] = levels->pdata[level];
          if (c == 42 && level < 50)
            y[r] += 2;
        }
      columns[c] = mt_test_levels (name, MT_TYPE_CATEGORY, cells, N_ROWS);
    }
  columns[N_FEATURES] = mt_test_numbers ("y", y, N_ROWS);
  wide.table = mt_test_table (columns, N_FEATURES + 1, N_FEATURES);
  wide.target = mt_target_new (wide.table, NULL, 0, &task, NULL);
  wide.rows = mt_target_read (wide.target, wide.table, NULL, 0, NULL);
  mt_encoder_options_init (&encoder);
  encoder.level_floor = 0;
  input = get_input (&wide, &encoder);
  g_assert_true (mt_screen_is_needed (&input, &needed, NULL));
  g_assert_true (needed);
  screen = mt_screen_new (&input, NULL, 0, 1, NULL, NULL, NULL);
  n_literals = screen->n_kept[0] * N_LEVELS;
  g_assert_cmpuint (n_literals, <=, MT_SCREEN_MOST_LITERALS);
  g_assert_cmpuint (n_literals, >, 0);
}

/* --- the whole way --- */

static MtLearned *
learn (const Wide    *wide,
       guint          n_threads,
       GCancellable  *cancellable,
       GError       **error)
{
  g_autoptr (MtPool) pool = mt_pool_new (n_threads);
  MtLearnOptions options;

  mt_learn_options_init (&options);
  options.encoder.n_threads = n_threads;
  options.frontier.n_repeats = 1;
  return mt_learn_run (wide->table, NULL, 0, &options, pool, NULL, NULL, cancellable, error);
}

/* Models, scores and the columns are the same for any number of threads; the score of the folds is honest. */
static void
test_learns (void)
{
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtLearned) one = NULL;
  g_autoptr (MtLearned) three = NULL;
  g_autoptr (GError) error = NULL;
  const MtFrontierPoint *best;

  wide_init (&wide, 120, 2000, 8);
  one = learn (&wide, 1, NULL, &error);
  g_assert_no_error (error);
  three = learn (&wide, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (one->n_offered, ==, 2000);
  g_assert_cmpuint (one->n_kept, ==, mt_screen_get_n_places (120));
  g_assert_cmpuint (mt_frontier_get_n_points (one->frontier), ==, mt_frontier_get_n_points (three->frontier));
  for (guint p = 0; p < mt_frontier_get_n_points (one->frontier); p++)
    {
      const MtFrontierPoint *a = mt_frontier_get_point (one->frontier, p);
      const MtFrontierPoint *b = mt_frontier_get_point (three->frontier, p);

      g_assert_cmpuint (a->complexity, ==, b->complexity);
      g_assert_cmpmem (&a->cv_mean, sizeof a->cv_mean, &b->cv_mean, sizeof b->cv_mean);
      g_assert_cmpmem (&a->train, sizeof a->train, &b->train, sizeof b->train);
    }
  best = mt_frontier_get_point (one->frontier, mt_frontier_get_selected (one->frontier));
  g_assert_cmpfloat (best->cv_mean, >, .7);
}

/* No column says anything. Chosen by all targets, some would seem to: the folds must not believe it. */
static void
test_noise (void)
{
  g_auto (Wide) wide = { NULL };
  g_autoptr (MtLearned) learned = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *y = g_new (double, 60);
  g_autoptr (MtTable) table = NULL;
  g_autofree MtColumn **columns = g_new (MtColumn *, 3001);
  MtLearnOptions options;
  MtRandom random;

  wide_init (&wide, 60, 3000, 10);
  mt_random_init (&random, 11);
  for (guint r = 0; r < 60; r++)
    y[r] = mt_random_normal (&random);
  for (guint c = 0; c < 3000; c++)
    columns[c] = mt_column_ref ((MtColumn *) mt_table_get_column (wide.table, c));
  columns[3000] = mt_test_numbers ("y", y, 60);
  table = mt_test_table (columns, 3001, 3000);
  mt_learn_options_init (&options);
  learned = mt_learn_run (table, NULL, 0, &options, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint p = 0; p < mt_frontier_get_n_points (learned->frontier); p++)
    g_assert_cmpfloat (mt_frontier_get_point (learned->frontier, p)->cv_mean, <, .25);
}

typedef struct {
  GCancellable *cancellable;
  gint64        after;
  gint64        asked;
} Asking;

static gpointer
ask (gpointer data)
{
  Asking *asking = data;

  g_usleep ((gulong) asking->after);
  asking->asked = g_get_monotonic_time ();
  g_cancellable_cancel (asking->cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_auto (Wide) wide = { NULL };

  wide_init (&wide, 100, 6000, 12);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (MtLearned) learned = NULL;
      Asking asking = { cancellable, 20000 * i * i, 0 };
      GThread *thread = g_thread_new ("ask", ask, &asking);

      learned = learn (&wide, 2, cancellable, &error);
      g_thread_join (thread);
      if (learned == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      if (learned == NULL && g_test_slow ())
        g_assert_cmpint (g_get_monotonic_time () - asking.asked, <, 500000);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/screen/keeps", test_keeps);
  g_test_add_func ("/screen/no-leak", test_no_leak);
  g_test_add_func ("/screen/second-round", test_second_round);
  g_test_add_func ("/screen/threads", test_threads);
  g_test_add_func ("/screen/not-needed", test_not_needed);
  g_test_add_func ("/screen/many-levels", test_many_levels);
  g_test_add_func ("/screen/learns", test_learns);
  g_test_add_func ("/screen/noise", test_noise);
  g_test_add_func ("/screen/cancel", test_cancel);
  return g_test_run ();
}
