/* No command writes over a file that it reads, whatever its name, nor over a record that is not ours. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

#define OTHER "kept by another program"

typedef struct {
  char *folder;
  char *data;
  char *model;
  char *project;
  char *record;        /* of the model */
  char *checks;
} Files;

static void
write_data (const char *path)
{
  g_autoptr (GString) csv = g_string_new ("x,z,y\n");

  for (guint r = 0; r < 200; r++)
    g_string_append_printf (csv, "%u,%u,%s\n", r, r * 7 % 11, r * 7 % 11 > 4 || r % 43 == 5 ? "yes" : "no");
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
}

static void
set_up (Files         *files,
        gconstpointer  unused)
{
  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data.csv", NULL);
  files->model = g_build_filename (files->folder, "model.json", NULL);
  files->project = g_build_filename (files->folder, "p.minterm", NULL);
  files->record = g_build_filename (files->folder, "model.record.json", NULL);
  files->checks = g_build_filename (files->folder, "model.verify.json", NULL);
  write_data (files->data);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->data, "--target", "y", "--restarts", "0", "-o",
                                files->model, NULL), ==, 0);
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->model);
  g_free (files->project);
  g_free (files->record);
  g_free (files->checks);
}

/* The words of a command, in which DATA, MODEL … stand for the files and OUT for another name of one of them. */
static char **
dup_command (const Files *files,
             const char  *command,
             const char  *out)
{
  const char * const names[][2] = { { "DATA", files->data }, { "MODEL", files->model }, { "PROJECT", files->project },
                                    { "RECORD", files->record }, { "CHECKS", files->checks }, { "OUT", out } };
  char **words = g_strsplit (command, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    for (guint n = 0; n < G_N_ELEMENTS (names); n++)
      if (g_str_equal (words[i], names[n][0]))
        {
          g_free (words[i]);
          words[i] = g_strdup (names[n][1]);
        }
  return words;
}

/* Runs it; it must be refused in one line; nothing of @kept changes. */
static void
assert_refused (char       **words,
                const char  *says,
                const char  *kept,
                const char  *folder)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  g_autofree char *before = NULL, *after = NULL, *out = NULL, *err = NULL, *line = g_strjoinv (" ", words);
  g_autoptr (GError) error = NULL;
  gsize n_before, n_after;
  int status;

  g_strv_builder_add (all, g_getenv ("MINTERM_CLI"));
  g_strv_builder_addv (all, (const char **) words);
  argv = g_strv_builder_end (all);
  g_assert_true (g_file_get_contents (kept, &before, &n_before, NULL));
  g_assert_true (g_spawn_sync (folder, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (kept, &after, &n_after, NULL));
  g_test_message ("%s\n%s", line, err);
  if (n_before != n_after || memcmp (before, after, n_before) != 0)
    g_error ("“%s” has destroyed %s", line, kept);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 2);
  g_assert_cmpstr (out, ==, "");
  g_assert_nonnull (strstr (err, says));
  g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
}

static const struct { const char *command, *input; } commands[] = {
  { "train DATA --target y -o OUT", "DATA" },
  { "train DATA --target y --test OUT -o DATA", "DATA" },
  { "train MODEL --target y --test DATA -o OUT", "DATA" },
  { "predict MODEL DATA -o OUT", "DATA" },
  { "predict MODEL DATA -o OUT", "MODEL" },
  { "export MODEL -f sql -o OUT", "MODEL" },
  { "export MODEL -f json -o OUT", "MODEL" },
  { "export MODEL -f html --data DATA -o OUT", "DATA" },
  { "export MODEL -f pdf --data DATA --project PROJECT -o OUT", "PROJECT" },
  { "export MODEL -f html -o OUT", "RECORD" },
  { "export MODEL --golden OUT", "MODEL" },
  { "export MODEL --data DATA --golden OUT", "DATA" },
  { "sweep DATA --target y -o OUT", "DATA" },
};

