/* minterm-cli minimize and bench minimize, from outside. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "mt-core.h"
#include "testutils.h"

static guint32
get_hex (const MtJson *object,
         const char *name)
{
  const char *text = mt_test_json_string (object, name);
  char *end;
  guint64 value = g_ascii_strtoull (text, &end, 16);

  g_assert_cmpint (*end, ==, '\0');
  return (guint32) value;
}

static gboolean
term_covers (const MtJson *term,
             guint32     v)
{
  if ((v & get_hex (term, "mask")) != get_hex (term, "value"))
    return FALSE;
  if (mt_json_find (term, "xor") == NULL)
    return TRUE;
  return (get_hex (term, "xor") == 0 || __builtin_parity (v & get_hex (term, "xor"))) &&
         !__builtin_parity (v & get_hex (term, "xnor"));
}

/* What the answer says of assignment @v. */
static gboolean
answer_is_true (const MtJson *answer,
                guint32     v)
{
  const MtJson *terms = mt_test_json_array (answer, "terms");
  gboolean covered = FALSE;

  for (guint i = 0; i < mt_json_get_n_children (terms); i++)
    covered |= term_covers (mt_json_get_child (terms, i), v);
  return covered != (strcmp (mt_test_json_string (answer, "form"), "cnf") == 0);
}

static void
assert_answer (const char *text,
               guint       fan_in,
               guint64     on,
               guint64     dc,
               gint64      literals)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtJson) root = mt_json_parse (text, -1, &error);
  const MtJson *answer;

  g_assert_no_error (error);
  answer = root;
  for (guint32 v = 0; v < 1u << fan_in; v++)
    if (!((dc >> v) & 1))
      g_assert_cmpint (answer_is_true (answer, v), ==, (on >> v) & 1);
  g_assert_cmpint (mt_test_json_integer (answer, "literals"), ==, literals);
  g_assert_true (mt_test_json_boolean (answer, "proven"));
}

static void
test_one_table (void)
{
  g_autofree char *dnf = NULL;
  g_autofree char *cnf = NULL;
  g_autofree char *with_xor = NULL;
  g_autofree char *both = NULL;
  g_autofree char *with_dc = NULL;
  g_autofree char *nothing = NULL;
  g_autofree char *messages = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &dnf, &messages, "minimize", "--json", "--fan-in", "4", "--on", "0x13ff",
                                NULL), ==, 0);
  g_assert_cmpstr (messages, ==, "");
  assert_answer (dnf, 4, 0x13ff, 0, 5);
  g_assert_cmpint (mt_test_cli (NULL, &cnf, NULL, "minimize", "--json", "--fan-in", "4", "--on", "13FF",
                                "--cnf", NULL), ==, 0);
  assert_answer (cnf, 4, 0x13ff, 0, 5);
  g_assert_cmpint (mt_test_cli (NULL, &with_xor, NULL, "minimize", "--json", "--fan-in", "4", "--on", "6996",
                                "--xor", NULL), ==, 0);
  assert_answer (with_xor, 4, 0x6996, 0, 4);
  g_assert_cmpint (mt_test_cli (NULL, &both, NULL, "minimize", "--json", "--fan-in", "4", "--on", "6996",
                                "--xor", "--cnf", NULL), ==, 0);
  assert_answer (both, 4, 0x6996, 0, 4);
  g_assert_cmpint (mt_test_cli (NULL, &with_dc, NULL, "minimize", "--json", "--fan-in", "3", "--on", "81",
                                "--dc", "7c", NULL), ==, 0);
  assert_answer (with_dc, 3, 0x81, 0x7c, 2);
  g_assert_cmpint (mt_test_cli (NULL, &nothing, NULL, "minimize", "--json", "--fan-in", "2", "--on", "f",
                                "--dc", "f", "--cnf", "--xor", NULL), ==, 0);
  assert_answer (nothing, 2, 0, 0, 0);
}

