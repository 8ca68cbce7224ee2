/* minterm-cli when the system says no in the middle: a file that goes away between two readings,
 * memory that is refused. It ends with an error, never in a crash, and what it writes is whole. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "mt-core.h"
#include "testutils.h"

static gboolean
can_preload (void)
{
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  g_test_skip ("a sanitizer stands before the C library itself");
  return FALSE;
#else
  return TRUE;
#endif
}

/* Runs the command line with a fault; gives the process, which has ended. */
static GSubprocess *
run_with (const char  *name,
          const char  *order,
          char       **message,
          const char  *command,
          ...)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  GSubprocess *process;
  va_list more;

  g_ptr_array_add (argv, (gpointer) g_getenv ("MINTERM_CLI"));
  va_start (more, command);
  for (const char *word = command; word != NULL; word = va_arg (more, const char *))
    g_ptr_array_add (argv, (gpointer) word);
  va_end (more);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", g_getenv ("MT_PRELOADED_FAULTS"), TRUE);
  g_subprocess_launcher_setenv (launcher, name, order, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char * const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, message, &error);
  g_assert_no_error (error);
  return process;
}

static void
test_cells_of_a_lost_file (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  guint n_refused = 0;

  if (!can_preload ())
    return;
  folder = mt_test_make_folder ();
  path = g_build_filename (folder, "here.csv", NULL);
  g_file_set_contents (path, "a,b\n1,2\n3,4\n", -1, NULL);
  for (guint n = 1; n <= 12; n++)
    {
      g_autofree char *order = g_strdup_printf ("%u:%s", n, path);
      g_autofree char *message = NULL;
      g_autoptr (GSubprocess) process = run_with ("MT_FAULT_OPEN", order, &message, "inspect", path, "--json",
                                                  "--cells", NULL);
      g_autofree char *said = g_strdup_printf ("minterm-cli: %s: no such file\n", path);

      g_assert_true (g_subprocess_get_if_exited (process));
      if (g_subprocess_get_exit_status (process) == 0)
        continue;
      n_refused++;
      g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
      g_assert_cmpstr (message, ==, said);
    }
  /* The import, the header as written, the rows as written. */
  g_assert_cmpuint (n_refused, >=, 3);
  mt_test_remove_folder (folder);
}

/* A refused request ends in a sentence, whether it is ours or one of GLib. Either
 * way the old file stays, or the new one is whole. */
static void
test_no_memory (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *sample = NULL;
  g_autofree char *model = NULL;
  guint n_ends[2] = { 0 };

  if (!can_preload ())
    return;
  folder = mt_test_make_folder ();
  sample = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  model = g_build_filename (folder, "model.json", NULL);
  for (guint n = 1; n <= 200; n += n < 30 || g_test_slow () ? 1 : 20)
    {
      g_autofree char *order = g_strdup_printf ("%u", n);
      g_autofree char *message = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (MtModel) whole = NULL;
      g_autofree char *text = NULL;
      g_autoptr (GSubprocess) process = NULL;

      g_file_set_contents (model, "old", -1, NULL);
      process = run_with ("MT_FAULT_MEMORY", order, &message, "train", sample, "--target", "approved", "--folds", "2",
                          "--repeats", "1", "--fan-in", "1", "-o", model, NULL);
      g_file_get_contents (model, &text, NULL, &error);
      g_assert_no_error (error);
      if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
        {
          whole = mt_model_load (model, &error);
          g_assert_no_error (error);
          n_ends[0]++;
        }
      else if (g_subprocess_get_if_exited (process))
        {
          g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
          g_assert_nonnull (strstr (message, "memory"));
          g_assert_cmpstr (text, ==, "old");
          n_ends[1]++;
        }
      else
        g_assert_not_reached ();
    }
  g_test_message ("%u finished, %u refused", n_ends[0], n_ends[1]);
  g_assert_cmpuint (n_ends[1], >, 0);
  mt_test_remove_folder (folder);
}

/* Where the address space is small the program still ends. */
static void
test_limited (void)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *sample = NULL;

  if (!can_preload ())
    return;
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  sample = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  process = g_subprocess_launcher_spawn (launcher, &error, "sh", "-c", "ulimit -v 180000 && exec \"$0\" inspect \"$1\"",
                                         g_getenv ("MINTERM_CLI"), sample, NULL);
  g_assert_no_error (error);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-faults/cells-of-a-lost-file", test_cells_of_a_lost_file);
  g_test_add_func ("/cli-faults/no-memory", test_no_memory);
  g_test_add_func ("/cli-faults/limited", test_limited);
  return g_test_run ();
}
