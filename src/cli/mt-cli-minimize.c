/* minterm-cli minimize: one table from the command line, or a line of JSON each on standard
 * input. Tables are hexadecimal, bit v is assignment v; terms are given as mask and value. */
#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two tables of 16 inputs take 32,768 digits; the rest is room for keys that we skip. */
#define MAX_LINE 1048576

typedef struct {
  guint    fan_in;
  gboolean with_xor;
  gboolean cnf;
  guint64  on[MT_TRUTH_TABLE_MAX_WORDS];
  guint64  dc[MT_TRUTH_TABLE_MAX_WORDS];
} Question;

static gboolean
check_fan_in (gint64   fan_in,
              GError **error)
{
  if (fan_in >= 1 && fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the fan-in must be between 1 and %d",
               MT_TRUTH_TABLE_MAX_FAN_IN);
  return FALSE;
}

static gboolean
parse_table (guint        fan_in,
             const char  *name,
             const char  *hex,
             guint64     *out,
             GError     **error)
{
  if (mt_truth_table_parse (fan_in, hex, out, error))
    return TRUE;
  g_prefix_error (error, "“%s”: ", name);
  return FALSE;
}

/* The complement within the cared-for, for clauses with parities. */
static void
complement (const Question *question,
            guint64        *out)
{
  guint k = question->fan_in;

  mt_truth_table_not (k, question->on, out);
  mt_truth_table_and_not (k, out, question->dc, out);
}

static void
answer (const Question *question,
        MtXorCover     *cover)
{
  guint k = question->fan_in;
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  MtCover plain = { 0 };

  mt_truth_table_and_not (k, question->on, question->dc, table);
  if (question->with_xor && !(question->cnf && mt_truth_table_is_false (k, table)))
    {
      if (question->cnf)
        complement (question, table);
      mt_qmc_minimize_xor (k, table, question->dc, NULL, cover);
      return;
    }

  if (question->cnf)
    mt_qmc_minimize_cnf (k, question->on, question->dc, NULL, &plain);
  else
    mt_qmc_minimize (k, question->on, question->dc, NULL, &plain);
  *cover = (MtXorCover) { g_new0 (MtXorCube, plain.n_cubes), plain.n_cubes, plain.n_literals, plain.proven };
  for (guint i = 0; i < plain.n_cubes; i++)
    {
      cover->cubes[i].mask = plain.cubes[i].mask;
      cover->cubes[i].value = plain.cubes[i].value;
    }
  mt_cover_clear (&plain);
}

static void
add_hex (MtJsonWriter *json,
         const char   *name,
         guint32       value)
{
  char text[16];

  g_snprintf (text, sizeof text, "%x", value);
  mt_cli_json_text (json, name, text);
}

static void
write_json (const Question   *question,
            const MtXorCover *cover,
            gboolean          is_row,
            MtJsonWriter     *json)
{
  if (is_row)
    mt_json_writer_begin_object_row (json);
  else
    mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "form", question->cnf ? "cnf" : "dnf");
  mt_json_writer_key (json, "terms");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < cover->n_cubes; i++)
    {
      mt_json_writer_begin_object (json);
      add_hex (json, "mask", cover->cubes[i].mask);
      add_hex (json, "value", cover->cubes[i].value);
      if (question->with_xor)
        {
          add_hex (json, "xor", cover->cubes[i].odd);
          add_hex (json, "xnor", cover->cubes[i].even);
        }
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_cli_json_count (json, "literals", cover->n_literals);
  mt_json_writer_key (json, "proven");
  mt_json_writer_boolean (json, cover->proven);
  mt_json_writer_end_object (json);
}

static void
append_part (GString    *text,
             gsize       start,
             const char *joint,
             const char *part)
{
  if (text->len > start)
    g_string_append (text, joint);
  g_string_append (text, part);
}

static void
append_group (GString    *text,
              gsize       start,
              const char *joint,
              guint32     inputs,
              gboolean    odd)
{
  g_autoptr (GString) group = g_string_new (NULL);

  for (guint i = 0; i < 32; i++)
    if ((inputs >> i) & 1)
      g_string_append_printf (group, "%sx%u", group->len > 0 ? " ⊕ " : "", i);
  g_string_prepend (group, odd ? "(" : "¬(");
  g_string_append_c (group, ')');
  append_part (text, start, joint, group->str);
}