static void
assert_text (const char *expected,
             const char *fan_in,
             const char *on,
             const char *first,
             const char *second)
{
  g_autofree char *out = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "minimize", "--fan-in", fan_in, "--on", on, first, second,
                                NULL), ==, 0);
  g_assert_cmpstr (out, ==, expected);
}

static void
test_text (void)
{
  assert_text ("x0 ∧ ¬x1\n1 alternative, joined by or, 2 literals, proven minimal\n", "2", "2", NULL, NULL);
  assert_text ("x0\n¬x1\n2 clauses, joined by and, 2 literals, proven minimal\n", "2", "2", "--cnf", NULL);
  assert_text ("false\n0 alternatives, joined by or, 0 literals, proven minimal\n", "2", "0", NULL, NULL);
  assert_text ("true\n1 alternative, joined by or, 0 literals, proven minimal\n", "2", "f", NULL, NULL);
  assert_text ("true\n0 clauses, joined by and, 0 literals, proven minimal\n", "2", "f", "--cnf", NULL);
  assert_text ("false\n1 clause, joined by and, 0 literals, proven minimal\n", "2", "0", "--cnf", NULL);
  assert_text ("(x0 ⊕ x1)\n1 alternative, joined by or, 2 literals, proven minimal\n", "2", "6", "--xor", NULL);
  assert_text ("x2 ∧ ¬(x0 ⊕ x1)\n1 alternative, joined by or, 3 literals, proven minimal\n", "3", "90", "--xor", NULL);
  assert_text ("¬(x0 ⊕ x1)\n1 clause, joined by and, 2 literals, proven minimal\n", "2", "9", "--xor", "--cnf");
}

/* A line decides for itself: the parity of two inputs is one term with "xor" and two without; so with "cnf". */
static void
test_batch_options (void)
{
  g_autofree char *out = NULL;
  g_autofree char *messages = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (mt_test_cli ("{\"fan_in\": 2, \"on\": \"6\"}\n"
                                "{\"fan_in\": 2, \"on\": \"6\", \"xor\": true}\n"
                                "{\"fan_in\": 2, \"on\": \"6\", \"xor\": false, \"cnf\": true}\n"
                                "{\"fan_in\": 2, \"on\": \"6\"}\n", &out, NULL, "minimize", "--batch", NULL), ==, 0);
  lines = g_strsplit (out, "\n", -1);
  g_assert_null (strstr (lines[0], "\"xor\""));
  g_assert_nonnull (strstr (lines[1], "\"xor\""));
  g_assert_nonnull (strstr (lines[2], "\"form\": \"cnf\""));
  g_assert_cmpstr (lines[3], ==, lines[0]);     /* nothing stays from the lines before */
  g_clear_pointer (&out, g_free);
  g_assert_cmpint (mt_test_cli ("{\"fan_in\": 2, \"on\": \"6\", \"xor\": 1}\n", &out, &messages, "minimize", "--batch", NULL),
                   ==, 1);
  g_assert_nonnull (strstr (messages, "“xor” must be true or false"));
}

