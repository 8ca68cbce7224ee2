#include "config.h"
#include "data/mt-split.h"

#include <math.h>
#include <string.h>

#include "data/mt-duplicates.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "testutils.h"

/* --- tables to split --- */

/* A feature, a target of @n_classes classes drawn with weights 1, 2, 3, …, each at least twice;
 * every @repeat rows share one feature value; with @n_groups a group column. */
static MtTable *
class_table (guint64 seed,
             gsize   n_rows,
             guint   n_classes,
             guint   repeat,
             guint   n_groups)
{
  static const char * const names[] = { "a", "b", "c", "d", "e", "f" };
  g_autofree double *x = g_new (double, n_rows);
  g_autofree double *g = g_new (double, n_rows);
  g_autofree const char **y = g_new (const char *, n_rows);
  MtColumn *columns[3];
  MtTable *table;
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize i = 0; i < n_rows; i++)
    {
      guint64 at = mt_random_below (&random, n_classes * (n_classes + 1) / 2);
      guint c = 0;

      while (at > c)
        at -= ++c;
      y[i] = names[i < 2 * n_classes ? i / 2 : c];
      x[i] = (double) (i / repeat);
      g[i] = (double) mt_random_below (&random, MAX (n_groups, 1));
    }
  columns[0] = mt_test_numbers ("x", x, n_rows);
  columns[1] = mt_test_levels ("y", MT_TYPE_CATEGORY, y, n_rows);
  columns[2] = mt_test_numbers ("clinic", g, n_rows);
  table = mt_test_table (columns, n_groups > 0 ? 3 : 2, 1);
  if (n_groups == 0)
    {
      mt_column_unref (columns[2]);
      return table;
    }
  return mt_test_set_role (table, 2, MT_ROLE_GROUP);
}

static guint32 *
all_rows (const MtTable *table)
{
  gsize n = mt_table_get_n_rows (table);
  guint32 *rows = g_new (guint32, n);

  for (gsize i = 0; i < n; i++)
    rows[i] = (guint32) i;
  return rows;
}

static guint8 *
split_folds (const MtTable        *table,
             const MtSplitOptions *options)
{
  gsize n = mt_table_get_n_rows (table);
  g_autofree guint32 *rows = all_rows (table);
  g_autoptr (GError) error = NULL;
  guint8 *fold_of = g_new (guint8, n);

  mt_split_folds (table, rows, n, options, fold_of, &error);
  g_assert_no_error (error);
  return fold_of;
}

/* As folds: 1 where the row is tested, 0 where trained, 255 in neither part. Checks that the
 * parts ascend and share no row. */
static guint8 *
split_test (const MtTable        *table,
            const MtSplitOptions *options)
{
  gsize n = mt_table_get_n_rows (table);
  guint8 *part = g_malloc (n);
  g_autoptr (GArray) train = NULL;
  g_autoptr (GArray) test = NULL;
  g_autoptr (GError) error = NULL;

  mt_split_test (table, options, &train, &test, &error);
  g_assert_no_error (error);
  memset (part, 255, n);
  for (guint p = 0; p < 2; p++)
    {
      GArray *rows = p == 0 ? train : test;

      g_assert_cmpuint (rows->len, >, 0);
      for (guint i = 0; i < rows->len; i++)
        {
          guint32 row = g_array_index (rows, guint32, i);

          g_assert_true (i == 0 || g_array_index (rows, guint32, i - 1) < row);
          g_assert_cmpuint (part[row], ==, 255);
          part[row] = (guint8) p;
        }
    }
  return part;
}

static gsize
count (const guint8   *part,
       guint           which,
       const MtColumn *column,   /* NULL: any */
       guint32         code,
       gsize           n)
{
  gsize found = 0;

  for (gsize i = 0; i < n; i++)
    found += part[i] == which && (column == NULL || mt_column_get_code (column, i) == code);
  return found;
}

/* --- single rows --- */

