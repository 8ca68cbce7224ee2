/* minterm-cli inspect for people: its text and its width, on a terminal, in other languages, and completion. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <gio/gio.h>

#include "inspect-run.h"
#include "testutils.h"

/* --- for people --- */

static guint
width_of (const char *text,
          gsize       length)
{
  guint width = 0;

  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

static void
test_text (void)
{
  g_autofree char *path = inspect_sample ("loan-approval.csv");
  g_auto (Run) run = { 0 };
  g_auto (Run) wide = { 0 };
  g_auto (GStrv) lines = NULL;

  RUN (&run, path);
  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "loan-approval.csv\n1,200 rows × 13 columns, 75.1 kB\nUTF-8, delimiter comma"));
  g_assert_nonnull (strstr (run.out, "\nmonthly_income_eur  number    feature     8.4%"));
  g_assert_nonnull (strstr (run.out, "█"));
  g_assert_nonnull (strstr (run.out, "\n3 notes\n  identifier\n    “application_id”"));
  lines = g_strsplit (run.out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpuint (width_of (lines[i], strlen (lines[i])), <=, 80);
  /* Room shows more. */
  inspect_with (&wide, (const char * const[]) { "COLUMNS=160", NULL }, NULL, (const char * const[]) { path, NULL });
  g_assert_null (strstr (run.out, "public service 14%"));
  g_assert_nonnull (strstr (wide.out, "public service 14%"));
}

static void
assert_shows (const Run  *run,
              const char *text)
{
  if (strstr (run->out, text) == NULL)
    g_error ("“%s” is not in\n%s", text, run->out);
}

/* A column of every kind, and each way of saying how the file is written. */
/* One missing value in many. */
static TemporaryFile *
make_spaces (void)
{
  g_autoptr (GString) text = g_string_new ("a x\n1 ?\n");

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "%u '%u'\n", i, i % 2);
  return make_file (text->str, -1);
}

static void
test_kinds (void)
{
  GString *csv = g_string_new ("when;note;price;level;clinic;empty;y\n");
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) odd = { 0 };
  g_auto (Run) one = { 0 };
  g_autoptr (TemporaryFile) small = make_file ("x\n5\n", -1);
  g_autoptr (TemporaryFile) pipes = make_file ("a|b\n1|2\n3|4\n", -1);
  g_autoptr (TemporaryFile) tabs = make_file ("a\tb\n1'234.5\t2\n3'456.5\t4\n", -1);
  g_autoptr (TemporaryFile) spaces = make_spaces ();
  g_auto (Run) spaced = { 0 };
  g_auto (Run) piped = { 0 };
  g_auto (Run) tabbed = { 0 };
  g_autoptr (TemporaryFile) percent = make_file ("a%b\n1%2\n3%4\n", -1);

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *note = g_strdup_printf ("remark %u", i);

      g_string_append_printf (csv, "2024-%02u-%02u;%s;%u.%03u,5;%s;north %u;;%s\n", 1 + i % 12, 1 + i % 28,
                              i == 0 ? "" : note, 1 + i % 9, i * 3, i == 7 ? "" : i % 2 ? "high" : "low", i % 30,
                              i % 3 ? "yes" : "no");
    }
  text = g_string_free (csv, FALSE);
  {
    g_autoptr (TemporaryFile) path = make_file (text, -1);

    inspect_with (&run, (const char * const[]) { "COLUMNS=180", NULL }, NULL,
                  (const char * const[]) { "--quote", "none", "--decimal", "comma", "--thousands", "point", "--role",
                                           "clinic=group", path, NULL });
  }
  g_assert_cmpint (run.exit_code, ==, 0);
  assert_shows (&run, "UTF-8, delimiter semicolon, no quotes, decimal comma, thousands separator point, with header");
  assert_shows (&run, "\nwhen    date      ignored        –        84");
  assert_shows (&run, "2024-01-01 … 2024-12-28");
  assert_shows (&run, "\nnote    text      ignored     0.3%       299          remark 1, …");
  assert_shows (&run, "\nprice   number    feature");
  assert_shows (&run, "low 50%, high 50%");
  assert_shows (&run, "\nclinic  category  group");
  assert_shows (&run, "3.3%, …");                       /* of the 30 clinics six are shown */
  assert_shows (&run, "\nempty ");
  assert_shows (&run, " 100%         0");
  assert_shows (&run, "notes\n");

  inspect_with (&odd, NULL, NULL, (const char * const[]) { "--delimiter", "%", "--no-header", percent, NULL });
  assert_shows (&odd, "delimiter “%”");
  assert_shows (&odd, "no header");
  RUN (&spaced, "--delimiter", "space", "--quote", "single", spaces);
  assert_shows (&spaced, "delimiter space, quote character apostrophe, ");
  assert_shows (&spaced, " <0.1%  ");
  RUN (&piped, pipes);
  assert_shows (&piped, "delimiter pipe, ");
  RUN (&tabbed, tabs);
  assert_shows (&tabbed, "delimiter tab, ");
  assert_shows (&tabbed, "\nseparator apostrophe, ");
  RUN (&one, small);
  assert_shows (&one, "\n1 row × 1 column, 4 bytes\n");
}

