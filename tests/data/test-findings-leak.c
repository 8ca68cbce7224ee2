/* Columns that give the target away, and honest ones that do not. */
#include "config.h"

#include <math.h>

#include <gio/gio.h>

#include "findings-tables.h"
#include "base/mt-random.h"
#include "testutils.h"

/* A column beside the target @y; returns what the leak check says of it. */
static gboolean
leaks (MtColumn   *x,
       MtColumn   *y,
       const char *pattern)
{
  MtColumn *columns[] = { x, y, number_column ("noise", noise, mt_column_get_n_rows (x)) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, 1);
  g_autoptr (GPtrArray) findings = findings_scan (table);
  const MtFinding *f = findings_find (findings, "possible-leak", 0);

  g_assert_null (findings_find (findings, "possible-leak", 2));
  if (f != NULL)
    {
      findings_assert_message (f, pattern);
      g_assert_cmpint (f->severity, ==, MT_SEVERITY_WARNING);
      g_assert_cmpint (f->fix, ==, MT_FIX_IGNORE_COLUMN);
    }
  return f != NULL;
}

typedef struct {
  double      shift, scatter;      /* x = shift × class + scatter × noise */
  double      missing[3];          /* share of missing x, by class */
  gboolean    leaks;
} NumberCase;

static void
check_number_cases (const NumberCase *cases,
                    guint             n_cases,
                    guint             n_classes,
                    const char       *pattern)
{
  static const char * const names[] = { "no", "yes", "maybe" };

  for (guint k = 0; k < n_cases; k++)
    {
      double x[N];
      const char *y[N];
      MtRandom random;

      mt_random_init (&random, k);
      for (guint i = 0; i < N; i++)
        {
          guint c = (guint) mt_random_below (&random, n_classes);

          y[i] = names[c];
          x[i] = cases[k].shift * c + cases[k].scatter * mt_random_normal (&random);
          if (mt_random_double (&random) < cases[k].missing[c])
            x[i] = NAN;
        }
      g_test_message ("case %u of %u classes", k, n_classes);
      g_assert_true (leaks (mt_test_numbers ("x", x, N), mt_test_levels ("y", MT_TYPE_CATEGORY, y, N), pattern) ==
                     cases[k].leaks);
    }
}

static void
test_leak_numbers (void)
{
  static const NumberCase two[] = {
    { 10, 1, { 0, 0 }, TRUE },           /* far apart */
    { -10, 1, { 0, 0 }, TRUE },          /* the other way round */
    { 2, 1, { 0, 0 }, FALSE },           /* AUC 0.92 */
    { 2.8, 1, { 0, 0 }, FALSE },         /* AUC 0.976 */
    { 0, 1, { 1, 0 }, TRUE },            /* only its being missing tells */
    { 0, 1, { 0, 1 }, TRUE },
    { 0, 1, { 0.5, 0.4 }, FALSE },
    { 10, 1, { 0.3, 0.3 }, FALSE },      /* known for 70 %: tells those, not the others */
  };
  static const NumberCase three_classes[] = {
    { 10, 1, { 0, 0, 0 }, TRUE },        /* the middle class lies between: bins find it */
    { 2, 1, { 0, 0, 0 }, FALSE },
    { 0, 1, { 0, 0, 0 }, FALSE },
  };

  check_number_cases (two, G_N_ELEMENTS (two), 2, "“x” alone predicts “y” almost perfectly (AUC *): if it*ignore it.");
  check_number_cases (three_classes, G_N_ELEMENTS (three_classes), 3, "“x” alone predicts “y” almost perfectly (AUC *");
}

/* A numeric code of the class, out of order, and one class of three that is known: only the
 * first knows all classes. */
static void
test_leak_codes (void)
{
  static const double codes[] = { 7, 1, 4 };
  double x[N], part[N];
  const char *y[N], *level[N], *half_true[N];
  static const char * const names[] = { "a", "b", "c" };
  MtRandom random;

  mt_random_init (&random, 12);
  for (guint i = 0; i < N; i++)
    {
      guint c = (guint) mt_random_below (&random, 3);

      y[i] = names[c];
      x[i] = codes[c];
      part[i] = c == 2 ? 9 : mt_random_normal (&random);
      level[i] = c == 0 ? "north" : c == 1 ? "south" : NULL;
      half_true[i] = mt_random_below (&random, 10) ? level[i] : "north";
    }
#define Y() mt_test_levels ("y", MT_TYPE_CATEGORY, y, N)
  g_assert_true (leaks (mt_test_numbers ("x", x, N), Y (), "*(AUC 1)*"));
  g_assert_true (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, level, N), Y (), "*(AUC 1)*"));
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, half_true, N), Y (), "*"));
  g_assert_false (leaks (mt_test_numbers ("x", part, N), Y (), "*"));
