#include "config.h"
#include "mt-planes.h"

#include <math.h>
#include <string.h>

#include "mt-clones.h"

#define N_LANES 8

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

MT_CLONES double
mt_plane_sum (const guint64 *plane,
              const double  *x,
              gsize          n_rows)
{
  double lanes[N_LANES] = { 0 };
  double sum = 0;
  gsize r = 0;

  for (; r + 64 <= n_rows; r += 64)
    {
      guint64 word = plane[r / 64];

      if (word == 0)
        continue;
      for (guint b = 0; b < 64; b += N_LANES)
        for (guint i = 0; i < N_LANES; i++)
          lanes[i] += as_double (as_bits (x[r + b + i]) & -(word >> (b + i) & 1));
    }
  for (; r < n_rows; r++)
    if (plane[r / 64] >> (r % 64) & 1)
      lanes[r % N_LANES] += x[r];
  for (guint i = 0; i < N_LANES; i++)
    sum += lanes[i];
  return sum;
}

MT_CLONES void
mt_plane_add (const guint64 *plane,
              double         weight,
              double        *y,
              gsize          n_rows)
{
  guint64 bits = as_bits (weight);
  gsize r = 0;

  for (; r + 64 <= n_rows; r += 64)
    {
      guint64 word = plane[r / 64];

      if (word == 0)
        continue;
      for (guint i = 0; i < 64; i++)
        y[r + i] += as_double (bits & -(word >> i & 1));
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
      guint64 word = plane[(first + r) / 64];

      for (guint i = 0; i < 64; i++)
        out[r + i] = as_double (as_bits (x[first + r + i]) & -(word >> i & 1));
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

  for (gsize first = 0; first < n_rows; first += 512)
    {
      gsize n = MIN (512, n_rows - first);
      double product[N_LANES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
      double e[512];

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
        product[i % N_LANES] *= 1 + e[i];
      for (guint i = 0; i < N_LANES; i++)
        sum += log (product[i]);
    }
  return sum;
}