static void
test_even_folds (void)
{
  for (guint64 seed = 0; seed < 40; seed++)
    {
      guint n_classes = 2 + seed % 5;
      gsize n = 40 + 13 * seed;
      g_autoptr (MtTable) table = class_table (seed, n, n_classes, 1, 0);
      const MtColumn *y = mt_table_get_column (table, 1);
      MtSplitOptions options = { .seed = seed, .n_folds = 2 + (guint) (seed % 7), .stratify = TRUE };
      g_autofree guint8 *fold_of = split_folds (table, &options);

      for (guint c = 0; c <= n_classes; c++)   /* the last round: all classes together */
        {
          gsize low = G_MAXSIZE, high = 0;

          for (guint f = 0; f < options.n_folds; f++)
            {
              gsize k = count (fold_of, f, c < n_classes ? y : NULL, c, n);

              low = MIN (low, k);
              high = MAX (high, k);
            }
          g_assert_cmpuint (high - low, <=, 1);
        }
    }
}

static void
test_fraction (void)
{
  static const double fractions[] = { 0.2, 0.25, 0.5, 0.07, 1.0 / 3, 0.8 };

  for (guint64 seed = 0; seed < 60; seed++)
    {
      guint n_classes = 2 + seed % 5;
      gsize n = 60 + 17 * seed;
      double f = fractions[seed % G_N_ELEMENTS (fractions)];
      g_autoptr (MtTable) table = class_table (seed, n, n_classes, 1, 0);
      const MtColumn *y = mt_table_get_column (table, 1);
      MtSplitOptions options = { .seed = seed, .test_fraction = f, .stratify = TRUE };
      g_autofree guint8 *part = split_test (table, &options);

      if (f < 0.8)   /* above, a small class may have got a row back */
        g_assert_cmpuint (count (part, 1, NULL, 0, n), ==, (gsize) floor (f * (double) n + 0.5));
      for (guint c = 0; c < n_classes; c++)
        {
          double due = f * (double) mt_column_get_level_count (y, c);

          g_assert_cmpfloat (fabs ((double) count (part, 1, y, c, n) - due), <=, 1.0 + 1e-9);
          g_assert_cmpuint (count (part, 0, y, c, n), >, 0);
        }
    }
}

/* A test part of almost everything still leaves each class a row to learn from. */
static void
test_class_kept (void)
{
  for (guint64 seed = 0; seed < 30; seed++)
    {
      g_autoptr (MtTable) table = class_table (seed, 12, 6, 1, 0);
      MtSplitOptions options = { .seed = seed, .test_fraction = 0.9, .stratify = TRUE };
      g_autofree guint8 *part = split_test (table, &options);

      for (guint c = 0; c < 6; c++)
        g_assert_cmpuint (count (part, 0, mt_table_get_column (table, 1), c, 12), >, 0);
      g_assert_cmpuint (count (part, 1, NULL, 0, 12), >, 0);
    }
}

static void
test_numbers (void)
{
  enum { N = 500 };
  double x[N], y[N];
  MtColumn *columns[2];
  g_autoptr (MtTable) table = NULL;
  MtSplitOptions options = { .seed = 3, .test_fraction = 0.2, .n_folds = 5, .stratify = TRUE };
  g_autofree guint8 *part = NULL;
  g_autofree guint8 *fold_of = NULL;
  guint n_missing = 0;

  for (guint i = 0; i < N; i++)
    {
      x[i] = i;
      y[i] = i % 50 == 7 ? NAN : (double) ((i * 37) % N);
      n_missing += isnan (y[i]);
    }
  columns[0] = mt_test_numbers ("x", x, N);
  columns[1] = mt_test_numbers ("y", y, N);
  table = mt_test_table (columns, 2, 1);
  part = split_test (table, &options);
  fold_of = split_folds (table, &options);

  g_assert_cmpuint (count (part, 255, NULL, 0, N), ==, n_missing);
  for (guint i = 0; i < N; i++)
    g_assert_true ((part[i] == 255) == isnan (y[i]));
  /* Each tenth of the target's range is dealt out evenly. */
  for (guint t = 0; t < 10; t++)
    {
      gsize n_tested = 0, n_tenth = 0, n_folded = 0;

      for (guint i = 0; i < N; i++)
        if (y[i] >= 50 * t && y[i] < 50 * (t + 1))
          {
            n_tenth++;
            n_tested += part[i] == 1;
            n_folded += fold_of[i] == 2;
          }
      g_assert_cmpfloat (fabs ((double) n_tested - 0.2 * (double) n_tenth), <=, 2);
      g_assert_cmpfloat (fabs ((double) n_folded - 0.2 * (double) n_tenth), <=, 2);
    }
}

