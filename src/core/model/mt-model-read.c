/* The model's file, read. Nothing in it is believed: every member is looked up by name and
 * kind, every number held against its range, and what only together makes sense (covers and
 * tables, texts and terms, classes and outputs) is made again and compared. */
#include "config.h"
#include "mt-model-private.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json-cursor.h"
#include "rules/mt-rule-text.h"
#include "logic/mt-truth-table.h"

/* The last bytes of every file: the checksum is of all bytes before them. */
#define SEAL_BEGIN ",\n  \"checksum\": \"" MT_MODEL_HASH_NAME
#define SEAL_END   "\"\n}\n"
#define HASH_DIGITS 64

/* Before anything in the file is believed. */
static gboolean
check_seal (const char  *json,
            gsize        length,
            GError     **error)
{
  gsize n_seal = strlen (SEAL_BEGIN) + HASH_DIGITS + strlen (SEAL_END);
  g_autofree char *hash = NULL;
  const char *seal;

  if (length >= n_seal)
    {
      seal = json + length - n_seal;
      hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length - n_seal);
      if (strncmp (seal, SEAL_BEGIN, strlen (SEAL_BEGIN)) == 0 &&
          strncmp (seal + strlen (SEAL_BEGIN), hash, HASH_DIGITS) == 0 &&
          strncmp (seal + strlen (SEAL_BEGIN) + HASH_DIGITS, SEAL_END, strlen (SEAL_END)) == 0)
        return TRUE;
    }
  g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE,
                       _("checksum mismatch: the file is truncated or was modified after it was written; use "
                         "the original"));
  return FALSE;
}

static gboolean
check_format (const MtJsonCursor *root,
              GError           **error)
{
  const char *format;
  guint64 version;
  MtJsonCursor at;

  if (mt_json_get_kind (root->json) != MT_JSON_OBJECT || mt_json_find (root->json, "format") == NULL)
    return mt_json_cursor_fail (root, error, "is not a Minterm model");
  if (!mt_json_read_string (root, "format", &format, error))
    return FALSE;
  if (!mt_json_member (root, "format_version", MT_JSON_NUMBER, &at, error))
    return FALSE;
  if (strcmp (format, MT_MODEL_FORMAT) != 0)
    return mt_json_cursor_fail (&at, error, "belongs to a file that is not a Minterm model");
  if (!mt_json_read_integer (root, "format_version", G_MAXUINT64, &version, error))
    return FALSE;
  if (version > MT_MODEL_FORMAT_VERSION)
    return mt_json_cursor_fail (&at, error,
                                "is %" G_GUINT64_FORMAT ": the model was made by a newer version of Minterm; "
                                "update Minterm to open it", version);
  if (version < 1)
    return mt_json_cursor_fail (&at, error, "is not a whole number from 1 to %d", MT_MODEL_FORMAT_VERSION);
  return TRUE;
}

/* A shape that is there has an sd; without one it would not be offered. */
static gboolean
read_shapes (const MtJsonCursor *at,
             MtEncoderColumn    *column,
             GError            **error)
{
  static const char * const log_members[] = { "center", "mean", "sd", NULL };
  static const char * const clipped_members[] = { "low", "high", "mean", "sd", NULL };
  MtJsonCursor shape;

  if (mt_json_find (at->json, "log") != NULL)
    {
      if (!mt_json_member (at, "log", MT_JSON_OBJECT, &shape, error) ||
          !mt_json_check_members (&shape, log_members, error) ||
          !mt_json_read_number (&shape, "center", &column->log.center, error) ||
          !mt_json_read_number (&shape, "mean", &column->log.mean, error) ||
          !mt_json_read_number (&shape, "sd", &column->log.sd, error))
        return FALSE;
      if (!(column->log.sd > 0))
        return mt_json_member_fail (&shape, "sd", error, "is not above 0");
    }
  if (mt_json_find (at->json, "clipped") != NULL)
    {
      if (!mt_json_member (at, "clipped", MT_JSON_OBJECT, &shape, error) ||
          !mt_json_check_members (&shape, clipped_members, error) ||
          !mt_json_read_number (&shape, "low", &column->clipped.low, error) ||
          !mt_json_read_number (&shape, "high", &column->clipped.high, error) ||
          !mt_json_read_number (&shape, "mean", &column->clipped.mean, error) ||
          !mt_json_read_number (&shape, "sd", &column->clipped.sd, error))
        return FALSE;
      if (!(column->clipped.sd > 0))
        return mt_json_member_fail (&shape, "sd", error, "is not above 0");
    }
  return TRUE;
}

