/* The model in its report: dictionary of features, every term whole, and what was left free. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "mt-decimal.h"
#include "mt-diagram.h"
#include "mt-draw-diagram.h"
#include "mt-rule-text.h"
#include "mt-rule-phrase.h"
#include "mt-truth-table.h"

#define DIAGRAM_FONT "Sans"
#define DIAGRAM_SIZE 12.0      /* points */
#define MAX_ACROSS   5         /* classes that have columns of their own */

static const char * const dont_care_words[MT_N_DONT_CARES] = { "impossible", "unseen", "neutral" };

/* --- dictionary --- */

static char *
dup_cuts (const MtEncoder *encoder,
          guint            index)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, index);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < column->n_thresholds; i++)
    {
      g_autofree char *value = mt_encoder_dup_value_text (encoder, index, column->thresholds[i]);

      g_string_append_printf (out, "%s≥ %s", out->len > 0 ? "; " : "", value);
    }
  for (guint i = 0; column->levels != NULL && column->levels[i] != NULL; i++)
    g_string_append_printf (out, "%s= “%s”", out->len > 0 ? "; " : "", column->levels[i]);
  if (column->has_other)
    g_string_append_printf (out, "%sis other", out->len > 0 ? "; " : "");
  if (column->has_missing)
    g_string_append_printf (out, "%sis missing", out->len > 0 ? "; " : "");
  for (guint i = 0; column->rest != NULL && column->rest[i] != NULL; i++)
    g_string_append_printf (out, "%s“%s”", i > 0 ? ", " : ". Without a question of their own: ", column->rest[i]);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

void
mt_report_add_dictionary (MtReport      *report,
                          const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  MtReportBlock *table;

  mt_report_add (report, "Every column that the model could ask about, and the questions there are, in full precision. "
                 "Which of them it does ask is said in section 10.");
  table = mt_report_add_table (report, "Column", "Type", "Training range, mean", "Questions", NULL);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

      mt_report_add_cell (table, column->name);
      mt_report_add_cell (table, mt_column_type_to_string (column->type));
      if (column->type == MT_TYPE_NUMBER || column->type == MT_TYPE_DATE)
        {
          g_autofree char *low = mt_encoder_dup_value_text (encoder, i, column->min);
          g_autofree char *high = mt_encoder_dup_value_text (encoder, i, column->max);
          g_autofree char *mean = mt_encoder_dup_value_text (encoder, i, column->mean);

          mt_report_take_cell (table, g_strdup_printf ("%s … %s, mean %s", low, high, mean));
        }
      else
        mt_report_add_cell (table, "–");
      mt_report_take_cell (table, dup_cuts (encoder, i));
    }
}

/* --- a rule's diagram --- */

typedef struct {
  MtDiagramLabel  *labels;       /* by node; owned texts */
  guint            n_labels;
  MtDiagramLayout *layout;
  double           weight;
} Figure;

static void
figure_free (gpointer data)
{
  Figure *figure = data;

  for (guint i = 0; i < figure->n_labels; i++)
    {
      g_free ((char *) figure->labels[i].name);
      g_free ((char *) figure->labels[i].rest);
    }
  g_free (figure->labels);
  mt_diagram_layout_free (figure->layout);
  g_free (figure);
}

static PangoFontDescription *
make_font (void)
{
  PangoFontDescription *font = pango_font_description_from_string (DIAGRAM_FONT);

  pango_font_description_set_absolute_size (font, DIAGRAM_SIZE * PANGO_SCALE);
  return font;
}

static void
paint_diagram (cairo_t         *cr,
               PangoContext    *context,
               const MtPalette *palette,
               gpointer         data)
{
  const Figure *figure = data;
  PangoFontDescription *font = make_font ();

  mt_draw_diagram (cr, figure->layout, figure->labels, figure->weight, NULL, 0, context, font, palette);
  pango_font_description_free (font);
}

