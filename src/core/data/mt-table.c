/* A typed table in memory, by columns; immutable once made. See mt-table.h. */
#include "config.h"
#include "mt-table.h"

#include <math.h>
#include <string.h>

#include "base/mt-gettext.h"
#include "base/mt-decimal.h"
#include "base/mt-large.h"
#include "base/mt-number.h"
#include "mt-formula.h"

/* How a cell is kept; the widest is chosen only when a narrower one would lose something. */
typedef enum {
  CELL_INT8,
  CELL_INT16,
  CELL_INT32,
  CELL_FLOAT32,
  CELL_FLOAT64,
  CELL_CODE8,
  CELL_CODE16,
  CELL_CODE32,
  CELL_TEXT,
} Cell;

/* In integer cells the lowest value stands for missing, in code cells the highest. */
#define INT8_MISSING  G_MININT8
#define INT16_MISSING G_MININT16
#define INT32_MISSING G_MININT32

struct _MtColumn {
  gatomicrefcount  ref_count;
  char            *name;
  MtColumnType     type;
  Cell             cell;
  gsize            n_rows;
  gsize            n_missing;
  gpointer         cells;      /* n_rows of the cell's kind, or the bytes of a text column */

  char           **levels;     /* code cells */
  guint            n_levels;
  gsize           *counts;     /* rows of each level */

  guint64         *offsets;    /* text cells: n_rows + 1 */
  guint8          *missing;    /* text cells: a bit a row, or NULL */

  char           **missing_values;
  char            *unit;
  gboolean         is_doubled;
  MtFormula       *formula;
};

struct _MtTable {
  gatomicrefcount  ref_count;
  MtColumn       **columns;
  MtColumnRole    *roles;
  char           **reasons;    /* n_columns, may hold NULLs */
  GHashTable      *by_name;    /* borrowed name -> index */
  guint            n_columns;
  gsize            n_rows;
};

static const char * const type_words[] = { "number", "category", "boolean", "date", "text" };
static const char * const role_words[] = { "feature", "target", "ignored", "group", "report", "time" };

const char *
mt_column_type_to_string (MtColumnType type)
{
  g_return_val_if_fail ((guint) type < G_N_ELEMENTS (type_words), NULL);
  return type_words[type];
}

