/* What is predicted, read out of a table: classes by number, or numbers. See mt-target.h. */
#include "config.h"
#include "mt-target.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-decimal.h"
#include "base/mt-number.h"

/* Rows between two looks whether anyone still waits: some ten milliseconds. */
#define CANCEL_ROWS 65536
/* Regression squares its target and adds the squares up: within these the sums of a million rows stay
 * finite and do not vanish. */
#define MAX_NUMBER 1e150
#define MIN_NUMBER 1e-150

struct _MtTarget {
  gatomicrefcount  ref_count;
  MtTask           task;
  char            *name;
  char           **classes;      /* sorted */
  GHashTable      *class_of;     /* text → number + 1 */
};

static void
target_free (MtTarget *self)
{
  g_free (self->name);
  g_strfreev (self->classes);
  g_clear_pointer (&self->class_of, g_hash_table_unref);
  g_free (self);
}

static gboolean
as_number (const char *text,
           double     *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

static int
compare_as_numbers (gconstpointer a,
                    gconstpointer b)
{
  double p = 0, q = 0;

  as_number (*(char *const *) a, &p);
  as_number (*(char *const *) b, &q);
  return p < q ? -1 : p > q;
}

static int
compare_as_text (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The distinct values of the rows, sorted; at most @limit + 1 of them are looked at. */
static GPtrArray *
distinct_values (const MtColumn *column,
                 const guint32  *rows,
                 gsize           n_rows,
                 guint           limit)
{
  GPtrArray *values = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GCancellable *cancellable = g_cancellable_get_current ();
  gboolean all_numbers = TRUE;

  for (gsize i = 0; i < n_rows && values->len <= limit; i++)
    {
      gsize row = rows != NULL ? rows[i] : i;
      g_autofree char *text = NULL;
      double number;

      if (i % CANCEL_ROWS == 0 && g_cancellable_is_cancelled (cancellable))
        break;
      if (mt_column_is_missing (column, row))
        continue;
      text = mt_column_dup_text (column, row);
      if (g_hash_table_contains (seen, text))
        continue;
      all_numbers = all_numbers && as_number (text, &number);
      g_hash_table_add (seen, text);
      g_ptr_array_add (values, g_steal_pointer (&text));
    }
  g_ptr_array_sort (values, all_numbers ? compare_as_numbers : compare_as_text);
  return values;
}

static gboolean
check_classes (const MtTarget  *self,
               const GPtrArray *values,
               GError         **error)
{
  if (values->len == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the target “%s” has no value in any training row: choose another target"), self->name);
      return FALSE;
    }
  if (values->len == 1)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the target “%s” is “%s” in all training rows, so there is nothing to predict: choose "
                     "another target"),
                   self->name, (const char *) g_ptr_array_index (values, 0));
      return FALSE;
    }
  if (self->task == MT_TASK_REGRESSION)
    return TRUE;
  if (values->len > MT_TARGET_MAX_CLASSES)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the target “%s” has more than %d classes: it may be an identifier or a number"),
                   self->name, MT_TARGET_MAX_CLASSES);
      return FALSE;
    }
  if (self->task == MT_TASK_BINARY && values->len != 2)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the target “%s” has %u classes, but a binary task needs two"), self->name, values->len);
      return FALSE;
    }
  return TRUE;
}

/* What predict would refuse later is refused at the first step. */
static gboolean
check_names (const MtTable  *table,
             GError        **error)
{
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const MtColumn *column = mt_table_get_column (table, c);
      MtColumnRole role = mt_table_get_role (table, c);

      if (!mt_column_is_doubled (column) || (role != MT_ROLE_FEATURE && role != MT_ROLE_TARGET))
        continue;
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("column %u, “%s”: another column of the file has the same name. A model must know which one to use: "
                     "rename or remove one of them in the file"), c + 1, mt_column_get_name (column));
      return FALSE;
    }
  return TRUE;
}

MtTarget *
mt_target_new (const MtTable  *table,
               const guint32  *rows,
               gsize           n_rows,
               const MtTask   *task,
               GError        **error)
{
  int index = mt_table_get_target (table);
  g_autoptr (MtTarget) self = NULL;
  g_autoptr (GPtrArray) values = NULL;
  const MtColumn *column;
  gboolean is_number;

  if (index < 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, _("no target column: choose the column to predict"));
      return NULL;
    }
  if (!check_names (table, error))
    return NULL;
  column = mt_table_get_column (table, (guint) index);
  is_number = mt_column_get_store (column) == MT_STORE_NUMBERS;
  self = g_new0 (MtTarget, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (mt_column_get_name (column));
  values = distinct_values (column, rows, rows != NULL ? n_rows : mt_table_get_n_rows (table), MT_TARGET_MAX_CLASSES);
  if (task != NULL)
    self->task = *task;
  else if (values->len == 2)
    self->task = MT_TASK_BINARY;
  else
    self->task = is_number ? MT_TASK_REGRESSION : MT_TASK_MULTICLASS;
  /* Refused here, at the first step: a model of dates could be neither evaluated nor reported on. */
  if (self->task == MT_TASK_REGRESSION && mt_column_get_type (column) == MT_TYPE_DATE)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the target “%s” contains dates: to predict it, make it a number, such as the days since "
                     "a fixed date"), self->name);
      return NULL;
    }
  if (self->task == MT_TASK_REGRESSION && !is_number)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   mt_column_get_type (column) == MT_TYPE_TEXT
                   ? _("the target “%s” contains text, not numbers: regression cannot predict it")
                   : _("the target “%s” contains categories, not numbers: regression cannot predict it"), self->name);
      return NULL;
    }
  if (g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error) ||
      !check_classes (self, values, error))
    return NULL;
  if (self->task == MT_TASK_REGRESSION)
    return g_steal_pointer (&self);

  self->class_of = g_hash_table_new (g_str_hash, g_str_equal);
  self->classes = g_new0 (char *, values->len + 1);
  for (guint c = 0; c < values->len; c++)
    {
      self->classes[c] = g_strdup (values->pdata[c]);
      g_hash_table_insert (self->class_of, self->classes[c], GUINT_TO_POINTER (c + 1));
    }
  return g_steal_pointer (&self);
}