static void
test_seed (void)
{
  g_autoptr (MtTable) table = class_table (1, 300, 3, 1, 0);
  MtSplitOptions options = { .seed = 9, .test_fraction = 0.2, .n_folds = 5, .stratify = TRUE };
  g_autofree guint8 *first = split_folds (table, &options);
  g_autofree guint8 *again = split_folds (table, &options);
  g_autofree guint8 *first_test = split_test (table, &options);
  g_autofree guint8 *again_test = split_test (table, &options);
  g_autofree guint8 *other = NULL;
  g_autofree guint8 *other_test = NULL;
  gsize n_both = 0;

  options.seed = 10;
  other = split_folds (table, &options);
  other_test = split_test (table, &options);
  g_assert_cmpmem (first, 300, again, 300);
  g_assert_cmpmem (first_test, 300, again_test, 300);
  g_assert_cmpint (memcmp (first, other, 300), !=, 0);
  g_assert_cmpint (memcmp (first_test, other_test, 300), !=, 0);
  /* The folds are not the test split over again: of 60 and 60 rows about 12 meet. */
  for (guint i = 0; i < 300; i++)
    n_both += first[i] == 0 && first_test[i] == 1;
  g_assert_cmpuint (n_both, <, 30);
}

/* Every row is tested about equally often over many seeds: the dealing favours no place. */
static void
test_unbiased (void)
{
  enum { N = 40, SEEDS = 2000 };
  g_autoptr (MtTable) table = class_table (5, N, 3, 1, 0);
  guint hits[N] = { 0 };

  for (guint64 seed = 0; seed < SEEDS; seed++)
    {
      MtSplitOptions options = { .seed = seed, .test_fraction = 0.25, .stratify = seed % 2 };
      g_autofree guint8 *part = split_test (table, &options);

      for (guint i = 0; i < N; i++)
        hits[i] += part[i];
    }
  for (guint i = 0; i < N; i++)   /* 500 expected, sd 19; a small class may round to a third or a fifth */
    g_assert_cmpfloat (fabs (hits[i] - 500.0), <, 200);
}

static void
test_unstratified (void)
{
  g_autoptr (MtTable) table = class_table (1, 101, 2, 1, 0);
  g_autoptr (MtTable) no_target = mt_test_set_role (mt_table_ref (table), 1, MT_ROLE_IGNORED);
  MtSplitOptions options = { .seed = 1, .test_fraction = 0.2, .n_folds = 4 };
  g_autofree guint8 *part = split_test (no_target, &options);
  g_autofree guint8 *fold_of = split_folds (no_target, &options);

  g_assert_cmpuint (count (part, 1, NULL, 0, 101), ==, 20);
  g_assert_cmpuint (count (part, 0, NULL, 0, 101), ==, 81);
  for (guint f = 0; f < 4; f++)
    g_assert_cmpfloat (fabs ((double) count (fold_of, f, NULL, 0, 101) - 25.25), <, 1);
}

/* --- rows that stay together --- */

static gboolean
stays_together (const MtColumn *column,
                const guint8   *part,
                gsize           n)
{
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      if (mt_duplicates_same_cell (column, i, j) && part[i] != part[j])
        return FALSE;
  return TRUE;
}

