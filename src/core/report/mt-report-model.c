/* The model in its report: dictionary of features, and what was left free. Its terms are in mt-report-rules.c. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"

/* --- dictionary --- */

#define MANY_THRESHOLDS 24      /* of a column; of more, only those that the model uses are listed */

/* Whether some rule asks the literal. */
static gboolean
is_used (const MtRuleSet *rules,
         guint            literal)
{
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        if (mt_rule_get_inputs (term->rule)[i] == literal)
          return TRUE;
    }
  return FALSE;
}

/* The thresholds of a column that has a wall of them: how many, their range, and those that the model uses. */
static void
append_many (GString         *out,
             const MtEncoder *encoder,
             const MtRuleSet *rules,
             guint            index)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, index);
  g_autofree char *low = mt_encoder_dup_value_text (encoder, index, column->thresholds[0]);
  g_autofree char *high = mt_encoder_dup_value_text (encoder, index, column->thresholds[column->n_thresholds - 1]);
  gboolean has_used = FALSE;

  g_string_append_printf (out, "≥ each of %u thresholds from %s to %s, listed in the model file; used by the model: ",
                          column->n_thresholds, low, high);
  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, l);

      if (literal->column == index && literal->kind == MT_LITERAL_AT_LEAST && is_used (rules, l))
        {
          g_autofree char *value = mt_encoder_dup_value_text (encoder, index, literal->threshold);

          g_string_append_printf (out, "%s≥ %s", has_used ? "; " : "", value);
          has_used = TRUE;
        }
    }
  if (!has_used)
    g_string_append (out, "none");
}

static char *
dup_cuts (const MtEncoder *encoder,
          const MtRuleSet *rules,
          guint            index)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, index);
  g_autoptr (GString) out = g_string_new (NULL);

  if (column->n_thresholds > MANY_THRESHOLDS)
    append_many (out, encoder, rules, index);
  for (guint i = 0; i < column->n_thresholds && column->n_thresholds <= MANY_THRESHOLDS; i++)
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
    g_string_append_printf (out, "%s“%s”", i > 0 ? ", " : ". Without their own condition: ", column->rest[i]);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
mt_report_dup_missing (const char * const *texts)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_string_append_printf (out, "%s“%s”", i > 0 ? ", " : "", texts[i]);
  return g_string_free (out, FALSE);
}

/* The questions there are, and which values none of them is asked of. */
static char *
dup_questions (const MtEncoder *encoder,
               const MtRuleSet *rules,
               guint            index)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, index);
  g_autofree char *cuts = dup_cuts (encoder, rules, index);
  g_autofree char *missing = mt_report_dup_missing ((const char * const *) column->missing_values);

  return *missing != '\0' ? g_strdup_printf ("%s. Also counts as missing: %s", cuts, missing) : g_steal_pointer (&cuts);
}

/* How the derived columns are computed, and of what. */
static void
add_formulas (MtReport        *report,
              const MtEncoder *encoder)
{
  MtReportBlock *table = NULL;

  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

      if (column->formula == NULL)
        continue;
      if (table == NULL)
        {
          mt_report_add (report, "Derived columns are computed from columns of the file, in training and in every "
                                 "prediction. The result is missing where a column in it is missing or a step is "
                                 "not a finite number, such as a division by zero.");
          table = mt_report_add_table (report, "Derived column", "Formula", NULL);
        }
      mt_report_add_cell (table, column->name);
      mt_report_add_cell (table, mt_formula_get_text (column->formula));
    }
}

void
mt_report_add_dictionary (MtReport      *report,
                          const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  MtReportBlock *table;

  mt_report_add (report, "Every column available to the model, with its conditions in full precision. "
                         "Section 10 shows which ones the model uses.");
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
      mt_report_take_cell (table, dup_questions (encoder, mt_model_get_rules (model), i));
    }
  add_formulas (report, encoder);
}

char *
mt_report_dup_output (const MtModel *model,
                      guint          output)
{
  const MtModelInfo *info = mt_model_get_info (model);

  if (mt_model_get_task (model) == MT_TASK_REGRESSION)
    return g_strdup (info->target);
  return g_strdup (info->classes[mt_model_get_task (model) == MT_TASK_BINARY ? 1 : output]);
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

/* Of what an engine says of itself, the word that is a version; MODEL.verify.json has the whole. */
static char *
dup_version (const char *said)
{
  g_auto (GStrv) words = said != NULL ? g_strsplit_set (said, " (),", -1) : NULL;

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      const char *digit = *words[i] == 'v' ? words[i] + 1 : words[i];

      if (g_ascii_isdigit (*digit) && strchr (digit, '.') != NULL)
        return g_strdup (digit);
    }
  return g_strdup (said != NULL ? said : "–");
}

