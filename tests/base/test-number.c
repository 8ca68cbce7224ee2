#include <locale.h>
#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "base/mt-date.h"
#include "base/mt-number.h"
#include "base/mt-sha256.h"
#include "base/mt-text.h"

static void
check (const char           *text,
       char                  decimal,
       char                  thousands,
       MtNumberKind          kind,
       double                expected)
{
  MtNumberFormat format = { decimal, thousands };
  double value = 77;
  MtNumberKind got = mt_number_parse (text, strlen (text), &format, &value);

  if (got != kind || (kind != MT_NUMBER_NONE && value != expected))
    g_error ("“%s” (%c): kind %d, %.17g; expected kind %d, %.17g", text, decimal, got, value, kind, expected);
}

static void
test_plain (void)
{
  static const struct { const char *text; MtNumberKind kind; double value; } cases[] = {
    { "0", MT_NUMBER_FINITE, 0 }, { "5", MT_NUMBER_FINITE, 5 }, { "-5", MT_NUMBER_FINITE, -5 },
    { "+3", MT_NUMBER_FINITE, 3 }, { ".5", MT_NUMBER_FINITE, .5 }, { "5.", MT_NUMBER_FINITE, 5 },
    { "-0", MT_NUMBER_FINITE, -0.0 }, { " 12 ", MT_NUMBER_FINITE, 12 }, { "\t7", MT_NUMBER_FINITE, 7 },
    { "1e5", MT_NUMBER_FINITE, 1e5 }, { "1E+02", MT_NUMBER_FINITE, 100 }, { "25e-1", MT_NUMBER_FINITE, 2.5 },
    { "0.1", MT_NUMBER_FINITE, 0.1 }, { "123456789.125", MT_NUMBER_FINITE, 123456789.125 },
    { "9007199254740993", MT_NUMBER_FINITE, 9007199254740992.0 },
    { "4.9e-324", MT_NUMBER_FINITE, 4.9e-324 }, { "1e-400", MT_NUMBER_FINITE, 0 },
    { "1.7976931348623157e308", MT_NUMBER_FINITE, 1.7976931348623157e308 },
    { "0.3333333333333333333333", MT_NUMBER_FINITE, 1.0 / 3 },
    { "00.5", MT_NUMBER_FINITE, .5 }, { "007", MT_NUMBER_LEADING_ZERO, 7 }, { "-007", MT_NUMBER_LEADING_ZERO, -7 },
    { "0000000000000000000000001", MT_NUMBER_LEADING_ZERO, 1 },
    { "1e400", MT_NUMBER_INFINITE, INFINITY }, { "-1e400", MT_NUMBER_INFINITE, -INFINITY },
    { "inf", MT_NUMBER_INFINITE, INFINITY }, { "-Infinity", MT_NUMBER_INFINITE, -INFINITY },
    { "+INF", MT_NUMBER_INFINITE, INFINITY },
    { "", MT_NUMBER_NONE, 0 }, { "-", MT_NUMBER_NONE, 0 }, { ".", MT_NUMBER_NONE, 0 }, { "-.", MT_NUMBER_NONE, 0 },
    { "1e", MT_NUMBER_NONE, 0 }, { "1e+", MT_NUMBER_NONE, 0 }, { "0x1F", MT_NUMBER_NONE, 0 },
    { "1_000", MT_NUMBER_NONE, 0 }, { "nan", MT_NUMBER_NONE, 0 }, { "1.2.3", MT_NUMBER_NONE, 0 },
    { "--1", MT_NUMBER_NONE, 0 }, { "1 2", MT_NUMBER_NONE, 0 }, { "12a", MT_NUMBER_NONE, 0 },
    { "\xd9\xa1\xd9\xa2", MT_NUMBER_NONE, 0 }, { "infinit", MT_NUMBER_NONE, 0 }, { "1,5", MT_NUMBER_NONE, 0 },
  };
  g_autofree char *longest = g_strnfill (5000, '1');
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (cases[i].text, '.', 0, cases[i].kind, cases[i].value);
  g_assert_cmpint (mt_number_parse (longest, 5000, &mt_number_plain, &value), ==, MT_NUMBER_NONE);
  g_assert_cmpint (mt_number_parse (longest, 300, &mt_number_plain, &value), ==, MT_NUMBER_FINITE);
  g_assert_cmpint (mt_number_parse (longest, 400, &mt_number_plain, &value), ==, MT_NUMBER_INFINITE);
}

