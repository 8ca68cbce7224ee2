/* What is found in data, each by a table that has it and nothing else, and by tables that only look like it. */
#include "config.h"

#include <math.h>

#include <gio/gio.h>

#include "findings-tables.h"
#include "data/mt-duplicates.h"
#include "data/mt-findings.h"
#include "base/mt-random.h"
#include "testutils.h"

/* --- asking --- */

static guint
count_code (GPtrArray  *findings,
            const char *code)
{
  guint n = 0;

  for (guint i = 0; i < findings->len; i++)
    n += g_str_equal (((const MtFinding *) findings->pdata[i])->code, code);
  return n;
}

/* --- making tables of N rows --- */

static MtColumn *
level_column (const char   *name,
              MtColumnType  type,
              Level         level,
              gsize         n)
{
  g_autofree const char **cells = g_new (const char *, n);
  MtRandom random;

  mt_random_init_stream (&random, 8, g_str_hash (name));
  for (gsize i = 0; i < n; i++)
    cells[i] = level ((guint) i, &random);
  return mt_test_levels (name, type, cells, n);
}

static double fixed (guint row, MtRandom *random) { return 3.5; }
static double empty (guint row, MtRandom *random) { return NAN; }
static double fixed_or_empty (guint row, MtRandom *random) { return row % 5 ? 3.5 : NAN; }
static double row_number (guint row, MtRandom *random) { return row + 1001; }
static double backwards (guint row, MtRandom *random) { return 5000.0 - 3 * row; }
static double shuffled (guint row, MtRandom *random) { return (row * 163) % 401; }   /* 401 is prime */
static double scattered (guint row, MtRandom *random) { return (double) ((row * G_GUINT64_CONSTANT (2654435761)) % 4294967291u); }

static const char *
three (guint     row,
       MtRandom *random)
{
  static const char * const names[] = { "red", "green", "blue" };

  return names[mt_random_below (random, 3)];
}

static const char *const_level (guint row, MtRandom *random) { return "only"; }
static const char *no_level (guint row, MtRandom *random) { return NULL; }

static const char *distinct_level (guint row, MtRandom *random) { return name_of (row); }
static const char *wide_level (guint row, MtRandom *random) { return name_of (row % 150); }
static const char *thin_level (guint row, MtRandom *random) { return name_of ((guint) mt_random_below (random, 95)); }

static const char *
rare_level (guint     row,
            MtRandom *random)
{
  return row == 3 ? "one" : row == 5 || row == 6 ? "two" : row < 11 ? "four" : row < 14 ? "three" : coin (row, random);
}

/* A table of one column to judge, noise, and a coin as the target, so that only the first is odd. */
static MtTable *
odd_table (MtColumn *column)
{
  gsize n = mt_column_get_n_rows (column);
  MtColumn *columns[] = { column, number_column ("noise", noise, n),
                          level_column ("outcome", MT_TYPE_CATEGORY, coin, n) };

  return mt_test_table (columns, 3, 2);
}

/* Checks that the column raises @code with @severity and nothing else is said of the table;
 * then that ignoring it leaves a note (or nothing, where @when_ignored is FALSE). */
static void
assert_only (MtColumn   *column,
             const char *code,
             MtSeverity  severity,
             MtFix       fix,
             const char *fix_value,
             gboolean    when_ignored,
             const char *pattern)
{
  g_autoptr (MtTable) table = odd_table (column);
  g_autoptr (MtTable) ignored = mt_test_set_role (mt_table_ref (table), 0, MT_ROLE_IGNORED);
  g_autoptr (GPtrArray) findings = findings_scan (table);
  g_autoptr (GPtrArray) later = findings_scan (ignored);
  const MtFinding *f = findings_find (findings, code, 0);

  findings_assert_message (f, pattern);
  g_assert_cmpuint (findings->len, ==, 1);
  g_assert_cmpint (f->severity, ==, severity);
  g_assert_cmpint (f->fix, ==, fix);
  g_assert_cmpstr (f->fix_value, ==, fix_value);
  g_assert_cmpuint (f->line, ==, 0);
  g_assert_cmpuint (later->len, ==, when_ignored ? 1 : 0);
  if (when_ignored)
    {
      f = findings_find (later, code, 0);
      g_assert_nonnull (f);
      g_assert_cmpint (f->severity, ==, MT_SEVERITY_NOTE);
      g_assert_cmpint (f->fix, ==, MT_FIX_NONE);
      findings_assert_message (f, "*ignored*");
    }
}