/* Warnings are in the text and, since stderr may be all that is read, there too; notes are not. */
static void
test_warnings (void)
{
  GString *csv = g_string_new ("x,same,y\n");
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) json = { 0 };

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (csv, "%u,5,%s\n", (i * 7) % 23, i % 2 ? "a" : "b");
  text = g_string_free (csv, FALSE);
  {
    g_autoptr (TemporaryFile) path = make_file (text, -1);

    RUN (&run, "--role", "same=feature", path);
    RUN (&json, "--json", "--role", "same=feature", path);
  }
  g_assert_nonnull (strstr (run.out, "  constant-column\n    “same” has the same value, “5”, in all 60 rows"));
  g_assert_nonnull (strstr (run.err, "warning: “same” has the same value, “5”, in all 60 rows"));
  g_assert_nonnull (strstr (run.out, "too-few-rows"));
  g_assert_null (strstr (run.err, "note"));
  g_assert_cmpstr (json.err, ==, "");
  g_assert_cmpstr (mt_test_json_string (inspect_warning (&json, "constant-column", "same"), "severity"), ==,
                   "warning");
}

/* Control characters from the data must not reach the terminal, whichever way they take. */
static void
test_control_characters (void)
{
  static const char csv[] = "x\033[31mred,\"b\ac\",\xe2\x80\xaeoverride\n\033]0;title\a,1,x\n"
                            "\x7f,2,\xc2\x9b" "31m\ny,3,z\n";
  g_autoptr (TemporaryFile) path = make_file (csv, -1);

  for (guint json = 0; json < 2; json++)
    {
      g_auto (Run) run = { 0 };
      g_auto (Run) wrong = { 0 };

      if (json)
        RUN (&run, "--json", "--cells", path);
      else
        RUN (&run, path);
      RUN (&wrong, "--target", "\033[2J", path);
      g_assert_cmpint (wrong.exit_code, ==, 2);
      for (guint k = 0; k < 4; k++)
        {
          const char *text = k == 0 ? run.out : k == 1 ? run.err : k == 2 ? wrong.out : wrong.err;

          g_assert_true (g_utf8_validate (text, -1, NULL));
          for (const char *p = text; *p != '\0'; p++)
            g_assert_true ((guchar) *p >= 0x20 || *p == '\n');
          if (json && k == 0)
            continue;   /* JSON is for programs: what is not ASCII control may stand there */
          g_assert_null (strstr (text, "\x7f"));
          g_assert_null (strstr (text, "\xc2\x9b"));
          g_assert_null (strstr (text, "\xe2\x80\xae"));
        }
    }
}

/* Whatever the script of the names, the columns of the table stay under their titles. */
static void
test_alignment (void)
{
  /* The widest name takes 8 places: two wide letters joined, a blank, and "who". */
  g_autoptr (TemporaryFile) path = make_file ("日本語,العمر,ก็,e\xcc\x81te\xcc\x81,👩‍🔬 who,plain\n1,2,3,4,5,a\n2,3,4,5,6,b\n", -1);
  g_auto (Run) run = { 0 };
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  inspect_with (&run, (const char * const[]) { "COLUMNS=100", NULL }, NULL, (const char * const[]) { path, NULL });
  lines = g_strsplit (run.out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      static const char * const words[] = { "  type ", "  number ", "  category ", "  boolean " };

      for (guint w = 0; w < G_N_ELEMENTS (words); w++)
        {
          const char *at = strstr (lines[i], words[w]);

          if (at == NULL)
            continue;
          g_assert_cmpuint (width_of (lines[i], (gsize) (at - lines[i])) + (guint) strspn (at, " "), ==, 8 + 2);
          n++;
        }
    }
  g_assert_cmpuint (n, ==, 7);
}

