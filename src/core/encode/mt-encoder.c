/* The encoder as a value: its columns, and the literals, groups and unary terms that
 * follow from them. Fitting is in mt-encoder-fit.c, encoding in mt-encoder-apply.c, text in
 * mt-literal-text.c; all of them go through the public header.
 *
 * Everything derives from the columns, so the columns are all that a file has to store, and
 * mt_encoder_new() is the one place that decides whether they make sense. */
#include "config.h"
#include "mt-encoder.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-math.h"
#include "logic/mt-truth-table.h"
#include "data/mt-missing.h"

/* All arrays but the columns are derived from them by mt_encoder_new(). Column i is group i; its literals are
 * neighbors in `literals`. A unary term is a literal, or one shape of a numeric column; `numeric` leads from the
 * number of a numeric column of MtEncoded to its unary term. */
struct _MtEncoder {
  gatomicrefcount  ref_count;
  MtEncoderColumn *columns;
  MtGroup         *groups;      /* n_columns */
  guint            n_columns;
  MtLiteral       *literals;
  guint            n_literals;
  MtUnary         *unary;
  guint            n_unary;
  guint            n_numeric;
  guint           *numeric;       /* n_numeric: which unary term */
};

static gboolean
is_number_like (const MtEncoderColumn *column)
{
  return column->type == MT_TYPE_NUMBER || column->type == MT_TYPE_DATE;
}

static guint
count_levels (const MtEncoderColumn *column)
{
  return column->levels != NULL ? g_strv_length (column->levels) : 0;
}

/* As add_literals() makes them. */
static guint
count_literals (const MtEncoderColumn *column)
{
  guint n = is_number_like (column) ? column->n_thresholds
                                    : count_levels (column) + (column->has_other ? 1 : 0);

  return n + (column->has_missing ? 1 : 0);
}

void
mt_encoder_column_clear (MtEncoderColumn *column)
{
  g_clear_pointer (&column->name, g_free);
  g_clear_pointer (&column->thresholds, g_free);
  g_clear_pointer (&column->levels, g_strfreev);
  g_clear_pointer (&column->rest, g_strfreev);
  g_clear_pointer (&column->missing_values, g_strfreev);
  g_clear_pointer (&column->unit, g_free);
  g_clear_pointer (&column->formula, mt_formula_unref);
}

/* Is @value one of those that count as missing in this column (999, −1, …), or NaN? */
gboolean
mt_encoder_column_lacks_number (const MtEncoderColumn *column,
                                double                 value)
{
  double missing;

  for (guint i = 0; column->missing_values != NULL && column->missing_values[i] != NULL; i++)
    if (mt_missing_get_token_value (column->missing_values[i], column->type, &missing) && missing == value)
      return TRUE;
  return isnan (value);
}

gboolean
mt_encoder_column_lacks_level (const MtEncoderColumn *column,
                               const char            *level)
{
  return level == NULL ||
         (column->missing_values != NULL &&
          mt_missing_is_token (level, strlen (level), (const char * const *) column->missing_values));
}

/* --- validation --- */

static gboolean
wrong (GError     **error,
       guint        column,
       const char  *format,
       ...) G_GNUC_PRINTF (3, 4);

/* Sets an error that begins with the field: encoder.columns[column].… */
static gboolean
wrong (GError     **error,
       guint        column,
       const char  *format,
       ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "encoder.columns[%u].%s", column, what);
  return FALSE;
}

/* Everything that the rest of the program relies on: thresholds strictly ascending and finite, so that codes are
 * unique; finite moments; shapes only where there is an sd. A model file may come from anywhere, so every member
 * is checked here, and the message names it. */
