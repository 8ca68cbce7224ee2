#include "config.h"
#include "mt-planes.h"

#include <string.h>

/* The same C, compiled three times; the loader takes the widest that the machine has. Lanes
 * and order are fixed in the source, so all three give the same bits. */
#if defined (__x86_64__) && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define MT_CLONES __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define MT_CLONES
#endif

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
                       guint8               *patterns)
{
  g_return_if_fail (n_planes <= 8);
  memset (patterns, 0, n_rows);
  for (guint p = 0; p < n_planes; p++)
    for (gsize r = 0; r < n_rows; r += 64)
      {
        guint64 word = planes[p][r / 64];
        gsize n = MIN (64, n_rows - r);

        if (word == 0)
          continue;
        for (gsize i = 0; i < n; i++)
          patterns[r + i] |= (guint8) ((word >> i & 1) << p);
      }
}