static void
test_together (void)
{
  for (guint64 seed = 0; seed < 40; seed++)
    {
      gsize n = 150 + 5 * seed;
      guint n_classes = 2 + seed % 3;
      gboolean groups = seed % 4 != 0, duplicates = seed % 4 != 1;
      g_autoptr (MtTable) table = class_table (seed, n, n_classes, 1 + (guint) (seed % 3), groups ? 25 : 0);
      const MtColumn *y = mt_table_get_column (table, 1);
      MtSplitOptions options = { seed, 0.25, 4, TRUE, duplicates };
      g_autofree guint8 *part = NULL;
      g_autofree guint8 *fold_of = NULL;

      /* A chain of groups and repeated rows can tie all rows together; then refusal is right. */
      if (groups && duplicates && seed % 3 != 0)
        continue;
      part = split_test (table, &options);
      fold_of = split_folds (table, &options);
      if (groups)
        {
          g_assert_true (stays_together (mt_table_get_column (table, 2), part, n));
          g_assert_true (stays_together (mt_table_get_column (table, 2), fold_of, n));
        }
      if (duplicates)
        {
          g_assert_true (stays_together (mt_table_get_column (table, 0), part, n));
          g_assert_true (stays_together (mt_table_get_column (table, 0), fold_of, n));
        }
      /* About the right size and the right mix, as far as groups allow. */
      g_assert_cmpfloat (fabs ((double) count (part, 1, NULL, 0, n) / (double) n - 0.25), <, 0.08);
      for (guint c = 0; c < n_classes; c++)
        {
          g_assert_cmpuint (count (part, 0, y, c, n), >, 0);
          for (guint f = 0; f < 4; f++)
            g_assert_cmpuint (count (fold_of, f, y, c, n), <, mt_column_get_level_count (y, c));
        }
      for (guint f = 0; f < 4; f++)
        g_assert_cmpfloat (fabs ((double) count (fold_of, f, NULL, 0, n) / (double) n - 0.25), <, 0.08);
    }
}

/* Without the wish, the same rows do get parted: the check above can fail. */
static void
test_apart (void)
{
  g_autoptr (MtTable) table = class_table (2, 200, 2, 4, 0);
  MtSplitOptions options = { 0, 0.25, 4, TRUE, FALSE };
  g_autofree guint8 *part = split_test (table, &options);

  g_assert_false (stays_together (mt_table_get_column (table, 0), part, 200));
}

/* One clinic has most of the rows, and there are as many clinics as folds. */
static void
test_uneven_groups (void)
{
  enum { N = 60 };
  double x[N], g[N];
  const char *y[N];
  MtColumn *columns[3];
  g_autoptr (MtTable) table = NULL;
  MtSplitOptions options = { .seed = 4, .n_folds = 4, .test_fraction = 0.2, .stratify = TRUE };
  g_autofree guint8 *fold_of = NULL;
  g_autofree guint8 *part = NULL;

  for (guint i = 0; i < N; i++)
    {
      x[i] = i;
      g[i] = i < 40 ? 0 : i < 50 ? 1 : i < 57 ? 2 : 3;
      y[i] = i % 2 ? "a" : "b";
    }
  columns[0] = mt_test_numbers ("x", x, N);
  columns[1] = mt_test_levels ("y", MT_TYPE_BOOLEAN, y, N);
  columns[2] = mt_test_numbers ("clinic", g, N);
  table = mt_test_set_role (mt_test_table (columns, 3, 1), 2, MT_ROLE_GROUP);
  fold_of = split_folds (table, &options);
  part = split_test (table, &options);
  g_assert_true (stays_together (columns[2], fold_of, N));
  for (guint f = 0; f < 4; f++)
    g_assert_cmpuint (count (fold_of, f, NULL, 0, N), >, 0);
  g_assert_cmpuint (part[0], ==, 0);
}

/* A row without a group is on its own, and a text group works like any other. */
static void
test_group_missing (void)
{
  enum { N = 40 };
  const char *g[N], *y[N];
  MtColumn *columns[2];
  g_autoptr (MtTable) table = NULL;
  MtSplitOptions options = { .seed = 4, .n_folds = 2, .stratify = TRUE };
  g_autofree guint8 *fold_of = NULL;
  gsize n_first;

  for (guint i = 0; i < N; i++)
    {
      g[i] = i < 10 ? "north" : i < 20 ? "south" : NULL;
      y[i] = i % 2 ? "a" : "b";
    }
  columns[0] = mt_test_text ("region", g, N);
  columns[1] = mt_test_levels ("y", MT_TYPE_BOOLEAN, y, N);
  table = mt_test_set_role (mt_test_table (columns, 2, 1), 0, MT_ROLE_GROUP);
  fold_of = split_folds (table, &options);
  n_first = count (fold_of + 20, 0, NULL, 0, 20);
  g_assert_cmpuint (n_first, >, 0);
  g_assert_cmpuint (n_first, <, 20);
  for (guint i = 1; i < 10; i++)
    {
      g_assert_cmpuint (fold_of[i], ==, fold_of[0]);
      g_assert_cmpuint (fold_of[10 + i], ==, fold_of[10]);
    }
}

