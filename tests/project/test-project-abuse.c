/* What a project must survive: kills at any moment, every failing call of the file system,
 * a full disk, and files that are not what they were. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-random.h"
#include "project-sample.h"
#include "testutils.h"

static char *
dump_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);

  g_assert_no_error (error);
  return sample_dump (project);
}

static char *
make_generation (const char *path,
                 guint       generation,
                 guint       n_runs,
                 guint       n_points)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_create (path, &error);

  g_assert_no_error (error);
  sample_fill (project, 0, n_runs, n_points);
  if (generation != 0)
    sample_fill (project, generation, n_runs, n_points);
  return sample_dump (project);
}

#define MOST_MEMORY (64u * 1024 * 1024)   /* of a reader, besides twice the file */

/* --- kill -9 --- */

typedef void (*SaveFunc) (const char *path, const char *other);

/* Changes everything in place, for ever. */
static void
save_in_place (const char *path,
               const char *other)
{
  MtProject *project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, NULL);

  for (guint generation = (guint) getpid (); project != NULL; generation++)
    sample_fill (project, 1 + generation % 2, 2, 20);
}

/* Copies two projects over the same target by turns. */
static void
save_over (const char *path,
           const char *other)
{
  while (TRUE)
    for (guint i = 0; i < 2; i++)
      {
        MtProject *project = mt_project_open (i == 0 ? other : path, MT_PROJECT_READ_ONLY, NULL, NULL);
        g_autofree char *target = g_strconcat (path, ".copy.minterm", NULL);

        if (project == NULL || !mt_project_save_as (project, target, TRUE, NULL))
          _exit (1);
        mt_project_free (project);
      }
}

/* The text up to the first run names the generation; every part of it must be the same. */
static void
assert_one_generation (const char *dump)
{
  g_autofree char *tag = NULL;
  const char *found = strstr (dump, "generation ");
  guint n = 0;

  g_assert_nonnull (found);
  tag = g_strndup (found, strlen ("generation 0"));
  for (const char *p = dump; (p = strstr (p, "generation ")) != NULL; p++)
    if (strncmp (strchr (dump, '\n') < p ? p : tag, tag, strlen (tag)) == 0)
      n++;
  /* Page, a dismissal and two runs; the edit is always of the first. */
  g_assert_cmpuint (n, >=, 4);
}

static void
kill_while (SaveFunc    save,
            const char *suffix)
{
  guint n_kills = g_test_slow () ? 200 : 10;
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *other = g_build_filename (folder, "b.minterm", NULL);
  g_autofree char *target = g_strconcat (path, suffix, NULL);
  g_autofree char *old = make_generation (path, 1, 2, 20);
  g_autofree char *new = make_generation (other, 2, 2, 20);
  guint n_old = 0, n_new = 0;
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint i = 0; i < n_kills; i++)
    {
      pid_t pid = fork ();
      int status;
      g_autofree char *dump = NULL;

      g_assert_cmpint (pid, >=, 0);
      if (pid == 0)
        {
          save (path, other);
          _exit (1);
        }
      g_usleep (20000 + mt_random_below (&random, 60000));
      kill (pid, SIGKILL);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status));
      if (!g_file_test (target, G_FILE_TEST_EXISTS))
        continue;   /* killed before the first copy was whole */
      dump = dump_file (target);
      assert_one_generation (dump);
      if (strstr (dump, "text 2 page: generation 1") != NULL)
        n_old++;
      else
        n_new++;
    }
  g_test_message ("%u kills: %u found the old content, %u the new", n_kills, n_old, n_new);
  g_assert_cmpuint (n_old + n_new, >, 0);
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, *suffix != '\0' ? 3 : 2);
}

static void
test_kill_in_place (void)
{
  kill_while (save_in_place, "");
}

static void
test_kill_copy (void)
{
  kill_while (save_over, ".copy.minterm");
}

/* --- the n-th call fails --- */

static struct {
  guint countdown;          /* 0: nothing fails */
  gboolean hit;
  int   code;               /* of a failing write */
  int (*open) (sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
  int (*remove) (sqlite3_vfs *, const char *, int);
  const sqlite3_io_methods *real[2];   /* the database's, which locks; the journal's, which does not */
  sqlite3_io_methods methods[2];
} fault;

static const sqlite3_io_methods *
real_of (sqlite3_file *file)
{
  return fault.real[file->pMethods == &fault.methods[0] ? 0 : 1];
}

static gboolean
fails_now (void)
{
  if (fault.countdown == 0 || --fault.countdown > 0)
    return FALSE;
  fault.hit = TRUE;
  errno = fault.code == SQLITE_FULL ? ENOSPC : EIO;
  return TRUE;
}

static int
faulty_write (sqlite3_file *file, const void *data, int n, sqlite3_int64 offset)
{
  return fails_now () ? fault.code : real_of (file)->xWrite (file, data, n, offset);
}

static int
faulty_sync (sqlite3_file *file, int flags)
{
  return fails_now () ? SQLITE_IOERR_FSYNC : real_of (file)->xSync (file, flags);
}

static int
faulty_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  return fails_now () ? SQLITE_IOERR_TRUNCATE : real_of (file)->xTruncate (file, size);
}

