/* What if a row were different? One row of raw values under a model: what it scores, what each term adds,
 * and the smallest change of one or two columns that makes the answer another. See mt-what-if.h. */
#include "config.h"
#include "mt-what-if.h"

#include <math.h>
#include <string.h>

#include "encode/mt-encoder.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-what-if-private.h"

/* --- values --- */

static void
clear_value (gpointer data)
{
  g_clear_pointer (&((MtRawValue *) data)->level, g_free);
}

static GArray *
new_values (guint n_columns)
{
  GArray *values = g_array_sized_new (FALSE, TRUE, sizeof (MtRawValue), n_columns);

  g_array_set_clear_func (values, clear_value);
  g_array_set_size (values, n_columns);
  for (guint i = 0; i < n_columns; i++)
    g_array_index (values, MtRawValue, i).is_missing = TRUE;
  return values;
}

void
mt_raw_values_set (GArray           *values,
                   guint             column,
                   const MtRawValue *value)
{
  MtRawValue *own;
  MtRawValue copy;

  g_return_if_fail (column < values->len);
  own = &g_array_index (values, MtRawValue, column);
  copy = (MtRawValue) { value->is_missing, value->number, g_strdup (value->level) };
  clear_value (own);
  *own = copy;
}

GArray *
mt_raw_values_copy (const GArray *values)
{
  GArray *copy = new_values (values->len);

  for (guint i = 0; i < values->len; i++)
    mt_raw_values_set (copy, i, &g_array_index (values, MtRawValue, i));
  return copy;
}

/* The cell of a column that the encoder does not have. FALSE: it is not known. */
static gboolean
read_outside (const MtTable  *table,
              gsize           row,
              const char     *name,
              double         *number,
              char          **text)
{
  const MtColumn *column = table != NULL ? mt_table_find_column (table, name, NULL) : NULL;

  if (column == NULL || row >= mt_table_get_n_rows (table))
    return FALSE;
  if (mt_column_is_missing (column, row))
    return TRUE;
  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    *number = mt_column_get_number (column, row);
  else
    *text = mt_column_dup_text (column, row);
  return TRUE;
}

static void
derive_value (GArray          *values,
              const MtEncoder *encoder,
              guint            derived,
              const MtTable   *table,
              gsize            row)
{
  const MtFormula *formula = mt_encoder_get_column (encoder, derived)->formula;
  g_auto (GStrv) texts = g_new0 (char *, MT_FORMULA_MAX_SOURCES + 1);
  g_autofree const char **borrowed = g_new0 (const char *, MT_FORMULA_MAX_SOURCES + 1);
  double numbers[MT_FORMULA_MAX_SOURCES];
  MtRawValue value = { .is_missing = TRUE };
  gboolean is_known = TRUE;

  for (guint k = 0; k < mt_formula_get_n_sources (formula) && is_known; k++)
    {
      const char *name = mt_formula_get_source (formula, k)->name;
      guint c = 0;

      numbers[k] = NAN;
      while (c < mt_encoder_get_n_columns (encoder) && strcmp (mt_encoder_get_column_name (encoder, c), name) != 0)
        c++;
      if (c == mt_encoder_get_n_columns (encoder))
        {
          g_autofree char *text = NULL;

          is_known = read_outside (table, row, name, &numbers[k], &text);
          borrowed[k] = texts[k] = g_steal_pointer (&text);
        }
      else
        {
          const MtRawValue *source = &g_array_index (values, MtRawValue, c);

          if (mt_raw_value_is_missing (source, mt_encoder_get_column (encoder, c)))
            continue;
          numbers[k] = source->number;
          borrowed[k] = source->level;
        }
    }
  if (is_known && mt_formula_get_levels (formula) != NULL)
    {
      int level = mt_formula_get_level (formula, numbers, borrowed);

      value = (MtRawValue) { level < 0, 0, level < 0 ? NULL : (char *) mt_formula_get_levels (formula)[level] };
    }
  else if (is_known)
    {
      value.number = mt_formula_get_number (formula, numbers);
      value.is_missing = isnan (value.number);
    }
  if (is_known)
    mt_raw_values_set (values, derived, &value);
  for (guint k = 0; k < MT_FORMULA_MAX_SOURCES; k++)   /* there may be gaps in the list */
    g_clear_pointer (&texts[k], g_free);
}

