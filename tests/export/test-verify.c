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
static const char * const slow[] = { "R", "postgresql", "postgresql-ansi", "mariadb", "duckdb", "spark", "weka", "libreoffice", NULL };
static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* Every engine that is asked for must be there and agree on all rows. */
static void
assert_agrees (MtModel            *model,
               const MtTable      *data,
               const char * const *engines)
{
  g_autoptr (GError) error = NULL;
  MtVerifyOptions options = { .engines = engines, .seconds = g_test_slow () ? 1200 : 0 };
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

/* Numbers as logarithms and within limits. */
static void
test_shapes (gconstpointer data)
{
  MtTask task = *(const MtTask *) data;
  g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);
  g_autoptr (MtModel) model = mt_test_shaped_model (task, table, 4, 2);

  assert_agrees (model, NULL, engines_now ());
}

/* Derived columns of every kind, from columns that the model uses itself and from others: every engine computes them from the
 * columns of the file. The formats that cannot are refused. */
static void
test_formulas (gconstpointer data)
{
  static const char * const formulas[][2] = {
    { "ratio", "a / \"b (log)\"" }, { "month", "month(when)" }, { "weekday", "weekday(when)" }, { "o", "contains(d, \"o\")" },
    { "range", "bins(a + 1, -10, 0, 15.5)" }, { "twice", "-(a - \"b (log)\") * 2 + 0.1" }, { "day", "day(when)" },
    { "days", "days_since(when, 2013-12-31)" }, { "log", "log(\"b (log)\") - abs(a)" }, { "year", "year(when)" },
  };
  static const MtExportFormat refused[] = { MT_EXPORT_PMML, MT_EXPORT_DMN };
  static const char * const but_weka[] = { "R", "postgresql", "postgresql-ansi", "mariadb", "duckdb", "spark", "libreoffice", NULL };
  MtTask task = *(const MtTask *) data;

  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);
      g_autoptr (MtSchema) schema = mt_schema_new ();
      g_autoptr (MtTable) derived = NULL;
      g_autoptr (MtTable) used = NULL;
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtModel) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *json = NULL;
      MtColumnRole roles[17] = { 0 };
      gsize length;

      if (k == 1)
        mt_test_sample_gaps (table);
      for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
        mt_schema_set_derived (schema, formulas[i][0], formulas[i][1]);
      derived = mt_schema_derive (schema, table, &error);
      g_assert_no_error (error);
      for (guint c = 0; c < 6; c++)
        roles[c] = k == 0 || c > 0 ? MT_ROLE_IGNORED : MT_ROLE_FEATURE;
      roles[6] = MT_ROLE_TARGET;
      used = mt_table_with_roles (derived, roles, NULL);
      model = mt_test_sample_model (task, used, 14, 3 + k);
      assert_agrees (model, NULL, g_test_slow () ? but_weka : quick);

      json = mt_model_to_json (model, &length);
      again = mt_model_from_json (json, length, &error);
      g_assert_no_error (error);
      g_assert_true (mt_encoder_equal (mt_model_get_encoder (again), mt_model_get_encoder (model)));
      g_assert_nonnull (strstr (json, "\"format_version\": 4"));
      for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
        {
          g_autoptr (GBytes) none = mt_export (model, refused[i], MT_SQL_SQLITE, &error);

          g_assert_null (none);
          g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
          g_assert_nonnull (strstr (error->message, "derived column"));
          g_clear_error (&error);
        }
    }
}

static MtModel *
with_cutoff (const MtModel *model,
             double         cutoff)
{
  const MtEdit edit = { .kind = MT_EDIT_SET_CUTOFF, .to = cutoff };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  MtEditContext context;
  MtModel *made;

  mt_model_init_edit (model, &context);
  rules = mt_edit_make (&context, mt_model_get_rules (model), NULL, &edit, "test", &history, NULL, &error);
  g_assert_no_error (error);
  made = mt_model_with_edits (model, rules, history, NAN, &error);
  g_assert_no_error (error);
  return made;
}

/* Every engine decides by the cutoff of the model, on rows of which some are decided otherwise by the usual one. PMML,
 * which could not, is refused and said not to be verified. */
