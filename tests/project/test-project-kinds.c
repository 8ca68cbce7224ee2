/* Files that are no project, or a broken one, or one of another version. */
#include "config.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "project-fixture.h"
#include "project-sample.h"

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
  g_autofree char *sample = project_make_sample (fixture->path);
  static const struct { guint offset; const char *bytes; guint length; int code; const char *part; } cases[] = {
    { 60, "\0\0\0\3", 4, MT_ERROR_NEWER, "saved by a newer version of Minterm" },
    { 60, "\377\377\377\377", 4, MT_ERROR_NEWER, "saved by a newer version of Minterm" },
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
      project_assert_refused (fixture->path, MT_ERROR, cases[i].code, cases[i].part);
    }
  g_assert_true (g_file_set_contents (fixture->path, "Age,Sex\n1,2\n", -1, NULL));
  project_assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is not a Minterm project");
  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  project_assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is not a Minterm project");
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
    { "DELETE FROM run", "table point, field reference: refers to a row that does not exist" },
    { "UPDATE model SET json = x'00'", "table model, field check" },
  };
  g_autofree char *sample = project_make_sample (fixture->path);
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
      project_assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, cases[i].part);
    }
}

/* A page deep inside is not a page: SQLite's own check tells. */
static void
test_broken_page (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autofree char *sample = project_make_sample (fixture->path);
  g_autofree char *junk = g_strnfill (4096, 'x');

  patch_file (fixture->path, 4096, junk, 4096);
  project_assert_refused (fixture->path, MT_ERROR, MT_ERROR_PARSE, "is damaged");
}

/* The model is checked again when it is read; what does not unpack is told as damage. */
static void
test_model_damage (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *sample = project_make_sample (fixture->path);
  g_autoptr (MtProject) project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
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

  project_assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "cannot be opened");
  project_assert_refused (fixture->folder, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY, "cannot be opened");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  project_assert_refused (pipe_path, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "it is not a file");
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  project_assert_refused (loop, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS, "loop");
  sample = project_make_sample (fixture->path);
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
  g_autoptr (MtProject) project = project_create (fixture->path);
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
      dump = project_make_sample (path);
      g_assert_true (g_file_set_contents (text, dump, -1, NULL));
      g_free (g_steal_pointer (&dump));
    }
  project = project_reopen (path, MT_PROJECT_READ_ONLY);
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
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  again = sample_dump (project);
  g_assert_nonnull (strstr (again, "dismissal leak/id: known by 'Ann Example' 1700000000\n"));
  g_assert_nonnull (strstr (again, "dismissal few-rows/: a pilot by '' 0\n"));
  g_assert_true (mt_project_take_dismissal_back (project, "leak", "id", &error));
  g_free (g_steal_pointer (&again));
  again = sample_dump (project);
  g_assert_cmpstr (again, ==, before);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, project_set_up, function, project_tear_down)

static void
add_tests (void)
{
  ADD ("/project/header", test_header);
  ADD ("/project/strangers", test_strangers);
  ADD ("/project/broken-page", test_broken_page);
  ADD ("/project/model-damage", test_model_damage);
  ADD ("/project/not-openable", test_not_openable);
  ADD ("/project/cancel-check", test_cancel_check);
  ADD ("/project/version-1", test_version_1);
  ADD ("/project/version-2", test_version_2);
  ADD ("/project/upgrade", test_upgrade);
}

int
main (int    argc,
      char **argv)
{
  return project_run_tests (argc, argv, add_tests);
}
