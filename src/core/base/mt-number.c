/* Reading numbers as people write them in files, independent of the locale. See mt-number.h; mt-decimal writes. */
#include "config.h"
#include "mt-number.h"

#include <math.h>
#include <string.h>

/* Reading: the digits are gathered in a 64-bit integer w, so that the value is w · 10^e.
 * With w ≤ 2^53 and |e| ≤ 22 both factors are exact doubles and one multiplication or
 * division rounds correctly; everything longer goes to g_ascii_strtod. */

const MtNumberFormat mt_number_plain = { '.', 0 };

/* Longer than any double needs; a longer text is no number that a person typed. */
#define MAX_TEXT 1200

#define NO_BREAK        "\xc2\xa0"
#define NARROW_NO_BREAK "\xe2\x80\xaf"
#define MINUS           "\xe2\x88\x92"

#define MAX_EXACT (G_GUINT64_CONSTANT (1) << 53)

static const double powers_of_ten[] = {
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static MtNumberKind
parse_infinity (const char *text,
                gsize       length,
                double     *value)
{
  gboolean negative = length > 0 && text[0] == '-';

  if (length > 0 && (text[0] == '-' || text[0] == '+'))
    {
      text++;
      length--;
    }
  if (!((length == 3 && g_ascii_strncasecmp (text, "inf", 3) == 0) ||
        (length == 8 && g_ascii_strncasecmp (text, "infinity", 8) == 0)))
    return MT_NUMBER_NONE;
  *value = negative ? -INFINITY : INFINITY;
  return MT_NUMBER_INFINITE;
}

static MtNumberKind
parse_long (const char *text,
            gsize       length,
            double     *value)
{
  char buffer[MAX_TEXT + 1];

  memcpy (buffer, text, length);
  buffer[length] = '\0';
  *value = g_ascii_strtod (buffer, NULL);
  return isinf (*value) ? MT_NUMBER_INFINITE : MT_NUMBER_FINITE;
}

static inline gboolean
is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

static MtNumberKind
parse_plain (const char *text,
             gsize       length,
             double     *value)
{
  const char *p = text;
  const char *end = text + length;
  const char *digits, *after;
  gboolean negative = FALSE, leading_zero = FALSE;
  guint64 w = 0;
  int exponent = 0;
  gsize n_digits;

  if (p < end && (*p == '-' || *p == '+'))
    negative = *p++ == '-';
  digits = p;
  for (; p < end && is_digit (*p); p++)
    w = w * 10 + (guint64) (*p - '0');
  n_digits = (gsize) (p - digits);
  leading_zero = n_digits > 1 && *digits == '0' && p == end;
  if (p < end && *p == '.')
    {
      after = ++p;
      for (; p < end && is_digit (*p); p++)
        w = w * 10 + (guint64) (*p - '0');
      n_digits += (gsize) (p - after);
      exponent = -(int) MIN (p - after, MAX_TEXT);
    }
  if (n_digits == 0)
    return parse_infinity (text, length, value);
  if (p < end && (*p == 'e' || *p == 'E'))
    {
      gboolean down = FALSE;
      int e = 0;

      p++;
      if (p < end && (*p == '-' || *p == '+'))
        down = *p++ == '-';
      after = p;
      for (; p < end && is_digit (*p); p++)
        e = MIN (e * 10 + (*p - '0'), 100000);
      if (p == after)
        return MT_NUMBER_NONE;
      exponent += down ? -e : e;
    }
  if (p != end || length > MAX_TEXT)
    return MT_NUMBER_NONE;

  /* Nineteen digits always fit 64 bits; more may have wrapped around. */
  if (n_digits <= 19 && w <= MAX_EXACT && exponent >= -22 && exponent <= 22)
    {
      double v = (double) w;

      v = exponent < 0 ? v / powers_of_ten[-exponent] : v * powers_of_ten[exponent];
      *value = negative ? -v : v;
    }
  else
    {
      MtNumberKind kind = parse_long (text, length, value);

      if (kind != MT_NUMBER_FINITE)
        return kind;
    }
  return leading_zero ? MT_NUMBER_LEADING_ZERO : MT_NUMBER_FINITE;
}

/* Length of the separator at @p, or 0. */
static gsize
thousands_at (const char *p,
              const char *end,
              char        thousands)
{
  if (*p == thousands)
    return 1;
  if (thousands == ' ' && end - p >= 2 && memcmp (p, NO_BREAK, 2) == 0)
    return 2;
  if (end - p < 3)
    return 0;
  if (thousands == ' ' && (memcmp (p, NARROW_NO_BREAK, 3) == 0 || memcmp (p, "\xe2\x80\x89", 3) == 0))
    return 3;
  return thousands == '\'' && memcmp (p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Rewrites the text with a point and without separators; FALSE when groups are not of three,
 * or with commas as in India of two and at last three (1,23,45,678). */
static gboolean
normalise (const char           *text,
           gsize                 length,
           const MtNumberFormat *format,
           char                 *buffer,
           gsize                *n_out)
{
  const char *p = text;
  const char *end = text + length;
  gsize n = 0;
  gsize group = 0;            /* digits since the last separator */
  gsize between = 0;          /* digits of the groups between two separators, once there is one */
  gboolean grouped = FALSE, whole = TRUE;

  while (p < end)
    {
      gsize skip = whole && format->thousands != 0 ? thousands_at (p, end, format->thousands) : 0;

      if (skip > 0)
        {
          if (!grouped ? group < 1 || group > 3
                       : (group != 3 && (group != 2 || format->thousands != ',')) || (between > 0 && group != between))
            return FALSE;
          between = grouped ? group : 0;
          grouped = TRUE;
          group = 0;
          p += skip;
          continue;
        }
      if (whole && !is_digit (*p) && n > 0 && is_digit (buffer[n - 1]))
        {
          if (grouped && group != 3)
            return FALSE;
          whole = FALSE;
        }
      if (*p == '.' && format->decimal != '.')
        return FALSE;
      group += is_digit (*p) ? 1 : 0;
      buffer[n++] = *p == format->decimal ? '.' : *p;
      p++;
    }
  if (whole && grouped && group != 3)
    return FALSE;
  /* 0,123 is a decimal, never a thousand. */
  if (grouped && n > 1 && buffer[is_digit (buffer[0]) ? 0 : 1] == '0')
    return FALSE;
  *n_out = n;
  return TRUE;
}

void
mt_number_trim (const char **text,
                gsize       *length)
{
  const char *start = *text;
  const char *end = start + *length;

  while (start < end)
    if (*start == ' ' || *start == '\t')
      start++;
    else if (end - start >= 2 && memcmp (start, NO_BREAK, 2) == 0)
      start += 2;
    else if (end - start >= 3 && memcmp (start, NARROW_NO_BREAK, 3) == 0)
      start += 3;
    else
      break;
  while (end > start)
    if (end[-1] == ' ' || end[-1] == '\t')
      end--;
    else if (end - start >= 2 && memcmp (end - 2, NO_BREAK, 2) == 0)
      end -= 2;
    else if (end - start >= 3 && memcmp (end - 3, NARROW_NO_BREAK, 3) == 0)
      end -= 3;
    else
      break;
  *text = start;
  *length = (gsize) (end - start);
}

MtNumberKind
mt_number_parse (const char           *text,
                 gsize                 length,
                 const MtNumberFormat *format,
                 double               *value)
{
  char buffer[MAX_TEXT];

  mt_number_trim (&text, &length);
  if (length > 3 && memcmp (text, MINUS, 3) == 0 && (is_digit (text[3]) || text[3] == '.' || text[3] == ','))
    {
      MtNumberKind kind = mt_number_parse (text + 3, length - 3, format, value);

      if (kind != MT_NUMBER_NONE)
        *value = -*value;
      return kind;
    }
  if (format->decimal == '.' && format->thousands == 0)
    return parse_plain (text, length, value);
  if (length > MAX_TEXT || !normalise (text, length, format, buffer, &length))
    return MT_NUMBER_NONE;
  return parse_plain (buffer, length, value);
}
