/* Sums over a bit plane and a row of numbers: the inner loops of fitting and refining. See mt-planes.h. */
#include "config.h"
#include "mt-planes-private.h"

#include <math.h>
#include <string.h>

#include "mt-dense.h"
#include "mt-target-clones.h"
#include "mt-math.h"

#define SIGMOID_ROWS 512
#define SIGMOID_LANES 8

typedef gint64 Bits4 __attribute__ ((vector_size (32)));
typedef double Double4 __attribute__ ((vector_size (32)));

/* A word of a plane is walked from its last four rows to its first: their bits stand in the signs of four lanes,
 * and a shift by four brings the next ones there. Unrolled, so that everything stays in registers. */
#define FOURS_OF_A_WORD 16
#define UNROLL _Pragma ("GCC unroll 16")

static inline guint64
as_bits (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
as_double (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Macros, because a function that returns a vector has another ABI on each machine. */
#define LAST_FOUR(word) \
  ((Bits4) { (gint64) (word), (gint64) (word), (gint64) (word), (gint64) (word) } << (Bits4) { 3, 2, 1, 0 })
/* The numbers whose lane's sign is set, 0 for the others. */
#define WHERE_SET(signs, x) ((Double4) (((signs) < 0) & (Bits4) (x)))

MT_CLONES double
mt_plane_sum (const guint64 *plane,
              const double  *x,
              gsize          n_rows)
{
  Double4 sums[4] = { { 0 } }, all;
  double sum = 0;
  gsize r = 0;

  for (; r + 64 <= n_rows; r += 64)
    {
      Bits4 signs = LAST_FOUR (plane[r / 64]);

      if (plane[r / 64] == 0)
        continue;
      UNROLL
      for (gint i = FOURS_OF_A_WORD - 1; i >= 0; i--)
        {
          Double4 four;

          memcpy (&four, x + r + 4 * i, sizeof four);
          sums[i % 4] += WHERE_SET (signs, four);
          signs <<= 4;
        }
    }
  all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (guint i = 0; i < 4; i++)
    sum += all[i];
  for (guint64 left = r < n_rows ? plane[r / 64] : 0; left != 0; left &= left - 1)
    if (r + (gsize) __builtin_ctzll (left) < n_rows)
      sum += x[r + (gsize) __builtin_ctzll (left)];
  return sum;
}

void
mt_planes_sum (const guint64 *const *planes,
               guint                 n_planes,
               const double         *x,
               gsize                 n_rows,
               double               *sums)
{
  if (mt_planes_have_masks ())
    mt_planes_sum_masked (planes, n_planes, x, n_rows, sums);
  else
    for (guint p = 0; p < n_planes; p++)
      sums[p] = mt_plane_sum (planes[p], x, n_rows);
}

/* Rows that all columns are added to before the next rows: a multiple of 64, 16 kB. */
#define ROWS_AT_A_TIME 2048

void
mt_columns_combine (const guint64 *const *planes,
                    const double *const  *values,
                    const double         *weights,
                    guint                 n,
                    double                start,
                    gsize                 n_rows,
                    double               *out)
{
  if (mt_planes_have_masks ())
    {
      mt_columns_combine_masked (planes, values, weights, n, start, n_rows, out);
      return;
    }
  for (gsize first = 0; first < n_rows; first += ROWS_AT_A_TIME)
    {
      gsize some = MIN (ROWS_AT_A_TIME, n_rows - first);

      for (gsize r = 0; r < some; r++)
        out[first + r] = start;
      for (guint j = 0; j < n; j++)
        if (weights[j] != 0)
          {
            if (planes[j] != NULL)
              mt_plane_add (planes[j] + first / 64, weights[j], out + first, some);
            else
              mt_dense_add (weights[j], values[j] + first, out + first, some);
          }
    }
}

MT_CLONES void
mt_plane_add (const guint64 *plane,
              double         weight,
              double        *y,
              gsize          n_rows)
{
  const Double4 weights = { weight, weight, weight, weight };
  gsize r = 0;

  for (; r + 64 <= n_rows; r += 64)
    {
      Bits4 signs = LAST_FOUR (plane[r / 64]);

      if (plane[r / 64] == 0)
        continue;
      UNROLL
      for (gint i = FOURS_OF_A_WORD - 1; i >= 0; i--)
        {
          Double4 four;

          memcpy (&four, y + r + 4 * i, sizeof four);
          four += WHERE_SET (signs, weights);
          memcpy (y + r + 4 * i, &four, sizeof four);
          signs <<= 4;
        }
    }
  for (guint64 left = r < n_rows ? plane[r / 64] : 0; left != 0; left &= left - 1)
    if (r + (gsize) __builtin_ctzll (left) < n_rows)
      y[r + (gsize) __builtin_ctzll (left)] += weight;
}

MT_CLONES void
mt_plane_spread (const guint64 *plane,
                 const double  *x,
                 gsize          first,
                 gsize          n_rows,
                 double        *out)
{
  gsize r = 0;

  for (; r + 64 <= n_rows; r += 64)
    {
      Bits4 signs = LAST_FOUR (plane[(first + r) / 64]);

      UNROLL
      for (gint i = FOURS_OF_A_WORD - 1; i >= 0; i--)
        {
          Double4 four;

          memcpy (&four, x + first + r + 4 * i, sizeof four);
          four = WHERE_SET (signs, four);
          memcpy (out + r + 4 * i, &four, sizeof four);
          signs <<= 4;
        }
    }
  for (; r < n_rows; r++)
    out[r] = plane[(first + r) / 64] >> ((first + r) % 64) & 1 ? x[first + r] : 0;
}

typedef gint32 Ints16 __attribute__ ((vector_size (64)));

MT_CLONES void
mt_plane_spread_floats (const guint64 *plane,
                        const float   *x,
                        gsize          n_rows,
                        float         *out)
{
  const Ints16 bits = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };
  gsize r = 0;

  for (; r + 16 <= n_rows; r += 16)
    {
      gint32 sixteen = (gint32) (plane[r / 64] >> (r % 64) & 0xffff);
      Ints16 some;

      memcpy (&some, x + r, sizeof some);
      some &= (bits & sixteen) != 0;
      memcpy (out + r, &some, sizeof some);
    }
  for (; r < n_rows; r++)
    out[r] = plane[r / 64] >> (r % 64) & 1 ? x[r] : 0;
}

MT_CLONES gsize
mt_plane_count (const guint64 *plane,
                gsize          n_words)
{
  gsize n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (gsize) __builtin_popcountll (plane[w]);
  return n;
}

MT_CLONES gsize
mt_plane_count_and (const guint64 *a,
                    const guint64 *b,
                    gsize          n_words)
{
  gsize n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (gsize) __builtin_popcountll (a[w] & b[w]);
  return n;
}

typedef guint16 Shorts16 __attribute__ ((vector_size (32)));

MT_CLONES void
mt_planes_to_patterns (const guint64 *const *planes,
                       guint                 n_planes,
                       gsize                 n_rows,
                       guint16              *patterns)
{
  const Shorts16 bits = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };

  g_return_if_fail (n_planes <= 8);
  for (gsize r = 0; r < n_rows; r += 64)
    {
      Shorts16 some[4] = { { 0 } };

      for (guint p = 0; p < n_planes; p++)
        {
          guint64 word = planes[p][r / 64];

          UNROLL
          for (guint i = 0; i < 4; i++)
            some[i] |= (Shorts16) ((bits & (guint16) (word >> 16 * i)) != 0) & (guint16) (1u << p);
        }
      memcpy (patterns + r, some, MIN (64, n_rows - r) * sizeof *patterns);
    }
}