/* --- where from and in which language --- */

/* Compiles a locale into @directory, whether or not the machine has it; its own sources are
 * in the package that is named when they lack. */
static gboolean
make_locale (const char *directory,
             const char *name)
{
  g_autofree char *target = g_strdup_printf ("%s/%s.UTF-8", directory, name);
  const char *argv[] = { "localedef", "-c", "-i", name, "-f", "UTF-8", target, NULL };
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                       NULL, &status, NULL) && g_file_test (target, G_FILE_TEST_IS_DIR);
}

/* The decimal comma of de_DE is in the way of what prints numbers, the dotless i of tr_TR of
 * what changes case. */
static void
test_locale (void)
{
  static const char * const names[] = { "de_DE", "tr_TR" };
  g_autofree char *path = inspect_sample ("energy-use.csv");
  g_autofree char *directory = g_dir_make_tmp ("minterm-locale-XXXXXX", NULL);
  g_autofree char *where = g_strconcat ("LOCPATH=", directory, NULL);
  const char *remove[] = { "rm", "-r", directory, NULL };
  gboolean lacking = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *setting = g_strdup_printf ("LC_ALL=%s.UTF-8", names[i]);

      if (!make_locale (directory, names[i]))
        {
          lacking = TRUE;
          continue;
        }
      for (guint json = 0; json < 2; json++)
        {
          const char *arguments[] = { path, json ? "--json" : NULL, NULL };
          g_auto (Run) plain = { 0 };
          g_auto (Run) run = { 0 };

          inspect_with (&plain, (const char * const[]) { "LC_ALL=C", NULL }, NULL, arguments);
          inspect_with (&run, (const char * const[]) { where, setting, NULL }, NULL, arguments);
          g_assert_cmpint (run.exit_code, ==, 0);
          g_assert_cmpstr (run.out, ==, plain.out);
          g_assert_cmpstr (run.err, ==, plain.err);
        }
    }
  g_assert_true (g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  if (lacking)
    g_test_skip ("de_DE or tr_TR cannot be compiled here: install the package locales");
}

/* --- on a terminal --- */

/* Runs with stdout and stderr on a terminal of @width; returns what was shown, or NULL when
 * there are no pseudo-terminals here. */
static char *
run_on_terminal (guint       width,
                 const char *no_colour,
                 const char *path)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  struct winsize size = { .ws_col = (unsigned short) width, .ws_row = 50 };
  GString *shown = g_string_new (NULL);
  int master = posix_openpt (O_RDWR | O_NOCTTY), slave;
  char buffer[4096];
  gssize n;

  if (master < 0 || grantpt (master) != 0 || unlockpt (master) != 0)
    {
      g_test_skip ("no pseudo-terminal can be had here");
      return g_string_free (shown, TRUE);
    }
  slave = open (ptsname (master), O_RDWR | O_NOCTTY);
  g_assert_cmpint (slave, >=, 0);
  g_assert_cmpint (ioctl (slave, TIOCSWINSZ, &size), ==, 0);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (slave));
  g_subprocess_launcher_take_stderr_fd (launcher, slave);
  g_subprocess_launcher_setenv (launcher, "TERM", "xterm", TRUE);
  g_subprocess_launcher_setenv (launcher, "NO_COLOR", no_colour, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MINTERM_CLI"), "inspect", path, NULL);
  g_assert_no_error (error);
  g_clear_object (&launcher);   /* closes our copies of the other end */
  while ((n = read (master, buffer, sizeof buffer)) > 0)
    g_string_append_len (shown, buffer, n);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  close (master);
  return g_string_free (shown, FALSE);
}

