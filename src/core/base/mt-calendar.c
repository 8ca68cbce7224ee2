#include "config.h"
#include "mt-calendar.h"

#include <math.h>

#include "mt-decimal.h"

#define DAYS_PER_ERA    146097    /* 400 years */
#define DAYS_TO_YEAR_0  719468    /* from 0000-03-01 to 1970-01-01 */
#define FIRST_DAY       (-719162) /* 0001-01-01 */
#define LAST_DAY        2932896   /* 9999-12-31 */
#define DAY_SECONDS     86400

/* Years are counted from March, so that the leap day is a year's last. */
gint64
mt_calendar_to_days (int year,
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
mt_calendar_from_days (gint64  days,
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
mt_calendar_dup_iso (double days)
{
  gint64 whole, seconds;
  int year, month, day;

  if (!split (days, &whole, &seconds) || seconds >= DAY_SECONDS || join (whole, seconds) != days)
    return NULL;
  mt_calendar_from_days (whole, &year, &month, &day);
  if (seconds == 0)
    return g_strdup_printf ("%04d-%02d-%02d", year, month, day);
  return g_strdup_printf ("%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, (int) (seconds / 3600),
                          (int) (seconds / 60 % 60), (int) (seconds % 60));
}

/* Reads @n_digits digits at *@text, which must be followed by @after ('\0': anything). */
static gboolean
take_digits (const char **text,
             int          n_digits,
             char         after,
             int         *value)
{
  const char *p = *text;

  *value = 0;
  for (int i = 0; i < n_digits; i++, p++)
    {
      if (!g_ascii_isdigit (*p))
        return FALSE;
      *value = *value * 10 + (*p - '0');
    }
  if (after != '\0' && *p++ != after)
    return FALSE;
  *text = p;
  return TRUE;
}

gboolean
mt_calendar_parse_iso (const char *text,
                       double     *days)
{
  const char *p = text;
  int year, month, day, hour = 0, minute = 0, second = 0;
  int year_back, month_back, day_back;
  gint64 whole;

  if (!take_digits (&p, 4, '-', &year) || !take_digits (&p, 2, '-', &month) ||
      !take_digits (&p, 2, '\0', &day))
    return FALSE;
  if (*p == 'T')
    {
      p++;
      if (!take_digits (&p, 2, ':', &hour) || !take_digits (&p, 2, ':', &minute) ||
          !take_digits (&p, 2, '\0', &second))
        return FALSE;
    }
  if (*p != '\0' || year < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59)
    return FALSE;
  whole = mt_calendar_to_days (year, month, day);
  mt_calendar_from_days (whole, &year_back, &month_back, &day_back);
  if (year_back != year || month_back != month || day_back != day)   /* no 30 February */
    return FALSE;
  *days = join (whole, hour * 3600 + minute * 60 + second);
  return TRUE;
}

double
mt_calendar_round_between (double a,
                           double b)
{
  static const gint64 steps[] = { DAY_SECONDS, 3600, 60, 1 };
  gint64 whole, seconds;
  int year, month, day;

  g_return_val_if_fail (isfinite (a) && isfinite (b) && a < b, b);

  if (!split (b, &whole, &seconds))
    return mt_shortest_decimal_between (a, b);
  mt_calendar_from_days (whole, &year, &month, &day);
  if ((double) mt_calendar_to_days (year, 1, 1) > a)
    return (double) mt_calendar_to_days (year, 1, 1);
  if ((double) mt_calendar_to_days (year, month, 1) > a)
    return (double) mt_calendar_to_days (year, month, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      double t = join (whole, seconds / steps[i] * steps[i]);

      if (t > a && t <= b)
        return t;
    }
  return mt_shortest_decimal_between (a, b);
}
