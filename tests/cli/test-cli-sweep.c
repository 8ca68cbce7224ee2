/* minterm-cli sweep, from outside: what it finds, and that it goes on after a kill. */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *csv;
  char *project;
} Fixture;

/* y depends on a pair of columns, with noise. */
static void
write_csv (const char *path,
           guint       n_rows)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,colour,y\n");
  MtRandom random;

  mt_random_init (&random, 9);
  for (guint i = 0; i < n_rows; i++)
    {
      guint a = (guint) mt_random_below (&random, 50), b = (guint) mt_random_below (&random, 50);
      guint c = (guint) mt_random_below (&random, 50), colour = (guint) mt_random_below (&random, 3);
      gboolean y = (a >= 25 && b < 20) || (colour == 1 && c > 40);

      if (mt_random_below (&random, 10) == 0)
        y = !y;
      g_string_append_printf (text, "%u,%u,%u,%s,%s\n", a, b, c, colour == 0 ? "red" : colour == 1 ? "green" : "blue",
                              y ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = mt_test_make_folder ();
  fixture->csv = g_build_filename (fixture->folder, "data.csv", NULL);
  fixture->project = g_build_filename (fixture->folder, "sweep.minterm", NULL);
  write_csv (fixture->csv, 100);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->csv);
  g_free (fixture->project);
}

/* The grid that most tests use: 8 settings and 2 seeds. */
#define GRID "--bits", "2,3", "--nodes", "5", "--fan-in", "2,3", "--temperature", "0.01,0.05", "--seeds", "2", \
             "--folds", "2", "--restarts", "0"

static MtJson *
sweep (Fixture    *fixture,
       const char *project,
       const char *threads)
{
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (GError) error = NULL;
  int code = mt_test_cli (NULL, &out, &err, "sweep", fixture->csv, "--target", "y", GRID, "--json", "--threads",
                          threads, "-o", project, NULL);

  if (code != 0)
    g_error ("exit code %d: %s", code, err);
  g_assert_cmpstr (err, ==, "");
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&root);
}

/* The frontier as text, to compare. */
static char *
frontier_of (const MtJson *answer)
{
  return mt_test_json_dup_text (mt_json_find (answer, "frontier"));
}

/* The project knows the file that it was made from. */
static void
assert_is_source (const MtProjectSource *source)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (source->uri);
  g_autofree char *bytes = NULL;
  g_autofree char *sha256 = NULL;
  gsize length;

  g_assert_true (g_file_load_contents (file, NULL, &bytes, &length, NULL, NULL));
  sha256 = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  g_assert_cmpuint (source->size, ==, length);
  g_assert_cmpstr (source->sha256, ==, sha256);
}

static void
test_frontier (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (MtJson) answer = sweep (fixture, fixture->project, "2");
  g_autofree char *other = g_build_filename (fixture->folder, "other.minterm", NULL);
  g_autoptr (MtJson) alone = sweep (fixture, other, "1");
  g_autofree char *first = frontier_of (answer);
  g_autofree char *second = frontier_of (alone);
  const MtJson *frontier = mt_test_json_array (answer, "frontier");
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GArray) points = NULL;
  g_autoptr (MtProjectSource) source = NULL;
  guint n_recommended = 0, n_marked = 0;
  double literals = 0, mean = -1;

  g_assert_cmpint (mt_test_json_integer (answer, "runs"), ==, 16);
  g_assert_cmpint (mt_test_json_integer (answer, "done"), ==, 16);
  g_assert_cmpint (mt_test_json_integer (answer, "skipped"), ==, 0);
  g_assert_cmpint (mt_test_json_integer (answer, "failed"), ==, 0);
  g_assert_cmpfloat (mt_test_json_number (answer, "seconds"), >, 0);
  /* The number of threads changes nothing. */
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpuint (mt_json_get_n_children (frontier), >, 1);
  for (guint i = 0; i < mt_json_get_n_children (frontier); i++)
    {
      const MtJson *point = mt_json_get_child (frontier, i);

      g_assert_cmpfloat (mt_test_json_number (point, "literals"), >, literals);
      g_assert_cmpfloat (mt_test_json_number (point, "cv_mean"), >, mean);
      literals = mt_test_json_number (point, "literals");
      mean = mt_test_json_number (point, "cv_mean");
      n_recommended += mt_test_json_boolean (point, "recommended") ? 1 : 0;
    }
  g_assert_cmpuint (n_recommended, ==, 1);
  g_assert_cmpfloat (mean, >, 0.7);

  /* Every point of every run can be opened and is what the project says. */
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  runs = mt_project_list_runs (project, &error);
  g_assert_cmpuint (runs->len, ==, 16);
  for (guint i = 0; i < runs->len; i++)
    g_assert_cmpint (((MtProjectRun *) runs->pdata[i])->state, ==, MT_RUN_DONE);
  points = mt_project_list_points (project, 0, &error);
  for (guint i = 0; i < points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);
      g_autoptr (GBytes) json = mt_project_dup_model (project, point->id, &error);
      g_autoptr (MtModel) model = NULL;

      g_assert_no_error (error);
      model = mt_model_from_json (g_bytes_get_data (json, NULL), g_bytes_get_size (json), &error);
      g_assert_no_error (error);
      g_assert_cmpuint (mt_rule_set_get_complexity (mt_model_get_rules (model)), ==, point->literals);
      g_assert_cmpuint (mt_rule_set_get_n_rules (mt_model_get_rules (model)), ==, point->n_rules);
      n_marked += point->marks & MT_MARK_RECOMMENDED ? 1 : 0;
    }
  g_assert_cmpuint (n_marked, ==, 1);
  source = mt_project_dup_source (project, &error);
  assert_is_source (source);
}

