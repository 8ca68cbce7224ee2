/* Edits as a model's file has them. Which members one has depends on its kind; none is believed. */
#include "config.h"
#include "mt-edit.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "mt-model.h"

/* --- writing --- */

/* Condition ids that are asked to be true, and those that are asked to be false. */
static void
write_conditions (const MtEdit *edit,
                  MtJsonWriter *writer)
{
  for (guint negated = 0; negated < 2; negated++)
    {
      mt_json_writer_key (writer, negated ? "conditions_false" : "conditions_true");
      mt_json_writer_begin_row (writer);
      for (guint i = 0; i < edit->n_literals; i++)
        if ((edit->negated >> i & 1) == negated)
          mt_json_writer_integer (writer, edit->literals[i]);
      mt_json_writer_end_array (writer);
    }
}

static void
write_edit (const MtEditRecord *record,
            MtJsonWriter       *writer)
{
  const MtEdit *edit = &record->edit;

  switch (edit->kind)
    {
    case MT_EDIT_DROP_RULE:
    case MT_EDIT_DROP_TERM:
    case MT_EDIT_DROP_INPUT:
      mt_json_writer_member_integer (writer, "term", edit->term);
      mt_json_writer_member_string (writer, "text", record->rule);
      if (edit->kind != MT_EDIT_DROP_RULE)
        {
          mt_json_writer_member_integer (writer, edit->kind == MT_EDIT_DROP_TERM ? "cube" : "input",
                                         edit->part);
          mt_json_writer_member_string (writer, "part", record->part);
        }
      break;
    case MT_EDIT_MERGE_THRESHOLDS:
      mt_json_writer_member_string (writer, "column", edit->column);
      mt_json_writer_member_number (writer, "from", edit->from);
      mt_json_writer_member_number (writer, "to", edit->to);
      break;
    case MT_EDIT_ROUND_WEIGHTS:
      mt_json_writer_member_integer (writer, edit->points > 0 ? "points" : "decimals",
                                     edit->points > 0 ? edit->points : edit->decimals);
      break;
    case MT_EDIT_FORBID_COLUMN:
      mt_json_writer_member_string (writer, "column", edit->column);
      break;
    case MT_EDIT_SET_CUTOFF:
      mt_json_writer_member_number (writer, "from", edit->from);
      mt_json_writer_member_number (writer, "to", edit->to);
      break;
    case MT_EDIT_SET_WEIGHT:
      mt_json_writer_member_integer (writer, "term", edit->term);
      mt_json_writer_member_string (writer, "text", record->rule);
      mt_json_writer_member_integer (writer, "output", edit->part);
      mt_json_writer_member_number (writer, "from", edit->from);
      mt_json_writer_member_number (writer, "to", edit->to);
      break;
    case MT_EDIT_SET_THRESHOLD:
      mt_json_writer_member_integer (writer, "term", edit->term);
      mt_json_writer_member_string (writer, "text", record->rule);
      mt_json_writer_member_integer (writer, "input", edit->part);
      mt_json_writer_member_string (writer, "part", record->part);
      mt_json_writer_member_number (writer, "from", edit->from);
      mt_json_writer_member_number (writer, "to", edit->to);
      break;
    case MT_EDIT_ADD_RULE:
      write_conditions (edit, writer);
      mt_json_writer_member_string (writer, "text", record->rule);
      mt_json_writer_member_integer (writer, "output", edit->part);
      mt_json_writer_member_number (writer, "to", edit->to);
      break;
    case MT_EDIT_REFIT:
    case MT_N_EDITS:
    default:
      break;
    }
  if (record->number > 0)
    mt_json_writer_member_integer (writer, "number", record->number);
}

void
mt_edit_records_write (const MtEditRecord *records,
                       guint               n_records,
                       MtJsonWriter       *writer)
{
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < n_records; i++)
    {
      const MtEditRecord *record = &records[i];

      mt_json_writer_begin_object (writer);
      mt_json_writer_member_string (writer, "kind", mt_edit_kind_to_string (record->edit.kind));
      write_edit (record, writer);
      mt_json_writer_member_string (writer, "reason", record->reason);
      if (record->by != NULL)
        mt_json_writer_member_string (writer, "by", record->by);
      if (record->made != 0)
        mt_json_writer_member_integer (writer, "made", (guint64) record->made);
      mt_json_writer_member_integer (writer, "literals_before", record->literals_before);
      mt_json_writer_member_integer (writer, "literals_after", record->literals_after);
      mt_json_writer_key (writer, "validation");
      if (record->is_judged)
        {
          mt_json_writer_begin_object_row (writer);
          mt_json_writer_member_string (writer, "metric", mt_metric_to_string (record->metric));
          mt_json_writer_member_number (writer, "before", record->before);
          mt_json_writer_member_number (writer, "after", record->after);
          mt_json_writer_member_number (writer, "after_se", record->after_se);
          mt_json_writer_member_number (writer, "difference_se", record->difference_se);
          mt_json_writer_end_object (writer);
        }
      else
        mt_json_writer_string (writer, NULL);
      mt_json_writer_end_object (writer);
    }
  mt_json_writer_end_array (writer);
}

