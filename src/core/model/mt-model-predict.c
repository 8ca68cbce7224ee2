/* Predicting from raw tables, by the rules, and the truth to hold it against. */
#include "config.h"
#include "mt-model.h"

#include <math.h>
#include <string.h>

#include "base/mt-csv-write.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "data/mt-target.h"
#include "logic/mt-truth-table.h"
#include "rules/mt-rule-text.h"

static void
add_missing (MtSchema           *schema,
             const char         *column,
             const char * const *texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    mt_schema_add_missing (schema, column, texts[i]);
}

static void
add_column (MtSchema           *schema,
            const char         *name,
            MtColumnType        type,
            const char         *unit,
            const char * const *missing)
{
  mt_schema_set_type (schema, name, type);
  if (type == MT_TYPE_NUMBER)
    mt_schema_set_unit (schema, name, unit != NULL ? unit : "");
  add_missing (schema, name, missing);
}

MtSchema *
mt_model_dup_schema (const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtModelInfo *info = mt_model_get_info (model);
  MtSchema *schema = mt_schema_new ();

  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

      if (column->formula == NULL)
        {
          add_column (schema, column->name, column->type, column->unit, (const char * const *) column->missing_values);
          continue;
        }
      mt_schema_set_derived (schema, column->name, mt_formula_get_text (column->formula));
      for (guint k = 0; k < mt_formula_get_n_sources (column->formula); k++)
        {
          const MtFormulaSource *source = mt_formula_get_source (column->formula, k);

          add_column (schema, source->name, source->type, source->unit, (const char * const *) source->missing_values);
        }
    }
  if (mt_model_get_task (model) == MT_TASK_REGRESSION)
    mt_schema_set_type (schema, info->target, MT_TYPE_NUMBER);
  add_missing (schema, info->target, info->target_missing);
  return schema;
}

/* Whether the column was called like another one that came before it: “NAME (2)”, and so on. */
static gboolean
is_namesake (const char *column,
             const char *name)
{
  gsize length = strlen (name), n_digits;

  if (strncmp (column, name, length) != 0 || strncmp (column + length, " (", 2) != 0)
    return FALSE;
  n_digits = strspn (column + length + 2, "0123456789");
  return n_digits > 0 && strcmp (column + length + 2 + n_digits, ")") == 0;
}

/* Why the model should not be applied to the column called @name as it was read; NULL: nothing is against it. */
static char *
dup_objection (const MtFinding *finding,
               const char      *name)
{
  gboolean is_this = strcmp (finding->column_name, name) == 0;

  if (is_this && (strcmp (finding->code, "not-a-number") == 0 || strcmp (finding->code, "not-a-date") == 0))
    return g_strdup_printf (_("%s. The model does not guess: correct these cells, or name these texts as missing values"),
                            finding->message);
  if (is_this && (strcmp (finding->code, "ambiguous-number") == 0 || strcmp (finding->code, "ambiguous-date") == 0))
    return g_strdup_printf (_("%s. Set the format explicitly before applying the model"), finding->message);
  if (strcmp (finding->code, "renamed-column") == 0 && is_namesake (finding->column_name, name))
    return g_strdup_printf (_("%s. The model must know which one to use: rename or remove one of them"),
                            finding->message);
  return NULL;
}

gboolean
mt_model_check_import (const MtModel   *model,
                       const MtImport  *import,
                       GError         **error)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  GPtrArray *findings = mt_import_get_findings (import);

  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *finding = g_ptr_array_index (findings, i);

      for (guint c = 0; c < mt_encoder_get_n_columns (encoder) && finding->column_name != NULL; c++)
        {
          const MtEncoderColumn *column = mt_encoder_get_column (encoder, c);
          guint n = column->formula != NULL ? mt_formula_get_n_sources (column->formula) : 1;

          for (guint k = 0; k < n; k++)
            {
              const MtFormulaSource *source = column->formula != NULL ? mt_formula_get_source (column->formula, k) : NULL;
              g_autofree char *objection = dup_objection (finding, source != NULL ? source->name : column->name);

              if (objection == NULL)
                continue;
              g_set_error_literal (error, MT_ERROR, MT_ERROR_SCHEMA, objection);
              return FALSE;
            }
        }
    }
  return TRUE;
}

