/* What rows add to a report: where they come from, what was noticed, and why single rows got their answers. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "data/mt-findings.h"
#include "explain/mt-reasons.h"
#include "rules/mt-rule-text.h"

#define N_CASES     3
#define MOST_FINDINGS 500u   /* a file of ten thousand columns may have as many */

/* Are the rows the very file that the model was made from? */
static gboolean
is_own_file (const MtReportParts *parts)
{
  return g_strcmp0 (mt_import_get_sha256 (parts->data), mt_model_get_info (parts->model)->data_sha256) == 0;
}

static void
add_sign (MtReportBlock *table,
          const char    *name,
          char           sign,
          char           none)
{
  mt_report_add_cell (table, name);
  if (sign == 0 || sign == none)
    mt_report_add_cell (table, "none");
  else if (sign == '\t')
    mt_report_add_cell (table, "tab");
  else if (sign == ' ')
    mt_report_add_cell (table, "space");
  else
    mt_report_take_cell (table, g_strdup_printf ("%c", sign));
}

static void
add_missing (MtReportBlock      *table,
             const char         *column,
             const char * const *texts)
{
  g_autofree char *values = mt_report_dup_missing (texts);

  if (texts == NULL)
    return;
  mt_report_take_cell (table, g_strdup_printf ("Besides, in %s", column));
  mt_report_add_cell (table, values);
}

void
mt_report_add_lineage (MtReport            *report,
                       const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  g_autofree char *tokens = mt_report_dup_missing (mt_model_get_missing_tokens (parts->model));
  MtReportBlock *table = mt_report_add_table (report, "Training data", "Value", NULL);
  const MtCsvDialect *dialect;

  mt_report_add_row (table, "SHA-256", info->data_sha256 != NULL ? info->data_sha256 : "not available", NULL);
  mt_report_add_cell (table, "Rows");
  mt_report_take_cell (table, g_strdup_printf ("%" G_GUINT64_FORMAT, info->n_rows));
  mt_report_add_row (table, "Texts that count as missing", tokens, NULL);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    add_missing (table, mt_encoder_get_column_name (encoder, i),
                 (const char * const *) mt_encoder_get_column (encoder, i)->missing_values);
  add_missing (table, info->target, info->target_missing);
  if (parts->record != NULL && parts->record->source != NULL)
    mt_report_add_row (table, "File name", parts->record->source, NULL);
  if (parts->data == NULL)
    {
      mt_report_add_absent (report, "rows dropped or cells recoded on import; the model file does not record "
                                    "them.");
      mt_report_add_absent (report, "the data; this report was made without data.");
      return;
    }
  dialect = mt_import_get_dialect (parts->data);
  table = mt_report_add_table (report, "Data for this report", "Value", NULL);
  mt_report_add_row (table, "File", parts->data_name != NULL ? parts->data_name : "not named", NULL);
  mt_report_add_row (table, "SHA-256", mt_import_get_sha256 (parts->data), NULL);
  mt_report_add_row (table, "The training file itself", is_own_file (parts) ? "yes" : "no", NULL);
  mt_report_add_cell (table, "Rows");
  mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT,
                                               mt_table_get_n_rows (mt_import_get_table (parts->data))));
  if (dialect->sheet != NULL)
    mt_report_add_row (table, "Sheet", dialect->sheet, NULL);
  if (dialect->table != NULL)
    mt_report_add_row (table, "Table", dialect->table, NULL);
  if (dialect->query != NULL)
    mt_report_add_row (table, "Query", dialect->query, NULL);
  mt_report_add_row (table, "Encoding", dialect->encoding != NULL ? dialect->encoding : "not known", NULL);
  add_sign (table, "Delimiter", dialect->delimiter, 0);
  add_sign (table, "Quote", dialect->quote, MT_CSV_NO_QUOTE);
  add_sign (table, "Decimal mark", dialect->decimal, 0);
  add_sign (table, "Thousands separator", dialect->thousands, MT_CSV_NO_THOUSANDS);
  mt_report_add_row (table, "Header", dialect->header == 1 ? "yes" : "no", NULL);
}

static void
add_dismissals (MtReport       *report,
                const MtSearchRecord *record)
{
  MtReportBlock *table;

  if (record == NULL || record->dismissals == NULL)
    {
      mt_report_add_absent (report, "which findings were dismissed, by whom, and why; this is recorded in a "
                                    "project, and none was given.");
      return;
    }
  if (record->dismissals->len == 0)
    {
      mt_report_add (report, "The project has no dismissed findings.");
      return;
    }
  mt_report_add (report, "Dismissed in the project, with author, time, and reason:");
  table = mt_report_add_table (report, "Code", "Column", "Reason", "By", "When", NULL);
  for (guint i = 0; i < record->dismissals->len; i++)
    {
      const MtProjectDismissal *dismissal = g_ptr_array_index (record->dismissals, i);

      mt_report_add_cell (table, dismissal->code);
      mt_report_add_cell (table, *dismissal->column != '\0' ? dismissal->column : "–");
      mt_report_add_cell (table, dismissal->reason);
      mt_report_take_cell (table, mt_report_dup_person (dismissal->by));
      mt_report_take_cell (table, mt_report_dup_moment (dismissal->made));
    }
}

