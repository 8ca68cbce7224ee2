#include "config.h"
#include "findings-tables.h"

#include <gio/gio.h>
#include <string.h>

#include "data/mt-duplicates.h"
#include "testutils.h"

static void
note_progress (double   done,
               gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (done, >, 0);
  g_assert_cmpfloat (done, <=, 1);
  *last = done;
}

/* On three threads, with the different values counted before, the same is found. */
static void
check_threads (const MtTable *table,
               GPtrArray     *expected)
{
  guint n_columns = mt_table_get_n_columns (table);
  g_autoptr (MtPool) pool = mt_pool_new (3);
  g_autofree gsize *n_distinct = g_new0 (gsize, n_columns + 1);
  double last = 0;
  const MtFindingsOptions options = { pool, n_distinct, note_progress, &last };
  g_autoptr (GPtrArray) findings = NULL;

  for (guint c = 0; c < n_columns; c++)
    n_distinct[c] = mt_duplicates_count_distinct (mt_table_get_column (table, c), NULL, NULL);
  findings = mt_findings_scan_with (table, &options, NULL, NULL);
  g_assert_nonnull (findings);
  g_assert_cmpuint (findings->len, ==, expected->len);
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *a = findings->pdata[i], *b = expected->pdata[i];

      g_assert_cmpstr (a->code, ==, b->code);
      g_assert_cmpint (a->column, ==, b->column);
      g_assert_cmpstr (a->message, ==, b->message);
    }
}

GPtrArray *
findings_scan (const MtTable *table)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *findings = mt_findings_scan (table, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (findings);
  check_threads (table, findings);
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *f = findings->pdata[i];

      g_test_message ("%s %s: %s", mt_severity_to_string (f->severity), f->code, f->message);
      g_assert_true (g_str_has_suffix (f->message, "."));
      g_assert_null (strchr (f->message, '\n'));
      g_assert_true (g_utf8_validate (f->message, -1, NULL));
      g_assert_true ((f->column < 0) == (f->column_name == NULL));
      if (f->column >= 0)
        g_assert_cmpstr (f->column_name, ==, mt_column_get_name (mt_table_get_column (table, (guint) f->column)));
      if (i > 0)
        {
          const MtFinding *before = findings->pdata[i - 1];

          g_assert_true (before->severity > f->severity ||
                         (before->severity == f->severity && before->column <= f->column));
        }
    }
  return findings;
}

const MtFinding *
findings_find (GPtrArray  *findings,
               const char *code,
               int         column)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *f = findings->pdata[i];

      if (g_str_equal (f->code, code) && f->column == column)
        return f;
    }
  return NULL;
}

void
findings_assert_message (const MtFinding *finding,
                         const char      *pattern)
{
  g_assert_nonnull (finding);
  if (!g_pattern_match_simple (pattern, finding->message))
    g_error ("“%s” does not match “%s”", finding->message, pattern);
}

MtColumn *
number_column (const char *name,
               Number      number,
               gsize       n)
{
  g_autofree double *values = g_new (double, n);
  MtRandom random;

  mt_random_init_stream (&random, 7, g_str_hash (name));
  for (gsize i = 0; i < n; i++)
    values[i] = number ((guint) i, &random);
  return mt_test_numbers (name, values, n);
}

double
noise (guint     row,
       MtRandom *random)
{
  return mt_random_normal (random);
}

const char *
coin (guint     row,
      MtRandom *random)
{
  return mt_random_below (random, 2) ? "heads" : "tails";
}

const char *
name_of (guint i)
{
  g_autofree char *name = g_strdup_printf ("name %u", i);

  return g_intern_string (name);
}