/* Runs share a training only while no network takes part. */
static void
test_networks (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other.minterm", NULL);
  g_autoptr (MtJson) shared = sweep (fixture, other, "2");
  g_autofree char *out = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mt_test_json_integer (shared, "trainings"), ==, 8);
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "sweep", fixture->csv, "--target", "y", "--bits", "2", "--nodes",
                                "2,4", "--temperature", "0.01,0.05", "--folds", "2", "--json", "-o",
                                fixture->project, NULL), ==, 0);
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (mt_test_json_integer (root, "runs"), ==, 4);
  g_assert_cmpint (mt_test_json_integer (root, "trainings"), ==, 4);
}

static void
test_resume (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (MtJson) whole = sweep (fixture, fixture->project, "2");
  g_autofree char *expected = frontier_of (whole);
  g_autoptr (MtJson) again = sweep (fixture, fixture->project, "2");
  g_autofree char *same = frontier_of (again);
  g_autoptr (MtJson) rest = NULL;
  g_autofree char *mended = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  MtProject *project;

  g_assert_cmpint (mt_test_json_integer (again, "skipped"), ==, 16);
  g_assert_cmpint (mt_test_json_integer (again, "done"), ==, 0);
  g_assert_cmpstr (same, ==, expected);

  /* As a kill leaves it: some runs in the middle, none of their points there. */
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (mt_project_set_run_state (project, 3, MT_RUN_RUNNING, NULL, 0, &error));
  g_assert_true (mt_project_set_run_state (project, 9, MT_RUN_QUEUED, NULL, 0, &error));
  mt_project_free (project);
  rest = sweep (fixture, fixture->project, "2");
  g_assert_cmpint (mt_test_json_integer (rest, "skipped"), ==, 14);
  g_assert_cmpint (mt_test_json_integer (rest, "done"), ==, 2);
  mended = frontier_of (rest);
  g_assert_cmpstr (mended, ==, expected);

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "sweep", fixture->csv, "--target", "y", GRID, "-o",
                                fixture->project, NULL), ==, 0);
  g_assert_nonnull (strstr (out, "16 runs: 0 finished now, 16 before, 0 failed"));
  g_assert_nonnull (strstr (out, "→"));
}

/* All models of a project, as they are kept. */
static char *
models_of (Fixture *fixture)
{
  g_autoptr (MtProject) project = mt_project_open (fixture->project, MT_PROJECT_READ_ONLY, NULL, NULL);
  g_autoptr (GArray) points = mt_project_list_points (project, 0, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < points->len; i++)
    {
      g_autoptr (GBytes) model = mt_project_dup_model (project, g_array_index (points, MtProjectPoint, i).id, NULL);

      g_string_append_len (text, g_bytes_get_data (model, NULL), (gssize) g_bytes_get_size (model));
    }
  return g_string_free (text, FALSE);
}

