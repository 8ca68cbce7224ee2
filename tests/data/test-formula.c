/* Formulas of derived columns: what can be written, what comes out, what is refused. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"

static double
value_of (const char   *text,
          const double *numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtFormula) formula = mt_formula_new (text, &error);

  g_assert_no_error (error);
  return mt_formula_get_number (formula, numbers);
}

/* Each is written as given here, and so reads back. */
static void
test_text (void)
{
  static const struct { const char *given, *text, *name; } cases[] = {
    { "income/loan", "income / loan", "income / loan" },
    { " ( a - b ) / ( c + 1 ) ", "(a - b) / (c + 1)", "(a - b) / (c + 1)" },
    { "a - (b - c)", "a - (b - c)", "a - (b - c)" },
    { "(a - b) - c", "a - b - c", "a - b - c" },
    { "-(a * b)", "-(a * b)", "-(a * b)" },
    { "- a*2e3", "-a * 2000", "-a * 2000" },
    { "\"loan amount\" * 0.5", "\"loan amount\" * 0.5", "\"loan amount\" * 0.5" },
    { "log ( \"a \\\"b\\\"\" )", "log(\"a \\\"b\\\"\")", "log(\"a \\\"b\\\"\")" },
    { "month(when)", "month(when)", "month of when" },
    { "weekday( when )", "weekday(when)", "weekday of when" },
    { "days_since(when, 2020-01-01)", "days_since(when, 2020-01-01)", "days from 2020-01-01 to when" },
    { "contains(note,\"a=b\")", "contains(note, \"a=b\")", "contains(note, \"a=b\")" },
    { "bins(age, -1, 30,50.5)", "bins(age, -1, 30, 50.5)", "range of age" },
    { "größe_1.b / 2", "größe_1.b / 2", "größe_1.b / 2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtFormula) formula = mt_formula_new (cases[i].given, &error);
      g_autoptr (MtFormula) again = NULL;
      g_autofree char *name = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (mt_formula_get_text (formula), ==, cases[i].text);
      again = mt_formula_new (cases[i].text, &error);
      g_assert_no_error (error);
      g_assert_true (mt_formula_equal (formula, again));
      name = mt_formula_dup_name (formula);
      g_assert_cmpstr (name, ==, cases[i].name);
    }
}

static void
test_numbers (void)
{
  const double numbers[] = { 6, 4, NAN, 0, -8 };   /* in the order in which a formula names its columns */

  g_assert_cmpfloat (value_of ("a / b", numbers), ==, 1.5);
  g_assert_cmpfloat (value_of ("a - b - 1", numbers), ==, 1);
  g_assert_cmpfloat (value_of ("a - (b - 1)", numbers), ==, 3);
  g_assert_cmpfloat (value_of ("a + b * 2", numbers), ==, 14);
  g_assert_cmpfloat (value_of ("-(a - 10)", numbers), ==, 4);
  g_assert_cmpfloat (value_of ("abs(b - a)", numbers + 3), ==, 8);
  g_assert_cmpfloat_with_epsilon (value_of ("log(a)", numbers), log (6), 1e-15);
  /* No number: zero below, a logarithm that is none, a missing cell, too large, infinite. */
  g_assert_true (isnan (value_of ("1 / a", numbers + 3)));
  g_assert_true (isnan (value_of ("log(a)", numbers + 3)));
  g_assert_true (isnan (value_of ("log(a)", numbers + 4)));
  g_assert_true (isnan (value_of ("a + b * 0", numbers + 1)));
  g_assert_true (isnan (value_of ("1 / (a * 1e308 * 10)", numbers)));
  g_assert_true (isnan (value_of ("1 / a", (const double[]) { INFINITY })));
}

/* Against GLib's calendar, across leap years and before 1970. */
static void
test_dates (void)
{
  g_autoptr (MtFormula) weekday = mt_formula_new ("weekday(d)", NULL);
  static const char * const names[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" };

  for (int day = -200000; day < 200000; day += 97)
    {
      GDate date;
      double value = day + .75;

      g_date_clear (&date, 1);
      g_date_set_julian (&date, (guint32) (day + 719163));
      g_assert_cmpfloat (value_of ("year(d)", &value), ==, g_date_get_year (&date));
      g_assert_cmpfloat (value_of ("month(d)", &value), ==, g_date_get_month (&date));
      g_assert_cmpfloat (value_of ("day(d)", &value), ==, g_date_get_day (&date));
      g_assert_cmpfloat (value_of ("days_since(d, 1970-01-02)", &value), ==, value - 1);
      g_assert_cmpstr (mt_formula_get_levels (weekday)[mt_formula_get_level (weekday, &value, NULL)], ==,
                       names[g_date_get_weekday (&date) - 1]);
    }
  g_assert_cmpint (mt_formula_get_level (weekday, (const double[]) { NAN }, NULL), ==, -1);
}

static void
test_levels (void)
{
  g_autoptr (MtFormula) bins = mt_formula_new ("bins(a / 2, 10, 20)", NULL);
  g_autoptr (MtFormula) contains = mt_formula_new ("contains(t, \"late\")", NULL);
  static const struct { double a; int bin; } cases[] = { { 19.9, 0 }, { 20, 1 }, { 39.9, 1 }, { 40, 2 }, { NAN, -1 } };
  static const struct { const char *text; int answer; } texts[] = { { "too late", 1 }, { "Late", 0 }, { "", 0 }, { NULL, -1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (mt_formula_get_level (bins, &cases[i].a, NULL), ==, cases[i].bin);
  g_assert_cmpstr (mt_formula_get_levels (bins)[0], ==, "< 10");
  g_assert_cmpstr (mt_formula_get_levels (bins)[1], ==, "10 to < 20");
  g_assert_cmpstr (mt_formula_get_levels (bins)[2], ==, "≥ 20");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpint (mt_formula_get_level (contains, NULL, &texts[i].text), ==, texts[i].answer);
}

static void
test_refused (void)
{
  static const struct { const char *text, *message; } cases[] = {
    { "", "the name of a column is expected here" },
    { "a +", "the name of a column is expected here" },
    { "(a", "“)” is expected here" },
    { "a b", "the formula should end here" },
    { "3 * 4", "the formula does not use any column" },
    { "sin(a)", "there is no such function" },
    { "\"a", "a quotation mark is never closed" },
    { "1.2.3 * a", "a number is expected here" },
    { "weekday(d) + 1", "cannot be part of a larger formula" },
    { "1 + weekday(d)", "cannot be part of a larger formula" },
    { "(weekday(d))", "cannot be part of a larger formula" },
    { "contains(t)", "“,” is expected here" },
    { "contains(t, late)", "text in quotation marks is expected" },
    { "contains(t, \"\")", "the text is empty" },
    { "bins(a)", "at least one limit" },
    { "bins(a, 3, 3)", "must be in ascending order" },
    { "days_since(d, 2020-13-01)", "a date such as" },
    { "month(1)", "the name of a column is expected here" },
    { "a\n", "one line" },
  };
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtFormula) formula = mt_formula_new (cases[i].text, &error);

      g_assert_null (formula);
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: %s", cases[i].text, error->message);
      g_clear_error (&error);
    }
  for (guint i = 0; i < 900; i++)
    g_string_append_c (deep, '(');
  g_assert_null (mt_formula_new (deep->str, &error));
  g_assert_nonnull (strstr (error->message, "nested too deeply"));
  g_clear_error (&error);
  g_string_assign (deep, "a");
  for (guint i = 0; i < 900; i++)
    g_string_append (deep, "+1");
  g_assert_null (mt_formula_new (deep->str, &error));
  g_assert_nonnull (strstr (error->message, "too long"));
}

/* --- in a file --- */

static const char csv[] =
  "when,income,loan amount,note,kind,y\n"
  "2024-02-29,10,4,too late,a,1\n"
  "2024-12-31,9,0,,b,2\n"
  ",NA,3,on time,a,3\n"
  "2023-01-01,8,2,late,b,4\n";

static MtImport *
read_with (const char  *name,
           const char  *formula,
           GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (csv, strlen (csv));
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema };

  mt_schema_set_derived (schema, name, formula);
  mt_schema_set_type (schema, "when", MT_TYPE_DATE);
  mt_schema_set_type (schema, "income", MT_TYPE_NUMBER);
  mt_schema_set_type (schema, "loan amount", MT_TYPE_NUMBER);
  mt_schema_set_type (schema, "note", MT_TYPE_CATEGORY);
  mt_schema_set_type (schema, "kind", MT_TYPE_CATEGORY);
  return mt_import_bytes (bytes, &options, NULL, error);
}

static void
test_columns (void)
{
  static const struct { const char *formula; MtColumnType type; const char *cells[4]; } cases[] = {
    { "income / \"loan amount\"", MT_TYPE_NUMBER, { "2.5", "", "", "4" } },
    { "month(when)", MT_TYPE_NUMBER, { "2", "12", "", "1" } },
    { "weekday(when)", MT_TYPE_CATEGORY, { "Thursday", "Tuesday", "", "Sunday" } },
    { "contains(note, \"late\")", MT_TYPE_BOOLEAN, { "yes", "", "no", "yes" } },
    { "bins(income, 9)", MT_TYPE_CATEGORY, { "≥ 9", "≥ 9", "", "< 9" } },
    { "days_since(when, 2024-02-28)", MT_TYPE_NUMBER, { "1", "307", "", "-423" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = read_with ("new", cases[i].formula, &error);
      const MtTable *table;
      const MtColumn *column;
      guint place;

      g_assert_no_error (error);
      table = mt_import_get_table (import);
      column = mt_table_find_column (table, "new", &place);
      g_assert_cmpuint (place, ==, 6);
      g_assert_cmpint (mt_table_get_role (table, place), ==, MT_ROLE_FEATURE);
      g_assert_cmpint (mt_column_get_type (column), ==, cases[i].type);
      g_assert_cmpstr (mt_formula_get_text (mt_column_get_formula (column)), ==, cases[i].formula);
      for (gsize r = 0; r < 4; r++)
        {
          g_autofree char *text = mt_column_dup_text (column, r);

          g_assert_cmpstr (text, ==, cases[i].cells[r]);
        }
    }
}

static void
test_unfit (void)
{
  static const struct { const char *name, *formula, *message; } cases[] = {
    { "new", "salary / 2", "Derived column “new” needs column “salary”, which the data does not have" },
    { "new", "kind + 1", "Derived column “new”: the formula needs a number, but “kind” is a category" },
    { "new", "month(income)", "Derived column “new”: month() needs a date, but “income” is a number" },
    { "new", "contains(income, \"1\")", "Derived column “new”: contains() needs text, but “income” is a number" },
    { "INCOME", "income * 2", "Derived column “INCOME”: the data already has a column “income”" },
    { "", "income * 2", "A derived column needs a name" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = read_with (cases[i].name, cases[i].formula, &error);

      g_assert_null (import);
      g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: %s", cases[i].formula, error->message);
    }
}

/* Kept in the settings of a project, in their order; without any the bytes are as before. */
static void
test_schema (void)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtSchema) copy = NULL;
  g_autoptr (MtSchema) back = NULL;
  g_autofree char *before = mt_schema_to_json (schema);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  const char *formula;

  g_assert_cmpstr (before, ==, "{\"columns\":{}}");
  mt_schema_set_derived (schema, "z", "a / b");
  mt_schema_set_derived (schema, "m", "month(d)");
  mt_schema_set_derived (schema, "z", "a / c");
  json = mt_schema_to_json (schema);
  back = mt_schema_from_json (json, -1, &error);
  g_assert_no_error (error);
  copy = mt_schema_copy (back);
  g_assert_true (mt_schema_equal (copy, schema));
  g_assert_true (mt_schema_same_derived (copy, schema));
  g_assert_cmpuint (mt_schema_get_n_derived (copy), ==, 2);
  g_assert_cmpstr (mt_schema_get_derived (copy, 0, &formula), ==, "z");
  g_assert_cmpstr (formula, ==, "a / c");
  mt_schema_set_derived (copy, "z", NULL);
  g_assert_cmpuint (mt_schema_get_n_derived (copy), ==, 1);
  g_assert_false (mt_schema_same_derived (copy, schema));
  g_clear_pointer (&back, mt_schema_unref);
  back = mt_schema_from_json ("{\"columns\":{},\"derived\":[{\"name\":\"x\",\"formula\":\"a +\"}]}", -1, &error);
  g_assert_null (back);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formula/text", test_text);
  g_test_add_func ("/formula/numbers", test_numbers);
  g_test_add_func ("/formula/dates", test_dates);
  g_test_add_func ("/formula/levels", test_levels);
  g_test_add_func ("/formula/refused", test_refused);
  g_test_add_func ("/formula/columns", test_columns);
  g_test_add_func ("/formula/unfit", test_unfit);
  g_test_add_func ("/formula/schema", test_schema);
  return g_test_run ();
}
