/* The model's file, written. Its members, in order, are in write_model(). */
#include "config.h"
#include "mt-model-private.h"

#include "base/mt-file.h"
#include "base/mt-json.h"
#include "rules/mt-rule-text.h"
#include "logic/mt-truth-table.h"

const char * const mt_model_dont_care_names[MT_N_DONT_CARES] = { "impossible", "unseen", "neutral" };

static void
write_count (MtJsonWriter *writer,
             const char   *name,
             guint64       value)
{
  mt_json_writer_key (writer, name);
  if (value == MT_MODEL_NOT_COUNTED)
    mt_json_writer_string (writer, NULL);
  else
    mt_json_writer_integer (writer, value);
}

static void
write_boolean (MtJsonWriter *writer,
               const char   *name,
               gboolean      value)
{
  mt_json_writer_key (writer, name);
  mt_json_writer_boolean (writer, value);
}

static void
write_numbers (MtJsonWriter *writer,
               const char   *name,
               const double *values,
               guint         n)
{
  mt_json_writer_key (writer, name);
  mt_json_writer_begin_row (writer);
  for (guint i = 0; i < n; i++)
    mt_json_writer_number (writer, values[i]);
  mt_json_writer_end_array (writer);
}

static void
write_strings (MtJsonWriter       *writer,
               const char         *name,
               const char * const *values)
{
  mt_json_writer_key (writer, name);
  mt_json_writer_begin_row (writer);
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    mt_json_writer_string (writer, values[i]);
  mt_json_writer_end_array (writer);
}

static void
write_shapes (MtJsonWriter          *writer,
              const MtEncoderColumn *column)
{
  if (column->log.sd > 0)
    {
      mt_json_writer_key (writer, "log");
      mt_json_writer_begin_object (writer);
      mt_json_writer_member_number (writer, "center", column->log.center);
      mt_json_writer_member_number (writer, "mean", column->log.mean);
      mt_json_writer_member_number (writer, "sd", column->log.sd);
      mt_json_writer_end_object (writer);
    }
  if (column->clipped.sd > 0)
    {
      mt_json_writer_key (writer, "clipped");
      mt_json_writer_begin_object (writer);
      mt_json_writer_member_number (writer, "low", column->clipped.low);
      mt_json_writer_member_number (writer, "high", column->clipped.high);
      mt_json_writer_member_number (writer, "mean", column->clipped.mean);
      mt_json_writer_member_number (writer, "sd", column->clipped.sd);
      mt_json_writer_end_object (writer);
    }
}

/* Whether some rule has another number than its place among the rules. */
static gboolean
has_own_numbers (const MtRuleSet *rules)
{
  guint place = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    if (!mt_rule_set_get_term (rules, t)->is_numeric && mt_rule_set_get_term (rules, t)->number != ++place)
      return TRUE;
  return FALSE;
}

/* Files without a cutoff of their own, or without shapes, are as they always were. A set cutoff that was set back
 * leaves its edits, which older versions do not know. */
static guint
get_version (const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtModelInfo *info = mt_model_get_info (model);

  if (has_own_numbers (mt_model_get_rules (model)))
    return MT_MODEL_FORMAT_VERSION;
  for (guint i = 0; i < info->n_edits; i++)
    if (info->edits[i].edit.kind > MT_EDIT_SET_CUTOFF || info->edits[i].number > 0)
      return MT_MODEL_FORMAT_VERSION;
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    if (mt_encoder_get_column (encoder, i)->formula != NULL)
      return 4;
  if (mt_model_get_cutoff (model) != MT_CUTOFF)
    return 3;
  for (guint i = 0; i < info->n_edits; i++)
    if (info->edits[i].edit.kind == MT_EDIT_SET_CUTOFF)
      return 3;
  for (guint u = 0; u < mt_encoder_get_n_numeric (encoder); u++)
    if (mt_encoder_get_numeric (encoder, u)->shape != MT_SHAPE_PLAIN)
      return 2;
  return 1;
}

/* The formula, and what its columns were when it was computed. */
static void
write_formula (MtJsonWriter    *writer,
               const MtFormula *formula)
{
  mt_json_writer_member_string (writer, "formula", mt_formula_get_text (formula));
  mt_json_writer_key (writer, "sources");
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < mt_formula_get_n_sources (formula); i++)
    {
      const MtFormulaSource *source = mt_formula_get_source (formula, i);

      mt_json_writer_begin_object (writer);
      mt_json_writer_member_string (writer, "name", source->name);
      mt_json_writer_member_string (writer, "type", mt_column_type_to_string (source->type));
      if (source->missing_values != NULL)
        write_strings (writer, "missing_values", (const char * const *) source->missing_values);
      if (source->unit != NULL)
        mt_json_writer_member_string (writer, "unit", source->unit);
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
}

