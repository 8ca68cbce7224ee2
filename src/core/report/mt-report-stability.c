/* How steady the model is: over folds and seeds from the record of its search, and its weights refitted without
 * a tenth of the training rows at a time. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "base/mt-decimal.h"
#include "model/mt-edit.h"
#include "rules/mt-rule-text.h"

#define N_TENTHS  10
#define MAX_ROWS  50000

/* --- over folds --- */

static void
add_folds (MtReport       *report,
           const MtSearchRecord *record,
           const char     *metric)
{
  double low = INFINITY, high = -INFINITY, mean = 0;
  guint n = 0;
  g_autoptr (GString) scores = g_string_new (NULL);
  MtReportBlock *table;

  mt_report_add_heading (report, "stability-folds", "Across folds");
  for (guint i = 0; i < record->n_folds; i++)
    if (isfinite (record->folds[i]))
      {
        low = fmin (low, record->folds[i]);
        high = fmax (high, record->folds[i]);
        mean += record->folds[i];
        n++;
      }
  if (n == 0)
    {
      mt_report_add_absent (report, "scores per fold; the record contains none.");
      return;
    }
  mt_report_add (report, "%s of models of this size, each trained from scratch without the fold that it is "
                         "scored on:",
                 metric);
  table = mt_report_add_table (report, "Folds", "Lowest", "Mean", "Highest", NULL);
  mt_report_take_cell (table, g_strdup_printf ("%u", n));
  mt_report_take_cell (table, mt_report_dup_measure (low));
  mt_report_take_cell (table, mt_report_dup_measure (mean / n));
  mt_report_take_cell (table, mt_report_dup_measure (high));
  for (guint i = 0; i < record->n_folds; i++)
    {
      g_autofree char *score = mt_report_dup_measure (record->folds[i]);

      g_string_append_printf (scores, "%s%s", i > 0 ? ", " : "", score);
    }
  mt_report_add (report, "Fold by fold: %s.", scores->str);
}

/* --- over seeds --- */

static void
add_seeds (MtReport       *report,
           const MtModel  *model,
           const MtSearchRecord *record)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  MtReportBlock *table;

  mt_report_add_heading (report, "stability-seeds", "Across seeds and settings");
  if (record == NULL || record->n_compared == 0)
    {
      mt_report_add_absent (report, "how often rules recur with other seeds; there is only one run. Use "
                                    "minterm-cli sweep to train more.");
      return;
    }
  mt_report_add (report, "Number of the %u other runs whose model of the nearest size contains exactly the "
                         "same term:",
                 record->n_compared);
  table = mt_report_add_table (report, "Term", "Runs", "Share", NULL);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      mt_report_take_cell (table, mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (model)));
      mt_report_take_cell (table, g_strdup_printf ("%u", record->recurs[t]));
      mt_report_take_cell (table, mt_report_dup_measure ((double) record->recurs[t] / record->n_compared));
    }
}

/* --- weights --- */

typedef struct {
  const MtModel *model;
  guint32       *rows;         /* of the table, training rows; thinned when there are many */
  double        *target;
  gsize          n_rows;
  double        *low, *high;   /* by term and output */
  guint         *n_turned;     /* refits in which the sign is another */
} Weights;

static void
weights_clear (Weights *weights)
{
  g_free (weights->rows);
  g_free (weights->target);
  g_free (weights->low);
  g_free (weights->high);
  g_free (weights->n_turned);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Weights, weights_clear)

static const MtReportPart *
find_training (const MtReportRows *rows)
{
  if (rows->origin == MT_REPORT_ROWS_SPLIT)
    return &rows->parts[1];
  return rows->origin == MT_REPORT_ROWS_TRAINING || rows->origin == MT_REPORT_ROWS_SPARED ? &rows->parts[0] : NULL;
}

static void
weights_init (Weights            *weights,
              const MtModel      *model,
              const MtReportRows *rows,
              const MtReportPart *part)
{
  const MtScored *scored = &part->part.scored;
  const MtRuleSet *rules = mt_model_get_rules (model);
  gsize step = (scored->n_rows + MAX_ROWS - 1) / MAX_ROWS;
  guint n = mt_rule_set_get_n_terms (rules) * mt_rule_set_get_n_outputs (rules);

  weights->model = model;
  weights->n_rows = (scored->n_rows + step - 1) / step;
  weights->rows = g_new (guint32, weights->n_rows);
  weights->target = g_new (double, weights->n_rows);
  for (gsize i = 0; i < weights->n_rows; i++)
    {
      weights->rows[i] = mt_report_rows_get_row (rows, part, i * step);
      weights->target[i] = scored->classes != NULL ? scored->classes[i * step] : scored->values[i * step];
    }
  weights->low = g_new (double, n + 1);
  weights->high = g_new (double, n + 1);
  weights->n_turned = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      weights->low[i] = INFINITY;
      weights->high[i] = -INFINITY;
    }
}

