/* Numbers as text, independent of the locale: reading the ways people write them in
 * files, and writing the shortest form that reads back as the same double. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How a column writes its numbers. */
typedef struct {
  char decimal;     /* '.' or ',' */
  char thousands;   /* ',' '.' ' ' '\'' or 0 for none; ' ' also stands for no-break spaces */
} MtNumberFormat;

extern const MtNumberFormat mt_number_plain;   /* decimal point, no thousands */

typedef enum {
  MT_NUMBER_NONE,          /* not a number */
  MT_NUMBER_FINITE,
  MT_NUMBER_LEADING_ZERO,  /* a whole number written with leading zeros: 007, more likely a code */
  MT_NUMBER_INFINITE,      /* inf, or too large for a double: the value is ±INFINITY */
} MtNumberKind;

/* Blanks around the number are allowed, anything else is not. No hexadecimal, no NaN, no
 * digits but 0-9. Correctly rounded. The text need not end with a NUL. */
MtNumberKind mt_number_parse  (const char           *text,
                               gsize                 length,
                               const MtNumberFormat *format,
                               double               *value);

#define MT_NUMBER_BUF_SIZE 32

/* Decimal point, no thousands, exponent as e+22; "inf", "-inf", "nan". Returns @buffer. */
char        *mt_number_format (double  value,
                               char   *buffer,   /* MT_NUMBER_BUF_SIZE bytes */
                               gsize   size);
char        *mt_number_dup    (double  value);

G_END_DECLS