/* What one of the formula's columns is. The strings are borrowed from the file, the list is owned. */
static gboolean
read_source (const MtJsonCursor *at,
             MtFormulaSource    *source,
             GError            **error)
{
  const char *members[] = { "name", "type", NULL, NULL, NULL };
  guint n_members = 2;
  const char *name, *type, *unit;

  if (mt_json_find (at->json, "missing_values") != NULL)
    {
      members[n_members++] = "missing_values";
      if (!mt_json_read_strings (at, "missing_values", MT_ENCODER_MAX_MISSING, &source->missing_values, error))
        return FALSE;
    }
  if (mt_json_find (at->json, "unit") != NULL)
    {
      members[n_members++] = "unit";
      if (!mt_json_read_string (at, "unit", &unit, error))
        return FALSE;
      if (*unit == '\0' || strlen (unit) >= MT_UNIT_SIZE)
        return mt_json_member_fail (at, "unit", error, "must be a short text");
      source->unit = (char *) unit;
    }
  if (!mt_json_check_members (at, members, error) || !mt_json_read_string (at, "name", &name, error) ||
      !mt_json_read_string (at, "type", &type, error))
    return FALSE;
  source->name = (char *) name;
  source->is_bound = TRUE;
  return mt_column_type_from_string (type, &source->type) ||
         mt_json_member_fail (at, "type", error, "must be number, date, category, boolean, or text");
}

/* The text decides what is computed; its columns must be the sources, in the order in which it names them. */
static gboolean
read_formula (const MtJsonCursor  *at,
              const char          *name,
              MtFormula          **formula,
              GError             **error)
{
  MtFormulaSource sources[MT_FORMULA_MAX_SOURCES] = { { NULL } };
  g_autoptr (MtFormula) read = NULL;
  g_autoptr (GError) why = NULL;
  MtJsonCursor list, item;
  const char *text;
  gboolean ok;
  guint n;

  if (!mt_json_read_string (at, "formula", &text, error) || !mt_json_member (at, "sources", MT_JSON_ARRAY, &list, error))
    return FALSE;
  read = mt_formula_new (text, &why);
  if (read == NULL)
    return mt_json_member_fail (at, "formula", error, "is not a formula: %s", why->message);
  n = mt_json_get_n_children (list.json);
  if (n != mt_formula_get_n_sources (read))
    return mt_json_member_fail (at, "sources", error, "has %u items and should have %u", n, mt_formula_get_n_sources (read));
  ok = TRUE;
  for (guint i = 0; i < n && ok; i++)
    ok = mt_json_item (&list, i, MT_JSON_OBJECT, &item, error) && read_source (&item, &sources[i], error);
  if (ok && (*formula = mt_formula_bind (read, name, sources, &why)) == NULL)
    ok = mt_json_member_fail (at, "formula", error, "does not fit its sources: %s", why->message);
  for (guint i = 0; i < n; i++)
    g_strfreev (sources[i].missing_values);
  return ok;
}

static gboolean
read_column (const MtJsonCursor *at,
             MtEncoderColumn   *column,
             GError           **error)
{
  const char *number_members[] = { "name", "type", "missing", "thresholds", "mean", "sd", "min", "max",
                                   NULL, NULL, NULL, NULL, NULL, NULL, NULL };
  const char *level_members[] = { "name", "type", "missing", "levels", "other", "rest", NULL, NULL, NULL, NULL };
  const char *name, *type;
  guint n_number = 8, n_level = 6;

  if (!mt_json_read_string (at, "name", &name, error) || !mt_json_read_string (at, "type", &type, error) ||
      !mt_json_read_boolean (at, "missing", &column->has_missing, error))
    return FALSE;
  column->name = g_strdup (name);
  if (mt_json_find (at->json, "missing_values") != NULL)
    {
      number_members[n_number++] = "missing_values";
      level_members[n_level++] = "missing_values";
      if (!mt_json_read_strings (at, "missing_values", MT_ENCODER_MAX_MISSING, &column->missing_values, error))
        return FALSE;
    }
  if (mt_json_find (at->json, "unit") != NULL)
    {
      const char *unit;

      number_members[n_number++] = "unit";
      if (!mt_json_read_string (at, "unit", &unit, error))
        return FALSE;
      column->unit = g_strdup (unit);
    }
  if (mt_json_find (at->json, "formula") != NULL)
    {
      number_members[n_number++] = level_members[n_level++] = "formula";
      number_members[n_number++] = level_members[n_level++] = "sources";
      if (!read_formula (at, name, &column->formula, error))
        return FALSE;
    }
  if (mt_json_find (at->json, "log") != NULL)
    number_members[n_number++] = "log";
  if (mt_json_find (at->json, "clipped") != NULL)
    number_members[n_number++] = "clipped";
  if (!mt_column_type_from_string (type, &column->type) || column->type == MT_TYPE_TEXT)
    return mt_json_member_fail (at, "type", error, "must be number, date, category, or boolean");
  if (column->type == MT_TYPE_NUMBER || column->type == MT_TYPE_DATE)
    return mt_json_check_members (at, number_members, error) &&
           mt_json_read_numbers (at, "thresholds", MT_ENCODER_MAX_BITS, &column->thresholds,
                                 &column->n_thresholds,
                                 error) &&
           mt_json_read_number (at, "mean", &column->mean, error) &&
           mt_json_read_number (at, "sd", &column->sd, error) &&
           mt_json_read_number (at, "min", &column->min, error) &&
           mt_json_read_number (at, "max", &column->max, error) &&
           read_shapes (at, column, error);
  return mt_json_check_members (at, level_members, error) &&
         mt_json_read_strings (at, "levels", MT_ENCODER_MAX_LEVELS, &column->levels, error) &&
         mt_json_read_boolean (at, "other", &column->has_other, error) &&
         mt_json_read_strings (at, "rest", G_MAXUINT, &column->rest, error);
}

