#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "mt-error.h"
#include "mt-file.h"
#include "mt-random.h"
#include "project-sample.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = mt_test_make_folder ();
  fixture->path = g_build_filename (fixture->folder, "heart.minterm", NULL);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static MtProject *
create (const char *path)
{
  g_autoptr (GError) error = NULL;
  MtProject *project = mt_project_create (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (project);
  return project;
}

static MtProject *
reopen (const char     *path,
        MtProjectFlags  flags)
{
  g_autoptr (GError) error = NULL;
  MtProject *project = mt_project_open (path, flags, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (project);
  return project;
}

static char *
make_sample (const char *path)
{
  g_autoptr (MtProject) project = create (path);

  sample_fill (project, 0, 2, 4);
  return sample_dump (project);
}

static void
assert_refused (const char *path,
                GQuark      domain,
                int         code,
                const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);

  g_assert_null (project);
  g_assert_error (error, domain, code);
  if (strstr (error->message, part) == NULL)
    g_error ("'%s' is not in: %s", part, error->message);
}

/* The other files in the project's folder. */
static guint
count_others (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n - 1;
}

static void
test_round_trip (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *before = make_sample (fixture->path);
  g_autofree char *after = NULL;
  g_autofree char *read_only = NULL;
  g_autofree char *changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = NULL;

  g_assert_cmpuint (count_others (fixture), ==, 0);
  project = reopen (fixture->path, MT_PROJECT_READ_ONLY);
  g_assert_true (mt_project_is_read_only (project));
  g_assert_false (mt_project_is_unsaved (project));
  read_only = sample_dump (project);
  g_assert_cmpstr (read_only, ==, before);
  g_assert_false (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_clear_pointer (&project, mt_project_free);

  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_autoptr (MtProject) project = create (fixture->path);
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
  g_autoptr (MtProject) project = create (fixture->path);
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
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_autoptr (MtProject) project = create (fixture->path);
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
  g_assert_nonnull (strstr (error->message, "nothing of it was saved"));
  g_clear_error (&error);
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);

  /* Freed in the middle. */
  g_assert_true (mt_project_begin (project, &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "1", &error));
  g_clear_pointer (&project, mt_project_free);
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  closed = sample_dump (project);
  g_assert_cmpstr (closed, ==, before);
}

static void
test_texts (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = create (fixture->path);
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
  g_autoptr (MtProject) project = create (fixture->path);
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
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_assert_cmpstr (run->message, ==, "the program ended before the run did");

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
  g_autoptr (MtProject) project = create (fixture->path);

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

/* --- what kind of file it is --- */

static void
patch_file (const char *path,
            gsize       offset,
            const void *bytes,
            gsize       length)
{
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, bytes, length, (off_t) offset), ==, (gssize) length);
  close (fd);
}

static void
test_header (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *sample = make_sample (fixture->path);
  static const struct { guint offset; const char *bytes; guint length; int code; const char *part; } cases[] = {
    { 60, "\0\0\0\3", 4, MT_ERROR_NEWER, "made by a newer version of Minterm" },
    { 60, "\377\377\377\377", 4, MT_ERROR_NEWER, "made by a newer version of Minterm" },
    { 60, "\0\0\0\0", 4, MT_ERROR_PARSE, "field version: is missing" },
    { 60, "\0\0\0\1", 4, MT_ERROR_PARSE, "table dismissal, field check: is not defined" },
    { 68, "\0\0\0\0", 4, MT_ERROR_PARSE, "is not a Minterm project" },
    { 0, "PK", 2, MT_ERROR_PARSE, "is not a Minterm project" },
    { 18, "\2\2", 2, MT_ERROR_PARSE, "journal mode" },
    { 52, "\0\0\0\1", 4, MT_ERROR_PARSE, "largest root page" },
    { 56, "\0\0\0\2", 4, MT_ERROR_PARSE, "text encoding" },
    { 64, "\0\0\0\1", 4, MT_ERROR_PARSE, "incremental vacuum" },
    { 16, "\4\0", 2, MT_ERROR_PARSE, "is damaged" },
  };
  g_autofree char *good = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (fixture->path, &good, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (g_file_set_contents (fixture->path, good, (gssize) length, NULL));
      patch_file (fixture->path, cases[i].offset, cases[i].bytes, cases[i].length);
      assert_refused (fixture->path, MT_ERROR, cases[i].code, cases[i].part);
    }
  g_assert_true (g_file_set_contents (fixture->path, "Age,Sex\n1,2\n", -1, NULL));
  assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is not a Minterm project");
  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is not a Minterm project");
}

