/* Kernels for AVX2 with FMA: a byte of bits becomes a mask of eight floats by testing each
 * lane's own bit.
 *
 * Eight floats are one register, so a block of 16 nodes is two and a chunk of 512 rows is 64. This
 * version has no mask registers: a choice between two values for each lane is made by an AND with a
 * vector of ones or zeros, or by a blend with it. To add g where the bits 1010 0000 say so, that
 * byte becomes the lanes 0 0 0 0 0 −1 0 −1 (bit l is lane l), the AND keeps g in lanes 5 and 7, and
 * the sum is an ordinary addition of eight lanes. So an addition under a mask costs several
 * instructions here and one with AVX-512. */
#include "config.h"
#include "mt-kernels-private.h"

#include <immintrin.h>

typedef __m256 VF;
typedef __m256i VI;
#define VLANES 8
#define VBITS  256

#define v_load(p)         _mm256_load_ps (p)
#define v_store(p, a)     _mm256_store_ps (p, a)
#define v_set1(a)         _mm256_set1_ps (a)
#define v_add(a, b)       _mm256_add_ps (a, b)
#define v_sub(a, b)       _mm256_sub_ps (a, b)
#define v_mul(a, b)       _mm256_mul_ps (a, b)
#define v_min(a, b)       _mm256_min_ps (a, b)
#define v_max(a, b)       _mm256_max_ps (a, b)
#define v_fma(a, b, c)    _mm256_fmadd_ps (a, b, c)
#define v_fnma(a, b, c)   _mm256_fnmadd_ps (a, b, c)
#define v_neg(a)          _mm256_xor_ps (a, _mm256_set1_ps (-0.0f))
#define v_round(a)        _mm256_round_ps (a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define v_exp2_scale(p, n) \
  _mm256_castsi256_ps (_mm256_add_epi32 (_mm256_castps_si256 (p), \
                                         _mm256_slli_epi32 (_mm256_cvtps_epi32 (n), 23)))
#define v_recip(a)        _mm256_div_ps (_mm256_set1_ps (1.0f), a)
#define v_sqrt_div(a, x, epsilon) _mm256_div_ps (a, _mm256_add_ps (_mm256_sqrt_ps (x), epsilon))
#define v_positive(a, x, y) _mm256_blendv_ps (y, x, _mm256_cmp_ps (a, _mm256_setzero_ps (), _CMP_GE_OQ))
#define v_equal(a, b, x)  _mm256_and_ps (_mm256_cmp_ps (a, b, _CMP_EQ_OQ), x)

#define i_load(p)         _mm256_load_si256 ((const __m256i *) (p))
#define i_store(p, a)     _mm256_store_si256 ((__m256i *) (p), a)
#define i_zero()          _mm256_setzero_si256 ()
#define i_and(a, b)       _mm256_and_si256 (a, b)
#define i_xor(a, b)       _mm256_xor_si256 (a, b)
#define i_not(a)          _mm256_xor_si256 (a, _mm256_set1_epi64x (-1))
#define i_mux(s, a, b)    mux (s, a, b)

/* Bit by bit: a where s is set, b elsewhere; one operation less than the textbook form with two ANDs and an OR. */
static inline __m256i
mux (__m256i s,
     __m256i a,
     __m256i b)
{
  return _mm256_xor_si256 (b, _mm256_and_si256 (s, _mm256_xor_si256 (a, b)));
}

#include "mt-kernels-simd.h"

/* All ones in lane l where bit l of @byte is set. */
static inline __m256
rows_mask (guint8 byte)
{
  const __m256i own = _mm256_setr_epi32 (1, 2, 4, 8, 16, 32, 64, 128);

  return _mm256_castsi256_ps (_mm256_cmpeq_epi32 (_mm256_and_si256 (_mm256_set1_epi32 (byte), own), own));
}

/* The k largest of 8 lanes at once. best[] holds each lane's list, largest first. A new score goes down the lists
 * like a bubble: where it beats an entry it takes that entry's place, and the entry moves on. The test before it,
 * whether any lane's score beats its last entry, is what makes this fast: after a short while nearly all scores
 * fail it.
 *
 * k steps of two comparisons and four blends for a score that gets in, one comparison for
 * one that does not. With 1,000 literals and k = 5 some 30 scores of a lane get in, if they
 * come in random order. */