static MtEncoder *
read_encoder (const MtJsonCursor *root,
              GError           **error)
{
  static const char * const members[] = { "columns", NULL };
  g_autofree MtEncoderColumn *columns = NULL;
  MtJsonCursor at, list, item;
  MtEncoder *encoder = NULL;
  gboolean ok = TRUE;
  guint n;

  if (!mt_json_member (root, "encoder", MT_JSON_OBJECT, &at, error) ||
      !mt_json_check_members (&at, members, error) ||
      !mt_json_member (&at, "columns", MT_JSON_ARRAY, &list, error))
    return NULL;
  n = mt_json_get_n_children (list.json);
  if (n > MT_MODEL_MAX_COLUMNS)
    {
      mt_json_cursor_fail (&list, error, "has %u items and should have at most %u", n, MT_MODEL_MAX_COLUMNS);
      return NULL;
    }
  columns = g_new0 (MtEncoderColumn, MAX (n, 1));
  for (guint i = 0; i < n && ok; i++)
    ok = mt_json_item (&list, i, MT_JSON_OBJECT, &item, error) && read_column (&item, &columns[i], error);
  if (ok)
    encoder = mt_encoder_new (columns, n, error);
  for (guint i = 0; i < n; i++)
    mt_encoder_column_clear (&columns[i]);
  return encoder;
}

/* A truth table in hexadecimal; @is_optional: null gives NULL. */
static gboolean
read_table (const MtJsonCursor *at,
            const char        *name,
            guint              n_inputs,
            gboolean           is_optional,
            guint64          **table,
            GError           **error)
{
  const MtJson *json = mt_json_find (at->json, name);
  g_autofree guint64 *words = NULL;
  MtJsonCursor place;

  *table = NULL;
  if (is_optional && json != NULL && mt_json_get_kind (json) == MT_JSON_NULL)
    return TRUE;
  if (!mt_json_member (at, name, MT_JSON_STRING, &place, error))
    return FALSE;
  words = g_new0 (guint64, mt_rule_table_words (n_inputs));
  if (!mt_truth_table_parse (n_inputs, mt_json_get_string (place.json), words, NULL))
    return mt_json_cursor_fail (&place, error, "is not the hexadecimal table of a rule with %u inputs",
                                n_inputs);
  *table = g_steal_pointer (&words);
  return TRUE;
}

static gboolean
read_cubes (const MtJsonCursor *at,
            MtCube           **cubes,
            guint             *n_cubes,
            GError           **error)
{
  static const char * const members[] = { "mask", "value", NULL };
  const guint64 most = ((guint64) 1 << MT_RULE_MAX_INPUTS) - 1;
  g_autofree MtCube *list = NULL;
  MtJsonCursor place, item;
  guint n;

  if (!mt_json_member (at, "cubes", MT_JSON_ARRAY, &place, error))
    return FALSE;
  n = mt_json_get_n_children (place.json);
  if (n > MT_RULE_MAX_CUBES)
    return mt_json_cursor_fail (&place, error, "has %u items and should have at most %d", n,
                                MT_RULE_MAX_CUBES);
  list = g_new (MtCube, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      guint64 mask, value;

      if (!mt_json_item (&place, i, MT_JSON_OBJECT, &item, error) ||
          !mt_json_check_members (&item, members, error) ||
          !mt_json_read_integer (&item, "mask", most, &mask, error) ||
          !mt_json_read_integer (&item, "value", most, &value, error))
        return FALSE;
      list[i] = (MtCube) { (guint32) mask, (guint32) value };
    }
  *cubes = g_steal_pointer (&list);
  *n_cubes = n;
  return TRUE;
}

