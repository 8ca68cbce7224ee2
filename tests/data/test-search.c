#include "config.h"

#include <math.h>

#include "data/mt-search.h"

static MtTable *
make_table (void)
{
  const char *levels[] = { "Straße", "Weg", NULL };
  const guint32 codes[] = { 0, 1, MT_CODE_MISSING };
  const double values[] = { 12.5, NAN, 125 };
  const guint64 offsets[] = { 0, 2, 2, 7 };
  MtColumn *columns[] = {
    mt_column_new_codes ("Ort", MT_TYPE_CATEGORY, g_strdupv ((char **) levels), codes, 3),
    mt_column_new_numbers ("Weight", MT_TYPE_NUMBER, g_memdup2 (values, sizeof values), 3),
    mt_column_new_text ("note", g_strdup ("abWEGen"), g_memdup2 (offsets, sizeof offsets), NULL, 3),
  };

  return mt_table_new (columns, G_N_ELEMENTS (columns));
}

static void
assert_next (const MtTable *table,
             const char    *query,
             gboolean       backwards,
             MtMatch       *at,
             gboolean       begin,
             gboolean       in_header,
             guint          place,
             gsize          row)
{
  const guint order[] = { 1, 0, 2 };
  g_autoptr (GError) error = NULL;
  MtMatch match;

  g_assert_true (mt_search_table (table, order, 3, NULL, query, begin ? NULL : at, backwards, &match, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (match.in_header, ==, in_header);
  g_assert_cmpuint (match.place, ==, place);
  g_assert_cmpuint (match.row, ==, row);
  *at = match;
}

/* Names first, then row by row in the order of the screen, and round again. */
static void
test_order (void)
{
  g_autoptr (MtTable) table = make_table ();
  MtMatch at;

  assert_next (table, "we", FALSE, &at, TRUE, TRUE, 0, 0);
  assert_next (table, "we", FALSE, &at, FALSE, FALSE, 1, 1);
  assert_next (table, "we", FALSE, &at, FALSE, FALSE, 2, 2);
  assert_next (table, "we", FALSE, &at, FALSE, TRUE, 0, 0);
  assert_next (table, "we", TRUE, &at, FALSE, FALSE, 2, 2);
  assert_next (table, "we", TRUE, &at, FALSE, FALSE, 1, 1);
  assert_next (table, "we", TRUE, &at, TRUE, FALSE, 2, 2);
}

static void
test_kinds (void)
{
  g_autoptr (MtTable) table = make_table ();
  MtMatch at;

  assert_next (table, "12.5", FALSE, &at, TRUE, FALSE, 0, 0);
  assert_next (table, "125", FALSE, &at, TRUE, FALSE, 0, 2);
  assert_next (table, "STRASSE", FALSE, &at, TRUE, FALSE, 1, 0);
  assert_next (table, "ab", FALSE, &at, TRUE, FALSE, 2, 0);
}

static void
test_nothing (void)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const guint order[] = { 0, 1, 2 };
  MtMatch match;

  g_assert_false (mt_search_table (table, order, 3, NULL, "nowhere", NULL, FALSE, &match, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (mt_search_table (table, order, 3, NULL, "", NULL, FALSE, &match, NULL, &error));
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_search_table (table, order, 3, NULL, "we", NULL, FALSE, &match, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Rows that are left out are not searched; the others in the order in which they stand. */
static void
test_some_rows (void)
{
  g_autoptr (MtTable) table = make_table ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRowList) rows = mt_row_list_new (table, &(MtRowOrder) {
    &(MtRowTest) { 1, MT_ROW_TEST_PRESENT, NULL }, 1, NULL, 0, 1, TRUE }, NULL, &error);
  const guint order[] = { 1, 0, 2 };
  MtMatch match;

  g_assert_no_error (error);
  g_assert_true (mt_search_table (table, order, 3, rows, "25", NULL, FALSE, &match, NULL, &error));
  g_assert_cmpuint (match.row, ==, 0);
  g_assert_true (mt_search_table (table, order, 3, rows, "stra", NULL, FALSE, &match, NULL, &error));
  g_assert_cmpuint (match.row, ==, 1);
  g_assert_false (mt_search_table (table, (const guint[]) { 0 }, 1, rows, "Weg", NULL, FALSE, &match, NULL, &error));
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/order", test_order);
  g_test_add_func ("/search/kinds", test_kinds);
  g_test_add_func ("/search/nothing", test_nothing);
  g_test_add_func ("/search/some-rows", test_some_rows);
  return g_test_run ();
}