static void
top_block (const float *s,
           gsize        n,
           guint        k,
           guint32     *index)
{
  for (guint first = 0; first < MT_LANES; first += 8)
    {
      __m256 best[MT_TOP_MAX];
      __m256i at[MT_TOP_MAX];

      for (guint r = 0; r < k; r++)
        {
          best[r] = _mm256_set1_ps (-INFINITY);
          at[r] = _mm256_setzero_si256 ();
        }
      for (gsize i = 0; i < n; i++)
        {
          __m256 x = _mm256_load_ps (s + i * MT_LANES + first);
          __m256i xi;
          __m256 moved = _mm256_setzero_ps ();

          if (_mm256_movemask_ps (_mm256_cmp_ps (x, best[k - 1], _CMP_GT_OQ)) == 0)
            continue;
          xi = _mm256_set1_epi32 ((int) i);
          for (guint r = 0; r < k; r++)
            {
              __m256 old = best[r];
              __m256i old_at = at[r];

              /* Once displaced, a value goes before all that follow, its equals included. */
              moved = _mm256_or_ps (moved, _mm256_cmp_ps (x, old, _CMP_GT_OQ));
              best[r] = _mm256_blendv_ps (old, x, moved);
              at[r] = _mm256_blendv_epi8 (old_at, xi, _mm256_castps_si256 (moved));
              x = _mm256_blendv_ps (x, old, moved);
              xi = _mm256_blendv_epi8 (xi, old_at, _mm256_castps_si256 (moved));
            }
        }
      for (guint r = 0; r < k; r++)
        _mm256_storeu_si256 ((__m256i *) (index + r * MT_LANES + first), at[r]);
    }
}

/* A range of codes is tested by clamping: a code lies in first … last exactly if clamping it to that range does
 * not change it. AVX2 has no unsigned comparison of bytes, but it has minimum and maximum. 32 rows at a time,
 * whose answers movemask gathers into a word.
 *
 * An example: a thermometer with 4 thresholds and codes 3 0 4 1. Its literal 1 is true for the
 * codes 2 … 4. Clamped to that range they are 3 2 4 2; the first and the third did not change, so
 * the bits are 1 0 1 0. */
static void
planes (const MtGroup *groups,
        guint          n_groups,
        const guint8  *codes,
        guint64       *bits)
{
  for (guint g = 0; g < n_groups; g++)
    for (guint half = 0; half < MT_CHUNK / 32; half++)
      {
        __m256i code = _mm256_load_si256 ((const __m256i *) (codes + g * MT_CHUNK + half * 32));
        guint32 *out = (guint32 *) (bits + groups[g].first_literal * MT_CHUNK_WORDS) + half;

        for (guint i = 0; i < groups[g].n_literals; i++)
          {
            guint first, last;
            __m256i inside;

            mt_literal_code_range (&groups[g], i, &first, &last);
            inside = _mm256_max_epu8 (code, _mm256_set1_epi8 ((char) first));
            inside = _mm256_min_epu8 (inside, _mm256_set1_epi8 ((char) last));
            out[i * (MT_CHUNK / 32)] = (guint32) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (inside, code));
          }
      }
}

/* 8 rows at a time in two vectors of doubles, since the sum must be made in double.
 *
 * The sign mask of eight floats is widened to two masks of four doubles; an AND with the
 * weight gives the weight or 0. */
