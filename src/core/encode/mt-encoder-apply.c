/* Applies an encoder to a table: finds each column by its name, checks that it means the same
 * thing there, and turns its cells into codes and standardized numbers.
 *
 * A threshold code is the number of thresholds that the value reaches (nine comparisons beat a
 * search); a level code comes from a table made once per level of the column. Work is done in
 * blocks of 4,096 cells, so scratch memory does not grow with the rows. */
#include "config.h"
#include "mt-encoder.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "mt-encoder-private.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-large.h"
#include "data/mt-missing.h"

#define BLOCK 4096
#define LINEAR_SEARCH_MAX 24

void
mt_encoder_read_numbers (const MtColumn *column,
                         const guint32  *rows,
                         gsize           first,
                         gsize           n,
                         double         *out)
{
  if (rows == NULL)
    mt_column_read_numbers (column, first, n, out);
  else
    for (gsize i = 0; i < n; i++)
      mt_column_read_numbers (column, rows[first + i], 1, &out[i]);
}

void
mt_encoder_read_codes (const MtColumn *column,
                       const guint32  *rows,
                       gsize           first,
                       gsize           n,
                       guint32        *out)
{
  if (rows == NULL)
    mt_column_read_codes (column, first, n, out);
  else
    for (gsize i = 0; i < n; i++)
      mt_column_read_codes (column, rows[first + i], 1, &out[i]);
}

void
mt_encoder_drop_missing (const MtEncoderColumn *column,
                         double                *values,
                         gsize                  n)
{
  for (guint k = 0; column->missing_values != NULL && column->missing_values[k] != NULL; k++)
    {
      double missing;

      if (mt_missing_get_token_value (column->missing_values[k], column->type, &missing))
        for (gsize i = 0; i < n; i++)
          values[i] = values[i] == missing ? NAN : values[i];
    }
}

/* --- does the column mean the same thing? --- */

/* For a better message: the column looks like a category only because it was read as one. */
static gboolean
levels_are_numbers (const MtColumn *column)
{
  double ignored;

  if (mt_column_get_store (column) != MT_STORE_CODES)
    return FALSE;
  for (guint i = 0; i < mt_column_get_n_levels (column); i++)
    if (!mt_decimal_parse (mt_column_get_level (column, i), &ignored))
      return FALSE;
  return TRUE;
}

/* The column to read for the encoder's @index, or NULL with an error. What fits:
 *
 *   the encoder's type   the column of the table
 *   number               a number
 *   date                 a date
 *   category, boolean    whatever is stored as codes or as text, not as numbers
 *   any                  a column without a single value: it may have been given any type
 *
 * A category of the table whose levels are all numbers is refused as a number, but the message then
 * says what to change. */
static const MtColumn *
find_column (const MtEncoder *self,
             guint            index,
             const MtTable   *table,
             GError         **error)
{
  const MtEncoderColumn *wanted = mt_encoder_get_column (self, index);
  const MtColumn *column = mt_table_find_column (table, wanted->name, NULL);
  const char *wanted_type = mt_column_type_to_word (wanted->type);
  MtColumnType type;

  if (column == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("the data has no column “%s”, which the model requires (%s); add the column (it may be "
                     "empty)"),
                   wanted->name, wanted_type);
      return NULL;
    }
  if (mt_column_get_n_missing (column) == mt_column_get_n_rows (column))
    return column;

  type = mt_column_get_type (column);
  if (wanted->type == MT_TYPE_NUMBER || wanted->type == MT_TYPE_DATE)
    {
      if (type == wanted->type)
        return column;
      if (wanted->type == MT_TYPE_NUMBER && levels_are_numbers (column))
        g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                     _("column “%s” is a number in the model but was read as %s here, although all its "
                       "values are numbers; set its type to number"), wanted->name, mt_column_type_to_word (type));
      else
        g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                     _("column “%s” is a %s in the model but a %s here; set its type to %s, or correct the "
                       "cells that do not match"), wanted->name, wanted_type, mt_column_type_to_word (type), wanted_type);
      return NULL;
    }
  if (mt_column_get_store (column) != MT_STORE_NUMBERS)
    return column;
  g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
               _("column “%s” is a %s in the model but was read as a %s here; set its type to %s"), wanted->name,
               wanted_type, mt_column_type_to_word (type), wanted_type);
  return NULL;
}