static void
test_batch (void)
{
  g_autofree char *out = NULL;
  g_autofree char *messages = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (mt_test_cli ("{\"fan_in\":4,\"on\":\"13ff\",\"dc\":\"0\",\"kind\":\"x\"}\n"
                                "\n"
                                "  {\"dc\":\"7c\",\"on\":\"81\",\"fan_in\":3}\r\n"
                                "{\"fan_in\":2,\"on\":\"6\"}",
                                &out, &messages, "minimize", "--batch", NULL), ==, 0);
  g_assert_cmpstr (messages, ==, "");
  lines = g_strsplit (out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  assert_answer (lines[0], 4, 0x13ff, 0, 5);
  assert_answer (lines[1], 3, 0x81, 0x7c, 2);
  assert_answer (lines[2], 2, 0x6, 0, 4);
  g_assert_cmpstr (lines[3], ==, "");
}

static void
assert_bad_line (const char *line,
                 const char *part)
{
  const char *good = "{\"fan_in\":1,\"on\":\"1\"}";
  g_autofree char *input = g_strdup_printf ("%s\n\n%s\n%s\n", good, line, good);
  g_autofree char *out = NULL;
  g_autofree char *messages = NULL;

  g_assert_cmpint (mt_test_cli (input, &out, &messages, "minimize", "--batch", NULL), ==, 1);
  g_assert_nonnull (strstr (messages, part));
  g_assert_nonnull (strstr (messages, "line 3: "));
  g_assert_cmpuint (strlen (out), ==, strlen (strchr (out, '\n')) + (gsize) (strchr (out, '\n') - out));
  g_assert_cmpstr (strchr (out, '\n'), ==, "\n");
}

static void
test_bad_lines (void)
{
  g_autofree char *brackets = g_strnfill (200000, '[');
  g_autofree char *too_long = g_strnfill (1100000, ' ');
  g_autofree char *messages = NULL;

  assert_bad_line ("garbage", "not a JSON object");
  assert_bad_line ("[1]", "not a JSON object");
  assert_bad_line ("{\"fan_in\":4", "not a JSON object");
  assert_bad_line ("{} {}", "not a JSON object");
  assert_bad_line ("\xff\xfe", "not a JSON object");
  assert_bad_line (brackets, "not a JSON object");
  assert_bad_line ("{\"on\":\"1\"}", "“fan_in” must be a whole number");
  assert_bad_line ("{\"fan_in\":\"4\",\"on\":\"1\"}", "“fan_in” must be a whole number");
  assert_bad_line ("{\"fan_in\":4.5,\"on\":\"1\"}", "“fan_in” must be a whole number");
  assert_bad_line ("{\"fan_in\":[4],\"on\":\"1\"}", "“fan_in” must be a whole number");
  assert_bad_line ("{\"fan_in\":0,\"on\":\"1\"}", "between 1 and 16");
  assert_bad_line ("{\"fan_in\":17,\"on\":\"1\"}", "between 1 and 16");
  assert_bad_line ("{\"fan_in\":-1,\"on\":\"1\"}", "between 1 and 16");
  assert_bad_line ("{\"fan_in\":4}", "“on” is missing");
  assert_bad_line ("{\"fan_in\":4,\"on\":7}", "“on” must be a string");
  assert_bad_line ("{\"fan_in\":4,\"on\":null}", "“on” must be a string");
  assert_bad_line ("{\"fan_in\":4,\"on\":\"1\",\"dc\":0}", "“dc” must be a string");
  assert_bad_line ("{\"fan_in\":4,\"on\":\"1ffff\"}", "“on”: the truth table has bits beyond its 16");
  assert_bad_line ("{\"fan_in\":4,\"on\":\"1\",\"dc\":\"g\"}", "“dc”: a truth table must contain only hexadecimal digits");
  g_assert_cmpint (mt_test_cli (too_long, NULL, &messages, "minimize", "--batch", NULL), ==, 1);
  g_assert_nonnull (strstr (messages, "longer than"));
}

static void
assert_usage (const char *part,
              const char *a,
              const char *b,
              const char *c,
              const char *d,
              const char *e)
{
  g_autofree char *out = NULL;
  g_autofree char *messages = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, &messages, "minimize", a, b, c, d, e, NULL), ==, 2);
  g_assert_nonnull (strstr (messages, part));
  g_assert_cmpstr (out, ==, "");
}

static void
test_bad_usage (void)
{
  assert_usage ("needs --fan-in and --on", NULL, NULL, NULL, NULL, NULL);
  assert_usage ("needs --fan-in and --on", "--fan-in=4", NULL, NULL, NULL, NULL);
  assert_usage ("between 1 and 16", "--fan-in=0", "--on=1", NULL, NULL, NULL);
  assert_usage ("between 1 and 16", "--fan-in=17", "--on=1", NULL, NULL, NULL);
  assert_usage ("“--on”: the truth table has bits beyond", "--fan-in=2", "--on=10", NULL, NULL, NULL);
  assert_usage ("“--dc”: a truth table needs", "--fan-in=2", "--on=1", "--dc=", NULL, NULL);
  assert_usage ("--batch reads", "--batch", "--on=1", NULL, NULL, NULL);
  assert_usage ("no argument “more”", "--fan-in=2", "--on=1", "more", NULL, NULL);
  assert_usage ("unknown option --fanin; did you mean --fan-in?", "--fanin=2", NULL, NULL, NULL, NULL);
}