static MtRule *
read_rule (const MtJsonCursor *at,
           const MtEncoder   *encoder,
           GError           **error)
{
  const char *members[] = {
    "kind", "text", "weights", "inputs", "cubes", "proven", "table", "impossible", "unseen", "neutral", NULL, NULL, NULL,
  };
  guint n_members = G_N_ELEMENTS (members) - 3;
  g_autoptr (MtOrigin) origin = NULL;
  g_autofree guint *inputs = NULL;
  g_autofree MtCube *cubes = NULL;
  g_autofree guint64 *table = NULL;
  guint64 *dont_cares[MT_N_DONT_CARES] = { NULL };
  g_autoptr (MtRule) rule = NULL;
  guint n_inputs = 0, n_cubes = 0;
  gboolean proven, ok;

  if (mt_json_find (at->json, "origin") != NULL)
    members[n_members++] = "origin";
  if (mt_json_find (at->json, "number") != NULL)
    members[n_members++] = "number";
  if (!mt_json_check_members (at, members, error) ||
      !mt_json_read_integers (at, "inputs", MT_RULE_MAX_INPUTS, mt_encoder_get_n_literals (encoder) - 1,
                              &inputs,
                              &n_inputs, error))
    return NULL;
  if (n_inputs == 0)
    {
      mt_json_member_fail (at, "inputs", error, "has no items");
      return NULL;
    }
  if (!read_cubes (at, &cubes, &n_cubes, error) || !mt_json_read_boolean (at, "proven", &proven, error) ||
      !read_table (at, "table", n_inputs, FALSE, &table, error))
    return NULL;
  ok = TRUE;
  for (guint d = 0; d < MT_N_DONT_CARES && ok; d++)
    ok = read_table (at, mt_model_dont_care_names[d], n_inputs, TRUE, &dont_cares[d], error);
  if (ok)
    {
      g_autoptr (GError) why = NULL;

      rule = mt_rule_new (inputs, n_inputs, cubes, n_cubes, (const guint64 **) dont_cares, proven, &why);
      if (rule == NULL)
        mt_json_cursor_fail (at, error, "is not a rule: %s", why->message);
    }
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    g_free (dont_cares[d]);
  if (rule == NULL)
    return NULL;
  if (!mt_truth_table_equal (n_inputs, table, mt_rule_get_table (rule)))
    {
      mt_json_member_fail (at, "table", error, "is not the table of the rule's cubes");
      return NULL;
    }
  if (mt_json_find (at->json, "origin") != NULL && !mt_model_read_origin (at, encoder, &origin, error))
    return NULL;
  mt_rule_set_origin (rule, origin);
  return g_steal_pointer (&rule);
}

static gboolean
read_numeric (const MtJsonCursor *at,
              const MtEncoder   *encoder,
              MtTerm            *term,
              GError           **error)
{
  static const char * const members[] = { "kind", "text", "weights", "column", NULL };
  static const char * const shaped_members[] = { "kind", "text", "weights", "column", "shape", NULL };
  gboolean has_shape = mt_json_find (at->json, "shape") != NULL;
  MtShape shape = MT_SHAPE_PLAIN;
  const char *word;
  guint64 column;

  if (!mt_json_check_members (at, has_shape ? shaped_members : members, error) ||
      !mt_json_read_integer (at, "column", mt_encoder_get_n_columns (encoder) - 1, &column, error) ||
      (has_shape && !mt_json_read_string (at, "shape", &word, error)))
    return FALSE;
  if (has_shape && (!mt_shape_from_string (word, &shape) || shape == MT_SHAPE_PLAIN))
    return mt_json_member_fail (at, "shape", error, "must be log or clipped");
  for (guint u = 0; u < mt_encoder_get_n_numeric (encoder); u++)
    {
      const MtUnary *unary = mt_encoder_get_numeric (encoder, u);

      if (unary->column == column && unary->shape == shape)
        {
          term->is_numeric = TRUE;
          term->numeric = u;
          return TRUE;
        }
    }
  if (has_shape)
    return mt_json_member_fail (at, "shape", error, "is one that its column does not have");
  return mt_json_member_fail (at, "column", error, "is a column without a linear term");
}