/* Rows on which at least one rule meets an assignment of its unseen set. */
static gsize
count_unseen (const MtRuleSet *rules,
              const MtEncoded *encoded)
{
  gsize n_words = mt_encoded_get_n_words (encoded), n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree guint64 *any = g_new0 (guint64, MAX (n_words, 1));
  g_autofree guint64 *one = g_new (guint64, MAX (n_words, 1));
  gsize n_unseen = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const guint64 *unseen = term->is_numeric ? NULL
                                               : mt_rule_get_dont_care (term->rule, MT_DONT_CARE_UNSEEN);
      const guint64 *planes[MT_RULE_MAX_INPUTS];

      if (unseen == NULL)
        continue;
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        planes[i] = mt_encoded_get_plane (encoded, mt_rule_get_inputs (term->rule)[i]);
      mt_truth_table_evaluate (mt_rule_get_n_inputs (term->rule), unseen, planes, n_words, one);
      for (gsize w = 0; w < n_words; w++)
        any[w] |= one[w];
    }
  for (gsize r = 0; r < n_rows; r++)
    n_unseen += mt_plane_get (any, r);
  return n_unseen;
}

guint
mt_model_get_n_predictions (const MtModel *model)
{
  return mt_rule_set_get_n_outputs (mt_model_get_rules (model));
}

gboolean *
mt_model_find_used (const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  gboolean *used = g_new0 (gboolean, MAX (mt_encoder_get_n_columns (encoder), 1));

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        used[mt_term_get_unary (term, encoder)->column] = TRUE;
      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        used[mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column] = TRUE;
    }
  return used;
}

gboolean
mt_model_predict (const MtModel    *model,
                  const MtTable    *table,
                  const guint32    *rows,
                  gsize             n_rows,
                  double           *predictions,
                  MtPredictReport  *report,
                  GError          **error)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autofree gboolean *used = mt_model_find_used (model);
  g_autoptr (MtEncoded) encoded = NULL;
  MtPredictReport counted = { { 0 } };

  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  encoded = mt_encoder_apply_used (mt_model_get_encoder (model), table, used, rows, n_rows, &counted.encode, error);
  if (encoded == NULL)
    return FALSE;
  mt_rule_set_score (rules, encoded, predictions);
  for (gsize i = 0; i < mt_rule_set_get_n_outputs (rules) * n_rows; i++)
    if (!isfinite (predictions[i]))
      {
        gsize row = rows != NULL ? rows[i % n_rows] : i % n_rows;

        g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC,
                     _("the score of row %zu is too large for a number; check its values"),
                     row + 1);
        return FALSE;
      }
  mt_task_link (mt_model_get_task (model), mt_rule_set_get_n_outputs (rules), n_rows, predictions);
  if (report != NULL)
    {
      counted.n_unseen_patterns = count_unseen (rules, encoded);
      *report = counted;
    }
  return TRUE;
}

guint
mt_model_decide (const MtModel *model,
                 const double  *predictions,
                 gsize          n_rows,
                 gsize          row)
{
  g_return_val_if_fail (mt_model_get_task (model) != MT_TASK_REGRESSION, 0);
  return mt_task_decide (mt_model_get_task (model), mt_model_get_cutoff (model), mt_model_get_n_classes (model), n_rows, predictions, row);
}

void
mt_model_append_header (const MtModel *model,
                        GString       *line)
{
  mt_csv_append_text (line, "prediction");
  for (guint c = 0; c < mt_model_get_n_classes (model); c++)
    {
      g_autofree char *name = g_strconcat ("p_", mt_model_get_info (model)->classes[c], NULL);

      mt_csv_append_text (line, name);
    }
}

void
mt_model_append_answer (const MtModel *model,
                        const double  *predictions,
                        gsize          n_rows,
                        gsize          row,
                        GString       *line)
{
  MtTask task = mt_model_get_task (model);

  if (task == MT_TASK_REGRESSION)
    {
      mt_csv_append_number (line, predictions[row]);
      return;
    }
  mt_csv_append_text (line, mt_model_get_info (model)->classes[mt_model_decide (model, predictions, n_rows, row)]);
  if (task == MT_TASK_BINARY)
    {
      mt_csv_append_number (line, 1 - predictions[row]);
      mt_csv_append_number (line, predictions[row]);
    }
  else
    for (guint c = 0; c < mt_model_get_n_classes (model); c++)
      mt_csv_append_number (line, predictions[c * n_rows + row]);
}

gboolean
mt_model_contributions (const MtModel  *model,
                        const MtTable  *table,
                        const guint32  *rows,
                        gsize           n_rows,
                        double         *contributions,
                        GError        **error)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree gboolean *used = mt_model_find_used (model);
  g_autoptr (MtEncoded) encoded = NULL;
  g_autofree guint64 *plane = NULL;

  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  encoded = mt_encoder_apply_used (mt_model_get_encoder (model), table, used, rows, n_rows, NULL, error);
  if (encoded == NULL)
    return FALSE;
  plane = g_new (guint64, MAX (mt_encoded_get_n_words (encoded), 1));
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const double *numeric = term->is_numeric ? mt_encoded_get_numeric (encoded, term->numeric) : NULL;
      double *out = contributions + (gsize) t * n_outputs * n_rows;

      if (!term->is_numeric)
        mt_rule_evaluate (term->rule, encoded, 0, mt_encoded_get_n_words (encoded), plane);
      for (guint c = 0; c < n_outputs; c++)
        for (gsize r = 0; r < n_rows; r++)
          out[c * n_rows + r] = term->weights[c] * (numeric != NULL ? numeric[r]
                                                    : (double) mt_plane_get (plane, r));
    }
  return TRUE;
}

