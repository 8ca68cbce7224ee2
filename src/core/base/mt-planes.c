/* Sums over a bit plane and a row of numbers: the inner loops of fitting and refining. See mt-planes.h. */
#include "config.h"
#include "mt-planes.h"

#include <math.h>
#include <string.h>

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
  for (; r < n_rows; r++)
    if (plane[r / 64] >> (r % 64) & 1)
      sum += x[r];
  return sum;
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
  for (; r < n_rows; r++)
    if (plane[r / 64] >> (r % 64) & 1)
      y[r] += weight;
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

gsize
mt_plane_count (const guint64 *plane,
                gsize          n_words)
{
  gsize n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (gsize) __builtin_popcountll (plane[w]);
  return n;
}

gsize
mt_plane_count_and (const guint64 *a,
                    const guint64 *b,
                    gsize          n_words)
{
  gsize n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (gsize) __builtin_popcountll (a[w] & b[w]);
  return n;
}

MT_CLONES void
mt_planes_to_patterns (const guint64 *const *planes,
                       guint                 n_planes,
                       gsize                 n_rows,
                       guint16              *patterns)
{
  g_return_if_fail (n_planes <= 8);
  memset (patterns, 0, n_rows * sizeof *patterns);
  for (guint p = 0; p < n_planes; p++)
    for (gsize r = 0; r < n_rows; r += 64)
      {
        guint64 word = planes[p][r / 64];
        gsize n = MIN (64, n_rows - r);

        if (word == 0)
          continue;
        for (gsize i = 0; i < n; i++)
          patterns[r + i] |= (guint16) ((word >> i & 1) << p);
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
          double x = eta[first + i];

          x = x > 0 ? -x : x;
          e[i] = exp_negative (x < -700 ? -700 : x);
        }
      for (gsize i = 0; i < n; i++)
        p[first + i] = (eta[first + i] >= 0 ? 1 : e[i]) / (1 + e[i]);
      /* At most 64 factors of at most 2 a lane: a logarithm a lane, not a row. */
      for (gsize i = 0; i < n; i++)
        product[i % SIGMOID_LANES] *= 1 + e[i];
      for (guint i = 0; i < SIGMOID_LANES; i++)
        sum += mt_log (product[i]);
    }
  return sum;
}