/* Written only where it is not the rule's place among the rules. */
static gboolean
read_rule_number (const MtJsonCursor *at,
                  guint              place,
                  guint             *number,
                  GError           **error)
{
  guint64 value;

  *number = place;
  if (mt_json_find (at->json, "number") == NULL)
    return TRUE;
  if (!mt_json_read_integer (at, "number", MT_MODEL_MAX_NUMBER, &value, error))
    return FALSE;
  if (value == 0)
    return mt_json_member_fail (at, "number", error, "must be at least 1");
  if (value == place)
    return mt_json_member_fail (at, "number", error, "is the place of the rule, which is the default and not written");
  *number = (guint) value;
  return TRUE;
}

/* @n_rules: the rules before it, and with it. */
static gboolean
read_term (const MtJsonCursor *at,
           const MtEncoder   *encoder,
           guint              n_outputs,
           guint             *n_rules,
           MtTerm            *term,
           GError           **error)
{
  g_autofree char *expected = NULL;
  const char *kind, *text;
  guint n_weights;

  if (!mt_json_read_string (at, "kind", &kind, error) || !mt_json_read_string (at, "text", &text, error) ||
      !mt_json_read_numbers (at, "weights", MT_MAX_OUTPUTS, &term->weights, &n_weights, error))
    return FALSE;
  if (n_weights != n_outputs)
    return mt_json_member_fail (at, "weights", error, "has %u items and should have %u", n_weights,
                                n_outputs);
  if (strcmp (kind, "number") == 0)
    {
      if (!read_numeric (at, encoder, term, error))
        return FALSE;
    }
  else if (strcmp (kind, "rule") == 0)
    {
      term->rule = read_rule (at, encoder, error);
      if (term->rule == NULL || !read_rule_number (at, ++*n_rules, &term->number, error))
        return FALSE;
    }
  else
    return mt_json_member_fail (at, "kind", error, "must be number or rule");

  /* The text decides nothing, but a person may have read it. */
  expected = mt_term_dup_text (term, encoder);
  if (strcmp (text, expected) != 0)
    return mt_json_member_fail (at, "text", error, "does not match the term: %s", expected);
  return TRUE;
}

static gboolean
check_complexity (const MtJsonCursor *root,
                  const MtRuleSet   *rules,
                  GError           **error)
{
  guint64 complexity;

  if (!mt_json_read_integer (root, "complexity", G_MAXUINT64, &complexity, error))
    return FALSE;
  if (complexity != mt_rule_set_get_complexity (rules))
    return mt_json_member_fail (root, "complexity", error, "should be %u",
                                mt_rule_set_get_complexity (rules));
  return TRUE;
}

static MtRuleSet *
read_rules (const MtJsonCursor *root,
            const MtEncoder   *encoder,
            GError           **error)
{
  g_autofree double *bias = NULL;
  g_autofree MtTerm *terms = NULL;
  g_autoptr (GError) why = NULL;
  MtRuleSet *rules = NULL;
  MtJsonCursor at, item;
  const char *word;
  MtTask task;
  guint n_outputs, n, n_rules = 0;
  gboolean ok = TRUE;

  if (!mt_json_read_string (root, "task", &word, error) ||
      !mt_json_read_numbers (root, "bias", MT_MAX_OUTPUTS, &bias, &n_outputs, error) ||
      !mt_json_member (root, "terms", MT_JSON_ARRAY, &at, error))
    return NULL;
  if (!mt_task_from_string (word, &task))
    {
      mt_json_member_fail (root, "task", error, "must be binary, multiclass, or regression");
      return NULL;
    }
  n = mt_json_get_n_children (at.json);
  if (n > MT_MODEL_MAX_TERMS)
    {
      mt_json_cursor_fail (&at, error, "has %u items and should have at most %u", n, MT_MODEL_MAX_TERMS);
      return NULL;
    }
  terms = g_new0 (MtTerm, MAX (n, 1));
  for (guint i = 0; i < n && ok; i++)
    ok = mt_json_item (&at, i, MT_JSON_OBJECT, &item, error) &&
         read_term (&item, encoder, n_outputs, &n_rules, &terms[i], error);
  if (ok)
    {
      rules = mt_rule_set_new (task, n_outputs, bias, terms, n, &why);
      if (rules == NULL)
        mt_json_cursor_fail (&at, error, "do not make a model: %s", why->message);
    }
  for (guint i = 0; i < n; i++)
    {
      mt_rule_unref (terms[i].rule);
      g_free (terms[i].weights);
    }
  if (rules != NULL && mt_json_find (root->json, "cutoff") != NULL)
    {
      MtRuleSet *cut = NULL;
      double cutoff;

      if (mt_json_read_number (root, "cutoff", &cutoff, error) &&
          (cutoff != MT_CUTOFF || mt_json_member_fail (root, "cutoff", error, "is 0.5, which is the default and not written")))
        {
          cut = mt_rule_set_with_cutoff (rules, cutoff, &why);
          if (cut == NULL)
            mt_json_member_fail (root, "cutoff", error, "is wrong: %s", why->message);
        }
      mt_rule_set_unref (rules);
      rules = cut;
    }
  if (rules != NULL && !check_complexity (root, rules, error))
    g_clear_pointer (&rules, mt_rule_set_unref);
  return rules;
}