/* Two classes only ever meet in three groups; a repair has to find the right side. */
static void
test_repair (void)
{
  for (guint64 seed = 0; seed < 50; seed++)
    {
      const char *g[] = { "1", "1", "1", "2", "2", "3", "3", "3", "4", "4", "5", "6" };
      const char *y[] = { "a", "b", "b", "a", "c", "c", "b", "d", "d", "a", "e", "e" };
      MtColumn *columns[] = { mt_test_levels ("g", MT_TYPE_CATEGORY, g, 12),
                              mt_test_levels ("y", MT_TYPE_CATEGORY, y, 12) };
      g_autoptr (MtTable) table = mt_test_set_role (mt_test_table (columns, 2, 1), 0, MT_ROLE_GROUP);
      MtSplitOptions options = { .seed = seed, .test_fraction = 0.6, .n_folds = 3, .stratify = TRUE };
      g_autofree guint8 *part = split_test (table, &options);
      g_autofree guint8 *fold_of = split_folds (table, &options);

      for (guint c = 0; c < 5; c++)
        {
          g_assert_cmpuint (count (part, 0, columns[1], c, 12), >, 0);
          for (guint f = 0; f < 3; f++)
            g_assert_cmpuint (count (fold_of, f, columns[1], c, 12), <, mt_column_get_level_count (columns[1], c));
        }
    }
}

/* --- refusals --- */

static void
assert_refused (MtTable        *table,     /* taken */
                MtSplitOptions  options,
                gboolean        folds,
                MtError         code,
                const char     *pattern)
{
  g_autoptr (MtTable) owned = table;
  g_autofree guint32 *rows = all_rows (table);
  g_autofree guint8 *fold_of = g_new (guint8, mt_table_get_n_rows (table));
  g_autoptr (GError) error = NULL;
  GArray *train = NULL, *test = NULL;

  if (folds)
    g_assert_false (mt_split_folds (table, rows, mt_table_get_n_rows (table), &options, fold_of, &error));
  else
    g_assert_false (mt_split_test (table, &options, &train, &test, &error));
  g_assert_error (error, MT_ERROR, (int) code);
  g_assert_null (train);
  g_assert_null (test);
  g_test_message ("%s", error->message);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” does not match “%s”", error->message, pattern);
}

static MtTable *
tiny_table (const char * const *y,
            const char * const *g,    /* NULL: none */
            gsize               n)
{
  g_autofree double *x = g_new (double, n);
  MtColumn *columns[3];

  for (gsize i = 0; i < n; i++)
    x[i] = (double) (i / 4);
  columns[0] = mt_test_numbers ("x", x, n);
  columns[1] = mt_test_levels ("y", MT_TYPE_CATEGORY, y, n);
  if (g == NULL)
    return mt_test_table (columns, 2, 1);
  columns[2] = mt_test_levels ("clinic", MT_TYPE_CATEGORY, g, n);
  return mt_test_set_role (mt_test_table (columns, 3, 1), 2, MT_ROLE_GROUP);
}

/* A class of one row is learned from and never held out; the others are dealt out as ever. */
static void
test_lone_class (void)
{
  const char *classes[] = { "a", "a", "a", "b", "a", "a", "c", "c", "c", "c" };
  MtTable *table = tiny_table (classes, NULL, G_N_ELEMENTS (classes));

  for (guint64 seed = 0; seed < 20; seed++)
    {
      MtSplitOptions options = { .seed = seed, .test_fraction = 0.4, .n_folds = 2, .stratify = TRUE, .spare_lone = TRUE };
      g_autofree guint8 *folds = split_folds (table, &options);
      g_autofree guint8 *part = split_test (table, &options);

      g_assert_cmpuint (folds[3], ==, MT_SPLIT_NO_FOLD);
      g_assert_cmpuint (part[3], ==, 0);
      for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
        if (i != 3)
          g_assert_cmpuint (folds[i], <, 2);
    }
  mt_table_unref (table);
}