void
mt_raw_values_derive (GArray          *values,
                      const MtEncoder *encoder,
                      guint            column,
                      const MtTable   *table,
                      gsize            row)
{
  const char *changed = mt_encoder_get_column_name (encoder, column);

  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtFormula *formula = mt_encoder_get_column (encoder, i)->formula;
      gboolean reads = FALSE;

      for (guint k = 0; formula != NULL && k < mt_formula_get_n_sources (formula); k++)
        reads |= strcmp (mt_formula_get_source (formula, k)->name, changed) == 0;
      if (reads)
        derive_value (values, encoder, i, table, row);
    }
}

gboolean
mt_raw_value_is_missing (const MtRawValue      *value,
                         const MtEncoderColumn *column)
{
  return value->is_missing || (column->levels != NULL ? mt_encoder_column_lacks_level (column, value->level)
                                                      : mt_encoder_column_lacks_number (column, value->number));
}

/* The table's column for each of the encoder's; the encoder says what does not fit. */
static const MtColumn **
find_columns (const MtEncoder  *encoder,
              const MtTable    *table,
              GError          **error)
{
  guint n_columns = mt_encoder_get_n_columns (encoder);
  g_autofree const MtColumn **columns = g_new0 (const MtColumn *, n_columns + 1);
  g_autoptr (MtEncoded) fits = mt_encoder_apply (encoder, table, (const guint32[]) { 0 }, 0, NULL, error);

  if (fits == NULL)
    return NULL;
  for (guint i = 0; i < n_columns; i++)
    columns[i] = mt_table_find_column (table, mt_encoder_get_column_name (encoder, i), NULL);
  return g_steal_pointer (&columns);
}

GArray *
mt_raw_values_new_from_row (const MtEncoder  *encoder,
                            const MtTable    *table,
                            gsize             row,
                            GError          **error)
{
  g_autofree const MtColumn **columns = NULL;
  GArray *values;

  g_return_val_if_fail (row < mt_table_get_n_rows (table), NULL);
  columns = find_columns (encoder, table, error);
  if (columns == NULL)
    return NULL;
  values = new_values (mt_encoder_get_n_columns (encoder));
  for (guint i = 0; i < values->len; i++)
    {
      MtRawValue *value = &g_array_index (values, MtRawValue, i);

      value->is_missing = mt_column_is_missing (columns[i], row);
      if (value->is_missing)
        continue;
      if (mt_encoder_get_column (encoder, i)->levels != NULL)
        value->level = mt_column_dup_text (columns[i], row);
      else
        value->number = mt_column_get_number (columns[i], row);
    }
  return values;
}

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
find_median (const MtColumn *column,
             const guint32  *rows,
             gsize           n_rows,
             MtRawValue     *value)
{
  g_autofree double *numbers = g_new (double, MAX (n_rows, 1));
  gsize n = 0;

  for (gsize r = 0; r < n_rows; r++)
    {
      gsize row = rows != NULL ? rows[r] : r;

      if (!mt_column_is_missing (column, row))
        numbers[n++] = mt_column_get_number (column, row);
    }
  value->is_missing = n == 0;
  if (n == 0)
    return;
  qsort (numbers, n, sizeof *numbers, compare_numbers);
  value->number = numbers[(n - 1) / 2];
}

/* Of equals the level that comes first in the rows. */
static void
find_mode (const MtColumn *column,
           const guint32  *rows,
           gsize           n_rows,
           MtRawValue     *value)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize most = 0;

  for (gsize r = 0; r < n_rows; r++)
    {
      gsize row = rows != NULL ? rows[r] : r;
      char *level;

      if (mt_column_is_missing (column, row))
        continue;
      level = mt_column_dup_text (column, row);
      g_hash_table_insert (counts, level, GSIZE_TO_POINTER (GPOINTER_TO_SIZE (g_hash_table_lookup (counts, level)) + 1));
    }
  for (gsize r = 0; r < n_rows; r++)
    {
      gsize row = rows != NULL ? rows[r] : r;
      g_autofree char *level = NULL;
      gsize count;

      if (mt_column_is_missing (column, row))
        continue;
      level = mt_column_dup_text (column, row);
      count = GPOINTER_TO_SIZE (g_hash_table_lookup (counts, level));
      if (count > most)
        {
          most = count;
          value->is_missing = FALSE;
          g_free (value->level);
          value->level = g_steal_pointer (&level);
        }
    }
}

