/* What a column is, judged by its texts. See mt-typing.h. */
#include "config.h"
#include "mt-typing.h"

#include <math.h>
#include <string.h>

const MtNumberFormat mt_number_formats[MT_N_NUMBER_FORMATS] = {
  { '.', 0 }, { '.', ',' }, { ',', '.' }, { '.', ' ' }, { ',', ' ' }, { '.', '\'' }, { ',', '\'' },
};

/* Most texts are no number or date by their first character. */
static gboolean
may_be_number (const char *text,
               gsize       length)
{
  if (length == 0)
    return FALSE;
  switch ((guchar) text[0])
    {
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
    case '+': case '-': case '.': case ',': case ' ': case '\t':
    case 0xc2: case 0xe2:   /* a no-break blank, a minus sign */
      return TRUE;
    case 'i': case 'I':
      return length <= sizeof "infinity  ";
    default:
      return FALSE;
    }
}

/* How people say “nothing” where a number should be. In a column of words these may be words
 * like others, so they are no tokens for everywhere. */
gboolean
mt_type_is_nothing (const char *text,
                    gsize       length)
{
  static const char * const words[] = {
    "-", "--", "---", ".", "..", "*", "–", "—", "none", "nil", "n.a.", "n.a", "na", "nd", "n/d", "#null!", "#n/a n/a",
    "#na", "#div/0!", "#value!", "#ref!", "#num!", "(null)", "\\n", "missing", "unknown", "1.#ind", "-1.#ind",
    "1.#qnan", "-1.#qnan", "-nan",
  };

  if (length > 16 || length == 0 || strchr ("-.*#(\\1nNmMuU \t\xc2\xe2", text[0]) == NULL)
    return FALSE;
  mt_number_trim (&text, &length);
  for (guint i = 0; i < G_N_ELEMENTS (words) && length > 0; i++)
    if (words[i][0] == g_ascii_tolower (text[0]) && strlen (words[i]) == length &&
        g_ascii_strncasecmp (words[i], text, length) == 0)
      return TRUE;
  return FALSE;
}

/* What is no number: one with a unit, or with separators in odd places, or nothing at all? */
static void
tally_oddity (MtTypeTally *tally,
              const char  *text,
              gsize        length,
              gsize        count)
{
  MtQuantity quantity;
  gboolean any = FALSE;
  double value;
  gsize i;

  if (length == 0)
    return;
  if (mt_type_is_nothing (text, length))
    {
      tally->n_nothings += count;
      return;
    }
  if (g_ascii_isdigit (text[0]))
    {
      for (i = 0; i < length && (g_ascii_isdigit (text[i]) || strchr (",._'", text[i]) != NULL); i++)
        any |= text[i] == ',' || text[i] == '_';
      if (i == length && any)
        {
          tally->n_grouped += count;
          return;
        }
      any = FALSE;
    }
  if (length > 64 || !mt_quantity_split (text, length, &quantity))
    return;
  for (guint f = 0; f < MT_N_NUMBER_FORMATS; f++)
    if (mt_number_parse (quantity.number, quantity.length, &mt_number_formats[f], &value) != MT_NUMBER_NONE)
      {
        tally->n_unit_numbers[f] += count;
        any = TRUE;
      }
  if (!any)
    return;
  /* Brackets alone are no unit. */
  if (tally->unit[0] == '\0')
    memcpy (tally->unit, quantity.unit, sizeof tally->unit);
  else
    tally->other_units |= quantity.unit[0] != '\0' && strcmp (tally->unit, quantity.unit) != 0;
  tally->n_units += count;
}

