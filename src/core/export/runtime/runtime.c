/* A rule model in C99. It depends only on the C and math libraries.
 *
 * minterm_predict() predicts one row. Compiled with -DMINTERM_MAIN, this file is a program that
 * reads a CSV file with a header from standard input and writes one line of predictions per row to
 * standard output:  cc -O2 -DMINTERM_MAIN -o predict FILE.c -lm */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A cell: a number (dates: days since 1970-01-01; NAN if missing) or a text (NULL if missing). */
typedef struct {
  double      number;
  const char *text;
} minterm_cell;

/* The predicted number, or the predicted class and the probability of each class. */
typedef struct {
  double      value;        /* regression */
  const char *class_name;   /* otherwise */
  double     *p;            /* one per class, owned by the caller; may be NULL */
} minterm_answer;

static inline int
at_least (const minterm_cell *cell, double threshold)
{
  return cell->number >= threshold;   /* false for NAN */
}

static inline int
is_level (const minterm_cell *cell, const char *level)
{
  return cell->text != NULL && strcmp (cell->text, level) == 0;
}

static inline int
is_other (const minterm_cell *cell, const char *const *levels)
{
  if (cell->text == NULL)
    return 0;
  for (; *levels != NULL; levels++)
    if (strcmp (cell->text, *levels) == 0)
      return 0;
  return 1;
}

static inline int
is_missing_number (const minterm_cell *cell)
{
  return cell->number != cell->number;
}

static inline int
is_missing_text (const minterm_cell *cell)
{
  return cell->text == NULL;
}

static inline int
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static inline int
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* The length of [+-]digits[.digits][e[+-]digits] at the start of the text; 0 if there is none. */
static inline size_t
number_length (const char *text)
{
  const char *p = text, *from;
  size_t n_digits = 0;

  if (*p == '+' || *p == '-')
    p++;
  for (; is_digit (*p); p++)
    n_digits++;
  if (*p == '.')
    for (p++; is_digit (*p); p++)
      n_digits++;
  if (n_digits == 0)
    return 0;
  if (*p == 'e' || *p == 'E')
    {
      p++;
      if (*p == '+' || *p == '-')
        p++;
      for (from = p; is_digit (*p); p++)
        ;
      if (p == from)
        return 0;
    }
  return (size_t) (p - text);
}

/* The whole text as a number; NAN if it is not a number, or a code such as 007. The C library reads a decimal
 * point as such only in the locale "C". */
static inline double
plain_number (const char *text, size_t length)
{
  size_t sign = length > 0 && (*text == '+' || *text == '-');
  char *end;
  double value;

  if (length == 0 || number_length (text) != length ||
      (text[sign] == '0' && length > sign + 1 && strspn (text + sign, "0123456789") >= length - sign))
    return NAN;
  value = strtod (text, &end);
  return end == text + length ? value : NAN;
}

/* If 0 means missing, so does 0.0. */
static inline int
means_missing (const char *text, const char *const *tokens)
{
  size_t length;

  while (is_blank (*text))
    text++;
  length = strlen (text);
  while (length > 0 && is_blank (text[length - 1]))
    length--;
  for (; *tokens != NULL; tokens++)
    if ((strncmp (*tokens, text, length) == 0 && (*tokens)[length] == '\0') ||
        plain_number (text, length) == plain_number (*tokens, strlen (*tokens)))
      return 1;
  return 0;
}

/* The cell; its value is missing if it is in the list. The list ends with NAN or NULL. */
static inline minterm_cell
known_number (const minterm_cell *cell, const double *gaps)
{
  minterm_cell known = *cell;

  for (; *gaps == *gaps; gaps++)
    if (*gaps == cell->number)
      known.number = NAN;
  return known;
}

static inline minterm_cell
known_text (const minterm_cell *cell, const char *const *gaps)
{
  minterm_cell known = *cell;

  if (cell->text != NULL && means_missing (cell->text, gaps))
    known.text = NULL;
  return known;
}