static void
node_sum (const guint64 *bits,
          const guint32 *inputs,
          const float   *weights,
          float          bias,
          guint          k,
          guint64       *out)
{
  const guint8 *bytes = (const guint8 *) bits;

  for (guint eight = 0; eight < MT_CHUNK / 8; eight++)
    {
      __m256d low = _mm256_set1_pd (bias), high = low;
      int answer;

      for (guint i = 0; i < k; i++)
        {
          __m256i mask = _mm256_castps_si256 (rows_mask (bytes[inputs[i] * (MT_CHUNK / 8) + eight]));
          __m256d w = _mm256_set1_pd (weights[i]);
          __m256d to_low = _mm256_castsi256_pd (_mm256_cvtepi32_epi64 (_mm256_castsi256_si128 (mask)));
          __m256d to_high = _mm256_castsi256_pd (_mm256_cvtepi32_epi64 (_mm256_extracti128_si256 (mask, 1)));

          low = _mm256_add_pd (low, _mm256_and_pd (to_low, w));
          high = _mm256_add_pd (high, _mm256_and_pd (to_high, w));
        }
      answer = _mm256_movemask_pd (_mm256_cmp_pd (low, _mm256_setzero_pd (), _CMP_GT_OQ));
      answer |= _mm256_movemask_pd (_mm256_cmp_pd (high, _mm256_setzero_pd (), _CMP_GT_OQ)) << 4;
      ((guint8 *) out)[eight] = (guint8) answer;
    }
}

/* 64 rows at a time stay in eight registers while all vectors of bits are added to them, so each score is read and
 * written once.
 *
 * Order of the sum for a row: η as it was, then vector after vector, as in the reference. */
static void
add_bits (float         *eta,
          const guint64 *bits,
          guint          n_vectors,
          const float   *w)
{
  const guint8 *bytes = (const guint8 *) bits;

  for (guint from = 0; from < MT_CHUNK / 8; from += 8)
    {
      __m256 sums[8];

      for (guint b = 0; b < 8; b++)
        sums[b] = _mm256_load_ps (eta + (from + b) * 8);
      for (guint v = 0; v < n_vectors; v++)
        {
          __m256 weight = _mm256_set1_ps (w[v]);

          for (guint b = 0; b < 8; b++)
            sums[b] = _mm256_add_ps (sums[b], _mm256_and_ps (rows_mask (bytes[v * (MT_CHUNK / 8) + from + b]),
                                                             weight));
        }
      for (guint b = 0; b < 8; b++)
        _mm256_store_ps (eta + (from + b) * 8, sums[b]);
    }
}

/* Up to 8 codes the whole table fits into one register and the lookup is a permutation; above, a gather. */
static void
add_codes (float        *eta,
           const guint8 *codes,
           const float  *table,
           guint         n_codes)
{
  __m256 low = _mm256_loadu_ps (table);

  for (guint r = 0; r < MT_CHUNK; r += 8)
    {
      __m256i code = _mm256_cvtepu8_epi32 (_mm_loadl_epi64 ((const __m128i *) (codes + r)));
      __m256 value = n_codes <= 8 ? _mm256_permutevar8x32_ps (low, code)
                                  : _mm256_i32gather_ps (table, code, 4);

      _mm256_store_ps (eta + r, _mm256_add_ps (_mm256_load_ps (eta + r), value));
    }
}

/* Four sums at a time, so that additions need not wait for each other; the order in which they are joined is
 * fixed.
 *
 * 64 bytes of bits and 512 floats of g for each vector; g is 2 kB and stays in the
 * first-level cache. */
static void
bit_sums (const guint64 *bits,
          guint          n_vectors,
          const float   *g,
          float         *out)
{
  const guint8 *bytes = (const guint8 *) bits;

  for (guint v = 0; v < n_vectors; v++)
    {
      __m256 sums[4];
      __m256 sum;
      __m128 half;

      for (guint i = 0; i < 4; i++)
        sums[i] = _mm256_setzero_ps ();
      for (guint b = 0; b < MT_CHUNK / 8; b += 4)
        for (guint i = 0; i < 4; i++)
          sums[i] = _mm256_add_ps (sums[i], _mm256_and_ps (rows_mask (bytes[v * (MT_CHUNK / 8) + b + i]),
                                                           _mm256_load_ps (g + (b + i) * 8)));
      sum = _mm256_add_ps (_mm256_add_ps (sums[0], sums[1]), _mm256_add_ps (sums[2], sums[3]));
      half = _mm_add_ps (_mm256_castps256_ps128 (sum), _mm256_extractf128_ps (sum, 1));
      half = _mm_hadd_ps (half, half);
      half = _mm_hadd_ps (half, half);
      out[v] += _mm_cvtss_f32 (half);
    }
}

const MtKernels mt_kernels_avx2 = MT_SIMD_KERNELS ("avx2", 0.045f);
