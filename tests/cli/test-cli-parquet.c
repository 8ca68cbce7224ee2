/* predict to a Parquet file: what is said without the program duckdb or when it fails, and with it what is in the file. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder, *data, *model, *out, *path;
} Files;

static void
set_up (Files         *files,
        gconstpointer  unused)
{
  g_autoptr (GString) csv = g_string_new ("x,z,\"id, of\",y\n");

  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data.csv", NULL);
  files->model = g_build_filename (files->folder, "model.json", NULL);
  files->out = g_build_filename (files->folder, "out.parquet", NULL);
  files->path = g_strdup (g_getenv ("PATH"));
  for (guint r = 0; r < 200; r++)
    g_string_append_printf (csv, "%u,%u,%04u,%s\n", r, r * 7 % 11, r, r * 7 % 11 > 4 || r % 43 == 5 ? "it's" : "no");
  g_assert_true (g_file_set_contents (files->data, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->data, "--target", "y", "--restarts", "0", "-o",
                                files->model, NULL), ==, 0);
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  g_setenv ("PATH", files->path, TRUE);
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->model);
  g_free (files->out);
  g_free (files->path);
}

static void
assert_kept (const Files *files)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (files->out, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "the file before");
}

/* In the folder, in front of what is installed. */
static void
install_duckdb (const Files *files,
                const char  *script)
{
  g_autofree char *program = g_build_filename (files->folder, "duckdb", NULL);
  g_autofree char *path = g_strdup_printf ("%s:%s", files->folder, files->path);

  g_assert_true (g_file_set_contents (program, script, -1, NULL));
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  g_setenv ("PATH", path, TRUE);
}

static void
test_faults (Files         *files,
             gconstpointer  unused)
{
  static const struct { const char *script, *says; } cases[] = {
    { "#!/bin/sh\necho 'there is no room' >&2; exit 1\n", "duckdb cannot write the Parquet file: there is no room" },
    { "#!/bin/sh\nexec 0<&-; exit 3\n", "duckdb cannot write the Parquet file: it gives no reason" },
    { "#!/bin/sh\ncat > /dev/null; exit 3\n", "duckdb cannot write the Parquet file: it gives no reason" },
  };
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (files->out, "the file before", -1, NULL));
  g_setenv ("PATH", files->folder, TRUE);
  mt_test_cli_fails (1, "Parquet files are written by the program duckdb, which is not installed: install it, or write a CSV",
                     "predict", files->model, files->data, "-o", files->out, NULL);
  assert_kept (files);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      install_duckdb (files, cases[i].script);
      mt_test_cli_fails (1, cases[i].says, "predict", files->model, files->data, "-o", files->out, NULL);
      assert_kept (files);
    }
  /* It gets the lines without the names, and these with their types in the command. */
  install_duckdb (files, "#!/bin/sh\nfor last; do :; done; echo \"$last\"; exec cat\n");
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "predict", files->model, files->data, "--key", "id, of", "--reasons", "1",
                                "-o", files->out, NULL), ==, 0);
  g_assert_true (g_file_get_contents (files->out, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "{'id, of': 'VARCHAR', 'prediction': 'VARCHAR', 'p_it''s': 'DOUBLE', 'p_no': 'DOUBLE', "
                                  "'reason_1': 'VARCHAR'}"));
  g_assert_nonnull (strstr (text, "(FORMAT parquet)\n0000,"));
  g_assert_null (strstr (text, "reason_1\n"));
}

/* Written and read again by the program itself. */
static void
test_duckdb (Files         *files,
             gconstpointer  unused)
{
  g_autofree char *program = g_find_program_in_path ("duckdb");
  g_autofree char *csv = NULL, *parquet = NULL, *rows = NULL, *select = NULL, *names = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) read = NULL;
  char *argv[] = { NULL, (char *) "-csv", (char *) "-noheader", (char *) "-c", NULL, NULL };

  if (program == NULL)
    {
      g_test_skip ("duckdb is not installed");
      return;
    }
  g_assert_cmpint (mt_test_cli (NULL, &csv, NULL, "predict", files->model, files->data, "--key", "id, of", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "predict", files->model, files->data, "--key", "id, of", "-o", files->out,
                                NULL), ==, 0);
  select = g_strdup_printf ("SELECT \"id, of\", replace(prediction, '''', '.'), p_no FROM '%s'", files->out);
  argv[0] = program;
  argv[4] = select;
  g_assert_true (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &rows, NULL, NULL, NULL));
  lines = g_strsplit (csv, "\n", -1);
  read = g_strsplit (rows, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 202);
  g_assert_cmpuint (g_strv_length (read), ==, 201);
  for (guint r = 0; r < 200; r++)
    {
      g_auto (GStrv) wanted = g_strsplit (lines[r + 1], ",", -1);
      g_auto (GStrv) found = g_strsplit (read[r], ",", -1);

      g_assert_cmpstr (wanted[0], ==, found[0]);
      g_assert_cmpstr (g_strdelimit (wanted[1], "'", '.'), ==, found[1]);
      g_assert_cmpfloat (g_ascii_strtod (wanted[3], NULL), ==, g_ascii_strtod (found[2], NULL));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-parquet/faults", Files, NULL, set_up, test_faults, tear_down);
  g_test_add ("/cli-parquet/duckdb", Files, NULL, set_up, test_duckdb, tear_down);
  return g_test_run ();
}
