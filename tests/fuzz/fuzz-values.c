/* What is made of a project whose checksums agree and whose values are hostile. The input is lines that end in NUL: the first byte
 * says where the value belongs, then, where a key is needed, the key and "=".
 *
 *   S, N, P  a setting, a note, a state under the key     r  the settings of one more run
 *   m        a model, of the run before                   d  a finding that was dismissed
 *   s        the record of a search, which is no part of a project
 *
 * Everything is written as the window writes it, and read as the window reads it. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/mt-project-content.h"
#include "mt-core.h"
#include "model-seal.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static char *path;

static void
remove_file (void)
{
  g_unlink (path);
}

static void
expect_sentence (const GError *error)
{
  g_assert_true (error != NULL && g_utf8_validate (error->message, -1, NULL));
}

static void
write_text (MtProject      *project,
            MtProjectSpace  space,
            const char     *line)
{
  g_auto (GStrv) parts = g_strsplit (line, "=", 2);
  g_autoptr (GError) error = NULL;

  if (parts[0] != NULL && parts[1] != NULL && !mt_project_set_text (project, space, parts[0], parts[1], &error))
    expect_sentence (error);
}

static void
write_model (MtProject  *project,
             gint64      run,
             const char *json)
{
  gsize length;
  char *sealed = model_reseal (json, strlen (json), &length);
  g_autoptr (GBytes) bytes = g_bytes_new_take (sealed, length);
  g_autoptr (GError) error = NULL;
  MtProjectPoint point = { .literals = 2, .n_rules = 1, .cv_mean = NAN, .cv_se = NAN };

  if (run != 0 && !mt_project_add_points (project, run, &point, &bytes, 1, &error))
    expect_sentence (error);
}

static void
read_record (const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtSearchRecord) record = mt_search_record_from_json (json, -1, &error);
  g_autoptr (MtSearchRecord) again = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (record == NULL)
    {
      expect_sentence (error);
      return;
    }
  first = mt_search_record_to_json (record, NULL);
  again = mt_search_record_from_json (first, -1, &error);
  second = again != NULL ? mt_search_record_to_json (again, NULL) : NULL;
  if (g_strcmp0 (first, second) != 0)
    {
      g_printerr ("what was written is not read back:\n%s\nis not\n%s\n", first, second);
      abort ();
    }
}

static gboolean
write_values (MtProject    *project,
              const guint8 *data,
              gsize         size)
{
  g_autofree char *sha256 = g_strnfill (64, 'a');
  MtProjectSource source = { (char *) "file:///somewhere.csv", 1, 2, sha256 };
  const char *end = (const char *) data + size;
  gint64 run = 0;

  if (!mt_project_begin (project, NULL) || !mt_project_set_source (project, &source, NULL))
    return FALSE;
  for (const char *at = (const char *) data; at < end; )
    {
      g_autofree char *line = g_strndup (at, (gsize) (end - at));
      g_autoptr (GError) error = NULL;
      g_autoptr (MtProjectDismissal) dismissal = NULL;
      const char *value = *line != '\0' ? line + 1 : line;

      at += strlen (line) + 1;
      switch (*line)
        {
        case 'S': write_text (project, MT_PROJECT_SETTING, value); break;
        case 'N': write_text (project, MT_PROJECT_NOTE, value); break;
        case 'P': write_text (project, MT_PROJECT_STATE, value); break;
        case 'm': write_model (project, run, value); break;
        case 's': read_record (value); break;
        case 'r':
          run = mt_project_add_run (project, "a", value, 1, &error);
          if (run == 0)
            expect_sentence (error);
          break;
        case 'd':
          dismissal = mt_project_dismissal_new (value, value, value, value, 5);
          if (!mt_project_set_dismissal (project, dismissal, &error))
            expect_sentence (error);
          break;
        default: break;
        }
    }
  return mt_project_commit (project, NULL);
}

static void
read_runs (MtProject        *project,
           MtProjectContent *content)
{
  static const char csv[] = "x,k,y\n1,a,yes\n2,b,no\n3,a,yes\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (csv, sizeof csv - 1);
  g_autoptr (MtImport) import = mt_import_bytes (bytes, NULL, NULL, NULL);
  MtTable *whole = mt_import_get_table (import);

  for (guint i = 0; i < content->runs->len; i++)
    {
      const MtProjectRun *run = content->runs->pdata[i];
      g_autofree char *key = g_strdup_printf (MT_PROJECT_KEY_DEVICE "%" G_GINT64_FORMAT, run->id);
      g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_STATE, key, NULL);
      g_autoptr (MtRunDevice) device = mt_run_device_from_json (text);
      g_autofree char *columns = NULL;
      g_autofree char *hash = NULL;
      g_autoptr (MtTable) table = NULL;
      MtRunSettings settings;

      mt_run_record_read (run, content->sweep, &settings, &columns, &hash);
      table = mt_run_record_dup_table (whole, columns != NULL ? g_hash_table_lookup (content->columns, columns) : NULL);
      g_assert_nonnull (table);
    }
  for (guint i = 0; i < content->points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (content->points, MtProjectPoint, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) json = mt_project_dup_model (project, point->id, &error);
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtSearchRecord) record = NULL;

      g_assert_no_error (error);
      model = mt_model_from_json (g_bytes_get_data (json, NULL), g_bytes_get_size (json), &error);
      if (model == NULL)
        {
          expect_sentence (error);
          continue;
        }
      record = mt_search_record_new_project (project, model, &error);
      if (record == NULL)
        expect_sentence (error);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProjectContent) content = NULL;
  MtProject *project;
  gboolean ok;

  if (path == NULL)
    {
      path = g_strdup_printf ("%s/minterm-values-%ld.minterm", g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir (),
                              (long) getpid ());
      atexit (remove_file);
    }
  g_unlink (path);
  project = mt_project_create (path, NULL);
  if (project == NULL)
    return 0;
  ok = write_values (project, data, size);
  mt_project_free (project);
  if (!ok)
    return 0;
  /* What it took it must be able to give back. */
  project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, &error);
  if (project == NULL)
    {
      g_printerr ("what was written is refused: %s\n", error->message);
      abort ();
    }
  content = mt_project_content_read (project, &error);
  if (content == NULL)
    expect_sentence (error);
  else
    read_runs (project, content);
  mt_project_free (project);
  return 0;
}
