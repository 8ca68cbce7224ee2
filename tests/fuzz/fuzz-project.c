/* What the reader of projects makes of any bytes: a sentence, or a project whose every part can be asked for. A project is a
 * file of SQLite, so the bytes go through a file in memory. */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mt-core.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
read_runs (MtProject *project)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, &error);

  g_assert ((runs == NULL) == (error != NULL));
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const MtProjectRun *run = runs->pdata[i];

      g_assert (mt_run_state_to_string (run->state) != NULL);
    }
}

static void
read_parts (MtProject *project)
{
  g_autoptr (MtProjectSource) source = mt_project_dup_source (project, NULL);
  g_autoptr (MtCsvDialect) dialect = mt_project_dup_dialect (project, NULL);
  g_autoptr (MtSchema) schema = mt_project_dup_schema (project, NULL);
  g_autoptr (GPtrArray) dismissals = mt_project_list_dismissals (project, NULL);

  (void) source;
  (void) dialect;
  (void) schema;
  (void) dismissals;
  read_runs (project);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static char *path = NULL;
  g_autoptr (GError) error = NULL;
  MtProject *project;

  if (path == NULL)
    path = g_strdup_printf ("%s/minterm-fuzz-%ld.minterm", g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir (),
                            (long) getpid ());
  if (!g_file_set_contents (path, (const char *) data, (gssize) size, NULL))
    return 0;
  project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, &error);
  g_assert ((project == NULL) == (error != NULL));
  if (project != NULL)
    {
      read_parts (project);
      mt_project_free (project);
    }
  else
    g_assert (g_utf8_validate (error->message, -1, NULL));
  g_unlink (path);
  return 0;
}