/* The distance from the training mean; 0 if the number is missing. */
static inline double
from_mean (const minterm_cell *cell, double mean, double low, double high)
{
  double x = cell->number;

  if (x != x)
    return 0;
  if (x > 1.7976931348623157e308)
    x = high;
  if (x < -1.7976931348623157e308)
    x = low;
  return x - mean;
}

/* The binary logarithm of 1 + the distance from the center, with the sign of the distance, minus its training mean; 0 if
 * the number is missing. */
static inline double
log_from_mean (const minterm_cell *cell, double mean, double low, double high, double center)
{
  double distance = from_mean (cell, center, low, high);

  if (cell->number != cell->number)
    return 0;
  return (distance < 0 ? -log1p (-distance) : log1p (distance)) / log (2) - mean;
}

/* The number, limited to the range from low to high, minus its training mean; 0 if it is missing. */
static inline double
clipped_from_mean (const minterm_cell *cell, double mean, double low, double high)
{
  double x = cell->number;

  if (x != x)
    return 0;
  return (x < low ? low : x > high ? high : x) - mean;
}

@MODEL@

enum {
  MINTERM_N_COLUMNS = (int) (sizeof minterm_names / sizeof *minterm_names) - 1,
  MINTERM_N_CLASSES = (int) (sizeof minterm_classes / sizeof *minterm_classes) - 1
};

/* cells: one per column, in the order of minterm_names. Returns 0, or -1 if a score is too large
 * for a double. */
int
minterm_predict (const minterm_cell *cells, minterm_answer *answer)
{
  double s[MINTERM_N_OUTPUTS], top, sum = 0;
  int best = 0, c;

  minterm_scores (cells, s);
  for (c = 0; c < MINTERM_N_OUTPUTS; c++)
    if (!(s[c] - s[c] == 0))
      return -1;
  answer->value = s[0];
  answer->class_name = NULL;
  if (strcmp (minterm_task, "regression") == 0)
    return 0;
  if (strcmp (minterm_task, "binary") == 0)
    {
      double p = 1 / (1 + exp (-s[0]));

      answer->class_name = minterm_classes[p > 0.5];
      if (answer->p != NULL)
        {
          answer->p[0] = 1 - p;
          answer->p[1] = p;
        }
      return 0;
    }
  top = s[0];
  for (c = 1; c < MINTERM_N_OUTPUTS; c++)
    top = s[c] > top ? s[c] : top;
  for (c = 0; c < MINTERM_N_OUTPUTS; c++)
    sum += s[c] = exp (s[c] - top);
  for (c = 0; c < MINTERM_N_OUTPUTS; c++)
    {
      s[c] /= sum;
      if (s[c] > s[best])
        best = c;
      if (answer->p != NULL)
        answer->p[c] = s[c];
    }
  answer->class_name = minterm_classes[best];
  return 0;
}

#ifdef MINTERM_MAIN
#include <stdarg.h>
#include <stdio.h>

static void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (1);
}

static void *
grow (void *old, size_t size)
{
  void *new_one = realloc (old, size > 0 ? size : 1);

  if (new_one == NULL)
    fail ("out of memory");
  return new_one;
}

/* --- cells --- */

static int
same_word (const char *text, size_t length, const char *lower)
{
  size_t i;

  for (i = 0; i < length && lower[i] != '\0'; i++)
    if ((text[i] | 32) != lower[i])
      return 0;
  return i == length && lower[i] == '\0';
}

static void
trim (const char **text, size_t *length)
{
  while (*length > 0 && is_blank (**text))
    {
      (*text)++;
      (*length)--;
    }
  while (*length > 0 && is_blank ((*text)[*length - 1]))
    (*length)--;
}

static int
starts_with (const char *text, size_t length, const char *word)
{
  return *word != '\0' && length >= strlen (word) && memcmp (text, word, strlen (word)) == 0;
}