static gboolean
check_numbers (const MtEncoderColumn *column,
               guint                  index,
               GError               **error)
{
  const struct { const char *name; double value; } numbers[] = {
    { "mean", column->mean }, { "sd", column->sd }, { "min", column->min }, { "max", column->max },
    { "log.mean", column->log.mean }, { "log.sd", column->log.sd }, { "log.center", column->log.center },
    { "clipped.mean", column->clipped.mean }, { "clipped.sd", column->clipped.sd },
    { "clipped.low", column->clipped.low }, { "clipped.high", column->clipped.high },
  };

  if (column->n_thresholds > MT_ENCODER_MAX_BITS)
    return wrong (error, index, "thresholds: %u are more than the %d allowed", column->n_thresholds,
                  MT_ENCODER_MAX_BITS);
  for (guint i = 0; i < column->n_thresholds; i++)
    {
      if (!isfinite (column->thresholds[i]))
        return wrong (error, index, "thresholds[%u] is not a finite number", i);
      if (column->thresholds[i] == -DBL_MAX)
        return wrong (error, index, "thresholds[%u] is at or below every number", i);
      if (i > 0 && !(column->thresholds[i - 1] < column->thresholds[i]))
        return wrong (error, index, "thresholds[%u] is not above the one before it", i);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!isfinite (numbers[i].value))
      return wrong (error, index, "%s is not a finite number", numbers[i].name);
  if (column->sd < 0)
    return wrong (error, index, "sd is negative");
  if (column->log.sd < 0)
    return wrong (error, index, "log.sd is negative");
  if (column->clipped.sd < 0)
    return wrong (error, index, "clipped.sd is negative");
  if (column->clipped.low > column->clipped.high)
    return wrong (error, index, "clipped.low is above clipped.high");
  if ((column->log.sd > 0 || column->clipped.sd > 0) && !(column->type == MT_TYPE_NUMBER && column->sd > 0))
    return wrong (error, index, "%s: only a column of numbers with an sd has shapes", column->log.sd > 0 ? "log" : "clipped");
  if (column->min > column->max)
    return wrong (error, index, "min is above max");
  return TRUE;
}

/* Adds the levels to @seen; each may stand in a column once. */
static gboolean
check_level_list (const MtEncoderColumn *column,
                  char                 **levels,
                  const char            *field,
                  GHashTable            *seen,
                  guint                  index,
                  GError               **error)
{
  for (guint i = 0; levels != NULL && levels[i] != NULL; i++)
    {
      if (!g_utf8_validate (levels[i], -1, NULL))
        return wrong (error, index, "%s[%u] is not valid UTF-8", field, i);
      if (!g_hash_table_add (seen, levels[i]))
        return wrong (error, index, "%s[%u] occurs twice", field, i);
      if (mt_encoder_column_lacks_level (column, levels[i]))
        return wrong (error, index, "%s[%u] is a value that counts as missing", field, i);
    }
  return TRUE;
}

/* Each at most once, and at most MT_ENCODER_MAX_MISSING of them. */
static gboolean
check_missing_values (const MtEncoderColumn *column,
                      guint                  index,
                      GError               **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = column->missing_values != NULL ? g_strv_length (column->missing_values) : 0;

  if (column->missing_values != NULL && n == 0)
    return wrong (error, index, "missing_values is empty; omit the member instead");
  if (n > MT_ENCODER_MAX_MISSING)
    return wrong (error, index, "missing_values: %u are more than the %d allowed", n, MT_ENCODER_MAX_MISSING);
  for (guint i = 0; i < n; i++)
    {
      if (!g_utf8_validate (column->missing_values[i], -1, NULL))
        return wrong (error, index, "missing_values[%u] is not valid UTF-8", i);
      if (!g_hash_table_add (seen, column->missing_values[i]))
        return wrong (error, index, "missing_values[%u] occurs twice", i);
    }
  return TRUE;
}