#undef Y
}

/* Levels that occur once or twice say nothing about other rows, however they correlate in sample. */
static void
test_leak_honest (void)
{
  const char *once[N], *twice[N], *y[N];
  double target[N], distinct[N];
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint i = 0; i < N; i++)
    {
      once[i] = name_of (i);
      twice[i] = name_of (i / 2);
      y[i] = coin (i, &random);
      target[i] = mt_random_normal (&random);
      distinct[i] = mt_random_double (&random);
    }
#define Y() mt_test_levels ("y", MT_TYPE_CATEGORY, y, N)
#define T() mt_test_numbers ("t", target, N)
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, once, N), Y (), "*"));
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, twice, N), Y (), "*"));
  g_assert_false (leaks (mt_test_numbers ("x", distinct, N), Y (), "*"));
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, once, N), T (), "*"));
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, twice, N), T (), "*"));
  g_assert_false (leaks (mt_test_numbers ("x", distinct, N), T (), "*"));
  g_assert_false (leaks (mt_test_text ("x", once, N), Y (), "*"));
#undef Y
#undef T
}

/* A class of a few rows is at the end of some column by chance. */
static void
test_leak_small_class (void)
{
  double x[N];
  const char *y[N];
  MtRandom random;

  mt_random_init (&random, 6);
  for (guint i = 0; i < N; i++)
    {
      x[i] = mt_random_normal (&random);
      y[i] = i < 5 ? "rare" : "usual";
      if (i < 5)
        x[i] += 100;
    }
  g_assert_false (leaks (mt_test_numbers ("x", x, N), mt_test_levels ("y", MT_TYPE_CATEGORY, y, N), "*"));
}

static void
test_leak_regression (void)
{
  double y[N], line[N], curve[N], noisy[N], sparse[N], grid[N];
  const char *level[N], *coarse[N];
  MtRandom random;

  mt_random_init (&random, 9);
  for (guint i = 0; i < N; i++)
    {
      double u = 6 * mt_random_double (&random) - 3;

      y[i] = u * u;
      line[i] = 70 - 4 * y[i] + 0.05 * mt_random_normal (&random);
      curve[i] = u;                                        /* y is its square: no line, but neighbours know */
      noisy[i] = y[i] + mt_random_normal (&random);
      sparse[i] = i % 10 == 0 ? y[i] : NAN;                /* right where known, which is seldom */
      grid[i] = floor (40 * y[i]);                         /* with many equal values */
      level[i] = name_of ((guint) floor (2 * y[i]));
      coarse[i] = y[i] > 4 ? "high" : "low";
    }
#define Y() mt_test_numbers ("y", y, N)
  g_assert_true (leaks (mt_test_numbers ("x", line, N), Y (), "“x” alone predicts “y” almost perfectly (R² 0.999*"));
  g_assert_true (leaks (mt_test_numbers ("x", curve, N), Y (), "*R²*"));
  g_assert_false (leaks (mt_test_numbers ("x", noisy, N), Y (), "*"));
  g_assert_false (leaks (mt_test_numbers ("x", sparse, N), Y (), "*"));
  g_assert_true (leaks (mt_test_numbers ("x", grid, N), Y (), "*R²*"));
  g_assert_true (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, level, N), Y (), "*R²*"));
  g_assert_false (leaks (mt_test_levels ("x", MT_TYPE_CATEGORY, coarse, N), Y (), "*"));
#undef Y
}