/* Removes the unit that the training data had, and returns -1 for a negative number, otherwise 1. unit: the unit, or
 * "-" if only parentheses and a minus sign at the end are removed. front: the unit if it may come first. */
static int
strip_unit (const char **text, size_t *length, const char *unit, const char *front)
{
  size_t minus, n = strcmp (unit, "-") == 0 ? 0 : strlen (unit);
  int sign = 1;

  if (*length > 2 && **text == '(' && (*text)[*length - 1] == ')')
    {
      sign = -1;
      (*text)++;
      *length -= 2;
      trim (text, length);
    }
  minus = *length > 0 && **text == '-';
  if (starts_with (*text + minus, *length - minus, front))
    {
      sign = minus ? -1 : sign;
      *text += minus + strlen (front);
      *length -= minus + strlen (front);
    }
  else if (*length > 1 && (*text)[*length - 1] == '-' && is_digit ((*text)[*length - 2]))
    {
      sign = -1;
      (*length)--;
    }
  else if (n > 0 && *length >= n && memcmp (*text + *length - n, unit, n) == 0)
    *length -= n;
  trim (text, length);
  return sign;
}

/* 1: a number; 0: not a number. A number too large for a double becomes NAN, that is, missing. The program never calls
 * setlocale(), so strtod() reads a decimal point. */
static int
read_number (const char *text, const char *unit, const char *front, double *value)
{
  size_t length = strlen (text), n, sign;
  char *bare;
  int factor = 1;

  trim (&text, &length);
  sign = *text == '+' || *text == '-';
  if (same_word (text + sign, length - (length > 0 ? sign : 0), "inf") ||
      same_word (text + sign, length - (length > 0 ? sign : 0), "infinity"))
    {
      *value = NAN;
      return 1;
    }
  if (*unit != '\0' && number_length (text) != length)
    factor = strip_unit (&text, &length, unit, front);
  bare = grow (NULL, length + 1);
  memcpy (bare, text, length);
  bare[length] = '\0';
  n = number_length (bare);
  *value = factor * strtod (bare, NULL);
  free (bare);
  if (n == 0 || n != length)
    return 0;
  if (!(*value - *value == 0))
    *value = NAN;
  return 1;
}

/* Whether the text means missing, in all columns or in this one. */
static int
cell_is_missing (const char *text, int column)
{
  size_t i;

  if (means_missing (text, minterm_missing))
    return 1;
  for (i = 0; minterm_missing_in[i] != NULL; i++)
    if (strcmp (minterm_missing_in[i], minterm_names[column]) == 0 &&
        means_missing (text, (const char *const[]) { minterm_missing_values[i], NULL }))
      return 1;
  return 0;
}

/* Reads min to max digits; -1 if there are fewer than min. */
static int
take_digits (const char **p, int min, int max)
{
  int n = 0, value = 0;

  for (; n < max && is_digit (**p); n++)
    value = value * 10 + (*(*p)++ - '0');
  return n >= min ? value : -1;
}

/* hh:mm[:ss[.fff]] [Z | +hh[:mm]] as a fraction of a day. */
static int
take_time (const char **p, double *share)
{
  int hour = take_digits (p, 1, 2), minute, second = 0, zone_hour = 0, zone_minute = 0;
  double fraction = 0, scale = 0.1;

  if (hour < 0 || *(*p)++ != ':' || (minute = take_digits (p, 2, 2)) < 0)
    return 0;
  if (**p == ':')
    {
      (*p)++;
      if ((second = take_digits (p, 2, 2)) < 0)
        return 0;
    }
  if (**p == '.')
    for ((*p)++; is_digit (**p); scale /= 10)
      fraction += scale * (*(*p)++ - '0');
  if (hour > 23 || minute > 59 || second > 60)
    return 0;
  if (**p == '+' || **p == '-')
    {
      int sign = *(*p)++ == '-' ? -1 : 1;

      zone_hour = take_digits (p, 2, 2);
      if (**p == ':')
        (*p)++;
      if (zone_hour < 0 || zone_hour > 14 ||
          (**p != '\0' && **p != ' ' && (zone_minute = take_digits (p, 2, 2)) < 0) || zone_minute > 59)
        return 0;
      zone_hour *= sign;
      zone_minute *= sign;
    }
  else if (**p == 'Z')
    (*p)++;
  *share = ((hour - zone_hour) * 3600 + (minute - zone_minute) * 60 + second + fraction) / 86400.0;
  return 1;
}