/* A text that is missing in one column is missing there when the sweep is continued, too. */
static void
test_missing_in (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  MtProject *project;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "sweep", fixture->csv, "--target", "y", "--missing-in", "a=40", "--bits",
                                "2", "--folds", "2", "--restarts", "0", "-o", fixture->project, NULL), ==, 0);
  before = models_of (fixture);
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, NULL);
  g_assert_true (mt_project_set_run_state (project, 1, MT_RUN_QUEUED, NULL, 0, NULL));
  mt_project_free (project);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "sweep", "--resume", fixture->project, NULL), ==, 0);
  after = models_of (fixture);
  g_assert_cmpuint (strlen (before), >, 100);
  g_assert_true (g_str_equal (after, before));
  mt_test_cli_fails (1, "its missing-in: {", "sweep", fixture->csv, "--target", "y", "--bits", "2", "--folds", "2",
                     "--restarts", "0", "-o", fixture->project, NULL);
}

static GPid
start_sweep (Fixture *fixture)
{
  const char *argv[] = { g_getenv ("MINTERM_CLI"), "sweep", fixture->csv, "--target", "y", GRID, "--threads", "2",
                         "-o", fixture->project, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_assert_true (g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL |
                                G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid, &error));
  g_assert_no_error (error);
  return pid;
}

static guint
n_done (Fixture *fixture)
{
  g_autoptr (MtProject) project = mt_project_open (fixture->project, MT_PROJECT_READ_ONLY, NULL, NULL);
  g_autoptr (GPtrArray) runs = project != NULL ? mt_project_list_runs (project, NULL) : NULL;
  guint n = 0;

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    n += ((MtProjectRun *) runs->pdata[i])->state == MT_RUN_DONE ? 1 : 0;
  return n;
}

/* The signal goes out once something is finished; whether all of it is, is not up to us. */
static void
interrupt (Fixture *fixture,
           int      number)
{
  g_autoptr (MtJson) whole = NULL;
  g_autoptr (MtJson) rest = NULL;
  g_autofree char *other = g_build_filename (fixture->folder, "other.minterm", NULL);
  g_autofree char *expected = NULL;
  g_autofree char *mended = NULL;
  GPid pid;
  int status = 0;

  write_csv (fixture->csv, 200);
  pid = start_sweep (fixture);
  while (n_done (fixture) == 0 && waitpid (pid, &status, WNOHANG) == 0)
    g_usleep (3000);
  if (kill (pid, number) == 0)
    waitpid (pid, &status, 0);
  if (number == SIGINT)
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) <= 1);
  g_test_message ("%u of 16 runs were done", n_done (fixture));
  rest = sweep (fixture, fixture->project, "2");
  g_assert_cmpint (mt_test_json_integer (rest, "done") + mt_test_json_integer (rest, "skipped"), ==, 16);
  g_assert_cmpint (mt_test_json_integer (rest, "skipped"), >, 0);
  whole = sweep (fixture, other, "2");
  expected = frontier_of (whole);
  mended = frontier_of (rest);
  g_assert_cmpstr (mended, ==, expected);
}

static void
test_interrupted (Fixture       *fixture,
                  gconstpointer  data)
{
  interrupt (fixture, SIGINT);
}

static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  interrupt (fixture, SIGKILL);
}

static void
assert_refused (int         expected,
                const char *part,
                char       *err,
                int         code)
{
  if (code != expected || strstr (err, part) == NULL)
    g_error ("exit code %d, expected %d with '%s': %s", code, expected, part, err);
  /* One line, and nothing of the libraries'. */
  g_assert_true (g_str_has_prefix (err, "minterm-cli: "));
  g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
  g_free (err);
}

#define REFUSED(code, part, ...) \
  G_STMT_START \
    { \
      char *err_ = NULL; \
      int code_ = mt_test_cli (NULL, NULL, &err_, "sweep", __VA_ARGS__, NULL); \
      assert_refused (code, part, err_, code_); \
    } \
  G_STMT_END