/* As it is, by a link of either kind, by a longer path. */
static void
test_inputs (Files         *files,
             gconstpointer  unused)
{
  g_autofree char *symbolic = g_build_filename (files->folder, "symbolic", NULL);
  g_autofree char *hard = g_build_filename (files->folder, "hard", NULL);

  g_assert_true (g_file_set_contents (files->project, "a project, for all that matters here", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (GStrv) inputs = dup_command (files, commands[i].input, "");
      g_autofree char *base = g_path_get_basename (inputs[0]);
      g_autofree char *longer = g_build_filename (files->folder, ".", base, NULL);
      const char * const outs[] = { inputs[0], symbolic, hard, longer, base };

      g_assert_cmpint (symlink (inputs[0], symbolic), ==, 0);
      g_assert_cmpint (link (inputs[0], hard), ==, 0);
      for (guint o = 0; o < G_N_ELEMENTS (outs); o++)
        {
          g_auto (GStrv) words = dup_command (files, commands[i].command, outs[o]);

          assert_refused (words, "choose another name", inputs[0], files->folder);
        }
      g_unlink (symbolic);
      g_unlink (hard);
    }
}

/* Nothing was read yet when it is refused: the input need not even be readable as a table. */
static void
test_before_work (Files         *files,
                  gconstpointer  unused)
{
  g_auto (GStrv) words = dup_command (files, "train DATA --target nowhere -o DATA", "");

  assert_refused (words, "choose another name", files->data, files->folder);
}

static void
test_standard_input (Files         *files,
                     gconstpointer  unused)
{
  g_autofree char *q_cli = g_shell_quote (g_getenv ("MINTERM_CLI"));
  g_autofree char *before = NULL, *after = NULL, *err = NULL;
  g_autofree char *script = g_strdup_printf ("%s predict '%s' - -o '%s' < '%s'", q_cli, files->model, files->data,
                                             files->data);
  g_autofree char *append = g_strdup_printf ("%s predict '%s' '%s' >> '%s'", q_cli, files->model, files->data, files->data);
  const char * const scripts[] = { script, append };

  g_assert_true (g_file_get_contents (files->data, &before, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      const char * const argv[] = { "sh", "-c", scripts[i], NULL };
      int status;

      g_clear_pointer (&err, g_free);
      g_clear_pointer (&after, g_free);
      g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &err, &status, NULL));
      g_assert_cmpint (WEXITSTATUS (status), ==, 2);
      g_assert_nonnull (strstr (err, "choose another name"));
      g_assert_true (g_file_get_contents (files->data, &after, NULL, NULL));
      g_assert_cmpstr (after, ==, before);
    }
}

/* What goes beside a model replaces only what went there before. */
static void
test_records (Files         *files,
              gconstpointer  unused)
{
  g_auto (GStrv) train = dup_command (files, "train DATA --target y --restarts 0 -o MODEL", "");
  g_auto (GStrv) verify = dup_command (files, "verify MODEL --engines sqlite3", "");
  g_auto (GStrv) export = dup_command (files, "export MODEL -f sql -o RECORD", "");
  g_auto (GStrv) reasons = dup_command (files, "reasons MODEL --set 1=x -o RECORD", "");

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->data, "--target", "y", "--restarts", "0", "-o",
                                files->model, NULL), ==, 0);     /* our own may go */
  assert_refused (export, "choose another name", files->record, files->folder);
  assert_refused (reasons, "choose another name", files->record, files->folder);
  g_assert_true (g_file_set_contents (files->record, OTHER, -1, NULL));
  g_assert_true (g_file_set_contents (files->checks, OTHER, -1, NULL));
  assert_refused (train, "was not written by Minterm", files->record, files->folder);
  assert_refused (verify, "was not written by Minterm", files->checks, files->folder);
  assert_refused (export, "choose another name", files->record, files->folder);
  g_unlink (files->record);
  g_assert_cmpint (symlink ("data.csv", files->record), ==, 0);
  assert_refused (train, "the same file as the input", files->data, files->folder);
}

/* One file cannot be two outputs. */
static void
test_two_outputs (Files         *files,
                  gconstpointer  unused)
{
  g_autofree char *out = g_build_filename (files->folder, "new.csv", NULL);
  g_auto (GStrv) words = dup_command (files, "export MODEL -f sql -o OUT --golden OUT", out);

  assert_refused (words, "--output and --golden name the same file", files->model, files->folder);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

/* What is asked for is still done: reasons go into the model itself, and files that were not read are replaced. */
static void
test_allowed (Files         *files,
              gconstpointer  unused)
{
  g_autofree char *out = g_build_filename (files->folder, "out.csv", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (out, "old", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "predict", files->model, files->data, "-o", out, NULL), ==, 0);
  g_assert_true (g_file_get_contents (out, &text, NULL, NULL));
  g_assert_cmpstr (text, !=, "old");
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "reasons", files->model, "--set", "1=Because", "-o", files->model, NULL),
                   ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/cli/outputs/" name, Files, NULL, set_up, func, tear_down)
  ADD ("inputs", test_inputs);
  ADD ("before-work", test_before_work);
  ADD ("standard-input", test_standard_input);
  ADD ("records", test_records);
  ADD ("two-outputs", test_two_outputs);
  ADD ("allowed", test_allowed);
#undef ADD
  return g_test_run ();
}
