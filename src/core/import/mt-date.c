#include "config.h"
#include "mt-date.h"

#include <string.h>

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

/* Days from 1970-01-01 in the Gregorian calendar: years start in March, so that the leap
 * day is a year's last, and 400 years have 146,097 days. */
static int
days_of (int year,
         int month,
         int day)
{
  int y = month <= 2 ? year - 1 : year;
  int era = (y >= 0 ? y : y - 399) / 400;
  int year_of_era = y - era * 400;
  int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

  return era * 146097 + day_of_era - 719468;
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
  *share = ((hour - zone_hour) * 3600 + (minute - zone_minute) * 60 + second + fraction) / 86400.0;
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
  *days = days_of (year, month, day) + share;
  return TRUE;
}