void
mt_type_tally_add (MtTypeTally *tally,
                   const char  *text,
                   gsize        length,
                   gsize        count)
{
  double value, plain_value = 0;
  gboolean plain = FALSE, any = FALSE;

  tally->n_values += count;
  tally->any_point = tally->any_point || mt_type_has_point (text, length);
  for (guint f = 0; f < MT_N_NUMBER_FORMATS && may_be_number (text, length); f++)
    {
      MtNumberKind kind;

      /* What has no separator reads the same in every format; a point alone, in all its own. */
      if (f > 0 && plain && (mt_number_formats[f].decimal == '.' || memchr (text, '.', length) == NULL))
        {
          tally->n_numbers[f] += count;
          continue;
        }
      kind = mt_number_parse (text, length, &mt_number_formats[f], &value);
      if (kind == MT_NUMBER_NONE)
        continue;
      any = TRUE;
      plain |= f == 0;
      plain_value = f == 0 ? value : plain_value;
      tally->n_numbers[f] += count;
      if (plain && value != plain_value)
        tally->n_two_ways += count;
      if (kind == MT_NUMBER_FINITE && value != floor (value))
        tally->any_fraction = TRUE;
      if (f == 0 && kind == MT_NUMBER_LEADING_ZERO)
        tally->n_leading_zero += count;
    }
  if (!any)
    tally_oddity (tally, text, length, count);
  if (length > 0 && (g_ascii_isdigit (text[0]) || text[0] == ' '))
    for (guint o = 0; o < MT_N_DATE_ORDERS; o++)
      if (mt_date_parse (text, length, o, &value))
        tally->n_dates[o] += count;
}

gboolean
mt_type_tolerable (gsize n_good,
                   gsize n_values)
{
  return n_good == n_values || (n_values >= 100 && (n_values - n_good) * 20 <= n_values);
}

gboolean
mt_type_only_nothings (gsize n_numbers,
                       gsize n_nothings,
                       gsize n_values)
{
  return n_nothings > 0 && n_numbers * 10 >= n_values && mt_type_tolerable (n_numbers + n_nothings, n_values);
}

static gboolean
format_allowed (guint               format,
                        const MtCsvDialect *dialect)
{
  const MtNumberFormat *f = &mt_number_formats[format];

  if (dialect->decimal != 0 && f->decimal != dialect->decimal)
    return FALSE;
  if (dialect->thousands == 0)
    return TRUE;
  if (dialect->thousands == MT_CSV_NO_THOUSANDS)
    return f->thousands == 0 || (dialect->decimal == ',' && f->thousands == '.');
  return f->thousands == dialect->thousands;
}

/* @units: numbers that have a unit count too. */
static guint
best_format (const MtTypeTally  *tally,
             const MtCsvDialect *dialect,
             gboolean            units,
             gsize              *n_read,
             gboolean           *ambiguous)
{
  /* Where a comma could be either, a semicolon file means a decimal comma. */
  static const guint point_first[] = { 0, 1, 2, 3, 4, 5, 6 };
  static const guint comma_first[] = { 0, 2, 1, 4, 3, 6, 5 };
  const guint *order = dialect->delimiter == ';' ? comma_first : point_first;
  gsize counts[MT_N_NUMBER_FORMATS];
  gsize best_count = 0, other = 0;
  int best = -1;

  for (guint i = 0; i < MT_N_NUMBER_FORMATS; i++)
    {
      guint f = order[i];

      counts[f] = tally->n_numbers[f] + (units ? tally->n_unit_numbers[f] : 0);
      if (!format_allowed (f, dialect))
        continue;
      if (best < 0 || counts[f] > best_count)
        {
          best = (int) f;
          best_count = counts[f];
        }
    }
  if (best < 0)
    best = 0;
  for (guint f = 0; f < MT_N_NUMBER_FORMATS; f++)
    if (format_allowed (f, dialect) && mt_number_formats[f].decimal != mt_number_formats[best].decimal)
      other = MAX (other, counts[f]);
  /* 1.234 is read as one and a bit; only in a semicolon file that deserves a word. */
  *ambiguous = other == best_count && best_count > 0 &&
               (best != 0 || (dialect->delimiter == ';' && tally->n_two_ways > 0));
  *n_read = best_count;
  return (guint) best;
}

void
mt_type_force_number (const MtTypeTally  *tally,
                      const MtCsvDialect *dialect,
                      const char         *unit,
                      MtTypeGuess        *guess)
{
  gsize n_read;

  guess->type = MT_TYPE_NUMBER;
  g_strlcpy (guess->unit, tally->unit, sizeof guess->unit);
  guess->units = tally->n_units > 0 && !tally->other_units;
  if (unit != NULL)
    {
      /* It is decided: whatever else stands around a number makes it none. */
      guess->units = *unit != '\0';
      g_strlcpy (guess->unit, strcmp (unit, MT_UNIT_SIGNS) == 0 ? "" : unit, sizeof guess->unit);
    }
  guess->format = best_format (tally, dialect, guess->units, &n_read, &guess->ambiguous);
}

