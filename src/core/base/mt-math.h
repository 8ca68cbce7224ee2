/* exp and log of our own: the C library chooses its versions by the processor, and they differ in the last digit. These are
 * plain arithmetic in a fixed order, within one unit in the last place (mt_log1p two, mt_expm1 four), so a model has the same
 * bytes on every machine. Inline, so that a loop of them vectorizes. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

G_BEGIN_DECLS

#define MT_LN2_HIGH 0x1.62e42fefa38p-1     /* with zeros at the end: k times it is exact */
#define MT_LN2_LOW  0x1.ef35793c7673p-45

/* eʳ - 1 - r for |r| ≤ ½ ln 2: r² Σ rⁿ / (n + 2)!, twelve terms. In pairs, so that they do not wait for each other. */
static inline double
_mt_exp_rest (double r)
{
  double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
  double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
  double c = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800.0));

  return r2 * (a + r4 * b + r8 * c);
}

static inline double
_mt_two_to (int k)
{
  guint64 bits = (guint64) (k + 1023) << 52;
  double power;

  memcpy (&power, &bits, sizeof power);
  return power;
}

static inline double
mt_exp (double x)
{
  const double shift = 6755399441055744.0;   /* 1.5 · 2^52: adding it rounds to an integer */
  double k, high, low, r, result;
  int half;

  if (!(x < 710))
    return x >= 710 ? (double) INFINITY : x;
  if (x < -746)
    return 0;
  k = x * 1.4426950408889634 + shift;
  k -= shift;
  high = x - k * MT_LN2_HIGH;
  low = k * MT_LN2_LOW;
  r = high - low;
  /* What rounding took from r is put back at the end. */
  result = 1 + (high + (_mt_exp_rest (r) - low));
  /* Twice half of the power: k may be larger than an exponent, and the result smaller than a normal number. */
  half = (int) k / 2;
  return result * _mt_two_to (half) * _mt_two_to ((int) k - half);
}

static inline double
mt_expm1 (double x)
{
  return fabs (x) <= .34 ? x + _mt_exp_rest (x) : mt_exp (x) - 1;
}

/* x = 2ᵏ (1 + f) with √½ ≤ 1 + f < √2, s = f / (2 + f), log (1 + f) = 2 artanh s = f - f²/2 + s (f²/2 + Σ 2 s²ⁿ / (2n + 1)). */
static inline double
mt_log (double x)
{
  guint64 bits;
  double f, s, z, z2, z4, sum, square, k = 0;

  if (!(x > 0))
    return x == 0 ? -(double) INFINITY : (double) NAN;
  if (!(x < (double) INFINITY))
    return x;
  if (x < 0x1p-1022)
    {
      x *= 0x1p54;
      k = -54;
    }
  memcpy (&bits, &x, sizeof bits);
  /* The exponent of 1 + f is that of x after √½ has become 1. */
  bits -= G_GUINT64_CONSTANT (0x3fe6a09e667f3bcd);
  k += (double) ((gint64) bits >> 52);
  bits = (bits & G_GUINT64_CONSTANT (0x000fffffffffffff)) + G_GUINT64_CONSTANT (0x3fe6a09e667f3bcd);
  memcpy (&f, &bits, sizeof f);
  f -= 1;
  s = f / (2 + f);
  z = s * s;
  z2 = z * z;
  z4 = z2 * z2;
  sum = z * (((2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9))) +
             z4 * (((2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17))) + z4 * (2.0 / 19 + z * (2.0 / 21 + z * (2.0 / 23)))));
  square = .5 * f * f;
  return k * MT_LN2_HIGH + (f - (square - (s * (square + sum) + k * MT_LN2_LOW)));
}

/* log (1 + x) for x > -1. */
static inline double
mt_log1p (double x)
{
  double u = 1 + x;

  if (!(u > 0 && u < (double) INFINITY))
    return mt_log (u);
  /* What rounding took from 1 + x. */
  return mt_log (u) + (x - (u - 1)) / u;
}

/* xⁿ by squaring. */
static inline double
mt_power (double  x,
          guint64 n)
{
  double result = 1;

  for (; n > 0; n >>= 1, x *= x)
    if (n & 1)
      result *= x;
  return result;
}

G_END_DECLS