static char *
dup_difference (double difference)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.2g", difference));
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

  mt_report_add_heading (report, "engine-checks", "Exports verified in external engines");
  if (checks == NULL)
    {
      mt_report_add_absent (report, "verification of the exports in external engines; run minterm-cli verify "
                                    "to add it.");
      return;
    }
  if (g_strcmp0 (hash, checks->model_sha256) != 0)
    {
      mt_report_add_absent (report, "verification of this model: the saved result is for another model "
                                    "(SHA-256 %s). Run minterm-cli verify again.", checks->model_sha256);
      return;
    }
  mt_report_add (report, "Each export was run on %" G_GSIZE_FORMAT " rows (SHA-256 %s) that exercise every "
                         "part of the model. It agrees if every decision is the same and every number is "
                         "within 1e-9 (relative for numbers above 1). Rows that a format cannot represent are left out: in spreadsheets, "
                         "numbers with more than 14 digits, such as those next to a threshold; in PMML, "
                         "values that are not in the training data. Engines that were not found are not "
                         "verified.", checks->n_rows, checks->rows_sha256);
  table = mt_report_add_table (report, "Engine", "Version", "Export", "Outcome", "Rows", "Left out", "Largest difference",
                               "Different decisions", NULL);
  for (guint i = 0; i < checks->n_checks; i++)
    {
      const MtVerifyCheck *check = &checks->checks[i];
      gboolean was_run = check->status == MT_VERIFY_AGREES || check->status == MT_VERIFY_DIFFERS;

      mt_report_add_cell (table, g_str_equal (check->engine, "json") ? "Minterm (reads the model file back)" : check->engine);
      mt_report_take_cell (table, dup_version (check->version));
      mt_report_add_cell (table, check->format);
      mt_report_add_cell (table, check->status == MT_VERIFY_NOT_FOUND ? "not verified: not found"
                                                                      : mt_verify_status_to_string (check->status));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_rows) : g_strdup ("–"));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_left_out) : g_strdup ("–"));
      mt_report_take_cell (table, was_run && isfinite (check->max_diff) ? dup_difference (check->max_diff) : g_strdup ("–"));
      mt_report_take_cell (table, was_run ? g_strdup_printf ("%" G_GSIZE_FORMAT, check->n_decisions_differ) : g_strdup ("–"));
    }
}

/* How far a network is from the rules, where one was trained. */
static void
add_network (MtReport      *report,
             const MtModel *model)
{
  const MtModelInfo *info = mt_model_get_info (model);
  MtReportNetwork network = mt_report_get_network (model);
  g_autofree char *train = dup_differ (info->train_differ, info->n_train);
  g_autofree char *test = dup_differ (info->test_differ, info->n_test);

  if (network == MT_REPORT_NETWORK_NONE)
    mt_report_add (report, "No network was trained for this model: its rules were found by direct search, so "
                           "there is no network to compare them with.");
  else if (info->train_differ == MT_MODEL_NOT_COUNTED)
    mt_report_add_absent (report, "a comparison of the rules with a network; the model file does not contain one.");
  else
    {
      mt_report_add (report, "The network that was trained on the same rows is not part of the model: predictions come only from "
                     "the terms of the model.");
      mt_report_add (report, mt_model_get_task (model) == MT_TASK_REGRESSION
                             ? "Rows on which the predictions of the rules and the network differ by more "
                               "than a tenth of the target's standard deviation: training %s, test %s."
                             : "Rows on which the rules and the network predict different classes: training "
                               "%s, test %s.", train, test);
    }
}

/* What was left free in each rule, and whether there is a shorter way to say it. */
static void
add_free (MtReport        *report,
          const MtRuleSet *rules)
{
  MtReportBlock *table = mt_report_add_table (report, "Rule", "Assignments", "Impossible", "Unseen", "Neutral", "Literals",
                                              "Fewest possible", NULL);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;

      if (mt_rule_set_get_term (rules, t)->is_numeric)
        continue;
      mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_set_get_term (rules, t)->number));
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

  mt_report_add (report, "Free combinations: %s.", info->dont_care);
  add_network (report, model);
  if (mt_rule_set_get_n_rules (rules) > 0)
    add_free (report, rules);
  else
    mt_report_add (report, "The model has no rules, so there are no free combinations.");
  add_checks (report, model, parts->checks);
}