static void
test_refusals (void)
{
  const char *one_row[] = { "a", "a", "a", "b", "a", "a" };
  const char *ab[] = { "a", "b", "a", "b", "a", "b", "a", "b" };
  const char *apart[] = { "a", "a", "a", "a", "b", "b", "b", "b" };
  const char *clinics[] = { "n", "n", "n", "n", "s", "s", "s", "s" };
  const char *cycle_y[] = { "a", "b", "b", "c", "c", "a" };
  const char *cycle_g[] = { "1", "1", "2", "2", "3", "3" };
  const char *text[] = { "p", "q", "r", "s" };
  MtSplitOptions options = { .test_fraction = 0.25, .n_folds = 5, .stratify = TRUE };
  MtColumn *columns[1];

  assert_refused (tiny_table (one_row, NULL, 6), options, FALSE, MT_ERROR_PARAMS,
                  "class “b” has one row*at least 2*: merge it with another class, or remove it");
  assert_refused (tiny_table (one_row, NULL, 6), options, TRUE, MT_ERROR_PARAMS,
                  "class “b” has one row*at least 2*: merge it with another class, or remove it");
  assert_refused (tiny_table (ab, NULL, 4), options, TRUE, MT_ERROR_PARAMS, "*5 folds needs at least 5 rows*there are 4");
  assert_refused (tiny_table (ab, clinics, 8), options, TRUE, MT_ERROR_PARAMS,
                  "*5 folds needs at least 5 groups in column “clinic”, but there are 2*");
  assert_refused (tiny_table (apart, clinics, 8), options, FALSE, MT_ERROR_PARAMS,
                  "all 4 rows of class “a” belong together (clinic)*at least 2*");

  assert_refused (tiny_table (ab, clinics, 4), options, FALSE, MT_ERROR_PARAMS,
                  "a test share of 25% needs at least 2 groups in column “clinic”, but there is 1: choose another*");

  options.keep_duplicates = TRUE;
  assert_refused (tiny_table (apart, NULL, 8), options, FALSE, MT_ERROR_PARAMS,
                  "all 4 rows of class “a” belong together (equal features)*");
  assert_refused (tiny_table (ab, NULL, 8), options, TRUE, MT_ERROR_PARAMS,
                  "*5 folds needs at least 5 distinct rows, but there are 2*");
  options.keep_duplicates = FALSE;

  options.n_folds = 2;
  assert_refused (tiny_table (cycle_y, cycle_g, 6), options, TRUE, MT_ERROR_PARAMS,
                  "with these groups, 2 folds leave no row of class “?” to train on*");
  for (guint n_folds = 0; n_folds <= 256; n_folds += n_folds == 1 ? 255 : 1)
    {
      options.n_folds = n_folds;
      assert_refused (tiny_table (ab, NULL, 8), options, TRUE, MT_ERROR_PARAMS, "*folds must be 2 to 255, not *");
    }

  options.test_fraction = 0.1;
  assert_refused (tiny_table (ab, NULL, 4), options, FALSE, MT_ERROR_PARAMS,
                  "a test share of 10% needs at least 5 rows with a known target, but there are 4");
  options.test_fraction = 0.75;   /* ⌊1.5 + ½⌋ would take both */
  assert_refused (tiny_table (ab, NULL, 2), options, FALSE, MT_ERROR_PARAMS, "a test share of 75% needs at least 3 rows*");
  options.test_fraction = 1e-30;
  assert_refused (tiny_table (ab, NULL, 8), options, FALSE, MT_ERROR_PARAMS, "a test share of 1e-28% needs at least*");
  for (guint i = 0; i < 3; i++)
    {
      options.test_fraction = i == 0 ? 0 : i == 1 ? 1 : NAN;
      assert_refused (tiny_table (ab, NULL, 8), options, FALSE, MT_ERROR_PARAMS, "the test share must be above 0*");
    }

  options.test_fraction = 0.5;
  assert_refused (mt_test_set_role (tiny_table (ab, NULL, 8), 1, MT_ROLE_IGNORED), options, FALSE, MT_ERROR_SCHEMA,
                  "a stratified split needs a target*");
  columns[0] = mt_test_text ("note", text, 4);
  assert_refused (mt_test_table (columns, 1, 0), options, FALSE, MT_ERROR_SCHEMA, "the target “note” is free text*");
}

