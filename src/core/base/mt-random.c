/* Seeded random numbers that are the same on every machine: xoshiro256** (Blackman and Vigna) seeded by
 * splitmix64. See mt-random.h. */
#include "config.h"
#include "mt-random.h"
#include "mt-math.h"

#include <math.h>

static guint64
splitmix (guint64 *x)
{
  guint64 z = (*x += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline guint64
rotl (guint64 x,
      int     k)
{
  return (x << k) | (x >> (64 - k));
}

void
mt_random_init (MtRandom *random,
                guint64   seed)
{
  for (int i = 0; i < 4; i++)
    random->s[i] = splitmix (&seed);
}

void
mt_random_init_stream (MtRandom *random,
                       guint64   seed,
                       guint64   stream)
{
  guint64 mixed = stream;

  mt_random_init (random, seed ^ splitmix (&mixed));
}

guint64
mt_random_next (MtRandom *random)
{
  guint64 *s = random->s;
  guint64 result = rotl (s[1] * 5, 7) * 9;
  guint64 t = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl (s[3], 45);
  return result;
}

double
mt_random_double (MtRandom *random)
{
  return (double) (mt_random_next (random) >> 11) * 0x1p-53;
}

guint64
mt_random_below (MtRandom *random,
                 guint64   n)
{
  guint64 limit, x;

  g_return_val_if_fail (n > 0, 0);

  /* Reject the uneven tail so that every value is equally likely. */
  limit = G_MAXUINT64 - G_MAXUINT64 % n;
  do
    x = mt_random_next (random);
  while (x >= limit);
  return x % n;
}

double
mt_random_normal (MtRandom *random)
{
  double u, v, s;

  /* Marsaglia's polar method; the second value is thrown away to keep no hidden state. */
  do
    {
      u = 2.0 * mt_random_double (random) - 1.0;
      v = 2.0 * mt_random_double (random) - 1.0;
      s = u * u + v * v;
    }
  while (s >= 1.0 || s == 0.0);
  return u * sqrt (-2.0 * mt_log (s) / s);
}

void
mt_random_shuffle (MtRandom *random,
                   guint32  *items,
                   gsize     n_items)
{
  for (gsize i = n_items; i > 1; i--)
    {
      gsize j = (gsize) mt_random_below (random, i);
      guint32 t = items[i - 1];

      items[i - 1] = items[j];
      items[j] = t;
    }
}