/* --- numbers --- */

/* The number of thresholds that @value reaches, which is the code of a thermometer. Up to LINEAR_SEARCH_MAX
 * thresholds all are compared, without a branch that could be mispredicted; above, halving. */
static inline guint
count_reached (const double *thresholds,
               guint         n,
               double        value)
{
  guint low = 0, high = n;

  if (n <= LINEAR_SEARCH_MAX)
    {
      guint reached = 0;

      for (guint i = 0; i < n; i++)
        reached += value >= thresholds[i];
      return reached;
    }
  while (low < high)   /* the first threshold above the value */
    {
      guint middle = (low + high) / 2;

      if (value >= thresholds[middle])
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Missing is the mean, infinity the end of the training range. */
static inline double
standardize (const MtEncoderColumn *column,
             MtShape                shape,
             double                 value)
{
  if (isnan (value))
    return 0;
  value = mt_encoder_column_shape (column, shape, value);
  if (shape == MT_SHAPE_LOG)
    return (value - column->log.mean) / column->log.sd;
  if (shape == MT_SHAPE_CLIPPED)
    return (value - column->clipped.mean) / column->clipped.sd;
  return (value - column->mean) / column->sd;
}

/* Encodes @n cells of a column of numbers, NaN meaning missing.
 *
 * The code of a missing cell is the one after the last threshold, or 0 (below all thresholds) if
 * the column has no missing literal. Infinity reaches every threshold or none, like any large
 * number, and is counted as out of range.
 *
 * @numeric: one number for each shape and row, shape after shape, @stride apart; NULL: not wanted.
 * With a tiny sd the division may overflow; the result is kept finite because infinity times a
 * weight of 0 would be no number. */
static void
encode_numbers (const MtEncoderColumn *wanted,
                const double          *values,
                gsize                  n,
                guint8                *codes,
                double                *numeric,
                gsize                  stride,
                MtEncodeReport        *report)
{
  MtShape shapes[MT_N_SHAPES];
  guint n_shapes = numeric != NULL ? mt_encoder_column_get_shapes (wanted, shapes) : 0;

  for (gsize i = 0; i < n; i++)
    {
      if (isnan (values[i]))
        {
          codes[i] = (guint8) (wanted->has_missing ? wanted->n_thresholds + 1 : 0);
          report->n_missing++;
          report->n_unexpected_missing += wanted->has_missing ? 0 : 1;
        }
      else
        {
          codes[i] = (guint8) count_reached (wanted->thresholds, wanted->n_thresholds, values[i]);
          report->n_out_of_range += values[i] < wanted->min || values[i] > wanted->max;
        }
    }
  for (guint s = 0; s < n_shapes; s++)
    for (gsize i = 0; i < n; i++)
      numeric[s * stride + i] = CLAMP (standardize (wanted, shapes[s], values[i]), -G_MAXDOUBLE, G_MAXDOUBLE);
}

/* One value, for predictions of a single case: the same functions as for a table, so the same code. */
guint8
mt_encoder_encode_number (const MtEncoderColumn *column,
                          double                 value,
                          double                *standardised)
{
  MtEncodeReport ignored = { 0 };
  guint8 code;

  mt_encoder_drop_missing (column, &value, 1);
  encode_numbers (column, &value, 1, &code, standardised, 1, &ignored);
  return code;
}

/* --- levels --- */

/* What a level of the data's column becomes: its code, whether the encoder knows the level, and whether it stands
 * for missing. Made once for each level; then each row is one lookup. */
typedef struct {
  guint8   code;
  gboolean is_known;
  gboolean is_missing;
} LevelCode;

/* Level → code, for the levels that the encoder knows: the kept ones have codes 1, 2, …, those of the rest share the code of
 * "other", or 0 if there is none (a column with two levels: the one that is not named). */
static GHashTable *
index_levels (const MtEncoderColumn *wanted)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = g_strv_length (wanted->levels);

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (index, wanted->levels[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; wanted->rest[i] != NULL; i++)
    g_hash_table_insert (index, wanted->rest[i], GUINT_TO_POINTER (wanted->has_other ? n + 1 : 0));
  return index;
}

/* The last code of the group, after the levels and "other"; 0, no literal is true, if missing is no condition of
 * this column. */
static guint8
get_missing_code (const MtEncoderColumn *wanted)
{
  return (guint8) (wanted->has_missing ? g_strv_length (wanted->levels) + (wanted->has_other ? 2 : 1) : 0);
}

/* A level that no training row had counts as "other", or as none of the levels; is_known is then FALSE, and the
 * report counts it. */
static LevelCode
look_up_level (GHashTable            *index,
               const MtEncoderColumn *wanted,
               const char            *level)
{
  gpointer code;

  if (mt_encoder_column_lacks_level (wanted, level))
    return (LevelCode) { get_missing_code (wanted), TRUE, TRUE };
  if (g_hash_table_lookup_extended (index, level, NULL, &code))
    return (LevelCode) { (guint8) GPOINTER_TO_UINT (code), TRUE, FALSE };
  return (LevelCode) { (guint8) (wanted->has_other ? g_strv_length (wanted->levels) + 1 : 0), FALSE, FALSE };
}

guint8
mt_encoder_encode_level (const MtEncoderColumn *column,
                         const char            *level)
{
  g_autoptr (GHashTable) index = index_levels (column);

  return look_up_level (index, column, level).code;
}

/* Text that was never given codes, because it is mostly distinct: level by level. */
static LevelCode
look_up_text (GHashTable            *index,
              const MtEncoderColumn *wanted,
              const MtColumn        *column,
              gsize                  row,
              GString               *scratch)
{
  gsize length;
  const char *bytes = mt_column_peek_text (column, row, &length);

  g_string_truncate (scratch, 0);
  g_string_append_len (scratch, bytes, (gssize) length);
  return look_up_level (index, wanted, scratch->str);
}

/* A column stored as codes is translated through the table, BLOCK rows at a time; one stored as text, because
 * nearly every cell differs, is looked up cell by cell. */
static void
encode_levels (const MtEncoderColumn *wanted,
               const MtColumn        *column,
               const guint32         *rows,
               gsize                  n_rows,
               guint8                *codes,
               MtEncodeReport        *report,
               GCancellable          *cancellable)
{
  g_autoptr (GHashTable) index = index_levels (wanted);
  guint8 missing_code = get_missing_code (wanted);
  gboolean has_codes = mt_column_get_store (column) == MT_STORE_CODES;
  guint n_levels = mt_column_get_n_levels (column);
  g_autofree LevelCode *table = g_new (LevelCode, n_levels + 1);
  g_autoptr (GString) scratch = g_string_new (NULL);
  guint32 block[BLOCK];

  for (guint i = 0; i < n_levels; i++)
    table[i] = look_up_level (index, wanted, mt_column_get_level (column, i));
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize row = rows != NULL ? rows[i] : i;
      LevelCode found = { missing_code, TRUE, TRUE };

      if (i % BLOCK == 0 && g_cancellable_is_cancelled (cancellable))
        return;
      if (has_codes && i % BLOCK == 0)
        mt_encoder_read_codes (column, rows, i, MIN (BLOCK, n_rows - i), block);
      if (!(has_codes ? block[i % BLOCK] == MT_CODE_MISSING : mt_column_is_missing (column, row)))
        found = has_codes ? table[block[i % BLOCK]] : look_up_text (index, wanted, column, row, scratch);
      codes[i] = found.code;
      report->n_unknown_levels += found.is_known ? 0 : 1;
      report->n_missing += found.is_missing ? 1 : 0;
      report->n_unexpected_missing += found.is_missing && !wanted->has_missing ? 1 : 0;
    }
}

/* --- the table --- */

/* As mt_encoder_read_numbers(), for a column that find_column() accepted: one without any
 * value may be stored as anything. */
static void
read_block (const MtColumn *column,
            const guint32  *rows,
            gsize           first,
            gsize           n,
            double         *out)
{
  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    mt_encoder_read_numbers (column, rows, first, n, out);
  else
    for (gsize i = 0; i < n; i++)
      out[i] = NAN;
}

static void
encode_column (const MtEncoderColumn *wanted,
               const MtColumn        *column,
               const guint32         *rows,
               gsize                  n_rows,
               guint8                *codes,
               double                *numeric,
               MtEncodeReport        *report,
               GCancellable          *cancellable)
{
  double values[BLOCK];

  if (wanted->levels != NULL)
    {
      encode_levels (wanted, column, rows, n_rows, codes, report, cancellable);
      return;
    }
  for (gsize first = 0; first < n_rows && !g_cancellable_is_cancelled (cancellable); first += BLOCK)
    {
      gsize n = MIN (BLOCK, n_rows - first);

      read_block (column, rows, first, n, values);
      mt_encoder_drop_missing (wanted, values, n);
      encode_numbers (wanted, values, n, codes + first, numeric + first, n_rows, report);
    }
}

/* All columns are found before anything is allocated, so a wrong file fails at once and with the
 * first column that is wrong. Then column after column is encoded into one array of codes and one
 * of numbers, both in the layout that MtEncoded keeps, so nothing is copied afterwards.
 *
 * Memory: 1 byte for each cell and 8 for each unary number, and then the planes of
 * mt_encoded_new_take(). The three shapes of a column are numbers of the same group: its index says
 * so. */
MtEncoded *
mt_encoder_apply (const MtEncoder *self,
                  const MtTable   *table,
                  const guint32   *rows,
                  gsize            n_rows,
                  MtEncodeReport  *report,
                  GError         **error)
{
  return mt_encoder_apply_used (self, table, NULL, rows, n_rows, report, error);
}

/* A column of any type without a single value stands for one that is absent. */
static MtColumn *
make_empty (const MtTable *table)
{
  gsize n = mt_table_get_n_rows (table);
  double *values = g_new (double, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    values[i] = NAN;
  return mt_column_new_numbers ("", MT_TYPE_NUMBER, values, n);
}

MtEncoded *
mt_encoder_apply_used (const MtEncoder *self,
                       const MtTable   *table,
                       const gboolean  *used,
                       const guint32   *rows,
                       gsize            n_rows,
                       MtEncodeReport  *report,
                       GError         **error)
{
  guint n_columns = mt_encoder_get_n_columns (self);
  guint n_numeric = mt_encoder_get_n_numeric (self);
  g_autofree const MtColumn **columns = g_new (const MtColumn *, n_columns);
  guint8 *codes = NULL;
  double *numeric = NULL;
  MtEncodeReport counted = { 0 };
  GCancellable *cancellable = g_cancellable_get_current ();
  g_autofree guint *numeric_groups = g_new (guint, MAX (n_numeric, 1));
  g_autoptr (MtColumn) empty = NULL;
  MtEncoded *encoded;
  guint next_numeric = 0;

  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  for (guint i = 0; i < n_columns; i++)
    if (used != NULL && !used[i] && mt_table_find_column (table, mt_encoder_get_column_name (self, i), NULL) == NULL)
      columns[i] = empty = empty != NULL ? empty : make_empty (table);
    else if ((columns[i] = find_column (self, i, table, error)) == NULL)
      return NULL;

  codes = mt_large_new0 (n_columns * n_rows);
  numeric = mt_large_new0 (n_numeric * n_rows * sizeof (double));
  if (codes == NULL || numeric == NULL)
    {
      mt_large_free (codes);
      mt_large_free (numeric);
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Not enough memory: encoding the data needs %zu MB. Close other programs, or ignore "
                     "columns"),
                   (n_columns * n_rows + n_numeric * n_rows * sizeof (double)) / 1000000 + 1);
      return NULL;
    }
  counted.n_rows = n_rows;
  for (guint i = 0; i < n_columns; i++)
    {
      const MtEncoderColumn *wanted = mt_encoder_get_column (self, i);
      MtShape shapes[MT_N_SHAPES];
      MtEncodeReport uncounted = { 0 };

      encode_column (wanted, columns[i], rows, n_rows, codes + i * n_rows, numeric + next_numeric * n_rows,
                     columns[i] == empty ? &uncounted : &counted, cancellable);
      next_numeric += mt_encoder_column_get_shapes (wanted, shapes);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          mt_large_free (codes);
          mt_large_free (numeric);
          return NULL;
        }
    }
  if (report != NULL)
    *report = counted;
  encoded = mt_encoded_new_take (mt_encoder_get_groups (self), n_columns, codes, numeric, n_numeric, n_rows, cancellable, error);
  if (encoded == NULL)
    return NULL;
  for (guint u = 0; u < n_numeric; u++)
    numeric_groups[u] = mt_encoder_get_numeric (self, u)->column;
  mt_encoded_set_numeric_groups (encoded, numeric_groups);
  return encoded;
}