/* Days since 1970-01-01. order: 0 y-m-d, 1 d-m-y, 2 m-d-y. */
static int
read_date (const char *text, int order, double *days)
{
  static const int month_days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  int parts[3], year, month, day, y, i;
  double share = 0;
  char separator = '\0';

  while (*text == ' ')
    text++;
  for (i = 0; i < 3; i++)
    {
      int is_year = i == (order == 0 ? 0 : 2);

      parts[i] = take_digits (&text, is_year ? 4 : 1, is_year ? 4 : 2);
      if (parts[i] < 0)
        return 0;
      if (i == 0)
        separator = *text;
      if (i < 2 && (*text++ != separator || strchr ("-/.", separator) == NULL || separator == '\0'))
        return 0;
    }
  year = order == 0 ? parts[0] : parts[2];
  month = order == 2 ? parts[0] : parts[1];
  day = order == 0 ? parts[2] : order == 1 ? parts[0] : parts[1];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > month_days[month - 1] ||
      (month == 2 && day == 29 && !(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))))
    return 0;
  if (*text == 'T' || (*text == ' ' && is_digit (text[1])))
    {
      text++;
      if (!take_time (&text, &share))
        return 0;
    }
  while (*text == ' ')
    text++;
  if (*text != '\0')
    return 0;
  y = month <= 2 ? year - 1 : year;
  *days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1 -
          719468 + share;
  return 1;
}

/* --- the file --- */

/* Every field ends with a NUL in the buffer. Field f of record r is fields[starts[r] + f]. */
typedef struct {
  char   *text;
  char  **fields;
  size_t *starts;
  size_t  n_fields, n_records, max_fields, max_records;
} minterm_table;

static void
end_record (minterm_table *table)
{
  if (table->n_records + 1 >= table->max_records)
    {
      table->max_records = table->max_records * 2 + 64;
      table->starts = grow (table->starts, table->max_records * sizeof *table->starts);
    }
  table->starts[++table->n_records] = table->n_fields;
}

/* The line of the file that p is in, for messages. */
static unsigned long
line_at (const char *source, const char *p)
{
  unsigned long line = 1;

  for (; source < p; source++)
    line += *source == '\n' || (*source == '\r' && source[1] != '\n');
  return line;
}