static void
test_bench (void)
{
  g_autofree char *out = NULL;
  g_autofree char *text = NULL;
  g_autofree char *messages = NULL;
  g_autoptr (MtJson) root = NULL;
  const MtJson *fan_ins, *six;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "bench", "minimize", "--json", "--cases", "2", NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  fan_ins = mt_test_json_array (root, "fan_ins");
  g_assert_cmpuint (mt_json_get_n_children (fan_ins), ==, 3);
  six = mt_json_get_child (fan_ins, 0);
  g_assert_cmpint (mt_test_json_integer (six, "fan_in"), ==, 6);
  g_assert_cmpint (mt_test_json_integer (six, "cases"), ==, 8);
  g_assert_cmpint (mt_test_json_integer (six, "proven"), ==, 8);
  g_assert_cmpfloat (mt_test_json_number (six, "us_mean"), >, 0);
  g_assert_cmpfloat (mt_test_json_number (six, "us_worst"), >=,
                     mt_test_json_number (six, "us_median"));

  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "bench", "minimize", "--fan-in", "3", "--cases", "1",
                                NULL), ==, 0);
  g_assert_nonnull (strstr (text, "fan-in  3"));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &messages, "bench", "minimize", "--fan-in", "17", NULL), ==, 2);
  g_assert_nonnull (strstr (messages, "between 1 and 16"));
  g_clear_pointer (&messages, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &messages, "bench", "minimize", "--cases", "-1", NULL), ==, 2);
  g_assert_nonnull (strstr (messages, "between 1 and 1000000"));
}

/* Question and answer in turn: an answer comes before the next question is asked. */
static void
test_dialogue (void)
{
  g_autoptr (GSubprocess) cli = NULL;
  g_autoptr (GError) error = NULL;
  GInputStream *from;
  GOutputStream *to;

  cli = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                          g_getenv ("MINTERM_CLI"), "minimize", "--batch", NULL);
  g_assert_no_error (error);
  to = g_subprocess_get_stdin_pipe (cli);
  from = g_subprocess_get_stdout_pipe (cli);
  for (guint i = 0; i < 3; i++)
    {
      static const char question[] = "{\"fan_in\": 3, \"on\": \"e8\"}\n";
      GString *answer = g_string_new (NULL);
      char c = 0;

      g_assert_true (g_output_stream_write_all (to, question, strlen (question), NULL, NULL, NULL));
      while (c != '\n')      /* without an answer it waits for ever */
        {
          g_assert_cmpint (g_input_stream_read (from, &c, 1, NULL, NULL), ==, 1);
          g_string_append_c (answer, c);
        }
      g_assert_nonnull (strstr (answer->str, "\"literals\""));
      g_string_free (answer, TRUE);
    }
  g_assert_true (g_output_stream_close (to, NULL, NULL));
  g_assert_true (g_subprocess_wait_check (cli, NULL, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-minimize/one-table", test_one_table);
  g_test_add_func ("/cli-minimize/text", test_text);
  g_test_add_func ("/cli-minimize/batch", test_batch);
  g_test_add_func ("/cli-minimize/batch-options", test_batch_options);
  g_test_add_func ("/cli-minimize/dialogue", test_dialogue);
  g_test_add_func ("/cli-minimize/bad-lines", test_bad_lines);
  g_test_add_func ("/cli-minimize/bad-usage", test_bad_usage);
  g_test_add_func ("/cli-minimize/bench", test_bench);
  return g_test_run ();
}
