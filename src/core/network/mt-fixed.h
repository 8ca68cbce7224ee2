/* Numbers of rows as whole numbers: so large sums of them are exact, and do not depend on the order in which a CPU's
 * threads or a GPU's blocks add them up.
 *
 *   score        2⁻⁴⁰, 64 bits: |η| < 8 million
 *   residual     2⁻²³, signed, three bytes: |r| < 1, of the largest there can be (unit)
 *   curvature    2⁻²⁴, three bytes: h < 1
 *   loss, gains  2⁻³², 64 bits
 *
 * Functions of a row are additions, multiplications and divisions of doubles in a fixed order, which every processor
 * rounds alike; exp() and log() of a library would not do. A product of theirs is never fused with an addition: both
 * compilers are given that flag. No GLib here: the GPU's module includes this file. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define MT_FIXED_INLINE __host__ __device__ __forceinline__
#else
#define MT_FIXED_INLINE static inline
#endif

#define MT_FIXED_SCORE     40
#define MT_FIXED_RESIDUAL  23
#define MT_FIXED_CURVATURE 24
#define MT_FIXED_SUM       32
#define MT_FIXED_LEAST_CURVATURE 17        /* 1e-6, as mt-linear-fit.c */

/* 2ⁿ, -1022 ≤ n ≤ 1023. */
MT_FIXED_INLINE double
mt_fixed_power (int n)
{
  uint64_t bits = (uint64_t) (n + 1023) << 52;
  double power;

  memcpy (&power, &bits, sizeof power);
  return power;
}

/* x 2ⁿ, to the nearest. */
MT_FIXED_INLINE int64_t
mt_fixed_of (double x, int n)
{
  return (int64_t) rint (x * mt_fixed_power (n));
}

MT_FIXED_INLINE double
mt_fixed_double (int64_t x, int n)
{
  return (double) x * mt_fixed_power (-n);
}

/* eˣ to 1e-15 of it, for x from -700 to 0: 2ⁿ and a series for what is left, at most log √2. */
MT_FIXED_INLINE double
mt_fixed_exp (double x)
{
  double n = rint (x * 1.4426950408889634), r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  double sum = 1.0 / 6227020800.0;

  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  return sum * mt_fixed_power ((int) n);
}

/* log x to 1e-15, for a normal number x > 0: its exponent, and a series in (m - 1) / (m + 1) for the rest. */
MT_FIXED_INLINE double
mt_fixed_log (double x)
{
  uint64_t bits;
  int exponent;
  double m, s, square, sum;

  memcpy (&bits, &x, sizeof bits);
  exponent = (int) (bits >> 52) - 1023;
  bits = (bits & UINT64_C (0xfffffffffffff)) | UINT64_C (0x3ff0000000000000);
  memcpy (&m, &bits, sizeof m);
  if (m > 1.4142135623730951)
    {
      m = m * 0.5;
      exponent++;
    }
  s = (m - 1.0) / (m + 1.0);
  square = s * s;
  sum = 1.0 / 21.0;
  sum = sum * square + 1.0 / 19.0;
  sum = sum * square + 1.0 / 17.0;
  sum = sum * square + 1.0 / 15.0;
  sum = sum * square + 1.0 / 13.0;
  sum = sum * square + 1.0 / 11.0;
  sum = sum * square + 1.0 / 9.0;
  sum = sum * square + 1.0 / 7.0;
  sum = sum * square + 1.0 / 5.0;
  sum = sum * square + 1.0 / 3.0;
  sum = sum * square + 1.0;
  return (double) exponent * 6.93147180559945286227e-01 + 2.0 * s * sum;
}

typedef struct {
  int32_t residual;
  int32_t curvature;
  int64_t loss;
} MtFixedRow;

/* Of two classes: p = σ(η), the residual y - p, the curvature p (1 - p), and the loss log (1 + e^η) - y η, times the
 * weight of the row's class, which is at most 1 (the largest one is taken for 1). */
MT_FIXED_INLINE MtFixedRow
mt_fixed_binary_row (int64_t score, int y, double weight)
{
  double eta = mt_fixed_double (score, MT_FIXED_SCORE), size = eta < 0.0 ? -eta : eta;
  double small = mt_fixed_exp (size < 700.0 ? -size : -700.0), of_size = 1.0 / (1.0 + small);
  double p = eta < 0.0 ? small * of_size : of_size, q = eta < 0.0 ? of_size : small * of_size;
  double loss = mt_fixed_log (1.0 + small) + (eta > 0.0 ? eta : 0.0) - (y != 0 ? eta : 0.0);
  int64_t curvature = mt_fixed_of (weight * (p * q), MT_FIXED_CURVATURE);
  int64_t residual = mt_fixed_of (weight * (y != 0 ? q : -p), MT_FIXED_RESIDUAL);
  MtFixedRow row;

  if (curvature < MT_FIXED_LEAST_CURVATURE)
    curvature = MT_FIXED_LEAST_CURVATURE;
  if (residual >= 1 << MT_FIXED_RESIDUAL)
    residual = (1 << MT_FIXED_RESIDUAL) - 1;
  row.residual = (int32_t) residual;
  row.curvature = (int32_t) curvature;
  row.loss = mt_fixed_of (weight * loss, MT_FIXED_SUM);
  return row;
}

/* What the row's loss would change by if its score did by @by: log (1 + p (e^by - 1)) - y by, times the weight.
 * @more: e^by - 1. */
MT_FIXED_INLINE int64_t
mt_fixed_binary_turn (int64_t score, int y, double weight, double by, double more)
{
  double eta = mt_fixed_double (score, MT_FIXED_SCORE), size = eta < 0.0 ? -eta : eta;
  double small = mt_fixed_exp (size < 700.0 ? -size : -700.0), of_size = 1.0 / (1.0 + small);
  double p = eta < 0.0 ? small * of_size : of_size;

  return mt_fixed_of (weight * (mt_fixed_log (1.0 + p * more) - (y != 0 ? by : 0.0)), MT_FIXED_SUM);
}