/* Splits the text into records, up to a limit. Returns an error message and its position, or NULL. */
static const char *
cut (minterm_table *table, const char *source, size_t length, char delimiter, size_t most, const char **where)
{
  const char *p = source, *end = source + length;
  char *out;

  table->text = out = grow (table->text, length * 2 + 2);
  table->n_fields = table->n_records = 0;
  table->max_records = 64;
  table->starts = grow (table->starts, table->max_records * sizeof *table->starts);
  table->starts[0] = 0;
  while (p < end && table->n_records < most)
    {
      char *field = out;
      int quoted = *p == '"';
      size_t n;

      *where = p;
      if (quoted)
        for (p++;; p++)
          {
            if (p == end)
              return "a quote is never closed";
            if (*p == '"' && (++p == end || *p != '"'))
              break;
            *out++ = *p;
          }
      else
        while (p < end && *p != delimiter && *p != '\n' && *p != '\r')
          *out++ = *p++;
      if ((p < end && *p != delimiter && *p != '\n' && *p != '\r') ||
          (!quoted && memchr (field, '"', (size_t) (out - field)) != NULL))
        return "a quote is in the middle of a field";
      *out++ = '\0';
      if (table->n_fields + 2 >= table->max_fields)
        {
          table->max_fields = table->max_fields * 2 + 1024;
          table->fields = grow (table->fields, table->max_fields * sizeof *table->fields);
        }
      table->fields[table->n_fields++] = field;
      if (p < end && *p == delimiter)
        {
          if (++p < end)
            continue;
          *out = '\0';
          table->fields[table->n_fields++] = out++;
        }
      n = table->n_fields - table->starts[table->n_records];
      if (n == 1 && !quoted && field[strspn (field, " \t")] == '\0' &&
          (*field == '\0' || table->n_records == 0 || table->starts[1] > 1))
        table->n_fields--;          /* a blank line; in a table of one column, blanks are a cell */
      else
        end_record (table);
      p++;
    }
  return NULL;
}

static const char *
get_field (const minterm_table *table, size_t record, size_t field)
{
  size_t n = table->starts[record + 1] - table->starts[record];

  return field < n ? table->fields[table->starts[record] + field] : "";
}

static int
same_name (const char *a, const char *b)
{
  for (; *a != '\0' && *b != '\0'; a++, b++)
    if ((*a >= 'A' && *a <= 'Z' ? *a | 32 : *a) != (*b >= 'A' && *b <= 'Z' ? *b | 32 : *b))
      return 0;
  return *a == *b;
}

/* A column without a name is named by its number. A repeated name gets a number at its end. */
static char **
make_names (const minterm_table *table)
{
  size_t n = table->starts[1] - table->starts[0], i, k;
  char **names = grow (NULL, (n + 1) * sizeof *names);

  for (i = 0; i < n; i++)
    {
      const char *wanted = get_field (table, 0, i);
      size_t size = strlen (wanted) + 64;
      char *base = grow (NULL, size);
      int number = 2;

      names[i] = grow (NULL, size);
      if (wanted[strspn (wanted, " \t")] == '\0')
        snprintf (base, size, "column %lu", (unsigned long) i + 1);
      else
        memcpy (base, wanted, strlen (wanted) + 1);
      memcpy (names[i], base, strlen (base) + 1);
      for (k = 0; k < i; k++)
        if (same_name (names[k], names[i]))
          {
            snprintf (names[i], size, "%.*s (%d)", (int) (size - 24), base, number++);
            k = (size_t) -1;
          }
      free (base);
    }
  return names;
}

/* Finds the position of each column of the model; returns 0 if one is not in the file. */
static int
find_columns (const minterm_table *table, size_t *places, const char **lacking)
{
  size_t n = table->n_records > 0 ? table->starts[1] : 0, i;
  char **names = table->n_records > 0 ? make_names (table) : NULL;
  int c, ok = 1;

  for (c = 0; c < MINTERM_N_COLUMNS && ok; c++)
    {
      for (i = 0; i < n && strcmp (names[i], minterm_names[c]) != 0; i++)
        ;
      places[c] = i;
      ok = i < n;
      *lacking = ok || *lacking != NULL ? *lacking : minterm_names[c];
    }
  for (i = 0; i < n; i++)
    free (names[i]);
  free (names);
  return ok;
}

/* The order of year, month, and day in which most cells of the column are valid dates. */
static int
find_order (const minterm_table *table, size_t place, int column)
{
  int order, best = 0;
  size_t most = 0, r;

  for (order = 0; order < 3; order++)
    {
      size_t n = 0;
      double ignored;

      for (r = 1; r < table->n_records; r++)
        n += !cell_is_missing (get_field (table, r, place), column) &&
             read_date (get_field (table, r, place), order, &ignored);
      if (n > most)
        {
          best = order;
          most = n;
        }
    }
  return best;
}

