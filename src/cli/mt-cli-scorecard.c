/* minterm-cli rules --scorecard: the model by column, as text and as JSON. See mt-cli-scorecard.h. */
#include "config.h"
#include "mt-cli-scorecard.h"

#include <math.h>
#include <string.h>

#include "mt-cli-terminal.h"

static void
append_points (GString      *out,
               const double *points,
               guint         n)
{
  for (guint o = 0; o < n; o++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%+.6g", points[o]);
      g_string_append_printf (out, "%s%12s", o > 0 ? " " : "", number);
    }
}

static void
append_column (GString           *out,
               const MtScorecard *card,
               guint              index)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (card, index);
  MtRuleBook *book = mt_scorecard_get_book (card);
  const MtEncoderColumn *about = mt_encoder_get_column (mt_rule_book_get_encoder (book), column->column);
  guint n = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));

  g_string_append_printf (out, "\n%s", about->name);
  if (column->has_linear)
    {
      g_autofree char *low = mt_encoder_dup_value_text (mt_rule_book_get_encoder (book), column->column, about->min);
      g_autofree char *high = mt_encoder_dup_value_text (mt_rule_book_get_encoder (book), column->column, about->max);

      g_string_append_printf (out, " (with a linear term; training range %s to %s)", low, high);
    }
  g_string_append_c (out, '\n');
  for (guint i = 0; i < column->n_ranges; i++)
    {
      const MtScorecardRange *range = &column->ranges[i];

      append_points (out, range->at_low, n);
      if (column->has_linear && !range->is_missing)
        {
          g_string_append (out, " …");
          append_points (out, range->at_high, n);
        }
      g_string_append_printf (out, "  %s", range->text);
      if (mt_rule_book_has_rows (book))
        {
          g_autofree char *rows = mt_cli_dup_count (range->n_rows);

          g_string_append_printf (out, " (%s row%s)", rows, range->n_rows == 1 ? "" : "s");
        }
      g_string_append_c (out, '\n');
    }
}

static int
print_text (const MtScorecard *card)
{
  MtRuleBook *book = mt_scorecard_get_book (card);
  const MtRuleSet *rules = mt_rule_book_get_rules (book);
  guint n = mt_rule_set_get_n_outputs (rules), n_columns = mt_scorecard_get_n_columns (card);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) all = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  gboolean has_linear = FALSE;

  for (guint i = 0; i < n_columns; i++)
    has_linear = has_linear || mt_scorecard_get_column (card, i)->has_linear;
  g_string_append_printf (out, "scorecard of %s: score = intercept + points of each column + weights of the interactions that apply\n"
                               "points are rounded; use --json for all digits\n", mt_rule_book_get_target (book));
  if (has_linear)
    g_string_append (out, "two numbers: points at the lowest and at the highest value of the range, within the training range\n");
  if (mt_rule_book_get_classes (book) != NULL)
    {
      g_autofree char *classes = g_strjoinv (", ", (char **) mt_rule_book_get_classes (book));

      g_string_append_printf (out, "%s %s\n", n == 1 ? "classes:" : "points for:", classes);
    }
  g_string_append_c (out, '\n');
  append_points (out, mt_rule_set_get_bias (rules), n);
  g_string_append (out, "  intercept\n");
  for (guint i = 0; i < n_columns; i++)
    append_column (out, card, i);
  if (mt_scorecard_get_n_interactions (card) > 0)
    g_string_append (out, "\ninteractions\n");
  for (guint i = 0; i < mt_scorecard_get_n_interactions (card); i++)
    {
      guint index = mt_scorecard_get_interaction (card, i);
      const MtTerm *term = mt_rule_set_get_term (rules, index);
      g_autofree char *text = mt_term_dup_text (term, mt_rule_book_get_encoder (book));

      append_points (out, term->weights, n);
      g_string_append_printf (out, "  rule %u: %s\n", mt_rule_book_get_number (book, index), text);
    }
  lines = g_strsplit (out->str, "\n", -1);      /* names and levels come from files */
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = mt_cli_escape (lines[i]);

      g_string_append_printf (all, "%s%s", i > 0 ? "\n" : "", line);
    }
  return mt_cli_print (all->str);
}

static void
add_column (MtJsonWriter      *json,
            const MtScorecard *card,
            guint              index)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (card, index);
  MtRuleBook *book = mt_scorecard_get_book (card);
  guint n = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "column", mt_encoder_get_column_name (mt_rule_book_get_encoder (book), column->column));
  mt_json_writer_key (json, "linear");
  mt_json_writer_boolean (json, column->has_linear);
  mt_cli_json_number (json, "spread", column->spread);
  mt_json_writer_key (json, "ranges");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < column->n_ranges; i++)
    {
      const MtScorecardRange *range = &column->ranges[i];

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "values", range->text);
      mt_cli_json_number (json, "from", range->low);
      mt_cli_json_number (json, "below", range->high);
      mt_cli_json_numbers (json, "points", range->points, n);
      mt_cli_json_numbers (json, "points_at_lowest", range->at_low, n);
      mt_cli_json_numbers (json, "points_at_highest", range->at_high, n);
      if (mt_rule_book_has_rows (book))
        mt_cli_json_count (json, "rows", range->n_rows);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
}

static int
print_json (const MtScorecard *card)
{
  MtRuleBook *book = mt_scorecard_get_book (card);
  const MtRuleSet *rules = mt_rule_book_get_rules (book);
  guint n = mt_rule_set_get_n_outputs (rules);
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "target", mt_rule_book_get_target (book));
  mt_cli_json_numbers (json, "intercept", mt_rule_set_get_bias (rules), n);
  mt_json_writer_key (json, "columns");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    add_column (json, card, i);
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "interactions");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < mt_scorecard_get_n_interactions (card); i++)
    {
      guint index = mt_scorecard_get_interaction (card, i);
      const MtTerm *term = mt_rule_set_get_term (rules, index);
      g_autofree char *text = mt_term_dup_text (term, mt_rule_book_get_encoder (book));

      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "rule", mt_rule_book_get_number (book, index));
      mt_cli_json_text (json, "text", text);
      mt_cli_json_numbers (json, "weights", term->weights, n);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

int
mt_cli_scorecard_print (const MtScorecard *card,
                        gboolean           json)
{
  return json ? print_json (card) : print_text (card);
}
