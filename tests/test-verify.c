/* Exports in real engines. By default those that ./check installs; with -m slow all of them, on the
 * same models. And engines that lie, fail or hang, which must be noticed. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "hostile-models.h"
#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

static const char * const quick[] = { "json", "sqlite3", "python3", "gcc", "node", NULL };
static const char * const slow[] = { "R", "postgresql", "postgresql-ansi", "mariadb", "weka", "libreoffice", NULL };
static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* Every engine that is asked for must be there and agree on all rows. */
static void
assert_agrees (MtModel            *model,
               const MtTable      *data,
               const char * const *engines)
{
  g_autoptr (GError) error = NULL;
  MtVerifyOptions options = { .engines = engines };
  g_autoptr (MtVerifyReport) report = mt_verify (model, data, &options, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->n_checks, ==, g_strv_length ((char **) engines));
  for (guint i = 0; i < report->n_checks; i++)
    {
      const MtVerifyCheck *check = &report->checks[i];

      if (check->status != MT_VERIFY_AGREES)
        g_error ("%s: %s, %s; difference %g, %zu of %zu decisions", check->engine,
                 mt_verify_status_to_string (check->status), check->message != NULL ? check->message : "",
                 check->max_diff, check->n_decisions_differ, check->n_rows);
      g_test_message ("%s: %zu rows, %zu left out, difference %g", check->engine, check->n_rows, check->n_left_out,
                      check->max_diff);
      g_assert_cmpuint (check->n_rows + check->n_left_out, ==, report->n_rows);
      g_assert_cmpuint (check->n_rows, >, 50);
      g_assert_cmpfloat (check->max_diff, <=, MT_VERIFY_TOLERANCE);
    }
}

static const char * const *
engines_now (void)
{
  return g_test_slow () ? slow : quick;
}

static void
test_samples (gconstpointer data)
{
  MtTask task = *(const MtTask *) data;
  g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (task, table, 12, 2);

  assert_agrees (model, NULL, engines_now ());
}

static void
test_hostile (gconstpointer data)
{
  g_autoptr (MtModel) model = mt_test_hostile_model (*(const MtTask *) data, FALSE);
  static const char * const rest[] = { "R", "weka", "libreoffice", NULL };

  assert_agrees (model, NULL, g_test_slow () ? rest : quick);
}

static void
test_gentle (gconstpointer data)
{
  g_autoptr (MtModel) model = mt_test_hostile_model (*(const MtTask *) data, TRUE);
  static const char * const servers[] = { "postgresql", "postgresql-ansi", "mariadb", NULL };

  assert_agrees (model, NULL, g_test_slow () ? servers : quick);
}

/* No column at all: the answer is the same for every row. */
static void
test_intercept (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 1);
  g_autoptr (MtModel) full = mt_test_sample_model (MT_TASK_BINARY, table, 1, 2);
  g_autoptr (GError) error = NULL;
  const double bias = 0.25;
  g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, NULL, 0, &error);
  g_autoptr (MtModel) model = mt_model_new ((MtEncoder *) mt_model_get_encoder (full), rules,
                                            mt_model_get_info (full), &error);

  g_assert_no_error (error);
  assert_agrees (model, table, quick);
}

/* --- engines that cannot be trusted --- */

/* A folder with a program called python3 that does what @script says, first on the PATH. */
static char *
fake_python (const char *script)
{
  char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "python3", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n%s\n", script);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  return folder;
}

static MtVerifyReport *
verify_with (const char    *script,
             guint          seconds,
             GCancellable  *cancellable,
             GError       **error)
{
  static const char * const engines[] = { "python", NULL };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 4, 2);
  g_autofree char *folder = fake_python (script);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strdup_printf ("%s:%s", folder, before);
  MtVerifyOptions options = { .engines = engines, .seconds = seconds };
  MtVerifyReport *report;

  g_setenv ("PATH", path, TRUE);
  report = mt_verify (model, NULL, &options, cancellable, error);
  g_setenv ("PATH", before, TRUE);
  mt_test_remove_folder (folder);
  return report;
}

#define REAL "if [ \"$1\" = --version ]; then echo fake 1; exit; fi\nPATH=${PATH#*:} "

static void
test_liar (void)
{
  g_autoptr (GError) error = NULL;
  /* One digit of one probability; one decision; one row too few. */
  g_autoptr (MtVerifyReport) number = verify_with (REAL "python3 \"$@\" | sed '7s/0\\.\\([0-9]\\{6\\}\\)[0-9]/0.\\1x/;7s/x/55/'",
                                                   0, NULL, &error);
  g_autoptr (MtVerifyReport) decision = verify_with (REAL "python3 \"$@\" | sed '9s/^yes/maybe/;9s/^no/yes/;9s/^maybe/no/'",
                                                     0, NULL, &error);
  g_autoptr (MtVerifyReport) row = verify_with (REAL "python3 \"$@\" | sed '9d'", 0, NULL, &error);
  g_autoptr (MtVerifyReport) honest = verify_with (REAL "python3 \"$@\"", 0, NULL, &error);
  g_autofree char *claim = mt_verify_report_dup_claim (honest, MT_EXPORT_PYTHON);
  g_autofree char *no_claim = mt_verify_report_dup_claim (number, MT_EXPORT_PYTHON);
  g_autofree char *other = mt_verify_report_dup_claim (honest, MT_EXPORT_DMN);

  g_assert_no_error (error);
  g_assert_cmpint (number->checks[0].status, ==, MT_VERIFY_DIFFERS);
  g_assert_cmpfloat (number->checks[0].max_diff, >, 1e-9);
  g_assert_cmpuint (number->checks[0].n_decisions_differ, ==, 0);
  g_assert_cmpint (decision->checks[0].status, ==, MT_VERIFY_DIFFERS);
  g_assert_cmpuint (decision->checks[0].n_decisions_differ, ==, 1);
  g_assert_cmpint (row->checks[0].status, ==, MT_VERIFY_FAILED);
  g_assert_nonnull (strstr (row->checks[0].message, "rows of 3 columns instead of"));
  g_assert_cmpint (honest->checks[0].status, ==, MT_VERIFY_AGREES);
  g_assert_cmpstr (honest->checks[0].version, ==, "fake 1");
  g_assert_true (mt_verify_report_agrees (honest));
  g_assert_false (mt_verify_report_agrees (number) || mt_verify_report_agrees (decision) ||
                  mt_verify_report_agrees (row));
  g_assert_cmpstr (claim, ==, "verified with python3");
  g_assert_cmpstr (no_claim, ==, "not engine-verified");
  g_assert_cmpstr (other, ==, "not engine-verified");
}