static void
test_cutoffs (void)
{
  static const double cutoffs[] = { 0.2, 0.37625, 0.8 };
  static const char * const but_weka[] = { "R", "postgresql", "postgresql-ansi", "mariadb", "duckdb", "spark", "libreoffice", NULL };
  static const char * const weka[] = { "weka", NULL };
  const MtVerifyOptions options = { .engines = weka };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 1000, 1);
  g_autoptr (MtModel) usual = mt_test_sample_model (MT_TASK_BINARY, table, 12, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtTable) golden = mt_export_test_rows_make_table (usual, NULL, &error);     /* that engines get */
  gsize n_rows = mt_table_get_n_rows (golden);
  g_autofree double *p = g_new (double, n_rows);

  g_assert_true (mt_model_predict (usual, golden, NULL, 0, p, NULL, &error));
  for (guint i = 0; i < G_N_ELEMENTS (cutoffs); i++)
    {
      g_autoptr (MtModel) model = with_cutoff (usual, cutoffs[i]);
      g_autoptr (MtVerifyReport) report = NULL;
      g_autoptr (GBytes) none = NULL;
      gsize n_differ = 0;

      for (gsize r = 0; r < n_rows; r++)
        {
          g_assert_cmpuint (mt_model_decide (model, p, n_rows, r), ==, p[r] > cutoffs[i]);
          n_differ += mt_model_decide (model, p, n_rows, r) != mt_model_decide (usual, p, n_rows, r);
        }
      g_assert_cmpuint (n_differ, >, 10);
      assert_agrees (model, NULL, g_test_slow () ? but_weka : quick);
      none = mt_export (model, MT_EXPORT_PMML, MT_SQL_SQLITE, &error);
      g_assert_null (none);
      g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
      g_clear_error (&error);
      report = mt_verify (model, NULL, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (report->checks[0].status, ==, MT_VERIFY_NOT_FOUND);
    }
}

/* Values that count as missing, raw in the rows, for every engine. */
static void
test_gaps (gconstpointer data)
{
  MtTask task = *(const MtTask *) data;
  g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);
  g_autoptr (MtModel) model = NULL;

  mt_test_sample_gaps (table);
  model = mt_test_sample_model (task, table, 20, 3);
  assert_agrees (model, table, engines_now ());
}

/* A model that does not know what its rows take for missing answers the raw file otherwise than the rows it was made
 * from. No engine may be said to agree with it. */
static void
test_ignorant (void)
{
  static const char * const zero[] = { "0", NULL };
  double values[400], cleaned[400];
  const char *classes[400];
  const MtColumnRole roles[] = { MT_ROLE_FEATURE, MT_ROLE_TARGET };
  const double bias = 0.5, weight = 2;
  const guint input = 0;
  const MtCube cube = { 1, 1 };
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRule) rule = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtTable) plain = NULL;
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtVerifyReport) before = NULL;
  g_autoptr (MtVerifyReport) after = NULL;
  g_autoptr (GError) error = NULL;
  MtVerifyOptions options = { .engines = quick };
  MtEncoderOptions encoding;
  MtModelInfo info;
  MtColumn *columns[2];

  for (guint i = 0; i < 400; i++)
    {
      values[i] = i % 5 == 0 ? 0 : 100 + i % 37;
      cleaned[i] = values[i] == 0 ? NAN : values[i];
      classes[i] = i % 3 == 0 ? "no" : "yes";
    }
  columns[0] = mt_test_numbers ("x", cleaned, 400);
  columns[1] = mt_test_levels ("y", MT_TYPE_CATEGORY, classes, 400);
  plain = mt_table_new (columns, 2);
  table = mt_table_with_roles (plain, roles, NULL);
  mt_encoder_options_init (&encoding);
  encoding.bits = 1;
  encoder = mt_encoder_fit (table, NULL, 0, &encoding, &error);
  g_assert_no_error (error);
  {
    /* x is missing: the second question. */
    const guint missing = input + 1;
    MtTerm term = { .weights = (double *) &weight };

    rule = mt_rule_new (&missing, 1, &cube, 1, NULL, TRUE, &error);
    g_assert_no_error (error);
    term.rule = rule;
    rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &term, 1, &error);
    g_assert_no_error (error);
  }
  mt_model_info_init (&info);
  info.target = "y";
  info.classes = (const char * const[]) { "no", "yes", NULL };
  info.dont_care = "off";
  info.engine = "cpu";
  model = mt_model_new (encoder, rules, &info, &error);
  g_assert_no_error (error);

  before = mt_verify (model, table, &options, NULL, &error);
  g_assert_no_error (error);
  mt_column_set_missing_values (columns[0], zero);
  after = mt_verify (model, table, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (after->n_checks, ==, 5);
  for (guint i = 0; i < after->n_checks; i++)
    {
      g_assert_cmpint (before->checks[i].status, ==, MT_VERIFY_AGREES);
      g_assert_cmpint (after->checks[i].status, ==, MT_VERIFY_DIFFERS);
      g_assert_cmpfloat (after->checks[i].max_diff, >, 0.1);
    }
}