static void
test_formats (void)
{
  g_autofree char *longest = g_strnfill (5000, '1');
  MtNumberFormat comma = { ',', '.' };
  double value;

  check ("5581,94", ',', '.', MT_NUMBER_FINITE, 5581.94);
  check ("1.234,5", ',', '.', MT_NUMBER_FINITE, 1234.5);
  check ("-1.234.567", ',', '.', MT_NUMBER_FINITE, -1234567);
  check ("1.5", ',', '.', MT_NUMBER_NONE, 0);
  check ("1,53e4", ',', '.', MT_NUMBER_FINITE, 15300);
  check ("614,107.61", '.', ',', MT_NUMBER_FINITE, 614107.61);
  check ("1,234,567.89", '.', ',', MT_NUMBER_FINITE, 1234567.89);
  check ("12,34", '.', ',', MT_NUMBER_NONE, 0);
  check ("1234,567", '.', ',', MT_NUMBER_NONE, 0);
  check (",567", '.', ',', MT_NUMBER_NONE, 0);
  check ("1,23.5", '.', ',', MT_NUMBER_NONE, 0);
  check ("1,,234", '.', ',', MT_NUMBER_NONE, 0);
  check ("0,123", '.', ',', MT_NUMBER_NONE, 0);
  check ("-0,123", '.', ',', MT_NUMBER_NONE, 0);
  check ("12", '.', ',', MT_NUMBER_FINITE, 12);
  check ("1 234 567,5", ',', ' ', MT_NUMBER_FINITE, 1234567.5);
  check ("1\xc2\xa0""234", '.', ' ', MT_NUMBER_FINITE, 1234);
  check ("1\xe2\x80\xaf""234", '.', ' ', MT_NUMBER_FINITE, 1234);
  check ("1\xe2\x80\x89""234", '.', ' ', MT_NUMBER_FINITE, 1234);
  check ("1'234.5", '.', '\'', MT_NUMBER_FINITE, 1234.5);
  check ("1.5", ',', ' ', MT_NUMBER_NONE, 0);
  check ("1,5", ',', 0, MT_NUMBER_FINITE, 1.5);
  g_assert_cmpint (mt_number_parse (longest, 5000, &comma, &value), ==, MT_NUMBER_NONE);
}

/* The short way gives what the long way gives, or nothing. */
static void
test_short (void)
{
  static const char letters[] = "0123456789.-+e ,";
  MtRandom random;
  guint n_short = 0;

  mt_random_init (&random, 1);
  for (guint i = 0; i < 200000; i++)
    {
      char text[24] = "";
      gsize length = mt_random_below (&random, 10);
      double fast = 0, slow = 0;
      MtNumberKind kind;

      for (gsize k = 0; k < length; k++)
        text[k] = letters[mt_random_below (&random, i % 2 == 0 ? 11 : sizeof letters - 1)];
      kind = mt_number_parse (text, length, &mt_number_plain, &slow);
      if (!mt_number_parse_short (text, length, &fast))
        continue;
      n_short++;
      g_assert_cmpint (kind, ==, MT_NUMBER_FINITE);
      g_assert_cmpint (memcmp (&fast, &slow, sizeof fast), ==, 0);
    }
  g_assert_cmpuint (n_short, >, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 10000 : 0);
}

/* A comma in the locale changes nothing. */
static void
test_locale (void)
{
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed");
      return;
    }
  check ("0.3333333333333333333333", '.', 0, MT_NUMBER_FINITE, 1.0 / 3);
  setlocale (LC_NUMERIC, "C");
}