static void
add_diagram (MtReport        *report,
             const MtTerm    *term,
             const MtEncoder *encoder,
             guint            n_outputs,
             guint            number)
{
  g_autoptr (MtDiagram) diagram = mt_diagram_new (mt_rule_get_n_inputs (term->rule), mt_rule_get_table (term->rule));
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = make_font ();
  Figure *figure = g_new0 (Figure, 1);
  g_autofree double *widths = NULL;
  g_autofree char *about = g_strdup_printf ("Decision diagram of rule %u: from the top, a plain arrow is followed when the "
                                            "answer is yes, one that begins with a circle when it is no.", number);

  figure->n_labels = mt_diagram_get_n_nodes (diagram);
  figure->labels = g_new0 (MtDiagramLabel, figure->n_labels);
  figure->weight = n_outputs == 1 ? term->weights[0] : 0;
  figure->labels[MT_DIAGRAM_FALSE].rest = g_strdup ("0");
  figure->labels[MT_DIAGRAM_TRUE].rest = g_strdup ("1");
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < figure->n_labels; i++)
    {
      guint literal = mt_rule_get_inputs (term->rule)[nodes[i].input];

      figure->labels[i].name = mt_encoder_dup_column_text (encoder, mt_encoder_get_literal (encoder, literal)->column);
      figure->labels[i].rest = mt_phrase_dup_rest (encoder, literal, FALSE, TRUE);
    }
  widths = g_new (double, figure->n_labels);
  mt_draw_diagram_measure (figure->labels, figure->n_labels, context, font, widths);
  figure->layout = mt_diagram_layout_new (diagram, widths);
  mt_report_add_figure (report, about, figure->layout->width, figure->layout->height, paint_diagram, figure, figure_free);
  pango_font_description_free (font);
  g_object_unref (context);
}

/* --- a rule's truth table --- */

static const char *
find_mark (const MtRule *rule,
           guint32       assignment)
{
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    {
      const guint64 *set = mt_rule_get_dont_care (rule, (MtDontCare) d);

      if (set != NULL && mt_truth_table_get (set, assignment))
        return dont_care_words[d];
    }
  return "–";
}

static void
add_truth_table (MtReport        *report,
                 const MtRule    *rule,
                 const MtEncoder *encoder)
{
  guint n = mt_rule_get_n_inputs (rule);
  MtReportBlock *table = mt_report_add_table (report, "Input", "Question", NULL);

  for (guint i = 0; i < n; i++)
    {
      mt_report_take_cell (table, g_strdup_printf ("%c", 'A' + (int) i));
      mt_report_take_cell (table, mt_encoder_dup_literal_text (encoder, mt_rule_get_inputs (rule)[i], FALSE));
    }
  table = mt_report_add_table (report, "A", NULL);
  for (guint i = 1; i < n; i++)
    mt_report_take_cell (table, g_strdup_printf ("%c", 'A' + (int) i));
  mt_report_add_cell (table, "Rule");
  mt_report_add_cell (table, "Mark");
  table->n_columns = n + 2;
  for (guint32 v = 0; v < 1u << n; v++)
    {
      for (guint i = 0; i < n; i++)
        mt_report_add_cell (table, (v >> i) & 1 ? "1" : "0");
      mt_report_add_cell (table, mt_truth_table_get (mt_rule_get_table (rule), v) ? "1" : "0");
      mt_report_add_cell (table, find_mark (rule, v));
    }
}

/* --- the sum --- */

char *
mt_report_dup_output (const MtModel *model,
                      guint          output)
{
  const MtModelInfo *info = mt_model_get_info (model);

  if (mt_model_get_task (model) == MT_TASK_REGRESSION)
    return g_strdup (info->target);
  return g_strdup (info->classes[mt_model_get_task (model) == MT_TASK_BINARY ? 1 : output]);
}

static void
add_weights (MtReport      *report,
             const MtModel *model,
             const double  *weights,
             const char    *what)
{
  MtReportBlock *table = mt_report_add_table (report, "Score of", what, NULL);

  for (guint c = 0; c < mt_rule_set_get_n_outputs (mt_model_get_rules (model)); c++)
    {
      mt_report_take_cell (table, mt_report_dup_output (model, c));
      mt_report_take_cell (table, mt_decimal_dup (weights[c]));
    }
}