static void
test_failures (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtVerifyReport) fails = verify_with ("echo no such module >&2; exit 3", 0, NULL, &error);
  g_autoptr (MtVerifyReport) babbles = verify_with ("printf '\"open'", 0, NULL, &error);
  /* It starts another program, which must end as well. */
  g_autoptr (MtVerifyReport) hangs = verify_with ("sleep 600 & sleep 600", 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (fails->checks[0].status, ==, MT_VERIFY_FAILED);
  g_assert_cmpstr (fails->checks[0].message, ==, "python3 failed: no such module");
  g_assert_cmpint (babbles->checks[0].status, ==, MT_VERIFY_FAILED);
  g_assert_true (g_str_has_prefix (babbles->checks[0].message, "its answers cannot be read: "));
  g_assert_cmpint (hangs->checks[0].status, ==, MT_VERIFY_FAILED);
  g_assert_cmpstr (hangs->checks[0].message, ==, "python3 did not end in time");
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (G_USEC_PER_SEC / 5);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GThread) thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtVerifyReport) report = verify_with ("sleep 600", 0, cancellable, &error);

  g_assert_null (report);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (g_steal_pointer (&thread));
}

static void
test_not_found (void)
{
  static const char * const engines[] = { "sqlite", "R", NULL };
  static const char * const wrong[] = { "abacus", NULL };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_REGRESSION, 300, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_REGRESSION, table, 2, 2);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  MtVerifyOptions options = { .engines = engines };
  g_autoptr (MtVerifyReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  g_setenv ("PATH", "/nowhere", TRUE);
  report = mt_verify (model, NULL, &options, NULL, &error);
  g_setenv ("PATH", before, TRUE);
  g_assert_no_error (error);
  g_assert_cmpuint (report->n_checks, ==, 2);
  g_assert_cmpint (report->checks[0].status, ==, MT_VERIFY_NOT_FOUND);
  g_assert_cmpstr (report->checks[1].message, ==, "Rscript is not installed");
  g_assert_true (mt_verify_report_agrees (report));   /* nothing disagrees, and nothing is claimed */
  json = mt_verify_report_to_json (report, NULL);
  g_assert_nonnull (strstr (json, "\"status\": \"not-found\""));
  g_assert_nonnull (strstr (json, "\"max_diff\": null"));

  options.engines = wrong;
  g_assert_null (mt_verify (model, NULL, &options, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "there is no engine “abacus”; there are json, sqlite3"));
}

/* --- asynchronously --- */

static void
keep_result (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
count_engine (const char *engine,
              guint       index,
              guint       n_engines,
              gpointer    data)
{
  g_assert_cmpuint (n_engines, ==, 2);
  g_atomic_int_inc ((int *) data);
}

static void
test_async (void)
{
  static const char * const engines[] = { "json", "sqlite3", NULL };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_MULTICLASS, 300, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_MULTICLASS, table, 3, 2);
  int n_told = 0;
  MtVerifyOptions options = { .engines = engines, .progress = count_engine, .progress_data = &n_told };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (MtVerifyReport) report = NULL;
  g_autoptr (GError) error = NULL;

  mt_verify_async (model, table, &options, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  report = mt_verify_finish (result, &error);
  g_assert_no_error (error);
  g_assert_true (mt_verify_report_agrees (report));
  g_assert_cmpuint (report->n_rows, >, 300);
  g_assert_cmpint (n_told, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      const struct { const char *name; GTestDataFunc run; } tests[] = {
        { "samples", test_samples }, { "hostile", test_hostile }, { "gentle", test_gentle },
      };

      for (gsize k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path = g_strdup_printf ("/verify/%s/%s", tests[k].name, mt_task_to_string (tasks[i]));

          g_test_add_data_func (path, &tasks[i], tests[k].run);
        }
    }
  if (g_test_slow ())
    return g_test_run ();
  g_test_add_func ("/verify/intercept", test_intercept);
  g_test_add_func ("/verify/liar", test_liar);
  g_test_add_func ("/verify/failures", test_failures);
  g_test_add_func ("/verify/cancel", test_cancel);
  g_test_add_func ("/verify/not-found", test_not_found);
  g_test_add_func ("/verify/async", test_async);
  return g_test_run ();
}