static void
note_refit (Weights         *weights,
            const MtRuleSet *refitted)
{
  const MtRuleSet *rules = mt_model_get_rules (weights->model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    for (guint c = 0; c < n_outputs; c++)
      {
        double now = mt_rule_set_get_term (refitted, t)->weights[c], then = mt_rule_set_get_term (rules, t)->weights[c];

        weights->low[t * n_outputs + c] = fmin (weights->low[t * n_outputs + c], now);
        weights->high[t * n_outputs + c] = fmax (weights->high[t * n_outputs + c], now);
        weights->n_turned[t * n_outputs + c] += now * then < 0;
      }
}

/* Without the rows of a tenth, dealt out by turns. */
static gboolean
refit_without (Weights       *weights,
               const MtTable *table,
               guint          tenth,
               GCancellable  *cancellable,
               GError       **error)
{
  const MtModelSetting *balance = mt_report_find_setting (weights->model, "class-weights");
  g_autofree guint32 *rows = g_new (guint32, weights->n_rows + 1);
  g_autofree double *target = g_new (double, weights->n_rows + 1);
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (MtRuleSet) refitted = NULL;
  gsize n = 0;

  for (gsize i = 0; i < weights->n_rows; i++)
    if (i % N_TENTHS != tenth)
      {
        rows[n] = weights->rows[i];
        target[n++] = weights->target[i];
      }
  encoded = mt_encoder_apply (mt_model_get_encoder (weights->model), table, rows, n, NULL, error);
  refitted = encoded != NULL ? mt_edit_refit (mt_model_get_rules (weights->model), encoded, target,
                                              balance != NULL && g_strcmp0 (balance->text, "balanced") == 0, cancellable,
                                              error) : NULL;
  if (refitted == NULL)
    return FALSE;
  note_refit (weights, refitted);
  return TRUE;
}

static void
add_weights (MtReport      *report,
             const Weights *weights)
{
  const MtModel *model = weights->model;
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  MtReportBlock *table;

  mt_report_add (report, "The same terms with weights refitted ten times, each time without a tenth of the "
                         "%" G_GSIZE_FORMAT " training rows. Weights of linear terms are per standard "
                         "deviation.", weights->n_rows);
  table = mt_report_add_table (report, "Term", "Score of", "Weight", "Lowest … highest", "Changed sign", NULL);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    for (guint c = 0; c < n_outputs; c++)
      {
        mt_report_take_cell (table, mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (model)));
        mt_report_take_cell (table, mt_report_dup_output (model, c));
        mt_report_take_cell (table, mt_report_dup_measure (mt_rule_set_get_term (rules, t)->weights[c]));
        mt_report_take_cell (table, mt_report_dup_range (weights->low[t * n_outputs + c], weights->high[t * n_outputs + c]));
        mt_report_take_cell (table, g_strdup_printf ("%u of %d", weights->n_turned[t * n_outputs + c], N_TENTHS));
      }
}

static gboolean
try_weights (MtReport             *report,
             const MtReportParts  *parts,
             const MtReportRows   *rows,
             GCancellable         *cancellable,
             GError              **error)
{
  const MtReportPart *part = find_training (rows);
  g_auto (Weights) weights = { NULL };

  mt_report_add_heading (report, "stability-weights", "Weights");
  if (part == NULL || part->part.scored.n_rows < 2 * N_TENTHS)
    {
      mt_report_add_absent (report, "refitted weights; which rows of the data are training rows is not known.");
      return TRUE;
    }
  weights_init (&weights, parts->model, rows, part);
  for (guint tenth = 0; tenth < N_TENTHS; tenth++)
    {
      g_autoptr (GError) failed = NULL;

      if (refit_without (&weights, mt_import_get_table (parts->data), tenth, cancellable, &failed))
        continue;
      if (!g_error_matches (failed, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          mt_report_add_absent (report, "refitted weights: %s", failed->message);
          return TRUE;
        }
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  add_weights (report, &weights);
  return TRUE;
}

gboolean
mt_report_add_stability (MtReport             *report,
                         const MtReportParts  *parts,
                         const MtReportRows   *rows,
                         GCancellable         *cancellable,
                         GError              **error)
{
  const char *metric = mt_model_get_task (parts->model) == MT_TASK_REGRESSION ? "R²" : "AUC";

  if (parts->record != NULL)
    add_folds (report, parts->record, metric);
  else
    mt_report_add_absent (report, "results per fold; there is no search record next to the model file.");
  add_seeds (report, parts->model, parts->record);
  return try_weights (report, parts, rows, cancellable, error);
}
