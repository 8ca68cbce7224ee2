#include "config.h"

#include <math.h>
#include <string.h>

#include "data/mt-table.h"

static MtColumn *
numbers (const char   *name,
         const double *values,
         gsize         n)
{
  return mt_column_new_numbers (name, MT_TYPE_NUMBER, g_memdup2 (values, n * sizeof (double)), n);
}

static void
assert_round_trip (const double *values,
                   gsize         n,
                   gsize         bytes_a_cell)
{
  g_autoptr (MtColumn) column = numbers ("x", values, n);

  g_assert_cmpuint (mt_column_get_n_bytes (column), ==, n * bytes_a_cell);
  for (gsize i = 0; i < n; i++)
    {
      double got = mt_column_get_number (column, i);

      if (isnan (values[i]))
        g_assert_true (isnan (got) && mt_column_is_missing (column, i));
      else
        g_assert_true (memcmp (&got, &values[i], sizeof got) == 0);
    }
}

/* The narrowest cell that loses nothing, at each edge. */
static void
test_number_widths (void)
{
  const double int8[] = { 0, 1, -127, 127, NAN };
  const double int16[] = { -128, 3, NAN };
  const double int16_high[] = { 32767, -32767 };
  const double int32[] = { -32768, NAN, 2147483647, -2147483647 };
  const double single[] = { 0.5, NAN, -0.25, 2147483648.0 };
  const double minus_zero[] = { -0.0, 1 };
  const double wide[] = { 0.1, NAN, 1e300 };
  const double infinite[] = { INFINITY, -INFINITY, 1 };

  assert_round_trip (int8, G_N_ELEMENTS (int8), 1);
  assert_round_trip (int16, G_N_ELEMENTS (int16), 2);
  assert_round_trip (int16_high, G_N_ELEMENTS (int16_high), 2);
  assert_round_trip (int32, G_N_ELEMENTS (int32), 4);
  assert_round_trip (single, G_N_ELEMENTS (single), 4);
  assert_round_trip (minus_zero, G_N_ELEMENTS (minus_zero), 4);
  assert_round_trip (wide, G_N_ELEMENTS (wide), 8);
  assert_round_trip (infinite, G_N_ELEMENTS (infinite), 8);
}

static void
test_codes (void)
{
  const guint n_levels[] = { 2, 254, 255, 256, 65534, 65535, 70000 };

  for (guint k = 0; k < G_N_ELEMENTS (n_levels); k++)
    {
      guint n = n_levels[k];
      char **levels = g_new0 (char *, n + 1);
      g_autofree guint32 *codes = g_new (guint32, n + 1);
      g_autoptr (MtColumn) column = NULL;

      for (guint i = 0; i < n; i++)
        {
          levels[i] = g_strdup_printf ("level %u", i);
          codes[i] = i;
        }
      codes[n] = MT_CODE_MISSING;
      column = mt_column_new_codes ("c", MT_TYPE_CATEGORY, levels, codes, n + 1);
      g_assert_cmpuint (mt_column_get_n_missing (column), ==, 1);
      g_assert_cmpuint (mt_column_get_n_levels (column), ==, n);
      for (guint i = 0; i <= n; i++)
        g_assert_cmpuint (mt_column_get_code (column, i), ==, codes[i]);
      g_assert_cmpuint (mt_column_get_level_count (column, n - 1), ==, 1);
    }
}

static void
test_text (void)
{
  static const guint64 offsets[] = { 0, 3, 3, 8 };
  static const guint8 missing[] = { 2 };
  g_autoptr (MtColumn) column = mt_column_new_text ("t", g_strdup ("onethree"),
                                                    g_memdup2 (offsets, sizeof offsets),
                                                    g_memdup2 (missing, sizeof missing), 3);
  g_autofree char *first = mt_column_dup_text (column, 0);
  g_autofree char *second = mt_column_dup_text (column, 1);
  g_autofree char *third = mt_column_dup_text (column, 2);
  gsize length;

  g_assert_cmpstr (first, ==, "one");
  g_assert_cmpstr (second, ==, "");
  g_assert_cmpstr (third, ==, "three");
  g_assert_null (mt_column_peek_text (column, 1, &length));
  g_assert_cmpuint (mt_column_get_n_missing (column), ==, 1);
}

