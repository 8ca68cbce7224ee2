/* The sections in front: cover, summary, split, method. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "rules/mt-constraints.h"
#include "base/mt-decimal.h"
#include "rules/mt-rule-text.h"

#define N_STRONGEST 5      /* terms in the summary */

char *
mt_report_dup_hash (const MtModel *model)
{
  gsize length;
  g_autofree char *json = mt_model_to_json (model, &length);

  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
}

void
mt_report_add_cover (MtReport            *report,
                     const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const char *author = parts->texts[MT_REPORT_AUTHOR];
  g_autofree char *hash = mt_report_dup_hash (parts->model);
  g_autofree char *id = g_strndup (hash, 12);
  MtReportBlock *table;

  table = mt_report_add_table (report, "What", "Value", NULL);
  mt_report_add_row (table, "Model id", id, NULL);
  mt_report_add_row (table, "Model file, SHA-256", hash, NULL);
  mt_report_add_row (table, "Training data, SHA-256",
                     info->data_sha256 != NULL ? info->data_sha256 : "not available: the data was not read "
                                                                     "from a file", NULL);
  mt_report_add_row (table, "Minterm version", info->version, NULL);
  mt_report_add_row (table, "Date of this report (UTC)", report->day, NULL);
  if (author != NULL && *author != '\0')
    mt_report_add_row (table, "Author", author, NULL);
  else
    mt_report_add_blank (report, "Author");
  mt_report_add (report, "Sign-off, to be completed manually:");
  table = mt_report_add_table (report, "Role", "Name", "Date", "Signature", NULL);
  mt_report_add_row (table, "Analyst", "", "", "", NULL);
  mt_report_add_row (table, "Reviewer", "", "", "", NULL);
  mt_report_add_row (table, "Approver", "", "", "", NULL);
}

/* --- summary --- */

/* With its interval where the rows give one. */
static char *
dup_metric (const MtModelMetric *metric,
            const MtReportRows  *rows)
{
  g_autofree char *value = mt_report_dup_measure (metric->value);
  g_autofree char *range = NULL;

  for (guint p = 0; p < rows->n_parts && rows->origin == MT_REPORT_ROWS_SPLIT; p++)
    for (guint i = 0; i < rows->how.n_metrics; i++)
      if (rows->how.metrics[i] == metric->metric &&
          g_str_equal (rows->parts[p].name, g_str_equal (metric->part, "train") ? "training" : metric->part))
        {
          range = mt_report_dup_range (rows->parts[p].intervals[i].low, rows->parts[p].intervals[i].high);
          return g_strdup_printf ("%s (95%% interval %s)", value, range);
        }
  if (!metric->has_interval)
    return g_steal_pointer (&value);
  range = mt_report_dup_range (metric->low, metric->high);
  return g_strdup_printf ("%s (± one standard error: %s)", value, range);
}

static void
add_metrics (MtReportBlock       *table,
             const MtReportParts *parts,
             const MtReportRows  *rows)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);

  for (guint i = 0; i < info->n_metrics; i++)
    {
      if (parts->spare_test && g_str_equal (info->metrics[i].part, "test"))
        continue;
      mt_report_take_cell (table, g_strdup_printf ("%s, %s", mt_metric_get_name (info->metrics[i].metric),
                                                   mt_report_get_part_name (info->metrics[i].part)));
      mt_report_take_cell (table, dup_metric (&info->metrics[i], rows));
    }
}

/* What else a reader should know at once: checks, edits, texts that are owed. */
static void
add_state (MtReportBlock       *table,
           const MtReportParts *parts)
{
  g_autofree char *hash = mt_report_dup_hash (parts->model);
  guint n_agree = 0, n_found = 0, n_owed = 0;

  if (parts->checks != NULL && g_strcmp0 (hash, parts->checks->model_sha256) == 0)
    {
      n_found = mt_verify_report_count_engines (parts->checks, &n_agree);
      mt_report_add_cell (table, "Engines that verified its exports");
      mt_report_take_cell (table, g_strdup_printf (n_found > 0 ? "%u of %u found" : "none found", n_agree, n_found));
    }
  else
    mt_report_add_row (table, "Engines that verified its exports", "not verified", NULL);
  mt_report_add_cell (table, "Manual edits");
  mt_report_take_cell (table, g_strdup_printf ("%u", mt_model_get_info (parts->model)->n_edits));
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    n_owed += parts->texts[i] == NULL || *parts->texts[i] == '\0';
  mt_report_add_cell (table, "Fields not provided");
  mt_report_take_cell (table, g_strdup_printf ("%u of %u", n_owed, MT_N_REPORT_TEXTS));
}

static int
compare_strength (gconstpointer a,
                  gconstpointer b,
                  gpointer      book)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  double p = mt_rule_book_get_facts (book, x)->strength, q = mt_rule_book_get_facts (book, y)->strength;

  return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

