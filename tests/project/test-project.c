/* A project and what it holds: every kind of content, written, changed and read again. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-file.h"
#include "base/mt-random.h"
#include "project-fixture.h"
#include "project-sample.h"

static void
test_round_trip (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *before = project_make_sample (fixture->path);
  g_autofree char *after = NULL;
  g_autofree char *read_only = NULL;
  g_autofree char *changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = NULL;

  g_assert_cmpuint (project_count_others (fixture), ==, 0);
  project = project_reopen (fixture->path, MT_PROJECT_READ_ONLY);
  g_assert_true (mt_project_is_read_only (project));
  g_assert_false (mt_project_is_unsaved (project));
  read_only = sample_dump (project);
  g_assert_cmpstr (read_only, ==, before);
  g_assert_false (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_clear_pointer (&project, mt_project_free);

  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_assert_true (g_str_has_suffix (mt_project_get_path (project), "heart.minterm"));
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);
  /* The comparison can fail. */
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "purpose", "another", &error));
  changed = sample_dump (project);
  g_assert_cmpstr (changed, !=, before);
}

static void
test_nothing_there (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autofree char *dump = sample_dump (project);
  g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_NOTE, "purpose", &error);
  g_autoptr (GBytes) model = NULL;
  guint n = 9;

  g_assert_no_error (error);
  g_assert_null (text);
  g_assert_cmpstr (dump, ==, "");
  g_assert_true (mt_project_stop_interrupted (project, &n, &error));
  g_assert_cmpuint (n, ==, 0);
  model = mt_project_dup_model (project, 5, &error);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_null (model);
  g_clear_error (&error);
  g_assert_null (mt_project_create (fixture->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
}

/* Any double but NaN and -0 comes back bit by bit. */
static void
test_doubles (Fixture       *fixture,
              gconstpointer  data)
{
  enum { N = 2000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autofree MtProjectPoint *points = g_new0 (MtProjectPoint, N);
  g_autofree GBytes **models = g_new0 (GBytes *, N);
  g_autoptr (GBytes) model = g_bytes_new_static ("{}", 2);
  g_autoptr (GArray) back = NULL;
  MtRandom random;
  gint64 run;

  mt_random_init (&random, 3);
  for (guint i = 0; i < N; i++)
    {
      guint64 bits = mt_random_next (&random) >> (i % 3 == 0 ? 12 : 0);   /* a third are subnormal */

      models[i] = model;
      memcpy (&points[i].cv_mean, &bits, sizeof bits);
      points[i].cv_se = i == 0 ? INFINITY : i == 1 ? -0.0 : i == 2 ? NAN : (double) i;
    }
  run = mt_project_add_run (project, "r", "{}", 0, &error);
  g_assert_true (mt_project_add_points (project, run, points, models, N, &error));
  g_assert_no_error (error);
  g_clear_pointer (&project, mt_project_free);
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  back = mt_project_list_points (project, run, &error);
  g_assert_cmpuint (back->len, ==, N);
  for (guint i = 0; i < N; i++)
    {
      MtProjectPoint *point = &g_array_index (back, MtProjectPoint, i);

      if (isnan (points[i].cv_mean))
        g_assert_true (isnan (point->cv_mean));
      else
        g_assert_cmpmem (&point->cv_mean, sizeof (double), &points[i].cv_mean, sizeof (double));
    }
  g_assert_true (isinf (g_array_index (back, MtProjectPoint, 0).cv_se));
  g_assert_false (signbit (g_array_index (back, MtProjectPoint, 1).cv_se));
  g_assert_true (isnan (g_array_index (back, MtProjectPoint, 2).cv_se));
}

static void
test_one_change (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *closed = NULL;

  sample_fill (project, 0, 1, 2);
  before = sample_dump (project);

  g_assert_true (mt_project_begin (project, &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "1", &error));
  mt_project_rollback (project);

  /* A part fails: the whole does. */
  g_assert_true (mt_project_begin (project, &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "1", &error));
  g_assert_false (mt_project_set_text (project, MT_PROJECT_NOTE, "b", "\xff", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_project_commit (project, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "none of it was saved"));
  g_clear_error (&error);
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);

  /* Freed in the middle. */
  g_assert_true (mt_project_begin (project, &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "1", &error));
  g_clear_pointer (&project, mt_project_free);
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  closed = sample_dump (project);
  g_assert_cmpstr (closed, ==, before);
}

static void
test_texts (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autofree char *text = NULL;
  g_autofree char *long_key = g_strnfill (2000, 'k');
  g_autoptr (MtProjectDismissal) leak = NULL;
  g_autoptr (GPtrArray) dismissals = NULL;

  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, "k", "1", &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, "k", "2", &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "k", "note", &error));
  text = mt_project_dup_text (project, MT_PROJECT_STATE, "k", &error);
  g_assert_cmpstr (text, ==, "2");
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, "k", NULL, &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, "k", NULL, &error));
  g_assert_null (mt_project_dup_text (project, MT_PROJECT_STATE, "k", &error));
  g_assert_no_error (error);
  g_assert_false (mt_project_set_text (project, MT_PROJECT_STATE, long_key, "x", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
  g_assert_nonnull (strstr (error->message, "key has 2000 bytes"));
  g_clear_error (&error);
  g_assert_false (mt_project_set_text (project, MT_PROJECT_STATE, "", "x", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_project_set_text (project, 7, "k", "x", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);

  leak = mt_project_dismissal_new ("leak", "id", "known", "Ann Example", 1700000000);
  g_assert_true (mt_project_set_dismissal (project, leak, &error));
  g_assert_true (mt_project_take_dismissal_back (project, "leak", "id", &error));
  dismissals = mt_project_list_dismissals (project, &error);
  g_assert_cmpuint (dismissals->len, ==, 0);
}

static void
test_runs (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  gint64 a = mt_project_add_run (project, "a", "{}", 1, &error);
  gint64 b = mt_project_add_run (project, "b", "{}", 2, &error);
  g_autoptr (GPtrArray) runs = NULL;
  MtProjectRun *run;
  guint n;

  g_assert_cmpint (a, <, b);
  g_assert_true (mt_project_set_run_state (project, b, MT_RUN_RUNNING, NULL, 0, &error));
  g_assert_true (mt_project_set_run_state (project, a, MT_RUN_RUNNING, NULL, 0, &error));
  g_assert_true (mt_project_set_run_state (project, a, MT_RUN_DONE, NULL, 2.5, &error));
  g_clear_pointer (&project, mt_project_free);
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_assert_true (mt_project_stop_interrupted (project, &n, &error));
  g_assert_cmpuint (n, ==, 1);
  runs = mt_project_list_runs (project, &error);
  run = runs->pdata[0];
  g_assert_cmpint (run->started, ==, 2);
  g_assert_cmpfloat (run->seconds, ==, 2.5);
  g_assert_cmpstr (mt_run_state_to_string (run->state), ==, "done");
  run = runs->pdata[1];
  g_assert_cmpint (run->started, ==, 1);
  g_assert_cmpstr (mt_run_state_to_string (run->state), ==, "stopped");
  g_assert_cmpstr (run->message, ==, "Minterm was closed before the run finished");

  g_assert_false (mt_project_set_run_state (project, 99, MT_RUN_DONE, NULL, 0, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_project_set_run_state (project, a, MT_RUN_DONE, NULL, NAN, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_project_remove_run (project, 99, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_true (mt_project_remove_run (project, b, &error));
  g_assert_false (mt_project_add_points (project, b, NULL, NULL, 0, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_true (mt_project_add_points (project, a, NULL, NULL, 0, &error));
}

static guint
marks_of (MtProject *project,
          gint64     id)
{
  g_autoptr (GArray) points = mt_project_list_points (project, 0, NULL);

  for (guint i = 0; i < points->len; i++)
    if (g_array_index (points, MtProjectPoint, i).id == id)
      return g_array_index (points, MtProjectPoint, i).marks;
  g_assert_not_reached ();
}

static void
test_marks (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);

  sample_fill (project, 0, 2, 4);
  /* Both runs recommended their second point: the later one has it. */
  g_assert_cmpuint (marks_of (project, 2), ==, 0);
  g_assert_cmpuint (marks_of (project, 6), ==, MT_MARK_RECOMMENDED);
  g_assert_cmpuint (marks_of (project, 3), ==, MT_MARK_EDITED);
  g_assert_true (mt_project_set_marks (project, 1, MT_MARK_SELECTED | MT_MARK_RECOMMENDED, &error));
  g_assert_true (mt_project_set_marks (project, 1, MT_MARK_SELECTED | MT_MARK_RECOMMENDED, &error));
  g_assert_cmpuint (marks_of (project, 6), ==, 0);
  g_assert_cmpuint (marks_of (project, 1), ==, MT_MARK_SELECTED | MT_MARK_RECOMMENDED);
  g_assert_true (mt_project_set_marks (project, 1, 0, &error));
  g_assert_cmpuint (marks_of (project, 1), ==, 0);
  g_assert_false (mt_project_set_marks (project, 99, 0, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_project_set_marks (project, 1, 1 << 9, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
}

static void
test_source (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *csv = g_build_filename (fixture->folder, "a.csv", NULL);
  g_autofree char *sha256 = g_strnfill (64, '0');
  MtProjectSource source = { csv, 4, 7, sha256 };
  MtProjectSource wrong = { csv, 4, 0, (char *) "12" };
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autoptr (MtProjectSource) kept = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (mt_project_set_source (project, &source, &error));
  kept = mt_project_dup_source (project, &error);
  g_assert_cmpstr (kept->uri, ==, csv);
  g_assert_cmpuint (kept->size, ==, 4);
  g_assert_cmpint (kept->modified, ==, 7);
  g_assert_cmpstr (kept->sha256, ==, sha256);
  g_assert_false (mt_project_set_source (project, &wrong, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
}

static void
test_dialect (Fixture       *fixture,
              gconstpointer  data)
{
  static const char * const wrong[] = {
    "[]", "{", "{\"encoding\": 1}",
    "{\"encoding\": null}", "{\"encoding\": null, \"delimiter\": \"ab\"}",
    "{\"encoding\": null, \"delimiter\": 3}", "{\"encoding\": null, \"delimiter\": \"\"}",
    "{\"encoding\": null, \"delimiter\": null, \"quote\": null, \"decimal\": null, \"thousands\": null,"
    " \"header\": 1}",
    "{\"encoding\": null, \"delimiter\": null, \"quote\": null, \"decimal\": null, \"thousands\": null,"
    " \"header\": true, \"missing\": 5}",
    "{\"encoding\": null, \"delimiter\": null, \"quote\": null, \"decimal\": null, \"thousands\": null,"
    " \"header\": true, \"missing\": [1]}",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (MtCsvDialect) automatic = NULL;
  g_autoptr (MtCsvDialect) back = NULL;

  g_assert_null (mt_project_dup_dialect (project, &error));
  g_assert_true (mt_project_set_dialect (project, dialect, &error));
  automatic = mt_project_dup_dialect (project, &error);
  g_assert_no_error (error);
  g_assert_null (automatic->encoding);
  g_assert_null (automatic->missing_tokens);
  g_assert_cmpint (automatic->delimiter, ==, 0);
  g_assert_cmpint (automatic->header, ==, -1);

  dialect->encoding = g_strdup ("WINDOWS-1252");
  dialect->delimiter = '\t';
  dialect->quote = MT_CSV_NO_QUOTE;
  dialect->decimal = ',';
  dialect->thousands = '\'';
  dialect->header = 0;
  dialect->missing_tokens = g_strsplit ("-9|k. A.|", "|", -1);
  g_assert_true (mt_project_set_dialect (project, dialect, &error));
  back = mt_project_dup_dialect (project, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (back->encoding, ==, "WINDOWS-1252");
  g_assert_cmpint (back->delimiter, ==, '\t');
  g_assert_cmpint (back->quote, ==, MT_CSV_NO_QUOTE);
  g_assert_cmpint (back->decimal, ==, ',');
  g_assert_cmpint (back->thousands, ==, '\'');
  g_assert_cmpint (back->header, ==, 0);
  g_assert_true (g_strv_equal ((const char * const *) back->missing_tokens,
                               (const char * const *) dialect->missing_tokens));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_true (mt_project_set_text (project, MT_PROJECT_SETTING, "import", wrong[i], &error));
      g_assert_null (mt_project_dup_dialect (project, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, "table entry, field import"));
      g_clear_error (&error);
    }
}

static void
test_schema (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_create (fixture->path);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtSchema) back = NULL;

  g_assert_null (mt_project_dup_schema (project, &error));
  mt_schema_set_role (schema, "disease", MT_ROLE_TARGET);
  mt_schema_set_type (schema, "zip", MT_TYPE_CATEGORY);
  mt_schema_add_missing (schema, "age", "-1");
  g_assert_true (mt_project_set_schema (project, schema, &error));
  back = mt_project_dup_schema (project, &error);
  g_assert_no_error (error);
  g_assert_true (mt_schema_equal (back, schema));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_SETTING, "columns", "{", &error));
  g_assert_null (mt_project_dup_schema (project, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, project_set_up, function, project_tear_down)

static void
add_tests (void)
{
  ADD ("/project/round-trip", test_round_trip);
  ADD ("/project/nothing-there", test_nothing_there);
  ADD ("/project/doubles", test_doubles);
  ADD ("/project/one-change", test_one_change);
  ADD ("/project/texts", test_texts);
  ADD ("/project/runs", test_runs);
  ADD ("/project/marks", test_marks);
  ADD ("/project/source", test_source);
  ADD ("/project/dialect", test_dialect);
  ADD ("/project/schema", test_schema);
}

int
main (int    argc,
      char **argv)
{
  return project_run_tests (argc, argv, add_tests);
}
