/* Help, man pages, and suggestions of minterm-cli, from outside. */
#include "config.h"

#include <string.h>

#include "testutils.h"

/* The commands in the order of the work, as the help lists them. */
static const char * const commands[] = {
  "inspect", "train", "rules", "predict", "evaluate", "export", "verify", "reasons", "cutoff", "sweep", "minimize", "devices",
  "gpu-selftest", "bench",
};

static guint
count (const char *text,
       const char *words)
{
  guint n = 0;

  for (const char *p = strstr (text, words); p != NULL; p = strstr (p + 1, words))
    n++;
  return n;
}

static void
test_overview (void)
{
  g_autofree char *out = NULL;
  g_autofree char *again = NULL;
  g_autofree char *version = NULL;
  g_autofree char *short_version = NULL;
  const char *before;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "--help", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &again, NULL, "help", NULL), ==, 0);
  g_assert_cmpstr (out, ==, again);
  before = strstr (out, "\nCommands:\n");
  g_assert_nonnull (before);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *line = g_strdup_printf ("\n  %s ", commands[i]);
      const char *found = strstr (out, line);

      g_assert_nonnull (found);
      g_assert_true (found > before);
      /* A verb with a capital letter. */
      found += strlen (line);
      g_assert_true (g_ascii_isupper (found[strspn (found, " ")]));
      before = found;
    }
  g_assert_cmpint (mt_test_cli (NULL, &version, NULL, "--version", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &short_version, NULL, "-V", NULL), ==, 0);
  g_assert_cmpstr (version, ==, "minterm-cli " MT_VERSION "\n");
  g_assert_cmpstr (version, ==, short_version);
}

/* Help is the same by each of its names, with two examples that call the command, and no line is too wide. */
static void
test_commands (void)
{
  g_setenv ("COLUMNS", "80", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *out = NULL;
      g_autofree char *again = NULL;
      g_autofree char *short_name = NULL;
      g_autofree char *example = g_strdup_printf ("\n    minterm-cli %s", commands[i]);
      g_autofree char *usage = g_strdup_printf ("Usage: minterm-cli %s ", commands[i]);
      g_auto (GStrv) lines = NULL;

      g_assert_cmpint (mt_test_cli (NULL, &out, NULL, commands[i], "--help", NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, &again, NULL, "help", commands[i], NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, &short_name, NULL, commands[i], "-h", NULL), ==, 0);
      g_assert_cmpstr (out, ==, again);
      g_assert_cmpstr (out, ==, short_name);
      g_assert_true (g_str_has_prefix (out, usage));
      g_assert_cmpuint (count (out, example), ==, 2);
      lines = g_strsplit (out, "\n", -1);
      for (guint l = 0; lines[l] != NULL; l++)
        if (strstr (lines[l], "minterm-cli") == NULL)
          g_assert_cmpint (g_utf8_strlen (lines[l], -1), <=, 80);
    }
  g_unsetenv ("COLUMNS");
}

/* Options come in groups, and only where they mean something. */
static void
test_options (void)
{
  static const char * const titles[] = { "\nData:\n", "\nRules:\n", "\nConstraints:\n", "\nValidation:\n", "\nNetworks:\n",
                                         "\nFile format:\n", "\nOutput:\n", "\nGeneral:\n" };
  g_autofree char *train = NULL;
  g_autofree char *reasons = NULL;
  static const char * const with_model[] = { "rules", "predict", "evaluate", "export", "verify", "cutoff" };
  const char *before;

  g_assert_cmpint (mt_test_cli (NULL, &train, NULL, "help", "train", NULL), ==, 0);
  before = train;
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const char *found = strstr (train, titles[i]);

      g_assert_nonnull (found);
      g_assert_true (found > before);
      before = found;
    }
  g_assert_null (strstr (train, "\nOptions:\n"));
  g_assert_cmpint (mt_test_cli (NULL, &reasons, NULL, "help", "reasons", NULL), ==, 0);
  g_assert_nonnull (strstr (reasons, "--json"));
  g_assert_null (strstr (reasons, "--threads"));
  g_assert_null (strstr (reasons, "--device"));
  mt_test_cli_fails (2, "unknown option --device; see", "reasons", "model.json", "--device", "cpu", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (with_model); i++)
    {
      g_autofree char *help = NULL;

      g_assert_cmpint (mt_test_cli (NULL, &help, NULL, "help", with_model[i], NULL), ==, 0);
      g_assert_nonnull (strstr (help, "--missing-in"));
      g_assert_null (strstr (help, "--role"));
      g_assert_null (strstr (help, "--split-by"));
      g_assert_null (strstr (help, "--derive"));
    }
}

