/* A wide model: rules, with -m slow 200, over columns with names of 60 characters, also from the right, of emoji and of
 * CJK. Its report lays out: nothing runs off the page, every name and rule is there. */
#include "config.h"

#include <string.h>

#include "mt-core.h"
#include "testutils.h"

#define N_COLUMNS 24
#define MAX_RULES 200
#define N_ROWS    120
#define LENGTH    60      /* of a name, in characters */
#define MARGIN    45.0

/* What names are made of, in turn. */
static const char * const words[] = {
  "unbroken_column_name_", "with blanks and more blanks ", "שלום_עולם_", "العمر بالسنوات ", "🙂🚀", "年齢収入", "ÄÖÜßéŁŐ", "i̇ñ",
};

static guint
get_n_rules (void)
{
  return g_test_slow () ? MAX_RULES : 30;
}

static char *
make_name (guint index)
{
  const char *word = words[index % G_N_ELEMENTS (words)];
  g_autofree char *number = g_strdup_printf ("%u ", index);
  g_autoptr (GString) name = g_string_new (number);
  glong n = g_utf8_strlen (number, -1);

  for (const char *p = word; n < LENGTH; n++)
    {
      g_string_append_unichar (name, g_utf8_get_char (p));
      p = *g_utf8_next_char (p) != '\0' ? g_utf8_next_char (p) : word;
    }
  while (name->str[name->len - 1] == ' ')
    name->str[name->len - 1] = '.';
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static MtTable *
make_table (MtRandom *random)
{
  MtColumn *columns[N_COLUMNS + 1];
  const char *answers[N_ROWS];

  for (guint c = 0; c < N_COLUMNS; c++)
    {
      g_autofree char *name = make_name (c);
      double values[N_ROWS];

      for (guint r = 0; r < N_ROWS; r++)
        values[r] = (double) mt_random_below (random, 100000) / 7;
      columns[c] = mt_test_numbers (name, values, N_ROWS);
    }
  for (guint r = 0; r < N_ROWS; r++)
    answers[r] = mt_random_below (random, 2) == 0 ? "refused" : "granted";
  columns[N_COLUMNS] = mt_test_levels ("answer", MT_TYPE_CATEGORY, answers, N_ROWS);
  return mt_test_table (columns, N_COLUMNS + 1, N_COLUMNS);
}

/* NULL: a constant, or an input is left out. */
static MtRule *
make_rule (guint     n_literals,
           MtRandom *random)
{
  guint n_inputs = 2 + (guint) mt_random_below (random, 3), inputs[4];
  guint64 on = mt_random_next (random) & mt_truth_table_last_mask (n_inputs);
  g_auto (MtCover) cover = { NULL };

  inputs[0] = (guint) mt_random_below (random, n_literals / 5);
  for (guint i = 1; i < n_inputs; i++)
    inputs[i] = inputs[i - 1] + 1 + (guint) mt_random_below (random, n_literals / 5);
  mt_qmc_minimize (n_inputs, &on, NULL, NULL, &cover);
  return mt_rule_new (inputs, n_inputs, cover.cubes, cover.n_cubes, NULL, cover.proven, NULL);
}

static MtModel *
make_model (void)
{
  static const char * const classes[] = { "refused", "granted", NULL };
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree MtTerm *terms = g_new0 (MtTerm, MAX_RULES);
  double weights[MAX_RULES];
  const double bias = -0.5;
  MtEncoderOptions options;
  MtModelInfo info;
  MtRandom random;
  MtModel *model;

  mt_random_init (&random, 5);
  table = make_table (&random);
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, &error);
  g_assert_no_error (error);
  for (guint n = 0; n < get_n_rules ();)
    {
      MtRule *rule = make_rule (mt_encoder_get_n_literals (encoder), &random);

      if (rule == NULL)
        continue;
      weights[n] = mt_random_normal (&random);
      terms[n] = (MtTerm) { .rule = rule, .weights = &weights[n] };
      n++;
    }
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, terms, get_n_rules (), &error);
  g_assert_no_error (error);
  for (guint n = 0; n < get_n_rules (); n++)
    mt_rule_unref (terms[n].rule);
  mt_model_info_init (&info);
  info.target = "answer";
  info.classes = classes;
  info.dont_care = "off";
  model = mt_model_new (encoder, rules, &info, &error);
  g_assert_no_error (error);
  return model;
}

static char *
run_on (GBytes     *pdf,
        const char *program,
        const char *option)
{
  g_autofree char *found = g_find_program_in_path (program);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GError) error = NULL;

  if (found == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, option, "-", "-",
                              NULL);
  g_assert_no_error (error);
  g_subprocess_communicate (process, pdf, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (out, NULL), g_bytes_get_size (out));
}

