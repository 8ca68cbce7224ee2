/* Arrays in memory and on disk: what is in them, what is counted, and that nothing stays behind. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-large.h"
#include "testutils.h"

#define MIB ((gsize) 1024 * 1024)

static guint n_notices;
static char *folder;

static void
begin (const char *limit)
{
  mt_large_forget ();
  g_setenv ("MINTERM_MEMORY", limit, TRUE);
  n_notices = 0;
}

static gsize
on_disk (void)
{
  MtLargeUse use;

  mt_large_get_use (&use);
  return use.n_disk;
}

static gsize
in_memory (void)
{
  MtLargeUse use;

  mt_large_get_use (&use);
  return use.n_memory;
}

static void
fill (guint8 *memory,
      gsize   n,
      guint   seed)
{
  for (gsize i = 0; i < n; i += 511)
    memory[i] = (guint8) (i / 511 * seed + seed);
}

static void
check (const guint8 *memory,
       gsize         n,
       guint         seed)
{
  for (gsize i = 0; i < n; i += 511)
    g_assert_cmpuint (memory[i], ==, (guint8) (i / 511 * seed + seed));
}

static void
take_notice (const MtLargeUse *use,
             gpointer          data)
{
  g_autofree char *text = mt_large_dup_notice (use);

  n_notices++;
  g_assert_cmpstr (use->folder, ==, folder);
  g_assert_true (g_str_has_prefix (text, "The rows need more than 16.8\u00a0MB of memory: part of them is kept in a file in "));
}

static void
test_limit (void)
{
  guint8 *small, *first, *second, *third;

  begin ("16M");
  mt_large_set_notice (take_notice, NULL);
  small = mt_large_new0 (100);
  first = mt_large_new0 (10 * MIB);
  g_assert_cmpuint (in_memory (), ==, 10 * MIB);
  g_assert_cmpuint (n_notices, ==, 0);
  second = mt_large_new0 (7 * MIB + 5);
  third = mt_large_new0 (8 * MIB);
  g_assert_cmpuint (on_disk (), ==, 15 * MIB + 64);
  g_assert_cmpuint (n_notices, ==, 1);
  for (gsize i = 0; i < 8 * MIB; i += 4096)
    g_assert_cmpuint (third[i], ==, 0);
  g_assert_cmpuint ((guintptr) small % 64, ==, 0);
  g_assert_cmpuint ((guintptr) third % 64, ==, 0);
  fill (first, 10 * MIB, 3);
  fill (second, 7 * MIB, 5);
  fill (third, 8 * MIB, 7);
  check (first, 10 * MIB, 3);
  check (second, 7 * MIB, 5);
  check (third, 8 * MIB, 7);
  /* Nothing with a name, already now. */
  {
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

    g_assert_null (g_dir_read_name (dir));
  }
  mt_large_free (first);
  mt_large_free (third);
  mt_large_free (small);
  mt_large_free (NULL);
  g_assert_cmpuint (in_memory (), ==, 0);
  third = mt_large_new0 (9 * MIB);     /* there is room again */
  g_assert_cmpuint (in_memory (), ==, 9 * MIB);
  mt_large_free (third);
  mt_large_free (second);
  g_assert_cmpuint (on_disk (), ==, 0);
  mt_large_free (g_malloc (10));
  mt_large_set_notice (NULL, NULL);
}

static void
test_resize (void)
{
  static const gsize sizes[] = { 100, 3 * MIB, 5 * MIB, 12 * MIB, 40 * MIB, 60 * MIB, 9 * MIB, 2 * MIB, 30 * MIB, 50 };
  guint8 *memory = g_malloc (64);
  gsize before = 64;

  begin ("16M");
  fill (memory, 64, 9);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      memory = mt_large_resize (memory, sizes[i]);
      check (memory, MIN (before, sizes[i]), 9);
      fill (memory, sizes[i], 9);
      before = sizes[i];
      g_assert_cmpuint (in_memory () + on_disk (), ==, sizes[i] < MT_LARGE_BYTES ? 0 : sizes[i]);
      if (sizes[i] > 16 * MIB)
        g_assert_cmpuint (on_disk (), ==, sizes[i]);
    }
  mt_large_free (memory);
  memory = mt_large_resize (NULL, 20 * MIB);
  g_assert_cmpuint (on_disk (), ==, 20 * MIB);
  mt_large_free (memory);
  g_assert_null (mt_large_new0 (G_MAXSIZE));
  g_assert_null (mt_large_new0 (G_MAXSIZE / 4));
}

/* A file that cannot grow: the array is memory as before, and keeps what is in it. */
static void
test_full_disk (void)
{
  struct rlimit before, none;
  guint8 *memory;

  begin ("16M");
  memory = mt_large_new0 (20 * MIB);
  g_assert_cmpuint (on_disk (), ==, 20 * MIB);
  fill (memory, 20 * MIB, 11);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  none = (struct rlimit) { 1024, before.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  memory = mt_large_resize (memory, 30 * MIB);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_nonnull (memory);
  check (memory, 20 * MIB, 11);
  g_assert_cmpuint (on_disk (), ==, 0);
  g_assert_cmpuint (in_memory (), ==, 30 * MIB);
  mt_large_free (memory);
  /* A folder that is not there is passed over. */
  begin ("16M");
  g_setenv ("MINTERM_SPILL", "/nowhere/at/all", TRUE);
  memory = mt_large_new0 (20 * MIB);
  g_assert_nonnull (memory);
  mt_large_free (memory);
  g_setenv ("MINTERM_SPILL", folder, TRUE);
}

/* Killed in the middle: the file is gone with it, and so is its room. */
static void
test_killed (void)
{
  g_autoptr (GDir) dir = NULL;
  int status;
  pid_t child;

  begin ("16M");
  child = fork ();
  if (child == 0)
    {
      guint8 *memory = mt_large_new0 (20 * MIB);

      fill (memory, 20 * MIB, 1);
      kill (getpid (), SIGKILL);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
  dir = g_dir_open (folder, 0, NULL);
  g_assert_null (g_dir_read_name (dir));
}

static void
test_parse (void)
{
  static const char * const wrong[] = { "", "M", "0G", "-1G", "1", "1.5G", "1GB", "99999999999T", " 1G" };
  guint64 n;

  g_assert_true (mt_large_parse ("512M", &n));
  g_assert_cmpuint (n, ==, 512 * MIB);
  g_assert_true (mt_large_parse ("8G", &n));
  g_assert_cmpuint (n, ==, 8192 * MIB);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (mt_large_parse (wrong[i], &n));
  /* By itself: some of the memory, and not more than there is. */
  mt_large_forget ();
  g_unsetenv ("MINTERM_MEMORY");
  mt_large_free (mt_large_new0 (5 * MIB));
  {
    MtLargeUse use;

    mt_large_get_use (&use);
    g_assert_cmpuint (use.limit, >, 64 * MIB);
    g_assert_cmpuint (use.limit, <, (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE));
  }
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = mt_test_make_folder ();
  g_setenv ("MINTERM_SPILL", folder, TRUE);
  g_test_add_func ("/large/limit", test_limit);
  g_test_add_func ("/large/resize", test_resize);
  g_test_add_func ("/large/full-disk", test_full_disk);
  g_test_add_func ("/large/killed", test_killed);
  g_test_add_func ("/large/parse", test_parse);
  status = g_test_run ();
  mt_test_remove_folder (folder);
  g_free (folder);
  return status;
}