static void
write_encoder (MtJsonWriter    *writer,
               const MtEncoder *encoder)
{
  mt_json_writer_begin_object (writer);
  mt_json_writer_key (writer, "columns");
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

      mt_json_writer_begin_object (writer);
      mt_json_writer_member_string (writer, "name", column->name);
      mt_json_writer_member_string (writer, "type", mt_column_type_to_string (column->type));
      write_boolean (writer, "missing", column->has_missing);
      if (column->levels == NULL)
        {
          write_numbers (writer, "thresholds", column->thresholds, column->n_thresholds);
          mt_json_writer_member_number (writer, "mean", column->mean);
          mt_json_writer_member_number (writer, "sd", column->sd);
          mt_json_writer_member_number (writer, "min", column->min);
          mt_json_writer_member_number (writer, "max", column->max);
          write_shapes (writer, column);
        }
      else
        {
          write_strings (writer, "levels", (const char * const *) column->levels);
          write_boolean (writer, "other", column->has_other);
          write_strings (writer, "rest", (const char * const *) column->rest);
        }
      if (column->missing_values != NULL)
        write_strings (writer, "missing_values", (const char * const *) column->missing_values);
      if (column->unit != NULL)
        mt_json_writer_member_string (writer, "unit", column->unit);
      if (column->formula != NULL)
        write_formula (writer, column->formula);
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
  mt_json_writer_end_object (writer);
}

static void
write_table (MtJsonWriter  *writer,
             const char    *name,
             guint          n_inputs,
             const guint64 *table)
{
  g_autofree char *hex = table != NULL ? mt_truth_table_dup_hex (n_inputs, table) : NULL;

  mt_json_writer_member_string (writer, name, hex);
}

static void
write_rule (MtJsonWriter *writer,
            const MtRule *rule)
{
  guint n_inputs = mt_rule_get_n_inputs (rule);

  mt_json_writer_key (writer, "inputs");
  mt_json_writer_begin_row (writer);
  for (guint i = 0; i < n_inputs; i++)
    mt_json_writer_integer (writer, mt_rule_get_inputs (rule)[i]);
  mt_json_writer_end_array (writer);

  mt_json_writer_key (writer, "cubes");
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < mt_rule_get_n_cubes (rule); i++)
    {
      mt_json_writer_begin_object_row (writer);
      write_count (writer, "mask", mt_rule_get_cubes (rule)[i].mask);
      write_count (writer, "value", mt_rule_get_cubes (rule)[i].value);
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
  write_boolean (writer, "proven", mt_rule_get_proven (rule));
  write_table (writer, "table", n_inputs, mt_rule_get_table (rule));
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    write_table (writer, mt_model_dont_care_names[d], n_inputs, mt_rule_get_dont_care (rule, (MtDontCare) d));
  if (mt_rule_get_origin (rule) != NULL)
    mt_model_write_origin (writer, mt_rule_get_origin (rule));
}

static void
write_terms (MtJsonWriter  *writer,
             const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  guint place = 0;

  mt_json_writer_begin_array (writer);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autofree char *text = mt_term_dup_text (term, encoder);

      mt_json_writer_begin_object (writer);
      mt_json_writer_member_string (writer, "kind", term->is_numeric ? "number" : "rule");
      mt_json_writer_member_string (writer, "text", text);
      write_numbers (writer, "weights", term->weights, mt_rule_set_get_n_outputs (rules));
      if (term->is_numeric)
        {
          const MtUnary *unary = mt_term_get_unary (term, encoder);

          write_count (writer, "column", unary->column);
          if (unary->shape != MT_SHAPE_PLAIN)
            mt_json_writer_member_string (writer, "shape", mt_shape_to_string (unary->shape));
        }
      else
        {
          if (term->number != ++place)
            write_count (writer, "number", term->number);
          write_rule (writer, term->rule);
        }
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
}

static void
write_metrics (MtJsonWriter      *writer,
               const MtModelInfo *info)
{
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < info->n_metrics; i++)
    {
      const MtModelMetric *metric = &info->metrics[i];

      mt_json_writer_begin_object_row (writer);
      mt_json_writer_member_string (writer, "part", metric->part);
      mt_json_writer_member_string (writer, "name", mt_metric_to_string (metric->metric));
      mt_json_writer_member_number (writer, "value", metric->value);
      if (metric->has_interval)
        {
          mt_json_writer_member_number (writer, "low", metric->low);
          mt_json_writer_member_number (writer, "high", metric->high);
        }
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
}

