/* The model as a scorecard in its report: points by range of each column, and the interactions. The same table as in the
 * window and of minterm-cli rules --scorecard (explain/mt-scorecard.h). */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "base/mt-decimal.h"
#include "draw/mt-draw-scorecard.h"
#include "rules/mt-rule-text.h"

#define WIDTH      340.0      /* of the area of a drawing */
#define HEIGHT     120.0
#define MAX_ACROSS 8u         /* classes in one table */

static char *
dup_points (double points)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (points == 0 ? "0" : g_ascii_formatd (text, sizeof text, "%+.4g", points));
}

static char *
dup_range_points (const MtScorecardColumn *column,
                  const MtScorecardRange  *range,
                  guint                    output)
{
  g_autofree char *low = dup_points (range->at_low[output]);
  g_autofree char *high = dup_points (range->at_high[output]);

  if (!column->has_linear || range->is_missing || range->at_low[output] == range->at_high[output])
    return g_steal_pointer (&low);
  return g_strdup_printf ("%s … %s", low, high);
}

static void
add_chart (MtReport          *report,
           const MtScorecard *card,
           guint              index,
           const char        *name)
{
  MtChart *chart = mt_scorecard_make_chart (card, index);
  g_autofree char *about = NULL;
  double width, height;

  if (chart == NULL)
    return;
  about = g_strdup_printf ("Points of %s over its training range.", name);
  mt_chart_measure (chart, WIDTH, HEIGHT, &width, &height);
  mt_report_add_figure (report, about, width, height, mt_chart_paint, chart, (GDestroyNotify) mt_chart_free);
}

/* The intercept and all columns, one below the other. */
static void
add_ranges (MtReport          *report,
            const MtModel     *model,
            const MtScorecard *card,
            guint              index)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (card, index);
  MtRuleBook *book = mt_scorecard_get_book (card);
  const MtEncoderColumn *about = mt_encoder_get_column (mt_model_get_encoder (model), column->column);
  guint n = mt_rule_set_get_n_outputs (mt_model_get_rules (model)), n_shown = MIN (n, MAX_ACROSS);
  MtReportBlock *table;

  for (guint first = 0; first < n; first += n_shown)
    {
      table = mt_report_add_table (report, NULL, NULL);
      mt_report_add_head (table, about->name);
      for (guint o = first; o < MIN (n, first + n_shown); o++)
        {
          g_autofree char *output = mt_report_dup_output (model, o);
          g_autofree char *head = n == 1 ? g_strdup ("Points") : g_strdup_printf ("Points for %s", output);

          mt_report_add_head (table, head);
        }
      if (mt_rule_book_has_rows (book) && n == 1)
        mt_report_add_head (table, "Training rows");
      for (guint i = 0; i < column->n_ranges; i++)
        {
          mt_report_add_cell (table, column->ranges[i].text);
          for (guint o = first; o < MIN (n, first + n_shown); o++)
            mt_report_take_cell (table, dup_range_points (column, &column->ranges[i], o));
          if (mt_rule_book_has_rows (book) && n == 1)
            mt_report_take_cell (table, column->n_ranges > 1 ? g_strdup_printf ("%" G_GSIZE_FORMAT, column->ranges[i].n_rows)
                                                             : g_strdup ("all"));
        }
    }
  if (column->has_linear)
    {
      g_autofree char *low = mt_encoder_dup_value_text (mt_model_get_encoder (model), column->column, about->min);
      g_autofree char *high = mt_encoder_dup_value_text (mt_model_get_encoder (model), column->column, about->max);

      mt_report_add (report, "%s has a linear term, so a range can have two numbers: the points at its lowest and "
                             "at its highest value, within the training range %s to %s.", about->name, low, high);
    }
}

static void
add_interactions (MtReport          *report,
                  const MtModel     *model,
                  const MtScorecard *card)
{
  MtReportBlock *table = mt_report_add_table (report, "Interaction", "Applies where", "Weight", NULL);
  guint n = mt_rule_set_get_n_outputs (mt_model_get_rules (model));

  for (guint i = 0; i < mt_scorecard_get_n_interactions (card); i++)
    {
      guint index = mt_scorecard_get_interaction (card, i);
      const MtTerm *term = mt_rule_set_get_term (mt_model_get_rules (model), index);
      g_autoptr (GString) weights = g_string_new (NULL);

      for (guint o = 0; o < n; o++)
        {
          g_autofree char *points = dup_points (term->weights[o]);
          g_autofree char *output = mt_report_dup_output (model, o);

          if (n == 1)
            g_string_append (weights, points);
          else if (term->weights[o] != 0)
            g_string_append_printf (weights, "%s%s %s", weights->len > 0 ? "; " : "", output, points);
        }
      mt_report_take_cell (table, g_strdup_printf ("Rule %u", term->number));
      mt_report_take_cell (table, mt_term_dup_text (term, mt_model_get_encoder (model)));
      mt_report_add_cell (table, weights->str);
    }
}

void
mt_report_add_scorecard (MtReport      *report,
                         const MtModel *model,
                         MtRuleBook    *book)
{
  g_autoptr (MtScorecard) card = mt_scorecard_new (book);

  if (mt_rule_book_get_n_terms (book) == 0)
    return;
  mt_report_add_heading (report, "scorecard", "Scorecard");
  mt_report_add (report, "The same model by column: the score is the intercept, plus the points of each column, plus the weight of each "
                         "interaction that applies. All rules and linear terms about one column alone are added up. Points are rounded "
                         "to four digits; the exact weights are those of the terms. Columns with the largest spread of points come "
                         "first.");
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    {
      add_chart (report, card, i, mt_encoder_get_column_name (mt_model_get_encoder (model),
                                                              mt_scorecard_get_column (card, i)->column));
      add_ranges (report, model, card, i);
    }
  if (mt_scorecard_get_n_interactions (card) > 0)
    add_interactions (report, model, card);
}