static void
read_cell (const minterm_table *table, size_t row, size_t place, int column, int order, minterm_cell *cell)
{
  const char *text = get_field (table, row, place);

  cell->number = NAN;
  cell->text = NULL;
  if (cell_is_missing (text, column))
    return;
  if (strcmp (minterm_kinds[column], "text") == 0)
    cell->text = text;
  else if (strcmp (minterm_kinds[column], "date") == 0
           ? !read_date (text, order, &cell->number)
           : !read_number (text, minterm_units[column], minterm_front_units[column], &cell->number))
    fail ("column '%s', row %lu: '%s' is not a %s", minterm_names[column], (unsigned long) row, text,
          minterm_kinds[column]);
}

/* Puts an apostrophe before text that a spreadsheet would run as a formula. */
static void
write_text (const char *text)
{
  size_t n = strlen (text);
  int is_formula = n > 0 && strchr ("=+-@\t\r", *text) != NULL && number_length (text) != n;
  int quoted = n == 0 || *text == ' ' || text[n - 1] == ' ' || strpbrk (text, ",\"\n\r") != NULL;

  fputs (quoted ? "\"" : "", stdout);
  fputs (is_formula ? "'" : "", stdout);
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        putchar ('"');
      putchar (*text);
    }
  fputs (quoted ? "\"" : "", stdout);
}

/* Whether the text is valid UTF-8; if not, *where is the first invalid byte. */
static int
is_utf8 (const char *text, size_t length, const char **where)
{
  const unsigned char *p = (const unsigned char *) text, *end = p + length;

  while (p < end)
    {
      unsigned long c = *p, least = c < 0xe0 ? 0x80 : c < 0xf0 ? 0x800 : 0x10000;
      int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
      int i;

      *where = (const char *) p;
      if (more < 0 || end - p <= more)
        return 0;
      c &= more == 0 ? 0x7f : 0x3fu >> more;
      for (i = 1; i <= more; i++)
        {
          if ((p[i] & 0xc0) != 0x80)
            return 0;
          c = c << 6 | (p[i] & 0x3f);
        }
      if (more > 0 && (c < least || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff))
        return 0;
      p += more + 1;
    }
  return 1;
}

/* Refuses what minterm-cli predict refuses, before any output. */
static void
check_shape (const minterm_table *table)
{
  size_t width = table->starts[1], row, n, f, n_short = 0, first = 0, n_rows = table->n_records - 1;

  if (n_rows == 0)
    fail ("there are no data rows after the header");
  for (row = 1; row <= n_rows; row++)
    if (table->starts[row + 1] - table->starts[row] < width)
      {
        first = n_short == 0 ? row : first;
        n_short++;
      }
  if (n_short * 20 > n_rows)
    fail ("row %lu has %lu fields where %lu are expected; %lu of %lu rows are too short", (unsigned long) first,
          (unsigned long) (table->starts[first + 1] - table->starts[first]), (unsigned long) width,
          (unsigned long) n_short, (unsigned long) n_rows);
  for (row = 1; row <= n_rows; row++)
    {
      n = table->starts[row + 1] - table->starts[row];
      for (f = width; f < n; f++)
        if (get_field (table, row, f)[strspn (get_field (table, row, f), " \t")] != '\0')
          fail ("row %lu has %lu fields where %lu are expected", (unsigned long) row, (unsigned long) n,
                (unsigned long) width);
    }
}

/* Requires each column of the model exactly once. */
static void
check_names (const minterm_table *table)
{
  size_t i, n;
  int c;

  for (c = 0; c < MINTERM_N_COLUMNS; c++)
    {
      for (i = n = 0; i < table->starts[1]; i++)
        n += strcmp (get_field (table, 0, i), minterm_names[c]) == 0;
      if (n > 1)
        fail ("two columns are called '%s'; rename or remove one of them", minterm_names[c]);
    }
}