static void
test_dates (void)
{
  static const struct { const char *text; MtDateOrder order; double days; } good[] = {
    { "1970-01-01", MT_DATE_YMD, 0 }, { "2000-02-29", MT_DATE_YMD, 11016 }, { "1969/12/31", MT_DATE_YMD, -1 },
    { "31.12.1969", MT_DATE_DMY, -1 }, { "12/31/1969", MT_DATE_MDY, -1 }, { "1-2-1970", MT_DATE_DMY, 31 },
    { " 1970-01-02 ", MT_DATE_YMD, 1 }, { "1970-01-01T12:00", MT_DATE_YMD, .5 },
    { "1970-01-01 06:00:00", MT_DATE_YMD, .25 }, { "1970-01-01T06:00:00.000Z", MT_DATE_YMD, .25 },
    { "1970-01-01T06:00:00+06:00", MT_DATE_YMD, 0 }, { "1970-01-01T06:00:00-0600", MT_DATE_YMD, .5 },
    { "1970-01-01T06:00+06", MT_DATE_YMD, 0 }, { "0001-01-01", MT_DATE_YMD, -719162 },
  };
  static const struct { const char *text; MtDateOrder order; } bad[] = {
    { "2015-13-01", MT_DATE_YMD }, { "2015-02-29", MT_DATE_YMD }, { "1900-02-29", MT_DATE_YMD },
    { "2015-00-10", MT_DATE_YMD }, { "2015-01-00", MT_DATE_YMD }, { "2015-01/01", MT_DATE_YMD },
    { "20150101", MT_DATE_YMD }, { "2015", MT_DATE_YMD }, { "31/12/15", MT_DATE_DMY }, { "2015 01 01", MT_DATE_YMD },
    { "2015-01-01X", MT_DATE_YMD }, { "2015-01-01T25:00", MT_DATE_YMD }, { "2015-01-01T12", MT_DATE_YMD },
    { "2015-01-01T12:00:0", MT_DATE_YMD }, { "2015-01-01T12:60", MT_DATE_YMD }, { "2015-01-01T12:00+1", MT_DATE_YMD },
    { "2015-01-01T12:00+15:00", MT_DATE_YMD }, { "2015-01-01T12:00+01:0", MT_DATE_YMD }, { "0000-01-01", MT_DATE_YMD },
    { "2015-01-01T12:00Zx", MT_DATE_YMD }, { "x015-01-01", MT_DATE_YMD }, { "13/13/2015", MT_DATE_MDY },
  };
  double days;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      if (!mt_date_parse (good[i].text, strlen (good[i].text), good[i].order, &days))
        g_error ("%s is no date", good[i].text);
      g_assert_cmpfloat (days, ==, good[i].days);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    if (mt_date_parse (bad[i].text, strlen (bad[i].text), bad[i].order, &days))
      g_error ("%s is a date", bad[i].text);
}

static void
test_sha256 (void)
{
  g_autofree guint8 *data = g_malloc (1000);
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint i = 0; i < 1000; i++)
    data[i] = (guint8) mt_random_next (&random);
  for (gsize n = 0; n < 200; n++)
    {
      g_autoptr (MtSha256) fast = mt_sha256_new (FALSE);
      g_autoptr (MtSha256) slow = mt_sha256_new (TRUE);
      g_autofree char *a = NULL;
      g_autofree char *b = NULL;

      for (guint part = 0; part < 3; part++)
        {
          mt_sha256_update (fast, data + part, n);
          mt_sha256_update (slow, data + part, n);
        }
      a = mt_sha256_finish (fast);
      b = mt_sha256_finish (slow);
      g_assert_cmpstr (a, ==, b);
    }
}

static void
test_excerpt (void)
{
  g_autofree char *cut = mt_text_excerpt ("abcdef", 6, 3);
  g_autofree char *line = mt_text_excerpt ("ab\ncd", 5, 10);
  g_autofree char *control = mt_text_excerpt ("a\x1b[1m", 5, 10);
  g_autofree char *bad = mt_text_excerpt ("a\xff", 2, 10);

  g_assert_cmpstr (cut, ==, "“abc…”");
  g_assert_cmpstr (line, ==, "“ab…”");
  g_assert_cmpstr (control, ==, "“a\\u001b[1m”");
  g_assert_true (g_utf8_validate (bad, -1, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/plain", test_plain);
  g_test_add_func ("/number/formats", test_formats);
  g_test_add_func ("/number/short", test_short);
  g_test_add_func ("/number/locale", test_locale);
  g_test_add_func ("/number/dates", test_dates);
  g_test_add_func ("/number/sha256", test_sha256);
  g_test_add_func ("/number/excerpt", test_excerpt);
  return g_test_run ();
}