GArray *
mt_raw_values_new_typical (const MtEncoder  *encoder,
                           const MtTable    *table,
                           const guint32    *rows,
                           gsize             n_rows,
                           GError          **error)
{
  g_autofree const MtColumn **columns = NULL;
  GArray *values;

  if (table != NULL && (columns = find_columns (encoder, table, error)) == NULL)
    return NULL;
  if (table != NULL && rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  values = new_values (mt_encoder_get_n_columns (encoder));
  for (guint i = 0; i < values->len; i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);
      MtRawValue *value = &g_array_index (values, MtRawValue, i);

      if (columns != NULL && mt_column_get_n_missing (columns[i]) == mt_column_get_n_rows (columns[i]))
        continue;
      if (columns != NULL && column->levels != NULL)
        find_mode (columns[i], rows, n_rows, value);
      else if (columns != NULL)
        find_median (columns[i], rows, n_rows, value);
      else
        *value = (MtRawValue) { FALSE, column->mean, column->levels != NULL ? g_strdup (column->levels[0]) : NULL };
    }
  return values;
}

/* How far the cell is from the middle one of its column. */
static double
find_distance (const MtColumn        *cells,
               const MtEncoderColumn *column,
               const MtRawValue      *middle,
               gsize                  row)
{
  g_autofree char *level = NULL;

  if (mt_column_is_missing (cells, row) || middle->is_missing)
    return mt_column_is_missing (cells, row) != middle->is_missing;
  if (column->levels == NULL)
    return fabs (mt_column_get_number (cells, row) - middle->number) / (column->sd > 0 ? column->sd : 1);
  if (mt_column_get_store (cells) == MT_STORE_CODES)
    return g_strcmp0 (mt_column_get_level (cells, mt_column_get_code (cells, row)), middle->level) != 0;
  level = mt_column_dup_text (cells, row);
  return g_strcmp0 (level, middle->level) != 0;
}

gsize
mt_raw_values_find_typical (const MtEncoder  *encoder,
                            const MtTable    *table,
                            const guint32    *rows,
                            gsize             n_rows,
                            GError          **error)
{
  g_autoptr (GArray) middle = mt_raw_values_new_typical (encoder, table, rows, n_rows, error);
  g_autofree const MtColumn **columns = middle != NULL ? find_columns (encoder, table, error) : NULL;
  gsize best = G_MAXSIZE;
  double least = INFINITY;

  if (columns == NULL)
    return G_MAXSIZE;
  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  for (gsize r = 0; r < n_rows; r++)
    {
      double distance = 0;

      for (guint i = 0; i < middle->len && distance < least; i++)
        distance += find_distance (columns[i], mt_encoder_get_column (encoder, i), &g_array_index (middle, MtRawValue, i),
                                   rows != NULL ? rows[r] : r);
      if (distance < least)
        {
          least = distance;
          best = r;
        }
    }
  return best;
}

/* --- a row --- */

gboolean
mt_what_if_row_init (MtWhatIfRow      *row,
                     const MtEncoder  *encoder,
                     const MtRuleSet  *rules,
                     const GArray     *values,
                     GError          **error)
{
  guint n_columns = mt_encoder_get_n_columns (encoder);
  guint n_numeric = 0;

  *row = (MtWhatIfRow) { .encoder = encoder, .rules = rules };
  if (values->len != n_columns)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the model has %u columns, but %u values were given"),
                   n_columns, values->len);
      return FALSE;
    }
  if (!mt_rule_set_validate (rules, mt_encoder_get_n_literals (encoder), mt_encoder_get_n_numeric (encoder), error))
    return FALSE;
  row->codes = g_new0 (guint8, MAX (n_columns, 1));
  row->numeric = g_new0 (double, MAX (mt_encoder_get_n_numeric (encoder), 1));
  row->numeric_of = g_new (guint, MAX (n_columns, 1));
  for (guint i = 0; i < n_columns; i++)
    {
      MtShape shapes[MT_N_SHAPES];
      guint n_shapes = mt_encoder_column_get_shapes (mt_encoder_get_column (encoder, i), shapes);

      row->numeric_of[i] = n_shapes > 0 ? n_numeric : MT_NO_NUMERIC;
      n_numeric += n_shapes;
      mt_what_if_row_set (row, i, &g_array_index (values, MtRawValue, i));
    }
  return TRUE;
}

void
mt_what_if_row_clear (MtWhatIfRow *row)
{
  g_clear_pointer (&row->codes, g_free);
  g_clear_pointer (&row->numeric, g_free);
  g_clear_pointer (&row->numeric_of, g_free);
}