static void
test_hostile (gconstpointer data)
{
  g_autoptr (MtModel) model = mt_test_hostile_model (*(const MtTask *) data, FALSE);
  static const char * const rest[] = { "R", "duckdb", "spark", "weka", "libreoffice", NULL };

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

/* --- files that are not as tidy as the golden one --- */

#define HEAD "a,b (log),when,d,e is odd,f\n"

/* What the program prints on its standard output, or NULL when it fails. */
static char *
run_program (const char * const  *argv,
             const char          *input,
             char               **err)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                                        G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *out;

  g_subprocess_launcher_set_stdin_file_path (launcher, input);
  process = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, err, &error));
  g_assert_true (g_subprocess_get_if_exited (process));
  if (g_subprocess_get_exit_status (process) == 0)
    return out;
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
  g_free (out);
  return NULL;
}

static void
assert_same_answers (const char *expected,
                     const char *got,
                     const char *what)
{
  g_auto (GStrv) wanted = g_strsplit (expected, "\n", -1);
  g_auto (GStrv) lines = g_strsplit (got, "\n", -1);

  g_assert_cmpuint (g_strv_length (wanted), ==, g_strv_length (lines));
  g_assert_cmpstr (wanted[0], ==, lines[0]);
  for (guint i = 1; wanted[i] != NULL && *wanted[i] != '\0'; i++)
    {
      g_auto (GStrv) a = g_strsplit (wanted[i], ",", -1);
      g_auto (GStrv) b = g_strsplit (lines[i], ",", -1);

      if (strcmp (a[0], b[0]) != 0 || fabs (g_ascii_strtod (a[2], NULL) - g_ascii_strtod (b[2], NULL)) > 1e-9)
        g_error ("%s: row %u is %s instead of %s", what, i, lines[i], wanted[i]);
    }
}

