/* What happens to the answers when a column changes: its cells shuffled among the rows, all missing, or
 * numbers moved by a little. Tables are the given one with one column replaced; all others are shared. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "base/mt-random.h"
#include "rules/mt-rule-text.h"

#define MAX_ROWS   20000
#define N_SHUFFLES 5
#define NUDGE      0.1       /* of a standard deviation */

typedef struct {
  const MtModel  *model;
  const MtTable  *table;
  guint32        *rows;          /* of the table */
  gsize           n_rows;
  MtScored        scored;        /* of these rows as they are */
  guint32        *classes;
  double         *values;
  double         *predictions;
  double         *changed;       /* room for other predictions */
  MtMetric        metric;
} Trial;

static void
trial_clear (Trial *trial)
{
  g_free (trial->rows);
  g_free (trial->classes);
  g_free (trial->values);
  g_free (trial->predictions);
  g_free (trial->changed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trial, trial_clear)

/* Every so manieth row of the part when there are many. */
static void
trial_init (Trial               *trial,
            const MtReportParts *parts,
            const MtReportRows  *rows)
{
  const MtReportPart *part = &rows->parts[0];
  const MtScored *from = &part->part.scored;
  guint n_outputs = mt_model_get_n_predictions (parts->model);
  gsize step = (from->n_rows + MAX_ROWS - 1) / MAX_ROWS;
  gsize n = (from->n_rows + step - 1) / step;

  *trial = (Trial) { .model = parts->model, .table = mt_import_get_table (parts->data), .n_rows = n, .scored = *from };
  trial->metric = mt_model_get_task (parts->model) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  trial->rows = g_new (guint32, n);
  trial->classes = from->classes != NULL ? g_new (guint32, n) : NULL;
  trial->values = from->values != NULL ? g_new (double, n) : NULL;
  trial->predictions = g_new (double, n * n_outputs);
  trial->changed = g_new (double, n * n_outputs);
  for (gsize i = 0; i < n; i++)
    {
      trial->rows[i] = mt_report_rows_get_row (rows, part, i * step);
      if (trial->classes != NULL)
        trial->classes[i] = from->classes[i * step];
      if (trial->values != NULL)
        trial->values[i] = from->values[i * step];
      for (guint c = 0; c < n_outputs; c++)
        trial->predictions[c * n + i] = from->predictions[c * from->n_rows + i * step];
    }
  trial->scored.n_rows = n;
  trial->scored.classes = trial->classes;
  trial->scored.values = trial->values;
  trial->scored.predictions = trial->predictions;
}

/* @order: the row that each of the rows gets its cell from, G_MAXUINT32: none. Numbers grow by @add. */
static MtColumn *
make_column (const MtColumn *column,
             const Trial    *trial,
             const guint32  *order,
             double          add)
{
  gsize n = mt_column_get_n_rows (column);

  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      double *values = g_new (double, n + 1);

      mt_column_read_numbers (column, 0, n, values);
      for (gsize i = 0; i < trial->n_rows; i++)
        values[trial->rows[i]] = order[i] == G_MAXUINT32 ? NAN : mt_column_get_number (column, order[i]) + add;
      return mt_column_new_numbers (mt_column_get_name (column), mt_column_get_type (column), values, n);
    }
  if (mt_column_get_store (column) == MT_STORE_CODES)
    {
      g_autofree guint32 *codes = g_new (guint32, n + 1);
      char **levels = g_new0 (char *, mt_column_get_n_levels (column) + 1);

      for (guint i = 0; i < mt_column_get_n_levels (column); i++)
        levels[i] = g_strdup (mt_column_get_level (column, i));
      mt_column_read_codes (column, 0, n, codes);
      for (gsize i = 0; i < trial->n_rows; i++)
        codes[trial->rows[i]] = order[i] == G_MAXUINT32 ? MT_CODE_MISSING : mt_column_get_code (column, order[i]);
      return mt_column_new_codes (mt_column_get_name (column), mt_column_get_type (column), levels, codes, n);
    }
  return NULL;     /* free text, which no model asks about */
}

/* Predictions with that column in the place of the table's. */
static gboolean
predict_with (Trial     *trial,
              guint      index,
              MtColumn  *column,     /* taken */
              GError   **error)
{
  guint n_columns = mt_table_get_n_columns (trial->table);
  g_autofree MtColumn **columns = g_new (MtColumn *, n_columns);
  g_autoptr (MtTable) table = NULL;

  for (guint c = 0; c < n_columns; c++)
    columns[c] = c == index ? column : mt_column_ref ((MtColumn *) mt_table_get_column (trial->table, c));
  table = mt_table_new (columns, n_columns);
  return mt_model_predict (trial->model, table, trial->rows, trial->n_rows, trial->changed, NULL, error);
}

/* Share of rows decided otherwise, or the mean distance of numbers. */
static double
measure_change (const Trial *trial)
{
  double sum = 0;

  for (gsize i = 0; i < trial->n_rows; i++)
    sum += trial->classes != NULL
           ? mt_model_decide (trial->model, trial->predictions, trial->n_rows, i) !=
             mt_model_decide (trial->model, trial->changed, trial->n_rows, i)
           : fabs (trial->changed[i] - trial->predictions[i]);
  return sum / (double) trial->n_rows;
}