static void
test_usage (Fixture       *fixture,
            gconstpointer  data)
{
  const char *csv = fixture->csv, *out = fixture->project;

  REFUSED (2, "sweep needs a file", "--target", "y", "-o", out);
  REFUSED (2, "sweep takes one file", csv, csv, "--target", "y", "-o", out);
  REFUSED (2, "sweep needs -o", csv, "--target", "y");
  REFUSED (2, "sweep needs --target", csv, "--role", "y=feature", "--role", "colour=feature", "--role", "c=feature",
           "--role", "b=feature", "--role", "a=feature", "-o", out);
  REFUSED (2, "--bits needs whole numbers", csv, "--target", "y", "-o", out, "--bits", "4,x");
  REFUSED (2, "--bits needs whole numbers", csv, "--target", "y", "-o", out, "--bits", "4,,5");
  REFUSED (2, "--nodes needs whole numbers", csv, "--target", "y", "-o", out, "--nodes", "1.5");
  REFUSED (2, "--temperature needs numbers", csv, "--target", "y", "-o", out, "--temperature", "warm");
  REFUSED (2, "bits must be between 1 and 250", csv, "--target", "y", "-o", out, "--bits", "0");
  REFUSED (2, "bits contains 4 twice", csv, "--target", "y", "-o", out, "--bits", "4,4");
  REFUSED (2, "fan-in must be between", csv, "--target", "y", "-o", out, "--fan-in", "99");
  REFUSED (2, "temperature must be between", csv, "--target", "y", "-o", out, "--temperature", "0");
  REFUSED (2, "temperature contains a value twice", csv, "--target", "y", "-o", out, "--temperature", "0.1,1e-1");
  REFUSED (2, "1 to 100000 runs", csv, "--target", "y", "-o", out, "--seeds", "10000", "--bits", "1,2,3,4,5,6,7,8",
           "--nodes", "1,2");
  REFUSED (2, "--choose must be one-se or best-validation", csv, "--target", "y", "-o", out, "--choose", "best");
  REFUSED (1, "there is no such file", csv, "--target", "y", "-o", out, "--test", "nowhere.csv");
  REFUSED (2, "--seeds must be between 1 and 10000", csv, "--target", "y", "-o", out, "--seeds", "0");
  REFUSED (2, "--restarts must be auto or a number between 0 and 100", csv, "--target", "y", "-o", out, "--restarts", "101");
  REFUSED (2, "--task must be one of", csv, "--target", "y", "-o", out, "--task", "guess");
  REFUSED (1, "", csv, "--target", "colour", "-o", out, "--task", "regression");
  REFUSED (2, "there is no column “absent”; the columns are", csv, "--target", "y", "-o", out, "--ban", "absent");
  /* Nothing began, so nothing was left. */
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

static void
test_other_project (Fixture       *fixture,
                    gconstpointer  data)
{
  const char *csv = fixture->csv, *out = fixture->project;
  g_autoptr (MtJson) answer = sweep (fixture, fixture->project, "2");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *plain = g_build_filename (fixture->folder, "plain.minterm", NULL);
  g_autoptr (GError) error = NULL;
  gsize n_before, n_after;
  MtProject *project;

  g_assert_true (g_file_get_contents (out, &before, &n_before, NULL));
  REFUSED (1, "its bits: 2,3, now: 9", csv, "--target", "y", "-o", out, "--folds", "2", "--restarts", "0");
  REFUSED (1, "its folds: 2, now: 5", csv, "--target", "y", "-o", out, GRID, "--folds", "5");
  REFUSED (1, "its constraints: none, now: rising in “a”, no negated literals", csv, "--target", "y", "-o", out, GRID,
           "--monotone", "a=+", "--no-negation");
  REFUSED (1, "its rounds: usual, now: 2;", csv, "--target", "y", "-o", out, GRID, "--rounds", "2");
  REFUSED (1, "its linear-terms: usual, now: none;", csv, "--target", "y", "-o", out, GRID, "--linear-terms", "none");
  REFUSED (1, "its learning-rate: usual, now: 0.02;", csv, "--target", "y", "-o", out, GRID, "--learning-rate", "0.02");
  REFUSED (1, "its batch: usual, now: 64;", csv, "--target", "y", "-o", out, GRID, "--batch", "64");
  REFUSED (1, "its epochs: usual, now: 20;", csv, "--target", "y", "-o", out, GRID, "--epochs", "20");
  REFUSED (1, "its seeds: 2 from 0, now: 2 from 7", csv, "--target", "y", "-o", out, GRID, "--seed", "7");
  REFUSED (1, "other data (columns differ)", csv, "--target", "y", "-o", out, GRID, "--role", "a=ignored");
  g_assert_true (g_file_get_contents (out, &after, &n_after, NULL));
  g_assert_cmpmem (before, n_before, after, n_after);

  project = mt_project_open (out, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  REFUSED (1, "open elsewhere", csv, "--target", "y", "-o", out, GRID);
  mt_project_free (project);
  write_csv (csv, 151);
  REFUSED (1, "other data (data differ)", csv, "--target", "y", "-o", out, GRID);
  REFUSED (2, "is the input and cannot also be the output", csv, "--target", "y", "-o", csv, GRID);
  project = mt_project_create (plain, &error);
  g_assert_cmpint (mt_project_add_run (project, "by hand", "{}", 0, &error), >, 0);
  mt_project_free (project);
  REFUSED (1, "contains 1 run that is not part of a sweep", csv, "--target", "y", "-o", plain, GRID);
}

/* The text of the report on a model of the project, with --project. */
static char *
export_report (Fixture    *fixture,
               const char *model)
{
  g_autofree char *path = g_build_filename (fixture->folder, "report.html", NULL);
  g_autofree char *err = NULL;
  char *text = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "-f", "html", "--project", fixture->project, "-o", path,
                                NULL), ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* A report shows test figures. Each model counts once, in the ledger that the window uses, too. */
static void
test_ledger (Fixture       *fixture,
             gconstpointer  data)
{
  static const char * const says[] = { "shown for this model only", "shown for 2 models", "shown for 2 models" };
  g_autofree char *sql = g_build_filename (fixture->folder, "model.sql", NULL);
  g_autofree char *html = g_build_filename (fixture->folder, "locked.html", NULL);
  g_autofree char *err = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *third = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GArray) points = NULL;
  g_auto (GStrv) keys = NULL;
  char *models[3];

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "sweep", fixture->csv, "--target", "y", "--folds", "2", "--restarts", "0",
                                "--test-fraction", "0.25", "-o", fixture->project, NULL), ==, 0);
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, NULL);
  points = mt_project_list_points (project, 0, NULL);
  g_assert_cmpuint (points->len, >=, 3);
  for (guint i = 0; i < 3; i++)
    {
      guint at = i * (points->len - 1) / 2;
      g_autoptr (GBytes) model = mt_project_dup_model (project, g_array_index (points, MtProjectPoint, at).id, NULL);
      g_autofree char *name = g_strdup_printf ("%u.json", i);

      models[i] = g_build_filename (fixture->folder, name, NULL);
      g_assert_true (g_file_set_contents (models[i], g_bytes_get_data (model, NULL), (gssize) g_bytes_get_size (model), NULL));
    }
  mt_project_free (g_steal_pointer (&project));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", models[2], "-f", "sql", "-o", sql, NULL), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (says); i++)
    {
      g_autofree char *text = export_report (fixture, models[i % 2]);

      if (strstr (text, says[i]) == NULL)
        g_error ("report %u does not say “%s”", i, says[i]);
    }
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, NULL);
  kept = mt_project_dup_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, NULL);
  keys = g_strsplit (g_strchomp (kept), "\n", -1);
  g_assert_cmpuint (g_strv_length (keys), ==, 2);
  /* A project that is open elsewhere cannot count it: the report is written, and a warning. */
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", models[2], "-f", "html", "--project", fixture->project, "-o", html,
                                NULL), ==, 0);
  g_assert_nonnull (strstr (err, "could not record that this report shows test results"));
  g_assert_nonnull (strstr (err, "open elsewhere"));
  g_assert_true (g_file_get_contents (html, &third, NULL, NULL));
  g_assert_nonnull (strstr (third, "shown for 3 models"));
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    g_free (models[i]);
}

