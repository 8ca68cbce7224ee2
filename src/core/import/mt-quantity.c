/* A number with what people write around it: “$1,200.50”, “12 %”, “5 kg”, “(3.20)” or “3.20-”. See mt-
 * quantity.h. */
#include "config.h"
#include "mt-quantity.h"

/* In front of a number only currencies count, or “A12” would be twelve of A. Behind it any
 * short word may stand, since a code that ends in letters seldom has the same ones in every
 * row. */

static const char * const currencies[] = {
  "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "Fr.", "GBP", "HUF", "INR", "JPY", "KRW", "MXN", "NOK",
  "PLN", "RUB", "Rs", "SEK", "TRY", "USD", "ZAR", "kr", "zł",
};

/* Brackets that make a number negative in accounts. */
static gboolean
is_bracketed (const char *text,
              gsize       length)
{
  return length > 2 && text[0] == '(' && text[length - 1] == ')';
}

static gsize
currency_at (const char *text,
             gsize       length)
{
  for (guint i = 0; i < G_N_ELEMENTS (currencies); i++)
    if (length > strlen (currencies[i]) && strncmp (text, currencies[i], strlen (currencies[i])) == 0)
      return strlen (currencies[i]);
  return 0;
}

/* Bytes of the currency that @text starts with: a sign, letters and a sign (US$, R$), or a
 * code. */
static gsize
prefix_length (const char *text,
               gsize       length)
{
  gsize letters = 0;
  gunichar c;

  while (letters < 2 && letters < length && g_ascii_isupper (text[letters]))
    letters++;
  c = g_utf8_get_char_validated (text + letters, (gssize) (length - letters));
  if ((gint) c > 0 && g_unichar_type (c) == G_UNICODE_CURRENCY_SYMBOL)
    return letters + (gsize) (g_utf8_next_char (text + letters) - (text + letters));
  return currency_at (text, length);
}

static gboolean
is_unit_character (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CURRENCY_SYMBOL:
    case G_UNICODE_LOWERCASE_LETTER:
    case G_UNICODE_UPPERCASE_LETTER:
    case G_UNICODE_OTHER_LETTER:
    case G_UNICODE_OTHER_NUMBER:     /* ² and ³ */
      return TRUE;
    default:
      return c == '%' || c == 0x2030 || c == 0xb0 || c == '/' || c == 0xb7;   /* ‰, °, · */
    }
}

/* Bytes of the unit that @text ends with, at most what fits an MtQuantity. */
static gsize
suffix_length (const char *text,
               gsize       length)
{
  const char *end = text + length;
  const char *p = end;

  while (p > text)
    {
      const char *before = g_utf8_find_prev_char (text, p);

      if (before == NULL || !is_unit_character (g_utf8_get_char (before)))
        break;
      p = before;
    }
  return end - p < MT_UNIT_SIZE ? (gsize) (end - p) : 0;
}

/* Most texts are no quantity by their first characters: a currency is short, and a number or
 * its sign follows at once. */
static gboolean
may_be_quantity (const char *text,
                 gsize       length)
{
  gsize i = 0;

  if (length == 0 || (g_ascii_islower (text[0]) && text[0] != 'k' && text[0] != 'z'))
    return FALSE;
  while (i < length && i < 8 && !g_ascii_isdigit (text[i]))
    i++;
  return i < length && i < 8;
}

/* What is left between the units must look like a number at both ends. */
static gboolean
may_be_number (const char *text,
               gsize       length)
{
  return length > 0 && (g_ascii_isdigit (text[length - 1]) || text[length - 1] == '.') &&
         !g_ascii_isalpha (text[0]) && text[0] != '(';
}

gboolean
mt_quantity_split (const char *text,
                   gsize       length,
                   MtQuantity *quantity)
{
  gsize n;

  memset (quantity, 0, sizeof *quantity);
  mt_number_trim (&text, &length);
  if (!may_be_quantity (text, length))
    return FALSE;
  if (is_bracketed (text, length))
    {
      quantity->negative = TRUE;
      text++;
      length -= 2;
      mt_number_trim (&text, &length);
    }
  n = length > 1 && text[0] == '-' ? 1 : 0;
  if (prefix_length (text + n, length - n) > 0)
    {
      gsize unit = prefix_length (text + n, length - n);

      quantity->negative |= n > 0;
      memcpy (quantity->unit, text + n, unit);
      text += n + unit;
      length -= n + unit;
    }
  else if (length > 1 && text[length - 1] == '-' && g_ascii_isdigit (text[length - 2]))
    {
      quantity->negative = TRUE;   /* 12.50-, as accounts programs write it */
      length--;
    }
  else if ((n = suffix_length (text, length)) > 0)
    {
      memcpy (quantity->unit, text + length - n, n);
      length -= n;
    }
  else if (!quantity->negative)
    return FALSE;
  mt_number_trim (&text, &length);
  quantity->number = text;
  quantity->length = length;
  return may_be_number (text, length);
}

gboolean
mt_quantity_may_lead (const char *unit)
{
  g_autofree char *text = g_strconcat (unit, "5", NULL);

  return *unit != '\0' && prefix_length (text, strlen (text)) == strlen (unit);
}

MtNumberKind
mt_quantity_parse (const char           *text,
                   gsize                 length,
                   const MtNumberFormat *format,
                   const char           *unit,
                   double               *value)
{
  MtNumberKind kind = mt_number_parse (text, length, format, value);
  MtQuantity quantity;

  if (kind != MT_NUMBER_NONE || !mt_quantity_split (text, length, &quantity) ||
      (unit != NULL && quantity.unit[0] != '\0' && strcmp (quantity.unit, unit) != 0))
    return kind;
  kind = mt_number_parse (quantity.number, quantity.length, format, value);
  if (kind != MT_NUMBER_NONE && quantity.negative)
    *value = -*value;
  return kind;
}