static gboolean
try_shuffles (Trial           *trial,
              guint            index,
              const MtColumn  *column,
              guint64          seed,
              double          *metric,
              double          *change,
              GError         **error)
{
  g_autofree guint32 *order = g_memdup2 (trial->rows, trial->n_rows * sizeof *order);
  MtScored scored = trial->scored;

  scored.predictions = trial->changed;
  *metric = *change = 0;
  for (guint s = 0; s < N_SHUFFLES; s++)
    {
      MtRandom random;

      mt_random_init_stream (&random, seed, index * N_SHUFFLES + s);
      mt_random_shuffle (&random, order, trial->n_rows);
      if (!predict_with (trial, index, make_column (column, trial, order, 0), error))
        return FALSE;
      *metric += mt_metric_compute (trial->metric, &scored) / N_SHUFFLES;
      *change += measure_change (trial) / N_SHUFFLES;
    }
  return TRUE;
}

static gboolean
try_missing (Trial           *trial,
             guint            index,
             const MtColumn  *column,
             double          *change,
             GError         **error)
{
  g_autofree guint32 *order = g_new (guint32, trial->n_rows);

  for (gsize i = 0; i < trial->n_rows; i++)
    order[i] = G_MAXUINT32;
  if (!predict_with (trial, index, make_column (column, trial, order, 0), error))
    return FALSE;
  *change = measure_change (trial);
  return TRUE;
}

static double
measure_sd (const Trial    *trial,
            const MtColumn *column)
{
  double mean = 0, squares = 0;
  gsize n = 0;

  for (gsize i = 0; i < trial->n_rows; i++)
    if (!mt_column_is_missing (column, trial->rows[i]))
      {
        double value = mt_column_get_number (column, trial->rows[i]), off = value - mean;

        mean += off / (double) ++n;
        squares += off * (value - mean);
      }
  return n > 1 ? sqrt (squares / (double) (n - 1)) : 0;
}

/* NaN: no number. */
static gboolean
try_nudges (Trial           *trial,
            guint            index,
            const MtColumn  *column,
            double          *change,
            GError         **error)
{
  double sd;

  *change = NAN;
  if (mt_column_get_store (column) != MT_STORE_NUMBERS || mt_column_get_type (column) != MT_TYPE_NUMBER)
    return TRUE;
  sd = measure_sd (trial, column);
  *change = 0;
  for (int sign = -1; sign <= 1; sign += 2)
    {
      if (!predict_with (trial, index, make_column (column, trial, trial->rows, sign * NUDGE * sd), error))
        return FALSE;
      *change = fmax (*change, measure_change (trial));
    }
  return TRUE;
}

gboolean
mt_report_model_asks (const MtModel *model,
                      guint          column)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric && mt_term_get_unary (term, encoder)->column == column)
        return TRUE;
      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        if (mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column == column)
          return TRUE;
    }
  return FALSE;
}

static gboolean
add_column (MtReportBlock  *table,
            Trial          *trial,
            guint           index,
            guint64         seed,
            double          whole,
            GError        **error)
{
  const MtColumn *column = mt_table_get_column (trial->table, index);
  double metric, shuffled, missing, nudged;

  if (!try_shuffles (trial, index, column, seed, &metric, &shuffled, error) ||
      !try_missing (trial, index, column, &missing, error) || !try_nudges (trial, index, column, &nudged, error))
    return FALSE;
  mt_report_add_cell (table, mt_column_get_name (column));
  mt_report_take_cell (table, mt_report_dup_measure (metric - whole));
  mt_report_take_cell (table, mt_report_dup_measure (shuffled));
  mt_report_take_cell (table, mt_report_dup_measure (missing));
  mt_report_take_cell (table, isfinite (nudged) ? mt_report_dup_measure (nudged) : g_strdup ("–"));
  return TRUE;
}

gboolean
mt_report_add_sensitivity (MtReport             *report,
                           const MtReportParts  *parts,
                           const MtReportRows   *rows,
                           GCancellable         *cancellable,
                           GError              **error)
{
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  gboolean is_number = mt_model_get_task (parts->model) == MT_TASK_REGRESSION;
  const char *change = is_number ? "mean change of the prediction" : "share of rows decided differently";
  g_auto (Trial) trial = { NULL };
  g_autofree char *shuffled = g_strdup_printf ("Shuffled: %s", change);
  g_autofree char *missing = g_strdup_printf ("All missing: %s", change);
  g_autofree char *nudged = g_strdup_printf ("Shifted by a tenth of its standard deviation (the worse "
                                             "direction): %s", change);
  MtReportBlock *table;
  double whole;

  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "sensitivity; there are no rows with a known target.");
      return TRUE;
    }
  trial_init (&trial, parts, rows);
  whole = mt_metric_compute (trial.metric, &trial.scored);
  mt_report_add (report, "How predictions change if one column changes and the others do not, for "
                         "%" G_GSIZE_FORMAT " rows (“%s”) and every column that the model uses. Shuffled: "
                         "the cells of the column are permuted among the rows %d times, seed "
                         "%" G_GUINT64_FORMAT "; values are means.", trial.n_rows, rows->parts[0].name,
                 N_SHUFFLES, parts->seed);
  table = mt_report_add_table (report, "Column", is_number ? "Shuffled: change of R²" : "Shuffled: change of "
                                                                                        "AUC", shuffled,
                               missing, nudged, NULL);
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      guint index;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!mt_report_model_asks (parts->model, c) ||
          mt_table_find_column (trial.table, mt_encoder_get_column_name (encoder, c), &index) == NULL)
        continue;
      if (!add_column (table, &trial, index, parts->seed, whole, error))
        return FALSE;
    }
  return TRUE;
}
