/* The same model for different rows: groups of today, and bounds for the rows to come. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "base/mt-error.h"
#include "rules/mt-rule-text.h"

#define BATCH     1000       /* rows that bounds are given for */
#define Z         2.5758     /* 99 % of batches are within */

/* --- subgroups --- */

static void
add_group_name (MtReportBlock    *table,
                const MtSubgroup *group)
{
  mt_report_add_cell (table, group->name != NULL ? group->name : "missing");
}

static void
add_rate_head (MtReportBlock      *table,
               MtRate              rate,
               const char * const *classes)
{
  g_autofree char *name = mt_rate_dup_name (rate, classes);

  mt_report_add_head (table, name);
}

static const char *
describe_gap (MtTask task)
{
  switch (task)
    {
    case MT_TASK_BINARY:
      return "The calibration gap is the mean predicted probability of the second class minus its share of the rows.";
    case MT_TASK_MULTICLASS:
      return "The calibration gap is the mean probability of the predicted class minus the share of rows that belong to it.";
    case MT_TASK_REGRESSION:
    default:
      return "The calibration gap is the mean prediction minus the mean true value.";
    }
}

/* What is decided, at the cutoff of the model, and how that compares with the largest group. Of two classes. */
static void
add_rates (MtReport            *report,
           const MtReportParts *parts,
           const MtScored      *scored,
           const char          *name,
           GArray              *groups)
{
  const char * const *classes = (const char * const *) mt_model_get_info (parts->model)->classes;
  int reference = mt_subgroups_find_reference (groups);
  g_autofree MtSubgroupRates *rates = g_new (MtSubgroupRates, groups->len + 1);
  MtReportBlock *table;

  mt_subgroups_rate (groups, scored, mt_scored_get_cutoff (scored), reference, rates);
  mt_report_add (report, "Shares of the rows, by what is true and by what the model decides:");
  table = mt_report_add_table (report, name, NULL);
  for (guint r = 0; r < MT_RATE_COMPARED; r++)
    add_rate_head (table, r, classes);
  for (guint g = 0; g < groups->len; g++)
    {
      add_group_name (table, &g_array_index (groups, MtSubgroup, g));
      for (guint r = 0; r < MT_RATE_COMPARED; r++)
        mt_report_take_cell (table, mt_report_dup_interval (&rates[g].rates[r]));
    }
  if (reference < 0 || groups->len < 2)
    return;
  mt_report_add (report, "Compared with “%s”, the largest group. The adverse-impact ratio is the share of rows for "
                         "which a class is predicted, divided by that share in “%s”. The equal-opportunity "
                         "difference is, among the rows that belong to a class, the share for which it is "
                         "predicted, minus that share in “%s”. Both are given for both classes: look at those of "
                         "the favorable decision. They describe the decisions on these rows and do not say why "
                         "groups differ, or whether that is right.",
                 g_array_index (groups, MtSubgroup, reference).name, g_array_index (groups, MtSubgroup, reference).name,
                 g_array_index (groups, MtSubgroup, reference).name);
  table = mt_report_add_table (report, name, NULL);
  for (guint r = MT_RATE_COMPARED; r < MT_N_RATES; r++)
    add_rate_head (table, r, classes);
  for (guint g = 0; g < groups->len; g++)
    {
      if ((int) g == reference)
        continue;
      add_group_name (table, &g_array_index (groups, MtSubgroup, g));
      for (guint r = MT_RATE_COMPARED; r < MT_N_RATES; r++)
        mt_report_take_cell (table, mt_report_dup_interval (&rates[g].rates[r]));
    }
}

static gboolean
add_groups (MtReport             *report,
            const MtReportParts  *parts,
            const MtReportRows   *rows,
            const char           *name,
            GCancellable         *cancellable,
            GError              **error)
{
  const MtReportPart *part = &rows->parts[0];
  const MtColumn *column = mt_table_find_column (mt_import_get_table (parts->data), name, NULL);
  gsize n_rows = part->part.scored.n_rows;
  g_autofree guint32 *which = NULL;
  g_autoptr (GArray) groups = NULL;
  gboolean has_small = FALSE;
  MtReportBlock *table;

  if (column == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, "there is no column “%s” to form subgroups by", name);
      return FALSE;
    }
  which = g_new (guint32, n_rows + 1);
  for (gsize i = 0; i < n_rows; i++)
    which[i] = mt_report_rows_get_row (rows, part, i);
  groups = mt_subgroups_measure (column, which, &part->part.scored, mt_model_get_n_predictions (parts->model), TRUE, &rows->how,
                                 cancellable, error);
  if (groups == NULL)
    return FALSE;
  mt_report_add (report, "By “%s”, for the rows “%s”; 95%% intervals below each figure, as in section 12:", name, part->name);
  table = mt_report_add_table (report, name, "Rows", NULL);
  for (guint i = 0; i < rows->how.n_metrics; i++)
    mt_report_add_head (table, mt_metric_get_name (rows->how.metrics[i]));
  mt_report_add_head (table, "Calibration gap");
  for (guint g = 0; g < groups->len; g++)
    has_small |= g_array_index (groups, MtSubgroup, g).which->len < MT_SUBGROUP_SMALL;
  if (has_small)
    mt_report_add_head (table, "Remark");
  for (guint g = 0; g < groups->len; g++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, g);

      add_group_name (table, group);
      mt_report_take_cell (table, g_strdup_printf ("%u", group->which->len));
      for (guint i = 0; i < rows->how.n_metrics; i++)
        mt_report_take_cell (table, mt_report_dup_interval (&group->intervals[i]));
      mt_report_take_cell (table, mt_report_dup_interval (&group->gap));
      if (has_small)
        mt_report_add_cell (table, group->which->len < MT_SUBGROUP_SMALL ? "too few rows to be reliable" : "–");
    }
  mt_report_add (report, "%s", describe_gap (part->part.scored.task));
  if (part->part.scored.n_classes == 2)
    add_rates (report, parts, &part->part.scored, name, groups);
  return TRUE;
}