static void
assert_silent (MtColumn *column)
{
  g_autoptr (MtTable) table = odd_table (column);
  g_autoptr (GPtrArray) findings = findings_scan (table);

  g_assert_cmpuint (findings->len, ==, 0);
}

/* --- one column --- */

static void
test_constant (void)
{
  const char *texts[N];

  assert_only (number_column ("x", fixed, N), "constant-column", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“x” has the same value, “3.5”, in all 400 rows*: ignore it.");
  assert_only (level_column ("x", MT_TYPE_CATEGORY, const_level, N), "constant-column", MT_SEVERITY_WARNING,
               MT_FIX_IGNORE_COLUMN, NULL, TRUE, "“x” has the same value, “only”, in all 400 rows*");
  for (guint i = 0; i < N; i++)
    texts[i] = "same";
  assert_only (mt_test_text ("x", texts, N), "constant-column", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“x” has the same value, “same”, in all 400 rows*");
  assert_only (number_column ("x", fixed_or_empty, N), "constant-column", MT_SEVERITY_NOTE, MT_FIX_IGNORE_COLUMN, NULL,
               TRUE, "“x” is always “3.5” or missing (320 of 400 rows have a value)*");
  assert_silent (number_column ("x", noise, N));
}

static void
test_all_missing (void)
{
  assert_only (number_column ("x", empty, N), "all-missing", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“x” is empty in all 400 rows: ignore it.");
  assert_only (level_column ("x", MT_TYPE_CATEGORY, no_level, N), "all-missing", MT_SEVERITY_WARNING,
               MT_FIX_IGNORE_COLUMN, NULL, TRUE, "“x” is empty in all 400 rows: *");
}

static void
test_identifier (void)
{
  static const char * const named[] = { "customer_id", "userId", "UUID", "row index", "ID" };
  static const char * const not_named[] = { "paid", "idle", "keyboard", "PaidSum" };
  const char *texts[N];

  assert_only (number_column ("x", row_number, N), "identifier", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“x” looks like an identifier (it numbers the rows of the file)*ignore it.");
  assert_only (number_column ("x", backwards, N), "identifier", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "*(it numbers the rows of the file)*");
  assert_only (number_column ("x", shuffled, N), "identifier", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "*(every row has its own number)*");
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    assert_only (number_column (named[i], scattered, N), "identifier", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL,
                 TRUE, "*(its name and its values suggest one)*");
  for (guint i = 0; i < G_N_ELEMENTS (not_named); i++)
    assert_silent (number_column (not_named[i], scattered, N));
  assert_only (level_column ("x", MT_TYPE_CATEGORY, distinct_level, N), "identifier", MT_SEVERITY_WARNING,
               MT_FIX_IGNORE_COLUMN, NULL, TRUE, "*(almost every row has its own value)*");
  for (guint i = 0; i < N; i++)
    texts[i] = i % 20 ? name_of (i) : NULL;
  assert_only (mt_test_text ("x", texts, N), "identifier", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "*(almost every row has its own value)*");
}

static double repeated_id (guint row, MtRandom *random) { return (double) (mt_random_below (random, 100) * 977); }

/* Repeats make it a code, not an identifier; and a gap in the file is not counting. */
static void
test_not_identifier (void)
{
  assert_silent (number_column ("patient_id", repeated_id, N));
  assert_silent (number_column ("x", scattered, N));
}

static void
test_levels (void)
{
  const char *texts[N];

  assert_only (level_column ("x", MT_TYPE_CATEGORY, wide_level, N), "high-cardinality", MT_SEVERITY_WARNING,
               MT_FIX_IGNORE_COLUMN, NULL, TRUE, "“x” has 150 different values in 400 rows, and*or ignore it.");
  assert_only (level_column ("x", MT_TYPE_CATEGORY, thin_level, N), "high-cardinality", MT_SEVERITY_WARNING,
               MT_FIX_IGNORE_COLUMN, NULL, TRUE, "“x” has 9? different values in 400 rows, and*");
  for (guint i = 0; i < N; i++)
    texts[i] = name_of (i / 2);
  assert_only (mt_test_text ("x", texts, N), "high-cardinality", MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“x” has 200 different values in 400 rows, and*");
  assert_only (level_column ("x", MT_TYPE_CATEGORY, rare_level, N), "rare-level", MT_SEVERITY_NOTE, MT_FIX_NONE, NULL,
               FALSE, "“x” has 3 values with fewer than 5 rows (“one” 1, “two” 2, “three” 3): too few for rules of their own*");
  assert_silent (level_column ("x", MT_TYPE_CATEGORY, three, N));
}

static const char *
many_rare (guint     row,
           MtRandom *random)
{
  return row < 10 ? name_of (row / 2) : coin (row, random);
}

static const char *one_rare (guint row, MtRandom *random) { return row % 200 == 9 ? "seldom" : coin (row, random); }
static const char *rare_of_two (guint row, MtRandom *random) { return row % 300 == 9 ? "on" : "off"; }
static const char *lone_of_two (guint row, MtRandom *random) { return row == 9 ? "on" : "off"; }

/* In a long table the floor is the encoder's: half a percent. */
static void
test_rare_levels_listed (void)
{
  assert_only (level_column ("x", MT_TYPE_CATEGORY, many_rare, N), "rare-level", MT_SEVERITY_NOTE, MT_FIX_NONE, NULL,
               FALSE, "“x” has 5 values*(“name 0” 2, “name 1” 2, “name 2” 2 and 2 more)*");
  assert_only (level_column ("x", MT_TYPE_CATEGORY, one_rare, 3001), "rare-level", MT_SEVERITY_NOTE, MT_FIX_NONE, NULL,
               FALSE, "“x” has 1 value with fewer than 16 rows (“seldom” 15): too few for a rule of its own. Merge it*");
  assert_silent (level_column ("x", MT_TYPE_BOOLEAN, rare_of_two, 3001));
  assert_only (level_column ("x", MT_TYPE_BOOLEAN, lone_of_two, 3001), "rare-level", MT_SEVERITY_NOTE, MT_FIX_NONE, NULL,
               FALSE, "“x” has 1 value with fewer than 5 rows (“on” 1)*");
}

static void
test_date (void)
{
  double days[N];

  for (guint i = 0; i < N; i++)
    days[i] = 19000 + (i * 37) % N;
  days[5] = NAN;
  assert_only (mt_column_new_numbers ("seen", MT_TYPE_DATE, g_memdup2 (days, sizeof days), N), "date-column",
               MT_SEVERITY_WARNING, MT_FIX_IGNORE_COLUMN, NULL, TRUE,
               "“seen” contains dates from 2022-01-08 to 2023-02-11*ignore it*");
}

/* --- disguised missing values --- */

static double age (guint row, MtRandom *random) { return round (45 + 12 * mt_random_normal (random)); }
static double zero_age (guint row, MtRandom *random) { return row % 10 == 0 ? 0 : fmax (20, age (row, random)); }
static double minus_age (guint row, MtRandom *random) { return row % 20 == 0 ? -1 : fmax (20, age (row, random)); }
static double nines_age (guint row, MtRandom *random) { return row % 20 == 0 ? 999 : fmax (20, age (row, random)); }
static double low_nines (guint row, MtRandom *random) { return row % 9 == 0 ? -9999 : noise (row, random); }
static double one_zero (guint row, MtRandom *random) { return row == 17 ? 0 : 130 + floor (7 * mt_random_normal (random)); }
static double one_near_zero (guint row, MtRandom *random) { return row == 17 ? 0 : fmax (20, age (row, random)); }
static double visits_unknown (guint row, MtRandom *random) { return row % 4 == 0 ? -1 : (double) mt_random_below (random, 14); }

/* And what is none. */
static double count_zero (guint row, MtRandom *random) { return floor (fabs (3 * mt_random_normal (random))); }
static double mostly_zero (guint row, MtRandom *random) { return row % 3 ? 0 : fmax (900, 2000 + 300 * noise (row, random)); }
static double thin_tail (guint row, MtRandom *random) { return row % 6 ? -40 * log (1 - mt_random_double (random)) : 0; }
static double signed_values (guint row, MtRandom *random) { return row % 6 ? 5 * noise (row, random) : 0; }
static double steps (guint row, MtRandom *random) { return 30.0 * (double) mt_random_below (random, 20); }
static double few_values (guint row, MtRandom *random) { return row % 4 == 0 ? 0 : 60 + (double) mt_random_below (random, 4); }
static double warm_days (guint row, MtRandom *random) { return row < 4 ? -1 : row < 10 ? 0 : (double) mt_random_below (random, 25); }
static double below_zero (guint row, MtRandom *random) { return row % 9 == 0 ? -1 : row % 9 == 1 ? -3 : 4 + fabs (noise (row, random)); }

static void
assert_disguise (Number      number,
                 const char *token,
                 const char *pattern)
{
  assert_only (number_column ("x", number, N), "disguised-missing",
               number == one_zero ? MT_SEVERITY_NOTE : MT_SEVERITY_WARNING, MT_FIX_TREAT_AS_MISSING, token, FALSE,
               pattern);
}

static void
test_disguised (void)
{
  assert_disguise (zero_age, "0", "“x” is 0 in 40 rows (10%) and otherwise at least 2?: if 0 stands for unknown*");
  assert_disguise (minus_age, "-1", "“x” is -1 in 20 rows (5.0%) and otherwise at least 2?: if -1 stands*");
  assert_disguise (nines_age, "999", "“x” is 999 in 20 rows (5.0%) and otherwise at most ??: if 999 stands*");
  assert_disguise (low_nines, "-9999", "“x” is -9999 in 45 rows (11%) and otherwise at least -*");
  assert_disguise (one_zero, "0", "“x” is 0 in 1 row (0.25%) and otherwise at least 1??:*");
  assert_disguise (visits_unknown, "-1", "“x” is -1 in 100 rows (25%) and otherwise at least 0:*");
}

static void
test_not_disguised (void)
{
  assert_silent (number_column ("x", count_zero, N));
  assert_silent (number_column ("x", mostly_zero, N));
  assert_silent (number_column ("x", thin_tail, N));
  assert_silent (number_column ("x", signed_values, N));
  assert_silent (number_column ("x", steps, N));
  assert_silent (number_column ("x", few_values, N));
  assert_silent (number_column ("x", warm_days, N));
  assert_silent (number_column ("x", below_zero, N));
  assert_silent (number_column ("x", one_near_zero, N));
  assert_silent (number_column ("x", age, N));
}

/* --- duplicates --- */

static void
test_twin_columns (void)
{
  const char *c[N], *recoded[N], *text[N];
  double x[N], y[N], z[N], wide[N];
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint i = 0; i < N; i++)
    {
      c[i] = i % 7 == 0 ? NULL : coin (i, &random);
      recoded[i] = c[i] == NULL ? "unknown" : g_str_equal (c[i], "heads") ? "1" : "0";
      x[i] = y[i] = i % 50 == 0 ? NAN : noise (i, &random);
      z[i] = recoded[i][0];
      wide[i] = x[i] + (i == 77);
      text[i] = name_of (i % 90);
    }
  {
    MtColumn *columns[] = {
      mt_test_numbers ("x", x, N), mt_test_levels ("c", MT_TYPE_CATEGORY, c, N), mt_test_numbers ("y", y, N),
      mt_test_levels ("recoded", MT_TYPE_CATEGORY, recoded, N), mt_test_levels ("same", MT_TYPE_CATEGORY, c, N),
      mt_test_numbers ("z", z, N), mt_test_numbers ("wide", wide, N), mt_test_text ("t", text, N),
      mt_test_text ("u", text, N),
    };
    g_autoptr (MtTable) table = mt_test_table (columns, G_N_ELEMENTS (columns), -1);
    g_autoptr (MtTable) ignored = mt_test_set_role (mt_table_ref (table), 0, MT_ROLE_IGNORED);
    g_autoptr (GPtrArray) findings = findings_scan (table);
    g_autoptr (GPtrArray) later = findings_scan (ignored);
    const MtFinding *f = findings_find (findings, "duplicate-column", 2);

    findings_assert_message (f, "“y” is equal to “x” in all 400 rows: ignore one of them.");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_WARNING);
    g_assert_cmpint (f->fix, ==, MT_FIX_IGNORE_COLUMN);
    findings_assert_message (findings_find (findings, "duplicate-column", 4), "“same” is equal to “c”*");
    findings_assert_message (findings_find (findings, "duplicate-column", 8), "“u” is equal to “t”*");
    f = findings_find (findings, "duplicate-column", 3);
    findings_assert_message (f, "“recoded” and “c” carry the same information*all 400 rows*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_NOTE);
    findings_assert_message (findings_find (findings, "duplicate-column", 5), "“z” and “c” carry the same information*");
    g_assert_cmpuint (count_code (findings, "duplicate-column"), ==, 5);
    g_assert_null (findings_find (later, "duplicate-column", 2));
  }
}

static void
test_duplicate_rows (void)
{
  double x[N], y[N];
  const char *t[N];

  for (guint i = 0; i < N; i++)
    {
      x[i] = i < 380 ? i * 0.5 : (i - 380) * 0.5;     /* the last 20 repeat the first 20 */
      y[i] = i < 380 ? i : i - 380 + (i >= 390);      /* the last 10 with another target */
      t[i] = i % 2 ? "yes" : "no";
    }
  t[385] = "no";                                      /* differs from row 5 */
  t[386] = NULL;
  {
    MtColumn *columns[] = { mt_test_numbers ("x", x, N), mt_test_levels ("t", MT_TYPE_BOOLEAN, t, N) };
    g_autoptr (MtTable) table = mt_test_table (columns, 2, 1);
    g_autoptr (GPtrArray) findings = findings_scan (table);
    const MtFinding *f = findings_find (findings, "duplicate-rows", -1);

    findings_assert_message (f, "18 of 400 rows (4.5%) repeat an earlier row in every feature and the target:*");
    g_assert_cmpuint (f->n_rows, ==, 18);
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_WARNING);
    f = findings_find (findings, "conflicting-duplicates", 1);
    findings_assert_message (f, "2 rows are equal in every feature but differ in “t”, so no model can be right on more than 99.7*");
    g_assert_cmpuint (f->n_rows, ==, 2);
  }
  {
    MtColumn *columns[] = { mt_test_numbers ("x", x, N), mt_test_numbers ("y", y, N) };
    g_autoptr (MtTable) table = mt_test_table (columns, 2, 1);
    g_autoptr (GPtrArray) findings = findings_scan (table);

    findings_assert_message (findings_find (findings, "duplicate-rows", -1), "10 of 400 rows (2.5%) repeat*");
    g_assert_cmpuint (count_code (findings, "conflicting-duplicates"), ==, 0);
  }
  {
    MtColumn *columns[] = { mt_test_numbers ("x", x, 382) };
    g_autoptr (MtTable) table = mt_test_table (columns, 1, -1);
    g_autoptr (GPtrArray) findings = findings_scan (table);
    const MtFinding *f = findings_find (findings, "duplicate-rows", -1);

    findings_assert_message (f, "2 of 382 rows (0.52%) repeat an earlier row in every feature:*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_NOTE);
  }
}

/* The bound on accuracy is that of the best guess for each set of equal rows, counted here by hand. */
static void
test_conflicts_counted (void)
{
  double x[] = { 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
  const char *t[] = { "a", "b", "a", "c", "a", "a", "b", "c", "b", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b",
                      "c", "a" };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 22), mt_test_levels ("t", MT_TYPE_CATEGORY, t, 22) };
  g_autoptr (MtTable) table = mt_test_table (columns, 2, 1);
  g_autoptr (GPtrArray) findings = findings_scan (table);

  /* Rows 1-4 lose two, rows 7-9 lose one: 19 of 22 = 86.36%. */
  findings_assert_message (findings_find (findings, "conflicting-duplicates", 1), "7 rows are*more than 86.3% of*");
}

/* --- the target --- */

static double constant_target (guint row, MtRandom *random) { return row % 9 ? 2 : NAN; }
static const char *one_class (guint row, MtRandom *random) { return row % 4 ? "yes" : NULL; }
static const char *seldom (guint row, MtRandom *random) { return row % 40 == 0 ? "fraud" : "fine"; }

static GPtrArray *
scan_target (MtColumn *target)
{
  gsize n = mt_column_get_n_rows (target);
  MtColumn *columns[] = { number_column ("noise", noise, n), target };
  g_autoptr (MtTable) table = mt_test_table (columns, 2, 1);

  return findings_scan (table);
}

static void
test_target (void)
{
  const char *texts[N];

  {
    g_autoptr (GPtrArray) findings = scan_target (level_column ("y", MT_TYPE_BOOLEAN, one_class, N));
    const MtFinding *f = findings_find (findings, "one-class-target", 1);

    findings_assert_message (f, "The target “y” is “yes” in all 300 rows that have a value*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_ERROR);
    g_assert_true (findings->pdata[0] == f);
    findings_assert_message (findings_find (findings, "missing-target", 1), "100 of 400 rows (25%) have no value for the target “y”*");
    g_assert_cmpuint (findings->len, ==, 2);
  }
  {
    g_autoptr (GPtrArray) findings = scan_target (number_column ("y", constant_target, N));

    findings_assert_message (findings_find (findings, "one-class-target", 1), "The target “y” is “2” in all 355 rows*");
    g_assert_cmpuint (count_code (findings, "missing-target"), ==, 1);
  }
  {
    g_autoptr (GPtrArray) findings = scan_target (number_column ("y", empty, N));
    const MtFinding *f = findings_find (findings, "all-missing", 1);

    findings_assert_message (f, "The target “y” is empty in all 400 rows*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_ERROR);
    g_assert_cmpuint (findings->len, ==, 1);
  }
  {
    g_autoptr (GPtrArray) findings = scan_target (level_column ("y", MT_TYPE_CATEGORY, seldom, N));
    const MtFinding *f = findings_find (findings, "imbalance", 1);

    findings_assert_message (f, "Class “fraud” of “y” has 10 rows (2.5%) and “fine” has 390: compare models by AUC*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_WARNING);
    g_assert_cmpuint (f->n_rows, ==, 10);
    g_assert_cmpuint (findings->len, ==, 1);
  }
  {
    g_autoptr (GPtrArray) findings = scan_target (level_column ("y", MT_TYPE_CATEGORY, distinct_level, N));
    const MtFinding *f = findings_find (findings, "identifier", 1);

    findings_assert_message (f, "The target “y” has 400 different values in 400 rows*choose another*");
    g_assert_cmpint (f->severity, ==, MT_SEVERITY_ERROR);
  }
  for (guint i = 0; i < N; i++)
    texts[i] = name_of (i);
  {
    g_autoptr (GPtrArray) findings = scan_target (mt_test_text ("y", texts, N));
    const MtFinding *f = findings_find (findings, "identifier", 1);

    findings_assert_message (f, "The target “y” is free text*");
    g_assert_cmpint (f->fix, ==, MT_FIX_SET_TYPE);
    g_assert_cmpstr (f->fix_value, ==, "category");
  }
  {
    g_autoptr (GPtrArray) findings = scan_target (level_column ("y", MT_TYPE_CATEGORY, three, 60));

    findings_assert_message (findings_find (findings, "too-few-rows", -1), "Only 60 rows have a target*");
    g_assert_cmpuint (findings->len, ==, 1);
  }
}

static void
test_no_features (void)
{
  MtColumn *columns[] = { number_column ("x", fixed, N), number_column ("e", empty, N),
                          level_column ("y", MT_TYPE_CATEGORY, three, N) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, 2);
  g_autoptr (GPtrArray) findings = findings_scan (table);
  const MtFinding *f = findings_find (findings, "no-features", -1);

  findings_assert_message (f, "No column is available to predict “y”*");
  g_assert_cmpint (f->severity, ==, MT_SEVERITY_ERROR);
}

/* Too little to judge: no claim but the plainest. */
static void
test_tiny (void)
{
  double x[] = { 1, 2 }, nothing[] = { NAN, NAN };
  const char *y[] = { "a", "b" };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 2), mt_test_levels ("y", MT_TYPE_CATEGORY, y, 2),
                          mt_test_numbers ("nothing", nothing, 2) };
  g_autoptr (MtTable) table = mt_test_table (columns, 3, 1);
  g_autoptr (GPtrArray) findings = findings_scan (table);
  MtColumn *no_rows[] = { mt_test_numbers ("x", x, 0) };
  g_autoptr (MtTable) void_table = mt_test_table (no_rows, 1, 0);
  g_autoptr (GPtrArray) void_findings = findings_scan (void_table);
  g_autoptr (MtTable) no_columns = mt_table_new (NULL, 0);
  g_autoptr (GPtrArray) none = findings_scan (no_columns);

  MtColumn *lone[] = { mt_test_numbers ("x", x, 1), mt_test_levels ("y", MT_TYPE_CATEGORY, y, 1) };
  g_autoptr (MtTable) one_row = mt_test_table (lone, 2, 1);
  g_autoptr (GPtrArray) lone_findings = findings_scan (one_row);

  findings_assert_message (findings_find (lone_findings, "one-class-target", 1), "Only one row has a value (“a”) in the target “y”*");
  g_assert_nonnull (findings_find (findings, "too-few-rows", -1));
  g_assert_nonnull (findings_find (findings, "all-missing", 2));
  g_assert_cmpuint (findings->len, ==, 2);
  findings_assert_message (findings_find (void_findings, "too-few-rows", -1), "The table has no rows*");
  g_assert_cmpint (findings_find (void_findings, "too-few-rows", -1)->severity, ==, MT_SEVERITY_ERROR);
  g_assert_cmpuint (none->len, ==, 1);
}

/* A group column is for splitting, and is left alone. */
static void
test_group (void)
{
  g_autoptr (MtTable) table = mt_test_set_role (odd_table (number_column ("x", row_number, N)), 0, MT_ROLE_GROUP);
  g_autoptr (GPtrArray) findings = findings_scan (table);

  g_assert_cmpuint (findings->len, ==, 0);
}

/* --- the page --- */

/* The quoted words of @pattern's first group in @text. */
static void
collect (GHashTable *codes,
         const char *text,
         const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    g_hash_table_add (codes, g_match_info_fetch (match, 1));
}

/* A code is a word with a dash in quotes, in the files that make findings. */
static void
test_documented (void)
{
  static const char * const sources[] = {
    "import/mt-import-findings.c", "import/mt-import-roles.c", "data/mt-findings.c", "data/mt-findings-disguise.c",
    "data/mt-findings-duplicates.c", "data/mt-findings-leak.c", "data/mt-findings-known.c",
  };
  g_autoptr (GHashTable) made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) documented = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *page = g_test_build_filename (G_TEST_DIST, "..", "docs", "findings.md", NULL);
  g_autofree char *text = NULL;
  GHashTableIter iter;
  gpointer code;

  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  collect (documented, text, "\n\\| `([a-z-]+)` \\|");
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "src", "core", sources[i], NULL);
      g_autofree char *source = NULL;

      g_assert_true (g_file_get_contents (path, &source, NULL, NULL));
      collect (made, source, "\"([a-z]+(?:-[a-z]+)+|identifier|imbalance)\"");
    }
  g_assert_cmpuint (g_hash_table_size (made), >=, 30);
  g_hash_table_iter_init (&iter, made);
  while (g_hash_table_iter_next (&iter, &code, NULL))
    if (!g_hash_table_contains (documented, code))
      g_error ("docs/findings.md does not know %s", (char *) code);
  g_hash_table_iter_init (&iter, documented);
  while (g_hash_table_iter_next (&iter, &code, NULL))
    if (!g_hash_table_contains (made, code))
      g_error ("docs/findings.md describes %s, which nothing raises", (char *) code);
}

/* --- the whole --- */

static gpointer
cancel_soon (gpointer data)
{
  for (guint spin = 0; spin < 100; spin++)
    g_thread_yield ();
  g_cancellable_cancel (data);
  return NULL;
}

/* Whenever the cancel comes, the answer is either whole or none. The table is long enough
 * for the sample of the leak check to be one. */
static void
test_cancelled_anywhere (void)
{
  enum { LONG = 40000 };
  MtColumn *columns[] = {
    number_column ("a", noise, LONG), number_column ("b", zero_age, LONG), level_column ("c", MT_TYPE_CATEGORY, three, LONG),
    level_column ("d", MT_TYPE_CATEGORY, three, LONG), number_column ("same", noise, LONG),
    level_column ("y", MT_TYPE_CATEGORY, coin, LONG),
  };
  g_autoptr (MtTable) table = mt_test_table (columns, G_N_ELEMENTS (columns), 5);
  g_autoptr (GPtrArray) whole = findings_scan (table);
  guint n_cancelled = 0;

  findings_assert_message (findings_find (whole, "disguised-missing", 1), "“b” is 0 in 4000 rows (10%)*");
  g_assert_null (findings_find (whole, "possible-leak", 0));
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
      g_autoptr (GPtrArray) findings = NULL;

      g_usleep (i % 20 * 10);
      findings = mt_findings_scan (table, cancellable, &error);
      if (findings == NULL)
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          n_cancelled++;
        }
      else
        g_assert_cmpuint (findings->len, ==, whole->len);
      g_thread_join (thread);
    }
  g_test_message ("%u of 60 were cancelled", n_cancelled);
}