/* A level may stand in the column once, be it kept or in the rest. */
static gboolean
check_levels (const MtEncoderColumn *column,
              guint                  index,
              GError               **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (count_levels (column) > MT_ENCODER_MAX_LEVELS)
    return wrong (error, index, "levels: %u are more than the %d allowed", count_levels (column),
                  MT_ENCODER_MAX_LEVELS);
  return check_level_list (column, column->levels, "levels", seen, index, error) &&
         check_level_list (column, column->rest, "rest", seen, index, error);
}

/* A column's name is what finds it in another table: it must be there, and unique. */
static gboolean
check_column (const MtEncoderColumn *column,
              guint                  index,
              GHashTable            *names,
              GError               **error)
{
  if (column->name == NULL || !g_utf8_validate (column->name, -1, NULL))
    return wrong (error, index, "name is not valid UTF-8 text");
  if (!g_hash_table_add (names, column->name))
    return wrong (error, index, "name is the name of another column too");
  if (column->unit != NULL && (column->type != MT_TYPE_NUMBER || *column->unit == '\0' || strlen (column->unit) >= MT_UNIT_SIZE ||
                               !g_utf8_validate (column->unit, -1, NULL)))
    return wrong (error, index, "unit must be a short text in a column of numbers");
  if (!check_missing_values (column, index, error))
    return FALSE;
  if (column->formula != NULL && (column->missing_values != NULL || column->unit != NULL))
    return wrong (error, index, "formula: a derived column has no missing values or unit of its own");
  if (column->formula != NULL && !(mt_formula_get_source (column->formula, 0)->is_bound &&
                                   mt_formula_get_type (column->formula) == column->type))
    return wrong (error, index, "formula does not give a column of this type");
  if (is_number_like (column))
    {
      if (!check_numbers (column, index, error))
        return FALSE;
    }
  else if (column->type == MT_TYPE_CATEGORY || column->type == MT_TYPE_BOOLEAN)
    {
      if (!check_levels (column, index, error))
        return FALSE;
    }
  else
    return wrong (error, index, "type must be number, date, category, or boolean");
  if (count_literals (column) == 0)
    return wrong (error, index, "name: the column has no condition");
  return TRUE;
}

/* A column of the file means the same thing to every formula and to the model, and no formula reads a derived column. */
static gboolean
check_sources (const MtEncoderColumn *columns,
               guint                  n_columns,
               GError               **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_columns; i++)
    g_hash_table_insert (known, columns[i].name, (gpointer) &columns[i]);
  for (guint i = 0; i < n_columns; i++)
    for (guint k = 0; columns[i].formula != NULL && k < mt_formula_get_n_sources (columns[i].formula); k++)
      {
        const MtFormulaSource *source = mt_formula_get_source (columns[i].formula, k);
        const MtEncoderColumn *other = g_hash_table_lookup (known, source->name);

        if (other != NULL && (other->formula != NULL || other->type != source->type))
          return wrong (error, i, "formula: “%s” is another kind of column in the model", source->name);
      }
  return TRUE;
}

/* --- making --- */

/* A deep copy; the encoder owns all of its columns. */
static MtEncoderColumn
copy_column (const MtEncoderColumn *column)
{
  MtEncoderColumn copy = { g_strdup (column->name), column->type, column->has_missing };

  if (is_number_like (column))
    {
      copy.thresholds = g_memdup2 (column->thresholds, column->n_thresholds * sizeof (double));
      copy.n_thresholds = column->n_thresholds;
      copy.mean = column->mean;
      copy.sd = column->sd;
      copy.min = column->min;
      copy.max = column->max;
      copy.log = column->log;
      copy.clipped = column->clipped;
    }
  else
    {
      copy.levels = column->levels != NULL ? g_strdupv (column->levels) : g_new0 (char *, 1);
      copy.rest = column->rest != NULL ? g_strdupv (column->rest) : g_new0 (char *, 1);
      copy.has_other = column->has_other;
    }
  copy.missing_values = g_strdupv (column->missing_values);
  copy.unit = g_strdup (column->unit);
  copy.formula = mt_formula_ref (column->formula);
  return copy;
}