gboolean
mt_report_add_subgroups (MtReport             *report,
                         const MtReportParts  *parts,
                         const MtReportRows   *rows,
                         GCancellable         *cancellable,
                         GError              **error)
{
  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "subgroups; there are no rows with a known target.");
      return TRUE;
    }
  if (parts->by == NULL || parts->by[0] == NULL)
    {
      mt_report_add_absent (report, "subgroups; no column was chosen. Choose columns on the Quality page, or use minterm-cli export --by COLUMN.");
      return TRUE;
    }
  for (guint i = 0; parts->by[i] != NULL; i++)
    {
      g_autofree char *anchor = g_strdup_printf ("subgroup-%u", i + 1);

      mt_report_add_heading (report, anchor, "By %s", parts->by[i]);
      if (!add_groups (report, parts, rows, parts->by[i], cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* --- monitoring --- */

/* A share that is expected, and what a batch of rows may have of it by chance. */
static void
add_share (MtReportBlock *table,
           const char    *what,
           gsize          n,
           gsize          of)
{
  double p = (double) n / (double) of;
  double spread = Z * sqrt (p * (1 - p) / BATCH);

  mt_report_add_cell (table, what);
  mt_report_take_cell (table, mt_report_dup_measure (p));
  mt_report_take_cell (table, mt_report_dup_range (fmax (0, p - spread), fmin (1, p + spread)));
}

static gsize
count_true (const MtRule    *rule,
            const MtEncoded *encoded)
{
  gsize n_words = mt_encoded_get_n_words (encoded), n_rows = mt_encoded_get_n_rows (encoded), n = 0;
  g_autofree guint64 *plane = g_new0 (guint64, n_words + 1);

  mt_rule_evaluate (rule, encoded, 0, n_words, plane);
  for (gsize r = 0; r < n_rows; r++)
    n += (plane[r / 64] >> (r % 64)) & 1;
  return n;
}

static void
add_decisions (MtReportBlock       *table,
               const MtReportParts *parts,
               const MtReportRows  *rows)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  g_autofree gsize *counts = g_new0 (gsize, mt_model_get_n_classes (parts->model) + 1);

  for (gsize r = 0; r < rows->truth->n_rows && info->classes != NULL; r++)
    counts[mt_model_decide (parts->model, rows->predictions, rows->truth->n_rows, r)]++;
  for (guint c = 0; info->classes != NULL && info->classes[c] != NULL; c++)
    {
      g_autofree char *what = g_strdup_printf ("predicted “%s”", info->classes[c]);

      add_share (table, what, counts[c], rows->truth->n_rows);
    }
}

static void
add_ranges (MtReport            *report,
            const MtReportParts *parts)
{
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  MtReportBlock *table;

  mt_report_add (report, "Training values of each column that the model uses. The model also predicts rows "
                         "outside these values, but was not trained on any:");
  table = mt_report_add_table (report, "Column", "Training values", "Missing in training", NULL);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);
      g_autofree char *missing = mt_report_dup_missing ((const char * const *) column->missing_values);

      if (!mt_report_model_asks (parts->model, i))
        continue;
      mt_report_add_cell (table, column->name);
      if (column->levels == NULL)
        {
          g_autofree char *low = mt_encoder_dup_value_text (encoder, i, column->min);
          g_autofree char *high = mt_encoder_dup_value_text (encoder, i, column->max);

          mt_report_take_cell (table, g_strdup_printf ("%s … %s", low, high));
        }
      else
        {
          guint n_levels = g_strv_length ((char **) column->levels);

          mt_report_take_cell (table, g_strdup_printf ("%u %s%s", n_levels,
                                                       n_levels == 1 ? "value with its own condition"
                                                                     : "values with their own conditions",
                                                       column->has_other ? ", the others combined" : ""));
        }
      mt_report_take_cell (table, g_strdup_printf ("%s%s%s", column->has_missing ? "yes" : "no",
                                                   *missing != '\0' ? "; also counts as missing: " : "", missing));
    }
}

gboolean
mt_report_add_monitoring (MtReport             *report,
                          const MtReportParts  *parts,
                          const MtReportRows   *rows,
                          GError              **error)
{
  const MtRuleSet *rules = mt_model_get_rules (parts->model);
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  g_autoptr (MtEncoded) encoded = NULL;
  MtReportBlock *table;

  mt_report_add_provided (report, parts, MT_REPORT_MONITORING, "Monitoring");
  add_ranges (report, parts);
  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "how often each rule applies; there are no rows with a known target.");
      return TRUE;
    }
  encoded = mt_encoder_apply (encoder, mt_import_get_table (parts->data), rows->truth->rows, rows->truth->n_rows, NULL, error);
  if (encoded == NULL)
    return FALSE;
  mt_report_add (report, "Shares of the %" G_GSIZE_FORMAT " rows with a known target, and the range that "
                         "contains 99%% of batches of %d such rows. A share outside the range means that "
                         "the data has changed, not that the model is wrong:",
                 rows->truth->n_rows, BATCH);
  table = mt_report_add_table (report, "Rows", "Share", "Bounds", NULL);
  add_decisions (table, parts, rows);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autofree char *text = mt_term_dup_text (term, encoder);

      if (!term->is_numeric)
        add_share (table, text, count_true (term->rule, encoded), rows->truth->n_rows);
    }
  return TRUE;
}