/* A column is asked about by its name, or because it predicts well alone; others are not. */
static void
test_known_in_time (void)
{
  static const char * const names[] = { "loanOutcome", "call_duration", "date closed", "income", "endowment", "strong" };
  static const char * const patterns[] = { "*named like an outcome*", "*named like a duration*", "*happens later*", NULL, NULL,
                                           "*alone predicts*well (AUC 0.9*" };
  MtColumn *columns[7];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  const char *y[N];
  double strong[N];
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint i = 0; i < N; i++)
    {
      gboolean yes = mt_random_below (&random, 2) == 1;

      y[i] = yes ? "yes" : "no";
      strong[i] = 2.5 * yes + mt_random_normal (&random);
    }
  for (guint c = 0; c < 5; c++)
    columns[c] = number_column (names[c], noise, N);
  columns[5] = mt_test_numbers (names[5], strong, N);
  columns[6] = mt_test_levels ("y", MT_TYPE_BOOLEAN, y, N);
  table = mt_test_table (columns, 7, 6);
  findings = findings_scan (table);
  for (guint c = 0; c < 6; c++)
    {
      const MtFinding *f = findings_find (findings, "known-in-time", (int) c);

      g_assert_true ((f != NULL) == (patterns[c] != NULL));
      if (f == NULL)
        continue;
      findings_assert_message (f, patterns[c]);
      g_assert_cmpint (f->severity, ==, MT_SEVERITY_NOTE);
      g_assert_cmpint (f->fix, ==, MT_FIX_IGNORE_COLUMN);
    }
}

/* Three columns are missing in the same rows, one nearly so. */
static void
test_missing_together (void)
{
  double values[4][N];
  MtColumn *columns[5];
  const char *y[N];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  static const char * const names[] = { "a", "b", "c", "d" };

  for (guint i = 0; i < N; i++)
    {
      gboolean missing = i % 7 == 3;

      y[i] = i * 7919 % 13 < 6 ? "yes" : "no";
      for (guint c = 0; c < 4; c++)
        values[c][i] = missing != (c == 2 && i == 10) ? NAN : (double) (i * (c + 3) % 101);
    }
  for (guint c = 0; c < 4; c++)
    columns[c] = mt_test_numbers (names[c], values[c], N);
  columns[4] = mt_test_levels ("y", MT_TYPE_BOOLEAN, y, N);
  table = mt_test_table (columns, 5, 4);
  findings = findings_scan (table);
  g_assert_nonnull (findings_find (findings, "missing-together", 0));
  findings_assert_message (findings_find (findings, "missing-together", 0), "3 columns are missing in the same*“a”, “b”, “d”.*");
  for (int c = 1; c < 4; c++)
    g_assert_null (findings_find (findings, "missing-together", c));
}

/* Treating a value as missing may leave little of a column; data that came so is not our doing. */
static void
test_mostly_missing (void)
{
  static const char * const zero[] = { "0", NULL };
  double few[N], many[N], none[N];
  const char *y[N];
  MtColumn *columns[4];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GPtrArray) findings = NULL;

  for (guint i = 0; i < N; i++)
    {
      y[i] = i * 7919 % 13 < 6 ? "yes" : "no";
      many[i] = i % 10 < 8 ? NAN : (double) (i % 101 + 1);      /* as the table has it once 0 is missing */
      few[i] = i % 10 < 2 ? NAN : (double) (i % 97 + 1);
      none[i] = i % 10 < 8 ? NAN : (double) (i % 89 + 1);
    }
  columns[0] = mt_test_numbers ("many", many, N);
  columns[1] = mt_test_numbers ("few", few, N);
  columns[2] = mt_test_numbers ("none", none, N);
  columns[3] = mt_test_levels ("y", MT_TYPE_BOOLEAN, y, N);
  mt_column_set_missing_values (columns[0], zero);
  mt_column_set_missing_values (columns[1], zero);
  table = mt_test_table (columns, 4, 3);
  findings = findings_scan (table);
  findings_assert_message (findings_find (findings, "mostly-missing", 0), "*“many” is now missing in*“0” counts as missing*");
  g_assert_cmpint (findings_find (findings, "mostly-missing", 0)->fix, ==, MT_FIX_IGNORE_COLUMN);
  g_assert_null (findings_find (findings, "mostly-missing", 1));
  g_assert_null (findings_find (findings, "mostly-missing", 2));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/findings/leak-numbers", test_leak_numbers);
  g_test_add_func ("/findings/leak-codes", test_leak_codes);
  g_test_add_func ("/findings/leak-honest", test_leak_honest);
  g_test_add_func ("/findings/leak-small-class", test_leak_small_class);
  g_test_add_func ("/findings/leak-regression", test_leak_regression);
  g_test_add_func ("/findings-leak/known-in-time", test_known_in_time);
  g_test_add_func ("/findings-leak/missing-together", test_missing_together);
  g_test_add_func ("/findings-leak/mostly-missing", test_mostly_missing);
  return g_test_run ();
}