static const MtJson *
find_recommended (const MtJson *answer)
{
  const MtJson *frontier = mt_test_json_array (answer, "frontier"), *found = NULL;

  for (guint i = 0; i < mt_json_get_n_children (frontier); i++)
    if (mt_test_json_boolean (mt_json_get_child (frontier, i), "recommended"))
      {
        g_assert_null (found);
        found = mt_json_get_child (frontier, i);
      }
  g_assert_nonnull (found);
  return found;
}

static MtJson *
choose (Fixture    *fixture,
        const char *choice,
        const char *limit)
{
  g_autofree char *out = NULL;
  MtJson *root;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "sweep", fixture->csv, "--target", "y", "--bits", "5", "--folds", "5",
                                "--restarts", "0", "--max-literals", limit, "--choose", choice, "--test", fixture->csv, "--json",
                                "-o", fixture->project, NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  g_assert_nonnull (root);
  return root;
}

/* The best of the folds is the last of the frontier; one-se takes a smaller one; neither is above the limit. The figures of
 * --test are those that evaluate gives for that model, and the project's mark follows the last choice. */
static void
test_choice (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (MtJson) small = choose (fixture, "one-se", "50"), best = choose (fixture, "best-validation", "50");
  g_autoptr (MtJson) limited = NULL, evaluated = NULL;
  const MtJson *frontier = mt_test_json_array (best, "frontier"), *tested = mt_test_json_object (best, "test");
  const MtJson *last = mt_json_get_child (frontier, mt_json_get_n_children (frontier) - 1);
  gint64 literals = mt_test_json_integer (find_recommended (best), "literals");
  g_autofree char *path = g_build_filename (fixture->folder, "model.json", NULL), *other = NULL, *out = NULL, *text = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GArray) points = NULL;
  guint n_marked = 0;

  g_assert_cmpint (literals, ==, mt_test_json_integer (last, "literals"));
  g_assert_cmpint (mt_test_json_integer (find_recommended (small), "literals"), <, literals);
  g_assert_cmpint (mt_test_json_integer (tested, "literals"), ==, literals);
  g_assert_cmpint (mt_test_json_integer (tested, "rows"), ==, 100);
  project = mt_project_open (fixture->project, MT_PROJECT_DEFAULT, NULL, NULL);
  points = mt_project_list_points (project, 0, NULL);
  for (guint i = 0; i < points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);
      g_autoptr (GBytes) model = NULL;

      if (!(point->marks & MT_MARK_RECOMMENDED))
        continue;
      n_marked++;
      g_assert_cmpint (point->literals, ==, literals);
      model = mt_project_dup_model (project, point->id, NULL);
      g_assert_true (g_file_set_contents (path, g_bytes_get_data (model, NULL), (gssize) g_bytes_get_size (model), NULL));
    }
  g_assert_cmpuint (n_marked, ==, 1);
  mt_project_free (g_steal_pointer (&project));
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "evaluate", path, fixture->csv, "--resamples", "10", "--json", NULL), ==, 0);
  evaluated = mt_json_parse (out, -1, NULL);
  g_assert_cmpfloat (mt_test_json_number (tested, "auc"), ==,
                     mt_test_json_number (mt_test_json_object (mt_test_json_object (evaluated, "metrics"), "auc"), "value"));
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "sweep", "--resume", fixture->project, "--test", fixture->csv, NULL), ==, 0);
  g_assert_nonnull (strstr (text, "\n100 test rows, recommended model of "));

  other = g_build_filename (fixture->folder, "limited.minterm", NULL);
  g_free (fixture->project);
  fixture->project = g_steal_pointer (&other);
  limited = choose (fixture, "best-validation", "4");
  g_assert_cmpint (mt_test_json_integer (find_recommended (limited), "literals"), <=, 4);
  g_assert_cmpint (literals, >, 4);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/cli-sweep/frontier", test_frontier);
  ADD ("/cli-sweep/networks", test_networks);
  ADD ("/cli-sweep/resume", test_resume);
  ADD ("/cli-sweep/interrupted", test_interrupted);
  ADD ("/cli-sweep/killed", test_killed);
  ADD ("/cli-sweep/missing-in", test_missing_in);
  ADD ("/cli-sweep/ledger", test_ledger);
  ADD ("/cli-sweep/choice", test_choice);
  ADD ("/cli-sweep/usage", test_usage);
  ADD ("/cli-sweep/other-project", test_other_project);
  return g_test_run ();
}
