/* Reading numbers as people write them in files, independent of the locale. mt-decimal writes them. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* How a column writes its numbers. */
typedef struct {
  char decimal;     /* '.' or ',' */
  char thousands;   /* ',' '.' ' ' '\'' or 0 for none; ' ' also stands for no-break spaces, '\'' for ’ */
} MtNumberFormat;

extern const MtNumberFormat mt_number_plain;   /* decimal point, no thousands */

typedef enum {
  MT_NUMBER_NONE,          /* not a number */
  MT_NUMBER_FINITE,
  MT_NUMBER_LEADING_ZERO,  /* a whole number written with leading zeros: 007, more likely a code */
  MT_NUMBER_INFINITE,      /* inf, or too large for a double: the value is ±INFINITY */
} MtNumberKind;

/* Blanks around the number are allowed, no-break ones too, anything else is not. No
 * hexadecimal, no NaN, no digits but 0-9; the minus may be Unicode's own. Correctly rounded.
 * The text need not end with a NUL. */
MtNumberKind mt_number_parse  (const char           *text,
                               gsize                 length,
                               const MtNumberFormat *format,
                               double               *value);

/* Leaves out the blanks around a text. */
void         mt_number_trim   (const char          **text,
                               gsize                *length);

/* The same for the plain format, only what is short and simple: [-]digits[.digits] in at
 * most eight bytes and without leading zeros in front of a whole number. FALSE says nothing:
 * ask mt_number_parse. Eight bytes must be readable at @text. All digits are turned into a
 * number at once, as bytes of one word. */
static inline gboolean
mt_number_parse_short (const char *text,
                       gsize       length,
                       double     *value)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 };
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 digits, odd;
  gboolean negative;
  double v;
  guint shift;

  if (length - 1 > 7)   /* 0 is too large as well */
    return FALSE;
  memcpy (&digits, text, sizeof digits);
  negative = text[0] == '-';
  shift = 64 - 8 * (guint) length;
  /* Right-aligned, so that the last character is the highest byte; in front of it zeros. */
  digits = (digits ^ (ones * '0')) << shift;
  if (negative)
    {
      if (length == 1)
        return FALSE;
      digits &= ~(G_GUINT64_CONSTANT (0xff) << shift);
    }
  odd = (((digits & (ones * 0x7f)) + ones * 0x76) | digits) & (ones * 0x80);   /* bytes above 9 */
  if (odd != 0)
    {
      guint at = (guint) __builtin_ctzll (odd) - 7;   /* the lowest bit of that byte */
      guint64 below = (G_GUINT64_CONSTANT (1) << at) - 1;

      if ((odd & (odd - 1)) != 0 || ((digits >> at) & 0xff) != ('.' ^ '0') || length == 1u + negative)
        return FALSE;
      digits = ((digits & below) << 8) | (digits & ~below & ~(G_GUINT64_CONSTANT (0xff) << at));
      digits = (digits * 2561) >> 8;
      digits = ((digits & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff)) * 6553601) >> 16;
      digits = ((digits & G_GUINT64_CONSTANT (0x0000ffff0000ffff)) * G_GUINT64_CONSTANT (42949672960001)) >> 32;
      v = (double) (gint64) digits / powers[7 - at / 8];
    }
  else
    {
      if (length > 1u + negative && text[negative] == '0')
        return FALSE;
      digits = (digits * 2561) >> 8;
      digits = ((digits & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff)) * 6553601) >> 16;
      digits = ((digits & G_GUINT64_CONSTANT (0x0000ffff0000ffff)) * G_GUINT64_CONSTANT (42949672960001)) >> 32;
      v = (double) (gint64) digits;
    }
  *value = negative ? -v : v;
  return TRUE;
#else
  return FALSE;
#endif
}

G_END_DECLS
