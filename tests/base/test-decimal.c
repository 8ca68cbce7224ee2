/* Decimals and dates: what is printed reads back as the same double, and a threshold is the
 * shortest number in its gap. */
#include "config.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-number.h"
#include "base/mt-random.h"

static double
from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static double
random_finite (MtRandom *random)
{
  double value;

  do
    value = from_bits (mt_random_next (random));
  while (!isfinite (value));
  return value;
}

/* --- writing --- */

static void
test_write (void)
{
  const struct { double value; const char *text; } cases[] = {
    { 0, "0" }, { -0.0, "-0" }, { 55, "55" }, { -55, "-55" }, { 0.1, "0.1" }, { 0.001, "0.001" },
    { 0.00012, "0.00012" }, { 0.0000123, "1.23e-5" }, { 1e15, "1000000000000000" }, { 1e17, "1e17" },
    { 1e16, "10000000000000000" }, { 1e300, "1e300" }, { -1.5e300, "-1.5e300" }, { 5e-324, "5e-324" },
    { 1e-310, "1e-310" }, { 123.456, "123.456" }, { 1.0 / 3, "0.3333333333333333" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { DBL_MAX, "1.7976931348623157e308" }, { 2251799813685248.5, "2251799813685248.5" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = mt_decimal_dup (cases[i].value);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_round_trip (void)
{
  MtRandom random;
  gsize n = g_test_slow () ? 1000000 : 20000;

  mt_random_init (&random, 1);
  for (gsize i = 0; i < n; i++)
    {
      double value = random_finite (&random), back;
      char buffer[MT_DECIMAL_SIZE], shorter[40];

      if (i % 3 == 0)   /* the kind that people write */
        value = floor (mt_random_double (&random) * 1e6) / 1e4;
      mt_decimal_write (value, buffer);
      g_assert_cmpuint (strlen (buffer), <, MT_DECIMAL_SIZE);
      g_assert_true (mt_decimal_parse (buffer, &back));
      g_assert_true (memcmp (&back, &value, sizeof value) == 0);
      /* No decimal with one digit less reads back as the same. */
      if (value != 0)
        {
          gsize n_digits = 0;
          char format[8];
          gboolean leading = TRUE;

          for (const char *p = buffer; *p != '\0' && *p != 'e'; p++)
            if (g_ascii_isdigit (*p) && !(leading && *p == '0'))
              {
                leading = FALSE;
                n_digits++;
              }
          for (const char *p = buffer + strcspn (buffer, "e"); p > buffer && strchr (buffer, '.') == NULL &&
               p[-1] == '0'; p--)
            n_digits--;
          if (n_digits > 1)
            {
              g_snprintf (format, sizeof format, "%%.%de", (int) n_digits - 2);
              g_ascii_formatd (shorter, sizeof shorter, format, value);
              g_assert_cmpfloat (g_ascii_strtod (shorter, NULL), !=, value);
            }
        }
    }
}

static void
test_parse_refuses (void)
{
  const char *bad[] = { "", " 1", "1 ", "+1", "0x10", "inf", "nan", "1e999", "1,5", "1e", "--1", "abc",
                       "1.2.3" };
  double value;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (mt_decimal_parse (bad[i], &value));
}

static void
test_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    g_test_message ("no German locale here; the C locale is tried instead");
  test_write ();
  g_assert_cmpfloat (mt_shortest_decimal_between (0.12, 0.34), ==, 0.2);
  setlocale (LC_NUMERIC, before);
}

/* --- the shortest decimal in a gap --- */

static void
test_shortest_known (void)
{
  const struct { double a, b, t; } cases[] = {
    { 54, 55, 55 },           { 54.2, 55.9, 55 },     { 53.2, 58.9, 55 },     { 3, 120, 100 },
    { -1, 1, 0 },             { -1, 0, 0 },           { 0, 1, 1 },            { 0, 0.7, 0.5 },
    { -3, -2, -2 },           { -10, -9.5, -9.5 },    { -120, -3, -100 },     { 12, 38, 20 },
    { 0.1, 0.11, 0.11 },      { 1.234, 1.235, 1.235 },{ 99.5, 100.5, 100 },   { 9.4, 9.6, 9.5 },
    { 1e300, 2e300, 2e300 },  { 5e-324, 1e-323, 1e-323 }, { -1e-323, -5e-324, -5e-324 },
    { 9.9e22, 1e23, 1e23 },   { -0.0, 5e-324, 5e-324 },   { -DBL_MAX, DBL_MAX, 0 },
    { 1.7e308, DBL_MAX, 1.75e308 }, { 54.6, 54.7, 54.7 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double t = mt_shortest_decimal_between (cases[i].a, cases[i].b);

      g_test_message ("(%g, %g] gives %.17g", cases[i].a, cases[i].b, t);
      g_assert_cmpfloat (t, ==, cases[i].t);
      g_assert_false (signbit (t) != 0 && t == 0);
    }
}

/* Digits of the shortest decimal for @t, 0 having one. */
static int
count_digits (double t)
{
  char text[40];

  for (int n = 1; n < 17; n++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%de", n - 1);
      g_ascii_formatd (text, sizeof text, format, t);
      if (g_ascii_strtod (text, NULL) == t)
        return n;
    }
  return 17;
}

/* By definition: is there a decimal with @n_digits digits in (a, b]? Tries, for every power of
 * ten that can matter, the integers around both ends and, where the gap holds few, all. */
static gboolean
exists (double a,
        double b,
        int    n_digits)
{
  double largest = MAX (fabs (a), fabs (b));

  if (a < 0 && b >= 0)
    return TRUE;
  for (int exponent = (int) floor (log10 (largest)) + 2; exponent > (int) floor (log10 (largest)) - 3; exponent--)
    {
      int unit = exponent - n_digits + 1;
      double low = MIN (fabs (a), fabs (b)), high = largest;
      /* Integers m with m × 10^unit near [low, high]. */
      long double scale = powl (10.0L, (long double) unit);
      long double from = floorl ((long double) low / scale) - 25,
                         to = ceill ((long double) high / scale) + 25;

      if (to - from > 5000)
        from = to - 5000;   /* a gap that wide has a shorter decimal; it is found near its end */
      for (long double m = MAX (from, 1); m <= to; m++)
        {
          char text[64];
          double value;

          if (m >= powl (10.0L, n_digits))
            break;
          g_snprintf (text, sizeof text, "%s%" G_GUINT64_FORMAT "e%d", b <= 0 ? "-" : "", (guint64) m, unit);
          value = g_ascii_strtod (text, NULL);
          if (value > a && value <= b)
            return TRUE;
        }
    }
  return FALSE;
}

static void
check_gap (double a,
           double b)
{
  double t = mt_shortest_decimal_between (a, b);

  g_assert_true (isfinite (t));
  if (!(a < t && t <= b))
    g_error ("(%.17g, %.17g] gave %.17g", a, b, t);
  for (int n = 1; n < count_digits (t); n++)
    if (exists (a, b, n))
      g_error ("(%.17g, %.17g] gave %.17g, though %d digits are enough", a, b, t, n);
}

static void
test_shortest_property (void)
{
  MtRandom random;
  gsize n = g_test_slow () ? 50000 : 3000;

  mt_random_init (&random, 2);
  for (gsize i = 0; i < n; i++)
    {
      double a = random_finite (&random), b;

      switch (i % 6)
        {
        case 0:   /* neighbours */
          b = nextafter (a, INFINITY);
          break;
        case 1:   /* a few steps apart */
          b = a;
          for (guint64 k = mt_random_below (&random, 40) + 1; k > 0; k--)
            b = nextafter (b, INFINITY);
          break;
        case 2:   /* any two */
          b = random_finite (&random);
          break;
        case 3:   /* as in tables: few decimals */
          a = floor (mt_random_normal (&random) * 1000) / 100;
          b = a + (double) (1 + mt_random_below (&random, 300)) / 100;
          break;
        case 4:   /* around powers of ten */
          a = g_ascii_strtod ((const char *[]) { "1e5", "-1e5", "1e-5", "-1e-5", "1e22", "-1e23" }[i / 6 % 6],
                              NULL);
          b = a + fabs (a) * mt_random_double (&random) * 0.2;
          break;
        default:  /* subnormal */
          a = from_bits (mt_random_below (&random, 2000));
          b = from_bits (mt_random_below (&random, 2000));
          if (mt_random_below (&random, 2))
            {
              a = -a;
              b = -b;
            }
        }
      if (a > b)
        {
          double swap = a;

          a = b;
          b = swap;
        }
      if (a < b && isfinite (b))
        check_gap (a, b);
    }
}

/* The property test can fail: it rejects the middle of a gap. */
static void
test_shortest_catches (void)
{
  g_assert_true (exists (53.2, 58.9, 2));
  g_assert_false (exists (53.2, 53.9, 2));
  g_assert_cmpint (count_digits (56.05), ==, 4);
}

/* --- dates --- */

static void
test_date_days (void)
{
  int year = 1, month = 1, day = 1;

  g_assert_cmpint (mt_date_to_days (1970, 1, 1), ==, 0);
  g_assert_cmpint (mt_date_to_days (2000, 3, 1), ==, 11017);
  g_assert_cmpint (mt_date_to_days (1969, 12, 31), ==, -1);
  g_assert_cmpint (mt_date_to_days (-1, 3, 1), ==, -719834);
  for (gint64 d = -719162; d <= 2932896; d += 17)
    {
      g_autoptr (GDate) date = g_date_new_julian ((guint32) (d + 719163));

      mt_date_from_days (d, &year, &month, &day);
      g_assert_cmpint (year, ==, g_date_get_year (date));
      g_assert_cmpint (month, ==, g_date_get_month (date));
      g_assert_cmpint (day, ==, g_date_get_day (date));
      g_assert_cmpint (mt_date_to_days (year, month, day), ==, d);
    }
  mt_date_from_days (-719834, &year, &month, &day);
  g_assert_cmpint (year, ==, -1);
}

static void
test_date_iso (void)
{
  const char *good[] = { "2015-03-01", "0001-01-01", "9999-12-31", "2016-02-29", "2015-03-01T12:30:00",
                        "1969-12-31T23:59:59" };
  double days;

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *text = NULL;

      g_assert_true (mt_date_parse (good[i], strlen (good[i]), MT_DATE_YMD, &days));
      text = mt_date_dup_iso (days);
      g_assert_cmpstr (text, ==, good[i]);
    }
  g_assert_null (mt_date_dup_iso (0.123456789));
  g_assert_null (mt_date_dup_iso (1e9));
  g_assert_null (mt_date_dup_iso (-1e9));
  g_assert_null (mt_date_dup_iso (NAN));
  g_assert_null (mt_date_dup_iso (nextafter (1, 0)));
}

static double
day (const char *iso)
{
  double days;

  g_assert_true (mt_date_parse (iso, strlen (iso), MT_DATE_YMD, &days));
  return days;
}

static void
test_date_round (void)
{
  const struct { const char *a, *b, *t; } cases[] = {
    { "2014-12-31", "2015-03-07", "2015-01-01" },
    { "2015-02-10", "2015-03-07", "2015-03-01" },
    { "2015-03-01", "2015-03-07", "2015-03-07" },
    { "2015-03-01T08:00:00", "2015-03-01T12:34:56", "2015-03-01T12:00:00" },
    { "2015-03-01T12:05:00", "2015-03-01T12:34:56", "2015-03-01T12:34:00" },
    { "2015-03-01T12:34:01", "2015-03-01T12:34:56", "2015-03-01T12:34:56" },
    { "1960-05-05", "1962-05-05", "1962-01-01" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double t = mt_date_round_between (day (cases[i].a), day (cases[i].b));
      g_autofree char *text = mt_date_dup_iso (t);

      g_assert_cmpstr (text, ==, cases[i].t);
    }
  /* Within a second, and outside the calendar, a number has to do. */
  g_assert_cmpfloat (mt_date_round_between (16495.5000001, 16495.5000002), ==, 16495.5000002);
  g_assert_cmpfloat (mt_date_round_between (5e9, 7e9), ==, 6e9);
}

/* The same digits in C's notation; mt_number_parse reads them back. */
static void
test_write_c (void)
{
  static const struct { double value; const char *text; } cases[] = {
    { 0, "0" }, { -0.0, "-0" }, { 5, "5" }, { -12, "-12" }, { 0.1, "0.1" }, { 1e22, "1e+22" }, { 1e15, "1e+15" }, { 1e-5, "1e-05" },
    { 0.0001, "0.0001" }, { 1234567890123456, "1234567890123456" },
    { 123456789012345, "123456789012345" }, { 5e-324, "5e-324" }, { 100.0 / 3, "33.333333333333336" },
    { INFINITY, "inf" }, { -INFINITY, "-inf" }, { NAN, "nan" },
  };
  MtRandom random;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = mt_decimal_dup_c (cases[i].value);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
  mt_random_init (&random, 2);
  for (guint i = 0; i < (g_test_slow () ? 1000000 : 50000); i++)
    {
      guint64 bits = mt_random_next (&random);
      char buffer[MT_DECIMAL_SIZE];
      double value, back = 0;

      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        continue;
      mt_decimal_write_c (value, buffer);
      g_assert_cmpint (mt_number_parse (buffer, strlen (buffer), &mt_number_plain, &back), ==, MT_NUMBER_FINITE);
      g_assert_cmpint (memcmp (&value, &back, sizeof value), ==, 0);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decimal/write", test_write);
  g_test_add_func ("/decimal/write-c", test_write_c);
  g_test_add_func ("/decimal/round-trip", test_round_trip);
  g_test_add_func ("/decimal/parse-refuses", test_parse_refuses);
  g_test_add_func ("/decimal/locale", test_locale);
  g_test_add_func ("/decimal/shortest-known", test_shortest_known);
  g_test_add_func ("/decimal/shortest-property", test_shortest_property);
  g_test_add_func ("/decimal/shortest-catches", test_shortest_catches);
  g_test_add_func ("/date/days", test_date_days);
  g_test_add_func ("/date/iso", test_date_iso);
  g_test_add_func ("/date/round", test_date_round);
  return g_test_run ();
}