/* The columns in the roles that the model knows them by. */
static MtTable *
dup_table (const MtReportParts *parts)
{
  const MtTable *table = mt_import_get_table (parts->data);
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  guint n = mt_table_get_n_columns (table);
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, MAX (n, 1));
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);   /* name → role */
  gpointer role;

  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    g_hash_table_insert (known, (gpointer) mt_encoder_get_column_name (encoder, i), GINT_TO_POINTER (MT_ROLE_FEATURE));
  for (guint i = 0; parts->by != NULL && parts->by[i] != NULL; i++)
    if (!g_hash_table_contains (known, parts->by[i]))
      g_hash_table_insert (known, (gpointer) parts->by[i], GINT_TO_POINTER (MT_ROLE_REPORT));
  g_hash_table_insert (known, (gpointer) mt_model_get_info (parts->model)->target, GINT_TO_POINTER (MT_ROLE_TARGET));
  for (guint i = 0; i < n; i++)
    roles[i] = g_hash_table_lookup_extended (known, mt_column_get_name (mt_table_get_column (table, i)), NULL, &role)
               ? (MtColumnRole) GPOINTER_TO_INT (role) : MT_ROLE_IGNORED;
  return mt_table_with_roles (table, roles, NULL);
}

/* Those of reading a file are few; most come of looking at what was read. NULL only when cancelled. */
static GPtrArray *
dup_findings (const MtReportParts  *parts,
              GCancellable         *cancellable,
              GError              **error)
{
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GPtrArray) scanned = NULL;

  if (parts->findings != NULL)
    return g_ptr_array_ref (parts->findings);
  table = dup_table (parts);
  scanned = mt_findings_scan (table, cancellable, error);
  return scanned != NULL ? mt_findings_merge (mt_import_get_findings (parts->data), scanned) : NULL;
}

static gboolean
is_dismissed (const MtSearchRecord  *record,
              const MtFinding *finding)
{
  for (guint i = 0; i < record->dismissals->len; i++)
    {
      const MtProjectDismissal *dismissal = g_ptr_array_index (record->dismissals, i);

      if (g_str_equal (dismissal->code, finding->code) &&
          g_str_equal (dismissal->column, finding->column_name != NULL ? finding->column_name : ""))
        return TRUE;
    }
  return FALSE;
}

gboolean
mt_report_add_findings (MtReport             *report,
                        const MtReportParts  *parts,
                        GCancellable         *cancellable,
                        GError              **error)
{
  gboolean knows = parts->record != NULL && parts->record->dismissals != NULL;   /* what was dismissed */
  g_autoptr (GPtrArray) findings = NULL;
  MtReportBlock *table;

  if (parts->data == NULL)
    {
      mt_report_add_absent (report, "findings about the data; this report was made without data.");
      return TRUE;
    }
  findings = dup_findings (parts, cancellable, error);
  if (findings == NULL)
    return FALSE;
  if (findings->len == 0)
    mt_report_add (report, "There are no findings in the data for this report.");
  else
    {
      mt_report_add (report, knows
                     ? "Findings in the data for this report. Open findings were neither fixed nor dismissed:"
                     : "Findings in the data for this report:");
      table = mt_report_add_table (report, "Severity", "Code", "Finding", knows ? "State" : NULL, NULL);
      for (guint i = 0; i < MIN (findings->len, MOST_FINDINGS); i++)
        {
          const MtFinding *finding = g_ptr_array_index (findings, i);

          mt_report_add_row (table, mt_severity_to_string (finding->severity), finding->code, finding->message,
                             !knows ? NULL : is_dismissed (parts->record, finding) ? "dismissed" : "open", NULL);
        }
      if (findings->len > MOST_FINDINGS)
        mt_report_add (report, "The most severe are listed; run minterm-cli inspect on the file to see %u "
                               "more.",
                       findings->len - MOST_FINDINGS);
    }
  add_dismissals (report, parts->record);
  return TRUE;
}

