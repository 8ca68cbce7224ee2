#include "config.h"
#include "project-fixture.h"

#include <string.h>

#include <glib/gstdio.h>

#include "project-sample.h"
#include "testutils.h"

void
project_set_up (Fixture       *fixture,
                gconstpointer  data)
{
  fixture->folder = mt_test_make_folder ();
  fixture->path = g_build_filename (fixture->folder, "heart.minterm", NULL);
}

void
project_tear_down (Fixture       *fixture,
                   gconstpointer  data)
{
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

MtProject *
project_create (const char *path)
{
  g_autoptr (GError) error = NULL;
  MtProject *project = mt_project_create (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (project);
  return project;
}

MtProject *
project_reopen (const char     *path,
                MtProjectFlags  flags)
{
  g_autoptr (GError) error = NULL;
  MtProject *project = mt_project_open (path, flags, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (project);
  return project;
}

char *
project_make_sample (const char *path)
{
  g_autoptr (MtProject) project = project_create (path);

  sample_fill (project, 0, 2, 4);
  return sample_dump (project);
}

void
project_assert_refused (const char *path,
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

guint
project_count_others (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n - 1;
}

int
project_run_tests (int     argc,
                   char  **argv,
                   void  (*add) (void))
{
  g_autofree char *state = g_dir_make_tmp ("minterm-state-XXXXXX", NULL);
  g_autofree char *minterm = g_build_filename (state, "minterm", NULL);
  g_autofree char *recovery = g_build_filename (minterm, "recovery", NULL);
  int result;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  add ();
  result = g_test_run ();
  g_rmdir (recovery);
  g_rmdir (minterm);
  g_rmdir (state);
  return result;
}
