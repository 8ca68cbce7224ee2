#include "config.h"
#include "inspect-run.h"

#include <glib/gstdio.h>
#include <string.h>

#include "testutils.h"

void
inspect_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
  g_clear_pointer (&run->json, mt_json_free);
}

static char *
dup_bytes (GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  char *text = g_strndup (data != NULL ? data : "", length);

  g_assert_cmpuint (strlen (text), ==, length);
  return text;
}

void
inspect_with (Run                *run,
              const char * const *environment,   /* NAME=VALUE …, or NULL */
              const char         *input,         /* NULL: nothing */
              const char * const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new ((input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : G_SUBPROCESS_FLAGS_NONE) |
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) in = input != NULL ? g_bytes_new (input, strlen (input)) : NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GError) error = NULL;

  mt_test_ignore_broken_pipes ();
  g_subprocess_launcher_unsetenv (launcher, "COLUMNS");
  for (guint i = 0; environment != NULL && environment[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (environment[i], "=", 2);

      g_subprocess_launcher_setenv (launcher, pair[0], pair[1], TRUE);
    }
  g_strv_builder_add_many (argv, g_getenv ("MINTERM_CLI"), "inspect", NULL);
  g_strv_builder_addv (argv, (const char **) arguments);
  all = g_strv_builder_end (argv);
  process = g_subprocess_launcher_spawnv (launcher, (const char * const *) all, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, in, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));

  *run = (Run) { g_subprocess_get_exit_status (process) };
  run->out = dup_bytes (out);
  run->err = dup_bytes (err);
  g_assert_null (strstr (run->err, "CRITICAL"));
  g_assert_null (strstr (run->err, "runtime error"));
  g_assert_null (strstr (run->err, "Sanitizer"));
  if (run->out[0] == '{')
    {
      run->json = mt_json_parse (run->out, -1, &error);
      g_assert_no_error (error);
    }
}

const MtJson *
inspect_root (const Run *run)
{
  if (run->json == NULL)
    g_error ("no JSON: %s%s", run->out, run->err);
  return run->json;
}

const MtJson *
inspect_column (const Run  *run,
                const char *name)
{
  const MtJson *columns = mt_test_json_array (inspect_root (run), "columns");

  for (guint i = 0; i < mt_json_get_n_children (columns); i++)
    {
      const MtJson *column = mt_json_get_child (columns, i);

      if (g_str_equal (mt_test_json_string (column, "name"), name))
        return column;
    }
  g_error ("no column %s", name);
}

const MtJson *
inspect_warning (const Run  *run,
                 const char *code,
                 const char *column)
{
  const MtJson *warnings = mt_test_json_array (inspect_root (run), "warnings");

  for (guint i = 0; i < mt_json_get_n_children (warnings); i++)
    {
      const MtJson *warning = mt_json_get_child (warnings, i);

      if (g_str_equal (mt_test_json_string (warning, "code"), code) &&
          (mt_test_json_is_null (warning, "column") ? column == NULL
                                                   : g_strcmp0 (mt_test_json_string (warning, "column"), column) == 0))
        return warning;
    }
  return NULL;
}

char *
inspect_sample (const char *name)
{
  return g_build_filename (g_getenv ("MINTERM_SAMPLES"), name, NULL);
}

char *
make_file (const char *text,
           gssize      length)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  char *path = g_build_filename (directory, "data.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

void
drop_file (char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (directory);
  g_free (path);
}