/* The literals of one column, in the order of their codes: thresholds ascending or levels, then "other", then
 * "missing". The numbers of the literals in the whole encoder follow from this order, so files depend on it. */
static void
add_literals (const MtEncoderColumn *column,
              guint                  index,
              GArray                *literals)
{
  MtLiteral literal = { MT_LITERAL_AT_LEAST, index, index, 0, NULL };

  for (guint i = 0; i < column->n_thresholds; i++)
    {
      literal.threshold = column->thresholds[i];
      g_array_append_val (literals, literal);
    }
  literal.threshold = 0;
  literal.kind = MT_LITERAL_LEVEL;
  for (guint i = 0; i < count_levels (column); i++)
    {
      literal.level = column->levels[i];
      g_array_append_val (literals, literal);
    }
  literal.level = NULL;
  if (column->has_other)
    {
      literal.kind = MT_LITERAL_OTHER;
      g_array_append_val (literals, literal);
    }
  if (column->has_missing)
    {
      literal.kind = MT_LITERAL_MISSING;
      g_array_append_val (literals, literal);
    }
}

guint
mt_encoder_column_get_shapes (const MtEncoderColumn *column,
                              MtShape                shapes[MT_N_SHAPES])
{
  guint n = 0;

  if (column->levels != NULL || !(column->sd > 0))
    return 0;
  shapes[n++] = MT_SHAPE_PLAIN;
  if (column->log.sd > 0)
    shapes[n++] = MT_SHAPE_LOG;
  if (column->clipped.sd > 0)
    shapes[n++] = MT_SHAPE_CLIPPED;
  return n;
}

/* The value of one shape of a number. Infinity counts as the end of the training range, so no
 * product with a weight is infinite. The logarithm is symmetric around the center, log₂ (1 +
 * |distance|) with the sign of the distance: it also takes values below zero. Around 0, the numbers
 * 1, 3, 7 and −7 become 1, 2, 3 and −3: one unit is one doubling.
 *
 * NaN (missing) stays NaN; standardize() tests for it first. */
double
mt_encoder_column_shape (const MtEncoderColumn *column,
                         MtShape                shape,
                         double                 value)
{
  double distance;

  if (isinf (value))
    value = value < 0 ? column->min : column->max;
  switch (shape)
    {
    case MT_SHAPE_LOG:
      distance = value - column->log.center;
      return copysign (mt_log1p (fabs (distance)) * M_LOG2E, distance);
    case MT_SHAPE_CLIPPED:
      return CLAMP (value, column->clipped.low, column->clipped.high);
    case MT_SHAPE_PLAIN:
    case MT_N_SHAPES:
    default:
      return value;
    }
}

static const char * const shape_words[] = { "plain", "log", "clipped" };

const char *
mt_shape_to_string (MtShape shape)
{
  g_return_val_if_fail (shape < MT_N_SHAPES, NULL);
  return shape_words[shape];
}

gboolean
mt_shape_from_string (const char *text,
                      MtShape    *shape)
{
  for (guint i = 0; i < MT_N_SHAPES; i++)
    if (g_str_equal (text, shape_words[i]))
      {
        *shape = (MtShape) i;
        return TRUE;
      }
  return FALSE;
}

/* A number in its shapes; of a category every literal, a missing one being a level like another. */
static void
add_unary (MtEncoder *self,
           guint      index,
           GArray    *unary)
{
  const MtEncoderColumn *column = &self->columns[index];
  MtUnary term = { index, TRUE };

  if (is_number_like (column))
    {
      MtShape shapes[MT_N_SHAPES];
      guint n_shapes = mt_encoder_column_get_shapes (column, shapes);

      for (guint i = 0; i < n_shapes; i++)
        {
          term.shape = shapes[i];
          term.numeric = self->n_numeric++;
          term.mean = shapes[i] == MT_SHAPE_LOG ? column->log.mean : shapes[i] == MT_SHAPE_CLIPPED ? column->clipped.mean : column->mean;
          term.sd = shapes[i] == MT_SHAPE_LOG ? column->log.sd : shapes[i] == MT_SHAPE_CLIPPED ? column->clipped.sd : column->sd;
          g_array_append_val (unary, term);
        }
      return;
    }
  term.is_numeric = FALSE;
  for (guint i = 0; i < self->groups[index].n_literals; i++)
    {
      term.literal = self->groups[index].first_literal + i;
      g_array_append_val (unary, term);
    }
}