static int
faulty_open (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  guint kind = flags & SQLITE_OPEN_MAIN_DB ? 0 : 1;
  int code;

  if (fails_now ())
    {
      file->pMethods = NULL;
      return SQLITE_CANTOPEN;
    }
  code = fault.open (vfs, name, file, flags, out_flags);
  if (code == SQLITE_OK && file->pMethods != NULL)
    {
      fault.real[kind] = file->pMethods;
      fault.methods[kind] = *file->pMethods;
      fault.methods[kind].xWrite = faulty_write;
      fault.methods[kind].xSync = faulty_sync;
      fault.methods[kind].xTruncate = faulty_truncate;
      file->pMethods = &fault.methods[kind];
    }
  return code;
}

static int
faulty_remove (sqlite3_vfs *vfs, const char *name, int sync)
{
  return fails_now () ? SQLITE_IOERR_DELETE : fault.remove (vfs, name, sync);
}

static void
fail_each_call (int code,
                int expected)
{
  static sqlite3_vfs vfs;
  sqlite3_vfs *usual = sqlite3_vfs_find (NULL);
  guint n = 0;

  vfs = *usual;
  vfs.zName = "faulty";
  vfs.xOpen = faulty_open;
  vfs.xDelete = faulty_remove;
  fault.open = usual->xOpen;
  fault.remove = usual->xDelete;
  fault.code = code;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, 1), ==, SQLITE_OK);
  do
    {
      g_autofree char *folder = mt_test_make_folder ();
      g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
      g_autofree char *before = make_generation (path, 1, 1, 8);
      g_autofree char *kept = NULL;
      g_autofree char *after = NULL;
      g_autofree char *reopened = NULL;
      g_autoptr (GError) error = NULL;
      MtProject *project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
      gboolean ok;

      g_assert_no_error (error);
      fault.countdown = ++n;
      fault.hit = FALSE;
      ok = mt_project_remove_run (project, 1, &error);
      fault.countdown = 0;
      if (!ok)
        {
          if (!fault.hit)
            g_error ("without a fault: %s", error->message);
          /* Only a failing write is what @code says; the rest are the disk's or the folder's. */
          if (error->code != G_IO_ERROR_NO_SPACE)
            g_assert_true (g_error_matches (error, G_IO_ERROR, expected) ||
                           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED) ||
                           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED));
          else
            {
              g_assert_cmpint (expected, ==, G_IO_ERROR_NO_SPACE);
              g_assert_nonnull (strstr (error->message, "a.minterm"));
            }
          g_clear_error (&error);
          kept = sample_dump (project);
          g_assert_cmpstr (kept, ==, before);
          if (!mt_project_remove_run (project, 1, &error))
            g_error ("trying again after fault %u: %s", n, error->message);
        }
      g_assert_no_error (error);
      after = sample_dump (project);
      g_assert_cmpstr (after, !=, before);
      mt_project_free (project);
      reopened = dump_file (path);
      g_assert_cmpstr (reopened, ==, after);
      g_assert_cmpuint (mt_test_remove_folder (folder), ==, 1);
    }
  while (fault.hit);
  sqlite3_vfs_unregister (&vfs);
  g_test_message ("%u calls failed in turn", n - 1);
  g_assert_cmpuint (n, >, 5);
}

static void
test_fault_full (void)
{
  fail_each_call (SQLITE_FULL, G_IO_ERROR_NO_SPACE);
}

static void
test_fault_io (void)
{
  fail_each_call (SQLITE_IOERR_WRITE, G_IO_ERROR_FAILED);
}

/* --- no room --- */

static int
in_child (void (*child) (const char *), const char *path)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      child (path);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

