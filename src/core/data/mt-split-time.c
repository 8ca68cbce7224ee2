/* Splits by time. See mt-split-time.h. */
#include "config.h"
#include "mt-split-time.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

typedef struct {
  double  time;
  guint32 row;        /* of the table */
  guint32 place;      /* among the rows given */
} Moment;

const MtColumn *
mt_split_find_time (const MtTable *table)
{
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    if (mt_table_get_role (table, c) == MT_ROLE_TIME)
      return mt_table_get_column (table, c);
  return NULL;
}

static int
compare_moments (gconstpointer a,
                 gconstpointer b)
{
  const Moment *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static gboolean
check_roles (const MtTable   *table,
             const MtColumn  *time,
             GError         **error)
{
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const MtColumn *column = mt_table_get_column (table, c);

      if (column == time || (mt_table_get_role (table, c) != MT_ROLE_TIME && mt_table_get_role (table, c) != MT_ROLE_GROUP))
        continue;
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” and “%s” both decide how rows are split: only one column can have the role time or group"),
                   mt_column_get_name (time), mt_column_get_name (column));
      return FALSE;
    }
  if (mt_column_get_store (time) != MT_STORE_NUMBERS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” has the role time and must be a date or a number: set its type, or choose another column"),
                   mt_column_get_name (time));
      return FALSE;
    }
  return TRUE;
}

static Moment *
sort_rows (const MtColumn *time,
           const guint32  *rows,
           gsize           n_rows)
{
  Moment *moments = g_new (Moment, n_rows + 1);

  for (gsize i = 0; i < n_rows; i++)
    {
      double at = mt_column_get_number (time, rows[i]);

      moments[i] = (Moment) { isnan (at) ? -INFINITY : at, rows[i], (guint32) i };
    }
  qsort (moments, n_rows, sizeof *moments, compare_moments);
  return moments;
}

/* The place nearest to @wanted at which another time begins; of two the later one. 0: there is none. */
static gsize
find_cut (const Moment *moments,
          gsize         n,
          gsize         wanted)
{
  for (gsize away = 0; away < n; away++)
    {
      if (wanted + away > 0 && wanted + away < n && moments[wanted + away].time != moments[wanted + away - 1].time)
        return wanted + away;
      if (wanted > away && wanted - away < n && moments[wanted - away].time != moments[wanted - away - 1].time)
        return wanted - away;
    }
  return 0;
}

/* A class that is held out and not among the @n_first rows; NULL: none. */
static const char *
find_unseen (const MtTable *table,
             const Moment  *moments,
             gsize          n_first,
             gsize          n)
{
  int index = mt_table_get_target (table);
  const MtColumn *target = index >= 0 ? mt_table_get_column (table, (guint) index) : NULL;
  g_autofree guint8 *seen = NULL;

  if (target == NULL || mt_column_get_store (target) != MT_STORE_CODES)
    return NULL;
  seen = g_new0 (guint8, mt_column_get_n_levels (target) + 1);
  for (gsize i = 0; i < n; i++)
    {
      guint32 code = mt_column_get_code (target, moments[i].row);

      if (code == MT_CODE_MISSING)
        continue;
      if (i < n_first)
        seen[code] = TRUE;
      else if (!seen[code])
        return mt_column_get_level (target, code);
    }
  return NULL;
}

static gboolean
check_classes (const MtTable   *table,
               const MtColumn  *time,
               const Moment    *moments,
               gsize            n_first,
               gsize            n,
               GError         **error)
{
  const char *unseen = find_unseen (table, moments, n_first, n);

  if (unseen == NULL)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               ngettext ("class “%s” is not in the first %zu row by “%s”, from which later rows are to be predicted: hold out "
                         "fewer rows, use fewer folds, or remove the class",
                         "class “%s” is not among the first %zu rows by “%s”, from which later rows are to be predicted: hold "
                         "out fewer rows, use fewer folds, or remove the class", n_first),
               unseen, n_first, mt_column_get_name (time));
  return FALSE;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

gboolean
mt_split_time_test (const MtTable   *table,
                    const MtColumn  *time,
                    double           fraction,
                    GArray         **train,
                    GArray         **test,
                    GError         **error)
{
  gsize n = 0, n_all = mt_table_get_n_rows (table), cut;
  int index = mt_table_get_target (table);
  const MtColumn *target = index >= 0 ? mt_table_get_column (table, (guint) index) : NULL;
  g_autofree guint32 *rows = g_new (guint32, n_all + 1);
  g_autofree Moment *moments = NULL;

  if (!check_roles (table, time, error))
    return FALSE;
  for (gsize i = 0; i < n_all; i++)
    if (target == NULL || !mt_column_is_missing (target, i))
      rows[n++] = (guint32) i;
  moments = sort_rows (time, rows, n);
  cut = find_cut (moments, n, n - MIN (n, (gsize) floor ((double) n * fraction + 0.5)));
  if (cut == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” has only one value, so no rows are later than others: choose another column with the role time"),
                   mt_column_get_name (time));
      return FALSE;
    }
  if (!check_classes (table, time, moments, cut, n, error))
    return FALSE;
  *train = g_array_new (FALSE, FALSE, sizeof (guint32));
  *test = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (gsize i = 0; i < n; i++)
    g_array_append_val (i < cut ? *train : *test, moments[i].row);
  g_array_sort (*train, compare_rows);
  g_array_sort (*test, compare_rows);
  return TRUE;
}

gboolean
mt_split_time_folds (const MtTable   *table,
                     const MtColumn  *time,
                     const guint32   *rows,
                     gsize            n_rows,
                     guint            n_folds,
                     guint8          *fold_of,
                     GError         **error)
{
  g_autofree Moment *moments = NULL;
  g_autofree gsize *cuts = g_new0 (gsize, n_folds + 2);

  if (!check_roles (table, time, error))
    return FALSE;
  if (n_folds > MT_SPLIT_MOST_CHAINED)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the number of folds must be 2 to %u, not %u"), MT_SPLIT_MOST_CHAINED,
                   n_folds);
      return FALSE;
    }
  moments = sort_rows (time, rows, n_rows);
  for (guint b = 1; b <= n_folds; b++)
    {
      cuts[b] = find_cut (moments, n_rows, n_rows * b / (n_folds + 1));
      if (cuts[b] > cuts[b - 1])
        continue;
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” has too few different values for %u folds one after the other: use fewer folds, or another "
                     "column with the role time"), mt_column_get_name (time), n_folds);
      return FALSE;
    }
  cuts[n_folds + 1] = n_rows;
  if (!check_classes (table, time, moments, cuts[1], n_rows, error))
    return FALSE;
  for (guint b = 0; b <= n_folds; b++)
    for (gsize i = cuts[b]; i < cuts[b + 1]; i++)
      fold_of[moments[i].place] = b == 0 ? MT_SPLIT_NO_FOLD : (guint8) (n_folds + b - 1);
  return TRUE;
}
