/* A project among others: processes, copies, work that was never saved, and places that cannot be written to. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-file.h"
#include "project-fixture.h"
#include "project-sample.h"

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
  g_autofree char *before = project_make_sample (fixture->path);
  g_autofree char *after = NULL;
  MtProject *project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);

  project_assert_refused (fixture->path, MT_ERROR, MT_ERROR_LOCKED, "open elsewhere");
  g_assert_cmpint (in_child (child_is_refused, fixture), ==, 0);
  /* Neither attempt took the lock away. */
  g_assert_cmpint (in_child (child_is_refused, fixture), ==, 0);
  mt_project_free (project);
  g_assert_cmpint (in_child (child_dies_holding, fixture), ==, -1);
  project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  after = sample_dump (project);
  g_assert_cmpstr (after, ==, before);
  mt_project_free (project);
  g_assert_cmpuint (project_count_others (fixture), ==, 0);
}

/* A foreign program keeps the database busy. */
static void
test_busy (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *sample = project_make_sample (fixture->path);
  g_autoptr (MtProject) project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_autofree char *before = project_make_sample (fixture->path);
  g_autofree char *other = g_build_filename (fixture->folder, "other.minterm", NULL);
  g_autofree char *moved = g_build_filename (fixture->folder, "moved.minterm", NULL);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  MtProject *project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_autofree char *before = project_make_sample (fixture->path);
  g_autofree char *target = g_build_filename (fixture->folder, "copy.minterm", NULL);
  g_autofree char *link_path = g_build_filename (fixture->folder, "link.minterm", NULL);
  g_autofree char *original = NULL;
  g_autofree char *copied = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
  g_autoptr (MtProject) left = NULL;
  struct stat st;

  g_assert_true (mt_project_save_as (project, fixture->path, FALSE, &error));
  g_assert_true (mt_project_save_as (project, target, FALSE, &error));
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (mt_project_get_path (project), "copy.minterm"));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "new", "here", &error));
  project_assert_refused (target, MT_ERROR, MT_ERROR_LOCKED, "open elsewhere");
  /* The first file is free again and as it was. */
  left = project_reopen (fixture->path, MT_PROJECT_DEFAULT);
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
  g_assert_cmpuint (project_count_others (fixture), ==, 2);
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
  g_autofree char *before = project_make_sample (fixture->path);
  g_autofree char *target = g_build_filename (fixture->folder, "copy.minterm", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = project_reopen (fixture->path, MT_PROJECT_READ_ONLY);

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
  project = project_reopen (list->pdata[0], MT_PROJECT_DEFAULT);
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
  g_autofree char *sample = project_make_sample (fixture->path);
  g_autofree char *unsaved = NULL;
  MtProject *project = project_reopen (fixture->path, MT_PROJECT_DEFAULT);

  mt_project_discard (project);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
  project = mt_project_create_unsaved (&error);
  g_assert_no_error (error);
  unsaved = g_strdup (mt_project_get_path (project));
  mt_project_free (project_reopen (unsaved, MT_PROJECT_READ_ONLY));
  mt_project_discard (project_reopen (unsaved, MT_PROJECT_READ_ONLY));
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
      strstr (error->message, "choose another location") == NULL)
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
  g_autofree char *sample = project_make_sample (fixture->path);
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

#define ADD(name, function) g_test_add (name, Fixture, NULL, project_set_up, function, project_tear_down)

static void
add_tests (void)
{
  ADD ("/project/two-processes", test_two_processes);
  ADD ("/project/busy", test_busy);
  ADD ("/project/changed-on-disk", test_changed_on_disk);
  ADD ("/project/save-as", test_save_as);
  ADD ("/project/save-read-only-as", test_save_read_only_as);
  ADD ("/project/recovery", test_recovery);
  ADD ("/project/closing", test_closing);
  ADD ("/project/read-only-place", test_read_only_place);
}

int
main (int    argc,
      char **argv)
{
  return project_run_tests (argc, argv, add_tests);
}