/* --- the truth --- */

#define NO_CLASS G_MAXUINT32

static guint32
find_class (const MtModel *model,
            const char    *name)
{
  const MtModelInfo *info = mt_model_get_info (model);

  for (guint i = 0; i < mt_model_get_n_classes (model); i++)
    if (strcmp (info->classes[i], name) == 0)
      return i;
  return NO_CLASS;
}

/* Classes that are numbers may stand in a numeric column: 1 is the class "1". */
static guint32
find_class_number (const MtModel *model,
                   double         number)
{
  const MtModelInfo *info = mt_model_get_info (model);

  for (guint i = 0; i < mt_model_get_n_classes (model); i++)
    {
      double value;

      if (mt_decimal_parse (info->classes[i], &value) && value == number)
        return i;
    }
  return NO_CLASS;
}

static guint32
read_class (const MtModel  *model,
            const MtColumn *column,
            const guint32  *class_of_level,
            gsize           row)
{
  g_autofree char *text = NULL;

  switch (mt_column_get_store (column))
    {
    case MT_STORE_CODES:
      return class_of_level[mt_column_get_code (column, row)];
    case MT_STORE_NUMBERS:
      return find_class_number (model, mt_column_get_number (column, row));
    case MT_STORE_TEXT:
    default:
      text = mt_column_dup_text (column, row);
      return find_class (model, text);
    }
}

MtTruth *
mt_model_read_truth (const MtModel  *model,
                     const MtTable  *table,
                     const char     *target,
                     GError        **error)
{
  gboolean is_regression = mt_model_get_task (model) == MT_TASK_REGRESSION;
  gsize n_rows = mt_table_get_n_rows (table);
  g_autofree guint32 *class_of_level = NULL;
  const MtColumn *column;
  MtTruth *truth;

  if (target == NULL)
    target = mt_model_get_info (model)->target;
  column = mt_table_find_column (table, target, NULL);
  if (column == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("the data has no column “%s” to compare predictions with"), target);
      return NULL;
    }
  if (is_regression && mt_column_get_store (column) != MT_STORE_NUMBERS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("column “%s” is a %s here, but the model predicts a number; set its type to number"),
                   target,
                   mt_column_type_to_word (mt_column_get_type (column)));
      return NULL;
    }
  if (mt_column_get_store (column) == MT_STORE_CODES)
    {
      class_of_level = g_new (guint32, mt_column_get_n_levels (column) + 1);
      for (guint i = 0; i < mt_column_get_n_levels (column); i++)
        class_of_level[i] = find_class (model, mt_column_get_level (column, i));
    }

  if (is_regression)
    for (gsize row = 0; row < n_rows; row++)
      if (!mt_column_is_missing (column, row) && isfinite (mt_column_get_number (column, row)) &&
          !mt_target_check_number (target, row, mt_column_get_number (column, row), error))
        return NULL;
  truth = g_new0 (MtTruth, 1);
  truth->rows = g_new (guint32, n_rows + 1);
  truth->classes = is_regression ? NULL : g_new (guint32, n_rows + 1);
  truth->values = is_regression ? g_new (double, n_rows + 1) : NULL;
  for (gsize row = 0; row < n_rows; row++)
    {
      if (mt_column_is_missing (column, row) ||
          (is_regression && !isfinite (mt_column_get_number (column, row))))
        {
          truth->n_missing++;
          continue;
        }
      if (is_regression)
        truth->values[truth->n_rows] = mt_column_get_number (column, row);
      else
        {
          guint32 found = read_class (model, column, class_of_level, row);

          if (found == NO_CLASS)
            {
              truth->n_unknown++;
              continue;
            }
          truth->classes[truth->n_rows] = found;
        }
      truth->rows[truth->n_rows++] = (guint32) row;
    }
  if (truth->n_rows == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   is_regression ? _("no row of column “%s” contains a number to compare with")
                                 : _("no row of column “%s” contains a class that the model predicts"), target);
      g_clear_pointer (&truth, mt_truth_free);
    }
  return truth;
}

void
mt_truth_free (MtTruth *truth)
{
  if (truth == NULL)
    return;
  g_free (truth->rows);
  g_free (truth->classes);
  g_free (truth->values);
  g_free (truth);
}
