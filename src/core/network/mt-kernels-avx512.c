/* Kernels for AVX-512 (F, BW, DQ, VL): a chunk of a literal is one register, a literal's
 * bits are masks as they stand in memory.
 *
 * A vector of bits needs no preparation: 16 of its bits, read as they lie in memory, are the mask
 * for 16 floats, and the processor adds only the lanes of the mask. This is where training spends
 * most of its time (bit_sums, add_bits), and why an addition by plane costs less than a third of
 * what it costs with AVX2: see the costs at the end of both files. */
#include "config.h"
#include "mt-kernels-private.h"

#include <immintrin.h>

typedef __m512 VF;
typedef __m512i VI;
#define VLANES 16
#define VBITS  512

#define v_load(p)         _mm512_load_ps (p)
#define v_store(p, a)     _mm512_store_ps (p, a)
#define v_set1(a)         _mm512_set1_ps (a)
#define v_add(a, b)       _mm512_add_ps (a, b)
#define v_sub(a, b)       _mm512_sub_ps (a, b)
#define v_mul(a, b)       _mm512_mul_ps (a, b)
#define v_min(a, b)       _mm512_min_ps (a, b)
#define v_max(a, b)       _mm512_max_ps (a, b)
#define v_fma(a, b, c)    _mm512_fmadd_ps (a, b, c)
#define v_fnma(a, b, c)   _mm512_fnmadd_ps (a, b, c)
#define v_neg(a)          _mm512_xor_ps (a, _mm512_set1_ps (-0.0f))
#define v_round(a)        _mm512_roundscale_ps (a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define v_exp2_scale(p, n) _mm512_scalef_ps (p, n)
#define v_positive(a, x, y) \
  _mm512_mask_blend_ps (_mm512_cmp_ps_mask (a, _mm512_setzero_ps (), _CMP_GE_OQ), y, x)
#define v_equal(a, b, x)  _mm512_maskz_mov_ps (_mm512_cmp_ps_mask (a, b, _CMP_EQ_OQ), x)

#define i_load(p)         _mm512_load_si512 (p)
#define i_store(p, a)     _mm512_store_si512 (p, a)
#define i_zero()          _mm512_setzero_si512 ()
#define i_and(a, b)       _mm512_and_si512 (a, b)
#define i_xor(a, b)       _mm512_xor_si512 (a, b)
#define i_not(a)          _mm512_xor_si512 (a, _mm512_set1_epi64 (-1))
#define i_mux(s, a, b)    _mm512_ternarylogic_epi64 (s, a, b, 0xca)

/* 14 bits from the table, doubled by one step of Newton: as good as a division, a third of its time.
 *
 * One Newton step for 1/x: r ← r (2 − x r), written as r + r (1 − x r) with two fused
 * operations; the number of right bits doubles, from 14 to about 23, which is all a float
 * has. */
static inline VF
v_recip (VF x)
{
  VF r = _mm512_rcp14_ps (x);

  return _mm512_fmadd_ps (r, _mm512_fnmadd_ps (x, r, _mm512_set1_ps (1.0f)), r);
}

/* a / (√x + ε): the reciprocal root of 14 bits, and one step of Newton for the root itself. */
static inline VF
v_sqrt_div (VF a,
            VF x,
            VF epsilon)
{
  /* The floor keeps 0 · ∞ out; its root, 1e-15, is tiny compared with ε. */
  VF s = _mm512_max_ps (x, _mm512_set1_ps (1e-30f));
  VF r = _mm512_rsqrt14_ps (s);
  VF root = _mm512_mul_ps (s, r);

  root = _mm512_fmadd_ps (_mm512_mul_ps (_mm512_set1_ps (0.5f), r), _mm512_fnmadd_ps (root, root, s), root);
  return _mm512_mul_ps (a, v_recip (_mm512_add_ps (root, epsilon)));
}

#include "mt-kernels-simd.h"

/* 16 bits of a vector of bits are a mask register as they stand. */
static inline __mmask16
rows_mask (const guint64 *bits,
           guint          sixteen)
{
  return ((const __mmask16 *) bits)[sixteen];
}

/* As in mt-kernels-avx2.c, with all 16 lanes in one register. */
static void
top_block (const float *s,
           gsize        n,
           guint        k,
           guint32     *index)
{
  __m512 best[MT_TOP_MAX];
  __m512i at[MT_TOP_MAX];

  for (guint r = 0; r < k; r++)
    {
      best[r] = _mm512_set1_ps (-INFINITY);
      at[r] = _mm512_setzero_si512 ();
    }
  for (gsize i = 0; i < n; i++)
    {
      __m512 x = _mm512_load_ps (s + i * MT_LANES);
      __m512i xi;
      __mmask16 moved = 0;

      if (_mm512_cmp_ps_mask (x, best[k - 1], _CMP_GT_OQ) == 0)
        continue;
      xi = _mm512_set1_epi32 ((int) i);
      for (guint r = 0; r < k; r++)
        {
          __m512 old = best[r];
          __m512i old_at = at[r];

          /* Once displaced, a value goes before all that follow, its equals included. */
          moved |= _mm512_cmp_ps_mask (x, old, _CMP_GT_OQ);
          best[r] = _mm512_mask_blend_ps (moved, old, x);
          at[r] = _mm512_mask_blend_epi32 (moved, old_at, xi);
          x = _mm512_mask_blend_ps (moved, x, old);
          xi = _mm512_mask_blend_epi32 (moved, xi, old_at);
        }
    }
  for (guint r = 0; r < k; r++)
    _mm512_storeu_si512 (index + r * MT_LANES, at[r]);
}