/* The columns are checked and copied, then groups, literals and unary terms are made in their order. The same
 * columns always give the same numbers, so a model file need only store the columns. */
MtEncoder *
mt_encoder_new (const MtEncoderColumn *columns,
                guint                  n_columns,
                GError               **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (MtLiteral));
  g_autoptr (GArray) unary = g_array_new (FALSE, FALSE, sizeof (MtUnary));
  MtEncoder *self;

  if (n_columns == 0)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, "encoder.columns is empty");
      return NULL;
    }
  for (guint i = 0; i < n_columns; i++)
    if (!check_column (&columns[i], i, names, error))
      return NULL;
  if (!check_sources (columns, n_columns, error))
    return NULL;

  self = g_new0 (MtEncoder, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_columns = n_columns;
  self->columns = g_new (MtEncoderColumn, n_columns);
  self->groups = g_new0 (MtGroup, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      MtGroup *group = &self->groups[i];

      self->columns[i] = copy_column (&columns[i]);
      group->kind = is_number_like (&columns[i]) ? MT_GROUP_THERMOMETER : MT_GROUP_ONE_HOT;
      group->column = i;
      group->first_literal = literals->len;
      add_literals (&self->columns[i], i, literals);
      group->n_literals = literals->len - group->first_literal;
      group->has_missing = columns[i].has_missing;
      add_unary (self, i, unary);
    }
  self->n_literals = literals->len;
  self->literals = (MtLiteral *) (gpointer) g_array_free (g_steal_pointer (&literals), FALSE);
  self->n_unary = unary->len;
  self->unary = (MtUnary *) (gpointer) g_array_free (g_steal_pointer (&unary), FALSE);
  self->numeric = g_new (guint, MAX (self->n_numeric, 1));
  for (guint i = 0; i < self->n_unary; i++)
    if (self->unary[i].is_numeric)
      self->numeric[self->unary[i].numeric] = i;
  return self;
}

MtEncoder *
mt_encoder_ref (MtEncoder *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_encoder_unref (MtEncoder *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->n_columns; i++)
    mt_encoder_column_clear (&self->columns[i]);
  g_free (self->columns);
  g_free (self->groups);
  g_free (self->literals);
  g_free (self->unary);
  g_free (self->numeric);
  g_free (self);
}

static gboolean
same_texts (char **a,
            char **b)
{
  return a == b || (a != NULL && b != NULL && g_strv_equal ((const char * const *) a, (const char * const *) b));
}

static gboolean
column_equal (const MtEncoderColumn *a,
              const MtEncoderColumn *b)
{
  if (strcmp (a->name, b->name) != 0 || a->type != b->type || a->has_missing != b->has_missing ||
      !same_texts (a->missing_values, b->missing_values) || g_strcmp0 (a->unit, b->unit) != 0 ||
      !mt_formula_equal (a->formula, b->formula))
    return FALSE;
  if (!is_number_like (a))
    return a->has_other == b->has_other &&
           g_strv_equal ((const char * const *) a->levels, (const char * const *) b->levels) &&
           g_strv_equal ((const char * const *) a->rest, (const char * const *) b->rest);
  if (a->n_thresholds != b->n_thresholds || a->mean != b->mean || a->sd != b->sd || a->min != b->min ||
      a->max != b->max || a->log.mean != b->log.mean || a->log.sd != b->log.sd || a->log.center != b->log.center ||
      a->clipped.mean != b->clipped.mean || a->clipped.sd != b->clipped.sd || a->clipped.low != b->clipped.low ||
      a->clipped.high != b->clipped.high)
    return FALSE;
  for (guint i = 0; i < a->n_thresholds; i++)
    if (a->thresholds[i] != b->thresholds[i])
      return FALSE;
  return TRUE;
}