static void
test_suggestions (void)
{
  mt_test_cli_fails (2, "unknown command “trian”; did you mean “train”?", "trian", NULL);
  mt_test_cli_fails (2, "unknown command “eval”; did you mean “evaluate”?", "eval", NULL);
  mt_test_cli_fails (2, "unknown command “predcit”; did you mean “predict”?", "help", "predcit", NULL);
  mt_test_cli_fails (2, "unknown command “zebra”; run 'minterm-cli --help' for a list", "zebra", NULL);
  mt_test_cli_fails (2, "unknown option --foldz; did you mean --folds? See 'minterm-cli train --help'", "train", "a.csv",
                     "--foldz=3", NULL);
  mt_test_cli_fails (2, "unknown option --delimeter; did you mean --delimiter?", "inspect", "--delimeter", "tab", NULL);
  mt_test_cli_fails (2, "unknown option --colour; see 'minterm-cli inspect --help'", "inspect", "--colour", NULL);
  mt_test_cli_fails (2, "unknown measurement “minimise”; did you mean “minimize”?", "bench", "minimise", NULL);
}

/* Every long option of @help is in @man. */
static void
check_options (const char *help,
               const char *man)
{
  g_auto (GStrv) lines = g_strsplit (help, "\n", -1);
  guint n = 0;

  for (guint l = 0; lines[l] != NULL; l++)
    {
      const char *option = lines[l] + strspn (lines[l], " ");
      g_auto (GStrv) words = NULL;
      g_auto (GStrv) parts = NULL;
      g_autofree char *roff = NULL;

      if (option[0] == '-' && option[1] != '-' && option[2] == ',')
        option += 4;
      if (option == lines[l] || !g_str_has_prefix (option, "--"))
        continue;
      words = g_strsplit (option, " ", 2);
      parts = g_strsplit (words[0], "-", -1);
      roff = g_strjoinv ("\\-", parts);
      g_test_message ("%s", roff);
      g_assert_nonnull (strstr (man, roff));
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

/* Every option of the help is in the man page, which man can format without a warning. */
static void
test_man (void)
{
  g_autofree char *man_program = g_find_program_in_path ("man");
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *overview = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &overview, NULL, "help", "--man", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (overview, ".TH \"MINTERM\\-CLI\" 1 "));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *help = NULL;
      g_autofree char *man = NULL;
      g_autofree char *name = g_strdup_printf ("%s/minterm-cli-%s.1", folder, commands[i]);
      g_autofree char *mention = g_strdup_printf ("\n\\fB%s", commands[i]);
      g_autofree char *out = NULL;
      g_autofree char *err = NULL;
      const char *argv[] = { "man", "--warnings", "-E", "UTF-8", "-l", "-P", "cat", name, NULL };
      int status;

      g_assert_cmpint (mt_test_cli (NULL, &help, NULL, "help", commands[i], NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, &man, NULL, "help", "--man", commands[i], NULL), ==, 0);
      g_assert_true (g_str_has_prefix (man, ".TH \"MINTERM\\-CLI\\-"));
      g_assert_nonnull (strstr (man, "\n.SH NAME\n"));
      g_assert_nonnull (strstr (man, "\n.SH EXAMPLES\n"));
      if (strcmp (commands[i], "bench") != 0)
        check_options (help, man);
      if (strchr (commands[i], '-') == NULL)
        g_assert_nonnull (strstr (overview, mention));
      if (man_program == NULL)
        continue;
      g_assert_true (g_file_set_contents (name, man, -1, NULL));
      g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, NULL));
      g_assert_cmpint (status, ==, 0);
      g_assert_cmpstr (err, ==, "");
    }
  mt_test_remove_folder (folder);
}

/* The build makes a page for each command. */
static void
test_pages_are_built (void)
{
  g_autofree char *folder = g_path_get_dirname (g_getenv ("MINTERM_CLI"));
  g_autofree char *overview = g_build_filename (folder, "minterm-cli.1", NULL);

  if (!g_file_test (overview, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the man pages were not built");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *name = g_strdup_printf ("minterm-cli-%s.1", commands[i]);
      g_autofree char *page = g_build_filename (folder, name, NULL);

      g_test_message ("%s", page);
      g_assert_true (g_file_test (page, G_FILE_TEST_EXISTS));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-help/overview", test_overview);
  g_test_add_func ("/cli-help/commands", test_commands);
  g_test_add_func ("/cli-help/options", test_options);
  g_test_add_func ("/cli-help/suggestions", test_suggestions);
  g_test_add_func ("/cli-help/man", test_man);
  g_test_add_func ("/cli-help/pages-are-built", test_pages_are_built);
  return g_test_run ();
}
