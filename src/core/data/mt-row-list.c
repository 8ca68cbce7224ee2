/* Some rows of a table in some order. See mt-row-list.h.
 *
 * A test becomes a byte per level (codes), a number (numbers and dates), or a folded text. To sort, every row gets a
 * key: its number, or the rank of its level; free text is compared as it is. Ties go by the row, so that the order is
 * the same with any sorting method. */
#include "config.h"
#include "mt-row-list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define ROWS_BETWEEN_CHECKS 65536

struct _MtRowList {
  gatomicrefcount count;
  guint32        *rows;
  gsize           n;
};

typedef struct {
  const MtColumn *column;
  MtRowTestKind   kind;
  double          number;
  char           *folded;
  const char     *text;
  guint8         *levels;   /* codes: whether each level passes */
} Test;

/* --- tests --- */

static gboolean
parse_value (const MtColumn *column,
             const char     *value,
             double         *number)
{
  return mt_column_get_type (column) == MT_TYPE_DATE ? mt_date_parse (value, strlen (value), MT_DATE_YMD, number)
                                                     : mt_decimal_parse (value, number);
}

gboolean
mt_row_test_check (const MtColumn  *column,
                   MtRowTestKind    kind,
                   const char      *value,
                   GError         **error)
{
  gboolean numbers = mt_column_get_store (column) == MT_STORE_NUMBERS;
  double number;

  if (kind == MT_ROW_TEST_MISSING || kind == MT_ROW_TEST_PRESENT)
    return TRUE;
  if (value == NULL || *value == '\0')
    return mt_refuse (error, MT_ERROR_PARAMS, _("Enter a value"));
  if (!numbers && (kind == MT_ROW_TEST_AT_LEAST || kind == MT_ROW_TEST_AT_MOST))
    return mt_refuse (error, MT_ERROR_PARAMS, _("“%s” has no numbers to compare"), mt_column_get_name (column));
  if (numbers && kind == MT_ROW_TEST_CONTAINS)
    return mt_refuse (error, MT_ERROR_PARAMS, _("“%s” has no text to look into"), mt_column_get_name (column));
  if (numbers && !parse_value (column, value, &number))
    return mt_column_get_type (column) == MT_TYPE_DATE
           ? mt_refuse (error, MT_ERROR_PARAMS, _("“%s” is not a date like 2026-01-31"), value)
           : mt_refuse (error, MT_ERROR_PARAMS, _("“%s” is not a number"), value);
  return TRUE;
}

static gboolean
text_passes (const Test *test,
             const char *text,
             gsize       length)
{
  if (test->kind == MT_ROW_TEST_CONTAINS)
    {
      g_autofree char *folded = g_utf8_casefold (text, (gssize) length);

      return strstr (folded, test->folded) != NULL;
    }
  return (strlen (test->text) == length && memcmp (test->text, text, length) == 0) == (test->kind == MT_ROW_TEST_IS);
}

static void
test_init (Test            *test,
           const MtTable   *table,
           const MtRowTest *given)
{
  *test = (Test) { mt_table_get_column (table, given->column), given->kind, NAN, NULL, given->value, NULL };
  if (given->kind == MT_ROW_TEST_MISSING || given->kind == MT_ROW_TEST_PRESENT)
    return;
  if (mt_column_get_store (test->column) == MT_STORE_NUMBERS)
    {
      parse_value (test->column, given->value, &test->number);
      return;
    }
  test->folded = g_utf8_casefold (given->value, -1);
  if (mt_column_get_store (test->column) == MT_STORE_CODES)
    {
      guint n = mt_column_get_n_levels (test->column);

      test->levels = g_new (guint8, MAX (n, 1));
      for (guint level = 0; level < n; level++)
        {
          const char *text = mt_column_get_level (test->column, level);

          test->levels[level] = text_passes (test, text, strlen (text));
        }
    }
}

static gboolean
test_passes (const Test *test,
             gsize       row)
{
  double number;
  const char *text;
  gsize length;

  if (mt_column_is_missing (test->column, row))
    return test->kind == MT_ROW_TEST_MISSING || test->kind == MT_ROW_TEST_IS_NOT;
  if (test->kind == MT_ROW_TEST_MISSING || test->kind == MT_ROW_TEST_PRESENT)
    return test->kind == MT_ROW_TEST_PRESENT;
  switch (mt_column_get_store (test->column))
    {
    case MT_STORE_CODES:
      return test->levels[mt_column_get_code (test->column, row)];
    case MT_STORE_TEXT:
      text = mt_column_peek_text (test->column, row, &length);
      return text_passes (test, text, length);
    case MT_STORE_NUMBERS:
    default:
      number = mt_column_get_number (test->column, row);
      return test->kind == MT_ROW_TEST_AT_LEAST ? number >= test->number
             : test->kind == MT_ROW_TEST_AT_MOST ? number <= test->number
             : (test->kind == MT_ROW_TEST_IS) == (number == test->number);
    }
}

/* --- order --- */

typedef struct {
  double  key;       /* NaN: missing */
  char   *text;      /* free text; NULL: the key counts */
  guint32 row;
} Keyed;

static int
compare_up (const void *a,
            const void *b)
{
  const Keyed *left = a, *right = b;
  int way = 0;

  if (left->text != NULL && right->text != NULL)
    way = strcmp (left->text, right->text);
  else if (isnan (left->key) || isnan (right->key))
    way = (int) isnan (left->key) - (int) isnan (right->key);
  else
    way = (left->key > right->key) - (left->key < right->key);
  return way != 0 ? way : (left->row > right->row) - (left->row < right->row);
}