static void
add_number (MtReport      *report,
            const MtModel *model,
            const MtTerm  *term)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtUnary *unary = mt_term_get_unary (term, encoder);
  const char *name = mt_encoder_get_column_name (encoder, unary->column);
  g_autofree char *mean = mt_decimal_dup (fabs (unary->mean));
  g_autofree char *sd = mt_decimal_dup (unary->sd);
  MtReportBlock *table;

  mt_report_add (report, "weight × (%s %s %s)%s. A missing cell counts as the mean and adds nothing. Standard deviation: %s.",
                 name, unary->mean < 0 ? "+" : "−", mean,
                 mt_encoder_get_column_type (encoder, unary->column) == MT_TYPE_DATE
                   ? ", in days since 1970-01-01" : "",
                 sd);
  table = mt_report_add_table (report, "Score of", "Weight for each unit", "Weight for each standard deviation", NULL);
  for (guint c = 0; c < mt_rule_set_get_n_outputs (mt_model_get_rules (model)); c++)
    {
      mt_report_take_cell (table, mt_report_dup_output (model, c));
      mt_report_take_cell (table, mt_decimal_dup (term->weights[c] / unary->sd));
      mt_report_take_cell (table, mt_decimal_dup (term->weights[c]));
    }
}

static void
add_rule (MtReport      *report,
          const MtModel *model,
          const MtTerm  *term,
          guint          number)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  g_autofree char *text = mt_rule_dup_text (term->rule, encoder, MT_RULE_FORM_DNF);

  mt_report_add (report, "%s", text);
  add_weights (report, model, term->weights, "Weight when the rule is true");
  add_diagram (report, term, encoder, mt_rule_set_get_n_outputs (mt_model_get_rules (model)), number);
  add_truth_table (report, term->rule, encoder);
}

/* The whole sum in one table, unless there are too many classes for the width of a page. */
static void
add_overview (MtReport      *report,
              const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  MtReportBlock *table;

  if (n_outputs > MAX_ACROSS)
    return;
  mt_report_add_heading (report, "all-terms", "All terms");
  table = mt_report_add_table (report, "Term", NULL);
  for (guint c = 0; c < n_outputs; c++)
    {
      g_autofree char *output = mt_report_dup_output (model, c);

      mt_report_add_head (table, n_outputs == 1 ? "Weight" : output);
    }
  mt_report_add_cell (table, "Intercept");
  for (guint c = 0; c < n_outputs; c++)
    mt_report_take_cell (table, mt_decimal_dup (mt_rule_set_get_bias (rules)[c]));
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autofree char *text = mt_term_dup_text (term, encoder);
      double per = term->is_numeric ? mt_term_get_unary (term, encoder)->sd : 1;

      mt_report_take_cell (table, term->is_numeric ? g_strdup_printf ("%s, for each unit above its mean", text)
                                                   : g_strdup (text));
      for (guint c = 0; c < n_outputs; c++)
        mt_report_take_cell (table, mt_decimal_dup (term->weights[c] / per));
    }
}

void
mt_report_add_model (MtReport      *report,
                     const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint number = 0;

  mt_report_add (report, "Nothing is left out or rounded: numbers are in the shortest form that reads back as the same "
                 "double. A number's weight is kept for each standard deviation; for each unit it is that over the "
                 "standard deviation, and both are given.");
  add_overview (report, model);
  mt_report_add_heading (report, "intercept", "Intercept");
  add_weights (report, model, mt_rule_set_get_bias (rules), "Intercept");
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autofree char *anchor = g_strdup_printf ("term-%u", t + 1);

      if (term->is_numeric)
        {
          const MtEncoder *encoder = mt_model_get_encoder (model);

          mt_report_add_heading (report, anchor, "Number: %s",
                                 mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column));
          add_number (report, model, term);
        }
      else
        {
          mt_report_add_heading (report, anchor, "Rule %u", ++number);
          add_rule (report, model, term, number);
        }
    }
}

/* --- exactness --- */

static char *
dup_differ (guint64 n,
            guint64 of)
{
  if (n == MT_MODEL_NOT_COUNTED)
    return g_strdup ("not counted");
  return g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, n, of);
}