static void
test_programs (void)
{
  /* @says NULL: as predict reads it. */
  static const struct { const char *what, *csv, *says; } cases[] = {
    { "tidy", HEAD "1,2,2015-01-01,red,red,yes\n-7,0.1,2014-01-01,\"say \"\"hi\"\"\",green,no\n", NULL },
    { "other order, other columns", "f,x,when,d,b (log),e is odd,a\nyes,9,2015-01-01,red,2,red,1\n", NULL },
    { "semicolons, CRLF, a mark, blank lines",
      "\xef\xbb\xbf" "a;b (log);when;d;e is odd;f\r\n\r\n1;2;2015-01-01;red;red;yes\r\n   \r\n3;4;2015-01-02;x;y;no\r\n", NULL },
    { "tabs, no last line end", "a\tb (log)\twhen\td\te is odd\tf\n1\t2\t2015-01-01\tred\tred\tyes", NULL },
    { "padded", HEAD "3,4,2015-01-02,x,y,no,,\n", NULL },
    { "missing in many ways", HEAD "NA,?,null,N/A,NaN,\n #N/A ,<NA>,\"\",NULL,nan,n/a\n", NULL },
    { "numbers in many ways", HEAD "+5.,.5e1,2015-01-01,red,red,yes\n 1E2 ,-1e-3,2015-01-01,red,red,yes\n"
      "inf,1e999,2015-01-01,red,red,no\n", NULL },
    { "days first", HEAD "1,2,31/12/2015,red,red,yes\n1,2,1/2/2015,red,red,yes\n", NULL },
    { "months first", HEAD "1,2,12-31-2014,red,red,yes\n1,2,01-02-2015,red,red,yes\n", NULL },
    { "times and zones", HEAD "1,2,2015-02-07T00:00:00,red,red,yes\n1,2,2015-02-06 23:59:59.5,red,red,yes\n"
      "1,2,2015-02-07T01:00:00+02:00,red,red,yes\n1,2,2015-02-06T23:00-0130,red,red,yes\n", NULL },
    { "line end in a cell", HEAD "1,2,2015-01-01,\"two\nlines\",red,yes\n", NULL },
    { "no column", "a,b\n1,2\n", "the data has no column" },
    { "nothing", "", "the data has no column" },
    { "no number", HEAD "1,abc,2015-01-01,red,red,yes\n", "is not a number" },
    { "no date", HEAD "1,2,2015-02-30,red,red,yes\n", "is not a date" },
    { "open quote", HEAD "1,2,2015-01-01,\"red,red,yes\n", "a quote is never closed" },
    { "too long", HEAD "1,2,2015-01-01,red,red,yes,more\n", "row 1 has 7 fields where 6 are expected" },
  };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 1000, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 20, 7);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *json = g_build_filename (folder, "model.json", NULL);
  g_autofree char *rows = g_build_filename (folder, "rows.csv", NULL);
  g_autofree char *python = g_build_filename (folder, "model.py", NULL);
  g_autofree char *node = g_build_filename (folder, "model.js", NULL);
  g_autofree char *r = g_build_filename (folder, "model.R", NULL);
  g_autofree char *source = g_build_filename (folder, "model.c", NULL);
  g_autofree char *program = g_build_filename (folder, "model", NULL);
  const char *compile[] = { "gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-DMINTERM_MAIN", "-o", program, source,
                            "-lm", NULL };
  const char *quick_programs[][4] = { { "python3", python, NULL }, { "node", node, NULL }, { program, NULL } };
  const char *slow_programs[][4] = { { "Rscript", "--vanilla", r, NULL } };
  const char *(*programs)[4] = g_test_slow () ? slow_programs : quick_programs;
  guint n_programs = g_test_slow () ? G_N_ELEMENTS (slow_programs) : G_N_ELEMENTS (quick_programs);
  g_autofree char *compiled = NULL;

  g_assert_true (mt_model_save (model, json, NULL));
  g_assert_true (mt_export_save (model, MT_EXPORT_PYTHON, MT_SQL_SQLITE, python, NULL));
  g_assert_true (mt_export_save (model, MT_EXPORT_JAVASCRIPT, MT_SQL_SQLITE, node, NULL));
  g_assert_true (mt_export_save (model, MT_EXPORT_R, MT_SQL_SQLITE, r, NULL));
  g_assert_true (mt_export_save (model, MT_EXPORT_C, MT_SQL_SQLITE, source, NULL));
  compiled = run_program (compile, "/dev/null", NULL);
  g_assert_nonnull (compiled);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *expected = NULL;
      g_autofree char *why = NULL;

      g_assert_true (g_file_set_contents (rows, cases[i].csv, -1, NULL));
      if (cases[i].says == NULL && mt_test_cli (NULL, &expected, &why, "predict", json, rows, NULL) != 0)
        g_error ("%s: %s", cases[i].what, why);
      for (guint k = 0; k < n_programs; k++)
        {
          g_autofree char *err = NULL;
          g_autofree char *got = run_program (programs[k], rows, &err);
          g_autofree char *what = g_strdup_printf ("%s in %s", cases[i].what, programs[k][0]);

          if ((got == NULL) != (cases[i].says != NULL) || (got == NULL && strstr (err, cases[i].says) == NULL))
            g_error ("%s: '%s', '%s'", what, got, err);
          if (got != NULL)
            assert_same_answers (expected, got, what);
        }
    }
  mt_test_remove_folder (folder);
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
  g_assert_true (g_str_has_prefix (babbles->checks[0].message, "cannot read its results: "));
  g_assert_cmpint (hangs->checks[0].status, ==, MT_VERIFY_FAILED);
  g_assert_cmpstr (hangs->checks[0].message, ==, "python3 timed out");
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
  g_assert_nonnull (strstr (error->message, "unknown engine “abacus”; available: json, sqlite3"));
}

/* --- the record, read back --- */