static gboolean
read_metrics (const MtJsonCursor *root,
              GArray            *metrics,
              GError           **error)
{
  static const char * const plain[] = { "part", "name", "value", NULL };
  static const char * const with_interval[] = { "part", "name", "value", "low", "high", NULL };
  MtJsonCursor list, item;

  if (!mt_json_member (root, "metrics", MT_JSON_ARRAY, &list, error))
    return FALSE;
  for (guint i = 0; i < mt_json_get_n_children (list.json); i++)
    {
      MtModelMetric metric = { NULL };
      const char *name;

      if (!mt_json_item (&list, i, MT_JSON_OBJECT, &item, error))
        return FALSE;
      metric.has_interval = mt_json_find (item.json, "low") != NULL;
      if (!mt_json_check_members (&item, metric.has_interval ? with_interval : plain, error) ||
          !mt_json_read_string (&item, "part", &metric.part, error) ||
          !mt_json_read_string (&item, "name", &name, error) ||
          !mt_json_read_number (&item, "value", &metric.value, error) ||
          (metric.has_interval && (!mt_json_read_number (&item, "low", &metric.low, error) ||
                                   !mt_json_read_number (&item, "high", &metric.high, error))))
        return FALSE;
      if (!mt_metric_from_string (name, &metric.metric))
        return mt_json_member_fail (&item, "name", error, "is not the name of a metric");
      g_array_append_val (metrics, metric);
    }
  return TRUE;
}

static gboolean
read_settings (const MtJsonCursor *root,
               GArray            *settings,
               GError           **error)
{
  MtJsonCursor at;

  if (!mt_json_member (root, "settings", MT_JSON_OBJECT, &at, error))
    return FALSE;
  for (guint i = 0; i < mt_json_get_n_children (at.json); i++)
    {
      const MtJson *json = mt_json_get_child (at.json, i);
      MtModelSetting setting = { mt_json_get_name (at.json, i) };
      MtJsonCursor place = { &at, setting.name, 0, json };

      switch (mt_json_get_kind (json))
        {
        case MT_JSON_NUMBER:
          setting.kind = MT_SETTING_NUMBER;
          setting.number = mt_json_get_number (json);
          break;
        case MT_JSON_STRING:
          setting.kind = MT_SETTING_TEXT;
          setting.text = mt_json_get_string (json);
          break;
        case MT_JSON_BOOLEAN:
          setting.kind = MT_SETTING_BOOLEAN;
          setting.boolean = mt_json_get_boolean (json);
          break;
        default:
          return mt_json_cursor_fail (&place, error, "must be a number, a string, or true or false");
        }
      g_array_append_val (settings, setting);
    }
  return TRUE;
}

/* A whole number, or null where @is_optional. */
static gboolean
read_count (const MtJsonCursor *at,
            const char        *name,
            gboolean           is_optional,
            guint64           *value,
            GError           **error)
{
  const MtJson *json = mt_json_find (at->json, name);

  *value = MT_MODEL_NOT_COUNTED;
  if (is_optional && json != NULL && mt_json_get_kind (json) == MT_JSON_NULL)
    return TRUE;
  return mt_json_read_integer (at, name, MT_MODEL_NOT_COUNTED - 1, value, error);
}