/* --- reading --- */

static gboolean
check_members (const MtJsonCursor *at,
               MtEditKind         kind,
               gboolean           has_points,
               GError           **error)
{
  static const char * const own[MT_N_EDITS][7] = {
    [MT_EDIT_DROP_RULE] = { "term", "text" },
    [MT_EDIT_DROP_TERM] = { "term", "text", "cube", "part" },
    [MT_EDIT_DROP_INPUT] = { "term", "text", "input", "part" },
    [MT_EDIT_MERGE_THRESHOLDS] = { "column", "from", "to" },
    [MT_EDIT_ROUND_WEIGHTS] = { "decimals" },
    [MT_EDIT_FORBID_COLUMN] = { "column" },
    [MT_EDIT_REFIT] = { NULL },
    [MT_EDIT_SET_CUTOFF] = { "from", "to" },
    [MT_EDIT_SET_WEIGHT] = { "term", "text", "output", "from", "to" },
    [MT_EDIT_SET_THRESHOLD] = { "term", "text", "input", "part", "from", "to" },
    [MT_EDIT_ADD_RULE] = { "conditions_true", "conditions_false", "text", "output", "to" },
  };
  static const char * const common[] = { "kind", "reason", "literals_before", "literals_after", "validation" };
  static const char * const optional[] = { "by", "made", "number" };
  const char *members[G_N_ELEMENTS (common) + G_N_ELEMENTS (optional) + 7] = { NULL };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (common); i++)
    members[n++] = common[i];
  for (guint i = 0; i < G_N_ELEMENTS (optional); i++)
    if (mt_json_find (at->json, optional[i]) != NULL)
      members[n++] = optional[i];
  for (guint i = 0; own[kind][i] != NULL; i++)
    members[n++] = kind == MT_EDIT_ROUND_WEIGHTS && has_points ? "points" : own[kind][i];
  return mt_json_check_members (at, members, error);
}

