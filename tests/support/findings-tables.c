#include "config.h"
#include "findings-tables.h"

#include <gio/gio.h>
#include <string.h>

#include "testutils.h"

GPtrArray *
findings_scan (const MtTable *table)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *findings = mt_findings_scan (table, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (findings);
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