static gboolean
read_info (const MtJsonCursor *root,
           MtModelInfo       *info,
           char            ***classes,
           GError           **error)
{
  static const char * const fidelity_members[] = { "train_differ", "test_differ", NULL };
  static const char * const provenance_members[] = {
    "version", "engine", "data_sha256", "rows", "train_rows", "test_rows", "seed", NULL,
  };
  MtJsonCursor fidelity, provenance;

  if (!mt_json_read_string (root, "target", &info->target, error) ||
      !mt_json_read_strings (root, "classes", MT_MAX_OUTPUTS, classes, error) ||
      !mt_json_read_string (root, "dont_care", &info->dont_care, error) ||
      !mt_json_member (root, "fidelity", MT_JSON_OBJECT, &fidelity, error) ||
      !mt_json_check_members (&fidelity, fidelity_members, error) ||
      !read_count (&fidelity, "train_differ", TRUE, &info->train_differ, error) ||
      !read_count (&fidelity, "test_differ", TRUE, &info->test_differ, error) ||
      !mt_json_member (root, "provenance", MT_JSON_OBJECT, &provenance, error) ||
      !mt_json_check_members (&provenance, provenance_members, error) ||
      !mt_json_read_string (&provenance, "version", &info->version, error) ||
      !mt_json_read_string (&provenance, "engine", &info->engine, error) ||
      !read_count (&provenance, "rows", FALSE, &info->n_rows, error) ||
      !read_count (&provenance, "train_rows", FALSE, &info->n_train, error) ||
      !read_count (&provenance, "test_rows", FALSE, &info->n_test, error) ||
      !mt_json_read_integer (&provenance, "seed", G_MAXUINT64, &info->seed, error))
    return FALSE;
  info->classes = (const char * const *) *classes;
  info->data_sha256 = NULL;
  return mt_json_get_kind (mt_json_find (provenance.json, "data_sha256")) == MT_JSON_NULL ||
         mt_json_read_string (&provenance, "data_sha256", &info->data_sha256, error);
}

/* NULL when the file does not say: the usual ones. */
static gboolean
read_tokens (const MtJsonCursor   *root,
             char              ***tokens,
             GError             **error)
{
  if (mt_json_find (root->json, "missing_tokens") == NULL)
    return TRUE;
  if (!mt_json_read_strings (root, "missing_tokens", MT_MODEL_MAX_TOKENS, tokens, error))
    return FALSE;
  if (g_strv_equal ((const char * const *) *tokens, mt_missing_get_default_tokens ()))
    return mt_json_cursor_fail (root, error, "has \"missing_tokens\" that equal the default; omit the member "
                                             "instead");
  return TRUE;
}

static gboolean
read_target_missing (const MtJsonCursor   *root,
                     char              ***texts,
                     GError             **error)
{
  return mt_json_find (root->json, "target_missing") == NULL ||
         mt_json_read_strings (root, "target_missing", MT_ENCODER_MAX_MISSING, texts, error);
}

static gboolean
read_reasons (const MtJsonCursor *root,
              GArray            *reasons,
              GError           **error)
{
  static const char * const members[] = { "term", "text", NULL };
  MtJsonCursor at, item;

  if (mt_json_find (root->json, "reasons") == NULL)
    return TRUE;
  if (!mt_json_member (root, "reasons", MT_JSON_ARRAY, &at, error))
    return FALSE;
  if (mt_json_get_n_children (at.json) == 0 || mt_json_get_n_children (at.json) > MT_MODEL_MAX_TERMS)
    return mt_json_cursor_fail (&at, error, "must contain 1 to %u reasons, or be omitted", MT_MODEL_MAX_TERMS);
  for (guint i = 0; i < mt_json_get_n_children (at.json); i++)
    {
      MtModelReason reason;

      if (!mt_json_item (&at, i, MT_JSON_OBJECT, &item, error) || !mt_json_check_members (&item, members, error) ||
          !mt_json_read_string (&item, "term", &reason.term, error) ||
          !mt_json_read_string (&item, "text", &reason.text, error))
        return FALSE;
      g_array_append_val (reasons, reason);
    }
  return TRUE;
}

static gboolean
read_edits (const MtJsonCursor *root,
            GArray            *edits,
            GError           **error)
{
  MtJsonCursor at;

  return mt_json_find (root->json, "edits") == NULL ||
         (mt_json_member (root, "edits", MT_JSON_ARRAY, &at, error) && mt_edit_records_read (&at, edits, error));
}