static void
test_cell_text (void)
{
  const double values[] = { 0.1, 1e22, 5, NAN, 100.0 / 3 };
  const double days[] = { 0, 19000.5, -1, NAN };
  const char *value_texts[] = { "0.1", "1e+22", "5", "", "33.333333333333336" };
  const char *day_texts[] = { "1970-01-01", "2022-01-08T12:00:00", "1969-12-31", "" };
  g_autoptr (MtColumn) number = numbers ("x", values, 5);
  g_autoptr (MtColumn) date = mt_column_new_numbers ("d", MT_TYPE_DATE, g_memdup2 (days, sizeof days), 4);

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = mt_column_dup_text (number, i);
      g_assert_cmpstr (text, ==, value_texts[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = mt_column_dup_text (date, i);
      g_assert_cmpstr (text, ==, day_texts[i]);
    }
}

static void
test_roles (void)
{
  const double values[] = { 1, 2 };
  const MtColumnRole roles[] = { MT_ROLE_IGNORED, MT_ROLE_TARGET };
  const char * const reasons[] = { NULL, "last column" };
  MtColumn *columns[] = { numbers ("a", values, 2), numbers ("b", values, 2) };
  MtTable *table = mt_table_new (columns, 2);
  g_autoptr (MtTable) other = mt_table_with_roles (table, roles, reasons);
  guint index = 99;

  g_assert_cmpint (mt_table_get_target (table), ==, -1);
  mt_table_unref (table);   /* the other keeps the columns */
  g_assert_cmpint (mt_table_get_target (other), ==, 1);
  g_assert_cmpstr (mt_table_get_reason (other, 1), ==, "last column");
  g_assert_nonnull (mt_table_find_column (other, "b", &index));
  g_assert_cmpuint (index, ==, 1);
  g_assert_null (mt_table_find_column (other, "c", NULL));
}

static void
test_words (void)
{
  MtColumnType type;
  MtColumnRole role;

  for (int t = MT_TYPE_NUMBER; t <= MT_TYPE_TEXT; t++)
    {
      g_assert_true (mt_column_type_from_string (mt_column_type_to_string (t), &type));
      g_assert_cmpint (type, ==, t);
    }
  for (int r = MT_ROLE_FEATURE; r <= MT_ROLE_GROUP; r++)
    {
      g_assert_true (mt_column_role_from_string (mt_column_role_to_string (r), &role));
      g_assert_cmpint (role, ==, r);
    }
  g_assert_false (mt_column_type_from_string ("nothing", &type));
  g_assert_false (mt_column_role_from_string (NULL, &role));
}

static void
test_bytes (void)
{
  const guint32 codes[] = { 0, 1, MT_CODE_MISSING };
  const guint64 offsets[] = { 0, 3, 3, 8 };
  char *levels[] = { (char *) "no", (char *) "yes", NULL };
  g_autoptr (MtColumn) coded = mt_column_new_codes ("c", MT_TYPE_BOOLEAN, g_strdupv (levels), codes, 3);
  g_autoptr (MtColumn) text = mt_column_new_text ("t", g_strdup ("onethree"), g_memdup2 (offsets, sizeof offsets), NULL, 3);
  g_autoptr (MtColumn) gaps = mt_column_new_text ("t", g_strdup ("onethree"), g_memdup2 (offsets, sizeof offsets),
                                                  g_memdup2 ("\2", 1), 3);

  g_assert_cmpuint (mt_column_get_n_bytes (coded), ==, 3 + 3 + 4 + 2 * (sizeof (char *) + sizeof (gsize)));
  g_assert_cmpuint (mt_column_get_n_bytes (text), ==, 8 + 4 * 8);
  g_assert_cmpuint (mt_column_get_n_bytes (gaps), ==, 8 + 4 * 8 + 1);
  g_assert_false (mt_column_is_missing (text, 1));
  g_assert_true (mt_column_is_missing (gaps, 1));
}

/* A date that no calendar holds is shown as the number it is. */
static void
test_far_dates (void)
{
  const double days[] = { -1e9, 1e9, 2932896 };
  g_autoptr (MtColumn) date = mt_column_new_numbers ("d", MT_TYPE_DATE, g_memdup2 (days, sizeof days), 3);
  g_autofree char *early = mt_column_dup_text (date, 0);
  g_autofree char *late = mt_column_dup_text (date, 1);
  g_autofree char *last = mt_column_dup_text (date, 2);

  g_assert_cmpstr (early, ==, "-1000000000");
  g_assert_cmpstr (late, ==, "1000000000");
  g_assert_cmpstr (last, ==, "9999-12-31");
}

#define REFUSED(statement) \
  G_STMT_START { \
    g_test_expect_message ("minterm", G_LOG_LEVEL_CRITICAL, "*assertion*failed*"); \
    statement; \
    g_test_assert_expected_messages (); \
  } G_STMT_END

/* A caller's mistake is named, and nothing is read that is not there. */
static void
test_misuse (void)
{
  const double values[] = { 1, 2 };
  const guint32 codes[] = { 0, 0 };
  char *levels[] = { (char *) "no", NULL };
  MtColumn *columns[] = {
    numbers ("n", values, 2), mt_column_new_codes ("c", MT_TYPE_CATEGORY, g_strdupv (levels), codes, 2),
  };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  double number;
  guint32 code;
  gsize length;

  REFUSED (g_assert_null (mt_column_type_to_string (99)));
  REFUSED (g_assert_null (mt_column_role_to_string (99)));
  REFUSED (g_assert_null (mt_column_new_numbers ("x", MT_TYPE_TEXT, NULL, 0)));
  REFUSED (g_assert_null (mt_column_new_codes ("x", MT_TYPE_NUMBER, NULL, NULL, 0)));
  REFUSED (mt_column_read_numbers (columns[1], 0, 1, &number));
  REFUSED (mt_column_read_numbers (columns[0], 3, 0, &number));
  REFUSED (mt_column_read_numbers (columns[0], 1, 2, &number));
  REFUSED (mt_column_read_codes (columns[0], 0, 1, &code));
  REFUSED (mt_column_read_codes (columns[1], 3, 0, &code));
  REFUSED (mt_column_read_codes (columns[1], 1, 2, &code));
  REFUSED (g_assert_null (mt_column_get_level (columns[1], 1)));
  REFUSED (g_assert_cmpuint (mt_column_get_level_count (columns[1], 1), ==, 0));
  REFUSED (g_assert_null (mt_column_peek_text (columns[0], 0, &length)));
  REFUSED (g_assert_null (mt_column_dup_text (columns[0], 2)));
  REFUSED (g_assert_null (mt_table_get_column (table, 2)));
  REFUSED (g_assert_cmpint (mt_table_get_role (table, 2), ==, MT_ROLE_IGNORED));
  REFUSED (g_assert_null (mt_table_get_reason (table, 2)));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/number-widths", test_number_widths);
  g_test_add_func ("/table/codes", test_codes);
  g_test_add_func ("/table/text", test_text);
  g_test_add_func ("/table/cell-text", test_cell_text);
  g_test_add_func ("/table/roles", test_roles);
  g_test_add_func ("/table/words", test_words);
  g_test_add_func ("/table/bytes", test_bytes);
  g_test_add_func ("/table/far-dates", test_far_dates);
  g_test_add_func ("/table/misuse", test_misuse);
  return g_test_run ();
}
