#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "data/mt-row-list.h"

enum { PLACE, WEIGHT, NOTE, DAY };

static MtTable *
make_table (void)
{
  const char *levels[] = { "west", "East", "north", NULL };
  const guint32 codes[] = { 0, 1, MT_CODE_MISSING, 2, 1, 0 };
  const double weights[] = { 12.5, NAN, -3, 12.5, 0.1, 7 };
  const double days[] = { 0, 1, 2, 3, NAN, 20484 };
  const guint64 offsets[] = { 0, 2, 2, 7, 8, 10, 12 };
  guint8 missing[] = { 1 << 1 };
  MtColumn *columns[] = {
    mt_column_new_codes ("place", MT_TYPE_CATEGORY, g_strdupv ((char **) levels), codes, 6),
    mt_column_new_numbers ("weight", MT_TYPE_NUMBER, g_memdup2 (weights, sizeof weights), 6),
    mt_column_new_text ("note", g_strdup ("abWEGenxBBab"), g_memdup2 (offsets, sizeof offsets),
                        g_memdup2 (missing, sizeof missing), 6),
    mt_column_new_numbers ("day", MT_TYPE_DATE, g_memdup2 (days, sizeof days), 6),
  };

  return mt_table_new (columns, G_N_ELEMENTS (columns));
}

/* The rows as digits. */
static char *
list (const MtRowOrder *order)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRowList) rows = mt_row_list_new (table, order, NULL, &error);
  GString *text = g_string_new (NULL);
  const guint32 *numbers;
  gsize n;

  g_assert_no_error (error);
  numbers = mt_row_list_get_rows (rows, &n);
  for (gsize i = 0; i < n; i++)
    {
      gsize position;

      g_string_append_printf (text, "%u", numbers[i]);
      g_assert_true (mt_row_list_find (rows, numbers[i], &position));
      g_assert_cmpuint (position, ==, i);
    }
  return g_string_free (text, FALSE);
}

static void
assert_tested (guint          column,
               MtRowTestKind  kind,
               const char    *value,
               const char    *expected)
{
  const MtRowTest test = { column, kind, (char *) value };
  g_autofree char *rows = list (&(MtRowOrder) { &test, 1, NULL, 0, -1, FALSE });

  g_assert_cmpstr (rows, ==, expected);
}

static void
test_tests (void)
{
  assert_tested (PLACE, MT_ROW_TEST_IS, "East", "14");
  assert_tested (PLACE, MT_ROW_TEST_IS_NOT, "East", "0235");
  assert_tested (PLACE, MT_ROW_TEST_IS, "east", "");
  assert_tested (PLACE, MT_ROW_TEST_CONTAINS, "EAST", "14");
  assert_tested (PLACE, MT_ROW_TEST_CONTAINS, "st", "0145");
  assert_tested (PLACE, MT_ROW_TEST_MISSING, NULL, "2");
  assert_tested (PLACE, MT_ROW_TEST_PRESENT, NULL, "01345");
  assert_tested (WEIGHT, MT_ROW_TEST_IS, "12.50", "03");
  assert_tested (WEIGHT, MT_ROW_TEST_IS_NOT, "12.5", "1245");
  assert_tested (WEIGHT, MT_ROW_TEST_AT_LEAST, "7", "035");
  assert_tested (WEIGHT, MT_ROW_TEST_AT_MOST, "0.1", "24");
  assert_tested (WEIGHT, MT_ROW_TEST_MISSING, NULL, "1");
  assert_tested (NOTE, MT_ROW_TEST_IS, "ab", "05");
  assert_tested (NOTE, MT_ROW_TEST_IS_NOT, "ab", "1234");
  assert_tested (NOTE, MT_ROW_TEST_CONTAINS, "b", "045");
  assert_tested (DAY, MT_ROW_TEST_AT_LEAST, "1970-01-03", "235");
  assert_tested (DAY, MT_ROW_TEST_IS, "2026-01-31", "5");
}

/* Every test must hold, and rows outside of those asked for never come back. */
static void
test_only (void)
{
  const MtRowTest tests[] = { { PLACE, MT_ROW_TEST_PRESENT, NULL }, { WEIGHT, MT_ROW_TEST_AT_LEAST, (char *) "1" } };
  const guint32 only[] = { 0, 1, 2, 3, 900 };
  g_autofree char *rows = list (&(MtRowOrder) { tests, 2, only, 5, -1, FALSE });
  g_autofree char *all = list (&(MtRowOrder) { NULL, 0, only, 5, -1, FALSE });

  g_assert_cmpstr (rows, ==, "03");
  g_assert_cmpstr (all, ==, "0123");
}

static void
assert_sorted (guint       column,
               gboolean    descending,
               const char *expected)
{
  g_autofree char *rows = list (&(MtRowOrder) { NULL, 0, NULL, 0, (int) column, descending });

  g_assert_cmpstr (rows, ==, expected);
}

/* Missing stands last both ways, and equal rows as in the table both ways. */
static void
test_sort (void)
{
  assert_sorted (WEIGHT, FALSE, "245031");
  assert_sorted (WEIGHT, TRUE, "035421");
  assert_sorted (PLACE, FALSE, "143052");
  assert_sorted (PLACE, TRUE, "053142");
  assert_sorted (NOTE, FALSE, "054231");
  assert_sorted (NOTE, TRUE, "324051");
}

static void
assert_refused (guint          column,
                MtRowTestKind  kind,
                const char    *value,
                const char    *message)
{
  const MtRowTest test = { column, kind, (char *) value };
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_row_list_new (table, &(MtRowOrder) { &test, 1, NULL, 0, -1, FALSE }, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_refused (void)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  assert_refused (WEIGHT, MT_ROW_TEST_IS, "twelve", "“twelve” is not a number");
  assert_refused (DAY, MT_ROW_TEST_AT_LEAST, "31/1/26", "“31/1/26” is not a date like 2026-01-31");
  assert_refused (PLACE, MT_ROW_TEST_AT_MOST, "East", "“place” has no numbers to compare");
  assert_refused (WEIGHT, MT_ROW_TEST_CONTAINS, "1", "“weight” has no text to look into");
  assert_refused (PLACE, MT_ROW_TEST_IS, "", "Enter a value");
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_row_list_new (table, &(MtRowOrder) { NULL, 0, NULL, 0, -1, FALSE }, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-list/tests", test_tests);
  g_test_add_func ("/row-list/only", test_only);
  g_test_add_func ("/row-list/sort", test_sort);
  g_test_add_func ("/row-list/refused", test_refused);
  return g_test_run ();
}
