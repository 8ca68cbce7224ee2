#include "config.h"
#include "base/mt-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <glib/gstdio.h>

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
  fixture->path = g_build_filename (fixture->folder, "model.json", NULL);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
write_text (const char  *path,
            const char  *text,
            MtFileFlags  flags)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (mt_file_write (path, text, strlen (text), flags, &error));
  g_assert_no_error (error);
}

static void
assert_text (const char *path,
             const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_refused (const char *path,
                int         code,
                const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_file_write (path, "x", 1, MT_FILE_REPLACE, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_replaces (Fixture       *fixture,
               gconstpointer  data)
{
  struct stat st;

  write_text (fixture->path, "old", MT_FILE_PRIVATE);
  g_assert_cmpint (stat (fixture->path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0600);
  g_assert_cmpint (chmod (fixture->path, 0640), ==, 0);
  write_text (fixture->path, "a longer text", MT_FILE_REPLACE);
  assert_text (fixture->path, "a longer text");
  g_assert_cmpint (stat (fixture->path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0640);
  write_text (fixture->path, "", MT_FILE_REPLACE);
  assert_text (fixture->path, "");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
test_abandoned (Fixture       *fixture,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  MtFileWriter *writer;

  write_text (fixture->path, "old", MT_FILE_REPLACE);
  writer = mt_file_writer_new (fixture->path, MT_FILE_REPLACE, 1000, &error);
  g_assert_no_error (error);
  g_assert_true (mt_file_writer_write (writer, "new", 3, &error));
  g_assert_cmpuint (count_files (fixture->folder), ==, 2);
  /* A second writer leaves the temporary file of a living one alone. */
  mt_file_remove_stale (fixture->path);
  g_assert_cmpuint (count_files (fixture->folder), ==, 2);
  mt_file_writer_free (writer);
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
  assert_text (fixture->path, "old");
}

/* More was reserved than written: the rest must not become zeros. */
static void
test_hint_too_large (Fixture       *fixture,
                     gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFileWriter) writer = mt_file_writer_new (fixture->path, MT_FILE_NEW, 65536, &error);
  int fd;

  g_assert_no_error (error);
  g_assert_true (mt_file_writer_write (writer, "short", 5, &error));
  g_assert_true (mt_file_writer_commit (writer, &error));
  assert_text (fixture->path, "short");
  g_assert_true (g_str_has_suffix (mt_file_writer_get_path (writer), "model.json"));
  fd = mt_file_writer_steal_fd (writer);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static void
test_new_only (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFileWriter) writer = mt_file_writer_new (fixture->path, MT_FILE_NEW, 0, &error);

  g_assert_no_error (error);
  g_assert_true (mt_file_writer_write (writer, "late", 4, &error));
  /* Somebody else was quicker: found at the rename. */
  write_text (fixture->path, "first", MT_FILE_NEW);
  g_assert_false (mt_file_writer_commit (writer, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (mt_file_write (fixture->path, "x", 1, MT_FILE_NEW, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_nonnull (strstr (error->message, "already exists"));
  assert_text (fixture->path, "first");
}

static void
test_links (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *link_path = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *broken = g_build_filename (fixture->folder, "broken", NULL);
  g_autofree char *loop = g_build_filename (fixture->folder, "loop", NULL);

  write_text (fixture->path, "old", MT_FILE_REPLACE);
  g_assert_cmpint (symlink ("model.json", link_path), ==, 0);
  g_assert_cmpint (symlink ("nothing", broken), ==, 0);
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  write_text (link_path, "new", MT_FILE_REPLACE);
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
  assert_text (fixture->path, "new");
  assert_refused (broken, G_IO_ERROR_NOT_FOUND, "links to a file that does not exist");
  assert_refused (loop, G_IO_ERROR_TOO_MANY_LINKS, "cannot be written");
}

static void
test_strange_targets (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autofree char *pipe_path = g_build_filename (fixture->folder, "pipe", NULL);
  g_autofree char *inside = g_build_filename (fixture->path, "x", NULL);
  g_autofree char *nowhere = g_build_filename (fixture->folder, "none", "x", NULL);
  g_autofree char *strange = g_build_filename (fixture->folder, "line\nbreak \xff", NULL);
  g_autofree char *a = g_strnfill (5000, 'a');
  g_autofree char *too_long = g_build_filename (fixture->folder, a, NULL);
  g_autofree char *longest_name = g_strnfill (255, 'b');
  g_autofree char *longest = g_build_filename (fixture->folder, longest_name, NULL);

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  assert_refused (fixture->folder, G_IO_ERROR_IS_DIRECTORY, "a folder");
  assert_refused (pipe_path, G_IO_ERROR_NOT_REGULAR_FILE, "a pipe");
  assert_refused ("/dev/full", G_IO_ERROR_NOT_REGULAR_FILE, "a device");
  assert_refused (too_long, G_IO_ERROR_FILENAME_TOO_LONG, "cannot be written");
  assert_refused (nowhere, G_IO_ERROR_NOT_FOUND, "cannot be written");
  write_text (fixture->path, "old", MT_FILE_REPLACE);
  assert_refused (inside, G_IO_ERROR_NOT_DIRECTORY, "cannot be written");
  write_text (strange, "odd name", MT_FILE_REPLACE);
  assert_text (strange, "odd name");
  write_text (longest, "long name", MT_FILE_REPLACE);
  assert_text (longest, "long name");
}

/* Runs @child in a process of its own and returns its exit code. */
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
child_without_rights (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0 && setresuid (65534, 65534, 65534) != 0)
    _exit (77);
  if (mt_file_write (fixture->path, "x", 1, MT_FILE_REPLACE, &error))
    _exit (1);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
      strstr (error->message, "choose another location") == NULL)
    _exit (2);
}

static void
test_read_only_folder (Fixture       *fixture,
                       gconstpointer  data)
{
  int code;

  write_text (fixture->path, "old", MT_FILE_REPLACE);
  g_assert_cmpint (chmod (fixture->folder, 0555), ==, 0);
  code = in_child (child_without_rights, fixture);
  g_assert_cmpint (chmod (fixture->folder, 0755), ==, 0);
  if (code == 77)
    {
      g_test_skip ("cannot give up root's rights here");
      return;
    }
  g_assert_cmpint (code, ==, 0);
  assert_text (fixture->path, "old");
}

/* A limit on the size of files stands for a full disk: same place, same message. */
static void
child_with_limit (Fixture *fixture)
{
  struct rlimit limit = { 4096, 4096 };
  g_autoptr (GError) error = NULL;
  g_autofree char *big = g_strnfill (10000, 'x');
  MtFileWriter *writer;

  signal (SIGXFSZ, SIG_IGN);
  if (setrlimit (RLIMIT_FSIZE, &limit) != 0)
    _exit (77);
  if (mt_file_write (fixture->path, big, 10000, MT_FILE_REPLACE, &error))
    _exit (1);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE) || strstr (error->message, "file size limit") == NULL)
    _exit (2);
  g_clear_error (&error);
  writer = mt_file_writer_new (fixture->path, MT_FILE_REPLACE, 0, &error);
  if (writer == NULL || mt_file_writer_write (writer, big, 10000, &error))
    _exit (3);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    _exit (4);
  mt_file_writer_free (writer);
}

static void
test_no_room (Fixture       *fixture,
              gconstpointer  data)
{
  write_text (fixture->path, "old", MT_FILE_REPLACE);
  g_assert_cmpint (in_child (child_with_limit, fixture), ==, 0);
  assert_text (fixture->path, "old");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
child_killed (Fixture *fixture)
{
  MtFileWriter *writer = mt_file_writer_new (fixture->path, MT_FILE_REPLACE, 0, NULL);

  mt_file_writer_write (writer, "half", 4, NULL);
  kill (getpid (), SIGKILL);
}

static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  write_text (fixture->path, "old", MT_FILE_REPLACE);
  g_assert_cmpint (in_child (child_killed, fixture), ==, -1);
  assert_text (fixture->path, "old");
  g_assert_cmpuint (count_files (fixture->folder), ==, 2);
  mt_file_remove_stale (fixture->path);
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
test_stamp (Fixture       *fixture,
            gconstpointer  data)
{
  MtFileStamp before, same, after;

  g_assert_false (mt_file_stamp (fixture->path, &before));
  write_text (fixture->path, "old", MT_FILE_REPLACE);
  g_assert_true (mt_file_stamp (fixture->path, &before));
  g_assert_true (mt_file_stamp (fixture->path, &same));
  g_assert_true (mt_file_stamp_equal (&before, &same));
  write_text (fixture->path, "new", MT_FILE_REPLACE);
  g_assert_true (mt_file_stamp (fixture->path, &after));
  g_assert_false (mt_file_stamp_equal (&before, &after));
}

static void
test_lock (Fixture       *fixture,
           gconstpointer  data)
{
  int a, b;

  write_text (fixture->path, "x", MT_FILE_REPLACE);
  a = open (fixture->path, O_RDWR | O_CLOEXEC);
  b = open (fixture->path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (mt_file_lock (a), ==, MT_FILE_LOCK_GAINED);
  g_assert_cmpint (mt_file_lock (a), ==, MT_FILE_LOCK_GAINED);
  g_assert_cmpint (mt_file_lock (b), ==, MT_FILE_LOCK_HELD);
  close (a);
  g_assert_cmpint (mt_file_lock (b), ==, MT_FILE_LOCK_GAINED);
  close (b);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/file/replaces", test_replaces);
  ADD ("/file/abandoned", test_abandoned);
  ADD ("/file/hint-too-large", test_hint_too_large);
  ADD ("/file/new-only", test_new_only);
  ADD ("/file/links", test_links);
  ADD ("/file/strange-targets", test_strange_targets);
  ADD ("/file/read-only-folder", test_read_only_folder);
  ADD ("/file/no-room", test_no_room);
  ADD ("/file/killed", test_killed);
  ADD ("/file/stamp", test_stamp);
  ADD ("/file/lock", test_lock);
  return g_test_run ();
}
