static inline minterm_cell
number_cell (double number)
{
  const minterm_cell cell = { number, NULL };

  return cell;
}

static inline minterm_cell
text_cell (const char *text)
{
  const minterm_cell cell = { NAN, text };

  return cell;
}

/* The number; NAN if it is missing or not finite. */
static inline double
finite_number (double x)
{
  return x - x == 0 ? x : NAN;
}

static inline double
plus (double a, double b)
{
  return finite_number (finite_number (a) + finite_number (b));
}

static inline double
minus (double a, double b)
{
  return finite_number (finite_number (a) - finite_number (b));
}

static inline double
times (double a, double b)
{
  return finite_number (finite_number (a) * finite_number (b));
}

static inline double
divided_by (double a, double b)
{
  return b != 0 ? finite_number (finite_number (a) / finite_number (b)) : NAN;
}

static inline double
negative (double x)
{
  return -finite_number (x);
}

static inline double
log_of (double x)
{
  return x > 0 ? finite_number (log (x)) : NAN;
}

static inline double
abs_of (double x)
{
  return fabs (finite_number (x));
}

/* Year (0), month (1), or day (2) of days since 1970-01-01; NAN outside the years 1 to 9999. */
static inline double
date_part (double days, int part)
{
  long whole, era, day, year, month;

  if (!(days >= -719162 && days < 2932897))
    return NAN;
  whole = (long) floor (days) + 719468;
  era = whole / 146097;
  day = whole - era * 146097;
  year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= 365 * year + year / 4 - year / 100;
  month = (5 * day + 2) / 153;
  day -= (153 * month + 2) / 5 - 1;
  month += month < 10 ? 3 : -9;
  year += 400 * era + (month <= 2);
  return (double) (part == 0 ? year : part == 1 ? month : day);
}

static inline double
year_of (double days)
{
  return date_part (days, 0);
}

static inline double
month_of (double days)
{
  return date_part (days, 1);
}

static inline double
day_of (double days)
{
  return date_part (days, 2);
}

static inline const char *
weekday_of (double days, const char *const *levels)
{
  double year = date_part (days, 0);

  return year != year ? NULL : levels[((long) floor (days) + 719162) % 7];
}

static inline const char *
contains (const char *text, const char *part, const char *const *levels)
{
  return text == NULL ? NULL : levels[strstr (text, part) != NULL];
}

static inline const char *
bin_of (double x, const double *edges, const char *const *levels)
{
  if (x - x != 0)
    return NULL;
  for (; *edges == *edges && x >= *edges; edges++)
    levels++;
  return *levels;
}