/* exp (x) for -708 ≤ x ≤ 0, to 2e-16: x = k ln 2 + r, |r| ≤ ½ ln 2, a Taylor polynomial in r,
 * then k goes into the exponent. Plain arithmetic, so that a loop of it vectorises. */
static inline double
exp_negative (double x)
{
  const double shift = 6755399441055744.0;   /* 1.5 · 2^52: adding it rounds to an integer */
  double k = x * 1.4426950408889634 + shift;
  guint64 exponent = as_bits (k) << 52;
  double r, p;

  k -= shift;
  r = x - k * 0.6931471803691238;
  r -= k * 1.9082149292705877e-10;
  p = 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + .5;
  p = p * r + 1;
  p = p * r + 1;
  return as_double (as_bits (p) + exponent);
}

MT_CLONES double
mt_sigmoid (const double *eta,
            gsize         n_rows,
            double       *p)
{
  double sum = 0;

  for (gsize first = 0; first < n_rows; first += SIGMOID_ROWS)
    {
      gsize n = MIN (SIGMOID_ROWS, n_rows - first);
      double product[SIGMOID_LANES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
      double e[SIGMOID_ROWS];

      for (gsize i = 0; i < n; i++)
        {
          double x = -fabs (eta[first + i]);

          e[i] = exp_negative (x < -700 ? -700 : x);
        }
      for (gsize i = 0; i < n; i++)
        p[first + i] = (eta[first + i] >= 0 ? 1 : e[i]) / (1 + e[i]);
      /* At most 64 factors of at most 2 a lane: a logarithm a lane, not a row. */
      for (gsize i = n; i % SIGMOID_LANES != 0; i++)
        e[i] = 0;
      for (gsize i = 0; i < n; i += SIGMOID_LANES)
        for (guint k = 0; k < SIGMOID_LANES; k++)
          product[k] *= 1 + e[i + k];
      for (guint i = 0; i < SIGMOID_LANES; i++)
        sum += mt_log (product[i]);
    }
  return sum;
}

MT_CLONES double
mt_softmax (const double *eta,
            guint         n_outputs,
            gsize         n_rows,
            double       *p)
{
  double sum = 0;

  for (gsize first = 0; first < n_rows; first += SIGMOID_ROWS)
    {
      gsize n = MIN (SIGMOID_ROWS, n_rows - first);
      double product[SIGMOID_LANES] = { 1, 1, 1, 1, 1, 1, 1, 1 }, tops[SIGMOID_LANES] = { 0 };
      double top[SIGMOID_ROWS], total[SIGMOID_ROWS];

      memcpy (top, eta + first, n * sizeof *top);
      for (guint c = 1; c < n_outputs; c++)
        for (gsize i = 0; i < n; i++)
          top[i] = MAX (top[i], eta[c * n_rows + first + i]);
      for (gsize i = 0; i < n; i++)
        total[i] = 0;
      for (guint c = 0; c < n_outputs; c++)
        for (gsize i = 0; i < n; i++)
          {
            double x = eta[c * n_rows + first + i] - top[i], e = exp_negative (x < -700 ? -700 : x);

            p[c * n_rows + first + i] = e;
            total[i] += e;
          }
      /* At most 64 factors of at most n_outputs a lane: far from the end of the range for the 50 classes there may be. */
      for (gsize i = n; i % SIGMOID_LANES != 0; i++)
        {
          total[i] = 1;
          top[i] = 0;
        }
      for (gsize i = 0; i < n; i += SIGMOID_LANES)
        for (guint k = 0; k < SIGMOID_LANES; k++)
          {
            product[k] *= total[i + k];
            tops[k] += top[i + k];
          }
      for (gsize i = 0; i < n; i++)
        total[i] = 1 / total[i];
      for (guint c = 0; c < n_outputs; c++)
        for (gsize i = 0; i < n; i++)
          p[c * n_rows + first + i] *= total[i];
      for (guint i = 0; i < SIGMOID_LANES; i++)
        sum += mt_log (product[i]) + tops[i];
    }
  return sum;
}
