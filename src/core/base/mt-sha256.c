/* SHA-256 of a stream of bytes: by the processor's own instructions where it has them, through GChecksum
 * elsewhere. See mt-sha256.h. */
#include "config.h"
#include "mt-sha256.h"

#include <string.h>
#if defined (__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define HAVE_SHA_INSTRUCTIONS 1
#endif

#define BLOCK 64

struct _MtSha256 {
  GChecksum *checksum;      /* NULL: by instruction */
  guint32    state[8];      /* a b c d e f g h */
  guint64    n_bytes;
  guint8     partial[BLOCK];
  gsize      n_partial;
};

#ifdef HAVE_SHA_INSTRUCTIONS

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const guint32 round_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static gboolean
has_instructions (void)
{
  guint a, b, c, d;

  if (!__get_cpuid (1, &a, &b, &c, &d) || (c & bit_SSE4_1) == 0 || (c & bit_SSSE3) == 0)
    return FALSE;
  return __get_cpuid_count (7, 0, &a, &b, &c, &d) && (b & (1u << 29)) != 0;
}

/* The instructions keep the state as (a b e f) and (c d g h), highest lane first, and do
 * two rounds each; four message words at a time are extended while the rounds go on. */
__attribute__ ((target ("sha,sse4.1,ssse3"))) static void
compress (guint32       *state,
          const guint8  *data,
          gsize          n_blocks)
{
  const __m128i swap = _mm_set_epi64x (0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i low = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) (const void *) state), 0xb1);
  __m128i high = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) (const void *) (state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8 (low, high, 8);
  __m128i cdgh = _mm_blend_epi16 (high, low, 0xf0);

  for (; n_blocks > 0; n_blocks--, data += BLOCK)
    {
      __m128i abef_before = abef, cdgh_before = cdgh;
      __m128i w[4];

      for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8 (_mm_loadu_si128 ((const __m128i *) (const void *) (data + 16 * i)), swap);
#pragma GCC unroll 16
      for (int i = 0; i < 16; i++)
        {
          __m128i k = _mm_add_epi32 (w[i % 4],
                                     _mm_loadu_si128 ((const __m128i *) (const void *) (round_constants + 4 * i)));

          cdgh = _mm_sha256rnds2_epu32 (cdgh, abef, k);
          abef = _mm_sha256rnds2_epu32 (abef, cdgh, _mm_shuffle_epi32 (k, 0x0e));
          if (i < 12)   /* w[t] from w[t-16], w[t-15], w[t-7], w[t-2] */
            {
              __m128i t = _mm_add_epi32 (_mm_sha256msg1_epu32 (w[i % 4], w[(i + 1) % 4]),
                                         _mm_alignr_epi8 (w[(i + 3) % 4], w[(i + 2) % 4], 4));

              w[i % 4] = _mm_sha256msg2_epu32 (t, w[(i + 3) % 4]);
            }
        }
      abef = _mm_add_epi32 (abef, abef_before);
      cdgh = _mm_add_epi32 (cdgh, cdgh_before);
    }
  low = _mm_shuffle_epi32 (abef, 0x1b);
  high = _mm_shuffle_epi32 (cdgh, 0xb1);
  _mm_storeu_si128 ((__m128i *) (void *) state, _mm_blend_epi16 (low, high, 0xf0));
  _mm_storeu_si128 ((__m128i *) (void *) (state + 4), _mm_alignr_epi8 (high, low, 8));
}

#endif

MtSha256 *
mt_sha256_new (gboolean portable)
{
  static const guint32 start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  MtSha256 *sha = g_new0 (MtSha256, 1);

  memcpy (sha->state, start, sizeof start);
#ifdef HAVE_SHA_INSTRUCTIONS
  portable = portable || !has_instructions ();
#else
  portable = TRUE;
#endif
  if (portable)
    sha->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  return sha;
}

void
mt_sha256_free (MtSha256 *sha)
{
  if (sha == NULL)
    return;
  g_clear_pointer (&sha->checksum, g_checksum_free);
  g_free (sha);
}

void
mt_sha256_update (MtSha256   *sha,
                  const void *data,
                  gsize       length)
{
  const guint8 *p = data;

  if (sha->checksum != NULL)
    {
      g_checksum_update (sha->checksum, p, (gssize) length);
      return;
    }
#ifdef HAVE_SHA_INSTRUCTIONS
  sha->n_bytes += length;
  if (sha->n_partial > 0)
    {
      gsize n = MIN (length, BLOCK - sha->n_partial);

      memcpy (sha->partial + sha->n_partial, p, n);
      sha->n_partial += n;
      p += n;
      length -= n;
      if (sha->n_partial < BLOCK)
        return;
      compress (sha->state, sha->partial, 1);
    }
  compress (sha->state, p, length / BLOCK);
  sha->n_partial = length % BLOCK;
  memcpy (sha->partial, p + length - sha->n_partial, sha->n_partial);
#endif
}

char *
mt_sha256_finish (MtSha256 *sha)
{
  if (sha->checksum != NULL)
    return g_strdup (g_checksum_get_string (sha->checksum));
#ifdef HAVE_SHA_INSTRUCTIONS
  {
    static const guint8 padding[BLOCK] = { 0x80 };
    guint64 n_bits = GUINT64_TO_BE (sha->n_bytes * 8);
    gsize n = (sha->n_partial < 56 ? 56 : 120) - sha->n_partial;
    GString *hex = g_string_new (NULL);

    mt_sha256_update (sha, padding, MIN (n, BLOCK));
    if (n > BLOCK)
      mt_sha256_update (sha, padding + 1, n - BLOCK);
    mt_sha256_update (sha, &n_bits, 8);
    for (int i = 0; i < 8; i++)
      g_string_append_printf (hex, "%08x", sha->state[i]);
    return g_string_free (hex, FALSE);
  }
#else
  return NULL;
#endif
}