static gboolean
find_word (const char * const *words,
           guint               n_words,
           const char         *word,
           guint              *found)
{
  for (guint i = 0; i < n_words; i++)
    if (g_strcmp0 (words[i], word) == 0)
      {
        *found = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
mt_column_type_from_string (const char   *word,
                            MtColumnType *type)
{
  guint found;

  if (!find_word (type_words, G_N_ELEMENTS (type_words), word, &found))
    return FALSE;
  *type = (MtColumnType) found;
  return TRUE;
}

const char *
mt_column_role_to_string (MtColumnRole role)
{
  g_return_val_if_fail ((guint) role < G_N_ELEMENTS (role_words), NULL);
  return role_words[role];
}

gboolean
mt_column_role_from_string (const char   *word,
                            MtColumnRole *role)
{
  guint found;

  if (!find_word (role_words, G_N_ELEMENTS (role_words), word, &found))
    return FALSE;
  *role = (MtColumnRole) found;
  return TRUE;
}

const char *
mt_column_type_to_word (MtColumnType type)
{
  static const char * const words[] = {
    NC_("type of a column", "number"), NC_("type of a column", "category"), NC_("type of a column", "boolean"),
    NC_("type of a column", "date"), NC_("type of a column", "text"),
  };

  g_return_val_if_fail ((guint) type < G_N_ELEMENTS (words), NULL);
  return C_("type of a column", words[type]);
}

const char *
mt_column_role_to_word (MtColumnRole role)
{
  static const char * const words[] = {
    NC_("role of a column", "feature"), NC_("role of a column", "target"), NC_("role of a column", "ignored"),
    NC_("role of a column", "group"), NC_("role of a column", "report by"), NC_("role of a column", "time"),
  };

  g_return_val_if_fail ((guint) role < G_N_ELEMENTS (words), NULL);
  return C_("role of a column", words[role]);
}

/* --- columns --- */

static MtColumn *
column_new (const char   *name,
            MtColumnType  type,
            Cell          cell,
            gsize         n_rows)
{
  MtColumn *column = g_new0 (MtColumn, 1);

  g_atomic_ref_count_init (&column->ref_count);
  column->name = g_strdup (name);
  column->type = type;
  column->cell = cell;
  column->n_rows = n_rows;
  return column;
}

/* Gives back what narrow cells do not need. */
static gpointer
shrink (gpointer cells,
        gsize    n_bytes)
{
  gpointer less = mt_large_resize (cells, n_bytes);

  return less != NULL ? less : cells;
}

static Cell
narrowest_number (const double *values,
                  gsize         n_rows)
{
  gboolean whole = TRUE, single = TRUE;
  double low = 0, high = 0;

  for (gsize i = 0; i < n_rows && (whole || single); i++)
    {
      double v = values[i];

      if (isnan (v))
        continue;
      /* -0.0 is not an integer: its sign would be lost. */
      if (whole && (!(fabs (v) <= G_MAXINT32) || v != (double) (gint32) v || (v == 0 && signbit (v))))
        whole = FALSE;
      if (single && !(fabs (v) <= G_MAXFLOAT && (double) (float) v == v))
        single = FALSE;
      low = MIN (low, v);
      high = MAX (high, v);
    }
  if (whole)
    return low > INT8_MISSING && high <= G_MAXINT8 ? CELL_INT8
           : low > INT16_MISSING && high <= G_MAXINT16 ? CELL_INT16 : CELL_INT32;
  return single ? CELL_FLOAT32 : CELL_FLOAT64;
}

MtColumn *
mt_column_new_numbers (const char   *name,
                       MtColumnType  type,
                       double       *values,
                       gsize         n_rows)
{
  MtColumn *column;

  g_return_val_if_fail (type == MT_TYPE_NUMBER || type == MT_TYPE_DATE, NULL);

  column = column_new (name, type, narrowest_number (values, n_rows), n_rows);
  for (gsize i = 0; i < n_rows; i++)
    column->n_missing += isnan (values[i]) ? 1 : 0;

  /* Narrow in place from the front: a narrow cell never overtakes the wide one being read. */
#define NARROW(ctype, missing_value)                                                  \
  G_STMT_START {                                                                      \
    ctype *out = (ctype *) values;                                                    \
    for (gsize i = 0; i < n_rows; i++)                                                \
      {                                                                               \
        double v = values[i];                                                         \
        out[i] = isnan (v) ? (missing_value) : (ctype) v;                             \
      }                                                                               \
    column->cells = shrink (values, n_rows * sizeof (ctype));                         \
  } G_STMT_END

  switch (column->cell)
    {
    case CELL_INT8:
      NARROW (gint8, INT8_MISSING);
      break;
    case CELL_INT16:
      NARROW (gint16, INT16_MISSING);
      break;
    case CELL_INT32:
      NARROW (gint32, INT32_MISSING);
      break;
    case CELL_FLOAT32:
      NARROW (float, NAN);
      break;
    default:
      column->cells = values;
      break;
    }
#undef NARROW
  return column;
}

MtColumn *
mt_column_new_codes (const char     *name,
                     MtColumnType    type,
                     char          **levels,
                     const guint32  *codes,
                     gsize           n_rows)
{
  MtColumn *column;
  guint n_levels;

  g_return_val_if_fail (type == MT_TYPE_CATEGORY || type == MT_TYPE_BOOLEAN || type == MT_TYPE_TEXT, NULL);

  n_levels = g_strv_length (levels);
  column = column_new (name, type,
                       n_levels < G_MAXUINT8 ? CELL_CODE8 : n_levels < G_MAXUINT16 ? CELL_CODE16 : CELL_CODE32,
                       n_rows);
  column->levels = levels;
  column->n_levels = n_levels;
  column->counts = g_new0 (gsize, MAX (n_levels, 1));

#define STORE(ctype, missing_value)                                                   \
  G_STMT_START {                                                                      \
    ctype *out = mt_large_need0 (n_rows * sizeof (ctype));                            \
    for (gsize i = 0; i < n_rows; i++)                                                \
      if (codes[i] == MT_CODE_MISSING)                                                \
        {                                                                             \
          out[i] = (missing_value);                                                   \
          column->n_missing++;                                                        \
        }                                                                             \
      else                                                                            \
        {                                                                             \
          g_assert (codes[i] < n_levels);                                             \
          out[i] = (ctype) codes[i];                                                  \
          column->counts[codes[i]]++;                                                 \
        }                                                                             \
    column->cells = out;                                                              \
  } G_STMT_END

  switch (column->cell)
    {
    case CELL_CODE8:
      STORE (guint8, G_MAXUINT8);
      break;
    case CELL_CODE16:
      STORE (guint16, G_MAXUINT16);
      break;
    default:
      STORE (guint32, G_MAXUINT32);
      break;
    }
#undef STORE
  return column;
}

MtColumn *
mt_column_new_text (const char *name,
                    char       *bytes,
                    guint64    *offsets,
                    guint8     *missing,
                    gsize       n_rows)
{
  MtColumn *column = column_new (name, MT_TYPE_TEXT, CELL_TEXT, n_rows);

  column->cells = bytes;
  column->offsets = offsets;
  column->missing = missing;
  if (missing != NULL)
    for (gsize i = 0; i < n_rows; i++)
      column->n_missing += (missing[i / 8] >> (i % 8)) & 1;
  return column;
}

MtColumn *
mt_column_ref (MtColumn *column)
{
  g_atomic_ref_count_inc (&column->ref_count);
  return column;
}

void
mt_column_unref (MtColumn *column)
{
  if (column == NULL || !g_atomic_ref_count_dec (&column->ref_count))
    return;
  g_free (column->name);
  mt_large_free (column->cells);
  g_strfreev (column->levels);
  g_free (column->counts);
  mt_large_free (column->offsets);
  mt_large_free (column->missing);
  g_strfreev (column->missing_values);
  g_free (column->unit);
  mt_formula_unref (column->formula);
  g_free (column);
}

void
mt_column_set_unit (MtColumn   *column,
                    const char *unit)
{
  g_free (column->unit);
  column->unit = g_strdup (unit);
}

void
mt_column_set_is_doubled (MtColumn *column,
                          gboolean  is_doubled)
{
  column->is_doubled = is_doubled;
}

gboolean
mt_column_is_doubled (const MtColumn *column)
{
  return column->is_doubled;
}

void
mt_column_set_formula (MtColumn  *column,
                       MtFormula *formula)
{
  MtFormula *own = mt_formula_ref (formula);

  mt_formula_unref (column->formula);
  column->formula = own;
}

MtFormula *
mt_column_get_formula (const MtColumn *column)
{
  return column->formula;
}

const char *
mt_column_get_unit (const MtColumn *column)
{
  return column->unit;
}

void
mt_column_set_missing_values (MtColumn           *column,
                              const char * const *texts)
{
  g_strfreev (column->missing_values);
  column->missing_values = texts != NULL && *texts != NULL ? g_strdupv ((char **) texts) : NULL;
}

const char * const *
mt_column_get_missing_values (const MtColumn *column)
{
  return (const char * const *) column->missing_values;
}

const char *
mt_column_get_name (const MtColumn *column)
{
  return column->name;
}

MtColumnType
mt_column_get_type (const MtColumn *column)
{
  return column->type;
}

MtColumnStore
mt_column_get_store (const MtColumn *column)
{
  return column->cell <= CELL_FLOAT64 ? MT_STORE_NUMBERS
         : column->cell <= CELL_CODE32 ? MT_STORE_CODES : MT_STORE_TEXT;
}

gsize
mt_column_get_n_rows (const MtColumn *column)
{
  return column->n_rows;
}

gsize
mt_column_get_n_missing (const MtColumn *column)
{
  return column->n_missing;
}

gsize
mt_column_get_n_bytes (const MtColumn *column)
{
  static const gsize cell_sizes[] = { 1, 2, 4, 4, 8, 1, 2, 4 };
  gsize n;

  if (column->cell == CELL_TEXT)
    return column->offsets[column->n_rows] + (column->n_rows + 1) * sizeof (guint64) +
           (column->missing != NULL ? (column->n_rows + 7) / 8 : 0);

  n = column->n_rows * cell_sizes[column->cell];
  for (guint i = 0; i < column->n_levels; i++)
    n += strlen (column->levels[i]) + 1 + sizeof (char *) + sizeof (gsize);
  return n;
}

gboolean
mt_column_is_missing (const MtColumn *column,
                      gsize           row)
{
  switch (mt_column_get_store (column))
    {
    case MT_STORE_NUMBERS:
      return isnan (mt_column_get_number (column, row));
    case MT_STORE_CODES:
      return mt_column_get_code (column, row) == MT_CODE_MISSING;
    case MT_STORE_TEXT:
    default:
      return column->missing != NULL && ((column->missing[row / 8] >> (row % 8)) & 1);
    }
}

double
mt_column_get_number (const MtColumn *column,
                      gsize           row)
{
  double value;

  mt_column_read_numbers (column, row, 1, &value);
  return value;
}

void
mt_column_read_numbers (const MtColumn *column,
                        gsize           first,
                        gsize           n,
                        double         *out)
{
  g_return_if_fail (mt_column_get_store (column) == MT_STORE_NUMBERS);
  g_return_if_fail (first <= column->n_rows && n <= column->n_rows - first);

#define WIDEN(ctype, missing_value)                                                   \
  G_STMT_START {                                                                      \
    const ctype *in = (const ctype *) column->cells + first;                          \
    for (gsize i = 0; i < n; i++)                                                     \
      out[i] = in[i] == (missing_value) ? NAN : (double) in[i];                       \
  } G_STMT_END

  switch (column->cell)
    {
    case CELL_INT8:
      WIDEN (gint8, INT8_MISSING);
      break;
    case CELL_INT16:
      WIDEN (gint16, INT16_MISSING);
      break;
    case CELL_INT32:
      WIDEN (gint32, INT32_MISSING);
      break;
    case CELL_FLOAT32:
      for (gsize i = 0; i < n; i++)
        out[i] = (double) ((const float *) column->cells)[first + i];
      break;
    default:
      memcpy (out, (const double *) column->cells + first, n * sizeof (double));
      break;
    }
#undef WIDEN
}

guint
mt_column_get_n_levels (const MtColumn *column)
{
  return column->n_levels;
}

const char *
mt_column_get_level (const MtColumn *column,
                     guint           code)
{
  g_return_val_if_fail (code < column->n_levels, NULL);
  return column->levels[code];
}

gsize
mt_column_get_level_count (const MtColumn *column,
                           guint           code)
{
  g_return_val_if_fail (code < column->n_levels, 0);
  return column->counts[code];
}

guint32
mt_column_get_code (const MtColumn *column,
                    gsize           row)
{
  guint32 code;

  mt_column_read_codes (column, row, 1, &code);
  return code;
}

void
mt_column_read_codes (const MtColumn *column,
                      gsize           first,
                      gsize           n,
                      guint32        *out)
{
  g_return_if_fail (mt_column_get_store (column) == MT_STORE_CODES);
  g_return_if_fail (first <= column->n_rows && n <= column->n_rows - first);

  switch (column->cell)
    {
    case CELL_CODE8:
      for (gsize i = 0; i < n; i++)
        {
          guint8 c = ((const guint8 *) column->cells)[first + i];
          out[i] = c == G_MAXUINT8 ? MT_CODE_MISSING : c;
        }
      break;
    case CELL_CODE16:
      for (gsize i = 0; i < n; i++)
        {
          guint16 c = ((const guint16 *) column->cells)[first + i];
          out[i] = c == G_MAXUINT16 ? MT_CODE_MISSING : c;
        }
      break;
    default:
      memcpy (out, (const guint32 *) column->cells + first, n * sizeof (guint32));
      break;
    }
}

const char *
mt_column_peek_text (const MtColumn *column,
                     gsize           row,
                     gsize          *length)
{
  g_return_val_if_fail (column->cell == CELL_TEXT && row < column->n_rows, NULL);

  if (mt_column_is_missing (column, row))
    {
      *length = 0;
      return NULL;
    }
  *length = (gsize) (column->offsets[row + 1] - column->offsets[row]);
  return (const char *) column->cells + column->offsets[row];
}

static char *
dup_date (double days)
{
  g_autoptr (GDateTime) epoch = g_date_time_new_utc (1970, 1, 1, 0, 0, 0);
  double whole = floor (days);
  g_autoptr (GDateTime) day = NULL;
  g_autoptr (GDateTime) moment = NULL;

  if (!(fabs (whole) < 3e6))
    return mt_decimal_dup_c (days);
  day = g_date_time_add_days (epoch, (int) whole);
  if (day == NULL)
    return mt_decimal_dup_c (days);
  if (days == whole)
    return g_date_time_format (day, "%Y-%m-%d");
  moment = g_date_time_add_seconds (day, round ((days - whole) * 86400.0));
  return g_date_time_format (moment, "%Y-%m-%dT%H:%M:%S");
}

char *
mt_column_dup_text (const MtColumn *column,
                    gsize           row)
{
  g_return_val_if_fail (row < column->n_rows, NULL);

  if (mt_column_is_missing (column, row))
    return g_strdup ("");
  switch (mt_column_get_store (column))
    {
    case MT_STORE_NUMBERS:
      {
        double value = mt_column_get_number (column, row);
        return column->type == MT_TYPE_DATE ? dup_date (value) : mt_decimal_dup_c (value);
      }
    case MT_STORE_CODES:
      return g_strdup (column->levels[mt_column_get_code (column, row)]);
    case MT_STORE_TEXT:
    default:
      {
        gsize length;
        const char *text = mt_column_peek_text (column, row, &length);
        return g_strndup (text, length);
      }
    }
}

/* --- tables --- */

MtTable *
mt_table_new (MtColumn **columns,
              guint      n_columns)
{
  MtTable *table = g_new0 (MtTable, 1);

  g_atomic_ref_count_init (&table->ref_count);
  table->n_columns = n_columns;
  table->columns = g_memdup2 (columns, n_columns * sizeof (MtColumn *));
  table->roles = g_new0 (MtColumnRole, MAX (n_columns, 1));
  table->reasons = g_new0 (char *, MAX (n_columns, 1));
  table->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  table->n_rows = n_columns > 0 ? columns[0]->n_rows : 0;
  for (guint i = 0; i < n_columns; i++)
    {
      g_assert (columns[i]->n_rows == table->n_rows);
      if (!g_hash_table_insert (table->by_name, columns[i]->name, GUINT_TO_POINTER (i)))
        g_assert_not_reached ();   /* the code that makes the columns makes their names distinct */
    }
  return table;
}

MtTable *
mt_table_ref (MtTable *table)
{
  g_atomic_ref_count_inc (&table->ref_count);
  return table;
}

void
mt_table_unref (MtTable *table)
{
  if (table == NULL || !g_atomic_ref_count_dec (&table->ref_count))
    return;
  g_hash_table_unref (table->by_name);
  for (guint i = 0; i < table->n_columns; i++)
    {
      mt_column_unref (table->columns[i]);
      g_free (table->reasons[i]);
    }
  g_free (table->columns);
  g_free (table->roles);
  g_free (table->reasons);
  g_free (table);
}

gsize
mt_table_get_n_rows (const MtTable *table)
{
  return table->n_rows;
}

guint
mt_table_get_n_columns (const MtTable *table)
{
  return table->n_columns;
}

const MtColumn *
mt_table_get_column (const MtTable *table,
                     guint          index)
{
  g_return_val_if_fail (index < table->n_columns, NULL);
  return table->columns[index];
}

const MtColumn *
mt_table_find_column (const MtTable *table,
                      const char    *name,
                      guint         *index)
{
  gpointer value;

  if (!g_hash_table_lookup_extended (table->by_name, name, NULL, &value))
    return NULL;
  if (index != NULL)
    *index = GPOINTER_TO_UINT (value);
  return table->columns[GPOINTER_TO_UINT (value)];
}

MtColumnRole
mt_table_get_role (const MtTable *table,
                   guint          index)
{
  g_return_val_if_fail (index < table->n_columns, MT_ROLE_IGNORED);
  return table->roles[index];
}

const char *
mt_table_get_reason (const MtTable *table,
                     guint          index)
{
  g_return_val_if_fail (index < table->n_columns, NULL);
  return table->reasons[index];
}

int
mt_table_get_target (const MtTable *table)
{
  for (guint i = 0; i < table->n_columns; i++)
    if (table->roles[i] == MT_ROLE_TARGET)
      return (int) i;
  return -1;
}

MtTable *
mt_table_with_roles (const MtTable      *table,
                     const MtColumnRole *roles,
                     const char * const *reasons)
{
  MtTable *other = mt_table_new (table->columns, table->n_columns);

  for (guint i = 0; i < table->n_columns; i++)
    {
      mt_column_ref (other->columns[i]);
      other->roles[i] = roles[i];
      other->reasons[i] = g_strdup (reasons != NULL ? reasons[i] : NULL);
    }
  return other;
}