/* The class that a term is most about. */
static guint
find_output (const MtTerm *term,
             guint         n_outputs)
{
  guint most = 0;

  for (guint c = 1; c < n_outputs; c++)
    if (fabs (term->weights[c]) > fabs (term->weights[most]))
      most = c;
  return most;
}

static void
add_strongest (MtReport      *report,
               const MtModel *model,
               MtRuleBook    *book)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtModelInfo *info = mt_model_get_info (model);
  guint n = mt_rule_set_get_n_terms (rules), n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree guint *order = g_new (guint, n + 1);
  MtReportBlock *table;

  if (n == 0)
    return;
  for (guint t = 0; t < n; t++)
    order[t] = t;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_strength, book);
  if (n > N_STRONGEST)
    mt_report_add (report, "The %u of %u terms with the largest weights; all are in section 10:", N_STRONGEST, n);
  else
    mt_report_add (report, "Terms of the score, largest weights first:");
  table = mt_report_add_table (report, "Term", "Adds", info->classes != NULL ? "Class" : "To", NULL);
  if (mt_rule_book_has_rows (book))
    mt_report_add_head (table, "Training rows");
  for (guint i = 0; i < MIN (n, N_STRONGEST); i++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, order[i]);
      guint output = find_output (term, n_outputs);
      g_autofree char *text = mt_term_dup_text (term, mt_model_get_encoder (model));
      double share = (double) mt_rule_book_get_facts (book, order[i])->support / (double) MAX (mt_rule_book_get_n_rows (book), 1);

      mt_report_take_cell (table, term->is_numeric ? g_strdup_printf ("%s, per standard deviation above its "
                                                                      "mean", text)
                                                   : g_strdup (text));
      mt_report_take_cell (table, mt_report_dup_signed (term->weights[output]));
      mt_report_take_cell (table, mt_report_dup_output (model, output));
      if (mt_rule_book_has_rows (book))
        mt_report_take_cell (table, term->is_numeric ? g_strdup ("–") : mt_report_dup_percent (share));
    }
}

gboolean
mt_report_add_summary (MtReport             *report,
                       const MtReportParts  *parts,
                       const MtReportRows   *rows,
                       GError              **error)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtRuleSet *rules = mt_model_get_rules (parts->model);
  g_autoptr (MtRuleBook) book = mt_report_make_book (parts, rows, error);
  g_autofree char *classes = info->classes != NULL ? g_strjoinv (", ", (char **) info->classes) : NULL;
  guint n_rules = mt_rule_set_get_n_rules (rules);
  MtReportBlock *table;

  if (book == NULL)
    return FALSE;
  table = mt_report_add_table (report, "What", "Value", NULL);
  mt_report_add_row (table, "Predicts", info->target, NULL);
  mt_report_add_row (table, "Task", mt_task_to_string (mt_model_get_task (parts->model)), NULL);
  if (classes != NULL)
    mt_report_add_row (table, "Classes", classes, NULL);
  mt_report_add_cell (table, "Rules");
  mt_report_take_cell (table, g_strdup_printf ("%u", n_rules));
  mt_report_add_cell (table, "Linear terms");
  mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_set_get_n_terms (rules) - n_rules));
  mt_report_add_cell (table, "Size (literals, linear terms, and the intercept)");
  mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_set_get_complexity (rules)));
  add_metrics (table, parts, rows);
  add_state (table, parts);
  add_strongest (report, parts->model, book);
  mt_report_add_link (report, "section-10", "Every rule with its weight is in section 10, Complete model.");
  mt_report_add_link (report, "section-12", "Performance is in section 12.");
  return TRUE;
}

/* --- split --- */

gboolean
mt_report_add_split (MtReport             *report,
                     const MtReportParts  *parts,
                     const MtReportRows   *rows,
                     GCancellable         *cancellable,
                     GError              **error)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtModelSetting *seed = mt_report_find_setting (parts->model, "split-seed");
  const MtModelSetting *fraction = mt_report_find_setting (parts->model, "test-fraction");

  mt_report_add (report, "Of %" G_GUINT64_FORMAT " rows, %" G_GUINT64_FORMAT " were used for training and "
                         "%" G_GUINT64_FORMAT " were held out as test rows. Seed of the run: "
                         "%" G_GUINT64_FORMAT ".",
                 info->n_rows, info->n_train, info->n_test, info->seed);
  if (seed != NULL && seed->kind == MT_SETTING_TEXT && fraction != NULL)
    {
      g_autofree char *share = mt_decimal_dup (fraction->number);

      mt_report_add (report, "Held-out share: %s of the rows, stratified by class (numeric targets: by "
                             "deciles); split seed %s. Rows without a target value are in neither part.", share, seed->text);
    }
  else if (mt_report_find_setting (parts->model, "test-sha256") != NULL)
    mt_report_add (report, "The test rows came from a separate file.");
  else if (info->n_test > 0)
    mt_report_add_absent (report, "the split seed; the model file does not record it.");
  mt_report_add_class_mix (report, parts, rows);
  return mt_report_add_duplicates (report, parts, rows, cancellable, error);
}