gboolean
mt_encoder_equal (const MtEncoder *a,
                  const MtEncoder *b)
{
  if (a->n_columns != b->n_columns)
    return FALSE;
  for (guint i = 0; i < a->n_columns; i++)
    if (!column_equal (&a->columns[i], &b->columns[i]))
      return FALSE;
  return TRUE;
}

/* --- reading --- */

guint
mt_encoder_get_n_columns (const MtEncoder *self)
{
  return self->n_columns;
}

const MtEncoderColumn *
mt_encoder_get_column (const MtEncoder *self,
                       guint            column)
{
  g_return_val_if_fail (column < self->n_columns, NULL);
  return &self->columns[column];
}

const char *
mt_encoder_get_column_name (const MtEncoder *self,
                            guint            column)
{
  g_return_val_if_fail (column < self->n_columns, NULL);
  return self->columns[column].name;
}

MtColumnType
mt_encoder_get_column_type (const MtEncoder *self,
                            guint            column)
{
  g_return_val_if_fail (column < self->n_columns, MT_TYPE_TEXT);
  return self->columns[column].type;
}

guint
mt_encoder_get_n_literals (const MtEncoder *self)
{
  return self->n_literals;
}

const MtLiteral *
mt_encoder_get_literal (const MtEncoder *self,
                        guint            literal)
{
  g_return_val_if_fail (literal < self->n_literals, NULL);
  return &self->literals[literal];
}

const MtGroup *
mt_encoder_get_groups (const MtEncoder *self)
{
  return self->groups;
}

guint
mt_encoder_get_n_unary (const MtEncoder *self)
{
  return self->n_unary;
}

const MtUnary *
mt_encoder_get_unary (const MtEncoder *self,
                      guint            index)
{
  g_return_val_if_fail (index < self->n_unary, NULL);
  return &self->unary[index];
}

guint
mt_encoder_get_n_numeric (const MtEncoder *self)
{
  return self->n_numeric;
}

/* The raw value at which a numeric term adds nothing. A term is weight × (shape (x) − mean) / sd,
 * so that is where shape (x) = mean. Plain and clipped give x = mean. The logarithm has to be
 * turned round: with d = x − center, sign (d) log₂ (1 + |d|) = mean gives |d| = 2^|mean| − 1 with
 * the sign of the mean. */
double
mt_encoder_get_zero (const MtEncoder *self,
                     const MtUnary   *unary)
{
  if (unary->shape != MT_SHAPE_LOG)
    return unary->mean;
  return self->columns[unary->column].log.center + copysign (exp2 (fabs (unary->mean)) - 1, unary->mean);
}

const MtUnary *
mt_encoder_get_numeric (const MtEncoder *self,
                        guint            numeric)
{
  g_return_val_if_fail (numeric < self->n_numeric, NULL);
  return &self->unary[self->numeric[numeric]];
}

/* --- what excludes what --- */

gboolean
mt_encoder_code_is_possible (const MtEncoder *self,
                             guint            group,
                             guint            code)
{
  g_return_val_if_fail (group < self->n_columns, FALSE);
  g_return_val_if_fail (code < mt_group_get_n_codes (&self->groups[group]), FALSE);

  return code > 0 || !self->columns[group].has_other || !self->columns[group].has_missing;
}