static void
write_settings (MtJsonWriter      *writer,
                const MtModelInfo *info)
{
  mt_json_writer_begin_object (writer);
  for (guint i = 0; i < info->n_settings; i++)
    {
      const MtModelSetting *setting = &info->settings[i];

      if (setting->kind == MT_SETTING_NUMBER)
        mt_json_writer_member_number (writer, setting->name, setting->number);
      else if (setting->kind == MT_SETTING_TEXT)
        mt_json_writer_member_string (writer, setting->name, setting->text);
      else
        write_boolean (writer, setting->name, setting->boolean);
    }
  mt_json_writer_end_object (writer);
}

static void
write_reasons (MtJsonWriter      *writer,
               const MtModelInfo *info)
{
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < info->n_reasons; i++)
    {
      mt_json_writer_begin_object (writer);
      mt_json_writer_member_string (writer, "term", info->reasons[i].term);
      mt_json_writer_member_string (writer, "text", info->reasons[i].text);
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
}

static void
write_provenance (MtJsonWriter      *writer,
                  const MtModelInfo *info)
{
  mt_json_writer_begin_object (writer);
  mt_json_writer_member_string (writer, "version", info->version);
  mt_json_writer_member_string (writer, "engine", info->engine);
  mt_json_writer_member_string (writer, "data_sha256", info->data_sha256);
  write_count (writer, "rows", info->n_rows);
  write_count (writer, "train_rows", info->n_train);
  write_count (writer, "test_rows", info->n_test);
  mt_json_writer_key (writer, "seed");
  mt_json_writer_integer (writer, info->seed);
  mt_json_writer_end_object (writer);
}

static void
write_model (MtJsonWriter  *writer,
             const MtModel *model)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtRuleSet *rules = mt_model_get_rules (model);

  mt_json_writer_begin_object (writer);
  mt_json_writer_member_string (writer, "format", MT_MODEL_FORMAT);
  write_count (writer, "format_version", get_version (model));
  mt_json_writer_member_string (writer, "task", mt_task_to_string (mt_model_get_task (model)));
  mt_json_writer_member_string (writer, "target", info->target);
  write_strings (writer, "classes", info->classes);
  if (mt_model_get_cutoff (model) != MT_CUTOFF)
    mt_json_writer_member_number (writer, "cutoff", mt_model_get_cutoff (model));
  write_count (writer, "complexity", mt_rule_set_get_complexity (rules));
  mt_json_writer_member_string (writer, "dont_care", info->dont_care);
  write_numbers (writer, "bias", mt_rule_set_get_bias (rules), mt_rule_set_get_n_outputs (rules));
  mt_json_writer_key (writer, "terms");
  write_terms (writer, model);
  mt_json_writer_key (writer, "encoder");
  write_encoder (writer, mt_model_get_encoder (model));
  mt_json_writer_key (writer, "metrics");
  write_metrics (writer, info);
  mt_json_writer_key (writer, "fidelity");
  mt_json_writer_begin_object (writer);
  write_count (writer, "train_differ", info->train_differ);
  write_count (writer, "test_differ", info->test_differ);
  mt_json_writer_end_object (writer);
  mt_json_writer_key (writer, "settings");
  write_settings (writer, info);
  if (info->constraints != NULL)
    {
      mt_json_writer_key (writer, "constraints");
      mt_constraints_write (info->constraints, writer);
    }
  if (info->missing_tokens != NULL)
    write_strings (writer, "missing_tokens", info->missing_tokens);
  if (info->target_missing != NULL)
    write_strings (writer, "target_missing", info->target_missing);
  if (info->n_reasons > 0)
    {
      mt_json_writer_key (writer, "reasons");
      write_reasons (writer, info);
    }
  if (info->n_edits > 0)
    {
      mt_json_writer_key (writer, "edits");
      mt_edit_records_write (info->edits, info->n_edits, writer);
    }
  mt_json_writer_key (writer, "provenance");
  write_provenance (writer, info);
}

char *
mt_model_to_json (const MtModel *model,
                  gsize         *length)
{
  MtJsonWriter *writer = mt_json_writer_new ();
  g_autofree char *hash = NULL;
  g_autofree char *seal = NULL;
  const char *text;
  gsize n;

  write_model (writer, model);
  text = mt_json_writer_peek (writer, &n);
  hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, n);
  seal = g_strconcat (MT_MODEL_HASH_NAME, hash, NULL);
  mt_json_writer_member_string (writer, "checksum", seal);
  mt_json_writer_end_object (writer);
  return mt_json_writer_finish (writer, length);
}

gboolean
mt_model_save (const MtModel  *model,
               const char     *path,
               GError        **error)
{
  gsize length;
  g_autofree char *json = mt_model_to_json (model, &length);

  return mt_file_write (path, json, length, MT_FILE_REPLACE, error);
}