static void
add_checks (MtReport             *report,
            const MtModel        *model,
            const MtVerifyReport *checks)
{
  gsize length;
  g_autofree char *json = mt_model_to_json (model, &length);
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
  MtReportBlock *table;

  mt_report_add_heading (report, "engine-checks", "Exports run in other engines");
  if (checks == NULL)
    {
      mt_report_add_absent (report, "checks of the exports in other engines; minterm-cli verify makes them and keeps them "
                            "beside the model.");
      return;
    }
  if (g_strcmp0 (hash, checks->model_sha256) != 0)
    {
      mt_report_add_absent (report, "checks of this model: those kept beside it were made of another model, of SHA-256 %s. Run "
                            "minterm-cli verify again.", checks->model_sha256);
      return;
    }
  mt_report_add (report, "Each export was run on %" G_GSIZE_FORMAT " rows (SHA-256 %s) that try every corner of the model. It "
                 "agrees when every decision is the same and every number is within 1e-9. Nothing is claimed of an engine "
                 "that was not found.", checks->n_rows, checks->rows_sha256);
  table = mt_report_add_table (report, "Engine", "Export", "Outcome", "Rows", "Left out", "Largest difference",
                               "Decisions that differ", NULL);
  for (guint i = 0; i < checks->n_checks; i++)
    {
      const MtVerifyCheck *check = &checks->checks[i];
      gboolean was_run = check->status == MT_VERIFY_AGREES || check->status == MT_VERIFY_DIFFERS;

      mt_report_take_cell (table, check->version != NULL ? g_strdup_printf ("%s (%s)", check->engine, check->version)
                                                         : g_strdup (check->engine));
      mt_report_add_cell (table, check->format);
      mt_report_add_cell (table, check->status == MT_VERIFY_NOT_FOUND ? "not engine-verified: not found"
                                                                      : mt_verify_status_to_string (check->status));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_rows) : g_strdup ("–"));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_left_out) : g_strdup ("–"));
      mt_report_take_cell (table, was_run && isfinite (check->max_diff) ? mt_decimal_dup (check->max_diff) : g_strdup ("–"));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_decisions_differ) : g_strdup ("–"));
    }
}

/* What the network said that the rules were read from, where there was one. */
static void
add_network (MtReport      *report,
             const MtModel *model)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtModelSetting *restarts = mt_report_find_setting (model, "restarts");
  g_autofree char *train = dup_differ (info->train_differ, info->n_train);
  g_autofree char *test = dup_differ (info->test_differ, info->n_test);

  if (info->train_differ == MT_MODEL_NOT_COUNTED && restarts != NULL && restarts->kind == MT_SETTING_NUMBER &&
      restarts->number <= 0)
    mt_report_add (report, "No network was trained on the way to this model: its rules were searched for directly, so "
                   "there is none that they could differ from.");
  else
    mt_report_add (report, "Rows on which rules and network decide differently: training %s, test %s.", train, test);
}

/* What was left free in each rule, and whether there is a shorter way to say it. */
static void
add_free (MtReport        *report,
          const MtRuleSet *rules)
{
  MtReportBlock *table = mt_report_add_table (report, "Rule", "Assignments", "Impossible", "Unseen", "Neutral", "Literals",
                                              "Fewest possible", NULL);
  guint number = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;

      if (mt_rule_set_get_term (rules, t)->is_numeric)
        continue;
      mt_report_take_cell (table, g_strdup_printf ("%u", ++number));
      mt_report_take_cell (table, g_strdup_printf ("%u", 1u << mt_rule_get_n_inputs (rule)));
      for (guint d = 0; d < MT_N_DONT_CARES; d++)
        mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_count_dont_care (rule, (MtDontCare) d)));
      mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_get_n_literals (rule)));
      mt_report_add_cell (table, mt_rule_get_proven (rule) ? "proven" : "not proven");
    }
}

void
mt_report_add_exactness (MtReport            *report,
                         const MtReportParts *parts)
{
  const MtModel *model = parts->model;
  const MtModelInfo *info = mt_model_get_info (model);
  const MtRuleSet *rules = mt_model_get_rules (model);

  mt_report_add (report, "Don't-care mode: %s.", info->dont_care);
  add_network (report, model);
  if (mt_rule_set_get_n_rules (rules) > 0)
    add_free (report, rules);
  else
    mt_report_add (report, "The model has no rules, so nothing in it was left free.");
  add_checks (report, model, parts->checks);
}