void
mt_report_add_class_mix (MtReport            *report,
                         const MtReportParts *parts,
                         const MtReportRows  *rows)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  g_autofree gsize *counts = NULL;
  MtReportBlock *table;

  if (info->classes == NULL)
    return;
  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "the class shares; there are no rows with a known “%s”.", info->target);
      return;
    }
  counts = g_new0 (gsize, mt_model_get_n_classes (parts->model));
  for (gsize r = 0; r < rows->truth->n_rows; r++)
    counts[rows->truth->classes[r]]++;
  mt_report_add (report, "Class shares in the data for this report:");
  table = mt_report_add_table (report, "Class", "Rows", "Share", NULL);
  for (guint c = 0; info->classes[c] != NULL; c++)
    {
      mt_report_add_cell (table, info->classes[c]);
      mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, counts[c]));
      mt_report_take_cell (table, mt_report_dup_measure ((double) counts[c] / (double) rows->truth->n_rows));
    }
}

/* --- reasons --- */

static void
add_amount (MtReportBlock *table,
            gsize          row,
            const char    *answer,
            char          *text,       /* taken */
            double         amount)
{
  mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, row + 1));
  mt_report_add_cell (table, answer);
  mt_report_take_cell (table, text);
  mt_report_take_cell (table, mt_decimal_dup (amount));
}

/* What a reader adds up to: the intercept, the score, and what follows from it. */
static void
add_sum (MtReportBlock *table,
         const MtModel *model,
         gsize          row,
         const char    *answer,
         const double  *amounts,      /* term × row */
         gsize          n)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  double score = mt_rule_set_get_bias (rules)[0];

  add_amount (table, row, answer, g_strdup ("intercept"), score);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    score += amounts[t * n + row];
  if (mt_model_get_task (model) == MT_TASK_BINARY)
    {
      add_amount (table, row, answer, g_strdup ("sum: the score"), score);
      add_amount (table, row, answer, g_strdup_printf ("probability of “%s”", mt_model_get_info (model)->classes[1]),
                  1 / (1 + exp (-score)));
    }
  else
    add_amount (table, row, answer, g_strdup ("sum: the prediction"), score);
}

static gboolean
add_worked (MtReport             *report,
            const MtReportParts  *parts,
            GError              **error)
{
  const MtModel *model = parts->model;
  const MtTable *data = mt_import_get_table (parts->data);
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));
  guint n_outputs = mt_rule_set_get_n_outputs (mt_model_get_rules (model));
  gsize n = MIN (N_CASES, mt_table_get_n_rows (data));
  guint32 which[N_CASES] = { 0, 1, 2 };
  g_autofree double *amounts = g_new (double, (gsize) n_terms * n_outputs * N_CASES + 1);
  g_autofree double *predictions = g_new (double, mt_model_get_n_predictions (model) * N_CASES);
  g_autofree MtReason *reasons = g_new (MtReason, n_terms + 1);
  MtReportBlock *table;

  if (!mt_model_contributions (model, data, which, n, amounts, error) ||
      !mt_model_predict (model, data, which, n, predictions, NULL, error))
    return FALSE;
  mt_report_add (report, "The first %" G_GSIZE_FORMAT " rows of the data, and every term that affected their "
                         "prediction%s:", n,
                 n_outputs > 1 ? "; amounts are what a term adds to the score of the predicted class, "
                                 "relative to the mean of all classes" : "");
  table = mt_report_add_table (report, "Row", "Answer", "Alternative", "Amount", NULL);
  for (gsize r = 0; r < n; r++)
    {
      gboolean is_number = mt_model_get_task (model) == MT_TASK_REGRESSION;
      guint decided = is_number ? 0 : mt_model_decide (model, predictions, n, r);
      guint n_reasons = mt_reasons_rank (model, amounts, n, r, n_outputs > 1 ? decided : 0, reasons);

      g_autofree char *answer = is_number ? mt_decimal_dup (predictions[r])
                                          : g_strdup (mt_model_get_info (model)->classes[decided]);

      for (guint i = 0; i < n_reasons; i++)
        add_amount (table, r, answer, mt_reason_dup_text (model, reasons[i].term, data, r), reasons[i].amount);
      if (n_outputs == 1)
        add_sum (table, model, r, answer, amounts, n);
      else if (n_reasons == 0)
        add_amount (table, r, answer, g_strdup ("the intercepts only"), 0);
    }
  return TRUE;
}

gboolean
mt_report_add_cases (MtReport             *report,
                     const MtReportParts  *parts,
                     GError              **error)
{
  const MtRuleSet *rules = mt_model_get_rules (parts->model);
  MtReportBlock *table;

  mt_report_add (report, "Reason shown to the person for each term:");
  table = mt_report_add_table (report, "Term", "Reason", NULL);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const char *reason = mt_model_get_reason (parts->model, t);

      mt_report_take_cell (table, mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (parts->model)));
      mt_report_add_cell (table, reason != NULL ? reason : "NOT PROVIDED");
    }
  if (parts->data == NULL || mt_table_get_n_rows (mt_import_get_table (parts->data)) == 0)
    {
      mt_report_add_absent (report, "worked cases; there are no rows.");
      return TRUE;
    }
  return add_worked (report, parts, error);
}