static gboolean
read_count (const MtJsonCursor *at,
            const char        *name,
            guint              most,
            guint             *value,
            GError           **error)
{
  guint64 number;

  if (!mt_json_read_integer (at, name, most, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

/* Appends them to those of @edit. */
static gboolean
read_conditions (const MtJsonCursor *at,
                 const char         *name,
                 gboolean            negated,
                 MtEdit             *edit,
                 GError            **error)
{
  g_autofree guint *literals = NULL;
  MtJsonCursor list;
  guint n;

  if (!mt_json_member (at, name, MT_JSON_ARRAY, &list, error))
    return FALSE;
  if (mt_json_get_n_children (list.json) + edit->n_literals > MT_EDIT_MAX_CONDITIONS)
    return mt_json_cursor_fail (&list, error, "has too many items: a rule that is added has at most %u conditions",
                                MT_EDIT_MAX_CONDITIONS);
  if (!mt_json_read_integers (at, name, MT_EDIT_MAX_CONDITIONS, G_MAXINT32, &literals, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      edit->literals[edit->n_literals] = literals[i];
      edit->negated |= (negated ? 1u : 0u) << edit->n_literals++;
    }
  return TRUE;
}

static gboolean
read_edit (const MtJsonCursor *at,
           gboolean           has_points,
           MtEditRecord      *record,
           GError           **error)
{
  MtEdit *edit = &record->edit;

  switch (edit->kind)
    {
    case MT_EDIT_DROP_RULE:
    case MT_EDIT_DROP_TERM:
    case MT_EDIT_DROP_INPUT:
      return read_count (at, "term", MT_MODEL_MAX_TERMS - 1, &edit->term, error) &&
             mt_json_read_string (at, "text", &record->rule, error) &&
             (edit->kind != MT_EDIT_DROP_TERM || read_count (at, "cube", MT_RULE_MAX_CUBES - 1, &edit->part, error)) &&
             (edit->kind != MT_EDIT_DROP_INPUT ||
              read_count (at, "input", MT_RULE_MAX_INPUTS - 1, &edit->part, error)) &&
             (edit->kind == MT_EDIT_DROP_RULE || mt_json_read_string (at, "part", &record->part, error));
    case MT_EDIT_MERGE_THRESHOLDS:
      return mt_json_read_string (at, "column", &edit->column, error) &&
             mt_json_read_number (at, "from", &edit->from, error) && mt_json_read_number (at, "to", &edit->to, error);
    case MT_EDIT_ROUND_WEIGHTS:
      if (!has_points)
        return read_count (at, "decimals", MT_EDIT_MAX_DECIMALS, &edit->decimals, error);
      if (!read_count (at, "points", MT_EDIT_MAX_POINTS, &edit->points, error))
        return FALSE;
      return edit->points > 0 || mt_json_member_fail (at, "points", error, "must be at least 1");
    case MT_EDIT_FORBID_COLUMN:
      return mt_json_read_string (at, "column", &edit->column, error);
    case MT_EDIT_SET_CUTOFF:
      return mt_json_read_number (at, "from", &edit->from, error) && mt_json_read_number (at, "to", &edit->to, error);
    case MT_EDIT_SET_WEIGHT:
      return read_count (at, "term", MT_MODEL_MAX_TERMS - 1, &edit->term, error) &&
             mt_json_read_string (at, "text", &record->rule, error) &&
             read_count (at, "output", MT_MAX_OUTPUTS - 1, &edit->part, error) &&
             mt_json_read_number (at, "from", &edit->from, error) && mt_json_read_number (at, "to", &edit->to, error);
    case MT_EDIT_SET_THRESHOLD:
      return read_count (at, "term", MT_MODEL_MAX_TERMS - 1, &edit->term, error) &&
             mt_json_read_string (at, "text", &record->rule, error) &&
             read_count (at, "input", MT_RULE_MAX_INPUTS - 1, &edit->part, error) &&
             mt_json_read_string (at, "part", &record->part, error) &&
             mt_json_read_number (at, "from", &edit->from, error) && mt_json_read_number (at, "to", &edit->to, error);
    case MT_EDIT_ADD_RULE:
      return read_conditions (at, "conditions_true", FALSE, edit, error) &&
             read_conditions (at, "conditions_false", TRUE, edit, error) &&
             mt_json_read_string (at, "text", &record->rule, error) &&
             read_count (at, "output", MT_MAX_OUTPUTS - 1, &edit->part, error) &&
             mt_json_read_number (at, "to", &edit->to, error);
    case MT_EDIT_REFIT:
    case MT_N_EDITS:
    default:
      return TRUE;
    }
}

static gboolean
read_signature (const MtJsonCursor *at,
                MtEditRecord      *record,
                GError           **error)
{
  guint64 made = 0;

  if (mt_json_find (at->json, "by") != NULL && !mt_json_read_string (at, "by", &record->by, error))
    return FALSE;
  if (mt_json_find (at->json, "number") != NULL &&
      (!read_count (at, "number", MT_MODEL_MAX_NUMBER, &record->number, error) ||
       (record->number == 0 && !mt_json_member_fail (at, "number", error, "must be at least 1"))))
    return FALSE;
  if (mt_json_find (at->json, "made") != NULL && !mt_json_read_integer (at, "made", MT_EDIT_LAST_MOMENT, &made, error))
    return FALSE;
  record->made = (gint64) made;
  return TRUE;
}

static gboolean
read_validation (const MtJsonCursor *at,
                 MtEditRecord      *record,
                 GError           **error)
{
  static const char * const members[] = { "metric", "before", "after", "after_se", "difference_se", NULL };
  MtJsonCursor place;
  const char *name;

  if (mt_json_get_kind (mt_json_find (at->json, "validation")) == MT_JSON_NULL)
    return TRUE;
  if (!mt_json_member (at, "validation", MT_JSON_OBJECT, &place, error) ||
      !mt_json_check_members (&place, members, error) ||
      !mt_json_read_string (&place, "metric", &name, error) ||
      !mt_json_read_number (&place, "before", &record->before, error) ||
      !mt_json_read_number (&place, "after", &record->after, error) ||
      !mt_json_read_number (&place, "after_se", &record->after_se, error) ||
      !mt_json_read_number (&place, "difference_se", &record->difference_se, error))
    return FALSE;
  if (!mt_metric_from_string (name, &record->metric))
    return mt_json_member_fail (&place, "metric", error, "is not the name of a metric");
  if (record->after_se < 0)
    return mt_json_member_fail (&place, "after_se", error, "must not be negative");
  if (record->difference_se < 0)
    return mt_json_member_fail (&place, "difference_se", error, "must not be negative");
  record->is_judged = TRUE;
  return TRUE;
}

static gboolean
read_record (const MtJsonCursor *at,
             MtEditRecord      *record,
             GError           **error)
{
  gboolean has_points = mt_json_find (at->json, "points") != NULL;
  const char *kind;

  if (!mt_json_read_string (at, "kind", &kind, error))
    return FALSE;
  if (!mt_edit_kind_from_string (kind, &record->edit.kind))
    return mt_json_member_fail (at, "kind", error, "is not the name of an edit");
  if (!check_members (at, record->edit.kind, has_points, error) ||
      !read_edit (at, has_points, record, error) ||
      !mt_json_read_string (at, "reason", &record->reason, error) ||
      !read_signature (at, record, error) ||
      !read_count (at, "literals_before", G_MAXINT32, &record->literals_before, error) ||
      !read_count (at, "literals_after", G_MAXINT32, &record->literals_after, error))
    return FALSE;
  return read_validation (at, record, error);
}

gboolean
mt_edit_records_read (const MtJsonCursor  *list,
                      GArray             *records,
                      GError            **error)
{
  guint n = mt_json_get_n_children (list->json);

  if (n == 0 || n > MT_EDIT_MAX_EDITS)
    return mt_json_cursor_fail (list, error, "must contain 1 to %u edits, or be omitted", MT_EDIT_MAX_EDITS);
  for (guint i = 0; i < n; i++)
    {
      MtEditRecord record = { .edit = { 0 } };
      MtJsonCursor item;

      if (!mt_json_item (list, i, MT_JSON_OBJECT, &item, error) || !read_record (&item, &record, error))
        return FALSE;
      g_array_append_val (records, record);
    }
  return TRUE;
}

/* --- what only together makes sense --- */

static gboolean
wrong (GError    **error,
       guint       index,
       const char *field,
       const char *what)
{
  g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "edits[%u].%s %s", index, field, what);
  return FALSE;
}

static int
find_column (const MtEncoder *encoder,
             const char      *name)
{
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    if (strcmp (mt_encoder_get_column_name (encoder, i), name) == 0)
      return (int) i;
  return -1;
}

static gboolean
has_threshold (const MtEncoder *encoder,
               guint            column,
               double           threshold)
{
  const MtEncoderColumn *about = mt_encoder_get_column (encoder, column);

  for (guint i = 0; i < about->n_thresholds; i++)
    if (about->thresholds[i] == threshold)
      return TRUE;
  return FALSE;
}

/* Only a rule that is added brings a column back. */
static gboolean
is_brought_back (const MtEditRecord *later,
                 guint               n_later,
                 const MtEncoder    *encoder,
                 guint               column)
{
  for (guint i = 0; i < n_later; i++)
    for (guint k = 0; later[i].edit.kind == MT_EDIT_ADD_RULE && k < later[i].edit.n_literals; k++)
      if (later[i].edit.literals[k] < mt_encoder_get_n_literals (encoder) &&
          mt_encoder_get_literal (encoder, later[i].edit.literals[k])->column == column)
        return TRUE;
  return FALSE;
}

static gboolean
uses_column (const MtEncoder *encoder,
             const MtRuleSet *rules,
             guint            column)
{
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric && mt_encoder_get_numeric (encoder, term->numeric)->column == column)
        return TRUE;
      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        if (mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column == column)
          return TRUE;
    }
  return FALSE;
}

/* @n_later: records that follow it. */
static gboolean
check_column (const MtEditRecord *record,
              guint               index,
              guint               n_later,
              const MtEncoder    *encoder,
              const MtRuleSet    *rules,
              GError            **error)
{
  const MtEdit *edit = &record->edit;
  int column;

  if (edit->kind != MT_EDIT_MERGE_THRESHOLDS && edit->kind != MT_EDIT_FORBID_COLUMN)
    return TRUE;
  column = find_column (encoder, edit->column);
  if (column < 0)
    return wrong (error, index, "column", "is not an encoded column");
  if (edit->kind == MT_EDIT_FORBID_COLUMN)
    return !uses_column (encoder, rules, (guint) column) ||
           is_brought_back (record + 1, n_later, encoder, (guint) column) ||
           wrong (error, index, "column", "was excluded, but a term uses it");
  if (!has_threshold (encoder, (guint) column, edit->from))
    return wrong (error, index, "from", "is not a threshold of the column");
  return has_threshold (encoder, (guint) column, edit->to) ||
         wrong (error, index, "to", "is not a threshold of the column");
}

static gboolean
check_conditions (const MtEdit     *edit,
                  guint             index,
                  const MtEncoder  *encoder,
                  GError          **error)
{
  if (edit->n_literals == 0)
    return wrong (error, index, "conditions_true", "and conditions_false are both empty");
  for (guint i = 0; i < edit->n_literals; i++)
    {
      const char *field = edit->negated >> i & 1 ? "conditions_false" : "conditions_true";

      if (edit->literals[i] >= mt_encoder_get_n_literals (encoder))
        return wrong (error, index, field, "has a condition that the encoder does not have");
      for (guint k = 0; k < i; k++)
        if (edit->literals[k] == edit->literals[i])
          return wrong (error, index, field, "has a condition that appears twice");
    }
  return TRUE;
}

static gboolean
is_said (const char *text)
{
  return text != NULL && *text != '\0' && g_utf8_validate (text, -1, NULL);
}

gboolean
mt_edit_records_check (const MtEditRecord  *records,
                       guint                n_records,
                       const MtEncoder     *encoder,
                       const MtRuleSet     *rules,
                       GError             **error)
{
  MtTask task = mt_rule_set_get_task (rules);

  for (guint i = 0; i < n_records; i++)
    {
      const MtEditRecord *record = &records[i];

      if (!is_said (record->reason) || strlen (record->reason) > MT_EDIT_MAX_REASON)
        return wrong (error, i, "reason", "must not be empty or longer than 4000 bytes");
      if (record->by != NULL && (!is_said (record->by) || strlen (record->by) > MT_EDIT_MAX_NAME))
        return wrong (error, i, "by", "must not be empty or longer than 1024 bytes");
      if (record->made < 0 || record->made > MT_EDIT_LAST_MOMENT)
        return wrong (error, i, "made", "is not a valid time");
      if ((mt_edit_kind_is_of_term (record->edit.kind) || record->edit.kind == MT_EDIT_ADD_RULE) && !is_said (record->rule))
        return wrong (error, i, "text", "must say something");
      if (record->number > 0 && !mt_edit_kind_is_of_term (record->edit.kind) && record->edit.kind != MT_EDIT_ADD_RULE)
        return wrong (error, i, "number", "is for a rule, but this edit does not change one");
      if ((record->edit.kind == MT_EDIT_SET_WEIGHT || record->edit.kind == MT_EDIT_ADD_RULE) &&
          record->edit.part >= mt_rule_set_get_n_outputs (rules))
        return wrong (error, i, "output", "is not a score of the model");
      if (record->edit.kind == MT_EDIT_ADD_RULE && !check_conditions (&record->edit, i, encoder, error))
        return FALSE;
      if ((record->edit.kind == MT_EDIT_DROP_TERM || record->edit.kind == MT_EDIT_DROP_INPUT ||
           record->edit.kind == MT_EDIT_SET_THRESHOLD) && !is_said (record->part))
        return wrong (error, i, "part", "must say something");
      if (record->edit.kind == MT_EDIT_SET_CUTOFF && task != MT_TASK_BINARY)
        return wrong (error, i, "kind", "is for a cutoff, which only a model of two classes has");
      if (record->edit.kind == MT_EDIT_SET_CUTOFF && !(record->edit.from > 0 && record->edit.from < 1))
        return wrong (error, i, "from", "must be above 0 and below 1");
      if (record->edit.kind == MT_EDIT_SET_CUTOFF && !(record->edit.to > 0 && record->edit.to < 1))
        return wrong (error, i, "to", "must be above 0 and below 1");
      if (!check_column (record, i, n_records - i - 1, encoder, rules, error))
        return FALSE;
      if (record->is_judged && !mt_metric_is_defined (record->metric, task))
        return wrong (error, i, "validation.metric", "is not a metric of such a model");
      if (i > 0 && record->literals_before != records[i - 1].literals_after)
        return wrong (error, i, "literals_before", "does not match the edit before it");
    }
  if (n_records > 0 && records[n_records - 1].literals_after != mt_rule_set_get_complexity (rules))
    return wrong (error, n_records - 1, "literals_after", "is not the size of the model");
  return TRUE;
}