/* --- equal rows, on which this rests --- */

static void
test_duplicates (void)
{
  const double x[] = { 1, 0, NAN, 1, -0.0, NAN, 1, 1 };
  const char *c[] = { "a", "b", NULL, "a", "b", NULL, "b", "a" };
  const char *t[] = { "long text here", "", NULL, "long text here", "", NULL, "long text here", "long text herf" };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 8), mt_test_levels ("c", MT_TYPE_CATEGORY, c, 8),
                          mt_test_text ("t", t, 8) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, -1);
  static const guint all[] = { 0, 1, 2 };
  static const guint32 rows[] = { 6, 3, 2, 0, 5 };
  static const guint32 want_all[] = { 0, 1, 2, 0, 1, 2, 6, 7 }, want_x[] = { 0, 1, 2, 0, 1, 2, 0, 0 };
  static const guint32 want_rows[] = { 0, 1, 2, 1, 2 };
  g_autofree guint32 *got_all = mt_duplicates_find (table, all, 3, NULL, 8, NULL, NULL, NULL);
  g_autofree guint32 *got_x = mt_duplicates_find (table, all, 1, NULL, 8, NULL, NULL, NULL);
  g_autofree guint32 *got_rows = mt_duplicates_find (table, all, 3, rows, 5, NULL, NULL, NULL);
  g_autofree guint32 *got_none = mt_duplicates_find (table, NULL, 0, NULL, 8, NULL, NULL, NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpmem (got_all, sizeof want_all, want_all, sizeof want_all);
  g_assert_cmpmem (got_x, sizeof want_x, want_x, sizeof want_x);
  g_assert_cmpmem (got_rows, sizeof want_rows, want_rows, sizeof want_rows);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpuint (got_none[i], ==, i);
  g_assert_false (mt_duplicates_same_cell (columns[2], 0, 1));
  g_assert_false (mt_duplicates_same_cell (columns[2], 2, 1));   /* missing is not empty */

  g_cancellable_cancel (cancelled);
  g_assert_null (mt_duplicates_find (table, all, 3, NULL, 8, NULL, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Against counting every pair, on tables dense with chance repeats. */
static void
test_duplicates_pairs (void)
{
  for (guint64 seed = 0; seed < 30; seed++)
    {
      enum { N = 120 };
      double a[N], b[N];
      static const guint both[] = { 0, 1 };
      MtColumn *columns[2];
      g_autoptr (MtTable) table = NULL;
      g_autofree guint32 *same_as = NULL;
      MtRandom random;

      mt_random_init (&random, seed);
      for (guint i = 0; i < N; i++)
        {
          a[i] = (double) mt_random_below (&random, 12);
          b[i] = (double) mt_random_below (&random, 6);
        }
      columns[0] = mt_test_numbers ("a", a, N);
      columns[1] = mt_test_numbers ("b", b, N);
      table = mt_test_table (columns, 2, -1);
      same_as = mt_duplicates_find (table, both, 2, NULL, N, NULL, NULL, NULL);
      for (guint i = 0; i < N; i++)
        {
          guint j = 0;

          while (a[j] != a[i] || b[j] != b[i])
            j++;
          g_assert_cmpuint (same_as[i], ==, j);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/split/even-folds", test_even_folds);
  g_test_add_func ("/split/fraction", test_fraction);
  g_test_add_func ("/split/class-kept", test_class_kept);
  g_test_add_func ("/split/numbers", test_numbers);
  g_test_add_func ("/split/seed", test_seed);
  g_test_add_func ("/split/unbiased", test_unbiased);
  g_test_add_func ("/split/unstratified", test_unstratified);
  g_test_add_func ("/split/together", test_together);
  g_test_add_func ("/split/apart", test_apart);
  g_test_add_func ("/split/uneven-groups", test_uneven_groups);
  g_test_add_func ("/split/group-missing", test_group_missing);
  g_test_add_func ("/split/repair", test_repair);
  g_test_add_func ("/split/lone-class", test_lone_class);
  g_test_add_func ("/split/refusals", test_refusals);
  g_test_add_func ("/split/duplicates", test_duplicates);
  g_test_add_func ("/split/duplicates-pairs", test_duplicates_pairs);
  return g_test_run ();
}