/* Fills the place. The error must name the path and say @why; then the project goes on. */
static int
grow_until_full (const char *path,
                 const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) big = g_string_new (NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *copy = g_build_filename (folder, "copy.minterm", NULL);
  MtProject *project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (project == NULL)
    return 1;
  before = sample_dump (project);
  for (guint i = 0; i < 2000000; i++)
    g_string_append_c (big, (char) ('a' + i % 26));
  if (mt_project_set_text (project, MT_PROJECT_NOTE, "big", big->str, &error))
    return 2;
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE) || strstr (error->message, "a.minterm") == NULL ||
      strstr (error->message, why) == NULL)
    {
      g_printerr ("unexpected: %s\n", error->message);
      return 3;
    }
  g_clear_error (&error);
  after = sample_dump (project);
  if (strcmp (before, after) != 0)
    return 4;
  if (!mt_project_set_text (project, MT_PROJECT_NOTE, "small", "fits", &error))
    return 5;
  mt_project_free (project);
  return 0;
}

static void
child_with_limit (const char *path)
{
  struct rlimit limit = { 300000, 300000 };

  signal (SIGXFSZ, SIG_IGN);
  if (setrlimit (RLIMIT_FSIZE, &limit) != 0)
    _exit (77);
  _exit (grow_until_full (path, "file size limit"));
}

static void
test_size_limit (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *before = make_generation (path, 0, 1, 2);
  g_autofree char *after = NULL;

  g_assert_cmpint (in_child (child_with_limit, path), ==, 0);
  after = dump_file (path);
  g_assert_nonnull (strstr (after, "small: fits"));
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 1);
}

static void
test_disk_full (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *before = NULL;
  int code;

  if (mount ("tmpfs", folder, "tmpfs", 0, "size=512k") != 0)
    {
      g_autofree char *why = g_strdup_printf ("a tmpfs cannot be mounted here: %s", g_strerror (errno));

      g_test_skip (why);
      g_rmdir (folder);
      return;
    }
  before = make_generation (path, 0, 1, 2);
  code = grow_until_full (path, " needed, ");
  umount (folder);
  g_rmdir (folder);
  g_assert_cmpint (code, ==, 0);
}

/* --- files that are not what they were --- */

typedef struct {
  guint n_equal, n_refused;
} Verdicts;

static void
judge (const char   *path,
       const guint8 *bytes,
       gsize         length,
       const char   *expected,
       Verdicts     *verdicts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autofree char *dump = NULL;
  FILE *file = fopen (path, "we");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, length, file), ==, length);
  fclose (file);
  project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
  if (project == NULL)
    {
      g_assert_true (g_error_matches (error, MT_ERROR, MT_ERROR_PARSE) ||
                     g_error_matches (error, MT_ERROR, MT_ERROR_NEWER) ||
                     g_error_matches (error, MT_ERROR, MT_ERROR_BUDGET));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      verdicts->n_refused++;
      return;
    }
  dump = sample_dump (project);
  g_assert_cmpstr (dump, ==, expected);
  verdicts->n_equal++;
}

typedef struct {
  char     *folder;
  char     *path;
  char     *dump;
  guint8   *bytes;
  guint8   *work;
  gsize     length;
  MtRandom  random;
  Verdicts  verdicts;
} Mutants;

static void
mutants_set_up (Mutants       *self,
                gconstpointer  data)
{
  self->folder = mt_test_make_folder ();
  self->path = g_build_filename (self->folder, "a.minterm", NULL);
  self->dump = make_generation (self->path, 0, 2, 6);
  g_assert_true (g_file_get_contents (self->path, (char **) &self->bytes, &self->length, NULL));
  self->work = g_memdup2 (self->bytes, self->length);
  mt_random_init (&self->random, 5);
  mt_test_peak_begin ();
}

static void
mutants_tear_down (Mutants       *self,
                   gconstpointer  data)
{
  g_test_message ("%u refused, %u opened with equal content", self->verdicts.n_refused, self->verdicts.n_equal);
  g_assert_cmpuint (self->verdicts.n_refused, >, 0);
  mt_test_peak_end (2 * self->length + MOST_MEMORY);
  mt_test_remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->dump);
  g_free (self->bytes);
  g_free (self->work);
}

static void
test_flips (Mutants       *self,
            gconstpointer  data)
{
  guint n = g_test_slow () ? 10000 : 800;

  for (guint i = 0; i < n; i++)
    {
      gsize at;

      /* Half of them where something is written: most of a small database is empty. */
      do
        at = mt_random_below (&self->random, self->length);
      while (i % 2 == 0 && self->bytes[at] == 0);
      self->work[at] ^= (guint8) (1 << mt_random_below (&self->random, 8));
      judge (self->path, self->work, self->length, self->dump, &self->verdicts);
      self->work[at] = self->bytes[at];
    }
  /* The unchanged file is the control. */
  judge (self->path, self->bytes, self->length, self->dump, &self->verdicts);
  g_assert_cmpuint (self->verdicts.n_equal, >, 0);
}