/* 64 rows at a time; unsigned bytes can be compared here, and the result is the word that is wanted.
 *
 * 64 codes are one register and the answer is one mask, so a literal costs two comparisons
 * for 64 rows. */
static void
planes (const MtGroup *groups,
        guint          n_groups,
        const guint8  *codes,
        guint64       *bits)
{
  for (guint g = 0; g < n_groups; g++)
    for (guint word = 0; word < MT_CHUNK_WORDS; word++)
      {
        __m512i code = _mm512_load_si512 (codes + g * MT_CHUNK + word * 64);
        guint64 *out = bits + groups[g].first_literal * MT_CHUNK_WORDS + word;

        for (guint i = 0; i < groups[g].n_literals; i++)
          {
            guint first, last;
            __mmask64 mask;

            mt_literal_code_range (&groups[g], i, &first, &last);
            mask = _mm512_cmpge_epu8_mask (code, _mm512_set1_epi8 ((char) first));
            mask &= _mm512_cmple_epu8_mask (code, _mm512_set1_epi8 ((char) last));
            out[i * MT_CHUNK_WORDS] = mask;
          }
      }
}

/* 8 rows at a time, in double; a byte of bits is the mask. */
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
      __m512d z = _mm512_set1_pd (bias);

      for (guint i = 0; i < k; i++)
        z = _mm512_mask_add_pd (z, bytes[inputs[i] * (MT_CHUNK / 8) + eight], z, _mm512_set1_pd (weights[i]));
      ((guint8 *) out)[eight] = (guint8) _mm512_cmp_pd_mask (z, _mm512_setzero_pd (), _CMP_GT_OQ);
    }
}

/* 128 rows at a time in eight registers. */
static void
add_bits (float         *eta,
          const guint64 *bits,
          guint          n_vectors,
          const float   *w)
{
  for (guint from = 0; from < MT_CHUNK / 16; from += 8)
    {
      __m512 sums[8];

      for (guint b = 0; b < 8; b++)
        sums[b] = _mm512_load_ps (eta + (from + b) * 16);
      for (guint v = 0; v < n_vectors; v++)
        {
          __m512 weight = _mm512_set1_ps (w[v]);

          for (guint b = 0; b < 8; b++)
            sums[b] = _mm512_mask_add_ps (sums[b], rows_mask (bits + v * MT_CHUNK_WORDS, from + b), sums[b],
                                          weight);
        }
      for (guint b = 0; b < 8; b++)
        _mm512_store_ps (eta + (from + b) * 16, sums[b]);
    }
}

/* Up to 16 codes the table is one register, up to 32 two; above, a gather.
 *
 * A lookup in a register is one instruction; a gather reads sixteen addresses. With 9 bits
 * a column has 10 codes and takes the first way. */
static void
add_codes (float        *eta,
           const guint8 *codes,
           const float  *table,
           guint         n_codes)
{
  __m512 low = _mm512_loadu_ps (table);
  __m512 high = n_codes > 16 && n_codes <= 32 ? _mm512_loadu_ps (table + 16) : _mm512_setzero_ps ();

  for (guint r = 0; r < MT_CHUNK; r += 16)
    {
      __m512i code = _mm512_cvtepu8_epi32 (_mm_load_si128 ((const __m128i *) (codes + r)));
      __m512 value = n_codes <= 16   ? _mm512_permutexvar_ps (code, low)
                     : n_codes <= 32 ? _mm512_permutex2var_ps (low, code, high)
                                     : _mm512_i32gather_ps (code, table, 4);

      _mm512_store_ps (eta + r, _mm512_add_ps (_mm512_load_ps (eta + r), value));
    }
}

/* Four vectors at a time share each load of g; the rest goes one by one. Rows add up in 16 lanes,
 * which are joined at the end in a fixed order, so the result depends only on the input. */
static void
bit_sums (const guint64 *bits,
          guint          n_vectors,
          const float   *g,
          float         *out)
{
  guint v = 0;

  for (; v + 4 <= n_vectors; v += 4)
    {
      __m512 sums[4];

      for (guint i = 0; i < 4; i++)
        sums[i] = _mm512_setzero_ps ();
      for (guint b = 0; b < MT_CHUNK / 16; b++)
        {
          __m512 x = _mm512_load_ps (g + b * 16);

          for (guint i = 0; i < 4; i++)
            sums[i] = _mm512_mask_add_ps (sums[i], rows_mask (bits + (v + i) * MT_CHUNK_WORDS, b), sums[i],
                                          x);
        }
      for (guint i = 0; i < 4; i++)
        out[v + i] += _mm512_reduce_add_ps (sums[i]);
    }
  for (; v < n_vectors; v++)
    {
      __m512 sum = _mm512_setzero_ps ();

      for (guint b = 0; b < MT_CHUNK / 16; b++)
        sum = _mm512_mask_add_ps (sum, rows_mask (bits + v * MT_CHUNK_WORDS, b), sum,
                                  _mm512_load_ps (g + b * 16));
      out[v] += _mm512_reduce_add_ps (sum);
    }
}

const MtKernels mt_kernels_avx512 = MT_SIMD_KERNELS ("avx512", 0.0125f);