static void
test_record (void)
{
  static const struct { const char *json; const char *why; } wrong[] = {
    { "[]", "is no object" },
    { "{}", "format" },
    { "{\"format\": \"minterm-verify\", \"format_version\": 2}", "not a verification record that this version supports" },
    { "{\"format\": \"minterm-verify\", \"format_version\": 1, \"model_sha256\": 1}", "model_sha256" },
    { "{\"format\": \"minterm-verify\", \"format_version\": 1, \"model_sha256\": \"a\", \"rows_sha256\": null, "
      "\"rows\": 3, \"checks\": [{\"engine\": \"x\", \"format\": \"y\", \"status\": \"fine\"}]}",
      "status (line 1) is not one of agrees, differs, failed, and not-found" },
  };
  MtVerifyCheck checks[] = {
    { "sqlite3", "sql", "sqlite3", (char *) "3.40", MT_VERIFY_AGREES, NULL, 312, 4, 1.5e-15, 0 },
    { "python3", "python", "python3", NULL, MT_VERIFY_FAILED, (char *) "it “fell” over", 0, 0, 0, 0 },
    { "R", "r", "r-base-core", NULL, MT_VERIFY_NOT_FOUND, NULL, 0, 0, 0, 0 },
  };
  MtVerifyReport kept = { (char *) "ab", (char *) "cd", 316, checks, G_N_ELEMENTS (checks) };
  g_autofree char *json = mt_verify_report_to_json (&kept, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtVerifyReport) report = mt_verify_report_from_json (json, -1, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  again = mt_verify_report_to_json (report, NULL);
  g_assert_cmpstr (again, ==, json);
  g_assert_cmpstr (report->checks[2].package, ==, "r-base-core");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) why = NULL;

      g_assert_null (mt_verify_report_from_json (wrong[i].json, -1, &why));
      g_assert_error (why, MT_ERROR, MT_ERROR_PARSE);
      g_assert_nonnull (strstr (why->message, wrong[i].why));
    }
  g_assert_null (mt_verify_report_load ("/nonexistent/model.verify.json", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
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

/* Some engines were asked at one time and others at another; of other rows nothing is taken. */
static void
test_add (void)
{
  MtVerifyCheck first[] = {
    { "sqlite3", "sql", "sqlite3", (char *) "3.40", MT_VERIFY_AGREES, NULL, 312, 4, 1.5e-15, 0 },
    { "python3", "python", "python3", NULL, MT_VERIFY_FAILED, (char *) "it “fell” over", 0, 0, 0, 0 },
  };
  MtVerifyCheck second[] = {
    { "python3", "python", "python3", (char *) "3.11", MT_VERIFY_AGREES, NULL, 316, 0, 0, 0 },
    { "R", "r", "r-base-core", NULL, MT_VERIFY_NOT_FOUND, (char *) "Rscript is not installed", 0, 0, 0, 0 },
  };
  const MtVerifyReport kept = { (char *) "ab", (char *) "cd", 316, first, G_N_ELEMENTS (first) };
  const MtVerifyReport newer = { (char *) "ab", (char *) "cd", 316, second, G_N_ELEMENTS (second) };
  const MtVerifyReport other = { (char *) "ab", (char *) "ce", 316, second, G_N_ELEMENTS (second) };
  const MtVerifyReport stranger = { (char *) "ac", (char *) "cd", 316, second, G_N_ELEMENTS (second) };
  g_autofree char *json = mt_verify_report_to_json (&kept, NULL);
  g_autoptr (MtVerifyReport) report = mt_verify_report_from_json (json, -1, NULL);
  g_autofree char *same = NULL;

  g_assert_false (mt_verify_report_add (report, &other));
  g_assert_false (mt_verify_report_add (report, &stranger));
  same = mt_verify_report_to_json (report, NULL);
  g_assert_cmpstr (same, ==, json);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (mt_verify_report_add (report, &newer));
      g_assert_cmpuint (report->n_checks, ==, 3);
      g_assert_cmpstr (report->checks[0].engine, ==, "sqlite3");
      g_assert_cmpstr (report->checks[0].version, ==, "3.40");
      g_assert_cmpint (report->checks[1].status, ==, MT_VERIFY_AGREES);
      g_assert_cmpstr (report->checks[1].version, ==, "3.11");
      g_assert_null (report->checks[1].message);
      g_assert_cmpstr (report->checks[2].message, ==, "Rscript is not installed");
    }
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
        { "samples", test_samples }, { "gaps", test_gaps }, { "shapes", test_shapes }, { "formulas", test_formulas }, { "hostile", test_hostile }, { "gentle", test_gentle },
      };

      for (gsize k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path = g_strdup_printf ("/verify/%s/%s", tests[k].name, mt_task_to_string (tasks[i]));

          g_test_add_data_func (path, &tasks[i], tests[k].run);
        }
    }
  g_test_add_func ("/verify/programs", test_programs);
  g_test_add_func ("/verify/cutoffs", test_cutoffs);
  if (g_test_slow ())
    return g_test_run ();
  g_test_add_func ("/verify/intercept", test_intercept);
  g_test_add_func ("/verify/ignorant", test_ignorant);
  g_test_add_func ("/verify/liar", test_liar);
  g_test_add_func ("/verify/failures", test_failures);
  g_test_add_func ("/verify/cancel", test_cancel);
  g_test_add_func ("/verify/not-found", test_not_found);
  g_test_add_func ("/verify/record", test_record);
  g_test_add_func ("/verify/add", test_add);
  g_test_add_func ("/verify/async", test_async);
  return g_test_run ();
}