/* A term of a DNF, or, each literal negated, a clause of a CNF. */
static void
append_term (GString         *text,
             const MtXorCube *cube,
             gboolean         clause)
{
  const char *joint = clause ? " ∨ " : " ∧ ";
  gsize start = text->len;

  for (guint i = 0; i < MT_TRUTH_TABLE_MAX_FAN_IN; i++)
    if ((cube->mask >> i) & 1)
      {
        char part[16];

        g_snprintf (part, sizeof part, "%sx%u", (((cube->value >> i) & 1) != 0) != clause ? "" : "¬", i);
        append_part (text, start, joint, part);
      }
  if (cube->odd != 0)
    append_group (text, start, joint, cube->odd, !clause);
  if (cube->even != 0)
    append_group (text, start, joint, cube->even, clause);
  if (text->len == start)
    g_string_append (text, clause ? "false" : "true");
  g_string_append_c (text, '\n');
}

static int
print_text (const Question   *question,
            const MtXorCover *cover)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < cover->n_cubes; i++)
    append_term (text, &cover->cubes[i], question->cnf);
  if (cover->n_cubes == 0)
    g_string_append (text, question->cnf ? "true\n" : "false\n");
  g_string_append_printf (text, "%u %s%s, joined by %s, %u literal%s, %s\n", cover->n_cubes,
                          question->cnf ? "clause" : "alternative", cover->n_cubes == 1 ? "" : "s",
                          question->cnf ? "and" : "or", cover->n_literals, cover->n_literals == 1 ? "" : "s",
                          cover->proven ? "proven minimal" : "not proven minimal");
  if (fputs (text->str, stdout) == EOF || fflush (stdout) != 0)
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
  return MT_EXIT_OK;
}

static gboolean
get_string (const MtJson  *object,
            const char    *name,
            const char   **value,
            GError       **error)
{
  const MtJson *member = mt_json_find (object, name);

  *value = NULL;
  if (member == NULL)
    return TRUE;
  if (mt_json_get_kind (member) == MT_JSON_STRING)
    *value = mt_json_get_string (member);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "“%s” must be a string of hexadecimal digits", name);
  return *value != NULL;
}

/* What the line does not say is as on the command line. */
static gboolean
get_boolean (const MtJson  *object,
             const char    *name,
             gboolean       otherwise,
             gboolean      *value,
             GError       **error)
{
  const MtJson *member = mt_json_find (object, name);

  *value = otherwise;
  if (member == NULL)
    return TRUE;
  if (mt_json_get_kind (member) != MT_JSON_BOOLEAN)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "“%s” must be true or false", name);
      return FALSE;
    }
  *value = mt_json_get_boolean (member);
  return TRUE;
}

static gboolean
parse_line (const GString  *line,
            const Question *usual,
            Question       *question,
            GError        **error)
{
  g_autoptr (MtJson) object = mt_json_parse (line->str, (gssize) line->len, NULL);
  const char *on, *dc;
  const MtJson *member;
  double fan_in;

  if (object == NULL || mt_json_get_kind (object) != MT_JSON_OBJECT)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, "this is not a JSON object");
      return FALSE;
    }
  member = mt_json_find (object, "fan_in");
  fan_in = member != NULL && mt_json_get_kind (member) == MT_JSON_NUMBER ? mt_json_get_number (member) : NAN;
  if (fan_in != floor (fan_in))    /* so is NaN */
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, "“fan_in” must be a whole number");
      return FALSE;
    }
  if (!check_fan_in ((gint64) CLAMP (fan_in, -1, MT_TRUTH_TABLE_MAX_FAN_IN + 1), error) ||
      !get_string (object, "on", &on, error) || !get_string (object, "dc", &dc, error) ||
      !get_boolean (object, "xor", usual->with_xor, &question->with_xor, error) ||
      !get_boolean (object, "cnf", usual->cnf, &question->cnf, error))
    return FALSE;
  if (on == NULL)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, "“on” is missing");
      return FALSE;
    }
  question->fan_in = (guint) fan_in;
  return parse_table (question->fan_in, "on", on, question->on, error) &&
         parse_table (question->fan_in, "dc", dc != NULL ? dc : "0", question->dc, error);
}