void
mt_what_if_row_set (MtWhatIfRow      *row,
                    guint             index,
                    const MtRawValue *value)
{
  const MtEncoderColumn *column = mt_encoder_get_column (row->encoder, index);
  gboolean is_missing = mt_raw_value_is_missing (value, column);
  guint numeric = row->numeric_of[index];

  if (column->levels != NULL)
    row->codes[index] = mt_encoder_encode_level (column, is_missing ? NULL : value->level);
  else
    row->codes[index] = mt_encoder_encode_number (column, is_missing ? NAN : value->number,
                                                  numeric != MT_NO_NUMERIC ? &row->numeric[numeric] : NULL);
}

/* What a term's weights are multiplied with. */
static double
row_term (const MtWhatIfRow *row,
          const MtTerm      *term)
{
  const MtGroup *groups = mt_encoder_get_groups (row->encoder);
  const guint *inputs;
  guint assignment = 0;

  if (term->is_numeric)
    return row->numeric[term->numeric];
  inputs = mt_rule_get_inputs (term->rule);
  for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
    {
      guint group = mt_encoder_get_literal (row->encoder, inputs[i])->group;

      if (mt_group_literal_is_true (&groups[group], inputs[i] - groups[group].first_literal, row->codes[group]))
        assignment |= 1u << i;
    }
  return mt_plane_get (mt_rule_get_table (term->rule), assignment) ? 1 : 0;
}

/* In the order of mt_rule_set_score(), so that the sums are the same to the last bit. */
gboolean
mt_what_if_row_score (const MtWhatIfRow *row,
                      double            *scores)
{
  guint n_outputs = mt_rule_set_get_n_outputs (row->rules);
  gboolean is_finite = TRUE;

  memcpy (scores, mt_rule_set_get_bias (row->rules), n_outputs * sizeof *scores);
  for (guint t = 0; t < mt_rule_set_get_n_terms (row->rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (row->rules, t);
      double value = row_term (row, term);

      for (guint c = 0; c < n_outputs; c++)
        if (term->weights[c] != 0)
          scores[c] += term->weights[c] * value;
    }
  for (guint c = 0; c < n_outputs; c++)
    is_finite = is_finite && isfinite (scores[c]);
  return is_finite;
}

/* --- the answer --- */

MtWhatIf *
mt_what_if_new (const MtEncoder  *encoder,
                const MtRuleSet  *rules,
                const GArray     *values,
                GError          **error)
{
  g_auto (MtWhatIfRow) row = { NULL };
  g_autoptr (MtWhatIf) self = NULL;
  guint n_outputs = mt_rule_set_get_n_outputs (rules);

  if (!mt_what_if_row_init (&row, encoder, rules, values, error))
    return NULL;
  self = g_new0 (MtWhatIf, 1);
  self->n_outputs = n_outputs;
  self->n_terms = mt_rule_set_get_n_terms (rules);
  self->scores = g_new (double, n_outputs);
  self->predictions = g_new (double, n_outputs);
  self->contributions = g_new0 (double, MAX (self->n_terms * n_outputs, 1));
  self->applies = g_new0 (gboolean, MAX (self->n_terms, 1));
  if (!mt_what_if_row_score (&row, self->scores))
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_NUMERIC,
                           _("the score is too large for a number; check the values"));
      return NULL;
    }
  memcpy (self->predictions, self->scores, n_outputs * sizeof (double));
  mt_task_link (mt_rule_set_get_task (rules), n_outputs, 1, self->predictions);
  self->decided = mt_task_decide (mt_rule_set_get_task (rules), mt_rule_set_get_cutoff (rules), n_outputs, 1, self->predictions, 0);
  for (guint t = 0; t < self->n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      double value = row_term (&row, term);

      self->applies[t] = value != 0;
      for (guint c = 0; c < n_outputs; c++)
        self->contributions[t * n_outputs + c] = term->weights[c] * value;
    }
  for (guint i = 0; i < mt_encoder_get_n_unary (encoder); i++)
    {
      const MtUnary *unary = mt_encoder_get_unary (encoder, i);
      gboolean is_missing = mt_raw_value_is_missing (&g_array_index (values, MtRawValue, unary->column),
                                                     mt_encoder_get_column (encoder, unary->column));

      for (guint t = 0; unary->is_numeric && t < self->n_terms; t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);

          if (term->is_numeric && term->numeric == unary->numeric)
            self->applies[t] = !is_missing;   /* also at the mean, where it adds 0 */
        }
    }
  return g_steal_pointer (&self);
}

void
mt_what_if_free (MtWhatIf *self)
{
  g_free (self->scores);
  g_free (self->predictions);
  g_free (self->contributions);
  g_free (self->applies);
  g_free (self);
}