static void
test_terminal (void)
{
  g_autofree char *path = inspect_sample ("loan-approval.csv");
  g_autofree char *coloured = run_on_terminal (64, "", path);
  g_autofree char *plain = NULL;
  g_autofree char *bare = NULL;
  g_autoptr (GRegex) codes = g_regex_new ("\033\\[[0-9;]*m", 0, 0, NULL);
  g_auto (GStrv) lines = NULL;
  const char *text;

  if (coloured == NULL)
    return;
  /* A progress line, wiped before the result. */
  g_assert_nonnull (strstr (coloured, "\rlooking "));
  g_assert_nonnull (strstr (coloured, "\r\033[K"));
  g_assert_nonnull (strstr (coloured, "\033[1m"));
  text = g_strrstr (coloured, "\r\033[K") + strlen ("\r\033[K");
  bare = g_regex_replace_literal (codes, text, -1, 0, "", 0, NULL);
  lines = g_strsplit (bare, "\r\n", -1);
  g_assert_cmpstr (lines[0], ==, "loan-approval.csv");
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpuint (width_of (lines[i], strlen (lines[i])), <=, 64);

  plain = run_on_terminal (64, "1", path);
  g_assert_null (strstr (plain, "\033[1m"));
  text = g_strrstr (plain, "\r\033[K") + strlen ("\r\033[K");
  g_assert_cmpstr (text, ==, bare);
}

/* --- completion --- */

static void
complete (const char *words,        /* separated by blanks; the last is the one to complete */
          const char *wanted,       /* sorted, separated by blanks; NULL: only check @includes */
          const char *includes)
{
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "..", "data", "completion", "minterm-cli", NULL);
  g_autofree char *script =
    g_strdup_printf (". '%s'; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_WORDS[0]=$MINTERM_CLI; "
                     "_minterm_cli; printf '%%s\\n' \"${COMPREPLY[@]}\" | sort -u", file, words);
  const char *argv[] = { "bash", "--norc", "-c", script, NULL };
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_auto (GStrv) got = NULL;
  g_autofree char *joined = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_strstrip (out);
  got = g_strsplit (out, "\n", -1);
  joined = g_strjoinv (" ", got);
  g_test_message ("%s -> %s", words, joined);
  if (wanted != NULL)
    g_assert_cmpstr (joined, ==, wanted);
  if (includes != NULL)
    g_assert_true (g_strv_contains ((const char * const *) got, includes));
}

static void
test_completion (void)
{
  g_autofree char *bash = g_find_program_in_path ("bash");
  g_autofree char *path = inspect_sample ("loan");
  g_autofree char *whole = inspect_sample ("loan-approval.csv");
  g_autofree char *words = g_strdup_printf ("minterm-cli inspect '%s'", path);

  if (bash == NULL)
    {
      g_test_skip ("bash is not installed");
      return;
    }
  complete ("minterm-cli ins", "inspect", NULL);
  complete ("minterm-cli ''", NULL, "inspect");
  complete ("minterm-cli ''", NULL, "bench");
  complete ("minterm-cli --v", "--version", NULL);
  complete ("minterm-cli inspect --missing", "--missing --missing-in", NULL);
  complete ("minterm-cli inspect --", NULL, "--json");
  complete ("minterm-cli inspect --", NULL, "--no-header");
  complete ("minterm-cli inspect --quote ''", "double none single", NULL);
  complete ("minterm-cli inspect --quote = n", "none", NULL);
  complete ("minterm-cli inspect --quote =", "double none single", NULL);
  complete ("minterm-cli inspect --delimiter t", "tab", NULL);
  complete ("minterm-cli inspect --type age = n", "number", NULL);
  complete ("minterm-cli inspect --role age =", "feature group ignored report target time", NULL);
  complete ("minterm-cli inspect --type ag", "", NULL);
  complete ("minterm-cli train --device ''", "auto cpu cuda", NULL);
  complete ("minterm-cli help min", "minimize", NULL);
  complete ("minterm-cli bench c", "csv", NULL);
  complete (words, whole, NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-inspect/text", test_text);
  g_test_add_func ("/cli-inspect/kinds", test_kinds);
  g_test_add_func ("/cli-inspect/warnings", test_warnings);
  g_test_add_func ("/cli-inspect/control-characters", test_control_characters);
  g_test_add_func ("/cli-inspect/alignment", test_alignment);
  g_test_add_func ("/cli-inspect/locale", test_locale);
  g_test_add_func ("/cli-inspect/terminal", test_terminal);
  g_test_add_func ("/cli-inspect/completion", test_completion);
  return g_test_run ();
}
