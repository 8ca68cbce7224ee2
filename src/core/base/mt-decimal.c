/* Decimals that people can read and machines can trust. See mt-decimal.h. */
#include "config.h"
#include "mt-decimal.h"

#include <math.h>
#include <string.h>

#define MAX_DIGITS 17          /* enough for every double */
#define SAFE_DIGITS 15         /* every decimal this short survives the way through a normal double */
#define SMALLEST_NORMAL 0x1p-1022

/* A positive decimal: significand × 10^exponent. */
typedef struct {
  guint64 significand;
  int     exponent;
} Decimal;

/* @value rounded to @n_digits significant digits; @value > 0. The significand keeps its
 * trailing zeros: it has exactly @n_digits digits. */
static Decimal
round_to_digits (double value,
                 int    n_digits)
{
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
  Decimal d = { 0, 0 };
  const char *p;

  g_snprintf (format, sizeof format, "%%.%de", n_digits - 1);
  g_ascii_formatd (text, sizeof text, format, value);
  for (p = text; *p != 'e'; p++)
    if (*p != '.')
      d.significand = d.significand * 10 + (guint64) (*p - '0');
  d.exponent = (int) g_ascii_strtoll (p + 1, NULL, 10) - (n_digits - 1);
  return d;
}

static double
decimal_to_double (Decimal d)
{
  char text[48];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT "e%d", d.significand, d.exponent);
  return g_ascii_strtod (text, NULL);
}

static Decimal
strip_zeros (Decimal d)
{
  while (d.significand != 0 && d.significand % 10 == 0)
    {
      d.significand /= 10;
      d.exponent++;
    }
  return d;
}

static Decimal
shortest (double value)
{
  /* Below the normal range a double carries fewer digits, so the search starts at one. */
  int first = value < SMALLEST_NORMAL ? 1 : SAFE_DIGITS;

  for (int n = first; n < MAX_DIGITS; n++)
    {
      Decimal d = round_to_digits (value, n);

      if (decimal_to_double (d) == value)
        return strip_zeros (d);
    }
  return strip_zeros (round_to_digits (value, MAX_DIGITS));
}

const char *
mt_decimal_write (double value,
                  char   buffer[MT_DECIMAL_SIZE])
{
  const char *sign = signbit (value) ? "-" : "";
  char digits[24];
  Decimal d;
  int n, point;   /* digits, and how many of them stand before the point */

  g_return_val_if_fail (isfinite (value), NULL);

  if (value == 0)
    {
      g_snprintf (buffer, MT_DECIMAL_SIZE, "%s0", sign);
      return buffer;
    }
  d = shortest (fabs (value));
  n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, d.significand);
  point = n + d.exponent;

  if (d.exponent >= 0 && point <= MAX_DIGITS)
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s%s%.*s", sign, digits, d.exponent, "00000000000000000");
  else if (d.exponent < 0 && point > 0)
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s%.*s.%s", sign, point, digits, digits + point);
  else if (d.exponent < 0 && point > -4)
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s0.%.*s%s", sign, -point, "000", digits);
  else if (n == 1)
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s%se%d", sign, digits, point - 1);
  else
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s%c.%se%d", sign, digits[0], digits + 1, point - 1);
  return buffer;
}

char *
mt_decimal_dup (double value)
{
  char buffer[MT_DECIMAL_SIZE];

  return g_strdup (mt_decimal_write (value, buffer));
}

const char *
mt_decimal_write_c (double value,
                    char   buffer[MT_DECIMAL_SIZE])
{
  const char *sign = signbit (value) ? "-" : "";
  char digits[24], format[8];
  Decimal d;
  int n;

  if (isnan (value))
    g_strlcpy (buffer, "nan", MT_DECIMAL_SIZE);
  else if (isinf (value))
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%sinf", sign);
  else if (fabs (value) < 1e15 && value == floor (value))
    g_snprintf (buffer, MT_DECIMAL_SIZE, "%s%" G_GINT64_FORMAT, sign, (gint64) fabs (value));
  else
    {
      /* With as many digits as the shortest form has, %g rounds to that form. It would begin an exponent at the
       * digit after the last, so a normal number asks for 15 at least; %g drops the zeros. */
      d = shortest (fabs (value));
      n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, d.significand);
      g_snprintf (format, sizeof format, "%%.%dg", fabs (value) < SMALLEST_NORMAL ? n : MAX (n, SAFE_DIGITS));
      g_ascii_formatd (buffer, MT_DECIMAL_SIZE, format, value);
    }
  return buffer;
}

char *
mt_decimal_dup_c (double value)
{
  char buffer[MT_DECIMAL_SIZE];

  return g_strdup (mt_decimal_write_c (value, buffer));
}

gboolean
mt_decimal_parse (const char *text,
                  double     *value)
{
  char *end;
  double v;

  /* strtod would also take space, a plus sign, hexadecimal, inf and nan. */
  if (text[0] == '\0' || text[strspn (text, "0123456789.eE+-")] != '\0' || text[0] == '+')
    return FALSE;
  v = g_ascii_strtod (text, &end);
  if (*end != '\0' || !isfinite (v))
    return FALSE;
  *value = v;
  return TRUE;
}

/* How pleasant the last digit is: 5, then even, then odd. */
static int
last_digit_rank (guint64 significand)
{
  guint64 digit = significand % 10;

  return digit == 5 ? 0 : digit % 2 == 0 ? 1 : 2;
}

typedef struct {
  gboolean found;
  double   value;
  int      rank;
  double   distance;   /* from the middle of the gap */
} Best;

static void
consider (Best    *best,
          Decimal  d,
          double   sign,
          double   a,
          double   b)
{
  double value = sign * decimal_to_double (d);
  int rank = last_digit_rank (d.significand);
  double distance = fabs (value - (a / 2 + b / 2));

  if (!(value > a && value <= b))
    return;
  if (best->found &&
      (rank > best->rank ||
       (rank == best->rank && (distance > best->distance ||
                               (distance == best->distance && value >= best->value)))))
    return;
  *best = (Best) { TRUE, value, rank, distance };
}

/* The candidates with n digits are the multiples of one power of ten. When the gap has none
 * with n - 1 digits it spans fewer than ten of them, so it is enough to walk a few steps down
 * from the end that is farther from zero. That end's own decade comes first, because its last
 * place is the higher; the decade below matters only when that end is an excluded power of ten.
 * With 16 and 17 digits a double is wider than a step, hence the wider walk. */
double
mt_shortest_decimal_between (double a,
                             double b)
{
  double sign, far_end;

  g_return_val_if_fail (isfinite (a) && isfinite (b) && a < b, b);

  if (a < 0 && b >= 0)
    return 0;
  sign = a < 0 ? -1 : 1;
  far_end = a < 0 ? -a : b;

  for (int n = 1; n <= MAX_DIGITS; n++)
    {
      Decimal top = round_to_digits (far_end, n);
      guint64 power = 1;   /* becomes 10^n */
      guint above = n > SAFE_DIGITS ? 12 : 1;
      guint below = n > SAFE_DIGITS ? 36 : 12;
      Best best = { FALSE };

      for (guint64 m = top.significand + above; m + below > top.significand && m > 0; m--)
        consider (&best, (Decimal) { m, top.exponent }, sign, a, b);
      if (best.found)
        return best.value;

      while (power <= top.significand)
        power *= 10;
      for (guint64 m = power - 1; m + below > power && m > 0; m--)
        consider (&best, (Decimal) { m, top.exponent - 1 }, sign, a, b);
      if (best.found)
        return best.value;
    }
  return b;   /* b's own 17 digits were among the candidates */
}