/* The next line without its end; FALSE at the end of the input or when the line is too long. */
static gboolean
read_line (GString *line)
{
  int c = EOF;

  g_string_truncate (line, 0);
  while (line->len <= MAX_LINE && (c = getc_unlocked (stdin)) != EOF && c != '\n')
    g_string_append_c (line, (char) c);
  return line->len <= MAX_LINE && (c != EOF || line->len > 0);
}

static int
run_batch (const Question *usual)
{
  g_autofree Question *question = g_memdup2 (usual, sizeof *usual);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint64 number = 1; read_line (line); number++)
    {
      g_auto (MtXorCover) cover = { 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      MtJsonWriter *json;

      if (strspn (line->str, " \t\r") == line->len)
        continue;
      if (!parse_line (line, usual, question, &error))
        return mt_cli_fail (MT_EXIT_FAILED, "line %" G_GUINT64_FORMAT ": %s", number, error->message);
      answer (question, &cover);
      json = mt_json_writer_new ();
      write_json (question, &cover, TRUE, json);
      text = mt_json_writer_finish (json, NULL);
      /* Who asks line by line waits for this answer before the next question. */
      if (fputs (text, stdout) == EOF || fflush (stdout) != 0)
        return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
    }
  if (line->len > MAX_LINE)
    return mt_cli_fail (MT_EXIT_FAILED, "a line is longer than %d bytes", MAX_LINE);
  if (ferror (stdin))
    return mt_cli_fail (MT_EXIT_FAILED, "cannot read standard input");
  return MT_EXIT_OK;
}

int
mt_cli_minimize (int    argc,
                 char **argv)
{
  int fan_in = -1;
  gboolean with_xor = FALSE, cnf = FALSE, batch = FALSE;
  g_autofree char *on = NULL;
  g_autofree char *dc = NULL;
  const GOptionEntry entries[] = {
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Number of inputs, 1 to 16", "K" },
    { "on", 0, 0, G_OPTION_ARG_STRING, &on, "Assignments that are true; bit v is assignment v", "HEX" },
    { "dc", 0, 0, G_OPTION_ARG_STRING, &dc, "Assignments that may be decided either way", "HEX" },
    { "xor", 0, 0, G_OPTION_ARG_NONE, &with_xor, "Allow exclusive or of inputs", NULL },
    { "cnf", 0, 0, G_OPTION_ARG_NONE, &cnf, "Print a conjunction of clauses; a clause is false where (v & mask) == value", NULL },
    { "batch", 0, 0, G_OPTION_ARG_NONE, &batch, "Read one JSON object (fan_in, on; optionally dc, xor, cnf) per line, and print one per line", NULL },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_auto (MtXorCover) cover = { 0 };
  g_autofree Question *question = g_new0 (Question, 1);
  g_autoptr (GError) error = NULL;
  MtJsonWriter *json;
  int exit_code;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc > 1)
    return mt_cli_fail (MT_EXIT_USAGE, "minimize takes no argument “%s”", argv[1]);
  question->with_xor = with_xor;
  question->cnf = cnf;
  if (batch)
    {
      if (fan_in != -1 || on != NULL || dc != NULL)
        return mt_cli_fail (MT_EXIT_USAGE, "--batch reads tables from standard input and cannot be used with "
                            "--fan-in, --on, or --dc");
      return run_batch (question);
    }

  if (fan_in == -1 || on == NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "minimize needs --fan-in and --on, or --batch");
  if (!check_fan_in (fan_in, &error))
    return mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  question->fan_in = (guint) fan_in;
  if (!parse_table (question->fan_in, "--on", on, question->on, &error) ||
      !parse_table (question->fan_in, "--dc", dc != NULL ? dc : "0", question->dc, &error))
    return mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  answer (question, &cover);
  if (!common.json)
    return print_text (question, &cover);
  json = mt_json_writer_new ();
  write_json (question, &cover, FALSE, json);
  return mt_cli_json_print (json);
}
