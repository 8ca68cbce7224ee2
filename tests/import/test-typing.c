/* What a column is by its texts, and numbers with what people write around them: known answers, and the same answer in
 * whatever order the texts come. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-random.h"
#include "import/mt-typing.h"

/* --- quantities --- */

static void
test_split (void)
{
  static const struct {
    const char *text, *number, *unit;   /* number NULL: it is no quantity */
    gboolean    negative;
  } cases[] = {
    { "$1,200.50", "1,200.50", "$", FALSE },
    { " 12 % ", "12", "%", FALSE },
    { "5 kg", "5", "kg", FALSE },
    { "5kg", "5", "kg", FALSE },
    { "(3.20)", "3.20", "", TRUE },
    { "(3.20 %)", "3.20", "%", TRUE },
    { "3.20-", "3.20", "", TRUE },
    { "-$5", "5", "$", TRUE },
    { "-5 %", "-5", "%", FALSE },           /* the minus is the number's own */
    { "US$ 7", "7", "US$", FALSE },
    { "EUR 1.200,50", "1.200,50", "EUR", FALSE },
    { "1.200,50 €", "1.200,50", "€", FALSE },
    { "€5", "5", "€", FALSE },
    { "zł 5", "5", "zł", FALSE },
    { "kr 12", "12", "kr", FALSE },
    { "20.5 °C", "20.5", "°C", FALSE },
    { "3 m²", "3", "m²", FALSE },
    { "120 km/h", "120", "km/h", FALSE },
    { "12.%", "12.", "%", FALSE },
    { "12", NULL, NULL, FALSE },
    { "-12", NULL, NULL, FALSE },
    { "", NULL, NULL, FALSE },
    { "()", NULL, NULL, FALSE },
    { "kg", NULL, NULL, FALSE },
    { "$", NULL, NULL, FALSE },
    { "A12", NULL, NULL, FALSE },           /* a code: only currencies stand in front */
    { "room 12 b", NULL, NULL, FALSE },
    { "12 kilogrammesandmore", NULL, NULL, FALSE },
    { "12 #", NULL, NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtQuantity quantity;
      gboolean is_one = mt_quantity_split (cases[i].text, strlen (cases[i].text), &quantity);
      g_autofree char *number = is_one ? g_strndup (quantity.number, quantity.length) : NULL;

      g_test_message ("“%s”", cases[i].text);
      g_assert_cmpstr (number, ==, cases[i].number);
      if (!is_one)
        continue;
      g_assert_cmpstr (quantity.unit, ==, cases[i].unit);
      g_assert_cmpint (quantity.negative, ==, cases[i].negative);
    }
}

static void
test_parse (void)
{
  static const MtNumberFormat german = { ',', '.' }, english = { '.', ',' };
  static const struct {
    const char           *text;
    const MtNumberFormat *format;
    double                value;
  } cases[] = {
    { "7", &english, 7 }, { "$1,200.50", &english, 1200.5 }, { "1.200,50 €", &german, 1200.5 }, { "(3.20)", &english, -3.2 },
    { "3,20-", &german, -3.2 }, { "-$5", &english, -5 }, { "-5 %", &english, -5 }, { "(5 %)", &english, -5 },
    { "12 %", &german, 12 }, { "$1.200,50", &english, NAN }, { "five %", &english, NAN }, { "5 %%-", &english, NAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double value = 99;
      MtNumberKind kind = mt_quantity_parse (cases[i].text, strlen (cases[i].text), cases[i].format, NULL, &value);

      g_test_message ("“%s”", cases[i].text);
      g_assert_cmpint (kind != MT_NUMBER_NONE, ==, !isnan (cases[i].value));
      if (kind != MT_NUMBER_NONE)
        g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

/* --- columns --- */

typedef struct {
  const char   *cells;         /* with | between them */
  char          delimiter, decimal, thousands;
  MtColumnType  type;
  const char   *format;        /* of a number: its decimal and thousands, "." or ",." */
  const char   *flags;         /* of: a(mbiguous) m(ixed) z(eros) u(nits) g(rouped) */
} Column;

static const Column columns[] = {
  { "1|2|3.5|-4", ',', 0, 0, MT_TYPE_NUMBER, ".", "" },
  { "1,5|2,25|3", ';', 0, 0, MT_TYPE_NUMBER, ",.", "" },
  { "1.234,5|2.000,25|3", ';', 0, 0, MT_TYPE_NUMBER, ",.", "" },
  { "1,234.5|2,000.25|3", ',', 0, 0, MT_TYPE_NUMBER, ".,", "" },
  { "1,234|2,500|7,125", ',', 0, 0, MT_TYPE_NUMBER, ".,", "a" },        /* thousands, or a bit more than one */
  { "1,234|2,500|7,125", ';', 0, 0, MT_TYPE_NUMBER, ",.", "a" },         /* the other way in a semicolon file */
  { "1,234|2,500|7,125", ',', ',', 0, MT_TYPE_NUMBER, ",.", "" },        /* it was said */
  { "1.234|2.500", ',', 0, 0, MT_TYPE_NUMBER, ".", "" },
  { "1.234|2.500", ';', 0, 0, MT_TYPE_NUMBER, ".", "a" },
  { "1'234.5|2'000.25|3", ',', 0, 0, MT_TYPE_NUMBER, ".'", "" },
  { "a|b|c|a", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "" },
  { "yes|no|yes", ',', 0, 0, MT_TYPE_BOOLEAN, NULL, "" },
  { "0|1|1", ',', 0, 0, MT_TYPE_BOOLEAN, NULL, "" },
  { "0|1", ',', 0, 0, MT_TYPE_NUMBER, ".", "" },                        /* two rows say nothing */
  { "007|012|100|003", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "z" },
  { "007|0.5|100|003", ',', 0, 0, MT_TYPE_NUMBER, ".", "" },            /* no codes: there is a fraction */
  { "12 %|7 %|100 %|3 %", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "u" },
  { "12 %|7 kg|100 %|3 %", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "" },     /* not one unit */
  { "(12 %)|7 %|(3)|4", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "u" },
  { "1_000|2_500|3", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "g" },
  { "1|2|x|4", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "m" },
  { "1|2|-|4|5", ',', 0, 0, MT_TYPE_NUMBER, ".", "" },                  /* nothing, in a column of numbers */
  { "2024-01-31|2024-02-01|2023-12-24", ',', 0, 0, MT_TYPE_DATE, NULL, "" },
  { "31/01/2024|01/02/2024|24/12/2023", ',', 0, 0, MT_TYPE_DATE, NULL, "" },
  { "01/02/2024|03/04/2024|05/06/2024", ',', 0, 0, MT_TYPE_CATEGORY, NULL, "a" },   /* of which month? */
};

static char *
describe (const MtTypeGuess *guess)
{
  const MtNumberFormat *format = &mt_number_formats[guess->format];
  char number[] = { format->decimal, format->thousands, '\0' };

  return g_strdup_printf ("%s %s %s%s%s%s%s", mt_column_type_to_string (guess->type),
                          guess->type == MT_TYPE_NUMBER ? number : "", guess->ambiguous ? "a" : "", guess->mixed ? "m" : "",
                          guess->zeros ? "z" : "", guess->units ? "u" : "", guess->grouped ? "g" : "");
}

/* The cells in the order of @places, each alone or equal ones together. */
static char *
decide (const Column *column,
        char        **cells,
        const guint  *places,
        gboolean      together)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  MtTypeTally tally = { 0 };
  MtTypeGuess guess;
  guint n = g_strv_length (cells);

  dialect->delimiter = column->delimiter;
  dialect->decimal = column->decimal;
  dialect->thousands = column->thousands;
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (counts, cells[i], GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, cells[i])) + 1));
  for (guint i = 0; i < n; i++)
    {
      const char *cell = cells[places[i]];
      guint count = together ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, cell)) : 1;

      if (count > 0)
        mt_type_tally_add (&tally, cell, strlen (cell), count);
      if (together)
        g_hash_table_insert (counts, (gpointer) cell, NULL);
    }
  tally.n_distinct = g_hash_table_size (counts);
  mt_type_decide (&tally, dialect, -1, &guess);
  return describe (&guess);
}