static int
compare_down (const void *a,
              const void *b)
{
  const Keyed *left = a, *right = b;
  Keyed x = *left, y = *right;

  if (isnan (x.key) || isnan (y.key))
    return compare_up (a, b);
  x.row = right->row;   /* ties: as in the table, in this direction, too */
  y.row = left->row;
  return compare_up (&y, &x);
}

static int
compare_levels (const void *a,
                const void *b,
                void       *folded)
{
  char **names = folded;
  guint left = *(const guint *) a, right = *(const guint *) b;
  int way = strcmp (names[left], names[right]);

  return way != 0 ? way : (left > right) - (left < right);
}

/* The place of each level when their names are sorted. */
static double *
rank_levels (const MtColumn *column)
{
  guint n = mt_column_get_n_levels (column);
  g_auto (GStrv) names = g_new0 (char *, n + 1);
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  double *ranks = g_new (double, MAX (n, 1));

  for (guint level = 0; level < n; level++)
    {
      names[level] = g_utf8_casefold (mt_column_get_level (column, level), -1);
      order[level] = level;
    }
  g_qsort_with_data (order, (gint) n, sizeof (guint), compare_levels, names);
  for (guint place = 0; place < n; place++)
    ranks[order[place]] = place;
  return ranks;
}

static void
sort_rows (guint32        *rows,
           gsize           n,
           const MtColumn *column,
           gboolean        descending)
{
  MtColumnStore store = mt_column_get_store (column);
  g_autofree Keyed *keyed = g_new0 (Keyed, MAX (n, 1));
  g_autofree double *ranks = store == MT_STORE_CODES ? rank_levels (column) : NULL;

  for (gsize i = 0; i < n; i++)
    {
      guint32 row = rows[i];

      keyed[i] = (Keyed) { NAN, NULL, row };
      if (mt_column_is_missing (column, row))
        continue;
      if (store == MT_STORE_NUMBERS)
        keyed[i].key = mt_column_get_number (column, row);
      else if (store == MT_STORE_CODES)
        keyed[i].key = ranks[mt_column_get_code (column, row)];
      else
        {
          gsize length;
          const char *text = mt_column_peek_text (column, row, &length);

          keyed[i].key = 0;
          keyed[i].text = g_utf8_casefold (text, (gssize) length);
        }
    }
  qsort (keyed, n, sizeof (Keyed), descending ? compare_down : compare_up);
  for (gsize i = 0; i < n; i++)
    {
      rows[i] = keyed[i].row;
      g_free (keyed[i].text);
    }
}

/* --- the list --- */

static gboolean
check_order (const MtTable    *table,
             const MtRowOrder *order,
             GError          **error)
{
  if (mt_table_get_n_rows (table) > G_MAXUINT32 - 1)
    return mt_refuse (error, MT_ERROR_PARAMS, _("The table has too many rows to sort or filter"));
  for (guint i = 0; i < order->n_tests; i++)
    if (!mt_row_test_check (mt_table_get_column (table, order->tests[i].column), order->tests[i].kind,
                            order->tests[i].value, error))
      return FALSE;
  return TRUE;
}

MtRowList *
mt_row_list_new (const MtTable     *table,
                 const MtRowOrder  *order,
                 GCancellable      *cancellable,
                 GError           **error)
{
  g_autoptr (MtRowList) self = NULL;
  Test *tests;
  gsize n_rows = mt_table_get_n_rows (table), n_asked;
  gboolean stopped = FALSE;

  if (!check_order (table, order, error))
    return NULL;
  self = g_new0 (MtRowList, 1);
  g_atomic_ref_count_init (&self->count);
  n_asked = order->only != NULL ? order->n_only : n_rows;
  self->rows = g_new (guint32, MAX (n_asked, 1));
  tests = g_new0 (Test, MAX (order->n_tests, 1));
  for (guint i = 0; i < order->n_tests; i++)
    test_init (&tests[i], table, &order->tests[i]);
  for (gsize i = 0; i < n_asked && !stopped; i++)
    {
      gsize row = order->only != NULL ? order->only[i] : i;
      gboolean passes = row < n_rows;

      if (i % ROWS_BETWEEN_CHECKS == 0)
        stopped = g_cancellable_set_error_if_cancelled (cancellable, error);
      for (guint t = 0; t < order->n_tests && passes; t++)
        passes = test_passes (&tests[t], row);
      if (passes)
        self->rows[self->n++] = (guint32) row;
    }
  for (guint i = 0; i < order->n_tests; i++)
    {
      g_free (tests[i].folded);
      g_free (tests[i].levels);
    }
  g_free (tests);
  if (stopped)
    return NULL;
  if (order->sort_column >= 0)
    sort_rows (self->rows, self->n, mt_table_get_column (table, (guint) order->sort_column), order->descending);
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? NULL : g_steal_pointer (&self);
}

MtRowList *
mt_row_list_ref (MtRowList *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
mt_row_list_unref (MtRowList *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->rows);
  g_free (self);
}

const guint32 *
mt_row_list_get_rows (const MtRowList *self,
                      gsize           *n)
{
  *n = self->n;
  return self->rows;
}

gboolean
mt_row_list_find (const MtRowList *self,
                  gsize            row,
                  gsize           *position)
{
  for (gsize i = 0; i < self->n; i++)
    if (self->rows[i] == row)
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}