/* A stranger with SQLite's own tools: each script leaves a sound database, not a project. */
static void
test_strangers (Fixture       *fixture,
                gconstpointer  data)
{
  static const struct { const char *sql; const char *part; } cases[] = {
    { "CREATE TABLE extra (x)", "table extra, field definition: does not belong" },
    { "CREATE VIEW v AS SELECT 1", "table v, field definition: does not belong" },
    { "CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END", "does not belong" },
    { "CREATE INDEX i ON run (seed)", "does not belong" },
    { "DROP TABLE edit", "table edit, field definition: is missing" },
    { "DROP INDEX point_by_run", "table point, field definition: is missing" },
    { "ALTER TABLE run ADD COLUMN more TEXT", "table run, field definition: is not defined" },
    { "ALTER TABLE run RENAME COLUMN seed TO seeds", "table run, field seed: is not defined" },
    { "DROP TABLE edit; CREATE TABLE edit (id INTEGER NOT NULL, what BLOB, \"check\" INTEGER)",
      "table edit, field what: is not defined" },
    { "UPDATE run SET seed = seed + 1", "table run, field check: a value does not agree" },
    { "UPDATE run SET state = 9", "table run, field state: is out of its range" },
    { "UPDATE entry SET value = CAST (x'ff' AS TEXT)", "table entry, field value: is not valid text" },
    { "UPDATE source SET sha256 = 'short'", "table source, field sha256: is longer or shorter" },
    { "UPDATE point SET cv_mean = 0.5", "table point, field check" },
    { "DELETE FROM edit", "table edit, field seal: rows were lost" },
    { "DELETE FROM seal WHERE name = 'run'", "table seal, field name: rows were lost" },
    { "UPDATE seal SET rows = 5 WHERE name = 'edit'", "table seal, field check" },
    { "DELETE FROM run", "table point, field reference: points nowhere" },
    { "UPDATE model SET json = x'00'", "table model, field check" },
  };
  g_autofree char *sample = make_sample (fixture->path);
  g_autofree char *good = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (fixture->path, &good, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      sqlite3 *db;

      g_assert_true (g_file_set_contents (fixture->path, good, (gssize) length, NULL));
      g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
      if (sqlite3_exec (db, cases[i].sql, NULL, NULL, NULL) != SQLITE_OK)
        g_error ("%s: %s", cases[i].sql, sqlite3_errmsg (db));
      sqlite3_close (db);
      assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, cases[i].part);
    }
}

/* A page deep inside is not a page: SQLite's own check tells. */
static void
test_broken_page (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autofree char *sample = make_sample (fixture->path);
  g_autofree char *junk = g_strnfill (4096, 'x');

  patch_file (fixture->path, 4096, junk, 4096);
  assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is damaged");
}

/* The model is checked again when it is read; what does not unpack is told as damage. */
static void
test_model_damage (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *sample = make_sample (fixture->path);
  g_autoptr (MtProject) project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE model SET json = x'00' WHERE point = 1", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (db);
  g_assert_null (mt_project_dup_model (project, 1, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "table model, field check"));
}