static void
test_columns (void)
{
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_auto (GStrv) cells = g_strsplit (columns[i].cells, "|", -1);
      g_autofree char *expected = g_strdup_printf ("%s %s %s", mt_column_type_to_string (columns[i].type),
                                                   columns[i].format != NULL ? columns[i].format : "", columns[i].flags);
      guint n = g_strv_length (cells), places[8];

      g_test_message ("%s", columns[i].cells);
      for (guint j = 0; j < n; j++)
        places[j] = j;
      for (guint round = 0; round < 20; round++)
        {
          g_autofree char *found = decide (&columns[i], cells, places, round % 2 == 0);

          g_assert_cmpstr (found, ==, expected);
          for (guint j = n - 1; j > 0; j--)
            {
              guint other = (guint) mt_random_below (&random, j + 1), kept = places[j];

              places[j] = places[other];
              places[other] = kept;
            }
        }
    }
}

/* Five of a hundred may be wrong, six not, and of ninety-nine none. */
static void
test_tolerance (void)
{
  g_assert_true (mt_type_tolerable (7, 7));
  g_assert_false (mt_type_tolerable (98, 99));
  g_assert_true (mt_type_tolerable (95, 100));
  g_assert_false (mt_type_tolerable (94, 100));
  g_assert_true (mt_type_only_nothings (1, 9, 10));
  g_assert_false (mt_type_only_nothings (1, 10, 11));    /* too few numbers */
  g_assert_false (mt_type_only_nothings (10, 0, 10));    /* there is no nothing */
  g_assert_false (mt_type_only_nothings (5, 4, 10));     /* one is a word */
}

static gboolean
is_missing (const char         *text,
            const char * const *tokens)
{
  return mt_missing_is_token (text, strlen (text), tokens);
}

static void
test_missing (void)
{
  static const char * const words[] = { "", "NA", NULL };
  static const char * const numbers[] = { "", "-9", "0", NULL };

  g_assert_true (is_missing ("", words));
  g_assert_true (is_missing (" \t ", words));
  g_assert_true (is_missing (" NA ", words));
  g_assert_false (is_missing ("na", words));
  g_assert_false (is_missing ("N", words));
  g_assert_false (is_missing ("NAN", words));
  g_assert_false (is_missing ("0", words));
  g_assert_true (is_missing ("-9.00", numbers));
  g_assert_true (is_missing ("0.0", numbers));
  g_assert_false (is_missing ("9", numbers));
  g_assert_false (is_missing ("-99", numbers));
  g_assert_false (mt_missing_has_number_token (words));
  g_assert_true (mt_missing_has_number_token (numbers));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/typing/split", test_split);
  g_test_add_func ("/typing/parse", test_parse);
  g_test_add_func ("/typing/columns", test_columns);
  g_test_add_func ("/typing/tolerance", test_tolerance);
  g_test_add_func ("/typing/missing", test_missing);
  return g_test_run ();
}