static char *
read_all (size_t *length)
{
  size_t size = 1 << 16, n = 0, got;
  char *text = grow (NULL, size);

  while ((got = fread (text + n, 1, size - n, stdin)) > 0)
    {
      n += got;
      if (n == size)
        text = grow (text, size *= 2);
    }
  *length = n;
  return text;
}

int
main (void)
{
  static size_t places[MINTERM_N_COLUMNS + 1];
  static int orders[MINTERM_N_COLUMNS + 1];
  static minterm_cell cells[MINTERM_N_COLUMNS + 1];
  static double p[MINTERM_N_CLASSES + 1];
  minterm_table table = { NULL, NULL, NULL, 0, 0, 0, 0 };
  minterm_answer answer = { 0, NULL, p };
  const char *lacking = NULL, *delimiter, *bom = "\357\273\277", *where = NULL, *wrong = NULL, *wrong_where = NULL;
  size_t length, row;
  char *source = read_all (&length);
  size_t skip = length >= 3 && memcmp (source, bom, 3) == 0 ? 3 : 0;
  int c;

  source[length] = '\0';
  if ((where = memchr (source, '\0', length)) != NULL)
    fail ("line %lu has a NUL byte, which is not text", line_at (source, where));
  if (!is_utf8 (source, length, &where))
    fail ("line %lu is not UTF-8", line_at (source, where));
  for (delimiter = ",;\t|"; *delimiter != '\0'; delimiter++)
    {
      const char *problem = cut (&table, source + skip, length - skip, *delimiter, 1, &where);

      if (problem == NULL && find_columns (&table, places, &lacking))
        break;
      wrong_where = wrong == NULL ? where : wrong_where;
      wrong = wrong == NULL ? problem : wrong;
    }
  if (*delimiter != '\0')
    {
      check_names (&table);
      wrong = cut (&table, source + skip, length - skip, *delimiter, (size_t) -1, &wrong_where);
    }
  if (wrong != NULL)
    fail ("line %lu: %s", line_at (source, wrong_where), wrong);
  if (*delimiter == '\0')
    fail ("the data has no column '%s'", lacking);
  check_shape (&table);
  for (c = 0; c < MINTERM_N_COLUMNS; c++)
    orders[c] = strcmp (minterm_kinds[c], "date") == 0 ? find_order (&table, places[c], c) : 0;

  /* All rows are read before the first is written: a program that fails has written nothing. */
  for (row = 1; row < table.n_records; row++)
    {
      for (c = 0; c < MINTERM_N_COLUMNS; c++)
        read_cell (&table, row, places[c], c, orders[c], &cells[c]);
      if (minterm_predict (cells, &answer) != 0)
        fail ("row %lu: the score is too large for a number; check the values", (unsigned long) row);
    }
  fputs ("prediction", stdout);
  for (c = 0; c < MINTERM_N_CLASSES; c++)
    {
      size_t size = strlen (minterm_classes[c]) + 3;
      char *name = grow (NULL, size);

      snprintf (name, size, "p_%s", minterm_classes[c]);
      putchar (',');
      write_text (name);
      free (name);
    }
  putchar ('\n');
  for (row = 1; row < table.n_records; row++)
    {
      for (c = 0; c < MINTERM_N_COLUMNS; c++)
        read_cell (&table, row, places[c], c, orders[c], &cells[c]);
      minterm_predict (cells, &answer);
      if (answer.class_name == NULL)
        printf ("%.17g", answer.value);
      else
        write_text (answer.class_name);
      for (c = 0; c < MINTERM_N_CLASSES; c++)
        printf (",%.17g", p[c]);
      putchar ('\n');
    }
  free (table.text);
  free (table.fields);
  free (table.starts);
  free (source);
  if (fflush (stdout) != 0)
    fail ("cannot write");
  return 0;
}
#endif