static void
test_not_openable (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *pipe_path = g_build_filename (fixture->folder, "pipe", NULL);
  g_autofree char *loop = g_build_filename (fixture->folder, "loop", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *sample = NULL;

  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "cannot be opened");
  assert_refused (fixture->folder, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY, "cannot be opened");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  assert_refused (pipe_path, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "it is not a file");
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  assert_refused (loop, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS, "loop");
  sample = make_sample (fixture->path);
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_project_open (fixture->path, MT_PROJECT_DEFAULT, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (2000);
  g_cancellable_cancel (data);
  return NULL;
}

/* A file large enough that its check is still going on when the cancel comes. */
static void
test_cancel_check (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = create (fixture->path);
  GThread *thread;

  sample_fill (project, 0, 20, 200);
  g_clear_pointer (&project, mt_project_free);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  project = mt_project_open (fixture->path, MT_PROJECT_DEFAULT, cancellable, &error);
  g_thread_join (thread);
  /* A very quick machine may be through before. */
  if (project == NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_no_error (error);
}

/* --- others --- */

/* Runs @child in a process of its own; its exit code, or -1 when it was killed. */
static int
in_child (void (*child) (Fixture *), Fixture *fixture)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      child (fixture);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static void
child_is_refused (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  MtProject *read_only;

  if (mt_project_open (fixture->path, MT_PROJECT_DEFAULT, NULL, &error) != NULL)
    _exit (1);
  if (!g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED) || strstr (error->message, "open elsewhere") == NULL)
    _exit (2);
  read_only = mt_project_open (fixture->path, MT_PROJECT_READ_ONLY, NULL, NULL);
  if (read_only == NULL)
    _exit (3);
}

static void
child_dies_holding (Fixture *fixture)
{
  MtProject *project = mt_project_open (fixture->path, MT_PROJECT_DEFAULT, NULL, NULL);

  if (project == NULL)
    _exit (1);
  mt_project_begin (project, NULL);
  mt_project_set_text (project, MT_PROJECT_NOTE, "half", "done", NULL);
  kill (getpid (), SIGKILL);
}

static void
test_two_processes (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *before = make_sample (fixture->path);
  g_autofree char *after = NULL;
  MtProject *project = reopen (fixture->path, MT_PROJECT_DEFAULT);

  assert_refused (fixture->path, MT_ERROR, MT_ERROR_LOCKED, "open elsewhere");
  g_assert_cmpint (in_child (child_is_refused, fixture), ==, 0);
  /* Neither attempt took the lock away. */
  g_assert_cmpint (in_child (child_is_refused, fixture), ==, 0);
  mt_project_free (project);
  g_assert_cmpint (in_child (child_dies_holding, fixture), ==, -1);
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);
  mt_project_free (project);
  g_assert_cmpuint (count_others (fixture), ==, 0);
}

/* A foreign program keeps the database busy. */
static void
test_busy (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *sample = make_sample (fixture->path);
  g_autoptr (MtProject) project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_false (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_LOCKED);
  g_clear_error (&error);
  sqlite3_close (db);
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_no_error (error);
}

static void
assert_changed (MtProject *project)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_project_check_on_disk (project, NULL));
  g_assert_false (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_CHANGED);
}