/* Words outside of the margins, by where pdftotext finds them. */
static guint
count_outside (const char *boxes,
               guint      *n_words)
{
  g_auto (GStrv) lines = g_strsplit (boxes, "\n", -1);
  double width = 0, height = 0;
  guint n_outside = 0;

  *n_words = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "<page ") != NULL)
      {
        width = mt_test_get_attribute (lines[i], "width=\"");
        height = mt_test_get_attribute (lines[i], "height=\"");
      }
    else if (strstr (lines[i], "<word ") != NULL)
      {
        ++*n_words;
        if (mt_test_get_attribute (lines[i], "xMin=\"") < MARGIN - 1 || mt_test_get_attribute (lines[i], "xMax=\"") > width - MARGIN + 1 ||
            mt_test_get_attribute (lines[i], "yMin=\"") < MARGIN - 4 || mt_test_get_attribute (lines[i], "yMax=\"") > height - MARGIN + 14)
          {
            n_outside++;
            g_test_message ("%s", lines[i]);
          }
      }
  return n_outside;
}

/* Letters of a script in the text, whichever way it was turned. */
static guint
count_letters (const char     *text,
               GUnicodeScript  script)
{
  guint n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    n += g_unichar_get_script (g_utf8_get_char (p)) == script;
  return n;
}

static gboolean
has_font (const char *letter)
{
  g_autofree char *out = NULL;
  g_autofree char *command = g_strdup_printf ("fc-list :charset=%x family", g_utf8_get_char (letter));

  return g_spawn_command_line_sync (command, &out, NULL, NULL, NULL) && out != NULL && *out != '\0';
}

static char *
squeeze (const char *text)
{
  g_auto (GStrv) parts = g_strsplit_set (text, " \n\f", -1);

  return g_strjoinv ("", parts);
}

static void
check_pdf (MtReport *report,
           MtPaper   paper)
{
  static const struct { const char *letter; GUnicodeScript script; } scripts[] = {
    { "ש", G_UNICODE_SCRIPT_HEBREW }, { "ع", G_UNICODE_SCRIPT_ARABIC }, { "年", G_UNICODE_SCRIPT_HAN },
  };
  g_autoptr (GBytes) pdf = mt_report_to_pdf (report, paper, NULL);
  g_autofree char *boxes = run_on (pdf, "pdftotext", "-bbox");
  g_autofree char *text = NULL;
  g_autofree char *squeezed = NULL;
  g_autofree char *name = make_name (8);
  g_autofree char *plain = squeeze (name);
  g_autofree char *faulty = NULL;
  g_autofree char *last = g_strdup_printf ("Rule%u", get_n_rules ());
  guint n_words, n_again;

  if (boxes == NULL)
    {
      g_test_skip ("there is no pdftotext here");
      return;
    }
  g_assert_cmpuint (count_outside (boxes, &n_words), ==, 0);
  g_assert_cmpuint (n_words, >, get_n_rules () * 50);
  /* A word beyond the margin is seen. */
  faulty = g_strconcat (boxes, "\n<word xMin=\"500\" yMin=\"100\" xMax=\"594\" yMax=\"110\">\n", NULL);
  g_assert_cmpuint (count_outside (faulty, &n_again), ==, 1);
  text = run_on (pdf, "pdftotext", "-raw");
  squeezed = squeeze (text);
  g_assert_nonnull (strstr (squeezed, plain));
  g_assert_nonnull (strstr (squeezed, last));
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    if (has_font (scripts[i].letter))
      g_assert_cmpuint (count_letters (text, scripts[i].script), >, 3 * LENGTH);
    else
      g_test_message ("no font here has %s", scripts[i].letter);
}

static void
check_html (MtReport *report)
{
  g_autoptr (GBytes) bytes = mt_report_to_html (report, NULL);
  g_autofree char *html = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GString) bare = g_string_new (html);
  g_autofree char *last = g_strdup_printf (">Rule %u<", get_n_rules ());

  g_string_replace (bare, "<bdi>", "", 0);
  g_string_replace (bare, "</bdi>", "", 0);
  for (guint c = 0; c < N_COLUMNS; c++)
    {
      g_autofree char *name = make_name (c);

      if (strstr (bare->str, name) == NULL)
        g_error ("the HTML lacks “%s”", name);
    }
  g_assert_nonnull (strstr (html, last));
  /* Long words break, drawings shrink. */
  g_assert_nonnull (strstr (html, "overflow-wrap:anywhere"));
  g_assert_nonnull (strstr (html, "svg{max-width:100%"));
}

static void
test_wide (void)
{
  g_autoptr (MtModel) model = make_model ();
  MtReportParts parts = { .model = model };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, &error);

  g_assert_no_error (error);
  check_html (report);
  check_pdf (report, MT_PAPER_A4);
  if (g_test_slow ())
    check_pdf (report, MT_PAPER_LETTER);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-wide/lays-out", test_wide);
  return g_test_run ();
}
