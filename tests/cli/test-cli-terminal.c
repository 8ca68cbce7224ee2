#include "config.h"
#include "mt-cli-terminal.h"

#include <string.h>

static void
assert_fit (const char *text,
            guint       width,
            const char *wanted)
{
  g_autofree char *fitted = mt_cli_fit (text, width);

  g_assert_cmpstr (fitted, ==, wanted);
  g_assert_cmpuint (mt_cli_text_width (fitted), <=, MAX (width, 1));
}

static void
test_width (void)
{
  g_assert_cmpuint (mt_cli_text_width (""), ==, 0);
  g_assert_cmpuint (mt_cli_text_width ("plain"), ==, 5);
  g_assert_cmpuint (mt_cli_text_width ("Größe"), ==, 5);
  g_assert_cmpuint (mt_cli_text_width ("日本"), ==, 4);
  g_assert_cmpuint (mt_cli_text_width ("e\xcc\x81"), ==, 1);          /* e and an acute accent */
  g_assert_cmpuint (mt_cli_text_width ("\xe2\x80\x8d"), ==, 0);       /* a joiner */
}

static void
test_fit (void)
{
  assert_fit ("short", 10, "short");
  assert_fit ("exactly", 7, "exactly");
  assert_fit ("too long", 5, "too …");
  assert_fit ("日本語", 6, "日本語");
  assert_fit ("日本語", 5, "日本…");
  assert_fit ("日本語", 4, "日…");            /* half a letter cannot be shown */
  assert_fit ("e\xcc\x81te\xcc\x81s", 3, "e\xcc\x81t…");
  assert_fit ("abc", 1, "…");
  assert_fit ("abc", 0, "…");
  assert_fit ("a\033b", 10, "a\\u001bb");
  assert_fit ("two\nlines", 20, "two\\u000alines");
  assert_fit ("\xff", 5, "\xef\xbf\xbd");
}

static void
assert_wrapped (const char *text,
                guint       width,
                guint       indent,
                guint       used,
                const char *wanted)
{
  g_autoptr (GString) out = g_string_new (NULL);

  mt_cli_append_wrapped (out, text, width, indent, used);
  g_assert_cmpstr (out->str, ==, wanted);
}

static void
test_wrap (void)
{
  assert_wrapped ("", 10, 2, 0, "");
  assert_wrapped ("one two three", 40, 2, 0, "one two three");
  assert_wrapped ("one two three", 9, 2, 0, "one two\n  three");
  assert_wrapped ("one two three", 9, 2, 5, "one\n  two\n  three");
  assert_wrapped ("/a/very/long/path end", 10, 2, 0, "/a/very/lo\n  ng/path\n  end");
  assert_wrapped ("日本語日本語", 7, 1, 0, "日本語\n 日本語");
  assert_wrapped ("x\033y", 20, 0, 0, "x\\u001by");
}

