/* Days since 1970-01-01 from and to the calendar, and dates from and to text.
 *
 * Conversions count years from March, so that the leap day is the last day of its year, and in eras of 400
 * years, which all have 146,097 days: both directions are a few integer divisions and need no table. */
#include "config.h"
#include "mt-date.h"

#include <math.h>
#include <string.h>

#include "mt-decimal.h"

#define DAYS_PER_ERA    146097    /* 400 years */
#define DAYS_TO_YEAR_0  719468    /* from 0000-03-01 to 1970-01-01 */
#define FIRST_DAY       (-719162) /* 0001-01-01 */
#define LAST_DAY        2932896   /* 9999-12-31 */
#define DAY_SECONDS     86400

/* Years are counted from March, so that the leap day is a year's last. */
gint64
mt_date_to_days (int year,
                 int month,
                 int day)
{
  gint64 y = month > 2 ? year : year - 1;
  gint64 era = (y >= 0 ? y : y - 399) / 400;
  gint64 year_of_era = y - era * 400;
  gint64 month_from_march = (month + 9) % 12;
  gint64 day_of_year = (153 * month_from_march + 2) / 5 + day - 1;

  return era * DAYS_PER_ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         DAYS_TO_YEAR_0;
}

void
mt_date_from_days (gint64  days,
                   int    *year,
                   int    *month,
                   int    *day)
{
  gint64 z = days + DAYS_TO_YEAR_0;
  gint64 era = (z >= 0 ? z : z - (DAYS_PER_ERA - 1)) / DAYS_PER_ERA;
  gint64 day_of_era = z - era * DAYS_PER_ERA;
  gint64 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  gint64 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  gint64 month_from_march = (5 * day_of_year + 2) / 153;

  *day = (int) (day_of_year - (153 * month_from_march + 2) / 5 + 1);
  *month = (int) (month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  *year = (int) (era * 400 + year_of_era + (*month <= 2 ? 1 : 0));
}

static double
join (gint64 day,
      gint64 seconds)
{
  return (double) day + (double) seconds / (double) DAY_SECONDS;
}

/* FALSE when @days is outside the years 0001 … 9999. */
static gboolean
split (double  days,
       gint64 *day,
       gint64 *seconds)
{
  double whole = floor (days);

  if (!(whole >= FIRST_DAY && whole <= LAST_DAY))
    return FALSE;
  *day = (gint64) whole;
  *seconds = (gint64) round ((days - whole) * DAY_SECONDS);
  return TRUE;
}

char *
mt_date_dup_iso (double days)
{
  gint64 whole, seconds;
  int year, month, day;

  if (!split (days, &whole, &seconds) || seconds >= DAY_SECONDS || join (whole, seconds) != days)
    return NULL;
  mt_date_from_days (whole, &year, &month, &day);
  if (seconds == 0)
    return g_strdup_printf ("%04d-%02d-%02d", year, month, day);
  return g_strdup_printf ("%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, (int) (seconds / 3600),
                          (int) (seconds / 60 % 60), (int) (seconds % 60));
}

double
mt_date_round_between (double a,
                       double b)
{
  static const gint64 steps[] = { DAY_SECONDS, 3600, 60, 1 };
  gint64 whole, seconds;
  int year, month, day;

  g_return_val_if_fail (isfinite (a) && isfinite (b) && a < b, b);

  if (!split (b, &whole, &seconds))
    return mt_shortest_decimal_between (a, b);
  mt_date_from_days (whole, &year, &month, &day);
  if ((double) mt_date_to_days (year, 1, 1) > a)
    return (double) mt_date_to_days (year, 1, 1);
  if ((double) mt_date_to_days (year, month, 1) > a)
    return (double) mt_date_to_days (year, month, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      double t = join (whole, seconds / steps[i] * steps[i]);

      if (t > a && t <= b)
        return t;
    }
  return mt_shortest_decimal_between (a, b);
}

/* --- reading --- */

typedef struct {
  const char *p;
  const char *end;
} Cursor;

/* @min … @max digits. */
static gboolean
take_number (Cursor *cursor,
             int     min,
             int     max,
             int    *value)
{
  int n = 0;

  for (*value = 0; n < max && cursor->p < cursor->end && g_ascii_isdigit (*cursor->p); n++)
    *value = *value * 10 + (*cursor->p++ - '0');
  return n >= min;
}

static gboolean
take_char (Cursor *cursor,
           char    c)
{
  if (cursor->p == cursor->end || *cursor->p != c)
    return FALSE;
  cursor->p++;
  return TRUE;
}

/* hh:mm[:ss[.fff]] [Z | ±hh[:]mm], as a share of a day. */
static gboolean
take_time (Cursor *cursor,
           double *share)
{
  int hour, minute, second = 0, zone_hour = 0, zone_minute = 0;
  double fraction = 0, scale = 0.1;
  char sign;

  if (!take_number (cursor, 1, 2, &hour) || !take_char (cursor, ':') || !take_number (cursor, 2, 2, &minute))
    return FALSE;
  if (take_char (cursor, ':') && !take_number (cursor, 2, 2, &second))
    return FALSE;
  if (take_char (cursor, '.'))
    for (; cursor->p < cursor->end && g_ascii_isdigit (*cursor->p); scale /= 10)
      fraction += scale * (*cursor->p++ - '0');
  if (hour > 23 || minute > 59 || second > 60)
    return FALSE;
  if (cursor->p < cursor->end && (*cursor->p == '+' || *cursor->p == '-'))
    {
      sign = *cursor->p++;
      if (!take_number (cursor, 2, 2, &zone_hour))
        return FALSE;
      take_char (cursor, ':');
      if (cursor->p < cursor->end && !take_number (cursor, 2, 2, &zone_minute))
        return FALSE;
      if (zone_hour > 14 || zone_minute > 59)
        return FALSE;
      if (sign == '-')
        {
          zone_hour = -zone_hour;
          zone_minute = -zone_minute;
        }
    }
  else
    take_char (cursor, 'Z');
  *share = ((hour - zone_hour) * 3600 + (minute - zone_minute) * 60 + second + fraction) / (double) DAY_SECONDS;
  return TRUE;
}

gboolean
mt_date_parse (const char  *text,
               gsize        length,
               MtDateOrder  order,
               double      *days)
{
  static const int month_days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  Cursor cursor;
  int parts[3], year, month, day;
  double share = 0;
  char separator = '\0';

  while (length > 0 && text[0] == ' ')
    {
      text++;
      length--;
    }
  while (length > 0 && text[length - 1] == ' ')
    length--;
  /* 8 is the shortest date, 35 the longest with time and zone. */
  if (length < 8 || length > 40 || !g_ascii_isdigit (text[0]))
    return FALSE;
  cursor = (Cursor) { text, text + length };
  for (int i = 0; i < 3; i++)
    {
      gboolean is_year = (order == MT_DATE_YMD) == (i == 0) && (order == MT_DATE_YMD || i == 2);

      if (!take_number (&cursor, is_year ? 4 : 1, is_year ? 4 : 2, &parts[i]))
        return FALSE;
      if (i == 0)
        {
          separator = cursor.p < cursor.end ? *cursor.p : '\0';
          if (separator != '-' && separator != '/' && separator != '.')
            return FALSE;
        }
      if (i < 2 && !take_char (&cursor, separator))
        return FALSE;
    }
  year = order == MT_DATE_YMD ? parts[0] : parts[2];
  month = order == MT_DATE_DMY || order == MT_DATE_YMD ? parts[1] : parts[0];
  day = order == MT_DATE_YMD ? parts[2] : order == MT_DATE_DMY ? parts[0] : parts[1];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > month_days[month - 1] ||
      (month == 2 && day == 29 && !(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))))
    return FALSE;
  if (cursor.p < cursor.end)
    {
      if (!take_char (&cursor, 'T') && !take_char (&cursor, ' '))
        return FALSE;
      if (!take_time (&cursor, &share) || cursor.p != cursor.end)
        return FALSE;
    }
  *days = (double) mt_date_to_days (year, month, day) + share;
  return TRUE;
}