static void
test_changed_on_disk (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autofree char *before = make_sample (fixture->path);
  g_autofree char *other = g_build_filename (fixture->folder, "other.minterm", NULL);
  g_autofree char *moved = g_build_filename (fixture->folder, "moved.minterm", NULL);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  MtProject *project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  sqlite3 *db;

  g_assert_true (mt_project_check_on_disk (project, &error));
  /* Renamed away: ours goes on elsewhere, or takes its place again when told to. */
  g_assert_cmpint (g_rename (fixture->path, moved), ==, 0);
  assert_changed (project);
  g_assert_false (mt_project_save_as (project, fixture->path, FALSE, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_CHANGED);
  g_clear_error (&error);
  g_assert_true (mt_project_save_as (project, fixture->path, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, "empty", "", &error));
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);

  /* Written into: what we hold is no longer ours to copy. */
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "DELETE FROM edit", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  assert_changed (project);
  g_assert_false (mt_project_save_as (project, other, TRUE, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_CHANGED);
  mt_project_free (project);
}

/* --- Save As --- */

static void
test_save_as (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *before = make_sample (fixture->path);
  g_autofree char *target = g_build_filename (fixture->folder, "copy.minterm", NULL);
  g_autofree char *link_path = g_build_filename (fixture->folder, "link.minterm", NULL);
  g_autofree char *original = NULL;
  g_autofree char *copied = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_autoptr (MtProject) left = NULL;
  struct stat st;

  g_assert_true (mt_project_save_as (project, fixture->path, FALSE, &error));
  g_assert_true (mt_project_save_as (project, target, FALSE, &error));
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (mt_project_get_path (project), "copy.minterm"));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "new", "here", &error));
  assert_refused (target, MT_ERROR, MT_ERROR_LOCKED, "open elsewhere");
  /* The first file is free again and as it was. */
  left = reopen (fixture->path, MT_PROJECT_DEFAULT);
  original = sample_dump (left);
  g_assert_cmpstr (original, ==, before);

  /* Onto one that is open: refused. Not open, and allowed: replaced through the link. */
  g_assert_false (mt_project_save_as (project, fixture->path, TRUE, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_LOCKED);
  g_clear_error (&error);
  g_clear_pointer (&left, mt_project_free);
  g_assert_false (mt_project_save_as (project, fixture->path, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_cmpint (chmod (fixture->path, 0640), ==, 0);
  g_assert_cmpint (symlink ("heart.minterm", link_path), ==, 0);
  g_assert_true (mt_project_save_as (project, link_path, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (stat (fixture->path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0640);
  copied = sample_dump (project);
  g_assert_nonnull (strstr (copied, "text 1 new: here"));
  g_assert_cmpuint (count_others (fixture), ==, 2);
  g_assert_false (mt_project_save_as (project, fixture->folder, TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);
  g_assert_false (mt_project_save_as (project, "/nowhere/at/all", TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "still", "alive", NULL));
}

/* A read-only project gets a name of its own and can be changed there. */
static void
test_save_read_only_as (Fixture       *fixture,
                        gconstpointer  data)
{
  g_autofree char *before = make_sample (fixture->path);
  g_autofree char *target = g_build_filename (fixture->folder, "copy.minterm", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = reopen (fixture->path, MT_PROJECT_READ_ONLY);

  g_assert_true (mt_project_save_as (project, target, FALSE, &error));
  g_assert_false (mt_project_is_read_only (project));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error));
  g_assert_no_error (error);
}

/* --- recovery --- */

static void
child_leaves_unsaved (Fixture *fixture)
{
  MtProject *project = mt_project_create_unsaved (NULL);
  struct stat st;

  if (project == NULL || !mt_project_is_unsaved (project))
    _exit (1);
  sample_fill (project, 0, 1, 2);
  if (stat (mt_project_get_path (project), &st) != 0 || (st.st_mode & 07777) != 0600)
    _exit (2);
  kill (getpid (), SIGKILL);
}

static void
child_leaves_empty (Fixture *fixture)
{
  mt_project_create_unsaved (NULL);
  kill (getpid (), SIGKILL);
}

static guint
n_recoverable (void)
{
  g_autoptr (GPtrArray) list = mt_project_list_recoverable ();

  return list->len;
}

static void
test_recovery (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *damaged = g_build_filename (g_get_user_state_dir (), "minterm", "recovery", "x.minterm", NULL);
  g_autofree char *note = g_build_filename (g_get_user_state_dir (), "minterm", "recovery", "note.txt", NULL);
  g_autofree char *dump = NULL;
  MtProject *project;

  g_assert_cmpuint (n_recoverable (), ==, 0);
  g_assert_cmpint (in_child (child_leaves_unsaved, fixture), ==, -1);
  g_assert_cmpint (in_child (child_leaves_unsaved, fixture), ==, -1);
  g_assert_cmpint (in_child (child_leaves_empty, fixture), ==, -1);
  list = mt_project_list_recoverable ();
  g_assert_cmpuint (list->len, ==, 2);

  /* Taken up, it belongs to us and is not offered; saved, it is gone from there. */
  project = reopen (list->pdata[0], MT_PROJECT_DEFAULT);
  g_assert_true (mt_project_is_unsaved (project));
  g_assert_cmpuint (n_recoverable (), ==, 1);
  g_assert_true (mt_project_save_as (project, fixture->path, FALSE, &error));
  g_assert_no_error (error);
  g_assert_false (mt_project_is_unsaved (project));
  g_assert_false (g_file_test (list->pdata[0], G_FILE_TEST_EXISTS));
  dump = sample_dump (project);
  g_assert_nonnull (strstr (dump, "generation 0"));
  mt_project_free (project);

  /* Declined, it is deleted; anything else is not ours to delete. */
  g_assert_false (mt_project_remove_recoverable (fixture->path, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_true (mt_project_remove_recoverable (list->pdata[1], &error));
  g_assert_false (mt_project_remove_recoverable (list->pdata[1], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpuint (n_recoverable (), ==, 0);

  /* Closed on purpose without content, or thrown away: nothing stays. */
  mt_project_free (mt_project_create_unsaved (&error));
  project = mt_project_create_unsaved (&error);
  sample_fill (project, 0, 1, 1);
  g_assert_true (mt_project_begin (project, &error));
  mt_project_discard (project);
  g_assert_cmpuint (n_recoverable (), ==, 0);
  g_assert_true (g_file_set_contents (damaged, "not a project", -1, NULL));
  g_assert_true (g_file_set_contents (note, "not ours", -1, NULL));
  g_assert_cmpuint (n_recoverable (), ==, 1);
  g_assert_cmpint (g_remove (note), ==, 0);
  g_assert_true (mt_project_remove_recoverable (damaged, &error));
  g_assert_no_error (error);
}

/* Closing: a project with a name stays whatever is done; only looking changes nothing. */
static void
test_closing (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sample = make_sample (fixture->path);
  g_autofree char *unsaved = NULL;
  MtProject *project = reopen (fixture->path, MT_PROJECT_DEFAULT);

  mt_project_discard (project);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
  project = mt_project_create_unsaved (&error);
  g_assert_no_error (error);
  unsaved = g_strdup (mt_project_get_path (project));
  mt_project_free (reopen (unsaved, MT_PROJECT_READ_ONLY));
  mt_project_discard (reopen (unsaved, MT_PROJECT_READ_ONLY));
  g_assert_true (g_file_test (unsaved, G_FILE_TEST_EXISTS));
  g_assert_false (mt_project_remove_recoverable ("/nowhere/at/all", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_true (mt_project_begin (project, NULL));
  mt_project_discard (project);
  g_assert_false (g_file_test (unsaved, G_FILE_TEST_EXISTS));
  mt_project_free (NULL);
  mt_project_source_free (NULL);
  mt_project_run_free (NULL);
  mt_project_edit_free (NULL);
  mt_file_writer_free (NULL);
}

/* --- places --- */

static void
child_in_read_only_place (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *target = g_build_filename (fixture->folder, "new.minterm", NULL);
  MtProject *project;

  if (geteuid () == 0 && setresuid (65534, 65534, 65534) != 0)
    _exit (77);
  if (mt_project_open (fixture->path, MT_PROJECT_DEFAULT, NULL, &error) != NULL)
    _exit (1);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    _exit (2);
  g_clear_error (&error);
  if (mt_project_create (target, &error) != NULL)
    _exit (3);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
      strstr (error->message, "choose another place") == NULL)
    _exit (4);
  project = mt_project_open (fixture->path, MT_PROJECT_READ_ONLY, NULL, NULL);
  if (project == NULL)
    _exit (5);
}

/* The file may be written, but its folder has no room for the journal. */
static void
child_in_folder_without_journal (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  MtProject *project;

  if (geteuid () == 0 && setresuid (65534, 65534, 65534) != 0)
    _exit (77);
  project = mt_project_open (fixture->path, MT_PROJECT_DEFAULT, NULL, &error);
  if (project == NULL)
    _exit (1);
  if (mt_project_set_text (project, MT_PROJECT_NOTE, "a", "b", &error))
    _exit (2);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    _exit (3);
}

static void
test_read_only_place (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autofree char *sample = make_sample (fixture->path);
  int code, second;

  g_assert_cmpint (chmod (fixture->path, 0444), ==, 0);
  g_assert_cmpint (chmod (fixture->folder, 0555), ==, 0);
  code = in_child (child_in_read_only_place, fixture);
  g_assert_cmpint (chmod (fixture->path, 0666), ==, 0);
  second = in_child (child_in_folder_without_journal, fixture);
  g_assert_cmpint (chmod (fixture->folder, 0755), ==, 0);
  if (code == 77)
    {
      g_test_skip ("cannot give up root's rights here");
      return;
    }
  g_assert_cmpint (code, ==, 0);
  g_assert_cmpint (second, ==, 0);
}

static void
test_source (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *csv = g_build_filename (fixture->folder, "a.csv", NULL);
  g_autofree char *sha256 = g_strnfill (64, '0');
  MtProjectSource source = { csv, 4, 0, sha256 };
  MtFileStamp stamp;
  MtProjectSource wrong = { csv, 4, 0, (char *) "12" };
  g_autoptr (MtProject) project = create (fixture->path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (csv, "a\n1\n", -1, NULL));
  g_assert_true (mt_file_stamp (csv, &stamp));
  source.modified = stamp.changed / 1000;
  g_assert_cmpint (mt_project_source_check (&source), ==, MT_SOURCE_SAME);
  source.modified++;
  g_assert_cmpint (mt_project_source_check (&source), ==, MT_SOURCE_TOUCHED);
  g_assert_cmpint (g_remove (csv), ==, 0);
  g_assert_cmpint (mt_project_source_check (&source), ==, MT_SOURCE_GONE);
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
  g_autoptr (MtProject) project = create (fixture->path);
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
  g_autoptr (MtProject) project = create (fixture->path);
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

/* A project of any version must open forever. MINTERM_GENERATE=1 writes that of this one anew. */
static void
test_version (Fixture *fixture,
              guint    version)
{
  g_autofree char *stem = g_strdup_printf ("version-%u", version);
  g_autofree char *name = g_strconcat (stem, ".minterm", NULL);
  g_autofree char *words = g_strconcat (stem, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "projects", name, NULL);
  g_autofree char *text = g_test_build_filename (G_TEST_DIST, "projects", words, NULL);
  g_autofree char *expected = NULL;
  g_autofree char *dump = NULL;
  g_autoptr (MtProject) project = NULL;

  if (g_getenv ("MINTERM_GENERATE") != NULL && version == MT_PROJECT_VERSION)
    {
      g_remove (path);
      dump = make_sample (path);
      g_assert_true (g_file_set_contents (text, dump, -1, NULL));
      g_free (g_steal_pointer (&dump));
    }
  project = reopen (path, MT_PROJECT_READ_ONLY);
  dump = sample_dump (project);
  g_assert_true (g_file_get_contents (text, &expected, NULL, NULL));
  g_assert_cmpstr (dump, ==, expected);
}

static void
test_version_1 (Fixture       *fixture,
                gconstpointer  data)
{
  test_version (fixture, 1);
}

static void
test_version_2 (Fixture       *fixture,
                gconstpointer  data)
{
  test_version (fixture, 2);
}

static guint
version_of (const char *path)
{
  g_autofree char *bytes = NULL;

  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  return (guint) bytes[63];
}

/* Looking at an old file leaves it alone; the first change brings it up, with all that it holds; and one that
 * is taken back leaves it old. */
static void
test_upgrade (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *old = g_test_build_filename (G_TEST_DIST, "projects", "version-1.minterm", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *untouched = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *again = NULL;
  g_autoptr (MtProjectDismissal) leak = mt_project_dismissal_new ("leak", "id", "known", "Ann Example", 1700000000);
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GError) error = NULL;
  gsize length, n_untouched;

  g_assert_true (g_file_get_contents (old, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (fixture->path, bytes, (gssize) length, NULL));
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  before = sample_dump (project);
  g_assert_true (mt_project_begin (project, &error));
  g_assert_true (mt_project_set_dismissal (project, leak, &error));
  mt_project_rollback (project);
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);
  g_assert_true (g_file_get_contents (fixture->path, &untouched, &n_untouched, NULL));
  g_assert_cmpmem (untouched, n_untouched, bytes, length);

  g_assert_true (mt_project_set_dismissal (project, leak, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (version_of (fixture->path), ==, 2);
  g_clear_pointer (&project, mt_project_free);
  project = reopen (fixture->path, MT_PROJECT_DEFAULT);
  again = sample_dump (project);
  g_assert_nonnull (strstr (again, "dismissal leak/id: known by 'Ann Example' 1700000000\n"));
  g_assert_nonnull (strstr (again, "dismissal few-rows/: a pilot by '' 0\n"));
  g_assert_true (mt_project_take_dismissal_back (project, "leak", "id", &error));
  g_free (g_steal_pointer (&again));
  again = sample_dump (project);
  g_assert_cmpstr (again, ==, before);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("minterm-state-XXXXXX", NULL);
  g_autofree char *minterm = g_build_filename (state, "minterm", NULL);
  g_autofree char *recovery = g_build_filename (minterm, "recovery", NULL);
  int result;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("/project/round-trip", test_round_trip);
  ADD ("/project/nothing-there", test_nothing_there);
  ADD ("/project/doubles", test_doubles);
  ADD ("/project/one-change", test_one_change);
  ADD ("/project/texts", test_texts);
  ADD ("/project/runs", test_runs);
  ADD ("/project/marks", test_marks);
  ADD ("/project/header", test_header);
  ADD ("/project/strangers", test_strangers);
  ADD ("/project/broken-page", test_broken_page);
  ADD ("/project/model-damage", test_model_damage);
  ADD ("/project/not-openable", test_not_openable);
  ADD ("/project/cancel-check", test_cancel_check);
  ADD ("/project/two-processes", test_two_processes);
  ADD ("/project/busy", test_busy);
  ADD ("/project/changed-on-disk", test_changed_on_disk);
  ADD ("/project/save-as", test_save_as);
  ADD ("/project/save-read-only-as", test_save_read_only_as);
  ADD ("/project/recovery", test_recovery);
  ADD ("/project/closing", test_closing);
  ADD ("/project/read-only-place", test_read_only_place);
  ADD ("/project/source", test_source);
  ADD ("/project/dialect", test_dialect);
  ADD ("/project/schema", test_schema);
  ADD ("/project/version-1", test_version_1);
  ADD ("/project/version-2", test_version_2);
  ADD ("/project/upgrade", test_upgrade);
  result = g_test_run ();
  g_rmdir (recovery);
  g_rmdir (minterm);
  g_rmdir (state);
  return result;
}