/* Nothing is lost by wrapping but blanks and line ends. */
static void
test_wrap_keeps_words (void)
{
  for (guint width = 4; width < 60; width++)
    {
      static const char text[] = "Column “Größe” holds 日本語 words and a-very-long-word-without-any-blank in 12 rows";
      g_autoptr (GString) out = g_string_new (NULL);
      g_autofree char *bare = g_strdup (text);
      g_auto (GStrv) lines = NULL;
      g_autofree char *joined = NULL;

      mt_cli_append_wrapped (out, text, width, 2, 0);
      lines = g_strsplit (out->str, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        g_assert_cmpuint (mt_cli_text_width (lines[i]), <=, width);
      joined = g_strjoinv ("", lines);
      for (char *p = joined, *to = joined;; p++)
        if (*p != ' ' && (*to++ = *p) == '\0')
          break;
      for (char *p = bare, *to = bare;; p++)
        if (*p != ' ' && (*to++ = *p) == '\0')
          break;
      g_assert_cmpstr (joined, ==, bare);
    }
}

static void
test_numbers (void)
{
  static const struct { guint64 n; const char *count, *size; } known[] = {
    { 0, "0", "0 bytes" }, { 999, "999", "999 bytes" }, { 1000, "1,000", "1.0 kB" }, { 74911, "74,911", "74.9 kB" },
    { 999949, "999,949", "999.9 kB" }, { 999951, "999,951", "1.0 MB" }, { 1234567, "1,234,567", "1.2 MB" },
    { G_GUINT64_CONSTANT (5000000000000), "5,000,000,000,000", "5.0 TB" },
    { G_MAXUINT64, "18,446,744,073,709,551,615", "18446744.1 TB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *count = mt_cli_dup_count (known[i].n);
      g_autofree char *size = mt_cli_dup_size (known[i].n);

      g_assert_cmpstr (count, ==, known[i].count);
      g_assert_cmpstr (size, ==, known[i].size);
    }
}

static void
test_table (void)
{
  static const MtCliTableColumn columns[] = { { "name", FALSE, TRUE }, { "n", TRUE }, { "note", FALSE, TRUE } };
  g_autoptr (MtCliTable) table = mt_cli_table_new (columns, 3);
  g_autoptr (GString) wide = g_string_new (NULL);
  g_autoptr (GString) narrow = g_string_new (NULL);
  g_autoptr (GString) tiny = g_string_new (NULL);
  g_autoptr (GString) coloured = g_string_new (NULL);

  mt_cli_table_add (table, MT_STYLE_PLAIN, (const char * const[]) { "日本", "7", "a\nb" });
  mt_cli_table_add (table, MT_STYLE_DIM, (const char * const[]) { "a long name indeed", "1,000", "and a long note, too" });
  mt_cli_table_append (table, wide, 80, FALSE);
  g_assert_cmpstr (wide->str, ==,
                   "name                    n  note\n"
                   "日本                    7  a\\u000ab\n"
                   "a long name indeed  1,000  and a long note, too\n");
  mt_cli_table_append (table, narrow, 32, FALSE);
  g_assert_cmpstr (narrow->str, ==,
                   "name               n  note\n"
                   "日本               7  a\\u000ab\n"
                   "a long name …  1,000  and a lon…\n");
  mt_cli_table_append (table, tiny, 20, FALSE);
  g_assert_cmpstr (tiny->str, ==,
                   "name               n\n"
                   "日本               7\n"
                   "a long name …  1,000\n");
  mt_cli_table_append (table, coloured, 80, TRUE);
  g_assert_nonnull (strstr (coloured->str, "\033[1mname                    n  note\033[0m\n日本"));
  g_assert_nonnull (strstr (coloured->str, "\033[2ma long name indeed"));
}

/* This test's streams are no terminals: no colour, no progress, and $COLUMNS is believed. */
static void
test_no_terminal (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "minterm-terminal-XXXXXX", NULL);
  g_autofree char *text = NULL;
  int fd = g_mkstemp (path);
  FILE *file = fdopen (fd, "w");

  g_setenv ("TERM", "xterm", TRUE);
  g_unsetenv ("NO_COLOR");
  g_assert_false (mt_cli_has_colour (file));
  g_setenv ("COLUMNS", "123", TRUE);
  g_assert_cmpuint (mt_cli_get_width (file), ==, 123);
  g_setenv ("COLUMNS", "12", TRUE);
  g_assert_cmpuint (mt_cli_get_width (file), ==, 40);
  g_setenv ("COLUMNS", "wide", TRUE);
  g_assert_cmpuint (mt_cli_get_width (file), ==, 80);
  g_unsetenv ("COLUMNS");
  g_assert_cmpuint (mt_cli_get_width (file), ==, 80);
  g_assert_true (mt_cli_write (file, "text"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "text");
  fclose (file);
  file = fopen (path, "r");
  g_assert_false (mt_cli_write (file, "cannot be written to a file open for reading"));
  fclose (file);
  remove (path);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-terminal/width", test_width);
  g_test_add_func ("/cli-terminal/fit", test_fit);
  g_test_add_func ("/cli-terminal/wrap", test_wrap);
  g_test_add_func ("/cli-terminal/wrap-keeps-words", test_wrap_keeps_words);
  g_test_add_func ("/cli-terminal/numbers", test_numbers);
  g_test_add_func ("/cli-terminal/table", test_table);
  g_test_add_func ("/cli-terminal/no-terminal", test_no_terminal);
  return g_test_run ();
}