/* The same table gives the same list, and a cancelled scan gives none. */
static void
test_repeatable (void)
{
  g_autoptr (MtTable) table = odd_table (number_column ("x", zero_age, N));
  g_autoptr (GPtrArray) first = findings_scan (table);
  g_autoptr (GPtrArray) again = findings_scan (table);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (first->len, ==, again->len);
  for (guint i = 0; i < first->len; i++)
    g_assert_cmpstr (((MtFinding *) first->pdata[i])->message, ==, ((MtFinding *) again->pdata[i])->message);
  g_cancellable_cancel (cancelled);
  g_assert_null (mt_findings_scan (table, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static MtSaid
said (const char *text)
{
  return (MtSaid) { g_strdup (text), NULL };
}

static void
test_merge (void)
{
  g_autoptr (GPtrArray) a = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  g_autoptr (GPtrArray) b = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  g_autoptr (GPtrArray) merged = NULL;
  g_autoptr (GPtrArray) none = mt_findings_merge (NULL, NULL);

  g_ptr_array_add (a, mt_finding_new ("date-column", MT_SEVERITY_NOTE, 1, "d", 0, said ("first")));
  g_ptr_array_add (a, mt_finding_new ("ragged-short", MT_SEVERITY_WARNING, -1, NULL, 7, said ("line 7")));
  g_ptr_array_add (a, mt_finding_new ("ragged-short", MT_SEVERITY_WARNING, -1, NULL, 9, said ("line 9")));
  g_ptr_array_add (b, mt_finding_new ("one-class-target", MT_SEVERITY_ERROR, 2, "y", 0, said ("third")));
  g_ptr_array_add (b, mt_finding_new ("date-column", MT_SEVERITY_WARNING, 1, "d", 0, said ("said already")));
  g_ptr_array_add (b, mt_finding_new ("date-column", MT_SEVERITY_NOTE, 0, "e", 0, said ("another column")));
  merged = mt_findings_merge (a, b);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (merged->len, ==, 5);
  g_assert_cmpstr (((MtFinding *) merged->pdata[0])->message, ==, "third");
  g_assert_cmpstr (((MtFinding *) merged->pdata[1])->message, ==, "line 7");
  g_assert_cmpstr (((MtFinding *) merged->pdata[2])->message, ==, "line 9");
  g_assert_cmpstr (((MtFinding *) merged->pdata[3])->message, ==, "another column");
  g_assert_cmpstr (((MtFinding *) merged->pdata[4])->message, ==, "first");
}

static void
test_count_distinct (void)
{
  double x[] = { 1, 2, NAN, 2, 0, -0.0 };
  const char *t[] = { "a", "", NULL, "a", "b", "c" };
  g_autoptr (MtColumn) numbers = mt_test_numbers ("x", x, 6);
  g_autoptr (MtColumn) levels = mt_test_levels ("l", MT_TYPE_CATEGORY, t, 6);
  g_autoptr (MtColumn) text = mt_test_text ("t", t, 6);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (mt_duplicates_count_distinct (numbers, NULL, NULL), ==, 3);
  g_assert_cmpuint (mt_duplicates_count_distinct (levels, NULL, NULL), ==, 4);
  g_assert_cmpuint (mt_duplicates_count_distinct (text, NULL, NULL), ==, 4);
  g_cancellable_cancel (cancelled);
  g_assert_cmpuint (mt_duplicates_count_distinct (text, cancelled, &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/findings/constant", test_constant);
  g_test_add_func ("/findings/all-missing", test_all_missing);
  g_test_add_func ("/findings/identifier", test_identifier);
  g_test_add_func ("/findings/not-identifier", test_not_identifier);
  g_test_add_func ("/findings/levels", test_levels);
  g_test_add_func ("/findings/rare-levels-listed", test_rare_levels_listed);
  g_test_add_func ("/findings/date", test_date);
  g_test_add_func ("/findings/disguised", test_disguised);
  g_test_add_func ("/findings/not-disguised", test_not_disguised);
  g_test_add_func ("/findings/twin-columns", test_twin_columns);
  g_test_add_func ("/findings/duplicate-rows", test_duplicate_rows);
  g_test_add_func ("/findings/conflicts-counted", test_conflicts_counted);
  g_test_add_func ("/findings/target", test_target);
  g_test_add_func ("/findings/no-features", test_no_features);
  g_test_add_func ("/findings/tiny", test_tiny);
  g_test_add_func ("/findings/group", test_group);
  g_test_add_func ("/findings/documented", test_documented);
  g_test_add_func ("/findings/cancelled-anywhere", test_cancelled_anywhere);
  g_test_add_func ("/findings/repeatable", test_repeatable);
  g_test_add_func ("/findings/merge", test_merge);
  g_test_add_func ("/findings/count-distinct", test_count_distinct);
  return g_test_run ();
}