static void
test_truncations (Mutants       *self,
                  gconstpointer  data)
{
  guint n = g_test_slow () ? 10000 : 300;

  for (guint i = 0; i < n; i++)
    judge (self->path, self->bytes, mt_random_below (&self->random, self->length), self->dump, &self->verdicts);
  g_assert_cmpuint (self->verdicts.n_equal, ==, 0);
}

static void
test_splices (Mutants       *self,
              gconstpointer  data)
{
  guint n = g_test_slow () ? 1000 : 150;

  for (guint i = 0; i < n; i++)
    {
      gsize length = 1 + mt_random_below (&self->random, i % 2 == 0 ? 64 : 8192);
      gsize from, to;

      length = MIN (length, self->length);
      from = mt_random_below (&self->random, self->length - length + 1);
      to = mt_random_below (&self->random, self->length - length + 1);
      if (i % 3 == 0)   /* whole pages change places */
        {
          length = 4096;
          from = from / 4096 * 4096;
          to = to / 4096 * 4096;
        }
      length = MIN (length, self->length - MAX (from, to));
      memcpy (self->work + to, self->bytes + from, length);
      judge (self->path, self->work, self->length, self->dump, &self->verdicts);
      memcpy (self->work, self->bytes, self->length);
    }
}

/* Numbers that a reader must not believe, at every place of the first pages' headers. */
static void
test_lengths (Mutants       *self,
              gconstpointer  data)
{
  static const guint8 numbers[][4] = {
    { 0x80, 0, 0, 0 }, { 0xff, 0xff, 0xff, 0xff }, { 0x7f, 0xff, 0xff, 0xff }, { 0, 0, 0, 0 }
  };

  for (gsize page = 0; page < self->length; page += 4096)
    for (gsize at = page; at < page + 24; at += 4)
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          memcpy (self->work + at, numbers[i], 4);
          judge (self->path, self->work, self->length, self->dump, &self->verdicts);
          memcpy (self->work + at, self->bytes + at, 4);
        }
}

/* --- two programs --- */

#define N_SAVES 50   /* each */

/* Opens, writes one note more, closes; as often as it takes, since the other one may have the file. */
static void
save_by_turns (const char *path,
               const char *who)
{
  for (guint i = 0; i < N_SAVES; i++)
    {
      g_autofree char *key = g_strdup_printf ("%s-%u", who, i);
      g_autoptr (GError) error = NULL;
      MtProject *project = NULL;

      while ((project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error)) == NULL &&
             g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED))
        {
          g_clear_error (&error);
          g_usleep (200);
        }
      if (project == NULL || !mt_project_set_text (project, MT_PROJECT_SETTING, key, who, &error))
        _exit (1);
      mt_project_free (project);
    }
  _exit (0);
}

static void
test_interleaved (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "shared.minterm", NULL);
  g_autofree char *before = make_generation (path, 1, 2, 20);
  static const char * const names[] = { "one", "two" };
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GError) error = NULL;
  pid_t pids[2];

  for (guint i = 0; i < 2; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        save_by_turns (path, names[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
    }
  project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2 * N_SAVES; i++)
    {
      g_autofree char *key = g_strdup_printf ("%s-%u", names[i % 2], i / 2);
      g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_SETTING, key, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (text, ==, names[i % 2]);
    }
  g_clear_pointer (&project, mt_project_free);
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 1);   /* and no more than that is left */
}

#define ADD_MUTANT(name, function) \
  g_test_add (name, Mutants, NULL, mutants_set_up, function, mutants_tear_down)

int
main (int    argc,
      char **argv)
{
  /* Thousands of files are synced; where that is memory, it takes no time. */
  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", FALSE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/project-abuse/kill-in-place", test_kill_in_place);
  g_test_add_func ("/project-abuse/kill-copy", test_kill_copy);
  g_test_add_func ("/project-abuse/interleaved", test_interleaved);
  g_test_add_func ("/project-abuse/fault-full", test_fault_full);
  g_test_add_func ("/project-abuse/fault-io", test_fault_io);
  g_test_add_func ("/project-abuse/size-limit", test_size_limit);
  g_test_add_func ("/project-abuse/disk-full", test_disk_full);
  ADD_MUTANT ("/project-abuse/flips", test_flips);
  ADD_MUTANT ("/project-abuse/truncations", test_truncations);
  ADD_MUTANT ("/project-abuse/splices", test_splices);
  ADD_MUTANT ("/project-abuse/lengths", test_lengths);
  return g_test_run ();
}
