/* Seeded random numbers that are the same on every machine: xoshiro256**
 * (Blackman and Vigna) seeded by splitmix64. Never GRand, whose stream is
 * GLib's to change. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 s[4];
} MtRandom;

void    mt_random_init    (MtRandom *random,
                           guint64   seed);
/* An independent stream: the same seed with another stream number never overlaps in practice. */
void    mt_random_init_stream (MtRandom *random,
                               guint64   seed,
                               guint64   stream);
guint64 mt_random_next    (MtRandom *random);
double  mt_random_double  (MtRandom *random);                /* [0, 1), 53 bits */
guint64 mt_random_below   (MtRandom *random, guint64 n);     /* [0, n), unbiased; n > 0 */
double  mt_random_normal  (MtRandom *random);                /* mean 0, sd 1 */
void    mt_random_shuffle (MtRandom *random, guint32 *items, gsize n_items);

G_END_DECLS
