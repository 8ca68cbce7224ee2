/* Decimals that people can read and machines can trust.
 *
 * A double is written with the fewest significant digits that read back as the same
 * double, with a point whatever the locale: `55`, `0.001`, `1e300`. A threshold may be
 * any number in a gap (a, b]; the one with the fewest digits is the one to print, and
 * since the double nearest to it is what is stored, text and logic are the same number. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Long enough for any text that mt_decimal_write() makes, with its NUL. */
#define MT_DECIMAL_SIZE 32

/* @value is finite. Returns @buffer. */
const char *mt_decimal_write             (double value, char buffer[MT_DECIMAL_SIZE]);
char       *mt_decimal_dup               (double value);
/* The same digits as C's "%g" lays them out, for cells and for names that files have had so from the beginning:
 * an exponent has a sign and two digits (1e+22, 1e-05) and begins at 1e15 for whole numbers and at 16 or 17
 * digits before the point for others. Any double: also "inf", "-inf" and "nan". */
const char *mt_decimal_write_c           (double value, char buffer[MT_DECIMAL_SIZE]);
char       *mt_decimal_dup_c             (double value);
/* The whole of @text is one finite decimal, with no space around it. */
gboolean    mt_decimal_parse             (const char *text, double *value);

/* The shortest decimal t with a < t ≤ b, for finite a < b: fewest significant digits; of
 * these the roundest (0 first, then the highest last place, then a last digit of 5, then an
 * even one); of these the nearest to the middle; of these the lowest. */
double      mt_shortest_decimal_between  (double a, double b);

G_END_DECLS