/* Word @word of the truth table of @variable. */
static guint64
variable_word (guint variable,
               gsize word)
{
  if (variable < 6)
    return mt_truth_table_inputs[variable];
  return (word >> (variable - 6)) & 1 ? ~G_GUINT64_CONSTANT (0) : 0;
}

/* The patterns that the inputs of @group (the set bits of @members) show under its possible codes,
 * each once. A pattern has input i's value at bit i. Returns their number, ≤ 255.
 *
 * Of m inputs, thresholds show m + 1 patterns (those below the value are true, those above false),
 * levels show m (one of them is true) and one more if a code is left that makes none of them true.
 * So the list is short although the group may have 255 codes, and comparing each new pattern with
 * all before it is quick. */
static guint
list_patterns (const MtEncoder *self,
               guint            group,
               const guint     *literals,
               guint32          members,
               guint32          patterns[MT_GROUP_MAX_LITERALS + 1])
{
  const MtGroup *g = &self->groups[group];
  guint n = 0;

  for (guint code = 0; code < mt_group_get_n_codes (g); code++)
    {
      guint32 pattern = 0;
      guint i;

      if (!mt_encoder_code_is_possible (self, group, code))
        continue;
      for (guint32 rest = members; rest != 0; rest &= rest - 1)
        {
          guint input = (guint) __builtin_ctz (rest);

          if (mt_group_literal_is_true (g, literals[input] - g->first_literal, code))
            pattern |= 1u << input;
        }
      for (i = 0; i < n && patterns[i] != pattern; i++)
        ;
      if (i == n)
        patterns[n++] = pattern;
    }
  return n;
}

/* A row is free to choose the code of each group, so an assignment is possible iff each group can
 * show its part of it. Per group: the OR over its patterns of the AND over its inputs; whatever no
 * pattern of the group gives is impossible.
 *
 * An example with three inputs: x0 is Age ≥ 30, x1 is Age ≥ 50, x2 is Color = "red". The group Age
 * shows x0 x1 = 00, 10 and 11, but never 01. So the assignments 2 (x1 alone) and 6 (x1 and x2) are
 * impossible, and the word is 0100 0100 in bits, 0x44. Color alone excludes nothing: x2 may be
 * either.
 *
 * Cost: for each group, words × patterns × inputs of the group; one word up to 6 inputs, 1,024 at
 * 16. */
void
mt_encoder_impossible (const MtEncoder *self,
                       const guint     *literals,
                       guint            n_literals,
                       guint64         *words)
{
  gsize n_words = mt_truth_table_n_words (n_literals);
  guint64 used = mt_truth_table_last_mask (n_literals);
  guint32 done = 0;

  g_return_if_fail (n_literals <= MT_ENCODER_MAX_INPUTS);
  for (guint i = 0; i < n_literals; i++)
    g_return_if_fail (literals[i] < self->n_literals);

  memset (words, 0, n_words * sizeof (guint64));
  for (guint first = 0; first < n_literals; first++)
    {
      guint group = self->literals[literals[first]].group;
      guint32 patterns[MT_GROUP_MAX_LITERALS + 1];
      guint32 members = 0;
      guint n_patterns;

      if (done & (1u << first))
        continue;
      for (guint i = first; i < n_literals; i++)
        if (self->literals[literals[i]].group == group)
          members |= 1u << i;
      done |= members;

      n_patterns = list_patterns (self, group, literals, members, patterns);
      for (gsize w = 0; w < n_words; w++)
        {
          guint64 possible = 0;

          for (guint p = 0; p < n_patterns; p++)
            {
              guint64 holds = ~G_GUINT64_CONSTANT (0);

              for (guint32 rest = members; rest != 0; rest &= rest - 1)
                {
                  guint input = (guint) __builtin_ctz (rest);
                  guint64 variable = variable_word (input, w);

                  holds &= (patterns[p] >> input) & 1 ? variable : ~variable;
                }
              possible |= holds;
            }
          words[w] |= ~possible & used;
        }
    }
}