MtDateOrder
mt_type_best_order (const MtTypeTally *tally,
                    int                order,
                    gboolean          *ambiguous)
{
  MtDateOrder best = MT_DATE_YMD;

  *ambiguous = FALSE;
  if (order >= 0)
    return (MtDateOrder) order;
  for (guint o = 1; o < MT_N_DATE_ORDERS; o++)
    if (tally->n_dates[o] > tally->n_dates[best])
      best = o;
  *ambiguous = best != MT_DATE_YMD && tally->n_dates[MT_DATE_DMY] == tally->n_dates[MT_DATE_MDY];
  return best;
}

void
mt_type_decide (const MtTypeTally  *tally,
                const MtCsvDialect *dialect,
                int                 order,
                MtTypeGuess        *guess)
{
  gsize n = tally->n_values, n_numbers, n_quantities;
  gboolean ambiguous_number, ambiguous_date, number, date;

  memset (guess, 0, sizeof *guess);
  guess->format = best_format (tally, dialect, FALSE, &n_numbers, &ambiguous_number);
  guess->order = mt_type_best_order (tally, order, &ambiguous_date);
  number = mt_type_tolerable (n_numbers, n) || mt_type_only_nothings (n_numbers, tally->n_nothings, n);
  date = mt_type_tolerable (tally->n_dates[guess->order], n);
  guess->zeros = number && tally->n_leading_zero > 0 && !tally->any_fraction && n > 0;

  if (n == 0)
    guess->type = MT_TYPE_NUMBER;
  else if (tally->n_distinct == 2 && n > 2)
    guess->type = MT_TYPE_BOOLEAN;
  else if (date && !ambiguous_date)
    guess->type = MT_TYPE_DATE;
  else if (number && !guess->zeros)
    {
      guess->type = MT_TYPE_NUMBER;
      guess->ambiguous = ambiguous_number;
    }
  else
    {
      /* Few rows say nothing about how distinct a column is. */
      guess->type = tally->n_distinct > MT_MAX_CATEGORY_LEVELS || (n >= 20 && tally->n_distinct * 2 > n)
                    ? MT_TYPE_TEXT : MT_TYPE_CATEGORY;
      guess->ambiguous = date;
      best_format (tally, dialect, TRUE, &n_quantities, &ambiguous_number);
      if (!date && !guess->zeros)
        {
          guess->units = tally->n_units > 0 && !tally->other_units && mt_type_tolerable (n_quantities, n);
          g_strlcpy (guess->unit, tally->unit, sizeof guess->unit);
          guess->grouped = !guess->units && tally->n_grouped > 0 &&
                           mt_type_tolerable (tally->n_grouped + n_numbers, n);
          guess->mixed = !guess->units && !guess->grouped && n_numbers * 2 >= n;
        }
    }
}

gboolean
mt_type_is_number (const char         *text,
                   gsize               length,
                   const MtCsvDialect *dialect)
{
  double value;

  if (may_be_number (text, length))
    for (guint f = 0; f < MT_N_NUMBER_FORMATS; f++)
      if (format_allowed (f, dialect) &&
          mt_number_parse (text, length, &mt_number_formats[f], &value) != MT_NUMBER_NONE)
        return TRUE;
  return FALSE;
}

gboolean
mt_type_is_quantity (const char         *text,
                     gsize               length,
                     const MtCsvDialect *dialect)
{
  MtQuantity quantity;

  return mt_type_is_number (text, length, dialect) ||
         (mt_quantity_split (text, length, &quantity) && mt_type_is_number (quantity.number, quantity.length, dialect));
}

gboolean
mt_type_has_point (const char *text,
                   gsize       length)
{
  for (const char *p = memchr (text, '.', length); p != NULL;
       p = memchr (p + 1, '.', length - (gsize) (p + 1 - text)))
    if ((p > text && g_ascii_isdigit (p[-1])) || (p + 1 < text + length && g_ascii_isdigit (p[1])))
      return TRUE;
  return FALSE;
}

gboolean
mt_type_is_date (const char *text,
                 gsize       length)
{
  double value;

  for (guint o = 0; o < MT_N_DATE_ORDERS; o++)
    if (mt_date_parse (text, length, o, &value))
      return TRUE;
  return FALSE;
}