MtModel *
mt_model_from_json (const char  *json,
                    gsize        length,
                    GError     **error)
{
  static const char * const optional[] = { "cutoff", "constraints", "missing_tokens", "target_missing", "reasons", "edits" };
  const char *members[16 + G_N_ELEMENTS (optional)] = {
    "format", "format_version", "task", "target", "classes", "complexity", "dont_care", "bias", "terms",
    "encoder", "metrics", "fidelity", "settings", "provenance", "checksum",
  };
  guint n_members = g_strv_length ((char **) members);
  g_autoptr (MtJson) document = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GArray) metrics = g_array_new (FALSE, FALSE, sizeof (MtModelMetric));
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (MtModelSetting));
  g_autoptr (GArray) reasons = g_array_new (FALSE, FALSE, sizeof (MtModelReason));
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (MtEditRecord));
  g_auto (GStrv) classes = NULL;
  g_auto (GStrv) tokens = NULL;
  g_auto (GStrv) target_missing = NULL;
  MtModelInfo info = { NULL };
  MtModel *model;
  g_autoptr (MtConstraints) constraints = NULL;
  MtJsonCursor root, at;

  if (length > MT_MODEL_MAX_BYTES)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("the model is larger than %u MB"),
                   MT_MODEL_MAX_BYTES >> 20);
      return NULL;
    }
  document = mt_json_parse (json, (gssize) length, error);
  if (document == NULL)
    return NULL;
  root = mt_json_cursor_root (document);
  for (gsize i = 0; i < G_N_ELEMENTS (optional); i++)
    if (mt_json_get_kind (document) == MT_JSON_OBJECT && mt_json_find (document, optional[i]) != NULL)
      members[n_members++] = optional[i];
  /* The version first: a newer one may have another seal. */
  if (!check_format (&root, error) || !check_seal (json, length, error) ||
      !mt_json_check_members (&root, members, error))
    return NULL;
  encoder = read_encoder (&root, error);
  if (encoder == NULL)
    return NULL;
  rules = read_rules (&root, encoder, error);
  if (rules == NULL || !read_info (&root, &info, &classes, error) || !read_metrics (&root, metrics, error) ||
      !read_settings (&root, settings, error))
    return NULL;
  if (mt_json_find (document, "constraints") != NULL)
    {
      if (!mt_json_member (&root, "constraints", MT_JSON_OBJECT, &at, error))
        return NULL;
      constraints = mt_constraints_read (&at, error);
      if (constraints == NULL)
        return NULL;
      if (mt_constraints_is_empty (constraints))
        {
          mt_json_cursor_fail (&at, error, "is empty; omit the member instead");
          return NULL;
        }
    }
  if (!read_tokens (&root, &tokens, error) || !read_target_missing (&root, &target_missing, error) ||
      !read_reasons (&root, reasons, error) || !read_edits (&root, edits, error))
    return NULL;
  info.edits = (const MtEditRecord *) (gpointer) edits->data;
  info.n_edits = edits->len;
  info.missing_tokens = (const char * const *) tokens;
  info.target_missing = (const char * const *) target_missing;
  info.reasons = (const MtModelReason *) (gpointer) reasons->data;
  info.n_reasons = reasons->len;
  info.constraints = constraints;
  info.metrics = (const MtModelMetric *) (gpointer) metrics->data;
  info.n_metrics = metrics->len;
  info.settings = (const MtModelSetting *) (gpointer) settings->data;
  info.n_settings = settings->len;
  model = mt_model_new (encoder, rules, &info, error);
  if (model != NULL && mt_model_get_info (model)->n_reasons != reasons->len)
    {
      g_clear_pointer (&model, mt_model_unref);
      mt_json_cursor_fail (&root, error, "has reasons for terms that do not exist");
    }
  return model;
}

MtModel *
mt_model_load (const char  *path,
               GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) about = NULL;
  g_autofree char *json = NULL;
  g_autofree char *shown = g_filename_display_name (path);
  MtModel *model;
  gsize length;

  about = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                             G_FILE_QUERY_INFO_NONE, NULL, error);
  if (about == NULL)
    return NULL;
  if (g_file_info_get_file_type (about) != G_FILE_TYPE_REGULAR)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                   _("%s is not a file; a model cannot be read from it"),
                   shown);
      return NULL;
    }
  if (g_file_info_get_size (about) > MT_MODEL_MAX_BYTES)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("%s is larger than %u MB, too large for a model"), shown,
                   MT_MODEL_MAX_BYTES >> 20);
      return NULL;
    }
  if (!g_file_load_contents (file, NULL, &json, &length, NULL, error))
    return NULL;
  model = mt_model_from_json (json, length, error);
  if (model == NULL)
    g_prefix_error (error, _("%s cannot be read as a model: "), shown);
  return model;
}