void
mt_target_unref (MtTarget *self)
{
  if (self != NULL && g_atomic_ref_count_dec (&self->ref_count))
    target_free (self);
}

MtTask
mt_target_get_task (const MtTarget *self)
{
  return self->task;
}

const char *
mt_target_get_name (const MtTarget *self)
{
  return self->name;
}

guint
mt_target_get_n_classes (const MtTarget *self)
{
  return self->classes != NULL ? g_strv_length (self->classes) : 0;
}

guint
mt_target_get_n_outputs (const MtTarget *self)
{
  return self->task == MT_TASK_MULTICLASS ? mt_target_get_n_classes (self) : 1;
}

const char * const *
mt_target_get_classes (const MtTarget *self)
{
  return (const char * const *) self->classes;
}

gboolean
mt_target_check_number (const char  *name,
                        gsize        row,
                        double       value,
                        GError     **error)
{
  char text[MT_DECIMAL_SIZE], limit[MT_DECIMAL_SIZE];

  if (fabs (value) <= MAX_NUMBER)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               _("the target “%s” is %s in row %zu: regression needs numbers up to %s; divide the column by a "
               "power of ten"), name, mt_decimal_write_c (value, text), row + 1, mt_decimal_write_c (MAX_NUMBER, limit));
  return FALSE;
}

static gboolean
check_size (const MtTarget      *self,
            const MtTargetRows  *rows,
            GError             **error)
{
  double largest = 0;

  for (gsize i = 0; i < rows->n_rows; i++)
    largest = MAX (largest, fabs (rows->values[i]));
  if (self->task != MT_TASK_REGRESSION || largest == 0 || largest >= MIN_NUMBER)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               _("the target “%s” is at most %g: regression needs numbers of %g or more; multiply the column by a power of ten"),
               self->name, largest, MIN_NUMBER);
  return FALSE;
}

MtTargetRows *
mt_target_read (const MtTarget  *self,
                const MtTable   *table,
                const guint32   *rows,
                gsize            n_rows,
                GError         **error)
{
  const MtColumn *column = mt_table_find_column (table, self->name, NULL);
  gsize n = rows != NULL ? n_rows : mt_table_get_n_rows (table);
  GCancellable *cancellable = g_cancellable_get_current ();
  g_autoptr (MtTargetRows) out = NULL;

  if (column == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, _("there is no column “%s” to compare the predictions with"),
                   self->name);
      return NULL;
    }
  if (self->task == MT_TASK_REGRESSION && mt_column_get_store (column) != MT_STORE_NUMBERS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, _("the column “%s” contains no numbers to compare the "
                                                       "predictions with"),
                   self->name);
      return NULL;
    }
  out = g_new0 (MtTargetRows, 1);
  out->rows = g_new (guint32, MAX (n, 1));
  out->values = g_new (double, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    {
      guint32 row = rows != NULL ? rows[i] : (guint32) i;
      double value;

      if (i % CANCEL_ROWS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (mt_column_is_missing (column, row))
        {
          out->n_missing++;
          continue;
        }
      if (self->task == MT_TASK_REGRESSION)
        {
          value = mt_column_get_number (column, row);
          if (!isfinite (value))
            {
              out->n_missing++;
              continue;
            }
          if (!mt_target_check_number (self->name, row, value, error))
            return NULL;
        }
      else
        {
          g_autofree char *text = mt_column_dup_text (column, row);
          guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->class_of, text));

          if (number == 0)
            {
              out->n_unknown++;
              continue;
            }
          value = number - 1;
        }
      out->rows[out->n_rows] = row;
      out->values[out->n_rows++] = value;
    }
  return check_size (self, out, error) ? g_steal_pointer (&out) : NULL;
}

void
mt_target_rows_free (MtTargetRows *rows)
{
  if (rows == NULL)
    return;
  g_free (rows->rows);
  g_free (rows->values);
  g_free (rows);
}
